//! A seat that is played over one stream both ways.

use tavola::pb::v1::{
    PlayOpen, PlayRequest, PlayResponse, PlaySubmit, SessionStatus, Update, View, play_answer,
    play_request::Kind, play_submit::Answer,
};
use tokio::sync::mpsc;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::{Status, Streaming};

use super::{Dice, Table, soon, update_of, with_token};

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

/// Plays a seat of any game over a Play stream to the end: by meaning in the full view, by number in the lean one.
/// Gives all its updates.
pub async fn play_seat(table: Table, seat: usize, view: View, mut dice: Dice) -> Vec<Update> {
    let number = u32::try_from(seat).expect("a seat is a small number");
    let open = PlayOpen {
        view: view.into(),
        ..Default::default()
    };
    let mut player = Player::open(&table, table.token(Some(seat)), open)
        .await
        .expect("a seat may be played");
    let mut updates: Vec<Update> = Vec::new();
    let mut answered = None;
    while let Some(reply) = player.next().await.expect("the stream ends well") {
        let update = update_of(&reply.update.expect("every reply has an update here"));
        assert_eq!(update.seat, Some(number));
        if let Some(answer) = reply.answer {
            let expected = play_answer::Result::AcceptedVersion(update.version);
            assert_eq!(
                answer.result,
                Some(expected),
                "with the update that it made"
            );
            assert_eq!(Some(answer.decision_id), answered.take());
        }
        if let Some(before) = updates.last() {
            assert_eq!(update.version, before.version + 1, "no gap, no repeat");
            assert!(!update.snapshot);
        } else {
            assert!(update.snapshot);
        }
        if let Some(decision) = &update.decision
            && decision.seats.contains(&number)
            && answered != Some(decision.decision_id)
        {
            assert_eq!(answered, None, "asked once at a time");
            let answer = if view == View::Lean {
                assert_eq!(update.legal_actions, []);
                Answer::ActionId(*dice.pick(&update.legal_action_ids))
            } else {
                assert_eq!(update.legal_action_ids, [0; 0]);
                let legal = dice.pick(&update.legal_actions);
                Answer::Action(legal.action.clone().expect("it has a meaning"))
            };
            player.submit(decision.decision_id, Some(answer));
            answered = Some(decision.decision_id);
        }
        updates.push(update);
    }
    let last = updates.last().expect("a stream begins with a snapshot");
    assert_eq!(last.status(), SessionStatus::Finished);
    assert!(last.outcome.is_some() && last.session.is_some(), "{last:?}");
    assert_eq!(answered, None, "every answer was answered for");
    updates
}
