//! Under Falling Skies on the wire.

use tavola_engine::{
    Seen,
    games::under_falling_skies::{
        Action, Battle, BattleEnd, BattleResult, Campaign, CampaignStage, Character, CharacterSet,
        City, CitySide, Column, Delta, Die, DiePlace, Direction, Drag, Elites, EndReason, Event,
        FinalTeam, HeldCity, How, Levels, Member, Mode, Options, Public, RepairSource, Robot,
        RobotDie, RoomKind, RowAction, Scenario, SetNumber, SetOffer, Ship, ShipCause, ShipColor,
        ShipPlace, Sky, SkySet, SkySide, Space, Stage, Steps, Threat, UnderFallingSkies,
        tables::{Cell, GateColor, Room},
    },
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
        let defaults = Options::default();
        let Some(pb::options::Game::UnderFallingSkies(options)) = options.game else {
            return Ok(defaults);
        };
        let field = |name: &'static str, allowed: &'static str| {
            Violation::new(format!("under_falling_skies.{name}"), allowed)
        };
        Ok(Options {
            mode: match game::Mode::try_from(options.mode) {
                Ok(game::Mode::Unspecified) => defaults.mode,
                Ok(game::Mode::Single) => Mode::Single,
                Ok(game::Mode::Campaign) => Mode::Campaign,
                Err(_) => return Err(field("mode", "is MODE_SINGLE or MODE_CAMPAIGN")),
            },
            city: match options.city {
                0 => defaults.city,
                city => numbered(city, City::from_index).ok_or(field("city", "is a city"))?,
            },
            city_side: match game::CitySide::try_from(options.city_side) {
                Ok(game::CitySide::Unspecified) => defaults.city_side,
                Ok(game::CitySide::Intact) => CitySide::Intact,
                Ok(game::CitySide::Damaged) => CitySide::Damaged,
                Err(_) => {
                    return Err(field(
                        "city_side",
                        "is CITY_SIDE_INTACT or CITY_SIDE_DAMAGED",
                    ));
                }
            },
            threat: match options.threat.map(u8::try_from) {
                None => None,
                Some(Ok(threat)) => Some(threat),
                Some(Err(_)) => return Err(field("threat", "is 0 to 4")),
            },
            sky_sides: match options.sky_sides.as_slice() {
                [] => None,
                sides => Some(
                    four(sides, |side| match game::SkySide::try_from(side) {
                        Ok(game::SkySide::Easy) => Some(false),
                        Ok(game::SkySide::Dangerous) => Some(true),
                        Ok(game::SkySide::Unspecified) | Err(_) => None,
                    })
                    .ok_or(field(
                        "sky_sides",
                        "is none or four of SKY_SIDE_EASY, SKY_SIDE_DANGEROUS",
                    ))?,
                ),
            },
            robots: options.robots.unwrap_or(defaults.robots),
            campaign_content: options.campaign_content,
            sky_set: match options.sky_set.as_slice() {
                [] => defaults.sky_set,
                sets => four(sets, |set| match game::SkySet::try_from(set) {
                    Ok(game::SkySet::Base) => Some(SkySet::Base),
                    Ok(game::SkySet::Advanced) => Some(SkySet::Advanced),
                    Ok(game::SkySet::Unspecified) | Err(_) => None,
                })
                .ok_or(field(
                    "sky_set",
                    "is none or four of SKY_SET_BASE, SKY_SET_ADVANCED",
                ))?,
            },
            characters: options
                .characters
                .iter()
                .map(|member| {
                    let id = numbered(member.character, Character::from_index)?;
                    Some(Member {
                        id,
                        upgraded: member.upgraded,
                    })
                })
                .collect::<Option<_>>()
                .ok_or(field("characters", "is up to three characters"))?,
            scenario: match options.scenario {
                0 => None,
                scenario => Some(
                    numbered(scenario, Scenario::from_index)
                        .ok_or(field("scenario", "is a scenario"))?,
                ),
            },
        })
    }

    fn options_to_pb(options: &Options) -> pb::Options {
        // A campaign takes no other option: none is filled in.
        let is_single = options.mode == Mode::Single;
        let sides = options.sky_sides.iter().flatten();
        let options = game::Options {
            mode: match options.mode {
                Mode::Single => game::Mode::Single,
                Mode::Campaign => game::Mode::Campaign,
            }
            .into(),
            city: city_to_pb(options.city),
            city_side: city_side_to_pb(options.city_side),
            threat: is_single.then(|| options.threat().into()),
            sky_sides: sides
                .map(|&dangerous| {
                    sky_side_to_pb(if dangerous {
                        SkySide::Dangerous
                    } else {
                        SkySide::Easy
                    })
                })
                .collect(),
            robots: Some(options.robots),
            campaign_content: options.campaign_content,
            sky_set: options.sky_set.into_iter().map(sky_set_to_pb).collect(),
            characters: options.characters.iter().map(member_to_pb).collect(),
            scenario: options.scenario.map_or(0, scenario_to_pb),
        };
        pb::Options {
            game: Some(pb::options::Game::UnderFallingSkies(options)),
        }
    }

    fn action_from_pb(action: &pb::Action) -> Result<Action, Violation> {
        let Some(pb::action::Game::UnderFallingSkies(action)) = &action.game else {
            return Err(Violation::new(
                "under_falling_skies",
                "is required, because that is the game of the session",
            ));
        };
        action_kind_from_pb(action.kind.as_ref()).map_err(|(field, allowed)| {
            Violation::new(format!("under_falling_skies.{field}"), allowed)
        })
    }

    fn action_to_pb(action: Action) -> pb::Action {
        let action = game::Action {
            kind: Some(action_kind_to_pb(action)),
        };
        pb::Action {
            game: Some(pb::action::Game::UnderFallingSkies(action)),
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
        let event = game::Event {
            kind: Some(event_kind_to_pb(event)),
        };
        pb::Event {
            game: Some(pb::event::Game::UnderFallingSkies(event)),
        }
    }
}

// === actions

/// A field of an action and what is allowed there.
type Fault = (&'static str, &'static str);

fn action_kind_from_pb(kind: Option<&game::action::Kind>) -> Result<Action, Fault> {
    use game::action::Kind;
    Ok(match kind {
        Some(Kind::PlaceDie(place)) => Action::PlaceDie {
            die: die(place.die, "place_die.die")?,
            space: space(place.space, "place_die.space")?,
        },
        Some(Kind::RerollAll(game::RerollAll {})) => Action::RerollAll,
        Some(Kind::AdjustDie(adjust)) => Action::AdjustDie {
            die: die(adjust.die, "adjust_die.die")?,
            delta: match adjust.delta {
                -1 => Delta::Down,
                1 => Delta::Up,
                _ => return Err(("adjust_die.delta", "is -1 or 1")),
            },
        },
        Some(Kind::DragNext(game::DragNext {})) => Action::DragNext,
        Some(Kind::Reroll(game::Reroll {})) => Action::Reroll,
        Some(Kind::KeepDice(game::KeepDice {})) => Action::KeepDice,
        Some(Kind::ResolveRoom(resolve)) => Action::ResolveRoom {
            room: space(resolve.space, "resolve_room.space")?,
            how: how(resolve)?,
        },
        Some(Kind::InstallRobot(install)) => Action::InstallRobot {
            space: space(install.space, "install_robot.space")?,
        },
        Some(Kind::Excavate(game::Excavate {})) => Action::Excavate,
        Some(Kind::RemoveRobot(remove)) => Action::RemoveRobot {
            robot: robot(remove.robot, "remove_robot.robot")?,
        },
        Some(Kind::TapTunnel(tap)) => Action::TapTunnel {
            space: space(tap.space, "tap_tunnel.space")?,
        },
        Some(Kind::Repair(repair)) => Action::Repair {
            source: match repair.character {
                0 => RepairSource::Scenario,
                character => numbered(character, Character::from_index)
                    .map(RepairSource::Character)
                    .ok_or(("repair.character", "is unset, or a character"))?,
            },
        },
        Some(Kind::Repel(repel)) => Action::Repel {
            ship: indexed(repel.ship, Ship::from_index)
                .ok_or(("repel.ship", "is a ship from 0 to 9"))?,
        },
        Some(Kind::Evacuate(evacuate)) => Action::Evacuate {
            space: space(evacuate.space, "evacuate.space")?,
        },
        Some(Kind::EndRooms(game::EndRooms {})) => Action::EndRooms,
        Some(Kind::IgnoreAction(answer)) => Action::IgnoreAction {
            ignore: answer
                .ignore
                .ok_or(("ignore_action.ignore", "is true or false"))?,
        },
        Some(Kind::Spawn(spawn)) => Action::Spawn {
            column: indexed(spawn.column, Column::from_index)
                .ok_or(("spawn.column", "is a column from 0 to 4"))?,
        },
        Some(Kind::ChooseSet(choose)) => Action::ChooseSet {
            set: indexed(Some(choose.set), SetNumber::new)
                .ok_or(("choose_set.set", "is a set from 1 to 4"))?,
        },
        Some(Kind::ChooseElites(choose)) => Action::ChooseElites {
            elites: characters(&choose.characters)
                .and_then(Elites::new)
                .ok_or((
                    "choose_elites.characters",
                    "is one or two different characters",
                ))?,
        },
        Some(Kind::ChooseCity(choose)) => Action::ChooseCity {
            city: numbered(choose.city, City::from_index)
                .ok_or(("choose_city.city", "is a city"))?,
        },
        Some(Kind::ChooseTeam(choose)) => Action::ChooseTeam {
            team: characters(&choose.characters)
                .and_then(FinalTeam::new)
                .ok_or(("choose_team.characters", "is three different characters"))?,
        },
        Some(Kind::ChooseDifficulty(choose)) => Action::ChooseDifficulty {
            threat: indexed(choose.threat, Threat::new)
                .ok_or(("choose_difficulty.threat", "is 0 to 4"))?,
            advanced: levels(&choose.advanced_levels).ok_or((
                "choose_difficulty.advanced_levels",
                "is different levels from 1 to 4",
            ))?,
        },
        None => return Err(("kind", "is one of the actions of the game")),
    })
}

fn action_kind_to_pb(action: Action) -> game::action::Kind {
    use game::action::Kind;
    match action {
        Action::PlaceDie { die, space } => Kind::PlaceDie(game::PlaceDie {
            die: Some(die.index().into()),
            space: Some(space.index().into()),
        }),
        Action::RerollAll => Kind::RerollAll(game::RerollAll {}),
        Action::AdjustDie { die, delta } => Kind::AdjustDie(game::AdjustDie {
            die: Some(die.index().into()),
            delta: match delta {
                Delta::Down => -1,
                Delta::Up => 1,
            },
        }),
        Action::DragNext => Kind::DragNext(game::DragNext {}),
        Action::Reroll => Kind::Reroll(game::Reroll {}),
        Action::KeepDice => Kind::KeepDice(game::KeepDice {}),
        Action::ResolveRoom { room, how } => Kind::ResolveRoom(game::ResolveRoom {
            space: Some(room.index().into()),
            steps: match how {
                How::Steps(steps) => Some(steps.get().into()),
                How::Plain | How::Reuse(_) => None,
            },
            reuse: match how {
                How::Reuse(robot) => Some(robot.index().into()),
                How::Plain | How::Steps(_) => None,
            },
        }),
        Action::InstallRobot { space } => Kind::InstallRobot(game::InstallRobot {
            space: Some(space.index().into()),
        }),
        Action::Excavate => Kind::Excavate(game::Excavate {}),
        Action::RemoveRobot { robot } => Kind::RemoveRobot(game::RemoveRobot {
            robot: Some(robot.index().into()),
        }),
        Action::TapTunnel { space } => Kind::TapTunnel(game::TapTunnel {
            space: Some(space.index().into()),
        }),
        Action::Repair { source } => Kind::Repair(game::Repair {
            character: match source {
                RepairSource::Character(character) => character_to_pb(character),
                RepairSource::Scenario => 0,
            },
        }),
        Action::Repel { ship } => Kind::Repel(game::Repel {
            ship: Some(ship.index().into()),
        }),
        Action::Evacuate { space } => Kind::Evacuate(game::Evacuate {
            space: Some(space.index().into()),
        }),
        Action::EndRooms => Kind::EndRooms(game::EndRooms {}),
        Action::IgnoreAction { ignore } => Kind::IgnoreAction(game::IgnoreAction {
            ignore: Some(ignore),
        }),
        Action::Spawn { column } => Kind::Spawn(game::Spawn {
            column: Some(column.index().into()),
        }),
        Action::ChooseSet { set } => Kind::ChooseSet(game::ChooseSet {
            set: set.get().into(),
        }),
        Action::ChooseElites { elites } => Kind::ChooseElites(game::ChooseElites {
            characters: elites.characters().iter().map(character_to_pb).collect(),
        }),
        Action::ChooseCity { city } => Kind::ChooseCity(game::ChooseCity {
            city: city_to_pb(city),
        }),
        Action::ChooseTeam { team } => Kind::ChooseTeam(game::ChooseTeam {
            characters: team.characters().iter().map(character_to_pb).collect(),
        }),
        Action::ChooseDifficulty { threat, advanced } => {
            Kind::ChooseDifficulty(game::ChooseDifficulty {
                threat: Some(threat.get().into()),
                advanced_levels: levels_to_pb(advanced),
            })
        }
    }
}

fn how(resolve: &game::ResolveRoom) -> Result<How, Fault> {
    match (resolve.steps, resolve.reuse) {
        (None, None) => Ok(How::Plain),
        (Some(steps), None) => indexed(Some(steps), Steps::new)
            .map(How::Steps)
            .ok_or(("resolve_room.steps", "is 0 to 18")),
        (None, Some(_)) => Ok(How::Reuse(robot(resolve.reuse, "resolve_room.reuse")?)),
        (Some(_), Some(_)) => Err(("resolve_room.reuse", "is unset where steps is set")),
    }
}

fn die(number: Option<u32>, field: &'static str) -> Result<Die, Fault> {
    indexed(number, Die::from_index).ok_or((field, "is a worker die from 0 to 4"))
}

fn space(number: Option<u32>, field: &'static str) -> Result<Space, Fault> {
    indexed(number, Space::from_index).ok_or((field, "is a space from 0 to 29"))
}

fn robot(number: Option<u32>, field: &'static str) -> Result<RobotDie, Fault> {
    indexed(number, RobotDie::from_index).ok_or((field, "is a robot, 0 or 1"))
}

/// Characters, all different.
fn characters(list: &[i32]) -> Option<CharacterSet> {
    let set: CharacterSet = list
        .iter()
        .map(|&character| numbered(character, Character::from_index))
        .collect::<Option<Vec<_>>>()?
        .into_iter()
        .collect();
    (set.len() as usize == list.len()).then_some(set)
}

/// Levels, all different.
fn levels(list: &[u32]) -> Option<Levels> {
    let mut bits = 0;
    for &level in list {
        let bit = u8::try_from(level.checked_sub(1)?).ok()?;
        bits |= 1_u8.checked_shl(bit.into())?;
    }
    let levels = Levels::from_bits(bits)?;
    (levels.iter().count() == list.len()).then_some(levels)
}

/// What a number from outside names.
fn indexed<T>(number: Option<u32>, named: impl Fn(u8) -> Option<T>) -> Option<T> {
    named(u8::try_from(number?).ok()?)
}

/// What the number of an enum names: 1 is the first.
fn numbered<T>(number: i32, named: impl Fn(u8) -> Option<T>) -> Option<T> {
    named(u8::try_from(number.checked_sub(1)?).ok()?)
}

/// One for each of the four levels.
fn four<T>(list: &[i32], read: impl Fn(i32) -> Option<T>) -> Option<[T; 4]> {
    let list: Vec<T> = list
        .iter()
        .map(|&value| read(value))
        .collect::<Option<_>>()?;
    list.try_into().ok()
}

// === the names of things: enums of the protos begin at 1

fn city_to_pb(city: City) -> i32 {
    i32::from(city.index()) + 1
}

fn character_to_pb(character: Character) -> i32 {
    i32::from(character.index()) + 1
}

fn scenario_to_pb(scenario: Scenario) -> i32 {
    i32::from(scenario.index()) + 1
}

fn city_side_to_pb(side: CitySide) -> i32 {
    match side {
        CitySide::Intact => game::CitySide::Intact,
        CitySide::Damaged => game::CitySide::Damaged,
    }
    .into()
}

fn sky_set_to_pb(set: SkySet) -> i32 {
    match set {
        SkySet::Base => game::SkySet::Base,
        SkySet::Advanced => game::SkySet::Advanced,
    }
    .into()
}

fn sky_side_to_pb(side: SkySide) -> i32 {
    match side {
        SkySide::Easy => game::SkySide::Easy,
        SkySide::Dangerous => game::SkySide::Dangerous,
    }
    .into()
}

fn room_kind_to_pb(kind: RoomKind) -> i32 {
    match kind {
        RoomKind::Aa => game::RoomKind::Aa,
        RoomKind::Energy => game::RoomKind::Energy,
        RoomKind::Fighter => game::RoomKind::Fighter,
        RoomKind::Research => game::RoomKind::Research,
        RoomKind::Robot => game::RoomKind::Robot,
    }
    .into()
}

fn direction_to_pb(direction: Option<Direction>) -> i32 {
    match direction {
        None => game::Direction::Unspecified,
        Some(Direction::Left) => game::Direction::Left,
        Some(Direction::Right) => game::Direction::Right,
    }
    .into()
}

fn battle_end_to_pb(end: BattleEnd) -> i32 {
    match end {
        BattleEnd::Won => game::BattleEnd::Won,
        BattleEnd::LostMothership => game::BattleEnd::LostMothership,
        BattleEnd::LostDamage => game::BattleEnd::LostDamage,
    }
    .into()
}

fn end_reason_to_pb(reason: EndReason) -> i32 {
    match reason {
        EndReason::Battle(BattleEnd::Won) => game::EndReason::Won,
        EndReason::Battle(BattleEnd::LostMothership) => game::EndReason::LostMothership,
        EndReason::Battle(BattleEnd::LostDamage) => game::EndReason::LostDamage,
        EndReason::CampaignWon => game::EndReason::CampaignWon,
        EndReason::CampaignLost => game::EndReason::CampaignLost,
        EndReason::Resigned => game::EndReason::Resigned,
    }
    .into()
}

fn member_to_pb(member: &Member) -> game::Member {
    game::Member {
        character: character_to_pb(member.id),
        upgraded: member.upgraded,
    }
}

fn team_to_pb(team: &[Member]) -> Vec<game::Member> {
    team.iter().map(member_to_pb).collect()
}

fn levels_to_pb(levels: Levels) -> Vec<u32> {
    levels.iter().map(u32::from).collect()
}

// === the table

fn public_to_pb(public: &Public) -> game::Observation {
    game::Observation {
        battle: public.battle.as_ref().map(battle_to_pb),
        campaign: public.campaign.as_ref().map(campaign_to_pb),
        ending: public.ending.as_ref().map(|ending| game::Ending {
            reason: end_reason_to_pb(ending.reason),
            score: ending.outcome.returns.iter().map(|(_, &score)| score).sum(),
        }),
    }
}

fn battle_to_pb(battle: &Battle) -> game::Battle {
    let base = battle.base();
    game::Battle {
        city: city_to_pb(battle.city),
        city_side: city_side_to_pb(battle.side),
        sky_tiles: sky_tiles_to_pb(&battle.sky),
        sky_rows: (0..battle.sky.rows())
            .map(|row| sky_row_to_pb(&battle.sky, row))
            .collect(),
        rooms: base.rooms.iter().map(room_to_pb).collect(),
        robots_used: battle.robots_used,
        team: team_to_pb(&battle.team),
        scenario: battle.scenario.map_or(0, scenario_to_pb),
        threat: battle.sky.threat().into(),
        stars: battle.sky.stars().into(),
        stage: match battle.stage {
            Stage::StartRobot { .. } => game::Stage::StartRobot,
            Stage::PlaceDie => game::Stage::PlaceDie,
            Stage::Reroll => game::Stage::Reroll,
            Stage::Rooms => game::Stage::Rooms,
            Stage::Install { .. } => game::Stage::Install,
            Stage::IgnoreAction => game::Stage::IgnoreAction,
            Stage::Spawn { .. } => game::Stage::Spawn,
            Stage::Over(_) => game::Stage::Over,
        }
        .into(),
        new_robot: match battle.stage {
            Stage::StartRobot { robot, value, .. } | Stage::Install { robot, value } => {
                Some(game::NewRobot {
                    robot: Some(robot.index().into()),
                    value: value.into(),
                })
            }
            _ => None,
        },
        spawn_choice: match battle.stage {
            Stage::Spawn { ship, columns } => Some(game::SpawnChoice {
                ship: Some(ship.index().into()),
                columns: columns.iter().map(|column| column.index().into()).collect(),
            }),
            _ => None,
        },
        round: battle.round.into(),
        mothership_row: Some(battle.mothership.into()),
        skull_row: Some(battle.sky.skull_row().into()),
        ships: Ship::all()
            .map(|ship| ship_to_pb(ship, battle.ship(ship)))
            .collect(),
        worker_dice: Die::all()
            .map(|die| worker_die_to_pb(die, battle))
            .collect(),
        robots: battle
            .standing_robots()
            .map(|(die, robot)| robot_to_pb(die, robot))
            .collect(),
        excavator: Some(battle.excavator.index().into()),
        energy: battle.energy.into(),
        energy_max: base.energy_max.into(),
        damage: battle.damage.into(),
        damage_limit: base.damage_limit.into(),
        research: battle.research.into(),
        victory_space: battle.sky.victory_space().into(),
        this_round: Some(this_round_to_pb(battle)),
        this_battle: Some(game::ThisBattle {
            ignored_actions: battle.this_battle.ignored_actions.into(),
            repairs: battle
                .team
                .iter()
                .zip(battle.this_battle.repairs)
                .map(|(_, uses)| uses.into())
                .collect(),
            shots: battle.this_battle.shots.into(),
            evacuations: battle.this_battle.evacuations.into(),
        }),
        end: battle.end().map_or(0, battle_end_to_pb),
    }
}

fn sky_tiles_to_pb(sky: &Sky) -> Vec<game::SkyTile> {
    sky.tiles
        .iter()
        .map(|&(set, side)| game::SkyTile {
            set: sky_set_to_pb(set),
            side: sky_side_to_pb(side),
        })
        .collect()
}

fn sky_row_to_pb(sky: &Sky, row: u8) -> game::SkyRow {
    game::SkyRow {
        cells: Column::all()
            .map(|column| cell_to_pb(sky.cell(row, column)))
            .collect(),
        action: Some(row_action_to_pb(sky.action(row))),
        research_cost: sky.research_cost(row + 1).into(),
    }
}

fn cell_to_pb(cell: Cell) -> game::Cell {
    let kind = match cell {
        Cell::Empty => game::CellKind::Empty,
        Cell::Arrow(Direction::Left) => game::CellKind::ArrowLeft,
        Cell::Arrow(Direction::Right) => game::CellKind::ArrowRight,
        Cell::Mothership => game::CellKind::Mothership,
        Cell::Explosion(_) => game::CellKind::Explosion,
        Cell::RedExplosion(_) => game::CellKind::RedExplosion,
        Cell::Gate(GateColor::Blue) => game::CellKind::BlueGate,
        Cell::Gate(GateColor::Pink) => game::CellKind::PinkGate,
    };
    game::Cell {
        kind: kind.into(),
        number: match cell {
            Cell::Explosion(number) | Cell::RedExplosion(number) => Some(number.into()),
            Cell::Empty | Cell::Arrow(_) | Cell::Mothership | Cell::Gate(_) => None,
        },
    }
}

fn row_action_to_pb(action: RowAction) -> game::RowAction {
    use game::RowActionKind as Kind;
    let (kind, amount) = match action {
        RowAction::None => (Kind::None, 0),
        RowAction::White(ships) => (Kind::White, ships),
        RowAction::Excavator(spaces) => (Kind::Excavator, spaces),
        RowAction::Research(spaces) => (Kind::Research, spaces),
        RowAction::Damage(points) => (Kind::Damage, points),
        RowAction::Dive(rows) => (Kind::Dive, rows),
        RowAction::Skull => (Kind::Skull, 0),
    };
    game::RowAction {
        kind: kind.into(),
        amount: amount.into(),
    }
}

fn room_to_pb(room: &Room) -> game::Room {
    game::Room {
        id: room.id.clone(),
        space: Some(room.anchor.index().into()),
        spaces: room
            .spaces
            .iter()
            .map(|space| space.index().into())
            .collect(),
        kinds: room.kinds.iter().copied().map(room_kind_to_pb).collect(),
        cost: room.cost.into(),
        modifier: room.modifier.into(),
    }
}

fn ship_to_pb(ship: Ship, place: ShipPlace) -> game::Ship {
    let color = match ship.color() {
        ShipColor::Red => game::ShipColor::Red,
        ShipColor::White => game::ShipColor::White,
        ShipColor::Orange => game::ShipColor::Orange,
    };
    game::Ship {
        ship: Some(ship.index().into()),
        color: color.into(),
        place: Some(ship_place_to_pb(place)),
    }
}

fn ship_place_to_pb(place: ShipPlace) -> game::ShipPlace {
    use game::ShipPlaceKind as Kind;
    let (kind, row, column) = match place {
        ShipPlace::Supply => (Kind::Supply, None, None),
        ShipPlace::Pool => (Kind::Pool, None, None),
        ShipPlace::DropPoint(column) => (Kind::DropPoint, None, Some(column)),
        ShipPlace::Sky { row, column } => (Kind::Sky, Some(row), Some(column)),
    };
    game::ShipPlace {
        kind: kind.into(),
        row: row.map(u32::from),
        column: column.map(|column| column.index().into()),
    }
}

fn worker_die_to_pb(die: Die, battle: &Battle) -> game::WorkerDie {
    let shown = battle.die(die);
    let (place, space) = match shown.place {
        DiePlace::Unplaced => (game::DiePlace::Unplaced, None),
        DiePlace::On(space) => (game::DiePlace::Base, Some(space.index().into())),
        DiePlace::Left => (game::DiePlace::Left, None),
    };
    game::WorkerDie {
        die: Some(die.index().into()),
        face: shown.face.into(),
        place: place.into(),
        space,
    }
}

fn robot_to_pb(die: RobotDie, robot: Robot) -> game::Robot {
    game::Robot {
        robot: Some(die.index().into()),
        value: robot.value.into(),
        space: Some(robot.space.index().into()),
        exhausted: robot.exhausted,
    }
}

fn this_round_to_pb(battle: &Battle) -> game::ThisRound {
    let round = &battle.this_round;
    game::ThisRound {
        adjusted: round.adjusted.into(),
        drag: match round.drag {
            Drag::Unused => game::Drag::Unused,
            Drag::Armed => game::Drag::Armed,
            Drag::Used => game::Drag::Used,
        }
        .into(),
        rerolled_all: round.rerolled_all,
        kept_dice: round.kept_dice.into(),
        kinds_resolved: round.kinds_resolved().map(room_kind_to_pb).collect(),
        discounted: round.discounted.into(),
        shot: round.shot,
        repelled: round.repelled,
        repaired: round.repaired,
        jammed_column: round.jammed.map(|column| column.index().into()),
        sabotaged: round.sabotaged.map(|(die, face)| rolled_die(die, face)),
        wind: direction_to_pb(round.wind),
    }
}

fn rolled_die(die: Die, face: u8) -> game::RolledDie {
    game::RolledDie {
        die: Some(die.index().into()),
        face: face.into(),
    }
}

fn campaign_to_pb(campaign: &Campaign) -> game::Campaign {
    game::Campaign {
        chapter: campaign.chapter.into(),
        battle: campaign.battle.into(),
        attempt: campaign.attempt.into(),
        stage: match campaign.stage {
            CampaignStage::ChooseSet => game::CampaignStage::ChooseSet,
            CampaignStage::ChooseElites => game::CampaignStage::ChooseElites,
            CampaignStage::ChooseCity => game::CampaignStage::ChooseCity,
            CampaignStage::ChooseTeam => game::CampaignStage::ChooseTeam,
            CampaignStage::ChooseDifficulty => game::CampaignStage::ChooseDifficulty,
            CampaignStage::Battle => game::CampaignStage::Battle,
        }
        .into(),
        sets: campaign.sets.iter().map(set_offer_to_pb).collect(),
        chosen_set: campaign.chosen.map(|set| set.number.get().into()),
        recruited: campaign
            .recruited
            .iter()
            .copied()
            .map(character_to_pb)
            .collect(),
        elites: campaign.elites.iter().map(character_to_pb).collect(),
        cities: campaign
            .cities
            .iter()
            .copied()
            .map(held_city_to_pb)
            .collect(),
        defended: campaign.defended.map(held_city_to_pb),
        team: team_to_pb(&campaign.team),
        results: campaign.results.iter().map(battle_result_to_pb).collect(),
        score: campaign.score.into(),
        advanced_levels: levels_to_pb(campaign.advanced_levels()),
    }
}

fn set_offer_to_pb(set: &SetOffer) -> game::SetOffer {
    game::SetOffer {
        set: set.number.get().into(),
        city: city_to_pb(set.city),
        scenario: scenario_to_pb(set.scenario),
        character: character_to_pb(set.character),
    }
}

fn held_city_to_pb(held: HeldCity) -> game::HeldCity {
    game::HeldCity {
        city: city_to_pb(held.city),
        side: city_side_to_pb(held.side),
    }
}

fn battle_result_to_pb(result: &BattleResult) -> game::BattleResult {
    game::BattleResult {
        chapter: result.chapter.into(),
        battle: result.battle.into(),
        attempt: result.attempt.into(),
        city: Some(held_city_to_pb(result.city)),
        threat: result.threat.into(),
        advanced_levels: levels_to_pb(result.advanced),
        difficulty: result.difficulty.into(),
        end: battle_end_to_pb(result.end),
    }
}

// === events

fn event_kind_to_pb(event: &Event) -> game::event::Kind {
    use game::event::Kind;
    match event {
        Event::BattleSetUp {
            city,
            side,
            sky,
            team,
            scenario,
        } => Kind::BattleSetUp(game::BattleSetUp {
            city: city_to_pb(*city),
            side: city_side_to_pb(*side),
            sky_tiles: sky_tiles_to_pb(sky),
            team: team_to_pb(team),
            scenario: scenario.map_or(0, scenario_to_pb),
        }),
        Event::RoundStarted { round, faces } => Kind::RoundStarted(game::RoundStarted {
            round: (*round).into(),
            faces: faces.iter().map(|&face| face.into()).collect(),
        }),
        Event::DieSabotaged { die, face } => Kind::DieSabotaged(game::DieSabotaged {
            die: Some(die.index().into()),
            face: (*face).into(),
        }),
        Event::ColumnJammed { column } => Kind::ColumnJammed(game::ColumnJammed {
            column: column.map(|column| column.index().into()),
        }),
        Event::DiceRerolled { faces } => Kind::DiceRerolled(game::DiceRerolled {
            dice: Die::all()
                .zip(faces)
                .filter_map(|(die, face)| Some(rolled_die(die, (*face)?)))
                .collect(),
        }),
        Event::DiceKept => Kind::DiceKept(game::DiceKept {}),
        Event::DieAdjusted { die, face } => Kind::DieAdjusted(game::DieAdjusted {
            die: Some(die.index().into()),
            face: (*face).into(),
        }),
        Event::DragArmed => Kind::DragArmed(game::DragArmed {}),
        Event::DiePlaced {
            die,
            space,
            descent,
        } => Kind::DiePlaced(game::DiePlaced {
            die: Some(die.index().into()),
            space: Some(space.index().into()),
            descent: (*descent).into(),
        }),
        Event::DieLeft { die } => Kind::DieLeft(game::DieLeft {
            die: Some(die.index().into()),
        }),
        Event::ShipMoved {
            ship,
            from,
            to,
            cause,
        } => Kind::ShipMoved(game::ShipMoved {
            ship: Some(ship.index().into()),
            from: Some(ship_place_to_pb(*from)),
            to: Some(ship_place_to_pb(*to)),
            cause: ship_cause_to_pb(*cause),
        }),
        Event::DamageChanged { damage } => Kind::DamageChanged(game::DamageChanged {
            damage: (*damage).into(),
        }),
        Event::MothershipDescended { row } => {
            Kind::MothershipDescended(game::MothershipDescended {
                row: Some((*row).into()),
            })
        }
        Event::RowActionTaken { action } => Kind::RowActionTaken(game::RowActionTaken {
            action: Some(row_action_to_pb(*action)),
        }),
        Event::RowActionIgnored { action } => Kind::RowActionIgnored(game::RowActionIgnored {
            action: Some(row_action_to_pb(*action)),
        }),
        Event::EnergyChanged { energy } => Kind::EnergyChanged(game::EnergyChanged {
            energy: (*energy).into(),
        }),
        Event::ResearchMoved { research } => Kind::ResearchMoved(game::ResearchMoved {
            research: (*research).into(),
        }),
        Event::ExcavatorMoved { space } => Kind::ExcavatorMoved(game::ExcavatorMoved {
            space: Some(space.index().into()),
        }),
        Event::RoomResolved { room, value } => Kind::RoomResolved(game::RoomResolved {
            space: Some(room.index().into()),
            value: (*value).into(),
        }),
        Event::RobotUsed { robot, value } => Kind::RobotUsed(game::RobotUsed {
            robot: Some(robot.index().into()),
            value: (*value).into(),
        }),
        Event::RobotInstalled {
            robot,
            space,
            value,
        } => Kind::RobotInstalled(game::RobotInstalled {
            robot: Some(robot.index().into()),
            space: Some(space.index().into()),
            value: (*value).into(),
        }),
        Event::RobotRemoved { robot } => Kind::RobotRemoved(game::RobotRemoved {
            robot: Some(robot.index().into()),
        }),
        Event::Evacuated { evacuations } => Kind::Evacuated(game::Evacuated {
            evacuations: (*evacuations).into(),
        }),
        Event::RoomsEnded => Kind::RoomsEnded(game::RoomsEnded {}),
        Event::WindBlew { direction } => Kind::WindBlew(game::WindBlew {
            direction: direction_to_pb(*direction),
        }),
        Event::BattleEnded { end, score } => Kind::BattleEnded(game::BattleEnded {
            end: battle_end_to_pb(*end),
            score: *score,
        }),
        Event::ChapterStarted { chapter } => Kind::ChapterStarted(game::ChapterStarted {
            chapter: (*chapter).into(),
        }),
        Event::SetsOffered { sets, reserve } => Kind::SetsOffered(game::SetsOffered {
            sets: sets.iter().map(set_offer_to_pb).collect(),
            reserve: reserve.map_or(0, city_to_pb),
        }),
        Event::CharacterRecruited { character } => {
            Kind::CharacterRecruited(game::CharacterRecruited {
                character: character_to_pb(*character),
            })
        }
        Event::CityChosen { city, side } => Kind::CityChosen(game::CityChosen {
            city: Some(held_city_to_pb(HeldCity {
                city: *city,
                side: *side,
            })),
        }),
        Event::TeamFormed { team } => Kind::TeamFormed(game::TeamFormed {
            team: team_to_pb(team),
        }),
        Event::BattleNoted { result, score } => Kind::BattleNoted(game::BattleNoted {
            result: Some(battle_result_to_pb(result)),
            score: (*score).into(),
        }),
        Event::GameEnded { reason, score } => Kind::GameEnded(game::GameEnded {
            reason: end_reason_to_pb(*reason),
            score: *score,
        }),
    }
}

fn ship_cause_to_pb(cause: ShipCause) -> i32 {
    match cause {
        ShipCause::Descent => game::ShipCause::Descent,
        ShipCause::Arrow => game::ShipCause::Arrow,
        ShipCause::Gate => game::ShipCause::Gate,
        ShipCause::Dive => game::ShipCause::Dive,
        ShipCause::Wind => game::ShipCause::Wind,
        ShipCause::Repelled => game::ShipCause::Repelled,
        ShipCause::HitCity => game::ShipCause::HitCity,
        ShipCause::Swept => game::ShipCause::Swept,
        ShipCause::Shot => game::ShipCause::Shot,
        ShipCause::Added => game::ShipCause::Added,
        ShipCause::Spawned => game::ShipCause::Spawned,
    }
    .into()
}

#[cfg(test)]
mod tests {
    use tavola_engine::{ActionId, Game as _};

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
                kind(&action_kind_to_pb(action))
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
