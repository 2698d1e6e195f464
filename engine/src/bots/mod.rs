//! House bots, for any game. A bot sees what its seat sees and has dice of its own.

mod greedy;
mod random;

pub use greedy::GreedyBot;
pub use random::RandomBot;

use crate::game::{Game, Seen};

/// Somebody who answers for a seat.
pub trait Bot<G: Game>: Send {
    /// Picks one of the legal actions of the viewing seat.
    ///
    /// # Panics
    ///
    /// If `legal` is empty: a bot is asked only while its seat owes a decision.
    fn choose(&mut self, seen: Seen<'_, G>, legal: &[G::Action]) -> G::Action;
}
