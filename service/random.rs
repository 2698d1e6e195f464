//! Randomness from the operating system: for ids, tokens, seeds and the dice of house bots.

use rand::{Rng as _, rand_core::UnwrapErr, rngs::SysRng};

/// Random bytes.
///
/// # Panics
/// If the system has no randomness to give. Nothing that is kept secret could be created then.
#[must_use]
pub(crate) fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    UnwrapErr(SysRng).fill_bytes(&mut bytes);
    bytes
}
