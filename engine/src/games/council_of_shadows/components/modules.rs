//! Civilizations, leaders (11), space stations (10) and additional fields.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{DATA, DarkTech, Gems, Numbered, Upgrade};

/// Whose people a player leads. It has no effect.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names on the boards")]
pub enum Civilization {
    Tretons,
    Avry,
    Takrill,
    Automatos,
}

/// What is on a player board of a civilization.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CivilizationData {
    /// Which.
    pub id: Civilization,
    /// Its name.
    pub name: String,
    /// Its color.
    #[serde(rename = "colour")]
    pub color: String,
}

impl Civilization {
    /// What is on its board.
    pub fn data(self) -> &'static CivilizationData {
        &DATA.civilizations[usize::from(self.index())]
    }
}

impl Numbered for Civilization {
    const COUNT: u8 = 4;

    fn index(self) -> u8 {
        self as u8
    }

    fn from_index(index: u8) -> Option<Self> {
        [Self::Tretons, Self::Avry, Self::Takrill, Self::Automatos]
            .get(usize::from(index))
            .copied()
    }
}

/// A leader of module 2.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
pub enum Leader {
    /// Begins with a range step and energy.
    #[serde(rename = "ld_navigator")]
    Navigator,
    /// Begins with an adaptability and energy.
    #[serde(rename = "ld_geologist")]
    Geologist,
    /// Begins with a gem more.
    #[serde(rename = "ld_magnate")]
    Magnate,
    /// Has an additional field.
    #[serde(rename = "ld_engineer")]
    Engineer,
    /// The first take of each mine step gives more.
    #[serde(rename = "ld_driller")]
    Driller,
    /// Consumes less when consuming much.
    #[serde(rename = "ld_ascetic")]
    Ascetic,
}

/// The numbers of a leader. What is missing is 0.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeaderData {
    /// Which.
    pub id: Leader,
    /// Its name.
    pub name: String,
    /// What it does at set-up, for display.
    pub setup: Option<String>,
    /// What it does for the whole game, for display.
    pub lasting: Option<String>,
    /// The upgrade that is already built.
    pub upgrade: Option<Upgrade>,
    /// Energy: at set-up, or for a take.
    #[serde(default)]
    pub energy: u16,
    /// Gems at set-up.
    #[serde(default)]
    pub gems: Gems,
    /// The range of the additional field.
    #[serde(default)]
    pub field_range: u8,
    /// By how much the consumption total changes.
    #[serde(default)]
    pub delta: i16,
    /// From which total on.
    #[serde(default)]
    pub min_total: i16,
}

impl Leader {
    const ALL: [Self; Self::COUNT as usize] = [
        Self::Navigator,
        Self::Geologist,
        Self::Magnate,
        Self::Engineer,
        Self::Driller,
        Self::Ascetic,
    ];

    /// Its numbers.
    #[inline]
    pub fn data(self) -> &'static LeaderData {
        &DATA.leaders[usize::from(self.index())]
    }

    /// Its id, as in `ld_navigator`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Navigator => "ld_navigator",
            Self::Geologist => "ld_geologist",
            Self::Magnate => "ld_magnate",
            Self::Engineer => "ld_engineer",
            Self::Driller => "ld_driller",
            Self::Ascetic => "ld_ascetic",
        }
    }
}

impl Numbered for Leader {
    const COUNT: u8 = 6;

    fn index(self) -> u8 {
        self as u8
    }

    fn from_index(index: u8) -> Option<Self> {
        Self::ALL.get(usize::from(index)).copied()
    }
}

impl fmt::Display for Leader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// A space station of module 1; each player owns one of each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
pub enum Station {
    /// Counts as a colony in comparisons.
    #[serde(rename = "st_relay")]
    Relay,
    /// Takes from its galaxy give more.
    #[serde(rename = "st_refinery")]
    Refinery,
    /// Scoring its galaxy gives more.
    #[serde(rename = "st_citadel")]
    Citadel,
}

/// What is on a station tile.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StationData {
    /// Which.
    pub id: Station,
    /// Its name.
    pub name: String,
    /// What it costs.
    pub cost: Gems,
    /// What it does, for display.
    pub effect: String,
    /// By how much.
    pub amount: u16,
}

impl Station {
    /// What is on the tile.
    #[inline]
    pub fn data(self) -> &'static StationData {
        &DATA.stations[usize::from(self.index())]
    }

    /// Its id, as in `st_relay`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Relay => "st_relay",
            Self::Refinery => "st_refinery",
            Self::Citadel => "st_citadel",
        }
    }
}

impl Numbered for Station {
    const COUNT: u8 = 3;

    #[inline]
    fn index(self) -> u8 {
        self as u8
    }

    fn from_index(index: u8) -> Option<Self> {
        [Self::Relay, Self::Refinery, Self::Citadel]
            .get(usize::from(index))
            .copied()
    }
}

impl fmt::Display for Station {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// Where an action slot comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
pub enum Field {
    /// One of the three slots of the player board.
    #[serde(skip)]
    Board,
    /// The additional field of the leader Engineer.
    #[serde(rename = "field_leader")]
    Leader,
    /// The additional field of the Dark Tech card Extra Field.
    #[serde(rename = "field_dark_tech")]
    DarkTech,
}

/// An additional field.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldData {
    /// Which.
    pub id: Field,
    /// What brings it.
    pub source: FieldSource,
    /// Its range, which nothing upgrades.
    pub range: u8,
}

/// What brings an additional field.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(untagged)]
pub enum FieldSource {
    /// A leader.
    Leader(Leader),
    /// A Dark Tech card.
    DarkTech(DarkTech),
}

impl Field {
    /// Its fixed range; `None` for the slots of the board, whose range depends on upgrades.
    pub fn fixed_range(self) -> Option<u8> {
        let data = DATA.fields.iter().find(|data| data.id == self)?;
        Some(data.range)
    }
}
