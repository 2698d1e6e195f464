//! Counting the paths that play can take: a check of rules that needs no opinion about play.

use crate::chance::{Chance, Seed};
use crate::cx::Cx;
use crate::game::Game;
use crate::seat::Viewer;

/// How many different sequences of exactly `depth` actions lead on from the state (the name is the
/// chess programmers': performance test).
///
/// A sequence that ends the game sooner isn't counted. The chance of the *n*-th action is that of
/// ply *n* of the seed, on every path. Where several seats decide at the same time the lowest
/// answers first: the order makes no difference.
pub fn perft<G: Game>(state: &G, seed: Seed, depth: u32) -> u64 {
    count(state, seed, 1, depth)
}

fn count<G: Game>(state: &G, seed: Seed, ply: u32, depth: u32) -> u64 {
    let Some(seat) = G::to_act(state.public()).lowest() else {
        return u64::from(ply > depth);
    };
    if ply > depth {
        return 1;
    }
    let legal = G::legal_actions(state.seen(Viewer::Seat(seat)));
    if ply == depth {
        return legal.len() as u64;
    }
    let after = |action| {
        let mut next = state.clone();
        next.apply_unchecked(
            seat,
            action,
            &mut Cx::new(&mut Chance::at_ply(seed, ply), None),
        );
        count(&next, seed, ply + 1, depth)
    };
    legal.into_iter().map(after).sum()
}
