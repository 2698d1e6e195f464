//! Moves what is in SQLite's write-ahead log to the main file, on a thread of its own: the writer would keep everybody
//! waiting meanwhile.

use std::{
    ffi::c_int,
    path::{Path, PathBuf},
    sync::{
        Arc,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use parking_lot::{Mutex, MutexGuard};
use rusqlite::{Connection, hooks::Wal};

use super::{OpenError, schema};

/// Pages of 4 KiB in the log from which on they are moved. The more there may be, the more often a page is written before
/// it is moved; as many are read when the server starts after a crash.
pub(super) const LOG_PAGES: c_int = 4_000;

/// How long a file is left alone that has just failed.
const FAILURE_PAUSE: Duration = Duration::from_secs(1);

/// The thread, for the writer.
pub(super) struct Checkpointer {
    /// Told that the log is long.
    wanted: SyncSender<()>,
    writing: Arc<Mutex<()>>,
    thread: JoinHandle<()>,
}

impl Checkpointer {
    /// Starts it, on a file that was opened before.
    ///
    /// # Errors
    /// If the file cannot be opened, or the system gives no thread.
    pub(super) fn start(file: &Path) -> Result<Self, OpenError> {
        let (wanted, when_wanted) = sync_channel(1);
        let writing = Arc::default();
        let mover = Mover {
            file: file.to_owned(),
            connection: schema::reopen_writer(file)?,
            when_wanted,
            writing: Arc::clone(&writing),
        };
        let thread = thread::Builder::new().name("checkpoint".to_owned());
        Ok(Self {
            wanted,
            writing,
            thread: thread.spawn(|| mover.run()).map_err(OpenError::Thread)?,
        })
    }

    /// Watches the log that this connection writes.
    pub(super) fn watch(&self, connection: &mut Connection) -> rusqlite::Result<()> {
        let wanted = self.wanted.clone();
        let grown = move |_: &mut Wal, pages| {
            if pages >= LOG_PAGES {
                // If it is full, the thread has yet to look up, and will find all of them.
                let _ = wanted.try_send(());
            }
            Ok(())
        };
        connection.wal_hook(Some(grown))
    }

    /// To be held during each transaction: in between there are moments in which nothing is written.
    pub(super) fn writing(&self) -> MutexGuard<'_, ()> {
        self.writing.lock()
    }

    /// Ends it, once no connection is watched any more.
    pub(super) fn end(self) {
        drop(self.wanted);
        // If it has panicked there is nobody left to be told.
        let _ = self.thread.join();
    }
}

struct Mover {
    file: PathBuf,
    connection: Connection,
    when_wanted: Receiver<()>,
    writing: Arc<Mutex<()>>,
}

impl Mover {
    fn run(self) {
        while let Ok(()) = self.when_wanted.recv() {
            if let Err(error) = self.move_all() {
                tracing::warn!(file = %self.file.display(), %error, "the log of the store only grows");
                thread::sleep(FAILURE_PAUSE);
            }
        }
    }

    /// Moves everything, after which the log begins anew.
    fn move_all(&self) -> rusqlite::Result<()> {
        self.move_what_is_there()?;
        // What was written meanwhile is less, ...
        self.move_what_is_there()?;
        // ... and while the little is moved that has come since then, nothing must come.
        let _nobody_writes = self.writing.lock();
        self.move_what_is_there()
    }

    fn move_what_is_there(&self) -> rusqlite::Result<()> {
        self.connection
            .query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))
    }
}
