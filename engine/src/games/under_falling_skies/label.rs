//! Short texts for actions.

use std::fmt::Write;

use super::action::{Action, Delta, How, RepairSource};
use super::geometry::Space;
use super::state::{Battle, Public};
use super::tables::RoomKind;

/// Appends the action's text: `g1 (5) → p12, energy`, `use a_t_research_1, 2 steps`.
pub(super) fn write_label(public: &Public, action: Action, out: &mut String) {
    let battle = public.battle.as_ref();
    let face = |die| battle.map_or(0, |battle| battle.die(die).face);
    let room_id = |space| {
        let room = battle.and_then(|battle| battle.base().room_at(space));
        room.map_or("tunnel", |room| room.id.as_str())
    };
    // Writing to a string can't fail.
    let _ = match action {
        Action::PlaceDie { die, space } => {
            let _ = write!(out, "{die} ({}) → {space}", face(die));
            battle.map_or(Ok(()), |battle| {
                write!(out, ", {}", what_is_at(battle, space))
            })
        }
        Action::RerollAll => write!(out, "reroll all dice"),
        Action::AdjustDie {
            die,
            delta: Delta::Up,
        } => write!(out, "{die} {} → {}", face(die), face(die) + 1),
        Action::AdjustDie {
            die,
            delta: Delta::Down,
        } => {
            write!(out, "{die} {} → {}", face(die), face(die).saturating_sub(1))
        }
        Action::DragNext => write!(out, "drag the next descent"),
        Action::Reroll => write!(out, "reroll the dice that are left"),
        Action::KeepDice => write!(out, "keep the dice"),
        Action::ResolveRoom {
            room,
            how: How::Plain,
        } => write!(out, "use {}", room_id(room)),
        Action::ResolveRoom {
            room,
            how: How::Steps(steps),
        } => {
            write!(out, "use {}, {} steps", room_id(room), steps.get())
        }
        Action::ResolveRoom {
            room,
            how: How::Reuse(robot),
        } => write!(out, "use {}, reuse {robot}", room_id(room)),
        Action::InstallRobot { space } => {
            let _ = write!(out, "robot → {space}");
            battle.map_or(Ok(()), |battle| {
                write!(out, ", {}", what_is_at(battle, space))
            })
        }
        Action::Excavate => write!(out, "excavate"),
        Action::RemoveRobot { robot } => write!(out, "remove robot {robot}"),
        Action::TapTunnel { space } => write!(out, "energy from tunnel {space}"),
        Action::Repair {
            source: RepairSource::Character(character),
        } => {
            write!(out, "repair with {}", character.sheet().name)
        }
        Action::Repair {
            source: RepairSource::Scenario,
        } => write!(out, "repair"),
        Action::Repel { ship } => write!(out, "repel {ship}"),
        Action::Evacuate { space } => write!(out, "evacuate with {space}"),
        Action::EndRooms => write!(out, "end the rooms phase"),
        Action::IgnoreAction { ignore: true } => write!(out, "ignore the mothership's action"),
        Action::IgnoreAction { ignore: false } => write!(out, "let the mothership act"),
        Action::Spawn { column } => write!(out, "ship in column {}", column.index()),
        Action::ChooseSet { set } => {
            let _ = write!(out, "set {}", set.get());
            let sets = public.campaign.iter().flat_map(|campaign| &campaign.sets);
            sets.filter(|offer| offer.number == set)
                .try_for_each(|offer| {
                    let (city, scenario, character) = (
                        offer.city.tile(),
                        offer.scenario.sheet(),
                        offer.character.sheet(),
                    );
                    write!(
                        out,
                        ": {}, {}, {}",
                        city.name, scenario.name, character.name
                    )
                })
        }
        Action::ChooseElites { elites } => write!(out, "elites {}", elites.characters()),
        Action::ChooseCity { city } => write!(out, "{}", city.tile().name),
        Action::ChooseTeam { team } => write!(out, "team {}", team.characters()),
        Action::ChooseDifficulty { threat, advanced } => {
            let _ = write!(out, "threat {}", threat.get());
            advanced
                .iter()
                .try_for_each(|level| write!(out, ", advanced {level}"))
        }
    };
}

/// What a space is, in a word.
fn what_is_at(battle: &Battle, space: Space) -> &'static str {
    match battle
        .base()
        .room_at(space)
        .and_then(|room| room.kinds.first())
    {
        _ if space > battle.excavator => "ahead",
        Some(RoomKind::Aa) => "AA gun",
        Some(RoomKind::Energy) => "energy",
        Some(RoomKind::Fighter) => "fighter",
        Some(RoomKind::Research) => "research",
        Some(RoomKind::Robot) => "robot",
        None => "tunnel",
    }
}
