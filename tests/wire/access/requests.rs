//! Request ids: calls that take something, made again.

use std::{collections::BTreeSet, time::Duration};

use tavola::pb::v1::{
    AddBotRequest, CreateSessionRequest, DeleteSessionRequest, ErrorReason, JoinSessionRequest,
    JoinSessionResponse, LeaveSessionRequest, LeaveSessionResponse, ListSessionsRequest,
    SeatHolder, Session, SessionStatus, View,
};
use tonic::Status;

use super::files::Files;
use crate::common::{
    DataFolder, Dice, PATIENCE, Server, Sessions, Table, refused, santorini, with_token,
};

const ID: &str = "0f6f4c7f-9d2b-4b7e-8d51-6f1c1a523a10";
const OTHER_ID: &str = "another-id-of-a-request";

fn create_as(id: &str) -> CreateSessionRequest {
    CreateSessionRequest {
        request_id: id.to_owned(),
        ..santorini()
    }
}

/// A session for more than two.
fn of_many(seats: u32) -> CreateSessionRequest {
    CreateSessionRequest {
        game: "santorini".to_owned(),
        seats: Some(seats),
        ..Default::default()
    }
}

async fn join(
    table: &Table,
    request_id: &str,
    seat: Option<u32>,
) -> Result<JoinSessionResponse, Status> {
    let request = JoinSessionRequest {
        session_id: table.id.clone(),
        seat,
        request_id: request_id.to_owned(),
    };
    let mut client = table.client.clone();
    let request = with_token(table.join_token.as_deref(), request);
    client
        .join_session(request)
        .await
        .map(tonic::Response::into_inner)
}

async fn add_bot(
    table: &Table,
    request_id: &str,
    bot: &str,
    seat: Option<u32>,
) -> Result<(Option<u32>, Session), Status> {
    let request = AddBotRequest {
        session_id: table.id.clone(),
        bot: bot.to_owned(),
        seat,
        request_id: request_id.to_owned(),
    };
    let mut client = table.client.clone();
    let added = client
        .add_bot(with_token(Some(&table.host), request))
        .await?
        .into_inner();
    Ok((added.seat, added.session.unwrap()))
}

fn status_of(left: &LeaveSessionResponse) -> SessionStatus {
    left.session.as_ref().expect("it is in the reply").status()
}

async fn listed(client: &Sessions) -> usize {
    let request = ListSessionsRequest {
        page_size: Some(100),
        ..Default::default()
    };
    let page = client.clone().list_sessions(request).await.unwrap();
    page.into_inner().sessions.len()
}

#[tokio::test]
async fn f79_a_create_whose_reply_was_lost_is_made_again_and_opens_nothing_more() {
    let server = Server::start(&[]);
    let mut client = server.sessions().await;
    for (private, id) in [(false, ID), (true, OTHER_ID)] {
        let request = CreateSessionRequest {
            private,
            ..create_as(id)
        };
        let first = client.create_session(request.clone()).await.unwrap();
        let first = first.into_inner();
        // From elsewhere, at once and many times.
        let again: Vec<_> = (0..20)
            .map(|_| {
                let (mut client, request) = (client.clone(), request.clone());
                tokio::spawn(async move { client.create_session(request).await })
            })
            .collect();
        for again in again {
            assert_eq!(again.await.unwrap().unwrap().into_inner(), first);
        }
        assert_eq!(first.join_token.is_empty(), !private);
        // The tokens are good.
        let mut table = Table {
            client: client.clone(),
            id: first.session_id.clone(),
            host: first.host_token.clone(),
            join_token: Some(first.join_token.clone()).filter(|token| !token.is_empty()),
            tokens: Vec::new(),
        };
        table.join().await;
        table.add_bot("random").await;
        // Later, too: the session as it is then.
        let later = client.create_session(request).await.unwrap().into_inner();
        assert_eq!(
            (&later.session_id, &later.host_token, &later.join_token),
            (&first.session_id, &first.host_token, &first.join_token)
        );
        assert_eq!(later.session.unwrap().status(), SessionStatus::Running);
    }
    assert_eq!(listed(&client).await, 1, "one of them is private");
}

#[tokio::test]
async fn many_creates_at_once_with_one_id_open_one_session() {
    let folder = DataFolder::new();
    let server = folder.serve(&[]);
    for round in 0..20 {
        let mut calls = Vec::new();
        for nth in 0..8 {
            let mut client = server.sessions().await;
            let request = create_as(&format!("{ID}-{round}"));
            calls.push(tokio::spawn(async move {
                // Some come while the first one is being written.
                tokio::time::sleep(Duration::from_micros(nth * 300)).await;
                client.create_session(request).await.unwrap().into_inner()
            }));
        }
        let mut told = BTreeSet::new();
        for call in calls {
            let created = call.await.unwrap();
            told.insert((created.session_id, created.host_token));
        }
        assert_eq!(told.len(), 1);
    }
    assert_eq!(listed(&server.sessions().await).await, 20);
}

#[tokio::test]
async fn a_session_that_was_deleted_leaves_nothing_to_the_one_that_the_same_id_opens_next() {
    let folder = DataFolder::new();
    let mut server = folder.serve(&[]);
    for plies in [9, 3, 0, 12] {
        let client = server.sessions().await;
        let mut table = Table::create(&client, create_as(ID)).await;
        assert_eq!(table.session().await.version, 1, "nobody has joined it yet");
        let first = table.session().await;
        table.join().await;
        table.join().await;
        table.play_plies(&mut Dice::new(), plies).await;
        let before = table.session().await;
        for _ in 0..2 {
            server.kill();
            server = folder.serve(&[]);
            table.client = server.sessions().await;
            assert_eq!(table.session().await, before);
        }
        let request = DeleteSessionRequest {
            session_id: table.id.clone(),
        };
        let request = with_token(Some(&table.host), request);
        table.client.clone().delete_session(request).await.unwrap();
        // Made again at once, too: the one before may still be in the way.
        let again = Table::create(&table.client, create_as(ID)).await;
        assert_eq!(again.id, table.id);
        assert_eq!(again.session().await.version, first.version);
        server.kill();
        server = folder.serve(&[]);
        let again = Table {
            client: server.sessions().await,
            ..again
        };
        assert_eq!(again.session().await.version, first.version);
        let request = DeleteSessionRequest {
            session_id: again.id.clone(),
        };
        let request = with_token(Some(&again.host), request);
        again.client.clone().delete_session(request).await.unwrap();
    }
}

#[tokio::test]
async fn a_request_for_a_seat_that_was_left_is_spent_however_many_come_after_it() {
    let server = Server::start(&[]);
    let table = Table::create(&server.sessions().await, santorini()).await;
    for nth in 0..70 {
        let id = format!("{ID}-{nth}");
        let joined = join(&table, &id, Some(0)).await.unwrap();
        let request = LeaveSessionRequest {
            session_id: table.id.clone(),
        };
        let request = with_token(Some(&joined.seat_token), request);
        table.client.clone().leave_session(request).await.unwrap();
    }
    for nth in 0..70 {
        let id = format!("{ID}-{nth}");
        refused(
            join(&table, &id, Some(0)).await,
            ErrorReason::RequestIdReused,
        );
    }
}

#[tokio::test]
async fn an_id_is_good_for_one_request() {
    let server = Server::start(&[]);
    let mut client = server.sessions().await;
    client.create_session(create_as(ID)).await.unwrap();
    for other in [
        CreateSessionRequest {
            seats: Some(3),
            ..create_as(ID)
        },
        CreateSessionRequest {
            seed: Some(0),
            ..create_as(ID)
        },
        CreateSessionRequest {
            private: true,
            ..create_as(ID)
        },
        CreateSessionRequest {
            options: None,
            ..create_as(ID)
        },
    ] {
        let refusal = refused(
            client.create_session(other).await,
            ErrorReason::RequestIdReused,
        );
        assert!(!refusal.text.contains(ID), "{refusal:?}");
    }
    let table = Table::create(&client, create_as(OTHER_ID)).await;
    join(&table, ID, None).await.unwrap();
    refused(
        join(&table, ID, Some(0)).await,
        ErrorReason::RequestIdReused,
    );
    refused(
        join(&table, ID, Some(1)).await,
        ErrorReason::RequestIdReused,
    );
    refused(
        add_bot(&table, ID, "random", None).await,
        ErrorReason::RequestIdReused,
    );
    let session = table.session().await;
    assert_eq!(session.version, 2, "nothing else has changed");
    assert_eq!(listed(&client).await, 2);
    for bad in [
        "short",
        &"0123456789".repeat(7),
        "aaaabbbbccccdddd",
        "with a space in it",
        "ünsichtbar-aber-lang",
    ] {
        for refusal in [
            refused(
                client.create_session(create_as(bad)).await,
                ErrorReason::MalformedRequest,
            ),
            refused(join(&table, bad, None).await, ErrorReason::MalformedRequest),
            refused(
                add_bot(&table, bad, "random", None).await,
                ErrorReason::MalformedRequest,
            ),
        ] {
            assert_eq!(refusal.violations[0].0, "request_id");
        }
    }
}

#[tokio::test]
async fn an_id_of_one_operator_is_not_an_id_of_another() {
    let files = Files::new();
    let keys = ["the-key-of-the-first", "the-key-of-the-second"];
    let file = files.write("keys", &keys.join("\n"));
    let server = Server::start(&["--api-keys-file", &file]);
    let mut client = server.sessions().await;
    let mut sessions = BTreeSet::new();
    for key in [keys[0], keys[1], keys[0]] {
        let mut request = tonic::Request::new(create_as(ID));
        let key = key.parse().unwrap();
        request.metadata_mut().insert("x-api-key", key);
        let created = client.create_session(request).await.unwrap().into_inner();
        sessions.insert((created.session_id, created.host_token));
    }
    assert_eq!(sessions.len(), 2);
}

#[tokio::test]
async fn a_join_and_a_bot_made_again_take_no_other_seat() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    for private in [false, true] {
        let request = CreateSessionRequest {
            private,
            ..of_many(3)
        };
        let mut table = Table::create(&client, request).await;
        let first = join(&table, ID, None).await.unwrap();
        assert_eq!(join(&table, ID, None).await.unwrap(), first);
        let bot = add_bot(&table, OTHER_ID, "random", None).await.unwrap();
        assert_eq!(
            add_bot(&table, OTHER_ID, "random", None).await.unwrap(),
            bot
        );
        assert_eq!((first.seat, bot.0), (Some(0), Some(1)));
        // Without an id each call takes another.
        let third = join(&table, "", None).await.unwrap();
        assert_eq!(third.seat, Some(2));
        refused(join(&table, "", None).await, ErrorReason::SessionFull);
        // In the game and after it the same is told, with the session as it is then.
        table.tokens = vec![first.seat_token.clone(), String::new(), third.seat_token];
        for status in [SessionStatus::Running, SessionStatus::Finished] {
            let again = join(&table, ID, None).await.unwrap();
            assert_eq!(
                (again.seat, &again.seat_token),
                (Some(0), &first.seat_token)
            );
            assert_eq!(again.session.unwrap().status(), status);
            let again = add_bot(&table, OTHER_ID, "random", None).await.unwrap();
            assert_eq!((again.0, again.1.status()), (Some(1), status));
            // Once the game is over there is nothing to leave.
            for seat in [0, 2] {
                let _ = table.leave(seat).await;
            }
            let over = async || {
                let session = table.session().await;
                (session.status() == SessionStatus::Finished).then_some(())
            };
            crate::common::eventually("the end of a game of bots", over).await;
        }
    }
}

#[tokio::test]
async fn f46_a_seat_that_was_left_is_not_taken_again_by_the_same_request() {
    let server = Server::start(&[]);
    let table = Table::create(&server.sessions().await, santorini()).await;
    for round in 0..100 {
        let id = format!("{ID}-{round}");
        let joined = join(&table, &id, None).await.unwrap();
        let request = LeaveSessionRequest {
            session_id: table.id.clone(),
        };
        let mut client = table.client.clone();
        client
            .leave_session(with_token(Some(&joined.seat_token), request))
            .await
            .unwrap();
        refused(join(&table, &id, None).await, ErrorReason::RequestIdReused);
        refused(
            table
                .try_observe(Some(&joined.seat_token), View::Lean)
                .await,
            ErrorReason::TokenRequired,
        );
    }
    let session = table.session().await;
    assert!(
        session
            .seats
            .iter()
            .all(|seat| seat.holder() == SeatHolder::Open)
    );
    assert_eq!(session.version, 1 + 200);
}

#[tokio::test]
async fn f46_whoever_joins_and_leaves_in_a_hurry_has_one_seat_at_most() {
    let server = Server::start(&[]);
    let table = Table::create(&server.sessions().await, of_many(4)).await;
    let mut players = Vec::new();
    for number in 0..50_u64 {
        let elsewhere = Table {
            client: server.sessions().await,
            ..table.clone()
        };
        let mut dice = Dice::new();
        players.push(tokio::spawn(async move {
            let mut held = None;
            for round in 0..20 {
                let id = format!("{ID}-{number}-{round}");
                let attempts = [
                    join(&elsewhere, &id, None).await,
                    join(&elsewhere, &id, None).await,
                ];
                let seats: BTreeSet<_> = attempts
                    .iter()
                    .filter_map(|joined| joined.as_ref().ok())
                    .map(|joined| (joined.seat, joined.seat_token.clone()))
                    .collect();
                assert!(seats.len() <= 1, "one request, one seat: {seats:?}");
                let Some((seat, token)) = seats.into_iter().next() else {
                    continue;
                };
                if *dice.pick(&[true, true, true, false]) {
                    let request = LeaveSessionRequest {
                        session_id: elsewhere.id.clone(),
                    };
                    let mut client = elsewhere.client.clone();
                    let left = client
                        .leave_session(with_token(Some(&token), request))
                        .await
                        .map(tonic::Response::into_inner);
                    match left {
                        Ok(left) if status_of(&left) == SessionStatus::Waiting => {
                            continue;
                        }
                        // The game had begun: the seat is resigned and still the player's.
                        Ok(_) => {}
                        refusal => drop(refused(refusal, ErrorReason::GameOver)),
                    }
                }
                held = Some((seat, token));
                break;
            }
            held
        }));
    }
    let mut held = BTreeSet::new();
    for player in players {
        held.extend(player.await.unwrap());
    }
    let seats: BTreeSet<_> = held.iter().map(|(seat, _)| *seat).collect();
    assert_eq!(seats.len(), held.len(), "no seat has two players: {held:?}");
    let session = table.session().await;
    let taken = session
        .seats
        .iter()
        .filter(|seat| seat.holder() == SeatHolder::Player)
        .count();
    assert_eq!(taken, held.len(), "no seat is taken by nobody");
}

#[tokio::test]
async fn f50_f79_after_restarts_the_same_requests_get_the_same_and_old_tokens_are_good() {
    let data = DataFolder::new();
    let mut known: Option<Vec<(Table, JoinSessionResponse)>> = None;
    for restart in 0..3 {
        let mut server = data.serve(&[]);
        let client = server.sessions().await;
        let mut told = Vec::new();
        for private in [false, true] {
            let request = CreateSessionRequest {
                private,
                ..create_as(&format!("{ID}-{private}"))
            };
            let table = Table::create(&client, request).await;
            let joined = join(&table, ID, None).await.unwrap();
            add_bot(&table, OTHER_ID, "random", None).await.unwrap();
            refused(
                join(&table, ID, Some(1)).await,
                ErrorReason::RequestIdReused,
            );
            told.push((table, joined));
        }
        for (table, joined) in &told {
            let session = table.session().await;
            assert_eq!(session.status(), SessionStatus::Running);
            assert_eq!(session.private, table.join_token.is_some());
            let mine = table
                .try_observe(Some(&joined.seat_token), View::Lean)
                .await;
            assert_eq!(mine.unwrap().seat, Some(0));
        }
        let first = known.get_or_insert_with(|| told.clone());
        for ((table, joined), (first, first_joined)) in told.iter().zip(first) {
            assert_eq!(
                (&table.id, &table.host, &table.join_token),
                (&first.id, &first.host, &first.join_token)
            );
            assert_eq!(
                (joined.seat, &joined.seat_token),
                (first_joined.seat, &first_joined.seat_token)
            );
        }
        assert_eq!(listed(&client).await, 1, "after {restart} restarts");
        drop((client, told));
        match restart {
            // Whether it was told to stop or not.
            0 => server.signal(rustix::process::Signal::KILL),
            _ => server.terminate(),
        }
        server.exit(PATIENCE).await;
    }
}

/// Rounds of the race for the last seat; more with `TAVOLA_TEST_JOIN_ROUNDS=1000`.
fn join_rounds() -> usize {
    let asked = std::env::var("TAVOLA_TEST_JOIN_ROUNDS").ok();
    asked.map_or(40, |rounds| rounds.parse().expect("it is a number"))
}

#[tokio::test]
async fn a4_of_fifty_who_want_the_last_seat_one_gets_it() {
    let server = Server::start(&[]);
    let mut clients = Vec::new();
    for _ in 0..50 {
        clients.push(server.sessions().await);
    }
    let rounds = join_rounds();
    for _ in 0..rounds {
        let mut table = Table::create(&clients[0], santorini()).await;
        table.join().await;
        let mut racers = Vec::new();
        for (number, client) in clients.iter().enumerate() {
            let racer = Table {
                client: client.clone(),
                ..table.clone()
            };
            racers.push(tokio::spawn(async move {
                // Every other one tries twice with one id, as one whose reply does not come.
                let id = match number % 2 {
                    0 => String::new(),
                    _ => format!("{ID}-{number}"),
                };
                let first = join(&racer, &id, None).await;
                match number % 2 {
                    0 => first,
                    _ => {
                        let again = join(&racer, &id, None).await;
                        assert_eq!(first.as_ref().ok(), again.as_ref().ok());
                        first
                    }
                }
            }));
        }
        let mut won = Vec::new();
        for racer in racers {
            match racer.await.unwrap() {
                Ok(joined) => won.push(joined),
                refusal => drop(refused(refusal, ErrorReason::SessionFull)),
            }
        }
        let [winner] = &won[..] else {
            panic!("one gets it: {won:?}");
        };
        assert_eq!(winner.seat, Some(1));
        let session = table.session().await;
        assert_eq!(
            (session.status(), session.version),
            (SessionStatus::Running, 3)
        );
        let seen = table
            .try_observe(Some(&winner.seat_token), View::Lean)
            .await;
        assert_eq!(seen.unwrap().seat, Some(1));
    }
    println!("{rounds} rounds of 50 clients: one winner in each");
}
