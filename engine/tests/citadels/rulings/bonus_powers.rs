//! Section 7 and 5.5 to 5.9: every bonus character by its name, as far as neither a golden scenario nor a ruling says it all.

use tavola_engine::games::citadels::{Action, Character, Character::*, District, District::*};
use tavola_engine::{Game, Seat};

use crate::given::{Given, Table, beautified, build, destroy, plain};
use Action::{CollectIncome, DrawCards, TakeGold};

const fn murder(character: Character) -> Action {
    Action::Murder { character }
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
fn a_queen_away_from_a_murdered_king_gets_nothing() {
    let mut table = Given::new(5)
        .with(&[Queen])
        .holds(0, King)
        .holds(2, Queen)
        .holds(4, Assassin)
        .start();
    table.act(4, murder(King)).until(Queen).takes_gold(2);
    let before = table.gold(2);
    table.ends(2);
    assert_eq!((table.public().round, table.gold(2)), (6, before));
}

#[test]
fn nobody_acts_as_a_bewitched_character_before_the_witch_does() {
    let mut table = Given::new(4)
        .with(&[Witch])
        .holds(0, Witch)
        .holds(2, Bishop)
        .start();
    table.takes_gold(0).act(0, bewitch(Bishop)).until(Bishop);
    let acting = |table: &Table| table.public().calls.acting[usize::from(Bishop.rank().0) - 1];
    assert_eq!((table.decider(), acting(&table)), (Some(2), None));
    table.takes_gold(2);
    assert_eq!((table.decider(), acting(&table)), (Some(0), Some(Seat(0))));
}
