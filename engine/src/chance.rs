//! What nobody decides: dice, shuffles and draws, reproducible for ever from a seed and a ply.
//!
//! The generator is ChaCha8 (D. J. Bernstein, 2008), keyed by the seed; ply *n* reads its stream *n* from the start, so the chance of a
//! ply depends on (seed, ply) alone, and no generator state needs saving. The steps from its 32-bit words to a number below a bound and
//! to a shuffle are ours and pinned by test vectors: an update of a dependency can't change an old game.

use std::collections::VecDeque;
use std::fmt;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

/// The 256 bits that all chance of a playthrough flows from.
///
/// A secret until the game is over: who knows the seed knows every draw to come. `Debug` hides it and there is no `Display`; serde
/// writes it as 64 hexadecimal digits, as part of a record.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Seed(pub [u8; 32]);

impl Seed {
    /// The seed with this number in its first eight bytes, least significant first, and zeros behind: for tests and experiments.
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
        let digits: Option<Vec<u32>> = hex.chars().map(|digit| digit.to_digit(16)).collect();
        let bytes = digits.map(|digits| {
            digits
                .chunks(2)
                .map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit) as u8)
                .collect::<Vec<_>>()
        });
        let seed = bytes
            .and_then(|bytes| <[u8; 32]>::try_from(bytes).ok())
            .filter(|_| hex.len() == 64);
        seed.map(Self)
            .ok_or_else(|| de::Error::custom("a seed is 64 hexadecimal digits"))
    }
}

/// The source of all chance in the rules. Numbers are drawn in an order that belongs to the rules: another order is another game.
#[derive(Clone, Debug)]
pub struct Chance(Source);

#[derive(Clone, Debug)]
enum Source {
    /// Nothing has been drawn yet. Most plies end like this, and then the generator is never built.
    Untouched {
        seed: Seed,
        ply: u32,
    },
    Running(Box<ChaCha8Rng>),
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
    /// The chance of one ply. Ply 0 is the set-up; the first action or resignation is ply 1. Costs nothing until something is drawn.
    #[inline]
    pub const fn at_ply(seed: Seed, ply: u32) -> Self {
        Self(Source::Untouched { seed, ply })
    }

    /// Chance that says what a test needs: the results of the coming draws, in order. A [`die`](Self::die) shows its scripted face, a
    /// [`below`](Self::below) gives its scripted number, and a shuffle of *n* items takes *n* - 1 numbers, the first below *n*.
    ///
    /// Where the script doesn't fit, the draw gives the lowest number and [`script_fits`](Self::script_fits) tells.
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
    /// Lemire's multiply-and-reject ("Fast Random Integer Generation in an Interval", 2019) on 32-bit words: no bias at all.
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

    /// Puts the items in a random order, each order equally likely: Fisher-Yates from the back (Durstenfeld, 1964).
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
        if let Source::Untouched { seed, ply } = self.0 {
            let mut generator = ChaCha8Rng::from_seed(seed.0);
            generator.set_stream(u64::from(ply));
            self.0 = Source::Running(Box::new(generator));
        }
        match &mut self.0 {
            Source::Running(generator) => lowest + below(generator, count),
            Source::Scripted(script) => script.next(lowest, count),
            Source::Untouched { .. } => lowest,
        }
    }
}

/// A number below `bound` from a stream of uniform 32-bit words.
fn below(words: &mut ChaCha8Rng, bound: u32) -> u32 {
    // Of the 2^32 words, 2^32 mod bound too many would fall on some results: those words are drawn again.
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
