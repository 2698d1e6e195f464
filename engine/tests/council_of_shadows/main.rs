//! Council of Shadows, against its rules page `council_of_shadows.md`: tests carry the numbers of its scenarios (G1), rulings (R1) and sections.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that fails says so by panicking"
)]

#[cfg(feature = "testing")]
mod components;
#[cfg(feature = "testing")]
mod conformance;
