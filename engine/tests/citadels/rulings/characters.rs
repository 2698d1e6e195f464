//! Rulings on the base characters.

use tavola_engine::Seat;
use tavola_engine::games::citadels::{Action, Character, Character::*, District::*};

use crate::given::{Given, build, destroy, targets};
use Action::{CollectIncome, DrawCards, TakeGold};

const fn rob(character: Character) -> Action {
    Action::Rob { character }
}

const fn murder(character: Character) -> Action {
    Action::Murder { character }
}

#[test]
fn r06_powers_are_optional_but_for_three() {
    let mut table = Given::new(4).holds(0, Assassin).start();
    table.takes_gold(0);
    assert!(table.offers(Action::EndTurn));
    table.ends(0);
    assert_eq!(table.public().calls.murdered, None);
    let mut table = Given::new(4).with(&[Witch]).holds(0, Witch).start();
    table.takes_gold(0);
    assert!(
        table
            .options()
            .iter()
            .all(|action| matches!(action, Action::Bewitch { .. }))
    );
    let mut table = Given::new(4).with(&[Navigator]).holds(0, Navigator).start();
    table.until(Navigator).takes_gold(0);
    assert_eq!(
        table.options(),
        [Action::NavigatorGold, Action::NavigatorCards]
    );
    let mut table = Given::new(4).with(&[Emperor]).holds(0, Emperor).start();
    table.until(Emperor);
    assert!(
        table
            .options()
            .iter()
            .all(|action| matches!(action, Action::GiveCrown { .. }))
    );
}

#[test]
fn r07_income_is_not_split() {
    let mut table = Given::new(4)
        .holds(0, King)
        .gold(0, 5)
        .city(0, &[Manor])
        .hand(0, &[Castle])
        .start();
    table
        .until(King)
        .act(0, CollectIncome)
        .takes_gold(0)
        .builds(0, Castle);
    assert!(!table.offers(CollectIncome));
}

#[test]
fn r08_income_after_building() {
    let mut table = Given::new(4)
        .holds(0, King)
        .gold(0, 5)
        .hand(0, &[Castle])
        .start();
    table.until(King);
    assert!(!table.offers(CollectIncome));
    table.takes_gold(0).builds(0, Castle).act(0, CollectIncome);
    assert_eq!(table.gold(0), 5 + 2 - 4 + 1);
}

#[test]
fn r09_income_may_be_left() {
    let mut table = Given::new(4).holds(0, King).city(0, &[Manor]).start();
    table.until(King).takes_gold(0);
    assert!(table.offers(CollectIncome));
    table.ends(0);
    assert_eq!(table.gold(0), 4);
}

#[test]
fn r10_the_merchants_gold_comes_by_itself() {
    let mut table = Given::new(4).holds(0, Merchant).start();
    table.until(Merchant).takes_gold(0);
    assert_eq!(table.gold(0), 2 + 2 + 1);
}

#[test]
fn r11_the_thief_gets_no_later_income() {
    let mut table = Given::new(4)
        .holds(0, Thief)
        .holds(1, King)
        .city(1, &[Manor, Castle])
        .start();
    table.until(Thief).act(0, rob(King)).takes_gold(0).ends(0);
    table.until(King);
    assert_eq!((table.gold(0), table.gold(1)), (6, 0));
    table.act(1, CollectIncome);
    assert_eq!((table.gold(0), table.gold(1)), (6, 2));
}

#[test]
fn r12_the_robbery_happens_at_the_reveal() {
    // The victim's first decision is another's: the Ball Room.
    let mut table = Given::new(4)
        .holds(0, Thief)
        .holds(1, Merchant)
        .city(0, &[BallRoom])
        .start();
    table
        .pass_until(|table| table.decider() == Some(0))
        .act(0, rob(Merchant));
    table.until(Merchant);
    assert_eq!(table.options(), [Action::SayThanks, Action::StaySilent]);
    assert_eq!(table.gold(1), 0);
}

#[test]
fn r13_whom_the_thief_may_name() {
    let mut table = Given::new(4).holds(0, Assassin).holds(1, Thief).start();
    table.act(0, murder(King)).takes_gold(0).ends(0);
    table.until(Thief);
    for character in [Assassin, Thief, King] {
        assert!(!table.offers(rob(character)));
    }
    assert!(table.offers(rob(Magician)) && table.offers(rob(Warlord)));
    let mut table = Given::new(4)
        .with(&[Witch])
        .holds(0, Witch)
        .holds(1, Thief)
        .start();
    table
        .takes_gold(0)
        .act(0, Action::Bewitch { character: King });
    table.until(Thief);
    assert!(!table.offers(rob(King)) && !table.offers(rob(Witch)));
    assert!(table.offers(rob(Bishop)));
}

#[test]
fn r14_the_common_stash_at_the_named_call() {
    let mut table = Given::new(3)
        .holds(0, King)
        .holds(0, Warlord)
        .holds(1, Thief)
        .holds(1, Bishop)
        .gold(0, 3)
        .gold(1, 0)
        .hand(0, &[Castle])
        .start();
    table
        .until(Thief)
        .act(1, rob(Warlord))
        .takes_gold(1)
        .ends(1);
    table.until(King).takes_gold(0).builds(0, Castle).ends(0);
    table.until(Bishop).takes_gold(1).ends(1);
    table.until(Warlord);
    // 3 + 2 - 4 were left.
    assert_eq!((table.gold(0), table.gold(1)), (0, 2 + 2 + 1));
}

#[test]
fn r15_a_murdered_kings_crown() {
    let mut table = Given::new(4)
        .crown(1)
        .holds(0, Assassin)
        .holds(2, King)
        .holds(3, Warlord)
        .start();
    table.act(0, murder(King));
    table.until(Warlord);
    assert_eq!(table.crown(), 1);
    table.next_round();
    assert_eq!(table.crown(), 2);
}

#[test]
fn r16_no_king_no_change() {
    let mut table = Given::new(4).crown(2).out(King).start();
    table.next_round();
    assert_eq!(table.crown(), 2);
}

#[test]
fn r17_a_murdered_bishop_protects_nobody() {
    let mut table = Given::new(4)
        .holds(0, Assassin)
        .holds(1, Bishop)
        .holds(2, Warlord)
        .city(1, &[Temple])
        .start();
    table.act(0, murder(Bishop));
    table.until(Warlord).takes_gold(2);
    assert_eq!(targets(&table), [(1, Temple, 0)]);
}

#[test]
fn r18_the_bishops_protection_lasts_the_round() {
    let mut table = Given::new(3)
        .holds(1, Bishop)
        .holds(1, Architect)
        .holds(2, Warlord)
        .holds(2, King)
        .city(1, &[Temple])
        .start();
    table.until(Warlord).takes_gold(2);
    assert_eq!(targets(&table), []);
}

#[test]
fn r19_protection_is_the_players_who_acts_as_bishop() {
    // Seat 1 is the Bishop, whose rank is 5; seats 0 and 2 are fair game.
    let mut table = Given::new(4)
        .holds(0, King)
        .holds(1, Bishop)
        .holds(2, Merchant)
        .holds(3, Warlord)
        .city(0, &[Tavern])
        .city(1, &[Temple])
        .city(2, &[Watchtower])
        .start();
    table.until(Warlord).takes_gold(3);
    assert_eq!(targets(&table), [(0, Tavern, 0), (2, Watchtower, 0)]);
    // Not even his own, when he holds both.
    let mut table = Given::new(2)
        .holds(0, Bishop)
        .holds(0, Warlord)
        .city(0, &[Tavern])
        .start();
    table.until(Warlord).takes_gold(0);
    assert_eq!(targets(&table), []);
}

#[test]
fn r20_university_and_dragon_gate_cost_5_to_destroy() {
    let mut table = Given::new(4)
        .holds(0, Warlord)
        .gold(0, 9)
        .city(1, &[University, DragonGate])
        .start();
    table.until(Warlord).takes_gold(0);
    assert_eq!(targets(&table), [(1, University, 5), (1, DragonGate, 5)]);
}

#[test]
fn r21_the_warlords_own_districts() {
    let mut table = Given::new(4).holds(0, Warlord).city(0, &[Manor]).start();
    table.until(Warlord).takes_gold(0);
    assert_eq!(targets(&table), [(0, Manor, 2)]);
}

#[test]
fn r22_never_a_complete_city() {
    let seven = [Manor, Castle, Palace, Temple, Tavern, Watchtower, Market];
    let warlord = |given: Given| {
        let mut table = given.holds(0, Warlord).city(1, &seven).start();
        table.until(Warlord).takes_gold(0);
        targets(&table).is_empty()
    };
    assert!(!warlord(Given::new(4)));
    assert!(warlord(
        Given::new(4).options(|options| options.end_districts = 7)
    ));
    assert!(warlord(
        Given::new(4)
            .city(2, &[Keep, BellTower])
            .gold(0, 0)
            .bell_rung()
    ));
}

#[test]
fn r23_a_district_of_cost_1_is_destroyed_for_nothing() {
    let mut table = Given::new(4)
        .holds(0, Warlord)
        .gold(0, 0)
        .city(1, &[Temple])
        .start();
    table.until(Warlord).act(0, DrawCards);
    let keep = table.options()[0];
    table.act(0, keep).act(0, destroy(1, Temple));
    assert_eq!(table.gold(0), 0);
    assert!(table.city(1).is_empty());
}

#[test]
fn r24_the_destroyed_go_under_the_deck() {
    let mut table = Given::new(4).holds(0, Warlord).city(1, &[Market]).start();
    table.until(Warlord).takes_gold(0);
    let deck = table.deck();
    table.act(0, destroy(1, Market));
    assert_eq!(table.deck(), deck + 1);
    assert!(table.deck_ends(&[Market]));
}

#[test]
fn r25_nothing_is_built_after_destroying() {
    let mut table = Given::new(4)
        .holds(0, Warlord)
        .gold(0, 5)
        .hand(0, &[Tavern])
        .city(0, &[Laboratory, Museum, Smithy, Armory])
        .city(1, &[Temple])
        .start();
    table.until(Warlord).takes_gold(0);
    assert!(table.offers(build(Tavern)));
    table.act(0, destroy(1, Temple));
    assert!(!table.offers(build(Tavern)));
    // Nor is anything used.
    assert_eq!(table.options(), [Action::EndTurn]);
}

#[test]
fn r26_nine_districts() {
    let seven = [Manor, Castle, Palace, Temple, Tavern, Watchtower, Market];
    let mut table = Given::new(4)
        .holds(0, Architect)
        .gold(0, 9)
        .city(0, &seven)
        .hand(0, &[Church, Prison])
        .start();
    table
        .until(Architect)
        .takes_gold(0)
        .builds(0, Church)
        .builds(0, Prison);
    assert_eq!(table.city(0).len(), 9);
}

#[test]
fn r59_the_caller_decides_nothing() {
    let mut table = Given::new(4).crown(3).holds(0, Assassin).start();
    // The crown's holder has the King: he is not asked before it is his turn.
    for _ in 0..2 {
        assert_eq!(table.decider(), Some(0));
        table.pass();
    }
    assert_eq!(table.acting().map(|character| character.rank().0), Some(2));
    assert!(table.offers(TakeGold));
}

#[test]
fn r57_his_own_second_character() {
    let mut table = Given::new(3).holds(0, Assassin).holds(0, Merchant).start();
    table.act(0, murder(Merchant)).takes_gold(0).ends(0);
    table.beyond(Merchant);
    assert!(table.no_answer(Merchant));
    let mut table = Given::new(2)
        .holds(0, Thief)
        .holds(0, King)
        .gold(0, 5)
        .start();
    table.until(Thief).act(0, rob(King)).takes_gold(0).ends(0);
    table.until(King);
    assert_eq!(table.gold(0), 7);
    assert_eq!(table.public().revealed(King.rank()), Some(Seat(0)));
}
