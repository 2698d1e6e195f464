//! Circe, Divine Enchantress.

use super::super::event::Event;
use super::super::god::God;
use super::super::state::Santorini;
use super::Power;
use crate::cx::{Audience, Cx};

/// Start of your turn: if the opponent's workers do not neighbor each other, you alone have the use of
/// his power until your next turn.
#[derive(Debug)]
pub(super) struct Circe;

impl Power for Circe {
    /// R56: not optional. R28: a lone worker has no neighbor. With two players there is one other
    /// seat.
    fn claim(&self, game: &mut Santorini, cx: &mut Cx<'_, Event>) {
        let public = &mut game.public;
        let seat = public.on_turn;
        let Some(other) = public.playing.without(seat).lowest() else {
            return;
        };
        let spaces = public.workers.spaces_of_side(public.side_of(other));
        let together = !(spaces & spaces.neighbors()).is_empty();
        let (from, to) = if together {
            (seat, other)
        } else {
            (other, seat)
        };
        let gods = public.powers_of(from).without(God::Circe);
        if gods.is_empty() {
            return;
        }
        public.take(from, gods);
        public.give(to, gods);
        cx.tell(Audience::All, || {
            if together {
                Event::PowerReturned { seat, other, gods }
            } else {
                Event::PowerTaken { seat, other, gods }
            }
        });
        for god in gods.iter() {
            god.power().changes_hands(game, from, cx);
        }
    }
}
