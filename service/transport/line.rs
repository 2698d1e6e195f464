//! A hold on a connection, for those who see that its peer misbehaves and do not have the connection.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::Context,
};

use futures_util::task::AtomicWaker;

/// A hold on a connection.
#[derive(Clone, Debug, Default)]
pub struct Line(Arc<Cut>);

#[derive(Debug, Default)]
struct Cut {
    cut: AtomicBool,
    /// The task that reads and writes.
    task: AtomicWaker,
}

impl Line {
    /// Ends the connection, and all calls on it.
    pub fn cut(&self) {
        self.0.cut.store(true, Ordering::Release);
        self.0.task.wake();
    }

    /// Fails if it is cut. Wakes the task of `cx` when it will be.
    pub(super) fn check(&self, cx: &Context<'_>) -> io::Result<()> {
        self.0.task.register(cx.waker());
        match self.0.cut.load(Ordering::Acquire) {
            true => Err(io::ErrorKind::TimedOut.into()),
            false => Ok(()),
        }
    }

    /// A number that no other open connection has.
    pub(super) fn number(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }
}
