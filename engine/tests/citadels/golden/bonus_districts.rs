//! Bonus districts.

use tavola_engine::games::citadels::{Action, Character::*, District, District::*, Event};
use tavola_engine::{Audience, Seat};

use crate::given::{Given, build, destroy, plain};
use Action::TakeGold;

const fn armory(player: u8, district: District) -> Action {
    Action::UseArmory {
        player: Seat(player),
        site: plain(district),
    }
}

#[test]
fn g59_the_lighthouse_takes_a_card_out_of_the_deck() {
    let mut deck = vec![Palace];
    deck.extend([Temple; 2]);
    deck.extend([Tavern; 5]);
    deck.extend([Market; 4]);
    deck.extend([Docks; 3]);
    deck.extend([Harbor; 3]);
    deck.extend([Castle; 2]);
    assert_eq!(deck.len(), 20);
    let mut table = Given::new(4)
        .holds(0, King)
        .hand(0, &[Lighthouse])
        .gold(0, 3)
        .whole_deck(&deck, 3)
        .start();
    table.until(King).takes_gold(0).builds(0, Lighthouse);
    assert_eq!(table.options().len(), 7 + 1);
    table.events.clear();
    table.act(0, Action::LighthouseTake { card: Palace });
    assert_eq!(table.hand(0), [Palace]);
    assert_eq!(table.deck(), 19);
    for (audience, event) in &table.events {
        let told_to_others = audience.includes(Some(Seat(1)));
        let names_it = format!("{event:?}").contains("Palace");
        assert!(!(told_to_others && names_it), "{event:?}");
    }
    assert!(table.told(&Event::DeckShuffled { cards: 19 }));
    let private = table.game.parts().1;
    assert!(!private[Seat(0)].deck_seen.contains(Palace));
    assert_eq!(private[Seat(0)].deck_seen.len(), 19);
}

#[test]
fn g60_the_armory_knows_no_protection() {
    let mut table = Given::new(4)
        .holds(0, Warlord)
        .holds(1, Bishop)
        .city(0, &[Armory])
        .city(1, &[Keep])
        .start();
    table.until(Warlord);
    let gold = table.gold(0);
    table.act(0, armory(1, Keep));
    assert!(table.city(0).is_empty() && table.city(1).is_empty());
    assert!(table.deck_ends(&[Armory, Keep]));
    assert_eq!(table.gold(0), gold);
}

#[test]
fn g61_the_armory_after_the_end_was_triggered() {
    let given = || {
        Given::new(4)
            .holds(0, Warlord)
            .holds(1, King)
            .holds(2, Merchant)
            .gold(1, 9)
            .gold(2, 9)
            .city(0, &[Armory])
            .city(
                1,
                &[Manor, Castle, Palace, Temple, Church, Monastery, Cathedral],
            )
            .city(
                2,
                &[Tavern, Market, TradingPost, Docks, Harbor, TownHall, Prison],
            )
            .hand(1, &[Tavern])
            .hand(2, &[Temple])
    };
    let play = |target: u8, district| {
        let mut table = given().start();
        table.until(King).takes_gold(1).builds(1, Tavern).ends(1);
        table
            .until(Merchant)
            .takes_gold(2)
            .builds(2, Temple)
            .ends(2);
        table.until(Warlord).act(0, armory(target, district));
        table.next_round();
        assert!(table.is_over());
        (table.score(1).complete, table.score(2).complete)
    };
    assert_eq!(play(1, Manor), (4, 2));
    assert_eq!(play(2, Prison), (4, 0));
}

#[test]
fn g62_the_museum() {
    let given = || {
        Given::new(4)
            .holds(0, King)
            .holds(1, Warlord)
            .gold(1, 6)
            .city(0, &[Museum])
            .hand(0, &[Docks, Harbor])
            .museum(&[Manor, Temple])
    };
    let mut table = given().start();
    table.until(King);
    table.act(0, Action::UseMuseum { card: Docks });
    assert!(!table.offers(Action::UseMuseum { card: Harbor }));
    assert_eq!(table.score(0).museum, 3);
    table
        .until(Warlord)
        .takes_gold(1)
        .act(1, destroy(0, Museum));
    assert!(table.deck_ends(&[Museum, Manor, Temple, Docks]));
    assert_eq!(table.score(0).museum, 0);
}

#[test]
fn g64_the_quarry_allows_one_duplicate() {
    let mut table = Given::new(4)
        .holds(0, Architect)
        .gold(0, 9)
        .city(0, &[Quarry, Market, Temple])
        .hand(0, &[Market, Market, Temple])
        .deck(&[Palace, Palace])
        .start();
    table.until(Architect).takes_gold(0);
    assert!(table.offers(build(Temple)));
    table.builds(0, Market);
    assert!(!table.offers(build(Market)) && !table.offers(build(Temple)));
    assert!(table.offers(build(Palace)));
}

#[test]
fn g65_a_rung_bell_ends_the_game_sooner() {
    let given = || {
        Given::new(4)
            .holds(0, King)
            .holds(1, Merchant)
            .holds(2, Bishop)
            .holds(3, Warlord)
            .gold(0, 9)
            .gold(1, 9)
            .city(0, &[Keep, Lighthouse, ThroneRoom, Park])
            .hand(0, &[BellTower])
            .city(1, &[Manor, Castle, Palace, Temple, Church, Monastery])
            .hand(1, &[Tavern])
            .city(2, &[Armory])
            .city(3, &[Market, TradingPost, Docks, Harbor, TownHall, Prison])
            .hand(3, &[Fortress])
            .gold(3, 9)
    };
    let mut table = given().start();
    table.until(King).takes_gold(0).builds(0, BellTower);
    table.act(0, Action::BellTowerRing);
    assert_eq!(table.public().end, None);
    let mut silenced = table.clone();
    table.until(Merchant).takes_gold(1).builds(1, Tavern);
    let end = table.public().end.unwrap();
    assert_eq!((end.first_complete, end.districts), (Some(Seat(1)), 7));
    table.until(Warlord).takes_gold(3).builds(3, Fortress);
    table.next_round();
    assert!(table.is_over());
    assert_eq!((table.score(1).complete, table.score(3).complete), (4, 2));
    // The bell is destroyed before the Merchant builds his seventh.
    silenced.until(Bishop).act(2, armory(0, BellTower));
    silenced.until(Merchant).takes_gold(1).builds(1, Tavern);
    assert_eq!(silenced.city(1).len(), 7);
    assert_eq!(silenced.public().districts_to_complete(), 8);
    assert_eq!(silenced.public().end, None);
    silenced.next_round();
    assert!(!silenced.is_over());
}

#[test]
fn g66_the_bell_tower_as_the_seventh() {
    let mut table = Given::new(4)
        .holds(0, King)
        .gold(0, 9)
        .city(0, &[Manor, Castle, Palace, Temple, Church, Monastery])
        .hand(0, &[BellTower])
        .start();
    table.until(King).takes_gold(0).builds(0, BellTower);
    assert_eq!(table.public().end, None);
    table.act(0, Action::BellTowerRing);
    let end = table.public().end.unwrap();
    assert_eq!((end.first_complete, end.districts), (Some(Seat(0)), 7));
}

#[test]
fn g67_the_factory() {
    let mut table = Given::new(4)
        .holds(0, King)
        .holds(1, Warlord)
        .gold(0, 3)
        .gold(1, 9)
        .city(0, &[Factory])
        .hand(0, &[DragonGate])
        .start();
    table.until(King).takes_gold(0).builds(0, DragonGate);
    assert_eq!(table.gold(0), 0);
    table.until(Warlord).takes_gold(1);
    let targets = crate::given::targets(&table);
    assert!(targets.contains(&(0, DragonGate, 5)));
}

#[test]
fn g68_park_and_poor_house() {
    let mut table = Given::new(4)
        .holds(0, King)
        .gold(0, 1)
        .city(0, &[Park, PoorHouse])
        .hand(0, &[Docks])
        .start();
    table.until(King).takes_gold(0).builds(0, Docks).ends(0);
    assert_eq!((table.gold(0), table.hand(0).len()), (1, 2));
}

#[test]
fn g69_the_hospital() {
    let mut table = Given::new(4)
        .holds(0, Assassin)
        .holds(2, Merchant)
        .city(2, &[Hospital, Market])
        .hand(2, &[Tavern])
        .start();
    table.act(
        0,
        Action::Murder {
            character: Merchant,
        },
    );
    table.pass_until(|table| table.decider() == Some(2));
    assert_eq!(
        table.options(),
        [Action::HospitalUse, Action::HospitalDecline]
    );
    table.act(2, Action::HospitalUse);
    let shown = Event::Revealed {
        seat: Seat(2),
        character: Merchant,
    };
    assert!(table.told(&shown));
    assert_eq!(table.options(), [TakeGold, Action::DrawCards]);
    table.takes_gold(2);
    assert_eq!(table.gold(2), 4);
    assert_ne!(table.decider(), Some(2));
}

#[test]
fn g70_the_throne_room() {
    let king = |crown: u8| {
        let mut table = Given::new(4)
            .crown(crown)
            .holds(0, King)
            .city(3, &[ThroneRoom])
            .holds(3, Warlord)
            .start();
        table.until(King);
        table.gold(3)
    };
    assert_eq!((king(1), king(0)), (3, 2));
}

#[test]
fn g71_the_ball_room() {
    // With a Park and a Poor House that an ended turn would bring to bear.
    let given = |character| {
        Given::new(4)
            .holds(2, character)
            .gold(2, 0)
            .city(0, &[BallRoom])
            .city(2, &[Park, PoorHouse])
    };
    let mut table = given(Thief).start();
    table.pass_until(|table| table.decider() == Some(2));
    assert_eq!(table.options(), [Action::SayThanks, Action::StaySilent]);
    let mut polite = table.clone();
    table.act(2, Action::StaySilent);
    assert_eq!((table.gold(2), table.hand(2).len()), (0, 0));
    assert_ne!(table.acting(), Some(Thief));
    polite.act(2, Action::SayThanks);
    assert!(polite.told(&Event::Thanked { seat: Seat(2) }));
    polite.act(2, Action::DrawCards);
    let keep = polite.options()[0];
    polite.act(2, keep).ends(2);
    assert_eq!((polite.gold(2), polite.hand(2).len()), (1, 1));

    let mut table = given(King).start();
    table.pass_until(|table| table.decider() == Some(2));
    assert_eq!(table.crown(), 2);
    assert_eq!(table.options(), [Action::SayThanks, Action::StaySilent]);
    table.act(2, Action::StaySilent);
    assert_eq!((table.crown(), table.gold(2)), (2, 0));
    assert!(table.hand(2).is_empty());
    assert_ne!(table.acting(), Some(King));
    let silent = (Audience::All, Event::StayedSilent { seat: Seat(2) });
    assert!(table.events.contains(&silent));
}
