//! Fair dice: a session commits itself to its chance when it is created and reveals it when the game is over, so that
//! nobody, not even the server, can have chosen a seed that suits what was played.

use std::fmt;

use sha2::{Digest as _, Sha256};
use tavola_engine::Seed;

use crate::random;

/// What is hashed with the seed: without it a seed that was given, or any that can be guessed, could be recognized by
/// its hash. A secret until the game is over.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Nonce(pub [u8; 32]);

impl Nonce {
    /// A new one, from the operating system's randomness.
    #[must_use]
    pub fn new() -> Self {
        Self(random::bytes())
    }
}

impl Default for Nonce {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Nonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Nonce(hidden)")
    }
}

/// What a session shows from its first moment on: the SHA-256 of seed and nonce, one after the other.
#[must_use]
pub fn commitment(seed: Seed, nonce: Nonce) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(seed.0);
    hash.update(nonce.0);
    hash.finalize().into()
}

/// A new seed: 256 bits from the operating system's randomness.
#[must_use]
pub fn seed() -> Seed {
    Seed(random::bytes())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Computed by another program from 32 bytes of 1 and 32 bytes of 2.
    const EXPECTED: &str = "f818afd37a6dc3bc92fb44731011277006db4efa6e9023cd7468c02335d22a4d";

    #[test]
    fn the_commitment_is_the_sha_256_of_both() {
        let hash = commitment(Seed([1; 32]), Nonce([2; 32]));
        let hex: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, EXPECTED);
    }

    #[test]
    fn what_is_secret_is_not_printed() {
        assert_eq!(format!("{:?}", Nonce([7; 32])), "Nonce(hidden)");
    }

    #[test]
    fn a_hundred_thousand_seeds_are_all_different() {
        let mut seen = HashSet::new();
        assert!((0..100_000).all(|_| seen.insert(seed().0)));
    }
}
