//! How those who wrote to logs hear of a commit: each event loop of all its entries at once, and on its own thread. Calls
//! that are woken one by one from another thread are answered one by one, too, each with a write to its socket.

use std::{mem, sync::Arc};

use tokio::runtime::Handle;

use super::writer::SqliteLog;
use crate::store::StoreError;

/// Logs with an entry in a commit, and their lengths with it, by the event loops on which they were appended; the first
/// are of no event loop.
#[derive(Debug, Default)]
pub(super) struct Groups {
    of_nobody: Vec<Written>,
    of_loops: Vec<(Handle, Vec<Written>)>,
}

/// A log, and its length with an entry.
type Written = (Arc<SqliteLog>, u64);

impl Groups {
    /// This log will have so many entries.
    pub(super) fn add(&mut self, event_loop: Option<Handle>, log: Arc<SqliteLog>, length: u64) {
        let Some(event_loop) = event_loop else {
            self.of_nobody.push((log, length));
            return;
        };
        let id = event_loop.id();
        match self.of_loops.iter_mut().find(|(of, _)| of.id() == id) {
            Some((_, group)) => group.push((log, length)),
            None => self.of_loops.push((event_loop, vec![(log, length)])),
        }
    }

    /// Lets all hear what became of the commit.
    pub(super) fn tell(self, outcome: &Result<(), StoreError>) {
        let news = |group| News {
            group,
            outcome: outcome.clone(),
        };
        for (event_loop, group) in self.of_loops {
            let news = news(group);
            event_loop.spawn(async move { drop(news) });
        }
        drop(news(self.of_nobody));
    }
}

/// What is told where it is dropped, so that an event loop which has ended keeps it from nobody.
struct News {
    group: Vec<Written>,
    outcome: Result<(), StoreError>,
}

impl Drop for News {
    fn drop(&mut self) {
        for (log, length) in mem::take(&mut self.group) {
            log.hear(length, &self.outcome);
        }
    }
}
