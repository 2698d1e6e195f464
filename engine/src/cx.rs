//! What the rules are handed beside the state: chance, and an ear for what happens.

use crate::chance::Chance;
use crate::seat::{Seat, SeatSet};

/// Who gets to hear an event.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Audience {
    /// Everybody, spectators too.
    All,
    /// These seats; no spectator.
    Only(SeatSet),
    /// Everybody but these seats, spectators too.
    Except(SeatSet),
}

impl Audience {
    /// Whether this seat hears it; `None` is a spectator.
    pub const fn includes(self, seat: Option<Seat>) -> bool {
        match (self, seat) {
            (Self::All, _) | (Self::Except(_), None) => true,
            (Self::Only(_), None) => false,
            (Self::Only(seats), Some(seat)) => seats.contains(seat),
            (Self::Except(seats), Some(seat)) => !seats.contains(seat),
        }
    }
}

/// The surroundings of one ply: the chance it draws from and the log it tells its events to.
#[derive(Debug)]
pub struct Cx<'a, E> {
    /// Everything the ply leaves to chance is drawn here.
    pub chance: &'a mut Chance,
    log: Option<&'a mut Vec<(Audience, E)>>,
}

impl<'a, E> Cx<'a, E> {
    /// Surroundings in which events are appended to `log`, in the order in which they happen;
    /// dropped if there is none.
    #[inline]
    pub const fn new(chance: &'a mut Chance, log: Option<&'a mut Vec<(Audience, E)>>) -> Self {
        Self { chance, log }
    }

    /// Tells the audience what has happened. Without a log the event isn't even built.
    #[inline]
    pub fn tell(&mut self, audience: Audience, event: impl FnOnce() -> E) {
        if let Some(log) = &mut self.log {
            log.push((audience, event()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_audience_knows_its_seats_and_spectators() {
        let seat_1 = SeatSet::only(Seat(1));
        let table = [None, Some(Seat(0)), Some(Seat(1))];
        let hears = |audience: Audience| table.map(|seat| audience.includes(seat));
        assert_eq!(hears(Audience::All), [true, true, true]);
        assert_eq!(hears(Audience::Only(seat_1)), [false, false, true]);
        assert_eq!(hears(Audience::Except(seat_1)), [true, true, false]);
    }

    #[test]
    fn without_a_log_no_event_is_built() {
        let mut chance = Chance::scripted([]);
        let mut built = 0;
        Cx::<i32>::new(&mut chance, None).tell(Audience::All, || {
            built += 1;
            built
        });
        assert_eq!(built, 0);
    }
}
