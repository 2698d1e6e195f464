//! The rules of Tavola's games: pure, exact and reproducible.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod action;
pub mod bots;
mod chance;
mod cx;
mod error;
mod game;
pub mod games;
mod outcome;
mod playthrough;
mod seat;

pub use action::{ActionId, ActionMask, Block};
pub use chance::{Chance, ScriptFault, Seed};
pub use cx::{Audience, Cx};
pub use error::{OptionsError, Rejected, ReplayError};
pub use game::{Evaluate, Game, GameInfo, Observation, Seen, StateHash};
pub use outcome::Outcome;
pub use playthrough::{Entry, Playthrough, Record};
pub use seat::{SEATS_MAX, Seat, SeatMap, SeatSet, Viewer};
