//! Forks: the same at first and then on their own; and sandboxes, which betray nothing that their seat does not see.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use prost::Message as _;
use tavola::pb::{
    shadow_hunters::v1::Character,
    v1::{
        CreateSessionRequest, ErrorReason, ForkSessionRequest, GetObservationResponse,
        GetReplayRequest, GetReplayResponse, GetSessionRequest, JoinSessionRequest,
        ListGamesRequest, ListSessionsRequest, SessionStatus, Update, View, state,
        submit_action_request::Answer,
    },
};
use tavola::verify::{self, NotVerified};
use tokio::task::JoinSet;
use tonic::{Code, Status};

use crate::common::{
    Compared, DataFolder, Dice, GAMES, Server, Table, eventually, furthest_from_chance, of,
    refused, santorini, sized, tells_nothing, timed, with_token,
};

/// What concerns the game in what a viewer is shown, and not the session around it.
#[derive(Clone, Debug, PartialEq)]
struct Facts {
    observation: Vec<u8>,
    asked: Vec<u32>,
    legal: Vec<(u32, String)>,
    over: bool,
}

macro_rules! facts {
    ($shown:expr) => {{
        let shown = $shown;
        Facts {
            observation: shown.observation.as_ref().unwrap().encode_to_vec(),
            asked: shown
                .decision
                .clone()
                .map(|open| open.seats)
                .unwrap_or_default(),
            legal: shown
                .legal_actions
                .iter()
                .map(|legal| (legal.action_id.unwrap(), legal.label.clone()))
                .collect(),
            over: shown.outcome.is_some(),
        }
    }};
}

async fn look(table: &Table, viewer: Option<usize>) -> Facts {
    facts!(table.observe(viewer, View::Full).await)
}

/// What all who look at the table see.
async fn looks(table: &Table) -> Vec<Facts> {
    let mut looks = vec![look(table, None).await];
    for seat in 0..table.tokens.len() {
        looks.push(look(table, Some(seat)).await);
    }
    looks
}

/// All that a viewer was ever told of a game.
async fn story(table: &Table, viewer: Option<usize>) -> Vec<Update> {
    let mut watching = table.resume(viewer, View::Full, 1).await.unwrap();
    watching.rest().await
}

async fn whole_replay(table: &Table) -> GetReplayResponse {
    let mut replay = table.replay(GetReplayRequest::default()).await.unwrap();
    while !replay.next_page_token.is_empty() {
        let next = GetReplayRequest {
            page_token: replay.next_page_token,
            ..Default::default()
        };
        let next = table.replay(next).await.unwrap();
        replay.steps.extend(next.steps);
        replay.next_page_token = next.next_page_token;
    }
    replay
}

/// F26: at every kind of ply a fork is what the original was, and then each goes on without the other.
#[tokio::test]
async fn a_fork_of_a_finished_game_is_the_same_up_to_its_ply_and_goes_its_own_way() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    for game in GAMES {
        let original = Table::start(&client, of(game)).await;
        original.play_out(&mut dice).await;
        let replay = whole_replay(&original).await;
        let start = original.session().await.version - u64::from(replay.plies);
        let mut stories = Vec::new();
        for viewer in std::iter::once(None).chain((0..original.tokens.len()).map(Some)) {
            stories.push((viewer, story(&original, viewer).await));
        }
        let some = u32::try_from(dice.below(usize::try_from(replay.plies).unwrap())).unwrap();
        for ply in [0, some, replay.plies] {
            // Anybody may: without a token.
            let fork = original.fork(None, Some(ply)).await.unwrap();
            let session = fork.session().await;
            let from = session.forked_from.clone().unwrap();
            assert_eq!(from.session_id.as_deref(), Some(original.id.as_str()));
            assert_eq!((from.ply, from.sandbox), (ply, false));
            assert_eq!(session.version, 1 + u64::from(ply), "{game}");
            assert!(!session.seed_given);
            for (viewer, story) in &stories {
                let then = story
                    .iter()
                    .find(|told| told.version == start + u64::from(ply));
                let then = facts!(then.expect("a game is told from its beginning"));
                assert_eq!(
                    look(&fork, *viewer).await,
                    then,
                    "{game}, ply {ply}, {viewer:?}"
                );
            }
            if ply == replay.plies {
                assert_eq!(session.status(), SessionStatus::Finished);
                assert_eq!(session.outcome, replay.outcome);
                assert!(session.end_time.is_some());
                continue;
            }
            // One is played on; the other stays where it was, and so does the original.
            let other = original.fork(None, Some(ply)).await.unwrap();
            let before = looks(&other).await;
            fork.play_out(&mut dice).await;
            assert_eq!(looks(&other).await, before, "{game}");
            assert_eq!(whole_replay(&original).await, replay, "{game}");

            let forked = whole_replay(&fork).await;
            let shared = usize::try_from(ply).unwrap();
            assert_eq!(forked.steps[..=shared], replay.steps[..=shared], "{game}");
            assert_eq!((&forked.seed, forked.seed_given), (&replay.seed, false));
            assert_eq!(forked.reseeds.len(), 1);
            assert_eq!(forked.reseeds[0].after_ply, ply);
            assert_eq!(forked.reseeds[0].seed.len(), 32);
            assert_ne!(forked.reseeds[0].seed, forked.seed);
            // What comes after the fork is bound to the fork's own seed.
            let bound = session.seed_commitment[..].try_into().unwrap();
            let verified = verify::pages(vec![forked.clone()], Some(bound)).unwrap();
            assert_eq!((verified.plies, verified.commitment), (forked.plies, bound));
            let mut other_dice = forked.clone();
            other_dice.reseeds[0].seed = replay.seed.clone();
            let untrue = verify::pages(vec![other_dice], None).unwrap_err();
            assert!(matches!(untrue, NotVerified::Untrue(_)), "{untrue}");

            // A fork can be told and forked like any other session.
            let told = story(&fork, None).await;
            let versions = told.iter().map(|update| update.version);
            assert!(versions.eq(2..=1 + u64::from(forked.plies)), "{game}");
            let again = fork.fork(None, Some(forked.plies - 1)).await.unwrap();
            let last = again.session().await.forked_from.unwrap();
            assert_eq!(last.session_id.as_deref(), Some(fork.id.as_str()));
            again.play_out(&mut dice).await;
            let reseeds = whole_replay(&again).await.reseeds;
            let places: Vec<_> = reseeds.iter().map(|reseed| reseed.after_ply).collect();
            let last = forked.plies - 1;
            assert_eq!(
                places,
                if ply < last {
                    vec![ply, last]
                } else {
                    vec![last]
                }
            );
        }
    }
}

/// Whoever plays a fork of a running game to its end must not find in its replay what the dice will say in the original.
#[tokio::test]
async fn the_fork_of_a_game_that_is_on_keeps_the_secret_of_its_dice() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    for request in [of("under_falling_skies"), santorini()] {
        let original = Table::start(&client, request).await;
        original.play_plies(&mut dice, 9).await;
        let before = looks(&original).await;
        let host = Some(original.host.as_str());
        let last = original.fork(host, None).await.unwrap();
        assert_eq!(looks(&last).await, before);
        let first = last.fork(Some(&last.host), Some(3)).await.unwrap();
        for (fork, secret) in [(&last, 1), (&first, 1)] {
            fork.leave(0).await.unwrap();
            if fork.session().await.status() != SessionStatus::Finished {
                fork.play_out(&mut dice).await;
            }
            let replay = whole_replay(fork).await;
            assert!(replay.seed.is_empty());
            let unknown = verify::pages(vec![replay.clone()], None).unwrap_err();
            assert!(matches!(unknown, NotVerified::Unreadable(_)), "{unknown}");
            let hidden = replay
                .reseeds
                .iter()
                .filter(|reseed| reseed.seed.is_empty());
            assert_eq!((replay.reseeds.len(), 1 + hidden.count()), (1, secret));
        }
        // That of a fork that is on is a secret, too; and what was one remains one when the fork is over.
        let second = original.fork(host, None).await.unwrap();
        second.play_plies(&mut dice, 2).await;
        let third = second.fork(Some(&second.host), None).await.unwrap();
        third.play_out(&mut dice).await;
        let fourth = third.fork(None, None).await.unwrap();
        for fork in [&third, &fourth] {
            let replay = whole_replay(fork).await;
            assert!(replay.seed.is_empty() && replay.reseeds[0].seed.is_empty());
            assert_eq!(replay.reseeds[1].seed.len(), 32);
        }
        assert_eq!(looks(&original).await, before, "nobody has touched it");
    }
}

/// A seat gets a world that it could be in, and all that it takes to search there.
#[tokio::test]
async fn a_sandbox_looks_to_its_seat_as_the_game_does() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    for game in GAMES {
        let original = Table::start(&client, of(game)).await;
        original.play_plies(&mut dice, 12).await;
        if original.session().await.status() == SessionStatus::Finished {
            continue;
        }
        let before = looks(&original).await;
        let spectator = original.observe(None, View::Full).await;
        for seat in 0..original.tokens.len() {
            let seen = original.observe(Some(seat), View::Full).await;
            let sandbox = original
                .fork(original.token(Some(seat)), None)
                .await
                .unwrap();
            let shown = sandbox.observe(Some(seat), View::Full).await;
            assert_eq!(facts!(&shown), facts!(&seen), "{game}, seat {seat}");
            for token in [Some(sandbox.host.as_str()), sandbox.token(None)] {
                let public = sandbox.try_observe(token, View::Full).await.unwrap();
                assert_eq!(facts!(&public), facts!(&spectator));
            }
            // Its numbers say nothing.
            assert_eq!((shown.version, shown.decision.unwrap().decision_id), (1, 1));
            let session = sandbox.session().await;
            let from = session.forked_from.unwrap();
            assert_eq!((from.session_id, from.sandbox), (None, true));
            assert!(session.private);
            let host = Some(sandbox.host.as_str());
            assert!(sandbox.state(host).await.unwrap().state.is_some());

            // It can be forked itself, played to its end and watched, and nothing of it is felt elsewhere.
            let copy = sandbox.fork(host, Some(0)).await.unwrap();
            assert_eq!(
                facts!(copy.observe(Some(seat), View::Full).await),
                facts!(&seen)
            );
            assert_eq!(
                copy.state(Some(&copy.host)).await.unwrap().state,
                sandbox.state(host).await.unwrap().state
            );
            let mut watching = sandbox.watch(Some(seat), View::Lean).await;
            sandbox.play_out(&mut dice).await;
            let told = watching.rest().await;
            assert_eq!(
                told.last().unwrap().outcome,
                sandbox.session().await.outcome
            );
            let again = sandbox
                .resume(Some(seat), View::Lean, 1)
                .await
                .unwrap()
                .rest()
                .await;
            assert_eq!(again, told[1..], "{game}");
            for table in [&sandbox, &copy] {
                refused(
                    table.replay(GetReplayRequest::default()).await,
                    ErrorReason::Sandbox,
                );
                table.delete().await;
            }
        }
        assert_eq!(looks(&original).await, before, "{game}");
    }
}

/// F14, I13: a live game is forked by nobody who would learn something by it.
#[tokio::test]
async fn a_game_that_is_on_is_forked_by_its_players_alone() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let waiting = Table::create(&client, of("citadels")).await;
    for token in [None, Some(waiting.host.as_str())] {
        refused(
            waiting.fork(token, None).await,
            ErrorReason::SessionNotStarted,
        );
    }
    let stranger = Table::start(&client, of("citadels")).await;
    for game in GAMES {
        let table = Table::start(&client, of(game)).await;
        table.play_plies(&mut dice, 5).await;
        refused(table.fork(None, None).await, ErrorReason::TokenRequired);
        for token in [&stranger.host, &stranger.tokens[0]] {
            refused(
                table.fork(Some(token), None).await,
                ErrorReason::TokenRequired,
            );
        }
        // What a seat saw earlier is gone, and a host knows no more than a spectator.
        for ply in [0, 4, 6] {
            let earlier = refused(
                table.fork(table.token(Some(0)), Some(ply)).await,
                ErrorReason::MalformedRequest,
            );
            assert_eq!(earlier.violations[0].0, "ply");
        }
        let by_host = table.fork(Some(&table.host), None).await;
        if game == "under_falling_skies" {
            assert!(by_host.is_ok(), "it hides nothing");
        } else {
            refused(by_host, ErrorReason::SeatMismatch);
        }
        refused(
            table.replay(GetReplayRequest::default()).await,
            ErrorReason::SessionNotFinished,
        );
    }
}

/// What a call for a sandbox is refused with, whatever the token.
async fn hidden_from(sandbox: &Table, token: Option<&str>) -> Vec<Status> {
    let mut client = sandbox.client.clone();
    let id = || sandbox.id.clone();
    let looked = sandbox.try_observe(token, View::Full).await.unwrap_err();
    let get = with_token(token, GetSessionRequest { session_id: id() });
    let got = client.get_session(get).await.unwrap_err();
    let join = JoinSessionRequest {
        session_id: id(),
        ..Default::default()
    };
    let joined = client
        .join_session(with_token(token, join))
        .await
        .unwrap_err();
    let replay = GetReplayRequest {
        session_id: id(),
        ..Default::default()
    };
    let replayed = client
        .get_replay(with_token(token, replay))
        .await
        .unwrap_err();
    let answer = Answer::ActionId(0);
    let answered = match token {
        Some(token) => sandbox
            .submit_as(token, 1, answer, View::Lean)
            .await
            .unwrap_err(),
        None => sandbox.state(None).await.unwrap_err(),
    };
    vec![
        looked,
        got,
        joined,
        replayed,
        answered,
        sandbox.state(token).await.unwrap_err(),
        sandbox.fork(token, None).await.unwrap_err(),
        sandbox
            .try_watch(token, View::Full, None)
            .await
            .unwrap_err(),
    ]
}

/// A sandbox is there for those alone who were given its tokens; all others are answered as if there were none.
#[tokio::test]
async fn nobody_else_finds_a_sandbox() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let table = Table::start(&client, of("citadels")).await;
    let sandbox = table.fork(table.token(Some(0)), None).await.unwrap();
    let nowhere = Table {
        id: "0123456789abcdef0123456789abcdef".to_owned(),
        ..sandbox.clone()
    };
    for token in [
        None,
        Some(table.host.as_str()),
        table.token(Some(0)),
        table.token(Some(1)),
    ] {
        let there = hidden_from(&sandbox, token).await;
        let not_there = hidden_from(&nowhere, token).await;
        for (there, not_there) in there.iter().zip(&not_there) {
            let parts = |status: &Status| {
                (
                    status.code(),
                    status.message().to_owned(),
                    status.details().to_vec(),
                )
            };
            assert_eq!(parts(there), parts(not_there));
            assert_eq!(there.code(), Code::NotFound);
        }
    }
    let listed = client
        .clone()
        .list_sessions(ListSessionsRequest::default())
        .await;
    let listed = listed.unwrap().into_inner().sessions;
    assert_eq!(listed.len(), 1, "{listed:?}");
    assert_eq!(listed[0].session_id, table.id);
    // Its own tokens open it, each for its own seat.
    for seat in 0..sandbox.tokens.len() {
        assert!(sandbox.observe(Some(seat), View::Lean).await.seat.is_some());
    }
    refused(
        sandbox.state(sandbox.token(Some(0))).await,
        ErrorReason::SeatMismatch,
    );
}

/// What was private stays so, and a fork can be made so.
#[tokio::test]
async fn the_fork_of_a_private_session_is_private() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let asked = |private| ForkSessionRequest {
        private,
        ..Default::default()
    };
    let mut listed = Vec::new();
    for private in [false, true] {
        let request = CreateSessionRequest {
            private,
            ..santorini()
        };
        let original = Table::start(&client, request).await;
        original.play_out(&mut dice).await;
        let token = original.token(None);
        for asked_so in [false, true] {
            let fork = original.fork_as(token, asked(asked_so)).await.unwrap();
            assert_eq!(fork.session().await.private, private || asked_so);
            assert_eq!(fork.join_token.is_some(), private || asked_so);
            let found = fork.try_observe(None, View::Lean).await;
            if fork.join_token.is_some() {
                refused(found, ErrorReason::SessionNotFound);
            } else {
                assert!(found.is_ok());
                listed.push(fork.id.clone());
            }
        }
        if !private {
            listed.push(original.id.clone());
        }
    }
    let sessions = client
        .clone()
        .list_sessions(ListSessionsRequest::default())
        .await;
    let sessions = sessions.unwrap().into_inner().sessions;
    let mut found: Vec<_> = sessions
        .into_iter()
        .map(|session| session.session_id)
        .collect();
    found.sort();
    listed.sort();
    assert_eq!(found, listed);
}

/// A fork whose reply was lost is asked for again: it is the same fork, with the same tokens.
#[tokio::test]
async fn a_fork_that_is_asked_for_again_is_no_other() {
    let folder = DataFolder::new();
    let mut server = Server::run(folder.command(&["--sandboxes-per-seat-max", "2"]));
    let mut client = server.sessions().await;
    let mut dice = Dice::new();
    let finished = Table::start(&client, of("citadels")).await;
    finished.play_out(&mut dice).await;
    let running = Table::start(&client, of("citadels")).await;
    let asked = |ply| ForkSessionRequest {
        ply,
        request_id: "0f6f4c7f-9d2b-4b7e".to_owned(),
        ..Default::default()
    };
    for (table, token, ply) in [
        (&finished, None, Some(7)),
        (&finished, finished.token(Some(0)), Some(7)),
        (&running, running.token(Some(0)), None),
    ] {
        let mut calls = JoinSet::new();
        for _ in 0..12 {
            let (table, token) = (table.clone(), token.map(str::to_owned));
            calls.spawn(async move { table.fork_as(token.as_deref(), asked(ply)).await.unwrap() });
        }
        let forks = calls.join_all().await;
        let tokens = |fork: &Table| (fork.id.clone(), fork.host.clone(), fork.tokens.clone());
        for fork in &forks {
            assert_eq!(tokens(fork), tokens(&forks[0]));
        }
        // They are good, and later the fork is the same one, wherever the original is then.
        forks[0].play_plies(&mut dice, 2).await;
        if ply.is_none() {
            table.play_plies(&mut dice, 2).await;
        }
        let later = table.fork_as(token, asked(ply)).await.unwrap();
        assert_eq!(tokens(&later), tokens(&forks[0]));
        assert_eq!(later.session().await, forks[0].session().await);
        // With it nothing else can be asked for; without it each call opens another.
        let other = table.fork_as(token, asked(Some(8))).await;
        refused(other, ErrorReason::RequestIdReused);
        assert_ne!(table.fork(token, ply).await.unwrap().id, later.id);
    }
    // Each token has ids of its own, and sandboxes take a place each.
    let of_other = running
        .fork_as(running.token(Some(1)), asked(None))
        .await
        .unwrap();
    assert!(of_other.session().await.private);
    let full = running.fork(running.token(Some(0)), None).await;
    refused(full, ErrorReason::LimitReached);
    let before = finished.fork_as(None, asked(Some(7))).await.unwrap();
    server.kill();
    server = Server::run(folder.command(&[]));
    client = server.sessions().await;
    let finished = Table {
        client: client.clone(),
        ..finished.clone()
    };
    let again = finished.fork_as(None, asked(Some(7))).await.unwrap();
    assert_eq!(
        (again.id, again.host, again.tokens),
        (before.id, before.host, before.tokens)
    );
}

#[tokio::test]
async fn each_seat_has_so_many_sandboxes_and_the_server_so_many_in_all() {
    let server = Server::start(&["--sandboxes-per-seat-max", "3", "--sandboxes-max", "5"]);
    let client = server.sessions().await;
    let table = Table::start(&client, of("citadels")).await;
    let fork = async |seat| table.fork(table.token(Some(seat)), None).await;
    let limit = |refused: crate::common::Refusal| {
        (
            refused.metadata["limit"].clone(),
            refused.metadata["max"].clone(),
        )
    };
    let of_seat = ("sandboxes_per_seat_max".to_owned(), "3".to_owned());
    let mut sandboxes = Vec::new();
    for _ in 0..3 {
        sandboxes.push(fork(0).await.unwrap());
    }
    assert_eq!(
        limit(refused(fork(0).await, ErrorReason::LimitReached)),
        of_seat
    );
    // One that is forked from a sandbox counts as well, whoever's it is there.
    for token in [&sandboxes[0].host, &sandboxes[0].tokens[1]] {
        let again = sandboxes[0].fork(Some(token), None).await;
        assert_eq!(limit(refused(again, ErrorReason::LimitReached)), of_seat);
    }
    for _ in 0..2 {
        sandboxes.push(fork(1).await.unwrap());
    }
    let all = limit(refused(fork(1).await, ErrorReason::LimitReached));
    assert_eq!(all, ("sandboxes_max".to_owned(), "5".to_owned()));
    // Those that are deleted make room.
    for sandbox in sandboxes {
        sandbox.delete().await;
        refused(
            sandbox.try_observe(Some(&sandbox.host), View::Lean).await,
            ErrorReason::SessionNotFound,
        );
    }
    for _ in 0..3 {
        fork(0).await.unwrap();
    }
}

#[tokio::test]
async fn a_sandbox_that_is_left_alone_is_gone_and_makes_room() {
    let server = Server::start(&["--sandbox-idle-s", "1", "--sandboxes-per-seat-max", "2"]);
    let client = server.sessions().await;
    let table = Table::start(&client, of("citadels")).await;
    let watched = table.fork(table.token(Some(0)), None).await.unwrap();
    let mut watching = watched.watch(Some(0), View::Lean).await;
    watching.next().await;
    let left = table.fork(table.token(Some(0)), None).await.unwrap();
    refused(
        table.fork(table.token(Some(0)), None).await,
        ErrorReason::LimitReached,
    );
    // To ask for it would be to use it: there is room again once it is gone.
    let next = eventually("a sandbox makes room", async || {
        tokio::time::sleep(Duration::from_millis(200)).await;
        table.fork(table.token(Some(0)), None).await.ok()
    });
    next.await;
    refused(
        left.try_observe(Some(&left.host), View::Lean).await,
        ErrorReason::SessionNotFound,
    );
    assert!(
        watched
            .try_observe(Some(&watched.host), View::Lean)
            .await
            .is_ok(),
        "somebody watches it"
    );
    assert!(
        table.try_observe(None, View::Lean).await.is_ok(),
        "the session stays"
    );
}

/// Forks are kept like all sessions; sandboxes are not, and say so by not being there.
#[tokio::test]
async fn a_fork_outlives_the_server_and_a_sandbox_does_not() {
    let folder = DataFolder::new();
    let mut dice = Dice::new();
    let server = Server::run(folder.command(&[]));
    let client = server.sessions().await;
    let original = Table::start(&client, of("shadow_hunters")).await;
    original.play_out(&mut dice).await;
    let fork = original.fork(None, Some(10)).await.unwrap();
    let untouched = original.fork(None, Some(0)).await.unwrap();
    let finished = original.fork(None, None).await.unwrap();
    fork.play_plies(&mut dice, 5).await;
    let sandbox = fork.fork(fork.token(Some(1)), None).await.unwrap();
    let tables = [fork, untouched, finished];
    let mut before = Vec::new();
    for table in &tables {
        before.push((table.session().await, looks(table).await));
    }
    server.kill();

    let server = Server::run(folder.command(&[]));
    let client = server.sessions().await;
    let here = |table: &Table| Table {
        client: client.clone(),
        ..table.clone()
    };
    let listed = |status: SessionStatus| ListSessionsRequest {
        status: status.into(),
        ..Default::default()
    };
    let running = client
        .clone()
        .list_sessions(listed(SessionStatus::Running))
        .await;
    let running: Vec<_> = running
        .unwrap()
        .into_inner()
        .sessions
        .into_iter()
        .map(|session| session.session_id)
        .collect();
    assert_eq!(
        running,
        [tables[1].id.clone(), tables[0].id.clone()],
        "the newest first"
    );
    for (table, before) in tables.iter().zip(before) {
        let table = here(table);
        assert_eq!((table.session().await, looks(&table).await), before);
    }
    here(&tables[0]).play_out(&mut dice).await;
    let replay = whole_replay(&here(&tables[0])).await;
    assert_eq!(replay.reseeds.len(), 1);
    let gone = here(&sandbox)
        .try_observe(Some(&sandbox.host), View::Lean)
        .await;
    refused(gone, ErrorReason::SessionNotFound);
}

/// A seat whose player has left is the forker's to play, too; leaving again changes nothing.
#[tokio::test]
async fn whoever_forks_plays_every_seat() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    for game in ["citadels", "shadow_hunters", "council_of_shadows"] {
        let table = Table::start(
            &client,
            CreateSessionRequest {
                seats: Some(4),
                ..of(game)
            },
        )
        .await;
        table.play_plies(&mut dice, 3).await;
        table.leave(1).await.unwrap();
        let sandbox = eventually("a seat is not in the bots' hands", async || {
            table.fork(table.token(Some(0)), None).await.ok()
        })
        .await;
        let resigned = |session: tavola::pb::v1::Session| {
            session
                .seats
                .iter()
                .map(|seat| seat.resigned)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            resigned(sandbox.session().await),
            [false, true, false, false]
        );
        let version = sandbox.session().await.version;
        sandbox.leave(1).await.unwrap();
        assert_eq!(sandbox.session().await.version, version);
        sandbox.leave(2).await.unwrap();
        assert_eq!(
            resigned(sandbox.session().await),
            [false, true, true, false]
        );
        // No house bot plays on.
        sandbox.play_out(&mut dice).await;
        let told = sandbox
            .resume(Some(0), View::Lean, 1)
            .await
            .unwrap()
            .rest()
            .await;
        assert_eq!(
            told.last().unwrap().outcome,
            sandbox.session().await.outcome
        );
    }
}

/// Pearson's chi-square.
fn chi_square(counted: &[u32], expected: &[f64]) -> f64 {
    let terms = counted.iter().zip(expected);
    terms.map(|(&n, e)| (f64::from(n) - e).powi(2) / e).sum()
}

/// I9: of four players two are Hunters and two are Shadows. To one of them each of the others is as likely as any to be
/// on his side, and each character of a side as likely as any other.
#[tokio::test]
async fn hidden_characters_are_drawn_as_the_rules_make_them_likely() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let request = CreateSessionRequest {
        seats: Some(4),
        ..of("shadow_hunters")
    };
    let table = Table::start(&client, request).await;
    let trials = sized(300, 2_000);
    let mut sides = [0; 3];
    let mut others: BTreeMap<i32, u32> = BTreeMap::new();
    let mut mine = None;
    for _ in 0..trials {
        let sandbox = table.fork(table.token(Some(0)), None).await.unwrap();
        let state = sandbox
            .state(Some(&sandbox.host))
            .await
            .unwrap()
            .state
            .unwrap();
        let Some(state::Game::ShadowHunters(state)) = state.game else {
            panic!("it is one of Shadow Hunters: {state:?}");
        };
        let characters: Vec<_> = state.hands.iter().map(|hand| hand.character()).collect();
        assert_eq!(
            *mine.get_or_insert(characters[0]),
            characters[0],
            "one's own is no guess"
        );
        let hunter = |character: &Character| (1..=6).contains(&(*character as i32));
        for (seat, character) in characters[1..].iter().enumerate() {
            if hunter(character) == hunter(&characters[0]) {
                sides[seat] += 1;
            } else {
                *others.entry(*character as i32).or_default() += 1;
            }
        }
        sandbox.delete().await;
    }
    let third = f64::from(trials) / 3.0;
    let by_seat = chi_square(&sides, &[third; 3]);
    // Two Shadows (or Hunters) in each trial, of as many as the table has to choose from.
    let counts: Vec<u32> = others.values().copied().collect();
    let each = f64::from(2 * trials) / counts.len() as f64;
    let by_character = chi_square(&counts, &vec![each; counts.len()]);
    println!(
        "chi-square of {trials} forks: sides {by_seat:.2} (2 degrees), characters {by_character:.2} ({} degrees), {others:?}",
        counts.len() - 1
    );
    // Exceeded once in a million runs, or less often.
    assert!(by_seat < 27.7, "{sides:?}");
    assert!(by_character < 42.0 && counts.len() > 1, "{others:?}");
}

/// The face-down cards in this state: the one that is drawn next, and all of them that seat 0 does not see.
fn face_down(state: state::Game) -> (i32, Vec<i32>) {
    match state {
        state::Game::Citadels(state) => {
            let deck = state.hidden.unwrap().deck;
            let hands = state.seats[1..].iter().flat_map(|seat| seat.hand.clone());
            (deck[0], hands.chain(deck.clone()).collect())
        }
        // From bottom to top.
        state::Game::ShadowHunters(state) => (*state.black_draw.last().unwrap(), state.black_draw),
        other => panic!("{other:?}"),
    }
}

/// I9: each card that a seat has not seen is as likely as any other to be the next one, whatever really comes.
#[tokio::test]
async fn the_next_card_is_drawn_from_all_that_are_not_in_sight() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    for (game, seats) in [("citadels", 3), ("shadow_hunters", 5)] {
        let request = CreateSessionRequest {
            seats: Some(seats),
            ..of(game)
        };
        let table = Table::start(&client, request).await;
        let trials = sized(600, 2_000);
        let mut next: BTreeMap<i32, u32> = BTreeMap::new();
        let mut unseen: Option<Vec<i32>> = None;
        for _ in 0..trials {
            let sandbox = table.fork(table.token(Some(0)), None).await.unwrap();
            let state = sandbox.state(Some(&sandbox.host)).await.unwrap();
            let (top, mut cards) = face_down(state.state.unwrap().game.unwrap());
            cards.sort_unstable();
            assert_eq!(
                unseen.get_or_insert_with(|| cards.clone()),
                &cards,
                "{game}: the same cards in another order"
            );
            *next.entry(top).or_default() += 1;
            sandbox.delete().await;
        }
        let unseen = unseen.unwrap();
        let kinds = BTreeSet::from_iter(unseen.iter().copied());
        let share = f64::from(trials) / unseen.len() as f64;
        let expected = kinds
            .iter()
            .map(|kind| unseen.iter().filter(|card| *card == kind).count() as f64 * share);
        let expected: Vec<f64> = expected.collect();
        let counted: Vec<u32> = kinds
            .iter()
            .map(|kind| next.get(kind).copied().unwrap_or(0))
            .collect();
        let found = chi_square(&counted, &expected);
        // By Wilson and Hilferty: exceeded once in a million runs, or less often.
        let degrees = (kinds.len() - 1) as f64;
        let ninth = 2.0 / (9.0 * degrees);
        let bound = degrees * (1.0 - ninth + 4.9 * ninth.sqrt()).powi(3);
        println!(
            "{game}: chi-square of {trials} forks {found:.1} ({degrees} degrees, at most {bound:.1})"
        );
        assert!(kinds.len() > 5 && found < bound, "{game}: {next:?}");
    }
}

/// What the table shows after the next answer of the one whose turn it is.
async fn next_look(table: &Table, seat: usize) -> Vec<u8> {
    let shown: GetObservationResponse = table.observe(Some(seat), View::Lean).await;
    let open = shown.decision.unwrap().decision_id;
    let answer = Answer::ActionId(shown.legal_action_ids[0]);
    table.submit(seat, open, answer).await.unwrap();
    let next = table
        .try_observe(Some(&table.host), View::Lean)
        .await
        .unwrap();
    next.observation.unwrap().encode_to_vec()
}

/// F30, I9: the dice and cards of a fork are no more those of the game than those of another fork are.
#[tokio::test]
async fn the_dice_of_a_fork_foretell_nothing() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    for game in ["shadow_hunters", "under_falling_skies"] {
        let wanted = sized(60, 2_000);
        let (mut open, mut as_it_came, mut as_each_other) = (0, 0_u32, 0_u32);
        let mut table = Table::start(&client, of(game)).await;
        while open < wanted {
            let Some(decision) = table.observe(None, View::Lean).await.decision else {
                table.delete().await;
                table = Table::start(&client, of(game)).await;
                continue;
            };
            let seat = usize::try_from(decision.seats[0]).unwrap();
            let token = if game == "under_falling_skies" && dice.below(2) == 0 {
                Some(table.host.as_str())
            } else {
                table.token(Some(seat))
            };
            let mut drawn = Vec::new();
            for _ in 0..2 {
                let fork = table.fork(token, None).await.unwrap();
                drawn.push(next_look(&fork, seat).await);
                fork.delete().await;
            }
            let came = next_look(&table, seat).await;
            // Where all came out alike nothing was left to chance.
            if drawn[0] != drawn[1] || drawn[0] != came {
                open += 1;
                as_it_came += u32::from(drawn[0] == came);
                as_each_other += u32::from(drawn[0] == drawn[1]);
            }
        }
        println!(
            "{game}: of {open} draws {as_it_came} as it came, {as_each_other} as in another fork"
        );
        let difference = f64::from(as_it_came.abs_diff(as_each_other));
        // Five standard deviations, and what a single draw can do to them.
        assert!(difference <= 5.0 * f64::from(as_it_came + as_each_other).sqrt() + 3.0);
        assert!(as_it_came < open, "{game}");
    }
}

/// Two worlds that a seat of this table cannot tell apart, and that differ.
async fn twins(table: &Table, seat: usize) -> [Table; 2] {
    loop {
        let one = table.fork(table.token(Some(seat)), None).await.unwrap();
        let other = table.fork(table.token(Some(seat)), None).await.unwrap();
        let [truth, untruth] = [&one, &other].map(|twin| twin.state(Some(&twin.host)));
        if truth.await.unwrap().state != untruth.await.unwrap().state {
            return [one, other];
        }
        one.delete().await;
        other.delete().await;
    }
}

/// How long it takes to look at a sandbox as this seat, to be refused there, and to draw another sandbox from it.
async fn times(twin: &Table, seat: usize) -> [Duration; 3] {
    let (look, _) = timed(twin.observe(Some(seat), View::Full)).await;
    let answer = Answer::ActionId(u32::MAX);
    let (refusal, refused) = timed(twin.submit(seat, 1, answer)).await;
    refused.expect_err("there is no such action");
    let (fork, sandbox) = timed(twin.fork(twin.token(Some(seat)), None)).await;
    sandbox.unwrap().delete().await;
    [look, refusal, fork]
}

/// I4: how long a call for a sandbox takes, or a call for one in it, is a matter of what its seat sees.
#[tokio::test]
async fn i4_no_time_tells_which_of_two_worlds_it_is() {
    let server = Server::start(&["--io-threads", "1"]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    for game in ["citadels", "council_of_shadows", "shadow_hunters"] {
        let what = format!("{game}: twin sandboxes");
        tells_nothing(&what, 0.05, async || {
            let mut compared = [Compared::default(); 3];
            // Over some places: that one of two sandboxes lies better in memory says nothing about what is hidden.
            for _ in 0..10 {
                let table = Table::start(&client, of(game)).await;
                let plies = dice.below(12);
                table.play_plies(&mut dice, plies).await;
                let twins = twins(&table, 0).await;
                let mut took = [[const { Vec::new() }; 3], [const { Vec::new() }; 3]];
                for round in 0..sized(60, 500) {
                    // In either order, so that both meet the same noise.
                    for world in [round % 2, 1 - round % 2] {
                        let times = times(&twins[world], 0).await;
                        took[world]
                            .iter_mut()
                            .zip(times)
                            .for_each(|(took, time)| took.push(time));
                    }
                }
                let [these, others] = took;
                let calls = these.iter().zip(others);
                for (compared, (these, others)) in compared.iter_mut().zip(calls) {
                    compared.add(these, others);
                }
                table.delete().await;
            }
            let found = compared.map(Compared::chance_of_longer);
            println!("{game}: looks, refusals, forks: AUC {found:.3?}");
            furthest_from_chance(found)
        })
        .await;
    }
}

/// A catalog that has one more game has one more to be forked here.
#[tokio::test]
async fn every_game_is_forked_here() {
    let server = Server::start(&[]);
    let listed = server
        .catalog()
        .await
        .list_games(ListGamesRequest::default())
        .await;
    let games = listed.unwrap().into_inner().games;
    assert!(games.iter().map(|game| game.game.as_str()).eq(GAMES));
}
