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
use tokio::{
    runtime::Handle,
    sync::{Notify, oneshot},
};

use super::{BotPool, Session, state::NoSession, timer::Timer};
use crate::{
    clock::Clock,
    config::Limits,
    error::{Error, Violation},
    fair_dice::{self, Nonce},
    metrics::Metrics,
    pb::v1 as pb,
    request_id::Claim,
    shutdown::Shutdown,
    store::{
        Commit, Header, Opening, SessionId, SessionMap, Store, StoreError, StoreSecret, session_map,
    },
    token::{Token, TokenHash},
    wire::GameEntry,
};

/// How often sessions are looked at that may be forgotten.
const SWEEP_EVERY_S: u64 = 10;

/// Sessions looked at for one page of a list, at most: a filter that few pass must not hold up the rest.
const LOOKED_AT_PER_PAGE: usize = 500;

/// How often to look for a session that another call is about to open, and how long to wait between.
const ARRIVAL_LOOKS: u32 = 100;
const ARRIVAL_PAUSE: Duration = Duration::from_millis(10);

/// What all sessions share.
#[derive(Debug)]
pub struct House {
    limits: Limits,
    store: Arc<dyn Store>,
    secret: StoreSecret,
    metrics: Arc<Metrics>,
    /// Told when the store has not done what it was asked.
    outage: Notify,
    bots: Arc<BotPool>,
    timer: Timer,
    runtime: Handle,
    shutdown: Shutdown,
    /// Seconds since the start, counted once a second: precise enough to forget by, and free to read.
    clock_s: AtomicU64,
}

impl House {
    /// A house that keeps its sessions in `store` and does its own work on `runtime`.
    ///
    /// # Errors
    /// If the store does not answer.
    pub fn new(
        limits: Limits,
        store: Arc<dyn Store>,
        metrics: Arc<Metrics>,
        bots: Arc<BotPool>,
        runtime: Handle,
        shutdown: Shutdown,
    ) -> Result<Self, StoreError> {
        Ok(Self {
            limits,
            secret: store.secret()?,
            store,
            metrics,
            outage: Notify::new(),
            bots,
            timer: Timer::default(),
            runtime,
            shutdown,
            clock_s: AtomicU64::new(0),
        })
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

    /// What is counted.
    pub(super) fn metrics(&self) -> &Arc<Metrics> {
        &self.metrics
    }

    /// The store has not done what it was asked.
    pub(super) fn store_failed(&self) {
        self.metrics.store_failed();
        self.outage.notify_one();
    }

    /// Waits until the store fails.
    pub async fn outage(&self) {
        self.outage.notified().await;
    }

    /// Whether the store commits what it is given, which it has to say within a second.
    pub async fn store_answers(&self) -> bool {
        match self.store.check() {
            Commit::Done(checked) => checked.is_ok(),
            Commit::Pending(commit) => {
                let checked = tokio::time::timeout(Duration::from_secs(1), outcome(commit));
                matches!(checked.await, Ok(Ok(())))
            }
        }
    }

    /// The secret of the store.
    pub fn secret(&self) -> &StoreSecret {
        &self.secret
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
    /// Looked at in place of a session that there is not.
    no_session: NoSession,
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
    /// Whether it is there only for those who have a token of it.
    pub private: bool,
    /// The request, if it may be repeated.
    pub request: Option<Claim>,
}

/// A session that was opened, with what its host is shown.
#[derive(Debug)]
pub struct Created {
    /// The session.
    pub session: Arc<Session>,
    /// The host's token.
    pub host: Token,
    /// The join token, if the session is private.
    pub join: Option<Token>,
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
            no_session: NoSession::new(),
        }
    }

    /// What all sessions share.
    #[must_use]
    pub fn house(&self) -> &House {
        &self.house
    }

    /// Opens a session. A request that opened one before gets the same.
    ///
    /// # Errors
    /// If there is no such game, the game forbids the options or the number of seats, there are too many sessions, the
    /// request id was used for another session, or the store does not answer.
    pub async fn create(&self, new: NewSession) -> Result<Created, Error> {
        let game = GameEntry::find(&new.game).ok_or_else(GameEntry::not_found)?;
        let again = new.request.as_ref().map(Claim::session_id);
        if let Some(session) = again.and_then(|id| self.sessions.get(&id)) {
            return created_before(&session, &new);
        }
        let max = self.house.limits.sessions_max;
        if self.sessions.len() >= usize::try_from(max).unwrap_or(usize::MAX) {
            return Err(Error::LimitReached {
                limit: "sessions_max",
                max: max.into(),
            });
        }
        let (host, join) = tokens(&new);
        let header = header(game, &new, &host, join.as_ref())?;
        let id = again.unwrap_or_default();
        // Who reads a list and finds a number missing must not learn that there is a private session.
        let serial = match new.private {
            true => 0,
            false => self.next_serial.fetch_add(1, Ordering::Relaxed),
        };
        let session = Session::new(id, serial, header.clone(), game, Arc::clone(&self.house))?;
        let stored = match self.house.store.create(id, header) {
            Commit::Done(stored) => stored,
            Commit::Pending(commit) => outcome(commit).await,
        };
        if let (Err(StoreError::Conflict { .. }), Some(id)) = (&stored, again) {
            // The same request at the same time. The other one is about to put the session where all see it.
            for _ in 0..ARRIVAL_LOOKS {
                if let Some(session) = self.sessions.get(&id) {
                    return created_before(&session, &new);
                }
                tokio::time::sleep(ARRIVAL_PAUSE).await;
            }
            return Err(Error::StoreUnavailable);
        }
        stored.map_err(|error| {
            self.house.store_failed();
            tracing::warn!(session_id = %id, %error, "a session could not be stored");
            Error::StoreUnavailable
        })?;
        self.sessions.insert(id, Arc::clone(&session));
        if !new.private {
            self.by_serial.lock().insert(serial, id);
        }
        tracing::info!(session_id = %id, game = game.id, "session created");
        Ok(Created {
            session,
            host,
            join,
        })
    }

    /// Takes in a session that nobody can create.
    #[cfg(test)]
    pub(super) fn adopt(&self, session: &Arc<Session>) {
        self.sessions.insert(session.id(), Arc::clone(session));
    }

    /// The session with this id, for somebody with this token or without one.
    ///
    /// # Errors
    /// If the id is missing, or there is no such session for the caller.
    pub fn find(&self, id: &str, token: Option<TokenHash>) -> Result<Arc<Session>, Error> {
        if id.is_empty() {
            return Err(Error::missing("session_id"));
        }
        // A text that can be no id is answered like an id that is none: there is nothing to learn from the difference.
        let id = SessionId::from_str(id).map_err(|_| Error::SessionNotFound)?;
        let session = self.sessions.get(&id).map(|session| Arc::clone(&session));
        let admitted = match &session {
            Some(session) => session.admits(token),
            None => self.no_session.admits(token),
        };
        let session = session.filter(|_| admitted).ok_or(Error::SessionNotFound)?;
        session.touch();
        Ok(session)
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
        let mut said_left_out = 0;
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
            let left_out = self.house.metrics.log_lines_left_out();
            if left_out > said_left_out {
                tracing::warn!(
                    lines = left_out - said_left_out,
                    "lines were left out of the log, there were too many"
                );
                said_left_out = left_out;
            }
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
        for session in expired {
            tracing::info!(session_id = %session.id(), "session forgotten");
            // A store that does not answer now forgets it when the server is started anew.
            let _ = self.forget(&session).await;
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
                self.house.store_failed();
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

/// What the request got that opened this session before, if it is the same.
fn created_before(session: &Arc<Session>, new: &NewSession) -> Result<Created, Error> {
    let same = |request: &Claim| session.created_by(request.mark());
    if !new.request.as_ref().is_some_and(same) {
        return Err(Error::RequestIdReused);
    }
    let (host, join) = tokens(new);
    Ok(Created {
        session: Arc::clone(session),
        host,
        join,
    })
}

/// The host's token, and the join token of a private session.
fn tokens(new: &NewSession) -> (Token, Option<Token>) {
    let token = |of| match &new.request {
        Some(request) => request.token(of),
        None => Token::new(),
    };
    (token("host"), new.private.then(|| token("join")))
}

/// What a new session is.
fn header(
    game: &GameEntry,
    new: &NewSession,
    host: &Token,
    join: Option<&Token>,
) -> Result<Header, Error> {
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
        options: new.options.clone().unwrap_or_default(),
        seats,
        seed,
        entries: Vec::new(),
    };
    Ok(Header {
        game: game.id.to_owned(),
        opening,
        seed_given: new.seed.is_some(),
        nonce: Nonce::new(),
        clock,
        host: host.hash(),
        join: join.map(Token::hash),
        request: new.request.as_ref().map(Claim::mark),
        create_time: SystemTime::now(),
    })
}
