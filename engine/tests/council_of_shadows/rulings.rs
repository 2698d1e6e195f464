//! The rulings (15), each with its number. Those that a golden scenario shows in full say so and
//! show the rest.

use tavola_engine::games::council_of_shadows::components::{
    Bonus, Card, DATA, Galaxy, Numbered, Payment, Space, Upgrade, UpgradeKind,
};
use tavola_engine::games::council_of_shadows::{EndReason, Event, Options, Party, Stage};
use tavola_engine::{Seat, SeatSet};

use crate::scenario::*;

/// Bench B0 in BUY, where A has these gems and everybody else none.
fn buys(anthracite: u16, golden: u16, transparent: u16) -> Table {
    let mut table = b0("s_gems");
    table.lay(|public, _, hidden| {
        public
            .parties
            .iter_mut()
            .for_each(|board| board.gems = gems(0, 0, 0));
        public.parties[0].gems = gems(anthracite, golden, transparent);
        offer(public, hidden, 1, "ai_01");
        offer(public, hidden, 2, "ai_10");
    });
    table.begin_buying(0);
    table
}

#[test]
fn r1_three_purchases_in_any_mix() {
    let mut table = buys(1, 2, 0);
    table.play(A, "row 1 for 1g; range_1_2 for 1g; adapt_volcano for 1a");
    assert!(matches!(table.public().stage, Stage::Planning { .. }));
    let mut table = buys(0, 4, 0);
    table.play(A, "row 1 for 1g; row 2 for 1g; range_1_2 for 1g");
    assert!(
        matches!(table.public().stage, Stage::Planning { .. }),
        "not three of each kind"
    );
    assert_eq!(table.gems(A), (0, 1, 0));
}

#[test]
fn r2_nothing_has_to_be_bought() {
    let mut table = buys(9, 9, 9);
    table.play(A, "end");
    assert_eq!(table.gems(A), (9, 9, 9));
}

#[test]
fn r3_two_anthracite_never_pay_for_a_golden_gem() {
    let table = buys(9, 0, 0);
    assert!(
        table
            .legal(A)
            .iter()
            .all(|decision| !decision.starts_with("row 1 "))
    );
    assert!(!Payment::new(gems(2, 0, 0)).unwrap().pays(gems(0, 1, 0)));
    assert!(Payment::new(gems(0, 1, 0)).unwrap().pays(gems(1, 0, 0)));
}

#[test]
fn r4_a_transparent_gem_for_an_anthracite_cost_is_lost() {
    let mut table = buys(0, 0, 1);
    table.play(A, "adapt_volcano for 1t");
    assert_eq!(table.gems(A), (0, 0, 0));
}

#[test]
fn r5_the_row_is_refilled_after_each_purchase() {
    let mut table = buys(0, 3, 0);
    let top = table.game.hidden().ai_deck[0];
    table.play(A, "row 1 for 1g");
    assert_eq!(table.public().ai_row[0], Some(top));
    assert!(table.heard(&Event::RowRefilled {
        row: 1,
        card: Some(top)
    }));
}

#[test]
fn r6_a_card_just_bought_may_be_planned() {
    let mut table = buys(0, 1, 0);
    table.play(A, "row 1 for 1g");
    assert!(table.may(A, "ai_01 on 1"));
}

#[test]
fn r7_range_3_needs_range_2_of_the_same_slot() {
    let mut table = buys(0, 5, 0);
    table.play(A, "range_1_2 for 1g");
    assert!(table.may(A, "range_1_3 for 1g"));
    assert!(!table.may(A, "range_2_3 for 1g"));
    assert!(!table.may(A, "range_1_2 for 1g"), "each upgrade once");
}

#[test]
fn r8_range_upgrades_give_one_energy() {
    for (id, cost, energy) in [
        ("range_3_2", "1g", 1),
        ("adapt_desert", "1g", 0),
        ("adapt_volcano", "1a", 0),
        ("colony_extension", "1a", 0),
    ] {
        let mut table = buys(1, 1, 0);
        let before = table.energy(A);
        table.play(A, &format!("{id} for {cost}"));
        assert_eq!(table.energy(A), before + energy, "{id}");
    }
    for upgrade in Upgrade::all() {
        let range = matches!(upgrade.data().kind, UpgradeKind::Range { energy: 1, .. });
        assert_eq!(range, upgrade.is_range(), "{upgrade}");
    }
}

#[test]
fn r9_project_energy_can_cause_a_level_in_phase_1() {
    for (id, cost, energy) in [
        ("project_1", "2a", 4),
        ("project_2", "2g", 6),
        ("project_3", "1a 1g 1t", 8),
        ("project_4", "3t", 12),
    ] {
        let mut table = buys(2, 2, 3);
        let before = table.energy(A);
        table.play(A, &format!("{id} for {cost}"));
        assert_eq!(table.energy(A), before + energy);
    }
    let mut table = buys(3, 0, 0);
    table.give(A, |board| board.energy = 36);
    table.play(A, "project_1 for 2a");
    assert_eq!(table.party(A).level, 1);
    assert!(table.may(A, "end"), "the buy turn goes on");
    table.play(A, "end");
    assert!(
        matches!(table.public().stage, Stage::Events { .. }),
        "the card comes after the whole phase"
    );
}

#[test]
fn r10_exactly_three_cards_in_round_1() {
    let mut table = Table::new(&options(), 2);
    table.begin_planning();
    table.play(A, "s_settle on 1; s_mine on 2");
    assert_eq!(
        table.legal(A),
        [
            "s_found on 3",
            "s_explore on 3",
            "s_gems on 3",
            "s_improve on 3"
        ]
    );
    table.play(A, "s_gems on 3");
    assert_eq!(table.to_act(), [B]);
}

/// A table of two in PLAN of a later round, with s_settle on slot 2 and s_mine on slot 3 of A.
fn later_plan() -> Table {
    let mut table = Table::new(&options(), 2);
    table.lay(|public, _, hidden| {
        public.round = 2;
        public.order = (0..2).map(Party).collect();
        lay_card(public, hidden, A, 2, "s_settle");
        lay_card(public, hidden, A, 3, "s_mine");
    });
    table.begin_planning();
    table
}

#[test]
fn r11_slot_1_is_compulsory_later_the_others_are_not() {
    let mut table = later_plan();
    assert!(!table.may(A, "keep 1"));
    table.play(A, "s_gems on 1");
    assert!(table.may(A, "keep 2") && table.may(A, "s_found on 2"));
    table.play(A, "keep 2");
    assert!(table.may(A, "keep 3") && table.may(A, "s_found on 3"));
}

#[test]
fn r12_covered_cards_have_no_effect_and_come_back_with_their_stack() {
    // G13 shows it for slot 3; here the stack has to walk first.
    let mut table = later_plan();
    table.play(A, "s_gems on 1; s_found on 2; keep 3");
    table.play(B, "s_improve on 1; keep 2; keep 3");
    assert_eq!(table.party(A).total, 2 + 3 + 2, "s_settle doesn't count");
    let stack: Vec<_> = table.party(A).slots[1]
        .stack
        .iter()
        .map(|card| card.to_string())
        .collect();
    assert_eq!(stack, ["s_settle", "s_found"]);
    assert!(!table.party(A).hand.contains(card("s_settle")));
}

#[test]
fn r13_consumption_counts_every_round_a_card_is_visible() {
    let mut table = later_plan();
    table.play(A, "s_improve on 1; keep 2; keep 3");
    table.play(B, "s_improve on 1; keep 2; keep 3");
    assert_eq!(table.party(A).total, 1 + 1 + 2);
}

#[test]
fn r14_the_order_follows_the_total_of_this_round() {
    let mut table = later_plan();
    table.lay(|public, _, _| {
        public.parties[0].consumption = 90;
        public.parties[1].consumption = 20;
    });
    table.play(A, "s_improve on 1; keep 2; keep 3");
    table.play(B, "s_found on 1; s_gems on 2; keep 3");
    assert_eq!(
        table.public().order[0],
        Party(B),
        "5 against 4, whatever the markers say"
    );
}

#[test]
fn r14_a_tie_looks_at_the_energy_after_the_level_check() {
    let mut table = later_plan();
    table.lay(|public, _, hidden| {
        let [a, b] = &mut public.parties[..] else {
            panic!("two parties")
        };
        (a.consumption, a.energy) = (21, 20);
        (b.consumption, b.energy) = (60, 5);
        for slot in &mut a.slots {
            slot.stack.clear();
        }
        lay_card(public, hidden, A, 2, "ai_21");
        lay_card(public, hidden, B, 2, "ai_23");
    });
    table.play(A, "s_improve on 1; keep 2; keep 3");
    table.play(B, "s_improve on 1; keep 2; keep 3");
    assert_eq!(
        [A, B].map(|party| (table.party(party).total, table.energy(party))),
        [(-1, 0), (-1, 5)],
        "A's falling marker has met its energy"
    );
    assert_eq!(table.public().order[..], [Party(B), Party(A)]);
}

#[test]
fn r15_negative_totals_move_the_marker_back_to_the_floor() {
    let mut table = later_plan();
    table.lay(|public, _, hidden| {
        public.parties[0].consumption = 30;
        hand_card(public, hidden, A, "ai_21");
        hand_card(public, hidden, A, "ai_23");
    });
    table.play(A, "s_improve on 1; ai_21 on 2; ai_23 on 3");
    table.play(B, "s_improve on 1; keep 2; keep 3");
    assert_eq!((table.party(A).total, table.party(A).consumption), (-3, 27));
    // G16 shows the floor of 20.
}

#[test]
fn r16_range_and_adaptability_hold_after_exploring() {
    // Range: there are tiles and free spaces in all parsecs.
    let ranged = |upgrades: &[&str]| {
        let mut table = b0("s_explore");
        table.lay(|public, _, _| upgrades.iter().for_each(|id| build(public, A, id)));
        table.begin_acting();
        table
    };
    assert_eq!(ranged(&[]).legal(A), ["stack 1", "skip"]);
    let two = ranged(&["range_1_2"]);
    assert_eq!(two.legal(A), ["stack 1", "stack 2", "skip"]);
    let three = ranged(&["range_1_2", "range_1_3"]);
    assert_eq!(three.legal(A), ["stack 1", "stack 2", "stack 3", "skip"]);
    // Adaptability: the tile has a planet of each type.
    for (upgrades, colonies) in [
        (&[][..], &["colony 0", "yield"][..]),
        (&["adapt_desert"], &["colony 0", "colony 1", "yield"]),
        (&["adapt_volcano"], &["colony 0", "colony 2", "yield"]),
    ] {
        let mut table = b0("s_explore");
        table.lay(|public, _, hidden| {
            let tiles = [("pc_1", "p1_01"), ("vc_1", "p2_01")];
            lay_tiles(public, hidden, &tiles, &["p2_05", "p2_10"]);
            public.parties[0].supply = 29;
            build(public, A, "range_1_2");
            upgrades.iter().for_each(|id| build(public, A, id));
        });
        table.begin_acting();
        table.play(A, "stack 2; p2_05 on cd_1");
        assert_eq!(table.legal(A), colonies, "only on the new tile");
        table.play(A, "colony 0");
        assert_eq!(table.cubes("cd_1/0", A), 1);
    }
}

#[test]
fn r17_the_exploration_yield_needs_no_colony() {
    let mut table = acting("s_explore");
    table.play(A, "stack 1; p1_07 on ec_2; yield");
    assert_eq!(table.gems(A), (2, 2, 0));
    assert_eq!(table.cubes("ec_2/0", A), 0);
}

#[test]
fn r18_as_many_takes_as_own_cubes() {
    let mut table = b0("ai_10");
    table.lay(|public, _, _| put(public, "ec_1/2", A, 1));
    table.begin_acting();
    table.play(A, "take ec_1; take ec_1; take ec_1");
    assert_eq!(table.energy(A), 13);
    let table = b0("ai_10").begin_acting().legal(A);
    assert_eq!(
        table,
        ["take pc_1", "take ec_1", "skip"],
        "no take without own cubes: pc_2 isn't offered"
    );
}

#[test]
fn r19_others_cubes_do_not_reduce_takes() {
    let mut table = b0("s_mine");
    table.lay(|public, _, hidden| {
        put(public, "pc_1/1", B, 2);
        lay_card(public, hidden, B, 1, "s_mine");
    });
    table.begin_acting();
    table.play(A, "take pc_1; skip; end; ");
    assert_eq!(table.gems(A), (2, 1, 0));
    table.play(B, "take pc_1; take pc_1");
    assert_eq!(table.gems(B), (3, 1, 0), "the system is not used up");
}

#[test]
fn r20_without_colony_extension_own_planets_are_closed() {
    let table = acting("s_settle");
    assert_eq!(table.legal(A), ["pc_1/1", "pc_2/0", "ec_1/2", "skip"]);
}

#[test]
fn r21_founding_on_a_planet_of_height_2_places_one_cube() {
    // G22 shows it; and at height 3 nothing fits.
    let mut table = b0("s_found");
    table.lay(|public, _, _| {
        put(public, "ec_1/0", B, 2);
        build(public, A, "colony_extension");
    });
    table.begin_acting();
    assert!(!table.may(A, "found ec_1/0"));
    table.play(A, "found ec_1/1");
    assert_eq!(table.cubes("ec_1/1", A), 3);
}

/// A is at scoring, with these cubes of A and B.
fn scores(cubes: &[(&str, u8, u8)]) -> Table {
    let mut table = b0("s_gems");
    table.lay(|public, _, hidden| {
        lay_tiles(
            public,
            hidden,
            &[("pc_1", "p1_01"), ("ec_1", "p1_08"), ("cd_1", "p2_07")],
            &[],
        );
        public.parties[0].supply = 30;
        for &(planet, party, count) in cubes {
            put(public, planet, party, count);
        }
    });
    table.begin_acting();
    table.play(A, "skip");
    table
}

#[test]
fn r22_majority_is_measured_before_the_cube_is_removed() {
    let mut table = scores(&[("cd_1/0", A, 2), ("cd_1/1", B, 1)]);
    let energy = table.energy(A);
    table.play(A, "score cd_1/0");
    assert_eq!(table.energy(A), energy + 8);
    let mut table = scores(&[("cd_1/0", A, 1), ("cd_1/1", B, 1)]);
    let energy = table.energy(A);
    table.play(A, "score cd_1/0");
    assert_eq!(table.energy(A), energy + 4, "a tie is no majority");
}

#[test]
fn r23_the_only_cube_can_be_used() {
    let mut table = scores(&[("pc_1/0", A, 1)]);
    table.play(A, "score pc_1/0");
    assert_eq!(table.cubes("pc_1/0", A), 0);
}

#[test]
fn r24_several_galaxies_each_once() {
    let mut table = scores(&[("pc_1/0", A, 2), ("ec_1/0", A, 2)]);
    table.play(A, "score pc_1/0");
    assert_eq!(table.legal(A), ["score ec_1/0", "end"]);
    table.play(A, "score ec_1/0");
    assert_eq!(
        table.public().round,
        3,
        "with nothing left to score nobody is asked"
    );
}

#[test]
fn r25_the_marker_never_moves_at_a_level_up() {
    let mut table = scores(&[("pc_1/0", A, 1), ("ec_1/0", A, 1)]);
    table.give(A, |board| board.energy = 38);
    table.play(A, "score pc_1/0");
    assert_eq!(
        (
            table.party(A).consumption,
            table.party(A).level,
            table.energy(A)
        ),
        (40, 1, 1)
    );
}

#[test]
fn r26_energy_equal_to_consumption_is_enough() {
    for (energy, level) in [(36, 0), (37, 1)] {
        let mut table = scores(&[("pc_1/0", A, 1), ("ec_1/0", A, 1)]);
        table.give(A, |board| board.energy = energy);
        table.play(A, "score pc_1/0");
        assert_eq!(table.party(A).level, level);
    }
}

// R27: G9.

#[test]
fn r27_two_levels_in_one_phase_bring_both_cards() {
    let mut table = scores(&[("pc_1/0", A, 1), ("ec_1/0", A, 1)]);
    table.lay(|public, _, hidden| {
        (public.parties[0].consumption, public.parties[0].energy) = (20, 19);
        stack_dark_tech(hidden, "dt1_efficiency");
    });
    table.play(A, "score pc_1/0");
    table.give(A, |board| board.energy = 19);
    table.play(A, "score ec_1/0");
    assert!(table.legal(A).iter().all(|id| id.starts_with("dt1_")));
    table.play(A, "dt1_efficiency");
    assert!(table.legal(A).iter().all(|id| id.starts_with("dt2_")));
}

#[test]
fn r28_compensation_compares_levels_at_the_moment() {
    // A rises to 1 while B is at 0; B rises to 1 later in the same phase, and still gets the gem of
    // A's event (R29).
    let mut table = scores(&[("pc_1/0", A, 1), ("pc_1/1", B, 1)]);
    table.lay(|public, _, hidden| {
        public.parties[0].energy = 39;
        public.parties[1].energy = 39;
        stack_dark_tech(hidden, "dt1_efficiency");
        stack_dark_tech(hidden, "dt1_deep_drill");
    });
    table.play(A, "score pc_1/0");
    table.play(B, "score pc_1/1");
    let before = table.gems(B);
    assert_eq!(table.party(B).level, 1);
    table.play(A, "dt1_efficiency");
    assert_eq!(table.gems(B).1, before.1 + 1);
}

#[test]
fn r29_who_rises_later_still_gets_the_gem_of_the_first_event() {
    let mut table = scores(&[("pc_1/0", A, 1), ("pc_1/1", B, 1)]);
    table.lay(|public, _, hidden| {
        public.parties[0].energy = 39;
        public.parties[1].energy = 39;
        stack_dark_tech(hidden, "dt1_efficiency");
        stack_dark_tech(hidden, "dt1_deep_drill");
    });
    table.play(A, "score pc_1/0");
    table.play(B, "score pc_1/1");
    let golden = [A, B].map(|party| table.gems(party).1);
    table.play(A, "dt1_efficiency");
    table.play(B, "dt1_deep_drill");
    assert_eq!(
        [A, B].map(|party| table.gems(party).1),
        [golden[0], golden[1] + 1],
        "A gets none of B's event"
    );
}

#[test]
fn r30_no_compensation_for_level_3() {
    let mut table = scores(&[("pc_1/0", A, 1)]);
    table.give(A, |board| (board.energy, board.level) = (39, 2));
    let before = [B, C, D].map(|party| table.gems(party));
    table.play(A, "score pc_1/0");
    assert_eq!([B, C, D].map(|party| table.gems(party)), before);
    assert_eq!(table.public().throne, Some(Party(A)));
}

#[test]
fn r31_the_throne_goes_to_the_first_only() {
    let mut table = scores(&[("pc_1/0", A, 1), ("pc_1/1", B, 1)]);
    for party in [A, B] {
        table.give(party, |board| (board.energy, board.level) = (39, 2));
    }
    table.play(A, "score pc_1/0");
    table.play(B, "score pc_1/1");
    let throned: Vec<_> = table
        .told
        .iter()
        .filter(|(_, event)| matches!(event, Event::ThroneTaken { .. }))
        .collect();
    assert_eq!(throned.len(), 1);
    assert_eq!(table.public().throne, Some(Party(A)));
    assert!(
        matches!(&table.public().stage, Stage::Over(ending) if ending.reason == EndReason::Throne)
    );
}

// R32: G33.

#[test]
fn r32_a_level_up_in_phase_1_does_not_shorten_the_round() {
    let mut table = buys(2, 0, 0);
    table.give(A, |board| (board.energy, board.level) = (36, 2));
    table.play(A, "project_1 for 2a");
    assert_eq!(table.public().throne, Some(Party(A)));
    assert!(matches!(table.public().stage, Stage::Planning { .. }));
}

#[test]
fn r33_level_4_beats_level_3() {
    let mut table = scores(&[("pc_1/0", A, 1), ("pc_1/1", B, 1)]);
    table.lay(|public, private, hidden| {
        (public.parties[0].level, public.parties[0].energy) = (2, 39);
        (public.parties[1].level, public.parties[1].energy) = (3, 39);
        (0..4).for_each(|seat| hold(private, hidden, seat, &[]));
        public.throne = Some(Party(A));
        public
            .parties
            .iter_mut()
            .for_each(|board| board.gems = gems(0, 0, 0));
    });
    table.play(A, "score pc_1/0");
    table.play(B, "score pc_1/1");
    assert_eq!(table.party(B).level, 4);
    assert!(
        matches!(&table.public().stage, Stage::Over(ending) if ending.outcome.winners == SeatSet::only(Seat(B)))
    );
}

#[test]
fn r34_levels_in_final_scoring_bring_nothing() {
    // G34 shows the level; here that nobody gets a card or gems.
    let mut table = Table::new(&options(), 2);
    table.lay(|public, private, hidden| {
        (0..2).for_each(|seat| hold(private, hidden, seat, &[]));
        public.parties[0].gems = gems(3, 0, 0);
        (public.parties[0].energy, public.parties[0].level) = (18, 0);
        public.parties[1].gems = gems(0, 0, 0);
    });
    table.begin(|game, cx| game.begin_final_scoring(cx));
    assert_eq!(table.party(A).level, 1);
    assert_eq!(table.gems(B), (0, 0, 0));
    assert!(table.party(A).dark_tech.is_empty());
    assert!(table.public().level_ups.is_empty(), "there is no event");
}

#[test]
fn r35_the_dark_card_counts_and_may_be_returned() {
    let mut table = b0("s_gems");
    table.lay(|public, private, hidden| {
        lay_tiles(public, hidden, &[("vc_1", "p2_07")], &[]);
        public.parties[0].supply = 30;
        put(public, "vc_1/0", A, 1);
        bonus_tops(private, hidden, &["bl_10"]);
        let dark = private.get(Seat(A)).unwrap().bonus[0].to_string();
        hold(private, hidden, A, &[&dark, "bl_01", "bl_02", "bl_03"]);
    });
    table.begin_acting();
    table.play(A, "skip; score vc_1/0; return 0");
    assert_eq!(
        (table.party(A).light_bonus, table.party(A).dark_bonus),
        (4, 0)
    );
    let bottom = *table.game.hidden().bonus_deck.last().unwrap();
    assert!(
        bottom.index() >= Bonus::LIGHT,
        "a dark card goes under the light deck too"
    );
    assert_eq!(
        table.public().bonus_deck.last().copied(),
        Some(bottom.back())
    );
}

#[test]
fn r36_removed_cubes_can_be_placed_again() {
    let mut table = b0("s_settle");
    table.lay(|public, _, _| {
        // All cubes that are not on the board are upgrades, or lie on one planet.
        build(public, A, "adapt_desert");
        put(public, "ec_1/0", A, 26);
    });
    assert_eq!(table.party(A).supply, 0);
    table.begin_acting();
    table.play(A, "score pc_1/0");
    assert_eq!(
        (table.party(A).supply, table.cubes("pc_1/0", A)),
        (1, 0),
        "the cube is back"
    );
    table.play(A, "score ec_1/0");
    assert_eq!(table.party(A).supply, 2);
    assert_eq!(
        table.party(A).upgrades.len(),
        1,
        "the cube of an upgrade never returns"
    );
    // Both can be placed again, and no third one.
    table.lay(|public, _, hidden| {
        for slot in &mut public.parties[0].slots {
            slot.stack.clear();
        }
        lay_card(public, hidden, A, 1, "ai_03");
    });
    table.begin_acting();
    table.play(A, "pc_1/0; pc_1/1");
    assert_eq!(table.party(A).supply, 0);
    assert!(
        matches!(table.public().stage, Stage::Scoring { .. }),
        "the third cube of the step is passed over"
    );
}

#[test]
fn r37_without_a_cube_nothing_is_placed_and_no_upgrade_bought() {
    let mut table = b0("s_settle");
    table.lay(|public, _, _| {
        put(public, "pc_2/0", A, 27);
        public.parties[0].gems = gems(3, 3, 3);
    });
    table.begin_buying(0);
    assert!(
        table
            .legal(A)
            .iter()
            .all(|decision| decision.starts_with("row") || decision == "end")
    );
    table.begin_acting();
    assert!(
        matches!(table.public().stage, Stage::Scoring { .. }),
        "settling is passed over"
    );
}

#[test]
fn r37_with_one_cube_founding_places_one() {
    let mut table = b0("s_found");
    table.lay(|public, _, _| put(public, "pc_2/1", A, 26));
    assert_eq!(table.party(A).supply, 1);
    table.begin_acting();
    table.play(A, "found pc_1/1");
    assert_eq!((table.party(A).supply, table.cubes("pc_1/1", A)), (0, 1));
}

#[test]
fn r38_an_absent_galaxy_has_no_spaces() {
    let table = Table::new(&options(), 2);
    let spaces: Vec<Space> = (1..=3)
        .flat_map(|parsec| table.public().free_spaces(parsec).collect::<Vec<_>>())
        .collect();
    assert_eq!(spaces.len(), 21 - 2);
    for absent in [
        Galaxy::UmberReach,
        Galaxy::DuneVeil,
        Galaxy::TennantStrand,
        Galaxy::HeavensFence,
    ] {
        assert!(spaces.iter().all(|space| space.galaxy() != absent));
    }
}

#[test]
fn r39_a_card_that_does_nothing_is_legal_and_consumes() {
    let mut table = later_plan();
    table.give(A, |board| board.gems = gems(0, 0, 0));
    table.play(A, "s_improve on 1; keep 2; keep 3");
    table.play(B, "s_improve on 1; keep 2; keep 3");
    assert_eq!(table.party(A).total, 4);
    assert!(!table.may(A, "improve a"));
}

#[test]
fn r40_a_dark_card_of_an_absent_galaxy_is_never_dealt() {
    for seed in 0..40 {
        let chance = tavola_engine::Chance::at_ply(tavola_engine::Seed::from_number(seed), 0);
        let table = Table::with_chance(&Options::default(), 2, chance);
        for seat in [A, B] {
            let dealt = table.own(seat).bonus[0].to_string();
            assert!(
                ["bd_05", "bd_06", "bd_07"].contains(&dealt.as_str()),
                "{dealt}"
            );
        }
    }
    assert_eq!(DATA.bonus.len(), 27);
    assert_eq!(Card::COUNT, 31);
}

/// 5.4: every step may be declined, wholly or after some of its repetitions; the next one follows.
#[test]
fn a_declined_step_is_followed_by_the_next_one_of_the_card() {
    let mut table = acting("ai_04");
    table.play(A, "skip; take pc_1");
    assert_eq!(table.gems(A), (2, 1, 0));
    let mut table = acting("ai_13");
    table.play(A, "take ec_1; skip; improve g");
    assert_eq!((table.energy(A), table.gems(A)), (11, (1, 0, 1)));
    let mut table = acting("ai_24");
    table.play(A, "skip");
    assert!(
        matches!(table.public().stage, Stage::Scoring { .. }),
        "a choice that is declined is the whole card"
    );
}
