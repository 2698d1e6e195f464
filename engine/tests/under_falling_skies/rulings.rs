//! The rulings R1 to R49 of section 13. Where a golden scenario shows one already, its test is
//! named here.

use tavola_engine::games::under_falling_skies::{BattleEnd, Event, Stage};

use crate::scenario::{ANY_ROLL, POOL, SUPPLY, at, drop_point, fresh, p, r0, threat_4};

#[test]
fn r01_each_die_moves_its_column_before_the_next_is_placed() {
    let table = r0().place(1, 8);
    assert_eq!(table.ship("red_4"), at(15, 4), "moved and triggered");
    assert_eq!(table.battle().unplaced().count(), 4);
}

#[test]
fn r02_symbols_on_the_way_are_not_triggered() {
    // Column 0 has `M` in row 13; the ship passes it and ends in row 12.
    let table = r0().place(4, 5);
    assert_eq!(
        (table.ship("red_1"), table.battle().mothership),
        (at(12, 0), 16)
    );
}

#[test]
fn r03_ships_of_a_column_keep_their_distances() {
    let table = r0()
        .m(14)
        .ships(&[
            ("red_1", at(12, 0)),
            ("red_2", at(10, 0)),
            ("red_3", drop_point(0)),
        ])
        .place(2, 5);
    assert_eq!(
        (
            table.ship("red_3"),
            table.ship("red_1"),
            table.ship("red_2")
        ),
        (at(12, 0), at(10, 0), at(8, 1))
    );
}

/// And S10, S13.
#[test]
fn r04_the_top_ship_triggers_first() {
    // Both end on arrows to the right: (8, 0) and (3, 1). The upper one is told first.
    let table = r0()
        .m(12)
        .only_ships(&[("red_2", at(4, 0)), ("red_1", at(11, 0))])
        .place(3, 5);
    let moved = table.told.iter().filter_map(|event| match event {
        Event::ShipMoved { ship, to, .. } => Some((ship.to_string(), *to)),
        _ => None,
    });
    let expected = [
        ("red_1", at(8, 0)),
        ("red_2", at(1, 0)),
        ("red_1", at(8, 1)),
        ("red_2", at(1, 1)),
    ];
    assert_eq!(
        moved.collect::<Vec<_>>(),
        expected.map(|(name, to)| (name.to_owned(), to))
    );
}

#[test]
fn r05_without_a_descent_nothing_triggers() {
    let table = r0().m(14).ships(&[("red_1", at(13, 0))]).place(1, 4);
    assert_eq!(
        (table.ship("red_1"), table.battle().mothership),
        (at(13, 0), 14)
    );
}

#[test]
fn r06_a_ship_pushed_by_an_arrow_triggers_nothing_there() {
    // No arrow points at a symbol: `tables::arrows_point_at_empty_cells` holds for every tile. So a
    // push is one move and no more.
    let table = r0().place(1, 8);
    assert_eq!(
        table
            .told
            .iter()
            .filter(|event| matches!(event, Event::ShipMoved { .. }))
            .count(),
        2
    );
}

/// And S6.
#[test]
fn r07_a_pushed_ship_moves_again_with_the_die_of_its_new_column() {
    let table = r0().place(2, 7).place(1, 6);
    // red_3 came to (14, 2), an arrow to the right, and stands in column 3.
    assert_eq!(table.ship("red_3"), at(14, 3));
    assert_eq!(table.place(3, 8).ship("red_3"), at(11, 3));
}

/// And S7.
#[test]
fn r08_an_arrow_towards_a_ship_leaves_it_on_the_arrow() {
    let table = r0().ships(&[("red_5", at(15, 4))]).place(1, 8);
    assert_eq!(table.ship("red_4"), at(15, 3));
}

/// And S8, S39, S42.
#[test]
fn r09_the_symbol_has_no_row_action_but_the_skull() {
    let table = r0().m(16).place(3, 5);
    assert_eq!(
        (table.battle().mothership, table.ship("white_1")),
        (15, SUPPLY)
    );
    threat_4()
        .m(6)
        .only_ships(&[("red_4", at(4, 1))])
        .place(3, 6)
        .ended(BattleEnd::LostMothership);
}

#[test]
fn r10_swept_ships_wait_in_the_pool_without_a_drop_point_of_their_own() {
    let table = r0().m(14).ships(&[("red_2", at(13, 1))]).place(1, 5);
    assert_eq!((table.battle().mothership, table.ship("red_2")), (13, POOL));
    // Until MS_SPAWN: column 0 is empty too, so the player chooses.
    let table = table.rooms(&[]).end_rooms(&[]);
    assert_eq!(table.legal(), ["spawn 0", "spawn 1"]);
}

/// S9.
#[test]
fn r11_the_ship_that_lowered_the_mothership_is_swept_too() {
    assert_eq!(r0().m(14).place(1, 5).ship("red_1"), POOL);
}

#[test]
fn r12_ships_on_drop_points_ride_along() {
    let table = r0().place(3, 5);
    assert_eq!(table.ship("red_2"), drop_point(1));
    // It stands in row 15 now: a 2 brings it to row 13.
    assert_eq!(table.place(2, 6).ship("red_2"), at(13, 1));
}

#[test]
fn r13_a_white_ship_that_hits_the_city_comes_back() {
    let table = r0().m(12).ships(&[("white_1", at(0, 2))]).place(1, 7);
    assert_eq!((table.ship("white_1"), table.battle().damage), (POOL, 1));
}

/// And S38.
#[test]
fn r14_white_ships_that_are_not_there_are_not_added() {
    let whites = [
        ("white_1", at(3, 1)),
        ("white_2", at(2, 2)),
        ("white_3", at(5, 2)),
    ];
    let table = threat_4().m(15).ships(&whites).mothership();
    assert_eq!(table.battle().mothership, 14, "white 2");
    assert_eq!(table.ship("white_4"), POOL);
}

#[test]
fn r15_room_modifiers_do_not_change_the_descent() {
    // p8 belongs to an energy room of -3.
    assert_eq!(r0().place(2, 8).ship("red_4"), at(14, 3));
}

#[test]
fn r16_an_aa_gun_changes_nothing_but_the_descent() {
    let table = r0().place(4, 4);
    let die = table.battle().placed().next().unwrap().0;
    assert_eq!(table.battle().die(die).face, 4);
}

#[test]
fn r17_excavating_costs_1_for_any_number_of_spaces() {
    for (value, space) in [(1, 11), (6, 16)] {
        let table = r0().rooms(&[(value, space)]).does("excavate");
        assert_eq!(
            (table.battle().energy, table.battle().excavator),
            (1, p(space))
        );
    }
}

#[test]
fn r18_a_die_that_does_not_reach_may_be_raised_before_it_is_placed() {
    let table = fresh("washington_dc").rolled([3, 1, 1, 1, 1]);
    table.refuses(
        "place_die g1 p13",
        "the die does not reach so far ahead of the excavator (6.1)",
    );
    let table = table.does("adjust_die g1 +1");
    assert!(table.offers("place_die g1 p13"));
}

#[test]
fn r19_the_excavating_die_does_not_use_its_room() {
    // p11 is a research room.
    let table = r0().rooms(&[(6, 11)]);
    table.refuses(
        "resolve_room p11 steps 1",
        "a room can be used once it is excavated entirely (R26)",
    );
    let table = table.does("excavate");
    assert_eq!(table.battle().research, 0);
    assert_eq!(table.legal(), ["end_rooms"]);
}

#[test]
fn r20_tunnels_count_for_the_distance() {
    // From e 14 on the path: p15, then the tunnel p16.
    let ahead = r0()
        .e(14)
        .spaces_for(2)
        .into_iter()
        .filter(|&space| space > 14)
        .collect::<Vec<_>>();
    assert_eq!(ahead, [15, 16]);
}

/// And S15.
#[test]
fn r21_the_other_dice_lie_on_excavated_spaces() {
    let table = r0().place(1, 11);
    assert!(table.spaces_for(6).into_iter().all(|space| space < 10));
}

#[test]
fn r22_the_space_of_the_excavator_can_not_be_used() {
    for value in 1..=6 {
        assert!(!r0().spaces_for(value).contains(&10));
    }
}

#[test]
fn r23_the_excavator_needs_not_move() {
    let table = r0().rooms(&[(5, 15)]).end_rooms(&ANY_ROLL);
    assert_eq!(
        (table.battle().excavator, table.battle().energy),
        (p(10), 2)
    );
}

#[test]
fn r24_a_room_excavated_now_can_take_a_robot_now() {
    let table = fresh("new_york")
        .energy(7)
        .rooms(&[(4, 5), (4, 13)])
        .does("excavate")
        .resolves("c_t_robot_1");
    assert!(table.offers("install_robot p12"));
    assert!(
        !table.offers("install_robot p13"),
        "the excavator stands there"
    );
}

/// S20.
#[test]
fn r25_the_dice_of_a_merged_room_that_is_not_full_just_leave() {
    let table = r0().rooms(&[(5, 8)]);
    assert!(table.ways("a_t_energy_1").is_empty());
    assert_eq!(table.end_rooms(&ANY_ROLL).battle().energy, 2);
}

#[test]
fn r26_a_merged_room_must_be_excavated_entirely() {
    // p12 and p13; the excavator on p13.
    let table = r0().e(13).rooms(&[(5, 12)]);
    table.refuses(
        "resolve_room p12",
        "a room can be used once it is excavated entirely (R26)",
    );
}

/// And S18.
#[test]
fn r27_energy_above_the_maximum_is_lost() {
    let table = r0()
        .energy(6)
        .rooms(&[(6, 8), (6, 9)])
        .resolves("a_t_energy_1");
    assert_eq!(table.battle().energy, 6);
}

#[test]
fn r28_research_rooms_are_not_added_up() {
    // Two rooms of 2 each, and a step that costs 3.
    let table = r0().e(29).energy(6).rooms(&[(2, 6), (3, 11)]);
    assert_eq!(
        (table.ways("a_t_research_1"), table.ways("a_t_research_2")),
        (vec!["steps 0".to_owned()], vec!["steps 0".to_owned()])
    );
}

#[test]
fn r29_the_marker_needs_not_go_as_far_as_it_could() {
    let table = r0().rooms(&[(4, 6)]).resolves_steps("a_t_research_1", 1);
    assert_eq!(table.battle().research, 1);
}

#[test]
fn r30_no_ship_is_spared() {
    let table = r0().m(12).ships(&[
        ("red_1", at(9, 4)),
        ("red_2", at(9, 1)),
        ("red_3", at(9, 0)),
    ]);
    let table = table.rooms(&[(5, 5)]).resolves("a_t_fighter_1");
    assert_eq!(
        [
            table.ship("red_1"),
            table.ship("red_2"),
            table.ship("red_3")
        ],
        [POOL; 3]
    );
}

#[test]
fn r31_a_ship_on_an_explosion_since_an_earlier_round_is_shot() {
    let table = r0().m(14).ships(&[("red_1", at(12, 0))]).mothership();
    assert_eq!(table.ship("red_1"), at(12, 0));
    let table = table.rooms(&[(3, 5)]).resolves("a_t_fighter_1");
    assert_eq!(table.ship("red_1"), POOL);
}

/// And S29.
#[test]
fn r32_a_robot_works_from_the_next_round_on() {
    let table = fresh("new_york")
        .energy(7)
        .rooms(&[(4, 5)])
        .resolves("c_t_robot_1")
        .does("install_robot p5");
    assert!(table.ways("c_t_robot_1").is_empty());
    let table = table.end_rooms(&ANY_ROLL).rooms(&[]);
    assert_eq!(table.ways("c_t_robot_1"), ["reuse b1"]);
}

#[test]
fn r33_a_robot_moves_no_ship_and_fills_no_column() {
    let before = fresh("new_york")
        .energy(7)
        .rooms(&[(4, 5)])
        .resolves("c_t_robot_1");
    let after = before.clone().does("install_robot p8");
    assert_eq!(after.battle().ships, before.battle().ships);
    let next = after.end_rooms(&ANY_ROLL);
    assert!(next.offers("place_die g1 p1"), "column 3");
}

/// S34.
#[test]
fn r34_a_worker_does_not_use_the_robot_of_its_space() {
    let table = r0()
        .robot("b1", 6, 14)
        .e(16)
        .rolled([2, 1, 1, 1, 1])
        .place_die("g1", 14, &[]);
    assert_eq!(table.robot_is("b1"), None);
    let table = table.rooms(&[(2, 14)]).energy(0).resolves("a_t_energy_2");
    assert_eq!(table.battle().energy, 2);
}

/// S32.
#[test]
fn r35_the_last_work_of_a_robot_counts() {
    let table = r0()
        .e(16)
        .energy(0)
        .robot("b1", 1, 14)
        .rooms(&[])
        .resolves("a_t_energy_2");
    assert_eq!((table.battle().energy, table.robot_is("b1")), (1, None));
    assert!(table.told.contains(&Event::RobotUsed {
        robot: crate::scenario::robot("b1"),
        value: 0
    }));
}

#[test]
fn r36_a_robot_that_is_not_used_keeps_its_value() {
    let table = r0()
        .e(16)
        .robot("b1", 4, 14)
        .rooms(&[])
        .end_rooms(&ANY_ROLL);
    assert_eq!(table.robot_is("b1"), Some((4, 14, false)));
}

/// S30 and E8.
#[test]
fn r37_a_robot_has_at_most_6() {
    let table = fresh("havana").energy(7).e(29);
    // c_b_robot_2 has no modifier; a robot of 6 and none above.
    let table = table
        .rooms(&[(6, 22)])
        .resolves("c_b_robot_2")
        .does("install_robot p22");
    assert_eq!(table.robot_is("b1"), Some((6, 22, true)));
}

/// S33.
#[test]
fn r38_a_robot_on_the_new_space_of_the_excavator_leaves_too() {
    let table = r0()
        .m(15)
        .e(16)
        .robot("b1", 2, 14)
        .robot("b2", 2, 15)
        .mothership();
    assert_eq!(
        (
            table.battle().excavator,
            table.robot_is("b1"),
            table.robot_is("b2")
        ),
        (p(14), None, None)
    );
}

#[test]
fn r39_the_excavator_stops_at_its_start() {
    let table = r0().m(15).e(11).mothership();
    assert_eq!(table.battle().excavator, p(10));
}

#[test]
fn r40_research_stays_at_0() {
    let table = r0().m(8).mothership();
    assert_eq!((table.battle().mothership, table.battle().research), (7, 0));
    assert_eq!(r0().m(8).research(1).mothership().battle().research, 0);
}

/// S36.
#[test]
fn r41_the_player_chooses_each_time() {
    let ships = [
        ("red_1", POOL),
        ("red_2", POOL),
        ("red_3", POOL),
        ("red_4", at(6, 3)),
        ("red_5", at(6, 4)),
    ];
    let table = r0().m(6).ships(&ships).mothership_stops();
    assert_eq!(table.legal(), ["spawn 0", "spawn 1", "spawn 2"]);
    let table = table.does("spawn 1");
    assert_eq!(table.legal(), ["spawn 0", "spawn 2"]);
    let table = table.plays(crate::scenario::action("spawn 2"), &ANY_ROLL);
    assert_eq!(table.ship("red_3"), drop_point(0));
}

#[test]
fn r42_a_column_with_a_waiting_ship_gets_no_second() {
    // Column 1 is empty, column 0 has its drop point taken.
    let table = r0().m(6).only_ships(&[
        ("red_1", drop_point(0)),
        ("red_2", POOL),
        ("red_3", at(3, 2)),
        ("red_4", at(3, 3)),
        ("red_5", at(3, 4)),
    ]);
    let table = table.mothership();
    assert_eq!(table.ship("red_2"), drop_point(1));
}

#[test]
fn r43_reds_come_first_and_the_rest_waits() {
    let ships = [("red_5", POOL), ("white_1", POOL), ("white_2", POOL)];
    let table = r0().m(6).ships(&ships).mothership();
    assert_eq!(table.ship("red_5"), drop_point(4));
    assert_eq!((table.ship("white_1"), table.ship("white_2")), (POOL, POOL));
}

#[test]
fn r44_victory_is_immediate() {
    let table =
        r0().research(15)
            .e(29)
            .damage(6)
            .energy(2)
            .rooms(&[(6, 26), (6, 27), (6, 28), (6, 5)]);
    let table = table.resolves_steps("b_b_research_4", 1);
    table.ended(BattleEnd::Won);
    assert_eq!(table.battle().placed().count(), 1);
}

/// S12.
#[test]
fn r45_the_damage_limit_ends_the_dice_phase() {
    let table = r0()
        .m(12)
        .damage(6)
        .ships(&[("red_3", at(0, 2)), ("red_2", at(1, 2))])
        .place(5, 7);
    table.ended(BattleEnd::LostDamage);
    assert_eq!(
        table.battle().damage,
        7,
        "the second hit is not counted any more"
    );
}

/// S47.
#[test]
fn r46_a_white_die_placed_last_rerolls_nothing() {
    let table = r0()
        .rolled([1; 5])
        .place_die("g1", 0, &[])
        .place_die("g2", 1, &[])
        .place_die("g3", 2, &[]);
    let table = table.place_die("w1", 3, &[2]).place_die("w2", 4, &[]);
    assert_eq!(table.battle().stage, Stage::Rooms);
}

/// S47.
#[test]
fn r47_white_dice_are_rerolled_too() {
    let table = r0().rolled([1; 5]).place_die("w2", 0, &[2, 3, 4, 5]);
    assert_eq!(table.unplaced_faces(), [2, 3, 4, 5]);
}

#[test]
fn r48_abilities_do_not_count_as_the_reroll_of_a_white_die() {
    let table = fresh("washington_dc")
        .rolled([2, 2, 2, 2, 2])
        .does("adjust_die w1 +1");
    assert_eq!(table.unplaced_faces(), [2, 2, 2, 3, 2]);
    let table = table.place_die("w1", 0, &[6, 6, 6, 6]);
    assert_eq!(table.unplaced_faces(), [6; 4]);
    let table = crate::scenario::with_character("roswell", "pieter_bernstein", false);
    let table = table
        .plays(crate::scenario::action("reroll_all"), &[5; 5])
        .place_die("w1", 0, &[6, 6, 6, 6]);
    assert_eq!(table.unplaced_faces(), [6; 4]);
}
