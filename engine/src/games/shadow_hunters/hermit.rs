//! Hermit cards (9.2) and the opening with one of them (6.2).

use super::action::Action;
use super::card::{Deck, HermitCard};
use super::character::Character;
use super::event::{DamageSource, Event};
use super::frame::{Ask, Frame, Question, Step};
use super::legal::Offers;
use super::state::{HermitAnswer, HermitMemory, Public, ShadowHunters};
use super::tables::{Condition, HermitEffect};
use crate::cx::{Audience, Cx};
use crate::seat::{Seat, SeatSet};

impl Condition {
    /// Whether the card concerns this character. Hit points are the printed ones (R23).
    pub fn holds_for(&self, character: Character) -> bool {
        self.always
            || self.factions.contains(&character.faction())
            || self.hp_max.is_some_and(|most| character.hp() <= most)
            || self.hp_min.is_some_and(|least| character.hp() >= least)
    }
}

/// The answers of a character to a card: those of a condition that holds, or that nothing happens;
/// Unknown has both (R24).
pub(super) fn offer_answers(
    public: &Public,
    receiver: Seat,
    character: Character,
    card: HermitCard,
    offers: &mut Offers,
) {
    let facts = card.facts();
    let holds = facts.condition.holds_for(character);
    let deceives = may_deceive(public, character, card);
    if holds || deceives {
        match facts.effect {
            HermitEffect::Damage => offers.push(Action::AnswerTakeDamage),
            // R22: healing if damaged, else damage.
            HermitEffect::HealOrDamage if public.player(receiver).damage > 0 => {
                offers.push(Action::AnswerHeal);
            }
            HermitEffect::HealOrDamage => offers.push(Action::AnswerTakeDamage),
            // R21: a free choice for who has equipment.
            HermitEffect::GiveEquipmentOrDamage => {
                offers.push(Action::AnswerTakeDamage);
                let cards = public.player(receiver).equipment.iter();
                offers.extend(cards.map(|&card| Action::AnswerGive { card }));
            }
            HermitEffect::ShowIdentity => offers.push(Action::AnswerShow),
        }
    }
    if !holds || deceives {
        offers.push(Action::AnswerNothing);
    }
}

/// Deceit: Unknown may lie to every card but Prediction, void or not (R24, R25).
fn may_deceive(public: &Public, character: Character, card: HermitCard) -> bool {
    character == Character::Unknown
        && public.options.special_abilities
        && card.facts().effect != HermitEffect::ShowIdentity
}

/// Whether a character could have given this answer (13).
pub(super) fn could_answer(
    public: &Public,
    character: Character,
    card: HermitCard,
    answer: HermitAnswer,
) -> bool {
    may_deceive(public, character, card)
        || card.facts().condition.holds_for(character) != (answer == HermitAnswer::Nothing)
}

impl ShadowHunters {
    /// `hermit_respond`: the receiver answers by one of the actions that are answers.
    pub(super) fn hermit_respond(
        &mut self,
        receiver: Seat,
        question: Question,
        action: Action,
        cx: &mut Cx<'_, Event>,
    ) {
        let answer = match action {
            Action::AnswerNothing => HermitAnswer::Nothing,
            Action::AnswerTakeDamage => HermitAnswer::TakeDamage,
            Action::AnswerHeal => HermitAnswer::Heal,
            Action::AnswerGive { card } => HermitAnswer::Give(card),
            Action::AnswerShow => HermitAnswer::Show,
            _ => return,
        };
        if let Question::HermitRespond { giver } = question {
            self.settle_hermit_card(giver, receiver, answer, cx);
        }
    }

    /// A Hermit card is drawn: only the drawer sees it, and he has to give it away.
    pub(super) fn draw_hermit(&mut self, drawer: Seat, cx: &mut Cx<'_, Event>) {
        let Some(card) = self.take_hermit_card(cx) else {
            return;
        };
        cx.tell(Audience::All, || Event::HermitDrawn { seat: drawer });
        self.see_hermit_card(drawer, card, cx);
        self.ask(drawer, Question::GiveHermit);
    }

    /// The drawer gives the card: the receiver reads it and has to answer.
    pub(super) fn give_hermit(&mut self, giver: Seat, receiver: Seat, cx: &mut Cx<'_, Event>) {
        let Some(card) = self.private_mut(giver).hermit else {
            return;
        };
        cx.tell(Audience::All, || Event::HermitGiven { giver, receiver });
        self.see_hermit_card(receiver, card, cx);
        self.ask(receiver, Question::HermitRespond { giver });
    }

    /// The card is answered. It goes face down on its discard pile before the answer takes
    /// effect; in the opening it goes on to the next player.
    fn settle_hermit_card(
        &mut self,
        giver: Seat,
        receiver: Seat,
        answer: HermitAnswer,
        cx: &mut Cx<'_, Event>,
    ) {
        let Some(card) = self.private_mut(receiver).hermit else {
            return;
        };
        let public = &self.public;
        let memory = HermitMemory {
            turn: public.turn,
            giver,
            receiver,
            card,
            answer,
            shuffle: public.hermit_shuffles,
            place: public.hermit_discard,
        };
        cx.tell(Audience::All, || Event::HermitAnswered {
            giver,
            receiver,
            answer,
        });
        if let Some(Frame::Opening { answered }) = self.public.stack.first_mut() {
            *answered += 1;
            let reached = *answered;
            for seat in self
                .public
                .seats_from(self.public.active)
                .take(usize::from(reached))
            {
                self.private_mut(seat).memory.push(memory);
            }
        } else {
            for seat in [giver, receiver] {
                let private = self.private_mut(seat);
                private.hermit = None;
                private.memory.push(memory);
            }
            self.discard_hermit_card(card);
        }
        let amount = card.facts().amount;
        match answer {
            HermitAnswer::Nothing => {}
            HermitAnswer::TakeDamage => {
                self.give_damage(receiver, amount, DamageSource::Hermit, cx);
                // R54: the giver loots.
                self.resolve_deaths(giver);
            }
            HermitAnswer::Heal => self.heal(receiver, amount, cx),
            HermitAnswer::Give(equipment) => {
                self.move_equipment(receiver, giver, equipment, cx);
                self.checkpoint(None, cx);
            }
            HermitAnswer::Show => self.show_identity(receiver, giver, cx),
        }
    }

    /// Prediction: the giver alone sees the character card, and keeps that knowledge.
    fn show_identity(&mut self, shown: Seat, giver: Seat, cx: &mut Cx<'_, Event>) {
        let character = self.character(shown);
        if let Some(identity) = self
            .private_mut(giver)
            .identities
            .get_mut(usize::from(shown.0))
        {
            *identity = Some(character);
        }
        cx.tell(Audience::Only(SeatSet::only(giver)), || {
            Event::IdentityShown {
                seat: shown,
                character,
            }
        });
    }

    fn see_hermit_card(&mut self, seat: Seat, card: HermitCard, cx: &mut Cx<'_, Event>) {
        self.private_mut(seat).hermit = Some(card);
        cx.tell(Audience::Only(SeatSet::only(seat)), || Event::HermitSeen {
            seat,
            card,
        });
    }

    /// The top card of the Hermit deck; its discard pile is shuffled first if nothing else is left.
    fn take_hermit_card(&mut self, cx: &mut Cx<'_, Event>) -> Option<HermitCard> {
        let (public, hidden) = (&mut self.public, &mut self.hidden);
        if hidden.hermit.is_empty() {
            std::mem::swap(&mut hidden.hermit, &mut hidden.hermit_discard);
            cx.chance.shuffle(&mut hidden.hermit);
            public.hermit_draw = public.hermit_discard;
            public.hermit_discard = 0;
            public.hermit_shuffles += 1;
            cx.tell(Audience::All, || Event::Reshuffled { deck: Deck::Hermit });
        }
        let card = hidden.hermit.pop()?;
        public.hermit_draw -= 1;
        Some(card)
    }

    fn discard_hermit_card(&mut self, card: HermitCard) {
        self.hidden.hermit_discard.push(card);
        self.public.hermit_discard += 1;
    }

    /// 6.2: the start player draws the card of the opening.
    pub(super) fn begin_opening(&mut self, cx: &mut Cx<'_, Event>) {
        let start = self.public.active;
        let Some(card) = self.take_hermit_card(cx) else {
            return;
        };
        self.push(Frame::Opening { answered: 0 });
        cx.tell(Audience::All, || Event::HermitDrawn { seat: start });
        self.see_hermit_card(start, card, cx);
    }

    /// 6.2: the card goes to the next player, or away after the last one. Who gives it is the
    /// neighbor on the right.
    pub(super) fn go_on_with_opening(&mut self, answered: u8, cx: &mut Cx<'_, Event>) {
        let start = self.public.active;
        let held = self.privates[usize::from(start.0)].hermit;
        let Some(card) = held else { return };
        if answered == self.public.seats() {
            for private in &mut self.privates {
                private.hermit = None;
            }
            self.discard_hermit_card(card);
            self.public.stack.pop();
            self.push(Frame::Turn(Step::Begin));
            return;
        }
        let receiver = Seat((start.0 + answered) % self.public.seats());
        let giver = self.public.right_of(receiver);
        if answered > 0 {
            cx.tell(Audience::All, || Event::HermitGiven { giver, receiver });
            self.see_hermit_card(receiver, card, cx);
            // With the card comes what was answered before.
            let past = self.privates[usize::from(giver.0)].memory.clone();
            self.private_mut(receiver).memory = past;
        }
        self.push(Frame::Ask(Ask {
            seat: receiver,
            question: Question::HermitRespond { giver },
        }));
    }
}
