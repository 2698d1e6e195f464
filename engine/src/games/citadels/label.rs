//! Short texts for actions.

use std::fmt::Write;

use super::action::Action;
use super::state::{Citadels, Public};
use crate::game::Seen;
use crate::seat::Seat;

/// Appends the action's text: `take gold`, `build Manor for 3`, `destroy Castle of seat 2 for 3`.
pub(super) fn write_label(seen: Seen<'_, Citadels>, action: Action, out: &mut String) {
    let public = seen.public;
    // Writing to a string can't fail.
    let _ = match action {
        Action::PickCharacter { character } => write!(out, "take the {}", character.name()),
        Action::DiscardCharacter { character } => {
            write!(out, "lay the {} face down", character.name())
        }
        Action::HospitalUse => write!(out, "use the Hospital"),
        Action::HospitalDecline => write!(out, "don't use the Hospital"),
        Action::SayThanks => write!(out, "say thanks"),
        Action::StaySilent => write!(out, "stay silent and lose the turn"),
        Action::GiveCrown { player } => write!(out, "give the crown to {player}"),
        Action::PayEmperorGold => write!(out, "pay gold for the crown"),
        Action::PayEmperorCard { card } => write!(out, "pay with {}", card.name()),
        Action::TakeGold => write!(out, "take gold"),
        Action::DrawCards => write!(out, "draw cards"),
        Action::NoAction => write!(out, "take nothing"),
        Action::KeepCard { card } => write!(out, "keep {}", card.name()),
        Action::NavigatorGold => write!(out, "receive gold"),
        Action::NavigatorCards => write!(out, "receive cards"),
        Action::Bewitch { character } => write!(out, "bewitch the {}", character.name()),
        Action::CollectIncome => match &public.turn {
            Some(turn) => write!(out, "collect {} gold of income", public.income(turn)),
            None => write!(out, "collect income"),
        },
        Action::Build { card } => {
            let price = acting(public).map_or(0, |seat| public.price(seat, card));
            write!(out, "build {} for {price}", card.name())
        }
        Action::Murder { character } => write!(out, "murder the {}", character.name()),
        Action::Rob { character } => write!(out, "rob the {}", character.name()),
        Action::MagicianSwap { player } => write!(out, "swap hands with {player}"),
        Action::MagicianRedraw => write!(out, "redraw cards"),
        Action::MarkCard { card } => write!(out, "put {} under the deck", card.name()),
        Action::RedrawDone => write!(out, "draw as many"),
        Action::WizardLook { player } => write!(out, "look at the hand of {player}"),
        Action::WizardTake { card } => write!(out, "take {}", card.name()),
        Action::WizardKeep => write!(out, "keep the card"),
        Action::WizardBuild => write!(out, "build the card at once"),
        Action::AbbotTithe => write!(out, "take gold from the richest"),
        Action::QueenGold => write!(out, "receive gold from the court"),
        Action::Beautify { district } => write!(out, "beautify {}", district.name()),
        Action::UseLaboratory { card } => write!(out, "Laboratory: discard {}", card.name()),
        Action::UseMuseum { card } => write!(out, "Museum: store {}", card.name()),
        Action::UseSmithy => write!(out, "Smithy: buy cards"),
        Action::UseArmory { player, site } => write!(out, "Armory: destroy {site} of {player}"),
        Action::WarlordDestroy { player, site } => {
            let price = public.destroy_price(player, site);
            write!(out, "destroy {site} of {player} for {price}")
        }
        Action::DiplomatTake { player, site } => write!(out, "exchange for {site} of {player}"),
        Action::DiplomatGive { site } => write!(out, "give {site}"),
        Action::LighthouseTake { card } => write!(out, "take {} out of the deck", card.name()),
        Action::LighthouseDecline => write!(out, "take nothing out of the deck"),
        Action::BellTowerRing => write!(out, "ring the bell"),
        Action::BellTowerSilent => write!(out, "leave the bell silent"),
        Action::GraveyardTake => write!(out, "rescue the district"),
        Action::GraveyardDecline => write!(out, "don't rescue the district"),
        Action::EndTurn => write!(out, "end the turn"),
    };
}

fn acting(public: &Public) -> Option<Seat> {
    public.turn.map(|turn| turn.seat)
}
