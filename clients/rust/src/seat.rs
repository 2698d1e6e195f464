//! Who plays.

use std::future;

use crate::{
    Error, Token, Updates, Viewer,
    call::{Call, Repeat},
    client::Sessions,
    v1::{
        Action, GetObservationResponse, LeaveSessionRequest, LegalAction, Outcome, Session,
        SubmitActionRequest, SubmitActionResponse, Update, View, submit_action_request,
    },
};

/// The right to play a seat: see [`Client::join`](crate::Client::join) and [`Client::seat`](crate::Client::seat). It sees
/// the session as that seat.
#[derive(Clone, Debug)]
pub struct Seat {
    viewer: Viewer,
    number: u32,
    token: Token,
}

/// An answer to a decision.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The action that has this id.
    Id(u32),
    /// An action by meaning.
    Meaning(Action),
}

impl Seat {
    pub(crate) fn new(spectator: Viewer, number: u32, token: Token) -> Self {
        Self {
            viewer: spectator.with_token(token.clone()),
            number,
            token,
        }
    }

    /// The same with legal actions shown in this way rather than in full.
    #[must_use]
    pub fn with_view(mut self, view: View) -> Self {
        self.viewer = self.viewer.with_view(view);
        self
    }

    /// The session.
    pub fn session_id(&self) -> &str {
        self.viewer.session_id()
    }

    /// The number of the seat, 0-based.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The seat token.
    pub fn token(&self) -> &Token {
        &self.token
    }

    /// The session with its seats, as it is now.
    ///
    /// # Errors
    /// If the server refuses or the call fails.
    pub async fn session(&self) -> Result<Session, Error> {
        self.viewer.session().await
    }

    /// What the seat knows now, and what it may answer.
    ///
    /// # Errors
    /// If the server refuses or the call fails.
    pub async fn observe(&self) -> Result<GetObservationResponse, Error> {
        self.viewer.observe().await
    }

    /// The updates of the session as the seat sees them: see [`Viewer::watch`].
    pub fn watch(&self) -> Updates {
        self.viewer.watch()
    }

    /// The updates after a version as the seat sees them: see [`Viewer::watch_from`].
    pub fn watch_from(&self, version: u64) -> Updates {
        self.viewer.watch_from(version)
    }

    /// Answers a decision.
    ///
    /// The same answer again gets the first reply and changes nothing. So it is given again while the server cannot be
    /// reached, for as long as the client has patience.
    ///
    /// # Errors
    /// If the server refuses or the call fails.
    pub async fn submit(
        &self,
        decision_id: u64,
        answer: impl Into<Answer>,
    ) -> Result<SubmitActionResponse, Error> {
        self.submit_for(decision_id, answer.into(), self.viewer.view())
            .await
    }

    /// Leaves the seat. In a started game this is a resignation.
    ///
    /// # Errors
    /// If the server refuses or the call fails.
    pub async fn leave(&self) -> Result<Session, Error> {
        let request = LeaveSessionRequest {
            session_id: self.session_id().to_owned(),
        };
        let method = |mut stub: Sessions, request| async move { stub.leave_session(request).await };
        let call = Call::new(request, Repeat::Never).with_token(Some(&self.token));
        let client = self.viewer.client();
        let reply = client.call(client.sessions(), call, method).await?;
        reply
            .session
            .ok_or_else(|| Error::unexpected("the server sent no session"))
    }

    /// Plays the seat to the end of the game and returns the result.
    ///
    /// Watches the session and submits what the policy answers whenever the seat owes a decision. If the decision or the
    /// time for it has passed meanwhile, it goes on with the next. After an end of the program, play again goes on where
    /// the game is.
    ///
    /// # Errors
    /// If the server refuses an answer, or cannot be reached for longer than the client has patience.
    pub async fn play<A: Into<Answer>>(
        &self,
        mut policy: impl FnMut(&Update) -> A,
    ) -> Result<Outcome, Error> {
        self.play_async(|update| future::ready(Ok(policy(&update))))
            .await
    }

    /// The same with a policy that may wait and may fail: its error ends the play. One that computes for long should do
    /// so elsewhere, for instance in `tokio::task::spawn_blocking`, or nothing else happens in its thread.
    ///
    /// # Errors
    /// With the policy's; or as [`play`](Self::play).
    pub async fn play_async<A, E, F>(
        &self,
        mut policy: impl FnMut(Update) -> F,
    ) -> Result<Outcome, E>
    where
        A: Into<Answer>,
        E: From<Error>,
        F: Future<Output = Result<A, E>>,
    {
        let mut updates = self.watch();
        let mut answered = None;
        while let Some(update) = updates.next().await? {
            if let Some(outcome) = update.outcome {
                return Ok(outcome);
            }
            let asked = update
                .decision
                .as_ref()
                .filter(|it| it.seats.contains(&self.number));
            let asked = asked.map(|decision| decision.decision_id);
            // Where several seats decide at once, updates from before our own answer counted still ask us for it.
            if let Some(decision_id) = asked
                && asked != answered
            {
                let answer = policy(update).await?.into();
                answered = asked;
                // The stream tells what comes of it, so a lean reply will do.
                match self.submit_for(decision_id, answer, View::Lean).await {
                    Err(error) if !error.is_overtaken() => return Err(error.into()),
                    _ => {}
                }
            }
        }
        Err(Error::unexpected("the stream ended without a result").into())
    }

    async fn submit_for(
        &self,
        decision_id: u64,
        answer: Answer,
        view: View,
    ) -> Result<SubmitActionResponse, Error> {
        let request = SubmitActionRequest {
            session_id: self.session_id().to_owned(),
            decision_id,
            answer: Some(answer.into()),
            view: view.into(),
        };
        let method = |mut stub: Sessions, request| async move { stub.submit_action(request).await };
        let call = Call::new(request, Repeat::IfUnreachable).with_token(Some(&self.token));
        let client = self.viewer.client();
        client.call(client.sessions(), call, method).await
    }
}

impl From<u32> for Answer {
    fn from(action_id: u32) -> Self {
        Self::Id(action_id)
    }
}

impl From<&LegalAction> for Answer {
    fn from(action: &LegalAction) -> Self {
        Self::Id(action.action_id())
    }
}

impl From<Action> for Answer {
    fn from(action: Action) -> Self {
        Self::Meaning(action)
    }
}

impl From<Answer> for submit_action_request::Answer {
    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Id(action_id) => Self::ActionId(action_id),
            Answer::Meaning(action) => Self::Action(action),
        }
    }
}
