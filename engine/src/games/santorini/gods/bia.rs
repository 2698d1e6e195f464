//! Bia, Goddess of Violence.

use super::super::components::{Space, Spaces, Worker};
use super::super::options::BiaPlacement;
use super::super::state::Public;
use super::Power;

/// Set-up: place your workers first. Your move: when the next space in the direction of the move holds
/// an opponent worker, that worker is removed from the game.
#[derive(Debug)]
pub(super) struct Bia;

impl Power for Bia {
    fn places_first(&self) -> bool {
        true
    }

    fn entry(&self, table: &Public, _worker: Worker, spaces: Spaces) -> Spaces {
        match table.rules.bia_placement {
            BiaPlacement::Free => spaces,
            BiaPlacement::Perimeter => spaces & Spaces::PERIMETER,
        }
    }

    /// R55: only the one space straight beyond.
    fn strikes(&self, table: &Public, from: Space, to: Space) -> Option<Worker> {
        let victim = table.workers.at(from.beyond(to)?)?;
        (victim.side() != table.acting_side()).then_some(victim)
    }
}
