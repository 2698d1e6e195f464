//! Replies that nobody reads: they keep their place and their bytes only for so long.
//!
//! A reply that its peer has no room for is not asked for its next part, so it cannot notice by itself. Each event loop
//! keeps a list of the replies that wait and looks through it once a second.

use std::{
    collections::HashMap,
    future::Future,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use bytes::Bytes;
use http::{Request, Response};
use http_body::{Body, Frame, SizeHint};
use parking_lot::Mutex;
use pin_project_lite::pin_project;
use slab::Slab;
use tower::Service;

use super::Line;
use crate::{config::Limits, session::Place};

/// A part of a reply below this size is not worth a look: a connection has only so many calls.
const SMALL_BYTES: usize = 1024;

/// A peer that takes so many bytes a second is slow and not stalled: it has more time for more.
const SLOWEST_BYTES_PER_S: u32 = 8 << 10;

/// The replies of one event loop that may wait to be read.
#[derive(Clone, Debug)]
pub struct UnreadReplies(Arc<Unread>);

#[derive(Debug)]
struct Unread {
    replies: Mutex<Slab<Arc<Reply>>>,
    /// Seconds since the start.
    clock_s: AtomicU32,
    write_stall_s: u32,
    stalled_bytes_max: u32,
}

/// A reply that was asked for its next part, or not.
#[derive(Debug)]
struct Reply {
    /// When it handed out a part, or [`ASKED`] once it was asked for more.
    handed_out_s: AtomicU32,
    /// The size of that part.
    bytes: AtomicU32,
    line: Line,
    place: Option<Arc<Place>>,
}

const ASKED: u32 = u32::MAX;

impl UnreadReplies {
    /// Without replies. [`Self::watch`] has to run, too.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        Self(Arc::new(Unread {
            replies: Mutex::default(),
            clock_s: AtomicU32::new(0),
            write_stall_s: limits.write_stall_s,
            stalled_bytes_max: limits.stalled_bytes_max,
        }))
    }

    /// Watches the replies of a service to the calls that come over one connection.
    pub fn watch_over<S>(&self, line: Line, inner: S) -> Watched<S> {
        let unread = Arc::clone(&self.0);
        Watched {
            inner,
            over: Arc::new(Over { unread, line }),
        }
    }

    /// Looks through the replies once a second, for ever.
    pub async fn watch(&self) {
        let mut second = tokio::time::interval(Duration::from_secs(1));
        loop {
            second.tick().await;
            self.0.clock_s.fetch_add(1, Ordering::Relaxed);
            self.0.sweep();
        }
    }
}

impl Unread {
    /// Streams that are not read lose their place; connections that leave much unread for twice as long are cut.
    fn sweep(&self) {
        let now_s = self.clock_s.load(Ordering::Relaxed);
        let mut stalled: HashMap<usize, (Line, u32)> = HashMap::new();
        let mut leaving = Vec::new();
        for (_, reply) in self.replies.lock().iter() {
            let bytes = reply.bytes.load(Ordering::Relaxed);
            let since_s = match reply.handed_out_s.load(Ordering::Relaxed) {
                ASKED => continue,
                handed_out_s => now_s
                    .saturating_sub(handed_out_s)
                    .saturating_sub(bytes / SLOWEST_BYTES_PER_S),
            };
            if since_s >= self.write_stall_s {
                leaving.extend(reply.place.clone());
            }
            if since_s >= self.write_stall_s.saturating_mul(2) {
                let (_, of_line) = stalled
                    .entry(reply.line.number())
                    .or_insert_with(|| (reply.line.clone(), 0));
                *of_line = of_line.saturating_add(bytes);
            }
        }
        for place in leaving {
            place.give_up();
        }
        for (line, bytes) in stalled.into_values() {
            if bytes > self.stalled_bytes_max {
                tracing::debug!(bytes, "a connection does not read its replies, cutting it");
                line.cut();
            }
        }
    }
}

/// Where the replies of a connection are listed.
#[derive(Debug)]
struct Over {
    unread: Arc<Unread>,
    line: Line,
}

/// What [`UnreadReplies`] makes of a service.
#[derive(Debug)]
pub struct Watched<S> {
    inner: S,
    over: Arc<Over>,
}

impl<S, B, R> Service<Request<B>> for Watched<S>
where
    S: Service<Request<B>, Response = Response<R>>,
{
    type Response = Response<WatchedBody<R>>;
    type Error = S::Error;
    type Future = WatchedCall<S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        WatchedCall {
            call: self.inner.call(request),
            over: Some(Arc::clone(&self.over)),
        }
    }
}

pin_project! {
    /// The future of a call through [`Watched`].
    #[derive(Debug)]
    pub struct WatchedCall<F> {
        #[pin]
        call: F,
        // None once the reply has begun.
        over: Option<Arc<Over>>,
    }
}

impl<F, R, E> Future for WatchedCall<F>
where
    F: Future<Output = Result<Response<R>, E>>,
{
    type Output = Result<Response<WatchedBody<R>>, E>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let reply = ready!(this.call.poll(cx))?;
        let place = reply.extensions().get::<Arc<Place>>().cloned();
        let over = this.over.take();
        Poll::Ready(Ok(reply.map(|body| WatchedBody {
            body,
            waiting: Waiting::Not(place),
            over,
        })))
    }
}

pin_project! {
    /// The body of a reply that is watched as soon as it has handed out something worth it.
    #[derive(Debug)]
    pub struct WatchedBody<R> {
        #[pin]
        body: R,
        waiting: Waiting,
        over: Option<Arc<Over>>,
    }

    impl<R> PinnedDrop for WatchedBody<R> {
        fn drop(this: Pin<&mut Self>) {
            let this = this.project();
            if let (Waiting::Listed { key, .. }, Some(over)) = (this.waiting, this.over) {
                over.unread.replies.lock().try_remove(*key);
            }
        }
    }
}

#[derive(Debug)]
enum Waiting {
    /// Nothing worth it has been handed out yet.
    Not(Option<Arc<Place>>),
    /// It is on the list.
    Listed { key: usize, reply: Arc<Reply> },
}

impl Waiting {
    fn asked(&self) {
        if let Self::Listed { reply, .. } = self {
            reply.handed_out_s.store(ASKED, Ordering::Relaxed);
        }
    }

    fn handed_out(&mut self, bytes: usize, Over { unread, line }: &Over) {
        let now_s = unread.clock_s.load(Ordering::Relaxed);
        let bytes_in_all = u32::try_from(bytes).unwrap_or(u32::MAX);
        match self {
            Self::Listed { reply, .. } => {
                reply.bytes.store(bytes_in_all, Ordering::Relaxed);
                reply.handed_out_s.store(now_s, Ordering::Relaxed);
            }
            Self::Not(None) if bytes < SMALL_BYTES => {}
            Self::Not(place) => {
                let reply = Arc::new(Reply {
                    handed_out_s: AtomicU32::new(now_s),
                    bytes: AtomicU32::new(bytes_in_all),
                    line: line.clone(),
                    place: place.take(),
                });
                let key = unread.replies.lock().insert(Arc::clone(&reply));
                *self = Self::Listed { key, reply };
            }
        }
    }
}

impl<R: Body<Data = Bytes>> Body for WatchedBody<R> {
    type Data = Bytes;
    type Error = R::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let this = self.project();
        this.waiting.asked();
        let frame = ready!(this.body.poll_frame(cx));
        if let (Some(Ok(frame)), Some(over)) = (&frame, this.over)
            && let Some(data) = frame.data_ref()
        {
            this.waiting.handed_out(data.len(), over);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
