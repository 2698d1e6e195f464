//! What holds of every table at every moment: nothing is lost, nobody is in two places, and what somebody remembers is true.

use super::cards::Cards;
use super::character::Ranks;
use super::district::District;
use super::knowledge::Knowledge;
use super::setup::{Step, setup};
use super::state::{Citadels, Hidden, PerSeat, Private, Public, Stage};
use crate::seat::{SEATS_MAX, Seat};

/// What is wrong with a table.
pub type Unsound = &'static str;

impl Citadels {
    /// A table with these parts: for set positions. Nobody need ever have come there by play, but it is sound.
    ///
    /// # Errors
    ///
    /// As [`check_sound`](Self::check_sound).
    pub fn from_parts(
        public: Public,
        private: PerSeat<Private>,
        hidden: Hidden,
    ) -> Result<Self, Unsound> {
        let table = Self {
            public,
            private,
            hidden,
        };
        table.check_sound()?;
        Ok(table)
    }

    /// What all, each seat, and nobody sees.
    pub const fn parts(&self) -> (&Public, &PerSeat<Private>, &Hidden) {
        (&self.public, &self.private, &self.hidden)
    }

    /// Whether cards, gold, crown and characters are conserved, counts agree with what they count, and memories are true.
    ///
    /// # Errors
    ///
    /// What is wrong.
    pub fn check_sound(&self) -> Result<(), Unsound> {
        let public = &self.public;
        hold(public.crown.0 < public.seats, "nobody has the crown")?;
        hold(
            self.cards() == public.all_cards(),
            "district cards are lost",
        )?;
        hold(self.gold_is_conserved(), "gold is lost")?;
        self.check_characters()?;
        self.check_draft()?;
        self.check_counts()?;
        self.check_cities()?;
        for seat in public.seated() {
            self.check_memory(seat)?;
        }
        hold(
            self.is_true(&public.known, None),
            "all remember something wrong",
        )
    }

    /// All district cards, wherever they are.
    fn cards(&self) -> Cards {
        let mut cards: Cards = self.hidden.deck.known().collect();
        cards.extend(self.hidden.museum.known());
        for seat in self.public.seated() {
            let own = &self.private[seat];
            cards.extend(own.hand.iter());
            cards.extend(own.in_view.into_iter().flatten());
            let city = &self.public.boards[seat].city;
            cards.extend(city.iter().map(|built| built.district));
        }
        if let Stage::Graveyard { district, .. } = self.public.stage {
            cards.add(district);
        }
        cards
    }

    fn gold_is_conserved(&self) -> bool {
        let Some(bank) = self.public.bank else {
            return true;
        };
        let held: u16 = self
            .public
            .seated()
            .map(|seat| {
                let board = &self.public.boards[seat];
                board.gold + board.city.iter().filter(|built| built.beautified).count() as u16
            })
            .sum();
        bank + held == setup().start.gold_pieces
    }

    /// Every character is face up, passed, laid aside, or somebody's.
    fn check_characters(&self) -> Result<(), Unsound> {
        let (calls, hidden) = (&self.public.calls, &self.hidden);
        let mut places = vec![calls.face_up, hidden.passing, hidden.aside];
        places.extend(
            self.public
                .seated()
                .map(|seat| self.private[seat].draft.held()),
        );
        // The last of seven or eight pickers may have taken the first face-down card.
        if let Some(rank) = hidden.face_down
            && self.holder(rank).is_none()
        {
            places.push(Ranks::only(rank));
        }
        let all = places
            .iter()
            .fold(Ranks::EMPTY, |all, &place| all.union(place));
        let count: u32 = places.iter().map(|place| place.len()).sum();
        hold(all == self.public.ranks(), "characters are lost")?;
        hold(count == all.len(), "a character is in two places")?;
        for rank in all.iter() {
            if let Some(seat) = self.public.revealed(rank) {
                hold(
                    self.holder(rank) == Some(seat),
                    "a character was shown by somebody who doesn't hold it",
                )?;
            }
        }
        Ok(())
    }

    /// What each picker saw is what was passed to him, and he took one of it.
    fn check_draft(&self) -> Result<(), Unsound> {
        let public = &self.public;
        let steps = public.draft().map_or(&[][..], |draft| &draft.steps);
        let mut passing = public.ranks().minus(public.calls.face_up);
        if let Some(rank) = self.hidden.face_down {
            hold(
                passing.contains(rank),
                "the face-down character lies face up",
            )?;
            passing = passing.without(rank);
        }
        let mut picks = [0; SEATS_MAX as usize];
        for (step, kind) in (0..).zip(steps) {
            let seat = public.drafting(step);
            let taken = match (kind, seat) {
                (Step::Pick(_), Some(seat)) => {
                    let draft = &self.private[seat].draft;
                    let nth = std::mem::replace(&mut picks[usize::from(seat.0)], 1);
                    let seen = draft.seen.get(nth).copied().unwrap_or_default();
                    if seen.is_empty() {
                        // It hasn't come to this pick yet.
                        return hold(passing == self.hidden.passing, "passed cards are lost");
                    }
                    let mut shown = passing;
                    if public.sees_face_down(step) {
                        let face_down = self.hidden.face_down;
                        hold(
                            draft.face_down == face_down,
                            "a picker remembers the face-down character wrong",
                        )?;
                        shown = face_down.map_or(shown, |rank| shown.with(rank));
                    }
                    hold(seen == shown, "a picker remembers the cards wrong")?;
                    let picked = draft.picked.get(nth).copied().flatten();
                    hold(
                        picked.is_none_or(|rank| seen.contains(rank)),
                        "a picker took what he didn't see",
                    )?;
                    picked
                }
                (Step::Discard(_), Some(seat)) => self.private[seat].draft.discarded,
                // C6: the one that the next picker misses.
                (Step::RandomFaceDown, _) => {
                    let next = public
                        .drafting(step + 1)
                        .and_then(|seat| self.private[seat].draft.seen.get(1).copied());
                    let missing = passing.minus(next.unwrap_or_default());
                    if missing.len() == 1 {
                        missing.nth(0)
                    } else {
                        None
                    }
                }
                _ => None,
            };
            if let Some(rank) = taken {
                passing = passing.without(rank);
            }
        }
        Ok(())
    }

    fn check_counts(&self) -> Result<(), Unsound> {
        let public = &self.public;
        let deck = self.hidden.deck.len();
        hold(public.deck() == deck, "the deck is miscounted")?;
        hold(
            public.deck_known_by.len() == deck,
            "the deck's places are miscounted",
        )?;
        hold(
            public.museum.cards == self.hidden.museum.len(),
            "the museum is miscounted",
        )?;
        let in_view = match public.stage {
            Stage::Keep { in_view, .. } => in_view,
            _ => 0,
        };
        let viewed = |seat: Seat| self.private[seat].in_view.into_iter().flatten().count();
        let all_viewed: usize = public.seated().map(viewed).sum();
        hold(
            all_viewed == usize::from(in_view),
            "the cards in view are miscounted",
        )?;
        for seat in public.seated() {
            let own = &self.private[seat];
            hold(
                own.hand.len() == public.boards[seat].hand,
                "a hand is miscounted",
            )?;
            hold(own.known.deck.len() == deck, "a seat's deck is miscounted")?;
            hold(
                own.museum.len() == public.museum.known[seat],
                "a seat's museum is miscounted",
            )?;
        }
        Ok(())
    }

    fn check_cities(&self) -> Result<(), Unsound> {
        let public = &self.public;
        let risen = public.rules.end_districts - 1;
        for seat in public.seated() {
            let listed = public.risen.iter().filter(|other| **other == seat).count();
            let due = usize::from(public.boards[seat].districts() >= risen);
            hold(listed == due, "the order of risen cities is wrong")?;
        }
        hold(
            !public.bell_rung || public.owner(District::BellTower).is_some(),
            "a bell rings in no city",
        )
    }

    fn check_memory(&self, seat: Seat) -> Result<(), Unsound> {
        let (public, own) = (&self.public, &self.private[seat]);
        hold(
            self.is_true(&own.known, Some(seat)),
            "a seat remembers something wrong",
        )?;
        for other in public.others(seat) {
            let known = own.known.hands[other];
            hold(
                known.includes(public.known.hands[other]),
                "a seat has forgotten what all know of a hand",
            )?;
            let acquaintance = public.acquaintance[other][seat];
            hold(
                (acquaintance.least..=acquaintance.most).contains(&known.len()),
                "a seat knows more or less of a hand than it can",
            )?;
        }
        let places = own.known.deck.as_slice().iter();
        for (known, known_by) in places.zip(public.deck_known_by.as_slice()) {
            hold(
                known.is_some() == known_by.contains(seat),
                "a seat knows a place of the deck that it can't, or has forgotten one",
            )?;
        }
        let stored = self.hidden.museum.as_slice();
        hold(
            stored.starts_with(own.museum.as_slice()),
            "a seat remembers the museum wrong",
        )?;
        self.check_look(seat)
    }

    /// What a seat has seen from the Lighthouse was in the deck, and is still there as far as it wasn't drawn.
    fn check_look(&self, seat: Seat) -> Result<(), Unsound> {
        let (public, seen) = (&self.public, self.private[seat].deck_seen);
        let Some(look) = public.lighthouse[seat] else {
            return hold(
                seen.is_empty(),
                "a seat remembers a look from the lighthouse that it never had",
            );
        };
        let left = look.left();
        let top = self.hidden.deck.from_top().take(left.into());
        let deck = self.hidden.deck.known().collect();
        let there = if look.shuffled {
            seen.common(deck).len() >= left
        } else {
            seen.includes(top.flatten().collect())
        };
        hold(
            seen.len() == look.cards && there,
            "a seat remembers the look from the lighthouse wrong",
        )?;
        hold(
            public
                .all_cards()
                .minus(public.outside_deck_at(&look))
                .includes(seen),
            "a seat has seen a card in the deck that was in a city",
        )
    }

    /// Whether what somebody knows (`None`: all) is so.
    fn is_true(&self, known: &Knowledge, viewer: Option<Seat>) -> bool {
        let deck = known
            .deck
            .as_slice()
            .iter()
            .zip(self.hidden.deck.as_slice());
        deck.into_iter()
            .all(|(known, card)| known.is_none() || known == card)
            && self.public.seated().all(|seat| {
                Some(seat) == viewer || self.private[seat].hand.includes(known.hands[seat])
            })
    }
}

fn hold(holds: bool, otherwise: Unsound) -> Result<(), Unsound> {
    if holds { Ok(()) } else { Err(otherwise) }
}
