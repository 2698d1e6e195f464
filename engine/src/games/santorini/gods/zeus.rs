//! Zeus, God of the Sky.

use super::super::components::{Level, Worker};
use super::super::state::Public;
use super::{Builds, Power};

/// Your build: your worker may build a block under itself.
#[derive(Debug)]
pub(super) struct Zeus;

impl Power for Zeus {
    /// R43: not on level 3, where the piece would be a dome.
    fn add_builds(&self, table: &Public, worker: Worker, builds: &mut Builds) {
        if table.turn.last_mover == Some(worker)
            && let Some(at) = table.workers.space_of(worker)
            && table.board.level(at) < Level::TOP
        {
            builds.blocks = builds.blocks.with(at);
        }
    }
}
