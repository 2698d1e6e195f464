//! API keys: which operators' programs may open and list sessions, where not everybody may.

use std::{fs, path::Path};

use sha2::{Digest as _, Sha256};
use subtle::{Choice, ConstantTimeEq as _};

use crate::config::ConfigError;

/// Characters of a key: fewer can be guessed.
const LENGTHS: std::ops::RangeInclusive<usize> = 16..=256;

/// The keys of a server, hashed.
#[derive(Debug)]
pub struct ApiKeys(Vec<KeyHash>);

/// The SHA-256 of a key.
#[derive(Clone, Copy)]
pub struct KeyHash([u8; 32]);

impl ApiKeys {
    /// Reads a file of `KEY` or `NAME = KEY` lines; blank lines and those that begin with `#` are passed over.
    ///
    /// # Errors
    /// One sentence that names the file and, without showing it, the line.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let in_file =
            |what: &str| ConfigError::new(format!("API keys file {}: {what}", path.display()));
        let text = fs::read_to_string(path).map_err(|error| in_file(&error.to_string()))?;
        let mut keys = Vec::new();
        for (number, line) in (1..).zip(text.lines().map(str::trim)) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            // A key may end in `=`, as Base64 does: a name is told by what stands on both sides of the sign.
            let key = match line.split_once('=') {
                Some((name, key))
                    if !name.trim().is_empty() && !key.trim_matches('=').is_empty() =>
                {
                    key.trim()
                }
                Some(_) | None => line,
            };
            if key == line && key.ends_with('=') && !is_base64(key) {
                return Err(in_file(&format!(
                    "line {number}: it ends in `=` and is no Base64, so its key is missing"
                )));
            }
            let visible = key.bytes().all(|byte| byte.is_ascii_graphic());
            if !visible || !LENGTHS.contains(&key.len()) {
                let (min, max) = (LENGTHS.start(), LENGTHS.end());
                return Err(in_file(&format!(
                    "line {number}: a key is {min} to {max} visible ASCII characters without spaces"
                )));
            }
            keys.push(KeyHash::of(key.as_bytes()));
        }
        if keys.is_empty() {
            return Err(in_file("there is no key in it"));
        }
        Ok(Self(keys))
    }

    /// The key that this is. It is compared with all of them, in constant time.
    #[must_use]
    pub fn find(&self, key: &[u8]) -> Option<KeyHash> {
        let given = KeyHash::of(key);
        let found = self
            .0
            .iter()
            .fold(Choice::from(0), |found, key| found | key.0.ct_eq(&given.0));
        bool::from(found).then_some(given)
    }
}

/// Whether it may end in `=` by right.
fn is_base64(key: &str) -> bool {
    let digits = key.trim_end_matches('=');
    let padding = key.len() - digits.len();
    let digit = |byte: u8| byte.is_ascii_alphanumeric() || b"+/-_".contains(&byte);
    key.len().is_multiple_of(4) && padding <= 2 && digits.bytes().all(digit)
}

impl KeyHash {
    fn of(key: &[u8]) -> Self {
        Self(Sha256::digest(key).into())
    }

    /// Its bytes.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl std::fmt::Debug for KeyHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("KeyHash(secret)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<ApiKeys, String> {
        let name = format!(
            "tavola-keys-{}-{:?}",
            std::process::id(),
            std::thread::current().id()
        );
        let path = std::env::temp_dir().join(name);
        fs::write(&path, text).unwrap();
        let keys = ApiKeys::read(&path).map_err(|error| error.to_string());
        fs::remove_file(&path).unwrap();
        keys
    }

    #[test]
    fn keys_stand_alone_or_behind_a_name() {
        let keys = read("# ours\n\n  0123456789abcdef \nlobby = fedcba9876543210\nAAAAAAAAAAAAAAAAAAAAAA==\nb = BBBBBBBBBBBBBBBB==\n").unwrap();
        for key in [
            "0123456789abcdef",
            "fedcba9876543210",
            "AAAAAAAAAAAAAAAAAAAAAA==",
            "BBBBBBBBBBBBBBBB==",
        ] {
            assert!(keys.find(key.as_bytes()).is_some(), "{key}");
        }
        for wrong in ["", "lobby", "0123456789abcde", "0123456789abcdeF", "# ours"] {
            assert!(keys.find(wrong.as_bytes()).is_none(), "{wrong}");
        }
    }

    #[test]
    fn a_bad_file_is_one_sentence_that_shows_no_key() {
        for (text, what) in [
            ("", "no key"),
            ("# nothing\n", "no key"),
            ("0123456789abcdef\nsecret", "line 2"),
            ("a = secret", "line 1"),
            ("0123456789 abcdef", "line 1"),
            ("0123456789abcdef\nproduction-lobby=", "line 2"),
            ("production-lobby = ", "line 1"),
        ] {
            let sentence = read(text).unwrap_err();
            assert!(sentence.contains(what), "{sentence}");
            assert!(!sentence.contains("secret"), "{sentence}");
        }
        let missing = ApiKeys::read(Path::new("/no/such/file")).unwrap_err();
        assert!(missing.to_string().contains("/no/such/file"));
    }
}
