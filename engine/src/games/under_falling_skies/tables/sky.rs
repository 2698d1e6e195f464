//! The sky tiles (3.2, 3.3, 12.1; `sky_tiles.toml`).

use serde::{Deserialize, Serialize};

use super::{TableError, parse, wrong};
use crate::games::under_falling_skies::geometry::{Column, Direction};

const FILE: &str = "sky_tiles.toml";

/// Which of the two tiles of a level.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum SkySet {
    /// The tile of the base game.
    #[default]
    Base,
    /// The tile of the campaign.
    Advanced,
}

/// Which side of a sky tile is up.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum SkySide {
    /// The one for beginners.
    #[default]
    Easy,
    /// The one that counts for the threat.
    Dangerous,
}

/// What a cell of the sky shows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// The ship moves one column that way.
    Arrow(Direction),
    /// The mothership descends.
    Mothership,
    /// Fighters of this value or more shoot the ship down.
    Explosion(u8),
    /// The same, at 1 energy for each ship (12.1).
    RedExplosion(u8),
    /// The ship comes out at the other gate of this color on the tile (12.1).
    Gate(GateColor),
}

/// The color of a pair of gates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GateColor {
    /// `gb`.
    Blue,
    /// `gp`.
    Pink,
}

/// What the mothership does when it has come to a row (6.5).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RowAction {
    /// Nothing.
    None,
    /// Adds white ships.
    White(u8),
    /// Pushes the excavator back.
    Excavator(u8),
    /// Pushes the research marker back.
    Research(u8),
    /// Damages the base.
    Damage(u8),
    /// Lets all ships of the sky descend (12.1).
    Dive(u8),
    /// Wins.
    Skull,
}

/// The rows of a tile.
const TILE_ROWS: u8 = 4;

/// One side of a sky tile. Rows count from the bottom of the tile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TileSide {
    /// How much it counts for the difficulty (12.1).
    pub stars: u8,
    /// The cells, row by row.
    pub rows: Vec<[Cell; Column::COUNT as usize]>,
    /// What the mothership does in each row.
    pub actions: Vec<RowAction>,
    /// What the research spaces beside the rows cost.
    pub research: Vec<u8>,
}

/// All sky tiles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SkyTiles {
    /// The base set, levels 1 to 4, each with its easy and its dangerous side.
    pub base: [[TileSide; 2]; 4],
    /// The advanced set, likewise.
    pub advanced: [[TileSide; 2]; 4],
    /// For each level the chapter of the campaign from which its advanced tile may be used.
    pub advanced_from: [u8; 4],
    /// The id of the strip of the final battle.
    pub strip_id: String,
    /// The strip of the final battle, two rows.
    pub strip: TileSide,
}

impl SkyTiles {
    /// A side of a tile. Levels count from 0 here.
    pub fn side(&self, level: u8, set: SkySet, side: SkySide) -> &TileSide {
        let tiles = match set {
            SkySet::Base => &self.base,
            SkySet::Advanced => &self.advanced,
        };
        &tiles[usize::from(level.min(3))][side as usize]
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    tile: Vec<TileRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TileRow {
    id: String,
    set: SkySet,
    level: u8,
    unlock_chapter: Option<u8>,
    #[serde(rename = "uncertain", default)]
    _uncertain: Vec<String>,
    easy: SideRow,
    dangerous: Option<SideRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SideRow {
    stars: u8,
    rows: Vec<[String; Column::COUNT as usize]>,
    mothership: Vec<String>,
    research: Vec<u8>,
}

pub(super) fn read() -> Result<SkyTiles, TableError> {
    let file: File = parse(FILE, include_str!("sky_tiles.toml"))?;
    let find = |set, level| {
        let mut tiles = file
            .tile
            .iter()
            .filter(|tile| (tile.set, tile.level) == (set, level));
        let tile = tiles
            .next()
            .ok_or_else(|| wrong(FILE, format!("no tile of level {level}")))?;
        match tiles.next() {
            Some(second) => Err(wrong(
                FILE,
                format!("{} is a second tile of level {level}", second.id),
            )),
            None => Ok(tile),
        }
    };
    let both = |set, level| -> Result<[TileSide; 2], TableError> {
        let tile = find(set, level)?;
        let dangerous = tile.dangerous.as_ref();
        let dangerous = dangerous.ok_or_else(|| wrong(FILE, format!("{}: one side", tile.id)))?;
        Ok([
            side(&tile.id, &tile.easy, TILE_ROWS)?,
            side(&tile.id, dangerous, TILE_ROWS)?,
        ])
    };
    let set = |set| -> Result<[[TileSide; 2]; 4], TableError> {
        Ok([both(set, 1)?, both(set, 2)?, both(set, 3)?, both(set, 4)?])
    };
    let unlocked = |level| {
        let tile = find(SkySet::Advanced, level)?;
        tile.unlock_chapter
            .ok_or_else(|| wrong(FILE, format!("{}: no unlock_chapter", tile.id)))
    };
    let strip = find(SkySet::Advanced, 5)?;
    Ok(SkyTiles {
        base: set(SkySet::Base)?,
        advanced: set(SkySet::Advanced)?,
        advanced_from: [unlocked(1)?, unlocked(2)?, unlocked(3)?, unlocked(4)?],
        strip_id: strip.id.clone(),
        strip: side(&strip.id, &strip.easy, 2)?,
    })
}

/// Turns a side over: the file has the top row first.
fn side(id: &str, row: &SideRow, height: u8) -> Result<TileSide, TableError> {
    let height = usize::from(height);
    if [row.rows.len(), row.mothership.len(), row.research.len()] != [height; 3] {
        return Err(wrong(
            FILE,
            format!("{id}: not {height} rows, actions and research spaces"),
        ));
    }
    let unknown = |code: &str| wrong(FILE, format!("{id}: unknown code {code}"));
    let mut rows = Vec::new();
    for codes in row.rows.iter().rev() {
        let mut cells = [Cell::Empty; Column::COUNT as usize];
        for (cell, code) in cells.iter_mut().zip(codes) {
            *cell = read_cell(code).ok_or_else(|| unknown(code))?;
        }
        rows.push(cells);
    }
    let actions = row.mothership.iter().rev();
    let actions = actions.map(|code| read_action(code).ok_or_else(|| unknown(code)));
    Ok(TileSide {
        stars: row.stars,
        rows,
        actions: actions.collect::<Result<_, _>>()?,
        research: row.research.clone(),
    })
}

fn read_cell(code: &str) -> Option<Cell> {
    let number = |text: &str| text.parse().ok().filter(|number| (1..=7).contains(number));
    Some(match code {
        "." => Cell::Empty,
        "<" => Cell::Arrow(Direction::Left),
        ">" => Cell::Arrow(Direction::Right),
        "M" => Cell::Mothership,
        "gb" => Cell::Gate(GateColor::Blue),
        "gp" => Cell::Gate(GateColor::Pink),
        _ => match code.strip_prefix('R') {
            Some(red) => Cell::RedExplosion(number(red)?),
            None => Cell::Explosion(number(code)?),
        },
    })
}

fn read_action(code: &str) -> Option<RowAction> {
    let Some((kind, number)) = code.split_once(':') else {
        return match code {
            "none" => Some(RowAction::None),
            "skull" => Some(RowAction::Skull),
            _ => None,
        };
    };
    let number = number.parse().ok()?;
    match kind {
        "white" => Some(RowAction::White(number)),
        "excavator" => Some(RowAction::Excavator(number)),
        "research" => Some(RowAction::Research(number)),
        "damage" => Some(RowAction::Damage(number)),
        "dive" => Some(RowAction::Dive(number)),
        _ => None,
    }
}
