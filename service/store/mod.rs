//! Where sessions are kept: for each a header and a log that only grows.

#[cfg(test)]
mod conformance;
mod memory;
mod sqlite;
mod stored;

use std::{
    fmt,
    hash::{BuildHasherDefault, Hasher},
    str::FromStr,
    sync::{Arc, Weak},
    time::{Duration, SystemTime},
};

use dashmap::DashMap;
use tavola_engine::{Entry, Record, Seat, Seed};
use tokio::sync::oneshot;

pub use memory::MemoryStore;
pub use sqlite::{OpenError, SqliteStore};

use crate::{
    clock::Clock, fair_dice::Nonce, house_bot::HouseBot, pb::v1 as pb, random,
    request_id::RequestMark, token::TokenHash,
};

/// The id of a session: 128 random bits, so that whoever knows one was told it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SessionId(u128);

impl SessionId {
    /// A new one, from the operating system's randomness.
    #[must_use]
    pub fn new() -> Self {
        Self::from_random_bits(u128::from_le_bytes(random::bytes()))
    }

    /// The one with these bits, which have to be as hard to guess as random ones.
    pub(crate) const fn from_random_bits(bits: u128) -> Self {
        Self(bits)
    }
}

impl SessionId {
    /// Its bits, for a store.
    #[must_use]
    pub(crate) const fn to_bytes(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }

    /// The id that [`SessionId::to_bytes`] wrote.
    #[must_use]
    pub(crate) const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(u128::from_be_bytes(bytes))
    }
}

impl Default for SessionId {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// Set in the value of what is no digit.
const NO_DIGIT: u8 = 0x80;

/// The value of each lower-case hexadecimal digit.
const HEX_VALUE: [u8; 256] = {
    let mut values = [NO_DIGIT; 256];
    let mut value = 0;
    while value < 16 {
        values[b"0123456789abcdef"[value] as usize] = value as u8;
        value += 1;
    }
    values
};

impl FromStr for SessionId {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<Self, NotAnId> {
        let digits: &[u8; 32] = text.as_bytes().try_into().map_err(|_| NotAnId)?;
        // Without a branch for each digit: as ids are random, the processor would guess it wrong every other time.
        let (mut bits, mut seen) = (0, 0);
        for digit in digits {
            let value = HEX_VALUE[usize::from(*digit)];
            seen |= value;
            bits = bits << 4 | u128::from(value & 0xf);
        }
        if seen & NO_DIGIT == 0 {
            Ok(Self(bits))
        } else {
            Err(NotAnId)
        }
    }
}

/// Hashes ids to themselves: they are random already, and the server's own.
#[derive(Clone, Copy, Debug, Default)]
pub struct IdHasher(u64);

impl Hasher for IdHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes
            .iter()
            .for_each(|byte| self.0 = self.0.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u128(&mut self, id: u128) {
        let (low, high) = (id as u64, (id >> 64) as u64);
        self.0 = low ^ high;
    }
}

/// A map of sessions by their ids, for many threads.
pub type SessionMap<T> = DashMap<SessionId, T, BuildHasherDefault<IdHasher>>;

/// Parts of a session map, each with a lock of its own: so many that two event loops seldom want the same one at once, and
/// so few that the locks stay in the caches of the processor.
const SHARDS: usize = 64;

/// A map without sessions.
#[must_use]
pub fn session_map<T>() -> SessionMap<T> {
    DashMap::with_hasher_and_shard_amount(BuildHasherDefault::default(), SHARDS)
}

/// The text is no id of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAnId;

/// What a table is opened with: a record without its entries. The options are kept as the wire has them, because that
/// is the form in which they are promised to stay readable.
pub type Opening = Record<pb::Options>;

/// What a session is from its first moment on.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// Its place among the sessions of the store: the newest has the greatest. From 1.
    pub serial: u64,
    /// The id of its game.
    pub game: String,
    /// Options, seats and seed. Its entries are those that a fork begins with; all others are in the log.
    pub opening: Opening,
    /// Whether the seed was given by the one who created it.
    pub seed_given: bool,
    /// What was hashed with the seed to commit the session to it.
    pub nonce: Nonce,
    /// How long its players may think; as long as they like if none.
    pub clock: Option<Clock>,
    /// The host's token.
    pub host: TokenHash,
    /// The join token of a private session; none of one that is not.
    pub join: Option<TokenHash>,
    /// The request that it was created by, if that may be repeated.
    pub request: Option<RequestMark>,
    /// When it was created.
    pub create_time: SystemTime,
    /// What it has as a fork of another session, if it is one.
    pub fork: Option<Fork>,
}

impl Header {
    /// The seed of all chance that is this session's own: in a fork that of what comes after it.
    #[must_use]
    pub fn own_seed(&self) -> Seed {
        let Opening { seed, reseeds, .. } = &self.opening;
        reseeds.last().map_or(*seed, |reseed| reseed.seed)
    }

    /// How the session stands while its log is empty.
    #[must_use]
    pub fn standing(&self) -> Standing {
        match &self.fork {
            None => Standing::NEW,
            Some(fork) => Standing {
                status: if fork.over {
                    pb::SessionStatus::Finished
                } else {
                    pb::SessionStatus::Running
                },
                wakes: false,
            },
        }
    }
}

/// What a session has from its first moment on because it was forked from another one. All its seats are taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Fork {
    /// The session that it was forked from, where everybody may know.
    pub origin: Option<SessionId>,
    /// The ply of that session at which it was forked.
    pub ply: u32,
    /// Whether the game was over there.
    pub over: bool,
    /// Of its seeds, the first one and those of its reseeds, so many are kept for ever: another session that was still
    /// on had them too.
    pub secret_seeds: u32,
    /// The tokens of its seats, in the order of the seats.
    pub seats: Vec<TokenHash>,
    /// Seats whose players had left the game when a sandbox was drawn. No entry says so.
    pub resigned: Vec<Seat>,
}

/// One change of a session. The n-th entry of the log makes version n + 1 of the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogEntry {
    /// Somebody took a seat, by a request that may be repeated or by one that may not.
    Taken(Seat, Holder, Option<RequestMark>),
    /// A player left a seat before the start.
    Left(Seat),
    /// A ply of the game.
    Ply(Ply),
    /// A house bot took a seat over, because the time of its player was up; with the time that had passed since the
    /// entry before, as far as it counts.
    HandedOver(Seat, Duration),
}

/// A ply of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// What was done.
    pub entry: Entry,
    /// When, for people.
    pub time: SystemTime,
    /// What the clocks of all who owed an answer have to count, in whole milliseconds: the time since the entry
    /// before. Zero without clocks.
    pub elapsed: Duration,
    /// Whether the session chose it because the time of its seat was up.
    pub out_of_time: bool,
}

impl Ply {
    /// What a player or a house bot does now.
    #[must_use]
    pub fn now(entry: Entry, elapsed: Duration) -> Self {
        Self {
            entry,
            time: SystemTime::now(),
            elapsed,
            out_of_time: false,
        }
    }
}

/// Who holds a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// Whoever has the token with this hash.
    Player(TokenHash),
    /// A house bot.
    Bot(HouseBot),
}

/// What a store knows of a session without its rules: kept beside the log, so that nobody has to read a log for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// How far it is.
    pub status: pb::SessionStatus,
    /// Whether it may go on with nobody calling, as where a house bot answers for a seat: it is loaded when the server
    /// starts.
    pub wakes: bool,
}

impl Standing {
    /// How a session begins.
    pub const NEW: Self = Self {
        status: pb::SessionStatus::Waiting,
        wakes: false,
    };
}

/// A session as it was stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    /// What it is.
    pub header: Header,
    /// All that has changed in it, in order.
    pub log: Vec<LogEntry>,
}

/// A session as a list needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its place among the sessions of the store.
    pub serial: u64,
    /// Its id.
    pub id: SessionId,
    /// The id of its game.
    pub game: String,
    /// How it stands.
    pub standing: Standing,
}

/// Why the store cannot do what it is asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The log is not as long as expected: somebody else wrote to it.
    #[error("the log has {actual} entries where {expected} were expected")]
    Conflict {
        /// Entries that the writer knows of.
        expected: u64,
        /// Entries that there are.
        actual: u64,
    },
    /// There is no such session.
    #[error("there is no such session")]
    NotFound,
    /// The medium does not answer, or has no room.
    #[error("the store does not answer: {0}")]
    Unavailable(String),
    /// What is stored of the session is not what was written. It stays as it is.
    #[error("the session is damaged: {0}")]
    Damaged(String),
    /// A newer server has written to the session. It stays as it is.
    #[error("the session was stored by a newer server")]
    Newer,
}

/// 256 random bits that belong to a store: what is derived from request ids is keyed with them.
#[derive(Clone)]
pub struct StoreSecret([u8; 32]);

impl StoreSecret {
    /// A new one, from the operating system's randomness.
    #[must_use]
    pub fn new() -> Self {
        Self(random::bytes())
    }

    /// The one with these bits, as they were kept.
    #[must_use]
    pub const fn from_bits(bits: [u8; 32]) -> Self {
        Self(bits)
    }

    /// Its bits, to be kept.
    #[must_use]
    pub const fn bits(&self) -> &[u8; 32] {
        &self.0
    }
}

impl Default for StoreSecret {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for StoreSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StoreSecret(secret)")
    }
}

/// What became of the creation or the end of a session: known at once, or later, and then by way of the event loop that
/// asked.
#[derive(Debug)]
pub enum Commit {
    /// It is done, or it has failed.
    Done(Result<(), StoreError>),
    /// It will be done, or it will fail. A sender that is dropped has failed.
    Pending(oneshot::Receiver<Result<(), StoreError>>),
}

impl Commit {
    /// Waits until it is known.
    ///
    /// # Errors
    /// If the store failed.
    pub async fn outcome(self) -> Result<(), StoreError> {
        match self {
            Self::Done(result) => result,
            Self::Pending(result) => result
                .await
                .unwrap_or_else(|_| Err(StoreError::Unavailable("it gave up".to_owned()))),
        }
    }
}

/// What became of an entry: known at once, or later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Append {
    /// It is committed, or it has failed.
    Done(Result<(), StoreError>),
    /// The log's listener will be told, in the order of the entries.
    Pending,
}

/// Hears what becomes of the entries of a log that were [`Append::Pending`]. It is told on the event loop on which an entry
/// was appended if there was one and still is, else on a thread of the store; neither must be held up.
pub trait Listener: fmt::Debug + Send + Sync {
    /// The log is committed up to so many entries.
    fn committed(self: Arc<Self>, length: u64);
    /// An entry has failed, and with it all that follow it.
    fn failed(self: Arc<Self>, error: StoreError);
}

/// The log of one session, for the one who writes to it.
pub trait Log: fmt::Debug + Send + Sync {
    /// Appends to the log if it has `expected` entries, or fails with [`StoreError::Conflict`]; the session then stands
    /// as `standing` says. Returns at once, and never waits for the medium.
    fn append(&self, expected: u64, entry: LogEntry, standing: Standing) -> Append;
}

/// Hears whether anybody is at work who may write: as long as somebody is, a store that commits in groups may wait a
/// moment for company. Waits for nothing itself.
pub trait Workers: fmt::Debug + Send + Sync {
    /// Somebody is at work from now on.
    fn at_work(&self);
    /// One who was at work has done all that there was to do.
    fn at_rest(&self);
}

/// Keeps sessions. What it has committed it gives back after whatever happens to the process, as far as its medium
/// allows.
///
/// Writes return at once and never wait for the medium. After a failed write the session is loaded anew before anything
/// else is written to it. What is asked may wait for the medium: leave it to a thread that has the time.
pub trait Store: fmt::Debug + Send + Sync {
    /// Whether sessions can be given back here to be loaded again, because it keeps more than memory does.
    fn durable(&self) -> bool;
    /// Keeps a new session with an empty log, which stands as its header says.
    fn create(&self, id: SessionId, header: Header) -> Commit;
    /// The log of a session, whether there is one or not. What becomes of its entries its listener hears, if there
    /// still is one.
    fn log(&self, id: SessionId, listener: Weak<dyn Listener>) -> Box<dyn Log>;
    /// Forgets a session. What the medium has of it may stay there for a while, where nobody asks for it.
    fn delete(&self, id: SessionId) -> Commit;
    /// Remembers that these sessions were in use at this time, if they still are here.
    fn touch(&self, ids: Vec<SessionId>, time: SystemTime) -> Commit;
    /// The serial of a session that there may be; none if it is certain that there is no such session. Waits for nothing.
    fn serial(&self, id: SessionId) -> Option<u64>;
    /// How many sessions there are. Waits for nothing.
    fn count(&self) -> usize;
    /// The greatest serial below `below` that a session has, or that one had which was deleted and of which there are
    /// still traces; 0 if there is none. Does not wait for the medium.
    fn newest(&self, below: u64) -> u64;
    /// A session as it is committed.
    ///
    /// # Errors
    /// If there is none, it cannot be read, or the medium does not answer.
    fn load(&self, id: SessionId) -> Result<Stored, StoreError>;
    /// Where those who may write say that they are at work, if the store wants to know.
    fn workers(&self) -> Option<Arc<dyn Workers>> {
        None
    }
    /// For how long the medium has not answered: the time that the write under way has taken so far.
    fn stalled(&self) -> Duration;
    /// Whether a write would be committed now: tries one that changes nothing. Asked after a write has failed, until it
    /// succeeds.
    fn check(&self) -> Commit;
    /// The secret of this store: made when the store is, and the same for as long as there is one, for all servers that
    /// share it. May wait for the medium.
    ///
    /// # Errors
    /// If the medium does not answer.
    fn secret(&self) -> Result<StoreSecret, StoreError>;
    /// Committed sessions whose serial is below `before`, the newest first; `max` of them, if there are so many.
    ///
    /// # Errors
    /// If the medium does not answer.
    fn list(&self, before: u64, max: usize) -> Result<Vec<Listed>, StoreError>;
    /// The sessions that may go on with nobody calling, the oldest first.
    ///
    /// # Errors
    /// If the medium does not answer.
    fn wakeful(&self) -> Result<Vec<SessionId>, StoreError>;
    /// At most `max` sessions that were last in use before these times, finished ones and all others. A session is in
    /// use when it is created and when [`Store::touch`] says so; at other writes it may be.
    ///
    /// # Errors
    /// If the medium does not answer.
    fn left_alone(
        &self,
        finished: SystemTime,
        others: SystemTime,
        max: usize,
    ) -> Result<Vec<SessionId>, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_reads_what_it_wrote_and_nothing_else() {
        let id = SessionId::new();
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!(SessionId(1).to_string(), format!("{}1", "0".repeat(31)));
        for wrong in [
            "",
            "1",
            &"0".repeat(33),
            &"g".repeat(32),
            &format!("+{}", "0".repeat(31)),
            &"A".repeat(32),
        ] {
            assert_eq!(wrong.parse::<SessionId>(), Err(NotAnId), "{wrong}");
        }
    }
}
