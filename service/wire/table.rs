//! The one erased boundary: behind it every game is a `Box<dyn Table>` that speaks protobuf.

use std::{fmt::Debug, mem::discriminant};

use tavola_engine::{
    ActionId, Audience, Entry, Game, Outcome, Playthrough, Record, Reseed, Seat, SeatSet, Seed,
    StateHash, Viewer,
};

use super::{Wire, choose};
use crate::{
    error::{Error, Violation},
    house_bot::HouseBot,
    pb::v1 as pb,
};

/// An answer as a request has it: by number or by meaning.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The id of an action.
    Id(u32),
    /// The action itself.
    Action(pb::Action),
}

/// What a house bot still has to do: it holds the bot's observation, and is done without the table.
pub type BotTurn = Box<dyn FnOnce() -> Option<ActionId> + Send>;

/// Finds an answer that was given, and the table as it stood right after it: done without the table itself.
pub type Earlier = Box<dyn FnOnce() -> Option<(ActionId, Box<dyn Table>)> + Send>;

/// Makes another table out of what it holds: done without the table itself.
pub type Forking = Box<dyn FnOnce() -> Result<Box<dyn Table>, Error> + Send>;

/// A game in progress, of whichever game.
pub trait Table: Debug + Send + Sync {
    /// Entries applied so far.
    fn ply(&self) -> u32;
    /// Everything that was ever done here, in order.
    fn entries(&self) -> &[Entry];
    /// Where it was forked, in order, and the seeds of its chance from there on.
    fn reseeds(&self) -> &[Reseed];
    /// The seats that owe an answer; none once over.
    fn to_act(&self) -> SeatSet;
    /// The number under which the viewer answers the open decision; for a seat that is not asked,
    /// and for a spectator, the one under which it was opened.
    fn decision_number(&self, viewer: Viewer) -> u64;
    /// The result, once over.
    fn outcome(&self) -> Option<pb::Outcome>;
    /// Whether nothing is hidden from anybody.
    fn open_information(&self) -> bool;
    /// The options, defaults filled in.
    fn options(&self) -> pb::Options;

    /// What a viewer knows.
    fn observation(&self, viewer: Viewer) -> pb::Observation;
    /// What the seat may answer, by id, by meaning and with a label, ascending by id.
    fn legal_actions(&self, seat: Seat) -> Vec<pb::LegalAction>;
    /// What the seat may answer, by id, ascending.
    fn legal_action_ids(&self, seat: Seat) -> Vec<u32>;
    /// What the viewer was told of the latest ply, or of the set-up.
    fn events(&self, viewer: Viewer) -> Vec<pb::Event>;
    /// The whole truth.
    fn state(&self) -> pb::State;
    /// The hash of the whole truth.
    fn state_hash(&self) -> StateHash;
    /// An action by meaning.
    fn action(&self, id: ActionId) -> Option<pb::Action>;

    /// Reads an answer. Does not look at the state.
    ///
    /// # Errors
    /// [`Error::Malformed`] with the field.
    fn read(&self, answer: &Answer) -> Result<ActionId, Error>;
    /// Answers for a seat.
    ///
    /// # Errors
    /// If the rules forbid it; nothing has changed then.
    fn submit(&mut self, seat: Seat, action: ActionId) -> Result<(), Error>;
    /// A seat leaves for good.
    ///
    /// # Errors
    /// If the game is over or the seat has left before; nothing has changed then.
    fn resign(&mut self, seat: Seat) -> Result<(), Error>;
    /// What it takes to find the answer that a seat gave to a decision, to be found elsewhere: the game is played again.
    fn earlier(&self, seat: Seat, decision: u64) -> Earlier;
    /// The turn of a house bot at this seat, to be thought about elsewhere.
    fn bot_turn(&self, seat: Seat, bot: HouseBot) -> BotTurn;
    /// What it takes to go on from `ply` at another table, with the chance of `seed`, to be done elsewhere: the game is
    /// played again up to there.
    fn fork(&self, ply: u32, seed: Seed) -> Forking;
    /// What it takes to draw a table that the seat could be at for all it sees, with the chance of `seed`, to be done
    /// elsewhere. It holds what the seat sees and what everybody knows, and nothing else.
    fn imagine(&self, seat: Seat, seed: Seed) -> Forking;
    /// The table as it was when it was drawn; none if it began with a set-up.
    fn as_drawn(&self) -> Option<Box<dyn Table>>;
}

impl dyn Table {
    /// Applies an entry of a record.
    ///
    /// # Errors
    /// If the rules forbid it; nothing has changed then.
    pub fn enter(&mut self, entry: Entry) -> Result<(), Error> {
        match entry {
            Entry::Action(seat, action) => self.submit(seat, action),
            Entry::Resign(seat) => self.resign(seat),
        }
    }
}

/// A playthrough with what was told of its latest ply.
#[derive(Clone, Debug)]
pub struct Live<G: Game> {
    play: Playthrough<G>,
    told: Vec<(Audience, G::Event)>,
}

/// A table of the game `G` at its first decision.
pub(super) fn open<G: Wire>(opening: &Record<pb::Options>) -> Result<Box<dyn Table>, Error> {
    if opening.rules_version != G::INFO.rules_version {
        // Refused, not guessed at: the same actions might make another game of it.
        return Err(Error::SessionOutdated);
    }
    let own = G::options_to_pb(&G::Options::default()).game;
    let given = opening.options.game.as_ref().map(discriminant);
    if given.is_some() && given != own.as_ref().map(discriminant) {
        let allowed = format!("is unset, or the options of {}", G::INFO.slug);
        return Err(Error::OptionsNotLegal(Violation::new("options", allowed)));
    }
    let within = |violation: Violation| Error::OptionsNotLegal(violation.within("options"));
    let options = G::options_from_pb(opening.options.clone()).map_err(within)?;
    let mut told = Vec::new();
    let play: Playthrough<G> =
        Playthrough::start(options, opening.seats, opening.seed, Some(&mut told)).map_err(
            |error| {
                // The number of seats is a field beside the options.
                let path = if error.field == "seats" {
                    error.field.to_owned()
                } else {
                    format!("options.{}.{}", G::INFO.slug, error.field)
                };
                Error::OptionsNotLegal(Violation::new(path, error.allowed))
            },
        )?;
    let play = play.with_reseeds(opening.reseeds.clone());
    Ok(Box::new(Live { play, told }))
}

#[cfg(test)]
impl<G: Game> Live<G> {
    /// A table in the middle of a game, and what was told of how it came there.
    pub(super) const fn placed(play: Playthrough<G>, told: Vec<(Audience, G::Event)>) -> Self {
        Self { play, told }
    }

    /// The whole truth, as the engine has it.
    pub(super) const fn truth(&self) -> &G {
        self.play.state()
    }
}

impl<G: Wire> Live<G> {
    /// A table of which nothing was told.
    const fn silent(play: Playthrough<G>) -> Self {
        Self {
            play,
            told: Vec::new(),
        }
    }

    fn public(&self) -> &G::Public {
        self.play.state().public()
    }

    fn record(&self) -> &Record<G::Options> {
        self.play.record()
    }
}

impl<G: Wire> Table for Live<G> {
    fn ply(&self) -> u32 {
        self.play.ply()
    }

    fn entries(&self) -> &[Entry] {
        &self.record().entries
    }

    fn reseeds(&self) -> &[Reseed] {
        &self.record().reseeds
    }

    fn to_act(&self) -> SeatSet {
        G::to_act(self.public())
    }

    fn decision_number(&self, viewer: Viewer) -> u64 {
        match viewer {
            Viewer::Seat(seat) => self.play.decision_number_for(seat),
            Viewer::Spectator => self.play.decision_number(),
        }
    }

    fn outcome(&self) -> Option<pb::Outcome> {
        G::outcome(self.public()).map(outcome_to_pb)
    }

    fn open_information(&self) -> bool {
        let hides = G::hides(&self.record().options);
        debug_assert!(G::INFO.hidden || !hides);
        !hides
    }

    fn options(&self) -> pb::Options {
        G::options_to_pb(&self.record().options)
    }

    fn observation(&self, viewer: Viewer) -> pb::Observation {
        G::observation_to_pb(self.play.state().seen(viewer))
    }

    fn legal_actions(&self, seat: Seat) -> Vec<pb::LegalAction> {
        let seen = self.play.state().seen(Viewer::Seat(seat));
        let shown = |action| {
            let mut label = String::new();
            G::label(seen, action, &mut label);
            pb::LegalAction {
                action_id: Some(G::encode(action).0),
                action: Some(G::action_to_pb(action)),
                label,
            }
        };
        G::legal_actions(seen).into_iter().map(shown).collect()
    }

    fn legal_action_ids(&self, seat: Seat) -> Vec<u32> {
        let mut legal = Vec::with_capacity(usize::try_from(G::INFO.legal_max).unwrap_or(0));
        G::legal_actions_into(self.play.state().seen(Viewer::Seat(seat)), &mut legal);
        legal
            .into_iter()
            .map(|action| G::encode(action).0)
            .collect()
    }

    fn events(&self, viewer: Viewer) -> Vec<pb::Event> {
        let seat = match viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Spectator => None,
        };
        let heard = self
            .told
            .iter()
            .filter(|(audience, _)| audience.includes(seat));
        heard.map(|(_, event)| G::event_to_pb(event)).collect()
    }

    fn state(&self) -> pb::State {
        self.play.state().state_to_pb()
    }

    fn state_hash(&self) -> StateHash {
        self.play.state_hash()
    }

    fn action(&self, id: ActionId) -> Option<pb::Action> {
        G::decode(id).map(G::action_to_pb)
    }

    fn read(&self, answer: &Answer) -> Result<ActionId, Error> {
        match answer {
            Answer::Id(id) if G::decode(ActionId(*id)).is_some() => Ok(ActionId(*id)),
            Answer::Id(_) => {
                let allowed = format!(
                    "is one of the ids in 0..{} that are in use",
                    G::ACTION_SPACE - 1
                );
                Err(Error::Malformed(Violation::new("action_id", allowed)))
            }
            Answer::Action(action) => match G::action_from_pb(action) {
                Ok(action) => Ok(G::encode(action)),
                Err(violation) => Err(Error::Malformed(violation.within("action"))),
            },
        }
    }

    fn submit(&mut self, seat: Seat, action: ActionId) -> Result<(), Error> {
        // What was told before is dropped only when the ply is accepted: until then it is the
        // latest.
        let before = self.told.len();
        let submitted = self.play.submit_id(seat, action, Some(&mut self.told));
        submitted.map_err(|rejected| Error::rejected(rejected, seat))?;
        self.told.drain(..before);
        Ok(())
    }

    fn resign(&mut self, seat: Seat) -> Result<(), Error> {
        let before = self.told.len();
        let resigned = self.play.resign(seat, Some(&mut self.told));
        resigned.map_err(|rejected| Error::rejected(rejected, seat))?;
        self.told.drain(..before);
        Ok(())
    }

    fn earlier(&self, seat: Seat, decision: u64) -> Earlier {
        let play = self.play.clone();
        Box::new(move || {
            let (action, play) = play.answer(seat, decision)?;
            let then: Box<dyn Table> = Box::new(Self::silent(play));
            Some((action, then))
        })
    }

    fn bot_turn(&self, seat: Seat, bot: HouseBot) -> BotTurn {
        let observation = self.play.state().observe(Viewer::Seat(seat));
        Box::new(move || choose(bot, &observation))
    }

    fn fork(&self, ply: u32, seed: Seed) -> Forking {
        let play = self.play.clone();
        Box::new(move || {
            let play = play.fork(ply, seed).map_err(Error::internal)?;
            Ok(Box::new(Self::silent(play)))
        })
    }

    fn imagine(&self, seat: Seat, seed: Seed) -> Forking {
        let observation = self.play.state().observe(Viewer::Seat(seat));
        let Record { options, seats, .. } = self.record();
        let (options, seats) = (options.clone(), *seats);
        Box::new(move || {
            let play = Playthrough::imagined(&observation, options, seats, seed);
            Ok(Box::new(Self::silent(play)))
        })
    }

    fn as_drawn(&self) -> Option<Box<dyn Table>> {
        Some(Box::new(Self::silent(self.play.as_placed()?)))
    }
}

fn outcome_to_pb(outcome: &Outcome) -> pb::Outcome {
    pb::Outcome {
        winners: outcome.winners.iter().map(|seat| seat.0.into()).collect(),
        returns: outcome
            .returns
            .iter()
            .map(|(_, &returns)| returns)
            .collect(),
    }
}
