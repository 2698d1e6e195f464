//! What the dice in hand could still do in the round, for the evaluation: the best way to give each
//! of them a column of its own.

use arrayvec::ArrayVec;

use super::evaluate::{DAMAGE, ENERGY, EXCAVATED, HOPE, LAST_HITS, PROMISE, ROW, energy_worth};
use super::geometry::{Column, Columns, Space};
use super::pieces::{Die, Ship, ShipPlace};
use super::powers::Powers;
use super::state::{Battle, Stage};
use super::tables::{Cell, RoomKind, tables};

/// The faces of a die, and 0.
const DESCENTS: usize = 7;
const COLUMNS: usize = Column::COUNT as usize;
/// A die can't go there.
const NEVER: f32 = -1.0e9;

/// What a die is worth in a column: behind the excavator, and ahead of it.
#[derive(Clone, Copy)]
struct Worth {
    behind: f32,
    ahead: f32,
}

impl Battle {
    /// The worth of the best placement of the unplaced dice, as far as each can be judged alone.
    pub(super) fn plan(&self, powers: &Powers) -> f32 {
        if !matches!(self.stage, Stage::PlaceDie | Stage::Reroll) {
            return 0.0;
        }
        let used: Columns = self.placed().map(|(_, space)| space.column()).collect();
        let free: ArrayVec<Column, COLUMNS> = Column::all()
            .filter(|&column| !used.contains(column))
            .collect();
        let falls: ArrayVec<[f32; DESCENTS], COLUMNS> =
            free.iter().map(|&column| self.falls(column)).collect();
        let dice: ArrayVec<Die, COLUMNS> = self.unplaced().collect();
        let worths: ArrayVec<ArrayVec<Worth, COLUMNS>, COLUMNS> = dice
            .iter()
            .map(|&die| {
                let columns = free.iter().zip(&falls);
                let worth =
                    |(&column, falls)| self.worth_in(self.die(die).face, column, falls, powers);
                columns.map(worth).collect()
            })
            .collect();
        assign(&worths, self.die_ahead().is_none())
    }

    /// What it is worth that the ships of a column descend by 0 to 6 rows.
    fn falls(&self, column: Column) -> [f32; DESCENTS] {
        let limit = f32::from(self.base().damage_limit);
        let left = (limit - f32::from(self.damage)).max(0.5);
        let hit = DAMAGE + LAST_HITS / (left - 1.0).max(0.5) - LAST_HITS / left;
        let mut falls = [0.0; DESCENTS];
        for ship in Ship::all() {
            let row = match self.ship(ship) {
                ShipPlace::DropPoint(at) if at == column => self.mothership,
                ShipPlace::Sky { row, column: at } if at == column => row,
                _ => continue,
            };
            let before = self.threat_of(ship);
            let above = before
                - if row < self.mothership {
                    self.threat_of_row(row)
                } else {
                    0.0
                };
            for (descent, worth) in (0..).zip(&mut falls).skip(1) {
                *worth += match row.checked_sub(descent) {
                    None => before - above - hit,
                    Some(row) => {
                        let symbol = match self.sky.cell(row, column) {
                            Cell::Mothership => ROW,
                            _ => 0.0,
                        };
                        before - above - self.threat_of_row(row) - symbol
                    }
                };
            }
        }
        falls
    }

    /// The best that a die of this face can do in a column.
    fn worth_in(
        &self,
        face: u8,
        column: Column,
        falls: &[f32; DESCENTS],
        powers: &Powers,
    ) -> Worth {
        let fall = |descent: u8| falls[usize::from(descent).min(DESCENTS - 1)];
        let slowdown =
            tables().constants.aa_slowdown + powers.aa_extra[usize::from(column.index())];
        let mut worth = Worth {
            behind: fall(face.saturating_sub(slowdown)),
            ahead: NEVER,
        };
        for space in (0..Space::ROWS)
            .filter_map(|row| Space::at(row, column))
            .skip(1)
        {
            if space < self.excavator {
                worth.behind = worth
                    .behind
                    .max(fall(face) + self.use_of(space, face, powers));
            } else if space > self.excavator {
                let spaces = space.index() - self.excavator.index();
                if spaces <= face + powers.excavate_reach {
                    let cost = f32::from(self.excavate_cost(powers));
                    let dug = EXCAVATED * f32::from(spaces) - ENERGY * cost;
                    worth.ahead = worth.ahead.max(fall(face) + PROMISE * dug);
                }
            }
        }
        worth
    }

    /// What a die of this face would be good for in the room of this space.
    fn use_of(&self, space: Space, face: u8, powers: &Powers) -> f32 {
        let Some(room) = self.base().room_at(space) else {
            return 0.0;
        };
        if !room.spaces.within(self.excavated()) || self.robot_on(space).is_some() {
            return 0.0;
        }
        let others = room.spaces.iter().filter(|&other| other != space);
        let missing = others.filter(|&other| self.die_on(other).is_none()).count() as f32;
        let value = f32::from(self.room_value(room, powers)) + f32::from(face) + 3.5 * missing;
        let mut gain = self.gain(room, value);
        if room.is(RoomKind::Energy) {
            let energy = f32::from(self.energy);
            let most = f32::from(self.base().energy_max);
            gain += energy_worth((energy + value.max(0.0)).min(most)) - energy_worth(energy);
        }
        let net = gain - ENERGY * f32::from(self.room_cost(room, powers));
        let sure = if missing > 0.0 {
            HOPE / (1.0 + missing)
        } else {
            PROMISE
        };
        sure * net.max(0.0)
    }
}

/// The best sum of worths in which every die has a column of its own and at most one lies ahead.
fn assign(worths: &[ArrayVec<Worth, COLUMNS>], may_lie_ahead: bool) -> f32 {
    // By the columns taken, as bits, and whether a die lies ahead.
    let mut best = [[NEVER; 2]; 1 << COLUMNS];
    best[0][0] = 0.0;
    for (nth, columns) in worths.iter().enumerate() {
        for taken in (0..best.len()).rev() {
            if taken.count_ones() as usize != nth {
                continue;
            }
            let [none_ahead, one_ahead] = best[taken];
            for (column, worth) in columns.iter().enumerate() {
                let with = taken | 1 << column;
                if with == taken {
                    continue;
                }
                let next = &mut best[with];
                next[0] = next[0].max(none_ahead + worth.behind);
                next[1] = next[1].max(one_ahead + worth.behind);
                if may_lie_ahead {
                    next[1] = next[1].max(none_ahead + worth.ahead);
                }
            }
        }
    }
    let full = best.iter().enumerate();
    let full = full.filter(|(taken, _)| taken.count_ones() as usize == worths.len());
    let sums = full.flat_map(|(_, sums)| sums).copied();
    sums.fold(NEVER, f32::max)
}
