//! Tables in any position, for tests (feature `testing`).

use super::event::Event;
use super::memory::Memory;
use super::state::{CouncilOfShadows, Hidden, Phase, Private, Public};
use crate::cx::Cx;
use crate::seat::SeatMap;

impl CouncilOfShadows {
    /// Lays the table out anew. The caller sees to it that it fits together;
    /// [`recount`](Self::recount) does what can be derived.
    pub fn rearrange(
        &mut self,
        lay_out: impl FnOnce(&mut Public, &mut SeatMap<Private>, &mut Hidden),
    ) {
        lay_out(&mut self.public, &mut self.private, &mut self.hidden);
        self.recount();
    }

    /// Counts stacks, decks and held cards anew, and makes everybody forget what he has seen where
    /// the sizes don't fit any more.
    pub fn recount(&mut self) {
        let Self {
            public,
            private,
            hidden,
        } = self;
        for (count, stack) in public.tile_stacks.iter_mut().zip(&hidden.tile_stacks) {
            *count = stack.len() as u8;
        }
        for (count, stack) in public.dark_tech.iter_mut().zip(&hidden.dark_tech) {
            *count = stack.len() as u8;
        }
        public.ai_deck = hidden.ai_deck.len() as u8;
        public.bonus_deck = hidden.bonus_deck.iter().map(|card| card.back()).collect();
        for (seat, own) in private.iter_mut() {
            let sizes = own
                .memory
                .tile_stacks
                .each_ref()
                .map(|stack| stack.len() as u8);
            if sizes != public.tile_stacks || own.memory.bonus_deck.len() != public.bonus_deck.len()
            {
                own.memory = Memory::blank(public.tile_stacks, public.bonus_deck.len());
            }
            let board = public.party_mut(seat.into());
            board.light_bonus = 0;
            board.dark_bonus = 0;
            for card in &own.bonus {
                *board.bonus_count(card.back()) += 1;
            }
        }
    }

    /// Runs on from where a rearranged table stands to the next decision.
    pub fn resume(&mut self, cx: &mut Cx<'_, Event>) {
        self.run(cx);
    }

    /// Begins ACT (a) and what follows it.
    pub fn begin_acting(&mut self, cx: &mut Cx<'_, Event>) {
        self.end_phase(Phase::Consume, cx);
        self.run(cx);
    }

    /// Begins the buy turn of the party with this place in the turn order, from 0.
    pub fn begin_buying(&mut self, nth: u8, cx: &mut Cx<'_, Event>) {
        self.start_buy_turn(nth, cx);
        self.run(cx);
    }

    /// Begins PLAN.
    pub fn begin_planning(&mut self, cx: &mut Cx<'_, Event>) {
        self.start_planning(cx);
        self.run(cx);
    }

    /// Begins final scoring.
    pub fn begin_final_scoring(&mut self, cx: &mut Cx<'_, Event>) {
        self.finish(super::state::EndReason::Throne, cx);
    }
}
