//! Morpheus, God of Dreams.

use super::super::event::Event;
use super::super::state::{Public, Santorini};
use super::Power;
use crate::cx::{Audience, Cx};
use crate::seat::Seat;

/// Start of your turn: put a piece on the card. Your build: instead of the normal build your worker
/// builds any number of times, even none, with the pieces of the card.
#[derive(Debug)]
pub(super) struct Morpheus;

impl Power for Morpheus {
    /// R30: who has the card at the start gets the piece.
    fn own_turn_start(&self, game: &mut Santorini, cx: &mut Cx<'_, Event>) {
        let public = &mut game.public;
        public.morpheus_pool = public.morpheus_pool.saturating_add(1);
        let (seat, pool) = (public.on_turn, public.morpheus_pool);
        cx.tell(Audience::All, || Event::MorpheusGained { seat, pool });
    }

    /// R38: zero is legal.
    fn builds_left(&self, table: &Public) -> Option<u16> {
        Some(table.morpheus_pool)
    }

    fn after_build(&self, table: &mut Public, _completed_tower: bool) {
        table.morpheus_pool = table.morpheus_pool.saturating_sub(1);
    }

    fn leaves_play(&self, game: &mut Santorini, _from: Seat, _cx: &mut Cx<'_, Event>) {
        game.public.morpheus_pool = 0;
    }
}
