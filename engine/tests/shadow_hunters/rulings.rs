//! The rulings of section 14, each by its number.

use tavola_engine::games::shadow_hunters::{
    Action, Area, Card, Character, Color, DamageSource, Deck, Event, ExpansionCharacters,
    HermitAnswer, HermitCard, Question, SingleUse, Step,
};
use tavola_engine::{Game, Playthrough, Seat, Seed};

use crate::golden_hermit::give;
use crate::golden_white::attack;
use crate::scenario::{Given, Table, equipment, given, seat, seats};
use crate::twins::same_to_others;

fn attacks(letter: char) -> Action {
    Action::Attack {
        player: seat(letter),
    }
}

fn on(letter: char) -> Action {
    Action::CardTarget {
        player: seat(letter),
    }
}

fn nurse(letter: char) -> Action {
    Action::UseAbilityOn {
        player: seat(letter),
    }
}

/// A draws this card, at the Church or the Cemetery as given.
fn draws(id: &str, given: Given) -> Table {
    let deck = match id.parse::<Card>().unwrap().color() {
        Color::White => Deck::White,
        Color::Black => Deck::Black,
    };
    given
        .at(Step::Area)
        .next(id)
        .start()
        .now('A', Action::Draw { deck })
}

fn moved(a: &str, dice: &[u32]) -> Table {
    let table = given(&format!("A {a}")).at(Step::Movement).start();
    table.dice(dice).now('A', Action::RollMove)
}

fn destinations(table: &Table) -> Vec<Area> {
    let area = |action: &Action| match action {
        Action::ChooseDestination { area } => Some(*area),
        _ => None,
    };
    table.legal().iter().filter_map(area).collect()
}

#[test]
fn r1_the_own_area_is_rolled_again_and_again() {
    assert_eq!(
        moved("franklin @0", &[1, 1, 1, 2, 2, 1, 5, 4]).slot('A'),
        Some(3)
    );
}

#[test]
fn r2_a_seven_leaves_the_own_area_out() {
    let areas = destinations(&moved("franklin @4", &[6, 1]));
    assert_eq!(
        (areas.len(), areas.contains(&Area::UnderworldGate)),
        (5, false)
    );
}

#[test]
fn r3_both_rolls_of_the_compass_may_be_equal_and_a_seven_opens_all() {
    let table = moved("franklin @1 [mystic_compass]", &[4, 4, 5, 3]);
    assert_eq!(table.slot('A'), Some(2), "one destination is no choice");
    assert_eq!(
        destinations(&moved("franklin @1 [mystic_compass]", &[4, 4, 6, 1])).len(),
        5
    );
}

#[test]
fn r4_the_area_may_be_refused_but_not_a_drawn_card() {
    let table = given("A vampire @1")
        .at(Step::Area)
        .next("disenchant_mirror")
        .start();
    assert!(table.legal().contains(&Action::SkipArea));
    let table = table.now('A', Action::Draw { deck: Deck::White });
    assert!(!table.hidden('A'));
}

#[test]
fn r5_who_has_not_moved_is_in_no_area_but_can_be_chosen() {
    let table = given("A franklin @0 / B wight").at(Step::Attack).start();
    assert_ne!(
        table.asked().map(|(_, question)| question),
        Some(Question::AttackChoice)
    );
    let woods = given("A franklin @3 / B wight").at(Step::Area).start();
    assert!(
        woods
            .legal()
            .contains(&Action::WoodsDamage { player: seat('B') })
    );
}

#[test]
fn r6_the_woods_heal_one() {
    let table = given("A franklin d5 @3").at(Step::Area).start();
    assert_eq!(
        table
            .now('A', Action::WoodsHeal { player: seat('A') })
            .damage('A'),
        4
    );
}

#[test]
fn r7_the_handgun_leaves_the_own_pair_out() {
    let table = given("A franklin @0 [handgun] / B wight @0 / C emi @3")
        .at(Step::Attack)
        .start();
    assert_eq!(table.list(), [attacks('C'), Action::DeclineAttack]);
}

#[test]
fn r8_the_machine_gun_spares_no_friend() {
    let table =
        given("A franklin @0 [machine_gun] R / B emi @0 / C wight @1 guardian / D unknown @1");
    let table = table
        .at(Step::Attack)
        .start()
        .dice(&[4, 2])
        .does('A', Action::AttackAll)
        .after_attack_window();
    assert_eq!(
        ['B', 'C', 'D'].map(|letter| table.damage(letter)),
        [2, 0, 2]
    );
}

#[test]
fn r9_both_guns_hit_the_other_pairs() {
    let table =
        given("A franklin @2 [handgun, machine_gun] R / B emi @0 / C wight @3 / D unknown @5");
    let table = table
        .at(Step::Attack)
        .start()
        .dice(&[4, 2])
        .does('A', Action::AttackAll)
        .after_attack_window();
    assert_eq!(
        ['B', 'C', 'D'].map(|letter| table.damage(letter)),
        [2, 0, 2]
    );
}

#[test]
fn r10_masamune_without_a_target_attacks_nobody_and_forces_no_counterattack() {
    let alone = given("A franklin @0 [masamune] / B wight @2")
        .at(Step::Attack)
        .start();
    assert_eq!(alone.asked(), Some(('A', Question::WindowEnd)));
    let table = attack(
        given("A franklin @0 R / B werewolf @1 [masamune] R"),
        &[4, 2],
    );
    assert_eq!(table.legal(), [Action::Pass, Action::Counterattack]);
}

#[test]
fn r11_equal_dice_fail_whatever_the_weapons() {
    let table = attack(
        given("A franklin @0 [butcher_knife, spear_of_longinus] R / B wight @1"),
        &[4, 4],
    );
    assert_eq!(table.damage('B'), 0);
    assert!(table.told().contains(&Event::AttackFailed {
        attacker: seat('A')
    }));
}

#[test]
fn r12_the_robe_comes_off_last() {
    let damage = |row: &str| {
        attack(given(&format!("A gregor @0 {row} R / B wight @1")), &[2, 1]).damage('B')
    };
    assert_eq!(damage("[holy_robe]"), 0);
    assert_eq!(damage("[holy_robe, chainsaw]"), 1);
}

#[test]
fn r13_the_spear_asks_a_hidden_owner_after_the_success_only() {
    let owner = "A george @0 [spear_of_longinus] / B wight @1";
    let failed = attack(given(owner), &[3, 3]);
    assert!(!matches!(
        failed.asked(),
        Some((_, Question::SpearReveal { .. }))
    ));
    let table = given(owner)
        .at(Step::Attack)
        .start()
        .does('A', attacks('B'))
        .now('A', Action::Reveal);
    assert_eq!(
        table.dice(&[3, 1]).after_attack_window().damage('B'),
        4,
        "revealed before the dice: no difference"
    );
}

#[test]
fn r14_the_spear_does_nothing_for_others_but_david_counts_it() {
    let table = attack(
        given("5: A david @0 [spear_of_longinus] R / B wight @1"),
        &[3, 1],
    );
    assert_eq!(table.damage('B'), 2);
    let table = given("5: A david @5 [spear_of_longinus, holy_robe] / B wight [talisman]")
        .at(Step::Area)
        .start();
    table
        .now(
            'A',
            Action::Steal {
                player: seat('B'),
                card: equipment("talisman"),
            },
        )
        .won_by("A");
}

#[test]
fn r15_guardian_angel_stops_attacks_and_counterattacks_only() {
    let table = attack(given("A franklin @0 guardian R / B werewolf @1 R"), &[3, 1]);
    let table = table
        .dice(&[6, 1])
        .now('B', Action::Counterattack)
        .after_attack_window();
    assert_eq!(table.damage('A'), 0);
    let hermit = give(HermitCard::Slap, given("A gregor @0 / B emi guardian"))
        .now('B', Action::AnswerTakeDamage);
    assert_eq!(hermit.damage('B'), 1);
    let woods = given("A franklin @3 / B wight guardian")
        .at(Step::Area)
        .start();
    assert_eq!(
        woods
            .now('A', Action::WoodsDamage { player: seat('B') })
            .damage('B'),
        2
    );
}

#[test]
fn r16_the_barrier_stops_own_cards_too_but_not_what_sets_damage() {
    let spider = draws(
        "bloodthirsty_spider",
        given("A gregor @2 barrier R / B wight"),
    )
    .now('A', on('B'));
    assert_eq!((spider.damage('A'), spider.damage('B')), (0, 2));
    let nursed = given("A fu_ka / B gregor barrier R")
        .at(Step::StartWindow)
        .start()
        .now('A', nurse('B'));
    assert_eq!(nursed.damage('B'), 7);
}

#[test]
fn r17_a_talisman_protects_its_owner_alone() {
    let table = draws(
        "bloodthirsty_spider",
        given("A franklin @2 [talisman] / B wight"),
    )
    .now('A', on('B'));
    assert_eq!((table.damage('A'), table.damage('B')), (0, 2));
    let table = draws(
        "bloodthirsty_spider",
        given("A franklin @2 / B wight [talisman]"),
    )
    .now('A', on('B'));
    assert_eq!((table.damage('A'), table.damage('B')), (2, 0));
}

#[test]
fn r18_the_bat_heals_though_the_talisman_stops_its_bite() {
    let table = draws(
        "vampire_bat",
        given("A franklin d4 @2 / B wight [talisman]"),
    )
    .now('A', on('B'));
    assert_eq!((table.damage('A'), table.damage('B')), (3, 0));
    let prevented = Event::Damaged {
        seat: seat('B'),
        source: DamageSource::Card(SingleUse::VampireBat),
        amount: 0,
        damage: 0,
    };
    assert!(
        table.told().contains(&prevented),
        "a prevented damage is told as 0"
    );
}

#[test]
fn r19_set_to_seven_works_both_ways_and_kills_nobody() {
    for (before, b) in [(2, "allie"), (7, "allie"), (12, "gregor")] {
        let table = given(&format!("A fu_ka / B {b} d{before}"))
            .at(Step::StartWindow)
            .start()
            .now('A', nurse('B'));
        assert_eq!((table.damage('B'), table.alive('B')), (7, true));
    }
    assert!(
        Character::ALL
            .into_iter()
            .all(|character| character.hp() > 7)
    );
}

#[test]
fn r20_the_banana_peel_takes_equipment_if_there_is_any() {
    let table = draws("banana_peel", given("A franklin @2 [chainsaw, handgun]"));
    assert_eq!(table.asked(), Some(('A', Question::GiveCard)));
    assert_eq!(table.legal().len(), 2 * 4);
    let table = table.now(
        'A',
        Action::GiveCard {
            card: equipment("handgun"),
            player: seat('B'),
        },
    );
    assert_eq!((table.damage('A'), table.owns('B', "handgun")), (0, true));
}

#[test]
fn r21_who_has_equipment_chooses_between_giving_and_damage() {
    for card in [HermitCard::Anger, HermitCard::Blackmail, HermitCard::Greed] {
        let b = if card == HermitCard::Blackmail {
            "emi"
        } else {
            "wight"
        };
        let table = give(
            card,
            given(&format!("A gregor @0 / B {b} [handgun, talisman]")),
        );
        assert_eq!(table.list().len(), 3, "{card:?}");
        let table = table.now(
            'B',
            Action::AnswerGive {
                card: equipment("handgun"),
            },
        );
        assert!(table.owns('A', "handgun"));
    }
}

#[test]
fn r22_healing_cards_damage_who_is_unhurt() {
    for (card, b) in [
        (HermitCard::Aid, "emi"),
        (HermitCard::Huddle, "wight"),
        (HermitCard::Nurturance, "bob"),
    ] {
        let unhurt = give(card, given(&format!("A gregor @0 / B {b}")));
        assert_eq!(unhurt.list(), [Action::AnswerTakeDamage]);
        let hurt = give(card, given(&format!("A gregor @0 / B {b} d1")));
        assert_eq!(hurt.list(), [Action::AnswerHeal]);
    }
}

#[test]
fn r23_bully_and_tough_lesson_look_at_the_print() {
    for character in Character::ALL {
        let bully = HermitCard::Bully.facts().condition.holds_for(character);
        let lesson = HermitCard::ToughLesson
            .facts()
            .condition
            .holds_for(character);
        assert_eq!(
            (bully, lesson),
            (character.hp() <= 11, character.hp() >= 12),
            "{character:?}"
        );
    }
}

#[test]
fn r24_unknown_lies_also_when_revealed_but_shows_the_truth() {
    for card in HermitCard::ALL {
        let list = give(card, given("A gregor @0 / B unknown R")).list();
        let expected = if card == HermitCard::Prediction { 1 } else { 2 };
        assert_eq!(list.len(), expected, "{card:?}");
    }
}

#[test]
fn r25_deceit_can_not_be_voided() {
    let position = given("A ellen @0 / B unknown").at(Step::StartWindow);
    let other = position.clone().with('B', "werewolf");
    let table = position.start().now('A', nurse('B'));
    assert!(table.player('B').ability_void && table.player('A').ability_used);
    let card = give(HermitCard::Slap, given("A gregor @0 / B unknown void"));
    assert_eq!(
        card.list(),
        [Action::AnswerNothing, Action::AnswerTakeDamage]
    );
    // Nobody is told that it failed.
    same_to_others("B", &table, &other.start().now('A', nurse('B')));
}

#[test]
fn r26_the_curse_on_a_hidden_player_is_public() {
    let table = given("A ellen / B wight")
        .at(Step::StartWindow)
        .start()
        .now('A', nurse('B'));
    assert!(table.hidden('B') && table.player('B').ability_void);
}

#[test]
fn r27_bob_robs_by_attacks_only() {
    let bat = draws(
        "vampire_bat",
        given("A bob @2 / B wight [talisman, handgun]"),
    )
    .now('A', on('B'));
    assert!(!matches!(bat.asked(), Some((_, Question::Rob { .. }))));
    let woods = given("A bob @3 / B wight [talisman, handgun]")
        .at(Step::Area)
        .start();
    let woods = woods.now('A', Action::WoodsDamage { player: seat('B') });
    assert_eq!(
        (woods.damage('B'), woods.asked()),
        (2, Some(('A', Question::WindowEnd)))
    );
}

#[test]
fn r28_a_lethal_hit_may_become_a_theft_and_the_robbed_werewolf_strikes_back() {
    let table = attack(
        given("5: A bob @0 R / B werewolf d13 @1 [talisman, handgun]"),
        &[6, 1],
    );
    let table = table.now(
        'A',
        Action::Rob {
            card: equipment("handgun"),
        },
    );
    assert_eq!((table.damage('B'), table.alive('B')), (13, true));
    assert_eq!(
        table.asked(),
        Some((
            'B',
            Question::Counterattack {
                attacker: seat('A')
            }
        ))
    );
    let robe = attack(given("5: A bob @0 R / B gregor @1 [holy_robe]"), &[3, 1]);
    assert_eq!(robe.damage('B'), 1, "the Robe leaves less than 2");
}

#[test]
fn r29_which_bob_follows_the_seats_and_five_cards_win() {
    let cards = "[talisman, handgun]";
    let six = attack(
        given(&format!("6: A bob @0 / B gregor @1 {cards}")),
        &[4, 1],
    );
    assert!(matches!(six.asked(), Some((_, Question::Rob { .. }))));
    let seven = attack(
        given(&format!("7: A bob @0 / B gregor @1 {cards}")),
        &[4, 1],
    );
    assert!(!matches!(seven.asked(), Some((_, Question::Rob { .. }))));
    let bob = "bob @5 [talisman, handgun, chainsaw, masamune]";
    let table = given(&format!("7: A {bob} / B gregor [holy_robe]"))
        .at(Step::Area)
        .start();
    table
        .now(
            'A',
            Action::Steal {
                player: seat('B'),
                card: equipment("holy_robe"),
            },
        )
        .won_by("A");
}

#[test]
fn r29_five_cards_win_with_six_seats_too_and_four_do_not() {
    let steals = |row: &str| {
        let table = given(&format!("6: A bob @5 {row} / B gregor [holy_robe]"))
            .at(Step::Area)
            .start();
        table.now(
            'A',
            Action::Steal {
                player: seat('B'),
                card: equipment("holy_robe"),
            },
        )
    };
    steals("[talisman, handgun, chainsaw, masamune]").won_by("A");
    let four = steals("[talisman, handgun, chainsaw]");
    assert_eq!((four.player('A').equipment.len(), four.over()), (4, false));
}

/// 2: never by the number of those still alive.
#[test]
fn r29_bob_stays_who_he_was_when_few_are_left() {
    let table = attack(
        given("7: A bob @0 / B gregor @1 [talisman, handgun] / C emi dead / D unknown dead"),
        &[4, 1],
    );
    assert!(!matches!(table.asked(), Some((_, Question::Rob { .. }))));
    let killed = attack(
        given(
            "7: A bob @0 R / B gregor d13 @1 [talisman, handgun] / C unknown dead / D allie dead",
        ),
        &[4, 1],
    );
    assert!(killed.owns('A', "talisman") && killed.owns('A', "handgun"));
}

/// 11.3: with the Silver Rosary there is nothing to ask Bob.
#[test]
fn bob_with_the_rosary_takes_all_and_stays_hidden() {
    let table = attack(
        given("7: A bob @0 [silver_rosary] / B emi d9 @1 [talisman, handgun]"),
        &[4, 1],
    );
    assert!(table.owns('A', "talisman") && table.owns('A', "handgun"));
    assert!(table.hidden('A'));
}

/// 11.3: Robbery is for kills by attack.
#[test]
fn bob_loots_one_card_of_whom_his_bat_killed() {
    for reveal in ["", "R"] {
        let board = format!("7: A bob @2 {reveal} / B emi d9 [chainsaw, handgun]");
        let table = draws("vampire_bat", given(&board)).now('A', on('B'));
        let loots = Question::Loot { victim: seat('B') };
        assert_eq!(table.asked(), Some(('A', loots)), "{reveal}");
    }
}

/// 10.4: the checkpoint of a robbery is that of the damage to the others.
#[test]
fn a_robbery_of_the_fifth_card_wins_after_the_other_targets_are_hurt() {
    let cards = "[machine_gun, talisman, chainsaw, handgun]";
    let table = given(&format!(
        "6: A bob @0 {cards} R / B gregor @2 [mystic_compass] / C emi d9 @3 / D unknown R"
    ))
    .at(Step::Attack)
    .start()
    .does('A', Action::AttackAll)
    .dice(&[5, 1])
    .after_attack_window();
    let card = equipment("mystic_compass");
    let table = table.now('A', Action::Rob { card });
    assert_eq!((table.damage('B'), table.alive('C')), (0, false));
    table.won_by("A");
}

#[test]
fn r30_the_vampire_heals_two_for_each() {
    let table = given("A vampire d9 @0 [machine_gun] R / B gregor @0 / C george @1")
        .at(Step::Attack)
        .start();
    let table = table
        .dice(&[2, 1])
        .does('A', Action::AttackAll)
        .after_attack_window();
    assert_eq!(table.damage('A'), 5);
}

#[test]
fn r31_no_blood_without_damage() {
    let table = attack(given("A vampire d9 @0 R / B gregor @1 guardian"), &[6, 1]);
    assert_eq!(table.damage('A'), 9);
    let hidden = attack(given("A vampire d9 @0 / B gregor @1 guardian"), &[6, 1]);
    assert!(!matches!(
        hidden.asked(),
        Some((_, Question::SuckBlood { .. }))
    ));
}

#[test]
fn r32_who_is_killed_does_not_strike_back() {
    let table = attack(given("A franklin @0 R / B werewolf d13 @1 R"), &[4, 1]);
    assert!(
        !table
            .told()
            .iter()
            .any(|event| matches!(event, Event::AttackDeclared { counter: true, .. }))
    );
}

#[test]
fn r33_who_is_missed_may_strike_back() {
    let table = attack(given("A franklin @0 R / B werewolf @1 R"), &[4, 4]);
    assert_eq!(table.legal(), [Action::Pass, Action::Counterattack]);
}

#[test]
fn r34_a_counterattack_knows_no_range_and_hits_the_attacker_only() {
    let table = given("A franklin @0 [handgun] R / B werewolf @3 [machine_gun] R / C emi @3")
        .at(Step::Attack)
        .start();
    let table = table
        .dice(&[3, 1])
        .does('A', attacks('B'))
        .after_attack_window();
    let table = table
        .dice(&[5, 1])
        .now('B', Action::Counterattack)
        .after_attack_window();
    assert_eq!((table.damage('A'), table.damage('C')), (4, 0));
}

#[test]
fn r35_the_counterattack_comes_before_the_feast() {
    let table = attack(given("5: A charles @0 R / B werewolf @1 R"), &[3, 1]);
    assert!(matches!(
        table.asked(),
        Some(('B', Question::Counterattack { .. }))
    ));
    let table = table.now('B', Action::Pass);
    assert!(matches!(table.asked(), Some(('A', Question::Feast { .. }))));
}

#[test]
fn r36_no_feast_that_would_kill() {
    for (damage, feasts) in [(8, true), (9, false), (10, false)] {
        let table = attack(
            given(&format!("5: A charles d{damage} @0 R / B gregor @1 R")),
            &[3, 1],
        );
        assert_eq!(
            matches!(table.asked(), Some((_, Question::Feast { .. }))),
            feasts,
            "{damage}"
        );
    }
}

#[test]
fn r37_charles_wins_by_the_third_death_if_he_kills_by_attack() {
    let table = attack(
        given("8: A charles @0 R / B emi d9 @1 / C unknown dead"),
        &[3, 1],
    );
    assert!(!table.over(), "the second");
    let table = attack(
        given("8: A charles @0 R / B emi d9 @1 / C unknown dead / D vampire dead"),
        &[3, 1],
    );
    table.won_by("A");
    assert!(Character::Charles.facts().kill_by_attack_only);
    // By somebody else's attack he doesn't.
    let table =
        given("8: A charles @0 R / B emi d9 @1 / C unknown dead / D vampire dead / E wight @0 R")
            .active('E');
    let table = table
        .at(Step::Attack)
        .start()
        .dice(&[3, 1])
        .does('E', attacks('B'))
        .after_attack_window();
    assert!(!table.alive('B') && !table.over());
}

#[test]
fn r38_charles_wins_by_two_at_once() {
    let table =
        given("8: A charles @0 [machine_gun] R / B emi d9 @1 / C unknown d10 @0 / D vampire dead")
            .at(Step::Attack);
    let table = table
        .start()
        .dice(&[3, 1])
        .does('A', Action::AttackAll)
        .after_attack_window();
    table.won_by("A");
}

#[test]
fn r39_bryan_needs_an_attack() {
    let bat = draws("vampire_bat", given("5: A bryan @2 / B vampire d12")).now('A', on('B'));
    assert!(!bat.alive('B') && !bat.over());
    let table = attack(given("5: A bryan @0 / B vampire d12 @1"), &[3, 1]);
    table.won_by("A");
}

#[test]
fn r40_bryan_at_the_altar_wins_along_and_ends_nothing() {
    let end = |slot: u8| {
        let board = format!("5: A emi @0 R / B wight d13 @1 / C unknown dead / D bryan @{slot}");
        attack(given(&board), &[3, 1])
    };
    end(5).won_by("ADE");
    end(4).won_by("AE");
    assert!(!given("5: A bryan @5").at(Step::Begin).start().over());
}

#[test]
fn r41_catherine_and_daniel_win_among_others_who_die_first() {
    let table = given("6: A wight @2 / B catherine d8 @0 / C daniel d10 @0 / D emi d7 @0")
        .at(Step::Area)
        .next("dynamite");
    let table = table
        .start()
        .dice(&[2, 1])
        .now('A', Action::Draw { deck: Deck::Black });
    table.won_by("BC");
}

#[test]
fn r42_a_revealed_catherine_must_heal() {
    let table = given("5: A catherine d4 R")
        .at(Step::Begin)
        .dice(&[])
        .start();
    assert_eq!(table.damage('A'), 3);
    let void = given("5: A catherine d4 void R").at(Step::Begin).start();
    assert_eq!(void.damage('A'), 4);
}

#[test]
fn r43_catherine_heals_at_once_in_her_own_start_window_only() {
    let own = given("5: A catherine d4")
        .at(Step::Begin)
        .start()
        .now('A', Action::Reveal);
    assert_eq!(own.damage('A'), 3);
    let other = given("5: A emi / B catherine d4")
        .at(Step::Begin)
        .start()
        .does('B', Action::Reveal);
    assert_eq!(other.damage('B'), 4);
    let later = given("5: A catherine d4 @2")
        .at(Step::Area)
        .start()
        .now('A', Action::Reveal);
    assert_eq!(later.damage('A'), 4);
}

#[test]
fn r44_agnes_looks_at_the_seat_dead_or_alive() {
    let end = |b: &str| {
        attack(
            given(&format!(
                "6: A emi @0 R / B wight d13 @1 / {b} / F unknown dead"
            )),
            &[3, 1],
        )
    };
    // Agnes at seat D, the dead Hunter on her right.
    end("C franklin dead / D agnes R / E allie dead").won_by("ACD");
    end("C franklin dead / D agnes dead / E allie dead").won_by("ACD");
    end("C franklin dead / D agnes capriccio R / E allie dead").won_by("AC");
    let once = given("6: A agnes used R").at(Step::StartWindow).start();
    assert_ne!(once.asked(), Some(('A', Question::WindowStart)));
}

/// From the turn in which she uses it to the end of the game.
#[test]
fn r44_capriccio_makes_the_left_neighbor_count() {
    let board = "5: A emi d1 / B wight d13 @0 R / C agnes / D franklin @1 / E unknown dead";
    let turn = given(board)
        .active('C')
        .at(Step::StartWindow)
        .start()
        // C goes to the Gate, D to the Cabin, and attacks B there.
        .dice(&[1, 3, 1, 2, 3, 1]);
    let attacked = |table: Table| table.does('D', attacks('B')).after_attack_window();
    attacked(turn.clone().now('C', Action::UseAbility)).won_by("ACD");
    attacked(turn).won_by("AD");
}

/// The first seat is the left neighbor of the last, and whoever wins along counts as well.
#[test]
fn r44_the_neighbors_of_agnes_go_round_the_table() {
    let end = |allie: &str, agnes: &str| {
        let board = format!(
            "6: A allie {allie} / B emi @0 R / C wight d13 @1 / D unknown dead / E franklin dead / F agnes {agnes}"
        );
        let table = given(&board).at(Step::Attack).active('B').start();
        let table = table.dice(&[3, 1]).does('B', attacks('C'));
        table.after_attack_window()
    };
    end("R", "capriccio used R").won_by("ABEF");
    end("dead", "capriccio used R").won_by("BE");
    end("dead", "R").won_by("BEF");
    let first = |allie: &str| {
        let board = format!(
            "6: A agnes R / B emi @0 R / C wight d13 @1 / D unknown dead / E franklin dead / F allie {allie}"
        );
        let table = given(&board).at(Step::Attack).active('B').start();
        let table = table.dice(&[3, 1]).does('B', attacks('C'));
        table.after_attack_window()
    };
    first("R").won_by("ABEF");
    first("dead").won_by("BE");
}

#[test]
fn r45_daniel_never_reveals_unless_void_or_without_abilities() {
    let window = |given: Given| given.at(Step::StartWindow).start().legal();
    assert_eq!(window(given("5: A daniel")), [Action::Pass]);
    assert_eq!(
        window(given("5: A daniel void")),
        [Action::Pass, Action::Reveal]
    );
    let without = given("5: A daniel").options(|options| options.special_abilities = false);
    assert_eq!(window(without), [Action::Pass, Action::Reveal]);
    let seen =
        give(HermitCard::Prediction, given("A gregor @0 / B daniel")).now('B', Action::AnswerShow);
    assert_eq!(
        seen.state.private(seat('A')).unwrap().identities[1],
        Some(Character::Daniel)
    );
}

#[test]
fn r46_lethal_damage_can_not_be_answered() {
    let table = attack(given("5: A wight @0 R / B allie d7 @1 R"), &[3, 1]);
    assert!(!table.alive('B'));
}

#[test]
fn r47_david_wins_by_whatever_brings_the_third() {
    let david = "david [talisman, holy_robe]";
    // By a gift.
    let table = draws(
        "banana_peel",
        given(&format!("5: A emi @2 [silver_rosary] / B {david}")),
    );
    let gift = Action::GiveCard {
        card: equipment("silver_rosary"),
        player: seat('B'),
    };
    table.now('A', gift).won_by("B");
    // By a draw.
    draws(
        "silver_rosary",
        given("5: A david @1 [talisman, holy_robe]"),
    )
    .won_by("A");
    // By loot.
    attack(
        given("5: A david @0 [talisman, holy_robe] R / B emi d9 @1 [silver_rosary]"),
        &[3, 1],
    )
    .won_by("A");
    // By Grave Digger.
    let table = given(&format!("5: A emi / B {david}"))
        .at(Step::StartWindow)
        .discarded("silver_rosary")
        .start();
    table
        .does(
            'B',
            Action::DigUp {
                card: equipment("silver_rosary"),
            },
        )
        .won_by("B");
    // In the middle of a Hermit card: it stays where it is.
    let position = given(&format!("5: A emi @0 / B {david}")).discarded("silver_rosary");
    let table = give(HermitCard::Slap, position).now(
        'B',
        Action::DigUp {
            card: equipment("silver_rosary"),
        },
    );
    table.won_by("B");
    assert_eq!(
        table.state.private(seat('B')).unwrap().hermit,
        Some(HermitCard::Slap)
    );
}

#[test]
fn r48_loot_may_add_a_winner() {
    let victim = "B franklin d11 @1 [silver_rosary]";
    let table = given(&format!(
        "5: A david @0 [talisman, holy_robe, chainsaw] R / {victim} / C emi dead"
    ))
    .at(Step::Attack);
    let table = table
        .start()
        .dice(&[4, 1])
        .does('A', attacks('B'))
        .after_attack_window();
    table.won_by("ADE");
}

#[test]
fn r49_a_game_that_is_won_stops_at_once() {
    let table = attack(
        given("5: A emi @0 R / B wight d13 @1 / C unknown dead"),
        &[3, 1],
    );
    assert!(table.over());
    assert!(
        !table
            .told()
            .iter()
            .any(|event| matches!(event, Event::TurnEnded { .. }))
    );
    assert!(matches!(table.told().last(), Some(Event::GameOver { .. })));
}

#[test]
fn r50_extra_turns_die_with_the_active_player() {
    let mut position = given("6: A emi d8 @1 / B wight @3");
    position = position
        .at(Step::Area)
        .next("concealed_knowledge")
        .next("bloodthirsty_spider");
    let table = position
        .start()
        .now('A', Action::Draw { deck: Deck::White });
    let table = table.until(|letter, question| (letter, question) == ('A', Question::MoveChoice));
    assert_eq!(table.public().turn, 2);
    let dead = draws("bloodthirsty_spider", given("6: A emi d8 @2 / B wight @3")).now('A', on('B'));
    assert_eq!(
        (dead.public().active, dead.player('A').extra_turns),
        (seat('B'), 0)
    );
}

#[test]
fn r51_the_killer_takes_one_and_the_rest_is_discarded_by_color() {
    let table = attack(
        given("5: A wight @0 R / B emi d9 @1 [handgun, talisman, chainsaw]"),
        &[3, 1],
    );
    assert_eq!(table.legal().len(), 3, "taking is no choice, which is");
    let table = table.now(
        'A',
        Action::Loot {
            card: equipment("chainsaw"),
        },
    );
    assert_eq!(
        table.discard(Color::White),
        ["talisman".parse::<Card>().unwrap()]
    );
    assert_eq!(
        table.discard(Color::Black),
        ["handgun".parse::<Card>().unwrap()]
    );
}

#[test]
fn r52_a_dead_killer_loots_nothing() {
    let table = draws(
        "bloodthirsty_spider",
        given("6: A emi d8 @2 / B unknown d9 [handgun]"),
    )
    .now('A', on('B'));
    assert_eq!((table.alive('A'), table.alive('B')), (false, false));
    assert_eq!(
        table.discard(Color::Black),
        ["bloodthirsty_spider", "handgun"].map(|id| id.parse::<Card>().unwrap())
    );
}

#[test]
fn r53_the_rosary_takes_all_unasked_after_an_attack() {
    let table = attack(
        given("5: A wight @0 [silver_rosary] R / B emi d9 @1 [handgun, talisman]"),
        &[3, 1],
    );
    assert_eq!(table.player('A').equipment.len(), 3);
    let hermit = give(
        HermitCard::Slap,
        given("A gregor @0 [silver_rosary] / B emi d9 [handgun, talisman]"),
    );
    let hermit = hermit.now('B', Action::AnswerTakeDamage);
    assert_eq!(hermit.legal().len(), 2, "one by choice");
    hermit.now(
        'A',
        Action::Loot {
            card: equipment("handgun"),
        },
    );
}

#[test]
fn r54_the_giver_loots_after_a_hermit_kill() {
    let table = give(
        HermitCard::Exorcism,
        given("A gregor @0 / B wight d12 [chainsaw]"),
    )
    .now('B', Action::AnswerTakeDamage);
    assert!(table.owns('A', "chainsaw"));
}

#[test]
fn r55_who_is_revealed_heals_at_no_further_cost() {
    for (id, a) in [
        ("advent", "franklin d5 @1 R"),
        ("chocolate", "unknown d5 @1 R"),
        ("diabolic_ritual", "wight d5 @2 R"),
    ] {
        let table = draws(id, given(&format!("A {a}")));
        assert_eq!(table.legal(), [Action::Pass, Action::Accept], "{id}");
        assert_eq!(table.now('A', Action::Accept).damage('A'), 0);
    }
}

#[test]
fn r56_the_mirror_shows_every_shadow_but_unknown() {
    for character in Character::ALL {
        let id = format!("{character:?}")
            .to_lowercase()
            .replace("fuka", "fu_ka")
            .replace("ultrasoul", "ultra_soul");
        let table = draws("disenchant_mirror", given(&format!("8: A {id} @1")));
        let shadow = character.faction() == tavola_engine::games::shadow_hunters::Faction::Shadow;
        assert_eq!(
            table.hidden('A'),
            !shadow || character == Character::Unknown,
            "{character:?}"
        );
    }
}

#[test]
fn r57_multiplication_needs_the_dead_and_counts_them_once() {
    let none = given("8: A wight @0").at(Step::EndWindow).start();
    assert_eq!(none.legal(), [Action::Pass, Action::Reveal]);
    let one = given("8: A wight @0 / B emi dead")
        .at(Step::EndWindow)
        .start()
        .now('A', Action::UseAbility);
    assert!(one.player('A').ability_used);
    assert_eq!(
        (one.public().active, one.player('A').extra_turns),
        (seat('A'), 0)
    );
}

#[test]
fn r58_extra_turns_add_up() {
    let mut table = given("8: A wight @1 / B emi dead")
        .at(Step::Area)
        .next("concealed_knowledge")
        .start();
    table = table.now('A', Action::Draw { deck: Deck::White });
    assert_eq!(table.player('A').extra_turns, 1);
    table = table.does('A', Action::UseAbility);
    // One of the two has begun.
    assert_eq!((table.public().turn, table.player('A').extra_turns), (2, 1));
}

#[test]
fn r59_murder_ray_needs_somebody_at_the_gate_before_she_moves() {
    let nobody = given("5: A ultra_soul @4").at(Step::StartWindow).start();
    assert_eq!(nobody.legal(), [Action::Pass, Action::Reveal]);
    let again = given("5: A ultra_soul R / B emi @4")
        .at(Step::Begin)
        .start();
    assert_eq!(again.legal(), [Action::Pass, nurse('B')]);
}

#[test]
fn r60_third_parties_never_learn_the_card() {
    let world = |card, answer| give(card, given("A gregor @0 / B emi")).now('B', answer);
    let slap = world(HermitCard::Slap, Action::AnswerTakeDamage);
    let bully = world(HermitCard::Bully, Action::AnswerTakeDamage);
    for viewer in [Some(seat('C')), Some(seat('E')), None] {
        assert_eq!(slap.heard(viewer), bully.heard(viewer));
    }
    assert_ne!(slap.heard(Some(seat('A'))), bully.heard(Some(seat('A'))));
    assert_ne!(slap.heard(Some(seat('B'))), bully.heard(Some(seat('B'))));
}

#[test]
fn r61_only_seven_players_have_three_neutrals() {
    use tavola_engine::games::shadow_hunters::Faction;
    use tavola_engine::games::shadow_hunters::tables::Allocation;
    let neutrals = |seats| Allocation::of(seats).count(Faction::Neutral);
    assert_eq!([4, 5, 6, 7, 8].map(neutrals), [0, 1, 2, 3, 2]);
}

#[test]
fn r62_nobody_dies_in_the_opening() {
    let options = tavola_engine::games::shadow_hunters::Options {
        opening_hermit: true,
        ..Default::default()
    };
    let most = HermitCard::ALL
        .into_iter()
        .map(|card| card.facts().amount)
        .max()
        .unwrap();
    let least = Character::ALL.into_iter().map(Character::hp).min().unwrap();
    assert!(most < least);
    for seed in 0..20 {
        let mut game = Playthrough::<tavola_engine::games::shadow_hunters::ShadowHunters>::start(
            options,
            6,
            Seed::from_number(seed),
            None,
        )
        .unwrap();
        while game.state().public().turn == 0 {
            let ask = game.state().public().asked().unwrap();
            let seen = game.state().seen(tavola_engine::Viewer::Seat(ask.seat));
            let legal = tavola_engine::games::shadow_hunters::ShadowHunters::legal_actions(seen);
            game.submit(ask.seat, *legal.last().unwrap(), None).unwrap();
        }
        assert_eq!(game.state().public().dead(), 0);
    }
}

#[test]
fn r63_guns_dug_up_after_the_declaration_leave_the_targets() {
    let world = |card: &str| {
        let table = given("5: A david @0 / B gregor @1 / C wight @1")
            .at(Step::Attack)
            .discarded(card)
            .start();
        let table = table.does('A', attacks('B')).now(
            'A',
            Action::DigUp {
                card: equipment(card),
            },
        );
        let dice: &[u32] = if card == "masamune" { &[3] } else { &[4, 2] };
        let table = table.dice(dice).after_attack_window();
        (table.damage('B'), table.damage('C'))
    };
    assert_eq!(world("machine_gun"), (2, 0));
    assert_eq!(world("handgun"), (2, 0));
    assert_eq!(world("masamune"), (3, 0));
    assert_eq!(world("chainsaw"), (3, 0));
}

#[test]
fn r64_who_has_no_choice_is_asked_as_if_he_had() {
    let table = attack(given("A franklin @0 R / B george @1"), &[3, 1]);
    assert_eq!(
        (table.asked(), table.legal()),
        (
            Some((
                'B',
                Question::Counterattack {
                    attacker: seat('A')
                }
            )),
            vec![Action::Pass],
        )
    );
    // Once the Werewolf is public, nobody else is asked.
    let table = attack(
        given("A franklin @0 R / B george @1 / C werewolf R"),
        &[3, 1],
    );
    assert!(!matches!(
        table.asked(),
        Some((_, Question::Counterattack { .. }))
    ));
}

/// 5, *Open characters*: with one character of each initial, a public one closes its twin.
#[test]
fn r64_the_twin_of_a_public_character_is_not_open() {
    let asked = |pools| {
        let table = attack(
            given("6: A franklin @0 R / B george @1 / C wight R")
                .options(|options| options.expansion_characters = pools),
            &[3, 1],
        );
        matches!(table.asked(), Some((_, Question::Counterattack { .. })))
    };
    assert!(asked(ExpansionCharacters::All));
    assert!(!asked(ExpansionCharacters::OnePerInitial), "no Werewolf");
}

#[test]
fn r65_several_survivors_are_asked_in_turn() {
    let table = given("A franklin @0 [machine_gun] R / B emi @1 / C wight @0 / D unknown @1")
        .at(Step::Attack)
        .start();
    let mut table = table
        .dice(&[3, 1])
        .does('A', Action::AttackAll)
        .after_attack_window();
    for letter in ['B', 'C', 'D'] {
        assert_eq!(
            table.asked(),
            Some((
                letter,
                Question::Counterattack {
                    attacker: seat('A')
                }
            ))
        );
        table = table.now(letter, Action::Pass);
    }
}

#[test]
fn r66_charles_names_any_survivor() {
    let table = given(
        "8: A charles @0 [machine_gun] R / B emi d9 @1 / C wight @0 R / D ellen @1 R / E unknown R",
    )
    .at(Step::Attack);
    let table = table
        .start()
        .dice(&[3, 1])
        .does('A', Action::AttackAll)
        .after_attack_window();
    let table = table.until(|_, question| matches!(question, Question::Feast { .. }));
    assert_eq!(
        table.asked(),
        Some((
            'A',
            Question::Feast {
                targets: seats("CD")
            }
        ))
    );
    let feast = |letter| Action::Feast {
        player: seat(letter),
    };
    assert_eq!(table.legal(), [Action::Pass, feast('C'), feast('D')]);
    // With the Machine Gun the new attack hits everybody in range besides.
    let table = table
        .dice(&[2, 1])
        .now('A', feast('D'))
        .after_attack_window();
    assert_eq!(
        (table.damage('C'), table.damage('D'), table.damage('A')),
        (3, 3, 2)
    );
}

#[test]
fn who_leaves_is_played_on_and_can_not_win() {
    let mut game = Playthrough::<tavola_engine::games::shadow_hunters::ShadowHunters>::start(
        Default::default(),
        4,
        Seed::from_number(5),
        None,
    )
    .unwrap();
    game.resign(Seat(0), None).unwrap();
    assert!(game.state().public().player(Seat(0)).resigned);
    let mut plies = 0;
    while let Some(ask) = game.state().public().asked() {
        let seen = game.state().seen(tavola_engine::Viewer::Seat(ask.seat));
        let legal = tavola_engine::games::shadow_hunters::ShadowHunters::legal_actions(seen);
        game.submit(ask.seat, legal[plies % legal.len()], None)
            .unwrap();
        plies += 1;
    }
    let outcome = &game.state().public().ending.as_ref().unwrap().outcome;
    assert!(!outcome.winners.contains(Seat(0)));
    assert_eq!(outcome.returns.get(Seat(0)), Some(&-1));
    assert!(
        outcome
            .returns
            .iter()
            .all(|(seat, &returns)| seat == Seat(0) || returns >= 0)
    );
}

#[test]
fn an_answer_is_remembered_by_both() {
    let table =
        give(HermitCard::Slap, given("A gregor @0 / B emi")).now('B', Action::AnswerTakeDamage);
    let memory = |letter| table.state.private(seat(letter)).unwrap().memory.clone();
    let [entry] = memory('A')[..] else {
        panic!("one card was given")
    };
    assert_eq!(
        (entry.giver, entry.receiver, entry.card),
        (seat('A'), seat('B'), HermitCard::Slap)
    );
    assert_eq!((entry.answer, entry.turn), (HermitAnswer::TakeDamage, 1));
    assert_eq!(memory('A'), memory('B'));
    assert!(memory('C').is_empty());
}

#[test]
fn r50_an_extra_turn_dies_with_him_who_had_it() {
    let table = given("6: A emi d7 @1 / B werewolf @0 R")
        .at(Step::Area)
        .next("concealed_knowledge")
        .start()
        .now('A', Action::Draw { deck: Deck::White });
    assert_eq!(table.player('A').extra_turns, 1);
    let table = table
        .does('A', attacks('B'))
        .dice(&[2, 2])
        .after_attack_window()
        .dice(&[4, 1])
        .now('B', Action::Counterattack)
        .after_attack_window();
    assert!(!table.alive('A'));
    assert_eq!(
        (table.public().active, table.player('A').extra_turns),
        (seat('B'), 0)
    );
}

#[test]
fn r5_dynamite_spares_who_is_in_no_area() {
    let table = given("A franklin @2 / B wight / C vampire @0 / D emi")
        .at(Step::Area)
        .next("dynamite")
        .start()
        .dice(&[2, 1])
        .now('A', Action::Draw { deck: Deck::Black });
    assert_eq!(
        ['A', 'B', 'C', 'D', 'E'].map(|l| table.damage(l)),
        [0, 0, 3, 0, 0]
    );
    let hermit = given("A franklin @0 / B wight")
        .at(Step::Area)
        .hermit(HermitCard::Spell)
        .start()
        .now('A', Action::Draw { deck: Deck::Hermit });
    assert!(
        hermit
            .legal()
            .contains(&Action::GiveHermit { player: seat('B') })
    );
}

#[test]
fn a_feast_comes_once_a_turn() {
    let feast = Action::Feast { player: seat('B') };
    let table = attack(given("A charles d8 @0 R / B gregor @1 R"), &[3, 1]);
    let table = table.dice(&[2, 1]).now('A', feast).after_attack_window();
    assert_eq!((table.damage('A'), table.damage('B')), (10, 3));
    assert!(!matches!(table.asked(), Some((_, Question::Feast { .. }))));
    assert_eq!(table.public().active, seat('B'));
}

/// 10.3.
#[test]
fn damage_is_fixed_before_bob_robs() {
    let table = given("5: A bob @0 [machine_gun] R / B gregor @0 [holy_robe] R / C wight @1 R")
        .at(Step::Attack)
        .start()
        .dice(&[6, 1])
        .does('A', Action::AttackAll)
        .after_attack_window();
    let table = table.now(
        'A',
        Action::Rob {
            card: equipment("holy_robe"),
        },
    );
    assert_eq!((table.damage('B'), table.damage('C')), (0, 5));
}

/// 8, Ellen.
#[test]
fn a_curse_ends_a_barrier_at_once() {
    let table = given("A ellen / B gregor barrier used R")
        .at(Step::StartWindow)
        .start()
        .now('A', nurse('B'));
    assert!(!table.player('B').barrier && table.player('B').ability_void);
}

/// 8, Ellen.
#[test]
fn a_capriccio_already_made_stays_after_a_curse() {
    let table = given("5: A emi d1 / B wight d13 @0 R / C agnes capriccio used void R / D franklin @1 R / E unknown dead")
        .at(Step::Attack).active('D').start();
    let table = table
        .dice(&[3, 1])
        .does('D', attacks('B'))
        .after_attack_window();
    table.won_by("ACD");
}

/// 10.7.
#[test]
fn a_feast_reaches_its_target_wherever_it_stands() {
    let table = given("8: A charles @0 [machine_gun] R / B wight @0 R / C emi d9 @1 [handgun] / D ellen @2 R / E unknown R")
        .at(Step::Attack).start().dice(&[3, 1]).does('A', Action::AttackAll).after_attack_window();
    assert!(table.owns('A', "handgun"));
    let table = table.until(|_, q| matches!(q, Question::Feast { .. }));
    let table = table
        .dice(&[2, 1])
        .now('A', Action::Feast { player: seat('B') })
        .after_attack_window();
    assert_eq!((table.damage('B'), table.damage('D')), (3, 1));
}

/// 11.3.
#[test]
fn what_nobody_takes_is_discarded_in_the_order_of_the_row() {
    let table = draws(
        "bloodthirsty_spider",
        given("6: A emi d8 @2 / B unknown d9 [handgun, chainsaw]"),
    )
    .now('A', on('B'));
    assert_eq!(
        table.discard(Color::Black),
        ["bloodthirsty_spider", "handgun", "chainsaw"].map(|id| id.parse::<Card>().unwrap())
    );
}

/// 11.3.
#[test]
fn victims_are_looted_in_seat_order_from_the_active_player() {
    let table = given("8: A emi d9 @1 [talisman, handgun] / B wight @0 [machine_gun] R / C ellen d9 @0 [chainsaw, masamune]")
        .at(Step::Attack).active('B').start().does('B', Action::AttackAll).dice(&[3, 1]).after_attack_window();
    assert_eq!(
        table.asked(),
        Some(('B', Question::Loot { victim: seat('C') }))
    );
}
