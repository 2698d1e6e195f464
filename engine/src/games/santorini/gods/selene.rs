//! Selene, Goddess of the Moon.

use super::super::components::{Figure, Worker};
use super::super::state::Public;
use super::{Builds, Power};

/// Your build: instead of the normal build your female worker may build a dome at any level, whichever
/// worker moved.
#[derive(Debug)]
pub(super) struct Selene;

impl Power for Selene {
    /// R41: even if the worker that moved could build nothing.
    fn add_builds(&self, table: &Public, worker: Worker, builds: &mut Builds) {
        if worker.figure() == Figure::Female {
            builds.domes = builds.domes | table.open_neighbors(worker);
        }
    }
}
