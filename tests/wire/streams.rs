//! Streams: resumed without gap or repeat, shared by many, never slowed down by one; and answers on them.

use bytes::Bytes;
use prost::Message as _;
use tavola::pb::{
    santorini::v1 as game,
    v1::{
        ErrorReason, PlayAnswer, PlayOpen, SessionStatus, Update, View, WatchSessionRequest,
        WatchSessionResponse, play_answer, play_request, play_submit,
    },
};

use crate::common::{
    Dice, PATIENCE, Player, Server, Table, asked_seat, eventually, long_game, long_table, raw::Raw,
    refused, santorini, update_of,
};

const VIEWERS: [Option<usize>; 3] = [None, Some(0), Some(1)];
const VIEWS: [View; 2] = [View::Full, View::Lean];

fn versions(updates: &[Bytes]) -> Vec<u64> {
    updates
        .iter()
        .map(|update| update_of(update).version)
        .collect()
}

// === resuming

#[tokio::test]
async fn a_stream_is_resumed_at_every_version_without_gap_or_repeat() {
    let server = Server::start(&["--watcher-lag-max", "4096", "--write-stall-s", "600"]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let mut table = Table::create(&client, santorini()).await;
    // Seats can't be watched before somebody has taken them.
    let mut streams = Vec::new();
    for view in VIEWS {
        streams.push((None, view, table.watch(None, view).await));
    }
    for seat in [0, 1] {
        table.join().await;
        for view in VIEWS {
            streams.push((Some(seat), view, table.watch(Some(seat), view).await));
        }
    }
    let start = table.session().await.version;
    assert_eq!(start, 3);
    table.play_out(&mut dice).await;
    let last = table.session().await.version;

    for (viewer, view, mut stream) in streams {
        let whole = stream.rest_encoded().await;
        let first = versions(&whole)[0];
        assert_eq!(versions(&whole), (first..=last).collect::<Vec<_>>());
        let after = |version: u64| &whole[usize::try_from(version + 1 - first).unwrap()..];

        for from in 1..=last {
            let mut resumed = table.resume(viewer, view, from).await.unwrap();
            let told = resumed.rest_encoded().await;
            if from >= start {
                assert_eq!(told, after(from), "{viewer:?} {view:?} from {from}");
                continue;
            }
            // The game's beginning comes as a snapshot, and all of the game after it.
            let beginning = update_of(&told[0]);
            assert!(beginning.snapshot);
            assert_eq!(beginning.version, start);
            if first <= start {
                let at_the_time = update_of(&after(start - 1)[0]);
                assert_eq!(
                    beginning,
                    Update {
                        snapshot: true,
                        ..at_the_time
                    }
                );
            }
            assert_eq!(told[1..], *after(start), "{viewer:?} {view:?} from {from}");
        }
    }
}

#[tokio::test]
async fn a_stream_that_was_cut_in_mid_game_goes_on_where_it_was() {
    let server = Server::start(&[]);
    let table = Table::santorini(&server.sessions().await).await;
    let mut dice = Dice::new();
    let viewer = VIEWERS[dice.below(3)];
    let view = VIEWS[dice.below(2)];
    let mut whole = table.watch(viewer, view).await;
    let mut pieces = vec![whole.next_encoded().await.unwrap().unwrap()];
    let mut stream = table.watch(viewer, view).await;
    stream.next().await;
    while table.session().await.outcome.is_none() {
        for _ in 0..dice.below(4) {
            if table.play_ply(&mut dice).await.is_some() {
                pieces.push(stream.next_encoded().await.unwrap().unwrap());
            }
        }
        // The stream is cut, some plies are missed, and another connection goes on from there.
        drop(stream);
        let missed = dice.below(4);
        table.play_plies(&mut dice, missed).await;
        let elsewhere = Table {
            client: server.sessions().await,
            ..table.clone()
        };
        let from = versions(&pieces).pop().unwrap();
        stream = elsewhere.resume(viewer, view, from).await.unwrap();
        for _ in from..table.session().await.version {
            pieces.push(stream.next_encoded().await.unwrap().unwrap());
        }
    }
    assert_eq!(stream.next_encoded().await.unwrap(), None);
    let mut uninterrupted = whole.rest_encoded().await;
    uninterrupted.insert(0, pieces[0].clone());
    assert_eq!(pieces, uninterrupted);
}

#[tokio::test]
async fn a_stream_is_resumed_in_the_lobby_without_repeat() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut table = Table::create(&client, santorini()).await;
    table.join().await;
    table.leave(0).await.unwrap();
    table.tokens.clear();
    table.join().await;
    let version = table.session().await.version;
    assert_eq!(version, 4);

    // What was missed of the lobby comes as one snapshot.
    for from in 1..version {
        let mut resumed = table.resume(None, View::Full, from).await.unwrap();
        let snapshot = resumed.next().await;
        assert_eq!((snapshot.version, snapshot.snapshot), (version, true));
        assert_eq!(snapshot.session, Some(table.session().await));
    }
    // Nothing was missed: the next update is the next version.
    let mut resumed = table.resume(None, View::Full, version).await.unwrap();
    let mut player = Player::open(
        &table,
        table.token(Some(0)),
        PlayOpen {
            from_version: Some(version),
            ..Default::default()
        },
    )
    .await
    .unwrap();
    table.join().await;
    for next in [resumed.next().await, player.update().await] {
        assert_eq!(
            (next.version, next.snapshot),
            (version + 1, false),
            "{next:?}"
        );
        assert_eq!(next.status(), SessionStatus::Running);
    }
}

#[tokio::test]
async fn a_stream_that_has_heard_the_result_ends_at_once() {
    let server = Server::start(&[]);
    let table = Table::santorini(&server.sessions().await).await;
    table.play_out(&mut Dice::new()).await;
    let last = table.session().await.version;
    for viewer in VIEWERS {
        let mut resumed = table.resume(viewer, View::Full, last).await.unwrap();
        assert_eq!(resumed.next_encoded().await.unwrap(), None);
        // Without a version there is a snapshot with the result, and then the end.
        let mut anew = table.watch(viewer, View::Full).await;
        let snapshot = anew.next().await;
        assert_eq!((snapshot.version, snapshot.snapshot), (last, true));
        assert!(snapshot.outcome.is_some() && snapshot.session.is_some());
        assert_eq!(
            snapshot.observation,
            table.observe(viewer, View::Full).await.observation
        );
        assert!(snapshot.events.is_empty(), "it does not begin the game");
        assert_eq!(anew.next_encoded().await.unwrap(), None);
        let to_come = table.resume(viewer, View::Full, last + 1).await;
        let refusal = refused(to_come, ErrorReason::MalformedRequest);
        assert_eq!(refusal.violations[0].0, "from_version");
        assert!(
            refusal.violations[0].1.contains(&last.to_string()),
            "{refusal:?}"
        );
    }
}

#[tokio::test]
async fn a_play_stream_is_resumed_like_a_watching_one() {
    let server = Server::start(&[]);
    let table = Table::santorini(&server.sessions().await).await;
    let mut dice = Dice::new();
    table.play_plies(&mut dice, 20).await;
    let version = table.session().await.version;
    for (seat, from) in [(0, 1), (1, 3), (0, version - 5), (1, version)] {
        for view in VIEWS {
            let open = PlayOpen {
                from_version: Some(from),
                view: view.into(),
                ..Default::default()
            };
            let mut player = Player::open(&table, table.token(Some(seat)), open)
                .await
                .unwrap();
            let mut watching = table.resume(Some(seat), view, from).await.unwrap();
            for _ in from.max(2)..version {
                let watched = watching.next_encoded().await.unwrap().unwrap();
                let played = player.reply().await;
                assert_eq!((played.answer, played.update), (None, Some(watched)));
            }
        }
    }
}

// === many watchers

#[tokio::test]
async fn all_watchers_of_one_seat_are_told_the_same() {
    let server = Server::start(&[]);
    let table = Table::santorini(&server.sessions().await).await;
    let mut dice = Dice::new();
    for viewer in VIEWERS {
        let elsewhere = Table {
            client: server.sessions().await,
            ..table.clone()
        };
        let mut one = table.watch(viewer, View::Full).await;
        let mut other = elsewhere.watch(viewer, View::Full).await;
        for _ in 0..5 {
            assert_eq!(
                one.next_encoded().await.unwrap(),
                other.next_encoded().await.unwrap()
            );
            table.play_ply(&mut dice).await.unwrap();
        }
        // One that goes does not take the other along.
        drop(one);
        let version = table.session().await.version;
        while other.next().await.version < version {}
        table.play_ply(&mut dice).await.unwrap();
        assert_eq!(other.next().await.version, version + 1);
    }
}

#[tokio::test]
async fn the_host_watches_as_a_spectator_does() {
    let server = Server::start(&[]);
    let table = Table::santorini(&server.sessions().await).await;
    let mut dice = Dice::new();
    let mut anyone = table.watch(None, View::Full).await;
    let host = table.try_watch(Some(&table.host), View::Full, None).await;
    let mut host = host.unwrap();
    table.play_out(&mut dice).await;
    assert_eq!(host.rest_encoded().await, anyone.rest_encoded().await);
}

#[tokio::test]
async fn a_session_has_no_more_spectators_than_allowed_and_its_players_always_have_room() {
    let server = Server::start(&["--watchers-per-session-max", "2"]);
    let client = server.sessions().await;
    let table = Table::santorini(&client).await;
    let mut spectators = Vec::new();
    for view in [View::Full, View::Lean] {
        let mut spectator = table.watch(None, view).await;
        spectator.next().await;
        spectators.push(spectator);
    }
    let refusal = refused(
        table.try_watch(None, View::Full, None).await,
        ErrorReason::LimitReached,
    );
    assert_eq!(refusal.metadata["limit"], "watchers_per_session_max");
    assert_eq!(refusal.metadata["max"], "2");
    let other = Table::santorini(&client).await;
    other.watch(None, View::Full).await.next().await;

    // A seat has places of its own, so many and no more.
    let mut of_seat = Vec::new();
    for _ in 0..7 {
        let mut watching = table.watch(Some(0), View::Lean).await;
        watching.next().await;
        of_seat.push(watching);
    }
    let mut player = Player::at(&table, 0).await;
    player.update().await;
    let refusal = refused(
        table
            .try_watch(table.token(Some(0)), View::Full, None)
            .await,
        ErrorReason::LimitReached,
    );
    assert_eq!(refusal.metadata["limit"], "watchers_per_seat_max");
    table.watch(Some(1), View::Lean).await.next().await;

    // Each that goes makes room for one of its kind.
    drop(spectators.pop());
    drop(player);
    let (mut spectator, mut player) = eventually("room for one of each", || async {
        let spectator = table.try_watch(None, View::Full, None).await.ok()?;
        let token = table.token(Some(0));
        let player = Player::open(&table, token, PlayOpen::default())
            .await
            .ok()?;
        Some((spectator, player))
    })
    .await;
    spectator.next().await;
    player.update().await;
    refused(
        table.try_watch(None, View::Full, None).await,
        ErrorReason::LimitReached,
    );
}

// === slow watchers

#[tokio::test]
async fn a_watcher_that_does_not_read_slows_nobody_and_gets_a_snapshot() {
    let server = Server::start(&["--watcher-lag-max", "4"]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let table = long_table(&client).await;
    let actions = long_game(&mut dice, 120);
    let (unseen, seen) = actions.split_at(actions.len() - 10);

    let mut raw = Raw::connect(server.address(), 0).await;
    let mut stuck = Vec::new();
    for (viewer, view) in [
        (None, View::Full),
        (Some(0), View::Full),
        (Some(1), View::Lean),
    ] {
        let request = WatchSessionRequest {
            session_id: table.id.clone(),
            from_version: None,
            view: view.into(),
        };
        let path = "/tavola.v1.SessionService/WatchSession";
        let (head, replies) = raw.call(path, table.token(viewer), &request).await;
        assert_eq!(head.status(), 200);
        stuck.push((viewer, view, replies));
    }
    let began = table.session().await.version;
    // One that reads sees everything, whatever the others do.
    let mut reader = table.watch(None, View::Full).await;
    reader.next().await;
    for action in unseen {
        table.play_action(*action).await;
        assert!(!reader.next().await.snapshot);
    }
    let now = table.session().await.version;
    assert_eq!(now, began + u64::try_from(unseen.len()).unwrap());

    raw.open_windows(1 << 20);
    let decode = |message: Bytes| {
        let response = WatchSessionResponse::decode(message).expect("it decodes");
        update_of(&response.update.expect("it has an update"))
    };
    for (viewer, view, replies) in &mut stuck {
        let first = decode(replies.next().await.unwrap());
        assert_eq!((first.version, first.snapshot), (began, true));
        let snapshot = decode(replies.next().await.unwrap());
        assert_eq!(
            (snapshot.version, snapshot.snapshot),
            (now, true),
            "{viewer:?}"
        );
        let shown = table.observe(*viewer, *view).await;
        assert_eq!(
            (
                &snapshot.observation,
                &snapshot.decision,
                &snapshot.legal_actions,
                &snapshot.legal_action_ids
            ),
            (
                &shown.observation,
                &shown.decision,
                &shown.legal_actions,
                &shown.legal_action_ids
            )
        );
        assert_eq!(snapshot.session, Some(table.session().await));
        assert!(snapshot.events.is_empty());
    }
    // From there on they follow.
    for action in seen {
        table.play_action(*action).await;
    }
    let last = table.session().await;
    assert!(last.outcome.is_some());
    for (_, _, mut replies) in stuck {
        let mut version = now;
        let mut outcome = None;
        while let Some(message) = replies.next().await {
            let update = decode(message);
            assert!(
                update.version > version,
                "{version}, then {}",
                update.version
            );
            assert!(update.snapshot || update.version == version + 1);
            version = update.version;
            outcome = update.outcome;
        }
        assert_eq!((version, outcome), (last.version, last.outcome.clone()));
        assert_eq!(replies.trailers().await["grpc-status"], "0");
    }
}

#[tokio::test]
async fn a_watcher_that_fell_behind_is_told_the_result() {
    let server = Server::start(&["--watcher-lag-max", "1"]);
    let table = Table::santorini(&server.sessions().await).await;
    let mut raw = Raw::connect(server.address(), 0).await;
    let request = WatchSessionRequest {
        session_id: table.id.clone(),
        ..Default::default()
    };
    let path = "/tavola.v1.SessionService/WatchSession";
    let (_, mut replies) = raw.call(path, None, &request).await;
    table.play_out(&mut Dice::new()).await;
    raw.open_windows(1 << 20);
    let mut last = None;
    while let Some(message) = replies.next().await {
        let response = WatchSessionResponse::decode(message).unwrap();
        last = response.update.as_ref().map(update_of);
    }
    let last = last.expect("there is a last update");
    let session = table.session().await;
    assert_eq!(
        (last.version, last.outcome),
        (session.version, session.outcome.clone())
    );
    assert_eq!(last.session, Some(session));
    assert_eq!(replies.trailers().await["grpc-status"], "0");
}

#[tokio::test]
async fn many_watchers_that_do_not_read_cost_the_players_nothing() {
    let server = Server::start(&["--watchers-per-session-max", "300"]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let table = long_table(&client).await;
    let actions = long_game(&mut dice, 100);
    let mut connections = Vec::new();
    for _ in 0..4 {
        let mut raw = Raw::connect(server.address(), 0).await;
        let mut streams = Vec::new();
        for _ in 0..50 {
            let request = WatchSessionRequest {
                session_id: table.id.clone(),
                view: View::Full.into(),
                ..Default::default()
            };
            let path = "/tavola.v1.SessionService/WatchSession";
            streams.push(raw.call(path, None, &request).await);
        }
        connections.push((raw, streams));
    }
    let began = tokio::time::Instant::now();
    for action in &actions {
        table.play_action(*action).await;
    }
    let took = began.elapsed();
    println!(
        "{} plies with 200 watchers that do not read: {took:?}",
        actions.len()
    );
    assert!(took < PATIENCE);
    assert!(table.session().await.outcome.is_some());
}

// === answers on a stream

#[tokio::test]
async fn every_submission_gets_one_answer_in_order_and_a_refusal_ends_nothing() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let table = Table::santorini(&client).await;
    let mut player = Player::at(&table, 0).await;
    let mut now = player.update().await;
    while let Some(seat) = asked_seat(now.decision.as_ref()) {
        let decision = now.decision.as_ref().unwrap().decision_id;
        if seat != 0 {
            // Not our turn: an answer is refused, and the stream goes on.
            player.submit(decision, Some(play_submit::Answer::ActionId(0)));
            let reply = player.reply().await;
            assert_eq!(reply.update, None);
            assert_eq!(reason(reply.answer.as_ref()), Some(ErrorReason::NotToAct));
            table.play_ply(&mut dice).await;
            now = player.update().await;
            continue;
        }
        // Refused, accepted, repeated, too late, malformed: all sent at once.
        let chosen = dice.pick(&now.legal_actions).clone();
        let good = chosen.action_id.map(play_submit::Answer::ActionId);
        let meant = chosen.action.map(play_submit::Answer::Action);
        let illegal = (0..600)
            .find(|id| {
                now.legal_actions
                    .iter()
                    .all(|legal| legal.action_id != Some(*id))
            })
            .map(play_submit::Answer::ActionId);
        let sent = [
            (decision, illegal.clone(), Some(ErrorReason::ActionNotLegal)),
            (decision, None, Some(ErrorReason::MalformedRequest)),
            (0, good.clone(), Some(ErrorReason::MalformedRequest)),
            (
                decision + 1000,
                good.clone(),
                Some(ErrorReason::StaleDecision),
            ),
            (decision, good, None),
            (decision, illegal, Some(ErrorReason::StaleDecision)),
            (decision, meant, None),
        ];
        for (decision, answer, _) in sent.clone() {
            player.submit(decision, answer);
        }
        let mut next = None;
        for (at, (decision, _, expected)) in sent.into_iter().enumerate() {
            let reply = player.reply().await;
            let answer = reply.answer.as_ref().expect("nobody else does anything");
            assert_eq!(answer.decision_id, decision, "in order");
            assert_eq!(reason(reply.answer.as_ref()), expected, "submission {at}");
            if expected.is_none() {
                let accepted = play_answer::Result::AcceptedVersion(now.version + 1);
                assert_eq!(answer.result, Some(accepted));
            }
            let update = reply.update.as_ref().map(update_of);
            assert_eq!(
                update.is_some(),
                at == 4,
                "the update comes with the answer that made it"
            );
            next = next.or(update);
        }
        let next = next.unwrap();
        assert_eq!(next.version, now.version + 1);
        now = next;
    }
    assert!(now.outcome.is_some());
    assert_eq!(player.next().await.unwrap(), None);
}

fn reason(answer: Option<&PlayAnswer>) -> Option<ErrorReason> {
    match answer?.result.as_ref()? {
        play_answer::Result::AcceptedVersion(_) => None,
        play_answer::Result::Refused(refusal) => {
            assert!(!refusal.message.is_empty() && !refusal.message.ends_with('.'));
            Some(refusal.reason())
        }
    }
}

#[tokio::test]
async fn a_move_and_its_build_may_be_submitted_together() {
    let server = Server::start(&[]);
    let table = Table::santorini(&server.sessions().await).await;
    let mut dice = Dice::new();
    table.play_plies(&mut dice, 4).await;
    let mut player = Player::at(&table, 0).await;
    let now = player.update().await;
    let decision = now.decision.as_ref().unwrap().decision_id;
    let step = dice.pick(&now.legal_actions).clone();
    let Some(tavola::pb::v1::action::Game::Santorini(game::Action {
        kind: Some(game::action::Kind::Move(moved)),
    })) = step.action.clone().and_then(|action| action.game)
    else {
        panic!("after four placements somebody moves: {step:?}");
    };
    // Where the worker came from is free, and on the ground nothing but a block can be built.
    let Some(tavola::pb::v1::observation::Game::Santorini(seen)) =
        now.observation.and_then(|seen| seen.game)
    else {
        panic!("there is an observation");
    };
    let from = seen.workers[usize::try_from(moved.worker.unwrap()).unwrap()].space;
    let build = game::action::Kind::Build(game::Build {
        worker: moved.worker,
        space: from,
        piece: game::Piece::Block.into(),
    });
    let build = tavola::pb::v1::Action {
        game: Some(tavola::pb::v1::action::Game::Santorini(game::Action {
            kind: Some(build),
        })),
    };
    player.submit(decision, step.action_id.map(play_submit::Answer::ActionId));
    player.submit(decision + 1, Some(play_submit::Answer::Action(build)));
    for nth in [1, 2] {
        let reply = player.reply().await;
        let accepted = play_answer::Result::AcceptedVersion(now.version + nth);
        let answer = reply.answer.expect("both are answered for");
        assert_eq!(
            (answer.decision_id, answer.result),
            (decision + nth - 1, Some(accepted))
        );
        let update = update_of(&reply.update.expect("each made an update"));
        assert_eq!(update.version, now.version + nth);
    }
}

#[tokio::test]
async fn who_has_said_all_goes_on_listening() {
    let server = Server::start(&[]);
    let table = Table::santorini(&server.sessions().await).await;
    let mut dice = Dice::new();
    let mut player = Player::at(&table, 0).await;
    let first = player.update().await;
    player.say_no_more();
    table.play_out(&mut dice).await;
    let last = table.session().await.version;
    for version in first.version + 1..=last {
        assert_eq!(player.update().await.version, version);
    }
    assert_eq!(player.next().await.unwrap(), None);
}

#[tokio::test]
async fn a_request_that_is_no_submission_ends_the_stream_and_nothing_else() {
    let server = Server::start(&[]);
    let table = Table::santorini(&server.sessions().await).await;
    let open = play_request::Kind::Open(PlayOpen {
        session_id: table.id.clone(),
        ..Default::default()
    });
    for wrong in [None, Some(open)] {
        let mut player = Player::at(&table, 0).await;
        player.update().await;
        let before = table.session().await;
        player.send(wrong);
        let refusal = refused(player.next().await, ErrorReason::MalformedRequest);
        assert_eq!(refusal.violations[0].0, "submit");
        assert_eq!(table.session().await, before);
    }
}

/// F58: whoever comes a second time is served in full, and the first goes on being served.
#[tokio::test]
async fn one_seat_may_be_played_from_two_places() {
    let server = Server::start(&[]);
    let table = Table::santorini(&server.sessions().await).await;
    let mut one = Player::at(&table, 0).await;
    let elsewhere = Table {
        client: server.sessions().await,
        ..table.clone()
    };
    let mut other = Player::at(&elsewhere, 0).await;
    let now = one.update().await;
    assert_eq!(other.update().await, now);
    let decision = now.decision.unwrap().decision_id;
    one.submit(decision, Some(play_submit::Answer::ActionId(7)));
    let reply = one.reply().await;
    assert_eq!(reason(reply.answer.as_ref()), None);
    let told = other.reply().await;
    assert_eq!((told.answer, told.update), (None, reply.update));
    // Too late with another answer, and in time with the same one.
    other.submit(decision, Some(play_submit::Answer::ActionId(8)));
    let late = other.reply().await;
    assert_eq!(
        reason(late.answer.as_ref()),
        Some(ErrorReason::StaleDecision)
    );
    other.submit(decision, Some(play_submit::Answer::ActionId(7)));
    assert_eq!(other.reply().await.answer, reply.answer);
}
