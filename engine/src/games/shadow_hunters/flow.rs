//! The course of the game (section 6): the loop over what is going on, and the turn.

use super::action::Action;
use super::area::{Area, Areas, Slot};
use super::card::Equipment;
use super::character::Character;
use super::event::Event;
use super::frame::{Ask, Dice, Frame, Question, Step, Window, WindowKind};
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
            let next = self.public.seats_from(self.public.left_of(seat));
            self.public.active = next
                .into_iter()
                .find(|&seat| living.contains(seat))
                .unwrap_or(seat);
        }
        self.next_step(Step::Begin);
    }

    /// Everything that is left of the turn of a player who has died is dropped (6.1).
    pub(super) fn drop_turn(&mut self) {
        self.public.stack.truncate(1);
        self.next_step(Step::End);
    }

    /// 5.2: the next player is asked; after the last one the window is closed.
    fn go_on_with_window(&mut self, window: Window) {
        let living = self.public.living();
        let rest = (window.next..self.public.seats()).map(|step| {
            (
                step,
                Seat((self.public.active.0 + step) % self.public.seats()),
            )
        });
        let Some((step, seat)) = rest.into_iter().find(|&(_, seat)| living.contains(seat)) else {
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

    /// 6.3: both dice, again as long as they show the own area; twice with the Mystic Compass (R3).
    pub(super) fn roll_to_move(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        let roll = self.roll_off_own_area(seat, cx);
        let compass = self.public.player(seat).owns(Equipment::MysticCompass);
        let second = compass.then(|| self.roll_off_own_area(seat, cx));
        let mut areas = Areas::EMPTY;
        for dice in [Some(roll), second].into_iter().flatten() {
            match Area::of_total(dice.total()) {
                Some(area) => areas = areas.with(area),
                None => areas = Areas::FULL,
            }
        }
        // R2: never the own area.
        if let Some(own) = self.public.area_of(seat) {
            areas = areas.without(own);
        }
        self.ask(
            seat,
            Question::ChooseDestination {
                roll,
                second,
                areas,
            },
        );
    }

    /// R1: the roll is repeated until it doesn't show the own area.
    fn roll_off_own_area(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) -> Dice {
        loop {
            let dice = roll_both(seat, cx);
            let area = Area::of_total(dice.total());
            if area.is_none() || area != self.public.area_of(seat) {
                return dice;
            }
        }
    }

    /// The player's piece is put on this area.
    pub(super) fn move_to(&mut self, seat: Seat, area: Area, cx: &mut Cx<'_, Event>) {
        let slot: Option<Slot> = self.public.slot_of(area);
        self.public.player_mut(seat).slot = slot;
        if let Some(slot) = slot {
            cx.tell(Audience::All, || Event::Moved { seat, area, slot });
        }
    }

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
            | Action::AnswerShow => self.answer_as(seat, question, action, cx),
            Action::CardTarget { player } => self.play_on(seat, player, question, cx),
            Action::Accept => self.accept(seat, cx),
            Action::GiveCard { card, player } => self.give_card(seat, player, card, cx),
            Action::Attack { player } => self.declare_attack(seat, Some(player), cx),
            Action::AttackAll => self.declare_attack(seat, None, cx),
            Action::SpearReveal | Action::SuckBlood => {
                self.reveal(seat, cx);
                if action == Action::SuckBlood {
                    self.suck_blood(seat, cx);
                }
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

/// Both dice, the d6 first (5).
pub(super) fn roll_both(seat: Seat, cx: &mut Cx<'_, Event>) -> Dice {
    let d6 = cx.chance.die(6);
    let d4 = cx.chance.die(4);
    cx.tell(Audience::All, || Event::DiceRolled {
        seat,
        d6: Some(d6),
        d4: Some(d4),
    });
    Dice { d6, d4 }
}

/// One die of six or four sides.
pub(super) fn roll_one(seat: Seat, sides: u8, cx: &mut Cx<'_, Event>) -> u8 {
    let face = cx.chance.die(sides);
    cx.tell(Audience::All, || Event::DiceRolled {
        seat,
        d6: (sides == 6).then_some(face),
        d4: (sides == 4).then_some(face),
    });
    face
}
