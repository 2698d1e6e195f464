//! The city tiles (8.1, `cities.toml`).

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use super::base::{Base, Face};
use super::{Effect, TableError, parse, tables, wrong};

const FILE: &str = "cities.toml";

/// A city, by its place in `cities.toml`. Serde writes its id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct City(u8);

/// Which side of a city tile is up.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum CitySide {
    /// The first try.
    #[default]
    Intact,
    /// The second: its ability is at least as strong.
    Damaged,
}

impl City {
    /// How many there are.
    pub const COUNT: u8 = 17;
    /// The first one, where the skies fall for beginners.
    pub const ROSWELL: Self = Self(0);

    /// The city of this number; `None` from [`COUNT`](Self::COUNT) on.
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

    /// The city with this id, such as `new_york`.
    pub fn named(id: &str) -> Option<Self> {
        Self::all().find(|city| city.tile().id == id)
    }

    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self)
    }

    /// What its tile says.
    pub fn tile(self) -> &'static CityTile {
        &tables().cities[usize::from(self.0)]
    }
}

impl Serialize for City {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.tile().id)
    }
}

impl<'de> Deserialize<'de> for City {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = String::deserialize(deserializer)?;
        Self::named(&id).ok_or_else(|| D::Error::custom(format!("no city has the id {id}")))
    }
}

/// What a city tile says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CityTile {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The chapter in which it comes into play; 0 from the start.
    pub chapter: u8,
    /// Its base.
    pub base: Base,
    /// Its ability while intact.
    pub intact: Vec<Effect>,
    /// Its ability once damaged.
    pub damaged: Vec<Effect>,
}

impl CityTile {
    /// The ability of a side.
    pub fn effects(&self, side: CitySide) -> &[Effect] {
        match side {
            CitySide::Intact => &self.intact,
            CitySide::Damaged => &self.damaged,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    city: Vec<CityRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CityRow {
    id: String,
    name: String,
    chapter: u8,
    top: String,
    bottom: String,
    intact: Vec<Effect>,
    damaged: Vec<Effect>,
}

pub(super) fn read(faces: &[Face]) -> Result<Vec<CityTile>, TableError> {
    let file: File = parse(FILE, include_str!("cities.toml"))?;
    if file.city.len() != usize::from(City::COUNT) {
        return Err(wrong(FILE, format!("not {} cities", City::COUNT)));
    }
    file.city.into_iter().map(|row| city(row, faces)).collect()
}

fn city(row: CityRow, faces: &[Face]) -> Result<CityTile, TableError> {
    let face = |id: &str| {
        let face = faces.iter().find(|face| face.id == id);
        face.ok_or_else(|| wrong(FILE, format!("{}: no face {id}", row.id)))
    };
    let base = Base::of(face(&row.top)?, face(&row.bottom)?)?;
    // `repair` names the character or scenario that grants it (section 9): a city has no name
    // there.
    let repairs = |effect: &Effect| matches!(effect, Effect::Repair { .. });
    if row.intact.iter().chain(&row.damaged).any(repairs) {
        return Err(wrong(
            FILE,
            format!("{}: a city can't grant a repair", row.id),
        ));
    }
    Ok(CityTile {
        base,
        id: row.id,
        name: row.name,
        chapter: row.chapter,
        intact: row.intact,
        damaged: row.damaged,
    })
}
