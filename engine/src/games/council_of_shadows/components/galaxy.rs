//! The main board: ten galaxies and their spaces (3).

use std::fmt;

use serde::Deserialize;

use super::{DATA, Numbered};

/// A galaxy, by the index of the rules page.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names on the board")]
pub enum Galaxy {
    ParvusCorta,
    EmberCrown,
    UmberReach,
    DuneVeil,
    VerdantCoil,
    CobaltDeep,
    TennantStrand,
    VioletMaw,
    AmberSpiral,
    HeavensFence,
}

/// What the board says of a galaxy.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GalaxyData {
    /// Its place in every order by "lowest index".
    pub index: u8,
    /// Its id.
    pub id: Galaxy,
    /// Its name.
    pub name: String,
    /// Its color.
    #[serde(rename = "colour")]
    pub color: String,
    /// How far away it is, 1 to 3.
    pub parsec: u8,
    /// How many spaces it has.
    pub spaces: u8,
    /// Energy for who has the most colonies.
    pub high: u16,
    /// Energy for everybody else.
    pub low: u16,
    /// Whether scoring it brings a light bonus card.
    pub bonus: bool,
    /// The numbers of parties with which it is in play.
    pub players: Vec<u8>,
    /// Whether its spaces get tiles at set-up.
    pub prefilled: bool,
}

impl Galaxy {
    const ALL: [Self; Self::COUNT as usize] = [
        Self::ParvusCorta,
        Self::EmberCrown,
        Self::UmberReach,
        Self::DuneVeil,
        Self::VerdantCoil,
        Self::CobaltDeep,
        Self::TennantStrand,
        Self::VioletMaw,
        Self::AmberSpiral,
        Self::HeavensFence,
    ];

    /// What the board says of it.
    #[inline]
    pub fn data(self) -> &'static GalaxyData {
        &DATA.galaxies[usize::from(self.index())]
    }

    /// Its id, as in `parvus_corta`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::ParvusCorta => "parvus_corta",
            Self::EmberCrown => "ember_crown",
            Self::UmberReach => "umber_reach",
            Self::DuneVeil => "dune_veil",
            Self::VerdantCoil => "verdant_coil",
            Self::CobaltDeep => "cobalt_deep",
            Self::TennantStrand => "tennant_strand",
            Self::VioletMaw => "violet_maw",
            Self::AmberSpiral => "amber_spiral",
            Self::HeavensFence => "heavens_fence",
        }
    }

    /// How far away it is, 1 to 3.
    #[inline]
    pub fn parsec(self) -> u8 {
        self.data().parsec
    }

    /// Whether it is on the board with this number of parties (R38).
    pub fn in_play(self, parties: u8) -> bool {
        self.data().players.contains(&parties)
    }

    /// Its spaces, ascending.
    pub fn spaces(self) -> impl DoubleEndedIterator<Item = Space> + Clone {
        let index = usize::from(self.index());
        let end = FIRST_SPACE.get(index + 1).copied().unwrap_or(Space::COUNT);
        (FIRST_SPACE[index]..end).map(Space)
    }
}

impl Numbered for Galaxy {
    const COUNT: u8 = 10;

    #[inline]
    fn index(self) -> u8 {
        self as u8
    }

    fn from_index(index: u8) -> Option<Self> {
        Self::ALL.get(usize::from(index)).copied()
    }
}

impl fmt::Display for Galaxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// A space of the main board: 0 to 29, the galaxies in the order of their index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Space(u8);

/// The first space of each galaxy.
const FIRST_SPACE: [u8; Galaxy::COUNT as usize] = [0, 2, 6, 9, 11, 14, 19, 21, 24, 28];

impl Space {
    /// The space of the galaxy with this number, counted from 1.
    pub fn new(galaxy: Galaxy, number: u8) -> Option<Self> {
        galaxy.spaces().nth(usize::from(number.checked_sub(1)?))
    }

    /// The galaxy it belongs to.
    #[inline]
    pub fn galaxy(self) -> Galaxy {
        GALAXY_OF[usize::from(self.0)]
    }

    /// Its number within the galaxy, counted from 1.
    pub fn number(self) -> u8 {
        self.0 - FIRST_SPACE[usize::from(self.galaxy().index())] + 1
    }

    /// How far away it is, 1 to 3.
    #[inline]
    pub fn parsec(self) -> u8 {
        self.galaxy().parsec()
    }
}

const GALAXY_OF: [Galaxy; Space::COUNT as usize] = {
    let mut of = [Galaxy::ParvusCorta; Space::COUNT as usize];
    let mut galaxy = 0;
    let mut space = 0;
    while space < of.len() {
        if galaxy + 1 < FIRST_SPACE.len() && space >= FIRST_SPACE[galaxy + 1] as usize {
            galaxy += 1;
        }
        of[space] = Galaxy::ALL[galaxy];
        space += 1;
    }
    of
};

impl Numbered for Space {
    const COUNT: u8 = 30;

    #[inline]
    fn index(self) -> u8 {
        self.0
    }

    fn from_index(index: u8) -> Option<Self> {
        (index < Self::COUNT).then_some(Self(index))
    }
}

/// As the rules page writes it: `parvus_corta_1`.
impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.galaxy(), self.number())
    }
}

impl fmt::Debug for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
