//! What a table can be set up with (section 2).

use tavola_engine::games::citadels::{
    Character, Character::*, Citadels, District, District::*, FirstCrown, GoldSupply, Options,
};
use tavola_engine::{Game, OptionsError, Playthrough, Seat, Seed};

fn start(options: Options, seats: u8, seed: u64) -> Result<Playthrough<Citadels>, OptionsError> {
    Playthrough::start(options, seats, Seed::from_number(seed), None)
}

fn refused(seats: u8, change: impl FnOnce(&mut Options)) -> Option<&'static str> {
    let mut options = Options::default();
    change(&mut options);
    start(options, seats, 0).err().map(|error| {
        assert!(!error.allowed.is_empty());
        error.field
    })
}

fn characters(seats: u8, listed: &[Character]) -> Option<&'static str> {
    refused(seats, |options| options.bonus_characters = listed.to_vec())
}

#[test]
fn seats() {
    assert_eq!(refused(1, |_| ()), Some("seats"));
    assert_eq!(refused(9, |_| ()), Some("seats"));
    for seats in 2..=7 {
        assert_eq!(refused(seats, |_| ()), None);
    }
    assert_eq!(refused(8, |_| ()), Some("bonus_characters"));
    assert_eq!(characters(8, &[Artist]), None);
    assert_eq!(characters(8, &[Queen]), None);
}

#[test]
fn bonus_characters() {
    let field = Some("bonus_characters");
    assert_eq!(characters(4, &[King]), field);
    assert_eq!(characters(4, &[Witch, Witch]), field);
    assert_eq!(characters(8, &[Artist, Queen]), field);
    for seats in 2..=8 {
        for character in Character::ALL
            .into_iter()
            .filter(|character| character.is_bonus())
        {
            let allowed = match character {
                Emperor | Artist => seats >= 3,
                Queen => seats >= 5,
                _ => true,
            };
            // Eight need a ninth character.
            let allowed = allowed && (seats < 8 || character.rank().0 == 9);
            assert_eq!(
                characters(seats, &[character]).is_none(),
                allowed,
                "{character:?}, {seats}"
            );
        }
    }
    assert_eq!(characters(5, &[Witch, Wizard, Queen]), None);
    assert_eq!(characters(5, &[Witch, Wizard, Abbot]), field);
    assert_eq!(
        refused(5, |options| {
            options.bonus_characters = vec![Witch, Wizard, Abbot];
            options.allow_many_bonus = true;
        }),
        None
    );
}

#[test]
fn random_bonus_characters() {
    let field = Some("bonus_characters_random");
    assert_eq!(
        refused(4, |options| options.bonus_characters_random = 3),
        field
    );
    let beside = |listed: &[Character]| {
        refused(5, |options| {
            options.bonus_characters = listed.to_vec();
            options.bonus_characters_random = 1;
        })
    };
    assert_eq!(beside(&[Witch]), field);
    assert_eq!(beside(&[Queen]), None);
    let mut drawn = std::collections::BTreeSet::new();
    for seed in 0..200 {
        let options = Options {
            bonus_characters_random: 2,
            ..Options::default()
        };
        let game = start(options, 2, seed).unwrap();
        let public = game.state().public();
        let bonus: Vec<_> = Character::ALL
            .into_iter()
            .filter(|&character| character.is_bonus() && public.in_set(character))
            .collect();
        assert_eq!(bonus.len(), 2);
        drawn.extend(bonus);
    }
    // Two players never have an Emperor.
    assert_eq!(
        drawn.into_iter().collect::<Vec<_>>(),
        [
            Witch,
            TaxCollector,
            Wizard,
            Abbot,
            Alchemist,
            Navigator,
            Diplomat
        ]
    );
}

#[test]
fn bonus_districts() {
    let field = Some("bonus_districts");
    assert_eq!(
        refused(4, |options| options.bonus_districts = vec![Manor]),
        field
    );
    assert_eq!(
        refused(4, |options| options.bonus_districts = vec![Park, Park]),
        field
    );
    let random = |listed: &[District], number| {
        refused(4, |options| {
            options.bonus_districts = listed.to_vec();
            options.bonus_districts_random = number;
        })
    };
    assert_eq!(random(&[], 14), None);
    assert_eq!(random(&[], 15), Some("bonus_districts_random"));
    assert_eq!(random(&[Park, Museum], 12), None);
    assert_eq!(random(&[Park, Museum], 13), Some("bonus_districts_random"));
}

#[test]
fn random_bonus_districts_skip_the_hospital_without_an_assassin() {
    let deck = |character: &[Character], seed| {
        let options = Options {
            bonus_characters: character.to_vec(),
            bonus_districts_random: 14,
            ..Options::default()
        };
        start(options, 4, seed)
            .unwrap()
            .state()
            .public()
            .bonus_districts()
    };
    for seed in 0..10 {
        assert_eq!(deck(&[], seed).len(), 14);
        let without = deck(&[Witch], seed);
        assert_eq!((without.len(), without.contains(Hospital)), (13, false));
    }
}

#[test]
fn the_others() {
    for number in [0, 6, 9, 255] {
        let field = refused(4, |options| options.end_districts = number);
        assert_eq!(field, Some("end_districts"));
    }
    assert_eq!(refused(4, |options| options.end_districts = 7), None);
    let limited = |listed: &[Character]| {
        refused(5, |options| {
            options.bonus_characters = listed.to_vec();
            options.gold_supply = GoldSupply::Limited;
        })
    };
    assert_eq!(
        (limited(&[Artist]), limited(&[Queen])),
        (Some("gold_supply"), None)
    );
    let crown = |seat| {
        refused(4, |options| {
            options.first_crown = FirstCrown::Seat(Seat(seat))
        })
    };
    assert_eq!((crown(3), crown(4)), (None, Some("first_crown")));
}

#[test]
fn options_survive_a_record() {
    let options = Options {
        bonus_characters: vec![TaxCollector, Queen],
        bonus_districts: vec![ImperialTreasury],
        ..Options::default()
    };
    let text = serde_json::to_string(&options).unwrap();
    assert!(text.contains("tax_collector") && text.contains("imperial_treasury"));
    assert_eq!(serde_json::from_str::<Options>(&text).unwrap(), options);
}
