//! Tokens: what a host or a player shows to prove that it is one.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use crate::random;

/// 256 random bits. Whoever has them may act; so they are shown once, never logged, and kept hashed only.
pub struct Token([u8; 32]);

/// The SHA-256 of a token, in words: four comparisons in constant time cost less than thirty-two.
#[derive(Clone, Copy)]
pub struct TokenHash([u64; 4]);

impl Token {
    /// A new one, from the operating system's randomness.
    #[must_use]
    pub fn new() -> Self {
        Self(random::bytes())
    }

    /// The one with these bits, which have to be as hard to guess as random ones.
    pub(crate) const fn from_secret_bits(bits: [u8; 32]) -> Self {
        Self(bits)
    }

    /// Reads the 43 characters that [`Token::to_text`] writes.
    #[must_use]
    pub fn from_text(text: &[u8]) -> Option<Self> {
        let mut bits = [0; 32];
        match URL_SAFE_NO_PAD.decode_slice(text, &mut bits) {
            Ok(32) => Some(Self(bits)),
            Ok(_) | Err(_) => None,
        }
    }

    /// The token as its owner is shown it: URL-safe Base64 without padding.
    #[must_use]
    pub fn to_text(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// What is kept of it.
    #[must_use]
    pub fn hash(&self) -> TokenHash {
        TokenHash::from_bytes(Sha256::digest(self.0).into())
    }
}

impl TokenHash {
    /// The hash as a store keeps it.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 32] {
        let mut bytes = [0; 32];
        let (words, _) = bytes.as_chunks_mut();
        for (of, word) in words.iter_mut().zip(self.0) {
            *of = word.to_le_bytes();
        }
        bytes
    }

    /// The hash that [`TokenHash::to_bytes`] wrote.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        let (words, _) = bytes.as_chunks();
        Self(std::array::from_fn(|nth| u64::from_le_bytes(words[nth])))
    }
}

impl Default for Token {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(secret)")
    }
}

/// In constant time, so that a guess learns nothing from how long its refusal takes.
impl PartialEq for TokenHash {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for TokenHash {}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash(secret)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_reads_what_it_wrote() {
        let token = Token::new();
        let text = token.to_text();
        assert_eq!(text.len(), 43);
        assert_eq!(
            Token::from_text(text.as_bytes()).unwrap().hash(),
            token.hash()
        );
        assert_ne!(Token::new().hash(), token.hash());
    }

    #[test]
    fn a_hash_reads_what_it_wrote() {
        let token = Token::new();
        let digest: [u8; 32] = Sha256::digest(token.0).into();
        assert_eq!(token.hash().to_bytes(), digest);
        assert_eq!(TokenHash::from_bytes(digest), token.hash());
    }

    #[test]
    fn nothing_else_is_a_token() {
        let text = Token::new().to_text();
        for wrong in [
            "",
            &text[1..],
            &format!("{text}A"),
            &format!("{}=", text),
            &"+".repeat(43),
            &"A".repeat(4096),
        ] {
            assert!(Token::from_text(wrong.as_bytes()).is_none(), "{wrong}");
        }
    }

    #[test]
    fn debug_shows_no_bit() {
        let token = Token([7; 32]);
        assert_eq!(
            format!("{token:?} {:?}", token.hash()),
            "Token(secret) TokenHash(secret)"
        );
    }
}
