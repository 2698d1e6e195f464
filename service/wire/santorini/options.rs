//! What a game is set up with, on the wire.

use tavola_engine::{
    Seat,
    games::santorini::{
        BannedPairs, BiaPlacement, BiaStart, Challenger, ChaosSwap, God, GodMode, GodPool,
        LimusText, Options, PieceSupply, StartPlayer,
    },
};

use super::gods::{god_from_pb, god_to_pb};
use crate::{error::Violation, pb::santorini::v1 as game};

pub(super) fn read_options(options: &game::Options) -> Result<Options, Violation> {
    let defaults = Options::default();
    let field = |name: &'static str, allowed: &'static str| {
        Violation::new(format!("santorini.{name}"), allowed)
    };
    // What is too large for a type is too large for the rules, which say what would be allowed.
    let seat = |seat: u32| Seat(u8::try_from(seat).unwrap_or(u8::MAX));
    let number = |number: u32| u16::try_from(number).unwrap_or(u16::MAX);
    let custom_pool = gods_from_pb(&options.custom_pool)
        .ok_or_else(|| field("custom_pool", "holds gods from GOD_APOLLO to GOD_ZEUS"))?;
    Ok(Options {
        god_mode: match game::GodMode::try_from(options.god_mode) {
            Ok(game::GodMode::Unspecified) => defaults.god_mode,
            Ok(game::GodMode::None) => GodMode::None,
            Ok(game::GodMode::Draft) => GodMode::Draft,
            Ok(game::GodMode::Random) => GodMode::Random,
            Ok(game::GodMode::Fixed) => GodMode::Fixed,
            Err(_) => {
                return Err(field(
                    "god_mode",
                    "is GOD_MODE_NONE, GOD_MODE_DRAFT, GOD_MODE_RANDOM or GOD_MODE_FIXED",
                ));
            }
        },
        fixed_gods: fixed_gods_from_pb(&options.fixed_gods).ok_or_else(|| {
            field(
                "fixed_gods",
                "holds gods from GOD_APOLLO to GOD_ZEUS, or GOD_NONE",
            )
        })?,
        god_pool: match game::GodPool::try_from(options.god_pool) {
            Ok(game::GodPool::Custom) => GodPool::Custom(custom_pool),
            Ok(_) if !custom_pool.is_empty() => {
                return Err(field(
                    "custom_pool",
                    "is empty, unless god_pool is GOD_POOL_CUSTOM",
                ));
            }
            Ok(game::GodPool::Unspecified) => defaults.god_pool,
            Ok(game::GodPool::All) => GodPool::All,
            Ok(game::GodPool::Simple) => GodPool::Simple,
            Err(_) => {
                return Err(field(
                    "god_pool",
                    "is GOD_POOL_ALL, GOD_POOL_SIMPLE or GOD_POOL_CUSTOM",
                ));
            }
        },
        challenger: options
            .challenger
            .map_or(defaults.challenger, |number| Challenger::Seat(seat(number))),
        start_player: options
            .start_player
            .map_or(defaults.start_player, |number| {
                StartPlayer::Seat(seat(number))
            }),
        chaos_swap: match game::ChaosSwap::try_from(options.chaos_swap) {
            Ok(game::ChaosSwap::Unspecified) => defaults.chaos_swap,
            Ok(game::ChaosSwap::EachDome) => ChaosSwap::EachDome,
            Ok(game::ChaosSwap::AfterTurn) => ChaosSwap::AfterTurn,
            Err(_) => {
                return Err(field(
                    "chaos_swap",
                    "is CHAOS_SWAP_EACH_DOME or CHAOS_SWAP_AFTER_TURN",
                ));
            }
        },
        limus_text: match game::LimusText::try_from(options.limus_text) {
            Ok(game::LimusText::Unspecified) => defaults.limus_text,
            Ok(game::LimusText::Seed) => LimusText::Seed,
            Ok(game::LimusText::Revised) => LimusText::Revised,
            Err(_) => {
                return Err(field(
                    "limus_text",
                    "is LIMUS_TEXT_SEED or LIMUS_TEXT_REVISED",
                ));
            }
        },
        bia_placement: match game::BiaPlacement::try_from(options.bia_placement) {
            Ok(game::BiaPlacement::Unspecified) => defaults.bia_placement,
            Ok(game::BiaPlacement::Free) => BiaPlacement::Free,
            Ok(game::BiaPlacement::Perimeter) => BiaPlacement::Perimeter,
            Err(_) => {
                return Err(field(
                    "bia_placement",
                    "is BIA_PLACEMENT_FREE or BIA_PLACEMENT_PERIMETER",
                ));
            }
        },
        bia_start: match game::BiaStart::try_from(options.bia_start) {
            Ok(game::BiaStart::Unspecified) => defaults.bia_start,
            Ok(game::BiaStart::PlacementOnly) => BiaStart::PlacementOnly,
            Ok(game::BiaStart::StartPlayer) => BiaStart::StartPlayer,
            Err(_) => {
                return Err(field(
                    "bia_start",
                    "is BIA_START_PLACEMENT_ONLY or BIA_START_START_PLAYER",
                ));
            }
        },
        piece_supply: match game::PieceSupply::try_from(options.piece_supply) {
            Ok(game::PieceSupply::Unspecified) => defaults.piece_supply,
            Ok(game::PieceSupply::Limited) => PieceSupply::Limited,
            Ok(game::PieceSupply::Unlimited) => PieceSupply::Unlimited,
            Err(_) => {
                return Err(field(
                    "piece_supply",
                    "is PIECE_SUPPLY_LIMITED or PIECE_SUPPLY_UNLIMITED",
                ));
            }
        },
        banned_pairs: match game::BannedPairs::try_from(options.banned_pairs) {
            Ok(game::BannedPairs::Unspecified) => defaults.banned_pairs,
            Ok(game::BannedPairs::Official) => BannedPairs::Official,
            Ok(game::BannedPairs::Recommended) => BannedPairs::Recommended,
            Ok(game::BannedPairs::Off) => BannedPairs::Off,
            Err(_) => {
                return Err(field(
                    "banned_pairs",
                    "is BANNED_PAIRS_OFFICIAL, BANNED_PAIRS_RECOMMENDED or BANNED_PAIRS_OFF",
                ));
            }
        },
        max_moves_per_turn: options
            .max_moves_per_turn
            .map_or(defaults.max_moves_per_turn, number),
        max_turns: options.max_turns.map_or(defaults.max_turns, number),
    })
}

pub(super) fn write_options(options: &Options) -> game::Options {
    let (god_pool, custom_pool) = match &options.god_pool {
        GodPool::All => (game::GodPool::All, Vec::new()),
        GodPool::Simple => (game::GodPool::Simple, Vec::new()),
        GodPool::Custom(gods) => (
            game::GodPool::Custom,
            gods.iter().map(|&god| god_to_pb(god).into()).collect(),
        ),
    };
    let fixed_god = |god: &Option<God>| god.map_or(game::God::None, god_to_pb).into();
    game::Options {
        god_mode: match options.god_mode {
            GodMode::None => game::GodMode::None,
            GodMode::Draft => game::GodMode::Draft,
            GodMode::Random => game::GodMode::Random,
            GodMode::Fixed => game::GodMode::Fixed,
        }
        .into(),
        fixed_gods: options.fixed_gods.iter().map(fixed_god).collect(),
        god_pool: god_pool.into(),
        custom_pool,
        challenger: match options.challenger {
            Challenger::Random => None,
            Challenger::Seat(seat) => Some(seat.0.into()),
        },
        start_player: match options.start_player {
            StartPlayer::Random => None,
            StartPlayer::Seat(seat) => Some(seat.0.into()),
        },
        chaos_swap: match options.chaos_swap {
            ChaosSwap::EachDome => game::ChaosSwap::EachDome,
            ChaosSwap::AfterTurn => game::ChaosSwap::AfterTurn,
        }
        .into(),
        limus_text: match options.limus_text {
            LimusText::Seed => game::LimusText::Seed,
            LimusText::Revised => game::LimusText::Revised,
        }
        .into(),
        bia_placement: match options.bia_placement {
            BiaPlacement::Free => game::BiaPlacement::Free,
            BiaPlacement::Perimeter => game::BiaPlacement::Perimeter,
        }
        .into(),
        bia_start: match options.bia_start {
            BiaStart::PlacementOnly => game::BiaStart::PlacementOnly,
            BiaStart::StartPlayer => game::BiaStart::StartPlayer,
        }
        .into(),
        piece_supply: match options.piece_supply {
            PieceSupply::Limited => game::PieceSupply::Limited,
            PieceSupply::Unlimited => game::PieceSupply::Unlimited,
        }
        .into(),
        banned_pairs: match options.banned_pairs {
            BannedPairs::Official => game::BannedPairs::Official,
            BannedPairs::Recommended => game::BannedPairs::Recommended,
            BannedPairs::Off => game::BannedPairs::Off,
        }
        .into(),
        max_moves_per_turn: Some(options.max_moves_per_turn.into()),
        max_turns: Some(options.max_turns.into()),
    }
}

fn gods_from_pb(numbers: &[i32]) -> Option<Vec<God>> {
    numbers.iter().map(|&number| god_from_pb(number)).collect()
}

/// A god for each seat, or nobody.
fn fixed_gods_from_pb(numbers: &[i32]) -> Option<Vec<Option<God>>> {
    let entry = |&number: &i32| {
        if number == game::God::None as i32 {
            Some(None)
        } else {
            god_from_pb(number).map(Some)
        }
    };
    numbers.iter().map(entry).collect()
}
