//! Golden scenarios G75 to G99: the end of the game, and what is asked.

use tavola_engine::games::shadow_hunters::{
    Action, Card, Character, Characters, Color, Deck, EndReason, Event, ExpansionCharacters,
    Faction, Options, Question, ShadowHunters, Step,
};
use tavola_engine::{Game, Playthrough, Seat, Seed};

use crate::golden_white::attack;
use crate::scenario::{Given, Table, equipment, given, seat};
use crate::twins::same_to_others;

fn attacks(letter: char) -> Action {
    Action::Attack {
        player: seat(letter),
    }
}

/// A draws this Black card at the Cemetery.
fn draws(id: &str, given: Given) -> Table {
    given
        .at(Step::Area)
        .next(id)
        .start()
        .now('A', Action::Draw { deck: Deck::Black })
}

fn on(letter: char) -> Action {
    Action::CardTarget {
        player: seat(letter),
    }
}

#[test]
fn g75_daniel_who_dies_first_wins() {
    let table = attack(given("5: A emi @0 R / B daniel d11 @1"), &[3, 1]);
    table.won_by("B");
}

#[test]
fn g76_catherine_wins_among_the_first_deaths() {
    let table = given("6: A wight @2 / B catherine d8 @0 / C emi d7 @0")
        .at(Step::Area)
        .next("dynamite")
        .start();
    let table = table
        .dice(&[2, 1])
        .now('A', Action::Draw { deck: Deck::Black });
    table.won_by("B");
    assert!(!table.alive('C') && table.player('C').died_first);
}

#[test]
fn g77_allie_bryan_and_agnes_win_along() {
    let table = attack(
        given(
            "7: A emi @0 R / B wight d13 @1 / C franklin dead / D agnes dead / E allie / F bryan @5 / G unknown dead",
        ),
        &[3, 1],
    );
    table.won_by("ACDEF");
}

#[test]
fn g77b_daniel_wins_with_the_hunters_but_bob_with_three_cards_does_not() {
    let table = attack(
        given(
            "6: A emi @0 R / B wight d13 @1 / C franklin / D daniel R / E bob [handgun, chainsaw, talisman] / F unknown dead",
        ),
        &[3, 1],
    );
    table.won_by("ACD");
}

#[test]
fn g78_three_dead_neutrals_are_a_victory_of_the_shadows() {
    let table = attack(
        given(
            "7: A wight @0 R / B allie d7 @1 / C agnes dead / D bob dead / E emi dead / F unknown dead / G franklin",
        ),
        &[3, 1],
    );
    table.won_by("AF");
}

#[test]
fn g79_loot_comes_before_the_checkpoint() {
    let bob = "A bob @0 [handgun, chainsaw, talisman, holy_robe] R";
    let position = format!(
        "6: {bob} / B franklin d11 @3 [butcher_knife] / C emi dead / D wight / E unknown dead / F allie dead"
    );
    let table = attack(given(&position), &[4, 2]);
    // Handgun: B is out of the own pair; chainsaw and robe level out; so 2 damage, and Bob may rob
    // instead.
    let table = table.now('A', Action::DealDamage);
    table.won_by("ADE");
}

#[test]
fn g80_david_wins_at_the_altar_at_once() {
    let table = given("5: A david @5 [talisman, holy_robe] / B emi @4 [silver_rosary]")
        .at(Step::Area)
        .start();
    let table = table.now(
        'A',
        Action::Steal {
            player: seat('B'),
            card: equipment("silver_rosary"),
        },
    );
    table.won_by("A");
    assert!(
        !table
            .told()
            .iter()
            .any(|event| matches!(event, Event::AttackDeclared { .. }))
    );
}

#[test]
fn g81_charles_wins_by_attack_only() {
    let dead = "C unknown dead / D agnes dead";
    let table = attack(
        given(&format!("7: A charles @0 R / B emi d9 @1 / {dead}")),
        &[3, 1],
    );
    table.won_by("A");
    let bat = draws(
        "vampire_bat",
        given(&format!("7: A charles @2 / B emi d9 / {dead}")),
    )
    .now('A', on('B'));
    assert!(!bat.alive('B') && !bat.over());
}

#[test]
fn g82_bryan_wins_by_one_big_victim() {
    let table = given("5: A bryan @0 [machine_gun] / B emi d9 @0 / C vampire d12 @1")
        .at(Step::Attack)
        .start();
    let table = table
        .does('A', Action::AttackAll)
        .dice(&[3, 1])
        .after_attack_window();
    table.won_by("A");
    assert!(!table.hidden('A'));
}

#[test]
fn g83_catherine_wins_with_the_last_two() {
    let table = attack(
        given("5: A emi @0 R / B wight d13 @1 / C catherine R / D franklin dead / E unknown dead"),
        &[3, 1],
    );
    table.won_by("ACD");
}

#[test]
fn g84_both_factions_win_when_both_end_in_one_batch() {
    let table = draws(
        "bloodthirsty_spider",
        given("4: A emi d8 @2 / B wight d12 / C franklin dead / D unknown dead"),
    );
    // B is the only one who can be chosen.
    table.won_by("ABCD");
}

#[test]
fn g85_nothing_is_left_of_the_turn_of_the_dead() {
    let table =
        draws("bloodthirsty_spider", given("6: A emi d8 @2 / B wight @3")).now('A', on('B'));
    assert!(!table.alive('A') && table.alive('B'));
    assert_eq!((table.public().active, table.public().turn), (seat('B'), 2));
    assert_eq!(table.asked(), Some(('B', Question::WindowStart)));
}

#[test]
fn g86_the_turn_limit_is_a_draw() {
    let table = given("5: A emi")
        .turn(10)
        .at(Step::EndWindow)
        .options(|options| options.turn_limit = 10)
        .start();
    let table = table.now('A', Action::Pass);
    table.won_by("");
    let ending = table.public().ending.as_ref().unwrap();
    assert_eq!(ending.reason, EndReason::TurnLimit);
}

#[test]
fn g87_the_smallest_pools() {
    let options = Options {
        expansion_characters: ExpansionCharacters::None,
        special_abilities: false,
        ..Options::default()
    };
    for seed in 0..50 {
        let game =
            Playthrough::<ShadowHunters>::start(options, 7, Seed::from_number(seed), None).unwrap();
        let of = |faction: Faction| -> Characters {
            (0..7)
                .map(|number| game.state().private(Seat(number)).unwrap().character)
                .filter(|character| character.faction() == faction)
                .collect()
        };
        let neutrals = [Character::Allie, Character::Charles, Character::Daniel];
        assert_eq!(of(Faction::Neutral), neutrals.into_iter().collect());
        let hunters = of(Faction::Hunter);
        let base: Characters = [Character::Emi, Character::Franklin, Character::George]
            .into_iter()
            .collect();
        assert_eq!(hunters.len(), 2);
        assert!(hunters.iter().all(|hunter| base.contains(hunter)));
    }
}

#[test]
fn g88_a_counterattack_that_is_passed_on_tells_nothing() {
    let world = |b: &str| {
        let table = attack(given("A franklin @0 / B werewolf @1").with('B', b), &[4, 1]);
        assert_eq!(
            table.asked(),
            Some((
                'B',
                Question::Counterattack {
                    attacker: seat('A')
                }
            ))
        );
        let offers = table.legal().len();
        (table.now('B', Action::Pass), offers)
    };
    let (werewolf, offers) = world("werewolf");
    assert_eq!(offers, 2);
    let (george, offers) = world("george");
    assert_eq!(offers, 1);
    same_to_others("B", &werewolf, &george);
}

/// An empty White draw pile leaves all ten single-use cards and what nobody owns in the discard
/// pile: here the Talisman.
#[test]
fn g89_a_pile_is_shuffled_only_when_a_card_is_drawn() {
    let owned = "[mystic_compass, fortune_brooch, silver_rosary, spear_of_longinus, holy_robe]";
    let table = given(&format!("5: A emi @2 / B david / C wight {owned}"))
        .used_up(Deck::White)
        .at(Step::StartWindow)
        .start();
    let discarded = |table: &Table| table.discard(Color::White).len();
    assert_eq!((discarded(&table), table.public().white_draw), (11, 0));
    let dig = Action::DigUp {
        card: equipment("talisman"),
    };
    let table = table.does('B', dig);
    assert!(table.owns('B', "talisman"));
    assert_eq!((discarded(&table), table.public().white_draw), (10, 0));

    // A moves to the Church and draws: what is left is shuffled, here into the order in which it
    // lies, of which the last card is drawn.
    let table = table
        .until(|_, question| question == Question::MoveChoice)
        .dice(&[2, 4])
        .now('A', Action::RollMove);
    let order: Vec<u32> = (1..10).rev().collect();
    let table = table
        .dice(&order)
        .now('A', Action::Draw { deck: Deck::White });
    assert!(
        table
            .told()
            .contains(&Event::Reshuffled { deck: Deck::White })
    );
    assert_eq!(table.public().white_draw, 9);
    assert_eq!(
        table.discard(Color::White),
        ["holy_water_of_healing".parse::<Card>().unwrap()]
    );
}

#[test]
fn g90_attack_and_counterattack_with_a_chainsaw() {
    let table = attack(
        given("A franklin @0 R / B werewolf @1 [chainsaw] R"),
        &[5, 2],
    );
    assert_eq!(table.damage('B'), 3);
    let table = table
        .now('B', Action::Counterattack)
        .dice(&[5, 2])
        .after_attack_window();
    assert_eq!(table.damage('A'), 4);
}

#[test]
fn g91_who_is_asked_for_his_attack() {
    let world = |a: &str| {
        given(&format!("A {a} / B gregor @1"))
            .at(Step::Attack)
            .start()
    };
    let daniel = world("daniel @0 [masamune]");
    assert_eq!(daniel.asked(), Some(('A', Question::AttackChoice)));
    assert_eq!(daniel.legal(), [attacks('B')]);
    let charles = world("charles @0 [masamune]");
    assert_eq!(charles.asked(), Some(('A', Question::AttackChoice)));
    assert_eq!(charles.legal(), [Action::Reveal, attacks('B')]);
    let george = world("george @0 [masamune] R");
    assert!(
        george
            .told()
            .iter()
            .any(|event| matches!(event, Event::AttackDeclared { .. }))
    );
}

#[test]
fn g92_who_is_asked_in_the_window_of_an_attack() {
    let asked = |count: u8| {
        let table = given(&format!("{count}: A emi @0 / B wight @1"))
            .at(Step::Attack)
            .start();
        let mut table = table.now('A', attacks('B')).dice(&[2, 2]);
        let mut asked = String::new();
        while let Some((letter, Question::WindowAttack { .. })) = table.asked() {
            asked.push(letter);
            table = table.now(letter, Action::Pass);
        }
        asked
    };
    assert_eq!(asked(4), "AB");
    assert_eq!(asked(5), "ABCDE");
}

#[test]
fn g93_no_dead_end_when_the_last_target_gets_out_of_range() {
    let table = given("5: A david @0 [masamune] / B gregor @1")
        .at(Step::Attack)
        .discarded("handgun")
        .start();
    assert_eq!(table.asked(), Some(('A', Question::AttackChoice)));
    let table = table.now(
        'A',
        Action::DigUp {
            card: equipment("handgun"),
        },
    );
    // No target and no choice: the attack is over, and there is nothing to ask David at the end of
    // his turn either.
    assert_eq!(table.public().active, seat('B'));
}

#[test]
fn g94_a_rosary_looted_in_a_batch_does_not_count_for_it() {
    let victims = "B emi d9 @0 [silver_rosary] / C ellen d9 @1 [talisman, handgun]";
    let table = given(&format!("8: A wight @0 [machine_gun] R / {victims}"))
        .at(Step::Attack)
        .start();
    let table = table
        .does('A', Action::AttackAll)
        .dice(&[3, 1])
        .after_attack_window();
    assert!(table.owns('A', "silver_rosary"));
    let loot = |id| Action::Loot {
        card: equipment(id),
    };
    assert_eq!(table.legal(), [loot("talisman"), loot("handgun")]);
    let table = table.now('A', loot("talisman"));
    assert!(!table.owns('A', "handgun"));
}

#[test]
fn g95_survivors_are_asked_until_the_werewolf_is_public() {
    let table = given("4: A franklin @0 [machine_gun] / B emi @0 / C werewolf @1 / D wight @1")
        .at(Step::Attack)
        .start();
    let table = table
        .does('A', Action::AttackAll)
        .dice(&[3, 1])
        .after_attack_window();
    let question = Question::Counterattack {
        attacker: seat('A'),
    };
    assert_eq!(
        (table.asked(), table.legal()),
        (Some(('B', question)), vec![Action::Pass])
    );
    let table = table.now('B', Action::Pass);
    assert_eq!(table.asked(), Some(('C', question)));
    let table = table
        .now('C', Action::Counterattack)
        .dice(&[3, 1])
        .after_attack_window();
    assert_eq!(
        ['A', 'B', 'C', 'D'].map(|letter| table.damage(letter)),
        [2, 2, 2, 2]
    );
    assert_ne!(table.asked().map(|(letter, _)| letter), Some('D'));
}

#[test]
fn g96_no_robbery_where_a_protection_leaves_no_damage() {
    for b in [
        "ellen @1 [talisman] guardian",
        "gregor @1 [talisman] barrier",
    ] {
        let table = attack(given(&format!("6: A bob @0 / B {b}")), &[6, 1]);
        assert!(!matches!(table.asked(), Some((_, Question::Rob { .. }))));
        assert!(table.owns('B', "talisman"));
    }
}

#[test]
fn g97_only_the_first_deaths_win() {
    for neutral in ["catherine", "daniel"] {
        let table = attack(
            given(
                &format!("6: A emi @0 R / B {neutral} d12 @1 R / C unknown dead")
                    .replace("catherine d12", "catherine d10"),
            ),
            &[3, 1],
        );
        assert!(!table.alive('B') && !table.player('B').died_first && !table.over());
    }
}

#[test]
fn g98_nobody_loots_whom_his_own_spider_killed() {
    let table = draws(
        "bloodthirsty_spider",
        given("6: A emi d8 @2 [chainsaw] / B wight"),
    )
    .now('A', on('B'));
    assert!(!table.alive('A') && table.alive('B'));
    assert!(
        table
            .public()
            .discarded_equipment()
            .eq([equipment("chainsaw")])
    );
    assert!(
        table
            .public()
            .players
            .iter()
            .all(|player| player.equipment.is_empty())
    );
}

#[test]
fn g99_who_dies_in_a_window_drops_out_of_it() {
    let table = given("6: A ultra_soul @0 R / B david d11 @4")
        .at(Step::StartWindow)
        .discarded("talisman")
        .start();
    let mut table = table.now('A', Action::UseAbilityOn { player: seat('B') });
    assert!(!table.alive('B'));
    // The window goes on without B; then A rolls.
    let mut asked = String::new();
    while let Some((letter, Question::WindowStart)) = table.asked() {
        asked.push(letter);
        table = table.dice(if letter == 'F' { &[2, 4] } else { &[] });
        table = table.now(letter, Action::Pass);
    }
    assert_eq!(asked, "CDEF");
}
