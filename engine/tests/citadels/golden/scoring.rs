//! Scoring.

use tavola_engine::Seat;
use tavola_engine::games::citadels::{Character::*, Color, District::*};

use crate::given::{Given, Table};

/// Seat 3 completes a city of yellow and blue districts and the round is played to its end.
fn last_round(given: Given) -> Table {
    let seven = [Manor, Castle, Palace, Temple, Church, Monastery, Cathedral];
    let mut table = given
        .holds(3, Assassin)
        .city(3, &seven)
        .hand(3, &[Tavern])
        .round(9)
        .start();
    table.takes_gold(3).builds(3, Tavern).ends(3);
    table
}

#[test]
fn g37_the_haunted_city_stands_for_a_color() {
    let all = [Castle, Temple, Market, Prison, HauntedCity, Keep];
    let mut table = last_round(Given::new(4).city(1, &all));
    table.next_round();
    let score = table.score(1);
    assert_eq!((score.colors, score.haunted_city), (3, Some(Color::Purple)));
    let no_red = [Castle, Temple, Market, HauntedCity, Keep];
    let mut table = last_round(Given::new(4).city(1, &no_red));
    table.next_round();
    let score = table.score(1);
    assert_eq!((score.colors, score.haunted_city), (3, Some(Color::Red)));
}

#[test]
fn g38_not_when_built_in_the_last_round() {
    let no_red = [Castle, Temple, Market, Keep];
    let given = Given::new(4)
        .holds(1, King)
        .city(1, &no_red)
        .hand(1, &[HauntedCity]);
    let mut table = last_round(given);
    table.until(King).takes_gold(1).builds(1, HauntedCity);
    table.next_round();
    let score = table.score(1);
    assert_eq!((score.colors, score.haunted_city), (0, Some(Color::Purple)));
}

#[test]
fn g41_a_tie_goes_to_the_districts() {
    let mut table = Given::new(4)
        .holds(0, Warlord)
        // Who has more gold doesn't matter yet.
        .gold(0, 9)
        .city(
            0,
            &[
                Manor, Castle, Palace, Temple, Tavern, Watchtower, University,
            ],
        )
        .hand(0, &[Market])
        .city(
            1,
            &[
                TradingPost,
                Harbor,
                TownHall,
                Fortress,
                Church,
                Castle,
                Keep,
                Market,
            ],
        )
        .start();
    table.until(Warlord).takes_gold(0).builds(0, Market).ends(0);
    let (zero, one) = (table.score(0), table.score(1));
    assert_eq!((zero.districts, zero.colors, zero.complete), (25, 3, 4));
    assert_eq!((one.districts, one.colors, one.complete), (27, 3, 2));
    assert_eq!((zero.total(), one.total()), (32, 32));
    assert_eq!(table.winners(), [1]);
}

#[test]
fn g42_then_to_gold_and_then_it_is_shared() {
    let final_with = |gold: u16| {
        let mut table = Given::new(4)
            .holds(0, Warlord)
            .holds(1, King)
            .gold(0, 3)
            .gold(1, gold)
            .city(
                0,
                &[
                    Palace,
                    Castle,
                    Manor,
                    Cathedral,
                    Monastery,
                    Church,
                    TradingPost,
                ],
            )
            .hand(0, &[Market])
            .city(
                1,
                &[
                    Museum,
                    Harbor,
                    TownHall,
                    Docks,
                    Tavern,
                    Market,
                    Battlefield,
                    Castle,
                ],
            )
            .museum(&[Manor, Manor])
            .start();
        table.until(Warlord).takes_gold(0).builds(0, Market).ends(0);
        for seat in [0, 1] {
            let score = table.score(seat);
            assert_eq!((score.total(), score.districts), (30, 26));
        }
        table
    };
    let table = final_with(3);
    assert_eq!((table.gold(0), table.gold(1)), (3, 5));
    assert_eq!(table.winners(), [1]);
    let table = final_with(1);
    assert_eq!((table.gold(0), table.gold(1)), (3, 3));
    assert_eq!(table.winners(), [0, 1]);
}

#[test]
fn g63_points_for_gold_cards_and_purple() {
    let table = Given::new(4)
        .city(1, &[ImperialTreasury, MapRoom, WishingWell, Keep])
        .gold(1, 4)
        .hand(1, &[Manor, Manor, Temple])
        .start();
    let score = table.score(1);
    assert_eq!(
        (score.imperial_treasury, score.map_room, score.wishing_well),
        (4, 3, 3)
    );
}

#[test]
fn g75_a_complete_city_that_was_not_first() {
    let city = [
        Monastery,
        Cathedral,
        TradingPost,
        TownHall,
        Battlefield,
        Fortress,
        Castle,
        Keep,
    ];
    let mut table = Given::new(4)
        .holds(0, Warlord)
        .city(
            0,
            &[
                Manor, Palace, Temple, Tavern, Watchtower, University, Market,
            ],
        )
        .hand(0, &[Church])
        .city(3, &city)
        .start();
    table.until(Warlord).takes_gold(0).builds(0, Church).ends(0);
    let score = table.score(3);
    assert_eq!((score.districts, score.colors, score.complete), (30, 3, 2));
    assert_eq!(score.total(), 35);
    let end = table.public().end.unwrap();
    assert_eq!(end.first_complete, Some(Seat(0)));
}

#[test]
fn g86_the_round_limit() {
    let seven = [Manor, Castle, Palace, Temple, Church, Monastery, Cathedral];
    let mut table = Given::new(4).round(100).city(1, &seven).start();
    table.next_round();
    assert!(table.is_over());
    let end = table.public().end.unwrap();
    assert_eq!((end.first_complete, end.districts), (None, 8));
    for seat in 0..4 {
        assert_eq!(table.score(seat).complete, 0);
    }
    assert_eq!(table.score(1).districts, 23);
}
