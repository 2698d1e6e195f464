//! The clocks of a session as its log makes them: no time is looked at here, so that they are the same when the session
//! lives, when it is loaded, and when its story is told again.

use std::time::Duration;

use tavola_engine::{Entry, Seat, SeatSet, Viewer};

use crate::{
    clock::{Clock, OnExpiry, Pace, time_to_pb},
    pb::v1::SeatClock,
    wire::Table,
};

/// The clocks of all seats of a session.
#[derive(Clone, Debug)]
pub(super) struct Clocks {
    clock: Clock,
    /// In the order of the seats.
    seats: Vec<SeatTime>,
    /// The players' seats when the game began.
    players: SeatSet,
    /// The seats whose players answer for them.
    timed: SeatSet,
    /// The seats whose players owe an answer.
    running: SeatSet,
    /// Decisions whose time was up, with the seats that owed them.
    expired: Vec<(Seat, u64)>,
    beats: Vec<Beat>,
}

/// The clock of one seat.
#[derive(Clone, Copy, Debug)]
struct SeatTime {
    /// What was left when the latest version came to be.
    remaining: Duration,
    /// The decision that it runs for, or ran for last.
    decision: u64,
}

/// One version of a started game, for the clocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beat {
    /// The time since the version before, as far as it counts.
    pub(super) elapsed: Duration,
    pub(super) change: Change,
}

/// What made a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// A ply.
    Ply {
        /// Whether the session chose it because the time of its seat was up.
        out_of_time: bool,
    },
    /// A house bot took this seat over.
    HandedOver(Seat),
}

impl Clocks {
    /// The clocks of a session whose game has not begun.
    pub(super) fn new(clock: Clock, seats: u8) -> Self {
        let first = SeatTime {
            remaining: clock.first_time(),
            decision: 0,
        };
        Self {
            clock,
            seats: vec![first; seats.into()],
            players: SeatSet::EMPTY,
            timed: SeatSet::EMPTY,
            running: SeatSet::EMPTY,
            expired: Vec::new(),
            beats: Vec::new(),
        }
    }

    /// The same clocks when the game began; `table` is at its first decision.
    pub(super) fn at_start(&self, table: &dyn Table) -> Self {
        let mut clocks = Self::new(
            self.clock,
            u8::try_from(self.seats.len()).unwrap_or(u8::MAX),
        );
        clocks.begin(self.players, table);
        clocks
    }

    /// What happens when time is up.
    pub(super) const fn on_expiry(&self) -> OnExpiry {
        self.clock.on_expiry
    }

    /// All versions since the start.
    pub(super) fn beats(&self) -> &[Beat] {
        &self.beats
    }

    /// Versions up to the one of this ply that were no plies.
    pub(super) fn hand_overs_before(&self, ply: u32) -> u64 {
        let mut plies = 0;
        let before = self.beats.iter().take_while(|beat| {
            plies += u32::from(matches!(beat.change, Change::Ply { .. }));
            plies < ply
        });
        before
            .filter(|beat| matches!(beat.change, Change::HandedOver(_)))
            .count() as u64
    }

    // === what the log does to them

    /// The game begins, with players at these seats.
    pub(super) fn begin(&mut self, players: SeatSet, table: &dyn Table) {
        (self.players, self.timed) = (players, players);
        self.run_for(table, None);
    }

    /// A ply was played; `table` is as it stands after it.
    pub(super) fn ply(
        &mut self,
        entry: Entry,
        elapsed: Duration,
        out_of_time: bool,
        table: &dyn Table,
    ) {
        self.spend(elapsed);
        let (Entry::Action(seat, _) | Entry::Resign(seat)) = entry;
        if out_of_time {
            self.expire(seat);
        }
        match (entry, self.clock.pace) {
            (Entry::Resign(_), _) => self.timed = self.timed.without(seat),
            (Entry::Action(..), Pace::Bank { increment, .. }) if self.timed.contains(seat) => {
                if let Some(time) = self.seats.get_mut(usize::from(seat.0)) {
                    time.remaining = time.remaining.saturating_add(increment);
                }
            }
            (Entry::Action(..), Pace::Bank { .. } | Pace::PerMove(_)) => {}
        }
        self.beats.push(Beat {
            elapsed,
            change: Change::Ply { out_of_time },
        });
        self.run_for(table, Some(seat));
    }

    /// A house bot took a seat over.
    pub(super) fn hand_over(&mut self, seat: Seat, elapsed: Duration, table: &dyn Table) {
        self.spend(elapsed);
        self.expire(seat);
        self.timed = self.timed.without(seat);
        self.beats.push(Beat {
            elapsed,
            change: Change::HandedOver(seat),
        });
        self.run_for(table, None);
    }

    fn spend(&mut self, elapsed: Duration) {
        for seat in self.running.iter() {
            if let Some(time) = self.seats.get_mut(usize::from(seat.0)) {
                time.remaining = time.remaining.saturating_sub(elapsed);
            }
        }
    }

    fn expire(&mut self, seat: Seat) {
        if let Some(time) = self.seats.get(usize::from(seat.0)) {
            self.expired.push((seat, time.decision));
        }
    }

    /// Lets the clocks run of those who owe an answer now, after `acted` has given one. Who owed one before and has not
    /// answered goes on with the time that is left, even if the decision has another number because somebody resigned.
    fn run_for(&mut self, table: &dyn Table, acted: Option<Seat>) {
        let thinking = acted.map_or(self.running, |seat| self.running.without(seat));
        self.running = table
            .to_act()
            .iter()
            .filter(|seat| self.timed.contains(*seat))
            .collect();
        for seat in self.running.iter() {
            let Some(time) = self.seats.get_mut(usize::from(seat.0)) else {
                continue;
            };
            if let Pace::PerMove(full) = self.clock.pace
                && !thinking.contains(seat)
            {
                time.remaining = full;
            }
            time.decision = table.decision_number(Viewer::Seat(seat));
        }
    }

    // === how they stand, so much time after the latest version

    /// How long until the first that runs is up.
    pub(super) fn first_up(&self) -> Option<Duration> {
        self.runs().map(|(_, remaining)| remaining).min()
    }

    /// The seat whose time has been up for longest, with what it had left at the latest version.
    pub(super) fn longest_up(&self, elapsed: Duration) -> Option<(Seat, Duration)> {
        self.runs()
            .filter(|(_, remaining)| *remaining <= elapsed)
            .min_by_key(|(seat, remaining)| (*remaining, seat.0))
    }

    /// Whether the time of this seat is up.
    pub(super) fn is_up(&self, seat: Seat, elapsed: Duration) -> bool {
        self.runs()
            .any(|(running, remaining)| running == seat && remaining <= elapsed)
    }

    /// Whether the seat had no time left for this decision.
    pub(super) fn has_expired(&self, seat: Seat, decision: u64) -> bool {
        self.expired.contains(&(seat, decision))
    }

    /// What everybody is shown.
    pub(super) fn shown(&self, elapsed: Duration) -> Vec<SeatClock> {
        self.timed
            .iter()
            .filter_map(|seat| {
                let time = self.seats.get(usize::from(seat.0))?;
                let running = self.running.contains(seat);
                let spent = if running { elapsed } else { Duration::ZERO };
                Some(SeatClock {
                    seat: Some(seat.0.into()),
                    remaining: Some(time_to_pb(time.remaining.saturating_sub(spent))),
                    running,
                })
            })
            .collect()
    }

    fn runs(&self) -> impl Iterator<Item = (Seat, Duration)> {
        self.running
            .iter()
            .filter_map(|seat| Some((seat, self.seats.get(usize::from(seat.0))?.remaining)))
    }
}
