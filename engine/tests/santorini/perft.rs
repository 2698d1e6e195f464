//! Node counts: `perft.txt`, and the empty board.

use std::collections::HashSet;

use tavola_engine::games::santorini::{Options, Santorini, Stage, StartPlayer};
use tavola_engine::{Chance, Cx, Game, Playthrough, Seat, Seed, Viewer, perft};

use crate::scenario::given;

const SEED: Seed = Seed::from_number(0);

#[test]
fn node_counts_are_those_of_the_page() {
    let lines = include_str!("perft.txt")
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    assert_eq!(lines.map(check).count(), 2);
}

fn check(line: &str) {
    let [name, position, options, finals, won, sequences] =
        line.split(" | ").collect::<Vec<_>>()[..]
    else {
        panic!("not six fields: {line}")
    };
    let number = |text: &str| text.parse::<u64>().unwrap();
    let state = given(position).state;
    let ends = turn_ends(&state);
    let wins = ends
        .iter()
        .filter(|end| matches!(end.public().stage, Stage::Over(_)))
        .count();
    let counts = [perft(&state, SEED, 1), ends.len() as u64, wins as u64];
    assert_eq!(counts, [options, finals, won].map(number), "{name}");
    let sequences: Vec<_> = sequences.split_whitespace().map(number).collect();
    let counted: Vec<_> = (1..)
        .take(sequences.len())
        .map(|depth| perft(&state, SEED, depth))
        .collect();
    assert_eq!(counted, sequences, "{name}");
}

/// The different states in which the turn that is about to be played can end.
fn turn_ends(start: &Santorini) -> HashSet<ByBytes> {
    let mut ends = HashSet::new();
    let mut open = vec![start.clone()];
    while let Some(state) = open.pop() {
        let seat = start.public().on_turn;
        for action in Santorini::legal_actions(state.seen(Viewer::Seat(seat))) {
            let mut next = state.clone();
            next.apply_unchecked(seat, action, &mut Cx::new(&mut Chance::scripted([]), None));
            if Santorini::to_act(next.public()).contains(seat) {
                open.push(next);
            } else {
                ends.insert(ByBytes(next));
            }
        }
    }
    ends
}

/// A state that hashes as its canonical bytes.
#[derive(PartialEq, Eq)]
struct ByBytes(Santorini);

impl std::hash::Hash for ByBytes {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        self.0.state_hash().hash(hasher);
    }
}

impl std::ops::Deref for ByBytes {
    type Target = Santorini;

    fn deref(&self) -> &Santorini {
        &self.0
    }
}

#[test]
fn four_workers_are_placed_in_25_times_24_times_23_times_22_ways() {
    let options = Options {
        start_player: StartPlayer::Seat(Seat(0)),
        ..Options::without_gods()
    };
    let game = Playthrough::<Santorini>::start(options, 2, SEED, None).unwrap();
    let counts = [0, 1, 2, 3, 4].map(|depth| perft(game.state(), SEED, depth));
    assert_eq!(counts, [1, 25, 600, 13_800, 303_600]);
}
