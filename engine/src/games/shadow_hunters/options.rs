//! What a table of Shadow Hunters is set up with (section 2).

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::error::OptionsError;

/// The player turns that `turn_limit` may allow.
pub const TURN_LIMIT: RangeInclusive<u16> = 10..=1000;

/// The fewest seats with which `opening_hermit` may be played.
pub const OPENING_HERMIT_SEATS_MIN: u8 = 6;

/// The options of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Which characters are in the pools.
    pub expansion_characters: ExpansionCharacters,
    /// Whether characters have special abilities. Without them Bob is removed.
    pub special_abilities: bool,
    /// Whether one Hermit card goes round the table first (6.2). Legal with 6 or more players.
    pub opening_hermit: bool,
    /// When this many player turns are completed, the game is a draw: 10 to 1000.
    pub turn_limit: u16,
}

/// Which characters are in the pools.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExpansionCharacters {
    /// All twenty.
    #[default]
    All,
    /// The ten of the base game.
    None,
    /// The ten of the expansion.
    Only,
    /// One of the two characters of each initial, drawn at random.
    OnePerInitial,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            expansion_characters: ExpansionCharacters::All,
            special_abilities: true,
            opening_hermit: false,
            turn_limit: 500,
        }
    }
}

impl Options {
    /// Checks the options for a table of this many seats.
    pub(super) fn check(&self, seats: u8) -> Result<(), OptionsError> {
        if self.opening_hermit && seats < OPENING_HERMIT_SEATS_MIN {
            return Err(OptionsError::new(
                "opening_hermit",
                "false with 4 or 5 players, false or true with 6 to 8",
            ));
        }
        if !TURN_LIMIT.contains(&self.turn_limit) {
            return Err(OptionsError::new("turn_limit", "10 to 1000"));
        }
        Ok(())
    }
}
