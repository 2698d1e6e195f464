//! A game that goes on for long, for streams that need one.

use tavola_engine::{
    Game as _, Playthrough, Seed, Viewer,
    games::santorini::{Action, Level, Options, PieceSupply, Santorini, StartPlayer},
};

use tavola::pb::{
    santorini::v1 as game,
    v1::{CreateSessionRequest, Options as AnyOptions, options},
};

use super::{Dice, Sessions, Table, santorini};

/// The actions of a game of at least this many plies, in their order, for a table of two in which seat 0 begins and
/// pieces never run out. Nobody climbs to level 3 in it as long as there is another way.
pub fn long_game(dice: &mut Dice, plies: usize) -> Vec<u32> {
    let options = Options {
        start_player: StartPlayer::Seat(tavola_engine::Seat(0)),
        piece_supply: PieceSupply::Unlimited,
        ..Options::without_gods()
    };
    for _ in 0..1000 {
        let mut play = Playthrough::<Santorini>::start(options.clone(), 2, Seed([0; 32]), None)
            .expect("the options are legal");
        let mut actions = Vec::new();
        while let Some(seat) = Santorini::to_act(play.state().public()).iter().next() {
            let legal = Santorini::legal_actions(play.state().seen(Viewer::Seat(seat)));
            let board = &play.state().public().board;
            let patient: Vec<Action> = legal
                .iter()
                .copied()
                .filter(|action| match action {
                    Action::Move { to, .. } => board.level(*to) < Level::TOP,
                    _ => true,
                })
                .collect();
            let action = *dice.pick(if patient.is_empty() { &legal } else { &patient });
            play.submit(seat, action, None).expect("it is legal");
            actions.push(Santorini::encode(action).0);
        }
        if actions.len() >= plies {
            return actions;
        }
    }
    panic!("no game of {plies} plies was found");
}

/// A table for [`long_game`].
pub async fn long_table(client: &Sessions) -> Table {
    let options = game::Options {
        god_mode: game::GodMode::None.into(),
        start_player: Some(0),
        piece_supply: game::PieceSupply::Unlimited.into(),
        ..Default::default()
    };
    let options = AnyOptions {
        game: Some(options::Game::Santorini(options)),
    };
    let request = CreateSessionRequest {
        options: Some(options),
        ..santorini()
    };
    Table::start(client, request).await
}
