//! The games. One never names another.

pub mod citadels;
pub mod santorini;
