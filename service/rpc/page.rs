//! Pages of lists: sizes and tokens.

use crate::error::{Error, Violation};

/// Items on a page of a list, at most.
const ITEMS_MAX: u32 = 100;

/// The page size that was asked for, or `default`.
///
/// # Errors
/// If it is out of range.
pub(super) fn size(asked: Option<u32>, default: u32) -> Result<usize, Error> {
    let size = asked.unwrap_or(default);
    if !(1..=ITEMS_MAX).contains(&size) {
        return Err(Error::Malformed(Violation::new(
            "page_size",
            format!("is unset, or 1 to {ITEMS_MAX}"),
        )));
    }
    usize::try_from(size).map_err(|_| Error::Internal)
}

/// Where the page begins that the token is for; none for the first page.
///
/// # Errors
/// If it is not a token that a page before had.
pub(super) fn start<T: std::str::FromStr>(token: &str) -> Result<Option<T>, Error> {
    if token.is_empty() {
        return Ok(None);
    }
    let start = token.parse().map_err(|_| {
        Error::Malformed(Violation::new(
            "page_token",
            "is empty, or the next_page_token of a page before",
        ))
    })?;
    Ok(Some(start))
}
