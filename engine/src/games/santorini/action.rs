//! What a player can do (section 7), and the numbers of it (7.1).

use super::components::{Piece, Space, Worker};
use crate::action::{ActionId, Block};

/// One answer to a decision.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// D4: the worker enters the board.
    PlaceWorker {
        /// The worker that is due: of each side `f` first.
        worker: Worker,
        /// Where to.
        space: Space,
    },
    /// D5: the worker moves to a neighboring space.
    Move {
        /// A worker of the player on turn.
        worker: Worker,
        /// Where to.
        to: Space,
    },
    /// D8: the worker builds on a neighboring space.
    Build {
        /// The worker that has moved.
        worker: Worker,
        /// Where.
        space: Space,
        /// What. It follows from the level of the space, but is always said.
        piece: Piece,
    },
}

const SPACES: u32 = Space::COUNT as u32;
const WORKERS: u32 = Worker::COUNT as u32;

// 7.1. New blocks are appended; numbers never change.
const PLACE_WORKER: Block = Block::first(WORKERS * SPACES);
const MOVE: Block = PLACE_WORKER.then(WORKERS * SPACES);
const BUILD: Block = MOVE.then(WORKERS * SPACES * 2);

/// How many action ids there are.
pub(super) const ACTION_SPACE: u32 = BUILD.end();

/// The action's number: see section 7.1.
pub(super) fn encode(action: Action) -> ActionId {
    match action {
        Action::PlaceWorker { worker, space } => PLACE_WORKER.id(worker_and_space(worker, space)),
        Action::Move { worker, to } => MOVE.id(worker_and_space(worker, to)),
        Action::Build {
            worker,
            space,
            piece,
        } => BUILD.id(worker_and_space(worker, space) * 2 + piece as u32),
    }
}

/// The action of this number; `None` from [`ACTION_SPACE`] on.
pub(super) fn decode(id: ActionId) -> Option<Action> {
    if let Some(offset) = PLACE_WORKER.offset(id) {
        let (worker, space) = split_worker_and_space(offset)?;
        return Some(Action::PlaceWorker { worker, space });
    }
    if let Some(offset) = MOVE.offset(id) {
        let (worker, to) = split_worker_and_space(offset)?;
        return Some(Action::Move { worker, to });
    }
    let offset = BUILD.offset(id)?;
    let (worker, space) = split_worker_and_space(offset / 2)?;
    let piece = if offset.is_multiple_of(2) {
        Piece::Block
    } else {
        Piece::Dome
    };
    Some(Action::Build {
        worker,
        space,
        piece,
    })
}

fn worker_and_space(worker: Worker, space: Space) -> u32 {
    u32::from(worker.index()) * SPACES + u32::from(space.index())
}

fn split_worker_and_space(offset: u32) -> Option<(Worker, Space)> {
    let worker = Worker::from_index(u8::try_from(offset / SPACES).ok()?)?;
    let space = Space::from_index(u8::try_from(offset % SPACES).ok()?)?;
    Some((worker, space))
}
