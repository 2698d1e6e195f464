//! One listening socket per event loop, all on the same address.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    sync::Arc,
    time::Duration,
};

use socket2::{Domain, Protocol, Socket, Type};

use super::{Connection, Connections};

/// How many connections may wait for their event loop.
const BACKLOG: i32 = 1024;

/// How long to wait after the system had no room for a connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Why the address cannot be listened on: one sentence.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}: {source}")]
pub struct BindError {
    /// The address.
    pub address: SocketAddr,
    /// What the system says.
    pub source: io::Error,
}

/// Binds `count` sockets to `address` and listens on them; the kernel deals connections out among them. Port 0
/// becomes the same free port for all.
///
/// # Errors
/// If the address is taken or is not one of this machine.
pub fn bind(address: SocketAddr, count: usize) -> Result<Vec<TcpListener>, BindError> {
    let fail = |source| BindError { address, source };
    // Sockets that share a port would also share it with another server of the same user, unnoticed. A socket that
    // does not share finds out first whether the address is free.
    let probe = socket(address, false).map_err(fail)?;
    let address = probe.local_addr().map_err(fail)?;
    drop(probe);
    (0..count)
        .map(|_| socket(address, true))
        .collect::<io::Result<_>>()
        .map_err(fail)
}

fn socket(address: SocketAddr, shared: bool) -> io::Result<TcpListener> {
    let socket = Socket::new(
        Domain::for_address(address),
        Type::STREAM,
        Some(Protocol::TCP),
    )?;
    socket.set_reuse_address(true)?;
    socket.set_reuse_port(shared)?;
    socket.set_nonblocking(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    Ok(socket.into())
}

/// The connections that one listener accepts, within the limits.
#[derive(Debug)]
pub struct Incoming {
    listener: tokio::net::TcpListener,
    connections: Arc<Connections>,
}

impl Incoming {
    /// Accepts from `listener`, counting in `connections`. Call it within the event loop that is to serve them.
    ///
    /// # Errors
    /// If the event loop cannot take the socket.
    pub fn new(listener: TcpListener, connections: Arc<Connections>) -> io::Result<Self> {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        Ok(Self {
            listener,
            connections,
        })
    }

    /// Waits for the next one. Nothing is lost if it is dropped meanwhile.
    pub(super) async fn next(&self) -> Connection {
        loop {
            match self.listener.accept().await {
                Ok((stream, peer)) => {
                    // Beyond the limit: the socket is closed here, before a byte is read.
                    if let Some(connection) = Connections::admit(&self.connections, stream, peer) {
                        return connection;
                    }
                }
                Err(error) => {
                    // Out of files, most likely: the connection still waits, so an eager loop would only spin.
                    tracing::warn!(%error, "cannot accept a connection");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn any_port() -> SocketAddr {
        "127.0.0.1:0".parse().unwrap()
    }

    #[test]
    fn all_listeners_share_one_port() {
        let listeners = bind(any_port(), 3).unwrap();
        let ports: Vec<_> = listeners
            .iter()
            .map(|listener| listener.local_addr().unwrap().port())
            .collect();
        assert!(
            ports[0] != 0 && ports.iter().all(|port| *port == ports[0]),
            "{ports:?}"
        );
    }

    #[test]
    fn a_taken_port_is_noticed_even_if_it_could_be_shared() {
        let listeners = bind(any_port(), 2).unwrap();
        let taken = listeners[0].local_addr().unwrap();
        let error = bind(taken, 2).unwrap_err();
        assert_eq!(error.source.kind(), io::ErrorKind::AddrInUse);
        assert!(error.to_string().contains(&taken.to_string()));
    }
}
