//! What happens at the table, in the words of section 10.1. All of it is public.

use super::components::{Level, Piece, Space, Worker, WorkerSet};
use super::god::{God, Gods};
use crate::seat::{Seat, SeatSet};

/// Something that has happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// The Challenger has offered a god.
    GodOffered {
        /// The Challenger.
        seat: Seat,
        /// Which god.
        god: God,
    },
    /// A player has got a god.
    GodTaken {
        /// Who.
        seat: Seat,
        /// Which god.
        god: God,
    },
    /// It is known who places first and has the first turn.
    StartPlayerNamed {
        /// Who.
        seat: Seat,
    },
    /// Chaos has lost her face-up god.
    ChaosDiscarded {
        /// Who holds Chaos.
        seat: Seat,
        /// The god.
        god: God,
    },
    /// The discards of Chaos have become her deck again.
    ChaosReshuffled {
        /// How many cards were shuffled.
        cards: u8,
    },
    /// The next god of Chaos' deck is face up.
    ChaosDrawn {
        /// Who holds Chaos.
        seat: Seat,
        /// The god.
        god: God,
        /// How many cards are left in the deck.
        left: u8,
    },
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
        /// How many normal turns have begun, this one included.
        number: u16,
        /// Whether it is an additional turn of Dionysus.
        additional: bool,
    },
    /// Athena's lock has changed.
    AthenaLock {
        /// Who holds, or held, Athena.
        seat: Seat,
        /// Whether it is on.
        on: bool,
    },
    /// Circe has taken the other player's powers.
    PowerTaken {
        /// Circe.
        seat: Seat,
        /// From whom.
        other: Seat,
        /// The powers.
        gods: Gods,
    },
    /// Circe has given the powers back.
    PowerReturned {
        /// Circe.
        seat: Seat,
        /// To whom.
        other: Seat,
        /// The powers.
        gods: Gods,
    },
    /// Morpheus has got a piece.
    MorpheusGained {
        /// Who holds Morpheus.
        seat: Seat,
        /// How many pieces lie on the card.
        pool: u16,
    },
    /// Hypnus has put workers to sleep for this turn.
    WorkersAsleep {
        /// Which.
        workers: WorkerSet,
    },
    /// Aphrodite binds workers in this turn.
    WorkersBound {
        /// Which.
        workers: WorkerSet,
    },
    /// Persephone demands a climb in this turn.
    ClimbDemanded {
        /// Of whom.
        seat: Seat,
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
    /// A worker has been forced to another space.
    WorkerForced {
        /// Which.
        worker: Worker,
        /// Where it stood.
        from: Space,
        /// Where it stands.
        to: Space,
        /// By whose power.
        by: God,
    },
    /// A worker has left the game.
    WorkerRemoved {
        /// Which.
        worker: Worker,
        /// Where it stood.
        space: Space,
        /// By what.
        by: Removal,
    },
    /// A move that would have won doesn't.
    WinStopped {
        /// Who doesn't win.
        seat: Seat,
        /// By whose power.
        by: God,
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
    /// Ares has removed a block.
    BlockRemoved {
        /// Where.
        space: Space,
        /// The level of the space after it.
        level: Level,
    },
    /// Dionysus has earned an additional turn.
    AdditionalTurnEarned {
        /// Who.
        seat: Seat,
        /// How many are owed now.
        owed: u8,
    },
    /// An additional turn is not taken.
    AdditionalTurnDeclined {
        /// Who declined.
        seat: Seat,
        /// How many are owed still.
        owed: u8,
    },
    /// An additional turn can't be taken.
    AdditionalTurnSkipped {
        /// Whose it would have been.
        seat: Seat,
        /// How many are owed still.
        owed: u8,
    },
    /// A player's turn has run to its end. Not told of a turn that the end of the game, or the end
    /// of its player, cuts off.
    TurnEnded {
        /// Whose.
        seat: Seat,
    },
    /// A player is out; the others play on.
    PlayerEliminated {
        /// Who.
        seat: Seat,
        /// Why.
        reason: Elimination,
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

/// By what a worker leaves the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Removal {
    /// By a god's power.
    God(God),
    /// Its player is out.
    Elimination,
}

/// Why a player is out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Elimination {
    /// He had no complete turn at its start.
    NoLegalTurn,
    /// He resigned.
    Resigned,
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
    /// A worker of Pan has moved down two levels or more.
    Pan,
    /// The workers of Eros have met.
    Eros,
    /// Five complete towers stand for Chronus.
    Chronus,
    /// All other sides are out (section 11).
    LastSide,
}

/// Why a game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DrawReason {
    /// One turn more than the option `max_turns` allows would have begun (R45).
    MaxTurns,
}
