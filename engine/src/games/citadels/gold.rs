//! Gold and the crown, and how they move (5.11).

use super::district::{District, tunables};
use super::event::{Event, GoldReason};
use super::state::Citadels;
use crate::cx::{Audience, Cx};
use crate::seat::Seat;

impl Citadels {
    /// The seat gains gold from the bank, as far as the bank has it.
    pub(super) fn gain(
        &mut self,
        seat: Seat,
        gold: u16,
        reason: GoldReason,
        cx: &mut Cx<'_, Event>,
    ) {
        let gold = match &mut self.public.bank {
            None => gold,
            Some(bank) => {
                let gold = gold.min(*bank);
                *bank -= gold;
                gold
            }
        };
        if gold > 0 {
            self.public.boards[seat].gold += gold;
            cx.tell(Audience::All, || Event::GoldGained { seat, gold, reason });
        }
    }

    /// The seat pays gold, which it has, to the bank.
    pub(super) fn pay(
        &mut self,
        seat: Seat,
        gold: u16,
        reason: GoldReason,
        cx: &mut Cx<'_, Event>,
    ) {
        let stash = &mut self.public.boards[seat].gold;
        debug_assert!(*stash >= gold);
        let gold = gold.min(*stash);
        *stash -= gold;
        self.return_to_bank(gold);
        if gold > 0 {
            cx.tell(Audience::All, || Event::GoldPaid { seat, gold, reason });
        }
    }

    /// Gold that a seat has no longer comes back to the bank.
    pub(super) fn return_to_bank(&mut self, gold: u16) {
        if let Some(bank) = &mut self.public.bank {
            *bank += gold;
        }
    }

    /// Gold goes from player to player, as far as there is any. The bank is not touched.
    pub(super) fn transfer(
        &mut self,
        from: Seat,
        to: Seat,
        gold: u16,
        reason: GoldReason,
        cx: &mut Cx<'_, Event>,
    ) {
        let gold = gold.min(self.public.boards[from].gold);
        if gold == 0 || from == to {
            return;
        }
        self.public.boards[from].gold -= gold;
        self.public.boards[to].gold += gold;
        cx.tell(Audience::All, || Event::GoldMoved {
            from,
            to,
            gold,
            reason,
        });
    }

    /// The crown goes to the seat. Throne Room: its owner gains gold if it changes hands.
    pub(super) fn move_crown(&mut self, to: Seat, cx: &mut Cx<'_, Event>) {
        let from = self.public.crown;
        if from == to {
            return;
        }
        self.public.crown = to;
        cx.tell(Audience::All, || Event::CrownMoved { from, to });
        if let Some(owner) = self.public.owner(District::ThroneRoom) {
            let gold = tunables().throne_room_gold.into();
            self.gain(owner, gold, GoldReason::ThroneRoom, cx);
        }
    }
}
