//! The servers under load: each in a process of its own, so that its CPU time can be told from the client's.

use std::fs;
use std::io::{self, BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

/// A running server. Dropping it kills it.
pub(crate) struct Server {
    child: Child,
    /// Where it listens.
    pub(crate) address: SocketAddr,
    /// Held open, lest the server fail to print.
    _stdout: BufReader<ChildStdout>,
}

impl Server {
    /// Starts a server and waits until it has printed `listening on http://ADDR`.
    pub(crate) fn start(command: &mut Command) -> io::Result<Self> {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut stdout = BufReader::new(child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?);
        let mut line = String::new();
        stdout.read_line(&mut line)?;
        let address = line
            .trim()
            .strip_prefix("listening on http://")
            .and_then(|address| address.parse().ok());
        match address {
            Some(address) => Ok(Self {
                child,
                address,
                _stdout: stdout,
            }),
            None => {
                child.kill()?;
                child.wait()?;
                Err(io::Error::other(format!(
                    "{command:?} printed {line:?} instead of its address"
                )))
            }
        }
    }

    /// The CPU time that its threads have used so far, in user and kernel mode, to the nanosecond.
    ///
    /// Threads that have ended are not counted: a server's working threads stay.
    pub(crate) fn cpu(&self) -> io::Result<Duration> {
        let mut nanos = 0;
        for thread in fs::read_dir(format!("/proc/{}/task", self.child.id()))? {
            let Ok(stat) = fs::read_to_string(thread?.path().join("schedstat")) else {
                continue; // It has just ended.
            };
            let on_cpu = stat
                .split_whitespace()
                .next()
                .and_then(|field| field.parse::<u64>().ok());
            nanos += on_cpu.ok_or_else(|| io::Error::other(format!("schedstat reads {stat:?}")))?;
        }
        Ok(Duration::from_nanos(nanos))
    }
}

impl Server {
    /// The memory that it holds now.
    pub(crate) fn resident(&self) -> io::Result<Resident> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let read = |name: &str| {
            let size = status.lines().find_map(|line| {
                let kib = line.strip_prefix(name)?.strip_suffix("kB")?;
                kib.trim().parse().ok()
            });
            size.ok_or_else(|| io::Error::other(format!("its status reads {status:?}")))
        };
        Ok(Resident {
            total_kib: read("VmRSS:")?,
            own_kib: read("RssAnon:")?,
        })
    }
}

/// Memory of a server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resident {
    /// All of it.
    pub(crate) total_kib: u64,
    /// What it has written itself, without what of its files is mapped.
    pub(crate) own_kib: u64,
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have gone already, and nobody is left to be told.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
