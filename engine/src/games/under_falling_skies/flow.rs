//! The battle from its set-up (section 4) through its rounds (section 5).

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::action::Action;
use super::event::{Event, ShipCause};
use super::geometry::Column;
use super::options::{Member, Options, TEAM_MAX};
use super::pieces::{Die, DiePlace, RobotDie, Ship, ShipPlace, WorkerDie};
use super::sky::Sky;
use super::state::{Battle, BattleEnd, Drag, Stage, ThisBattle, ThisRound};
use super::tables::{City, CitySide, Scenario, SkySet, SkySide, tables};
use crate::chance::Chance;
use crate::cx::{Audience, Cx};

/// Goes on, or breaks off because the battle is over: whatever is left of a step is then not
/// carried out (section 10).
pub(super) type Step = ControlFlow<()>;

/// What a battle is set up with.
#[derive(Clone, Debug)]
pub(super) struct SetUp {
    pub(super) city: City,
    pub(super) side: CitySide,
    pub(super) sky_set: [SkySet; 4],
    pub(super) threat: u8,
    /// Instead of `threat` tiles drawn at random.
    pub(super) sky_sides: Option<[bool; 4]>,
    pub(super) robots: bool,
    pub(super) team: ArrayVec<Member, TEAM_MAX>,
    pub(super) scenario: Option<Scenario>,
}

impl SetUp {
    /// The battle of a single game.
    pub(super) fn single(options: &Options) -> Self {
        Self {
            city: options.city,
            side: options.city_side,
            sky_set: options.sky_set,
            threat: options.threat(),
            sky_sides: options.sky_sides,
            robots: options.robots,
            team: options.characters.iter().copied().take(TEAM_MAX).collect(),
            scenario: options.scenario,
        }
    }

    /// Section 4, step 2: which levels lie on the dangerous side. Where the threat leaves nothing
    /// to draw, nothing is drawn.
    fn sides(&self, chance: &mut Chance) -> [SkySide; 4] {
        let dangerous = match (self.sky_sides, self.threat) {
            (Some(sides), _) => sides,
            (None, 0) => [false; 4],
            (None, 1..4) => {
                let mut levels = [0, 1, 2, 3];
                chance.shuffle(&mut levels);
                let mut sides = [false; 4];
                for &level in levels.iter().take(usize::from(self.threat)) {
                    sides[level] = true;
                }
                sides
            }
            (None, _) => [true; 4],
        };
        dangerous.map(|dangerous| {
            if dangerous {
                SkySide::Dangerous
            } else {
                SkySide::Easy
            }
        })
    }
}

impl Battle {
    /// Section 4: lays everything out, up to the first decision.
    pub(super) fn begin(set_up: &SetUp, cx: &mut Cx<'_, Event>) -> Self {
        let sides = set_up.sides(cx.chance);
        let mut tiles = set_up.sky_set.map(|set| (set, SkySide::Easy));
        for (tile, side) in tiles.iter_mut().zip(sides) {
            tile.1 = side;
        }
        let base = &set_up.city.tile().base;
        let mut battle = Self {
            city: set_up.city,
            side: set_up.side,
            sky: Sky {
                tiles,
                strip: false,
            },
            robots_used: set_up.robots,
            team: set_up.team.clone(),
            scenario: set_up.scenario,
            round: 0,
            mothership: 0,
            ships: [ShipPlace::Supply; Ship::COUNT as usize],
            dice: [WorkerDie {
                face: 0,
                place: DiePlace::Left,
            }; Die::COUNT as usize],
            robots: [None; RobotDie::COUNT as usize],
            excavator: base.excavator_start,
            energy: base.energy_start,
            damage: 0,
            research: 0,
            this_round: ThisRound::default(),
            this_battle: ThisBattle::default(),
            stage: Stage::Rooms,
        };
        battle.sky.strip = battle.has_strip();
        battle.mothership = battle.sky.rows();
        for (ship, column) in Ship::reds().zip(Column::all()) {
            battle.ships[usize::from(ship.index())] = ShipPlace::DropPoint(column);
        }
        cx.tell(Audience::All, || Event::BattleSetUp {
            city: battle.city,
            side: battle.side,
            sky: battle.sky,
            team: battle.team.clone(),
            scenario: battle.scenario,
        });
        // Step 4: the effects of city and characters, then those of the scenario.
        battle.gain_energy(battle.powers().start_energy, cx);
        battle.start_scenario(cx);
        battle.install_start_robot(0, cx);
        battle
    }

    /// Section 4, step 4: the decision of `start_robot` comes last; then round 1 begins.
    pub(super) fn install_start_robot(&mut self, nth: u8, cx: &mut Cx<'_, Event>) {
        let value = self.powers().start_robots.get(usize::from(nth)).copied();
        let robot = RobotDie::all().find(|&robot| self.robot(robot).is_none());
        match (value, robot) {
            (Some(value), Some(robot)) if self.robots_used => {
                self.choose_robot_space(Stage::StartRobot { robot, value, nth }, cx);
            }
            _ => self.start_round(cx),
        }
    }

    /// ROUND_START: the flags of the round are reset and the worker dice rolled.
    pub(super) fn start_round(&mut self, cx: &mut Cx<'_, Event>) {
        self.round += 1;
        self.this_round = ThisRound::default();
        for die in &mut self.dice {
            *die = WorkerDie {
                face: cx.chance.die(tables().constants.die_faces),
                place: DiePlace::Unplaced,
            };
        }
        let (round, faces) = (self.round, self.dice.map(|die| die.face));
        cx.tell(Audience::All, || Event::RoundStarted { round, faces });
        self.start_round_of_scenario(cx);
        self.stage = Stage::PlaceDie;
    }

    /// Answers the open decision of the battle.
    pub(super) fn answer(&mut self, action: Action, cx: &mut Cx<'_, Event>) {
        // Whether a step broke off makes no difference here: the stage says that the battle is
        // over.
        let _ = self.carry_out(action, cx);
    }

    fn carry_out(&mut self, action: Action, cx: &mut Cx<'_, Event>) -> Step {
        match action {
            Action::PlaceDie { die, space } => {
                self.place_die(die, space, cx)?;
                self.after_placement(die, cx);
            }
            Action::RerollAll => self.reroll_all(cx),
            Action::AdjustDie { die, delta } => self.adjust_die(die, delta, cx),
            Action::DragNext => self.arm_drag(cx),
            Action::Reroll => {
                self.reroll(cx);
                self.stage = Stage::PlaceDie;
            }
            Action::KeepDice => {
                self.this_round.kept_dice += 1;
                cx.tell(Audience::All, || Event::DiceKept);
                self.stage = Stage::PlaceDie;
            }
            Action::ResolveRoom { room, how } => self.resolve_room(room, how, cx)?,
            Action::InstallRobot { space } => self.install_robot(space, cx),
            Action::Excavate => self.excavate(cx),
            Action::RemoveRobot { robot } => self.remove_robot(robot, cx),
            Action::TapTunnel { space } => self.tap_tunnel(space, cx),
            Action::Repair { source } => self.repair(source, cx),
            Action::Repel { ship } => self.repel(ship, cx),
            Action::Evacuate { space } => self.evacuate(space, cx),
            Action::EndRooms => {
                self.end_rooms(cx);
                self.move_mothership(cx)?;
            }
            Action::IgnoreAction { ignore } => {
                self.answer_row_action(ignore, cx)?;
            }
            Action::Spawn { column } => {
                self.spawn_chosen(column, cx);
                self.spawn_ships(cx);
            }
            Action::ChooseSet { .. }
            | Action::ChooseElites { .. }
            | Action::ChooseCity { .. }
            | Action::ChooseTeam { .. }
            | Action::ChooseDifficulty { .. } => {
                debug_assert!(false, "no decision of a battle");
            }
        }
        Step::Continue(())
    }

    /// REROLL and what follows: a white die rerolls what is left, the last die of the round begins
    /// the rooms phase.
    fn after_placement(&mut self, die: Die, cx: &mut Cx<'_, Event>) {
        // R46: after the last die there is nothing left to reroll.
        if self.unplaced().next().is_none() {
            self.blow_wind(cx);
            self.stage = Stage::Rooms;
            return;
        }
        self.stage = Stage::PlaceDie;
        if die.is_white() {
            if self.this_round.kept_dice < self.powers().kept_dice {
                self.stage = Stage::Reroll;
            } else {
                self.reroll(cx);
            }
        }
    }

    /// End of ROOMS: the worker dice leave, the robots become ready.
    fn end_rooms(&mut self, cx: &mut Cx<'_, Event>) {
        for die in &mut self.dice {
            die.place = DiePlace::Left;
        }
        for robot in self.robots.iter_mut().flatten() {
            robot.exhausted = false;
        }
        cx.tell(Audience::All, || Event::RoomsEnded);
        self.leak_energy(cx);
    }

    /// The battle is over.
    pub(super) fn finish(&mut self, end: BattleEnd, cx: &mut Cx<'_, Event>) -> Step {
        self.stage = Stage::Over(end);
        let score = self.score();
        cx.tell(Audience::All, || Event::BattleEnded { end, score });
        Step::Break(())
    }

    /// R27: energy above the maximum is lost.
    pub(super) fn gain_energy(&mut self, amount: u8, cx: &mut Cx<'_, Event>) {
        self.set_energy(
            self.energy
                .saturating_add(amount)
                .min(self.base().energy_max),
            cx,
        );
    }

    pub(super) fn pay(&mut self, cost: u8, cx: &mut Cx<'_, Event>) {
        debug_assert!(cost <= self.energy);
        self.set_energy(self.energy.saturating_sub(cost), cx);
    }

    fn set_energy(&mut self, energy: u8, cx: &mut Cx<'_, Event>) {
        if energy != self.energy {
            self.energy = energy;
            cx.tell(Audience::All, || Event::EnergyChanged { energy });
        }
    }

    /// The base takes damage, point by point: at the limit the battle is lost.
    pub(super) fn take_damage(&mut self, points: u8, cx: &mut Cx<'_, Event>) -> Step {
        for _ in 0..points {
            self.damage += 1;
            let damage = self.damage;
            cx.tell(Audience::All, || Event::DamageChanged { damage });
            if self.damage >= self.base().damage_limit {
                return self.finish(BattleEnd::LostDamage, cx);
            }
        }
        Step::Continue(())
    }

    /// A ship goes somewhere.
    pub(super) fn move_ship(
        &mut self,
        ship: Ship,
        to: ShipPlace,
        cause: ShipCause,
        cx: &mut Cx<'_, Event>,
    ) {
        let place = &mut self.ships[usize::from(ship.index())];
        let from = std::mem::replace(place, to);
        cx.tell(Audience::All, || Event::ShipMoved {
            ship,
            from,
            to,
            cause,
        });
    }

    /// A worker die leaves the board.
    pub(super) fn take_die(&mut self, die: Die, cx: &mut Cx<'_, Event>) {
        self.dice[usize::from(die.index())].place = DiePlace::Left;
        cx.tell(Audience::All, || Event::DieLeft { die });
    }

    pub(super) fn arm_drag(&mut self, cx: &mut Cx<'_, Event>) {
        self.pay(self.powers().drag_cost.unwrap_or(0), cx);
        self.this_round.drag = Drag::Armed;
        cx.tell(Audience::All, || Event::DragArmed);
    }
}
