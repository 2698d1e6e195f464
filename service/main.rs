//! The `tavola` server: reads its settings, listens, serves until it is told to stop.

use std::{env, error::Error, process::ExitCode, sync::Arc, thread};

use mimalloc::MiMalloc;
use tavola::{
    config::{Command, Config, Parsed, StoreKind},
    metrics::Metrics,
    open_files,
    server::Server,
    shutdown::{self, Signals},
    store::{MemoryStore, SqliteStore, Store},
    telemetry,
    verify::{self, NotVerified},
};

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The exit code of a replay that does not verify.
const NOT_TRUE: u8 = 1;

/// The exit code of a server that could not start, and of a replay that cannot be checked.
const CANNOT_START: u8 = 2;

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("tavola: {error}");
            ExitCode::from(CANNOT_START)
        }
    }
}

fn run() -> Result<ExitCode, Box<dyn Error>> {
    let config = match Config::read(env::args_os())? {
        Parsed::Config(config) => *config,
        Parsed::Text(text) => {
            print!("{text}");
            return Ok(ExitCode::SUCCESS);
        }
    };
    if let Some(Command::Verify { file, commitment }) = &config.command {
        return match verify::file(file, *commitment) {
            Ok(verified) => {
                println!("{verified}");
                Ok(ExitCode::SUCCESS)
            }
            Err(untrue @ NotVerified::Untrue(_)) => {
                println!("{untrue}");
                Ok(ExitCode::from(NOT_TRUE))
            }
            Err(unreadable @ NotVerified::Unreadable(_)) => {
                Err(format!("{} {unreadable}", file.display()).into())
            }
        };
    }
    let metrics = Arc::new(Metrics::new());
    telemetry::start(&config, Arc::clone(&metrics))?;
    open_files::raise_limit(config.limits.connections_max);
    let store: Arc<dyn Store> = match config.store {
        StoreKind::Sqlite => Arc::new(SqliteStore::open(&config.data, Arc::clone(&metrics))?),
        StoreKind::Memory => Arc::new(MemoryStore::default()),
    };
    let signals = Signals::listen()?;
    let server = Server::bind(config, metrics)?;
    let access = server.access();
    let (trigger, shutdown) = shutdown::channel();
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || trigger.begin_on(signals, || access.reload()))?;
    println!("listening on {}://{}", server.scheme(), server.address()?);
    server.serve(store, &shutdown)?;
    Ok(ExitCode::SUCCESS)
}
