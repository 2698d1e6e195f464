//! One session: the lock, and all that happens under it.

use std::sync::{
    Arc, Weak,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use bytes::Bytes;
use parking_lot::{Mutex, MutexGuard};
use tavola_engine::{Entry, Seat, Viewer};
use tokio::sync::watch;

use super::{
    House, Shown,
    bots::STAND_IN,
    commit::{Progress, Settling},
    history::{History, Replay},
    pending::Pending,
    sandboxes::{NotKept, Sandbox},
    shown::{Moment, Told},
    state::{Caller, SeatState, State},
    timer::Ticking,
    watchers::Feeds,
};
use crate::{
    clock::Clock,
    encoding::encoded,
    error::{Error, Violation},
    fair_dice,
    house_bot::HouseBot,
    metrics::{Among, Tally},
    pb::v1 as pb,
    request_id::{Claim, Repeatable, RequestMark},
    store::{Header, Holder, Log, LogEntry, Ply, SessionId, Stored},
    token::{Token, TokenHash},
    wire::GameEntry,
};

/// A game on the server with its seats.
#[derive(Debug)]
pub struct Session {
    id: SessionId,
    header: Header,
    /// What its dice are bound by.
    commitment: [u8; 32],
    pub(super) game: &'static GameEntry,
    house: Arc<House>,
    /// Where its changes are written.
    pub(super) log: Box<dyn Log>,
    pub(super) tally: Tally,
    /// What makes it a sandbox, if it is one.
    pub(super) sandbox: Option<Sandbox>,
    pub(super) inside: Mutex<Inside>,
    pub(super) progress: watch::Sender<Progress>,
    /// The latest second of the house clock in which somebody came to the session.
    touched_s: AtomicU64,
    /// The second of the house clock that its store knows for that.
    pub(super) touch_stored_s: AtomicU64,
    /// Whether the session is in the bots' queue.
    pub(super) bot_queued: AtomicBool,
}

/// What the lock guards.
#[derive(Debug)]
pub(super) struct Inside {
    pub(super) state: State,
    pub(super) feeds: Feeds,
    pub(super) condition: Condition,
    pub(super) ticking: Ticking,
    /// Those who wait for what is not committed yet.
    pub(super) pending: Pending,
}

impl Inside {
    /// The session as it is now, clocks included.
    pub(super) fn now(&self) -> Moment<'_> {
        Moment {
            elapsed: self.ticking.elapsed(),
            ..self.state.now()
        }
    }
}

/// Whether a session can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
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
    pub(super) const fn check(self) -> Result<(), Error> {
        match self {
            Self::Sound => Ok(()),
            Self::Reloading => Err(Error::StoreUnavailable),
            Self::Frozen => Err(Error::Internal),
            Self::Gone => Err(Error::SessionNotFound),
        }
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

impl Session {
    /// A session as it was stored.
    ///
    /// # Errors
    /// If it was played by other rules than this server has, or does not follow them.
    pub(super) fn load(
        id: SessionId,
        stored: Stored,
        house: Arc<House>,
    ) -> Result<Arc<Self>, Error> {
        let game = GameEntry::find(&stored.header.game).ok_or(Error::SessionOutdated)?;
        let state = State::load(game, &stored).map_err(|error| match error {
            Error::SessionOutdated => error,
            _ => {
                tracing::error!(session_id = %id, %error, "a stored session does not follow the rules");
                Error::SessionDamaged
            }
        })?;
        Ok(Self::at(id, stored.header, game, house, state))
    }

    /// A session that its store has.
    pub(super) fn at(
        id: SessionId,
        header: Header,
        game: &'static GameEntry,
        house: Arc<House>,
        state: State,
    ) -> Arc<Self> {
        Self::begin(id, header, game, house, state, None)
    }

    /// A session with a log of its own if it is a sandbox, which nobody keeps, else with that of its store.
    pub(super) fn begin(
        id: SessionId,
        header: Header,
        game: &'static GameEntry,
        house: Arc<House>,
        state: State,
        sandbox: Option<Sandbox>,
    ) -> Arc<Self> {
        let among = match sandbox {
            Some(_) => Among::Sandboxes,
            None => Among::Sessions,
        };
        let tally = Tally::new(
            Arc::clone(house.metrics()),
            among,
            game,
            state.status(),
            state.table.ply(),
        );
        let progress = Progress {
            published: state.version(),
            finished: state.status() == pb::SessionStatus::Finished,
            reloads: 0,
            condition: Condition::Sound,
        };
        let now_s = house.clock_s();
        Arc::new_cyclic(|session: &Weak<Self>| Self {
            id,
            commitment: fair_dice::commitment(header.own_seed(), header.nonce),
            header,
            game,
            log: match &sandbox {
                Some(_) => Box::new(NotKept),
                None => house.store().log(id, session.clone()),
            },
            sandbox,
            touched_s: AtomicU64::new(now_s),
            touch_stored_s: AtomicU64::new(now_s),
            house,
            tally,
            inside: Mutex::new(Inside {
                state,
                feeds: Feeds::default(),
                condition: Condition::Sound,
                ticking: Ticking::default(),
                pending: Pending::default(),
            }),
            progress: watch::Sender::new(progress),
            bot_queued: AtomicBool::new(false),
        })
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> SessionId {
        self.id
    }

    /// Its place among the sessions of the store.
    pub(super) fn serial(&self) -> u64 {
        self.header.serial
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

    /// What it is from its first moment on.
    pub(super) fn header(&self) -> &Header {
        &self.header
    }

    /// Whether the session is there for somebody with this token, or without one.
    pub(super) fn admits(&self, token: Option<TokenHash>) -> bool {
        self.header.join.is_none() || self.inside.lock().state.caller(token).is_ok()
    }

    /// Whether it is there only for those who have a token of it.
    pub(super) fn private(&self) -> bool {
        self.header.join.is_some()
    }

    /// Whether it was deleted.
    pub(super) fn is_gone(&self) -> bool {
        self.inside.lock().condition == Condition::Gone
    }

    /// Whether this request created it.
    pub(super) fn created_by(&self, request: RequestMark) -> bool {
        self.header.request == Some(request)
    }

    // === what anybody may ask

    /// The session.
    ///
    /// # Errors
    /// If it cannot be used.
    #[tracing::instrument(level = "debug", skip_all, fields(session_id = %self.id))]
    pub fn describe(&self) -> Result<Settling<pb::Session>, Error> {
        let mut inside = self.enter()?;
        let session = self.session_to_pb(&inside.state);
        Ok(self.settling(&mut inside, session))
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
    #[tracing::instrument(level = "debug", skip_all, fields(session_id = %self.id))]
    pub fn observe(
        &self,
        token: Option<TokenHash>,
        view: pb::View,
    ) -> Result<Settling<Shown>, Error> {
        let mut inside = self.enter()?;
        let viewer = inside.state.caller(token)?.viewer();
        let shown = inside.now().shown(viewer, view);
        Ok(self.settling(&mut inside, shown))
    }

    /// The whole truth: for anyone once the game is over; before, for the host of a fork or of a game that hides
    /// nothing.
    ///
    /// # Errors
    /// If the caller may not see it, or there is nothing to see yet.
    #[tracing::instrument(level = "debug", skip_all, fields(session_id = %self.id))]
    pub fn whole_state(
        &self,
        token: Option<TokenHash>,
    ) -> Result<Settling<pb::GetStateResponse>, Error> {
        let mut inside = self.enter()?;
        let Moment {
            table,
            version,
            status,
            ..
        } = inside.state.now();
        let caller = inside.state.caller(token)?;
        match status {
            pb::SessionStatus::Finished => {}
            _ if !inside.state.open_to_host() => return Err(Error::SessionNotFinished),
            _ if caller != Caller::Host => inside.state.require_host(token)?,
            pb::SessionStatus::Waiting => return Err(Error::SessionNotStarted),
            pb::SessionStatus::Running | pb::SessionStatus::Unspecified => {}
        }
        let response = pb::GetStateResponse {
            state: Some(table.state()),
            version,
            status: status.into(),
        };
        Ok(self.settling(&mut inside, response))
    }

    /// The replay of a finished game.
    ///
    /// # Errors
    /// If the game is not over, it is a sandbox, or there is no such seat.
    #[tracing::instrument(level = "debug", skip_all, fields(session_id = %self.id))]
    pub fn replay(&self, seat: Option<u32>) -> Result<Settling<Replay>, Error> {
        let mut inside = self.enter()?;
        let state = &inside.state;
        if self.sandbox.is_some() {
            return Err(Error::Sandbox);
        }
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
        let page = Replay::new(self.history(state), viewer, &self.header);
        Ok(self.settling(&mut inside, page))
    }

    // === what players and hosts may do

    /// Takes a seat for a player: this one, or the first that is open. A request that took one before gets the same.
    ///
    /// # Errors
    /// If the seat is taken, or all are; if the session is private and the token is neither its join token nor its
    /// host's; if the request id was used for something else.
    #[tracing::instrument(level = "debug", skip_all, fields(session_id = %self.id))]
    pub fn join(
        self: &Arc<Self>,
        token: Option<TokenHash>,
        seat: Option<Seat>,
        request: Option<&Repeatable>,
    ) -> Result<Settling<Joined>, Error> {
        let claim = self.claim(request);
        let request = claim.as_ref().map(Claim::mark);
        let mut inside = self.enter()?;
        inside.state.may_join(token)?;
        let before = request.map_or(Ok(None), |request| inside.state.taken_by(request))?;
        let seat = before.map_or_else(|| inside.state.open_seat(seat), Ok)?;
        let token = claim
            .as_ref()
            .map_or_else(Token::new, |claim| claim.token("seat"));
        if before.is_none() {
            let holder = Holder::Player(token.hash());
            self.change(&mut inside, LogEntry::Taken(seat, holder, request))?;
        }
        let session = self.session_to_pb(&inside.state);
        Ok(self.settling(
            &mut inside,
            Joined {
                seat,
                token,
                session,
            },
        ))
    }

    /// Gives a seat to a house bot: this one, or the first that is open. A request that gave one before gives no other.
    ///
    /// # Errors
    /// If the token is not the host's, the seat is taken, or all are, or the request id was used for something else.
    #[tracing::instrument(level = "debug", skip_all, fields(session_id = %self.id))]
    pub fn add_bot(
        self: &Arc<Self>,
        token: Option<TokenHash>,
        bot: HouseBot,
        seat: Option<Seat>,
        request: Option<&Repeatable>,
    ) -> Result<Settling<(Seat, pb::Session)>, Error> {
        let request = self.claim(request).as_ref().map(Claim::mark);
        let mut inside = self.enter()?;
        inside.state.require_host(token)?;
        let before = request.map_or(Ok(None), |request| inside.state.taken_by(request))?;
        let seat = before.map_or_else(|| inside.state.open_seat(seat), Ok)?;
        if before.is_none() {
            self.change(
                &mut inside,
                LogEntry::Taken(seat, Holder::Bot(bot), request),
            )?;
        }
        let session = self.session_to_pb(&inside.state);
        Ok(self.settling(&mut inside, (seat, session)))
    }

    /// Leaves the seat of the token: before the start it is open again, after it this is a resignation.
    ///
    /// # Errors
    /// If the token is no seat's, or the game is over for a seat that has not left it.
    #[tracing::instrument(level = "debug", skip_all, fields(session_id = %self.id))]
    pub fn leave(
        self: &Arc<Self>,
        token: Option<TokenHash>,
    ) -> Result<Settling<pb::Session>, Error> {
        let mut inside = self.enter()?;
        let seat = inside.state.seat_of(token)?;
        self.expire_clocks(&mut inside)?;
        let out = inside
            .state
            .seat(seat)
            .is_some_and(|seat| seat.out.is_some());
        if inside.state.start_version.is_none() {
            self.change(&mut inside, LogEntry::Left(seat))?;
        } else if !out {
            let ply = Ply::now(Entry::Resign(seat), inside.ticking.elapsed());
            self.change(&mut inside, LogEntry::Ply(ply))?;
        }
        let session = self.session_to_pb(&inside.state);
        Ok(self.settling(&mut inside, session))
    }

    /// Ends the session for good.
    ///
    /// # Errors
    /// If the token is not the host's.
    #[tracing::instrument(level = "debug", skip_all, fields(session_id = %self.id))]
    pub(super) fn delete(&self, token: Option<TokenHash>) -> Result<(), Error> {
        let mut inside = self.inside.lock();
        // A session that is out of use can be deleted all the same.
        if inside.condition == Condition::Gone {
            return Err(Error::SessionNotFound);
        }
        inside.state.require_host(token)?;
        self.set_condition(&mut inside, Condition::Gone);
        Ok(())
    }

    // === small things

    /// Everything needed to tell the story again elsewhere.
    pub(super) fn history(&self, state: &State) -> History {
        History {
            game: self.game,
            opening: self.header.opening.clone(),
            drawn: state.table.as_drawn().map(Arc::from),
            entries: state.table.entries().to_vec(),
            start_version: state.start_version.unwrap_or(state.version()),
            clocks: state.clocks.as_deref().cloned(),
            session: self.session_to_pb(state),
            resigned: match &self.header.fork {
                Some(fork) => fork.resigned.clone(),
                None => Vec::new(),
            },
        }
    }

    /// A request where its id counts: in this session.
    fn claim(&self, request: Option<&Repeatable>) -> Option<Claim> {
        request.map(|request| {
            let scope = self.id.to_string();
            request.within(scope.as_bytes(), self.house.secret())
        })
    }

    /// Lets all who wait for the session look up: the server is going down.
    pub(super) fn nudge(&self) {
        self.progress.send_modify(|_| {});
    }

    /// Puts the session out of use, because of a fault of ours.
    pub(super) fn freeze(&self, inside: &mut Inside, why: &str) {
        tracing::error!(session_id = %self.id, game = self.game.id, why, "session frozen");
        self.set_condition(inside, Condition::Frozen);
    }

    /// Remembers that somebody came.
    pub fn touch(&self) {
        self.touched_s
            .store(self.house.clock_s(), Ordering::Relaxed);
    }

    /// The latest second of the house clock in which somebody came to the session.
    pub(super) fn touched_s(&self) -> u64 {
        self.touched_s.load(Ordering::Relaxed)
    }

    /// Whether it is sound, and all that has changed in it is committed.
    pub(super) fn is_settled(&self, inside: &Inside) -> bool {
        inside.condition == Condition::Sound
            && self.progress.borrow().published == inside.state.version()
    }

    /// Puts the session out of use: it goes on as another one that is loaded from the store.
    pub(super) fn retire(&self, inside: &mut Inside) {
        self.set_condition(inside, Condition::Gone);
    }

    /// Puts the session out of use if it has been left alone for so long that it may be forgotten, or is out of use
    /// already. Whoever comes in the next moment finds it gone.
    pub(super) fn expire(&self) -> bool {
        let mut inside = self.inside.lock();
        let limits = self.house.limits();
        let keep_s = match inside.condition {
            Condition::Gone => return true,
            // What is in memory is not to be relied on.
            Condition::Frozen | Condition::Reloading => limits.session_idle_s,
            Condition::Sound if self.sandbox.is_some() => limits.sandbox_idle_s,
            Condition::Sound if inside.state.status() == pb::SessionStatus::Finished => {
                limits.session_retain_s
            }
            Condition::Sound => limits.session_idle_s,
        };
        let left_alone_s = self.house.clock_s().saturating_sub(self.touched_s());
        let expired = inside.feeds.watchers() == 0 && left_alone_s > keep_s.into();
        if expired {
            self.set_condition(&mut inside, Condition::Gone);
        }
        expired
    }

    /// The lock, of a session that can be used.
    pub(super) fn enter(&self) -> Result<MutexGuard<'_, Inside>, Error> {
        let inside = self.inside.lock();
        inside.condition.check()?;
        Ok(inside)
    }

    pub(super) fn set_condition(&self, inside: &mut Inside, condition: Condition) {
        inside.condition = condition;
        if condition != Condition::Sound {
            self.stop_clocks(inside);
            inside.pending.give_up(condition);
        }
        self.progress
            .send_modify(|progress| progress.condition = condition);
    }

    pub(super) fn encode(
        &self,
        moment: Moment<'_>,
        state: &State,
        viewer: Viewer,
        view: pb::View,
        told: Told,
    ) -> Bytes {
        encoded(&moment.update(viewer, view, told, || self.session_to_pb(state)))
    }

    /// How things stand, for a watcher that begins here.
    pub(super) fn snapshot(&self, inside: &Inside, viewer: Viewer, view: pb::View) -> Bytes {
        self.encode(inside.now(), &inside.state, viewer, view, Told::Snapshot)
    }

    fn session_to_pb(&self, state: &State) -> pb::Session {
        let Moment {
            table,
            version,
            status,
            ..
        } = state.now();
        pb::Session {
            session_id: self.id.to_string(),
            game: self.game.id.to_owned(),
            status: status.into(),
            version,
            options: Some(table.options()),
            seats: (0..)
                .zip(&state.seats)
                .map(|(number, seat)| seat_to_pb(number, *seat))
                .collect(),
            seed_given: self.header.seed_given,
            rules_version: self.header.opening.rules_version,
            create_time: Some(self.header.create_time.into()),
            end_time: state.end_time.map(Into::into),
            outcome: table.outcome(),
            clock: self.header.clock.map(Clock::to_pb),
            seed_commitment: self.commitment.to_vec().into(),
            private: self.private(),
            forked_from: self.header.fork.as_ref().map(|fork| pb::ForkedFrom {
                session_id: fork.origin.map(|origin| origin.to_string()),
                ply: fork.ply,
                sandbox: self.sandbox.is_some(),
            }),
        }
    }
}

fn seat_to_pb(number: u32, seat: SeatState) -> pb::Seat {
    let (holder, bot) = match seat.holder {
        None => (pb::SeatHolder::Open, ""),
        Some(Holder::Player(_)) if seat.relieved() => (pb::SeatHolder::Bot, STAND_IN.name()),
        Some(Holder::Player(_)) => (pb::SeatHolder::Player, ""),
        Some(Holder::Bot(bot)) => (pb::SeatHolder::Bot, bot.name()),
    };
    pb::Seat {
        seat: Some(number),
        holder: holder.into(),
        bot: bot.to_owned(),
        resigned: seat.resigned(),
        out_of_time: seat.out.is_some_and(|out| out.out_of_time),
    }
}
