//! The games, one folder each. A game never names another: what two share moves up into the core
//! when the second needs it.
//!
//! - [`citadels`]: choose a character in secret, and build the richest city.
//! - [`council_of_shadows`]: plan in secret, settle galaxies, and be the first on the throne.
//! - [`santorini`]: move a worker, build with it, be the first on level 3.
//! - [`shadow_hunters`]: find out who is on whose side, and be the last side standing.
//! - [`under_falling_skies`]: place dice against falling ships, and end the research in time.

pub mod citadels;
pub mod council_of_shadows;
pub mod santorini;
pub mod shadow_hunters;
pub mod under_falling_skies;
