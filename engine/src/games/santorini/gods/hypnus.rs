//! Hypnus, God of Sleep.

use super::super::components::Side;
use super::super::state::Public;
use super::Power;

/// Start of opponents' turns: an opponent worker that is higher than all others of its side cannot
/// move.
#[derive(Debug)]
pub(super) struct Hypnus;

impl Power for Hypnus {
    fn opponent_turn_start(&self, table: &mut Public, holder: Side) {
        let asleep = table
            .workers_to_move()
            .filter(|worker| worker.side() != holder)
            .filter(|&worker| {
                // R26: a single worker is higher than all others of its side.
                let other = worker.side().worker(worker.figure().other());
                match (table.level_of(worker), table.level_of(other)) {
                    (Some(level), Some(other)) => level > other,
                    (Some(_), None) => true,
                    (None, _) => false,
                }
            })
            .collect();
        table.turn.asleep = asleep;
    }
}
