//! Who loses, who resigns, and what becomes of the others (section 11).

use super::event::{Elimination, Event, Removal, WinReason};
use super::god::Gods;
use super::gods::Hook;
use super::state::{Public, Santorini, Stage};
use crate::cx::{Audience, Cx};
use crate::seat::{Seat, SeatSet};

impl Public {
    /// The next living player to the left.
    pub(super) fn seat_after(&self, seat: Seat) -> Seat {
        (1..=self.seats)
            .map(|left| Seat((seat.0 + left) % self.seats))
            .find(|&next| self.playing.contains(next))
            .unwrap_or(seat)
    }
}

impl Santorini {
    /// The player can't complete his turn. With two sides the other one wins; of three players he
    /// is out.
    pub(super) fn lose(&mut self, seat: Seat, reason: Elimination, cx: &mut Cx<'_, Event>) {
        if self.public.seats != 3 {
            return self.other_side_wins(seat, reason, cx);
        }
        self.eliminate(seat, reason, cx);
        if !self.last_side_wins(cx) {
            self.start_turn(self.public.seat_after(seat), cx);
        }
    }

    /// A player leaves, whoever is on turn.
    pub(super) fn leave(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        if self.public.seats != 3 {
            return self.other_side_wins(seat, Elimination::Resigned, cx);
        }
        if self.public.stage.is_set_up() {
            return self.leave_set_up(seat, cx);
        }
        let own_turn = seat == self.public.on_turn;
        self.eliminate(seat, Elimination::Resigned, cx);
        if self.last_side_wins(cx) {
            return;
        }
        if own_turn {
            // The turn stops there: no END, no AFTER.
            return self.start_turn(self.public.seat_after(seat), cx);
        }
        let public = &mut self.public;
        // What his god demanded is gone.
        public.turn.must_climb &= public
            .opponents_gods(Hook::OppTurnFilter)
            .any(|(_, god)| god.power().demands_climb());
        let borrowed = public.turn.last_mover.map(|worker| worker.side());
        if matches!(public.stage, Stage::Borrowing) {
            self.go_on_borrowing(cx);
        } else if public.turn.additional && borrowed == Some(public.side_of(seat)) {
            self.after_turn(cx);
        }
    }

    /// D11, after a player has left: his workers are off the list. Whether a climb is possible is
    /// asked anew.
    fn go_on_borrowing(&mut self, cx: &mut Cx<'_, Event>) {
        let public = &mut self.public;
        if !public.has_complete_turn() {
            public.turn.must_climb = false;
        }
        if !public.has_complete_turn() {
            self.drop_additional_turn(cx, |seat, owed| Event::AdditionalTurnSkipped { seat, owed });
            self.next_turn(cx);
        }
    }

    /// In the set-up chance decides for who has left, and he is out when the first turn would begin;
    /// unless only one player stays.
    fn leave_set_up(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        let public = &mut self.public;
        public.leaving = public.leaving.with(seat);
        let staying = SeatSet::first(public.seats)
            .iter()
            .filter(|&seat| !public.leaving.contains(seat))
            .count();
        if staying > 1 {
            return self.decide_for_leaving(cx);
        }
        self.eliminate_leaving(cx);
        self.last_side_wins(cx);
    }

    /// The first turn would begin: who left in the set-up is out now.
    pub(super) fn eliminate_leaving(&mut self, cx: &mut Cx<'_, Event>) {
        let leaving = std::mem::take(&mut self.public.leaving);
        for seat in leaving.iter() {
            self.eliminate(seat, Elimination::Resigned, cx);
        }
    }

    /// The player is out: his workers leave the board, his gods and their state leave play.
    fn eliminate(&mut self, seat: Seat, reason: Elimination, cx: &mut Cx<'_, Event>) {
        cx.tell(Audience::All, || Event::PlayerEliminated { seat, reason });
        let public = &mut self.public;
        public.playing = public.playing.without(seat);
        for worker in public.side_of(seat).workers() {
            if let Some(space) = public.workers.space_of(worker) {
                public.workers.remove(worker);
                cx.tell(Audience::All, || Event::WorkerRemoved {
                    worker,
                    space,
                    by: Removal::Elimination,
                });
            }
        }
        let gods = public.powers_of(seat);
        public.take(seat, Gods::ALL);
        if public.on_turn == seat {
            public.additional_turns_owed = 0;
        }
        for god in gods.iter() {
            god.power().leaves_play(self, seat, cx);
        }
    }

    /// 5.2: when only one side is left it wins.
    fn last_side_wins(&mut self, cx: &mut Cx<'_, Event>) -> bool {
        let playing = self.public.playing;
        if playing.len() > 1 {
            return false;
        }
        self.win(playing, WinReason::LastSide, cx);
        true
    }

    /// Section 11, with two sides: the other one wins.
    fn other_side_wins(&mut self, seat: Seat, reason: Elimination, cx: &mut Cx<'_, Event>) {
        let public = &self.public;
        let side = public.side_of(seat);
        let winners = SeatSet::first(public.seats)
            .iter()
            .filter(|&seat| public.side_of(seat) != side)
            .collect();
        let reason = match reason {
            Elimination::NoLegalTurn => WinReason::NoLegalTurn,
            Elimination::Resigned => WinReason::Resigned,
        };
        self.win(winners, reason, cx);
    }
}
