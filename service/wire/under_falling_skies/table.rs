//! What is on the table, on the wire.

use tavola_engine::games::under_falling_skies::{
    Battle, Die, DiePlace, Drag, Public, Robot, RobotDie, Ship, ShipColor, ShipPlace, Stage,
    tables::Room,
};

use super::{
    campaign::campaign_to_pb,
    names::{
        battle_end_to_pb, city_side_to_pb, city_to_pb, direction_to_pb, end_reason_to_pb,
        room_kind_to_pb, scenario_to_pb, team_to_pb,
    },
    sky::{sky_row_to_pb, sky_tiles_to_pb},
};
use crate::pb::under_falling_skies::v1 as game;

pub(super) fn public_to_pb(public: &Public) -> game::Observation {
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

pub(super) fn ship_place_to_pb(place: ShipPlace) -> game::ShipPlace {
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

pub(super) fn rolled_die(die: Die, face: u8) -> game::RolledDie {
    game::RolledDie {
        die: Some(die.index().into()),
        face: face.into(),
    }
}
