//! What one seat holds and remembers, on the wire.

use tavola_engine::games::council_of_shadows::Private;

use super::{many, maybe, one, table::plan_to_pb};
use crate::pb::council_of_shadows::v1 as game;

pub(super) fn own_to_pb(own: &Private) -> game::Own {
    let memory = &own.memory;
    game::Own {
        plan: Some(plan_to_pb(&own.plan)),
        bonus: many(own.bonus.iter().copied()),
        bonus_drawn: maybe(own.bonus_drawn),
        tiles: many(own.tiles.iter().copied()),
        dark_tech: (1..)
            .zip(own.dark_tech)
            .filter_map(|(level, seen)| {
                Some(game::SeenDarkTech {
                    level,
                    cards: many(seen?.iter()),
                })
            })
            .collect(),
        known_tiles: (1..)
            .zip(&memory.tile_stacks)
            .flat_map(|(parsec, stack)| {
                (0..).zip(stack).filter_map(move |(place, &tile)| {
                    Some(game::KnownTile {
                        parsec,
                        place: Some(place),
                        tile: one(tile?),
                    })
                })
            })
            .collect(),
        known_drawn: many(memory.drawn.iter().flatten().copied()),
        known_deck: (0..)
            .zip(&memory.bonus_deck)
            .filter_map(|(place, &card)| {
                Some(game::KnownBonus {
                    place: Some(place),
                    card: one(card?),
                })
            })
            .collect(),
        known_bonus_drawn: maybe(memory.bonus_drawn),
        known_held: (0..)
            .zip(&memory.bonus_held)
            .flat_map(|(seat, held)| {
                held.iter().map(move |card| game::HeldBonus {
                    seat: Some(seat),
                    card: one(card),
                })
            })
            .collect(),
    }
}
