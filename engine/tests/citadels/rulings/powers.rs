//! Section 7 and 5.5 to 5.9: every character by its name, as far as neither a golden scenario nor a ruling says it all.

use tavola_engine::Seat;
use tavola_engine::games::citadels::{
    Action, Character, Character::*, Citadels, District, District::*, Event, Window,
};
use tavola_engine::{Game, Viewer};

use crate::given::{Given, beautified, build, destroy, plain, targets};
use Action::{CollectIncome, DrawCards, TakeGold};

const fn murder(character: Character) -> Action {
    Action::Murder { character }
}

const fn rob(character: Character) -> Action {
    Action::Rob { character }
}

const fn bewitch(character: Character) -> Action {
    Action::Bewitch { character }
}

const fn take(player: u8, district: District) -> Action {
    Action::DiplomatTake {
        player: Seat(player),
        site: plain(district),
    }
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
fn the_murdered_have_no_passive_effects() {
    // Nobody pays a murdered Tax Collector.
    let mut table = Given::new(4)
        .with(&[TaxCollector])
        .holds(0, Assassin)
        .holds(1, TaxCollector)
        .holds(2, King)
        .gold(2, 9)
        .hand(2, &[Tavern])
        .start();
    table.act(0, murder(TaxCollector));
    table.until(King).takes_gold(2).builds(2, Tavern);
    let before = (table.gold(1), table.gold(2));
    table.ends(2);
    assert_eq!((table.gold(1), table.gold(2)), before);
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
fn bonus_characters_have_the_income_of_their_color() {
    let income = |character| {
        let mut table = Given::new(4)
            .with(&[character])
            .holds(0, character)
            .crown(1)
            .gold(0, 0)
            .gold(2, 0)
            .city(
                0,
                &[Manor, Temple, Church, Tavern, Prison, Watchtower, Fortress],
            )
            .start();
        table.until(character);
        if character == Emperor {
            // To one who has nothing: nobody pays.
            table.act(0, Action::GiveCrown { player: Seat(2) });
            table.pass_until(|table| table.decider() == Some(0));
        }
        let before = table.gold(0);
        if table.offers(CollectIncome) {
            table.act(0, CollectIncome);
        }
        table.gold(0) - before
    };
    assert_eq!(
        (income(Emperor), income(Abbot), income(Diplomat)),
        (1, 2, 3)
    );
    for character in [TaxCollector, Wizard, Alchemist, Navigator, Artist] {
        assert_eq!(income(character), 0);
    }
}

#[test]
fn a_bishop_as_the_witch_resumes_protects_her_after_that_only() {
    let mut table = Given::new(4)
        .with(&[Witch])
        .holds(0, Witch)
        .holds(2, Bishop)
        .holds(3, Warlord)
        .city(0, &[Temple])
        .start();
    table.takes_gold(0).act(0, bewitch(King));
    table.until(Warlord).takes_gold(3);
    assert!(table.offers(destroy(0, Temple)));
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
fn the_warlord_and_beautified_districts() {
    let mut table = Given::new(4)
        .with(&[Artist])
        .holds(0, Warlord)
        .gold(0, 0)
        .city(1, &[Manor])
        .beautified(1, Manor)
        .start();
    table.until(Warlord).takes_gold(0);
    let attack = Action::WarlordDestroy {
        player: Seat(1),
        site: beautified(Manor),
    };
    assert!(!table.offers(attack));
}

#[test]
fn what_once_a_turn_means_for_the_witch() {
    // Her first part offers nothing but the action; resumed, she has the bonus, the menu after the action and the end of the turn.
    let mut table = Given::new(4)
        .with(&[Witch])
        .holds(0, Witch)
        .holds(1, Architect)
        .gold(0, 9)
        .city(0, &[Laboratory, Park])
        .hand(0, &[Tavern, Temple, Church, Manor])
        .start();
    table.takes_gold(0).act(0, bewitch(Architect));
    table.until(Architect).takes_gold(1);
    assert_eq!(table.hand(1).len(), 0);
    assert_eq!((table.decider(), table.hand(0).len()), (Some(0), 6));
    assert!(!table.offers(TakeGold));
    table.act(0, Action::UseLaboratory { card: Manor });
    table.builds(0, Tavern).builds(0, Temple).builds(0, Church);
    let options = table.options();
    assert!(
        !options
            .iter()
            .any(|action| matches!(action, Action::Build { .. } | Action::UseLaboratory { .. }))
    );
    assert!(options.contains(&Action::EndTurn));
}

#[test]
fn taxes_are_for_building_only_and_not_for_the_collectors_own() {
    // The collector's second character builds untaxed.
    let mut table = Given::new(2)
        .with(&[TaxCollector])
        .holds(0, TaxCollector)
        .holds(0, Merchant)
        .holds(1, King)
        .holds(1, Bishop)
        .gold(0, 5)
        .hand(0, &[Tavern])
        .start();
    table.until(King).takes_gold(1);
    let before = table.gold(1);
    table.ends(1);
    assert_eq!(table.gold(1), before);
    table.until(Merchant).takes_gold(0).builds(0, Tavern);
    let before = table.gold(0);
    table.ends(0);
    assert_eq!(table.gold(0), before);
}

#[test]
fn a_wizards_building_at_once_is_taxed() {
    let mut table = Given::new(4)
        .with(&[TaxCollector, Wizard])
        .holds(0, Wizard)
        .holds(1, TaxCollector)
        .gold(0, 9)
        .hand(2, &[Castle])
        .start();
    table.until(Wizard).takes_gold(0);
    table
        .act(0, Action::WizardLook { player: Seat(2) })
        .act(0, Action::WizardTake { card: Castle })
        .act(0, Action::WizardBuild);
    let before = table.gold(1);
    table.ends(0);
    assert_eq!(table.gold(1), before + 1);
}

#[test]
fn an_assassin_who_has_not_built_or_has_no_gold_owes_nothing() {
    let reveal = |builds: bool| {
        let mut table = Given::new(4)
            .with(&[TaxCollector])
            .holds(0, Assassin)
            .holds(1, TaxCollector)
            .gold(0, 0)
            .hand(0, &[Market])
            .start();
        table.takes_gold(0);
        if builds {
            table.builds(0, Market);
        }
        table.ends(0).until(TaxCollector);
        (table.gold(0), table.gold(1))
    };
    assert_eq!(reveal(true), (0, 2));
    assert_eq!(reveal(false), (2, 2));
}

#[test]
fn the_wizard_looks_at_hands_with_cards_and_must_take_one() {
    let mut table = Given::new(4)
        .with(&[Wizard])
        .holds(0, Wizard)
        .hand(1, &[Castle, Castle, Docks])
        .start();
    table.until(Wizard);
    let looks: Vec<_> = table
        .options()
        .into_iter()
        .filter(|action| matches!(action, Action::WizardLook { .. }))
        .collect();
    let look = Action::WizardLook { player: Seat(1) };
    assert_eq!(looks, [look]);
    table.act(0, look);
    let takes = [Docks, Castle].map(|card| Action::WizardTake { card });
    let mut options = table.options();
    options.sort();
    let mut expected = takes.to_vec();
    expected.sort();
    assert_eq!(options, expected);
    table.act(0, takes[0]);
    assert!(!table.offers(look));
    // He knows the rest of that hand, the victim the card he took, the others neither.
    let known = |viewer: u8, hand: u8| {
        let own = table.game.private(Seat(viewer)).unwrap();
        own.known.hands[Seat(hand)].iter().collect::<Vec<_>>()
    };
    assert_eq!(known(0, 1), [Castle, Castle]);
    assert_eq!(known(1, 0), [Docks]);
    assert!(known(2, 0).is_empty() && known(2, 1).is_empty());
}

#[test]
fn what_the_wizard_builds_is_outside_the_limit_but_not_for_nothing() {
    let wizard = |gold: u16| {
        let mut table = Given::new(4)
            .with(&[Wizard])
            .holds(0, Wizard)
            .gold(0, gold)
            .hand(0, &[Tavern])
            .hand(1, &[Palace])
            .start();
        table.until(Wizard).takes_gold(0).builds(0, Tavern);
        table
            .act(0, Action::WizardLook { player: Seat(1) })
            .act(0, Action::WizardTake { card: Palace });
        table
    };
    let mut table = wizard(4);
    assert!(table.offers(Action::WizardBuild));
    table.act(0, Action::WizardBuild);
    assert_eq!((table.gold(0), table.city(0)), (0, vec![Tavern, Palace]));
    assert_eq!(wizard(3).options(), [Action::WizardKeep]);
    let mut table = wizard(4);
    table.act(0, Action::WizardKeep);
    assert_eq!(table.hand(0), [Palace]);
    assert!(!table.offers(build(Palace)));
}

#[test]
fn whoever_has_nothing_pays_the_emperor_nothing() {
    let mut table = Given::new(4)
        .with(&[Emperor])
        .crown(1)
        .holds(0, Emperor)
        .holds(2, Warlord)
        .gold(2, 0)
        .start();
    table
        .until(Emperor)
        .act(0, Action::GiveCrown { player: Seat(2) });
    assert_eq!((table.crown(), table.decider()), (2, Some(0)));
    assert!(table.offers(TakeGold));
    // With gold and cards he chooses; asked even where there is one way only.
    let mut table = Given::new(4)
        .with(&[Emperor])
        .crown(1)
        .holds(0, Emperor)
        .holds(2, Warlord)
        .start();
    table
        .until(Emperor)
        .act(0, Action::GiveCrown { player: Seat(2) });
    assert_eq!(table.options(), [Action::PayEmperorGold]);
    table.act(2, Action::PayEmperorGold);
    assert_eq!((table.gold(2), table.gold(0)), (1, 3));
}

#[test]
fn the_tithe_comes_once() {
    let mut table = Given::new(4)
        .with(&[Abbot])
        .holds(0, Abbot)
        .holds(1, Warlord)
        .gold(1, 9)
        .start();
    table.until(Abbot).act(0, Action::AbbotTithe);
    assert_eq!((table.gold(0), table.gold(1)), (3, 8));
    assert!(!table.offers(Action::AbbotTithe));
    table.takes_gold(0);
    assert!(!table.offers(Action::AbbotTithe));
}

#[test]
fn the_alchemist_gets_back_what_he_really_paid_for_building() {
    let mut table = Given::new(4)
        .with(&[Alchemist])
        .holds(0, Alchemist)
        .gold(0, 9)
        .city(0, &[Factory, Smithy])
        .hand(0, &[University])
        .start();
    table.until(Alchemist).takes_gold(0);
    // 11; 2 for the Smithy, 5 for the University.
    table.act(0, Action::UseSmithy).builds(0, University);
    assert_eq!(table.gold(0), 4);
    table.ends(0);
    assert_eq!(table.gold(0), 9);
}

#[test]
fn the_navigator_takes_his_bonus_before_anything_else() {
    let mut table = Given::new(4)
        .with(&[Navigator])
        .holds(0, Navigator)
        .city(0, &[Laboratory])
        .hand(0, &[Tavern])
        .start();
    table.until(Navigator).act(0, DrawCards);
    let keep = table.options()[0];
    table.act(0, keep);
    assert_eq!(
        table.options(),
        [Action::NavigatorGold, Action::NavigatorCards]
    );
    table.act(0, Action::NavigatorGold);
    assert!(table.offers(Action::UseLaboratory { card: Tavern }));
    assert!(!table.offers(build(Tavern)));
}

#[test]
fn the_diplomat_and_what_is_out_of_his_reach() {
    let eight = [
        Manor, Castle, Palace, Temple, Church, Watchtower, Market, Docks,
    ];
    let given = || {
        Given::new(4)
            .with(&[Diplomat])
            .holds(0, Diplomat)
            .holds(2, Bishop)
            .gold(0, 20)
    };
    let takes = |given: Given| {
        let mut table = given.start();
        table.until(Diplomat).takes_gold(0);
        let options = table.options().into_iter();
        options
            .filter_map(|action| match action {
                Action::DiplomatTake { player, site } => Some((player.0, site.district)),
                _ => None,
            })
            .collect::<Vec<_>>()
    };
    let given_city = |given: Given| given.city(0, &[Tavern]);
    // A complete city, the Bishop's, a Keep, his own.
    assert_eq!(takes(given_city(given().city(1, &eight))), []);
    assert_eq!(takes(given_city(given().city(2, &[Prison]))), []);
    assert_eq!(
        takes(given_city(given().city(1, &[Keep, Prison]))),
        [(1, Prison)]
    );
    // His own may be complete, and he may give anything, a Keep too.
    let table = given()
        .city(0, &eight[..7])
        .city(0, &[Keep])
        .city(1, &[Prison]);
    assert_eq!(takes(table), [(1, Prison)]);
    let mut table = given().city(0, &[Keep]).city(1, &[Prison]).start();
    table.until(Diplomat).takes_gold(0).act(0, take(1, Prison));
    table.act(0, Action::DiplomatGive { site: plain(Keep) });
    assert_eq!(table.city(1), [Keep]);
    // It is no building, and the last act but for the income.
    assert!(!table.public().turn.unwrap().built);
    assert_eq!(table.options(), [CollectIncome, Action::EndTurn]);
    // Nothing to give, nothing to take.
    assert_eq!(takes(given().city(1, &[Prison])), []);
}

#[test]
fn the_diplomat_never_gets_money_back() {
    let mut table = Given::new(4)
        .with(&[Diplomat])
        .holds(0, Diplomat)
        .gold(0, 0)
        .city(0, &[Palace])
        .city(1, &[Tavern])
        .start();
    table.until(Diplomat).takes_gold(0).act(0, take(1, Tavern));
    let before = table.gold(1);
    table.act(
        0,
        Action::DiplomatGive {
            site: plain(Palace),
        },
    );
    assert_eq!((table.gold(0), table.gold(1)), (2, before));
}

#[test]
fn the_artists_gold_goes_with_an_exchanged_district() {
    let mut table = Given::new(4)
        .with(&[Diplomat, Artist])
        .holds(0, Diplomat)
        .gold(0, 9)
        .city(0, &[Tavern])
        .city(1, &[Manor])
        .beautified(1, Manor)
        .start();
    table.until(Diplomat).takes_gold(0);
    let (before, other) = (table.gold(0), table.gold(1));
    let taken = Action::DiplomatTake {
        player: Seat(1),
        site: beautified(Manor),
    };
    table.act(0, taken);
    table.act(
        0,
        Action::DiplomatGive {
            site: plain(Tavern),
        },
    );
    // 3 + 1 - 1.
    assert_eq!((table.gold(0), table.gold(1)), (before - 3, other + 3));
    assert_eq!(table.score(0).districts, 4);
}

#[test]
fn a_silent_queen_beside_a_murdered_king_gets_nothing() {
    let mut table = Given::new(5)
        .with(&[Queen])
        .crown(0)
        .holds(1, King)
        .holds(2, Queen)
        .holds(4, Assassin)
        .city(0, &[BallRoom])
        .start();
    table.act(4, Action::SayThanks).act(4, murder(King));
    table.until(Queen);
    let mut polite = table.clone();
    let before = table.gold(2);
    table.act(2, Action::StaySilent);
    assert_eq!(table.public().round, 6);
    assert_eq!(table.gold(2), before);
    polite.act(2, Action::SayThanks).takes_gold(2).ends(2);
    assert_eq!(polite.gold(2), before + 2 + 3);
}

#[test]
fn the_queens_neighbors_are_left_and_right_round_the_table() {
    let paid = |queen: u8, king: u8| {
        let mut table = Given::new(5)
            .with(&[Queen])
            .holds(queen, Queen)
            .holds(king, King)
            .start();
        table.until(Queen);
        table.offers(Action::QueenGold)
    };
    assert!(paid(0, 4) && paid(4, 0) && paid(0, 1));
    assert!(!paid(0, 2) && !paid(0, 3));
}

#[test]
fn the_queen_is_paid_for_the_holder_of_the_emperor_not_of_the_crown() {
    let queen = |emperor: u8, crowned: u8| {
        let mut table = Given::new(5)
            .with(&[Emperor, Queen])
            .crown(3)
            .holds(2, Queen)
            .holds(emperor, Emperor)
            .start();
        table.until(Emperor).act(
            emperor,
            Action::GiveCrown {
                player: Seat(crowned),
            },
        );
        table.until(Queen);
        table.offers(Action::QueenGold)
    };
    assert!(queen(1, 0));
    assert!(!queen(0, 1));
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
