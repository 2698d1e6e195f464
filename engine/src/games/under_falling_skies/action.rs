//! What the player can do (section 9), and the numbers of it.

use std::fmt;

use super::geometry::{Column, Space};
use super::pieces::{Die, RobotDie, Ship};
use super::tables::{Character, City};
use crate::action::{ActionId, Block};

/// One answer to a decision.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Places a worker die; the ships of its column descend.
    PlaceDie {
        /// Which.
        die: Die,
        /// Where.
        space: Space,
    },
    /// Rolls all worker dice again, before the first placement.
    RerollAll,
    /// Changes an unplaced die by one.
    AdjustDie {
        /// Which.
        die: Die,
        /// Down or up.
        delta: Delta,
    },
    /// Lets the next die move its ships one row less.
    DragNext,
    /// Rolls the dice that are left, after a white one.
    Reroll,
    /// Leaves them as they are.
    KeepDice,
    /// Uses a room.
    ResolveRoom {
        /// The room, by the first of its spaces along the path.
        room: Space,
        /// What else there is to say.
        how: How,
    },
    /// Installs the robot that was built.
    InstallRobot {
        /// Where.
        space: Space,
    },
    /// Moves the excavator to the die ahead of it.
    Excavate,
    /// Takes a robot off the board.
    RemoveRobot {
        /// Which.
        robot: RobotDie,
    },
    /// Turns a die on a tunnel into energy.
    TapTunnel {
        /// The tunnel.
        space: Space,
    },
    /// Repairs one damage.
    Repair {
        /// Who grants it.
        source: RepairSource,
    },
    /// Drives a ship up.
    Repel {
        /// Which.
        ship: Ship,
    },
    /// Evacuates with the die on an AA gun.
    Evacuate {
        /// The AA gun.
        space: Space,
    },
    /// Ends the rooms phase.
    EndRooms,
    /// Lets the row action happen, or not.
    IgnoreAction {
        /// Whether it is ignored.
        ignore: bool,
    },
    /// Lets a ship appear.
    Spawn {
        /// In which column.
        column: Column,
    },
    /// Campaign: takes the city, scenario and character of a set.
    ChooseSet {
        /// Which.
        set: SetNumber,
    },
    /// Campaign: says which characters of earlier chapters fight in the first battle; the others
    /// fight in the second.
    ChooseElites {
        /// Who.
        elites: Elites,
    },
    /// Campaign: says where the final battle is fought.
    ChooseCity {
        /// The city.
        city: City,
    },
    /// Campaign: says who fights in the final battle.
    ChooseTeam {
        /// Who.
        team: FinalTeam,
    },
    /// Campaign: says how difficult the battle is, and sets it up.
    ChooseDifficulty {
        /// How many sky tiles lie on the dangerous side, 0 to 4.
        threat: Threat,
        /// The levels at which the advanced tile is used.
        advanced: Levels,
    },
}

/// By how much a die changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Delta {
    /// -1.
    Down,
    /// +1.
    Up,
}

/// What there is to say when a room is resolved, besides which.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum How {
    /// Nothing.
    Plain,
    /// A research room: how many steps the marker moves.
    Steps(Steps),
    /// A robot room: this robot on the board becomes the new one.
    Reuse(RobotDie),
}

/// A number of research steps, 0 to 18.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Steps(u8);

/// Who grants a repair.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RepairSource {
    /// A character of the team.
    Character(Character),
    /// The scenario.
    Scenario,
}

/// The number of a set, 1 to 4.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SetNumber(u8);

/// A threat, 0 to 4.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Threat(u8);

/// A set of sky levels, 1 to 4.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Levels(u8);

/// A set of characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct CharacterSet(u16);

/// One or two characters: those that fight in the first battle of a chapter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Elites(CharacterSet);

/// Three characters: those that fight in the final battle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FinalTeam(CharacterSet);

impl Steps {
    /// The most steps: the whole track of the final battle.
    pub const MAX: u8 = 18;

    /// So many steps; `None` above [`MAX`](Self::MAX).
    pub const fn new(steps: u8) -> Option<Self> {
        if steps <= Self::MAX {
            Some(Self(steps))
        } else {
            None
        }
    }

    /// How many.
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl SetNumber {
    /// How many sets a chapter has.
    pub const COUNT: u8 = 4;

    /// The set of this number, 1 to 4.
    pub const fn new(number: u8) -> Option<Self> {
        if number >= 1 && number <= Self::COUNT {
            Some(Self(number))
        } else {
            None
        }
    }

    /// Its number.
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl Threat {
    /// The highest.
    pub const MAX: u8 = 4;

    /// This threat; `None` above [`MAX`](Self::MAX).
    pub const fn new(threat: u8) -> Option<Self> {
        if threat <= Self::MAX {
            Some(Self(threat))
        } else {
            None
        }
    }

    /// How many sky tiles lie on the dangerous side.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// All of them, ascending.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=Self::MAX).map(Self)
    }
}

impl Levels {
    /// How many sets of levels there are.
    const SETS: u8 = 16;

    /// The levels whose bits are set, level 1 first; `None` if there are more than four.
    pub const fn from_bits(bits: u8) -> Option<Self> {
        if bits < Self::SETS {
            Some(Self(bits))
        } else {
            None
        }
    }

    /// As bits, level 1 first.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether a level, 1 to 4, is among them.
    pub const fn contains(self, level: u8) -> bool {
        level >= 1 && level <= 4 && self.0 & (1 << (level - 1)) != 0
    }

    /// The levels, ascending.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (1..=4).filter(move |&level| self.contains(level))
    }

    /// All sets of levels, ascending by bits.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::SETS).map(Self)
    }

    /// Whether all of these are in the other set too.
    pub const fn within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }
}

impl CharacterSet {
    /// As bits: character `i` is bit `i`.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// How many there are.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is nobody.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the character is among them.
    pub const fn contains(self, character: Character) -> bool {
        self.0 & (1 << character.index()) != 0
    }

    /// The characters, by number.
    pub fn iter(self) -> impl Iterator<Item = Character> {
        Character::all().filter(move |&character| self.contains(character))
    }
}

impl Elites {
    /// These characters; `None` unless they are one or two.
    pub const fn new(characters: CharacterSet) -> Option<Self> {
        if matches!(characters.len(), 1 | 2) {
            Some(Self(characters))
        } else {
            None
        }
    }

    /// Who they are.
    pub const fn characters(self) -> CharacterSet {
        self.0
    }

    /// All of them, ascending by id.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        ELITES.iter().map(|&characters| Self(characters))
    }
}

impl FinalTeam {
    /// These characters; `None` unless they are three.
    pub const fn new(characters: CharacterSet) -> Option<Self> {
        if characters.len() == 3 {
            Some(Self(characters))
        } else {
            None
        }
    }

    /// Who they are.
    pub const fn characters(self) -> CharacterSet {
        self.0
    }

    /// All of them, ascending by id.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        TEAMS.iter().map(|&characters| Self(characters))
    }
}

impl FromIterator<Character> for CharacterSet {
    fn from_iter<I: IntoIterator<Item = Character>>(characters: I) -> Self {
        Self(
            characters
                .into_iter()
                .fold(0, |set, character| set | 1 << character.index()),
        )
    }
}

const SPACES: u32 = Space::COUNT as u32;
/// Plain, 0 to 18 steps, two robots.
const HOWS: u32 = 1 + (Steps::MAX as u32 + 1) + RobotDie::COUNT as u32;
const LEVEL_SETS: u32 = Levels::SETS as u32;

/// The sets of `MIN` to `MAX` of the 12 characters, ascending by bits.
const fn character_sets<const N: usize>(min: u32, max: u32) -> [CharacterSet; N] {
    let mut sets = [CharacterSet(0); N];
    let mut found = 0;
    let mut bits = 0u16;
    while bits < 1 << Character::COUNT {
        if bits.count_ones() >= min && bits.count_ones() <= max {
            sets[found] = CharacterSet(bits);
            found += 1;
        }
        bits += 1;
    }
    assert!(found == N);
    sets
}

/// One or two characters.
static ELITES: [CharacterSet; 78] = character_sets(1, 2);
/// Three characters.
static TEAMS: [CharacterSet; 220] = character_sets(3, 3);

// New blocks are appended; numbers never change.
const PLACE_DIE: Block = Block::first(Die::COUNT as u32 * SPACES);
const REROLL_ALL: Block = PLACE_DIE.then(1);
const ADJUST_DIE: Block = REROLL_ALL.then(Die::COUNT as u32 * 2);
const DRAG_NEXT: Block = ADJUST_DIE.then(1);
const REROLL: Block = DRAG_NEXT.then(1);
const KEEP_DICE: Block = REROLL.then(1);
const RESOLVE_ROOM: Block = KEEP_DICE.then(SPACES * HOWS);
const INSTALL_ROBOT: Block = RESOLVE_ROOM.then(SPACES);
const EXCAVATE: Block = INSTALL_ROBOT.then(1);
const REMOVE_ROBOT: Block = EXCAVATE.then(RobotDie::COUNT as u32);
const TAP_TUNNEL: Block = REMOVE_ROBOT.then(SPACES);
const REPAIR: Block = TAP_TUNNEL.then(Character::COUNT as u32 + 1);
const REPEL: Block = REPAIR.then(Ship::COUNT as u32);
const EVACUATE: Block = REPEL.then(SPACES);
const END_ROOMS: Block = EVACUATE.then(1);
const IGNORE_ACTION: Block = END_ROOMS.then(2);
const SPAWN: Block = IGNORE_ACTION.then(Column::COUNT as u32);
const CHOOSE_SET: Block = SPAWN.then(SetNumber::COUNT as u32);
const CHOOSE_ELITES: Block = CHOOSE_SET.then(ELITES.len() as u32);
const CHOOSE_CITY: Block = CHOOSE_ELITES.then(City::COUNT as u32);
const CHOOSE_TEAM: Block = CHOOSE_CITY.then(TEAMS.len() as u32);
const CHOOSE_DIFFICULTY: Block = CHOOSE_TEAM.then((Threat::MAX as u32 + 1) * LEVEL_SETS);

/// How many action ids there are.
pub(super) const ACTION_SPACE: u32 = CHOOSE_DIFFICULTY.end();

/// The action's number.
pub(super) fn encode(action: Action) -> ActionId {
    match action {
        Action::PlaceDie { die, space } => {
            PLACE_DIE.id(u32::from(die.index()) * SPACES + at(space))
        }
        Action::RerollAll => REROLL_ALL.id(0),
        Action::AdjustDie { die, delta } => {
            ADJUST_DIE.id(u32::from(die.index()) * 2 + delta as u32)
        }
        Action::DragNext => DRAG_NEXT.id(0),
        Action::Reroll => REROLL.id(0),
        Action::KeepDice => KEEP_DICE.id(0),
        Action::ResolveRoom { room, how } => RESOLVE_ROOM.id(at(room) * HOWS + how_index(how)),
        Action::InstallRobot { space } => INSTALL_ROBOT.id(at(space)),
        Action::Excavate => EXCAVATE.id(0),
        Action::RemoveRobot { robot } => REMOVE_ROBOT.id(robot.index().into()),
        Action::TapTunnel { space } => TAP_TUNNEL.id(at(space)),
        Action::Repair {
            source: RepairSource::Character(character),
        } => REPAIR.id(character.index().into()),
        Action::Repair {
            source: RepairSource::Scenario,
        } => REPAIR.id(Character::COUNT.into()),
        Action::Repel { ship } => REPEL.id(ship.index().into()),
        Action::Evacuate { space } => EVACUATE.id(at(space)),
        Action::EndRooms => END_ROOMS.id(0),
        Action::IgnoreAction { ignore } => IGNORE_ACTION.id(ignore.into()),
        Action::Spawn { column } => SPAWN.id(column.index().into()),
        Action::ChooseSet { set } => CHOOSE_SET.id(u32::from(set.0) - 1),
        Action::ChooseElites { elites } => CHOOSE_ELITES.id(rank(&ELITES, elites.0)),
        Action::ChooseCity { city } => CHOOSE_CITY.id(city.index().into()),
        Action::ChooseTeam { team } => CHOOSE_TEAM.id(rank(&TEAMS, team.0)),
        Action::ChooseDifficulty { threat, advanced } => {
            CHOOSE_DIFFICULTY.id(u32::from(threat.0) * LEVEL_SETS + u32::from(advanced.0))
        }
    }
}

/// The action of this number; `None` from [`ACTION_SPACE`] on.
pub(super) fn decode(id: ActionId) -> Option<Action> {
    let small = |block: Block| {
        block
            .offset(id)
            .and_then(|offset| u8::try_from(offset).ok())
    };
    if let Some(offset) = PLACE_DIE.offset(id) {
        return Some(Action::PlaceDie {
            die: Die::from_index((offset / SPACES) as u8)?,
            space: space(offset % SPACES)?,
        });
    }
    if let Some(offset) = small(ADJUST_DIE) {
        let delta = if offset.is_multiple_of(2) {
            Delta::Down
        } else {
            Delta::Up
        };
        return Some(Action::AdjustDie {
            die: Die::from_index(offset / 2)?,
            delta,
        });
    }
    if let Some(offset) = RESOLVE_ROOM.offset(id) {
        return Some(Action::ResolveRoom {
            room: space(offset / HOWS)?,
            how: how(offset % HOWS)?,
        });
    }
    if let Some(offset) = INSTALL_ROBOT.offset(id) {
        return Some(Action::InstallRobot {
            space: space(offset)?,
        });
    }
    if let Some(offset) = small(REMOVE_ROBOT) {
        return Some(Action::RemoveRobot {
            robot: RobotDie::from_index(offset)?,
        });
    }
    if let Some(offset) = TAP_TUNNEL.offset(id) {
        return Some(Action::TapTunnel {
            space: space(offset)?,
        });
    }
    if let Some(offset) = small(REPAIR) {
        let source =
            Character::from_index(offset).map_or(RepairSource::Scenario, RepairSource::Character);
        return Some(Action::Repair { source });
    }
    if let Some(offset) = small(REPEL) {
        return Some(Action::Repel {
            ship: Ship::from_index(offset)?,
        });
    }
    if let Some(offset) = EVACUATE.offset(id) {
        return Some(Action::Evacuate {
            space: space(offset)?,
        });
    }
    if let Some(offset) = small(IGNORE_ACTION) {
        return Some(Action::IgnoreAction {
            ignore: offset == 1,
        });
    }
    if let Some(offset) = small(SPAWN) {
        return Some(Action::Spawn {
            column: Column::from_index(offset)?,
        });
    }
    if let Some(offset) = small(CHOOSE_SET) {
        return Some(Action::ChooseSet {
            set: SetNumber::new(offset + 1)?,
        });
    }
    if let Some(offset) = CHOOSE_ELITES.offset(id) {
        return Some(Action::ChooseElites {
            elites: Elites::new(*ELITES.get(offset as usize)?)?,
        });
    }
    if let Some(offset) = small(CHOOSE_CITY) {
        return Some(Action::ChooseCity {
            city: City::from_index(offset)?,
        });
    }
    if let Some(offset) = CHOOSE_TEAM.offset(id) {
        return Some(Action::ChooseTeam {
            team: FinalTeam::new(*TEAMS.get(offset as usize)?)?,
        });
    }
    if let Some(offset) = CHOOSE_DIFFICULTY.offset(id) {
        let threat = Threat::new((offset / LEVEL_SETS) as u8)?;
        let advanced = Levels::from_bits((offset % LEVEL_SETS) as u8)?;
        return Some(Action::ChooseDifficulty { threat, advanced });
    }
    let lone = [
        (REROLL_ALL, Action::RerollAll),
        (DRAG_NEXT, Action::DragNext),
        (REROLL, Action::Reroll),
        (KEEP_DICE, Action::KeepDice),
        (EXCAVATE, Action::Excavate),
        (END_ROOMS, Action::EndRooms),
    ];
    lone.iter()
        .find(|(block, _)| block.offset(id).is_some())
        .map(|&(_, action)| action)
}

fn at(space: Space) -> u32 {
    space.index().into()
}

fn space(offset: u32) -> Option<Space> {
    Space::from_index(u8::try_from(offset).ok()?)
}

fn how_index(how: How) -> u32 {
    match how {
        How::Plain => 0,
        How::Steps(steps) => 1 + u32::from(steps.0),
        How::Reuse(robot) => HOWS - u32::from(RobotDie::COUNT) + u32::from(robot.index()),
    }
}

fn how(index: u32) -> Option<How> {
    let index = u8::try_from(index).ok()?;
    let Some(index) = index.checked_sub(1) else {
        return Some(How::Plain);
    };
    match Steps::new(index) {
        Some(steps) => Some(How::Steps(steps)),
        None => Some(How::Reuse(RobotDie::from_index(index - Steps::MAX - 1)?)),
    }
}

/// The place of a set in the list of all sets of its size.
fn rank(sets: &[CharacterSet], characters: CharacterSet) -> u32 {
    sets.binary_search(&characters).unwrap_or(0) as u32
}

/// As the rules page writes it: `place_die g1 p12`, `resolve_room p6 steps 2`, `choose_difficulty 2
/// [1, 3]`.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::PlaceDie { die, space } => write!(f, "place_die {die} {space}"),
            Self::RerollAll => f.write_str("reroll_all"),
            Self::AdjustDie {
                die,
                delta: Delta::Up,
            } => write!(f, "adjust_die {die} +1"),
            Self::AdjustDie {
                die,
                delta: Delta::Down,
            } => write!(f, "adjust_die {die} -1"),
            Self::DragNext => f.write_str("drag_next"),
            Self::Reroll => f.write_str("reroll"),
            Self::KeepDice => f.write_str("keep_dice"),
            Self::ResolveRoom {
                room,
                how: How::Plain,
            } => write!(f, "resolve_room {room}"),
            Self::ResolveRoom {
                room,
                how: How::Steps(steps),
            } => {
                write!(f, "resolve_room {room} steps {}", steps.0)
            }
            Self::ResolveRoom {
                room,
                how: How::Reuse(robot),
            } => {
                write!(f, "resolve_room {room} reuse {robot}")
            }
            Self::InstallRobot { space } => write!(f, "install_robot {space}"),
            Self::Excavate => f.write_str("excavate"),
            Self::RemoveRobot { robot } => write!(f, "remove_robot {robot}"),
            Self::TapTunnel { space } => write!(f, "tap_tunnel {space}"),
            Self::Repair {
                source: RepairSource::Character(character),
            } => {
                write!(f, "repair {}", character.sheet().id)
            }
            Self::Repair {
                source: RepairSource::Scenario,
            } => f.write_str("repair scenario"),
            Self::Repel { ship } => write!(f, "repel {ship}"),
            Self::Evacuate { space } => write!(f, "evacuate {space}"),
            Self::EndRooms => f.write_str("end_rooms"),
            Self::IgnoreAction { ignore } => write!(f, "ignore_action {ignore}"),
            Self::Spawn { column } => write!(f, "spawn {}", column.index()),
            Self::ChooseSet { set } => write!(f, "choose_set {}", set.0),
            Self::ChooseElites { elites } => write!(f, "choose_elites {}", elites.0),
            Self::ChooseCity { city } => write!(f, "choose_city {}", city.tile().id),
            Self::ChooseTeam { team } => write!(f, "choose_team {}", team.0),
            Self::ChooseDifficulty { threat, advanced } => {
                write!(
                    f,
                    "choose_difficulty {} {:?}",
                    threat.0,
                    advanced.iter().collect::<Vec<_>>()
                )
            }
        }
    }
}

/// The ids of the characters, separated by commas.
impl fmt::Display for CharacterSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, character) in self.iter().enumerate() {
            let comma = if nth == 0 { "" } else { ", " };
            write!(f, "{comma}{}", character.sheet().id)?;
        }
        Ok(())
    }
}
