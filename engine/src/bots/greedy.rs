//! The action after which the table looks best.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::Bot;
use crate::chance::{Chance, Seed};
use crate::cx::Cx;
use crate::game::{Evaluate, Seen};
use crate::seat::Seat;

/// Tries each legal action once and plays the one whose result looks best for its seat; among
/// equals any, each equally likely.
///
/// What the seat doesn't see it imagines: one determinization per decision, and chance of its own
/// behind each action.
#[derive(Debug)]
pub struct GreedyBot {
    dice: StdRng,
}

impl GreedyBot {
    /// A bot whose choices all follow from this seed, within one version of the engine.
    pub fn new(seed: [u8; 32]) -> Self {
        Self {
            dice: StdRng::from_seed(seed),
        }
    }

    fn own_chance(&mut self) -> Chance {
        Chance::at_ply(Seed(self.dice.random()), 0)
    }

    /// How the table would look to the seat after the action.
    fn prospect<G: Evaluate>(&mut self, imagined: &G, seat: Seat, action: G::Action) -> f32 {
        let mut state = imagined.clone();
        state.apply_unchecked(seat, action, &mut Cx::new(&mut self.own_chance(), None));
        state.evaluate(seat)
    }
}

impl<G: Evaluate> Bot<G> for GreedyBot {
    fn choose(&mut self, seen: Seen<'_, G>, legal: &[G::Action]) -> G::Action {
        let mut choice = legal[0];
        // A spectator is never asked.
        let Some(seat) = seen.seat else { return choice };
        let imagined = G::determinize(seen, &mut self.own_chance());
        let mut best = f32::NEG_INFINITY;
        let mut equals = 0;
        for &action in legal {
            let prospect = self.prospect(&imagined, seat, action);
            if prospect > best {
                (choice, best, equals) = (action, prospect, 1);
            } else if prospect == best {
                // Each of n equals ends up chosen with probability 1/n (reservoir sampling).
                equals += 1;
                if self.dice.random_range(0..equals) == 0 {
                    choice = action;
                }
            }
        }
        choice
    }
}
