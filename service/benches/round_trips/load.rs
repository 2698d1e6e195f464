//! The load: a closed loop over raw HTTP/2 that sends what was encoded beforehand and looks no deeper into a reply than
//! it must to tell an answer from a refusal. A tonic client would cost more CPU than the server and be the limit.

use std::future::poll_fn;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bytes::{Buf, BufMut, Bytes, BytesMut};
use h2::client::{ResponseFuture, SendRequest};
use h2::{RecvStream, SendStream};
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, Uri, header};
use prost::Message;
use tavola::pb::v1::PlayAnswer;
use tavola::pb::v1::play_answer::Result as Fate;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// Connections, and calls (or games) in flight on each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) connections: usize,
    pub(crate) in_flight: usize,
}

impl Shape {
    /// Calls in flight on all connections together.
    pub(crate) fn slots(self) -> usize {
        self.connections * self.in_flight
    }
}

/// How a script is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// A call for each step.
    Unary,
    /// A stream for each seat, which opens once and then submits.
    Streams,
}

/// What is sent for one game, all of it encoded before the clock starts. Both servers are sent the same bytes.
#[derive(Debug)]
pub(crate) struct Script {
    /// The `authorization` of each seat.
    pub(crate) seats: Vec<HeaderValue>,
    /// The message that opens each seat's stream. Empty where the script is played by calls.
    pub(crate) opens: Vec<Bytes>,
    /// The steps in their order: who takes it, and the message.
    pub(crate) steps: Vec<(usize, Bytes)>,
}

/// Whom the load is for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    /// The path of the method that takes the steps.
    pub(crate) path: &'static str,
    /// The product asks for a token, ends a game's streams itself, takes each script once, and tells its answers from
    /// other messages. The echo does none of it.
    pub(crate) product: bool,
}

/// What a round did.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// Steps that were answered with OK.
    pub(crate) steps: u64,
    /// Bytes of the messages that answered them.
    pub(crate) reply_bytes: u64,
    /// Messages that arrived, those that answer nothing included.
    pub(crate) messages: u64,
    /// Calls and streams that failed, and what the first of them said.
    pub(crate) errors: u64,
    pub(crate) first_error: Option<String>,
    /// From the first request to the last answer.
    pub(crate) elapsed: Duration,
    /// How long each call took, in microseconds.
    pub(crate) latencies: Vec<u32>,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.steps += other.steps;
        self.reply_bytes += other.reply_bytes;
        self.messages += other.messages;
        self.errors += other.errors;
        self.latencies.extend(other.latencies);
        self.first_error = self.first_error.take().or(other.first_error);
    }

    fn fail(&mut self, failure: &Failure) {
        self.errors += 1;
        self.first_error.get_or_insert_with(|| failure.to_string());
    }
}

/// Why a call or a stream failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error(transparent)]
    Connection(#[from] h2::Error),
    #[error(transparent)]
    Socket(#[from] std::io::Error),
    #[error("HTTP status {0}")]
    Http(StatusCode),
    #[error("gRPC status {code}: {message}")]
    Grpc { code: String, message: String },
    #[error("refused: {0}")]
    Refused(String),
    #[error("the reply cannot be read: {0}")]
    Garbled(&'static str),
    #[error(transparent)]
    Decode(#[from] prost::DecodeError),
}

/// One connection, ready for calls.
#[derive(Clone)]
pub(crate) struct Connection {
    requests: SendRequest<Bytes>,
    address: SocketAddr,
}

/// What the slots of a round share.
struct Round {
    scripts: Vec<Script>,
    /// The next script that nobody has taken.
    next: AtomicUsize,
    /// Set when time is up, or a script is missing: every slot ends after its step.
    over: AtomicBool,
}

impl Round {
    /// The next script. The echo plays them again and again; the product ends the round when they are used up.
    fn take(&self, again: bool) -> Option<&Script> {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        let script = if again {
            self.scripts.get(index % self.scripts.len())
        } else {
            self.scripts.get(index)
        };
        if script.is_none() {
            self.over.store(true, Ordering::Relaxed);
        }
        script
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }
}

/// How long the last answers of a round may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Opens the connections of a shape.
pub(crate) async fn connect(address: SocketAddr, shape: Shape) -> Result<Vec<Connection>, Failure> {
    let mut connections = Vec::with_capacity(shape.connections);
    for _ in 0..shape.connections {
        connections.push(Connection::open(address).await?);
    }
    Ok(connections)
}

/// Plays scripts for a time and returns what happened, and the scripts for the next server.
pub(crate) async fn play(
    target: Target,
    mode: Mode,
    connections: Vec<Connection>,
    in_flight: usize,
    scripts: Vec<Script>,
    time: Duration,
) -> (Tally, Vec<Script>) {
    let round = Arc::new(Round {
        scripts,
        next: AtomicUsize::new(0),
        over: AtomicBool::new(false),
    });
    let mut slots = JoinSet::new();
    let start = Instant::now();
    for connection in connections {
        for _ in 0..in_flight {
            let slot = Slot {
                uri: connection.uri(target.path),
                connection: connection.clone(),
                product: target.product,
            };
            slots.spawn(slot.run(mode, Arc::clone(&round)));
        }
    }
    let clock = {
        let round = Arc::clone(&round);
        tokio::spawn(async move {
            tokio::time::sleep(time).await;
            round.over.store(true, Ordering::Relaxed);
        })
    };
    let mut tally = Tally::default();
    let all_answered = tokio::time::timeout(time + PATIENCE, async {
        while let Some(slot) = slots.join_next().await {
            tally.add(slot.expect("a slot neither panics nor is aborted"));
        }
    });
    if all_answered.await.is_err() {
        tally.errors += slots.len() as u64;
        tally
            .first_error
            .get_or_insert_with(|| format!("no answer within {PATIENCE:?}"));
        slots.shutdown().await;
    }
    tally.elapsed = start.elapsed();
    clock.abort();
    let _ = clock.await; // It may hold its share of the round for a moment longer.
    let round = Arc::into_inner(round).expect("all that shared the round have ended");
    (tally, round.scripts)
}

/// One of those that are in flight at once.
struct Slot {
    connection: Connection,
    uri: Uri,
    product: bool,
}

impl Slot {
    /// Plays one script after the other until the round is over.
    async fn run(mut self, mode: Mode, round: Arc<Round>) -> Tally {
        let mut tally = Tally::default();
        while !round.is_over() {
            let Some(script) = round.take(!self.product) else {
                break;
            };
            let played = match mode {
                Mode::Unary => self.play_by_calls(script, &round, &mut tally).await,
                Mode::Streams => self.play_by_streams(script, &round, &mut tally).await,
            };
            if let Err(failure) = played {
                tally.fail(&failure);
                if let Failure::Connection(_) = failure {
                    break; // Nothing will come of the others either.
                }
            }
        }
        tally
    }

    async fn play_by_calls(
        &mut self,
        script: &Script,
        round: &Round,
        tally: &mut Tally,
    ) -> Result<(), Failure> {
        for (seat, step) in &script.steps {
            if round.is_over() {
                break;
            }
            let sent = Instant::now();
            let reply = self
                .connection
                .call(&self.uri, self.token(script, *seat), step.clone())
                .await?;
            let took = sent.elapsed().as_micros();
            tally
                .latencies
                .push(u32::try_from(took).unwrap_or(u32::MAX));
            tally.steps += 1;
            tally.messages += 1;
            tally.reply_bytes += reply.len() as u64;
        }
        Ok(())
    }

    async fn play_by_streams(
        &mut self,
        script: &Script,
        round: &Round,
        tally: &mut Tally,
    ) -> Result<(), Failure> {
        let mut streams = Vec::with_capacity(script.opens.len());
        for (seat, open) in script.opens.iter().enumerate() {
            let token = self.token(script, seat);
            let mut stream = self
                .connection
                .open_stream(&self.uri, token, open.clone())
                .await?;
            stream.replies.next().await?.ok_or(Failure::Garbled(
                "the stream ended before its first message",
            ))?;
            tally.messages += 1;
            streams.push(stream);
        }
        for (seat, step) in &script.steps {
            if round.is_over() {
                return Ok(()); // Dropping the streams cancels them.
            }
            let stream = &mut streams[*seat];
            stream.requests.send_data(step.clone(), false)?;
            loop {
                let reply = stream
                    .replies
                    .next()
                    .await?
                    .ok_or(Failure::Garbled("the stream ended in mid-game"))?;
                tally.messages += 1;
                if !self.product || answers(&reply)? {
                    tally.steps += 1;
                    tally.reply_bytes += reply.len() as u64;
                    break;
                }
            }
        }
        for mut stream in streams {
            if !self.product {
                stream.requests.send_data(Bytes::new(), true)?;
            }
            while stream.replies.next().await?.is_some() {
                tally.messages += 1;
            }
        }
        Ok(())
    }

    fn token(&self, script: &Script, seat: usize) -> Option<HeaderValue> {
        self.product.then(|| script.seats[seat].clone())
    }
}

/// Whether a message to a player is the answer to a submission, which then must have been accepted.
fn answers(message: &Bytes) -> Result<bool, Failure> {
    /// The part of a `PlayResponse` that is read here. The update, which is most of it, is skipped.
    #[derive(Clone, PartialEq, prost::Message)]
    struct Answer {
        #[prost(message, optional, tag = "1")]
        answer: Option<PlayAnswer>,
    }
    match Answer::decode(message.clone())?.answer {
        None => Ok(false),
        Some(PlayAnswer {
            result: Some(Fate::AcceptedVersion(_)),
            ..
        }) => Ok(true),
        Some(answer) => Err(Failure::Refused(format!("{answer:?}"))),
    }
}

impl Connection {
    /// Connects, with windows as wide as a tonic client's, so that the client is never the one to hold back.
    async fn open(address: SocketAddr) -> Result<Self, Failure> {
        Self::with_window(address, 2 << 20).await
    }

    /// Connects, with so many bytes of room for each stream.
    pub(crate) async fn with_window(address: SocketAddr, window: u32) -> Result<Self, Failure> {
        let socket = TcpStream::connect(address).await?;
        socket.set_nodelay(true)?;
        let (requests, connection) = h2::client::Builder::new()
            .initial_window_size(window)
            .initial_connection_window_size(5 << 20)
            .handshake(socket)
            .await?;
        tokio::spawn(connection);
        Ok(Self { requests, address })
    }

    pub(crate) fn uri(&self, path: &str) -> Uri {
        format!("http://{}{path}", self.address)
            .parse()
            .expect("a socket address and a path make a URI")
    }

    /// Calls a unary method with an encoded message and returns the message of the reply.
    pub(crate) async fn call(
        &mut self,
        uri: &Uri,
        token: Option<HeaderValue>,
        request: Bytes,
    ) -> Result<Bytes, Failure> {
        let (response, mut requests) = self.request(uri, token).await?;
        requests.send_data(request, true)?;
        let mut replies = Replies::of(response.await?)?;
        let reply = replies
            .next()
            .await?
            .ok_or(Failure::Garbled("it has no message"))?;
        match replies.next().await? {
            None => Ok(reply),
            Some(_) => Err(Failure::Garbled("it has more than one message")),
        }
    }

    /// Opens a stream of replies with an encoded message.
    pub(crate) async fn listen(&mut self, uri: &Uri, request: Bytes) -> Result<Replies, Failure> {
        let (response, mut requests) = self.request(uri, None).await?;
        requests.send_data(request, true)?;
        Replies::of(response.await?)
    }

    /// Opens a stream both ways with its first message.
    async fn open_stream(
        &mut self,
        uri: &Uri,
        token: Option<HeaderValue>,
        open: Bytes,
    ) -> Result<OpenStream, Failure> {
        let (response, mut requests) = self.request(uri, token).await?;
        requests.send_data(open, false)?;
        Ok(OpenStream {
            requests,
            replies: Replies::of(response.await?)?,
        })
    }

    async fn request(
        &mut self,
        uri: &Uri,
        token: Option<HeaderValue>,
    ) -> Result<(ResponseFuture, SendStream<Bytes>), Failure> {
        let mut request = Request::new(());
        *request.method_mut() = Method::POST;
        *request.uri_mut() = uri.clone();
        let headers = request.headers_mut();
        headers.insert(header::TE, HeaderValue::from_static("trailers"));
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/grpc"),
        );
        if let Some(token) = token {
            headers.insert(header::AUTHORIZATION, token);
        }
        poll_fn(|cx| self.requests.poll_ready(cx)).await?;
        Ok(self.requests.send_request(request, false)?)
    }
}

/// A stream both ways.
struct OpenStream {
    requests: SendStream<Bytes>,
    replies: Replies,
}

/// The messages that a call is answered with.
pub(crate) struct Replies {
    body: RecvStream,
    /// Arrived, and not yet taken.
    buffer: Bytes,
}

impl Replies {
    fn of(response: Response<RecvStream>) -> Result<Self, Failure> {
        if response.status() != StatusCode::OK {
            return Err(Failure::Http(response.status()));
        }
        if response.headers().contains_key(GRPC_STATUS) {
            check_status(response.headers())?;
        }
        Ok(Self {
            body: response.into_body(),
            buffer: Bytes::new(),
        })
    }

    /// The next message, or none when the call has ended with OK.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, Failure> {
        loop {
            if let Some(message) = self.take() {
                return Ok(Some(message));
            }
            let Some(chunk) = self.body.data().await else {
                break;
            };
            let chunk = chunk?;
            self.body.flow_control().release_capacity(chunk.len())?;
            self.buffer = if self.buffer.is_empty() {
                chunk
            } else {
                [&self.buffer[..], &chunk].concat().into()
            };
        }
        if !self.buffer.is_empty() {
            return Err(Failure::Garbled("it ends within a message"));
        }
        check_status(&self.body.trailers().await?.unwrap_or_default())?;
        Ok(None)
    }

    /// Takes a message off the buffer, if it is there to its end.
    fn take(&mut self) -> Option<Bytes> {
        let length = u32::from_be_bytes(self.buffer.get(1..PREFIX)?.try_into().ok()?);
        let end = PREFIX + usize::try_from(length).ok()?;
        if self.buffer.len() < end {
            return None;
        }
        let mut message = self.buffer.split_to(end);
        message.advance(PREFIX);
        Some(message)
    }
}

/// A flag and the length, before each message.
const PREFIX: usize = 5;

/// Encodes a message with its prefix.
pub(crate) fn frame(message: &impl Message) -> Bytes {
    let length = message.encoded_len();
    let mut frame = BytesMut::with_capacity(PREFIX + length);
    frame.put_u8(0);
    frame.put_u32(u32::try_from(length).expect("a request is short"));
    message
        .encode(&mut frame)
        .expect("a growing buffer takes any message");
    frame.freeze()
}

const GRPC_STATUS: &str = "grpc-status";

fn check_status(headers: &HeaderMap) -> Result<(), Failure> {
    let text = |name| {
        headers.get(name).map_or_else(String::new, |value| {
            String::from_utf8_lossy(value.as_bytes()).into_owned()
        })
    };
    match headers.get(GRPC_STATUS) {
        Some(status) if status == "0" => Ok(()),
        _ => Err(Failure::Grpc {
            code: text(GRPC_STATUS),
            message: text("grpc-message"),
        }),
    }
}
