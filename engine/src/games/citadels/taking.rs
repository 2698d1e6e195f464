//! The action, and what comes with it (5.6).

use super::character::{AfterAction, Character};
use super::district::{District, tunables};
use super::event::{DrawReason, Event, GoldReason, UnderReason};
use super::setup::setup;
use super::state::{Citadels, Public, Stage, Window};
use crate::cx::{Audience, Cx};
use crate::seat::{Seat, SeatSet};

impl Citadels {
    /// `take_gold`.
    pub(super) fn take_gold(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        self.gain(
            seat,
            setup().turn.take_gold.into(),
            GoldReason::TakeGold,
            cx,
        );
        self.after_action(cx);
    }

    /// `no_action`.
    pub(super) fn no_action(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        cx.tell(Audience::All, || Event::NothingToTake { seat });
        self.after_action(cx);
    }

    /// `draw_cards`: some are looked at, fewer are kept. With no more in view than may be kept there is nothing to choose.
    pub(super) fn draw_cards(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        let in_view = self.public.cards_looked_at(seat).min(self.public.deck());
        let kept = self.public.cards_kept(seat);
        if in_view <= kept {
            self.draw(seat, in_view, DrawReason::Action, cx);
            return self.after_action(cx);
        }
        let mut view = [None; 3];
        for place in view.iter_mut().take(in_view.into()) {
            *place = self.take_top().map(|(card, _)| card);
        }
        self.private[seat].in_view = view;
        self.public.stage = Stage::Keep {
            in_view,
            left: kept,
        };
        let looked = |cards| Event::CardsLookedAt {
            seat,
            count: in_view,
            cards,
        };
        cx.tell(Audience::Only(SeatSet::only(seat)), || looked(Some(view)));
        cx.tell(Audience::Except(SeatSet::only(seat)), || looked(None));
    }

    /// D8: a card in view is kept; after the last one the rest go under the deck in the order in which they were drawn.
    pub(super) fn keep_card(&mut self, seat: Seat, card: District, cx: &mut Cx<'_, Event>) {
        let Stage::Keep { in_view, left } = self.public.stage else {
            return;
        };
        let owner = SeatSet::only(seat);
        let view = &mut self.private[seat].in_view;
        if let Some(place) = view.iter_mut().find(|place| **place == Some(card)) {
            *place = None;
        }
        self.hand_gains(seat, card, Audience::Only(owner));
        let kept = |card| Event::CardKept { seat, card };
        cx.tell(Audience::Only(owner), || kept(Some(card)));
        cx.tell(Audience::Except(owner), || kept(None));
        if left > 1 {
            self.public.stage = Stage::Keep {
                in_view: in_view - 1,
                left: left - 1,
            };
            return;
        }
        let rest = std::mem::take(&mut self.private[seat].in_view);
        for card in rest.into_iter().flatten() {
            self.put_under_by(seat, card, UnderReason::Rejected, cx);
        }
        self.after_action(cx);
    }

    /// A card that the seat alone sees goes under the deck.
    pub(super) fn put_under_by(
        &mut self,
        seat: Seat,
        card: District,
        reason: UnderReason,
        cx: &mut Cx<'_, Event>,
    ) {
        let owner = SeatSet::only(seat);
        self.put_under(card, Audience::Only(owner));
        let put = |card| Event::CardPutUnder { seat, card, reason };
        cx.tell(Audience::Only(owner), || put(Some(card)));
        cx.tell(Audience::Except(owner), || put(None));
    }

    /// After the action, before anything else: Merchant, Architect, Navigator.
    pub(super) fn give_bonus(&mut self, cx: &mut Cx<'_, Event>) {
        let Some(turn) = self.public.turn else {
            return;
        };
        match turn.character.card().after_action {
            // Ruling 10: no income.
            Some(AfterAction::Gold(gold)) => {
                self.gain(turn.seat, gold.into(), GoldReason::Merchant, cx);
            }
            Some(AfterAction::Cards(cards)) => {
                self.draw(turn.seat, cards, DrawReason::Architect, cx);
            }
            // D9, unless there is neither.
            Some(AfterAction::Choice { .. })
                if self.public.bank_gives() || self.public.deck() > 0 =>
            {
                self.public.stage = Stage::Navigator;
                return;
            }
            Some(AfterAction::Choice { .. }) | None => {}
        }
        self.open_menu(Window::Post);
    }

    /// D9: `navigator_gold`, `navigator_cards`.
    pub(super) fn navigate(&mut self, seat: Seat, takes_gold: bool, cx: &mut Cx<'_, Event>) {
        if let Some(AfterAction::Choice { gold, cards }) = Character::Navigator.card().after_action
        {
            if takes_gold {
                self.gain(seat, gold.into(), GoldReason::Navigator, cx);
            } else {
                self.draw(seat, cards, DrawReason::Navigator, cx);
            }
        }
        self.open_menu(Window::Post);
    }
}

impl Public {
    /// Cards that the seat's draw action looks at. Observatory: more.
    pub(super) fn cards_looked_at(&self, seat: Seat) -> u8 {
        if self.boards[seat].has(District::Observatory) {
            tunables().observatory_draw
        } else {
            setup().turn.draw_cards
        }
    }

    /// Cards that it keeps. Library: more (ruling 30: with the Observatory, too).
    pub(super) fn cards_kept(&self, seat: Seat) -> u8 {
        let library = self.boards[seat].has(District::Library);
        let extra = if library {
            tunables().library_extra_keep
        } else {
            0
        };
        setup().turn.keep_cards + extra
    }
}
