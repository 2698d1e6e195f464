//! The gods against the data of the rules page, and the interaction matrix (section 9) as a table:
//! each meeting of two gods that needs more than the plain rules has a case that is tried.

use serde::Deserialize;
use tavola_engine::games::santorini::{BannedPairs, God, Gods};

use crate::scenarios::{cases, check};

const GOLDEN: &str = include_str!("scenarios/golden.txt");
const RULINGS: &str = include_str!("scenarios/rulings.txt");
const MATRIX: &str = include_str!("scenarios/matrix.txt");

#[derive(Deserialize)]
struct Cards {
    god: Vec<Card>,
}

#[derive(Deserialize)]
struct Card {
    id: String,
    number: u8,
    name: String,
    kind: String,
    players: Vec<u8>,
}

#[derive(Deserialize)]
struct Matchups {
    official_ban: Vec<Ban>,
    recommended_ban: Vec<Ban>,
    interaction: Vec<Interaction>,
}

#[derive(Deserialize)]
struct Ban {
    pair: [String; 2],
}

#[derive(Deserialize)]
struct Interaction {
    acting: String,
    other: String,
    case: String,
}

fn matchups() -> Matchups {
    toml::from_str(include_str!("../../src/games/santorini/matchups.toml")).unwrap()
}

#[test]
fn the_gods_are_those_of_the_cards() {
    let cards: Cards = toml::from_str(include_str!("../../src/games/santorini/gods.toml")).unwrap();
    assert_eq!(cards.god.len(), God::ALL.len());
    for (card, god) in cards.god.iter().zip(God::ALL) {
        assert_eq!((card.number, &card.id), (god.index() + 1, &god.to_string()));
        assert_eq!(card.name, god.name());
        assert_eq!(card.kind == "simple", god.is_simple());
        for seats in 0..=9 {
            assert_eq!(god.fits(seats), card.players.contains(&seats), "{god}");
        }
        assert_eq!(card.id.parse(), Ok(god));
        assert_eq!(God::from_index(god.index()), Some(god));
    }
    assert_eq!(
        [2, 3, 4].map(|seats| Gods::fitting(seats).len()),
        [30, 27, 28]
    );
    assert_eq!("bacchus".parse::<God>(), Err(()));
}

#[test]
fn the_banned_pairs_are_those_of_the_data() {
    let Matchups {
        official_ban,
        recommended_ban,
        ..
    } = matchups();
    let pairs = |bans: Vec<Ban>| -> Vec<(God, God)> {
        bans.into_iter()
            .filter_map(|Ban { pair: [one, other] }| Some((one.parse().ok()?, other.parse().ok()?)))
            .collect()
    };
    for (banned_pairs, listed) in [
        (BannedPairs::Official, pairs(official_ban)),
        (BannedPairs::Recommended, pairs(recommended_ban)),
        (BannedPairs::Off, Vec::new()),
    ] {
        for one in God::ALL {
            for other in God::ALL {
                let banned = listed.contains(&(one, other)) || listed.contains(&(other, one));
                assert_eq!(
                    banned_pairs.with(one).contains(other),
                    banned,
                    "{one}, {other}"
                );
            }
        }
    }
}

/// Each row of the list: its case is a golden scenario or a ruling of that number, or is played here.
#[test]
fn every_interaction_of_the_list_is_tried() {
    let (golden, rulings, matrix) = (cases(GOLDEN), cases(RULINGS), cases(MATRIX));
    for Interaction {
        acting,
        other,
        case,
    } in matchups().interaction
    {
        let own = format!("{acting}-{other}");
        if matrix.contains_key(own.as_str()) {
            check(MATRIX, &own);
            continue;
        }
        for name in case.split(", ") {
            match name {
                _ if golden.contains_key(name) => check(GOLDEN, name),
                _ if rulings.contains_key(name) => check(RULINGS, name),
                _ => panic!("nothing tries {own}: {case}"),
            }
        }
    }
}

/// The matrix of section 9 beyond that list.
#[test]
fn every_case_of_the_matrix_is_tried() {
    let matrix = cases(MATRIX);
    for name in matrix.keys() {
        let (acting, other) = name.split_once('-').unwrap();
        assert!(
            acting.parse::<God>().is_ok() && other.parse::<God>().is_ok(),
            "{name}"
        );
        check(MATRIX, name);
    }
    assert!(matrix.len() >= 30, "{}", matrix.len());
}
