//! The state of a table. All of it but the order of Chaos' deck is public (section 10).

use arrayvec::ArrayVec;

use super::action::SEATS_MAX;
use super::components::{Board, Level, Piece, Side, Space, Supply, Worker, WorkerSet, Workers};
use super::event::{DrawReason, WinReason};
use super::god::{God, Gods};
use super::options::{BannedPairs, BiaPlacement, BiaStart, ChaosSwap, LimusText};
use crate::outcome::Outcome;
use crate::seat::{Seat, SeatSet};

/// How many cards Chaos can have at most: the simple gods.
pub(super) const CHAOS_CARDS: usize = 10;

/// A table of Santorini.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Santorini {
    pub(super) public: Public,
    /// Chaos' face-down deck, the top card last. Nobody sees its order.
    pub(super) deck: ArrayVec<God, CHAOS_CARDS>,
}

// Search clones it all day.
const _: () = assert!(size_of::<Santorini>() <= 256);

/// What a photograph of the table shows.
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
    /// The seat whose decision is next: in the set-up the one that offers, takes, names or places,
    /// later the player on turn. After the end the one that was on turn.
    pub on_turn: Seat,
    /// How many seats the table has: 2, 3 or 4.
    pub seats: u8,
    /// The seats that are not out.
    pub playing: SeatSet,
    /// Seats that resigned during the set-up of a game of three: chance decides for them, and they
    /// are out when the first turn would begin.
    pub leaving: SeatSet,
    /// The gods whose power each seat has.
    pub held: [Gods; SEATS_MAX as usize],
    /// The draft: what was offered and is not taken yet. Empty after it.
    pub offer: Gods,
    /// The draft: the gods that may be offered. Empty without one.
    pub pool: Gods,
    /// The draft: who offers.
    pub challenger: Option<Seat>,
    /// Whether Athena's lock is on.
    pub athena_lock: bool,
    /// How many pieces lie on Morpheus' card.
    pub morpheus_pool: u16,
    /// Chaos' cards, as far as they are known.
    pub chaos: Chaos,
    /// The additional turns that the player on turn has earned and not answered for.
    pub additional_turns_owed: u8,
    /// What has happened in this turn.
    pub turn: Turn,
    /// How many normal turns have begun; 0 in the set-up.
    pub turns: u16,
    /// When one normal turn more would begin, the game is a draw (R45).
    pub max_turns: u16,
    /// The most moves of a turn.
    pub max_moves_per_turn: u16,
    /// Who placed first and had the first turn; in a draft known at its end.
    pub start_player: Option<Seat>,
    /// The readings of the rules that this table plays by.
    pub rules: Rules,
}

/// The options that still matter once the table is set up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rules {
    /// When Chaos changes her power.
    pub chaos_swap: ChaosSwap,
    /// Which domes may be built beside Limus.
    pub limus_text: LimusText,
    /// Where Bia's workers may enter.
    pub bia_placement: BiaPlacement,
    /// Whether Bia is the Start Player.
    pub bia_start: BiaStart,
    /// Which gods never meet.
    pub banned_pairs: BannedPairs,
}

/// What everybody knows of Chaos' cards. When her player is out they stay as they lay, without any
/// power: what was turned up last is known to all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Chaos {
    /// The god whose power she has.
    pub face_up: Option<God>,
    /// Which gods are in the deck; their order is hidden.
    pub deck: Gods,
    /// The discards, the first one first.
    pub discards: ArrayVec<God, CHAOS_CARDS>,
}

/// What has happened in a turn so far (section 5).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Turn {
    /// Whether it is an additional turn of Dionysus.
    pub additional: bool,
    /// How many moves were made.
    pub moves: u16,
    /// The workers that have moved.
    pub moved: WorkerSet,
    /// The worker that moved last.
    pub last_mover: Option<Worker>,
    /// Where the first worker that moved stood before.
    pub first_from: Option<Space>,
    /// Whether a worker that owes Persephone a climb has moved up.
    pub moved_up: bool,
    /// Whether a worker has moved up or down.
    pub changed_level: bool,
    /// The worker that has ferried or pre-built: only this one may move and build.
    pub committed: Option<Worker>,
    /// Whether the worker that moves may not move up, because it has pre-built.
    pub may_not_climb: bool,
    /// How many pieces were built in the build step.
    pub builds: u16,
    /// The first of them.
    pub first_build: Option<Build>,
    /// How many pieces were built at the end of the turn.
    pub end_builds: u8,
    /// Workers that cannot move in this turn (Hypnus).
    pub asleep: WorkerSet,
    /// Workers whose last move must end beside Aphrodite's.
    pub bound: WorkerSet,
    /// Those of them whose last move did.
    pub returned: WorkerSet,
    /// Whether Persephone demands a climb.
    pub must_climb: bool,
    /// Whether a dome was built in this turn.
    pub dome_placed: bool,
}

/// A piece that was built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Build {
    /// By which worker.
    pub worker: Worker,
    /// Where.
    pub space: Space,
    /// What.
    pub piece: Piece,
}

/// Where in the game, or in the turn, the table stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The draft (4.1): the Challenger offers a god.
    Offering,
    /// The draft: the seat takes a god.
    Taking,
    /// The draft: the Challenger names the Start Player.
    NamingStartPlayer,
    /// The set-up (4.3): the seat places this worker.
    Placing {
        /// The one that is due.
        worker: Worker,
    },
    /// PRE and MOVE: the player on turn moves a worker, or moves on.
    Moving,
    /// BUILD: the player on turn builds, or builds again.
    Building,
    /// END: the player on turn may build or remove a block.
    Ending,
    /// The player on turn may take an additional turn with a worker of another side (8.1).
    Borrowing,
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
    /// D1: which god is offered next.
    OfferGod,
    /// D2: which of the offered gods is taken.
    TakeGod,
    /// D3: who starts.
    NameStartPlayer,
    /// D4: where this worker enters the board.
    PlaceWorker {
        /// The one that is due.
        worker: Worker,
    },
    /// D5: which worker moves, and where to; or what it does before.
    Move,
    /// D6: where the worker that has ferried or pre-built moves.
    MoveAfter {
        /// That worker.
        worker: Worker,
    },
    /// D7: whether and where to move on.
    MoveOn,
    /// D8: what is built.
    Build,
    /// D9: whether and what the worker builds again.
    BuildAgain {
        /// That worker.
        worker: Worker,
    },
    /// D10: whether to build or to remove something at the end of the turn.
    EndTurn,
    /// D11: whether to take the additional turn, and with which worker.
    AdditionalTurn,
}

impl Santorini {
    /// Chaos' deck, the top card first: what nobody at the table may see.
    pub fn chaos_deck(&self) -> impl Iterator<Item = God> + '_ {
        self.deck.iter().rev().copied()
    }
}

impl Stage {
    /// Whether the first turn is still to begin.
    pub const fn is_set_up(&self) -> bool {
        match self {
            Self::Offering | Self::Taking | Self::NamingStartPlayer | Self::Placing { .. } => true,
            Self::Moving | Self::Building | Self::Ending | Self::Borrowing | Self::Over(_) => false,
        }
    }
}

impl Public {
    /// The side that this seat belongs to.
    #[inline]
    pub const fn side_of(&self, seat: Seat) -> Side {
        Side::of(seat, self.seats)
    }

    /// The side of the seat whose decision is next.
    #[inline]
    pub const fn acting_side(&self) -> Side {
        self.side_of(self.on_turn)
    }

    /// The seats of a side that are not out.
    pub fn seats_of(&self, side: Side) -> SeatSet {
        self.playing
            .iter()
            .filter(|&seat| self.side_of(seat) == side)
            .collect()
    }

    /// The sides of this table.
    pub fn sides(&self) -> impl Iterator<Item = Side> {
        Side::first(Side::count_at(self.seats))
    }

    /// The gods whose power the seat has; none for a seat that the table doesn't have.
    #[inline]
    pub fn powers_of(&self, seat: Seat) -> Gods {
        self.held
            .get(usize::from(seat.0))
            .copied()
            .unwrap_or(Gods::NONE)
    }

    /// Who has the god's power.
    pub fn holder(&self, god: God) -> Option<Seat> {
        (0..self.seats)
            .map(Seat)
            .find(|&seat| self.powers_of(seat).contains(god))
    }

    /// Gives a god's power to the seat.
    pub(super) fn give(&mut self, seat: Seat, gods: Gods) {
        if let Some(held) = self.held.get_mut(usize::from(seat.0)) {
            *held = held.or(gods);
        }
    }

    /// Takes gods' powers from the seat.
    pub(super) fn take(&mut self, seat: Seat, gods: Gods) {
        if let Some(held) = self.held.get_mut(usize::from(seat.0)) {
            *held = held.less(gods);
        }
    }

    /// The powers that Circe has from another player.
    pub fn stolen(&self) -> Gods {
        self.holder(God::Circe).map_or(Gods::NONE, |circe| {
            self.powers_of(circe).without(God::Circe)
        })
    }

    /// The workers that the player on turn may move: his own side's, in an additional turn those of
    /// the other sides.
    #[inline]
    pub(super) fn workers_to_move(&self) -> impl Iterator<Item = Worker> + use<> {
        let (side, additional) = (self.acting_side(), self.turn.additional);
        Worker::all().filter(move |worker| (worker.side() == side) != additional)
    }

    /// The level of the worker's space.
    #[inline]
    pub(super) fn level_of(&self, worker: Worker) -> Option<Level> {
        Some(self.board.level(self.workers.space_of(worker)?))
    }
}
