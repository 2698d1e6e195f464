//! A city: the districts that a player has built, in the order in which they came.

use std::fmt;
use std::ops::{Deref, DerefMut};

use super::action::Site;
use super::district::District;
use crate::seat::Seat;

/// Districts in a city at most. Seven, and what two turns of the last round can add, are fewer.
pub const CITY_MAX: usize = 16;

/// A built district.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Built {
    /// Which.
    pub district: District,
    /// Whether the Artist's gold lies on it.
    pub beautified: bool,
    /// Who built it.
    pub builder: Seat,
    /// The round in which it was built.
    pub round: u8,
}

impl Built {
    /// What stands behind the last district of a city: nothing that counts, but always the same.
    const NOTHING: Self = Self {
        district: District::Manor,
        beautified: false,
        builder: Seat(0),
        round: 0,
    };

    /// What it costs and, short of the two dearest, is worth: the printed cost, and 1 more if it is beautified.
    #[inline]
    pub fn cost(&self) -> u16 {
        self.site().cost()
    }

    /// How actions name it.
    #[inline]
    pub const fn site(&self) -> Site {
        Site {
            district: self.district,
            beautified: self.beautified,
        }
    }
}

/// The districts that a player has built, in the order in which they came: a slice that can grow to [`CITY_MAX`]. Copied as it lies in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct City {
    built: [Built; CITY_MAX],
    len: u8,
}

impl Default for City {
    fn default() -> Self {
        Self {
            built: [Built::NOTHING; CITY_MAX],
            len: 0,
        }
    }
}

impl City {
    /// Adds a district. A city never has [`CITY_MAX`]; to one that had, nothing would be added.
    pub(super) fn push(&mut self, built: Built) {
        debug_assert!(self.len() < CITY_MAX);
        if let Some(place) = self.built.get_mut(usize::from(self.len)) {
            *place = built;
            self.len += 1;
        }
    }

    /// Takes out the district that was built first of those that are named so; `None` if there is none.
    pub(super) fn remove(&mut self, site: Site) -> Option<Built> {
        let at = self.iter().position(|built| built.site() == site)?;
        let built = self.built[at];
        self.built.copy_within(at + 1.., at);
        self.built[CITY_MAX - 1] = Built::NOTHING;
        self.len -= 1;
        Some(built)
    }
}

impl Deref for City {
    type Target = [Built];

    #[inline]
    fn deref(&self) -> &[Built] {
        &self.built[..usize::from(self.len)]
    }
}

impl DerefMut for City {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Built] {
        &mut self.built[..usize::from(self.len)]
    }
}

impl FromIterator<Built> for City {
    fn from_iter<I: IntoIterator<Item = Built>>(districts: I) -> Self {
        let mut city = Self::default();
        for built in districts {
            city.push(built);
        }
        city
    }
}

impl fmt::Debug for City {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
