//! What every store must do, whatever its medium: one suite, called by the tests of each.

use std::{
    collections::HashSet,
    sync::{Arc, Weak},
    thread,
    time::{Duration, SystemTime},
};

use parking_lot::{Condvar, Mutex};
use tavola_engine::{ActionId, Entry, Seat, Seed};

use super::{
    Append, Commit, Header, Holder, Listed, Listener, Log, LogEntry, Opening, Ply, SessionId,
    Standing, Store, StoreError,
};
use crate::{
    clock::{Clock, OnExpiry, Pace},
    fair_dice::Nonce,
    house_bot::HouseBot,
    pb::v1 as pb,
    request_id::RequestMark,
    token::Token,
};

/// Holds a fresh, empty store to the contract of [`Store`].
pub(super) fn check(store: Arc<dyn Store>) {
    assert_eq!((store.count(), store.newest(u64::MAX)), (0, 0));
    keeps_what_it_was_given(&*store);
    appends_at_the_expected_place_only(&*store);
    forgets_what_it_was_told_to(&*store);
    lets_an_id_come_again(&*store);
    lets_one_of_many_writers_win(&store);
    commits_many_that_wait_in_order(&*store);
    lists_the_newest_first(&*store);
    knows_how_sessions_stand(&*store);
    knows_when_sessions_were_in_use(&*store);
    has_a_secret_and_says_that_it_writes(&*store);
}

pub(super) fn done(commit: Commit) -> Result<(), StoreError> {
    match commit {
        Commit::Done(result) => result,
        Commit::Pending(receiver) => receiver.blocking_recv().unwrap(),
    }
}

/// One who writes to a log and waits for what becomes of it.
#[derive(Debug)]
pub(super) struct Scribe {
    log: Box<dyn Log>,
    ear: Arc<Ear>,
}

#[derive(Debug, Default)]
struct Ear {
    heard: Mutex<Vec<Result<u64, StoreError>>>,
    news: Condvar,
}

impl Listener for Ear {
    fn committed(self: Arc<Self>, length: u64) {
        self.heard.lock().push(Ok(length));
        self.news.notify_all();
    }

    fn failed(self: Arc<Self>, error: StoreError) {
        self.heard.lock().push(Err(error));
        self.news.notify_all();
    }
}

impl Scribe {
    /// Appends, and leaves the answer for later.
    pub(super) fn send(&self, expected: u64, entry: LogEntry) {
        let appended = self.log.append(expected, entry, Standing::NEW);
        if let Append::Done(done) = appended {
            self.ear.heard.lock().push(done.map(|()| expected + 1));
        }
    }

    /// Waits until so many are committed that were sent.
    pub(super) fn wait_for(&self, entries: usize) {
        let mut heard = self.ear.heard.lock();
        while heard.len() < entries {
            self.ear.news.wait(&mut heard);
        }
        let lengths = (1..=entries as u64).map(Ok);
        assert!(
            heard.drain(..).eq(lengths),
            "in order, and none of them failed"
        );
    }

    pub(super) fn new(store: &dyn Store, id: SessionId) -> Self {
        let ear = Arc::new(Ear::default());
        let listener: Weak<Ear> = Arc::downgrade(&ear);
        Self {
            log: store.log(id, listener),
            ear,
        }
    }

    /// Appends and waits for one answer, which is for this entry if nobody else writes here.
    pub(super) fn append(&self, expected: u64, entry: LogEntry) -> Result<(), StoreError> {
        self.append_as(expected, entry, Standing::NEW)
    }

    pub(super) fn append_as(
        &self,
        expected: u64,
        entry: LogEntry,
        standing: Standing,
    ) -> Result<(), StoreError> {
        match self.log.append(expected, entry, standing) {
            Append::Done(done) => done,
            Append::Pending => {
                let mut heard = self.ear.heard.lock();
                while heard.is_empty() {
                    self.ear.news.wait(&mut heard);
                }
                let length = heard.remove(0)?;
                assert_eq!(length, expected + 1);
                Ok(())
            }
        }
    }
}

pub(super) fn header(store: &dyn Store) -> Header {
    let opening = Opening {
        rules_version: 7,
        options: pb::Options::default(),
        seats: 3,
        seed: Seed::from_number(u64::MAX),
        reseeds: Vec::new(),
        entries: Vec::new(),
    };
    Header {
        serial: store.newest(u64::MAX) + 1,
        game: "a game".to_owned(),
        opening,
        seed_given: true,
        nonce: Nonce::new(),
        clock: Some(Clock {
            pace: Pace::Bank {
                bank: Duration::from_millis(604_800_000),
                increment: Duration::from_millis(1),
            },
            on_expiry: OnExpiry::HouseBot,
        }),
        host: Token::new().hash(),
        join: Some(Token::new().hash()),
        request: Some(mark(7)),
        create_time: SystemTime::now(),
        fork: None,
    }
}

/// A new session in the store.
pub(super) fn created(store: &dyn Store) -> SessionId {
    let id = SessionId::new();
    done(store.create(id, header(store))).unwrap();
    id
}

fn mark(number: u64) -> RequestMark {
    RequestMark {
        id: number,
        content: !number,
    }
}

pub(super) fn entry(number: u32) -> LogEntry {
    LogEntry::Ply(Ply::now(
        Entry::Action(Seat(1), ActionId(number)),
        Duration::ZERO,
    ))
}

fn keeps_what_it_was_given(store: &dyn Store) {
    let (id, header) = (SessionId::new(), header(store));
    done(store.create(id, header.clone())).unwrap();
    let log = vec![
        LogEntry::Taken(Seat(2), Holder::Player(Token::new().hash()), Some(mark(1))),
        LogEntry::Left(Seat(2)),
        LogEntry::Taken(Seat(0), Holder::Bot(HouseBot::Greedy), Some(mark(u64::MAX))),
        LogEntry::Taken(Seat(2), Holder::Player(Token::new().hash()), None),
        entry(u32::MAX),
        LogEntry::HandedOver(Seat(3), Duration::from_millis(1)),
        LogEntry::Ply(Ply {
            elapsed: Duration::from_millis(604_800_000),
            out_of_time: true,
            ..Ply::now(Entry::Resign(Seat(7)), Duration::ZERO)
        }),
    ];
    let scribe = Scribe::new(store, id);
    for (expected, entry) in (0..).zip(&log) {
        scribe.append(expected, *entry).unwrap();
    }
    let kept = store.load(id).unwrap();
    assert_eq!((&kept.header, kept.log), (&header, log));
    let again = done(store.create(id, header));
    assert!(
        matches!(again, Err(StoreError::Conflict { .. })),
        "a session is created once"
    );
}

fn appends_at_the_expected_place_only(store: &dyn Store) {
    let id = SessionId::new();
    let nothing = Scribe::new(store, id).append(0, entry(0));
    assert_eq!(nothing, Err(StoreError::NotFound));
    done(store.create(id, header(store))).unwrap();
    let scribe = Scribe::new(store, id);
    scribe.append(0, entry(0)).unwrap();
    for expected in [0, 2, u64::MAX] {
        let refused = scribe.append(expected, entry(1));
        let actual = 1;
        assert_eq!(refused, Err(StoreError::Conflict { expected, actual }));
    }
    assert_eq!(store.load(id).unwrap().log.len(), 1);
}

fn forgets_what_it_was_told_to(store: &dyn Store) {
    let (kept, forgotten) = (created(store), created(store));
    let count = store.count();
    let scribe = Scribe::new(store, forgotten);
    scribe.append(0, entry(0)).unwrap();
    done(store.delete(forgotten)).unwrap();
    assert_eq!(done(store.delete(forgotten)), Err(StoreError::NotFound));
    assert_eq!(store.load(forgotten).map(drop), Err(StoreError::NotFound));
    assert_eq!(scribe.append(1, entry(0)), Err(StoreError::NotFound));
    assert_eq!(store.count(), count - 1);
    assert!(store.serial(kept).is_some());
    assert_eq!(store.serial(forgotten), None);
    let listed = store.list(u64::MAX, usize::MAX >> 1).unwrap();
    let ids: HashSet<_> = listed.into_iter().map(|listed| listed.id).collect();
    assert!(ids.contains(&kept) && !ids.contains(&forgotten));
}

fn lets_an_id_come_again(store: &dyn Store) {
    let id = created(store);
    Scribe::new(store, id).append(0, entry(0)).unwrap();
    done(store.delete(id)).unwrap();
    let mut again = header(store);
    // No serial comes again.
    again.serial += 1;
    done(store.create(id, again.clone())).unwrap();
    let kept = store.load(id).unwrap();
    assert_eq!((&kept.header, kept.log), (&again, Vec::new()));
    let first = entry(1);
    Scribe::new(store, id).append(0, first).unwrap();
    assert_eq!(store.load(id).unwrap().log, [first]);
}

fn has_a_secret_and_says_that_it_writes(store: &dyn Store) {
    let secret = store.secret().unwrap();
    assert_ne!(secret.bits(), &[0; 32]);
    assert_eq!(secret.bits(), store.secret().unwrap().bits());
    assert_eq!(done(store.check()), Ok(()));
}

fn lets_one_of_many_writers_win(store: &Arc<dyn Store>) {
    const WRITERS: u32 = 8;
    const ENTRIES: u64 = 50;
    let id = created(&**store);
    let write = |writer: u32| {
        let scribe = Scribe::new(&**store, id);
        let append = move |at| scribe.append(at, entry(writer)).is_ok();
        thread::spawn(move || (0..ENTRIES).filter(|at| append(*at)).count())
    };
    let writers: Vec<_> = (0..WRITERS).map(write).collect();
    let won: usize = writers
        .into_iter()
        .map(|writer| writer.join().unwrap())
        .sum();
    assert_eq!(
        won,
        store.load(id).unwrap().log.len(),
        "what was acknowledged is there, once"
    );
}

fn commits_many_that_wait_in_order(store: &dyn Store) {
    const ENTRIES: u32 = 300;
    let scribes: Vec<_> = (0..3).map(|_| created(store)).collect();
    let scribes: Vec<_> = scribes
        .into_iter()
        .map(|id| (id, Scribe::new(store, id)))
        .collect();
    let entries: Vec<_> = (0..ENTRIES).map(entry).collect();
    for (expected, entry) in (0..).zip(&entries) {
        scribes
            .iter()
            .for_each(|(_, scribe)| scribe.send(expected, *entry));
    }
    for (id, scribe) in scribes {
        scribe.wait_for(entries.len());
        assert_eq!(store.load(id).unwrap().log, entries);
    }
}

fn lists_the_newest_first(store: &dyn Store) {
    let first = store.newest(u64::MAX) + 1;
    let ids: Vec<_> = (0..5).map(|_| created(store)).collect();
    assert_eq!(store.newest(u64::MAX), first + 4);
    let serials = |listed: Vec<Listed>| -> Vec<u64> {
        listed.into_iter().map(|listed| listed.serial).collect()
    };
    let newest = store.list(u64::MAX, 2).unwrap();
    assert_eq!((newest[0].id, newest[1].id), (ids[4], ids[3]));
    assert_eq!(newest[0].game, "a game");
    assert_eq!(newest[0].standing, Standing::NEW);
    assert_eq!(serials(newest), [first + 4, first + 3]);
    let next = store.list(first + 3, 2).unwrap();
    assert_eq!(serials(next), [first + 2, first + 1]);
    let all = serials(store.list(u64::MAX, 100).unwrap());
    assert!(all.is_sorted_by(|one, next| one > next), "{all:?}");
    assert_eq!(all.len(), store.count().min(100));
    assert_eq!(store.list(0, 100).unwrap(), []);
}

fn knows_how_sessions_stand(store: &dyn Store) {
    let id = created(store);
    let scribe = Scribe::new(store, id);
    let stands = [
        (pb::SessionStatus::Waiting, false),
        (pb::SessionStatus::Running, true),
        (pb::SessionStatus::Running, true),
        (pb::SessionStatus::Running, false),
        (pb::SessionStatus::Finished, false),
    ];
    for (expected, (status, wakes)) in (0..).zip(stands) {
        let standing = Standing { status, wakes };
        scribe.append_as(expected, entry(0), standing).unwrap();
        assert_eq!(store.list(u64::MAX, 1).unwrap()[0].standing, standing);
        let wakeful = if wakes { vec![id] } else { vec![] };
        assert_eq!(store.wakeful(), Ok(wakeful));
    }
    let refused = Standing {
        status: pb::SessionStatus::Running,
        wakes: true,
    };
    scribe.append_as(0, entry(0), refused).unwrap_err();
    assert_eq!(
        store.wakeful(),
        Ok(vec![]),
        "what is refused changes nothing"
    );
}

fn knows_when_sessions_were_in_use(store: &dyn Store) {
    let (now, hour) = (SystemTime::now(), Duration::from_secs(3600));
    let (running, finished) = (created(store), created(store));
    let over = Standing {
        status: pb::SessionStatus::Finished,
        wakes: false,
    };
    let scribe = Scribe::new(store, finished);
    scribe.append_as(0, entry(0), over).unwrap();
    let left_alone = |finished, others| -> HashSet<SessionId> {
        let ids = store.left_alone(finished, others, 1000).unwrap();
        ids.into_iter().collect()
    };
    assert_eq!(left_alone(now - hour, now - hour), HashSet::new());
    let all = left_alone(now + hour, now + hour);
    assert_eq!(all.len(), store.count());
    assert!(left_alone(now + hour, now - hour).contains(&finished));
    assert!(!left_alone(now - hour, now + hour).contains(&finished));
    assert!(left_alone(now - hour, now + hour).contains(&running));
    let both = vec![running, SessionId::new(), finished];
    done(store.touch(both, now + 2 * hour)).unwrap();
    assert_eq!(left_alone(now + hour, now + hour).len(), all.len() - 2);
    done(store.touch(vec![running], now - 9 * hour)).unwrap();
    let first = store.left_alone(now - hour, now - hour, 1);
    assert_eq!(first, Ok(vec![running]));
}
