//! The mothership: its descent, its row actions and the ships that it spawns (6.4 to 6.6).

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::event::{Event, ShipCause};
use super::flow::Step;
use super::geometry::{Column, Columns, Space};
use super::pieces::{Ship, ShipColor, ShipPlace};
use super::state::{Battle, BattleEnd, Stage};
use super::tables::RowAction;
use crate::cx::{Audience, Cx};

impl Battle {
    /// MS_MOVE and what follows, up to the next decision.
    pub(super) fn move_mothership(&mut self, cx: &mut Cx<'_, Event>) -> Step {
        self.lower_mothership(cx)?;
        let action = self.row_action();
        if action != RowAction::None
            && self.this_battle.ignored_actions < self.powers().ignored_actions
        {
            self.stage = Stage::IgnoreAction;
            return ControlFlow::Continue(());
        }
        self.answer_row_action(false, cx)
    }

    /// What the mothership does in its row.
    pub fn row_action(&self) -> RowAction {
        self.sky.action(self.mothership)
    }

    /// MS_ACTION, once it is settled whether it is ignored, and MS_SPAWN.
    pub(super) fn answer_row_action(&mut self, ignore: bool, cx: &mut Cx<'_, Event>) -> Step {
        let action = self.row_action();
        if ignore {
            self.this_battle.ignored_actions += 1;
            cx.tell(Audience::All, || Event::RowActionIgnored { action });
        } else {
            self.take_row_action(action, cx)?;
        }
        self.spawn_ships(cx);
        ControlFlow::Continue(())
    }

    /// 6.4: one row down. Ships of the sky that stand there go to the pool (R10, R11), ships on
    /// drop points ride along (R12), the skull wins at once.
    pub(super) fn lower_mothership(&mut self, cx: &mut Cx<'_, Event>) -> Step {
        let row = self.mothership.saturating_sub(1);
        self.mothership = row;
        cx.tell(Audience::All, || Event::MothershipDescended { row });
        for column in Column::all() {
            if let Some(ship) = self.ship_at(row, column) {
                self.move_ship(ship, ShipPlace::Pool, ShipCause::Swept, cx);
            }
        }
        if self.row_action() == RowAction::Skull {
            return self.finish(BattleEnd::LostMothership, cx);
        }
        ControlFlow::Continue(())
    }

    /// 6.5.
    fn take_row_action(&mut self, action: RowAction, cx: &mut Cx<'_, Event>) -> Step {
        if action != RowAction::None {
            cx.tell(Audience::All, || Event::RowActionTaken { action });
        }
        match action {
            RowAction::None | RowAction::Skull => {}
            RowAction::White(count) => self.add_white_ships(count, cx),
            RowAction::Excavator(spaces) => self.push_excavator_back(spaces, cx),
            RowAction::Research(spaces) => {
                // R40: below the track there is nothing.
                self.set_research(self.research.saturating_sub(spaces), cx);
            }
            RowAction::Damage(points) => self.take_damage(points, cx)?,
            RowAction::Dive(rows) => self.dive(rows, cx)?,
        }
        ControlFlow::Continue(())
    }

    /// R14: of the white ships as many as the supply has.
    pub(super) fn add_white_ships(&mut self, count: u8, cx: &mut Cx<'_, Event>) {
        let in_supply = Ship::whites().filter(|&ship| self.ship(ship) == ShipPlace::Supply);
        let added: ArrayVec<Ship, { Ship::WHITES as usize }> =
            in_supply.take(usize::from(count)).collect();
        for ship in added {
            self.move_ship(ship, ShipPlace::Pool, ShipCause::Added, cx);
        }
    }

    /// The excavator goes back, at most to its start (R39); robots from its space on leave (R38).
    fn push_excavator_back(&mut self, spaces: u8, cx: &mut Cx<'_, Event>) {
        let spaces = spaces.saturating_sub(self.powers().retreat_reduction);
        let start = self.base().excavator_start;
        let back = Space::from_index(self.excavator.index().saturating_sub(spaces));
        let to = back.map_or(start, |back| back.max(start));
        if to == self.excavator {
            return;
        }
        self.excavator = to;
        cx.tell(Audience::All, || Event::ExcavatorMoved { space: to });
        let buried: ArrayVec<_, 2> = self
            .standing_robots()
            .filter(|(_, robot)| robot.space >= to)
            .map(|(die, _)| die)
            .collect();
        for robot in buried {
            self.remove_robot(robot, cx);
        }
    }

    /// 12.1: every ship of the sky descends at once; those that pass below row 0 hit the city, top
    /// row first, then from left to right.
    fn dive(&mut self, rows: u8, cx: &mut Cx<'_, Event>) -> Step {
        let mut hits = ArrayVec::<Ship, { Ship::COUNT as usize }>::new();
        for (ship, row, column) in self.sky_ships() {
            match row.checked_sub(rows) {
                Some(row) => {
                    self.move_ship(ship, ShipPlace::Sky { row, column }, ShipCause::Dive, cx)
                }
                None => hits.push(ship),
            }
        }
        self.hit_city(&hits, cx)
    }

    /// MS_SPAWN: the ships of the pool appear, up to the next decision; then the next round begins.
    pub(super) fn spawn_ships(&mut self, cx: &mut Cx<'_, Event>) {
        while let Some(ship) = self.next_to_spawn() {
            let columns = self.spawn_columns(ship);
            let mut choices = columns.iter();
            match (choices.next(), choices.next()) {
                // R43: this ship and all later ones wait.
                (None, _) => break,
                (Some(column), None) => self.spawn(ship, column, cx),
                (Some(_), Some(_)) => {
                    self.stage = Stage::Spawn { ship, columns };
                    return;
                }
            }
        }
        self.start_round(cx);
    }

    pub(super) fn spawn_chosen(&mut self, column: Column, cx: &mut Cx<'_, Event>) {
        if let Stage::Spawn { ship, .. } = self.stage {
            self.spawn(ship, column, cx);
        }
    }

    fn spawn(&mut self, ship: Ship, column: Column, cx: &mut Cx<'_, Event>) {
        self.move_ship(ship, ShipPlace::DropPoint(column), ShipCause::Spawned, cx);
    }

    /// 6.6: the reds, then the orange ship, then the whites, each color in order of number.
    fn next_to_spawn(&self) -> Option<Ship> {
        let in_order = Ship::reds().chain([Ship::ORANGE]).chain(Ship::whites());
        in_order
            .into_iter()
            .find(|&ship| self.ship(ship) == ShipPlace::Pool)
    }

    /// 6.6: the columns where a ship may appear. Of those with a free drop point (R42) the ones
    /// without any ship; if there are none, the ones whose topmost ship is farthest down.
    fn spawn_columns(&self, ship: Ship) -> Columns {
        let free = |column: &Column| {
            Ship::all().all(|ship| self.ship(ship) != ShipPlace::DropPoint(*column))
        };
        let free: Columns = Column::all().filter(free).collect();
        let powers = self.powers();
        let is_free_choice =
            powers.free_spawn_all || (powers.free_spawn_white && ship.color() == ShipColor::White);
        if is_free_choice {
            return free;
        }
        // A column without a ship counts as deeper than any other.
        let depth = |column: Column| {
            self.topmost_row(column)
                .map_or(u8::MAX, |row| self.mothership.saturating_sub(row))
        };
        let deepest = free.iter().map(depth).max();
        free.iter()
            .filter(|&column| Some(depth(column)) == deepest)
            .collect()
    }

    /// The row of the topmost ship of a column in the sky.
    fn topmost_row(&self, column: Column) -> Option<u8> {
        self.sky_ships()
            .iter()
            .find(|(_, _, at)| *at == column)
            .map(|&(_, row, _)| row)
    }
}
