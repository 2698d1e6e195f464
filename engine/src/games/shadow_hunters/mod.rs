//! Shadow Hunters (Yasutaka Ikeda; Z-Man edition with all twenty characters) for 4 to 8 players.
//!
//! Everybody has a secret character: a Hunter, a Shadow or a Neutral with a goal of their own. On a
//! turn a player rolls to move, may use the area, and may attack in range with the difference of
//! two dice. Who is on whose side has to be found out, by Hermit cards above all.
//!
//! Section numbers (10.4) and rulings (R28) are those of the rules page, `shadow_hunters.md`. Our
//! readings where it leaves something open:
//! - A failed attack (equal dice) has no damage to settle: it goes on with the counterattack (10.6).
//! - Who leaves is played on by proxy, can't win and gets -1. The game goes on and ends as if he were
//!   there; Agnes still wins if the neighbor who left would have.
//! - The end of the game reveals everybody. What was going on stays as it was.
//! - In a determinized state the Hermit cards that others exchanged are left out of their memories:
//!   only the log tells of them (13).
//!
//! Files, in the order of the page: [`options`] (2), [`character`], [`card`], [`area`] and [`tables`]
//! (3), [`state`] and [`frame`], `set_up` (4), `damage` and `legal` (5), `flow` and `moving` (6),
//! [`action`] and `answer` (7), `abilities` (8), `cards` and `hermit` (9), `attack` (10), `death`
//! (11), `victory` (12), `determinize`, `deal` and [`event`] (13), `evaluate` (16).

mod abilities;
pub mod action;
mod answer;
pub mod area;
mod attack;
mod canonical;
pub mod card;
mod cards;
pub mod character;
mod damage;
mod deal;
mod death;
mod determinize;
mod evaluate;
pub mod event;
mod flow;
pub mod frame;
mod hermit;
mod legal;
mod moving;
pub mod options;
pub mod position;
mod set_up;
pub mod state;
pub mod tables;
mod victory;
mod why;

use std::fmt::Write as _;

pub use action::Action;
pub use area::{Area, Areas, Slot};
pub use card::{Card, Color, Deck, Equipment, HermitCard, SingleUse};
pub use character::{Character, CharacterSet, Characters, Faction};
pub use event::{DamageSource, Event};
pub use frame::{
    Ask, Attack, AttackRoll, AttackStep, Deaths, Dice, Frame, Question, Step, Window, WindowKind,
};
pub use options::{ExpansionCharacters, Options};
pub use position::{Position, PositionError};
pub use state::{
    EndReason, Ending, HermitAnswer, HermitMemory, Hidden, Player, Private, Public, ShadowHunters,
};

use crate::action::ActionId;
use crate::chance::Chance;
use crate::cx::{Audience, Cx};
use crate::error::OptionsError;
use crate::game::{Game, GameInfo, Seen};
use crate::outcome::Outcome;
use crate::seat::{Seat, SeatSet, Viewer};

impl Game for ShadowHunters {
    type Options = Options;
    type Public = Public;
    type Private = Private;
    type Decision = Question;
    type Action = Action;
    type Event = Event;

    const INFO: GameInfo = GameInfo {
        slug: "shadow_hunters",
        title: "Shadow Hunters",
        seats_min: 4,
        seats_max: 8,
        rules_version: 1,
        // Banana Peel: twelve cards, seven players.
        legal_max: legal::LIST_MAX as u32,
        hidden: true,
    };
    const ACTION_SPACE: u32 = action::ACTION_SPACE;

    /// 7.1: 200 a turn and 200 besides; and each seat may resign once.
    fn plies_max(options: &Options, seats: u8) -> u32 {
        200 * u32::from(options.turn_limit) + 200 + u32::from(seats)
    }

    /// Chance in the order of section 4: areas, Hermit, White and Black deck, pools, characters,
    /// deal, start player.
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
        self.privates.get(usize::from(seat.0))
    }

    fn to_act(public: &Public) -> SeatSet {
        public
            .asked()
            .map_or(SeatSet::EMPTY, |ask| SeatSet::only(ask.seat))
    }

    fn outcome(public: &Public) -> Option<&Outcome> {
        public.ending.as_ref().map(|ending| &ending.outcome)
    }

    fn decision(seen: Seen<'_, Self>) -> Option<Question> {
        owed(seen).map(|ask| ask.question)
    }

    fn legal_actions_into(seen: Seen<'_, Self>, out: &mut Vec<Action>) {
        out.clear();
        if let (Some(ask), Some(own)) = (owed(seen), seen.own) {
            out.extend(seen.public.offers(ask, own.character, own.hermit));
            out.sort_unstable();
        }
    }

    fn why_not(seen: Seen<'_, Self>, action: Action) -> &'static str {
        why::why_not(Self::decision(seen), action)
    }

    fn label(_seen: Seen<'_, Self>, action: Action, out: &mut String) {
        // Writing to a string can't fail.
        let _ = write!(out, "{action}");
    }

    fn apply_unchecked(&mut self, seat: Seat, action: Action, cx: &mut Cx<'_, Event>) {
        debug_assert!(Self::is_legal(self.seen(Viewer::Seat(seat)), action));
        if let Some(ask) = self.public.asked() {
            self.answer(ask, action, cx);
            self.run(cx);
        }
    }

    /// The page is silent: the seat is played on by proxy, and it can't win any more.
    fn resign(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        if let Some(player) = self.public.players.get_mut(usize::from(seat.0)) {
            player.resigned = true;
            cx.tell(Audience::All, || Event::Resigned { seat });
        }
    }

    /// Deals that fit, as likely as the set-up deals them; every order of unseen cards, each
    /// equally likely. See `determinize.rs`.
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
        self.write(out);
    }
}

/// The question that the viewing seat has to answer.
fn owed(seen: Seen<'_, ShadowHunters>) -> Option<Ask> {
    let ask = seen.public.asked()?;
    (seen.seat == Some(ask.seat)).then_some(ask)
}
