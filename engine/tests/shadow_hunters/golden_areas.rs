//! Golden scenarios G1 to G14: movement and areas.

use tavola_engine::games::shadow_hunters::{
    Action, Area, Areas, Card, Color, Deck, Event, Question, Step,
};

use crate::scenario::{equipment, given, seat};

fn destinations(areas: &[Area]) -> Vec<Action> {
    areas
        .iter()
        .map(|&area| Action::ChooseDestination { area })
        .collect()
}

#[test]
fn g1_a_roll_of_the_own_area_is_repeated() {
    let table = given("A franklin @1")
        .at(Step::Movement)
        .start()
        .dice(&[2, 4, 4, 4])
        .now('A', Action::RollMove);
    assert_eq!(table.slot('A'), Some(2));
}

#[test]
fn g2_a_seven_leads_anywhere_else() {
    let table = given("A franklin @2")
        .at(Step::Movement)
        .start()
        .dice(&[3, 4])
        .now('A', Action::RollMove);
    let others: Vec<Area> = Area::ALL
        .into_iter()
        .filter(|&area| area != Area::Cemetery)
        .collect();
    assert_eq!(table.legal(), destinations(&others));
}

#[test]
fn g3_a_seven_of_who_is_not_on_the_board_leads_anywhere() {
    let table = given("A franklin").at(Step::Movement).dice(&[5, 2]).start();
    assert_eq!(table.legal(), destinations(&Area::ALL));
}

#[test]
fn g4_the_compass_gives_two_rolls_each_repeated_on_its_own() {
    let table = given("A franklin @1 [mystic_compass]")
        .at(Step::Movement)
        .start()
        .dice(&[2, 4, 5, 4, 2, 4, 2, 4, 6, 4])
        .now('A', Action::RollMove);
    assert_eq!(
        table.legal(),
        destinations(&[Area::WeirdWoods, Area::ErstwhileAltar])
    );
}

#[test]
fn g5_a_seven_in_either_roll_of_the_compass_leads_anywhere_else() {
    let table = given("A franklin @3 [mystic_compass]")
        .at(Step::Movement)
        .start()
        .dice(&[4, 4, 3, 4])
        .now('A', Action::RollMove);
    let Some(('A', Question::ChooseDestination { areas, second, .. })) = table.asked() else {
        panic!("{:?}", table.asked());
    };
    assert_eq!(areas, Areas::FULL.without(Area::WeirdWoods));
    assert_eq!(second.map(|dice| dice.total()), Some(7));
}

#[test]
fn g6_emi_teleports_to_a_neighboring_slot() {
    let table = given("A emi @5").at(Step::Movement).start();
    let teleport = |area| Action::Teleport { area };
    assert_eq!(
        table.legal(),
        [
            Action::RollMove,
            teleport(Area::HermitsCabin),
            teleport(Area::UnderworldGate)
        ]
    );
    let table = table.now('A', teleport(Area::HermitsCabin));
    assert_eq!((table.slot('A'), table.hidden('A')), (Some(0), false));
    assert!(
        !table
            .told()
            .iter()
            .any(|event| matches!(event, Event::DiceRolled { .. }))
    );
}

#[test]
fn g7_without_a_place_or_an_ability_emi_rolls_unasked() {
    assert_eq!(
        given("A emi")
            .at(Step::Movement)
            .dice(&[2, 4])
            .start()
            .slot('A'),
        Some(1)
    );
    assert_eq!(
        given("A emi @5 void")
            .at(Step::Movement)
            .dice(&[2, 4])
            .start()
            .slot('A'),
        Some(1)
    );
}

#[test]
fn g8_holy_water_at_the_church() {
    let table = given("A franklin d1 @1")
        .at(Step::Area)
        .next("holy_water_of_healing")
        .start();
    let table = table.now('A', Action::Draw { deck: Deck::White });
    assert_eq!(table.damage('A'), 0);
    assert_eq!(
        table.discard(Color::White),
        ["holy_water_of_healing".parse::<Card>().unwrap()]
    );
}

#[test]
fn g9_the_cemetery_offers_a_black_card() {
    let table = given("A franklin @2").at(Step::Area).start();
    assert_eq!(
        table.list(),
        [Action::Draw { deck: Deck::Black }, Action::SkipArea]
    );
}

#[test]
fn g10_the_gate_offers_all_decks() {
    let table = given("A franklin @4").at(Step::Area).start();
    let mut expected = Deck::ALL.map(|deck| Action::Draw { deck }).to_vec();
    expected.push(Action::SkipArea);
    assert_eq!(table.list(), expected);
}

#[test]
fn g11_the_woods_damage_or_heal_anybody() {
    let woods = given("5: A franklin d1 @3").at(Step::Area);
    let table = woods.clone().start();
    assert_eq!(table.list().len(), 11);
    assert_eq!(
        table
            .now('A', Action::WoodsDamage { player: seat('B') })
            .damage('B'),
        2
    );
    let table = woods
        .start()
        .now('A', Action::WoodsHeal { player: seat('A') });
    assert_eq!(table.damage('A'), 0);
}

#[test]
fn g12_the_brooch_keeps_damage_of_the_woods_away_but_not_healing() {
    let woods = given("A franklin @3 / B gregor d3 [fortune_brooch]").at(Step::Area);
    let table = woods
        .clone()
        .start()
        .now('A', Action::WoodsDamage { player: seat('B') });
    assert_eq!(table.damage('B'), 3);
    let table = woods
        .start()
        .now('A', Action::WoodsHeal { player: seat('B') });
    assert_eq!(table.damage('B'), 2);
}

#[test]
fn g13_the_altar_offers_all_equipment_of_others() {
    let table = given("A franklin @5 / B gregor [talisman] / C wight [handgun, chainsaw]")
        .at(Step::Area)
        .start();
    let steal = |letter, id| Action::Steal {
        player: seat(letter),
        card: equipment(id),
    };
    assert_eq!(
        table.list(),
        [
            steal('B', "talisman"),
            steal('C', "handgun"),
            steal('C', "chainsaw"),
            Action::SkipArea
        ]
    );
    let table = table.now('A', steal('C', "handgun"));
    assert!(table.owns('A', "handgun") && !table.owns('C', "handgun"));
}

#[test]
fn g14_the_altar_is_skipped_when_only_the_player_himself_has_equipment() {
    let table = given("A franklin @5 [handgun]").at(Step::Area).start();
    assert_eq!(table.asked(), Some(('A', Question::WindowEnd)));
}
