//! The way out: told once, seen by everything that has to end.

use std::{
    future::Future,
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use tokio::{
    runtime::{Builder, Runtime},
    signal::unix::{Signal, SignalKind, signal},
    sync::watch,
};

/// Tells a server to stop.
#[derive(Debug)]
pub struct ShutdownTrigger {
    flag: Arc<AtomicBool>,
    sender: watch::Sender<()>,
}

/// Knows whether the server is to stop. Cheap to clone, and to ask.
#[derive(Clone, Debug)]
pub struct Shutdown {
    flag: Arc<AtomicBool>,
    receiver: watch::Receiver<()>,
}

/// SIGINT, SIGTERM and SIGHUP, listened to from the moment on in which this is made.
#[derive(Debug)]
pub struct Signals {
    runtime: Runtime,
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
}

/// A trigger and what it triggers.
#[must_use]
pub fn channel() -> (ShutdownTrigger, Shutdown) {
    let (sender, receiver) = watch::channel(());
    let flag = Arc::new(AtomicBool::new(false));
    (
        ShutdownTrigger {
            flag: Arc::clone(&flag),
            sender,
        },
        Shutdown { flag, receiver },
    )
}

impl ShutdownTrigger {
    /// Begins the shutdown. Saying it again changes nothing.
    pub fn begin(&self) {
        self.flag.store(true, Ordering::Release);
        self.sender.send_replace(());
    }

    /// Begins the shutdown at the first signal to end. Blocks until then; a signal to read files again (SIGHUP) is
    /// passed on to `reload`.
    pub fn begin_on(&self, signals: Signals, reload: impl Fn()) {
        signals.wait(reload);
        tracing::info!("shutting down");
        self.begin();
    }
}

impl Shutdown {
    /// Whether it has begun.
    #[must_use]
    pub fn begun(&self) -> bool {
        self.flag.load(Ordering::Acquire)
    }

    /// Waits until it begins; also ends if nobody is left to begin it.
    pub fn wait(&self) -> impl Future<Output = ()> + Send + 'static {
        let Self { flag, mut receiver } = self.clone();
        async move {
            let _ = receiver.wait_for(|()| flag.load(Ordering::Acquire)).await;
        }
    }
}

impl Signals {
    /// Listens to the signals. Until this is called they end the process at once.
    ///
    /// # Errors
    /// If the system does not let it.
    pub fn listen() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_io().build()?;
        let (interrupt, terminate, hang_up) = {
            let _within = runtime.enter();
            (
                signal(SignalKind::interrupt())?,
                signal(SignalKind::terminate())?,
                signal(SignalKind::hangup())?,
            )
        };
        Ok(Self {
            runtime,
            interrupt,
            terminate,
            hang_up,
        })
    }

    fn wait(self, reload: impl Fn()) {
        let Self {
            runtime,
            mut interrupt,
            mut terminate,
            mut hang_up,
        } = self;
        runtime.block_on(async {
            loop {
                tokio::select! {
                    _ = interrupt.recv() => return,
                    _ = terminate.recv() => return,
                    _ = hang_up.recv() => reload(),
                }
            }
        });
    }
}
