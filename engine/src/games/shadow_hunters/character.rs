//! The twenty characters (section 8) and their factions.

use serde::Deserialize;

use super::options::{ExpansionCharacters, Options};
use super::tables::{CharacterFacts, TABLES};

/// Whose side a character is on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Faction {
    /// Wins when all Shadows are dead.
    Hunter,
    /// Wins when all Hunters, or three Neutrals, are dead.
    Shadow,
    /// Each has a win condition of its own.
    Neutral,
}

impl Faction {
    /// In the order in which their characters are drawn (4).
    pub const ALL: [Self; 3] = [Self::Hunter, Self::Shadow, Self::Neutral];
}

/// Which box a character comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CharacterSet {
    /// The base game.
    Base,
    /// The expansion.
    Expansion,
}

/// A character card. In the order of the data file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Character {
    /// Hunter: Teleport.
    Emi,
    /// Hunter: Chain of Forbidden Curse.
    Ellen,
    /// Hunter: Lightning.
    Franklin,
    /// Hunter: Dynamite Nurse.
    FuKa,
    /// Hunter: Demolish.
    George,
    /// Hunter: Ghostly Barrier.
    Gregor,
    /// Shadow: Deceit.
    Unknown,
    /// Shadow: Murder Ray.
    UltraSoul,
    /// Shadow: Suck Blood.
    Vampire,
    /// Shadow: Horn of War Outbreak.
    Valkyrie,
    /// Shadow: Counterattack.
    Werewolf,
    /// Shadow: Multiplication.
    Wight,
    /// Neutral: Mother's Love.
    Allie,
    /// Neutral: Capriccio.
    Agnes,
    /// Neutral: Robbery.
    Bob,
    /// Neutral: My God.
    Bryan,
    /// Neutral: Bloody Feast.
    Charles,
    /// Neutral: Stigmata.
    Catherine,
    /// Neutral: Scream.
    Daniel,
    /// Neutral: Grave Digger.
    David,
}

impl Character {
    /// How many there are.
    pub const COUNT: u8 = 20;

    /// All of them, in order.
    pub const ALL: [Self; Self::COUNT as usize] = [
        Self::Emi,
        Self::Ellen,
        Self::Franklin,
        Self::FuKa,
        Self::George,
        Self::Gregor,
        Self::Unknown,
        Self::UltraSoul,
        Self::Vampire,
        Self::Valkyrie,
        Self::Werewolf,
        Self::Wight,
        Self::Allie,
        Self::Agnes,
        Self::Bob,
        Self::Bryan,
        Self::Charles,
        Self::Catherine,
        Self::Daniel,
        Self::David,
    ];

    /// What is printed on the card.
    pub fn facts(self) -> &'static CharacterFacts {
        &TABLES.characters[self as usize]
    }

    /// The printed hit points: the damage that kills.
    pub fn hp(self) -> u8 {
        self.facts().hp
    }

    /// The side it is on.
    pub fn faction(self) -> Faction {
        self.facts().faction
    }

    /// The printed name.
    pub fn name(self) -> &'static str {
        &self.facts().name
    }
}

/// A set of characters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Characters(u32);

impl Characters {
    /// No character.
    pub const EMPTY: Self = Self(0);

    /// The set of this one.
    pub const fn only(character: Character) -> Self {
        Self(1 << character as u32)
    }

    /// Whether it is in the set.
    pub const fn contains(self, character: Character) -> bool {
        self.0 & Self::only(character).0 != 0
    }

    /// The set and this one.
    #[must_use]
    pub const fn with(self, character: Character) -> Self {
        Self(self.0 | Self::only(character).0)
    }

    /// The set less this one.
    #[must_use]
    pub const fn without(self, character: Character) -> Self {
        Self(self.0 & !Self::only(character).0)
    }

    /// How many are in the set.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether none is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The members in the order of the data file.
    pub fn iter(self) -> impl Iterator<Item = Character> {
        Character::ALL
            .into_iter()
            .filter(move |&character| self.contains(character))
    }

    /// The characters that can be in play with these options (section 2).
    pub fn pool(options: &Options) -> Self {
        Character::ALL
            .into_iter()
            .filter(|character| {
                let facts = character.facts();
                let in_box = match options.expansion_characters {
                    ExpansionCharacters::All | ExpansionCharacters::OnePerInitial => true,
                    ExpansionCharacters::None => facts.set == CharacterSet::Base,
                    ExpansionCharacters::Only => facts.set == CharacterSet::Expansion,
                };
                in_box && (options.special_abilities || !facts.removed_when_abilities_off)
            })
            .collect()
    }
}

impl FromIterator<Character> for Characters {
    fn from_iter<I: IntoIterator<Item = Character>>(characters: I) -> Self {
        characters.into_iter().fold(Self::EMPTY, Self::with)
    }
}
