//! What the product adds to a bare gRPC server: its round trips against those of a bare tonic echo in the same run, with
//! the same requests, replies as long as the product's mean reply, and rounds that alternate.
//!
//! ```text
//! cargo bench --bench round_trips [-- --rounds N] [--seconds S] [--only NAME] [--plain]
//! cargo bench --bench round_trips -- --stored N     # what N sessions cost that nobody plays
//! ```
//!
//! Both servers run in processes of their own and are loaded with whole random games of Santorini, without gods and,
//! where it is not said otherwise, in memory, over raw HTTP/2 in a closed loop. Only ratios count: a ratio is the median over the rounds of what the product
//! reached of the echo in that round, 1.00 being as good. The CPU is the server's; where calls/s and CPU disagree, the
//! CPU decides. It fails on errors, never on a slow machine.
//!
//! Over Play each seat has a stream, and a step is a submission with its answer. The echo is played the same way, with
//! two new streams for each game; but the product also tells the other seat of each step: see messages/step.
//!
//! The durable cases keep the sessions in SQLite. Where the echo commits, it answers a call when a record of it has been
//! written and synced together with all that waited; elsewhere the durable product has to keep up with the bare echo.
//!
//! - `sessions`: the games and the sessions that they are played in; `load`: the client
//! - `disk`: bare commits; `echo`: the bare server; `process`: servers as processes, and their CPU time
//! - `push`: what watchers cost
//! - `report`: the table and the bars
//! - `stored`: sessions that nobody plays

#![allow(
    clippy::expect_used,
    reason = "a benchmark may stop at what can't happen"
)]

mod disk;
mod echo;
mod load;
mod process;
mod push;
mod report;
mod sessions;
mod stored;

use std::env;
use std::error::Error;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::Duration;

use prost::Message as _;
use tavola::pb::v1::View;

use crate::disk::{Folder, percentile_99};
use crate::load::{Mode, Script, Shape, Tally, Target};
use crate::process::Server;
use crate::report::{Sample, Samples, report};
use crate::sessions::{Games, Host, Manner, Sessions};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How the product is started, with a store. With room for 500 connections from here, and for 128 calls on each.
const PRODUCT_ARGS: &[&str] = &[
    "--listen=127.0.0.1:0",
    "--streams-per-connection-max=256",
    "--log=warn",
    "--sessions-max=1000000",
    "--connections-per-peer-max=1024",
];

/// What is measured. The bars hold for the lean view; the full one is reported beside it.
const CASES: &[Case] = &[
    Case {
        name: UNARY_LEAN,
        shape: COALESCING,
        manner: manner(Mode::Unary, View::Lean),
        storage: Storage::Memory,
        bar: Some(("B1", 0.70)),
    },
    Case {
        name: "unary full 4x16",
        shape: COALESCING,
        manner: manner(Mode::Unary, View::Full),
        storage: Storage::Memory,
        bar: None,
    },
    Case {
        name: PLAY_LEAN,
        shape: COALESCING,
        manner: manner(Mode::Streams, View::Lean),
        storage: Storage::Memory,
        bar: Some(("B3", 0.70)),
    },
    Case {
        name: "unary lean 500x1",
        shape: LONERS,
        manner: manner(Mode::Unary, View::Lean),
        storage: Storage::Memory,
        bar: Some(("B6", 0.90)),
    },
    Case {
        name: DURABLE,
        shape: COALESCING,
        manner: manner(Mode::Unary, View::Lean),
        storage: Storage::Committed,
        bar: Some(("B7", 0.85)),
    },
    Case {
        name: "durable 4x128",
        shape: MANY,
        manner: manner(Mode::Unary, View::Lean),
        storage: Storage::Committed,
        bar: Some(("B7", 0.85)),
    },
    Case {
        name: "durable 8x128",
        shape: MOST,
        manner: manner(Mode::Unary, View::Lean),
        storage: Storage::Durable,
        bar: Some(("B8", 0.45)),
    },
];

/// Many calls on few connections: replies leave together.
const COALESCING: Shape = Shape {
    connections: 4,
    in_flight: 16,
};
/// A connection for each call in flight: a write for each reply.
const LONERS: Shape = Shape {
    connections: 500,
    in_flight: 1,
};

/// So many in flight that a commit is shared by hundreds.
const MANY: Shape = Shape {
    connections: 4,
    in_flight: 128,
};
const MOST: Shape = Shape {
    connections: 8,
    in_flight: 128,
};
/// For a question to a server.
const ONE: Shape = Shape {
    connections: 1,
    in_flight: 1,
};

/// The bar for how long a call takes where a ply is stored, of twice what a bare commit does under the same load, of the
/// echo: at most so much.
const LATENCY_BAR: (&str, &str, f64) = ("B9", DURABLE, 1.5);

/// The bar for what a step costs in one case, in CPU of the product, of what it costs in the other: at most so much.
const PLAY_BAR: (&str, &str, &str, f64) = ("B4", PLAY_LEAN, UNARY_LEAN, 0.60);

const UNARY_LEAN: &str = "unary lean 4x16";
const PLAY_LEAN: &str = "Play lean 4x16";
const DURABLE: &str = "durable 4x16";

const fn manner(mode: Mode, view: View) -> Manner {
    Manner { mode, view }
}

/// Where the product keeps its sessions, and what the echo does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Storage {
    /// In memory; the echo stores nothing.
    Memory,
    /// On disk, before the reply; the echo stores nothing.
    Durable,
    /// On disk, before the reply; the echo commits, too.
    Committed,
}

/// Something to measure on both servers.
struct Case {
    name: &'static str,
    shape: Shape,
    manner: Manner,
    storage: Storage,
    /// The name of the bar, and what has to be reached of the echo.
    bar: Option<(&'static str, f64)>,
}

/// The command line.
struct Options {
    rounds: usize,
    round_time: Duration,
    /// Part of the names of the cases to run.
    only: String,
    wire: echo::Wire,
}

/// The product's method that takes a step.
const SUBMIT: &str = "/tavola.v1.SessionService/SubmitAction";

/// Makes the echo commit to a file, whose path follows.
const COMMIT: &str = "--commit";
/// The private argument that makes this binary the echo. Followed by the length of its replies.
const ECHO: &str = "--echo";
/// Gives the echo a plain stream.
const PLAIN: &str = "--plain";
/// What Cargo says to every benchmark, but not when it runs the target as a test.
const BENCH: &str = "--bench";

fn main() -> ExitCode {
    match run(env::args().skip(1)) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("round_trips: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut args: impl Iterator<Item = String>) -> Result<ExitCode, Box<dyn Error>> {
    let mut options = Options {
        rounds: 7,
        round_time: Duration::from_secs(1),
        only: String::new(),
        wire: echo::Wire::Flat,
    };
    let (mut echo_bytes, mut commit_to) = (None, None);
    let (mut bench, mut stored) = (false, None);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} takes a value"));
        match arg.as_str() {
            "--rounds" => options.rounds = value()?.parse::<usize>()?.max(1),
            "--seconds" => options.round_time = Duration::try_from_secs_f64(value()?.parse()?)?,
            "--stored" => stored = Some(value()?.parse::<usize>()?.max(1)),
            "--only" => options.only = value()?,
            PLAIN => options.wire = echo::Wire::Plain,
            ECHO => echo_bytes = Some(value()?.parse()?),
            COMMIT => commit_to = Some(PathBuf::from(value()?)),
            BENCH => bench = true,
            _ => return Err(format!("unknown argument {arg}").into()),
        }
    }
    if let Some(reply_bytes) = echo_bytes {
        echo::serve(reply_bytes, options.wire, commit_to.as_deref())?;
        return Ok(ExitCode::SUCCESS);
    }
    if !bench {
        println!("nothing is tested here: run it with cargo bench");
        return Ok(ExitCode::SUCCESS);
    }
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(async {
            match stored {
                Some(count) => stored::measure(count).await.map(|()| ExitCode::SUCCESS),
                None => measure(&options).await,
            }
        })
}

/// A case under measurement.
struct Contest {
    echo: Server,
    /// Steps per second that the product reached last.
    rate: f64,
    samples: Samples,
}

/// The product with all that its rounds need: once for each way to keep sessions.
struct Product {
    server: Server,
    host: Host,
    mean_plies: usize,
}

impl Product {
    async fn start(store: &[String], games: Arc<Games>) -> Result<Self, Box<dyn Error>> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tavola"));
        let server = Server::start(command.args(PRODUCT_ARGS).args(store))?;
        let mean_plies = games.mean_plies();
        let host = Host::connect(server.address, games).await?;
        Ok(Self {
            server,
            host,
            mean_plies,
        })
    }
}

/// Both of them, and the folder for what they store.
struct Products {
    in_memory: Product,
    durable: Product,
    folder: Folder,
}

impl Products {
    async fn start() -> Result<Self, Box<dyn Error>> {
        let folder = Folder::new()?;
        let games = Arc::new(Games::random(256)?);
        let data = format!("--data={}", folder.path().join("data").display());
        let memory = ["--store=memory".to_owned()];
        Ok(Self {
            in_memory: Product::start(&memory, Arc::clone(&games)).await?,
            durable: Product::start(&["--store=sqlite".to_owned(), data], games).await?,
            folder,
        })
    }

    fn of(&mut self, storage: Storage) -> &mut Product {
        match storage {
            Storage::Memory => &mut self.in_memory,
            Storage::Durable | Storage::Committed => &mut self.durable,
        }
    }
}

async fn measure(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    let mut errors = Errors::default();
    let mut products = Products::start().await?;
    let mut contests = Vec::new();
    for case in CASES
        .iter()
        .filter(|case| case.name.contains(&options.only))
    {
        contests.push(warm_up(case, &mut products, options, &mut errors).await?);
    }
    let push = "push".contains(&options.only);
    if contests.is_empty() && !push {
        return Err(format!("no case has {:?} in its name", options.only).into());
    }
    for round in 0..options.rounds {
        for contest in &mut contests {
            // Who went first last time goes second now.
            let product = products.of(contest.samples.case.storage);
            contest
                .round(product, options.round_time, round % 2 == 0, &mut errors)
                .await?;
        }
    }
    println!(
        "{} rounds of {:?} each, alternating; medians; a step is a call or, over Play, a submission",
        options.rounds, options.round_time
    );
    println!("product: tavola {}", PRODUCT_ARGS.join(" "));
    println!(
        "echo: bare tonic, one current-thread runtime per core, {} stream",
        match options.wire {
            echo::Wire::Flat => "flat (no vectored writes)",
            echo::Wire::Plain => "plain",
        }
    );
    if !contests.is_empty() {
        report(contests.iter().map(|contest| &contest.samples));
    }
    if push {
        push::deliveries(&mut products.in_memory, options.rounds).await?;
        push::slow_watchers(&mut products.in_memory, options.rounds).await?;
    }
    Ok(errors.exit_code())
}

/// Lets both servers run for a while, and finds out how long the echo's replies have to be.
async fn warm_up(
    case: &'static Case,
    products: &mut Products,
    options: &Options,
    errors: &mut Errors,
) -> Result<Contest, Box<dyn Error>> {
    // More steps per second than any machine makes, to have sessions enough.
    let rate = match case.storage {
        Storage::Memory => 250_000.0,
        Storage::Durable | Storage::Committed => 80_000.0,
    };
    let time = options.round_time / 2;
    let records = products.folder.path().join("records");
    let product = products.of(case.storage);
    let mut sessions = product.open(case, rate, time).await?;
    let (tally, sample) = play(&product.server, case, true, &mut sessions.scripts, time).await?;
    errors.note(case, "product", &tally);
    let sample = sample
        .ok_or_else(|| format!("{}: no step succeeded: {:?}", case.name, tally.first_error))?;

    let mut command = Command::new(env::current_exe()?);
    command.args([ECHO, &format!("{:.0}", sample.reply_bytes)]);
    if options.wire == echo::Wire::Plain {
        command.arg(PLAIN);
    }
    if case.storage == Storage::Committed {
        command.arg(COMMIT).arg(records);
    }
    let echo = Server::start(&mut command)?;
    let (tally, _) = play(&echo, case, false, &mut sessions.scripts, time).await?;
    errors.note(case, "echo", &tally);
    if case.storage == Storage::Committed {
        commit_p99_us(&echo).await?; // From now on of one round only.
    }
    product.host.delete(sessions).await?;
    Ok(Contest {
        echo,
        rate: sample.steps_per_s,
        samples: Samples::of(case),
    })
}

impl Product {
    /// Opens as many sessions as are needed at a rate of steps per second, and some more. A round that is faster still
    /// ends when they are used up.
    async fn open(
        &mut self,
        case: &Case,
        rate: f64,
        time: Duration,
    ) -> Result<Sessions, load::Failure> {
        let steps = rate * time.as_secs_f64() * 1.3;
        let used_up = (steps / self.mean_plies as f64) as usize;
        self.host
            .open(used_up + 2 * case.shape.slots(), case.manner)
            .await
    }
}

impl Contest {
    /// One round of each server, on the same scripts.
    async fn round(
        &mut self,
        product: &mut Product,
        time: Duration,
        product_first: bool,
        errors: &mut Errors,
    ) -> Result<(), Box<dyn Error>> {
        let case = self.samples.case;
        let mut sessions = product.open(case, self.rate, time).await?;
        for is_product in [product_first, !product_first] {
            let (server, name, samples) = if is_product {
                (&product.server, "product", &mut self.samples.product)
            } else {
                (&self.echo, "echo", &mut self.samples.echo)
            };
            let (tally, sample) =
                play(server, case, is_product, &mut sessions.scripts, time).await?;
            errors.note(case, name, &tally);
            let sample =
                sample.ok_or_else(|| format!("{}: no step succeeded on the {name}", case.name))?;
            if is_product {
                self.rate = sample.steps_per_s;
            }
            samples.push(sample);
        }
        if case.storage == Storage::Committed {
            self.samples
                .commit_p99_us
                .push(commit_p99_us(&self.echo).await?);
        }
        Ok(product.host.delete(sessions).await?)
    }
}

/// How long a bare commit of the echo took in the last round: the 99th percentile, in microseconds.
async fn commit_p99_us(echo: &Server) -> Result<f64, Box<dyn Error>> {
    let mut connections = load::connect(echo.address, ONE).await?;
    let connection = connections.first_mut().ok_or("no connection")?;
    let uri = connection.uri(echo::COMMIT_P99);
    let asked = load::frame(&echo::Ping::default());
    let answer = echo::Ping::decode(connection.call(&uri, None, asked).await?)?;
    Ok(str::from_utf8(&answer.payload)?.parse()?)
}

/// Plays scripts on a server, over connections of its own. The sample is missing if no step succeeded.
async fn play(
    server: &Server,
    case: &Case,
    product: bool,
    scripts: &mut Vec<Script>,
    time: Duration,
) -> Result<(Tally, Option<Sample>), Box<dyn Error>> {
    let path = match (product, case.manner.mode) {
        (true, Mode::Unary) => SUBMIT,
        (true, Mode::Streams) => "/tavola.v1.SessionService/Play",
        (false, Mode::Unary) => echo::UNARY,
        (false, Mode::Streams) => echo::PING_PONG,
    };
    let target = Target { path, product };
    let connections = load::connect(server.address, case.shape).await?;
    let cpu_before = server.cpu()?;
    let (mut tally, played) = load::play(
        target,
        case.manner.mode,
        connections,
        case.shape.in_flight,
        std::mem::take(scripts),
        time,
    )
    .await;
    let cpu = server.cpu()?.saturating_sub(cpu_before);
    *scripts = played;
    let steps = tally.steps as f64;
    let sample = (tally.steps > 0).then(|| Sample {
        steps_per_s: steps / tally.elapsed.as_secs_f64(),
        cpu_us_per_step: cpu.as_secs_f64() * 1e6 / steps,
        reply_bytes: tally.reply_bytes as f64 / steps,
        messages_per_step: tally.messages as f64 / steps,
        p99_us: percentile_99(&mut tally.latencies).into(),
    });
    Ok((tally, sample))
}

/// What went wrong in the whole run. There must be nothing.
#[derive(Default)]
struct Errors(u64);

impl Errors {
    fn note(&mut self, case: &Case, server: &str, tally: &Tally) {
        if let Some(first) = &tally.first_error {
            self.0 += tally.errors;
            eprintln!(
                "ERRORS: {}, {server}: {}, the first of them: {first}",
                case.name, tally.errors
            );
        }
    }

    fn exit_code(&self) -> ExitCode {
        println!("errors: {}", self.0);
        if self.0 == 0 {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }
}
