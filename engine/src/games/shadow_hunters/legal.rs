//! Which actions a question offers (7), who may reveal (5.1), and whether the question is asked at
//! all (5, *Asked*).
//!
//! Everything here is a function of the public state and of *some* character: the own one for the
//! list of a seat, each possible one for the decision whether to ask it. So nobody can tell from
//! being asked who he might be.

use arrayvec::ArrayVec;

use super::action::Action;
use super::area::{Area, Areas};
use super::card::{Deck, Equipment, HermitCard, SingleUse};
use super::character::{Character, Faction};
use super::frame::{Ask, Question};
use super::hermit;
use super::state::Public;
use crate::seat::{Seat, SeatSet};

/// The longest list: `give_card` with twelve cards and seven players (7.1).
pub(super) const LIST_MAX: usize = 84;

/// What a question offers to a character, in no particular order.
pub(super) type Offers = ArrayVec<Action, LIST_MAX>;

impl Public {
    /// Whether the question is asked (5): whether some possible character would have a choice.
    /// Hermit cards are always answered, since the list depends on the secret card.
    pub(super) fn is_asked(&self, ask: Ask) -> bool {
        matches!(ask.question, Question::HermitRespond { .. })
            || self
                .possible_characters(ask.seat)
                .iter()
                .any(|character| self.offers(ask, character, None).len() > 1)
    }

    /// What the question offers to the seat, if it is this character and the Hermit card it has to
    /// answer is this one.
    pub(super) fn offers(
        &self,
        ask: Ask,
        character: Character,
        hermit: Option<HermitCard>,
    ) -> Offers {
        let Ask { seat, question } = ask;
        let mut offers = Offers::new();
        match question {
            Question::WindowStart => {
                offers.push(Action::Pass);
                self.offer_reveal(seat, character, &mut offers);
                self.offer_any_time_ability(seat, character, &mut offers);
                if seat == self.active {
                    self.offer_turn_start_ability(seat, character, &mut offers);
                }
            }
            Question::WindowAttack { attacker, targets } => {
                offers.push(Action::Pass);
                if seat == attacker || targets.contains(seat) {
                    self.offer_reveal(seat, character, &mut offers);
                }
                self.offer_any_time_ability(seat, character, &mut offers);
            }
            Question::WindowEnd => {
                offers.push(Action::Pass);
                self.offer_turn_end_ability(seat, character, &mut offers);
                self.offer_piggyback(seat, character, &mut offers);
            }
            Question::MoveChoice => {
                offers.push(Action::RollMove);
                offers.extend(
                    self.teleports(seat, character)
                        .iter()
                        .map(|area| Action::Teleport { area }),
                );
            }
            Question::ChooseDestination { areas, .. } => {
                offers.extend(areas.iter().map(|area| Action::ChooseDestination { area }));
            }
            Question::AreaChoice => {
                self.offer_area(seat, &mut offers);
                offers.push(Action::SkipArea);
                self.offer_piggyback(seat, character, &mut offers);
            }
            Question::GiveHermit => {
                offers.extend(
                    self.others(seat)
                        .iter()
                        .map(|player| Action::GiveHermit { player }),
                );
            }
            Question::HermitRespond { .. } => {
                if let Some(card) = hermit {
                    hermit::offer_answers(self, seat, character, card, &mut offers);
                }
                self.offer_piggyback(seat, character, &mut offers);
            }
            Question::Accept { card } => {
                offers.push(Action::Pass);
                if may_accept(card, character) {
                    offers.push(Action::Accept);
                }
            }
            Question::CardTarget { card } => {
                offers.extend(
                    self.card_targets(seat, card)
                        .iter()
                        .map(|player| Action::CardTarget { player }),
                );
            }
            Question::StealByGoblin => {
                offers.extend(
                    self.equipment_of_others(seat)
                        .map(|(player, card)| Action::Steal { player, card }),
                );
            }
            Question::GiveCard => {
                for &card in &self.player(seat).equipment {
                    offers.extend(
                        self.others(seat)
                            .iter()
                            .map(|player| Action::GiveCard { card, player }),
                    );
                }
            }
            Question::AttackChoice => {
                self.offer_attacks(seat, &mut offers);
                self.offer_piggyback(seat, character, &mut offers);
            }
            Question::SpearReveal { .. } => {
                offers.push(Action::Pass);
                if character.faction() == Faction::Hunter {
                    offers.push(Action::SpearReveal);
                }
            }
            Question::Rob { target, .. } => {
                offers.push(Action::DealDamage);
                if character == Character::Bob && self.has_ability(seat) {
                    let cards = self.player(target).equipment.iter();
                    offers.extend(cards.map(|&card| Action::Rob { card }));
                }
            }
            Question::SuckBlood { .. } => {
                offers.push(Action::Pass);
                if character == Character::Vampire && self.has_ability(seat) {
                    offers.push(Action::SuckBlood);
                }
            }
            Question::TakeAll { .. } => {
                offers.push(Action::Pass);
                if character == Character::Bob && self.has_ability(seat) {
                    offers.push(Action::TakeAll);
                }
            }
            Question::Loot { victim } => {
                let cards = self.player(victim).equipment.iter();
                offers.extend(cards.map(|&card| Action::Loot { card }));
            }
            Question::Counterattack { .. } => {
                offers.push(Action::Pass);
                if character == Character::Werewolf && self.has_ability(seat) {
                    offers.push(Action::Counterattack);
                }
            }
            Question::Feast { targets } => {
                offers.push(Action::Pass);
                if character == Character::Charles
                    && self.has_ability(seat)
                    && self.survives_feast(seat)
                {
                    offers.extend(targets.iter().map(|player| Action::Feast { player }));
                }
            }
        }
        offers
    }

    /// 5.1: everyone who is alive and hidden may reveal, except Daniel while his ability exists.
    fn may_reveal(&self, seat: Seat, character: Character) -> bool {
        let screams = character == Character::Daniel && self.has_ability(seat);
        self.player(seat).alive && self.player(seat).is_hidden() && !screams
    }

    fn offer_reveal(&self, seat: Seat, character: Character, offers: &mut Offers) {
        if self.may_reveal(seat, character) {
            offers.push(Action::Reveal);
        }
    }

    /// 5: what comes with every decision marked *(+pb)*.
    fn offer_piggyback(&self, seat: Seat, character: Character, offers: &mut Offers) {
        self.offer_reveal(seat, character, offers);
        self.offer_any_time_ability(seat, character, offers);
    }

    /// Allie and David may use their abilities at any time, once.
    fn offer_any_time_ability(&self, seat: Seat, character: Character, offers: &mut Offers) {
        if !self.has_ability(seat) || self.player(seat).ability_used {
            return;
        }
        match character {
            Character::Allie => offers.push(Action::UseAbility),
            Character::David => {
                offers.extend(
                    self.discarded_equipment()
                        .map(|card| Action::DigUp { card }),
                );
            }
            _ => {}
        }
    }

    /// The abilities for the start of the own turn (8).
    fn offer_turn_start_ability(&self, seat: Seat, character: Character, offers: &mut Offers) {
        let player = self.player(seat);
        if !self.has_ability(seat) {
            return;
        }
        let on = |targets: SeatSet| targets.iter().map(|player| Action::UseAbilityOn { player });
        match character {
            Character::Ellen | Character::Franklin | Character::George if !player.ability_used => {
                offers.extend(on(self.others(seat)));
            }
            Character::FuKa if !player.ability_used => offers.extend(on(self.living())),
            Character::UltraSoul if !player.ability_used_this_turn => {
                let gate = Areas::EMPTY.with(Area::UnderworldGate);
                offers.extend(on(self.standing(self.others(seat), gate)));
            }
            Character::Agnes if !player.ability_used => offers.push(Action::UseAbility),
            _ => {}
        }
    }

    /// The abilities for the end of the own turn (8).
    fn offer_turn_end_ability(&self, seat: Seat, character: Character, offers: &mut Offers) {
        if !self.has_ability(seat) || self.player(seat).ability_used {
            return;
        }
        match character {
            Character::Gregor => offers.push(Action::UseAbility),
            Character::Wight if self.dead() > 0 => offers.push(Action::UseAbility),
            _ => {}
        }
    }

    /// 6.3: where this character can teleport to.
    fn teleports(&self, seat: Seat, character: Character) -> Areas {
        match self.player(seat).slot {
            Some(slot) if character == Character::Emi && self.has_ability(seat) => {
                let [one, other] = slot.adjacent();
                Areas::EMPTY
                    .with(self.area_at(one))
                    .with(self.area_at(other))
            }
            _ => Areas::EMPTY,
        }
    }

    /// 9.1: what the area where the seat stands offers, skipping it apart.
    pub(super) fn offer_area(&self, seat: Seat, offers: &mut Offers) {
        let draw = |deck| Action::Draw { deck };
        match self.area_of(seat) {
            None => {}
            Some(Area::HermitsCabin) => offers.push(draw(Deck::Hermit)),
            Some(Area::UnderworldGate) => offers.extend(Deck::ALL.map(draw)),
            Some(Area::Church) => offers.push(draw(Deck::White)),
            Some(Area::Cemetery) => offers.push(draw(Deck::Black)),
            Some(Area::WeirdWoods) => {
                for player in self.living().iter() {
                    offers.push(Action::WoodsDamage { player });
                    offers.push(Action::WoodsHeal { player });
                }
            }
            Some(Area::ErstwhileAltar) => offers.extend(
                self.equipment_of_others(seat)
                    .map(|(player, card)| Action::Steal { player, card }),
            ),
        }
    }

    /// On whom a card may be played: First Aid on anybody, the others on another character.
    fn card_targets(&self, seat: Seat, card: SingleUse) -> SeatSet {
        if card == SingleUse::FirstAid {
            self.living()
        } else {
            self.others(seat)
        }
    }

    /// 10.1: living characters in either area of the own pair; with the Handgun in the areas of the
    /// other pairs instead.
    pub(super) fn in_range(&self, attacker: Seat) -> SeatSet {
        let Some(own) = self.player(attacker).slot else {
            return SeatSet::EMPTY;
        };
        let handgun = self.player(attacker).owns(Equipment::Handgun);
        self.others(attacker)
            .iter()
            .filter(|&seat| {
                let slot = self.player(seat).slot;
                slot.is_some_and(|slot| slot.same_pair(own) != handgun)
            })
            .collect()
    }

    /// 10.1: the declarations that are open to the attacker. Masamune leaves no choice while there
    /// is a target.
    fn offer_attacks(&self, attacker: Seat, offers: &mut Offers) {
        let targets = self.in_range(attacker);
        let player = self.player(attacker);
        if player.owns(Equipment::MachineGun) && !targets.is_empty() {
            offers.push(Action::AttackAll);
        } else {
            offers.extend(targets.iter().map(|player| Action::Attack { player }));
        }
        if targets.is_empty() || !player.owns(Equipment::Masamune) {
            offers.push(Action::DeclineAttack);
        }
    }

    /// R36: Charles may not feast when the 2 damage would kill him.
    fn survives_feast(&self, seat: Seat) -> bool {
        let charles = Character::Charles.facts();
        self.player(seat).damage + charles.self_damage < charles.hp
    }
}

/// Who may use Advent, Chocolate or the Diabolic Ritual (9.3, 9.4).
pub(super) fn may_accept(card: SingleUse, character: Character) -> bool {
    match card {
        SingleUse::Advent => character.faction() == Faction::Hunter,
        SingleUse::DiabolicRitual => character.faction() == Faction::Shadow,
        _ => card.facts().eligible.contains(&character),
    }
}
