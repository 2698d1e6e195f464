//! The way out: told once, seen by everything that has to end.

use std::{future::Future, io};

use tokio::{
    runtime::{Builder, Runtime},
    signal::unix::{Signal, SignalKind, signal},
    sync::watch,
};

/// Tells a server to stop.
#[derive(Debug)]
pub struct ShutdownTrigger(watch::Sender<bool>);

/// Knows whether the server is to stop. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Shutdown(watch::Receiver<bool>);

/// A trigger and what it triggers.
#[must_use]
pub fn channel() -> (ShutdownTrigger, Shutdown) {
    let (sender, receiver) = watch::channel(false);
    (ShutdownTrigger(sender), Shutdown(receiver))
}

impl ShutdownTrigger {
    /// Begins the shutdown. Saying it again changes nothing.
    pub fn begin(&self) {
        self.0.send_replace(true);
    }

    /// Waits for one of the signals, and begins the shutdown then. Blocks.
    pub fn begin_on(&self, signals: Signals) {
        signals.wait();
        tracing::info!("shutting down");
        self.begin();
    }
}

/// The signals that ask a process to stop, SIGINT and SIGTERM, from the moment on from which they no longer kill it.
#[derive(Debug)]
pub struct Signals {
    runtime: Runtime,
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    /// Takes the signals over from the system.
    ///
    /// # Errors
    /// If the system does not let go of them.
    pub fn listen() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_io().build()?;
        let (interrupt, terminate) = {
            let _inside = runtime.enter();
            (
                signal(SignalKind::interrupt())?,
                signal(SignalKind::terminate())?,
            )
        };
        Ok(Self {
            runtime,
            interrupt,
            terminate,
        })
    }

    fn wait(mut self) {
        self.runtime.block_on(async {
            tokio::select! {
                _ = self.interrupt.recv() => {}
                _ = self.terminate.recv() => {}
            }
        });
    }
}

impl Shutdown {
    /// Whether it has begun.
    #[must_use]
    pub fn begun(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until it begins; also ends if nobody is left to begin it.
    pub fn wait(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut receiver = self.0.clone();
        async move {
            let _ = receiver.wait_for(|begun| *begun).await;
        }
    }
}
