//! How good a table is for the player, by the advice of section 15 of the rules page.
//!
//! A battle is worth what stands on the table, and, while its dice lie in the base, what they
//! promise: the rooms they could still be used in this round, and the best plan for the dice in
//! hand.
//!
//! Wins of the greedy bot in 2,000 games at Roswell, intact, by threat 0 to 4: 68, 38, 13, 3 and 0
//! of 100; random play wins none. The page's look-ahead over a whole round ("decent") wins 80, 50,
//! 22, 6 and 2.

use super::geometry::{Column, Space};
use super::pieces::{DiePlace, Ship, ShipColor, ShipPlace};
use super::state::{Battle, BattleEnd, Drag, Stage, UnderFallingSkies};
use super::tables::{Cell, Room, RoomKind};
use crate::game::{Evaluate, Game};
use crate::seat::{Seat, SeatSet};

/// More than everything else together.
const DECIDED: f32 = 100_000.0;
/// A point of a campaign's score: more than anything on the table.
const CAMPAIGN_POINT: f32 = 1_000.0;
/// A battle of a campaign won, besides its difficulty: more than any battle in progress.
const CAMPAIGN_BATTLE: f32 = 2_000.0;

/// A die that could make the last research step: more than anything else in a battle, in research
/// cost.
const LAST_STEP: f32 = 500.0;

/// What a point of research cost is worth.
const RESEARCH: f32 = 0.48;
/// An excavated space.
pub(super) const EXCAVATED: f32 = 0.9;
/// A point of energy, up to what is useful; above that a little.
pub(super) const ENERGY: f32 = 0.5;
const ENERGY_USEFUL: f32 = 6.0;
const ENERGY_SPARE: f32 = 0.15;
/// A hit taken, and the nearness of the last one.
pub(super) const DAMAGE: f32 = 2.5;
pub(super) const LAST_HITS: f32 = 12.0;
/// A row that the mothership still has to go.
pub(super) const ROW: f32 = 5.0;
/// A ship of the sky for each row that it has come down, and for each row below row 6.
const DESCENDED: f32 = 0.05;
const LOW: f32 = 0.12;
/// A white ship in play.
const WHITE: f32 = 1.4;
/// A point of a robot.
const ROBOT: f32 = 0.23;
/// What a promise is worth against the real thing.
pub(super) const PROMISE: f32 = 0.98;
/// What a half-filled merged room is worth, if it can still be filled.
pub(super) const HOPE: f32 = 0.5;
/// A worker die that is still to be placed: it will move ships.
const UNPLACED: f32 = 0.2;
/// What the best plan for the dice in hand is worth against the real thing.
const PLAN: f32 = 0.6;
/// `drag_next`, armed.
const ARMED: f32 = 0.15;

impl Evaluate for UnderFallingSkies {
    fn evaluate(&self, seat: Seat) -> f32 {
        let public = self.public();
        let on_table = public.battle.as_ref().map_or(0.0, Battle::worth);
        let campaign = public.campaign.as_ref();
        let points = campaign.map_or(0.0, |campaign| {
            let ends = campaign.results.iter().map(|result| result.end);
            let won = ends.filter(|end| *end == BattleEnd::Won).count();
            CAMPAIGN_POINT * f32::from(campaign.score) + CAMPAIGN_BATTLE * won as f32
        });
        let worth = on_table + points;
        match &public.ending {
            Some(ending) if ending.outcome.winners == SeatSet::only(seat) => worth + DECIDED,
            Some(_) => worth - DECIDED,
            None => worth,
        }
    }
}

impl Battle {
    fn worth(&self) -> f32 {
        let base = self.base();
        let research = RESEARCH * f32::from(self.sky.research_sum(self.research));
        let excavated = f32::from(self.excavator.index() - base.excavator_start.index());
        let hits_left = f32::from(base.damage_limit.saturating_sub(self.damage)).max(0.5);
        let damage = DAMAGE * f32::from(self.damage) + LAST_HITS / hits_left;
        let ships: f32 = Ship::all().map(|ship| self.threat_of(ship)).sum();
        let robots: f32 = self
            .standing_robots()
            .map(|(_, robot)| f32::from(robot.value))
            .sum();
        // The mothership moves at the end of every round: before and after that a row counts alike.
        let row_to_come = match self.stage {
            Stage::PlaceDie | Stage::Reroll | Stage::Rooms | Stage::Install { .. } => 1.0,
            Stage::StartRobot { .. }
            | Stage::IgnoreAction
            | Stage::Spawn { .. }
            | Stage::Over(_) => 0.0,
        };
        research + EXCAVATED * excavated + energy_worth(self.energy.into()) - damage - ships
            + ROBOT * robots
            + ROW * (f32::from(self.mothership) - row_to_come)
            + self.promise()
    }

    /// How bad a ship is where it is.
    pub(super) fn threat_of(&self, ship: Ship) -> f32 {
        let white = match ship.color() {
            ShipColor::White => WHITE,
            ShipColor::Red | ShipColor::Orange => 0.0,
        };
        match self.ship(ship) {
            ShipPlace::Supply => 0.0,
            ShipPlace::Pool | ShipPlace::DropPoint(_) => white,
            ShipPlace::Sky { row, .. } => white + self.threat_of_row(row),
        }
    }

    /// How bad it is that a ship has come down to this row.
    pub(super) fn threat_of_row(&self, row: u8) -> f32 {
        let down = f32::from(self.sky.rows().saturating_sub(row));
        DESCENDED * down + LOW * (6.0 - f32::from(row)).max(0.0)
    }

    /// What the dice in the base promise, and those in the hand threaten.
    fn promise(&self) -> f32 {
        match self.stage {
            Stage::PlaceDie | Stage::Reroll | Stage::Rooms | Stage::Install { .. } => {}
            Stage::StartRobot { .. }
            | Stage::IgnoreAction
            | Stage::Spawn { .. }
            | Stage::Over(_) => return 0.0,
        }
        let powers = self.powers();
        let armed = if self.this_round.drag == Drag::Armed {
            ARMED
        } else {
            0.0
        };
        let unplaced = UNPLACED * self.unplaced().count() as f32;
        // Energy rooms first: they pay for the others.
        let mut energy = f32::from(self.energy);
        let mut hope = 0.0;
        let mut gains = arrayvec::ArrayVec::<(f32, f32), 32>::new();
        for room in &self.base().rooms {
            match self.filling(room) {
                Filling::Full => {
                    let value = f32::from(self.room_value(room, &powers));
                    let cost = f32::from(self.room_cost(room, &powers));
                    if room.is(RoomKind::Energy) {
                        energy += value.max(0.0);
                    }
                    let gain = self.gain(room, value);
                    if gain > 0.0 && !gains.is_full() {
                        gains.push((gain, cost));
                    }
                }
                Filling::Part(share) => {
                    let missing = (1.0 - share) * room.spaces.len() as f32;
                    let value = f32::from(self.room_value(room, &powers)) + 3.5 * missing;
                    hope += HOPE * share * (self.gain(room, value)).max(0.0);
                }
                Filling::None => {}
            }
        }
        if let Some((_, space)) = self.die_ahead() {
            let spaces = f32::from(space.index() - self.excavator.index());
            let cost = f32::from(self.excavate_cost(&powers));
            if !gains.is_full() {
                gains.push((EXCAVATED * spaces, cost));
            }
        }
        energy = energy.min(self.base().energy_max.into());
        gains.sort_unstable_by(|one, other| other.0.total_cmp(&one.0));
        let mut gained = 0.0;
        for (gain, cost) in gains {
            let net = gain - (energy_worth(energy) - energy_worth(energy - cost));
            if cost <= energy && net > 0.0 {
                energy -= cost;
                gained += gain;
            }
        }
        let kept = energy_worth(energy) - energy_worth(self.energy.into());
        PROMISE * (gained + kept) + hope + armed - unplaced + PLAN * self.plan(&powers)
    }

    /// What resolving the room would bring besides energy.
    pub(super) fn gain(&self, room: &Room, value: f32) -> f32 {
        let mut gain = 0.0;
        if room.is(RoomKind::Research) {
            gain += RESEARCH * self.research_gain(room, value);
        }
        if room.is(RoomKind::Fighter) {
            gain += self.shooting_gain(value);
        }
        if room.is(RoomKind::Robot) && self.robots_used {
            gain += ROBOT * value.clamp(0.0, 6.0);
        }
        gain
    }

    /// The cost of the steps that a value pays for.
    fn research_gain(&self, room: &Room, value: f32) -> f32 {
        let mut done = 0.0;
        let last = self.sky.victory_space();
        for space in self.research + 1..=last {
            let cost = f32::from(self.sky.research_cost(space));
            if done + cost > value || self.is_barred(space, room) {
                break;
            }
            done += cost;
            if space == last {
                return LAST_STEP;
            }
        }
        done
    }

    /// What shooting down all ships that a value reaches would take away, less what they are worth
    /// at the top.
    fn shooting_gain(&self, value: f32) -> f32 {
        let mut gain = 0.0;
        for (ship, row, column) in self.sky_ships() {
            let (Cell::Explosion(number) | Cell::RedExplosion(number)) = self.sky.cell(row, column)
            else {
                continue;
            };
            if f32::from(number + self.armor(ship)) <= value
                && self.this_round.jammed != Some(column)
            {
                gain += self.threat_of(ship);
            }
        }
        gain
    }

    /// How many spaces of the room hold active dice, if the others can still get theirs.
    fn filling(&self, room: &Room) -> Filling {
        if room.is(RoomKind::Aa) || !room.spaces.within(self.excavated()) {
            return Filling::None;
        }
        let active = |space: Space| {
            self.die_on(space).is_some()
                || self
                    .robot_on(space)
                    .is_some_and(|(_, robot)| !robot.exhausted)
        };
        let filled = room.spaces.iter().filter(|&space| active(space)).count();
        let all = room.spaces.len() as usize;
        if filled == all {
            return Filling::Full;
        }
        let used = |column: Column| self.placed().any(|(_, space)| space.column() == column);
        let open = room
            .spaces
            .iter()
            .filter(|&space| !active(space))
            .all(|space| !used(space.column()));
        let dice_left = self
            .dice
            .iter()
            .filter(|die| die.place == DiePlace::Unplaced)
            .count();
        if filled > 0 && open && dice_left >= all - filled {
            Filling::Part(filled as f32 / all as f32)
        } else {
            Filling::None
        }
    }
}

/// How far a room is filled with dice.
enum Filling {
    None,
    /// A share of it, and the rest can follow in this round.
    Part(f32),
    Full,
}

pub(super) fn energy_worth(energy: f32) -> f32 {
    ENERGY * energy.min(ENERGY_USEFUL) + ENERGY_SPARE * (energy - ENERGY_USEFUL).max(0.0)
}
