//! The games. One never names another.

pub mod santorini;
pub mod shadow_hunters;
