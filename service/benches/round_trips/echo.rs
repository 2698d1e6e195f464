//! The bare tonic echo that the product is measured against, in its best setting: one current-thread runtime per core
//! on listeners that share a port, TCP_NODELAY on every connection, replies that are encoded from shared bytes, and
//! nothing else: no tokens, no sessions, no rules.
//!
//! The service is written as tonic would generate it, so that the contract has no second, private part. A request of the
//! product decodes here as it is: its first field is taken for the payload, the others are skipped.

use std::convert::Infallible;
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZero;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::thread;

use bytes::{Buf as _, BufMut as _, Bytes};
use prost::Message as _;
use socket2::{Domain, Socket, Type};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::broadcast;
use tokio_stream::wrappers::BroadcastStream;
use tonic::body::Body;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::codegen::tokio_stream::StreamExt;
use tonic::codegen::{BoxFuture, BoxStream, Service, http};
use tonic::server::{Grpc, NamedService, ServerStreamingService, StreamingService, UnaryService};
use tonic::transport::Server;
use tonic::transport::server::{Connected, TcpConnectInfo, TcpIncoming};
use tonic::{Request, Response, Status, Streaming};
use tonic_prost::ProstCodec;

use crate::disk::GroupCommit;

/// The path of the unary method.
pub(crate) const UNARY: &str = "/tavola.bench.Echo/Unary";
/// The path of the unary method that answers how long a bare commit took since it was asked last: the 99th percentile in
/// microseconds, in decimal.
pub(crate) const COMMIT_P99: &str = "/tavola.bench.Echo/CommitP99";
/// The path of the method that answers with all that is published from then on.
pub(crate) const LISTEN: &str = "/tavola.bench.Echo/Listen";
/// The path of the unary method that publishes the payload to all who listen.
pub(crate) const PUBLISH: &str = "/tavola.bench.Echo/Publish";
/// The path of the method that answers each message of a stream.
pub(crate) const PING_PONG: &str = "/tavola.bench.Echo/PingPong";

/// How the server's connections write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wire {
    /// As tokio's stream does: with vectored writes, which h2 fills frame by frame from 256 bytes on.
    Plain,
    /// Without vectored writes: h2 then gathers frames below 1 KiB into one write.
    Flat,
}

/// Serves replies of `reply_bytes` until the process is killed. Prints `listening on http://ADDR` once ready.
///
/// With a file to commit to, a call is answered when a record of it is on disk.
pub(crate) fn serve(reply_bytes: usize, wire: Wire, commit_to: Option<&Path>) -> io::Result<()> {
    let echo = Echo {
        payload: vec![0x5a; payload_bytes(reply_bytes)].into(),
        bus: broadcast::Sender::new(1024),
        commit: commit_to.map(GroupCommit::start).transpose()?,
    };
    let first = listener(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))?;
    let address = first.local_addr()?;
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let mut listeners = vec![first];
    for _ in 1..cores {
        listeners.push(listener(address)?);
    }
    println!("listening on http://{address}");
    io::stdout().flush()?;
    thread::scope(|scope| {
        let runtimes: Vec<_> = listeners
            .into_iter()
            .map(|listener| scope.spawn(|| run(listener, echo.clone(), wire)))
            .collect();
        runtimes.into_iter().try_for_each(|runtime| {
            runtime
                .join()
                .unwrap_or_else(|_| Err(io::ErrorKind::Other.into()))
        })
    })
}

/// The payload that makes a reply of `reply_bytes`: the rest are the field's tag and length.
fn payload_bytes(reply_bytes: usize) -> usize {
    let overhead = 1 + prost::length_delimiter_len(reply_bytes.saturating_sub(2));
    reply_bytes.saturating_sub(overhead)
}

/// A listener on a port that others may share.
fn listener(address: SocketAddr) -> io::Result<std::net::TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, None)?;
    socket.set_reuse_port(true)?;
    socket.set_nonblocking(true)?;
    socket.bind(&address.into())?;
    socket.listen(1024)?;
    Ok(socket.into())
}

/// Serves one listener on a runtime of its own.
fn run(listener: std::net::TcpListener, echo: Echo, wire: Wire) -> io::Result<()> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(async {
            let incoming =
                TcpIncoming::from(TcpListener::from_std(listener)?).with_nodelay(Some(true));
            let server = Server::builder().add_service(echo);
            match wire {
                Wire::Plain => server.serve_with_incoming(incoming).await,
                Wire::Flat => {
                    server
                        .serve_with_incoming(incoming.map(|stream| stream.map(Flat)))
                        .await
                }
            }
            .map_err(io::Error::other)
        })
}

/// A connection that offers no vectored write.
struct Flat(TcpStream);

impl Connected for Flat {
    type ConnectInfo = TcpConnectInfo;

    fn connect_info(&self) -> Self::ConnectInfo {
        self.0.connect_info()
    }
}

impl AsyncRead for Flat {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buf)
    }
}

impl AsyncWrite for Flat {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}

/// What is asked and what is answered.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Ping {
    #[prost(bytes = "bytes", tag = "1")]
    pub(crate) payload: Bytes,
}

/// The service: its answer to everything.
#[derive(Clone)]
struct Echo {
    payload: Bytes,
    /// What is published, encoded once.
    bus: broadcast::Sender<Bytes>,
    commit: Option<Arc<GroupCommit>>,
}

impl NamedService for Echo {
    const NAME: &'static str = "tavola.bench.Echo";
}

impl Service<http::Request<Body>> for Echo {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<Self::Response, Self::Error>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let echo = self.clone();
        match request.uri().path() {
            UNARY => {
                Box::pin(async move { Ok(Grpc::new(codec()).unary(Unary(echo), request).await) })
            }
            PING_PONG => {
                Box::pin(
                    async move { Ok(Grpc::new(codec()).streaming(PingPong(echo), request).await) },
                )
            }
            PUBLISH => {
                Box::pin(async move { Ok(Grpc::new(codec()).unary(Publish(echo), request).await) })
            }
            COMMIT_P99 => {
                Box::pin(
                    async move { Ok(Grpc::new(codec()).unary(CommitP99(echo), request).await) },
                )
            }
            LISTEN => Box::pin(async move {
                Ok(Grpc::new(Encoded)
                    .server_streaming(Listen(echo), request)
                    .await)
            }),
            _ => Box::pin(async { Ok(Status::unimplemented("no such method").into_http()) }),
        }
    }
}

fn codec() -> ProstCodec<Ping, Ping> {
    ProstCodec::default()
}

struct Unary(Echo);

impl UnaryService<Ping> for Unary {
    type Response = Ping;
    type Future = BoxFuture<Response<Ping>, Status>;

    fn call(&mut self, _: Request<Ping>) -> Self::Future {
        let payload = self.0.payload.clone();
        let committed = self.0.commit.as_ref().map(|commit| commit.commit());
        Box::pin(async move {
            if let Some(committed) = committed {
                let failed = |_| Status::unavailable("not on disk");
                committed.await.map_err(failed)?;
            }
            Ok(Response::new(Ping { payload }))
        })
    }
}

struct CommitP99(Echo);

impl UnaryService<Ping> for CommitP99 {
    type Response = Ping;
    type Future = BoxFuture<Response<Ping>, Status>;

    fn call(&mut self, _: Request<Ping>) -> Self::Future {
        let p99 = self.0.commit.as_ref().map(|commit| commit.p99());
        let payload = p99.map_or_else(String::new, |p99| p99.as_micros().to_string());
        let payload = payload.into();
        Box::pin(async move { Ok(Response::new(Ping { payload })) })
    }
}

struct Publish(Echo);

impl UnaryService<Ping> for Publish {
    type Response = Ping;
    type Future = BoxFuture<Response<Ping>, Status>;

    fn call(&mut self, _: Request<Ping>) -> Self::Future {
        let payload = self.0.payload.clone();
        let encoded = Ping {
            payload: payload.clone(),
        };
        // Nobody may listen.
        let _ = self.0.bus.send(encoded.encode_to_vec().into());
        Box::pin(async move { Ok(Response::new(Ping { payload })) })
    }
}

struct Listen(Echo);

impl ServerStreamingService<Bytes> for Listen {
    type Response = Bytes;
    type ResponseStream = BoxStream<Bytes>;
    type Future = BoxFuture<Response<Self::ResponseStream>, Status>;

    fn call(&mut self, _: Request<Bytes>) -> Self::Future {
        let published = BroadcastStream::new(self.0.bus.subscribe());
        let published =
            published.map(|published| published.map_err(|_| Status::data_loss("too slow")));
        Box::pin(async move { Ok(Response::new(Box::pin(published) as Self::ResponseStream)) })
    }
}

/// Sends what is encoded already.
#[derive(Clone, Copy)]
struct Encoded;

impl Codec for Encoded {
    type Encode = Bytes;
    type Decode = Bytes;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self
    }

    fn decoder(&mut self) -> Self {
        Self
    }
}

impl Encoder for Encoded {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, item: Bytes, into: &mut EncodeBuf<'_>) -> Result<(), Status> {
        into.put(item);
        Ok(())
    }
}

impl Decoder for Encoded {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, from: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        Ok(Some(from.copy_to_bytes(from.remaining())))
    }
}

struct PingPong(Echo);

impl StreamingService<Ping> for PingPong {
    type Response = Ping;
    type ResponseStream = BoxStream<Ping>;
    type Future = BoxFuture<Response<Self::ResponseStream>, Status>;

    fn call(&mut self, request: Request<Streaming<Ping>>) -> Self::Future {
        let payload = self.0.payload.clone();
        // No task and no channel between the two directions.
        let pongs = request.into_inner().map(move |ping| {
            ping.map(|_| Ping {
                payload: payload.clone(),
            })
        });
        Box::pin(async move { Ok(Response::new(Box::pin(pongs) as Self::ResponseStream)) })
    }
}
