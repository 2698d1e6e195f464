//! Messages that are too large, too deep, of the future, or no messages at all.

use std::{
    env,
    time::{Duration, Instant},
};

use bytes::{BufMut as _, Bytes, BytesMut};
use futures_util::{StreamExt as _, stream::FuturesUnordered};
use prost::{Message as _, encoding::encode_varint};
use prost_types::field_descriptor_proto::Type;
use tavola::pb::v1::{
    AddBotRequest, CreateSessionRequest, GetGameRequest, JoinSessionRequest, ListGamesRequest,
    PlayOpen, PlayRequest, PlayResponse, PlaySubmit, SubmitActionRequest, View, play_answer,
    play_request::Kind,
};
use tonic::{Code, Status};

use crate::{
    common::{
        Dice, Table,
        raw::{Raw, Replies, framed},
        sized, soon, with_token,
    },
    requests::{Method, Path, Requests, along},
    rig::Rig,
};

const CAP: usize = 64 << 10;

/// Sends whatever body; how the call is answered. A stream that begins is not heard to its end.
async fn send(raw: &mut Raw, path: &str, token: Option<&str>, body: Bytes) -> Code {
    let request = raw.request(path, token);
    let (response, mut sending) = raw.begin(request).await;
    // It may have been refused by then.
    let _ = sending.send_data(body, true);
    let response = match soon("an answer", response).await {
        Ok(response) => response,
        Err(error) => panic!("{path} is not answered: {error}"),
    };
    if let Some(status) = Status::from_header_map(response.headers()) {
        return status.code();
    }
    let mut replies = Replies::new(response.into_body());
    match path.ends_with("/Play") || path.ends_with("/WatchSession") || path.ends_with("/Watch") {
        true => Code::Ok,
        false => {
            while replies.next().await.is_some() {}
            Status::from_header_map(&replies.trailers().await)
                .map_or(Code::Ok, |status| status.code())
        }
    }
}

// === H8

#[tokio::test]
async fn h8_messages_without_measure() {
    let rig = Rig::start("H8 payload bombs", &[]).await;
    let mut raw = Raw::connect(rig.server.address(), 1 << 16).await;
    let game = |bytes: usize| {
        GetGameRequest {
            game: "a".repeat(bytes),
        }
        .encode_to_vec()
    };
    let prefixed = |length: u32, bytes: &[u8]| {
        let mut frame = BytesMut::new();
        frame.put_u8(0);
        frame.put_u32(length);
        frame.put_slice(bytes);
        frame.freeze()
    };
    // Groups, which no message of ours has, within each other: a field of kind 3 each, and of kind 4 at its end.
    let groups = |deep: usize| [[0xfb, 0x07].repeat(deep), [0xfc, 0x07].repeat(deep)].concat();
    let nested = |deep: usize| {
        let mut message = Vec::new();
        for _ in 0..deep {
            let mut outer = BytesMut::new();
            outer.put_u8(0x0a);
            encode_varint(message.len() as u64, &mut outer);
            outer.put_slice(&message);
            message = outer.to_vec();
        }
        message
    };
    for method in Requests::all().methods {
        for (what, body) in [
            ("4 MiB and a byte", framed(&game((4 << 20) + 1))),
            ("a length of 4 GiB", prefixed(u32::MAX, &[0; 100])),
            ("half a message", prefixed(100, &[0x0a, 50])),
            ("half a prefix", Bytes::from_static(&[0, 0, 0])),
            ("nothing", Bytes::new()),
            ("10,000 groups in each other", framed(&groups(10_000))),
            (
                "groups that do not end",
                framed(&[0xfb, 0x07].repeat(10_000)),
            ),
            ("messages in each other", framed(&nested(8000))),
            (
                "a length beyond all",
                framed(&[0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]),
            ),
            ("a kind that there is not", framed(&[0x0f, 0x0e])),
        ] {
            let code = send(&mut raw, &method.path, None, body).await;
            let fits = matches!(
                code,
                Code::InvalidArgument
                    | Code::ResourceExhausted
                    | Code::NotFound
                    | Code::Unauthenticated
                    | Code::Ok
            );
            // Health and reflection answer in tonic's words.
            let theirs = method.path.starts_with("/grpc.");
            assert!(
                fits || theirs,
                "{} answers {what} with {code:?}",
                method.path
            );
        }
    }
    drop(raw);
    let grown = rig.grown_kib();
    rig.figure(format!("+{grown} KiB"));
    assert!(grown <= 16 << 10, "{grown} KiB");
    rig.verdict().await;
}

// === H9

/// A table of the game in which whoever is asked may answer: its seat's token and its decision.
async fn asked(rig: &Rig, game: &str) -> (Table, usize, u64) {
    let client = rig.server.sessions().await;
    let request = CreateSessionRequest {
        game: game.to_owned(),
        ..Default::default()
    };
    let table = Table::start(&client, request).await;
    for seat in 0..table.tokens.len() {
        let seen = table.observe(Some(seat), View::Lean).await;
        if !seen.legal_action_ids.is_empty() {
            return (table, seat, seen.decision.expect("it is asked").decision_id);
        }
    }
    panic!("nobody is asked in {game}");
}

/// The game whose messages lie on this path, if it is of one.
fn game_of(path: &Path<'_>) -> Option<String> {
    path.iter().find_map(|field| {
        let package = field.type_name().strip_prefix(".tavola.")?;
        let (game, _) = package.split_once(".v1.")?;
        Some(game.to_owned())
    })
}

#[tokio::test]
async fn h9_values_that_there_are_not() {
    let rig = Rig::start("H9 unknown values", &["--sessions-max", "100000"]).await;
    let requests = Requests::all();
    let games = rig
        .server
        .catalog()
        .await
        .list_games(ListGamesRequest::default())
        .await;
    let games = games.unwrap().into_inner().games;
    let mut tables = Vec::new();
    for game in &games {
        tables.push((game.game.clone(), asked(&rig, &game.game).await));
    }
    let mut raw = Raw::connect(rig.server.address(), 1 << 20).await;
    let (mut tried, mut wrong) = (0, Vec::new());
    for method in &requests.methods {
        if method.path.starts_with("/grpc.") {
            continue;
        }
        for path in requests.paths(&method.takes, 5) {
            let last = *path.last().expect("a path has a field");
            let of_game = game_of(&path);
            let game = of_game.clone().unwrap_or_else(|| "santorini".to_owned());
            let (_, (table, seat, decision)) = tables
                .iter()
                .find(|(name, _)| *name == game)
                .expect("all games have one");
            for number in [0, u64::MAX, 9999, u64::from(u32::MAX), u64::MAX >> 1] {
                let body = whole(method, table, *decision, &path, along(&path, number));
                let is_enum = last.r#type() == Type::Enum;
                let unknown = is_enum && !matches!(number, 0);
                let code = match &body {
                    Body::One(bytes) => {
                        send(
                            &mut raw,
                            &method.path,
                            table.token(Some(*seat)),
                            framed(bytes),
                        )
                        .await
                    }
                    Body::Submission(first, second) => {
                        submission(&mut raw, method, table.token(Some(*seat)), [first, second])
                            .await
                    }
                };
                tried += 1;
                let allowed = match code {
                    Code::InvalidArgument => true,
                    _ if unknown => false,
                    // What it means, or lacks, is another matter.
                    Code::Ok
                    | Code::NotFound
                    | Code::FailedPrecondition
                    | Code::Aborted
                    | Code::PermissionDenied => true,
                    _ => false,
                };
                if !allowed {
                    let names: Vec<_> = path.iter().map(|field| field.name()).collect();
                    wrong.push(format!(
                        "{} {} = {number}: {code:?}",
                        method.path,
                        names.join(".")
                    ));
                }
                if path.len() == 1 && !is_enum && number == 9999 {
                    break;
                }
            }
        }
    }
    rig.figure(format!(
        "{tried} requests with unknown values, {} answered wrongly",
        wrong.len()
    ));
    assert_eq!(wrong, [""; 0]);
    drop(raw);
    rig.verdict().await;
}

/// A request with all that it needs beside what is tried.
enum Body {
    One(Vec<u8>),
    /// On a stream: what opens it, and what is submitted.
    Submission(Vec<u8>, Vec<u8>),
}

fn whole(method: &Method, table: &Table, decision: u64, path: &Path<'_>, tried: Vec<u8>) -> Body {
    let session_id = table.id.clone();
    let base = match method.path.rsplit('/').next() {
        Some("CreateSession") => CreateSessionRequest {
            game: game_of(path).unwrap_or_else(|| "santorini".to_owned()),
            ..Default::default()
        }
        .encode_to_vec(),
        Some("AddBot") => AddBotRequest {
            session_id,
            bot: "random".to_owned(),
            seat: None,
            ..Default::default()
        }
        .encode_to_vec(),
        Some("SubmitAction") => SubmitActionRequest {
            session_id,
            decision_id: decision,
            ..Default::default()
        }
        .encode_to_vec(),
        Some("Play") => {
            let open = PlayOpen {
                session_id,
                ..Default::default()
            };
            let open = PlayRequest {
                kind: Some(Kind::Open(open)),
            }
            .encode_to_vec();
            if path[0].name() == "submit" {
                let submit = PlaySubmit {
                    decision_id: decision,
                    answer: None,
                };
                let submit = PlayRequest {
                    kind: Some(Kind::Submit(submit)),
                };
                return Body::Submission(open, [submit.encode_to_vec(), tried].concat());
            }
            open
        }
        Some("LeaveSession" | "DeleteSession" | "JoinSession") => JoinSessionRequest {
            // Not there: the tables are needed to the end.
            session_id: "nowhere".to_owned(),
            seat: None,
            ..Default::default()
        }
        .encode_to_vec(),
        Some("GetGame") => GetGameRequest {
            game: "santorini".to_owned(),
        }
        .encode_to_vec(),
        Some("ListGames" | "GetServerInfo" | "ListSessions") => Vec::new(),
        // All others begin with the session.
        _ => JoinSessionRequest {
            session_id,
            seat: None,
            ..Default::default()
        }
        .encode_to_vec(),
    };
    Body::One([base, tried].concat())
}

/// How a submission on a stream is answered.
async fn submission(
    raw: &mut Raw,
    method: &Method,
    token: Option<&str>,
    said: [&Vec<u8>; 2],
) -> Code {
    let request = raw.request(&method.path, token);
    let (response, mut sending) = raw.begin(request).await;
    for message in said {
        sending
            .send_data(framed(message), false)
            .expect("the stream is open");
    }
    let response = soon("an answer", response)
        .await
        .expect("the call is answered");
    if let Some(status) = Status::from_header_map(response.headers()) {
        return status.code();
    }
    let mut replies = Replies::new(response.into_body());
    while let Some(message) = replies.next().await {
        let reply = PlayResponse::decode(message).expect("a reply decodes");
        match reply.answer.and_then(|answer| answer.result) {
            Some(play_answer::Result::Refused(refusal)) => {
                return crate::common::code_of(refusal.reason());
            }
            Some(play_answer::Result::AcceptedVersion(_)) => return Code::Ok,
            None => {}
        }
    }
    Status::from_header_map(&replies.trailers().await).map_or(Code::Ok, |status| status.code())
}

// === fuzz

/// Calls under way at once.
const AT_ONCE: usize = 16;

/// How long to go on: seconds in `TAVOLA_FUZZ_S`, or a short while.
fn fuzz_time() -> Duration {
    match env::var("TAVOLA_FUZZ_S") {
        Ok(seconds) => Duration::from_secs(
            seconds
                .parse()
                .expect("TAVOLA_FUZZ_S is a number of seconds"),
        ),
        Err(_) => sized(Duration::from_secs(8), Duration::from_secs(60)),
    }
}

#[tokio::test]
async fn h8_every_request_of_every_method_is_fuzzed() {
    let rig = Rig::start("H8 fuzz", &["--sessions-max", "300"]).await;
    let requests = Requests::all();
    let mut dice = Dice::new();
    let client = rig.server.sessions().await;
    let games = rig
        .server
        .catalog()
        .await
        .list_games(ListGamesRequest::default())
        .await;
    let mut texts: Vec<String> = ["random", "greedy", "1", "tavola.v1.SessionService"]
        .map(str::to_owned)
        .into();
    let mut tokens = vec![None];
    for game in games.unwrap().into_inner().games {
        let request = CreateSessionRequest {
            game: game.game.clone(),
            ..Default::default()
        };
        let table = Table::start(&client, request).await;
        texts.extend([game.game, table.id.clone()]);
        tokens.extend(table.tokens.iter().cloned().map(Some));
        tokens.push(Some(table.host));
    }
    rig.process.forget_peak();
    let began = Instant::now();
    let mut codes = std::collections::BTreeMap::new();
    let mut connections = Vec::new();
    for _ in 0..AT_ONCE {
        connections.push(Some(Raw::connect(rig.server.address(), 1 << 16).await));
    }
    let mut calls = FuturesUnordered::new();
    let mut made = 0_usize;
    while began.elapsed() < fuzz_time() || !calls.is_empty() {
        if began.elapsed() < fuzz_time()
            && let Some(raw) = connections.pop().flatten()
        {
            let method = &requests.methods[made % requests.methods.len()];
            made += 1;
            let mut body = BytesMut::new();
            let messages = if method.streams_requests {
                1 + dice.below(4)
            } else {
                1
            };
            for _ in 0..messages {
                let message = requests.random(&method.takes, &texts, 6, &mut dice);
                let other = requests.random(&method.takes, &texts, 2, &mut dice);
                body.extend_from_slice(&framed(&mutated(message, &other, &mut dice)));
            }
            let token = dice.pick(&tokens).clone();
            // Now and then the frame of the message is wrong, too.
            if dice.below(8) == 0 {
                let at = dice.below(body.len());
                body[at] ^= 1 << dice.below(8);
            }
            let mut raw = raw;
            calls.push(async move {
                let code = send(&mut raw, &method.path, token.as_deref(), body.freeze()).await;
                (raw, code)
            });
            continue;
        }
        if let Some((raw, code)) = calls.next().await {
            *codes.entry(format!("{code:?}")).or_insert(0) += 1;
            connections.push(Some(raw));
        }
    }
    let grown = rig.grown_kib();
    rig.figure(format!(
        "{made} requests to {} methods in {:.0?}, +{grown} KiB: {codes:?}",
        requests.methods.len(),
        began.elapsed()
    ));
    assert!(
        made > 20 * requests.methods.len(),
        "each method has its share"
    );
    // What the calls under way may hold at twice the most, and what the sessions take that were opened by chance.
    let most = AT_ONCE * 2 * CAP / 1024 + (16 << 10);
    assert!(grown <= most as u64, "{grown} KiB");
    let unknown = ["Unknown", "DataLoss"].map(|code| codes.contains_key(code));
    assert_eq!(unknown, [false; 2], "{codes:?}");
    connections.clear();
    drop(calls);
    for id in rig.sessions().await {
        let delete = tavola::pb::v1::DeleteSessionRequest { session_id: id };
        for token in tokens.iter().flatten() {
            let _ = client
                .clone()
                .delete_session(with_token(Some(token), delete.clone()))
                .await;
        }
    }
    rig.verdict().await;
}

/// A message with something wrong in it, mostly.
fn mutated(mut message: Vec<u8>, other: &[u8], dice: &mut Dice) -> Vec<u8> {
    for _ in 0..dice.below(4) {
        let at = dice.below(message.len() + 1);
        match dice.below(9) {
            // Bits flipped.
            0 | 1 if at < message.len() => message[at] ^= 1 << dice.below(8),
            // Cut short.
            2 => message.truncate(at),
            // Another message, or a part of it, in the middle.
            3 => {
                let from = dice.below(other.len() + 1);
                message.splice(at..at, other[from..].iter().copied());
            }
            // A length, or another number, beyond all.
            4 if at < message.len() => {
                let mut huge = BytesMut::new();
                encode_varint(u64::MAX >> dice.below(40), &mut huge);
                message.splice(at..=at, huge);
            }
            // A field of another kind.
            5 if at < message.len() => {
                message[at] = message[at] & !7 | u8::try_from(dice.below(8)).expect("3 bits")
            }
            // Deep nesting.
            6 => {
                let depth = dice.below(3000);
                message.splice(at..at, std::iter::repeat_n([0xfb, 0x07], depth).flatten());
            }
            // The same again.
            7 => message.extend_from_within(at..),
            // Noise.
            _ => {
                let noise: Vec<u8> = (0..dice.below(30))
                    .map(|_| dice.next().to_le_bytes()[0])
                    .collect();
                message.splice(at..at, noise);
            }
        }
    }
    message.truncate(CAP + 100);
    message
}
