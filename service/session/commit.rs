//! How a change of a session is committed: in memory, in the store, and only then for everybody to see.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Duration,
};

use tokio::sync::oneshot;

use super::{
    Session,
    pending::Fate,
    session::{Condition, Inside},
    shown::Told,
    state::State,
};
use crate::{
    error::Error,
    pb::v1::SessionStatus,
    store::{Append, Listener, LogEntry, StoreError},
};

/// How long to wait before a store that failed is asked again.
const RELOAD_PAUSE: Duration = Duration::from_millis(100);

/// How far a session is for everybody outside its lock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    /// The latest version that is committed, and so may be seen.
    pub(super) published: u64,
    /// Whether the game is over with it: no other version follows.
    pub(super) finished: bool,
    /// How often the session was loaded anew because a write had failed.
    pub(super) reloads: u32,
    pub(super) condition: Condition,
}

impl Progress {
    /// Whether the session is being loaded anew.
    pub(super) fn reloading(self) -> bool {
        self.condition == Condition::Reloading
    }

    /// Why nothing more will come.
    pub(super) fn end(self) -> Option<Error> {
        match self.condition {
            Condition::Sound | Condition::Reloading => None,
            Condition::Frozen | Condition::Gone => self.condition.check().err(),
        }
    }
}

/// Something that may be told once the version it tells of is committed.
#[derive(Debug)]
#[must_use = "it is not told until it is settled"]
pub struct Settling<T> {
    value: T,
    /// None if it was committed already when it was asked for.
    fate: Option<oneshot::Receiver<Fate>>,
}

impl<T> Settling<T> {
    /// Makes something else of it, now.
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> Settling<U> {
        Settling {
            value: make(self.value),
            fate: self.fate,
        }
    }

    /// Hands it out once it is committed, which it nearly always is already where memory is the store.
    ///
    /// # Errors
    /// If it could not be.
    pub async fn settle(self) -> Result<T, Error> {
        if let Some(fate) = self.fate {
            fate.await.map_err(Error::internal)??;
        }
        Ok(self.value)
    }
}

/// The session hears of what it has written. What was written before a reload is settled by the reload: until that is
/// through, nothing else is heard of. A store that has failed once fails all that was written after it.
impl Listener for Session {
    fn committed(self: Arc<Self>, length: u64) {
        let mut inside = self.inside.lock();
        if inside.condition != Condition::Reloading {
            let version = inside.state.version_of(length);
            self.publish(&mut inside, version);
        }
    }

    fn failed(self: Arc<Self>, error: StoreError) {
        self.reload(&mut self.inside.lock(), &error);
    }
}

#[cfg(test)]
impl<T> Settling<T> {
    /// What will be told, looked at too early.
    pub(super) fn unsettled(self) -> T {
        self.value
    }
}

impl Session {
    /// Changes the session: in memory, in the feeds, in the store, and then for everybody to see.
    ///
    /// # Errors
    /// If the rules forbid the ply: nothing has changed then. If the store fails at once: the session is being loaded
    /// anew then.
    pub(super) fn change(
        self: &Arc<Self>,
        inside: &mut Inside,
        entry: LogEntry,
    ) -> Result<(), Error> {
        let at = inside.state.log_len;
        let applied = catch_unwind(AssertUnwindSafe(|| {
            let Inside {
                state,
                feeds,
                ticking,
                ..
            } = &mut *inside;
            state.apply(entry)?;
            ticking.pause();
            let lag_max =
                usize::try_from(self.house().limits().watcher_lag_max).unwrap_or(usize::MAX);
            let told = match entry {
                LogEntry::HandedOver(..) => Told::HandOver,
                LogEntry::Taken(..) | LogEntry::Left(_) | LogEntry::Ply(_) => Told::Change,
            };
            feeds.push(state.version(), lag_max, |viewer, view| {
                self.encode(state.now(), state, viewer, view, told)
            });
            Ok::<_, Error>(())
        }));
        match applied {
            Ok(applied) => applied?,
            Err(_) => {
                // A table that panics may be left between two states: nobody gets to see it any more.
                self.freeze(inside, "a table panicked");
                return Err(Error::Internal);
            }
        }
        let version = inside.state.version();
        tracing::debug!(session_id = %self.id(), version, "changed");
        match self.log.append(at, entry, inside.state.standing()) {
            Append::Done(Ok(())) => self.publish(inside, version),
            Append::Done(Err(error)) => {
                self.reload(inside, &error);
                return Err(Error::StoreUnavailable);
            }
            // The session is told.
            Append::Pending => {}
        }
        Ok(())
    }

    /// Lets everybody see a committed version.
    fn publish(self: &Arc<Self>, inside: &mut Inside, version: u64) {
        if version == inside.state.version() {
            self.start_clocks(inside);
            self.tally.plies(inside.state.table.ply());
        }
        let state = &inside.state;
        let status = state.status();
        self.tally.see(status);
        let over = status == SessionStatus::Finished;
        let mut ended = false;
        self.progress.send_if_modified(|progress| {
            progress.published = progress.published.max(version);
            let finished = over && progress.published == state.version();
            ended = finished && !progress.finished;
            progress.finished = finished;
            // Nobody has to be woken if nobody waits: whoever comes later looks before it waits.
            self.progress.receiver_count() > 0
        });
        inside.pending.committed(version);
        if ended {
            let (session, plies) = (Arc::clone(self), state.table.ply());
            self.house().log(move || {
                tracing::info!(session_id = %session.id(), game = session.game.id, plies, "game over");
            });
        }
        self.wake_bots(state);
    }

    /// After a failed write: what is in memory may not be what is stored, so it is loaded before anything else.
    fn reload(self: &Arc<Self>, inside: &mut Inside, error: &StoreError) {
        if inside.condition != Condition::Sound {
            return;
        }
        self.house().store_failed();
        tracing::warn!(session_id = %self.id(), %error, "a write failed, loading the session anew");
        self.set_condition(inside, Condition::Reloading);
        self.progress.send_modify(|progress| progress.reloads += 1);
        let session = Arc::clone(self);
        self.house().runtime().spawn(async move {
            loop {
                // A store that can be read may still not be written to: without a pause that would be a hot loop.
                tokio::time::sleep(RELOAD_PAUSE).await;
                let loading = Arc::clone(&session);
                let loaded = tokio::task::spawn_blocking(move || {
                    let stored = loading.house().store().load(loading.id())?;
                    Ok::<_, StoreError>(State::load(loading.game, &stored))
                });
                let loaded = loaded.await;
                let mut inside = session.inside.lock();
                match loaded {
                    Ok(Ok(Ok(state))) => session.resume_with(&mut inside, state),
                    Ok(Ok(Err(error))) => {
                        session.freeze(&mut inside, &format!("it cannot be loaded: {error}"))
                    }
                    Err(error) => {
                        session.freeze(&mut inside, &format!("loading it failed: {error}"))
                    }
                    Ok(Err(StoreError::NotFound)) => {
                        session.set_condition(&mut inside, Condition::Gone)
                    }
                    Ok(Err(error)) => {
                        tracing::debug!(session_id = %session.id(), %error, "cannot load yet");
                        continue;
                    }
                }
                return;
            }
        });
    }

    fn resume_with(self: &Arc<Self>, inside: &mut Inside, mut state: State) {
        if inside.condition != Condition::Reloading {
            return;
        }
        state.follow(&inside.state);
        inside.state = state;
        // Updates of what was never stored must not be told, those of what was may have been.
        inside.feeds.clear();
        self.set_condition(inside, Condition::Sound);
        let version = inside.state.version();
        self.publish(inside, version);
    }

    /// Something to be told once the version that it tells of, the present one, is committed.
    pub(super) fn settling<T>(&self, inside: &mut Inside, value: T) -> Settling<T> {
        let version = inside.state.version();
        let committed = self.progress.borrow().published >= version;
        Settling {
            value,
            fate: (!committed).then(|| inside.pending.wait_for(version)),
        }
    }
}
