//! What the rows of the file hold: numbers as SQLite has them, checksums, and the lines of the journal.

use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use prost::Message;

use crate::store::SessionId;

/// A number as SQLite has them. Serials, versions and row numbers count from 0 and do not come that far.
pub(super) fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Seconds since 1970.
pub(super) fn seconds(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    integer(since.as_secs())
}

/// The checksum of a row: of its table, its numbers and its texts. Two rows that differ have the same one once in 2^64.
pub(super) fn checksum(table: &str, numbers: &[u64], texts: &[&[u8]]) -> i64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(table.as_bytes());
    for number in numbers {
        hasher.update(&number.to_le_bytes());
    }
    for text in texts {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text);
    }
    let mut sum = [0; 8];
    hasher.finalize_xof().fill(&mut sum);
    i64::from_le_bytes(sum)
}

/// Entries of the journal that were committed at once, in order.
#[derive(Clone, PartialEq, Message)]
#[prost(skip_debug)]
pub(super) struct Lines {
    #[prost(message, repeated, tag = "1")]
    pub(super) lines: Vec<Line>,
}

/// An entry of the log of a session.
#[derive(Clone, PartialEq, Message)]
#[prost(skip_debug)]
pub(super) struct Line {
    /// 16 bytes: the id of the session.
    #[prost(bytes = "bytes", tag = "1")]
    pub(super) session: Bytes,
    /// Entries of the log before this one.
    #[prost(uint64, tag = "2")]
    pub(super) before: u64,
    /// The entry in its stored form.
    #[prost(bytes = "bytes", tag = "3")]
    pub(super) entry: Bytes,
    /// The serial of the session: an id can come again once its session is deleted, a serial cannot.
    #[prost(uint64, tag = "4")]
    pub(super) serial: u64,
}

impl Line {
    /// Appends a line to those before it.
    pub(super) fn append(
        (id, serial): (SessionId, u64),
        before: u64,
        entry: &[u8],
        lines: &mut Vec<u8>,
    ) {
        let line = Self {
            session: Bytes::copy_from_slice(&id.to_bytes()),
            before,
            entry: Bytes::copy_from_slice(entry),
            serial,
        };
        prost::encoding::message::encode(1, &line, lines);
    }

    /// The session that it is of, if its id can be one.
    pub(super) fn id(&self) -> Option<SessionId> {
        let bytes = <[u8; 16]>::try_from(&*self.session).ok()?;
        Some(SessionId::from_bytes(bytes))
    }
}
