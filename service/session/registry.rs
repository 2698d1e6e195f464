//! All sessions of the server, and what they share.

use std::{
    str::FromStr as _,
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, SystemTime},
};

use futures_util::future::poll_immediate;
use tavola_engine::Seed;
use tokio::{
    runtime::Handle,
    sync::{Notify, OnceCell},
    time::Instant,
};
use tracing::level_filters::LevelFilter;

use super::{BotPool, Session, sandboxes::Sandboxes, state::State, timer::Timer};
use crate::{
    clock::Clock,
    config::Limits,
    error::{Error, Violation},
    fair_dice::{self, Nonce},
    metrics::Metrics,
    pb::v1 as pb,
    request_id::Claim,
    shutdown::Shutdown,
    store::{Header, Opening, SessionId, SessionMap, Store, StoreError, StoreSecret, session_map},
    token::{Token, TokenHash},
    wire::GameEntry,
};

/// Sessions looked at for one page of a list, at most: a filter that few pass must not hold up the rest.
const LOOKED_AT_PER_PAGE: usize = 500;

/// Private sessions count from here and are in no list: nobody who finds a number missing there learns of one.
const PRIVATE_FROM: u64 = 1 << 62;

/// When it is told that there is no such session. Whoever has no token of a private one is told the same, and what was
/// looked at to find that out, in memory or in the store, must not show.
const NOT_FOUND_AFTER: Duration = Duration::from_millis(25);

/// How often to look for a session that another call is about to open, and how long to wait between.
const ARRIVAL_LOOKS: u32 = 100;
const ARRIVAL_PAUSE: Duration = Duration::from_millis(10);

/// A store that has not answered for so long is taken for out of order.
const STORE_SILENT: Duration = Duration::from_millis(800);

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

    /// Waits until the store fails, or does not answer.
    pub async fn outage(&self) {
        let silence = async {
            while self.store.stalled() < STORE_SILENT {
                tokio::time::sleep(STORE_SILENT / 4).await;
            }
        };
        tokio::select! {
            () = self.outage.notified() => {}
            () = silence => {}
        }
    }

    /// Whether the store can be read and commits what it is given, which it has to say in time. Then its earlier failures
    /// are forgotten.
    pub async fn store_answers(&self) -> bool {
        let answers = async {
            let store = Arc::clone(&self.store);
            let read = tokio::task::spawn_blocking(move || store.list(u64::MAX, 1).is_ok());
            matches!(read.await, Ok(true)) && self.store.check().outcome().await.is_ok()
        };
        let answers = tokio::time::timeout(STORE_SILENT, answers).await == Ok(true);
        if answers {
            let _ = poll_immediate(self.outage.notified()).await;
        }
        answers
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

    /// Leaves a line of the log to the house's own loop, if it is to be written: it may have to wait for whoever reads
    /// the log, and neither a lock nor a loop that serves must.
    pub(super) fn log(&self, write: impl FnOnce() + Send + 'static) {
        if LevelFilter::current() >= LevelFilter::INFO {
            self.runtime.spawn(async move { write() });
        }
    }

    pub(super) fn clock_s(&self) -> u64 {
        self.clock_s.load(Ordering::Relaxed)
    }

    /// Lets a second pass; how many there have been.
    pub(super) fn tick(&self) -> u64 {
        self.clock_s.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Asks the store, on a thread that has the time.
    ///
    /// # Errors
    /// If it does not answer.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&dyn Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Error> {
        let store = Arc::clone(&self.store);
        let answer = tokio::task::spawn_blocking(move || ask(&*store)).await;
        answer.map_err(Error::internal)?.map_err(|error| {
            self.store_failed();
            tracing::warn!(%error, "the store was asked in vain");
            Error::StoreUnavailable
        })
    }

    /// A session from the store, on a thread that has the time.
    ///
    /// # Errors
    /// If there is none, the store does not answer, or it cannot be read.
    pub(super) async fn load(self: &Arc<Self>, id: SessionId) -> Result<Arc<Session>, Error> {
        let house = Arc::clone(self);
        let loading = tokio::task::spawn_blocking(move || {
            let stored = house.store.load(id)?;
            Ok::<_, StoreError>(Session::load(id, stored, house))
        });
        loading
            .await
            .map_err(Error::internal)?
            .unwrap_or_else(|error| {
                if error != StoreError::NotFound {
                    tracing::warn!(session_id = %id, %error, "a session cannot be loaded");
                }
                Err(match error {
                    StoreError::NotFound => Error::SessionNotFound,
                    StoreError::Damaged(_) => Error::SessionDamaged,
                    StoreError::Newer => Error::SessionOutdated,
                    StoreError::Unavailable(_) | StoreError::Conflict { .. } => {
                        self.store_failed();
                        Error::StoreUnavailable
                    }
                })
            })
    }
}

/// All sessions of the server: those that are in memory, and through the store all others. One that is called for comes
/// into memory, and is there once at most.
#[derive(Debug)]
pub struct Registry {
    house: Arc<House>,
    pub(super) sessions: SessionMap<Arc<Session>>,
    /// Those that are being loaded, so that all who call for one wait for the same.
    loading: SessionMap<Arc<OnceCell<Arc<Session>>>>,
    next_serial: AtomicU64,
    next_private: AtomicU64,
    /// Those that no store has.
    pub(super) sandboxes: Sandboxes,
    /// Sessions that are being created: they count as if they were there.
    creating: AtomicUsize,
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
    /// The sessions in the store of the house.
    #[must_use]
    pub fn new(house: Arc<House>) -> Self {
        Self {
            sessions: session_map(),
            loading: session_map(),
            next_serial: AtomicU64::new(house.store.newest(PRIVATE_FROM) + 1),
            next_private: AtomicU64::new(house.store.newest(u64::MAX).max(PRIVATE_FROM) + 1),
            sandboxes: Sandboxes::default(),
            creating: AtomicUsize::new(0),
            house,
        }
    }

    /// What all sessions share.
    #[must_use]
    pub fn house(&self) -> &Arc<House> {
        &self.house
    }

    /// Opens a session. A request that opened one before gets the same.
    ///
    /// # Errors
    /// If there is no such game, the game forbids the options or the number of seats, there are too many sessions, the
    /// request id was used for another session, or the store does not answer.
    pub async fn create(self: &Arc<Self>, new: NewSession) -> Result<Created, Error> {
        let game = GameEntry::find(&new.game).ok_or_else(GameEntry::not_found)?;
        let again = new.request.as_ref().map(Claim::session_id);
        if let Some(id) = again
            && let Some(session) = self.opened(id).await?
        {
            return created_before(&session, &new);
        }
        let creating = Creating::begin(self)?;
        let (host, join) = tokens(&new);
        let header = header(game, &new, &host, join.as_ref(), self.serial(new.private))?;
        let id = again.unwrap_or_default();
        let state = State::new(game, &header)?;
        match self.keep(creating, game, id, header, state).await? {
            Some(session) => Ok(Created {
                session,
                host,
                join,
            }),
            None => match self.opened(id).await? {
                Some(session) => created_before(&session, &new),
                // Deleted at once: whoever asks again opens another.
                None => Err(Error::StoreUnavailable),
            },
        }
    }

    /// Stores a new session and puts it where all find it. None if the same request opens it at the same time.
    ///
    /// # Errors
    /// If the store does not answer.
    pub(super) async fn keep(
        self: &Arc<Self>,
        creating: Creating,
        game: &'static GameEntry,
        id: SessionId,
        header: Header,
        state: State,
    ) -> Result<Option<Arc<Session>>, Error> {
        let registry = Arc::clone(self);
        // Whoever asked may go away before it is stored: then it is a session all the same.
        let stored = tokio::spawn(async move {
            let _creating = creating;
            let house = &registry.house;
            match house.store.create(id, header.clone()).outcome().await {
                Ok(()) => {}
                Err(StoreError::Conflict { .. }) => return Ok(None),
                Err(error) => {
                    house.store_failed();
                    tracing::warn!(session_id = %id, %error, "a session could not be stored");
                    return Err(Error::StoreUnavailable);
                }
            }
            house.log(move || tracing::info!(session_id = %id, game = game.id, "session created"));
            let session = Session::at(id, header, game, Arc::clone(house), state);
            // A list has shown it since it is stored: whoever was faster has loaded it.
            let session = registry.sessions.entry(id).or_insert(session);
            Ok(Some(Arc::clone(&session)))
        });
        stored.await.map_err(Error::internal)?
    }

    /// The session that the same request has opened, if it has. Waits for one that is just being opened, which until it
    /// is committed is not there, or deleted, which until then is still in the way.
    pub(super) async fn opened(
        self: &Arc<Self>,
        id: SessionId,
    ) -> Result<Option<Arc<Session>>, Error> {
        for _ in 0..ARRIVAL_LOOKS {
            match self.existing(id).await {
                Ok(Some(session)) if session.is_gone() => {}
                Err(Error::SessionNotFound) => {}
                found => return found,
            }
            tokio::time::sleep(ARRIVAL_PAUSE).await;
        }
        Err(Error::StoreUnavailable)
    }

    /// The serial of a new session.
    pub(super) fn serial(&self, private: bool) -> u64 {
        let next = match private {
            true => &self.next_private,
            false => &self.next_serial,
        };
        next.fetch_add(1, Ordering::Relaxed)
    }

    /// Takes in a session that nobody can create.
    #[cfg(test)]
    pub(super) fn adopt(&self, session: &Arc<Session>) {
        self.sessions.insert(session.id(), Arc::clone(session));
    }

    /// The session with this id, for somebody with this token or without one.
    ///
    /// # Errors
    /// If the id is missing, there is no such session for the caller, or it cannot be loaded.
    pub async fn find(
        self: &Arc<Self>,
        id: &str,
        token: Option<TokenHash>,
    ) -> Result<Arc<Session>, Error> {
        if id.is_empty() {
            return Err(Error::missing("session_id"));
        }
        let asked = Instant::now();
        // A text that can be no id is answered like an id that is none: there is nothing to learn from the difference.
        let found = match SessionId::from_str(id) {
            Ok(id) => self.admitting(id, token).await,
            Err(_) => Err(Error::SessionNotFound),
        };
        if let Err(Error::SessionNotFound) = found {
            tokio::time::sleep_until(asked + NOT_FOUND_AFTER).await;
        }
        let session = found?;
        session.touch();
        Ok(session)
    }

    /// The session with this id, if it is there for somebody with this token.
    async fn admitting(
        self: &Arc<Self>,
        id: SessionId,
        token: Option<TokenHash>,
    ) -> Result<Arc<Session>, Error> {
        let found = self.existing(id).await;
        let session = match found {
            // Whether the caller has a token of it cannot be told, so it is not told that there is one either.
            Err(Error::SessionDamaged | Error::SessionOutdated) if self.is_private(id) => None,
            Err(Error::StoreUnavailable) if token.is_none() && self.is_private(id) => None,
            found => found?,
        };
        session
            .filter(|session| session.admits(token))
            .ok_or(Error::SessionNotFound)
    }

    fn is_private(&self, id: SessionId) -> bool {
        self.house.store.serial(id) > Some(PRIVATE_FROM)
    }

    /// The session with this id, if there is one.
    async fn existing(self: &Arc<Self>, id: SessionId) -> Result<Option<Arc<Session>>, Error> {
        let near = self.in_memory(id).or_else(|| self.sandboxes.find(id));
        Ok(match near {
            Some(session) => Some(session),
            None if self.house.store.serial(id).is_some() => Some(Box::pin(self.fetch(id)).await?),
            None => None,
        })
    }

    pub(super) fn in_memory(&self, id: SessionId) -> Option<Arc<Session>> {
        self.sessions.get(&id).map(|session| Arc::clone(&session))
    }

    /// Brings a session into memory. All who ask for it at once get the same.
    pub(super) async fn fetch(self: &Arc<Self>, id: SessionId) -> Result<Arc<Session>, Error> {
        let loading = Loading {
            registry: self,
            id,
            cell: Arc::clone(&self.loading.entry(id).or_default()),
        };
        let fetched = loading.cell.get_or_try_init(|| async {
            // It may have come while this call was on its way here.
            if let Some(session) = self.in_memory(id) {
                return Ok(session);
            }
            let session = self.house.load(id).await?;
            let session = Arc::clone(&self.sessions.entry(id).or_insert(session));
            if let Ok(mut inside) = session.enter() {
                session.wake_bots(&inside.state);
                session.set_clocks_going(&mut inside);
            }
            Ok(session)
        });
        fetched.await.map(Arc::clone)
    }

    /// Ends a session and forgets it.
    ///
    /// # Errors
    /// If the token is not its host's, or the store does not answer.
    pub async fn delete(
        self: &Arc<Self>,
        session: &Arc<Session>,
        token: Option<TokenHash>,
    ) -> Result<(), Error> {
        session.delete(token)?;
        if session.sandbox.is_some() {
            self.sandboxes.remove(session.id());
            return Ok(());
        }
        self.forget(Arc::clone(session)).await
    }

    /// Sessions that pass a filter, the newest first: those before the one with the serial `before`, or all. With the
    /// serial that the next page comes before, if there is more to look at.
    ///
    /// # Errors
    /// If the store does not answer.
    pub async fn list(
        self: &Arc<Self>,
        filter: &Filter,
        page_size: usize,
        before: Option<u64>,
    ) -> Result<(Vec<pb::Session>, Option<u64>), Error> {
        let before = before.unwrap_or(u64::MAX).min(PRIVATE_FROM);
        let listed = self
            .house
            .ask(move |store| store.list(before, LOOKED_AT_PER_PAGE))
            .await?;
        let looked_at_all = listed.len() < LOOKED_AT_PER_PAGE;
        let mut sessions = Vec::new();
        let mut last = None;
        for listed in listed {
            if sessions.len() == page_size {
                return Ok((sessions, last));
            }
            last = Some(listed.serial);
            let passes = |game: &str, status| {
                (filter.game.is_empty() || filter.game == game)
                    && (filter.status == pb::SessionStatus::Unspecified || filter.status == status)
            };
            if !passes(&listed.game, listed.standing.status) {
                continue;
            }
            // To be listed is no visit: one that is not in memory does not come there for it.
            let session = match self.in_memory(listed.id) {
                Some(session) => Ok(session),
                None => self.house.load(listed.id).await,
            };
            // One that cannot be used just now is left out: a list is no place to report it.
            let Ok(session) = session else { continue };
            if let Ok(described) = session.describe()
                && let Ok(described) = described.settle().await
                && passes(&described.game, described.status())
            {
                sessions.push(described);
            }
        }
        Ok((sessions, last.filter(|_| !looked_at_all)))
    }

    /// Forgets a session that is out of use, and tells when the store has forgotten it, too. Until then it stays in
    /// memory, lest somebody load it again.
    pub(super) async fn forget(self: &Arc<Self>, session: Arc<Session>) -> Result<(), Error> {
        let registry = Arc::clone(self);
        let forgotten = tokio::spawn(async move {
            let id = session.id();
            let deleted = registry.house.store.delete(id).outcome().await;
            registry
                .sessions
                .remove_if(&id, |_, now| Arc::ptr_eq(now, &session));
            match deleted {
                Ok(()) | Err(StoreError::NotFound) => Ok(()),
                Err(error) => {
                    registry.house.store_failed();
                    tracing::warn!(session_id = %id, %error, "a session could not be deleted from the store");
                    Err(Error::StoreUnavailable)
                }
            }
        });
        forgotten.await.map_err(Error::internal)?
    }
}

/// One who waits for a session to be loaded, or gives up.
struct Loading<'a> {
    registry: &'a Registry,
    id: SessionId,
    cell: Arc<OnceCell<Arc<Session>>>,
}

impl Drop for Loading<'_> {
    fn drop(&mut self) {
        // Whoever comes once it is loaded finds it in memory; where all have given up, the next one begins anew.
        self.registry.loading.remove_if(&self.id, |_, cell| {
            let last = Arc::strong_count(cell) <= 2;
            Arc::ptr_eq(cell, &self.cell) && (last || cell.initialized())
        });
    }
}

/// A session that is being created.
pub(super) struct Creating(Arc<Registry>);

impl Creating {
    pub(super) fn begin(registry: &Arc<Registry>) -> Result<Self, Error> {
        let creating = Self(Arc::clone(registry));
        let others = registry.creating.fetch_add(1, Ordering::AcqRel);
        let max = registry.house.limits.sessions_max;
        if others + registry.house.store.count() >= usize::try_from(max).unwrap_or(usize::MAX) {
            return Err(Error::LimitReached {
                limit: "sessions_max",
                max: max.into(),
            });
        }
        Ok(creating)
    }
}

impl Drop for Creating {
    fn drop(&mut self) {
        self.0.creating.fetch_sub(1, Ordering::AcqRel);
    }
}

/// What the request got that opened this session before, if it is the same.
fn created_before(session: &Arc<Session>, new: &NewSession) -> Result<Created, Error> {
    let same = |request: &Claim| session.created_by(request.mark());
    if !new.request.as_ref().is_some_and(same) {
        return Err(Error::RequestIdReused);
    }
    session.touch();
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
    serial: u64,
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
        reseeds: Vec::new(),
        entries: Vec::new(),
    };
    Ok(Header {
        serial,
        game: game.id.to_owned(),
        opening,
        seed_given: new.seed.is_some(),
        nonce: Nonce::new(),
        clock,
        host: host.hash(),
        join: join.map(Token::hash),
        request: new.request.as_ref().map(Claim::mark),
        create_time: SystemTime::now(),
        fork: None,
    })
}
