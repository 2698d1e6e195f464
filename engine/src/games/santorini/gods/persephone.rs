//! Persephone, Goddess of Spring Growth.

use super::Power;

/// Opponents' turns: if possible at least one of their workers must move up.
#[derive(Debug)]
pub(super) struct Persephone;

impl Power for Persephone {
    fn demands_climb(&self) -> bool {
        true
    }
}
