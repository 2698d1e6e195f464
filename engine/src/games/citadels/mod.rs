//! Citadels (Bruno Faidutti, classic edition): 2 to 8 players, base game and all bonus cards.
//!
//! Each round the players secretly pick characters and are called in the order of ranks. A called player takes gold or cards, uses the
//! character's power, and builds districts. When a city is complete the round is played to its end, and most points win.
//!
//! Section numbers (5.1), rulings ("Ruling 40") and decisions (D8) are those of the rules page, `citadels.md`; the numbers of all cards are
//! those of `districts.toml`, `characters.toml` and `setup.toml`. Our readings:
//! - Leaving: the seat is played on by proxy; whoever left can't win and gets -1.
//! - The Magician's cards go under the deck one by one, as they are marked (D11): nothing is drawn in between.
//! - A second look from the Lighthouse takes the place of the same player's first. What others saw before they still know (section 9), but the
//!   deck was shuffled: of their cards at least those are left in it that nobody can have drawn since.
//! - Among equal colors for the Haunted City purple comes first: only the total counts.
//!
//! Files, in the order in which the rulebook would have them: [`options`], [`district`], [`character`], [`setup`] (the tables), [`cards`],
//! [`pile`] and [`city`], [`state`], `start` (the set-up), `flow` (rounds, calls, turns), `draft`, `taking` (the action), `gold`, `building`,
//! `characters` and `rank8` (powers), `districts`, [`scoring`]. `menu` lists what is legal; [`action`] and [`event`] are what is done and
//! told; [`knowledge`] is what seats remember, `determinize` and `rerun` what they may imagine.

pub mod action;
mod building;
mod canonical;
pub mod cards;
pub mod character;
mod characters;
pub mod city;
mod determinize;
pub mod district;
mod districts;
mod draft;
mod evaluate;
pub mod event;
mod flow;
mod gold;
pub mod knowledge;
mod label;
mod menu;
pub mod options;
pub mod pile;
mod rank8;
mod rerun;
pub mod scoring;
pub mod setup;
mod sound;
mod start;
pub mod state;
mod taking;

pub use action::{Action, Site};
pub use cards::Cards;
pub use character::{Character, Characters, Rank, Ranks};
pub use city::{Built, City};
pub use district::{Color, District};
pub use event::Event;
pub use options::{BallRoom, FirstCrown, GoldSupply, Options};
pub use pile::Pile;
pub use scoring::Score;
pub use sound::Unsound;
pub use state::{Citadels, Decision, Hidden, Private, Public, Stage, Turn, TurnKind, Window};

use crate::action::ActionId;
use crate::chance::Chance;
use crate::cx::{Audience, Cx};
use crate::error::OptionsError;
use crate::game::{Game, GameInfo, Seen};
use crate::outcome::Outcome;
use crate::seat::{Seat, SeatSet, Viewer};

/// Section 6: decisions in a game, at the most.
const DECISIONS_MAX: u32 = 30_000;

impl Game for Citadels {
    type Options = Options;
    type Public = Public;
    type Private = Private;
    type Decision = Decision;
    type Action = Action;
    type Event = Event;

    const INFO: GameInfo = GameInfo {
        slug: "citadels",
        title: "Citadels",
        seats_min: 2,
        seats_max: 8,
        rules_version: 1,
        legal_max: 200,
        hidden: true,
    };
    const ACTION_SPACE: u32 = action::ACTION_SPACE;

    /// The page's bound on decisions, and a resignation of each seat.
    fn plies_max(_options: &Options, seats: u8) -> u32 {
        DECISIONS_MAX + u32::from(seats)
    }

    fn new(options: &Options, seats: u8, cx: &mut Cx<'_, Event>) -> Result<Self, OptionsError> {
        Self::INFO.check_seats(seats)?;
        options.check(seats)?;
        Ok(Self::set_up(options, seats, cx))
    }

    #[inline]
    fn public(&self) -> &Public {
        &self.public
    }

    #[inline]
    fn private(&self, seat: Seat) -> Option<&Private> {
        (seat.0 < self.public.seats).then(|| &self.private[seat])
    }

    #[inline]
    fn to_act(public: &Public) -> SeatSet {
        public.decider().map_or(SeatSet::EMPTY, SeatSet::only)
    }

    fn outcome(public: &Public) -> Option<&Outcome> {
        match &public.stage {
            Stage::Over(ending) => Some(&ending.outcome),
            _ => None,
        }
    }

    fn decision(seen: Seen<'_, Self>) -> Option<Decision> {
        let public = seen.public;
        if seen.seat.is_none() || public.decider() != seen.seat {
            return None;
        }
        Some(match public.stage {
            Stage::Draft { step } => match public.draft_step(step) {
                Some(setup::Step::Discard(_)) => Decision::DiscardCharacter,
                _ => Decision::PickCharacter,
            },
            Stage::Hospital { .. } => Decision::Hospital,
            Stage::Thanks => Decision::Thanks,
            Stage::GiveCrown | Stage::MoveCrown { .. } => Decision::GiveCrown,
            Stage::PayEmperor { .. } => Decision::PayEmperor,
            Stage::Menu => Decision::Menu(public.turn?.window),
            Stage::Keep { .. } => Decision::KeepCard,
            Stage::Navigator => Decision::Navigator,
            Stage::Bewitch => Decision::Bewitch,
            Stage::Mark { .. } => Decision::MarkCard,
            Stage::WizardTake { .. } => Decision::WizardTake,
            Stage::WizardBuild { .. } => Decision::WizardBuild,
            Stage::Lighthouse => Decision::Lighthouse,
            Stage::BellTower => Decision::BellTower,
            Stage::Graveyard { .. } => Decision::Graveyard,
            Stage::DiplomatGive { .. } => Decision::DiplomatGive,
            Stage::Over(_) => return None,
        })
    }

    fn legal_actions_into(seen: Seen<'_, Self>, out: &mut Vec<Action>) {
        out.clear();
        menu::legal_actions(seen, out);
    }

    fn why_not(seen: Seen<'_, Self>, action: Action) -> &'static str {
        menu::why_not(seen, action)
    }

    fn label(seen: Seen<'_, Self>, action: Action, out: &mut String) {
        label::write_label(seen, action, out);
    }

    fn apply_unchecked(&mut self, seat: Seat, action: Action, cx: &mut Cx<'_, Event>) {
        debug_assert!(Self::is_legal(self.seen(Viewer::Seat(seat)), action));
        match action {
            Action::PickCharacter { character } => self.pick_character(seat, character.rank(), cx),
            Action::DiscardCharacter { character } => {
                self.discard_character(seat, character.rank(), cx);
            }
            Action::HospitalUse => self.answer_hospital(seat, true, cx),
            Action::HospitalDecline => self.answer_hospital(seat, false, cx),
            Action::SayThanks => self.answer_ball_room(seat, true, cx),
            Action::StaySilent => self.answer_ball_room(seat, false, cx),
            Action::GiveCrown { player } => match self.public.stage {
                Stage::MoveCrown { .. } => {
                    // Ruling 46: without payment.
                    self.move_crown(player, cx);
                    self.finish_round(cx);
                }
                _ => self.give_crown(seat, player, cx),
            },
            Action::PayEmperorGold => self.pay_emperor(seat, None, cx),
            Action::PayEmperorCard { card } => self.pay_emperor(seat, Some(card), cx),
            Action::TakeGold => self.take_gold(seat, cx),
            Action::DrawCards => self.draw_cards(seat, cx),
            Action::NoAction => self.no_action(seat, cx),
            Action::KeepCard { card } => self.keep_card(seat, card, cx),
            Action::NavigatorGold => self.navigate(seat, true, cx),
            Action::NavigatorCards => self.navigate(seat, false, cx),
            Action::Bewitch { character } => self.bewitch(seat, character, cx),
            Action::CollectIncome => self.collect_income(seat, cx),
            Action::Build { card } => self.build(seat, card, false, cx),
            Action::Murder { character } => self.murder(character, cx),
            Action::Rob { character } => self.rob(character, cx),
            Action::MagicianSwap { player } => self.magician_swap(seat, player, cx),
            Action::MagicianRedraw => self.magician_redraw(seat, cx),
            Action::MarkCard { card } => self.mark_card(seat, card, cx),
            Action::RedrawDone => self.redraw_done(seat, cx),
            Action::WizardLook { player } => self.wizard_look(seat, player, cx),
            Action::WizardTake { card } => self.wizard_take(seat, card, cx),
            Action::WizardKeep => self.answer_wizard(seat, false, cx),
            Action::WizardBuild => self.answer_wizard(seat, true, cx),
            Action::AbbotTithe => self.abbot_tithe(seat, cx),
            Action::QueenGold => self.queen_gold(seat, cx),
            Action::Beautify { district } => self.beautify(seat, district, cx),
            Action::UseLaboratory { card } => self.use_laboratory(seat, card, cx),
            Action::UseMuseum { card } => self.use_museum(seat, card, cx),
            Action::UseSmithy => self.use_smithy(seat, cx),
            Action::UseArmory { player, site } => self.use_armory(seat, player, site, cx),
            Action::WarlordDestroy { player, site } => self.warlord_destroy(seat, player, site, cx),
            Action::DiplomatTake { player, site } => self.diplomat_take(player, site),
            Action::DiplomatGive { site } => self.diplomat_give(seat, site, cx),
            Action::LighthouseTake { card } => self.answer_lighthouse(seat, Some(card), cx),
            Action::LighthouseDecline => self.answer_lighthouse(seat, None, cx),
            Action::BellTowerRing => self.answer_bell_tower(seat, true, cx),
            Action::BellTowerSilent => self.answer_bell_tower(seat, false, cx),
            Action::GraveyardTake => self.answer_graveyard(seat, true, cx),
            Action::GraveyardDecline => self.answer_graveyard(seat, false, cx),
            Action::EndTurn => self.end_turn(cx),
        }
    }

    /// The rules page is silent: the seat is played on by proxy, and whoever left can't win and ranks last.
    fn resign(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        self.public.left = self.public.left.with(seat);
        cx.tell(Audience::All, || Event::SeatLeft { seat });
    }

    fn determinize(seen: Seen<'_, Self>, chance: &mut Chance) -> Self {
        determinize::determinize(seen, chance)
    }

    fn encode(action: Action) -> ActionId {
        action::encode(action)
    }

    fn decode(id: ActionId) -> Option<Action> {
        action::decode(id)
    }

    fn write_canonical(&self, out: &mut Vec<u8>) {
        canonical::write_canonical(self, out);
    }
}
