//! What the build makes of `proto/`, as modules named like its packages.

#![allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]

include!(concat!(env!("OUT_DIR"), "/generated.rs"));
