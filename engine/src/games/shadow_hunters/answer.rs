//! What each answer does (section 7): where an action goes to the chapter that it belongs to.

use super::action::Action;
use super::area::Area;
use super::event::Event;
use super::frame::{Ask, Question};
use super::state::ShadowHunters;
use crate::cx::Cx;
use crate::seat::Seat;

impl ShadowHunters {
    /// Plays an answer to the question on top.
    pub(super) fn answer(&mut self, ask: Ask, action: Action, cx: &mut Cx<'_, Event>) {
        let Ask { seat, question } = ask;
        self.public.stack.pop();
        // What is used in a window or besides a decision resolves at once; then the window restarts
        // (5.2), or the same is asked again (5).
        if let Action::Reveal
        | Action::UseAbility
        | Action::UseAbilityOn { .. }
        | Action::DigUp { .. } = action
        {
            match question {
                Question::WindowStart | Question::WindowAttack { .. } => self.move_window(0),
                _ => self.ask(seat, question),
            }
        }
        match action {
            Action::Pass => self.pass(seat, question, cx),
            Action::Reveal => {
                self.reveal(seat, cx);
                // R43: Catherine who reveals in her own start window heals at once.
                if question == Question::WindowStart && seat == self.public.active {
                    self.stigmata(seat, cx);
                }
            }
            Action::UseAbility => self.use_ability(seat, cx),
            Action::UseAbilityOn { player } => self.use_ability_on(seat, player, cx),
            Action::DigUp { card } => self.dig_up(seat, card, cx),
            Action::RollMove => self.roll_to_move(seat, cx),
            Action::Teleport { area } => {
                self.reveal(seat, cx);
                self.tell_ability(seat, None, cx);
                self.move_to(seat, area, cx);
            }
            Action::ChooseDestination { area } => self.move_to(seat, area, cx),
            Action::Draw { deck } => self.draw(seat, deck, cx),
            Action::WoodsDamage { player } => self.woods_damage(seat, player, cx),
            Action::WoodsHeal { player } => {
                self.heal(player, Area::WeirdWoods.facts().heal, cx);
            }
            Action::Steal { player, card } => self.steal(seat, player, card, cx),
            Action::SkipArea | Action::DeclineAttack => {}
            Action::GiveHermit { player } => self.give_hermit(seat, player, cx),
            Action::AnswerNothing
            | Action::AnswerTakeDamage
            | Action::AnswerHeal
            | Action::AnswerGive { .. }
            | Action::AnswerShow => self.hermit_respond(seat, question, action, cx),
            Action::CardTarget { player } => self.play_on(seat, player, question, cx),
            Action::Accept => self.accept(seat, cx),
            Action::GiveCard { card, player } => self.give_card(seat, player, card, cx),
            Action::Attack { player } => self.declare_attack(seat, Some(player), cx),
            Action::AttackAll => self.declare_attack(seat, None, cx),
            Action::SpearReveal => self.reveal(seat, cx),
            Action::SuckBlood => {
                self.reveal(seat, cx);
                self.suck_blood(seat, cx);
            }
            Action::Rob { card } => self.rob(seat, question, card, cx),
            Action::DealDamage => {}
            Action::TakeAll => {
                self.reveal(seat, cx);
                self.tell_ability(seat, None, cx);
                if let Question::TakeAll { victim } = question {
                    self.take_all(seat, victim, cx);
                }
            }
            Action::Loot { card } => {
                if let Question::Loot { victim } = question {
                    self.loot(seat, victim, card, cx);
                }
            }
            Action::Counterattack => {
                self.reveal(seat, cx);
                if let Question::Counterattack { attacker } = question {
                    self.counterattack(seat, attacker, cx);
                }
            }
            Action::Feast { player } => self.feast(seat, player, cx),
        }
    }

    /// Passing does nothing, except that the card which was offered is over, and that who doesn't
    /// take all loots.
    fn pass(&mut self, seat: Seat, question: Question, cx: &mut Cx<'_, Event>) {
        match question {
            Question::Accept { .. } => self.finish_card(cx),
            Question::TakeAll { victim } => self.ask(seat, Question::Loot { victim }),
            _ => {}
        }
    }
}
