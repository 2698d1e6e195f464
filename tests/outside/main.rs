//! The server seen from outside: what it counts, what it logs, and how it says it is.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that fails panics"
)]

#[path = "../common/mod.rs"]
mod common;
mod health;
mod logs;
mod metrics;
