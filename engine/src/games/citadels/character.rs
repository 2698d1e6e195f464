//! The character cards (section 3): what `characters.toml` says of each, ranks, and sets of ranks.

use std::fmt;
use std::sync::LazyLock;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::district::{Color, Set};

/// A character.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Character {
    /// Assassin. Once, any time in the turn: name another character; its player loses this round's turn.
    Assassin,
    /// Thief. Once, any time in the turn: name a character (not rank 1, not the murdered or bewitched one); when it is revealed take all its player's gold.
    Thief,
    /// Magician. Once, any time in the turn: swap whole hands with another player, or put any number of hand cards under the deck and draw as many.
    Magician,
    /// King. Takes the crown when revealed. Income: 1 gold per yellow district. If murdered, takes the crown at the end of the round.
    King,
    /// Bishop. Income: 1 gold per blue district. City immune to the rank-8 character this round.
    Bishop,
    /// Merchant. Income: 1 gold per green district. 1 extra gold after the action.
    Merchant,
    /// Architect. Draws 2 extra cards after the action. May build up to three districts.
    Architect,
    /// Warlord. Income: 1 gold per red district. Last thing in the turn: may destroy one district for its cost minus 1.
    Warlord,
    /// Witch. After the action must name another character and stop. When that character has taken its action its turn ends and the Witch continues as that character.
    Witch,
    /// Tax Collector. Every other player who built this round pays 1 gold (if he has any) at the end of his turn; the Assassin pays when the Tax Collector is revealed.
    TaxCollector,
    /// Wizard. Once: look at another hand and take one card; keep it or pay to build it at once outside the limit. May build duplicates this turn.
    Wizard,
    /// Emperor. When revealed must move the crown to a player other than its holder and himself; that player gives him 1 gold or 1 hand card. Income: 1 gold per yellow district.
    Emperor,
    /// Abbot. Income: 1 gold per blue district. Once: the single richest other player gives 1 gold (nothing on a tie or if the Abbot is the richest).
    Abbot,
    /// Alchemist. At the end of the turn gets back the gold paid for building this turn.
    Alchemist,
    /// Navigator. After the action receives 4 gold or 4 cards. Cannot build.
    Navigator,
    /// Diplomat. Income: 1 gold per red district. Last thing in the turn: may swap one own district for one in another city, paying the difference to that player.
    Diplomat,
    /// Artist. May put 1 gold on each of up to two own districts never beautified before: cost and points of each rise by 1.
    Artist,
    /// Queen. Once: 3 gold if seated next to the player whose revealed character has rank 4 (paid at the end of the round if that one was murdered).
    Queen,
}

impl Character {
    /// How many characters there are.
    pub const COUNT: usize = 18;

    /// All of them, in the order of `characters.toml`.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Assassin,
        Self::Thief,
        Self::Magician,
        Self::King,
        Self::Bishop,
        Self::Merchant,
        Self::Architect,
        Self::Warlord,
        Self::Witch,
        Self::TaxCollector,
        Self::Wizard,
        Self::Emperor,
        Self::Abbot,
        Self::Alchemist,
        Self::Navigator,
        Self::Diplomat,
        Self::Artist,
        Self::Queen,
    ];

    /// Its number, from 0, in the order of `characters.toml`.
    #[inline]
    pub const fn index(self) -> u8 {
        self as u8
    }

    /// The character of this number; `None` from [`COUNT`](Self::COUNT) on.
    #[inline]
    pub fn from_index(index: u8) -> Option<Self> {
        Self::ALL.get(usize::from(index)).copied()
    }

    /// What the table says of it.
    #[inline]
    pub fn card(self) -> &'static CharacterCard {
        &TABLE.cards[usize::from(self.index())]
    }

    /// When it is called, 1 to 9.
    #[inline]
    pub fn rank(self) -> Rank {
        Rank(self.card().rank)
    }

    /// Whether it belongs to the bonus set.
    pub fn is_bonus(self) -> bool {
        self.card().set == Set::Bonus
    }

    /// Its English name.
    pub fn name(self) -> &'static str {
        &self.card().name_en
    }
}

/// The number on a character card: the order in which they are called, 1 to 9. A game has at most one character of each rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Rank(pub u8);

impl Rank {
    /// The highest rank.
    pub const MAX: u8 = 9;
    /// Assassin or Witch.
    pub const ASSASSIN: Self = Self(1);
    /// Thief or Tax Collector.
    pub const THIEF: Self = Self(2);
    /// King or Emperor: never face up.
    pub const KING: Self = Self(4);
    /// Bishop or Abbot.
    pub const BISHOP: Self = Self(5);

    /// All nine, ascending.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=Self::MAX).map(Self)
    }

    /// Its place in lists by rank, from 0.
    #[inline]
    pub(super) const fn index(self) -> usize {
        (self.0 as usize).saturating_sub(1)
    }
}

/// A set of ranks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Ranks(u16);

impl Ranks {
    /// No rank.
    pub const EMPTY: Self = Self(0);

    /// The set of this one rank.
    #[inline]
    pub const fn only(rank: Rank) -> Self {
        Self(1 << (rank.0 & 15))
    }

    /// Whether the rank is in the set.
    #[inline]
    pub const fn contains(self, rank: Rank) -> bool {
        self.0 & Self::only(rank).0 != 0
    }

    /// The set and this rank.
    #[inline]
    #[must_use]
    pub const fn with(self, rank: Rank) -> Self {
        Self(self.0 | Self::only(rank).0)
    }

    /// The set less this rank.
    #[inline]
    #[must_use]
    pub const fn without(self, rank: Rank) -> Self {
        Self(self.0 & !Self::only(rank).0)
    }

    /// What is in either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What is in this set and not in the other.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// How many ranks are in the set.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether no rank is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set as bits: rank *r* is bit *r*.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The ranks, ascending.
    pub fn iter(self) -> impl Iterator<Item = Rank> {
        Rank::all().filter(move |&rank| self.contains(rank))
    }

    /// The rank with so many lower ones in the set.
    pub(super) fn nth(self, index: u32) -> Option<Rank> {
        self.iter().nth(index as usize)
    }
}

impl FromIterator<Rank> for Ranks {
    fn from_iter<I: IntoIterator<Item = Rank>>(ranks: I) -> Self {
        ranks.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Debug for Ranks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(self.iter().map(|rank| rank.0))
            .finish()
    }
}

/// Characters in a row: one of each rank at the most.
pub type Characters = ArrayVec<Character, { Rank::MAX as usize }>;

/// A row of `characters.toml`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CharacterCard {
    /// Which character it is.
    pub id: Character,
    /// Its English name.
    pub name_en: String,
    /// Its Spanish name.
    pub name_es: String,
    /// When it is called, 1 to 9.
    pub rank: u8,
    /// Base or bonus.
    pub set: Set,
    /// The base character whose place it takes.
    pub replaces: Option<Character>,
    /// The color of the districts that bring it income.
    pub income_color: Option<Color>,
    /// How many districts it may build in a turn.
    pub build_limit: u8,
    /// What it receives right after its action.
    pub after_action: Option<AfterAction>,
    /// Whether its power must be used.
    pub mandatory: bool,
    /// Whether it is never among the cards laid out face up.
    pub never_face_up: bool,
    /// The fewest seats it may be used with.
    pub min_players: u8,
    /// The most seats it may be used with.
    pub max_players: u8,
    /// The power in one line.
    pub power: String,
}

/// What a character receives right after its action (5.6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String")]
pub enum AfterAction {
    /// So much gold.
    Gold(u8),
    /// So many cards.
    Cards(u8),
    /// Its choice of so much gold or so many cards.
    Choice {
        /// Gold.
        gold: u8,
        /// Cards.
        cards: u8,
    },
}

impl TryFrom<String> for AfterAction {
    type Error = String;

    /// Reads `gold:1`, `cards:2` or `choose:gold:4|cards:4`.
    fn try_from(text: String) -> Result<Self, String> {
        let number = |text: &str| text.parse().ok();
        let read = || {
            if let Some(choice) = text.strip_prefix("choose:gold:") {
                let (gold, cards) = choice.split_once("|cards:")?;
                return Some(Self::Choice {
                    gold: number(gold)?,
                    cards: number(cards)?,
                });
            }
            match text.split_once(':')? {
                ("gold", gold) => Some(Self::Gold(number(gold)?)),
                ("cards", cards) => Some(Self::Cards(number(cards)?)),
                _ => None,
            }
        };
        read().ok_or_else(|| format!("{text:?} is nothing that a character receives"))
    }
}

/// The numbers of the powers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tunables {
    /// Income: gold per district.
    pub income_per_district: u8,
    /// Tax Collector: gold per taxed turn.
    pub tax_gold: u8,
    /// Emperor: gold from the new holder of the crown.
    pub emperor_gold: u8,
    /// Abbot: gold from the richest.
    pub tithe_gold: u8,
    /// Queen: gold for a seat beside rank 4.
    pub queen_gold: u8,
    /// Artist: gold laid on a district.
    pub beautify_gold: u8,
    /// Artist: districts a turn.
    pub beautify_per_turn: u8,
    /// Warlord: gold off the cost.
    pub destroy_discount: u8,
}

/// The numbers of the powers, from `characters.toml`.
#[inline]
pub fn tunables() -> &'static Tunables {
    &TABLE.tunables
}

struct Table {
    cards: Vec<CharacterCard>,
    tunables: Tunables,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    tunables: Tunables,
    character: Vec<CharacterCard>,
}

#[expect(
    clippy::expect_used,
    reason = "the table is part of the program, and a test reads it"
)]
static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let file: File =
        toml::from_str(include_str!("characters.toml")).expect("characters.toml is well formed");
    Table {
        cards: file.character,
        tunables: file.tunables,
    }
});
