//! What a player can do, on the wire.

use tavola_engine::games::citadels::{Action, Site};

use super::{CARD, CHARACTER, SEAT, character, character_to_pb, district, district_to_pb, seat};
use crate::{
    error::Violation,
    pb::{
        citadels::v1::{self as game, action::Kind},
        v1 as pb,
    },
};

pub(super) fn from_pb(action: &pb::Action) -> Result<Action, Violation> {
    let Some(pb::action::Game::Citadels(action)) = &action.game else {
        return Err(Violation::new(
            "citadels",
            "is required, because that is the game of the session",
        ));
    };
    let Some(kind) = &action.kind else {
        return Err(Violation::new(
            "citadels.kind",
            "is one of the actions of Citadels",
        ));
    };
    Ok(match kind {
        Kind::PickCharacter(action) => Action::PickCharacter {
            character: character(action.character)
                .ok_or_else(|| Violation::new("citadels.pick_character.character", CHARACTER))?,
        },
        Kind::DiscardCharacter(action) => Action::DiscardCharacter {
            character: character(action.character)
                .ok_or_else(|| Violation::new("citadels.discard_character.character", CHARACTER))?,
        },
        Kind::HospitalUse(_) => Action::HospitalUse,
        Kind::HospitalDecline(_) => Action::HospitalDecline,
        Kind::SayThanks(_) => Action::SayThanks,
        Kind::StaySilent(_) => Action::StaySilent,
        Kind::GiveCrown(action) => Action::GiveCrown {
            player: seat(action.player)
                .ok_or_else(|| Violation::new("citadels.give_crown.player", SEAT))?,
        },
        Kind::PayEmperorGold(_) => Action::PayEmperorGold,
        Kind::PayEmperorCard(action) => Action::PayEmperorCard {
            card: district(action.card)
                .ok_or_else(|| Violation::new("citadels.pay_emperor_card.card", CARD))?,
        },
        Kind::TakeGold(_) => Action::TakeGold,
        Kind::DrawCards(_) => Action::DrawCards,
        Kind::NoAction(_) => Action::NoAction,
        Kind::KeepCard(action) => Action::KeepCard {
            card: district(action.card)
                .ok_or_else(|| Violation::new("citadels.keep_card.card", CARD))?,
        },
        Kind::NavigatorGold(_) => Action::NavigatorGold,
        Kind::NavigatorCards(_) => Action::NavigatorCards,
        Kind::Bewitch(action) => Action::Bewitch {
            character: character(action.character)
                .ok_or_else(|| Violation::new("citadels.bewitch.character", CHARACTER))?,
        },
        Kind::CollectIncome(_) => Action::CollectIncome,
        Kind::Build(action) => Action::Build {
            card: district(action.card)
                .ok_or_else(|| Violation::new("citadels.build.card", CARD))?,
        },
        Kind::Murder(action) => Action::Murder {
            character: character(action.character)
                .ok_or_else(|| Violation::new("citadels.murder.character", CHARACTER))?,
        },
        Kind::Rob(action) => Action::Rob {
            character: character(action.character)
                .ok_or_else(|| Violation::new("citadels.rob.character", CHARACTER))?,
        },
        Kind::MagicianSwap(action) => Action::MagicianSwap {
            player: seat(action.player)
                .ok_or_else(|| Violation::new("citadels.magician_swap.player", SEAT))?,
        },
        Kind::MagicianRedraw(_) => Action::MagicianRedraw,
        Kind::MarkCard(action) => Action::MarkCard {
            card: district(action.card)
                .ok_or_else(|| Violation::new("citadels.mark_card.card", CARD))?,
        },
        Kind::RedrawDone(_) => Action::RedrawDone,
        Kind::WizardLook(action) => Action::WizardLook {
            player: seat(action.player)
                .ok_or_else(|| Violation::new("citadels.wizard_look.player", SEAT))?,
        },
        Kind::WizardTake(action) => Action::WizardTake {
            card: district(action.card)
                .ok_or_else(|| Violation::new("citadels.wizard_take.card", CARD))?,
        },
        Kind::WizardKeep(_) => Action::WizardKeep,
        Kind::WizardBuild(_) => Action::WizardBuild,
        Kind::AbbotTithe(_) => Action::AbbotTithe,
        Kind::QueenGold(_) => Action::QueenGold,
        Kind::Beautify(action) => Action::Beautify {
            district: district(action.district)
                .ok_or_else(|| Violation::new("citadels.beautify.district", CARD))?,
        },
        Kind::UseLaboratory(action) => Action::UseLaboratory {
            card: district(action.card)
                .ok_or_else(|| Violation::new("citadels.use_laboratory.card", CARD))?,
        },
        Kind::UseMuseum(action) => Action::UseMuseum {
            card: district(action.card)
                .ok_or_else(|| Violation::new("citadels.use_museum.card", CARD))?,
        },
        Kind::UseSmithy(_) => Action::UseSmithy,
        Kind::UseArmory(action) => Action::UseArmory {
            player: seat(action.player)
                .ok_or_else(|| Violation::new("citadels.use_armory.player", SEAT))?,
            site: site(
                action.district,
                action.beautified,
                "citadels.use_armory.district",
            )?,
        },
        Kind::WarlordDestroy(action) => Action::WarlordDestroy {
            player: seat(action.player)
                .ok_or_else(|| Violation::new("citadels.warlord_destroy.player", SEAT))?,
            site: site(
                action.district,
                action.beautified,
                "citadels.warlord_destroy.district",
            )?,
        },
        Kind::DiplomatTake(action) => Action::DiplomatTake {
            player: seat(action.player)
                .ok_or_else(|| Violation::new("citadels.diplomat_take.player", SEAT))?,
            site: site(
                action.district,
                action.beautified,
                "citadels.diplomat_take.district",
            )?,
        },
        Kind::DiplomatGive(action) => Action::DiplomatGive {
            site: site(
                action.district,
                action.beautified,
                "citadels.diplomat_give.district",
            )?,
        },
        Kind::LighthouseTake(action) => Action::LighthouseTake {
            card: district(action.card)
                .ok_or_else(|| Violation::new("citadels.lighthouse_take.card", CARD))?,
        },
        Kind::LighthouseDecline(_) => Action::LighthouseDecline,
        Kind::BellTowerRing(_) => Action::BellTowerRing,
        Kind::BellTowerSilent(_) => Action::BellTowerSilent,
        Kind::GraveyardTake(_) => Action::GraveyardTake,
        Kind::GraveyardDecline(_) => Action::GraveyardDecline,
        Kind::EndTurn(_) => Action::EndTurn,
    })
}

fn site(card: i32, beautified: bool, field: &'static str) -> Result<Site, Violation> {
    let district = district(card).ok_or_else(|| Violation::new(field, CARD))?;
    Ok(Site {
        district,
        beautified,
    })
}

pub(super) fn to_pb(action: Action) -> pb::Action {
    let kind = match action {
        Action::PickCharacter { character } => Kind::PickCharacter(game::PickCharacter {
            character: character_to_pb(character),
        }),
        Action::DiscardCharacter { character } => Kind::DiscardCharacter(game::DiscardCharacter {
            character: character_to_pb(character),
        }),
        Action::HospitalUse => Kind::HospitalUse(game::HospitalUse {}),
        Action::HospitalDecline => Kind::HospitalDecline(game::HospitalDecline {}),
        Action::SayThanks => Kind::SayThanks(game::SayThanks {}),
        Action::StaySilent => Kind::StaySilent(game::StaySilent {}),
        Action::GiveCrown { player } => Kind::GiveCrown(game::GiveCrown {
            player: Some(player.0.into()),
        }),
        Action::PayEmperorGold => Kind::PayEmperorGold(game::PayEmperorGold {}),
        Action::PayEmperorCard { card } => Kind::PayEmperorCard(game::PayEmperorCard {
            card: district_to_pb(card),
        }),
        Action::TakeGold => Kind::TakeGold(game::TakeGold {}),
        Action::DrawCards => Kind::DrawCards(game::DrawCards {}),
        Action::NoAction => Kind::NoAction(game::NoAction {}),
        Action::KeepCard { card } => Kind::KeepCard(game::KeepCard {
            card: district_to_pb(card),
        }),
        Action::NavigatorGold => Kind::NavigatorGold(game::NavigatorGold {}),
        Action::NavigatorCards => Kind::NavigatorCards(game::NavigatorCards {}),
        Action::Bewitch { character } => Kind::Bewitch(game::Bewitch {
            character: character_to_pb(character),
        }),
        Action::CollectIncome => Kind::CollectIncome(game::CollectIncome {}),
        Action::Build { card } => Kind::Build(game::Build {
            card: district_to_pb(card),
        }),
        Action::Murder { character } => Kind::Murder(game::Murder {
            character: character_to_pb(character),
        }),
        Action::Rob { character } => Kind::Rob(game::Rob {
            character: character_to_pb(character),
        }),
        Action::MagicianSwap { player } => Kind::MagicianSwap(game::MagicianSwap {
            player: Some(player.0.into()),
        }),
        Action::MagicianRedraw => Kind::MagicianRedraw(game::MagicianRedraw {}),
        Action::MarkCard { card } => Kind::MarkCard(game::MarkCard {
            card: district_to_pb(card),
        }),
        Action::RedrawDone => Kind::RedrawDone(game::RedrawDone {}),
        Action::WizardLook { player } => Kind::WizardLook(game::WizardLook {
            player: Some(player.0.into()),
        }),
        Action::WizardTake { card } => Kind::WizardTake(game::WizardTake {
            card: district_to_pb(card),
        }),
        Action::WizardKeep => Kind::WizardKeep(game::WizardKeep {}),
        Action::WizardBuild => Kind::WizardBuild(game::WizardBuild {}),
        Action::AbbotTithe => Kind::AbbotTithe(game::AbbotTithe {}),
        Action::QueenGold => Kind::QueenGold(game::QueenGold {}),
        Action::Beautify { district } => Kind::Beautify(game::Beautify {
            district: district_to_pb(district),
        }),
        Action::UseLaboratory { card } => Kind::UseLaboratory(game::UseLaboratory {
            card: district_to_pb(card),
        }),
        Action::UseMuseum { card } => Kind::UseMuseum(game::UseMuseum {
            card: district_to_pb(card),
        }),
        Action::UseSmithy => Kind::UseSmithy(game::UseSmithy {}),
        Action::UseArmory { player, site } => Kind::UseArmory(game::UseArmory {
            player: Some(player.0.into()),
            district: district_to_pb(site.district),
            beautified: site.beautified,
        }),
        Action::WarlordDestroy { player, site } => Kind::WarlordDestroy(game::WarlordDestroy {
            player: Some(player.0.into()),
            district: district_to_pb(site.district),
            beautified: site.beautified,
        }),
        Action::DiplomatTake { player, site } => Kind::DiplomatTake(game::DiplomatTake {
            player: Some(player.0.into()),
            district: district_to_pb(site.district),
            beautified: site.beautified,
        }),
        Action::DiplomatGive { site } => Kind::DiplomatGive(game::DiplomatGive {
            district: district_to_pb(site.district),
            beautified: site.beautified,
        }),
        Action::LighthouseTake { card } => Kind::LighthouseTake(game::LighthouseTake {
            card: district_to_pb(card),
        }),
        Action::LighthouseDecline => Kind::LighthouseDecline(game::LighthouseDecline {}),
        Action::BellTowerRing => Kind::BellTowerRing(game::BellTowerRing {}),
        Action::BellTowerSilent => Kind::BellTowerSilent(game::BellTowerSilent {}),
        Action::GraveyardTake => Kind::GraveyardTake(game::GraveyardTake {}),
        Action::GraveyardDecline => Kind::GraveyardDecline(game::GraveyardDecline {}),
        Action::EndTurn => Kind::EndTurn(game::EndTurn {}),
    };
    pb::Action {
        game: Some(pb::action::Game::Citadels(game::Action {
            kind: Some(kind),
        })),
    }
}
