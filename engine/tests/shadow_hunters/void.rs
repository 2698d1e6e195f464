//! Section 8: where an ability is void, or there are none at all, no row of the table of abilities
//! applies; but Unknown still deceives (R25), and Emi, whom G7 has.

use tavola_engine::games::shadow_hunters::{Action, Question, Step};

use crate::golden_white::attack;
use crate::scenario::{Given, equipment, given, seat};

/// The table with the mark of a void ability where the text has `{}`, and without special abilities.
fn without_ability(text: &str) -> [Given; 2] {
    let void = given(&text.replace("{}", "void"));
    let none = given(&text.replace("{}", "")).options(|options| options.special_abilities = false);
    [void, none]
}

#[test]
fn nothing_but_a_reveal_is_left_in_the_start_window() {
    for id in [
        "ellen",
        "franklin",
        "fu_ka",
        "george",
        "ultra_soul",
        "agnes",
        "allie",
        "david",
    ] {
        for position in without_ability(&format!("8: A {id} d3 {{}} / B wight @4")) {
            let table = position.at(Step::StartWindow).discarded("chainsaw").start();
            assert_eq!(table.legal(), [Action::Pass, Action::Reveal], "{id}");
        }
    }
}

#[test]
fn nothing_but_a_reveal_is_left_in_the_end_window() {
    for id in ["gregor", "wight"] {
        for position in without_ability(&format!("8: A {id} @0 {{}} / B emi dead")) {
            let table = position.at(Step::EndWindow).start();
            assert_eq!(table.legal(), [Action::Pass, Action::Reveal], "{id}");
        }
    }
}

#[test]
fn the_vampire_sucks_no_blood() {
    for position in without_ability("A vampire d5 @0 {} R / B gregor @1") {
        assert_eq!(attack(position, &[4, 1]).damage('A'), 5);
    }
    for position in without_ability("A vampire d5 @0 {} / B gregor @1") {
        let table = attack(position, &[4, 1]);
        assert!(!table.legal().contains(&Action::SuckBlood));
    }
}

#[test]
fn the_valkyrie_rolls_both_dice() {
    for position in without_ability("A valkyrie @0 {} R / B gregor @1") {
        assert_eq!(attack(position, &[6, 1]).damage('B'), 5);
    }
}

#[test]
fn the_werewolf_does_not_strike_back() {
    for reveal in ["", "R"] {
        let text = format!("A franklin @0 R / B werewolf @1 {{}} {reveal}");
        for position in without_ability(&text) {
            let table = attack(position, &[3, 1]);
            assert!(!table.legal().contains(&Action::Counterattack), "{reveal}");
        }
    }
}

/// That his ability is void is public: he isn't even asked, hidden or not.
#[test]
fn bob_robs_nobody() {
    for reveal in ["", "R"] {
        let board = format!("5: A bob void @0 {reveal} / B gregor @1 [talisman, handgun]");
        assert_eq!(attack(given(&board), &[4, 1]).damage('B'), 3, "{reveal}");
    }
}

#[test]
fn bob_loots_one_card_only() {
    let loots = Question::Loot { victim: seat('B') };
    for reveal in ["", "R"] {
        let board = format!("7: A bob void @0 {reveal} / B emi d9 @1 [talisman, handgun]");
        let table = attack(given(&board), &[4, 1]);
        assert_eq!(table.asked(), Some(('A', loots)), "{reveal}");
        let card = equipment("handgun");
        let table = table.now('A', Action::Loot { card });
        assert!(!table.owns('A', "talisman"));
    }
}

#[test]
fn bryan_is_not_forced_to_reveal() {
    for position in without_ability("7: A bryan @0 {} / B emi d9 @1") {
        let table = attack(position, &[3, 1]);
        assert!(!table.alive('B') && table.hidden('A'));
    }
}

#[test]
fn charles_does_not_feast() {
    for reveal in ["", "R"] {
        let text = format!("5: A charles @0 {{}} {reveal} / B gregor @1 R");
        for position in without_ability(&text) {
            let table = attack(position, &[3, 1]);
            let feast = Action::Feast { player: seat('B') };
            assert!(!table.legal().contains(&feast), "{reveal}");
        }
    }
}

#[test]
fn catherine_does_not_heal() {
    for position in without_ability("5: A catherine d4 {} R") {
        assert_eq!(position.at(Step::Begin).start().damage('A'), 4);
    }
}

#[test]
fn daniel_does_not_scream() {
    for position in without_ability("6: A wight @0 R / B emi d9 @1 / C daniel {}") {
        let table = attack(position, &[3, 1]);
        assert!(!table.alive('B') && table.hidden('C'));
    }
}
