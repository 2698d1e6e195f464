//! The build (5.1), and what the supply allows (R40).

use super::components::{Level, Piece, Space, Spaces, Worker};
use super::state::Public;

impl Public {
    /// Where the worker may build: on a neighboring, unoccupied space for which a piece is left
    /// (5.1, R40). Levels don't matter (R6).
    #[inline]
    pub(super) fn build_targets(&self, worker: Worker) -> Spaces {
        match self.workers.space_of(worker) {
            Some(at) => at.neighbors() & self.unoccupied() & self.piece_left(),
            None => Spaces::NONE,
        }
    }

    /// 5.1: what is built on this space: the block that fits, on level 3 the dome.
    #[inline]
    pub(super) fn piece_for(&self, space: Space) -> Piece {
        Piece::next_on(self.board.level(space))
    }

    /// R40: the spaces without a dome for which the next piece is in the supply.
    #[inline]
    pub(super) fn piece_left(&self) -> Spaces {
        let used_up = |&level: &Level| !self.supply.has(Piece::next_on(level), level);
        Level::all()
            .filter(used_up)
            .fold(Spaces::ALL - self.board.domes(), |spaces, level| {
                spaces - self.board.spaces_of(level)
            })
    }

    pub(super) fn why_not_build(
        &self,
        worker: Worker,
        space: Space,
        piece: Piece,
        builder: Worker,
    ) -> &'static str {
        if worker != builder {
            return "the worker that moved builds (5)";
        }
        let Some(at) = self.workers.space_of(worker) else {
            return "the worker is not on the board (5.1)";
        };
        if !at.neighbors().contains(space) {
            "a worker builds on a neighboring space (5.1)"
        } else if !self.unoccupied().contains(space) {
            "a worker builds on a space without worker or dome (5.1)"
        } else if piece != self.piece_for(space) {
            "a block is built up to level 3, on level 3 the dome (5.1)"
        } else {
            debug_assert!(!self.build_targets(worker).contains(space));
            "this kind of piece is used up (R40)"
        }
    }
}
