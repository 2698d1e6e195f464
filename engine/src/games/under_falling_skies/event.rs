//! What happens at the table. All of it is public.

use arrayvec::ArrayVec;

use super::campaign::{BattleResult, SetOffer};
use super::geometry::{Column, Direction, Space};
use super::options::{Member, TEAM_MAX};
use super::pieces::{Die, RobotDie, Ship, ShipPlace};
use super::sky::Sky;
use super::state::{BattleEnd, EndReason};
use super::tables::{Character, City, CitySide, RowAction, Scenario};

/// Something that has happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A battle has been set up.
    BattleSetUp {
        /// The city.
        city: City,
        /// Its side.
        side: CitySide,
        /// The sky tiles.
        sky: Sky,
        /// The characters.
        team: ArrayVec<Member, TEAM_MAX>,
        /// The scenario.
        scenario: Option<Scenario>,
    },
    /// A round has begun and the worker dice were rolled.
    RoundStarted {
        /// Which, from 1.
        round: u8,
        /// The faces of g1, g2, g3, w1, w2.
        faces: [u8; Die::COUNT as usize],
    },
    /// The saboteur has turned a die down.
    DieSabotaged {
        /// Which.
        die: Die,
        /// Its new face.
        face: u8,
    },
    /// The satellites have jammed a column, or none.
    ColumnJammed {
        /// Which.
        column: Option<Column>,
    },
    /// Dice that had not been placed were rolled again.
    DiceRerolled {
        /// The new faces of g1, g2, g3, w1, w2; `None` for a die that was not rolled.
        faces: [Option<u8>; Die::COUNT as usize],
    },
    /// The reroll after a white die was skipped.
    DiceKept,
    /// A die was changed by one.
    DieAdjusted {
        /// Which.
        die: Die,
        /// Its new face.
        face: u8,
    },
    /// The next die will move its ships one row less.
    DragArmed,
    /// A worker die was placed.
    DiePlaced {
        /// Which.
        die: Die,
        /// Where.
        space: Space,
        /// How many rows the ships of its column descend.
        descent: u8,
    },
    /// A worker die has left the board.
    DieLeft {
        /// Which.
        die: Die,
    },
    /// A ship has moved, come into play or left it.
    ShipMoved {
        /// Which.
        ship: Ship,
        /// Where it was.
        from: ShipPlace,
        /// Where it is.
        to: ShipPlace,
        /// By what.
        cause: ShipCause,
    },
    /// The base was hit or repaired.
    DamageChanged {
        /// Hits taken now.
        damage: u8,
    },
    /// The mothership has descended one row.
    MothershipDescended {
        /// Its new row.
        row: u8,
    },
    /// The mothership does what its row says.
    RowActionTaken {
        /// What.
        action: RowAction,
    },
    /// What the row says was ignored.
    RowActionIgnored {
        /// What it would have been.
        action: RowAction,
    },
    /// The energy has changed.
    EnergyChanged {
        /// Energy now.
        energy: u8,
    },
    /// The research marker has moved.
    ResearchMoved {
        /// The space on which it stands now.
        research: u8,
    },
    /// The excavator has moved.
    ExcavatorMoved {
        /// Its new space.
        space: Space,
    },
    /// A room was resolved.
    RoomResolved {
        /// The first of its spaces.
        room: Space,
        /// Its value.
        value: i16,
    },
    /// A robot has worked.
    RobotUsed {
        /// Which.
        robot: RobotDie,
        /// Its value after that; 0 if it has left the board.
        value: u8,
    },
    /// A robot was installed.
    RobotInstalled {
        /// Which.
        robot: RobotDie,
        /// Where.
        space: Space,
        /// Its value.
        value: u8,
    },
    /// A robot has left the board without having worked, or was lost for want of a space.
    RobotRemoved {
        /// Which.
        robot: RobotDie,
    },
    /// A die on an AA gun has taken people out of the city.
    Evacuated {
        /// Evacuations so far.
        evacuations: u8,
    },
    /// The rooms phase is over.
    RoomsEnded,
    /// The storm has turned to a side, or is calm.
    WindBlew {
        /// Where to.
        direction: Option<Direction>,
    },
    /// A battle is over.
    BattleEnded {
        /// How.
        end: BattleEnd,
        /// What it scored (section 10).
        score: i32,
    },
    /// A chapter of the campaign has begun.
    ChapterStarted {
        /// Which, 1 to 4.
        chapter: u8,
    },
    /// Sets of city, scenario and character are offered.
    SetsOffered {
        /// The two sets.
        sets: [SetOffer; 2],
        /// The fifth city of the chapter, which becomes a reserve city.
        reserve: Option<City>,
    },
    /// A character has joined.
    CharacterRecruited {
        /// Who.
        character: Character,
    },
    /// The city in which a battle of the campaign is fought is settled.
    CityChosen {
        /// The city.
        city: City,
        /// Its side.
        side: CitySide,
    },
    /// The team for a battle of the campaign is settled.
    TeamFormed {
        /// Who fights, in the order of recruitment.
        team: ArrayVec<Member, TEAM_MAX>,
    },
    /// The campaign has noted a battle.
    BattleNoted {
        /// What happened.
        result: BattleResult,
        /// The score of the campaign after it.
        score: i16,
    },
    /// The game is over.
    GameEnded {
        /// Why.
        reason: EndReason,
        /// The score.
        score: i32,
    },
}

/// What moved a ship.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ShipCause {
    /// A worker die in its column.
    Descent,
    /// An arrow.
    Arrow,
    /// A gate.
    Gate,
    /// The row action `dive`.
    Dive,
    /// The storm.
    Wind,
    /// The ability `repel`.
    Repelled,
    /// It hit the city.
    HitCity,
    /// The mothership came down on it.
    Swept,
    /// It was shot down.
    Shot,
    /// The mothership, or the set-up, added it.
    Added,
    /// It appeared at a drop point.
    Spawned,
}
