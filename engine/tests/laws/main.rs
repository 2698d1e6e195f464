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
#[cfg_attr(
    not(feature = "testing"),
    expect(dead_code, reason = "the flaws are for the conformance suite to find")
)]
mod sealed_bids;
