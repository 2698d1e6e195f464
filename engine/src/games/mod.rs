//! The games. One never names another.

pub mod council_of_shadows;
pub mod santorini;
