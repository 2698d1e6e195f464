//! What makes clocks strike: one timer for all sessions of the server, and what a session does when it goes off.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Weak},
    time::{Duration, SystemTime},
};

use parking_lot::Mutex;
use tavola_engine::{Entry, Seat};
use tokio::{
    sync::Notify,
    time::{Instant, sleep_until},
};

use super::{Session, session::Inside};
use crate::{
    clock::OnExpiry,
    error::Error,
    house_bot::HouseBot,
    shutdown::Shutdown,
    store::{LogEntry, Ply},
};

/// Sessions in which a clock runs, by the moment in which the first of its clocks is up.
#[derive(Debug, Default)]
pub(super) struct Timer {
    due: Mutex<BTreeMap<Due, Weak<Session>>>,
    earlier: Notify,
}

/// A moment, and the serial number of the session whose moment it is.
type Due = (Instant, u64);

impl Timer {
    /// Lets a session go off at `due` instead of `before`.
    fn set(&self, session: &Arc<Session>, before: Option<Instant>, due: Option<Instant>) {
        self.clear(session.serial(), before);
        let Some(due) = due else {
            return;
        };
        let due = (due, session.serial());
        let mut sessions = self.due.lock();
        sessions.insert(due, Arc::downgrade(session));
        if sessions
            .first_key_value()
            .is_some_and(|(first, _)| *first == due)
        {
            self.earlier.notify_one();
        }
    }

    /// Lets a session not go off at `before`.
    fn clear(&self, serial: u64, before: Option<Instant>) {
        if let Some(before) = before {
            self.due.lock().remove(&(before, serial));
        }
    }

    /// Lets sessions go off until the server shuts down. From then on time is nobody's.
    pub(super) async fn run(&self, shutdown: &Shutdown) {
        let stop = shutdown.wait();
        tokio::pin!(stop);
        loop {
            for session in self.take_due() {
                // A fault of ours costs its own session only.
                if catch_unwind(AssertUnwindSafe(|| session.strike())).is_err() {
                    session.freeze(&mut session.inside.lock(), "a clock panicked");
                }
            }
            let next = self.due.lock().first_key_value().map(|((due, _), _)| *due);
            let next_due = async {
                match next {
                    Some(due) => sleep_until(due).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = next_due => {}
                () = self.earlier.notified() => {}
                () = &mut stop => return,
            }
        }
    }

    fn take_due(&self) -> Vec<Arc<Session>> {
        let now = Instant::now();
        let mut sessions = self.due.lock();
        let mut due = Vec::new();
        while let Some(first) = sessions.first_entry()
            && first.key().0 <= now
        {
            due.extend(first.remove().upgrade());
        }
        due
    }
}

/// Where a session's clocks are in time. Nothing of this is stored: time counts from what is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ticking {
    /// When the latest version could be seen by everybody: its clocks run from then on. None without clocks, and while
    /// something is being stored.
    since: Option<Instant>,
    /// When the timer is set to go off.
    due: Option<Instant>,
}

impl Ticking {
    /// The time since the latest version, in whole milliseconds, as far as it counts.
    pub(super) fn elapsed(&self) -> Duration {
        self.since.map_or(Duration::ZERO, |since| {
            let elapsed = since.elapsed();
            elapsed - Duration::from_nanos(u64::from(elapsed.subsec_nanos() % 1_000_000))
        })
    }

    /// The clocks stand still until the next version can be seen.
    pub(super) fn pause(&mut self) {
        self.since = None;
    }
}

impl Session {
    /// Lets the clocks run: the latest version can be seen by everybody.
    pub(super) fn start_clocks(self: &Arc<Self>, inside: &mut Inside) {
        let Some(clocks) = &inside.state.clocks else {
            return;
        };
        let now = Instant::now();
        let due = clocks.first_up().map(|time| now + time);
        self.house().timer().set(self, inside.ticking.due, due);
        inside.ticking = Ticking {
            since: Some(now),
            due,
        };
    }

    /// Lets the clocks run if they do not yet: the session has come into memory.
    pub(super) fn set_clocks_going(self: &Arc<Self>, inside: &mut Inside) {
        if inside.ticking.due.is_none() {
            self.start_clocks(inside);
        }
    }

    /// The clocks stand still: the session is out of use.
    pub(super) fn stop_clocks(&self, inside: &mut Inside) {
        let Ticking { due, .. } = std::mem::take(&mut inside.ticking);
        self.house().timer().clear(self.serial(), due);
    }

    /// Does what is to be done about the clocks that are up.
    fn strike(self: &Arc<Self>) {
        // A session that is out of use starts its clocks anew if it comes back.
        if let Ok(mut inside) = self.enter()
            && let Err(error) = self.expire_clocks(&mut inside)
        {
            tracing::debug!(session_id = %self.id(), %error, "a clock could not strike");
        }
    }

    /// Acts for the seats whose time is up, in the order in which it was. Does nothing without clocks.
    ///
    /// # Errors
    /// If the store fails, or our own rules do; the session is out of use then.
    pub(super) fn expire_clocks(self: &Arc<Self>, inside: &mut Inside) -> Result<(), Error> {
        // A seat whose bank is empty may be up again at once: the timer comes back for that, so that all others have
        // their turn at the lock.
        for _ in 0..inside.state.seats.len() {
            let up = inside
                .state
                .clocks
                .as_ref()
                .and_then(|clocks| clocks.longest_up(inside.ticking.elapsed()));
            let Some((seat, time)) = up else {
                break;
            };
            self.expire_clock(inside, seat, time)?;
        }
        Ok(())
    }

    /// Acts for a seat whose time is up. Time counts up to that moment: a timer that is late costs nobody anything.
    fn expire_clock(
        self: &Arc<Self>,
        inside: &mut Inside,
        seat: Seat,
        elapsed: Duration,
    ) -> Result<(), Error> {
        let Some(clocks) = &inside.state.clocks else {
            return Ok(());
        };
        tracing::debug!(session_id = %self.id(), seat = seat.0, "out of time");
        let ply = |entry| {
            LogEntry::Ply(Ply {
                entry,
                time: SystemTime::now(),
                elapsed,
                out_of_time: true,
            })
        };
        let entry = match clocks.on_expiry() {
            OnExpiry::Forfeit => ply(Entry::Resign(seat)),
            OnExpiry::RandomAction => {
                let choose = inside.state.table.bot_turn(seat, HouseBot::Random);
                let Some(action) = choose() else {
                    self.freeze(inside, "a seat owes an answer and has none");
                    return Err(Error::Internal);
                };
                ply(Entry::Action(seat, action))
            }
            OnExpiry::HouseBot => LogEntry::HandedOver(seat, elapsed),
        };
        self.change(inside, entry).inspect_err(|error| {
            if !matches!(error, Error::StoreUnavailable | Error::Internal) {
                self.freeze(inside, "what a clock did was refused");
            }
        })
    }
}
