//! The attack (section 10): one sequence of steps, for the normal attack, the counterattack and the
//! Bloody Feast alike.

use super::card::Equipment;
use super::character::{Character, Faction};
use super::event::{DamageSource, Event};
use super::frame::{Attack, AttackRoll, AttackStep, Dice, Frame, Question, WindowKind};
use super::moving::{roll_both, roll_one};
use super::state::{Public, ShadowHunters};
use crate::cx::{Audience, Cx};
use crate::seat::{SEATS_MAX, Seat, SeatSet};

/// Bob robs when he would give damage with up to so many seats, and when he kills with more.
pub(super) const ROB_ON_DAMAGE_SEATS_MAX: u8 = 6;

impl ShadowHunters {
    /// Step 1: the declaration fixes the targets. `None` is everybody in range, by the Machine Gun.
    pub(super) fn declare_attack(
        &mut self,
        attacker: Seat,
        target: Option<Seat>,
        cx: &mut Cx<'_, Event>,
    ) {
        let targets = match target {
            Some(target) => SeatSet::only(target),
            // R8: no exceptions.
            None => self.public.in_range(attacker),
        };
        self.begin_attack(attacker, targets, false, cx);
    }

    fn begin_attack(
        &mut self,
        attacker: Seat,
        targets: SeatSet,
        counter: bool,
        cx: &mut Cx<'_, Event>,
    ) {
        cx.tell(Audience::All, || Event::AttackDeclared {
            attacker,
            targets,
            counter,
        });
        self.push(Frame::Attack(Attack {
            attacker,
            targets,
            counter,
            step: AttackStep::Window,
            roll: None,
            damage: [0; SEATS_MAX as usize],
            robbed: SeatSet::EMPTY,
            damaged: 0,
            left: SeatSet::EMPTY,
        }));
    }

    /// The steps of an attack, in order.
    pub(super) fn go_on_with_attack(&mut self, attack: Attack, cx: &mut Cx<'_, Event>) {
        match attack.step {
            AttackStep::Window => {
                self.set_attack(Attack {
                    step: AttackStep::Roll,
                    ..attack
                });
                self.open_window(WindowKind::Attack {
                    attacker: attack.attacker,
                    targets: attack.targets,
                });
            }
            AttackStep::Roll => self.roll_attack(attack, cx),
            AttackStep::Spear => self.ask_for_spear(attack),
            AttackStep::Fix => self.fix_damage(attack),
            AttackStep::Rob => self.ask_to_rob(attack),
            AttackStep::Deal => self.deal_damage(attack, cx),
            AttackStep::SuckBlood => self.ask_to_suck_blood(attack, cx),
            AttackStep::Deaths => {
                self.set_attack(Attack {
                    step: AttackStep::Counterattack,
                    left: attack.targets,
                    ..attack
                });
                self.resolve_attack_deaths(attack.attacker);
            }
            AttackStep::Counterattack => self.ask_to_counterattack(attack),
            AttackStep::Feast => self.ask_to_feast(attack),
            AttackStep::Done => {
                self.public.stack.pop();
            }
        }
    }

    fn set_attack(&mut self, attack: Attack) {
        if let Some(top) = self.public.stack.last_mut() {
            *top = Frame::Attack(attack);
        }
    }

    /// Step 2: the dice. Equal dice fail: no damage, no bonus (R11); who was attacked may still
    /// strike back (R33).
    fn roll_attack(&mut self, attack: Attack, cx: &mut Cx<'_, Event>) {
        let attacker = attack.attacker;
        let roll = if self.public.rolls_d4_only(attacker) {
            AttackRoll {
                d6: None,
                d4: roll_one(attacker, 4, cx),
            }
        } else {
            let Dice { d6, d4 } = roll_both(attacker, cx);
            AttackRoll { d6: Some(d6), d4 }
        };
        let failed = roll.base() == 0;
        self.set_attack(Attack {
            roll: Some(roll),
            step: if failed {
                AttackStep::Counterattack
            } else {
                AttackStep::Spear
            },
            left: attack.targets,
            ..attack
        });
        if failed {
            cx.tell(Audience::All, || Event::AttackFailed { attacker });
        }
    }

    /// Step 3: a hidden owner of the Spear may be a Hunter who reveals (R13).
    fn ask_for_spear(&mut self, attack: Attack) {
        self.set_attack(Attack {
            step: AttackStep::Fix,
            ..attack
        });
        let player = self.public.player(attack.attacker);
        if let Some(roll) = attack.roll
            && player.owns(Equipment::SpearOfLonginus)
            && player.is_hidden()
        {
            let targets = attack.targets;
            self.ask(attack.attacker, Question::SpearReveal { targets, roll });
        }
    }

    /// Step 3: the numbers for all targets are fixed, before any equipment moves.
    fn fix_damage(&mut self, attack: Attack) {
        let mut damage = attack.damage;
        if let Some(roll) = attack.roll {
            for (target, damage) in (0..).map(Seat).zip(&mut damage) {
                if attack.targets.contains(target) {
                    *damage = self.public.attack_damage(attack.attacker, target, roll);
                }
            }
        }
        self.set_attack(Attack {
            step: AttackStep::Rob,
            damage,
            left: attack.targets,
            ..attack
        });
    }

    /// Step 4: with 4 to 6 players Bob may take a card instead of giving damage, target by target
    /// (R28).
    fn ask_to_rob(&mut self, attack: Attack) {
        let attacker = attack.attacker;
        let robs = self.public.seats() <= ROB_ON_DAMAGE_SEATS_MAX;
        let next = self.public.seats_from(attacker).find(|&target| {
            robs && attack.left.contains(target)
                && attack.damage_to(target) >= Character::Bob.facts().robbery_min_damage
                && !self.public.player(target).equipment.is_empty()
        });
        let Some(target) = next else {
            self.set_attack(Attack {
                step: AttackStep::Deal,
                ..attack
            });
            return;
        };
        self.set_attack(Attack {
            left: attack.left.without(target),
            ..attack
        });
        let damage = attack.damage_to(target);
        self.ask(attacker, Question::Rob { target, damage });
    }

    /// Robbery: the target gets no damage. It happens now; victory is looked at after the damage to
    /// the others.
    pub(super) fn rob(
        &mut self,
        bob: Seat,
        question: Question,
        card: Equipment,
        cx: &mut Cx<'_, Event>,
    ) {
        let Question::Rob { target, .. } = question else {
            return;
        };
        self.reveal(bob, cx);
        self.tell_ability(bob, Some(target), cx);
        if let Some(Frame::Attack(attack)) = self.public.stack.last_mut() {
            attack.robbed = attack.robbed.with(target);
        }
        self.move_equipment(target, bob, card, cx);
    }

    /// Step 5: all damage of the attack is one batch.
    fn deal_damage(&mut self, attack: Attack, cx: &mut Cx<'_, Event>) {
        let mut damaged = 0;
        for target in self.public.seats_from(self.public.active) {
            if !attack.targets.contains(target) || attack.robbed.contains(target) {
                continue;
            }
            let amount = attack.damage_to(target);
            self.give_damage(target, amount, DamageSource::Attack, cx);
            damaged += u8::from(amount > 0);
        }
        self.set_attack(Attack {
            step: AttackStep::SuckBlood,
            damaged,
            ..attack
        });
    }

    /// Step 5: the Vampire heals, by herself once revealed; a hidden attacker who has damage might
    /// be her (R30, R31).
    fn ask_to_suck_blood(&mut self, attack: Attack, cx: &mut Cx<'_, Event>) {
        self.set_attack(Attack {
            step: AttackStep::Deaths,
            ..attack
        });
        let (attacker, damaged) = (attack.attacker, attack.damaged);
        let player = self.public.player(attacker);
        if damaged == 0 || player.damage == 0 {
            return;
        }
        if player.is_hidden() {
            self.ask(attacker, Question::SuckBlood { damaged });
        } else if player.is_revealed_as(Character::Vampire) && self.public.has_ability(attacker) {
            self.suck_blood(attacker, cx);
        }
    }

    /// Suck Blood: 2 for each character that got damage.
    pub(super) fn suck_blood(&mut self, vampire: Seat, cx: &mut Cx<'_, Event>) {
        let damaged = match self.public.stack.last() {
            Some(Frame::Attack(attack)) => attack.damaged,
            _ => 0,
        };
        self.heal(vampire, Character::Vampire.facts().heal * damaged, cx);
    }

    /// Step 6: each surviving target might be the Werewolf, whatever the attack did (R33, R34).
    /// Nobody answers a counterattack.
    fn ask_to_counterattack(&mut self, attack: Attack) {
        let living = self.public.living();
        let next = self.public.seats_from(self.public.active).find(|&target| {
            !attack.counter
                && attack.left.contains(target)
                && living.contains(target)
                && living.contains(attack.attacker)
        });
        let Some(target) = next else {
            self.set_attack(Attack {
                step: AttackStep::Feast,
                ..attack
            });
            return;
        };
        self.set_attack(Attack {
            left: attack.left.without(target),
            ..attack
        });
        self.ask(
            target,
            Question::Counterattack {
                attacker: attack.attacker,
            },
        );
    }

    /// Counterattack: a full attack on the attacker alone.
    pub(super) fn counterattack(&mut self, werewolf: Seat, attacker: Seat, cx: &mut Cx<'_, Event>) {
        self.tell_ability(werewolf, Some(attacker), cx);
        self.begin_attack(werewolf, SeatSet::only(attacker), true, cx);
    }

    /// Step 7: Charles may attack a survivor again (R35: after the counterattacks; R66).
    fn ask_to_feast(&mut self, attack: Attack) {
        self.set_attack(Attack {
            step: AttackStep::Done,
            ..attack
        });
        let living = self.public.living();
        let survivors: SeatSet = attack
            .targets
            .iter()
            .filter(|&target| living.contains(target))
            .collect();
        if !attack.counter && living.contains(attack.attacker) && !survivors.is_empty() {
            self.ask(attack.attacker, Question::Feast { targets: survivors });
        }
    }

    /// Bloody Feast: 2 damage, and a new attack wherever the target stands; with the Machine Gun
    /// also on everybody in range.
    pub(super) fn feast(&mut self, charles: Seat, target: Seat, cx: &mut Cx<'_, Event>) {
        self.reveal(charles, cx);
        self.tell_ability(charles, Some(target), cx);
        // The attack that is over makes room for the new one, which begins once the damage is
        // settled.
        self.public.stack.pop();
        let mut targets = SeatSet::only(target);
        if self.public.player(charles).owns(Equipment::MachineGun) {
            let in_range = self.public.in_range(charles);
            targets = in_range.iter().fold(targets, SeatSet::with);
        }
        let source = DamageSource::Ability(Character::Charles);
        let amount = Character::Charles.facts().self_damage;
        self.give_damage(charles, amount, source, cx);
        self.begin_attack(charles, targets, false, cx);
        self.resolve_deaths(charles);
    }
}

impl Attack {
    /// The damage that was fixed for the target.
    fn damage_to(&self, target: Seat) -> u8 {
        self.damage
            .get(usize::from(target.0))
            .copied()
            .unwrap_or_default()
    }
}

impl Public {
    /// Masamune and the Horn of War Outbreak: the d4 alone, which can't fail.
    fn rolls_d4_only(&self, attacker: Seat) -> bool {
        let player = self.player(attacker);
        player.owns(Equipment::Masamune)
            || player.is_revealed_as(Character::Valkyrie) && self.has_ability(attacker)
    }

    /// 10.3: all bonuses are added first, then the Robes taken off, then it is not below 0 (R12),
    /// then protections count.
    fn attack_damage(&self, attacker: Seat, target: Seat, roll: AttackRoll) -> u8 {
        let player = self.player(attacker);
        let weapons: u8 = [
            Equipment::ButcherKnife,
            Equipment::Chainsaw,
            Equipment::RustedBroadAxe,
        ]
        .into_iter()
        .filter(|&weapon| player.owns(weapon))
        .map(|weapon| weapon.facts().bonus)
        .sum();
        // R13, R14: for revealed Hunters only.
        let spear =
            if player.owns(Equipment::SpearOfLonginus) && player.is_revealed_in(Faction::Hunter) {
                Equipment::SpearOfLonginus.facts().bonus
            } else {
                0
            };
        let robes = u8::from(player.owns(Equipment::HolyRobe))
            + u8::from(self.player(target).owns(Equipment::HolyRobe));
        if self.is_protected(target, DamageSource::Attack) {
            0
        } else {
            (roll.base() + weapons + spear).saturating_sub(robes)
        }
    }
}
