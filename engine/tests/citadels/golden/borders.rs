//! Supplies, and the borders of the rules.

use tavola_engine::Seat;
use tavola_engine::games::citadels::{Action, Character::*, District::*};

use crate::given::{Given, beautified, plain};
use Action::{CollectIncome, DrawCards, NoAction, TakeGold};

#[test]
fn g72_a_deck_that_runs_out() {
    let mut table = Given::new(4)
        .holds(0, Architect)
        .whole_deck(&[Docks], 3)
        .start();
    table.until(Architect).act(0, DrawCards);
    assert_eq!((table.hand(0), table.deck()), (vec![Docks], 0));
    assert!(table.offers(Action::EndTurn));
    let mut table = Given::new(4).holds(0, King).whole_deck(&[], 3).start();
    table.until(King);
    assert_eq!(table.options(), [TakeGold]);
}

#[test]
fn g73_a_bank_that_runs_out() {
    let limited = |bank: u16| {
        Given::new(4)
            .holds(0, Assassin)
            .gold(0, 0)
            .gold(1, 10)
            .gold(2, 10)
            .gold(3, 10 - bank)
            .bank(bank)
    };
    let mut table = limited(1).start();
    table.takes_gold(0);
    assert_eq!((table.gold(0), table.public().bank), (1, Some(0)));
    let mut table = limited(0).whole_deck(&[], 3).start();
    let actions: Vec<_> = table
        .options()
        .into_iter()
        .filter(|action| matches!(action, TakeGold | DrawCards | NoAction))
        .collect();
    assert_eq!(actions, [NoAction]);
    table.act(0, NoAction);
    assert!(table.offers(Action::EndTurn));
}

#[test]
fn g74_two_characters_have_one_stash() {
    let mut table = Given::new(2)
        .holds(0, Magician)
        .holds(0, Merchant)
        .holds(1, Thief)
        .holds(1, Bishop)
        .gold(0, 4)
        .gold(1, 0)
        .hand(0, &[Palace])
        .start();
    table.act(
        1,
        Action::Rob {
            character: Merchant,
        },
    );
    table.until(Magician).takes_gold(0).builds(0, Palace);
    assert_eq!(table.gold(0), 1);
    table.ends(0);
    table.until(Bishop);
    let before = table.gold(1);
    table.takes_gold(1).ends(1);
    assert_eq!(table.acting(), Some(Merchant));
    assert_eq!((table.gold(0), table.gold(1)), (0, before + 2 + 1));
}

#[test]
fn g76_who_robs_himself_loses_nothing() {
    let mut table = Given::new(3)
        .holds(0, Thief)
        .holds(0, Merchant)
        .gold(0, 1)
        .start();
    table.until(Thief).act(
        0,
        Action::Rob {
            character: Merchant,
        },
    );
    table.takes_gold(0);
    assert_eq!(table.gold(0), 3);
    table.ends(0).until(Merchant);
    assert_eq!(table.gold(0), 3);
    table.takes_gold(0);
    assert_eq!(table.gold(0), 6);
}

#[test]
fn g77_the_hospitals_owner_is_asked_whether_or_not_he_holds_it() {
    let given = || {
        Given::new(4)
            .holds(0, Assassin)
            .holds(2, Bishop)
            .holds(3, Architect)
    };
    let murder = Action::Murder {
        character: Merchant,
    };
    let mut table = given().holds(1, Merchant).city(3, &[Hospital]).start();
    table.act(0, murder);
    table.pass_until(|table| table.decider() == Some(3));
    assert_eq!(table.options(), [Action::HospitalDecline]);
    assert!(!table.no_answer(Merchant));
    table.act(3, Action::HospitalDecline);
    assert!(table.no_answer(Merchant));
    // It lies face up; or the owner has shown his only character.
    let asked = |given: Given| {
        let mut table = given.start();
        table.act(0, murder);
        table.pass_until(|table| table.public().calls.called > 6);
        table
            .events
            .iter()
            .any(|(_, event)| format!("{event:?}").starts_with("HospitalDeclined"))
    };
    assert!(asked(given().holds(1, Merchant).city(3, &[Hospital])));
    assert!(!asked(given().face_up(Merchant).city(3, &[Hospital])));
    assert!(!asked(given().holds(1, Merchant).city(2, &[Hospital])));
}

#[test]
fn g78_two_of_one_id_differ_by_the_artists_gold() {
    let mut table = Given::new(4)
        .with(&[Artist])
        .holds(0, Warlord)
        .holds(1, Artist)
        .gold(0, 8)
        .city(1, &[Manor, Manor, Quarry])
        .beautified(1, Manor)
        .start();
    table.until(Warlord).takes_gold(0);
    let before = table.gold(0);
    for (site, price) in [(beautified(Manor), 3), (plain(Manor), 2)] {
        let mut attacked = table.clone();
        attacked.act(
            0,
            Action::WarlordDestroy {
                player: Seat(1),
                site,
            },
        );
        assert_eq!(attacked.gold(0), before - price);
    }
    table.until(Artist);
    let beautify: Vec<_> = table
        .options()
        .into_iter()
        .filter(|action| matches!(action, Action::Beautify { .. }))
        .collect();
    let expected = [Manor, Quarry].map(|district| Action::Beautify { district });
    assert_eq!(beautify, expected);
    table.act(1, expected[0]);
    assert!(!table.offers(expected[0]));
}

#[test]
fn g79_the_diplomat_and_duplicates_that_are_there() {
    let mut table = Given::new(4)
        .with(&[Diplomat])
        .holds(0, Diplomat)
        .gold(0, 3)
        .city(0, &[Manor, Manor, Quarry, Tavern])
        .city(1, &[Manor, Castle])
        .start();
    table.until(Diplomat).takes_gold(0);
    let gives = |district| {
        let mut table = table.clone();
        let site = plain(district);
        table.act(
            0,
            Action::DiplomatTake {
                player: Seat(1),
                site,
            },
        );
        table.options()
    };
    let give = |district| Action::DiplomatGive {
        site: plain(district),
    };
    assert_eq!(gives(Manor), [give(Manor)]);
    assert_eq!(gives(Castle), [give(Tavern), give(Quarry)]);
}

#[test]
fn g80_a_king_in_the_hospital_and_the_queen() {
    let mut table = Given::new(5)
        .with(&[Queen])
        .crown(0)
        .holds(0, Assassin)
        .holds(1, King)
        .holds(2, Queen)
        .city(1, &[Hospital])
        .start();
    table.act(0, Action::Murder { character: King });
    table.pass_until(|table| table.decider() == Some(1));
    table.act(1, Action::HospitalUse).takes_gold(1);
    table.until(Queen);
    assert!(!table.offers(Action::QueenGold));
    let before = table.gold(2);
    assert_eq!(table.crown(), 0);
    table.takes_gold(2).ends(2);
    assert_eq!((table.gold(2), table.crown()), (before + 2 + 3, 1));
}

#[test]
fn g81_bishop_and_diplomat_in_one_hand() {
    let mut table = Given::new(3)
        .with(&[Diplomat])
        .holds(0, Bishop)
        .holds(0, Diplomat)
        .city(0, &[Tavern])
        .city(1, &[Market])
        .start();
    table.until(Diplomat).takes_gold(0);
    let take = Action::DiplomatTake {
        player: Seat(1),
        site: plain(Market),
    };
    table.act(0, take);
    table.act(
        0,
        Action::DiplomatGive {
            site: plain(Tavern),
        },
    );
    assert_eq!((table.city(0), table.city(1)), (vec![Market], vec![Tavern]));
}

#[test]
fn g82_the_wizard_before_and_after_his_action() {
    let wizard = |gold: u16| {
        let mut table = Given::new(4)
            .with(&[Wizard])
            .holds(0, Wizard)
            .gold(0, gold)
            .hand(1, &[Castle])
            .start();
        table.until(Wizard);
        table
    };
    let look = Action::WizardLook { player: Seat(1) };
    let take = Action::WizardTake { card: Castle };
    let mut table = wizard(0);
    table.act(0, look).act(0, take);
    assert_eq!(table.hand(0), [Castle]);
    assert!(table.offers(TakeGold));
    let mut table = wizard(0);
    table.takes_gold(0).act(0, look).act(0, take);
    assert_eq!(table.options(), [Action::WizardKeep]);
}

#[test]
fn g83_who_rose_first_was_complete_first() {
    let mut table = Given::new(4)
        .holds(0, King)
        .gold(0, 9)
        .city(0, &[Manor, Castle, Palace, Temple, Church, Monastery])
        .hand(0, &[BellTower])
        .city(
            1,
            &[Tavern, Market, TradingPost, Docks, Harbor, TownHall, Prison],
        )
        .start();
    table.until(King).takes_gold(0).builds(0, BellTower);
    table.act(0, Action::BellTowerRing);
    let end = table.public().end.unwrap();
    assert_eq!((end.first_complete, end.districts), (Some(Seat(1)), 7));
    assert_eq!((table.score(0).complete, table.score(1).complete), (2, 4));
}

#[test]
fn g84_the_bell_tower_as_the_eighth() {
    let mut table = Given::new(4)
        .holds(0, King)
        .gold(0, 9)
        .city(
            0,
            &[Manor, Castle, Palace, Temple, Church, Monastery, Tavern],
        )
        .hand(0, &[BellTower])
        .start();
    table.until(King).takes_gold(0).builds(0, BellTower);
    let end = table.public().end.unwrap();
    assert_eq!((end.first_complete, end.districts), (Some(Seat(0)), 8));
    assert!(!table.offers(Action::BellTowerRing));
    assert!(table.offers(CollectIncome));
}

#[test]
fn g85_the_navigator_takes_what_there_is() {
    let mut table = Given::new(4)
        .with(&[Navigator])
        .holds(0, Navigator)
        .whole_deck(&[Docks], 3)
        .start();
    table.until(Navigator).act(0, DrawCards);
    assert_eq!(table.options(), [Action::NavigatorGold]);
    let broke = || {
        Given::new(4)
            .with(&[Navigator])
            .holds(0, Navigator)
            .gold(0, 0)
            .gold(1, 10)
            .gold(2, 10)
            .gold(3, 10)
            .bank(0)
    };
    let mut table = broke().start();
    table.until(Navigator).act(0, DrawCards);
    let keep = table.options()[0];
    table.act(0, keep);
    assert_eq!(table.options(), [Action::NavigatorCards]);
    let mut table = broke().whole_deck(&[], 3).start();
    table.until(Navigator).act(0, NoAction);
    assert_eq!(table.options(), [Action::EndTurn]);
}

#[test]
fn g87_an_armory_and_a_museum_go_under_the_deck() {
    let mut table = Given::new(4)
        .with(&[Artist])
        .options(|options| options.gold_supply = Default::default())
        .holds(0, King)
        .city(0, &[Armory])
        .beautified(0, Armory)
        .city(1, &[Museum])
        .museum(&[Docks, Temple])
        .start();
    table.until(King);
    let site = plain(Museum);
    table.act(
        0,
        Action::UseArmory {
            player: Seat(1),
            site,
        },
    );
    assert!(table.deck_ends(&[Armory, Museum, Docks, Temple]));
    let returned = tavola_engine::games::citadels::Event::GoldReturned { gold: 1 };
    assert!(table.told(&returned));
    assert_eq!(table.public().museum.cards, 0);
}
