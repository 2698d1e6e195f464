//! The workers, and where they stand.

use std::fmt;

use super::{Space, Spaces};
use crate::seat::Seat;

/// The players who play together: with two or three players side k is seat k, with four side 0 is
/// team A (seats 0 and 2) and side 1 is team B (seats 1 and 3).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Side(u8);

impl Side {
    /// How many colors of workers lie in the box.
    pub const COUNT: u8 = 3;

    /// The side that this seat belongs to, at a table of so many seats.
    #[inline]
    pub const fn of(seat: Seat, seats: u8) -> Self {
        let sides = if seats == 4 { 2 } else { Self::COUNT };
        Self(seat.0 % sides)
    }

    /// How many sides there are at a table of so many seats.
    pub const fn count_at(seats: u8) -> u8 {
        if seats == 3 { 3 } else { 2 }
    }

    /// The first so many sides.
    pub fn first(count: u8) -> impl Iterator<Item = Self> {
        (0..count.min(Self::COUNT)).map(Self)
    }

    /// The index, 0 to 2.
    #[inline]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The side's worker of this figure.
    #[inline]
    pub const fn worker(self, figure: Figure) -> Worker {
        Worker(self.0 * 2 + figure as u8)
    }

    /// The side's workers, `f` then `m`.
    #[inline]
    pub const fn workers(self) -> [Worker; 2] {
        [self.worker(Figure::Female), self.worker(Figure::Male)]
    }
}

/// Which of a side's two workers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Figure {
    /// `f`, placed first.
    Female,
    /// `m`.
    Male,
}

impl Figure {
    /// The other of the two.
    #[inline]
    pub const fn other(self) -> Self {
        match self {
            Self::Female => Self::Male,
            Self::Male => Self::Female,
        }
    }
}

/// A worker. Its index is 2 x side + (0 for `f`, 1 for `m`): P1f is 0, P1m 1, P2f 2, to P3m 5.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Worker(u8);

impl Worker {
    /// How many workers lie in the box.
    pub const COUNT: u8 = 2 * Side::COUNT;

    /// The worker of this index; `None` from 6 on.
    pub const fn from_index(index: u8) -> Option<Self> {
        if index < Self::COUNT {
            Some(Self(index))
        } else {
            None
        }
    }

    /// The index, 0 to 5.
    #[inline]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// Whose it is.
    #[inline]
    pub const fn side(self) -> Side {
        Side(self.0 / 2)
    }

    /// Which of the two.
    #[inline]
    pub const fn figure(self) -> Figure {
        if self.0.is_multiple_of(2) {
            Figure::Female
        } else {
            Figure::Male
        }
    }

    /// All workers, ascending by index.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self)
    }
}

/// As the rules page writes it, players counted from 1: `P1f`.
impl fmt::Display for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figure = match self.figure() {
            Figure::Female => 'f',
            Figure::Male => 'm',
        };
        write!(f, "P{}{figure}", self.side().0 + 1)
    }
}

impl fmt::Debug for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of workers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct WorkerSet(u8);

impl WorkerSet {
    /// No worker.
    pub const NONE: Self = Self(0);

    /// The set and this worker.
    #[inline]
    #[must_use]
    pub const fn with(self, worker: Worker) -> Self {
        Self(self.0 | 1 << worker.0)
    }

    /// The set less this worker.
    #[inline]
    #[must_use]
    pub const fn without(self, worker: Worker) -> Self {
        Self(self.0 & !(1 << worker.0))
    }

    /// Whether the worker is in the set.
    #[inline]
    pub const fn contains(self, worker: Worker) -> bool {
        self.0 & 1 << worker.0 != 0
    }

    /// Whether no worker is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The workers of this set that are not in the other.
    #[inline]
    #[must_use]
    pub const fn less(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The workers in both sets.
    #[inline]
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The set as bits: worker `i` is bit `i`, counted from the least significant.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The workers, ascending by index.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Worker> {
        Worker::all().filter(move |&worker| self.contains(worker))
    }
}

impl FromIterator<Worker> for WorkerSet {
    fn from_iter<I: IntoIterator<Item = Worker>>(workers: I) -> Self {
        workers.into_iter().fold(Self::NONE, Self::with)
    }
}

impl fmt::Debug for WorkerSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// Where each worker stands, if it is on the board.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Workers([u8; Worker::COUNT as usize]);

impl Workers {
    /// Stands for no space. Its bit is outside of every set of spaces.
    const OFF: u8 = 31;

    /// Where the worker stands; `None` if it is not on the board.
    #[inline]
    pub const fn space_of(&self, worker: Worker) -> Option<Space> {
        Space::from_index(self.0[worker.0 as usize])
    }

    /// The spaces on which workers stand.
    #[inline]
    pub const fn spaces(&self) -> Spaces {
        let [a, b, c, d, e, f] = self.0;
        Spaces::from_bits(1 << a | 1 << b | 1 << c | 1 << d | 1 << e | 1 << f)
    }

    /// The spaces on which the side's workers stand.
    #[inline]
    pub const fn spaces_of_side(&self, side: Side) -> Spaces {
        let [female, male] = side.workers();
        Spaces::from_bits(1 << self.0[female.0 as usize] | 1 << self.0[male.0 as usize])
    }

    /// The worker on the space, if any.
    #[inline]
    pub fn at(&self, space: Space) -> Option<Worker> {
        Worker::all().find(|&worker| self.space_of(worker) == Some(space))
    }

    /// Takes the worker off the board.
    pub(in crate::games::santorini) const fn remove(&mut self, worker: Worker) {
        self.0[worker.0 as usize] = Self::OFF;
    }

    /// Puts the worker on the space, wherever it was.
    #[inline]
    pub(in crate::games::santorini) const fn put(&mut self, worker: Worker, space: Space) {
        self.0[worker.0 as usize] = space.index();
    }
}

/// Nobody on the board.
impl Default for Workers {
    fn default() -> Self {
        Self([Self::OFF; Worker::COUNT as usize])
    }
}

impl fmt::Debug for Workers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on_board =
            Worker::all().filter_map(|worker| self.space_of(worker).map(|space| (worker, space)));
        f.debug_map().entries(on_board).finish()
    }
}
