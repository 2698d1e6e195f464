//! The board: six area cards on a ring of six slots (section 3).

use serde::Deserialize;

use super::tables::{AreaFacts, TABLES};

/// An area card. In the order of the data file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Area {
    /// Draws a Hermit card.
    HermitsCabin,
    /// Draws a card from any deck.
    UnderworldGate,
    /// Draws a White card.
    Church,
    /// Draws a Black card.
    Cemetery,
    /// Damages or heals a character.
    WeirdWoods,
    /// Takes equipment.
    ErstwhileAltar,
}

impl Area {
    /// How many there are.
    pub const COUNT: u8 = 6;

    /// All of them, in order.
    pub const ALL: [Self; Self::COUNT as usize] = [
        Self::HermitsCabin,
        Self::UnderworldGate,
        Self::Church,
        Self::Cemetery,
        Self::WeirdWoods,
        Self::ErstwhileAltar,
    ];

    /// The area to which a total of both dice leads; `None` for 7.
    pub fn of_total(total: u8) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|area| area.facts().numbers.contains(&total))
    }

    /// What is printed on the card.
    pub fn facts(self) -> &'static AreaFacts {
        &TABLES.areas[self as usize]
    }

    /// The printed name.
    pub fn name(self) -> &'static str {
        &self.facts().name
    }
}

/// A set of areas.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Areas(u8);

impl Areas {
    /// No area.
    pub const EMPTY: Self = Self(0);
    /// All six.
    pub const FULL: Self = Self(0b11_1111);

    /// Whether the area is in the set.
    pub const fn contains(self, area: Area) -> bool {
        self.0 & 1 << area as u8 != 0
    }

    /// The set and this area.
    #[must_use]
    pub const fn with(self, area: Area) -> Self {
        Self(self.0 | 1 << area as u8)
    }

    /// The set less this area.
    #[must_use]
    pub const fn without(self, area: Area) -> Self {
        Self(self.0 & !(1 << area as u8))
    }

    /// How many areas are in the set.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether no area is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set as bits: the area of number `i` is bit `i`.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The areas in order.
    pub fn iter(self) -> impl Iterator<Item = Area> {
        Area::ALL
            .into_iter()
            .filter(move |&area| self.contains(area))
    }
}

/// A place on the board, 0 to 5. The slots form a ring; 0 and 1, 2 and 3, 4 and 5 are pairs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot(u8);

impl Slot {
    /// How many there are.
    pub const COUNT: u8 = 6;

    /// The slot of this number.
    pub const fn new(number: u8) -> Option<Self> {
        if number < Self::COUNT {
            Some(Self(number))
        } else {
            None
        }
    }

    /// Its number, 0 to 5.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// All of them, ascending.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self)
    }

    /// Whether the two are the same or a pair: within the range of a normal attack.
    pub const fn same_pair(self, other: Self) -> bool {
        self.0 / 2 == other.0 / 2
    }

    /// The two neighbors on the ring.
    pub const fn adjacent(self) -> [Self; 2] {
        [
            Self((self.0 + 1) % Self::COUNT),
            Self((self.0 + Self::COUNT - 1) % Self::COUNT),
        ]
    }
}
