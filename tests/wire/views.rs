//! What each viewer is shown: the same facts in the lean view and the full one, and no more than it may know.

use std::collections::BTreeSet;

use tavola::pb::{
    santorini::v1 as game,
    v1::{
        CreateSessionRequest, GetObservationResponse, LegalAction, Options, Session, Update, View,
        action, options, submit_action_request::Answer,
    },
};

use crate::common::{Dice, Server, Table, asked_seat, santorini, with_token};

const VIEWERS: [Option<usize>; 3] = [None, Some(0), Some(1)];

fn ids(legal: &[LegalAction]) -> Vec<u32> {
    legal
        .iter()
        .map(|legal| legal.action_id.expect("an action has a number"))
        .collect()
}

/// The number that the contract gives an action.
fn number_of(action: &tavola::pb::v1::Action) -> u32 {
    let Some(action::Game::Santorini(action)) = &action.game else {
        panic!("it is one of Santorini");
    };
    match action.kind.as_ref().expect("an action is something") {
        game::action::Kind::PlaceWorker(place) => place.worker.unwrap() * 25 + place.space.unwrap(),
        game::action::Kind::Move(step) => 150 + step.worker.unwrap() * 25 + step.to.unwrap(),
        game::action::Kind::Build(build) => {
            let piece = match build.piece() {
                game::Piece::Block => 0,
                game::Piece::Dome => 1,
                game::Piece::Unspecified => panic!("what is built? {build:?}"),
            };
            300 + (build.worker.unwrap() * 25 + build.space.unwrap()) * 2 + piece
        }
        other => panic!("not without gods: {other:?}"),
    }
}

#[tokio::test]
async fn the_lean_view_and_the_full_one_hold_the_same_facts_at_every_ply() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    for _ in 0..5 {
        let mut table = Table::create(&client, santorini()).await;
        loop {
            for viewer in VIEWERS {
                if viewer.is_some_and(|seat| seat >= table.tokens.len()) {
                    continue;
                }
                let full = table.observe(viewer, View::Full).await;
                let lean = table.observe(viewer, View::Lean).await;
                let unspecified = table.observe(viewer, View::Unspecified).await;
                assert_eq!(unspecified, full, "unspecified is full");
                assert!(full.legal_action_ids.is_empty() && lean.legal_actions.is_empty());
                assert_eq!(lean.legal_action_ids, ids(&full.legal_actions));
                let without = |shown: &GetObservationResponse| GetObservationResponse {
                    legal_actions: Vec::new(),
                    legal_action_ids: Vec::new(),
                    ..shown.clone()
                };
                assert_eq!(without(&lean), without(&full));
            }
            if table.tokens.len() < 2 {
                table.join().await;
            } else if table.play_ply(&mut dice).await.is_none() {
                break;
            }
        }
    }
}

#[tokio::test]
async fn streams_hold_the_same_facts_in_either_view_and_those_of_an_observation() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let table = Table::santorini(&client).await;
    let mut streams = Vec::new();
    for viewer in VIEWERS {
        let full = table.watch(viewer, View::Full).await;
        let lean = table.watch(viewer, View::Lean).await;
        streams.push((viewer, full, lean));
    }
    loop {
        for (viewer, full, lean) in &mut streams {
            let (full, lean) = (full.next().await, lean.next().await);
            assert_eq!(lean.legal_action_ids, ids(&full.legal_actions));
            let without = |update: &Update| Update {
                legal_actions: Vec::new(),
                legal_action_ids: Vec::new(),
                ..update.clone()
            };
            assert_eq!(without(&lean), without(&full));
            let shown = table.observe(*viewer, View::Full).await;
            let of_update = GetObservationResponse {
                observation: full.observation,
                decision: full.decision,
                legal_actions: full.legal_actions,
                legal_action_ids: full.legal_action_ids,
                version: full.version,
                status: full.status,
                outcome: full.outcome,
                seat: full.seat,
                clocks: full.clocks,
            };
            assert_eq!(of_update, shown);
        }
        if table.play_ply(&mut dice).await.is_none() {
            break;
        }
    }
}

#[tokio::test]
async fn nobody_but_the_asked_seat_is_told_what_it_may_answer() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let table = Table::santorini(&client).await;
    let mut watching = Vec::new();
    for viewer in VIEWERS {
        watching.push(table.watch(viewer, View::Full).await);
    }
    loop {
        let decision = table.observe(None, View::Full).await.decision;
        let asked = asked_seat(decision.as_ref());
        for (viewer, watching) in VIEWERS.into_iter().zip(&mut watching) {
            let update = watching.next().await;
            assert_eq!(update.decision, decision, "that it is open is seen by all");
            let is_asked = asked.is_some() && viewer == asked;
            for view in [View::Full, View::Lean] {
                let shown = table.observe(viewer, view).await;
                let told = shown.legal_actions.len() + shown.legal_action_ids.len();
                assert_eq!(told > 0, is_asked, "{viewer:?} while {asked:?} is asked");
            }
            assert_eq!(!update.legal_actions.is_empty(), is_asked);
        }
        let host = table
            .try_observe(Some(&table.host), View::Full)
            .await
            .unwrap();
        assert_eq!(
            host,
            table.observe(None, View::Full).await,
            "a host is a spectator"
        );
        if table.play_ply(&mut dice).await.is_none() {
            break;
        }
    }
}

#[tokio::test]
async fn a_reply_to_an_answer_tells_what_its_own_seat_may_answer_next() {
    let server = Server::start(&[]);
    let table = Table::santorini(&server.sessions().await).await;
    let mut dice = Dice::new();
    loop {
        let Some(decision) = table.observe(None, View::Full).await.decision else {
            break;
        };
        let seat = asked_seat(Some(&decision)).unwrap();
        let legal = table.observe(Some(seat), View::Lean).await.legal_action_ids;
        let answer = Answer::ActionId(*dice.pick(&legal));
        let view = [View::Full, View::Lean, View::Unspecified][dice.below(3)];
        let token = &table.tokens[seat];
        let reply = table
            .submit_as(token, decision.decision_id, answer, view)
            .await
            .unwrap();
        let shown = table.observe(Some(seat), view).await;
        let of_reply = GetObservationResponse {
            observation: reply.observation,
            decision: reply.decision,
            legal_actions: reply.legal_actions,
            legal_action_ids: reply.legal_action_ids,
            version: reply.version,
            status: reply.status,
            outcome: reply.outcome,
            seat: reply.seat,
            clocks: reply.clocks,
        };
        assert_eq!(of_reply, shown);
    }
}

#[tokio::test]
async fn legal_actions_are_numbered_as_the_contract_says_and_labelled_apart() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    for _ in 0..3 {
        let table = Table::santorini(&client).await;
        loop {
            let shown = table.observe(None, View::Full).await;
            let Some(seat) = asked_seat(shown.decision.as_ref()) else {
                break;
            };
            let legal = table.observe(Some(seat), View::Full).await.legal_actions;
            let numbers = ids(&legal);
            assert!(numbers.is_sorted_by(|one, next| one < next), "{numbers:?}");
            assert!(numbers.len() <= 25, "legal_actions_max");
            let mut labels = BTreeSet::new();
            for legal in &legal {
                let action = legal.action.as_ref().expect("it has a meaning");
                assert_eq!(legal.action_id, Some(number_of(action)));
                assert!(!legal.label.is_empty());
                assert!(labels.insert(&legal.label), "{} twice", legal.label);
            }
            table.play_ply(&mut dice).await;
        }
    }
}

// === secrets

#[tokio::test]
async fn a_seed_shows_in_nothing_before_the_end() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    // The only chance of Santorini is who begins: with that given, all seeds look alike.
    let options = game::Options {
        god_mode: game::GodMode::None.into(),
        start_player: Some(1),
        ..Default::default()
    };
    let request = |seed| CreateSessionRequest {
        seed: Some(seed),
        options: Some(Options {
            game: Some(options::Game::Santorini(options.clone())),
        }),
        ..santorini()
    };
    let seeds = [dice.next(), dice.next()];
    let play_seed = dice.next();
    let mut told = Vec::new();
    for seed in seeds {
        let table = Table::start(&client, request(seed)).await;
        let mut streams = Vec::new();
        for viewer in VIEWERS {
            streams.push(table.watch(viewer, View::Full).await);
        }
        table.play_out(&mut Dice::fixed(play_seed)).await;
        let mut of_table = Vec::new();
        for mut stream in streams {
            let mut updates = stream.rest().await;
            for update in &mut updates {
                // What is a session's own and no secret.
                if let Some(session) = &mut update.session {
                    assert!(session.seed_given);
                    *session = Session {
                        session_id: String::new(),
                        create_time: None,
                        end_time: None,
                        seed_commitment: Default::default(),
                        ..session.clone()
                    };
                }
            }
            of_table.push(updates);
        }
        told.push(of_table);
    }
    assert_eq!(told[0], told[1]);
}

#[tokio::test]
async fn no_token_and_no_seed_gets_into_the_log() {
    let server = Server::start(&["--log", "trace"]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    // A number that nothing else prints.
    let seed = dice.next() | 1 << 63;
    let request = CreateSessionRequest {
        seed: Some(seed),
        ..santorini()
    };
    let table = Table::start(&client, request).await;
    let mut watching = table.watch(Some(0), View::Full).await;
    let mut player = crate::common::Player::at(&table, 1).await;
    player.update().await;
    table.play_plies(&mut dice, 10).await;
    // Refusals are logged too, if anything is.
    let wrong = table
        .submit_as(&table.tokens[0], 9999, Answer::ActionId(0), View::Full)
        .await;
    assert!(wrong.is_err());
    let swapped = format!("{}AAAA", &table.tokens[0][..39]);
    assert!(table.try_observe(Some(&swapped), View::Full).await.is_err());
    let garbage = table
        .try_observe(Some("garbage-in-place-of-a-token"), View::Full)
        .await;
    assert!(garbage.is_err());
    table.play_out(&mut dice).await;
    watching.rest().await;
    let delete = tavola::pb::v1::DeleteSessionRequest {
        session_id: table.id.clone(),
    };
    client
        .clone()
        .delete_session(with_token(Some(&table.host), delete))
        .await
        .unwrap();

    let log = crate::common::eventually("the log of the end", || async {
        let log = server.log();
        log.contains("game over").then_some(log)
    })
    .await;
    assert!(
        log.contains(" TRACE ") && log.contains(&table.id),
        "all is logged"
    );
    let mut secrets = vec![
        seed.to_string(),
        format!("{seed:x}"),
        table.host.clone(),
        swapped,
        "garbage-in-place-of-a-token".to_owned(),
    ];
    secrets.extend(table.tokens.iter().cloned());
    for line in log.lines() {
        for secret in &secrets {
            assert!(!line.contains(secret), "{secret} in: {line}");
        }
    }
}
