//! What a table of Council of Shadows is set up with (2). The number of seats is the number of
//! humans.

use std::ops::RangeInclusive;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::components::{Civilization, Difficulty, Numbered};
use super::state::{HUMANS_MAX, Setup};
use crate::error::OptionsError;

/// The rounds that `max_rounds` may allow.
pub const MAX_ROUNDS: RangeInclusive<u8> = 5..=200;

/// The most humans that an Automa plays with.
const HUMANS_WITH_AUTOMA_MAX: u8 = 2;

/// The options of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Whether an Automa plays too. Unset: off, but `normal` with one human.
    pub automa: Option<AutomaMode>,
    /// Module 1: space stations.
    pub stations: bool,
    /// Module 2: leaders.
    pub leaders: LeaderMode,
    /// Where the energy markers begin.
    pub start_energy: StartEnergy,
    /// When galaxies are scored.
    pub scoring_timing: ScoringTiming,
    /// Whether planning is done without screens.
    pub open_planning: bool,
    /// After this round final scoring follows at the latest: 5 to 200.
    pub max_rounds: u8,
    /// The humans' civilizations by seat, all different. Empty: in the order of the data file.
    pub civilizations: Vec<Civilization>,
}

/// Whether an Automa plays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AutomaMode {
    /// It doesn't.
    Off,
    /// It does, with 2 energy more each round.
    Easy,
    /// It does, with 5 energy more each round.
    Normal,
    /// It does, with 8 energy more each round.
    Hard,
}

/// How the leaders come to the players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeaderMode {
    /// Not at all.
    #[default]
    Off,
    /// One is dealt to each human.
    Random,
    /// Each human picks one, in reverse order of the order tiles.
    Draft,
}

/// Where the energy markers begin (1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StartEnergy {
    /// On the number of the order tile.
    #[default]
    TileNumber,
    /// One space before it.
    TileMinusOne,
}

/// When galaxies are scored (1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScoringTiming {
    /// By each party right after its actions.
    #[default]
    PerPlayer,
    /// After the actions of all.
    AfterAll,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            automa: None,
            stations: false,
            leaders: LeaderMode::default(),
            start_energy: StartEnergy::default(),
            scoring_timing: ScoringTiming::default(),
            open_planning: false,
            max_rounds: 30,
            civilizations: Vec::new(),
        }
    }
}

impl Options {
    /// Checks the options for a table of `humans` seats, and says what holds there.
    pub(super) fn check(&self, humans: u8) -> Result<Setup, OptionsError> {
        if !MAX_ROUNDS.contains(&self.max_rounds) {
            let allowed = format!("{} to {}", MAX_ROUNDS.start(), MAX_ROUNDS.end());
            return Err(OptionsError::new("max_rounds", allowed));
        }
        Ok(Setup {
            humans,
            automa: self.automa_for(humans)?,
            stations: self.stations,
            leaders: self.leaders,
            start_energy: self.start_energy,
            scoring_timing: self.scoring_timing,
            open_planning: self.open_planning,
            max_rounds: self.max_rounds,
            civilizations: self.civilizations_for(humans)?,
        })
    }

    fn automa_for(&self, humans: u8) -> Result<Option<Difficulty>, OptionsError> {
        let default = if humans == 1 {
            AutomaMode::Normal
        } else {
            AutomaMode::Off
        };
        let difficulty = match self.automa.unwrap_or(default) {
            AutomaMode::Off => None,
            AutomaMode::Easy => Some(Difficulty::Easy),
            AutomaMode::Normal => Some(Difficulty::Normal),
            AutomaMode::Hard => Some(Difficulty::Hard),
        };
        match difficulty {
            None if humans == 1 => Err(OptionsError::new(
                "automa",
                "easy, normal or hard with one human",
            )),
            Some(_) if humans > HUMANS_WITH_AUTOMA_MAX => {
                Err(OptionsError::new("automa", "off with more than two humans"))
            }
            _ => Ok(difficulty),
        }
    }

    fn civilizations_for(
        &self,
        humans: u8,
    ) -> Result<ArrayVec<Civilization, { HUMANS_MAX as usize }>, OptionsError> {
        let chosen = &self.civilizations;
        if chosen.is_empty() {
            return Ok(Civilization::all().take(usize::from(humans)).collect());
        }
        let distinct = (1..chosen.len()).all(|nth| !chosen[..nth].contains(&chosen[nth]));
        if chosen.len() != usize::from(humans) || !distinct {
            let allowed =
                format!("none, or {humans} different ones of tretons, avry, takrill and automatos");
            return Err(OptionsError::new("civilizations", allowed));
        }
        Ok(chosen.iter().copied().collect())
    }
}
