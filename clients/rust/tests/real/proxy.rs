//! A way to a server that can be cut, or fall silent.

use std::sync::Mutex;

use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    sync::watch,
    task::AbortHandle,
};

#[derive(Clone, Copy)]
enum State {
    Open,
    Silent,
    Cut,
}

pub(crate) struct Proxy {
    pub(crate) address: String,
    /// That of the connections that are open now. Those that come later get one of their own.
    state: &'static Mutex<watch::Sender<State>>,
    accepting: AbortHandle,
}

impl Proxy {
    pub(crate) async fn start(server: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let state: &Mutex<_> = Box::leak(Box::new(Mutex::new(watch::Sender::new(State::Open))));
        let address = listener.local_addr().unwrap().to_string();
        let server = server.to_owned();
        let accepting = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let Ok(server) = TcpStream::connect(&server).await else {
                    continue;
                };
                tokio::spawn(join(client, server, state.lock().unwrap().subscribe()));
            }
        });
        Self {
            address,
            state,
            accepting: accepting.abort_handle(),
        }
    }

    /// Breaks all connections that are open.
    pub(crate) fn cut(&self) {
        self.turn(State::Cut);
    }

    /// Lets nothing more through the connections that are open, and keeps them so.
    pub(crate) fn hush(&self) {
        self.turn(State::Silent);
    }

    fn turn(&self, into: State) {
        let mut state = self.state.lock().unwrap();
        let _ = state.send(into);
        *state = watch::Sender::new(State::Open);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Hands on what comes, for as long as the way is open.
async fn join(mut client: TcpStream, mut server: TcpStream, mut state: watch::Receiver<State>) {
    tokio::select! {
        _ = copy_bidirectional(&mut client, &mut server) => {}
        turned = state.changed() => {
            if turned.is_ok() && matches!(*state.borrow(), State::Silent) {
                std::future::pending::<()>().await;
            }
        }
    }
}
