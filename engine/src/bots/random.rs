//! Any legal action, each equally likely.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::Bot;
use crate::game::{Game, Seen};

/// Plays any legal action, each equally likely.
#[derive(Debug)]
pub struct RandomBot {
    dice: StdRng,
}

impl RandomBot {
    /// A bot whose choices all follow from this seed, within one version of the engine.
    pub fn new(seed: [u8; 32]) -> Self {
        Self {
            dice: StdRng::from_seed(seed),
        }
    }
}

impl<G: Game> Bot<G> for RandomBot {
    fn choose(&mut self, _seen: Seen<'_, G>, legal: &[G::Action]) -> G::Action {
        legal[self.dice.random_range(..legal.len())]
    }
}
