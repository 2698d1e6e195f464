//! Santorini on the wire.

mod action;
mod event;
mod gods;
mod options;
mod table;

use tavola_engine::{
    Game as _, SeatSet, Seen,
    games::santorini::{
        Action, Event, Options, Piece, Santorini, WorkerSet,
        options::{MAX_MOVES_PER_TURN, MAX_TURNS},
    },
};

use self::{
    action::{read_action, write_action},
    event::write_event,
    gods::{GOD_NAMES, god_to_pb},
    options::{read_options, write_options},
    table::public_to_pb,
};
use super::{Allowed, OptionEntry, Wire};
use crate::{
    error::Violation,
    pb::{santorini::v1 as game, v1 as pb},
};

impl Wire for Santorini {
    const OPTIONS: &'static [OptionEntry] = &[
        OptionEntry {
            name: "god_mode",
            description: "How the gods come to the players: without gods with two seats only.",
            default: "GOD_MODE_DRAFT",
            allowed: Allowed::Values(&[
                "GOD_MODE_NONE",
                "GOD_MODE_DRAFT",
                "GOD_MODE_RANDOM",
                "GOD_MODE_FIXED",
            ]),
        },
        OptionEntry {
            name: "fixed_gods",
            description: "For GOD_MODE_FIXED: a god for each seat, all different; with two seats an entry may be GOD_NONE.",
            default: "none",
            allowed: Allowed::Values(GOD_NAMES),
        },
        OptionEntry {
            name: "god_pool",
            description: "For a draft and random gods: which gods may come.",
            default: "GOD_POOL_ALL",
            allowed: Allowed::Values(&["GOD_POOL_ALL", "GOD_POOL_SIMPLE", "GOD_POOL_CUSTOM"]),
        },
        OptionEntry {
            name: "custom_pool",
            description: "The gods of GOD_POOL_CUSTOM.",
            default: "none",
            allowed: Allowed::Values(GOD_NAMES),
        },
        OptionEntry {
            name: "challenger",
            description: "For a draft: the seat that offers the gods.",
            default: "random",
            allowed: Allowed::Range(0, Self::INFO.seats_max as i64 - 1),
        },
        OptionEntry {
            name: "start_player",
            description: "The seat that places first and has the first turn; in a draft the Challenger decides.",
            default: "random",
            allowed: Allowed::Range(0, Self::INFO.seats_max as i64 - 1),
        },
        OptionEntry {
            name: "chaos_swap",
            description: "When Chaos changes her power.",
            default: "CHAOS_SWAP_EACH_DOME",
            allowed: Allowed::Values(&["CHAOS_SWAP_EACH_DOME", "CHAOS_SWAP_AFTER_TURN"]),
        },
        OptionEntry {
            name: "limus_text",
            description: "Which domes may be built beside Limus.",
            default: "LIMUS_TEXT_SEED",
            allowed: Allowed::Values(&["LIMUS_TEXT_SEED", "LIMUS_TEXT_REVISED"]),
        },
        OptionEntry {
            name: "bia_placement",
            description: "Where Bia's workers may enter.",
            default: "BIA_PLACEMENT_FREE",
            allowed: Allowed::Values(&["BIA_PLACEMENT_FREE", "BIA_PLACEMENT_PERIMETER"]),
        },
        OptionEntry {
            name: "bia_start",
            description: "Whether Bia is the Start Player.",
            default: "BIA_START_PLACEMENT_ONLY",
            allowed: Allowed::Values(&["BIA_START_PLACEMENT_ONLY", "BIA_START_START_PLAYER"]),
        },
        OptionEntry {
            name: "piece_supply",
            description: "Whether the pieces of the box can run out.",
            default: "PIECE_SUPPLY_LIMITED",
            allowed: Allowed::Values(&["PIECE_SUPPLY_LIMITED", "PIECE_SUPPLY_UNLIMITED"]),
        },
        OptionEntry {
            name: "banned_pairs",
            description: "Which gods never meet.",
            default: "BANNED_PAIRS_OFFICIAL",
            allowed: Allowed::Values(&[
                "BANNED_PAIRS_OFFICIAL",
                "BANNED_PAIRS_RECOMMENDED",
                "BANNED_PAIRS_OFF",
            ]),
        },
        OptionEntry {
            name: "max_moves_per_turn",
            description: "The most moves in one turn.",
            default: "64",
            allowed: Allowed::Range(
                *MAX_MOVES_PER_TURN.start() as i64,
                *MAX_MOVES_PER_TURN.end() as i64,
            ),
        },
        OptionEntry {
            name: "max_turns",
            description: "The game is a draw when one more turn than this would begin.",
            default: "500",
            allowed: Allowed::Range(*MAX_TURNS.start() as i64, *MAX_TURNS.end() as i64),
        },
    ];

    fn options_from_pb(options: pb::Options) -> Result<Options, Violation> {
        match options.game {
            Some(pb::options::Game::Santorini(options)) => read_options(&options),
            _ => Ok(Options::default()),
        }
    }

    fn options_to_pb(options: &Options) -> pb::Options {
        let options = write_options(options);
        pb::Options {
            game: Some(pb::options::Game::Santorini(options)),
        }
    }

    fn action_from_pb(action: &pb::Action) -> Result<Action, Violation> {
        match &action.game {
            Some(pb::action::Game::Santorini(action)) => read_action(action),
            _ => Err(Violation::new(
                "santorini",
                "is required, because that is the game of the session",
            )),
        }
    }

    fn action_to_pb(action: Action) -> pb::Action {
        let kind = Some(write_action(action));
        pb::Action {
            game: Some(pb::action::Game::Santorini(game::Action { kind })),
        }
    }

    fn observation_to_pb(seen: Seen<'_, Self>) -> pb::Observation {
        pb::Observation {
            game: Some(pb::observation::Game::Santorini(Box::new(public_to_pb(
                seen.public,
            )))),
        }
    }

    fn state_to_pb(&self) -> pb::State {
        let state = game::State {
            table: Some(public_to_pb(self.public())),
            chaos_deck: self.chaos_deck().map(|god| god_to_pb(god).into()).collect(),
        };
        pb::State {
            game: Some(pb::state::Game::Santorini(Box::new(state))),
        }
    }

    fn event_to_pb(event: &Event) -> pb::Event {
        let kind = Some(write_event(event));
        pb::Event {
            game: Some(pb::event::Game::Santorini(game::Event { kind })),
        }
    }
}

fn piece_to_pb(piece: Piece) -> game::Piece {
    match piece {
        Piece::Block => game::Piece::Block,
        Piece::Dome => game::Piece::Dome,
    }
}

fn seats_to_pb(seats: SeatSet) -> Vec<u32> {
    seats.iter().map(|seat| seat.0.into()).collect()
}

fn workers_to_pb(workers: WorkerSet) -> Vec<u32> {
    workers.iter().map(|worker| worker.index().into()).collect()
}

#[cfg(test)]
mod tests {
    use tavola_engine::{
        ActionId, Seat,
        games::santorini::{
            BannedPairs, BiaPlacement, BiaStart, Challenger, ChaosSwap, God, GodMode, GodPool,
            LimusText, PieceSupply, StartPlayer,
        },
    };

    use super::*;

    #[test]
    fn every_action_comes_back_from_the_wire() {
        for id in 0..Santorini::ACTION_SPACE {
            let action = Santorini::decode(ActionId(id)).expect("ids are dense");
            let back = Santorini::action_from_pb(&Santorini::action_to_pb(action));
            assert_eq!(back.ok(), Some(action), "id {id}");
        }
    }

    #[test]
    fn options_come_back_from_the_wire() {
        let plain = Options::default();
        let named = Options {
            god_mode: GodMode::Fixed,
            fixed_gods: vec![Some(God::Pan), None],
            challenger: Challenger::Seat(Seat(1)),
            start_player: StartPlayer::Seat(Seat(0)),
            chaos_swap: ChaosSwap::AfterTurn,
            limus_text: LimusText::Revised,
            bia_placement: BiaPlacement::Perimeter,
            bia_start: BiaStart::StartPlayer,
            piece_supply: PieceSupply::Unlimited,
            banned_pairs: BannedPairs::Recommended,
            max_moves_per_turn: 100,
            max_turns: 7,
            ..Options::default()
        };
        let pooled = Options {
            god_mode: GodMode::Random,
            god_pool: GodPool::Custom(God::ALL.to_vec()),
            banned_pairs: BannedPairs::Off,
            ..Options::default()
        };
        let simple = Options {
            god_pool: GodPool::Simple,
            ..Options::without_gods()
        };
        for options in [plain, named, pooled, simple] {
            let back = Santorini::options_from_pb(Santorini::options_to_pb(&options));
            assert_eq!(back.ok(), Some(options));
        }
    }

    #[test]
    fn options_that_make_no_sense_are_refused_by_name() {
        let with = |options| pb::Options {
            game: Some(pb::options::Game::Santorini(options)),
        };
        for (name, options) in [
            (
                "custom_pool",
                game::Options {
                    custom_pool: vec![1],
                    ..Default::default()
                },
            ),
            (
                "custom_pool",
                game::Options {
                    custom_pool: vec![31],
                    ..Default::default()
                },
            ),
            (
                "fixed_gods",
                game::Options {
                    fixed_gods: vec![0],
                    ..Default::default()
                },
            ),
            (
                "fixed_gods",
                game::Options {
                    fixed_gods: vec![32],
                    ..Default::default()
                },
            ),
            (
                "god_pool",
                game::Options {
                    god_pool: 9,
                    ..Default::default()
                },
            ),
            (
                "god_mode",
                game::Options {
                    god_mode: 9,
                    ..Default::default()
                },
            ),
            (
                "chaos_swap",
                game::Options {
                    chaos_swap: 9,
                    ..Default::default()
                },
            ),
            (
                "limus_text",
                game::Options {
                    limus_text: 9,
                    ..Default::default()
                },
            ),
            (
                "bia_placement",
                game::Options {
                    bia_placement: 9,
                    ..Default::default()
                },
            ),
            (
                "bia_start",
                game::Options {
                    bia_start: 9,
                    ..Default::default()
                },
            ),
            (
                "piece_supply",
                game::Options {
                    piece_supply: 9,
                    ..Default::default()
                },
            ),
            (
                "banned_pairs",
                game::Options {
                    banned_pairs: 9,
                    ..Default::default()
                },
            ),
        ] {
            let refused = Santorini::options_from_pb(with(options)).expect_err(name);
            assert_eq!(refused.field, format!("santorini.{name}"));
        }
    }
}
