//! Santorini, against its rules page `santorini.md`: tests carry the numbers of its scenarios
//! (G01), rulings (R40) and sections (11).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that fails says so by panicking"
)]

mod bots;
mod components;
#[cfg(feature = "testing")]
mod conformance;
mod counting;
mod events;
mod golden;
mod golden_scenarios;
mod interactions;
mod options;
mod perft;
mod properties;
mod ruling_scenarios;
mod rulings;
mod scenario;
mod scenarios;
mod setup;
