//! Whole games of Citadels by random clients, for each number of seats, and what each viewer is shown of them.

use std::collections::BTreeSet;

use tavola::pb::{
    citadels::v1 as game,
    v1::{
        CreateSessionRequest, Observation, Options, SessionStatus, View, event, observation,
        options, state, submit_action_request::Answer,
    },
};

use crate::common::{Dice, Server, Table, asked_seat};

fn seen(observation: Option<&Observation>) -> &game::Observation {
    match observation.and_then(|observation| observation.game.as_ref()) {
        Some(observation::Game::Citadels(seen)) => seen,
        _ => panic!("there is an observation of Citadels"),
    }
}

fn table_of(observation: &game::Observation) -> &game::Table {
    observation
        .table
        .as_ref()
        .expect("everybody sees the table")
}

fn request(seats: u32, options: game::Options) -> CreateSessionRequest {
    CreateSessionRequest {
        game: "citadels".to_owned(),
        seats: Some(seats),
        options: Some(Options {
            game: Some(options::Game::Citadels(options)),
        }),
        ..Default::default()
    }
}

fn bonus_districts() -> Vec<i32> {
    (game::District::Lighthouse as i32..=game::District::BallRoom as i32).collect()
}

async fn start(server: &Server, seats: u32, options: game::Options) -> Table {
    let client = server.sessions().await;
    let mut table = Table::create(&client, request(seats, options)).await;
    for _ in 0..seats {
        table.join().await;
    }
    table
}

/// Plays to the end: whoever is asked plays something legal, by meaning and by number in turn; now and then all viewers are looked at.
async fn play(table: &Table, seats: usize, dice: &mut Dice) -> u32 {
    let mut plies = 0;
    while let Some(decision) = table.observe(None, View::Lean).await.decision {
        let seat = asked_seat(Some(&decision)).expect("one seat is asked");
        if plies % 40 == 0 {
            check_views(table, seats, seat).await;
        }
        let answer = if plies % 2 == 0 {
            let legal = table.observe(Some(seat), View::Full).await.legal_actions;
            let labels: BTreeSet<_> = legal.iter().map(|action| &action.label).collect();
            assert_eq!(labels.len(), legal.len());
            Answer::Action(
                dice.pick(&legal)
                    .action
                    .clone()
                    .expect("it is said what it means"),
            )
        } else {
            let legal = table.observe(Some(seat), View::Lean).await.legal_action_ids;
            Answer::ActionId(*dice.pick(&legal))
        };
        let submitted = table.submit(seat, decision.decision_id, answer).await;
        submitted.expect("what is listed is accepted");
        plies += 1;
    }
    plies
}

/// All see the same table; a seat sees its own hand, a spectator none; nobody but the one who is asked has a list.
async fn check_views(table: &Table, seats: usize, asked: usize) {
    let spectator = table.observe(None, View::Full).await;
    let common = seen(spectator.observation.as_ref());
    assert_eq!(common.own, None);
    assert!(spectator.legal_actions.is_empty());
    let boards = &table_of(common).boards;
    assert_eq!(boards.len(), seats);
    for (seat, board) in boards.iter().enumerate() {
        let view = table.observe(Some(seat), View::Full).await;
        let observation = seen(view.observation.as_ref());
        assert_eq!(observation.table, common.table);
        let own = observation.own.as_ref().expect("a seat sees its own");
        assert_eq!(u32::try_from(own.hand.len()), Ok(board.hand_size));
        assert_eq!(view.legal_actions.is_empty(), seat != asked);
    }
}

/// What is true of a finished game.
async fn check_end(table: &Table, seats: usize) {
    let session = table.session().await;
    assert_eq!(session.status(), SessionStatus::Finished);
    let outcome = session.outcome.expect("a finished game has a result");
    assert_eq!(outcome.returns.len(), seats);
    assert!(!outcome.winners.is_empty());
    let end = table.observe(None, View::Full).await;
    let common = table_of(seen(end.observation.as_ref()));
    assert_eq!(common.stage(), game::Stage::Over);
    let best = common.scores.iter().map(|score| score.total).max();
    for &winner in &outcome.winners {
        assert_eq!(Some(common.scores[winner as usize].total), best);
    }
    // The whole truth is open now: every card of the game is somewhere.
    let truth = table.state(None).await.expect("a finished game is open");
    let Some(state::Game::Citadels(truth)) = truth.state.and_then(|state| state.game) else {
        panic!("there is a state of Citadels");
    };
    let hidden = truth.hidden.expect("nothing is held back");
    let hands: usize = truth.seats.iter().map(|own| own.hand.len()).sum();
    let cities: usize = common.boards.iter().map(|board| board.city.len()).sum();
    let cards = 66 + common.bonus_districts.len();
    assert_eq!(
        hands + cities + hidden.deck.len() + hidden.museum.len(),
        cards
    );
}

#[tokio::test]
async fn whole_games_for_each_number_of_seats() {
    let server = Server::start(&[]);
    let mut dice = Dice::new();
    for seats in 2..=8 {
        let options = match seats {
            2 => game::Options::default(),
            8 => game::Options {
                bonus_characters: vec![
                    game::Character::Witch as i32,
                    game::Character::Queen as i32,
                ],
                bonus_districts: bonus_districts(),
                ..Default::default()
            },
            _ => game::Options {
                bonus_characters_random: 2,
                bonus_districts_random: 14,
                end_districts: Some(7),
                ..Default::default()
            },
        };
        let table = start(&server, seats, options).await;
        let plies = play(&table, seats as usize, &mut dice).await;
        assert!(plies > 50, "a game takes its time");
        check_end(&table, seats as usize).await;
    }
}

#[tokio::test]
async fn a_pick_is_told_to_its_picker_alone() {
    let server = Server::start(&[]);
    let table = start(
        &server,
        4,
        game::Options {
            first_crown: Some(0),
            ..Default::default()
        },
    )
    .await;
    let mut streams = Vec::new();
    for viewer in [Some(0), Some(1), None] {
        let mut watching = table.watch(viewer, View::Full).await;
        watching.next().await;
        streams.push(watching);
    }
    let decision = table
        .observe(None, View::Lean)
        .await
        .decision
        .expect("a picker is asked");
    let legal = table.observe(Some(0), View::Lean).await.legal_action_ids;
    table
        .submit(0, decision.decision_id, Answer::ActionId(legal[0]))
        .await
        .expect("what is listed is accepted");
    let mut told = Vec::new();
    for watching in &mut streams {
        let update = watching.next().await;
        let picked = update.events.iter().find_map(|event| match &event.game {
            Some(event::Game::Citadels(game::Event {
                kind: Some(game::event::Kind::CharacterPicked(picked)),
            })) => Some(picked.character),
            _ => None,
        });
        told.push(picked.expect("all hear that a card was picked"));
    }
    assert_ne!(told[0], 0);
    assert_eq!(told[1..], [0, 0]);
}

#[tokio::test]
async fn options_that_the_game_forbids_are_named() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let witch = game::Character::Witch as i32;
    let king = game::Character::King as i32;
    let cases = [
        (
            8,
            game::Options::default(),
            "options.citadels.bonus_characters",
        ),
        (
            4,
            game::Options {
                bonus_characters: vec![witch, witch],
                ..Default::default()
            },
            "options.citadels.bonus_characters",
        ),
        (
            4,
            game::Options {
                bonus_characters: vec![king],
                ..Default::default()
            },
            "options.citadels.bonus_characters",
        ),
        (
            4,
            game::Options {
                bonus_characters: vec![99],
                ..Default::default()
            },
            "options.citadels.bonus_characters",
        ),
        (
            4,
            game::Options {
                bonus_districts: vec![1],
                ..Default::default()
            },
            "options.citadels.bonus_districts",
        ),
        (
            4,
            game::Options {
                bonus_districts_random: 15,
                ..Default::default()
            },
            "options.citadels.bonus_districts_random",
        ),
        (
            4,
            game::Options {
                end_districts: Some(9),
                ..Default::default()
            },
            "options.citadels.end_districts",
        ),
        (
            4,
            game::Options {
                gold_supply: 7,
                ..Default::default()
            },
            "options.citadels.gold_supply",
        ),
        (
            4,
            game::Options {
                first_crown: Some(4),
                ..Default::default()
            },
            "options.citadels.first_crown",
        ),
    ];
    for (seats, options, field) in cases {
        let refused = client.clone().create_session(request(seats, options)).await;
        let status = refused.expect_err(field);
        assert_eq!(status.code(), tonic::Code::InvalidArgument, "{field}");
        let details = tonic_types::StatusExt::get_error_details(&status);
        let violations = details.bad_request().expect("the field is named");
        assert_eq!(violations.field_violations[0].field, field);
    }
}
