//! SessionService: every method reads its request, calls a session, and writes the reply.

mod play;

use std::{pin::Pin, sync::Arc};

use futures_util::stream::unfold;
use tavola_engine::Seat;
use tokio_stream::Stream;
use tonic::{Request, Response, Status, Streaming, async_trait};

use super::{page, token::bearer};
use crate::{
    access::Access,
    error::{Error, Violation},
    house_bot::HouseBot,
    pb::v1 as pb,
    request_id::Repeatable,
    session::{Created, Filter, Forked, NewFork, NewSession, Place, Registry, Shown, Watcher},
    token::TokenHash,
    wire::Answer,
};

/// Sessions on a page of a list, where the caller does not say how many.
const SESSIONS_PER_PAGE: u32 = 20;

/// Sessions on a page of a list, at most.
const SESSIONS_PER_PAGE_MAX: u32 = 100;

/// Steps on a page of a replay, where the caller does not say how many.
const STEPS_PER_PAGE: u32 = 500;

/// Steps on a page of a replay, at most.
const STEPS_PER_PAGE_MAX: u32 = 1000;

/// The sessions of a server.
#[derive(Clone, Debug)]
pub struct Sessions {
    registry: Arc<Registry>,
    access: Arc<Access>,
}

impl Sessions {
    /// Serves the sessions of this registry, to those who have access.
    #[must_use]
    pub fn new(registry: Arc<Registry>, access: Arc<Access>) -> Self {
        Self { registry, access }
    }

    /// Whatever changes a session is refused once the server is going down, before it has any effect.
    fn open(&self) -> Result<&Arc<Registry>, Error> {
        if self.registry.house().shutdown().begun() {
            return Err(Error::ShuttingDown {
                resume_version: None,
            });
        }
        Ok(&self.registry)
    }

    /// SubmitAction: see there. The reply is written before it is waited for, so that what waits is small.
    pub(super) async fn submit<T>(
        &self,
        token: Option<TokenHash>,
        request: pb::SubmitActionRequest,
        write: impl Fn(pb::SubmitActionResponse) -> T,
    ) -> Result<T, Status> {
        use pb::submit_action_request::Answer as Given;

        let write = |shown: Shown| write(shown.into());
        let submitted = {
            let pb::SubmitActionRequest {
                session_id,
                decision_id,
                answer,
                view,
            } = request;
            let session = self.open()?.find(&session_id, token).await?;
            let view = view_asked(view, "view")?;
            let answer = answer.map(|answer| match answer {
                Given::ActionId(id) => Answer::Id(id),
                Given::Action(action) => Answer::Action(action),
            });
            let (decision, answer) = answer_asked(decision_id, answer)?;
            let submitted = session.submit(token, decision, &answer, view)?;
            submitted.map(|submitted| submitted.written(write))
        };
        Ok(submitted.settle().await?.reply(write).await?)
    }
}

/// A stream of replies.
type Replies<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

#[async_trait]
impl pb::session_service_server::SessionService for Sessions {
    async fn create_session(
        &self,
        request: Request<pb::CreateSessionRequest>,
    ) -> Result<Response<pb::CreateSessionResponse>, Status> {
        let api_key = self.access.api_key(request.metadata())?;
        let request = request.into_inner();
        let repeatable = Repeatable::read(&request.request_id, "CreateSession", &request)?;
        let pb::CreateSessionRequest {
            game,
            seats,
            options,
            seed,
            clock,
            private,
            request_id: _,
        } = request;
        if game.is_empty() {
            return Err(Error::missing("game").into());
        }
        let registry = self.open()?;
        let scope = api_key.as_ref().map_or(&[][..], |key| key.bytes());
        let request = repeatable.map(|request| request.within(scope, registry.house().secret()));
        let Created {
            session,
            host,
            join,
        } = registry
            .create(NewSession {
                game,
                seats,
                options,
                seed,
                clock,
                private,
                request,
            })
            .await?;
        let described = session.describe()?.settle().await?;
        Ok(Response::new(pb::CreateSessionResponse {
            session_id: session.id().to_string(),
            host_token: host.to_text(),
            session: Some(described),
            join_token: join.map(|join| join.to_text()).unwrap_or_default(),
        }))
    }

    async fn get_session(
        &self,
        request: Request<pb::GetSessionRequest>,
    ) -> Result<Response<pb::GetSessionResponse>, Status> {
        let token = bearer(request.metadata())?;
        let session = self
            .registry
            .find(&request.into_inner().session_id, token)
            .await?;
        let described = session.describe()?.settle().await?;
        Ok(Response::new(pb::GetSessionResponse {
            session: Some(described),
        }))
    }

    async fn list_sessions(
        &self,
        request: Request<pb::ListSessionsRequest>,
    ) -> Result<Response<pb::ListSessionsResponse>, Status> {
        self.access.api_key(request.metadata())?;
        let pb::ListSessionsRequest {
            page_size,
            page_token,
            game,
            status,
        } = request.into_inner();
        let size = page::index(page::size(
            page_size,
            SESSIONS_PER_PAGE,
            SESSIONS_PER_PAGE_MAX,
        ));
        let before = page::start::<u64>(&page_token)?;
        let status = pb::SessionStatus::try_from(status).map_err(|_| {
            let allowed = "is unset, SESSION_STATUS_WAITING, SESSION_STATUS_RUNNING or SESSION_STATUS_FINISHED";
            Error::Malformed(Violation::new("status", allowed))
        })?;
        let (sessions, next) = self
            .registry
            .list(&Filter { game, status }, size, before)
            .await?;
        let next_page_token = next.map(|next| next.to_string()).unwrap_or_default();
        Ok(Response::new(pb::ListSessionsResponse {
            sessions,
            next_page_token,
        }))
    }

    async fn join_session(
        &self,
        request: Request<pb::JoinSessionRequest>,
    ) -> Result<Response<pb::JoinSessionResponse>, Status> {
        let token = bearer(request.metadata())?;
        let request = request.into_inner();
        let repeatable = Repeatable::read(&request.request_id, "JoinSession", &request)?;
        let pb::JoinSessionRequest {
            session_id,
            seat,
            request_id: _,
        } = request;
        let session = self.open()?.find(&session_id, token).await?;
        let joined = session.join(token, seat_asked(seat), repeatable.as_ref())?;
        let joined = joined.settle().await?;
        Ok(Response::new(pb::JoinSessionResponse {
            seat: Some(joined.seat.0.into()),
            seat_token: joined.token.to_text(),
            session: Some(joined.session),
        }))
    }

    async fn add_bot(
        &self,
        request: Request<pb::AddBotRequest>,
    ) -> Result<Response<pb::AddBotResponse>, Status> {
        let token = bearer(request.metadata())?;
        let request = request.into_inner();
        let repeatable = Repeatable::read(&request.request_id, "AddBot", &request)?;
        let pb::AddBotRequest {
            session_id,
            bot,
            seat,
            request_id: _,
        } = request;
        let session = self.open()?.find(&session_id, token).await?;
        let bot = HouseBot::find(&bot).ok_or_else(|| {
            let names = HouseBot::ALL.map(HouseBot::name).join(" or ");
            Error::Malformed(Violation::new("bot", format!("is {names}")))
        })?;
        let (seat, described) = session
            .add_bot(token, bot, seat_asked(seat), repeatable.as_ref())?
            .settle()
            .await?;
        Ok(Response::new(pb::AddBotResponse {
            seat: Some(seat.0.into()),
            session: Some(described),
        }))
    }

    async fn leave_session(
        &self,
        request: Request<pb::LeaveSessionRequest>,
    ) -> Result<Response<pb::LeaveSessionResponse>, Status> {
        let token = bearer(request.metadata())?;
        let session = self
            .open()?
            .find(&request.into_inner().session_id, token)
            .await?;
        let described = session.leave(token)?.settle().await?;
        Ok(Response::new(pb::LeaveSessionResponse {
            session: Some(described),
        }))
    }

    async fn delete_session(
        &self,
        request: Request<pb::DeleteSessionRequest>,
    ) -> Result<Response<pb::DeleteSessionResponse>, Status> {
        let token = bearer(request.metadata())?;
        let registry = self.open()?;
        let session = registry
            .find(&request.into_inner().session_id, token)
            .await?;
        registry.delete(&session, token).await?;
        Ok(Response::new(pb::DeleteSessionResponse {}))
    }

    async fn get_observation(
        &self,
        request: Request<pb::GetObservationRequest>,
    ) -> Result<Response<pb::GetObservationResponse>, Status> {
        let token = bearer(request.metadata())?;
        let pb::GetObservationRequest { session_id, view } = request.into_inner();
        let session = self.registry.find(&session_id, token).await?;
        let shown = session
            .observe(token, view_asked(view, "view")?)?
            .settle()
            .await?;
        Ok(Response::new(shown.into()))
    }

    async fn submit_action(
        &self,
        request: Request<pb::SubmitActionRequest>,
    ) -> Result<Response<pb::SubmitActionResponse>, Status> {
        let token = bearer(request.metadata())?;
        self.submit(token, request.into_inner(), Response::new)
            .await
    }

    type WatchSessionStream = Replies<pb::WatchSessionResponse>;

    async fn watch_session(
        &self,
        request: Request<pb::WatchSessionRequest>,
    ) -> Result<Response<Self::WatchSessionStream>, Status> {
        let token = bearer(request.metadata())?;
        let pb::WatchSessionRequest {
            session_id,
            from_version,
            view,
        } = request.into_inner();
        let session = self.open()?.find(&session_id, token).await?;
        let watcher = Watcher::new(
            &session,
            token,
            view_asked(view, "view")?,
            from_version,
            false,
        )?;
        let place = watcher.place();
        let updates = unfold(watcher, async |mut watcher| {
            let update = watcher
                .next()
                .await?
                .map(|(_, update)| pb::WatchSessionResponse {
                    update: Some(update),
                });
            Some((update.map_err(Status::from), watcher))
        });
        Ok(watched(updates, place))
    }

    type PlayStream = Replies<pb::PlayResponse>;

    async fn play(
        &self,
        request: Request<Streaming<pb::PlayRequest>>,
    ) -> Result<Response<Self::PlayStream>, Status> {
        let token = bearer(request.metadata())?;
        let (replies, place) = play::play(self.clone(), token, request.into_inner()).await?;
        Ok(watched(replies, place))
    }

    async fn get_state(
        &self,
        request: Request<pb::GetStateRequest>,
    ) -> Result<Response<pb::GetStateResponse>, Status> {
        let token = bearer(request.metadata())?;
        let session = self
            .registry
            .find(&request.into_inner().session_id, token)
            .await?;
        let state = session.whole_state(token)?.settle().await?;
        Ok(Response::new(state))
    }

    async fn get_replay(
        &self,
        request: Request<pb::GetReplayRequest>,
    ) -> Result<Response<pb::GetReplayResponse>, Status> {
        let token = bearer(request.metadata())?;
        let pb::GetReplayRequest {
            session_id,
            seat,
            page_size,
            page_token,
        } = request.into_inner();
        let session = self.registry.find(&session_id, token).await?;
        let first = page::start::<u32>(&page_token)?.unwrap_or(0);
        let steps = page::size(page_size, STEPS_PER_PAGE, STEPS_PER_PAGE_MAX);
        let replay = session.replay(seat)?.settle().await?;
        if first > replay.plies() {
            return Err(page::not_a_token().into());
        }
        let page = tokio::task::spawn_blocking(move || replay.read(first, steps));
        Ok(Response::new(page.await.map_err(Error::internal)??))
    }

    async fn fork_session(
        &self,
        request: Request<pb::ForkSessionRequest>,
    ) -> Result<Response<pb::ForkSessionResponse>, Status> {
        // Whether the fork needs one shows when it is clear what it is: a sandbox does not.
        let may_open = self.access.api_key(request.metadata()).is_ok();
        let token = bearer(request.metadata())?;
        let request = request.into_inner();
        let repeatable = Repeatable::read(&request.request_id, "ForkSession", &request)?;
        let pb::ForkSessionRequest {
            session_id,
            ply,
            private,
            request_id: _,
        } = request;
        let registry = self.open()?;
        let session = registry.find(&session_id, token).await?;
        let new = NewFork {
            ply,
            private,
            may_open,
            request: repeatable.as_ref(),
        };
        let Forked {
            session,
            host,
            join,
            seats,
        } = registry.fork(&session, token, new).await?;
        let described = session.describe()?.settle().await?;
        let seat_tokens = (0..).zip(seats).map(|(seat, token)| pb::SeatToken {
            seat: Some(seat),
            seat_token: token.to_text(),
        });
        Ok(Response::new(pb::ForkSessionResponse {
            session_id: session.id().to_string(),
            host_token: host.to_text(),
            seat_tokens: seat_tokens.collect(),
            session: Some(described),
            join_token: join.map(|join| join.to_text()).unwrap_or_default(),
        }))
    }
}

/// The beginning of a stream that loses its place if nobody reads it.
fn watched<T>(
    replies: impl Stream<Item = Result<T, Status>> + Send + 'static,
    place: Arc<Place>,
) -> Response<Replies<T>> {
    let mut response = Response::new(Box::pin(replies) as Replies<T>);
    response.extensions_mut().insert(place);
    response
}

/// The seat that was asked for. Whether the session has it, the session knows; none has one that is too large here.
fn seat_asked(seat: Option<u32>) -> Option<Seat> {
    seat.map(|seat| Seat(u8::try_from(seat).unwrap_or(u8::MAX)))
}

/// The view that was asked for; the full one if none was.
fn view_asked(view: i32, field: &'static str) -> Result<pb::View, Error> {
    match pb::View::try_from(view) {
        Ok(pb::View::Unspecified) => Ok(pb::View::Full),
        Ok(view) => Ok(view),
        Err(_) => Err(Error::Malformed(Violation::new(
            field,
            "is unset, VIEW_FULL or VIEW_LEAN",
        ))),
    }
}

/// An answer and the decision that it is to, both of which have to be there.
fn answer_asked(decision: u64, answer: Option<Answer>) -> Result<(u64, Answer), Error> {
    if decision == 0 {
        return Err(Error::missing("decision_id"));
    }
    let answer = answer
        .ok_or_else(|| Error::Malformed(Violation::new("answer", "is one of action_id, action")))?;
    Ok((decision, answer))
}
