//! The house in order: the clock, sessions that leave memory or are forgotten, and those that wake when the server
//! starts.

use std::{
    sync::{Arc, atomic::Ordering},
    time::{Duration, SystemTime},
};

use tokio::task::JoinSet;

use super::{Registry, Session};
use crate::store::{SessionId, StoreError};

/// How often sessions are looked at that may leave or be forgotten.
const SWEEP_EVERY_S: u64 = 10;

/// How old the time may be, at most, that the store has as a session's latest use. What is shorter than this is looked
/// at in quarters.
const TOUCH_EVERY_S: u64 = 600;

/// Sessions that the store is told of at once: what else it has to write must not wait for long.
const TOUCHED_AT_ONCE: usize = 256;

/// Stored sessions that are forgotten in one sweep, at most: the others have their turn soon.
const FORGOTTEN_AT_ONCE: usize = 1_000;

impl Registry {
    /// Keeps the clock, lets sessions leave memory, and forgets what has been left alone for too long, until the server
    /// shuts down.
    pub async fn keep_house(self: &Arc<Self>) {
        let mut second = tokio::time::interval(Duration::from_secs(1));
        let mut said_left_out = 0;
        let stop = self.house().shutdown().wait();
        tokio::pin!(stop);
        loop {
            tokio::select! {
                _ = second.tick() => {}
                () = &mut stop => {
                    // Their watchers look up and see that the server goes down.
                    self.sessions.iter().for_each(|session| session.nudge());
                    return self.sandboxes.nudge();
                }
            }
            let left_out = self.house().metrics().log_lines_left_out();
            if left_out > said_left_out {
                tracing::warn!(
                    lines = left_out - said_left_out,
                    "lines were left out of the log, there were too many"
                );
                said_left_out = left_out;
            }
            if self.house().tick().is_multiple_of(SWEEP_EVERY_S) {
                self.sweep().await;
            }
        }
    }

    /// Lets the clocks of all sessions strike, until the server shuts down.
    pub async fn keep_clocks(&self) {
        self.house().timer().run(self.house().shutdown()).await;
    }

    async fn sweep(self: &Arc<Self>) {
        let expired: Vec<_> = self
            .sessions
            .iter()
            .filter(|session| session.expire())
            .map(|session| Arc::clone(&session))
            .collect();
        let any = !expired.is_empty();
        // All at once: a store that commits in groups forgets them in few.
        let mut forgetting = JoinSet::new();
        for session in expired {
            tracing::info!(session_id = %session.id(), "session forgotten");
            let registry = Arc::clone(self);
            // Where the store does not answer, it forgets the session another time.
            forgetting.spawn(async move { registry.forget(session).await });
        }
        forgetting.join_all().await;
        if any {
            // Room for a crowd that has gone would be kept for ever.
            self.sessions.shrink_to_fit();
        }
        self.sandboxes.sweep();
        if self.house().store().durable() {
            self.store_touches().await;
            self.evict();
            self.forget_stored().await;
        }
    }

    /// Tells the store of sessions that were in use since it was last told.
    async fn store_touches(&self) {
        let limits = self.house().limits();
        let shortest_s = limits.session_idle_s.min(limits.session_retain_s);
        let every_s = TOUCH_EVERY_S.min(u64::from(shortest_s) / 4);
        let touched: Vec<_> = self
            .sessions
            .iter()
            .filter(|session| session.outdates_its_touch(every_s))
            .map(|session| session.id())
            .collect();
        for touched in touched.chunks(TOUCHED_AT_ONCE) {
            let touch = self
                .house()
                .store()
                .touch(touched.to_vec(), SystemTime::now());
            if let Err(error) = touch.outcome().await {
                self.house().store_failed();
                tracing::warn!(%error, "the store does not remember which sessions were in use");
                return;
            }
        }
    }

    /// Lets sessions leave memory that nobody has called for a while: the store has all there is of them.
    fn evict(&self) {
        let mut evicted = 0_u64;
        // While its place in the map is locked nobody comes to a session, and whoever has come to it is counted.
        self.sessions.retain(|_, session| {
            let leaves = Arc::strong_count(session) == 1 && session.rests();
            evicted += u64::from(leaves);
            !leaves
        });
        if evicted > 0 {
            self.sessions.shrink_to_fit();
            tracing::debug!(evicted, "sessions have left memory");
        }
    }

    /// Forgets sessions that are not in memory.
    async fn forget_stored(self: &Arc<Self>) {
        let limits = self.house().limits();
        let now = SystemTime::now();
        let before = |seconds: u32| now.checked_sub(Duration::from_secs(seconds.into()));
        let finished = before(limits.session_retain_s).unwrap_or(SystemTime::UNIX_EPOCH);
        let others = before(limits.session_idle_s).unwrap_or(SystemTime::UNIX_EPOCH);
        let left_alone = self
            .house()
            .ask(move |store| store.left_alone(finished, others, FORGOTTEN_AT_ONCE))
            .await;
        // Of those in memory the house clock decides.
        let left_alone = left_alone.into_iter().flatten();
        let forgetting: Vec<_> = left_alone
            .filter(|id| self.in_memory(*id).is_none())
            .map(|id| {
                tracing::info!(session_id = %id, "session forgotten");
                self.house().store().delete(id)
            })
            .collect();
        for forgotten in forgetting {
            match forgotten.outcome().await {
                Ok(()) | Err(StoreError::NotFound) => {}
                Err(error) => {
                    // It forgets the session another time.
                    self.house().store_failed();
                    tracing::warn!(%error, "a session could not be deleted from the store");
                }
            }
        }
    }

    /// Loads the stored sessions that may go on with nobody calling, and lets those go on in which a house bot is to act
    /// or a clock runs.
    pub async fn wake(self: &Arc<Self>) {
        let Ok(wakeful) = self.house().ask(|store| store.wakeful()).await else {
            return;
        };
        for id in wakeful {
            if self.house().shutdown().begun() {
                return;
            }
            self.wake_if_owing(id).await;
        }
    }

    async fn wake_if_owing(self: &Arc<Self>, id: SessionId) {
        let owes = |session: &Session| {
            let inside = session.enter();
            inside.is_ok_and(|inside| inside.state.goes_on())
        };
        // One in which a player is to act is left where it is.
        let session = self.house().load(id).await;
        if session.is_ok_and(|session| owes(&session))
            && let Err(error) = self.fetch(id).await
        {
            tracing::warn!(session_id = %id, %error, "a session cannot be woken");
        }
    }
}

impl Session {
    /// Whether it was in use so much later than the store knows that the store has to be told, who then is.
    fn outdates_its_touch(&self, every_s: u64) -> bool {
        let now_s = self.house().clock_s();
        if self.inside.lock().feeds.watchers() > 0 {
            self.touch();
        }
        let stored_s = self.touch_stored_s.load(Ordering::Relaxed);
        let outdated = self.touched_s() > stored_s && now_s.saturating_sub(stored_s) >= every_s;
        if outdated {
            self.touch_stored_s.store(now_s, Ordering::Relaxed);
        }
        outdated
    }

    /// Whether it may leave memory: nobody watches, nobody has called for long enough, and there is nothing that it is
    /// about to do. Whoever still holds it, against all counting, finds it gone and comes again.
    fn rests(&self) -> bool {
        let mut inside = self.inside.lock();
        let evict_s = self.house().limits().session_evict_s;
        let left_alone_s = self.house().clock_s().saturating_sub(self.touched_s());
        let rests = left_alone_s >= evict_s.into()
            && inside.feeds.watchers() == 0
            && self.is_settled(&inside)
            && !self.bot_queued.load(Ordering::Acquire)
            && !inside.state.goes_on();
        if rests {
            self.retire(&mut inside);
        }
        rests
    }
}
