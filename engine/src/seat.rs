//! Who sits at the table: seats, sets of seats, values per seat, and who looks.

use std::fmt;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

/// The most seats any table has.
pub const SEATS_MAX: u8 = 8;

/// A place at the table, 0-based, fixed for the whole game.
///
/// The number may come from outside and may name a seat that a table doesn't have; whatever takes a
/// `Seat` says what it does then.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(pub u8);

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.0)
    }
}

/// A set of seats below [`SEATS_MAX`]. Seats from there on are never members.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SeatSet(u8);

impl SeatSet {
    /// No seat at all.
    pub const EMPTY: Self = Self(0);

    /// The set of this one seat; empty if the seat is not below [`SEATS_MAX`].
    #[inline]
    pub const fn only(seat: Seat) -> Self {
        match 1u8.checked_shl(seat.0 as u32) {
            Some(bit) => Self(bit),
            None => Self::EMPTY,
        }
    }

    /// Seats 0 to `seats - 1`, at most [`SEATS_MAX`] of them.
    pub const fn first(seats: u8) -> Self {
        match u8::MAX.checked_shr(SEATS_MAX.saturating_sub(seats) as u32) {
            Some(bits) => Self(bits),
            None => Self::EMPTY,
        }
    }

    /// Whether the seat is in the set.
    #[inline]
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 & Self::only(seat).0 != 0
    }

    /// The set and this seat.
    #[must_use]
    pub const fn with(self, seat: Seat) -> Self {
        Self(self.0 | Self::only(seat).0)
    }

    /// The set less this seat.
    #[inline]
    #[must_use]
    pub const fn without(self, seat: Seat) -> Self {
        Self(self.0 & !Self::only(seat).0)
    }

    /// Whether no seat is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many seats are in the set.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The seat with the lowest number; `None` if the set is empty.
    #[inline]
    pub const fn lowest(self) -> Option<Seat> {
        if self.is_empty() {
            None
        } else {
            Some(Seat(self.0.trailing_zeros() as u8))
        }
    }

    /// The set as bits: seat `i` is bit `i`, counted from the least significant.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The seats in ascending order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Seat> {
        (0..SEATS_MAX)
            .map(Seat)
            .filter(move |&seat| self.contains(seat))
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        seats.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Debug for SeatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(self.iter().map(|seat| seat.0))
            .finish()
    }
}

/// As a list for people: `seat 0, seat 2`; of the empty set, `no seat`.
impl fmt::Display for SeatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("no seat");
        }
        for (nth, seat) in self.iter().enumerate() {
            let comma = if nth == 0 { "" } else { ", " };
            write!(f, "{comma}{seat}")?;
        }
        Ok(())
    }
}

/// One value for each seat of a table, in seat order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SeatMap<T>(ArrayVec<T, { SEATS_MAX as usize }>);

impl<T> SeatMap<T> {
    /// A value for each of the first `seats` seats, at most [`SEATS_MAX`].
    pub fn from_fn(seats: u8, value: impl FnMut(Seat) -> T) -> Self {
        Self((0..seats.min(SEATS_MAX)).map(Seat).map(value).collect())
    }

    /// The seat's value; `None` if the table has no such seat.
    pub fn get(&self, seat: Seat) -> Option<&T> {
        self.0.get(usize::from(seat.0))
    }

    /// The seat's value, to change it; `None` if the table has no such seat.
    pub fn get_mut(&mut self, seat: Seat) -> Option<&mut T> {
        self.0.get_mut(usize::from(seat.0))
    }

    /// Seats with their values, to change them, in seat order.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Seat, &mut T)> {
        (0..).map(Seat).zip(&mut self.0)
    }

    /// Seats with their values, in seat order.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, &T)> {
        (0..).map(Seat).zip(&self.0)
    }
}

/// Who looks at the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Viewer {
    /// Sees what everybody sees, and what this seat holds.
    Seat(Seat),
    /// Sees what everybody sees.
    Spectator,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_they_were_given() {
        let set: SeatSet = [Seat(2), Seat(0), Seat(2)].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [Seat(0), Seat(2)]);
        assert_eq!(set.len(), 2);
        assert_eq!(set.without(Seat(0)), SeatSet::only(Seat(2)));
        assert_eq!(set.to_string(), "seat 0, seat 2");
        assert_eq!(SeatSet::EMPTY.to_string(), "no seat");
    }

    #[test]
    fn seats_beyond_the_last_are_nobody() {
        for number in SEATS_MAX..=u8::MAX {
            assert_eq!(SeatSet::only(Seat(number)), SeatSet::EMPTY);
            assert!(!SeatSet::first(u8::MAX).contains(Seat(number)));
        }
    }

    #[test]
    fn first_counts_from_seat_zero() {
        assert_eq!(SeatSet::first(0), SeatSet::EMPTY);
        assert_eq!(
            SeatSet::first(3),
            [Seat(0), Seat(1), Seat(2)].into_iter().collect()
        );
        assert_eq!(SeatSet::first(200).len(), u32::from(SEATS_MAX));
    }

    #[test]
    fn maps_know_their_seats_only() {
        let map = SeatMap::from_fn(2, |seat| seat.0 * 10);
        assert_eq!(map.get(Seat(1)), Some(&10));
        assert_eq!(map.get(Seat(2)), None);
        assert_eq!(map.iter().count(), 2);
    }
}
