//! How a game ended.

use crate::seat::{SeatMap, SeatSet};

/// The result of a finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The seats that won; empty after a draw, or a solo game that was lost.
    pub winners: SeatSet,
    /// What each seat got: 1 for a win, -1 for a loss, 0 for a draw, or as the game scores.
    pub returns: SeatMap<i32>,
}

impl Outcome {
    /// These seats won and got 1; the other seats of the table lost and got -1.
    pub fn won_by(winners: SeatSet, seats: u8) -> Self {
        Self {
            winners,
            returns: SeatMap::from_fn(seats, |seat| if winners.contains(seat) { 1 } else { -1 }),
        }
    }

    /// Nobody won; every seat got 0.
    pub fn draw(seats: u8) -> Self {
        Self {
            winners: SeatSet::EMPTY,
            returns: SeatMap::from_fn(seats, |_| 0),
        }
    }
}
