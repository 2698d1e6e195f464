//! Browsers: gRPC-Web and CORS on the same port, out of the way of everybody else.

use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use bytes::Bytes;
use futures_util::future::Either;
use http::{HeaderName, HeaderValue, Method, Request, Response, Version, header, uri::Authority};
use tonic::body::Body;
use tonic_web::GrpcWebLayer;
use tower::{BoxError, Layer, Service, ServiceExt as _};
use tower_http::cors::{AllowHeaders, AllowOrigin, Any, CorsLayer};

/// What a page may read of a reply: the headers and trailers of gRPC.
const EXPOSED: [HeaderName; 3] = [
    HeaderName::from_static("grpc-status"),
    HeaderName::from_static("grpc-message"),
    HeaderName::from_static("grpc-status-details-bin"),
];

/// How long a browser may remember that it was allowed to call.
const PREFLIGHT_MAX_AGE: std::time::Duration = std::time::Duration::from_secs(24 * 60 * 60);

/// Serves gRPC-Web beside gRPC. Calls that do not come from a browser pass it by at the price of one look at their
/// headers.
#[derive(Clone, Debug)]
pub struct WebLayer {
    cors: Arc<CorsLayer>,
}

impl WebLayer {
    /// Lets pages from `origins` call: comma-separated, `*` for any, empty for none.
    ///
    /// # Errors
    /// The origin that cannot be one.
    pub fn new(origins: &str) -> Result<Self, String> {
        let origins: Vec<_> = origins
            .split(',')
            .map(str::trim)
            .filter(|origin| !origin.is_empty())
            .collect();
        let allowed = if origins.contains(&"*") {
            AllowOrigin::from(Any)
        } else {
            let origins: Result<Vec<HeaderValue>, _> = origins
                .into_iter()
                .map(|text| origin(text).ok_or_else(|| text.to_owned()))
                .collect();
            AllowOrigin::list(origins?)
        };
        let cors = CorsLayer::new()
            .allow_origin(allowed)
            .allow_methods([Method::POST])
            // Whatever the page asks to send: "any" would leave out `authorization`.
            .allow_headers(AllowHeaders::mirror_request())
            .expose_headers(EXPOSED)
            .max_age(PREFLIGHT_MAX_AGE);
        Ok(Self {
            cors: Arc::new(cors),
        })
    }

    /// The same, sharing nothing with this one.
    #[must_use]
    pub fn unshared(&self) -> Self {
        Self {
            cors: Arc::new((*self.cors).clone()),
        }
    }
}

/// An origin as a browser sends it: `scheme://host`, with a port where it is not the scheme's own. Anything else would
/// never be equal to one, and its page would be turned away without a word.
fn origin(text: &str) -> Option<HeaderValue> {
    let (scheme, host_and_port) = text.split_once("://")?;
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|char| char.is_ascii_alphanumeric() || "+-.".contains(char));
    let authority: Authority = host_and_port.parse().ok()?;
    let host = authority.host();
    let is_host = !host.is_empty() && !host.contains('*');
    let named = match authority.port_u16() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    };
    (is_scheme && is_host && named == host_and_port)
        .then(|| text.parse().ok())
        .flatten()
}

impl<S: Clone> Layer<S> for WebLayer {
    type Service = Web<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Web {
            inner,
            cors: Arc::clone(&self.cors),
        }
    }
}

/// What [`WebLayer`] makes of a service.
#[derive(Clone, Debug)]
pub struct Web<S> {
    inner: S,
    cors: Arc<CorsLayer>,
}

impl<S, B, E> Service<Request<B>> for Web<S>
where
    S: Service<Request<B>, Response = Response<Body>, Error = E>,
    // Calls of browsers are translated, and have another body then.
    S: Service<Request<Body>, Response = Response<Body>, Error = E, Future: Send>,
    S: Clone + Send + 'static,
    B: http_body::Body<Data = Bytes, Error: Into<BoxError>> + Send + 'static,
    E: Send + 'static,
{
    type Response = Response<Body>;
    type Error = E;
    // A browser's future is large and rare: boxed, it does not weigh on the others.
    type Future = Either<
        <S as Service<Request<B>>>::Future,
        Pin<Box<dyn Future<Output = Result<Response<Body>, E>> + Send>>,
    >;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        <S as Service<Request<B>>>::poll_ready(&mut self.inner, cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        if !from_browser(&request) {
            return Either::Left(self.inner.call(request));
        }
        let browsers = self
            .cors
            .layer(GrpcWebLayer::new().layer(self.inner.clone()));
        Either::Right(Box::pin(browsers.oneshot(request.map(Body::new))))
    }
}

/// HTTP/1 is only spoken for browsers; over HTTP/2 they are known by their content type or by asking for permission.
fn from_browser<B>(request: &Request<B>) -> bool {
    request.version() != Version::HTTP_2
        || request.method() == Method::OPTIONS
        || request
            .headers()
            .get(header::CONTENT_TYPE)
            .is_some_and(|kind| kind.as_bytes().starts_with(b"application/grpc-web"))
}
