//! What a player can do, on the wire.

use tavola_engine::{
    Game as _, Seat,
    games::santorini::{Action, God, Piece, Santorini, Space, Worker},
};

use super::{
    gods::{god_from_pb, god_to_pb},
    piece_to_pb,
};
use crate::{error::Violation, pb::santorini::v1 as game};

pub(super) fn read_action(action: &game::Action) -> Result<Action, Violation> {
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

pub(super) fn write_action(action: Action) -> game::action::Kind {
    match action {
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
