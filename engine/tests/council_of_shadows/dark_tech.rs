//! Each Dark Tech card (8), and its case in G27.

use tavola_engine::games::council_of_shadows::components::{DarkTech, Galaxy, Leader, Set};
use tavola_engine::games::council_of_shadows::{Event, Options, Party, Stage};
use tavola_engine::{Seat, Viewer};

use crate::scenario::*;

/// Bench B0, where A picks this card after its buy turn; the others have no gems to buy with.
fn picks(id: &str, change: impl FnOnce(&mut Table)) -> Table {
    let mut table = b0("s_gems");
    table.lay(|public, _, hidden| {
        let level = dark_tech(id).data().level;
        let board = &mut public.parties[0];
        (board.level, board.energy) = (level - 1, 36);
        board.gems = gems(2, 0, 0);
        for board in public.parties.iter_mut().skip(1) {
            board.level = level - 1;
            board.gems = gems(0, 0, 0);
        }
        stack_dark_tech(hidden, id);
    });
    change(&mut table);
    table.begin_buying(0);
    table.play(A, "project_1 for 2a");
    if table.to_act() == [A] && table.may(A, "end") {
        table.play(A, "end");
    }
    assert_eq!(
        (table.party(A).level, table.energy(A)),
        (dark_tech(id).data().level, 0)
    );
    table.play(A, id);
    table
}

/// Bench B0 with the card already taken.
fn has(id: &str, visible: &str) -> Table {
    let mut table = b0(visible);
    table.lay(|public, _, hidden| own_dark_tech(public, hidden, A, id));
    table
}

#[test]
fn g27_extra_field() {
    let table = picks("dt1_extra_field", |_| ());
    assert_eq!(table.party(A).slots.len(), 4);
    let cards = ["s_settle", "s_mine", "s_gems"];
    let mut table = b0("s_settle");
    table.lay(|public, _, hidden| {
        lay_tiles(public, hidden, &[("vm_1", "p3_01")], &[]);
        public.parties[0].supply = 30;
        let slots = &mut public.parties[0].slots;
        slots.push(tavola_engine::games::council_of_shadows::Slot::empty(
            tavola_engine::games::council_of_shadows::components::Field::DarkTech,
        ));
        own_dark_tech(public, hidden, A, "dt1_extra_field");
        lay_card(public, hidden, A, 2, cards[1]);
        lay_card(public, hidden, A, 3, cards[2]);
    });
    let hand = table.hand(A);
    table.begin_acting();
    table.play(A, "skip");
    assert_eq!(
        table.tops(A),
        ["-", "s_settle", "s_mine", "s_gems"],
        "a shift into an empty field returns nothing"
    );
    assert_eq!(table.hand(A), hand);

    // In the next round the card there acts with range 3, and counts for consumption.
    let mut table = b0("s_gems");
    table.lay(|public, _, hidden| {
        lay_tiles(public, hidden, &[("vm_1", "p3_01")], &[]);
        public.parties[0].supply = 30;
        let slots = &mut public.parties[0].slots;
        slots[0].stack.clear();
        slots.push(tavola_engine::games::council_of_shadows::Slot::empty(
            tavola_engine::games::council_of_shadows::components::Field::DarkTech,
        ));
        public.parties[0].hand.insert(card("s_gems"));
        own_dark_tech(public, hidden, A, "dt1_extra_field");
        lay_card(public, hidden, A, 4, "s_settle");
    });
    table.begin_planning();
    table.play(A, "s_gems on 1; keep 2; keep 3; keep 4");
    for other in [B, C, D] {
        table.play(other, "s_improve on 1; keep 2; keep 3");
    }
    assert_eq!(table.party(A).total, 3);
    table.play(A, "skip");
    assert_eq!(table.legal(A), ["vm_1/0", "skip"]);
    table.play(A, "skip");
    assert!(
        table.party(A).hand.contains(card("s_settle")),
        "stacks leave from the last slot only"
    );
}

#[test]
fn g27_gem_well() {
    let mut table = has("dt1_gem_well", "s_gems");
    table.give(A, |board| board.gems = gems(0, 0, 0));
    table.begin_buying(0);
    assert_eq!(table.gems(A), (1, 1, 0));
    assert_eq!(
        picks("dt1_gem_well", |_| ()).gems(A),
        (0, 0, 0),
        "nothing at once"
    );
}

#[test]
fn g27_efficiency() {
    let mut table = has("dt1_efficiency", "s_gems");
    table.lay(|public, _, hidden| {
        public.parties[0].slots[0].stack.clear();
        public.parties[0].hand.insert(card("s_gems"));
        lay_card(public, hidden, A, 2, "s_mine");
        lay_card(public, hidden, A, 3, "s_explore");
    });
    table.begin_planning();
    table.play(A, "s_settle on 1; keep 2; keep 3");
    for other in [B, C, D] {
        table.play(other, "s_improve on 1; keep 2; keep 3");
    }
    assert_eq!(table.party(A).total, 3);
}

#[test]
fn g27_efficiency_counts_before_the_ascetic() {
    // 8: visible 5 is 3 with dt1_efficiency, too little for ld_ascetic; 6 is 4, and so 3.
    for (top, total) in [("s_settle", 3), ("s_explore", 3), ("s_found", 4)] {
        let mut table = has("dt1_efficiency", "s_gems");
        table.lay(|public, _, hidden| {
            let board = &mut public.parties[0];
            board.leader = Some(Leader::Ascetic);
            board.slots[0].stack.clear();
            board.hand.insert(card("s_gems"));
            lay_card(public, hidden, A, 2, "s_gems");
            lay_card(public, hidden, A, 3, "s_mine");
        });
        table.begin_planning();
        table.play(A, &format!("{top} on 1; keep 2; keep 3"));
        for other in [B, C, D] {
            table.play(other, "s_improve on 1; keep 2; keep 3");
        }
        assert_eq!(table.party(A).total, total, "{top}");
    }
}

#[test]
fn g27_deep_drill() {
    let mut table = has("dt1_deep_drill", "s_mine");
    table.begin_acting();
    table.play(A, "take ec_1; take ec_1; take pc_1");
    assert_eq!((table.gems(A), table.energy(A)), ((2, 1, 0), 13));
}

#[test]
fn g27_warp_beacon() {
    let mut table = has("dt1_warp_beacon", "s_settle");
    table.lay(|public, _, hidden| {
        lay_tiles(
            public,
            hidden,
            &[("pc_1", "p1_01"), ("cd_1", "p2_07"), ("vm_1", "p3_01")],
            &[],
        );
        public.parties[0].supply = 30;
        for id in ["range_2_2", "range_3_2", "range_3_3"] {
            build(public, A, id);
        }
        lay_card(public, hidden, A, 2, "ai_05");
        lay_card(public, hidden, A, 3, "ai_01");
    });
    table.begin_acting();
    // Ranges 1, 2, 3 act as 2, 3, 3.
    let ranges = [1, 2, 3].map(|slot| table.public().range(Party(A), slot));
    assert_eq!(ranges, [2, 3, 3]);
    let reached = |table: &Table| ["pc_1/0", "cd_1/0", "vm_1/0"].map(|planet| table.may(A, planet));
    assert_eq!(reached(&table), [true, true, false]);
    table.play(A, "skip");
    assert_eq!(reached(&table), [true, true, true]);
    table.play(A, "skip");
    assert_eq!(reached(&table), [true, true, true]);
    table.give(A, |board| board.gems = gems(0, 2, 0));
    table.begin_buying(0);
    let energy = table.energy(A);
    table.play(A, "range_1_2 for 1g");
    assert_eq!(
        table.energy(A),
        energy + 1,
        "range upgrades still give energy"
    );
}

#[test]
fn g27_terraformer() {
    let mut table = picks("dt1_terraformer", |table| {
        table.give(A, |board| board.energy = 36);
    });
    assert_eq!(table.energy(A), 7);
    table.lay(|public, _, hidden| {
        public.parties[0].energy = 17;
        lay_tiles(public, hidden, &[("pc_2", "p1_04")], &[]);
        public.parties[0].supply = 29;
        public.parties[0].slots[0].stack.clear();
        public.parties[0].hand.insert(card("s_gems"));
        lay_card(public, hidden, A, 1, "s_settle");
    });
    table.begin_acting();
    assert!(table.may(A, "pc_2/1"), "the volcano is legal");
    table.give(A, |board| board.gems = gems(1, 1, 0));
    table.begin_buying(0);
    assert!(
        table.may(A, "adapt_volcano for 1a"),
        "adaptability can still be bought"
    );
}

#[test]
fn g27_energy_burst() {
    let mut table = b0("s_gems");
    table.lay(|public, _, hidden| {
        let board = &mut public.parties[0];
        (board.level, board.energy, board.consumption) = (0, 61, 35);
        board.gems = gems(2, 0, 0);
        public
            .parties
            .iter_mut()
            .skip(1)
            .for_each(|board| board.gems = gems(0, 0, 0));
        stack_dark_tech(hidden, "dt1_energy_burst");
    });
    table.begin_buying(0);
    table.play(A, "project_1 for 2a");
    assert_eq!((table.party(A).level, table.energy(A)), (1, 30));
    table.play(A, "dt1_energy_burst");
    assert_eq!((table.party(A).level, table.energy(A)), (2, 4));
    assert!(
        table.legal(A).iter().all(|id| id.starts_with("dt2_")),
        "the new event is processed in the same pass"
    );
}

#[test]
fn g27_cache() {
    let table = picks("dt1_cache", |table| {
        table.give(A, |board| board.gems = gems(2, 1, 0));
    });
    assert_eq!(table.gems(A), (0, 3, 1));
}

/// A scores with this card; B has cubes too.
fn scoring_with(id: &str, tiles: &[(&str, &str)], cubes: &[(&str, u8, u8)]) -> Table {
    let mut table = has(id, "s_gems");
    table.lay(|public, _, hidden| {
        public.parties[0].supply = 30;
        lay_tiles(public, hidden, tiles, &[]);
        for &(planet, party, count) in cubes {
            put(public, planet, party, count);
        }
    });
    table.begin_acting();
    table.play(A, "skip");
    table
}

#[test]
fn g27_dominion() {
    let mut table = scoring_with(
        "dt2_dominion",
        &[("ec_1", "p1_08")],
        &[("ec_1/0", A, 2), ("ec_1/1", B, 2)],
    );
    let energy = table.energy(A);
    table.play(A, "score ec_1/0");
    assert_eq!(table.energy(A), energy + 6);
    assert!(
        table.heard(&Event::EnergyGained {
            party: Party(A),
            energy: 6
        }),
        "in one gain"
    );
}

#[test]
fn g27_dominion_needs_as_many() {
    let mut table = scoring_with(
        "dt2_dominion",
        &[("ec_1", "p1_08")],
        &[("ec_1/0", A, 1), ("ec_1/1", B, 2)],
    );
    let energy = table.energy(A);
    table.play(A, "score ec_1/0");
    assert_eq!(
        table.energy(A),
        energy + 2,
        "the low value gives no energy more"
    );
}

#[test]
fn g27_purge() {
    for (energy, level, left) in [(18, 2, 18), (21, 3, 1)] {
        let mut table = picks("dt2_purge", |_| ());
        assert_eq!(table.party(A).consumption, 32);
        table = b0("s_gems");
        table.lay(|public, _, hidden| {
            let board = &mut public.parties[0];
            (board.level, board.energy, board.consumption) = (1, 27 + energy - 4, 27);
            board.gems = gems(2, 0, 0);
            public
                .parties
                .iter_mut()
                .skip(1)
                .for_each(|board| board.gems = gems(0, 0, 0));
            stack_dark_tech(hidden, "dt2_purge");
        });
        table.begin_buying(0);
        table.play(A, "project_1 for 2a");
        assert_eq!(table.energy(A), energy);
        table.play(A, "dt2_purge");
        let board = table.party(A);
        assert_eq!(
            (board.consumption, board.level, board.energy),
            (20, level, left)
        );
    }
}

#[test]
fn g27_holdfast() {
    let mut table = scoring_with(
        "dt2_holdfast",
        &[("vm_1", "p3_01"), ("ec_1", "p1_08")],
        &[("vm_1/0", A, 1), ("ec_1/0", A, 1)],
    );
    let energy = table.energy(A);
    table.play(A, "score vm and keep");
    assert_eq!(table.energy(A), energy + 10);
    assert_eq!(table.cubes("vm_1/0", A), 1);
    assert_eq!(table.party(A).light_bonus, 1);
    assert_eq!(
        table.legal(A),
        ["score ec_1/0", "end"],
        "once per round, each galaxy once"
    );
}

#[test]
fn g27_surge() {
    let table = picks("dt2_surge", |_| ());
    assert_eq!(table.energy(A), 11);
}

#[test]
fn g27_colonial_wave() {
    let mut table = picks("dt2_colonial_wave", |table| {
        table.lay(|public, _, hidden| {
            lay_tiles(public, hidden, &[("vc_1", "p2_01"), ("vm_1", "p3_08")], &[]);
            public.parties[0].supply = 30;
        });
    });
    assert_eq!(table.legal(A), ["vc_1/0", "vm_1/0", "vm_1/1", "skip"]);
    let others = table.gems(B);
    table.play(A, "vc_1/0");
    assert_eq!(table.gems(B), others, "compensation comes after the effect");
    table.play(A, "vm_1/0");
    assert_ne!(table.gems(B), others);
    assert!(
        matches!(table.public().stage, Stage::Planning { .. }),
        "at most two"
    );

    let mut table = picks("dt2_colonial_wave", |_| ());
    table.play(A, "skip");
    assert!(matches!(table.public().stage, Stage::Planning { .. }));
}

#[test]
fn g27_archive() {
    let mut table = picks("dt2_archive", |table| {
        table.lay(|_, private, hidden| {
            let dark = private.get(Seat(A)).unwrap().bonus[0].to_string();
            bonus_tops(private, hidden, &["bl_10", "bl_11"]);
            hold(private, hidden, A, &[&dark, "bl_01", "bl_02"]);
        });
    });
    assert_eq!(table.energy(A), 5);
    assert_eq!(table.own(A).bonus.len(), 4);
    assert_eq!(table.own(A).bonus_drawn, Some(bonus("bl_11")));
    assert_eq!(table.legal(A).len(), 5);
    table.play(A, "return 0");
    let held: Vec<_> = table
        .own(A)
        .bonus
        .iter()
        .map(|card| card.to_string())
        .collect();
    assert_eq!(
        held,
        ["bl_01", "bl_02", "bl_10", "bl_11"],
        "a kept card goes to the end"
    );
    assert!(matches!(table.public().stage, Stage::Planning { .. }));
}

#[test]
fn g27_overclock() {
    let mut table = has("dt2_overclock", "s_gems");
    table.lay(|public, _, hidden| {
        public.parties[0].slots[0].stack.clear();
        public.parties[0].hand.insert(card("s_gems"));
        lay_card(public, hidden, A, 2, "s_improve");
    });
    table.begin_planning();
    table.play(A, "s_gems on 1; keep 2; keep 3");
    for other in [B, C, D] {
        table.play(other, "s_improve on 1; keep 2; keep 3");
    }
    assert_eq!(table.party(A).total, 3, "consumption is counted once");
    table.play(A, "accept; skip; accept");
    assert_eq!(table.gems(A), (3, 3, 0));
    assert!(
        matches!(table.public().stage, Stage::Scoring { .. }),
        "twice, not three times"
    );
}

#[test]
fn g27_overclock_is_for_slot_1_alone() {
    let mut table = has("dt2_overclock", "s_gems");
    table.lay(|public, _, hidden| {
        public.parties[0].slots[0].stack.clear();
        public.parties[0].hand.insert(card("s_gems"));
        lay_card(public, hidden, A, 2, "s_gems");
    });
    table.begin_acting();
    table.play(A, "accept");
    assert_eq!(table.gems(A), (2, 2, 0));
    assert!(
        matches!(table.public().stage, Stage::Scoring { .. }),
        "slot 1 is empty"
    );
}

#[test]
fn g27_overclock_starts_limits_afresh() {
    let mut table = has("dt2_overclock", "s_mine");
    table.begin_acting();
    table.play(A, "take pc_1; take ec_1; take pc_1; take ec_1");
    assert_eq!((table.gems(A), table.energy(A)), ((3, 1, 0), 14));
}

#[test]
fn g27_trade_nexus() {
    let mut table = has("dt2_trade_nexus", "s_gems");
    table.give(A, |board| board.energy = 5);
    table.begin_buying(0);
    table.play(A, "range_1_2 for 1g");
    assert_eq!(table.energy(A), 9);
    assert!(table.heard(&Event::EnergyGained {
        party: Party(A),
        energy: 1
    }));
    assert!(
        table.heard(&Event::EnergyGained {
            party: Party(A),
            energy: 3
        }),
        "a separate gain"
    );
}

#[test]
fn a_picker_sees_the_stack_and_keeps_that_knowledge() {
    let mut table = b0("s_gems");
    table.lay(|public, _, _| {
        let board = &mut public.parties[0];
        (board.energy, board.gems) = (36, gems(2, 0, 0));
        public
            .parties
            .iter_mut()
            .skip(1)
            .for_each(|board| board.gems = gems(0, 0, 0));
    });
    assert_eq!(table.own(A).dark_tech, [None, None]);
    table.begin_buying(0);
    table.play(A, "project_1 for 2a");
    let stack: Set<DarkTech> = table.game.hidden().dark_tech[0].iter().copied().collect();
    assert_eq!(stack.len(), 6);
    assert_eq!(table.own(A).dark_tech[0], Some(stack));
    assert_eq!(table.own(B).dark_tech[0], None);
    let seen = Event::DarkTechSeen {
        level: 1,
        cards: stack,
    };
    let hears = |viewer| crate::secrets::heard(&table.told, viewer).contains(&&seen);
    for viewer in crate::secrets::viewers(4) {
        assert_eq!(hears(viewer), viewer == Viewer::Seat(Seat(A)), "{viewer:?}");
    }
    let pick = stack.iter().next().unwrap();
    table.play(A, pick.id());
    assert_eq!(table.own(A).dark_tech[0], Some(stack.without(pick)));
    assert_eq!(table.public().dark_tech, [5, 6]);
}

#[test]
fn both_additional_fields_stand_in_order() {
    let options = Options {
        leaders: tavola_engine::games::council_of_shadows::LeaderMode::Random,
        ..options()
    };
    // 11: slot 4 is the leader's field, slot 5 that of Dark Tech.
    let table = (0..20)
        .map(|seed| {
            let chance = tavola_engine::Chance::at_ply(tavola_engine::Seed::from_number(seed), 0);
            Table::with_chance(&options, 4, chance)
        })
        .find(|table| table.party(A).slots.len() == 4);
    let mut table = table.unwrap();
    table.lay(|public, _, hidden| {
        public.order = (0..4).map(Party).collect();
        public.round = 2;
        let board = &mut public.parties[0];
        (board.energy, board.consumption, board.gems) = (36, 40, gems(2, 0, 0));
        public
            .parties
            .iter_mut()
            .skip(1)
            .for_each(|board| board.gems = gems(0, 0, 0));
        stack_dark_tech(hidden, "dt1_extra_field");
    });
    table.begin_buying(0);
    table.play(
        A,
        "project_1 for 2a; dt1_extra_field; s_settle on 1; s_mine on 2; s_gems on 3; s_found on 4",
    );
    assert!(table.may(A, "keep 5"));
    assert_eq!(Galaxy::VioletMaw.parsec(), 3);
}
