//! Who is to act, and what the lists hold.

use super::{Failure, Trial};
use crate::game::Game;
use crate::seat::{SEATS_MAX, Seat, SeatSet, Viewer};

impl<G: Game> Trial<'_, G> {
    pub(super) fn check_lists(&mut self) -> Result<(), Failure> {
        let to_act = self.to_act();
        let state = self.playthrough.state();
        let table = SeatSet::first(self.context.seats);
        self.law(to_act.iter().all(|seat| table.contains(seat)), || {
            format!("{to_act} of {table} to act")
        })?;
        let outcome = G::outcome(state.public());
        self.law(outcome.is_some() == to_act.is_empty(), || {
            format!("{to_act} to act, with outcome {outcome:?}")
        })?;
        if let Some(outcome) = outcome {
            let winners = outcome.winners;
            self.law(winners.iter().all(|seat| table.contains(seat)), || {
                format!("{winners} won")
            })?;
            let returns = outcome.returns.iter().count();
            self.law(returns == usize::from(self.context.seats), || {
                format!("{returns} seats have returns")
            })?;
        }

        let mut legal = Vec::new();
        for seat in (0..=SEATS_MAX).map(Seat) {
            let seen = state.seen(Viewer::Seat(seat));
            // What the buffer held before must not matter.
            G::legal_actions_into(seen, &mut legal);
            let listed = if to_act.contains(seat) {
                !legal.is_empty()
            } else {
                legal.is_empty()
            };
            self.law(listed, || {
                format!("{to_act} to act, and {seat} has the list {legal:?}")
            })?;
            let decision = G::decision(seen);
            self.law(decision.is_some() != legal.is_empty(), || {
                format!("{seat} owes {decision:?} with {legal:?}")
            })?;
            self.check_list(seat, &legal)?;
            self.report.longest_list = self.report.longest_list.max(legal.len());
        }
        let spectator = state.seen(Viewer::Spectator);
        G::legal_actions_into(spectator, &mut legal);
        self.law(legal.is_empty(), || {
            format!("a spectator has the list {legal:?}")
        })?;
        self.law(G::decision(spectator).is_none(), || {
            "a spectator owes a decision".into()
        })
    }

    fn check_list(&self, seat: Seat, legal: &[G::Action]) -> Result<(), Failure> {
        let seen = self.playthrough.state().seen(Viewer::Seat(seat));
        self.law(legal.len() <= G::INFO.legal_max as usize, || {
            format!("{} legal actions", legal.len())
        })?;
        self.law(
            legal.is_sorted_by(|a, b| a < b && G::encode(*a) < G::encode(*b)),
            || format!("not ascending: {legal:?}"),
        )?;
        let mask = G::action_mask(seen);
        self.law(
            mask.iter()
                .eq(legal.iter().map(|&action| G::encode(action))),
            || format!("the mask is {mask:?}, the list {legal:?}"),
        )?;
        let mut labels = Vec::new();
        for &action in legal {
            let id = G::encode(action);
            self.law(G::decode(id) == Some(action), || {
                format!("{action:?} has id {id}, which is another action's")
            })?;
            let mut label = String::new();
            G::label(seen, action, &mut label);
            let readable = !label.trim().is_empty() && !label.contains('\n');
            self.law(readable, || format!("{action:?} has the label {label:?}"))?;
            labels.push(label);
        }
        labels.sort_unstable();
        let twice = labels.windows(2).find(|pair| pair[0] == pair[1]);
        self.law(twice.is_none(), || {
            format!("two legal actions have the label {twice:?}")
        })
    }
}
