//! The rules of Tavola's games: pure, exact and reproducible. No I/O, no async, no clock, no global
//! state; a game of it runs in a test with nothing around it.
//!
//! A [`Game`] is a plain value in three parts: public, one private part per seat, and the hidden
//! rest. A viewer's knowledge is reached through [`Seen`] alone; chance is handed in by a [`Cx`] and
//! is no part of the state. A [`Playthrough`] keeps a game with the [`Record`] that replays it.
//!
//! ```
//! use tavola_engine::bots::{Bot, RandomBot};
//! use tavola_engine::games::santorini::{Options, Santorini};
//! use tavola_engine::{Game, Playthrough, Seed, Viewer};
//!
//! let mut bot = RandomBot::new([7; 32]);
//! let mut game = Playthrough::<Santorini>::start(Options::default(), 2, Seed::from_number(1), None)?;
//! while let Some(seat) = Santorini::to_act(game.state().public()).lowest() {
//!     let seen = game.state().seen(Viewer::Seat(seat));
//!     let action = bot.choose(seen, &Santorini::legal_actions(seen));
//!     game.submit(seat, action, None)?;
//! }
//! assert_eq!(Playthrough::replay(game.record())?, game);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The map
//!
//! | file | holds |
//! | --- | --- |
//! | `game.rs` | [`Game`], the trait; [`Seen`] and [`Observation`]; [`Evaluate`] |
//! | `seat.rs` | [`Seat`], [`SeatSet`], [`SeatMap`], [`Viewer`] |
//! | `action.rs` | [`ActionId`], [`Block`], [`ActionMask`] |
//! | `chance.rs` | [`Seed`], [`Chance`]: ChaCha8, a stream per ply |
//! | `cx.rs` | [`Cx`]: chance and the log of events, with an [`Audience`] each |
//! | `outcome.rs`, `error.rs` | [`Outcome`]; [`OptionsError`], [`Rejected`], [`ReplayError`] |
//! | `playthrough.rs` | [`Playthrough`], [`Record`], decision numbers, replay, forks |
//! | `perft.rs` | [`perft`]: counts of paths |
//! | `bots/` | [`bots`]: random and greedy, for any game |
//! | `testing.rs` | the conformance suite that every game passes (feature `testing`) |
//! | `games/` | [`games`]: one folder each |
//!
//! Nothing here knows the service, its protocol or its store; the core and the bots know no game, and
//! no game knows another.

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
mod perft;
mod playthrough;
mod seat;
#[cfg(feature = "testing")]
pub mod testing;

pub use action::{ActionId, ActionMask, Block};
pub use chance::{Chance, ScriptFault, Seed};
pub use cx::{Audience, Cx};
pub use error::{OptionsError, Rejected, ReplayError};
pub use game::{Evaluate, Game, GameInfo, Observation, Seen, StateHash};
pub use outcome::Outcome;
pub use perft::perft;
pub use playthrough::{Entry, Playthrough, Record, Reseed};
pub use seat::{SEATS_MAX, Seat, SeatMap, SeatSet, Viewer};
