//! The laws of the house for all seat counts, with and without the bonus sets.

use tavola_engine::games::citadels::{
    BallRoom, Character, Citadels, District, GoldSupply, Options,
};
use tavola_engine::testing::{Report, check_game_with};
use tavola_engine::{Chance, Seed};

/// Random games, checked at every ply: the laws of the suite, and that the table is sound.
fn check(options: &Options, seats: u8, games: std::ops::Range<u64>) -> Report {
    let report = check_game_with::<Citadels>(options, seats, games, |table| {
        table.check_sound().map_err(str::to_owned)
    })
    .unwrap();
    println!("{seats} seats, {options:?}: {report:?}");
    report
}

fn bonus_districts() -> Vec<District> {
    District::ALL
        .into_iter()
        .filter(|district| district.is_bonus())
        .collect()
}

/// The characters as far as this many seats allow them, with every bonus district.
fn with_bonus(characters: &[Character], seats: u8) -> Options {
    Options {
        bonus_characters: characters
            .iter()
            .copied()
            .filter(|character| {
                let card = character.card();
                (card.min_players..=card.max_players).contains(&seats)
            })
            .collect(),
        allow_many_bonus: true,
        bonus_districts: bonus_districts(),
        ..Options::default()
    }
}

#[test]
fn base_game() {
    for seats in 2..=7 {
        check(&Options::default(), seats, 0..6);
    }
}

#[test]
fn the_bonus_districts() {
    for seats in 2..=7 {
        let options = with_bonus(&[], seats);
        check(&options, seats, 20..26);
    }
}

#[test]
fn all_bonus_characters() {
    use Character::*;
    for seats in 2..=8 {
        let witches = [
            Witch,
            TaxCollector,
            Wizard,
            Emperor,
            Abbot,
            Alchemist,
            Navigator,
            Diplomat,
            if seats < 5 { Artist } else { Queen },
        ];
        check(&with_bonus(&witches, seats), seats, 40..46);
    }
}

#[test]
fn assassin_with_the_artist_and_bonus_characters() {
    use Character::*;
    for seats in 3..=8 {
        let set = [TaxCollector, Emperor, Alchemist, Artist];
        check(&with_bonus(&set, seats), seats, 60..64);
    }
}

#[test]
fn rank_9_alone() {
    for (seats, character) in [
        (3, Character::Artist),
        (4, Character::Artist),
        (6, Character::Artist),
        (5, Character::Queen),
        (7, Character::Queen),
        (8, Character::Queen),
    ] {
        let options = Options {
            bonus_characters: vec![character],
            ..Options::default()
        };
        check(&options, seats, 80..83);
    }
}

#[test]
fn random_bonus_cards() {
    for seats in 2..=8 {
        let options = Options {
            bonus_characters: if seats == 8 {
                vec![Character::Artist]
            } else {
                Vec::new()
            },
            bonus_characters_random: 2,
            bonus_districts_random: seats,
            end_districts: 7,
            ..Options::default()
        };
        check(&options, seats, 100..104);
    }
}

#[test]
fn limited_gold_and_a_quiet_ball_room() {
    for seats in 2..=8 {
        let characters: &[_] = match seats {
            8 => &[Character::Queen],
            _ => &[Character::Witch, Character::Navigator],
        };
        let options = Options {
            gold_supply: GoldSupply::Limited,
            ball_room: BallRoom::Auto,
            ..with_bonus(characters, seats)
        };
        check(&options, seats, 120..123);
    }
}

/// Sets drawn at random among all that the options allow.
#[test]
fn any_legal_set_of_bonus_cards() {
    let mut dice = Chance::at_ply(Seed::from_number(11), 0);
    let mut any = |bound: usize| dice.below(bound as u32) as usize;
    for game in 0..24 {
        let seats = 2 + (game % 7) as u8;
        let legal = |character: &Character| {
            let card = character.card();
            character.is_bonus() && (card.min_players..=card.max_players).contains(&seats)
        };
        let mut bonus_characters: Vec<Character> = Vec::new();
        for character in Character::ALL.into_iter().filter(legal) {
            let rank = character.rank();
            let taken = bonus_characters.iter().any(|other| other.rank() == rank);
            // Eight seats need one of rank 9.
            let needed = seats == 8 && rank.0 == 9;
            if !taken && (needed || any(2) == 0) {
                bonus_characters.push(character);
            }
        }
        let limited = any(3) == 0 && !bonus_characters.contains(&Character::Artist);
        let options = Options {
            bonus_characters,
            allow_many_bonus: true,
            bonus_districts: bonus_districts()
                .into_iter()
                .filter(|_| any(2) == 0)
                .collect(),
            end_districts: [7, 8][any(2)],
            gold_supply: if limited {
                GoldSupply::Limited
            } else {
                GoldSupply::Unlimited
            },
            ball_room: [BallRoom::Explicit, BallRoom::Auto][any(2)],
            ..Options::default()
        };
        check(&options, seats, game..game + 1);
    }
}
