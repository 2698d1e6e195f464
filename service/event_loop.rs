//! An event loop: all that runs on one thread, and waits for nothing but its sockets, clocks and wakers.

use std::{future::Future, io, sync::Arc, time::Duration};

use tokio::{
    runtime::{Builder, Handle, Runtime},
    task::JoinHandle,
};

use crate::store::Workers;

/// How long an event loop waits at its end for work that was left on other threads.
const END: Duration = Duration::from_millis(100);

/// One event loop, with a few threads beside it for replays.
#[derive(Debug)]
pub struct EventLoop {
    runtime: Runtime,
    _at_work: Option<AtWork>,
}

impl EventLoop {
    /// A loop of which `workers` hears when it is at work.
    ///
    /// # Errors
    /// If the system gives none.
    pub fn new(workers: Option<Arc<dyn Workers>>) -> io::Result<Self> {
        let mut builder = Builder::new_current_thread();
        builder
            .enable_all()
            // A connection begins several calls each time it is polled: whoever waits for a socket, the clock or another
            // thread waits for so many of them, at most.
            .event_interval(16)
            .global_queue_interval(8)
            .max_blocking_threads(4);
        if let Some(workers) = &workers {
            let (parked, unparked) = (Arc::clone(workers), Arc::clone(workers));
            builder
                .on_thread_park(move || parked.at_rest())
                .on_thread_unpark(move || unparked.at_work());
        }
        Ok(Self {
            runtime: builder.build()?,
            _at_work: workers.map(AtWork::begin),
        })
    }

    /// For those who leave work to it.
    #[must_use]
    pub fn handle(&self) -> &Handle {
        self.runtime.handle()
    }

    /// Leaves work to it that goes on for as long as it runs.
    pub fn spawn<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        self.runtime.spawn(work)
    }

    /// Runs it on this thread until this is done.
    pub fn block_on<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    /// Runs it on this thread until it has served, and ends it.
    ///
    /// # Errors
    /// If serving failed.
    pub fn run(self, serving: impl Future<Output = io::Result<()>>) -> io::Result<()> {
        let served = self.runtime.block_on(serving);
        self.runtime.shutdown_timeout(END);
        served
    }
}

/// A loop that has begun is at work whenever it does not wait, until it ends.
#[derive(Debug)]
struct AtWork(Arc<dyn Workers>);

impl AtWork {
    fn begin(workers: Arc<dyn Workers>) -> Self {
        workers.at_work();
        Self(workers)
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        self.0.at_rest();
    }
}
