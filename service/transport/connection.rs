//! One accepted connection: counted, given a deadline for its first words and a budget for idle ones, and writing in one
//! piece.

use std::{
    collections::HashMap,
    io,
    net::{IpAddr, SocketAddr},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::Sleep,
};

use super::{Line, Tls, frames::FrameBudget, tls::Socket};

/// Bytes that tell what a peer speaks: the preface of HTTP/2 has so many, and any HTTP/1 request has more.
const FIRST_WORDS: usize = 24;

/// How many connections there may be, and how they begin.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// In all.
    pub total_max: u32,
    /// From one address.
    pub per_peer_max: u32,
    /// How long a connection may take to say its first words.
    pub handshake_timeout: Duration,
    /// Frames a second that are not calls.
    pub control_frames_per_s_max: u32,
}

/// The open connections of a server, counted.
#[derive(Debug)]
pub struct Connections {
    limits: ConnectionLimits,
    tls: Option<Arc<Tls>>,
    open: Mutex<Open>,
    accepted: AtomicU64,
    refused_in_all: AtomicU64,
    refused_per_peer: AtomicU64,
}

#[derive(Debug, Default)]
struct Open {
    total: u32,
    per_peer: HashMap<IpAddr, u32>,
}

impl Connections {
    /// None yet; all of them with TLS, if there is one.
    #[must_use]
    pub fn new(limits: ConnectionLimits, tls: Option<Arc<Tls>>) -> Self {
        Self {
            limits,
            tls,
            open: Mutex::default(),
            accepted: AtomicU64::new(0),
            refused_in_all: AtomicU64::new(0),
            refused_per_peer: AtomicU64::new(0),
        }
    }

    /// Lets a connection in, or closes it because there are too many.
    pub fn admit(this: &Arc<Self>, stream: TcpStream, peer: SocketAddr) -> Option<Connection> {
        let peer = peer.ip();
        {
            let mut open = this.open.lock();
            let from_peer = open.per_peer.get(&peer).copied().unwrap_or(0);
            if open.total >= this.limits.total_max || from_peer >= this.limits.per_peer_max {
                tracing::debug!(%peer, total = open.total, from_peer, "too many connections");
                let refused = match open.total >= this.limits.total_max {
                    true => &this.refused_in_all,
                    false => &this.refused_per_peer,
                };
                refused.fetch_add(1, Ordering::Relaxed);
                return None;
            }
            open.total += 1;
            open.per_peer.insert(peer, from_peer + 1);
        }
        let counted = Counted {
            connections: Arc::clone(this),
            peer,
        };
        // Without it a reply waits for the acknowledgement of the one before: 40 ms a call.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%peer, %error, "the connection is gone already");
            return None;
        }
        this.accepted.fetch_add(1, Ordering::Relaxed);
        let silence = Box::pin(tokio::time::sleep(this.limits.handshake_timeout));
        Some(Connection {
            stream: Socket::new(stream, this.tls.as_deref()),
            silence: Some(silence),
            heard: 0,
            frames: FrameBudget::new(this.limits.control_frames_per_s_max, Instant::now()),
            line: Line::default(),
            _counted: counted,
        })
    }

    /// How many are open.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.open.lock().total
    }

    /// How many have been let in.
    #[must_use]
    pub fn accepted(&self) -> u64 {
        self.accepted.load(Ordering::Relaxed)
    }

    /// How many have been refused, by the limit that was met.
    pub fn refused(&self) -> [(&'static str, u64); 2] {
        [
            ("connections_max", &self.refused_in_all),
            ("connections_per_peer_max", &self.refused_per_peer),
        ]
        .map(|(limit, refused)| (limit, refused.load(Ordering::Relaxed)))
    }
}

/// Counts a connection for as long as it is open.
#[derive(Debug)]
struct Counted {
    connections: Arc<Connections>,
    peer: IpAddr,
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut open = self.connections.open.lock();
        open.total -= 1;
        if let Some(from_peer) = open.per_peer.get_mut(&self.peer) {
            *from_peer -= 1;
            if *from_peer == 0 {
                open.per_peer.remove(&self.peer);
            }
        }
    }
}

/// An accepted connection.
///
/// It offers no vectored write: HTTP/2 then copies replies of up to 1 KiB into one buffer and sends them with one
/// system call, where it would otherwise send each body by itself (a quarter of the CPU of a short call).
#[derive(Debug)]
pub struct Connection {
    stream: Socket,
    /// Runs until the first words have come; with TLS, until they have been read.
    silence: Option<Pin<Box<Sleep>>>,
    /// Bytes that have come while it runs.
    heard: usize,
    frames: FrameBudget,
    line: Line,
    _counted: Counted,
}

impl Connection {
    /// A hold on it.
    pub(super) const fn line(&self) -> &Line {
        &self.line
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.line.check(cx)?;
        let filled = buf.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        let heard = buf.filled().get(filled..).unwrap_or_default();
        if !self.frames.allows(heard, Instant::now) {
            tracing::debug!("a connection sends too many frames that are not calls, cutting it");
            return Poll::Ready(Err(io::ErrorKind::QuotaExceeded.into()));
        }
        if self.silence.is_some() {
            self.heard += heard.len();
            if self.heard >= FIRST_WORDS {
                self.silence = None;
            }
        }
        if let Some(silence) = &mut self.silence
            && silence.as_mut().poll(cx).is_ready()
        {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        read
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.line.check(cx)?;
        let written = ready!(Pin::new(&mut self.stream).poll_write(cx, buf))?;
        self.frames.sent(written);
        Poll::Ready(Ok(written))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
