//! Bad calls, each with the reason that the contract gives it. Nothing changes when a call is refused.

mod access;
mod call;
mod cases;
mod contract;
mod submissions;
mod world;

use std::collections::{BTreeMap, BTreeSet};

use tavola::pb::v1::{ErrorReason, GetObservationRequest, View, submit_action_request::Answer};
use tonic::Request;

use crate::common::{Dice, Server, Table, refusal, refused};
use call::Refused;
use cases::{all_cases, bearer, session_id_cases};
use contract::Contract;
use submissions::bad_submissions;
use world::World;

#[tokio::test]
async fn bad_calls_are_refused_with_their_reason_and_change_nothing() {
    let server = Server::start(&[]);
    let world = World::new(&server).await;
    let mut before = world.seen().await;
    let mut wrong = Vec::new();
    for case in all_cases(&world) {
        let about = format!("{} {:?}: {}", case.call.method(), case.field, case.what);
        let shown = format!("{:?} as {:?}", case.call, case.authorization);
        let shown: String = shown.chars().take(300).collect();
        let outcome = case.call.make(&world, case.authorization.as_deref()).await;
        let (reason, violation) = match outcome {
            Ok(()) => {
                wrong.push(format!("{about}: went through: {shown}"));
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
        // A message within an action or within options, such as a payment, may also be named as a whole.
        let named = violation == case.violation
            || case.violation.as_deref().is_some_and(|path| {
                let whole = path.rsplit_once('.').map(|(whole, _)| whole);
                whole.is_some_and(|whole| whole.matches('.').count() >= 2)
                    && whole == violation.as_deref()
            });
        if reason != case.reason || !named {
            wrong.push(format!(
                "{about}: {reason:?} {violation:?} instead of {:?} {:?}: {shown}",
                case.reason, case.violation
            ));
        }
        let after = world.seen().await;
        if after != before {
            wrong.push(format!("{about}: something has changed: {shown}"));
            before = after;
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
    assert_eq!(texts.len(), 12);
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
        let seat = crate::common::asked_seat(Some(&decision)).unwrap();
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

#[tokio::test]
async fn every_method_and_every_field_has_its_bad_calls() {
    let server = Server::start(&[]);
    let world = World::new(&server).await;
    let mut tried: BTreeMap<&str, BTreeMap<String, Vec<String>>> = BTreeMap::new();
    for case in all_cases(&world) {
        let fields = tried.entry(case.call.method()).or_default();
        fields.entry(case.field).or_default().push(case.what);
    }
    let mut missing = Vec::new();
    let methods = Contract::read().fields_of_methods();
    assert_eq!(
        methods.len(),
        17,
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
