//! The rulings of section 12 that concern gods, as scenarios; the others are in `rulings.rs` and
//! `setup.rs`.

use std::collections::BTreeSet;

use crate::scenarios::{cases, scenarios};

const FILE: &str = include_str!("scenarios/rulings.txt");

#[test]
fn each_of_the_70_rulings_is_tried() {
    assert!(
        NAMES
            .iter()
            .collect::<BTreeSet<_>>()
            .into_iter()
            .eq(cases(FILE).keys())
    );
    let others = concat!(include_str!("rulings.rs"), include_str!("setup.rs"));
    let missing: Vec<_> = (1..=70)
        .map(|number| format!("R{number}"))
        .filter(|name| !NAMES.contains(&name.as_str()))
        .filter(|name| !others.contains(&format!("fn {}_", name.to_lowercase())))
        .collect();
    assert_eq!(missing, [""; 0]);
}

scenarios! { FILE;
    r3_forced_to_level_3_is_no_win: "R3",
    r7_a_dome_is_no_block: "R7",
    r9_apollo_lifts_a_forced_worker_any_number_of_levels: "R9",
    r10_apollo_cannot_build_where_he_came_from_after_a_swap: "R10",
    r11_artemis_does_not_go_back_to_her_start_space: "R11",
    r12_artemis_may_pass_over_level_3_only_where_hera_stops_the_win: "R12",
    r13_a_forced_rise_does_not_set_the_lock: "R13",
    r14_the_lock_binds_all_opponents_until_her_next_turn: "R14",
    r15_hephaestus_puts_nothing_on_a_dome: "R15",
    r16_each_worker_of_hermes_keeps_to_its_own_level: "R16",
    r17_after_a_level_step_no_step_down: "R17",
    r18_hermes_may_move_nobody: "R18",
    r19_minotaur_pushes_no_chain: "R19",
    r20_pan_does_not_win_when_dionysus_moves_him_down: "R20",
    r21_prometheus_steps_on_his_own_pre_build_if_that_is_not_up: "R21",
    r22_a_bound_worker_may_not_win_away_from_aphrodite: "R22",
    r23_of_several_moves_only_the_last_counts_for_aphrodite: "R23",
    r24_the_worker_that_bia_removes_still_counts_for_aphrodite: "R24",
    r26_a_single_worker_sleeps: "R26",
    r27_poseidon_needs_an_unmoved_worker: "R27",
    r28_circe_takes_the_power_of_a_lone_worker: "R28",
    r29_the_lock_is_open_when_athena_s_card_changes_hands: "R29",
    r30_when_circe_gives_morpheus_back_she_gets_no_piece: "R30",
    r31_in_an_additional_turn_persephone_s_own_workers_owe_no_climb: "R31",
    r32_chronus_wins_the_moment_the_additional_turn_has_ended: "R32",
    r33_the_veto_of_an_additional_turn_ends_with_it: "R33",
    r34_the_god_of_the_borrowed_worker_gives_nothing: "R34",
    r35_a_level_3_that_hera_stopped_never_wins_later: "R35",
    r36_medusa_petrifies_a_limus_worker_that_stands_apart: "R36",
    r37_petrifying_needs_the_block: "R37",
    r38_morpheus_may_build_nothing: "R38",
    r39_optional_powers_must_make_the_climb: "R39",
    r39b_a_climb_counts_only_if_the_turn_can_be_completed: "R39b",
    r41_the_dome_of_the_female_completes_the_turn: "R41",
    r42_triton_returns_to_where_he_started: "R42",
    r43_zeus_on_level_3_builds_nothing_under_himself: "R43",
    r44_zeus_does_not_win_by_a_drop: "R44",
    r46_nobody_uses_his_partner_s_god: "R46",
    r47_a_team_s_workers_are_both_its_own: "R47",
    r48_a_partner_s_god_restricts_nobody_of_his_team: "R48",
    r49_restrictions_work_against_both_opponents_of_three: "R49",
    r50_any_dome_swaps_chaos_god: "R50",
    r52_charon_ferries_to_any_level: "R52",
    r53_two_players_eros_needs_level_1: "R53",
    r53b_eros_both_on_level_2_is_no_win: "R53b",
    r54_ares_does_not_touch_a_complete_tower: "R54",
    r55_bia_removes_only_straight_beyond_her_step: "R55",
    r56_taking_a_power_is_not_optional_and_its_burden_comes_with_it: "R56",
    r57_chaos_draws_athena_in_mid_turn_the_lock_is_open: "R57",
    r58_two_domes_in_one_turn_of_an_opponent_two_swaps: "R58",
    r59_ares_may_remove_the_block_built_in_this_turn: "R59",
    r60_hestia_builds_twice_on_one_inner_space: "R60",
    r61_in_an_additional_turn_the_partner_s_gods_bind_nobody: "R61",
    r62_three_players_while_the_third_side_can_climb_persephone_s_own_workers_cannot_be_borrowed: "R62",
    r63_circe_s_check_comes_before_the_decision_about_the_additional_turn: "R63",
    r64_no_third_build_after_a_swap: "R64",
    r65_few_blocks_the_lowest_space_first: "R65",
    r67_the_god_of_an_eliminated_player_restricts_nobody: "R67",
    r68_a_player_may_take_a_step_by_which_another_wins: "R68",
    r69_athena_discarded_and_drawn_again_has_an_open_lock: "R69",
}
