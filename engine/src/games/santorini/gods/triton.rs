//! Triton, God of the Waves.

use super::super::components::{Spaces, Worker};
use super::super::state::Public;
use super::Power;

/// Your move: each time your worker moves to a perimeter space it may move again.
#[derive(Debug)]
pub(super) struct Triton;

impl Power for Triton {
    /// R42: also back to where it came from.
    fn onward(&self, table: &Public, worker: Worker) -> Spaces {
        let on_perimeter = table
            .workers
            .space_of(worker)
            .is_some_and(|at| Spaces::PERIMETER.contains(at));
        if table.turn.last_mover == Some(worker) && on_perimeter {
            Spaces::ALL
        } else {
            Spaces::NONE
        }
    }
}
