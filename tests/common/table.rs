//! A session with its tokens, seen through a client.

use bytes::Bytes;
use prost::Message as _;
use tavola::pb::{
    santorini::v1 as game,
    v1::{
        AddBotRequest, CreateSessionRequest, DeleteSessionRequest, ForkSessionRequest,
        GetObservationRequest, GetObservationResponse, GetReplayRequest, GetReplayResponse,
        GetSessionRequest, GetStateRequest, GetStateResponse, JoinSessionRequest,
        LeaveSessionRequest, Options, Session, SessionStatus, SubmitActionRequest,
        SubmitActionResponse, Update, View, WatchSessionRequest, WatchSessionResponse, options,
        submit_action_request::Answer,
    },
};
use tonic::{Request, Response, Status, Streaming};

use super::{Dice, Sessions, soon};

/// A session and everything needed to act in it.
#[derive(Clone, Debug)]
pub struct Table {
    pub client: Sessions,
    pub id: String,
    pub host: String,
    /// The join token of a private session.
    pub join_token: Option<String>,
    /// The tokens of the seats, in the order of the seats; as many as have joined.
    pub tokens: Vec<String>,
}

/// All games, by their ids.
pub const GAMES: [&str; 5] = [
    "citadels",
    "council_of_shadows",
    "santorini",
    "shadow_hunters",
    "under_falling_skies",
];

/// A session of this game, as its defaults have it.
pub fn of(game: &str) -> CreateSessionRequest {
    CreateSessionRequest {
        game: game.to_owned(),
        ..Default::default()
    }
}

/// A request to open a session of Santorini without gods, all other options by default.
pub fn santorini() -> CreateSessionRequest {
    let options = game::Options {
        god_mode: game::GodMode::None.into(),
        ..Default::default()
    };
    CreateSessionRequest {
        game: "santorini".to_owned(),
        options: Some(Options {
            game: Some(options::Game::Santorini(options)),
        }),
        ..Default::default()
    }
}

/// The message with a token in its metadata.
pub fn with_token<T>(token: Option<&str>, message: T) -> Request<T> {
    let mut request = Request::new(message);
    if let Some(token) = token {
        let value = format!("Bearer {token}")
            .parse()
            .expect("a token is metadata");
        request.metadata_mut().insert("authorization", value);
    }
    request
}

/// What comes of a call, which has to come soon.
async fn reply<T>(call: impl Future<Output = Result<Response<T>, Status>>) -> Result<T, Status> {
    soon("a reply", call).await.map(Response::into_inner)
}

/// The update of a streamed message.
pub fn update_of(encoded: &Bytes) -> Update {
    Update::decode(encoded.clone()).expect("an update decodes")
}

/// The one seat that owes an answer, in a game in which one at a time decides.
pub fn asked_seat(decision: Option<&tavola::pb::v1::Decision>) -> Option<usize> {
    decision.map(|decision| match decision.seats[..] {
        [seat] => usize::try_from(seat).expect("a seat is a small number"),
        _ => panic!("one seat at a time decides here: {decision:?}"),
    })
}

impl Table {
    /// A session that waits for its players.
    pub async fn create(client: &Sessions, request: CreateSessionRequest) -> Self {
        let created = reply(client.clone().create_session(request))
            .await
            .expect("a session can be opened");
        Self {
            client: client.clone(),
            id: created.session_id,
            host: created.host_token,
            join_token: Some(created.join_token).filter(|token| !token.is_empty()),
            tokens: Vec::new(),
        }
    }

    /// A session with a player at each seat: the game is on.
    pub async fn start(client: &Sessions, request: CreateSessionRequest) -> Self {
        let mut table = Self::create(client, request).await;
        for _ in table.session().await.seats {
            table.join().await;
        }
        table
    }

    /// A session of Santorini in which seat 0 begins, with a player at each seat.
    pub async fn santorini(client: &Sessions) -> Self {
        let options = game::Options {
            god_mode: game::GodMode::None.into(),
            start_player: Some(0),
            ..Default::default()
        };
        let options = Options {
            game: Some(options::Game::Santorini(options)),
        };
        Self::start(
            client,
            CreateSessionRequest {
                options: Some(options),
                ..santorini()
            },
        )
        .await
    }

    /// One more player takes the first seat that is open.
    pub async fn join(&mut self) {
        let request = JoinSessionRequest {
            session_id: self.id.clone(),
            seat: None,
            ..Default::default()
        };
        let request = with_token(self.join_token.as_deref(), request);
        let joined = reply(self.client.join_session(request))
            .await
            .expect("a seat is open");
        assert_eq!(
            joined
                .seat
                .map(usize::try_from)
                .and_then(Result::ok)
                .unwrap(),
            self.tokens.len()
        );
        self.tokens.push(joined.seat_token);
    }

    /// A house bot gets the first seat that is open.
    pub async fn add_bot(&self, bot: &str) {
        let request = AddBotRequest {
            session_id: self.id.clone(),
            bot: bot.to_owned(),
            seat: None,
            ..Default::default()
        };
        let request = with_token(Some(&self.host), request);
        reply(self.client.clone().add_bot(request))
            .await
            .expect("a seat is open");
    }

    /// The token of a viewer: a seat, or a spectator, who has one in a private session only.
    pub fn token(&self, viewer: Option<usize>) -> Option<&str> {
        match viewer {
            Some(seat) => Some(self.tokens[seat].as_str()),
            None => self.join_token.as_deref(),
        }
    }

    pub async fn session(&self) -> Session {
        let request = GetSessionRequest {
            session_id: self.id.clone(),
        };
        let request = with_token(self.join_token.as_deref(), request);
        let got = reply(self.client.clone().get_session(request)).await;
        got.expect("the session is there")
            .session
            .expect("the session is in the reply")
    }

    pub async fn try_observe(
        &self,
        token: Option<&str>,
        view: View,
    ) -> Result<GetObservationResponse, Status> {
        let request = GetObservationRequest {
            session_id: self.id.clone(),
            view: view.into(),
        };
        reply(
            self.client
                .clone()
                .get_observation(with_token(token, request)),
        )
        .await
    }

    /// What a viewer is shown: a seat, or a spectator.
    pub async fn observe(&self, viewer: Option<usize>, view: View) -> GetObservationResponse {
        self.try_observe(self.token(viewer), view)
            .await
            .expect("a viewer may look")
    }

    pub async fn submit(
        &self,
        seat: usize,
        decision_id: u64,
        answer: Answer,
    ) -> Result<SubmitActionResponse, Status> {
        self.submit_as(&self.tokens[seat], decision_id, answer, View::Lean)
            .await
    }

    pub async fn submit_as(
        &self,
        token: &str,
        decision_id: u64,
        answer: Answer,
        view: View,
    ) -> Result<SubmitActionResponse, Status> {
        let request = SubmitActionRequest {
            session_id: self.id.clone(),
            decision_id,
            answer: Some(answer),
            view: view.into(),
        };
        reply(
            self.client
                .clone()
                .submit_action(with_token(Some(token), request)),
        )
        .await
    }

    /// One of those who are asked plays something legal. `None` once the game is over.
    pub async fn play_ply(&self, dice: &mut Dice) -> Option<SubmitActionResponse> {
        let seats = self.observe(Some(0), View::Lean).await.decision?.seats;
        let seat = usize::try_from(*dice.pick(&seats)).expect("a seat is a small number");
        // Where several decide at once, each may be at a decision of its own.
        let mine = self.observe(Some(seat), View::Lean).await;
        let decision = mine.decision.expect("the seat is asked").decision_id;
        let answer = Answer::ActionId(*dice.pick(&mine.legal_action_ids));
        Some(
            self.submit(seat, decision, answer)
                .await
                .expect("what is listed is accepted"),
        )
    }

    /// Plays so many plies, or fewer if the game ends before.
    pub async fn play_plies(&self, dice: &mut Dice, plies: usize) {
        for _ in 0..plies {
            if self.play_ply(dice).await.is_none() {
                return;
            }
        }
    }

    /// Plays to the end.
    pub async fn play_out(&self, dice: &mut Dice) {
        while self.play_ply(dice).await.is_some() {}
        assert_eq!(self.session().await.status(), SessionStatus::Finished);
    }

    /// Whoever is asked plays this action, which has to be legal.
    pub async fn play_action(&self, action: u32) {
        let decision = self.observe(None, View::Lean).await.decision;
        let seat = asked_seat(decision.as_ref()).expect("the game goes on");
        let decision = decision.expect("somebody is asked").decision_id;
        self.submit(seat, decision, Answer::ActionId(action))
            .await
            .expect("the action is legal");
    }

    /// The host ends it.
    pub async fn delete(&self) {
        let request = DeleteSessionRequest {
            session_id: self.id.clone(),
        };
        let request = with_token(Some(&self.host), request);
        reply(self.client.clone().delete_session(request))
            .await
            .expect("the host may delete");
    }

    pub async fn leave(&self, seat: usize) -> Result<Session, Status> {
        let request = LeaveSessionRequest {
            session_id: self.id.clone(),
        };
        let request = with_token(self.token(Some(seat)), request);
        let left = reply(self.client.clone().leave_session(request)).await?;
        Ok(left.session.expect("the session is in the reply"))
    }

    pub async fn state(&self, token: Option<&str>) -> Result<GetStateResponse, Status> {
        let request = GetStateRequest {
            session_id: self.id.clone(),
        };
        reply(self.client.clone().get_state(with_token(token, request))).await
    }

    pub async fn replay(&self, request: GetReplayRequest) -> Result<GetReplayResponse, Status> {
        let request = GetReplayRequest {
            session_id: self.id.clone(),
            ..request
        };
        let request = with_token(self.join_token.as_deref(), request);
        reply(self.client.clone().get_replay(request)).await
    }

    /// A fork by the holder of this token, with the tokens of all its seats.
    pub async fn fork(&self, token: Option<&str>, ply: Option<u32>) -> Result<Self, Status> {
        let request = ForkSessionRequest {
            ply,
            ..Default::default()
        };
        self.fork_as(token, request).await
    }

    /// A fork as somebody with this token asks for it.
    pub async fn fork_as(
        &self,
        token: Option<&str>,
        request: ForkSessionRequest,
    ) -> Result<Self, Status> {
        let request = ForkSessionRequest {
            session_id: self.id.clone(),
            ..request
        };
        let forked = reply(self.client.clone().fork_session(with_token(token, request))).await?;
        let private = forked.session.is_some_and(|session| session.private);
        assert_eq!(forked.join_token.is_empty(), !private);
        let seats = (0..).zip(forked.seat_tokens);
        Ok(Self {
            client: self.client.clone(),
            id: forked.session_id,
            host: forked.host_token,
            join_token: private.then_some(forked.join_token),
            tokens: seats
                .map(|(seat, token)| {
                    assert_eq!(token.seat, Some(seat), "in the order of the seats");
                    token.seat_token
                })
                .collect(),
        })
    }

    pub async fn try_watch(
        &self,
        token: Option<&str>,
        view: View,
        from_version: Option<u64>,
    ) -> Result<Watching, Status> {
        let request = WatchSessionRequest {
            session_id: self.id.clone(),
            from_version,
            view: view.into(),
        };
        let request = with_token(token, request);
        let stream = reply(self.client.clone().watch_session(request)).await?;
        Ok(Watching(stream))
    }

    pub async fn watch(&self, viewer: Option<usize>, view: View) -> Watching {
        self.try_watch(self.token(viewer), view, None)
            .await
            .expect("a viewer may watch")
    }

    pub async fn resume(
        &self,
        viewer: Option<usize>,
        view: View,
        from_version: u64,
    ) -> Result<Watching, Status> {
        self.try_watch(self.token(viewer), view, Some(from_version))
            .await
    }
}

/// A stream that is watched.
#[derive(Debug)]
pub struct Watching(Streaming<WatchSessionResponse>);

impl Watching {
    /// The next update as it came, or the stream's good end.
    pub async fn next_encoded(&mut self) -> Result<Option<Bytes>, Status> {
        let message = soon("an update, or the end of the stream,", self.0.message()).await?;
        Ok(message.map(|message| message.update.expect("a message has an update")))
    }

    /// The next update, which has to come.
    pub async fn next(&mut self) -> Update {
        let encoded = self.next_encoded().await.expect("the stream goes on");
        update_of(&encoded.expect("the stream has not ended"))
    }

    /// All updates to the stream's good end, as they came.
    pub async fn rest_encoded(&mut self) -> Vec<Bytes> {
        let mut updates = Vec::new();
        while let Some(update) = self
            .next_encoded()
            .await
            .expect("the stream ends well, if it ends")
        {
            updates.push(update);
        }
        updates
    }

    /// All updates to the stream's good end.
    pub async fn rest(&mut self) -> Vec<Update> {
        self.rest_encoded().await.iter().map(update_of).collect()
    }

    /// How the stream ends, if not well: what came before that is passed over.
    pub async fn end(&mut self) -> Option<Status> {
        loop {
            match self.next_encoded().await {
                Ok(Some(_)) => {}
                Ok(None) => return None,
                Err(status) => return Some(status),
            }
        }
    }
}
