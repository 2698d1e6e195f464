//! B10: what a delivery costs, with 200 watchers of one session on 4 connections, against a bare server that pushes bytes
//! that were encoded once. B11: what the others' steps take while watchers do not read.

use std::error::Error;
use std::process::Command;
use std::time::{Duration, Instant};

use bytes::Bytes;
use tavola::pb::v1 as pb;
use tokio::task::JoinSet;

use crate::load::{Connection, Failure, Mode, Replies, Script, Shape, connect, frame};
use crate::process::Server;
use crate::report::median;
use crate::sessions::Manner;
use crate::{ECHO, PLAIN, Product, SUBMIT, echo};

/// Who watches.
const WATCHERS: Shape = Shape {
    connections: 4,
    in_flight: 50,
};
/// Time between two plies: 100,000 deliveries a second in all.
const PLY: Duration = Duration::from_millis(2);

/// What a delivery may cost of what it costs the bare server.
const B10: f64 = 1.15;
/// What the slowest steps may take of what they take without slow watchers.
const B11: f64 = 1.2;

/// What a round of deliveries came to.
#[derive(Clone, Copy, Debug, Default)]
struct Delivered {
    deliveries: u64,
    bytes: u64,
    cpu: Duration,
}

impl Delivered {
    fn cpu_us(self) -> f64 {
        self.cpu.as_secs_f64() * 1e6 / self.deliveries as f64
    }
}

/// Measures a delivery to spectators, and prints it. Where they see all that there is, both views are the same to them.
pub(crate) async fn deliveries(product: &mut Product, rounds: usize) -> Result<(), Box<dyn Error>> {
    let first = product_round(product).await?;
    let bytes = first.bytes / first.deliveries;
    let mut command = Command::new(std::env::current_exe()?);
    // For pure push a plain stream is the better one.
    let echo = Server::start(command.args([ECHO, &bytes.to_string(), PLAIN]))?;
    let plies = first.deliveries / WATCHERS.slots() as u64;
    echo_round(&echo, plies).await?;
    let mut costs = Vec::new();
    for round in 0..rounds {
        let (ours, bare) = if round % 2 == 0 {
            let ours = product_round(product).await?;
            (ours, echo_round(&echo, plies).await?)
        } else {
            let bare = echo_round(&echo, plies).await?;
            (product_round(product).await?, bare)
        };
        costs.push((ours.cpu_us(), bare.cpu_us()));
    }
    println!(
        "B10 push, {} watchers on {} connections, {bytes} bytes: CPU {:.2} us a delivery, bare {:.2} us, \
         {:.2} E (bar at most {B10:.2})",
        WATCHERS.slots(),
        WATCHERS.connections,
        median(costs.iter().map(|(ours, _)| *ours)),
        median(costs.iter().map(|(_, bare)| *bare)),
        median(costs.iter().map(|(ours, bare)| ours / bare)),
    );
    Ok(())
}

/// One game with everybody watching.
async fn product_round(product: &mut Product) -> Result<Delivered, Box<dyn Error>> {
    let sessions = product.host.open(1, LEAN).await?;
    let id = sessions.ids().next().ok_or("a session was opened")?;
    let request = frame(&watch(id, pb::View::Lean));
    let (_held, mut streams) = listeners(&product.server, WATCH_PATH, &request, WATCHERS).await?;
    for stream in &mut streams {
        stream.next().await?; // The snapshot.
    }
    let script = sessions.scripts.first().ok_or("a session has a script")?;
    let plies = script.steps.len();
    let before = product.server.cpu()?;
    let hearing = hear(streams, plies);
    play(&product.server, script).await?;
    let (deliveries, bytes) = hearing.await?;
    let cpu = product.server.cpu()? - before;
    product.host.delete(sessions).await?;
    Ok(Delivered {
        deliveries,
        bytes,
        cpu,
    })
}

async fn echo_round(echo: &Server, plies: u64) -> Result<Delivered, Box<dyn Error>> {
    let (_held, streams) = listeners(echo, echo::LISTEN, &frame(&()), WATCHERS).await?;
    let plies = usize::try_from(plies)?;
    let mut connection = Connection::with_window(echo.address, 1 << 20).await?;
    let uri = connection.uri(echo::PUBLISH);
    let before = echo.cpu()?;
    let hearing = hear(streams, plies);
    let mut pace = tokio::time::interval(PLY);
    for _ in 0..plies {
        pace.tick().await;
        connection.call(&uri, None, frame(&())).await?;
    }
    let (deliveries, bytes) = hearing.await?;
    let cpu = echo.cpu()? - before;
    Ok(Delivered {
        deliveries,
        bytes,
        cpu,
    })
}

/// Streams of a shape, all with the same request; with the connections that they need.
async fn listeners(
    server: &Server,
    path: &str,
    request: &Bytes,
    shape: Shape,
) -> Result<(Vec<Connection>, Vec<Replies>), Failure> {
    let mut connections = connect(server.address, shape).await?;
    let mut streams = Vec::new();
    for connection in &mut connections {
        let uri = connection.uri(path);
        for _ in 0..shape.in_flight {
            streams.push(connection.listen(&uri, request.clone()).await?);
        }
    }
    Ok((connections, streams))
}

/// Listens to so many messages on each stream from now on; how many that were, and their bytes.
fn hear(
    streams: Vec<Replies>,
    messages: usize,
) -> impl Future<Output = Result<(u64, u64), Failure>> {
    let mut hearing = JoinSet::new();
    for mut stream in streams {
        hearing.spawn(async move {
            let mut bytes = 0;
            for _ in 0..messages {
                let message = stream.next().await?;
                bytes += message
                    .ok_or(Failure::Garbled("the stream ended too soon"))?
                    .len();
            }
            Ok::<_, Failure>(bytes as u64)
        });
    }
    async move {
        let deliveries = (hearing.len() * messages) as u64;
        let bytes: Result<Vec<_>, _> = hearing.join_all().await.into_iter().collect();
        Ok((deliveries, bytes?.iter().sum()))
    }
}

/// Plays a script at its pace.
async fn play(server: &Server, script: &Script) -> Result<(), Failure> {
    let mut connection = Connection::with_window(server.address, 1 << 20).await?;
    let uri = connection.uri(SUBMIT);
    let mut pace = tokio::time::interval(PLY);
    for (seat, step) in &script.steps {
        pace.tick().await;
        let token = Some(script.seats[*seat].clone());
        connection.call(&uri, token, step.clone()).await?;
    }
    Ok(())
}

/// Tables whose players are timed.
const TABLES: usize = 256;
/// Their players: so many play at once.
const PLAYERS: Shape = Shape {
    connections: 4,
    in_flight: 4,
};

/// Measures steps with and without watchers that never read, and prints what they do to the slowest.
pub(crate) async fn slow_watchers(
    product: &mut Product,
    rounds: usize,
) -> Result<(), Box<dyn Error>> {
    timed_round(product, false).await?;
    let mut slowest = Vec::new();
    for round in 0..rounds {
        let (with, without) = if round % 2 == 0 {
            let with = timed_round(product, true).await?;
            (with, timed_round(product, false).await?)
        } else {
            let without = timed_round(product, false).await?;
            (timed_round(product, true).await?, without)
        };
        slowest.push((with.as_secs_f64() * 1e6, without.as_secs_f64() * 1e6));
    }
    println!(
        "B11 a watcher that never reads at each of {TABLES} tables: p99 of a step {:.0} us, without {:.0} us, {:.2} \
         (bar at most {B11:.2})",
        median(slowest.iter().map(|(with, _)| *with)),
        median(slowest.iter().map(|(_, without)| *without)),
        median(slowest.iter().map(|(with, without)| with / without)),
    );
    Ok(())
}

/// Plays all tables; what the slowest hundredth of the steps took at least.
async fn timed_round(product: &mut Product, slow: bool) -> Result<Duration, Box<dyn Error>> {
    let mut sessions = product.host.open(TABLES, LEAN).await?;
    let mut held = Vec::new();
    if slow {
        let ids: Vec<_> = sessions.ids().map(str::to_owned).collect();
        for ids in ids.chunks(TABLES / WATCHERS.connections) {
            let mut connection = Connection::with_window(product.server.address, 0).await?;
            let uri = connection.uri(WATCH_PATH);
            for id in ids {
                let request = frame(&watch(id, pb::View::Full));
                held.push(connection.listen(&uri, request).await?);
            }
        }
    }
    let mut players = JoinSet::new();
    let connections = connect(product.server.address, PLAYERS).await?;
    let mut scripts = std::mem::take(&mut sessions.scripts);
    for connection in connections {
        for _ in 0..PLAYERS.in_flight {
            let own = scripts.split_off(scripts.len() - TABLES / PLAYERS.slots());
            players.spawn(timed(connection.clone(), own));
        }
    }
    let mut took = Vec::new();
    for player in players.join_all().await {
        took.extend(player?);
    }
    drop(held);
    product.host.delete(sessions).await?;
    took.sort();
    Ok(took[took.len() * 99 / 100])
}

/// Plays scripts one after the other; what each step took.
async fn timed(mut connection: Connection, scripts: Vec<Script>) -> Result<Vec<Duration>, Failure> {
    let uri = connection.uri(SUBMIT);
    let mut took = Vec::new();
    for script in scripts {
        for (seat, step) in script.steps {
            let began = Instant::now();
            let token = Some(script.seats[seat].clone());
            connection.call(&uri, token, step).await?;
            took.push(began.elapsed());
        }
    }
    Ok(took)
}

const WATCH_PATH: &str = "/tavola.v1.SessionService/WatchSession";

fn watch(session_id: &str, view: pb::View) -> pb::WatchSessionRequest {
    pb::WatchSessionRequest {
        session_id: session_id.to_owned(),
        from_version: None,
        view: view.into(),
    }
}

/// How the players play.
const LEAN: Manner = Manner {
    mode: Mode::Unary,
    view: pb::View::Lean,
};
