//! The store over a real file: what it survives, and what it refuses.

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant, SystemTime},
};

use rusqlite::Connection;

use super::{
    FILE, OpenError, SqliteStore,
    checkpoint::LOG_PAGES,
    directory::{Directory, Place},
    writer::{ENDED_AT_ONCE, ENDED_MAX, ENOUGH, Queue, UNSETTLED_MAX, Write},
};
use crate::{
    event_loop::EventLoop,
    pb::v1::SessionStatus,
    store::{
        Header, LogEntry, SessionId, Standing, Store as _, StoreError, Stored, Workers as _,
        conformance::{self, Scribe, created, done, entry, header},
    },
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

/// So many new sessions, in few commits.
fn created_at_once(store: &SqliteStore, sessions: u64) -> Vec<SessionId> {
    let first = header(store);
    let (ids, commits): (Vec<_>, Vec<_>) = (0..sessions)
        .map(|number| {
            let (id, serial) = (SessionId::new(), first.serial + number);
            let header = Header {
                serial,
                ..first.clone()
            };
            (id, store.create(id, header))
        })
        .unzip();
    commits.into_iter().for_each(|commit| done(commit).unwrap());
    ids
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
        ids.extend(created_at_once(&store, 200));
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
    std::thread::scope(|scope| scope.spawn(|| created(&store)).join()).unwrap();
    drop(on_it);
    let handle = event_loop.handle().clone();
    drop(event_loop);
    // It has ended before this one is even written.
    let on_it = handle.enter();
    scribe.send(1, entry(1));
    drop(on_it);
    scribe.wait_for(2);
}

// === groups

/// A write of one who does not wait for it.
fn a_write() -> Write {
    Write::Touch(
        Vec::new(),
        SystemTime::now(),
        tokio::sync::oneshot::channel().0,
    )
}

#[test]
fn a_write_waits_for_company_as_long_as_somebody_is_at_work() {
    // So long that a test which has to wait for it does not end.
    let queue = Queue::new(Duration::MAX / 4);
    let taken = || queue.next().map_or(0, |batch| batch.writes.len());
    queue.push(a_write());
    assert_eq!(taken(), 1, "nobody is at work");
    queue.at_work();
    queue.at_work();
    std::thread::scope(|scope| {
        let writer = scope.spawn(taken);
        queue.push(a_write());
        queue.at_rest();
        queue.push(a_write());
        queue.push(a_write());
        queue.at_rest();
        assert_eq!(writer.join().unwrap(), 3, "all have come to rest");
    });
    queue.at_work();
    (0..ENOUGH).for_each(|_| queue.push(a_write()));
    assert_eq!(taken(), ENOUGH, "they are enough");
    queue.push(a_write());
    queue.close();
    assert_eq!(taken(), 1, "it is the end");
    assert_eq!(taken(), 0);
}

#[test]
fn a_write_does_not_wait_for_ever() {
    let gathering = Duration::from_millis(5);
    let queue = Queue::new(gathering);
    queue.at_work();
    queue.push(a_write());
    let began = Instant::now();
    assert!(queue.next().is_some());
    assert!(began.elapsed() >= gathering);
}

#[test]
fn an_event_loop_is_at_work_while_it_has_something_to_do() {
    let folder = Folder::new();
    let store = folder.open();
    let at_work = Arc::clone(&store.queue);
    let event_loop = EventLoop::new(store.workers()).unwrap();
    assert_eq!(at_work.count_at_work(), 1);
    let of_loop = Arc::clone(&at_work);
    let ran = event_loop.run(async move {
        assert_eq!(of_loop.count_at_work(), 1);
        // Somebody else sees that it waits, and wakes it.
        let (seen, rested) = tokio::sync::oneshot::channel();
        let watched = Arc::clone(&of_loop);
        std::thread::spawn(move || {
            while watched.count_at_work() > 0 {
                std::thread::yield_now();
            }
            seen.send(()).unwrap();
        });
        rested.await.unwrap();
        assert_eq!(of_loop.count_at_work(), 1);
        Ok(())
    });
    ran.unwrap();
    assert_eq!(at_work.count_at_work(), 0, "it has ended");
}

// === what goes by the journal first

/// Rows of a table.
fn rows(folder: &Folder, table: &str) -> usize {
    let connection = Connection::open(folder.file()).unwrap();
    let count = format!("SELECT count(*) FROM {table}");
    connection
        .query_row(&count, [], |row| row.get::<_, i64>(0))
        .map(|count| usize::try_from(count).unwrap())
        .unwrap()
}

/// A store with a session of three entries, and so many that were deleted and have rows.
fn with_ended(folder: &Folder, ended: usize) -> (SqliteStore, SessionId) {
    let store = folder.open();
    let kept = filled(&store, 1, 3)[0];
    for _ in 0..ended.div_ceil(500) {
        let ids = created_at_once(&store, 500);
        let deleted: Vec<_> = ids.iter().map(|id| store.delete(*id)).collect();
        deleted.into_iter().for_each(|commit| done(commit).unwrap());
    }
    (store, kept)
}

#[test]
fn a_deleted_session_is_gone_at_once_and_its_rows_in_time() {
    let folder = Folder::new();
    let (store, kept) = with_ended(&folder, ENDED_MAX + 1000);
    let scribe = Scribe::new(&store, kept);
    (3..40).for_each(|number| scribe.append(number, entry(0)).unwrap());
    let crashed = folder.crashed();
    let check = |folder: &Folder, store: &SqliteStore, entries| {
        let later = SystemTime::now() + Duration::from_secs(9);
        let listed = store.list(u64::MAX, 10).unwrap();
        let ids: Vec<_> = listed.iter().map(|listed| listed.id).collect();
        assert_eq!((ids, store.count()), (vec![kept], 1));
        assert_eq!(store.left_alone(later, later, 10), Ok(vec![kept]));
        assert_eq!(store.load(kept).unwrap().log.len(), entries);
        let (sessions, standings) = (rows(folder, "session"), rows(folder, "standing"));
        assert_eq!(sessions, standings);
        assert!((2..=ENDED_MAX + 1).contains(&sessions), "{sessions}");
    };
    check(&folder, &store, 40);
    let newest = store.newest(u64::MAX);
    drop(store);
    for folder in [crashed, folder] {
        let store = folder.open();
        check(&folder, &store, 40);
        // No serial comes again while there are traces of it.
        assert_eq!(store.newest(u64::MAX), newest);
        let before = rows(&folder, "session");
        let ids = created_at_once(&store, 300);
        ids.iter().for_each(|id| done(store.delete(*id)).unwrap());
        assert!(rows(&folder, "session") < before + ENDED_AT_ONCE);
        check(&folder, &store, 40);
    }
}

#[test]
fn one_whose_rows_are_still_there_does_not_stand_for_another_with_its_id() {
    let folder = Folder::new();
    let (id, first) = (SessionId::new(), header(&folder.open()));
    for serial in [1 << 50, 7, 1 << 40, 3] {
        let store = folder.open();
        let header = Header {
            serial,
            ..first.clone()
        };
        done(store.create(id, header.clone())).unwrap();
        Scribe::new(&store, id).append(0, entry(0)).unwrap();
        drop(store);
        let store = folder.open();
        let stored = store.load(id).unwrap();
        assert_eq!((stored.header, stored.log.len()), (header, 1));
        let listed = store.list(u64::MAX, 10).unwrap();
        assert_eq!((listed.len(), listed[0].serial), (1, serial));
        done(store.delete(id)).unwrap();
        assert_eq!(store.list(u64::MAX, 10), Ok(vec![]));
    }
    assert_eq!(folder.open().count(), 0);
    assert_eq!(rows(&folder, "session"), 4);
}

#[test]
fn how_a_session_stands_is_known_before_its_row_says_so() {
    let folder = Folder::new();
    let store = folder.open();
    let stands = [
        (SessionStatus::Running, true),
        (SessionStatus::Finished, false),
        (SessionStatus::Waiting, false),
    ];
    let ids = stands.map(|(status, wakes)| {
        let id = created(&store);
        let standing = Standing { status, wakes };
        let scribe = Scribe::new(&store, id);
        scribe.append_as(0, entry(0), standing).unwrap();
        // As before: its line says nothing of it.
        scribe.append_as(1, entry(1), standing).unwrap();
        id
    });
    let crashed = folder.crashed();
    drop(store);
    for folder in [crashed, folder] {
        let store = folder.open();
        let listed = store.list(u64::MAX, 10).unwrap();
        let standings = listed.iter().rev().map(|listed| listed.standing);
        let stood = standings.map(|Standing { status, wakes }| (status, wakes));
        assert!(stood.eq(stands), "{listed:?}");
        assert_eq!(store.wakeful(), Ok(vec![ids[0]]));
        let now = SystemTime::now();
        let hour = Duration::from_secs(3600);
        let finished = store.left_alone(now + hour, now - hour, 10);
        assert_eq!(finished, Ok(vec![ids[1]]));
    }
}

#[test]
fn a_file_of_the_server_before_is_brought_up_to_date() {
    let folder = Folder::new();
    let store = folder.open();
    let ids = filled(&store, 2, 5);
    let before = load_all(&store, &ids);
    drop(store);
    let older = Connection::open(folder.file()).unwrap();
    older
        .execute_batch(
            "CREATE INDEX standing_wakes ON standing (serial) WHERE wakes; PRAGMA user_version = 2",
        )
        .unwrap();
    drop(older);
    let store = folder.open();
    assert_eq!(load_all(&store, &ids), before);
    let indexes = "sqlite_schema WHERE name = 'standing_wakes'";
    assert_eq!(rows(&folder, indexes), 0);
}

#[test]
fn a_first_entry_that_fails_again_and_again_moves_on_once() {
    let (id, mut directory) = (SessionId::new(), Directory::default());
    directory.create(id, Place::new(1, 0, Standing::NEW));
    directory.commit();
    for _ in 0..3 {
        directory.append(id, 0, entry(0), Standing::NEW, 7).unwrap();
        directory.undo();
    }
    assert_eq!((directory.oldest_row(), directory.unsettled), (None, 0));
    directory.append(id, 0, entry(0), Standing::NEW, 7).unwrap();
    directory.commit();
    assert_eq!((directory.oldest_row(), directory.unsettled), (Some(7), 1));
    assert!(directory.settle_oldest().is_some());
    assert!(directory.settle_oldest().is_none());
    directory.commit();
    assert_eq!((directory.oldest_row(), directory.unsettled), (None, 0));
    assert_eq!(directory.get(id).unwrap().length(), 1);
}

#[test]
fn the_session_that_was_deleted_first_can_be_erased_whatever_its_serial() {
    let mut directory = Directory::default();
    for (row, serial) in (3..).zip([1 << 62, 5, 4, 6]) {
        let id = SessionId::new();
        directory.create(id, Place::new(serial, 0, Standing::NEW));
        directory.delete(id, row);
    }
    directory.commit();
    assert_eq!(directory.oldest_row(), Some(3));
    assert_eq!(directory.oldest_end(), Some((3, 1 << 62)));
    assert_eq!(directory.erase(1 << 62, 2), [1 << 62]);
    assert_eq!(directory.oldest_end(), Some((4, 5)));
    directory.undo();
    assert_eq!(directory.oldest_end(), Some((3, 1 << 62)));
    assert_eq!(directory.erase(0, 2), [4, 5]);
    directory.commit();
    assert_eq!(directory.ended(), 2);
}

#[test]
fn a_failure_while_rows_are_erased_leaves_all_or_nothing() {
    let full = Folder::new();
    let (store, kept) = with_ended(&full, ENDED_MAX);
    drop(store);
    let mut failed = 0;
    for fails_at in (0..).step_by(997) {
        let folder = full.crashed();
        let steps = Arc::new(AtomicUsize::new(usize::MAX));
        let store = opened_to_fail(&folder, &steps);
        let scribe = Scribe::new(&store, kept);
        // One of these commits also erases, as there are too many now.
        let (mut entries, mut hit) = (3, false);
        let ids = created_at_once(&store, ENDED_AT_ONCE as u64);
        for id in ids {
            steps.store(fails_at, Ordering::SeqCst);
            let outcome = done(store.delete(id));
            hit |= steps.swap(usize::MAX, Ordering::SeqCst) == usize::MAX;
            assert_eq!(store.load(id).is_err(), outcome.is_ok());
            failed += usize::from(outcome.is_err());
            if outcome.is_err() {
                done(store.delete(id)).unwrap();
            }
            scribe.append(entries, entry(0)).unwrap();
            entries += 1;
        }
        for store in [folder.crashed().open(), store] {
            assert_eq!(store.count(), 1);
            assert_eq!(store.load(kept).unwrap().log.len() as u64, entries);
        }
        if !hit {
            break;
        }
    }
    println!("{failed} failed");
    assert!(failed > 3, "{failed}");
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

/// A store whose writer fails once, after so many steps; never while there are `usize::MAX` to go.
fn opened_to_fail(folder: &Folder, steps: &Arc<AtomicUsize>) -> SqliteStore {
    let counted = Arc::clone(steps);
    let opened = SqliteStore::open_with(&folder.0, Arc::default(), move |connection| {
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
    });
    opened.unwrap()
}

#[test]
fn a_failure_at_any_step_of_a_write_leaves_all_or_nothing() {
    let (mut runs, mut failed) = (0, 0);
    for fails_at in 1.. {
        let folder = Folder::new();
        let steps = Arc::new(AtomicUsize::new(usize::MAX));
        let store = opened_to_fail(&folder, &steps);
        let kept = filled(&store, 1, 5)[0];
        let gone = created(&store);
        let (new, header) = (SessionId::new(), header(&store));
        let scribe = Scribe::new(&store, kept);
        let over = Standing {
            status: SessionStatus::Finished,
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
