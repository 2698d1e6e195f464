//! A call of each method, and how it is refused.

use tavola::pb::v1::{
    AddBotRequest, CreateSessionRequest, DeleteSessionRequest, ForkSessionRequest, GetGameRequest,
    GetObservationRequest, GetReplayRequest, GetSessionRequest, GetStateRequest,
    JoinSessionRequest, LeaveSessionRequest, ListGamesRequest, ListSessionsRequest, PlayRefusal,
    PlayRequest, SubmitActionRequest, WatchSessionRequest, play_answer,
};
use tonic::{Request, Status};

use super::world::World;

/// A call of each method.
#[derive(Clone, Debug)]
pub(crate) enum Call {
    ListGames(ListGamesRequest),
    GetGame(GetGameRequest),
    CreateSession(CreateSessionRequest),
    GetSession(GetSessionRequest),
    ListSessions(ListSessionsRequest),
    JoinSession(JoinSessionRequest),
    AddBot(AddBotRequest),
    LeaveSession(LeaveSessionRequest),
    DeleteSession(DeleteSessionRequest),
    GetObservation(GetObservationRequest),
    SubmitAction(SubmitActionRequest),
    WatchSession(WatchSessionRequest),
    Play(Vec<PlayRequest>),
    GetState(GetStateRequest),
    GetReplay(GetReplayRequest),
    ForkSession(ForkSessionRequest),
}

/// How a call was refused.
#[derive(Debug)]
pub(crate) enum Refused {
    /// The call, or its stream, ended with a status.
    Status(Status),
    /// A submission on a stream that goes on.
    Submission(PlayRefusal),
}

impl From<Status> for Refused {
    fn from(status: Status) -> Self {
        Self::Status(status)
    }
}

impl Call {
    pub(crate) fn method(&self) -> &'static str {
        match self {
            Self::ListGames(_) => "ListGames",
            Self::GetGame(_) => "GetGame",
            Self::CreateSession(_) => "CreateSession",
            Self::GetSession(_) => "GetSession",
            Self::ListSessions(_) => "ListSessions",
            Self::JoinSession(_) => "JoinSession",
            Self::AddBot(_) => "AddBot",
            Self::LeaveSession(_) => "LeaveSession",
            Self::DeleteSession(_) => "DeleteSession",
            Self::GetObservation(_) => "GetObservation",
            Self::SubmitAction(_) => "SubmitAction",
            Self::WatchSession(_) => "WatchSession",
            Self::Play(_) => "Play",
            Self::GetState(_) => "GetState",
            Self::GetReplay(_) => "GetReplay",
            Self::ForkSession(_) => "ForkSession",
        }
    }

    pub(crate) async fn make(
        self,
        world: &World,
        authorization: Option<&str>,
    ) -> Result<(), Refused> {
        fn signed<T>(authorization: Option<&str>, message: T) -> Request<T> {
            let mut request = Request::new(message);
            if let Some(value) = authorization {
                let value = value.parse().expect("it can be sent");
                request.metadata_mut().insert("authorization", value);
            }
            request
        }
        macro_rules! unary {
            ($client:expr, $method:ident, $request:expr) => {
                $client
                    .$method(signed(authorization, $request))
                    .await
                    .map(drop)?
            };
        }
        let mut catalog = world.catalog.clone();
        let mut sessions = world.running.client.clone();
        match self {
            Self::ListGames(request) => unary!(catalog, list_games, request),
            Self::GetGame(request) => unary!(catalog, get_game, request),
            Self::CreateSession(request) => unary!(sessions, create_session, request),
            Self::GetSession(request) => unary!(sessions, get_session, request),
            Self::ListSessions(request) => unary!(sessions, list_sessions, request),
            Self::JoinSession(request) => unary!(sessions, join_session, request),
            Self::AddBot(request) => unary!(sessions, add_bot, request),
            Self::LeaveSession(request) => unary!(sessions, leave_session, request),
            Self::DeleteSession(request) => unary!(sessions, delete_session, request),
            Self::GetObservation(request) => unary!(sessions, get_observation, request),
            Self::SubmitAction(request) => unary!(sessions, submit_action, request),
            Self::GetState(request) => unary!(sessions, get_state, request),
            Self::GetReplay(request) => unary!(sessions, get_replay, request),
            Self::ForkSession(request) => unary!(sessions, fork_session, request),
            Self::WatchSession(request) => {
                let reply = sessions
                    .watch_session(signed(authorization, request))
                    .await?;
                reply.into_inner().message().await?;
            }
            Self::Play(requests) => {
                let requests = tokio_stream::iter(requests);
                let mut replies = sessions
                    .play(signed(authorization, requests))
                    .await?
                    .into_inner();
                while let Some(reply) = replies.message().await? {
                    let Some(answer) = reply.answer else {
                        continue;
                    };
                    match answer.result {
                        Some(play_answer::Result::Refused(refusal)) => {
                            return Err(Refused::Submission(refusal));
                        }
                        Some(play_answer::Result::AcceptedVersion(_)) | None => return Ok(()),
                    }
                }
            }
        }
        Ok(())
    }
}
