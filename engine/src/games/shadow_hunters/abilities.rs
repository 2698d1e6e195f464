//! The abilities that a player uses by his own choice (section 8), and revealing (5.1). Abilities
//! of attacks are in `attack.rs`.

use super::card::{Card, Equipment};
use super::character::Character;
use super::event::{DamageSource, Event};
use super::moving::roll_one;
use super::state::ShadowHunters;
use crate::cx::{Audience, Cx};
use crate::seat::Seat;

impl ShadowHunters {
    /// The character is public from now on, if it wasn't.
    pub(super) fn reveal(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        let character = self.character(seat);
        let player = self.public.player_mut(seat);
        if player.is_hidden() {
            player.character = Some(character);
            cx.tell(Audience::All, || Event::Revealed { seat, character });
        }
    }

    /// Using an ability from hidden reveals first; that it is used is public.
    fn use_up(&mut self, seat: Seat, target: Option<Seat>, cx: &mut Cx<'_, Event>) {
        self.reveal(seat, cx);
        let once_each_turn = self.character(seat) == Character::UltraSoul;
        let player = self.public.player_mut(seat);
        if once_each_turn {
            player.ability_used_this_turn = true;
        } else {
            player.ability_used = true;
        }
        self.tell_ability(seat, target, cx);
    }

    pub(super) fn tell_ability(&self, seat: Seat, target: Option<Seat>, cx: &mut Cx<'_, Event>) {
        cx.tell(Audience::All, || Event::AbilityUsed { seat, target });
    }

    /// The abilities without a choice.
    pub(super) fn use_ability(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        self.use_up(seat, None, cx);
        match self.character(seat) {
            // Mother's Love.
            Character::Allie => self.heal_all(seat, cx),
            // Capriccio: looks at the left neighbor from now on (R44).
            Character::Agnes => self.public.player_mut(seat).capriccio = true,
            // Ghostly Barrier: until T0 of his next turn.
            Character::Gregor => self.public.player_mut(seat).barrier = true,
            // Multiplication: counts the dead now (R57).
            Character::Wight => {
                let dead = self.public.dead();
                self.public.player_mut(seat).extra_turns += dead;
            }
            Character::Emi
            | Character::Ellen
            | Character::Franklin
            | Character::FuKa
            | Character::George
            | Character::Unknown
            | Character::UltraSoul
            | Character::Vampire
            | Character::Valkyrie
            | Character::Werewolf
            | Character::Bob
            | Character::Bryan
            | Character::Charles
            | Character::Catherine
            | Character::Daniel
            | Character::David => {}
        }
    }

    /// The abilities for the start of the own turn that choose a character.
    pub(super) fn use_ability_on(&mut self, seat: Seat, target: Seat, cx: &mut Cx<'_, Event>) {
        self.use_up(seat, Some(target), cx);
        let character = self.character(seat);
        let facts = character.facts();
        match character {
            // Chain of Forbidden Curse: also on a hidden player (R26). A running Ghostly Barrier
            // ends at once.
            Character::Ellen => {
                let target = self.public.player_mut(target);
                target.ability_void = true;
                target.barrier = false;
            }
            // Dynamite Nurse: both ways, on herself too (R19).
            Character::FuKa => self.set_damage(target, facts.set_damage_to, cx),
            // Lightning and Demolish: a die of damage.
            Character::Franklin | Character::George => {
                let damage = roll_one(seat, facts.damage_die, cx);
                self.give_damage(target, damage, DamageSource::Ability(character), cx);
                self.resolve_deaths(seat);
            }
            // Murder Ray: each turn (R59).
            Character::UltraSoul => {
                self.give_damage(target, facts.damage, DamageSource::Ability(character), cx);
                self.resolve_deaths(seat);
            }
            Character::Emi
            | Character::Gregor
            | Character::Unknown
            | Character::Vampire
            | Character::Valkyrie
            | Character::Werewolf
            | Character::Wight
            | Character::Allie
            | Character::Agnes
            | Character::Bob
            | Character::Bryan
            | Character::Charles
            | Character::Catherine
            | Character::Daniel
            | Character::David => {}
        }
    }

    /// Grave Digger: David takes a card from a discard pile, and may win by it (R47).
    pub(super) fn dig_up(&mut self, seat: Seat, card: Equipment, cx: &mut Cx<'_, Event>) {
        self.use_up(seat, None, cx);
        let pile = self.public.discard_mut(card.color());
        pile.retain(|lying| *lying != Card::Equipment(card));
        self.gain_equipment(seat, card, None, cx);
        self.checkpoint(None, cx);
    }
}
