//! The state of a table: all of it is public (section 10).

use super::components::{Board, Side, Space, Supply, Worker, Workers};
use super::event::{DrawReason, WinReason};
use crate::outcome::Outcome;
use crate::seat::Seat;

/// How many seats a table has.
pub(super) const SEATS: u8 = 2;

/// A table of Santorini.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Santorini {
    pub(super) public: Public,
}

// Search clones it all day.
const _: () = assert!(size_of::<Santorini>() <= 128);

/// What a photograph of the table shows. Nothing is hidden.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Public {
    /// The towers.
    pub board: Board,
    /// The pieces that are left to build with.
    pub supply: Supply,
    /// Where the workers stand.
    pub workers: Workers,
    /// What happens next.
    pub stage: Stage,
    /// The seat whose decision is next: in the set-up the one that places, later the player on
    /// turn. After the end the one that was on turn.
    pub on_turn: Seat,
    /// How many turns have begun; 0 in the set-up.
    pub turns: u16,
    /// When one turn more would begin, the game is a draw (R45).
    pub max_turns: u16,
    /// Who placed first and had the first turn.
    pub start_player: Seat,
}

/// Where in the game, or in the turn, the table stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The set-up (4.3): the seat places this worker.
    Placing {
        /// The one that is due.
        worker: Worker,
    },
    /// MOVE: the player on turn moves a worker.
    Moving,
    /// BUILD: this worker has moved and builds.
    Building {
        /// The one that has moved.
        worker: Worker,
    },
    /// Nobody decides any more.
    Over(Ending),
}

/// How the game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Who won.
    pub outcome: Outcome,
    /// By what, or why nobody did.
    pub reason: EndReason,
}

/// Why the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EndReason {
    /// Somebody won.
    Won(WinReason),
    /// Nobody won.
    Drawn(DrawReason),
}

/// The decision that a seat owes (section 7).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Decision {
    /// D4: where this worker enters the board.
    PlaceWorker {
        /// The one that is due.
        worker: Worker,
    },
    /// D5: which worker moves, and where to.
    Move,
    /// D8: where the worker that has moved builds.
    Build {
        /// That worker.
        worker: Worker,
    },
}

impl Public {
    /// The side of the seat whose decision is next.
    #[inline]
    pub fn acting_side(&self) -> Side {
        Side::of(self.on_turn)
    }

    /// Appends every fact, in this order: for each space in order of index its level, plus 4 if it
    /// has a dome (25 bytes); the supply as 0 and the blocks of levels 1, 2, 3 and the domes, or as
    /// 1 and four zeros if unlimited (5); for each worker in order of index its space, or 255 (6);
    /// the stage as 0 placing, 1 moving, 2 building, 3 won by level 3, 4 won by no legal turn, 5
    /// won by resignation, 6 drawn by `max_turns`, and then the worker due, the worker that moved,
    /// the winners as bits, or 0 (2); seat on turn and start player (2); turns and `max_turns`,
    /// each two bytes, the lower first (4).
    pub(super) fn write_canonical(&self, out: &mut Vec<u8>) {
        let dome = |space| {
            if self.board.domes().contains(space) {
                4
            } else {
                0
            }
        };
        out.extend(Space::all().map(|space| self.board.level(space).number() + dome(space)));
        match self.supply {
            Supply::Limited(pieces) => {
                out.push(0);
                out.extend(pieces.blocks);
                out.push(pieces.domes);
            }
            Supply::Unlimited => out.extend([1, 0, 0, 0, 0]),
        }
        out.extend(
            Worker::all().map(|worker| self.workers.space_of(worker).map_or(u8::MAX, Space::index)),
        );
        out.extend(match &self.stage {
            Stage::Placing { worker } => [0, worker.index()],
            Stage::Moving => [1, 0],
            Stage::Building { worker } => [2, worker.index()],
            Stage::Over(ending) => [ending.reason.canonical(), ending.outcome.winners.bits()],
        });
        out.extend([self.on_turn.0, self.start_player.0]);
        out.extend(self.turns.to_le_bytes());
        out.extend(self.max_turns.to_le_bytes());
    }
}

impl EndReason {
    const fn canonical(self) -> u8 {
        match self {
            Self::Won(WinReason::Level3) => 3,
            Self::Won(WinReason::NoLegalTurn) => 4,
            Self::Won(WinReason::Resigned) => 5,
            Self::Drawn(DrawReason::MaxTurns) => 6,
        }
    }
}
