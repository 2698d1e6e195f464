//! The printed matter: constants, base tiles, sky tiles, cities, characters, scenarios and
//! chapters, read once from the TOML files beside this one. A value can be corrected there without
//! touching code.

mod base;
mod campaign;
mod cities;
mod effect;
mod sky;

use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

pub use base::{Base, Half, Room, RoomKind};
pub use campaign::{Chapter, Character, CharacterSheet, Rule, Scenario, ScenarioSheet};
pub use cities::{City, CitySide, CityTile};
pub use effect::{Effect, Scope, ShotMode, SpawnShips};
pub use sky::{Cell, GateColor, RowAction, SkySet, SkySide, TileSide};

/// All of it.
#[derive(Debug)]
pub struct Tables {
    /// Numbers that hold everywhere.
    pub constants: Constants,
    /// The faces of the base tiles.
    pub faces: Vec<base::Face>,
    /// The city tiles, in the order of their numbers.
    pub cities: Vec<CityTile>,
    /// The sky tiles.
    pub sky: sky::SkyTiles,
    /// The characters, in the order of their numbers.
    pub characters: Vec<CharacterSheet>,
    /// The scenarios, in the order of their numbers.
    pub scenarios: Vec<ScenarioSheet>,
    /// The chapters of the campaign, 1 to 4.
    pub chapters: Vec<Chapter>,
}

/// Numbers that hold everywhere (`constants.toml`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constants {
    /// Columns of sky and base.
    pub columns: u8,
    /// Rows of the sky, without the strip of the final battle.
    pub sky_rows: u8,
    /// Rows of the base.
    pub base_rows: u8,
    /// The row of the mothership's drop points at the start.
    pub mothership_start_row: u8,
    /// Red ships.
    pub red_ships: u8,
    /// White ships.
    pub white_ships: u8,
    /// Orange ships.
    pub orange_ships: u8,
    /// Grey worker dice.
    pub grey_dice: u8,
    /// White worker dice.
    pub white_dice: u8,
    /// Robot dice.
    pub blue_dice: u8,
    /// Faces of a die.
    pub die_faces: u8,
    /// The most robots on the board.
    pub robot_limit: u8,
    /// The highest value of a robot.
    pub robot_max_value: u8,
    /// What moving the excavator costs in energy.
    pub excavate_cost: u8,
    /// By how many rows an AA gun shortens a descent.
    pub aa_slowdown: u8,
    /// The lowest threat.
    pub threat_min: u8,
    /// The highest threat.
    pub threat_max: u8,
    /// The threat of the standard game.
    pub threat_default: u8,
}

/// What is wrong with a table.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{file}: {problem}")]
pub struct TableError {
    /// The file at fault.
    pub file: &'static str,
    /// What is wrong there.
    pub problem: String,
}

/// The tables, read at the first use.
pub fn tables() -> &'static Tables {
    static TABLES: LazyLock<Tables> = LazyLock::new(|| {
        #[expect(
            clippy::expect_used,
            reason = "the files are compiled in, and a test reads them"
        )]
        Tables::read().expect("the tables of Under Falling Skies are sound")
    });
    &TABLES
}

impl Tables {
    /// Reads the files.
    ///
    /// # Errors
    ///
    /// [`TableError`] if one of them is not what the rules can work with.
    pub fn read() -> Result<Self, TableError> {
        let faces = base::read()?;
        Ok(Self {
            constants: parse("constants.toml", include_str!("constants.toml"))?,
            cities: cities::read(&faces)?,
            faces,
            sky: sky::read()?,
            characters: campaign::read_characters()?,
            scenarios: campaign::read_scenarios()?,
            chapters: campaign::read_chapters()?,
        })
    }
}

fn parse<T: DeserializeOwned>(file: &'static str, text: &str) -> Result<T, TableError> {
    toml::from_str(text).map_err(|error| wrong(file, error.to_string()))
}

fn wrong(file: &'static str, problem: impl Into<String>) -> TableError {
    TableError {
        file,
        problem: problem.into(),
    }
}
