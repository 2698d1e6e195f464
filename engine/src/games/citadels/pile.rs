//! Piles of face-down cards: the district deck, the cards under the Museum, and what somebody knows of one.

use std::fmt;

use super::district::District;

/// Cards in a pile at most: all of them.
pub const PILE_MAX: usize = 80;

/// Cards in order: a card each, or what concerns the card there. In what somebody knows of a pile, a card he doesn't know is `None`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Pile<T = Option<District>> {
    /// The bottom first. The default from `len` on.
    cards: [T; PILE_MAX],
    len: u8,
}

impl<T: Copy + Default> Default for Pile<T> {
    fn default() -> Self {
        Self {
            cards: [T::default(); PILE_MAX],
            len: 0,
        }
    }
}

impl<T: Copy + Default> Pile<T> {
    /// These cards, the bottom first; of more than [`PILE_MAX`] only so many.
    pub fn from_bottom(cards: impl IntoIterator<Item = T>) -> Self {
        let mut pile = Self::default();
        for card in cards {
            pile.put_on_top(card);
        }
        pile
    }

    /// How many cards there are.
    #[inline]
    pub const fn len(&self) -> u8 {
        self.len
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The cards, the bottom first.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        &self.cards[..usize::from(self.len)]
    }

    /// The cards, the bottom first, to change.
    pub(super) fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.cards[..usize::from(self.len)]
    }

    /// The cards, the top first.
    pub fn from_top(&self) -> impl Iterator<Item = T> {
        self.as_slice().iter().rev().copied()
    }

    /// Lays a card on top. Nothing happens to a pile that holds all cards.
    pub(super) fn put_on_top(&mut self, card: T) {
        debug_assert!(usize::from(self.len) < PILE_MAX);
        if let Some(place) = self.cards.get_mut(usize::from(self.len)) {
            *place = card;
            self.len += 1;
        }
    }

    /// Puts a card under the pile. Nothing happens to a pile that holds all cards.
    pub(super) fn put_under(&mut self, card: T) {
        debug_assert!(usize::from(self.len) < PILE_MAX);
        if usize::from(self.len) < PILE_MAX {
            self.cards.copy_within(..usize::from(self.len), 1);
            self.cards[0] = card;
            self.len += 1;
        }
    }

    /// Takes the card from the top; the default if there is none.
    pub(super) fn draw(&mut self) -> T {
        self.len = self.len.saturating_sub(1);
        std::mem::take(&mut self.cards[usize::from(self.len)])
    }
}

impl Pile {
    /// So many cards, none of them known.
    pub(super) fn unknown(len: u8) -> Self {
        Self::from_bottom((0..len).map(|_| None))
    }

    /// The known cards, the bottom first.
    pub fn known(&self) -> impl Iterator<Item = District> {
        self.as_slice().iter().filter_map(|&card| card)
    }

    /// Appends the number of cards and then each, the bottom first: its number, or 255.
    pub(super) fn write_canonical(&self, out: &mut Vec<u8>) {
        out.push(self.len);
        out.extend(
            self.as_slice()
                .iter()
                .map(|card| card.map_or(u8::MAX, District::index)),
        );
    }
}

impl<T: Copy + Default + fmt::Debug> fmt::Debug for Pile<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}
