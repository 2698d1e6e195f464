//! How good a table is for the player.

use super::state::UnderFallingSkies;
use crate::game::{Evaluate, Game};
use crate::seat::{Seat, SeatSet};

/// More than any score.
const DECIDED: f32 = 1000.0;

impl Evaluate for UnderFallingSkies {
    fn evaluate(&self, seat: Seat) -> f32 {
        let public = self.public();
        let score = public
            .battle
            .as_ref()
            .map_or(0.0, |battle| battle.score() as f32);
        match &public.ending {
            Some(ending) if ending.outcome.winners == SeatSet::only(seat) => DECIDED + score,
            Some(_) => score - DECIDED,
            None => score,
        }
    }
}
