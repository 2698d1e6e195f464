//! The state of a session, which its header and its log alone decide: the same when the session lives and when it is loaded.

use std::{
    collections::BTreeSet,
    time::{Duration, SystemTime},
};

use tavola_engine::{Entry, Seat, Viewer};

use super::{bots::bot_to_act, clocks::Clocks, shown::Moment};
use crate::{
    error::Error,
    pb::v1::SessionStatus,
    request_id::RequestMark,
    store::{Header, Holder, LogEntry, Standing, Stored},
    token::TokenHash,
    wire::{GameEntry, Table},
};

/// Who calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Caller {
    /// Somebody without a token.
    Anyone,
    /// The host.
    Host,
    /// Somebody whom the host of a private session gave its join token.
    Guest,
    /// The player of a seat.
    Seat(Seat),
}

impl Caller {
    /// The seat whose player the caller is.
    ///
    /// # Errors
    /// If it is none's.
    pub(super) const fn seat(self) -> Result<Seat, Error> {
        match self {
            Self::Seat(seat) => Ok(seat),
            Self::Host => Err(Error::SeatMismatch(
                "this needs the token of a seat, not the host's",
            )),
            Self::Guest => Err(Error::SeatMismatch(
                "this needs the token of a seat, not the join token",
            )),
            Self::Anyone => Err(Error::TokenRequired(
                "this needs the token of a seat, as metadata `authorization: Bearer TOKEN`",
            )),
        }
    }

    /// As whom the caller looks.
    pub(super) const fn viewer(self) -> Viewer {
        match self {
            Self::Seat(seat) => Viewer::Seat(seat),
            Self::Anyone | Self::Host | Self::Guest => Viewer::Spectator,
        }
    }
}

/// A caller that was let in once: known again without another look at its token, as long as no seat is left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pass {
    token: Option<TokenHash>,
    caller: Caller,
    seats_left: u64,
}

impl Pass {
    /// As whom the caller looks.
    pub(super) const fn viewer(&self) -> Viewer {
        self.caller.viewer()
    }
}

/// A place at the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeatState {
    /// Who holds it.
    pub(super) holder: Option<Holder>,
    /// Whether its player is out of the started game, whose seat a house bot plays on if need be.
    pub(super) out: Option<Out>,
    /// The request by which it was taken, if that may be repeated.
    request: Option<RequestMark>,
}

/// A player is out of the game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Out {
    /// The ply after which the player no longer answered.
    pub(super) since: u32,
    /// Whether the seat has resigned; otherwise the house bot plays for the player.
    pub(super) resigned: bool,
    /// Whether that was because the player's time was up.
    pub(super) out_of_time: bool,
}

impl SeatState {
    /// Whether the seat has resigned.
    pub(super) fn resigned(&self) -> bool {
        self.out.is_some_and(|out| out.resigned)
    }

    /// Whether a house bot plays for the player.
    pub(super) fn relieved(&self) -> bool {
        self.out.is_some_and(|out| !out.resigned)
    }
}

/// Everything that changes in a session.
#[derive(Debug)]
pub(super) struct State {
    host: TokenHash,
    join: Option<TokenHash>,
    /// In the order of their numbers.
    pub(super) seats: Vec<SeatState>,
    /// At its set-up until the session starts.
    pub(super) table: Box<dyn Table>,
    /// Entries of the log.
    pub(super) log_len: u64,
    /// Plies that were played elsewhere before a fork began; the version counts them, too.
    inherited: u64,
    /// Whether it is a fork, in which whoever forked plays every seat: nobody else does.
    pub(super) forked: bool,
    /// The version at which the game began.
    pub(super) start_version: Option<u64>,
    /// Grows with everything that may make a token void: each seat that is left before the start, each reload.
    seats_left: u64,
    /// The ids of requests for seats that have been left: they take no seat any more.
    spent_requests: BTreeSet<u64>,
    /// When the game ended.
    pub(super) end_time: Option<SystemTime>,
    /// How long its players have left, if they have clocks.
    pub(super) clocks: Option<Box<Clocks>>,
}

impl State {
    /// A session in which nothing has happened but what it was forked with.
    ///
    /// # Errors
    /// If the game forbids the options, the number of seats or an entry.
    pub(super) fn new(game: &GameEntry, header: &Header) -> Result<Self, Error> {
        let mut table = game.open(&header.opening)?;
        for entry in &header.opening.entries {
            table.enter(*entry)?;
        }
        Ok(Self::at(header, table))
    }

    /// A session that begins at this table.
    pub(super) fn at(header: &Header, table: Box<dyn Table>) -> Self {
        let open = SeatState {
            holder: None,
            out: None,
            request: None,
        };
        let mut seats = vec![open; header.opening.seats.into()];
        let mut end_time = None;
        if let Some(fork) = &header.fork {
            for (number, (seat, token)) in (0..).zip(seats.iter_mut().zip(&fork.seats)) {
                let resigned = fork.resigned.contains(&Seat(number))
                    || table.entries().contains(&Entry::Resign(Seat(number)));
                *seat = SeatState {
                    holder: Some(Holder::Player(*token)),
                    out: resigned.then_some(Out {
                        since: table.ply(),
                        resigned,
                        out_of_time: false,
                    }),
                    request: None,
                };
            }
            end_time = fork.over.then_some(header.create_time);
        }
        Self {
            host: header.host,
            join: header.join,
            seats,
            log_len: 0,
            inherited: table.entries().len() as u64,
            forked: header.fork.is_some(),
            start_version: header.fork.is_some().then_some(1),
            seats_left: 0,
            spent_requests: BTreeSet::new(),
            end_time,
            clocks: header
                .clock
                .map(|clock| Box::new(Clocks::new(clock, header.opening.seats))),
            table,
        }
    }

    /// A session as it was stored.
    ///
    /// # Errors
    /// If the log is not one of this version of the rules.
    pub(super) fn load(game: &GameEntry, stored: &Stored) -> Result<Self, Error> {
        let mut state = Self::new(game, &stored.header)?;
        for entry in &stored.log {
            state.apply(*entry)?;
        }
        Ok(state)
    }

    /// Takes the place of another state of the same session: whoever was let in there has to show its token again.
    pub(super) fn follow(&mut self, before: &Self) {
        self.seats_left = before.seats_left + 1;
    }

    /// The one way in which a session changes.
    ///
    /// # Errors
    /// If the rules forbid the ply; nothing has changed then.
    pub(super) fn apply(&mut self, entry: LogEntry) -> Result<(), Error> {
        match entry {
            LogEntry::Taken(seat, holder, request) => {
                let seat = self.seat_mut(seat)?;
                (seat.holder, seat.request) = (Some(holder), request);
            }
            LogEntry::Left(seat) => {
                let seat = self.seat_mut(seat)?;
                seat.holder = None;
                let request = seat.request.take();
                self.spent_requests
                    .extend(request.map(|request| request.id));
                self.seats_left += 1;
            }
            LogEntry::Ply(ply) => {
                self.table.enter(ply.entry)?;
                if let Entry::Resign(seat) = ply.entry {
                    self.take_out(seat, true, ply.out_of_time)?;
                }
                if self.table.to_act().is_empty() {
                    self.end_time = Some(ply.time);
                }
                if let Some(clocks) = &mut self.clocks {
                    clocks.ply(ply.entry, ply.elapsed, ply.out_of_time, &*self.table);
                }
            }
            LogEntry::HandedOver(seat, elapsed) => {
                self.take_out(seat, false, true)?;
                if let Some(clocks) = &mut self.clocks {
                    clocks.hand_over(seat, elapsed, &*self.table);
                }
            }
        }
        self.log_len += 1;
        if self.start_version.is_none() && self.seats.iter().all(|seat| seat.holder.is_some()) {
            self.start_version = Some(self.version());
            if let Some(clocks) = &mut self.clocks {
                let players = (0..).map(Seat).zip(&self.seats);
                let players = players
                    .filter(|(_, seat)| matches!(seat.holder, Some(Holder::Player(_))))
                    .map(|(seat, _)| seat);
                clocks.begin(players.collect(), &*self.table);
            }
        }
        Ok(())
    }

    fn take_out(&mut self, seat: Seat, resigned: bool, out_of_time: bool) -> Result<(), Error> {
        let since = self.table.ply();
        self.seat_mut(seat)?.out = Some(Out {
            since,
            resigned,
            out_of_time,
        });
        Ok(())
    }

    /// The seat of this number.
    pub(super) fn seat(&self, seat: Seat) -> Option<&SeatState> {
        self.seats.get(usize::from(seat.0))
    }

    /// Whether the time of the seat was up for this decision, so long after the latest version.
    pub(super) fn is_out_of_time(&self, seat: Seat, decision: u64, elapsed: Duration) -> bool {
        self.clocks.as_ref().is_some_and(|clocks| {
            let open = self.table.decision_number(Viewer::Seat(seat)) == decision;
            clocks.has_expired(seat, decision) || (open && clocks.is_up(seat, elapsed))
        })
    }

    fn seat_mut(&mut self, seat: Seat) -> Result<&mut SeatState, Error> {
        self.seats
            .get_mut(usize::from(seat.0))
            .ok_or_else(|| Error::internal("a log names a seat that its session does not have"))
    }

    /// Counts every change from 1.
    pub(super) const fn version(&self) -> u64 {
        self.version_of(self.log_len)
    }

    /// The version that a log of this length makes.
    pub(super) const fn version_of(&self, log_len: u64) -> u64 {
        self.inherited + log_len + 1
    }

    /// How far the session is.
    pub(super) fn status(&self) -> SessionStatus {
        match self.start_version {
            None => SessionStatus::Waiting,
            Some(_) if self.table.to_act().is_empty() => SessionStatus::Finished,
            Some(_) => SessionStatus::Running,
        }
    }

    /// Whether it goes on with nobody calling: a house bot is to act, or a clock runs.
    pub(super) fn goes_on(&self) -> bool {
        let clocks = self.clocks.as_ref();
        bot_to_act(self).is_some() || clocks.is_some_and(|clocks| clocks.first_up().is_some())
    }

    /// What its store keeps of it beside the log.
    pub(super) fn standing(&self) -> Standing {
        let status = self.status();
        let bots = self.seats.iter().any(|seat| match seat.holder {
            Some(Holder::Bot(_)) => true,
            Some(Holder::Player(_)) => seat.out.is_some(),
            None => false,
        });
        let may_go_on = bots || self.clocks.is_some();
        Standing {
            status,
            wakes: !self.forked && may_go_on && status == SessionStatus::Running,
        }
    }

    /// Whether its host may know everything: of a game that hides nothing, and of a fork, where it has every seat.
    pub(super) fn open_to_host(&self) -> bool {
        self.forked || self.table.open_information()
    }

    /// The session as it was when its latest version came to be.
    pub(super) fn now(&self) -> Moment<'_> {
        Moment {
            table: &*self.table,
            version: self.version(),
            status: self.status(),
            clocks: self.clocks.as_deref(),
            elapsed: Duration::ZERO,
        }
    }

    /// Who it is that shows this token. The token is compared with all of the session's, in constant time.
    ///
    /// # Errors
    /// If it is none of them. A private session is not there for whoever has no token of it.
    pub(super) fn caller(&self, token: Option<TokenHash>) -> Result<Caller, Error> {
        match (self.known(token), token, self.join) {
            (Some(caller), _, _) => Ok(caller),
            (None, _, Some(_)) => Err(Error::SessionNotFound),
            (None, None, None) => Ok(Caller::Anyone),
            (None, Some(_), None) => {
                Err(Error::TokenRequired("the token is not one of this session"))
            }
        }
    }

    /// Who has this token, if it is one of the session.
    fn known(&self, token: Option<TokenHash>) -> Option<Caller> {
        let token = token?;
        let mut caller = None;
        for (number, seat) in (0..).zip(&self.seats) {
            if let Some(Holder::Player(of_seat)) = seat.holder
                && of_seat == token
            {
                caller = Some(Caller::Seat(Seat(number)));
            }
        }
        if self.join == Some(token) {
            caller = Some(Caller::Guest);
        }
        if self.host == token {
            caller = Some(Caller::Host);
        }
        caller
    }

    /// Lets a caller in who will come again.
    ///
    /// # Errors
    /// If the token is not one of the session.
    pub(super) fn admit(&self, token: Option<TokenHash>) -> Result<Pass, Error> {
        let caller = self.caller(token)?;
        Ok(Pass {
            token,
            caller,
            seats_left: self.seats_left,
        })
    }

    /// Lets a caller in again.
    ///
    /// # Errors
    /// If its token has become void.
    pub(super) fn readmit(&self, pass: &Pass) -> Result<Caller, Error> {
        if pass.seats_left == self.seats_left {
            Ok(pass.caller)
        } else {
            self.caller(pass.token)
        }
    }

    /// The seat that this token is of.
    ///
    /// # Errors
    /// If it is of none.
    pub(super) fn seat_of(&self, token: Option<TokenHash>) -> Result<Seat, Error> {
        self.caller(token)?.seat()
    }

    /// Checks that this token is the host's.
    ///
    /// # Errors
    /// If it is not.
    pub(super) fn require_host(&self, token: Option<TokenHash>) -> Result<(), Error> {
        match self.caller(token)? {
            Caller::Host => Ok(()),
            Caller::Seat(_) | Caller::Guest => Err(Error::SeatMismatch(
                "this needs the host token, not a seat's or the join token",
            )),
            Caller::Anyone => Err(Error::TokenRequired(
                "this needs the host token, as metadata `authorization: Bearer TOKEN`",
            )),
        }
    }

    /// Checks that somebody with this token may take a seat.
    ///
    /// # Errors
    /// If the session is private and this is neither its join token nor its host's.
    pub(super) fn may_join(&self, token: Option<TokenHash>) -> Result<(), Error> {
        if self.join.is_none() {
            return Ok(());
        }
        match self.caller(token)? {
            Caller::Host | Caller::Guest => Ok(()),
            Caller::Seat(_) | Caller::Anyone => Err(Error::SeatMismatch(
                "this needs the join token or the host's, not a seat's",
            )),
        }
    }

    /// The seat that this request took before, if it did.
    ///
    /// # Errors
    /// If the request id was used for something else, or for a seat that has been left.
    pub(super) fn taken_by(&self, request: RequestMark) -> Result<Option<Seat>, Error> {
        if self.spent_requests.contains(&request.id) {
            return Err(Error::RequestIdReused);
        }
        let mut seats = (0..).map(Seat).zip(&self.seats);
        let before = seats.find_map(|(seat, state)| {
            let before = state.request.filter(|before| before.id == request.id)?;
            Some((seat, before))
        });
        match before {
            None => Ok(None),
            Some((seat, before)) if before == request => Ok(Some(seat)),
            Some(_) => Err(Error::RequestIdReused),
        }
    }

    /// The seat to give to somebody who asked for this one, or for any.
    ///
    /// # Errors
    /// If it is taken, or all are, or there is no such seat.
    pub(super) fn open_seat(&self, asked: Option<Seat>) -> Result<Seat, Error> {
        let mut open = (0..)
            .map(Seat)
            .zip(&self.seats)
            .filter(|(_, state)| state.holder.is_none());
        match asked {
            None => open.next().map(|(seat, _)| seat).ok_or(Error::SessionFull),
            Some(asked) if usize::from(asked.0) >= self.seats.len() => {
                let allowed = format!("is unset, or a seat from 0 to {}", self.seats.len() - 1);
                Err(Error::Malformed(crate::error::Violation::new(
                    "seat", allowed,
                )))
            }
            Some(asked) if open.any(|(seat, _)| seat == asked) => Ok(asked),
            Some(_) if self.seats.iter().all(|state| state.holder.is_some()) => {
                Err(Error::SessionFull)
            }
            Some(seat) => Err(Error::SeatTaken { seat }),
        }
    }
}
