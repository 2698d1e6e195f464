//! The counting tables of sections 13.2 and 13.2.1: how many turns and how many sequences of actions
//! each god leaves.

use std::collections::HashSet;

use tavola_engine::games::santorini::{EndReason, Public, Santorini, Stage};
use tavola_engine::{Chance, Cx, Game, Outcome, Seat, SeatSet, Seed, Viewer, perft};

use crate::scenario::given;

const A: &str = "00000/00000/00000/00000/00000 · P1 {1} f@b2 m@d4 · P2 {2} f@b4 m@d2 · to move P1";
const B: &str = "01210/12320/02z10/01021/00100 · P1 {1} f@b3 m@d2 · P2 {2} f@d4 m@a2 · to move P1";

fn table(position: &str, first: &str, second: &str, more: &str) -> Santorini {
    let position = position.replace("{1}", first).replace("{2}", second);
    given(&format!("{position}{more}")).state
}

/// The cells of a table of the page, without their frame.
fn rows(file: &'static str) -> Vec<Vec<&'static str>> {
    file.lines()
        .filter(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect()
}

/// Column 1 to 4 of the table of 13.2.
fn check_turns(column: usize) {
    let rows = rows(include_str!("counting.txt"));
    assert_eq!(rows.len(), 29);
    for row in rows {
        let god = row[0];
        let position = if column % 2 == 1 { A } else { B };
        let state = match column {
            1 | 2 => table(position, god, "none", ""),
            // Athena comes with her lock on.
            _ if god == "athena" => table(position, "none", god, " · Athena lock on"),
            _ => table(position, "none", god, ""),
        };
        let ends = turn_ends(&state);
        let won = |end: &&End| {
            end.2
                .as_ref()
                .is_some_and(|outcome| outcome.winners == SeatSet::only(Seat(0)))
        };
        let counted = format!(
            "{} / {} / {}",
            perft(&state, Seed::from_number(0), 1),
            ends.len(),
            ends.iter().filter(won).count()
        );
        assert_eq!(counted, row[column], "{god}, column {column}");
    }
}

#[test]
fn section_13_2_position_a_and_p1_has_the_god() {
    check_turns(1);
}

#[test]
fn section_13_2_position_b_and_p1_has_the_god() {
    check_turns(2);
}

#[test]
fn section_13_2_position_a_and_p2_has_the_god() {
    check_turns(3);
}

#[test]
fn section_13_2_position_b_and_p2_has_the_god() {
    check_turns(4);
}

/// Board and workers, Morpheus' pool, the result.
type End = (String, u16, Option<Outcome>);

/// The different positions in which the turn that is about to be played can end.
fn turn_ends(start: &Santorini) -> Vec<End> {
    let seat = start.public().on_turn;
    let mut ends = Vec::new();
    let mut seen = HashSet::new();
    let mut open = vec![start.clone()];
    while let Some(state) = open.pop() {
        for action in Santorini::legal_actions(state.seen(Viewer::Seat(seat))) {
            let mut next = state.clone();
            next.apply_unchecked(seat, action, &mut Cx::new(&mut Chance::scripted([]), None));
            let public = next.public();
            let goes_on = public.turns == start.public().turns
                && !public.turn.additional
                && !Santorini::to_act(public).is_empty();
            if goes_on {
                if seen.insert(inside(public)) {
                    open.push(next);
                }
            } else {
                let end = end(public);
                if seen.insert(format!("{end:?}")) {
                    ends.push(end);
                }
            }
        }
    }
    ends
}

/// What matters in the middle of a turn: how many moves there were doesn't, beyond the second.
fn inside(public: &Public) -> String {
    let mut turn = public.turn;
    turn.moves = turn.moves.min(2);
    format!("{:?} {turn:?} {:?}", public.stage, end(public))
}

fn end(public: &Public) -> End {
    let result = match &public.stage {
        Stage::Over(ending) if matches!(ending.reason, EndReason::Won(_)) => {
            Some(ending.outcome.clone())
        }
        _ => None,
    };
    let stands = format!("{} {:?}", public.board, public.workers);
    (stands, public.morpheus_pool, result)
}

/// Column 1 or 2 of the table of 13.2.1.
fn check_paths(column: usize, position: &str) {
    let rows = rows(include_str!("paths.txt"));
    assert_eq!(rows.len(), 15);
    for row in rows {
        let (first, second) = row[0].split_once(" v. ").unwrap();
        let state = table(position, first, second, "");
        let counted: Vec<_> = (1..=4)
            .map(|depth| perft(&state, Seed::from_number(0), depth).to_string())
            .collect();
        assert_eq!(counted.join(", "), row[column], "{}", row[0]);
    }
}

#[test]
fn section_13_2_1_position_a() {
    check_paths(1, A);
}

#[test]
fn section_13_2_1_position_b() {
    check_paths(2, B);
}
