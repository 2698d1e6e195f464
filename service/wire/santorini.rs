//! Santorini on the wire.

use tavola_engine::{
    Game as _, Seat, SeatSet, Seen,
    games::santorini::{
        Action, BannedPairs, BiaPlacement, BiaStart, Challenger, ChaosSwap, DrawReason,
        Elimination, Event, God, GodMode, GodPool, Gods, LimusText, Options, Piece, PieceSupply,
        Public, Removal, Santorini, Space, Stage, StartPlayer, Supply, WinReason, Worker,
        WorkerSet,
        options::{MAX_MOVES_PER_TURN, MAX_TURNS},
    },
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
        let defaults = Options::default();
        let Some(pb::options::Game::Santorini(options)) = options.game else {
            return Ok(defaults);
        };
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

    fn options_to_pb(options: &Options) -> pb::Options {
        let (god_pool, custom_pool) = match &options.god_pool {
            GodPool::All => (game::GodPool::All, Vec::new()),
            GodPool::Simple => (game::GodPool::Simple, Vec::new()),
            GodPool::Custom(gods) => (
                game::GodPool::Custom,
                gods.iter().map(|&god| god_to_pb(god).into()).collect(),
            ),
        };
        let fixed_god = |god: &Option<God>| god.map_or(game::God::None, god_to_pb).into();
        let options = game::Options {
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
        };
        pb::Options {
            game: Some(pb::options::Game::Santorini(options)),
        }
    }

    fn action_from_pb(action: &pb::Action) -> Result<Action, Violation> {
        let Some(pb::action::Game::Santorini(action)) = &action.game else {
            return Err(Violation::new(
                "santorini",
                "is required, because that is the game of the session",
            ));
        };
        match &action.kind {
            Some(game::action::Kind::PlaceWorker(place)) => Ok(Action::PlaceWorker {
                worker: worker(place.worker, "santorini.place_worker.worker")?,
                space: space(place.space, "santorini.place_worker.space")?,
            }),
            Some(game::action::Kind::Move(step)) => Ok(Action::Move {
                worker: worker(step.worker, "santorini.move.worker")?,
                to: space(step.to, "santorini.move.to")?,
            }),
            Some(game::action::Kind::Build(build)) => Ok(Action::Build {
                worker: worker(build.worker, "santorini.build.worker")?,
                space: space(build.space, "santorini.build.space")?,
                piece: piece(build.piece, "santorini.build.piece")?,
            }),
            Some(game::action::Kind::EndMove(game::EndMove {})) => Ok(Action::EndMove),
            Some(game::action::Kind::EndBuild(game::EndBuild {})) => Ok(Action::EndBuild),
            Some(game::action::Kind::EndTurn(game::EndTurn {})) => Ok(Action::EndTurn),
            Some(game::action::Kind::DeclineAdditionalTurn(game::DeclineAdditionalTurn {})) => {
                Ok(Action::DeclineAdditionalTurn)
            }
            Some(game::action::Kind::Ferry(ferry)) => Ok(Action::Ferry {
                worker: worker(ferry.worker, "santorini.ferry.worker")?,
                target: worker(ferry.target, "santorini.ferry.target")?,
            }),
            Some(game::action::Kind::PreBuild(build)) => Ok(Action::PreBuild {
                worker: worker(build.worker, "santorini.pre_build.worker")?,
                space: space(build.space, "santorini.pre_build.space")?,
                piece: piece(build.piece, "santorini.pre_build.piece")?,
            }),
            Some(game::action::Kind::RemoveBlock(remove)) => Ok(Action::RemoveBlock {
                space: space(remove.space, "santorini.remove_block.space")?,
            }),
            Some(game::action::Kind::OfferGod(offer)) => Ok(Action::OfferGod {
                god: god(offer.god, "santorini.offer_god.god")?,
            }),
            Some(game::action::Kind::TakeGod(take)) => Ok(Action::TakeGod {
                god: god(take.god, "santorini.take_god.god")?,
            }),
            Some(game::action::Kind::NameStartPlayer(name)) => Ok(Action::NameStartPlayer {
                seat: seat(name.seat, "santorini.name_start_player.seat")?,
            }),
            None => Err(Violation::new(
                "santorini.kind",
                "is one of place_worker, move, build, end_move, end_build, end_turn, decline_additional_turn, ferry, \
                 pre_build, remove_block, offer_god, take_god, name_start_player",
            )),
        }
    }

    fn action_to_pb(action: Action) -> pb::Action {
        let kind = match action {
            Action::PlaceWorker { worker, space } => {
                game::action::Kind::PlaceWorker(game::PlaceWorker {
                    worker: Some(worker.index().into()),
                    space: Some(space.index().into()),
                })
            }
            Action::Move { worker, to } => game::action::Kind::Move(game::Move {
                worker: Some(worker.index().into()),
                to: Some(to.index().into()),
            }),
            Action::Build {
                worker,
                space,
                piece,
            } => game::action::Kind::Build(game::Build {
                worker: Some(worker.index().into()),
                space: Some(space.index().into()),
                piece: piece_to_pb(piece).into(),
            }),
            Action::EndMove => game::action::Kind::EndMove(game::EndMove {}),
            Action::EndBuild => game::action::Kind::EndBuild(game::EndBuild {}),
            Action::EndTurn => game::action::Kind::EndTurn(game::EndTurn {}),
            Action::DeclineAdditionalTurn => {
                game::action::Kind::DeclineAdditionalTurn(game::DeclineAdditionalTurn {})
            }
            Action::Ferry { worker, target } => game::action::Kind::Ferry(game::Ferry {
                worker: Some(worker.index().into()),
                target: Some(target.index().into()),
            }),
            Action::PreBuild {
                worker,
                space,
                piece,
            } => game::action::Kind::PreBuild(game::PreBuild {
                worker: Some(worker.index().into()),
                space: Some(space.index().into()),
                piece: piece_to_pb(piece).into(),
            }),
            Action::RemoveBlock { space } => game::action::Kind::RemoveBlock(game::RemoveBlock {
                space: Some(space.index().into()),
            }),
            Action::OfferGod { god } => game::action::Kind::OfferGod(game::OfferGod {
                god: god_to_pb(god).into(),
            }),
            Action::TakeGod { god } => game::action::Kind::TakeGod(game::TakeGod {
                god: god_to_pb(god).into(),
            }),
            Action::NameStartPlayer { seat } => {
                game::action::Kind::NameStartPlayer(game::NameStartPlayer {
                    seat: Some(seat.0.into()),
                })
            }
        };
        pb::Action {
            game: Some(pb::action::Game::Santorini(game::Action {
                kind: Some(kind),
            })),
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
        use game::event::Kind;

        let kind = match event {
            Event::WorkerPlaced { worker, space } => Kind::WorkerPlaced(game::WorkerPlaced {
                worker: Some(worker.index().into()),
                space: Some(space.index().into()),
            }),
            Event::TurnStarted {
                seat,
                number,
                additional,
            } => Kind::TurnStarted(game::TurnStarted {
                seat: Some(seat.0.into()),
                number: (*number).into(),
                additional: *additional,
            }),
            Event::WorkerMoved { worker, from, to } => Kind::WorkerMoved(game::WorkerMoved {
                worker: Some(worker.index().into()),
                from: Some(from.index().into()),
                to: Some(to.index().into()),
            }),
            Event::Built {
                worker,
                space,
                piece,
                level,
            } => Kind::Built(game::Built {
                worker: Some(worker.index().into()),
                space: Some(space.index().into()),
                piece: piece_to_pb(*piece).into(),
                level: Some(level.number().into()),
            }),
            Event::TurnEnded { seat } => Kind::TurnEnded(game::TurnEnded {
                seat: Some(seat.0.into()),
            }),
            Event::GameWon { winners, reason } => Kind::GameWon(game::GameWon {
                winners: seats_to_pb(*winners),
                reason: match reason {
                    WinReason::Level3 => game::WinReason::Level3,
                    WinReason::NoLegalTurn => game::WinReason::NoLegalTurn,
                    WinReason::Resigned => game::WinReason::Resigned,
                    WinReason::Pan => game::WinReason::Pan,
                    WinReason::Eros => game::WinReason::Eros,
                    WinReason::Chronus => game::WinReason::Chronus,
                    WinReason::LastSide => game::WinReason::LastSide,
                }
                .into(),
            }),
            Event::GodOffered { seat, god } => Kind::GodOffered(game::GodOffered {
                seat: Some(seat.0.into()),
                god: god_to_pb(*god).into(),
            }),
            Event::GodTaken { seat, god } => Kind::GodTaken(game::GodTaken {
                seat: Some(seat.0.into()),
                god: god_to_pb(*god).into(),
            }),
            Event::StartPlayerNamed { seat } => Kind::StartPlayerNamed(game::StartPlayerNamed {
                seat: Some(seat.0.into()),
            }),
            Event::ChaosDiscarded { seat, god } => Kind::ChaosDiscarded(game::ChaosDiscarded {
                seat: Some(seat.0.into()),
                god: god_to_pb(*god).into(),
            }),
            Event::ChaosReshuffled { cards } => Kind::ChaosReshuffled(game::ChaosReshuffled {
                cards: (*cards).into(),
            }),
            Event::ChaosDrawn { seat, god, left } => Kind::ChaosDrawn(game::ChaosDrawn {
                seat: Some(seat.0.into()),
                god: god_to_pb(*god).into(),
                cards_left: (*left).into(),
            }),
            Event::AthenaLock { seat, on } => Kind::AthenaLock(game::AthenaLock {
                seat: Some(seat.0.into()),
                on: *on,
            }),
            Event::PowerTaken { seat, other, gods } => Kind::PowerTaken(game::PowerTaken {
                seat: Some(seat.0.into()),
                other: Some(other.0.into()),
                gods: gods_to_pb(*gods),
            }),
            Event::PowerReturned { seat, other, gods } => {
                Kind::PowerReturned(game::PowerReturned {
                    seat: Some(seat.0.into()),
                    other: Some(other.0.into()),
                    gods: gods_to_pb(*gods),
                })
            }
            Event::MorpheusGained { seat, pool } => Kind::MorpheusGained(game::MorpheusGained {
                seat: Some(seat.0.into()),
                pool: (*pool).into(),
            }),
            Event::WorkersAsleep { workers } => Kind::WorkersAsleep(game::WorkersAsleep {
                workers: workers_to_pb(*workers),
            }),
            Event::WorkersBound { workers } => Kind::WorkersBound(game::WorkersBound {
                workers: workers_to_pb(*workers),
            }),
            Event::ClimbDemanded { seat } => Kind::ClimbDemanded(game::ClimbDemanded {
                seat: Some(seat.0.into()),
            }),
            Event::WorkerForced {
                worker,
                from,
                to,
                by,
            } => Kind::WorkerForced(game::WorkerForced {
                worker: Some(worker.index().into()),
                from: Some(from.index().into()),
                to: Some(to.index().into()),
                by: god_to_pb(*by).into(),
            }),
            Event::WorkerRemoved { worker, space, by } => {
                Kind::WorkerRemoved(game::WorkerRemoved {
                    worker: Some(worker.index().into()),
                    space: Some(space.index().into()),
                    by: match by {
                        Removal::God(god) => god_to_pb(*god),
                        Removal::Elimination => game::God::Unspecified,
                    }
                    .into(),
                })
            }
            Event::WinStopped { seat, by } => Kind::WinStopped(game::WinStopped {
                seat: Some(seat.0.into()),
                by: god_to_pb(*by).into(),
            }),
            Event::BlockRemoved { space, level } => Kind::BlockRemoved(game::BlockRemoved {
                space: Some(space.index().into()),
                level: Some(level.number().into()),
            }),
            Event::AdditionalTurnEarned { seat, owed } => {
                Kind::AdditionalTurnEarned(game::AdditionalTurnEarned {
                    seat: Some(seat.0.into()),
                    owed: (*owed).into(),
                })
            }
            Event::AdditionalTurnDeclined { seat, owed } => {
                Kind::AdditionalTurnDeclined(game::AdditionalTurnDeclined {
                    seat: Some(seat.0.into()),
                    owed: (*owed).into(),
                })
            }
            Event::AdditionalTurnSkipped { seat, owed } => {
                Kind::AdditionalTurnSkipped(game::AdditionalTurnSkipped {
                    seat: Some(seat.0.into()),
                    owed: (*owed).into(),
                })
            }
            Event::PlayerEliminated { seat, reason } => {
                Kind::PlayerEliminated(game::PlayerEliminated {
                    seat: Some(seat.0.into()),
                    reason: match reason {
                        Elimination::NoLegalTurn => game::Elimination::NoLegalTurn,
                        Elimination::Resigned => game::Elimination::Resigned,
                    }
                    .into(),
                })
            }
            Event::GameDrawn { reason } => Kind::GameDrawn(game::GameDrawn {
                reason: match reason {
                    DrawReason::MaxTurns => game::DrawReason::MaxTurns,
                }
                .into(),
            }),
        };
        pb::Event {
            game: Some(pb::event::Game::Santorini(game::Event { kind: Some(kind) })),
        }
    }
}

fn worker(number: Option<u32>, field: &'static str) -> Result<Worker, Violation> {
    let worker = number.and_then(|number| Worker::from_index(u8::try_from(number).ok()?));
    worker.ok_or_else(|| {
        Violation::new(
            field,
            format!("is a worker from 0 to {}", Worker::COUNT - 1),
        )
    })
}

fn space(number: Option<u32>, field: &'static str) -> Result<Space, Violation> {
    let space = number.and_then(|number| Space::from_index(u8::try_from(number).ok()?));
    space.ok_or_else(|| Violation::new(field, format!("is a space from 0 to {}", Space::COUNT - 1)))
}

fn piece(number: i32, field: &'static str) -> Result<Piece, Violation> {
    match game::Piece::try_from(number) {
        Ok(game::Piece::Block) => Ok(Piece::Block),
        Ok(game::Piece::Dome) => Ok(Piece::Dome),
        Ok(game::Piece::Unspecified) | Err(_) => {
            Err(Violation::new(field, "is PIECE_BLOCK or PIECE_DOME"))
        }
    }
}

fn god(number: i32, field: &'static str) -> Result<God, Violation> {
    god_from_pb(number).ok_or_else(|| Violation::new(field, "is a god from GOD_APOLLO to GOD_ZEUS"))
}

fn seat(number: Option<u32>, field: &'static str) -> Result<Seat, Violation> {
    let seats = Santorini::INFO.seats_max;
    let seat = number.and_then(|number| u8::try_from(number).ok());
    seat.filter(|&seat| seat < seats)
        .map(Seat)
        .ok_or_else(|| Violation::new(field, format!("is a seat from 0 to {}", seats - 1)))
}

/// The god whose card has this number.
fn god_from_pb(number: i32) -> Option<God> {
    God::from_index(u8::try_from(number.checked_sub(1)?).ok()?)
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

fn god_to_pb(god: God) -> game::God {
    match god {
        God::Apollo => game::God::Apollo,
        God::Artemis => game::God::Artemis,
        God::Athena => game::God::Athena,
        God::Atlas => game::God::Atlas,
        God::Demeter => game::God::Demeter,
        God::Hephaestus => game::God::Hephaestus,
        God::Hermes => game::God::Hermes,
        God::Minotaur => game::God::Minotaur,
        God::Pan => game::God::Pan,
        God::Prometheus => game::God::Prometheus,
        God::Aphrodite => game::God::Aphrodite,
        God::Ares => game::God::Ares,
        God::Bia => game::God::Bia,
        God::Chaos => game::God::Chaos,
        God::Charon => game::God::Charon,
        God::Chronus => game::God::Chronus,
        God::Circe => game::God::Circe,
        God::Dionysus => game::God::Dionysus,
        God::Eros => game::God::Eros,
        God::Hera => game::God::Hera,
        God::Hestia => game::God::Hestia,
        God::Hypnus => game::God::Hypnus,
        God::Limus => game::God::Limus,
        God::Medusa => game::God::Medusa,
        God::Morpheus => game::God::Morpheus,
        God::Persephone => game::God::Persephone,
        God::Poseidon => game::God::Poseidon,
        God::Selene => game::God::Selene,
        God::Triton => game::God::Triton,
        God::Zeus => game::God::Zeus,
    }
}

fn gods_to_pb(gods: Gods) -> Vec<i32> {
    gods.iter().map(|god| god_to_pb(god).into()).collect()
}

fn workers_to_pb(workers: WorkerSet) -> Vec<u32> {
    workers.iter().map(|worker| worker.index().into()).collect()
}

/// All that a list of gods may hold, for the catalog.
const GOD_NAMES: &[&str] = &[
    "GOD_APOLLO",
    "GOD_ARTEMIS",
    "GOD_ATHENA",
    "GOD_ATLAS",
    "GOD_DEMETER",
    "GOD_HEPHAESTUS",
    "GOD_HERMES",
    "GOD_MINOTAUR",
    "GOD_PAN",
    "GOD_PROMETHEUS",
    "GOD_APHRODITE",
    "GOD_ARES",
    "GOD_BIA",
    "GOD_CHAOS",
    "GOD_CHARON",
    "GOD_CHRONUS",
    "GOD_CIRCE",
    "GOD_DIONYSUS",
    "GOD_EROS",
    "GOD_HERA",
    "GOD_HESTIA",
    "GOD_HYPNUS",
    "GOD_LIMUS",
    "GOD_MEDUSA",
    "GOD_MORPHEUS",
    "GOD_PERSEPHONE",
    "GOD_POSEIDON",
    "GOD_SELENE",
    "GOD_TRITON",
    "GOD_ZEUS",
    "GOD_NONE",
];

fn piece_to_pb(piece: Piece) -> game::Piece {
    match piece {
        Piece::Block => game::Piece::Block,
        Piece::Dome => game::Piece::Dome,
    }
}

fn seats_to_pb(seats: SeatSet) -> Vec<u32> {
    seats.iter().map(|seat| seat.0.into()).collect()
}

fn public_to_pb(public: &Public) -> game::Observation {
    let stage = match &public.stage {
        Stage::Offering => game::Stage::OfferGods,
        Stage::Taking => game::Stage::TakeGod,
        Stage::NamingStartPlayer => game::Stage::NameStartPlayer,
        Stage::Placing { .. } => game::Stage::PlaceWorkers,
        Stage::Moving => game::Stage::Move,
        Stage::Building => game::Stage::Build,
        Stage::Ending => game::Stage::EndTurn,
        Stage::Borrowing => game::Stage::AdditionalTurn,
        Stage::Over(_) => game::Stage::Over,
    };
    let in_play = public.sides().flat_map(|side| side.workers());
    let chaos = &public.chaos;
    game::Observation {
        board: Some(game::Board {
            levels: Space::all()
                .map(|space| public.board.level(space).number().into())
                .collect(),
            domes: public
                .board
                .domes()
                .iter()
                .map(|space| space.index().into())
                .collect(),
        }),
        workers: in_play
            .map(|worker| game::Worker {
                worker: Some(worker.index().into()),
                seat: Some(worker.side().index().into()),
                space: public
                    .workers
                    .space_of(worker)
                    .map(|space| space.index().into()),
            })
            .collect(),
        supply: match &public.supply {
            Supply::Unlimited => None,
            Supply::Limited(pieces) => {
                let [level1_blocks, level2_blocks, level3_blocks] = pieces.blocks.map(u32::from);
                Some(game::Supply {
                    level1_blocks,
                    level2_blocks,
                    level3_blocks,
                    domes: pieces.domes.into(),
                })
            }
        },
        stage: stage.into(),
        turn_seat: (stage != game::Stage::Over).then_some(public.on_turn.0.into()),
        turn: public.turns.into(),
        start_player: public.start_player.map(|seat| seat.0.into()),
        builder: (stage == game::Stage::Build)
            .then_some(public.turn.last_mover)
            .flatten()
            .map(|worker| worker.index().into()),
        players: (0..public.seats)
            .map(Seat)
            .map(|seat| player_to_pb(public, seat))
            .collect(),
        offer: gods_to_pb(public.offer),
        challenger: public.challenger.map(|seat| seat.0.into()),
        athena_lock: public.athena_lock,
        morpheus_pool: public.morpheus_pool.into(),
        chaos: chaos.face_up.map(|face_up| game::Chaos {
            face_up: god_to_pb(face_up).into(),
            deck: gods_to_pb(chaos.deck),
            discards: chaos
                .discards
                .iter()
                .map(|&god| god_to_pb(god).into())
                .collect(),
        }),
        additional_turns_owed: public.additional_turns_owed.into(),
        turn_record: (public.turns > 0).then(|| turn_to_pb(public)),
    }
}

fn player_to_pb(public: &Public, seat: Seat) -> game::Player {
    game::Player {
        seat: Some(seat.0.into()),
        side: Some(public.side_of(seat).index().into()),
        gods: gods_to_pb(public.powers_of(seat)),
        eliminated: !public.playing.contains(seat),
        leaving: public.leaving.contains(seat),
    }
}

fn turn_to_pb(public: &Public) -> game::Turn {
    let turn = &public.turn;
    game::Turn {
        additional: turn.additional,
        moves: turn.moves.into(),
        moved: workers_to_pb(turn.moved),
        last_mover: turn.last_mover.map(|worker| worker.index().into()),
        committed: turn.committed.map(|worker| worker.index().into()),
        climb_forbidden: turn.may_not_climb,
        builds: turn.builds.into(),
        end_builds: turn.end_builds.into(),
        asleep: workers_to_pb(turn.asleep),
        bound: workers_to_pb(turn.bound),
        climb_owed: turn.must_climb && !turn.moved_up,
        dome_built: turn.dome_placed,
    }
}

#[cfg(test)]
mod tests {
    use tavola_engine::ActionId;

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
