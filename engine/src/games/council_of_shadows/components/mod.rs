//! What is in the box (3). Numbers, names and counts come from the data files beside this one; they
//! are read once.

mod automa;
mod bonus;
mod card;
mod dark_tech;
mod galaxy;
mod gems;
mod modules;
mod numbered;
mod numbers;
mod tile;
mod upgrade;

use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::DeserializeOwned;

pub use automa::{AutomaCard, AutomaCardData, AutomaStep, Difficulty, DifficultyData};
pub use bonus::{Back, Bonus, BonusData, BonusKind, Module};
pub use card::{Card, CardData, Step};
pub use dark_tech::{DarkTech, DarkTechData, Timing};
pub use galaxy::{Galaxy, GalaxyData, Space};
pub use gems::{Gem, Gems, Payment};
pub use modules::{
    Civilization, CivilizationData, Field, FieldData, FieldSource, Leader, LeaderData, Station,
    StationData,
};
pub use numbered::{Numbered, Set};
pub use numbers::{Compensation, Consolation, FinalNumbers, Numbers, PlayNumbers, StartNumbers};
pub use tile::{PLANETS_MAX, PlanetType, Tile, TileData, Yield};
pub use upgrade::{Upgrade, UpgradeData, UpgradeKind};

/// The data files, read. Each table is in the order of its file, which is the order of the numbers.
pub static DATA: LazyLock<Data> = LazyLock::new(Data::read);

/// What the data files say.
#[derive(Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Data {
    pub galaxies: Vec<GalaxyData>,
    pub tiles: Vec<TileData>,
    /// The starting cards, then the AI cards.
    pub cards: Vec<CardData>,
    pub upgrades: Vec<UpgradeData>,
    pub dark_tech: Vec<DarkTechData>,
    /// The light cards, then the dark ones.
    pub bonus: Vec<BonusData>,
    pub civilizations: Vec<CivilizationData>,
    pub leaders: Vec<LeaderData>,
    pub stations: Vec<StationData>,
    pub fields: Vec<FieldData>,
    pub automa: Vec<AutomaCardData>,
    pub difficulties: Vec<DifficultyData>,
    pub numbers: Numbers,
}

#[derive(Deserialize)]
struct Board {
    galaxy: Vec<GalaxyData>,
}

#[derive(Deserialize)]
struct Systems {
    system: Vec<TileData>,
}

#[derive(Deserialize)]
struct Cards {
    start: Vec<CardData>,
    ai: Vec<CardData>,
}

#[derive(Deserialize)]
struct Upgrades {
    upgrade: Vec<UpgradeData>,
}

#[derive(Deserialize)]
struct DarkTechs {
    card: Vec<DarkTechData>,
}

#[derive(Deserialize)]
struct Bonuses {
    light: Vec<BonusData>,
    dark: Vec<BonusData>,
}

#[derive(Deserialize)]
struct Modules {
    civilisation: Vec<CivilizationData>,
    leader: Vec<LeaderData>,
    station: Vec<StationData>,
    extra_field: Vec<FieldData>,
}

#[derive(Deserialize)]
struct Automa {
    card: Vec<AutomaCardData>,
    difficulty: Vec<DifficultyData>,
}

impl Data {
    fn read() -> Self {
        let cards: Cards = parse(include_str!("cards.toml"));
        let bonus: Bonuses = parse(include_str!("bonus.toml"));
        let modules: Modules = parse(include_str!("modules.toml"));
        let automa: Automa = parse(include_str!("automa.toml"));
        Self {
            galaxies: parse::<Board>(include_str!("board.toml")).galaxy,
            tiles: parse::<Systems>(include_str!("systems.toml")).system,
            cards: cards.start.into_iter().chain(cards.ai).collect(),
            upgrades: parse::<Upgrades>(include_str!("upgrades.toml")).upgrade,
            dark_tech: parse::<DarkTechs>(include_str!("dark_tech.toml")).card,
            bonus: bonus.light.into_iter().chain(bonus.dark).collect(),
            civilizations: modules.civilisation,
            leaders: modules.leader,
            stations: modules.station,
            fields: modules.extra_field,
            automa: automa.card,
            difficulties: automa.difficulty,
            numbers: parse(include_str!("constants.toml")),
        }
    }
}

/// The numbers of the rules.
#[inline]
pub fn numbers() -> &'static Numbers {
    &DATA.numbers
}

#[expect(
    clippy::expect_used,
    reason = "the files are built in, and a test reads them all"
)]
fn parse<T: DeserializeOwned>(text: &str) -> T {
    toml::from_str(text).expect("a data file of the game is readable")
}
