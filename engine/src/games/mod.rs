//! The games. One never names another.

pub mod santorini;
pub mod under_falling_skies;
