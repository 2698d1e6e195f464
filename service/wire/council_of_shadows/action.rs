//! What a player can do, on the wire.

use tavola_engine::games::council_of_shadows::{
    Action,
    components::{Gem, Payment},
    state::{ROW, SLOTS_MAX},
};

use super::{at, gem_to_pb, gems_to_pb, one, payment, planet, space, thing, within};
use crate::{error::Violation, pb::council_of_shadows::v1 as game};

pub(super) fn read_action(action: &game::Action) -> Result<Action, Violation> {
    use game::action::Kind;

    let Some(kind) = &action.kind else {
        let allowed = "is one of the actions of the game, such as end_buy or plan_place";
        return Err(Violation::new("council_of_shadows.kind", allowed));
    };
    Ok(match kind {
        Kind::ChooseLeader(choose) => Action::ChooseLeader {
            leader: thing(choose.leader, "choose_leader.leader")?,
        },
        Kind::BuyAi(buy) => Action::BuyAi {
            row: within(Some(buy.row), 1, ROW as u8, "buy_ai.row")?,
            pay: payment(buy.pay.as_ref(), "buy_ai.pay")?,
        },
        Kind::BuyUpgrade(buy) => Action::BuyUpgrade {
            upgrade: thing(buy.upgrade, "buy_upgrade.upgrade")?,
            pay: payment(buy.pay.as_ref(), "buy_upgrade.pay")?,
        },
        Kind::BuyStation(buy) => Action::BuyStation {
            station: thing(buy.station, "buy_station.station")?,
            galaxy: thing(buy.galaxy, "buy_station.galaxy")?,
            pay: payment(buy.pay.as_ref(), "buy_station.pay")?,
        },
        Kind::EndBuy(game::EndBuy {}) => Action::EndBuy,
        Kind::PlanPlace(place) => Action::PlanPlace {
            slot: within(Some(place.slot), 1, SLOTS_MAX, "plan_place.slot")?,
            card: thing(place.card, "plan_place.card")?,
        },
        Kind::PlanKeep(keep) => Action::PlanKeep {
            slot: within(Some(keep.slot), 1, SLOTS_MAX, "plan_keep.slot")?,
        },
        Kind::PlaceCube(place) => Action::PlaceCube {
            space: space(place.space, "place_cube.space")?,
            planet: planet(place.planet, "place_cube.planet")?,
        },
        Kind::FoundColony(found) => Action::FoundColony {
            space: space(found.space, "found_colony.space")?,
            planet: planet(found.planet, "found_colony.planet")?,
        },
        Kind::Take(take) => Action::Take {
            space: space(take.space, "take.space")?,
        },
        Kind::ExploreStack(explore) => Action::ExploreStack {
            parsec: within(Some(explore.parsec), 1, 3, "explore_stack.parsec")?,
        },
        Kind::ExplorePlace(place) => Action::ExplorePlace {
            tile: thing(place.tile, "explore_place.tile")?,
            space: space(place.space, "explore_place.space")?,
        },
        Kind::ExploreColony(colony) => Action::ExploreColony {
            planet: planet(colony.planet, "explore_colony.planet")?,
        },
        Kind::ExploreYield(game::ExploreYield {}) => Action::ExploreYield,
        Kind::Improve(improve) => Action::Improve {
            from: improvable(improve.from)?,
        },
        Kind::Accept(game::Accept {}) => Action::Accept,
        Kind::ChooseStep(choose) => Action::ChooseStep {
            index: within(choose.index, 0, 1, "choose_step.index")?,
        },
        Kind::Skip(game::Skip {}) => Action::Skip,
        Kind::Score(score) => Action::Score {
            space: space(score.space, "score.space")?,
            planet: planet(score.planet, "score.planet")?,
        },
        Kind::ScoreKeep(keep) => Action::ScoreKeep {
            galaxy: thing(keep.galaxy, "score_keep.galaxy")?,
        },
        Kind::EndScoring(game::EndScoring {}) => Action::EndScoring,
        Kind::BonusKeep(keep) => Action::BonusKeep {
            return_index: within(keep.return_index, 0, 3, "bonus_keep.return_index")?,
        },
        Kind::BonusDecline(game::BonusDecline {}) => Action::BonusDecline,
        Kind::PickDarkTech(pick) => Action::DarkTech {
            card: thing(pick.card, "pick_dark_tech.card")?,
        },
    })
}

fn improvable(gem: i32) -> Result<Gem, Violation> {
    match game::Gem::try_from(gem) {
        Ok(game::Gem::Anthracite) => Ok(Gem::Anthracite),
        Ok(game::Gem::Golden) => Ok(Gem::Golden),
        Ok(game::Gem::Transparent | game::Gem::Unspecified) | Err(_) => Err(Violation::new(
            "council_of_shadows.improve.from",
            "is GEM_ANTHRACITE or GEM_GOLDEN",
        )),
    }
}

pub(super) fn write_action(action: Action) -> game::action::Kind {
    use game::action::Kind;

    let paid = |pay: Payment| Some(gems_to_pb(pay.gems()));
    match action {
        Action::ChooseLeader { leader } => Kind::ChooseLeader(game::ChooseLeader {
            leader: one(leader),
        }),
        Action::BuyAi { row, pay } => Kind::BuyAi(game::BuyAi {
            row: row.into(),
            pay: paid(pay),
        }),
        Action::BuyUpgrade { upgrade, pay } => Kind::BuyUpgrade(game::BuyUpgrade {
            upgrade: one(upgrade),
            pay: paid(pay),
        }),
        Action::BuyStation {
            station,
            galaxy,
            pay,
        } => Kind::BuyStation(game::BuyStation {
            station: one(station),
            galaxy: one(galaxy),
            pay: paid(pay),
        }),
        Action::EndBuy => Kind::EndBuy(game::EndBuy {}),
        Action::PlanPlace { slot, card } => Kind::PlanPlace(game::PlanPlace {
            slot: slot.into(),
            card: one(card),
        }),
        Action::PlanKeep { slot } => Kind::PlanKeep(game::PlanKeep { slot: slot.into() }),
        Action::PlaceCube { space, planet } => Kind::PlaceCube(game::PlaceCube {
            space: at(space),
            planet: Some(planet.into()),
        }),
        Action::FoundColony { space, planet } => Kind::FoundColony(game::FoundColony {
            space: at(space),
            planet: Some(planet.into()),
        }),
        Action::Take { space } => Kind::Take(game::Take { space: at(space) }),
        Action::ExploreStack { parsec } => Kind::ExploreStack(game::ExploreStack {
            parsec: parsec.into(),
        }),
        Action::ExplorePlace { tile, space } => Kind::ExplorePlace(game::ExplorePlace {
            tile: one(tile),
            space: at(space),
        }),
        Action::ExploreColony { planet } => Kind::ExploreColony(game::ExploreColony {
            planet: Some(planet.into()),
        }),
        Action::ExploreYield => Kind::ExploreYield(game::ExploreYield {}),
        Action::Improve { from } => Kind::Improve(game::Improve {
            from: gem_to_pb(from).into(),
        }),
        Action::Accept => Kind::Accept(game::Accept {}),
        Action::ChooseStep { index } => Kind::ChooseStep(game::ChooseStep {
            index: Some(index.into()),
        }),
        Action::Skip => Kind::Skip(game::Skip {}),
        Action::Score { space, planet } => Kind::Score(game::Score {
            space: at(space),
            planet: Some(planet.into()),
        }),
        Action::ScoreKeep { galaxy } => Kind::ScoreKeep(game::ScoreKeep {
            galaxy: one(galaxy),
        }),
        Action::EndScoring => Kind::EndScoring(game::EndScoring {}),
        Action::BonusKeep { return_index } => Kind::BonusKeep(game::BonusKeep {
            return_index: Some(return_index.into()),
        }),
        Action::BonusDecline => Kind::BonusDecline(game::BonusDecline {}),
        Action::DarkTech { card } => Kind::PickDarkTech(game::PickDarkTech { card: one(card) }),
    }
}
