//! The client against a table in this process, which makes trouble on demand.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that fails panics"
)]

mod connect;
mod errors;
mod play;
mod repeat;
mod table;
mod watch;
