//! Options (2): what is allowed, and what each of them does.

use tavola_engine::games::council_of_shadows::components::{Civilization, Difficulty, Numbered};
use tavola_engine::games::council_of_shadows::options::MAX_ROUNDS;
use tavola_engine::games::council_of_shadows::{
    Action, AutomaMode, CouncilOfShadows, LeaderMode, Options, ScoringTiming, StartEnergy,
};
use tavola_engine::{ActionId, Chance, Cx, Game, OptionsError, Seed};

fn new(options: &Options, seats: u8) -> Result<CouncilOfShadows, OptionsError> {
    let mut chance = Chance::at_ply(Seed::from_number(1), 0);
    CouncilOfShadows::new(options, seats, &mut Cx::new(&mut chance, None))
}

fn refused(options: Options, seats: u8, field: &str, allowed: &str) {
    let error = new(&options, seats).unwrap_err();
    assert_eq!((error.field, &*error.allowed), (field, allowed));
}

#[test]
fn all_combinations_are_legal_except_as_noted() {
    for seats in 1..=4 {
        for automa in [
            None,
            Some(AutomaMode::Off),
            Some(AutomaMode::Easy),
            Some(AutomaMode::Normal),
            Some(AutomaMode::Hard),
        ] {
            for leaders in [LeaderMode::Off, LeaderMode::Random, LeaderMode::Draft] {
                for bits in 0..16 {
                    let options = Options {
                        automa,
                        leaders,
                        stations: bits & 1 != 0,
                        open_planning: bits & 2 != 0,
                        start_energy: if bits & 4 != 0 {
                            StartEnergy::TileMinusOne
                        } else {
                            StartEnergy::TileNumber
                        },
                        scoring_timing: if bits & 8 != 0 {
                            ScoringTiming::AfterAll
                        } else {
                            ScoringTiming::PerPlayer
                        },
                        ..Options::default()
                    };
                    let plays = !matches!(automa, None | Some(AutomaMode::Off));
                    let legal = if seats == 1 {
                        automa != Some(AutomaMode::Off)
                    } else {
                        !plays || seats == 2
                    };
                    assert_eq!(new(&options, seats).is_ok(), legal, "{seats} {options:?}");
                }
            }
        }
    }
}

#[test]
fn refusals_name_the_field_and_what_is_allowed() {
    let with = |automa| Options {
        automa: Some(automa),
        ..Options::default()
    };
    refused(
        with(AutomaMode::Off),
        1,
        "automa",
        "easy, normal or hard with one human",
    );
    refused(
        with(AutomaMode::Easy),
        3,
        "automa",
        "off with more than two humans",
    );
    refused(
        with(AutomaMode::Hard),
        4,
        "automa",
        "off with more than two humans",
    );
    for max_rounds in [0, 4, 201, 255] {
        let options = Options {
            max_rounds,
            ..Options::default()
        };
        refused(options, 2, "max_rounds", "5 to 200");
    }
    for max_rounds in MAX_ROUNDS {
        let options = Options {
            max_rounds,
            ..Options::default()
        };
        assert!(new(&options, 2).is_ok());
    }
    for seats in [0, 5, 255] {
        refused(Options::default(), seats, "seats", "1 to 4");
    }
    for civilizations in [
        vec![Civilization::Avry],
        vec![Civilization::Avry; 2],
        Civilization::all().collect(),
    ] {
        let options = Options {
            civilizations,
            ..Options::default()
        };
        let allowed = "none, or 2 different ones of tretons, avry, takrill and automatos";
        refused(options, 2, "civilizations", allowed);
    }
}

#[test]
fn one_human_plays_with_the_normal_automa_by_default() {
    assert_eq!(
        new(&Options::default(), 1).unwrap().public().setup.automa,
        Some(Difficulty::Normal)
    );
    assert_eq!(
        new(&Options::default(), 2).unwrap().public().setup.automa,
        None
    );
}

#[test]
fn options_survive_a_round_trip() {
    let options = Options {
        automa: Some(AutomaMode::Hard),
        stations: true,
        leaders: LeaderMode::Draft,
        start_energy: StartEnergy::TileMinusOne,
        scoring_timing: ScoringTiming::AfterAll,
        open_planning: true,
        max_rounds: 60,
        civilizations: vec![Civilization::Takrill, Civilization::Avry],
    };
    let text = serde_json::to_string(&options).unwrap();
    assert_eq!(serde_json::from_str::<Options>(&text).unwrap(), options);
    assert_eq!(
        serde_json::from_str::<Options>("{}").unwrap(),
        Options::default()
    );
    assert!(serde_json::from_str::<Options>(r#"{"gods":true}"#).is_err());
}

/// Action ids are promises: one-to-one, in the order of actions, and never renumbered.
#[test]
fn action_ids_are_stable() {
    let mut before: Option<Action> = None;
    let mut table = String::new();
    for id in (0..CouncilOfShadows::ACTION_SPACE).map(ActionId) {
        let action = CouncilOfShadows::decode(id).unwrap();
        assert_eq!(CouncilOfShadows::encode(action), id);
        assert!(
            before.is_none_or(|before| before < action),
            "{before:?} {action:?}"
        );
        before = Some(action);
        table.push_str(&format!("{id} {}\n", crate::scenario::said(action)));
    }
    assert_eq!(
        CouncilOfShadows::decode(ActionId(CouncilOfShadows::ACTION_SPACE)),
        None
    );
    let written = include_str!("action_ids.txt");
    assert!(table == written, "the table of action ids has changed");
}
