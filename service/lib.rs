//! A headless board-game table: sessions of board games over gRPC.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod config;
pub mod error;
pub mod limits;
pub mod pb;
mod random;
pub mod rpc;
pub mod server;
pub mod session;
pub mod shutdown;
pub mod store;
pub mod telemetry;
pub mod transport;
pub mod wire;
