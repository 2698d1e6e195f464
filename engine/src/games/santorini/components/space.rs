//! The 25 spaces, sets of them, and which of them neighbor each other.

use std::fmt;
use std::ops::{BitAnd, BitOr, Sub};
use std::str::FromStr;

/// Columns, and rows, of the board.
const SIDE: u8 = 5;

/// A space of the board. Its index is (row - 1) x 5 + column: a1 (bottom left) is 0, e1 is 4, a2 is
/// 5, e5 is 24.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Space(u8);

impl Space {
    /// How many spaces there are.
    pub const COUNT: u8 = SIDE * SIDE;

    /// The space of this index; `None` from 25 on.
    pub const fn from_index(index: u8) -> Option<Self> {
        if index < Self::COUNT {
            Some(Self(index))
        } else {
            None
        }
    }

    /// The index, 0 to 24.
    #[inline]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The column: 0 for `a` to 4 for `e`.
    pub const fn column(self) -> u8 {
        self.0 % SIDE
    }

    /// The row: 0 for the one that the notation calls 1, to 4.
    pub const fn row(self) -> u8 {
        self.0 / SIDE
    }

    /// The up to eight spaces around this one.
    #[inline]
    pub const fn neighbors(self) -> Spaces {
        NEIGHBORS[self.0 as usize]
    }

    /// The space behind `over`, in the direction from this one to it; `None` past the edge. `over` is
    /// a neighbor.
    pub const fn beyond(self, over: Self) -> Option<Self> {
        debug_assert!(self.neighbors().contains(over));
        let row = over.row() as i8 * 2 - self.row() as i8;
        let column = over.column() as i8 * 2 - self.column() as i8;
        if row < 0 || row >= SIDE as i8 || column < 0 || column >= SIDE as i8 {
            return None;
        }
        Some(Self(row as u8 * SIDE + column as u8))
    }

    /// All spaces, ascending by index.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self)
    }

    /// The rows 1 to 5, each with its spaces from column a to e.
    pub fn rows() -> impl DoubleEndedIterator<Item = impl Iterator<Item = Self>> {
        (0..SIDE).map(|row| (0..SIDE).map(move |column| Self(row * SIDE + column)))
    }
}

/// The spaces around each space, by its index.
const NEIGHBORS: [Spaces; Space::COUNT as usize] = {
    let mut table = [Spaces::NONE; Space::COUNT as usize];
    let mut from = 0;
    while from < Space::COUNT {
        let mut to = 0;
        while to < Space::COUNT {
            let (a, b) = (Space(from), Space(to));
            if from != to && a.column().abs_diff(b.column()) <= 1 && a.row().abs_diff(b.row()) <= 1
            {
                table[from as usize] = table[from as usize].with(b);
            }
            to += 1;
        }
        from += 1;
    }
    table
};

/// As the rules page writes it: column letter, then row, as in `b2`.
impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column()), self.row() + 1)
    }
}

impl fmt::Debug for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Reads what `Display` writes. The error is that it names no space.
impl FromStr for Space {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        let &[column @ b'a'..=b'e', row @ b'1'..=b'5'] = name.as_bytes() else {
            return Err(());
        };
        Ok(Self((row - b'1') * SIDE + (column - b'a')))
    }
}

/// A set of spaces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Spaces(u32);

impl Spaces {
    /// No space.
    pub const NONE: Self = Self(0);
    /// Every space of the board.
    pub const ALL: Self = Self((1 << Space::COUNT) - 1);
    /// Row 1, the south edge.
    pub const SOUTH: Self = Self(0b11111);
    /// Row 5, the north edge.
    pub const NORTH: Self = Self(0b11111 << 20);
    /// Column a, the west edge.
    pub const WEST: Self = Self(0b00001_00001_00001_00001_00001);
    /// Column e, the east edge.
    pub const EAST: Self = Self(0b10000_10000_10000_10000_10000);
    /// The 16 spaces at the border of the board.
    pub const PERIMETER: Self = Self(Self::SOUTH.0 | Self::NORTH.0 | Self::WEST.0 | Self::EAST.0);
    /// The nine other spaces.
    pub const INNER: Self = Self(Self::ALL.0 & !Self::PERIMETER.0);

    /// The set of this one space.
    #[inline]
    pub const fn only(space: Space) -> Self {
        Self(1 << space.0)
    }

    /// All spaces that neighbor one of these.
    #[inline]
    #[must_use]
    pub fn neighbors(self) -> Self {
        self.iter()
            .fold(Self::NONE, |spaces, space| spaces | space.neighbors())
    }

    /// The set of these bits, space `i` being bit `i`; bits of no space are left out.
    #[inline]
    pub(super) const fn from_bits(bits: u32) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// The set and this space.
    #[inline]
    #[must_use]
    pub const fn with(self, space: Space) -> Self {
        Self(self.0 | 1 << space.0)
    }

    /// The set less this space.
    #[inline]
    #[must_use]
    pub const fn without(self, space: Space) -> Self {
        Self(self.0 & !(1 << space.0))
    }

    /// Whether the space is in the set.
    #[inline]
    pub const fn contains(self, space: Space) -> bool {
        self.0 & 1 << space.0 != 0
    }

    /// Whether no space is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many spaces are in the set.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The spaces, ascending by index.
    #[inline]
    pub const fn iter(self) -> SpacesIter {
        SpacesIter(self.0)
    }
}

/// The spaces in both sets.
impl BitAnd for Spaces {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// The spaces in either set.
impl BitOr for Spaces {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The spaces of the first set that are not in the second.
impl Sub for Spaces {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl FromIterator<Space> for Spaces {
    fn from_iter<I: IntoIterator<Item = Space>>(spaces: I) -> Self {
        spaces.into_iter().fold(Self::NONE, Self::with)
    }
}

impl fmt::Debug for Spaces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The spaces of a set, ascending by index.
#[derive(Clone, Debug)]
pub struct SpacesIter(u32);

impl Iterator for SpacesIter {
    type Item = Space;

    #[inline]
    fn next(&mut self) -> Option<Space> {
        if self.0 == 0 {
            return None;
        }
        // Below 25, as no higher bit is ever set.
        let space = Space(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(space)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for SpacesIter {}
