//! How the directory is made when the store is opened: from the sessions, how they stand, and the journal.
//!
//! All of it is checked here. What cannot be told to be one session's fault keeps the store shut: it is never read
//! past. Chunks, which are one session's each, are checked when that session is loaded.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use prost::Message as _;
use rusqlite::Connection;

use super::{
    OpenError,
    directory::{Directory, Place},
    rows::{Line, Lines, checksum},
    writer::standing_sum,
};
use crate::{
    pb::v1::SessionStatus,
    store::{SessionId, Standing},
};

/// What was found in the file.
#[derive(Debug)]
pub(super) struct Recovered {
    pub(super) directory: Directory,
    /// Serials of sessions that were deleted, as far as there are traces of them.
    pub(super) departed: Vec<u64>,
    /// The number of the next row of the journal.
    pub(super) next_row: u64,
}

/// Reads the file.
///
/// # Errors
/// If it is damaged, or cannot be read.
pub(super) fn recover(file: &Path, connection: &Connection) -> Result<Recovered, OpenError> {
    let damaged = |what| OpenError::damaged(file, what);
    let mut directory = Directory::default();
    let mut departed = BTreeSet::new();
    // First of all: what the file has of a session that was deleted says nothing, and another one may have its id.
    let mut ends = BTreeMap::new();
    let note_end = |line: &Line, row| {
        if line.ends {
            ends.insert(line.serial, row);
        }
        true
    };
    journal(connection, note_end)?.map_err(damaged)?;
    departed.extend(ends.keys());
    sessions(connection, &mut directory, &ends)?.map_err(damaged)?;
    let take = |line: &Line, row| line.ends || enter(&mut directory, &mut departed, line, row);
    let next_row = journal(connection, take)?.map_err(damaged)?;
    directory.commit();
    Ok(Recovered {
        directory,
        departed: departed.into_iter().collect(),
        next_row,
    })
}

/// Reads all sessions but those that were deleted, of which `ends` has the serials and the rows of the journal that say
/// so. What is wrong, if something is.
fn sessions(
    connection: &Connection,
    directory: &mut Directory,
    ends: &BTreeMap<u64, u64>,
) -> rusqlite::Result<Result<(), String>> {
    let standings: u64 = connection.query_row("SELECT count(*) FROM standing", [], natural)?;
    let mut statement = connection.prepare(
        "SELECT serial, id, game, header, session.sum, length, status, wakes, standing.sum \
         FROM session LEFT JOIN standing USING (serial) ORDER BY serial",
    )?;
    let mut rows = statement.query([])?;
    let mut count = 0;
    while let Some(row) = rows.next()? {
        let serial: i64 = row.get(0)?;
        let wrong = || {
            Ok(Err(format!(
                "the session of number {serial} fails its checksum"
            )))
        };
        let (Ok(serial), Ok(id)) = (
            u64::try_from(serial),
            <[u8; 16]>::try_from(row.get_ref(1)?.as_blob()?),
        ) else {
            return wrong();
        };
        let (game, header) = (row.get_ref(2)?.as_bytes()?, row.get_ref(3)?.as_blob()?);
        if checksum("session", &[serial], &[&id, game, header]) != row.get::<_, i64>(4)? {
            return wrong();
        }
        let (length, status): (Option<i64>, Option<i32>) = (row.get(5)?, row.get(6)?);
        let (wakes, sum): (Option<bool>, Option<i64>) = (row.get(7)?, row.get(8)?);
        let length = length.and_then(|length| u64::try_from(length).ok());
        let status = status.and_then(|status| SessionStatus::try_from(status).ok());
        let (Some(length), Some(status), Some(wakes)) = (length, status, wakes) else {
            return wrong();
        };
        let standing = Standing { status, wakes };
        if sum != Some(standing_sum(serial, length, standing)) {
            return wrong();
        }
        count += 1;
        if let Some(row) = ends.get(&serial) {
            directory.was_deleted(serial, *row);
            continue;
        }
        directory.create(
            SessionId::from_bytes(id),
            Place::new(serial, length, standing),
        );
    }
    if count != standings {
        return Ok(Err(format!(
            "it has {count} sessions, of which {standings} stand somehow"
        )));
    }
    Ok(Ok(()))
}

/// Reads the journal, and hands out each line with the number of its row to be taken, if it fits. The number of the next
/// row, or what is wrong.
fn journal(
    connection: &Connection,
    mut take: impl FnMut(&Line, u64) -> bool,
) -> rusqlite::Result<Result<u64, String>> {
    let mut statement =
        connection.prepare("SELECT number, lines, sum FROM journal ORDER BY number")?;
    let mut rows = statement.query([])?;
    let mut next = None;
    while let Some(row) = rows.next()? {
        let number: i64 = row.get(0)?;
        let wrong = |what: &str| Ok(Err(format!("row {number} of its journal {what}")));
        let Ok(number) = u64::try_from(number) else {
            return wrong("cannot be");
        };
        if next.is_some_and(|next| next != number) {
            return wrong("does not follow the one before");
        }
        next = Some(number + 1);
        let lines = row.get_ref(1)?.as_blob()?;
        if checksum("journal", &[number], &[lines]) != row.get::<_, i64>(2)? {
            return wrong("fails its checksum");
        }
        let Ok(Lines { lines }) = Lines::decode(lines) else {
            return wrong("is garbled");
        };
        if !lines.iter().all(|line| take(line, number)) {
            return wrong("does not fit the rows before");
        }
    }
    Ok(Ok(next.unwrap_or(0)))
}

/// Takes an entry from the journal. Whether it fits what came before.
fn enter(directory: &mut Directory, departed: &mut BTreeSet<u64>, line: &Line, row: u64) -> bool {
    let Some(id) = line.id() else {
        return false;
    };
    // Otherwise the session was deleted after this, and the same id may be that of a later one.
    let Some(place) = directory
        .get(id)
        .filter(|place| place.serial == line.serial)
    else {
        departed.insert(line.serial);
        return true;
    };
    if line.before < place.settled {
        // It has moved on to its session.
        return true;
    }
    directory
        .append_stored(id, line.before, &line.entry, line.standing(), row)
        .is_ok()
}

fn natural(row: &rusqlite::Row<'_>) -> rusqlite::Result<u64> {
    let number: i64 = row.get(0)?;
    Ok(u64::try_from(number).unwrap_or_default())
}
