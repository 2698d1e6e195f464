//! Limus, Goddess of Famine.

use super::super::components::{Level, Side};
use super::super::options::LimusText;
use super::super::state::Public;
use super::{Builds, Power};

/// Opponents' turns: opponent workers cannot build beside your workers, unless they complete a tower.
#[derive(Debug)]
pub(super) struct Limus;

impl Power for Limus {
    fn filter_builds(&self, table: &Public, holder: Side, builds: &mut Builds) {
        let beside = table.workers.spaces_of_side(holder).neighbors();
        builds.blocks = builds.blocks - beside;
        builds.domes = match table.rules.limus_text {
            LimusText::Seed => builds.domes - (beside - table.board.spaces_of(Level::TOP)),
            LimusText::Revised => builds.domes,
        };
    }
}
