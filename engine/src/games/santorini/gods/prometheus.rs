//! Prometheus, Titan Benefactor of Mankind.

use super::super::components::Worker;
use super::super::state::Public;
use super::{Builds, Power};

/// Your turn: your worker may build before it moves; then it moves, not up, and builds again.
#[derive(Debug)]
pub(super) struct Prometheus;

impl Power for Prometheus {
    /// That it then moves, and not up, is a duty of the turn: it stays even if the power goes (G101).
    fn pre_builds(&self, table: &Public, worker: Worker) -> Builds {
        table.normal_builds(worker)
    }
}
