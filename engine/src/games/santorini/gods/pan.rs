//! Pan, God of the Wild.

use super::super::components::{Space, Worker};
use super::super::event::WinReason;
use super::super::state::Public;
use super::Power;

/// You also win when your worker moves down two or more levels.
#[derive(Debug)]
pub(super) struct Pan;

impl Power for Pan {
    fn wins_by_move(
        &self,
        table: &Public,
        _worker: Worker,
        from: Space,
        to: Space,
    ) -> Option<WinReason> {
        let (from, to) = (table.board.level(from), table.board.level(to));
        (from.number() >= to.number() + 2).then_some(WinReason::Pan)
    }
}
