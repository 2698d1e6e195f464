//! Bad calls, each with the reason that the contract gives it. Nothing changes when a call is refused.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that fails panics"
)]

mod common;

use std::collections::{BTreeMap, BTreeSet};

use prost::Message as _;
use prost_types::{
    DescriptorProto, FileDescriptorSet, ServiceDescriptorProto, field_descriptor_proto::Type,
};
use tavola::pb::{
    DESCRIPTORS,
    santorini::v1 as game,
    v1::{
        Action, AddBotRequest, CreateSessionRequest, DeleteSessionRequest, ErrorReason,
        GetGameRequest, GetObservationRequest, GetObservationResponse, GetReplayRequest,
        GetSessionRequest, GetStateRequest, JoinSessionRequest, LeaveSessionRequest,
        ListGamesRequest, ListSessionsRequest, Options, PlayOpen, PlayRefusal, PlayRequest,
        PlaySubmit, Session, SubmitActionRequest, View, WatchSessionRequest, action, options,
        play_answer, play_request, play_submit, submit_action_request::Answer,
    },
};
use tonic::{Request, Status};

use common::{Catalog, Dice, Server, Sessions, Table, refusal, refused, santorini};

/// A bad call and how it has to be refused.
struct Case {
    call: Call,
    /// The whole value of the metadata `authorization`.
    authorization: Option<String>,
    /// The field that is bad, as a path in the request; empty where it is not a field.
    field: &'static str,
    /// What is bad about it.
    what: String,
    reason: ErrorReason,
    /// The field that the refusal has to name.
    violation: Option<&'static str>,
}

/// A call of each method.
#[derive(Clone, Debug)]
enum Call {
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
}

/// How a call was refused.
#[derive(Debug)]
enum Refused {
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
    fn method(&self) -> &'static str {
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
        }
    }

    async fn make(self, world: &World, authorization: Option<&str>) -> Result<(), Refused> {
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

/// Sessions in each state, for calls to be refused in.
struct World {
    catalog: Catalog,
    /// Waits for its second player.
    waiting: Table,
    /// Seat 0 is to place its first worker: decision 1.
    running: Table,
    finished: Table,
    /// One that is none of the caller's business.
    other: Table,
}

/// All of the world that a caller can see.
#[derive(Debug, PartialEq)]
struct Seen {
    sessions: Vec<Session>,
    observations: Vec<GetObservationResponse>,
}

impl World {
    async fn new(server: &Server) -> Self {
        let client: Sessions = server.sessions().await;
        let mut waiting = Table::create(&client, santorini()).await;
        waiting.join().await;
        let finished = Table::santorini(&client).await;
        finished.play_out(&mut Dice::new()).await;
        let other = Table::santorini(&client).await;
        Self {
            catalog: server.catalog().await,
            waiting,
            running: Table::santorini(&client).await,
            finished,
            other,
        }
    }

    async fn seen(&self) -> Seen {
        let mut client = self.running.client.clone();
        let request = ListSessionsRequest {
            page_size: Some(100),
            ..Default::default()
        };
        let sessions = client
            .list_sessions(request)
            .await
            .unwrap()
            .into_inner()
            .sessions;
        let mut observations = Vec::new();
        for table in [&self.waiting, &self.running, &self.finished] {
            for viewer in std::iter::once(None).chain((0..table.tokens.len()).map(Some)) {
                observations.push(table.observe(viewer, View::Full).await);
            }
        }
        Seen {
            sessions,
            observations,
        }
    }
}

fn bearer(token: &str) -> Option<String> {
    Some(format!("Bearer {token}"))
}

/// A case about a field.
fn field(
    call: Call,
    token: Option<&String>,
    field: &'static str,
    what: impl ToString,
    reason: ErrorReason,
) -> Case {
    Case {
        call,
        authorization: token.and_then(|token| bearer(token)),
        field,
        what: what.to_string(),
        reason,
        violation: matches!(
            reason,
            ErrorReason::MalformedRequest | ErrorReason::OptionsNotLegal
        )
        .then_some(field),
    }
}

// === the table, part by part

fn catalog_cases() -> Vec<Case> {
    use ErrorReason::{GameNotFound, MalformedRequest};

    let mut cases = Vec::new();
    for page_token in ["garbage", "-1", "1.5", "18446744073709551616", " "] {
        let request = ListGamesRequest {
            page_token: page_token.to_owned(),
            ..Default::default()
        };
        cases.push(field(
            Call::ListGames(request),
            None,
            "page_token",
            page_token,
            MalformedRequest,
        ));
    }
    for (game, reason) in [
        ("", MalformedRequest),
        ("garbage", GameNotFound),
        ("Santorini", GameNotFound),
        ("santorini ", GameNotFound),
    ] {
        let what = if game.is_empty() { "unset" } else { game };
        let get = GetGameRequest {
            game: game.to_owned(),
        };
        cases.push(field(Call::GetGame(get), None, "game", what, reason));
        let create = CreateSessionRequest {
            game: game.to_owned(),
            ..Default::default()
        };
        cases.push(field(
            Call::CreateSession(create),
            None,
            "game",
            what,
            reason,
        ));
    }
    cases
}

fn create_cases() -> Vec<Case> {
    let with = |options: game::Options| CreateSessionRequest {
        options: Some(Options {
            game: Some(options::Game::Santorini(options)),
        }),
        ..santorini()
    };
    let case = |request, at, what: &str| {
        field(
            Call::CreateSession(request),
            None,
            at,
            what,
            ErrorReason::OptionsNotLegal,
        )
    };
    let mut cases = Vec::new();
    for (what, seats) in [
        ("0", 0),
        ("1", 1),
        ("5", 5),
        ("258", 258),
        ("max", u32::MAX),
    ] {
        let request = CreateSessionRequest {
            seats: Some(seats),
            ..santorini()
        };
        cases.push(case(request, "seats", what));
    }
    for (what, number) in [("9999", 9999), ("-1", -1)] {
        let god_mode = game::Options {
            god_mode: number,
            ..Default::default()
        };
        cases.push(case(with(god_mode), "options.santorini.god_mode", what));
        let piece_supply = game::Options {
            piece_supply: number,
            ..Default::default()
        };
        cases.push(case(
            with(piece_supply),
            "options.santorini.piece_supply",
            what,
        ));
    }
    for (what, number) in [("9999", 9999), ("-1", -1)] {
        let options = || game::Options::default();
        for (at, options) in [
            (
                "god_pool",
                game::Options {
                    god_pool: number,
                    ..options()
                },
            ),
            (
                "fixed_gods",
                game::Options {
                    fixed_gods: vec![number],
                    ..options()
                },
            ),
            (
                "custom_pool",
                game::Options {
                    custom_pool: vec![number],
                    ..options()
                },
            ),
            (
                "chaos_swap",
                game::Options {
                    chaos_swap: number,
                    ..options()
                },
            ),
            (
                "limus_text",
                game::Options {
                    limus_text: number,
                    ..options()
                },
            ),
            (
                "bia_placement",
                game::Options {
                    bia_placement: number,
                    ..options()
                },
            ),
            (
                "bia_start",
                game::Options {
                    bia_start: number,
                    ..options()
                },
            ),
            (
                "banned_pairs",
                game::Options {
                    banned_pairs: number,
                    ..options()
                },
            ),
        ] {
            let at: &'static str = format!("options.santorini.{at}").leak();
            cases.push(case(with(options), at, what));
        }
    }
    let challenger = game::Options {
        challenger: Some(u32::MAX),
        ..Default::default()
    };
    cases.push(case(
        with(challenger),
        "options.santorini.challenger",
        "max",
    ));
    let max_moves = game::Options {
        max_moves_per_turn: Some(u32::MAX),
        ..Default::default()
    };
    cases.push(case(
        with(max_moves),
        "options.santorini.max_moves_per_turn",
        "max",
    ));
    for (what, seat) in [("2", 2), ("256", 256), ("max", u32::MAX)] {
        let start_player = game::Options {
            god_mode: game::GodMode::None.into(),
            start_player: Some(seat),
            ..Default::default()
        };
        cases.push(case(
            with(start_player),
            "options.santorini.start_player",
            what,
        ));
    }
    for (what, turns) in [
        ("0", 0),
        ("1001", 1001),
        ("65537", 65_537),
        ("max", u32::MAX),
    ] {
        let max_turns = game::Options {
            max_turns: Some(turns),
            ..Default::default()
        };
        cases.push(case(with(max_turns), "options.santorini.max_turns", what));
    }
    cases
}

fn list_cases() -> Vec<Case> {
    let case = |request, at, what: &str| {
        field(
            Call::ListSessions(request),
            None,
            at,
            what,
            ErrorReason::MalformedRequest,
        )
    };
    let mut cases = Vec::new();
    for page_token in ["garbage", "-1", "0x10", "18446744073709551616"] {
        let request = ListSessionsRequest {
            page_token: page_token.to_owned(),
            ..Default::default()
        };
        cases.push(case(request, "page_token", page_token));
    }
    for (what, status) in [("9999", 9999), ("-1", -1), ("4", 4)] {
        let request = ListSessionsRequest {
            status,
            ..Default::default()
        };
        cases.push(case(request, "status", what));
    }
    cases
}

/// Every method that is about a session, asked about this one; with what it needs to go through there.
fn about(world: &World, session_id: &str) -> Vec<(Call, Option<String>)> {
    let id = || session_id.to_owned();
    let seat = || bearer(&world.running.tokens[0]);
    let host = || bearer(&world.running.host);
    let open = PlayOpen {
        session_id: id(),
        ..Default::default()
    };
    let open = PlayRequest {
        kind: Some(play_request::Kind::Open(open)),
    };
    vec![
        (
            Call::GetSession(GetSessionRequest { session_id: id() }),
            None,
        ),
        (
            Call::JoinSession(JoinSessionRequest {
                session_id: id(),
                ..Default::default()
            }),
            None,
        ),
        (
            Call::AddBot(AddBotRequest {
                session_id: id(),
                bot: "random".to_owned(),
                ..Default::default()
            }),
            host(),
        ),
        (
            Call::LeaveSession(LeaveSessionRequest { session_id: id() }),
            seat(),
        ),
        (
            Call::DeleteSession(DeleteSessionRequest { session_id: id() }),
            host(),
        ),
        (
            Call::GetObservation(GetObservationRequest {
                session_id: id(),
                ..Default::default()
            }),
            seat(),
        ),
        (
            Call::SubmitAction(SubmitActionRequest {
                session_id: id(),
                decision_id: 1,
                answer: Some(Answer::ActionId(0)),
                ..Default::default()
            }),
            seat(),
        ),
        (
            Call::WatchSession(WatchSessionRequest {
                session_id: id(),
                ..Default::default()
            }),
            seat(),
        ),
        (Call::Play(vec![open]), seat()),
        (Call::GetState(GetStateRequest { session_id: id() }), host()),
        (
            Call::GetReplay(GetReplayRequest {
                session_id: id(),
                ..Default::default()
            }),
            None,
        ),
    ]
}

fn session_id_cases(world: &World) -> Vec<Case> {
    let real = &world.running.id;
    let mut cases = Vec::new();
    for (what, session_id) in [
        ("unset", String::new()),
        ("garbage", "garbage".to_owned()),
        ("none of ours", "0".repeat(32)),
        ("in capitals", real.to_uppercase()),
        ("a digit more", format!("{real}0")),
        ("a digit less", real[1..].to_owned()),
        ("with space", format!(" {real}")),
        ("a path", format!("../{real}")),
        ("not ASCII", "é".repeat(16)),
        ("with zeros", format!("{real}\0")),
        ("long", "f".repeat(10_000)),
        ("a token", world.running.host.clone()),
    ] {
        for (call, authorization) in about(world, &session_id) {
            let at = match call {
                Call::Play(_) => "open.session_id",
                _ => "session_id",
            };
            let reason = match what {
                "unset" => ErrorReason::MalformedRequest,
                _ => ErrorReason::SessionNotFound,
            };
            let mut case = field(call, None, at, what, reason);
            case.authorization = authorization;
            cases.push(case);
        }
    }
    cases
}

fn token_cases(world: &World) -> Vec<Case> {
    use ErrorReason::{SeatMismatch, TokenRequired};

    let seat = &world.running.tokens[0];
    let mut nobodys = vec![
        ("of another session's seat", bearer(&world.other.tokens[0])),
        ("of another session's host", bearer(&world.other.host)),
        ("of nobody", bearer(&"A".repeat(43))),
        ("the id of the session", bearer(&world.running.id)),
        ("empty", Some(String::new())),
        ("a scheme alone", Some("Bearer".to_owned())),
        ("a scheme and a space", Some("Bearer ".to_owned())),
        ("without a scheme", Some(seat.clone())),
        ("of another scheme", Some(format!("Basic {seat}"))),
        ("with a colon", Some(format!("Bearer: {seat}"))),
        ("twice", Some(format!("Bearer {seat} {seat}"))),
        ("with a letter less", bearer(&seat[..42])),
        ("with a letter more", bearer(&format!("{seat}A"))),
        ("padded", bearer(&format!("{seat}="))),
        ("long", bearer(&"A".repeat(4000))),
    ];
    let swapped = match seat.strip_prefix('A') {
        Some(rest) => format!("B{rest}"),
        None => format!("A{}", &seat[1..]),
    };
    nobodys.push(("with a wrong letter", bearer(&swapped)));

    let mut cases = Vec::new();
    let mut add = |call: &Call, authorization: Option<String>, what: &str, reason| {
        cases.push(Case {
            call: call.clone(),
            authorization,
            field: "",
            what: format!("token: {what}"),
            reason,
            violation: None,
        });
    };
    // A session that still has a seat to give is where AddBot could go through.
    let calls = about(world, &world.running.id)
        .into_iter()
        .filter(|(call, _)| !matches!(call, Call::AddBot(_)))
        .chain(
            about(world, &world.waiting.id)
                .into_iter()
                .filter(|(call, _)| matches!(call, Call::AddBot(_))),
        );
    for (call, _) in calls {
        let table = match call {
            Call::AddBot(_) => &world.waiting,
            _ => &world.running,
        };
        match call.method() {
            "GetSession" | "JoinSession" | "GetReplay" => continue,
            "GetObservation" | "WatchSession" => {}
            "LeaveSession" | "SubmitAction" | "Play" => {
                add(&call, None, "none", TokenRequired);
                add(&call, bearer(&table.host), "of the host", SeatMismatch);
            }
            "AddBot" | "DeleteSession" | "GetState" => {
                add(&call, None, "none", TokenRequired);
                add(&call, bearer(&table.tokens[0]), "of a seat", SeatMismatch);
            }
            method => panic!("what token does {method} take?"),
        }
        for (what, authorization) in &nobodys {
            add(&call, authorization.clone(), what, TokenRequired);
        }
    }
    cases
}

fn seat_cases(world: &World) -> Vec<Case> {
    use ErrorReason::{MalformedRequest, SeatTaken, SessionFull};

    let mut cases = Vec::new();
    for (what, table, seat, reason) in [
        ("2", &world.waiting, Some(2), MalformedRequest),
        ("255", &world.waiting, Some(255), MalformedRequest),
        ("256", &world.waiting, Some(256), MalformedRequest),
        ("max", &world.waiting, Some(u32::MAX), MalformedRequest),
        ("taken", &world.waiting, Some(0), SeatTaken),
        ("one of a full table", &world.running, Some(1), SessionFull),
        (
            "one of a game that is over",
            &world.finished,
            Some(0),
            SessionFull,
        ),
        ("any of a full table", &world.running, None, SessionFull),
    ] {
        let join = JoinSessionRequest {
            session_id: table.id.clone(),
            seat,
        };
        cases.push(field(Call::JoinSession(join), None, "seat", what, reason));
        let add_bot = AddBotRequest {
            session_id: table.id.clone(),
            bot: "random".to_owned(),
            seat,
        };
        cases.push(field(
            Call::AddBot(add_bot),
            Some(&table.host),
            "seat",
            what,
            reason,
        ));
    }
    for (what, bot) in [
        ("unset", ""),
        ("garbage", "garbage"),
        ("in capitals", "Random"),
        ("with space", "greedy "),
    ] {
        let add_bot = AddBotRequest {
            session_id: world.waiting.id.clone(),
            bot: bot.to_owned(),
            seat: None,
        };
        cases.push(field(
            Call::AddBot(add_bot),
            Some(&world.waiting.host),
            "bot",
            what,
            MalformedRequest,
        ));
    }
    cases
}

fn view_cases(world: &World) -> Vec<Case> {
    let table = &world.running;
    let id = || table.id.clone();
    let mut cases = Vec::new();
    for (what, view) in [("9999", 9999), ("-1", -1), ("3", 3)] {
        let observe = GetObservationRequest {
            session_id: id(),
            view,
        };
        let submit = SubmitActionRequest {
            session_id: id(),
            decision_id: 1,
            answer: Some(Answer::ActionId(0)),
            view,
        };
        let watch = WatchSessionRequest {
            session_id: id(),
            from_version: None,
            view,
        };
        for call in [
            Call::GetObservation(observe),
            Call::SubmitAction(submit),
            Call::WatchSession(watch),
        ] {
            let token = Some(&table.tokens[0]);
            cases.push(field(
                call,
                token,
                "view",
                what,
                ErrorReason::MalformedRequest,
            ));
        }
        let open = PlayOpen {
            session_id: id(),
            from_version: None,
            view,
        };
        let open = PlayRequest {
            kind: Some(play_request::Kind::Open(open)),
        };
        cases.push(field(
            Call::Play(vec![open]),
            Some(&table.tokens[0]),
            "open.view",
            what,
            ErrorReason::MalformedRequest,
        ));
    }
    cases
}

fn from_version_cases(world: &World) -> Vec<Case> {
    // Two players have joined, so the version is 3 and the next is yet to come.
    let table = &world.running;
    let mut cases = Vec::new();
    for (what, from_version) in [("0", 0), ("the next", 4), ("max", u64::MAX)] {
        let watch = WatchSessionRequest {
            session_id: table.id.clone(),
            from_version: Some(from_version),
            view: 0,
        };
        cases.push(field(
            Call::WatchSession(watch),
            None,
            "from_version",
            what,
            ErrorReason::MalformedRequest,
        ));
        let open = PlayOpen {
            session_id: table.id.clone(),
            from_version: Some(from_version),
            view: 0,
        };
        let open = PlayRequest {
            kind: Some(play_request::Kind::Open(open)),
        };
        let mut case = field(
            Call::Play(vec![open]),
            Some(&table.tokens[0]),
            "open.from_version",
            what,
            ErrorReason::MalformedRequest,
        );
        case.violation = Some("from_version");
        cases.push(case);
    }
    cases
}

/// Bad answers: the field, what is bad about it, the answer, and the field that the refusal names.
fn bad_answers() -> Vec<(&'static str, &'static str, Option<Answer>, &'static str)> {
    use game::{
        Build, Ferry, Move, NameStartPlayer, OfferGod, PlaceWorker, PreBuild, RemoveBlock, TakeGod,
        action::Kind,
    };

    let meaning = |kind: Option<Kind>| {
        let action = Action {
            game: Some(action::Game::Santorini(game::Action { kind })),
        };
        Some(Answer::Action(action))
    };
    let place = |worker, space| meaning(Some(Kind::PlaceWorker(PlaceWorker { worker, space })));
    let step = |worker, to| meaning(Some(Kind::Move(Move { worker, to })));
    let build = |worker, space, piece| {
        meaning(Some(Kind::Build(Build {
            worker,
            space,
            piece,
        })))
    };
    let pre_build = |worker, space, piece| {
        meaning(Some(Kind::PreBuild(PreBuild {
            worker,
            space,
            piece,
        })))
    };
    let ferry = |worker, target| meaning(Some(Kind::Ferry(Ferry { worker, target })));
    let remove = |space| meaning(Some(Kind::RemoveBlock(RemoveBlock { space })));
    let offer = |god| meaning(Some(Kind::OfferGod(OfferGod { god })));
    let take = |god| meaning(Some(Kind::TakeGod(TakeGod { god })));
    let starts = |seat| meaning(Some(Kind::NameStartPlayer(NameStartPlayer { seat })));
    let id = |id| Some(Answer::ActionId(id));
    let nothing = Some(Answer::Action(Action { game: None }));
    let mut answers = vec![
        ("answer", "unset", None, "answer"),
        ("action_id", "1029", id(1029), "action_id"),
        ("action_id", "max", id(u32::MAX), "action_id"),
        ("action.game", "unset", nothing, "action.santorini"),
        (
            "action.santorini.kind",
            "unset",
            meaning(None),
            "action.santorini.kind",
        ),
        (
            "action.santorini.build.piece",
            "unset",
            build(Some(0), Some(0), 0),
            "action.santorini.build.piece",
        ),
        (
            "action.santorini.build.piece",
            "9999",
            build(Some(0), Some(0), 9999),
            "action.santorini.build.piece",
        ),
        (
            "action.santorini.build.piece",
            "-1",
            build(Some(0), Some(0), -1),
            "action.santorini.build.piece",
        ),
    ];
    for (what, worker) in [
        ("unset", None),
        ("6", Some(6)),
        ("256", Some(256)),
        ("max", Some(u32::MAX)),
    ] {
        for (at, answer) in [
            (
                "action.santorini.place_worker.worker",
                place(worker, Some(0)),
            ),
            ("action.santorini.move.worker", step(worker, Some(0))),
            ("action.santorini.build.worker", build(worker, Some(0), 1)),
            ("action.santorini.ferry.worker", ferry(worker, Some(0))),
            ("action.santorini.ferry.target", ferry(Some(0), worker)),
            (
                "action.santorini.pre_build.worker",
                pre_build(worker, Some(0), 1),
            ),
        ] {
            answers.push((at, what, answer, at));
        }
    }
    for (what, space) in [
        ("unset", None),
        ("25", Some(25)),
        ("256", Some(256)),
        ("max", Some(u32::MAX)),
    ] {
        for (at, answer) in [
            ("action.santorini.place_worker.space", place(Some(0), space)),
            ("action.santorini.move.to", step(Some(0), space)),
            ("action.santorini.build.space", build(Some(0), space, 1)),
            (
                "action.santorini.pre_build.space",
                pre_build(Some(0), space, 1),
            ),
            ("action.santorini.remove_block.space", remove(space)),
        ] {
            answers.push((at, what, answer, at));
        }
    }
    for (what, number) in [("unset", 0), ("9999", 9999), ("-1", -1)] {
        for (at, answer) in [
            (
                "action.santorini.pre_build.piece",
                pre_build(Some(0), Some(0), number),
            ),
            ("action.santorini.offer_god.god", offer(number)),
            ("action.santorini.take_god.god", take(number)),
        ] {
            answers.push((at, what, answer, at));
        }
    }
    for (what, seat) in [("unset", None), ("4", Some(4)), ("max", Some(u32::MAX))] {
        let at = "action.santorini.name_start_player.seat";
        answers.push((at, what, starts(seat), at));
    }
    answers
}

/// A bad submission, which can be made by a call of its own and on a stream.
struct Submission<'a> {
    table: &'a Table,
    seat: usize,
    decision_id: u64,
    answer: Option<Answer>,
    field: &'static str,
    what: &'static str,
    reason: ErrorReason,
    violation: Option<&'static str>,
}

impl Submission<'_> {
    fn by_call(&self) -> Call {
        Call::SubmitAction(SubmitActionRequest {
            session_id: self.table.id.clone(),
            decision_id: self.decision_id,
            answer: self.answer.clone(),
            view: 0,
        })
    }

    fn on_a_stream(&self) -> Call {
        let open = PlayOpen {
            session_id: self.table.id.clone(),
            ..Default::default()
        };
        let answer = self.answer.clone().map(|answer| match answer {
            Answer::ActionId(id) => play_submit::Answer::ActionId(id),
            Answer::Action(action) => play_submit::Answer::Action(action),
        });
        let submit = PlaySubmit {
            decision_id: self.decision_id,
            answer,
        };
        let requests = [
            play_request::Kind::Open(open),
            play_request::Kind::Submit(submit),
        ];
        Call::Play(requests.map(|kind| PlayRequest { kind: Some(kind) }).into())
    }

    fn cases(&self) -> [Case; 2] {
        let token = Some(&self.table.tokens[self.seat]);
        let on_a_stream = match self.field {
            "" => "",
            // The same field in a request of a stream.
            of_call => format!("submit.{of_call}").leak(),
        };
        [
            (self.by_call(), self.field),
            (self.on_a_stream(), on_a_stream),
        ]
        .map(|(call, at)| Case {
            violation: self.violation,
            ..field(call, token, at, self.what, self.reason)
        })
    }
}

fn bad_submissions(world: &World) -> Vec<Submission<'_>> {
    use ErrorReason::{
        ActionNotLegal, GameOver, MalformedRequest, NotToAct, SessionNotStarted, StaleDecision,
    };

    // Seat 0 of this table is to place worker 0.
    let good = || Submission {
        table: &world.running,
        seat: 0,
        decision_id: 1,
        answer: Some(Answer::ActionId(0)),
        field: "",
        what: "",
        reason: MalformedRequest,
        violation: None,
    };
    let mut bad: Vec<Submission<'_>> = bad_answers()
        .into_iter()
        .map(|(field, what, answer, violation)| Submission {
            field,
            what,
            answer,
            violation: Some(violation),
            ..good()
        })
        .collect();
    for (what, decision_id, reason) in [
        ("unset", 0, MalformedRequest),
        ("yet to come", 2, StaleDecision),
        ("max", u64::MAX, StaleDecision),
    ] {
        bad.push(Submission {
            field: "decision_id",
            what,
            decision_id,
            reason,
            violation: (reason == MalformedRequest).then_some("decision_id"),
            ..good()
        });
    }
    for (what, id) in [
        ("another worker", 25),
        ("a worker of the other side", 50),
        ("a worker that is not in play", 149),
        ("a move", 150),
        ("a build", 300),
    ] {
        bad.push(Submission {
            what,
            answer: Some(Answer::ActionId(id)),
            reason: ActionNotLegal,
            ..good()
        });
    }
    bad.push(Submission {
        what: "not its turn",
        seat: 1,
        reason: NotToAct,
        ..good()
    });
    bad.push(Submission {
        what: "before the start",
        table: &world.waiting,
        reason: SessionNotStarted,
        ..good()
    });
    for seat in [0, 1] {
        for decision_id in [10_000, u64::MAX] {
            bad.push(Submission {
                what: "after the end",
                table: &world.finished,
                seat,
                decision_id,
                reason: GameOver,
                ..good()
            });
        }
    }
    bad
}

fn answer_cases(world: &World) -> Vec<Case> {
    bad_submissions(world)
        .iter()
        .flat_map(Submission::cases)
        .collect()
}

fn play_cases(world: &World) -> Vec<Case> {
    let table = &world.running;
    let open = || {
        let open = PlayOpen {
            session_id: table.id.clone(),
            ..Default::default()
        };
        PlayRequest {
            kind: Some(play_request::Kind::Open(open)),
        }
    };
    let unset = || PlayRequest { kind: None };
    let submit = || PlayRequest {
        kind: Some(play_request::Kind::Submit(PlaySubmit {
            decision_id: 1,
            answer: Some(play_submit::Answer::ActionId(0)),
        })),
    };
    [
        ("unset", vec![unset()], "open"),
        ("submit first", vec![submit()], "open"),
        ("no request at all", vec![], "open"),
        ("unset later", vec![open(), unset()], "submit"),
        ("open again", vec![open(), open()], "submit"),
    ]
    .into_iter()
    .map(|(what, requests, violation)| {
        let mut case = field(
            Call::Play(requests),
            Some(&table.tokens[0]),
            "kind",
            what,
            ErrorReason::MalformedRequest,
        );
        case.violation = Some(violation);
        case
    })
    .collect()
}

fn replay_cases(world: &World) -> Vec<Case> {
    use ErrorReason::{MalformedRequest, SessionNotFinished, SessionNotStarted};

    let of = |table: &Table| GetReplayRequest {
        session_id: table.id.clone(),
        ..Default::default()
    };
    let finished = &world.finished;
    let mut cases = vec![
        field(
            Call::GetReplay(of(&world.waiting)),
            None,
            "",
            "before the start",
            SessionNotStarted,
        ),
        field(
            Call::GetReplay(of(&world.running)),
            Some(&world.running.host),
            "",
            "before the end",
            SessionNotFinished,
        ),
    ];
    for (what, seat) in [("2", 2), ("255", 255), ("256", 256), ("max", u32::MAX)] {
        let request = GetReplayRequest {
            seat: Some(seat),
            ..of(finished)
        };
        cases.push(field(
            Call::GetReplay(request),
            None,
            "seat",
            what,
            MalformedRequest,
        ));
    }
    for page_token in ["garbage", "-1", "4294967296", "4294967295", "1005"] {
        let request = GetReplayRequest {
            page_token: page_token.to_owned(),
            ..of(finished)
        };
        cases.push(field(
            Call::GetReplay(request),
            None,
            "page_token",
            page_token,
            MalformedRequest,
        ));
    }
    cases
}

fn state_cases(world: &World) -> Vec<Case> {
    let request = GetStateRequest {
        session_id: world.waiting.id.clone(),
    };
    vec![field(
        Call::GetState(request),
        Some(&world.waiting.host),
        "",
        "before the start",
        ErrorReason::SessionNotStarted,
    )]
}

fn all_cases(world: &World) -> Vec<Case> {
    [
        catalog_cases(),
        create_cases(),
        list_cases(),
        session_id_cases(world),
        token_cases(world),
        seat_cases(world),
        view_cases(world),
        from_version_cases(world),
        answer_cases(world),
        play_cases(world),
        replay_cases(world),
        state_cases(world),
    ]
    .into_iter()
    .flatten()
    .collect()
}

// === the tests

#[tokio::test]
async fn bad_calls_are_refused_with_their_reason_and_change_nothing() {
    let server = Server::start(&[]);
    let world = World::new(&server).await;
    let before = world.seen().await;
    let mut wrong = Vec::new();
    for case in all_cases(&world) {
        let named = format!("{} {:?}: {}", case.call.method(), case.field, case.what);
        let shown = format!("{:?} as {:?}", case.call, case.authorization);
        let shown: String = shown.chars().take(300).collect();
        let outcome = case.call.make(&world, case.authorization.as_deref()).await;
        let (reason, violation) = match outcome {
            Ok(()) => {
                wrong.push(format!("{named}: went through: {shown}"));
                continue;
            }
            Err(Refused::Status(status)) => {
                let refusal = refusal(&status);
                let fields: Vec<_> = refusal
                    .violations
                    .into_iter()
                    .map(|(field, _)| field)
                    .collect();
                (refusal.reason, fields.first().cloned())
            }
            Err(Refused::Submission(refusal)) => {
                let field = refusal.violations.first().map(|first| first.field.clone());
                (refusal.reason(), field)
            }
        };
        if (reason, violation.as_deref()) != (case.reason, case.violation) {
            wrong.push(format!(
                "{named}: {reason:?} {violation:?} instead of {:?} {:?}: {shown}",
                case.reason, case.violation
            ));
        }
        let after = world.seen().await;
        if after != before {
            wrong.push(format!("{named}: something has changed: {shown}"));
            break;
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[tokio::test]
async fn a_refusal_on_a_stream_tells_what_the_refusal_of_a_call_tells() {
    let server = Server::start(&[]);
    let world = World::new(&server).await;
    for submission in bad_submissions(&world) {
        let authorization = bearer(&submission.table.tokens[submission.seat]);
        let authorization = authorization.as_deref();
        let by_call = submission.by_call().make(&world, authorization).await;
        let on_a_stream = submission.on_a_stream().make(&world, authorization).await;
        let (Err(Refused::Status(by_call)), Err(Refused::Submission(on_a_stream))) =
            (by_call, on_a_stream)
        else {
            panic!("both are refused: {}", submission.what);
        };
        let by_call = refusal(&by_call);
        assert_eq!(on_a_stream.reason(), by_call.reason, "{by_call:?}");
        assert_eq!(on_a_stream.message, by_call.text);
        assert_eq!(on_a_stream.metadata, by_call.metadata);
        let violations: Vec<_> = on_a_stream
            .violations
            .into_iter()
            .map(|violation| (violation.field, violation.description))
            .collect();
        assert_eq!(violations, by_call.violations);
    }
}

#[tokio::test]
async fn what_is_not_there_and_what_is_no_id_are_answered_alike() {
    let server = Server::start(&[]);
    let world = World::new(&server).await;
    let mut texts: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for case in session_id_cases(&world) {
        if case.reason != ErrorReason::SessionNotFound {
            continue;
        }
        let method = case.call.method();
        match case.call.make(&world, case.authorization.as_deref()).await {
            Err(Refused::Status(status)) => {
                let told = format!("{} {:?}", status.message(), status.details());
                texts.entry(method).or_default().insert(told);
            }
            outcome => panic!("{method}: {outcome:?}"),
        }
    }
    let all: BTreeSet<_> = texts.values().flatten().collect();
    assert_eq!(texts.len(), 11);
    assert_eq!(
        all.len(),
        1,
        "there is nothing to learn from the answer: {texts:?}"
    );
}

#[tokio::test]
async fn a_token_is_read_whatever_the_case_of_its_scheme() {
    let server = Server::start(&[]);
    let world = World::new(&server).await;
    let table = &world.running;
    for scheme in ["Bearer", "bearer", "BEARER"] {
        let mut request = Request::new(GetObservationRequest {
            session_id: table.id.clone(),
            view: 0,
        });
        let value = format!("{scheme} {}", table.tokens[1]).parse().unwrap();
        request.metadata_mut().insert("authorization", value);
        let seen = table.client.clone().get_observation(request).await.unwrap();
        assert_eq!(seen.into_inner().seat, Some(1), "{scheme}");
    }
}

#[tokio::test]
async fn all_that_is_not_listed_is_refused_and_changes_nothing() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let table = Table::santorini(&client).await;
    let mut ply = 0;
    loop {
        let shown = table.observe(None, View::Full).await;
        let Some(decision) = shown.decision.clone() else {
            break;
        };
        let seat = common::asked_seat(Some(&decision)).unwrap();
        let legal = table.observe(Some(seat), View::Lean).await.legal_action_ids;
        let mut unlisted: Vec<u32> = (0..600).filter(|id| !legal.contains(id)).collect();
        // All of them where each kind of decision comes first, some of them later.
        if ![0, 4, 5].contains(&ply) {
            unlisted = (0..15).map(|_| *dice.pick(&unlisted)).collect();
        }
        for id in unlisted {
            let answer = Answer::ActionId(id);
            let refusal = refused(
                table.submit(seat, decision.decision_id, answer).await,
                ErrorReason::ActionNotLegal,
            );
            assert!(refusal.text.starts_with("not legal now: "), "{refusal:?}");
        }
        let waits = refused(
            table
                .submit(1 - seat, decision.decision_id, Answer::ActionId(legal[0]))
                .await,
            ErrorReason::NotToAct,
        );
        assert_eq!(waits.metadata["seats"], seat.to_string());
        assert_eq!(table.observe(None, View::Full).await, shown, "ply {ply}");
        table.play_ply(&mut dice).await;
        ply += 1;
    }
}

#[tokio::test]
async fn a_stale_answer_is_told_what_is_decided_now() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let table = Table::santorini(&client).await;
    for _ in 0..8 {
        table.play_ply(&mut dice).await.unwrap();
        let current = table.observe(None, View::Lean).await.decision.unwrap();
        for seat in [0, 1] {
            let never = Answer::ActionId(599);
            let refusal = refused(
                table.submit(seat, current.decision_id + 1, never).await,
                ErrorReason::StaleDecision,
            );
            assert_eq!(
                refusal.metadata["decision_id"],
                current.decision_id.to_string()
            );
            assert_eq!(refusal.metadata["seats"], current.seats[0].to_string());
        }
    }
}

// === the table is whole

/// Fields for which nothing is wrong, with the reason.
const NEVER_WRONG: [(&str, &str, &str); 6] = [
    ("ListGames", "page_size", "brought into its range"),
    ("ListSessions", "page_size", "brought into its range"),
    ("GetReplay", "page_size", "brought into its range"),
    ("CreateSession", "seed", "any number is a seed"),
    ("CreateSession", "options.game", "unset is all defaults"),
    (
        "ListSessions",
        "game",
        "of a game that there is not, there are no sessions",
    ),
];

/// Methods that nobody can call wrongly.
const NEVER_REFUSED: [&str; 1] = ["GetServerInfo"];

/// What has to be tried for a field.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Enum,
    Number,
    Text,
    Oneof,
}

impl Kind {
    fn tries(self) -> &'static [&'static str] {
        match self {
            Self::Enum => &["9999", "-1"],
            Self::Number => &["max"],
            Self::Text => &["garbage"],
            Self::Oneof => &["unset"],
        }
    }
}

/// The methods of all our services with the paths of all that can be set in their requests.
fn all_fields() -> BTreeMap<String, Vec<(String, Kind)>> {
    let descriptors = FileDescriptorSet::decode(DESCRIPTORS).expect("the descriptors decode");
    let messages: BTreeMap<String, DescriptorProto> = descriptors
        .file
        .iter()
        .flat_map(|file| {
            file.message_type.iter().map(|message| {
                (
                    format!(".{}.{}", file.package(), message.name()),
                    message.clone(),
                )
            })
        })
        .collect();
    let services = descriptors.file.iter().flat_map(|file| &file.service);
    let methods = services.flat_map(|service: &ServiceDescriptorProto| &service.method);
    methods
        .map(|method| {
            let mut fields = Vec::new();
            walk(&messages, method.input_type(), "", &mut fields);
            (method.name().to_owned(), fields)
        })
        .collect()
}

fn walk(
    messages: &BTreeMap<String, DescriptorProto>,
    message: &str,
    within: &str,
    fields: &mut Vec<(String, Kind)>,
) {
    let of_a_game = [".tavola.v1.Options", ".tavola.v1.Action"].contains(&message);
    let message = &messages[message];
    for field in &message.field {
        // One game stands for all here: what each of them reads, the tests of its wire try.
        if of_a_game && field.name() != "santorini" {
            continue;
        }
        let path = format!("{within}{}", field.name());
        match field.r#type() {
            Type::Message => walk(messages, field.type_name(), &format!("{path}."), fields),
            Type::Enum => fields.push((path, Kind::Enum)),
            Type::String => fields.push((path, Kind::Text)),
            Type::Uint32 | Type::Uint64 => fields.push((path, Kind::Number)),
            other => panic!("what can be wrong with a {other:?}, such as {path}?"),
        }
    }
    for (index, oneof) in (0..).zip(&message.oneof_decl) {
        let synthetic = message
            .field
            .iter()
            .any(|field| field.oneof_index == Some(index) && field.proto3_optional());
        if !synthetic {
            fields.push((format!("{within}{}", oneof.name()), Kind::Oneof));
        }
    }
}

#[tokio::test]
async fn every_method_and_every_field_has_its_bad_calls() {
    let server = Server::start(&[]);
    let world = World::new(&server).await;
    let mut tried: BTreeMap<&str, BTreeMap<&str, Vec<String>>> = BTreeMap::new();
    for case in all_cases(&world) {
        let fields = tried.entry(case.call.method()).or_default();
        fields.entry(case.field).or_default().push(case.what);
    }
    let mut missing = Vec::new();
    let methods = all_fields();
    assert_eq!(
        methods.len(),
        16,
        "all methods are found: {:?}",
        methods.keys()
    );
    for (method, fields) in &methods {
        if NEVER_REFUSED.contains(&method.as_str()) {
            assert!(fields.is_empty(), "{method} can be called wrongly now");
            continue;
        }
        let Some(tried) = tried.get(method.as_str()) else {
            missing.push(method.clone());
            continue;
        };
        for (path, kind) in fields {
            if NEVER_WRONG
                .iter()
                .any(|(of, at, _)| of == method && at == path)
            {
                continue;
            }
            let of_field = tried.get(path.as_str()).cloned().unwrap_or_default();
            for value in kind.tries() {
                if !of_field.iter().any(|what| what == value) {
                    missing.push(format!("{method} {path}: {value}"));
                }
            }
        }
    }
    assert!(missing.is_empty(), "not in the table: {missing:#?}");
    let unknown: Vec<_> = tried
        .keys()
        .filter(|method| !methods.contains_key(**method))
        .collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}
