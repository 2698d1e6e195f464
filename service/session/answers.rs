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
    Before(Repeated),
}

/// What comes of a submission.
#[derive(Debug)]
pub enum Submitted {
    /// It was applied: what its player knows now.
    Now(Shown),
    /// What its player knew after the same answer is to be found.
    Before(Repeated, View),
}

/// An answer that may have been given before. To find out the game is played again: by a thread that has the time, and
/// without the session, which goes on meanwhile.
pub struct Repeated {
    pub(super) seat: Seat,
    pub(super) action: ActionId,
    pub(super) earlier: Earlier,
    /// The last ply that can be an answer of the player's, who is out of the game since.
    pub(super) last_ply: Option<u32>,
    /// The story of the session where it takes more than the table to tell it: where there are clocks.
    pub(super) history: Option<History>,
    /// The version that belongs to ply 0.
    pub(super) start_version: u64,
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
    /// The reply: for a repetition the first one.
    ///
    /// # Errors
    /// If the seat gave another answer, or none, before it was too late.
    pub async fn shown(self) -> Result<Shown, Error> {
        match self {
            Self::Now(shown) => Ok(shown),
            // Boxed, so that it weighs on those only who repeat themselves.
            Self::Before(..) => Box::pin(elsewhere(move || self.shown_here())).await,
        }
    }

    /// The same on the calling thread.
    pub(super) fn shown_here(self) -> Result<Shown, Error> {
        match self {
            Self::Now(shown) => Ok(shown),
            Self::Before(repeated, view) => {
                let viewer = Viewer::Seat(repeated.seat);
                repeated.find(|then| then.shown(viewer, view))
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
        elsewhere(move || self.find(|then| then.version)).await
    }

    fn find<T>(self, tell: impl FnOnce(Moment<'_>) -> T) -> Result<T, Error> {
        let last_ply = self.last_ply.unwrap_or(u32::MAX);
        let found = (self.earlier)().filter(|(_, then)| then.ply() <= last_ply);
        let (first, then) = found.ok_or(self.never)?;
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

/// Does something on a thread that has the time.
async fn elsewhere<T: Send + 'static>(
    find: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let found = tokio::task::spawn_blocking(find).await;
    found.map_err(Error::internal)?
}
