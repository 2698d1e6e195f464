//! What the city and the characters can do, added up (section 8).

use arrayvec::ArrayVec;

use super::geometry::Column;
use super::options::TEAM_MAX;
use super::state::Battle;
use super::tables::{Effect, RoomKind, Scope, ShotMode, SpawnShips, tables};

/// The most sources of one ability: the city and its team. Each has it at most once.
const SOURCES_MAX: usize = 1 + TEAM_MAX;

/// All abilities of a battle. Several sources of the same one add up, unless said otherwise.
#[derive(Clone, Debug)]
pub(super) struct Powers {
    pub(super) start_energy: u8,
    /// The smallest counts.
    pub(super) robot_limit: u8,
    pub(super) robot_room_bonus: i8,
    /// What the adjustments of a round cost, the cheapest first: each source gives one.
    pub(super) adjust_costs: ArrayVec<u8, SOURCES_MAX>,
    pub(super) aa_extra: [u8; Column::COUNT as usize],
    /// The smallest counts.
    pub(super) excavate_cost: u8,
    pub(super) excavate_reach: u8,
    first_room_bonus: RoomBonus,
    every_room_bonus: RoomBonus,
    /// Once per round, whatever the number of sources; the smallest cost counts.
    pub(super) drag_cost: Option<u8>,
    robot_keep: ArrayVec<RoomKind, 5>,
    pub(super) shot_energy_per_round: u8,
    pub(super) shot_energy_per_ship: u8,
    pub(super) tunnel_energy: Option<u8>,
    pub(super) ignored_actions: u8,
    pub(super) retreat_reduction: u8,
    pub(super) kept_dice: u8,
    pub(super) start_robots: ArrayVec<u8, SOURCES_MAX>,
    pub(super) discounted_rooms: u8,
    pub(super) free_spawn_white: bool,
    pub(super) free_spawn_all: bool,
    /// By the place of the character in the team.
    pub(super) repairs: [Option<Repair>; TEAM_MAX],
    /// Once per round; the smallest cost counts.
    pub(super) reroll_all_cost: Option<u8>,
    /// Once per round; the cheapest counts.
    pub(super) repel: Option<Repel>,
}

/// A repair that a character grants.
#[derive(Clone, Copy, Debug)]
pub(super) struct Repair {
    pub(super) cost: u8,
    pub(super) uses: u8,
}

/// How a ship is driven up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Repel {
    pub(super) cost: u8,
    pub(super) rows: u8,
}

/// What is added to the value of a room, by its kind.
#[derive(Clone, Copy, Debug, Default)]
struct RoomBonus([i8; 5]);

impl RoomBonus {
    const fn of(self, kind: RoomKind) -> i8 {
        self.0[kind as usize]
    }

    const fn add(&mut self, kind: RoomKind, n: i8) {
        self.0[kind as usize] += n;
    }
}

impl Battle {
    /// What this city and these characters can do.
    pub(super) fn powers(&self) -> Powers {
        let mut powers = Powers::none();
        for effect in self.city.tile().effects(self.side) {
            powers.add(effect, None);
        }
        for (place, member) in self.team.iter().enumerate() {
            for effect in member.id.sheet().effects(member.upgraded) {
                powers.add(effect, Some(place));
            }
        }
        powers.adjust_costs.sort_unstable();
        powers
    }
}

impl Powers {
    fn none() -> Self {
        let constants = &tables().constants;
        Self {
            start_energy: 0,
            robot_limit: constants.robot_limit,
            robot_room_bonus: 0,
            adjust_costs: ArrayVec::new(),
            aa_extra: [0; Column::COUNT as usize],
            excavate_cost: constants.excavate_cost,
            excavate_reach: 0,
            first_room_bonus: RoomBonus::default(),
            every_room_bonus: RoomBonus::default(),
            drag_cost: None,
            robot_keep: ArrayVec::new(),
            shot_energy_per_round: 0,
            shot_energy_per_ship: 0,
            tunnel_energy: None,
            ignored_actions: 0,
            retreat_reduction: 0,
            kept_dice: 0,
            start_robots: ArrayVec::new(),
            discounted_rooms: 0,
            free_spawn_white: false,
            free_spawn_all: false,
            repairs: [None; TEAM_MAX],
            reroll_all_cost: None,
            repel: None,
        }
    }

    /// Adds one primitive of the city, or of the character at this place in the team.
    fn add(&mut self, effect: &Effect, place: Option<usize>) {
        match *effect {
            Effect::StartEnergy { n } => self.start_energy += n,
            Effect::RobotLimit { n } => self.robot_limit = self.robot_limit.min(n),
            Effect::RobotRoomBonus { n } => self.robot_room_bonus += n,
            Effect::AdjustDie { cost } => push(&mut self.adjust_costs, cost),
            Effect::AaExtra { ref columns, n } => {
                for &column in columns {
                    if let Some(extra) = self.aa_extra.get_mut(usize::from(column)) {
                        *extra += n;
                    }
                }
            }
            Effect::ExcavateCost { n } => self.excavate_cost = self.excavate_cost.min(n),
            Effect::ExcavateReach { n } => self.excavate_reach += n,
            Effect::RoomBonus { kind, n, scope } => match scope {
                Scope::FirstEachRound => self.first_room_bonus.add(kind, n),
                Scope::Every => self.every_room_bonus.add(kind, n),
            },
            Effect::Drag { cost } => self.drag_cost = cheaper(self.drag_cost, cost),
            Effect::RobotKeep { ref kinds } => {
                for &kind in kinds {
                    if !self.robot_keep.contains(&kind) {
                        self.robot_keep.push(kind);
                    }
                }
            }
            Effect::ShotEnergy {
                mode: ShotMode::OncePerRound,
            } => self.shot_energy_per_round += 1,
            Effect::ShotEnergy {
                mode: ShotMode::PerShip,
            } => self.shot_energy_per_ship += 1,
            Effect::TunnelEnergy { n } => {
                self.tunnel_energy = Some(self.tunnel_energy.unwrap_or(0) + n);
            }
            Effect::IgnoreMothershipAction { uses } => self.ignored_actions += uses,
            Effect::RetreatReduction { n } => {
                self.retreat_reduction = self.retreat_reduction.saturating_add(n);
            }
            Effect::SkipReroll { per_round } => self.kept_dice += per_round,
            Effect::StartRobot { value } => push(&mut self.start_robots, value),
            Effect::Discount { rooms_per_round } => self.discounted_rooms += rooms_per_round,
            Effect::FreeSpawn {
                ships: SpawnShips::White,
            } => self.free_spawn_white = true,
            Effect::FreeSpawn {
                ships: SpawnShips::All,
            } => {
                self.free_spawn_white = true;
                self.free_spawn_all = true;
            }
            Effect::Repair { cost, uses } => {
                if let Some(repair) = place.and_then(|place| self.repairs.get_mut(place)) {
                    *repair = Some(Repair { cost, uses });
                }
            }
            Effect::RerollAll { cost } => {
                self.reroll_all_cost = cheaper(self.reroll_all_cost, cost);
            }
            Effect::Repel { cost, rows } => {
                if self.repel.is_none_or(|repel| cost < repel.cost) {
                    self.repel = Some(Repel { cost, rows });
                }
            }
        }
    }

    /// What bonuses for rooms of its kinds add to the value of a room: those for every room, and,
    /// for a kind of which none has been resolved in the round, those for the first.
    pub(super) fn room_bonus(&self, kinds: &[RoomKind], is_first: impl Fn(RoomKind) -> bool) -> i8 {
        let first = |kind| {
            if is_first(kind) {
                self.first_room_bonus.of(kind)
            } else {
                0
            }
        };
        kinds
            .iter()
            .map(|&kind| self.every_room_bonus.of(kind) + first(kind))
            .sum()
    }

    /// Whether robots lose nothing in a room of these kinds.
    pub(super) fn keeps_robots(&self, kinds: &[RoomKind]) -> bool {
        kinds.iter().any(|kind| self.robot_keep.contains(kind))
    }
}

/// Adds a source. There can't be more of them than the city and its team, unless a tile has the
/// same primitive twice: then the first count.
fn push<T>(sources: &mut ArrayVec<T, SOURCES_MAX>, source: T) {
    if !sources.is_full() {
        sources.push(source);
    }
}

fn cheaper(cost: Option<u8>, other: u8) -> Option<u8> {
    Some(cost.map_or(other, |cost| cost.min(other)))
}
