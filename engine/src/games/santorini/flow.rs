//! The turn (section 5), in the order of its steps: START, MOVE, BUILD, END and AFTER. PRE is for
//! gods alone.

use super::components::{Piece, Side, Space, Worker};
use super::event::{DrawReason, Event, WinReason};
use super::state::{EndReason, Ending, SEATS, Santorini, Stage};
use crate::cx::{Audience, Cx};
use crate::outcome::Outcome;
use crate::seat::{Seat, SeatSet};

/// The seat to the left of this one.
#[inline]
pub(super) const fn seat_after(seat: Seat) -> Seat {
    Seat((seat.0 + 1) % SEATS)
}

impl Santorini {
    /// START: the player's turn begins, unless it would be one too many.
    pub(super) fn start_turn(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        if self.public.turns >= self.public.max_turns {
            // R45, R66.
            return self.draw(DrawReason::MaxTurns, cx);
        }
        self.public.on_turn = seat;
        self.public.turns += 1;
        let number = self.public.turns;
        cx.tell(Audience::All, || Event::TurnStarted { seat, number });
        // START 6, section 11: who can't complete a turn loses.
        if self.public.has_complete_turn(Side::of(seat)) {
            self.public.stage = Stage::Moving;
        } else {
            self.lose(seat, WinReason::NoLegalTurn, cx);
        }
    }

    /// MOVE: the worker moves, and wins or builds next.
    pub(super) fn move_worker(&mut self, worker: Worker, to: Space, cx: &mut Cx<'_, Event>) {
        let public = &mut self.public;
        let Some(from) = public.workers.space_of(worker) else {
            return;
        };
        public.workers.put(worker, to);
        cx.tell(Audience::All, || Event::WorkerMoved { worker, from, to });
        if public.wins(from, to) {
            // R4: at once, no build follows.
            let winner = SeatSet::only(public.on_turn);
            self.win(winner, WinReason::Level3, cx);
        } else {
            public.stage = Stage::Building { worker };
        }
    }

    /// BUILD: the worker that has moved builds.
    pub(super) fn build(
        &mut self,
        worker: Worker,
        space: Space,
        piece: Piece,
        cx: &mut Cx<'_, Event>,
    ) {
        let public = &mut self.public;
        public.supply.take(piece, public.board.level(space));
        public.board.place(space, piece);
        cx.tell(Audience::All, || Event::Built {
            worker,
            space,
            piece,
            level: public.board.level(space),
        });
        self.end_turn(cx);
    }

    /// END and AFTER: the turn is over, the next player's begins.
    fn end_turn(&mut self, cx: &mut Cx<'_, Event>) {
        let seat = self.public.on_turn;
        cx.tell(Audience::All, || Event::TurnEnded { seat });
        self.start_turn(seat_after(seat), cx);
    }

    /// Section 11, with two sides: the other one wins.
    pub(super) fn lose(&mut self, seat: Seat, reason: WinReason, cx: &mut Cx<'_, Event>) {
        self.win(SeatSet::first(SEATS).without(seat), reason, cx);
    }

    fn win(&mut self, winners: SeatSet, reason: WinReason, cx: &mut Cx<'_, Event>) {
        let outcome = Outcome::won_by(winners, SEATS);
        self.public.stage = Stage::Over(Ending {
            outcome,
            reason: EndReason::Won(reason),
        });
        cx.tell(Audience::All, || Event::GameWon { winners, reason });
    }

    fn draw(&mut self, reason: DrawReason, cx: &mut Cx<'_, Event>) {
        self.public.stage = Stage::Over(Ending {
            outcome: Outcome::draw(SEATS),
            reason: EndReason::Drawn(reason),
        });
        cx.tell(Audience::All, || Event::GameDrawn { reason });
    }
}
