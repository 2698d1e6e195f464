//! The worlds that a viewer could be in.
//!
//! Cards: those that the viewer can't place are dealt at random to the places that he doesn't know, every deal equally likely; only what the
//! Lighthouse has shown is dealt first, to the places that it must be in. Characters: the draft is run again with a random choice at every
//! step, among the choices that lead to what the viewer saw and to what has been shown since; so every possible draft comes up, those in which
//! few choices were open a little more often than by blind picks. What other seats remember: of the deck and of the Museum exactly what they
//! saw go there; of hands any cards, as many as they can know; of a look from the Lighthouse what is left of it in the deck, and any cards that
//! can have been drawn since.

use arrayvec::ArrayVec;

use super::cards::Cards;
use super::character::Ranks;
use super::district::District;
use super::knowledge::Knowledge;
use super::pile::{PILE_MAX, Pile};
use super::rerun::Rerun;
use super::state::{Citadels, Hidden, LighthouseLook, PerSeat, Private, Public, Stage};
use crate::chance::Chance;
use crate::game::Seen;
use crate::seat::Seat;

type Loose = ArrayVec<District, PILE_MAX>;

/// A state that the viewer could be in.
pub(super) fn determinize(seen: Seen<'_, Citadels>, chance: &mut Chance) -> Citadels {
    let viewer = Viewpoint {
        public: seen.public,
        own: seen.seat.zip(seen.own),
    };
    let mut table = Citadels {
        public: seen.public.clone(),
        private: PerSeat::default(),
        hidden: Hidden {
            deck: Pile::default(),
            museum: Pile::default(),
            face_down: None,
            passing: Ranks::EMPTY,
            aside: Ranks::EMPTY,
        },
    };
    viewer.deal_cards(&mut table, chance);
    viewer.imagine_memories(&mut table, chance);
    viewer.run_draft(&mut table, chance);
    if let Some((seat, own)) = viewer.own {
        table.private[seat] = *own;
    }
    table
}

/// What the viewer has to go by.
struct Viewpoint<'a> {
    public: &'a Public,
    own: Option<(Seat, &'a Private)>,
}

impl Viewpoint<'_> {
    fn is_own(&self, seat: Seat) -> bool {
        self.own.is_some_and(|(own, _)| own == seat)
    }

    fn others(&self) -> impl Iterator<Item = Seat> + '_ {
        self.public.seated().filter(|&seat| !self.is_own(seat))
    }

    fn known(&self) -> &Knowledge {
        self.own.map_or(&self.public.known, |(_, own)| &own.known)
    }

    /// The cards under the Museum that the viewer knows, the oldest first.
    fn museum(&self) -> impl Iterator<Item = District> + '_ {
        self.own.into_iter().flat_map(|(_, own)| own.museum.known())
    }

    /// All cards whose place the viewer doesn't know.
    fn loose_cards(&self) -> Cards {
        let public = self.public;
        let mut placed = Cards::EMPTY;
        for seat in public.seated() {
            placed.extend(public.boards[seat].city.iter().map(|built| built.district));
        }
        for seat in self.others() {
            placed.extend(self.known().hands[seat].iter());
        }
        placed.extend(self.known().deck.known());
        placed.extend(self.museum());
        if let Stage::Graveyard { district, .. } = public.stage {
            placed.add(district);
        }
        if let Some((_, own)) = self.own {
            placed.extend(own.hand.iter());
            placed.extend(own.in_view.into_iter().flatten());
        }
        public.all_cards().minus(placed)
    }

    /// Hands, deck, Museum and the cards in somebody's view.
    fn deal_cards(&self, table: &mut Citadels, chance: &mut Chance) {
        let public = self.public;
        let mut loose = self.loose_cards();
        table.hidden.deck = self.known().deck;
        self.deal_seen_deck(table, &mut loose, chance);
        let mut rest: Loose = loose.iter().collect();
        chance.shuffle(&mut rest);
        for place in table.hidden.deck.as_mut_slice() {
            if place.is_none() {
                *place = rest.pop();
            }
        }
        let known_below = usize::from(self.own.map_or(0, |(seat, _)| public.museum.known[seat]));
        let unknown = usize::from(public.museum.cards).saturating_sub(known_below);
        let stored: Loose = (0..unknown).filter_map(|_| rest.pop()).collect();
        table.hidden.museum = Pile::from_bottom(self.museum().chain(stored).map(Some));
        for seat in self.others() {
            let hand = &mut table.private[seat].hand;
            *hand = self.known().hands[seat];
            while hand.len() < public.boards[seat].hand {
                let Some(card) = rest.pop() else { break };
                hand.add(card);
            }
        }
        if let (Stage::Keep { in_view, .. }, Some(turn)) = (&public.stage, public.turn)
            && !self.is_own(turn.seat)
        {
            let view = &mut table.private[turn.seat].in_view;
            for place in view.iter_mut().take(usize::from(*in_view)) {
                *place = rest.pop();
            }
        }
        debug_assert!(rest.is_empty());
        if let Some((seat, own)) = self.own {
            table.private[seat].hand = own.hand;
        }
    }

    /// Lighthouse: where the viewer has seen cards in the deck, so many of them as are left lie there; and where another looked last, the
    /// Lighthouse doesn't.
    fn deal_seen_deck(&self, table: &mut Citadels, loose: &mut Cards, chance: &mut Chance) {
        let public = self.public;
        let deck = table.hidden.deck.as_mut_slice();
        if let Some((seat, own)) = self.own
            && let Some(look) = public.lighthouse[seat]
        {
            let left = look.left();
            let places = if look.shuffled {
                &mut *deck
            } else {
                top(deck, left)
            };
            let known: Cards = places.iter().flatten().copied().collect();
            let due = left.saturating_sub(own.deck_seen.common(known).len());
            let seen = own.deck_seen.minus(known).common(*loose);
            deal(seen, due, places, loose, chance);
        }
        if loose.contains(District::Lighthouse)
            && let Some((_, look)) = public.latest_look()
        {
            let mut others = *loose;
            others.remove(District::Lighthouse);
            deal(others, look.left(), top(deck, look.left()), loose, chance);
        }
    }

    /// What the other seats remember of cards.
    fn imagine_memories(&self, table: &mut Citadels, chance: &mut Chance) {
        let public = self.public;
        for seat in self.others() {
            let known_places = table
                .hidden
                .deck
                .as_slice()
                .iter()
                .zip(public.deck_known_by.as_slice())
                .map(|(&card, known_by)| card.filter(|_| known_by.contains(seat)));
            table.private[seat].known.deck = Pile::from_bottom(known_places);
            let stored = usize::from(public.museum.known[seat]);
            table.private[seat].museum =
                Pile::from_bottom(table.hidden.museum.as_slice().iter().take(stored).copied());
            for hand in public.others(seat) {
                let certain = self.certainly_known(seat, hand);
                table.private[seat].known.hands[hand] =
                    self.known_of_hand(table.private[hand].hand, certain, seat, hand, chance);
            }
            if let Some(look) = public.lighthouse[seat] {
                table.private[seat].deck_seen = self.imagine_look(&table.hidden.deck, look, chance);
            }
        }
        if let (Stage::WizardBuild { from }, Some(turn)) = (&public.stage, public.turn) {
            // The card taken is one that its former owner knows to be in the Wizard's hand.
            let taken = match self.own {
                Some((seat, own)) if seat == turn.seat || seat == *from => own.taken,
                _ => {
                    let known: Loose = table.private[*from].known.hands[turn.seat].iter().collect();
                    let at = chance.below((known.len() as u32).max(1));
                    known.get(at as usize).copied()
                }
            };
            table.private[turn.seat].taken = taken;
            table.private[*from].taken = taken;
        }
    }

    /// What another seat can have seen in the deck: what is left of it there, and any cards that can have been drawn since.
    fn imagine_look(&self, deck: &Pile, look: LighthouseLook, chance: &mut Chance) -> Cards {
        let outside = self.public.outside_deck_at(&look);
        let mut in_deck: Loose = deck.from_top().flatten().collect();
        if look.shuffled {
            in_deck.retain(|card| *card != District::Lighthouse);
            chance.shuffle(&mut in_deck);
        }
        let mut seen: Cards = in_deck.into_iter().take(look.left().into()).collect();
        let elsewhere = self.public.all_cards().minus(outside).minus(seen);
        let mut elsewhere: Loose = elsewhere.iter().collect();
        chance.shuffle(&mut elsewhere);
        seen.extend(elsewhere.into_iter().take(look.drawn.into()));
        seen
    }

    /// Cards that the seat knows to be in the hand, as far as the viewer can tell.
    fn certainly_known(&self, seat: Seat, hand: Seat) -> Cards {
        let mut certain = self.public.known.hands[hand];
        if let (Stage::WizardBuild { from }, Some((own_seat, own))) = (&self.public.stage, self.own)
            && *from == seat
            && own_seat == hand
            && let Some(card) = own.taken
            && !certain.contains(card)
        {
            certain.add(card);
        }
        certain
    }

    /// What the seat knows of this hand: what is certain, and other cards up to a number that it can know.
    fn known_of_hand(
        &self,
        cards: Cards,
        certain: Cards,
        seat: Seat,
        hand: Seat,
        chance: &mut Chance,
    ) -> Cards {
        let acquaintance = self.public.acquaintance[hand][seat];
        let least = acquaintance.least.max(certain.len());
        let most = acquaintance.most.min(cards.len()).max(least);
        let mut known = certain;
        if most > 0 {
            let count = least + chance.below(u32::from(most - least) + 1) as u8;
            let mut others: Loose = cards.minus(certain).iter().collect();
            chance.shuffle(&mut others);
            known.extend(
                others
                    .into_iter()
                    .take(usize::from(count.saturating_sub(certain.len()))),
            );
        }
        known
    }

    /// The draft of this round: who has which character, and what he saw.
    fn run_draft(&self, table: &mut Citadels, chance: &mut Chance) {
        let own = self.own.map(|(seat, own)| (seat, &own.draft));
        Rerun::new(self.public, own, chance).lay_out(table);
    }
}

/// So many places from the top of a deck.
fn top(deck: &mut [Option<District>], places: u8) -> &mut [Option<District>] {
    let below = deck.len().saturating_sub(places.into());
    &mut deck[below..]
}

/// Lays at most so many of the loose cards at random on empty ones of the places.
fn deal(
    cards: Cards,
    count: u8,
    places: &mut [Option<District>],
    loose: &mut Cards,
    chance: &mut Chance,
) {
    let mut cards: Loose = cards.iter().collect();
    let mut empty: ArrayVec<&mut Option<District>, PILE_MAX> =
        places.iter_mut().filter(|place| place.is_none()).collect();
    chance.shuffle(&mut cards);
    chance.shuffle(&mut empty);
    for (place, card) in empty.into_iter().zip(cards).take(count.into()) {
        *place = Some(card);
        loose.remove(card);
    }
}
