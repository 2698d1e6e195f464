//! What has happened, on the wire.

use tavola_engine::games::under_falling_skies::{Die, Event, HeldCity, ShipCause};

use super::{
    campaign::{battle_result_to_pb, held_city_to_pb, set_offer_to_pb},
    names::{
        battle_end_to_pb, character_to_pb, city_side_to_pb, city_to_pb, direction_to_pb,
        end_reason_to_pb, scenario_to_pb, team_to_pb,
    },
    sky::{row_action_to_pb, sky_tiles_to_pb},
    table::{rolled_die, ship_place_to_pb},
};
use crate::pb::under_falling_skies::v1 as game;

pub(super) fn write_event(event: &Event) -> game::event::Kind {
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
