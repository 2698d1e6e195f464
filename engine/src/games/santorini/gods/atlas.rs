//! Atlas, Titan Shouldering the Heavens.

use super::super::components::Worker;
use super::super::state::Public;
use super::{Builds, Power};

/// Your build: your worker may build a dome at any level.
#[derive(Debug)]
pub(super) struct Atlas;

impl Power for Atlas {
    fn add_builds(&self, table: &Public, worker: Worker, builds: &mut Builds) {
        if table.turn.last_mover == Some(worker) {
            builds.domes = builds.domes | table.open_neighbors(worker);
        }
    }
}
