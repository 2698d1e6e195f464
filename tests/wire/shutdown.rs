//! The way out: told to stop, the server tells everybody, and is gone in time.

use std::{
    error::Error as _,
    time::{Duration, Instant},
};

use prost::Message as _;
use rustix::process::Signal;
use tavola::pb::v1::{
    CreateSessionRequest, ErrorReason, GetSessionRequest, GetSessionResponse, PlayOpen, View,
    submit_action_request::Answer,
};
use tokio::{io::AsyncReadExt as _, net::TcpStream};
use tonic::Code;
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};

use crate::common::{
    Dice, PATIENCE, Player, Server, Table, asked_seat,
    raw::{Raw, Replies, framed},
    refused, santorini, soon,
};

/// Far longer than a shutdown takes that nothing holds up.
const PROMPT: Duration = Duration::from_secs(5);

/// The version that a cut stream says to resume from.
fn resume_version(status: tonic::Status) -> u64 {
    let refusal = refused::<()>(Err(status), ErrorReason::ShuttingDown);
    assert!(
        refusal.retry.is_some_and(|delay| !delay.is_zero()),
        "{refusal:?}"
    );
    refusal.metadata["resume_version"].parse().unwrap()
}

#[tokio::test]
async fn it_stops_at_once_when_nobody_is_there() {
    for signal in [Signal::TERM, Signal::INT] {
        let mut server = Server::start(&[]);
        server.signal(signal);
        let status = server.exit(PROMPT).await;
        assert_eq!(status.code(), Some(0), "{signal:?}");
        assert_eq!(server.rest_of_stdout(), "", "one line was all");
        assert!(TcpStream::connect(server.address()).await.is_err());
    }
}

#[tokio::test]
async fn every_open_stream_is_told_from_where_to_resume() {
    let mut server = Server::start(&["--shutdown-timeout-s", "30"]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let table = Table::santorini(&client).await;
    let waiting = Table::create(&client, santorini()).await;
    table.play_plies(&mut dice, 9).await;
    let version = table.session().await.version;

    let mut watching = Vec::new();
    for viewer in [None, Some(0), Some(1)] {
        for from in [None, Some(1), Some(version - 3), Some(version)] {
            // Each on a connection of its own, or all on one.
            let elsewhere = Table {
                client: if from.is_none() {
                    server.sessions().await
                } else {
                    client.clone()
                },
                ..table.clone()
            };
            let mut stream = elsewhere
                .try_watch(table.token(viewer), View::Full, from)
                .await
                .unwrap();
            let missed = from.map_or(1, |from| version - from.max(2));
            for _ in 0..missed {
                stream.next().await;
            }
            watching.push(stream);
        }
    }
    let mut lobby = waiting.watch(None, View::Full).await;
    lobby.next().await;
    let mut player = Player::at(&table, 0).await;
    player.update().await;
    let mut silent = Player::at(&table, 1).await;
    silent.update().await;
    silent.say_no_more();

    let began = Instant::now();
    server.terminate();
    for mut stream in watching {
        let status = stream.end().await.expect("the game is not over");
        assert_eq!(status.code(), Code::Unavailable);
        assert_eq!(resume_version(status), version);
    }
    assert_eq!(resume_version(lobby.end().await.unwrap()), 1);
    for mut player in [player, silent] {
        let status = player.next().await.expect_err("the game is not over");
        assert_eq!(resume_version(status), version);
    }
    assert_eq!(server.exit(PROMPT).await.code(), Some(0));
    println!("it took {:?}", began.elapsed());
}

#[tokio::test]
async fn what_is_acknowledged_while_it_stops_is_told_to_watchers_or_left_to_resume() {
    for _ in 0..5 {
        let mut server = Server::start(&[]);
        let table = Table::santorini(&server.sessions().await).await;
        let elsewhere = Table {
            client: server.sessions().await,
            ..table.clone()
        };
        let mut watching = table.watch(None, View::Lean).await;
        let mut seen = watching.next().await.version;
        let mut dice = Dice::new();
        // A player in full swing, until it is refused.
        let (halfway, at_halfway) = tokio::sync::oneshot::channel();
        let playing = tokio::spawn(async move {
            let mut halfway = Some(halfway);
            let mut acknowledged = table.session().await.version;
            let mut next = elsewhere.observe(None, View::Lean).await.decision;
            let mut legal = elsewhere
                .observe(Some(0), View::Lean)
                .await
                .legal_action_ids;
            loop {
                let Some(decision) = next.clone() else {
                    return (acknowledged, None);
                };
                let seat = asked_seat(Some(&decision)).unwrap();
                let answer = Answer::ActionId(*dice.pick(&legal));
                let reply = elsewhere.submit(seat, decision.decision_id, answer).await;
                let reply = match reply {
                    Ok(reply) => reply,
                    Err(status) => return (acknowledged, Some(status)),
                };
                assert_eq!(reply.version, acknowledged + 1);
                acknowledged = reply.version;
                if acknowledged == 20 {
                    halfway.take().unwrap().send(()).unwrap();
                }
                next = reply.decision;
                legal = reply.legal_action_ids;
                if legal.is_empty() {
                    let Some(seat) = asked_seat(next.as_ref()) else {
                        continue;
                    };
                    let token = elsewhere.token(Some(seat));
                    match elsewhere.try_observe(token, View::Lean).await {
                        Ok(seen) => legal = seen.legal_action_ids,
                        Err(status) => return (acknowledged, Some(status)),
                    }
                }
            }
        });
        soon("some plies", at_halfway).await.unwrap();
        server.terminate();
        let end = loop {
            match watching.next_encoded().await {
                Ok(Some(update)) => seen = crate::common::update_of(&update).version,
                Ok(None) => break None,
                Err(status) => break Some(status),
            }
        };
        let (acknowledged, refused_with) = soon("the end of playing", playing).await.unwrap();
        if let Some(status) = end {
            assert_eq!(
                resume_version(status),
                seen,
                "what was told is where to resume"
            );
        }
        assert!(
            seen <= acknowledged + 1,
            "{seen} was told, {acknowledged} acknowledged"
        );
        // Whatever the server says is this; it may also be gone before it can say anything.
        if let Some(status) = refused_with.filter(|status| status.source().is_none()) {
            refused::<()>(Err(status), ErrorReason::ShuttingDown);
        }
        assert_eq!(server.exit(PATIENCE).await.code(), Some(0));
    }
}

/// Plays at a table until it is refused: the last version that was acknowledged, and the refusal.
async fn play_on(table: Table, mut dice: Dice) -> (u64, tonic::Status) {
    let mut acknowledged = table.session().await.version;
    loop {
        let shown = match table.try_observe(None, View::Lean).await {
            Ok(shown) => shown,
            Err(status) => return (acknowledged, status),
        };
        let decision = shown
            .decision
            .expect("it is looked at until the game is over");
        let seat = usize::try_from(decision.seats[0]).unwrap();
        let mine = match table.try_observe(table.token(Some(seat)), View::Lean).await {
            Ok(mine) => mine,
            Err(status) => return (acknowledged, status),
        };
        let decision = mine.decision.unwrap().decision_id;
        let answer = Answer::ActionId(*dice.pick(&mine.legal_action_ids));
        match table.submit(seat, decision, answer).await {
            Ok(reply) if reply.decision.is_none() => {
                return (reply.version, tonic::Status::ok("the game is over"));
            }
            Ok(reply) => acknowledged = reply.version,
            Err(status) => return (acknowledged, status),
        }
    }
}

#[tokio::test]
async fn o1_two_hundred_watches_twenty_moves_in_flight_and_fifty_silent_sockets() {
    const DEADLINE: Duration = Duration::from_secs(10);
    let mut server = Server::start(&["--shutdown-timeout-s", "3"]);
    let client = server.sessions().await;
    let mut silent = Vec::new();
    for _ in 0..50 {
        silent.push(TcpStream::connect(server.address()).await.unwrap());
    }
    let mut tables = Vec::new();
    let mut watching = Vec::new();
    for _ in 0..20 {
        // A game that lasts.
        let citadels = CreateSessionRequest {
            game: "citadels".to_owned(),
            seats: Some(2),
            ..Default::default()
        };
        let table = Table::start(&client, citadels).await;
        let elsewhere = Table {
            client: server.sessions().await,
            ..table.clone()
        };
        for viewer in [None, Some(0), Some(1)].into_iter().cycle().take(10) {
            let mut stream = elsewhere.watch(viewer, View::Lean).await;
            watching.push(tokio::spawn(async move {
                let mut seen = stream.next().await.version;
                loop {
                    match stream.next_encoded().await {
                        Ok(Some(update)) => seen = crate::common::update_of(&update).version,
                        Ok(None) => return (seen, None),
                        Err(status) => return (seen, Some(status)),
                    }
                }
            }));
        }
        tables.push(table);
    }
    let playing: Vec<_> = tables
        .iter()
        .map(|table| tokio::spawn(play_on(table.clone(), Dice::new())))
        .collect();
    // All are in full swing.
    for table in &tables {
        crate::common::eventually("some plies", async || {
            (table.session().await.version > 8).then_some(())
        })
        .await;
    }
    let began = Instant::now();
    server.terminate();
    let mut acknowledged = Vec::new();
    for player in playing {
        let (version, status) = soon("the end of playing", player).await.unwrap();
        // What the server itself says is that it goes down; its connection may also be gone before it can.
        let told = status.source().is_none() && status.code() != Code::Ok;
        if told {
            refused::<()>(Err(status), ErrorReason::ShuttingDown);
        }
        acknowledged.push((version, told));
    }
    let mut resumed = 0;
    for (number, stream) in watching.into_iter().enumerate() {
        let (seen, status) = soon("the end of a stream", stream).await.unwrap();
        let (acknowledged, told) = acknowledged[number / 10];
        // A refused move was not applied: nobody has seen it. One whose answer was cut off may have been.
        assert!(
            seen <= acknowledged + u64::from(!told),
            "{seen} was told, {acknowledged} acknowledged"
        );
        if let Some(status) = status {
            assert_eq!(
                resume_version(status),
                seen,
                "what was told is where to resume"
            );
            resumed += 1;
        }
    }
    assert_eq!(server.exit(DEADLINE).await.code(), Some(0));
    let took = began.elapsed();
    println!("gone after {took:?}; {resumed} of 200 streams told where to resume");
    assert!(took < DEADLINE, "{took:?}");
    assert!(resumed >= 100, "{resumed}");
    for mut socket in silent {
        let mut byte = [0];
        let read = soon("the end of a socket", socket.read(&mut byte)).await;
        assert!(matches!(read, Ok(0) | Err(_)), "it is closed: {read:?}");
    }
}

#[tokio::test]
async fn a_busy_connection_is_asked_to_go_and_every_call_on_it_answered() {
    for _ in 0..10 {
        let mut server = Server::start(&["--shutdown-timeout-s", "30"]);
        let table = Table::santorini(&server.sessions().await).await;
        let ask = GetSessionRequest {
            session_id: table.id.clone(),
        };
        let mut raw = Raw::connect(server.address(), 1 << 16).await;
        let mut answered = 0;
        let end = loop {
            let path = "/tavola.v1.SessionService/GetSession";
            match raw.ask(path, &ask).await {
                Ok(_) => answered += 1,
                Err(end) => break end,
            }
            if answered == 100 {
                server.terminate();
            }
        };
        // A call that crosses with the server's last words is one that it has not taken: safe to make elsewhere.
        assert!(end.is_go_away() && end.is_remote(), "{end:?}");
        assert_eq!(end.reason(), Some(h2::Reason::NO_ERROR));
        raw.end().await.expect("the connection ends well");
        assert_eq!(server.exit(PROMPT).await.code(), Some(0));
    }
}

#[tokio::test]
async fn silent_sockets_do_not_hold_it_up_beyond_the_deadline() {
    let mut server = Server::start(&["--shutdown-timeout-s", "2"]);
    let mut sockets = Vec::new();
    for _ in 0..50 {
        sockets.push(TcpStream::connect(server.address()).await.unwrap());
    }
    // They have all been accepted once a call on a later one has been answered.
    server
        .sessions()
        .await
        .list_sessions(tavola::pb::v1::ListSessionsRequest::default())
        .await
        .unwrap();
    server.terminate();
    assert_eq!(server.exit(PROMPT).await.code(), Some(0));
    for mut socket in sockets {
        let mut byte = [0];
        let read = soon("the end of a socket", socket.read(&mut byte)).await;
        assert!(matches!(read, Ok(0) | Err(_)), "it is closed: {read:?}");
    }
}

#[tokio::test]
async fn a_call_in_flight_is_answered_before_it_stops() {
    let mut server = Server::start(&["--shutdown-timeout-s", "30"]);
    let table = Table::santorini(&server.sessions().await).await;
    let mut raw = Raw::connect(server.address(), 1 << 16).await;
    let request = raw.request("/tavola.v1.SessionService/GetSession", None);
    let (response, mut body) = raw.begin(request).await;
    // The server has the call when it has answered another one on the same connection.
    let ask = GetSessionRequest {
        session_id: table.id.clone(),
    };
    let (_, mut other) = raw
        .call("/tavola.v1.SessionService/GetSession", None, &ask)
        .await;
    other.next().await.unwrap();

    let mut health = health_watch(&server).await;
    server.terminate();
    assert_eq!(health.status().await, ServingStatus::NotServing);
    drop(health);
    body.send_data(framed(&ask.encode_to_vec()), true).unwrap();
    let response = soon("the reply to a call in flight", response)
        .await
        .unwrap();
    let mut replies = Replies::new(response.into_body());
    let reply = replies.next().await.expect("reading is still allowed");
    let session = GetSessionResponse::decode(reply).unwrap().session.unwrap();
    assert_eq!(session.session_id, table.id);
    assert_eq!(replies.trailers().await["grpc-status"], "0");
    drop((raw, replies, table));
    assert_eq!(server.exit(PROMPT).await.code(), Some(0));
}

#[tokio::test]
async fn a_call_that_comes_too_late_is_refused_before_it_has_any_effect() {
    let mut server = Server::start(&["--shutdown-timeout-s", "30"]);
    let table = Table::santorini(&server.sessions().await).await;
    let before = table.observe(None, View::Lean).await;
    let mut raw = Raw::connect(server.address(), 1 << 16).await;
    let mut in_flight = Vec::new();
    let submit = tavola::pb::v1::SubmitActionRequest {
        session_id: table.id.clone(),
        decision_id: before.decision.unwrap().decision_id,
        answer: Some(Answer::ActionId(0)),
        view: 0,
    };
    let join = tavola::pb::v1::JoinSessionRequest {
        session_id: table.id.clone(),
        seat: None,
        ..Default::default()
    };
    let create = santorini();
    let open = tavola::pb::v1::PlayRequest {
        kind: Some(tavola::pb::v1::play_request::Kind::Open(PlayOpen {
            session_id: table.id.clone(),
            ..Default::default()
        })),
    };
    let watch = tavola::pb::v1::WatchSessionRequest {
        session_id: table.id.clone(),
        ..Default::default()
    };
    let calls = [
        (
            "SubmitAction",
            Some(&table.tokens[0]),
            submit.encode_to_vec(),
        ),
        ("JoinSession", None, join.encode_to_vec()),
        ("CreateSession", None, create.encode_to_vec()),
        ("Play", Some(&table.tokens[0]), open.encode_to_vec()),
        ("WatchSession", None, watch.encode_to_vec()),
        ("LeaveSession", Some(&table.tokens[0]), join.encode_to_vec()),
        ("DeleteSession", Some(&table.host), join.encode_to_vec()),
    ];
    for (method, token, message) in calls {
        let path = format!("/tavola.v1.SessionService/{method}");
        let request = raw.request(&path, token.map(String::as_str));
        let (response, body) = raw.begin(request).await;
        in_flight.push((method, response, body, message));
    }
    let ask = GetSessionRequest {
        session_id: table.id.clone(),
    };
    let ask_path = "/tavola.v1.SessionService/GetSession";
    let (_, mut replies) = raw.call(ask_path, None, &ask).await;
    replies.next().await.unwrap();
    let request = raw.request(ask_path, None);
    let (last_response, mut last_body) = raw.begin(request).await;

    let mut health = health_watch(&server).await;
    server.terminate();
    assert_eq!(health.status().await, ServingStatus::NotServing);
    drop(health);
    for (method, response, mut body, message) in in_flight {
        body.send_data(framed(&message), true).unwrap();
        let response = soon("a refusal", response).await.unwrap();
        let status = tonic::Status::from_header_map(response.headers())
            .unwrap_or_else(|| panic!("{method} is refused at once: {response:?}"));
        refused::<()>(Err(status), ErrorReason::ShuttingDown);
    }
    last_body
        .send_data(framed(&ask.encode_to_vec()), true)
        .unwrap();
    let response = soon("the last reply", last_response).await.unwrap();
    let mut replies = Replies::new(response.into_body());
    let reply = GetSessionResponse::decode(replies.next().await.unwrap()).unwrap();
    assert_eq!(
        reply.session.unwrap().version,
        before.version,
        "nothing has changed"
    );
    drop((raw, replies, table));
    assert_eq!(server.exit(PROMPT).await.code(), Some(0));
}

#[tokio::test]
async fn what_never_ends_is_cut_at_the_deadline() {
    let mut server = Server::start(&["--shutdown-timeout-s", "1"]);
    let table = Table::santorini(&server.sessions().await).await;
    let mut raw = Raw::connect(server.address(), 1 << 16).await;
    let request = raw.request("/tavola.v1.SessionService/GetSession", None);
    let (response, _body) = raw.begin(request).await;
    let ask = GetSessionRequest {
        session_id: table.id.clone(),
    };
    let (_, mut other) = raw
        .call("/tavola.v1.SessionService/GetSession", None, &ask)
        .await;
    other.next().await.unwrap();
    let mut health = health_watch(&server).await;
    let began = Instant::now();
    server.terminate();
    assert_eq!(health.status().await, ServingStatus::NotServing);
    // Neither the half-sent call nor the health stream ever ends by itself.
    assert_eq!(server.exit(PROMPT).await.code(), Some(0));
    let took = began.elapsed();
    assert!(
        took >= Duration::from_secs(1),
        "it gave them no time: {took:?}"
    );
    assert!(soon("the end of the call", response).await.is_err());
}

#[tokio::test]
async fn house_bots_stop_too() {
    let mut server = Server::start(&["--shutdown-timeout-s", "30"]);
    let client = server.sessions().await;
    let mut watching = Vec::new();
    for _ in 0..50 {
        let table = Table::create(&client, santorini()).await;
        watching.push(table.watch(None, View::Lean).await);
        for bot in ["greedy", "random"] {
            let request = tavola::pb::v1::AddBotRequest {
                session_id: table.id.clone(),
                bot: bot.to_owned(),
                seat: None,
                ..Default::default()
            };
            let mut client = client.clone();
            client
                .add_bot(crate::common::with_token(Some(&table.host), request))
                .await
                .unwrap();
        }
    }
    server.terminate();
    for mut stream in watching {
        if let Some(status) = stream.end().await {
            resume_version(status);
        }
    }
    assert_eq!(server.exit(PROMPT).await.code(), Some(0));
}

/// The health of the server as a stream, which is open when this returns.
struct Health(tonic::Streaming<tonic_health::pb::HealthCheckResponse>);

async fn health_watch(server: &Server) -> Health {
    let request = HealthCheckRequest {
        service: "tavola.v1.SessionService".to_owned(),
    };
    let mut client = HealthClient::new(server.channel().await);
    let mut health = Health(client.watch(request).await.unwrap().into_inner());
    assert_eq!(health.status().await, ServingStatus::Serving);
    health
}

impl Health {
    async fn status(&mut self) -> ServingStatus {
        let message = soon("news of the server's health", self.0.message()).await;
        message.unwrap().expect("the stream goes on").status()
    }
}
