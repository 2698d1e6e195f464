//! Section 11: what death ends, and whom it reveals.

use tavola_engine::games::shadow_hunters::{Action, Deck, Question, Step};

use crate::golden_white::attack;
use crate::scenario::{Given, Table, equipment, given, seat};

/// A plays a Vampire Bat on B.
fn bitten(given: Given) -> Table {
    given
        .at(Step::Area)
        .next("vampire_bat")
        .start()
        .now('A', Action::Draw { deck: Deck::Black })
        .now('A', Action::CardTarget { player: seat('B') })
}

/// 11.1.
#[test]
fn the_dead_leave_the_board_and_are_guarded_no_more() {
    let table = bitten(given("6: A wight @2 / B emi d9 @3 guardian"));
    let dead = table.player('B');
    assert!(!dead.alive && !dead.guardian);
    assert_eq!((dead.slot, dead.damage), (None, 11), "the damage stays");
}

/// 11.2: My God is for Bryan's own attacks.
#[test]
fn bryan_is_revealed_by_his_own_attack_only() {
    let bat = bitten(given("7: A bryan @2 / B emi d9"));
    assert!(!bat.alive('B') && bat.hidden('A'));
    let other = attack(given("7: A wight @0 R / B emi d9 @1 / C bryan @0"), &[3, 1]);
    assert!(!other.alive('B') && other.hidden('C'));
}

/// 6.1: a dead player has no end of the turn, whatever he could have used there.
#[test]
fn who_dies_in_his_turn_is_not_asked_at_its_end() {
    for (character, damage) in [("gregor", 12), ("wight", 12)] {
        let board = format!("8: A {character} d{damage} @2 / B bob @3 / C allie dead");
        let table = given(&board)
            .at(Step::Area)
            .next("bloodthirsty_spider")
            .start()
            .now('A', Action::Draw { deck: Deck::Black })
            .now('A', Action::CardTarget { player: seat('B') });
        assert!(!table.alive('A'), "{character}");
        assert_eq!(table.asked(), Some(('B', Question::WindowStart)));
    }
}

/// 9.1 and 11.3: the active player is the killer in the Weird Woods.
#[test]
fn who_kills_in_the_woods_loots() {
    let woods = |user: &str| {
        let board = format!("6: A wight {user} @3 / B emi d9 [chainsaw]");
        given(&board).at(Step::Area).start()
    };
    let table = woods("").now('A', Action::WoodsDamage { player: seat('B') });
    assert!(!table.alive('B') && table.owns('A', "chainsaw"));
    // Who dies of his own use has no killer.
    let table = woods("d12 [handgun]").now('A', Action::WoodsDamage { player: seat('A') });
    assert!(!table.alive('A'));
    assert!(
        table
            .public()
            .discarded_equipment()
            .eq([equipment("handgun")])
    );
}

/// 9.4: 1 damage kills as well.
#[test]
fn a_banana_peel_may_kill() {
    let table = given("6: A emi d9 @2 / B wight")
        .at(Step::Area)
        .next("banana_peel")
        .start()
        .now('A', Action::Draw { deck: Deck::Black });
    assert!(!table.alive('A') && table.player('A').died_first);
    assert_eq!(table.public().active, seat('B'));
}
