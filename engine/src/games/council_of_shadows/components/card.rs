//! Action cards: the six starting cards and the 25 AI cards (3), and the steps on them (5.5).

use std::fmt;

use serde::Deserialize;

use super::{DATA, Gems, Numbered};

/// One symbol of a card.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Step {
    /// Places cubes one by one.
    Settle {
        /// How many.
        n: u8,
    },
    /// Places two cubes on one planet.
    Found,
    /// Takes the yields of systems with own cubes.
    Mine {
        /// How many at most.
        n: u8,
    },
    /// Draws tiles and places one.
    Explore,
    /// Takes gems.
    Gems {
        /// Anthracite gems.
        #[serde(default)]
        a: u16,
        /// Golden gems.
        #[serde(default)]
        g: u16,
        /// Transparent gems.
        #[serde(default)]
        t: u16,
    },
    /// Makes gems more valuable, one step each.
    Improve {
        /// How many at most.
        n: u8,
    },
}

/// What is on an action card.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardData {
    /// Its id, as in `s_settle` or `ai_01`.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How far it moves the consumption marker each round in which it lies on top.
    pub consumption: i8,
    /// What an AI card costs; nothing for a starting card.
    #[serde(default)]
    pub cost: Gems,
    /// Whether just one of the steps is carried out.
    #[serde(default)]
    pub choose: bool,
    /// Its steps, in printed order.
    pub steps: Vec<Step>,
}

/// An action card: 0 to 5 the starting cards, of which each player has a set; 6 to 30 the AI cards,
/// of which there is one each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// How many starting cards a player has.
    pub const STARTING: u8 = 6;
    /// How many AI cards there are.
    pub const AI: u8 = 25;

    /// What is on it.
    #[inline]
    pub fn data(self) -> &'static CardData {
        &DATA.cards[usize::from(self.0)]
    }

    /// Whether it is an AI card.
    #[inline]
    pub const fn is_ai(self) -> bool {
        self.0 >= Self::STARTING
    }

    /// The card of this id.
    pub fn named(id: &str) -> Option<Self> {
        Self::all().find(|card| card.data().id == id)
    }
}

impl Numbered for Card {
    const COUNT: u8 = Self::STARTING + Self::AI;

    #[inline]
    fn index(self) -> u8 {
        self.0
    }

    fn from_index(index: u8) -> Option<Self> {
        (index < Self::COUNT).then_some(Self(index))
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.data().id)
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
