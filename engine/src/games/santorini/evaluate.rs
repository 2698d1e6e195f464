//! How good a table is for a seat, by the advice of section 14 of the rules page.

use super::components::{Level, Side};
use super::state::{Public, Santorini, Stage};
use crate::game::{Evaluate, Game};
use crate::seat::Seat;

/// More than everything else together.
const WON: f32 = 1000.0;
/// A win that the side can take at once, or that the other can no longer answer.
const WINS_NEXT: f32 = 500.0;
/// A win that the other side can still answer.
const THREAT: f32 = 20.0;
/// The worth of a worker on levels 0 to 3. Level 3 is no better than level 2: a worker that is up
/// there can't move up any more.
const HEIGHT: [f32; 4] = [0.0, 10.0, 30.0, 30.0];
/// The worth of a space that a worker can climb to.
const CLIMB: f32 = 3.0;
/// The worth of standing on one of the nine inner spaces.
const INNER: f32 = 1.0;

impl Evaluate for Santorini {
    fn evaluate(&self, seat: Seat) -> f32 {
        let public = self.public();
        if let Stage::Over(ending) = &public.stage {
            return WON
                * ending
                    .outcome
                    .returns
                    .get(seat)
                    .map_or(0.0, |&returns| returns as f32);
        }
        let own = public.side_of(seat);
        let others = public.sides().filter(|&side| side != own);
        let dangers = others.map(|side| public.worth(side));
        public.worth(own) - dangers.sum::<f32>()
    }
}

impl Public {
    /// What the side has: height, ways up, the middle of the board, and wins in one.
    fn worth(&self, side: Side) -> f32 {
        let workers = side
            .workers()
            .into_iter()
            .filter_map(|worker| self.workers.space_of(worker));
        let mut worth = 0.0;
        let mut threats = 0;
        for at in workers {
            let level = self.board.level(at);
            let higher = self.basic_steps(at) & self.board.spaces_above(level);
            let wins = higher & self.board.spaces_of(Level::TOP);
            threats += wins.len();
            worth += HEIGHT
                .get(usize::from(level.number()))
                .copied()
                .unwrap_or_default();
            worth += CLIMB * higher.len() as f32;
            worth += if at.neighbors().len() == 8 {
                INNER
            } else {
                0.0
            };
        }
        let moves_next = matches!(self.stage, Stage::Moving) && self.acting_side() == side;
        worth
            + if threats > 0 && moves_next {
                WINS_NEXT
            } else {
                THREAT * threats as f32
            }
    }
}
