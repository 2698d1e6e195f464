//! Whether the time that something takes tells two worlds apart.

use std::{
    ops::AsyncFnMut,
    time::{Duration, Instant},
};

/// How often the worlds are compared before they are said to differ.
const MEASUREMENTS: u32 = 3;

/// How long a call took, and what came of it.
pub async fn timed<T>(call: impl Future<Output = T>) -> (Duration, T) {
    let began = Instant::now();
    let outcome = call.await;
    (began.elapsed(), outcome)
}

/// Times in one world, each compared with each in another: over many such pairs of worlds, of which each is compared for
/// itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compared {
    longer: f64,
    pairs: f64,
}

impl Compared {
    /// Compares the times of two worlds.
    pub fn add(&mut self, these: &[Duration], mut others: Vec<Duration>) {
        others.sort_unstable();
        for time in these {
            let shorter = others.partition_point(|other| other < time);
            let as_long = others.partition_point(|other| other <= time) - shorter;
            self.longer += shorter as f64 + as_long as f64 / 2.0;
        }
        self.pairs += (these.len() * others.len()) as f64;
    }

    /// The chance that the first world takes longer than the other, which is what a threshold between them finds (AUC): one
    /// half if nothing can be told.
    pub fn chance_of_longer(self) -> f64 {
        assert!(self.pairs > 0.0, "there is nothing to compare");
        self.longer / self.pairs
    }
}

/// The one of them that tells most.
pub fn furthest_from_chance(found: impl IntoIterator<Item = f64>) -> f64 {
    let distance = |auc: &f64| (auc - 0.5).abs();
    let furthest = found
        .into_iter()
        .max_by(|one, other| distance(one).total_cmp(&distance(other)));
    furthest.expect("there is one")
}

/// I4: no threshold tells the worlds apart better than `tolerance` beside one half, in neither direction. Each measurement
/// is a fresh one.
///
/// A difference of the worlds is there in every measurement. What else the machine is at may fall on one world more than
/// on the other in one of them, and in a test that runs beside others sometimes does: it does not in three.
pub async fn tells_nothing(what: &str, tolerance: f64, mut measure: impl AsyncFnMut() -> f64) {
    let mut found = Vec::new();
    for _ in 0..MEASUREMENTS {
        let auc = measure().await;
        println!("{what}: AUC {auc:.3}");
        if (auc - 0.5).abs() <= tolerance {
            return;
        }
        found.push(auc);
    }
    panic!("{what}: the time tells it, AUC {found:.3?}");
}
