//! One session: the lock, and all that happens under it.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

use bytes::Bytes;
use parking_lot::{Mutex, MutexGuard};
use prost::Message as _;
use tavola_engine::{Entry, Seat, Viewer};
use tokio::sync::watch;

use super::{
    House, Shown, Token, TokenHash,
    history::{History, ReplayPage, status_of},
    shown::Moment,
    state::{Caller, Pass, SeatState, State},
    watchers::{Encoded, Feeds},
};
use crate::{
    error::{Error, Violation},
    pb::v1 as pb,
    store::{Commit, Header, Holder, LogEntry, SessionId, StoreError},
    wire::{Answer, BotTurn, GameEntry, HouseBot, Table},
};

/// How long to wait before a store that failed is asked again.
const RELOAD_PAUSE: Duration = Duration::from_millis(100);

/// A game on the server with its seats.
#[derive(Debug)]
pub struct Session {
    id: SessionId,
    /// Counts the sessions of a server: the newest has the greatest.
    serial: u64,
    header: Header,
    game: &'static GameEntry,
    house: Arc<House>,
    inside: Mutex<Inside>,
    progress: watch::Sender<Progress>,
    /// The latest second of the house clock in which somebody came to the session.
    touched_s: AtomicU64,
    /// Whether the session is in the bots' queue.
    bot_queued: AtomicBool,
}

/// What the lock guards.
#[derive(Debug)]
struct Inside {
    state: State,
    feeds: Feeds,
    condition: Condition,
}

/// Whether a session can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Condition {
    /// It can.
    Sound,
    /// A write failed: it is being loaded from the store.
    Reloading,
    /// It panicked. It stays as it is and answers INTERNAL.
    Frozen,
    /// Its host deleted it, or it was forgotten.
    Gone,
}

impl Condition {
    const fn check(self) -> Result<(), Error> {
        match self {
            Self::Sound => Ok(()),
            Self::Reloading => Err(Error::StoreUnavailable),
            Self::Frozen => Err(Error::Internal),
            Self::Gone => Err(Error::SessionNotFound),
        }
    }
}

/// How far a session is for everybody outside its lock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    /// The latest version that is committed, and so may be seen.
    pub(super) published: u64,
    /// Whether the game is over with it: no other version follows.
    pub(super) finished: bool,
    /// How often the session was loaded anew because a write had failed.
    pub(super) reloads: u32,
    condition: Condition,
}

impl Progress {
    /// Whether a version is committed that was made after so many reloads; none while that is open.
    fn settled(self, version: u64, reloads: u32) -> Option<Result<(), Error>> {
        if self.reloads != reloads {
            // A reload says nothing of what was written before it.
            return Some(Err(Error::StoreUnavailable));
        }
        if self.published >= version {
            return Some(Ok(()));
        }
        self.end().map(Err)
    }

    /// Why nothing more will come.
    pub(super) fn end(self) -> Option<Error> {
        match self.condition {
            Condition::Sound | Condition::Reloading => None,
            Condition::Frozen | Condition::Gone => self.condition.check().err(),
        }
    }
}

/// Something that may be told once the version it tells of is committed.
#[derive(Debug)]
#[must_use = "it is not told until it is settled"]
pub struct Settling<T> {
    value: T,
    version: u64,
    reloads: u32,
}

#[cfg(test)]
impl<T> Settling<T> {
    /// What will be told, looked at too early.
    pub(super) fn unsettled(self) -> T {
        self.value
    }
}

/// A seat that somebody got.
#[derive(Debug)]
pub struct Joined {
    /// The seat.
    pub seat: Seat,
    /// Its token, to be shown to its player.
    pub token: Token,
    /// The session with the seat taken.
    pub session: pb::Session,
}

/// A watcher's place at the beginning of its stream.
#[derive(Debug)]
pub(super) struct Entrance {
    pub(super) pass: Pass,
    pub(super) progress: watch::Receiver<Progress>,
    /// The version before the first that the feed will bring.
    pub(super) joined: u64,
    /// What to send before that.
    pub(super) first: First,
}

/// What a stream begins with.
#[derive(Debug)]
pub(super) enum First {
    /// How things stand.
    Snapshot(Encoded),
    /// What the watcher has missed after this version.
    Missed { after: u64, history: Box<History> },
    /// Nothing: the watcher is up to date.
    Nothing,
}

impl Session {
    /// A session in which nothing has happened.
    ///
    /// # Errors
    /// If the game forbids the options or the number of seats.
    pub(super) fn new(
        id: SessionId,
        serial: u64,
        header: Header,
        game: &'static GameEntry,
        house: Arc<House>,
    ) -> Result<Arc<Self>, Error> {
        let state = State::new(game, &header)?;
        let progress = Progress {
            published: state.version(),
            finished: false,
            reloads: 0,
            condition: Condition::Sound,
        };
        Ok(Arc::new(Self {
            id,
            serial,
            header,
            game,
            touched_s: AtomicU64::new(house.clock_s()),
            house,
            inside: Mutex::new(Inside {
                state,
                feeds: Feeds::default(),
                condition: Condition::Sound,
            }),
            progress: watch::Sender::new(progress),
            bot_queued: AtomicBool::new(false),
        }))
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> SessionId {
        self.id
    }

    /// Its place among the sessions of the server: the newest has the greatest.
    pub(super) fn serial(&self) -> u64 {
        self.serial
    }

    /// The id of its game.
    #[must_use]
    pub fn game(&self) -> &'static str {
        self.game.id
    }

    /// What all sessions share.
    pub(super) fn house(&self) -> &Arc<House> {
        &self.house
    }

    // === what anybody may ask

    /// The session.
    ///
    /// # Errors
    /// If it cannot be used.
    pub fn describe(&self) -> Result<Settling<pb::Session>, Error> {
        let inside = self.enter()?;
        Ok(self.settling(&inside, self.session_to_pb(&inside.state)))
    }

    /// How far it is.
    ///
    /// # Errors
    /// If it cannot be used.
    pub fn status(&self) -> Result<pb::SessionStatus, Error> {
        Ok(self.enter()?.state.status())
    }

    /// What the holder of the token knows, or a spectator.
    ///
    /// # Errors
    /// If the token is not one of the session.
    pub fn observe(
        &self,
        token: Option<TokenHash>,
        view: pb::View,
    ) -> Result<Settling<Shown>, Error> {
        let inside = self.enter()?;
        let viewer = inside.state.caller(token)?.viewer();
        Ok(self.settling(&inside, inside.state.now().shown(viewer, view)))
    }

    /// The whole truth: for anyone once the game is over; before, for the host of a game that hides nothing.
    ///
    /// # Errors
    /// If the caller may not see it, or there is nothing to see yet.
    pub fn whole_state(
        &self,
        token: Option<TokenHash>,
    ) -> Result<Settling<pb::GetStateResponse>, Error> {
        let inside = self.enter()?;
        let Moment {
            table,
            version,
            status,
        } = inside.state.now();
        let caller = inside.state.caller(token)?;
        match status {
            pb::SessionStatus::Finished => {}
            _ if !table.open_information() => return Err(Error::SessionNotFinished),
            _ if caller != Caller::Host => inside.state.require_host(token)?,
            pb::SessionStatus::Waiting => return Err(Error::SessionNotStarted),
            pb::SessionStatus::Running | pb::SessionStatus::Unspecified => {}
        }
        let response = pb::GetStateResponse {
            state: Some(table.state()),
            version,
            status: status.into(),
        };
        Ok(self.settling(&inside, response))
    }

    /// Pages of the record. Replaying takes a while: take it to a thread that may.
    ///
    /// # Errors
    /// If the game is not over or there is no such seat.
    pub fn replay(&self, seat: Option<u32>) -> Result<Settling<ReplayPage>, Error> {
        let inside = self.enter()?;
        let state = &inside.state;
        match state.status() {
            pb::SessionStatus::Finished => {}
            pb::SessionStatus::Waiting => return Err(Error::SessionNotStarted),
            pb::SessionStatus::Running | pb::SessionStatus::Unspecified => {
                return Err(Error::SessionNotFinished);
            }
        }
        let viewer = match seat {
            None => Viewer::Spectator,
            Some(seat) => match u8::try_from(seat) {
                Ok(number) if usize::from(number) < state.seats.len() => Viewer::Seat(Seat(number)),
                Ok(_) | Err(_) => {
                    let allowed =
                        format!("is unset, or a seat from 0 to {}", state.seats.len() - 1);
                    return Err(Error::Malformed(Violation::new("seat", allowed)));
                }
            },
        };
        let page = ReplayPage::new(self.history(state), viewer, self.header.seed_given);
        Ok(self.settling(&inside, page))
    }

    // === what players and hosts may do

    /// Takes a seat for a player: this one, or the first that is open.
    ///
    /// # Errors
    /// If it is taken, or all are.
    pub fn join(self: &Arc<Self>, seat: Option<Seat>) -> Result<Settling<Joined>, Error> {
        let mut inside = self.enter()?;
        let seat = inside.state.open_seat(seat)?;
        let token = Token::new();
        self.change(
            &mut inside,
            LogEntry::Taken(seat, Holder::Player(token.hash())),
        )?;
        let session = self.session_to_pb(&inside.state);
        Ok(self.settling(
            &inside,
            Joined {
                seat,
                token,
                session,
            },
        ))
    }

    /// Gives a seat to a house bot: this one, or the first that is open.
    ///
    /// # Errors
    /// If the token is not the host's, or the seat is taken, or all are.
    pub fn add_bot(
        self: &Arc<Self>,
        token: Option<TokenHash>,
        bot: HouseBot,
        seat: Option<Seat>,
    ) -> Result<Settling<(Seat, pb::Session)>, Error> {
        let mut inside = self.enter()?;
        inside.state.require_host(token)?;
        let seat = inside.state.open_seat(seat)?;
        self.change(&mut inside, LogEntry::Taken(seat, Holder::Bot(bot)))?;
        let session = self.session_to_pb(&inside.state);
        Ok(self.settling(&inside, (seat, session)))
    }

    /// Leaves the seat of the token: before the start it is open again, after it this is a resignation.
    ///
    /// # Errors
    /// If the token is no seat's, or the game is over for a seat that has not left it.
    pub fn leave(
        self: &Arc<Self>,
        token: Option<TokenHash>,
    ) -> Result<Settling<pb::Session>, Error> {
        let mut inside = self.enter()?;
        let seat = inside.state.seat_of(token)?;
        let resigned = inside
            .state
            .seats
            .get(usize::from(seat.0))
            .is_some_and(|seat| seat.resigned);
        if inside.state.start_version.is_none() {
            self.change(&mut inside, LogEntry::Left(seat))?;
        } else if !resigned {
            self.change(
                &mut inside,
                LogEntry::Ply(Entry::Resign(seat), SystemTime::now()),
            )?;
        }
        let session = self.session_to_pb(&inside.state);
        Ok(self.settling(&inside, session))
    }

    /// Answers a decision for the seat of the token. A seat's first answer counts; the same answer again gets the
    /// first reply and changes nothing.
    ///
    /// # Errors
    /// If the token is no seat's, the answer is malformed or comes too late, or the rules forbid it; nothing has
    /// changed then.
    pub fn submit(
        self: &Arc<Self>,
        token: Option<TokenHash>,
        decision: u64,
        answer: &Answer,
        view: pb::View,
    ) -> Result<Settling<Shown>, Error> {
        let mut inside = self.enter()?;
        let seat = inside.state.seat_of(token)?;
        let given = self.answer(&mut inside, By::Player, seat, decision, answer)?;
        let viewer = Viewer::Seat(seat);
        Ok(match given {
            Given::Now => self.settling(&inside, inside.state.now().shown(viewer, view)),
            Given::Before(table, version) => {
                let then = Moment {
                    table: &*table,
                    version,
                    status: status_of(&*table),
                };
                self.settling(&inside, then.shown(viewer, view))
            }
        })
    }

    /// As [`Session::submit`], for those who were let in before and hear of the result by an update: its version.
    ///
    /// # Errors
    /// As [`Session::submit`].
    pub(super) fn submit_again(
        self: &Arc<Self>,
        pass: &Pass,
        decision: u64,
        answer: &Answer,
    ) -> Result<Settling<u64>, Error> {
        let mut inside = self.enter()?;
        let seat = inside.state.readmit(pass)?.seat()?;
        let version = match self.answer(&mut inside, By::Player, seat, decision, answer)? {
            Given::Now => inside.state.version(),
            Given::Before(_, version) => version,
        };
        Ok(self.settling(&inside, version))
    }

    /// Ends the session for good.
    ///
    /// # Errors
    /// If the token is not the host's.
    pub(super) fn delete(&self, token: Option<TokenHash>) -> Result<(), Error> {
        let mut inside = self.enter()?;
        inside.state.require_host(token)?;
        self.set_condition(&mut inside, Condition::Gone);
        Ok(())
    }

    // === how an answer is taken

    fn answer(
        self: &Arc<Self>,
        inside: &mut Inside,
        by: By,
        seat: Seat,
        decision: u64,
        answer: &Answer,
    ) -> Result<Given, Error> {
        let state = &inside.state;
        let Some(start_version) = state.start_version else {
            return Err(Error::SessionNotStarted);
        };
        let action = state.table.read(answer)?;
        let to_act = state.table.to_act();
        let current =
            (!to_act.is_empty()).then(|| (state.table.decision_number(Viewer::Seat(seat)), to_act));
        let open = current.is_some_and(|(open, _)| open == decision);
        if open && to_act.contains(seat) {
            let seat_state = state.seats.get(usize::from(seat.0));
            if by == By::Player && seat_state.is_some_and(|state| state.resigned) {
                return Err(Error::SeatMismatch(
                    "the player of this seat has left the game",
                ));
            }
            self.change(
                inside,
                LogEntry::Ply(Entry::Action(seat, action), SystemTime::now()),
            )?;
            return Ok(Given::Now);
        }
        match state.table.answer(seat, decision) {
            Some((first, then)) if first == action => {
                let version = start_version + u64::from(then.ply());
                Ok(Given::Before(then, version))
            }
            Some(_) => Err(Error::StaleDecision {
                given: decision,
                current,
            }),
            None if current.is_none() => Err(Error::GameOver),
            None if open => Err(Error::NotToAct {
                seat,
                waiting_for: to_act,
            }),
            None => Err(Error::StaleDecision {
                given: decision,
                current,
            }),
        }
    }

    /// Changes the session: in memory, in the feeds, in the store, and then for everybody to see.
    fn change(self: &Arc<Self>, inside: &mut Inside, entry: LogEntry) -> Result<(), Error> {
        let at = inside.state.log_len;
        // A table that panics may be left between two states: nobody gets to see it any more.
        match catch_unwind(AssertUnwindSafe(|| inside.state.apply(entry))) {
            Ok(applied) => applied?,
            Err(_) => {
                tracing::error!(session_id = %self.id, game = self.game.id, "a table panicked");
                self.set_condition(inside, Condition::Frozen);
                return Err(Error::Internal);
            }
        }
        let Inside { state, feeds, .. } = inside;
        let version = state.version();
        let lag_max = usize::try_from(self.house.limits().watcher_lag_max).unwrap_or(usize::MAX);
        feeds.push(version, lag_max, |viewer, view| {
            self.encode(state, viewer, view, false)
        });
        if state.table.to_act().is_empty() {
            tracing::info!(session_id = %self.id, game = self.game.id, plies = state.table.ply(), "game over");
        }
        match self.house.store().append(self.id, at, entry) {
            Commit::Done(Ok(())) => self.publish(inside, version),
            Commit::Done(Err(error)) => {
                self.reload(inside, &error);
                return Err(Error::StoreUnavailable);
            }
            Commit::Pending(commit) => {
                let session = Arc::clone(self);
                let reloads = self.progress.borrow().reloads;
                self.house.runtime().spawn(async move {
                    let committed = commit.await;
                    let mut inside = session.inside.lock();
                    // What was written before a reload is settled by the reload.
                    if session.progress.borrow().reloads != reloads {
                        return;
                    }
                    match committed {
                        Ok(Ok(())) => session.publish(&inside, version),
                        Ok(Err(error)) => session.reload(&mut inside, &error),
                        Err(_) => session.reload(
                            &mut inside,
                            &StoreError::Unavailable("it gave up".to_owned()),
                        ),
                    }
                });
            }
        }
        Ok(())
    }

    /// Lets everybody see a committed version.
    fn publish(self: &Arc<Self>, inside: &Inside, version: u64) {
        let state = &inside.state;
        let finished = version == state.version() && state.status() == pb::SessionStatus::Finished;
        self.progress.send_if_modified(|progress| {
            progress.published = progress.published.max(version);
            progress.finished = finished;
            // Nobody has to be woken if nobody waits: whoever comes later looks before it waits.
            self.progress.receiver_count() > 0
        });
        self.wake_bots(state);
    }

    /// After a failed write: what is in memory may not be what is stored, so it is loaded before anything else.
    fn reload(self: &Arc<Self>, inside: &mut Inside, error: &StoreError) {
        if inside.condition != Condition::Sound {
            return;
        }
        tracing::warn!(session_id = %self.id, %error, "a write failed, loading the session anew");
        self.set_condition(inside, Condition::Reloading);
        self.progress.send_modify(|progress| progress.reloads += 1);
        let session = Arc::clone(self);
        self.house.runtime().spawn(async move {
            loop {
                let loading = Arc::clone(&session);
                let loaded = tokio::task::spawn_blocking(move || {
                    let stored = loading.house.store().load(loading.id)?;
                    Ok::<_, StoreError>(State::load(loading.game, &stored))
                });
                match loaded.await {
                    Ok(Ok(Ok(state))) => return session.resume_with(state),
                    Ok(Ok(Err(_))) | Err(_) => return session.freeze(),
                    Ok(Err(StoreError::NotFound)) => {
                        return session.set_condition(&mut session.inside.lock(), Condition::Gone);
                    }
                    Ok(Err(error)) => {
                        tracing::debug!(session_id = %session.id, %error, "cannot load yet");
                        tokio::time::sleep(RELOAD_PAUSE).await;
                    }
                }
            }
        });
    }

    fn resume_with(self: &Arc<Self>, state: State) {
        let mut inside = self.inside.lock();
        if inside.condition != Condition::Reloading {
            return;
        }
        // Updates of what was never stored must not be told, those of what was may have been.
        inside.feeds.clear();
        inside.state = state;
        self.set_condition(&mut inside, Condition::Sound);
        let version = inside.state.version();
        self.publish(&inside, version);
    }

    // === how watchers are served

    /// Lets a watcher in: as the seat of the token, or as a spectator.
    ///
    /// # Errors
    /// If the token is not one of the session, there are too many watchers, or `from_version` is yet to come.
    pub(super) fn watch(
        &self,
        token: Option<TokenHash>,
        view: pb::View,
        from_version: Option<u64>,
        seat_only: bool,
    ) -> Result<Entrance, Error> {
        let mut inside = self.enter()?;
        let pass = inside.state.admit(token)?;
        if seat_only {
            inside.state.readmit(&pass)?.seat()?;
        }
        let max = self.house.limits().watchers_per_session_max;
        if inside.feeds.watchers() >= max {
            return Err(Error::LimitReached {
                what: "watchers of a session",
                max: max.into(),
            });
        }
        let viewer = pass.viewer();
        let version = inside.state.version();
        let first = match (from_version, inside.state.start_version) {
            (Some(from), _) if from == 0 || from > version => {
                let allowed = format!("is unset, or a version from 1 to {version}");
                return Err(Error::Malformed(Violation::new("from_version", allowed)));
            }
            (Some(from), _) if from == version => First::Nothing,
            (Some(from), Some(_)) => First::Missed {
                after: from,
                history: Box::new(self.history(&inside.state)),
            },
            (Some(_), None) | (None, _) => {
                First::Snapshot((version, self.encode(&inside.state, viewer, view, true)))
            }
        };
        inside.feeds.join(viewer, view);
        Ok(Entrance {
            pass,
            progress: self.progress.subscribe(),
            joined: version,
            first,
        })
    }

    /// A watcher goes.
    pub(super) fn unwatch(&self, viewer: Viewer, view: pb::View) {
        self.inside.lock().feeds.leave(viewer, view);
    }

    /// The updates after version `seen`; one snapshot in their place for a watcher that fell too far behind.
    ///
    /// # Errors
    /// If the session cannot be used, or the watcher's token has become void.
    pub(super) fn updates(
        &self,
        pass: &Pass,
        view: pb::View,
        seen: u64,
    ) -> Result<Vec<Encoded>, Error> {
        let inside = self.enter()?;
        let viewer = inside.state.readmit(pass)?.viewer();
        let published = self.progress.borrow().published;
        if let Some(updates) = inside.feeds.after(viewer, view, seen, published) {
            return Ok(updates);
        }
        let version = inside.state.version();
        // How things stand may be told once it is committed.
        let settled = version == published;
        Ok(settled
            .then(|| (version, self.encode(&inside.state, viewer, view, true)))
            .into_iter()
            .collect())
    }

    /// Everything needed to tell the story again elsewhere.
    fn history(&self, state: &State) -> History {
        History {
            game: self.game,
            opening: self.header.opening.clone(),
            entries: state.table.entries().to_vec(),
            start_version: state.start_version.unwrap_or(state.version()),
            session: self.session_to_pb(state),
        }
    }

    // === how house bots are served

    fn wake_bots(self: &Arc<Self>, state: &State) {
        let owes = state.start_version.is_some() && bot_to_act(state).is_some();
        if owes && !self.bot_queued.swap(true, Ordering::AcqRel) {
            self.house.bots().enqueue(self);
        }
    }

    /// Lets the house bot whose turn it is think and answer, on the calling thread.
    pub(super) fn play_bot(self: &Arc<Self>) {
        self.bot_queued.store(false, Ordering::Release);
        let Some((seat, decision, turn)) = self.bot_turn() else {
            return;
        };
        let Some(action) = turn() else {
            tracing::error!(session_id = %self.id, seat = seat.0, "a house bot has no answer");
            return;
        };
        // The session may have moved on meanwhile; then the bot is asked again if it still owes an answer.
        if let Ok(mut inside) = self.enter() {
            let answered = self.answer(&mut inside, By::Bot, seat, decision, &Answer::Id(action.0));
            if let Err(error) = answered {
                tracing::debug!(session_id = %self.id, seat = seat.0, %error, "a house bot's answer was refused");
                self.wake_bots(&inside.state);
            }
        }
    }

    fn bot_turn(&self) -> Option<(Seat, u64, BotTurn)> {
        let inside = self.enter().ok()?;
        let state = &inside.state;
        if self.progress.borrow().published < state.version() {
            // It is woken when this version is committed.
            return None;
        }
        let (seat, bot) = bot_to_act(state)?;
        Some((
            seat,
            state.table.decision_number(Viewer::Seat(seat)),
            state.table.bot_turn(seat, bot),
        ))
    }

    // === small things

    /// Hands out what a reply tells of once it is committed, which it nearly always is already.
    ///
    /// # Errors
    /// If it could not be.
    pub fn settle<T: Send>(
        &self,
        settling: Settling<T>,
    ) -> impl Future<Output = Result<T, Error>> + Send {
        let Settling {
            value,
            version,
            reloads,
        } = settling;
        let settled = self.progress.borrow().settled(version, reloads);
        // Boxed, so that waiting weighs on those only who have to.
        let waiting = settled
            .is_none()
            .then(|| Box::pin(self.wait_for(version, reloads)));
        async move {
            match (settled, waiting) {
                (Some(settled), _) => settled?,
                (None, Some(waiting)) => waiting.await?,
                (None, None) => {}
            }
            Ok(value)
        }
    }

    fn wait_for(
        &self,
        version: u64,
        reloads: u32,
    ) -> impl Future<Output = Result<(), Error>> + Send + use<> {
        let mut progress = self.progress.subscribe();
        async move {
            let settled = |progress: &Progress| progress.settled(version, reloads).is_some();
            let progress = progress
                .wait_for(settled)
                .await
                .map_err(|_| Error::Internal)?;
            progress.settled(version, reloads).unwrap_or(Ok(()))
        }
    }

    /// Lets all who wait for the session look up: the server is going down.
    pub(super) fn nudge(&self) {
        self.progress.send_modify(|_| {});
    }

    /// Puts the session out of use, because of a fault of ours.
    pub(super) fn freeze(&self) {
        self.set_condition(&mut self.inside.lock(), Condition::Frozen);
    }

    /// Forgets the session; its watchers are told that it is gone.
    pub(super) fn forget(&self) {
        self.set_condition(&mut self.inside.lock(), Condition::Gone);
    }

    /// Remembers that somebody came.
    pub fn touch(&self) {
        self.touched_s
            .store(self.house.clock_s(), Ordering::Relaxed);
    }

    /// Whether the session has been left alone for so long that it may be forgotten.
    pub(super) fn expired(&self) -> bool {
        let inside = self.inside.lock();
        let limits = self.house.limits();
        let now_s = self.house.clock_s();
        if inside.feeds.watchers() > 0 {
            return false;
        }
        let keep_s = match inside.state.status() {
            pb::SessionStatus::Finished => limits.session_retain_s,
            _ => limits.session_idle_s,
        };
        now_s.saturating_sub(self.touched_s.load(Ordering::Relaxed)) > keep_s.into()
    }

    /// The lock, of a session that can be used.
    fn enter(&self) -> Result<MutexGuard<'_, Inside>, Error> {
        let inside = self.inside.lock();
        inside.condition.check()?;
        Ok(inside)
    }

    fn set_condition(&self, inside: &mut Inside, condition: Condition) {
        inside.condition = condition;
        self.progress
            .send_modify(|progress| progress.condition = condition);
    }

    fn settling<T>(&self, inside: &Inside, value: T) -> Settling<T> {
        let version = inside.state.version();
        Settling {
            value,
            version,
            reloads: self.progress.borrow().reloads,
        }
    }

    fn encode(&self, state: &State, viewer: Viewer, view: pb::View, snapshot: bool) -> Bytes {
        let update = state
            .now()
            .update(viewer, view, snapshot, || self.session_to_pb(state));
        update.encode_to_vec().into()
    }

    fn session_to_pb(&self, state: &State) -> pb::Session {
        let Moment {
            table,
            version,
            status,
        } = state.now();
        pb::Session {
            session_id: self.id.to_string(),
            game: self.game.id.to_owned(),
            status: status.into(),
            version,
            options: Some(table.options()),
            seats: (0..)
                .zip(&state.seats)
                .map(|(number, seat)| seat_to_pb(number, seat.holder, seat.resigned))
                .collect(),
            seed_given: self.header.seed_given,
            rules_version: self.header.opening.rules_version,
            create_time: Some(self.header.create_time.into()),
            end_time: state.end_time.map(Into::into),
            outcome: table.outcome(),
        }
    }
}

/// Who answers for a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    /// The player who holds it.
    Player,
    /// A house bot.
    Bot,
}

/// What became of an answer that is not refused.
enum Given {
    /// It was applied now.
    Now,
    /// It had been given before: the table right after it, and the version of the session.
    Before(Box<dyn Table>, u64),
}

/// A seat that owes an answer and that a house bot answers for: its own, or one whose player has left.
fn bot_to_act(state: &State) -> Option<(Seat, HouseBot)> {
    state.table.to_act().iter().find_map(|seat| {
        let SeatState { holder, resigned } = *state.seats.get(usize::from(seat.0))?;
        match holder? {
            Holder::Bot(bot) => Some((seat, bot)),
            Holder::Player(_) => resigned.then_some((seat, HouseBot::Greedy)),
        }
    })
}

fn seat_to_pb(number: u32, holder: Option<Holder>, resigned: bool) -> pb::Seat {
    let (holder, bot) = match holder {
        None => (pb::SeatHolder::Open, ""),
        Some(Holder::Player(_)) => (pb::SeatHolder::Player, ""),
        Some(Holder::Bot(bot)) => (pb::SeatHolder::Bot, bot.name()),
    };
    pb::Seat {
        seat: Some(number),
        holder: holder.into(),
        bot: bot.to_owned(),
        resigned,
    }
}
