//! Santorini (Gordon Hamilton, Roxley 2016): the base box with its thirty gods, for two, three and
//! four players.
//!
//! Each side has a female and a male worker on a board of 5 x 5 spaces. On its turn a side moves
//! one worker, and that worker builds one block or dome. A worker that moves up to level 3 wins; a
//! side that can't complete a turn loses. Each player may have a god, whose power breaks one of
//! these rules.
//!
//! Section numbers (5.1), scenarios (G78) and rulings (R40) are those of the rules page,
//! `santorini.md`. Our readings:
//! - R8: no step is offered that can't be continued to a complete turn, so nobody walks into a dead
//!   end.
//! - R40: a piece that is used up can't be built. The box limits can be switched off.
//! - R45, R66: when a normal turn more than `max_turns` would begin, the game is a draw.
//! - A turn that is cut off by the end of the game is not told to have ended: the end of the game
//!   is the last event.
//! - In a game of three a player who leaves during the set-up is out when the first turn would
//!   begin; if that leaves one player, at once.
//! - D11: when a player leaves, whether Persephone's climb is possible is asked anew.
//!
//! Files, in the order in which the rulebook would have them: [`options`], [`components`] (board,
//! pieces, workers), [`god`] (the cards), [`state`], `setup` and `placing` (4), `flow` (the turn,
//! section 5), `moving` and `building` (5.1 and 5.2), `ahead` (the prefix rule), `powers` and
//! `gods/` (6 and 8), `leaving` (11). [`action`], `legal` and [`event`] are sections 7 and 10.1.

pub mod action;
mod ahead;
mod building;
mod canonical;
pub mod components;
mod evaluate;
pub mod event;
mod flow;
pub mod god;
mod gods;
mod label;
mod leaving;
mod legal;
mod moving;
pub mod options;
mod placing;
pub mod position;
mod powers;
mod refusal;
mod setup;
pub mod state;

pub use action::Action;
pub use components::{
    Board, Figure, Level, Piece, Pieces, Side, Space, Spaces, Supply, Worker, WorkerSet, Workers,
};
pub use event::{DrawReason, Elimination, Event, Removal, WinReason};
pub use god::{God, Gods};
pub use options::{
    BannedPairs, BiaPlacement, BiaStart, Challenger, ChaosSwap, GodMode, GodPool, LimusText,
    Options, PieceSupply, StartPlayer,
};
pub use position::{Position, PositionError};
pub use state::{Build, Chaos, Decision, EndReason, Ending, Public, Rules, Santorini, Stage, Turn};

use crate::action::ActionId;
use crate::chance::Chance;
use crate::cx::Cx;
use crate::error::OptionsError;
use crate::game::{Game, GameInfo, Seen};
use crate::outcome::Outcome;
use crate::seat::{Seat, SeatSet, Viewer};

impl Game for Santorini {
    type Options = Options;
    type Public = Public;
    type Private = ();
    type Decision = Decision;
    type Action = Action;
    type Event = Event;

    const INFO: GameInfo = GameInfo {
        slug: "santorini",
        title: "Santorini",
        seats_min: 2,
        seats_max: action::SEATS_MAX,
        rules_version: 2,
        // D11 with three players: four workers with eight spaces each, and to decline.
        legal_max: 33,
        // The order of Chaos' deck.
        hidden: true,
    };
    const ACTION_SPACE: u32 = action::ACTION_SPACE;

    /// Section 7. Without gods four workers are placed, and a turn has a move and a build. With
    /// them the set-up has 12 plies at most, 25 additional turns have two each, and a turn has its
    /// moves and three more; what Morpheus builds more in one turn he has saved in others.
    fn plies_max(options: &Options, _seats: u8) -> u32 {
        let turns = u32::from(options.max_turns);
        match options.god_mode {
            GodMode::None => 4 + 2 * turns,
            GodMode::Draft | GodMode::Random | GodMode::Fixed => {
                62 + turns * (u32::from(options.max_moves_per_turn) + 3)
            }
        }
    }

    /// Only the order of Chaos' deck is hidden.
    fn hides(options: &Options) -> bool {
        match options.god_mode {
            GodMode::None => false,
            // She has the icon of every number of players.
            GodMode::Draft | GodMode::Random => options.pool(2).contains(God::Chaos),
            GodMode::Fixed => options.fixed_gods.contains(&Some(God::Chaos)),
        }
    }

    fn new(options: &Options, seats: u8, cx: &mut Cx<'_, Event>) -> Result<Self, OptionsError> {
        Self::INFO.check_seats(seats)?;
        options.check(seats)?;
        Ok(Self::set_up(options, seats, cx))
    }

    #[inline]
    fn public(&self) -> &Public {
        &self.public
    }

    #[inline]
    fn private(&self, seat: Seat) -> Option<&()> {
        (seat.0 < self.public.seats).then_some(&())
    }

    #[inline]
    fn to_act(public: &Public) -> SeatSet {
        match public.stage {
            Stage::Over(_) => SeatSet::EMPTY,
            _ => SeatSet::only(public.on_turn),
        }
    }

    fn outcome(public: &Public) -> Option<&Outcome> {
        match &public.stage {
            Stage::Over(ending) => Some(&ending.outcome),
            _ => None,
        }
    }

    fn decision(seen: Seen<'_, Self>) -> Option<Decision> {
        if acts(seen) {
            seen.public.open_decision()
        } else {
            None
        }
    }

    fn legal_actions_into(seen: Seen<'_, Self>, out: &mut Vec<Action>) {
        out.clear();
        if acts(seen) {
            seen.public.legal_actions_into(out);
        }
    }

    fn is_legal(seen: Seen<'_, Self>, action: Action) -> bool {
        acts(seen) && seen.public.allows(action)
    }

    fn why_not(seen: Seen<'_, Self>, action: Action) -> &'static str {
        if acts(seen) || matches!(seen.public.stage, Stage::Over(_)) {
            seen.public.why_not(action)
        } else {
            "only the player on turn acts (5)"
        }
    }

    fn label(seen: Seen<'_, Self>, action: Action, out: &mut String) {
        label::write_label(seen.public, action, out);
    }

    fn apply_unchecked(&mut self, seat: Seat, action: Action, cx: &mut Cx<'_, Event>) {
        debug_assert!(Self::is_legal(self.seen(Viewer::Seat(seat)), action));
        self.play(action, cx);
    }

    /// Section 11: with two sides the other one wins; of three players this one is out.
    fn resign(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        self.leave(seat, cx);
    }

    /// Every order of Chaos' deck is equally likely.
    fn determinize(seen: Seen<'_, Self>, chance: &mut Chance) -> Self {
        let public = seen.public.clone();
        let mut deck: arrayvec::ArrayVec<_, { state::CHAOS_CARDS }> =
            public.chaos.deck.iter().collect();
        chance.shuffle(&mut deck);
        Self { public, deck }
    }

    fn encode(action: Action) -> ActionId {
        action::encode(action)
    }

    fn decode(id: ActionId) -> Option<Action> {
        action::decode(id)
    }

    fn write_canonical(&self, out: &mut Vec<u8>) {
        Self::write_canonical(self, out);
    }
}

/// Whether the viewer is the seat that owes the open decision.
#[inline]
fn acts(seen: Seen<'_, Santorini>) -> bool {
    seen.seat == Some(seen.public.on_turn)
}
