//! What lies under the services: reflection, health, limits, keepalive, and what is not gRPC at all.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    time::{Duration, Instant},
};

use bytes::{BufMut as _, Bytes, BytesMut};
use http::HeaderMap;
use prost::Message as _;
use prost_types::FileDescriptorProto;
use tavola::pb::v1::{
    ErrorReason, GetGameRequest, GetServerInfoRequest, GetSessionRequest, ListGamesRequest,
    PlayRequest, SubmitActionRequest, SubmitActionResponse, View, submit_action_request::Answer,
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    sync::mpsc,
};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::{Code, Status};
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};
use tonic_types::StatusExt as _;

use crate::common::{
    Dice, Player, Server, Table, eventually,
    raw::{Raw, Replies, framed},
    refused, soon, update_of,
    web::Web,
    with_token,
};

// === reflection

/// What a reflection service answers, of either version.
#[derive(Debug)]
enum Reflected {
    Services(BTreeSet<String>),
    Files(Vec<FileDescriptorProto>),
    Error(i32),
}

#[derive(Clone, Debug)]
enum Ask {
    List,
    Symbol(String),
    File(String),
}

macro_rules! reflection {
    ($name:ident, $version:ident) => {
        async fn $name(server: &Server, ask: Ask) -> Reflected {
            use tonic_reflection::pb::$version::{
                ServerReflectionRequest, server_reflection_client::ServerReflectionClient,
                server_reflection_request::MessageRequest,
                server_reflection_response::MessageResponse,
            };

            let request = ServerReflectionRequest {
                host: String::new(),
                message_request: Some(match ask {
                    Ask::List => MessageRequest::ListServices(String::new()),
                    Ask::Symbol(symbol) => MessageRequest::FileContainingSymbol(symbol),
                    Ask::File(name) => MessageRequest::FileByFilename(name),
                }),
            };
            let mut client = ServerReflectionClient::new(server.channel().await);
            let requests = tokio_stream::iter([request]);
            let mut replies = client
                .server_reflection_info(requests)
                .await
                .unwrap()
                .into_inner();
            let reply = match soon("what is reflected", replies.message()).await {
                Ok(reply) => reply.expect("a question gets an answer"),
                // What is not there may also end the stream.
                Err(status) => return Reflected::Error(status.code().into()),
            };
            match reply.message_response.unwrap() {
                MessageResponse::ListServicesResponse(list) => Reflected::Services(
                    list.service
                        .into_iter()
                        .map(|service| service.name)
                        .collect(),
                ),
                MessageResponse::FileDescriptorResponse(files) => Reflected::Files(
                    files
                        .file_descriptor_proto
                        .iter()
                        .map(|file| FileDescriptorProto::decode(&file[..]).unwrap())
                        .collect(),
                ),
                MessageResponse::ErrorResponse(error) => Reflected::Error(error.error_code),
                other => panic!("that was not asked: {other:?}"),
            }
        }
    };
}

reflection!(reflect_v1, v1);
reflection!(reflect_v1alpha, v1alpha);

async fn reflect(version: &str, server: &Server, ask: Ask) -> Reflected {
    match version {
        "v1" => reflect_v1(server, ask).await,
        _ => reflect_v1alpha(server, ask).await,
    }
}

/// F70: by both versions of reflection, with all that they refer to.
#[tokio::test]
async fn a_stranger_finds_every_service_with_its_comments() {
    let server = Server::start(&[]);
    for version in ["v1", "v1alpha"] {
        let Reflected::Services(services) = reflect(version, &server, Ask::List).await else {
            panic!("a list was asked for");
        };
        // Each version of reflection tells of itself, and of all that is not reflection.
        let expected = [
            "grpc.health.v1.Health".to_owned(),
            format!("grpc.reflection.{version}.ServerReflection"),
            "tavola.v1.CatalogService".to_owned(),
            "tavola.v1.SessionService".to_owned(),
        ];
        assert_eq!(services, expected.into(), "{version}");

        for service in services {
            // All files that the service needs, by the names that they import each other by.
            let mut files: BTreeMap<String, FileDescriptorProto> = BTreeMap::new();
            let mut wanted = vec![Ask::Symbol(service.clone())];
            while let Some(ask) = wanted.pop() {
                let Reflected::Files(found) = reflect(version, &server, ask.clone()).await else {
                    panic!("{service} needs {ask:?}");
                };
                for file in found {
                    for import in &file.dependency {
                        if !files.contains_key(import) {
                            wanted.push(Ask::File(import.clone()));
                        }
                    }
                    files.insert(file.name().to_owned(), file);
                }
            }
            let file = files
                .values()
                .find(|file| {
                    file.service
                        .iter()
                        .any(|found| format!("{}.{}", file.package(), found.name()) == service)
                })
                .expect("the file of the service is among them");
            if service.starts_with("tavola.") {
                let comments = comments(file);
                for (at, method) in (0..).zip(&file.service[0].method) {
                    let comment = comments.get(&vec![6, 0, 2, at]);
                    assert!(
                        comment.is_some_and(|text| text.len() > 5),
                        "{}",
                        method.name()
                    );
                }
            }
        }
    }
}

/// The leading comments of a file by their paths.
fn comments(file: &FileDescriptorProto) -> BTreeMap<Vec<i32>, String> {
    let info = file.source_code_info.iter();
    info.flat_map(|info| &info.location)
        .filter(|location| !location.leading_comments().is_empty())
        .map(|location| {
            (
                location.path.clone(),
                location.leading_comments().to_owned(),
            )
        })
        .collect()
}

#[tokio::test]
async fn a_stranger_can_ask_for_messages_and_methods() {
    let server = Server::start(&[]);
    for version in ["v1", "v1alpha"] {
        for (symbol, file) in [
            (
                "tavola.v1.SubmitActionRequest",
                "tavola/v1/session_service.proto",
            ),
            (
                "tavola.v1.SessionService.Play",
                "tavola/v1/session_service.proto",
            ),
            ("tavola.v1.ErrorReason", "tavola/v1/error_reason.proto"),
            (
                "tavola.santorini.v1.Observation",
                "tavola/santorini/v1/santorini.proto",
            ),
            ("tavola.v1.Update", "tavola/v1/session.proto"),
        ] {
            let ask = Ask::Symbol(symbol.to_owned());
            let Reflected::Files(files) = reflect(version, &server, ask).await else {
                panic!("{symbol} is not found");
            };
            assert_eq!(files[0].name(), file, "{version} {symbol}");
            if symbol == "tavola.v1.Update" {
                // A client that learns the contract here must not learn the server's own reading of it.
                let names: Vec<_> = files[0]
                    .message_type
                    .iter()
                    .map(|message| message.name())
                    .collect();
                assert!(names.contains(&"Update"), "{names:?}");
            }
            if symbol == "tavola.v1.SessionService.Play" {
                let message = files[0]
                    .message_type
                    .iter()
                    .find(|message| message.name() == "WatchSessionResponse")
                    .unwrap();
                assert_eq!(message.field[0].type_name(), ".tavola.v1.Update");
            }
        }
        let ask = Ask::Symbol("tavola.v1.Nothing".to_owned());
        let answer = reflect(version, &server, ask).await;
        assert!(
            matches!(answer, Reflected::Error(code) if code == i32::from(Code::NotFound)),
            "{version}: {answer:?}"
        );
    }
}

// === health

#[tokio::test]
async fn it_is_healthy_from_its_first_word_on() {
    for _ in 0..10 {
        let server = Server::start(&[]);
        for service in ["tavola.v1.SessionService", "tavola.v1.CatalogService", ""] {
            let mut client = HealthClient::new(server.channel().await);
            let request = HealthCheckRequest {
                service: service.to_owned(),
            };
            let health = client.check(request).await.unwrap().into_inner();
            assert_eq!(health.status(), ServingStatus::Serving, "{service:?}");
        }
    }
}

#[tokio::test]
async fn health_is_told_per_service() {
    let server = Server::start(&[]);
    let mut client = HealthClient::new(server.channel().await);
    let mut check = async |service: &str| {
        let request = HealthCheckRequest {
            service: service.to_owned(),
        };
        client
            .check(request)
            .await
            .map(|reply| reply.into_inner().status())
    };
    for service in ["", "tavola.v1.SessionService", "tavola.v1.CatalogService"] {
        assert_eq!(
            check(service).await.unwrap(),
            ServingStatus::Serving,
            "{service:?}"
        );
    }
    let unknown = check("tavola.v1.LabService").await.unwrap_err();
    assert_eq!(unknown.code(), Code::NotFound);
}

// === limits of calls

#[tokio::test]
async fn a_request_that_is_too_large_is_refused_and_the_limit_named() {
    let server = Server::start(&["--request-bytes-max", "2000"]);
    let mut sessions = server.sessions().await;
    let mut catalog = server.catalog().await;
    let fits = "a".repeat(2000 - 3);
    let request = GetGameRequest { game: fits.clone() };
    assert_eq!(request.encoded_len(), 2000);
    refused(catalog.get_game(request).await, ErrorReason::GameNotFound);
    let request = GetGameRequest { game: fits + "a" };
    let refusal = refused(catalog.get_game(request).await, ErrorReason::LimitReached);
    assert_eq!(refusal.metadata["limit"], "request_bytes_max");
    assert_eq!(refusal.metadata["max"], "2000");
    let request = GetSessionRequest {
        session_id: "a".repeat(100_000),
    };
    let refusal = refused(
        sessions.get_session(request).await,
        ErrorReason::LimitReached,
    );
    assert!(refusal.text.contains("2000"), "{refusal:?}");

    // On a stream too, where the table stays as it was.
    let table = Table::santorini(&sessions).await;
    let mut player = Player::at(&table, 0).await;
    let now = player.update().await;
    let open = tavola::pb::v1::PlayOpen {
        session_id: "a".repeat(3000),
        ..Default::default()
    };
    player.send(Some(tavola::pb::v1::play_request::Kind::Open(open)));
    refused(player.next().await, ErrorReason::LimitReached);
    assert_eq!(table.session().await.version, now.version);
}

#[tokio::test]
async fn what_is_no_message_is_malformed() {
    let server = Server::start(&[]);
    let mut raw = Raw::connect(server.address(), 1 << 16).await;
    for (what, bytes) in [
        ("a length beyond the end", vec![0x0a, 0x7f, b'a']),
        ("a number where a text is", vec![0x08, 0x01]),
        ("no text", vec![0x0a, 0x02, 0xff, 0xfe]),
        ("an endless number", vec![0xff; 11]),
        ("field number zero", vec![0x02, 0x00]),
    ] {
        let request = raw.request("/tavola.v1.SessionService/GetSession", None);
        let (response, mut body) = raw.begin(request).await;
        body.send_data(framed(&bytes), true).unwrap();
        let response = soon("an answer", response).await.unwrap();
        let status = Status::from_header_map(response.headers()).expect("it is refused");
        println!("{what}: {status:?}");
        refused::<()>(Err(status), ErrorReason::MalformedRequest);
    }
}

#[tokio::test]
async fn a_message_of_four_gigabytes_is_refused_by_its_first_words() {
    let server = Server::start(&[]);
    let mut raw = Raw::connect(server.address(), 1 << 16).await;
    let request = raw.request("/tavola.v1.SessionService/GetSession", None);
    let (response, mut body) = raw.begin(request).await;
    let mut frame = BytesMut::new();
    frame.put_u8(0);
    frame.put_u32(u32::MAX);
    body.send_data(frame.freeze(), false).unwrap();
    let response = soon("an answer", response).await.unwrap();
    let status = Status::from_header_map(response.headers()).expect("it is refused");
    refused::<()>(Err(status), ErrorReason::LimitReached);
}

/// F63: before anything is unpacked, so that small frames cannot become large ones.
#[tokio::test]
async fn f63_compressed_requests_are_refused() {
    let server = Server::start(&[]);
    let resident_kib = || {
        let status = fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB"));
        kib.unwrap().parse::<u64>().unwrap()
    };
    let mut packed = vec![0; 32 << 10];
    packed[..10].copy_from_slice(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
    let mut frame = BytesMut::from(&framed(&packed)[..]);
    // It says of itself that it is compressed.
    frame[0] = 1;
    let frame = frame.freeze();
    let mut raw = Raw::connect(server.address(), 1 << 16).await;
    let mut resident = Vec::new();
    for _ in 0..200 {
        let mut request = raw.request("/tavola.v1.SessionService/GetSession", None);
        let gzip = http::HeaderValue::from_static("gzip");
        request.headers_mut().insert("grpc-encoding", gzip);
        let (response, mut body) = raw.begin(request).await;
        body.send_data(frame.clone(), true).unwrap();
        let response = soon("an answer", response).await.unwrap();
        let status = Status::from_header_map(response.headers()).expect("it is refused");
        assert_eq!(status.code(), Code::Unimplemented, "{status:?}");
        resident.push(resident_kib());
    }
    // The first one makes the server ready for the others. All of them are 6 MiB as they are sent, which it may not have
    // got rid of yet.
    let (first, most) = (resident[0], resident.iter().max().unwrap());
    assert!(*most <= first + (16 << 10), "{first} KiB, then {most} KiB");
}

/// How the body of a call is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sent {
    /// At once, with its end.
    Whole,
    /// At once, and its end later.
    EndLater,
    /// At once, and then trailers.
    Trailers,
    /// In two parts, the first so long.
    Parts(usize),
}

/// The code, the message, and the reason with its facts.
type Refused = (Code, String, Option<(String, BTreeMap<String, String>)>);

/// Submits a body: the reply's head, message and trailers, or the refusal.
async fn submit_raw(
    raw: &mut Raw,
    token: Option<&str>,
    encoding: Option<&'static str>,
    bytes: &Bytes,
    sent: Sent,
) -> Result<(HeaderMap, Bytes, HeaderMap), Refused> {
    let mut request = raw.request("/tavola.v1.SessionService/SubmitAction", token);
    if let Some(encoding) = encoding {
        let encoding = http::HeaderValue::from_static(encoding);
        request.headers_mut().insert("grpc-encoding", encoding);
    }
    let (response, mut body) = raw.begin(request).await;
    let first = match sent {
        Sent::Parts(length) => length.min(bytes.len()),
        Sent::Whole | Sent::EndLater | Sent::Trailers => bytes.len(),
    };
    body.send_data(bytes.slice(..first), sent == Sent::Whole)
        .unwrap();
    if sent != Sent::Whole {
        // So that it arrives by itself.
        tokio::time::sleep(Duration::from_millis(5)).await;
        // The server may have answered already, and want no more.
        let _ = match sent {
            Sent::Trailers => body.send_trailers(HeaderMap::new()),
            _ => body.send_data(bytes.slice(first..), true),
        };
    }
    let response = soon("an answer", response).await.unwrap();
    assert_eq!(response.status(), 200);
    if let Some(status) = Status::from_header_map(response.headers()) {
        let info = status.get_details_error_info();
        let info = info.map(|info| (info.reason, BTreeMap::from_iter(info.metadata)));
        return Err((status.code(), status.message().to_owned(), info));
    }
    let mut headers = response.headers().clone();
    headers.remove("date");
    let mut replies = Replies::new(response.into_body());
    let message = replies.next().await.unwrap();
    assert_eq!(replies.next().await, None);
    Ok((headers, message, replies.trailers().await))
}

#[tokio::test]
async fn a_submission_is_answered_alike_however_it_arrives() {
    let server = Server::start(&["--request-bytes-max", "1024"]);
    let table = Table::santorini(&server.sessions().await).await;
    let mut raw = Raw::connect(server.address(), 1 << 16).await;
    let seen = table.observe(Some(0), View::Lean).await;
    for view in [View::Lean, View::Full] {
        let submit = SubmitActionRequest {
            session_id: table.id.clone(),
            decision_id: seen.decision.as_ref().unwrap().decision_id,
            answer: Some(Answer::ActionId(seen.legal_action_ids[0])),
            view: view.into(),
        };
        let bytes = framed(&submit.encode_to_vec());
        let token = table.token(Some(0));
        let first = submit_raw(&mut raw, token, None, &bytes, Sent::Whole).await;
        let (headers, message, trailers) = first.clone().unwrap();
        assert_eq!(headers["content-type"], "application/grpc");
        assert_eq!((headers.len(), trailers.len()), (1, 1));
        assert_eq!(trailers["grpc-status"], "0");
        let reply = SubmitActionResponse::decode(message.clone()).unwrap();
        assert_eq!(reply.version, seen.version + 1);
        // The same again is answered by the first reply.
        for sent in [Sent::EndLater, Sent::Trailers]
            .into_iter()
            .chain([0, 1, 4, 5, 6, bytes.len() - 1].map(Sent::Parts))
        {
            let again = submit_raw(&mut raw, token, None, &bytes, sent).await;
            assert_eq!(again, first, "{sent:?}");
        }
        let identity = Some("identity");
        let again = submit_raw(&mut raw, token, identity, &bytes, Sent::Whole).await;
        assert_eq!(again, first);
        let twice = Bytes::from(bytes.repeat(2));
        let again = submit_raw(&mut raw, token, None, &twice, Sent::Whole).await;
        assert_eq!(again, first, "only the first message counts");
    }
}

#[tokio::test]
async fn a_submission_is_refused_alike_however_it_arrives() {
    let server = Server::start(&["--request-bytes-max", "1024"]);
    let table = Table::santorini(&server.sessions().await).await;
    let mut raw = Raw::connect(server.address(), 1 << 16).await;
    let submit = SubmitActionRequest {
        session_id: table.id.clone(),
        ..Default::default()
    };
    let fine = framed(&submit.encode_to_vec());
    let large = SubmitActionRequest {
        session_id: "a".repeat(1200),
        ..Default::default()
    };
    let with_flag = |flag| {
        let mut bytes = BytesMut::from(&fine[..]);
        bytes[0] = flag;
        bytes.freeze()
    };
    let cases = [
        ("no decision", fine.clone(), Code::InvalidArgument),
        ("garbage", framed(&[0xff; 11]), Code::InvalidArgument),
        ("nothing", Bytes::new(), Code::InvalidArgument),
        ("too short", fine.slice(..20), Code::InvalidArgument),
        (
            "too large",
            framed(&large.encode_to_vec()),
            Code::ResourceExhausted,
        ),
        ("compressed", with_flag(1), Code::InvalidArgument),
        ("a strange flag", with_flag(2), Code::InvalidArgument),
    ];
    for (what, bytes, code) in cases {
        let mut refusals = Vec::new();
        for sent in [Sent::Whole, Sent::EndLater, Sent::Parts(3)] {
            let refused = submit_raw(&mut raw, table.token(Some(0)), None, &bytes, sent).await;
            refusals.push(refused.unwrap_err());
        }
        println!("{what}: {:?}", refusals[0]);
        assert_eq!(refusals[0].0, code, "{what}");
        assert!(
            refusals.iter().all(|refusal| *refusal == refusals[0]),
            "{what}: {refusals:?}"
        );
    }
    let gzip = submit_raw(&mut raw, None, Some("gzip"), &fine, Sent::Whole).await;
    assert_eq!(gzip.unwrap_err().0, Code::Unimplemented);
    let nobody = submit_raw(&mut raw, None, None, &fine, Sent::Whole).await;
    assert_eq!(nobody.unwrap_err().0, Code::InvalidArgument);
    let token = Some("no token");
    let unknown = submit_raw(&mut raw, token, None, &fine, Sent::Whole).await;
    assert_eq!(unknown.unwrap_err().0, Code::Unauthenticated);
}

#[tokio::test]
async fn a_call_that_takes_too_long_is_ended() {
    let server = Server::start(&["--call-timeout-ms", "300"]);
    let table = Table::santorini(&server.sessions().await).await;

    // A stream both ways that is never opened.
    let (_silent, receiver) = mpsc::unbounded_channel::<PlayRequest>();
    let mut client = table.client.clone();
    let requests = with_token(table.token(Some(0)), UnboundedReceiverStream::new(receiver));
    let opened = soon("the end of the server's patience", client.play(requests)).await;
    refused(opened, ErrorReason::CallTimedOut);

    // A request of which half is sent.
    let mut raw = Raw::connect(server.address(), 1 << 16).await;
    let request = raw.request("/tavola.v1.SessionService/GetSession", None);
    let (response, mut body) = raw.begin(request).await;
    body.send_data(Bytes::from_static(&[0, 0, 0]), false)
        .unwrap();
    let response = soon("the end of the server's patience", response)
        .await
        .unwrap();
    let status = Status::from_header_map(response.headers()).expect("it is refused");
    refused::<()>(Err(status), ErrorReason::CallTimedOut);

    // A stream that is open is no call that takes long.
    let mut watching = table.watch(None, View::Lean).await;
    watching.next().await;
    let mut player = Player::at(&table, 0).await;
    player.update().await;
    tokio::time::sleep(Duration::from_millis(600)).await;
    table.play_ply(&mut Dice::new()).await.unwrap();
    watching.next().await;
    player.update().await;
}

/// A call that is under way and never ends by itself.
async fn call_in_flight(raw: &mut Raw) -> (h2::client::ResponseFuture, h2::SendStream<Bytes>) {
    let request = raw.request("/tavola.v1.SessionService/GetSession", None);
    raw.begin(request).await
}

#[tokio::test]
async fn the_limit_of_calls_is_that_of_the_whole_server() {
    let server = Server::start(&["--calls-max", "8", "--io-threads", "2"]);
    let mut connections = Vec::new();
    // Far more than 8, from so many connections that each event loop has some.
    for _ in 0..16 {
        let mut raw = Raw::connect(server.address(), 1 << 16).await;
        let calls = [
            call_in_flight(&mut raw).await,
            call_in_flight(&mut raw).await,
        ];
        connections.push((raw, calls));
    }
    let catalog = server.catalog().await;
    let call = async || {
        let mut catalog = catalog.clone();
        catalog.get_server_info(GetServerInfoRequest {}).await
    };
    let refused_with = eventually("a refusal", async || call().await.err()).await;
    let refusal = refused::<()>(Err(refused_with), ErrorReason::LimitReached);
    assert_eq!(refusal.metadata["limit"], "calls_max");
    assert_eq!(refusal.metadata["max"], "8", "the value that was set");
    drop(connections);
    eventually("room for a call", async || call().await.ok()).await;
}

#[tokio::test]
async fn calls_beyond_the_limit_are_refused_at_once_and_the_limit_named() {
    let server = Server::start(&["--calls-max", "1", "--io-threads", "1"]);
    let table = Table::santorini(&server.sessions().await).await;
    // A stream that is open is no call in flight any more.
    let mut watching = table.watch(None, View::Lean).await;
    watching.next().await;
    let mut raw = Raw::connect(server.address(), 1 << 16).await;
    let request = raw.request("/tavola.v1.SessionService/GetSession", None);
    let (in_flight, mut body) = raw.begin(request).await;
    let refusal = eventually("a refusal", || async {
        let request = GetSessionRequest {
            session_id: table.id.clone(),
        };
        let refused = table.client.clone().get_session(request).await;
        refused.err()
    })
    .await;
    let refusal = refused::<()>(Err(refusal), ErrorReason::LimitReached);
    assert_eq!(refusal.metadata["limit"], "calls_max");
    assert_eq!(refusal.metadata["max"], "1");

    let get = GetSessionRequest {
        session_id: table.id.clone(),
    };
    body.send_data(framed(&get.encode_to_vec()), true).unwrap();
    let response = soon("the call that was in flight", in_flight)
        .await
        .unwrap();
    let mut replies = Replies::new(response.into_body());
    assert!(replies.next().await.is_some());
    assert_eq!(replies.trailers().await["grpc-status"], "0");
    assert_eq!(table.session().await.session_id, table.id);
}

#[tokio::test]
async fn headers_that_are_too_large_are_refused_and_nobody_else_is() {
    let server = Server::start(&["--header-bytes-max", "2048"]);
    let table = Table::santorini(&server.sessions().await).await;
    let mut raw = Raw::connect(server.address(), 1 << 16).await;
    let get = GetSessionRequest {
        session_id: table.id.clone(),
    };
    for (bytes, fits) in [(500, true), (4096, false), (500, true), (100_000, false)] {
        let mut request = raw.request("/tavola.v1.SessionService/GetSession", None);
        let value = http::HeaderValue::try_from("a".repeat(bytes)).unwrap();
        request.headers_mut().insert("x-large", value);
        let (response, mut body) = raw.begin(request).await;
        // It may be refused by its headers, before its end is sent.
        let _ = body.send_data(framed(&get.encode_to_vec()), true);
        let served = match soon("an answer", response).await {
            Ok(response) => {
                response.status() == 200 && response.headers().get("grpc-status").is_none()
            }
            Err(_) => false,
        };
        assert_eq!(served, fits, "headers of {bytes} bytes");
        if !fits {
            raw = Raw::connect(server.address(), 1 << 16).await;
        }
    }
    assert_eq!(table.session().await.session_id, table.id);
}

// === limits of connections

/// Reads until the other side closes; how long that took.
async fn until_closed(mut socket: TcpStream, began: Instant) -> Duration {
    let mut buffer = [0; 1024];
    loop {
        match soon("the end of a connection", socket.read(&mut buffer)).await {
            Ok(0) | Err(_) => return began.elapsed(),
            Ok(_) => {}
        }
    }
}

#[tokio::test]
async fn a_connection_that_says_nothing_is_closed_in_time() {
    let server = Server::start(&["--handshake-timeout-s", "1"]);
    let began = Instant::now();
    let mut silent = tokio::task::JoinSet::new();
    // Some say nothing at all, others begin and say no more.
    for words in ["", "P", "PRI * HTTP/2.0\r\n\r\nSM\r\n", "GET /"] {
        for _ in 0..5 {
            let mut socket = TcpStream::connect(server.address()).await.unwrap();
            socket.write_all(words.as_bytes()).await.unwrap();
            silent.spawn(until_closed(socket, began));
        }
    }
    let mut speaks = server.catalog().await;
    for took in silent.join_all().await {
        assert!(took >= Duration::from_millis(900), "closed after {took:?}");
        assert!(took < Duration::from_secs(5), "closed after {took:?}");
    }
    // One that has spoken may be silent for longer.
    speaks
        .get_server_info(GetServerInfoRequest {})
        .await
        .unwrap();
}

#[tokio::test]
async fn a_connection_that_answers_no_ping_is_closed_in_time() {
    let server = Server::start(&["--keepalive-interval-s", "1", "--keepalive-timeout-s", "1"]);
    let table = Table::santorini(&server.sessions().await).await;
    // One that answers pings stays, however little it says.
    let mut watching = table.watch(None, View::Lean).await;
    watching.next().await;

    let mut socket = TcpStream::connect(server.address()).await.unwrap();
    let began = Instant::now();
    // The preface and empty settings, and then nothing any more.
    socket
        .write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        .await
        .unwrap();
    socket
        .write_all(&[0, 0, 0, 4, 0, 0, 0, 0, 0])
        .await
        .unwrap();
    let took = until_closed(socket, began).await;
    assert!(took >= Duration::from_millis(1500), "closed after {took:?}");
    assert!(took < Duration::from_secs(8), "closed after {took:?}");

    table.play_ply(&mut Dice::new()).await.unwrap();
    watching.next().await;
}

#[tokio::test]
async fn a_connection_that_is_too_old_is_asked_to_go_and_its_streams_resume() {
    let server = Server::start(&[
        "--connection-age-max-s",
        "1",
        "--connection-age-grace-s",
        "1",
    ]);
    let table = Table::santorini(&server.sessions().await).await;
    let mut dice = Dice::new();
    let mut watching = table.watch(None, View::Lean).await;
    let version = watching.next().await.version;
    let began = Instant::now();
    let end = watching.end().await;
    assert!(end.is_some(), "the game is not over");
    assert!(began.elapsed() < Duration::from_secs(8));
    table.play_plies(&mut dice, 3).await;
    let mut resumed = table.resume(None, View::Lean, version).await.unwrap();
    for next in 1..=3 {
        assert_eq!(resumed.next().await.version, version + next);
    }
}

#[tokio::test]
async fn one_address_gets_no_more_connections_than_allowed() {
    for flag in ["--connections-per-peer-max", "--connections-max"] {
        let server = Server::start(&[flag, "3"]);
        let mut connected = Vec::new();
        for _ in 0..3 {
            let mut catalog = server.catalog().await;
            catalog
                .get_server_info(GetServerInfoRequest {})
                .await
                .unwrap();
            connected.push(catalog);
        }
        let began = Instant::now();
        let fourth = TcpStream::connect(server.address()).await.unwrap();
        until_closed(fourth, began).await;
        for catalog in &mut connected {
            catalog
                .get_server_info(GetServerInfoRequest {})
                .await
                .unwrap();
        }
        // One goes, another may come.
        connected.pop();
        eventually("room for a connection", || async {
            let channel = server.endpoint().connect().await.ok()?;
            let mut catalog = crate::common::Catalog::new(channel);
            catalog.get_server_info(GetServerInfoRequest {}).await.ok()
        })
        .await;
    }
}

#[tokio::test]
async fn what_is_not_grpc_is_turned_away() {
    let server = Server::start(&[]);
    let mut said = vec![
        b"SSH-2.0-OpenSSH_9.6\r\n".to_vec(),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nnot a frame at all".to_vec(),
        b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0".to_vec(),
        b"GET / HTTP/0.9\r\n\r\n".to_vec(),
        vec![0xff; 100_000],
    ];
    let mut dice = Dice::new();
    for _ in 0..20 {
        let length = 1 + dice.below(500);
        said.push((0..length).map(|_| dice.next().to_le_bytes()[0]).collect());
    }
    for words in said {
        let mut socket = TcpStream::connect(server.address()).await.unwrap();
        let began = Instant::now();
        // It may have heard enough before the end.
        let _ = socket.write_all(&words).await;
        let _ = socket.shutdown().await;
        until_closed(socket, began).await;
    }
    // A page, and a method that there is not.
    let mut web = Web::connect(server.address()).await;
    let (status, _) = web.request("GET / HTTP/1.1\nhost: tavola.test", &[]).await;
    assert!((400..500).contains(&status), "{status}");
    let mut raw = Raw::connect(server.address(), 1 << 16).await;
    for path in [
        "/tavola.v1.SessionService/Nothing",
        "/tavola.v1.Nothing/GetSession",
        "/",
    ] {
        let (response, _body) = {
            let request = raw.request(path, None);
            raw.begin(request).await
        };
        let response = soon("an answer", response).await.unwrap();
        let status = Status::from_header_map(response.headers()).expect("it is refused");
        assert_eq!(status.code(), Code::Unimplemented, "{path}");
    }
    server
        .catalog()
        .await
        .list_games(ListGamesRequest::default())
        .await
        .unwrap();
}

// === time

#[tokio::test]
async fn nothing_waits_for_the_acknowledgement_of_what_was_sent_before() {
    let server = Server::start(&[]);
    let table = Table::santorini(&server.sessions().await).await;
    let mut dice = Dice::new();
    // Two players, each on a connection of its own, on which it also makes calls.
    let elsewhere = Table {
        client: server.sessions().await,
        ..table.clone()
    };
    let mut players = [Player::at(&table, 0).await, Player::at(&elsewhere, 1).await];
    let mut now = players[0].update().await;
    players[1].update().await;
    let (mut calls, mut updates) = (Vec::new(), Vec::new());
    while let Some(seat) = crate::common::asked_seat(now.decision.as_ref()) {
        let began = Instant::now();
        let tables = [&table, &elsewhere];
        let legal = tables[seat]
            .observe(Some(seat), View::Lean)
            .await
            .legal_action_ids;
        calls.push(began.elapsed());
        let decision = now.decision.as_ref().unwrap().decision_id;
        let answer = tavola::pb::v1::play_submit::Answer::ActionId(*dice.pick(&legal));
        players[seat].submit(decision, Some(answer));
        let reply = players[seat].reply().await;
        now = update_of(&reply.update.expect("it made one"));
        let began = Instant::now();
        assert_eq!(players[1 - seat].update().await.version, now.version);
        updates.push(began.elapsed());
    }
    for (what, mut took) in [("a call", calls), ("an update", updates)] {
        took.sort();
        let slow = took[took.len() * 3 / 4];
        println!(
            "{what}: three quarters within {slow:?}, all within {:?}",
            took.last().unwrap()
        );
        // Without TCP_NODELAY the second update of each turn waits 40 ms for the acknowledgement of the first.
        assert!(slow < Duration::from_millis(5), "{what} takes {slow:?}");
    }
}

#[tokio::test]
async fn a_small_call_is_answered_at_once() {
    let server = Server::start(&[]);
    let mut catalog = server.catalog().await;
    let mut took = Vec::new();
    for _ in 0..200 {
        let began = Instant::now();
        catalog
            .get_server_info(GetServerInfoRequest {})
            .await
            .unwrap();
        took.push(began.elapsed());
    }
    took.sort();
    let median = took[took.len() / 2];
    println!("median {median:?}, slowest {:?}", took.last().unwrap());
    assert!(median < Duration::from_millis(5), "{median:?}");
}
