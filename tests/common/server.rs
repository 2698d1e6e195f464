//! A real server process on a port of its own.

use std::{
    env, fs,
    io::{BufRead as _, BufReader, Read as _},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};
use tonic::transport::{Channel, Endpoint};

use super::{Catalog, PATIENCE, Sessions, eventually, web::Web};

/// A server that runs until it is dropped. When it is, its log must not tell of a fault of the server.
#[derive(Debug)]
pub struct Server {
    child: Child,
    /// `http`, or `https` with TLS.
    scheme: String,
    address: SocketAddr,
    stdout: BufReader<ChildStdout>,
    log: Arc<Mutex<String>>,
    log_reader: Option<JoinHandle<()>>,
}

/// The page of metrics at this address.
pub async fn metrics(address: SocketAddr) -> String {
    let mut web = Web::connect(address).await;
    let (status, head) = web
        .request("GET /metrics HTTP/1.1\nhost: tavola.test", b"")
        .await;
    assert_eq!(status, 200, "{head:?}");
    let page = web.body().await;
    String::from_utf8(page.to_vec()).expect("it is text")
}

/// The binary under test with these flags, and without what the environment of the test may say to it. It keeps its
/// sessions in memory, unless a flag says otherwise.
pub fn command(flags: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tavola"));
    for (name, _) in env::vars_os() {
        if name.to_string_lossy().starts_with("TAVOLA_") {
            command.env_remove(name);
        }
    }
    command.args(flags).stdin(Stdio::null());
    command.env("TAVOLA_STORE", "memory");
    command
}

/// A data folder that is gone when it is dropped.
#[derive(Debug)]
pub struct DataFolder(PathBuf);

impl DataFolder {
    /// An empty one.
    pub fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("data-{}-{number}", std::process::id());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        // One that an earlier process of this number has left.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("the folder of the tests can be written");
        Self(folder)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// A command that serves what is in it, with these flags.
    pub fn command(&self, flags: &[&str]) -> Command {
        let mut command = command(&["--listen", "127.0.0.1:0", "--store", "sqlite", "--data"]);
        command.arg(&self.0).args(flags);
        command
    }

    /// A server that keeps its sessions in it, with these flags.
    pub fn serve(&self, flags: &[&str]) -> Server {
        Server::run(self.command(flags))
    }
}

impl Drop for DataFolder {
    fn drop(&mut self) {
        // Left where it is for whoever looks into a test that has failed.
        if !thread::panicking() {
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}

/// Runs the binary to its end, which has to come soon.
pub fn run(mut command: Command) -> Output {
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary can be run");
    let deadline = Instant::now() + PATIENCE;
    while child.try_wait().expect("the child can be asked").is_none() {
        if Instant::now() > deadline {
            child.kill().expect("the child can be killed");
            panic!("{command:?} goes on running");
        }
        thread::sleep(Duration::from_millis(2));
    }
    child.wait_with_output().expect("the output can be read")
}

impl Server {
    /// A server on a free port of the loopback, with these flags.
    pub fn start(flags: &[&str]) -> Self {
        let mut command = command(&["--listen", "127.0.0.1:0"]);
        command.args(flags);
        Self::run(command)
    }

    /// The server that `command` runs.
    pub fn run(mut command: Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server can be run");
        let mut stderr = BufReader::new(child.stderr.take().expect("it is piped"));
        let log = Arc::new(Mutex::new(String::new()));
        let kept = Arc::clone(&log);
        let log_reader = thread::spawn(move || {
            let mut line = Vec::new();
            while stderr
                .read_until(b'\n', &mut line)
                .is_ok_and(|read| read > 0)
            {
                kept.lock()
                    .unwrap()
                    .push_str(&String::from_utf8_lossy(&line));
                line.clear();
            }
        });
        let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut ready = String::new();
        stdout
            .read_line(&mut ready)
            .expect("the server's first line can be read");
        let listening = ready.trim_end().strip_prefix("listening on ");
        let Some((scheme, address)) = listening.and_then(|at| at.split_once("://")) else {
            let _ = child.kill();
            let _ = log_reader.join();
            panic!(
                "the server says {ready:?} instead of where it listens, and logs: {}",
                log.lock().unwrap()
            );
        };
        let address = address.parse().expect("it is an address with a port");
        Self {
            child,
            scheme: scheme.to_owned(),
            address,
            stdout,
            log,
            log_reader: Some(log_reader),
        }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where it listens, for a client to connect to.
    pub fn endpoint(&self) -> Endpoint {
        Endpoint::from_shared(format!("{}://{}", self.scheme, self.address)).expect("it is a URL")
    }

    /// A connection of its own.
    pub async fn channel(&self) -> Channel {
        self.endpoint()
            .connect()
            .await
            .expect("the server can be connected to")
    }

    /// A client of SessionService, on a connection of its own.
    pub async fn sessions(&self) -> Sessions {
        Sessions::new(self.channel().await)
    }

    /// A client of CatalogService, on a connection of its own.
    pub async fn catalog(&self) -> Catalog {
        Catalog::new(self.channel().await)
    }

    /// Where it serves metrics, as its log says.
    pub async fn metrics_address(&self) -> SocketAddr {
        let said = async || {
            let log = self.log();
            let line = log.lines().find(|line| line.contains("serving metrics"))?;
            let (_, after) = line.split_once("address")?;
            // `address=...` or, in JSON, `"address":"..."`.
            let address = after.trim_start_matches(['=', '"', ':']);
            let end = address.find(|end: char| !matches!(end, '0'..='9' | '.' | ':'));
            let address = &address[..end.unwrap_or(address.len())];
            Some(address.parse().expect("it is an address with a port"))
        };
        eventually("where the metrics are", said).await
    }

    /// The number of its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Its process, for the system's calls.
    pub fn process(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// What it has logged so far.
    pub fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("it is a process of ours");
    }

    /// Ends it as a crash would, here and now. Its log must not tell of a fault.
    pub fn kill(self) {
        drop(self);
    }

    /// Asks it to stop.
    pub fn terminate(&self) {
        self.signal(Signal::TERM);
    }

    /// How it ended, which has to be within this time.
    pub async fn exit(&mut self, within: Duration) -> ExitStatus {
        let deadline = Instant::now() + within;
        loop {
            if let Some(status) = self.child.try_wait().expect("the child can be asked") {
                return status;
            }
            assert!(
                Instant::now() < deadline,
                "the server still runs after {within:?}"
            );
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// What else it wrote to stdout until its end.
    pub fn rest_of_stdout(&mut self) -> String {
        let mut rest = String::new();
        self.stdout
            .read_to_string(&mut rest)
            .expect("stdout can be read");
        rest
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if let Some(reader) = self.log_reader.take() {
            let _ = reader.join();
        }
        let log = self.log.lock().unwrap();
        if thread::panicking() {
            eprintln!("--- the log of the server\n{log}---");
            return;
        }
        let faults: Vec<&str> = log
            .lines()
            .filter(|line| line.contains(" ERROR ") || line.contains("panicked at"))
            .collect();
        assert!(
            faults.is_empty(),
            "the server reports faults of its own: {faults:#?}"
        );
    }
}
