//! Under Falling Skies, against its rules page `under_falling_skies.md`: tests carry the numbers of
//! its golden scenarios (S12, A3, C9, D4, E5, K1), rulings (R40) and sections (6.2).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that fails says so by panicking"
)]

mod abilities;
mod bots;
mod campaign;
#[cfg(feature = "testing")]
mod conformance;
mod endings;
mod golden;
mod options;
mod playthroughs;
mod rulings;
mod scenario;
mod scenarios;
mod tables;
