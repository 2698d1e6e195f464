//! DICE: placing worker dice, the descent of the ships, and what they trigger (6.1 to 6.3).

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::action::{Action, Delta};
use super::event::{Event, ShipCause};
use super::flow::Step;
use super::geometry::{Column, Columns, Space};
use super::pieces::{Die, DiePlace, Ship, ShipPlace};
use super::powers::Powers;
use super::state::{Battle, Drag};
use super::tables::{Cell, tables};
use crate::cx::{Audience, Cx};

impl Battle {
    /// What may be done at DICE_PLACE, ascending by id.
    pub(super) fn dice_actions(&self, out: &mut Vec<Action>) {
        let powers = self.powers();
        for die in self.unplaced() {
            let spaces = Space::all().filter(|&space| self.may_place(die, space, &powers));
            out.extend(spaces.map(|space| Action::PlaceDie { die, space }));
        }
        if self.may_reroll_all(&powers) {
            out.push(Action::RerollAll);
        }
        for die in self.unplaced() {
            let deltas = [Delta::Down, Delta::Up].into_iter();
            let deltas = deltas.filter(|&delta| self.may_adjust(die, delta, &powers));
            out.extend(deltas.map(|delta| Action::AdjustDie { die, delta }));
        }
        if self.may_arm_drag(&powers) {
            out.push(Action::DragNext);
        }
    }

    /// 6.1: a column takes one worker die per round, on an excavated space or ahead of the
    /// excavator as far as the die reaches. Tunnels count (R20), the excavator's own space is never
    /// one (R22), and only one die of a round lies ahead (R21).
    pub(super) fn may_place(&self, die: Die, space: Space, powers: &Powers) -> bool {
        if self.die(die).place != DiePlace::Unplaced || self.used_columns().contains(space.column())
        {
            return false;
        }
        let (at, excavator) = (space.index(), self.excavator.index());
        match at.checked_sub(excavator) {
            None => true,
            Some(0) => false,
            Some(distance) => {
                distance <= self.die(die).face + powers.excavate_reach && self.die_ahead().is_none()
            }
        }
    }

    /// The columns that have got their worker die.
    fn used_columns(&self) -> Columns {
        self.placed().map(|(_, space)| space.column()).collect()
    }

    /// The worker die ahead of the excavator, with its space.
    pub(super) fn die_ahead(&self) -> Option<(Die, Space)> {
        self.placed().find(|&(_, space)| space > self.excavator)
    }

    /// `reroll_all`: before the first placement of the round, once.
    pub(super) fn may_reroll_all(&self, powers: &Powers) -> bool {
        self.placed().next().is_none()
            && !self.this_round.rerolled_all
            && powers
                .reroll_all_cost
                .is_some_and(|cost| cost <= self.energy)
    }

    /// `adjust_die`: once per round for each source, within the faces of a die.
    pub(super) fn may_adjust(&self, die: Die, delta: Delta, powers: &Powers) -> bool {
        let face = self.die(die).face;
        self.die(die).place == DiePlace::Unplaced
            && (1..=tables().constants.die_faces).contains(&adjusted(face, delta))
            && self
                .adjust_cost(powers)
                .is_some_and(|cost| cost <= self.energy)
    }

    /// What the next adjustment of the round costs: the cheapest come first.
    fn adjust_cost(&self, powers: &Powers) -> Option<u8> {
        powers
            .adjust_costs
            .get(usize::from(self.this_round.adjusted))
            .copied()
    }

    /// `drag_next`: once per round.
    pub(super) fn may_arm_drag(&self, powers: &Powers) -> bool {
        self.this_round.drag == Drag::Unused
            && powers.drag_cost.is_some_and(|cost| cost <= self.energy)
    }

    pub(super) fn adjust_die(&mut self, die: Die, delta: Delta, cx: &mut Cx<'_, Event>) {
        let cost = self.adjust_cost(&self.powers());
        self.pay(cost.unwrap_or(0), cx);
        self.this_round.adjusted += 1;
        let face = adjusted(self.die(die).face, delta);
        self.dice[usize::from(die.index())].face = face;
        cx.tell(Audience::All, || Event::DieAdjusted { die, face });
    }

    pub(super) fn reroll_all(&mut self, cx: &mut Cx<'_, Event>) {
        self.pay(self.powers().reroll_all_cost.unwrap_or(0), cx);
        self.this_round.rerolled_all = true;
        self.reroll(cx);
    }

    /// REROLL: all unplaced worker dice, white ones too (R47), in order of number.
    pub(super) fn reroll(&mut self, cx: &mut Cx<'_, Event>) {
        let mut faces = [None; Die::COUNT as usize];
        for (die, face) in self.dice.iter_mut().zip(&mut faces) {
            if die.place == DiePlace::Unplaced {
                die.face = cx.chance.die(tables().constants.die_faces);
                *face = Some(die.face);
            }
        }
        cx.tell(Audience::All, || Event::DiceRerolled { faces });
    }

    /// After `place_die` (section 5, step 3): a robot there is removed, the column descends, and
    /// the ships trigger what they have come to.
    pub(super) fn place_die(&mut self, die: Die, space: Space, cx: &mut Cx<'_, Event>) -> Step {
        // R34: the robot is lost, its value too.
        if let Some((robot, _)) = self.robot_on(space) {
            self.remove_robot(robot, cx);
        }
        let descent = self.descent(die, space);
        if self.this_round.drag == Drag::Armed {
            self.this_round.drag = Drag::Used;
        }
        self.dice[usize::from(die.index())].place = DiePlace::On(space);
        cx.tell(Audience::All, || Event::DiePlaced {
            die,
            space,
            descent,
        });
        let moved = self.descend(space.column(), descent, cx)?;
        self.trigger(&moved, cx)
    }

    /// 6.2: how far the ships descend. Room modifiers have no part in it (R15).
    pub(super) fn descent(&self, die: Die, space: Space) -> u8 {
        let powers = self.powers();
        let mut descent = self.die(die).face;
        if space.row() == 0 {
            let extra = powers.aa_extra[usize::from(space.column().index())];
            descent = descent.saturating_sub(tables().constants.aa_slowdown + extra);
        }
        if self.this_round.drag == Drag::Armed {
            descent = descent.saturating_sub(1);
        }
        if descent == 0 {
            0
        } else {
            descent + self.command_ship_descent(space.column())
        }
    }

    /// 6.2: every ship of the column moves down, all at the same time (R3). Those that pass below
    /// row 0 hit the city, the top one first. The others are returned with their cells, from the
    /// top down.
    fn descend(
        &mut self,
        column: Column,
        rows: u8,
        cx: &mut Cx<'_, Event>,
    ) -> ControlFlow<(), Landed> {
        let mut landed = Landed::new();
        // R5: without a descent nothing moves and nothing triggers.
        if rows == 0 {
            return ControlFlow::Continue(landed);
        }
        let mut hits = ArrayVec::<Ship, { Ship::COUNT as usize }>::new();
        for (ship, row) in self.column_from_top(column) {
            match row.checked_sub(rows) {
                Some(row) => {
                    self.move_ship(ship, ShipPlace::Sky { row, column }, ShipCause::Descent, cx);
                    landed.push((ship, row, column));
                }
                None => hits.push(ship),
            }
        }
        self.hit_city(&hits, cx)?;
        ControlFlow::Continue(landed)
    }

    /// The ships of a column with their rows, the one on the drop point too, from the top down.
    fn column_from_top(&self, column: Column) -> ArrayVec<(Ship, u8), { Ship::COUNT as usize }> {
        let rows = Ship::all().filter_map(|ship| match self.ship(ship) {
            ShipPlace::DropPoint(at) if at == column => Some((ship, self.mothership)),
            ShipPlace::Sky { row, column: at } if at == column => Some((ship, row)),
            _ => None,
        });
        let mut ships: ArrayVec<_, { Ship::COUNT as usize }> = rows.collect();
        ships.sort_unstable_by_key(|&(_, row)| u8::MAX - row);
        ships
    }

    /// Ships hit the city at the same time: back to the pool with them (R13), and damage, unless
    /// the scenario says otherwise.
    pub(super) fn hit_city(&mut self, ships: &[Ship], cx: &mut Cx<'_, Event>) -> Step {
        for &ship in ships {
            let (place, _) = self.impact(ship.color());
            self.move_ship(ship, place, ShipCause::HitCity, cx);
        }
        for &ship in ships {
            let (_, damage) = self.impact(ship.color());
            self.take_damage(damage, cx)?;
        }
        ControlFlow::Continue(())
    }

    /// 6.3: what the ships have come to, from the top down (R4); only where their descent ended
    /// (R2), and only if they are still there.
    fn trigger(&mut self, landed: &[(Ship, u8, Column)], cx: &mut Cx<'_, Event>) -> Step {
        for &(ship, row, column) in landed {
            if self.ship(ship) != (ShipPlace::Sky { row, column }) {
                continue;
            }
            match self.sky.cell(row, column) {
                Cell::Empty | Cell::Explosion(_) | Cell::RedExplosion(_) => {}
                // R6: what the new space shows is not triggered. R8: an occupied one keeps the ship
                // where it is.
                Cell::Arrow(direction) => {
                    if let Some(next) = column.next(direction) {
                        self.shift(ship, row, next, ShipCause::Arrow, cx);
                    }
                }
                // R9: without row action.
                Cell::Mothership => self.lower_mothership(cx)?,
                Cell::Gate(color) => {
                    if let Some((row, column)) = self.sky.other_gate(row, column, color)
                        && row < self.mothership
                    {
                        self.shift(ship, row, column, ShipCause::Gate, cx);
                    }
                }
            }
        }
        Step::Continue(())
    }

    /// The ship goes to a cell, unless a ship is there. Nothing is triggered.
    pub(super) fn shift(
        &mut self,
        ship: Ship,
        row: u8,
        column: Column,
        cause: ShipCause,
        cx: &mut Cx<'_, Event>,
    ) {
        if self.ship_at(row, column).is_none() {
            self.move_ship(ship, ShipPlace::Sky { row, column }, cause, cx);
        }
    }
}

/// Ships with the cells where their descent ended.
type Landed = ArrayVec<(Ship, u8, Column), { Ship::COUNT as usize }>;

const fn adjusted(face: u8, delta: Delta) -> u8 {
    match delta {
        Delta::Down => face.saturating_sub(1),
        Delta::Up => face + 1,
    }
}
