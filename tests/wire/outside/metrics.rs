//! The metrics are true, and tell of nobody.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use tavola::pb::v1::{
    DeleteSessionRequest, GetGameRequest, GetSessionRequest, GetStateRequest, ListGamesRequest,
    PlayOpen, View, submit_action_request::Answer,
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};
use tonic::{Code, Status};

use crate::common::{
    DataFolder, Dice, Player, Server, Table, eventually, santorini, soon, web::Web, with_token,
};

const METRICS: [&str; 2] = ["--metrics", "127.0.0.1:0"];

/// A page of metrics, by name and labels as they stand there.
#[derive(Debug)]
struct Page(BTreeMap<String, f64>);

impl Page {
    async fn of(server: &Server) -> Self {
        let text = crate::common::metrics(server.metrics_address().await).await;
        assert!(text.ends_with("# EOF\n"), "{text}");
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let values = lines.map(|line| {
            let (name, value) = line.rsplit_once(' ').unwrap();
            (name.to_owned(), value.parse().unwrap())
        });
        Self(values.collect())
    }

    fn get(&self, name: &str) -> f64 {
        self.0.get(name).copied().unwrap_or(0.0)
    }

    /// What calls have ended with, by method and code.
    fn calls(&self) -> BTreeMap<(String, String), u64> {
        let calls = self.0.iter().filter_map(|(name, value)| {
            let labels = name.strip_prefix("tavola_calls_total{")?;
            let mut texts = labels.split('"').skip(1).step_by(2);
            let (method, code) = (texts.next()?, texts.next()?);
            let method = method.strip_prefix("tavola.v1.").unwrap_or(method);
            Some(((method.to_owned(), code.to_owned()), *value as u64))
        });
        calls.collect()
    }
}

/// What a client has counted itself.
#[derive(Debug, Default)]
struct Counted(BTreeMap<(String, String), u64>);

impl Counted {
    fn add<T>(&mut self, method: &str, result: Result<T, Status>) -> Option<T> {
        let code = match &result {
            Ok(_) => Code::Ok,
            Err(status) => status.code(),
        };
        let code = match code {
            Code::Ok => "OK",
            Code::InvalidArgument => "INVALID_ARGUMENT",
            Code::NotFound => "NOT_FOUND",
            Code::Unauthenticated => "UNAUTHENTICATED",
            Code::PermissionDenied => "PERMISSION_DENIED",
            Code::FailedPrecondition => "FAILED_PRECONDITION",
            Code::Aborted => "ABORTED",
            Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
            other => panic!("{other:?} was not expected of {method}"),
        };
        let service = match method {
            "ListGames" | "GetGame" | "GetServerInfo" => "CatalogService",
            _ => "SessionService",
        };
        *self
            .0
            .entry((format!("{service}/{method}"), code.to_owned()))
            .or_default() += 1;
        result.ok()
    }
}

#[tokio::test]
async fn o10_ten_thousand_calls_are_counted_as_their_client_counts_them() {
    let server = Server::start(
        &[
            &METRICS[..],
            &["--sessions-max", "30", "--watchers-per-session-max", "3"],
        ]
        .concat(),
    );
    let mut client = server.sessions().await;
    let mut catalog = server.catalog().await;
    let mut counted = Counted::default();
    let (mut dice, mut made, mut plies, mut refused_by_limit) = (Dice::new(), 0, 0, (0, 0));
    while made < 10_000 || refused_by_limit.0 == 0 {
        made += 1;
        let created = counted.add("CreateSession", client.create_session(santorini()).await);
        let Some(created) = created else {
            refused_by_limit.0 += 1;
            for _ in 0..500 {
                made += 1;
                counted.add(
                    "ListGames",
                    catalog.list_games(ListGamesRequest::default()).await,
                );
                let game = ["santorini", "", "chess"][made % 3].to_owned();
                counted.add("GetGame", catalog.get_game(GetGameRequest { game }).await);
                made += 1;
            }
            continue;
        };
        let created = created.into_inner();
        let mut table = Table {
            client: client.clone(),
            id: created.session_id.clone(),
            host: created.host_token,
            join_token: None,
            tokens: Vec::new(),
        };
        for _ in 0..3 {
            let request = tavola::pb::v1::JoinSessionRequest {
                session_id: table.id.clone(),
                ..Default::default()
            };
            made += 1;
            let joined = counted.add("JoinSession", client.join_session(request).await);
            table
                .tokens
                .extend(joined.map(|joined| joined.into_inner().seat_token));
        }
        let mut watching = Vec::new();
        for _ in 0..4 {
            made += 1;
            let watch = table.try_watch(None, View::Lean, None).await;
            if watch.is_err() {
                refused_by_limit.1 += 1;
                counted.add("WatchSession", watch.map(drop));
            } else {
                watching.extend(watch);
            }
        }
        for seat in [0, 1] {
            made += 1;
            let seen = table.try_observe(table.token(Some(seat)), View::Lean).await;
            let seen = counted.add("GetObservation", seen).unwrap();
            let answer = seen.legal_action_ids.first().copied().unwrap_or(0);
            let decision = seen.decision.unwrap().decision_id;
            for decision in [decision, decision, 0, 99] {
                made += 1;
                let token = &table.tokens[seat];
                let answer = Answer::ActionId(answer);
                let submit = table.submit_as(token, decision, answer, View::Lean).await;
                counted.add("SubmitAction", submit);
            }
        }
        let bad = table.try_observe(Some("garbage"), View::Lean).await;
        counted.add("GetObservation", bad);
        counted.add("GetState", table.state(table.token(Some(0))).await);
        counted.add("GetState", table.state(Some(&table.host.clone())).await);
        made += 3;
        let play = Player::open(&table, Some(&table.host), PlayOpen::default()).await;
        counted.add("Play", play.map(drop));
        made += 1;
        if made % 5 == 0 {
            // Its own calls are not of the table's kind: counted as they are made.
            while let Some(reply) = {
                let shown = table.try_observe(None, View::Lean).await;
                made += 1;
                let decision = counted.add("GetObservation", shown).unwrap().decision;
                match crate::common::asked_seat(decision.as_ref()) {
                    None => None,
                    Some(seat) => {
                        let seen = table.try_observe(table.token(Some(seat)), View::Lean).await;
                        let seen = counted.add("GetObservation", seen).unwrap();
                        let answer = Answer::ActionId(*dice.pick(&seen.legal_action_ids));
                        made += 2;
                        let decision = seen.decision.unwrap().decision_id;
                        let submit = table.submit(seat, decision, answer).await;
                        counted.add("SubmitAction", submit)
                    }
                }
            } {
                plies = plies.max(reply.version);
            }
            for mut watching in watching {
                watching.rest().await;
                counted.add("WatchSession", Ok(()));
            }
        } else {
            let request = DeleteSessionRequest {
                session_id: table.id.clone(),
            };
            let request = with_token(Some(&table.host), request);
            counted.add("DeleteSession", client.delete_session(request).await);
            made += 1;
            for mut watching in watching {
                let end = watching.end().await.expect("the session is gone");
                counted.add("WatchSession", Err::<(), _>(end));
            }
            let request = GetSessionRequest {
                session_id: table.id.clone(),
            };
            made += 1;
            counted.add("GetSession", client.get_session(request).await);
        }
    }
    // A reply may be with its client before the server has come to count its end.
    let mut page = Page::of(&server).await;
    for _ in 0..200 {
        if page.calls() == counted.0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
        page = Page::of(&server).await;
    }
    assert_eq!(page.calls(), counted.0);
    let all: u64 = counted.0.values().sum();
    println!("{all} calls counted alike: {:#?}", counted.0);
    assert!(all >= 10_000, "{all}");
    for (method, _) in counted.0.keys() {
        let of_method = counted.0.iter().filter(|((of, _), _)| of == method);
        let calls: u64 = of_method.map(|(_, count)| count).sum();
        let histogram = format!("tavola_call_seconds_count{{method=\"tavola.v1.{method}\"}}");
        assert_eq!(page.get(&histogram) as u64, calls, "{histogram}");
    }
    assert!(plies > 0);
    for (limit, count) in [
        ("sessions_max", refused_by_limit.0),
        ("watchers_per_session_max", refused_by_limit.1),
    ] {
        let name = format!("tavola_refusals_total{{limit=\"{limit}\"}}");
        assert_eq!(page.get(&name) as u64, count, "{name}");
        assert!(count > 0, "{name}");
    }
}

/// An operator who looks for players, or for what fills the memory, finds the one apart from the other.
#[tokio::test]
async fn sandboxes_are_counted_apart_from_sessions() {
    let server = Server::start(&METRICS);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let table = Table::santorini(&client).await;
    table.play_plies(&mut dice, 3).await;
    let sandbox = table.fork(table.token(Some(0)), None).await.unwrap();
    sandbox.play_plies(&mut dice, 5).await;
    let finished = table.fork(table.token(Some(1)), None).await.unwrap();
    finished.play_out(&mut dice).await;
    let counted = async || {
        let page = Page::of(&server).await;
        let of = |what: &str| page.get(&format!("tavola_{what}{{game=\"santorini\"}}")) as u64;
        (
            ["RUNNING", "FINISHED"].map(|status| {
                ["sessions", "sandboxes"].map(|what| {
                    page.get(&format!(
                        "tavola_{what}{{game=\"santorini\",status=\"{status}\"}}"
                    )) as u64
                })
            }),
            of("plies_total"),
            of("sandbox_plies_total") > 5,
        )
    };
    assert_eq!(counted().await, ([[1, 1], [0, 1]], 3, true));
    finished.delete().await;
    sandbox.delete().await;
    assert_eq!(counted().await, ([[1, 0], [0, 0]], 3, true));
}

#[tokio::test]
async fn sessions_plies_streams_bots_and_connections_are_counted() {
    let server = Server::start(&METRICS);
    let client = server.sessions().await;
    let sessions = |page: &Page, status: &str| {
        page.get(&format!(
            "tavola_sessions{{game=\"santorini\",status=\"{status}\"}}"
        ))
    };
    let waiting = Table::create(&client, santorini()).await;
    let running = Table::santorini(&client).await;
    running.play_plies(&mut Dice::new(), 7).await;
    let finished = Table::santorini(&client).await;
    finished.play_out(&mut Dice::new()).await;
    let plies = finished.replay(Default::default()).await.unwrap().plies;
    let mut watching = running.watch(None, View::Lean).await;
    watching.next().await;
    let playing = Player::at(&running, 0).await;
    let page = Page::of(&server).await;
    assert_eq!(sessions(&page, "WAITING"), 1.0);
    assert_eq!(sessions(&page, "RUNNING"), 1.0);
    assert_eq!(sessions(&page, "FINISHED"), 1.0);
    let told = page.get("tavola_plies_total{game=\"santorini\"}");
    assert_eq!(told as u64, 7 + u64::from(plies));
    let open = |page: &Page, method: &str| {
        let method = format!("tavola.v1.SessionService/{method}");
        page.get(&format!("tavola_streams_open{{method=\"{method}\"}}"))
    };
    assert_eq!(
        (open(&page, "WatchSession"), open(&page, "Play")),
        (1.0, 1.0)
    );
    assert_eq!(page.get("tavola_connections"), 1.0);
    assert_eq!(page.get("tavola_connections_accepted_total"), 1.0);

    drop((watching, playing));
    let request = DeleteSessionRequest {
        session_id: waiting.id.clone(),
    };
    let mut host = client.clone();
    host.delete_session(with_token(Some(&waiting.host), request))
        .await
        .unwrap();
    let bots = Table::create(&client, santorini()).await;
    bots.add_bot("random").await;
    bots.add_bot("random").await;
    let gone = async || {
        let page = Page::of(&server).await;
        let closed = open(&page, "WatchSession") == 0.0 && open(&page, "Play") == 0.0;
        let over = sessions(&page, "FINISHED") == 2.0 && sessions(&page, "WAITING") == 0.0;
        // All plies of that game are answers of bots; the last one is counted after it was told.
        let answers = page.get("tavola_bot_answers_total");
        let more = page.get("tavola_plies_total{game=\"santorini\"}") - told;
        (closed && over && answers == more && answers > 0.0).then_some(page)
    };
    let page = eventually("the end of streams, a session and a game", gone).await;
    assert_eq!(page.get("tavola_bots_waiting"), 0.0);
    assert_eq!(page.get("tavola_store_failures_total"), 0.0);
    // What was cancelled was cancelled.
    let cancelled = page.calls();
    assert_eq!(
        cancelled[&(
            "SessionService/WatchSession".to_owned(),
            "CANCELLED".to_owned()
        )],
        1
    );
}

#[tokio::test]
async fn what_the_store_commits_is_counted_write_by_write() {
    let data = DataFolder::new();
    let server = data.serve(&METRICS);
    let client = server.sessions().await;
    let mut writes = 0;
    for _ in 0..3 {
        let table = Table::santorini(&client).await;
        table.play_out(&mut Dice::new()).await;
        // Opened, joined twice, played.
        let plies = table.replay(Default::default()).await.unwrap().plies;
        writes += 3 + u64::from(plies);
    }
    let page = Page::of(&server).await;
    assert_eq!(page.get("tavola_store_commit_writes_sum") as u64, writes);
    let commits = page.get("tavola_store_commit_seconds_count");
    assert_eq!(commits, page.get("tavola_store_commit_writes_count"));
    assert!(commits > 0.0 && commits as u64 <= writes, "{commits}");
    assert!(page.get("tavola_store_commit_seconds_sum") > 0.0);
}

#[tokio::test]
async fn connections_beyond_a_limit_are_counted_by_it() {
    let server = Server::start(&[&METRICS[..], &["--connections-per-peer-max", "2"]].concat());
    let mut open = [server.catalog().await, server.catalog().await];
    for client in &mut open {
        // Only a connection that has been answered is let in for sure.
        client
            .list_games(ListGamesRequest::default())
            .await
            .unwrap();
    }
    let mut refused = 0;
    for _ in 0..5 {
        let mut socket = TcpStream::connect(server.address()).await.unwrap();
        let mut byte = [0];
        let read = soon("the end of a socket", socket.read(&mut byte)).await;
        assert!(matches!(read, Ok(0) | Err(_)), "{read:?}");
        refused += 1;
    }
    let page = Page::of(&server).await;
    let name = "tavola_refusals_total{limit=\"connections_per_peer_max\"}";
    assert_eq!(page.get(name) as u64, refused);
    assert_eq!(page.get("tavola_connections"), 2.0);
}

#[tokio::test]
async fn no_label_tells_of_anybody() {
    let server = Server::start(&METRICS);
    let client = server.sessions().await;
    let table = Table::santorini(&client).await;
    table.play_plies(&mut Dice::new(), 5).await;
    // A caller cannot make up labels of its own.
    for path in ["/tavola.v1.SessionService/Invented", "/a/b", "/x"] {
        let mut web = Web::connect(server.address()).await;
        let request = GetStateRequest::default();
        web.call(path, "https://table.example", None, &request)
            .await;
    }
    let page = Page::of(&server).await;
    let allowed = ["method", "code", "le", "game", "status", "limit"];
    let mut methods = BTreeSet::new();
    for name in page.0.keys() {
        assert!(
            !name.contains(&table.id) && !name.contains("Invented"),
            "{name}"
        );
        let Some((_, labels)) = name.split_once('{') else {
            continue;
        };
        for label in labels.trim_end_matches('}').split("\",") {
            let (label, value) = label.split_once("=\"").unwrap();
            assert!(allowed.contains(&label), "{name}");
            if label == "method" {
                methods.insert(value.trim_matches('"').to_owned());
            }
        }
    }
    for method in &methods {
        assert!(
            method == "other" || method.starts_with("tavola.v1."),
            "{method}"
        );
    }
    assert!(methods.contains("other"), "{methods:?}");
}

#[tokio::test]
async fn a8_metrics_have_an_address_of_their_own_which_is_off_by_default() {
    let quiet = Server::start(&[]);
    assert!(!quiet.log().contains("serving metrics"));
    let server = Server::start(&METRICS);
    let inside = server.metrics_address().await;
    assert_ne!(inside, server.address());
    let get = "GET /metrics HTTP/1.1\nhost: tavola.test";
    for server in [&quiet, &server] {
        let mut web = Web::connect(server.address()).await;
        let (_, head) = web.request(get, b"").await;
        let body = web.body().await;
        assert!(
            !String::from_utf8_lossy(&body).contains("tavola_"),
            "{head:?}"
        );
    }
    // And there is nothing but metrics at that address.
    for (request, status) in [
        ("GET / HTTP/1.1\nhost: a", 404),
        ("GET /metrics/.. HTTP/1.1\nhost: a", 404),
        ("POST /metrics HTTP/1.1\nhost: a\ncontent-length: 0", 405),
        (
            "POST /tavola.v1.CatalogService/GetServerInfo HTTP/1.1\nhost: a\ncontent-length: 0",
            404,
        ),
    ] {
        let mut web = Web::connect(inside).await;
        assert_eq!(web.request(request, b"").await.0, status, "{request}");
    }
    // Readers that say nothing do not keep the others from reading for long: they are few and have a deadline.
    let mut silent = Vec::new();
    for _ in 0..8 {
        let mut socket = TcpStream::connect(inside).await.unwrap();
        socket.write_all(b"GET /met").await.unwrap();
        silent.push(socket);
    }
    assert!(
        crate::common::metrics(inside)
            .await
            .contains("tavola_connections")
    );
}
