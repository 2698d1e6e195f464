//! Who sees a session.

use std::mem;

use tonic::Streaming;

use crate::{
    Client, Error, Token, Updates,
    call::{Call, Repeat},
    client::Sessions,
    token::request,
    v1::{
        GetObservationRequest, GetObservationResponse, GetReplayRequest, GetReplayResponse,
        GetSessionRequest, Session, View, WatchSessionRequest, WatchSessionResponse,
    },
};

/// Somebody who sees a session: see [`Client::spectator`].
#[derive(Clone, Debug)]
pub struct Viewer {
    client: Client,
    session_id: String,
    token: Option<Token>,
    view: View,
}

impl Viewer {
    pub(crate) fn new(client: Client, session_id: String) -> Self {
        Self {
            client,
            session_id,
            token: None,
            view: View::Full,
        }
    }

    /// The same with a token: that of a seat, to see what it sees, or the join token of a private session.
    #[must_use]
    pub fn with_token(mut self, token: Token) -> Self {
        self.token = Some(token);
        self
    }

    /// The same with legal actions shown in this way rather than in full.
    #[must_use]
    pub fn with_view(mut self, view: View) -> Self {
        self.view = view;
        self
    }

    /// The session.
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// The token, if there is one.
    pub fn token(&self) -> Option<&Token> {
        self.token.as_ref()
    }

    /// How legal actions are shown.
    pub fn view(&self) -> View {
        self.view
    }

    /// The session with its seats, as it is now.
    ///
    /// # Errors
    /// If the server refuses or the call fails.
    pub async fn session(&self) -> Result<Session, Error> {
        let request = GetSessionRequest {
            session_id: self.session_id.clone(),
        };
        let method = |mut stub: Sessions, request| async move { stub.get_session(request).await };
        let reply = self.read(request, method).await?;
        reply
            .session
            .ok_or_else(|| Error::unexpected("the server sent no session"))
    }

    /// What the viewer knows now and, if it has a seat, what it may answer.
    ///
    /// # Errors
    /// If the server refuses or the call fails.
    pub async fn observe(&self) -> Result<GetObservationResponse, Error> {
        let request = GetObservationRequest {
            session_id: self.session_id.clone(),
            view: self.view.into(),
        };
        let method =
            |mut stub: Sessions, request| async move { stub.get_observation(request).await };
        self.read(request, method).await
    }

    /// The replay of a finished game, all its pages in one, with the events of a seat, 0-based, or a spectator's.
    ///
    /// # Errors
    /// If the server refuses or the call fails.
    pub async fn replay(&self, seat: Option<u32>) -> Result<GetReplayResponse, Error> {
        let mut request = GetReplayRequest {
            session_id: self.session_id.clone(),
            seat,
            ..GetReplayRequest::default()
        };
        let method = |mut stub: Sessions, request| async move { stub.get_replay(request).await };
        let mut replay = self.read(request.clone(), method).await?;
        while !replay.next_page_token.is_empty() {
            request.page_token = mem::take(&mut replay.next_page_token);
            let page = self.read(request.clone(), method).await?;
            replay.steps.extend(page.steps);
            replay.next_page_token = page.next_page_token;
        }
        Ok(replay)
    }

    /// The updates of the session up to its result, beginning with a snapshot.
    pub fn watch(&self) -> Updates {
        Updates::new(self.clone(), None)
    }

    /// The updates of the session for somebody who has those up to a version: begins with the one after it.
    pub fn watch_from(&self, version: u64) -> Updates {
        Updates::new(self.clone(), Some(version))
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    /// Opens a stream.
    pub(crate) async fn stream(
        &self,
        from_version: Option<u64>,
    ) -> Result<Streaming<WatchSessionResponse>, Error> {
        let watch = WatchSessionRequest {
            session_id: self.session_id.clone(),
            from_version,
            view: self.view.into(),
        };
        let mut stub = self.client.sessions();
        let opening = stub.watch_session(request(watch, self.token()));
        Ok(self.client.in_time(opening).await?.into_inner())
    }

    async fn read<Q, R, F>(
        &self,
        request: Q,
        method: impl Fn(Sessions, tonic::Request<Q>) -> F,
    ) -> Result<R, Error>
    where
        Q: Clone,
        F: Future<Output = Result<tonic::Response<R>, tonic::Status>>,
    {
        let call = Call::new(request, Repeat::IfUnreachable).with_token(self.token());
        self.client.call(self.client.sessions(), call, method).await
    }
}
