//! Solar systems: tiles with planets and a yield (3).

use std::fmt;

use serde::Deserialize;

use super::{DATA, Gems, Numbered};

/// The most planets of a system.
pub const PLANETS_MAX: u8 = 4;

/// A type of planet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
pub enum PlanetType {
    /// Blue.
    #[serde(rename = "b")]
    EarthLike,
    /// Brown.
    #[serde(rename = "d")]
    Desert,
    /// Red.
    #[serde(rename = "v")]
    Volcano,
}

impl Numbered for PlanetType {
    const COUNT: u8 = 3;

    #[inline]
    fn index(self) -> u8 {
        self as u8
    }

    fn from_index(index: u8) -> Option<Self> {
        [Self::EarthLike, Self::Desert, Self::Volcano]
            .get(usize::from(index))
            .copied()
    }
}

/// What one take from a system gives, all of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Yield {
    a: u16,
    g: u16,
    t: u16,
    e: u16,
}

impl Yield {
    /// The gems in it.
    pub const fn gems(self) -> Gems {
        Gems::new(self.a, self.g, self.t)
    }

    /// The energy in it.
    pub const fn energy(self) -> u16 {
        self.e
    }
}

/// What is on a tile.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TileData {
    /// Its id, as in `p1_01`.
    pub id: String,
    /// The parsec of its back, 1 to 3.
    pub parsec: u8,
    /// Its one to four planets, in order.
    pub planets: Vec<PlanetType>,
    /// What a take gives.
    #[serde(rename = "yield")]
    pub gives: Yield,
}

/// One of the 31 tiles, by its place in the data file: parsec 1 first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile(u8);

impl Tile {
    /// What is on it.
    #[inline]
    pub fn data(self) -> &'static TileData {
        &DATA.tiles[usize::from(self.0)]
    }

    /// The parsec of its back, 1 to 3.
    #[inline]
    pub fn parsec(self) -> u8 {
        self.data().parsec
    }

    /// Its planets, in order.
    #[inline]
    pub fn planets(self) -> &'static [PlanetType] {
        &self.data().planets
    }

    /// The tile of this id.
    pub fn named(id: &str) -> Option<Self> {
        Self::all().find(|tile| tile.data().id == id)
    }
}

impl Numbered for Tile {
    const COUNT: u8 = 31;

    #[inline]
    fn index(self) -> u8 {
        self.0
    }

    fn from_index(index: u8) -> Option<Self> {
        (index < Self::COUNT).then_some(Self(index))
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.data().id)
    }
}

impl fmt::Debug for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
