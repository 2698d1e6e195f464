//! What came of the rounds: the table and the bars.

use crate::{Case, LATENCY_BAR, PLAY_BAR};

/// One round of one server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub(crate) steps_per_s: f64,
    /// Of the server, in user and kernel mode.
    pub(crate) cpu_us_per_step: f64,
    pub(crate) reply_bytes: f64,
    pub(crate) messages_per_step: f64,
    /// The 99th percentile of how long a call took, in microseconds; 0 over Play.
    pub(crate) p99_us: f64,
}

/// All rounds of a case: the n-th samples of the two servers were taken one right after the other.
pub(crate) struct Samples {
    pub(crate) case: &'static Case,
    pub(crate) product: Vec<Sample>,
    pub(crate) echo: Vec<Sample>,
    /// The 99th percentiles of a bare commit in each round, in microseconds, where the echo commits.
    pub(crate) commit_p99_us: Vec<f64>,
}

impl Samples {
    /// None yet.
    pub(crate) const fn of(case: &'static Case) -> Self {
        Self {
            case,
            product: Vec::new(),
            echo: Vec::new(),
            commit_p99_us: Vec::new(),
        }
    }

    /// What the product reached of the echo's steps per second.
    fn rate_ratio(&self) -> f64 {
        self.ratio(|product, echo| product.steps_per_s / echo.steps_per_s)
    }

    /// The same in CPU: what the echo uses for a step, of what the product does.
    fn cpu_ratio(&self) -> f64 {
        self.ratio(|product, echo| echo.cpu_us_per_step / product.cpu_us_per_step)
    }

    fn ratio(&self, ratio: impl Fn(&Sample, &Sample) -> f64) -> f64 {
        median(
            self.product
                .iter()
                .zip(&self.echo)
                .map(|(product, echo)| ratio(product, echo)),
        )
    }
}

/// Prints the table and a line for each bar.
pub(crate) fn report<'a>(cases: impl Iterator<Item = &'a Samples> + Clone) {
    println!();
    println!(
        "case              server      steps/s  CPU us/step  reply bytes  messages/step       p99 us"
    );
    for samples in cases.clone() {
        let name = samples.case.name;
        for (server, samples) in [("product", &samples.product), ("echo", &samples.echo)] {
            let median = |value: fn(&Sample) -> f64| median(samples.iter().map(value));
            println!(
                "{name:18}{server:8}{:>11.0}{:>13.2}{:>13.0}{:>15.2}{:>13.0}",
                median(|sample| sample.steps_per_s),
                median(|sample| sample.cpu_us_per_step),
                median(|sample| sample.reply_bytes),
                median(|sample| sample.messages_per_step),
                median(|sample| sample.p99_us),
            );
        }
        let (rate, cpu) = (samples.rate_ratio(), samples.cpu_ratio());
        println!("{name:18}{:8}{rate:>11.2}{cpu:>13.2}", "ratio");
    }
    println!();
    for samples in cases.clone() {
        if let Some((bar, least)) = samples.case.bar {
            let (rate, cpu) = (samples.rate_ratio(), samples.cpu_ratio());
            println!(
                "{bar} {}: calls/s {rate:.2} E, CPU {cpu:.2} E (bar {least:.2})",
                samples.case.name
            );
        }
    }
    let (bar, case, most) = LATENCY_BAR;
    if let Some(samples) = cases.clone().find(|samples| samples.case.name == case) {
        let commits = samples.commit_p99_us.iter().copied();
        let waits = samples.product.iter().zip(&samples.commit_p99_us);
        println!(
            "{bar} {case}: p99 {:.2} of twice the p99 of a bare commit at that load, {:.0} us (bar at most {most:.2})",
            median(waits.map(|(product, commit)| product.p99_us / (2.0 * commit))),
            median(commits),
        );
    }
    let (bar, play, unary, most) = PLAY_BAR;
    let cpu = |name| {
        let samples = cases.clone().find(|samples| samples.case.name == name)?;
        Some(median(
            samples.product.iter().map(|sample| sample.cpu_us_per_step),
        ))
    };
    if let (Some(play_cpu), Some(unary_cpu)) = (cpu(play), cpu(unary)) {
        println!(
            "{bar} {play} / {unary}: CPU {:.2} (bar at most {most:.2})",
            play_cpu / unary_cpu
        );
    }
}

/// The middle value; the upper one of two.
pub(crate) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
