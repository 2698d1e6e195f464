//! The table of bad calls, part by part.

use prost::Message as _;
use tavola::pb::v1::{
    AddBotRequest, Clock, CreateSessionRequest, DeleteSessionRequest, ErrorReason,
    ForkSessionRequest, GetGameRequest, GetObservationRequest, GetReplayRequest, GetSessionRequest,
    GetStateRequest, JoinSessionRequest, LeaveSessionRequest, ListGamesRequest,
    ListSessionsRequest, Options, PlayOpen, PlayRequest, PlaySubmit, SubmitActionRequest,
    WatchSessionRequest, play_request, play_submit, submit_action_request::Answer,
};

use super::{
    call::Call,
    contract::Contract,
    submissions::{Submission, bad_submissions},
    world::World,
};
use crate::common::{Table, santorini};

/// A bad call and how it has to be refused.
pub(crate) struct Case {
    pub(crate) call: Call,
    /// The whole value of the metadata `authorization`.
    pub(crate) authorization: Option<String>,
    /// The field that is bad, as a path in the request; empty where it is not a field.
    pub(crate) field: String,
    /// What is bad about it.
    pub(crate) what: String,
    pub(crate) reason: ErrorReason,
    /// The field that the refusal has to name.
    pub(crate) violation: Option<String>,
}

pub(crate) fn all_cases(world: &World) -> Vec<Case> {
    [
        catalog_cases(),
        create_cases(world),
        list_cases(),
        session_id_cases(world),
        token_cases(world),
        seat_cases(world),
        request_id_cases(world),
        view_cases(world),
        from_version_cases(world),
        answer_cases(world),
        play_cases(world),
        fork_cases(world),
        replay_cases(world),
        state_cases(world),
    ]
    .into_iter()
    .flatten()
    .collect()
}

pub(crate) fn bearer(token: &str) -> Option<String> {
    Some(format!("Bearer {token}"))
}

/// A case about a field.
pub(crate) fn field(
    call: Call,
    token: Option<&String>,
    field: impl ToString,
    what: impl ToString,
    reason: ErrorReason,
) -> Case {
    Case {
        call,
        authorization: token.and_then(|token| bearer(token)),
        field: field.to_string(),
        what: what.to_string(),
        reason,
        violation: matches!(
            reason,
            ErrorReason::MalformedRequest | ErrorReason::OptionsNotLegal
        )
        .then(|| field.to_string()),
    }
}

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

fn create_cases(world: &World) -> Vec<Case> {
    let case = |request, at: &str, what: &str| {
        field(
            Call::CreateSession(request),
            None,
            at,
            what,
            ErrorReason::OptionsNotLegal,
        )
    };
    let mut cases = Vec::new();
    for (game, _) in &world.games {
        for (what, seats) in [
            ("0", 0),
            ("too few", game.seats_min - 1),
            ("too many", game.seats_max + 1),
            ("as many in the low byte", 256 + game.seats_min),
            ("max", u32::MAX),
        ] {
            let request = CreateSessionRequest {
                game: game.game.clone(),
                seats: Some(seats),
                ..Default::default()
            };
            cases.push(case(request, "seats", what));
        }
    }
    for bad in Contract::read().bad(".tavola.v1.Options", false) {
        let options = Options::decode(&bad.encoded[..]).expect("it is well encoded");
        // Which game's options are bad the path says first; without a game all is left to the defaults.
        let Some((game, _)) = bad.path.split_once('.') else {
            continue;
        };
        let request = CreateSessionRequest {
            game: game.to_owned(),
            options: Some(options),
            ..Default::default()
        };
        cases.push(case(request, &format!("options.{}", bad.path), bad.what));
    }
    for bad in Contract::read().bad(".tavola.v1.Clock", true) {
        let request = CreateSessionRequest {
            game: "santorini".to_owned(),
            clock: Some(Clock::decode(&bad.encoded[..]).expect("it is well encoded")),
            ..Default::default()
        };
        cases.push(field(
            Call::CreateSession(request),
            None,
            format!("clock.{}", bad.path),
            bad.what,
            ErrorReason::MalformedRequest,
        ));
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
pub(crate) fn about(world: &World, session_id: &str) -> Vec<(Call, Option<String>)> {
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
        (
            Call::ForkSession(ForkSessionRequest {
                session_id: id(),
                ..Default::default()
            }),
            seat(),
        ),
    ]
}

pub(crate) fn session_id_cases(world: &World) -> Vec<Case> {
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
            field: String::new(),
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
            // The host of a game that hides nothing may, and the player of a seat.
            "ForkSession" => add(&call, None, "none", TokenRequired),
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
            ..Default::default()
        };
        cases.push(field(Call::JoinSession(join), None, "seat", what, reason));
        let add_bot = AddBotRequest {
            session_id: table.id.clone(),
            bot: "random".to_owned(),
            seat,
            ..Default::default()
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
            ..Default::default()
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

fn request_id_cases(world: &World) -> Vec<Case> {
    let mut cases = Vec::new();
    for request_id in [
        "garbage",
        "fifteen-letters",
        &"0123456789".repeat(7),
        "aaaabbbbccccdddd",
        "with a space between",
        "größer-als-ein-byte",
        "with-a-line\n-between",
    ] {
        let request_id = || request_id.to_owned();
        let create = CreateSessionRequest {
            request_id: request_id(),
            ..santorini()
        };
        let join = JoinSessionRequest {
            session_id: world.waiting.id.clone(),
            request_id: request_id(),
            ..Default::default()
        };
        let add_bot = AddBotRequest {
            session_id: world.waiting.id.clone(),
            bot: "random".to_owned(),
            request_id: request_id(),
            ..Default::default()
        };
        let fork = ForkSessionRequest {
            session_id: world.finished.id.clone(),
            request_id: request_id(),
            ..Default::default()
        };
        for (call, token) in [
            (Call::ForkSession(fork), None),
            (Call::CreateSession(create), None),
            (Call::JoinSession(join), None),
            (Call::AddBot(add_bot), Some(&world.waiting.host)),
        ] {
            let what = request_id();
            let reason = ErrorReason::MalformedRequest;
            cases.push(field(call, token, "request_id", what, reason));
        }
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
        case.violation = Some("from_version".to_owned());
        cases.push(case);
    }
    cases
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
        case.violation = Some(violation.to_owned());
        case
    })
    .collect()
}

fn fork_cases(world: &World) -> Vec<Case> {
    use ErrorReason::{MalformedRequest, SessionNotStarted};

    let of = |table: &Table, ply| {
        Call::ForkSession(ForkSessionRequest {
            session_id: table.id.clone(),
            ply,
            ..Default::default()
        })
    };
    let waiting = &world.waiting;
    let early = of(waiting, None);
    let what = "before the start";
    let mut cases = vec![field(
        early,
        Some(&waiting.host),
        "",
        what,
        SessionNotStarted,
    )];
    for (table, token, what, ply) in [
        (
            &world.running,
            &world.running.tokens[0],
            "not what a seat sees now",
            1_000,
        ),
        (&world.running, &world.running.host, "yet to come", 1_000),
        (&world.finished, &world.finished.host, "max", u32::MAX),
    ] {
        let call = of(table, Some(ply));
        cases.push(field(call, Some(token), "ply", what, MalformedRequest));
    }
    cases
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
