//! The golden scenarios S1 to S48 and E8 of section 14.

use std::collections::BTreeMap;

use tavola_engine::games::under_falling_skies::{
    BattleEnd, Event, Options, ShipCause, SkySide, Stage,
};

use crate::scenario::{
    ANY_ROLL, POOL, SUPPLY, Table, at, col, drop_point, easy, fresh, r0, ship, start, threat_4,
};

#[test]
fn s01_tracks_and_excavators_of_the_published_cities() {
    let tracks = |city| {
        let table = fresh(city);
        let (battle, base) = (table.battle(), table.battle().base());
        (
            base.energy_max,
            battle.energy,
            base.damage_limit,
            battle.excavator.index(),
        )
    };
    assert_eq!(tracks("roswell"), (6, 2, 7, 10));
    assert_eq!(tracks("new_york"), (7, 2, 6, 9));
    assert_eq!(tracks("washington_dc"), (8, 3, 6, 9));
}

/// S2 and S3 come to the same.
fn red_1_is_on_the_mothership_symbol(table: &Table) {
    assert_eq!(table.ship("red_1"), at(13, 0));
    assert_eq!(table.battle().mothership, 15);
    for column in 1..5 {
        assert_eq!(
            table.ship(&format!("red_{}", column + 1)),
            drop_point(column)
        );
    }
    assert_eq!(table.ship("white_1"), SUPPLY, "no action");
}

#[test]
fn s02_a_ship_that_ends_on_the_symbol_lowers_the_mothership() {
    red_1_is_on_the_mothership_symbol(&r0().place(3, 5));
}

#[test]
fn s03_an_aa_gun_slows_the_ships() {
    red_1_is_on_the_mothership_symbol(&r0().place(4, 4));
}

#[test]
fn s04_a_die_of_1_on_an_aa_gun_moves_nothing() {
    let before = r0();
    let after = before.clone().place(1, 2);
    assert_eq!(after.battle().ships, before.battle().ships);
    assert_eq!(after.battle().mothership, 16);
}

#[test]
fn s05_an_arrow_moves_a_ship_to_the_next_column() {
    let table = r0().place(1, 8);
    assert_eq!(table.ship("red_4"), at(15, 4));
    let moved = |cause| move |event: &&Event| matches!(event, Event::ShipMoved { cause: c, .. } if *c == cause);
    assert_eq!(
        table.told.iter().filter(moved(ShipCause::Descent)).count(),
        1
    );
    assert_eq!(table.told.iter().filter(moved(ShipCause::Arrow)).count(), 1);
}

#[test]
fn s06_a_ship_that_was_moved_to_a_column_moves_again_with_its_die() {
    let table = r0().place(1, 8).place(2, 9);
    assert_eq!(table.ship("red_5"), at(14, 4));
    assert_eq!(table.ship("red_4"), at(13, 4));
}

#[test]
fn s07_an_arrow_towards_a_ship_does_nothing() {
    let table = r0().ships(&[("red_1", at(14, 0))]).place(2, 6);
    assert_eq!(table.ship("red_2"), at(14, 1));
    assert_eq!(table.ship("red_1"), at(14, 0));
}

#[test]
fn s08_the_symbol_acts_without_the_action_of_the_row() {
    let table = r0()
        .m(13)
        .ships(&[("red_1", at(11, 1)), ("red_2", at(7, 1))])
        .place(2, 6);
    assert_eq!(table.ship("red_1"), at(9, 1));
    assert_eq!(table.ship("red_2"), at(5, 1));
    assert_eq!(table.battle().mothership, 12);
    assert!(
        !table
            .told
            .iter()
            .any(|event| matches!(event, Event::RowActionTaken { .. }))
    );
}

#[test]
fn s09_the_ship_that_lowered_the_mothership_can_be_swept_itself() {
    let table = r0().m(14).place(1, 5);
    assert_eq!(table.battle().mothership, 13);
    assert_eq!(table.ship("red_1"), POOL);
}

#[test]
fn s10_effects_go_from_the_top_down() {
    let table = r0().m(14).ships(&[("red_2", at(12, 0))]).place(1, 5);
    assert_eq!(table.ship("red_1"), POOL);
    assert_eq!(table.ship("red_2"), at(11, 0));
    assert_eq!(table.battle().mothership, 12);
}

#[test]
fn s11_a_ship_that_hits_the_city_triggers_nothing() {
    let table = r0().m(12).ships(&[("red_3", at(2, 2))]).place(4, 2);
    assert_eq!((table.battle().damage, table.ship("red_3")), (1, POOL));
    assert_eq!(table.battle().mothership, 12);
}

#[test]
fn s12_the_last_hit_loses_at_once() {
    let table = r0()
        .m(12)
        .damage(6)
        .ships(&[("red_3", at(2, 2))])
        .place(3, 7);
    assert_eq!(table.battle().damage, 7);
    table.ended(BattleEnd::LostDamage);
    assert_eq!(table.battle().unplaced().count(), 4);
}

#[test]
fn s13_hit_symbol_and_arrow_in_one_descent() {
    let ships = [
        ("red_1", at(6, 4)),
        ("red_2", at(1, 4)),
        ("red_3", at(3, 4)),
        ("red_5", drop_point(2)),
    ];
    let table = r0().m(12).ships(&ships).place(2, 9);
    assert_eq!((table.battle().damage, table.ship("red_2")), (1, POOL));
    assert_eq!(table.ship("red_1"), at(4, 4));
    assert_eq!(table.battle().mothership, 11);
    assert_eq!(table.ship("red_3"), at(1, 3));
}

#[test]
fn s14_how_far_a_die_reaches_ahead() {
    let ahead = |value| {
        r0().spaces_for(value)
            .into_iter()
            .filter(|&space| space >= 10)
            .collect::<Vec<_>>()
    };
    assert_eq!(ahead(1), [11]);
    assert_eq!(ahead(4), [11, 12, 13, 14]);
    assert_eq!(ahead(5), [11, 12, 13, 14, 15]);
    assert_eq!(ahead(6), [11, 12, 13, 14, 15, 16]);
    r0().refuses(
        "place_die g1 p10",
        "the excavator's own space is not excavated (R22)",
    );
    r0().refuses(
        "place_die g1 p12",
        "the die does not reach so far ahead of the excavator (6.1)",
    );
}

#[test]
fn s15_one_die_of_a_round_lies_ahead() {
    let table = r0().place(2, 12);
    assert!(table.spaces_for(6).iter().all(|&space| space < 10));
    table.refuses(
        "place_die g2 p11",
        "one die of a round lies ahead of the excavator (R21)",
    );
}

#[test]
fn s16_the_excavator_moves_to_the_die_ahead() {
    let table = r0().place(5, 15);
    assert_eq!(
        (table.ship("red_1"), table.battle().mothership),
        (at(11, 0), 15)
    );
    let table = table.rooms(&[(5, 15)]).does("excavate");
    let battle = table.battle();
    assert_eq!((battle.energy, battle.excavator.index()), (1, 15));
    assert_eq!(
        battle.excavated().iter().last().map(|space| space.index()),
        Some(14)
    );
    assert_eq!(battle.placed().count(), 0, "the die has left");
}

#[test]
fn s17_excavating_takes_energy() {
    let table = r0().rooms(&[(5, 15)]).energy(0);
    assert!(!table.offers("excavate"));
    let table = table.end_rooms(&ANY_ROLL);
    assert_eq!(table.battle().excavator.index(), 10);
    assert_eq!(table.battle().placed().count(), 0);
}

#[test]
fn s18_energy_above_the_maximum_is_lost() {
    let table = r0()
        .e(16)
        .energy(5)
        .rooms(&[(6, 14)])
        .resolves("a_t_energy_2");
    assert_eq!(table.battle().energy, 6);
}

#[test]
fn s19_a_merged_energy_room() {
    let energy = |dice: &[(u8, u8)]| r0().rooms(dice).resolves("a_t_energy_1").battle().energy;
    assert_eq!(energy(&[(2, 8), (4, 9)]), 5);
    assert_eq!(energy(&[(1, 8), (1, 9)]), 2);
}

#[test]
fn s20_a_merged_room_with_an_empty_space_can_not_be_used() {
    let table = r0().e(16).rooms(&[(5, 12)]);
    assert!(table.ways("a_t_fighter_2").is_empty());
    table.refuses(
        "resolve_room p12",
        "all spaces of a room must hold a worker die or a ready robot (R25)",
    );
    assert_eq!(table.end_rooms(&ANY_ROLL).battle().placed().count(), 0);
}

#[test]
fn s21_fighters_shoot_whatever_their_value_reaches() {
    let ships = [
        ("red_1", at(9, 4)),
        ("red_2", at(9, 0)),
        ("white_1", at(9, 1)),
    ];
    let table = r0()
        .m(12)
        .ships(&ships)
        .rooms(&[(4, 5)])
        .resolves("a_t_fighter_1");
    assert_eq!(table.battle().energy, 1);
    assert_eq!(
        (
            table.ship("red_1"),
            table.ship("white_1"),
            table.ship("red_2")
        ),
        (POOL, SUPPLY, at(9, 0))
    );
}

#[test]
fn s22_the_order_of_research_rooms_matters() {
    let given = || r0().research(5).energy(6).e(29).rooms(&[(2, 6), (4, 15)]);
    let a = given()
        .resolves_steps("a_t_research_1", 1)
        .resolves_steps("b_b_research_1", 1);
    assert_eq!((a.battle().research, a.battle().energy), (7, 4));
    let b = given().resolves_steps("b_b_research_1", 1);
    assert_eq!(b.ways("a_t_research_1"), ["steps 0"]);
    let b = b.resolves_steps("a_t_research_1", 0);
    assert_eq!((b.battle().research, b.battle().energy), (6, 4));
}

#[test]
fn s23_any_number_of_steps_that_the_value_pays_for() {
    let table = r0().rooms(&[(4, 6)]);
    assert_eq!(table.ways("a_t_research_1"), ["steps 1", "steps 2"]);
    for steps in [1, 2] {
        let table = table.clone().resolves_steps("a_t_research_1", steps);
        assert_eq!((table.battle().research, table.battle().energy), (steps, 0));
    }
    table.refuses(
        "resolve_room p6 steps 3",
        "the value of the room does not allow so many steps (7.1)",
    );
    table.refuses(
        "resolve_room p6",
        "a research room says how many steps it makes (9)",
    );
}

#[test]
fn s24_the_last_space_takes_11() {
    let given = |last| {
        r0().research(15)
            .e(29)
            .rooms(&[(4, 26), (last, 27), (3, 28)])
    };
    let short = given(3);
    assert_eq!(short.ways("b_b_research_4"), ["steps 0"]);
    let short = short.resolves_steps("b_b_research_4", 0);
    assert_eq!((short.battle().energy, short.battle().research), (0, 15));
    short.goes_on();
    given(4)
        .resolves_steps("b_b_research_4", 1)
        .ended(BattleEnd::Won);
}

#[test]
fn s25_two_steps_to_victory() {
    let table = r0().research(14).e(29).rooms(&[(5, 26), (5, 27), (4, 28)]);
    assert_eq!(table.ways("b_b_research_4"), ["steps 1", "steps 2"]);
    table
        .resolves_steps("b_b_research_4", 2)
        .ended(BattleEnd::Won);
}

#[test]
fn s26_a_room_that_can_not_be_paid_is_not_offered() {
    let table = r0().energy(1).rooms(&[(3, 6), (3, 5)]);
    assert!(table.ways("a_t_research_1").is_empty());
    assert_eq!(table.ways("a_t_fighter_1"), [""]);
    table.refuses(
        "resolve_room p6 steps 1",
        "the energy does not cover the cost of the room (7.1)",
    );
}

/// New York after S27: b1 of value 3 on p7, exhausted.
fn s27() -> Table {
    let table = fresh("new_york").place(4, 5);
    assert_eq!(table.ship("red_1"), at(12, 0));
    table
        .rooms(&[(4, 5)])
        .resolves("c_t_robot_1")
        .does("install_robot p7")
}

#[test]
fn s27_a_robot_is_built_and_installed() {
    let table = s27();
    assert_eq!(table.battle().energy, 1);
    assert_eq!(table.robot_is("b1"), Some((3, 7, true)));
}

#[test]
fn s28_a_robot_works_in_the_next_round() {
    let table = fresh("new_york")
        .energy(1)
        .robot("b1", 3, 7)
        .rooms(&[(2, 8)])
        .resolves("c_t_energy_1");
    assert!(table.told.contains(&Event::RoomResolved {
        room: crate::scenario::p(7),
        value: 7
    }));
    assert_eq!(table.battle().energy, 7, "1 + 7 is more than the track has");
    assert_eq!(table.robot_is("b1"), Some((2, 7, true)));
    assert_eq!(
        table.end_rooms(&ANY_ROLL).robot_is("b1"),
        Some((2, 7, false))
    );
}

#[test]
fn s29_a_robot_does_not_work_in_the_round_in_which_it_was_built() {
    let table = s27().edit(|battle| {
        battle.dice[1].face = 2;
        battle.dice[1].place =
            tavola_engine::games::under_falling_skies::DiePlace::On(crate::scenario::p(8));
    });
    assert_eq!(table.battle().stage, Stage::Rooms);
    assert!(table.ways("c_t_energy_1").is_empty());
}

#[test]
fn s30_a_robot_can_build_itself_anew() {
    let table = fresh("new_york").energy(3).robot("b1", 6, 5).rooms(&[]);
    assert_eq!(
        table.ways("c_t_robot_1"),
        ["reuse b1"],
        "New York has but one robot"
    );
    let table = table.resolves_reusing("c_t_robot_1", "b1");
    assert!(table.told.contains(&Event::RoomResolved {
        room: crate::scenario::p(5),
        value: 7
    }));
    let table = table.does("install_robot p8");
    assert_eq!(table.robot_is("b1"), Some((6, 8, true)));
    assert_eq!(table.battle().energy, 2);
}

#[test]
fn s31_two_robots_are_the_limit() {
    let table = fresh("washington_dc")
        .e(20)
        .robot("b1", 3, 0)
        .robot("b2", 2, 1)
        .rooms(&[(5, 13)]);
    assert_eq!(table.ways("b_t_robot_1"), ["reuse b1", "reuse b2"]);
    table.refuses(
        "resolve_room p13",
        "no more robots can be on the board; one of them may be reused (7.3)",
    );
    let table = table
        .resolves_reusing("b_t_robot_1", "b2")
        .does("install_robot p13");
    assert_eq!(table.battle().energy, 1);
    assert_eq!(table.robot_is("b2"), Some((5, 13, true)));
}

#[test]
fn s32_a_robot_at_1_leaves_after_its_last_work() {
    let table = fresh("washington_dc")
        .e(20)
        .robot("b1", 1, 11)
        .rooms(&[])
        .resolves("b_t_energy_2");
    assert_eq!(table.battle().energy, 3);
    assert_eq!(table.robot_is("b1"), None);
}

#[test]
fn s33_the_excavator_is_pushed_back_over_a_robot() {
    let table = fresh("washington_dc")
        .e(16)
        .m(15)
        .robot("b1", 3, 14)
        .robot("b2", 3, 13)
        .mothership();
    assert_eq!(table.battle().mothership, 14);
    assert_eq!(table.battle().excavator.index(), 14);
    assert_eq!(table.robot_is("b1"), None);
    assert_eq!(table.robot_is("b2"), Some((3, 13, false)));
}

#[test]
fn s34_a_worker_on_the_space_of_a_robot_removes_it() {
    let table = r0().robot("b1", 4, 8).place(5, 8);
    assert_eq!(table.robot_is("b1"), None);
    assert_eq!(table.ship("red_4"), at(11, 3));
    assert!(!table.spaces_for(3).contains(&1), "column 3 has its die");
}

#[test]
fn s35_the_pool_spawns_red_ships_first() {
    let ships = [
        ("red_1", at(12, 1)),
        ("red_2", at(10, 2)),
        ("red_3", POOL),
        ("red_4", at(11, 3)),
        ("red_5", at(13, 4)),
    ];
    let table = r0().ships(&ships).mothership();
    assert_eq!(table.battle().mothership, 15);
    assert_eq!(table.ship("red_3"), drop_point(0));
    assert_eq!(table.ship("white_1"), drop_point(2));
}

#[test]
fn s36_the_player_chooses_between_tied_columns() {
    let ships = [
        ("red_1", at(14, 2)),
        ("red_2", at(14, 4)),
        ("red_3", at(6, 0)),
        ("red_4", at(6, 1)),
        ("red_5", at(6, 3)),
    ];
    let table = r0().m(15).ships(&ships).mothership_stops();
    assert_eq!(table.battle().excavator.index(), 10, "it is at its start");
    assert_eq!((table.ship("red_1"), table.ship("red_2")), (POOL, POOL));
    assert_eq!(table.legal(), ["spawn 2", "spawn 4"]);
    table.refuses(
        "spawn 3",
        "the ship appears in one of the columns that are tied (6.6)",
    );
    let table = table.plays(crate::scenario::action("spawn 4"), &ANY_ROLL);
    assert_eq!(
        (table.ship("red_1"), table.ship("red_2")),
        (drop_point(4), drop_point(2))
    );
}

#[test]
fn s37_without_a_free_drop_point_ships_wait() {
    let table = r0().m(12).ships(&[("white_1", POOL)]).mothership();
    assert_eq!(table.battle().mothership, 11);
    assert_eq!((table.ship("white_1"), table.ship("white_2")), (POOL, POOL));
}

#[test]
fn s38_the_supply_can_be_empty() {
    let reds = (1..6).map(|nth| (format!("red_{nth}"), at(8, nth - 1)));
    let whites = (1..5).map(|nth| (format!("white_{nth}"), at(3, nth - 1)));
    let ships: Vec<_> = reds.chain(whites).collect();
    let named: Vec<_> = ships
        .iter()
        .map(|(name, place)| (name.as_str(), *place))
        .collect();
    let before = r0().ships(&named);
    let after = before.clone().mothership();
    assert_eq!(after.battle().mothership, 15);
    assert_eq!(after.battle().ships, before.battle().ships);
}

#[test]
fn s39_the_symbol_can_bring_the_mothership_to_the_skull() {
    let table = r0().m(5).ships(&[("red_4", at(4, 3))]).place(1, 8);
    assert_eq!(table.battle().mothership, 4);
    table.ended(BattleEnd::LostMothership);
}

#[test]
fn s40_the_mothership_reaches_the_skull() {
    let table = r0().m(5).ships(&[("red_1", POOL)]).mothership_stops();
    assert_eq!(table.battle().mothership, 4);
    table.ended(BattleEnd::LostMothership);
    assert_eq!(table.ship("red_1"), POOL, "no spawn");
}

#[test]
fn s41_the_skull_of_the_dangerous_side_is_one_row_higher() {
    let table = threat_4().m(6).mothership_stops();
    assert_eq!(table.battle().mothership, 5);
    table.ended(BattleEnd::LostMothership);
}

#[test]
fn s42_the_symbol_skips_the_row_action() {
    let table = r0().m(15).e(14).ships(&[("red_1", at(14, 0))]).place(1, 5);
    assert_eq!(table.battle().mothership, 14);
    assert_eq!(table.battle().excavator.index(), 14);
}

#[test]
fn s43_the_excavator_is_pushed_back() {
    let table = r0().m(15).e(14).ships(&[("red_1", at(11, 0))]).mothership();
    assert_eq!(
        (table.battle().mothership, table.battle().excavator.index()),
        (14, 12)
    );
}

#[test]
fn s44_a_row_action_can_lose_the_battle() {
    let table = threat_4()
        .m(8)
        .damage(6)
        .ships(&[("red_1", POOL)])
        .mothership_stops();
    assert_eq!(table.battle().mothership, 7);
    table.ended(BattleEnd::LostDamage);
    assert_eq!(table.ship("red_1"), POOL, "no spawn");
}

#[test]
fn s45_damage_and_research_rows() {
    let table = threat_4().m(8).mothership();
    assert_eq!((table.battle().mothership, table.battle().damage), (7, 1));
    let table = threat_4().m(9).mothership();
    assert_eq!((table.battle().mothership, table.battle().research), (8, 0));
    let table = threat_4().m(9).research(3).mothership();
    assert_eq!(table.battle().research, 2);
}

#[test]
fn s46_a_room_of_two_kinds_does_both() {
    let ships = [
        ("red_1", at(13, 2)),
        ("red_2", at(12, 0)),
        ("red_3", at(12, 4)),
    ];
    let table = fresh("rio_de_janeiro")
        .e(29)
        .energy(0)
        .ships(&ships)
        .rooms(&[(2, 24), (3, 23)])
        .resolves("p_b_dual_1");
    assert_eq!(table.battle().energy, 2);
    assert_eq!(
        (
            table.ship("red_1"),
            table.ship("red_2"),
            table.ship("red_3")
        ),
        (POOL, POOL, at(12, 4))
    );
}

#[test]
fn s47_a_white_die_rerolls_what_is_left() {
    let table = r0()
        .rolled([3, 3, 5, 2, 6])
        .place_die("w1", 0, &[6, 5, 4, 3]);
    assert_eq!(table.unplaced_faces(), [6, 5, 4, 3]);
    let rerolled = Event::DiceRerolled {
        faces: [Some(6), Some(5), Some(4), None, Some(3)],
    };
    assert_eq!(table.told.last(), Some(&rerolled));
    let table = table.place_die("w2", 1, &[1, 2, 3]);
    assert_eq!(table.unplaced_faces(), [1, 2, 3]);
    // A white die that is the fifth rerolls nothing.
    let table = r0()
        .rolled([3, 3, 5, 2, 6])
        .place_die("g1", 0, &[])
        .place_die("g2", 1, &[])
        .place_die("g3", 2, &[]);
    let table = table.place_die("w1", 3, &[4]).place_die("w2", 4, &[]);
    assert_eq!(table.battle().stage, Stage::Rooms);
}

#[test]
fn s48_the_threat_is_the_number_of_dangerous_tiles() {
    let options = Options {
        threat: Some(2),
        ..easy("roswell")
    };
    let mut pairs = BTreeMap::new();
    // All draws of a shuffle of four.
    for draws in (0..24).map(|nth| [nth % 4, nth / 4 % 3, nth / 12]) {
        let table = start(&options, &[&draws[..], &ANY_ROLL].concat());
        let dangerous = table
            .battle()
            .sky
            .tiles
            .map(|(_, side)| side == SkySide::Dangerous);
        *pairs.entry(dangerous).or_insert(0) += 1;
    }
    assert!(
        pairs
            .keys()
            .all(|sides| sides.iter().filter(|&&dangerous| dangerous).count() == 2)
    );
    assert_eq!(
        pairs.into_values().collect::<Vec<_>>(),
        [4; 6],
        "each pair equally likely"
    );
}

#[test]
fn e08_a_robot_room_below_1_builds_nothing() {
    let table = fresh("new_york").energy(3).rooms(&[(1, 5)]);
    assert_eq!(table.ways("c_t_robot_1"), [""]);
    let table = table.resolves("c_t_robot_1");
    assert_eq!(table.battle().energy, 2);
    assert_eq!(table.robot_is("b1"), None);
    assert_eq!(table.battle().stage, Stage::Rooms, "nothing to decide");
    // Nor does it reuse a robot that stands elsewhere.
    let table = fresh("new_york")
        .energy(3)
        .robot("b1", 4, 0)
        .rooms(&[(1, 5)]);
    assert_eq!(table.ways("c_t_robot_1"), [""]);
}

#[test]
fn the_names_of_the_pieces_are_those_of_the_page() {
    assert_eq!(
        (
            ship("red_5").index(),
            ship("white_1").index(),
            ship("orange").index()
        ),
        (4, 5, 9)
    );
    assert_eq!(col(4).index(), 4);
}
