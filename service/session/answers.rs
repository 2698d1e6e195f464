//! What becomes of an answer: it is applied, or it is compared with the one that its seat gave before.

use std::fmt;

use tavola_engine::{ActionId, Seat, Viewer};

use super::{Shown, history::History, shown::Moment};
use crate::{error::Error, pb::v1::View, wire::Earlier};

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
    pub(super) seat: Seat,
    pub(super) action: ActionId,
    pub(super) earlier: Earlier,
    /// The last ply at which its player answered; later answers are a house bot's. None if the player still does.
    pub(super) until: Option<u32>,
    /// The version that belongs to ply 0.
    pub(super) start_version: u64,
    /// The story so far, where it takes more than the table to tell it: where there are clocks.
    pub(super) history: Option<History>,
    /// The refusal if the seat never answered the decision.
    pub(super) never: Error,
    /// The refusal if it gave another answer.
    pub(super) other: Error,
}

impl fmt::Debug for Repeated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Repeated")
            .field("seat", &self.seat)
            .finish_non_exhaustive()
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
