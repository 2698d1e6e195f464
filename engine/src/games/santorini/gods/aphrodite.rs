//! Aphrodite, Goddess of Love.

use super::super::components::{Side, Space, Spaces, Worker};
use super::super::state::Public;
use super::Power;

/// Any move: an opponent worker that starts its turn beside one of your workers must make its last
/// move, if it moves, to a space beside one of your workers.
#[derive(Debug)]
pub(super) struct Aphrodite;

impl Power for Aphrodite {
    fn opponent_turn_start(&self, table: &mut Public, holder: Side) {
        let beside = self.home(table, holder);
        let bound = table
            .workers_to_move()
            .filter(|worker| worker.side() != holder)
            .filter(|&worker| {
                let at = table.workers.space_of(worker);
                at.is_some_and(|at| beside.contains(at))
            })
            .collect();
        table.turn.bound = bound;
    }

    fn home(&self, table: &Public, holder: Side) -> Spaces {
        table.workers.spaces_of_side(holder).neighbors()
    }

    /// R23, R24: judged after each move, after the swap or push and before any removal.
    fn judge_move(&self, table: &mut Public, holder: Side, worker: Worker, to: Space) {
        let beside = self.home(table, holder);
        table.turn.returned = if beside.contains(to) {
            table.turn.returned.with(worker)
        } else {
            table.turn.returned.without(worker)
        };
    }
}
