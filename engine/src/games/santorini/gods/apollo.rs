//! Apollo, God of Music.

use super::super::components::{Space, Spaces};
use super::super::state::Public;
use super::Power;

/// Your move: your worker may move to a space held by an opponent worker, which is forced to the space
/// that yours just left.
#[derive(Debug)]
pub(super) struct Apollo;

impl Power for Apollo {
    fn enters(&self, table: &Public, _from: Space) -> Spaces {
        table.opponent_spaces()
    }

    fn displaces(&self, from: Space, _to: Space) -> Option<Space> {
        Some(from)
    }
}
