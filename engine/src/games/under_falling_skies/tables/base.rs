//! The base: a top face over a bottom face (3.4, `base_tiles.toml`).

use serde::Deserialize;

use super::{TableError, parse, wrong};
use crate::games::under_falling_skies::geometry::{Column, Space, Spaces};

const FILE: &str = "base_tiles.toml";

/// What a room does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoomKind {
    /// Slows the ships of its column down; is never resolved.
    Aa,
    /// Gives energy.
    Energy,
    /// Shoots ships down.
    Fighter,
    /// Moves the research marker.
    Research,
    /// Builds a robot.
    Robot,
}

impl RoomKind {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Aa,
        Self::Energy,
        Self::Fighter,
        Self::Research,
        Self::Robot,
    ];
}

/// Which half of the base a face is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Half {
    /// Rows 0 to 2.
    Top,
    /// Rows 3 to 5.
    Bottom,
}

/// A face of a base tile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Face {
    /// Its id, such as `a_top`.
    pub id: String,
    /// Which half of the base it is.
    pub half: Half,
    /// Where the excavator starts; top faces only.
    pub excavator_start: Option<Space>,
    /// Spaces of the energy track.
    pub energy_spaces: u8,
    /// Energy at the start; bottom faces only.
    pub energy_start: Option<u8>,
    /// Spaces of the damage track.
    pub damage_spaces: u8,
    /// The rooms, AA guns included.
    pub rooms: Vec<Room>,
}

/// A room of the base.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Room {
    /// Its id, such as `a_t_fighter_1`.
    pub id: String,
    /// What it does; two kinds are both done, in this order, with one value.
    pub kinds: Vec<RoomKind>,
    /// Its spaces. All of them have to hold an active die.
    pub spaces: Spaces,
    /// The first of its spaces along the path: it stands for the room in an action.
    pub anchor: Space,
    /// In energy.
    pub cost: u8,
    /// Added once to the dice.
    pub modifier: i8,
}

impl Room {
    /// Whether it is of this kind, perhaps among others.
    pub fn is(&self, kind: RoomKind) -> bool {
        self.kinds.contains(&kind)
    }

    /// Whether it takes more than one die (3.3, 7.1).
    pub const fn is_merged(&self) -> bool {
        self.spaces.len() > 1
    }
}

/// A base: the two faces of a city put together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Base {
    /// The rooms of both faces, AA guns included, the top face first.
    pub rooms: Vec<Room>,
    /// The spaces without a room.
    pub tunnels: Spaces,
    /// Where the excavator starts.
    pub excavator_start: Space,
    /// The most energy: the spaces of the track less one, for its lowest space is 0.
    pub energy_max: u8,
    /// Energy at the start.
    pub energy_start: u8,
    /// The hit that loses the game: the spaces of the track less one.
    pub damage_limit: u8,
    /// For each space the room that it belongs to, as its place in `rooms`.
    room_of: [Option<u8>; Space::COUNT as usize],
}

impl Base {
    /// The room that this space belongs to; `None` for a tunnel.
    pub fn room_at(&self, space: Space) -> Option<&Room> {
        let index = self.room_of[usize::from(space.index())]?;
        self.rooms.get(usize::from(index))
    }

    /// Puts the top face over the bottom face.
    pub(super) fn of(top: &Face, bottom: &Face) -> Result<Self, TableError> {
        let lacking = |what: &str| wrong(FILE, format!("{} over {}: {what}", top.id, bottom.id));
        if (top.half, bottom.half) != (Half::Top, Half::Bottom) {
            return Err(lacking("not a top over a bottom"));
        }
        let rooms: Vec<Room> = top.rooms.iter().chain(&bottom.rooms).cloned().collect();
        let mut room_of = [None; Space::COUNT as usize];
        let mut taken = Spaces::NONE;
        for (index, room) in (0..).zip(&rooms) {
            for space in room.spaces.iter() {
                if taken.contains(space) {
                    return Err(lacking(&format!("{space} belongs to two rooms")));
                }
                taken = taken.with(space);
                room_of[usize::from(space.index())] = Some(index);
            }
        }
        Ok(Self {
            rooms,
            tunnels: Space::all()
                .filter(|&space| !taken.contains(space))
                .collect(),
            excavator_start: top.excavator_start.ok_or(lacking("no excavator_start"))?,
            energy_max: (top.energy_spaces + bottom.energy_spaces).saturating_sub(1),
            energy_start: bottom.energy_start.ok_or(lacking("no energy_start"))?,
            damage_limit: (top.damage_spaces + bottom.damage_spaces).saturating_sub(1),
            room_of,
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    face: Vec<FaceRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FaceRow {
    id: String,
    #[serde(rename = "tile")]
    _tile: String,
    half: Half,
    excavator_start: Option<u8>,
    energy_spaces: u8,
    energy_start: Option<u8>,
    damage_spaces: u8,
    rooms: Vec<RoomRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RoomRow {
    id: String,
    kinds: Vec<RoomKind>,
    cells: Vec<(u8, u8)>,
    cost: u8,
    #[serde(rename = "mod")]
    modifier: i8,
}

pub(super) fn read() -> Result<Vec<Face>, TableError> {
    let file: File = parse(FILE, include_str!("base_tiles.toml"))?;
    file.face.into_iter().map(face).collect()
}

fn face(row: FaceRow) -> Result<Face, TableError> {
    let no_space = || wrong(FILE, format!("{}: no such space", row.id));
    Ok(Face {
        excavator_start: match row.excavator_start {
            Some(index) => Some(Space::from_index(index).ok_or_else(no_space)?),
            None => None,
        },
        half: row.half,
        energy_spaces: row.energy_spaces,
        energy_start: row.energy_start,
        damage_spaces: row.damage_spaces,
        rooms: row.rooms.into_iter().map(room).collect::<Result<_, _>>()?,
        id: row.id,
    })
}

fn room(row: RoomRow) -> Result<Room, TableError> {
    let at = |&(row, column): &(u8, u8)| Space::at(row, Column::from_index(column)?);
    let spaces: Option<Spaces> = row
        .cells
        .iter()
        .map(at)
        .collect::<Option<Vec<_>>>()
        .map(Spaces::from_iter);
    let spaces = spaces.ok_or_else(|| wrong(FILE, format!("{}: no such space", row.id)))?;
    let anchor = spaces
        .iter()
        .next()
        .ok_or_else(|| wrong(FILE, format!("{}: no space", row.id)))?;
    // An action says one thing about the room: how many steps, or which robot is reused.
    if row.kinds.is_empty()
        || (row.kinds.contains(&RoomKind::Research) && row.kinds.contains(&RoomKind::Robot))
    {
        return Err(wrong(
            FILE,
            format!("{}: no kind, or research and robot in one room", row.id),
        ));
    }
    Ok(Room {
        id: row.id,
        kinds: row.kinds,
        spaces,
        anchor,
        cost: row.cost,
        modifier: row.modifier,
    })
}
