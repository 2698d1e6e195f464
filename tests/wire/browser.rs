//! Pages: all that can be played from a browser, over gRPC-Web with calls and streams one way only.

use bytes::BytesMut;
use prost::Message as _;
use tavola::pb::v1::{
    AddBotRequest, AddBotResponse, CreateSessionRequest, CreateSessionResponse,
    DeleteSessionRequest, DeleteSessionResponse, ErrorReason, GetObservationRequest,
    GetObservationResponse, GetReplayRequest, GetReplayResponse, GetSessionRequest,
    GetSessionResponse, GetStateRequest, GetStateResponse, JoinSessionRequest, JoinSessionResponse,
    LeaveSessionRequest, ListGamesRequest, ListGamesResponse, SubmitActionRequest,
    SubmitActionResponse, Update, View, WatchSessionRequest, WatchSessionResponse,
    submit_action_request::Answer,
};
use tonic::Status;

use crate::common::{
    Dice, Server, Table,
    raw::framed,
    refused, update_of,
    web::{Fields, Part, Web},
    with_token,
};

const ORIGIN: &str = "https://table.example";

async fn message<T: prost::Message + Default>(web: &mut Web) -> T {
    match web.part().await {
        Some(Part::Message(message)) => T::decode(message).expect("a message decodes"),
        other => panic!("a message was expected: {other:?}"),
    }
}

async fn good_end(web: &mut Web) {
    let Some(Part::Trailers(trailers)) = web.part().await else {
        panic!("trailers come last");
    };
    assert_eq!(trailers.get("grpc-status"), Some("0"), "{trailers:?}");
    assert!(web.part().await.is_none());
}

/// A whole unary call.
async fn unary<T: prost::Message + Default>(
    web: &mut Web,
    method: &str,
    token: Option<&str>,
    request: &impl prost::Message,
) -> T {
    let path = format!("/tavola.v1.SessionService/{method}");
    let (status, head) = web.call(&path, ORIGIN, token, request).await;
    assert_eq!(status, 200, "{head:?}");
    assert_eq!(head.get("content-type"), Some("application/grpc-web+proto"));
    assert_eq!(head.get("access-control-allow-origin"), Some("*"));
    let reply = message(web).await;
    good_end(web).await;
    reply
}

/// Everybody's first request of a page for a stream, and its first update.
async fn watch(server: &Server, session_id: &str, token: Option<&str>) -> (Web, Update) {
    let mut stream = Web::connect(server.address()).await;
    let watch = WatchSessionRequest {
        session_id: session_id.to_owned(),
        from_version: None,
        view: View::Full.into(),
    };
    let path = "/tavola.v1.SessionService/WatchSession";
    let (status, head) = stream.call(path, ORIGIN, token, &watch).await;
    assert_eq!(
        (status, head.get("transfer-encoding")),
        (200, Some("chunked"))
    );
    let first = told(&mut stream).await;
    (stream, first)
}

async fn told(stream: &mut Web) -> Update {
    let told: WatchSessionResponse = message(stream).await;
    update_of(&told.update.unwrap())
}

/// F72: by unary calls and streams from the server alone.
#[tokio::test]
async fn a_browser_plays_a_whole_game_of_each_kind() {
    // House bots are fast, and a busy page may fall behind them.
    let server = Server::start(&["--watcher-lag-max", "4096"]);
    let mut dice = Dice::new();
    let mut page = Web::connect(server.address()).await;
    let path = "/tavola.v1.CatalogService/ListGames";
    let (status, _) = page
        .call(path, ORIGIN, None, &ListGamesRequest::default())
        .await;
    assert_eq!(status, 200);
    let listed: ListGamesResponse = message(&mut page).await;
    good_end(&mut page).await;
    assert_eq!(listed.games.len(), 5);
    for game in listed.games {
        // One connection for calls and one for the stream, as a browser would.
        let mut calls = Web::connect(server.address()).await;
        let create = CreateSessionRequest {
            game: game.game.clone(),
            ..Default::default()
        };
        let created: CreateSessionResponse =
            unary(&mut calls, "CreateSession", None, &create).await;
        let session_id = created.session_id;
        let (mut spectated, lobby) = watch(&server, &session_id, None).await;
        assert!(lobby.snapshot);
        let join = JoinSessionRequest {
            session_id: session_id.clone(),
            seat: None,
            ..Default::default()
        };
        let joined: JoinSessionResponse = unary(&mut calls, "JoinSession", None, &join).await;
        let seat = joined.seat.unwrap();
        let token = Some(joined.seat_token.as_str());
        let (mut stream, first) = watch(&server, &session_id, token).await;
        assert_eq!((first.snapshot, first.seat), (true, Some(seat)));
        let host = Some(created.host_token.as_str());
        for _ in 1..created.session.unwrap().seats.len() {
            let add_bot = AddBotRequest {
                session_id: session_id.clone(),
                bot: "random".to_owned(),
                seat: None,
                ..Default::default()
            };
            let _: AddBotResponse = unary(&mut calls, "AddBot", host, &add_bot).await;
        }

        let mut update = first;
        let mut answered = None;
        let outcome = loop {
            if let Some(outcome) = update.outcome {
                break outcome;
            }
            if let Some(decision) = &update.decision
                && decision.seats.contains(&seat)
                && answered != Some(decision.decision_id)
            {
                answered = Some(decision.decision_id);
                let submit = SubmitActionRequest {
                    session_id: session_id.clone(),
                    decision_id: decision.decision_id,
                    answer: dice
                        .pick(&update.legal_actions)
                        .action
                        .clone()
                        .map(Answer::Action),
                    view: View::Lean.into(),
                };
                let reply: SubmitActionResponse =
                    unary(&mut calls, "SubmitAction", token, &submit).await;
                assert!(reply.version > update.version, "{reply:?}");
            }
            let next = told(&mut stream).await;
            assert_eq!(next.version, update.version + 1, "{}", game.game);
            update = next;
        };
        good_end(&mut stream).await;
        let get = GetSessionRequest {
            session_id: session_id.clone(),
        };
        let session: GetSessionResponse = unary(&mut calls, "GetSession", None, &get).await;
        assert_eq!(session.session.unwrap().outcome.as_ref(), Some(&outcome));

        // Who only looked on has seen it all, too.
        let mut seen = lobby;
        while seen.outcome.is_none() {
            let next = told(&mut spectated).await;
            assert_eq!(next.version, seen.version + 1);
            seen = next;
        }
        good_end(&mut spectated).await;
        assert_eq!(
            (seen.version, seen.outcome),
            (update.version, Some(outcome))
        );

        // And what is left to call.
        let replay = GetReplayRequest {
            session_id: session_id.clone(),
            ..Default::default()
        };
        let replay: GetReplayResponse = unary(&mut calls, "GetReplay", None, &replay).await;
        let state = GetStateRequest {
            session_id: session_id.clone(),
        };
        let state: GetStateResponse = unary(&mut calls, "GetState", None, &state).await;
        assert_eq!(state.version, update.version);
        let observe = GetObservationRequest {
            session_id: session_id.clone(),
            view: View::Full.into(),
        };
        let shown: GetObservationResponse =
            unary(&mut calls, "GetObservation", token, &observe).await;
        assert_eq!(shown.observation, update.observation);
        println!("{}: {} plies from a page", game.game, replay.plies);
        let leave = LeaveSessionRequest {
            session_id: session_id.clone(),
        };
        let path = "/tavola.v1.SessionService/LeaveSession";
        let (_, head) = calls.call(path, ORIGIN, token, &leave).await;
        let status = refused_status(&mut calls, &head).await;
        refused::<()>(Err(status), ErrorReason::GameOver);
        let delete = DeleteSessionRequest { session_id };
        let _: DeleteSessionResponse = unary(&mut calls, "DeleteSession", host, &delete).await;
    }
}

/// The status that the fields of a head or of trailers tell of.
fn status_of(fields: &Fields) -> Status {
    let mut headers = http::HeaderMap::new();
    for (name, value) in &fields.0 {
        headers.insert(
            http::HeaderName::try_from(name).unwrap(),
            value.parse().unwrap(),
        );
    }
    Status::from_header_map(&headers).unwrap_or_else(|| panic!("there is no status: {fields:?}"))
}

/// The status of a refused call, wherever it is told.
async fn refused_status(web: &mut Web, head: &Fields) -> Status {
    if head.get("grpc-status").is_some() {
        web.body().await;
        return status_of(head);
    }
    match web.part().await {
        Some(Part::Trailers(trailers)) => status_of(&trailers),
        other => panic!("a refusal was expected: {other:?}"),
    }
}

#[tokio::test]
async fn a_browser_can_read_why_it_was_refused() {
    let server = Server::start(&[]);
    let table = Table::santorini(&server.sessions().await).await;
    let mut web = Web::connect(server.address()).await;
    let get = |session_id: &str| GetSessionRequest {
        session_id: session_id.to_owned(),
    };
    for (session_id, reason) in [
        ("", ErrorReason::MalformedRequest),
        ("nope", ErrorReason::SessionNotFound),
    ] {
        let path = "/tavola.v1.SessionService/GetSession";
        let (status, head) = web.call(path, ORIGIN, None, &get(session_id)).await;
        assert_eq!(status, 200, "gRPC tells of errors in its own status");
        assert_eq!(head.get("access-control-allow-origin"), Some("*"));
        let exposed = head.list("access-control-expose-headers");
        assert_eq!(
            exposed,
            ["grpc-message", "grpc-status", "grpc-status-details-bin"]
        );
        let status = refused_status(&mut web, &head).await;
        refused::<()>(Err(status), reason);
    }

    // An error in the middle of a stream comes in its trailers.
    let watch = WatchSessionRequest {
        session_id: table.id.clone(),
        ..Default::default()
    };
    let path = "/tavola.v1.SessionService/WatchSession";
    web.call(path, ORIGIN, None, &watch).await;
    let _: WatchSessionResponse = message(&mut web).await;
    let delete = DeleteSessionRequest {
        session_id: table.id.clone(),
    };
    let mut client = table.client.clone();
    client
        .delete_session(with_token(Some(&table.host), delete))
        .await
        .unwrap();
    let Some(Part::Trailers(trailers)) = web.part().await else {
        panic!("the stream ends");
    };
    refused::<()>(Err(status_of(&trailers)), ErrorReason::SessionNotFound);
}

/// Asks for permission to call, as a page of `origin`.
async fn preflight(server: &Server, origin: &str) -> (u16, Fields) {
    let mut web = Web::connect(server.address()).await;
    let head = format!(
        "OPTIONS /tavola.v1.SessionService/SubmitAction HTTP/1.1\nhost: tavola.test\n\
         origin: {origin}\naccess-control-request-method: POST\n\
         access-control-request-headers: authorization,content-type,grpc-timeout,x-grpc-web,x-user-agent"
    );
    web.request(&head, &[]).await
}

#[tokio::test]
async fn any_page_may_call_unless_told_otherwise() {
    let server = Server::start(&[]);
    let (status, head) = preflight(&server, ORIGIN).await;
    assert_eq!(status, 200);
    assert_eq!(head.get("access-control-allow-origin"), Some("*"));
    assert_eq!(head.list("access-control-allow-methods"), ["post"]);
    assert_eq!(
        head.list("access-control-allow-headers"),
        [
            "authorization",
            "content-type",
            "grpc-timeout",
            "x-grpc-web",
            "x-user-agent"
        ]
    );
    assert_eq!(head.get("access-control-max-age"), Some("86400"));
}

#[tokio::test]
async fn only_pages_from_the_named_origins_may_call() {
    let origins = "https://table.example, http://localhost:8080";
    for (flags, allowed) in [
        (
            ["--web-origins", origins],
            &["https://table.example", "http://localhost:8080"][..],
        ),
        (["--web-origins", ""], &[]),
    ] {
        let server = Server::start(&flags);
        let table = Table::santorini(&server.sessions().await).await;
        for origin in [
            "https://table.example",
            "http://localhost:8080",
            "http://table.example",
            "https://table.example:444",
            "https://evil.example",
            "https://table.example.evil.example",
            "null",
        ] {
            let expected = allowed.contains(&origin).then_some(origin);
            let (_, head) = preflight(&server, origin).await;
            let granted = head.get("access-control-allow-origin");
            assert_eq!(granted, expected, "{origin} where {allowed:?} may");

            let mut web = Web::connect(server.address()).await;
            let get = GetSessionRequest {
                session_id: table.id.clone(),
            };
            let path = "/tavola.v1.SessionService/GetSession";
            let (_, head) = web.call(path, origin, None, &get).await;
            assert_eq!(head.get("access-control-allow-origin"), expected);
            assert!(
                head.list("vary").contains(&"origin".to_owned()),
                "a cache must not mix up origins: {head:?}"
            );
        }
    }
}

#[tokio::test]
async fn a_page_may_speak_base64() {
    use base64::{
        Engine as _,
        engine::general_purpose::{STANDARD, STANDARD_NO_PAD},
    };

    let server = Server::start(&[]);
    let table = Table::santorini(&server.sessions().await).await;
    let get = GetSessionRequest {
        session_id: table.id.clone(),
    };
    let body = STANDARD.encode(framed(&get.encode_to_vec()));
    let head = format!(
        "POST /tavola.v1.SessionService/GetSession HTTP/1.1\nhost: tavola.test\norigin: {ORIGIN}\n\
         content-type: application/grpc-web-text\naccept: application/grpc-web-text\n\
         content-length: {}",
        body.len()
    );
    let mut web = Web::connect(server.address()).await;
    let (status, _) = web.request(&head, body.as_bytes()).await;
    assert_eq!(status, 200);
    // Each part is encoded, and padded, by itself.
    let text = web.body().await;
    let text = std::str::from_utf8(&text).unwrap();
    let mut bytes = BytesMut::new();
    for part in text.split('=') {
        bytes.extend_from_slice(&STANDARD_NO_PAD.decode(part).expect("it is Base64"));
    }
    let (flags, first) = crate::common::raw::unframed(&mut bytes).unwrap();
    assert_eq!(flags, 0);
    let session = GetSessionResponse::decode(first).unwrap().session.unwrap();
    assert_eq!(session.session_id, table.id);
}

#[tokio::test]
async fn a_browser_can_read_the_refusals_of_limits_too() {
    let server = Server::start(&["--call-timeout-ms", "300", "--request-bytes-max", "2000"]);
    let mut web = Web::connect(server.address()).await;
    let get = GetSessionRequest {
        session_id: "a".repeat(3000),
    };
    let path = "/tavola.v1.SessionService/GetSession";
    let (_, head) = web.call(path, ORIGIN, None, &get).await;
    assert_eq!(head.get("access-control-allow-origin"), Some("*"));
    let status = refused_status(&mut web, &head).await;
    refused::<()>(Err(status), ErrorReason::LimitReached);

    let head = format!(
        "POST {path} HTTP/1.1\nhost: tavola.test\norigin: {ORIGIN}\nx-grpc-web: 1\n\
         content-type: application/grpc-web+proto\ncontent-length: 40"
    );
    let mut web = Web::connect(server.address()).await;
    let (_, head) = web.request(&head, &[0, 0]).await;
    assert_eq!(
        head.get("access-control-allow-origin"),
        Some("*"),
        "{head:?}"
    );
    let status = refused_status(&mut web, &head).await;
    refused::<()>(Err(status), ErrorReason::CallTimedOut);
}
