//! What sessions cost that nobody plays: in memory, out of it, and when the server starts.

use std::error::Error;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tavola::pb::v1::View;

use crate::disk::Folder;
use crate::load::{self, Mode, Shape, Target};
use crate::process::Server;
use crate::sessions::{Games, Host, Manner};
use crate::{PRODUCT_ARGS, SUBMIT};

const LOAD: Shape = Shape {
    connections: 8,
    in_flight: 64,
};

/// How long the games may take to be played.
const PATIENCE: Duration = Duration::from_secs(900);

/// Seconds after which a session leaves memory, and how often the server looks.
const EVICT_S: u64 = 20;
const SWEEP_S: u64 = 10;

/// Plays so many games to the end, and looks at the server: with all of them in memory, with none, and started anew.
pub(crate) async fn measure(count: usize) -> Result<(), Box<dyn Error>> {
    let folder = Folder::new()?;
    let games = Arc::new(Games::random(256)?);
    let plies = games.mean_plies();
    let start = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tavola"));
        command
            .args(PRODUCT_ARGS)
            .arg(format!("--session-evict-s={EVICT_S}"))
            .arg(format!("--data={}", folder.path().join("data").display()));
        Server::start(&mut command)
    };
    let server = start()?;
    let bare = server.resident_kib()?;
    let manner = Manner {
        mode: Mode::Unary,
        view: View::Lean,
    };
    let mut host = Host::connect(server.address, Arc::clone(&games)).await?;
    let mut sessions = host.open(count, manner).await?;
    let target = Target {
        path: SUBMIT,
        product: true,
    };
    let connections = load::connect(server.address, LOAD).await?;
    let scripts = std::mem::take(&mut sessions.scripts);
    let played = load::play(
        target,
        manner.mode,
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
    let each = |resident: u64| resident.saturating_sub(bare) as f64 / count as f64;
    println!(
        "{count} sessions, {} plies ({plies} a game), {:.0} plies/s",
        tally.steps,
        tally.steps as f64 / tally.elapsed.as_secs_f64()
    );
    println!(
        "in memory: {:.2} KiB each (bar B18 at most 16)",
        each(server.resident_kib()?)
    );
    tokio::time::sleep(Duration::from_secs(EVICT_S + SWEEP_S + 5)).await;
    println!("evicted: {:.2} KiB each", each(server.resident_kib()?));
    drop(host);
    drop(server);

    let before = Instant::now();
    let server = start()?;
    let listening = before.elapsed();
    let mut host = Host::connect(server.address, games).await?;
    let fresh = host.open(1, manner).await?;
    println!(
        "started anew: listening after {listening:.2?}, a new game begun after {:.2?} (bar: 2 s), {:.2} KiB each",
        before.elapsed(),
        each(server.resident_kib()?)
    );
    let before = Instant::now();
    host.delete(sessions).await?;
    println!(
        "loading and deleting all: {:.0} sessions/s",
        count as f64 / before.elapsed().as_secs_f64()
    );
    Ok(host.delete(fresh).await?)
}
