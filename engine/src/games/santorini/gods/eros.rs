//! Eros, God of Desire.

use super::super::components::{Space, Spaces, Worker};
use super::super::event::WinReason;
use super::super::state::Public;
use super::Power;

/// Set-up: place your workers on opposite edges. You also win when your worker moves beside your other
/// one and both are on level 1, with three players on any same level.
#[derive(Debug)]
pub(super) struct Eros;

impl Power for Eros {
    fn entry(&self, table: &Public, worker: Worker, spaces: Spaces) -> Spaces {
        let edges = [
            (Spaces::SOUTH, Spaces::NORTH),
            (Spaces::NORTH, Spaces::SOUTH),
            (Spaces::WEST, Spaces::EAST),
            (Spaces::EAST, Spaces::WEST),
        ];
        let other = worker.side().worker(worker.figure().other());
        match table.workers.space_of(other) {
            None => spaces & Spaces::PERIMETER,
            // A corner stands on two edges.
            Some(at) => {
                let opposite = edges
                    .into_iter()
                    .filter(|(edge, _)| edge.contains(at))
                    .fold(Spaces::NONE, |all, (_, opposite)| all | opposite);
                spaces & opposite
            }
        }
    }

    /// R53; also a step from one meeting to another.
    fn wins_by_move(
        &self,
        table: &Public,
        worker: Worker,
        _from: Space,
        to: Space,
    ) -> Option<WinReason> {
        let other = worker.side().worker(worker.figure().other());
        let at = table.workers.space_of(other)?;
        let (level, other_level) = (table.board.level(to), table.board.level(at));
        let any_level = table.seats == 3;
        let meet = to.neighbors().contains(at)
            && level == other_level
            && (any_level || level.number() == 1);
        meet.then_some(WinReason::Eros)
    }
}
