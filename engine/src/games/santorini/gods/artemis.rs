//! Artemis, Goddess of the Hunt.

use super::super::components::{Spaces, Worker};
use super::super::state::Public;
use super::Power;

/// Your move: your worker may move once more, but not back to where it stood at the start of the turn.
#[derive(Debug)]
pub(super) struct Artemis;

impl Power for Artemis {
    fn onward(&self, table: &Public, worker: Worker) -> Spaces {
        if table.turn.moves != 1 || table.turn.last_mover != Some(worker) {
            return Spaces::NONE;
        }
        // R11.
        table
            .turn
            .first_from
            .map_or(Spaces::ALL, |start| Spaces::ALL.without(start))
    }
}
