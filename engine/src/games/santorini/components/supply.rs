//! How many pieces are left to build with.

use super::{Board, Level, Piece};

/// A number of pieces of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pieces {
    /// Blocks of level 1, of level 2, of level 3.
    pub blocks: [u8; 3],
    /// Domes.
    pub domes: u8,
}

impl Pieces {
    /// What the box holds.
    pub const BOX: Self = Self {
        blocks: [22, 18, 14],
        domes: 18,
    };

    /// How many stand on the board.
    pub fn on(board: &Board) -> Self {
        let mut pieces = Self {
            blocks: [0; 3],
            domes: board.domes().len() as u8,
        };
        for level in Level::all() {
            for count in pieces.blocks.iter_mut().take(usize::from(level.number())) {
                *count += board.spaces_of(level).len() as u8;
            }
        }
        pieces
    }

    /// What is left when `other` is taken away; `None` if there isn't enough.
    pub fn less(self, other: Self) -> Option<Self> {
        let [one, two, three] = self.blocks;
        let [other_one, other_two, other_three] = other.blocks;
        Some(Self {
            blocks: [
                one.checked_sub(other_one)?,
                two.checked_sub(other_two)?,
                three.checked_sub(other_three)?,
            ],
            domes: self.domes.checked_sub(other.domes)?,
        })
    }

    /// How many there are of the piece for a space of this level: the block that fits it, or a
    /// dome. No block fits level 3.
    #[inline]
    pub fn of(&self, piece: Piece, level: Level) -> u8 {
        match piece {
            Piece::Block => self
                .blocks
                .get(usize::from(level.number()))
                .copied()
                .unwrap_or(0),
            Piece::Dome => self.domes,
        }
    }
}

/// The pieces that are left to build with (R40).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Supply {
    /// These and no more.
    Limited(Pieces),
    /// No kind of piece ever runs out.
    Unlimited,
}

impl Supply {
    /// Whether the piece for a space of this level is left.
    #[inline]
    pub fn has(&self, piece: Piece, level: Level) -> bool {
        match self {
            Self::Limited(pieces) => pieces.of(piece, level) > 0,
            Self::Unlimited => true,
        }
    }

    /// Whether any kind of piece has run out.
    #[inline]
    pub fn is_short(&self) -> bool {
        match self {
            Self::Limited(pieces) => pieces.blocks.contains(&0) || pieces.domes == 0,
            Self::Unlimited => false,
        }
    }

    /// Takes the piece for a space of this level, which must be left.
    #[inline]
    pub(in crate::games::santorini) fn take(&mut self, piece: Piece, level: Level) {
        let Self::Limited(pieces) = self else { return };
        debug_assert!(pieces.of(piece, level) > 0);
        let left = match piece {
            Piece::Block => pieces.blocks.get_mut(usize::from(level.number())),
            Piece::Dome => Some(&mut pieces.domes),
        };
        if let Some(left) = left {
            *left = left.saturating_sub(1);
        }
    }

    /// Gets back the block that was the top of a space that now has this level.
    pub(in crate::games::santorini) fn give_back(&mut self, below: Level) {
        if let Self::Limited(pieces) = self
            && let Some(left) = pieces.blocks.get_mut(usize::from(below.number()))
        {
            *left += 1;
        }
    }
}
