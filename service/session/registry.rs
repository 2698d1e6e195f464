//! All sessions of the server, and what they share.

use std::{
    collections::BTreeMap,
    str::FromStr as _,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

use parking_lot::Mutex;
use tavola_engine::Seed;
use tokio::{runtime::Handle, sync::oneshot};

use super::{BotPool, Session, timer::Timer};
use crate::{
    clock::Clock,
    config::Limits,
    error::{Error, Violation},
    fair_dice::{self, Nonce},
    pb::v1 as pb,
    shutdown::Shutdown,
    store::{Commit, Header, Opening, SessionId, SessionMap, Store, StoreError, session_map},
    token::{Token, TokenHash},
    wire::GameEntry,
};

/// How often sessions are looked at that may be forgotten.
const SWEEP_EVERY_S: u64 = 10;

/// Sessions looked at for one page of a list, at most: a filter that few pass must not hold up the rest.
const LOOKED_AT_PER_PAGE: usize = 500;

/// What all sessions share.
#[derive(Debug)]
pub struct House {
    limits: Limits,
    store: Arc<dyn Store>,
    bots: Arc<BotPool>,
    timer: Timer,
    runtime: Handle,
    shutdown: Shutdown,
    /// Seconds since the start, counted once a second: precise enough to forget by, and free to read.
    clock_s: AtomicU64,
}

impl House {
    /// A house that keeps its sessions in `store` and does its own work on `runtime`.
    #[must_use]
    pub fn new(
        limits: Limits,
        store: Arc<dyn Store>,
        bots: Arc<BotPool>,
        runtime: Handle,
        shutdown: Shutdown,
    ) -> Self {
        Self {
            limits,
            store,
            bots,
            timer: Timer::default(),
            runtime,
            shutdown,
            clock_s: AtomicU64::new(0),
        }
    }

    /// What is allowed.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Whether the server is going down.
    #[must_use]
    pub fn shutdown(&self) -> &Shutdown {
        &self.shutdown
    }

    pub(super) fn store(&self) -> &dyn Store {
        &*self.store
    }

    pub(super) fn bots(&self) -> &BotPool {
        &self.bots
    }

    pub(super) fn timer(&self) -> &Timer {
        &self.timer
    }

    pub(super) fn runtime(&self) -> &Handle {
        &self.runtime
    }

    pub(super) fn clock_s(&self) -> u64 {
        self.clock_s.load(Ordering::Relaxed)
    }
}

/// All sessions of the server.
#[derive(Debug)]
pub struct Registry {
    house: Arc<House>,
    sessions: SessionMap<Arc<Session>>,
    /// The same by their serial numbers, for lists.
    by_serial: Mutex<BTreeMap<u64, SessionId>>,
    next_serial: AtomicU64,
}

/// What somebody asks a session to be.
#[derive(Debug)]
pub struct NewSession {
    /// The id of the game.
    pub game: String,
    /// The number of seats; the fewest if unset.
    pub seats: Option<u32>,
    /// The options of the game; its defaults if unset.
    pub options: Option<pb::Options>,
    /// A seed for its chance; one that nobody knows if unset.
    pub seed: Option<u64>,
    /// How long its players may think; as long as they like if unset.
    pub clock: Option<pb::Clock>,
}

/// Which sessions a list is of.
#[derive(Clone, Debug)]
pub struct Filter {
    /// The id of their game; any if empty.
    pub game: String,
    /// How far they are; unspecified is any.
    pub status: pb::SessionStatus,
}

impl Registry {
    /// No sessions yet.
    #[must_use]
    pub fn new(house: Arc<House>) -> Self {
        Self {
            house,
            sessions: session_map(),
            by_serial: Mutex::default(),
            next_serial: AtomicU64::new(1),
        }
    }

    /// What all sessions share.
    #[must_use]
    pub fn house(&self) -> &House {
        &self.house
    }

    /// Opens a session; the token is its host's.
    ///
    /// # Errors
    /// If there is no such game, the game forbids the options or the number of seats, there are too many sessions, or
    /// the store does not answer.
    pub async fn create(&self, new: NewSession) -> Result<(Arc<Session>, Token), Error> {
        let game = GameEntry::find(&new.game).ok_or_else(GameEntry::not_found)?;
        let max = self.house.limits.sessions_max;
        if self.sessions.len() >= usize::try_from(max).unwrap_or(usize::MAX) {
            return Err(Error::LimitReached {
                limit: "sessions_max",
                max: max.into(),
            });
        }
        let (host, header) = header(game, new)?;
        let id = SessionId::new();
        let serial = self.next_serial.fetch_add(1, Ordering::Relaxed);
        let session = Session::new(id, serial, header.clone(), game, Arc::clone(&self.house))?;
        let stored = match self.house.store.create(id, header) {
            Commit::Done(stored) => stored,
            Commit::Pending(commit) => outcome(commit).await,
        };
        stored.map_err(|error| {
            tracing::warn!(session_id = %id, %error, "a session could not be stored");
            Error::StoreUnavailable
        })?;
        self.sessions.insert(id, Arc::clone(&session));
        self.by_serial.lock().insert(serial, id);
        tracing::info!(session_id = %id, game = game.id, "session created");
        Ok((session, host))
    }

    /// Takes in a session that nobody can create.
    #[cfg(test)]
    pub(super) fn adopt(&self, session: &Arc<Session>) {
        self.sessions.insert(session.id(), Arc::clone(session));
    }

    /// The session with this id.
    ///
    /// # Errors
    /// If the id is missing, or there is no such session.
    pub fn find(&self, id: &str) -> Result<Arc<Session>, Error> {
        if id.is_empty() {
            return Err(Error::missing("session_id"));
        }
        // A text that can be no id is answered like an id that is none: there is nothing to learn from the difference.
        let id = SessionId::from_str(id).map_err(|_| Error::SessionNotFound)?;
        let session = self.sessions.get(&id).ok_or(Error::SessionNotFound)?;
        session.touch();
        Ok(Arc::clone(&session))
    }

    /// Ends a session and forgets it.
    ///
    /// # Errors
    /// If the token is not its host's, or the store does not answer.
    pub async fn delete(&self, session: &Session, token: Option<TokenHash>) -> Result<(), Error> {
        session.delete(token)?;
        self.forget(session).await
    }

    /// A page of the sessions that pass the filter, the newest first, from those before serial number `before`; and
    /// where the next page begins, if there is one.
    pub async fn list(
        &self,
        filter: &Filter,
        page_size: usize,
        before: Option<u64>,
    ) -> (Vec<pb::Session>, Option<u64>) {
        let before = before.unwrap_or(u64::MAX);
        let ids: Vec<_> = {
            let by_serial = self.by_serial.lock();
            by_serial
                .range(..before)
                .rev()
                .take(LOOKED_AT_PER_PAGE)
                .map(|(serial, id)| (*serial, *id))
                .collect()
        };
        let looked_at_all = ids.len() < LOOKED_AT_PER_PAGE;
        let mut sessions = Vec::new();
        let mut last = None;
        for (serial, id) in &ids {
            if sessions.len() == page_size {
                return (sessions, last);
            }
            last = Some(*serial);
            let Some(session) = self.sessions.get(id).map(|session| Arc::clone(&session)) else {
                continue;
            };
            let passes = (filter.game.is_empty() || filter.game == session.game())
                && (filter.status == pb::SessionStatus::Unspecified
                    || session.status() == Ok(filter.status));
            if !passes {
                continue;
            }
            // One that cannot be used just now is left out: a list is no place to report it.
            if let Ok(described) = session.describe() {
                sessions.extend(session.settle(described).await.ok());
            }
        }
        (sessions, last.filter(|_| !looked_at_all))
    }

    /// Keeps the clock, and forgets what has been left alone for too long, until the server shuts down.
    pub async fn keep_house(&self) {
        let mut second = tokio::time::interval(Duration::from_secs(1));
        let stop = self.house.shutdown.wait();
        tokio::pin!(stop);
        loop {
            tokio::select! {
                _ = second.tick() => {}
                () = &mut stop => {
                    // Their watchers look up and see that the server goes down.
                    return self.sessions.iter().for_each(|session| session.nudge());
                }
            }
            let clock_s = self.house.clock_s.fetch_add(1, Ordering::Relaxed) + 1;
            if clock_s.is_multiple_of(SWEEP_EVERY_S) {
                self.sweep().await;
            }
        }
    }

    /// Lets the clocks of all sessions strike, until the server shuts down.
    pub async fn keep_clocks(&self) {
        self.house.timer.run(&self.house.shutdown).await;
    }

    async fn sweep(&self) {
        let expired: Vec<_> = self
            .sessions
            .iter()
            .filter(|session| session.expire())
            .map(|session| Arc::clone(&session))
            .collect();
        let any = !expired.is_empty();
        for session in expired {
            tracing::info!(session_id = %session.id(), "session forgotten");
            // A store that does not answer now forgets it when the server is started anew.
            let _ = self.forget(&session).await;
        }
        if any {
            // Room for a crowd that has gone would be kept for ever.
            self.sessions.shrink_to_fit();
        }
    }

    async fn forget(&self, session: &Session) -> Result<(), Error> {
        self.sessions.remove(&session.id());
        self.by_serial.lock().remove(&session.serial());
        let deleted = match self.house.store.delete(session.id()) {
            Commit::Done(deleted) => deleted,
            Commit::Pending(commit) => outcome(commit).await,
        };
        match deleted {
            Ok(()) | Err(StoreError::NotFound) => Ok(()),
            Err(error) => {
                tracing::warn!(session_id = %session.id(), %error, "a session could not be deleted from the store");
                Err(Error::StoreUnavailable)
            }
        }
    }
}

async fn outcome(commit: oneshot::Receiver<Result<(), StoreError>>) -> Result<(), StoreError> {
    commit
        .await
        .unwrap_or_else(|_| Err(StoreError::Unavailable("it gave up".to_owned())))
}

/// What a new session is, with its host's token.
fn header(game: &GameEntry, new: NewSession) -> Result<(Token, Header), Error> {
    let info = &game.info;
    let seats = new.seats.unwrap_or(info.seats_min.into());
    let allowed = u32::from(info.seats_min)..=u32::from(info.seats_max);
    let seats = u8::try_from(seats)
        .ok()
        .filter(|_| allowed.contains(&seats))
        .ok_or_else(|| {
            let allowed = match (allowed.start(), allowed.end()) {
                (min, max) if min == max => format!("is {min} for this game"),
                (min, max) => format!("is {min} to {max} for this game"),
            };
            Error::OptionsNotLegal(Violation::new("seats", allowed))
        })?;
    let seed = new.seed.map_or_else(fair_dice::seed, Seed::from_number);
    let clock = new.clock.as_ref().map(Clock::from_pb).transpose();
    let clock = clock.map_err(|violation| Error::Malformed(violation.within("clock")))?;
    let opening = Opening {
        rules_version: info.rules_version,
        options: new.options.unwrap_or_default(),
        seats,
        seed,
        entries: Vec::new(),
    };
    let host = Token::new();
    let header = Header {
        game: game.id.to_owned(),
        opening,
        seed_given: new.seed.is_some(),
        nonce: Nonce::new(),
        clock,
        host: host.hash(),
        create_time: SystemTime::now(),
    };
    Ok((host, header))
}
