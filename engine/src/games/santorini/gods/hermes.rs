//! Hermes, God of Travel.

use super::super::components::{Spaces, Worker};
use super::super::state::Public;
use super::{Builds, Power};

/// Your turn: if your workers move neither up nor down they may each move any number of times, even
/// none, and then either builds.
#[derive(Debug)]
pub(super) struct Hermes;

impl Power for Hermes {
    /// R16, R17: each worker keeps to its own level, and a step up or down ends the moving.
    fn onward(&self, table: &Public, worker: Worker) -> Spaces {
        self.travels(table, worker).unwrap_or(Spaces::NONE)
    }

    fn travels(&self, table: &Public, worker: Worker) -> Option<Spaces> {
        let level = table.level_of(worker)?;
        table.travels().then(|| table.board.spaces_of(level))
    }

    /// R18.
    fn may_stay(&self, table: &Public) -> bool {
        table.travels()
    }

    fn may_still_climb(&self, table: &Public) -> bool {
        table.turn.moves == 0
    }

    fn add_builds(&self, table: &Public, worker: Worker, builds: &mut Builds) {
        if table.travels() {
            *builds = table.normal_builds(worker);
        }
    }
}

impl Public {
    /// Whether no worker has moved up or down. After a pre-build travel is not open (G110).
    fn travels(&self) -> bool {
        !self.turn.changed_level && self.turn.committed.is_none()
    }
}
