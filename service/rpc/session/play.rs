//! Play: a seat's updates one way, its answers the other, on one stream.

use std::{collections::VecDeque, sync::Arc};

use bytes::Bytes;
use futures_util::{FutureExt as _, stream::unfold};
use tokio_stream::{Stream, StreamExt as _};
use tonic::{Status, Streaming};

use super::{Sessions, answer_asked, view_asked};
use crate::{
    error::{Error, Violation},
    pb::v1::{
        FieldViolation, PlayAnswer, PlayOpen, PlayRefusal, PlayRequest, PlayResponse, PlaySubmit,
        play_answer::Result as Fate, play_request::Kind, play_submit::Answer as Given,
    },
    session::{Place, Watcher},
    token::TokenHash,
    wire::Answer,
};

/// One player on one stream. It is driven by the stream of replies alone: no task, no channel.
struct Player {
    sessions: Sessions,
    requests: Streaming<PlayRequest>,
    /// Whether the player has said all that it will say; it may still listen.
    said_all: bool,
    watcher: Watcher,
    /// Answers that are not yet answered for, in the order in which they came.
    fates: VecDeque<PlayAnswer>,
    /// An update that waits for the fates before it.
    update: Option<(u64, Bytes)>,
    ended: bool,
}

/// Opens the stream that the first request asks for; with its place.
pub(super) async fn play(
    sessions: Sessions,
    token: Option<TokenHash>,
    mut requests: Streaming<PlayRequest>,
) -> Result<
    (
        impl Stream<Item = Result<PlayResponse, Status>> + Send,
        Arc<Place>,
    ),
    Status,
> {
    let first = requests.message().await?.and_then(|request| request.kind);
    let Some(Kind::Open(PlayOpen {
        session_id,
        from_version,
        view,
    })) = first
    else {
        return Err(Error::Malformed(Violation::new(
            "open",
            "is what the first request has to be",
        ))
        .into());
    };
    if session_id.is_empty() {
        return Err(Error::missing("open.session_id").into());
    }
    let session = sessions.open()?.find(&session_id, token).await?;
    let watcher = Watcher::new(
        &session,
        token,
        view_asked(view, "open.view")?,
        from_version,
        true,
    )?;
    let place = watcher.place();
    let player = Player {
        sessions,
        requests,
        said_all: false,
        watcher,
        fates: VecDeque::new(),
        update: None,
        ended: false,
    };
    let replies = unfold(player, async |mut player| {
        let reply = player.next().await?;
        Some((reply, player))
    });
    Ok((replies, place))
}

impl Player {
    async fn next(&mut self) -> Option<Result<PlayResponse, Status>> {
        if self.ended {
            return None;
        }
        loop {
            if let Some(reply) = self.reply() {
                return Some(Ok(reply));
            }
            let request = tokio::select! {
                // Updates first: they settle the fates of the answers before.
                biased;
                update = self.watcher.next() => match update {
                    Some(Ok(update)) => {
                        self.update = Some(update);
                        continue;
                    }
                    Some(Err(error)) => return self.end(Some(error.into())),
                    // The game is over. What has been submitted by now is still answered for.
                    None => match self.requests.next().now_or_never() {
                        Some(Some(Ok(request))) => request,
                        Some(Some(Err(_)) | None) | None => return self.end(None),
                    },
                },
                request = self.requests.next(), if !self.said_all => match request {
                    Some(Ok(request)) => request,
                    Some(Err(status)) => {
                        let limits = self.sessions.registry.house().limits();
                        let unreadable = Error::unreadable(&status, limits.request_bytes_max);
                        return self.end(Some(unreadable.map_or(status, Status::from)));
                    }
                    None => {
                        self.said_all = true;
                        continue;
                    }
                },
            };
            if let Err(error) = self.take(request).await {
                return self.end(Some(error.into()));
            }
        }
    }

    /// What can be told now: a fate that is settled, an update, or both in one.
    fn reply(&mut self) -> Option<PlayResponse> {
        let at = self.watcher.version();
        let made = match self.fates.front().map(|fate| &fate.result) {
            Some(Some(Fate::AcceptedVersion(version))) => Some(*version),
            Some(Some(Fate::Refused(_)) | None) | None => None,
        };
        // An answer that counted is told with the update that it made, and after all that came before it.
        let update_first = self.fates.is_empty() || made.is_some_and(|made| made > at);
        let together = made == Some(at) && self.update.is_some();
        let answer = if update_first {
            None
        } else {
            self.fates.pop_front()
        };
        let update = if update_first || together {
            self.update.take()
        } else {
            None
        };
        (answer.is_some() || update.is_some()).then(|| PlayResponse {
            answer,
            update: update.map(|(_, update)| update),
        })
    }

    /// Takes an answer. A refusal is told and the stream goes on; what is not even a submission ends it.
    async fn take(&mut self, request: PlayRequest) -> Result<(), Error> {
        let Some(Kind::Submit(PlaySubmit {
            decision_id,
            answer,
        })) = request.kind
        else {
            return Err(Error::Malformed(Violation::new(
                "submit",
                "is what all requests but the first have to be",
            )));
        };
        let fate = match self.submit(decision_id, answer).await {
            Ok(version) => Fate::AcceptedVersion(version),
            Err(error) => Fate::Refused(refusal(&error)),
        };
        self.fates.push_back(PlayAnswer {
            decision_id,
            result: Some(fate),
        });
        Ok(())
    }

    /// The version that the answer made, once it is committed.
    async fn submit(&self, decision_id: u64, answer: Option<Given>) -> Result<u64, Error> {
        self.sessions.open()?;
        let answer = answer.map(|answer| match answer {
            Given::ActionId(id) => Answer::Id(id),
            Given::Action(action) => Answer::Action(action),
        });
        let (decision, answer) = answer_asked(decision_id, answer)?;
        self.watcher.submit(decision, &answer).await
    }

    fn end(&mut self, status: Option<Status>) -> Option<Result<PlayResponse, Status>> {
        self.ended = true;
        status.map(Err)
    }
}

/// A refusal with all that the status of a refused SubmitAction would hold.
fn refusal(error: &Error) -> PlayRefusal {
    let violation = |violation: &Violation| FieldViolation {
        field: violation.field.clone().into_owned(),
        description: violation.allowed.clone().into_owned(),
    };
    PlayRefusal {
        reason: error.reason().into(),
        message: error.to_string(),
        metadata: error.metadata(),
        violations: error.violation().map(violation).into_iter().collect(),
    }
}
