//! The short road of the method that is called most: a submission that arrives in one piece is answered in one piece.
//! tonic's own road takes requests and replies of any kind, and prepares for all of them: a fifth of the CPU of a short
//! call. Whatever does not arrive as nearly all submissions do takes that road.

use std::{
    convert::Infallible,
    fmt,
    future::Future,
    mem,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use bytes::Bytes;
use futures_util::future::Either;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, header::CONTENT_TYPE};
use http_body::{Body as HttpBody, Frame};
use prost::Message as _;
use tonic::{
    Status,
    body::Body,
    codec::{Codec as _, EncodeBody, SingleMessageCompressionOverride},
    codegen::BoxFuture,
    metadata::MetadataMap,
    server::NamedService,
};
use tower::{BoxError, Service};

use super::{Codec, Sessions, token::bearer};
use crate::{
    config::Limits,
    encoding,
    pb::v1::{
        SubmitActionRequest, SubmitActionResponse, session_service_server::SessionServiceServer,
    },
};

const SUBMIT_ACTION: &str = "/tavola.v1.SessionService/SubmitAction";

static GRPC_ENCODING: HeaderName = HeaderName::from_static("grpc-encoding");
static GRPC_STATUS: HeaderName = HeaderName::from_static("grpc-status");
const GRPC: HeaderValue = HeaderValue::from_static("application/grpc");
const OK: HeaderValue = HeaderValue::from_static("0");

/// The service of sessions, with a short road to SubmitAction.
#[derive(Clone, Debug)]
pub struct ShortRoad(Arc<Roads>);

#[derive(Debug)]
struct Roads {
    sessions: Arc<Sessions>,
    long: SessionServiceServer<Sessions>,
    request_max: usize,
    response_max: usize,
}

impl ShortRoad {
    /// Serves these sessions, with messages of the sizes that are allowed.
    #[must_use]
    pub fn new(sessions: Sessions, limits: &Limits) -> Self {
        let sessions = Arc::new(sessions);
        let (request_max, response_max) = limits.message_bytes();
        let long = SessionServiceServer::from_arc(Arc::clone(&sessions))
            .max_decoding_message_size(request_max)
            .max_encoding_message_size(response_max);
        Self(Arc::new(Roads {
            sessions,
            long,
            request_max,
            response_max,
        }))
    }
}

impl Roads {
    /// What a submission is answered.
    fn reply(&self, submitted: Result<Written, Status>) -> Response<Body> {
        let body = match submitted {
            Err(status) => return status.into_http(),
            Ok(Written::Small(message)) => Body::new(Reply {
                message: Some(message),
                ended: false,
            }),
            Ok(Written::Large(message)) => Body::new(EncodeBody::new_server(
                Codec::<SubmitActionResponse, SubmitActionRequest>::default().encoder(),
                tokio_stream::once(Ok(*message)),
                None,
                SingleMessageCompressionOverride::default(),
                Some(self.response_max),
            )),
        };
        let mut reply = Response::new(body);
        reply.headers_mut().insert(CONTENT_TYPE, GRPC);
        reply
    }
}

/// A reply on its way.
enum Written {
    /// As it is sent.
    Small(Bytes),
    Large(Box<SubmitActionResponse>),
}

impl From<SubmitActionResponse> for Written {
    fn from(message: SubmitActionResponse) -> Self {
        match encoding::framed(&message) {
            Some(message) => Self::Small(message),
            None => Self::Large(Box::new(message)),
        }
    }
}

impl NamedService for ShortRoad {
    const NAME: &'static str = <SessionServiceServer<Sessions> as NamedService>::NAME;
}

impl<B> Service<Request<B>> for ShortRoad
where
    B: HttpBody<Data = Bytes, Error: Into<BoxError> + Send + Unpin> + Send + Unpin + 'static,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Either<BoxFuture<Self::Response, Infallible>, Call<B>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        if request.uri().path() == SUBMIT_ACTION && !request.headers().contains_key(&GRPC_ENCODING)
        {
            Either::Right(Call {
                roads: Arc::clone(&self.0),
                request: Some(request),
                road: None,
            })
        } else {
            Either::Left(self.0.long.clone().call(request))
        }
    }
}

/// A submission under way.
pub struct Call<B> {
    roads: Arc<Roads>,
    // None once a road is chosen.
    request: Option<Request<B>>,
    road: Option<Road>,
}

impl<B> fmt::Debug for Call<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Call")
    }
}

enum Road {
    Short(Pin<Box<dyn Future<Output = Result<Written, Status>> + Send>>),
    Long(BoxFuture<Response<Body>, Infallible>),
}

impl<B> Future for Call<B>
where
    B: HttpBody<Data = Bytes, Error: Into<BoxError> + Send + Unpin> + Send + Unpin + 'static,
{
    type Output = Result<Response<Body>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Self {
            roads,
            request,
            road,
        } = &mut *self;
        if let Some(request) = request.take() {
            *road = Some(choose(roads, request, cx));
        }
        match road {
            Some(Road::Short(submitted)) => {
                let submitted = ready!(submitted.as_mut().poll(cx));
                Poll::Ready(Ok(roads.reply(submitted)))
            }
            Some(Road::Long(call)) => call.as_mut().poll(cx),
            None => Poll::Pending,
        }
    }
}

/// Chooses the road by what has arrived.
fn choose<B>(roads: &Arc<Roads>, request: Request<B>, cx: &mut Context<'_>) -> Road
where
    B: HttpBody<Data = Bytes, Error: Into<BoxError> + Send + Unpin> + Send + Unpin + 'static,
{
    let long = || roads.long.clone();
    let (parts, mut body) = request.into_parts();
    let Poll::Ready(first) = Pin::new(&mut body).poll_frame(cx) else {
        return Road::Long(long().call(Request::from_parts(parts, body)));
    };
    let message = match &first {
        Some(Ok(frame)) if body.is_end_stream() => frame
            .data_ref()
            .and_then(|data| whole_message(data, roads.request_max)),
        _ => None,
    };
    // What a page sends may end in the middle of its Base64.
    let message = message.filter(|_| {
        let rest = Pin::new(&mut body).poll_frame(cx);
        matches!(rest, Poll::Ready(None))
    });
    let Some(message) = message else {
        let body = Begun {
            first: Some(first),
            rest: body,
        };
        return Road::Long(long().call(Request::from_parts(parts, body)));
    };
    let token = bearer(&MetadataMap::from_headers(parts.headers));
    let roads = Arc::clone(roads);
    Road::Short(Box::pin(async move {
        roads.sessions.submit(token?, message, Written::from).await
    }))
}

/// The message of a request that has nothing else, not compressed and not too large.
fn whole_message(data: &Bytes, max: usize) -> Option<SubmitActionRequest> {
    let (compressed, framed) = data.split_first()?;
    let (length, message) = framed.split_first_chunk()?;
    let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
    if *compressed != 0 || length != message.len() || length > max {
        return None;
    }
    SubmitActionRequest::decode(message).ok()
}

/// What a body hands out: a frame, an error, or nothing at its end.
type Part<E> = Option<Result<Frame<Bytes>, E>>;

/// A body whose first part has been read.
struct Begun<B: HttpBody> {
    first: Option<Part<B::Error>>,
    rest: B,
}

impl<B: HttpBody<Data = Bytes, Error: Unpin> + Unpin> HttpBody for Begun<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Part<B::Error>> {
        match self.first.take() {
            Some(first) => Poll::Ready(first),
            None => Pin::new(&mut self.rest).poll_frame(cx),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.first.is_none() && self.rest.is_end_stream()
    }
}

/// A reply of one small message, and that all went well.
struct Reply {
    message: Option<Bytes>,
    ended: bool,
}

impl HttpBody for Reply {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Part<Infallible>> {
        if let Some(message) = self.message.take() {
            return Poll::Ready(Some(Ok(Frame::data(message))));
        }
        if mem::replace(&mut self.ended, true) {
            return Poll::Ready(None);
        }
        let mut trailers = HeaderMap::with_capacity(1);
        trailers.insert(GRPC_STATUS.clone(), OK);
        Poll::Ready(Some(Ok(Frame::trailers(trailers))))
    }

    fn is_end_stream(&self) -> bool {
        self.ended
    }
}
