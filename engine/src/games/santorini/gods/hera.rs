//! Hera, Goddess of Marriage.

use super::super::components::{Space, Spaces};
use super::Power;

/// Opponents' turns: an opponent cannot win by moving to a perimeter space.
#[derive(Debug)]
pub(super) struct Hera;

impl Power for Hera {
    fn stops_win(&self, to: Space) -> bool {
        Spaces::PERIMETER.contains(to)
    }
}
