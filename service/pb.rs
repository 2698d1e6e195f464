//! The generated tree of `proto/`, as modules named like its packages.

#![allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]

include!(concat!(env!("OUT_DIR"), "/pb.rs"));

pub use self::tavola::*;

/// Everything that `proto/` says, comments included: what reflection serves.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));
