//! The games. One never names another.

pub mod santorini;
