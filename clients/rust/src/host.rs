//! Who sets up a session.

use crate::{
    Client, Error, Seat, Token, Viewer,
    call::{Call, Repeat},
    client::Sessions,
    token::request_id,
    v1::{AddBotRequest, DeleteSessionRequest, Session},
};

/// The right to set up a session: see [`Client::create`] and [`Client::host`].
#[derive(Clone, Debug)]
pub struct Host {
    pub(crate) client: Client,
    pub(crate) session_id: String,
    pub(crate) token: Token,
    pub(crate) join_token: Option<Token>,
}

impl Host {
    /// The session.
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// The host token.
    pub fn token(&self) -> &Token {
        &self.token
    }

    /// What joining and watching a private session need, for whoever may come. None if the session is not private, or if
    /// it was opened earlier.
    pub fn join_token(&self) -> Option<&Token> {
        self.join_token.as_ref()
    }

    /// Takes the first seat that is open.
    ///
    /// # Errors
    /// If the server refuses or the call fails.
    pub async fn join(&self) -> Result<Seat, Error> {
        self.client
            .join_private(&*self.session_id, &self.token)
            .await
    }

    /// Gives a seat to a house bot, and says which.
    ///
    /// Takes the name of the bot, for the first seat that is open, or a request, whose session is the host's whatever it
    /// says.
    ///
    /// # Errors
    /// If the server refuses or the call fails.
    pub async fn add_bot(&self, request: impl Into<AddBotRequest>) -> Result<u32, Error> {
        let mut request = request.into();
        request.session_id.clone_from(&self.session_id);
        let repeat = Repeat::if_named(&request.request_id);
        let method = |mut stub: Sessions, request| async move { stub.add_bot(request).await };
        let call = Call::new(request, repeat).with_token(Some(&self.token));
        let reply = self
            .client
            .call(self.client.sessions(), call, method)
            .await?;
        Ok(reply.seat())
    }

    /// The session with its seats, as it is now.
    ///
    /// # Errors
    /// If the server refuses or the call fails.
    pub async fn session(&self) -> Result<Session, Error> {
        let viewer = Viewer::new(self.client.clone(), self.session_id.clone());
        viewer.with_token(self.token.clone()).session().await
    }

    /// Ends and forgets the session.
    ///
    /// # Errors
    /// If the server refuses or the call fails.
    pub async fn delete(&self) -> Result<(), Error> {
        let request = DeleteSessionRequest {
            session_id: self.session_id.clone(),
        };
        let method =
            |mut stub: Sessions, request| async move { stub.delete_session(request).await };
        let call = Call::new(request, Repeat::Never).with_token(Some(&self.token));
        self.client
            .call(self.client.sessions(), call, method)
            .await?;
        Ok(())
    }
}

/// A house bot on the first open seat, with a fresh request id: the call is safe to repeat.
impl From<&str> for AddBotRequest {
    fn from(bot: &str) -> Self {
        Self {
            session_id: String::new(),
            bot: bot.to_owned(),
            seat: None,
            request_id: request_id(),
        }
    }
}
