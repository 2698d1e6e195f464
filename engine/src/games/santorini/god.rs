//! The thirty gods: their names, the tables they may come to, and sets of them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A god, in the order of the card numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum God {
    /// God of Music.
    Apollo,
    /// Goddess of the Hunt.
    Artemis,
    /// Goddess of Wisdom.
    Athena,
    /// Titan Shouldering the Heavens.
    Atlas,
    /// Goddess of the Harvest.
    Demeter,
    /// God of Blacksmiths.
    Hephaestus,
    /// God of Travel.
    Hermes,
    /// Bull-headed Monster.
    Minotaur,
    /// God of the Wild.
    Pan,
    /// Titan Benefactor of Mankind.
    Prometheus,
    /// Goddess of Love.
    Aphrodite,
    /// God of War.
    Ares,
    /// Goddess of Violence.
    Bia,
    /// Primordial Nothingness.
    Chaos,
    /// Ferryman to the Underworld.
    Charon,
    /// God of Time.
    Chronus,
    /// Divine Enchantress.
    Circe,
    /// God of Wine.
    Dionysus,
    /// God of Desire.
    Eros,
    /// Goddess of Marriage.
    Hera,
    /// Goddess of Hearth and Home.
    Hestia,
    /// God of Sleep.
    Hypnus,
    /// Goddess of Famine.
    Limus,
    /// Petrifying Gorgon.
    Medusa,
    /// God of Dreams.
    Morpheus,
    /// Goddess of Spring Growth.
    Persephone,
    /// God of the Sea.
    Poseidon,
    /// Goddess of the Moon.
    Selene,
    /// God of the Waves.
    Triton,
    /// God of the Sky.
    Zeus,
}

impl God {
    /// How many gods there are.
    pub const COUNT: u8 = 30;

    /// All of them, in the order of the card numbers.
    pub const ALL: [Self; Self::COUNT as usize] = [
        Self::Apollo,
        Self::Artemis,
        Self::Athena,
        Self::Atlas,
        Self::Demeter,
        Self::Hephaestus,
        Self::Hermes,
        Self::Minotaur,
        Self::Pan,
        Self::Prometheus,
        Self::Aphrodite,
        Self::Ares,
        Self::Bia,
        Self::Chaos,
        Self::Charon,
        Self::Chronus,
        Self::Circe,
        Self::Dionysus,
        Self::Eros,
        Self::Hera,
        Self::Hestia,
        Self::Hypnus,
        Self::Limus,
        Self::Medusa,
        Self::Morpheus,
        Self::Persephone,
        Self::Poseidon,
        Self::Selene,
        Self::Triton,
        Self::Zeus,
    ];

    /// The god of this index, which is the card number less 1; `None` from 30 on.
    pub fn from_index(index: u8) -> Option<Self> {
        Self::ALL.get(usize::from(index)).copied()
    }

    /// The index, 0 to 29: the card number less 1.
    #[inline]
    pub const fn index(self) -> u8 {
        self as u8
    }

    /// The name on the card.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Apollo => "Apollo",
            Self::Artemis => "Artemis",
            Self::Athena => "Athena",
            Self::Atlas => "Atlas",
            Self::Demeter => "Demeter",
            Self::Hephaestus => "Hephaestus",
            Self::Hermes => "Hermes",
            Self::Minotaur => "Minotaur",
            Self::Pan => "Pan",
            Self::Prometheus => "Prometheus",
            Self::Aphrodite => "Aphrodite",
            Self::Ares => "Ares",
            Self::Bia => "Bia",
            Self::Chaos => "Chaos",
            Self::Charon => "Charon",
            Self::Chronus => "Chronus",
            Self::Circe => "Circe",
            Self::Dionysus => "Dionysus",
            Self::Eros => "Eros",
            Self::Hera => "Hera",
            Self::Hestia => "Hestia",
            Self::Hypnus => "Hypnus",
            Self::Limus => "Limus",
            Self::Medusa => "Medusa",
            Self::Morpheus => "Morpheus",
            Self::Persephone => "Persephone",
            Self::Poseidon => "Poseidon",
            Self::Selene => "Selene",
            Self::Triton => "Triton",
            Self::Zeus => "Zeus",
        }
    }

    /// Whether the card is one of the ten simple ones.
    pub const fn is_simple(self) -> bool {
        self.index() < 10
    }

    /// Section 2: whether the card has the icon of this number of players.
    pub const fn fits(self, seats: u8) -> bool {
        match self {
            Self::Chronus | Self::Circe => seats == 2,
            Self::Aphrodite => seats == 2 || seats == 4,
            Self::Apollo
            | Self::Artemis
            | Self::Athena
            | Self::Atlas
            | Self::Demeter
            | Self::Hephaestus
            | Self::Hermes
            | Self::Minotaur
            | Self::Pan
            | Self::Prometheus
            | Self::Ares
            | Self::Bia
            | Self::Chaos
            | Self::Charon
            | Self::Dionysus
            | Self::Eros
            | Self::Hera
            | Self::Hestia
            | Self::Hypnus
            | Self::Limus
            | Self::Medusa
            | Self::Morpheus
            | Self::Persephone
            | Self::Poseidon
            | Self::Selene
            | Self::Triton
            | Self::Zeus => seats >= 2 && seats <= 4,
        }
    }
}

/// As the rules page writes it, in lower case: `pan`.
impl fmt::Display for God {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.name().chars() {
            write!(f, "{}", letter.to_ascii_lowercase())?;
        }
        Ok(())
    }
}

/// Reads what `Display` writes. The error is that it names no god.
impl FromStr for God {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL
            .into_iter()
            .find(|god| god.to_string() == name)
            .ok_or(())
    }
}

/// A set of gods.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Gods(u32);

impl Gods {
    /// No god.
    pub const NONE: Self = Self(0);
    /// All thirty.
    pub const ALL: Self = Self((1 << God::COUNT) - 1);
    /// The ten simple ones.
    pub const SIMPLE: Self = Self((1 << 10) - 1);

    /// The set of this one god.
    #[inline]
    pub const fn only(god: God) -> Self {
        Self(1 << god as u8)
    }

    /// The set of these gods.
    pub(super) const fn of(gods: &[God]) -> Self {
        let mut set = Self::NONE;
        let mut at = 0;
        while at < gods.len() {
            set = set.with(gods[at]);
            at += 1;
        }
        set
    }

    /// The gods that may come to a table of so many seats.
    pub fn fitting(seats: u8) -> Self {
        God::ALL.into_iter().filter(|god| god.fits(seats)).collect()
    }

    /// The set and this god.
    #[inline]
    #[must_use]
    pub const fn with(self, god: God) -> Self {
        Self(self.0 | 1 << god as u8)
    }

    /// The set less this god.
    #[inline]
    #[must_use]
    pub const fn without(self, god: God) -> Self {
        Self(self.0 & !(1 << god as u8))
    }

    /// The gods in either set.
    #[inline]
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The gods in both sets.
    #[inline]
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The gods of this set that are not in the other.
    #[inline]
    #[must_use]
    pub const fn less(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether the god is in the set.
    #[inline]
    pub const fn contains(self, god: God) -> bool {
        self.0 & 1 << god as u8 != 0
    }

    /// Whether no god is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many gods are in the set, at most 30.
    #[inline]
    pub const fn len(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// The set as bits: the god of index `i` is bit `i`, counted from the least significant.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The gods, in the order of the card numbers.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = God> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let god = God::ALL.get(left.trailing_zeros() as usize).copied();
            left &= left - 1;
            god
        })
    }
}

impl FromIterator<God> for Gods {
    fn from_iter<I: IntoIterator<Item = God>>(gods: I) -> Self {
        gods.into_iter().fold(Self::NONE, Self::with)
    }
}

impl fmt::Debug for Gods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// As a list for people: `pan, atlas`.
impl fmt::Display for Gods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, god) in self.iter().enumerate() {
            let comma = if nth == 0 { "" } else { ", " };
            write!(f, "{comma}{god}")?;
        }
        Ok(())
    }
}
