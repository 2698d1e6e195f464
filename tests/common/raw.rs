//! A client that speaks HTTP/2 by hand: it reads as little, and sends as much, as a test wants.

use std::net::SocketAddr;

use bytes::{Buf as _, BufMut as _, Bytes, BytesMut};
use h2::{
    RecvStream, SendStream,
    client::{Builder, ResponseFuture, SendRequest},
};
use http::{HeaderMap, Request, Response};
use tokio::{net::TcpStream, sync::mpsc, task::JoinHandle};

use super::soon;

/// A connection.
#[derive(Debug)]
pub struct Raw {
    send: SendRequest<Bytes>,
    windows: mpsc::UnboundedSender<u32>,
    driver: JoinHandle<Result<(), h2::Error>>,
}

impl Raw {
    /// A connection whose streams may be sent `window` bytes each until more are allowed.
    pub async fn connect(address: SocketAddr, window: u32) -> Self {
        let socket = TcpStream::connect(address)
            .await
            .expect("the server listens");
        let (send, mut connection) = Builder::new()
            .initial_window_size(window)
            .handshake(socket)
            .await
            .expect("the server speaks HTTP/2");
        let (windows, mut wanted) = mpsc::unbounded_channel();
        let driver = tokio::spawn(async move {
            loop {
                tokio::select! {
                    end = &mut connection => return end,
                    Some(window) = wanted.recv() => connection.set_initial_window_size(window)?,
                }
            }
        });
        Self {
            send,
            windows,
            driver,
        }
    }

    /// Allows each stream, also those that are open, so many bytes.
    pub fn open_windows(&self, bytes: u32) {
        self.windows.send(bytes).expect("the connection is up");
    }

    /// The headers of a gRPC call.
    pub fn request(&self, path: &str, token: Option<&str>) -> Request<()> {
        let mut request = Request::post(format!("http://tavola.test{path}"))
            .header("content-type", "application/grpc")
            .header("te", "trailers");
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        request.body(()).expect("the headers are fine")
    }

    /// Sends the headers of a call, and no end.
    pub async fn begin(&mut self, request: Request<()>) -> (ResponseFuture, SendStream<Bytes>) {
        let mut send = self
            .send
            .clone()
            .ready()
            .await
            .expect("the connection takes calls");
        send.send_request(request, false)
            .expect("the connection takes the call")
    }

    /// A whole call, which the server answers with one message or does not take, because it has asked the client to go.
    pub async fn ask(
        &mut self,
        path: &str,
        message: &impl prost::Message,
    ) -> Result<Bytes, h2::Error> {
        let mut send = self.send.clone().ready().await?;
        let (response, mut body) = send.send_request(self.request(path, None), false)?;
        body.send_data(framed(&message.encode_to_vec()), true)?;
        let response = soon("the head of a reply", response).await?;
        let mut replies = Replies::new(response.into_body());
        let reply = replies.next().await.expect("a call is answered to the end");
        assert_eq!(replies.trailers().await["grpc-status"], "0");
        Ok(reply)
    }

    /// A whole call with one message; the reply's head and its messages.
    pub async fn call(
        &mut self,
        path: &str,
        token: Option<&str>,
        message: &impl prost::Message,
    ) -> (Response<()>, Replies) {
        let request = self.request(path, token);
        let (response, mut body) = self.begin(request).await;
        body.send_data(framed(&message.encode_to_vec()), true)
            .expect("the call is open");
        let response = soon("the head of a reply", response)
            .await
            .expect("the call is answered");
        let (head, body) = response.into_parts();
        (Response::from_parts(head, ()), Replies::new(body))
    }

    /// How the connection ends.
    pub async fn end(self) -> Result<(), h2::Error> {
        let Self { send, driver, .. } = self;
        drop(send);
        soon("the end of the connection", driver)
            .await
            .expect("the driver does not panic")
    }
}

/// A message as gRPC frames it.
pub fn framed(message: &[u8]) -> Bytes {
    let mut frame = BytesMut::new();
    frame.put_u8(0);
    frame.put_u32(u32::try_from(message.len()).expect("a message is short"));
    frame.put_slice(message);
    frame.freeze()
}

/// Takes a whole message off the front of what was received, if there is one.
pub fn unframed(received: &mut BytesMut) -> Option<(u8, Bytes)> {
    let (flags, length) = match received.get(..5)? {
        [flags, length @ ..] => (
            *flags,
            u32::from_be_bytes(length.try_into().expect("four bytes")),
        ),
        [] => return None,
    };
    let length = usize::try_from(length).expect("it fits");
    if received.len() < 5 + length {
        return None;
    }
    received.advance(5);
    Some((flags, received.split_to(length).freeze()))
}

/// The messages of a reply.
#[derive(Debug)]
pub struct Replies {
    body: RecvStream,
    received: BytesMut,
}

impl Replies {
    pub fn new(body: RecvStream) -> Self {
        Self {
            body,
            received: BytesMut::new(),
        }
    }

    /// The next message; none at the end of the stream.
    pub async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some((flags, message)) = unframed(&mut self.received) {
                assert_eq!(flags, 0, "no compression was asked for");
                return Some(message);
            }
            let data = soon("a message, or the end of the stream,", self.body.data()).await?;
            let data = data.expect("the stream goes on");
            self.body
                .flow_control()
                .release_capacity(data.len())
                .expect("it was received");
            self.received.extend_from_slice(&data);
        }
    }

    /// The trailers, after the last message.
    pub async fn trailers(&mut self) -> HeaderMap {
        let trailers = soon("the trailers", self.body.trailers()).await;
        trailers
            .expect("the stream ends well")
            .expect("a gRPC reply has trailers")
    }
}
