//! The conformance suite, for every city, scenario and character, and for the campaign.

use std::ops::Range;

use tavola_engine::Game;
use tavola_engine::games::under_falling_skies::{
    Battle, Character, City, CitySide, DiePlace, Member, Mode, Options, Scenario, Ship, ShipPlace,
    SkySet, Space, UnderFallingSkies,
};
use tavola_engine::testing::{Report, check_game_with};

/// Nothing stands where it can't.
fn conserved(state: &UnderFallingSkies) -> Result<(), String> {
    state.public().battle.as_ref().map_or(Ok(()), sound)
}

fn sound(battle: &Battle) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("{what}: {battle:?}"));
    let places: Vec<ShipPlace> = Ship::all().map(|ship| battle.ship(ship)).collect();
    for (nth, place) in places.iter().enumerate() {
        let shared = places[..nth].contains(place);
        match place {
            ShipPlace::Sky { row, .. } if *row >= battle.mothership => {
                return wrong("a ship is under the mothership");
            }
            ShipPlace::Sky { .. } | ShipPlace::DropPoint(_) if shared => {
                return wrong("two ships share a place");
            }
            _ => {}
        }
    }
    if Ship::reds().any(|ship| battle.ship(ship) == ShipPlace::Supply) {
        return wrong("a red ship is out of play");
    }
    let mut spaces: Vec<Space> = battle.placed().map(|(_, space)| space).collect();
    spaces.extend(battle.standing_robots().map(|(_, robot)| robot.space));
    let count = spaces.len();
    spaces.sort_unstable();
    spaces.dedup();
    if spaces.len() != count {
        return wrong("two dice share a space");
    }
    if battle
        .standing_robots()
        .any(|(_, robot)| robot.space >= battle.excavator || !(1..=6).contains(&robot.value))
    {
        return wrong("a robot stands outside the base, or has no value");
    }
    if battle
        .placed()
        .filter(|&(_, space)| space >= battle.excavator)
        .count()
        > 1
    {
        return wrong("two dice lie ahead of the excavator");
    }
    if battle
        .dice
        .iter()
        .any(|die| die.place == DiePlace::Unplaced && !(1..=6).contains(&die.face))
    {
        return wrong("a die shows no face");
    }
    if battle.energy > battle.base().energy_max || battle.damage > battle.base().damage_limit {
        return wrong("a marker is off its track");
    }
    if battle.research > battle.sky.victory_space()
        || battle.excavator < battle.base().excavator_start
    {
        return wrong("a marker is off its track");
    }
    Ok(())
}

fn check(options: &Options, seeds: Range<u64>) -> Report {
    let report = check_game_with(options, 1, seeds.clone(), conserved).unwrap();
    println!("{report:?}");
    assert_eq!(report.games, seeds.end - seeds.start);
    report
}

fn content() -> Options {
    Options {
        campaign_content: true,
        ..Options::default()
    }
}

#[test]
fn every_city_on_both_sides_at_every_threat() {
    for city in City::all() {
        for city_side in [CitySide::Intact, CitySide::Damaged] {
            for threat in 0..=4 {
                let options = Options {
                    city,
                    city_side,
                    threat: Some(threat),
                    ..content()
                };
                let report = check(&options, 0..4);
                assert_eq!(report.varied, 0, "nothing is hidden in a single game");
            }
        }
    }
}

#[test]
fn every_scenario_on_every_set_of_tiles() {
    for scenario in Scenario::all() {
        for set in [SkySet::Base, SkySet::Advanced] {
            let options = Options {
                scenario: Some(scenario),
                sky_set: [set; 4],
                threat: Some(2),
                ..content()
            };
            check(&options, 0..8);
        }
    }
}

#[test]
fn every_character() {
    for id in Character::all() {
        for upgraded in [false, true] {
            let characters = vec![Member { id, upgraded }];
            check(
                &Options {
                    characters,
                    city: City::named("new_york").unwrap(),
                    ..content()
                },
                0..6,
            );
        }
    }
}

#[test]
fn teams_of_three_in_every_city() {
    for city in City::all() {
        let team =
            |first: u8| [0, 1, 2].map(|nth| Character::from_index((first + 4 * nth) % 12).unwrap());
        let characters = team(city.index() % 12)
            .map(|id| Member { id, upgraded: true })
            .to_vec();
        check(
            &Options {
                city,
                characters,
                ..content()
            },
            0..4,
        );
    }
}

#[test]
fn the_introductory_game_without_robots() {
    check(
        &Options {
            robots: false,
            city: City::named("new_york").unwrap(),
            ..Options::default()
        },
        0..30,
    );
}

#[test]
fn the_standard_game() {
    let report = check(&Options::default(), 0..200);
    assert!(report.longest_list <= UnderFallingSkies::INFO.legal_max as usize);
    assert!(report.longest_game <= 100);
}

#[test]
fn campaigns() {
    let report = check(
        &Options {
            mode: Mode::Campaign,
            ..content()
        },
        0..8,
    );
    assert!(
        report.varied > 0,
        "the sets of a second battle are hidden during the first"
    );
}
