//! Whose gods are asked (section 6), and whose workers are meant.

use super::components::{Side, Spaces, Worker};
use super::god::{God, Gods};
use super::gods::Hook;
use super::state::Public;
use crate::seat::Seat;

impl Public {
    /// The powers of the player on turn that change something at this hook. In an additional turn
    /// his gods give nothing but Dionysus (8.1, R34).
    #[inline]
    pub(super) fn powers(&self, hook: Hook) -> Gods {
        let held = self.powers_of(self.on_turn).and(hook.gods());
        if self.turn.additional {
            held.and(Gods::only(God::Dionysus))
        } else {
            held
        }
    }

    /// The gods that restrict this worker at this hook, with the sides that hold them: those of the
    /// opponents of the player on turn, less those of its own side (section 6).
    #[inline]
    pub(super) fn restrictors(
        &self,
        worker: Worker,
        hook: Hook,
    ) -> impl Iterator<Item = (Side, God)> + use<> {
        let own = worker.side();
        self.opponents_gods(hook)
            .filter(move |&(side, _)| side != own)
    }

    /// The gods of the opponents of the player on turn, with the sides that hold them, the player
    /// to the left first.
    #[inline]
    pub(super) fn opponents_gods(&self, hook: Hook) -> impl Iterator<Item = (Side, God)> + use<> {
        let (seats, side) = (self.seats, self.acting_side());
        self.everybodys_gods(hook.gods())
            .map(move |(seat, god)| (Side::of(seat, seats), god))
            .filter(move |&(other, _)| other != side)
    }

    /// The holders of these gods, the player on turn first.
    #[inline]
    pub(super) fn everybodys_gods(&self, asked: Gods) -> impl Iterator<Item = (Seat, God)> + use<> {
        let (seats, on_turn, held) = (self.seats, self.on_turn.0, self.held);
        let in_play = held.iter().fold(Gods::NONE, |all, gods| all.or(*gods));
        // Mostly nobody holds any of them.
        let seats_to_ask = if in_play.and(asked).is_empty() {
            0
        } else {
            seats
        };
        (0..seats_to_ask)
            .map(move |left| Seat((on_turn + left) % seats))
            .flat_map(move |seat| {
                let gods = held.get(usize::from(seat.0)).copied();
                gods.unwrap_or(Gods::NONE)
                    .and(asked)
                    .iter()
                    .map(move |god| (seat, god))
            })
    }

    /// Where the workers of the other sides than that of the player on turn stand.
    #[inline]
    pub(super) fn opponent_spaces(&self) -> Spaces {
        self.workers.spaces() - self.workers.spaces_of_side(self.acting_side())
    }

    /// The workers of the player on turn that have made no move in this turn.
    pub(super) fn unmoved(&self) -> impl Iterator<Item = Worker> {
        self.acting_side()
            .workers()
            .into_iter()
            .filter(|&worker| !self.turn.moved.contains(worker))
            .filter(|&worker| self.workers.space_of(worker).is_some())
    }
}
