//! The primitives that the abilities of cities and characters are made of (section 8).

use serde::Deserialize;

use super::RoomKind;

/// One primitive, as a city tile or a character sheet prints it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "effect", rename_all = "snake_case", deny_unknown_fields)]
pub enum Effect {
    /// More energy at the start.
    StartEnergy {
        /// How much.
        n: u8,
    },
    /// Fewer robots.
    RobotLimit {
        /// The most on the board.
        n: u8,
    },
    /// A room with at least one robot has a higher value.
    RobotRoomBonus {
        /// By how much.
        n: i8,
    },
    /// Once per round an unplaced die changes by one.
    AdjustDie {
        /// In energy.
        cost: u8,
    },
    /// AA guns slow the ships down more.
    AaExtra {
        /// In which columns.
        columns: Vec<u8>,
        /// By how many rows.
        n: u8,
    },
    /// Excavating has another price.
    ExcavateCost {
        /// In energy.
        n: u8,
    },
    /// A die ahead of the excavator may lie farther away.
    ExcavateReach {
        /// By how many spaces.
        n: u8,
    },
    /// Rooms of a kind have a higher value.
    RoomBonus {
        /// Which.
        kind: RoomKind,
        /// By how much.
        n: i8,
        /// All of them, or the first of the round.
        scope: Scope,
    },
    /// Once per round the next die moves its ships one row less.
    Drag {
        /// In energy.
        cost: u8,
    },
    /// Robots lose nothing in rooms of these kinds.
    RobotKeep {
        /// Which.
        kinds: Vec<RoomKind>,
    },
    /// Shooting ships down gives energy.
    ShotEnergy {
        /// When.
        mode: ShotMode,
    },
    /// A die on a tunnel can be turned into energy.
    TunnelEnergy {
        /// How much.
        n: u8,
    },
    /// Row actions can be skipped.
    IgnoreMothershipAction {
        /// How many in a game.
        uses: u8,
    },
    /// The excavator is pushed back less.
    RetreatReduction {
        /// By how many spaces.
        n: u8,
    },
    /// Rerolls can be skipped.
    SkipReroll {
        /// How many in a round.
        per_round: u8,
    },
    /// The game begins with a robot.
    StartRobot {
        /// Its value.
        value: u8,
    },
    /// The first rooms of a round cost 1 less.
    Discount {
        /// How many.
        rooms_per_round: u8,
    },
    /// The player chooses where ships appear.
    FreeSpawn {
        /// Which.
        ships: SpawnShips,
    },
    /// Damage can be repaired.
    Repair {
        /// In energy.
        cost: u8,
        /// How often in a game.
        uses: u8,
    },
    /// Before the first placement of a round all dice can be rolled again.
    RerollAll {
        /// In energy.
        cost: u8,
    },
    /// Once per round a ship can be driven up.
    Repel {
        /// In energy.
        cost: u8,
        /// How far.
        rows: u8,
    },
}

/// Which rooms of a kind a bonus holds for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The first one resolved in a round, whatever its value.
    FirstEachRound,
    /// All.
    Every,
}

/// When shooting ships down gives energy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShotMode {
    /// 1 the first time in a round that at least one ship is shot down.
    OncePerRound,
    /// 1 for each ship.
    PerShip,
}

/// Which ships appear where the player chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpawnShips {
    /// The white ones.
    White,
    /// All, the orange one included.
    All,
}
