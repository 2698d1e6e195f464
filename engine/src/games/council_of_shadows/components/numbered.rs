//! Things that are numbered from 0, and sets of them.

use std::fmt;
use std::marker::PhantomData;

/// A thing of which there are finitely many, numbered from 0 in the order of the data files.
pub trait Numbered: Copy + Eq + fmt::Debug {
    /// How many there are, at most 32.
    const COUNT: u8;

    /// Its number, below [`COUNT`](Self::COUNT).
    fn index(self) -> u8;

    /// The thing of this number; `None` from [`COUNT`](Self::COUNT) on.
    fn from_index(index: u8) -> Option<Self>;

    /// All of them, ascending.
    fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..Self::COUNT).filter_map(Self::from_index)
    }
}

/// A set of numbered things.
pub struct Set<T> {
    bits: u32,
    of: PhantomData<T>,
}

impl<T: Numbered> Set<T> {
    /// No member at all.
    pub const EMPTY: Self = Self::from_bits(0);

    const fn from_bits(bits: u32) -> Self {
        Self {
            bits,
            of: PhantomData,
        }
    }

    /// Whether the thing is a member.
    #[inline]
    pub fn contains(self, thing: T) -> bool {
        self.bits & (1 << thing.index()) != 0
    }

    /// Makes the thing a member.
    #[inline]
    pub fn insert(&mut self, thing: T) {
        self.bits |= 1 << thing.index();
    }

    /// Makes the thing no member; tells whether it was one.
    #[inline]
    pub fn remove(&mut self, thing: T) -> bool {
        let was = self.contains(thing);
        self.bits &= !(1 << thing.index());
        was
    }

    /// The set and this thing.
    #[inline]
    #[must_use]
    pub fn with(mut self, thing: T) -> Self {
        self.insert(thing);
        self
    }

    /// The set less this thing.
    #[inline]
    #[must_use]
    pub fn without(mut self, thing: T) -> Self {
        self.remove(thing);
        self
    }

    /// The members of either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self::from_bits(self.bits | other.bits)
    }

    /// How many members there are.
    #[inline]
    pub const fn len(self) -> u32 {
        self.bits.count_ones()
    }

    /// Whether there is no member.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// The set as bits: member `i` is bit `i`, counted from the least significant.
    pub const fn bits(self) -> u32 {
        self.bits
    }

    /// The members, ascending.
    pub fn iter(self) -> impl Iterator<Item = T> + Clone {
        let mut bits = self.bits;
        std::iter::from_fn(move || {
            let lowest = u8::try_from(bits.checked_ilog2().map(|_| bits.trailing_zeros())?).ok()?;
            bits &= bits - 1;
            T::from_index(lowest)
        })
    }
}

impl<T> Clone for Set<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Set<T> {}

impl<T> PartialEq for Set<T> {
    fn eq(&self, other: &Self) -> bool {
        self.bits == other.bits
    }
}

impl<T> Eq for Set<T> {}

impl<T> Default for Set<T> {
    fn default() -> Self {
        Self {
            bits: 0,
            of: PhantomData,
        }
    }
}

impl<T: Numbered> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(things: I) -> Self {
        things.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl<T: Numbered> fmt::Debug for Set<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
