//! The one thread that writes: everything that waits is committed at once, then everybody hears of it.

use std::{
    fmt, mem,
    path::PathBuf,
    sync::{Arc, Weak},
    thread,
    time::{Duration, Instant, SystemTime},
};

use parking_lot::{Condvar, Mutex};
use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use tokio::{runtime::Handle, sync::oneshot};

use super::{
    checkpoint::Checkpointer,
    directory::{Directory, Place},
    news::Groups,
    rows::{Line, checksum, integer, seconds},
    schema,
};
use crate::{
    metrics::Metrics,
    store::{Append, Header, Listener, Log, LogEntry, SessionId, Standing, StoreError, stored},
};

/// Writes that are committed at once, at most.
const WRITES_AT_ONCE: usize = 4096;

/// Entries in the journal, over all sessions, beyond which those that have been there longest move on to their
/// sessions. The more there may be, the fewer rows they move to; as many are read when the server starts.
pub(super) const UNSETTLED_MAX: u64 = 1 << 16;

/// Rows of the journal beyond which the same is done.
const ROWS_MAX: u64 = 1 << 13;

/// Rows of the journal that are deleted at once, about: each deletion writes pages of its own.
const ROWS_AT_ONCE: u64 = 16;

/// How long the writer leaves a file alone that has just failed.
const FAILURE_PAUSE: Duration = Duration::from_millis(20);

/// Something to be written.
pub(super) enum Write {
    Create(SessionId, Box<Header>, Reply),
    Append(Appended),
    Delete(SessionId, Reply),
    Touch(Vec<SessionId>, SystemTime, Reply),
}

impl Write {
    /// Whether it changes anything. One that does not asks whether the store is there.
    fn says_something(&self) -> bool {
        !matches!(self, Self::Touch(ids, ..) if ids.is_empty())
    }
}

/// An entry of a log.
pub(super) struct Appended {
    log: Arc<SqliteLog>,
    expected: u64,
    entry: LogEntry,
    standing: Standing,
    /// The event loop on which it was appended, if it was one.
    event_loop: Option<Handle>,
}

pub(super) type Reply = oneshot::Sender<Result<(), StoreError>>;

/// Writes on their way to the writer.
#[derive(Debug, Default)]
pub(super) struct Queue {
    waiting: Mutex<Waiting>,
    work: Condvar,
}

#[derive(Default)]
struct Waiting {
    writes: Vec<Write>,
    closed: bool,
    /// When the writer took the writes that it is at, if it is.
    busy_since: Option<Instant>,
}

impl fmt::Debug for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Waiting")
            .field("writes", &self.writes.len())
            .field("closed", &self.closed)
            .finish()
    }
}

impl Queue {
    pub(super) fn push(&self, write: Write) {
        let mut waiting = self.waiting.lock();
        waiting.writes.push(write);
        if waiting.writes.len() == 1 {
            self.work.notify_one();
        }
    }

    /// For how long the writer has been at what it is at.
    pub(super) fn stalled(&self) -> Duration {
        let busy_since = self.waiting.lock().busy_since;
        busy_since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// Lets the writer end when all that waits is written.
    pub(super) fn close(&self) {
        self.waiting.lock().closed = true;
        self.work.notify_one();
    }

    /// What waits, as soon as something does. None at the end.
    fn next(&self) -> Option<Vec<Write>> {
        let mut waiting = self.waiting.lock();
        waiting.busy_since = None;
        while waiting.writes.is_empty() {
            if waiting.closed {
                return None;
            }
            self.work.wait(&mut waiting);
        }
        waiting.busy_since = Some(Instant::now());
        if waiting.writes.len() <= WRITES_AT_ONCE {
            return Some(mem::take(&mut waiting.writes));
        }
        Some(waiting.writes.drain(..WRITES_AT_ONCE).collect())
    }
}

/// The log of one session.
#[derive(Clone, Debug)]
pub(super) struct SqliteLog {
    pub(super) id: SessionId,
    pub(super) queue: Arc<Queue>,
    pub(super) listener: Weak<dyn Listener>,
}

impl Log for Arc<SqliteLog> {
    fn append(&self, expected: u64, entry: LogEntry, standing: Standing) -> Append {
        self.queue.push(Write::Append(Appended {
            log: Self::clone(self),
            expected,
            entry,
            standing,
            event_loop: Handle::try_current().ok(),
        }));
        Append::Pending
    }
}

/// Those who wait for a commit.
#[derive(Default)]
struct Waiters {
    logs: Groups,
    replies: Vec<Reply>,
    /// Logs with an entry that does not fit, whatever comes of the rest.
    refused: Vec<(Arc<SqliteLog>, StoreError)>,
}

/// The thread that writes.
pub(super) struct Writer {
    pub(super) file: PathBuf,
    pub(super) connection: Connection,
    pub(super) checkpointer: Checkpointer,
    pub(super) directory: Arc<Mutex<Directory>>,
    pub(super) queue: Arc<Queue>,
    pub(super) metrics: Arc<Metrics>,
    /// The number of the next row of the journal.
    pub(super) row: u64,
}

impl Writer {
    /// Starts it. It ends when the queue is closed.
    pub(super) fn start(mut self) -> std::io::Result<thread::JoinHandle<()>> {
        thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || {
                let queue = Arc::clone(&self.queue);
                while let Some(writes) = queue.next() {
                    self.write(writes);
                }
                drop(self.connection);
                self.checkpointer.end();
            })
    }

    /// Commits writes, and lets everybody hear of it.
    fn write(&mut self, writes: Vec<Write>) {
        let mut waiters = Waiters::default();
        let count = writes.iter().filter(|write| write.says_something()).count();
        let began = Instant::now();
        let committed = self.commit(writes, &mut waiters);
        let outcome = match &committed {
            Ok(()) => {
                let count = u32::try_from(count).unwrap_or(u32::MAX);
                self.metrics.committed(count, began.elapsed());
                Ok(())
            }
            Err(error) => {
                tracing::warn!(file = %self.file.display(), %error, "the store cannot be written to");
                Err(StoreError::Unavailable(error.to_string()))
            }
        };
        waiters.logs.tell(&outcome);
        for reply in waiters.replies {
            // Whoever asked may have gone.
            let _ = reply.send(outcome.clone());
        }
        for (log, error) in waiters.refused {
            log.hear(0, &Err(error));
        }
        if outcome.is_err() {
            self.mend();
        }
    }

    /// Commits writes, all or none. Who waits for that is in `waiters` even if it fails.
    fn commit(&mut self, writes: Vec<Write>, waiters: &mut Waiters) -> rusqlite::Result<()> {
        let tried = self.try_to_commit(writes, waiters);
        // A commit that fails may have been one all the same: the file knows.
        let took_effect = match &tried {
            Ok(committed) => committed.is_ok() || self.took_effect(),
            Err(_) => false,
        };
        self.conclude(took_effect);
        if took_effect { Ok(()) } else { tried.flatten() }
    }

    /// What came of the commit, if it came to one.
    fn try_to_commit(
        &mut self,
        writes: Vec<Write>,
        waiters: &mut Waiters,
    ) -> rusqlite::Result<rusqlite::Result<()>> {
        let _writing = self.checkpointer.writing();
        let begun = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate);
        let transaction = match begun {
            Ok(transaction) => transaction,
            Err(error) => {
                writes.into_iter().for_each(|write| waiters.wait(write));
                return Err(error);
            }
        };
        let file = File {
            transaction: &transaction,
            row: self.row,
        };
        // The lock is not held while the disk is waited for: readers go on.
        file.write(writes, &mut self.directory.lock(), waiters)?;
        Ok(transaction.commit())
    }

    fn conclude(&mut self, committed: bool) {
        let mut directory = self.directory.lock();
        if committed {
            directory.commit();
            self.row += 1;
        } else {
            directory.undo();
        }
    }

    /// Whether the latest transaction is in the file. Asks until there is an answer: without one nothing can be written.
    fn took_effect(&mut self) -> bool {
        loop {
            let row = integer(self.row);
            let count = "SELECT count(*) FROM journal WHERE number = ?";
            if self.connection.is_autocommit() {
                let found = self
                    .connection
                    .query_row(count, [row], |row| row.get::<_, i64>(0));
                if let Ok(found) = found {
                    return found > 0;
                }
            }
            self.mend();
        }
    }

    /// After a failure: a connection that is stuck in a transaction is given up for another.
    fn mend(&mut self) {
        thread::sleep(FAILURE_PAUSE);
        if !self.connection.is_autocommit()
            && let Ok(mut connection) = schema::reopen_writer(&self.file)
            && let Ok(()) = self.checkpointer.watch(&mut connection)
        {
            self.connection = connection;
        }
    }
}

impl SqliteLog {
    /// Lets the listener hear of a commit with which the log has so many entries, if it still listens.
    pub(super) fn hear(&self, length: u64, outcome: &Result<(), StoreError>) {
        let Some(listener) = self.listener.upgrade() else {
            return;
        };
        match outcome {
            Ok(()) => listener.committed(length),
            Err(error) => listener.failed(error.clone()),
        }
    }
}

impl Waiters {
    /// Whoever wrote this waits for the commit.
    fn wait(&mut self, write: Write) {
        match write {
            Write::Append(Appended {
                log,
                expected,
                event_loop,
                ..
            }) => self.logs.add(event_loop, log, expected + 1),
            Write::Create(.., reply) | Write::Delete(_, reply) | Write::Touch(.., reply) => {
                self.replies.push(reply);
            }
        }
    }
}

/// The file within a transaction.
struct File<'a> {
    transaction: &'a Transaction<'a>,
    row: u64,
}

impl File<'_> {
    fn execute(&self, sql: &str, params: impl rusqlite::Params) -> rusqlite::Result<()> {
        self.transaction.prepare_cached(sql)?.execute(params)?;
        Ok(())
    }

    /// Writes all, or fails and leaves it to the transaction that nothing is written.
    fn write(
        &self,
        writes: Vec<Write>,
        directory: &mut Directory,
        waiters: &mut Waiters,
    ) -> rusqlite::Result<()> {
        let mut lines = Vec::new();
        let mut written = Ok(());
        for write in writes {
            if written.is_ok() {
                written = self.take(write, directory, &mut lines, waiters);
            } else {
                waiters.wait(write);
            }
        }
        written?;
        self.finish(directory, &lines)
    }

    /// A write that does not fit is refused, and the others are not concerned.
    fn take(
        &self,
        write: Write,
        directory: &mut Directory,
        lines: &mut Vec<u8>,
        waiters: &mut Waiters,
    ) -> rusqlite::Result<()> {
        match write {
            Write::Append(Appended {
                log,
                expected,
                entry,
                standing,
                event_loop,
            }) => match directory.append(log.id, expected, entry, self.row) {
                Ok((serial, entry)) => {
                    Line::append((log.id, serial), expected, entry, lines);
                    let id = log.id;
                    waiters.logs.add(event_loop, log, expected + 1);
                    let stands = directory.stand(id, standing);
                    match directory.get(id) {
                        Some(place) if stands => self.stand(place),
                        Some(_) | None => Ok(()),
                    }
                }
                Err(error) => {
                    waiters.refused.push((log, error));
                    Ok(())
                }
            },
            Write::Create(id, header, reply) => {
                // One that is being deleted in this very transaction is still in the way.
                if let Some(place) = directory.committed(id) {
                    let (expected, actual) = (0, place.length());
                    let _ = reply.send(Err(StoreError::Conflict { expected, actual }));
                    return Ok(());
                }
                waiters.replies.push(reply);
                self.create(id, &header)?;
                let place = Place::new(header.serial, 0, header.standing());
                directory.create(id, place);
                Ok(())
            }
            Write::Delete(id, reply) => {
                let Some(place) = directory.get(id) else {
                    let _ = reply.send(Err(StoreError::NotFound));
                    return Ok(());
                };
                waiters.replies.push(reply);
                self.delete(place)?;
                directory.delete(id);
                Ok(())
            }
            Write::Touch(ids, time, reply) => {
                waiters.replies.push(reply);
                ids.into_iter()
                    .filter_map(|id| directory.get(id))
                    .try_for_each(|place| self.touch(place, time))
            }
        }
    }

    fn create(&self, id: SessionId, header: &Header) -> rusqlite::Result<()> {
        let (id, serial) = (id.to_bytes(), header.serial);
        let form = stored::encode_header(header);
        let sum = checksum("session", &[serial], &[&id, header.game.as_bytes(), &form]);
        self.execute(
            "INSERT INTO session (serial, id, game, header, sum) VALUES (?, ?, ?, ?, ?)",
            params![integer(serial), id, header.game, form, sum],
        )?;
        let standing = header.standing();
        self.execute(
            "INSERT INTO standing (serial, length, status, wakes, touched, sum) \
             VALUES (?, 0, ?, ?, ?, ?)",
            params![
                integer(serial),
                standing.status as i32,
                standing.wakes,
                seconds(header.create_time),
                standing_sum(serial, 0, standing),
            ],
        )
    }

    /// How a session stands.
    fn stand(&self, place: &Place) -> rusqlite::Result<()> {
        let Place {
            serial,
            settled,
            standing,
            ..
        } = *place;
        let (status, wakes) = (standing.status as i32, standing.wakes);
        let sum = standing_sum(serial, settled, standing);
        self.execute(
            "UPDATE standing SET length = ?, status = ?, wakes = ?, sum = ? WHERE serial = ?",
            params![integer(settled), status, wakes, sum, integer(serial)],
        )
    }

    /// When a session was in use.
    fn touch(&self, place: &Place, time: SystemTime) -> rusqlite::Result<()> {
        self.execute(
            "UPDATE standing SET touched = ? WHERE serial = ?",
            params![seconds(time), integer(place.serial)],
        )
    }

    fn delete(&self, place: &Place) -> rusqlite::Result<()> {
        for sql in [
            "DELETE FROM chunk WHERE serial = ?",
            "DELETE FROM standing WHERE serial = ?",
            "DELETE FROM session WHERE serial = ?",
        ] {
            self.execute(sql, [integer(place.serial)])?;
        }
        Ok(())
    }

    /// Writes the journal, and moves on what has been in it for longest if it holds too much.
    fn finish(&self, directory: &mut Directory, lines: &[u8]) -> rusqlite::Result<()> {
        // A row even if it has no lines: by it a transaction is known to have taken effect.
        let sum = checksum("journal", &[self.row], &[lines]);
        self.execute(
            "INSERT INTO journal (number, lines, sum) VALUES (?, ?, ?)",
            params![integer(self.row), lines, sum],
        )?;
        while self.is_overfull(directory)
            && let Some(place) = directory.settle_oldest()
        {
            self.settle(place)?;
        }
        if !self.row.is_multiple_of(ROWS_AT_ONCE) {
            return Ok(());
        }
        let oldest = directory.oldest_row().unwrap_or(self.row);
        self.execute("DELETE FROM journal WHERE number < ?", [integer(oldest)])
    }

    fn is_overfull(&self, directory: &Directory) -> bool {
        let oldest = directory.oldest_row().unwrap_or(self.row);
        directory.unsettled > UNSETTLED_MAX || self.row - oldest >= ROWS_MAX
    }

    fn settle(&self, place: &Place) -> rusqlite::Result<()> {
        let Some(tail) = &place.tail else {
            return Ok(());
        };
        let (serial, first) = (place.serial, place.settled);
        let sum = checksum("chunk", &[serial, first], &[&tail.bytes]);
        self.execute(
            "INSERT INTO chunk (serial, first, entries, sum) VALUES (?, ?, ?, ?)",
            params![integer(serial), integer(first), tail.bytes, sum],
        )?;
        let settled = Place::new(serial, place.length(), place.standing);
        self.stand(&settled)
    }
}

/// The checksum of a row of `standing`. When a session was last in use is not part of it: an error there costs nobody
/// a ply.
pub(super) fn standing_sum(serial: u64, length: u64, standing: Standing) -> i64 {
    let Standing { status, wakes } = standing;
    let status = u64::try_from(status as i32).unwrap_or_default();
    checksum("standing", &[serial, length, status, wakes.into()], &[])
}
