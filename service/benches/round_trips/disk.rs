//! The bare limit of the disk: a group commit, of write and fdatasync, for an echo that answers when its record is on
//! disk.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};

use tokio::sync::oneshot;

/// Bytes of a record: about what the product stores for a ply.
const RECORD: [u8; 64] = [0x5a; 64];

/// A folder for files of this run, on the disk of the build. It is gone when it is dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> io::Result<Self> {
        let beside = env::current_exe()?;
        let folder = beside.with_file_name(format!("round_trips-{}", process::id()));
        fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nobody is left to be told.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The 99th percentile; 0 of nothing.
pub(crate) fn percentile_99<T: Copy + Default + Ord>(values: &mut [T]) -> T {
    values.sort_unstable();
    let at = (values.len() * 99).div_ceil(100).saturating_sub(1);
    values.get(at).copied().unwrap_or_default()
}

/// Writes what waits, syncs, and tells all who waited: for ever, on a thread of its own.
#[derive(Debug, Default)]
pub(crate) struct GroupCommit {
    waiting: Mutex<Vec<oneshot::Sender<()>>>,
    work: Condvar,
    /// How long each write with its fdatasync took.
    took: Mutex<Vec<Duration>>,
}

impl GroupCommit {
    /// Starts it, on this file.
    pub(crate) fn start(file: &Path) -> io::Result<Arc<Self>> {
        let mut file = File::create(file)?;
        let commit = Arc::new(Self::default());
        let of_thread = Arc::clone(&commit);
        thread::Builder::new().spawn(move || {
            loop {
                let group = of_thread.next();
                let records = RECORD.repeat(group.len());
                let before = Instant::now();
                if file
                    .write_all(&records)
                    .and_then(|()| file.sync_data())
                    .is_err()
                {
                    // Whoever waits learns it from its sender.
                    return;
                }
                lock(&of_thread.took).push(before.elapsed());
                for waiter in group {
                    let _ = waiter.send(());
                }
            }
        })?;
        Ok(commit)
    }

    fn next(&self) -> Vec<oneshot::Sender<()>> {
        let waiting = lock(&self.waiting);
        let mut waiting = self
            .work
            .wait_while(waiting, |waiting| waiting.is_empty())
            .unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *waiting)
    }

    /// The 99th percentile of how long a write with its fdatasync has taken since this was asked last.
    pub(crate) fn p99(&self) -> Duration {
        percentile_99(&mut std::mem::take(&mut *lock(&self.took)))
    }

    /// Commits a record: done when it is on disk.
    pub(crate) fn commit(&self) -> oneshot::Receiver<()> {
        let (done, committed) = oneshot::channel();
        let mut waiting = lock(&self.waiting);
        waiting.push(done);
        if waiting.len() == 1 {
            self.work.notify_one();
        }
        committed
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
