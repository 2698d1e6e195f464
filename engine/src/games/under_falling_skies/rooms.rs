//! ROOMS: what may be done there, and resolving a room (7.1).

use std::ops::ControlFlow;

use super::action::{Action, How, RepairSource, Steps};
use super::event::{Event, ShipCause};
use super::flow::Step;
use super::geometry::Space;
use super::pieces::{RobotDie, Ship, ShipColor, ShipPlace};
use super::powers::Powers;
use super::state::{Battle, BattleEnd, Stage};
use super::tables::{Cell, Character, Room, RoomKind, tables};
use crate::cx::{Audience, Cx};

impl Battle {
    /// What may be done at ROOMS, ascending by id.
    pub(super) fn rooms_actions(&self, out: &mut Vec<Action>) {
        let powers = self.powers();
        for room in self.rooms_along_path() {
            if self.why_not_room(room, &powers).is_none() {
                let anchor = room.anchor;
                self.each_how(room, &powers, |how| {
                    out.push(Action::ResolveRoom { room: anchor, how })
                });
            }
        }
        if self.may_excavate(&powers) {
            out.push(Action::Excavate);
        }
        out.extend(
            self.standing_robots()
                .map(|(robot, _)| Action::RemoveRobot { robot }),
        );
        let tunnels = self
            .base()
            .tunnels
            .iter()
            .filter(|&space| self.may_tap(space, &powers));
        out.extend(tunnels.map(|space| Action::TapTunnel { space }));
        let characters = Character::all().map(RepairSource::Character);
        let sources = characters.chain([RepairSource::Scenario]);
        let sources = sources.filter(|&source| self.may_repair(source, &powers));
        out.extend(sources.map(|source| Action::Repair { source }));
        let ships = Ship::all().filter(|&ship| self.may_repel(ship, &powers));
        out.extend(ships.map(|ship| Action::Repel { ship }));
        let guns = Space::all().filter(|&space| self.may_evacuate(space));
        out.extend(guns.map(|space| Action::Evacuate { space }));
        out.push(Action::EndRooms);
    }

    fn rooms_along_path(&self) -> impl Iterator<Item = &'static Room> {
        let base = self.base();
        Space::all()
            .filter_map(move |space| base.room_at(space).filter(|room| room.anchor == space))
    }

    /// Whether the room can be resolved in this way.
    pub(super) fn may_resolve(&self, room: &Room, how: How, powers: &Powers) -> bool {
        let mut offered = false;
        if self.why_not_room(room, powers).is_none() {
            self.each_how(room, powers, |other| offered |= other == how);
        }
        offered
    }

    /// Why the room can't be resolved at all; `None` if it can.
    pub(super) fn why_not_room(&self, room: &Room, powers: &Powers) -> Option<&'static str> {
        let active = |space| {
            self.die_on(space).is_some()
                || self
                    .robot_on(space)
                    .is_some_and(|(_, robot)| !robot.exhausted)
        };
        if room.is(RoomKind::Aa) {
            Some("an AA gun is not resolved (7.1)")
        } else if !room.spaces.within(self.excavated()) {
            Some("a room can be used once it is excavated entirely (R26)")
        } else if !room.spaces.iter().all(active) {
            Some("all spaces of a room must hold a worker die or a ready robot (R25)")
        } else if room.is(RoomKind::Robot) && !self.robots_used {
            Some("the game is played without robots (7.3)")
        } else if self.room_cost(room, powers) > self.energy {
            Some("the energy does not cover the cost of the room (7.1)")
        } else {
            None
        }
    }

    /// The ways in which a room that can be resolved may be, ascending.
    fn each_how(&self, room: &Room, powers: &Powers, mut offer: impl FnMut(How)) {
        if room.is(RoomKind::Research) {
            // R29: any number of steps that the value pays for. If it pays for none, none.
            let most = self.most_steps(room, self.room_value(room, powers));
            (most.min(1)..=most)
                .filter_map(Steps::new)
                .for_each(|steps| offer(How::Steps(steps)));
            return;
        }
        let builds = room.is(RoomKind::Robot) && self.room_value(room, powers) >= 1;
        if !builds || self.robots_after(room, powers) < usize::from(powers.robot_limit) {
            offer(How::Plain);
        }
        if builds {
            self.standing_robots()
                .for_each(|(robot, _)| offer(How::Reuse(robot)));
        }
    }

    /// How many robots are left on the board once this room has used those in it.
    fn robots_after(&self, room: &Room, powers: &Powers) -> usize {
        let keeps = powers.keeps_robots(&room.kinds);
        let stays = |die: RobotDie| {
            self.robot(die)
                .is_some_and(|robot| keeps || robot.value > 1 || !room.spaces.contains(robot.space))
        };
        RobotDie::all().filter(|&die| stays(die)).count()
    }

    /// `discount`: the first rooms of a round with a printed cost are 1 cheaper.
    pub(super) fn room_cost(&self, room: &Room, powers: &Powers) -> u8 {
        room.cost - u8::from(self.is_discounted(room, powers))
    }

    fn is_discounted(&self, room: &Room, powers: &Powers) -> bool {
        room.cost >= 1 && self.this_round.discounted < powers.discounted_rooms
    }

    /// The dice, the modifier once, and the bonuses.
    pub(super) fn room_value(&self, room: &Room, powers: &Powers) -> i16 {
        let dice: u8 = self
            .placed()
            .filter(|&(_, space)| room.spaces.contains(space))
            .map(|(die, _)| self.die(die).face)
            .sum();
        let in_room = || {
            self.standing_robots()
                .filter(|(_, robot)| room.spaces.contains(robot.space))
        };
        let robots: u8 = in_room().map(|(_, robot)| robot.value).sum();
        let robot_bonus = if in_room().next().is_some() {
            powers.robot_room_bonus
        } else {
            0
        };
        let bonus = powers.room_bonus(&room.kinds, |kind| self.is_first_of_kind(kind));
        i16::from(dice)
            + i16::from(robots)
            + i16::from(room.modifier)
            + i16::from(robot_bonus)
            + i16::from(bonus)
    }

    /// How many research steps a value pays for in this room.
    fn most_steps(&self, room: &Room, value: i16) -> u8 {
        let mut cost = 0;
        let mut steps = 0;
        for space in self.research + 1..=self.sky.victory_space() {
            cost += i16::from(self.sky.research_cost(space));
            if cost > value || self.is_barred(space, room) {
                break;
            }
            steps += 1;
        }
        steps
    }

    /// Whether the step onto a space can't be made from this room, whatever its value.
    pub(super) fn is_barred(&self, space: u8, room: &Room) -> bool {
        // 3.3: space 16 takes a merged room. 12.3: the last step may be closed.
        (space == MERGED_ROOM_SPACE && !room.is_merged())
            || (space == self.sky.victory_space() && !self.last_step_is_open())
    }

    /// 7.1: the cost is paid, the dice of the room are used, and then its effects happen with the
    /// value that it had.
    pub(super) fn resolve_room(&mut self, room: Space, how: How, cx: &mut Cx<'_, Event>) -> Step {
        let Some(room) = self.base().room_at(room) else {
            return ControlFlow::Continue(());
        };
        let powers = self.powers();
        let value = self.room_value(room, &powers);
        cx.tell(Audience::All, || Event::RoomResolved {
            room: room.anchor,
            value,
        });
        let cost = self.room_cost(room, &powers);
        self.this_round.discounted += u8::from(self.is_discounted(room, &powers));
        self.pay(cost, cx);
        for space in room.spaces.iter() {
            if let Some(die) = self.die_on(space) {
                self.take_die(die, cx);
            } else if let Some((robot, _)) = self.robot_on(space) {
                self.use_robot(robot, powers.keeps_robots(&room.kinds), cx);
            }
        }
        for &kind in &room.kinds {
            self.this_round.kinds_resolved |= 1 << kind as u8;
        }
        for &kind in &room.kinds {
            match kind {
                RoomKind::Energy => self.gain_energy(u8::try_from(value).unwrap_or(0), cx),
                RoomKind::Fighter => self.shoot(value, &powers, cx),
                RoomKind::Research => {
                    if let How::Steps(steps) = how {
                        self.advance_research(steps.get(), cx)?;
                    }
                }
                RoomKind::Robot => self.build_robot(value, how, cx),
                RoomKind::Aa => {}
            }
        }
        ControlFlow::Continue(())
    }

    /// Fighter: every ship of the sky on an explosion of at most this value is shot down (R30,
    /// R31), top row first, then from left to right.
    fn shoot(&mut self, value: i16, powers: &Powers, cx: &mut Cx<'_, Event>) {
        let mut shots = 0;
        for (ship, row, column) in self.sky_ships() {
            let (number, cost) = match self.sky.cell(row, column) {
                Cell::Explosion(number) => (number, 0),
                // 12.1: each costs 1 energy; what can't be paid stays.
                Cell::RedExplosion(number) => (number, 1),
                Cell::Empty | Cell::Arrow(_) | Cell::Mothership | Cell::Gate(_) => continue,
            };
            let is_hit = i16::from(number + self.armor(ship)) <= value;
            if !is_hit || self.this_round.jammed == Some(column) || cost > self.energy {
                continue;
            }
            self.pay(cost, cx);
            let to = match ship.color() {
                ShipColor::Red => ShipPlace::Pool,
                // The command ship leaves for good, as the white ones do until the mothership adds
                // them again.
                ShipColor::White | ShipColor::Orange => ShipPlace::Supply,
            };
            self.move_ship(ship, to, ShipCause::Shot, cx);
            shots += 1;
        }
        if shots > 0 {
            // `shot_energy` comes after all ships of this room.
            let first = if self.this_round.shot {
                0
            } else {
                powers.shot_energy_per_round
            };
            self.gain_energy(first + powers.shot_energy_per_ship * shots, cx);
            self.this_round.shot = true;
            self.this_battle.shots = self.this_battle.shots.saturating_add(shots);
        }
    }

    /// Research: the marker climbs. R44: on the last space the battle is won at once.
    fn advance_research(&mut self, steps: u8, cx: &mut Cx<'_, Event>) -> Step {
        if steps == 0 {
            return ControlFlow::Continue(());
        }
        self.set_research(self.research + steps, cx);
        if self.research >= self.sky.victory_space() {
            return self.finish(BattleEnd::Won, cx);
        }
        self.drain_research(cx)
    }

    pub(super) fn set_research(&mut self, research: u8, cx: &mut Cx<'_, Event>) {
        if research != self.research {
            self.research = research;
            cx.tell(Audience::All, || Event::ResearchMoved { research });
        }
    }

    /// Robot: one is built and installed at once, on the lowest die off the board or the robot that
    /// is named. R37: below 1 there is none.
    fn build_robot(&mut self, value: i16, how: How, cx: &mut Cx<'_, Event>) {
        let value = value.min(tables().constants.robot_max_value.into());
        let Some(value) = u8::try_from(value).ok().filter(|&value| value >= 1) else {
            return;
        };
        let robot = match how {
            How::Reuse(robot) => {
                if self.robot(robot).is_some() {
                    self.remove_robot(robot, cx);
                }
                Some(robot)
            }
            How::Plain | How::Steps(_) => {
                RobotDie::all().find(|&robot| self.robot(robot).is_none())
            }
        };
        if let Some(robot) = robot {
            self.choose_robot_space(Stage::Install { robot, value }, cx);
        }
    }
}

/// The research space that only merged rooms reach (3.3).
const MERGED_ROOM_SPACE: u8 = 16;
