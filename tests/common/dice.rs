//! Seeded choice: a test that fails names the seed with which it fails again.

use std::{
    env,
    hash::{BuildHasher as _, RandomState},
};

/// The variable that holds the seed to repeat.
const SEED: &str = "TAVOLA_TEST_SEED";

/// A source of choices: SplitMix64 (Steele, Lea and Flood, 2014).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Other dice with each run, and the same ones again with `TAVOLA_TEST_SEED`. Prints the seed, which a failing
    /// test shows.
    pub fn new() -> Self {
        let seed = match env::var(SEED) {
            Ok(seed) => seed
                .parse()
                .expect("TAVOLA_TEST_SEED is a number that a test has printed"),
            Err(_) => RandomState::new().hash_one(0),
        };
        println!("to repeat this run: {SEED}={seed}");
        Self(seed)
    }

    /// Always the same dice.
    pub fn fixed(seed: u64) -> Self {
        Self(seed)
    }

    /// Dice of their own for somebody else.
    pub fn split(&mut self) -> Self {
        Self(self.next())
    }

    /// Any number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).expect("a bound fits");
        usize::try_from(self.next() % bound).expect("what is below a usize is one")
    }

    /// One of the items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        assert!(!items.is_empty(), "there is something to pick from");
        &items[self.below(items.len())]
    }
}
