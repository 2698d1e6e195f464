//! Death and loot (section 11): `resolve_deaths` runs once after each batch of damage.

use super::attack::ROB_ON_DAMAGE_SEATS_MAX;
use super::card::{Card, Equipment};
use super::character::Character;
use super::event::Event;
use super::frame::{Deaths, Frame, Question};
use super::state::ShadowHunters;
use super::victory::Kills;
use crate::cx::{Audience, Cx};
use crate::seat::{Seat, SeatSet};

impl ShadowHunters {
    /// After damage from a card, area or ability of this owner.
    pub(super) fn resolve_deaths(&mut self, owner: Seat) {
        self.push_deaths(owner, false);
    }

    /// After the damage of an attack by this owner.
    pub(super) fn resolve_attack_deaths(&mut self, owner: Seat) {
        self.push_deaths(owner, true);
    }

    fn push_deaths(&mut self, owner: Seat, by_attack: bool) {
        let rosary = by_attack && self.public.player(owner).owns(Equipment::SilverRosary);
        self.push(Frame::Deaths(Deaths {
            owner,
            by_attack,
            rosary,
            killed: None,
            left: SeatSet::EMPTY,
        }));
    }

    /// Death, forced reveals, loot victim by victim, checkpoint.
    pub(super) fn go_on_with_deaths(&mut self, deaths: Deaths, cx: &mut Cx<'_, Event>) {
        let Some(killed) = deaths.killed else {
            let killed = self.die(cx);
            self.force_reveals(killed, deaths, cx);
            self.set_deaths(Deaths {
                killed: Some(killed),
                left: killed,
                ..deaths
            });
            return;
        };
        let next = self
            .public
            .seats_from(self.public.active)
            .find(|&seat| deaths.left.contains(seat));
        if let Some(victim) = next {
            self.set_deaths(Deaths {
                left: deaths.left.without(victim),
                ..deaths
            });
            return self.settle_equipment(victim, deaths, cx);
        }
        self.public.stack.pop();
        let kills = Kills {
            owner: deaths.owner,
            by_attack: deaths.by_attack,
            killed,
        };
        self.checkpoint(Some(kills), cx);
        // R50: nothing is left of the turn of who has died in it.
        if self.public.ending.is_none() && !self.public.player(self.public.active).alive {
            self.drop_turn();
        }
    }

    fn set_deaths(&mut self, deaths: Deaths) {
        if let Some(top) = self.public.stack.last_mut() {
            *top = Frame::Deaths(deaths);
        }
    }

    /// 11.1: everybody with damage of at least the printed hit points dies, all at once.
    fn die(&mut self, cx: &mut Cx<'_, Event>) -> SeatSet {
        let first = self.public.dead() == 0;
        let killed: SeatSet = self
            .public
            .living()
            .iter()
            .filter(|&seat| self.public.player(seat).damage >= self.character(seat).hp())
            .collect();
        for seat in self.public.seats_from(self.public.active) {
            if !killed.contains(seat) {
                continue;
            }
            let player = self.public.player_mut(seat);
            player.alive = false;
            player.died_first = first;
            player.slot = None;
            player.guardian = false;
            player.barrier = false;
            player.extra_turns = 0;
            cx.tell(Audience::All, || Event::Died { seat });
            self.reveal(seat, cx);
        }
        killed
    }

    /// 11.2: Scream and My God.
    fn force_reveals(&mut self, killed: SeatSet, deaths: Deaths, cx: &mut Cx<'_, Event>) {
        if killed.is_empty() {
            return;
        }
        let living = self.public.living();
        let forced = |seat: &Seat| living.contains(*seat) && self.public.has_ability(*seat);
        let daniel = self.seat_of(Character::Daniel).filter(forced);
        let bryan = self.seat_of(Character::Bryan).filter(forced);
        let small = Character::Bryan.facts().reveal_kill_hp_max;
        let killed_small = killed.iter().any(|seat| self.character(seat).hp() <= small);
        if let Some(seat) = daniel {
            self.reveal(seat, cx);
        }
        if let Some(seat) = bryan
            && deaths.by_attack
            && deaths.owner == seat
            && killed_small
        {
            self.reveal(seat, cx);
        }
    }

    /// 11.3: what becomes of a victim's equipment. A dead killer, or the victim himself, takes
    /// nothing (R52).
    fn settle_equipment(&mut self, victim: Seat, deaths: Deaths, cx: &mut Cx<'_, Event>) {
        let killer = deaths.owner;
        let player = self.public.player(killer);
        if self.public.player(victim).equipment.is_empty() {
            return;
        }
        if !player.alive {
            return self.discard_equipment(victim, cx);
        }
        let robs_whom_he_kills = self.public.seats() > ROB_ON_DAMAGE_SEATS_MAX;
        let is_bob = player.is_revealed_as(Character::Bob) && self.public.has_ability(killer);
        if deaths.rosary || deaths.by_attack && robs_whom_he_kills && is_bob {
            self.take_all(killer, victim, cx);
        } else if deaths.by_attack && robs_whom_he_kills && player.is_hidden() {
            self.ask(killer, Question::TakeAll { victim });
        } else {
            self.ask(killer, Question::Loot { victim });
        }
    }

    /// The Silver Rosary, and Robbery with 7 or 8 players: everything.
    pub(super) fn take_all(&mut self, killer: Seat, victim: Seat, cx: &mut Cx<'_, Event>) {
        for card in self.public.player(victim).equipment.clone() {
            self.move_equipment(victim, killer, card, cx);
        }
    }

    /// R51: one card of choice, the rest goes to the discard piles.
    pub(super) fn loot(
        &mut self,
        killer: Seat,
        victim: Seat,
        card: Equipment,
        cx: &mut Cx<'_, Event>,
    ) {
        self.move_equipment(victim, killer, card, cx);
        self.discard_equipment(victim, cx);
    }

    /// In the order of the row.
    fn discard_equipment(&mut self, victim: Seat, cx: &mut Cx<'_, Event>) {
        for card in self.public.player_mut(victim).equipment.take() {
            self.discard(Card::Equipment(card), cx);
        }
    }
}
