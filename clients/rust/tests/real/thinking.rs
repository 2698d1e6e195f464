//! The bot that thinks.

use tavola_client::{
    Client,
    santorini::v1::{self as game, Action, Observation, Piece, Player, Worker, action::Kind},
    v1::{self, LegalAction, Update, action, observation},
};

use crate::{at_random, server::Server, thought::think};

/// A table without gods: workers 0 and 1 are seat 0's, 2 and 3 seat 1's.
fn table(levels: &[(usize, u32)], workers: [u32; 4]) -> Observation {
    let mut board = game::Board {
        levels: vec![0; 25],
        domes: vec![],
    };
    for &(space, level) in levels {
        board.levels[space] = level;
    }
    let workers = workers.iter().zip(0..).map(|(&space, worker)| Worker {
        worker: Some(worker),
        seat: Some(worker / 2),
        space: Some(space),
    });
    let players = (0..2).map(|seat| Player {
        seat: Some(seat),
        side: Some(seat),
        ..Player::default()
    });
    Observation {
        board: Some(board),
        workers: workers.collect(),
        players: players.collect(),
        ..Observation::default()
    }
}

fn step(worker: u32, to: u32) -> Kind {
    Kind::Move(game::Move {
        worker: Some(worker),
        to: Some(to),
    })
}

fn build(space: u32, piece: Piece) -> Kind {
    Kind::Build(game::Build {
        worker: Some(0),
        space: Some(space),
        piece: piece.into(),
    })
}

/// Checks that seat 0 prefers the first action, wherever it stands in the list.
fn check(table: Observation, actions: &[Kind]) {
    let legal = actions.iter().zip(0..).map(|(&kind, id)| LegalAction {
        action_id: Some(id),
        action: Some(v1::Action {
            game: Some(action::Game::Santorini(Action { kind: Some(kind) })),
        }),
        label: String::new(),
    });
    let mut update = Update {
        observation: Some(v1::Observation {
            game: Some(observation::Game::Santorini(table)),
        }),
        legal_actions: legal.collect(),
        seat: Some(0),
        ..Update::default()
    };
    for _ in actions {
        update.legal_actions.rotate_left(1);
        assert_eq!(think(&update), 0, "{:?}", update.legal_actions);
    }
}

#[test]
fn it_climbs_to_win() {
    let table = table(&[(0, 2), (1, 3), (5, 2), (6, 2)], [0, 24, 20, 4]);
    check(table, &[step(0, 1), step(0, 5), step(0, 6), step(1, 23)]);
}

#[test]
fn it_climbs_rather_than_stays() {
    let table = table(&[(6, 1)], [0, 24, 20, 4]);
    check(table, &[step(0, 6), step(0, 5), step(0, 1)]);
}

#[test]
fn it_blocks_a_tower_that_the_other_would_climb() {
    let table = table(&[(12, 3), (13, 2), (7, 2)], [11, 24, 13, 4]);
    let others = [10, 6, 16].map(|space| build(space, Piece::Block));
    check(table, &[&[build(12, Piece::Dome)], &others[..]].concat());
}

#[test]
fn it_builds_no_step_to_victory_for_the_other() {
    let table = table(&[(12, 2), (13, 2)], [11, 24, 13, 4]);
    check(table, &[10, 12].map(|space| build(space, Piece::Block)));
}

/// Plays with gods, as they come. Who plays by chance wins half of the games, and so many in less than one of a thousand
/// runs.
#[tokio::test]
async fn it_beats_chance() {
    const GAMES: usize = 40;
    const ENOUGH: usize = 31;
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let client = Client::connect(&server.address).await.unwrap();
    let mut won = 0;
    for _ in 0..GAMES {
        let host = client.create("santorini").await.unwrap();
        let thinker = host.join().await.unwrap();
        let other = host.join().await.unwrap();
        let (outcome, _) = tokio::join!(thinker.play(think), other.play(at_random));
        won += usize::from(outcome.unwrap().winners.contains(&0));
    }
    assert!(won >= ENOUGH, "won {won} of {GAMES} games");
}
