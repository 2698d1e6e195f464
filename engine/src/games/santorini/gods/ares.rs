//! Ares, God of War.

use super::super::components::{Level, Spaces};
use super::super::state::Public;
use super::Power;

/// End of your turn: you may remove an unoccupied block, not a dome, beside your unmoved worker.
#[derive(Debug)]
pub(super) struct Ares;

impl Power for Ares {
    fn removals(&self, table: &Public) -> Spaces {
        // R7: a dome is no block. R27: without an unmoved worker there is no power.
        let blocks = table.unoccupied() - table.board.spaces_of(Level::GROUND);
        table
            .unmoved()
            .filter_map(|worker| table.workers.space_of(worker))
            .fold(Spaces::NONE, |spaces, at| spaces | at.neighbors() & blocks)
    }
}
