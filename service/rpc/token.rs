//! The token that comes with a call.

use tonic::metadata::MetadataMap;

use crate::{
    error::Error,
    token::{Token, TokenHash},
};

/// The token in `authorization: Bearer TOKEN`; none if there is no such metadata.
///
/// # Errors
/// If it is there and is not of this form.
pub(super) fn bearer(metadata: &MetadataMap) -> Result<Option<TokenHash>, Error> {
    let Some(value) = metadata.get("authorization") else {
        return Ok(None);
    };
    let token = value
        .as_bytes()
        .split_first_chunk()
        .and_then(|(scheme, token): (&[u8; 7], _)| {
            scheme
                .eq_ignore_ascii_case(b"bearer ")
                .then(|| Token::from_text(token.trim_ascii()))
                .flatten()
        });
    match token {
        Some(token) => Ok(Some(token.hash())),
        None => Err(Error::TokenRequired(
            "the metadata `authorization` is not of the form `Bearer TOKEN`",
        )),
    }
}
