//! Determinized states respect what the viewer knows, and leave nothing else out (section 13).

use std::collections::BTreeMap;

use tavola_engine::games::shadow_hunters::{
    Action, Character, ExpansionCharacters, Faction, HermitCard, ShadowHunters, Step,
};
use tavola_engine::{Chance, Game, Seat, Seed, Viewer};

use crate::golden_hermit::give;
use crate::scenario::{Given, Table, given, seat};

const SAMPLES: u32 = 4000;

/// How often the seat of this letter is who, in the eyes of a viewer.
fn guesses(table: &Table, viewer: Viewer, letter: char) -> BTreeMap<Character, u32> {
    let mut counts = BTreeMap::new();
    for number in 0..SAMPLES {
        let sample = sample(table, viewer, number);
        *counts
            .entry(sample.private(seat(letter)).unwrap().character)
            .or_default() += 1;
    }
    counts
}

fn sample(table: &Table, viewer: Viewer, number: u32) -> ShadowHunters {
    let mut chance = Chance::at_ply(Seed::from_number(9), number);
    ShadowHunters::determinize(table.state.seen(viewer), &mut chance)
}

fn is(letter: char) -> Viewer {
    Viewer::Seat(seat(letter))
}

fn who(counts: &BTreeMap<Character, u32>) -> Vec<Character> {
    counts.keys().copied().collect()
}

/// All characters for which this holds, less those that are known to be elsewhere.
fn all(fits: impl Fn(Character) -> bool) -> Vec<Character> {
    Character::ALL
        .into_iter()
        .filter(|&character| fits(character))
        .collect()
}

#[test]
fn whoever_can_be_dealt_comes_up() {
    let table = given("5: A emi / B wight").at(Step::StartWindow).start();
    assert_eq!(
        who(&guesses(&table, is('A'), 'B')),
        all(|character| character != Character::Emi)
    );
    assert_eq!(who(&guesses(&table, Viewer::Spectator, 'B')), all(|_| true));
    let own = guesses(&table, is('B'), 'B');
    assert_eq!(who(&own), [Character::Wight]);
}

#[test]
fn an_answer_leaves_those_who_could_have_given_it() {
    let slapped = give(HermitCard::Slap, given("A gregor @0 / B emi"));
    let took = slapped.clone().now('B', Action::AnswerTakeDamage);
    let hunter = |character: Character| character.faction() == Faction::Hunter;
    assert_eq!(
        who(&guesses(&took, is('A'), 'B')),
        all(
            |character| hunter(character) && character != Character::Gregor
                || character == Character::Unknown
        )
    );
    // Who doesn't know the card knows nothing.
    assert_eq!(who(&guesses(&took, is('C'), 'B')).len(), 19);

    let denied =
        give(HermitCard::Slap, given("A gregor @0 / B wight")).now('B', Action::AnswerNothing);
    assert_eq!(
        who(&guesses(&denied, is('A'), 'B')),
        all(|character| !hunter(character))
    );
    drop(slapped);
}

#[test]
fn a_character_that_was_shown_stays_known() {
    let table =
        give(HermitCard::Prediction, given("A gregor @0 / B wight")).now('B', Action::AnswerShow);
    assert_eq!(who(&guesses(&table, is('A'), 'B')), [Character::Wight]);
    assert!(who(&guesses(&table, is('C'), 'B')).len() > 10);
    // B knows that A knows.
    let sample = sample(&table, is('B'), 0);
    assert_eq!(
        sample.private(seat('A')).unwrap().identities[1],
        Some(Character::Wight)
    );
}

#[test]
fn damage_and_deaths_rule_characters_out() {
    let table = given("6: A emi / B wight d11 / C unknown dead")
        .at(Step::StartWindow)
        .start();
    let guesses_b = who(&guesses(&table, is('A'), 'B'));
    assert!(
        guesses_b.iter().all(|character| character.hp() > 11),
        "{guesses_b:?}"
    );
    assert!(
        !guesses_b.contains(&Character::Daniel),
        "he would have screamed"
    );
    let void = given("6: A emi / B wight d11 void / C unknown dead")
        .at(Step::StartWindow)
        .start();
    assert!(who(&guesses(&void, is('A'), 'B')).contains(&Character::Daniel));
}

#[test]
fn equipment_rules_out_who_would_have_won() {
    let row = "[talisman, holy_robe, silver_rosary, chainsaw, handgun]";
    let table = given(&format!("6: A emi / B wight {row}"))
        .at(Step::StartWindow)
        .start();
    let guesses_b = who(&guesses(&table, is('A'), 'B'));
    assert!(!guesses_b.contains(&Character::David) && !guesses_b.contains(&Character::Bob));
    assert_eq!(guesses_b.len(), 17);
}

#[test]
fn full_factions_and_initials_are_respected() {
    let table = given("7: A emi / B wight R / C unknown R")
        .at(Step::StartWindow)
        .start();
    let guesses_d = who(&guesses(&table, is('A'), 'D'));
    assert!(
        guesses_d
            .iter()
            .all(|character| character.faction() != Faction::Shadow)
    );

    let twins =
        given("7: A emi / B wight R / C vampire / D franklin / E bob / F allie / G charles")
            .options(|options| options.expansion_characters = ExpansionCharacters::OnePerInitial)
            .at(Step::StartWindow)
            .start();
    let guesses_c = who(&guesses(&twins, is('A'), 'C'));
    assert!(
        !guesses_c.contains(&Character::Werewolf),
        "the twin of Wight"
    );
    assert!(
        !guesses_c.contains(&Character::Ellen),
        "the viewer's own twin"
    );
    assert!(guesses_c.contains(&Character::Valkyrie));
}

#[test]
fn what_the_viewer_has_seen_of_the_hermit_pile_stays_where_it_is() {
    let table =
        give(HermitCard::Bully, given("A gregor @0 / B emi")).now('B', Action::AnswerTakeDamage);
    for number in 0..50 {
        for viewer in ['A', 'B'] {
            let sample = sample(&table, is(viewer), number);
            assert_eq!(sample.hermit_discard_pile().as_slice(), [HermitCard::Bully]);
        }
    }
    let third = (0..50).map(|number| sample(&table, is('C'), number).hermit_discard_pile()[0]);
    assert!(third.collect::<std::collections::BTreeSet<_>>().len() > 5);
}

#[test]
fn a_card_under_way_is_known_to_its_holders_only() {
    let table = give(HermitCard::Bully, given("A gregor @0 / B emi"));
    for number in 0..50 {
        for viewer in ['A', 'B'] {
            let sample = sample(&table, is(viewer), number);
            for letter in ['A', 'B'] {
                assert_eq!(
                    sample.private(seat(letter)).unwrap().hermit,
                    Some(HermitCard::Bully)
                );
            }
        }
        let other = sample(&table, is('C'), number);
        let holds = |letter| other.private(seat(letter)).unwrap().hermit;
        assert!(holds('A').is_some() && holds('A') == holds('B') && holds('C').is_none());
    }
    let cards: std::collections::BTreeSet<_> = (0..200)
        .map(|number| {
            sample(&table, is('C'), number)
                .private(Seat(0))
                .unwrap()
                .hermit
        })
        .collect();
    assert!(cards.len() > 8, "{cards:?}");
}

/// All deals that fit are equally likely: compared with a count by brute force, both where a deal
/// at random fits often and where hardly one does.
#[test]
fn deals_come_up_as_the_set_up_deals_them() {
    let base = |given: Given| {
        given.options(|options| options.expansion_characters = ExpansionCharacters::None)
    };
    // Four seats of three Hunters and three Shadows, A known to himself; B has more damage than
    // only George and the two big Shadows survive.
    let table = base(given("4: A emi / B werewolf d12 / C franklin / D vampire"))
        .at(Step::StartWindow)
        .start();
    let mut expected: BTreeMap<[Character; 3], u32> = BTreeMap::new();
    let pool = all(|character| {
        character.facts().set == tavola_engine::games::shadow_hunters::CharacterSet::Base
            && character.faction() != Faction::Neutral
            && character != Character::Emi
    });
    for &b in &pool {
        for &c in &pool {
            for &d in &pool {
                let deal = [b, c, d];
                let hunters = deal
                    .iter()
                    .filter(|character| character.faction() == Faction::Hunter)
                    .count();
                if b != c && c != d && b != d && hunters == 1 && b.hp() > 12 {
                    expected.insert(deal, 0);
                }
            }
        }
    }
    for number in 0..SAMPLES {
        let sample = sample(&table, is('A'), number);
        let deal = ['B', 'C', 'D'].map(|letter| sample.private(seat(letter)).unwrap().character);
        *expected
            .get_mut(&deal)
            .unwrap_or_else(|| panic!("{deal:?} can't be")) += 1;
    }
    let mean = SAMPLES / expected.len() as u32;
    for (deal, count) in expected {
        assert!(
            count > mean * 6 / 10 && count < mean * 15 / 10,
            "{deal:?}: {count} of about {mean}"
        );
    }
}

/// So many answers are known that a random deal hardly ever fits: the ways are counted out instead,
/// and still all come up alike.
#[test]
fn few_deals_that_fit_are_counted_out() {
    // Seven others with 13 or 11 damage: only those of 14 fit three seats, so deals at random fail.
    let text = "8: A emi / B gregor d13 / C george d13 / D wight d13 / E werewolf d13 / F vampire d12 / G daniel d12 / H david d12";
    let table = given(text).at(Step::StartWindow).start();
    let mut deals: BTreeMap<Vec<Character>, u32> = BTreeMap::new();
    for number in 0..SAMPLES {
        let sample = sample(&table, is('A'), number);
        let deal = ('B'..='H').map(|letter| sample.private(seat(letter)).unwrap().character);
        *deals.entry(deal.collect()).or_default() += 1;
    }
    // B to E are the four of 14 in any order; F to H one of Vampire and Valkyrie, and Daniel and
    // David, in any order.
    let ways = 24 * 2 * 6;
    assert_eq!(deals.len(), ways);
    let mean = SAMPLES / ways as u32;
    for (deal, count) in deals {
        assert!(count < mean * 4, "{deal:?}: {count} of about {mean}");
    }
}

/// Bob is alone with his initial where there are no abilities: then Bryan is dealt twice as often
/// as one of two.
#[test]
fn a_character_without_a_twin_is_dealt_more_often() {
    let counts = |abilities: bool| {
        let table =
            given("7: A emi / B wight / C vampire / D franklin / E bryan / F allie / G charles")
                .options(|options| {
                    options.expansion_characters = ExpansionCharacters::OnePerInitial;
                    options.special_abilities = abilities;
                })
                .at(Step::StartWindow)
                .start();
        guesses(&table, is('A'), 'E')
    };
    let without = counts(false);
    let ratio = f64::from(without[&Character::Bryan]) / f64::from(without[&Character::Allie]);
    assert!((1.6..2.5).contains(&ratio), "{ratio}");
    let with = counts(true);
    let ratio = f64::from(with[&Character::Bryan]) / f64::from(with[&Character::Allie]);
    assert!((0.75..1.33).contains(&ratio), "{ratio}");
}

#[test]
fn before_the_card_of_the_opening_arrives_its_effect_is_seen() {
    let mut table = given("6: A emi / B franklin / C vampire / D bob / E allie / F unknown")
        .options(|options| options.opening_hermit = true)
        .turn(0)
        .hermit(HermitCard::Exorcism)
        .start();
    table = table
        .now('A', Action::AnswerNothing)
        .now('B', Action::AnswerNothing)
        .now('C', Action::AnswerTakeDamage);
    for number in 0..200 {
        let sample = sample(&table, is('F'), number);
        let card = sample.private(seat('A')).unwrap().hermit.unwrap();
        assert_eq!(card.facts().amount, 2, "C has 2 damage");
        assert_eq!(
            sample.private(seat('D')).unwrap().hermit,
            Some(card),
            "it has reached D"
        );
        assert_eq!(sample.private(seat('E')).unwrap().hermit, None);
        assert_eq!(sample.private(seat('A')).unwrap().memory.len(), 3);
    }
}
