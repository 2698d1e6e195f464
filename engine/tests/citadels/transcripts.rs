//! Whole games as text: who did what, and what all and each seat were told of it.
//!
//! `transcripts/NAME.txt` is what comes of a game with fixed chance and fixed picks from the lists. A difference is a change of the rules, to be
//! reviewed as one: `UPDATE_GOLDEN=1 cargo test` writes the texts anew.

use std::fmt::Write;
use std::path::Path;

use tavola_engine::games::citadels::{BallRoom, Character, Citadels, District, Options};
use tavola_engine::{Audience, Chance, Game, Playthrough, Seed, Viewer};

fn compare(name: &str, actual: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/citadels/transcripts");
    let path = folder.join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        std::fs::create_dir_all(folder).unwrap();
        std::fs::write(&path, actual).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = (1..)
        .zip(golden.lines().zip(actual.lines()))
        .find(|(_, (golden, actual))| golden != actual);
    assert_eq!(
        differs, None,
        "{name} differs: line, and what it was and is"
    );
    assert_eq!(
        golden.lines().count(),
        actual.lines().count(),
        "{name} has another length"
    );
}

fn tell(options: Options, seats: u8, seed: u64) -> String {
    let mut text = String::new();
    let mut log = Vec::new();
    let mut dice = Chance::at_ply(Seed::from_number(seed), 1 << 31);
    let mut play =
        Playthrough::<Citadels>::start(options, seats, Seed::from_number(seed), Some(&mut log))
            .unwrap();
    loop {
        for (audience, event) in log.drain(..) {
            match audience {
                Audience::All => writeln!(text, "    {event:?}").unwrap(),
                Audience::Only(seats) => writeln!(text, "    to {seats}: {event:?}").unwrap(),
                Audience::Except(seats) => writeln!(text, "    not to {seats}: {event:?}").unwrap(),
            }
        }
        let Some(seat) = play.state().public().decider() else {
            break;
        };
        let seen = play.state().seen(Viewer::Seat(seat));
        let legal = Citadels::legal_actions(seen);
        let action = legal[dice.below(legal.len() as u32) as usize];
        let mut label = String::new();
        Citadels::label(seen, action, &mut label);
        let decision = Citadels::decision(seen).unwrap();
        let (ply, offered, id) = (play.ply() + 1, legal.len(), Citadels::encode(action));
        writeln!(text, "{ply} {seat} {decision:?} of {offered}: {id} {label}").unwrap();
        play.submit(seat, action, Some(&mut log)).unwrap();
    }
    writeln!(text, "{}", play.state_hash()).unwrap();
    text
}

#[test]
fn the_base_game() {
    compare("base.txt", &tell(Options::default(), 4, 1));
}

#[test]
fn with_bonus_cards() {
    let options = Options {
        bonus_characters: vec![
            Character::Witch,
            Character::Wizard,
            Character::Emperor,
            Character::Diplomat,
            Character::Queen,
        ],
        allow_many_bonus: true,
        bonus_districts: District::ALL
            .into_iter()
            .filter(|district| district.is_bonus())
            .collect(),
        ..Options::default()
    };
    compare("bonus.txt", &tell(options, 5, 2));
}

#[test]
fn with_the_other_bonus_characters() {
    let options = Options {
        bonus_characters: vec![
            Character::TaxCollector,
            Character::Abbot,
            Character::Alchemist,
            Character::Navigator,
            Character::Artist,
        ],
        allow_many_bonus: true,
        bonus_districts_random: 8,
        end_districts: 7,
        ball_room: BallRoom::Auto,
        ..Options::default()
    };
    compare("other_bonus.txt", &tell(options, 3, 3));
}
