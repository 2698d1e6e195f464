//! The games, one folder each. A game never names another: what two share moves up into the core
//! when the second needs it.
//!
//! - [`santorini`]: move a worker, build with it, be the first on level 3.

pub mod council_of_shadows;
pub mod santorini;
