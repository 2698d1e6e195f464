//! How much of something a test does.

use std::env;

/// What the long tests look at: `full`, or unset for a short form of each.
const SIZE: &str = "TAVOLA_TESTS";

/// Whether tests are to be as large as they are meant to be.
fn full() -> bool {
    match env::var(SIZE) {
        Ok(size) if size == "full" => true,
        Ok(size) if !size.is_empty() => panic!("{SIZE} is full or unset, not {size:?}"),
        _ => false,
    }
}

/// How much of something: in the short form, or in the full one.
pub fn sized<T>(short: T, in_full: T) -> T {
    if full() { in_full } else { short }
}
