//! The data of the game (16.1): counts and shapes, and every table against the page.

use tavola_engine::games::under_falling_skies::tables::{
    Cell, Effect, GateColor, Half, Room, RoomKind, Rule, Scope, ShotMode, SpawnShips, Tables,
    TileSide, tables,
};
use tavola_engine::games::under_falling_skies::{
    Character, City, Column, Die, Direction, RobotDie, RowAction, Scenario, Ship, SkySet, SkySide,
    Space,
};

use crate::scenario::{fresh, r0, threat_4};

fn sides() -> Vec<(String, &'static TileSide)> {
    let sky = &tables().sky;
    let tiles = |set: SkySet| {
        (0..4).flat_map(move |level| {
            [SkySide::Easy, SkySide::Dangerous].map(move |side| {
                (
                    format!("{set:?} {} {side:?}", level + 1),
                    sky.side(level, set, side),
                )
            })
        })
    };
    tiles(SkySet::Base)
        .chain(tiles(SkySet::Advanced))
        .chain([("strip".to_owned(), &sky.strip)])
        .collect()
}

#[test]
fn all_files_can_be_read() {
    assert!(Tables::read().is_ok());
}

#[test]
fn the_constants_are_those_of_the_code() {
    let constants = tables().constants;
    assert_eq!(constants.columns, Column::COUNT);
    assert_eq!(
        (constants.base_rows, constants.base_rows * constants.columns),
        (Space::ROWS, Space::COUNT)
    );
    assert_eq!(
        (constants.red_ships, constants.white_ships),
        (Ship::REDS, Ship::WHITES)
    );
    assert_eq!(
        constants.red_ships + constants.white_ships + constants.orange_ships,
        Ship::COUNT
    );
    assert_eq!(
        (
            constants.grey_dice,
            constants.grey_dice + constants.white_dice
        ),
        (Die::GREYS, Die::COUNT)
    );
    assert_eq!(constants.blue_dice, RobotDie::COUNT);
    assert!(constants.robot_limit <= constants.blue_dice);
    assert_eq!(
        (constants.sky_rows, constants.mothership_start_row),
        (16, 16)
    );
    assert_eq!(
        (
            constants.threat_min,
            constants.threat_default,
            constants.threat_max
        ),
        (0, 1, 4)
    );
    assert_eq!((constants.die_faces, constants.robot_max_value), (6, 6));
}

#[test]
fn the_path_of_the_excavator_zigzags() {
    let rows = [
        [4, 3, 2, 1, 0],
        [5, 6, 7, 8, 9],
        [14, 13, 12, 11, 10],
        [15, 16, 17, 18, 19],
        [24, 23, 22, 21, 20],
        [25, 26, 27, 28, 29],
    ];
    for (row, spaces) in (0..).zip(rows) {
        for (column, index) in Column::all().zip(spaces) {
            let space = Space::at(row, column).unwrap();
            assert_eq!(space.index(), index);
            assert_eq!((space.row(), space.column()), (row, column));
        }
    }
    assert_eq!(Space::at(6, Column::from_index(0).unwrap()), None);
}

#[test]
fn seventeen_sides_of_sky_tiles() {
    let sides = sides();
    assert_eq!(sides.len(), 17);
    for (name, side) in sides {
        let rows = if name == "strip" { 2 } else { 4 };
        assert_eq!(
            [side.rows.len(), side.actions.len(), side.research.len()],
            [rows; 3],
            "{name}"
        );
        let skulls = side
            .actions
            .iter()
            .filter(|action| **action == RowAction::Skull)
            .count();
        assert_eq!(
            skulls,
            usize::from(name.contains(" 2 ")),
            "{name}: the skull is on level 2"
        );
    }
}

#[test]
fn arrows_point_at_empty_cells() {
    for (name, side) in sides() {
        for (row, cells) in side.rows.iter().enumerate() {
            for (column, cell) in Column::all().zip(cells) {
                if let Cell::Arrow(direction) = cell {
                    let to = column
                        .next(*direction)
                        .unwrap_or_else(|| panic!("{name}, row {row}: out of the sky"));
                    assert_eq!(
                        cells[usize::from(to.index())],
                        Cell::Empty,
                        "{name}, row {row}"
                    );
                }
            }
        }
    }
}

#[test]
fn gates_come_in_pairs() {
    for (name, side) in sides() {
        for color in [GateColor::Blue, GateColor::Pink] {
            let gates = side
                .rows
                .iter()
                .flatten()
                .filter(|cell| **cell == Cell::Gate(color))
                .count();
            assert!(
                gates == 0 || gates == 2,
                "{name}: {gates} gates of {color:?}"
            );
        }
    }
}

#[test]
fn research_costs_as_the_page_has_them() {
    let costs = |table: crate::scenario::Table| {
        (1..=16)
            .map(|space| table.battle().sky.research_cost(space))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        costs(r0()),
        [3, 1, 3, 1, 4, 1, 3, 2, 1, 6, 1, 3, 5, 1, 3, 11]
    );
    assert_eq!(
        costs(threat_4()),
        [3, 2, 1, 5, 3, 1, 3, 7, 2, 3, 4, 2, 3, 5, 1, 12]
    );
    assert_eq!(
        (
            r0().battle().sky.research_sum(16),
            threat_4().battle().sky.research_sum(16)
        ),
        (49, 57)
    );
    let sums = |side| {
        (0..4)
            .map(|level| {
                tables()
                    .sky
                    .side(level, SkySet::Advanced, side)
                    .research
                    .iter()
                    .sum()
            })
            .collect::<Vec<u8>>()
    };
    assert_eq!(sums(SkySide::Easy), [14, 16, 15, 24]);
    assert_eq!(sums(SkySide::Dangerous), [17, 17, 18, 30]);
}

/// The two tables of section 3.2, top row first: five cells and the row action.
const EASY: [&str; 16] = [
    ". . . > . white 1",
    ". < > . . excavator 2",
    "M . 1 . . white 1",
    "2 . < . 4 none",
    "M > . 4 . white 1",
    ". M . . . excavator 1",
    "4 3 . < 2 research 1",
    "> . 6 . < none",
    ". . 4 > . research 1",
    "5 . < . . white 1",
    ". M > . 6 none",
    "M 3 . 4 M SKULL",
    "3 > . M . none",
    ". 6 . < 4 none",
    "> . 3 . < none",
    ". 5 M 4 . none",
];
const DANGEROUS: [&str; 16] = [
    ". 1 . . . excavator 1",
    ". . < > . white 2",
    "> . . . 2 excavator 2",
    ". < 3 M . damage 1",
    "> . 2 . < excavator 3",
    "M M . < 3 research 2",
    "4 > . 5 . white 2",
    ". < > . M research 1",
    "6 . < . M damage 1",
    "M 4 7 > . none",
    ". > . M 7 SKULL",
    ". . M 4 . none",
    "M 5 M . < none",
    ". . 4 M 5 none",
    "4 M . 6 M none",
    "M 7 M M . none",
];

#[test]
fn the_skies_of_the_page() {
    for (table, page) in [(r0(), EASY), (threat_4(), DANGEROUS)] {
        let sky = table.battle().sky;
        for (row, expected) in (0..16).rev().zip(page) {
            let cells = Column::all().map(|column| match sky.cell(row, column) {
                Cell::Empty => ".".to_owned(),
                Cell::Arrow(Direction::Left) => "<".to_owned(),
                Cell::Arrow(Direction::Right) => ">".to_owned(),
                Cell::Mothership => "M".to_owned(),
                Cell::Explosion(number) => number.to_string(),
                Cell::RedExplosion(_) | Cell::Gate(_) => panic!("not on a base tile"),
            });
            let action = match sky.action(row) {
                RowAction::None => "none".to_owned(),
                RowAction::White(n) => format!("white {n}"),
                RowAction::Excavator(n) => format!("excavator {n}"),
                RowAction::Research(n) => format!("research {n}"),
                RowAction::Damage(n) => format!("damage {n}"),
                RowAction::Dive(_) => panic!("not on a base tile"),
                RowAction::Skull => "SKULL".to_owned(),
            };
            assert_eq!(
                cells.chain([action]).collect::<Vec<_>>().join(" "),
                expected,
                "row {row}"
            );
        }
    }
}

#[test]
fn eight_faces_of_base_tiles() {
    let faces = &tables().faces;
    assert_eq!(faces.len(), 8);
    for face in faces {
        let rows = match face.half {
            Half::Top => 0..3,
            Half::Bottom => 3..6,
        };
        let spaces: Vec<Space> = face
            .rooms
            .iter()
            .flat_map(|room| room.spaces.iter())
            .collect();
        assert!(
            spaces.iter().all(|space| rows.contains(&space.row())),
            "{}",
            face.id
        );
        let expected = if face.id == "p_bottom" {
            12
        } else if face.half == Half::Top {
            13
        } else {
            11
        };
        assert_eq!(spaces.len(), expected, "{}", face.id);
        assert_eq!(face.excavator_start.is_some(), face.half == Half::Top);
        let guns = face
            .rooms
            .iter()
            .filter(|room| room.is(RoomKind::Aa))
            .count();
        assert_eq!(guns, if face.half == Half::Top { 5 } else { 0 });
    }
    let mut ids: Vec<_> = faces
        .iter()
        .flat_map(|face| &face.rooms)
        .map(|room| &room.id)
        .filter(|id| !id.starts_with("aa_"))
        .collect();
    let rooms = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), rooms, "ids of rooms are unique");
}

/// The table of rooms of section 3.4, cell by cell: `=` belongs to the room on its left.
const ROOMS: [(&str, [&str; 3]); 8] = [
    (
        "a_top",
        [
            "AA | AA | AA | AA | AA",
            "fighter 1e -1 | research 2e | T | energy x2 -3 | =",
            "energy | fighter x2 2e | = | research 1e -1 | E",
        ],
    ),
    (
        "b_top",
        [
            "AA | AA | AA | AA | AA",
            "fighter 2e | energy -1 | fighter -2 | fighter 1e -1 | E",
            "research 1e | robot 2e | T | energy -1 | research 2e +1",
        ],
    ),
    (
        "c_top",
        [
            "AA | AA | AA | AA | AA",
            "robot 1e -1 | fighter 3e | energy x2 | = | E",
            "robot -1 | research 2e +1 | T | research 1e | energy -1",
        ],
    ),
    (
        "p_top",
        [
            "AA | AA | AA | AA | AA",
            "energy -1 | robot 1e -1 | fighter 1e -1 | T | research 1e -1",
            "research 1e | energy x2 | = | fighter 2e | E",
        ],
    ),
    (
        "a_bottom",
        [
            "fighter -1 | T | research 1e | fighter x2 1e | =",
            "energy | research 1e +1 | fighter 2e +1 | T | robot 2e",
            "research x2 4e +3 | = | energy +1 | T | T",
        ],
    ),
    (
        "b_bottom",
        [
            "research -1 | T | research x2 2e | = | fighter 2e",
            "fighter 2e +1 | energy +1 | fighter 1e | T | research 1e",
            "T | research x3 2e | = | = | T",
        ],
    ),
    (
        "c_bottom",
        [
            "research x3 5e | = | = | T | fighter -1",
            "energy +1 | T | robot | fighter 2e +2 | robot 1e",
            "T | fighter 1e +3 | research x2 | = | T",
        ],
    ),
    (
        "p_bottom",
        [
            "robot 2e | fighter 2e +1 | research x2 1e | = | energy",
            "energy+fighter x2 -3 | = | T | robot 1e | fighter 1e",
            "T | research x3 1e | = | = | T",
        ],
    ),
];

/// A room as the page writes it.
fn printed(room: &Room) -> String {
    if room.kinds == [RoomKind::Aa] {
        assert_eq!((room.spaces.len(), room.cost, room.modifier), (1, 0, 0));
        return "AA".to_owned();
    }
    let kinds = room.kinds.iter().map(|kind| match kind {
        RoomKind::Aa => panic!("{}: a gun does nothing else", room.id),
        RoomKind::Energy => "energy",
        RoomKind::Fighter => "fighter",
        RoomKind::Research => "research",
        RoomKind::Robot => "robot",
    });
    let mut text = kinds.collect::<Vec<_>>().join("+");
    if room.is_merged() {
        text += &format!(" x{}", room.spaces.len());
    }
    if room.cost > 0 {
        text += &format!(" {}e", room.cost);
    }
    if room.modifier != 0 {
        text += &format!(" {:+}", room.modifier);
    }
    text
}

#[test]
fn the_rooms_of_the_page() {
    for (id, rows) in ROOMS {
        let face = tables().faces.iter().find(|face| face.id == id).unwrap();
        let first = match face.half {
            Half::Top => 0,
            Half::Bottom => 3,
        };
        for (row, expected) in (first..).zip(rows) {
            let cells = Column::all().map(|column| {
                let space = Space::at(row, column).unwrap();
                let mut rooms = face.rooms.iter().filter(|room| room.spaces.contains(space));
                let (room, second) = (rooms.next(), rooms.next());
                assert_eq!(second, None, "{id}: two rooms on {space}");
                match room {
                    Some(room) => {
                        let leftmost = room.spaces.iter().map(Space::column).min();
                        let anchor = room.spaces.iter().map(Space::index).min();
                        assert_eq!(Some(room.anchor.index()), anchor);
                        assert!(room.spaces.iter().all(|space| space.row() == row));
                        if leftmost == Some(column) {
                            printed(room)
                        } else {
                            "=".to_owned()
                        }
                    }
                    None if face.excavator_start == Some(space) => "E".to_owned(),
                    None => "T".to_owned(),
                }
            });
            assert_eq!(
                cells.collect::<Vec<_>>().join(" | "),
                expected,
                "{id}, row {row}"
            );
        }
    }
    let tracks: Vec<_> = ROOMS
        .map(|(id, _)| tables().faces.iter().find(|face| face.id == id).unwrap())
        .iter()
        .map(|face| (face.energy_spaces, face.damage_spaces))
        .collect();
    let expected = [
        (4, 4),
        (4, 3),
        (4, 4),
        (4, 3), // tops
        (4, 3),
        (3, 4),
        (5, 4),
        (4, 3), // bottoms
    ];
    assert_eq!(tracks, expected);
}

/// `room_bonus` of a kind.
fn bonus(kind: RoomKind, n: i8, scope: Scope) -> Effect {
    Effect::RoomBonus { kind, n, scope }
}

/// The table of section 8.1: what a city can do, intact and damaged.
#[test]
fn the_cities_of_the_page() {
    use Effect as E;
    let limited = |n| vec![E::RobotLimit { n: 1 }, E::RobotRoomBonus { n }];
    let columns = |columns| vec![E::AaExtra { columns, n: 1 }];
    let kept = |kinds| vec![E::RobotKeep { kinds }];
    let expected = [
        (vec![], vec![E::StartEnergy { n: 2 }]),
        (limited(2), limited(3)),
        (
            vec![E::AdjustDie { cost: 1 }],
            vec![E::AdjustDie { cost: 0 }],
        ),
        (columns(vec![0, 4]), columns(vec![0, 1, 2, 3, 4])),
        (
            vec![E::ExcavateCost { n: 0 }],
            vec![E::ExcavateCost { n: 0 }, E::ExcavateReach { n: 1 }],
        ),
        (
            vec![bonus(RoomKind::Energy, 1, Scope::FirstEachRound)],
            vec![bonus(RoomKind::Energy, 1, Scope::Every)],
        ),
        (vec![E::Drag { cost: 1 }], vec![E::Drag { cost: 0 }]),
        (
            vec![E::ShotEnergy {
                mode: ShotMode::OncePerRound,
            }],
            vec![E::ShotEnergy {
                mode: ShotMode::PerShip,
            }],
        ),
        (
            vec![E::TunnelEnergy { n: 2 }],
            vec![E::TunnelEnergy { n: 3 }],
        ),
        (
            vec![E::IgnoreMothershipAction { uses: 1 }],
            vec![E::IgnoreMothershipAction { uses: 2 }],
        ),
        (
            vec![E::RetreatReduction { n: 1 }],
            vec![E::RetreatReduction { n: 99 }],
        ),
        (
            vec![E::SkipReroll { per_round: 1 }],
            vec![E::SkipReroll { per_round: 2 }],
        ),
        (
            kept(vec![RoomKind::Energy]),
            kept(vec![RoomKind::Energy, RoomKind::Fighter]),
        ),
        (
            vec![E::StartRobot { value: 3 }],
            vec![E::StartRobot { value: 5 }],
        ),
        (
            vec![E::Discount { rooms_per_round: 1 }],
            vec![E::Discount { rooms_per_round: 2 }],
        ),
        (
            vec![E::FreeSpawn {
                ships: SpawnShips::White,
            }],
            vec![E::FreeSpawn {
                ships: SpawnShips::All,
            }],
        ),
        (
            vec![bonus(RoomKind::Fighter, 1, Scope::Every)],
            vec![bonus(RoomKind::Fighter, 2, Scope::Every)],
        ),
    ];
    assert_eq!(expected.len(), usize::from(City::COUNT));
    for (city, (intact, damaged)) in City::all().zip(expected) {
        let tile = city.tile();
        assert_eq!(
            (&tile.intact, &tile.damaged),
            (&intact, &damaged),
            "{}",
            tile.id
        );
    }
}

/// The table of section 12.2: what a character can do, basic and upgraded.
#[test]
fn the_characters_of_the_page() {
    use Effect as E;
    use Scope::{Every, FirstEachRound};
    let expected = [
        (
            "clinton_harper",
            vec![bonus(RoomKind::Fighter, 1, FirstEachRound)],
            vec![bonus(RoomKind::Fighter, 1, Every)],
        ),
        (
            "lucia_ortega",
            vec![bonus(RoomKind::Research, 1, FirstEachRound)],
            vec![bonus(RoomKind::Research, 1, Every)],
        ),
        (
            "jackson_moss",
            vec![E::ExcavateReach { n: 1 }],
            vec![E::ExcavateReach { n: 1 }, E::ExcavateCost { n: 0 }],
        ),
        (
            "samantha_legrand",
            vec![E::StartEnergy { n: 1 }],
            vec![
                E::StartEnergy { n: 1 },
                bonus(RoomKind::Energy, 1, FirstEachRound),
            ],
        ),
        (
            "jaroslav_ruzicka",
            vec![bonus(RoomKind::Robot, 1, Every)],
            vec![bonus(RoomKind::Robot, 2, Every)],
        ),
        (
            "karima_almasi",
            vec![E::Repair { cost: 2, uses: 1 }],
            vec![E::Repair { cost: 1, uses: 2 }],
        ),
        (
            "pieter_bernstein",
            vec![E::RerollAll { cost: 1 }],
            vec![E::RerollAll { cost: 0 }],
        ),
        (
            "shanti_aumann",
            vec![E::SkipReroll { per_round: 1 }],
            vec![E::SkipReroll { per_round: 2 }],
        ),
        (
            "archie_bell",
            vec![E::Repel { cost: 2, rows: 2 }],
            vec![E::Repel { cost: 1, rows: 2 }],
        ),
        (
            "iz_ox",
            vec![E::IgnoreMothershipAction { uses: 1 }],
            vec![E::IgnoreMothershipAction { uses: 2 }],
        ),
        (
            "jang_chanwook",
            vec![E::AdjustDie { cost: 1 }],
            vec![E::AdjustDie { cost: 0 }],
        ),
        (
            "wang_lin",
            vec![E::Discount { rooms_per_round: 1 }],
            vec![E::Discount { rooms_per_round: 2 }],
        ),
    ];
    assert_eq!(expected.len(), usize::from(Character::COUNT));
    for (character, (id, basic, upgraded)) in Character::all().zip(expected) {
        let sheet = character.sheet();
        assert_eq!(
            (sheet.id.as_str(), &sheet.basic, &sheet.upgraded),
            (id, &basic, &upgraded)
        );
    }
}

/// The numbers of the scenarios of section 12.3.
#[test]
fn the_scenarios_of_the_page() {
    let expected = [
        ("battle_for_the_sky", Rule::GateShots { n: 6 }),
        (
            "evacuation",
            Rule::GateEvacuation {
                n: 3,
                min_die: 4,
                cost: 1,
            },
        ),
        ("reinforcements", Rule::StartWhite { n: 2 }),
        ("satellites", Rule::JammedColumn),
        ("dangerous_research", Rule::ResearchDrain { n: 1 }),
        (
            "command_ship",
            Rule::OrangeShip {
                descent: 1,
                armor: 1,
                damage: 2,
            },
        ),
        ("reactor_leak", Rule::EnergyLeak { n: 1 }),
        (
            "repairing_the_base",
            Rule::StartDamage {
                n: 2,
                repair_cost: 2,
            },
        ),
        ("contamination", Rule::ExcavateSurcharge { n: 1 }),
        ("kamikaze_ships", Rule::WhiteKamikaze { damage: 2 }),
        ("saboteur", Rule::SabotagedDie),
        (
            "storm",
            Rule::Wind {
                left_max: 1,
                right_min: 6,
            },
        ),
        (
            "the_final_battle",
            Rule::FinalStrip {
                tile: "sky_final".to_owned(),
                start_white: 4,
            },
        ),
    ];
    for (scenario, (id, rule)) in Scenario::all().zip(expected) {
        assert_eq!(
            (scenario.sheet().id.as_str(), &scenario.sheet().rule),
            (id, &rule)
        );
    }
}

#[test]
fn every_base_can_be_dug_out_and_won() {
    for city in City::all() {
        let base = &city.tile().base;
        assert!(
            base.tunnels.contains(base.excavator_start),
            "{}",
            city.tile().id
        );
        assert!(
            base.tunnels.contains(Space::from_index(29).unwrap()),
            "{}: the last space is a tunnel",
            city.tile().id
        );
        let merged = base
            .rooms
            .iter()
            .filter(|room| room.is(RoomKind::Research) && room.is_merged());
        assert!(
            merged
                .clone()
                .all(|room| room.spaces.iter().all(|space| space.row() >= 3)),
            "in the lower half"
        );
        // The dearest last step costs 12; the best room of every city reaches it with sixes.
        let best = merged
            .filter(|room| room.cost <= base.energy_max)
            .map(|room| 6 * room.spaces.len() as i16 + i16::from(room.modifier));
        assert!(best.max().unwrap() >= 12, "{}", city.tile().id);
    }
}

/// Energy maximum, energy at the start, damage limit and excavator of 8.1.
#[test]
fn check_values_of_the_bases() {
    let expected = |base: &str| match base {
        "a over b" => (6, 2, 7, 10),
        "a over c" => (8, 3, 7, 10),
        "a over p" => (7, 2, 6, 10),
        "b over c" => (8, 3, 6, 9),
        "b over p" => (7, 2, 5, 9),
        "c over a" => (7, 2, 6, 9),
        "c over b" => (6, 2, 7, 9),
        "c over p" => (7, 2, 6, 9),
        "p over c" => (8, 3, 6, 10),
        "p over p" => (7, 2, 5, 10),
        _ => panic!("{base}"),
    };
    let cities = [
        ("roswell", 0, "a over b"),
        ("new_york", 0, "c over a"),
        ("washington_dc", 0, "b over c"),
        ("havana", 1, "a over c"),
        ("mexico_city", 1, "c over p"),
        ("montreal", 1, "c over b"),
        ("rio_de_janeiro", 1, "p over p"),
        ("cairo", 2, "b over c"),
        ("johannesburg", 2, "a over c"),
        ("london", 2, "a over b"),
        ("moscow", 2, "a over c"),
        ("paris", 2, "b over c"),
        ("beijing", 3, "c over b"),
        ("seoul", 3, "p over c"),
        ("singapore", 3, "a over p"),
        ("sydney", 3, "p over c"),
        ("tokyo", 3, "b over p"),
    ];
    assert_eq!(cities.len(), usize::from(City::COUNT));
    for (city, (id, chapter, base)) in City::all().zip(cities) {
        let tile = city.tile();
        assert_eq!((tile.id.as_str(), tile.chapter), (id, chapter));
        let tracks = (
            tile.base.energy_max,
            tile.base.energy_start,
            tile.base.damage_limit,
            tile.base.excavator_start.index(),
        );
        assert_eq!(tracks, expected(base), "{id}");
    }
}

#[test]
fn characters_and_scenarios_by_chapter() {
    let of = |chapter: u8| {
        let characters = Character::all()
            .filter(|character| character.sheet().chapter == chapter)
            .count();
        let scenarios = Scenario::all()
            .filter(|scenario| scenario.sheet().chapter == chapter)
            .count();
        let cities = City::all()
            .filter(|city| city.tile().chapter == chapter)
            .count();
        (cities, scenarios, characters)
    };
    assert_eq!(
        [0, 1, 2, 3, 4].map(of),
        [(3, 0, 0), (4, 4, 4), (5, 4, 4), (5, 4, 4), (0, 1, 0)]
    );
    for chapter in &tables().chapters {
        let expected = match chapter.number {
            1 => (4, 2, 1, 0),
            2 => (5, 2, 1, 1),
            3 => (5, 2, 1, 2),
            _ => (0, 1, 0, 3),
        };
        let found = (
            chapter.cities_dealt,
            chapter.battles,
            chapter.new_characters_per_battle,
            chapter.elites_per_battle,
        );
        assert_eq!(found, expected);
        assert_eq!(
            usize::from(chapter.cities_dealt),
            of(chapter.number).0,
            "all cities of a chapter are dealt"
        );
    }
    assert_eq!(tables().sky.advanced_from, [2, 4, 3, 3]);
    let strips = Scenario::all().filter_map(|scenario| match &scenario.sheet().rule {
        Rule::FinalStrip { tile, .. } => Some(tile.as_str()),
        _ => None,
    });
    assert_eq!(strips.collect::<Vec<_>>(), [tables().sky.strip_id.as_str()]);
    // Every scenario has a rule of its own.
    let rules: std::collections::HashSet<_> = Scenario::all()
        .map(|scenario| std::mem::discriminant(&scenario.sheet().rule))
        .collect();
    assert_eq!(rules.len(), usize::from(Scenario::COUNT));
}

#[test]
fn ids_name_their_rows() {
    assert!(City::all().all(|city| City::named(&city.tile().id) == Some(city)));
    assert!(
        Character::all()
            .all(|character| Character::named(&character.sheet().id) == Some(character))
    );
    assert!(
        Scenario::all().all(|scenario| Scenario::named(&scenario.sheet().id) == Some(scenario))
    );
    assert_eq!(City::named("atlantis"), None);
    assert!(
        City::all()
            .chain([])
            .all(|city| !city.tile().name.is_empty())
    );
}

#[test]
fn stars_are_the_difficulty() {
    assert_eq!(
        (r0().battle().sky.stars(), threat_4().battle().sky.stars()),
        (0, 4)
    );
    let stars = |set, side| {
        (0..4)
            .map(|level| tables().sky.side(level, set, side).stars)
            .collect::<Vec<_>>()
    };
    assert_eq!(stars(SkySet::Advanced, SkySide::Easy), [1; 4]);
    assert_eq!(stars(SkySet::Advanced, SkySide::Dangerous), [2; 4]);
    assert_eq!(fresh("roswell").battle().sky.skull_row(), 4);
    assert_eq!(threat_4().battle().sky.skull_row(), 5);
}
