//! Rulings on the bonus characters.

use tavola_engine::Seat;
use tavola_engine::games::citadels::{Action, Character, Character::*, District, District::*};

use crate::given::{Given, build, plain};
use Action::{CollectIncome, DrawCards, TakeGold};

const fn bewitch(character: Character) -> Action {
    Action::Bewitch { character }
}

#[test]
fn r33_the_witch_has_the_power() {
    let mut table = Given::new(4)
        .with(&[Witch])
        .holds(0, Witch)
        .holds(1, Magician)
        .hand(1, &[Docks])
        .start();
    table.takes_gold(0).act(0, bewitch(Magician));
    table.until(Magician);
    assert_eq!(table.options(), [TakeGold, DrawCards]);
    table.takes_gold(1);
    assert_eq!(table.decider(), Some(0));
    table.act(0, Action::MagicianSwap { player: Seat(1) });
    assert_eq!(table.hand(0), [Docks]);
}

#[test]
fn r34_the_witch_has_the_passive_effects() {
    let mut table = Given::new(4)
        .with(&[Witch, TaxCollector])
        .holds(0, Witch)
        .holds(1, TaxCollector)
        .holds(2, King)
        .hand(2, &[Tavern])
        .start();
    table.takes_gold(0).act(0, bewitch(TaxCollector));
    table.until(TaxCollector).takes_gold(1);
    table.until(King).takes_gold(2).builds(2, Tavern);
    let (witch, collector) = (table.gold(0), table.gold(1));
    table.ends(2);
    assert_eq!((table.gold(0), table.gold(1)), (witch + 1, collector));
}

#[test]
fn r35_the_witch_neither_builds_nor_refuses() {
    let mut table = Given::new(4)
        .with(&[Witch])
        .holds(0, Witch)
        .gold(0, 9)
        .hand(0, &[Tavern])
        .city(0, &[Laboratory, Smithy])
        .start();
    assert_eq!(table.options(), [TakeGold, DrawCards]);
    table.takes_gold(0);
    let named = [Thief, Magician, King, Bishop, Merchant, Architect, Warlord];
    assert_eq!(table.options(), named.map(bewitch));
}

#[test]
fn r36_a_bewitched_emperor() {
    let mut table = Given::new(4)
        .with(&[Witch, Emperor])
        .crown(1)
        .holds(0, Witch)
        .holds(2, Emperor)
        .start();
    table.takes_gold(0).act(0, bewitch(Emperor));
    table.until(Emperor);
    assert_eq!((table.decider(), table.crown()), (Some(2), 1));
    table.takes_gold(2);
    // The Witch decides, and is paid: neither herself nor the holder; the Emperor's player can get it.
    let give = |player| Action::GiveCrown {
        player: Seat(player),
    };
    assert_eq!(table.decider(), Some(0));
    assert_eq!(table.options(), [give(2), give(3)]);
    table.act(0, give(2));
    let before = (table.gold(0), table.gold(2));
    table.act(2, Action::PayEmperorGold);
    assert_eq!((table.gold(0), table.gold(2)), (before.0 + 1, before.1 - 1));
    assert_eq!(table.decider(), Some(0));
    assert!(table.offers(Action::EndTurn));
}

#[test]
fn r37_rank_1_and_the_tax_collector() {
    // The Witch hasn't built: she owes at her own END_TURN.
    let mut table = Given::new(4)
        .with(&[Witch, TaxCollector])
        .holds(0, Witch)
        .holds(1, TaxCollector)
        .holds(2, King)
        .hand(0, &[Tavern])
        .start();
    table.takes_gold(0).act(0, bewitch(King));
    table.until(TaxCollector);
    assert_eq!(table.gold(1), 2);
    table.until(King).takes_gold(2).builds(0, Tavern);
    let (witch, collector) = (table.gold(0), table.gold(1));
    table.ends(0);
    assert_eq!((table.gold(0), table.gold(1)), (witch - 1, collector + 1));
}

#[test]
fn r38_one_tax_a_turn() {
    let mut table = Given::new(4)
        .with(&[TaxCollector])
        .holds(0, TaxCollector)
        .holds(1, Architect)
        .gold(1, 9)
        .hand(1, &[Tavern, Temple, Market])
        .start();
    table.until(Architect).takes_gold(1);
    table.builds(1, Tavern).builds(1, Temple).builds(1, Market);
    let before = table.gold(0);
    table.ends(1);
    assert_eq!(table.gold(0), before + 1);
}

#[test]
fn r39_the_alchemist_is_taxed_before_the_refund() {
    let alchemist = |gold: u16| {
        let mut table = Given::new(4)
            .with(&[TaxCollector, Alchemist])
            .holds(0, TaxCollector)
            .holds(1, Alchemist)
            .gold(1, gold)
            .hand(1, &[Docks])
            .start();
        table.until(Alchemist).takes_gold(1).builds(1, Docks);
        let before = table.gold(0);
        table.ends(1);
        (table.gold(1), table.gold(0) - before)
    };
    assert_eq!(alchemist(1), (3, 0));
    assert_eq!(alchemist(2), (3, 1));
}

#[test]
fn r40_the_poor_house_before_the_refund() {
    let mut table = Given::new(4)
        .with(&[Alchemist])
        .holds(0, Alchemist)
        .gold(0, 1)
        .city(0, &[PoorHouse])
        .hand(0, &[Docks])
        .start();
    table
        .until(Alchemist)
        .takes_gold(0)
        .builds(0, Docks)
        .ends(0);
    assert_eq!(table.gold(0), 1 + 3);
}

#[test]
fn r46_a_murdered_emperor_moves_the_crown_unpaid() {
    let mut table = Given::new(4)
        .with(&[Emperor])
        .crown(1)
        .holds(0, Assassin)
        .holds(2, Emperor)
        .start();
    table.act(0, Action::Murder { character: Emperor });
    table.pass_until(|table| table.decider() == Some(2));
    assert_eq!(table.crown(), 1);
    let (own, other) = (table.gold(2), table.gold(3));
    table.act(2, Action::GiveCrown { player: Seat(3) });
    assert_eq!(
        (table.crown(), table.gold(2), table.gold(3)),
        (3, own, other)
    );
}

#[test]
fn r47_a_murdered_queen_gets_nothing() {
    let mut table = Given::new(5)
        .with(&[Queen])
        .holds(0, Assassin)
        .holds(2, Queen)
        .holds(3, King)
        .start();
    table.act(0, Action::Murder { character: Queen });
    let before = table.gold(2);
    table.next_round();
    assert_eq!(table.gold(2), before);
}

#[test]
fn r48_a_queen_beside_a_murdered_king() {
    let mut table = Given::new(5)
        .with(&[Queen])
        .holds(0, Assassin)
        .holds(2, Queen)
        .holds(3, King)
        .start();
    table.act(0, Action::Murder { character: King });
    table.until(Queen).takes_gold(2);
    let before = table.gold(2);
    table.ends(2);
    assert_eq!(table.gold(2), before + 3);
}

#[test]
fn r49_no_tithe_on_a_tie() {
    let mut table = Given::new(4)
        .with(&[Abbot])
        .holds(0, Abbot)
        .holds(1, Merchant)
        .holds(2, Warlord)
        .gold(1, 6)
        .gold(2, 6)
        .start();
    table.until(Abbot);
    assert!(!table.offers(Action::AbbotTithe));
}

#[test]
fn r51_no_park_or_poor_house_without_resumption() {
    let mut table = Given::new(4)
        .with(&[Witch])
        .holds(0, Witch)
        .out(King)
        .city(0, &[Park, PoorHouse])
        .gold(0, 0)
        .whole_deck(&[], 3)
        .start();
    table.takes_gold(0).act(0, bewitch(King)).next_round();
    assert_eq!((table.gold(0), table.hand(0).len()), (2, 0));
}

const fn take(player: u8, district: District) -> Action {
    Action::DiplomatTake {
        player: Seat(player),
        site: plain(district),
    }
}

#[test]
fn r52_the_diplomat_makes_no_duplicates_with_a_quarry_either() {
    let mut table = Given::new(4)
        .with(&[Diplomat])
        .holds(0, Diplomat)
        .gold(0, 9)
        .city(0, &[Manor, Quarry])
        .city(1, &[Manor, Tavern])
        .start();
    table.until(Diplomat).takes_gold(0).act(0, take(1, Manor));
    let give = |district| Action::DiplomatGive {
        site: plain(district),
    };
    assert_eq!(table.options(), [give(Manor)]);
}

#[test]
fn r53_the_wall_is_not_counted_for_what_he_gives() {
    let mut table = Given::new(4)
        .with(&[Diplomat])
        .holds(0, Diplomat)
        .gold(0, 1)
        .city(0, &[GreatWall, Tavern])
        .city(1, &[Market])
        .start();
    table.until(Diplomat).takes_gold(0).act(0, take(1, Market));
    let before = table.gold(1);
    table.act(
        0,
        Action::DiplomatGive {
            site: plain(Tavern),
        },
    );
    assert_eq!(table.gold(1), before + 1);
}

#[test]
fn r54_a_bewitched_player_is_not_asked_for_thanks() {
    let mut table = Given::new(4)
        .with(&[Witch])
        .crown(1)
        .holds(0, Witch)
        .holds(2, Merchant)
        .city(1, &[BallRoom])
        .start();
    table
        .act(0, Action::SayThanks)
        .takes_gold(0)
        .act(0, bewitch(Merchant));
    table.until(Merchant);
    assert_eq!(
        (table.decider(), table.options()),
        (Some(2), vec![TakeGold, DrawCards])
    );
}

#[test]
fn the_wizard_may_build_many_duplicates() {
    let mut table = Given::new(4)
        .with(&[Wizard])
        .holds(0, Wizard)
        .gold(0, 9)
        .city(0, &[Tavern, Tavern])
        .hand(0, &[Tavern])
        .start();
    table.until(Wizard).takes_gold(0);
    assert!(table.offers(build(Tavern)));
    assert!(!table.offers(CollectIncome));
}

#[test]
fn a_silent_witch_bewitches_nobody() {
    let mut table = Given::new(4)
        .with(&[Witch])
        .crown(1)
        .holds(0, Witch)
        .holds(2, King)
        .city(1, &[BallRoom])
        .start();
    table.act(0, Action::StaySilent);
    assert_eq!((table.public().calls.bewitched, table.gold(0)), (None, 2));
    table.next_round();
    assert_eq!(table.gold(0), 2);
}

#[test]
fn the_witch_may_bewitch_her_own_second_character() {
    let mut table = Given::new(3)
        .with(&[Witch])
        .holds(0, Witch)
        .holds(0, Merchant)
        .start();
    table.takes_gold(0).act(0, bewitch(Merchant));
    table.until(Merchant);
    assert_eq!(table.options(), [TakeGold, DrawCards]);
    table.takes_gold(0);
    // The Merchant's gold comes when she goes on.
    assert_eq!(table.gold(0), 2 + 2 + 2 + 1);
    assert!(table.offers(Action::EndTurn));
}
