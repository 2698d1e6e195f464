//! The golden scenarios of section 13.1 that concern the base game, and its rulings (section 12),
//! each by its number.

use tavola_engine::games::santorini::{
    Decision, DrawReason, Options, Position, Santorini, Side, StartPlayer, Supply, WinReason,
};
use tavola_engine::{Game, Playthrough, Seat, Seed, Viewer};

use crate::scenario::{Table, action, given};

const CLIMB: &str = "a worker climbs at most one level (5.1)";
const OCCUPIED: &str = "a worker moves to a space without worker or dome (5.1)";
const FAR: &str = "a worker moves to a neighboring space (5.1)";
const STUCK: &str = "after this move the worker could not build (R8)";
const PIECE: &str = "a block is built up to level 3, on level 3 the dome (5.1)";
const USED_UP: &str = "this kind of piece is used up (R40)";

#[test]
fn g01_base_turn_count() {
    given("00000/00000/00000/00000/00000 · P1 none f@b2 m@d4 · P2 none f@b4 m@d2 · to move P1")
        .offers_number(16);
}

#[test]
fn g02_climb_at_most_one_level_drop_any_number() {
    given("00000/00000/00000/23000/01000 · P1 none f@a1 m@b2 · P2 none f@e5 m@e4 · to move P1")
        .refuses("move P1f a2", CLIMB)
        .refuses("move P1f b2", OCCUPIED)
        .allows(&["move P1f b1", "move P1m c1"])
        .refuses("move P1m a1", OCCUPIED);
}

#[test]
fn g03_win_at_once_by_moving_up_to_level_3() {
    given("00000/00000/00000/23000/00000 · P1 none f@a2 m@e1 · P2 none f@e5 m@e4 · to move P1")
        .does("move P1f b2")
        .won_by(0, WinReason::Level3);
}

#[test]
fn g04_level_3_to_level_3_is_no_win() {
    given("00000/00000/00000/33000/00000 · P1 none f@a2 m@e1 · P2 none f@e5 m@e4 · to move P1")
        .does("move P1f b2")
        .must_build()
        .allows(&["build P1f a2 dome"])
        .refuses("build P1f a2 block", PIECE);
}

#[test]
fn g05_dome_closes_a_level_3_tower() {
    given("00000/00000/00000/03000/00000 · P1 none f@b1 m@e1 · P2 none f@e5 m@e4 · to move P1")
        .does("move P1f a1")
        .does("build P1f b2 dome")
        .board("00000/00000/00000/0z000/00000")
        .turn_of(1);
}

#[test]
fn g06_no_legal_turn_loses() {
    given("00000/00000/00000/wwww0/0w0w0 · P1 none f@a1 m@c1 · P2 none f@e5 m@e4 · to move P1")
        .won_by(1, WinReason::NoLegalTurn);
}

#[test]
fn g86_no_level_1_block_left_means_no_build_on_the_ground() {
    given(
        "00000/00000/00000/00000/01000 · P1 none f@a1 m@e1 · P2 none f@e5 m@e4 · to move P1 · supply L1/L2/L3/dome = 0/5/5/5",
    )
    .does("move P1f a2")
    .offers(&["build P1f b1 block"])
    .refuses("build P1f a1 block", USED_UP);
}

#[test]
fn g115_when_one_turn_more_would_begin_the_game_is_a_draw() {
    given("00000/00000/00000/00000/00000 · P1 none f@a1 m@e1 · P2 none f@e5 m@e4 · to move P1 · option max_turns = 1")
        .does("move P1f a2")
        .does("build P1f a1 block")
        .drawn(DrawReason::MaxTurns);
}

#[test]
fn g118_no_dome_left_means_no_dome() {
    given(
        "00000/00000/00000/03000/00000 · P1 none f@b1 m@e1 · P2 none f@e5 m@e4 · to move P1 · supply L1/L2/L3/dome = 5/5/5/0",
    )
    .does("move P1f a1")
    .offers(&["build P1f b1 block", "build P1f a2 block"])
    .refuses("build P1f b2 dome", USED_UP);
}

#[test]
fn r1_standing_on_level_3_does_not_win() {
    // The worker on c3 stands on level 3 when its turn begins, and steps down.
    given("00000/00000/00300/00000/00000 · P1 none f@c3 m@e1 · P2 none f@e5 m@e4 · to move P1")
        .turn_of(0)
        .does("move P1f c2")
        .must_build();
    // A worker of the other side wins by nothing that happens on this turn.
    given("00000/00000/00000/00000/00000 · P1 none f@a1 m@e1 · P2 none f@e5 m@e4 · to move P1")
        .does("move P1f a2")
        .does("build P1f a1 block")
        .turn_of(1);
}

#[test]
fn r2_after_a_step_from_level_3_to_level_3_the_turn_goes_on_with_a_build() {
    given("00000/00000/00330/00000/00000 · P1 none f@c3 m@e1 · P2 none f@e5 m@e4 · to move P1")
        .does("move P1f d3")
        .must_build()
        .does("build P1f c3 dome")
        .board("00000/00000/00z30/00000/00000")
        .turn_of(1);
}

#[test]
fn r4_no_build_follows_a_winning_move() {
    // And so none need be possible: the supply is empty.
    given(
        "00000/00000/00000/23000/00000 · P1 none f@a2 m@e1 · P2 none f@e5 m@e4 · to move P1 · supply L1/L2/L3/dome = 0/0/0/0",
    )
    .offers(&["move P1f b2"])
    .does("move P1f b2")
    .won_by(0, WinReason::Level3);
}

#[test]
fn r5_the_space_just_left_may_be_built_on() {
    given("00000/00000/00000/00000/00000 · P1 none f@a1 m@e1 · P2 none f@e5 m@e4 · to move P1")
        .does("move P1f b2")
        .does("build P1f a1 block")
        .board("00000/00000/00000/00000/10000");
    // It is the only one here, and enough.
    given("00000/00000/www00/0ww00/0ww00 · P1 none f@a1 m@e1 · P2 none f@e5 m@e4 · to move P1")
        .does("move P1f a2")
        .offers(&["build P1f a1 block"]);
}

#[test]
fn r6_a_worker_on_the_ground_may_build_level_3_and_a_dome() {
    given("00000/00000/20000/03000/00000 · P1 none f@a1 m@e1 · P2 none f@e5 m@e4 · to move P1")
        .does("move P1f a2")
        .allows(&["build P1f a3 block", "build P1f b2 dome"])
        .does("build P1f a3 block")
        .board("00000/00000/30000/03000/00000");
}

#[test]
fn r8_a_start_that_leaves_the_player_stuck_is_not_offered() {
    // With no level-1 block left only c1 can be built on: P1f must get beside it.
    given(
        "00000/00000/00000/00000/00100 · P1 none f@a1 m@e5 · P2 none f@a5 m@b5 · to move P1 · supply L1/L2/L3/dome = 0/5/5/5",
    )
    .offers(&["move P1f b1", "move P1f b2"])
    .refuses("move P1f a2", STUCK)
    .refuses("move P1m d5", STUCK)
    .does("move P1f b1")
    .offers(&["build P1f c1 block"]);
    // A worker that can't move doesn't save its side, one that can does.
    given("00000/00000/00000/wwww0/0w0w0 · P1 none f@a1 m@e5 · P2 none f@d5 m@c5 · to move P1")
        .offers(&["move P1m d4", "move P1m e4"]);
}

#[test]
fn r40_a_shape_that_is_used_up_can_not_be_built() {
    given(
        "00000/00000/00000/12300/00000 · P1 none f@a1 m@e1 · P2 none f@e5 m@e4 · to move P1 · supply L1/L2/L3/dome = 1/0/1/0",
    )
    .does("move P1f b1")
    .refuses("build P1f a2 block", USED_UP)
    .refuses("build P1f c2 dome", USED_UP)
    .allows(&["build P1f b2 block", "build P1f a1 block"])
    .does("build P1f a1 block")
    // The last level-1 block lies on a1, and P2 is not near anything else that could be built on.
    .won_by(0, WinReason::NoLegalTurn);
}

#[test]
fn r40_a_player_for_whom_no_complete_turn_is_left_loses() {
    given(
        "00000/00000/00000/00000/00000 · P1 none f@a1 m@e1 · P2 none f@e5 m@e4 · to move P1 · supply L1/L2/L3/dome = 0/5/5/5",
    )
    .won_by(1, WinReason::NoLegalTurn);
}

#[test]
fn r40_unlimited_supplies_never_run_out() {
    let all_domes =
        "zzzzz/zzzzz/zzzzz/33000/00000 · P1 none f@a1 m@e1 · P2 none f@b1 m@d1 · to move P1";
    let table = given(&format!("{all_domes} · option piece_supply = unlimited"));
    assert_eq!(table.state.public().supply, Supply::Unlimited);
    table
        .refuses("move P1f a2", CLIMB)
        .does("move P1m e2")
        .offers_number(2)
        .does("build P1m d2 block")
        .turn_of(1);
    assert!(all_domes.parse::<Position>().is_err(), "not from one box");
}

#[test]
fn r45_an_endless_game_ends_as_a_draw() {
    let options = Options {
        max_turns: 2,
        start_player: StartPlayer::Seat(Seat(0)),
        ..Options::without_gods()
    };
    let mut game =
        Playthrough::<Santorini>::start(options.clone(), 2, Seed::from_number(0), None).unwrap();
    for (seat, notation) in [
        (0, "place_worker P1f a1"),
        (0, "place_worker P1m a5"),
        (1, "place_worker P2f e1"),
        (1, "place_worker P2m e5"),
        (0, "move P1f a2"),
        (0, "build P1f a1 block"),
        (1, "move P2f e2"),
        (1, "build P2f e1 block"),
    ] {
        game.submit(Seat(seat), action(notation), None).unwrap();
    }
    let table = Table {
        state: game.state().clone(),
        told: Vec::new(),
    };
    assert_eq!(table.state.public().turns, 2);
    table.drawn(DrawReason::MaxTurns);
    assert_eq!(Santorini::plies_max(&options, 2), game.ply());
}

#[test]
fn r66_a_turn_that_begins_and_can_not_be_completed_counts_and_loses() {
    // The only turn there is: it begins, so this is no draw.
    let table = given(
        "00000/00000/00000/wwww0/0w0w0 · P1 none f@a1 m@c1 · P2 none f@e5 m@e4 · to move P1 · option max_turns = 1",
    );
    assert_eq!(table.state.public().turns, 1);
    table.won_by(1, WinReason::NoLegalTurn);
    // The second turn would be one too many, so nobody asks whether it could be completed.
    given("000w0/000ww/00000/000ww/000w0 · P1 none f@a1 m@a3 · P2 none f@e5 m@e1 · to move P1 · option max_turns = 1")
        .does("move P1f a2")
        .does("build P1f a1 block")
        .drawn(DrawReason::MaxTurns);
}

#[test]
fn r25_a_side_without_workers_loses_at_the_start_of_its_turn() {
    given("00000/00000/00000/00000/00000 · P1 none f@a1 m@e1 · P2 none · to move P1")
        .does("move P1f a2")
        .does("build P1f a1 block")
        .won_by(0, WinReason::NoLegalTurn);
}

#[test]
fn s3_placing_with_two_players() {
    let mut game = start(1);
    for (seat, notation, options) in [
        (1, "place_worker P2f c3", 25),
        (1, "place_worker P2m a1", 24),
        (0, "place_worker P1f e5", 23),
        (0, "place_worker P1m b2", 22),
    ] {
        let table = Table {
            state: game.state().clone(),
            told: Vec::new(),
        };
        table.offers_number(options);
        game.submit(Seat(seat), action(notation), None).unwrap();
    }
    Table {
        state: game.state().clone(),
        told: Vec::new(),
    }
    .turn_of(1);
}

#[test]
fn section_4_3_workers_are_placed_in_order_on_unoccupied_spaces() {
    let order = "the start player places both workers, then the other player, f before m (4.3)";
    let game = start(0);
    Table {
        state: game.state().clone(),
        told: Vec::new(),
    }
    .refuses("place_worker P1m a1", order)
    .refuses("place_worker P2f a1", order)
    .refuses(
        "move P1f a1",
        "all workers are placed before the first turn (4.3)",
    )
    .does("place_worker P1f c3")
    .refuses(
        "place_worker P1m c3",
        "a worker enters on an unoccupied space (4.3)",
    );
}

#[test]
fn section_5_a_turn_is_a_move_and_then_a_build_by_the_worker_that_moved() {
    given("00000/00000/00000/00000/00000 · P1 none f@a1 m@e1 · P2 none f@e5 m@e4 · to move P1")
        .refuses("build P1f a2 block", "a turn begins with a move (5)")
        .refuses("place_worker P1f c3", "a turn begins with a move (5)")
        .refuses("move P2f d4", "a player moves a worker of his own side (5)")
        .refuses("move P3f d4", "a player moves a worker of his own side (5)")
        .does("move P1f a2")
        .refuses("move P1f a3", "after the move the worker builds (5)")
        .refuses("build P1m d1 block", "the worker that moved builds (5)");
}

#[test]
fn section_5_1_a_move_goes_to_a_free_neighboring_space() {
    given("00000/00000/00000/w0000/00000 · P1 none f@a1 m@b2 · P2 none f@b1 m@e4 · to move P1")
        .refuses("move P1f a2", OCCUPIED)
        .refuses("move P1f b1", OCCUPIED)
        .refuses("move P1f b2", OCCUPIED)
        .refuses("move P1f a1", FAR)
        .refuses("move P1f a3", FAR)
        .refuses("move P1f e1", FAR);
    // Columns and rows don't wrap around.
    given("00000/00000/00000/00000/00000 · P1 none f@e1 m@e3 · P2 none f@a5 m@b5 · to move P1")
        .refuses("move P1f a2", FAR)
        .allows(&["move P1f d1", "move P1f d2", "move P1f e2"]);
}

#[test]
fn section_5_1_a_worker_drops_any_number_of_levels() {
    given("00000/00000/00000/30000/00000 · P1 none f@a2 m@e1 · P2 none f@e5 m@e4 · to move P1")
        .does("move P1f a1")
        .must_build();
}

#[test]
fn section_5_1_a_build_goes_on_a_free_neighboring_space() {
    let occupied = "a worker builds on a space without worker or dome (5.1)";
    let far = "a worker builds on a neighboring space (5.1)";
    given("00000/00000/0z000/w1000/00000 · P1 none f@a1 m@b2 · P2 none f@c1 m@e4 · to move P1")
        .does("move P1f b1")
        .refuses("build P1f a2 block", occupied)
        .refuses("build P1f a2 dome", occupied)
        .refuses("build P1f b2 block", occupied)
        .refuses("build P1f c1 block", occupied)
        .refuses("build P1f b1 block", far)
        .refuses("build P1f b3 block", far)
        .refuses("build P1f a1 dome", PIECE)
        .offers(&["build P1f a1 block", "build P1f c2 block"]);
}

#[test]
fn section_5_2_only_a_move_up_to_level_3_wins_and_only_on_the_own_turn() {
    given("00000/00000/00000/12000/00000 · P1 none f@a2 m@e1 · P2 none f@e5 m@e4 · to move P1")
        .does("move P1f b2")
        .must_build();
}

#[test]
fn section_11_who_resigns_loses_whoever_is_on_turn() {
    let position =
        "00000/00000/00000/00000/00000 · P1 none f@a1 m@e1 · P2 none f@e5 m@e4 · to move P1";
    given(position).resigns(0).won_by(1, WinReason::Resigned);
    given(position).resigns(1).won_by(0, WinReason::Resigned);
    given(position)
        .does("move P1f a2")
        .resigns(0)
        .won_by(1, WinReason::Resigned);
    given(position)
        .does("move P1f a2")
        .resigns(1)
        .won_by(0, WinReason::Resigned);
}

#[test]
fn section_11_a_player_may_resign_while_workers_are_placed() {
    let mut game = start(0);
    game.submit(Seat(0), action("place_worker P1f a1"), None)
        .unwrap();
    game.resign(Seat(0), None).unwrap();
    Table {
        state: game.state().clone(),
        told: Vec::new(),
    }
    .won_by(1, WinReason::Resigned);
}

#[test]
fn returns_are_one_for_the_winner_minus_one_for_the_loser_and_nothing_in_a_draw() {
    let returns = |table: &Table| {
        let outcome = Santorini::outcome(table.state.public()).unwrap();
        [0, 1].map(|seat| *outcome.returns.get(Seat(seat)).unwrap())
    };
    let position =
        "00000/00000/00000/00000/00000 · P1 none f@a1 m@e1 · P2 none f@e5 m@e4 · to move P1";
    assert_eq!(returns(&given(position).resigns(0)), [-1, 1]);
    assert_eq!(returns(&given(position).resigns(1)), [1, -1]);
    let last_turn = given(&format!("{position} · option max_turns = 1"));
    assert_eq!(
        returns(&last_turn.does("move P1f a2").does("build P1f a1 block")),
        [0, 0]
    );
}

#[test]
fn section_7_the_player_on_turn_owes_each_decision_in_its_turn() {
    let decision = |table: &Table| {
        let public = table.state.public();
        let seen = |seat| table.state.seen(Viewer::Seat(seat));
        assert_eq!(Santorini::decision(seen(Seat(1 - public.on_turn.0))), None);
        assert_eq!(
            Santorini::decision(table.state.seen(Viewer::Spectator)),
            None
        );
        Santorini::decision(seen(public.on_turn)).unwrap()
    };
    let [p1f, p1m] = Side::of(Seat(0), 2).workers();
    let table = Table {
        state: start(0).state().clone(),
        told: Vec::new(),
    };
    assert_eq!(decision(&table), Decision::PlaceWorker { worker: p1f });
    let table = table.does("place_worker P1f a1");
    assert_eq!(decision(&table), Decision::PlaceWorker { worker: p1m });
    let table = table
        .does("place_worker P1m e1")
        .does("place_worker P2f e5")
        .does("place_worker P2m e4");
    assert_eq!(decision(&table), Decision::Move);
    let table = table.does("move P1m e2");
    assert_eq!(decision(&table), Decision::Build);
}

#[test]
fn labels_are_readable() {
    let label = |table: &Table, notation| {
        let mut label = String::new();
        let seen = table.state.seen(Viewer::Seat(table.state.public().on_turn));
        Santorini::label(seen, action(notation), &mut label);
        label
    };
    let table = given("00000/00000/00000/31000/00000 · P1 f@b1 m@e1 · P2 f@e5 m@e4 · to move P1");
    assert_eq!(label(&table, "place_worker P1f b3"), "place P1f on B3");
    assert_eq!(label(&table, "move P1f a1"), "B1 → A1");
    assert_eq!(label(&table, "move P3f a1"), "P3f → A1");
    let table = table.does("move P1f a1");
    assert_eq!(label(&table, "build P1f b1 block"), "build level 1 on B1");
    assert_eq!(label(&table, "build P1f b2 block"), "build level 2 on B2");
    assert_eq!(label(&table, "build P1f a2 dome"), "build dome on A2");
}

/// A new game in which this seat starts.
fn start(seat: u8) -> Playthrough<Santorini> {
    let options = Options {
        start_player: StartPlayer::Seat(Seat(seat)),
        ..Options::without_gods()
    };
    Playthrough::start(options, 2, Seed::from_number(0), None).unwrap()
}
