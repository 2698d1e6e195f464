//! The towers: how high each space is, and where the domes are.

use std::fmt;

use super::{Space, Spaces};

/// How high a space is: the number of its blocks, 0 (ground) to 3. A dome doesn't count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

impl Level {
    /// No block.
    pub const GROUND: Self = Self(0);
    /// Three blocks: where a worker wins, and where the next piece is a dome.
    pub const TOP: Self = Self(3);

    /// The level of this number; `None` above 3.
    pub const fn from_number(number: u8) -> Option<Self> {
        if number <= Self::TOP.0 {
            Some(Self(number))
        } else {
            None
        }
    }

    /// The number of blocks, 0 to 3.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// All four, from the ground up.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..=Self::TOP.0).map(Self)
    }
}

/// What a worker builds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Piece {
    /// The block that fits the space: on the ground one of level 1, and so on.
    Block,
    /// A dome. It closes the space for good.
    Dome,
}

impl Piece {
    /// 5.1: what is built on a space of this level: a block, on level 3 the dome.
    #[inline]
    pub fn next_on(level: Level) -> Self {
        if level == Level::TOP {
            Self::Dome
        } else {
            Self::Block
        }
    }
}

/// As the rules page writes it: `block` or `dome`.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Block => "block",
            Self::Dome => "dome",
        })
    }
}

/// The towers, without the workers.
///
/// `Display` writes the position notation of section 3: rows 5 to 1 separated by `/`, in each
/// columns a to e; `0` to `3` is the level of a space without a dome, `w` to `z` that of one with a
/// dome.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Board {
    /// The spaces that have a block of level 1, of level 2, of level 3.
    blocks: [Spaces; 3],
    domes: Spaces,
}

impl Board {
    /// How high the space is.
    #[inline]
    pub fn level(&self, space: Space) -> Level {
        Level(
            self.blocks
                .iter()
                .map(|built| u8::from(built.contains(space)))
                .sum(),
        )
    }

    /// The spaces of exactly this level, domed or not.
    #[inline]
    pub fn spaces_of(&self, level: Level) -> Spaces {
        let [one, two, three] = self.blocks;
        match level.0 {
            0 => Spaces::ALL - one,
            1 => one - two,
            2 => two - three,
            _ => three,
        }
    }

    /// The spaces higher than this level, domed or not.
    #[inline]
    pub fn spaces_above(&self, level: Level) -> Spaces {
        self.blocks
            .get(usize::from(level.0))
            .copied()
            .unwrap_or(Spaces::NONE)
    }

    /// The spaces that a worker on this level is high enough for: a worker climbs at most one level
    /// and descends any number (5.1).
    #[inline]
    pub fn within_climb_from(&self, level: Level) -> Spaces {
        let too_high = self
            .blocks
            .get(usize::from(level.0) + 1)
            .copied()
            .unwrap_or(Spaces::NONE);
        Spaces::ALL - too_high
    }

    /// The spaces with a dome.
    #[inline]
    pub const fn domes(&self) -> Spaces {
        self.domes
    }

    /// The complete towers: level 3 with a dome.
    #[inline]
    pub fn complete_towers(&self) -> Spaces {
        self.spaces_of(Level::TOP) & self.domes
    }

    /// Takes the top block off the space, which has no dome, and gives the level it had.
    pub(in crate::games::santorini) fn remove_block(&mut self, space: Space) -> Option<Level> {
        debug_assert!(!self.domes.contains(space));
        let below = Level(self.level(space).0.checked_sub(1)?);
        if let Some(blocks) = self.blocks.get_mut(usize::from(below.0)) {
            *blocks = blocks.without(space);
        }
        Some(below)
    }

    /// Puts a piece on the space: a block below level 3, or a dome where none is.
    #[inline]
    pub(in crate::games::santorini) fn place(&mut self, space: Space, piece: Piece) {
        debug_assert!(!self.domes.contains(space));
        match piece {
            Piece::Block => {
                let level = self.level(space);
                debug_assert!(level < Level::TOP);
                if let Some(blocks) = self.blocks.get_mut(usize::from(level.0)) {
                    *blocks = blocks.with(space);
                }
            }
            Piece::Dome => self.domes = self.domes.with(space),
        }
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, row) in Space::rows().rev().enumerate() {
            if nth > 0 {
                f.write_str("/")?;
            }
            for space in row {
                let ground = if self.domes.contains(space) {
                    b'w'
                } else {
                    b'0'
                };
                write!(f, "{}", char::from(ground + self.level(space).0))?;
            }
        }
        Ok(())
    }
}
