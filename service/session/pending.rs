//! Those who wait for a version to be committed, before which they must not be told of it.

use std::collections::VecDeque;

use tokio::sync::oneshot;

use super::session::Condition;
use crate::error::Error;

/// What becomes of a version.
pub(super) type Fate = Result<(), Error>;

/// Those of one session, in the order of their versions.
#[derive(Debug, Default)]
pub(super) struct Pending(VecDeque<(u64, oneshot::Sender<Fate>)>);

impl Pending {
    /// Somebody waits for this version, which is the latest.
    pub(super) fn wait_for(&mut self, version: u64) -> oneshot::Receiver<Fate> {
        let (told, fate) = oneshot::channel();
        self.0.push_back((version, told));
        fate
    }

    /// All up to this version are committed.
    pub(super) fn committed(&mut self, version: u64) {
        while let Some((_, told)) = self.0.pop_front_if(|(waits_for, _)| *waits_for <= version) {
            // Whoever waited may have gone.
            let _ = told.send(Ok(()));
        }
    }

    /// Nothing more will be committed, as the session cannot be used.
    pub(super) fn give_up(&mut self, condition: Condition) {
        for (_, told) in self.0.drain(..) {
            let _ = told.send(condition.check());
        }
    }
}
