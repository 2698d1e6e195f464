//! What a player can do, on the wire.

use tavola_engine::games::under_falling_skies::{
    Action, Character, CharacterSet, City, Column, Delta, Die, Elites, FinalTeam, How, Levels,
    RepairSource, RobotDie, SetNumber, Ship, Space, Steps, Threat,
};

use super::names::{character_to_pb, city_to_pb, levels_to_pb, numbered};
use crate::{error::Violation, pb::under_falling_skies::v1 as game};

/// A field of an action and what is allowed there.
type Fault = (&'static str, &'static str);

pub(super) fn read_action(action: &game::Action) -> Result<Action, Violation> {
    read_kind(action.kind.as_ref())
        .map_err(|(field, allowed)| Violation::new(format!("under_falling_skies.{field}"), allowed))
}

fn read_kind(kind: Option<&game::action::Kind>) -> Result<Action, Fault> {
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

pub(super) fn write_action(action: Action) -> game::action::Kind {
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
