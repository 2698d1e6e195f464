//! Logs on stderr. Never a token, a seed or a hand in them.

use std::io::stderr;

use tracing_subscriber::{EnvFilter, fmt, util::TryInitError};

use crate::config::{Config, LogFormat};

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

/// Starts logging as `config` says.
///
/// # Errors
/// If the filter cannot be read, or if it was called before.
pub fn start(config: &Config) -> Result<(), TelemetryError> {
    use tracing_subscriber::util::SubscriberInitExt as _;

    let filter = EnvFilter::try_new(&config.log).map_err(|source| TelemetryError::Filter {
        filter: config.log.clone(),
        source,
    })?;
    let builder = fmt().with_env_filter(filter).with_writer(stderr);
    match config.log_format {
        LogFormat::Text => builder.with_ansi(false).finish().try_init()?,
        LogFormat::Json => builder.json().finish().try_init()?,
    }
    Ok(())
}
