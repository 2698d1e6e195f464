//! Numbers for actions: stable ids, the blocks they are dealt out in, and masks over all of them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The number of an action: dense from 0 below the game's `ACTION_SPACE`, the same whatever the
/// options, never renumbered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ActionId(pub u32);

impl fmt::Display for ActionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A run of consecutive action ids that one kind of action owns.
///
/// ```
/// use tavola_engine::{ActionId, Block};
///
/// const MOVE: Block = Block::first(50);
/// const BUILD: Block = MOVE.then(100);
/// assert_eq!(BUILD.id(3), ActionId(53));
/// assert_eq!(BUILD.offset(ActionId(53)), Some(3));
/// assert_eq!(MOVE.offset(ActionId(53)), None);
/// assert_eq!(BUILD.end(), 150);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    start: u32,
    len: u32,
}

impl Block {
    /// The block that begins at id 0.
    pub const fn first(len: u32) -> Self {
        Self { start: 0, len }
    }

    /// The block of this length right behind this one.
    #[must_use]
    pub const fn then(self, len: u32) -> Self {
        Self {
            start: self.end(),
            len,
        }
    }

    /// The first id behind the block; for the last block, the game's `ACTION_SPACE`.
    pub const fn end(self) -> u32 {
        self.start + self.len
    }

    /// The id at this offset, which must lie inside the block.
    #[inline]
    pub const fn id(self, offset: u32) -> ActionId {
        debug_assert!(offset < self.len);
        ActionId(self.start + offset)
    }

    /// Where in the block the id lies, from 0; `None` if it lies outside.
    #[inline]
    pub const fn offset(self, id: ActionId) -> Option<u32> {
        match id.0.checked_sub(self.start) {
            Some(offset) if offset < self.len => Some(offset),
            _ => None,
        }
    }
}

/// One bit for every action id of a game: set if the action is legal.
#[derive(Clone, PartialEq, Eq)]
pub struct ActionMask {
    bytes: Vec<u8>,
    action_space: u32,
}

impl ActionMask {
    /// A mask over `action_space` ids, none of them set.
    pub fn new(action_space: u32) -> Self {
        Self {
            bytes: vec![0; action_space.div_ceil(8) as usize],
            action_space,
        }
    }

    /// Sets the id's bit. Ids outside the action space have none.
    pub fn insert(&mut self, id: ActionId) {
        if id.0 < self.action_space {
            self.bytes[(id.0 / 8) as usize] |= 1 << (id.0 % 8);
        }
    }

    /// Whether the id's bit is set.
    pub fn contains(&self, id: ActionId) -> bool {
        id.0 < self.action_space && self.bytes[(id.0 / 8) as usize] & (1 << (id.0 % 8)) != 0
    }

    /// The set ids, ascending.
    pub fn iter(&self) -> impl Iterator<Item = ActionId> {
        (0..self.action_space)
            .map(ActionId)
            .filter(|&id| self.contains(id))
    }

    /// The bits, packed: id `i` is bit `i % 8`, counted from the least significant, of byte
    /// `i / 8`. Bits past the last id are 0.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl fmt::Debug for ActionMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|id| id.0)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_packs_the_least_significant_bit_first() {
        let mut mask = ActionMask::new(11);
        for id in [0, 3, 8, 10, 11, 4_000_000] {
            mask.insert(ActionId(id));
        }
        assert_eq!(mask.as_bytes(), [0b0000_1001, 0b0000_0101]);
        assert_eq!(
            mask.iter().map(|id| id.0).collect::<Vec<_>>(),
            [0, 3, 8, 10]
        );
        assert!(!mask.contains(ActionId(11)));
    }

    #[test]
    fn blocks_leave_no_gap_and_share_no_id() {
        let first = Block::first(3);
        let second = first.then(2);
        let owners: Vec<_> = (0..6)
            .map(|id| (first.offset(ActionId(id)), second.offset(ActionId(id))))
            .collect();
        let expected = [
            (Some(0), None),
            (Some(1), None),
            (Some(2), None),
            (None, Some(0)),
            (None, Some(1)),
            (None, None),
        ];
        assert_eq!(owners, expected);
    }
}
