//! The district cards (section 3): what `districts.toml` says of each.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::character::Character;

/// A district, as printed on a card. Copies of a card are interchangeable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum District {
    /// Manor.
    Manor,
    /// Castle.
    Castle,
    /// Palace.
    Palace,
    /// Temple.
    Temple,
    /// Church.
    Church,
    /// Monastery.
    Monastery,
    /// Cathedral.
    Cathedral,
    /// Tavern.
    Tavern,
    /// Market.
    Market,
    /// Trading Post.
    TradingPost,
    /// Docks.
    Docks,
    /// Harbor.
    Harbor,
    /// Town Hall.
    TownHall,
    /// Watchtower.
    Watchtower,
    /// Prison.
    Prison,
    /// Battlefield.
    Battlefield,
    /// Fortress.
    Fortress,
    /// Haunted City. Final scoring: counts as the color that suits its owner best, unless its owner built it during the last round.
    HauntedCity,
    /// Keep. The Warlord cannot destroy it and the Diplomat cannot take it.
    Keep,
    /// Laboratory. Once per turn: discard one hand card, receive 1 gold.
    Laboratory,
    /// Smithy. Once per turn: pay 2 gold, draw 3 cards.
    Smithy,
    /// Graveyard. When the Warlord destroys a district the owner may pay 1 gold to take that card into hand; not when the owner is the destroyer.
    Graveyard,
    /// Observatory. When drawing as the turn's action: look at 3 cards instead of 2, keep one.
    Observatory,
    /// School of Magic. Counts as the needed color for character income (not for final scoring).
    SchoolOfMagic,
    /// Library. When drawing as the turn's action: keep two cards instead of one.
    Library,
    /// Great Wall. The Warlord pays 1 more to destroy any OTHER district of this city (the Diplomat's price is raised the same way).
    GreatWall,
    /// University. Costs 6, worth 8 at the end.
    University,
    /// Dragon Gate. Costs 6, worth 8 at the end.
    DragonGate,
    /// Lighthouse. When built: the builder may look through the district deck, take one card, then the deck is shuffled.
    Lighthouse,
    /// Armory. On the owner's turn: destroy the Armory to destroy any one district in another player's city, free of charge.
    Armory,
    /// Museum. Once per turn: put one hand card face down under the Museum. End: 1 point per card under it.
    Museum,
    /// Imperial Treasury. End: 1 point per gold in the owner's stash (gold lying on districts does not count).
    ImperialTreasury,
    /// Map Room. End: 1 point per card in the owner's hand.
    MapRoom,
    /// Wishing Well. End: 1 point per OTHER purple district in the owner's city.
    WishingWell,
    /// Quarry. The owner may build a district already present in the city; at most one duplicate at a time.
    Quarry,
    /// Poor House. End of the owner's turn with 0 gold: receive 1 gold.
    PoorHouse,
    /// Bell Tower. When built: the builder may announce that a city is complete with one district fewer; undone if the Bell Tower is destroyed before a city was completed.
    BellTower,
    /// Factory. The owner's building price for OTHER purple districts is 1 lower.
    Factory,
    /// Park. End of the owner's turn with an empty hand: draw 2 cards.
    Park,
    /// Hospital. If the owner's character is murdered the owner may still take an action (nothing else).
    Hospital,
    /// Throne Room. Each time the crown changes hands the owner receives 1 gold.
    ThroneRoom,
    /// Ball Room. While the owner has the crown every other called player must thank him; one who does not loses the turn.
    BallRoom,
}

impl District {
    /// How many different districts there are.
    pub const COUNT: usize = 42;

    /// All of them, in the order of `districts.toml`.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Manor,
        Self::Castle,
        Self::Palace,
        Self::Temple,
        Self::Church,
        Self::Monastery,
        Self::Cathedral,
        Self::Tavern,
        Self::Market,
        Self::TradingPost,
        Self::Docks,
        Self::Harbor,
        Self::TownHall,
        Self::Watchtower,
        Self::Prison,
        Self::Battlefield,
        Self::Fortress,
        Self::HauntedCity,
        Self::Keep,
        Self::Laboratory,
        Self::Smithy,
        Self::Graveyard,
        Self::Observatory,
        Self::SchoolOfMagic,
        Self::Library,
        Self::GreatWall,
        Self::University,
        Self::DragonGate,
        Self::Lighthouse,
        Self::Armory,
        Self::Museum,
        Self::ImperialTreasury,
        Self::MapRoom,
        Self::WishingWell,
        Self::Quarry,
        Self::PoorHouse,
        Self::BellTower,
        Self::Factory,
        Self::Park,
        Self::Hospital,
        Self::ThroneRoom,
        Self::BallRoom,
    ];

    /// Its number, from 0, in the order of `districts.toml`.
    #[inline]
    pub const fn index(self) -> u8 {
        self as u8
    }

    /// The district of this number; `None` from [`COUNT`](Self::COUNT) on.
    #[inline]
    pub fn from_index(index: u8) -> Option<Self> {
        Self::ALL.get(usize::from(index)).copied()
    }

    /// What the table says of it.
    #[inline]
    pub fn card(self) -> &'static Card {
        &TABLE.cards[usize::from(self.index())]
    }

    /// Its printed cost in gold.
    #[inline]
    pub fn cost(self) -> u8 {
        self.card().cost
    }

    /// Its printed color.
    #[inline]
    pub fn color(self) -> Color {
        self.card().color
    }

    /// Whether it belongs to the bonus set, which the options bring in.
    pub fn is_bonus(self) -> bool {
        self.card().set == Set::Bonus
    }

    /// Its English name.
    pub fn name(self) -> &'static str {
        &self.card().name_en
    }
}

/// The color of a district, which is its type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Color {
    /// Noble.
    Yellow,
    /// Religious.
    Blue,
    /// Trade.
    Green,
    /// Military.
    Red,
    /// Special.
    Purple,
}

impl Color {
    /// All five.
    pub const ALL: [Self; 5] = [
        Self::Yellow,
        Self::Blue,
        Self::Green,
        Self::Red,
        Self::Purple,
    ];
}

/// Whether a card belongs to the base game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Set {
    /// Always in the game.
    Base,
    /// In the game if the options say so.
    Bonus,
}

/// A row of `districts.toml`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// Which district it is.
    pub id: District,
    /// Its English name.
    pub name_en: String,
    /// Its Spanish name.
    pub name_es: String,
    /// Its color.
    pub color: Color,
    /// Gold to build it, 1 to 6.
    pub cost: u8,
    /// Points at the end, 1 to 8.
    pub points: u8,
    /// How many copies there are, 1 to 5.
    pub count: u8,
    /// Base or bonus.
    pub set: Set,
    /// The effect in one line; empty if it has none.
    pub effect: String,
    /// The character without which the effect can't happen.
    pub inert_without: Option<Character>,
}

/// The numbers of the effects.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tunables {
    /// Laboratory: gold for a card.
    pub laboratory_gold: u8,
    /// Smithy: gold to pay.
    pub smithy_price: u8,
    /// Smithy: cards to draw.
    pub smithy_cards: u8,
    /// Observatory: cards looked at.
    pub observatory_draw: u8,
    /// Library: cards kept beyond the usual.
    pub library_extra_keep: u8,
    /// Graveyard: gold to pay.
    pub graveyard_price: u8,
    /// Great Wall: gold on top of the price of the other districts.
    pub great_wall_surcharge: u8,
    /// Factory: gold off the price of other purple districts.
    pub factory_discount: u8,
    /// Poor House: gold received.
    pub poor_house_gold: u8,
    /// Park: cards to draw.
    pub park_cards: u8,
    /// Throne Room: gold received.
    pub throne_room_gold: u8,
    /// Bell Tower: districts fewer in a complete city.
    pub bell_tower_reduction: u8,
    /// Quarry: duplicates in a city at one time.
    pub quarry_duplicates: u8,
}

/// The numbers of the effects, from `districts.toml`.
#[inline]
pub fn tunables() -> &'static Tunables {
    &TABLE.tunables
}

struct Table {
    cards: Vec<Card>,
    tunables: Tunables,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    tunables: Tunables,
    district: Vec<Card>,
}

#[expect(
    clippy::expect_used,
    reason = "the table is part of the program, and a test reads it"
)]
static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let file: File =
        toml::from_str(include_str!("districts.toml")).expect("districts.toml is well formed");
    Table {
        cards: file.district,
        tunables: file.tunables,
    }
});
