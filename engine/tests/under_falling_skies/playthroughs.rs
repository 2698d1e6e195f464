//! Whole games as text, and the numbers of all actions.
//!
//! `golden/NAME.txt` is what random choices make of fixed options and a fixed seed. A
//! difference is a change of the rules, to be reviewed as one: `UPDATE_GOLDEN=1 cargo test` writes
//! the texts anew.

use std::fmt::Write;
use std::path::Path;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use tavola_engine::games::under_falling_skies::{
    City, CitySide, Event, Mode, Options, Scenario, SkySet, UnderFallingSkies,
};
use tavola_engine::{ActionId, Chance, Cx, Game, Playthrough, Seat, Seed, Viewer};

use crate::scenario::{action, events, r0};

/// Compares with the file in `golden/`.
fn compare(name: &str, actual: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/under_falling_skies/golden");
    let path = folder.join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        std::fs::write(&path, actual).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = golden
        .lines()
        .zip(actual.lines())
        .find(|(was, is)| was != is);
    assert!(golden == actual, "{name} differs, first here: {differs:?}");
}

#[test]
fn the_numbers_of_all_actions() {
    let mut text = String::new();
    for id in 0..UnderFallingSkies::ACTION_SPACE {
        let action = UnderFallingSkies::decode(ActionId(id)).unwrap();
        assert_eq!(UnderFallingSkies::encode(action), ActionId(id));
        writeln!(text, "{id} {action}").unwrap();
    }
    let beyond = ActionId(UnderFallingSkies::ACTION_SPACE);
    assert_eq!(UnderFallingSkies::decode(beyond), None);
    compare("action_ids.txt", &text);
}

/// A random game of the first plies, as text.
fn tell(options: &Options, seed: u64, plies: u32) -> String {
    let mut dice = StdRng::seed_from_u64(seed);
    let mut text = format!("{}\n", serde_json::to_string(options).unwrap());
    let mut log = Vec::new();
    let started = Playthrough::<UnderFallingSkies>::start(
        options.clone(),
        1,
        Seed::from_number(seed),
        Some(&mut log),
    );
    let mut game = started.unwrap();
    write_events(&mut text, events(std::mem::take(&mut log)));
    while !UnderFallingSkies::to_act(game.state().public()).is_empty() && game.ply() < plies {
        let legal = UnderFallingSkies::legal_actions(game.state().seen(Viewer::Seat(Seat(0))));
        let action = *legal.choose(&mut dice).unwrap();
        game.submit(Seat(0), action, Some(&mut log)).unwrap();
        writeln!(text, "\n{} of {}: {action}", game.ply(), legal.len()).unwrap();
        write_events(&mut text, events(std::mem::take(&mut log)));
    }
    writeln!(text, "\n{}", game.state_hash()).unwrap();
    text
}

fn write_events(text: &mut String, events: Vec<Event>) {
    for event in events {
        writeln!(text, "  {event:?}").unwrap();
    }
}

#[test]
fn games_are_told_as_they_were() {
    let content = Options {
        campaign_content: true,
        ..Options::default()
    };
    compare("standard.txt", &tell(&Options::default(), 1, 620));
    let storm = Options {
        city: City::named("cairo").unwrap(),
        city_side: CitySide::Damaged,
        scenario: Scenario::named("storm"),
        sky_set: [SkySet::Advanced; 4],
        threat: Some(2),
        ..content.clone()
    };
    compare("storm.txt", &tell(&storm, 2, 620));
    let campaign = Options {
        mode: Mode::Campaign,
        ..content
    };
    compare("campaign.txt", &tell(&campaign, 3, 120));
}

#[test]
fn a_fork_has_fresh_dice() {
    let fork = |number| {
        let table = r0().rooms(&[]);
        let viewer = Viewer::Seat(Seat(0));
        let mut chance = Chance::at_ply(Seed::from_number(number), 0);
        let mut fork = UnderFallingSkies::determinize(table.state.seen(viewer), &mut chance);
        assert_eq!(fork, table.state, "nothing is hidden in a single game");
        let mut cx = Cx::new(&mut chance, None);
        fork.apply(Seat(0), action("end_rooms"), &mut cx).unwrap();
        fork.public()
            .battle
            .clone()
            .unwrap()
            .dice
            .map(|die| die.face)
    };
    let mut rolls: Vec<_> = (0..50).map(fork).collect();
    rolls.sort_unstable();
    rolls.dedup();
    assert!(rolls.len() > 40, "{rolls:?}");
}
