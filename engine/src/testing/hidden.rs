//! What a viewer doesn't see, nothing tells him.

use rand::RngExt;
use rand::seq::IndexedRandom;

use super::{Failure, Trial, heard};
use crate::chance::{Chance, Seed};
use crate::cx::{Audience, Cx};
use crate::game::Game;
use crate::seat::{Seat, Viewer};

impl<G: Game> Trial<'_, G> {
    /// A determinized state could be the true one.
    pub(super) fn check_determinizations(&mut self) -> Result<(), Failure> {
        let state = self.playthrough.state().clone();
        for viewer in self.viewers() {
            let mut chance = self.own_chance();
            let sample = G::determinize(state.seen(viewer), &mut chance);
            self.law(sample.observe(viewer) == state.observe(viewer), || {
                format!("a determinized state looks different to {viewer:?}")
            })?;
            let legal = |state: &G| G::legal_actions(state.seen(viewer));
            self.law(legal(&sample) == legal(&state), || {
                format!("a determinized state has other legal actions for {viewer:?}")
            })?;
            let sound = (self.conserved)(&sample);
            self.law(sound.is_ok(), || {
                format!("a determinized state for {viewer:?}: {sound:?}")
            })?;
            self.law(
                canonical(&sample) == canonical(&state) || sample != state,
                || "equal states have different canonical bytes".into(),
            )?;
            if sample != state {
                self.report.varied += 1;
                self.law(G::hides(self.context.options), || {
                    format!("nothing is hidden, yet {viewer:?} imagines another state")
                })?;
                self.law(canonical(&sample) != canonical(&state), || {
                    "different states have the same canonical bytes".into()
                })?;
            }
            if self.one_in(40) {
                self.play_on(sample, &mut chance)?;
            }
        }
        Ok(())
    }

    /// Plays a determinized state to its end.
    fn play_on(&mut self, mut state: G, chance: &mut Chance) -> Result<(), Failure> {
        let bound = G::plies_max(self.context.options, self.context.seats);
        // It may be behind the true one: who answers in several steps may have done fewer there.
        for _ in 0..bound {
            let Some(seat) = G::to_act(state.public()).lowest() else {
                return Ok(());
            };
            let legal = G::legal_actions(state.seen(Viewer::Seat(seat)));
            let Some(&action) = legal.choose(&mut self.dice) else {
                return self.law(false, || {
                    format!("in a determinized state {seat} is to act and can't")
                });
            };
            state.apply_unchecked(seat, action, &mut Cx::new(chance, None));
        }
        self.law(G::outcome(state.public()).is_some(), || {
            "a determinized state goes on beyond the bound".into()
        })
    }

    /// A viewer to whom two states look the same before and after the same action hears the same.
    pub(super) fn check_twins(
        &mut self,
        before: &G,
        seat: Seat,
        action: G::Action,
        events: &[(Audience, G::Event)],
    ) -> Result<(), Failure> {
        for viewer in self.viewers() {
            let mut twin = G::determinize(before.seen(viewer), &mut self.own_chance());
            if twin == *before || twin.check(seat, action).is_err() {
                continue;
            }
            let mut chance = Chance::at_ply(self.playthrough.record().seed, self.playthrough.ply());
            let mut twin_events = Vec::new();
            twin.apply_unchecked(
                seat,
                action,
                &mut Cx::new(&mut chance, Some(&mut twin_events)),
            );
            if twin.observe(viewer) != self.playthrough.state().observe(viewer) {
                continue;
            }
            self.law(
                heard(events, viewer).eq(heard(&twin_events, viewer)),
                || {
                    let heard: Vec<_> = heard(events, viewer).collect();
                    format!("{action:?} of {seat} tells {viewer:?} more than he sees: {heard:?}")
                },
            )?;
        }
        Ok(())
    }

    fn own_chance(&mut self) -> Chance {
        Chance::at_ply(Seed(self.dice.random()), 0)
    }
}

fn canonical<G: Game>(state: &G) -> Vec<u8> {
    let mut bytes = Vec::new();
    state.write_canonical(&mut bytes);
    bytes
}
