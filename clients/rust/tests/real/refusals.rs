//! What a real server refuses, and the errors that it becomes.

use std::{fs, time::Duration};

use tavola_client::{
    Answer, Client, Error, Host, Seat, Token, Viewer, Violation,
    santorini::v1::Options as SantoriniOptions,
    tonic::{Code, Request},
    v1::{
        Action, AddBotRequest, CreateSessionRequest, ErrorReason, GetGameRequest,
        GetObservationResponse, GetReplayRequest, JoinSessionRequest, ListGamesRequest, Options,
        SubmitActionRequest, options,
    },
};

use crate::server::{Folder, Server};

/// A session of Santorini with two players.
struct Table {
    host: Host,
    /// Who owes the first answer.
    to_act: Seat,
    other: Seat,
    /// What `to_act` sees.
    sight: GetObservationResponse,
}

impl Table {
    async fn new(client: &Client) -> Self {
        let host = client.create("santorini").await.unwrap();
        let [first, second] = [host.join().await.unwrap(), host.join().await.unwrap()];
        let sight = first.observe().await.unwrap();
        if sight.legal_actions.is_empty() {
            let sight = second.observe().await.unwrap();
            return Self {
                host,
                to_act: second,
                other: first,
                sight,
            };
        }
        Self {
            host,
            to_act: first,
            other: second,
            sight,
        }
    }

    fn decision(&self) -> u64 {
        self.sight.decision.as_ref().unwrap().decision_id
    }

    fn legal(&self, index: usize) -> u32 {
        self.sight.legal_actions[index].action_id()
    }
}

fn santorini(options: SantoriniOptions) -> Option<Options> {
    Some(Options {
        game: Some(options::Game::Santorini(options)),
    })
}

/// A token as good as this one, and of nobody.
fn forged(token: &Token) -> Token {
    let text = token.reveal();
    let end = if text.ends_with('A') { "B" } else { "A" };
    format!("{}{end}", &text[..text.len() - 1]).parse().unwrap()
}

/// The error that a stream begins with.
async fn ended(viewer: Viewer) -> Error {
    viewer.watch().next().await.unwrap_err()
}

/// Checks what a call is refused with. `field` is the one that is wrong, if any is.
#[track_caller]
fn check<T>(refused: Result<T, Error>, code: Code, reason: ErrorReason, field: &str) -> Error {
    let error = refused.err().expect("it is refused");
    assert_eq!(
        (error.code(), error.reason()),
        (code, Some(reason)),
        "{error:?}"
    );
    assert!(!error.message().is_empty());
    let named = |wrong: &Violation| wrong.field == field && !wrong.description.is_empty();
    match field {
        "" => assert_eq!(error.violations(), []),
        _ => assert!(error.violations().iter().any(named), "{error:?}"),
    }
    error
}

async fn connect(server: &Server) -> Client {
    let builder = Client::builder(&server.address).patience(Duration::ZERO);
    builder.connect().await.unwrap()
}

#[tokio::test]
async fn sessions() {
    use {Code::*, ErrorReason::*};
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let client = connect(&server).await;
    let request = CreateSessionRequest {
        game: "santorini".into(),
        ..CreateSessionRequest::default()
    };
    check(
        client.create("").await,
        InvalidArgument,
        MalformedRequest,
        "game",
    );
    check(client.create("chess").await, NotFound, GameNotFound, "");
    let five = CreateSessionRequest {
        seats: Some(5),
        ..request.clone()
    };
    check(
        client.create(five).await,
        InvalidArgument,
        OptionsNotLegal,
        "seats",
    );
    let endless = CreateSessionRequest {
        options: santorini(SantoriniOptions {
            max_turns: Some(0),
            ..SantoriniOptions::default()
        }),
        ..request.clone()
    };
    let field = "options.santorini.max_turns";
    check(
        client.create(endless).await,
        InvalidArgument,
        OptionsNotLegal,
        field,
    );
    let of_another = CreateSessionRequest {
        game: "citadels".into(),
        options: santorini(SantoriniOptions::default()),
        ..request.clone()
    };
    check(
        client.create(of_another).await,
        InvalidArgument,
        OptionsNotLegal,
        "options",
    );
    let short_id = CreateSessionRequest {
        request_id: "short".into(),
        ..request.clone()
    };
    check(
        client.create(short_id).await,
        InvalidArgument,
        MalformedRequest,
        "request_id",
    );
    let mut named = CreateSessionRequest::from("santorini");
    client.create(named.clone()).await.unwrap();
    named.seed = Some(1);
    check(
        client.create(named).await,
        FailedPrecondition,
        RequestIdReused,
        "",
    );

    check(
        client.session("").await,
        InvalidArgument,
        MalformedRequest,
        "session_id",
    );
    check(client.join("nowhere").await, NotFound, SessionNotFound, "");
    let deleted = client.create("santorini").await.unwrap();
    deleted.delete().await.unwrap();
    check(
        client.session(deleted.session_id()).await,
        NotFound,
        SessionNotFound,
        "",
    );
    check(deleted.delete().await, NotFound, SessionNotFound, "");
    let error = ended(client.spectator(deleted.session_id())).await;
    check(Err::<(), _>(error), NotFound, SessionNotFound, "");

    let private = CreateSessionRequest {
        private: true,
        ..request
    };
    let private = client.create(private).await.unwrap();
    check(
        client.join(private.session_id()).await,
        NotFound,
        SessionNotFound,
        "",
    );
    check(
        client.session(private.session_id()).await,
        NotFound,
        SessionNotFound,
        "",
    );
    let invited = private.join_token().unwrap();
    let guest = client
        .spectator(private.session_id())
        .with_token(invited.clone());
    assert!(guest.session().await.unwrap().private);
    client
        .join_private(private.session_id(), invited)
        .await
        .unwrap();
}

#[tokio::test]
async fn seats() {
    use {Code::*, ErrorReason::*};
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let client = connect(&server).await;
    let running = Table::new(&client).await;
    check(
        running.host.join().await,
        FailedPrecondition,
        SessionFull,
        "",
    );
    let waiting = client.create("santorini").await.unwrap();
    let early = waiting.join().await.unwrap();
    let seat = |seat| JoinSessionRequest {
        seat: Some(seat),
        ..JoinSessionRequest::from(waiting.session_id())
    };
    check(
        client.join(seat(early.number())).await,
        FailedPrecondition,
        SeatTaken,
        "",
    );
    check(
        client.join(seat(2)).await,
        InvalidArgument,
        MalformedRequest,
        "seat",
    );
    check(
        waiting.add_bot("clever").await,
        InvalidArgument,
        MalformedRequest,
        "bot",
    );
    check(
        early.submit(1, 0).await,
        FailedPrecondition,
        SessionNotStarted,
        "",
    );

    let nobody = Request::new(AddBotRequest {
        session_id: waiting.session_id().into(),
        bot: "random".into(),
        ..AddBotRequest::default()
    });
    let refused = client.sessions().add_bot(nobody).await;
    check(
        refused.map_err(Error::from),
        Unauthenticated,
        TokenRequired,
        "",
    );
    let thief = client.host(waiting.session_id(), early.token().clone());
    check(thief.delete().await, PermissionDenied, SeatMismatch, "");
    let Table { host, to_act, .. } = &running;
    let owner = client.seat(host.session_id(), 0, host.token().clone());
    let answered = owner.submit(running.decision(), running.legal(0)).await;
    check(answered, PermissionDenied, SeatMismatch, "");
    let forger = client.seat(host.session_id(), 0, forged(to_act.token()));
    check(forger.observe().await, Unauthenticated, TokenRequired, "");
    let error = forger.watch().next().await;
    check(error, Unauthenticated, TokenRequired, "");
}

#[tokio::test]
async fn answers() {
    use {Code::*, ErrorReason::*};
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let client = connect(&server).await;
    let table = Table::new(&client).await;
    let (open, legal) = (table.decision(), table.legal(0));
    let Table { to_act, other, .. } = &table;
    check(
        to_act.submit(0, legal).await,
        InvalidArgument,
        MalformedRequest,
        "decision_id",
    );
    let silent = SubmitActionRequest {
        session_id: to_act.session_id().into(),
        decision_id: open,
        ..SubmitActionRequest::default()
    };
    let refused = client
        .sessions()
        .submit_action(to_act.token().authorize(silent))
        .await;
    check(
        refused.map_err(Error::from),
        InvalidArgument,
        MalformedRequest,
        "answer",
    );
    check(
        to_act.submit(open, 1_000_000).await,
        InvalidArgument,
        MalformedRequest,
        "action_id",
    );
    let meaningless = Answer::Meaning(Action::default());
    let field = "action.santorini";
    check(
        to_act.submit(open, meaningless).await,
        InvalidArgument,
        MalformedRequest,
        field,
    );
    check(
        to_act.submit(open, 499).await,
        FailedPrecondition,
        ActionNotLegal,
        "",
    );
    check(
        other.submit(open, legal).await,
        FailedPrecondition,
        NotToAct,
        "",
    );
    let replay = GetReplayRequest {
        session_id: to_act.session_id().into(),
        ..GetReplayRequest::default()
    };
    let refused = client.sessions().get_replay(replay).await;
    check(
        refused.map_err(Error::from),
        FailedPrecondition,
        SessionNotFinished,
        "",
    );

    to_act.submit(open, legal).await.unwrap();
    let error = check(
        to_act.submit(open, table.legal(1)).await,
        Aborted,
        StaleDecision,
        "",
    );
    let current = to_act.observe().await.unwrap().decision.unwrap();
    assert_eq!(
        error.metadata()["decision_id"],
        current.decision_id.to_string()
    );
    other.leave().await.unwrap();
    check(
        to_act.submit(current.decision_id, 0).await,
        FailedPrecondition,
        GameOver,
        "",
    );
}

#[tokio::test]
async fn catalog() {
    use {Code::*, ErrorReason::*};
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let mut catalog = connect(&server).await.catalog();
    let chess = GetGameRequest {
        game: "chess".into(),
    };
    let refused = catalog.get_game(chess).await;
    check(refused.map_err(Error::from), NotFound, GameNotFound, "");
    let never_offered = ListGamesRequest {
        page_token: "?".into(),
        ..ListGamesRequest::default()
    };
    let refused = catalog.list_games(never_offered).await;
    check(
        refused.map_err(Error::from),
        InvalidArgument,
        MalformedRequest,
        "page_token",
    );
}

#[tokio::test]
async fn a_server_that_is_full() {
    let Some(server) = Server::start(&["--sessions-max", "1"]) else {
        return;
    };
    let client = connect(&server).await;
    client.create("santorini").await.unwrap();
    let refused = client.create("santorini").await;
    let error = check(
        refused,
        Code::ResourceExhausted,
        ErrorReason::LimitReached,
        "",
    );
    assert_eq!(error.metadata()["max"], "1");
    assert!(error.retry_delay().is_some() && error.is_transient());
}

#[tokio::test]
async fn a_server_that_wants_a_key() {
    let folder = Folder::new();
    let keys = folder.path().join("keys");
    fs::write(&keys, "tests = a-key-that-nobody-guesses-0123456789\n").unwrap();
    let Some(server) = Server::start(&["--api-keys-file", keys.to_str().unwrap()]) else {
        return;
    };
    let refused = connect(&server).await.create("santorini").await;
    check(
        refused,
        Code::Unauthenticated,
        ErrorReason::ApiKeyRequired,
        "",
    );
    let builder = Client::builder(&server.address);
    let builder = builder.api_key("a-key-that-nobody-guesses-0123456789");
    builder
        .connect()
        .await
        .unwrap()
        .create("santorini")
        .await
        .unwrap();
}
