//! The state of a table. All of it is public, but the sets of a chapter that have not been offered
//! yet (section 11).

use arrayvec::ArrayVec;

use super::campaign::{Campaign, LaterSets};
use super::geometry::{Column, Columns, Direction, Space, Spaces};
use super::options::{Member, TEAM_MAX};
use super::pieces::{Die, DiePlace, Robot, RobotDie, Ship, ShipPlace, WorkerDie};
use super::sky::Sky;
use super::tables::{Base, City, CitySide, RoomKind, Rule, Scenario};
use crate::outcome::Outcome;

/// A table of Under Falling Skies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnderFallingSkies {
    pub(super) public: Public,
    pub(super) hidden: Hidden,
}

/// What a photograph of the table shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Public {
    /// The battle on the table, also when it is over; in a campaign `None` between two battles.
    pub battle: Option<Battle>,
    /// The campaign, if the battle is part of one.
    pub campaign: Option<Campaign>,
    /// How it ended, once it has.
    pub ending: Option<Ending>,
}

/// What nobody sees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Hidden {
    /// In the first battle of a chapter: what is offered in the second.
    pub(super) later: Option<LaterSets>,
}

/// How a single game or a campaign ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Whether the player won, and the score (section 10, 12.4).
    pub outcome: Outcome,
    /// Why.
    pub reason: EndReason,
}

/// Why a single game or a campaign is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EndReason {
    /// The battle of a single game was won or lost.
    Battle(BattleEnd),
    /// The final battle was won.
    CampaignWon,
    /// The final battle was lost in every city.
    CampaignLost,
    /// The player left.
    Resigned,
}

/// How a battle ended (section 10).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BattleEnd {
    /// The research marker reached the last space.
    Won,
    /// The mothership reached the skull.
    LostMothership,
    /// The damage reached the limit.
    LostDamage,
}

/// A battle for a city.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Battle {
    /// The city that is defended.
    pub city: City,
    /// Which side of it is up.
    pub side: CitySide,
    /// The sky tiles.
    pub sky: Sky,
    /// Whether the blue dice are used.
    pub robots_used: bool,
    /// The characters, in the order of their recruitment.
    pub team: ArrayVec<Member, TEAM_MAX>,
    /// The scenario, if any.
    pub scenario: Option<Scenario>,
    /// Rounds begun; 0 in the set-up.
    pub round: u8,
    /// The row of the mothership's drop points: it covers all rows from there on.
    pub mothership: u8,
    /// Where each ship is.
    pub ships: [ShipPlace; Ship::COUNT as usize],
    /// The worker dice.
    pub dice: [WorkerDie; Die::COUNT as usize],
    /// The robots that are on the board.
    pub robots: [Option<Robot>; RobotDie::COUNT as usize],
    /// The excavator. Spaces before it are excavated; its own is not.
    pub excavator: Space,
    /// Energy, 0 to `base().energy_max`.
    pub energy: u8,
    /// Hits the base has taken.
    pub damage: u8,
    /// The research space on which the marker stands; 0 below the first.
    pub research: u8,
    /// What was used and what holds in this round.
    pub this_round: ThisRound,
    /// What was used and done in this battle.
    pub this_battle: ThisBattle,
    /// What happens next.
    pub stage: Stage,
}

/// What was used and what holds in a round; forgotten when the next begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ThisRound {
    /// Uses of `adjust_die`.
    pub adjusted: u8,
    /// How far `drag_next` has come.
    pub drag: Drag,
    /// Whether `reroll_all` was used.
    pub rerolled_all: bool,
    /// Uses of `keep_dice`.
    pub kept_dice: u8,
    /// The kinds of rooms that were resolved, as bits by [`RoomKind`].
    pub kinds_resolved: u8,
    /// Rooms that were discounted.
    pub discounted: u8,
    /// Whether a ship was shot down.
    pub shot: bool,
    /// Whether `repel` was used.
    pub repelled: bool,
    /// Whether the scenario's `repair` was used.
    pub repaired: bool,
    /// Scenario `satellites`: the column whose ships can't be shot down.
    pub jammed: Option<Column>,
    /// Scenario `saboteur`: the die that lost 1, and the face it had shown.
    pub sabotaged: Option<(Die, u8)>,
    /// Scenario `storm`: where the wind has blown to; `None` before it has, and if it was calm.
    pub wind: Option<Direction>,
}

/// How far the ability `drag` has come in a round.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Drag {
    /// Not used yet.
    #[default]
    Unused,
    /// The next worker die moves its ships one row less.
    Armed,
    /// Used up.
    Used,
}

/// What was used and done in a battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ThisBattle {
    /// Row actions that were ignored.
    pub ignored_actions: u8,
    /// Uses of `repair`, by the place of the character in the team.
    pub repairs: [u8; TEAM_MAX],
    /// Ships shot down.
    pub shots: u8,
    /// Evacuations of scenario `evacuation`.
    pub evacuations: u8,
}

/// Where in the round a battle stands (section 5).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stage {
    /// Set-up: a robot of this value is installed, ready for round 1.
    StartRobot {
        /// The blue die.
        robot: RobotDie,
        /// Its value.
        value: u8,
        /// Which of the robots that the game begins with, from 0.
        nth: u8,
    },
    /// DICE_PLACE.
    PlaceDie,
    /// REROLL, with the ability to keep the dice.
    Reroll,
    /// ROOMS.
    Rooms,
    /// INSTALL: the robot that a room has built.
    Install {
        /// The blue die.
        robot: RobotDie,
        /// Its value.
        value: u8,
    },
    /// MS_ACTION, with the ability to ignore it.
    IgnoreAction,
    /// MS_SPAWN: a ship that may appear in several columns.
    Spawn {
        /// The ship.
        ship: Ship,
        /// The columns, at least two.
        columns: Columns,
    },
    /// The battle is over.
    Over(BattleEnd),
}

impl ThisRound {
    /// The kinds of rooms that were resolved.
    pub fn kinds_resolved(&self) -> impl Iterator<Item = RoomKind> {
        RoomKind::ALL
            .into_iter()
            .filter(|&kind| self.kinds_resolved & (1 << kind as u8) != 0)
    }
}

impl Battle {
    /// The base under the city.
    pub fn base(&self) -> &'static Base {
        &self.city.tile().base
    }

    /// What the scenario changes, if there is one.
    pub fn rule(&self) -> Option<&'static Rule> {
        self.scenario.map(|scenario| &scenario.sheet().rule)
    }

    /// How the battle ended, once it has.
    pub const fn end(&self) -> Option<BattleEnd> {
        match self.stage {
            Stage::Over(end) => Some(end),
            _ => None,
        }
    }

    /// The excavated spaces (3.4).
    pub const fn excavated(&self) -> Spaces {
        Spaces::before(self.excavator)
    }

    /// Where a ship is.
    pub const fn ship(&self, ship: Ship) -> ShipPlace {
        self.ships[ship.index() as usize]
    }

    /// A worker die.
    pub const fn die(&self, die: Die) -> WorkerDie {
        self.dice[die.index() as usize]
    }

    /// A robot; `None` while its die is off the board.
    pub const fn robot(&self, robot: RobotDie) -> Option<Robot> {
        self.robots[robot.index() as usize]
    }

    /// The worker dice that are still to be placed.
    pub fn unplaced(&self) -> impl Iterator<Item = Die> {
        Die::all().filter(|&die| self.die(die).place == DiePlace::Unplaced)
    }

    /// The worker dice in the base, with their spaces.
    pub fn placed(&self) -> impl Iterator<Item = (Die, Space)> {
        Die::all().filter_map(|die| match self.die(die).place {
            DiePlace::On(space) => Some((die, space)),
            DiePlace::Unplaced | DiePlace::Left => None,
        })
    }

    /// The robots in the base.
    pub fn standing_robots(&self) -> impl Iterator<Item = (RobotDie, Robot)> {
        RobotDie::all().filter_map(|die| Some((die, self.robot(die)?)))
    }

    /// The worker die on a space.
    pub fn die_on(&self, space: Space) -> Option<Die> {
        self.placed()
            .find(|&(_, on)| on == space)
            .map(|(die, _)| die)
    }

    /// The robot on a space.
    pub fn robot_on(&self, space: Space) -> Option<(RobotDie, Robot)> {
        self.standing_robots()
            .find(|(_, robot)| robot.space == space)
    }

    /// The ship in this cell of the sky.
    pub fn ship_at(&self, row: u8, column: Column) -> Option<Ship> {
        Ship::all().find(|&ship| self.ship(ship) == ShipPlace::Sky { row, column })
    }

    /// The ships of the sky with their cells: top row first, then from left to right.
    pub fn sky_ships(&self) -> ArrayVec<(Ship, u8, Column), { Ship::COUNT as usize }> {
        let in_sky = Ship::all().filter_map(|ship| match self.ship(ship) {
            ShipPlace::Sky { row, column } => Some((ship, row, column)),
            ShipPlace::Supply | ShipPlace::Pool | ShipPlace::DropPoint(_) => None,
        });
        let mut ships: ArrayVec<_, { Ship::COUNT as usize }> = in_sky.collect();
        ships.sort_unstable_by_key(|&(_, row, column)| (u8::MAX - row, column));
        ships
    }

    /// Whether no room of this kind has been resolved in the round.
    pub(super) const fn is_first_of_kind(&self, kind: RoomKind) -> bool {
        self.this_round.kinds_resolved & (1 << kind as u8) == 0
    }

    /// Section 10: won, 100 + 10 for each star + the rows that were left above the skull; lost, the
    /// share of the research cost that was done, in percent.
    pub fn score(&self) -> i32 {
        if self.end() == Some(BattleEnd::Won) {
            let rows_left = i32::from(self.mothership) - i32::from(self.sky.skull_row());
            return 100 + 10 * i32::from(self.sky.stars()) + rows_left;
        }
        let done = i32::from(self.sky.research_sum(self.research));
        let all = i32::from(self.sky.research_sum(self.sky.victory_space()));
        100 * done / all.max(1)
    }
}
