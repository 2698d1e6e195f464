//! What the scenarios change (12.3): each rule is asked at one named point.

use std::ops::ControlFlow;

use super::event::{Event, ShipCause};
use super::flow::Step;
use super::geometry::{Column, Direction, Space};
use super::pieces::{Die, Ship, ShipColor, ShipPlace};
use super::state::Battle;
use super::tables::{Rule, tables};
use crate::cx::{Audience, Cx};

impl Battle {
    /// The Final Battle: two more rows of sky.
    pub(super) fn has_strip(&self) -> bool {
        matches!(self.rule(), Some(Rule::FinalStrip { .. }))
    }

    /// Set-up. Reinforcements and The Final Battle: white ships in the pool. Command Ship: the
    /// orange ship in the pool. Repairing the Base: damage.
    pub(super) fn start_scenario(&mut self, cx: &mut Cx<'_, Event>) {
        match self.rule() {
            Some(&Rule::StartWhite { n } | &Rule::FinalStrip { start_white: n, .. }) => {
                self.add_white_ships(n, cx)
            }
            Some(Rule::OrangeShip { .. }) => {
                self.move_ship(Ship::ORANGE, ShipPlace::Pool, ShipCause::Added, cx)
            }
            Some(&Rule::StartDamage { n, .. }) => {
                self.damage = n;
                cx.tell(Audience::All, || Event::DamageChanged { damage: n });
            }
            Some(
                Rule::GateShots { .. }
                | Rule::GateEvacuation { .. }
                | Rule::JammedColumn
                | Rule::ResearchDrain { .. }
                | Rule::EnergyLeak { .. }
                | Rule::ExcavateSurcharge { .. }
                | Rule::WhiteKamikaze { .. }
                | Rule::SabotagedDie
                | Rule::Wind { .. },
            )
            | None => {}
        }
    }

    /// ROUND_START, after the roll. Saboteur: the highest grey die, the first of equals, loses 1.
    /// Satellites: a column is jammed.
    pub(super) fn start_round_of_scenario(&mut self, cx: &mut Cx<'_, Event>) {
        match self.rule() {
            Some(Rule::SabotagedDie) => {
                // The last of the greatest, seen from behind, is the first.
                let Some(die) = (0..Die::GREYS)
                    .rev()
                    .filter_map(Die::from_index)
                    .max_by_key(|&die| self.die(die).face)
                else {
                    return;
                };
                let rolled = self.die(die).face;
                let face = rolled.saturating_sub(1).max(1);
                self.this_round.sabotaged = Some((die, rolled));
                self.dice[usize::from(die.index())].face = face;
                cx.tell(Audience::All, || Event::DieSabotaged { die, face });
            }
            Some(Rule::JammedColumn) => {
                let column = Column::from_index(cx.chance.die(tables().constants.die_faces) - 1);
                self.this_round.jammed = column;
                cx.tell(Audience::All, || Event::ColumnJammed { column });
            }
            _ => {}
        }
    }

    /// End of DICE. Storm: the wind moves every ship of the sky one column, if there is one and no
    /// ship stands there. The column that the wind blows to comes first, and the top row.
    pub(super) fn blow_wind(&mut self, cx: &mut Cx<'_, Event>) {
        let Some(&Rule::Wind {
            left_max,
            right_min,
        }) = self.rule()
        else {
            return;
        };
        let face = cx.chance.die(tables().constants.die_faces);
        let direction = if face <= left_max {
            Some(Direction::Left)
        } else if face >= right_min {
            Some(Direction::Right)
        } else {
            None
        };
        self.this_round.wind = direction;
        cx.tell(Audience::All, || Event::WindBlew { direction });
        match direction {
            None => {}
            Some(Direction::Left) => {
                Column::all().for_each(|column| self.blow(column, Direction::Left, cx))
            }
            Some(Direction::Right) => Column::all()
                .rev()
                .for_each(|column| self.blow(column, Direction::Right, cx)),
        }
    }

    fn blow(&mut self, column: Column, direction: Direction, cx: &mut Cx<'_, Event>) {
        let Some(to) = column.next(direction) else {
            return;
        };
        for (ship, row, at) in self.sky_ships() {
            if at == column {
                self.shift(ship, row, to, ShipCause::Wind, cx);
            }
        }
    }

    /// End of ROOMS. Reactor Leak: energy is lost.
    pub(super) fn leak_energy(&mut self, cx: &mut Cx<'_, Event>) {
        if let Some(&Rule::EnergyLeak { n }) = self.rule() {
            self.pay(n.min(self.energy), cx);
        }
    }

    /// Command Ship: how much longer a descent is in its column.
    pub(super) fn command_ship_descent(&self, column: Column) -> u8 {
        let is_here = match self.ship(Ship::ORANGE) {
            ShipPlace::DropPoint(at) | ShipPlace::Sky { column: at, .. } => at == column,
            ShipPlace::Supply | ShipPlace::Pool => false,
        };
        match self.rule() {
            Some(&Rule::OrangeShip { descent, .. }) if is_here => descent,
            _ => 0,
        }
    }

    /// Command Ship: how much more it takes to shoot it down.
    pub(super) fn armor(&self, ship: Ship) -> u8 {
        match self.rule() {
            Some(&Rule::OrangeShip { armor, .. }) if ship == Ship::ORANGE => armor,
            _ => 0,
        }
    }

    /// Where a ship that hits the city goes, and what it does to it. Command Ship: more damage.
    /// Kamikaze Ships: white ones do more, and leave play.
    pub(super) fn impact(&self, color: ShipColor) -> (ShipPlace, u8) {
        match (self.rule(), color) {
            (Some(&Rule::OrangeShip { damage, .. }), ShipColor::Orange) => {
                (ShipPlace::Pool, damage)
            }
            (Some(&Rule::WhiteKamikaze { damage }), ShipColor::White) => {
                (ShipPlace::Supply, damage)
            }
            _ => (ShipPlace::Pool, 1),
        }
    }

    /// Battle for the Sky and Evacuation: whether the step onto the last research space may be
    /// made.
    pub(super) fn last_step_is_open(&self) -> bool {
        match self.rule() {
            Some(&Rule::GateShots { n }) => self.this_battle.shots >= n,
            Some(&Rule::GateEvacuation { n, .. }) => self.this_battle.evacuations >= n,
            _ => true,
        }
    }

    /// Dangerous Research: what advances costs energy, or damages the base.
    pub(super) fn drain_research(&mut self, cx: &mut Cx<'_, Event>) -> Step {
        let Some(&Rule::ResearchDrain { n }) = self.rule() else {
            return ControlFlow::Continue(());
        };
        for _ in 0..n {
            if self.energy == 0 {
                self.take_damage(1, cx)?;
            } else {
                self.pay(1, cx);
            }
        }
        ControlFlow::Continue(())
    }

    /// Contamination: how much more excavating costs.
    pub(super) fn excavate_surcharge(&self) -> u8 {
        match self.rule() {
            Some(&Rule::ExcavateSurcharge { n }) => n,
            _ => 0,
        }
    }

    /// Repairing the Base: what a repair costs, once per round.
    pub(super) fn scenario_repair_cost(&self) -> Option<u8> {
        match self.rule() {
            Some(&Rule::StartDamage { repair_cost, .. }) if !self.this_round.repaired => {
                Some(repair_cost)
            }
            _ => None,
        }
    }

    /// Evacuation: a high die on an AA gun can take people out, also when enough are out.
    pub(super) fn may_evacuate(&self, space: Space) -> bool {
        let Some(&Rule::GateEvacuation { min_die, cost, .. }) = self.rule() else {
            return false;
        };
        let has_die = self
            .die_on(space)
            .is_some_and(|die| self.die(die).face >= min_die);
        space.row() == 0 && has_die && cost <= self.energy
    }

    pub(super) fn evacuate(&mut self, space: Space, cx: &mut Cx<'_, Event>) {
        if let (Some(&Rule::GateEvacuation { cost, .. }), Some(die)) =
            (self.rule(), self.die_on(space))
        {
            self.pay(cost, cx);
            self.take_die(die, cx);
            self.this_battle.evacuations = self.this_battle.evacuations.saturating_add(1);
            let evacuations = self.this_battle.evacuations;
            cx.tell(Audience::All, || Event::Evacuated { evacuations });
        }
    }
}
