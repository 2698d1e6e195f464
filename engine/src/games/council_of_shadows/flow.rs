//! The round (5): BUY, PLAN, CONSUME and ACT, with the events of section 7 after the first, the
//! third and the last.

use super::action::Action;
use super::event::Event;
use super::legal;
use super::options::ScoringTiming;
use super::state::{CouncilOfShadows, EndReason, Party, Phase};
use crate::cx::{Audience, Cx};
use crate::game::{Game, Seen};
use crate::seat::Seat;

impl CouncilOfShadows {
    /// Runs on to the next decision: a list of one is never asked (5).
    ///
    /// PLAN decides for itself what is asked: there a list can be short because of what a player
    /// has chosen secretly.
    pub(super) fn run(&mut self, cx: &mut Cx<'_, Event>) {
        let mut actions = Vec::new();
        loop {
            let Some(seat) = self
                .public
                .acting_party()
                .and_then(|party| self.public.seat_of(party))
            else {
                return;
            };
            let seen = Seen::<Self> {
                seat: Some(seat),
                public: &self.public,
                own: self.private(seat),
            };
            legal::list(seen, &mut actions);
            match actions.as_slice() {
                &[only] => self.play(seat, only, cx),
                _ => return,
            }
        }
    }

    /// Carries out one decision.
    pub(super) fn play(&mut self, seat: Seat, action: Action, cx: &mut Cx<'_, Event>) {
        match action {
            Action::ChooseLeader { leader } => self.choose_leader(seat, leader, cx),
            Action::BuyAi { row, pay } => self.buy_ai(seat, row, pay, cx),
            Action::BuyUpgrade { upgrade, pay } => self.buy_upgrade(seat, upgrade, pay, cx),
            Action::BuyStation {
                station,
                galaxy,
                pay,
            } => self.buy_station(seat, station, galaxy, pay, cx),
            Action::EndBuy => self.end_buy_turn(cx),
            Action::PlanPlace { card, .. } => self.plan(seat, Some(card), cx),
            Action::PlanKeep { .. } => self.plan(seat, None, cx),
            Action::PlaceCube { space, planet } => self.place_cube(seat, space, planet, cx),
            Action::FoundColony { space, planet } => self.found_colony(seat, space, planet, cx),
            Action::Take { space } => self.take(seat, space, cx),
            Action::ExploreStack { parsec } => self.explore_stack(seat, parsec, cx),
            Action::ExplorePlace { tile, space } => self.explore_place(seat, tile, space, cx),
            Action::ExploreColony { planet } => self.explore_colony(seat, planet, cx),
            Action::ExploreYield => self.explore_yield(seat, cx),
            Action::Improve { from } => self.improve(seat, from, cx),
            Action::Accept => self.accept_gems(seat, cx),
            Action::ChooseStep { index } => self.choose_step(index, cx),
            Action::Skip => self.skip(cx),
            Action::Score { space, planet } => {
                self.score(seat, space.galaxy(), Some((space, planet)), cx);
            }
            Action::ScoreKeep { galaxy } => self.score(seat, galaxy, None, cx),
            Action::EndScoring => self.end_scoring(cx),
            Action::BonusKeep { return_index } => self.keep_bonus(seat, return_index, cx),
            Action::BonusDecline => self.decline_bonus(seat, cx),
            Action::DarkTech { card } => self.take_dark_tech(seat, card, cx),
        }
    }

    /// ROUND: phase 1 begins.
    pub(super) fn start_round(&mut self, cx: &mut Cx<'_, Event>) {
        self.public.round += 1;
        let round = self.public.round;
        // 12: the Automa card of the last round joins the used ones.
        if let Some(used) = self.public.automa_card.take() {
            self.public.automa_used.insert(used);
        }
        cx.tell(Audience::All, || Event::RoundStarted { round });
        self.start_buy_turn(0, cx);
    }

    /// DT, and then what follows the phase.
    pub(super) fn end_phase(&mut self, phase: Phase, cx: &mut Cx<'_, Event>) {
        if self.process_events(phase, cx) {
            return;
        }
        match phase {
            Phase::Buy => self.start_planning(cx),
            Phase::Consume => self.start_acting(cx),
            Phase::Act => self.end_round(cx),
        }
    }

    /// ACT: phase 3 begins.
    fn start_acting(&mut self, cx: &mut Cx<'_, Event>) {
        self.start_turn(0, cx);
    }

    /// ACT (a) of the party with this place in the turn order; after the last one what follows.
    fn start_turn(&mut self, nth: u8, cx: &mut Cx<'_, Event>) {
        let Some(party) = self.public.in_order(nth) else {
            match self.public.setup.scoring_timing {
                ScoringTiming::PerPlayer => self.end_phase(Phase::Act, cx),
                ScoringTiming::AfterAll => self.start_scoring(0, cx),
            }
            return;
        };
        match self.public.seat_of(party) {
            Some(_) => self.start_actions(nth, cx),
            None => {
                self.automa_acts(cx);
                self.end_actions(nth, cx);
            }
        }
    }

    /// ACT (a) and (b) of a party are done.
    pub(super) fn end_actions(&mut self, nth: u8, cx: &mut Cx<'_, Event>) {
        match self.public.setup.scoring_timing {
            ScoringTiming::PerPlayer => self.start_scoring(nth, cx),
            ScoringTiming::AfterAll => self.start_turn(nth + 1, cx),
        }
    }

    /// ACT (c) of a party is done.
    pub(super) fn end_scoring_of(&mut self, nth: u8, cx: &mut Cx<'_, Event>) {
        match self.public.setup.scoring_timing {
            ScoringTiming::PerPlayer => self.start_turn(nth + 1, cx),
            ScoringTiming::AfterAll => self.start_scoring(nth + 1, cx),
        }
    }

    /// 14: after the round in which somebody reached level 3, or the last one allowed, final
    /// scoring follows.
    fn end_round(&mut self, cx: &mut Cx<'_, Event>) {
        if self.public.throne.is_some() {
            self.finish(EndReason::Throne, cx);
        } else if self.public.round >= self.public.setup.max_rounds {
            self.finish(EndReason::MaxRounds, cx);
        } else {
            self.start_round(cx);
        }
    }

    /// A human's seat, as the party that it is.
    pub(super) fn acting(&self) -> Option<(Seat, Party)> {
        let party = self.public.acting_party()?;
        Some((self.public.seat_of(party)?, party))
    }
}
