//! A connection to a server.

use std::time::Duration;

use crate::{
    Builder, Error, Host, Seat, Token, Transport, Viewer,
    call::{Call, Repeat},
    token::request_id,
    v1::{
        CreateSessionRequest, Game, JoinSessionRequest, ListGamesRequest, Session,
        catalog_service_client::CatalogServiceClient, session_service_client::SessionServiceClient,
    },
};

/// The stub of CatalogService.
pub(crate) type Catalog = CatalogServiceClient<Transport>;
/// The stub of SessionService.
pub(crate) type Sessions = SessionServiceClient<Transport>;

/// A connection to a server. A clone is the same connection.
///
/// It carries as many calls and streams at once as the server allows (`streams_per_connection_max` in
/// [`Limits`](crate::v1::Limits)), the others wait. Whoever plays more seats connects more often.
#[derive(Clone, Debug)]
pub struct Client {
    transport: Transport,
    pub(crate) timeout: Duration,
    pub(crate) patience: Duration,
}

impl Client {
    /// Connects to the server at an address: HOST:PORT, or the URL that the server prints.
    ///
    /// # Errors
    /// If the address is none, or if the server cannot be reached: that may pass.
    pub async fn connect(address: impl Into<String>) -> Result<Self, Error> {
        Self::builder(address).connect().await
    }

    /// The same, with more to say about how.
    pub fn builder(address: impl Into<String>) -> Builder {
        Builder::new(address.into())
    }

    pub(crate) fn new(transport: Transport, timeout: Duration, patience: Duration) -> Self {
        Self {
            transport,
            timeout,
            patience,
        }
    }

    /// The stub of CatalogService.
    pub fn catalog(&self) -> CatalogServiceClient<Transport> {
        Catalog::new(self.transport.clone())
    }

    /// The stub of SessionService. Its calls have neither token nor deadline: see [`Token::authorize`].
    pub fn sessions(&self) -> SessionServiceClient<Transport> {
        Sessions::new(self.transport.clone())
    }

    /// All games that can be played here.
    ///
    /// # Errors
    /// If the call fails.
    pub async fn games(&self) -> Result<Vec<Game>, Error> {
        let mut games = Vec::new();
        let mut request = ListGamesRequest::default();
        loop {
            let method = |mut stub: Catalog, request| async move { stub.list_games(request).await };
            let call = Call::new(request.clone(), Repeat::IfUnreachable);
            let page = self.call(self.catalog(), call, method).await?;
            games.extend(page.games);
            if page.next_page_token.is_empty() {
                return Ok(games);
            }
            request.page_token = page.next_page_token;
        }
    }

    /// Opens a session. It starts when all its seats are taken.
    ///
    /// Takes the id of a game, for a session with its default options, or a whole request.
    ///
    /// # Errors
    /// If the server refuses or the call fails.
    pub async fn create(&self, request: impl Into<CreateSessionRequest>) -> Result<Host, Error> {
        let request = request.into();
        let repeat = Repeat::if_named(&request.request_id);
        let method =
            |mut stub: Sessions, request| async move { stub.create_session(request).await };
        let call = Call::new(request, repeat);
        let reply = self.call(self.sessions(), call, method).await?;
        let mut host = self.host(reply.session_id, reply.host_token.parse()?);
        if !reply.join_token.is_empty() {
            host.join_token = Some(reply.join_token.parse()?);
        }
        Ok(host)
    }

    /// Takes a seat.
    ///
    /// Takes the id of a session, for the first seat that is open, or a whole request.
    ///
    /// # Errors
    /// If the server refuses or the call fails.
    pub async fn join(&self, request: impl Into<JoinSessionRequest>) -> Result<Seat, Error> {
        self.take_seat(request.into(), None).await
    }

    /// Takes a seat of a private session, with its join token or the host's.
    ///
    /// # Errors
    /// If the server refuses or the call fails.
    pub async fn join_private(
        &self,
        request: impl Into<JoinSessionRequest>,
        token: &Token,
    ) -> Result<Seat, Error> {
        self.take_seat(request.into(), Some(token)).await
    }

    async fn take_seat(
        &self,
        request: JoinSessionRequest,
        token: Option<&Token>,
    ) -> Result<Seat, Error> {
        let session_id = request.session_id.clone();
        let repeat = Repeat::if_named(&request.request_id);
        let method = |mut stub: Sessions, request| async move { stub.join_session(request).await };
        let call = Call::new(request, repeat).with_token(token);
        let reply = self.call(self.sessions(), call, method).await?;
        Ok(self.seat(session_id, reply.seat(), reply.seat_token.parse()?))
    }

    /// A session that is not private, with its seats, as it is now.
    ///
    /// # Errors
    /// If the server refuses or the call fails.
    pub async fn session(&self, session_id: impl Into<String>) -> Result<Session, Error> {
        self.spectator(session_id).session().await
    }

    /// Comes back to a session that was opened earlier. Calls nobody.
    pub fn host(&self, session_id: impl Into<String>, token: Token) -> Host {
        Host {
            client: self.clone(),
            session_id: session_id.into(),
            token,
            join_token: None,
        }
    }

    /// Comes back to a seat, 0-based, that was taken earlier. Calls nobody.
    pub fn seat(&self, session_id: impl Into<String>, seat: u32, token: Token) -> Seat {
        Seat::new(self.spectator(session_id), seat, token)
    }

    /// Somebody who sees a session without a seat. Calls nobody.
    pub fn spectator(&self, session_id: impl Into<String>) -> Viewer {
        Viewer::new(self.clone(), session_id.into())
    }
}

/// A session of a game with its default options, and with a fresh request id: the call is safe to repeat.
impl From<&str> for CreateSessionRequest {
    fn from(game: &str) -> Self {
        Self {
            game: game.to_owned(),
            request_id: request_id(),
            ..Self::default()
        }
    }
}

/// The first open seat of a session, with a fresh request id: the call is safe to repeat.
impl From<&str> for JoinSessionRequest {
    fn from(session_id: &str) -> Self {
        Self {
            session_id: session_id.to_owned(),
            seat: None,
            request_id: request_id(),
        }
    }
}
