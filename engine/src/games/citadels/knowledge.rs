//! What seats remember of hands and of the deck (section 9, "Memory"), and how cards move without anybody forgetting or learning more.
//!
//! A seat's own [`Knowledge`] contains what all know, which is kept in the public part in the same way. That somebody has learnt something is
//! seen by all: the public part holds who knows which place of the deck, and how many cards of a hand somebody can know.

use super::cards::Cards;
use super::district::District;
use super::pile::Pile;
use super::state::{Citadels, LighthouseLook, PerSeat, Public};
use crate::cx::Audience;
use crate::seat::{Seat, SeatSet};

/// What somebody knows of hands and of the deck.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Knowledge {
    /// For each hand, cards that are certainly in it.
    pub hands: PerSeat<Cards>,
    /// The deck, place by place.
    pub deck: Pile,
}

/// How many cards of a hand somebody can know, as far as all can tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Acquaintance {
    /// At least so many.
    pub least: u8,
    /// At most so many.
    pub most: u8,
}

impl Acquaintance {
    const fn exactly(cards: u8) -> Self {
        Self {
            least: cards,
            most: cards,
        }
    }
}

impl Knowledge {
    /// A card has left the hand: who saw which it was strikes it, who didn't knows nothing of that hand any more.
    fn hand_loses(&mut self, hand: Seat, card: District, seen: bool) {
        if seen {
            self.hands[hand].remove(card);
        } else {
            self.hands[hand] = Cards::EMPTY;
        }
    }
}

impl Public {
    /// Cards that can't have been in the deck at this look from the Lighthouse, as all can tell: the Lighthouse, and what stands in a city since
    /// an earlier round.
    pub(super) fn outside_deck_at(&self, look: &LighthouseLook) -> Cards {
        let standing = self.seated().flat_map(|seat| {
            let city = self.boards[seat].city.iter();
            city.filter(|built| built.round < look.round)
                .map(|built| built.district)
        });
        standing.chain([District::Lighthouse]).collect()
    }
}

impl Citadels {
    /// What a viewer knows; `None` is everybody.
    fn knowledge_mut(&mut self, viewer: Option<Seat>) -> &mut Knowledge {
        match viewer {
            Some(seat) => &mut self.private[seat].known,
            None => &mut self.public.known,
        }
    }

    /// Everybody in common, and each seat.
    fn viewers(&self) -> impl Iterator<Item = Option<Seat>> + use<> {
        std::iter::once(None).chain(self.public.seated().map(Some))
    }

    /// Takes the card from the top of the deck, if there is one, with those who knew it.
    pub(super) fn take_top(&mut self) -> Option<(District, Audience)> {
        let card = self.hidden.deck.draw()?;
        let known_to_all = self.public.known.deck.draw().is_some();
        let known_by = self.public.deck_known_by.draw();
        for seat in self.public.seated() {
            self.private[seat].known.deck.draw();
        }
        for look in self.public.lighthouse.0.iter_mut().flatten() {
            look.drawn = (look.drawn + 1).min(look.cards);
        }
        let witnesses = if known_to_all {
            Audience::All
        } else {
            Audience::Only(known_by)
        };
        Some((card, witnesses))
    }

    /// Puts a card under the deck; these see which it is.
    pub(super) fn put_under(&mut self, card: District, witnesses: Audience) {
        self.hidden.deck.put_under(Some(card));
        for viewer in self.viewers() {
            let known = witnesses.includes(viewer).then_some(card);
            self.knowledge_mut(viewer).deck.put_under(known);
        }
        let known_by = self
            .public
            .seated()
            .filter(|&seat| witnesses.includes(Some(seat)))
            .collect();
        self.public.deck_known_by.put_under(known_by);
    }

    /// The deck was shuffled: nobody knows a place of it.
    pub(super) fn forget_deck(&mut self) {
        let cards = self.hidden.deck.len();
        for viewer in self.viewers() {
            self.knowledge_mut(viewer).deck = Pile::unknown(cards);
        }
        self.public.deck_known_by = Pile::from_bottom((0..cards).map(|_| SeatSet::EMPTY));
    }

    /// A card comes into the seat's hand; these see which it is.
    pub(super) fn hand_gains(&mut self, seat: Seat, card: District, witnesses: Audience) {
        self.private[seat].hand.add(card);
        self.public.boards[seat].hand += 1;
        for viewer in self.viewers() {
            if viewer == Some(seat) || !witnesses.includes(viewer) {
                continue;
            }
            self.knowledge_mut(viewer).hands[seat].add(card);
            if let Some(viewer) = viewer {
                let acquaintance = &mut self.public.acquaintance[seat][viewer];
                acquaintance.least += 1;
                acquaintance.most += 1;
            }
        }
    }

    /// A card leaves the seat's hand; these see which it is.
    pub(super) fn hand_loses(&mut self, seat: Seat, card: District, witnesses: Audience) {
        let there = self.private[seat].hand.remove(card);
        debug_assert!(there);
        let left = self.public.boards[seat].hand.saturating_sub(1);
        self.public.boards[seat].hand = left;
        for viewer in self.viewers() {
            if viewer == Some(seat) {
                continue;
            }
            let seen = witnesses.includes(viewer);
            self.knowledge_mut(viewer).hand_loses(seat, card, seen);
            if let Some(viewer) = viewer {
                let acquaintance = &mut self.public.acquaintance[seat][viewer];
                *acquaintance = if seen {
                    Acquaintance {
                        least: acquaintance.least.saturating_sub(1),
                        most: acquaintance.most.min(left),
                    }
                } else {
                    Acquaintance::default()
                };
            }
        }
    }

    /// The seat draws cards into its hand, in sight of nobody; who knew a place of the deck knows what came from there. How many there were.
    pub(super) fn draw_to_hand(&mut self, seat: Seat, cards: u8) -> Cards {
        let mut drawn = Cards::EMPTY;
        for _ in 0..cards {
            let Some((card, witnesses)) = self.take_top() else {
                break;
            };
            self.hand_gains(seat, card, witnesses);
            drawn.add(card);
        }
        drawn
    }

    /// The seat has seen another's whole hand.
    pub(super) fn learn_hand(&mut self, viewer: Seat, hand: Seat) {
        self.private[viewer].known.hands[hand] = self.private[hand].hand;
        self.public.acquaintance[hand][viewer] =
            Acquaintance::exactly(self.public.boards[hand].hand);
    }

    /// Two seats swap their whole hands: each knows what it gave, and what others knew of a hand goes with it.
    pub(super) fn swap_hands(&mut self, one: Seat, other: Seat) {
        let hand = self.private[one].hand;
        self.private[one].hand = self.private[other].hand;
        self.private[other].hand = hand;
        let count = self.public.boards[one].hand;
        self.public.boards[one].hand = self.public.boards[other].hand;
        self.public.boards[other].hand = count;
        for viewer in self.viewers() {
            let hands = &mut self.knowledge_mut(viewer).hands;
            let known = hands[one];
            hands[one] = hands[other];
            hands[other] = known;
        }
        let acquaintance = self.public.acquaintance[one];
        self.public.acquaintance[one] = self.public.acquaintance[other];
        self.public.acquaintance[other] = acquaintance;
        for (viewer, hand) in [(one, other), (other, one)] {
            self.private[viewer].known.hands[viewer] = Cards::EMPTY;
            self.public.acquaintance[viewer][viewer] = Acquaintance::default();
            self.learn_hand(viewer, hand);
        }
    }
}
