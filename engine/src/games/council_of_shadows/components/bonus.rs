//! The 27 bonus cards and what they count (9).

use std::fmt;

use serde::Deserialize;

use super::{DATA, Galaxy, Gem, Numbered, PlanetType};

/// What a bonus card counts for its owner.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum BonusKind {
    /// 1.
    Fixed,
    /// Own cubes in systems of this parsec.
    CubesInParsec {
        /// Which.
        parsec: u8,
    },
    /// Own cubes on planets of this type.
    CubesOnPlanet {
        /// Which.
        planet: PlanetType,
    },
    /// Own cubes in this galaxy.
    CubesInGalaxy {
        /// Which.
        galaxy: Galaxy,
    },
    /// Own AI cards, in hand or on the board.
    AiCards,
    /// Own range upgrades.
    RangeSteps,
    /// Own special projects.
    Projects,
    /// All own upgrades.
    Upgrades,
    /// Galaxies where the owner would get the high value.
    Majorities,
    /// Galaxies with own cubes.
    Galaxies,
    /// Own gems of this kind.
    Gems {
        /// Which.
        gem: Gem,
    },
    /// Sets of one gem of each kind.
    GemSets,
    /// Own placed stations.
    Stations,
    /// Own placed stations in galaxies where the owner has the majority.
    StationGalaxiesLed,
}

/// What is on a bonus card.
#[derive(Clone, Debug, Deserialize)]
pub struct BonusData {
    /// Its id, as in `bl_01` or `bd_01`.
    pub id: String,
    /// Energy for each that it counts.
    pub value: u16,
    /// The most energy it gives.
    pub max: Option<u16>,
    /// The numbers of parties with which it is used; all if it says nothing.
    #[serde(default)]
    pub players: Vec<u8>,
    /// The module without which it isn't used.
    pub module: Option<Module>,
    /// What it counts.
    #[serde(flatten)]
    pub kind: BonusKind,
}

/// A module that a card belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Module {
    /// Module 1.
    Stations,
}

/// The back of a bonus card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Back {
    /// Won by scoring.
    Light,
    /// Dealt at set-up.
    Dark,
}

/// One of the 27 bonus cards: the 18 light ones first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bonus(u8);

impl Bonus {
    /// How many light cards there are.
    pub const LIGHT: u8 = 18;

    /// What is on it.
    #[inline]
    pub fn data(self) -> &'static BonusData {
        &DATA.bonus[usize::from(self.0)]
    }

    /// Its back.
    #[inline]
    pub const fn back(self) -> Back {
        if self.0 < Self::LIGHT {
            Back::Light
        } else {
            Back::Dark
        }
    }

    /// The card of this id.
    pub fn named(id: &str) -> Option<Self> {
        Self::all().find(|card| card.data().id == id)
    }

    /// Whether the card is used with this number of parties, and with or without stations (4.6,
    /// R40).
    pub fn in_use(self, parties: u8, stations: bool) -> bool {
        let data = self.data();
        let players = data.players.is_empty() || data.players.contains(&parties);
        let module = match data.module {
            None => true,
            Some(Module::Stations) => stations,
        };
        players && module
    }
}

impl Numbered for Bonus {
    const COUNT: u8 = 27;

    #[inline]
    fn index(self) -> u8 {
        self.0
    }

    fn from_index(index: u8) -> Option<Self> {
        (index < Self::COUNT).then_some(Self(index))
    }
}

impl fmt::Display for Bonus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.data().id)
    }
}

impl fmt::Debug for Bonus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
