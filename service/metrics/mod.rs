//! What the server counts, for Prometheus to read. Labels are games, methods, codes, statuses and limits: never a
//! session, a player or a token.
//!
//! Counting must not slow a call down: what every call counts lies in shards of which each thread has its own, and
//! nothing is allocated for it.

mod calls;
mod page;
mod sessions;

use std::{collections::BTreeMap, sync::atomic::AtomicU64, sync::atomic::Ordering, time::Duration};

use parking_lot::Mutex;
use prometheus_client::metrics::histogram::Histogram;

pub use calls::{Calls, Method};
pub use page::{Page, serve};
pub use sessions::{Among, Tally};

use sessions::SessionCounts;

/// Everything that is counted.
#[derive(Debug)]
pub struct Metrics {
    /// Calls by method.
    pub calls: Calls,
    sessions: SessionCounts,
    sandboxes: SessionCounts,
    /// Refusals by the limit that was met.
    refusals: Mutex<BTreeMap<String, u64>>,
    bot_answers: AtomicU64,
    store_failures: AtomicU64,
    log_lines_left_out: AtomicU64,
    commit_seconds: Histogram,
    commit_writes: Histogram,
}

impl Metrics {
    /// Nothing is counted yet.
    #[must_use]
    pub fn new() -> Self {
        const COMMIT_SECONDS: [f64; 11] = [
            0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5,
        ];
        const COMMIT_WRITES: [f64; 9] = [1.0, 2.0, 4.0, 8.0, 16.0, 64.0, 256.0, 1024.0, 4096.0];
        Self {
            calls: Calls::new(),
            sessions: SessionCounts::default(),
            sandboxes: SessionCounts::default(),
            refusals: Mutex::default(),
            bot_answers: AtomicU64::new(0),
            store_failures: AtomicU64::new(0),
            log_lines_left_out: AtomicU64::new(0),
            commit_seconds: Histogram::new(COMMIT_SECONDS),
            commit_writes: Histogram::new(COMMIT_WRITES),
        }
    }

    /// A call was refused because this limit is reached.
    pub fn refused(&self, limit: &str) {
        let mut refusals = self.refusals.lock();
        match refusals.get_mut(limit) {
            Some(count) => *count += 1,
            None => drop(refusals.insert(limit.to_owned(), 1)),
        }
    }

    /// A house bot has answered a decision.
    pub fn bot_answered(&self) {
        self.bot_answers.fetch_add(1, Ordering::Relaxed);
    }

    /// The store has committed so many writes at once, which took so long.
    pub fn committed(&self, writes: u32, took: Duration) {
        self.commit_writes.observe(writes.into());
        self.commit_seconds.observe(took.as_secs_f64());
    }

    /// The store has not done what it was asked.
    pub fn store_failed(&self) {
        self.store_failures.fetch_add(1, Ordering::Relaxed);
    }

    /// A line was left out of the log because there were too many.
    pub fn log_line_left_out(&self) {
        self.log_lines_left_out.fetch_add(1, Ordering::Relaxed);
    }

    /// Lines that were left out of the log.
    #[must_use]
    pub fn log_lines_left_out(&self) -> u64 {
        self.log_lines_left_out.load(Ordering::Relaxed)
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}
