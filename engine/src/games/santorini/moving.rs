//! The move (5.1), and the win by moving (5.2).

use super::components::{Level, Side, Space, Spaces, Worker};
use super::state::Public;

impl Public {
    /// The spaces without worker and dome.
    #[inline]
    pub fn unoccupied(&self) -> Spaces {
        Spaces::ALL - self.workers.spaces() - self.board.domes()
    }

    /// Where the worker may move: where the rules let it step (5.1), if its turn can then be
    /// completed (R8).
    #[inline]
    pub(super) fn move_targets(&self, worker: Worker) -> Spaces {
        match self.workers.space_of(worker) {
            Some(from) => self.completable(from, self.steps(from)),
            None => Spaces::NONE,
        }
    }

    /// Section 5, START 6: whether the side can complete a turn.
    #[inline]
    pub(super) fn has_complete_turn(&self, side: Side) -> bool {
        side.workers()
            .into_iter()
            .any(|worker| !self.move_targets(worker).is_empty())
    }

    /// 5.1: a worker steps to a neighboring space without worker or dome, at most one level up.
    #[inline]
    pub(super) fn steps(&self, from: Space) -> Spaces {
        from.neighbors() & self.unoccupied() & self.board.within_climb_from(self.board.level(from))
    }

    /// R8: of these steps of one worker, those that win or leave it something to build.
    #[inline]
    fn completable(&self, from: Space, steps: Spaces) -> Spaces {
        let open_after = self.piece_left() - self.workers.spaces().without(from);
        // R5: the space just left is free to build on. So only where a piece has run out there is
        // more to ask.
        if open_after.contains(from) {
            return steps;
        }
        steps
            .iter()
            .filter(|&to| self.wins(from, to) || !(to.neighbors() & open_after).is_empty())
            .collect()
    }

    /// 5.2, R1, R2: a worker wins by moving to level 3 from below.
    #[inline]
    pub(super) fn wins(&self, from: Space, to: Space) -> bool {
        self.board.level(to) == Level::TOP && self.board.level(from) < Level::TOP
    }

    pub(super) fn why_not_move(&self, worker: Worker, to: Space) -> &'static str {
        if worker.side() != self.acting_side() {
            return "a player moves a worker of his own side (5)";
        }
        let Some(from) = self.workers.space_of(worker) else {
            return "the worker is not on the board (5.1)";
        };
        if !from.neighbors().contains(to) {
            "a worker moves to a neighboring space (5.1)"
        } else if !self.unoccupied().contains(to) {
            "a worker moves to a space without worker or dome (5.1)"
        } else if !self.steps(from).contains(to) {
            "a worker climbs at most one level (5.1)"
        } else {
            debug_assert!(!self.move_targets(worker).contains(to));
            "after this move the worker could not build (R8)"
        }
    }
}
