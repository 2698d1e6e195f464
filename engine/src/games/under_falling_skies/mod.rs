//! Under Falling Skies (Tomáš Uhlíř, CGE 2020): one player defends a city against a mothership,
//! alone or through a campaign.
//!
//! In each round five dice are placed in the base under the city: each moves the alien ships of its
//! column down, and is later used in the room it lies on. The player wins by reaching the end of
//! the research track before the mothership reaches the skull or the base is destroyed.
//!
//! Section numbers (6.2), rulings (R40) and golden scenarios (S12) are those of the rules page,
//! `under_falling_skies.md`. Our readings:
//! - A room is named in an action by the first of its spaces on the excavator's path, so that
//!   action ids don't depend on the base.
//! - `choose_elites` and `choose_team` take sets; the team then stands in the order of recruitment.
//! - Where several ships hit the city at once, the others have moved before the first damage is
//!   counted.
//! - The score of a campaign is the return of its outcome, that of a battle the return of a single
//!   game.
//!
//! Files, in the order in which the rulebook would have them: [`options`], [`tables`] (what is
//! printed), `geometry`, `pieces` and `sky` (section 3), [`state`], `flow` (sections 4 and 5),
//! `dice` (6.1 to 6.3), `mothership` (6.4 to 6.6), `rooms` (7.1), `excavator` (7.2), `robots`
//! (7.3), `powers` and `abilities` (section 8), `scenarios` (12.3) and [`campaign`] (12.4).
//! [`action`] and [`event`] are what is done and what happens.

mod abilities;
pub mod action;
pub mod campaign;
mod canonical;
mod dice;
mod evaluate;
pub mod event;
mod excavator;
mod flow;
mod geometry;
mod label;
mod mothership;
pub mod options;
mod pieces;
mod plan;
mod powers;
mod refusals;
mod robots;
mod rooms;
mod scenarios;
mod sky;
pub mod state;
pub mod tables;

pub use action::{
    Action, CharacterSet, Delta, Elites, FinalTeam, How, Levels, RepairSource, SetNumber, Steps,
    Threat,
};
pub use campaign::{BattleResult, Campaign, CampaignStage, HeldCity, LaterSets, SetOffer};
pub use event::{Event, ShipCause};
pub use geometry::{Column, Columns, Direction, Space, Spaces};
pub use options::{Member, Mode, Options};
pub use pieces::{Die, DiePlace, Robot, RobotDie, Ship, ShipColor, ShipPlace, WorkerDie};
pub use sky::Sky;
pub use state::{
    Battle, BattleEnd, Drag, EndReason, Ending, Public, Stage, ThisBattle, ThisRound,
    UnderFallingSkies,
};
pub use tables::{Character, City, CitySide, RoomKind, RowAction, Scenario, SkySet, SkySide};

use flow::SetUp;
use state::Hidden;

use crate::action::ActionId;
use crate::chance::Chance;
use crate::cx::{Audience, Cx};
use crate::error::OptionsError;
use crate::game::{Game, GameInfo, Seen};
use crate::outcome::Outcome;
use crate::seat::{Seat, SeatMap, SeatSet, Viewer};

/// The player.
const PLAYER: Seat = Seat(0);

/// The decision that the player owes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Decision {
    /// In the battle on the table.
    Battle(Stage),
    /// Of the campaign.
    Campaign(CampaignStage),
}

impl Game for UnderFallingSkies {
    type Options = Options;
    type Public = Public;
    type Private = ();
    type Decision = Decision;
    type Action = Action;
    type Event = Event;

    const INFO: GameInfo = GameInfo {
        slug: "under_falling_skies",
        title: "Under Falling Skies",
        seats_min: 1,
        seats_max: 1,
        rules_version: 1,
        // Five dice on thirty spaces, five dice up or down, `reroll_all` and `drag_next`.
        legal_max: 162,
        hidden: true,
    };
    const ACTION_SPACE: u32 = action::ACTION_SPACE;

    /// Section 9: below 620 in a battle, below 12 000 in a campaign.
    fn plies_max(options: &Options, _seats: u8) -> u32 {
        match options.mode {
            Mode::Single => 620,
            Mode::Campaign => 12_000,
        }
    }

    /// In a campaign the sets of a chapter's second battle are hidden; in a single game nothing is.
    fn hides(options: &Options) -> bool {
        options.mode == Mode::Campaign
    }

    fn new(options: &Options, seats: u8, cx: &mut Cx<'_, Event>) -> Result<Self, OptionsError> {
        Self::INFO.check_seats(seats)?;
        options.check()?;
        let mut table = Self {
            public: Public {
                battle: None,
                campaign: None,
                ending: None,
            },
            hidden: Hidden { later: None },
        };
        match options.mode {
            Mode::Single => table.public.battle = Some(Battle::begin(&SetUp::single(options), cx)),
            Mode::Campaign => {
                table.public.campaign = Some(Campaign::new());
                table.start_chapter(cx);
            }
        }
        Ok(table)
    }

    #[inline]
    fn public(&self) -> &Public {
        &self.public
    }

    #[inline]
    fn private(&self, seat: Seat) -> Option<&()> {
        (seat == PLAYER).then_some(&())
    }

    fn to_act(public: &Public) -> SeatSet {
        match public.ending {
            Some(_) => SeatSet::EMPTY,
            None => SeatSet::only(PLAYER),
        }
    }

    fn outcome(public: &Public) -> Option<&Outcome> {
        public.ending.as_ref().map(|ending| &ending.outcome)
    }

    fn decision(seen: Seen<'_, Self>) -> Option<Decision> {
        if !acts(seen) {
            return None;
        }
        match (&seen.public.battle, &seen.public.campaign) {
            (Some(battle), _) => Some(Decision::Battle(battle.stage)),
            (None, Some(campaign)) => Some(Decision::Campaign(campaign.stage)),
            (None, None) => None,
        }
    }

    fn legal_actions_into(seen: Seen<'_, Self>, out: &mut Vec<Action>) {
        out.clear();
        if !acts(seen) {
            return;
        }
        match (&seen.public.battle, &seen.public.campaign) {
            (Some(battle), _) => battle.actions(out),
            (None, Some(campaign)) => campaign.actions(out),
            (None, None) => {}
        }
        debug_assert!(out.is_sorted());
    }

    fn is_legal(seen: Seen<'_, Self>, action: Action) -> bool {
        acts(seen) && seen.public.why_not(action).is_none()
    }

    fn why_not(seen: Seen<'_, Self>, action: Action) -> &'static str {
        if seen.public.ending.is_some() {
            return "the game is over (10)";
        }
        if !acts(seen) {
            return "only the player acts (11)";
        }
        seen.public
            .why_not(action)
            .unwrap_or("the rules do not offer it now (9)")
    }

    fn label(seen: Seen<'_, Self>, action: Action, out: &mut String) {
        label::write_label(seen.public, action, out);
    }

    fn apply_unchecked(&mut self, seat: Seat, action: Action, cx: &mut Cx<'_, Event>) {
        debug_assert!(Self::is_legal(self.seen(Viewer::Seat(seat)), action));
        match &mut self.public.battle {
            Some(battle) => {
                battle.answer(action, cx);
                if let Some(end) = battle.end() {
                    self.finish_battle(end, cx);
                }
            }
            None => {
                self.answer_campaign(action, cx);
                // Nothing of the set-up ends a battle.
                debug_assert!(
                    self.public
                        .battle
                        .as_ref()
                        .is_none_or(|battle| battle.end().is_none())
                );
            }
        }
    }

    /// A game that is left is lost.
    fn resign(&mut self, _seat: Seat, cx: &mut Cx<'_, Event>) {
        let score = match (&self.public.campaign, &self.public.battle) {
            (Some(campaign), _) => campaign.score.into(),
            (None, Some(battle)) => battle.score(),
            (None, None) => 0,
        };
        self.end(EndReason::Resigned, score, cx);
    }

    /// In a campaign the sets that were not offered yet, in any order that fits, each equally
    /// likely.
    fn determinize(seen: Seen<'_, Self>, chance: &mut Chance) -> Self {
        let campaign = seen.public.campaign.as_ref();
        Self {
            public: seen.public.clone(),
            hidden: Hidden {
                later: campaign.and_then(|campaign| LaterSets::imagine(campaign, chance)),
            },
        }
    }

    fn encode(action: Action) -> ActionId {
        action::encode(action)
    }

    fn decode(id: ActionId) -> Option<Action> {
        action::decode(id)
    }

    fn write_canonical(&self, out: &mut Vec<u8>) {
        canonical::write(self, out);
    }
}

impl UnderFallingSkies {
    /// The same table with another position of the battle: to begin a game from, or to look at one.
    #[must_use]
    pub fn with_battle(mut self, battle: Battle) -> Self {
        self.public.battle = Some(battle);
        self
    }

    /// What the chapter of a campaign offers in its second battle, while that is hidden.
    pub fn later_sets(&self) -> Option<&LaterSets> {
        self.hidden.later.as_ref()
    }

    /// The battle on the table is over.
    fn finish_battle(&mut self, end: BattleEnd, cx: &mut Cx<'_, Event>) {
        if self.public.campaign.is_some() {
            self.finish_campaign_battle(end, cx);
        } else {
            let score = self.public.battle.as_ref().map_or(0, Battle::score);
            self.end(EndReason::Battle(end), score, cx);
        }
    }

    fn end(&mut self, reason: EndReason, score: i32, cx: &mut Cx<'_, Event>) {
        let won = match reason {
            EndReason::Battle(BattleEnd::Won) | EndReason::CampaignWon => true,
            EndReason::Battle(BattleEnd::LostMothership | BattleEnd::LostDamage)
            | EndReason::CampaignLost
            | EndReason::Resigned => false,
        };
        let winners = if won {
            SeatSet::only(PLAYER)
        } else {
            SeatSet::EMPTY
        };
        self.public.ending = Some(Ending {
            outcome: Outcome {
                winners,
                returns: SeatMap::from_fn(1, |_| score),
            },
            reason,
        });
        cx.tell(Audience::All, || Event::GameEnded { reason, score });
    }
}

/// Whether the viewer is the player, and the game goes on.
fn acts(seen: Seen<'_, UnderFallingSkies>) -> bool {
    seen.seat == Some(PLAYER) && seen.public.ending.is_none()
}
