//! How far a campaign is, on the wire.

use tavola_engine::games::under_falling_skies::{
    BattleResult, Campaign, CampaignStage, HeldCity, SetOffer,
};

use super::names::{
    battle_end_to_pb, character_to_pb, city_side_to_pb, city_to_pb, levels_to_pb, scenario_to_pb,
    team_to_pb,
};
use crate::pb::under_falling_skies::v1 as game;

pub(super) fn campaign_to_pb(campaign: &Campaign) -> game::Campaign {
    game::Campaign {
        chapter: campaign.chapter.into(),
        battle: campaign.battle.into(),
        attempt: campaign.attempt.into(),
        stage: match campaign.stage {
            CampaignStage::ChooseSet => game::CampaignStage::ChooseSet,
            CampaignStage::ChooseElites => game::CampaignStage::ChooseElites,
            CampaignStage::ChooseCity => game::CampaignStage::ChooseCity,
            CampaignStage::ChooseTeam => game::CampaignStage::ChooseTeam,
            CampaignStage::ChooseDifficulty => game::CampaignStage::ChooseDifficulty,
            CampaignStage::Battle => game::CampaignStage::Battle,
        }
        .into(),
        sets: campaign.sets.iter().map(set_offer_to_pb).collect(),
        chosen_set: campaign.chosen.map(|set| set.number.get().into()),
        recruited: campaign
            .recruited
            .iter()
            .copied()
            .map(character_to_pb)
            .collect(),
        elites: campaign.elites.iter().map(character_to_pb).collect(),
        cities: campaign
            .cities
            .iter()
            .copied()
            .map(held_city_to_pb)
            .collect(),
        defended: campaign.defended.map(held_city_to_pb),
        team: team_to_pb(&campaign.team),
        results: campaign.results.iter().map(battle_result_to_pb).collect(),
        score: campaign.score.into(),
        advanced_levels: levels_to_pb(campaign.advanced_levels()),
    }
}

pub(super) fn set_offer_to_pb(set: &SetOffer) -> game::SetOffer {
    game::SetOffer {
        set: set.number.get().into(),
        city: city_to_pb(set.city),
        scenario: scenario_to_pb(set.scenario),
        character: character_to_pb(set.character),
    }
}

pub(super) fn held_city_to_pb(held: HeldCity) -> game::HeldCity {
    game::HeldCity {
        city: city_to_pb(held.city),
        side: city_side_to_pb(held.side),
    }
}

pub(super) fn battle_result_to_pb(result: &BattleResult) -> game::BattleResult {
    game::BattleResult {
        chapter: result.chapter.into(),
        battle: result.battle.into(),
        attempt: result.attempt.into(),
        city: Some(held_city_to_pb(result.city)),
        threat: result.threat.into(),
        advanced_levels: levels_to_pb(result.advanced),
        difficulty: result.difficulty.into(),
        end: battle_end_to_pb(result.end),
    }
}
