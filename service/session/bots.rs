//! House bots: a bounded pool of threads, on which they think about what their seat sees.

use std::{
    collections::VecDeque,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Weak},
    thread,
};

use parking_lot::{Condvar, Mutex};

use super::Session;

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
                tracing::error!(session_id = %session.id(), "a house bot panicked");
                session.freeze();
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
