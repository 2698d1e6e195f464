//! Multisets of district cards: hands and all that has no order.

use std::fmt;

use super::district::District;

/// Bits per district: no district has more than 5 copies.
const WIDTH: u32 = 3;
const MASK: u128 = 0b111;
/// The lowest bit of every counter.
const ONES: u128 = {
    let mut ones = 0;
    let mut at = 0;
    while at < District::COUNT {
        ones |= 1 << (WIDTH * at as u32);
        at += 1;
    }
    ones
};

/// A number of cards of each district, at most 7. Unordered: listed as `districts.toml` lists them, so it never tells the order in which
/// cards came.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Cards(u128);

impl Cards {
    /// No card.
    pub const EMPTY: Self = Self(0);

    const fn shift(district: District) -> u32 {
        WIDTH * district.index() as u32
    }

    /// How many copies of this district there are.
    #[inline]
    pub const fn count(self, district: District) -> u8 {
        (self.0 >> Self::shift(district) & MASK) as u8
    }

    /// Whether there is a copy of this district.
    #[inline]
    pub const fn contains(self, district: District) -> bool {
        self.count(district) > 0
    }

    /// How many cards there are.
    #[inline]
    pub const fn len(self) -> u8 {
        ((self.0 & ONES).count_ones()
            + 2 * (self.0 >> 1 & ONES).count_ones()
            + 4 * (self.0 >> 2 & ONES).count_ones()) as u8
    }

    /// Whether there is no card.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds a copy. The eighth copy is not added; no deck has so many.
    #[inline]
    pub fn add(&mut self, district: District) {
        debug_assert!(self.count(district) < 7);
        if self.count(district) < 7 {
            self.0 += 1 << Self::shift(district);
        }
    }

    /// Takes a copy away; whether there was one.
    #[inline]
    pub fn remove(&mut self, district: District) -> bool {
        let there = self.contains(district);
        if there {
            self.0 -= 1 << Self::shift(district);
        }
        there
    }

    /// Each district that there is a copy of, once, in the order of `districts.toml`.
    #[inline]
    pub fn kinds(self) -> impl Iterator<Item = District> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let at = left.trailing_zeros() / WIDTH;
            left &= !(MASK << (WIDTH * at));
            District::from_index(at as u8)
        })
    }

    /// Every card, in the order of `districts.toml`.
    pub fn iter(self) -> impl Iterator<Item = District> {
        self.kinds()
            .flat_map(move |district| (0..self.count(district)).map(move |_| district))
    }

    /// What is left when the other cards are taken away, as far as they are there.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        other.iter().fold(self, |mut cards, district| {
            cards.remove(district);
            cards
        })
    }

    /// The cards that are in both.
    #[must_use]
    pub fn common(self, other: Self) -> Self {
        self.minus(self.minus(other))
    }

    /// Whether all the other cards are among these.
    pub fn includes(self, other: Self) -> bool {
        other
            .kinds()
            .all(|district| self.count(district) >= other.count(district))
    }

    /// The counters as bits, 3 for each district, the first district lowest.
    pub const fn bits(self) -> u128 {
        self.0
    }
}

impl FromIterator<District> for Cards {
    fn from_iter<I: IntoIterator<Item = District>>(districts: I) -> Self {
        let mut cards = Self::EMPTY;
        cards.extend(districts);
        cards
    }
}

impl Extend<District> for Cards {
    fn extend<I: IntoIterator<Item = District>>(&mut self, districts: I) {
        for district in districts {
            self.add(district);
        }
    }
}

impl fmt::Debug for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
