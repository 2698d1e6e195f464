//! Sessions in memory: gone when the process is.

use dashmap::Entry as Slot;

use super::{
    Commit, Header, LogEntry, SessionId, SessionMap, Store, StoreError, StoreSecret, Stored,
    session_map,
};

/// Keeps sessions in memory.
#[derive(Debug)]
pub struct MemoryStore {
    sessions: SessionMap<Stored>,
    secret: StoreSecret,
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self {
            sessions: session_map(),
            secret: StoreSecret::new(),
        }
    }
}

impl Store for MemoryStore {
    fn create(&self, id: SessionId, header: Header) -> Commit {
        Commit::Done(match self.sessions.entry(id) {
            Slot::Vacant(slot) => {
                slot.insert(Stored {
                    header,
                    log: Vec::new(),
                });
                Ok(())
            }
            Slot::Occupied(slot) => Err(StoreError::Conflict {
                expected: 0,
                actual: slot.get().log.len() as u64,
            }),
        })
    }

    fn append(&self, id: SessionId, expected: u64, entry: LogEntry) -> Commit {
        let Some(mut stored) = self.sessions.get_mut(&id) else {
            return Commit::Done(Err(StoreError::NotFound));
        };
        let actual = stored.log.len() as u64;
        if actual != expected {
            return Commit::Done(Err(StoreError::Conflict { expected, actual }));
        }
        stored.log.push(entry);
        Commit::Done(Ok(()))
    }

    fn delete(&self, id: SessionId) -> Commit {
        Commit::Done(
            self.sessions
                .remove(&id)
                .map(drop)
                .ok_or(StoreError::NotFound),
        )
    }

    fn load(&self, id: SessionId) -> Result<Stored, StoreError> {
        self.sessions
            .get(&id)
            .map(|stored| stored.clone())
            .ok_or(StoreError::NotFound)
    }

    fn check(&self) -> Commit {
        Commit::Done(Ok(()))
    }

    fn secret(&self) -> Result<StoreSecret, StoreError> {
        Ok(self.secret.clone())
    }

    fn list(&self) -> Result<Vec<SessionId>, StoreError> {
        Ok(self.sessions.iter().map(|stored| *stored.key()).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::store::conformance;

    #[test]
    fn memory_keeps_the_contract_of_every_store() {
        conformance::check(Arc::new(MemoryStore::default()));
    }
}
