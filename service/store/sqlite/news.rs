//! How those who wrote hear of a commit: each event loop of all that it wrote at once, and on its own thread. Calls that
//! are woken one by one from another thread are answered one by one, too, each with a write to its socket.

use std::{mem, sync::Arc};

use tokio::runtime::Handle;

use super::writer::{Reply, SqliteLog};
use crate::store::StoreError;

/// Those who wait for a commit, by the threads that wrote.
#[derive(Debug)]
pub(super) struct Groups(Vec<Group>);

/// What was written on one thread: on this event loop, if it is in one.
type Group = (Option<Handle>, Vec<Waiter>);

/// One who waits for a commit.
#[derive(Debug)]
pub(super) enum Waiter {
    /// Whoever listens to this log, which has so many entries then.
    Log(Arc<SqliteLog>, u64),
    /// Whoever created or deleted a session.
    Reply(Reply),
}

impl Waiter {
    fn hear(self, outcome: &Result<(), StoreError>) {
        match self {
            Self::Log(log, length) => log.hear(length, outcome),
            // Whoever asked may have gone.
            Self::Reply(reply) => drop(reply.send(outcome.clone())),
        }
    }
}

impl Groups {
    /// One for each of these threads.
    pub(super) fn of(threads: impl Iterator<Item = Option<Handle>>) -> Self {
        Self(threads.map(|event_loop| (event_loop, Vec::new())).collect())
    }

    /// Somebody waits who wrote on the thread of this number.
    pub(super) fn add(&mut self, thread: usize, waiter: Waiter) {
        if let Some((_, group)) = self.0.get_mut(thread) {
            group.push(waiter);
        }
    }

    /// Lets all hear what became of the commit.
    pub(super) fn tell(self, outcome: &Result<(), StoreError>) {
        let groups = self.0.into_iter().filter(|(_, group)| !group.is_empty());
        for (event_loop, group) in groups {
            let news = News {
                group,
                outcome: outcome.clone(),
            };
            match event_loop {
                Some(event_loop) => {
                    event_loop.spawn(async move { drop(news) });
                }
                None => drop(news),
            }
        }
    }
}

/// What is told where it is dropped, so that an event loop which has ended keeps it from nobody.
struct News {
    group: Vec<Waiter>,
    outcome: Result<(), StoreError>,
}

impl Drop for News {
    fn drop(&mut self) {
        for waiter in mem::take(&mut self.group) {
            waiter.hear(&self.outcome);
        }
    }
}
