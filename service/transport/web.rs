//! Browsers: gRPC-Web and CORS on the same port, out of the way of everybody else.

use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use futures_util::future::Either;
use http::{HeaderName, HeaderValue, Method, Request, Response, Version, header};
use tonic::body::Body;
use tonic_web::GrpcWebLayer;
use tower::{Layer, Service, ServiceExt as _};
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
                .map(|origin| origin.parse().map_err(|_| origin.to_owned()))
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
}

impl<S> Layer<S> for WebLayer {
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

impl<S> Service<Request<Body>> for Web<S>
where
    S: Service<Request<Body>, Response = Response<Body>> + Clone + Send + 'static,
    S::Future: Send,
    S::Error: Send,
{
    type Response = Response<Body>;
    type Error = S::Error;
    // A browser's future is large and rare: boxed, it does not weigh on the others.
    type Future =
        Either<S::Future, Pin<Box<dyn Future<Output = Result<Response<Body>, S::Error>> + Send>>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        if !from_browser(&request) {
            return Either::Left(self.inner.call(request));
        }
        let browsers = self
            .cors
            .layer(GrpcWebLayer::new().layer(self.inner.clone()));
        Either::Right(Box::pin(browsers.oneshot(request)))
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
