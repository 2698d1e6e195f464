//! The conformance suite, for all numbers of seats and all options.

use std::collections::BTreeMap;
use std::ops::Range;

use tavola_engine::games::shadow_hunters::tables::TABLES;
use tavola_engine::games::shadow_hunters::{
    Card, Characters, ExpansionCharacters, Faction, Options, Question, ShadowHunters, Slot,
};
use tavola_engine::testing::{Report, check_game_with};
use tavola_engine::{Game, Seat};

/// No card is lost or twice there, nobody is in two places, and the characters are those that can
/// be dealt.
pub(crate) fn conserved(state: &ShadowHunters) -> Result<(), String> {
    let public = state.public();
    let wrong = |what: &str| Err(format!("{what}: {state:?}"));
    if state.white_and_black_cards() != sorted(TABLES.white_deck.iter().chain(&TABLES.black_deck)) {
        return wrong("a White or Black card is lost or twice there");
    }
    let mut hermit = TABLES.hermit_deck.clone();
    hermit.sort_unstable();
    if state.hermit_cards() != hermit {
        return wrong("a Hermit card is lost or twice there");
    }
    if state.pile_sizes()
        != [
            public.white_draw,
            public.black_draw,
            public.hermit_draw,
            public.hermit_discard,
        ]
        .map(usize::from)
    {
        return wrong("a pile is not as high as it is said to be");
    }
    let characters: Vec<_> = (0..public.seats())
        .filter_map(|seat| state.private(Seat(seat)))
        .map(|private| private.character)
        .collect();
    let set: Characters = characters.iter().copied().collect();
    if set.len() as usize != characters.len() {
        return wrong("a character is at two seats");
    }
    let pool = Characters::pool(&public.options);
    if characters
        .iter()
        .any(|&character| !pool.contains(character))
    {
        return wrong("a character is not in the pool");
    }
    let mut factions = BTreeMap::new();
    let mut initials = BTreeMap::new();
    for character in &characters {
        *factions.entry(character.faction()).or_insert(0) += 1;
        *initials.entry(character.facts().initial).or_insert(0) += 1;
    }
    let expected = match public.seats() {
        4 => [2, 2, 0],
        5 => [2, 2, 1],
        6 => [2, 2, 2],
        7 => [2, 2, 3],
        _ => [3, 3, 2],
    };
    if Faction::ALL.map(|faction| factions.get(&faction).copied().unwrap_or(0)) != expected {
        return wrong("the factions are not as the table of section 4 says");
    }
    if public.options.expansion_characters == ExpansionCharacters::OnePerInitial
        && initials.values().any(|&count| count > 1)
    {
        return wrong("two characters share an initial");
    }
    for (index, player) in public.players.iter().enumerate() {
        let character = characters[index];
        if player.character.is_some_and(|shown| shown != character) {
            return wrong("a character is shown as another");
        }
        if !player.alive && (player.slot.is_some() || player.character.is_none()) {
            return wrong("a dead character is on the board or hidden");
        }
        // The strongest attack gives 10, to somebody who has 13.
        if player.damage > 23 {
            return wrong("a character has more damage than an attack can give");
        }
        let settled = !matches!(
            public.asked().map(|ask| ask.question),
            Some(Question::SuckBlood { .. })
        );
        if settled && player.alive && player.damage >= character.hp() {
            return wrong("a character lives with as much damage as hit points");
        }
    }
    let slots: Vec<_> = Slot::all().map(|slot| public.area_at(slot)).collect();
    if slots
        .iter()
        .any(|area| slots.iter().filter(|other| *other == area).count() != 1)
    {
        return wrong("an area lies on two slots");
    }
    Ok(())
}

fn sorted<'a>(cards: impl Iterator<Item = &'a Card>) -> Vec<Card> {
    let mut cards: Vec<Card> = cards.copied().collect();
    cards.sort_unstable();
    cards
}

fn check(options: &Options, seats: u8, seeds: Range<u64>) -> Report {
    let games = seeds.end - seeds.start;
    let report = check_game_with(options, seats, seeds, conserved).unwrap();
    println!("{options:?}, {seats} seats: {report:?}");
    assert_eq!(report.games, games);
    assert!(report.varied > 0, "much is hidden");
    report
}

/// Every combination of options that is legal for this many seats, `turn_limit` apart.
pub(crate) fn all_options(seats: u8) -> Vec<Options> {
    let mut all = Vec::new();
    for expansion_characters in [
        ExpansionCharacters::All,
        ExpansionCharacters::None,
        ExpansionCharacters::Only,
        ExpansionCharacters::OnePerInitial,
    ] {
        for special_abilities in [true, false] {
            for opening_hermit in [false, true] {
                if !opening_hermit || seats >= 6 {
                    all.push(Options {
                        expansion_characters,
                        special_abilities,
                        opening_hermit,
                        ..Options::default()
                    });
                }
            }
        }
    }
    all
}

fn check_all_options(seats: u8) {
    for options in all_options(seats) {
        check(&options, seats, 0..5);
    }
}

#[test]
fn four_seats_with_all_options() {
    check_all_options(4);
}

#[test]
fn five_seats_with_all_options() {
    check_all_options(5);
}

#[test]
fn six_seats_with_all_options() {
    check_all_options(6);
}

#[test]
fn seven_seats_with_all_options() {
    check_all_options(7);
}

#[test]
fn eight_seats_with_all_options() {
    check_all_options(8);
}

#[test]
fn many_games_with_default_options() {
    for seats in 4..=8 {
        check(&Options::default(), seats, 100..130);
    }
}

#[test]
fn short_games_end_at_their_limit() {
    let options = Options {
        turn_limit: 10,
        ..Options::default()
    };
    for seats in 4..=8 {
        let report = check(&options, seats, 0..8);
        assert!(report.longest_game <= ShadowHunters::plies_max(&options, seats));
    }
}
