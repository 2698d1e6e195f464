//! The store over a real file: what it survives, and what it refuses.

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
};

use rusqlite::Connection;

use super::{FILE, OpenError, SqliteStore, checkpoint::LOG_PAGES, writer::UNSETTLED_MAX};
use crate::store::{
    Header, LogEntry, SessionId, Standing, Store as _, StoreError, Stored,
    conformance::{self, Scribe, created, done, entry, header},
};

/// A data folder that is gone when it is dropped.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("tavola-store-{}-{number}", std::process::id());
        let folder = env::temp_dir().join(name);
        fs::create_dir(&folder).unwrap();
        Self(folder)
    }

    pub(super) fn file(&self) -> PathBuf {
        self.0.join(FILE)
    }

    fn open(&self) -> SqliteStore {
        SqliteStore::open(&self.0, Arc::default()).unwrap()
    }

    /// A copy of what is on disk at this moment: what a crash would leave.
    fn crashed(&self) -> Self {
        let copy = Self::new();
        for file in fs::read_dir(&self.0).unwrap() {
            let file = file.unwrap();
            // The shared memory of the connections does not outlive them.
            if !file.file_name().to_string_lossy().ends_with("-shm") {
                fs::copy(file.path(), copy.0.join(file.file_name())).unwrap();
            }
        }
        copy
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Sessions with a log of so many entries each.
fn filled(store: &SqliteStore, sessions: usize, entries: u32) -> Vec<SessionId> {
    let ids: Vec<_> = (0..sessions).map(|_| created(store)).collect();
    for id in &ids {
        let scribe = Scribe::new(store, *id);
        for number in 0..entries {
            scribe.append(number.into(), entry(number)).unwrap();
        }
    }
    ids
}

fn load_all(store: &SqliteStore, ids: &[SessionId]) -> Vec<Stored> {
    ids.iter().map(|id| store.load(*id).unwrap()).collect()
}

#[test]
fn sqlite_keeps_the_contract_of_every_store() {
    let folder = Folder::new();
    conformance::check(Arc::new(folder.open()));
}

#[test]
fn what_is_acknowledged_is_there_after_a_crash_and_after_an_orderly_end() {
    let folder = Folder::new();
    let store = folder.open();
    let ids = filled(&store, 3, 40);
    done(store.delete(ids[2])).unwrap();
    let before = load_all(&store, &ids[..2]);
    let crashed = folder.crashed();
    drop(store);
    for folder in [crashed, folder] {
        let store = folder.open();
        assert_eq!(load_all(&store, &ids[..2]), before);
        assert_eq!(store.load(ids[2]).map(drop), Err(StoreError::NotFound));
        assert_eq!((store.count(), store.newest(u64::MAX)), (2, 3));
        Scribe::new(&store, ids[0]).append(40, entry(40)).unwrap();
        assert_eq!(store.load(ids[0]).unwrap().log.len(), 41);
    }
}

#[test]
fn an_id_that_comes_again_has_nothing_of_the_session_before() {
    let folder = Folder::new();
    let mut store = folder.open();
    let (id, mut serial) = (SessionId::new(), 0);
    for life in 0..4 {
        // No serial comes again while there are traces of it.
        serial = store.newest(u64::MAX).max(serial) + 1;
        let header = Header {
            serial,
            ..header(&store)
        };
        done(store.create(id, header.clone())).unwrap();
        let scribe = Scribe::new(&store, id);
        // Longer than the life before, or shorter.
        let log: Vec<_> = (0..[3, 5, 2, 4][life]).map(entry).collect();
        for (expected, entry) in (0..).zip(&log) {
            scribe.append(expected, *entry).unwrap();
        }
        for _ in 0..2 {
            drop(store);
            store = folder.open();
            let kept = store.load(id).unwrap();
            assert_eq!((&kept.header, &kept.log), (&header, &log), "life {life}");
        }
        done(store.delete(id)).unwrap();
        if life % 2 == 0 {
            drop(store);
            store = folder.open();
        }
        assert_eq!(store.load(id).map(drop), Err(StoreError::NotFound));
    }
}

/// More entries than the journal holds, so that many move on to their sessions, some of them more than once.
fn overfull(store: &SqliteStore) -> (Vec<SessionId>, Vec<LogEntry>) {
    let ids: Vec<_> = (0..5).map(|_| created(store)).collect();
    let scribes: Vec<_> = ids.iter().map(|id| Scribe::new(store, *id)).collect();
    let entries: Vec<_> = (0..u32::try_from(UNSETTLED_MAX).unwrap())
        .map(entry)
        .collect();
    for (expected, entry) in (0..).zip(&entries) {
        // The last one is written to now and then only, and the first four seldom wait for each other.
        for scribe in &scribes[..4] {
            scribe.send(expected, *entry);
        }
        if expected % 1000 == 0 {
            scribes[4].append(expected / 1000, *entry).unwrap();
        }
    }
    for scribe in &scribes[..4] {
        scribe.wait_for(entries.len());
    }
    (ids, entries)
}

#[test]
fn entries_that_have_moved_on_are_where_they_belong() {
    let folder = Folder::new();
    let store = folder.open();
    let (ids, entries) = overfull(&store);
    let seldom: Vec<_> = entries.iter().step_by(1000).copied().collect();
    let check = |store: &SqliteStore| {
        for id in &ids[..4] {
            assert!(store.load(*id).unwrap().log == entries, "{id}");
        }
        assert_eq!(store.load(ids[4]).unwrap().log, seldom);
        let unsettled = store.directory.lock().unsettled;
        assert!(unsettled <= UNSETTLED_MAX, "{unsettled}");
    };
    check(&store);
    let crashed = folder.crashed();
    drop(store);
    for folder in [crashed, folder] {
        let store = folder.open();
        check(&store);
        let journal = Connection::open(folder.file()).unwrap();
        let count = |sql| {
            journal
                .query_row(sql, [], |row| row.get::<_, i64>(0))
                .unwrap()
        };
        assert!(
            count("SELECT count(*) FROM chunk") >= 5,
            "nothing has moved"
        );
        assert!(
            count("SELECT min(number) FROM journal") > 0,
            "the journal only grows"
        );
    }
}

#[test]
fn a_reader_sees_every_entry_once_while_they_move() {
    let folder = Folder::new();
    let store = Arc::new(folder.open());
    let id = created(&*store);
    let acknowledged = Arc::new(AtomicU64::new(0));
    let reader = {
        let (store, acknowledged) = (Arc::clone(&store), Arc::clone(&acknowledged));
        std::thread::spawn(move || {
            let mut reads = 0;
            loop {
                let least = acknowledged.load(Ordering::SeqCst);
                if least == u64::MAX {
                    return reads;
                }
                let log = store.load(id).unwrap().log;
                assert!(log.len() as u64 >= least);
                for (nth, kept) in (0..).zip(log) {
                    let LogEntry::Ply(ply) = kept else {
                        unreachable!()
                    };
                    let tavola_engine::Entry::Action(_, action) = ply.entry else {
                        unreachable!()
                    };
                    assert_eq!(action.0, nth);
                }
                reads += 1;
            }
        })
    };
    // The moving is the writer's, at 65,536 entries; here it is done by hand, so that it happens often.
    let scribe = Scribe::new(&*store, id);
    let other = created(&*store);
    let filler = Scribe::new(&*store, other);
    let fill = u32::try_from(UNSETTLED_MAX).unwrap();
    for number in 0..fill {
        filler.send(number.into(), entry(number));
    }
    filler.wait_for(usize::try_from(fill).unwrap());
    for number in 0..300 {
        scribe.append(number.into(), entry(number)).unwrap();
        acknowledged.store(u64::from(number) + 1, Ordering::SeqCst);
        filler.append((fill + number).into(), entry(0)).unwrap();
    }
    acknowledged.store(u64::MAX, Ordering::SeqCst);
    assert!(reader.join().unwrap() > 10);
}

#[test]
fn the_log_of_sqlite_begins_anew_while_it_is_written_to() {
    let folder = Folder::new();
    let store = folder.open();
    let log = folder.0.join(format!("{FILE}-wal"));
    // SQLite counts there how often it has begun.
    let beginnings = || fs::read(&log).unwrap()[12..16].to_vec();
    created(&store);
    let first = beginnings();
    let most = 3 * u64::try_from(LOG_PAGES).unwrap() * (4096 + 24);
    let mut ids = Vec::new();
    while beginnings() == first {
        let length = fs::metadata(&log).unwrap().len();
        assert!(length < most, "it only grows: {length}");
        let header = header(&store);
        let commits: Vec<_> = (0..200)
            .map(|number| {
                ids.push(SessionId::new());
                let header = Header {
                    serial: header.serial + number,
                    ..header.clone()
                };
                store.create(*ids.last().unwrap(), header)
            })
            .collect();
        commits.into_iter().for_each(|commit| done(commit).unwrap());
    }
    let scribe = Scribe::new(&store, ids[0]);
    scribe.append(0, entry(0)).unwrap();
    let before = load_all(&store, &ids);
    assert!(load_all(&folder.crashed().open(), &ids) == before);
    drop(store);
    assert!(load_all(&folder.open(), &ids) == before);
}

#[test]
fn an_event_loop_that_ends_keeps_back_nothing_that_was_committed() {
    let folder = Folder::new();
    let store = folder.open();
    let scribe = Scribe::new(&store, created(&store));
    let event_loop = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let on_it = event_loop.enter();
    scribe.send(0, entry(0));
    // It does not run, so it has not heard of the first entry when this one is committed.
    created(&store);
    drop(on_it);
    let handle = event_loop.handle().clone();
    drop(event_loop);
    // It has ended before this one is even written.
    let on_it = handle.enter();
    scribe.send(1, entry(1));
    drop(on_it);
    scribe.wait_for(2);
}

// === what is refused

fn refusal(folder: &Path) -> OpenError {
    SqliteStore::open(folder, Arc::default()).expect_err("it must not be opened")
}

#[test]
fn a_folder_is_one_servers_at_a_time() {
    let folder = Folder::new();
    let store = folder.open();
    let refused = refusal(&folder.0);
    assert!(matches!(refused, OpenError::InUse(_)));
    assert!(refused.to_string().contains(&*folder.0.to_string_lossy()));
    drop(store);
    folder.open();
}

#[test]
fn a_file_of_a_newer_server_or_of_somebody_else_is_left_as_it_is() {
    let newer = Folder::new();
    filled(&newer.open(), 1, 1);
    let raise = Connection::open(newer.file()).unwrap();
    raise.pragma_update(None, "user_version", 99).unwrap();
    drop(raise);
    let foreign = Folder::new();
    let other = Connection::open(foreign.file()).unwrap();
    other.execute_batch("CREATE TABLE a (x)").unwrap();
    drop(other);
    let text = Folder::new();
    fs::write(text.file(), "a letter, not a database, ".repeat(400)).unwrap();
    for (folder, says) in [
        (&newer, "newer server: its schema is 99"),
        (&foreign, "not one of sessions"),
        (&text, "damaged"),
    ] {
        let before = fs::read(folder.file()).unwrap();
        let refused = refusal(&folder.0).to_string();
        assert!(
            refused.contains(says) && refused.contains(&*folder.file().to_string_lossy()),
            "{refused}"
        );
        assert!(fs::read(folder.file()).unwrap() == before, "{says}");
    }
}

// === what is damaged

/// What became of sessions after their file was damaged.
#[derive(Debug, Default)]
struct Verdict {
    /// All is as it was.
    whole: usize,
    /// The end of the log is missing, and nothing else.
    cut: usize,
    /// The session, or the whole file, is refused.
    refused: usize,
}

/// Looks at a damaged copy. Whatever is given back has to be what was written.
fn judge(folder: &Folder, before: &[(SessionId, Stored)], verdict: &mut Verdict) {
    let store = match SqliteStore::open(&folder.0, Arc::default()) {
        Ok(store) => store,
        Err(OpenError::Damaged { .. } | OpenError::Foreign(_)) => {
            verdict.refused += 1;
            return;
        }
        Err(error) => panic!("{error}"),
    };
    let listed = store.list(u64::MAX, 1000).unwrap();
    for (id, was) in before {
        match store.load(*id) {
            Ok(is) if is == *was => verdict.whole += 1,
            Ok(is) => {
                assert_eq!(is.header, was.header);
                assert!(was.log.starts_with(&is.log), "another log came back");
                verdict.cut += 1;
            }
            Err(StoreError::Damaged(_) | StoreError::Unavailable(_)) => verdict.refused += 1,
            // Its creation was at the end, too: then nothing of it is left.
            Err(StoreError::NotFound) => {
                assert!(listed.iter().all(|listed| listed.id != *id));
                verdict.cut += 1;
            }
            Err(error) => panic!("{error:?}"),
        }
    }
}

#[test]
fn a_torn_or_flipped_end_of_the_log_is_dropped() {
    let folder = Folder::new();
    let store = folder.open();
    let ids = filled(&store, 2, 12);
    let before: Vec<_> = ids.iter().copied().zip(load_all(&store, &ids)).collect();
    let crashed = folder.crashed();
    let wal = folder.0.join(format!("{FILE}-wal"));
    let whole = fs::read(&wal).unwrap();
    let damage = |bytes: &[u8], verdict: &mut Verdict| {
        let copy = crashed.crashed();
        fs::write(copy.0.join(format!("{FILE}-wal")), bytes).unwrap();
        judge(&copy, &before, verdict);
    };
    let (mut torn, mut flipped) = (Verdict::default(), Verdict::default());
    // Every 7th byte of the last two frames, and those around each frame's beginning; the long form takes every one.
    let every = if env::var_os("TAVOLA_TEST_LONG").is_some() {
        1
    } else {
        61
    };
    let tail = whole.len() - 2 * (4096 + 24);
    for at in (tail..whole.len()).step_by(every) {
        damage(&whole[..at], &mut torn);
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        damage(&bytes, &mut flipped);
    }
    println!("torn: {torn:?}, flipped: {flipped:?}");
    assert!(torn.cut > 0 && flipped.cut > 0);
    assert_eq!((torn.refused, flipped.refused), (0, 0));
}

#[test]
fn a_flipped_bit_anywhere_in_the_file_is_found_or_does_no_harm() {
    let folder = Folder::new();
    let store = folder.open();
    let ids = filled(&store, 4, 25);
    let before: Vec<_> = ids.iter().copied().zip(load_all(&store, &ids)).collect();
    // An orderly end leaves everything in the main file.
    drop(store);
    settle_by_hand(&folder, ids[0]);
    let whole = fs::read(folder.file()).unwrap();
    let mut verdict = Verdict::default();
    let every = if env::var_os("TAVOLA_TEST_LONG").is_some() {
        1
    } else {
        97
    };
    for at in (0..whole.len()).step_by(every) {
        let copy = Folder::new();
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(copy.file(), bytes).unwrap();
        judge(&copy, &before, &mut verdict);
    }
    println!("{verdict:?}");
    assert_eq!(verdict.cut, 0, "nothing was lost, nothing may be missing");
    assert!(verdict.refused > 0 && verdict.whole > 0);
}

/// Moves the entries of one session on, which takes too many of them otherwise.
fn settle_by_hand(folder: &Folder, id: SessionId) {
    use super::{
        directory::Place,
        rows::{checksum, integer},
        writer::standing_sum,
    };

    let connection = Connection::open(folder.file()).unwrap();
    let recovered = super::recovery::recover(&folder.file(), &connection).unwrap();
    let Place {
        serial,
        settled,
        standing,
        tail,
        ..
    } = recovered.directory.get(id).unwrap();
    let tail = tail.as_ref().unwrap();
    let sum = checksum("chunk", &[*serial, *settled], &[&tail.bytes]);
    connection
        .execute(
            "INSERT INTO chunk (serial, first, entries, sum) VALUES (?, ?, ?, ?)",
            rusqlite::params![integer(*serial), integer(*settled), tail.bytes, sum],
        )
        .unwrap();
    let sum = standing_sum(*serial, tail.entries, *standing);
    connection
        .execute(
            "UPDATE standing SET length = ?, sum = ? WHERE serial = ?",
            rusqlite::params![integer(tail.entries), sum, integer(*serial)],
        )
        .unwrap();
}

// === failures

#[test]
fn a_failure_at_any_step_of_a_write_leaves_all_or_nothing() {
    let (mut runs, mut failed) = (0, 0);
    for fails_at in 1.. {
        let folder = Folder::new();
        let steps = Arc::new(AtomicUsize::new(usize::MAX));
        let counted = Arc::clone(&steps);
        let store = SqliteStore::open_with(&folder.0, Arc::default(), move |connection| {
            // Asked at every instruction of SQLite's machine; says once that it must go no further.
            let interrupt = move || match counted.load(Ordering::SeqCst) {
                usize::MAX => false,
                left => {
                    let next = left.checked_sub(1).unwrap_or(usize::MAX);
                    counted.store(next, Ordering::SeqCst);
                    left == 0
                }
            };
            connection.progress_handler(1, Some(interrupt)).unwrap();
        })
        .unwrap();
        let kept = filled(&store, 1, 5)[0];
        let gone = created(&store);
        let (new, header) = (SessionId::new(), header(&store));
        let scribe = Scribe::new(&store, kept);
        let over = Standing {
            status: crate::pb::v1::SessionStatus::Finished,
            wakes: false,
        };

        steps.store(fails_at, Ordering::SeqCst);
        let wrote = [
            scribe.append_as(5, entry(5), over),
            done(store.create(new, header.clone())),
            done(store.delete(gone)),
        ];
        let hit = steps.swap(usize::MAX, Ordering::SeqCst) == usize::MAX;
        runs += 1;
        failed += usize::from(wrote.iter().any(Result::is_err));
        assert!(
            hit || wrote.iter().all(Result::is_ok),
            "{fails_at}: {wrote:?}"
        );

        let crashed = folder.crashed();
        let check = |store: &SqliteStore| {
            let log = store.load(kept).unwrap().log;
            assert_eq!(
                log.len(),
                if wrote[0].is_ok() { 6 } else { 5 },
                "{fails_at}"
            );
            assert_eq!(store.load(new).is_ok(), wrote[1].is_ok(), "{fails_at}");
            assert_eq!(store.load(gone).is_err(), wrote[2].is_ok(), "{fails_at}");
            let standing = store.list(2, 1).unwrap()[0].standing;
            assert_eq!(standing == over, wrote[0].is_ok(), "{fails_at}");
        };
        check(&store);
        check(&crashed.open());
        // The same again, now that nothing is in the way.
        if wrote[0].is_err() {
            scribe.append_as(5, entry(5), over).unwrap();
        }
        if wrote[1].is_err() {
            done(store.create(new, header)).unwrap();
        }
        if wrote[2].is_err() {
            done(store.delete(gone)).unwrap();
        }
        assert_eq!(store.load(kept).unwrap().log.len(), 6);
        assert!(store.load(new).is_ok() && store.load(gone).is_err());
        if !hit {
            break;
        }
    }
    println!("{runs} steps, one after the other; {failed} of them failed");
    assert!(failed > 20, "{failed} of {runs}");
}

#[test]
fn a_full_disk_refuses_and_recovers_when_there_is_room() {
    let folder = Folder::new();
    let store = SqliteStore::open_with(&folder.0, Arc::default(), |connection| {
        let pages: i64 = connection
            .query_row("PRAGMA page_count", [], |row| row.get(0))
            .unwrap();
        let _: i64 = connection
            .query_row(
                &format!("PRAGMA max_page_count = {}", pages + 40),
                [],
                |row| row.get(0),
            )
            .unwrap();
    })
    .unwrap();
    let mut kept = Vec::new();
    let full = loop {
        let (id, header) = (SessionId::new(), header(&store));
        match done(store.create(id, header)) {
            Ok(()) => kept.push(id),
            Err(error) => break error,
        }
        let scribe = Scribe::new(&store, id);
        for number in 0..200 {
            if scribe.append(number, entry(0)).is_err() {
                break;
            }
        }
    };
    assert!(
        matches!(&full, StoreError::Unavailable(why) if why.contains("full")),
        "{full:?}"
    );
    let before = load_all(&store, &kept);
    assert!(kept.len() > 1 && before[0].log.len() == 200);
    assert_eq!(load_all(&folder.crashed().open(), &kept), before);
    // The limit was that connection's alone.
    drop(store);
    let store = folder.open();
    assert_eq!(load_all(&store, &kept), before);
    let scribe = Scribe::new(&store, kept[0]);
    scribe.append(200, entry(7)).unwrap();
    created(&store);
}
