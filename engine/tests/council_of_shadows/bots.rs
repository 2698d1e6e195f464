//! The greedy bot plays clearly better than the random one.

use tavola_engine::bots::{Bot, GreedyBot, RandomBot};
use tavola_engine::games::council_of_shadows::{AutomaMode, CouncilOfShadows, Options, Stage};
use tavola_engine::{Game, Playthrough, Seed, Viewer};

use crate::scenario::options;

type AnyBot = Box<dyn Bot<CouncilOfShadows>>;

fn greedy(seed: u64) -> AnyBot {
    Box::new(GreedyBot::new(Seed::from_number(seed).0))
}

fn random(seed: u64) -> AnyBot {
    Box::new(RandomBot::new(Seed::from_number(seed).0))
}

/// A whole game; tells the round in which it ended, and whether each seat won.
fn play(options: &Options, bots: &mut [AnyBot], seed: u64) -> (u8, Vec<bool>) {
    let seats = bots.len() as u8;
    let mut play = Playthrough::<CouncilOfShadows>::start(
        options.clone(),
        seats,
        Seed::from_number(seed),
        None,
    )
    .unwrap();
    while let Some(seat) = CouncilOfShadows::to_act(play.state().public())
        .iter()
        .next()
    {
        let seen = play.state().seen(Viewer::Seat(seat));
        let legal = CouncilOfShadows::legal_actions(seen);
        let action = bots[usize::from(seat.0)].choose(seen, &legal);
        play.submit(seat, action, None).unwrap();
    }
    let public = play.state().public();
    let Stage::Over(ending) = &public.stage else {
        panic!("not over")
    };
    let won = public
        .seats()
        .iter()
        .map(|seat| ending.outcome.winners.contains(seat));
    (public.round, won.collect())
}

#[test]
fn greedy_beats_random() {
    let mut wins = 0;
    for seed in 0..20 {
        // Both seats are tried.
        let mut bots = if seed % 2 == 0 {
            [greedy(seed), random(seed)]
        } else {
            [random(seed), greedy(seed)]
        };
        let (_, won) = play(&options(), &mut bots, seed);
        wins += u32::from(won[(seed % 2) as usize]);
    }
    assert!(wins >= 19, "{wins} of 20");
}

#[test]
fn greedy_beats_three_random_players() {
    let mut wins = 0;
    for seed in 0..6 {
        let mut bots = [random(1), random(2), greedy(3), random(4)];
        let (_, won) = play(&options(), &mut bots, seed);
        wins += u32::from(won[2]);
    }
    assert!(wins >= 5, "{wins} of 6");
}

/// 18: games of sensible players end by the throne, long before the end of rounds.
#[test]
fn games_of_greedy_bots_are_as_long_as_the_page_says() {
    for (seats, longest) in [(2, 14), (3, 14), (4, 12)] {
        for seed in 0..5 {
            let mut bots: Vec<AnyBot> = (0..seats).map(|seat| greedy(seed * 8 + seat)).collect();
            let (rounds, _) = play(&options(), &mut bots, seed);
            assert!(
                (5..=longest).contains(&rounds),
                "{seats} seats: {rounds} rounds"
            );
        }
    }
}

#[test]
fn a_stronger_automa_ends_the_game_earlier() {
    let rounds = [AutomaMode::Easy, AutomaMode::Normal, AutomaMode::Hard].map(|automa| {
        let options = Options {
            automa: Some(automa),
            ..options()
        };
        let games = (0..20).map(|seed| u32::from(play(&options, &mut [random(seed)], seed).0));
        games.sum::<u32>()
    });
    assert!(rounds[0] > rounds[1] && rounds[1] > rounds[2], "{rounds:?}");
}
