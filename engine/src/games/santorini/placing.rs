//! Placing the workers (section 4.3).

use super::components::{Space, Spaces, Worker};
use super::event::Event;
use super::god::Gods;
use super::state::{Public, Santorini, Stage};
use crate::cx::{Audience, Cx};
use crate::seat::Seat;

impl Public {
    /// 4.3: a worker enters on any unoccupied space, less what a god of its side forbids (Bia, Eros).
    pub(super) fn placing_spaces(&self, worker: Worker) -> Spaces {
        let side = worker.side();
        self.everybodys_gods(Gods::ALL)
            .filter(|&(seat, _)| self.side_of(seat) == side)
            .fold(self.unoccupied(), |spaces, (_, god)| {
                god.power().entry(self, worker, spaces)
            })
    }

    /// 4.3: the seat that places next, with its worker: the Start Player first and then the others
    /// clockwise, of each team one player; before all others the side of Bia.
    fn next_to_place(&self) -> Option<(Seat, Worker)> {
        let start = self.start_player?;
        let placers = self.sides().count() as u8;
        let order = || (0..placers).map(|left| Seat((start.0 + left) % self.seats));
        let first_side = self
            .everybodys_gods(Gods::ALL)
            .find(|(_, god)| god.power().places_first())
            .map(|(seat, _)| self.side_of(seat));
        let goes_first = |&seat: &Seat| Some(self.side_of(seat)) == first_side;
        order()
            .filter(goes_first)
            .chain(order().filter(|seat| !goes_first(seat)))
            .flat_map(|seat| self.side_of(seat).workers().map(|worker| (seat, worker)))
            .find(|&(_, worker)| self.workers.space_of(worker).is_none())
    }

    /// 4.3: who has the first turn; with teams the partner of the Start Player.
    fn first_on_turn(&self) -> Option<Seat> {
        let start = self.start_player?;
        let seat = if self.seats == 4 {
            Seat((start.0 + 2) % self.seats)
        } else {
            start
        };
        Some(if self.playing.contains(seat) {
            seat
        } else {
            self.seat_after(seat)
        })
    }
}

impl Santorini {
    /// D4: the worker enters.
    pub(super) fn place_worker(&mut self, worker: Worker, space: Space, cx: &mut Cx<'_, Event>) {
        self.public.workers.put(worker, space);
        cx.tell(Audience::All, || Event::WorkerPlaced { worker, space });
        self.go_on_placing(cx);
    }

    /// The next worker is due; after the last one the first turn begins.
    pub(super) fn go_on_placing(&mut self, cx: &mut Cx<'_, Event>) {
        let public = &mut self.public;
        if let Some((seat, worker)) = public.next_to_place() {
            public.on_turn = seat;
            public.stage = Stage::Placing { worker };
            return self.decide_for_leaving(cx);
        }
        self.eliminate_leaving(cx);
        if let Some(seat) = self.public.first_on_turn() {
            self.start_turn(seat, cx);
        }
    }
}
