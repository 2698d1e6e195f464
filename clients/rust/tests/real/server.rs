//! A server process.

use std::{
    env, fs,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
};

const VARIABLE: &str = "TAVOLA_SERVER_BINARY";

/// A server that runs until it is dropped.
pub(crate) struct Server {
    /// Where it listens: HOST:PORT.
    pub(crate) address: String,
    child: Child,
}

impl Server {
    /// A server with these flags: on a free port and with its sessions in memory, if they do not say otherwise. None: there
    /// is no binary, and that is allowed.
    pub(crate) fn start(flags: &[&str]) -> Option<Self> {
        let Some(binary) = env::var_os(VARIABLE) else {
            let needed = format!("needs {VARIABLE}, the path of a server's binary");
            assert!(env::var_os("CI").is_none(), "{needed}");
            eprintln!("skipped: {needed}");
            return None;
        };
        let mut command = Command::new(binary);
        for (name, _) in env::vars_os() {
            if name.to_string_lossy().starts_with("TAVOLA_") {
                command.env_remove(name);
            }
        }
        command
            .args(flags)
            .env("TAVOLA_LISTEN", "127.0.0.1:0")
            .env("TAVOLA_STORE", "memory")
            .env("TAVOLA_LOG", "error");
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let stdout = child.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut line).unwrap();
        let address = line.trim_end().strip_prefix("listening on http://");
        let address = address.map(str::to_owned);
        let mut server = Self {
            address: String::new(),
            child,
        };
        server.address = address.unwrap_or_else(|| panic!("the server says {line:?}"));
        Some(server)
    }

    /// Ends it without a warning.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks it to end, as an operator does.
    pub(crate) fn interrupt(&self) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
        assert!(sent.success());
    }

    /// Waits for its end, which has to be an orderly one.
    pub(crate) fn ends(&mut self) {
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A folder that is gone when it is dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// An empty one.
    pub(crate) fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("tavola-client-{}-{number}", std::process::id());
        // Not within the checkout: Cargo would make a member of its workspace of a package in it.
        let folder = env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
