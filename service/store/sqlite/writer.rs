//! The one thread that writes: everything that waits is committed at once, then everybody hears of it.

use std::{
    fmt, mem,
    path::PathBuf,
    sync::{
        Arc, Weak,
        atomic::{AtomicUsize, Ordering},
    },
    thread::{self, ThreadId},
    time::{Duration, Instant, SystemTime},
};

use parking_lot::{Condvar, Mutex};
use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use tokio::{runtime::Handle, sync::oneshot};

use super::{
    checkpoint::Checkpointer,
    directory::{Directory, Grown, Place},
    news::{Groups, Waiter},
    rows::{Line, checksum, integer, seconds},
    schema,
};
use crate::{
    metrics::Metrics,
    store::{
        Append, Header, Listener, Log, LogEntry, SessionId, Standing, StoreError, Workers, stored,
    },
};

/// Writes that are committed at once, at most.
const WRITES_AT_ONCE: usize = 4096;

/// So many waiting writes are committed whoever is at work: a larger group would save little.
pub(super) const ENOUGH: usize = 512;

/// How long the first of fewer waits for company while somebody is at work. A commit costs as much CPU as dozens of
/// plies, and where the cores are busy, another one for each few plies would only keep everybody waiting longer.
pub(super) const GATHERING: Duration = Duration::from_millis(3);

/// Entries in the journal, over all sessions, beyond which those that have been there longest move on to their
/// sessions. The more there may be, the fewer rows they move to; as many are read when the server starts.
pub(super) const UNSETTLED_MAX: u64 = 1 << 16;

/// Rows of the journal beyond which the same is done.
const ROWS_MAX: u64 = 1 << 13;

/// Rows of the journal that are deleted at once, about: each deletion writes pages of its own.
const ROWS_AT_ONCE: u64 = 16;

/// Deleted sessions that keep their rows for now. The more there are, the likelier are those that lose them next to have
/// them on the same pages.
pub(super) const ENDED_MAX: usize = 2048;

/// Sessions that lose their rows with one commit, about: nobody is to wait long for it.
pub(super) const ENDED_AT_ONCE: usize = 64;

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
}

pub(super) type Reply = oneshot::Sender<Result<(), StoreError>>;

/// Writes on their way to the writer.
#[derive(Debug)]
pub(super) struct Queue {
    /// How long the first of them waits for company.
    gathering: Duration,
    waiting: Mutex<Waiting>,
    work: Condvar,
    /// How many are at work who may add to it.
    at_work: AtomicUsize,
}

#[derive(Default)]
struct Waiting {
    batch: Batch,
    closed: bool,
    /// When the first write of the batch came.
    since: Option<Instant>,
    /// When the writer took the writes that it is at, if it is.
    busy_since: Option<Instant>,
}

impl fmt::Debug for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Waiting")
            .field("writes", &self.batch.writes.len())
            .field("closed", &self.closed)
            .finish()
    }
}

/// Writes that are taken at once.
#[derive(Default)]
pub(super) struct Batch {
    /// Each with the number of the thread that it comes from.
    pub(super) writes: Vec<(usize, Write)>,
    /// The threads, with their event loops if they are in one.
    threads: Vec<(ThreadId, Option<Handle>)>,
}

impl Batch {
    fn push(&mut self, write: Write) {
        let id = thread::current().id();
        let known = self.threads.iter().position(|(known, _)| *known == id);
        let thread = known.unwrap_or_else(|| {
            self.threads.push((id, Handle::try_current().ok()));
            self.threads.len() - 1
        });
        self.writes.push((thread, write));
    }
}

impl Queue {
    /// An empty one, in which the first write waits so long for company.
    pub(super) fn new(gathering: Duration) -> Self {
        Self {
            gathering,
            waiting: Mutex::default(),
            work: Condvar::new(),
            at_work: AtomicUsize::new(0),
        }
    }

    pub(super) fn push(&self, write: Write) {
        let mut waiting = self.waiting.lock();
        waiting.batch.push(write);
        let count = waiting.batch.writes.len();
        if count == 1 {
            waiting.since = Some(Instant::now());
        }
        if matches!(count, 1 | ENOUGH) {
            self.work.notify_one();
        }
    }

    #[cfg(test)]
    pub(super) fn count_at_work(&self) -> usize {
        self.at_work.load(Ordering::Relaxed)
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

    /// What waits, as soon as something does and has waited for company. None at the end.
    pub(super) fn next(&self) -> Option<Batch> {
        let mut waiting = self.waiting.lock();
        waiting.busy_since = None;
        self.work
            .wait_while(&mut waiting, |it| it.batch.writes.is_empty() && !it.closed);
        if waiting.batch.writes.is_empty() {
            return None;
        }
        let may_grow = |it: &mut Waiting| {
            it.batch.writes.len() < ENOUGH && !it.closed && self.at_work.load(Ordering::Relaxed) > 0
        };
        if let Some(since) = waiting.since.take() {
            // Whether it has grown or time is up, what there is is written.
            let _ = self
                .work
                .wait_while_until(&mut waiting, may_grow, since + self.gathering);
        }
        waiting.busy_since = Some(Instant::now());
        let mut batch = mem::take(&mut waiting.batch);
        if batch.writes.len() > WRITES_AT_ONCE {
            waiting.batch = Batch {
                writes: batch.writes.split_off(WRITES_AT_ONCE),
                threads: batch.threads.clone(),
            };
        }
        Some(batch)
    }
}

impl Workers for Queue {
    fn at_work(&self) {
        self.at_work.fetch_add(1, Ordering::Relaxed);
    }

    fn at_rest(&self) {
        let last = self.at_work.fetch_sub(1, Ordering::Relaxed) == 1;
        if last && !self.waiting.lock().batch.writes.is_empty() {
            self.work.notify_one();
        }
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
        }));
        Append::Pending
    }
}

/// Those who wait for a commit.
struct Waiters {
    groups: Groups,
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
                while let Some(batch) = queue.next() {
                    self.write(batch);
                }
                drop(self.connection);
                self.checkpointer.end();
            })
    }

    /// Commits writes, and lets everybody hear of it.
    fn write(&mut self, Batch { writes, threads }: Batch) {
        let mut waiters = Waiters {
            groups: Groups::of(threads.into_iter().map(|(_, event_loop)| event_loop)),
            refused: Vec::new(),
        };
        let count = writes
            .iter()
            .filter(|(_, write)| write.says_something())
            .count();
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
        waiters.groups.tell(&outcome);
        for (log, error) in waiters.refused {
            log.hear(0, &Err(error));
        }
        if outcome.is_err() {
            self.mend();
        }
    }

    /// Commits writes, all or none. Who waits for that is in `waiters` even if it fails.
    fn commit(
        &mut self,
        writes: Vec<(usize, Write)>,
        waiters: &mut Waiters,
    ) -> rusqlite::Result<()> {
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
        writes: Vec<(usize, Write)>,
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
    fn wait(&mut self, (thread, write): (usize, Write)) {
        let waiter = match write {
            Write::Append(Appended { log, expected, .. }) => Waiter::Log(log, expected + 1),
            Write::Create(.., reply) | Write::Delete(_, reply) | Write::Touch(.., reply) => {
                Waiter::Reply(reply)
            }
        };
        self.groups.add(thread, waiter);
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
        writes: Vec<(usize, Write)>,
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
        (thread, write): (usize, Write),
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
            }) => match directory.append(log.id, expected, entry, standing, self.row) {
                Ok(Grown {
                    place,
                    entry,
                    restood,
                }) => {
                    let session = (log.id, place.serial);
                    Line::entry(session, expected, entry, restood).append_to(lines);
                    let waiter = Waiter::Log(log, expected + 1);
                    waiters.groups.add(thread, waiter);
                    Ok(())
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
                waiters.groups.add(thread, Waiter::Reply(reply));
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
                waiters.groups.add(thread, Waiter::Reply(reply));
                Line::end((id, place.serial)).append_to(lines);
                directory.delete(id, self.row);
                Ok(())
            }
            Write::Touch(ids, time, reply) => {
                waiters.groups.add(thread, Waiter::Reply(reply));
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

    /// Removes the rows of deleted sessions, of so many from this serial on.
    fn erase(&self, directory: &mut Directory, from: u64) -> rusqlite::Result<()> {
        for serial in directory.erase(from, ENDED_AT_ONCE) {
            for sql in [
                "DELETE FROM chunk WHERE serial = ?",
                "DELETE FROM standing WHERE serial = ?",
                "DELETE FROM session WHERE serial = ?",
            ] {
                self.execute(sql, [integer(serial)])?;
            }
        }
        Ok(())
    }

    /// Writes the journal, and does what has been in it for longest if it holds too much.
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
        if directory.ended() > ENDED_MAX {
            self.erase(directory, 0)?;
        }
        if !self.row.is_multiple_of(ROWS_AT_ONCE) {
            return Ok(());
        }
        if let Some((row, serial)) = directory.oldest_end()
            && self.is_old(Some(row))
        {
            self.erase(directory, serial)?;
        }
        let oldest = directory.oldest_row().unwrap_or(self.row);
        self.execute("DELETE FROM journal WHERE number < ?", [integer(oldest)])
    }

    fn is_overfull(&self, directory: &Directory) -> bool {
        directory.unsettled > UNSETTLED_MAX || self.is_old(directory.oldest_tail())
    }

    /// Whether the journal has grown too long since this row.
    fn is_old(&self, row: Option<u64>) -> bool {
        row.is_some_and(|row| self.row - row >= ROWS_MAX)
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
