//! Calls begin where they arrive: what is answered at once needs no task of its own.

use std::{
    cell::{Cell, RefCell},
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Poll, Waker},
};

use hyper::rt::Executor;

use super::keepalive::Standstill;

/// Calls of one connection that begin in a row, at most; the others wait for their turn as everybody does.
const IN_A_ROW: usize = 16;

type Call = Pin<Box<dyn Future<Output = ()> + Send>>;

thread_local! {
    /// Whether this thread polls a connection.
    static POLLING: Cell<bool> = const { Cell::new(false) };
    /// The calls that it brought.
    static ARRIVED: RefCell<Vec<Call>> = const { RefCell::new(Vec::new()) };
}

/// Runs the calls of connections that are polled by [`poll_and_begin`].
///
/// Nearly all calls are answered without waiting for anything. Each is polled once, right after the connection that
/// brought it; only what waits then becomes a task. The replies wake the connection, which sends them together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begin;

impl<F: Future<Output = ()> + Send + 'static> Executor<F> for Begin {
    fn execute(&self, call: F) {
        if POLLING.get() {
            ARRIVED.with_borrow_mut(|arrived| arrived.push(Box::pin(call)));
        } else {
            tokio::spawn(call);
        }
    }
}

/// Polls a connection and begins the calls that it brings.
pub(super) fn poll_and_begin<T>(poll: impl FnOnce() -> T) -> T {
    let _standstill = Standstill::begin();
    let polled = {
        let _polling = Polling::begin();
        poll()
    };
    let mut arrived = ARRIVED.take();
    for (number, call) in arrived.drain(..).enumerate() {
        if number < IN_A_ROW {
            begin(call);
        } else {
            tokio::spawn(call);
        }
    }
    // Its memory serves the next ones.
    ARRIVED.set(arrived);
    polled
}

fn begin(mut call: Call) {
    // Nobody has to be woken: what waits is polled again as soon as it is a task.
    let mut cx = Context::from_waker(Waker::noop());
    // It is dropped in here, too: that may panic as well.
    let begun = move || match call.as_mut().poll(&mut cx) {
        Poll::Ready(()) => None,
        Poll::Pending => Some(call),
    };
    match catch_unwind(AssertUnwindSafe(begun)) {
        Ok(None) => {}
        Ok(Some(waiting)) => {
            tokio::spawn(waiting);
        }
        // The other calls go on, as they would if it had been a task.
        Err(_) => tracing::error!("a call panicked while its reply was sent"),
    }
}

/// Until it is dropped, calls are gathered.
struct Polling;

impl Polling {
    fn begin() -> Self {
        POLLING.set(true);
        Self
    }
}

impl Drop for Polling {
    fn drop(&mut self) {
        POLLING.set(false);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use tokio::{runtime::Handle, sync::Notify, task::yield_now};

    use super::*;

    fn tasks() -> usize {
        Handle::current().metrics().num_alive_tasks()
    }

    /// Counts how many calls have ended.
    fn ending(ended: &Arc<AtomicUsize>) -> impl FnOnce() + Send + 'static {
        let ended = Arc::clone(ended);
        move || {
            ended.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[tokio::test]
    async fn what_is_answered_at_once_becomes_no_task() {
        let ended = Arc::default();
        poll_and_begin(|| {
            for _ in 0..IN_A_ROW {
                let end = ending(&ended);
                Begin.execute(async move { end() });
            }
            assert_eq!(
                ended.load(Ordering::Relaxed),
                0,
                "the connection comes first"
            );
        });
        assert_eq!((ended.load(Ordering::Relaxed), tasks()), (IN_A_ROW, 0));
    }

    #[tokio::test]
    async fn what_waits_is_woken_as_a_task() {
        let (ended, go) = (Arc::default(), Arc::new(Notify::new()));
        poll_and_begin(|| {
            let (end, go) = (ending(&ended), Arc::clone(&go));
            Begin.execute(async move {
                go.notified().await;
                end();
            });
        });
        assert_eq!((ended.load(Ordering::Relaxed), tasks()), (0, 1));
        yield_now().await;
        go.notify_waiters();
        yield_now().await;
        assert_eq!((ended.load(Ordering::Relaxed), tasks()), (1, 0));
    }

    #[tokio::test]
    async fn one_connection_does_not_keep_the_others_waiting() {
        let ended = Arc::default();
        poll_and_begin(|| {
            for _ in 0..IN_A_ROW + 3 {
                let end = ending(&ended);
                Begin.execute(async move { end() });
            }
        });
        assert_eq!((ended.load(Ordering::Relaxed), tasks()), (IN_A_ROW, 3));
        yield_now().await;
        assert_eq!((ended.load(Ordering::Relaxed), tasks()), (IN_A_ROW + 3, 0));
    }

    #[tokio::test]
    async fn a_panic_is_felt_by_no_other_call() {
        let ended = Arc::default();
        poll_and_begin(|| {
            Begin.execute(async { panic!("a fault of ours") });
            let end = ending(&ended);
            Begin.execute(async move { end() });
        });
        assert_eq!(ended.load(Ordering::Relaxed), 1);
    }

    #[tokio::test]
    async fn what_no_connection_brings_is_a_task_at_once() {
        let ended = Arc::default();
        let polled = catch_unwind(|| poll_and_begin(|| panic!("a connection that panics")));
        assert!(polled.is_err());
        let end = ending(&ended);
        Begin.execute(async move { end() });
        assert_eq!((ended.load(Ordering::Relaxed), tasks()), (0, 1));
    }
}
