//! Gems, and how a cost is paid with them (5.1).

use std::fmt;

use serde::Deserialize;

use super::Numbered;

/// A kind of gem, the cheapest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
pub enum Gem {
    /// Anthracite, value 1.
    #[serde(rename = "a")]
    Anthracite,
    /// Golden, value 2.
    #[serde(rename = "g")]
    Golden,
    /// Transparent, value 3.
    #[serde(rename = "t")]
    Transparent,
}

impl Gem {
    /// The letter of the rules page: `a`, `g`, `t`.
    pub const fn letter(self) -> char {
        match self {
            Self::Anthracite => 'a',
            Self::Golden => 'g',
            Self::Transparent => 't',
        }
    }
}

/// A number of gems of each kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Gems {
    /// Anthracite gems.
    #[serde(rename = "a")]
    pub anthracite: u16,
    /// Golden gems.
    #[serde(rename = "g")]
    pub golden: u16,
    /// Transparent gems.
    #[serde(rename = "t")]
    pub transparent: u16,
}

impl Gems {
    /// These many of each kind.
    pub const fn new(anthracite: u16, golden: u16, transparent: u16) -> Self {
        Self {
            anthracite,
            golden,
            transparent,
        }
    }

    /// How many of this kind.
    pub const fn of(self, gem: Gem) -> u16 {
        match gem {
            Gem::Anthracite => self.anthracite,
            Gem::Golden => self.golden,
            Gem::Transparent => self.transparent,
        }
    }

    /// How many gems in all.
    pub const fn count(self) -> u16 {
        self.anthracite
            .saturating_add(self.golden)
            .saturating_add(self.transparent)
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.count() == 0
    }

    /// What they are worth at these values for one gem of each kind.
    pub const fn worth(self, each: Self) -> u16 {
        self.anthracite
            .saturating_mul(each.anthracite)
            .saturating_add(self.golden.saturating_mul(each.golden))
            .saturating_add(self.transparent.saturating_mul(each.transparent))
    }

    /// These and those.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self::new(
            self.anthracite.saturating_add(other.anthracite),
            self.golden.saturating_add(other.golden),
            self.transparent.saturating_add(other.transparent),
        )
    }

    /// These less those; `None` if there aren't enough of some kind.
    #[must_use]
    pub fn less(self, other: Self) -> Option<Self> {
        Some(Self::new(
            self.anthracite.checked_sub(other.anthracite)?,
            self.golden.checked_sub(other.golden)?,
            self.transparent.checked_sub(other.transparent)?,
        ))
    }

    /// One anthracite gem made golden, or one golden gem made transparent; `None` if there is none,
    /// or the gem is transparent.
    #[must_use]
    pub fn improved(self, from: Gem) -> Option<Self> {
        let (one, better) = match from {
            Gem::Anthracite => (Self::new(1, 0, 0), Self::new(0, 1, 0)),
            Gem::Golden => (Self::new(0, 1, 0), Self::new(0, 0, 1)),
            Gem::Transparent => return None,
        };
        Some(self.less(one)?.plus(better))
    }
}

/// As `1a 2g`; of none, `none`.
impl fmt::Display for Gems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [Gem::Anthracite, Gem::Golden, Gem::Transparent];
        let mut space = "";
        for gem in kinds.into_iter().filter(|&gem| self.of(gem) > 0) {
            write!(f, "{space}{}{}", self.of(gem), gem.letter())?;
            space = " ";
        }
        if self.is_empty() {
            f.write_str("none")?;
        }
        Ok(())
    }
}

/// One to three gems that are paid. Numbered by their count, then by how many are transparent, then
/// golden.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Payment(u8);

/// Anthracite, golden and transparent gems of each payment.
const PAYMENTS: [[u8; 3]; Payment::COUNT as usize] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [2, 0, 0],
    [1, 1, 0],
    [0, 2, 0],
    [1, 0, 1],
    [0, 1, 1],
    [0, 0, 2],
    [3, 0, 0],
    [2, 1, 0],
    [1, 2, 0],
    [0, 3, 0],
    [2, 0, 1],
    [1, 1, 1],
    [0, 2, 1],
    [1, 0, 2],
    [0, 1, 2],
    [0, 0, 3],
];

impl Payment {
    /// The payment with exactly these gems; `None` if they are none, or more than three.
    pub fn new(gems: Gems) -> Option<Self> {
        Self::all().find(|payment| payment.gems() == gems)
    }

    /// The gems that are paid.
    pub fn gems(self) -> Gems {
        let [anthracite, golden, transparent] = PAYMENTS
            .get(usize::from(self.0))
            .copied()
            .unwrap_or_default();
        Gems::new(anthracite.into(), golden.into(), transparent.into())
    }

    /// Whether it pays this cost (5.1): gem for gem, a more valuable gem may stand for a cheaper
    /// one, never the reverse.
    pub fn pays(self, cost: Gems) -> bool {
        let paid = self.gems();
        paid.count() == cost.count()
            && paid.transparent >= cost.transparent
            && paid.golden + paid.transparent >= cost.golden + cost.transparent
    }

    /// All that pay this cost from these gems.
    pub fn all_for(cost: Gems, owned: Gems) -> impl Iterator<Item = Self> {
        Self::all()
            .filter(move |payment| payment.pays(cost) && owned.less(payment.gems()).is_some())
    }
}

impl Numbered for Payment {
    const COUNT: u8 = 19;

    fn index(self) -> u8 {
        self.0
    }

    fn from_index(index: u8) -> Option<Self> {
        (index < Self::COUNT).then_some(Self(index))
    }
}

impl fmt::Debug for Payment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Payment({})", self.gems())
    }
}

impl fmt::Display for Payment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.gems().fmt(f)
    }
}
