//! What the rows of the file hold: numbers as SQLite has them, checksums, and the lines of the journal.

use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use prost::Message;

use crate::{
    pb::v1::SessionStatus,
    store::{SessionId, Standing},
};

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

/// What was committed at once, in order.
#[derive(Clone, PartialEq, Message)]
#[prost(skip_debug)]
pub(super) struct Lines {
    #[prost(message, repeated, tag = "1")]
    pub(super) lines: Vec<Line>,
}

/// What became of a session: an entry of its log, or its end.
#[derive(Clone, PartialEq, Message)]
#[prost(skip_debug)]
pub(super) struct Line {
    /// 16 bytes: the id of the session.
    #[prost(bytes = "bytes", tag = "1")]
    pub(super) session: Bytes,
    /// Entries of the log before this one.
    #[prost(uint64, tag = "2")]
    pub(super) before: u64,
    /// The entry in its stored form. Empty at the end.
    #[prost(bytes = "bytes", tag = "3")]
    pub(super) entry: Bytes,
    /// The serial of the session: an id can come again once its session is deleted, a serial cannot.
    #[prost(uint64, tag = "4")]
    pub(super) serial: u64,
    /// How the session stands from here on; 0 if as before.
    #[prost(enumeration = "SessionStatus", tag = "5")]
    status: i32,
    /// With `status`: whether it may go on with nobody calling.
    #[prost(bool, tag = "6")]
    wakes: bool,
    /// Whether the session ends here.
    #[prost(bool, tag = "7")]
    pub(super) ends: bool,
}

impl Line {
    /// An entry, with which the session stands otherwise than before or does not.
    pub(super) fn entry(
        (id, serial): (SessionId, u64),
        before: u64,
        entry: &[u8],
        standing: Option<Standing>,
    ) -> Self {
        Self {
            session: Bytes::copy_from_slice(&id.to_bytes()),
            before,
            entry: Bytes::copy_from_slice(entry),
            serial,
            status: standing.map_or(0, |standing| standing.status.into()),
            wakes: standing.is_some_and(|standing| standing.wakes),
            ends: false,
        }
    }

    /// The end of a session.
    pub(super) fn end((id, serial): (SessionId, u64)) -> Self {
        Self {
            session: Bytes::copy_from_slice(&id.to_bytes()),
            serial,
            ends: true,
            ..Self::default()
        }
    }

    /// Appends it to those before it.
    pub(super) fn append_to(&self, lines: &mut Vec<u8>) {
        prost::encoding::message::encode(1, self, lines);
    }

    /// How the session stands from here on, if otherwise than before.
    pub(super) fn standing(&self) -> Option<Standing> {
        (self.status != 0).then(|| Standing {
            status: self.status(),
            wakes: self.wakes,
        })
    }

    /// The session that it is of, if its id can be one.
    pub(super) fn id(&self) -> Option<SessionId> {
        let bytes = <[u8; 16]>::try_from(&*self.session).ok()?;
        Some(SessionId::from_bytes(bytes))
    }
}
