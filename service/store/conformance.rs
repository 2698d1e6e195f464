//! What every store must do, whatever its medium: one suite, called by the tests of each.

use std::{
    collections::HashSet,
    sync::Arc,
    thread,
    time::{Duration, SystemTime},
};

use tavola_engine::{ActionId, Entry, Seat, Seed};

use super::{Commit, Header, Holder, LogEntry, Opening, Ply, SessionId, Store, StoreError, Stored};
use crate::{
    clock::{Clock, OnExpiry, Pace},
    fair_dice::Nonce,
    house_bot::HouseBot,
    pb::v1 as pb,
    token::Token,
};

/// Holds a fresh, empty store to the contract of [`Store`].
pub(super) fn check(store: Arc<dyn Store>) {
    keeps_what_it_was_given(&*store);
    appends_at_the_expected_place_only(&*store);
    forgets_what_it_was_told_to(&*store);
    lets_one_of_many_writers_win(&store);
}

fn done(commit: Commit) -> Result<(), StoreError> {
    match commit {
        Commit::Done(result) => result,
        Commit::Pending(receiver) => receiver.blocking_recv().unwrap(),
    }
}

fn header() -> Header {
    let opening = Opening {
        rules_version: 7,
        options: pb::Options::default(),
        seats: 3,
        seed: Seed::from_number(u64::MAX),
        entries: Vec::new(),
    };
    let (game, host) = ("a game".to_owned(), Token::new().hash());
    Header {
        game,
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
        host,
        create_time: SystemTime::now(),
    }
}

fn entry(number: u32) -> LogEntry {
    LogEntry::Ply(Ply::now(
        Entry::Action(Seat(1), ActionId(number)),
        Duration::ZERO,
    ))
}

fn keeps_what_it_was_given(store: &dyn Store) {
    let (id, header) = (SessionId::new(), header());
    done(store.create(id, header.clone())).unwrap();
    let log = [
        LogEntry::Taken(Seat(2), Holder::Player(Token::new().hash())),
        LogEntry::Left(Seat(2)),
        LogEntry::Taken(Seat(0), Holder::Bot(HouseBot::Greedy)),
        entry(u32::MAX),
        LogEntry::HandedOver(Seat(3), Duration::from_millis(1)),
        LogEntry::Ply(Ply {
            elapsed: Duration::from_millis(604_800_000),
            out_of_time: true,
            ..Ply::now(Entry::Resign(Seat(7)), Duration::ZERO)
        }),
    ];
    for (expected, entry) in (0..).zip(log) {
        done(store.append(id, expected, entry)).unwrap();
    }
    let Stored {
        header: kept,
        log: kept_log,
    } = store.load(id).unwrap();
    assert_eq!(kept_log, log);
    assert_eq!(kept.game, header.game);
    assert_eq!(kept.opening, header.opening);
    assert_eq!(
        (kept.seed_given, kept.host, kept.create_time),
        (header.seed_given, header.host, header.create_time)
    );
    assert_eq!((kept.nonce, kept.clock), (header.nonce, header.clock));
    let again = done(store.create(id, header));
    assert!(
        matches!(again, Err(StoreError::Conflict { .. })),
        "a session is created once"
    );
}

fn appends_at_the_expected_place_only(store: &dyn Store) {
    let id = SessionId::new();
    assert_eq!(
        done(store.append(id, 0, entry(0))),
        Err(StoreError::NotFound)
    );
    done(store.create(id, header())).unwrap();
    done(store.append(id, 0, entry(0))).unwrap();
    for expected in [0, 2, u64::MAX] {
        let refused = done(store.append(id, expected, entry(1)));
        assert_eq!(
            refused,
            Err(StoreError::Conflict {
                expected,
                actual: 1
            })
        );
    }
    assert_eq!(store.load(id).unwrap().log.len(), 1);
}

fn forgets_what_it_was_told_to(store: &dyn Store) {
    let (kept, forgotten) = (SessionId::new(), SessionId::new());
    for id in [kept, forgotten] {
        done(store.create(id, header())).unwrap();
    }
    done(store.delete(forgotten)).unwrap();
    assert_eq!(done(store.delete(forgotten)), Err(StoreError::NotFound));
    assert_eq!(store.load(forgotten).map(drop), Err(StoreError::NotFound));
    assert_eq!(
        done(store.append(forgotten, 0, entry(0))),
        Err(StoreError::NotFound)
    );
    let ids: HashSet<_> = store.list().unwrap().into_iter().collect();
    assert!(ids.contains(&kept) && !ids.contains(&forgotten));
}

fn lets_one_of_many_writers_win(store: &Arc<dyn Store>) {
    const WRITERS: u32 = 8;
    const ENTRIES: u64 = 50;
    let id = SessionId::new();
    done(store.create(id, header())).unwrap();
    let write = |writer: u32| {
        let store = Arc::clone(store);
        let append = move |at| done(store.append(id, at, entry(writer))).is_ok();
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
