//! Shadow Hunters, against its rules page `shadow_hunters.md`: tests carry the numbers of its
//! scenarios (G28), rulings (R40) and sections (11).

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
mod deaths;
mod determinize;
mod golden;
mod golden_areas;
mod golden_black;
mod golden_characters;
mod golden_end;
mod golden_hermit;
mod golden_white;
mod rulings;
mod scenario;
mod turns;
mod twin_worlds;
mod twins;
mod victory;
mod void;
