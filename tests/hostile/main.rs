//! Hostile clients, one kind a test, each with an honest player beside it who must not suffer.
//!
//! Each test prints the figures that it is about, and holds them to their bars. `cargo test` runs a short form of each,
//! which still bites; `TAVOLA_TESTS=full` runs them all as large as they are meant to be, best with `--release`:
//!
//! ```text
//! TAVOLA_TESTS=full cargo test --release --test hostile -- --nocapture
//! ```
//!
//! The fuzzer goes on for `TAVOLA_FUZZ_S` seconds where that is set.
//!
//! - `rig`: the server, the honest player and the verdict; `process`: what the system tells of the server
//! - `frames`: a client that writes its frames by hand; `requests`: what every method takes, by its descriptor
//! - `floods`, `sockets`, `readers`, `calls`, `payloads`, `sessions`: the attacks

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that fails panics"
)]

mod calls;
#[path = "../common/mod.rs"]
mod common;
mod floods;
mod frames;
mod payloads;
mod process;
mod readers;
mod requests;
mod rig;
mod sessions;
mod sockets;
