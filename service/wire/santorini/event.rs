//! What has happened, on the wire.

use tavola_engine::games::santorini::{DrawReason, Elimination, Event, Removal, WinReason};

use super::{
    gods::{god_to_pb, gods_to_pb},
    piece_to_pb, seats_to_pb, workers_to_pb,
};
use crate::pb::santorini::v1 as game;

pub(super) fn write_event(event: &Event) -> game::event::Kind {
    use game::event::Kind;

    match event {
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
        Event::PowerReturned { seat, other, gods } => Kind::PowerReturned(game::PowerReturned {
            seat: Some(seat.0.into()),
            other: Some(other.0.into()),
            gods: gods_to_pb(*gods),
        }),
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
        Event::WorkerRemoved { worker, space, by } => Kind::WorkerRemoved(game::WorkerRemoved {
            worker: Some(worker.index().into()),
            space: Some(space.index().into()),
            by: match by {
                Removal::God(god) => god_to_pb(*god),
                Removal::Elimination => game::God::Unspecified,
            }
            .into(),
        }),
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
    }
}
