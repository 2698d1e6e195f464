//! How good a table is for a seat, by the advice of section 13 of the rules page.

use super::state::{Citadels, Stage};
use crate::game::{Evaluate, Game};
use crate::seat::Seat;

/// More than all points together.
const WON: f32 = 1000.0;

impl Evaluate for Citadels {
    fn evaluate(&self, seat: Seat) -> f32 {
        let public = self.public();
        if let Stage::Over(ending) = &public.stage {
            let returns = ending
                .outcome
                .returns
                .get(seat)
                .copied()
                .unwrap_or_default();
            return WON * if returns > 0 { 1.0 } else { -1.0 };
        }
        f32::from(public.score(seat).total())
    }
}
