//! Citadels against its rules page, `citadels.md`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that fails says so by panicking"
)]

#[cfg(feature = "testing")]
mod conformance;
mod given;
mod golden;
mod rulings;
