//! Dionysus, God of Wine.

use super::super::state::Public;
use super::Power;

/// Your build: each time a worker you control completes a tower you may take an additional turn with
/// an opponent worker.
#[derive(Debug)]
pub(super) struct Dionysus;

impl Power for Dionysus {
    /// 8.1: in an additional turn too.
    fn after_build(&self, table: &mut Public, completed_tower: bool) {
        if completed_tower {
            table.additional_turns_owed = table.additional_turns_owed.saturating_add(1);
        }
    }
}
