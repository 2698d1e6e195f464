//! Rights: what hosts and players show to the server.

use std::{fmt, str::FromStr};

use tonic::{
    Request,
    metadata::{Ascii, MetadataValue},
};

use crate::Error;

const SCHEME: &str = "Bearer ";

/// The right to host a session, to play a seat, or to come to a private session. It does not show when it is printed
/// or logged; [`reveal`](Self::reveal) is for keeping it, and [`str::parse`] for taking it up again.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(MetadataValue<Ascii>);

impl Token {
    /// The token as text. Whoever has it has the right.
    pub fn reveal(&self) -> &str {
        let header = self.0.to_str().unwrap_or_default();
        header.strip_prefix(SCHEME).unwrap_or_default()
    }

    /// A request with this token, for the stubs of a [`Client`](crate::Client): as metadata `authorization`.
    pub fn authorize<T>(&self, message: T) -> Request<T> {
        request(message, Some(self))
    }
}

impl FromStr for Token {
    type Err = Error;

    /// # Errors
    /// If it cannot be a token: if it is not visible ASCII.
    fn from_str(text: &str) -> Result<Self, Error> {
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::invalid("a token is visible ASCII characters"));
        }
        secret(format!("{SCHEME}{text}")).map(Self)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(secret)")
    }
}

/// A request with a token, if there is one.
pub(crate) fn request<T>(message: T, token: Option<&Token>) -> Request<T> {
    let mut request = Request::new(message);
    if let Some(Token(header)) = token {
        request
            .metadata_mut()
            .insert("authorization", header.clone());
    }
    request
}

/// A value of metadata that does not show.
///
/// # Errors
/// If it cannot be one.
pub(crate) fn secret(text: String) -> Result<MetadataValue<Ascii>, Error> {
    let mut value = MetadataValue::try_from(text)
        .map_err(|_| Error::invalid("what goes into metadata is visible ASCII characters"))?;
    value.set_sensitive(true);
    Ok(value)
}

/// A fresh id for a call that takes something, such as
/// [`CreateSessionRequest`](crate::v1::CreateSessionRequest): 32 characters that nobody guesses. The call is then safe to
/// repeat, and the client repeats it. Keep it as secret as the token that comes with the reply.
pub fn request_id() -> String {
    format!("{:032x}", rand::random::<u128>())
}
