//! The workers, and where they stand.

use std::fmt;

use super::{Space, Spaces};
use crate::seat::Seat;

/// The players who play together: with two players, side k is seat k.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Side(u8);

impl Side {
    /// How many colors of workers lie in the box.
    pub const COUNT: u8 = 3;

    /// The side that this seat belongs to.
    #[inline]
    pub const fn of(seat: Seat) -> Self {
        debug_assert!(seat.0 < Self::COUNT);
        Self(seat.0 % Self::COUNT)
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

/// Where each worker stands, if it is on the board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Workers([Option<Space>; Worker::COUNT as usize]);

impl Workers {
    /// Where the worker stands; `None` if it is not on the board.
    #[inline]
    pub const fn space_of(&self, worker: Worker) -> Option<Space> {
        self.0[worker.0 as usize]
    }

    /// The spaces on which workers stand.
    #[inline]
    pub fn spaces(&self) -> Spaces {
        self.0.iter().flatten().copied().collect()
    }

    /// Puts the worker on the space, wherever it was.
    #[inline]
    pub(in crate::games::santorini) const fn put(&mut self, worker: Worker, space: Space) {
        self.0[worker.0 as usize] = Some(space);
    }
}
