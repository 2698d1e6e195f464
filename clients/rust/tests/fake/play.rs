//! Seats that are played to the end, whatever happens.

use std::{
    error,
    time::{Duration, Instant},
};

use tavola_client::{
    Answer, Error,
    santorini::v1::{Action as SantoriniAction, Move, action::Kind},
    tonic::Code,
    v1::{Action, ErrorReason, Update, action},
};

use crate::table::{Fake, Trouble, outcome, seat};

fn first_legal(update: &Update) -> u32 {
    update.legal_actions[0].action_id()
}

fn decision(update: &Update) -> u64 {
    update.decision.as_ref().unwrap().decision_id
}

/// What a game of the fake table leaves behind.
struct Trace {
    submitted: Vec<(u64, u32)>,
    watched: Vec<Option<u64>>,
    /// The answer to decision 3 that counts.
    third: u32,
}

impl Default for Trace {
    fn default() -> Self {
        Self {
            submitted: vec![(1, 10), (3, 30), (5, 50)],
            watched: vec![None],
            third: 30,
        }
    }
}

/// Plays through this trouble. Each decision is asked once, whatever happens.
async fn check(trouble: Trouble, left: Trace) {
    let fake = Fake::start();
    fake.table().trouble = trouble;
    let client = fake
        .builder()
        .timeout(Duration::from_millis(500))
        .connect()
        .await
        .unwrap();
    let mut asked = vec![];
    let seat = seat(&client);
    let played = seat.play(|update| {
        asked.push(decision(update));
        first_legal(update)
    });
    assert_eq!(played.await.unwrap(), outcome());
    assert_eq!(asked, [1, 3, 5]);
    let table = fake.table();
    assert_eq!(table.asked.submitted, left.submitted);
    assert_eq!(table.asked.watched, left.watched);
    assert_eq!([1, 3, 5].map(|id| table.answers[&id]), [10, left.third, 50]);
}

#[tokio::test]
async fn without_trouble() {
    check(Trouble::default(), Trace::default()).await;
}

#[tokio::test]
async fn a_stream_that_breaks_is_resumed_where_it_was() {
    let trouble = Trouble {
        cuts: [1, 4].into(),
        ..Trouble::default()
    };
    let watched = vec![None, Some(1), Some(4)];
    check(
        trouble,
        Trace {
            watched,
            ..Trace::default()
        },
    )
    .await;
}

#[tokio::test]
async fn an_answer_that_never_arrived_is_given_again() {
    let trouble = Trouble {
        unseen: [3].into(),
        ..Trouble::default()
    };
    let submitted = vec![(1, 10), (3, 30), (3, 30), (5, 50)];
    check(
        trouble,
        Trace {
            submitted,
            ..Trace::default()
        },
    )
    .await;
}

#[tokio::test]
async fn an_answer_whose_reply_is_lost_is_given_again_and_counts_once() {
    let trouble = Trouble {
        unheard: [1, 5].into(),
        ..Trouble::default()
    };
    let submitted = vec![(1, 10), (1, 10), (3, 30), (5, 50), (5, 50)];
    check(
        trouble,
        Trace {
            submitted,
            ..Trace::default()
        },
    )
    .await;
}

#[tokio::test]
async fn an_answer_whose_reply_is_late_is_given_again_and_counts_once() {
    let trouble = Trouble {
        late: [3].into(),
        ..Trouble::default()
    };
    let submitted = vec![(1, 10), (3, 30), (3, 30), (5, 50)];
    check(
        trouble,
        Trace {
            submitted,
            ..Trace::default()
        },
    )
    .await;
}

#[tokio::test]
async fn a_decision_that_has_passed_is_left_alone() {
    let trouble = Trouble {
        overtaken: [3].into(),
        ..Trouble::default()
    };
    check(
        trouble,
        Trace {
            third: 31,
            ..Trace::default()
        },
    )
    .await;
}

#[tokio::test]
async fn a_decision_that_is_asked_for_again_is_answered_once() {
    let trouble = Trouble {
        lagging: [3, 5].into(),
        ..Trouble::default()
    };
    check(trouble, Trace::default()).await;
}

#[tokio::test]
async fn an_answer_may_be_an_action_by_meaning() {
    let fake = Fake::start();
    let step = Move {
        worker: Some(0),
        to: Some(7),
    };
    let action = SantoriniAction {
        kind: Some(Kind::Move(step)),
    };
    let action = Action {
        game: Some(action::Game::Santorini(action)),
    };
    fake.seat().await.play(|_| action.clone()).await.unwrap();
    assert_eq!(fake.table().asked.submitted, [(1, 11), (3, 31), (5, 51)]);
}

#[tokio::test]
async fn an_answer_may_be_a_legal_action() {
    let fake = Fake::start();
    let last = |update: &Update| Answer::from(update.legal_actions.last().unwrap());
    fake.seat().await.play(last).await.unwrap();
    assert_eq!(fake.table().asked.submitted, [(1, 11), (3, 31), (5, 51)]);
}

#[tokio::test]
async fn an_illegal_action_is_the_bots_fault() {
    let fake = Fake::start();
    let error = fake.seat().await.play(|_| 99).await.unwrap_err();
    assert_eq!(error.reason(), Some(ErrorReason::ActionNotLegal));
    assert_eq!(fake.table().asked.submitted, [(1, 99)]);
}

#[tokio::test]
async fn the_error_of_a_policy_ends_the_play() {
    let fake = Fake::start();
    let policy = |update: Update| async move {
        match decision(&update) {
            1 => Ok(10),
            _ => Err("the bot's own".into()),
        }
    };
    let played: Result<_, Box<dyn error::Error>> = fake.seat().await.play_async(policy).await;
    assert_eq!(played.unwrap_err().to_string(), "the bot's own");
    assert_eq!(fake.table().asked.submitted, [(1, 10)]);
}

#[tokio::test]
async fn a_stream_that_ends_without_a_result_is_an_error() {
    let fake = Fake::start();
    fake.table().trouble.hangs_up = true;
    let seat = fake.seat().await;
    let error = seat.play(first_legal).await.unwrap_err();
    assert!(error.message().contains("without a result"), "{error}");
    assert!(!error.is_transient());
}

#[tokio::test]
async fn a_server_that_restarts_is_waited_for() {
    let mut fake = Fake::start();
    let seat = fake.seat().await;
    let mut asked = vec![];
    let played = seat.play(|update| {
        asked.push(decision(update));
        if decision(update) == 3 {
            fake.stop();
            fake.restart();
        }
        first_legal(update)
    });
    played.await.unwrap();
    assert_eq!(asked, [1, 3, 5]);
    let table = fake.table();
    assert_eq!(table.asked.submitted, [(1, 10), (3, 30), (5, 50)]);
    assert_eq!(table.asked.watched, [None, Some(3)]);
}

#[tokio::test]
async fn patience_ends() {
    for (patience_ms, longest_ms) in [(0, 1000), (500, 3000)] {
        let mut fake = Fake::start();
        let patience = Duration::from_millis(patience_ms);
        let seat = seat(&fake.builder().patience(patience).connect().await.unwrap());
        let began = Instant::now();
        let played = seat.play(|update| {
            fake.stop();
            first_legal(update)
        });
        let error: Error = played.await.unwrap_err();
        assert_eq!(
            (error.code(), error.reason()),
            (Code::Unavailable, None),
            "{error:?}"
        );
        assert!(error.is_transient());
        assert!(
            began.elapsed() < Duration::from_millis(longest_ms),
            "{:?}",
            began.elapsed()
        );
    }
}

#[tokio::test]
async fn plays_can_go_on_in_the_background() {
    let fakes = [Fake::start(), Fake::start()];
    let seats = [fakes[0].seat().await, fakes[1].seat().await];
    let [plain, slow] = seats;
    let plain = tokio::spawn(async move { plain.play(first_legal).await });
    let slow = tokio::spawn(async move {
        let policy = async |update: Update| {
            tokio::task::yield_now().await;
            Ok::<_, Error>(first_legal(&update))
        };
        slow.play_async(policy).await
    });
    assert_eq!(plain.await.unwrap().unwrap(), outcome());
    assert_eq!(slow.await.unwrap().unwrap(), outcome());
}
