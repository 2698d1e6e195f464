//! Hestia, Goddess of Hearth and Home.

use super::super::components::Spaces;
use super::super::state::{Build, Public};
use super::{Builds, Power};

/// Your build: your worker may build once more, not on a perimeter space.
#[derive(Debug)]
pub(super) struct Hestia;

impl Power for Hestia {
    /// R60: the same space, if it is not on the perimeter.
    fn builds_again(&self, table: &Public, first: Build) -> Builds {
        let builds = table.normal_builds(first.worker);
        Builds {
            blocks: builds.blocks & Spaces::INNER,
            domes: builds.domes & Spaces::INNER,
        }
    }
}
