//! Council of Shadows, against its rules page `council_of_shadows.md`: tests carry the numbers of
//! its scenarios (G1), rulings (R1) and sections.

#![cfg(feature = "testing")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that fails says so by panicking"
)]

mod automa;
mod automa_scoring;
mod automa_settling;
mod bots;
mod components;
mod conformance;
mod dark_tech;
mod golden;
mod modules;
mod options;
mod planning;
mod refusals;
mod rulings;
mod scenario;
mod secrets;
mod tables;
