//! Where things are: the columns, and the 30 spaces of the base along the excavator's path (section
//! 3).

use std::fmt;

/// One of the five columns that sky and base share, 0 on the left to 4 on the right.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Column(u8);

impl Column {
    /// How many there are.
    pub const COUNT: u8 = 5;

    /// The column of this number; `None` from [`COUNT`](Self::COUNT) on.
    pub const fn from_index(index: u8) -> Option<Self> {
        if index < Self::COUNT {
            Some(Self(index))
        } else {
            None
        }
    }

    /// Its number, 0 on the left.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// All of them, from left to right.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..Self::COUNT).map(Self)
    }

    /// The column next to this one; `None` at the edge.
    pub const fn next(self, direction: Direction) -> Option<Self> {
        match direction {
            Direction::Left => match self.0.checked_sub(1) {
                Some(index) => Some(Self(index)),
                None => None,
            },
            Direction::Right => Self::from_index(self.0 + 1),
        }
    }
}

/// Left or right, as the player sees it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// Towards column 0.
    Left,
    /// Towards column 4.
    Right,
}

/// A set of columns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Columns(u8);

impl Columns {
    /// No column.
    pub const NONE: Self = Self(0);

    /// Whether the column is in the set.
    pub const fn contains(self, column: Column) -> bool {
        self.0 & (1 << column.0) != 0
    }

    /// The columns, from left to right.
    pub fn iter(self) -> impl Iterator<Item = Column> {
        Column::all().filter(move |&column| self.contains(column))
    }

    /// How many there are.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// As bits: column `i` is bit `i`, counted from the least significant.
    pub const fn bits(self) -> u8 {
        self.0
    }
}

impl FromIterator<Column> for Columns {
    fn from_iter<I: IntoIterator<Item = Column>>(columns: I) -> Self {
        Self(
            columns
                .into_iter()
                .fold(0, |set, column| set | 1 << column.0),
        )
    }
}

/// A space of the base, by its place on the excavator's path: 0 in the upper right corner, 29 in
/// the lower right one (3.4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Space(u8);

impl Space {
    /// How many there are.
    pub const COUNT: u8 = 30;
    /// How many rows of five there are; row 0, directly under the city, holds the AA guns.
    pub const ROWS: u8 = 6;

    /// The space with this path index; `None` from [`COUNT`](Self::COUNT) on.
    pub const fn from_index(index: u8) -> Option<Self> {
        if index < Self::COUNT {
            Some(Self(index))
        } else {
            None
        }
    }

    /// The space in this row, 0 to 5, and column. The path zigzags: even rows run to the left, odd
    /// ones to the right.
    pub const fn at(row: u8, column: Column) -> Option<Self> {
        if row >= Self::ROWS {
            None
        } else if row.is_multiple_of(2) {
            Some(Self(5 * row + 4 - column.0))
        } else {
            Some(Self(5 * row + column.0))
        }
    }

    /// Its path index.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// Its row, 0 to 5.
    pub const fn row(self) -> u8 {
        self.0 / 5
    }

    /// Its column.
    pub const fn column(self) -> Column {
        if self.row().is_multiple_of(2) {
            Column(4 - self.0 % 5)
        } else {
            Column(self.0 % 5)
        }
    }

    /// All of them, along the path.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..Self::COUNT).map(Self)
    }
}

/// As the rules page writes it: `p12`.
impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{}", self.0)
    }
}

/// A set of spaces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Spaces(u32);

impl Spaces {
    /// No space.
    pub const NONE: Self = Self(0);

    /// The spaces that come before this one on the path.
    pub const fn before(space: Space) -> Self {
        Self((1 << space.0) - 1)
    }

    /// Whether the space is in the set.
    pub const fn contains(self, space: Space) -> bool {
        self.0 & (1 << space.0) != 0
    }

    /// The set and this space.
    #[must_use]
    pub const fn with(self, space: Space) -> Self {
        Self(self.0 | 1 << space.0)
    }

    /// The spaces of this set that are not in the other.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether all of these are in the other set too.
    pub const fn within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// How many there are.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The spaces, along the path.
    pub fn iter(self) -> impl Iterator<Item = Space> {
        Space::all().filter(move |&space| self.contains(space))
    }
}

impl FromIterator<Space> for Spaces {
    fn from_iter<I: IntoIterator<Item = Space>>(spaces: I) -> Self {
        spaces.into_iter().fold(Self::NONE, Self::with)
    }
}
