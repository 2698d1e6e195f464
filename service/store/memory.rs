//! Sessions in memory: gone when the process is.

use std::{
    collections::BTreeMap,
    sync::{Arc, Weak},
    time::Duration,
    time::SystemTime,
};

use dashmap::Entry as Slot;
use parking_lot::Mutex;

use super::{
    Append, Commit, Header, Listed, Listener, Log, LogEntry, SessionId, SessionMap, Standing,
    Store, StoreError, StoreSecret, Stored, session_map,
};
use crate::pb::v1::SessionStatus;

/// Keeps sessions in memory.
#[derive(Debug)]
pub struct MemoryStore {
    sessions: SessionMap<Arc<Kept>>,
    /// The same by their serials. Whoever is here is there, too.
    by_serial: Mutex<BTreeMap<u64, SessionId>>,
    secret: StoreSecret,
}

#[derive(Debug)]
struct Kept {
    header: Header,
    inside: Mutex<Inside>,
}

#[derive(Debug)]
struct Inside {
    log: Vec<LogEntry>,
    standing: Standing,
    touched: SystemTime,
    deleted: bool,
}

/// The log of a session that there is none of.
#[derive(Debug)]
struct NoLog;

impl Log for NoLog {
    fn append(&self, _: u64, _: LogEntry, _: Standing) -> Append {
        Append::Done(Err(StoreError::NotFound))
    }
}

/// A log that is kept, for one who writes to it.
#[derive(Debug)]
struct KeptLog(Arc<Kept>);

impl Log for KeptLog {
    fn append(&self, expected: u64, entry: LogEntry, standing: Standing) -> Append {
        let mut inside = self.0.inside.lock();
        if inside.deleted {
            return Append::Done(Err(StoreError::NotFound));
        }
        let actual = inside.log.len() as u64;
        if actual != expected {
            return Append::Done(Err(StoreError::Conflict { expected, actual }));
        }
        inside.log.push(entry);
        inside.standing = standing;
        Append::Done(Ok(()))
    }
}

impl MemoryStore {
    fn find(&self, id: SessionId) -> Result<Arc<Kept>, StoreError> {
        let kept = self.sessions.get(&id).ok_or(StoreError::NotFound)?;
        Ok(Arc::clone(&kept))
    }
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self {
            sessions: session_map(),
            by_serial: Mutex::default(),
            secret: StoreSecret::new(),
        }
    }
}

impl Store for MemoryStore {
    fn durable(&self) -> bool {
        false
    }

    fn create(&self, id: SessionId, header: Header) -> Commit {
        let serial = header.serial;
        match self.sessions.entry(id) {
            Slot::Vacant(slot) => {
                let inside = Inside {
                    log: Vec::new(),
                    standing: header.standing(),
                    touched: header.create_time,
                    deleted: false,
                };
                slot.insert(Arc::new(Kept {
                    header,
                    inside: Mutex::new(inside),
                }));
            }
            Slot::Occupied(slot) => {
                let actual = slot.get().inside.lock().log.len() as u64;
                return Commit::Done(Err(StoreError::Conflict {
                    expected: 0,
                    actual,
                }));
            }
        }
        self.by_serial.lock().insert(serial, id);
        Commit::Done(Ok(()))
    }

    fn log(&self, id: SessionId, _: Weak<dyn Listener>) -> Box<dyn Log> {
        match self.find(id) {
            Ok(kept) => Box::new(KeptLog(kept)),
            Err(_) => Box::new(NoLog),
        }
    }

    fn delete(&self, id: SessionId) -> Commit {
        Commit::Done(self.find(id).map(|kept| {
            self.by_serial.lock().remove(&kept.header.serial);
            self.sessions.remove(&id);
            kept.inside.lock().deleted = true;
        }))
    }

    fn touch(&self, ids: Vec<SessionId>, time: SystemTime) -> Commit {
        for kept in ids.into_iter().filter_map(|id| self.find(id).ok()) {
            kept.inside.lock().touched = time;
        }
        Commit::Done(Ok(()))
    }

    fn serial(&self, id: SessionId) -> Option<u64> {
        let kept = self.sessions.get(&id)?;
        Some(kept.header.serial)
    }

    fn count(&self) -> usize {
        self.sessions.len()
    }

    fn newest(&self, below: u64) -> u64 {
        let by_serial = self.by_serial.lock();
        let newest = by_serial.range(..below).next_back();
        newest.map_or(0, |(serial, _)| *serial)
    }

    fn load(&self, id: SessionId) -> Result<Stored, StoreError> {
        let kept = self.find(id)?;
        let log = kept.inside.lock().log.clone();
        Ok(Stored {
            header: kept.header.clone(),
            log,
        })
    }

    fn stalled(&self) -> Duration {
        Duration::ZERO
    }

    fn check(&self) -> Commit {
        Commit::Done(Ok(()))
    }

    fn secret(&self) -> Result<StoreSecret, StoreError> {
        Ok(self.secret.clone())
    }

    fn list(&self, before: u64, max: usize) -> Result<Vec<Listed>, StoreError> {
        let by_serial = self.by_serial.lock();
        let ids = by_serial.range(..before).rev().take(max);
        ids.map(|(serial, id)| {
            let kept = self.find(*id)?;
            let standing = kept.inside.lock().standing;
            Ok(Listed {
                serial: *serial,
                id: *id,
                game: kept.header.game.clone(),
                standing,
            })
        })
        .collect()
    }

    fn wakeful(&self) -> Result<Vec<SessionId>, StoreError> {
        let ids: Vec<_> = self.by_serial.lock().values().copied().collect();
        let wakes = |id: &SessionId| {
            let kept = self.find(*id);
            kept.is_ok_and(|kept| kept.inside.lock().standing.wakes)
        };
        Ok(ids.into_iter().filter(wakes).collect())
    }

    fn left_alone(
        &self,
        finished: SystemTime,
        others: SystemTime,
        max: usize,
    ) -> Result<Vec<SessionId>, StoreError> {
        let left_alone = self.sessions.iter().filter(|kept| {
            let inside = kept.inside.lock();
            let before = match inside.standing.status {
                SessionStatus::Finished => finished,
                _ => others,
            };
            inside.touched < before
        });
        Ok(left_alone.map(|kept| *kept.key()).take(max).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::conformance;

    #[test]
    fn memory_keeps_the_contract_of_every_store() {
        conformance::check(Arc::new(MemoryStore::default()));
    }
}
