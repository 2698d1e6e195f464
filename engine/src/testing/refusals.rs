//! What is not listed is refused, and changes nothing.

use rand::RngExt;

use super::{Failure, Trial};
use crate::action::ActionId;
use crate::error::Rejected;
use crate::game::Game;
use crate::seat::{SEATS_MAX, Seat, Viewer};

/// How many ids are tried where not all of them are.
const SAMPLE: u32 = 8;

impl<G: Game> Trial<'_, G> {
    pub(super) fn check_refusals(&mut self) -> Result<(), Failure> {
        let before = self.playthrough.clone();
        let ids = if self.playthrough.ply() == 0 || self.one_in(40) {
            (0..G::ACTION_SPACE).collect()
        } else {
            Vec::from_iter((0..SAMPLE).map(|_| self.dice.random_range(0..G::ACTION_SPACE)))
        };
        let to_act = self.to_act();
        for seat in to_act.iter() {
            let legal = G::legal_actions(self.playthrough.state().seen(Viewer::Seat(seat)));
            for &id in &ids {
                self.check_id(seat, ActionId(id), &legal)?;
            }
        }
        for seat in (0..=SEATS_MAX)
            .map(Seat)
            .filter(|&seat| !to_act.contains(seat))
        {
            self.check_idle(seat, ActionId(ids[0]))?;
        }
        for unknown in [G::ACTION_SPACE, G::ACTION_SPACE + 1, u32::MAX].map(ActionId) {
            self.law(G::decode(unknown).is_none(), || {
                format!("id {unknown} decodes")
            })?;
            let refused = self.playthrough.submit_id(Seat(0), unknown, None);
            self.law(
                refused == Err(Rejected::UnknownAction { action: unknown }),
                || format!("id {unknown}: {refused:?}"),
            )?;
        }
        let nobody = Seat(self.context.seats);
        let refused = self.playthrough.resign(nobody, None);
        let expected = if self.to_act().is_empty() {
            Rejected::GameOver
        } else {
            Rejected::NotSeated { seat: nobody }
        };
        self.law(refused == Err(expected), || {
            format!("{nobody} resigns: {refused:?}")
        })?;
        self.law(self.playthrough == before, || {
            "a refusal has changed the game".into()
        })
    }

    /// Any id, answered by a seat that is to act.
    fn check_id(&mut self, seat: Seat, id: ActionId, legal: &[G::Action]) -> Result<(), Failure> {
        let Some(action) = G::decode(id) else {
            return self.law(false, || {
                format!("id {id} of {} decodes to nothing", G::ACTION_SPACE)
            });
        };
        self.law(G::encode(action) == id, || {
            format!("id {id} is {action:?}, which has another id")
        })?;
        let seen = self.playthrough.state().seen(Viewer::Seat(seat));
        let listed = legal.binary_search(&action).is_ok();
        self.law(G::is_legal(seen, action) == listed, || {
            format!("is_legal and the list disagree on {action:?} of {seat}")
        })?;
        if listed {
            return Ok(());
        }
        match self.playthrough.submit(seat, action, Some(&mut Vec::new())) {
            Err(Rejected::NotLegal { why }) => {
                let sentence =
                    why.starts_with(char::is_lowercase) && why.ends_with(')') && why.contains(" (");
                self.law(sentence, || {
                    format!("{action:?} of {seat} is refused with {why:?}")
                })
            }
            other => self.law(false, || {
                format!("{action:?} of {seat} is not listed, but {other:?}")
            }),
        }
    }

    /// Any id, answered by a seat that owes nothing.
    fn check_idle(&mut self, seat: Seat, id: ActionId) -> Result<(), Failure> {
        let waiting_for = self.to_act();
        let expected = if waiting_for.is_empty() {
            Rejected::GameOver
        } else {
            Rejected::NotToAct { waiting_for }
        };
        let refused = self.playthrough.submit_id(seat, id, Some(&mut Vec::new()));
        self.law(refused == Err(expected), || {
            format!("{seat} plays id {id}: {refused:?}")
        })?;
        let legal = G::decode(id).is_some_and(|action| {
            let seen = self.playthrough.state().seen(Viewer::Seat(seat));
            G::is_legal(seen, action)
        });
        self.law(!legal, || {
            format!("id {id} is legal for {seat}, who is not to act")
        })
    }
}
