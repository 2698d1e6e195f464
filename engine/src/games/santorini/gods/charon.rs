//! Charon, Ferryman to the Underworld.

use super::super::components::{Space, Spaces, Worker};
use super::super::state::Public;
use super::Power;

/// Your move: before your worker moves it may carry a neighboring opponent worker to the space
/// straight on its other side, if that is unoccupied.
#[derive(Debug)]
pub(super) struct Charon;

impl Power for Charon {
    /// R52: to any level.
    fn ferries(&self, table: &Public, worker: Worker) -> Spaces {
        let Some(at) = table.workers.space_of(worker) else {
            return Spaces::NONE;
        };
        let unoccupied = table.unoccupied();
        let carried = |&space: &Space| {
            space
                .beyond(at)
                .is_some_and(|beyond| unoccupied.contains(beyond))
        };
        (at.neighbors() & table.opponent_spaces())
            .iter()
            .filter(carried)
            .collect()
    }
}
