//! Numbers of the rules that belong to no single component.

use serde::Deserialize;

use super::{Gems, PlanetType};

/// What `constants.toml` says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Numbers {
    /// The set-up.
    pub start: StartNumbers,
    /// The play.
    pub play: PlayNumbers,
    /// What the others get when somebody rises.
    pub compensation: Compensation,
    /// Final scoring.
    #[serde(rename = "final")]
    pub last: FinalNumbers,
}

/// What everybody begins with.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names say it")]
pub struct StartNumbers {
    pub cubes: u8,
    pub energy: u16,
    /// Also the lowest that the consumption marker goes.
    pub consumption: u16,
    pub level: u8,
    pub gems: Gems,
    pub slots: u8,
    pub slot_range: u8,
    pub planets: Vec<PlanetType>,
    pub ai_row: u8,
    pub dark_tech_removed: u8,
    pub dark_bonus_per_human: u8,
}

/// Limits of the play.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names say it")]
pub struct PlayNumbers {
    pub purchases: u8,
    pub max_height: u8,
    pub found_cubes: u8,
    pub explore_tiles: u8,
    pub bonus_limit: u8,
    pub top_range: u8,
    pub throne_level: u8,
}

/// What the others get when somebody rises (7).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compensation {
    /// For a new level 1.
    pub level_1: Vec<Consolation>,
    /// For a new level 2.
    pub level_2: Vec<Consolation>,
    /// What the Automa gets instead of each gem.
    pub automa_energy: Gems,
}

/// What a player of a level gets.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Consolation {
    /// The level of the receiver.
    pub level: u8,
    /// What he gets.
    pub gems: Gems,
}

/// What things are worth at the end (14).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FinalNumbers {
    /// Energy for a gem of each kind.
    pub gems: Gems,
    /// Energy for an AI card.
    pub ai_card: u16,
}
