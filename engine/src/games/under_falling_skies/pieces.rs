//! What lies and stands on the table: ships, worker dice and robots (3.1).

use std::fmt;

use super::geometry::{Column, Space};

/// A ship: five red ones, four white ones and the orange command ship.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ship(u8);

/// The color of a ship.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ShipColor {
    /// One of the five that are always in play.
    Red,
    /// One of the four that the mothership adds.
    White,
    /// The command ship of the campaign.
    Orange,
}

impl Ship {
    /// How many there are.
    pub const COUNT: u8 = 10;
    /// How many of them are red.
    pub const REDS: u8 = 5;
    /// How many of them are white.
    pub const WHITES: u8 = 4;
    /// The command ship.
    pub const ORANGE: Self = Self(9);

    /// The ship of this number: 0 to 4 are red, 5 to 8 white, 9 is orange; `None` from
    /// [`COUNT`](Self::COUNT) on.
    pub const fn from_index(index: u8) -> Option<Self> {
        if index < Self::COUNT {
            Some(Self(index))
        } else {
            None
        }
    }

    /// Its number.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// Its color.
    pub const fn color(self) -> ShipColor {
        match self.0 {
            0..Self::REDS => ShipColor::Red,
            9 => ShipColor::Orange,
            _ => ShipColor::White,
        }
    }

    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self)
    }

    /// The red ones.
    pub fn reds() -> impl Iterator<Item = Self> {
        (0..Self::REDS).map(Self)
    }

    /// The white ones.
    pub fn whites() -> impl Iterator<Item = Self> {
        (Self::REDS..Self::REDS + Self::WHITES).map(Self)
    }
}

/// As the rules page writes it: `red_1`, `white_4`, `orange`.
impl fmt::Display for Ship {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.color() {
            ShipColor::Red => write!(f, "red_{}", self.0 + 1),
            ShipColor::White => write!(f, "white_{}", self.0 - Self::REDS + 1),
            ShipColor::Orange => f.write_str("orange"),
        }
    }
}

/// Where a ship is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ShipPlace {
    /// Beside the table: not in play, or shot down for good.
    Supply,
    /// On the dark half of the mothership, waiting to appear again.
    Pool,
    /// On the mothership's drop point of this column; it rides along.
    DropPoint(Column),
    /// In the sky.
    Sky {
        /// 0 next to the city, upwards.
        row: u8,
        /// Its column.
        column: Column,
    },
}

/// A worker die: three grey ones and two white ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Die(u8);

impl Die {
    /// How many there are.
    pub const COUNT: u8 = 5;
    /// How many of them are grey.
    pub const GREYS: u8 = 3;

    /// The die of this number: 0 to 2 are grey, 3 and 4 white; `None` from [`COUNT`](Self::COUNT)
    /// on.
    pub const fn from_index(index: u8) -> Option<Self> {
        if index < Self::COUNT {
            Some(Self(index))
        } else {
            None
        }
    }

    /// Its number.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// Whether it is white: placing it rerolls what is left.
    pub const fn is_white(self) -> bool {
        self.0 >= Self::GREYS
    }

    /// All of them, in the order in which they are rolled.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self)
    }

    /// The grey ones.
    pub fn greys() -> impl Iterator<Item = Self> {
        (0..Self::GREYS).map(Self)
    }
}

/// As the rules page writes it: `g1` to `g3`, `w1`, `w2`.
impl fmt::Display for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_white() {
            write!(f, "w{}", self.0 - Self::GREYS + 1)
        } else {
            write!(f, "g{}", self.0 + 1)
        }
    }
}

/// A worker die on the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct WorkerDie {
    /// The face it shows, 1 to 6; 0 before the first roll.
    pub face: u8,
    /// Where it is.
    pub place: DiePlace,
}

/// Where a worker die is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DiePlace {
    /// Rolled, and still to be placed.
    Unplaced,
    /// On this space of the base.
    On(Space),
    /// Used or taken off: out of the round.
    Left,
}

/// One of the two blue dice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RobotDie(u8);

impl RobotDie {
    /// How many there are.
    pub const COUNT: u8 = 2;

    /// The die of this number; `None` from [`COUNT`](Self::COUNT) on.
    pub const fn from_index(index: u8) -> Option<Self> {
        if index < Self::COUNT {
            Some(Self(index))
        } else {
            None
        }
    }

    /// Its number.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// Both of them.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self)
    }
}

/// As the rules page writes it: `b1`, `b2`.
impl fmt::Display for RobotDie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b{}", self.0 + 1)
    }
}

/// A robot in the base.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Robot {
    /// Its value, 1 to 6.
    pub value: u8,
    /// Where it stands.
    pub space: Space,
    /// Whether it has worked, or been built, in this rooms phase.
    pub exhausted: bool,
}
