//! Athena, Goddess of Wisdom.

use super::super::components::{Space, Spaces};
use super::super::event::Event;
use super::super::state::{Public, Santorini};
use super::Power;
use crate::cx::{Audience, Cx};
use crate::seat::Seat;

/// Opponents' turns: if one of your workers moved up on your last turn, opponent workers cannot move
/// up.
#[derive(Debug)]
pub(super) struct Athena;

impl Power for Athena {
    fn own_turn_start(&self, game: &mut Santorini, cx: &mut Cx<'_, Event>) {
        game.open_lock(game.public.on_turn, cx);
    }

    /// R13: only a move of her own sets the lock.
    fn after_move(&self, table: &mut Public, from: Space, to: Space) {
        if table.board.level(to) > table.board.level(from) {
            table.athena_lock = true;
        }
    }

    /// Swaps and pushes are moves too (G73).
    fn filter_moves(&self, table: &Public, from: Space, steps: Spaces) -> Spaces {
        if table.athena_lock {
            steps - table.board.spaces_above(table.board.level(from))
        } else {
            steps
        }
    }

    /// R29.
    fn changes_hands(&self, game: &mut Santorini, from: Seat, cx: &mut Cx<'_, Event>) {
        game.open_lock(from, cx);
    }

    /// R67, R69.
    fn leaves_play(&self, game: &mut Santorini, from: Seat, cx: &mut Cx<'_, Event>) {
        game.open_lock(from, cx);
    }
}

impl Santorini {
    fn open_lock(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        if self.public.athena_lock {
            self.public.athena_lock = false;
            cx.tell(Audience::All, || Event::AthenaLock { seat, on: false });
        }
    }
}
