//! A draft that is run again, to imagine who holds which character and what each picker saw.

use arrayvec::ArrayVec;

use super::character::{Rank, Ranks};
use super::setup::Step;
use super::state::{Citadels, DraftMemory, Public, Stage};
use crate::chance::Chance;
use crate::seat::Seat;

/// A draft that is run again. Places: the first face-down card, then each step of the draft, as far as it has come.
pub(super) struct Rerun<'a> {
    public: &'a Public,
    own: Option<(Seat, &'a DraftMemory)>,
    /// What has been taken at each place so far; `None` at the last step, if the last picker left nothing.
    taken: ArrayVec<Option<Rank>, 16>,
}

impl<'a> Rerun<'a> {
    /// The draft of this round, run again for whoever knows this much of it.
    pub(super) fn new(
        public: &'a Public,
        own: Option<(Seat, &'a DraftMemory)>,
        chance: &mut Chance,
    ) -> Self {
        let mut draft = Self {
            public,
            own,
            taken: ArrayVec::new(),
        };
        let unused = public.ranks().minus(public.calls.face_up);
        let found = draft.go_on(unused, chance);
        debug_assert!(found);
        draft
    }

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
    pub(super) fn lay_out(&self, table: &mut Citadels) {
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
