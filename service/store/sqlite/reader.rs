//! What is asked of the file, on connections that read beside the one that writes.

use std::{path::PathBuf, time::SystemTime};

use parking_lot::Mutex;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::{
    directory::Directory,
    rows::{checksum, integer, seconds},
    schema,
};
use crate::{
    pb::v1::SessionStatus,
    store::{Listed, SessionId, Standing, StoreError, Stored, stored},
};

/// Connections that read, as many as are needed at once.
#[derive(Debug)]
pub(super) struct Readers {
    file: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

/// What the file has of a session.
struct Found {
    header: Vec<u8>,
    /// Entries in their stored form, chunk by chunk.
    entries: Vec<u8>,
}

impl Readers {
    pub(super) fn new(file: PathBuf) -> Self {
        Self {
            file,
            idle: Mutex::default(),
        }
    }

    fn read<T>(
        &self,
        read: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let unavailable = |error: rusqlite::Error| StoreError::Unavailable(error.to_string());
        let idle = self.idle.lock().pop();
        let mut connection = match idle {
            Some(connection) => connection,
            None => schema::open_reader(&self.file).map_err(unavailable)?,
        };
        let read = read(&mut connection).map_err(unavailable)?;
        // One that failed is not used again.
        self.idle.lock().push(connection);
        Ok(read)
    }

    pub(super) fn load(
        &self,
        directory: &Mutex<Directory>,
        id: SessionId,
    ) -> Result<Stored, StoreError> {
        // First the tail, then the file: entries that move from one to the other meanwhile are in both, not in none.
        let (serial, settled, tail) = {
            let directory = directory.lock();
            let place = directory.committed(id).ok_or(StoreError::NotFound)?;
            let tail = place.tail.as_ref().map(|tail| tail.committed().to_vec());
            (place.serial, place.settled, tail.unwrap_or_default())
        };
        let Found { header, entries } = self.read(|connection| find(connection, serial, id))??;
        let header = stored::decode_header(&header)?;
        let mut log = stored::decode_entries(&entries)?;
        let moved = (log.len() as u64)
            .checked_sub(settled)
            .ok_or_else(|| damaged("a part of its log is missing"))?;
        let tail = stored::decode_entries(&tail)?;
        let moved = usize::try_from(moved).unwrap_or(usize::MAX);
        log.extend(tail.into_iter().skip(moved));
        Ok(Stored { header, log })
    }

    pub(super) fn list(
        &self,
        directory: &Mutex<Directory>,
        before: u64,
        max: usize,
    ) -> Result<Vec<Listed>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT serial, id, game FROM session WHERE serial < ? ORDER BY serial DESC",
            )?;
            let mut rows = statement.query([integer(before)])?;
            let mut listed = Vec::new();
            while listed.len() < max
                && let Some(row) = rows.next()?
            {
                let (serial, id) = (serial_in(row, 0)?, id_in(row, 1)?);
                if let Some(standing) = standing(directory, id, serial) {
                    listed.push(Listed {
                        serial,
                        id,
                        game: row.get(2)?,
                        standing,
                    });
                }
            }
            Ok(listed)
        })
    }

    pub(super) fn left_alone(
        &self,
        directory: &Mutex<Directory>,
        finished: SystemTime,
        others: SystemTime,
        max: usize,
    ) -> Result<Vec<SessionId>, StoreError> {
        let (finished, others) = (seconds(finished), seconds(others));
        let is_left_alone = |standing: Standing, touched: i64| match standing.status {
            SessionStatus::Finished => touched < finished,
            _ => touched < others,
        };
        let restood = directory.lock().restood();
        self.read(|connection| {
            let mut left_alone = Vec::new();
            let touched = "SELECT touched FROM standing WHERE serial = ?";
            let mut touched = connection.prepare_cached(touched)?;
            for (&serial, &id) in &restood {
                if left_alone.len() < max
                    && let Some(standing) = standing(directory, id, serial)
                    && let Some(touched) = touched
                        .query_row([integer(serial)], |row| row.get::<_, i64>(0))
                        .optional()?
                    && is_left_alone(standing, touched)
                {
                    left_alone.push(id);
                }
            }
            let mut others_of_file = connection.prepare_cached(
                "SELECT serial, id, touched FROM standing JOIN session USING (serial) \
                 WHERE touched < max(?1, ?2) AND touched < iif(status = ?3, ?1, ?2)",
            )?;
            let status = SessionStatus::Finished as i32;
            let mut rows = others_of_file.query(params![finished, others, status])?;
            while left_alone.len() < max
                && let Some(row) = rows.next()?
            {
                let (serial, id) = (serial_in(row, 0)?, id_in(row, 1)?);
                if !restood.contains_key(&serial)
                    && let Some(standing) = standing(directory, id, serial)
                    && is_left_alone(standing, row.get(2)?)
                {
                    left_alone.push(id);
                }
            }
            Ok(left_alone)
        })
    }
}

fn damaged(what: &str) -> StoreError {
    StoreError::Damaged(what.to_owned())
}

/// How a session stands of which there are rows; none if it is deleted.
fn standing(directory: &Mutex<Directory>, id: SessionId, serial: u64) -> Option<Standing> {
    let directory = directory.lock();
    directory.of_serial(id, serial).map(|place| place.stood)
}

fn serial_in(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let serial: i64 = row.get(column)?;
    Ok(u64::try_from(serial).unwrap_or_default())
}

fn id_in(row: &Row<'_>, column: usize) -> rusqlite::Result<SessionId> {
    row.get(column).map(SessionId::from_bytes)
}

/// Reads a session as it is in one moment, and checks it.
fn find(
    connection: &mut Connection,
    serial: u64,
    id: SessionId,
) -> rusqlite::Result<Result<Found, StoreError>> {
    let transaction = connection.transaction()?;
    let session = transaction
        .prepare_cached("SELECT id, game, header, sum FROM session WHERE serial = ?")?
        .query_row([integer(serial)], |row| {
            let (of, game): (Vec<u8>, String) = (row.get(0)?, row.get(1)?);
            let header: Vec<u8> = row.get(2)?;
            let sum = checksum("session", &[serial], &[&of, game.as_bytes(), &header]);
            let sound = sum == row.get::<_, i64>(3)? && of == id.to_bytes();
            Ok(sound.then_some(header))
        })
        .optional()?;
    let header = match session {
        Some(Some(header)) => header,
        Some(None) => return Ok(Err(damaged("its header fails its checksum"))),
        // Not yet committed, or deleted meanwhile.
        None => return Ok(Err(StoreError::NotFound)),
    };
    let mut entries = Vec::new();
    let mut statement = transaction
        .prepare_cached("SELECT first, entries, sum FROM chunk WHERE serial = ? ORDER BY first")?;
    let mut rows = statement.query([integer(serial)])?;
    let mut next = 0;
    while let Some(row) = rows.next()? {
        let first: i64 = row.get(0)?;
        let chunk = row.get_ref(1)?.as_blob()?;
        let sum = checksum("chunk", &[serial, next], &[chunk]);
        if first != integer(next) || sum != row.get::<_, i64>(2)? {
            return Ok(Err(damaged("a part of its log fails its checksum")));
        }
        next += stored::count_entries(chunk);
        entries.extend_from_slice(chunk);
    }
    Ok(Ok(Found { header, entries }))
}
