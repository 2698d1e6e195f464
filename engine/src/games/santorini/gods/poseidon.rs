//! Poseidon, God of the Sea.

use super::super::components::{Level, Worker};
use super::super::state::Public;
use super::{Builds, Power};

/// End of your turn: if your unmoved worker is on the ground it may build up to three times.
#[derive(Debug)]
pub(super) struct Poseidon;

impl Power for Poseidon {
    fn end_builds(&self, table: &Public, worker: Worker) -> Builds {
        if table.turn.end_builds < 3
            && !table.turn.moved.contains(worker)
            && table.level_of(worker) == Some(Level::GROUND)
        {
            table.normal_builds(worker)
        } else {
            Builds::default()
        }
    }
}
