//! A seat that is played over one stream both ways.

use tavola::pb::v1::{
    PlayOpen, PlayRequest, PlayResponse, PlaySubmit, Update, play_request::Kind,
    play_submit::Answer,
};
use tokio::sync::mpsc;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::{Status, Streaming};

use super::{Table, soon, update_of, with_token};

/// A Play stream.
#[derive(Debug)]
pub struct Player {
    requests: Option<mpsc::UnboundedSender<PlayRequest>>,
    replies: Streaming<PlayResponse>,
}

impl Player {
    /// Opens a stream for whoever has this token.
    pub async fn open(table: &Table, token: Option<&str>, open: PlayOpen) -> Result<Self, Status> {
        let open = PlayOpen {
            session_id: table.id.clone(),
            ..open
        };
        Self::begin(
            table,
            token,
            PlayRequest {
                kind: Some(Kind::Open(open)),
            },
        )
        .await
    }

    /// Opens a stream with whatever first request.
    pub async fn begin(
        table: &Table,
        token: Option<&str>,
        first: PlayRequest,
    ) -> Result<Self, Status> {
        let (requests, receiver) = mpsc::unbounded_channel();
        requests.send(first).expect("the receiver is here");
        let receiver = UnboundedReceiverStream::new(receiver);
        let mut client = table.client.clone();
        let replies = soon(
            "the beginning of a Play stream",
            client.play(with_token(token, receiver)),
        )
        .await?;
        Ok(Self {
            requests: Some(requests),
            replies: replies.into_inner(),
        })
    }

    /// Plays a seat from the snapshot on.
    pub async fn at(table: &Table, seat: usize) -> Self {
        Self::open(table, table.token(Some(seat)), PlayOpen::default())
            .await
            .expect("a seat may be played")
    }

    /// Sends whatever request.
    pub fn send(&self, kind: Option<Kind>) {
        self.requests
            .as_ref()
            .expect("the player has not said all")
            .send(PlayRequest { kind })
            .expect("the stream is open");
    }

    /// Answers a decision.
    pub fn submit(&self, decision_id: u64, answer: Option<Answer>) {
        self.send(Some(Kind::Submit(PlaySubmit {
            decision_id,
            answer,
        })));
    }

    /// Says no more, and goes on listening.
    pub fn say_no_more(&mut self) {
        self.requests = None;
    }

    /// The next reply, or the stream's good end.
    pub async fn next(&mut self) -> Result<Option<PlayResponse>, Status> {
        soon("a reply, or the end of the stream,", self.replies.message()).await
    }

    /// The next reply, which has to come.
    pub async fn reply(&mut self) -> PlayResponse {
        self.next()
            .await
            .expect("the stream goes on")
            .expect("the stream has not ended")
    }

    /// The next reply, which has to be an update alone.
    pub async fn update(&mut self) -> Update {
        let reply = self.reply().await;
        assert_eq!(reply.answer, None, "nothing was submitted");
        update_of(&reply.update.expect("a reply is not empty"))
    }
}
