//! Numbers of decisions, and answers given at the same time.

use std::collections::BTreeSet;

use rand::RngExt;
use rand::seq::IndexedRandom;

use super::{Failure, Trial};
use crate::chance::Chance;
use crate::cx::Cx;
use crate::game::Game;
use crate::playthrough::{Entry, Playthrough};
use crate::seat::{Seat, SeatMap, SeatSet, Viewer};

/// The decisions of a game so far.
pub(super) struct Decisions {
    /// The number of the open one.
    open: u64,
    /// The number under which each seat answers it.
    own: SeatMap<u64>,
    /// Who has answered which, and at which ply.
    answered: BTreeSet<(Seat, u64)>,
}

impl Decisions {
    pub(super) fn new<G: Game>(playthrough: &Playthrough<G>) -> Self {
        Self {
            open: playthrough.decision_number(),
            own: numbers(playthrough),
            answered: BTreeSet::new(),
        }
    }
}

fn numbers<G: Game>(playthrough: &Playthrough<G>) -> SeatMap<u64> {
    SeatMap::from_fn(playthrough.record().seats, |seat| {
        playthrough.decision_number_for(seat)
    })
}

impl<G: Game> Trial<'_, G> {
    /// After an answer by one of the seats that were asked.
    pub(super) fn check_decision(&mut self, seat: Seat, asked: SeatSet) -> Result<(), Failure> {
        let answered = self.decisions.own.get(seat).copied().unwrap_or_default();
        let first = self.decisions.answered.insert((seat, answered));
        self.law(first, || {
            format!("{seat} has answered decision {answered} twice")
        })?;
        let to_act = self.to_act();
        let others = asked.without(seat);
        if others.is_empty() || to_act.without(seat) != others {
            return self.check_new_decision();
        }
        let (before, open) = (self.decisions.open, self.playthrough.decision_number());
        self.law(open == before, || {
            format!("{to_act} still owe decision {before}, but it has become {open}")
        })?;
        let own = numbers(&self.playthrough);
        for other in others.iter() {
            let (before, now) = (self.decisions.own.get(other), own.get(other));
            self.law(now == before, || {
                format!("{seat} has answered, and the decision of {other} has become {now:?}")
            })?;
        }
        // Who has more to answer is asked anew; who is done sees the decision of the others.
        let next = own.get(seat).copied().unwrap_or_default();
        let fits = if to_act.contains(seat) {
            next > answered
        } else {
            next == open
        };
        self.law(fits, || {
            format!("{seat} has answered decision {answered} and is asked {next}")
        })?;
        self.decisions.own = own;
        Ok(())
    }

    /// After whatever opens another decision.
    pub(super) fn check_new_decision(&mut self) -> Result<(), Failure> {
        let (before, open) = (self.decisions.open, self.playthrough.decision_number());
        self.law(open > before, || {
            format!("decision {before} is followed by decision {open}")
        })?;
        self.decisions.open = open;
        self.decisions.own = numbers(&self.playthrough);
        let all = self.to_act();
        let own = &self.decisions.own;
        let same = all.iter().all(|seat| own.get(seat) == Some(&open));
        self.law(same, || format!("{all} owe {open}, and are asked {own:?}"))
    }

    /// Answers that several seats give at the same time may come in any order.
    pub(super) fn check_order_of_answers(&mut self) -> Result<(), Failure> {
        let asked = self.to_act();
        if asked.len() < 2 {
            return Ok(());
        }
        let state = self.playthrough.state();
        let mut answers = Vec::new();
        for seat in asked.iter() {
            let legal = G::legal_actions(state.seen(Viewer::Seat(seat)));
            answers.extend(legal.choose(&mut self.dice).map(|&action| (seat, action)));
        }
        let forward = self.after_answers(asked, &answers);
        answers.reverse();
        let backward = self.after_answers(asked, &answers);
        self.law(forward == backward, || {
            format!("the order of {answers:?} matters")
        })
    }

    /// The state after these answers, after which a seat may have more to answer; `None` if one of
    /// them closes the decision before all have answered.
    fn after_answers(&self, asked: SeatSet, answers: &[(Seat, G::Action)]) -> Option<G> {
        let mut state = self.playthrough.state().clone();
        let mut left = asked;
        let mut ply = self.playthrough.ply();
        for &(seat, action) in answers {
            let to_act = G::to_act(state.public());
            if left.iter().any(|seat| !to_act.contains(seat)) {
                return None;
            }
            ply += 1;
            let mut chance = Chance::at_ply(self.playthrough.record().seed, ply);
            state.apply_unchecked(seat, action, &mut Cx::new(&mut chance, None));
            left = left.without(seat);
        }
        Some(state)
    }

    /// An answer that was given is found again, one that wasn't is not.
    pub(super) fn check_answers(&mut self) -> Result<(), Failure> {
        let entries = &self.playthrough.record().entries;
        let given: Vec<_> = self.decisions.answered.iter().copied().collect();
        for _ in 0..given.len().min(2) {
            let Some(&(seat, number)) = given.choose(&mut self.dice) else {
                break;
            };
            let Some((action, after)) = self.playthrough.answer(seat, number) else {
                return self.law(false, || {
                    format!("the answer of {seat} to decision {number} is lost")
                });
            };
            let ply = after.ply() as usize;
            self.law(after.record().entries == entries[..ply], || {
                format!("answer {number}: another past")
            })?;
            let last = entries[..ply].last().copied();
            self.law(last == Some(Entry::Action(seat, action)), || {
                format!("answer {number} of {seat}: {last:?}")
            })?;
            self.law(after.state_hash() == self.hashes[ply], || {
                format!("answer {number} of {seat}: another state")
            })?;
        }
        let beyond = u64::from(self.playthrough.ply()) + 2;
        let (seat, number) = (
            Seat(self.dice.random_range(0..=self.context.seats)),
            self.dice.random_range(0..=beyond),
        );
        let found = self.playthrough.answer(seat, number).is_some();
        let answered = self.decisions.answered.contains(&(seat, number));
        self.law(found == answered, || {
            format!("answer of {seat} to decision {number}: found {found}, given {answered}")
        })
    }
}
