//! Given, when, then: a table in the words of the rules page, section 14.

use tavola_engine::games::under_falling_skies::{
    Action, Battle, BattleEnd, Character, City, CitySide, Column, Die, DiePlace, EndReason, Event,
    Member, Options, Robot, RobotDie, Scenario, Ship, ShipPlace, Space, Stage, UnderFallingSkies,
    WorkerDie,
};
use tavola_engine::{ActionId, Audience, Chance, Cx, Game, Rejected, Seat, Viewer};

/// The faces of a roll that doesn't matter.
pub(crate) const ANY_ROLL: [u32; 5] = [1, 1, 1, 1, 1];

pub(crate) const POOL: ShipPlace = ShipPlace::Pool;
pub(crate) const SUPPLY: ShipPlace = ShipPlace::Supply;

/// A cell of the sky.
pub(crate) fn at(row: u8, column: u8) -> ShipPlace {
    ShipPlace::Sky {
        row,
        column: col(column),
    }
}

/// A drop point.
pub(crate) fn drop_point(column: u8) -> ShipPlace {
    ShipPlace::DropPoint(col(column))
}

pub(crate) fn col(column: u8) -> Column {
    Column::from_index(column).unwrap()
}

pub(crate) fn p(index: u8) -> Space {
    Space::from_index(index).unwrap()
}

/// The ship of this name.
pub(crate) fn ship(name: &str) -> Ship {
    Ship::all().find(|ship| ship.to_string() == name).unwrap()
}

/// The worker die of this name.
pub(crate) fn die(name: &str) -> Die {
    Die::all().find(|die| die.to_string() == name).unwrap()
}

/// The robot of this name.
pub(crate) fn robot(name: &str) -> RobotDie {
    RobotDie::all()
        .find(|robot| robot.to_string() == name)
        .unwrap()
}

pub(crate) fn character(id: &str) -> Character {
    Character::named(id).unwrap()
}

/// The action that the page writes like this.
pub(crate) fn action(notation: &str) -> Action {
    let mut all = (0..UnderFallingSkies::ACTION_SPACE)
        .filter_map(|id| UnderFallingSkies::decode(ActionId(id)));
    all.find(|action| action.to_string() == notation)
        .unwrap_or_else(|| panic!("no action is written {notation}"))
}

/// A table with what was told at it since the last action.
#[derive(Clone)]
pub(crate) struct Table {
    pub(crate) state: UnderFallingSkies,
    pub(crate) told: Vec<Event>,
}

/// Options of a single game with the campaign's content and all tiles on the easy side.
pub(crate) fn easy(city: &str) -> Options {
    Options {
        city: City::named(city).unwrap(),
        campaign_content: true,
        threat: Some(0),
        ..Options::default()
    }
}

/// A fresh game with these options.
pub(crate) fn start(options: &Options, draws: &[u32]) -> Table {
    let mut chance = Chance::scripted(draws.iter().copied());
    let mut log = Vec::new();
    let state =
        UnderFallingSkies::new(options, 1, &mut Cx::new(&mut chance, Some(&mut log))).unwrap();
    assert_eq!(chance.script_fits(), Ok(()));
    Table {
        state,
        told: events(log),
    }
}

/// A fresh game in this city, intact, threat 0.
pub(crate) fn fresh(city: &str) -> Table {
    start(&easy(city), &ANY_ROLL)
}

/// The same, damaged.
pub(crate) fn damaged(city: &str) -> Table {
    start(
        &Options {
            city_side: CitySide::Damaged,
            ..easy(city)
        },
        &ANY_ROLL,
    )
}

/// Roswell, intact, threat 0.
pub(crate) fn r0() -> Table {
    fresh("roswell")
}

/// Roswell with all tiles on the dangerous side.
pub(crate) fn threat_4() -> Table {
    start(
        &Options {
            threat: Some(4),
            ..easy("roswell")
        },
        &ANY_ROLL,
    )
}

/// A fresh game in this city with a character.
pub(crate) fn with_character(city: &str, id: &str, upgraded: bool) -> Table {
    let member = Member {
        id: character(id),
        upgraded,
    };
    start(
        &Options {
            characters: vec![member],
            ..easy(city)
        },
        &ANY_ROLL,
    )
}

/// Options of a fresh game in this city with a scenario.
pub(crate) fn scenario_options(city: &str, id: &str) -> Options {
    Options {
        scenario: Some(Scenario::named(id).unwrap()),
        ..easy(city)
    }
}

/// A fresh game in this city with a scenario that draws nothing at the start of a round.
pub(crate) fn with_scenario(city: &str, id: &str) -> Table {
    start(&scenario_options(city, id), &ANY_ROLL)
}

/// Everything that happens is public.
pub(crate) fn events(log: Vec<(Audience, Event)>) -> Vec<Event> {
    assert!(log.iter().all(|(audience, _)| *audience == Audience::All));
    log.into_iter().map(|(_, event)| event).collect()
}

impl Table {
    pub(crate) fn battle(&self) -> &Battle {
        self.state.public().battle.as_ref().unwrap()
    }

    /// Another position of the battle.
    pub(crate) fn edit(mut self, edit: impl FnOnce(&mut Battle)) -> Self {
        let mut battle = self.battle().clone();
        edit(&mut battle);
        self.state = self.state.with_battle(battle);
        self
    }

    pub(crate) fn m(self, row: u8) -> Self {
        self.edit(|battle| battle.mothership = row)
    }

    pub(crate) fn e(self, index: u8) -> Self {
        self.edit(|battle| battle.excavator = p(index))
    }

    pub(crate) fn energy(self, energy: u8) -> Self {
        self.edit(|battle| battle.energy = energy)
    }

    pub(crate) fn damage(self, damage: u8) -> Self {
        self.edit(|battle| battle.damage = damage)
    }

    pub(crate) fn research(self, research: u8) -> Self {
        self.edit(|battle| battle.research = research)
    }

    /// Ships by name and place.
    pub(crate) fn ships(self, ships: &[(&str, ShipPlace)]) -> Self {
        self.edit(|battle| {
            for (name, place) in ships {
                battle.ships[usize::from(ship(name).index())] = *place;
            }
        })
    }

    /// All ships that are not named are out of the way.
    pub(crate) fn only_ships(self, ships: &[(&str, ShipPlace)]) -> Self {
        self.edit(|battle| battle.ships = [SUPPLY; 10]).ships(ships)
    }

    /// A robot that is ready.
    pub(crate) fn robot(self, name: &str, value: u8, space: u8) -> Self {
        self.edit(|battle| {
            battle.robots[usize::from(robot(name).index())] = Some(Robot {
                value,
                space: p(space),
                exhausted: false,
            });
        })
    }

    /// The rooms phase, with worker dice of these values on these spaces.
    pub(crate) fn rooms(self, dice: &[(u8, u8)]) -> Self {
        self.edit(|battle| {
            battle.dice = [WorkerDie {
                face: 1,
                place: DiePlace::Left,
            }; 5];
            for (die, &(face, space)) in battle.dice.iter_mut().zip(dice) {
                *die = WorkerDie {
                    face,
                    place: DiePlace::On(p(space)),
                };
            }
            battle.stage = Stage::Rooms;
        })
    }

    /// A roll of g1, g2, g3, w1, w2.
    pub(crate) fn rolled(self, faces: [u8; 5]) -> Self {
        self.edit(|battle| {
            battle.dice = faces.map(|face| WorkerDie {
                face,
                place: DiePlace::Unplaced,
            })
        })
    }

    /// Plays an action; these numbers come up in it.
    pub(crate) fn plays(mut self, action: Action, draws: &[u32]) -> Self {
        let mut log = Vec::new();
        let mut chance = Chance::scripted(draws.iter().copied());
        let played = self
            .state
            .apply(Seat(0), action, &mut Cx::new(&mut chance, Some(&mut log)));
        assert_eq!(played, Ok(()), "{action}, of {:?}", self.legal());
        assert_eq!(chance.script_fits(), Ok(()), "{action}: {log:?}");
        self.told = events(log);
        self
    }

    /// Plays an action in the notation of the page that draws nothing.
    pub(crate) fn does(self, notation: &str) -> Self {
        self.plays(action(notation), &[])
    }

    /// Places a grey die of this value.
    pub(crate) fn place(self, value: u8, space: u8) -> Self {
        self.place_drawing(value, space, &[])
    }

    pub(crate) fn place_drawing(self, value: u8, space: u8, draws: &[u32]) -> Self {
        let die = self.battle().unplaced().next().unwrap();
        assert!(!die.is_white(), "no grey die is left");
        let set = self.edit(|battle| battle.dice[usize::from(die.index())].face = value);
        set.plays(
            Action::PlaceDie {
                die,
                space: p(space),
            },
            draws,
        )
    }

    /// Places a die as it is.
    pub(crate) fn place_die(self, name: &str, space: u8, draws: &[u32]) -> Self {
        self.plays(
            Action::PlaceDie {
                die: die(name),
                space: p(space),
            },
            draws,
        )
    }

    /// The notation of resolving a room of this id.
    fn room(&self, id: &str) -> String {
        let room = self
            .battle()
            .base()
            .rooms
            .iter()
            .find(|room| room.id == id)
            .unwrap();
        format!("resolve_room {}", room.anchor)
    }

    pub(crate) fn resolves(self, id: &str) -> Self {
        let notation = self.room(id);
        self.does(&notation)
    }

    pub(crate) fn resolves_steps(self, id: &str, steps: u8) -> Self {
        let notation = format!("{} steps {steps}", self.room(id));
        self.does(&notation)
    }

    pub(crate) fn resolves_reusing(self, id: &str, robot: &str) -> Self {
        let notation = format!("{} reuse {robot}", self.room(id));
        self.does(&notation)
    }

    /// The ways in which the room can be resolved, without its name.
    pub(crate) fn ways(&self, id: &str) -> Vec<String> {
        let room = self.room(id);
        let ways = self.legal().into_iter().filter_map(|action| {
            let way = action.strip_prefix(&room)?.to_owned();
            (way.is_empty() || way.starts_with(' ')).then(|| way.trim().to_owned())
        });
        ways.collect()
    }

    /// Ends the rooms phase; these numbers come up, after which the next round begins or somebody
    /// decides.
    pub(crate) fn end_rooms(self, draws: &[u32]) -> Self {
        self.plays(action("end_rooms"), draws)
    }

    /// MOTHERSHIP: the rooms phase is over at once, and the next round is rolled.
    pub(crate) fn mothership(self) -> Self {
        self.rooms(&[]).end_rooms(&ANY_ROLL)
    }

    /// MOTHERSHIP, up to a decision or the end.
    pub(crate) fn mothership_stops(self) -> Self {
        self.rooms(&[]).end_rooms(&[])
    }

    /// What the player may do, in the notation of the page, ascending by id.
    pub(crate) fn legal(&self) -> Vec<String> {
        let legal = UnderFallingSkies::legal_actions(self.state.seen(Viewer::Seat(Seat(0))));
        legal.iter().map(Action::to_string).collect()
    }

    pub(crate) fn offers(&self, notation: &str) -> bool {
        self.legal().iter().any(|action| action == notation)
    }

    /// The spaces on which a die of this value may be placed.
    pub(crate) fn spaces_for(&self, value: u8) -> Vec<u8> {
        let table = self.clone().edit(|battle| {
            let first = battle.unplaced().next().unwrap();
            battle.dice[usize::from(first.index())].face = value;
        });
        let first = table.battle().unplaced().next().unwrap();
        (0..30)
            .filter(|&space| table.offers(&format!("place_die {first} p{space}")))
            .collect()
    }

    /// The player may not, for this reason.
    pub(crate) fn refuses(&self, notation: &str, why: &'static str) {
        let mut state = self.state.clone();
        let refused = state.apply(
            Seat(0),
            action(notation),
            &mut Cx::new(&mut Chance::scripted([]), None),
        );
        assert_eq!(refused, Err(Rejected::NotLegal { why }), "{notation}");
        assert_eq!(state, self.state);
    }

    pub(crate) fn ship(&self, name: &str) -> ShipPlace {
        self.battle().ship(ship(name))
    }

    /// The robot's value, space and whether it is exhausted.
    pub(crate) fn robot_is(&self, name: &str) -> Option<(u8, u8, bool)> {
        let robot = self.battle().robot(robot(name))?;
        Some((robot.value, robot.space.index(), robot.exhausted))
    }

    /// The battle ended like this.
    pub(crate) fn ended(&self, end: BattleEnd) {
        let ending = self.state.public().ending.as_ref().unwrap();
        assert_eq!(ending.reason, EndReason::Battle(end));
        assert_eq!(
            ending.outcome.winners.contains(Seat(0)),
            end == BattleEnd::Won
        );
        assert!(self.legal().is_empty());
    }

    /// The game goes on.
    pub(crate) fn goes_on(&self) {
        assert_eq!(self.state.public().ending, None);
    }

    pub(crate) fn score(&self) -> i32 {
        let ending = self.state.public().ending.as_ref().unwrap();
        *ending.outcome.returns.get(Seat(0)).unwrap()
    }

    /// Ends the rooms phase, whether that leads to a decision at once or to the next roll.
    pub(crate) fn plays_until_asked(mut self) -> Self {
        let mut chance = Chance::scripted(ANY_ROLL);
        self.state
            .apply(
                Seat(0),
                action("end_rooms"),
                &mut Cx::new(&mut chance, None),
            )
            .unwrap();
        self
    }

    pub(crate) fn unplaced_faces(&self) -> Vec<u8> {
        self.battle()
            .unplaced()
            .map(|die| self.battle().die(die).face)
            .collect()
    }
}
