//! Minotaur, Bull-headed Monster.

use super::super::components::{Space, Spaces};
use super::super::state::Public;
use super::Power;

/// Your move: your worker may move to the space of an opponent worker that can be forced one space
/// straight on, to an unoccupied space at any level.
#[derive(Debug)]
pub(super) struct Minotaur;

impl Power for Minotaur {
    /// R19: the space behind must be unoccupied.
    fn enters(&self, table: &Public, from: Space) -> Spaces {
        let unoccupied = table.unoccupied();
        let pushable = |&to: &Space| {
            self.displaces(from, to)
                .is_some_and(|behind| unoccupied.contains(behind))
        };
        (table.opponent_spaces() & from.neighbors())
            .iter()
            .filter(pushable)
            .collect()
    }

    fn displaces(&self, from: Space, to: Space) -> Option<Space> {
        from.beyond(to)
    }
}
