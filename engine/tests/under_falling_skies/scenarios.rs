//! The scenarios (D1 to D13), and the symbols of the advanced sky tiles (E6, E7).

use tavola_engine::games::under_falling_skies::{
    BattleEnd, CitySide, Direction, Event, Options, SkySet,
};

use crate::scenario::{
    ANY_ROLL, POOL, SUPPLY, Table, action, at, col, damaged, drop_point, easy, p, scenario_options,
    start, with_scenario,
};

/// In a position where b_b_research_4 has value 11, and the last step costs 11.
fn before_the_last_step(table: Table) -> Table {
    table.research(15).e(29).rooms(&[(4, 26), (4, 27), (3, 28)])
}

#[test]
fn d01_battle_for_the_sky() {
    let given = |shots| {
        before_the_last_step(with_scenario("roswell", "battle_for_the_sky"))
            .edit(|battle| battle.this_battle.shots = shots)
    };
    assert_eq!(given(5).ways("b_b_research_4"), ["steps 0"]);
    given(6)
        .resolves_steps("b_b_research_4", 1)
        .ended(BattleEnd::Won);
    // Every shot counts, of whatever color.
    let ships = [("red_1", at(12, 0)), ("white_1", at(13, 2))];
    let table = with_scenario("roswell", "battle_for_the_sky")
        .m(14)
        .only_ships(&ships)
        .rooms(&[(5, 5)]);
    assert_eq!(
        table.resolves("a_t_fighter_1").battle().this_battle.shots,
        2
    );
}

#[test]
fn d02_evacuation() {
    let table = with_scenario("roswell", "evacuation")
        .energy(1)
        .rooms(&[(4, 2), (3, 1), (6, 5)]);
    assert!(!table.offers("evacuate p1"), "a 3 is too low");
    assert!(!table.offers("evacuate p5"), "no AA gun");
    let table = table.does("evacuate p2");
    assert_eq!(
        (
            table.battle().energy,
            table.battle().this_battle.evacuations
        ),
        (0, 1)
    );
    assert_eq!(table.battle().placed().count(), 2);
    let evacuated = |count| {
        before_the_last_step(with_scenario("roswell", "evacuation"))
            .edit(|battle| battle.this_battle.evacuations = count)
    };
    assert_eq!(evacuated(2).ways("b_b_research_4"), ["steps 0"]);
    evacuated(3)
        .resolves_steps("b_b_research_4", 1)
        .ended(BattleEnd::Won);
    // Also after the third.
    let table = with_scenario("roswell", "evacuation")
        .edit(|battle| battle.this_battle.evacuations = 3)
        .rooms(&[(4, 2)]);
    assert!(table.offers("evacuate p2"));
}

#[test]
fn d03_reinforcements() {
    let table = with_scenario("roswell", "reinforcements");
    assert_eq!(
        [
            table.ship("white_1"),
            table.ship("white_2"),
            table.ship("white_3")
        ],
        [POOL, POOL, SUPPLY]
    );
    let table = table.mothership();
    assert_eq!(
        (table.battle().mothership, table.ship("white_3")),
        (15, POOL)
    );
}

#[test]
fn d04_satellites() {
    let table = start(
        &scenario_options("roswell", "satellites"),
        &[1, 1, 1, 1, 1, 3],
    );
    assert_eq!(table.battle().this_round.jammed, Some(col(2)));
    let ships = [("red_1", at(13, 2)), ("red_2", at(12, 0))];
    let table = table
        .m(14)
        .only_ships(&ships)
        .rooms(&[(5, 5)])
        .resolves("a_t_fighter_1");
    assert_eq!(
        (table.ship("red_1"), table.ship("red_2")),
        (at(13, 2), POOL)
    );
    // Next round a 6: nothing is jammed.
    let table = start(
        &scenario_options("roswell", "satellites"),
        &[1, 1, 1, 1, 1, 3],
    )
    .rooms(&[])
    .end_rooms(&[1, 1, 1, 1, 1, 6]);
    assert_eq!(table.battle().this_round.jammed, None);
    assert_eq!(
        table.told.last(),
        Some(&Event::ColumnJammed { column: None })
    );
}

#[test]
fn d05_dangerous_research() {
    let given = |energy| {
        with_scenario("roswell", "dangerous_research")
            .energy(energy)
            .rooms(&[(3, 6)])
    };
    let table = given(2).resolves_steps("a_t_research_1", 1);
    assert_eq!((table.battle().energy, table.battle().damage), (0, 1));
    let table = given(3).resolves_steps("a_t_research_1", 1);
    assert_eq!((table.battle().energy, table.battle().damage), (0, 0));
    // Without a step nothing is drained.
    let table = with_scenario("roswell", "dangerous_research")
        .energy(2)
        .rooms(&[(2, 6)])
        .resolves_steps("a_t_research_1", 0);
    assert_eq!(table.battle().damage, 0);
    // Victory is checked first.
    let table = before_the_last_step(with_scenario("roswell", "dangerous_research"))
        .damage(6)
        .energy(2);
    table
        .resolves_steps("b_b_research_4", 1)
        .ended(BattleEnd::Won);
    // The damage can lose the battle.
    given(2)
        .damage(6)
        .resolves_steps("a_t_research_1", 1)
        .ended(BattleEnd::LostDamage);
}

#[test]
fn d06_command_ship() {
    let given = || {
        with_scenario("roswell", "command_ship")
            .ships(&[("orange", drop_point(1)), ("red_2", at(10, 1))])
    };
    let table = given().place(2, 6);
    assert_eq!(
        (table.ship("orange"), table.ship("red_2")),
        (at(13, 1), at(7, 1))
    );
    // A descent of 0 stays 0.
    let table = given().place(1, 3);
    assert_eq!(
        (table.ship("orange"), table.ship("red_2")),
        (drop_point(1), at(10, 1))
    );
    // (9, 1) shows 3.
    let shoot = |value: u8| {
        let table = with_scenario("roswell", "command_ship")
            .m(12)
            .ships(&[("orange", at(9, 1))]);
        table
            .rooms(&[(value + 1, 5)])
            .resolves("a_t_fighter_1")
            .ship("orange")
    };
    assert_eq!((shoot(3), shoot(4)), (at(9, 1), SUPPLY));
    // It hits hard, and comes back.
    let table = with_scenario("roswell", "command_ship")
        .m(12)
        .ships(&[("orange", at(1, 1)), ("red_2", at(9, 1))])
        .place(1, 6);
    assert_eq!(
        (
            table.ship("orange"),
            table.battle().damage,
            table.ship("red_2")
        ),
        (POOL, 2, at(7, 1))
    );
    // The reds go first: the one free drop point is theirs.
    let pool = [("red_1", POOL), ("white_1", POOL)];
    let table = with_scenario("roswell", "command_ship")
        .ships(&pool)
        .m(14)
        .mothership();
    assert_eq!(
        (table.ship("red_1"), table.ship("orange")),
        (drop_point(0), POOL)
    );
    // `drag` counts before it does.
    let table = with_scenario("rio_de_janeiro", "command_ship")
        .ships(&[("orange", drop_point(1)), ("red_2", at(10, 1))])
        .does("drag_next")
        .place(1, 6);
    assert_eq!(
        (table.ship("orange"), table.ship("red_2")),
        (drop_point(1), at(10, 1))
    );
    // It spawns after the reds and before the whites.
    let table = with_scenario("roswell", "command_ship");
    assert_eq!(table.ship("orange"), POOL);
    let ships = [("red_1", at(3, 0)), ("white_1", POOL)];
    assert_eq!(
        table.ships(&ships).m(14).mothership().ship("orange"),
        drop_point(0)
    );
}

#[test]
fn d07_reactor_leak() {
    let energy = |energy| {
        with_scenario("roswell", "reactor_leak")
            .energy(energy)
            .mothership()
            .battle()
            .energy
    };
    assert_eq!((energy(3), energy(0)), (2, 0));
}

#[test]
fn d08_repairing_the_base() {
    let table = with_scenario("roswell", "repairing_the_base");
    assert_eq!(table.battle().damage, 2);
    let table = table.rooms(&[]).does("repair scenario");
    assert_eq!((table.battle().energy, table.battle().damage), (0, 1));
    let table = table.energy(6);
    assert!(!table.offers("repair scenario"), "once per round");
    assert!(
        table
            .end_rooms(&ANY_ROLL)
            .rooms(&[])
            .offers("repair scenario")
    );
}

#[test]
fn d09_contamination() {
    let energy = |city| {
        with_scenario(city, "contamination")
            .energy(3)
            .rooms(&[(1, 11)])
            .does("excavate")
            .battle()
            .energy
    };
    assert_eq!((energy("roswell"), energy("mexico_city")), (1, 2));
    assert!(
        !with_scenario("roswell", "contamination")
            .energy(1)
            .rooms(&[(1, 11)])
            .offers("excavate")
    );
}

#[test]
fn d10_kamikaze_ships() {
    let table = with_scenario("roswell", "kamikaze_ships")
        .m(12)
        .ships(&[("white_1", at(1, 2)), ("red_1", at(0, 2))])
        .place(3, 7);
    assert_eq!(
        (
            table.battle().damage,
            table.ship("white_1"),
            table.ship("red_1")
        ),
        (3, SUPPLY, POOL)
    );
}

#[test]
fn d11_saboteur() {
    let faces =
        |roll: [u32; 5]| start(&scenario_options("roswell", "saboteur"), &roll).unplaced_faces();
    assert_eq!(faces([4, 6, 6, 6, 6]), [4, 5, 6, 6, 6]);
    assert_eq!(faces([1, 1, 1, 6, 6]), [1, 1, 1, 6, 6]);
    assert_eq!(faces([2, 1, 2, 6, 6]), [1, 1, 2, 6, 6]);
    // Not at a reroll.
    let table =
        start(&scenario_options("roswell", "saboteur"), &[1; 5]).place_die("w1", 0, &[6, 6, 6, 6]);
    assert_eq!(table.unplaced_faces(), [6; 4]);
}

/// The last die of a round is placed, on an AA gun where it moves nothing, and this comes up.
fn wind(
    face: u32,
    ships: &[(&str, tavola_engine::games::under_falling_skies::ShipPlace)],
) -> Table {
    let table = with_scenario("roswell", "storm")
        .m(12)
        .only_ships(ships)
        .rolled([1; 5]);
    let table = table
        .place_die("g1", 0, &[])
        .place_die("g2", 1, &[])
        .place_die("w1", 2, &[1, 1]);
    let table = table.place_die("w2", 3, &[1]);
    table.place_die("g3", 4, &[face])
}

#[test]
fn d12_storm() {
    let ships = [
        ("red_1", at(5, 0)),
        ("red_2", at(5, 1)),
        ("red_3", at(6, 3)),
    ];
    let places = |face| {
        let table = wind(face, &ships);
        [
            table.ship("red_1"),
            table.ship("red_2"),
            table.ship("red_3"),
        ]
    };
    assert_eq!(places(1), [at(5, 0), at(5, 1), at(6, 2)]);
    for calm in 2..=5 {
        assert_eq!(places(calm), [at(5, 0), at(5, 1), at(6, 3)]);
    }
    // To the right the column on the right comes first: both of row 5 move.
    assert_eq!(places(6), [at(5, 1), at(5, 2), at(6, 4)]);
    assert_eq!(
        wind(6, &ships).battle().this_round.wind,
        Some(Direction::Right)
    );
    // Nothing triggers: (4, 3) is next to a symbol at (4, 4).
    let table = wind(6, &[("red_1", at(4, 3))]);
    assert_eq!(
        (table.ship("red_1"), table.battle().mothership),
        (at(4, 4), 12)
    );
}

#[test]
fn d13_the_final_battle() {
    let table = with_scenario("roswell", "the_final_battle");
    assert_eq!(
        (
            table.battle().mothership,
            table.battle().sky.victory_space()
        ),
        (18, 18)
    );
    assert!((1..=4).all(|nth| table.ship(&format!("white_{nth}")) == POOL));
    let table = table
        .ships(&[("red_1", at(10, 0)), ("red_2", at(1, 1))])
        .mothership();
    assert_eq!(
        (
            table.battle().mothership,
            table.ship("red_1"),
            table.battle().damage
        ),
        (17, at(8, 0), 1)
    );
    // Space 16 keeps its rule, space 18 has none.
    let given = |research| {
        with_scenario("roswell", "the_final_battle")
            .research(research)
            .e(29)
            .energy(6)
    };
    assert_eq!(
        given(17).rooms(&[(6, 6)]).ways("a_t_research_1"),
        ["steps 0"],
        "6 is not 8"
    );
    let raised = Options {
        city_side: CitySide::Damaged,
        characters: vec![tavola_engine::games::under_falling_skies::Member {
            id: crate::scenario::character("lucia_ortega"),
            upgraded: true,
        }],
        ..scenario_options("new_york", "the_final_battle")
    };
    // The 11 of E1: enough for space 16, which takes a merged room here too.
    let one_space = start(&raised, &ANY_ROLL)
        .research(15)
        .e(29)
        .energy(7)
        .robot("b1", 6, 23)
        .rooms(&[]);
    assert_eq!(one_space.battle().sky.research_cost(16), 11);
    assert_eq!(one_space.ways("a_b_research_2"), ["steps 0"]);
    let table = given(15).rooms(&[(6, 26), (6, 27), (6, 28)]);
    assert_eq!(table.ways("b_b_research_4"), ["steps 1", "steps 2"]);
    let last = given(17).robot("b1", 5, 6).edit(|battle| {
        battle.city =
            tavola_engine::games::under_falling_skies::City::named("washington_dc").unwrap();
    });
    // In Washington p10 is a research room of +1; with 6 and the bonus of a character it would
    // reach 8.
    assert_eq!(last.rooms(&[(6, 10)]).ways("b_t_research_1"), ["steps 0"]);
    let lucia = tavola_engine::games::under_falling_skies::Member {
        id: crate::scenario::character("lucia_ortega"),
        upgraded: false,
    };
    let options = Options {
        characters: vec![lucia],
        ..scenario_options("washington_dc", "the_final_battle")
    };
    let last = start(&options, &ANY_ROLL)
        .research(17)
        .e(29)
        .energy(6)
        .rooms(&[(6, 10)]);
    last.resolves_steps("b_t_research_1", 1)
        .ended(BattleEnd::Won);
}

/// Roswell with the easy advanced tile at this level.
fn advanced(level: usize) -> Table {
    let mut sky_set = [SkySet::Base; 4];
    sky_set[level - 1] = SkySet::Advanced;
    start(
        &Options {
            sky_set,
            ..easy("roswell")
        },
        &ANY_ROLL,
    )
}

#[test]
fn e06_gates() {
    let given = |others: &[(&str, _)]| {
        advanced(2)
            .m(12)
            .only_ships(&[&[("red_1", at(8, 3))], others].concat())
            .place(1, 8)
    };
    let table = given(&[]);
    assert_eq!(
        (table.ship("red_1"), table.battle().mothership),
        (at(6, 0), 12)
    );
    // An occupied gate, or one under the mothership, keeps the ship where it is.
    assert_eq!(given(&[("red_2", at(6, 0))]).ship("red_1"), at(7, 3));
    let table = advanced(2)
        .m(7)
        .only_ships(&[("red_1", drop_point(0))])
        .place(1, 5);
    assert_eq!(table.ship("red_1"), at(6, 0), "its gate lies in row 7");
    // The ship belongs to its new column at once.
    assert_eq!(given(&[]).place(2, 5).ship("red_1"), at(4, 0));
}

#[test]
fn e07_dive() {
    let ships = [
        ("red_1", at(0, 0)),
        ("red_2", at(3, 1)),
        ("white_1", at(0, 2)),
    ];
    let table = advanced(2).m(8).ships(&ships).mothership();
    assert_eq!((table.battle().mothership, table.battle().damage), (7, 2));
    assert_eq!(table.ship("red_2"), at(2, 1));
    // Those on drop points stay there.
    assert_eq!(table.ship("red_4"), drop_point(3));
    // No symbol is triggered: M, an arrow, a gate.
    let on_symbols = [
        ("red_1", at(6, 0)),
        ("red_2", at(6, 2)),
        ("red_3", at(5, 1)),
    ];
    let table = advanced(2).m(8).only_ships(&on_symbols).mothership();
    assert_eq!(table.battle().mothership, 7);
    assert_eq!(
        [
            table.ship("red_1"),
            table.ship("red_2"),
            table.ship("red_3")
        ],
        [at(5, 0), at(5, 2), at(4, 1)]
    );
    // The command ship makes no dive longer.
    let mut options = scenario_options("roswell", "command_ship");
    options.sky_set[1] = SkySet::Advanced;
    let table = start(&options, &ANY_ROLL)
        .m(8)
        .only_ships(&[("orange", at(5, 1)), ("red_1", at(3, 1))])
        .mothership();
    assert_eq!(
        (table.ship("orange"), table.ship("red_1")),
        (at(4, 1), at(2, 1))
    );
    let table = advanced(2).m(8).damage(6).ships(&ships).mothership_stops();
    table.ended(BattleEnd::LostDamage);
    // AA guns and other dice have no part in it, and kamikazes hit as hard as by a die.
    let mut options = scenario_options("roswell", "kamikaze_ships");
    options.sky_set[1] = SkySet::Advanced;
    let table = start(&options, &ANY_ROLL)
        .m(8)
        .ships(&[("white_1", at(0, 2))])
        .mothership();
    assert_eq!((table.battle().damage, table.ship("white_1")), (2, SUPPLY));
}

#[test]
fn every_row_action_has_been_seen() {
    use tavola_engine::games::under_falling_skies::RowAction;
    let acted = |table: Table| {
        table
            .told
            .iter()
            .any(|event| matches!(event, Event::RowActionTaken { .. }))
    };
    assert!(acted(crate::scenario::r0().mothership()), "white 1");
    assert!(!acted(crate::scenario::r0().m(13).mothership()), "none");
    assert_eq!(
        crate::scenario::threat_4()
            .m(12)
            .mothership()
            .battle()
            .excavator,
        p(10),
        "excavator 3, at its start"
    );
    let back = crate::scenario::threat_4().m(12).e(20).mothership();
    assert_eq!(back.battle().excavator, p(17));
    assert!(back.told.contains(&Event::RowActionTaken {
        action: RowAction::Excavator(3)
    }));
    assert_eq!(
        crate::scenario::threat_4()
            .m(11)
            .research(5)
            .mothership()
            .battle()
            .research,
        3,
        "research 2"
    );
    assert_eq!(
        crate::scenario::threat_4()
            .m(13)
            .mothership()
            .battle()
            .damage,
        1,
        "damage 1"
    );
    let ignored = damaged("london")
        .mothership_stops()
        .plays(action("ignore_action true"), &ANY_ROLL);
    assert!(ignored.told.contains(&Event::RowActionIgnored {
        action: RowAction::White(1)
    }));
}
