//! House bots: a bounded pool of threads, on which they think about what their seat sees.

use std::{
    collections::VecDeque,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Weak, atomic::Ordering},
    thread,
};

use parking_lot::{Condvar, Mutex};
use tavola_engine::{Seat, Viewer};

use super::{
    Session,
    answers::{By, Given},
    state::{SeatState, State},
};
use crate::{
    house_bot::HouseBot,
    store::Holder,
    wire::{Answer, BotTurn},
};

/// The house bot that plays on for a player who is out of the game.
pub(super) const STAND_IN: HouseBot = HouseBot::Greedy;

/// Sessions in which a house bot owes an answer, in the order in which they came to. Each is here once at most, so the
/// queue is no longer than there are sessions.
#[derive(Debug, Default)]
pub struct BotPool {
    waiting: Mutex<Waiting>,
    work: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    sessions: VecDeque<Weak<Session>>,
    closed: bool,
}

impl BotPool {
    /// Starts `threads` threads that think until the pool is closed.
    ///
    /// # Errors
    /// If the system has no thread to give.
    pub fn start(self: &Arc<Self>, threads: u16) -> io::Result<()> {
        for number in 0..threads {
            let pool = Arc::clone(self);
            thread::Builder::new()
                .name(format!("bot-{number}"))
                .spawn(move || pool.think())?;
        }
        Ok(())
    }

    /// How many sessions are in the queue.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.lock().sessions.len()
    }

    /// Puts a session at the end of the queue. It must not be in it.
    pub(super) fn enqueue(&self, session: &Arc<Session>) {
        let mut waiting = self.waiting.lock();
        if !waiting.closed {
            waiting.sessions.push_back(Arc::downgrade(session));
            self.work.notify_one();
        }
    }

    /// Lets the threads end after the answer they are at.
    pub fn close(&self) {
        let mut waiting = self.waiting.lock();
        waiting.closed = true;
        waiting.sessions.clear();
        self.work.notify_all();
    }

    fn think(&self) {
        while let Some(session) = self.next() {
            let Some(session) = session.upgrade() else {
                continue;
            };
            // A bot that panics is our bug and costs its own session only.
            if catch_unwind(AssertUnwindSafe(|| session.play_bot())).is_err() {
                session.freeze(&mut session.inside.lock(), "a house bot panicked");
            }
        }
    }

    fn next(&self) -> Option<Weak<Session>> {
        let mut waiting = self.waiting.lock();
        loop {
            if waiting.closed {
                return None;
            }
            if let Some(session) = waiting.sessions.pop_front() {
                return Some(session);
            }
            self.work.wait(&mut waiting);
        }
    }
}

impl Session {
    /// Puts the session into the bots' queue if one of them owes an answer.
    pub(super) fn wake_bots(self: &Arc<Self>, state: &State) {
        let owes = bot_to_act(state).is_some();
        if owes && !self.bot_queued.swap(true, Ordering::AcqRel) {
            self.house().bots().enqueue(self);
        }
    }

    /// Lets the house bot whose turn it is think and answer, on the calling thread.
    pub(super) fn play_bot(self: &Arc<Self>) {
        self.bot_queued.store(false, Ordering::Release);
        let Some((seat, decision, turn)) = self.bot_turn() else {
            return;
        };
        let Some(action) = turn() else {
            tracing::error!(session_id = %self.id(), seat = seat.0, "a house bot has no answer");
            return;
        };
        // The session may have moved on meanwhile; then the bot is asked again if it still owes an answer.
        if let Ok(mut inside) = self.enter() {
            let answered = self.answer(&mut inside, By::Bot, seat, decision, &Answer::Id(action.0));
            match answered {
                Ok(Given::Now) => self.house().metrics().bot_answered(),
                late => {
                    tracing::debug!(session_id = %self.id(), seat = seat.0, ?late, "a house bot's answer came too late");
                    self.wake_bots(&inside.state);
                }
            }
        }
    }

    fn bot_turn(&self) -> Option<(Seat, u64, BotTurn)> {
        let inside = self.enter().ok()?;
        let state = &inside.state;
        if self.progress.borrow().published < state.version() {
            // It is woken when this version is committed.
            return None;
        }
        let (seat, bot) = bot_to_act(state)?;
        Some((
            seat,
            state.table.decision_number(Viewer::Seat(seat)),
            state.table.bot_turn(seat, bot),
        ))
    }
}

/// A seat that owes an answer and that a house bot answers for: its own, or one whose player is out of the game. In a
/// fork there is none.
pub(super) fn bot_to_act(state: &State) -> Option<(Seat, HouseBot)> {
    state.start_version?;
    if state.forked {
        return None;
    }
    state.table.to_act().iter().find_map(|seat| {
        let SeatState { holder, out, .. } = *state.seats.get(usize::from(seat.0))?;
        match holder? {
            Holder::Bot(bot) => Some((seat, bot)),
            Holder::Player(_) => out.map(|_| (seat, STAND_IN)),
        }
    })
}
