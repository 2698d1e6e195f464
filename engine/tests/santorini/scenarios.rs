//! Scenarios in the notation of section 13 of the rules page: what is played, and what must then be
//! so. `scenarios/golden.txt` is section 13.1 word for word; the other files in the folder are
//! written in the same way.
//!
//! A case is two lines. The first names it and gives the position; the second is the steps, joined by
//! `→`. Words in parentheses are comments.

use std::collections::{BTreeMap, BTreeSet};

use tavola_engine::games::santorini::{
    Elimination, EndReason, Event, God, Gods, Santorini, Stage, WinReason, Worker,
};
use tavola_engine::{Chance, Cx, Game, Seat, SeatSet, Viewer};

use crate::scenario::{Table, given};

/// Remarks on the page that explain and claim nothing to be tried.
const REMARKS: [&str; 2] = [
    "first block made level 3, so no second block",
    "every neighbour of a1 neighbours b2, so there are no extra builds",
];

/// The cases of a file by name: position and steps.
pub(crate) fn cases(file: &'static str) -> BTreeMap<&'static str, (String, &'static str)> {
    let mut lines = file
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut cases = BTreeMap::new();
    while let Some(head) = lines.next() {
        let (title, position) = head
            .strip_prefix("**")
            .and_then(|head| head.split_once("** "))
            .unwrap_or_else(|| panic!("no head: {head}"));
        let name = title.split([' ', ':']).next().unwrap();
        let steps = lines
            .next()
            .unwrap_or_else(|| panic!("{name} has no steps"));
        assert!(
            cases.insert(name, (clean(position), steps)).is_none(),
            "{name} is there twice"
        );
    }
    cases
}

/// The position without comments.
fn clean(position: &str) -> String {
    let mut text = without_comments(position).replace('`', "");
    text = text
        .split(['·', ';'])
        .map(str::trim)
        .filter(|part| !is_remark(part))
        .collect::<Vec<_>>()
        .join(" · ");
    text
}

fn is_remark(part: &str) -> bool {
    part.contains(" on level ")
        || part.ends_with("was removed earlier")
        || part == "3-player game"
        || part.starts_with("teams ")
}

fn without_comments(text: &str) -> String {
    let mut depth = 0;
    text.chars()
        .filter(|letter| match letter {
            '(' => {
                depth += 1;
                false
            }
            ')' => {
                depth -= 1;
                false
            }
            _ => depth == 0,
        })
        .collect()
}

/// Plays a case and checks all it says.
pub(crate) fn check(file: &'static str, name: &str) {
    let cases = cases(file);
    let (position, steps) = cases.get(name).unwrap_or_else(|| panic!("no case {name}"));
    let mut table = given(position);
    let mut checks = 0;
    for step in without_comments(steps).split(" → ") {
        let step = step.trim().trim_end_matches('.').trim();
        if REMARKS.contains(&step) {
            continue;
        }
        println!("{name}: {step}");
        table = take(table, step);
        checks += 1;
    }
    assert!(checks > 0, "{name} checks nothing");
}

/// What stands in back quotes.
fn quoted(list: &str) -> Vec<&str> {
    list.split('`').skip(1).step_by(2).collect()
}

fn take(table: Table, step: &str) -> Table {
    if let Some(list) = step.strip_prefix("do ") {
        let mut told = Vec::new();
        let mut table = table;
        for action in quoted(list) {
            table = table.does(action);
            told.append(&mut table.told);
        }
        table.told = told;
        return table;
    }
    if let Some(list) = step.strip_prefix("exactly these options: ") {
        let expected: BTreeSet<_> = quoted(list).into_iter().map(str::to_owned).collect();
        assert_eq!(table.legal().into_iter().collect::<BTreeSet<_>>(), expected);
        return table;
    }
    if let Some(list) = step.strip_prefix("legal: ") {
        return table.allows(&quoted(list));
    }
    if let Some(list) = step.strip_prefix("not legal: ") {
        let legal = table.legal();
        for action in quoted(list) {
            crate::scenario::action(action);
            assert!(
                !legal.iter().any(|other| other == action),
                "{action} is legal"
            );
        }
        return table;
    }
    if let Some(board) = step.strip_prefix("board ") {
        return table.board(quoted(board)[0]);
    }
    if let Some(count) = step.strip_suffix(" options") {
        return table.offers_number(count.parse().unwrap());
    }
    if let Some(count) = step.strip_suffix(" complete turns") {
        assert_eq!(complete_turns(&table.state), count.parse::<u64>().unwrap());
        return table;
    }
    if let Some(seat) = step
        .strip_prefix("additional turn of ")
        .and_then(|rest| rest.strip_suffix(" begins"))
    {
        return additional_turn(table, player(seat));
    }
    if step == "a second additional turn follows" {
        let seat = table.state.public().on_turn;
        return additional_turn(table, seat);
    }
    state(table, step)
}

fn additional_turn(table: Table, seat: Seat) -> Table {
    let public = table.state.public();
    assert_eq!((&public.stage, public.on_turn), (&Stage::Borrowing, seat));
    assert!(public.turn.additional);
    table
}

/// The steps that say how things stand.
fn state(table: Table, step: &str) -> Table {
    let public = table.state.public().clone();
    let winners = Santorini::outcome(&public).map(|outcome| outcome.winners);
    match step {
        "nobody has won" => assert_eq!(winners, None),
        "**draw**" => assert_eq!(winners, Some(SeatSet::EMPTY)),
        "**team A wins**" => assert_eq!(winners, Some([Seat(0), Seat(2)].into_iter().collect())),
        "**team B wins**" => assert_eq!(winners, Some([Seat(1), Seat(3)].into_iter().collect())),
        "the turn is over" => assert!(
            table
                .told
                .iter()
                .any(|event| matches!(event, Event::TurnEnded { .. })),
            "{:?}",
            table.told
        ),
        _ => {
            if let Some(seat) = step
                .strip_suffix(" wins**")
                .and_then(|rest| rest.strip_prefix("**"))
            {
                assert_eq!(winners, Some(SeatSet::only(player(seat))));
            } else if let Some(seat) = step.strip_suffix("'s turn begins") {
                let begins = Event::TurnStarted {
                    seat: player(seat),
                    number: public.turns,
                    additional: false,
                };
                assert!(table.told.contains(&begins), "{:?}", table.told);
            } else if let Some(owed) = step.strip_prefix("additional turns owed: ") {
                assert_eq!(public.additional_turns_owed.to_string(), owed);
            } else if let Some(pool) = step.strip_prefix("Morpheus pool ") {
                assert_eq!(public.morpheus_pool.to_string(), pool);
            } else if let Some((seat, gods)) = step.split_once(" holds ") {
                let gods: Gods = match gods {
                    "no power" => Gods::NONE,
                    _ => gods
                        .split(", ")
                        .map(|god| god.parse::<God>().unwrap())
                        .collect(),
                };
                assert_eq!(public.powers_of(player(seat)), gods);
            } else if let Some(seat) =
                step.strip_suffix(" is eliminated, its workers leave the board")
            {
                let (seat, reason) = (player(seat), Elimination::NoLegalTurn);
                assert!(
                    table
                        .told
                        .contains(&Event::PlayerEliminated { seat, reason })
                );
                assert!(!public.playing.contains(seat));
                assert!(
                    public
                        .workers
                        .spaces_of_side(public.side_of(seat))
                        .is_empty()
                );
            } else if step == "at the start of its turn P1 has no legal turn" {
                let Stage::Over(ending) = &public.stage else {
                    panic!("the game goes on")
                };
                assert_eq!(ending.reason, EndReason::Won(WinReason::NoLegalTurn));
            } else {
                for part in step.split(", ") {
                    worker_stands(&table, part);
                }
            }
        }
    }
    table
}

/// `P1f at c3` or `P1f removed`.
fn worker_stands(table: &Table, part: &str) {
    let (name, at) = match (part.split_once(" at "), part.strip_suffix(" removed")) {
        (Some((name, space)), _) => (name, Some(space.parse().unwrap())),
        (None, Some(name)) => (name, None),
        (None, None) => panic!("not understood: {part}"),
    };
    let worker = Worker::all()
        .find(|worker| worker.to_string() == name)
        .unwrap_or_else(|| panic!("not understood: {part}"));
    assert_eq!(table.state.public().workers.space_of(worker), at, "{part}");
    if at.is_none() {
        let removed = |event: &Event| matches!(event, Event::WorkerRemoved { worker: out, .. } if *out == worker);
        assert!(table.told.iter().any(removed), "{:?}", table.told);
    }
}

fn player(name: &str) -> Seat {
    Seat(name.strip_prefix('P').unwrap().parse::<u8>().unwrap() - 1)
}

/// How many sequences of actions complete the turn that is about to be played.
fn complete_turns(start: &Santorini) -> u64 {
    let seat = start.public().on_turn;
    let turns = start.public().turns;
    let mut open = vec![start.clone()];
    let mut complete = 0;
    while let Some(state) = open.pop() {
        for action in Santorini::legal_actions(state.seen(Viewer::Seat(seat))) {
            let mut next = state.clone();
            next.apply_unchecked(seat, action, &mut Cx::new(&mut Chance::scripted([]), None));
            if next.public().turns == turns && !Santorini::to_act(next.public()).is_empty() {
                open.push(next);
            } else {
                complete += 1;
            }
        }
    }
    complete
}

/// One test for each case, named by its number and title.
macro_rules! scenarios {
    ($file:expr; $($test:ident: $name:literal,)+) => {
        const NAMES: &[&str] = &[$($name),+];
        $(#[test] fn $test() { $crate::scenarios::check($file, $name); })+
    };
}
pub(crate) use scenarios;
