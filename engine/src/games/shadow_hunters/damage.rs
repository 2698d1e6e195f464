//! Damage, healing, and what prevents them (section 5).

use super::card::{Equipment, SingleUse};
use super::event::{DamageSource, Event};
use super::state::{Public, ShadowHunters};
use crate::cx::{Audience, Cx};
use crate::seat::{Seat, SeatSet};

impl Public {
    /// Whether something keeps all damage from this source away from the target.
    pub(super) fn is_protected(&self, target: Seat, source: DamageSource) -> bool {
        let player = self.player(target);
        // (a) Ghostly Barrier: every source, own ones too (R16).
        player.barrier
            || match source {
                // (b) Guardian Angel: attacks only (R15).
                DamageSource::Attack => player.guardian,
                // (c) The Talisman.
                DamageSource::Card(
                    SingleUse::BloodthirstySpider | SingleUse::VampireBat | SingleUse::Dynamite,
                ) => player.owns(Equipment::Talisman),
                // (d) The Fortune Brooch.
                DamageSource::WeirdWoods => player.owns(Equipment::FortuneBrooch),
                DamageSource::Card(_) | DamageSource::Hermit | DamageSource::Ability(_) => false,
            }
    }
}

impl ShadowHunters {
    /// Gives damage; what is prevented is told as 0. Who dies of it is settled by `resolve_deaths`,
    /// once for the whole batch.
    pub(super) fn give_damage(
        &mut self,
        target: Seat,
        amount: u8,
        source: DamageSource,
        cx: &mut Cx<'_, Event>,
    ) {
        let amount = if self.public.is_protected(target, source) {
            0
        } else {
            amount
        };
        let player = self.public.player_mut(target);
        player.damage += amount;
        let damage = player.damage;
        cx.tell(Audience::All, || Event::Damaged {
            seat: target,
            source,
            amount,
            damage,
        });
    }

    /// The same damage to several, in seat order from the active player.
    pub(super) fn give_damage_to_all(
        &mut self,
        targets: SeatSet,
        amount: u8,
        source: DamageSource,
        cx: &mut Cx<'_, Event>,
    ) {
        for seat in self.public.seats_from(self.public.active) {
            if targets.contains(seat) {
                self.give_damage(seat, amount, source, cx);
            }
        }
    }

    /// Heals up to so much damage.
    pub(super) fn heal(&mut self, seat: Seat, amount: u8, cx: &mut Cx<'_, Event>) {
        let player = self.public.player_mut(seat);
        let amount = amount.min(player.damage);
        player.damage -= amount;
        let damage = player.damage;
        cx.tell(Audience::All, || Event::Healed {
            seat,
            amount,
            damage,
        });
    }

    pub(super) fn heal_all(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        self.heal(seat, u8::MAX, cx);
    }

    /// Neither damage nor healing: it works through a Ghostly Barrier (R16).
    pub(super) fn set_damage(&mut self, seat: Seat, damage: u8, cx: &mut Cx<'_, Event>) {
        self.public.player_mut(seat).damage = damage;
        cx.tell(Audience::All, || Event::DamageSet { seat, damage });
    }
}
