//! Random playouts of Santorini per second, without gods against a loop written for nothing else, and
//! with gods against those without: `cargo bench -p tavola-engine`.
//!
//! The ways to play take turns for several rounds; the medians count, and of those only the ratios:
//! of turns per second to the floor, of plies per second with gods to those without (at least a
//! third).
//!
//! - *floor*: bitboards, no interface, no supply, no events. Each turn it counts all complete
//!   turns, picks one, and plays it on a copy.
//! - *trait*: the public [`Game`] trait, as a search would use it: list the actions, pick one, play
//!   it. A turn is two actions.
//! - *playthrough*: [`Playthrough`], as the service uses it: besides, every action is checked and
//!   recorded.
//! - *gods*: the trait again, two players with gods drawn at random; *gods, 3 seats* and *gods,
//!   4 seats* likewise.

#![allow(
    clippy::expect_used,
    reason = "a bench that can't play says so by panicking"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use tavola_engine::games::santorini::{GodMode, Options, Santorini};
use tavola_engine::{Chance, Cx, Game, Playthrough, Seed, Viewer};

const ROUNDS: usize = 9;
const ROUND: Duration = Duration::from_millis(300);

fn main() {
    // `cargo test --benches` only wants to know that it runs.
    let (rounds, round) = if std::env::args().any(|argument| argument == "--bench") {
        (ROUNDS, ROUND)
    } else {
        (1, Duration::from_millis(1))
    };
    let ways: [(&str, Way); 6] = [
        ("floor", floor::play),
        ("trait", through_trait),
        ("playthrough", through_playthrough),
        ("gods", |dice| with_gods(2, dice)),
        ("gods, 3 seats", |dice| with_gods(3, dice)),
        ("gods, 4 seats", |dice| with_gods(4, dice)),
    ];
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let mut speeds = ways.map(|_| Vec::new());
    let mut totals = ways.map(|_| Played::default());
    for _ in 0..rounds {
        for (((_, play), speeds), total) in ways.iter().zip(&mut speeds).zip(&mut totals) {
            speeds.push(measure(*play, round, &mut dice, total));
        }
    }
    let medians = speeds.map(median);
    println!(
        "{:13} {:>12} {:>7} {:>12} {:>9} {:>11} {:>13}",
        "way", "turns/s", "ratio", "plies/s", "playouts", "turns/game", "start player"
    );
    for (((name, _), speed), total) in ways.iter().zip(medians).zip(totals) {
        let per_game = |count: u64| count as f64 / total.games as f64;
        println!(
            "{name:13} {speed:12.0} {:7.3} {:12.0} {:9.0} {:11.1} {:13.3}",
            speed / medians[0],
            speed * total.plies as f64 / total.turns as f64,
            speed / per_game(total.turns),
            per_game(total.turns),
            per_game(total.won_by_start_player),
        );
    }
}

/// Turns per second of one way to play.
fn measure(play: Way, round: Duration, dice: &mut Dice, total: &mut Played) -> f64 {
    let start = Instant::now();
    let mut turns = 0;
    while start.elapsed() < round {
        for _ in 0..64 {
            let played = black_box(play(dice));
            turns += played.turns;
            total.games += played.games;
            total.turns += played.turns;
            total.plies += played.plies;
            total.won_by_start_player += played.won_by_start_player;
        }
    }
    turns as f64 / start.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Plays one game.
type Way = fn(&mut Dice) -> Played;

/// What was played, to see that all ways play the same game.
#[derive(Clone, Copy, Default)]
struct Played {
    games: u64,
    turns: u64,
    /// Actions; the floor counts none.
    plies: u64,
    won_by_start_player: u64,
}

/// Fast and good enough: wyrand (Wang Yi, 2019).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let product = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        let word = (product >> 64) as u64 ^ product as u64;
        ((u128::from(word) * bound as u128) >> 64) as usize
    }
}

fn through_trait(dice: &mut Dice) -> Played {
    play(&Options::without_gods(), 2, dice)
}

fn with_gods(seats: u8, dice: &mut Dice) -> Played {
    let options = Options {
        god_mode: GodMode::Random,
        ..Options::default()
    };
    play(&options, seats, dice)
}

fn play(options: &Options, seats: u8, dice: &mut Dice) -> Played {
    let mut chance = Chance::at_ply(Seed::from_number(dice.below(1 << 32) as u64), 0);
    let mut table =
        Santorini::new(options, seats, &mut Cx::new(&mut chance, None)).expect("legal options");
    let mut legal = Vec::with_capacity(Santorini::INFO.legal_max as usize);
    let mut plies = 0;
    while let Some(seat) = Santorini::to_act(table.public()).lowest() {
        Santorini::legal_actions_into(table.seen(Viewer::Seat(seat)), &mut legal);
        let action = legal[dice.below(legal.len())];
        table.apply_unchecked(seat, action, &mut Cx::new(&mut chance, None));
        plies += 1;
    }
    played(&table, plies)
}

fn through_playthrough(dice: &mut Dice) -> Played {
    let seed = Seed::from_number(dice.below(1 << 32) as u64);
    let mut game = Playthrough::<Santorini>::start(Options::without_gods(), 2, seed, None)
        .expect("legal options");
    let mut legal = Vec::with_capacity(Santorini::INFO.legal_max as usize);
    while let Some(seat) = Santorini::to_act(game.state().public()).lowest() {
        Santorini::legal_actions_into(game.state().seen(Viewer::Seat(seat)), &mut legal);
        let action = legal[dice.below(legal.len())];
        game.submit(seat, action, None).expect("a listed action");
    }
    played(game.state(), game.ply().into())
}

fn played(table: &Santorini, plies: u64) -> Played {
    let public = table.public();
    let won = Santorini::outcome(public)
        .zip(public.start_player)
        .is_some_and(|(outcome, start_player)| outcome.winners.contains(start_player));
    Played {
        games: 1,
        turns: u64::from(public.turns),
        plies,
        won_by_start_player: u64::from(won),
    }
}

/// The floor: nothing but the moves, as fast as they can be counted.
mod floor {
    use super::{Dice, Played};

    const ALL: u32 = (1 << 25) - 1;

    /// 32 entries, so that an index of five bits needs no check.
    const NEIGHBORS: [u32; 32] = {
        let mut table = [0; 32];
        let mut from = 0;
        while from < 25i32 {
            let mut to = 0;
            while to < 25i32 {
                if from != to && (from / 5 - to / 5).abs() <= 1 && (from % 5 - to % 5).abs() <= 1 {
                    table[from as usize] |= 1 << to;
                }
                to += 1;
            }
            from += 1;
        }
        table
    };

    #[derive(Clone, Copy)]
    struct Board {
        /// The spaces with a block of level 1, 2, 3.
        blocks: [u32; 3],
        domes: u32,
        /// Two workers of the side to move, two of the other.
        workers: [u32; 4],
    }

    impl Board {
        fn level(&self, space: u32) -> u32 {
            let [one, two, three] = self.blocks;
            (one >> space & 1) + (two >> space & 1) + (three >> space & 1)
        }
    }

    /// A move of a worker, and where it can build then; nowhere after a win.
    #[derive(Clone, Copy, Default)]
    struct Option {
        worker: u32,
        to: u32,
        builds: u32,
        turns: u32,
    }

    pub(crate) fn play(dice: &mut Dice) -> Played {
        let mut board = Board {
            blocks: [0; 3],
            domes: 0,
            workers: [0; 4],
        };
        let mut taken = 0;
        for (nth, worker) in board.workers.iter_mut().enumerate() {
            *worker = nth_bit(ALL & !taken, dice.below(25 - nth) as u32);
            taken |= 1 << *worker;
        }
        let mut turns = 0;
        loop {
            turns += 1;
            match turn(&board, dice) {
                Ok(next) => board = next,
                Err(mover_won) => {
                    let start_player_won = (turns % 2 == 1) == mover_won;
                    return Played {
                        games: 1,
                        turns,
                        plies: 0,
                        won_by_start_player: u64::from(start_player_won),
                    };
                }
            }
        }
    }

    /// The board after a random complete turn; else whether the side to move has won.
    #[inline]
    fn turn(board: &Board, dice: &mut Dice) -> Result<Board, bool> {
        let [_, two, three] = board.blocks;
        let occupied = board.workers.iter().fold(0, |spaces, at| spaces | 1 << at);
        let free = ALL & !board.domes & !occupied;
        let mut options = [Option::default(); 16];
        let (mut count, mut turns) = (0, 0);
        for worker in 0..2 {
            let from = board.workers[worker as usize];
            let level = board.level(from);
            let too_high = [two, three, 0, 0][level as usize];
            let wins = if level == 2 { three } else { 0 };
            let mut targets = NEIGHBORS[from as usize % 32] & free & !too_high;
            let open = free | 1 << from;
            while targets != 0 {
                let to = targets.trailing_zeros();
                targets &= targets - 1;
                let won = wins >> to & 1;
                let builds = NEIGHBORS[to as usize % 32] & open & won.wrapping_sub(1);
                let here = builds.count_ones() + won;
                options[count % 16] = Option {
                    worker,
                    to,
                    builds,
                    turns: here,
                };
                count += 1;
                turns += here;
            }
        }
        if turns == 0 {
            return Err(false);
        }
        let mut pick = dice.below(turns as usize) as u32;
        let mut at = 0;
        while pick >= options[at % 16].turns {
            pick -= options[at % 16].turns;
            at += 1;
        }
        let option = &options[at % 16];
        if option.builds == 0 {
            return Err(true);
        }
        let build = nth_bit(option.builds, pick);
        let level = board.level(build);
        let mut next = *board;
        next.workers[option.worker as usize] = option.to;
        match next.blocks.get_mut(level as usize) {
            Some(blocks) => *blocks |= 1 << build,
            None => next.domes |= 1 << build,
        }
        let [a, b, c, d] = next.workers;
        next.workers = [c, d, a, b];
        Ok(next)
    }

    /// The n-th set bit, counted from 0.
    #[inline]
    fn nth_bit(mut bits: u32, n: u32) -> u32 {
        for _ in 0..n {
            bits &= bits - 1;
        }
        bits.trailing_zeros()
    }
}
