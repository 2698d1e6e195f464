//! REMOVE and DRAFT (5.1, 5.2): how the characters come to the players.

use super::character::{Rank, Ranks};
use super::event::Event;
use super::setup::{Draft, Step, setup};
use super::state::{Citadels, DraftMemory, PerSeat, Public, Stage};
use crate::chance::Chance;
use crate::cx::{Audience, Cx};
use crate::seat::{Seat, SeatSet};

impl Public {
    /// The draft of this table, from `setup.toml`.
    pub(super) fn draft(&self) -> Option<&'static Draft> {
        setup().draft.get(usize::from(self.rules.draft))
    }

    /// The step of the draft at this place; `None` beyond the last.
    pub fn draft_step(&self, step: u8) -> Option<Step> {
        self.draft()?.steps.get(usize::from(step)).copied()
    }

    /// Whose step of the draft it is; `None` if nobody decides there.
    pub(super) fn drafting(&self, step: u8) -> Option<Seat> {
        match self.draft_step(step)? {
            Step::Pick(player) | Step::Discard(player) => {
                Some(self.left_of(self.calls.first_picker, player))
            }
            Step::RandomFaceDown | Step::RestFaceDown => None,
        }
    }

    /// Whether the picker of this step also looks at the first face-down card.
    pub(super) fn sees_face_down(&self, step: u8) -> bool {
        self.draft().is_some_and(|draft| {
            draft.last_takes_face_down && usize::from(step) + 2 == draft.steps.len()
        })
    }
}

impl DraftMemory {
    /// D1: the cards to pick from.
    pub(super) fn on_offer(&self) -> Ranks {
        self.seen.get(self.picks()).copied().unwrap_or_default()
    }

    /// D2: the cards left after the pick, one of which is laid face down.
    pub(super) fn discardable(&self) -> Ranks {
        let at = self.picks().saturating_sub(1);
        self.seen
            .get(at)
            .copied()
            .unwrap_or_default()
            .minus(self.held())
    }
}

impl Citadels {
    /// REMOVE: one card face down, some face up; then the cards are passed.
    pub(super) fn remove_characters(&mut self, cx: &mut Cx<'_, Event>) {
        self.private
            .0
            .iter_mut()
            .for_each(|own| own.draft = DraftMemory::default());
        let mut left = self.public.ranks();
        // C4.
        self.hidden.face_down = draw(&mut left, cx.chance);
        self.hidden.aside = Ranks::EMPTY;
        let face_up = self.public.draft().map_or(0, |draft| draft.face_up);
        for _ in 0..face_up {
            // C5.
            let mut drawn = draw(&mut left, cx.chance);
            if drawn == Some(Rank::KING) {
                // Ruling 3: all see that it isn't the face-down card.
                self.public.calls.rank4_returned = true;
                if let Some(character) = self.public.character(Rank::KING) {
                    cx.tell(Audience::All, || Event::Rank4Returned { character });
                }
                drawn = draw(&mut left, cx.chance);
                left = left.with(Rank::KING);
            }
            if let Some(rank) = drawn {
                self.public.calls.face_up = self.public.calls.face_up.with(rank);
                if let Some(character) = self.public.character(rank) {
                    cx.tell(Audience::All, || Event::FaceUp { character });
                }
            }
        }
        self.hidden.passing = left;
        self.go_to_step(0, cx);
    }

    /// The draft goes on at this step: up to the next one at which somebody decides, or to the calls.
    fn go_to_step(&mut self, mut step: u8, cx: &mut Cx<'_, Event>) {
        loop {
            match self.public.draft_step(step) {
                Some(Step::Pick(_)) => return self.pass_cards(step, cx),
                Some(Step::Discard(_)) => {
                    self.public.stage = Stage::Draft { step };
                    return;
                }
                Some(Step::RandomFaceDown) => {
                    // C6.
                    if let Some(rank) = draw(&mut self.hidden.passing, cx.chance) {
                        self.hidden.aside = self.hidden.aside.with(rank);
                    }
                    cx.tell(Audience::All, || Event::RandomDiscard);
                }
                Some(Step::RestFaceDown) => {
                    self.hidden.aside = self.hidden.aside.union(self.hidden.passing);
                    self.hidden.passing = Ranks::EMPTY;
                }
                None => return self.call_next(cx),
            }
            step += 1;
        }
    }

    /// The cards come to the picker of this step.
    fn pass_cards(&mut self, step: u8, cx: &mut Cx<'_, Event>) {
        self.public.stage = Stage::Draft { step };
        let Some(seat) = self.public.drafting(step) else {
            return;
        };
        let mut seen = self.hidden.passing;
        let own = &mut self.private[seat].draft;
        if self.public.sees_face_down(step) {
            own.face_down = self.hidden.face_down;
            seen = own.face_down.map_or(seen, |rank| seen.with(rank));
        }
        let pick = own.picks();
        if let Some(place) = own.seen.get_mut(pick) {
            *place = seen;
        }
        let face_down = own.face_down;
        let public = &self.public;
        let passed = |shown: bool| Event::CharactersPassed {
            seat,
            cards: seen.len() as u8,
            seen: shown.then(|| public.characters(seen)),
            face_down: face_down
                .filter(|_| shown)
                .and_then(|rank| public.character(rank)),
        };
        let picker = SeatSet::only(seat);
        cx.tell(Audience::Only(picker), || passed(true));
        cx.tell(Audience::Except(picker), || passed(false));
    }

    /// D1: the picker takes a card.
    pub(super) fn pick_character(&mut self, seat: Seat, rank: Rank, cx: &mut Cx<'_, Event>) {
        let Stage::Draft { step } = self.public.stage else {
            return;
        };
        let own = &mut self.private[seat].draft;
        let pick = own.picks();
        if let Some(place) = own.picked.get_mut(pick) {
            *place = Some(rank);
        }
        // The last picker of seven or eight may take the face-down card; then what was passed to him goes face down.
        self.hidden.passing = self.hidden.passing.without(rank);
        let character = self.public.character(rank);
        cx.tell(Audience::Only(SeatSet::only(seat)), || {
            Event::CharacterPicked { seat, character }
        });
        cx.tell(Audience::Except(SeatSet::only(seat)), || {
            Event::CharacterPicked {
                seat,
                character: None,
            }
        });
        self.go_to_step(step + 1, cx);
    }

    /// D2: the picker lays a card face down.
    pub(super) fn discard_character(&mut self, seat: Seat, rank: Rank, cx: &mut Cx<'_, Event>) {
        let Stage::Draft { step } = self.public.stage else {
            return;
        };
        self.private[seat].draft.discarded = Some(rank);
        self.hidden.passing = self.hidden.passing.without(rank);
        self.hidden.aside = self.hidden.aside.with(rank);
        let character = self.public.character(rank);
        cx.tell(Audience::Only(SeatSet::only(seat)), || {
            Event::CharacterDiscarded { seat, character }
        });
        cx.tell(Audience::Except(SeatSet::only(seat)), || {
            Event::CharacterDiscarded {
                seat,
                character: None,
            }
        });
        self.go_to_step(step + 1, cx);
    }

    /// Who holds the character of this rank.
    pub(super) fn holder(&self, rank: Rank) -> Option<Seat> {
        let PerSeat(privates) = &self.private;
        self.public
            .seated()
            .zip(privates)
            .find(|(_, own)| own.draft.picked.contains(&Some(rank)))
            .map(|(seat, _)| seat)
    }
}

/// Takes one of the cards at random: the index among them, by rank (5.13).
fn draw(from: &mut Ranks, chance: &mut Chance) -> Option<Rank> {
    if from.is_empty() {
        return None;
    }
    let rank = from.nth(chance.below(from.len()))?;
    *from = from.without(rank);
    Some(rank)
}
