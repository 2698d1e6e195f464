//! Chaos, Primordial Nothingness.

use super::super::event::Event;
use super::super::god::{God, Gods};
use super::super::options::ChaosSwap;
use super::super::state::{Public, Santorini};
use super::Power;
use crate::cx::{Audience, Cx};
use crate::seat::Seat;

/// Set-up: shuffle the simple gods that nobody has. Any time: you have the power of the face-up god;
/// whenever a dome is built, discard it and draw the next.
#[derive(Debug)]
pub(super) struct Chaos;

impl Power for Chaos {
    /// R50, R58: any dome, by anybody.
    fn after_dome(&self, game: &mut Santorini, seat: Seat, cx: &mut Cx<'_, Event>) {
        if game.public.rules.chaos_swap == ChaosSwap::EachDome {
            game.swap_chaos(seat, cx);
        }
    }

    /// Section 5: a continuation behind an unseen draw is judged as if Chaos had no power.
    fn foresee_dome(&self, table: &mut Public, seat: Seat) {
        if table.rules.chaos_swap == ChaosSwap::EachDome
            && let Some(god) = table.chaos.face_up
        {
            table.take(seat, Gods::only(god));
            table.athena_lock &= table.holder(God::Athena).is_some();
        }
    }

    fn after_turn(&self, game: &mut Santorini, seat: Seat, cx: &mut Cx<'_, Event>) {
        let public = &game.public;
        if public.rules.chaos_swap == ChaosSwap::AfterTurn && public.turn.dome_placed {
            game.swap_chaos(seat, cx);
        }
    }
}

impl Santorini {
    /// 4.2, R51: the simple gods that nobody has are shuffled, and the top one is turned up.
    pub(in super::super) fn deal_chaos(&mut self, cx: &mut Cx<'_, Event>) {
        let public = &mut self.public;
        let Some(seat) = public.holder(God::Chaos) else {
            return;
        };
        let held = public
            .held
            .iter()
            .fold(Gods::NONE, |all, gods| all.or(*gods));
        let banned = held.iter().fold(Gods::NONE, |banned, god| {
            banned.or(public.rules.banned_pairs.with(god))
        });
        let deck = Gods::SIMPLE.less(held).less(banned);
        public.chaos.deck = deck;
        self.deck = deck.iter().collect();
        cx.chance.shuffle(&mut self.deck);
        self.draw_chaos(seat, cx);
    }

    /// The face-up god is discarded and the next one turned up.
    fn swap_chaos(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        if let Some(god) = self.public.chaos.face_up.take() {
            // The deck and the discards are ten cards at most, so there is room.
            let _ = self.public.chaos.discards.try_push(god);
            self.public.take(seat, Gods::only(god));
            cx.tell(Audience::All, || Event::ChaosDiscarded { seat, god });
            god.power().leaves_play(self, seat, cx);
        }
        self.draw_chaos(seat, cx);
    }

    fn draw_chaos(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        if self.deck.is_empty() {
            let chaos = &mut self.public.chaos;
            self.deck = std::mem::take(&mut chaos.discards);
            // Equal sets of discards are shuffled alike, in whatever order they were discarded.
            self.deck.sort_unstable();
            cx.chance.shuffle(&mut self.deck);
            chaos.deck = self.deck.iter().copied().collect();
            let cards = self.deck.len() as u8;
            cx.tell(Audience::All, || Event::ChaosReshuffled { cards });
        }
        let Some(god) = self.deck.pop() else { return };
        let public = &mut self.public;
        public.chaos.deck = public.chaos.deck.without(god);
        public.chaos.face_up = Some(god);
        public.give(seat, Gods::only(god));
        let left = public.chaos.deck.len();
        cx.tell(Audience::All, || Event::ChaosDrawn { seat, god, left });
    }
}
