//! What cities and characters can do: A1 to A17, C1 to C12 and E1 to E5 of section 14.

use tavola_engine::games::under_falling_skies::{
    BattleEnd, CitySide, Member, Options, SkySet, Stage,
};

use crate::scenario::{
    ANY_ROLL, POOL, SUPPLY, Table, action, at, character, damaged, drop_point, easy, fresh, p,
    scenario_options, start, with_character,
};

#[test]
fn a01_roswell() {
    assert_eq!(damaged("roswell").battle().energy, 4);
    assert_eq!(fresh("roswell").battle().energy, 2);
}

#[test]
fn a02_new_york() {
    let work = |table: Table| {
        table
            .energy(1)
            .robot("b1", 3, 7)
            .rooms(&[(2, 8)])
            .resolves("c_t_energy_1")
    };
    assert!(format!("{:?}", work(damaged("new_york")).told).contains("value: 8"));
    assert_eq!(work(damaged("new_york")).battle().energy, 7);
    assert!(format!("{:?}", work(fresh("new_york")).told).contains("value: 7"));
    // One robot only: with one on the board a second can't be built.
    let table = fresh("new_york").robot("b2", 3, 0).rooms(&[(4, 5)]);
    assert_eq!(table.ways("c_t_robot_1"), ["reuse b2"]);
}

#[test]
fn a03_washington_dc() {
    let table = fresh("washington_dc").rolled([6, 1, 1, 1, 1]);
    assert!(!table.offers("adjust_die g1 +1"), "6 is the highest");
    assert!(!table.offers("adjust_die g2 -1"), "1 is the lowest");
    let table = table.does("adjust_die g1 -1");
    assert_eq!((table.unplaced_faces()[0], table.battle().energy), (5, 2));
    table.refuses(
        "adjust_die g1 -1",
        "an unplaced die is changed by an ability only, once per round and source, within 1 to 6 (8)",
    );
    assert_eq!(
        table.place_die("g1", 4, &[]).ship("red_1"),
        at(12, 0),
        "5 less 1 for the AA gun"
    );
    let table = damaged("washington_dc")
        .rolled([6, 1, 1, 1, 1])
        .does("adjust_die g1 -1");
    assert_eq!(table.battle().energy, 3);
    assert!(!fresh("washington_dc").energy(0).offers("adjust_die g1 +1"));
}

#[test]
fn a04_havana() {
    let descent =
        |table: Table, value, space, name: &str| match table.place(value, space).ship(name) {
            tavola_engine::games::under_falling_skies::ShipPlace::Sky { row, .. } => 16 - row,
            _ => 0,
        };
    assert_eq!(descent(fresh("havana"), 3, 4, "red_1"), 1);
    assert_eq!(descent(fresh("havana"), 3, 2, "red_3"), 2);
    assert_eq!(descent(fresh("havana"), 1, 4, "red_1"), 0);
    assert_eq!(descent(damaged("havana"), 3, 2, "red_3"), 1);
}

#[test]
fn a05_mexico_city() {
    let table = fresh("mexico_city")
        .energy(0)
        .rooms(&[(3, 11)])
        .does("excavate");
    assert_eq!(
        (table.battle().energy, table.battle().excavator),
        (0, p(11))
    );
    assert!(damaged("mexico_city").spaces_for(3).contains(&13));
    assert!(!fresh("mexico_city").spaces_for(3).contains(&13));
}

#[test]
fn a06_montreal() {
    let energy = |table: Table| {
        let table = table.e(11).energy(0).rooms(&[(2, 10), (1, 7), (1, 8)]);
        table
            .resolves("c_t_energy_2")
            .resolves("c_t_energy_1")
            .battle()
            .energy
    };
    assert_eq!(energy(fresh("montreal")), 4);
    assert_eq!(energy(damaged("montreal")), 5);
}

#[test]
fn a07_rio_de_janeiro() {
    let armed = || fresh("rio_de_janeiro").energy(2).does("drag_next");
    assert_eq!(armed().battle().energy, 1);
    assert_eq!(armed().place(4, 5).ship("red_1"), at(13, 0), "3 rows");
    assert_eq!(armed().place(4, 4).ship("red_1"), at(14, 0), "2 rows");
    armed().refuses(
        "drag_next",
        "ships are dragged by an ability only, once per round (8)",
    );
    let next = armed().place(4, 4);
    assert!(!next.offers("drag_next"));
    assert_eq!(next.place(4, 6).ship("red_2"), at(12, 1), "one die only");
    assert_eq!(
        damaged("rio_de_janeiro")
            .energy(2)
            .does("drag_next")
            .battle()
            .energy,
        2
    );
}

#[test]
fn a08_cairo() {
    // (13, 2) shows 1, (12, 0) shows 2, (12, 4) shows 4.
    let ships = [
        ("red_1", at(13, 2)),
        ("red_2", at(12, 0)),
        ("red_3", at(12, 4)),
    ];
    let energy = |table: Table| {
        let table = table
            .e(29)
            .energy(3)
            .only_ships(&ships)
            .rooms(&[(4, 7), (6, 8)]);
        let first = table.resolves("b_t_fighter_2");
        let second = first.clone().resolves("b_t_fighter_3");
        // The second room costs 1.
        (first.battle().energy, second.battle().energy + 1)
    };
    assert_eq!(energy(fresh("cairo")), (4, 4));
    assert_eq!(energy(damaged("cairo")), (5, 6));
}

#[test]
fn a09_johannesburg() {
    let table = fresh("johannesburg").energy(3).rooms(&[(6, 7), (5, 5)]);
    assert!(!table.offers("tap_tunnel p5"), "a fighter room");
    let table = table.does("tap_tunnel p7");
    assert_eq!(
        (table.battle().energy, table.battle().placed().count()),
        (5, 1)
    );
    assert!(!table.offers("tap_tunnel p7"));
    let table = damaged("johannesburg")
        .energy(3)
        .rooms(&[(6, 7)])
        .does("tap_tunnel p7");
    assert_eq!(table.battle().energy, 6);
    let other = fresh("roswell").rooms(&[(6, 7)]);
    other.refuses(
        "tap_tunnel p7",
        "energy comes from an excavated tunnel with a worker die, by an ability only (8)",
    );
}

#[test]
fn a10_london() {
    let table = fresh("london").mothership_stops();
    assert_eq!(table.battle().stage, Stage::IgnoreAction);
    assert_eq!(table.legal(), ["ignore_action false", "ignore_action true"]);
    let ignored = table.clone().plays(action("ignore_action true"), &ANY_ROLL);
    assert_eq!(
        (
            ignored.ship("white_1"),
            ignored.battle().this_battle.ignored_actions
        ),
        (SUPPLY, 1)
    );
    // No uses left: row 14 pushes the excavator back.
    assert_eq!(ignored.e(16).mothership().battle().excavator, p(14));
    let let_be = table.plays(action("ignore_action false"), &ANY_ROLL);
    assert_eq!(
        (
            let_be.ship("white_1"),
            let_be.battle().this_battle.ignored_actions
        ),
        (POOL, 0)
    );
    let table = damaged("london")
        .mothership_stops()
        .plays(action("ignore_action true"), &ANY_ROLL);
    assert_eq!(
        table.mothership_stops().battle().stage,
        Stage::IgnoreAction,
        "one use left"
    );
    // Rows without action ask nothing, and the skull is not ignored.
    assert_eq!(
        fresh("london").m(13).mothership().battle().stage,
        Stage::PlaceDie
    );
    fresh("london")
        .m(5)
        .mothership_stops()
        .ended(BattleEnd::LostMothership);
}

#[test]
fn a11_moscow() {
    let excavator = |table: Table| table.m(15).e(14).mothership().battle().excavator;
    assert_eq!(excavator(fresh("moscow")), p(13));
    assert_eq!(excavator(damaged("moscow")), p(14));
}

/// Two rerolls of a round, of which the first is kept.
fn keeps_dice(first: Table, again: bool) {
    let table = first.rolled([1, 2, 3, 4, 5]).place_die("w1", 0, &[]);
    assert_eq!(table.legal(), ["reroll", "keep_dice"]);
    assert_eq!(
        table
            .clone()
            .plays(action("reroll"), &[6, 6, 6, 6])
            .unplaced_faces(),
        [6; 4]
    );
    let table = table.does("keep_dice");
    assert_eq!(table.unplaced_faces(), [1, 2, 3, 5]);
    if again {
        assert_eq!(
            table.place_die("w2", 1, &[]).legal(),
            ["reroll", "keep_dice"]
        );
    } else {
        assert_eq!(
            table.place_die("w2", 1, &[6, 6, 6]).unplaced_faces(),
            [6; 3]
        );
    }
}

#[test]
fn a12_paris() {
    keeps_dice(fresh("paris"), false);
    keeps_dice(damaged("paris"), true);
    // The use is of the round: in the next one the dice can be kept again.
    let table = fresh("paris").place_die("w1", 0, &[]).does("keep_dice");
    assert_eq!(
        table
            .rooms(&[])
            .end_rooms(&ANY_ROLL)
            .place_die("w1", 0, &[])
            .battle()
            .stage,
        Stage::Reroll
    );
}

#[test]
fn a13_beijing() {
    let given = |table: Table| {
        table
            .e(29)
            .energy(6)
            .robot("b1", 3, 10)
            .robot("b2", 3, 19)
            .rooms(&[])
    };
    // p10 is an energy room, p19 a fighter room.
    let work = |table: Table| {
        let table = given(table)
            .resolves("c_t_energy_2")
            .resolves("b_b_fighter_1");
        (table.robot_is("b1"), table.robot_is("b2"))
    };
    assert_eq!(
        work(fresh("beijing")),
        (Some((3, 10, true)), Some((2, 19, true)))
    );
    assert_eq!(
        work(damaged("beijing")),
        (Some((3, 10, true)), Some((3, 19, true)))
    );
    let research = damaged("beijing")
        .e(29)
        .energy(6)
        .robot("b1", 3, 11)
        .rooms(&[])
        .resolves_steps("c_t_research_1", 1);
    assert_eq!(research.robot_is("b1"), Some((2, 11, true)));
}

#[test]
fn a14_seoul() {
    let set_up = |side| {
        start(
            &Options {
                city_side: side,
                ..easy("seoul")
            },
            &[],
        )
    };
    let table = set_up(CitySide::Intact);
    assert_eq!(table.battle().round, 0);
    assert_eq!(
        table.legal(),
        (0..10)
            .map(|space| format!("install_robot p{space}"))
            .collect::<Vec<_>>()
    );
    table.refuses(
        "install_robot p10",
        "a robot is installed on an excavated space without a die (7.3)",
    );
    let table = table.plays(action("install_robot p5"), &ANY_ROLL);
    assert_eq!(
        (table.robot_is("b1"), table.battle().round),
        (Some((3, 5, false)), 1)
    );
    // p5 is an energy room of -1: the robot works in round 1.
    assert_eq!(
        table
            .energy(0)
            .rooms(&[])
            .resolves("p_t_energy_1")
            .battle()
            .energy,
        2
    );
    let table = set_up(CitySide::Damaged).plays(action("install_robot p5"), &ANY_ROLL);
    assert_eq!(table.robot_is("b1"), Some((5, 5, false)));
    // Without robots the ability is void.
    let table = start(
        &Options {
            robots: false,
            ..easy("seoul")
        },
        &ANY_ROLL,
    );
    assert_eq!(table.battle().stage, Stage::PlaceDie);
}

/// What a_t_fighter_1 (1) and then a_t_research_1 (2) cost.
fn discounts(table: Table) -> (u8, u8) {
    let table = table.energy(6).rooms(&[(4, 5), (4, 6)]);
    let first = table.resolves("a_t_fighter_1");
    let second = first.clone().resolves_steps("a_t_research_1", 1);
    (
        6 - first.battle().energy,
        first.battle().energy - second.battle().energy,
    )
}

#[test]
fn a15_singapore() {
    assert_eq!(discounts(fresh("singapore")), (0, 2));
    assert_eq!(discounts(damaged("singapore")), (0, 1));
    assert_eq!(
        fresh("singapore")
            .energy(3)
            .rooms(&[(1, 11)])
            .does("excavate")
            .battle()
            .energy,
        2
    );
    // The discount decides what can be paid.
    assert_eq!(
        fresh("singapore")
            .energy(0)
            .rooms(&[(4, 5)])
            .ways("a_t_fighter_1"),
        [""]
    );
}

#[test]
fn a16_sydney() {
    let given = |table: Table, pooled: &str| {
        let ships = [
            ("red_1", drop_point(0)),
            ("red_2", drop_point(2)),
            ("red_3", drop_point(4)),
            ("red_4", at(10, 3)),
            ("red_5", at(3, 0)),
            (pooled, POOL),
        ];
        table.m(13).only_ships(&ships).rooms(&[])
    };
    assert_eq!(
        given(fresh("sydney"), "white_1").end_rooms(&[]).legal(),
        ["spawn 1", "spawn 3"]
    );
    let red = given(fresh("sydney"), "red_5").end_rooms(&ANY_ROLL);
    assert_eq!(red.ship("red_5"), drop_point(1));
    assert_eq!(
        given(damaged("sydney"), "red_5").end_rooms(&[]).legal(),
        ["spawn 1", "spawn 3"]
    );
}

#[test]
fn a17_tokyo() {
    let value = |table: Table| {
        format!(
            "{:?}",
            table.rooms(&[(4, 7)]).resolves("b_t_fighter_2").told[0]
        )
    };
    assert!(value(fresh("tokyo")).contains("value: 3"));
    assert!(value(damaged("tokyo")).contains("value: 4"));
}

/// The value of the room that was just resolved.
fn value(table: &Table) -> String {
    format!("{:?}", table.told[0])
        .split("value: ")
        .nth(1)
        .unwrap()
        .trim_end_matches(" }")
        .to_owned()
}

#[test]
fn c01_clinton_harper() {
    let values = |upgraded| {
        let table = with_character("roswell", "clinton_harper", upgraded)
            .e(29)
            .energy(6)
            .rooms(&[(4, 5), (4, 22)]);
        let first = table.resolves("a_t_fighter_1");
        let second = first.clone().resolves("b_b_fighter_2");
        (value(&first), value(&second))
    };
    assert_eq!(values(false), ("4".into(), "4".into()));
    assert_eq!(values(true), ("4".into(), "5".into()));
}

#[test]
fn c02_lucia_ortega() {
    let values = |upgraded| {
        let table = with_character("roswell", "lucia_ortega", upgraded)
            .e(29)
            .energy(6)
            .rooms(&[(3, 6), (5, 11)]);
        let first = table.resolves_steps("a_t_research_1", 1);
        let second = first.clone().resolves_steps("a_t_research_2", 1);
        (value(&first), value(&second))
    };
    assert_eq!(values(false), ("4".into(), "4".into()));
    assert_eq!(values(true), ("4".into(), "5".into()));
}

#[test]
fn c03_jackson_moss() {
    for (upgraded, energy) in [(false, 1), (true, 2)] {
        let table = with_character("roswell", "jackson_moss", upgraded);
        assert!(table.spaces_for(4).contains(&15));
        assert!(!table.spaces_for(4).contains(&16));
        assert_eq!(
            table.rooms(&[(4, 15)]).does("excavate").battle().energy,
            energy
        );
    }
}

#[test]
fn c04_samantha_legrand() {
    assert_eq!(
        with_character("roswell", "samantha_legrand", false)
            .battle()
            .energy,
        3
    );
    let table = with_character("roswell", "samantha_legrand", true);
    assert_eq!(table.battle().energy, 3);
    let table = table.e(16).energy(0).rooms(&[(2, 14), (3, 8), (3, 9)]);
    let table = table.resolves("a_t_energy_2");
    assert_eq!(table.battle().energy, 3);
    assert_eq!(table.resolves("a_t_energy_1").battle().energy, 6);
}

#[test]
fn c05_jaroslav_ruzicka() {
    for (upgraded, robot) in [(false, 4), (true, 5)] {
        let table = with_character("new_york", "jaroslav_ruzicka", upgraded).rooms(&[(4, 5)]);
        let table = table.resolves("c_t_robot_1").does("install_robot p0");
        assert_eq!(table.robot_is("b1"), Some((robot, 0, true)));
    }
}

#[test]
fn c06_karima_almasi() {
    let table = with_character("roswell", "karima_almasi", false)
        .energy(2)
        .damage(3)
        .rooms(&[]);
    let table = table.does("repair karima_almasi");
    assert_eq!((table.battle().energy, table.battle().damage), (0, 2));
    // Once in the battle, in whatever round.
    let table = table.energy(6).end_rooms(&ANY_ROLL).rooms(&[]);
    table.refuses(
        "repair karima_almasi",
        "this source grants no repair now, or the energy is not there (8)",
    );
    let table = with_character("roswell", "karima_almasi", true)
        .energy(6)
        .damage(3)
        .rooms(&[]);
    let table = table
        .does("repair karima_almasi")
        .does("repair karima_almasi");
    assert_eq!((table.battle().energy, table.battle().damage), (4, 1));
    assert!(!table.offers("repair karima_almasi"));
    let table = with_character("roswell", "karima_almasi", true).rooms(&[]);
    table.refuses("repair karima_almasi", "there is no damage to repair (8)");
}

#[test]
fn c07_pieter_bernstein() {
    let table = with_character("roswell", "pieter_bernstein", false)
        .plays(action("reroll_all"), &[2, 3, 4, 5, 6]);
    assert_eq!(
        (table.battle().energy, table.unplaced_faces()),
        (1, vec![2, 3, 4, 5, 6])
    );
    assert!(!table.offers("reroll_all"), "once per round");
    let table = with_character("roswell", "pieter_bernstein", false).place(1, 0);
    table.refuses(
        "reroll_all",
        "all dice are rerolled by an ability only, once, before the first placement of the round (8)",
    );
    let table = with_character("roswell", "pieter_bernstein", true)
        .plays(action("reroll_all"), &[2, 3, 4, 5, 6]);
    assert_eq!(table.battle().energy, 2);
}

#[test]
fn c08_shanti_aumann() {
    keeps_dice(with_character("roswell", "shanti_aumann", false), false);
    keeps_dice(with_character("roswell", "shanti_aumann", true), true);
}

#[test]
fn c09_archie_bell() {
    let given = |upgraded, m| {
        let ships = [
            ("red_1", at(3, 0)),
            ("red_2", at(0, 1)),
            ("red_3", at(2, 1)),
            ("red_4", at(m - 1, 4)),
        ];
        with_character("roswell", "archie_bell", upgraded)
            .m(m)
            .ships(&ships)
            .energy(2)
            .rooms(&[])
    };
    let table = given(false, 12).does("repel red_1");
    assert_eq!((table.ship("red_1"), table.battle().energy), (at(5, 0), 0));
    let table = table.energy(2);
    assert!(!table.offers("repel red_1"), "once per round");
    // At most to right below the mothership; the symbol at (4, 0) is not triggered.
    let table = given(false, 5).does("repel red_1");
    assert_eq!(
        (table.ship("red_1"), table.battle().mothership),
        (at(4, 0), 5)
    );
    assert_eq!(given(true, 12).does("repel red_1").battle().energy, 1);
    // Not onto another ship, not without moving, not from a drop point.
    let table = given(false, 12);
    assert!(!table.offers("repel red_2") && !table.offers("repel red_4"));
    table.refuses("repel red_5", "only a ship of the sky is driven up (8)");
    // Ships between do not matter.
    assert!(
        given(false, 12)
            .ships(&[("red_5", at(4, 0))])
            .offers("repel red_1")
    );
}

#[test]
fn c10_iz_ox() {
    let uses = |city, upgraded| {
        let mut table = with_character(city, "iz_ox", upgraded);
        let mut uses = 0;
        loop {
            table = table.m(16).only_ships(&[]).rooms(&[]).plays_until_asked();
            if table.battle().stage != Stage::IgnoreAction {
                return uses;
            }
            table = table.plays(action("ignore_action true"), &ANY_ROLL);
            uses += 1;
        }
    };
    assert_eq!(uses("london", false), 2);
    assert_eq!(uses("roswell", true), 2);
    assert_eq!(uses("roswell", false), 1);
}

#[test]
fn c11_jang_chanwook() {
    let costs = |upgraded| {
        let table = with_character("washington_dc", "jang_chanwook", upgraded).rolled([3; 5]);
        let first = table.does("adjust_die g1 +1");
        let second = first.clone().does("adjust_die g1 +1");
        assert!(!second.offers("adjust_die g1 +1"), "two sources, two uses");
        assert_eq!(second.unplaced_faces()[0], 5);
        (
            3 - first.battle().energy,
            first.battle().energy - second.battle().energy,
        )
    };
    assert_eq!(costs(false), (1, 1));
    assert_eq!(costs(true), (0, 1));
}

#[test]
fn c12_wang_lin() {
    assert_eq!(
        discounts(with_character("roswell", "wang_lin", false)),
        (0, 2)
    );
    assert_eq!(
        discounts(with_character("roswell", "wang_lin", true)),
        (0, 1)
    );
}

#[test]
fn e01_a_raised_room_of_one_space_does_not_win() {
    let lucia = vec![Member {
        id: character("lucia_ortega"),
        upgraded: true,
    }];
    let options = Options {
        city_side: CitySide::Damaged,
        characters: lucia,
        ..easy("new_york")
    };
    let given = || start(&options, &ANY_ROLL).e(29).energy(7).research(15);
    let one_space = given().robot("b1", 6, 23).rooms(&[]);
    assert_eq!(one_space.ways("a_b_research_2"), ["steps 0"]);
    assert_eq!(value(&one_space.resolves_steps("a_b_research_2", 0)), "11");
    // 4 + 4 + 3 + 1 is 12, and 11 would do.
    let merged = given()
        .rooms(&[(4, 25), (3, 26)])
        .resolves_steps("a_b_research_3", 1);
    assert_eq!(value(&merged), "11");
    merged.ended(BattleEnd::Won);
}

#[test]
fn e02_two_sources_of_repairs() {
    let karima = vec![Member {
        id: character("karima_almasi"),
        upgraded: true,
    }];
    let options = Options {
        characters: karima,
        ..scenario_options("roswell", "repairing_the_base")
    };
    let table = start(&options, &ANY_ROLL).energy(4).rooms(&[]);
    assert_eq!(table.battle().damage, 2);
    let table = table.does("repair scenario");
    assert_eq!(table.battle().energy, 2);
    let table = table.does("repair karima_almasi");
    assert_eq!((table.battle().energy, table.battle().damage), (1, 0));
    assert!(!table.offers("repair karima_almasi") && !table.offers("repair scenario"));
}

/// C11, upgraded.
#[test]
fn e03_the_cheapest_adjustment_comes_first() {
    let table = with_character("washington_dc", "jang_chanwook", true)
        .rolled([3; 5])
        .energy(0);
    let table = table.does("adjust_die g2 -1");
    assert_eq!(table.battle().energy, 0);
    assert!(!table.offers("adjust_die g2 -1"), "the second one costs 1");
}

#[test]
fn e04_discounts_of_two_sources_count_rooms() {
    let wang = vec![Member {
        id: character("wang_lin"),
        upgraded: false,
    }];
    let table = start(
        &Options {
            characters: wang,
            ..easy("singapore")
        },
        &ANY_ROLL,
    )
    .e(14)
    .energy(2);
    let table = table
        .rooms(&[(4, 5), (4, 6), (4, 11)])
        .resolves("a_t_fighter_1");
    assert_eq!(table.battle().energy, 2);
    let table = table.resolves_steps("a_t_research_1", 1);
    assert_eq!(table.battle().energy, 1);
    let table = table.resolves_steps("a_t_research_2", 1);
    assert_eq!(table.battle().energy, 0);
}

#[test]
fn e05_red_explosions_are_paid_ship_by_ship() {
    let sky_set = [SkySet::Base, SkySet::Advanced, SkySet::Base, SkySet::Base];
    let options = Options {
        city_side: CitySide::Damaged,
        sky_set,
        ..easy("cairo")
    };
    let ships = [
        ("red_1", at(7, 2)),
        ("red_2", at(6, 4)),
        ("white_1", at(4, 3)),
        ("red_3", at(4, 0)),
    ];
    let table = start(&options, &ANY_ROLL)
        .m(12)
        .energy(2)
        .only_ships(&ships)
        .rooms(&[(6, 8)])
        .resolves("b_t_fighter_3");
    assert_eq!(value(&table), "5");
    assert_eq!(table.ship("red_1"), POOL);
    assert_eq!(
        (
            table.ship("red_2"),
            table.ship("white_1"),
            table.ship("red_3")
        ),
        (at(6, 4), at(4, 3), at(4, 0))
    );
    assert_eq!(table.battle().energy, 1);
}

#[test]
fn red_explosions_leave_plain_ones_to_be_shot() {
    // (7, 2) shows R2; level 3 is plain: (9, 4) shows 2.
    let sky_set = [SkySet::Base, SkySet::Advanced, SkySet::Base, SkySet::Base];
    let options = Options {
        sky_set,
        ..easy("roswell")
    };
    let ships = [
        ("red_1", at(7, 2)),
        ("red_2", at(3, 0)),
        ("red_3", at(9, 4)),
    ];
    let table = start(&options, &ANY_ROLL)
        .m(12)
        .energy(1)
        .only_ships(&ships)
        .rooms(&[(6, 5)])
        .resolves("a_t_fighter_1");
    assert_eq!(
        (
            table.ship("red_3"),
            table.ship("red_1"),
            table.ship("red_2")
        ),
        (POOL, at(7, 2), POOL)
    );
    assert_eq!(table.battle().energy, 0);
}
