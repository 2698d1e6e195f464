//! Sessions in one SQLite file: what is acknowledged is on disk, synced, whatever happens to the process or the power.
//!
//! - `schema`: the tables, and how the file is opened and brought up to date
//! - `rows`: what the rows hold, and their checksums
//! - `directory`: where each session is, in memory
//! - `recovery`: how the directory is made when the store is opened
//! - `writer`: the one thread that writes, in groups
//! - `checkpoint`: what moves SQLite's own log to the main file, beside it
//! - `news`: how those who wrote hear of it
//! - `reader`: what is asked, beside it

mod checkpoint;
mod directory;
mod news;
mod reader;
mod recovery;
mod rows;
mod schema;
#[cfg(test)]
mod tests;
mod writer;

use std::{
    fmt, fs, io,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
    sync::{Arc, Weak},
    thread::{self, JoinHandle},
    time::{Duration, SystemTime},
};

use parking_lot::Mutex;
use rusqlite::Connection;
use tokio::sync::oneshot;

use self::{
    checkpoint::Checkpointer,
    directory::Directory,
    reader::Readers,
    recovery::Recovered,
    writer::{GATHERING, Queue, SqliteLog, Write, Writer},
};
use super::{
    Commit, Header, Listed, Listener, Log, SessionId, Store, StoreError, StoreSecret, Stored,
    Workers,
};
use crate::metrics::Metrics;

/// The file in the data folder.
const FILE: &str = "tavola.sqlite3";

/// The file whose lock says that a server uses the folder.
const LOCK: &str = "lock";

/// Why a store cannot be opened: one sentence.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder cannot be made or used.
    #[error("the data folder {} cannot be used: {source}", .folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Another server has it open.
    #[error("the data folder {} is in use by another server", .0.display())]
    InUse(PathBuf),
    /// The file was written by a newer server.
    #[error("{} was written by a newer server: its schema is {version}, and this server knows {known}", .file.display())]
    Newer {
        /// The file.
        file: PathBuf,
        /// The version of its schema.
        version: usize,
        /// The latest version that is known here.
        known: usize,
    },
    /// The file is somebody else's.
    #[error("{} is a database, but not one of sessions", .0.display())]
    Foreign(PathBuf),
    /// What is in the file is not what was written, and it cannot be told which sessions that concerns.
    #[error("{} is damaged, restore it from a copy: {what}", .file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The file cannot be opened, read or written.
    #[error("the store cannot be opened: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// The system gives no thread.
    #[error("the store cannot be opened: {0}")]
    Thread(io::Error),
}

impl OpenError {
    fn damaged(file: &Path, what: impl fmt::Display) -> Self {
        Self::Damaged {
            file: file.to_owned(),
            what: what.to_string(),
        }
    }
}

/// Keeps sessions in a file in a folder of its own.
pub struct SqliteStore {
    directory: Arc<Mutex<Directory>>,
    /// Serials of sessions that were deleted before the store was opened, as far as there are traces of them.
    departed: Vec<u64>,
    secret: StoreSecret,
    queue: Arc<Queue>,
    readers: Readers,
    writer: Option<JoinHandle<()>>,
    /// Held locked as long as the store is open.
    _lock: fs::File,
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore")
            .field("sessions", &self.count())
            .finish_non_exhaustive()
    }
}

impl SqliteStore {
    /// Opens the store in this folder, which is made if it is not there; commits are counted in `metrics`. Nobody but the
    /// owner of the process may read it: it holds what players must not know.
    ///
    /// # Errors
    /// If the folder cannot be used or is in use, or the file was written by a newer server or is damaged.
    pub fn open(folder: &Path, metrics: Arc<Metrics>) -> Result<Self, OpenError> {
        Self::open_with(folder, metrics, |_| {})
    }

    /// As [`SqliteStore::open`]; `prepare` gets to see the connection that writes.
    fn open_with(
        folder: &Path,
        metrics: Arc<Metrics>,
        prepare: impl FnOnce(&mut Connection),
    ) -> Result<Self, OpenError> {
        let lock = lock(folder)?;
        let file = folder.join(FILE);
        let unreadable = |error| match error {
            // Corruption that SQLite has found itself.
            OpenError::Sqlite(rusqlite::Error::SqliteFailure(failure, what))
                if matches!(
                    failure.code,
                    rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase
                ) =>
            {
                OpenError::damaged(&file, what.unwrap_or_else(|| failure.to_string()))
            }
            // A table is not as it was made.
            OpenError::Sqlite(error @ rusqlite::Error::SqlInputError { .. }) => {
                OpenError::damaged(&file, error)
            }
            other => other,
        };
        let mut connection = schema::open_writer(&file).map_err(unreadable)?;
        let Recovered {
            directory,
            departed,
            next_row,
        } = recovery::recover(&file, &connection).map_err(unreadable)?;
        let secret = schema::secret(&file, &connection).map_err(unreadable)?;
        prepare(&mut connection);
        let checkpointer = Checkpointer::start(&file)?;
        checkpointer.watch(&mut connection)?;
        let directory = Arc::new(Mutex::new(directory));
        let queue = Arc::new(Queue::new(GATHERING));
        let writer = Writer {
            file: file.clone(),
            connection,
            checkpointer,
            directory: Arc::clone(&directory),
            queue: Arc::clone(&queue),
            metrics,
            row: next_row,
        };
        Ok(Self {
            directory,
            departed,
            secret,
            queue,
            readers: Readers::new(file),
            writer: Some(writer.start().map_err(OpenError::Thread)?),
            _lock: lock,
        })
    }

    fn write(&self, write: impl FnOnce(writer::Reply) -> Write) -> Commit {
        let (reply, outcome) = oneshot::channel();
        self.queue.push(write(reply));
        Commit::Pending(outcome)
    }
}

/// Makes the folder if need be, and takes it for this process.
fn lock(folder: &Path) -> Result<fs::File, OpenError> {
    let unusable = |source| OpenError::Folder {
        folder: folder.to_owned(),
        source,
    };
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .map_err(unusable)?;
    let lock = fs::File::create(folder.join(LOCK)).map_err(unusable)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(fs::TryLockError::WouldBlock) => Err(OpenError::InUse(folder.to_owned())),
        Err(fs::TryLockError::Error(source)) => Err(unusable(source)),
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        self.queue.close();
        // The writer itself may be the last to let go of a session, and with it of the store.
        let elsewhere = |writer: &JoinHandle<()>| writer.thread().id() != thread::current().id();
        if let Some(writer) = self.writer.take().filter(elsewhere) {
            // If it has panicked there is nobody left to be told.
            let _ = writer.join();
        }
    }
}

impl Store for SqliteStore {
    fn durable(&self) -> bool {
        true
    }

    fn create(&self, id: SessionId, header: Header) -> Commit {
        self.write(|reply| Write::Create(id, Box::new(header), reply))
    }

    fn log(&self, id: SessionId, listener: Weak<dyn Listener>) -> Box<dyn Log> {
        Box::new(Arc::new(SqliteLog {
            id,
            queue: Arc::clone(&self.queue),
            listener,
        }))
    }

    fn delete(&self, id: SessionId) -> Commit {
        self.write(|reply| Write::Delete(id, reply))
    }

    fn touch(&self, ids: Vec<SessionId>, time: SystemTime) -> Commit {
        self.write(|reply| Write::Touch(ids, time, reply))
    }

    fn workers(&self) -> Option<Arc<dyn Workers>> {
        Some(Arc::<Queue>::clone(&self.queue))
    }

    fn stalled(&self) -> Duration {
        self.queue.stalled()
    }

    fn check(&self) -> Commit {
        // Every transaction writes to the journal, even one that is about nothing.
        self.touch(Vec::new(), SystemTime::now())
    }

    fn secret(&self) -> Result<StoreSecret, StoreError> {
        Ok(self.secret.clone())
    }

    fn serial(&self, id: SessionId) -> Option<u64> {
        let directory = self.directory.lock();
        Some(directory.get(id)?.serial)
    }

    fn count(&self) -> usize {
        self.directory.lock().len()
    }

    fn newest(&self, below: u64) -> u64 {
        let directory = self.directory.lock();
        let serials = directory.serials().chain(self.departed.iter().copied());
        serials.filter(|serial| *serial < below).max().unwrap_or(0)
    }

    fn load(&self, id: SessionId) -> Result<Stored, StoreError> {
        self.readers.load(&self.directory, id)
    }

    fn list(&self, before: u64, max: usize) -> Result<Vec<Listed>, StoreError> {
        self.readers.list(&self.directory, before, max)
    }

    fn wakeful(&self) -> Result<Vec<SessionId>, StoreError> {
        Ok(self.directory.lock().wakeful())
    }

    fn left_alone(
        &self,
        finished: SystemTime,
        others: SystemTime,
        max: usize,
    ) -> Result<Vec<SessionId>, StoreError> {
        self.readers
            .left_alone(&self.directory, finished, others, max)
    }
}
