//! The sixteen Dark Tech cards (8). What each does is told where it does it.

use std::fmt;

use serde::Deserialize;

use super::{DATA, Gems, Numbered};

/// A Dark Tech card: eight of level 1, then eight of level 2.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
pub enum DarkTech {
    /// A further slot, with range 3.
    #[serde(rename = "dt1_extra_field")]
    ExtraField,
    /// Gems at the start of each buy turn.
    #[serde(rename = "dt1_gem_well")]
    GemWell,
    /// Less consumption each round.
    #[serde(rename = "dt1_efficiency")]
    Efficiency,
    /// One take more in every mine step.
    #[serde(rename = "dt1_deep_drill")]
    DeepDrill,
    /// Every slot reaches one parsec further.
    #[serde(rename = "dt1_warp_beacon")]
    WarpBeacon,
    /// All planets may be colonized; energy.
    #[serde(rename = "dt1_terraformer")]
    Terraformer,
    /// Energy.
    #[serde(rename = "dt1_energy_burst")]
    EnergyBurst,
    /// Gems.
    #[serde(rename = "dt1_cache")]
    Cache,
    /// A tie is a majority; high values give more.
    #[serde(rename = "dt2_dominion")]
    Dominion,
    /// The consumption marker moves back.
    #[serde(rename = "dt2_purge")]
    Purge,
    /// One galaxy a round is scored without removing a cube.
    #[serde(rename = "dt2_holdfast")]
    Holdfast,
    /// Energy.
    #[serde(rename = "dt2_surge")]
    Surge,
    /// Two cubes placed at once.
    #[serde(rename = "dt2_colonial_wave")]
    ColonialWave,
    /// Energy and two bonus cards.
    #[serde(rename = "dt2_archive")]
    Archive,
    /// The card of slot 1 acts twice.
    #[serde(rename = "dt2_overclock")]
    Overclock,
    /// Energy after each purchase.
    #[serde(rename = "dt2_trade_nexus")]
    TradeNexus,
}

/// How long a Dark Tech card has an effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Timing {
    /// Once, when it is taken.
    Instant,
    /// From the moment it is taken to the end of final scoring.
    Lasting,
}

/// What is on a Dark Tech card.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DarkTechData {
    /// Which.
    pub id: DarkTech,
    /// The level that brings it, 1 or 2.
    pub level: u8,
    /// How long it has an effect.
    pub timing: Timing,
    /// Its name.
    pub name: String,
    /// Its text.
    pub effect: String,
    /// A number of its effect.
    #[serde(default)]
    pub amount: u8,
    /// Energy of its effect.
    #[serde(default)]
    pub energy: u16,
    /// Gems of its effect.
    #[serde(default)]
    pub gems: Gems,
    /// Bonus cards of its effect.
    #[serde(default)]
    pub draws: u8,
}

impl DarkTech {
    const ALL: [Self; Self::COUNT as usize] = [
        Self::ExtraField,
        Self::GemWell,
        Self::Efficiency,
        Self::DeepDrill,
        Self::WarpBeacon,
        Self::Terraformer,
        Self::EnergyBurst,
        Self::Cache,
        Self::Dominion,
        Self::Purge,
        Self::Holdfast,
        Self::Surge,
        Self::ColonialWave,
        Self::Archive,
        Self::Overclock,
        Self::TradeNexus,
    ];

    /// What is on it.
    #[inline]
    pub fn data(self) -> &'static DarkTechData {
        &DATA.dark_tech[usize::from(self.index())]
    }

    /// Its id, as in `dt1_gem_well`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::ExtraField => "dt1_extra_field",
            Self::GemWell => "dt1_gem_well",
            Self::Efficiency => "dt1_efficiency",
            Self::DeepDrill => "dt1_deep_drill",
            Self::WarpBeacon => "dt1_warp_beacon",
            Self::Terraformer => "dt1_terraformer",
            Self::EnergyBurst => "dt1_energy_burst",
            Self::Cache => "dt1_cache",
            Self::Dominion => "dt2_dominion",
            Self::Purge => "dt2_purge",
            Self::Holdfast => "dt2_holdfast",
            Self::Surge => "dt2_surge",
            Self::ColonialWave => "dt2_colonial_wave",
            Self::Archive => "dt2_archive",
            Self::Overclock => "dt2_overclock",
            Self::TradeNexus => "dt2_trade_nexus",
        }
    }

    /// All cards of this level.
    pub fn of_level(level: u8) -> impl Iterator<Item = Self> {
        Self::all().filter(move |card| card.data().level == level)
    }
}

impl Numbered for DarkTech {
    const COUNT: u8 = 16;

    #[inline]
    fn index(self) -> u8 {
        self as u8
    }

    fn from_index(index: u8) -> Option<Self> {
        Self::ALL.get(usize::from(index)).copied()
    }
}

impl fmt::Display for DarkTech {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
