//! Serves HTTP on the connections of one event loop.
//!
//! tonic's own server would do the same; it boxes each call with a copy of all that it goes through.

use std::{
    cell::RefCell,
    convert::Infallible,
    future::{Future as _, pending, poll_fn},
    pin::pin,
    time::Duration,
};

use bytes::Bytes;
use http::{Request, Response};
use http_body::Body;
use hyper::body::Incoming as RequestBody;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::conn::auto,
};
use tokio::{
    sync::mpsc,
    time::{Instant, sleep_until},
};
use tower::{BoxError, Service};

use super::{
    Connection, Incoming, Line,
    begin::{Begin, poll_and_begin},
    keepalive::RareTimer,
};
use crate::{config::Limits, shutdown::Shutdown};

/// Bytes that are gathered of a connection with HTTP/1, where its headers may not be longer.
const HTTP1_BUFFER_MIN: usize = 16 << 10;

/// Calls that a peer may begin against what it was told, in the life of a connection: each is taken back at once, and
/// that costs something.
const RESETS_MAX: usize = 1024;

/// HTTP as it is spoken here.
#[derive(Clone, Debug)]
pub struct Http {
    builder: auto::Builder<Begin>,
    /// How old a connection may become, and how much longer it may take to go.
    age_max: Option<(Duration, Duration)>,
}

impl Http {
    /// Within these limits.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        let seconds = |seconds: u32| Duration::from_secs(seconds.into());
        let mut builder = auto::Builder::new(Begin);
        let header_max = usize::try_from(limits.header_bytes_max).unwrap_or(usize::MAX);
        builder
            .http1()
            // With a timer, the headers have a deadline.
            .timer(TokioTimer::new())
            .max_buf_size(header_max.max(HTTP1_BUFFER_MIN));
        builder
            .http2()
            .timer(RareTimer)
            .max_concurrent_streams(limits.streams_per_connection_max)
            // Whoever takes back all calls that it may have open at once is in a hurry; more at once is an attack.
            .max_pending_accept_reset_streams(
                usize::try_from(limits.streams_per_connection_max).ok(),
            )
            .max_local_error_reset_streams(RESETS_MAX)
            .initial_stream_window_size(limits.stream_window_bytes)
            .initial_connection_window_size(limits.connection_window_bytes)
            .max_header_list_size(limits.header_bytes_max)
            .keep_alive_interval(seconds(limits.keepalive_interval_s))
            .keep_alive_timeout(seconds(limits.keepalive_timeout_s));
        let age_max_s = limits.connection_age_max_s;
        let grace = seconds(limits.connection_age_grace_s);
        Self {
            builder,
            age_max: (age_max_s > 0).then(|| (seconds(age_max_s), grace)),
        }
    }

    /// Serves what comes in until the shutdown begins, and then until all connections are closed. Each has services of
    /// its own, which must be ready at all times.
    pub async fn serve<S, R>(
        &self,
        incoming: Incoming,
        services: impl Fn(Line) -> S,
        shutdown: &Shutdown,
    ) where
        S: Service<Request<RequestBody>, Response = Response<R>> + Send + 'static,
        S::Future: Send + 'static,
        S::Error: Into<BoxError>,
        R: Body<Data = Bytes> + Send + 'static,
        R::Error: Into<BoxError>,
    {
        // Whoever is open holds a sender; when none is left, all are closed.
        let (open, mut all_closed) = mpsc::channel::<Infallible>(1);
        // The connections wait for a word of this event loop: what all loops wait at they would have to share.
        let (ending, end) = crate::shutdown::channel();
        let mut going = pin!(shutdown.wait());
        loop {
            let connection = tokio::select! {
                biased;
                () = &mut going => break,
                connection = incoming.next() => connection,
            };
            let services = Services(RefCell::new(services(connection.line().clone())));
            let (http, end, open) = (self.clone(), end.clone(), open.clone());
            tokio::spawn(async move {
                http.connection(connection, services, &end).await;
                drop(open);
            });
        }
        ending.begin();
        // Whoever connects from now on is told at once that nobody listens.
        drop((incoming, open));
        while all_closed.recv().await.is_some() {}
    }

    /// Serves one connection to its end. It is asked to go when the shutdown begins or it is too old.
    async fn connection<S, R>(
        &self,
        connection: Connection,
        services: Services<S>,
        shutdown: &Shutdown,
    ) where
        S: Service<Request<RequestBody>, Response = Response<R>> + Send + 'static,
        S::Future: Send + 'static,
        S::Error: Into<BoxError>,
        R: Body<Data = Bytes> + Send + 'static,
        R::Error: Into<BoxError>,
    {
        let began = Instant::now();
        let (too_old, cut) = match self.age_max {
            Some((age, grace)) => (began.checked_add(age), began.checked_add(age + grace)),
            None => (None, None),
        };
        let mut connection = pin!(
            self.builder
                .serve_connection(TokioIo::new(connection), services)
        );
        let ended = tokio::select! {
            biased;
            ended = poll_fn(|cx| poll_and_begin(|| connection.as_mut().poll(cx))) => Some(ended),
            () = shutdown.wait() => None,
            () = until(too_old) => None,
        };
        let ended = match ended {
            Some(ended) => ended,
            None => {
                connection.as_mut().graceful_shutdown();
                tokio::select! {
                    biased;
                    ended = poll_fn(|cx| poll_and_begin(|| connection.as_mut().poll(cx))) => ended,
                    () = until(cut) => {
                        tracing::debug!("a connection is too old and does not go, cutting it");
                        return;
                    }
                }
            }
        };
        if let Err(error) = ended {
            tracing::debug!(%error, "a connection failed");
        }
    }
}

async fn until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline).await,
        None => pending().await,
    }
}

/// The services of one connection. They are always ready, and called by one at a time.
struct Services<S>(RefCell<S>);

impl<S: Service<Request<RequestBody>>> hyper::service::Service<Request<RequestBody>>
    for Services<S>
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn call(&self, request: Request<RequestBody>) -> Self::Future {
        self.0.borrow_mut().call(request)
    }
}
