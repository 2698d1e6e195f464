//! Drawing and playing cards (9.1, 9.3, 9.4), equipment, and the two areas that use none.

use super::area::{Area, Areas};
use super::card::{Card, Color, Deck, Equipment, SingleUse};
use super::character::{Character, Faction};
use super::event::{DamageSource, Event};
use super::frame::Question;
use super::moving::{roll_both, roll_one};
use super::state::ShadowHunters;
use crate::cx::{Audience, Cx};
use crate::seat::{Seat, SeatSet};

impl ShadowHunters {
    /// A card is drawn and carried out (R4).
    pub(super) fn draw(&mut self, drawer: Seat, deck: Deck, cx: &mut Cx<'_, Event>) {
        let Some(color) = deck.color() else {
            return self.draw_hermit(drawer, cx);
        };
        let Some(card) = self.take_card(color, cx) else {
            return;
        };
        cx.tell(Audience::All, || Event::CardDrawn { seat: drawer, card });
        match card {
            Card::Equipment(equipment) => {
                self.gain_equipment(drawer, equipment, None, cx);
                self.checkpoint(None, cx);
            }
            Card::SingleUse(card) => {
                self.public.in_play = Some(card);
                self.play_card(drawer, card, cx);
            }
        }
    }

    /// The top card of a deck; its discard pile is shuffled first if nothing else is left.
    fn take_card(&mut self, color: Color, cx: &mut Cx<'_, Event>) -> Option<Card> {
        let public = &mut self.public;
        let (pile, left, deck) = match color {
            Color::White => (&mut self.hidden.white, &mut public.white_draw, Deck::White),
            Color::Black => (&mut self.hidden.black, &mut public.black_draw, Deck::Black),
        };
        if pile.is_empty() {
            let discard = match color {
                Color::White => &mut public.white_discard,
                Color::Black => &mut public.black_discard,
            };
            std::mem::swap(pile, discard);
            cx.chance.shuffle(pile);
            // At most 16.
            *left = pile.len() as u8;
            cx.tell(Audience::All, || Event::Reshuffled { deck });
        }
        let card = pile.pop()?;
        *left -= 1;
        Some(card)
    }

    /// A White or Black single-use card takes effect, or asks its question first.
    fn play_card(&mut self, user: Seat, card: SingleUse, cx: &mut Cx<'_, Event>) {
        let facts = card.facts();
        match card {
            SingleUse::Advent | SingleUse::Chocolate | SingleUse::DiabolicRitual => {
                self.ask(user, Question::Accept { card });
            }
            SingleUse::DisenchantMirror => {
                // R56: every Shadow but Unknown.
                let character = self.character(user);
                if character.faction() == Faction::Shadow && character != Character::Unknown {
                    self.reveal(user, cx);
                }
                self.finish_card(cx);
            }
            SingleUse::Blessing
            | SingleUse::FirstAid
            | SingleUse::BloodthirstySpider
            | SingleUse::VampireBat
            | SingleUse::SpiritualDoll => self.ask(user, Question::CardTarget { card }),
            SingleUse::ConcealedKnowledge => {
                // R58: several add up.
                self.public.player_mut(user).extra_turns += 1;
                self.finish_card(cx);
            }
            SingleUse::GuardianAngel => {
                self.public.player_mut(user).guardian = true;
                self.finish_card(cx);
            }
            SingleUse::FlareOfJudgement => {
                let others = self.public.others(user);
                self.give_damage_to_all(others, facts.damage, DamageSource::Card(card), cx);
                self.finish_card(cx);
                self.resolve_deaths(user);
            }
            SingleUse::HolyWaterOfHealing => {
                self.heal(user, facts.heal, cx);
                self.finish_card(cx);
            }
            SingleUse::MoodyGoblin => {
                if self.public.equipment_of_others(user).next().is_some() {
                    self.ask(user, Question::StealByGoblin);
                } else {
                    self.finish_card(cx);
                }
            }
            SingleUse::BananaPeel => {
                // R20: damage only without equipment.
                if self.public.player(user).equipment.is_empty() {
                    self.give_damage(user, facts.self_damage, DamageSource::Card(card), cx);
                    self.finish_card(cx);
                    self.resolve_deaths(user);
                } else {
                    self.ask(user, Question::GiveCard);
                }
            }
            SingleUse::Dynamite => {
                let total = roll_both(user, cx).total();
                // R5: who stands in no area is not hit. A 7 is no area's number.
                let hit: SeatSet = match Area::of_total(total) {
                    Some(area) => {
                        let living = self.public.living();
                        self.public.standing(living, Areas::EMPTY.with(area))
                    }
                    None => SeatSet::EMPTY,
                };
                self.give_damage_to_all(hit, facts.damage, DamageSource::Card(card), cx);
                self.finish_card(cx);
                self.resolve_deaths(user);
            }
        }
    }

    /// A card that was played on a character takes effect.
    pub(super) fn play_on(
        &mut self,
        user: Seat,
        target: Seat,
        question: Question,
        cx: &mut Cx<'_, Event>,
    ) {
        let Question::CardTarget { card } = question else {
            return;
        };
        let facts = card.facts();
        let source = DamageSource::Card(card);
        match card {
            SingleUse::Blessing => {
                let healed = roll_one(user, 6, cx);
                self.heal(target, healed, cx);
                self.finish_card(cx);
            }
            SingleUse::FirstAid => {
                // R19: both ways, and it never kills.
                self.set_damage(target, facts.set_damage_to, cx);
                self.finish_card(cx);
            }
            SingleUse::BloodthirstySpider => {
                // R17: each is protected by the own Talisman only.
                self.give_damage(target, facts.damage, source, cx);
                self.give_damage(user, facts.self_damage, source, cx);
                self.finish_card(cx);
                self.resolve_deaths(user);
            }
            SingleUse::VampireBat => {
                // R18: the user heals even if the damage is prevented.
                self.give_damage(target, facts.damage, source, cx);
                self.heal(user, facts.self_heal, cx);
                self.finish_card(cx);
                self.resolve_deaths(user);
            }
            SingleUse::SpiritualDoll => {
                if roll_one(user, 6, cx) <= 4 {
                    self.give_damage(target, facts.damage, source, cx);
                } else {
                    self.give_damage(user, facts.self_damage, source, cx);
                }
                self.finish_card(cx);
                self.resolve_deaths(user);
            }
            SingleUse::Advent
            | SingleUse::DisenchantMirror
            | SingleUse::Chocolate
            | SingleUse::ConcealedKnowledge
            | SingleUse::GuardianAngel
            | SingleUse::FlareOfJudgement
            | SingleUse::HolyWaterOfHealing
            | SingleUse::MoodyGoblin
            | SingleUse::DiabolicRitual
            | SingleUse::BananaPeel
            | SingleUse::Dynamite => {}
        }
    }

    /// Advent, Chocolate, Diabolic Ritual: reveals if hidden (R55), and heals all.
    pub(super) fn accept(&mut self, user: Seat, cx: &mut Cx<'_, Event>) {
        self.reveal(user, cx);
        self.heal_all(user, cx);
        self.finish_card(cx);
    }

    /// The Erstwhile Altar and Moody Goblin: an equipment card of another player.
    pub(super) fn steal(
        &mut self,
        thief: Seat,
        owner: Seat,
        card: Equipment,
        cx: &mut Cx<'_, Event>,
    ) {
        self.move_equipment(owner, thief, card, cx);
        self.finish_card(cx);
        self.checkpoint(None, cx);
    }

    /// Banana Peel: an equipment card to another player.
    pub(super) fn give_card(
        &mut self,
        giver: Seat,
        receiver: Seat,
        card: Equipment,
        cx: &mut Cx<'_, Event>,
    ) {
        self.move_equipment(giver, receiver, card, cx);
        self.finish_card(cx);
        self.checkpoint(None, cx);
    }

    /// Weird Woods: damage, to oneself too.
    pub(super) fn woods_damage(&mut self, user: Seat, target: Seat, cx: &mut Cx<'_, Event>) {
        let amount = Area::WeirdWoods.facts().damage;
        self.give_damage(target, amount, DamageSource::WeirdWoods, cx);
        self.resolve_deaths(user);
    }

    /// The card in play, if any, goes face up on its discard pile.
    pub(super) fn finish_card(&mut self, cx: &mut Cx<'_, Event>) {
        if let Some(card) = self.public.in_play.take() {
            self.discard(Card::SingleUse(card), cx);
        }
    }

    /// A card goes on the discard pile of its own deck.
    pub(super) fn discard(&mut self, card: Card, cx: &mut Cx<'_, Event>) {
        self.public.discard_mut(card.color()).push(card);
        cx.tell(Audience::All, || Event::Discarded { card });
    }

    /// Equipment is put in front of a player.
    pub(super) fn gain_equipment(
        &mut self,
        seat: Seat,
        card: Equipment,
        from: Option<Seat>,
        cx: &mut Cx<'_, Event>,
    ) {
        self.public.player_mut(seat).equipment.push(card);
        cx.tell(Audience::All, || Event::EquipmentGained {
            seat,
            card,
            from,
        });
    }

    /// Equipment goes from one player to another.
    pub(super) fn move_equipment(
        &mut self,
        from: Seat,
        to: Seat,
        card: Equipment,
        cx: &mut Cx<'_, Event>,
    ) {
        self.public
            .player_mut(from)
            .equipment
            .retain(|owned| *owned != card);
        self.gain_equipment(to, card, Some(from), cx);
    }
}
