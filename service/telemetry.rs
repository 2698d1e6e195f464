//! Logs on stderr. Never a token, a seed or a hand in them.

use std::{
    io::stderr,
    sync::{
        Arc,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
    time::Instant,
};

use tracing::{Event, Level, Subscriber};
use tracing_subscriber::{
    EnvFilter, Layer,
    fmt::{self, format::FmtSpan},
    layer::{Context, SubscriberExt as _},
    registry,
    util::{SubscriberInitExt as _, TryInitError},
};

use crate::{
    config::{Config, LogFormat},
    metrics::Metrics,
};

/// Lines a second of each level that are written, at most. What somebody asked for to look closely (debug, trace) is
/// never left out; of the others there are as many as there is trouble, and an attacker can make as much as he likes.
const LINES_PER_S: [(Level, u32); 3] = [(Level::ERROR, 20), (Level::WARN, 30), (Level::INFO, 50)];

/// Why logging cannot start.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The filter of `--log` cannot be read.
    #[error("invalid value '{filter}' for '--log <FILTER>': {source}")]
    Filter {
        /// What was given.
        filter: String,
        /// What is wrong with it.
        source: tracing_subscriber::filter::ParseError,
    },
    /// Something else in the process logs already.
    #[error("logging has been started already")]
    Started(#[from] TryInitError),
}

/// Starts logging as `config` says. At debug level every call in a session is a line, with its span.
///
/// # Errors
/// If the filter cannot be read, or if it was called before.
pub fn start(config: &Config, metrics: Arc<Metrics>) -> Result<(), TelemetryError> {
    let filter = EnvFilter::try_new(&config.log).map_err(|source| TelemetryError::Filter {
        filter: config.log.clone(),
        source,
    })?;
    let lines = fmt::layer()
        .with_writer(stderr)
        .with_span_events(FmtSpan::CLOSE);
    let lines = match config.log_format {
        LogFormat::Text => lines.with_ansi(false).boxed(),
        LogFormat::Json => lines.json().boxed(),
    };
    registry()
        .with(lines)
        .with(Budget::new(metrics))
        .with(filter)
        .try_init()?;
    Ok(())
}

/// Lets so many lines of each level through in each second, and counts the others.
#[derive(Debug)]
struct Budget {
    began: Instant,
    levels: [Spent; LINES_PER_S.len()],
    metrics: Arc<Metrics>,
}

#[derive(Debug, Default)]
struct Spent {
    second: AtomicU64,
    lines: AtomicU32,
}

impl Budget {
    fn new(metrics: Arc<Metrics>) -> Self {
        Self {
            began: Instant::now(),
            levels: Default::default(),
            metrics,
        }
    }

    fn allows(&self, level: Level, second: u64) -> bool {
        let Some((spent, (_, most))) = self
            .levels
            .iter()
            .zip(LINES_PER_S)
            .find(|(_, (of, _))| *of == level)
        else {
            return true;
        };
        if spent.second.swap(second, Ordering::Relaxed) != second {
            spent.lines.store(0, Ordering::Relaxed);
        }
        let allowed = spent.lines.fetch_add(1, Ordering::Relaxed) < most;
        if !allowed {
            self.metrics.log_line_left_out();
        }
        allowed
    }
}

impl<S: Subscriber> Layer<S> for Budget {
    fn event_enabled(&self, event: &Event<'_>, _: Context<'_, S>) -> bool {
        self.allows(*event.metadata().level(), self.began.elapsed().as_secs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_has_its_lines_in_each_second_and_the_rest_is_counted() {
        let metrics = Arc::new(Metrics::new());
        let budget = Budget::new(Arc::clone(&metrics));
        let passed = |level, second| (0..1000).filter(|_| budget.allows(level, second)).count();
        for second in [0, 1, 7] {
            assert_eq!(passed(Level::INFO, second), 50);
            assert_eq!(passed(Level::WARN, second), 30);
            assert_eq!(passed(Level::ERROR, second), 20);
            assert_eq!(passed(Level::DEBUG, second), 1000);
            assert_eq!(passed(Level::TRACE, second), 1000);
        }
        assert_eq!(metrics.log_lines_left_out(), 3 * 2900);
    }
}
