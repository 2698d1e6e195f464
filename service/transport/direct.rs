//! One service past the router: the way of nearly all calls is a comparison of their path, and not a walk through routes.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use futures_util::future::Either;
use http::{Request, Response};
use tonic::{body::Body, server::NamedService};
use tower::{Layer, Service};

/// Sends the calls of service `D` straight to it, and all others on their way.
#[derive(Clone, Debug)]
pub struct DirectLayer<D>(D);

impl<D> DirectLayer<D> {
    /// For this service.
    #[must_use]
    pub fn new(service: D) -> Self {
        Self(service)
    }
}

impl<D: Clone, S> Layer<S> for DirectLayer<D> {
    type Service = Direct<D, S>;

    fn layer(&self, others: S) -> Self::Service {
        Direct {
            service: self.0.clone(),
            others,
        }
    }
}

/// What [`DirectLayer`] makes of the services behind it.
#[derive(Clone, Debug)]
pub struct Direct<D, S> {
    service: D,
    others: S,
}

impl<D, S, B> Service<Request<B>> for Direct<D, S>
where
    S: Service<Request<B>, Response = Response<Body>>,
    // As all generated services are, it is always ready.
    D: Service<Request<B>, Response = S::Response, Error = S::Error> + NamedService,
{
    type Response = S::Response;
    type Error = S::Error;
    // What waits in the router is large and rare: boxed, it does not weigh on the others.
    type Future = Either<D::Future, Pin<Box<S::Future>>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.others.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let method = request
            .uri()
            .path()
            .strip_prefix('/')
            .and_then(|path| path.strip_prefix(D::NAME));
        if method.is_some_and(|method| method.starts_with('/')) {
            Either::Left(self.service.call(request))
        } else {
            Either::Right(Box::pin(self.others.call(request)))
        }
    }
}
