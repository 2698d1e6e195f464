//! A game in progress with everything needed to play it again: options, seats, seed, and what was
//! done.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::action::ActionId;
use crate::chance::{Chance, Seed};
use crate::cx::{Audience, Cx};
use crate::error::{OptionsError, Rejected, ReplayError};
use crate::game::{Game, Observation, StateHash};
use crate::seat::{Seat, SeatMap, SeatSet};

/// Something that changed a state. Clocks and bots make no entries of their own kind: they act for
/// a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Entry {
    /// The seat played the action.
    Action(Seat, ActionId),
    /// The seat left the game.
    Resign(Seat),
}

/// From here on chance comes from another seed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Reseed {
    /// The last ply that it does not concern.
    pub after_ply: u32,
    /// Where the chance of all later plies came from. A secret while the game goes on.
    pub seed: Seed,
}

/// A playthrough in its replayable form: the file, the bug report and the golden test in one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Record<O> {
    /// The version of the rules it was played under.
    pub rules_version: u32,
    /// What the table was set up with.
    pub options: O,
    /// How many seats it has.
    pub seats: u8,
    /// Where its chance came from. A secret while the game goes on.
    pub seed: Seed,
    /// Where it was forked from another playthrough, in order: chance came from another seed from
    /// there on. Of several for one ply the last counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reseeds: Vec<Reseed>,
    /// What was done, in order. The first entry is ply 1; ply 0 is the set-up.
    pub entries: Vec<Entry>,
}

impl<O> Record<O> {
    /// The chance of one ply.
    fn chance(&self, ply: u32) -> Chance {
        let latest = self
            .reseeds
            .iter()
            .rfind(|reseed| reseed.after_ply < ply)
            .map_or(self.seed, |reseed| reseed.seed);
        Chance::at_ply(latest, ply)
    }
}

/// A game in progress, or finished, and its record.
///
/// Where a method takes a `log`, events are appended to it with their audiences; without one none
/// are built.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Playthrough<G: Game> {
    state: G,
    record: Record<G::Options>,
    /// The state that it began in, if it did not begin with a set-up.
    placed: Option<Arc<G>>,
    /// The ply at which the open decision was opened.
    decision_opened: u32,
    /// The ply of each seat's latest answer to the open decision; 0 if it has given none.
    answered: SeatMap<u32>,
}

impl<G: Game> Playthrough<G> {
    /// Sets up a table.
    ///
    /// # Errors
    ///
    /// [`OptionsError`] if the game forbids the options or the number of seats.
    pub fn start(
        options: G::Options,
        seats: u8,
        seed: Seed,
        log: Option<&mut Vec<(Audience, G::Event)>>,
    ) -> Result<Self, OptionsError> {
        let state = G::new(
            &options,
            seats,
            &mut Cx::new(&mut Chance::at_ply(seed, 0), log),
        )?;
        Ok(Self::begin(state, options, seats, seed))
    }

    /// A playthrough that begins in this state, rather than with a set-up. What its record lists is
    /// played from there on, and can't be replayed without it.
    pub fn placed(state: G, options: G::Options, seats: u8, seed: Seed) -> Self {
        Self {
            placed: Some(Arc::new(state.clone())),
            ..Self::begin(state, options, seats, seed)
        }
    }

    /// A playthrough that begins in a state that the viewer of this observation could be in: see
    /// [`Game::determinize`]. Nothing of it comes from anywhere else, so it can't betray what the
    /// observation doesn't tell.
    ///
    /// The state is drawn with the chance of ply 0, which a set-up reads otherwise.
    pub fn imagined(
        observation: &Observation<G>,
        options: G::Options,
        seats: u8,
        seed: Seed,
    ) -> Self {
        let state = G::determinize(observation.seen(), &mut Chance::at_ply(seed, 0));
        Self::placed(state, options, seats, seed)
    }

    fn begin(state: G, options: G::Options, seats: u8, seed: Seed) -> Self {
        Self {
            state,
            record: Record {
                rules_version: G::INFO.rules_version,
                options,
                seats,
                seed,
                reseeds: Vec::new(),
                entries: Vec::new(),
            },
            placed: None,
            decision_opened: 0,
            answered: SeatMap::from_fn(seats, |_| 0),
        }
    }

    /// The same, with the chance of later plies from these seeds: see [`Record::reseeds`].
    #[must_use]
    pub fn with_reseeds(mut self, reseeds: Vec<Reseed>) -> Self {
        self.record.reseeds = reseeds;
        self
    }

    /// Another playthrough that is the same up to `ply` and has the chance of `seed` after it. What
    /// becomes of one says nothing of what becomes of the other.
    ///
    /// # Errors
    ///
    /// [`ReplayError::NoSuchPly`] if it has not come as far.
    pub fn fork(&self, ply: u32, seed: Seed) -> Result<Self, ReplayError> {
        let mut fork = if ply == self.ply() {
            self.clone()
        } else {
            self.again(first_entries(&self.record, ply)?)?
        };
        let reseeds = &mut fork.record.reseeds;
        reseeds.retain(|reseed| reseed.after_ply < ply);
        reseeds.push(Reseed {
            after_ply: ply,
            seed,
        });
        Ok(fork)
    }

    /// The seat plays an action.
    ///
    /// # Errors
    ///
    /// As [`Game::check`]; nothing has changed then.
    pub fn submit(
        &mut self,
        seat: Seat,
        action: G::Action,
        log: Option<&mut Vec<(Audience, G::Event)>>,
    ) -> Result<(), Rejected> {
        self.state.check(seat, action)?;
        let asked = G::to_act(self.state.public());
        let mut chance = self.next_chance();
        self.state
            .apply_unchecked(seat, action, &mut Cx::new(&mut chance, log));
        self.record
            .entries
            .push(Entry::Action(seat, G::encode(action)));
        if still_open(asked, seat, G::to_act(self.state.public())) {
            let ply = self.ply();
            if let Some(answered) = self.answered.get_mut(seat) {
                *answered = ply;
            }
        } else {
            self.open_decision();
        }
        Ok(())
    }

    /// The seat plays the action of this number.
    ///
    /// # Errors
    ///
    /// [`Rejected::UnknownAction`] if no action has it; else as [`submit`](Self::submit). Nothing
    /// has changed then.
    pub fn submit_id(
        &mut self,
        seat: Seat,
        action: ActionId,
        log: Option<&mut Vec<(Audience, G::Event)>>,
    ) -> Result<(), Rejected> {
        let action = G::decode(action).ok_or(Rejected::UnknownAction { action })?;
        self.submit(seat, action, log)
    }

    /// The seat leaves the game for good, whether it is to act or not.
    ///
    /// # Errors
    ///
    /// [`Rejected::GameOver`]; [`Rejected::NotSeated`] if the table has no such seat or it has
    /// resigned before. Nothing has changed then.
    pub fn resign(
        &mut self,
        seat: Seat,
        log: Option<&mut Vec<(Audience, G::Event)>>,
    ) -> Result<(), Rejected> {
        if G::to_act(self.state.public()).is_empty() {
            return Err(Rejected::GameOver);
        }
        if seat.0 >= self.record.seats || self.record.entries.contains(&Entry::Resign(seat)) {
            return Err(Rejected::NotSeated { seat });
        }
        let mut chance = self.next_chance();
        self.state.resign(seat, &mut Cx::new(&mut chance, log));
        self.record.entries.push(Entry::Resign(seat));
        self.open_decision();
        Ok(())
    }

    /// Plays a whole record again.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] if the record is of another rules version, or not one that this game could
    /// have made.
    pub fn replay(record: &Record<G::Options>) -> Result<Self, ReplayError> {
        Self::replay_entries(record, &record.entries)
    }

    /// Plays a record again up to a ply: the playthrough as it stood then, its record cut there.
    ///
    /// # Errors
    ///
    /// As [`replay`](Self::replay); [`ReplayError::NoSuchPly`] if the record is shorter.
    pub fn replay_to(record: &Record<G::Options>, ply: u32) -> Result<Self, ReplayError> {
        Self::replay_entries(record, first_entries(record, ply)?)
    }

    fn replay_entries(record: &Record<G::Options>, entries: &[Entry]) -> Result<Self, ReplayError> {
        if record.rules_version != G::INFO.rules_version {
            return Err(ReplayError::RulesVersion {
                record: record.rules_version,
                engine: G::INFO.rules_version,
            });
        }
        let begun = Self::start(record.options.clone(), record.seats, record.seed, None)?;
        begun.with_reseeds(record.reseeds.clone()).go_on(entries)
    }

    /// The playthrough without its entries, in the state that it was placed in; `None` if it began
    /// with a set-up.
    pub fn as_placed(&self) -> Option<Self> {
        let placed = self.placed.as_ref()?;
        let Record {
            options,
            seats,
            seed,
            reseeds,
            ..
        } = &self.record;
        let begun = Self {
            placed: Some(Arc::clone(placed)),
            ..Self::begin(G::clone(placed), options.clone(), *seats, *seed)
        };
        Some(begun.with_reseeds(reseeds.clone()))
    }

    /// Plays the first entries of this playthrough again.
    fn again(&self, entries: &[Entry]) -> Result<Self, ReplayError> {
        match self.as_placed() {
            Some(placed) => placed.go_on(entries),
            None => Self::replay_entries(&self.record, entries),
        }
    }

    fn go_on(mut self, entries: &[Entry]) -> Result<Self, ReplayError> {
        self.record.entries.reserve(entries.len());
        for &entry in entries {
            let ply = self.ply() + 1;
            self.enter(entry)
                .map_err(|rejected| ReplayError::Rejected { ply, rejected })?;
        }
        Ok(self)
    }

    fn enter(&mut self, entry: Entry) -> Result<(), Rejected> {
        match entry {
            Entry::Action(seat, action) => self.submit_id(seat, action, None),
            Entry::Resign(seat) => self.resign(seat, None),
        }
    }

    /// The state as it stands.
    #[inline]
    pub const fn state(&self) -> &G {
        &self.state
    }

    /// How many entries have been applied. 0 after the set-up.
    #[inline]
    pub const fn ply(&self) -> u32 {
        ply_of(self.record.entries.as_slice())
    }

    /// What has been done so far.
    #[inline]
    pub const fn record(&self) -> &Record<G::Options> {
        &self.record
    }

    /// The fingerprint of the state as it stands: see [`Game::state_hash`].
    pub fn state_hash(&self) -> StateHash {
        self.state.state_hash()
    }

    /// The number of the open decision: 1 more than the ply at which it was opened.
    ///
    /// While several seats answer the same decision it stays; every other action, and every
    /// resignation, opens a new one. So a number never comes twice, and the record alone tells it.
    /// Once the game is over no decision has the number.
    ///
    /// A seat that answers in several steps while others owe theirs is asked anew, alone: see
    /// [`decision_number_for`](Self::decision_number_for).
    pub const fn decision_number(&self) -> u64 {
        self.decision_opened as u64 + 1
    }

    /// The number under which the seat answers the open decision:
    /// [`decision_number`](Self::decision_number), until it has answered and is still to act while
    /// others are too. From then on 1 more than the ply of its latest answer. What others answer
    /// never changes it.
    ///
    /// For a seat that isn't to act it is that of the decision, however many steps its answer took.
    pub fn decision_number_for(&self, seat: Seat) -> u64 {
        if !G::to_act(self.state.public()).contains(seat) {
            return self.decision_number();
        }
        let answered = self.answered.get(seat).copied().unwrap_or_default();
        u64::from(self.decision_opened.max(answered)) + 1
    }

    fn open_decision(&mut self) {
        self.decision_opened = self.ply();
        self.answered = SeatMap::from_fn(self.record.seats, |_| 0);
    }

    /// The answer that the seat gave to the decision of this number, and the playthrough as it
    /// stood right after that answer.
    ///
    /// Found by replaying the record: for a client that repeats its answer and should get the first
    /// reply again. `None` if there was no such decision or the seat gave it no answer.
    pub fn answer(&self, seat: Seat, decision: u64) -> Option<(ActionId, Self)> {
        let opened = usize::try_from(decision.checked_sub(1)?).ok()?;
        let (before, since) = self.record.entries.split_at_checked(opened)?;
        let mut playthrough = self.again(before).ok()?;
        for &entry in since {
            if playthrough.decision_number_for(seat) != decision {
                return None;
            }
            playthrough.enter(entry).ok()?;
            match entry {
                Entry::Action(answering, action) if answering == seat => {
                    return Some((action, playthrough));
                }
                _ => {}
            }
        }
        None
    }

    fn next_chance(&self) -> Chance {
        self.record.chance(self.ply() + 1)
    }
}

fn first_entries<O>(record: &Record<O>, ply: u32) -> Result<&[Entry], ReplayError> {
    let entries = record.entries.get(..ply as usize);
    entries.ok_or(ReplayError::NoSuchPly {
        last: ply_of(&record.entries),
    })
}

/// The ply that stands after these entries. Games are bounded far below the largest `u32`.
const fn ply_of(entries: &[Entry]) -> u32 {
    entries.len() as u32
}

/// Whether the decision that `asked` owed is still the open one after the seat's answer: whether
/// the others are left to answer, be it that the seat has more to answer itself.
fn still_open(asked: SeatSet, seat: Seat, to_act: SeatSet) -> bool {
    let others = asked.without(seat);
    !others.is_empty() && to_act.without(seat) == others
}
