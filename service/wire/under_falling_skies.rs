//! Under Falling Skies on the wire.

mod action;
mod campaign;
mod event;
mod names;
mod options;
mod sky;
mod table;

use tavola_engine::{
    Seen,
    games::under_falling_skies::{Action, Event, Options, Threat, UnderFallingSkies},
};

use self::{
    action::{read_action, write_action},
    event::write_event,
    names::{character_to_pb, city_to_pb, scenario_to_pb},
    options::{read_options, write_options},
    table::public_to_pb,
};
use super::{Allowed, OptionEntry, Wire};
use crate::{
    error::Violation,
    pb::{under_falling_skies::v1 as game, v1 as pb},
};

impl Wire for UnderFallingSkies {
    const OPTIONS: &'static [OptionEntry] = &[
        OptionEntry {
            name: "mode",
            description: "A single battle, or a campaign, which needs campaign_content and takes no other option.",
            default: "MODE_SINGLE",
            allowed: Allowed::Values(&["MODE_SINGLE", "MODE_CAMPAIGN"]),
        },
        OptionEntry {
            name: "city",
            description: "The city to defend. Those after the first three need campaign_content.",
            default: "CITY_ROSWELL",
            allowed: Allowed::Values(&[
                "CITY_ROSWELL",
                "CITY_NEW_YORK",
                "CITY_WASHINGTON_DC",
                "CITY_HAVANA",
                "CITY_MEXICO_CITY",
                "CITY_MONTREAL",
                "CITY_RIO_DE_JANEIRO",
                "CITY_CAIRO",
                "CITY_JOHANNESBURG",
                "CITY_LONDON",
                "CITY_MOSCOW",
                "CITY_PARIS",
                "CITY_BEIJING",
                "CITY_SEOUL",
                "CITY_SINGAPORE",
                "CITY_SYDNEY",
                "CITY_TOKYO",
            ]),
        },
        OptionEntry {
            name: "city_side",
            description: "Which side of the city is up.",
            default: "CITY_SIDE_INTACT",
            allowed: Allowed::Values(&["CITY_SIDE_INTACT", "CITY_SIDE_DAMAGED"]),
        },
        OptionEntry {
            name: "threat",
            description: "How many sky tiles, drawn at random, lie on the dangerous side.",
            default: "1, or as many as sky_sides has",
            allowed: Allowed::Range(0, Threat::MAX as i64),
        },
        OptionEntry {
            name: "sky_sides",
            description: "Which side of the sky tiles of levels 1 to 4 is up: four values, or none.",
            default: "drawn at random",
            allowed: Allowed::Values(&["SKY_SIDE_EASY", "SKY_SIDE_DANGEROUS"]),
        },
        OptionEntry {
            name: "robots",
            description: "Whether the blue dice are used.",
            default: "true",
            allowed: Allowed::Values(&["true", "false"]),
        },
        OptionEntry {
            name: "campaign_content",
            description: "Whether cities, sky tiles, characters and scenarios of the campaign may be used.",
            default: "false",
            allowed: Allowed::Values(&["true", "false"]),
        },
        OptionEntry {
            name: "sky_set",
            description: "Which sky tiles of levels 1 to 4 are used: four values, or none.",
            default: "SKY_SET_BASE at every level",
            allowed: Allowed::Values(&["SKY_SET_BASE", "SKY_SET_ADVANCED"]),
        },
        OptionEntry {
            name: "characters",
            description: "Up to three characters, all different; each of them {character, upgraded}.",
            default: "none",
            allowed: Allowed::Values(&[
                "CHARACTER_CLINTON_HARPER",
                "CHARACTER_LUCIA_ORTEGA",
                "CHARACTER_JACKSON_MOSS",
                "CHARACTER_SAMANTHA_LEGRAND",
                "CHARACTER_JAROSLAV_RUZICKA",
                "CHARACTER_KARIMA_ALMASI",
                "CHARACTER_PIETER_BERNSTEIN",
                "CHARACTER_SHANTI_AUMANN",
                "CHARACTER_ARCHIE_BELL",
                "CHARACTER_IZ_OX",
                "CHARACTER_JANG_CHANWOOK",
                "CHARACTER_WANG_LIN",
            ]),
        },
        OptionEntry {
            name: "scenario",
            description: "The scenario, if any.",
            default: "none",
            allowed: Allowed::Values(&[
                "SCENARIO_BATTLE_FOR_THE_SKY",
                "SCENARIO_EVACUATION",
                "SCENARIO_REINFORCEMENTS",
                "SCENARIO_SATELLITES",
                "SCENARIO_DANGEROUS_RESEARCH",
                "SCENARIO_COMMAND_SHIP",
                "SCENARIO_REACTOR_LEAK",
                "SCENARIO_REPAIRING_THE_BASE",
                "SCENARIO_CONTAMINATION",
                "SCENARIO_KAMIKAZE_SHIPS",
                "SCENARIO_SABOTEUR",
                "SCENARIO_STORM",
                "SCENARIO_THE_FINAL_BATTLE",
            ]),
        },
    ];

    fn options_from_pb(options: pb::Options) -> Result<Options, Violation> {
        match options.game {
            Some(pb::options::Game::UnderFallingSkies(options)) => read_options(&options),
            _ => Ok(Options::default()),
        }
    }

    fn options_to_pb(options: &Options) -> pb::Options {
        let options = write_options(options);
        pb::Options {
            game: Some(pb::options::Game::UnderFallingSkies(options)),
        }
    }

    fn action_from_pb(action: &pb::Action) -> Result<Action, Violation> {
        match &action.game {
            Some(pb::action::Game::UnderFallingSkies(action)) => read_action(action),
            _ => Err(Violation::new(
                "under_falling_skies",
                "is required, because that is the game of the session",
            )),
        }
    }

    fn action_to_pb(action: Action) -> pb::Action {
        let kind = Some(write_action(action));
        pb::Action {
            game: Some(pb::action::Game::UnderFallingSkies(game::Action { kind })),
        }
    }

    fn observation_to_pb(seen: Seen<'_, Self>) -> pb::Observation {
        let seen = public_to_pb(seen.public);
        pb::Observation {
            game: Some(pb::observation::Game::UnderFallingSkies(Box::new(seen))),
        }
    }

    fn state_to_pb(&self) -> pb::State {
        let later = self.later_sets();
        let state = game::State {
            table: Some(public_to_pb(tavola_engine::Game::public(self))),
            later_sets: later.map(|later| game::LaterSets {
                cities: later.cities.iter().copied().map(city_to_pb).collect(),
                scenarios: later.scenarios.into_iter().map(scenario_to_pb).collect(),
                characters: later.characters.into_iter().map(character_to_pb).collect(),
            }),
        };
        pb::State {
            game: Some(pb::state::Game::UnderFallingSkies(Box::new(state))),
        }
    }

    fn event_to_pb(event: &Event) -> pb::Event {
        let kind = Some(write_event(event));
        pb::Event {
            game: Some(pb::event::Game::UnderFallingSkies(game::Event { kind })),
        }
    }
}

#[cfg(test)]
mod tests {
    use tavola_engine::{
        ActionId, Game as _,
        games::under_falling_skies::{Character, City, CitySide, Member, Mode, Scenario, SkySet},
    };

    use super::*;

    #[test]
    fn every_action_reads_as_it_was_written() {
        for id in (0..UnderFallingSkies::ACTION_SPACE).map(ActionId) {
            let action = UnderFallingSkies::decode(id).expect("ids are dense");
            let written = UnderFallingSkies::action_to_pb(action);
            assert_eq!(
                UnderFallingSkies::action_from_pb(&written),
                Ok(action),
                "id {id}"
            );
        }
    }

    /// The first id of each message is in its comment.
    #[test]
    fn the_ids_are_those_of_the_comments() {
        let first = |kind: fn(&game::action::Kind) -> bool| {
            (0..UnderFallingSkies::ACTION_SPACE).find(|&id| {
                let action = UnderFallingSkies::decode(ActionId(id)).expect("ids are dense");
                kind(&write_action(action))
            })
        };
        use game::action::Kind;
        assert_eq!(first(|kind| matches!(kind, Kind::RerollAll(_))), Some(150));
        assert_eq!(first(|kind| matches!(kind, Kind::AdjustDie(_))), Some(151));
        assert_eq!(first(|kind| matches!(kind, Kind::DragNext(_))), Some(161));
        assert_eq!(first(|kind| matches!(kind, Kind::Reroll(_))), Some(162));
        assert_eq!(first(|kind| matches!(kind, Kind::KeepDice(_))), Some(163));
        assert_eq!(
            first(|kind| matches!(kind, Kind::ResolveRoom(_))),
            Some(164)
        );
        assert_eq!(
            first(|kind| matches!(kind, Kind::InstallRobot(_))),
            Some(824)
        );
        assert_eq!(first(|kind| matches!(kind, Kind::Excavate(_))), Some(854));
        assert_eq!(
            first(|kind| matches!(kind, Kind::RemoveRobot(_))),
            Some(855)
        );
        assert_eq!(first(|kind| matches!(kind, Kind::TapTunnel(_))), Some(857));
        assert_eq!(first(|kind| matches!(kind, Kind::Repair(_))), Some(887));
        assert_eq!(first(|kind| matches!(kind, Kind::Repel(_))), Some(900));
        assert_eq!(first(|kind| matches!(kind, Kind::Evacuate(_))), Some(910));
        assert_eq!(first(|kind| matches!(kind, Kind::EndRooms(_))), Some(940));
        assert_eq!(
            first(|kind| matches!(kind, Kind::IgnoreAction(_))),
            Some(941)
        );
        assert_eq!(first(|kind| matches!(kind, Kind::Spawn(_))), Some(943));
        assert_eq!(first(|kind| matches!(kind, Kind::ChooseSet(_))), Some(948));
        assert_eq!(
            first(|kind| matches!(kind, Kind::ChooseElites(_))),
            Some(952)
        );
        assert_eq!(
            first(|kind| matches!(kind, Kind::ChooseCity(_))),
            Some(1030)
        );
        assert_eq!(
            first(|kind| matches!(kind, Kind::ChooseTeam(_))),
            Some(1047)
        );
        assert_eq!(
            first(|kind| matches!(kind, Kind::ChooseDifficulty(_))),
            Some(1267)
        );
        assert_eq!(UnderFallingSkies::ACTION_SPACE, 1347);
    }

    #[test]
    fn enums_name_the_rows_of_the_tables() {
        let named = |prefix: &str, name: &str, id: &str| {
            assert_eq!(name, format!("{prefix}_{}", id.to_uppercase()))
        };
        for city in City::all() {
            let name = game::City::try_from(city_to_pb(city)).expect("every city has a value");
            named("CITY", name.as_str_name(), &city.tile().id);
        }
        for character in Character::all() {
            let name = game::Character::try_from(character_to_pb(character))
                .expect("every character has a value");
            named("CHARACTER", name.as_str_name(), &character.sheet().id);
        }
        for scenario in Scenario::all() {
            let name = game::Scenario::try_from(scenario_to_pb(scenario))
                .expect("every scenario has a value");
            named("SCENARIO", name.as_str_name(), &scenario.sheet().id);
        }
        assert!(game::City::try_from(i32::from(City::COUNT) + 1).is_err());
        assert!(game::Character::try_from(i32::from(Character::COUNT) + 1).is_err());
        assert!(game::Scenario::try_from(i32::from(Scenario::COUNT) + 1).is_err());
    }

    #[test]
    fn options_read_as_they_were_written() {
        let single = Options {
            city: City::named("tokyo").expect("it is there"),
            city_side: CitySide::Damaged,
            threat: Some(2),
            sky_sides: Some([true, false, false, true]),
            robots: false,
            campaign_content: true,
            sky_set: [
                SkySet::Advanced,
                SkySet::Base,
                SkySet::Base,
                SkySet::Advanced,
            ],
            characters: vec![Member {
                id: Character::named("iz_ox").expect("it is there"),
                upgraded: true,
            }],
            scenario: Scenario::named("storm"),
            mode: Mode::Single,
        };
        let campaign = Options {
            mode: Mode::Campaign,
            campaign_content: true,
            ..Options::default()
        };
        for options in [single, campaign] {
            let written = UnderFallingSkies::options_to_pb(&options);
            assert_eq!(UnderFallingSkies::options_from_pb(written), Ok(options));
        }
        // The threat is filled in.
        let filled = UnderFallingSkies::options_from_pb(UnderFallingSkies::options_to_pb(
            &Options::default(),
        ));
        assert_eq!(
            filled,
            Ok(Options {
                threat: Some(1),
                ..Options::default()
            })
        );
    }

    #[test]
    fn what_is_out_of_range_is_named() {
        let refused = |kind| {
            let action = game::Action { kind };
            let action = pb::Action {
                game: Some(pb::action::Game::UnderFallingSkies(action)),
            };
            UnderFallingSkies::action_from_pb(&action)
                .expect_err("it is out of range")
                .field
        };
        use game::action::Kind;
        let place = Kind::PlaceDie(game::PlaceDie {
            die: Some(5),
            space: Some(0),
        });
        assert_eq!(refused(Some(place)), "under_falling_skies.place_die.die");
        let place = Kind::PlaceDie(game::PlaceDie {
            die: Some(0),
            space: Some(30),
        });
        assert_eq!(refused(Some(place)), "under_falling_skies.place_die.space");
        let adjust = Kind::AdjustDie(game::AdjustDie {
            die: Some(0),
            delta: 0,
        });
        assert_eq!(
            refused(Some(adjust)),
            "under_falling_skies.adjust_die.delta"
        );
        let both = Kind::ResolveRoom(game::ResolveRoom {
            space: Some(5),
            steps: Some(1),
            reuse: Some(0),
        });
        assert_eq!(
            refused(Some(both)),
            "under_falling_skies.resolve_room.reuse"
        );
        let twice = Kind::ChooseTeam(game::ChooseTeam {
            characters: vec![1, 1, 2],
        });
        assert_eq!(
            refused(Some(twice)),
            "under_falling_skies.choose_team.characters"
        );
        let levels = |levels: &[u32]| {
            Kind::ChooseDifficulty(game::ChooseDifficulty {
                threat: Some(0),
                advanced_levels: levels.to_vec(),
            })
        };
        for wrong in [&[0][..], &[5], &[1, 1], &[300]] {
            assert_eq!(
                refused(Some(levels(wrong))),
                "under_falling_skies.choose_difficulty.advanced_levels"
            );
        }
        assert_eq!(refused(None), "under_falling_skies.kind");
    }
}
