//! The `tavola` server.
fn main() {}
