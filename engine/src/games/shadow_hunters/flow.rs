//! The course of the game (section 6): the loop over what is going on, and the turn.

use super::character::Character;
use super::event::Event;
use super::frame::{Ask, Frame, Question, Step, Window, WindowKind};
use super::legal::Offers;
use super::state::ShadowHunters;
use crate::cx::{Audience, Cx};
use crate::seat::Seat;

impl ShadowHunters {
    /// Runs on to the next question that is asked, or to the end.
    pub(super) fn run(&mut self, cx: &mut Cx<'_, Event>) {
        while self.public.ending.is_none() {
            let Some(&top) = self.public.stack.last() else {
                return;
            };
            match top {
                Frame::Ask(ask) if self.public.is_asked(ask) => return,
                Frame::Ask(ask) => self.play_only_action(ask, cx),
                Frame::Window(window) => self.go_on_with_window(window),
                Frame::Deaths(deaths) => self.go_on_with_deaths(deaths, cx),
                Frame::Attack(attack) => self.go_on_with_attack(attack, cx),
                Frame::Turn(step) => self.go_on_with_turn(step, cx),
                Frame::Opening { answered } => self.go_on_with_opening(answered, cx),
            }
        }
    }

    /// 6.1: one step of the turn.
    fn go_on_with_turn(&mut self, step: Step, cx: &mut Cx<'_, Event>) {
        let active = self.public.active;
        match step {
            Step::Begin => {
                self.next_step(Step::StartWindow);
                self.begin_turn(cx);
            }
            Step::StartWindow => {
                self.next_step(Step::Movement);
                self.open_window(WindowKind::Start);
            }
            Step::Movement => {
                self.next_step(Step::Area);
                self.ask(active, Question::MoveChoice);
            }
            Step::Area => {
                self.next_step(Step::Attack);
                let mut offers = Offers::new();
                self.public.offer_area(active, &mut offers);
                if !offers.is_empty() {
                    self.ask(active, Question::AreaChoice);
                }
            }
            Step::Attack => {
                self.next_step(Step::EndWindow);
                if !self.public.in_range(active).is_empty() {
                    self.ask(active, Question::AttackChoice);
                }
            }
            Step::EndWindow => {
                self.next_step(Step::End);
                self.ask(active, Question::WindowEnd);
            }
            Step::End => self.end_turn(cx),
        }
    }

    fn next_step(&mut self, step: Step) {
        if let Some(top) = self.public.stack.last_mut() {
            *top = Frame::Turn(step);
        }
    }

    /// T0 and T1.
    fn begin_turn(&mut self, cx: &mut Cx<'_, Event>) {
        self.public.turn += 1;
        let (seat, turn) = (self.public.active, self.public.turn);
        let player = self.public.player_mut(seat);
        player.guardian = false;
        player.barrier = false;
        player.ability_used_this_turn = false;
        cx.tell(Audience::All, || Event::TurnStarted { seat, turn });
        self.stigmata(seat, cx);
    }

    /// Stigmata: Catherine, once revealed, heals once in each turn of hers (R42).
    pub(super) fn stigmata(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        let player = self.public.player(seat);
        if player.is_revealed_as(Character::Catherine)
            && self.public.has_ability(seat)
            && !player.ability_used_this_turn
        {
            self.public.player_mut(seat).ability_used_this_turn = true;
            self.heal(seat, Character::Catherine.facts().heal, cx);
        }
    }

    /// T7: the turn is completed; an extra turn or the next living player's follows.
    fn end_turn(&mut self, cx: &mut Cx<'_, Event>) {
        let seat = self.public.active;
        cx.tell(Audience::All, || Event::TurnEnded { seat });
        if self.public.turn >= self.public.options.turn_limit {
            return self.end_by_turn_limit(cx);
        }
        let player = self.public.player_mut(seat);
        if player.extra_turns > 0 {
            player.extra_turns -= 1;
        } else {
            let living = self.public.living();
            let mut clockwise = self.public.seats_from(self.public.left_of(seat));
            self.public.active = clockwise
                .find(|&seat| living.contains(seat))
                .unwrap_or(seat);
        }
        self.next_step(Step::Begin);
    }

    /// Everything that is left of the turn of a player who has died is dropped (6.1): all that is
    /// under way within it, and its steps up to the last.
    pub(super) fn drop_turn(&mut self) {
        self.public.stack.truncate(1);
        self.next_step(Step::End);
    }

    /// 5.2: the next player is asked; after the last one the window is closed.
    fn go_on_with_window(&mut self, window: Window) {
        let living = self.public.living();
        let mut rest = (window.next..self.public.seats()).map(|step| {
            (
                step,
                Seat((self.public.active.0 + step) % self.public.seats()),
            )
        });
        let Some((step, seat)) = rest.find(|&(_, seat)| living.contains(seat)) else {
            self.public.stack.pop();
            return;
        };
        self.move_window(step + 1);
        self.ask(
            seat,
            match window.kind {
                WindowKind::Start => Question::WindowStart,
                WindowKind::Attack { attacker, targets } => {
                    Question::WindowAttack { attacker, targets }
                }
            },
        );
    }

    pub(super) fn open_window(&mut self, kind: WindowKind) {
        self.push(Frame::Window(Window { kind, next: 0 }));
    }

    /// Sets who comes next in the window on top.
    pub(super) fn move_window(&mut self, next: u8) {
        if let Some(Frame::Window(window)) = self.public.stack.last_mut() {
            window.next = next;
        }
    }

    /// A question is asked, if it leaves a choice.
    pub(super) fn ask(&mut self, seat: Seat, question: Question) {
        self.push(Frame::Ask(Ask { seat, question }));
    }

    pub(super) fn push(&mut self, frame: Frame) {
        let pushed = self.public.stack.try_push(frame);
        debug_assert!(pushed.is_ok(), "no more than eight things are under way");
    }

    /// A question that leaves nobody a choice is no decision: its only action is played.
    fn play_only_action(&mut self, ask: Ask, cx: &mut Cx<'_, Event>) {
        let offers = self.public.offers(ask, self.character(ask.seat), None);
        debug_assert_eq!(offers.len(), 1);
        match offers.first() {
            Some(&action) => self.answer(ask, action, cx),
            None => {
                self.public.stack.pop();
            }
        }
    }
}
