//! Bonus characters.

use tavola_engine::Seat;
use tavola_engine::games::citadels::{Action, Character::*, District::*, Event, event::GoldReason};

use crate::given::{Given, beautified, build, plain};
use Action::{CollectIncome, DrawCards, TakeGold};

#[test]
fn g43_the_witch_goes_on_as_the_merchant() {
    let mut table = Given::new(5)
        .with(&[Witch])
        .holds(0, Witch)
        .holds(2, Merchant)
        .city(0, &[Tavern])
        .city(2, &[Market])
        .hand(0, &[Temple, Church])
        .start();
    assert_eq!(table.options(), [TakeGold, DrawCards]);
    table.takes_gold(0).act(
        0,
        Action::Bewitch {
            character: Merchant,
        },
    );
    table.until(Merchant);
    assert_eq!(table.options(), [TakeGold, DrawCards]);
    table.takes_gold(2);
    assert_eq!(table.gold(2), 4);
    assert_eq!((table.decider(), table.gold(0)), (Some(0), 5));
    table.act(0, CollectIncome);
    assert_eq!(table.gold(0), 6);
    table.builds(0, Temple);
    assert!(!table.offers(build(Church)));
}

#[test]
fn g44_a_bewitched_king_takes_the_crown() {
    let mut table = Given::new(4)
        .with(&[Witch])
        .crown(1)
        .holds(0, Witch)
        .holds(2, King)
        .city(0, &[Manor, Castle])
        .city(2, &[Palace])
        .start();
    table
        .takes_gold(0)
        .act(0, Action::Bewitch { character: King });
    table.until(King);
    assert_eq!((table.crown(), table.decider()), (2, Some(2)));
    table.takes_gold(2);
    assert_eq!(table.decider(), Some(0));
    let before = table.gold(0);
    table.act(0, CollectIncome);
    assert_eq!(table.gold(0), before + 2);
}

#[test]
fn g45_without_the_bewitched_card_she_does_not_go_on() {
    let given = |district| {
        Given::new(4)
            .with(&[Witch])
            .holds(0, Witch)
            .out(Bishop)
            .gold(0, 0)
            .city(0, &[district])
    };
    let bewitch = Action::Bewitch { character: Bishop };
    let mut table = given(Park).start();
    table.takes_gold(0).act(0, bewitch).next_round();
    assert!(table.hand(0).is_empty());
    let mut table = given(PoorHouse).start();
    table.act(0, DrawCards);
    let keep = table.options()[0];
    table.act(0, keep).act(0, bewitch).next_round();
    assert_eq!(table.gold(0), 0);
}

#[test]
fn g46_the_witch_has_the_bishops_protection() {
    let mut table = Given::new(4)
        .with(&[Witch])
        .holds(0, Witch)
        .holds(2, Bishop)
        .holds(3, Warlord)
        .city(0, &[Temple])
        .city(2, &[Tavern])
        .start();
    table
        .takes_gold(0)
        .act(0, Action::Bewitch { character: Bishop });
    table.until(Warlord).takes_gold(3);
    let attacks = |player: u8, district| crate::given::destroy(player, district);
    assert!(!table.offers(attacks(0, Temple)));
    assert!(table.offers(attacks(2, Tavern)));
}

#[test]
fn g47_the_witch_robs_for_herself() {
    let mut table = Given::new(4)
        .with(&[Witch])
        .holds(0, Witch)
        .holds(1, Thief)
        .holds(2, Merchant)
        .gold(2, 6)
        .start();
    table
        .takes_gold(0)
        .act(0, Action::Bewitch { character: Thief });
    table.until(Thief).takes_gold(1);
    assert_eq!(table.decider(), Some(0));
    let robbed: Vec<_> = table
        .options()
        .into_iter()
        .filter(|action| matches!(action, Action::Rob { .. }))
        .collect();
    let expected = [Magician, King, Bishop, Merchant, Architect, Warlord];
    assert_eq!(robbed, expected.map(|character| Action::Rob { character }));
    let (before, thief) = (table.gold(0), table.gold(1));
    table.act(
        0,
        Action::Rob {
            character: Merchant,
        },
    );
    table.until(Merchant);
    assert_eq!((table.gold(0), table.gold(1)), (before + 6, thief));
}

#[test]
fn g48_taxes() {
    let mut table = Given::new(4)
        .with(&[TaxCollector])
        .holds(0, Assassin)
        .holds(1, TaxCollector)
        .holds(2, Architect)
        .holds(3, Warlord)
        .gold(0, 1)
        .gold(1, 1)
        .gold(2, 3)
        .gold(3, 0)
        .hand(0, &[Temple])
        .hand(2, &[Tavern, Watchtower, Market])
        .hand(3, &[Church])
        .start();
    table.takes_gold(0).builds(0, Temple).ends(0);
    table.until(TaxCollector);
    assert_eq!((table.gold(0), table.gold(1)), (1, 2));
    table.until(Architect).takes_gold(2);
    table
        .builds(2, Tavern)
        .builds(2, Watchtower)
        .builds(2, Market);
    assert_eq!(table.gold(2), 1);
    let collected = table.gold(1);
    table.ends(2);
    assert_eq!((table.gold(2), table.gold(1)), (0, collected + 1));
    table.until(Warlord).takes_gold(3).builds(3, Church).ends(3);
    assert_eq!(table.gold(1), collected + 1);
}

#[test]
fn g49_the_wizard_builds_a_duplicate_at_once() {
    let mut table = Given::new(4)
        .with(&[Wizard])
        .holds(0, Wizard)
        .gold(0, 4)
        .city(0, &[Castle])
        .hand(0, &[Tavern])
        .hand(1, &[Castle, Docks])
        .start();
    table.until(Wizard).takes_gold(0);
    table.act(0, Action::WizardLook { player: Seat(1) });
    assert_eq!(table.options().len(), 2);
    table.act(0, Action::WizardTake { card: Castle });
    table.act(0, Action::WizardBuild);
    assert_eq!((table.gold(0), table.city(0)), (2, vec![Castle, Castle]));
    assert_eq!(table.hand(1), [Docks]);
    table.builds(0, Tavern);
}

#[test]
fn g50_the_emperor_gives_the_crown_and_is_paid() {
    let mut table = Given::new(4)
        .with(&[Emperor])
        .crown(1)
        .holds(0, Emperor)
        .gold(2, 0)
        .hand(2, &[Manor, Docks])
        .out(Assassin)
        .holds(2, Warlord)
        .start();
    table.until(Emperor);
    let give = |player| Action::GiveCrown {
        player: Seat(player),
    };
    assert_eq!(table.options(), [give(2), give(3)]);
    table.act(0, give(2));
    assert_eq!(table.crown(), 2);
    let pay = |card| Action::PayEmperorCard { card };
    assert_eq!(table.options(), [pay(Manor), pay(Docks)]);
    table.act(2, pay(Docks));
    assert_eq!((table.hand(0), table.hand(2)), (vec![Docks], vec![Manor]));
    assert_eq!(table.decider(), Some(0));
}

#[test]
fn g51_a_murdered_emperor_gives_it_unpaid() {
    let mut table = Given::new(4)
        .with(&[Emperor])
        .crown(1)
        .holds(0, Emperor)
        .holds(1, Assassin)
        .start();
    table.act(1, Action::Murder { character: Emperor });
    table.pass_until(|table| table.decider() == Some(0));
    let give = |player| Action::GiveCrown {
        player: Seat(player),
    };
    assert_eq!(table.options(), [give(2), give(3)]);
    let before = (table.gold(0), table.gold(2));
    table.act(0, give(2));
    assert_eq!((table.gold(0), table.gold(2)), before);
    assert_eq!((table.crown(), table.decider()), (2, Some(2)));
}

#[test]
fn g52_the_tithe_of_the_one_richest() {
    let abbot = |gold: [u16; 4]| {
        let mut given = Given::new(4).with(&[Abbot]).holds(0, Abbot);
        // The others come later.
        given = given
            .holds(1, Merchant)
            .holds(2, Architect)
            .holds(3, Warlord);
        for (seat, gold) in (0..).zip(gold) {
            given = given.gold(seat, gold);
        }
        let mut table = given.start();
        table.until(Abbot);
        table
    };
    let mut table = abbot([1, 4, 7, 3]);
    table.act(0, Action::AbbotTithe);
    assert_eq!((table.gold(0), table.gold(2)), (2, 6));
    assert!(!abbot([1, 7, 7, 3]).offers(Action::AbbotTithe));
    assert!(!abbot([8, 7, 7, 7]).offers(Action::AbbotTithe));
    assert!(!abbot([7, 7, 3, 3]).offers(Action::AbbotTithe));
}

#[test]
fn g53_the_alchemist_gets_it_back_after_the_poor_house() {
    let alchemist = |gold: u16| {
        let mut table = Given::new(4)
            .with(&[Alchemist])
            .holds(0, Alchemist)
            .gold(0, gold)
            .city(0, &[PoorHouse])
            .hand(0, &[Docks])
            .start();
        table
            .until(Alchemist)
            .takes_gold(0)
            .builds(0, Docks)
            .ends(0);
        table.gold(0)
    };
    assert_eq!(alchemist(3), 5);
    assert_eq!(alchemist(1), 4);
}

#[test]
fn g54_the_navigator() {
    let navigator = || {
        let mut table = Given::new(4)
            .with(&[Navigator])
            .holds(0, Navigator)
            .gold(0, 0)
            .hand(0, &[Tavern])
            .start();
        table.until(Navigator).takes_gold(0);
        assert_eq!(table.gold(0), 2);
        table
    };
    let mut table = navigator();
    table.act(0, Action::NavigatorGold);
    assert_eq!((table.gold(0), table.options()), (6, vec![Action::EndTurn]));
    let mut table = navigator();
    table.act(0, Action::NavigatorCards);
    assert_eq!(table.hand(0).len(), 5);
}

const fn take(player: u8, district: tavola_engine::games::citadels::District) -> Action {
    Action::DiplomatTake {
        player: Seat(player),
        site: plain(district),
    }
}

const fn give(district: tavola_engine::games::citadels::District) -> Action {
    Action::DiplomatGive {
        site: plain(district),
    }
}

#[test]
fn g55_the_diplomat_pays_the_difference() {
    let mut table = Given::new(4)
        .with(&[Diplomat])
        .holds(0, Diplomat)
        .gold(0, 1)
        .city(0, &[Temple, Prison])
        .city(1, &[Manor, Keep, GreatWall])
        .start();
    table.until(Diplomat).takes_gold(0);
    assert!(!table.offers(take(1, Keep)));
    assert!(!table.offers(take(1, GreatWall)));
    let before = table.gold(1);
    table.act(0, take(1, Manor));
    table.act(0, give(Prison));
    assert_eq!((table.gold(0), table.gold(1)), (1, before + 2));
    assert_eq!(table.city(0), [Temple, Manor]);
    assert_eq!(table.city(1), [Keep, GreatWall, Prison]);
}

#[test]
fn g56_the_diplomat_makes_no_duplicates() {
    let mut table = Given::new(4)
        .with(&[Diplomat])
        .holds(0, Diplomat)
        .gold(0, 3)
        .city(0, &[Manor, Tavern])
        .city(1, &[Manor, Market])
        .start();
    table.until(Diplomat).takes_gold(0);
    let mut other = table.clone();
    table.act(0, take(1, Manor));
    assert_eq!(table.options(), [give(Manor)]);
    table.act(0, give(Manor));
    assert_eq!(table.gold(0), 5);
    other.act(0, take(1, Market));
    assert_eq!(other.options(), [give(Tavern)]);
    other.act(0, give(Tavern));
    assert_eq!(other.gold(0), 4);
}

#[test]
fn g57_the_artist() {
    let mut table = Given::new(4)
        .with(&[Artist])
        .holds(0, Artist)
        .holds(1, Warlord)
        .gold(0, 0)
        .city(0, &[Palace, Temple, Docks])
        .start();
    table.until(Artist).takes_gold(0);
    let beautify = |district| Action::Beautify { district };
    table.act(0, beautify(Palace)).act(0, beautify(Temple));
    assert_eq!(table.gold(0), 0);
    assert_eq!(table.score(0).districts, 6 + 2 + 3);
    let city = &table.public().boards[Seat(0)].city;
    assert_eq!(
        city.iter().map(|built| built.cost()).collect::<Vec<_>>(),
        [6, 2, 3]
    );
    assert_eq!(table.options(), [Action::EndTurn]);

    let mut later = Given::new(4)
        .with(&[Artist])
        .holds(0, Artist)
        .holds(1, Warlord)
        .gold(0, 5)
        .gold(1, 8)
        .city(0, &[Palace, Temple, Docks, Manor])
        .beautified(0, Palace)
        .start();
    later.until(Warlord).takes_gold(1);
    let before = later.gold(1);
    let attack = Action::WarlordDestroy {
        player: Seat(0),
        site: beautified(Palace),
    };
    let mut attacked = later.clone();
    attacked.act(1, attack);
    assert_eq!(attacked.gold(1), before - 5);
    later.until(Artist);
    // Not again.
    assert!(!later.offers(beautify(Palace)));
    later.act(0, beautify(Docks)).act(0, beautify(Temple));
    assert!(later.offers(TakeGold));
    // Nor a third time in a turn, for all the gold and plain districts he has.
    assert_eq!(later.gold(0), 3);
    assert!(!later.offers(beautify(Manor)));
}

#[test]
fn g58_the_queen_beside_rank_4() {
    let queen = |king: u8| {
        let mut given = Given::new(5)
            .with(&[Queen])
            .holds(2, Queen)
            .holds(king, King);
        if king != 4 {
            given = given.holds(4, Assassin);
        }
        given.start()
    };
    let mut table = queen(1);
    table.until(Queen);
    let before = table.gold(2);
    table.act(2, Action::QueenGold);
    assert_eq!(table.gold(2), before + 3);
    assert!(!table.offers(Action::QueenGold));
    let mut table = queen(0);
    table.until(Queen);
    assert!(!table.offers(Action::QueenGold));
    let mut table = queen(1);
    table.act(4, Action::Murder { character: King });
    table.until(Queen);
    let before = table.gold(2);
    assert!(!table.offers(Action::QueenGold));
    table.takes_gold(2).ends(2);
    assert_eq!(table.gold(2), before + 2 + 3);
    // It comes at ROUND_END, after her turn.
    let place = |wanted: Event| table.events.iter().position(|(_, told)| *told == wanted);
    let gained = place(Event::GoldGained {
        seat: Seat(2),
        gold: 3,
        reason: GoldReason::Queen,
    });
    assert!(place(Event::TurnEnded { seat: Seat(2) }) < gained);
    assert!(gained < place(Event::RoundEnded { round: 5 }));
}
