//! Golden scenarios G29 to G40: White cards.

use tavola_engine::games::shadow_hunters::{Action, Card, Color, Deck, Question, Step};

use crate::scenario::{Given, Table, equipment, given, seat};
use crate::twins::same_to_others;

/// A draws this card at the Church.
fn draws(id: &str, given: Given) -> Table {
    given
        .at(Step::Area)
        .next(id)
        .start()
        .now('A', Action::Draw { deck: Deck::White })
}

fn a(text: &str) -> Given {
    given(&format!("A {text} @1"))
}

/// A attacks B, the dice are these, and nobody does anything about it.
pub(crate) fn attack(given: Given, dice: &[u32]) -> Table {
    given
        .at(Step::Attack)
        .start()
        .dice(dice)
        .does('A', Action::Attack { player: seat('B') })
        .after_attack_window()
}

fn card(id: &str) -> Card {
    id.parse().unwrap()
}

#[test]
fn g29_advent() {
    let table = draws("advent", a("franklin d9")).now('A', Action::Accept);
    assert_eq!((table.hidden('A'), table.damage('A')), (false, 0));
    assert_eq!(table.discard(Color::White), [card("advent")]);

    let shadow = draws("advent", a("vampire d9"));
    assert_eq!(shadow.legal(), [Action::Pass]);
    let hunter = draws("advent", a("vampire d9").with('A', "franklin"));
    assert_eq!(hunter.legal(), [Action::Pass, Action::Accept]);
    same_to_others(
        "A",
        &shadow.now('A', Action::Pass),
        &hunter.now('A', Action::Pass),
    );
}

#[test]
fn g30_disenchant_mirror() {
    for (id, hidden) in [("ultra_soul", false), ("unknown", true), ("emi", true)] {
        let table = draws("disenchant_mirror", a(id));
        assert_eq!(table.hidden('A'), hidden, "{id}");
        assert_eq!(table.discard(Color::White), [card("disenchant_mirror")]);
    }
}

#[test]
fn g31_blessing_heals_another_character() {
    let table = draws("blessing", given("A franklin @1 / B wight d4"));
    assert!(
        !table
            .legal()
            .contains(&Action::CardTarget { player: seat('A') })
    );
    let table = table
        .dice(&[6])
        .now('A', Action::CardTarget { player: seat('B') });
    assert_eq!(table.damage('B'), 0);
}

#[test]
fn g32_chocolate() {
    let table = draws("chocolate", a("agnes d5")).now('A', Action::Accept);
    assert_eq!((table.hidden('A'), table.damage('A')), (false, 0));
    assert_eq!(draws("chocolate", a("bob d5")).legal(), [Action::Pass]);
    let revealed = draws("chocolate", a("bob d5 R"));
    assert_eq!(
        (revealed.damage('A'), revealed.discard(Color::White)),
        (5, &[card("chocolate")][..])
    );
}

#[test]
fn g33_concealed_knowledge_gives_another_turn() {
    let table = draws("concealed_knowledge", a("franklin")).pass_the_turn();
    assert_eq!((table.public().turn, table.public().active), (2, seat('A')));
    let table = table
        .until(|_, question| question == Question::MoveChoice)
        .dice(&[4, 4]);
    let table = table.now('A', Action::RollMove).pass_the_turn();
    assert_eq!((table.public().turn, table.public().active), (3, seat('B')));
}

#[test]
fn g34_guardian_angel_protects_from_attacks_until_the_next_turn() {
    assert!(draws("guardian_angel", a("franklin")).player('A').guardian);

    let attacked = given("A franklin @0 guardian / B wight @1")
        .at(Step::Attack)
        .active('B')
        .start()
        .does('B', Action::Attack { player: seat('A') })
        .dice(&[5, 1])
        .after_attack_window();
    assert_eq!(attacked.damage('A'), 0);

    let burnt = given("A franklin @0 guardian / B wight / C vampire @1")
        .at(Step::Area)
        .active('C')
        .next("flare_of_judgement")
        .start()
        .now('C', Action::Draw { deck: Deck::White });
    assert_eq!(burnt.damage('A'), 2);

    let next = given("A franklin @0 guardian")
        .at(Step::End)
        .active('E')
        .start();
    assert_eq!(
        (next.public().active, next.player('A').guardian),
        (seat('A'), false)
    );
}

#[test]
fn g35_flare_hits_everybody_else_and_its_user_loots() {
    let table = draws(
        "flare_of_judgement",
        given("A franklin @1 / B wight / C allie d6 [talisman]"),
    );
    assert_eq!(
        (table.damage('A'), table.damage('B'), table.alive('C')),
        (0, 2, false)
    );
    assert!(table.owns('A', "talisman"));
}

#[test]
fn g36_first_aid_sets_damage_to_seven() {
    for damage in [2, 11] {
        let table = draws(
            "first_aid",
            given(&format!("A franklin @1 / B wight d{damage}")),
        );
        assert_eq!(table.legal().len(), 5, "any character");
        assert_eq!(
            table
                .now('A', Action::CardTarget { player: seat('B') })
                .damage('B'),
            7
        );
    }
}

#[test]
fn g37_the_talisman_keeps_dynamite_away() {
    let table = given("A franklin @2 [talisman] / B wight @2")
        .at(Step::Area)
        .next("dynamite")
        .start();
    let table = table
        .dice(&[4, 4])
        .now('A', Action::Draw { deck: Deck::Black });
    assert_eq!((table.damage('A'), table.damage('B')), (0, 3));
}

#[test]
fn g38_the_spear_is_for_revealed_hunters() {
    let with_spear = |a: &str| given(&format!("A {a} / B wight @1"));
    let revealed = attack(with_spear("franklin @0 [spear_of_longinus] R"), &[5, 2]);
    assert_eq!(revealed.damage('B'), 5);

    let hidden = attack(with_spear("franklin @0 [spear_of_longinus]"), &[5, 2]);
    assert!(matches!(
        hidden.asked(),
        Some(('A', Question::SpearReveal { .. }))
    ));
    let yes = hidden.clone().now('A', Action::SpearReveal);
    assert_eq!((yes.damage('B'), yes.hidden('A')), (5, false));
    let no = hidden.now('A', Action::Pass);
    assert_eq!((no.damage('B'), no.hidden('A')), (3, true));

    let shadow = attack(with_spear("vampire @0 [spear_of_longinus]"), &[5, 2]);
    assert_eq!(shadow.legal(), [Action::Pass]);
    assert_eq!(shadow.now('A', Action::Pass).damage('B'), 3);
}

#[test]
fn g39_the_robe_takes_one_off() {
    for (a, b, dice, damage) in [
        ("[holy_robe, chainsaw]", "", [3, 2], 1),
        ("[holy_robe, chainsaw]", "", [6, 1], 5),
        ("[chainsaw]", "[holy_robe]", [3, 2], 1),
        ("[chainsaw]", "[holy_robe]", [6, 1], 5),
        ("[holy_robe]", "", [3, 2], 0),
        ("[holy_robe]", "", [6, 1], 4),
    ] {
        let table = attack(given(&format!("A gregor @0 {a} R / B wight @1 {b}")), &dice);
        assert_eq!(table.damage('B'), damage, "{a} {b} {dice:?}");
    }
}

#[test]
fn g40_the_rosary_takes_all_after_an_attack_only() {
    let b = "B emi d9 @1 [handgun, talisman]";
    let table = attack(
        given(&format!("A vampire @0 [silver_rosary] R / {b}")),
        &[3, 1],
    );
    assert!(table.owns('A', "handgun") && table.owns('A', "talisman"));

    let b = "B emi d9 @1 [handgun, butcher_knife]";
    let table = given(&format!("A vampire @2 [silver_rosary] / {b}"))
        .at(Step::Area)
        .next("vampire_bat")
        .start();
    let table = table
        .now('A', Action::Draw { deck: Deck::Black })
        .now('A', Action::CardTarget { player: seat('B') });
    let loot = |id| Action::Loot {
        card: equipment(id),
    };
    assert_eq!(table.legal(), [loot("handgun"), loot("butcher_knife")]);
    let table = table.now('A', loot("handgun"));
    assert!(table.owns('A', "handgun") && !table.owns('A', "butcher_knife"));
    assert_eq!(
        table.discard(Color::Black),
        [card("vampire_bat"), card("butcher_knife")]
    );
}
