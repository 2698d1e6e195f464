//! Short texts for actions.

use std::fmt::Write;

use super::action::Action;
use super::components::{Numbered, Space};
use super::state::{CouncilOfShadows, Private, Public};
use crate::game::Seen;

/// Appends the action's text: `buy Armada at 3 for 2g`, `settle ember_crown_1 planet 0 (b)`,
/// `score cobalt_deep with cobalt_deep_1 planet 2 (v)`.
pub(super) fn write_label(seen: Seen<'_, CouncilOfShadows>, action: Action, out: &mut String) {
    let public = seen.public;
    // Writing to a string can't fail.
    let _ = match action {
        Action::ChooseLeader { leader } => write!(out, "choose {}", leader.data().name),
        Action::BuyAi { row, pay } => match public.offered(row) {
            Some(card) => write!(out, "buy {} at {row} for {pay}", card.data().name),
            None => write!(out, "buy at {row} for {pay}"),
        },
        Action::BuyUpgrade { upgrade, pay } => write!(out, "buy {upgrade} for {pay}"),
        Action::BuyStation {
            station,
            galaxy,
            pay,
        } => write!(out, "buy {} at {galaxy} for {pay}", station.data().name),
        Action::EndBuy => write!(out, "end buying"),
        Action::PlanPlace { slot, card } => write!(out, "lay {} on slot {slot}", card.data().name),
        Action::PlanKeep { slot } => write!(out, "keep slot {slot}"),
        Action::PlaceCube { space, planet } => {
            write!(out, "settle {}", Planet(public, space, planet))
        }
        Action::FoundColony { space, planet } => {
            write!(out, "found {}", Planet(public, space, planet))
        }
        Action::Take { space } => write!(out, "take {space}"),
        Action::ExploreStack { parsec } => write!(out, "explore parsec {parsec}"),
        Action::ExplorePlace { tile, space } => write!(out, "place {tile} on {space}"),
        Action::ExploreColony { planet } => write!(out, "colonize planet {planet}"),
        Action::ExploreYield => write!(out, "take the yield"),
        Action::Improve { from } => write!(out, "improve one {}", from.letter()),
        Action::Accept => write!(out, "take the gems"),
        Action::ChooseStep { index } => write!(out, "choose step {index}"),
        Action::Skip => write!(out, "skip"),
        Action::Score { space, planet } => {
            let galaxy = space.galaxy();
            write!(out, "score {galaxy} with {}", Planet(public, space, planet))
        }
        Action::ScoreKeep { galaxy } => write!(out, "score {galaxy} and keep all cubes"),
        Action::EndScoring => write!(out, "end scoring"),
        Action::BonusKeep { return_index } => {
            let held = seen
                .own
                .and_then(|own: &Private| own.bonus.get(usize::from(return_index)));
            match held {
                Some(card) => write!(out, "return {card}, number {return_index}"),
                None => write!(out, "return number {return_index}"),
            }
        }
        Action::BonusDecline => write!(out, "decline the new card"),
        Action::DarkTech { card } => write!(out, "pick {}", card.data().name),
    };
}

/// A planet with its type.
struct Planet<'a>(&'a Public, Space, u8);

impl std::fmt::Display for Planet<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self(public, space, planet) = *self;
        let kind = public.board.system(space).and_then(|system| {
            let kinds = system.tile.planets();
            kinds.get(usize::from(planet))
        });
        match kind {
            Some(kind) => {
                let letter = ["b", "d", "v"].get(usize::from(kind.index())).copied();
                write!(
                    f,
                    "{space} planet {planet} ({})",
                    letter.unwrap_or_default()
                )
            }
            None => write!(f, "{space} planet {planet}"),
        }
    }
}
