//! The turn (section 5), in the order of its steps: START, PRE, MOVE, BUILD, END and AFTER; and the
//! additional turns (8.1).

use super::components::{Piece, Space, Worker};
use super::event::{DrawReason, Elimination, Event, Removal, WinReason};
use super::gods::Hook;
use super::moving::Moved;
use super::state::{Build, EndReason, Ending, Santorini, Stage, Turn};
use crate::cx::{Audience, Cx};
use crate::outcome::Outcome;
use crate::seat::{Seat, SeatSet};

impl Santorini {
    /// The player's normal turn begins, unless it would be one too many.
    pub(super) fn start_turn(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        let public = &mut self.public;
        if public.turns >= public.max_turns {
            // R45, R66.
            return self.draw(DrawReason::MaxTurns, cx);
        }
        public.on_turn = seat;
        public.turns += 1;
        public.additional_turns_owed = 0;
        let number = public.turns;
        public.turn = Turn::default();
        public.stage = Stage::Moving;
        cx.tell(Audience::All, || Event::TurnStarted {
            seat,
            number,
            additional: false,
        });
        self.start_effects(cx);
        // START 4.
        if self.check_state_win(cx) {
            return;
        }
        self.demand_climb(cx);
        let public = &self.public;
        if public.has_move() || public.has_pre_move() {
            return;
        }
        // START 6, section 11: who can't complete a turn loses.
        if public.can_end_moves() {
            self.end_moves(cx);
        } else {
            self.lose(seat, Elimination::NoLegalTurn, cx);
        }
    }

    /// START 1 to 3: what the gods do at the start of the turn. Circe comes first, so that a power
    /// she takes doesn't work against her.
    fn start_effects(&mut self, cx: &mut Cx<'_, Event>) {
        let (seat, asked) = (self.public.on_turn, Hook::OwnTurnStart.gods());
        for god in self.public.powers_of(seat).and(asked).iter() {
            god.power().claim(self, cx);
        }
        if !self.public.turn.additional {
            for god in self.public.powers_of(seat).and(asked).iter() {
                god.power().own_turn_start(self, cx);
            }
        }
        let public = &mut self.public;
        for (side, god) in public.opponents_gods(Hook::OppTurnStart) {
            god.power().opponent_turn_start(public, side);
        }
        let (asleep, bound) = (public.turn.asleep, public.turn.bound);
        if !asleep.is_empty() {
            cx.tell(Audience::All, || Event::WorkersAsleep { workers: asleep });
        }
        if !bound.is_empty() {
            cx.tell(Audience::All, || Event::WorkersBound { workers: bound });
        }
    }

    /// START 5: Persephone demands a climb if one is possible.
    fn demand_climb(&mut self, cx: &mut Cx<'_, Event>) {
        let public = &mut self.public;
        public.turn.must_climb = public
            .opponents_gods(Hook::OppTurnFilter)
            .any(|(_, god)| god.power().demands_climb())
            && {
                public.turn.must_climb = true;
                public.has_complete_turn()
            };
        if public.turn.must_climb {
            let seat = public.on_turn;
            cx.tell(Audience::All, || Event::ClimbDemanded { seat });
        }
    }

    /// PRE: the worker carries its neighbor to its other side.
    pub(super) fn ferry(&mut self, worker: Worker, target: Worker, cx: &mut Cx<'_, Event>) {
        let by = self
            .public
            .powers(Hook::PreMove)
            .iter()
            .find(|god| !god.power().ferries(&self.public, worker).is_empty());
        let Some(((from, to), by)) = self.public.apply_ferry(worker, target).zip(by) else {
            return;
        };
        cx.tell(Audience::All, || Event::WorkerForced {
            worker: target,
            from,
            to,
            by,
        });
    }

    /// PRE: the worker builds before it moves.
    pub(super) fn pre_build(&mut self, build: Build, cx: &mut Cx<'_, Event>) {
        self.public.apply_pre_build(build);
        if !self.place_piece(build, cx) {
            self.go_on_moving(cx);
        }
    }

    /// MOVE: the worker moves, and wins, moves on or builds next.
    pub(super) fn move_worker(&mut self, worker: Worker, to: Space, cx: &mut Cx<'_, Event>) {
        let public = &mut self.public;
        if matches!(public.stage, Stage::Borrowing) {
            // 8.1: the additional turn is taken.
            public.additional_turns_owed = public.additional_turns_owed.saturating_sub(1);
            public.stage = Stage::Moving;
        }
        let Some(moved) = public.apply_move(worker, to) else {
            return;
        };
        self.tell_move(worker, to, moved, cx);
        if let Some(reason) = moved.win {
            // R4: at once, no build follows.
            let winners = self.public.seats_of(self.public.acting_side());
            return self.win(winners, reason, cx);
        }
        self.go_on_moving(cx);
    }

    fn tell_move(&self, worker: Worker, to: Space, moved: Moved, cx: &mut Cx<'_, Event>) {
        let seat = self.public.on_turn;
        let Moved { from, .. } = moved;
        cx.tell(Audience::All, || Event::WorkerMoved { worker, from, to });
        if let Some((victim, from, to, by)) = moved.forced {
            cx.tell(Audience::All, || Event::WorkerForced {
                worker: victim,
                from,
                to,
                by,
            });
        }
        if moved.locked {
            cx.tell(Audience::All, || Event::AthenaLock { seat, on: true });
        }
        if let Some(by) = moved.stopped {
            cx.tell(Audience::All, || Event::WinStopped { seat, by });
        }
        if let Some((victim, space, by)) = moved.removed {
            cx.tell(Audience::All, || Event::WorkerRemoved {
                worker: victim,
                space,
                by: Removal::God(by),
            });
        }
    }

    /// Before and after each move: the moves go on, unless all that is left is to end them.
    pub(super) fn go_on_moving(&mut self, cx: &mut Cx<'_, Event>) {
        if !self.public.has_move() {
            self.end_moves(cx);
        }
    }

    /// MOVE is over: BUILD begins, unless there is nothing to build.
    pub(super) fn end_moves(&mut self, cx: &mut Cx<'_, Event>) {
        self.public.stage = Stage::Building;
        if !self.public.has_build() {
            self.end_builds(cx);
        }
    }

    /// BUILD: the worker builds. A second build follows if a god allows one.
    pub(super) fn build(&mut self, build: Build, cx: &mut Cx<'_, Event>) {
        let turn = &mut self.public.turn;
        turn.builds += 1;
        turn.first_build.get_or_insert(build);
        if self.place_piece(build, cx) {
            return;
        }
        if !self.public.has_build() {
            self.end_builds(cx);
        }
    }

    /// A worker builds, with all that a build does at once: tower, dome, Chronus. Tells whether the
    /// game is over.
    pub(super) fn place_piece(&mut self, build: Build, cx: &mut Cx<'_, Event>) -> bool {
        let public = &mut self.public;
        let Build {
            worker,
            space,
            piece,
        } = build;
        let completed_tower = public.apply_build(space, piece);
        let level = public.board.level(space);
        cx.tell(Audience::All, || Event::Built {
            worker,
            space,
            piece,
            level,
        });
        let owed_before = public.additional_turns_owed;
        for god in public.powers(Hook::AfterBuild).iter() {
            god.power().after_build(public, completed_tower);
        }
        let (seat, owed) = (public.on_turn, public.additional_turns_owed);
        if owed > owed_before {
            cx.tell(Audience::All, || Event::AdditionalTurnEarned { seat, owed });
        }
        if piece == Piece::Dome {
            for (holder, god) in self.public.everybodys_gods(Hook::AfterDome.gods()) {
                god.power().after_dome(self, holder, cx);
            }
        }
        self.check_state_win(cx)
    }

    /// BUILD is over: END begins, unless there is nothing to do.
    pub(super) fn end_builds(&mut self, cx: &mut Cx<'_, Event>) {
        self.public.stage = Stage::Ending;
        self.go_on_ending(cx);
    }

    /// END: the turn goes on as long as the player has something to decide.
    fn go_on_ending(&mut self, cx: &mut Cx<'_, Event>) {
        let public = &self.public;
        let builds = public
            .builders()
            .any(|worker| !public.end_builds(worker).is_empty());
        if !builds && public.removals().is_empty() {
            self.end_turn(cx);
        }
    }

    /// END: one more piece.
    pub(super) fn build_at_end(&mut self, build: Build, cx: &mut Cx<'_, Event>) {
        self.public.turn.end_builds += 1;
        if !self.place_piece(build, cx) {
            self.go_on_ending(cx);
        }
    }

    /// END: the top block of the space goes back to the supply.
    pub(super) fn remove_block(&mut self, space: Space, cx: &mut Cx<'_, Event>) {
        let public = &mut self.public;
        if let Some(level) = public.board.remove_block(space) {
            public.supply.give_back(level);
            cx.tell(Audience::All, || Event::BlockRemoved { space, level });
        }
        if !self.check_state_win(cx) {
            self.end_turn(cx);
        }
    }

    /// END, what happens by itself, and AFTER.
    pub(super) fn end_turn(&mut self, cx: &mut Cx<'_, Event>) {
        for god in self.public.powers(Hook::TurnEnd).iter() {
            god.power().turn_end(self, cx);
            if self.is_over() {
                return;
            }
        }
        self.after_turn(cx);
    }

    /// AFTER: the turn is over; an additional turn or the next player's begins.
    pub(super) fn after_turn(&mut self, cx: &mut Cx<'_, Event>) {
        for (holder, god) in self.public.everybodys_gods(Hook::AfterDome.gods()) {
            god.power().after_turn(self, holder, cx);
        }
        let seat = self.public.on_turn;
        cx.tell(Audience::All, || Event::TurnEnded { seat });
        if std::mem::take(&mut self.public.turn.additional) && self.check_state_win(cx) {
            // R32: the moment an additional turn has ended.
            return;
        }
        self.next_turn(cx);
    }

    /// An additional turn that is owed, else the next living player's turn.
    pub(super) fn next_turn(&mut self, cx: &mut Cx<'_, Event>) {
        while self.public.additional_turns_owed > 0 {
            if self.start_additional_turn(cx) {
                return;
            }
            self.drop_additional_turn(cx, |seat, owed| Event::AdditionalTurnSkipped { seat, owed });
        }
        self.start_turn(self.public.seat_after(self.public.on_turn), cx);
    }

    /// 8.1: START of an additional turn. Tells whether it can be taken.
    fn start_additional_turn(&mut self, cx: &mut Cx<'_, Event>) -> bool {
        let public = &mut self.public;
        public.turn = Turn {
            additional: true,
            ..Turn::default()
        };
        public.stage = Stage::Borrowing;
        let (seat, number) = (public.on_turn, public.turns);
        cx.tell(Audience::All, || Event::TurnStarted {
            seat,
            number,
            additional: true,
        });
        self.start_effects(cx);
        self.demand_climb(cx);
        self.public.has_complete_turn()
    }

    /// D11: the player does without.
    pub(super) fn decline_additional_turn(&mut self, cx: &mut Cx<'_, Event>) {
        self.drop_additional_turn(cx, |seat, owed| Event::AdditionalTurnDeclined {
            seat,
            owed,
        });
        self.next_turn(cx);
    }

    /// One additional turn less is owed.
    pub(super) fn drop_additional_turn(
        &mut self,
        cx: &mut Cx<'_, Event>,
        event: impl FnOnce(Seat, u8) -> Event,
    ) {
        let public = &mut self.public;
        public.additional_turns_owed = public.additional_turns_owed.saturating_sub(1);
        let (seat, owed) = (public.on_turn, public.additional_turns_owed);
        cx.tell(Audience::All, || event(seat, owed));
    }

    /// 5.2: whether somebody wins as the table stands; not in an additional turn.
    fn check_state_win(&mut self, cx: &mut Cx<'_, Event>) -> bool {
        let public = &self.public;
        if public.turn.additional {
            return false;
        }
        let won = public
            .everybodys_gods(Hook::WinCheckState.gods())
            .find_map(|(seat, god)| Some((seat, god.power().wins_by_state(public)?)));
        let Some((seat, reason)) = won else {
            return false;
        };
        self.win(public.seats_of(public.side_of(seat)), reason, cx);
        true
    }

    /// Whether the game is over.
    pub(super) const fn is_over(&self) -> bool {
        matches!(self.public.stage, Stage::Over(_))
    }

    /// The game is over, and these seats have won.
    pub(super) fn win(&mut self, winners: SeatSet, reason: WinReason, cx: &mut Cx<'_, Event>) {
        let outcome = Outcome::won_by(winners, self.public.seats);
        self.public.stage = Stage::Over(Ending {
            outcome,
            reason: EndReason::Won(reason),
        });
        cx.tell(Audience::All, || Event::GameWon { winners, reason });
    }

    fn draw(&mut self, reason: DrawReason, cx: &mut Cx<'_, Event>) {
        self.public.stage = Stage::Over(Ending {
            outcome: Outcome::draw(self.public.seats),
            reason: EndReason::Drawn(reason),
        });
        cx.tell(Audience::All, || Event::GameDrawn { reason });
    }
}
