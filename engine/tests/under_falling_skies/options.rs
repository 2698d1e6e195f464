//! Options (section 2).

use tavola_engine::games::under_falling_skies::{
    City, CitySide, Member, Mode, Options, Scenario, SkySet, UnderFallingSkies,
};
use tavola_engine::{Chance, Cx, Game};

use crate::scenario::{ANY_ROLL, character, start};

/// The field at fault, and what would be allowed.
fn refused(options: &Options, seats: u8) -> (&'static str, String) {
    let mut chance = Chance::scripted([]);
    let error =
        UnderFallingSkies::new(options, seats, &mut Cx::new(&mut chance, None)).unwrap_err();
    (error.field, error.allowed.into_owned())
}

fn base() -> Options {
    Options::default()
}

fn content() -> Options {
    Options {
        campaign_content: true,
        ..base()
    }
}

#[test]
fn the_default_is_the_standard_game() {
    let options = base();
    assert_eq!(
        (options.city, options.threat(), options.robots),
        (City::named("roswell").unwrap(), 1, true)
    );
    let table = start(&options, &[&[3, 2, 1][..], &ANY_ROLL].concat());
    assert_eq!(table.battle().sky.threat(), 1);
}

#[test]
fn options_read_as_they_were_written() {
    let options = Options {
        city: City::named("tokyo").unwrap(),
        city_side: CitySide::Damaged,
        sky_sides: Some([true, false, false, true]),
        characters: vec![Member {
            id: character("iz_ox"),
            upgraded: true,
        }],
        scenario: Scenario::named("storm"),
        sky_set: [SkySet::Advanced; 4],
        ..content()
    };
    let text = serde_json::to_string(&options).unwrap();
    assert!(
        text.contains("\"tokyo\"") && text.contains("\"iz_ox\"") && text.contains("\"storm\""),
        "{text}"
    );
    assert_eq!(serde_json::from_str::<Options>(&text).unwrap(), options);
    assert_eq!(serde_json::from_str::<Options>("{}").unwrap(), base());
    assert!(serde_json::from_str::<Options>(r#"{"city": "atlantis"}"#).is_err());
    assert!(serde_json::from_str::<Options>(r#"{"scenario": "peace"}"#).is_err());
    assert!(serde_json::from_str::<Options>(r#"{"characters": [{"id": "nobody"}]}"#).is_err());
}

#[test]
fn one_player() {
    assert_eq!(refused(&base(), 2), ("seats", "1".into()));
    assert_eq!(refused(&base(), 0), ("seats", "1".into()));
}

#[test]
fn the_threat_is_0_to_4_and_agrees_with_the_sides() {
    assert_eq!(
        refused(
            &Options {
                threat: Some(5),
                ..base()
            },
            1
        ),
        ("threat", "0 to 4".into())
    );
    let sky_sides = Some([true, false, true, false]);
    let given = |threat| Options {
        sky_sides,
        threat,
        ..base()
    };
    assert_eq!(refused(&given(Some(1)), 1).0, "threat");
    for threat in [None, Some(2)] {
        let table = start(&given(threat), &ANY_ROLL);
        assert_eq!(table.battle().sky.threat(), 2);
        assert_eq!(
            table.battle().sky.tiles.map(|(_, side)| side as u8),
            [1, 0, 1, 0]
        );
    }
}

#[test]
fn threats_0_and_4_draw_nothing() {
    for threat in [0, 4] {
        assert_eq!(
            start(
                &Options {
                    threat: Some(threat),
                    ..base()
                },
                &ANY_ROLL
            )
            .battle()
            .sky
            .threat(),
            threat
        );
    }
}

#[test]
fn the_base_game_has_no_content_of_the_campaign() {
    let havana = Options {
        city: City::named("havana").unwrap(),
        ..base()
    };
    let (field, allowed) = refused(&havana, 1);
    assert_eq!(field, "city");
    assert!(
        allowed.contains("roswell, new_york, washington_dc"),
        "{allowed}"
    );
    let advanced = [SkySet::Base, SkySet::Advanced, SkySet::Base, SkySet::Base];
    assert_eq!(
        refused(
            &Options {
                sky_set: advanced,
                ..base()
            },
            1
        )
        .0,
        "sky_set"
    );
    let characters = vec![Member {
        id: character("wang_lin"),
        upgraded: false,
    }];
    assert_eq!(
        refused(
            &Options {
                characters,
                ..base()
            },
            1
        )
        .0,
        "characters"
    );
    assert_eq!(
        refused(
            &Options {
                scenario: Scenario::named("storm"),
                ..base()
            },
            1
        )
        .0,
        "scenario"
    );
    for city in ["new_york", "washington_dc"] {
        start(
            &Options {
                city: City::named(city).unwrap(),
                threat: Some(0),
                ..base()
            },
            &ANY_ROLL,
        );
    }
}

#[test]
fn up_to_three_characters_all_different() {
    let team = |ids: &[&str]| Options {
        characters: ids
            .iter()
            .map(|id| Member {
                id: character(id),
                upgraded: false,
            })
            .collect(),
        threat: Some(0),
        ..content()
    };
    assert_eq!(
        refused(&team(&["wang_lin", "iz_ox", "wang_lin"]), 1).0,
        "characters"
    );
    let four = team(&["wang_lin", "iz_ox", "archie_bell", "lucia_ortega"]);
    assert_eq!(
        refused(&four, 1),
        ("characters", "0 to 3, all different".into())
    );
    assert_eq!(
        start(&team(&["wang_lin", "iz_ox", "archie_bell"]), &ANY_ROLL)
            .battle()
            .team
            .len(),
        3
    );
}

#[test]
fn a_campaign_takes_no_other_option() {
    let campaign = Options {
        mode: Mode::Campaign,
        ..content()
    };
    assert_eq!(
        refused(
            &Options {
                campaign_content: false,
                ..campaign.clone()
            },
            1
        )
        .0,
        "campaign_content"
    );
    let others = [
        (
            "city",
            Options {
                city: City::named("tokyo").unwrap(),
                ..campaign.clone()
            },
        ),
        (
            "city_side",
            Options {
                city_side: CitySide::Damaged,
                ..campaign.clone()
            },
        ),
        (
            "threat",
            Options {
                threat: Some(1),
                ..campaign.clone()
            },
        ),
        (
            "sky_sides",
            Options {
                sky_sides: Some([false; 4]),
                ..campaign.clone()
            },
        ),
        (
            "robots",
            Options {
                robots: false,
                ..campaign.clone()
            },
        ),
        (
            "sky_set",
            Options {
                sky_set: [SkySet::Advanced; 4],
                ..campaign.clone()
            },
        ),
        (
            "characters",
            Options {
                characters: vec![Member {
                    id: character("iz_ox"),
                    upgraded: false,
                }],
                ..campaign.clone()
            },
        ),
        (
            "scenario",
            Options {
                scenario: Scenario::named("storm"),
                ..campaign.clone()
            },
        ),
    ];
    for (field, options) in others {
        assert_eq!(refused(&options, 1).0, field);
    }
}

#[test]
fn without_robots_robot_rooms_are_not_resolved() {
    let options = Options {
        robots: false,
        city: City::named("new_york").unwrap(),
        threat: Some(0),
        ..base()
    };
    let table = start(&options, &ANY_ROLL).rooms(&[(6, 5)]);
    assert!(table.ways("c_t_robot_1").is_empty());
    table.refuses("resolve_room p5", "the game is played without robots (7.3)");
}
