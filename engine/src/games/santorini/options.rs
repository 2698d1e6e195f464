//! What a table of Santorini is set up with (section 2).

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::error::OptionsError;
use crate::seat::{Seat, SeatSet};

/// The turns that `max_turns` may allow.
pub const MAX_TURNS: RangeInclusive<u16> = 1..=1000;

/// The options of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Who places first and has the first turn.
    pub start_player: StartPlayer,
    /// Whether the pieces in the box are all there are.
    pub piece_supply: PieceSupply,
    /// The game is a draw when a turn more than this would begin (R45): 1 to 1000, both sides'
    /// turns together.
    pub max_turns: u16,
    /// How the gods come to the players.
    pub god_mode: GodMode,
}

/// Who places first and has the first turn; replaces "the youngest".
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StartPlayer {
    /// Any seat, each equally likely.
    #[default]
    Random,
    /// This seat.
    Seat(Seat),
}

/// How many pieces there are to build with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PieceSupply {
    /// Those in the box: what is used up can't be built (R40).
    #[default]
    Limited,
    /// No kind of piece ever runs out.
    Unlimited,
}

/// How the gods come to the players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GodMode {
    /// Nobody has a god.
    #[default]
    None,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            start_player: StartPlayer::default(),
            piece_supply: PieceSupply::default(),
            max_turns: 500,
            god_mode: GodMode::default(),
        }
    }
}

impl Options {
    /// Checks the options for a table of `seats` seats.
    pub(super) fn check(&self, seats: u8) -> Result<(), OptionsError> {
        if let StartPlayer::Seat(seat) = self.start_player
            && !SeatSet::first(seats).contains(seat)
        {
            return Err(OptionsError::new(
                "start_player",
                format!("random, or a seat from 0 to {}", seats - 1),
            ));
        }
        if !MAX_TURNS.contains(&self.max_turns) {
            return Err(OptionsError::new(
                "max_turns",
                format!("{} to {}", MAX_TURNS.start(), MAX_TURNS.end()),
            ));
        }
        Ok(())
    }
}
