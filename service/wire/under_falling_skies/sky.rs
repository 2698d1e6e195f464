//! The sky over a city, on the wire.

use tavola_engine::games::under_falling_skies::{
    Column, Direction, RowAction, Sky,
    tables::{Cell, GateColor},
};

use super::names::{sky_set_to_pb, sky_side_to_pb};
use crate::pb::under_falling_skies::v1 as game;

pub(super) fn sky_tiles_to_pb(sky: &Sky) -> Vec<game::SkyTile> {
    sky.tiles
        .iter()
        .map(|&(set, side)| game::SkyTile {
            set: sky_set_to_pb(set),
            side: sky_side_to_pb(side),
        })
        .collect()
}

pub(super) fn sky_row_to_pb(sky: &Sky, row: u8) -> game::SkyRow {
    game::SkyRow {
        cells: Column::all()
            .map(|column| cell_to_pb(sky.cell(row, column)))
            .collect(),
        action: Some(row_action_to_pb(sky.action(row))),
        research_cost: sky.research_cost(row + 1).into(),
    }
}

fn cell_to_pb(cell: Cell) -> game::Cell {
    let kind = match cell {
        Cell::Empty => game::CellKind::Empty,
        Cell::Arrow(Direction::Left) => game::CellKind::ArrowLeft,
        Cell::Arrow(Direction::Right) => game::CellKind::ArrowRight,
        Cell::Mothership => game::CellKind::Mothership,
        Cell::Explosion(_) => game::CellKind::Explosion,
        Cell::RedExplosion(_) => game::CellKind::RedExplosion,
        Cell::Gate(GateColor::Blue) => game::CellKind::BlueGate,
        Cell::Gate(GateColor::Pink) => game::CellKind::PinkGate,
    };
    game::Cell {
        kind: kind.into(),
        number: match cell {
            Cell::Explosion(number) | Cell::RedExplosion(number) => Some(number.into()),
            Cell::Empty | Cell::Arrow(_) | Cell::Mothership | Cell::Gate(_) => None,
        },
    }
}

pub(super) fn row_action_to_pb(action: RowAction) -> game::RowAction {
    use game::RowActionKind as Kind;
    let (kind, amount) = match action {
        RowAction::None => (Kind::None, 0),
        RowAction::White(ships) => (Kind::White, ships),
        RowAction::Excavator(spaces) => (Kind::Excavator, spaces),
        RowAction::Research(spaces) => (Kind::Research, spaces),
        RowAction::Damage(points) => (Kind::Damage, points),
        RowAction::Dive(rows) => (Kind::Dive, rows),
        RowAction::Skull => (Kind::Skull, 0),
    };
    game::RowAction {
        kind: kind.into(),
        amount: amount.into(),
    }
}
