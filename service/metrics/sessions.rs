//! Sessions in memory by game and status, and the plies that were played in them; sandboxes apart.

use std::sync::{
    Arc,
    atomic::{AtomicI32, AtomicI64, AtomicU32, AtomicU64, Ordering},
};

use super::Metrics;
use crate::{
    pb::v1::SessionStatus,
    wire::{GAMES, GameEntry},
};

/// How far a session can be.
pub(super) const STATUSES: [SessionStatus; 3] = [
    SessionStatus::Waiting,
    SessionStatus::Running,
    SessionStatus::Finished,
];

/// Counts by game, in the order of [`GAMES`].
#[derive(Debug)]
pub(super) struct SessionCounts(pub(super) Box<[OfGame]>);

/// What is counted of the sessions of one game. Padded, so that cores that play different games do not wait for each
/// other.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct OfGame {
    pub(super) statuses: [AtomicI64; STATUSES.len()],
    pub(super) plies: AtomicU64,
}

impl Default for SessionCounts {
    fn default() -> Self {
        Self(GAMES.iter().map(|_| OfGame::default()).collect())
    }
}

/// What a session is counted among.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Among {
    /// Those that are kept.
    Sessions,
    /// Those in which somebody searches.
    Sandboxes,
}

/// One session, counted for as long as it is in memory.
#[derive(Debug)]
pub struct Tally {
    metrics: Arc<Metrics>,
    among: Among,
    game: Option<usize>,
    status: AtomicI32,
    plies: AtomicU32,
}

impl Tally {
    /// Counts a session of this game that is so far.
    #[must_use]
    pub fn new(
        metrics: Arc<Metrics>,
        among: Among,
        game: &GameEntry,
        status: SessionStatus,
        plies: u32,
    ) -> Self {
        let tally = Self {
            metrics,
            among,
            game: GAMES.iter().position(|other| other.id == game.id),
            status: AtomicI32::new(status.into()),
            plies: AtomicU32::new(plies),
        };
        tally.add(status.into(), 1);
        tally
    }

    /// The session is so far now.
    pub fn see(&self, status: SessionStatus) {
        let status = status.into();
        if self.status.load(Ordering::Relaxed) != status {
            self.add(self.status.swap(status, Ordering::Relaxed), -1);
            self.add(status, 1);
        }
    }

    /// So many plies have been played in it, for everybody to see.
    pub fn plies(&self, plies: u32) {
        let before = self.plies.fetch_max(plies, Ordering::Relaxed);
        if let (Some(game), Some(more)) = (self.of_game(), plies.checked_sub(before)) {
            game.plies.fetch_add(more.into(), Ordering::Relaxed);
        }
    }

    fn add(&self, status: i32, more: i64) {
        let place = STATUSES.iter().position(|of| i32::from(*of) == status);
        if let (Some(game), Some(place)) = (self.of_game(), place) {
            game.statuses[place].fetch_add(more, Ordering::Relaxed);
        }
    }

    fn of_game(&self) -> Option<&OfGame> {
        let counts = match self.among {
            Among::Sessions => &self.metrics.sessions,
            Among::Sandboxes => &self.metrics.sandboxes,
        };
        counts.0.get(self.game?)
    }
}

impl Drop for Tally {
    fn drop(&mut self) {
        self.add(self.status.load(Ordering::Relaxed), -1);
    }
}
