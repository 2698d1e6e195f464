//! What the end-to-end tests share: a server process, its clients, tables to play at, refusals, and seeded choice.

#![allow(
    dead_code,
    unused_imports,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "each test crate uses its part of this, and a test that fails panics"
)]

mod dice;
mod long_game;
mod player;
pub mod raw;
mod refusal;
mod server;
mod size;
mod table;
mod timing;
pub mod web;

pub use dice::Dice;
pub use long_game::{long_game, long_table};
pub use player::{Player, play_seat};
pub use refusal::{Refusal, code_of, refusal, refused};
pub use server::{DataFolder, Server, command, metrics, run};
pub use size::sized;
pub use table::{GAMES, Table, Watching, asked_seat, of, santorini, update_of, with_token};
pub use timing::{Compared, furthest_from_chance, tells_nothing, timed};

use std::{future::Future, time::Duration};

/// A client of SessionService.
pub type Sessions =
    tavola::pb::v1::session_service_client::SessionServiceClient<tonic::transport::Channel>;

/// A client of CatalogService.
pub type Catalog =
    tavola::pb::v1::catalog_service_client::CatalogServiceClient<tonic::transport::Channel>;

/// What should take no time at all may take this long on a busy machine; beyond it the test has failed.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// What comes of `future`, which has to come within [`PATIENCE`].
pub async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    match tokio::time::timeout(PATIENCE, future).await {
        Ok(outcome) => outcome,
        Err(_) => panic!("{what} did not come within {PATIENCE:?}"),
    }
}

/// Asks again and again until there is an answer, for at most [`PATIENCE`].
pub async fn eventually<T, F: Future<Output = Option<T>>>(
    what: &str,
    mut ask: impl FnMut() -> F,
) -> T {
    let deadline = tokio::time::Instant::now() + PATIENCE;
    loop {
        if let Some(answer) = ask().await {
            return answer;
        }
        assert!(
            tokio::time::Instant::now() < deadline,
            "{what} did not happen within {PATIENCE:?}"
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
