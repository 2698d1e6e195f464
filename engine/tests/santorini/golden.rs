//! Whole games as text: what each decision offered, what was played, what was told, how the table
//! then stood.
//!
//! `golden/NAME.json` is a record and `golden/NAME.txt` what comes of replaying it. A difference is
//! a change of the rules, to be reviewed as one: `UPDATE_GOLDEN=1 cargo test` writes the texts
//! anew.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use tavola_engine::games::santorini::{Options, Public, Santorini, Supply, Worker};
use tavola_engine::{Entry, Game, Playthrough, Record, Viewer};

use crate::scenario::events;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/santorini/golden")
}

/// Compares with the file in `golden/`.
pub(crate) fn compare(name: &str, actual: &str) {
    let path = folder().join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        std::fs::write(&path, actual).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    if golden == actual {
        return;
    }
    let mut lines = (1..).zip(
        golden
            .lines()
            .map(Some)
            .chain([None])
            .zip(actual.lines().map(Some).chain([None])),
    );
    let differs = lines.find(|(_, (golden, actual))| golden != actual);
    panic!("{name} differs: line, and what it was and is: {differs:?}");
}

#[test]
fn recorded_games_replay_as_they_were_told() {
    let mut games = Vec::new();
    for file in std::fs::read_dir(folder()).unwrap() {
        let path = file.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            let record: Record<Options> =
                serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            compare(&format!("{name}.txt"), &tell(record));
            games.push(name);
        }
    }
    games.sort_unstable();
    assert_eq!(
        games,
        ["greedy", "max_turns", "random", "resigned", "unlimited"]
    );
}

/// The game as a text.
fn tell(record: Record<Options>) -> String {
    let mut text = String::new();
    let mut log = Vec::new();
    let mut game = Playthrough::<Santorini>::start(
        record.options.clone(),
        record.seats,
        record.seed,
        Some(&mut log),
    )
    .unwrap();
    writeln!(text, "{:?}", record.options).unwrap();
    show(&mut text, &game);
    for entry in record.entries {
        match entry {
            Entry::Action(seat, id) => {
                let action = Santorini::decode(id).unwrap();
                ask(&mut text, &game, action);
                game.submit(seat, action, Some(&mut log)).unwrap();
            }
            Entry::Resign(seat) => {
                writeln!(text, "{seat} resigns").unwrap();
                game.resign(seat, Some(&mut log)).unwrap();
            }
        }
        for event in events(std::mem::take(&mut log)) {
            writeln!(text, "- {event:?}").unwrap();
        }
        show(&mut text, &game);
    }
    writeln!(text, "{:?}", Santorini::outcome(game.state().public())).unwrap();
    text
}

/// The open decision with its options, the one that was played marked.
fn ask(text: &mut String, game: &Playthrough<Santorini>, played: <Santorini as Game>::Action) {
    for seat in Santorini::to_act(game.state().public()).iter() {
        let seen = game.state().seen(Viewer::Seat(seat));
        let decision = Santorini::decision(seen).unwrap();
        writeln!(
            text,
            "{seat}, decision {}: {decision:?}",
            game.decision_number()
        )
        .unwrap();
        for action in Santorini::legal_actions(seen) {
            let mut label = String::new();
            Santorini::label(seen, action, &mut label);
            let mark = if action == played { '*' } else { ' ' };
            writeln!(
                text,
                " {mark} {} {action}: {label}",
                Santorini::encode(action)
            )
            .unwrap();
        }
    }
}

/// The table as everybody sees it: nothing is hidden.
fn show(text: &mut String, game: &Playthrough<Santorini>) {
    let Public {
        board,
        supply,
        workers,
        on_turn,
        turns,
        ..
    } = game.state().public();
    let stands = |worker: Worker| {
        workers
            .space_of(worker)
            .map(|space| format!(" {worker}@{space}"))
    };
    let workers: String = Worker::all().filter_map(stands).collect();
    let supply = match supply {
        Supply::Limited(pieces) => format!("{:?} {}", pieces.blocks, pieces.domes),
        Supply::Unlimited => "unlimited".to_owned(),
    };
    writeln!(
        text,
        "\nply {}, turn {turns}, {on_turn}: {board}{workers}, supply {supply}",
        game.ply()
    )
    .unwrap();
    writeln!(text, "{}", game.state_hash()).unwrap();
}
