//! Whole games as text: what each decision offered, what was played, who was told what.
//!
//! `golden/NAME.json` is a record and `golden/NAME.txt` what comes of replaying it. A difference is
//! a change of the rules, to be reviewed as one: `UPDATE_GOLDEN=1 cargo test` writes the texts
//! anew.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use tavola_engine::games::shadow_hunters::{Event, Options, Player, ShadowHunters, Slot};
use tavola_engine::{Audience, Entry, Game, Playthrough, Record, Seat, Viewer};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shadow_hunters/golden")
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
            let record = std::fs::read_to_string(&path).unwrap();
            let record: Record<Options> = serde_json::from_str(&record).unwrap();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            compare(&format!("{name}.txt"), &tell(&record));
            games.push(name);
        }
    }
    games.sort_unstable();
    assert_eq!(
        games,
        [
            "base",
            "expansion",
            "one_per_initial",
            "opening",
            "plain",
            "resigned"
        ]
    );
}

pub(crate) fn compare(name: &str, actual: &str) {
    let path = folder().join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        std::fs::write(&path, actual).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    if golden != actual {
        let lines = golden.lines().map(Some).chain([None]);
        let now = actual.lines().map(Some).chain([None]);
        let differs = (1..).zip(lines.zip(now)).find(|(_, (was, is))| was != is);
        panic!("{name}: line, and what it was and is: {differs:?}");
    }
}

/// The game as a text.
fn tell(record: &Record<Options>) -> String {
    let mut text = String::new();
    let mut log = Vec::new();
    let mut game = Playthrough::<ShadowHunters>::start(
        record.options,
        record.seats,
        record.seed,
        Some(&mut log),
    )
    .unwrap();
    writeln!(text, "{:?}, {} seats", record.options, record.seats).unwrap();
    tell_events(&mut text, &mut log);
    for entry in &record.entries {
        show(&mut text, &game);
        match *entry {
            Entry::Action(seat, id) => {
                let seen = game.state().seen(Viewer::Seat(seat));
                let action = ShadowHunters::decode(id).unwrap();
                let legal: Vec<String> = ShadowHunters::legal_actions(seen)
                    .iter()
                    .map(ToString::to_string)
                    .collect();
                writeln!(
                    text,
                    "{seat}, {:?}: {}",
                    ShadowHunters::decision(seen).unwrap(),
                    legal.join(" | ")
                )
                .unwrap();
                writeln!(text, "> {action}").unwrap();
                game.submit(seat, action, Some(&mut log)).unwrap();
            }
            Entry::Resign(seat) => {
                writeln!(text, "> {seat} resigns").unwrap();
                game.resign(seat, Some(&mut log)).unwrap();
            }
        }
        tell_events(&mut text, &mut log);
    }
    show(&mut text, &game);
    writeln!(text, "{:?}", ShadowHunters::outcome(game.state().public())).unwrap();
    text
}

fn tell_events(text: &mut String, log: &mut Vec<(Audience, Event)>) {
    for (audience, event) in log.drain(..) {
        match audience {
            Audience::All => writeln!(text, "- {event:?}").unwrap(),
            _ => writeln!(text, "- {audience:?}: {event:?}").unwrap(),
        }
    }
}

/// Where everybody stands, and the hash of all there is.
fn show(text: &mut String, game: &Playthrough<ShadowHunters>) {
    let public = game.state().public();
    let player = |(seat, player): (u8, &Player)| {
        let character = game.state().private(Seat(seat)).unwrap().character;
        let hidden = if player.is_hidden() { "?" } else { "" };
        let dead = if player.alive { "" } else { " dead" };
        let slot = player
            .slot
            .map_or(String::new(), |slot: Slot| format!(" @{}", slot.number()));
        let row: Vec<&str> = player.equipment.iter().map(|card| card.name()).collect();
        format!(
            "{character:?}{hidden}{dead} d{}{slot} [{}]",
            player.damage,
            row.join(", ")
        )
    };
    let players: Vec<String> = (0..).zip(&public.players).map(player).collect();
    writeln!(
        text,
        "\nply {}, turn {} of {}: {}",
        game.ply(),
        public.turn,
        public.active,
        players.join(" / ")
    )
    .unwrap();
    writeln!(text, "{}", game.state_hash()).unwrap();
}

/// The records were made by random bots; this makes them anew where a change of the rules broke
/// them: `MAKE_GOLDEN=1 cargo test`.
#[test]
fn records_can_be_made() {
    use tavola_engine::Seed;
    use tavola_engine::bots::{Bot, RandomBot};
    use tavola_engine::games::shadow_hunters::ExpansionCharacters::{
        All, None as Base, OnePerInitial, Only,
    };

    for (number, (name, seats, pools, abilities, opening)) in (1..).zip([
        ("plain", 5, All, true, false),
        ("base", 7, Base, false, false),
        ("expansion", 4, Only, true, false),
        ("one_per_initial", 8, OnePerInitial, true, false),
        ("opening", 6, All, true, true),
        ("resigned", 6, All, true, false),
    ]) {
        let options = Options {
            expansion_characters: pools,
            special_abilities: abilities,
            opening_hermit: opening,
            turn_limit: 20,
        };
        let mut game =
            Playthrough::<ShadowHunters>::start(options, seats, Seed::from_number(number), None)
                .unwrap();
        let mut bot = RandomBot::new([number as u8; 32]);
        while let Some(ask) = game.state().public().asked() {
            if name == "resigned" && game.ply() == 12 {
                game.resign(Seat(2), None).unwrap();
            }
            let seen = game.state().seen(Viewer::Seat(ask.seat));
            let legal = ShadowHunters::legal_actions(seen);
            let action = bot.choose(seen, &legal);
            game.submit(ask.seat, action, None).unwrap();
        }
        assert_eq!(Playthrough::replay(game.record()).as_ref(), Ok(&game));
        if std::env::var_os("MAKE_GOLDEN").is_some_and(|value| value == "1") {
            let record = serde_json::to_string(game.record()).unwrap();
            std::fs::write(folder().join(format!("{name}.json")), record + "\n").unwrap();
        }
    }
}
