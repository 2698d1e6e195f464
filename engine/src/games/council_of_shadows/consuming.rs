//! CONSUME, phase 2b (5.3): totals, markers, the new turn order.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use super::components::{DarkTech, Leader, numbers};
use super::event::Event;
use super::state::{CouncilOfShadows, Party, Phase, Public};
use crate::cx::{Audience, Cx};

impl Public {
    /// What a party consumes in this round; it may be negative (R15).
    pub(super) fn consumption_total(&self, party: Party) -> i16 {
        if self.seat_of(party).is_none() {
            return self
                .automa_card
                .map_or(0, |card| i16::from(card.data().consumption));
        }
        let board = self.party(party);
        // R12, R13: the visible cards, every round.
        let cards = board.slots.iter().filter_map(|slot| slot.top());
        let mut total: i16 = cards.map(|card| i16::from(card.data().consumption)).sum();
        if board.has(DarkTech::Efficiency) {
            total -= i16::from(DarkTech::Efficiency.data().amount);
        }
        let ascetic = Leader::Ascetic.data();
        if board.leader == Some(Leader::Ascetic) && total >= ascetic.min_total {
            total += ascetic.delta;
        }
        total
    }
}

/// Phase 2b.
pub(super) fn consume(game: &mut CouncilOfShadows, cx: &mut Cx<'_, Event>) {
    let former = game.public.order.clone();
    for &party in &former {
        let total = game.public.consumption_total(party);
        let board = game.public.party_mut(party);
        board.total = total;
        let moved = i32::from(board.consumption) + i32::from(total);
        let floor = numbers().start.consumption;
        board.consumption = u16::try_from(moved).unwrap_or(0).max(floor);
        let consumption = board.consumption;
        cx.tell(Audience::All, || Event::Consumed {
            party,
            total,
            consumption,
        });
    }
    // A falling marker can meet the energy.
    for &party in &former {
        game.check_level(party, cx);
    }
    game.deal_order_tiles(former, cx);
    game.end_phase(Phase::Consume, cx);
}

impl CouncilOfShadows {
    /// R14: the highest total first, then who is further on the energy track, then the former
    /// order.
    fn deal_order_tiles(&mut self, former: ArrayVec<Party, 4>, cx: &mut Cx<'_, Event>) {
        let mut order = former;
        // The sort is stable: equals keep their former order.
        order.sort_by_key(|&party| {
            let board = self.public.party(party);
            Reverse((board.total, board.energy))
        });
        self.public.order = order.clone();
        cx.tell(Audience::All, || Event::TurnOrder { order });
    }
}
