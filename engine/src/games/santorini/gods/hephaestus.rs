//! Hephaestus, God of Blacksmiths.

use super::super::components::{Level, Piece, Spaces};
use super::super::state::{Build, Public};
use super::{Builds, Power};

/// Your build: your worker may put one more block, never a dome, on the block it has built.
#[derive(Debug)]
pub(super) struct Hephaestus;

impl Power for Hephaestus {
    fn builds_again(&self, table: &Public, first: Build) -> Builds {
        let mut builds = Builds::default();
        // R15: neither a dome as the second piece nor anything on a first dome.
        if first.piece == Piece::Block && table.board.level(first.space) < Level::TOP {
            builds.blocks = Spaces::only(first.space);
        }
        builds
    }
}
