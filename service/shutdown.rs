//! The way out: told once, seen by everything that has to end.

use std::{future::Future, io};

use tokio::{
    signal::unix::{SignalKind, signal},
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

    /// Waits for SIGINT or SIGTERM, and begins the shutdown then. Blocks.
    pub fn begin_on_signal(&self) {
        if let Err(error) = wait_for_signal() {
            tracing::error!(%error, "cannot wait for signals, shutting down");
        }
        tracing::info!("shutting down");
        self.begin();
    }
}

fn wait_for_signal() -> io::Result<()> {
    tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?
        .block_on(async {
            let mut interrupt = signal(SignalKind::interrupt())?;
            let mut terminate = signal(SignalKind::terminate())?;
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            Ok(())
        })
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
