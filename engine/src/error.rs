//! The ways in which the engine says no. Every refusal leaves everything as it was.

use std::borrow::Cow;

use thiserror::Error;

use crate::action::ActionId;
use crate::seat::{Seat, SeatSet};

/// Options, or a number of seats, that the game forbids.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{field} is not legal; allowed: {allowed}")]
pub struct OptionsError {
    /// The option at fault, by its name in the options; `seats` for the number of seats.
    pub field: &'static str,
    /// What would be allowed there, for people to read, such as `1 to 1000`.
    pub allowed: Cow<'static, str>,
}

impl OptionsError {
    /// The option of this name has a value that is not among the allowed ones.
    pub fn new(field: &'static str, allowed: impl Into<Cow<'static, str>>) -> Self {
        Self {
            field,
            allowed: allowed.into(),
        }
    }
}

/// An action, or a resignation, that is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Rejected {
    /// The game has ended; nobody acts any more.
    #[error("the game is over")]
    GameOver,
    /// The seat owes no decision now.
    #[error("not this seat's turn to act; waiting for {waiting_for}")]
    NotToAct {
        /// Who does.
        waiting_for: SeatSet,
    },
    /// The action exists, but the rules forbid it now.
    #[error("{why}")]
    NotLegal {
        /// The rule it breaks, with its number on the game's rules page: lower case, no full stop.
        why: &'static str,
    },
    /// The id is the number of no action of this game.
    #[error("action id {action} names no action of this game")]
    UnknownAction {
        /// The id.
        action: ActionId,
    },
    /// The seat is not at this table, or has resigned.
    #[error("{seat} is not at this table, or has resigned")]
    NotSeated {
        /// The seat.
        seat: Seat,
    },
}

/// A record that can't be replayed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ReplayError {
    /// The record was made under another version of the game's rules. It is refused, not guessed
    /// at.
    #[error("the record follows rules version {record}, this engine version {engine}")]
    RulesVersion {
        /// The version the record was made under.
        record: u32,
        /// The version this engine plays.
        engine: u32,
    },
    /// The game can't be set up like that.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// An entry was refused.
    #[error("ply {ply}: {rejected}")]
    Rejected {
        /// The ply that the entry would have been; the first entry is ply 1.
        ply: u32,
        /// Why.
        rejected: Rejected,
    },
    /// The record is shorter than the ply asked for.
    #[error("the record ends at ply {last}")]
    NoSuchPly {
        /// Its last ply: the number of its entries.
        last: u32,
    },
}
