//! Santorini (Gordon Hamilton, Roxley 2016): the base game without gods for two players.
//!
//! Each side has a female and a male worker on a board of 5 x 5 spaces. On its turn a side moves
//! one worker, and that worker builds one block or dome. A worker that moves up to level 3 wins; a
//! side that can't complete a turn loses.
//!
//! Section numbers (5.1) and rulings (R40) are those of the rules page, `santorini.md`. Our
//! readings:
//! - R8: no step is offered that can't be continued to a complete turn, so nobody walks into a dead
//!   end.
//! - R40: a piece that is used up can't be built. The box limits can be switched off.
//! - R45, R66: when a turn more than `max_turns` would begin, the game is a draw.
//! - A turn that is cut off by the end of the game is not told to have ended: the end of the game
//!   is the last event.
//!
//! Files, in the order in which the rulebook would have them: [`options`], [`components`] (board,
//! pieces, workers), [`state`], `placing` (4.3), `flow` (the turn, section 5), `moving` and
//! `building` (5.1 and 5.2). [`action`] and [`event`] are sections 7 and 10.1.

pub mod action;
mod building;
pub mod components;
mod evaluate;
pub mod event;
mod flow;
mod label;
mod moving;
pub mod options;
mod placing;
pub mod position;
pub mod state;

pub use action::Action;
pub use components::{
    Board, Figure, Level, Piece, Pieces, Side, Space, Spaces, Supply, Worker, Workers,
};
pub use event::{DrawReason, Event, WinReason};
pub use options::{GodMode, Options, PieceSupply, StartPlayer};
pub use position::{Position, PositionError};
pub use state::{Decision, EndReason, Ending, Public, Santorini, Stage};

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
        seats_max: 2,
        rules_version: 1,
        // The first worker may go anywhere.
        legal_max: Space::COUNT as u32,
        hidden: false,
    };
    const ACTION_SPACE: u32 = action::ACTION_SPACE;

    /// Four workers are placed, and a turn has a move and a build.
    fn plies_max(options: &Options, _seats: u8) -> u32 {
        4 + 2 * u32::from(options.max_turns)
    }

    /// The only chance is the Start Player's seat, unless the options name it.
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
        SeatSet::first(state::SEATS).contains(seat).then_some(&())
    }

    #[inline]
    fn to_act(public: &Public) -> SeatSet {
        match public.stage {
            Stage::Over(_) => SeatSet::EMPTY,
            Stage::Placing { .. } | Stage::Moving | Stage::Building { .. } => {
                SeatSet::only(public.on_turn)
            }
        }
    }

    fn outcome(public: &Public) -> Option<&Outcome> {
        match &public.stage {
            Stage::Over(ending) => Some(&ending.outcome),
            Stage::Placing { .. } | Stage::Moving | Stage::Building { .. } => None,
        }
    }

    fn decision(seen: Seen<'_, Self>) -> Option<Decision> {
        if !acts(seen) {
            return None;
        }
        match seen.public.stage {
            Stage::Placing { worker } => Some(Decision::PlaceWorker { worker }),
            Stage::Moving => Some(Decision::Move),
            Stage::Building { worker } => Some(Decision::Build { worker }),
            Stage::Over(_) => None,
        }
    }

    fn legal_actions_into(seen: Seen<'_, Self>, out: &mut Vec<Action>) {
        out.clear();
        if !acts(seen) {
            return;
        }
        let public = seen.public;
        match public.stage {
            Stage::Placing { worker } => {
                out.extend(
                    public
                        .placing_spaces()
                        .iter()
                        .map(|space| Action::PlaceWorker { worker, space }),
                );
            }
            Stage::Moving => {
                for worker in public.acting_side().workers() {
                    out.extend(
                        public
                            .move_targets(worker)
                            .iter()
                            .map(|to| Action::Move { worker, to }),
                    );
                }
            }
            Stage::Building { worker } => {
                out.extend(
                    public
                        .build_targets(worker)
                        .iter()
                        .map(|space| Action::Build {
                            worker,
                            space,
                            piece: public.piece_for(space),
                        }),
                );
            }
            Stage::Over(_) => {}
        }
    }

    fn is_legal(seen: Seen<'_, Self>, action: Action) -> bool {
        let public = seen.public;
        acts(seen)
            && match (action, &public.stage) {
                (Action::PlaceWorker { worker, space }, Stage::Placing { worker: due }) => {
                    worker == *due && public.placing_spaces().contains(space)
                }
                (Action::Move { worker, to }, Stage::Moving) => {
                    worker.side() == public.acting_side()
                        && public.move_targets(worker).contains(to)
                }
                (
                    Action::Build {
                        worker,
                        space,
                        piece,
                    },
                    Stage::Building { worker: builder },
                ) => {
                    worker == *builder
                        && public.build_targets(worker).contains(space)
                        && piece == public.piece_for(space)
                }
                _ => false,
            }
    }

    fn why_not(seen: Seen<'_, Self>, action: Action) -> &'static str {
        let public = seen.public;
        match (action, &public.stage) {
            (_, Stage::Over(_)) => "the game is over (11)",
            _ if !acts(seen) => "only the player on turn acts (5)",
            (Action::PlaceWorker { worker, space }, Stage::Placing { worker: due }) => {
                public.why_not_place(worker, space, *due)
            }
            (Action::Move { worker, to }, Stage::Moving) => public.why_not_move(worker, to),
            (
                Action::Build {
                    worker,
                    space,
                    piece,
                },
                Stage::Building { worker: builder },
            ) => public.why_not_build(worker, space, piece, *builder),
            (_, Stage::Placing { .. }) => "all workers are placed before the first turn (4.3)",
            (_, Stage::Moving) => "a turn begins with a move (5)",
            (_, Stage::Building { .. }) => "after the move the worker builds (5)",
        }
    }

    fn label(seen: Seen<'_, Self>, action: Action, out: &mut String) {
        label::write_label(seen.public, action, out);
    }

    fn apply_unchecked(&mut self, seat: Seat, action: Action, cx: &mut Cx<'_, Event>) {
        debug_assert!(Self::is_legal(self.seen(Viewer::Seat(seat)), action));
        match action {
            Action::PlaceWorker { worker, space } => self.place_worker(worker, space, cx),
            Action::Move { worker, to } => self.move_worker(worker, to, cx),
            Action::Build {
                worker,
                space,
                piece,
            } => self.build(worker, space, piece, cx),
        }
    }

    /// Section 11: the other side wins.
    fn resign(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        self.lose(seat, WinReason::Resigned, cx);
    }

    /// Nothing is hidden, so there is only one such state.
    fn determinize(seen: Seen<'_, Self>, _chance: &mut Chance) -> Self {
        Self {
            public: seen.public.clone(),
        }
    }

    fn encode(action: Action) -> ActionId {
        action::encode(action)
    }

    fn decode(id: ActionId) -> Option<Action> {
        action::decode(id)
    }

    fn write_canonical(&self, out: &mut Vec<u8>) {
        self.public.write_canonical(out);
    }
}

/// Whether the viewer is the seat that owes the open decision.
#[inline]
fn acts(seen: Seen<'_, Santorini>) -> bool {
    seen.seat == Some(seen.public.on_turn)
}
