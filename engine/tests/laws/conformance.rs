//! The conformance suite passes a sound game and finds what is wrong with others.

use tavola_engine::testing::{Failure, Report, check_game, check_game_with};

use crate::sealed_bids::{Options, SealedBids, flaw};

fn check<const FLAW: u8>() -> Result<Report, Failure> {
    check_with::<FLAW>(&Options::default())
}

fn check_with<const FLAW: u8>(options: &Options) -> Result<Report, Failure> {
    check_game_with(options, 3, 0..200, SealedBids::<FLAW>::conserved)
}

/// The suite refuses the game with these words.
fn found<const FLAW: u8>(words: &str) {
    let failure = check::<FLAW>()
        .expect_err("the flaw stays hidden")
        .to_string();
    assert!(failure.contains(words), "{failure}");
    assert!(
        failure.starts_with("sealed_bids, Options { rounds: 3, cards: 1 }, 3 seats, seed "),
        "{failure}"
    );
}

#[test]
fn a_sound_game_passes_for_every_option_and_number_of_seats() {
    for seats in 2..=4 {
        for (rounds, cards) in [(1, 1), (2, 1), (3, 1), (1, 2), (1, 3)] {
            let conserved = SealedBids::<{ flaw::NONE }>::conserved;
            let options = Options { rounds, cards };
            let report = check_game_with(&options, seats, 0..100, conserved).unwrap();
            assert_eq!(report.games, 100);
            assert!(report.varied > 0);
        }
    }
}

#[test]
fn an_event_that_tells_a_hidden_card_is_found() {
    found::<{ flaw::LEAKS }>("more than he sees: [Drew");
}

#[test]
fn an_action_that_is_accepted_but_not_listed_is_found() {
    found::<{ flaw::ACCEPTS_UNLISTED }>("is_legal and the list disagree on Bid");
}

#[test]
fn a_state_that_depends_on_the_world_outside_is_found() {
    found::<{ flaw::FORGETS }>("the record replays to another game");
}

#[test]
fn a_state_that_depends_on_listeners_is_found() {
    found::<{ flaw::LISTENS }>("the record replays to another game");
}

#[test]
fn sealed_answers_whose_order_matters_are_found() {
    found::<{ flaw::COUNTS_ORDER }>("matters");
}

#[test]
fn answers_of_several_steps_whose_order_matters_are_found() {
    let options = Options {
        rounds: 1,
        cards: 2,
    };
    let failure = check_with::<{ flaw::COUNTS_ORDER }>(&options).unwrap_err();
    assert!(failure.to_string().contains("matters"), "{failure}");
}

#[test]
fn a_lost_card_is_found() {
    found::<{ flaw::LOSES_CARDS }>("the cards are");
}

#[test]
fn labels_that_do_not_tell_actions_apart_are_found() {
    found::<{ flaw::MUMBLES }>("two legal actions have the label");
}

#[test]
fn canonical_bytes_that_leave_something_out_are_found() {
    found::<{ flaw::HASHES_HALF }>("different states have the same canonical bytes");
}

#[test]
fn a_determinized_state_that_cannot_be_the_true_one_is_found() {
    found::<{ flaw::IMAGINES_TOO_MUCH }>("a determinized state looks different to Seat");
}

#[test]
fn options_that_the_game_forbids_are_a_failure() {
    let options = Options {
        rounds: 4,
        ..Options::default()
    };
    let failure = check_game::<SealedBids<{ flaw::NONE }>>(&options, 3, 0..1)
        .unwrap_err()
        .to_string();
    assert!(
        failure.ends_with("the options are refused: rounds is not legal; allowed: 1 to 3"),
        "{failure}"
    );
}
