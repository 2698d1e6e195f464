//! The golden scenarios (16), each with its number.

use tavola_engine::games::council_of_shadows::components::{
    AutomaCard, Back, Bonus, Card, Field, Galaxy, Leader, Numbered, Payment, Set, Station,
};
use tavola_engine::games::council_of_shadows::{
    AutomaMode, EndReason, Ending, Event, LeaderMode, Options, Party, ScoringTiming, Stage,
    StartEnergy,
};
use tavola_engine::{Game, Seat, SeatSet, Viewer};

use crate::scenario::*;

/// G1, one line of the table: the card, A's decisions, and A's supply, gems and energy after them.
#[track_caller]
fn g1(card: &str, decisions: &str, supply: u8, gems: (u16, u16, u16), energy: u16) -> Table {
    let mut table = acting(card);
    table.play(A, decisions);
    assert_eq!(
        (table.party(A).supply, table.gems(A), table.energy(A)),
        (supply, gems, energy),
        "{card}"
    );
    assert!(
        matches!(table.public().stage, Stage::Scoring { nth: 0, .. }),
        "{card}: nothing is left to do, {:?}",
        table.legal(A)
    );
    table
}

const GEMS: (u16, u16, u16) = (1, 1, 0);

#[test]
fn g1_starting_cards() {
    g1("s_settle", "pc_1/1", 26, GEMS, 10);
    let table = g1("s_found", "found pc_2/0", 25, GEMS, 10);
    assert_eq!(table.cubes("pc_2/0", A), 2);
    g1("s_mine", "take pc_1; take ec_1", 27, (2, 1, 0), 12);
    let table = g1("s_explore", "stack 1; p1_05 on ec_2; yield", 27, GEMS, 12);
    let stack = &table.game.hidden().tile_stacks[0];
    assert_eq!(stack[0], tile("p1_12"));
    assert_eq!(stack.last(), Some(&tile("p1_07")));
    g1("s_gems", "accept", 27, (2, 2, 0), 10);
    g1("s_improve", "improve a; improve g", 27, (0, 1, 1), 10);
}

#[test]
fn g1_ai_01_to_ai_09() {
    g1("ai_01", "pc_1/1; ec_1/2", 25, GEMS, 10);
    g1("ai_02", "pc_2/0; skip", 26, GEMS, 10);
    g1("ai_03", "pc_1/1; ec_1/2; pc_2/0", 24, GEMS, 10);
    g1("ai_04", "pc_1/1; take pc_1; ", 26, (2, 1, 0), 11);
    g1("ai_05", "ec_1/2", 26, GEMS, 10);
    let table = g1("ai_06", "found ec_1/2", 25, GEMS, 10);
    assert_eq!(table.cubes("ec_1/2", A), 2);
    g1("ai_07", "found pc_2/0; pc_1/1", 24, GEMS, 10);
    g1("ai_08", "found pc_1/1; found ec_1/2", 23, GEMS, 10);
    g1("ai_09", "found pc_1/1; take pc_1", 25, (2, 1, 0), 11);
}

#[test]
fn g1_ai_10_to_ai_14() {
    g1(
        "ai_10",
        "take ec_1; take ec_1; take pc_1",
        27,
        (2, 1, 0),
        13,
    );
    g1(
        "ai_11",
        "take ec_1; take ec_1; take pc_1",
        27,
        (2, 1, 0),
        13,
    );
    g1("ai_12", "take ec_1; take ec_1", 27, GEMS, 12);
    g1(
        "ai_13",
        "take ec_1; take pc_1; improve g",
        27,
        (2, 0, 1),
        12,
    );
    g1("ai_14", "take ec_1; take pc_1; skip", 27, (2, 1, 0), 12);
}

#[test]
fn g1_ai_15_to_ai_18() {
    let table = g1("ai_15", "stack 1; p1_07 on ur_1; colony 0", 26, GEMS, 10);
    assert_eq!(
        table.game.hidden().tile_stacks[0].last(),
        Some(&tile("p1_05"))
    );
    g1(
        "ai_16",
        "stack 1; p1_05 on ec_2; colony 0; ec_2/1",
        25,
        GEMS,
        10,
    );
    let table = g1(
        "ai_17",
        "stack 1; p1_07 on dv_1; yield; stack 1; p1_12 on dv_2; yield",
        27,
        (2, 2, 0),
        13,
    );
    assert_eq!(
        table.game.hidden().tile_stacks[0].last(),
        Some(&tile("p1_02"))
    );
    g1(
        "ai_18",
        "stack 1; p1_05 on ec_2; colony 0; take ec_2",
        26,
        GEMS,
        12,
    );
}

#[test]
fn g1_ai_19_to_ai_25() {
    g1("ai_19", "accept", 27, (1, 3, 0), 10);
    g1("ai_20", "accept", 27, (1, 1, 1), 10);
    g1("ai_21", "accept", 27, (2, 1, 0), 10);
    g1("ai_22", "accept; improve g", 27, (2, 1, 1), 10);
    g1("ai_23", "improve g", 27, (1, 0, 1), 10);
    g1(
        "ai_24",
        "step 1; take pc_1; take ec_1; take ec_1",
        27,
        (2, 1, 0),
        13,
    );
    g1("ai_25", "take pc_1; improve a", 27, (1, 2, 0), 11);
}

/// Every card moves the marker by its number when it is the only visible one.
#[test]
fn g1_consumption_of_each_card() {
    for of in Card::all() {
        let mut table = Table::new(&options(), 2);
        table.lay(|public, _, hidden| {
            public.round = 2;
            let id = of.to_string();
            public.parties[0].consumption = 40;
            if of.is_ai() {
                hand_card(public, hidden, A, &id);
            }
            // One card in hand: it is laid without asking.
            let others: Vec<Card> = public.parties[0]
                .hand
                .iter()
                .filter(|&card| card != of)
                .collect();
            for card in others {
                public.parties[0].hand.remove(card);
            }
        });
        table.begin_planning();
        table.play(B, "s_settle on 1; keep 2; keep 3");
        assert_eq!(
            table.party(A).total,
            i16::from(of.data().consumption),
            "{of}"
        );
        let moved = 40 + i16::from(of.data().consumption);
        assert_eq!(table.party(A).consumption as i16, moved, "{of}");
    }
    assert_eq!(card("ai_21").data().consumption, -2);
    assert_eq!(card("ai_08").data().consumption, 5);
}

#[test]
fn g2_payment() {
    let payments = |owned| -> Vec<_> {
        Payment::all_for(gems(1, 1, 0), owned)
            .map(Payment::gems)
            .collect()
    };
    assert_eq!(payments(gems(1, 0, 2)), [gems(1, 0, 1), gems(0, 0, 2)]);
    assert_eq!(payments(gems(3, 0, 0)), []);
}

#[test]
fn g3_a_project_too_dear() {
    let mut table = Table::new(&options(), 4);
    table.give(A, |board| board.gems = gems(5, 5, 2));
    table.lay(|public, _, _| public.order = (0..4).map(Party).collect());
    table.begin_buying(0);
    assert!(
        table
            .legal(A)
            .iter()
            .all(|decision| !decision.starts_with("project_4"))
    );
    assert!(table.may(A, "project_3 for 1a 1g 1t"));
}

#[test]
fn g4_the_row_is_refilled_at_once() {
    let mut table = Table::new(&options(), 4);
    table.lay(|public, _, hidden| {
        public.order = (0..4).map(Party).collect();
        public.parties[0].gems = gems(1, 2, 0);
        offer(public, hidden, 3, "ai_15");
        top_of_deck(public, hidden, "ai_22");
    });
    table.begin_buying(0);
    table.play(A, "row 3 for 1a 1g");
    assert_eq!(table.public().ai_row[2], Some(card("ai_22")));
    table.play(A, "row 3 for 1g");
    assert!(table.party(A).hand.contains(card("ai_22")));

    let mut table = Table::new(&options(), 4);
    table.lay(|public, _, hidden| {
        public.order = (0..4).map(Party).collect();
        public.parties[0].gems = gems(1, 1, 0);
        offer(public, hidden, 3, "ai_15");
        for card in std::mem::take(&mut hidden.ai_deck) {
            public.parties[1].hand.insert(card);
        }
    });
    table.begin_buying(0);
    table.play(A, "row 3 for 1a 1g");
    assert_eq!(table.public().ai_row[2], None);
}

#[test]
fn g5_three_purchases() {
    let mut table = Table::new(&options(), 4);
    table.lay(|public, _, _| {
        public.order = (0..4).map(Party).collect();
        public.parties[0].gems = gems(2, 3, 0);
    });
    table.begin_buying(0);
    let energy = table.energy(A);
    table.play(A, "range_1_2 for 1g; range_1_3 for 1g; adapt_desert for 1g");
    assert_eq!(table.energy(A), energy + 2);
    assert_eq!(table.party(A).supply, 27);
    assert_eq!(table.gems(A), (2, 0, 0));
    assert_eq!(table.to_act(), [B], "no fourth purchase is offered");
    // Slot 1 has range 3.
    table.lay(|public, _, hidden| {
        lay_tiles(public, hidden, &[("vm_1", "p3_01")], &[]);
        lay_card(public, hidden, A, 1, "s_settle");
    });
    table.begin_acting();
    assert_eq!(table.legal(A), ["vm_1/0", "skip"]);
}

#[test]
fn g6_range_steps_in_order() {
    let mut table = Table::new(&options(), 4);
    table.lay(|public, _, _| {
        public.order = (0..4).map(Party).collect();
        public.parties[0].gems = gems(0, 3, 0);
    });
    table.begin_buying(0);
    assert!(!table.may(A, "range_2_3 for 1g"));
    table.play(A, "range_2_2 for 1g");
    assert!(table.may(A, "range_2_3 for 1g"));
}

#[test]
fn g7_a_level_in_the_buy_phase() {
    let mut table = b0("s_settle");
    table.give(A, |board| {
        board.energy = 34;
        board.gems = gems(0, 2, 0);
    });
    for poor in [B, C, D] {
        table.give(poor, |board| board.gems = gems(0, 1, 0));
    }
    table.begin_buying(0);
    table.play(A, "project_2 for 2g");
    assert_eq!((table.party(A).level, table.energy(A)), (1, 0));
    for buyer in [B, C, D] {
        assert_eq!(
            table.to_act(),
            [buyer],
            "Dark Tech comes after the whole phase"
        );
        table.play(buyer, "end");
    }
    assert_eq!(table.to_act(), [A]);
    assert_eq!(table.legal(A).len(), 6);
    let pick = table.legal(A)[0].clone();
    table.play(A, &pick);
    for other in [B, C, D] {
        assert_eq!(table.gems(other), (0, 2, 0));
    }
}

#[test]
fn g8_a_yield_that_reaches_the_consumption() {
    let mut table = b0("s_mine");
    table.give(A, |board| board.energy = 39);
    table.begin_acting();
    table.play(A, "take pc_1");
    let board = table.party(A);
    assert_eq!(
        (table.gems(A), board.level, board.energy, board.consumption),
        ((2, 1, 0), 1, 0, 40)
    );
}

#[test]
fn g9_two_levels_in_one_phase() {
    let mut table = b0("s_gems");
    table.lay(|public, _, hidden| {
        lay_tiles(public, hidden, &[("as_1", "p3_01"), ("hf_1", "p3_03")], &[]);
        let board = &mut public.parties[0];
        (board.energy, board.consumption, board.supply) = (19, 20, 30);
        put(public, "as_1/0", A, 1);
        put(public, "hf_1/0", A, 1);
        // Neither card that is picked gives energy or gems.
        stack_dark_tech(hidden, "dt1_efficiency");
        stack_dark_tech(hidden, "dt2_holdfast");
    });
    table.begin_acting();
    table.play(A, "skip; score as_1/0");
    assert_eq!((table.party(A).level, table.energy(A)), (1, 11));
    table.play(A, "score hf_1/0");
    assert_eq!((table.party(A).level, table.energy(A)), (2, 0));
    let others = [B, C, D].map(|other| table.gems(other));
    assert_eq!(table.to_act(), [A]);
    table.play(A, "dt1_efficiency");
    assert_eq!(
        [B, C, D].map(|other| table.gems(other)),
        others.map(|(a, g, t)| (a, g + 1, t))
    );
    table.play(A, "dt2_holdfast");
    assert_eq!(
        [B, C, D].map(|other| table.gems(other)),
        others.map(|(a, g, t)| (a, g + 2, t + 1))
    );

    // The level check alone: energy 45 against consumption 20 is two levels.
    let mut table = b0("s_mine");
    table.give(A, |board| (board.energy, board.consumption) = (44, 20));
    table.begin_acting();
    table.play(A, "take pc_1");
    assert_eq!((table.party(A).level, table.energy(A)), (2, 5));
    assert_eq!(table.public().level_ups.len(), 2);
}

#[test]
fn g10_compensation_in_chronological_order() {
    let mut table = b0("s_mine");
    table.lay(|public, _, hidden| {
        public.parties[0].energy = 39;
        public.parties[3].energy = 39;
        put(public, "pc_1/1", D, 1);
        lay_card(public, hidden, D, 1, "s_mine");
        stack_dark_tech(hidden, "dt1_efficiency");
        stack_dark_tech(hidden, "dt1_deep_drill");
    });
    table.begin_acting();
    table.play(A, "take pc_1; skip; end");
    table.play(D, "take pc_1; end");
    let before = [A, B, C, D].map(|party| table.party(party).gems.golden);
    table.play(A, "dt1_efficiency");
    let first = [A, B, C, D].map(|party| table.party(party).gems.golden);
    assert_eq!(
        first,
        [before[0], before[1] + 1, before[2] + 1, before[3] + 1]
    );
    table.play(D, "dt1_deep_drill");
    let second = [A, B, C, D].map(|party| table.party(party).gems.golden);
    assert_eq!(second, [first[0], first[1] + 1, first[2] + 1, first[3]]);
}

#[test]
fn g11_compensation_for_level_2() {
    let mut table = b0("s_mine");
    table.lay(|public, _, hidden| {
        public.parties[0].energy = 39;
        for (party, level) in [1, 1, 0, 2].into_iter().enumerate() {
            public.parties[party].level = level;
        }
        stack_dark_tech(hidden, "dt2_holdfast");
    });
    table.begin_acting();
    table.play(A, "take pc_1; skip; end; dt2_holdfast");
    assert_eq!(table.gems(B), (1, 2, 0));
    assert_eq!(table.gems(C), (1, 2, 1));
    assert_eq!(table.gems(D), (1, 1, 0));
}

/// A table of two in PLAN of round 1.
fn first_plan() -> Table {
    let mut table = Table::new(&options(), 2);
    table.begin_planning();
    table
}

#[test]
fn g12_the_plan_of_round_1() {
    let mut table = first_plan();
    for (slot, of) in [(1, "s_settle"), (2, "s_mine"), (3, "s_gems")] {
        assert!(!table.may(A, &format!("keep {slot}")));
        table.play(A, &format!("{of} on {slot}"));
    }
    table.play(B, "s_settle on 1; s_mine on 2; s_found on 3");
    assert_eq!((table.party(A).total, table.party(A).consumption), (5, 25));
}

#[test]
fn g13_the_plan_of_round_2() {
    let mut table = Table::new(&options(), 2);
    table.lay(|public, _, hidden| {
        public.round = 2;
        lay_card(public, hidden, A, 2, "s_settle");
        lay_card(public, hidden, A, 3, "s_mine");
    });
    assert_eq!(table.tops(A), ["-", "s_settle", "s_mine"]);
    assert_eq!(
        table.hand(A),
        ["s_found", "s_explore", "s_gems", "s_improve"]
    );
    table.begin_planning();
    table.play(A, "s_explore on 1; keep 2; s_improve on 3");
    table.play(B, "s_settle on 1; keep 2; keep 3");
    assert_eq!(table.party(A).total, 4);
    assert_eq!(table.to_act(), [A], "the higher total goes first");
    // s_explore, s_settle and s_improve act, s_mine does nothing.
    assert!(table.may(A, "stack 1"));
    table.play(A, "skip");
    let settles = table.legal(A);
    assert!(
        settles.iter().any(|decision| decision.starts_with("pc_")),
        "{settles:?}"
    );
    table.play(A, "skip; skip");
    assert_eq!(table.tops(A), ["-", "s_explore", "s_settle"]);
    assert_eq!(table.hand(A), ["s_found", "s_mine", "s_gems", "s_improve"]);
}

/// Four humans whose plans come to these totals; what they know of energy and former order is set
/// before.
fn order_after(totals: [&[&str]; 4], energies: [u16; 4], former: [u8; 4]) -> Vec<u8> {
    let mut table = Table::new(&options(), 4);
    table.lay(|public, _, hidden| {
        public.round = 2;
        public.order = former.into_iter().map(Party).collect();
        for (party, (cards, energy)) in totals.into_iter().zip(energies).enumerate() {
            public.parties[party].energy = energy;
            public.parties[party].consumption = 40;
            for (slot, id) in cards.iter().enumerate().skip(1) {
                lay_card(public, hidden, party as u8, slot + 1, id);
            }
        }
    });
    table.begin_planning();
    for (seat, cards) in (0..).zip(totals) {
        table.play(seat, &format!("{} on 1; keep 2; keep 3", cards[0]));
    }
    table.public().order.iter().map(|party| party.0).collect()
}

#[test]
fn g14_the_new_turn_order() {
    let totals: [&[&str]; 4] = [
        &["s_found", "s_mine"],
        &["s_found", "s_mine", "s_gems"],
        &["s_found", "s_explore"],
        &["s_mine", "s_gems"],
    ];
    assert_eq!(
        order_after(totals, [3, 1, 6, 2], [0, 1, 2, 3]),
        [B, C, A, D]
    );
}

#[test]
fn g15_the_former_order_breaks_the_last_tie() {
    let totals: [&[&str]; 4] = [
        &["s_found", "s_mine"],
        &["s_found", "s_mine"],
        &["s_settle"],
        &["s_improve"],
    ];
    assert_eq!(order_after(totals, [6, 6, 1, 2], [1, 0, 2, 3])[..2], [B, A]);
    assert_eq!(order_after(totals, [6, 6, 1, 2], [0, 1, 2, 3])[..2], [A, B]);
}

#[test]
fn g16_a_negative_total() {
    let mut table = Table::new(&options(), 2);
    table.lay(|public, _, hidden| {
        public.round = 2;
        let board = &mut public.parties[0];
        (board.consumption, board.energy) = (21, 20);
        hand_card(public, hidden, A, "ai_21");
        lay_card(public, hidden, A, 2, "ai_23");
        lay_card(public, hidden, A, 3, "s_improve");
    });
    table.begin_planning();
    table.play(B, "s_settle on 1; keep 2; keep 3");
    table.play(A, "ai_21 on 1; keep 2; keep 3");
    let board = table.party(A);
    assert_eq!(
        (board.total, board.consumption, board.level, board.energy),
        (-3, 20, 1, 0)
    );
    assert!(
        matches!(table.public().stage, Stage::Events { .. }),
        "DT follows CONSUME"
    );
    assert_eq!(
        table.public().order[0],
        Party(B),
        "the order is fixed before DT"
    );
}

/// A scores first; B has cubes too. No cards.
fn scoring(options: &Options, tiles: &[(&str, &str)], cubes: &[(&str, u8, u8)]) -> Table {
    let mut table = bench(options, "s_gems");
    table.lay(|public, _, hidden| {
        public.parties[0].supply = 30;
        lay_tiles(public, hidden, tiles, &[]);
        for &(planet, party, count) in cubes {
            put(public, planet, party, count);
        }
        public.parties[0].slots[0].stack.clear();
        public.parties[0].hand.insert(card("s_gems"));
    });
    table
}

#[test]
fn g17_a_tie_scores_low() {
    let mut table = scoring(
        &options(),
        &[("cd_1", "p2_07")],
        &[("cd_1/0", A, 2), ("cd_1/1", B, 2)],
    );
    table.begin_acting();
    let (energy, supply) = (table.energy(A), table.party(A).supply);
    table.play(A, "score cd_1/0");
    assert_eq!((table.energy(A), table.cubes("cd_1/0", A)), (energy + 4, 1));
    assert_eq!(table.party(A).supply, supply + 1);
}

#[test]
fn g18_each_galaxy_once_a_round() {
    let mut table = scoring(
        &options(),
        &[("cd_1", "p2_07"), ("pc_1", "p1_01")],
        &[("cd_1/0", A, 2), ("pc_1/0", A, 1), ("cd_1/1", B, 1)],
    );
    table.begin_acting();
    let energy = table.energy(A);
    table.play(A, "score cd_1/0");
    assert_eq!((table.energy(A), table.cubes("cd_1/0", A)), (energy + 8, 1));
    assert_eq!(table.legal(A), ["score pc_1/0", "end"]);
    table.play(A, "end");
    let energy = table.energy(B);
    table.play(B, "score cd_1/1");
    assert_eq!(table.energy(B), energy + 4);
}

#[test]
fn g19_a_single_cube() {
    let mut table = scoring(&options(), &[("as_1", "p3_01")], &[("as_1/0", A, 1)]);
    table.begin_acting();
    let energy = table.energy(A);
    table.play(A, "score as_1/0");
    assert_eq!(table.energy(A), energy + 12);
    assert_eq!(table.public().board.cubes_of(Party(A)), 0);
}

#[test]
fn g20_a_fifth_bonus_card() {
    let mut table = scoring(&options(), &[("vc_1", "p2_07")], &[("vc_1/0", A, 2)]);
    table.lay(|_, private, hidden| {
        bonus_tops(private, hidden, &["bl_10"]);
        let dark = private.get(Seat(A)).unwrap().bonus[0].to_string();
        hold(private, hidden, A, &[&dark, "bl_01", "bl_02", "bl_03"]);
    });
    table.begin_acting();
    let energy = table.energy(A);
    table.play(A, "score vc_1/0");
    assert_eq!(table.energy(A), energy + 6);
    assert_eq!(
        table.legal(A),
        ["return 0", "return 1", "return 2", "return 3", "decline"]
    );
    table.play(A, "decline");
    assert_eq!(table.game.hidden().bonus_deck.last(), Some(&bonus("bl_10")));
    assert_eq!(table.own(A).bonus.len(), 4);
}

#[test]
fn g21_scoring_after_all() {
    for (timing, gained) in [(ScoringTiming::AfterAll, 2), (ScoringTiming::PerPlayer, 5)] {
        let options = Options {
            scoring_timing: timing,
            ..options()
        };
        let mut table = scoring(&options, &[("ec_1", "p1_08")], &[("ec_1/0", A, 1)]);
        table.lay(|public, _, hidden| lay_card(public, hidden, B, 1, "s_settle"));
        table.begin_acting();
        let energy = table.energy(A);
        if timing == ScoringTiming::AfterAll {
            table.play(B, "ec_1/1");
        }
        table.play(A, "score ec_1/0");
        assert_eq!(table.energy(A), energy + gained, "{timing:?}");
    }
}

#[test]
fn g22_colony_extension() {
    let mut table = b0("s_found");
    table.lay(|public, _, _| {
        put(public, "ec_1/0", B, 1);
        build(public, A, "colony_extension");
    });
    table.begin_acting();
    table.play(A, "found ec_1/0");
    assert_eq!((table.cubes("ec_1/0", A), table.cubes("ec_1/0", B)), (2, 1));
    let mut table = b0("s_found");
    table.lay(|public, _, _| put(public, "ec_1/0", B, 1));
    table.begin_acting();
    assert!(!table.may(A, "found ec_1/0"));
}

#[test]
fn g23_range() {
    for (slot, reaches) in [(1, false), (2, true)] {
        let mut table = b0("s_gems");
        table.lay(|public, _, hidden| {
            lay_tiles(public, hidden, &[("cd_1", "p2_07"), ("pc_1", "p1_01")], &[]);
            public.parties[0].supply = 30;
            public.parties[0].slots[0].stack.clear();
            build(public, A, "range_2_2");
            lay_card(public, hidden, A, slot, "s_settle");
        });
        table.begin_acting();
        assert!(table.may(A, "pc_1/0"));
        assert_eq!(table.may(A, "cd_1/0"), reaches, "slot {slot}");
    }
}

#[test]
fn g24_adaptability_when_exploring() {
    let mut table = b0("s_explore");
    table.lay(|public, _, hidden| {
        let tiles = [("pc_1", "p1_01"), ("pc_2", "p1_04")];
        lay_tiles(public, hidden, &tiles, &["p1_09", "p1_05"]);
        public.parties[0].supply = 30;
    });
    table.begin_acting();
    table.play(A, "stack 1; p1_09 on ec_1");
    assert_eq!(table.legal(A), ["colony 0", "yield"]);
    let energy = table.energy(A);
    table.play(A, "yield");
    assert_eq!(table.energy(A), energy + 3);
}

#[test]
fn g25_the_only_tile_to_the_only_space() {
    let mut table = b0("s_explore");
    table.lay(|public, _, hidden| {
        let tiles = [
            ("vc_1", "p2_01"),
            ("vc_2", "p2_02"),
            ("vc_3", "p2_03"),
            ("cd_1", "p2_04"),
            ("cd_2", "p2_05"),
            ("cd_3", "p2_06"),
            ("cd_4", "p2_08"),
            ("ts_1", "p2_09"),
            ("ts_2", "p2_10"),
        ];
        lay_tiles(public, hidden, &tiles, &[]);
        public.parties[0].supply = 30;
        build(public, A, "range_1_2");
    });
    assert_eq!(table.public().tile_stacks[1], 1);
    table.begin_acting();
    table.play(A, "stack 2");
    assert_eq!(table.tile_on("cd_5"), "p2_07");
    assert_eq!(table.legal(A), ["colony 0", "colony 1", "yield"]);
}

#[test]
fn g26_a_yield_without_a_choice() {
    let mut table = b0("s_explore");
    table.lay(|public, _, hidden| {
        lay_tiles(public, hidden, &[("pc_1", "p1_01")], &["p2_10", "p2_09"]);
        public.parties[0].supply = 30;
        build(public, A, "range_1_2");
    });
    table.begin_acting();
    let energy = table.energy(A);
    table.play(A, "stack 2; p2_10 on cd_1");
    assert_eq!(table.energy(A), energy + 5);
}

// G27: one test for each Dark Tech card, in dark_tech.rs.

/// Bench F0: four humans with stations, the final values of A.
fn f0() -> Table {
    let options = Options {
        stations: true,
        ..options()
    };
    let mut table = Table::new(&options, 4);
    table.lay(|public, _, hidden| {
        public.order = (0..4).map(Party).collect();
        public.round = 7;
        let tiles = [
            ("ec_1", "p1_08"),
            ("cd_1", "p2_02"),
            ("cd_2", "p2_07"),
            ("as_1", "p3_01"),
            ("as_2", "p3_04"),
            ("as_3", "p3_05"),
            ("ur_1", "p1_02"),
            ("dv_1", "p1_01"),
            ("ts_1", "p2_01"),
            ("hf_1", "p3_06"),
            ("as_4", "p3_02"),
        ];
        lay_tiles(public, hidden, &tiles, &[]);
        for (planet, party, cubes) in [
            ("ec_1/0", A, 2),
            ("cd_1/0", A, 1),
            ("cd_1/1", A, 1),
            ("cd_1/2", A, 1),
            ("as_1/1", A, 1),
            ("as_2/0", A, 1),
            ("ur_1/1", A, 1),
            ("dv_1/0", A, 1),
            ("ts_1/1", A, 1),
            ("hf_1/0", A, 1),
            ("hf_1/2", A, 1),
            ("ec_1/1", B, 2),
            ("cd_2/0", B, 1),
            ("as_4/0", B, 2),
            ("as_3/0", B, 1),
        ] {
            put(public, planet, party, cubes);
        }
        for id in ["ai_01", "ai_02", "ai_03", "ai_04"] {
            hand_card(public, hidden, A, id);
        }
        lay_card(public, hidden, A, 2, "ai_05");
        for id in [
            "adapt_desert",
            "adapt_volcano",
            "range_1_2",
            "range_1_3",
            "range_2_2",
            "project_1",
            "project_2",
        ] {
            build(public, A, id);
        }
        public.parties[0].gems = gems(4, 2, 3);
        station(public, A, Station::Relay, Galaxy::CobaltDeep);
        station(public, A, Station::Citadel, Galaxy::EmberCrown);
    });
    table
}

#[test]
fn g28_the_value_of_every_bonus_card() {
    let table = f0();
    let expected = [
        4, 4, 5, 4, 8, 8, 5, 8, 6, 5, 5, 3, 4, 7, 8, 6, 6, 6, // light
        3, 8, 3, 3, 6, 6, 7, 6, 4, // dark
    ];
    for (of, value) in Bonus::all().zip(expected) {
        assert_eq!(table.public().bonus_value(Seat(A), of), value, "{of}");
    }
    assert_eq!(expected.len(), usize::from(Bonus::COUNT));
    // Gems 17, AI cards 10.
    let mut table = f0();
    table.lay(|public, private, hidden| {
        public.parties[0].consumption = 60;
        public.parties[0].energy = 0;
        hold(private, hidden, A, &[]);
    });
    table.begin(|game, cx| game.begin_final_scoring(cx));
    assert_eq!(table.energy(A), 17 + 10);
    assert!(table.heard(&Event::EnergyGained {
        party: Party(A),
        energy: 17
    }));
    assert!(table.heard(&Event::EnergyGained {
        party: Party(A),
        energy: 10
    }));
}

fn with_stations() -> Options {
    Options {
        stations: true,
        ..options()
    }
}

#[test]
fn g29_a_relay_counts_for_everybodys_comparison() {
    let relayed = || {
        let mut table = scoring(
            &with_stations(),
            &[("ec_1", "p1_08")],
            &[("ec_1/0", A, 1), ("ec_1/1", B, 1)],
        );
        table.lay(|public, _, _| station(public, A, Station::Relay, Galaxy::EmberCrown));
        table
    };
    let mut table = relayed();
    table.begin_acting();
    let energy = table.energy(A);
    table.play(A, "score ec_1/0");
    assert_eq!(table.energy(A), energy + 5);
    let mut table = relayed();
    table.begin_acting();
    table.play(A, "end");
    let energy = table.energy(B);
    table.play(B, "score ec_1/1");
    assert_eq!(table.energy(B), energy + 2);
}

#[test]
fn g30_refinery_and_citadel() {
    let mut table = bench(&with_stations(), "s_mine");
    table.lay(|public, _, _| station(public, A, Station::Refinery, Galaxy::EmberCrown));
    table.begin_acting();
    table.play(A, "take ec_1; take ec_1");
    assert_eq!(table.energy(A), 14);
    let mut table = scoring(
        &with_stations(),
        &[("ec_1", "p1_08")],
        &[("ec_1/0", A, 1), ("ec_1/1", B, 1)],
    );
    table.lay(|public, _, _| station(public, A, Station::Citadel, Galaxy::EmberCrown));
    table.begin_acting();
    let energy = table.energy(A);
    table.play(A, "score ec_1/0");
    assert_eq!(table.energy(A), energy + 4);
}

#[test]
fn g31_where_a_station_may_go() {
    let mut table = bench(&with_stations(), "s_mine");
    table.lay(|public, _, _| {
        public.parties[0].gems = gems(5, 0, 0);
        station(public, A, Station::Citadel, Galaxy::EmberCrown);
    });
    table.begin_buying(0);
    let offered: Vec<_> = table
        .legal(A)
        .into_iter()
        .filter(|decision| decision.starts_with("st_"))
        .collect();
    assert_eq!(
        offered,
        [
            "st_relay on parvus_corta for 2a",
            "st_refinery on parvus_corta for 1a"
        ]
    );
}

fn led_by(leader: Leader) -> Table {
    let options = Options {
        leaders: LeaderMode::Draft,
        ..options()
    };
    let mut table = Table::new(&options, 4);
    for _ in 0..4 {
        let seat = table.to_act()[0];
        let choice = if seat == A {
            leader
        } else {
            // The others leave A's leader to A.
            Leader::all()
                .find(|&other| other != leader && table.may(seat, other.id()))
                .unwrap()
        };
        table.play(seat, choice.id());
    }
    table
}

#[test]
fn g32_leaders() {
    let tile = |table: &Table| {
        table
            .public()
            .order
            .iter()
            .position(|&party| party == Party(A))
            .unwrap() as u16
            + 1
    };

    let table = led_by(Leader::Navigator);
    assert_eq!(
        (table.party(A).supply, table.energy(A)),
        (29, tile(&table) + 4)
    );
    let mut table = led_by(Leader::Navigator);
    table.lay(|public, _, hidden| {
        lay_tiles(public, hidden, &[("cd_1", "p2_07")], &[]);
        public.order = (0..4).map(Party).collect();
        lay_card(public, hidden, A, 1, "s_settle");
    });
    table.begin_acting();
    assert!(table.may(A, "cd_1/0"), "slot 1 has range 2");

    let mut table = led_by(Leader::Geologist);
    assert_eq!(
        (table.party(A).supply, table.energy(A)),
        (29, tile(&table) + 3)
    );
    table.lay(|public, _, hidden| {
        lay_tiles(public, hidden, &[("ur_1", "p1_06")], &[]);
        public.order = (0..4).map(Party).collect();
        lay_card(public, hidden, A, 1, "s_settle");
    });
    table.begin_acting();
    assert_eq!(table.legal(A), ["ur_1/0", "ur_1/1", "skip"]);

    assert_eq!(led_by(Leader::Magnate).gems(A), (2, 1, 0));

    let mut table = led_by(Leader::Engineer);
    assert_eq!(table.party(A).slots[3].field, Field::Leader);
    table.begin_planning();
    table.play(A, "s_settle on 1; s_mine on 2; s_gems on 3");
    assert!(table.may(A, "keep 4") && table.may(A, "s_found on 4"));
    assert_eq!(Field::Leader.fixed_range(), Some(1));

    let mut table = b0("s_mine");
    table.give(A, |board| board.leader = Some(Leader::Driller));
    table.begin_acting();
    table.play(A, "take pc_1; take ec_1");
    assert_eq!(table.energy(A), 14);

    for (cards, total) in [
        (["s_settle", "s_mine", "s_gems"], 4),
        (["s_settle", "s_improve", "ai_06"], 3),
    ] {
        let mut table = Table::new(&options(), 2);
        table.lay(|public, _, hidden| {
            public.round = 2;
            public.parties[0].leader = Some(Leader::Ascetic);
            lay_card(public, hidden, A, 2, cards[1]);
            lay_card(public, hidden, A, 3, cards[2]);
        });
        table.begin_planning();
        table.play(A, &format!("{} on 1; keep 2; keep 3", cards[0]));
        table.play(B, "s_settle on 1; keep 2; keep 3");
        assert_eq!(table.party(A).total, total, "{cards:?}");
    }
}

fn ending(table: &Table) -> &Ending {
    match &table.public().stage {
        Stage::Over(ending) => ending,
        stage => panic!("not over: {stage:?}"),
    }
}

#[test]
fn g33_the_last_round_is_played_to_its_end() {
    let mut table = Table::new(&options(), 2);
    table.lay(|public, _, _| {
        public.round = 7;
        public.order = [Party(B), Party(A)].into_iter().collect();
        let board = &mut public.parties[0];
        (board.level, board.energy, board.consumption, board.gems) = (2, 36, 40, gems(2, 0, 0));
        public.parties[1].gems = gems(0, 0, 0);
    });
    table.begin_buying(1);
    table.play(A, "project_1 for 2a");
    assert_eq!(table.public().throne, Some(Party(A)));
    assert_eq!(table.to_act(), [A, B], "PLAN follows");
    table.play(B, "s_found on 1; keep 2; keep 3");
    table.play(A, "s_gems on 1; keep 2; keep 3");
    assert_eq!(
        table.public().order[0],
        Party(B),
        "CONSUME has dealt the order tiles"
    );
    table.play(B, "skip");
    table.play(A, "skip");
    assert_eq!(ending(&table).reason, EndReason::Throne);
    let scored = table.told.iter().filter_map(|(_, event)| match event {
        Event::FinalScoring { party } => Some(party.0),
        _ => None,
    });
    assert_eq!(scored.collect::<Vec<_>>(), [A, B], "the throne first");
}

/// Final scoring of four humans, with these levels, energies and consumptions, without gems and
/// bonus cards.
fn final_scoring(rows: [(u8, u16, u16); 4]) -> Table {
    let mut table = Table::new(&options(), 4);
    table.lay(|public, private, hidden| {
        public.order = (0..4).map(Party).collect();
        lay_tiles(
            public,
            hidden,
            &[("pc_1", "p1_01"), ("ec_1", "p1_08"), ("ec_2", "p1_03")],
            &[],
        );
        for (board, (level, energy, consumption)) in public.parties.iter_mut().zip(rows) {
            (board.level, board.energy, board.consumption) = (level, energy, consumption);
            board.gems = gems(0, 0, 0);
        }
        for seat in 0..4 {
            hold(private, hidden, seat, &[]);
        }
    });
    table
}

#[test]
fn g34_a_level_in_final_scoring() {
    let mut table = final_scoring([(1, 0, 40), (1, 0, 40), (2, 38, 45), (3, 1, 50)]);
    table.give(C, |board| board.gems = gems(1, 1, 2));
    table.lay(|public, _, _| public.throne = Some(Party(D)));
    table.begin(|game, cx| game.begin_final_scoring(cx));
    assert_eq!((table.party(C).level, table.energy(C)), (3, 2));
    assert_eq!(table.gems(A), (0, 0, 0), "no gems for others");
    assert_eq!(ending(&table).outcome.winners, SeatSet::only(Seat(C)));
    assert_eq!(table.public().throne, Some(Party(D)));
}

#[test]
fn g35_ties() {
    let tied = [(3, 5, 40), (3, 5, 40), (0, 0, 40), (0, 0, 40)];
    let mut table = final_scoring(tied);
    table.lay(|public, _, _| {
        put(public, "pc_1/0", A, 7);
        put(public, "pc_1/1", B, 6);
    });
    table.begin(|game, cx| game.begin_final_scoring(cx));
    assert_eq!(ending(&table).outcome.winners, SeatSet::only(Seat(A)));

    let equal_cubes = || {
        let mut table = final_scoring(tied);
        table.lay(|public, _, _| {
            put(public, "pc_1/0", A, 3);
            put(public, "pc_1/1", B, 3);
        });
        table
    };
    let all = [
        "adapt_desert",
        "adapt_volcano",
        "colony_extension",
        "project_1",
        "project_2",
        "project_3",
        "project_4",
        "range_1_2",
        "range_2_2",
    ];
    let mut table = equal_cubes();
    table.lay(|public, _, _| {
        all[..8].iter().for_each(|id| build(public, A, id));
        all.iter().for_each(|id| build(public, B, id));
    });
    table.begin(|game, cx| game.begin_final_scoring(cx));
    assert_eq!(ending(&table).outcome.winners, SeatSet::only(Seat(B)));

    let mut table = equal_cubes();
    table.begin(|game, cx| game.begin_final_scoring(cx));
    assert_eq!(
        ending(&table).outcome.winners,
        [Seat(A), Seat(B)].into_iter().collect()
    );
    let ranks: Vec<_> = ending(&table)
        .standings
        .iter()
        .map(|standing| (standing.party.0, standing.rank))
        .collect();
    assert_eq!(ranks, [(A, 1), (B, 1), (C, 3), (D, 3)]);
}

// G36 and G37: the Automa cards, in automa.rs.

#[test]
fn g38_levels_with_an_automa() {
    let mut table = solo();
    table.lay(|public, _, hidden| {
        public.parties[1].energy = 39;
        public.automa_card = hidden.automa_deck.pop();
        public.order = [Party(1), Party(0)].into_iter().collect();
        public.parties[0].gems = gems(0, 0, 0);
    });
    let top = table.game.hidden().dark_tech[0][0];
    table.begin_acting();
    assert_eq!(table.party(1).level, 1);
    assert_eq!(
        table.gems(A),
        (0, 0, 0),
        "compensation comes at the end of the phase"
    );
    table.play(A, "end");
    assert_eq!(table.gems(A), (0, 1, 0));
    assert!(table.party(1).has(top));
    assert_eq!(table.public().dark_tech, [5, 6]);

    let mut table = solo();
    table.lay(|public, _, hidden| {
        let board = &mut public.parties[0];
        (board.level, board.energy) = (1, 39);
        hidden
            .automa_deck
            .retain(|card| card.to_string() != "au_08");
        public.automa_card = Some(automa_card("au_08"));
        public.order = [Party(1), Party(0)].into_iter().collect();
        lay_card(public, hidden, A, 1, "s_mine");
        stack_dark_tech(hidden, "dt2_holdfast");
    });
    table.begin_acting();
    let before = table.energy(1);
    table.play(A, "take pc_1; skip; end; dt2_holdfast");
    assert!(table.heard(&Event::EnergyGained {
        party: Party(1),
        energy: 5
    }));
    assert_eq!(table.energy(1), before + 5);
}

#[test]
fn g39_the_end_of_rounds() {
    let options = Options {
        max_rounds: 5,
        ..options()
    };
    let mut table = Table::new(&options, 4);
    table.lay(|public, _, _| {
        public.round = 5;
        public.order = [2, 0, 3, 1].into_iter().map(Party).collect();
    });
    table.begin_acting();
    assert_eq!(ending(&table).reason, EndReason::MaxRounds);
    assert_eq!(table.public().throne, None);
    let scored = table.told.iter().filter_map(|(_, event)| match event {
        Event::FinalScoring { party } => Some(party.0),
        _ => None,
    });
    assert_eq!(scored.collect::<Vec<_>>(), [2, 0, 3, 1]);
}

#[test]
fn g40_fewer_parties() {
    let table = Table::new(&options(), 3);
    let absent: Vec<_> = Galaxy::all()
        .filter(|galaxy| !table.public().galaxies().any(|of| of == *galaxy))
        .collect();
    assert_eq!(absent, [Galaxy::TennantStrand, Galaxy::HeavensFence]);
    let used = |parties| -> Vec<String> {
        let dark =
            Bonus::all().filter(|card| card.index() >= Bonus::LIGHT && card.in_use(parties, false));
        dark.map(|card| card.to_string()).collect()
    };
    assert_eq!(used(3), ["bd_03", "bd_04", "bd_05", "bd_06", "bd_07"]);
    assert_eq!(used(2), ["bd_05", "bd_06", "bd_07"]);
    for seat in 0..3 {
        let own = &table.own(seat).bonus;
        assert!(own.len() == 1 && used(3).contains(&own[0].to_string()));
    }
    for (start_energy, first) in [(StartEnergy::TileNumber, 1), (StartEnergy::TileMinusOne, 0)] {
        let options = Options {
            start_energy,
            ..options()
        };
        let table = Table::new(&options, 3);
        let energies: Vec<u16> = table
            .public()
            .order
            .iter()
            .map(|&party| table.public().party(party).energy)
            .collect();
        assert_eq!(energies, [first, first + 1, first + 2]);
    }
}

#[test]
fn g41_the_range_of_mining() {
    for (slot, takes) in [
        (1, vec!["take pc_1", "skip"]),
        (2, vec!["take pc_1", "take cd_1", "skip"]),
    ] {
        let mut table = b0("s_gems");
        table.lay(|public, _, hidden| {
            lay_tiles(public, hidden, &[("pc_1", "p1_01"), ("cd_1", "p2_01")], &[]);
            public.parties[0].supply = 30;
            put(public, "pc_1/0", A, 1);
            put(public, "cd_1/0", A, 1);
            build(public, A, "range_2_2");
            public.parties[0].slots[0].stack.clear();
            lay_card(public, hidden, A, slot, "s_mine");
        });
        table.begin_acting();
        assert_eq!(table.legal(A), takes);
    }
}

#[test]
fn g42_only_steps_with_an_option_are_offered() {
    let mut table = b0("ai_24");
    table.lay(|public, _, hidden| {
        lay_tiles(public, hidden, &[("pc_1", "p1_01")], &[]);
        public.parties[0].supply = 30;
    });
    table.begin_acting();
    assert_eq!(table.legal(A), ["step 0", "skip"]);
    let mut table = b0("ai_24");
    table.lay(|public, _, hidden| {
        lay_tiles(public, hidden, &[("cd_1", "p2_01")], &[]);
        public.parties[0].supply = 30;
    });
    table.begin_acting();
    assert!(
        !table
            .actions(A)
            .iter()
            .any(|action| said(*action).starts_with("step")),
        "no decision at all"
    );
    assert!(table.public().round > 2, "nobody had anything to do");
}

#[test]
fn g43_no_choice_is_no_question() {
    let mut table = b0("s_settle");
    table.give(A, |board| board.gems = gems(0, 0, 0));
    table.begin_buying(0);
    assert_eq!(table.to_act(), [B], "A has no decision in BUY");

    let mut table = Table::new(&options(), 2);
    table.lay(|public, _, hidden| {
        public.round = 2;
        lay_card(public, hidden, A, 2, "s_mine");
        lay_card(public, hidden, A, 3, "s_gems");
        for id in ["s_settle", "s_found", "s_explore"] {
            public.parties[0].hand.remove(card(id));
        }
    });
    assert_eq!(table.hand(A), ["s_improve"]);
    table.begin_planning();
    assert_eq!(table.to_act(), [B]);
    assert!(table.heard(&Event::PlanDone { seat: Seat(A) }));
    table.play(B, "s_settle on 1; keep 2; keep 3");
    assert!(table.heard(&Event::PlanRevealed {
        seat: Seat(A),
        plan: [Some(card("s_improve")), None, None].into_iter().collect(),
    }));
}

#[test]
fn g44_planning_is_secret() {
    for open in [false, true] {
        let options = Options {
            open_planning: open,
            ..options()
        };
        let mut table = Table::new(&options, 2);
        table.begin_planning();
        let look = |table: &Table, viewer| (table.game.observe(viewer), table.legal(B));
        let viewers = [Viewer::Seat(Seat(B)), Viewer::Spectator];
        let before = viewers.map(|viewer| look(&table, viewer));
        table.told.clear();
        table.play(A, "s_settle on 1");
        let after = viewers.map(|viewer| look(&table, viewer));
        assert_eq!(before == after, !open);
        assert_eq!(before[0].1, after[0].1, "B's choices are the same");
        let heard = |seat: Option<Seat>| {
            table
                .told
                .iter()
                .filter(|(audience, _)| audience.includes(seat))
                .count()
        };
        assert_eq!([Some(Seat(B)), None].map(heard), [usize::from(open); 2]);
        if open {
            assert_eq!(
                table.public().plans.get(Seat(A)).unwrap()[..],
                [Some(card("s_settle"))]
            );
        }
    }
}

#[test]
fn g45_followed_bonus_cards() {
    // A and B each score a bonus galaxy, in this and the coming rounds.
    let mut table = scoring(
        &options(),
        &[("vc_1", "p2_07")],
        &[("vc_1/0", A, 3), ("vc_1/1", B, 3)],
    );
    let dark = ["bd_05", "bd_06", "bd_07", "bd_01"];
    table.lay(|_, private, hidden| {
        for (seat, id) in (0..4).zip(dark) {
            hold(private, hidden, seat, &[id]);
        }
        hold(private, hidden, A, &["bl_01", "bl_02", "bl_03", "bd_05"]);
        hidden.bonus_deck = [bonus("bl_10")].into_iter().collect();
    });
    table.begin_acting();
    let before = table.game.observe(Viewer::Seat(Seat(B)));
    table.play(A, "score vc_1/0; return 1");
    assert!(table.heard(&Event::BonusKept {
        seat: Seat(A),
        returned: Back::Light
    }));
    assert_eq!(table.own(A).memory.bonus_deck[..], [Some(bonus("bl_02"))]);
    assert_eq!(
        table.own(B).memory,
        before.own.unwrap().memory,
        "A alone knows the bottom card"
    );
    table.play(B, "score vc_1/1");
    let held = table.own(A).memory.bonus_held[usize::from(B)];
    assert_eq!(
        held,
        Set::EMPTY.with(bonus("bl_02")),
        "A knows that B holds it"
    );
    assert_eq!(table.own(C).memory.bonus_held[usize::from(B)], Set::EMPTY);

    // Later B holds four cards, bl_02 among three light ones, draws a fifth and returns a light
    // one.
    table.lay(|public, private, hidden| {
        private.get_mut(Seat(B)).unwrap().bonus = ["bd_06", "bl_02", "bl_04", "bl_05"]
            .map(bonus)
            .into_iter()
            .collect();
        let memory = private.get(Seat(A)).unwrap().memory.clone();
        hidden.bonus_deck = [bonus("bl_11")].into_iter().collect();
        for (_, own) in private.iter_mut() {
            own.memory.bonus_deck = [None].into_iter().collect();
        }
        assert_eq!(memory.bonus_held[1].len(), 1);
        public.order = [1, 0, 2, 3].into_iter().map(Party).collect();
        public.bonus_deck = hidden.bonus_deck.iter().map(|card| card.back()).collect();
    });
    table.begin_acting();
    table.play(B, "score vc_1/1; return 1");
    let memory = &table.own(A).memory;
    assert_eq!(memory.bonus_deck[..], [None], "A doesn't know the card");
    assert_eq!(
        memory.bonus_held[usize::from(B)],
        Set::EMPTY,
        "nor B's light cards"
    );
}

// === what the tests of the Automa share

pub(crate) fn automa_card(id: &str) -> AutomaCard {
    AutomaCard::named(id).unwrap()
}

/// The position of G36: a human and the Automa (normal).
pub(crate) fn solo() -> Table {
    let options = Options {
        automa: Some(AutomaMode::Normal),
        ..options()
    };
    let mut table = Table::new(&options, 1);
    table.lay(|public, _, hidden| {
        if let Some(card) = public.automa_card.take() {
            hidden.automa_deck.push(card);
        }
        public.round = 2;
        let tiles = [("pc_1", "p1_01"), ("pc_2", "p1_04"), ("ec_1", "p1_08")];
        lay_tiles(public, hidden, &tiles, &["p1_05"]);
        put(public, "pc_1/0", A, 1);
        put(public, "ec_1/0", A, 1);
        for board in &mut public.parties {
            (board.energy, board.consumption, board.level) = (3, 40, 0);
        }
    });
    table
}

/// 12: "a solo player wins only by ranking above it".
#[test]
fn who_plays_alone_has_to_rank_above_the_automa() {
    let finished = |energy: u16| {
        let mut table = solo();
        table.lay(|public, private, hidden| {
            put(public, "pc_1/1", B, 1);
            put(public, "ec_1/1", B, 1);
            for board in &mut public.parties {
                (board.level, board.energy) = (3, 5);
                board.gems = gems(0, 0, 0);
            }
            public.parties[0].energy = energy;
            hold(private, hidden, A, &[]);
        });
        table.begin(|game, cx| game.begin_final_scoring(cx));
        let ranks: Vec<_> = ending(&table)
            .standings
            .iter()
            .map(|standing| standing.rank)
            .collect();
        (ending(&table).outcome.winners, ranks)
    };
    assert_eq!(finished(5), (SeatSet::EMPTY, vec![1, 1]));
    assert_eq!(finished(6), (SeatSet::only(Seat(A)), vec![1, 2]));
}

/// What the pieces of the tests above stand on.
#[test]
fn benches_are_sound() {
    for table in [b0("s_settle"), f0(), solo(), first_plan()] {
        crate::conformance::conserved(&table.game).unwrap();
    }
}
