//! Citadels measured: random playouts per second for each number of seats, beside Santorini's, and how often the greedy bot beats random
//! ones: `cargo bench -p tavola-engine --bench citadels`. `-- --games 1000` says how many games the greedy bot plays.

#![allow(
    clippy::expect_used,
    reason = "a bench that can't play says so by panicking"
)]

use std::time::{Duration, Instant};

use tavola_engine::bots::{Bot, GreedyBot, RandomBot};
use tavola_engine::games::citadels::{Character, Citadels, District, Options};
use tavola_engine::games::santorini::Santorini;
use tavola_engine::{Chance, Cx, Game, Playthrough, Seat, Seed, Viewer};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let benching = arguments.iter().any(|argument| argument == "--bench");
    let games = arguments
        .iter()
        .position(|argument| argument == "--games")
        .and_then(|at| arguments.get(at + 1)?.parse().ok())
        .unwrap_or(if benching { 1000 } else { 1 });
    let time = Duration::from_millis(if benching { 1500 } else { 1 });

    println!(
        "{:40} {:>11} {:>11} {:>11}",
        "random playouts", "games/s", "plies/s", "plies/game"
    );
    let santorini = Default::default();
    show(
        "santorini, 2 seats",
        playouts::<Santorini>(&santorini, 2, time),
    );
    for seats in 2..=7 {
        let name = format!("citadels, {seats} seats");
        show(
            &name,
            playouts::<Citadels>(&Options::default(), seats, time),
        );
    }
    for seats in [4, 8] {
        let name = format!("citadels with bonus cards, {seats} seats");
        show(&name, playouts::<Citadels>(&bonus(seats), seats, time));
    }

    show_imagination(time);

    println!(
        "\n{:40} {:>11} {:>11}",
        "one greedy bot among random ones", "games", "win share"
    );
    for seats in [2, 4] {
        let won: f64 = (0..games).map(|game| greedy_share(seats, game)).sum();
        println!(
            "{:40} {games:11} {:11.3}",
            format!("citadels, {seats} seats"),
            won / games as f64
        );
    }
}

fn bonus(seats: u8) -> Options {
    let characters: &[_] = match seats {
        8 => &[Character::Witch, Character::Diplomat, Character::Artist],
        _ => &[Character::Witch, Character::Diplomat],
    };
    Options {
        bonus_characters: characters.to_vec(),
        bonus_districts: District::ALL
            .into_iter()
            .filter(|district| district.is_bonus())
            .collect(),
        ..Options::default()
    }
}

struct Speed {
    games: f64,
    plies: f64,
    seconds: f64,
}

fn show(
    name: &str,
    Speed {
        games,
        plies,
        seconds,
    }: Speed,
) {
    println!(
        "{name:40} {:11.0} {:11.0} {:11.1}",
        games / seconds,
        plies / seconds,
        plies / games
    );
}

/// Whole random games through the trait, one after another. Nothing is allocated but the list of actions, once.
fn playouts<G: Game>(options: &G::Options, seats: u8, time: Duration) -> Speed {
    let mut dice = Chance::at_ply(Seed::from_number(2), 0);
    let mut legal = Vec::with_capacity(G::INFO.legal_max as usize);
    let (mut games, mut plies) = (0u32, 0u32);
    let start = Instant::now();
    while start.elapsed() < time || games == 0 {
        let mut chance = Chance::at_ply(Seed::from_number(games.into()), 0);
        let mut game =
            G::new(options, seats, &mut Cx::new(&mut chance, None)).expect("legal options");
        while let Some(seat) = G::to_act(game.public()).lowest() {
            G::legal_actions_into(game.seen(Viewer::Seat(seat)), &mut legal);
            let action = legal[dice.below(legal.len() as u32) as usize];
            game.apply_unchecked(seat, action, &mut Cx::new(&mut chance, None));
            plies += 1;
        }
        games += 1;
    }
    Speed {
        games: games.into(),
        plies: plies.into(),
        seconds: start.elapsed().as_secs_f64(),
    }
}

/// What a search pays before it plays: a copy of the state, and a world that fits what a seat sees.
fn show_imagination(time: Duration) {
    let mut chance = Chance::at_ply(Seed::from_number(3), 0);
    let mut game =
        Citadels::new(&bonus(4), 4, &mut Cx::new(&mut chance, None)).expect("legal options");
    for _ in 0..120 {
        let Some(seat) = Citadels::to_act(game.public()).lowest() else {
            break;
        };
        let legal = Citadels::legal_actions(game.seen(Viewer::Seat(seat)));
        let action = legal[chance.below(legal.len() as u32) as usize];
        game.apply_unchecked(seat, action, &mut Cx::new(&mut chance, None));
    }
    let seen = game.seen(Viewer::Seat(Seat(1)));
    let copy = nanoseconds(time / 5, || game.clone());
    let world = nanoseconds(time / 5, || Citadels::determinize(seen, &mut chance));
    let bytes = size_of::<Citadels>();
    println!("\na state of {bytes} bytes: {copy:.0} ns a copy, {world:.0} ns a determinization");
}

fn nanoseconds<T>(time: Duration, mut work: impl FnMut() -> T) -> f64 {
    let start = Instant::now();
    let mut times = 0u32;
    while start.elapsed() < time || times == 0 {
        for _ in 0..100 {
            std::hint::black_box(work());
        }
        times += 100;
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(times)
}

/// What the greedy bot gets of a game: 1 for a win, its part of a shared one. It sits everywhere in turn.
fn greedy_share(seats: u8, game: u64) -> f64 {
    let seat_of_greedy = Seat((game % u64::from(seats)) as u8);
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&game.to_le_bytes());
    let (mut greedy, mut random) = (GreedyBot::new(bytes), RandomBot::new(bytes));
    let mut play = Playthrough::<Citadels>::start(Options::default(), seats, Seed(bytes), None)
        .expect("legal options");
    while let Some(seat) = Citadels::to_act(play.state().public()).lowest() {
        let seen = play.state().seen(Viewer::Seat(seat));
        let legal = Citadels::legal_actions(seen);
        let action = if seat == seat_of_greedy {
            greedy.choose(seen, &legal)
        } else {
            random.choose(seen, &legal)
        };
        play.submit(seat, action, None).expect("a listed action");
    }
    let winners = Citadels::outcome(play.state().public()).map(|outcome| outcome.winners);
    match winners {
        Some(winners) if winners.contains(seat_of_greedy) => 1.0 / f64::from(winners.len()),
        _ => 0.0,
    }
}
