//! A server, an honest player who is there all the time, and the verdict on how both came through.

use std::{
    process::Command,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use tavola::pb::v1::{View, submit_action_request::Answer};
use tokio::sync::MutexGuard;

use crate::{
    common::{Dice, Server, Table, asked_seat, santorini, sized, soon},
    process::Process,
};

/// One attack at a time: they are measured.
static TURN: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// What an answer may take beside an attack, if that is more than [`SLOWER_MAX`] times what it takes without. The short
/// form shares its cores with whatever else is built and tested: it notices who is held up, and not who is slowed down.
fn slow() -> Duration {
    Duration::from_millis(sized(1000, 50))
}
const SLOWER_MAX: u32 = 3;

/// How long memory has to come back, to within this share of what it was.
const BACK_WITHIN: Duration = Duration::from_secs(60);
const BACK_TO_PERCENT: u64 = 120;

/// How long the honest player plays before the attack.
const QUIET: Duration = Duration::from_secs(1);

/// How long a server takes to give back what it needed to start: without it, small growth goes unseen.
const SETTLED: Duration = Duration::from_secs(10);

/// A server with an honest player.
#[derive(Debug)]
pub(crate) struct Rig {
    pub(crate) server: Server,
    pub(crate) process: Process,
    name: &'static str,
    honest: Honest,
    quiet: Played,
    rss_kib: u64,
    cpu: Duration,
    began: Instant,
    _turn: MutexGuard<'static, ()>,
}

impl Rig {
    /// A server with these flags and a player who has played there for a while.
    pub(crate) async fn start(name: &'static str, flags: &[&str]) -> Self {
        let mut command = crate::common::command(&["--listen", "127.0.0.1:0"]);
        command.args(flags);
        Self::run(name, command).await
    }

    /// The same with the server that `command` runs.
    pub(crate) async fn run(name: &'static str, command: Command) -> Self {
        let turn = TURN.lock().await;
        let server = Server::run(command);
        let process = Process(server.pid());
        let honest = Honest::start(&server);
        tokio::time::sleep(sized(QUIET, SETTLED)).await;
        let quiet = honest.take();
        process.forget_peak();
        Self {
            process,
            name,
            honest,
            quiet,
            rss_kib: process.rss_kib(),
            cpu: process.cpu(),
            began: Instant::now(),
            server,
            _turn: turn,
        }
    }

    /// The attack begins only now. What came before it was its rehearsal, in which the allocator has taken pages of every
    /// size for every thread: it keeps those, once, and a server that has just been started has none of them.
    pub(crate) async fn begin_after_rehearsal(&mut self) {
        tokio::time::sleep(SETTLED).await;
        assert_eq!(self.honest.take().failures, [""; 0], "honest calls fail");
        self.process.forget_peak();
        self.rss_kib = self.process.rss_kib();
        self.cpu = self.process.cpu();
        self.began = Instant::now();
    }

    /// Time on processors since the attack began.
    pub(crate) fn cpu(&self) -> Duration {
        self.process.cpu() - self.cpu
    }

    /// Prints a figure of the attack.
    pub(crate) fn figure(&self, what: impl std::fmt::Display) {
        println!("{}: {what}", self.name);
    }

    /// The sessions that there are.
    pub(crate) async fn sessions(&self) -> Vec<String> {
        let mut client = self.server.sessions().await;
        let (mut ids, mut page_token) = (Vec::new(), String::new());
        loop {
            let request = tavola::pb::v1::ListSessionsRequest {
                page_size: Some(100),
                page_token,
                ..Default::default()
            };
            let page = client
                .list_sessions(request)
                .await
                .expect("anybody may list");
            let page = page.into_inner();
            ids.extend(page.sessions.into_iter().map(|session| session.session_id));
            page_token = page.next_page_token;
            if page_token.is_empty() {
                return ids;
            }
        }
    }

    /// The attack stops the server: the honest player is sent home before, and must have been served until then.
    pub(crate) fn expect_shutdown(&mut self) {
        self.honest.end();
        assert_eq!(self.honest.take().failures, [""; 0], "honest calls fail");
    }

    /// KiB of memory by which the server has grown at most since the attack began.
    pub(crate) fn grown_kib(&self) -> u64 {
        self.process.peak_kib().saturating_sub(self.rss_kib)
    }

    /// The attack is over: whether the honest player was served and memory comes back. All that attacked has to be gone.
    pub(crate) async fn verdict(self) {
        let took = self.began.elapsed();
        let cpu = self.cpu();
        let grown_kib = self.grown_kib();
        let mut played = self.honest.take();
        let deadline = Instant::now() + BACK_WITHIN;
        let enough_kib = self.rss_kib * BACK_TO_PERCENT / 100;
        while self.process.rss_kib() > enough_kib && Instant::now() < deadline {
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
        let (back_kib, back_after) = (self.process.rss_kib(), took_until(deadline));
        let after = self.honest.stop();
        played.failures.extend(after.failures);

        let quiet = self.quiet.p99();
        let beside = played.p99();
        println!(
            "{}: {:.1} s, server CPU {:.1} s, memory {} KiB, +{grown_kib} KiB at its peak, {back_kib} KiB again after \
             {:.1} s; {} honest calls, {} failed, p99 {:.1} ms (quiet {:.1} ms)",
            self.name,
            took.as_secs_f64(),
            cpu.as_secs_f64(),
            self.rss_kib,
            back_after.as_secs_f64(),
            played.took.len(),
            played.failures.len(),
            beside.as_secs_f64() * 1e3,
            quiet.as_secs_f64() * 1e3,
        );
        assert_eq!(played.failures, [""; 0], "honest calls fail");
        assert!(
            !played.took.is_empty(),
            "the honest player was not served at all"
        );
        assert!(
            beside <= (quiet * SLOWER_MAX).max(slow()),
            "an honest call takes {beside:?}, and {quiet:?} without the attack"
        );
        assert!(
            back_kib <= enough_kib,
            "{back_kib} KiB are still in use, of {} KiB before the attack",
            self.rss_kib
        );
    }
}

/// How long memory took to come back.
fn took_until(deadline: Instant) -> Duration {
    BACK_WITHIN.saturating_sub(deadline.saturating_duration_since(Instant::now()))
}

/// What the honest player came through.
#[derive(Debug, Default)]
struct Played {
    took: Vec<Duration>,
    failures: Vec<String>,
}

impl Played {
    fn p99(&self) -> Duration {
        let mut took = self.took.clone();
        took.sort();
        let at = took.len().saturating_sub(1) * 99 / 100;
        took.get(at).copied().unwrap_or_default()
    }
}

/// One who plays both seats of a table, game after game, and watches it: on a thread of its own, so that the attack does
/// not hold up its clock.
#[derive(Debug)]
struct Honest {
    played: Arc<Mutex<Played>>,
    enough: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Honest {
    fn start(server: &Server) -> Self {
        let played = Arc::new(Mutex::new(Played::default()));
        let enough = Arc::new(AtomicBool::new(false));
        let endpoint = server.endpoint();
        let (told, stop) = (Arc::clone(&played), Arc::clone(&enough));
        let play = async move {
            let mut dice = Dice::fixed(1);
            let client = || async {
                let channel = endpoint.connect().await.expect("the server listens");
                crate::common::Sessions::new(channel)
            };
            let (plays, watches) = (client().await, client().await);
            while !stop.load(Ordering::Relaxed) {
                if let Err(failure) = play_game(&plays, &watches, &mut dice, &told, &stop).await {
                    told.lock().unwrap().failures.push(failure);
                    return;
                }
            }
        };
        let thread = thread::spawn(|| {
            tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("the system gives an event loop")
                .block_on(play);
        });
        Self {
            played,
            enough,
            thread: Some(thread),
        }
    }

    /// What it came through since it was last asked.
    fn take(&self) -> Played {
        std::mem::take(&mut self.played.lock().unwrap())
    }

    fn stop(mut self) -> Played {
        self.end();
        self.take()
    }

    fn end(&mut self) {
        self.enough.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            let failure = "the honest player got no answer".to_owned();
            self.played.lock().unwrap().failures.push(failure);
        }
    }
}

impl Drop for Honest {
    fn drop(&mut self) {
        self.end();
    }
}

/// A table with a player at each seat; none if the player is to stop. Where there is no room, it comes again later.
async fn open_table(
    client: &crate::common::Sessions,
    stop: &AtomicBool,
) -> Result<Option<Table>, String> {
    let created = loop {
        match client.clone().create_session(santorini()).await {
            Ok(created) => break created.into_inner(),
            Err(status) if status.code() == tonic::Code::ResourceExhausted => {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            Err(status) => return Err(format!("creating: {status}")),
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
    };
    let mut table = Table {
        client: client.clone(),
        id: created.session_id,
        host: created.host_token,
        join_token: None,
        tokens: Vec::new(),
    };
    table.join().await;
    table.join().await;
    Ok(Some(table))
}

/// Plays one game; each step is timed until its reply, and the watcher, have come.
async fn play_game(
    plays: &crate::common::Sessions,
    watches: &crate::common::Sessions,
    dice: &mut Dice,
    told: &Mutex<Played>,
    stop: &AtomicBool,
) -> Result<(), String> {
    /// Between steps, as a client that thinks.
    const PAUSE: Duration = Duration::from_millis(2);

    let table = open_table(plays, stop).await?;
    let Some(table) = table else { return Ok(()) };
    let watched = Table {
        client: watches.clone(),
        ..table.clone()
    };
    let mut watching = watched.watch(None, View::Lean).await;
    let mut now = watching.next().await;
    while let Some(seat) = asked_seat(now.decision.as_ref()) {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        tokio::time::sleep(PAUSE).await;
        let decision = now.decision.as_ref().map_or(0, |open| open.decision_id);
        let seen = table
            .try_observe(table.token(Some(seat)), View::Lean)
            .await
            .map_err(|status| format!("observing: {status}"))?;
        let answer = Answer::ActionId(*dice.pick(&seen.legal_action_ids));
        let began = Instant::now();
        let reply = table
            .submit(seat, decision, answer)
            .await
            .map_err(|status| format!("submitting: {status}"))?;
        let update = watching
            .next_encoded()
            .await
            .map_err(|status| format!("watching: {status}"))?;
        told.lock().unwrap().took.push(began.elapsed());
        now = crate::common::update_of(&update.ok_or("the stream ends in mid-game")?);
        if now.version != reply.version {
            return Err(format!("{} was told, {} made", now.version, reply.version));
        }
    }
    let delete = tavola::pb::v1::DeleteSessionRequest {
        session_id: table.id.clone(),
    };
    let request = crate::common::with_token(Some(&table.host), delete);
    soon("a reply", table.client.clone().delete_session(request))
        .await
        .map_err(|status| format!("deleting: {status}"))?;
    Ok(())
}
