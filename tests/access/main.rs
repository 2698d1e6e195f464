//! Who may do what: API keys, private sessions, request ids, tokens, TLS.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that fails panics"
)]

#[path = "../common/mod.rs"]
mod common;
mod files;
mod keys;
mod private;
mod requests;
mod tls;
mod tokens;
