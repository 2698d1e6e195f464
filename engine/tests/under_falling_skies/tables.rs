//! The data of the game (16.1): counts and shapes, and every table against the page.

use tavola_engine::games::under_falling_skies::tables::{
    Cell, GateColor, Half, RoomKind, Rule, Tables, TileSide, tables,
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
