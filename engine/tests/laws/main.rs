//! The engine's own laws, tried on a small game that has everything Santorini lacks.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that fails says so by panicking"
)]

#[cfg(feature = "testing")]
mod conformance;
mod playthrough;
mod sealed_bids;
