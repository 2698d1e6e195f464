//! What sessions cost that nobody plays: in memory, out of it, and when the server starts.

use std::error::Error;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tavola::pb::v1::View;

use crate::disk::Folder;
use crate::load::{self, Mode, Shape, Target};
use crate::process::Server;
use crate::sessions::{Games, Host, Manner, Sessions};
use crate::{PRODUCT_ARGS, SUBMIT};

const LOAD: Shape = Shape {
    connections: 8,
    in_flight: 64,
};

/// How long the games may take to be played.
const PATIENCE: Duration = Duration::from_secs(900);

const MANNER: Manner = Manner {
    mode: Mode::Unary,
    view: View::Lean,
};

/// Seconds after which a session leaves memory, and how often the server looks.
const EVICT_S: u64 = 20;
const SWEEP_S: u64 = 10;

/// How often as many sessions come and go, one after the other.
const WAVES: u32 = 3;

/// Plays so many games to the end, and looks at the server: with all of them in memory, with none, after as many more, and
/// started anew.
pub(crate) async fn measure(count: usize) -> Result<(), Box<dyn Error>> {
    let folder = Folder::new()?;
    let games = Arc::new(Games::random(256)?);
    let start = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tavola"));
        command
            .args(PRODUCT_ARGS)
            .arg(format!("--session-evict-s={EVICT_S}"))
            .arg(format!("--data={}", folder.path().join("data").display()));
        Server::start(&mut command)
    };
    let each = |resident: u64, before: u64| (resident as f64 - before as f64) / count as f64;
    let server = start()?;
    let mut host = Host::connect(server.address, Arc::clone(&games)).await?;
    let mut waves = Vec::new();
    for wave in 1..=WAVES {
        let before = server.resident()?;
        waves.push(play(&server, &mut host, &games, count).await?);
        let loaded = server.resident()?;
        tokio::time::sleep(Duration::from_secs(EVICT_S + SWEEP_S + 5)).await;
        let evicted = server.resident()?;
        println!(
            "wave {wave}: in memory {:.2} KiB each (bar B18 at most 16), evicted {:.2}, of which the server's own {:.2}",
            each(loaded.total_kib, before.total_kib),
            each(evicted.total_kib, before.total_kib),
            each(evicted.own_kib, before.own_kib),
        );
    }
    drop(host);
    drop(server);

    let before = Instant::now();
    let server = start()?;
    let listening = before.elapsed();
    let resident = server.resident()?;
    let mut host = Host::connect(server.address, games).await?;
    let fresh = host.open(1, MANNER).await?;
    println!(
        "started anew with {} sessions: listening after {listening:.2?}, a new game begun after {:.2?} (bar: 2 s), {} KiB, \
         of which the server's own {}",
        count * waves.len(),
        before.elapsed(),
        resident.total_kib,
        resident.own_kib
    );
    let before = Instant::now();
    let stored = count * waves.len();
    for sessions in waves {
        host.delete(sessions).await?;
    }
    println!(
        "loading and deleting all: {:.0} sessions/s",
        stored as f64 / before.elapsed().as_secs_f64()
    );
    Ok(host.delete(fresh).await?)
}

/// Opens so many sessions and plays them to the end.
async fn play(
    server: &Server,
    host: &mut Host,
    games: &Games,
    count: usize,
) -> Result<Sessions, Box<dyn Error>> {
    let mut sessions = host.open(count, MANNER).await?;
    let target = Target {
        path: SUBMIT,
        product: true,
    };
    let connections = load::connect(server.address, LOAD).await?;
    let scripts = std::mem::take(&mut sessions.scripts);
    let played = load::play(
        target,
        MANNER.mode,
        connections,
        LOAD.in_flight,
        scripts,
        PATIENCE,
    );
    let (tally, scripts) = played.await;
    sessions.scripts = scripts;
    if let Some(error) = tally.first_error {
        return Err(error.into());
    }
    println!(
        "{count} sessions, {} plies ({} a game), {:.0} plies/s",
        tally.steps,
        games.mean_plies(),
        tally.steps as f64 / tally.elapsed.as_secs_f64()
    );
    Ok(sessions)
}
