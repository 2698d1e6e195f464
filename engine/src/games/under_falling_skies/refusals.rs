//! Whether an action is legal, and why not: with the number of the rule.

use super::action::{Action, How, RepairSource};
use super::campaign::{Campaign, CampaignStage};
use super::geometry::Space;
use super::pieces::{Die, DiePlace, Ship, ShipPlace};
use super::powers::Powers;
use super::state::{Battle, Public, Stage};
use super::tables::RoomKind;

type Refusal = Option<&'static str>;

impl Public {
    /// Why the player may not do this now; `None` if he may.
    pub(super) fn why_not(&self, action: Action) -> Refusal {
        match (&self.battle, &self.campaign) {
            (Some(battle), _) => battle.why_not(action),
            (None, Some(campaign)) => campaign.why_not(action),
            (None, None) => Some("there is nothing to decide (9)"),
        }
    }
}

impl Battle {
    /// What may be done, ascending by id.
    pub(super) fn actions(&self, out: &mut Vec<Action>) {
        match self.stage {
            Stage::PlaceDie => self.dice_actions(out),
            Stage::Reroll => out.extend([Action::Reroll, Action::KeepDice]),
            Stage::Rooms => self.rooms_actions(out),
            Stage::StartRobot { .. } | Stage::Install { .. } => {
                out.extend(
                    self.robot_spaces()
                        .iter()
                        .map(|space| Action::InstallRobot { space }),
                );
            }
            Stage::IgnoreAction => {
                out.extend([false, true].map(|ignore| Action::IgnoreAction { ignore }))
            }
            Stage::Spawn { columns, .. } => {
                out.extend(columns.iter().map(|column| Action::Spawn { column }))
            }
            Stage::Over(_) => {}
        }
    }

    fn why_not(&self, action: Action) -> Refusal {
        let powers = self.powers();
        match (self.stage, action) {
            (Stage::PlaceDie, Action::PlaceDie { die, space }) => {
                self.why_not_place(die, space, &powers)
            }
            (Stage::PlaceDie, Action::RerollAll) => refuse(
                self.may_reroll_all(&powers),
                "all dice are rerolled by an ability only, once, before the first placement of the round (8)",
            ),
            (Stage::PlaceDie, Action::AdjustDie { die, delta }) => refuse(
                self.may_adjust(die, delta, &powers),
                "an unplaced die is changed by an ability only, once per round and source, within 1 to 6 (8)",
            ),
            (Stage::PlaceDie, Action::DragNext) => refuse(
                self.may_arm_drag(&powers),
                "ships are dragged by an ability only, once per round (8)",
            ),
            (Stage::Reroll, Action::Reroll | Action::KeepDice)
            | (Stage::Rooms, Action::EndRooms) => None,
            (Stage::Rooms, Action::ResolveRoom { room, how }) => {
                self.why_not_resolve(room, how, &powers)
            }
            (Stage::Rooms, Action::Excavate) => refuse(
                self.may_excavate(&powers),
                "excavating takes a die ahead of the excavator and the energy to pay (7.2)",
            ),
            (Stage::Rooms, Action::RemoveRobot { robot }) => refuse(
                self.robot(robot).is_some(),
                "the robot is not on the board (7.3)",
            ),
            (Stage::Rooms, Action::TapTunnel { space }) => refuse(
                self.may_tap(space, &powers),
                "energy comes from an excavated tunnel with a worker die, by an ability only (8)",
            ),
            (Stage::Rooms, Action::Repair { source }) => self.why_not_repair(source, &powers),
            (Stage::Rooms, Action::Repel { ship }) => self.why_not_repel(ship, &powers),
            (Stage::Rooms, Action::Evacuate { space }) => refuse(
                self.may_evacuate(space),
                "an evacuation takes its scenario, a die of 4 or more on an AA gun and the energy to pay (12.3)",
            ),
            (Stage::StartRobot { .. } | Stage::Install { .. }, Action::InstallRobot { space }) => {
                refuse(
                    self.robot_spaces().contains(space),
                    "a robot is installed on an excavated space without a die (7.3)",
                )
            }
            (Stage::IgnoreAction, Action::IgnoreAction { .. }) => None,
            (Stage::Spawn { columns, .. }, Action::Spawn { column }) => refuse(
                columns.contains(column),
                "the ship appears in one of the columns that are tied (6.6)",
            ),
            (Stage::PlaceDie, _) => Some("the worker dice are being placed (5)"),
            (Stage::Reroll, _) => Some("the dice that are left are rerolled or kept (5)"),
            (Stage::Rooms, _) => Some("this is the rooms phase (5)"),
            (Stage::StartRobot { .. } | Stage::Install { .. }, _) => {
                Some("a robot is being installed (7.3)")
            }
            (Stage::IgnoreAction, _) => Some("the row action happens or is ignored (8)"),
            (Stage::Spawn { .. }, _) => Some("a ship is about to appear (6.6)"),
            (Stage::Over(_), _) => Some("the battle is over (10)"),
        }
    }

    fn why_not_place(&self, die: Die, space: Space, powers: &Powers) -> Refusal {
        if self.may_place(die, space, powers) {
            None
        } else if self.die(die).place != DiePlace::Unplaced {
            Some("the die has been placed (6.1)")
        } else if self
            .placed()
            .any(|(_, other)| other.column() == space.column())
        {
            Some("a column takes one worker die per round (6.1)")
        } else if space == self.excavator {
            Some("the excavator's own space is not excavated (R22)")
        } else if self.die_ahead().is_some() {
            Some("one die of a round lies ahead of the excavator (R21)")
        } else {
            Some("the die does not reach so far ahead of the excavator (6.1)")
        }
    }

    fn why_not_resolve(&self, room: Space, how: How, powers: &Powers) -> Refusal {
        let named = self
            .base()
            .room_at(room)
            .filter(|found| found.anchor == room);
        let Some(room) = named else {
            return Some("no room has its first space there (7.1)");
        };
        if let Some(why) = self.why_not_room(room, powers) {
            return Some(why);
        }
        if self.may_resolve(room, how, powers) {
            return None;
        }
        Some(match how {
            How::Steps(_) if room.is(RoomKind::Research) => {
                "the value of the room does not allow so many steps (7.1)"
            }
            How::Steps(_) => "only research rooms make steps (7.1)",
            How::Plain if room.is(RoomKind::Research) => {
                "a research room says how many steps it makes (9)"
            }
            How::Plain => "no more robots can be on the board; one of them may be reused (7.3)",
            How::Reuse(_) => {
                "only a robot room that builds one reuses a robot, and one on the board (7.3)"
            }
        })
    }

    fn why_not_repair(&self, source: RepairSource, powers: &Powers) -> Refusal {
        if self.may_repair(source, powers) {
            None
        } else if self.damage == 0 {
            Some("there is no damage to repair (8)")
        } else {
            Some("this source grants no repair now, or the energy is not there (8)")
        }
    }

    fn why_not_repel(&self, ship: Ship, powers: &Powers) -> Refusal {
        if self.may_repel(ship, powers) {
            None
        } else if !matches!(self.ship(ship), ShipPlace::Sky { .. }) {
            Some("only a ship of the sky is driven up (8)")
        } else {
            Some(
                "a ship is driven up by an ability only, once per round, to a free space farther up (8)",
            )
        }
    }
}

impl Campaign {
    fn why_not(&self, action: Action) -> Refusal {
        match (self.stage, action) {
            (CampaignStage::ChooseSet, Action::ChooseSet { set }) => refuse(
                self.offered().iter().any(|offer| offer.number == set),
                "the set is not offered for this battle (12.4)",
            ),
            (CampaignStage::ChooseElites, Action::ChooseElites { elites }) => refuse(
                self.may_be_elites(elites),
                "elites are recruits of earlier chapters, one in chapter 2 and two in chapter 3 (12.4)",
            ),
            (CampaignStage::ChooseCity, Action::ChooseCity { city }) => refuse(
                self.held(city).is_some(),
                "the final battle is fought in a saved city or a reserve city (12.4)",
            ),
            (CampaignStage::ChooseTeam, Action::ChooseTeam { team }) => refuse(
                self.may_be_team(team),
                "the team is made of recruited characters (12.4)",
            ),
            (CampaignStage::ChooseDifficulty, Action::ChooseDifficulty { advanced, .. }) => refuse(
                advanced.within(self.advanced_levels()),
                "this chapter does not have the advanced tiles of these levels (12.4)",
            ),
            (CampaignStage::ChooseSet, _) => Some("a set is being chosen (12.4)"),
            (CampaignStage::ChooseElites, _) => Some("the elites are being chosen (12.4)"),
            (CampaignStage::ChooseCity, _) => {
                Some("the city of the final battle is being chosen (12.4)")
            }
            (CampaignStage::ChooseTeam, _) => {
                Some("the team of the final battle is being chosen (12.4)")
            }
            (CampaignStage::ChooseDifficulty, _) => Some("the difficulty is being chosen (12.4)"),
            (CampaignStage::Battle, _) => Some("a battle is being fought (12.4)"),
        }
    }
}

fn refuse(is_legal: bool, why: &'static str) -> Refusal {
    (!is_legal).then_some(why)
}
