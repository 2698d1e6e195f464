//! From opening a session to forgetting it: seats, bots, options, seeds, lists, limits.

use std::{
    collections::{BTreeSet, HashSet},
    time::{Duration, SystemTime},
};

use tavola::pb::{
    santorini::v1 as game,
    v1::{
        AddBotRequest, CreateSessionRequest, DeleteSessionRequest, ErrorReason, GetGameRequest,
        GetReplayRequest, GetServerInfoRequest, GetSessionRequest, JoinSessionRequest,
        ListGamesRequest, ListSessionsRequest, Options, Range, Seat, SeatHolder, Session,
        SessionStatus, View, options, submit_action_request::Answer,
    },
};
use tonic::Status;

use crate::common::{
    Dice, Server, Sessions, Table, eventually, refused, santorini, soon, update_of, with_token,
};

/// A request with these options of Santorini.
fn with_options(options: game::Options) -> CreateSessionRequest {
    CreateSessionRequest {
        options: Some(Options {
            game: Some(options::Game::Santorini(options)),
        }),
        ..santorini()
    }
}

fn santorini_options(session: &Session) -> game::Options {
    match session.options.clone().and_then(|options| options.game) {
        Some(options::Game::Santorini(options)) => options,
        _ => panic!("a session says its options: {session:?}"),
    }
}

fn seat(number: u32, holder: SeatHolder, bot: &str) -> Seat {
    Seat {
        seat: Some(number),
        holder: holder.into(),
        bot: bot.to_owned(),
        resigned: false,
        out_of_time: false,
    }
}

async fn join(table: &Table, seat: Option<u32>) -> Result<(u32, String, Session), Status> {
    let request = JoinSessionRequest {
        session_id: table.id.clone(),
        seat,
        ..Default::default()
    };
    let joined = table
        .client
        .clone()
        .join_session(request)
        .await?
        .into_inner();
    Ok((
        joined.seat.expect("a seat was taken"),
        joined.seat_token,
        joined.session.unwrap(),
    ))
}

async fn add_bot(table: &Table, bot: &str, seat: Option<u32>) -> Result<(u32, Session), Status> {
    let request = AddBotRequest {
        session_id: table.id.clone(),
        bot: bot.to_owned(),
        seat,
        ..Default::default()
    };
    let mut client = table.client.clone();
    let added = client
        .add_bot(with_token(Some(&table.host), request))
        .await?
        .into_inner();
    Ok((
        added.seat.expect("a seat was given"),
        added.session.unwrap(),
    ))
}

async fn delete(table: &Table, token: Option<&str>) -> Result<(), Status> {
    let request = DeleteSessionRequest {
        session_id: table.id.clone(),
    };
    table
        .client
        .clone()
        .delete_session(with_token(token, request))
        .await
        .map(|_| ())
}

async fn get(table: &Table) -> Result<Session, Status> {
    let request = GetSessionRequest {
        session_id: table.id.clone(),
    };
    table
        .client
        .clone()
        .get_session(request)
        .await
        .map(|reply| reply.into_inner().session.unwrap())
}

// === seats

#[tokio::test]
async fn a_session_starts_when_its_seats_are_taken() {
    let server = Server::start(&[]);
    let mut client = server.sessions().await;
    let before = SystemTime::now();
    let created = client
        .create_session(santorini())
        .await
        .unwrap()
        .into_inner();
    let opened = created.session.expect("the session as it was opened");
    assert_eq!(opened.session_id, created.session_id);
    assert!(
        (1..=64).contains(&created.session_id.len()),
        "{:?}",
        created.session_id
    );
    assert_eq!(opened.game, "santorini");
    assert_eq!(opened.status(), SessionStatus::Waiting);
    assert_eq!(opened.version, 1);
    assert_eq!(
        opened.seats,
        [seat(0, SeatHolder::Open, ""), seat(1, SeatHolder::Open, "")]
    );
    assert!(!opened.seed_given);
    assert_eq!(opened.rules_version, 2);
    assert_eq!(
        (opened.end_time, opened.outcome.as_ref()),
        (None, None),
        "{opened:?}"
    );
    let create_time = SystemTime::try_from(opened.create_time.unwrap()).unwrap();
    assert!(before <= create_time && create_time <= SystemTime::now());

    let mut table = Table {
        client,
        id: created.session_id,
        host: created.host_token,
        join_token: None,
        tokens: Vec::new(),
    };
    assert_eq!(table.session().await, opened);

    let (number, token, joined) = join(&table, None).await.unwrap();
    assert_eq!((number, joined.version), (0, 2));
    assert_eq!(joined.status(), SessionStatus::Waiting);
    assert_eq!(
        joined.seats,
        [
            seat(0, SeatHolder::Player, ""),
            seat(1, SeatHolder::Open, "")
        ]
    );
    assert_eq!(table.session().await, joined);
    table.tokens.push(token);
    let waiting = table.observe(Some(0), View::Full).await;
    assert_eq!(waiting.observation, None);
    assert_eq!(waiting.decision, None);
    assert_eq!(
        (waiting.status(), waiting.version, waiting.seat),
        (SessionStatus::Waiting, 2, Some(0))
    );

    let (number, token, started) = join(&table, None).await.unwrap();
    assert_eq!((number, started.version), (1, 3));
    assert_eq!(started.status(), SessionStatus::Running);
    assert_ne!(token, table.tokens[0]);
    table.tokens.push(token);
    assert_eq!(table.session().await, started);
    let first = table.observe(None, View::Full).await;
    assert_eq!(first.decision.unwrap().decision_id, 1);
    assert_eq!((first.version, first.seat), (3, None));
}

#[tokio::test]
async fn a_player_or_a_bot_gets_the_seat_that_was_asked_for() {
    let server = Server::start(&[]);
    let client = server.sessions().await;

    let table = Table::create(&client, santorini()).await;
    let (number, _, session) = join(&table, Some(1)).await.unwrap();
    assert_eq!(number, 1);
    assert_eq!(
        session.seats,
        [
            seat(0, SeatHolder::Open, ""),
            seat(1, SeatHolder::Player, "")
        ]
    );
    let taken = refused(join(&table, Some(1)).await, ErrorReason::SeatTaken);
    assert_eq!(taken.metadata["seat"], "1");
    refused(
        add_bot(&table, "random", Some(1)).await,
        ErrorReason::SeatTaken,
    );
    let (number, session) = add_bot(&table, "random", None).await.unwrap();
    assert_eq!(number, 0);
    assert_eq!(
        session.seats,
        [
            seat(0, SeatHolder::Bot, "random"),
            seat(1, SeatHolder::Player, "")
        ]
    );
    assert_eq!(session.status(), SessionStatus::Running);

    for full in [None, Some(0), Some(1)] {
        refused(join(&table, full).await, ErrorReason::SessionFull);
        refused(
            add_bot(&table, "greedy", full).await,
            ErrorReason::SessionFull,
        );
    }

    let table = Table::create(&client, santorini()).await;
    let (number, session) = add_bot(&table, "greedy", Some(1)).await.unwrap();
    assert_eq!((number, session.version), (1, 2));
    assert_eq!(
        session.seats,
        [
            seat(0, SeatHolder::Open, ""),
            seat(1, SeatHolder::Bot, "greedy")
        ]
    );
}

#[tokio::test]
async fn of_many_who_rush_for_two_seats_two_get_one() {
    let server = Server::start(&[]);
    for _ in 0..10 {
        let table = Table::create(&server.sessions().await, santorini()).await;
        let mut rush = tokio::task::JoinSet::new();
        for asked in 0..50 {
            let table = Table {
                client: if asked % 10 == 0 {
                    server.sessions().await
                } else {
                    table.client.clone()
                },
                ..table.clone()
            };
            let wish = [None, Some(0), Some(1)][asked % 3];
            rush.spawn(async move { join(&table, wish).await });
        }
        let mut seats = Vec::new();
        while let Some(joined) = rush.join_next().await {
            match joined.unwrap() {
                Ok((seat, token, _)) => seats.push((seat, token)),
                Err(status) => {
                    let reason = crate::common::refusal(&status).reason;
                    assert!(
                        matches!(reason, ErrorReason::SeatTaken | ErrorReason::SessionFull),
                        "{status:?}"
                    );
                }
            }
        }
        seats.sort();
        assert_eq!(
            seats.iter().map(|(seat, _)| *seat).collect::<Vec<_>>(),
            [0, 1]
        );
        for (seat, token) in &seats {
            let seen = table.try_observe(Some(token), View::Lean).await.unwrap();
            assert_eq!(
                seen.seat,
                Some(*seat),
                "each token is that of the seat it came with"
            );
        }
        assert_eq!(
            table.session().await.version,
            3,
            "nobody was counted who got no seat"
        );
    }
}

// === leaving

#[tokio::test]
async fn leaving_before_the_start_opens_the_seat_and_voids_its_token() {
    let server = Server::start(&[]);
    let mut table = Table::create(&server.sessions().await, santorini()).await;
    table.join().await;
    let mut watching = table.watch(Some(0), View::Full).await;
    assert_eq!(watching.next().await.version, 2);

    let left = table.leave(0).await.unwrap();
    assert_eq!((left.version, left.status()), (3, SessionStatus::Waiting));
    assert_eq!(
        left.seats,
        [seat(0, SeatHolder::Open, ""), seat(1, SeatHolder::Open, "")]
    );
    assert_eq!(table.session().await, left);

    let old = table.tokens[0].clone();
    refused(
        table.try_observe(Some(&old), View::Full).await,
        ErrorReason::TokenRequired,
    );
    refused(table.leave(0).await, ErrorReason::TokenRequired);
    assert_eq!(table.session().await, left, "leaving again changes nothing");

    // Who has left hears no more of what the seat may know.
    let mut after = 0;
    let end = loop {
        match watching.next_encoded().await {
            Ok(Some(update)) => {
                after += 1;
                assert!(after <= 1, "{:?}", update_of(&update));
            }
            Ok(None) => panic!("the stream of a void token does not end well"),
            Err(status) => break status,
        }
    };
    refused::<()>(Err(end), ErrorReason::TokenRequired);

    let (number, token, session) = join(&table, None).await.unwrap();
    assert_eq!((number, session.version), (0, 4));
    assert_ne!(token, old);
    refused(
        table.try_observe(Some(&old), View::Full).await,
        ErrorReason::TokenRequired,
    );
}

#[tokio::test]
async fn leaving_a_started_game_loses_it() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    for (leaver, plies) in [(0, 0), (1, 0), (0, 5), (1, 6)] {
        let table = Table::santorini(&client).await;
        table.play_plies(&mut dice, plies).await;
        let before = table.session().await;
        let winner = 1 - leaver;

        let left = table.leave(leaver).await.unwrap();
        assert_eq!(left.status(), SessionStatus::Finished);
        assert_eq!(left.version, before.version + 1, "a resignation is a ply");
        let outcome = left.outcome.clone().expect("the game is over");
        assert_eq!(outcome.winners, [u32::try_from(winner).unwrap()]);
        assert_eq!(outcome.returns, if winner == 0 { [1, -1] } else { [-1, 1] });
        for at in [0, 1] {
            assert_eq!(left.seats[at].resigned, at == leaver);
            assert_eq!(left.seats[at].holder(), SeatHolder::Player);
        }
        let end_time = SystemTime::try_from(left.end_time.unwrap()).unwrap();
        let create_time = SystemTime::try_from(left.create_time.unwrap()).unwrap();
        assert!(create_time <= end_time && end_time <= SystemTime::now());
        assert_eq!(table.session().await, left);

        assert_eq!(
            table.leave(leaver).await.unwrap(),
            left,
            "leaving again changes nothing"
        );
        refused(table.leave(winner).await, ErrorReason::GameOver);
        assert_eq!(table.session().await, left);

        let seen = table.observe(Some(leaver), View::Full).await;
        assert_eq!(
            (seen.outcome, seen.decision, seen.seat),
            (Some(outcome), None, Some(u32::try_from(leaver).unwrap()))
        );
        // Not an answer that it can have given to its first decision: that would get its first reply.
        let answer = table.submit(leaver, 1, Answer::ActionId(599)).await;
        assert!(answer.is_err());
    }
}

// === the end of a session

#[tokio::test]
async fn a_deleted_session_is_gone_for_everybody() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let waiting = Table::create(&client, santorini()).await;
    let running = Table::santorini(&client).await;
    running.play_plies(&mut dice, 7).await;
    let finished = Table::santorini(&client).await;
    finished.play_out(&mut dice).await;
    for table in [waiting, running, finished] {
        let over = table.session().await.status() == SessionStatus::Finished;
        let mut watching = table.watch(None, View::Full).await;
        watching.next().await;

        refused(delete(&table, None).await, ErrorReason::TokenRequired);
        assert_eq!(
            table.session().await.session_id,
            table.id,
            "nobody but the host deletes it"
        );
        delete(&table, Some(&table.host)).await.unwrap();

        let end = watching.end().await;
        if over {
            assert!(end.is_none(), "it had been told the result: {end:?}");
        } else {
            refused::<()>(
                Err(end.expect("the game had no result")),
                ErrorReason::SessionNotFound,
            );
        }
        refused(get(&table).await, ErrorReason::SessionNotFound);
        refused(
            delete(&table, Some(&table.host)).await,
            ErrorReason::SessionNotFound,
        );
        refused(
            table.try_observe(None, View::Full).await,
            ErrorReason::SessionNotFound,
        );
        let listed = client
            .clone()
            .list_sessions(ListSessionsRequest::default())
            .await
            .unwrap()
            .into_inner();
        assert!(
            listed
                .sessions
                .iter()
                .all(|session| session.session_id != table.id)
        );
    }
}

#[tokio::test]
async fn there_are_no_more_sessions_than_allowed() {
    let server = Server::start(&["--sessions-max", "2"]);
    let client = server.sessions().await;
    let first = Table::create(&client, santorini()).await;
    let _second = Table::create(&client, santorini()).await;
    let refusal = refused(
        client.clone().create_session(santorini()).await,
        ErrorReason::LimitReached,
    );
    assert_eq!(refusal.metadata["limit"], "sessions_max");
    assert_eq!(refusal.metadata["max"], "2");
    delete(&first, Some(&first.host)).await.unwrap();
    let third = Table::create(&client, santorini()).await;
    assert_eq!(third.session().await.version, 1);
}

#[tokio::test]
async fn sessions_that_are_left_alone_are_forgotten_and_watched_ones_are_not() {
    let server = Server::start(&["--session-idle-s", "4", "--session-retain-s", "4"]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let idle = Table::santorini(&client).await;
    let finished = Table::santorini(&client).await;
    finished.play_out(&mut dice).await;
    let watched = Table::santorini(&client).await;
    let mut watching = watched.watch(None, View::Lean).await;
    let version = watching.next().await.version;
    let just_left = Table::santorini(&client).await;
    let mut leaving = just_left.watch(None, View::Lean).await;
    leaving.next().await;
    let all = async || {
        // A list is no visit.
        let request = ListSessionsRequest::default();
        let reply = client.clone().list_sessions(request).await.unwrap();
        let sessions = reply.into_inner().sessions.into_iter();
        sessions
            .map(|session| session.session_id)
            .collect::<Vec<_>>()
    };

    // Time that passes is what this is about: more than a session may be idle, and less than until the next look.
    tokio::time::sleep(Duration::from_secs(7)).await;
    assert_eq!(all().await.len(), 4);
    drop(leaving);
    eventually("forgetting", async || {
        (!all().await.contains(&idle.id)).then_some(())
    })
    .await;
    assert_eq!(
        all().await,
        [just_left.id, watched.id.clone()],
        "one is watched, the other was until a moment ago"
    );
    for table in [idle, finished] {
        refused(get(&table).await, ErrorReason::SessionNotFound);
        refused(table.leave(0).await, ErrorReason::SessionNotFound);
    }
    watched.play_ply(&mut dice).await.unwrap();
    assert_eq!(watching.next().await.version, version + 1);
}

// === lists

#[tokio::test]
async fn a_list_is_filtered_and_comes_in_pages_newest_first() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let mut made = Vec::new();
    for number in 0..9 {
        let table = match number % 3 {
            0 => Table::create(&client, santorini()).await,
            _ => Table::santorini(&client).await,
        };
        if number % 3 == 2 {
            table.play_out(&mut dice).await;
        }
        made.push(table.session().await);
    }
    made.reverse();

    let list = async |request: ListSessionsRequest| {
        let reply = client
            .clone()
            .list_sessions(request)
            .await
            .unwrap()
            .into_inner();
        (reply.sessions, reply.next_page_token)
    };
    let pages = async |request: ListSessionsRequest| {
        let (mut all, mut sizes, mut page_token) = (Vec::new(), Vec::new(), String::new());
        loop {
            let (sessions, next) = list(ListSessionsRequest {
                page_token,
                ..request.clone()
            })
            .await;
            sizes.push(sessions.len());
            all.extend(sessions);
            if next.is_empty() {
                return (all, sizes);
            }
            page_token = next;
        }
    };

    assert_eq!(
        list(ListSessionsRequest::default()).await,
        (made.clone(), String::new())
    );
    for page_size in [1, 2, 4, 9, 100] {
        let (all, sizes) = pages(ListSessionsRequest {
            page_size: Some(page_size),
            ..Default::default()
        })
        .await;
        assert_eq!(all, made, "pages of {page_size}");
        let most = usize::try_from(page_size).unwrap();
        assert!(sizes.iter().all(|size| *size <= most), "{sizes:?}");
    }
    for status in [
        SessionStatus::Waiting,
        SessionStatus::Running,
        SessionStatus::Finished,
    ] {
        let expected: Vec<_> = made
            .iter()
            .filter(|session| session.status() == status)
            .cloned()
            .collect();
        assert_eq!(expected.len(), 3);
        for (page_size, game) in [(None, ""), (Some(2), ""), (Some(1), "santorini")] {
            let request = ListSessionsRequest {
                page_size,
                game: game.to_owned(),
                status: status.into(),
                ..Default::default()
            };
            assert_eq!(pages(request).await.0, expected, "{status:?}");
        }
    }
    let of_another_game = ListSessionsRequest {
        game: "chess".to_owned(),
        ..Default::default()
    };
    assert_eq!(list(of_another_game).await, (Vec::new(), String::new()));

    // What is opened meanwhile is newer than any next page.
    let request = ListSessionsRequest {
        page_size: Some(5),
        ..Default::default()
    };
    let (first, page_token) = list(request.clone()).await;
    Table::create(&client, santorini()).await;
    let (second, _) = list(ListSessionsRequest {
        page_token,
        ..request
    })
    .await;
    assert_eq!([first, second].concat(), made);
}

#[tokio::test]
async fn a_page_of_sessions_has_twenty_unless_asked_otherwise() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    for _ in 0..101 {
        Table::create(&client, santorini()).await;
    }
    let sizes = [
        (None, 20),
        (Some(0), 20),
        (Some(1), 1),
        (Some(100), 100),
        (Some(u32::MAX), 100),
    ];
    for (page_size, length) in sizes {
        let request = ListSessionsRequest {
            page_size,
            ..Default::default()
        };
        let reply = client
            .clone()
            .list_sessions(request)
            .await
            .unwrap()
            .into_inner();
        assert_eq!(reply.sessions.len(), length);
        assert_ne!(reply.next_page_token, "");
    }
}

// === options

#[tokio::test]
async fn the_options_of_another_game_are_refused() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let options = Options {
        game: Some(options::Game::ShadowHunters(Default::default())),
    };
    let request = CreateSessionRequest {
        options: Some(options),
        ..santorini()
    };
    let refusal = refused(
        client.clone().create_session(request).await,
        ErrorReason::OptionsNotLegal,
    );
    assert_eq!(refusal.violations[0].0, "options");
}

#[tokio::test]
async fn options_are_taken_and_defaults_filled_in() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let defaults = game::Options {
        god_mode: game::GodMode::Draft.into(),
        start_player: None,
        piece_supply: game::PieceSupply::Limited.into(),
        max_turns: Some(500),
        fixed_gods: Vec::new(),
        god_pool: game::GodPool::All.into(),
        custom_pool: Vec::new(),
        challenger: None,
        chaos_swap: game::ChaosSwap::EachDome.into(),
        limus_text: game::LimusText::Seed.into(),
        bia_placement: game::BiaPlacement::Free.into(),
        bia_start: game::BiaStart::PlacementOnly.into(),
        banned_pairs: game::BannedPairs::Official.into(),
        max_moves_per_turn: Some(64),
    };
    let empty = CreateSessionRequest {
        options: Some(Options { game: None }),
        ..santorini()
    };
    for (request, expected) in [
        (
            CreateSessionRequest {
                options: None,
                ..santorini()
            },
            defaults.clone(),
        ),
        (empty, defaults.clone()),
        (with_options(game::Options::default()), defaults.clone()),
        (
            with_options(game::Options {
                god_mode: game::GodMode::None.into(),
                start_player: Some(0),
                ..Default::default()
            }),
            game::Options {
                god_mode: game::GodMode::None.into(),
                start_player: Some(0),
                ..defaults.clone()
            },
        ),
        (
            with_options(game::Options {
                god_mode: game::GodMode::None.into(),
                start_player: Some(1),
                max_turns: Some(1),
                ..Default::default()
            }),
            game::Options {
                god_mode: game::GodMode::None.into(),
                start_player: Some(1),
                max_turns: Some(1),
                ..defaults.clone()
            },
        ),
        (
            with_options(game::Options {
                god_mode: game::GodMode::None.into(),
                piece_supply: game::PieceSupply::Unlimited.into(),
                max_turns: Some(1000),
                start_player: None,
                ..Default::default()
            }),
            game::Options {
                god_mode: game::GodMode::None.into(),
                piece_supply: game::PieceSupply::Unlimited.into(),
                max_turns: Some(1000),
                ..defaults.clone()
            },
        ),
    ] {
        let table = Table::start(&client, request).await;
        assert_eq!(santorini_options(&table.session().await), expected);
        let Some(tavola::pb::v1::observation::Game::Santorini(seen)) = table
            .observe(None, View::Full)
            .await
            .observation
            .and_then(|seen| seen.game)
        else {
            panic!("the game is on");
        };
        if let Some(start_player) = expected.start_player {
            assert_eq!(seen.start_player, Some(start_player));
            assert_eq!(seen.turn_seat, Some(start_player));
        }
        let limited = expected.piece_supply() == game::PieceSupply::Limited;
        let full_box = game::Supply {
            level1_blocks: 22,
            level2_blocks: 18,
            level3_blocks: 14,
            domes: 18,
        };
        assert_eq!(seen.supply, limited.then_some(full_box));
    }
}

#[tokio::test]
async fn a_game_is_drawn_when_its_turns_are_used_up() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let request = with_options(game::Options {
        god_mode: game::GodMode::None.into(),
        max_turns: Some(1),
        ..Default::default()
    });
    let table = Table::start(&client, request).await;
    let mut watching = table.watch(None, View::Full).await;
    // Four workers, a move, a build.
    for ply in 1..=6 {
        let reply = table.play_ply(&mut dice).await.unwrap();
        assert_eq!(reply.outcome.is_some(), ply == 6);
    }
    let last = watching.rest().await.pop().unwrap();
    let outcome = last.outcome.expect("the last update carries the result");
    assert_eq!((outcome.winners, outcome.returns), (vec![], vec![0, 0]));
    let Some(tavola::pb::v1::event::Game::Santorini(event)) =
        last.events.last().and_then(|event| event.game.clone())
    else {
        panic!("the end is told: {:?}", last.events);
    };
    let drawn = game::GameDrawn {
        reason: game::DrawReason::MaxTurns.into(),
    };
    assert_eq!(event.kind, Some(game::event::Kind::GameDrawn(drawn)));
}

#[tokio::test]
async fn options_that_the_game_forbids_are_named_with_what_is_allowed() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let seats = |seats| CreateSessionRequest {
        seats: Some(seats),
        ..santorini()
    };
    let start_player = |seat| {
        with_options(game::Options {
            start_player: Some(seat),
            ..Default::default()
        })
    };
    let max_turns = |turns| {
        with_options(game::Options {
            max_turns: Some(turns),
            ..Default::default()
        })
    };
    let god_mode = |number| {
        with_options(game::Options {
            god_mode: number,
            ..Default::default()
        })
    };
    let piece_supply = |number| {
        with_options(game::Options {
            piece_supply: number,
            ..Default::default()
        })
    };
    let names_all = |numbers: &[u32], request: &dyn Fn(u32) -> CreateSessionRequest| {
        numbers
            .iter()
            .map(|number| request(*number))
            .collect::<Vec<_>>()
    };
    for (requests, field, allowed) in [
        (
            names_all(&[0, 1, 5, 255, 256, u32::MAX], &seats),
            "seats",
            vec!["2 to 4"],
        ),
        (
            names_all(&[2, 255, 256, u32::MAX], &start_player),
            "options.santorini.start_player",
            vec!["random", "0 to 1"],
        ),
        (
            names_all(&[0, 1001, 65_535, 65_536, u32::MAX], &max_turns),
            "options.santorini.max_turns",
            vec!["1 to 1000"],
        ),
        (
            vec![god_mode(9999), god_mode(-1), god_mode(5)],
            "options.santorini.god_mode",
            vec![
                "GOD_MODE_NONE",
                "GOD_MODE_DRAFT",
                "GOD_MODE_RANDOM",
                "GOD_MODE_FIXED",
            ],
        ),
        (
            vec![piece_supply(9999), piece_supply(-1), piece_supply(3)],
            "options.santorini.piece_supply",
            vec!["PIECE_SUPPLY_LIMITED", "PIECE_SUPPLY_UNLIMITED"],
        ),
    ] {
        for request in requests {
            let shown = format!("{request:?}");
            let refusal = refused(
                client.clone().create_session(request).await,
                ErrorReason::OptionsNotLegal,
            );
            let [(named, description)] = &refusal.violations[..] else {
                panic!("one field is at fault: {refusal:?}");
            };
            assert_eq!(named, field, "{shown}");
            for part in &allowed {
                assert!(description.contains(part), "{shown}: {description}");
            }
        }
    }
    let listed = client
        .clone()
        .list_sessions(ListSessionsRequest::default())
        .await
        .unwrap()
        .into_inner();
    assert_eq!(listed.sessions, [], "nothing was opened");
}

// === seeds

#[tokio::test]
async fn the_same_seed_and_actions_give_the_same_replay() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    for seed in [0, 1, u64::MAX] {
        let play_seed = dice.next();
        let mut replays = Vec::new();
        for _ in 0..2 {
            let request = CreateSessionRequest {
                seed: Some(seed),
                ..santorini()
            };
            let table = Table::start(&client, request).await;
            assert!(
                table.session().await.seed_given,
                "everybody is told, also of the seed 0"
            );
            table.play_out(&mut Dice::fixed(play_seed)).await;
            let mut replay = table.replay(GetReplayRequest::default()).await.unwrap();
            let mut bytes = [0; 32];
            bytes[..8].copy_from_slice(&seed.to_le_bytes());
            assert_eq!(replay.seed[..], bytes);
            assert!(replay.seed_given);
            // What binds a session to its dice is its own.
            (replay.seed_nonce, replay.seed_commitment) = Default::default();
            replays.push(replay);
        }
        assert_eq!(replays[0], replays[1], "seed {seed}");
    }
}

#[tokio::test]
async fn the_seed_decides_who_begins() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut beginners = BTreeSet::new();
    for seed in 0..16 {
        let request = CreateSessionRequest {
            seed: Some(seed),
            ..santorini()
        };
        let table = Table::start(&client, request).await;
        beginners.insert(
            table
                .observe(None, View::Lean)
                .await
                .decision
                .unwrap()
                .seats,
        );
    }
    assert_eq!(beginners, BTreeSet::from([vec![0], vec![1]]));
}

#[tokio::test]
async fn seeds_that_nobody_gave_are_all_different() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut seeds = HashSet::new();
    for _ in 0..100 {
        let table = Table::start(&client, santorini()).await;
        assert!(!table.session().await.seed_given);
        table.leave(0).await.unwrap();
        let replay = table.replay(GetReplayRequest::default()).await.unwrap();
        assert!(!replay.seed_given);
        assert_eq!(replay.seed.len(), 32);
        assert!(
            replay.seed[8..].iter().any(|byte| *byte != 0),
            "256 bits, not 64"
        );
        seeds.insert(replay.seed);
    }
    assert_eq!(seeds.len(), 100);
}

// === the catalog

#[tokio::test]
async fn the_catalog_says_what_can_be_played_here() {
    let server = Server::start(&[]);
    let mut catalog = server.catalog().await;
    let listed = catalog
        .list_games(ListGamesRequest::default())
        .await
        .unwrap()
        .into_inner();
    assert_eq!(listed.next_page_token, "");
    let ids: Vec<_> = listed.games.iter().map(|game| game.game.clone()).collect();
    let mut sorted = ids.clone();
    sorted.sort();
    assert_eq!(ids, sorted, "in the order of their ids");
    for game in &listed.games {
        let request = GetGameRequest {
            game: game.game.clone(),
        };
        let got = catalog.get_game(request).await.unwrap().into_inner().game;
        assert_eq!(got.as_ref(), Some(game));
    }

    let game = listed
        .games
        .iter()
        .find(|game| game.game == "santorini")
        .expect("it is played here");
    assert_eq!(game.title, "Santorini");
    assert_eq!((game.seats_min, game.seats_max), (2, 4));
    assert_eq!(game.rules_version, 2);
    assert_eq!(
        (game.action_space, game.legal_actions_max, game.plies_max),
        (1029, 33, 33_562)
    );
    assert!(game.hidden_information);
    assert_eq!(game.bots, ["random", "greedy"]);
    let defaults = game::Options {
        god_mode: game::GodMode::Draft.into(),
        start_player: None,
        piece_supply: game::PieceSupply::Limited.into(),
        max_turns: Some(500),
        fixed_gods: Vec::new(),
        god_pool: game::GodPool::All.into(),
        custom_pool: Vec::new(),
        challenger: None,
        chaos_swap: game::ChaosSwap::EachDome.into(),
        limus_text: game::LimusText::Seed.into(),
        bia_placement: game::BiaPlacement::Free.into(),
        bia_start: game::BiaStart::PlacementOnly.into(),
        banned_pairs: game::BannedPairs::Official.into(),
        max_moves_per_turn: Some(64),
    };
    assert_eq!(
        game.default_options
            .clone()
            .and_then(|options| options.game),
        Some(options::Game::Santorini(defaults))
    );
    let options: Vec<_> = game
        .options
        .iter()
        .map(|option| {
            assert!(!option.description.is_empty(), "{option:?}");
            let values: Vec<_> = option.values.iter().map(String::as_str).collect();
            (
                option.name.as_str(),
                option.default_value.as_str(),
                values,
                option.range,
            )
        })
        .collect();
    let gods: Vec<_> = (1..=31)
        .map(|number| game::God::try_from(number).unwrap().as_str_name())
        .collect();
    assert_eq!(
        options,
        [
            (
                "god_mode",
                "GOD_MODE_DRAFT",
                vec![
                    "GOD_MODE_NONE",
                    "GOD_MODE_DRAFT",
                    "GOD_MODE_RANDOM",
                    "GOD_MODE_FIXED"
                ],
                None
            ),
            ("fixed_gods", "none", gods.clone(), None),
            (
                "god_pool",
                "GOD_POOL_ALL",
                vec!["GOD_POOL_ALL", "GOD_POOL_SIMPLE", "GOD_POOL_CUSTOM"],
                None
            ),
            ("custom_pool", "none", gods, None),
            (
                "challenger",
                "random",
                vec![],
                Some(Range { min: 0, max: 3 })
            ),
            (
                "start_player",
                "random",
                vec![],
                Some(Range { min: 0, max: 3 })
            ),
            (
                "chaos_swap",
                "CHAOS_SWAP_EACH_DOME",
                vec!["CHAOS_SWAP_EACH_DOME", "CHAOS_SWAP_AFTER_TURN"],
                None
            ),
            (
                "limus_text",
                "LIMUS_TEXT_SEED",
                vec!["LIMUS_TEXT_SEED", "LIMUS_TEXT_REVISED"],
                None
            ),
            (
                "bia_placement",
                "BIA_PLACEMENT_FREE",
                vec!["BIA_PLACEMENT_FREE", "BIA_PLACEMENT_PERIMETER"],
                None
            ),
            (
                "bia_start",
                "BIA_START_PLACEMENT_ONLY",
                vec!["BIA_START_PLACEMENT_ONLY", "BIA_START_START_PLAYER"],
                None
            ),
            (
                "piece_supply",
                "PIECE_SUPPLY_LIMITED",
                vec!["PIECE_SUPPLY_LIMITED", "PIECE_SUPPLY_UNLIMITED"],
                None
            ),
            (
                "banned_pairs",
                "BANNED_PAIRS_OFFICIAL",
                vec![
                    "BANNED_PAIRS_OFFICIAL",
                    "BANNED_PAIRS_RECOMMENDED",
                    "BANNED_PAIRS_OFF"
                ],
                None
            ),
            (
                "max_moves_per_turn",
                "64",
                vec![],
                Some(Range { min: 64, max: 256 })
            ),
            (
                "max_turns",
                "500",
                vec![],
                Some(Range { min: 1, max: 1000 })
            ),
        ]
    );
}

#[tokio::test]
async fn the_list_of_games_comes_in_pages() {
    let server = Server::start(&[]);
    let mut catalog = server.catalog().await;
    let all = catalog
        .list_games(ListGamesRequest::default())
        .await
        .unwrap()
        .into_inner()
        .games;
    for page_size in [0, 100, u32::MAX] {
        let request = ListGamesRequest {
            page_size: Some(page_size),
            ..Default::default()
        };
        let page = catalog.list_games(request).await.unwrap().into_inner();
        assert_eq!(page.games, all, "brought into its range");
    }
    let (mut paged, mut page_token) = (Vec::new(), String::new());
    loop {
        let request = ListGamesRequest {
            page_size: Some(1),
            page_token,
        };
        let page = catalog.list_games(request).await.unwrap().into_inner();
        assert_eq!(page.games.len(), 1);
        paged.extend(page.games);
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    assert_eq!(paged, all);
}

#[tokio::test]
async fn the_server_says_what_it_is_and_what_it_allows() {
    let flags = [
        ("--request-bytes-max", "5000"),
        ("--response-bytes-max", "70000"),
        ("--streams-per-connection-max", "7"),
        ("--connections-per-peer-max", "8"),
        ("--sessions-max", "9"),
        ("--watchers-per-session-max", "10"),
        ("--session-idle-s", "11"),
        ("--session-retain-s", "12"),
        ("--call-timeout-ms", "1300"),
    ];
    let flags: Vec<_> = flags
        .iter()
        .flat_map(|(name, value)| [*name, *value])
        .collect();
    let server = Server::start(&flags);
    let info = server
        .catalog()
        .await
        .get_server_info(GetServerInfoRequest {})
        .await
        .unwrap()
        .into_inner();
    assert_eq!(info.version, env!("CARGO_PKG_VERSION"));
    let limits = info.limits.unwrap();
    assert_eq!(
        (
            limits.request_bytes_max,
            limits.response_bytes_max,
            limits.streams_per_connection_max,
            limits.connections_per_peer_max,
            limits.sessions_max,
            limits.watchers_per_session_max,
            limits.session_idle_s,
            limits.session_retain_s,
            limits.call_timeout_ms,
        ),
        (5000, 70000, 7, 8, 9, 10, 11, 12, 1300)
    );
}

#[tokio::test]
async fn more_calls_than_a_connection_may_have_at_once_wait_for_their_turn() {
    let server = Server::start(&["--streams-per-connection-max", "3"]);
    let client: Sessions = server.sessions().await;
    let table = Table::santorini(&client).await;
    let mut streams = Vec::new();
    for _ in 0..3 {
        let mut watching = table.watch(None, View::Lean).await;
        watching.next().await;
        streams.push(watching);
    }
    let waits = tokio::time::timeout(Duration::from_millis(300), get(&table)).await;
    assert!(waits.is_err(), "a fourth call was let in: {waits:?}");
    streams.pop();
    let session = soon("the turn of the fourth call", get(&table)).await;
    assert_eq!(session.unwrap().session_id, table.id);
}
