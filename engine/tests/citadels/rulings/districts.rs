//! Rulings on districts.

use tavola_engine::Seat;
use tavola_engine::games::citadels::{Action, Character::*, Color, District, District::*};

use crate::given::{Given, Table, beautified, destroy, plain};
use Action::{CollectIncome, DrawCards};

const fn armory(player: u8, district: District) -> Action {
    Action::UseArmory {
        player: Seat(player),
        site: plain(district),
    }
}

#[test]
fn r28_the_school_of_magic_needs_a_color() {
    let school = |character| {
        let mut table = Given::new(4)
            .holds(0, character)
            .city(0, &[SchoolOfMagic])
            .start();
        table.until(character);
        table.offers(CollectIncome)
    };
    assert!(school(King) && school(Bishop) && school(Merchant) && school(Warlord));
    assert!(!school(Thief) && !school(Magician) && !school(Architect));
}

#[test]
fn r29_the_dear_two_are_worth_8() {
    let table = Given::new(4).city(1, &[University, DragonGate]).start();
    assert_eq!(table.score(1).districts, 16);
}

#[test]
fn r30_see_three_keep_two() {
    let mut table = Given::new(4)
        .holds(0, King)
        .city(0, &[Library, Observatory])
        .start();
    table.until(King).act(0, DrawCards);
    for _ in 0..2 {
        let first = table.options()[0];
        assert!(matches!(first, Action::KeepCard { .. }));
        table.act(0, first);
    }
    assert_eq!(table.hand(0).len(), 2);
    assert!(table.offers(Action::EndTurn));
}

/// Seat 3 completes its city; it is the last round.
fn end(mut table: Table) -> Table {
    table.until(Warlord).takes_gold(3).builds(3, Tavern).ends(3);
    assert!(table.is_over());
    table
}

fn ending() -> Given {
    Given::new(4)
        .round(7)
        .holds(3, Warlord)
        .city(
            3,
            &[Manor, Castle, Palace, Temple, Church, Monastery, Cathedral],
        )
        .hand(3, &[Tavern])
}

#[test]
fn r31_a_haunted_city_of_the_last_round_is_purple() {
    let colors = [Castle, Temple, Market, Keep];
    let mut table = ending()
        .holds(1, Merchant)
        .city(1, &colors)
        .hand(1, &[HauntedCity])
        .start();
    table.until(Merchant).takes_gold(1).builds(1, HauntedCity);
    let table = end(table);
    assert_eq!(table.score(1).haunted_city, Some(Color::Purple));
    assert_eq!(table.score(1).colors, 0);
}

#[test]
fn r32_the_haunted_city_has_one_color() {
    // As red it gives five colors, but then it is the missing purple.
    let table = Given::new(4)
        .city(1, &[Castle, Temple, Market, HauntedCity])
        .start();
    assert_eq!(table.score(1).colors, 0);
    let table = Given::new(4)
        .city(1, &[Castle, Temple, Market, HauntedCity, WishingWell])
        .start();
    let score = table.score(1);
    // Red for the colors is worth more than purple for the well.
    assert_eq!(
        (score.colors, score.wishing_well, score.haunted_city),
        (3, 0, Some(Color::Red))
    );
}

fn armed() -> Given {
    Given::new(4).holds(0, Warlord).city(0, &[Armory])
}

#[test]
fn r41_the_armory_hits_a_complete_city() {
    let eight = [
        Manor, Castle, Palace, Temple, Tavern, Watchtower, Market, Docks,
    ];
    let mut table = armed().city(1, &eight).start();
    table.until(Warlord);
    assert!(table.offers(armory(1, Manor)));
}

#[test]
fn r42_the_armory_does_not_undo_the_end() {
    let seven = [Manor, Castle, Palace, Temple, Tavern, Watchtower, Market];
    let mut table = armed()
        .holds(1, King)
        .city(1, &seven)
        .hand(1, &[Church])
        .start();
    table.until(King).takes_gold(1).builds(1, Church);
    table.until(Warlord).act(0, armory(1, Manor)).next_round();
    assert!(table.is_over());
    assert_eq!((table.city(1).len(), table.score(1).complete), (7, 4));
}

#[test]
fn r43_the_armory_is_free() {
    let mut table = armed().gold(0, 0).city(1, &[DragonGate]).start();
    table.until(Warlord).act(0, armory(1, DragonGate));
    assert_eq!(table.gold(0), 0);
}

#[test]
fn r44_a_bell_destroyed_too_late() {
    let mut table = armed()
        .holds(1, King)
        .gold(1, 9)
        .city(1, &[Manor, Castle, Palace, Temple, Tavern, Watchtower])
        .hand(1, &[BellTower])
        .start();
    table.until(King).takes_gold(1).builds(1, BellTower);
    table.act(1, Action::BellTowerRing);
    table.until(Warlord).act(0, armory(1, BellTower));
    assert_eq!(table.public().districts_to_complete(), 7);
    table.next_round();
    assert!(table.is_over());
}

#[test]
fn r45_a_bell_destroyed_in_time() {
    let mut table = armed().city(1, &[Keep, BellTower]).bell_rung().start();
    assert_eq!(table.public().districts_to_complete(), 7);
    table.until(Warlord).act(0, armory(1, BellTower));
    assert_eq!(table.public().districts_to_complete(), 8);
}

#[test]
fn r50_the_cards_under_a_museum() {
    let given = || {
        Given::new(4)
            .gold(0, 9)
            .city(0, &[Tavern])
            .city(1, &[Museum])
            .museum(&[Docks, Manor])
    };
    let mut table = given().holds(0, Warlord).start();
    table
        .until(Warlord)
        .takes_gold(0)
        .act(0, destroy(1, Museum));
    assert!(table.deck_ends(&[Museum, Docks, Manor]));
    // The former owner knows these places.
    assert!(table.public().deck_known_by.as_slice()[0].contains(Seat(1)));
    assert!(!table.public().deck_known_by.as_slice()[0].contains(Seat(0)));

    let mut table = given().with(&[Diplomat]).holds(0, Diplomat).start();
    table.until(Diplomat).takes_gold(0);
    let site = plain(Museum);
    table.act(
        0,
        Action::DiplomatTake {
            player: Seat(1),
            site,
        },
    );
    table.act(
        0,
        Action::DiplomatGive {
            site: plain(Tavern),
        },
    );
    assert_eq!(table.score(0).museum, 2);
    let (_, private, _) = table.game.parts();
    let known = [Docks, Manor].map(Some);
    assert_eq!(private[Seat(0)].museum.as_slice(), known);
    assert_eq!(private[Seat(1)].museum.as_slice(), known);
}

#[test]
fn r27_ties() {
    let table = ending()
        .gold(3, 9)
        .city(1, &[DragonGate, University, Palace, Museum, Tavern])
        .museum(&[Docks, Harbor])
        .start();
    let table = end(table);
    let (one, three) = (table.score(1), table.score(3));
    assert_eq!((one.total(), three.total()), (28, 28));
    assert_eq!((one.districts, three.districts), (26, 24));
    assert_eq!(table.winners(), [1]);
}

#[test]
fn beautified_gold_goes_to_the_bank() {
    let mut table = Given::new(4)
        .with(&[Artist])
        .holds(0, Warlord)
        .gold(0, 9)
        .city(1, &[Manor])
        .beautified(1, Manor)
        .start();
    table.until(Warlord).takes_gold(0);
    let (before, victim) = (table.gold(0), table.gold(1));
    let site = beautified(Manor);
    table.act(
        0,
        Action::WarlordDestroy {
            player: Seat(1),
            site,
        },
    );
    assert_eq!((table.gold(0), table.gold(1)), (before - 3, victim));
}
