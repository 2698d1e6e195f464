//! Golden scenarios G41 to G53: Black cards.

use tavola_engine::games::shadow_hunters::{Action, Card, Color, Deck, Question, Step};

use crate::golden_white::attack;
use crate::scenario::{Given, Table, equipment, given, seat, seats};

/// A draws this card at the Cemetery.
fn draws(id: &str, given: Given) -> Table {
    draws_with_dice(id, given, &[])
}

fn draws_with_dice(id: &str, given: Given, dice: &[u32]) -> Table {
    given
        .at(Step::Area)
        .next(id)
        .start()
        .dice(dice)
        .now('A', Action::Draw { deck: Deck::Black })
}

fn on(letter: char) -> Action {
    Action::CardTarget {
        player: seat(letter),
    }
}

#[test]
fn g41_masamune_must_attack_and_rolls_the_d4() {
    let table = given("A franklin @0 [masamune] / B wight @1")
        .at(Step::Attack)
        .start();
    assert_eq!(table.list(), [Action::Attack { player: seat('B') }]);
    let table = table
        .now('A', Action::Attack { player: seat('B') })
        .dice(&[3])
        .after_attack_window();
    assert_eq!(table.damage('B'), 3);
}

#[test]
fn g42_the_machine_gun_hits_everybody_in_range() {
    let table = given("A franklin @0 [machine_gun] R / B wight @0 [holy_robe] / C vampire @1")
        .at(Step::Attack)
        .start();
    assert_eq!(table.list(), [Action::AttackAll, Action::DeclineAttack]);
    let table = table
        .now('A', Action::AttackAll)
        .dice(&[4, 1])
        .after_attack_window();
    assert_eq!((table.damage('B'), table.damage('C')), (2, 3));
}

#[test]
fn g43_the_handgun_reaches_the_other_pairs_only() {
    let table = given("A franklin @0 [handgun] / B wight @1 / C vampire @2 / D gregor @5")
        .at(Step::Attack)
        .start();
    let attack = |letter| Action::Attack {
        player: seat(letter),
    };
    assert_eq!(
        table.list(),
        [attack('C'), attack('D'), Action::DeclineAttack]
    );
}

#[test]
fn g44_handgun_and_machine_gun() {
    let guns =
        given("A franklin @0 [handgun, machine_gun] R / B wight @1 / C vampire @2 / D gregor @5");
    let table = guns.at(Step::Attack).start();
    assert_eq!(table.list(), [Action::AttackAll, Action::DeclineAttack]);
    let table = table.now('A', Action::AttackAll);
    let targets = seats("CD");
    assert!(
        matches!(table.asked(), Some((_, Question::WindowAttack { targets: t, .. })) if t == targets)
    );
    let table = table.dice(&[3, 1]).after_attack_window();
    assert_eq!(
        ['B', 'C', 'D'].map(|letter| table.damage(letter)),
        [0, 2, 2]
    );
}

#[test]
fn g45_weapons_add_up_on_success_only() {
    let armed = given("A franklin @0 [butcher_knife, chainsaw, rusted_broad_axe] R / B wight @1");
    assert_eq!(attack(armed.clone(), &[3, 3]).damage('B'), 0);
    assert_eq!(attack(armed, &[3, 2]).damage('B'), 4);
}

#[test]
fn g46_the_goblin_must_steal_if_it_can() {
    let table = draws("moody_goblin", given("A franklin @2 / B wight [talisman]"));
    assert!(
        table.owns('A', "talisman"),
        "the only card is taken unasked"
    );
    let nothing = draws("moody_goblin", given("A franklin @2 [handgun]"));
    assert_eq!(
        nothing.discard(Color::Black),
        ["moody_goblin".parse::<Card>().unwrap()]
    );
    assert!(nothing.owns('A', "handgun"));
}

#[test]
fn g47_the_spider_kills_both_in_one_batch() {
    let table = draws(
        "bloodthirsty_spider",
        given("A bob d8 @2 / B emi d9 [handgun]"),
    )
    .now('A', on('B'));
    assert_eq!((table.alive('A'), table.alive('B')), (false, false));
    let cards = ["bloodthirsty_spider", "handgun"].map(|id| id.parse::<Card>().unwrap());
    assert_eq!(table.discard(Color::Black), cards);
}

#[test]
fn g48_the_talisman_protects_its_owner_from_the_spider() {
    let table =
        draws("bloodthirsty_spider", given("A bob @2 / B emi [talisman]")).now('A', on('B'));
    assert_eq!((table.damage('B'), table.damage('A')), (0, 2));
    let table =
        draws("bloodthirsty_spider", given("A bob @2 [talisman] / B emi")).now('A', on('B'));
    assert_eq!((table.damage('B'), table.damage('A')), (2, 0));
}

#[test]
fn g49_the_bat_heals_its_user_in_any_case() {
    let table = draws("vampire_bat", given("A bob d1 @2 / B emi")).now('A', on('B'));
    assert_eq!((table.damage('B'), table.damage('A')), (2, 0));
    let table = draws("vampire_bat", given("A bob d1 @2 / B emi [talisman]")).now('A', on('B'));
    assert_eq!((table.damage('B'), table.damage('A')), (0, 0));
}

#[test]
fn g50_the_ritual_is_for_shadows() {
    let table = draws("diabolic_ritual", given("A wight d10 @2")).now('A', Action::Accept);
    assert_eq!((table.damage('A'), table.hidden('A')), (0, false));
    assert_eq!(
        draws("diabolic_ritual", given("A franklin d10 @2")).legal(),
        [Action::Pass]
    );
}

#[test]
fn g51_the_banana_peel_gives_equipment_away_or_damages() {
    let table = draws("banana_peel", given("A franklin @2 [chainsaw]"));
    let give = |letter| Action::GiveCard {
        card: equipment("chainsaw"),
        player: seat(letter),
    };
    assert_eq!(table.legal(), ['B', 'C', 'D', 'E'].map(give));
    assert!(table.now('A', give('D')).owns('D', "chainsaw"));
    assert_eq!(draws("banana_peel", given("A franklin @2")).damage('A'), 1);
}

#[test]
fn g52_dynamite_hits_the_area_that_is_rolled() {
    let board = given("A franklin @2 / B wight @0 / C vampire @0");
    let nothing = draws_with_dice("dynamite", board.clone(), &[5, 2]);
    assert_eq!(
        ['A', 'B', 'C'].map(|letter| nothing.damage(letter)),
        [0, 0, 0]
    );
    let cabin = draws_with_dice("dynamite", board, &[2, 1]);
    assert_eq!(
        ['A', 'B', 'C'].map(|letter| cabin.damage(letter)),
        [0, 3, 3]
    );
}

#[test]
fn g53_the_doll_turns_on_its_user_on_five_and_six() {
    let doll = |b: &str, die| {
        let table = draws(
            "spiritual_doll",
            given(&format!("A franklin @2 / B wight {b}")),
        );
        let table = table.dice(&[die]).now('A', on('B'));
        (table.damage('A'), table.damage('B'))
    };
    assert_eq!(doll("", 4), (0, 3));
    assert_eq!(doll("", 5), (3, 0));
    assert_eq!(doll("[talisman]", 4), (0, 3));
}
