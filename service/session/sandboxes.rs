//! Sandboxes: short-lived sessions that begin in a drawn state. They are kept in memory only, each seat has a few, and
//! whoever has no token of one finds none.

use std::{collections::HashMap, sync::Arc};

use dashmap::Entry;
use parking_lot::Mutex;
use tavola_engine::Seat;

use super::Session;
use crate::{
    config::Limits,
    error::Error,
    store::{Append, Log, LogEntry, SessionId, SessionMap, Standing, session_map},
};

/// All sandboxes of the server.
#[derive(Debug)]
pub(super) struct Sandboxes {
    sessions: SessionMap<Arc<Session>>,
    places: Arc<Mutex<Places>>,
}

/// How many sandboxes there are.
#[derive(Debug, Default)]
struct Places {
    by_owner: HashMap<Owner, u32>,
    taken: u32,
}

/// Whose sandbox it is: the seat of the session that was no sandbox itself.
pub(super) type Owner = (SessionId, Seat);

/// What makes a session a sandbox: its place among those of its owner, free again when the session is dropped.
#[derive(Debug)]
pub(super) struct Sandbox {
    pub(super) owner: Owner,
    places: Arc<Mutex<Places>>,
}

impl Default for Sandboxes {
    fn default() -> Self {
        Self {
            sessions: session_map(),
            places: Arc::default(),
        }
    }
}

impl Sandboxes {
    /// Checks that this owner may have one more now.
    ///
    /// # Errors
    /// If the owner has too many of them, or the server has.
    pub(super) fn check_room(&self, owner: Owner, limits: &Limits) -> Result<(), Error> {
        self.places.lock().check_room(owner, limits)
    }

    /// Opens one where those who have a token of it find it. One with this id that is there was opened by the same request:
    /// it stays.
    ///
    /// # Errors
    /// As [`Sandboxes::check_room`].
    pub(super) fn open(
        &self,
        id: SessionId,
        owner: Owner,
        limits: &Limits,
        begin: impl FnOnce(Sandbox) -> Arc<Session>,
    ) -> Result<Arc<Session>, Error> {
        match self.sessions.entry(id) {
            Entry::Occupied(there) => Ok(Arc::clone(there.get())),
            Entry::Vacant(place) => {
                let session = begin(self.reserve(owner, limits)?);
                Ok(Arc::clone(&place.insert(session)))
            }
        }
    }

    fn reserve(&self, owner: Owner, limits: &Limits) -> Result<Sandbox, Error> {
        let mut places = self.places.lock();
        places.check_room(owner, limits)?;
        *places.by_owner.entry(owner).or_default() += 1;
        places.taken += 1;
        Ok(Sandbox {
            owner,
            places: Arc::clone(&self.places),
        })
    }

    pub(super) fn find(&self, id: SessionId) -> Option<Arc<Session>> {
        self.sessions.get(&id).map(|session| Arc::clone(&session))
    }

    pub(super) fn remove(&self, id: SessionId) {
        self.sessions.remove(&id);
    }

    /// Drops those that have been left alone for too long.
    pub(super) fn sweep(&self) {
        self.sessions.retain(|_, session| !session.expire());
    }

    /// Lets all who wait for one look up: the server is going down.
    pub(super) fn nudge(&self) {
        self.sessions.iter().for_each(|session| session.nudge());
    }
}

impl Places {
    fn check_room(&self, owner: Owner, limits: &Limits) -> Result<(), Error> {
        let of_owner = self.by_owner.get(&owner).copied().unwrap_or_default();
        for (limit, taken, max) in [
            (
                "sandboxes_per_seat_max",
                of_owner,
                limits.sandboxes_per_seat_max,
            ),
            ("sandboxes_max", self.taken, limits.sandboxes_max),
        ] {
            if taken >= max {
                return Err(Error::LimitReached {
                    limit,
                    max: max.into(),
                });
            }
        }
        Ok(())
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let mut places = self.places.lock();
        places.taken = places.taken.saturating_sub(1);
        if let Some(of_owner) = places.by_owner.get_mut(&self.owner) {
            *of_owner -= 1;
            if *of_owner == 0 {
                places.by_owner.remove(&self.owner);
            }
        }
    }
}

/// The log of a sandbox: what happens there is not kept.
#[derive(Debug)]
pub(super) struct NotKept;

impl Log for NotKept {
    fn append(&self, _: u64, _: LogEntry, _: Standing) -> Append {
        Append::Done(Ok(()))
    }
}
