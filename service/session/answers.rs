//! What becomes of an answer: it is applied, or it is compared with the one that its seat gave before.

use std::{fmt, sync::Arc};

use tavola_engine::{ActionId, Entry, Seat, Viewer};

use super::{
    Session, Shown,
    commit::Settling,
    history::History,
    session::Inside,
    shown::Moment,
    state::{Out, Pass},
};
use crate::{
    error::Error,
    pb::v1::View,
    store::{LogEntry, Ply},
    token::TokenHash,
    wire::{Answer, Earlier},
};

/// Who answers for a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// The player who holds it.
    Player,
    /// A house bot.
    Bot,
}

/// What became of an answer that is not refused.
#[derive(Debug)]
pub(super) enum Given {
    /// It was applied now.
    Now,
    /// It is to no decision that is open for its seat: a repetition, or too late.
    Before(Box<Repeated>),
}

/// What comes of a submission.
#[derive(Debug)]
pub enum Submitted<T = Shown> {
    /// It was applied: what its player knows now, or what was made of that.
    Now(T),
    /// What its player knew after the same answer is to be found.
    Before(Box<Repeated>, View),
}

/// An answer that may have been given before. To find out the game is played again: by a thread that has the time, and
/// without the session, which goes on meanwhile.
pub struct Repeated {
    seat: Seat,
    action: ActionId,
    earlier: Earlier,
    /// The last ply at which its player answered; later answers are a house bot's. None if the player still does.
    until: Option<u32>,
    /// The version that belongs to ply 0.
    start_version: u64,
    /// The story so far, where it takes more than the table to tell it: where there are clocks.
    history: Option<History>,
    /// The refusal if the seat never answered the decision.
    never: Error,
    /// The refusal if it gave another answer.
    other: Error,
}

impl fmt::Debug for Repeated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Repeated")
            .field("seat", &self.seat)
            .finish_non_exhaustive()
    }
}

impl Session {
    /// Answers a decision for the seat of the token. A seat's first answer counts; the same answer again gets the
    /// first reply and changes nothing: see [`Submitted`].
    ///
    /// # Errors
    /// If the token is no seat's, the answer is malformed or comes too late, or the rules forbid it; nothing has
    /// changed then.
    #[tracing::instrument(level = "debug", skip_all, fields(session_id = %self.id(), decision_id = decision))]
    pub fn submit(
        self: &Arc<Self>,
        token: Option<TokenHash>,
        decision: u64,
        answer: &Answer,
        view: View,
    ) -> Result<Settling<Submitted>, Error> {
        let mut inside = self.enter()?;
        let seat = inside.state.seat_of(token)?;
        let given = self.answer(&mut inside, By::Player, seat, decision, answer)?;
        let viewer = Viewer::Seat(seat);
        let submitted = match given {
            Given::Now => Submitted::Now(inside.state.now().shown(viewer, view)),
            Given::Before(repeated) => Submitted::Before(repeated, view),
        };
        Ok(self.settling(&mut inside, submitted))
    }

    /// As [`Session::submit`], for those who were let in before and hear of the result by an update: its version.
    ///
    /// # Errors
    /// As [`Session::submit`].
    #[tracing::instrument(level = "debug", skip_all, fields(session_id = %self.id(), decision_id = decision))]
    pub(super) fn submit_again(
        self: &Arc<Self>,
        pass: &Pass,
        decision: u64,
        answer: &Answer,
    ) -> Result<Settling<Result<u64, Box<Repeated>>>, Error> {
        let mut inside = self.enter()?;
        let seat = inside.state.readmit(pass)?.seat()?;
        let version = match self.answer(&mut inside, By::Player, seat, decision, answer)? {
            Given::Now => Ok(inside.state.version()),
            Given::Before(repeated) => Err(repeated),
        };
        Ok(self.settling(&mut inside, version))
    }

    pub(super) fn answer(
        self: &Arc<Self>,
        inside: &mut Inside,
        by: By,
        seat: Seat,
        decision: u64,
        answer: &Answer,
    ) -> Result<Given, Error> {
        let Some(start_version) = inside.state.start_version else {
            return Err(Error::SessionNotStarted);
        };
        self.expire_clocks(inside)?;
        let state = &inside.state;
        let action = state.table.read(answer)?;
        let to_act = state.table.to_act();
        let current =
            (!to_act.is_empty()).then(|| (state.table.decision_number(Viewer::Seat(seat)), to_act));
        let open = current.is_some_and(|(open, _)| open == decision);
        let out = state.seat(seat).and_then(|seat| seat.out);
        let out = out.filter(|_| by == By::Player);
        if by == By::Player && state.is_out_of_time(seat, decision, inside.ticking.elapsed()) {
            return Err(Error::OutOfTime { seat, current });
        }
        if open && to_act.contains(seat) {
            match out.filter(|_| !state.forked) {
                None => {}
                Some(Out { out_of_time, .. }) if out_of_time => {
                    return Err(Error::OutOfTime { seat, current });
                }
                Some(_) => {
                    return Err(Error::SeatMismatch(
                        "the player of this seat has left the game",
                    ));
                }
            }
            let ply = Ply::now(Entry::Action(seat, action), inside.ticking.elapsed());
            self.change(inside, LogEntry::Ply(ply))?;
            return Ok(Given::Now);
        }
        let stale = || Error::StaleDecision {
            given: decision,
            current,
        };
        // What a house bot answered for a player who is out of the game is none of the player's answers.
        let never = match current {
            _ if out.is_some_and(|out| out.out_of_time) => Error::OutOfTime { seat, current },
            None => Error::GameOver,
            Some(_) if open => Error::NotToAct {
                seat,
                waiting_for: to_act,
            },
            Some(_) => stale(),
        };
        Ok(Given::Before(Box::new(Repeated {
            seat,
            action,
            earlier: state.table.earlier(seat, decision),
            until: out.map(|out| out.since),
            start_version,
            history: state.clocks.is_some().then(|| self.history(state)),
            never,
            other: stale(),
        })))
    }
}

impl Submitted {
    /// Writes what its player knows, if that is known already.
    pub fn written<T>(self, write: impl FnOnce(Shown) -> T) -> Submitted<T> {
        match self {
            Self::Now(shown) => Submitted::Now(write(shown)),
            Self::Before(repeated, view) => Submitted::Before(repeated, view),
        }
    }
}

impl<T> Submitted<T> {
    /// The reply: for a repetition the first one, which is written when it is found.
    ///
    /// # Errors
    /// If the seat gave another answer, or none, before it was too late.
    pub async fn reply(self, write: impl FnOnce(Shown) -> T) -> Result<T, Error> {
        match self {
            Self::Now(written) => Ok(written),
            Self::Before(repeated, view) => {
                let viewer = Viewer::Seat(repeated.seat);
                let found = repeated.find(move |then| then.shown(viewer, view));
                // Boxed, so that it weighs on those only who repeat themselves.
                Box::pin(found).await.map(write)
            }
        }
    }
}

#[cfg(test)]
impl Submitted {
    /// The reply, found here and now.
    pub(super) fn at_once(self) -> Result<Shown, Error> {
        match self {
            Self::Now(shown) => Ok(shown),
            Self::Before(repeated, view) => {
                let viewer = Viewer::Seat(repeated.seat);
                repeated.look(|then| then.shown(viewer, view))
            }
        }
    }
}

impl Repeated {
    /// The version that the first answer made.
    ///
    /// # Errors
    /// If the seat gave another answer, or none, before it was too late.
    pub(super) async fn version(self) -> Result<u64, Error> {
        self.find(|then| then.version).await
    }

    async fn find<T: Send + 'static>(
        self,
        tell: impl FnOnce(Moment<'_>) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let found = tokio::task::spawn_blocking(move || self.look(tell));
        found.await.map_err(Error::internal)?
    }

    fn look<T>(self, tell: impl FnOnce(Moment<'_>) -> T) -> Result<T, Error> {
        let (first, then) = (self.earlier)()
            .filter(|(_, then)| self.until.is_none_or(|until| then.ply() <= until))
            .ok_or(self.never)?;
        if first != self.action {
            return Err(self.other);
        }
        let Some(history) = self.history else {
            let version = self.start_version + u64::from(then.ply());
            return Ok(tell(Moment::of(&*then, version)));
        };
        let version = history.version_of(then.ply());
        let clocks = history.clocks_at(version)?;
        Ok(tell(Moment {
            clocks: clocks.as_ref(),
            ..Moment::of(&*then, version)
        }))
    }
}
