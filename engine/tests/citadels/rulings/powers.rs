//! Section 7 and 5.5 to 5.9: every base character by its name, as far as neither a golden scenario nor a ruling says it all.

use tavola_engine::Seat;
use tavola_engine::games::citadels::{
    Action, Character, Character::*, Citadels, District, District::*, Event, Window,
};
use tavola_engine::{Game, Viewer};

use crate::given::{Given, build, destroy, targets};
use Action::CollectIncome;

const fn murder(character: Character) -> Action {
    Action::Murder { character }
}

const fn rob(character: Character) -> Action {
    Action::Rob { character }
}

#[test]
fn the_assassin_names_anybody_else_once() {
    let mut table = Given::new(4).holds(0, Assassin).face_up(Thief).start();
    let named: Vec<_> = table
        .options()
        .into_iter()
        .filter(|action| matches!(action, Action::Murder { .. }))
        .collect();
    let others = [Thief, Magician, King, Bishop, Merchant, Architect, Warlord];
    assert_eq!(named, others.map(murder));
    table.act(0, murder(Thief));
    assert!(!table.offers(murder(King)));
    table.takes_gold(0);
    assert!(!table.offers(murder(King)));
    assert_eq!(table.options(), [Action::EndTurn]);
}

#[test]
fn powers_are_used_after_the_action_too_and_never_before_and_after() {
    let mut table = Given::new(4).holds(0, Thief).start();
    table.until(Thief).takes_gold(0);
    assert!(table.offers(rob(King)));
    table.act(0, rob(King));
    assert!(!table.offers(rob(Bishop)));
}

#[test]
fn the_magician_swaps_empty_hands_and_redraws_none() {
    let mut table = Given::new(4).holds(0, Magician).start();
    table.until(Magician);
    assert!(table.offers(Action::MagicianSwap { player: Seat(3) }));
    assert!(!table.offers(Action::MagicianRedraw));
    table.act(0, Action::MagicianSwap { player: Seat(3) });
    assert!(!table.offers(Action::MagicianSwap { player: Seat(1) }));
}

#[test]
fn the_magicians_cards_go_under_before_he_draws() {
    // One card in the deck: he draws that, and the first of his own.
    let mut table = Given::new(4)
        .holds(0, Magician)
        .hand(0, &[Manor, Temple])
        .whole_deck(&[Docks], 3)
        .start();
    table.until(Magician).act(0, Action::MagicianRedraw);
    table.act(0, Action::MarkCard { card: Temple });
    table.act(0, Action::MarkCard { card: Manor });
    assert_eq!(table.options(), [Action::RedrawDone]);
    table.act(0, Action::RedrawDone);
    assert_eq!((table.hand(0), table.deck()), (vec![Temple, Docks], 1));
    assert!(!table.offers(Action::MagicianRedraw));
    assert!(!table.offers(Action::MagicianSwap { player: Seat(1) }));
    assert_eq!(table.public().turn.unwrap().window, Window::Pre);
}

#[test]
fn incomes_by_color() {
    let income = |character, city: &[District]| {
        let mut table = Given::new(5)
            .holds(0, character)
            .gold(0, 0)
            .city(0, city)
            .start();
        table.until(character);
        if table.offers(CollectIncome) {
            table.act(0, CollectIncome);
        }
        table.gold(0)
    };
    let city = [
        Manor, Temple, Church, Tavern, Market, Docks, Prison, Keep, Palace, Castle,
    ];
    assert_eq!(income(King, &city[..7]), 1);
    assert_eq!(income(Bishop, &city[..7]), 2);
    assert_eq!(income(Merchant, &city[..7]), 3);
    assert_eq!(income(Warlord, &city[..7]), 1);
    assert_eq!(income(Architect, &city[..7]), 0);
}

#[test]
fn the_warlord_pays_what_he_has_and_the_bank_gets_it() {
    let mut table = Given::new(4)
        .holds(0, Warlord)
        .gold(0, 1)
        .city(1, &[Manor, Castle, Palace])
        .start();
    table.until(Warlord);
    // Not before the action.
    assert!(!table.offers(destroy(1, Manor)));
    table.takes_gold(0);
    assert_eq!(targets(&table), [(1, Manor, 2), (1, Castle, 3)]);
}

#[test]
fn the_merchant_is_paid_once_and_nobody_else_is() {
    let mut table = Given::new(4).holds(0, Bishop).start();
    table.until(Bishop).takes_gold(0);
    assert_eq!(table.gold(0), 4);
    assert_eq!(table.hand(0).len(), 0);
}

#[test]
fn after_no_action_the_bonus_comes_all_the_same() {
    let mut table = Given::new(4)
        .holds(0, Architect)
        .gold(0, 0)
        .gold(1, 10)
        .gold(2, 10)
        .gold(3, 10)
        .bank(0)
        .whole_deck(&[], 3)
        .start();
    table.pass_until(|table| table.acting() == Some(Architect));
    table.act(0, Action::NoAction);
    assert!(table.told(&Event::NothingToTake { seat: Seat(0) }));
    assert!(table.offers(Action::EndTurn) && !table.offers(Action::NoAction));
}

#[test]
fn building_needs_the_price_the_action_and_the_limit() {
    let mut table = Given::new(4)
        .holds(0, King)
        .gold(0, 3)
        .hand(0, &[Palace, Cathedral, Tavern])
        .start();
    table.until(King);
    assert!(!table.offers(build(Tavern)));
    table.takes_gold(0);
    assert!(table.offers(build(Palace)));
    table.builds(0, Tavern);
    assert!(!table.offers(build(Palace)));
    let mut table = Given::new(4)
        .holds(0, King)
        .gold(0, 2)
        .hand(0, &[Palace])
        .start();
    table.until(King).takes_gold(0);
    assert!(!table.offers(build(Palace)));
}

#[test]
fn nobody_but_the_holder_is_offered_anything() {
    let mut table = Given::new(4).holds(2, Assassin).start();
    table.takes_gold(2);
    for seat in [0, 1, 3] {
        let seen = table.game.seen(Viewer::Seat(Seat(seat)));
        assert!(Citadels::legal_actions(seen).is_empty());
        assert_eq!(Citadels::decision(seen), None);
    }
}

#[test]
fn a_complete_city_of_seven_with_the_shorter_game() {
    let six = [Manor, Castle, Palace, Temple, Tavern, Watchtower];
    let end = |districts: u8| {
        let mut table = Given::new(4)
            .options(|options| options.end_districts = districts)
            .holds(0, King)
            .gold(0, 9)
            .city(0, &six)
            .hand(0, &[Market])
            .start();
        table.until(King).takes_gold(0).builds(0, Market);
        table.public().end.map(|end| end.districts)
    };
    assert_eq!((end(7), end(8)), (Some(7), None));
}
