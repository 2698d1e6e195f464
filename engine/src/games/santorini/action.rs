//! What a player can do (section 7), and the numbers of it (7.1).

use std::fmt;

use super::components::{Piece, Space, Worker};
use super::god::God;
use crate::action::{ActionId, Block};
use crate::seat::Seat;

/// One answer to a decision. The order is that of the ids.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// D4: the worker enters the board.
    PlaceWorker {
        /// The worker that is due: of each side `f` first.
        worker: Worker,
        /// Where to.
        space: Space,
    },
    /// D5, D6, D7, D11: the worker moves to a neighboring space.
    Move {
        /// Which.
        worker: Worker,
        /// Where to.
        to: Space,
    },
    /// D8, D9, D10: the worker builds on a neighboring space, or under itself.
    Build {
        /// Which.
        worker: Worker,
        /// Where. Its own space means Zeus.
        space: Space,
        /// What.
        piece: Piece,
    },
    /// D5, D7: no more moves.
    EndMove,
    /// D8, D9: no more builds.
    EndBuild,
    /// D10: nothing more at the end of the turn.
    EndTurn,
    /// D11: the additional turn is not taken.
    DeclineAdditionalTurn,
    /// D5, Charon: a neighboring worker is carried to the other side of this one.
    Ferry {
        /// The one that carries, and moves then.
        worker: Worker,
        /// The one that is carried.
        target: Worker,
    },
    /// D5, Prometheus: the worker builds before it moves.
    PreBuild {
        /// Which.
        worker: Worker,
        /// Where.
        space: Space,
        /// What.
        piece: Piece,
    },
    /// D10, Ares: the top block of the space goes back to the supply.
    RemoveBlock {
        /// Where.
        space: Space,
    },
    /// D1: the Challenger adds this god to the offer.
    OfferGod {
        /// Which.
        god: God,
    },
    /// D2: the player takes this god of those offered.
    TakeGod {
        /// Which.
        god: God,
    },
    /// D3: the Challenger names the Start Player.
    NameStartPlayer {
        /// Whom.
        seat: Seat,
    },
}

/// In the notation of the rules page: `move P1f b3`, `build P1f b4 block`, `ferry P1f P2m`.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PlaceWorker { worker, space } => write!(f, "place_worker {worker} {space}"),
            Self::Move { worker, to } => write!(f, "move {worker} {to}"),
            Self::Build {
                worker,
                space,
                piece,
            } => write!(f, "build {worker} {space} {piece}"),
            Self::EndMove => f.write_str("end_move"),
            Self::EndBuild => f.write_str("end_build"),
            Self::EndTurn => f.write_str("end_turn"),
            Self::DeclineAdditionalTurn => f.write_str("decline_additional_turn"),
            Self::Ferry { worker, target } => write!(f, "ferry {worker} {target}"),
            Self::PreBuild {
                worker,
                space,
                piece,
            } => write!(f, "pre_build {worker} {space} {piece}"),
            Self::RemoveBlock { space } => write!(f, "remove_block {space}"),
            Self::OfferGod { god } => write!(f, "offer_god {god}"),
            Self::TakeGod { god } => write!(f, "take_god {god}"),
            Self::NameStartPlayer { seat } => write!(f, "name_start_player {}", seat.0),
        }
    }
}

const SPACES: u32 = Space::COUNT as u32;
const WORKERS: u32 = Worker::COUNT as u32;
const GODS: u32 = God::COUNT as u32;
/// The most seats of a table.
pub(super) const SEATS_MAX: u8 = 4;

// 7.1. New blocks are appended; numbers never change.
const PLACE_WORKER: Block = Block::first(WORKERS * SPACES);
const MOVE: Block = PLACE_WORKER.then(WORKERS * SPACES);
const BUILD: Block = MOVE.then(WORKERS * SPACES * 2);
const END_MOVE: Block = BUILD.then(1);
const END_BUILD: Block = END_MOVE.then(1);
const END_TURN: Block = END_BUILD.then(1);
const DECLINE_ADDITIONAL_TURN: Block = END_TURN.then(1);
const FERRY: Block = DECLINE_ADDITIONAL_TURN.then(WORKERS * WORKERS);
const PRE_BUILD: Block = FERRY.then(WORKERS * SPACES * 2);
const REMOVE_BLOCK: Block = PRE_BUILD.then(SPACES);
const OFFER_GOD: Block = REMOVE_BLOCK.then(GODS);
const TAKE_GOD: Block = OFFER_GOD.then(GODS);
const NAME_START_PLAYER: Block = TAKE_GOD.then(SEATS_MAX as u32);

/// How many action ids there are.
pub(super) const ACTION_SPACE: u32 = NAME_START_PLAYER.end();

/// The action's number: see section 7.1.
pub(super) fn encode(action: Action) -> ActionId {
    match action {
        Action::PlaceWorker { worker, space } => PLACE_WORKER.id(join(worker, space)),
        Action::Move { worker, to } => MOVE.id(join(worker, to)),
        Action::Build {
            worker,
            space,
            piece,
        } => BUILD.id(join_piece(worker, space, piece)),
        Action::EndMove => END_MOVE.id(0),
        Action::EndBuild => END_BUILD.id(0),
        Action::EndTurn => END_TURN.id(0),
        Action::DeclineAdditionalTurn => DECLINE_ADDITIONAL_TURN.id(0),
        Action::Ferry { worker, target } => {
            FERRY.id(u32::from(worker.index()) * WORKERS + u32::from(target.index()))
        }
        Action::PreBuild {
            worker,
            space,
            piece,
        } => PRE_BUILD.id(join_piece(worker, space, piece)),
        Action::RemoveBlock { space } => REMOVE_BLOCK.id(space.index().into()),
        Action::OfferGod { god } => OFFER_GOD.id(god.index().into()),
        Action::TakeGod { god } => TAKE_GOD.id(god.index().into()),
        // Seats from 4 on are at no table.
        Action::NameStartPlayer { seat } => {
            NAME_START_PLAYER.id(u32::from(seat.0.min(SEATS_MAX - 1)))
        }
    }
}

/// The action of this number; `None` from [`ACTION_SPACE`] on.
pub(super) fn decode(id: ActionId) -> Option<Action> {
    if let Some(offset) = PLACE_WORKER.offset(id) {
        let (worker, space) = split(offset)?;
        return Some(Action::PlaceWorker { worker, space });
    }
    if let Some(offset) = MOVE.offset(id) {
        let (worker, to) = split(offset)?;
        return Some(Action::Move { worker, to });
    }
    if let Some(offset) = BUILD.offset(id) {
        let (worker, space, piece) = split_piece(offset)?;
        return Some(Action::Build {
            worker,
            space,
            piece,
        });
    }
    if let Some(offset) = FERRY.offset(id) {
        let worker = Worker::from_index(u8::try_from(offset / WORKERS).ok()?)?;
        let target = Worker::from_index(u8::try_from(offset % WORKERS).ok()?)?;
        return Some(Action::Ferry { worker, target });
    }
    if let Some(offset) = PRE_BUILD.offset(id) {
        let (worker, space, piece) = split_piece(offset)?;
        return Some(Action::PreBuild {
            worker,
            space,
            piece,
        });
    }
    if let Some(offset) = REMOVE_BLOCK.offset(id) {
        let space = Space::from_index(u8::try_from(offset).ok()?)?;
        return Some(Action::RemoveBlock { space });
    }
    if let Some(offset) = OFFER_GOD.offset(id) {
        let god = God::from_index(u8::try_from(offset).ok()?)?;
        return Some(Action::OfferGod { god });
    }
    if let Some(offset) = TAKE_GOD.offset(id) {
        let god = God::from_index(u8::try_from(offset).ok()?)?;
        return Some(Action::TakeGod { god });
    }
    if let Some(offset) = NAME_START_PLAYER.offset(id) {
        let seat = Seat(u8::try_from(offset).ok()?);
        return Some(Action::NameStartPlayer { seat });
    }
    [
        (END_MOVE, Action::EndMove),
        (END_BUILD, Action::EndBuild),
        (END_TURN, Action::EndTurn),
        (DECLINE_ADDITIONAL_TURN, Action::DeclineAdditionalTurn),
    ]
    .into_iter()
    .find(|(block, _)| block.offset(id).is_some())
    .map(|(_, action)| action)
}

fn join(worker: Worker, space: Space) -> u32 {
    u32::from(worker.index()) * SPACES + u32::from(space.index())
}

fn join_piece(worker: Worker, space: Space, piece: Piece) -> u32 {
    join(worker, space) * 2 + piece as u32
}

fn split(offset: u32) -> Option<(Worker, Space)> {
    let worker = Worker::from_index(u8::try_from(offset / SPACES).ok()?)?;
    let space = Space::from_index(u8::try_from(offset % SPACES).ok()?)?;
    Some((worker, space))
}

fn split_piece(offset: u32) -> Option<(Worker, Space, Piece)> {
    let (worker, space) = split(offset / 2)?;
    let piece = if offset.is_multiple_of(2) {
        Piece::Block
    } else {
        Piece::Dome
    };
    Some((worker, space, piece))
}
