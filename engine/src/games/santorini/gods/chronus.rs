//! Chronus, God of Time.

use super::super::event::WinReason;
use super::super::state::Public;
use super::Power;

/// You also win when five complete towers stand.
#[derive(Debug)]
pub(super) struct Chronus;

impl Power for Chronus {
    /// R32: not in an additional turn, but when it has ended.
    fn wins_by_state(&self, table: &Public) -> Option<WinReason> {
        (table.board.complete_towers().len() >= 5).then_some(WinReason::Chronus)
    }
}
