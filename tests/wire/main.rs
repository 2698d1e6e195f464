//! The server over the wire, as its clients meet it: a real process on a real port in every test.
//!
//! One program, so that it is linked once. `tests/hostile` is another: what is done there weighs on the whole machine.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that fails panics"
)]

mod access;
mod browser;
mod clocks;
mod command_line;
#[path = "../common/mod.rs"]
mod common;
mod crash;
mod durability;
mod errors;
mod every_game;
mod exactly_once;
mod fair_dice;
mod forks;
mod leaks;
mod lifecycle;
mod outside;
mod play;
mod play_citadels;
mod play_council_of_shadows;
mod play_santorini;
mod play_shadow_hunters;
mod play_under_falling_skies;
mod reconnecting;
mod shutdown;
mod streams;
mod transport;
mod views;
