//! Where each session is: held in memory, about a hundred bytes for each, so that to write takes no look at the disk
//! and to look for what is not there takes none either. Also holds the entries that are in no chunk yet.
//!
//! A change is made here while its transaction is under way, and then committed or undone. Readers see what is
//! committed.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    hash::BuildHasherDefault,
    mem,
};

use crate::store::{IdHasher, LogEntry, SessionId, Standing, StoreError, stored};

/// A session in the file.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) serial: u64,
    /// Entries in chunks.
    pub(super) settled: u64,
    pub(super) standing: Standing,
    /// How it stood before the transaction under way.
    pub(super) stood: Standing,
    /// Entries in the journal that are in no chunk.
    pub(super) tail: Option<Box<Tail>>,
    /// Whether the transaction under way deletes it.
    deleted: bool,
}

/// Entries of a session, in their stored form, one after the other.
#[derive(Debug, Default)]
pub(super) struct Tail {
    /// The first row of the journal that has one of them.
    row: u64,
    pub(super) entries: u64,
    pub(super) bytes: Vec<u8>,
    /// How much of it was there before the transaction under way.
    committed: (u64, usize),
}

impl Tail {
    /// The committed entries in their stored form.
    pub(super) fn committed(&self) -> &[u8] {
        let (_, bytes) = self.committed;
        self.bytes.get(..bytes).unwrap_or(&self.bytes)
    }
}

impl Place {
    pub(super) fn new(serial: u64, settled: u64, standing: Standing) -> Self {
        Self {
            serial,
            settled,
            standing,
            stood: standing,
            tail: None,
            deleted: false,
        }
    }

    /// Entries of its log, those of the transaction under way included.
    pub(super) fn length(&self) -> u64 {
        self.settled + self.tail.as_ref().map_or(0, |tail| tail.entries)
    }
}

/// A session to whose log something was appended.
#[derive(Debug)]
pub(super) struct Grown<'a> {
    pub(super) place: &'a Place,
    /// What was, in its stored form.
    pub(super) entry: &'a [u8],
    /// How it stands, if otherwise than before.
    pub(super) restood: Option<Standing>,
}

/// All sessions.
#[derive(Debug, Default)]
pub(super) struct Directory {
    sessions: HashMap<SessionId, Place, BuildHasherDefault<IdHasher>>,
    /// Sessions with a tail in the order in which the tails began, with the row in which. Those whose tail has been
    /// settled or deleted meanwhile stay until it is their turn.
    tails: VecDeque<(SessionId, u64)>,
    /// Sessions that are deleted but not yet erased from the file, by their serials: with the row of the journal that
    /// says so.
    ended: BTreeMap<u64, u64>,
    /// Sessions that stand otherwise than the file says outside the journal, by their serials.
    restood: BTreeMap<u64, SessionId>,
    /// Entries in all tails.
    pub(super) unsettled: u64,
    /// What the transaction under way has done, so that it can be undone.
    done: Vec<Done>,
}

#[derive(Debug)]
enum Done {
    Created(SessionId),
    Deleted(SessionId),
    /// Those of these serials, each with the row of the journal that says that it is deleted.
    Erased(Vec<(u64, u64)>),
    Appended(SessionId),
    Restood(SessionId, Standing),
    /// With the row in which its tail began, and the entries that it had.
    Settled(SessionId, u64, u64),
}

impl Directory {
    pub(super) fn len(&self) -> usize {
        self.sessions.len()
    }

    /// The serials of all sessions, and of those that are deleted but not yet erased.
    pub(super) fn serials(&self) -> impl Iterator<Item = u64> {
        let of_ended = self.ended.keys().copied();
        let of_sessions = self.sessions.values().map(|place| place.serial);
        of_sessions.chain(of_ended)
    }

    /// A session that is there, for whoever writes.
    pub(super) fn get(&self, id: SessionId) -> Option<&Place> {
        self.sessions.get(&id).filter(|place| !place.deleted)
    }

    /// A session that was there before the transaction under way, for whoever reads.
    pub(super) fn committed(&self, id: SessionId) -> Option<&Place> {
        self.sessions.get(&id)
    }

    /// As [`Directory::committed`], if the session has this serial: its id may have been that of another one.
    pub(super) fn of_serial(&self, id: SessionId, serial: u64) -> Option<&Place> {
        self.committed(id).filter(|place| place.serial == serial)
    }

    /// The sessions that wake, in the order of their serials.
    pub(super) fn wakeful(&self) -> Vec<SessionId> {
        let wakeful = self.sessions.iter().filter(|(_, place)| place.stood.wakes);
        let mut wakeful: Vec<_> = wakeful.map(|(id, place)| (place.serial, *id)).collect();
        wakeful.sort_unstable_by_key(|(serial, _)| *serial);
        wakeful.into_iter().map(|(_, id)| id).collect()
    }

    pub(super) fn create(&mut self, id: SessionId, place: Place) {
        self.sessions.insert(id, place);
        self.done.push(Done::Created(id));
    }

    /// Deletes a session, as row `row` of the journal says. It is still to be erased.
    pub(super) fn delete(&mut self, id: SessionId, row: u64) {
        if let Some(place) = self.sessions.get_mut(&id) {
            place.deleted = true;
            self.ended.insert(place.serial, row);
            self.done.push(Done::Deleted(id));
        }
    }

    /// A session was deleted before the store was opened, as row `row` of the journal says.
    pub(super) fn was_deleted(&mut self, serial: u64, row: u64) {
        self.ended.insert(serial, row);
    }

    /// How many sessions are deleted but not yet erased.
    pub(super) fn ended(&self) -> usize {
        self.ended.len()
    }

    /// Takes so many of the deleted sessions for erased, from this serial on: their serials. They are next to each other
    /// in the file.
    pub(super) fn erase(&mut self, from: u64, max: usize) -> Vec<u64> {
        let ended = self.ended.range(from..).take(max);
        let first: Vec<_> = ended.map(|(serial, row)| (*serial, *row)).collect();
        let serials = first.iter().map(|(serial, _)| *serial).collect();
        for (serial, _) in &first {
            self.ended.remove(serial);
        }
        self.done.push(Done::Erased(first));
        serials
    }

    /// Appends to the log of a session that has `expected` entries, what is in row `row` of the journal; the session
    /// then stands like this.
    pub(super) fn append(
        &mut self,
        id: SessionId,
        expected: u64,
        entry: LogEntry,
        standing: Standing,
        row: u64,
    ) -> Result<Grown<'_>, StoreError> {
        self.append_with(id, expected, Some(standing), row, |bytes| {
            stored::append_entry(entry, bytes);
        })
    }

    /// Appends an entry in its stored form, as it is found in row `row` of the journal.
    pub(super) fn append_stored(
        &mut self,
        id: SessionId,
        expected: u64,
        entry: &[u8],
        standing: Option<Standing>,
        row: u64,
    ) -> Result<(), StoreError> {
        self.append_with(id, expected, standing, row, |bytes| {
            bytes.extend_from_slice(entry);
        })?;
        Ok(())
    }

    fn append_with(
        &mut self,
        id: SessionId,
        expected: u64,
        standing: Option<Standing>,
        row: u64,
        write: impl FnOnce(&mut Vec<u8>),
    ) -> Result<Grown<'_>, StoreError> {
        let place = self
            .sessions
            .get_mut(&id)
            .filter(|place| !place.deleted)
            .ok_or(StoreError::NotFound)?;
        let actual = place.length();
        if actual != expected {
            return Err(StoreError::Conflict { expected, actual });
        }
        let tail = place.tail.get_or_insert_with(|| {
            self.tails.push_back((id, row));
            Box::new(Tail {
                row,
                ..Tail::default()
            })
        });
        let before = tail.bytes.len();
        if before == tail.committed.1 {
            self.done.push(Done::Appended(id));
        }
        write(&mut tail.bytes);
        tail.entries += 1;
        self.unsettled += 1;
        let restood = standing.filter(|standing| *standing != place.standing);
        if let Some(standing) = restood {
            let before = mem::replace(&mut place.standing, standing);
            self.done.push(Done::Restood(id, before));
        }
        let place: &Place = place;
        let tail = place.tail.as_ref();
        let entry = tail.and_then(|tail| tail.bytes.get(before..));
        Ok(Grown {
            place,
            entry: entry.unwrap_or_default(),
            restood,
        })
    }

    /// Takes the session whose tail is oldest for settled: its place, to be written to the file.
    pub(super) fn settle_oldest(&mut self) -> Option<&Place> {
        loop {
            let (id, row) = self.tails.pop_front()?;
            let place = self.sessions.get(&id).filter(|place| !place.deleted);
            let tail = place.and_then(|place| place.tail.as_ref());
            let entries = match tail {
                Some(tail) if tail.row == row => tail.entries,
                Some(_) | None => 0,
            };
            self.done.push(Done::Settled(id, row, entries));
            if entries > 0 {
                // It stays until it is committed where it goes.
                self.unsettled -= entries;
                return self.sessions.get(&id);
            }
        }
    }

    /// The first row of the journal that is still needed, if one is.
    pub(super) fn oldest_row(&self) -> Option<u64> {
        let oldest_end = self.oldest_end().map(|(row, _)| row);
        self.oldest_tail().into_iter().chain(oldest_end).min()
    }

    /// The first row of the journal that says of a session that it is deleted which is not yet erased, and the serial of
    /// that session.
    pub(super) fn oldest_end(&self) -> Option<(u64, u64)> {
        let ended = self.ended.iter();
        ended.map(|(serial, row)| (*row, *serial)).min()
    }

    /// The sessions that stand otherwise than the file says outside the journal, by their serials.
    pub(super) fn restood(&self) -> BTreeMap<u64, SessionId> {
        self.restood.clone()
    }

    /// The row of the journal in which the oldest tail began.
    pub(super) fn oldest_tail(&self) -> Option<u64> {
        self.tails.front().map(|(_, row)| *row)
    }

    /// The transaction under way is committed.
    pub(super) fn commit(&mut self) {
        for done in mem::take(&mut self.done) {
            match done {
                Done::Appended(id) => {
                    if let Some(tail) = self.tail(id) {
                        tail.committed = (tail.entries, tail.bytes.len());
                    }
                }
                Done::Settled(id, row, _) => {
                    let Some(place) = self.sessions.get_mut(&id) else {
                        continue;
                    };
                    if let Some(tail) = place.tail.take_if(|tail| tail.row == row) {
                        place.settled += tail.entries;
                        self.restood.remove(&place.serial);
                    }
                }
                Done::Deleted(id) => {
                    if let Some(place) = self.sessions.remove(&id) {
                        self.unsettled -= place.tail.map_or(0, |tail| tail.entries);
                        self.restood.remove(&place.serial);
                    }
                }
                Done::Restood(id, _) => {
                    if let Some(place) = self.sessions.get_mut(&id) {
                        place.stood = place.standing;
                        self.restood.insert(place.serial, id);
                    }
                }
                Done::Created(_) | Done::Erased(_) => {}
            }
        }
    }

    /// The transaction under way has failed: everything is as it was before.
    pub(super) fn undo(&mut self) {
        for done in mem::take(&mut self.done).into_iter().rev() {
            match done {
                Done::Created(id) => {
                    self.sessions.remove(&id);
                }
                Done::Deleted(id) => {
                    if let Some(place) = self.sessions.get_mut(&id) {
                        place.deleted = false;
                        self.ended.remove(&place.serial);
                    }
                }
                Done::Erased(ended) => self.ended.extend(ended),
                Done::Restood(id, before) => {
                    if let Some(place) = self.sessions.get_mut(&id) {
                        place.standing = before;
                    }
                }
                Done::Settled(id, row, entries) => {
                    self.tails.push_front((id, row));
                    self.unsettled += entries;
                }
                Done::Appended(id) => self.truncate(id),
            }
        }
    }

    fn tail(&mut self, id: SessionId) -> Option<&mut Tail> {
        self.sessions.get_mut(&id)?.tail.as_deref_mut()
    }

    fn truncate(&mut self, id: SessionId) {
        let Some(tail) = self.tail(id) else {
            return;
        };
        let (entries, bytes) = tail.committed;
        let dropped = tail.entries - entries;
        tail.entries = entries;
        tail.bytes.truncate(bytes);
        self.unsettled -= dropped;
        if entries == 0
            && let Some(place) = self.sessions.get_mut(&id)
        {
            place.tail = None;
            // The latest to begin, as all that came later is undone.
            self.tails.pop_back();
        }
    }
}
