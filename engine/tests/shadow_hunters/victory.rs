//! Section 12, win conditions one by one: who just misses his, and what brings it about.

use tavola_engine::games::shadow_hunters::{Action, Deck, HermitCard, Step};

use crate::golden_hermit::give;
use crate::golden_white::attack;
use crate::scenario::{equipment, given, seat};

#[test]
fn bryan_does_not_win_by_a_victim_of_twelve_hit_points() {
    for victim in ["franklin", "fu_ka"] {
        let table = attack(
            given(&format!("7: A bryan @0 / B {victim} d11 @1")),
            &[3, 1],
        );
        assert!(!table.alive('B') && !table.over(), "{victim}");
        assert!(!table.hidden('A'), "My God");
    }
}

#[test]
fn catherine_wins_with_the_last_two_only() {
    let end = |c: &str, e: &str| {
        let board = format!(
            "5: A emi @0 R / B wight d13 @1 / C catherine {c} / D franklin {e} / E unknown dead"
        );
        attack(given(&board), &[3, 1])
    };
    end("R", "dead").won_by("ACD");
    end("R", "").won_by("AD");
}

#[test]
fn a_dead_catherine_does_not_win_with_the_last_two() {
    let board = "6: A emi @0 R / B wight d13 @1 / C catherine dead / D franklin dead / E unknown dead / F charles R";
    attack(given(board), &[3, 1]).won_by("AD");
}

#[test]
fn a_dead_daniel_does_not_win_with_the_hunters() {
    let end = |daniel: &str| {
        let board = format!("5: A emi @0 R / B wight d13 @1 / C daniel {daniel} / D unknown dead");
        attack(given(&board), &[3, 1])
    };
    end("R").won_by("ACE");
    end("dead").won_by("AE");
}

#[test]
fn a_dead_allie_does_not_win_along() {
    let end = |allie: &str| {
        let board = format!("5: A emi @0 R / B wight d13 @1 / C allie {allie} / D unknown dead");
        attack(given(&board), &[3, 1])
    };
    end("R").won_by("ACE");
    end("dead").won_by("AE");
}

/// A gift by a Hermit card has a checkpoint like every other gain.
#[test]
fn equipment_given_for_a_hermit_card_may_win() {
    let gift = |id| Action::AnswerGive {
        card: equipment(id),
    };
    let david = give(
        HermitCard::Anger,
        given("5: A david @0 [talisman, holy_robe] / B emi [silver_rosary]"),
    );
    david.now('B', gift("silver_rosary")).won_by("A");
    let bob = give(
        HermitCard::Anger,
        given("5: A bob @0 [talisman, holy_robe, handgun, chainsaw] / B emi [machine_gun]"),
    );
    bob.now('B', gift("machine_gun")).won_by("A");
}

#[test]
fn bob_wins_by_a_card_that_he_draws() {
    let table = given("5: A bob @1 [talisman, handgun, chainsaw, masamune]")
        .at(Step::Area)
        .next("holy_robe")
        .start()
        .now('A', Action::Draw { deck: Deck::White });
    table.won_by("A");
}

/// Three of the four of his, of any kinds, and no other card.
#[test]
fn david_wins_by_three_of_his_four_cards() {
    let wins = |row: &str, stolen: &str| {
        let table = given(&format!("5: A david @5 [{row}] / B emi [{stolen}]"))
            .at(Step::Area)
            .start();
        let steal = Action::Steal {
            player: seat('B'),
            card: equipment(stolen),
        };
        table.now('A', steal).over()
    };
    assert!(wins("spear_of_longinus, silver_rosary", "talisman"));
    assert!(wins("spear_of_longinus, silver_rosary", "holy_robe"));
    assert!(wins("talisman, holy_robe", "spear_of_longinus"));
    assert!(!wins("talisman, holy_robe", "fortune_brooch"));
    assert!(!wins("talisman, mystic_compass", "silver_rosary"));
}
