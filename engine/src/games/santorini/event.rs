//! What happens at the table, in the words of section 10.1. All of it is public.

use super::components::{Level, Piece, Space, Worker};
use crate::seat::{Seat, SeatSet};

/// Something that has happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A worker has entered the board.
    WorkerPlaced {
        /// Which.
        worker: Worker,
        /// Where it stands.
        space: Space,
    },
    /// A player's turn has begun.
    TurnStarted {
        /// Whose.
        seat: Seat,
        /// How many turns have begun, this one included.
        number: u16,
    },
    /// A worker has moved.
    WorkerMoved {
        /// Which.
        worker: Worker,
        /// Where it stood.
        from: Space,
        /// Where it stands.
        to: Space,
    },
    /// A worker has built.
    Built {
        /// Which.
        worker: Worker,
        /// Where.
        space: Space,
        /// What.
        piece: Piece,
        /// The level of the space after it.
        level: Level,
    },
    /// A player's turn has run to its end. Not told of a turn that the end of the game cuts off.
    TurnEnded {
        /// Whose.
        seat: Seat,
    },
    /// The game is over and somebody has won.
    GameWon {
        /// Who.
        winners: SeatSet,
        /// By what.
        reason: WinReason,
    },
    /// The game is over and nobody has won.
    GameDrawn {
        /// Why.
        reason: DrawReason,
    },
}

/// By what a game is won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WinReason {
    /// A worker of the winner has moved up to level 3 (5.2).
    Level3,
    /// The loser had no complete turn at the start of its turn (section 11).
    NoLegalTurn,
    /// The loser resigned (section 11).
    Resigned,
}

/// Why a game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DrawReason {
    /// One turn more than the option `max_turns` allows would have begun (R45).
    MaxTurns,
}
