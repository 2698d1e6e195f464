//! Santorini on the wire.

use tavola_engine::{
    Game as _, Seat, SeatSet, Seen,
    games::santorini::{
        Action, DrawReason, Event, GodMode, Options, Piece, PieceSupply, Public, Santorini, Space,
        Stage, StartPlayer, Supply, WinReason, Worker, options::MAX_TURNS,
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
            description: "Which god powers are in play.",
            default: "GOD_MODE_NONE",
            allowed: Allowed::Values(&["GOD_MODE_NONE"]),
        },
        OptionEntry {
            name: "start_player",
            description: "The seat that places first and has the first turn.",
            default: "random",
            allowed: Allowed::Range(0, Self::INFO.seats_max as i64 - 1),
        },
        OptionEntry {
            name: "piece_supply",
            description: "Whether the pieces of the box can run out.",
            default: "PIECE_SUPPLY_LIMITED",
            allowed: Allowed::Values(&["PIECE_SUPPLY_LIMITED", "PIECE_SUPPLY_UNLIMITED"]),
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
        Ok(Options {
            god_mode: match game::GodMode::try_from(options.god_mode) {
                Ok(game::GodMode::Unspecified) => defaults.god_mode,
                Ok(game::GodMode::None) => GodMode::None,
                Err(_) => return Err(field("god_mode", "is GOD_MODE_NONE")),
            },
            // What is too large for the type is too large for the rules, which say what would be allowed.
            start_player: match options.start_player {
                None => defaults.start_player,
                Some(seat) => StartPlayer::Seat(Seat(u8::try_from(seat).unwrap_or(u8::MAX))),
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
            max_turns: match options.max_turns {
                None => defaults.max_turns,
                Some(max_turns) => u16::try_from(max_turns).unwrap_or(u16::MAX),
            },
        })
    }

    fn options_to_pb(options: &Options) -> pb::Options {
        let options = game::Options {
            god_mode: match options.god_mode {
                GodMode::None => game::GodMode::None,
            }
            .into(),
            start_player: match options.start_player {
                StartPlayer::Random => None,
                StartPlayer::Seat(seat) => Some(seat.0.into()),
            },
            piece_supply: match options.piece_supply {
                PieceSupply::Limited => game::PieceSupply::Limited,
                PieceSupply::Unlimited => game::PieceSupply::Unlimited,
            }
            .into(),
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
                piece: match game::Piece::try_from(build.piece) {
                    Ok(game::Piece::Block) => Piece::Block,
                    Ok(game::Piece::Dome) => Piece::Dome,
                    Ok(game::Piece::Unspecified) | Err(_) => {
                        return Err(Violation::new(
                            "santorini.build.piece",
                            "is PIECE_BLOCK or PIECE_DOME",
                        ));
                    }
                },
            }),
            None => Err(Violation::new(
                "santorini.kind",
                "is one of place_worker, move, build",
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
        };
        pb::Action {
            game: Some(pb::action::Game::Santorini(game::Action {
                kind: Some(kind),
            })),
        }
    }

    fn observation_to_pb(seen: Seen<'_, Self>) -> pb::Observation {
        pb::Observation {
            game: Some(pb::observation::Game::Santorini(public_to_pb(seen.public))),
        }
    }

    fn state_to_pb(&self) -> pb::State {
        let state = game::State {
            table: Some(public_to_pb(self.public())),
        };
        pb::State {
            game: Some(pb::state::Game::Santorini(state)),
        }
    }

    fn event_to_pb(event: &Event) -> pb::Event {
        use game::event::Kind;

        let kind = match event {
            Event::WorkerPlaced { worker, space } => Kind::WorkerPlaced(game::WorkerPlaced {
                worker: Some(worker.index().into()),
                space: Some(space.index().into()),
            }),
            Event::TurnStarted { seat, number } => Kind::TurnStarted(game::TurnStarted {
                seat: Some(seat.0.into()),
                number: (*number).into(),
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
                }
                .into(),
            }),
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
        Stage::Placing { .. } => game::Stage::PlaceWorkers,
        Stage::Moving => game::Stage::Move,
        Stage::Building { .. } => game::Stage::Build,
        Stage::Over(_) => game::Stage::Over,
    };
    // Two seats, and two workers for each.
    let seats = SeatSet::first(Santorini::INFO.seats_max);
    let in_play = Worker::all().filter(|worker| seats.contains(Seat(worker.side().index())));
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
        start_player: Some(public.start_player.0.into()),
        builder: match public.stage {
            Stage::Building { worker } => Some(worker.index().into()),
            Stage::Placing { .. } | Stage::Moving | Stage::Over(_) => None,
        },
    }
}
