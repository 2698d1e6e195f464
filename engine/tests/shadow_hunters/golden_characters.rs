//! Golden scenarios G54 to G74: characters.

use tavola_engine::games::shadow_hunters::{
    Action, Card, Color, Deck, Event, HermitCard, Question, Step,
};

use crate::golden_hermit::give;
use crate::golden_white::attack;
use crate::scenario::{equipment, given, seat};

fn on(letter: char) -> Action {
    Action::UseAbilityOn {
        player: seat(letter),
    }
}

fn attacks(letter: char) -> Action {
    Action::Attack {
        player: seat(letter),
    }
}

#[test]
fn g54_ellen_voids_an_ability_once() {
    let table = given("A ellen / B vampire d5 R")
        .at(Step::StartWindow)
        .start()
        .now('A', on('B'));
    assert_eq!(
        (table.player('B').ability_void, table.hidden('A')),
        (true, false)
    );
    assert!(
        !table
            .legal()
            .iter()
            .any(|action| matches!(action, Action::UseAbilityOn { .. }))
    );

    let table = given("A gregor @0 / B vampire d5 @1 void R")
        .at(Step::Attack)
        .active('B')
        .start();
    let table = table
        .does('B', attacks('A'))
        .dice(&[4, 1])
        .after_attack_window();
    assert_eq!((table.damage('A'), table.damage('B')), (3, 5));
}

#[test]
fn g55_lightning_is_no_attack() {
    let table = given("A franklin / B wight guardian")
        .at(Step::StartWindow)
        .start();
    assert_eq!(table.dice(&[5]).now('A', on('B')).damage('B'), 5);
}

#[test]
fn g56_fu_ka_nurses_herself() {
    let table = given("A fu_ka d11")
        .at(Step::StartWindow)
        .start()
        .now('A', on('A'));
    assert_eq!(
        (
            table.damage('A'),
            table.hidden('A'),
            table.player('A').ability_used
        ),
        (7, false, true)
    );
}

#[test]
fn g57_the_barrier_stops_demolish() {
    let table = given("A george / B gregor barrier R")
        .at(Step::StartWindow)
        .start();
    assert_eq!(table.dice(&[4]).now('A', on('B')).damage('B'), 0);
}

#[test]
fn g58_the_barrier_holds_until_gregors_next_turn() {
    let table = given("A gregor")
        .at(Step::EndWindow)
        .start()
        .now('A', Action::UseAbility);
    assert!(table.player('A').barrier && !table.hidden('A'));

    let gregor = "A gregor d3 @0 barrier used R";
    let flare = given(&format!("{gregor} / B wight @1"))
        .at(Step::Area)
        .active('B')
        .next("flare_of_judgement")
        .start();
    assert_eq!(
        flare
            .now('B', Action::Draw { deck: Deck::White })
            .damage('A'),
        3
    );

    let attacked = given(&format!("{gregor} / B wight / C vampire @1"))
        .at(Step::Attack)
        .active('C')
        .start();
    let attacked = attacked
        .does('C', attacks('A'))
        .dice(&[6, 1])
        .after_attack_window();
    assert_eq!(attacked.damage('A'), 3);

    let aid = given(&format!("{gregor} / B wight / C vampire / D george @1"))
        .at(Step::Area)
        .active('D')
        .next("first_aid");
    let aid = aid.start().now('D', Action::Draw { deck: Deck::White });
    assert_eq!(
        aid.now('D', Action::CardTarget { player: seat('A') })
            .damage('A'),
        7
    );

    let next = given(gregor).at(Step::End).active('E').start();
    assert!(!next.player('A').barrier);
}

#[test]
fn g59_murder_ray_reaches_the_gate_each_turn() {
    let table = given("A ultra_soul @0 / B gregor @4 / C ellen @5")
        .at(Step::StartWindow)
        .start();
    assert_eq!(table.legal(), [Action::Pass, Action::Reveal, on('B')]);
    let table = table.now('A', on('B'));
    assert_eq!(table.damage('B'), 3);
    // Revealed, and used up in this turn: there is nothing left to ask her.
    assert_ne!(table.asked(), Some(('A', Question::WindowStart)));

    let again = given("A ultra_soul @0 R / B gregor d3 @4")
        .at(Step::End)
        .active('E')
        .start();
    assert_eq!(again.now('A', on('B')).damage('B'), 6);
}

#[test]
fn g60_the_vampire_heals_for_each_character_damaged() {
    let table = given(
        "A vampire d5 @0 [machine_gun] R / B gregor @0 / C george @1 / D ultra_soul @1 guardian",
    );
    let table = table
        .at(Step::Attack)
        .start()
        .does('A', Action::AttackAll)
        .dice(&[3, 1])
        .after_attack_window();
    assert_eq!(
        ['A', 'B', 'C', 'D'].map(|letter| table.damage(letter)),
        [1, 2, 2, 0]
    );
}

#[test]
fn g61_a_hidden_vampire_chooses() {
    let table = attack(given("A vampire d3 @0 / B gregor @1"), &[3, 2]);
    assert_eq!(
        table.asked(),
        Some(('A', Question::SuckBlood { damaged: 1 }))
    );
    let sucked = table.clone().now('A', Action::SuckBlood);
    assert_eq!((sucked.damage('A'), sucked.hidden('A')), (1, false));
    let passed = table.now('A', Action::Pass);
    assert_eq!((passed.damage('A'), passed.hidden('A')), (3, true));
}

#[test]
fn g62_the_valkyrie_reveals_before_the_dice() {
    let table = given("A valkyrie @0 / B gregor @1")
        .at(Step::Attack)
        .start()
        .does('A', attacks('B'));
    let table = table
        .now('A', Action::Reveal)
        .dice(&[2])
        .after_attack_window();
    assert_eq!(table.damage('B'), 2);
    assert!(table.told().contains(&Event::DiceRolled {
        seat: seat('A'),
        d6: None,
        d4: Some(2)
    }));
}

#[test]
fn g63_the_werewolf_strikes_back_at_a_failed_attack() {
    let table = attack(given("A franklin @0 / B werewolf @1"), &[2, 2]);
    assert_eq!(
        table.asked(),
        Some((
            'B',
            Question::Counterattack {
                attacker: seat('A')
            }
        ))
    );
    let table = table
        .now('B', Action::Counterattack)
        .dice(&[6, 2])
        .after_attack_window();
    assert_eq!(
        (table.damage('A'), table.damage('B'), table.hidden('B')),
        (4, 0, false)
    );
}

#[test]
fn g64_a_dead_werewolf_does_not_strike_back() {
    let table = attack(given("A franklin @0 R / B werewolf d12 @1"), &[4, 1]);
    assert!(!table.alive('B'));
    assert!(!matches!(
        table.asked(),
        Some((_, Question::Counterattack { .. }))
    ));
}

#[test]
fn g65_multiplication_counts_the_dead() {
    let table = given("8: A wight @0 / B emi dead / C unknown dead")
        .at(Step::EndWindow)
        .start();
    let table = table.now('A', Action::UseAbility);
    // The first of two extra turns has begun.
    let now = (
        table.public().turn,
        table.public().active,
        table.player('A').extra_turns,
    );
    assert_eq!(now, (2, seat('A'), 1));

    // A death during the extra turns adds none.
    let table =
        given("8: A wight @2 used R / B emi dead / C unknown dead / D ellen d9").at(Step::Area);
    let table = table
        .next("vampire_bat")
        .start()
        .now('A', Action::Draw { deck: Deck::Black });
    let table = table.now('A', Action::CardTarget { player: seat('D') });
    assert_eq!(
        (table.public().dead(), table.player('A').extra_turns),
        (3, 0)
    );
}

#[test]
fn g66_allie_heals_before_the_dice() {
    let table = given("A allie d6 @0 / B gregor @1")
        .at(Step::Attack)
        .active('B')
        .start()
        .does('B', attacks('A'));
    let table = table.does('A', Action::UseAbility);
    assert_eq!(table.damage('A'), 0);
    let table = table.dice(&[6, 1]).after_attack_window();
    assert_eq!(table.damage('A'), 5);
}

#[test]
fn g67_bob_robs_instead_of_two_damage_or_more() {
    let bob = given("5: A bob @0 / B gregor @1 [talisman, handgun]");
    let table = attack(bob.clone(), &[4, 2]);
    assert_eq!(
        table.asked(),
        Some((
            'A',
            Question::Rob {
                target: seat('B'),
                damage: 2
            }
        ))
    );
    let rob = |id| Action::Rob {
        card: equipment(id),
    };
    assert_eq!(
        table.legal(),
        [rob("talisman"), rob("handgun"), Action::DealDamage]
    );
    let robbed = table.clone().now('A', rob("handgun"));
    assert_eq!(
        (
            robbed.damage('B'),
            robbed.owns('A', "handgun"),
            robbed.owns('B', "talisman")
        ),
        (0, true, true)
    );
    assert!(!robbed.hidden('A'));
    assert_eq!(table.now('A', Action::DealDamage).damage('B'), 2);

    let table = attack(bob, &[3, 2]);
    assert_eq!(table.damage('B'), 1, "no choice");
}

#[test]
fn g68_with_seven_players_bob_takes_all_of_whom_he_kills() {
    let victim = "B emi d9 @1 [talisman, handgun]";
    let table = attack(given(&format!("7: A bob @0 R / {victim}")), &[3, 1]);
    assert!(table.owns('A', "talisman") && table.owns('A', "handgun"));

    let table = attack(given(&format!("7: A bob @0 / {victim}")), &[3, 1]);
    assert_eq!(
        table.asked(),
        Some(('A', Question::TakeAll { victim: seat('B') }))
    );
    let all = table.clone().now('A', Action::TakeAll);
    assert!(all.owns('A', "talisman") && all.owns('A', "handgun") && !all.hidden('A'));
    let one = table.now('A', Action::Pass);
    assert_eq!(
        one.asked(),
        Some(('A', Question::Loot { victim: seat('B') }))
    );
    let one = one.now(
        'A',
        Action::Loot {
            card: equipment("handgun"),
        },
    );
    assert!(one.owns('A', "handgun") && !one.owns('A', "talisman") && one.hidden('A'));
}

#[test]
fn g69_bryan_is_revealed_by_a_small_kill_and_does_not_win_by_it() {
    let table = attack(given("7: A bryan @0 / B emi d9 @1"), &[3, 1]);
    assert_eq!(
        (table.alive('B'), table.hidden('A'), table.over()),
        (false, false, false)
    );
}

#[test]
fn g70_charles_feasts_until_it_would_kill_him() {
    let feast = Action::Feast { player: seat('B') };
    let table = attack(given("A charles d4 @0 R / B gregor @1"), &[3, 1]);
    assert_eq!(table.damage('B'), 2);
    let table = table.does('A', feast).dice(&[2, 1]).after_attack_window();
    assert_eq!((table.damage('A'), table.damage('B')), (6, 3));
    let table = table.does('A', feast).dice(&[2, 1]).after_attack_window();
    assert_eq!((table.damage('A'), table.damage('B')), (8, 4));
    let table = table.does('A', feast).dice(&[2, 1]).after_attack_window();
    assert_eq!((table.damage('A'), table.damage('B')), (10, 5));
    assert!(!matches!(table.asked(), Some((_, Question::Feast { .. }))));

    let table = attack(given("A charles d9 @0 / B gregor @1 R"), &[2, 1]);
    let table = table.until(|_, question| !matches!(question, Question::SuckBlood { .. }));
    assert!(
        !matches!(table.asked(), Some((_, Question::Feast { .. }))),
        "{:?}",
        table.asked()
    );
}

#[test]
fn g71_stigmata_is_not_asked_for() {
    let table = given("A catherine d2 R").at(Step::End).active('E').start();
    assert_eq!(table.damage('A'), 1);
}

#[test]
fn g72_daniel_screams_at_the_first_death() {
    let table = given("6: A daniel d3 / B emi d9 @1 / C wight @0")
        .at(Step::Attack)
        .active('C')
        .start();
    let table = table.does('C', attacks('B'));
    let table = table.dice(&[3, 1]).after_attack_window();
    assert_eq!(
        (table.alive('B'), table.hidden('A'), table.over()),
        (false, false, false)
    );

    let start = given("6: A daniel d3").at(Step::StartWindow).start();
    assert_eq!(start.legal(), [Action::Pass], "never offered");
}

#[test]
fn g73_david_digs_up_once() {
    let table = given("A david")
        .at(Step::StartWindow)
        .discarded("chainsaw talisman vampire_bat")
        .start();
    let dig = |id| Action::DigUp {
        card: equipment(id),
    };
    assert_eq!(
        table.legal(),
        [
            Action::Pass,
            Action::Reveal,
            dig("talisman"),
            dig("chainsaw")
        ]
    );
    let table = table.now('A', dig("chainsaw"));
    assert!(table.owns('A', "chainsaw") && !table.hidden('A') && table.player('A').ability_used);
    assert!(
        table
            .public()
            .discarded_equipment()
            .eq([equipment("talisman")])
    );
    assert_ne!(table.asked(), Some(('A', Question::WindowStart)));
}

/// 8, David: the rest of the pile stays as it lies.
#[test]
fn grave_digger_takes_one_card_out_of_the_pile() {
    let table = given("A david")
        .at(Step::StartWindow)
        .discarded("handgun chainsaw vampire_bat")
        .start();
    let card = equipment("chainsaw");
    let table = table.now('A', Action::DigUp { card });
    assert_eq!(
        table.discard(Color::Black),
        ["handgun", "vampire_bat"].map(|id| id.parse::<Card>().unwrap())
    );
}

#[test]
fn g74_capriccio_looks_to_the_left() {
    // The last Shadow, seat 1, dies by the Hunter of seat 3: seat 1 doesn't win, seat 3 does.
    let end = |agnes: &str| {
        let position = given(&format!(
            "5: A emi d1 / B wight d13 @0 R / C agnes {agnes} / D franklin @1 R / E unknown dead"
        ));
        let table = position.at(Step::Attack).active('D').start();
        let table = table.dice(&[3, 1]).does('D', attacks('B'));
        table.after_attack_window()
    };
    end("capriccio used R").won_by("ACD");
    end("R").won_by("AD");
    let used = given("5: A emi / B wight / C agnes")
        .active('C')
        .at(Step::StartWindow)
        .start()
        .now('C', Action::UseAbility);
    assert!(used.player('C').capriccio && !used.hidden('C'));
}

#[test]
fn a_void_unknown_still_deceives() {
    let table = give(HermitCard::Slap, given("A gregor @0 / B unknown void"));
    assert_eq!(
        table.list(),
        [Action::AnswerNothing, Action::AnswerTakeDamage]
    );
}
