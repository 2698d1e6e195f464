//! Private sessions.

use std::time::Duration;

use tavola::pb::v1::{
    AddBotRequest, CreateSessionRequest, DeleteSessionRequest, ErrorReason, ForkSessionRequest,
    GetObservationRequest, GetReplayRequest, GetSessionRequest, GetStateRequest,
    JoinSessionRequest, LeaveSessionRequest, ListSessionsRequest, PlayOpen, SubmitActionRequest,
    View, WatchSessionRequest, submit_action_request::Answer,
};
use tonic::{Code, Status};

use crate::common::{
    Compared, DataFolder, Dice, Player, Server, Sessions, Table, refusal, refused, santorini,
    tells_nothing, timed, with_token,
};

fn private() -> CreateSessionRequest {
    CreateSessionRequest {
        private: true,
        ..santorini()
    }
}

/// How every method that is about a session answers somebody with this token; none where the call went through.
async fn answers(
    client: &Sessions,
    id: &str,
    token: Option<&str>,
) -> Vec<(&'static str, Option<Status>)> {
    let id = || id.to_owned();
    let mut client = client.clone();
    let open = Table {
        client: client.clone(),
        id: id(),
        host: String::new(),
        join_token: None,
        tokens: Vec::new(),
    };
    macro_rules! ask {
        ($method:ident, $request:expr) => {
            (
                stringify!($method),
                client.$method(with_token(token, $request)).await.err(),
            )
        };
    }
    vec![
        ask!(get_session, GetSessionRequest { session_id: id() }),
        ask!(
            join_session,
            JoinSessionRequest {
                session_id: id(),
                // No seat of this game: whoever gets as far as that is told so.
                seat: Some(9),
                ..Default::default()
            }
        ),
        ask!(
            add_bot,
            AddBotRequest {
                session_id: id(),
                bot: "nobody".to_owned(),
                ..Default::default()
            }
        ),
        ask!(leave_session, LeaveSessionRequest { session_id: id() }),
        ask!(delete_session, DeleteSessionRequest { session_id: id() }),
        ask!(
            get_observation,
            GetObservationRequest {
                session_id: id(),
                view: 99,
            }
        ),
        ask!(
            submit_action,
            SubmitActionRequest {
                session_id: id(),
                decision_id: 1,
                answer: Some(Answer::ActionId(0)),
                view: 0,
            }
        ),
        ask!(
            watch_session,
            WatchSessionRequest {
                session_id: id(),
                from_version: Some(0),
                view: 0,
            }
        ),
        (
            "play",
            Player::open(&open, token, PlayOpen::default()).await.err(),
        ),
        ask!(get_state, GetStateRequest { session_id: id() }),
        ask!(
            get_replay,
            GetReplayRequest {
                session_id: id(),
                page_token: "garbage".to_owned(),
                ..Default::default()
            }
        ),
        ask!(
            fork_session,
            ForkSessionRequest {
                session_id: id(),
                ply: Some(u32::MAX),
                ..Default::default()
            }
        ),
    ]
}

#[tokio::test]
async fn whoever_has_no_token_of_a_private_session_is_answered_as_if_there_were_none() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let other = Table::santorini(&client).await;
    let mut waiting = Table::create(&client, private()).await;
    waiting.join().await;
    let running = Table::start(&client, private()).await;
    let finished = Table::start(&client, private()).await;
    finished.play_out(&mut Dice::new()).await;
    let nobodys = "A".repeat(43);
    for token in [
        None,
        Some(other.tokens[0].as_str()),
        Some(&other.host),
        Some(&nobodys),
        Some("no token"),
    ] {
        let absent = answers(&client, &"0".repeat(32), token).await;
        for table in [&waiting, &running, &finished] {
            let told = answers(&client, &table.id, token).await;
            for ((method, there), (_, absent)) in told.iter().zip(&absent) {
                let (there, absent) = (there.as_ref().unwrap(), absent.as_ref().unwrap());
                assert_eq!(
                    (there.code(), there.message(), there.details()),
                    (absent.code(), absent.message(), absent.details()),
                    "{method} {token:?}"
                );
                let expected = match token {
                    Some("no token") => ErrorReason::TokenRequired,
                    _ => ErrorReason::SessionNotFound,
                };
                assert_eq!(refusal(there).reason, expected, "{method} {token:?}");
            }
        }
    }
    let listed = client
        .clone()
        .list_sessions(ListSessionsRequest::default())
        .await
        .unwrap()
        .into_inner()
        .sessions;
    let ids: Vec<_> = listed.iter().map(|session| &session.session_id).collect();
    assert_eq!(ids, [&other.id], "private sessions are not listed");
}

#[tokio::test]
async fn pages_of_a_list_do_not_count_private_sessions() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut tokens = Vec::new();
    for with_private_ones in [false, true] {
        for _ in 0..3 {
            Table::create(&client, santorini()).await;
            if with_private_ones {
                Table::create(&client, private()).await;
            }
        }
        let request = ListSessionsRequest {
            page_size: Some(2),
            ..Default::default()
        };
        let page = client.clone().list_sessions(request).await.unwrap();
        let token = page.into_inner().next_page_token;
        tokens.push(token.parse::<u64>().unwrap());
    }
    assert_eq!(tokens[1] - tokens[0], 3, "three sessions later: {tokens:?}");
}

#[tokio::test]
async fn a_private_session_is_played_by_those_who_were_given_its_join_token() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut table = Table::create(&client, private()).await;
    let session = table.session().await;
    assert!(session.private);
    let join = async |token: &str| {
        let request = JoinSessionRequest {
            session_id: table.id.clone(),
            ..Default::default()
        };
        let mut client = client.clone();
        client
            .join_session(with_token(Some(token), request))
            .await
            .map(tonic::Response::into_inner)
    };
    // The host takes a seat without the join token; a seat's token takes no other seat.
    let joined = join(&table.host).await.unwrap();
    let refused_seat = refused(join(&joined.seat_token).await, ErrorReason::SeatMismatch);
    assert!(refused_seat.text.contains("join token"), "{refused_seat:?}");
    table.tokens.push(joined.seat_token);
    table.join().await;
    let guest = table.join_token.clone().unwrap();
    assert_eq!(
        table
            .try_observe(Some(&guest), View::Full)
            .await
            .unwrap()
            .seat,
        None,
        "a guest is a spectator"
    );
    for (method, status) in answers(&client, &table.id, Some(&guest)).await {
        match method {
            "get_session" => assert!(status.is_none(), "{status:?}"),
            "leave_session" | "delete_session" | "submit_action" | "play" | "get_state"
            | "fork_session" => {
                refused::<()>(Err(status.unwrap()), ErrorReason::SeatMismatch);
            }
            // What is wrong with the rest of the call is told to those who may make it.
            _ => assert_ne!(
                refusal(&status.unwrap()).reason,
                ErrorReason::SessionNotFound
            ),
        }
    }
    let mut watching = table.watch(None, View::Full).await;
    let mut seat = table.watch(Some(0), View::Full).await;
    table.play_out(&mut Dice::new()).await;
    assert!(watching.rest().await.last().unwrap().outcome.is_some());
    assert!(seat.rest().await.last().unwrap().outcome.is_some());
    let replay = table.replay(GetReplayRequest::default()).await.unwrap();
    assert!(!replay.steps.is_empty());
    assert!(table.state(Some(&guest)).await.is_ok());
}

#[tokio::test]
async fn f48_ids_from_the_public_list_open_no_private_session() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let public = Table::santorini(&client).await;
    let hidden = Table::create(&client, private()).await;
    let listed = client
        .clone()
        .list_sessions(ListSessionsRequest::default())
        .await
        .unwrap()
        .into_inner();
    let shown = format!("{listed:?}");
    let secrets = [
        Some(&hidden.id),
        Some(&hidden.host),
        hidden.join_token.as_ref(),
        Some(&public.host),
        Some(&public.tokens[0]),
    ];
    for secret in secrets.into_iter().flatten() {
        assert!(!shown.contains(secret.as_str()));
    }
    // Whatever is public, taken for a token or for a request id.
    for session in listed.sessions {
        for id in [&session.session_id, &hidden.id] {
            let request = JoinSessionRequest {
                session_id: hidden.id.clone(),
                request_id: id.clone(),
                ..Default::default()
            };
            let joined = client.clone().join_session(request).await;
            let refusal = refused(joined, ErrorReason::SessionNotFound);
            assert!(refusal.metadata.is_empty(), "{refusal:?}");
        }
    }
}

/// How long the refusal takes that there is no such session.
async fn refused_after(client: &Sessions, session_id: String) -> Duration {
    let request = GetObservationRequest {
        session_id,
        view: 0,
    };
    let token = "A".repeat(43);
    let mut client = client.clone();
    let asked = client.get_observation(with_token(Some(&token), request));
    let (took, answer) = timed(asked).await;
    // Not held to all that a refusal promises: that takes longer than the call.
    assert_eq!(answer.unwrap_err().code(), Code::NotFound);
    took
}

/// Asks for each of these sessions and for as many that there are not, in turn.
async fn compare(client: &Sessions, ids: &[String], at_once: usize) -> f64 {
    let mut asking = tokio::task::JoinSet::new();
    for ids in ids.chunks(ids.len().div_ceil(at_once)) {
        let (ids, client) = (ids.to_vec(), client.clone());
        asking.spawn(async move {
            let (mut there, mut absent) = (Vec::new(), Vec::new());
            for (round, id) in ids.into_iter().enumerate() {
                // In either order, so that both meet the same noise.
                if round % 2 == 0 {
                    there.push(refused_after(&client, id).await);
                    absent.push(refused_after(&client, format!("{round:032x}")).await);
                } else {
                    absent.push(refused_after(&client, format!("{round:032x}")).await);
                    there.push(refused_after(&client, id).await);
                }
            }
            (there, absent)
        });
    }
    let (mut there, mut absent) = (Vec::new(), Vec::new());
    while let Some(asked) = asking.join_next().await {
        let (of_those, of_none) = asked.unwrap();
        there.extend(of_those);
        absent.extend(of_none);
    }
    let mut compared = Compared::default();
    compared.add(&there, absent);
    compared.chance_of_longer()
}

#[tokio::test]
async fn a7_absent_and_private_sessions_take_the_same_time() {
    let server = Server::start(&["--io-threads", "1"]);
    let client = server.sessions().await;
    let hidden = Table::start(&client, private()).await;
    let ids = vec![hidden.id; 3_200];
    let measure = async || compare(&client, &ids, 32).await;
    tells_nothing("absent and private", 0.05, measure).await;
}

#[tokio::test]
async fn a7_those_that_have_left_memory_take_the_same_time_too() {
    let folder = DataFolder::new();
    let server = folder.serve(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let mut ids = Vec::new();
    for _ in 0..320 {
        let hidden = Table::start(&client, private()).await;
        hidden.play_plies(&mut dice, 4).await;
        ids.push(hidden.id);
    }
    drop(server);
    // After a restart none is in memory: each is asked for once.
    let measure = async || {
        let server = folder.serve(&["--io-threads", "1"]);
        compare(&server.sessions().await, &ids, 4).await
    };
    // So few samples tell less: three and a half deviations.
    tells_nothing("absent and out of memory", 0.08, measure).await;
}
