//! What nobody decides: dice, shuffles and draws, reproducible for ever from a seed and a ply.
//!
//! The generator is ChaCha8 (D. J. Bernstein, 2008), keyed by the seed; ply *n* reads its stream
//! *n* from the start, so the chance of a ply depends on (seed, ply) alone, and no generator state
//! needs saving. The steps from its 32-bit words to a number below a bound and to a shuffle are
//! ours and pinned by test vectors: an update of a dependency can't change an old game.

use std::collections::VecDeque;
use std::fmt;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// The 256 bits that all chance of a playthrough flows from.
///
/// A secret until the game is over: who knows the seed knows every draw to come. `Debug` hides it
/// and there is no `Display`; serde writes it as 64 hexadecimal digits, as part of a record.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Seed(pub [u8; 32]);

impl Seed {
    /// The seed with this number in its first eight bytes, least significant first, and zeros
    /// behind: for tests and experiments.
    pub const fn from_number(number: u64) -> Self {
        let mut bytes = [0; 32];
        let low = number.to_le_bytes();
        let mut at = 0;
        while at < low.len() {
            bytes[at] = low[at];
            at += 1;
        }
        Self(bytes)
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(hidden)")
    }
}

impl Serialize for Seed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let hex: String = self.0.iter().map(|byte| format!("{byte:02x}")).collect();
        serializer.serialize_str(&hex)
    }
}

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let hex = String::deserialize(deserializer)?;
        from_hex(&hex)
            .map(Self)
            .ok_or_else(|| D::Error::custom("a seed is 64 hexadecimal digits"))
    }
}

fn from_hex(hex: &str) -> Option<[u8; 32]> {
    let digits: Vec<u8> = hex
        .chars()
        .map(|digit| digit.to_digit(16).map(|value| value as u8))
        .collect::<Option<_>>()?;
    let (pairs, odd) = digits.as_chunks::<2>();
    let bytes: Vec<u8> = pairs.iter().map(|[high, low]| high << 4 | low).collect();
    if odd.is_empty() {
        bytes.try_into().ok()
    } else {
        None
    }
}

/// The source of all chance in the rules. Numbers are drawn in an order that belongs to the rules:
/// another order is another game.
#[derive(Clone, Debug)]
pub struct Chance(Source);

#[derive(Clone, Debug)]
enum Source {
    /// The generator is built by the first draw: most plies draw nothing.
    Seeded {
        seed: Seed,
        ply: u32,
        generator: Option<Box<ChaCha8Rng>>,
    },
    Scripted(Script),
}

#[derive(Clone, Debug)]
struct Script {
    draws: VecDeque<u32>,
    fault: Option<ScriptFault>,
}

/// How a script failed to fit what the rules drew.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ScriptFault {
    /// The rules drew once more than the script has numbers.
    #[error("the script ran out")]
    RanOut,
    /// A scripted number is none that the draw could have given.
    #[error("the script says {draw} where {lowest} to {highest} can come up")]
    OutOfRange {
        /// What the script says.
        draw: u32,
        /// The lowest number that can come up.
        lowest: u32,
        /// The highest number that can come up.
        highest: u32,
    },
    /// Numbers are left that the rules never drew.
    #[error("{left} scripted draws are left over")]
    LeftOver {
        /// How many.
        left: usize,
    },
}

impl Chance {
    /// The chance of one ply. Ply 0 is the set-up; the first action or resignation is ply 1. Costs
    /// nothing until something is drawn.
    #[inline]
    pub const fn at_ply(seed: Seed, ply: u32) -> Self {
        Self(Source::Seeded {
            seed,
            ply,
            generator: None,
        })
    }

    /// Chance that says what a test needs: the results of the coming draws, in order. A
    /// [`die`](Self::die) shows its scripted face, a [`below`](Self::below) gives its scripted
    /// number, and a shuffle of *n* items takes *n* - 1 numbers, the first below *n*.
    ///
    /// Where the script doesn't fit, the draw gives the lowest number and
    /// [`script_fits`](Self::script_fits) tells.
    pub fn scripted(draws: impl IntoIterator<Item = u32>) -> Self {
        Self(Source::Scripted(Script {
            draws: draws.into_iter().collect(),
            fault: None,
        }))
    }

    /// Whether a script was used up and fit every draw; always so without a script.
    ///
    /// # Errors
    ///
    /// The first [`ScriptFault`].
    pub fn script_fits(&self) -> Result<(), ScriptFault> {
        let Source::Scripted(script) = &self.0 else {
            return Ok(());
        };
        match (script.fault, script.draws.len()) {
            (Some(fault), _) => Err(fault),
            (None, 0) => Ok(()),
            (None, left) => Err(ScriptFault::LeftOver { left }),
        }
    }

    /// A number from 0 to `bound - 1`, each equally likely. `bound` is at least 1.
    ///
    /// Lemire's multiply-and-reject ("Fast Random Integer Generation in an Interval", 2019) on
    /// 32-bit words: no bias at all.
    pub fn below(&mut self, bound: u32) -> u32 {
        debug_assert!(bound > 0);
        self.draw(0, bound)
    }

    /// A throw of a die: 1 to `sides`, each equally likely. `sides` is at least 1.
    pub fn die(&mut self, sides: u8) -> u8 {
        debug_assert!(sides > 0);
        // At most 255, by the bound: nothing is cut off.
        self.draw(1, u32::from(sides)) as u8
    }

    /// Puts the items in a random order, each order equally likely: Fisher-Yates from the back
    /// (Durstenfeld, 1964).
    ///
    /// Slices of more than `u32::MAX` items are left as they are from there on; no game has one.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let Ok(bound) = u32::try_from(last + 1) else {
                continue;
            };
            items.swap(last, self.below(bound) as usize);
        }
    }

    /// One of `count` consecutive numbers from `lowest` on.
    fn draw(&mut self, lowest: u32, count: u32) -> u32 {
        match &mut self.0 {
            Source::Seeded {
                seed,
                ply,
                generator,
            } => {
                let words = generator.get_or_insert_with(|| Box::new(generator_at(*seed, *ply)));
                lowest + below(words, count)
            }
            Source::Scripted(script) => script.next(lowest, count),
        }
    }
}

fn generator_at(seed: Seed, ply: u32) -> ChaCha8Rng {
    let mut generator = ChaCha8Rng::from_seed(seed.0);
    generator.set_stream(u64::from(ply));
    generator
}

/// A number below `bound` from a stream of uniform 32-bit words.
fn below(words: &mut ChaCha8Rng, bound: u32) -> u32 {
    // Of the 2^32 words, 2^32 mod bound too many would fall on some results: those words are drawn
    // again.
    let surplus = bound.wrapping_neg() % bound.max(1);
    loop {
        let product = u64::from(words.next_u32()) * u64::from(bound);
        let (high, low) = ((product >> 32) as u32, product as u32);
        if low >= surplus {
            return high;
        }
    }
}

impl Script {
    fn next(&mut self, lowest: u32, count: u32) -> u32 {
        let highest = lowest + count.saturating_sub(1);
        let fault = match self.draws.pop_front() {
            Some(draw) if (lowest..=highest).contains(&draw) => return draw,
            Some(draw) => ScriptFault::OutOfRange {
                draw,
                lowest,
                highest,
            },
            None => ScriptFault::RanOut,
        };
        self.fault.get_or_insert(fault);
        lowest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes 0 to 31.
    const SEED: Seed = {
        let mut bytes = [0; 32];
        let mut at = 0;
        while at < bytes.len() {
            bytes[at] = at as u8;
            at += 1;
        }
        Seed(bytes)
    };

    // All vectors were computed by an independent program from the published definition of ChaCha.

    #[test]
    fn the_words_are_those_of_chacha8() {
        // First word of the ChaCha8 keystream of an all-zero key: 3e 00 ef 2f
        // (draft-strombergson-chacha-test-vectors, TC1). A bound of 2^31 gives a word less its
        // lowest bit.
        let mut chance = Chance::at_ply(Seed([0; 32]), 0);
        let words = [(); 4].map(|()| chance.below(1 << 31));
        assert_eq!(
            words,
            [0x2fef003e, 0xd6405f89, 0xe8b85b7f, 0xa1a5091f].map(|word: u32| word >> 1)
        );
    }

    #[test]
    fn below_is_pinned_for_each_ply() {
        // The large bounds reject about a third of all words.
        let bounds = [
            2,
            6,
            10,
            52,
            1000,
            3_000_000_000,
            3_000_000_000,
            3_000_000_000,
            u32::MAX,
        ];
        let drawn = |ply| {
            let mut chance = Chance::at_ply(SEED, ply);
            bounds.map(|bound| chance.below(bound))
        };
        assert_eq!(
            drawn(0),
            [
                1, 2, 4, 10, 152, 2521656130, 2387637554, 700860745, 3159703662
            ]
        );
        assert_eq!(
            drawn(1),
            [
                1, 4, 5, 29, 339, 242423534, 1938340959, 676271731, 678985259
            ]
        );
        assert_eq!(
            drawn(1_000_000),
            [
                0, 2, 1, 46, 462, 43776912, 1067886198, 2402559618, 3799711603
            ]
        );
    }

    #[test]
    fn dice_and_shuffles_are_pinned() {
        let mut chance = Chance::at_ply(SEED, 7);
        assert_eq!(
            [(); 12].map(|()| chance.die(6)),
            [6, 6, 1, 1, 5, 3, 5, 3, 4, 1, 3, 2]
        );
        assert_eq!([(); 6].map(|()| chance.die(4)), [4, 1, 1, 1, 2, 3]);

        let mut deck: Vec<u32> = (0..12).collect();
        Chance::at_ply(SEED, 8).shuffle(&mut deck);
        assert_eq!(deck, [7, 1, 3, 9, 5, 10, 11, 6, 0, 8, 2, 4]);
    }

    #[test]
    fn a_bound_of_one_leaves_nothing_open() {
        let mut chance = Chance::at_ply(SEED, 0);
        assert_eq!([(); 4].map(|()| chance.below(1)), [0; 4]);
        chance.shuffle::<u32>(&mut []);
        chance.shuffle(&mut [1]);
    }

    #[test]
    fn a_script_says_what_comes() {
        let mut chance = Chance::scripted([5, 0, 3, 1, 0]);
        assert_eq!((chance.die(6), chance.below(2), chance.die(4)), (5, 0, 3));
        let mut deck = ['a', 'b', 'c'];
        chance.shuffle(&mut deck);
        // 1 below 3: b and c change places; 0 below 2: a and c.
        assert_eq!(deck, ['c', 'a', 'b']);
        assert_eq!(chance.script_fits(), Ok(()));
    }

    #[test]
    fn a_script_that_does_not_fit_is_told() {
        let mut short = Chance::scripted([]);
        assert_eq!(short.die(6), 1);
        assert_eq!(short.script_fits(), Err(ScriptFault::RanOut));

        let mut wrong = Chance::scripted([7]);
        assert_eq!(wrong.die(6), 1);
        assert_eq!(
            wrong.script_fits(),
            Err(ScriptFault::OutOfRange {
                draw: 7,
                lowest: 1,
                highest: 6
            })
        );

        assert_eq!(
            Chance::scripted([1, 2]).script_fits(),
            Err(ScriptFault::LeftOver { left: 2 })
        );
        assert_eq!(Chance::at_ply(SEED, 0).script_fits(), Ok(()));
    }

    #[test]
    fn a_seed_is_written_in_full_and_shown_to_nobody() {
        let text = serde_json::to_string(&SEED).unwrap();
        assert_eq!(
            text,
            r#""000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f""#
        );
        assert_eq!(serde_json::from_str::<Seed>(&text).unwrap(), SEED);
        for wrong in [
            r#""00""#,
            r#""""#,
            &text.replace('f', "g"),
            &text.replace("1f", "1f0"),
        ] {
            assert!(serde_json::from_str::<Seed>(wrong).is_err(), "{wrong}");
        }
        assert_eq!(format!("{SEED:?}"), "Seed(hidden)");
    }

    #[test]
    fn a_numbered_seed_begins_with_its_number() {
        let Seed(bytes) = Seed::from_number(0x0102);
        assert_eq!(bytes[..3], [2, 1, 0]);
        assert_eq!(Seed::from_number(0), Seed([0; 32]));
    }
}
