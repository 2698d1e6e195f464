//! The sky of a battle: which tiles it is made of, and what they show (3.2, 3.3, 12.1).

use super::geometry::Column;
use super::tables::{Cell, GateColor, RowAction, SkySet, SkySide, TileSide, tables};

/// Rows of a sky tile.
const TILE_ROWS: u8 = 4;
/// Rows of the sky without the strip.
const SKY_ROWS: u8 = 16;

/// The tiles in play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Sky {
    /// For levels 1 to 4, from the bottom, the tile and its side.
    pub tiles: [(SkySet, SkySide); 4],
    /// Whether the strip of the final battle lies above them.
    pub strip: bool,
}

impl Sky {
    /// The row in which the mothership starts: right above the sky.
    pub fn rows(&self) -> u8 {
        let strip = if self.strip {
            tables().sky.strip.rows.len() as u8
        } else {
            0
        };
        tables().constants.mothership_start_row + strip
    }

    /// What a cell shows; nothing above the sky.
    pub fn cell(&self, row: u8, column: Column) -> Cell {
        let (tile, row) = self.tile_at(row);
        tile.rows
            .get(usize::from(row))
            .map_or(Cell::Empty, |cells| cells[usize::from(column.index())])
    }

    /// What the mothership does in a row.
    pub fn action(&self, row: u8) -> RowAction {
        let (tile, row) = self.tile_at(row);
        tile.actions
            .get(usize::from(row))
            .copied()
            .unwrap_or(RowAction::None)
    }

    /// The row in which the mothership wins.
    pub fn skull_row(&self) -> u8 {
        let skull = (0..self.rows())
            .rev()
            .find(|&row| self.action(row) == RowAction::Skull);
        skull.unwrap_or(0)
    }

    /// The last research space, which wins the battle: 16, with the strip 18.
    pub fn victory_space(&self) -> u8 {
        self.rows()
    }

    /// What a step onto this research space costs; spaces count from 1.
    pub fn research_cost(&self, space: u8) -> u8 {
        let (tile, row) = self.tile_at(space.saturating_sub(1));
        tile.research.get(usize::from(row)).copied().unwrap_or(0)
    }

    /// What all steps from the start to this research space cost.
    pub fn research_sum(&self, space: u8) -> u16 {
        (1..=space)
            .map(|space| u16::from(self.research_cost(space)))
            .sum()
    }

    /// How difficult the tiles are: the sum of their stars (12.1).
    pub fn stars(&self) -> u8 {
        (0..4).map(|level| self.tile(level).stars).sum()
    }

    /// How many tiles lie on the dangerous side.
    pub fn threat(&self) -> u8 {
        self.tiles
            .iter()
            .filter(|(_, side)| *side == SkySide::Dangerous)
            .count() as u8
    }

    /// Where a ship on a gate comes out: the other gate of its color on the same tile (12.1).
    pub fn other_gate(&self, row: u8, column: Column, color: GateColor) -> Option<(u8, Column)> {
        let (tile, row_in_tile) = self.tile_at(row);
        let bottom = row - row_in_tile;
        let cells = (0..).zip(&tile.rows).flat_map(|(row, cells)| {
            Column::all()
                .zip(cells)
                .map(move |(column, &cell)| (bottom + row, column, cell))
        });
        cells
            .filter(|&(r, c, cell)| cell == Cell::Gate(color) && (r, c) != (row, column))
            .map(|(row, column, _)| (row, column))
            .next()
    }

    fn tile(&self, level: u8) -> &'static TileSide {
        let (set, side) = self.tiles[usize::from(level.min(3))];
        tables().sky.side(level, set, side)
    }

    /// The tile of a row, and the row's place on it.
    fn tile_at(&self, row: u8) -> (&'static TileSide, u8) {
        if row < SKY_ROWS {
            (self.tile(row / TILE_ROWS), row % TILE_ROWS)
        } else if self.strip {
            (&tables().sky.strip, row - SKY_ROWS)
        } else {
            // Above the sky there is nothing: no tile has such a row.
            (self.tile(3), row)
        }
    }
}
