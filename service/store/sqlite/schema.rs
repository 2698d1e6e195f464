//! The file that sessions are kept in: its tables, how it is opened, and how an older one is brought up to date.
//!
//! A ply is not a row: what is committed at once becomes one row of `journal`, and moves on to a row per session, in
//! `chunk`, when enough of it has come together. Each row has a checksum.

use std::{fs::OpenOptions, os::unix::fs::OpenOptionsExt as _, path::Path};

use rusqlite::{Connection, OpenFlags, TransactionBehavior, params};

use super::{
    OpenError,
    rows::{checksum, integer},
};
use crate::store::StoreSecret;

/// The schemas, each made from the one before it. The version of a file is how many of them it has been through.
const MIGRATIONS: &[&str] = &["
    -- What never changes. `header` holds the game, too, which lists are filtered by.
    CREATE TABLE session (
        serial INTEGER PRIMARY KEY,
        id BLOB NOT NULL,
        game TEXT NOT NULL,
        header BLOB NOT NULL,
        sum INTEGER NOT NULL
    ) STRICT;
    -- What does. `length`: entries in `chunk`; `status` as in tavola.v1.SessionStatus; `touched`: seconds since 1970.
    CREATE TABLE standing (
        serial INTEGER PRIMARY KEY,
        length INTEGER NOT NULL,
        status INTEGER NOT NULL,
        wakes INTEGER NOT NULL,
        touched INTEGER NOT NULL,
        sum INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX standing_wakes ON standing (serial) WHERE wakes;
    CREATE INDEX standing_touched ON standing (touched);
    -- Entries of one session, from the one with the number `first` on.
    CREATE TABLE chunk (
        serial INTEGER NOT NULL,
        first INTEGER NOT NULL,
        entries BLOB NOT NULL,
        sum INTEGER NOT NULL,
        PRIMARY KEY (serial, first)
    ) STRICT, WITHOUT ROWID;
    -- Entries of many sessions that were committed at once and are not all in `chunk` yet. No number is left out.
    CREATE TABLE journal (
        number INTEGER PRIMARY KEY,
        lines BLOB NOT NULL,
        sum INTEGER NOT NULL
    ) STRICT;
", "
    -- One row: the key that tokens are derived with from request ids.
    CREATE TABLE secret (
        number INTEGER PRIMARY KEY CHECK (number = 1),
        bits BLOB NOT NULL,
        sum INTEGER NOT NULL
    ) STRICT;
", "
    -- From here on a line of the journal may also say how its session stands, and that it is deleted; the rows of the
    -- session follow later. Until then `standing` is behind, so nobody searches it for those that wake.
    DROP INDEX standing_wakes;
"];

/// Says that a file is ours: "Tavo".
const APPLICATION_ID: i32 = 0x5461_766f;

/// Pages that are kept in memory: all that the writer comes back to, the journal first of all.
const CACHE_KIB: i32 = 8 << 10;

/// The connection that writes, to a file that is made if there is none. Nobody else may write.
///
/// # Errors
/// If the file is none of ours, is damaged, or was written by a newer server.
pub(super) fn open_writer(file: &Path) -> Result<Connection, OpenError> {
    // Whoever may look into the folder may not look into the file, nor into those that SQLite puts beside it with the
    // same mode. If that fails, SQLite says why.
    let _ = OpenOptions::new()
        .create(true)
        .append(true)
        .mode(0o600)
        .open(file);
    let mut connection = Connection::open(file)?;
    let version = version(&connection)?;
    // Before the first thing is written: nobody's file but ours is changed.
    if version > MIGRATIONS.len() {
        return Err(OpenError::Newer {
            file: file.to_owned(),
            version,
            known: MIGRATIONS.len(),
        });
    }
    let ours: i32 = pragma(&connection, "application_id")?;
    let empty = pragma::<i64>(&connection, "schema_version")? == 0;
    if ours != APPLICATION_ID && !empty {
        return Err(OpenError::Foreign(file.to_owned()));
    }
    let wrong: String = pragma(&connection, "quick_check(1)")?;
    if wrong != "ok" {
        return Err(OpenError::damaged(file, wrong));
    }
    set_up(&connection)?;
    migrate(&mut connection, MIGRATIONS)?;
    Ok(connection)
}

/// The secret of the store, which is made when the file is.
///
/// # Errors
/// If it cannot be read or written, or is not what was written.
pub(super) fn secret(file: &Path, connection: &Connection) -> Result<StoreSecret, OpenError> {
    let new = StoreSecret::new();
    connection.execute(
        "INSERT OR IGNORE INTO secret (number, bits, sum) VALUES (1, ?, ?)",
        params![new.bits(), checksum("secret", &[], &[new.bits()])],
    )?;
    let (bits, sum): ([u8; 32], i64) =
        connection.query_row("SELECT bits, sum FROM secret", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    if sum != checksum("secret", &[], &[&bits]) {
        return Err(OpenError::damaged(file, "its secret is garbled"));
    }
    Ok(StoreSecret::from_bits(bits))
}

/// Another connection that writes, to a file that was opened before.
pub(super) fn reopen_writer(file: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(file)?;
    set_up(&connection)?;
    Ok(connection)
}

fn set_up(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // Synced at every commit: what is acknowledged survives a power cut.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)
}

/// A connection that reads beside the one that writes.
pub(super) fn open_reader(file: &Path) -> rusqlite::Result<Connection> {
    Connection::open_with_flags(
        file,
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )
}

/// Brings a file up to date, all or nothing.
fn migrate(connection: &mut Connection, migrations: &[&str]) -> rusqlite::Result<()> {
    let version = version(connection)?;
    if version == migrations.len() {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for migration in migrations.iter().skip(version) {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", integer(migrations.len() as u64))?;
    transaction.commit()
}

fn version(connection: &Connection) -> rusqlite::Result<usize> {
    let version: i64 = pragma(connection, "user_version")?;
    // A negative one is none of ours.
    Ok(usize::try_from(version).unwrap_or(usize::MAX))
}

fn pragma<T: rusqlite::types::FromSql>(connection: &Connection, name: &str) -> rusqlite::Result<T> {
    connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_is_synced() {
        let folder = crate::store::sqlite::tests::Folder::new();
        let connection = open_writer(&folder.file()).unwrap();
        assert_eq!(
            pragma::<String>(&connection, "journal_mode").unwrap(),
            "wal"
        );
        assert_eq!(
            pragma::<i64>(&connection, "synchronous").unwrap(),
            2,
            "FULL"
        );
    }

    #[test]
    fn nobody_else_may_read_what_is_stored() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = crate::store::sqlite::tests::Folder::new();
        let connection = open_writer(&folder.file()).unwrap();
        connection
            .execute_batch("INSERT INTO journal VALUES (0, x'', 0)")
            .unwrap();
        let files = std::fs::read_dir(folder.file().parent().unwrap()).unwrap();
        let modes: Vec<_> = files
            .map(|file| file.unwrap().metadata().unwrap().permissions().mode() & 0o777)
            .collect();
        assert!(modes.len() >= 2, "the log of SQLite is there, too");
        assert!(modes.iter().all(|mode| *mode == 0o600), "{modes:?}");
    }

    #[test]
    fn an_older_file_is_brought_up_to_date_and_keeps_what_it_has() {
        let mut connection = Connection::open_in_memory().unwrap();
        let steps = [
            "CREATE TABLE a (x); INSERT INTO a VALUES (7);",
            "ALTER TABLE a ADD COLUMN y DEFAULT 8;",
            "CREATE TABLE b AS SELECT x + y AS z FROM a;",
        ];
        migrate(&mut connection, &steps[..1]).unwrap();
        assert_eq!(version(&connection), Ok(1));
        for _ in 0..2 {
            migrate(&mut connection, &steps).unwrap();
            assert_eq!(version(&connection), Ok(3));
            let sum: i64 = connection
                .query_row("SELECT z FROM b", [], |row| row.get(0))
                .unwrap();
            assert_eq!(sum, 15);
        }
    }

    #[test]
    fn a_migration_that_fails_leaves_the_file_as_it_was() {
        let mut connection = Connection::open_in_memory().unwrap();
        let steps = ["CREATE TABLE a (x);", "CREATE TABLE b (x);", "nonsense;"];
        migrate(&mut connection, &steps[..1]).unwrap();
        migrate(&mut connection, &steps).unwrap_err();
        assert_eq!(version(&connection), Ok(1));
        let tables: i64 = pragma(&connection, "schema_version").unwrap();
        assert_eq!(tables, 1, "nothing was created");
    }
}
