//! Section 6.1: what comes anew with each turn, and how turns add up.

use tavola_engine::games::shadow_hunters::{Action, Deck, Step};

use crate::scenario::{given, seat};

/// Murder Ray is for once in each turn, so in an extra turn as well.
#[test]
fn murder_ray_comes_back_with_the_next_turn() {
    let ray = Action::UseAbilityOn { player: seat('B') };
    let table = given("5: A ultra_soul @0 / B gregor @4")
        .at(Step::StartWindow)
        .next("concealed_knowledge")
        .start()
        .now('A', ray)
        .dice(&[2, 4])
        .does('A', Action::Draw { deck: Deck::White })
        .does('A', ray);
    assert_eq!((table.public().turn, table.damage('B')), (2, 6));
}

/// Stigmata heals in the turn in which she reveals herself, and again in her next one.
#[test]
fn catherine_heals_in_every_turn_of_hers() {
    let table = given("5: A catherine d4 @0")
        .at(Step::StartWindow)
        .next("concealed_knowledge")
        .start()
        .now('A', Action::Reveal);
    assert_eq!((table.public().turn, table.damage('A')), (1, 3));
    let table = table
        .dice(&[2, 4])
        .does('A', Action::Draw { deck: Deck::White });
    // Nothing is left to ask her in the first turn: the second has begun.
    assert_eq!((table.public().turn, table.damage('A')), (2, 2));
}

/// R58, the other way round: a card adds to turns that are there already.
#[test]
fn concealed_knowledge_adds_to_the_turns_of_multiplication() {
    let table = given("8: A wight @4 / B emi dead / C unknown dead")
        .at(Step::EndWindow)
        .next("concealed_knowledge")
        .start()
        .now('A', Action::UseAbility);
    assert_eq!((table.public().turn, table.player('A').extra_turns), (2, 1));
    let table = table
        .dice(&[2, 4])
        .does('A', Action::Draw { deck: Deck::White });
    // One of the two has begun: Wight, who is known, is asked nothing after his card.
    assert_eq!((table.public().turn, table.player('A').extra_turns), (3, 1));
}

/// T7: the next living player clockwise, also round the end of the table.
#[test]
fn the_dead_take_no_turns() {
    let next = |active| {
        given("6: A emi / B unknown dead / C wight / D allie / E ellen / F bob dead")
            .active(active)
            .at(Step::End)
            .start()
            .public()
            .active
    };
    assert_eq!(next('A'), seat('C'));
    assert_eq!(next('E'), seat('A'));
}
