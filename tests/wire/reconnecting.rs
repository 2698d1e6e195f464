//! Streams that break, stall and come back: what was acknowledged is told to everybody, and nothing twice.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use bytes::Bytes;
use rustix::process::Signal;
use tavola::pb::v1::{
    CreateSessionRequest, ListGamesRequest, SessionStatus, View, submit_action_request::Answer,
};
use tokio::task::JoinSet;
use tonic::{Code, transport::Endpoint};

use crate::common::{
    Dice, PATIENCE, Server, Sessions, Table, Watching, santorini, sized, soon, update_of,
};

/// A table of each game, with as few players as may be.
async fn tables(server: &Server) -> Vec<Table> {
    let client = server.sessions().await;
    let listed = server
        .catalog()
        .await
        .list_games(ListGamesRequest::default())
        .await;
    let mut tables = Vec::new();
    for game in listed.unwrap().into_inner().games {
        let request = CreateSessionRequest {
            game: game.game,
            ..Default::default()
        };
        tables.push(Table::start(&client, request).await);
    }
    assert_eq!(tables.len(), 5);
    tables
}

/// The same table over a connection of its own.
async fn elsewhere(server: &Server, table: &Table) -> Table {
    Table {
        client: server.sessions().await,
        ..table.clone()
    }
}

fn viewers(table: &Table) -> Vec<Option<usize>> {
    std::iter::once(None)
        .chain((0..table.tokens.len()).map(Some))
        .collect()
}

// === acknowledged is told

#[tokio::test]
async fn what_is_acknowledged_every_watcher_will_be_told_and_whoever_comes_now_is_shown() {
    let server = Server::start(&["--watcher-lag-max", "4096"]);
    let mut dice = Dice::new();
    let (mut moves, wanted) = (0, sized(1500, 100_000));
    while moves < wanted {
        for table in tables(&server).await {
            let mut watching = Vec::new();
            for viewer in viewers(&table) {
                for view in [View::Full, View::Lean] {
                    let mut stream = elsewhere(&server, &table).await.watch(viewer, view).await;
                    stream.next().await;
                    watching.push(stream);
                }
            }
            let newcomer = elsewhere(&server, &table).await;
            while let Some(reply) = table.play_ply(&mut dice).await {
                moves += 1;
                // Another connection, on another event loop perhaps, is shown it at once, by a call and by a stream.
                let viewer = *dice.pick(&viewers(&table));
                let shown = newcomer.observe(viewer, View::Lean).await;
                assert_eq!(
                    shown.version, reply.version,
                    "acknowledged, and then missing"
                );
                let mut snapshot = newcomer.watch(viewer, View::Lean).await;
                assert_eq!(snapshot.next().await.version, reply.version);
                for stream in &mut watching {
                    let update = stream.next().await;
                    assert_eq!((update.version, update.snapshot), (reply.version, false));
                }
            }
            for mut stream in watching {
                assert_eq!(stream.next_encoded().await.unwrap(), None);
            }
            table.delete().await;
        }
    }
    println!("{moves} acknowledged moves, each told to every watcher");
}

// === broken and resumed

/// What each kind of viewer was told of each version, by whoever was told first.
type Told = Arc<Mutex<BTreeMap<(Option<usize>, View, u64), Bytes>>>;

/// How a watcher reads.
#[derive(Clone, Copy, Debug)]
enum Pace {
    Fast,
    /// With little room for what it has not read yet.
    Slow,
}

impl Pace {
    async fn connect(self, endpoint: &Endpoint) -> Sessions {
        let endpoint = match self {
            Self::Fast => endpoint.clone(),
            Self::Slow => endpoint.clone().initial_stream_window_size(2048),
        };
        Sessions::new(endpoint.connect().await.expect("the server listens"))
    }
}

/// Watches to the end over streams that break after a few updates, each resumed from the version before. How often that
/// was, and how many updates a snapshot stood for.
async fn follow(
    endpoint: Endpoint,
    table: Table,
    (viewer, view, pace): (Option<usize>, View, Pace),
    told: Told,
    mut dice: Dice,
) -> (usize, u64) {
    let (mut version, mut breaks, mut skipped) = (None, 0, 0);
    let mut table = table;
    loop {
        if breaks == 0 || dice.below(3) == 0 {
            // The connection breaks, and not only its stream.
            table.client = pace.connect(&endpoint).await;
        }
        let token = table.token(viewer).map(str::to_owned);
        let opened = table.try_watch(token.as_deref(), view, version).await;
        let mut stream = opened.expect("a stream may be resumed");
        for _ in 0..dice.below(30) {
            if matches!(pace, Pace::Slow) {
                tokio::time::sleep(Duration::from_millis(dice.next() % 40)).await;
            }
            let Some(encoded) = stream.next_encoded().await.expect("the stream goes on") else {
                let last = table.session().await;
                assert_eq!(
                    version,
                    Some(last.version),
                    "the end comes after the result"
                );
                assert_eq!(last.status(), SessionStatus::Finished);
                return (breaks, skipped);
            };
            let update = update_of(&encoded);
            match version {
                Some(before) if update.snapshot => {
                    assert!(update.version > before, "{before}, then {}", update.version);
                    skipped += update.version - before - 1;
                }
                Some(before) => assert_eq!(update.version, before + 1, "a gap or a repeat"),
                None => assert!(update.snapshot),
            }
            version = Some(update.version);
            if !update.snapshot {
                let mut told = told.lock().unwrap();
                let first = told
                    .entry((viewer, view, update.version))
                    .or_insert_with(|| encoded.clone());
                assert_eq!(*first, encoded, "all of a kind are told the same");
            }
        }
        breaks += 1;
    }
}

#[tokio::test]
async fn streams_that_break_at_random_are_resumed_without_gap_or_repeat() {
    // Few updates are kept, so that those who are slow meet snapshots, too.
    let server = Server::start(&["--watcher-lag-max", "8"]);
    let mut dice = Dice::new();
    let (mut broken, mut skipped) = (0, 0);
    for _ in 0..sized(1, 20) {
        for table in tables(&server).await {
            let told = Told::default();
            let mut followers = JoinSet::new();
            for viewer in viewers(&table) {
                // Two of each kind and more: one seat may be watched from two places.
                for (view, pace) in [
                    (View::Full, Pace::Fast),
                    (View::Full, Pace::Slow),
                    (View::Lean, Pace::Fast),
                    (View::Lean, Pace::Slow),
                ] {
                    let own = elsewhere(&server, &table).await;
                    let kind = (viewer, view, pace);
                    let told = Arc::clone(&told);
                    followers.spawn(follow(server.endpoint(), own, kind, told, dice.split()));
                }
            }
            while table.play_ply(&mut dice).await.is_some() {
                tokio::time::sleep(Duration::from_micros(dice.next() % 4000)).await;
            }
            for (breaks, missed) in soon("the end of all streams", followers.join_all()).await {
                broken += breaks;
                skipped += missed;
            }
            table.delete().await;
        }
    }
    println!("{broken} streams broken and resumed; snapshots stood for {skipped} updates");
    assert!(broken > 100 && skipped > 0);
}

// === the last answer

/// Plays a game to its end; its last answer is OK with the result, and so is each repeat.
async fn play_to_the_end(client: Sessions, mut dice: Dice) {
    let table = Table::start(&client, santorini()).await;
    let mut last = None;
    loop {
        let open = table.observe(None, View::Lean).await.decision;
        let Some(seat) = crate::common::asked_seat(open.as_ref()) else {
            break;
        };
        let decision = open.expect("somebody is asked").decision_id;
        let legal = table.observe(Some(seat), View::Lean).await.legal_action_ids;
        let answer = Answer::ActionId(*dice.pick(&legal));
        let reply = table.submit(seat, decision, answer.clone()).await;
        last = Some((seat, decision, answer, reply.expect("it is legal")));
    }
    let (seat, decision, answer, reply) = last.expect("a game has plies");
    assert_eq!(reply.status(), SessionStatus::Finished);
    assert!(reply.outcome.is_some(), "{reply:?}");
    for _ in 0..2 {
        let again = table.submit(seat, decision, answer.clone()).await;
        assert_eq!(again.expect("a repeat is OK"), reply);
    }
    table.delete().await;
}

/// F51.
#[tokio::test]
async fn the_answer_that_ends_a_game_is_ok_with_the_result_and_so_is_its_repeat() {
    const AT_ONCE: usize = 16;
    let server = Server::start(&[]);
    let mut dice = Dice::new();
    let games = sized(64, 1000);
    let mut playing = JoinSet::new();
    for _ in 0..AT_ONCE {
        let (client, mut dice) = (server.sessions().await, dice.split());
        playing.spawn(async move {
            for _ in 0..usize::div_ceil(games, AT_ONCE) {
                play_to_the_end(client.clone(), dice.split()).await;
            }
        });
    }
    playing.join_all().await;
}

// === a server that does not answer

/// As a client should be set up: it finds out by itself when nobody is there any more.
fn attentive(server: &Server) -> Endpoint {
    server
        .endpoint()
        .http2_keep_alive_interval(KEEPALIVE)
        .keep_alive_timeout(KEEPALIVE)
        .keep_alive_while_idle(true)
}

const KEEPALIVE: Duration = Duration::from_secs(1);

/// How long until the stream ends with an error.
async fn noticed(stream: &mut Watching, began: Instant) -> Duration {
    let end = stream.end().await.expect("nobody ended it well");
    assert!(
        matches!(
            end.code(),
            Code::Unavailable | Code::Unknown | Code::Internal | Code::Cancelled
        ),
        "{end:?}"
    );
    began.elapsed()
}

/// F57: within its keepalive, and without a gap.
#[tokio::test]
async fn a_client_notices_a_server_that_stands_still_and_goes_on_afterwards() {
    let server = Server::start(&["--keepalive-interval-s", "600"]);
    let mut dice = Dice::new();
    let table = Table::santorini(&server.sessions().await).await;
    table.play_plies(&mut dice, 5).await;
    let attentive_client = Sessions::new(attentive(&server).connect().await.unwrap());
    let watched = Table {
        client: attentive_client.clone(),
        ..table.clone()
    };
    let mut stream = watched.watch(Some(0), View::Lean).await;
    let version = stream.next().await.version;

    server.signal(Signal::STOP);
    let took = noticed(&mut stream, Instant::now()).await;
    println!("a server that stands still is noticed after {took:.1?}");
    assert!(took < KEEPALIVE * 2 + Duration::from_secs(3), "{took:?}");
    server.signal(Signal::CONT);

    // The same client, on a new connection, has missed nothing.
    table.play_plies(&mut dice, 5).await;
    let mut resumed = crate::common::eventually("a stream that is resumed", async || {
        watched.resume(Some(0), View::Lean, version).await.ok()
    })
    .await;
    for next in 1..=5 {
        assert_eq!(resumed.next().await.version, version + next);
    }
}

#[tokio::test]
async fn a_client_notices_a_server_that_is_gone_at_once() {
    let mut server = Server::start(&[]);
    let table = Table::santorini(&server.sessions().await).await;
    let mut stream = table.watch(None, View::Lean).await;
    stream.next().await;
    let began = Instant::now();
    server.signal(Signal::KILL);
    let took = noticed(&mut stream, began).await;
    println!("a server that is gone is noticed after {took:.1?}");
    assert!(took < Duration::from_secs(3), "{took:?}");
    server.exit(PATIENCE).await;
}
