//! Characters, scenarios and chapters (section 12, `campaign.toml`).

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use super::{Effect, TableError, parse, tables, wrong};

const FILE: &str = "campaign.toml";

/// A character, by its place in `campaign.toml`. Serde writes its id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Character(u8);

/// A scenario, by its place in `campaign.toml`. Serde writes its id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Scenario(u8);

impl Character {
    /// How many there are.
    pub const COUNT: u8 = 12;

    /// The character of this number; `None` from [`COUNT`](Self::COUNT) on.
    pub const fn from_index(index: u8) -> Option<Self> {
        if index < Self::COUNT {
            Some(Self(index))
        } else {
            None
        }
    }

    /// Its number.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The character with this id, such as `wang_lin`.
    pub fn named(id: &str) -> Option<Self> {
        Self::all().find(|character| character.sheet().id == id)
    }

    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self)
    }

    /// What its sheet says.
    pub fn sheet(self) -> &'static CharacterSheet {
        &tables().characters[usize::from(self.0)]
    }
}

impl Scenario {
    /// How many there are.
    pub const COUNT: u8 = 13;

    /// The scenario of this number; `None` from [`COUNT`](Self::COUNT) on.
    pub const fn from_index(index: u8) -> Option<Self> {
        if index < Self::COUNT {
            Some(Self(index))
        } else {
            None
        }
    }

    /// Its number.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The scenario with this id, such as `storm`.
    pub fn named(id: &str) -> Option<Self> {
        Self::all().find(|scenario| scenario.sheet().id == id)
    }

    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self)
    }

    /// What its sheet says.
    pub fn sheet(self) -> &'static ScenarioSheet {
        &tables().scenarios[usize::from(self.0)]
    }
}

impl Serialize for Character {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.sheet().id)
    }
}

impl<'de> Deserialize<'de> for Character {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = String::deserialize(deserializer)?;
        Self::named(&id).ok_or_else(|| D::Error::custom(format!("no character has the id {id}")))
    }
}

impl Serialize for Scenario {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.sheet().id)
    }
}

impl<'de> Deserialize<'de> for Scenario {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = String::deserialize(deserializer)?;
        Self::named(&id).ok_or_else(|| D::Error::custom(format!("no scenario has the id {id}")))
    }
}

/// What a character sheet says.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CharacterSheet {
    /// Its id.
    pub id: String,
    /// The name.
    pub name: String,
    /// The chapter in which the character can be recruited.
    pub chapter: u8,
    /// The ability.
    pub basic: Vec<Effect>,
    /// The ability of an elite.
    pub upgraded: Vec<Effect>,
}

impl CharacterSheet {
    /// The ability, basic or upgraded.
    pub fn effects(&self, upgraded: bool) -> &[Effect] {
        if upgraded {
            &self.upgraded
        } else {
            &self.basic
        }
    }
}

/// What a scenario sheet says.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScenarioSheet {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The chapter that it belongs to.
    pub chapter: u8,
    /// What it changes.
    pub rule: Rule,
}

/// What a scenario changes (12.3).
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "effect", rename_all = "snake_case", deny_unknown_fields)]
pub enum Rule {
    /// Battle for the Sky: the last research step needs ships shot down.
    GateShots {
        /// How many.
        n: u8,
    },
    /// Evacuation: the last research step needs evacuations.
    GateEvacuation {
        /// How many.
        n: u8,
        /// The lowest die that evacuates.
        min_die: u8,
        /// In energy, each.
        cost: u8,
    },
    /// Reinforcements: white ships start in the pool.
    StartWhite {
        /// How many.
        n: u8,
    },
    /// Satellites: ships of a column can't be shot down.
    JammedColumn,
    /// Dangerous Research: research that advances costs energy, or damages the base.
    ResearchDrain {
        /// How much energy.
        n: u8,
    },
    /// Command Ship: the orange ship is in play.
    OrangeShip {
        /// How much longer a descent is in its column.
        descent: u8,
        /// How much more it takes to shoot it down.
        armor: u8,
        /// What it does to the city.
        damage: u8,
    },
    /// Reactor Leak: energy is lost each round.
    EnergyLeak {
        /// How much.
        n: u8,
    },
    /// Repairing the Base: damage at the start, to be repaired.
    StartDamage {
        /// How much.
        n: u8,
        /// In energy, once per round.
        repair_cost: u8,
    },
    /// Contamination: excavating costs more.
    ExcavateSurcharge {
        /// How much.
        n: u8,
    },
    /// Kamikaze Ships: white ships hit harder, and once.
    WhiteKamikaze {
        /// How hard.
        damage: u8,
    },
    /// Saboteur: the highest grey die of a roll loses 1.
    SabotagedDie,
    /// Storm: wind moves the ships.
    Wind {
        /// The highest face that blows to the left.
        left_max: u8,
        /// The lowest face that blows to the right.
        right_min: u8,
    },
    /// The Final Battle: two more rows of sky, and white ships.
    FinalStrip {
        /// The id of the strip in `sky_tiles.toml`.
        tile: String,
        /// How many white ships start in the pool.
        start_white: u8,
    },
}

/// A chapter of the campaign (12.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chapter {
    /// Which, 1 to 4.
    pub number: u8,
    /// How many cities are dealt.
    pub cities_dealt: u8,
    /// How many battles it has.
    pub battles: u8,
    /// How many characters each of them recruits.
    pub new_characters_per_battle: u8,
    /// How many characters of earlier chapters fight in each of them.
    pub elites_per_battle: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    character: Vec<CharacterSheet>,
    scenario: Vec<ScenarioSheet>,
    chapter: Vec<Chapter>,
}

fn read() -> Result<File, TableError> {
    parse(FILE, include_str!("campaign.toml"))
}

pub(super) fn read_characters() -> Result<Vec<CharacterSheet>, TableError> {
    let characters = read()?.character;
    if characters.len() == usize::from(Character::COUNT) {
        Ok(characters)
    } else {
        Err(wrong(FILE, format!("not {} characters", Character::COUNT)))
    }
}

pub(super) fn read_scenarios() -> Result<Vec<ScenarioSheet>, TableError> {
    let scenarios = read()?.scenario;
    if scenarios.len() == usize::from(Scenario::COUNT) {
        Ok(scenarios)
    } else {
        Err(wrong(FILE, format!("not {} scenarios", Scenario::COUNT)))
    }
}

pub(super) fn read_chapters() -> Result<Vec<Chapter>, TableError> {
    let chapters = read()?.chapter;
    if chapters.iter().map(|chapter| chapter.number).eq(1..=4) {
        Ok(chapters)
    } else {
        Err(wrong(FILE, "not the chapters 1 to 4"))
    }
}
