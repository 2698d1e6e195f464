//! PLAN, phase 2a (5.2): all humans lay cards at the same time, in secret.
//!
//! Each walks through his slots from left to right, on his own; others learn that he is done and
//! nothing else. Choices are final when made.

use super::action::Action;
use super::components::{Card, Set, numbers};
use super::consuming;
use super::event::Event;
use super::state::{CouncilOfShadows, Party, Plan, Public, Stage};
use crate::cx::{Audience, Cx};
use crate::game::{Game, Seen};
use crate::seat::{Seat, SeatSet};

/// The plan of the viewing seat as far as it has been made.
pub(super) fn plan_of<'a>(seen: Seen<'a, CouncilOfShadows>, seat: Seat) -> Option<&'a Plan> {
    if seen.public.setup.open_planning {
        seen.public.plans.get(seat)
    } else {
        seen.own.map(|own| &own.plan)
    }
}

impl Public {
    /// How many slots from the left must get a card: in round 1 those of the board (R10), later
    /// slot 1, which the shift has emptied (R11).
    fn must_fill(&self) -> usize {
        if self.round <= 1 {
            usize::from(numbers().start.slots)
        } else {
            1
        }
    }

    /// The cards in hand that the plan hasn't laid.
    pub(super) fn left_in_hand(&self, party: Party, plan: &Plan) -> Set<Card> {
        let laid = plan.iter().flatten();
        laid.fold(self.party(party).hand, |hand, &card| hand.without(card))
    }

    /// The next slot to plan, from 1; `None` if the plan is complete.
    pub(super) fn slot_to_plan(&self, party: Party, plan: &Plan) -> Option<u8> {
        (plan.len() < self.party(party).slots.len()).then(|| plan.len() as u8 + 1)
    }

    /// What may happen to the next slot.
    pub(super) fn plans_into(&self, party: Party, plan: &Plan, out: &mut Vec<Action>) {
        let Some(slot) = self.slot_to_plan(party, plan) else {
            return;
        };
        let hand = self.left_in_hand(party, plan);
        out.extend(hand.iter().map(|card| Action::PlanPlace { slot, card }));
        if hand.is_empty() || plan.len() >= self.must_fill() {
            out.push(Action::PlanKeep { slot });
        }
    }

    /// Whether nobody has to be asked about the next slot.
    ///
    /// With `open_planning` that is whenever there is just one choice. In secret planning only if
    /// everybody can tell that there is just one: if the list is that short because of what the
    /// player has chosen, the question left out would tell it.
    pub(super) fn goes_without_saying(&self, party: Party, plan: &Plan) -> bool {
        let must_fill = self.must_fill();
        let sure = if self.setup.open_planning {
            self.left_in_hand(party, plan).len() as usize
        } else {
            let hand = self.party(party).hand.len() as usize;
            hand.saturating_sub(plan.len().min(must_fill))
        };
        sure == 0 || (sure == 1 && plan.len() < must_fill)
    }
}

impl CouncilOfShadows {
    /// PLAN begins.
    pub(super) fn start_planning(&mut self, cx: &mut Cx<'_, Event>) {
        self.public.stage = Stage::Planning {
            done: SeatSet::EMPTY,
        };
        for seat in self.public.seats().iter() {
            self.plan_on(seat, cx);
        }
        self.reveal_if_done(cx);
    }

    /// A human lays a card on his next slot, or keeps it.
    pub(super) fn plan(&mut self, seat: Seat, card: Option<Card>, cx: &mut Cx<'_, Event>) {
        self.note_choice(seat, card, cx);
        self.plan_on(seat, cx);
        self.reveal_if_done(cx);
    }

    fn plan_mut(&mut self, seat: Seat) -> Option<&mut Plan> {
        if self.public.setup.open_planning {
            self.public.plans.get_mut(seat)
        } else {
            self.private.get_mut(seat).map(|own| &mut own.plan)
        }
    }

    fn note_choice(&mut self, seat: Seat, card: Option<Card>, cx: &mut Cx<'_, Event>) {
        let audience = if self.public.setup.open_planning {
            Audience::All
        } else {
            Audience::Only(SeatSet::only(seat))
        };
        let Some(plan) = self.plan_mut(seat) else {
            return;
        };
        plan.push(card);
        let slot = plan.len() as u8;
        cx.tell(audience, || Event::Planned { seat, slot, card });
    }

    /// Plans what goes without saying, and notes who is done.
    fn plan_on(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        let party = Party::from(seat);
        loop {
            let Some(plan) = self.plan_mut(seat).cloned() else {
                return;
            };
            if self.public.slot_to_plan(party, &plan).is_none() {
                break;
            }
            if !self.public.goes_without_saying(party, &plan) {
                return;
            }
            let must = plan.len() < self.public.must_fill();
            let hand = self.public.left_in_hand(party, &plan);
            let card = hand.iter().next().filter(|_| must);
            self.note_choice(seat, card, cx);
        }
        if let Stage::Planning { done } = &mut self.public.stage {
            *done = done.with(seat);
            cx.tell(Audience::All, || Event::PlanDone { seat });
        }
    }

    /// When all are done, everything is revealed, and phase 2b follows.
    fn reveal_if_done(&mut self, cx: &mut Cx<'_, Event>) {
        if !Self::to_act(&self.public).is_empty() {
            return;
        }
        for seat in self.public.seats().iter() {
            let plan = self.plan_mut(seat).map(std::mem::take).unwrap_or_default();
            let board = self.public.party_mut(Party::from(seat));
            for (slot, &card) in board.slots.iter_mut().zip(&plan) {
                if let Some(card) = card {
                    board.hand.remove(card);
                    slot.stack.push(card);
                }
            }
            cx.tell(Audience::All, || Event::PlanRevealed { seat, plan });
        }
        consuming::consume(self, cx);
    }
}
