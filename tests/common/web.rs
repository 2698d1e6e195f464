//! A browser, as far as gRPC-Web needs one: HTTP/1.1 by hand.

use std::net::SocketAddr;

use bytes::{Buf as _, Bytes, BytesMut};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::TcpStream,
};

use super::{
    raw::{framed, unframed},
    soon,
};

/// Headers or trailers, their names in lower case.
#[derive(Clone, Debug, Default)]
pub struct Fields(pub Vec<(String, String)>);

impl Fields {
    fn read(text: &str) -> Self {
        let lines = text.split("\r\n").filter(|line| !line.is_empty());
        let fields = lines.map(|line| {
            let (name, value) = line.split_once(':').expect("a header has a name");
            (name.to_ascii_lowercase(), value.trim().to_owned())
        });
        Self(fields.collect())
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        let field = self.0.iter().find(|(of, _)| of == name);
        field.map(|(_, value)| value.as_str())
    }

    /// A header that lists, as a sorted list in lower case.
    pub fn list(&self, name: &str) -> Vec<String> {
        let of_name = self.0.iter().filter(|(of, _)| of == name);
        let mut items: Vec<_> = of_name
            .flat_map(|(_, value)| value.split(','))
            .map(|item| item.trim().to_ascii_lowercase())
            .collect();
        items.sort();
        items
    }
}

/// A page's connection.
#[derive(Debug)]
pub struct Web<S = TcpStream> {
    socket: S,
    received: BytesMut,
    /// Bytes of the body that are yet to come, or none if it comes in chunks.
    left: Option<usize>,
    messages: BytesMut,
}

/// A part of a reply's body.
#[derive(Debug)]
pub enum Part {
    Message(Bytes),
    Trailers(Fields),
}

impl Web {
    pub async fn connect(address: SocketAddr) -> Self {
        Self::over(TcpStream::connect(address).await.expect("it listens"))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Web<S> {
    /// A page's connection over whatever socket.
    pub fn over(socket: S) -> Self {
        Self {
            socket,
            received: BytesMut::new(),
            left: None,
            messages: BytesMut::new(),
        }
    }

    /// Sends a request, and reads the head of its reply.
    pub async fn request(&mut self, head: &str, body: &[u8]) -> (u16, Fields) {
        let mut request = head.replace('\n', "\r\n").into_bytes();
        request.extend_from_slice(b"\r\n\r\n");
        request.extend_from_slice(body);
        self.socket
            .write_all(&request)
            .await
            .expect("the connection is up");
        self.head().await
    }

    /// The head of a reply.
    pub async fn head(&mut self) -> (u16, Fields) {
        let end = loop {
            if let Some(end) = find(&self.received, b"\r\n\r\n") {
                break end;
            }
            assert!(self.read().await, "the connection ends before a reply");
        };
        let head = self.received.split_to(end + 4);
        let head = std::str::from_utf8(&head).expect("a head is text");
        let (status, fields) = head.split_once("\r\n").expect("a head has lines");
        let status = status
            .split(' ')
            .nth(1)
            .expect("there is a status")
            .parse()
            .expect("a status is a number");
        let fields = Fields::read(fields);
        self.messages.clear();
        self.left = match (
            fields.get("content-length"),
            fields.get("transfer-encoding"),
        ) {
            (Some(length), None) => Some(length.parse().expect("a length is a number")),
            (None, Some("chunked")) => None,
            (None, None) => Some(0),
            both => panic!("how long is the body? {both:?}"),
        };
        (status, fields)
    }

    /// Calls a method with one message from a page of `origin`; the head of the reply.
    pub async fn call(
        &mut self,
        path: &str,
        origin: &str,
        token: Option<&str>,
        message: &impl prost::Message,
    ) -> (u16, Fields) {
        let body = framed(&message.encode_to_vec());
        let authorization = token.map_or(String::new(), |token| {
            format!("\nauthorization: Bearer {token}")
        });
        let head = format!(
            "POST {path} HTTP/1.1\nhost: tavola.test\norigin: {origin}\nx-grpc-web: 1\n\
             content-type: application/grpc-web+proto\naccept: application/grpc-web+proto\n\
             content-length: {}{authorization}",
            body.len()
        );
        self.request(&head, &body).await
    }

    /// The next part of the body; none at its end.
    pub async fn part(&mut self) -> Option<Part> {
        loop {
            if let Some((flags, part)) = unframed(&mut self.messages) {
                return Some(match flags {
                    0 => Part::Message(part),
                    0x80 => Part::Trailers(Fields::read(
                        std::str::from_utf8(&part).expect("trailers are text"),
                    )),
                    _ => panic!("what is a part with flags {flags}?"),
                });
            }
            let bytes = self.bytes().await;
            if bytes.is_empty() {
                assert!(
                    self.messages.is_empty(),
                    "half a part at the end of the body"
                );
                return None;
            }
            self.messages.extend_from_slice(&bytes);
        }
    }

    /// All of the body as it came.
    pub async fn body(&mut self) -> Bytes {
        let mut all = BytesMut::new();
        loop {
            let bytes = self.bytes().await;
            if bytes.is_empty() {
                return all.freeze();
            }
            all.extend_from_slice(&bytes);
        }
    }

    /// Some bytes of the body; none at its end.
    async fn bytes(&mut self) -> Bytes {
        match self.left {
            Some(0) => Bytes::new(),
            Some(left) => {
                if self.received.is_empty() {
                    assert!(self.read().await, "the connection ends in a body");
                }
                let some = self.received.len().min(left);
                self.left = Some(left - some);
                self.received.split_to(some).freeze()
            }
            None => {
                let end = loop {
                    if let Some(end) = find(&self.received, b"\r\n") {
                        break end;
                    }
                    assert!(self.read().await, "the connection ends in a body");
                };
                let length = std::str::from_utf8(&self.received[..end]).expect("it is text");
                let length = usize::from_str_radix(length, 16).expect("it is a number");
                self.received.advance(end + 2);
                while self.received.len() < length + 2 {
                    assert!(self.read().await, "the connection ends in a chunk");
                }
                let chunk = self.received.split_to(length).freeze();
                self.received.advance(2);
                if length == 0 {
                    self.left = Some(0);
                }
                chunk
            }
        }
    }

    async fn read(&mut self) -> bool {
        let read = soon(
            "something to read",
            self.socket.read_buf(&mut self.received),
        );
        read.await.expect("the connection is up") > 0
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}
