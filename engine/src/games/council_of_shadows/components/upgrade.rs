//! The thirteen upgrades of a player board (3).

use std::fmt;

use serde::Deserialize;

use super::{DATA, Gems, Numbered, PlanetType};

/// An upgrade, in the order of the data file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Upgrade {
    /// Desert planets may be colonized.
    AdaptDesert,
    /// Volcano planets may be colonized.
    AdaptVolcano,
    /// Planets with cubes may be colonized.
    ColonyExtension,
    /// The first special project.
    #[serde(rename = "project_1")]
    Project1,
    /// The second special project.
    #[serde(rename = "project_2")]
    Project2,
    /// The third special project.
    #[serde(rename = "project_3")]
    Project3,
    /// The fourth special project.
    #[serde(rename = "project_4")]
    Project4,
    /// Slot 1 reaches parsec 2.
    #[serde(rename = "range_1_2")]
    Range1To2,
    /// Slot 1 reaches parsec 3.
    #[serde(rename = "range_1_3")]
    Range1To3,
    /// Slot 2 reaches parsec 2.
    #[serde(rename = "range_2_2")]
    Range2To2,
    /// Slot 2 reaches parsec 3.
    #[serde(rename = "range_2_3")]
    Range2To3,
    /// Slot 3 reaches parsec 2.
    #[serde(rename = "range_3_2")]
    Range3To2,
    /// Slot 3 reaches parsec 3.
    #[serde(rename = "range_3_3")]
    Range3To3,
}

/// What an upgrade does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum UpgradeKind {
    /// A further type of planet may be colonized.
    Adaptability {
        /// Which.
        planet: PlanetType,
    },
    /// Planets that hold cubes may be colonized.
    ColonyExtension,
    /// Energy at once.
    Project {
        /// How much.
        energy: u16,
    },
    /// A slot reaches further.
    Range {
        /// Which slot, from 1.
        slot: u8,
        /// How far it reaches then.
        parsec: u8,
        /// Energy at once.
        energy: u16,
        /// The step before it (R7).
        requires: Option<Upgrade>,
    },
}

/// What a player board says of an upgrade.
#[derive(Clone, Debug, Deserialize)]
pub struct UpgradeData {
    /// Which.
    pub id: Upgrade,
    /// What it costs.
    pub cost: Gems,
    /// What it does.
    #[serde(flatten)]
    pub kind: UpgradeKind,
}

impl Upgrade {
    const ALL: [Self; Self::COUNT as usize] = [
        Self::AdaptDesert,
        Self::AdaptVolcano,
        Self::ColonyExtension,
        Self::Project1,
        Self::Project2,
        Self::Project3,
        Self::Project4,
        Self::Range1To2,
        Self::Range1To3,
        Self::Range2To2,
        Self::Range2To3,
        Self::Range3To2,
        Self::Range3To3,
    ];

    /// What the board says of it.
    #[inline]
    pub fn data(self) -> &'static UpgradeData {
        &DATA.upgrades[usize::from(self.index())]
    }

    /// Its id, as in `adapt_desert`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::AdaptDesert => "adapt_desert",
            Self::AdaptVolcano => "adapt_volcano",
            Self::ColonyExtension => "colony_extension",
            Self::Project1 => "project_1",
            Self::Project2 => "project_2",
            Self::Project3 => "project_3",
            Self::Project4 => "project_4",
            Self::Range1To2 => "range_1_2",
            Self::Range1To3 => "range_1_3",
            Self::Range2To2 => "range_2_2",
            Self::Range2To3 => "range_2_3",
            Self::Range3To2 => "range_3_2",
            Self::Range3To3 => "range_3_3",
        }
    }

    /// Whether it is a range step.
    pub fn is_range(self) -> bool {
        matches!(self.data().kind, UpgradeKind::Range { .. })
    }

    /// Whether it is a special project.
    pub fn is_project(self) -> bool {
        matches!(self.data().kind, UpgradeKind::Project { .. })
    }
}

impl Numbered for Upgrade {
    const COUNT: u8 = 13;

    #[inline]
    fn index(self) -> u8 {
        self as u8
    }

    fn from_index(index: u8) -> Option<Self> {
        Self::ALL.get(usize::from(index)).copied()
    }
}

impl fmt::Display for Upgrade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
