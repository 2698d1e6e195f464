//! What has happened, on the wire.

use tavola_engine::games::council_of_shadows::Event;

use super::{
    at, back_to_pb, gem_to_pb, gems_to_pb, many, maybe, number, one, seats_to_pb,
    table::{end_reason_to_pb, plan_to_pb},
};
use crate::pb::council_of_shadows::v1 as game;

pub(super) fn write_event(event: &Event) -> game::event::Kind {
    use game::event::Kind;

    let of = |seat: &tavola_engine::Seat| Some(u32::from(seat.0));
    match event {
        Event::TurnOrder { order } => Kind::TurnOrderSet(game::TurnOrderSet {
            order: order.iter().map(|party| party.0.into()).collect(),
        }),
        Event::LeaderTaken { seat, leader } => Kind::LeaderTaken(game::LeaderTaken {
            seat: of(seat),
            leader: one(*leader),
        }),
        Event::RoundStarted { round } => Kind::RoundStarted(game::RoundStarted {
            round: (*round).into(),
        }),
        Event::GemsGained { party, gems } => Kind::GemsGained(game::GemsGained {
            party: number(*party),
            gems: Some(gems_to_pb(*gems)),
        }),
        Event::EnergyGained { party, energy } => Kind::EnergyGained(game::EnergyGained {
            party: number(*party),
            energy: (*energy).into(),
        }),
        Event::AiBought {
            seat,
            row,
            card,
            paid,
        } => Kind::AiBought(game::AiBought {
            seat: of(seat),
            row: (*row).into(),
            card: one(*card),
            paid: Some(gems_to_pb(*paid)),
        }),
        Event::RowRefilled { row, card } => Kind::RowRefilled(game::RowRefilled {
            row: (*row).into(),
            card: maybe(*card),
        }),
        Event::UpgradeBought {
            seat,
            upgrade,
            paid,
        } => Kind::UpgradeBought(game::UpgradeBought {
            seat: of(seat),
            upgrade: one(*upgrade),
            paid: Some(gems_to_pb(*paid)),
        }),
        Event::StationBought {
            seat,
            station,
            galaxy,
            paid,
        } => Kind::StationBought(game::StationBought {
            seat: of(seat),
            station: one(*station),
            galaxy: one(*galaxy),
            paid: Some(gems_to_pb(*paid)),
        }),
        Event::AutomaShuffled => Kind::AutomaShuffled(game::AutomaShuffled {}),
        Event::AutomaDrew { card } => Kind::AutomaDrew(game::AutomaDrew { card: one(*card) }),
        Event::MarketCleared { row, card } => Kind::MarketCleared(game::MarketCleared {
            row: (*row).into(),
            card: one(*card),
        }),
        Event::Planned { seat, slot, card } => Kind::Planned(game::Planned {
            seat: of(seat),
            slot: (*slot).into(),
            card: maybe(*card),
        }),
        Event::PlanDone { seat } => Kind::PlanDone(game::PlanDone { seat: of(seat) }),
        Event::PlanRevealed { seat, plan } => Kind::PlanRevealed(game::PlanRevealed {
            seat: of(seat),
            plan: Some(plan_to_pb(plan)),
        }),
        Event::Consumed {
            party,
            total,
            consumption,
        } => Kind::Consumed(game::Consumed {
            party: number(*party),
            total: (*total).into(),
            consumption: (*consumption).into(),
        }),
        Event::CubesPlaced {
            party,
            space,
            planet,
            cubes,
        } => Kind::CubesPlaced(game::CubesPlaced {
            party: number(*party),
            space: at(*space),
            planet: Some((*planet).into()),
            cubes: (*cubes).into(),
        }),
        Event::Taken { party, space } => Kind::Taken(game::Taken {
            party: number(*party),
            space: at(*space),
        }),
        Event::TilesDrawn {
            party,
            parsec,
            count,
        } => Kind::TilesDrawn(game::TilesDrawn {
            party: number(*party),
            parsec: (*parsec).into(),
            count: (*count).into(),
        }),
        Event::TilesSeen { tiles } => Kind::TilesSeen(game::TilesSeen {
            tiles: many(tiles.iter().copied()),
        }),
        Event::TilePlaced { party, tile, space } => Kind::TilePlaced(game::TilePlaced {
            party: number(*party),
            tile: one(*tile),
            space: at(*space),
        }),
        Event::TileReturned { party, parsec } => Kind::TileReturned(game::TileReturned {
            party: number(*party),
            parsec: (*parsec).into(),
        }),
        Event::TilesPutBack {
            party,
            parsec,
            count,
        } => Kind::TilesPutBack(game::TilesPutBack {
            party: number(*party),
            parsec: (*parsec).into(),
            count: (*count).into(),
        }),
        Event::Improved { seat, from } => Kind::Improved(game::Improved {
            seat: of(seat),
            from: gem_to_pb(*from).into(),
        }),
        Event::Shifted { seat, returned } => Kind::Shifted(game::Shifted {
            seat: of(seat),
            returned: many(returned.iter()),
        }),
        Event::Scored {
            party,
            galaxy,
            high,
            removed,
        } => Kind::Scored(game::Scored {
            party: number(*party),
            galaxy: one(*galaxy),
            high: *high,
            space: removed.and_then(|(space, _)| at(space)),
            planet: removed.map(|(_, planet)| planet.into()),
        }),
        Event::BonusDrawn { seat, back } => Kind::BonusDrawn(game::BonusDrawn {
            seat: of(seat),
            back: back_to_pb(*back).into(),
        }),
        Event::BonusSeen { card } => Kind::BonusSeen(game::BonusSeen { card: one(*card) }),
        Event::BonusKept { seat, returned } => Kind::BonusKept(game::BonusKept {
            seat: of(seat),
            returned: back_to_pb(*returned).into(),
        }),
        Event::BonusDeclined { seat, back } => Kind::BonusDeclined(game::BonusDeclined {
            seat: of(seat),
            back: back_to_pb(*back).into(),
        }),
        Event::LevelReached { party, level } => Kind::LevelReached(game::LevelReached {
            party: number(*party),
            level: (*level).into(),
        }),
        Event::DarkTechSeen { level, cards } => Kind::DarkTechSeen(game::DarkTechSeen {
            level: (*level).into(),
            cards: many(cards.iter()),
        }),
        Event::DarkTechTaken { party, card } => Kind::DarkTechTaken(game::DarkTechTaken {
            party: number(*party),
            card: one(*card),
        }),
        Event::ThroneTaken { party } => Kind::ThroneTaken(game::ThroneTaken {
            party: number(*party),
        }),
        Event::FinalScoring { party } => Kind::FinalScoring(game::FinalScoring {
            party: number(*party),
        }),
        Event::BonusRevealed { seat, card } => Kind::BonusRevealed(game::BonusRevealed {
            seat: of(seat),
            card: one(*card),
        }),
        Event::SeatLeft { seat } => Kind::SeatLeft(game::SeatLeft { seat: of(seat) }),
        Event::GameOver { winners, reason } => Kind::GameOver(game::GameOver {
            winners: seats_to_pb(*winners),
            reason: end_reason_to_pb(*reason).into(),
        }),
    }
}
