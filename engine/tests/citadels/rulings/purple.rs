//! Section 8: every purple district by its name, as far as neither a golden scenario nor a ruling says it all.

use tavola_engine::games::citadels::{
    Action, BallRoom, Cards, Character::*, Color, District, District::*, Event, GoldSupply, Window,
    event::GoldReason,
};
use tavola_engine::{Audience, Chance, Seat};

use crate::given::{Given, Table, build, destroy, plain, targets};
use Action::{DrawCards, TakeGold};

const fn armory(player: u8, district: District) -> Action {
    Action::UseArmory {
        player: Seat(player),
        site: plain(district),
    }
}

const SEVEN: [District; 7] = [Manor, Castle, Palace, Temple, Tavern, Watchtower, Market];

/// Draws cards and keeps the first.
fn draws(table: &mut Table, seat: u8) {
    table.act(seat, DrawCards);
    let keep = table.options()[0];
    table.act(seat, keep);
}

/// Seat 0 takes one district of seat 1 and gives another.
fn exchange(table: &mut Table, taken: District, given: District) {
    let player = Seat(1);
    let site = plain(taken);
    table.act(0, Action::DiplomatTake { player, site });
    let site = plain(given);
    table.act(0, Action::DiplomatGive { site });
}

#[test]
fn the_haunted_city_is_no_purple_card_for_the_well_in_another_color() {
    let table = Given::new(4)
        .city(1, &[HauntedCity, WishingWell, Keep])
        .start();
    // Purple: two others. It stays so, as no other color brings more.
    let score = table.score(1);
    assert_eq!(
        (score.wishing_well, score.haunted_city),
        (2, Some(Color::Purple))
    );
}

#[test]
fn a_haunted_city_received_in_the_last_round_works() {
    let mut table = Given::new(4)
        .with(&[Diplomat])
        .holds(0, Diplomat)
        .holds(1, King)
        .gold(0, 9)
        .gold(1, 9)
        .city(0, &[Castle, Temple, Market, Keep, Manor])
        .hand(1, &[HauntedCity])
        .start();
    table.until(King).takes_gold(1).builds(1, HauntedCity);
    assert_eq!(table.score(1).haunted_city, Some(Color::Purple));
    table.until(Diplomat).takes_gold(0);
    exchange(&mut table, HauntedCity, Manor);
    let score = table.score(0);
    assert_eq!((score.haunted_city, score.colors), (Some(Color::Red), 3));
}

#[test]
fn the_keep_is_not_destroyed_not_even_by_its_owner() {
    let mut table = Given::new(4)
        .holds(0, Warlord)
        .gold(0, 9)
        .city(0, &[Keep])
        .start();
    table.until(Warlord).takes_gold(0);
    assert_eq!(targets(&table), []);
}

#[test]
fn the_laboratory_needs_gold_in_the_bank() {
    let given = |bank: u16| {
        Given::new(4)
            .holds(0, Assassin)
            .gold(0, 0)
            .gold(1, 10)
            .gold(2, 10)
            .gold(3, 10 - bank)
            .bank(bank)
            .city(0, &[Laboratory])
            .hand(0, &[Manor])
            .start()
    };
    let use_it = Action::UseLaboratory { card: Manor };
    assert!(given(1).offers(use_it));
    assert!(!given(0).offers(use_it));
}

#[test]
fn the_smithy_needs_a_deck_and_two_gold_and_works_before_the_action() {
    let given = || {
        Given::new(4)
            .holds(0, Assassin)
            .city(0, &[Smithy])
            .out(King)
    };
    let mut table = given().start();
    table.act(0, Action::UseSmithy);
    assert_eq!((table.gold(0), table.hand(0).len()), (0, 3));
    assert!(!given().gold(0, 1).start().offers(Action::UseSmithy));
    let empty = given().whole_deck(&[], 3).start();
    assert!(!empty.offers(Action::UseSmithy));
}

fn graveyard() -> Given {
    Given::new(4)
        .holds(0, Warlord)
        .holds(2, Assassin)
        .gold(0, 9)
        .city(1, &[Harbor])
        .city(2, &[Graveyard])
}

#[test]
fn the_graveyard_may_decline() {
    let mut table = graveyard().start();
    table.until(Warlord).takes_gold(0);
    let (gold, deck) = (table.gold(2), table.deck());
    table.act(0, destroy(1, Harbor));
    assert_eq!(
        table.options(),
        [Action::GraveyardTake, Action::GraveyardDecline]
    );
    // Nowhere yet.
    assert_eq!(table.deck(), deck);
    table.act(2, Action::GraveyardDecline);
    assert_eq!((table.gold(2), table.hand(2)), (gold, vec![]));
    assert_eq!(table.deck(), deck + 1);
    assert!(table.deck_ends(&[Harbor]));
    let told = Event::NotRescued {
        seat: Seat(2),
        district: Harbor,
    };
    assert!(table.events.contains(&(Audience::All, told)));
    let window = table.public().turn.unwrap().window;
    assert_eq!((table.decider(), window), (Some(0), Window::Last));
}

#[test]
fn the_graveyard_of_an_owner_without_gold_is_not_asked() {
    let mut table = graveyard().gold(2, 0).start();
    draws(&mut table, 2);
    table.ends(2).until(Warlord).takes_gold(0);
    assert_eq!(table.gold(2), 0);
    table.act(0, destroy(1, Harbor));
    assert_eq!(table.decider(), Some(0));
    assert!(table.deck_ends(&[Harbor]));
}

#[test]
fn the_graveyard_rescues_a_museum_without_its_cards() {
    let mut table = graveyard()
        .city(1, &[Museum])
        .museum(&[Manor, Temple])
        .start();
    table.until(Warlord).takes_gold(0);
    let deck = table.deck();
    table
        .act(0, destroy(1, Museum))
        .act(2, Action::GraveyardTake);
    assert_eq!(table.hand(2), [Museum]);
    assert_eq!(table.deck(), deck + 2);
    assert!(table.deck_ends(&[Manor, Temple]));
    assert_eq!(table.public().museum.cards, 0);
    assert!(table.told(&Event::MuseumEmptied { count: 2 }));
    // All know what he took, who stored the cards knows where they are.
    assert!(table.public().known.hands[Seat(2)].contains(Museum));
    let witnesses = table.public().deck_known_by;
    assert!(witnesses.as_slice()[..2].iter().all(|seats| {
        seats.contains(Seat(1)) && !seats.contains(Seat(0)) && !seats.contains(Seat(2))
    }));
}

#[test]
fn the_graveyard_rescues_from_its_own_city_but_not_from_armory_or_diplomat() {
    let mut table = graveyard().city(2, &[Tavern]).start();
    table.until(Warlord).takes_gold(0);
    table.act(0, destroy(2, Tavern));
    assert_eq!(table.decider(), Some(2));
    let mut table = graveyard().city(0, &[Armory]).start();
    table.until(Warlord).act(0, armory(1, Harbor));
    assert_eq!(table.decider(), Some(0));
    assert!(table.deck_ends(&[Armory, Harbor]));
    let mut table = Given::new(4)
        .with(&[Diplomat])
        .holds(0, Diplomat)
        .gold(0, 9)
        .city(0, &[Tavern])
        .city(1, &[Harbor])
        .city(2, &[Graveyard])
        .start();
    table.until(Diplomat).takes_gold(0);
    exchange(&mut table, Harbor, Tavern);
    assert_eq!(table.decider(), Some(0));
}

#[test]
fn observatory_and_library_count_for_the_draw_action_only() {
    let mut table = Given::new(4)
        .holds(0, Architect)
        .gold(0, 9)
        .city(0, &[Library, Observatory, Smithy, Park])
        .start();
    table.until(Architect).takes_gold(0);
    assert_eq!(table.hand(0).len(), 2);
    table.act(0, Action::UseSmithy);
    assert_eq!(table.hand(0).len(), 2 + 3);
}

#[test]
fn library_and_observatory_with_a_short_deck() {
    // Two cards in view, two may be kept: nothing to choose.
    let mut table = Given::new(4)
        .holds(0, King)
        .city(0, &[Library, Observatory])
        .whole_deck(&[Docks, Manor], 3)
        .start();
    table.until(King).act(0, DrawCards);
    assert_eq!((table.hand(0), table.deck()), (vec![Manor, Docks], 0));
    assert!(table.offers(Action::EndTurn));
    // The choice is asked for though both are alike.
    let mut table = Given::new(4)
        .holds(0, King)
        .whole_deck(&[Docks, Docks], 3)
        .start();
    table.until(King).act(0, DrawCards);
    assert_eq!(table.options(), [Action::KeepCard { card: Docks }]);
    table.act(0, Action::KeepCard { card: Docks });
    assert!(table.deck_ends(&[Docks]) && table.deck() == 1);
}

#[test]
fn the_school_of_magic_counts_once_and_is_purple_in_the_end() {
    let mut table = Given::new(4)
        .holds(0, Warlord)
        .gold(0, 0)
        .city(0, &[SchoolOfMagic, Prison, Manor])
        .start();
    table.until(Warlord).act(0, Action::CollectIncome);
    assert_eq!(table.gold(0), 2);
    let table = Given::new(4)
        .city(1, &[SchoolOfMagic, Prison, Manor, Temple])
        .start();
    assert_eq!(table.score(1).colors, 0);
}

#[test]
fn the_great_wall_guards_against_its_owner_too() {
    let mut table = Given::new(4)
        .holds(0, Warlord)
        .gold(0, 9)
        .city(0, &[GreatWall, Temple])
        .start();
    table.until(Warlord).takes_gold(0);
    assert_eq!(targets(&table), [(0, Temple, 1), (0, GreatWall, 5)]);
}

#[test]
fn the_lighthouse_may_be_declined_and_the_deck_is_shuffled_all_the_same() {
    let mut table = Given::new(4)
        .holds(0, King)
        .gold(0, 3)
        .hand(0, &[Lighthouse])
        .whole_deck(&[Palace, Temple, Docks, Harbor], 3)
        .start();
    table.until(King).takes_gold(0).builds(0, Lighthouse);
    assert_eq!(table.decider(), Some(0));
    table.events.clear();
    // Three draws for four cards.
    table.act_with(0, Action::LighthouseDecline, Chance::scripted([0, 0, 0]));
    assert_eq!((table.hand(0), table.deck()), (vec![], 4));
    let told = [
        Event::LighthouseTaken {
            seat: Seat(0),
            taken: false,
            card: None,
        },
        Event::DeckShuffled { cards: 4 },
    ];
    assert!(told.iter().all(|event| table.told(event)));
    assert_ne!(table.deck_top(), Some(Palace));
    let seen: Cards = [Palace, Temple, Docks, Harbor].into_iter().collect();
    assert_eq!(table.game.parts().1[Seat(0)].deck_seen, seen);
    // The turn goes on.
    assert!(table.offers(Action::EndTurn));
}

#[test]
fn a_lighthouse_over_an_empty_deck_looks_at_nothing() {
    let mut table = Given::new(4)
        .holds(0, King)
        .gold(0, 3)
        .hand(0, &[Lighthouse])
        .whole_deck(&[], 3)
        .start();
    table.until(King).takes_gold(0);
    table.events.clear();
    table.builds(0, Lighthouse);
    assert_eq!(table.options(), [Action::EndTurn]);
    assert_eq!(table.public().latest_look(), None);
    assert!(!table.told(&Event::DeckShuffled { cards: 0 }));
}

#[test]
fn the_armory_works_before_the_action_against_others_only() {
    let table = Given::new(4)
        .holds(0, Assassin)
        .city(0, &[Armory, Tavern])
        .city(1, &[GreatWall, Temple])
        .start();
    let armed: Vec<_> = table
        .options()
        .into_iter()
        .filter(|action| matches!(action, Action::UseArmory { .. }))
        .collect();
    assert_eq!(armed, [armory(1, Temple), armory(1, GreatWall)]);
}

#[test]
fn the_museum_in_play() {
    let mut table = Given::new(4)
        .holds(0, King)
        .city(0, &[Museum])
        .hand(0, &[Manor, Temple])
        .start();
    table.until(King);
    table.events.clear();
    table.act(0, Action::UseMuseum { card: Temple });
    assert_eq!(table.hand(0), [Manor]);
    let stored = |card| Event::StoredInMuseum {
        seat: Seat(0),
        card,
    };
    let owner = tavola_engine::SeatSet::only(Seat(0));
    let told = [
        (Audience::Only(owner), stored(Some(Temple))),
        (Audience::Except(owner), stored(None)),
    ];
    assert_eq!(table.events, told);
    // Once a turn, in the next again.
    table.takes_gold(0);
    assert!(!table.offers(Action::UseMuseum { card: Manor }));
    table.next_round();
    table.pass_until(|table| table.decider() == Some(0) && table.offers(TakeGold));
    assert!(table.offers(Action::UseMuseum { card: Manor }));
}

#[test]
fn the_treasury_counts_no_gold_on_districts() {
    let table = Given::new(4)
        .with(&[Artist])
        .city(1, &[ImperialTreasury])
        .beautified(1, ImperialTreasury)
        .gold(1, 4)
        .start();
    let score = table.score(1);
    assert_eq!((score.imperial_treasury, score.districts), (4, 4 + 1));
}

#[test]
fn without_a_quarry_no_duplicate_and_it_stays_when_the_quarry_leaves() {
    let mut table = Given::new(4)
        .holds(0, King)
        .gold(0, 9)
        .city(0, &[Market])
        .hand(0, &[Market])
        .start();
    table.until(King).takes_gold(0);
    assert!(!table.offers(build(Market)));
    let mut table = Given::new(4)
        .holds(0, Warlord)
        .gold(0, 9)
        .city(1, &[Market, Market, Quarry])
        .start();
    table
        .until(Warlord)
        .takes_gold(0)
        .act(0, destroy(1, Quarry));
    assert_eq!(table.city(1), [Market, Market]);
}

#[test]
fn a_silent_bell_changes_nothing_and_is_not_rung_later() {
    let mut table = Given::new(4)
        .holds(0, Architect)
        .gold(0, 20)
        .city(0, &SEVEN[..5])
        .hand(0, &[BellTower, Church])
        .start();
    table.until(Architect).takes_gold(0).builds(0, BellTower);
    assert_eq!(
        table.options(),
        [Action::BellTowerRing, Action::BellTowerSilent]
    );
    table.act(0, Action::BellTowerSilent);
    assert!(table.told(&Event::BellSilent { seat: Seat(0) }));
    assert_eq!(table.public().districts_to_complete(), 8);
    table.builds(0, Church);
    assert_eq!((table.city(0).len(), table.public().end), (7, None));
    assert!(!table.offers(Action::BellTowerRing));
    table.next_round();
    assert!(!table.is_over());
}

#[test]
fn a_rung_bell_goes_on_ringing_in_another_city() {
    let mut table = Given::new(4)
        .with(&[Diplomat])
        .holds(0, Diplomat)
        .gold(0, 9)
        .city(0, &[Tavern])
        .city(1, &[BellTower])
        .bell_rung()
        .start();
    table.until(Diplomat).takes_gold(0);
    exchange(&mut table, BellTower, Tavern);
    assert_eq!(table.public().districts_to_complete(), 7);
    assert!(!table.offers(Action::BellTowerRing));
}

#[test]
fn who_fell_and_rose_again_rose_last() {
    // Seat 1 had seven before seat 2, is robbed of one by the Armory, and builds it anew.
    let mut table = Given::new(4)
        .holds(3, Assassin)
        .holds(1, King)
        .holds(0, Merchant)
        .gold(0, 9)
        .gold(1, 9)
        .city(3, &[Armory])
        .city(1, &SEVEN)
        .city(
            2,
            &[Church, Monastery, Docks, Harbor, TownHall, Prison, Fortress],
        )
        .hand(1, &[Church])
        .hand(0, &[BellTower])
        .start();
    table.act(3, armory(1, Manor));
    table.until(King).takes_gold(1).builds(1, Church);
    table.until(Merchant).takes_gold(0).builds(0, BellTower);
    table.act(0, Action::BellTowerRing);
    assert_eq!(table.public().end.unwrap().first_complete, Some(Seat(2)));
}

#[test]
fn the_factory_makes_neither_itself_nor_other_colors_cheaper() {
    let price = |city: &[District], card: District| {
        let mut table = Given::new(4)
            .holds(0, King)
            .gold(0, 20)
            .city(0, city)
            .hand(0, &[card])
            .start();
        table.until(King).takes_gold(0);
        let before = table.gold(0);
        table.builds(0, card);
        before - table.gold(0)
    };
    assert_eq!(price(&[Factory], University), 5);
    assert_eq!(price(&[], University), 6);
    assert_eq!(price(&[Factory], Palace), 5);
    assert_eq!(price(&[], Factory), 6);
}

#[test]
fn the_hospital_gives_the_action_and_no_more() {
    let given = |murdered| {
        Given::new(4)
            .holds(0, Assassin)
            .holds(2, murdered)
            .gold(2, 0)
            .city(2, &[Hospital, Park, PoorHouse, Library, Laboratory, Smithy])
    };
    let mut table = given(Architect).start();
    table.act(
        0,
        Action::Murder {
            character: Architect,
        },
    );
    table.pass_until(|table| table.decider() == Some(2));
    table.act(2, Action::HospitalUse);
    assert_eq!(table.options(), [TakeGold, DrawCards]);
    // The Library works; no cards of the Architect, no Poor House.
    table.act(2, DrawCards);
    assert_eq!((table.hand(2).len(), table.gold(2)), (2, 0));
    assert_ne!(table.decider(), Some(2));
    assert_eq!(table.public().calls.acting[6], None);
}

#[test]
fn the_hospital_of_two_characters_asks_until_both_are_shown() {
    let mut table = Given::new(2)
        .holds(0, Assassin)
        .holds(0, Merchant)
        .holds(1, King)
        .holds(1, Architect)
        .city(1, &[Hospital])
        .start();
    let character = Warlord;
    table.act(0, Action::Murder { character });
    table.beyond(Architect);
    // Both are shown by now.
    assert!(table.no_answer(Warlord));
    let declined = Event::HospitalDeclined { seat: Seat(1) };
    assert!(!table.told(&declined));
    let mut table = Given::new(2)
        .holds(0, Assassin)
        .holds(0, Merchant)
        .holds(1, King)
        .holds(1, Architect)
        .city(1, &[Hospital])
        .start();
    let character = Bishop;
    table.act(0, Action::Murder { character });
    table.beyond(Bishop);
    assert!(table.told(&declined));
}

#[test]
fn the_throne_room_is_paid_at_the_end_of_the_round_too() {
    let mut table = Given::new(4)
        .crown(1)
        .holds(0, Assassin)
        .holds(2, King)
        .holds(3, Thief)
        .city(3, &[ThroneRoom])
        .start();
    table.act(0, Action::Murder { character: King });
    table.until(Thief).takes_gold(3).ends(3);
    let before = table.gold(3);
    table.next_round();
    assert_eq!((table.crown(), table.gold(3)), (2, before + 1));
}

#[test]
fn a_quiet_ball_room_is_thanked_by_itself() {
    let mut table = Given::new(4)
        .options(|options| options.ball_room = BallRoom::Auto)
        .holds(2, Thief)
        .city(0, &[BallRoom])
        .start();
    table.until(Thief);
    assert!(table.told(&Event::Thanked { seat: Seat(2) }));
    assert!(table.offers(TakeGold));
    assert!(!table.offers(Action::SayThanks) && !table.offers(Action::StaySilent));
    // Nobody thanks himself, nor anybody without the crown.
    let mut table = Given::new(4)
        .options(|options| options.ball_room = BallRoom::Auto)
        .crown(1)
        .holds(2, Thief)
        .city(0, &[BallRoom])
        .start();
    table.until(Thief);
    assert!(!table.told(&Event::Thanked { seat: Seat(2) }));
}

#[test]
fn the_ball_room_asks_nobody_without_the_crown_and_not_its_owner() {
    let asked = |crown: u8, called: u8| {
        let table = Given::new(4)
            .crown(crown)
            .holds(called, Assassin)
            .city(0, &[BallRoom])
            .start();
        table.offers(Action::SayThanks)
    };
    assert!(asked(0, 2));
    assert!(!asked(0, 0));
    assert!(!asked(1, 2));
}

#[test]
fn the_king_greets_the_crowns_old_holder() {
    // The Ball Room is the King's own: its owner takes the crown from another, and owes nothing.
    let mut table = Given::new(4)
        .crown(1)
        .holds(2, King)
        .city(2, &[BallRoom])
        .start();
    table.until(King);
    assert_eq!(table.crown(), 2);
    assert!(table.offers(TakeGold));
}

#[test]
fn gold_of_a_limited_bank_goes_round() {
    // Income is what the bank still has; what is paid for building is there at once.
    let mut table = Given::new(4)
        .holds(0, King)
        .gold(0, 5)
        .gold(1, 10)
        .gold(2, 10)
        .gold(3, 5)
        .bank(0)
        .city(0, &[Manor, Castle])
        .hand(0, &[Tavern])
        .options(|options| options.gold_supply = GoldSupply::Limited)
        .start();
    table.pass_until(|table| table.acting() == Some(King));
    assert_eq!(table.public().bank, Some(0));
    assert!(!table.offers(Action::CollectIncome));
    assert!(!table.offers(TakeGold));
    draws(&mut table, 0);
    table.builds(0, Tavern);
    assert_eq!(table.public().bank, Some(1));
    table.events.clear();
    table.act(0, Action::CollectIncome);
    let gained = Event::GoldGained {
        seat: Seat(0),
        gold: 1,
        reason: GoldReason::Income,
    };
    assert!(table.told(&gained));
    assert_eq!((table.gold(0), table.public().bank), (5, Some(0)));
}
