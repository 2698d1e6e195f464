//! A client of HTTP/2 that writes its frames by hand, however wrong they are.

use std::{
    net::{Ipv4Addr, SocketAddr},
    time::Duration,
};

use bytes::{BufMut as _, BytesMut};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{
        TcpSocket, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
};

use crate::common::soon;

pub(crate) const DATA: u8 = 0;
pub(crate) const HEADERS: u8 = 1;
pub(crate) const PRIORITY: u8 = 2;
pub(crate) const RST_STREAM: u8 = 3;
pub(crate) const SETTINGS: u8 = 4;
pub(crate) const PING: u8 = 6;
pub(crate) const GOAWAY: u8 = 7;
pub(crate) const WINDOW_UPDATE: u8 = 8;
pub(crate) const CONTINUATION: u8 = 9;
/// A kind that HTTP/2 does not know, and has to be passed over.
pub(crate) const UNKNOWN: u8 = 0x7a;

pub(crate) const END_STREAM: u8 = 1;
pub(crate) const END_HEADERS: u8 = 4;
pub(crate) const ACK: u8 = 1;

const ENHANCE_YOUR_CALM: u32 = 11;
const CANCEL: [u8; 4] = [0, 0, 0, 8];

/// A socket to the server from an address of the loopback of its own, so that others keep their connections.
pub(crate) async fn attacker(server: SocketAddr) -> TcpStream {
    try_attacker(server).await.expect("the server listens")
}

/// The same, where the server may not listen.
pub(crate) async fn try_attacker(server: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from((Ipv4Addr::new(127, 0, 0, 2), 0)))?;
    socket.connect(server).await
}

/// A frame with whatever in it.
pub(crate) fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("a frame is short");
    let mut frame = Vec::with_capacity(9 + payload.len());
    frame.extend_from_slice(&length.to_be_bytes()[1..]);
    frame.push(kind);
    frame.push(flags);
    frame.extend_from_slice(&stream.to_be_bytes());
    frame.extend_from_slice(payload);
    frame
}

/// A reset.
pub(crate) fn reset(stream: u32) -> Vec<u8> {
    frame(RST_STREAM, 0, stream, &CANCEL)
}

/// The header block of a gRPC call, with more headers if wanted.
pub(crate) fn call(path: &str, more: &[(&str, &str)]) -> Vec<u8> {
    let mut block = BytesMut::new();
    for (name, value) in [
        (":method", "POST"),
        (":scheme", "http"),
        (":path", path),
        (":authority", "tavola.test"),
        ("content-type", "application/grpc"),
        ("te", "trailers"),
    ]
    .iter()
    .chain(more)
    {
        block.put_u8(0); // Literal, not indexed, with a new name (RFC 7541, 6.2.2).
        text(&mut block, name);
        text(&mut block, value);
    }
    block.to_vec()
}

/// A text of HPACK: its length in a prefix of seven bits, and its bytes.
fn text(block: &mut BytesMut, text: &str) {
    const PREFIX: usize = 0x7f;
    let byte = |number: usize| u8::try_from(number).expect("it is less than a byte");
    if text.len() < PREFIX {
        block.put_u8(byte(text.len()));
    } else {
        block.put_u8(byte(PREFIX));
        let mut rest = text.len() - PREFIX;
        while rest >= 0x80 {
            block.put_u8(byte(rest % 0x80) | 0x80);
            rest /= 0x80;
        }
        block.put_u8(byte(rest));
    }
    block.put_slice(text.as_bytes());
}

/// A header block in as many frames as it needs; the last one ends it if `end` says so.
pub(crate) fn header_frames(stream: u32, block: &[u8], flags: u8, end: bool) -> Vec<u8> {
    const FRAME_MAX: usize = 16_384;
    let pieces: Vec<_> = block.chunks(FRAME_MAX).collect();
    let mut frames = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        let (kind, of_first) = if at == 0 {
            (HEADERS, flags)
        } else {
            (CONTINUATION, 0)
        };
        let last = at + 1 == pieces.len() && end;
        let flags = of_first | if last { END_HEADERS } else { 0 };
        frames.extend(frame(kind, flags, stream, piece));
    }
    frames
}

/// A connection on which nothing is read or written unless told to.
#[derive(Debug)]
pub(crate) struct Frames {
    read: OwnedReadHalf,
    write: OwnedWriteHalf,
    received: BytesMut,
}

/// What the server said until it closed the connection, or was silent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Heard {
    /// The last stream that it takes up, and the reason, of its first GOAWAY.
    pub(crate) goaway: Option<(u32, u32)>,
    /// Streams that it reset.
    pub(crate) resets: usize,
    /// Heads of replies and trailers.
    pub(crate) heads: usize,
    /// Whether it closed the connection.
    pub(crate) closed: bool,
}

impl Heard {
    /// Whether it cut the connection or said that it will.
    pub(crate) fn cut(self) -> bool {
        self.closed || self.goaway.is_some()
    }

    /// Streams that were taken up before it asked for calm, if it did.
    pub(crate) fn calmed_after(self) -> Option<u32> {
        match self.goaway {
            Some((last, ENHANCE_YOUR_CALM)) => Some(last.div_ceil(2)),
            _ => None,
        }
    }
}

impl Frames {
    /// A connection that has said what every connection has to say.
    pub(crate) async fn open(server: SocketAddr) -> Self {
        let (read, write) = attacker(server).await.into_split();
        let mut this = Self {
            read,
            write,
            received: BytesMut::new(),
        };
        let preface = [
            &b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"[..],
            &frame(SETTINGS, 0, 0, &[]),
            &frame(SETTINGS, ACK, 0, &[]),
        ];
        assert!(this.say(&preface.concat()).await, "the server listens");
        this
    }

    /// Says this. Whether the server still listens.
    pub(crate) async fn say(&mut self, bytes: &[u8]) -> bool {
        self.write.write_all(bytes).await.is_ok()
    }

    /// Says this again and again, as fast as the server takes it, and listens meanwhile and for a moment more. What was
    /// heard.
    pub(crate) async fn flood(mut self, times: u32, mut said: impl FnMut(u32) -> Vec<u8>) -> Heard {
        const MOMENT: Duration = Duration::from_secs(3);
        let mut heard = Heard::default();
        let listening = listen_to(&mut self.read, &mut self.received, &mut heard);
        let talking = async {
            for nth in 0..times {
                // Streams of a client have odd numbers.
                if self.write.write_all(&said(2 * nth + 1)).await.is_err() {
                    break;
                }
            }
            tokio::time::sleep(MOMENT).await;
        };
        soon("the end of a flood", async {
            tokio::select! {
                () = listening => {}
                () = talking => {}
            }
        })
        .await;
        heard
    }

    /// Ends the connection without a word, as a machine that lost its power does once it is asked again.
    pub(crate) fn reset_connection(self) {
        let socket = self
            .read
            .reunite(self.write)
            .expect("both are halves of one");
        // What has not been read makes the system reset the connection.
        socket.set_zero_linger().expect("the socket is open");
    }

    /// Listens until the server closes the connection, or for so long.
    pub(crate) async fn heard_within(&mut self, time: Duration) -> Heard {
        let mut heard = Heard::default();
        let listening = listen_to(&mut self.read, &mut self.received, &mut heard);
        let _ = tokio::time::timeout(time, listening).await;
        heard
    }
}

async fn listen_to(read: &mut OwnedReadHalf, received: &mut BytesMut, heard: &mut Heard) {
    loop {
        while let Some((kind, payload)) = next_frame(received) {
            match kind {
                HEADERS => heard.heads += 1,
                RST_STREAM => heard.resets += 1,
                GOAWAY => {
                    let number = |at: usize| {
                        let bytes = payload.get(at..at + 4).expect("a GOAWAY has two numbers");
                        u32::from_be_bytes(bytes.try_into().expect("four bytes"))
                    };
                    // A graceful end is announced first, with the greatest number that there is.
                    let said = (number(0), number(4));
                    if said.0 != u32::MAX >> 1 {
                        heard.goaway.get_or_insert(said);
                    }
                }
                _ => {}
            }
        }
        if !matches!(read.read_buf(received).await, Ok(1..)) {
            heard.closed = true;
            return;
        }
    }
}

fn next_frame(received: &mut BytesMut) -> Option<(u8, BytesMut)> {
    let header = received.get(..9)?;
    let length = header[..3]
        .iter()
        .fold(0, |length, byte| length << 8 | usize::from(*byte));
    let kind = header[3];
    if received.len() < 9 + length {
        return None;
    }
    let _ = received.split_to(9);
    Some((kind, received.split_to(length)))
}
