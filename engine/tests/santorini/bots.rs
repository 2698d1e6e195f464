//! House bots at a table of Santorini.

use tavola_engine::bots::{Bot, GreedyBot, RandomBot};
use tavola_engine::games::santorini::{Options, Santorini};
use tavola_engine::{Evaluate, Game, Playthrough, Seat, SeatSet, Seed, Viewer};

use crate::scenario::given;

const GAMES: u64 = 200;

fn play(seed: u64, bots: &mut [Box<dyn Bot<Santorini>>; 2]) -> SeatSet {
    let mut game =
        Playthrough::<Santorini>::start(Options::without_gods(), 2, Seed::from_number(seed), None)
            .unwrap();
    while let Some(seat) = Santorini::to_act(game.state().public()).iter().next() {
        let seen = game.state().seen(Viewer::Seat(seat));
        let action = bots[usize::from(seat.0)].choose(seen, &Santorini::legal_actions(seen));
        game.submit(seat, action, None).unwrap();
    }
    Santorini::outcome(game.state().public()).unwrap().winners
}

fn dice(seed: u64, seat: u8) -> [u8; 32] {
    let mut bytes = Seed::from_number(seed).0;
    bytes[31] = seat + 1;
    bytes
}

#[test]
fn greedy_beats_random_in_95_games_of_100() {
    let mut won = 0;
    for seed in 0..GAMES {
        let greedy = Seat((seed % 2) as u8);
        let mut bots: [Box<dyn Bot<Santorini>>; 2] = [
            Box::new(RandomBot::new(dice(seed, 0))),
            Box::new(RandomBot::new(dice(seed, 1))),
        ];
        bots[usize::from(greedy.0)] = Box::new(GreedyBot::new(dice(seed, greedy.0)));
        won += u64::from(play(seed, &mut bots).contains(greedy));
    }
    println!(
        "greedy won {won} of {GAMES} games against random, seeds 0 to {}",
        GAMES - 1
    );
    assert!(won * 100 >= GAMES * 95, "greedy won {won} of {GAMES} games");
}

#[test]
fn the_same_dice_choose_the_same() {
    let winners = || {
        let mut bots: [Box<dyn Bot<Santorini>>; 2] = [
            Box::new(GreedyBot::new(dice(5, 0))),
            Box::new(RandomBot::new(dice(5, 1))),
        ];
        play(5, &mut bots)
    };
    assert_eq!(winners(), winners());
}

#[test]
fn greedy_takes_a_win_and_stops_one() {
    let choose = |position: &str, seat| {
        let table = given(position);
        let seen = table.state.seen(Viewer::Seat(Seat(seat)));
        GreedyBot::new([1; 32])
            .choose(seen, &Santorini::legal_actions(seen))
            .to_string()
    };
    let win = choose(
        "00000/00000/00000/23000/00000 · P1 f@a2 m@e1 · P2 f@e5 m@e4 · to move P1",
        0,
    );
    assert_eq!(win, "move P1f b2");

    // P2f threatens to step up to b2; P1f, once beside it, puts the dome on.
    let table = given("00000/00000/00000/23000/00000 · P1 f@c1 m@e1 · P2 f@a2 m@e4 · to move P1")
        .does("move P1f b1");
    let seen = table.state.seen(Viewer::Seat(Seat(0)));
    let stop = GreedyBot::new([1; 32]).choose(seen, &Santorini::legal_actions(seen));
    assert_eq!(stop.to_string(), "build P1f b2 dome");
}

#[test]
fn a_won_table_is_worth_more_than_any_other_and_a_lost_one_less() {
    let open = given(
        "33333/33333/33333/22222/22222 · P1 f@a1 m@b1 · P2 f@d1 m@e1 · to move P1 · option piece_supply = unlimited",
    );
    let worth = |state: &Santorini| [0, 1].map(|seat| state.evaluate(Seat(seat)));
    let [best, worst] = worth(&open.state);
    let [won, lost] = worth(&open.resigns(1).state);
    assert!(won > best && worst > lost, "{won} {best} {worst} {lost}");
    assert_eq!(best, -worst);
}
