//! A headless board-game table: sessions of board games over gRPC.
//!
//! - [`config`], [`telemetry`], [`metrics`], [`open_files`], [`shutdown`]: what a server is told, what it tells, and how it ends
//! - [`server`], [`event_loop`], [`transport`]: event loops and sockets
//! - [`rpc`]: the gRPC services; they translate and call sessions
//! - [`session`]: the registry, the lock of each session and all that happens under it
//! - [`wire`]: engine to proto and back; the only place that knows both
//! - [`store`]: where sessions are kept
//! - [`verify`]: checks a replay without a server
//! - [`access`], [`token`], [`api_keys`], [`request_id`], [`house_bot`], [`clock`], [`fair_dice`], [`error`], [`pb`]: what
//!   several of them name
//!
//! `rpc -> session -> wire -> engine` and `session -> store`: no arrow points back.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod access;
pub mod api_keys;
pub mod clock;
pub mod config;
mod encoding;
pub mod error;
pub mod event_loop;
pub mod fair_dice;
pub mod house_bot;
pub mod metrics;
pub mod open_files;
pub mod pb;
mod random;
pub mod request_id;
pub mod rpc;
pub mod server;
pub mod session;
pub mod shutdown;
pub mod store;
pub mod telemetry;
pub mod token;
pub mod transport;
pub mod verify;
pub mod wire;
