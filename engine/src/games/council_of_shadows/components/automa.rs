//! The eighteen Automa cards (12).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{DATA, Numbered};

/// What an Automa does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AutomaStep {
    /// Draws a tile and places it.
    Explore,
    /// Places one cube.
    Settle,
    /// Places two cubes.
    Found,
}

/// What is on an Automa card.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AutomaCardData {
    /// Its id, as in `au_01`.
    pub id: String,
    /// How far it moves the Automa's consumption marker.
    pub consumption: i8,
    /// The position of the row, from 1, whose AI card it removes.
    pub market: u8,
    /// The parsec it aims for.
    pub parsec: u8,
    /// What the Automa does, in order.
    pub actions: Vec<AutomaStep>,
    /// Energy after the actions.
    pub energy: u16,
    /// How many galaxies it scores at most.
    pub score: u8,
}

/// One of the Automa cards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AutomaCard(u8);

impl AutomaCard {
    /// What is on it.
    pub fn data(self) -> &'static AutomaCardData {
        &DATA.automa[usize::from(self.0)]
    }

    /// The card of this id.
    pub fn named(id: &str) -> Option<Self> {
        Self::all().find(|card| card.data().id == id)
    }
}

impl Numbered for AutomaCard {
    const COUNT: u8 = 18;

    fn index(self) -> u8 {
        self.0
    }

    fn from_index(index: u8) -> Option<Self> {
        (index < Self::COUNT).then_some(Self(index))
    }
}

impl fmt::Display for AutomaCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.data().id)
    }
}

impl fmt::Debug for AutomaCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// How strong an Automa is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Difficulty {
    /// A little energy more each round.
    Easy,
    /// Some energy more each round.
    Normal,
    /// Much energy more each round.
    Hard,
}

/// What a difficulty means.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DifficultyData {
    /// Which.
    pub id: Difficulty,
    /// Energy added to that of every card.
    pub extra: u16,
}

impl Difficulty {
    /// Energy added to that of every card.
    pub fn extra(self) -> u16 {
        DATA.difficulties[self as usize].extra
    }
}
