//! Code and data agree on what lies in the box.

use std::collections::BTreeSet;

use serde::Deserialize;
use tavola_engine::games::santorini::{
    Action, Board, Level, Pieces, Position, Santorini, Side, Space, Spaces, Worker,
};
use tavola_engine::{ActionId, Game};

const DATA: &str = include_str!("../../src/games/santorini/components.toml");

#[derive(Deserialize)]
struct Components {
    supply: SupplyTable,
    workers: WorkersTable,
    board: BoardTable,
}

#[derive(Deserialize)]
struct SupplyTable {
    level1_blocks: u8,
    level2_blocks: u8,
    level3_blocks: u8,
    domes: u8,
    total_blocks: u8,
    total_pieces: u8,
}

#[derive(Deserialize)]
struct WorkersTable {
    colours: Vec<String>,
    per_colour: Vec<String>,
    total: u8,
}

#[derive(Deserialize)]
struct BoardTable {
    columns: Vec<String>,
    rows: Vec<u8>,
    spaces: Vec<String>,
    perimeter: Vec<String>,
    inner: Vec<String>,
    neighbour_counts: NeighborCounts,
}

#[derive(Deserialize)]
struct NeighborCounts {
    corner: u32,
    edge: u32,
    inner: u32,
}

fn data() -> Components {
    toml::from_str(DATA).unwrap()
}

fn spaces(names: &[String]) -> Spaces {
    names
        .iter()
        .map(|name| name.parse::<Space>().unwrap())
        .collect()
}

#[test]
fn the_box_holds_what_the_table_says() {
    let SupplyTable {
        level1_blocks,
        level2_blocks,
        level3_blocks,
        domes,
        total_blocks,
        total_pieces,
    } = data().supply;
    assert_eq!(
        Pieces::BOX,
        Pieces {
            blocks: [level1_blocks, level2_blocks, level3_blocks],
            domes
        }
    );
    assert_eq!(Pieces::BOX.blocks.iter().sum::<u8>(), total_blocks);
    assert_eq!(total_blocks + domes, total_pieces);
}

#[test]
fn workers_are_numbered_by_side_and_figure() {
    let WorkersTable {
        colours,
        per_colour,
        total,
    } = data().workers;
    assert_eq!(
        (usize::from(Side::COUNT), Worker::COUNT),
        (colours.len(), total)
    );
    let names: Vec<_> = Worker::all().map(|worker| worker.to_string()).collect();
    let expected: Vec<_> = (1..=colours.len())
        .flat_map(|side| {
            per_colour
                .iter()
                .map(move |figure| format!("P{side}{figure}"))
        })
        .collect();
    assert_eq!(names, expected);
    for worker in Worker::all() {
        assert_eq!(worker.side().worker(worker.figure()), worker);
        assert!(worker.side().workers().contains(&worker));
    }
    assert_eq!(Worker::from_index(Worker::COUNT), None);
}

#[test]
fn spaces_are_numbered_row_by_row_from_a1() {
    let board = data().board;
    let names: Vec<_> = Space::all().map(|space| space.to_string()).collect();
    assert_eq!(names, board.spaces);
    let by_row: Vec<_> = board
        .rows
        .iter()
        .flat_map(|row| {
            board
                .columns
                .iter()
                .map(move |column| format!("{column}{row}"))
        })
        .collect();
    assert_eq!(names, by_row);
    for (index, space) in (0..).zip(Space::all()) {
        assert_eq!(
            (space.index(), Space::from_index(index)),
            (index, Some(space))
        );
        assert_eq!(space.to_string().parse(), Ok(space));
    }
    assert_eq!(Space::from_index(Space::COUNT), None);
    for name in ["", "a", "a0", "a6", "f1", "A1", "a11", "1a"] {
        assert_eq!(name.parse::<Space>(), Err(()), "{name}");
    }
}

#[test]
fn every_space_has_its_neighbors_and_every_edge_both_ways() {
    let BoardTable {
        perimeter,
        inner,
        neighbour_counts,
        ..
    } = data().board;
    let (perimeter, inner) = (spaces(&perimeter), spaces(&inner));
    assert_eq!(
        (perimeter | inner, perimeter & inner),
        (Spaces::ALL, Spaces::NONE)
    );
    let corners = spaces(&["a1", "e1", "a5", "e5"].map(String::from));
    for space in Space::all() {
        let expected = if inner.contains(space) {
            neighbour_counts.inner
        } else if corners.contains(space) {
            neighbour_counts.corner
        } else {
            neighbour_counts.edge
        };
        assert_eq!(space.neighbors().len(), expected, "{space}");
        assert!(!space.neighbors().contains(space));
        assert!(
            space
                .neighbors()
                .iter()
                .all(|neighbor| neighbor.neighbors().contains(space)),
            "{space}"
        );
    }
    let around_b2 = ["a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3"].map(String::from);
    assert_eq!(
        "b2".parse::<Space>().unwrap().neighbors(),
        spaces(&around_b2)
    );
}

#[test]
fn action_ids_are_those_of_section_7_1() {
    let id = |notation| Santorini::encode(crate::scenario::action(notation)).0;
    assert_eq!(Santorini::ACTION_SPACE, 1029);
    assert_eq!(
        [id("place_worker P1f a1"), id("place_worker P3m e5")],
        [0, 149]
    );
    assert_eq!(
        [id("move P1f a1"), id("move P1m b1"), id("move P3m e5")],
        [150, 176, 299]
    );
    assert_eq!(
        [
            id("build P1f a1 block"),
            id("build P1f a1 dome"),
            id("build P3m e5 dome")
        ],
        [300, 301, 599]
    );
    assert_eq!(
        [
            id("end_move"),
            id("end_build"),
            id("end_turn"),
            id("decline_additional_turn"),
            id("ferry P1f P1f"),
            id("ferry P1m P2f"),
            id("pre_build P1f a1 block"),
            id("remove_block a1"),
            id("offer_god apollo"),
            id("offer_god zeus"),
            id("take_god apollo"),
            id("name_start_player 0"),
            id("name_start_player 3"),
        ],
        [
            600, 601, 602, 603, 604, 612, 640, 940, 965, 994, 995, 1025, 1028
        ]
    );
}

/// The table in `action_ids.txt` never changes but at its end.
#[test]
fn every_action_id_is_where_it_has_always_been() {
    let action = |id| Santorini::decode(ActionId(id)).unwrap();
    let table: String = (0..Santorini::ACTION_SPACE)
        .map(|id| format!("{id} {}\n", action(id)))
        .collect();
    crate::golden::compare("action_ids.txt", &table);
    let actions: BTreeSet<Action> = (0..Santorini::ACTION_SPACE).map(action).collect();
    assert_eq!(actions.len(), Santorini::ACTION_SPACE as usize);
}

#[test]
fn a_position_is_read_as_the_page_writes_it() {
    let text = "01210/12320/02z10/01021/00100 · P1 none f@b3 m@d2 · P2 f@d4 · to move P2 · option max_turns = 7";
    let position: Position = text.parse().unwrap();
    assert_eq!(position.board.to_string(), "01210/12320/02z10/01021/00100");
    assert_eq!(
        Board::default().to_string(),
        "00000/00000/00000/00000/00000"
    );
    let at = |worker: &str| {
        let worker = Worker::all()
            .find(|candidate| candidate.to_string() == worker)
            .unwrap();
        position
            .workers
            .space_of(worker)
            .map(|space| space.to_string())
    };
    let stands = ["P1f", "P1m", "P2f", "P2m"].map(|worker| at(worker).unwrap_or_default());
    assert_eq!(stands, ["b3", "d2", "d4", ""]);
    assert_eq!((position.to_move.0, position.options.max_turns), (1, 7));
    assert_eq!(position.board.level("c3".parse().unwrap()), Level::TOP);
    assert_eq!(
        Pieces::on(&position.board),
        Pieces {
            blocks: [14, 7, 2],
            domes: 1
        }
    );
}

#[test]
fn a_text_that_is_no_position_is_refused_with_its_part() {
    let empty = "00000/00000/00000/00000/00000";
    for (text, expected) in [
        ("".to_owned(), "not five rows of five spaces: "),
        (
            "00000/00000".into(),
            "not five rows of five spaces: 00000/00000",
        ),
        (
            "00000/00000/00000/0000/000000".into(),
            "not five rows of five spaces: 00000/00000/00000/0000/000000",
        ),
        (
            "00000/00000/00000/00000/0000a".into(),
            "a space is one of 0123wxyz: 00000/00000/00000/00000/0000a",
        ),
        (
            empty.into(),
            "nobody is to move: 00000/00000/00000/00000/00000",
        ),
        (format!("{empty} · to move P3"), "not a player: to move P3"),
        (
            format!("{empty} · P1 f@a1 · to move P5"),
            "not a player: to move P5",
        ),
        (
            format!("{empty} · P1 bacchus f@a1"),
            "not a god: P1 bacchus f@a1",
        ),
        (
            format!("{empty} · Chaos deck top first: pan, x"),
            "not a list of gods: Chaos deck top first: pan, x",
        ),
        (
            format!("{empty} · Morpheus pool many"),
            "not a number of pieces: Morpheus pool many",
        ),
        (format!("{empty} · to move P0"), "not a player: to move P0"),
        (
            format!("{empty} · P1 pan x@a1"),
            "a worker is f@ or m@ and its space: P1 pan x@a1",
        ),
        (format!("{empty} · P1 f@a6"), "not a space: P1 f@a6"),
        (
            format!("{empty} · P1 f@a1 m@a1"),
            "the space is occupied: P1 f@a1 m@a1",
        ),
        (
            format!("{empty} · P1 f@a1 f@a2"),
            "a worker stands in two places: P1 f@a1 f@a2",
        ),
        (
            "w0000/00000/00000/00000/00000 · P1 f@a5".into(),
            "the space is occupied: P1 f@a5",
        ),
        (
            format!("{empty} · after lunch"),
            "neither a player nor an option: after lunch",
        ),
        (
            format!("{empty} · option max_turns = 0"),
            "not a legal number of turns: option max_turns = 0",
        ),
        (
            format!("{empty} · supply L1/L2/L3/dome = 1/2/3"),
            "not four numbers of pieces: supply L1/L2/L3/dome = 1/2/3",
        ),
    ] {
        assert_eq!(text.parse::<Position>().unwrap_err().to_string(), expected);
    }
    let zs = "zzzzz/zzzzz/zzzzz/zzzzz/zzzzz · to move P1";
    assert!(
        zs.parse::<Position>()
            .unwrap_err()
            .to_string()
            .starts_with("more pieces than the box holds: ")
    );
}

/// The fingerprint of a state is the same for ever, under one rules version, on any machine.
#[test]
fn a_state_hash_is_pinned() {
    let table = crate::scenario::given(
        "01210/12320/02z10/01021/00100 · P1 f@b3 m@d2 · P2 f@d4 m@a2 · to move P1",
    );
    let mut canonical = Vec::new();
    table.state.write_canonical(&mut canonical);
    let towers = [
        0, 0, 1, 0, 0, 0, 1, 0, 2, 1, 0, 2, 7, 1, 0, 1, 2, 3, 2, 0, 0, 1, 2, 1, 0,
    ];
    let (supply, workers, stage, seats) = (
        [0, 8, 11, 12, 17],
        [11, 8, 18, 5, 255, 255],
        [1, 0],
        [0, 0, 255, 2, 3, 0],
    );
    let (gods, cards) = ([0; 24], [0, 0, 0, 255, 0, 0, 0]);
    let turn = [
        0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0,
    ];
    let (turns, rules) = ([1, 0, 244, 1, 64, 0], [0; 5]);
    let expected = [
        &towers[..],
        &supply,
        &workers,
        &stage,
        &seats,
        &gods,
        &cards,
        &turn,
        &turns,
        &rules,
    ]
    .concat();
    assert_eq!(canonical, expected);
    assert_eq!(
        table.state.state_hash().to_string(),
        "8e7ab0a87c61c047f5e03a3cd4d43aa1f0d9451bbb8823abd3541fbfb33291af"
    );
}
