//! The gate that every call passes: so many at once, each until its reply begins only so long, and none that cannot be
//! read.

use std::{
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use http::{Request, Response};
use pin_project_lite::pin_project;
use tokio::time::Sleep;
use tonic::{Status, body::Body};
use tower::{Layer, Service};

use super::{
    measured::{Measure, OwnMetrics},
    patience::patience,
};
use crate::{config::Limits, error::Error, metrics::Metrics};

/// Refuses calls beyond a limit at once, and ends those that take longer than they may or than their clients wait. A call that is answered without waiting, as
/// nearly all are, pays for two counts and no timer.
#[derive(Clone, Debug)]
pub struct GateLayer(Arc<Gate>);

#[derive(Debug)]
struct Gate {
    calls: AtomicU32,
    /// How many of the server's calls may pass here.
    share: u32,
    /// How many the whole server takes: what a refusal names.
    calls_max: u32,
    timeout: Duration,
    request_bytes_max: u32,
    /// Where calls are counted, if they are.
    metrics: Option<Arc<OwnMetrics>>,
}

impl GateLayer {
    /// At most `share` calls at once, each with so much time until its reply begins as `limits` says; counted in
    /// `metrics`, if there are any.
    #[must_use]
    pub fn new(limits: &Limits, share: u32, metrics: Option<Arc<Metrics>>) -> Self {
        Self(Arc::new(Gate {
            calls: AtomicU32::new(0),
            share,
            calls_max: limits.calls_max,
            timeout: limits.call_timeout(),
            request_bytes_max: limits.request_bytes_max,
            metrics: metrics.map(|metrics| Arc::new(OwnMetrics(metrics))),
        }))
    }
}

impl<S> Layer<S> for GateLayer {
    type Service = Gated<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Gated {
            inner,
            gate: Arc::clone(&self.0),
        }
    }
}

/// What [`GateLayer`] makes of a service.
#[derive(Clone, Debug)]
pub struct Gated<S> {
    inner: S,
    gate: Arc<Gate>,
}

impl<S, B> Service<Request<B>> for Gated<S>
where
    S: Service<Request<B>, Response = Response<Body>>,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = GatedCall<S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let counted = Counted::new(&self.gate);
        let metrics = self.gate.metrics.as_ref();
        let measure = metrics.map(|metrics| Measure::begin(metrics, request.uri().path()));
        let allowed = self.gate.timeout;
        let timeout = patience(request.headers()).map_or(allowed, |asked| asked.min(allowed));
        // A panic in here would end the connection with all its calls.
        let begin = || catch_unwind(AssertUnwindSafe(|| self.inner.call(request))).ok();
        let call = counted.within_limit.then(begin).flatten();
        GatedCall {
            call,
            timeout,
            timer: None,
            counted,
            measure,
        }
    }
}

/// One call, counted for as long as it waits for its reply.
#[derive(Debug)]
struct Counted {
    gate: Arc<Gate>,
    within_limit: bool,
}

impl Counted {
    fn new(gate: &Arc<Gate>) -> Self {
        let others = gate.calls.fetch_add(1, Ordering::Relaxed);
        Self {
            gate: Arc::clone(gate),
            within_limit: others < gate.share,
        }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.gate.calls.fetch_sub(1, Ordering::Relaxed);
    }
}

pin_project! {
    /// The future of a call through the gate.
    #[derive(Debug)]
    pub struct GatedCall<F> {
        // None: refused, or it panicked as it began.
        #[pin]
        call: Option<F>,
        timeout: Duration,
        timer: Option<Pin<Box<Sleep>>>,
        counted: Counted,
        // Taken when the reply begins.
        measure: Option<Measure>,
    }
}

impl<F, E> Future for GatedCall<F>
where
    F: Future<Output = Result<Response<Body>, E>>,
{
    type Output = Result<Response<Body>, E>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let gate = &this.counted.gate;
        let reply = match this.call.as_pin_mut() {
            None if this.counted.within_limit => Ok(refusal(Error::internal("a call panicked"))),
            None => Ok(refusal(Error::LimitReached {
                limit: "calls_max",
                max: gate.calls_max.into(),
            })),
            Some(call) => {
                // A call that panics is answered like any fault of ours; the connection and its other calls go on.
                match catch_unwind(AssertUnwindSafe(|| call.poll(cx))) {
                    Ok(Poll::Ready(reply)) => {
                        reply.map(|reply| in_our_words(reply, gate.request_bytes_max))
                    }
                    Ok(Poll::Pending) => {
                        let timer = this
                            .timer
                            .get_or_insert_with(|| Box::pin(tokio::time::sleep(*this.timeout)));
                        ready!(timer.as_mut().poll(cx));
                        Ok(refusal(Error::TimedOut))
                    }
                    Err(_) => Ok(refusal(Error::internal("a call panicked"))),
                }
            }
        };
        Poll::Ready(match this.measure.take() {
            Some(measure) => reply.map(|reply| measure.reply(reply)),
            None => reply,
        })
    }
}

/// A refusal that the transport made by itself says why as all others do; any other reply is left as it is.
fn in_our_words(reply: Response<Body>, request_bytes_max: u32) -> Response<Body> {
    let status = reply.extensions().get::<Status>();
    match status.and_then(|status| Error::unreadable(status, request_bytes_max)) {
        Some(error) => refusal(error),
        None => reply,
    }
}

fn refusal(error: Error) -> Response<Body> {
    Status::from(error).into_http()
}

#[cfg(test)]
mod tests {
    use std::{convert::Infallible, future::pending};

    use tower::{ServiceExt as _, service_fn};

    use super::*;
    use crate::config::{Config, Parsed};

    fn gate() -> GateLayer {
        match Config::read(["tavola".into()]) {
            Ok(Parsed::Config(config)) => GateLayer::new(&config.limits, 1, None),
            other => unreachable!("these are flags: {other:?}"),
        }
    }

    fn status(reply: &Response<Body>) -> String {
        reply.headers()["grpc-status"].to_str().unwrap().to_owned()
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_that_waits_too_long_is_ended_and_makes_room() {
        let gate = gate();
        let stuck = gate.layer(service_fn(|_| {
            pending::<Result<Response<Body>, Infallible>>()
        }));
        let first = tokio::spawn(stuck.clone().oneshot(Request::<Body>::default()));
        tokio::task::yield_now().await;
        let second = stuck
            .clone()
            .oneshot(Request::<Body>::default())
            .await
            .unwrap();
        assert_eq!(
            status(&second),
            "8",
            "RESOURCE_EXHAUSTED: one is in already"
        );
        assert_eq!(
            status(&first.await.unwrap().unwrap()),
            "4",
            "DEADLINE_EXCEEDED"
        );
        assert_eq!(gate.0.calls.load(Ordering::Relaxed), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_ends_when_its_client_waits_no_longer() {
        let stuck = gate().layer(service_fn(|_| {
            pending::<Result<Response<Body>, Infallible>>()
        }));
        for (timeout, ms) in [("70m", 70), ("1H", 5_000), ("soon", 5_000)] {
            let request = Request::builder().header("grpc-timeout", timeout);
            let request = request.body(Body::empty()).unwrap();
            let began = tokio::time::Instant::now();
            let reply = stuck.clone().oneshot(request).await.unwrap();
            assert_eq!(status(&reply), "4", "DEADLINE_EXCEEDED");
            assert_eq!(began.elapsed().as_millis(), ms, "{timeout}");
        }
    }

    #[tokio::test]
    async fn a_call_that_panics_is_answered_and_makes_room() {
        let gate = gate();
        let faulty = gate.layer(service_fn(
            async |_| -> Result<Response<Body>, Infallible> { panic!("a fault of ours") },
        ));
        for _ in 0..2 {
            let reply = faulty
                .clone()
                .oneshot(Request::<Body>::default())
                .await
                .unwrap();
            assert_eq!(status(&reply), "13", "INTERNAL");
            assert_eq!(gate.0.calls.load(Ordering::Relaxed), 0);
        }
    }

    #[tokio::test]
    async fn a_call_that_is_dropped_makes_room() {
        let gate = gate();
        let stuck = gate.layer(service_fn(|_| {
            pending::<Result<Response<Body>, Infallible>>()
        }));
        let mut call = Box::pin(stuck.oneshot(Request::<Body>::default()));
        assert!(
            futures_util::future::poll_immediate(&mut call)
                .await
                .is_none()
        );
        assert_eq!(gate.0.calls.load(Ordering::Relaxed), 1);
        drop(call);
        assert_eq!(gate.0.calls.load(Ordering::Relaxed), 0);
    }
}
