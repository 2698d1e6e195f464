//! What abilities let the player do in the rooms phase: `tap_tunnel`, `repair`, `repel` (section
//! 8).

use super::action::RepairSource;
use super::event::{Event, ShipCause};
use super::geometry::Space;
use super::pieces::{Ship, ShipPlace};
use super::powers::{Powers, Repair};
use super::state::Battle;
use crate::cx::{Audience, Cx};

impl Battle {
    /// `tap_tunnel`: an excavated tunnel with a worker die.
    pub(super) fn may_tap(&self, space: Space, powers: &Powers) -> bool {
        powers.tunnel_energy.is_some()
            && self.base().tunnels.contains(space)
            && self.excavated().contains(space)
            && self.die_on(space).is_some()
    }

    pub(super) fn tap_tunnel(&mut self, space: Space, cx: &mut Cx<'_, Event>) {
        if let Some(die) = self.die_on(space) {
            self.take_die(die, cx);
            self.gain_energy(self.powers().tunnel_energy.unwrap_or(0), cx);
        }
    }

    /// `repair`: there is damage, the energy is there, and the source has uses left.
    pub(super) fn may_repair(&self, source: RepairSource, powers: &Powers) -> bool {
        self.damage >= 1
            && self
                .repair_cost(source, powers)
                .is_some_and(|cost| cost <= self.energy)
    }

    /// What a repair from this source costs; `None` if it grants none now.
    fn repair_cost(&self, source: RepairSource, powers: &Powers) -> Option<u8> {
        match source {
            RepairSource::Character(character) => {
                let place = self.team.iter().position(|member| member.id == character)?;
                let Repair { cost, uses } = (*powers.repairs.get(place)?)?;
                (self.this_battle.repairs[place] < uses).then_some(cost)
            }
            RepairSource::Scenario => self.scenario_repair_cost(),
        }
    }

    pub(super) fn repair(&mut self, source: RepairSource, cx: &mut Cx<'_, Event>) {
        self.pay(self.repair_cost(source, &self.powers()).unwrap_or(0), cx);
        match source {
            RepairSource::Character(character) => {
                if let Some(place) = self.team.iter().position(|member| member.id == character) {
                    self.this_battle.repairs[place] += 1;
                }
            }
            RepairSource::Scenario => self.this_round.repaired = true,
        }
        self.damage = self.damage.saturating_sub(1);
        let damage = self.damage;
        cx.tell(Audience::All, || Event::DamageChanged { damage });
    }

    /// `repel`: once per round, to a free space.
    pub(super) fn may_repel(&self, ship: Ship, powers: &Powers) -> bool {
        !self.this_round.repelled
            && powers.repel.is_some_and(|repel| repel.cost <= self.energy)
            && self.repelled_to(ship, powers).is_some()
    }

    /// Where a ship of the sky would be driven: up, at most to right below the mothership. `None`
    /// if it wouldn't move, or another is there.
    fn repelled_to(&self, ship: Ship, powers: &Powers) -> Option<ShipPlace> {
        let ShipPlace::Sky { row, column } = self.ship(ship) else {
            return None;
        };
        let up = (row + powers.repel?.rows).min(self.mothership.saturating_sub(1));
        (up > row && self.ship_at(up, column).is_none())
            .then_some(ShipPlace::Sky { row: up, column })
    }

    pub(super) fn repel(&mut self, ship: Ship, cx: &mut Cx<'_, Event>) {
        let powers = self.powers();
        self.pay(powers.repel.map_or(0, |repel| repel.cost), cx);
        self.this_round.repelled = true;
        if let Some(to) = self.repelled_to(ship, &powers) {
            self.move_ship(ship, to, ShipCause::Repelled, cx);
        }
    }
}
