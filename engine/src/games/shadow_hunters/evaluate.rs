//! How good a table is for a seat, by the advice of section 16 of the rules page.

use super::area::Area;
use super::card::Equipment;
use super::character::{Character, Faction};
use super::frame::{AttackStep, Frame};
use super::state::ShadowHunters;
use crate::game::Evaluate;
use crate::seat::Seat;

/// More than everything else together.
const WON: f32 = 1000.0;
/// A dead enemy, in units of an enemy who is one hit from death.
const DEAD: f32 = 2.0;
/// An equipment card.
const CARD: f32 = 0.15;
/// The mean damage of an attack with both dice, and with the d4 alone.
const MEAN_DAMAGE: [f32; 2] = [1.83, 2.5];
/// What it costs to be known.
const KNOWN: f32 = 0.12;
/// What one step towards an own goal is worth.
const STEP: f32 = 1.0;

impl Evaluate for ShadowHunters {
    fn evaluate(&self, seat: Seat) -> f32 {
        if let Some(ending) = &self.public.ending {
            let won = ending.outcome.winners.contains(seat);
            return if won { WON } else { -WON };
        }
        let known = if self.public.player(seat).is_hidden() {
            0.0
        } else {
            KNOWN
        };
        self.prospects(seat) - known
    }
}

impl ShadowHunters {
    /// How far the seat is on the way to what its character wants.
    fn prospects(&self, seat: Seat) -> f32 {
        let player = self.public.player(seat);
        let nobody_dead = self.public.dead() == 0;
        let cards = player.equipment.len() as f32;
        let facts = self.character(seat).facts();
        match self.character(seat) {
            Character::Agnes => {
                let neighbor = if player.capriccio {
                    self.public.left_of(seat)
                } else {
                    self.public.right_of(seat)
                };
                match self.character(neighbor).faction() {
                    Faction::Neutral => -self.hurt(neighbor),
                    Faction::Hunter | Faction::Shadow => self.prospects(neighbor),
                }
            }
            Character::Allie => self.urgency() - 4.0 * self.hurt(seat),
            Character::Bob => STEP * cards - self.hurt(seat),
            Character::Bryan => {
                let big = self.most_hurt(seat, |character| character.hp() >= facts.win_kill_hp);
                let at_altar = self.public.area_of(seat) == Some(Area::ErstwhileAltar);
                big + f32::from(u8::from(at_altar)) * 0.5 - self.hurt(seat) + CARD * cards
            }
            Character::Charles => {
                STEP * f32::from(self.public.dead()) + self.most_hurt(seat, |_| true)
                    - self.hurt(seat)
                    + CARD * cards
            }
            Character::Catherine if nobody_dead => 2.0 * self.hurt(seat) - self.others_hurt(seat),
            Character::Daniel if nobody_dead => 2.0 * self.hurt(seat) - self.others_hurt(seat),
            Character::Catherine => self.urgency() - 2.0 * self.hurt(seat),
            Character::Daniel => {
                self.faction_hurt(Faction::Shadow) - 2.0 * self.hurt(seat) + CARD * cards
            }
            Character::David => {
                let owned = facts.win_cards.iter().filter(|&&card| player.owns(card));
                STEP * owned.count() as f32 + CARD * cards - self.hurt(seat)
            }
            Character::Emi
            | Character::Ellen
            | Character::Franklin
            | Character::FuKa
            | Character::George
            | Character::Gregor => self.advantage(Faction::Hunter, Faction::Shadow, seat),
            Character::Unknown
            | Character::UltraSoul
            | Character::Vampire
            | Character::Valkyrie
            | Character::Werewolf
            | Character::Wight => self.advantage(Faction::Shadow, Faction::Hunter, seat),
        }
    }

    /// One side's harm less the other's; what the seat itself has counts most.
    fn advantage(&self, own: Faction, other: Faction, seat: Seat) -> f32 {
        self.faction_hurt(other) - self.faction_hurt(own) - 0.5 * self.hurt(seat)
            + self.faction_cards(own)
            - self.faction_cards(other)
            + 0.5 * CARD * self.public.player(seat).equipment.len() as f32
    }

    fn seats_in(&self, faction: Faction) -> impl Iterator<Item = Seat> + '_ {
        (0..self.public.seats())
            .map(Seat)
            .filter(move |&seat| self.character(seat).faction() == faction)
    }

    fn faction_hurt(&self, faction: Faction) -> f32 {
        self.seats_in(faction).map(|seat| self.hurt(seat)).sum()
    }

    fn faction_cards(&self, faction: Faction) -> f32 {
        self.seats_in(faction)
            .map(|seat| CARD * self.public.player(seat).equipment.len() as f32)
            .sum()
    }

    /// How near either faction is to its end: what those want who only need to live.
    fn urgency(&self) -> f32 {
        let hunters = self.faction_hurt(Faction::Hunter);
        hunters.max(self.faction_hurt(Faction::Shadow))
    }

    /// How near to death the nearest of the others is: what somebody dreads who wants to die first
    /// himself.
    fn others_hurt(&self, seat: Seat) -> f32 {
        self.most_hurt(seat, |_| true)
    }

    /// The living other character of a kind that is nearest to death.
    fn most_hurt(&self, seat: Seat, kind: impl Fn(Character) -> bool) -> f32 {
        self.public
            .others(seat)
            .iter()
            .filter(|&other| kind(self.character(other)))
            .map(|other| self.hurt(other))
            .fold(0.0, f32::max)
    }

    /// The square of the damage over the hit points, what an attack in progress may do included;
    /// more for the dead.
    fn hurt(&self, seat: Seat) -> f32 {
        let player = self.public.player(seat);
        if !player.alive {
            return DEAD;
        }
        let damage = f32::from(player.damage) + self.pending_damage(seat);
        (damage / f32::from(self.character(seat).hp()))
            .min(1.0)
            .powi(2)
    }

    /// What an attack that is not yet dealt can be expected to do.
    fn pending_damage(&self, seat: Seat) -> f32 {
        let attacks = self.public.stack.iter().filter_map(|frame| match frame {
            Frame::Attack(attack) => Some(attack),
            _ => None,
        });
        attacks
            .filter(|attack| attack.step <= AttackStep::Deal && attack.targets.contains(seat))
            .map(|attack| {
                if attack.step > AttackStep::Fix {
                    let fixed = attack.damage.get(usize::from(seat.0)).copied();
                    return f32::from(fixed.unwrap_or_default());
                }
                let attacker = self.public.player(attack.attacker);
                let d4 = attacker.owns(Equipment::Masamune);
                let weapons = attacker.equipment.iter().map(|card| card.facts().bonus);
                let [both, one] = MEAN_DAMAGE;
                let protected =
                    self.public.player(seat).guardian || self.public.player(seat).barrier;
                if protected {
                    0.0
                } else {
                    f32::from(weapons.sum::<u8>()) + if d4 { one } else { both }
                }
            })
            .sum()
    }
}
