//! Base characters.

use tavola_engine::Seat;
use tavola_engine::games::citadels::{
    Action, Character::*, District::*, Event, Window, event::GoldReason,
};

use crate::given::{Given, build, destroy, targets};
use Action::{CollectIncome, DrawCards, TakeGold};

#[test]
fn g10_the_murdered_are_silent() {
    let mut table = Given::new(4)
        .holds(0, Assassin)
        .holds(1, Thief)
        .holds(2, Merchant)
        .gold(2, 4)
        .start();
    table.act(
        0,
        Action::Murder {
            character: Merchant,
        },
    );
    table.until(Thief);
    let robbed: Vec<_> = table
        .options()
        .into_iter()
        .filter(|action| matches!(action, Action::Rob { .. }))
        .collect();
    let expected = [Magician, King, Bishop, Architect, Warlord];
    assert_eq!(robbed, expected.map(|character| Action::Rob { character }));
    table.beyond(Merchant);
    assert!(table.no_answer(Merchant));
    assert_eq!(table.gold(2), 4);
}

#[test]
fn g11_the_thief_takes_the_stash_at_the_call() {
    let mut table = Given::new(4)
        .holds(1, Thief)
        .holds(3, Architect)
        .gold(1, 0)
        .gold(3, 5)
        .start();
    table.until(Thief);
    table.act(
        1,
        Action::Rob {
            character: Architect,
        },
    );
    table.until(Architect);
    assert_eq!((table.gold(1), table.gold(3)), (7, 0));
    table.takes_gold(3);
    assert_eq!((table.gold(3), table.hand(3).len()), (2, 2));
}

#[test]
fn g12_a_robbery_of_a_card_that_nobody_has() {
    let mut table = Given::new(4)
        .holds(1, Thief)
        .holds(2, Warlord)
        .out(Bishop)
        .start();
    table.until(Thief);
    table.act(1, Action::Rob { character: Bishop });
    table.takes_gold(1);
    let before: Vec<_> = (0..4).map(|seat| table.gold(seat)).collect();
    table.ends(1);
    table.beyond(Thief);
    table.pass_until(|table| table.public().calls.called > 5);
    assert!(table.no_answer(Bishop));
    assert_eq!(table.gold(1), before[1]);
    let robbed = |event: &Event| {
        let reason = GoldReason::Robbery;
        matches!(event, Event::GoldMoved { reason: why, .. } if *why == reason)
    };
    assert!(!table.events.iter().any(|(_, event)| robbed(event)));
}

#[test]
fn g13_the_magician_swaps_before_the_action() {
    let mut table = Given::new(4)
        .holds(0, Magician)
        .hand(1, &[Manor, Castle, Temple, Docks, Keep])
        .start();
    table.until(Magician);
    table.act(0, Action::MagicianSwap { player: Seat(1) });
    assert_eq!((table.hand(0).len(), table.hand(1).len()), (5, 0));
    assert!(table.offers(TakeGold) && !table.offers(Action::EndTurn));
}

#[test]
fn g14_the_magician_redraws() {
    let mut table = Given::new(4)
        .holds(0, Magician)
        .hand(0, &[Manor, Temple, Docks])
        .deck(&[Castle, Prison])
        .start();
    table.until(Magician);
    // Whoever came before took gold.
    table.act(0, Action::MagicianRedraw);
    assert!(!table.offers(Action::RedrawDone));
    table.act(0, Action::MarkCard { card: Temple });
    table.act(0, Action::MarkCard { card: Docks });
    table.act(0, Action::RedrawDone);
    assert_eq!(table.hand(0), [Manor, Castle, Prison]);
    assert!(table.deck_ends(&[Temple, Docks]));
}

#[test]
fn g15_the_king_takes_the_crown_and_his_income() {
    let mut table = Given::new(4)
        .crown(1)
        .holds(3, King)
        .city(3, &[Manor, Castle, SchoolOfMagic])
        .gold(3, 0)
        .start();
    table.until(King);
    assert_eq!(table.crown(), 3);
    table.act(3, CollectIncome);
    assert_eq!(table.gold(3), 3);
}

#[test]
fn g16_a_murdered_king_gets_the_crown_at_the_end() {
    let mut table = Given::new(4)
        .crown(1)
        .holds(0, Assassin)
        .holds(1, Bishop)
        .holds(3, King)
        .start();
    table.act(0, Action::Murder { character: King });
    table.beyond(King);
    assert!(table.no_answer(King));
    assert_eq!(table.crown(), 1);
    table.next_round();
    let shown = Event::Revealed {
        seat: Seat(3),
        character: King,
    };
    assert!(table.told(&shown));
    assert_eq!((table.crown(), table.decider()), (3, Some(3)));
}

#[test]
fn g17_without_a_king_the_crown_stays() {
    let mut table = Given::new(4).crown(1).out(King).start();
    table.next_round();
    assert_eq!((table.crown(), table.decider()), (1, Some(1)));
}

#[test]
fn g18_the_bishop_protects_while_alive() {
    let given = || {
        Given::new(4)
            .holds(0, Warlord)
            .holds(1, Assassin)
            .holds(2, Bishop)
            .gold(0, 10)
            .city(2, &[Temple, Market])
    };
    let mut table = given().start();
    table.until(Warlord).takes_gold(0);
    assert_eq!(targets(&table), []);
    let mut table = given().start();
    table.act(1, Action::Murder { character: Bishop });
    table.until(Warlord).takes_gold(0);
    assert_eq!(targets(&table), [(2, Temple, 0), (2, Market, 1)]);
}

#[test]
fn g19_the_merchants_extra_gold_is_no_income() {
    let mut table = Given::new(4)
        .holds(2, Merchant)
        .city(2, &[Market, Docks, Harbor])
        .gold(2, 0)
        .start();
    table.until(Merchant).takes_gold(2);
    assert_eq!(table.gold(2), 3);
    table.act(2, CollectIncome);
    assert_eq!(table.gold(2), 6);
}

#[test]
fn g20_the_merchant_draws_and_still_gets_it() {
    let mut table = Given::new(4).holds(2, Merchant).gold(2, 0).start();
    table.until(Merchant).act(2, DrawCards);
    let keep = table.options()[0];
    table.act(2, keep);
    assert_eq!(table.gold(2), 1);
    assert!(!table.offers(CollectIncome));
}

#[test]
fn g21_the_architect_builds_three() {
    let mut table = Given::new(4)
        .holds(1, Architect)
        .gold(1, 4)
        .hand(1, &[Temple, Tavern])
        .deck(&[Church, Manor, Watchtower])
        .start();
    table.until(Architect).takes_gold(1);
    assert_eq!(table.gold(1), 6);
    assert_eq!(table.hand(1), [Manor, Temple, Church, Tavern]);
    table.builds(1, Temple).builds(1, Tavern).builds(1, Manor);
    assert_eq!(table.gold(1), 1);
    assert_eq!(table.options(), [Action::EndTurn]);
}

#[test]
fn g22_more_than_eight_districts() {
    let seven = [Manor, Castle, Palace, Temple, Tavern, Watchtower, Market];
    let mut table = Given::new(4)
        .holds(1, Architect)
        .gold(1, 9)
        .hand(1, &[Church, Prison])
        .city(1, &seven)
        .start();
    table.until(Architect).takes_gold(1).builds(1, Church);
    let end = table.public().end.unwrap();
    assert_eq!((end.first_complete, end.districts), (Some(Seat(1)), 8));
    table.builds(1, Prison);
    assert_eq!(table.city(1).len(), 9);
}

#[test]
fn g23_what_the_warlord_pays() {
    let mut table = Given::new(4)
        .holds(0, Warlord)
        .gold(0, 10)
        .city(1, &[Temple, Market, Palace])
        .start();
    table.until(Warlord).takes_gold(0);
    let mut prices = targets(&table);
    prices.sort_by_key(|target| target.2);
    assert_eq!(prices, [(1, Temple, 0), (1, Market, 1), (1, Palace, 4)]);
}

#[test]
fn g24_the_great_wall_makes_the_others_dearer() {
    let mut table = Given::new(4)
        .holds(0, Warlord)
        .gold(0, 10)
        .city(1, &[Temple, Market, Palace, GreatWall, DragonGate])
        .start();
    table.until(Warlord).takes_gold(0);
    let mut prices = targets(&table);
    prices.sort_by_key(|target| target.2);
    let expected = [
        (1, Temple, 1),
        (1, Market, 2),
        (1, Palace, 5),
        (1, GreatWall, 5),
        (1, DragonGate, 6),
    ];
    assert_eq!(prices, expected);
}

#[test]
fn g25_the_keep_stands() {
    let mut table = Given::new(4)
        .holds(0, Warlord)
        .gold(0, 10)
        .city(1, &[Keep, Manor])
        .start();
    table.until(Warlord).takes_gold(0);
    assert_eq!(targets(&table), [(1, Manor, 2)]);
}

#[test]
fn g26_a_complete_city_stands() {
    let eight = [
        Manor, Castle, Palace, Temple, Tavern, Watchtower, Market, Docks,
    ];
    let mut table = Given::new(4)
        .holds(0, Warlord)
        .gold(0, 10)
        .city(1, &eight)
        .city(0, &[Church, Harbor, Prison])
        .start();
    table.until(Warlord).takes_gold(0);
    let seats: Vec<_> = targets(&table).iter().map(|target| target.0).collect();
    assert_eq!(seats, [0, 0, 0]);
}

#[test]
fn g27_after_destroying_only_income_is_left() {
    let mut table = Given::new(4)
        .holds(0, Warlord)
        .gold(0, 1)
        .hand(0, &[Tavern])
        .city(0, &[Watchtower, Prison])
        .city(1, &[Market])
        .start();
    table.until(Warlord).takes_gold(0);
    assert!(table.offers(build(Tavern)));
    table.act(0, destroy(1, Market));
    assert_eq!(table.gold(0), 2);
    assert_eq!(table.options(), [CollectIncome, Action::EndTurn]);
    table.act(0, CollectIncome);
    assert_eq!(table.gold(0), 4);
}

#[test]
fn g28_the_warlord_may_destroy_his_own() {
    let mut table = Given::new(4).holds(0, Warlord).city(0, &[Tavern]).start();
    table.until(Warlord).takes_gold(0);
    let before = table.gold(0);
    table.act(0, destroy(0, Tavern));
    assert_eq!(table.gold(0), before);
    assert!(table.deck_ends(&[Tavern]));
    assert_eq!(table.public().turn.unwrap().window, Window::Last);
}

#[test]
fn g29_income_comes_once() {
    let mut table = Given::new(4)
        .holds(3, King)
        .city(3, &[Manor])
        .hand(3, &[Palace])
        .gold(3, 3)
        .start();
    table
        .until(King)
        .act(3, CollectIncome)
        .takes_gold(3)
        .builds(3, Palace);
    assert_eq!(table.gold(3), 1);
    assert!(!table.offers(CollectIncome));
}

#[test]
fn g30_income_counts_what_was_just_built() {
    let mut table = Given::new(4)
        .holds(3, King)
        .city(3, &[Manor])
        .hand(3, &[Palace])
        .gold(3, 3)
        .start();
    table
        .until(King)
        .takes_gold(3)
        .builds(3, Palace)
        .act(3, CollectIncome);
    assert_eq!(table.gold(3), 2);
}

#[test]
fn g31_library_and_observatory_together() {
    let mut table = Given::new(4)
        .holds(0, King)
        .city(0, &[Library, Observatory])
        .deck(&[Manor, Temple, Docks, Prison])
        .start();
    table.until(King).act(0, DrawCards);
    assert_eq!(table.options().len(), 3);
    table.act(0, Action::KeepCard { card: Docks });
    table.act(0, Action::KeepCard { card: Manor });
    assert_eq!(table.hand(0), [Manor, Docks]);
    assert!(table.deck_ends(&[Temple]));
    assert_eq!(table.deck_top(), Some(Prison));
}

#[test]
fn g32_observatory_or_library_alone() {
    let mut table = Given::new(4)
        .holds(0, King)
        .city(0, &[Observatory])
        .deck(&[Manor, Temple, Docks, Prison])
        .start();
    table.until(King).act(0, DrawCards);
    table.act(0, Action::KeepCard { card: Temple });
    assert_eq!(table.hand(0), [Temple]);
    assert!(table.deck_ends(&[Manor, Docks]));
    let mut table = Given::new(4)
        .holds(0, King)
        .city(0, &[Library])
        .deck(&[Manor, Temple])
        .start();
    table.until(King).act(0, DrawCards);
    assert_eq!(table.hand(0), [Manor, Temple]);
    assert!(table.offers(Action::EndTurn));
}

#[test]
fn g33_the_laboratory_once_per_character_turn() {
    let mut table = Given::new(2)
        .holds(0, King)
        .holds(0, Merchant)
        .holds(1, Magician)
        .holds(1, Bishop)
        .city(0, &[Laboratory])
        .hand(0, &[Manor, Docks])
        .start();
    table.until(King);
    let before = table.gold(0);
    table.act(0, Action::UseLaboratory { card: Docks });
    assert_eq!(table.gold(0), before + 1);
    assert!(table.deck_ends(&[Docks]));
    let again = Action::UseLaboratory { card: Manor };
    assert!(!table.offers(again));
    table.takes_gold(0);
    assert!(!table.offers(again));
    table.ends(0).until(Merchant);
    assert!(table.offers(again));
}

#[test]
fn g34_the_smithy() {
    let mut table = Given::new(4)
        .holds(0, King)
        .city(0, &[Smithy])
        .gold(0, 0)
        .start();
    table.until(King);
    assert!(!table.offers(Action::UseSmithy));
    table.takes_gold(0).act(0, Action::UseSmithy);
    assert_eq!((table.gold(0), table.hand(0).len()), (0, 3));
    assert!(!table.offers(Action::UseSmithy));
    // Nor with gold for more: once a turn.
    let mut table = Given::new(4)
        .holds(0, King)
        .city(0, &[Smithy])
        .gold(0, 9)
        .start();
    table.until(King).act(0, Action::UseSmithy);
    assert!(!table.offers(Action::UseSmithy));
    table.takes_gold(0);
    assert!(!table.offers(Action::UseSmithy));
}

fn graveyard() -> Given {
    Given::new(4)
        .holds(0, Warlord)
        .holds(1, King)
        .holds(2, Merchant)
        .gold(0, 1)
        .city(1, &[Harbor])
        .city(2, &[Graveyard])
}

#[test]
fn g35_the_graveyard_rescues() {
    let mut table = graveyard().gold(0, 4).start();
    table.until(Warlord).takes_gold(0);
    let (gold, deck) = (table.gold(2), table.deck());
    table.act(0, destroy(1, Harbor));
    assert_eq!(table.gold(0), 3);
    assert_eq!(table.decider(), Some(2));
    table.act(2, Action::GraveyardTake);
    assert_eq!(table.gold(2), gold - 1);
    assert_eq!((table.hand(2), table.deck()), (vec![Harbor], deck));
    assert_eq!(table.decider(), Some(0));
}

#[test]
fn g36_where_the_graveyard_does_not_help() {
    // It is itself destroyed.
    let mut table = graveyard().gold(0, 4).start();
    table.until(Warlord).takes_gold(0);
    table.act(0, destroy(2, Graveyard));
    assert_eq!(table.decider(), Some(0));
    assert!(table.deck_ends(&[Graveyard]));
    // Its owner is the destroyer.
    let mut table = Given::new(4)
        .holds(2, Warlord)
        .gold(2, 4)
        .city(1, &[Harbor])
        .city(2, &[Graveyard])
        .start();
    table.until(Warlord).takes_gold(2);
    table.act(2, destroy(1, Harbor));
    assert_eq!(table.decider(), Some(2));
    assert!(table.deck_ends(&[Harbor]));
}

#[test]
fn g39_two_keeps_are_alike() {
    let mut table = Given::new(4)
        .holds(1, King)
        .gold(1, 9)
        .city(1, &[Keep])
        .hand(1, &[Keep])
        .start();
    table.until(King).takes_gold(1);
    assert_eq!(table.options(), [Action::EndTurn]);
}

#[test]
fn g40_the_university_costs_6_and_is_worth_8() {
    let mut table = Given::new(4)
        .holds(0, Warlord)
        .gold(0, 9)
        .city(1, &[University])
        .start();
    table.until(Warlord).takes_gold(0);
    assert_eq!(targets(&table), [(1, University, 5)]);
    assert_eq!(table.score(1).districts, 8);
}
