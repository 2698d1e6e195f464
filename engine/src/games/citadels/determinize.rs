//! The worlds that a viewer could be in.
//!
//! Cards: those that the viewer can't place are dealt at random to the places that he doesn't know, every deal equally likely; only what the
//! Lighthouse has shown is kept to the places that it can be in. Characters: the draft is run again with a random choice at every step, among
//! the choices that lead to what the viewer saw and to what has been shown since; so every possible draft comes up, those in which few choices
//! were open a little more often than by blind picks. What other seats remember: of the deck and of the Museum exactly what they saw go there; of
//! hands any cards, as many as they can know.

use arrayvec::ArrayVec;

use super::cards::Cards;
use super::character::{Rank, Ranks};
use super::district::District;
use super::knowledge::Knowledge;
use super::pile::{PILE_MAX, Pile};
use super::setup::Step;
use super::state::{Citadels, DraftMemory, Hidden, PerSeat, Private, Public, Stage};
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

    /// Lighthouse: the top of the deck holds cards that the viewer has seen in it.
    fn deal_seen_deck(&self, table: &mut Citadels, loose: &mut Cards, chance: &mut Chance) {
        let (Some((seat, own)), Some(look)) = (self.own, self.public.lighthouse) else {
            return;
        };
        if look.seat != seat {
            return;
        }
        let left = usize::from(look.cards - look.drawn);
        let deck = table.hidden.deck.as_mut_slice();
        let below = deck.len().saturating_sub(left);
        let Some(top) = deck.get_mut(below..) else {
            return;
        };
        let known: Cards = top.iter().flatten().copied().collect();
        let mut seen: Loose = own.deck_seen.minus(known).common(*loose).iter().collect();
        chance.shuffle(&mut seen);
        for place in top.iter_mut().filter(|place| place.is_none()) {
            if let Some(card) = seen.pop() {
                *place = Some(card);
                loose.remove(card);
            }
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
            if let Some(look) = public.lighthouse
                && look.seat == seat
            {
                let left = usize::from(look.cards - look.drawn);
                let mut seen: Cards = table.hidden.deck.from_top().flatten().take(left).collect();
                let mut elsewhere: Loose = public.all_cards().minus(seen).iter().collect();
                chance.shuffle(&mut elsewhere);
                seen.extend(elsewhere.into_iter().take(look.drawn.into()));
                table.private[seat].deck_seen = seen;
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
        let mut draft = Rerun {
            public: self.public,
            own: self.own.map(|(seat, own)| (seat, &own.draft)),
            taken: ArrayVec::new(),
        };
        let unused = self.public.ranks().minus(self.public.calls.face_up);
        let found = draft.go_on(unused, chance);
        debug_assert!(found);
        draft.lay_out(table);
    }
}

/// A draft that is run again. Places: the first face-down card, then each step of the draft, as far as it has come.
struct Rerun<'a> {
    public: &'a Public,
    own: Option<(Seat, &'a DraftMemory)>,
    /// What has been taken at each place so far; `None` at the last step, if the last picker left nothing.
    taken: ArrayVec<Option<Rank>, 16>,
}

impl Rerun<'_> {
    /// How many steps of the draft are done.
    fn steps_done(&self) -> usize {
        match self.public.stage {
            Stage::Draft { step } => usize::from(step),
            _ => self.public.draft().map_or(0, |draft| draft.steps.len()),
        }
    }

    /// Takes a card at the next place and goes on; goes back where that leads to nothing. Whether all places were filled.
    fn go_on(&mut self, unused: Ranks, chance: &mut Chance) -> bool {
        let place = self.taken.len();
        if place > self.steps_done() {
            return true;
        }
        let mut choices: ArrayVec<Rank, { Rank::MAX as usize }> =
            self.choices(place, unused).iter().collect();
        if choices.is_empty() && unused.is_empty() {
            // Only behind a last picker who chose from everything that was left.
            self.taken.push(None);
            return self.go_on(unused, chance);
        }
        chance.shuffle(&mut choices);
        for rank in choices {
            self.taken.push(Some(rank));
            if self.go_on(unused.without(rank), chance) {
                return true;
            }
            self.taken.pop();
        }
        false
    }

    /// The step of a place; `None` is the first face-down card.
    fn step(&self, place: usize) -> Option<(u8, Step)> {
        let step = u8::try_from(place.checked_sub(1)?).ok()?;
        Some((step, self.public.draft_step(step)?))
    }

    /// What can have been taken at this place.
    fn choices(&self, place: usize, unused: Ranks) -> Ranks {
        let step = self.step(place);
        let mut from = unused;
        match step {
            None => {
                if self.public.calls.rank4_returned {
                    from = from.without(Rank::KING);
                }
                if let Some(face_down) = self.own.and_then(|(_, own)| own.face_down) {
                    return from.minus(from.without(face_down));
                }
            }
            Some((step, Step::Pick(_))) if self.public.sees_face_down(step) => {
                if let Some(Some(face_down)) = self.taken.first() {
                    from = from.with(*face_down);
                }
            }
            Some(_) => {}
        }
        let from = from.minus(self.seen_later(place));
        let picker = match step {
            Some((step, Step::Pick(_))) => self.public.drafting(step),
            _ => None,
        };
        match (picker, self.own) {
            (Some(seat), Some((own, draft))) if seat == own => {
                let nth = self.picks_before(place, seat);
                let picked = draft.picked.get(nth).copied().flatten();
                picked.map_or(Ranks::EMPTY, |rank| from.minus(from.without(rank)))
            }
            (Some(seat), _) => self.picks(place, seat, from),
            (None, Some((own, draft))) => match step {
                Some((step, Step::Discard(_))) if self.public.drafting(step) == Some(own) => draft
                    .discarded
                    .map_or(Ranks::EMPTY, |rank| from.minus(from.without(rank))),
                _ => self.unshown(place, from),
            },
            (None, None) => self.unshown(place, from),
        }
    }

    /// Cards that the viewer saw at a later step: they were still being passed then.
    fn seen_later(&self, place: usize) -> Ranks {
        let Some((seat, own)) = self.own else {
            return Ranks::EMPTY;
        };
        let mut later = Ranks::EMPTY;
        for (at, seen) in self.own_steps(seat).zip(own.seen) {
            if at > place {
                later = later.union(seen);
            }
        }
        // The first face-down card is seen by the last picker, but isn't passed to him.
        match own.face_down {
            Some(rank) if place == 0 => later.without(rank),
            _ => later,
        }
    }

    /// The places at which a seat picks.
    fn own_steps(&self, seat: Seat) -> impl Iterator<Item = usize> + '_ {
        let steps = self.public.draft().map_or(0, |draft| draft.steps.len());
        (1..=steps).filter(move |&place| match self.step(place) {
            Some((step, Step::Pick(_))) => self.public.drafting(step) == Some(seat),
            _ => false,
        })
    }

    fn picks_before(&self, place: usize, seat: Seat) -> usize {
        self.own_steps(seat).filter(|&at| at < place).count()
    }

    /// What another seat can have picked: nothing that somebody else has shown, nothing whose call nobody answered; what it has shown, if
    /// there are no more picks than that.
    fn picks(&self, place: usize, seat: Seat, from: Ranks) -> Ranks {
        let shown = self.public.shown_by(seat);
        let due = shown
            .iter()
            .filter(|&rank| !self.taken_by(seat, rank))
            .count();
        let left = self.own_steps(seat).filter(|&at| at >= place).count();
        from.iter()
            .filter(|&rank| match self.public.revealed(rank) {
                Some(holder) => holder == seat,
                None => due < left && !self.unheld(rank),
            })
            .collect()
    }

    /// Whether the seat has picked this rank in the rerun.
    fn taken_by(&self, seat: Seat, rank: Rank) -> bool {
        self.own_steps(seat)
            .any(|place| self.taken.get(place) == Some(&Some(rank)))
    }

    /// Whether all know that nobody holds the rank: it was called in vain, and not murdered.
    fn unheld(&self, rank: Rank) -> bool {
        let calls = &self.public.calls;
        rank.0 <= calls.called
            && calls.murdered != Some(rank)
            && self.public.revealed(rank).is_none()
    }

    /// What can lie face down: what nobody has shown. The first face-down card can be the last picker's.
    fn unshown(&self, place: usize, from: Ranks) -> Ranks {
        let last_picker = self.public.draft().and_then(|draft| {
            let last = u8::try_from(draft.steps.len().checked_sub(2)?).ok()?;
            self.public
                .sees_face_down(last)
                .then(|| self.public.drafting(last))?
        });
        from.iter()
            .filter(|&rank| match self.public.revealed(rank) {
                None => true,
                Some(holder) => place == 0 && last_picker == Some(holder),
            })
            .collect()
    }

    /// Writes the draft into the table.
    fn lay_out(&self, table: &mut Citadels) {
        let face_down = self.taken.first().copied().flatten();
        table.hidden.face_down = face_down;
        let mut passing = self.public.ranks().minus(self.public.calls.face_up);
        if let Some(rank) = face_down {
            passing = passing.without(rank);
        }
        for place in 1..=self.steps_done() + 1 {
            let Some((step, kind)) = self.step(place) else {
                break;
            };
            let taken = self.taken.get(place).copied().flatten();
            let seat = self.public.drafting(step);
            if let (Step::Pick(_), Some(seat)) = (kind, seat) {
                let own = &mut table.private[seat].draft;
                let pick = own.picks();
                let mut seen = passing;
                if self.public.sees_face_down(step) {
                    own.face_down = face_down;
                    seen = face_down.map_or(seen, |rank| seen.with(rank));
                }
                if let (Some(seen_then), Some(picked)) =
                    (own.seen.get_mut(pick), own.picked.get_mut(pick))
                {
                    *seen_then = seen;
                    *picked = taken;
                }
            } else if let Some(rank) = taken {
                if let (Step::Discard(_), Some(seat)) = (kind, seat) {
                    table.private[seat].draft.discarded = Some(rank);
                }
                table.hidden.aside = table.hidden.aside.with(rank);
            }
            if let Some(rank) = taken {
                passing = passing.without(rank);
            }
        }
        table.hidden.passing = passing;
    }
}
