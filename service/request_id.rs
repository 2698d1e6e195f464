//! Request ids: how a call that takes something is repeated without taking it twice.
//!
//! The reply to such a call may show a token, and tokens are kept hashed only: the reply cannot be kept. It is derived
//! instead, from the request id and a secret of the store's, by a keyed hash. Whoever repeats the call gets the same
//! token again, on every server that has the store and after any restart, and all that is kept for that is a mark of
//! 16 bytes beside what the call took. The id is not kept, so the store gives no token away; and without the secret
//! nobody can try out at home which id a session or a token was made of.

use std::{collections::BTreeSet, fmt};

use prost::Message;

use crate::{
    error::{Error, Violation},
    store::{SessionId, StoreSecret},
    token::Token,
};

/// Characters of a request id: fewer can be guessed, more are not needed.
const LENGTHS: std::ops::RangeInclusive<usize> = 16..=64;

/// Different characters among them, at least: a random id has more.
const DIFFERENT_MIN: usize = 6;

/// A call that may be made again: with the same id and content it is the same call.
pub struct Repeatable {
    id: String,
    content: blake3::Hash,
}

/// A repeatable call where its id counts: within a session, or among the sessions of whoever has an API key.
pub struct Claim {
    key: [u8; 32],
    content: blake3::Hash,
}

/// What is kept of a claim, to know it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestMark {
    /// Stands for the request id where it counts.
    pub id: u64,
    /// Stands for what was asked.
    pub content: u64,
}

impl Repeatable {
    /// The call of `method` with this message, whose field `request_id` is given apart. None if that is empty: then
    /// each call is another one.
    ///
    /// # Errors
    /// If the id is one that could be guessed, or no id at all.
    pub fn read(
        request_id: &str,
        method: &str,
        message: &impl Message,
    ) -> Result<Option<Self>, Error> {
        if request_id.is_empty() {
            return Ok(None);
        }
        let visible = request_id.bytes().all(|byte| byte.is_ascii_graphic());
        let different = request_id.bytes().collect::<BTreeSet<_>>().len();
        if !visible || !LENGTHS.contains(&request_id.len()) || different < DIFFERENT_MIN {
            let allowed = format!(
                "is empty, or {} to {} visible ASCII characters, {DIFFERENT_MIN} of them different, that nobody can \
                 guess, such as a random UUID",
                LENGTHS.start(),
                LENGTHS.end()
            );
            return Err(Error::Malformed(Violation::new("request_id", allowed)));
        }
        let mut content = blake3::Hasher::new();
        content.update(method.as_bytes()).update(&[0]);
        content.update(&message.encode_to_vec());
        Ok(Some(Self {
            id: request_id.to_owned(),
            content: content.finalize(),
        }))
    }

    /// The call where its id counts.
    #[must_use]
    pub fn within(&self, scope: &[u8], secret: &StoreSecret) -> Claim {
        // The scope has the length that its kind has, so that no two pairs are written alike.
        let mut key = blake3::Hasher::new_keyed(secret.bits());
        key.update(&[u8::try_from(scope.len()).unwrap_or(u8::MAX)]);
        key.update(scope).update(self.id.as_bytes());
        Claim {
            key: key.finalize().into(),
            content: self.content,
        }
    }
}

impl Claim {
    /// What to keep of it.
    #[must_use]
    pub fn mark(&self) -> RequestMark {
        RequestMark {
            id: first_word(self.derive(&[b"mark"])),
            content: first_word(self.derive(&[b"content", self.content.as_bytes()])),
        }
    }

    /// The id of the session that it opens.
    #[must_use]
    pub fn session_id(&self) -> SessionId {
        let [first, second] = halves(self.derive(&[b"session"]));
        SessionId::from_random_bits(u128::from_le_bytes(first) ^ u128::from_le_bytes(second))
    }

    /// The token that it is shown, as a host, a guest or a player of some seat.
    #[must_use]
    pub fn token(&self, of: &str) -> Token {
        Token::from_secret_bits(self.derive(&[b"token", of.as_bytes()]).into())
    }

    fn derive(&self, words: &[&[u8]]) -> blake3::Hash {
        let mut derived = blake3::Hasher::new_keyed(&self.key);
        for word in words {
            derived.update(&[u8::try_from(word.len()).unwrap_or(u8::MAX)]);
            derived.update(word);
        }
        derived.finalize()
    }
}

fn halves(hash: blake3::Hash) -> [[u8; 16]; 2] {
    let bytes: [u8; 32] = hash.into();
    let (halves, _) = bytes.as_chunks();
    std::array::from_fn(|nth| halves[nth])
}

fn first_word(hash: blake3::Hash) -> u64 {
    let bytes: [u8; 32] = hash.into();
    let (words, _) = bytes.as_chunks();
    u64::from_le_bytes(words[0])
}

impl fmt::Debug for Repeatable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Repeatable(secret)")
    }
}

impl fmt::Debug for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Claim(secret)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pb::v1::JoinSessionRequest;

    const ID: &str = "6f1c1a52-9d2b-4b7e-8d51-0f6f4c7f3a10";

    fn claim(id: &str, method: &str, seat: Option<u32>, scope: &[u8], secret: u8) -> Claim {
        let message = JoinSessionRequest {
            seat,
            ..Default::default()
        };
        Repeatable::read(id, method, &message)
            .unwrap()
            .unwrap()
            .within(scope, &StoreSecret::from_bits([secret; 32]))
    }

    #[test]
    fn the_same_call_gets_the_same_and_any_other_gets_another() {
        let first = claim(ID, "Join", None, b"a", 1);
        let again = claim(ID, "Join", None, b"a", 1);
        assert_eq!(first.mark(), again.mark());
        assert_eq!(first.session_id(), again.session_id());
        assert_eq!(first.token("host").hash(), again.token("host").hash());
        assert_ne!(first.token("host").hash(), first.token("join").hash());
        for other in [
            claim(&ID.replace('6', "7"), "Join", None, b"a", 1),
            claim(ID, "Join", None, b"b", 1),
            claim(ID, "Join", None, b"a", 2),
        ] {
            assert_ne!(first.mark().id, other.mark().id);
            assert_ne!(first.session_id(), other.session_id());
            assert_ne!(first.token("host").hash(), other.token("host").hash());
        }
        for other in [
            claim(ID, "Join", Some(0), b"a", 1),
            claim(ID, "AddBot", None, b"a", 1),
        ] {
            assert_eq!(first.mark().id, other.mark().id);
            assert_ne!(first.mark().content, other.mark().content);
        }
    }

    #[test]
    fn what_could_be_guessed_or_is_no_text_is_no_id() {
        let read = |id: &str| Repeatable::read(id, "Join", &JoinSessionRequest::default());
        assert!(read("").unwrap().is_none());
        for (id, fine) in [
            (ID, true),
            (&"x".repeat(16), false),
            ("abcdeabcdeabcdea", false),
            ("abcdefabcdefabcd", true),
            (&"abcdefgh".repeat(8), true),
            ("abcdefghijklmno", false),
            (&"abcdefghabcde".repeat(5), false),
            ("a space in the middle", false),
            ("a\u{7}bell-in-the-middle", false),
            ("ünvisible-or-not-ascii", false),
        ] {
            assert_eq!(read(id).is_ok_and(|read| read.is_some()), fine, "{id}");
        }
    }

    #[test]
    fn debug_shows_no_bit() {
        let shown = format!("{:?}", claim(ID, "Join", None, b"a", 1));
        assert_eq!(shown, "Claim(secret)");
    }
}
