//! Council of Shadows (Martin Kallenborn and Jochen Scherer, alea / Ravensburger 2022), for 1 to 4
//! players, with its modules and the Automa.
//!
//! Each round the parties buy AI cards and upgrades, all humans lay cards on their action slots at
//! the same time and in secret, everybody consumes, and then one after the other carries out his
//! cards, explores and settles the galaxies, and scores them. Energy that reaches the consumption
//! raises the level; who first reaches level 3 takes the throne, and the game ends with that round.
//!
//! Section numbers (5.1) and rulings (R40) are those of the rules page, `council_of_shadows.md`.
//! Our readings:
//! - 5: a list of one is never asked. In secret planning a player is asked all the same where the
//!   list is that short because of what he has chosen in secret (his hand has run out): the
//!   question left out would tell it. With `open_planning` nothing is left to tell.
//! - 5.2: each choice of planning is final when made, so there is no changing of minds.
//! - 6: the galaxy of `score` is that of its space.
//! - 8: dt1_warp_beacon never lowers a range; the fields of the Engineer and of dt1_extra_field
//!   count with it.
//! - 12: the Automa places no cube on a planet that holds one, and it has no card effects; its Dark
//!   Tech cards are kept to be seen.
//! - 14: a seat that leaves is played on for by somebody else, ranks last and doesn't win; when no
//!   human is left, the game ends at once, without final scoring.
//!
//! Files, in the order in which the rulebook would have them: [`options`], [`components`] (the
//! box), [`board`], [`state`], `setup` (4), `flow` (5), `buying`, `planning`, `consuming`,
//! `acting`, `exploring`, `scoring` (5.1 to 5.6), `levels` (7, 8), `automa` (12), `ending` (9, 14),
//! [`memory`] and `determinize` (13). [`action`] is section 6, [`event`] what is told.

mod acting;
pub mod action;
mod automa;
pub mod board;
mod buying;
mod canonical;
pub mod components;
mod consuming;
mod determinize;
mod ending;
mod evaluate;
pub mod event;
mod exploring;
mod flow;
mod label;
mod legal;
mod levels;
pub mod memory;
pub mod options;
mod planning;
#[cfg(feature = "testing")]
mod rearrange;
mod scoring;
mod setup;
pub mod state;

pub use action::Action;
pub use board::{Board, System};
pub use event::Event;
pub use memory::Memory;
pub use options::{AutomaMode, LeaderMode, Options, ScoringTiming, StartEnergy};
pub use state::{
    CouncilOfShadows, Decision, EndReason, Ending, EventTask, Hidden, LevelUp, Party, PartyBoard,
    Phase, Plan, Private, Public, Setup, Slot, Stage, Standing, StepTask, Work,
};

use crate::action::ActionId;
use crate::chance::Chance;
use crate::cx::Cx;
use crate::error::OptionsError;
use crate::game::{Game, GameInfo, Seen};
use crate::outcome::Outcome;
use crate::seat::{Seat, SeatSet, Viewer};

/// Decisions of a human in a round at most: 3 purchases, 5 slots, 36 steps, 16 of scoring (6).
const DECISIONS_PER_ROUND: u32 = 60;
/// Decisions of a human at most that belong to no round: Dark Tech and what it brings, and a leader
/// (6).
const DECISIONS_BESIDE: u32 = 11;

impl Game for CouncilOfShadows {
    type Options = Options;
    type Public = Public;
    type Private = Private;
    type Decision = Decision;
    type Action = Action;
    type Event = Event;

    const INFO: GameInfo = GameInfo {
        slug: "council_of_shadows",
        title: "Council of Shadows",
        seats_min: 1,
        seats_max: state::HUMANS_MAX,
        rules_version: 1,
        // The longest list is that of purchases: 40 for AI cards, 29 for upgrades, 150 for
        // stations, and the end (6).
        legal_max: 220,
        hidden: true,
    };
    const ACTION_SPACE: u32 = action::ACTION_SPACE;

    /// The bound on rounds, times the bound on decisions in a round; and each seat may leave once.
    fn plies_max(options: &Options, seats: u8) -> u32 {
        let decisions = u32::from(options.max_rounds) * DECISIONS_PER_ROUND + DECISIONS_BESIDE;
        u32::from(seats) * (decisions + 1)
    }

    fn new(options: &Options, seats: u8, cx: &mut Cx<'_, Event>) -> Result<Self, OptionsError> {
        Self::INFO.check_seats(seats)?;
        let setup = options.check(seats)?;
        Ok(Self::set_up(setup, cx))
    }

    #[inline]
    fn public(&self) -> &Public {
        &self.public
    }

    #[inline]
    fn private(&self, seat: Seat) -> Option<&Private> {
        self.private.get(seat)
    }

    fn to_act(public: &Public) -> SeatSet {
        match &public.stage {
            Stage::Planning { done } => public
                .seats()
                .iter()
                .filter(|&seat| !done.contains(seat))
                .collect(),
            Stage::Drafting { .. }
            | Stage::Buying { .. }
            | Stage::Acting { .. }
            | Stage::Scoring { .. }
            | Stage::Events { .. } => public
                .acting_party()
                .and_then(|party| public.seat_of(party))
                .map_or(SeatSet::EMPTY, SeatSet::only),
            Stage::Over(_) => SeatSet::EMPTY,
        }
    }

    fn outcome(public: &Public) -> Option<&Outcome> {
        match &public.stage {
            Stage::Over(ending) => Some(&ending.outcome),
            _ => None,
        }
    }

    fn decision(seen: Seen<'_, Self>) -> Option<Decision> {
        legal::decision(seen)
    }

    fn legal_actions_into(seen: Seen<'_, Self>, out: &mut Vec<Action>) {
        legal::list(seen, out);
    }

    fn why_not(seen: Seen<'_, Self>, action: Action) -> &'static str {
        legal::why_not(seen, action)
    }

    fn label(seen: Seen<'_, Self>, action: Action, out: &mut String) {
        label::write_label(seen, action, out);
    }

    fn apply_unchecked(&mut self, seat: Seat, action: Action, cx: &mut Cx<'_, Event>) {
        debug_assert!(Self::is_legal(self.seen(Viewer::Seat(seat)), action));
        self.play(seat, action, cx);
        self.run(cx);
    }

    fn resign(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        self.leave(seat, cx);
    }

    fn determinize(seen: Seen<'_, Self>, chance: &mut Chance) -> Self {
        determinize::determinize(seen, chance)
    }

    fn encode(action: Action) -> ActionId {
        action::encode(action)
    }

    fn decode(id: ActionId) -> Option<Action> {
        action::decode(id)
    }

    fn write_canonical(&self, out: &mut Vec<u8>) {
        canonical::write(self, out);
    }
}
