//! Compiles `proto/` to Rust.

use std::env;

/// Where the contract is, seen from here.
const PROTO: &str = "../../proto";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed={PROTO}");
    let services = [
        "tavola/v1/catalog_service.proto",
        "tavola/v1/session_service.proto",
    ];
    tonic_prost_build::configure()
        .build_server(env::var_os("CARGO_FEATURE_SERVER").is_some())
        .generate_default_stubs(true)
        .include_file("generated.rs")
        .compile_fds(protox::compile(services, [PROTO])?)?;
    Ok(())
}
