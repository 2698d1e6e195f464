//! Pages of lists: sizes and tokens.

use crate::error::{Error, Violation};

/// How many items a page has: as many as were asked for, at most `max`; `default` if no number was asked for.
pub(super) fn size(asked: Option<u32>, default: u32, max: u32) -> u32 {
    match asked {
        None | Some(0) => default,
        Some(asked) => asked.min(max),
    }
}

/// Where the page begins that the token is for; none for the first page.
///
/// # Errors
/// If it is not a token that a page before had.
pub(super) fn start<T: std::str::FromStr>(token: &str) -> Result<Option<T>, Error> {
    if token.is_empty() {
        return Ok(None);
    }
    token.parse().map(Some).map_err(|_| not_a_token())
}

/// The refusal of a token that no page before had.
pub(super) fn not_a_token() -> Error {
    Error::Malformed(Violation::new(
        "page_token",
        "is empty, or the next_page_token of a page before",
    ))
}

/// A number of items as an index.
pub(super) fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
