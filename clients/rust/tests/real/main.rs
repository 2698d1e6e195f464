//! The client against a real server: the binary that the variable `TAVOLA_SERVER_BINARY` names. Without it these tests do
//! nothing or, where the variable `CI` is set, fail.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that fails panics"
)]

mod breaks;
mod examples;
mod games;
mod proxy;
mod refusals;
#[path = "../../examples/thinking_bot/santorini.rs"]
mod santorini;
mod server;
mod thinking;
#[path = "../../examples/thinking_bot/thought.rs"]
mod thought;

use tavola_client::{
    Client, Seat,
    v1::{Outcome, Session, SessionStatus, Update},
};

/// Any legal action, in either view.
fn at_random(update: &Update) -> u32 {
    let shown = update.legal_actions.iter().map(|legal| legal.action_id());
    let ids: Vec<_> = shown
        .chain(update.legal_action_ids.iter().copied())
        .collect();
    ids[rand::random_range(0..ids.len())]
}

/// A seat in a game of Santorini against a house bot.
async fn against_a_bot(client: &Client) -> Seat {
    let host = client.create("santorini").await.unwrap();
    let seat = host.join().await.unwrap();
    assert_eq!(host.add_bot("random").await.unwrap(), 1);
    seat
}

/// Checks that a result is what the finished session says of itself.
fn check_outcome(outcome: &Outcome, session: &Session) {
    assert_eq!(session.status(), SessionStatus::Finished);
    assert_eq!(session.outcome.as_ref(), Some(outcome));
    assert_eq!(session.seats.len(), outcome.returns.len());
}
