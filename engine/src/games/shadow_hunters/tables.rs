//! The printed facts of the components, read once from the data files next to this one.

use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::area::Area;
use super::card::{Card, Equipment, HermitCard, SingleUse};
use super::character::{Character, CharacterSet, Faction};

/// What is printed on a character card. Numbers that a card doesn't have are 0.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct CharacterFacts {
    /// Whose card it is.
    pub id: Character,
    /// The printed name.
    pub name: String,
    /// The side it is on.
    pub faction: Faction,
    /// The box it comes from.
    pub set: CharacterSet,
    /// The first letter of the name, which two characters share.
    pub initial: char,
    /// Hit points.
    pub hp: u8,
    /// The ability's id.
    pub ability: String,
    /// What the ability does, in words.
    pub text: String,
    /// The win condition's id.
    pub win: String,
    /// Franklin, George: the die whose roll is the damage.
    #[serde(default)]
    pub damage_die: u8,
    /// Fu-ka: what the damage is set to.
    #[serde(default)]
    pub set_damage_to: u8,
    /// Ultra Soul: the damage given.
    #[serde(default)]
    pub damage: u8,
    /// Vampire, Catherine: the damage healed.
    #[serde(default)]
    pub heal: u8,
    /// Charles: the damage taken.
    #[serde(default)]
    pub self_damage: u8,
    /// Bob with 4 to 6 players: the damage from which on he may rob.
    #[serde(default)]
    pub robbery_min_damage: u8,
    /// Bob: the equipment cards that win.
    #[serde(default)]
    pub win_equipment: u8,
    /// Bob: whether he is taken out when there are no special abilities.
    #[serde(default)]
    pub removed_when_abilities_off: bool,
    /// Bryan: a kill of so many hit points or more wins.
    #[serde(default)]
    pub win_kill_hp: u8,
    /// Bryan: a kill of so many hit points or less reveals him.
    #[serde(default)]
    pub reveal_kill_hp_max: u8,
    /// Charles: how many are dead when his kill wins.
    #[serde(default)]
    pub win_dead_count: u8,
    /// Charles: whether only a kill by attack counts (R37).
    #[serde(default)]
    pub kill_by_attack_only: bool,
    /// David: how many of his cards win.
    #[serde(default)]
    pub win_count: u8,
    /// David: the cards that count.
    #[serde(default)]
    pub win_cards: Vec<Equipment>,
}

/// What is printed on a White or Black card. Numbers that a card doesn't have are 0.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct CardFacts {
    /// Which card it is.
    pub id: Card,
    /// The printed name.
    pub name: String,
    /// How many copies there are.
    pub count: u8,
    /// What it does, in words.
    pub text: String,
    /// More damage in successful attacks.
    #[serde(default)]
    pub bonus: u8,
    /// Damage to its targets.
    #[serde(default)]
    pub damage: u8,
    /// Damage to its user.
    #[serde(default)]
    pub self_damage: u8,
    /// Damage that its user heals, as its only effect.
    #[serde(default)]
    pub heal: u8,
    /// Damage that its user heals besides.
    #[serde(default)]
    pub self_heal: u8,
    /// What the target's damage is set to.
    #[serde(default)]
    pub set_damage_to: u8,
    /// Chocolate: who may use it.
    #[serde(default)]
    pub eligible: Vec<Character>,
}

/// What is printed on a Hermit card.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct HermitFacts {
    /// Which card it is.
    pub id: HermitCard,
    /// The printed name.
    pub name: String,
    /// How many copies there are.
    pub count: u8,
    /// Whom it concerns.
    pub condition: Condition,
    /// What it does to whom it concerns.
    pub effect: HermitEffect,
    /// How much damage is given or healed.
    pub amount: u8,
}

/// Whom a Hermit card concerns: whoever fits one of these.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Condition {
    /// Members of these factions.
    pub factions: Vec<Faction>,
    /// Who has at most so many printed hit points.
    pub hp_max: Option<u8>,
    /// Who has at least so many printed hit points.
    pub hp_min: Option<u8>,
    /// Everybody.
    pub always: bool,
}

/// What a Hermit card does to whom it concerns (9.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HermitEffect {
    /// Damage.
    Damage,
    /// Heals, or gives damage to who has none.
    HealOrDamage,
    /// Gives equipment to the giver, or takes damage.
    GiveEquipmentOrDamage,
    /// Shows the character card to the giver.
    ShowIdentity,
}

/// What is printed on an area card.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct AreaFacts {
    /// Which area it is.
    pub id: Area,
    /// The printed name.
    pub name: String,
    /// The totals of both dice that lead there.
    pub numbers: Vec<u8>,
    /// Weird Woods: the damage given.
    #[serde(default)]
    pub damage: u8,
    /// Weird Woods: the damage healed.
    #[serde(default)]
    pub heal: u8,
}

/// How many characters of each faction a table has (section 4).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct Allocation {
    /// Hunters.
    pub hunter: u8,
    /// Shadows.
    pub shadow: u8,
    /// Neutrals.
    pub neutral: u8,
}

impl Allocation {
    /// The allocation for this many seats, 4 to 8.
    pub fn of(seats: u8) -> Self {
        let row = usize::from(seats.clamp(4, 8) - 4);
        TABLES.allocations[row]
    }

    /// How many of this faction there are.
    pub const fn count(self, faction: Faction) -> u8 {
        match faction {
            Faction::Hunter => self.hunter,
            Faction::Shadow => self.shadow,
            Faction::Neutral => self.neutral,
        }
    }
}

/// All printed facts; each list in the order of its enum.
#[derive(Debug)]
pub struct Tables {
    /// By [`Character`].
    pub characters: Vec<CharacterFacts>,
    /// By [`Card::index`].
    pub cards: Vec<CardFacts>,
    /// The White deck as its file lists it, copies side by side.
    pub white_deck: Vec<Card>,
    /// The Black deck as its file lists it, copies side by side.
    pub black_deck: Vec<Card>,
    /// By [`HermitCard`].
    pub hermit: Vec<HermitFacts>,
    /// The Hermit deck as its file lists it, copies side by side.
    pub hermit_deck: Vec<HermitCard>,
    /// By [`Area`].
    pub areas: Vec<AreaFacts>,
    /// For 4, 5, 6, 7 and 8 seats.
    pub allocations: [Allocation; 5],
}

/// The tables, read at first use.
pub static TABLES: LazyLock<Tables> = LazyLock::new(Tables::read);

#[derive(Deserialize)]
struct CharacterFile {
    character: Vec<CharacterFacts>,
}

#[derive(Deserialize)]
struct CardFile {
    card: Vec<CardFacts>,
}

#[derive(Deserialize)]
struct HermitFile {
    card: Vec<HermitFacts>,
}

#[derive(Deserialize)]
struct AreaFile {
    area: Vec<AreaFacts>,
    allocation: Allocations,
}

#[derive(Deserialize)]
struct Allocations {
    #[serde(rename = "4")]
    four: Allocation,
    #[serde(rename = "5")]
    five: Allocation,
    #[serde(rename = "6")]
    six: Allocation,
    #[serde(rename = "7")]
    seven: Allocation,
    #[serde(rename = "8")]
    eight: Allocation,
}

impl Tables {
    fn read() -> Self {
        let CharacterFile {
            character: mut characters,
        } = parse(include_str!("characters.toml"));
        characters.sort_by_key(|facts| facts.id);
        let white: CardFile = parse(include_str!("white_cards.toml"));
        let black: CardFile = parse(include_str!("black_cards.toml"));
        let hermit: HermitFile = parse(include_str!("hermit_cards.toml"));
        let areas: AreaFile = parse(include_str!("areas.toml"));
        let white_deck = copies(white.card.iter().map(|facts| (facts.id, facts.count)));
        let black_deck = copies(black.card.iter().map(|facts| (facts.id, facts.count)));
        let hermit_deck = copies(hermit.card.iter().map(|facts| (facts.id, facts.count)));
        let mut cards: Vec<_> = white.card.into_iter().chain(black.card).collect();
        cards.sort_by_key(|facts| facts.id.index());
        let mut hermit = hermit.card;
        hermit.sort_by_key(|facts| facts.id);
        let AreaFile {
            area: mut areas,
            allocation,
        } = areas;
        areas.sort_by_key(|facts| facts.id);
        let Allocations {
            four,
            five,
            six,
            seven,
            eight,
        } = allocation;
        let tables = Self {
            characters,
            cards,
            white_deck,
            black_deck,
            hermit,
            hermit_deck,
            areas,
            allocations: [four, five, six, seven, eight],
        };
        tables.check();
        tables
    }

    /// Every list has exactly one entry for each variant of its enum.
    fn check(&self) {
        debug_assert!(self.characters.iter().map(|row| row.id).eq(Character::ALL));
        debug_assert!(
            self.cards.iter().map(|row| row.id).eq(Equipment::ALL
                .map(Card::Equipment)
                .into_iter()
                .chain(SingleUse::ALL.map(Card::SingleUse)))
        );
        debug_assert!(self.hermit.iter().map(|row| row.id).eq(HermitCard::ALL));
        debug_assert!(self.areas.iter().map(|row| row.id).eq(Area::ALL));
    }
}

fn copies<T: Copy>(rows: impl Iterator<Item = (T, u8)>) -> Vec<T> {
    rows.flat_map(|(card, count)| std::iter::repeat_n(card, usize::from(count)))
        .collect()
}

#[expect(
    clippy::expect_used,
    reason = "the files are compiled in, and the tests read them"
)]
fn parse<T: DeserializeOwned>(text: &str) -> T {
    toml::from_str(text).expect("the data files are sound")
}
