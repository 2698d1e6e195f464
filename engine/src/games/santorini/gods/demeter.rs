//! Demeter, Goddess of the Harvest.

use super::super::state::{Build, Public};
use super::{Builds, Power};

/// Your build: your worker may build once more, on another space.
#[derive(Debug)]
pub(super) struct Demeter;

impl Power for Demeter {
    fn builds_again(&self, table: &Public, first: Build) -> Builds {
        let mut builds = table.normal_builds(first.worker);
        builds.blocks = builds.blocks.without(first.space);
        builds.domes = builds.domes.without(first.space);
        builds
    }
}
