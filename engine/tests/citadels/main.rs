//! Citadels against its rules page, `citadels.md`: tests carry the numbers of its golden scenarios (g01) and rulings (r40).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that fails says so by panicking"
)]

mod cards;
#[cfg(feature = "testing")]
mod conformance;
mod given;
mod golden;
mod hidden;
mod options;
mod properties;
mod rulings;
mod transcripts;
mod twins;
