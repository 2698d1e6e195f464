//! What the server is told at its start: flags, `TAVOLA_*` variables and a file, in this order of precedence.

use std::{ffi::OsString, net::SocketAddr, path::PathBuf, time::Duration};

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum, parser::ValueSource};

use crate::verify;

/// A headless board-game table: hosts sessions of board games over gRPC.
///
/// Every flag can also be given as a variable (TAVOLA_SESSIONS_MAX=500) or as a line of the --config file
/// (sessions-max = 500). A flag wins over a variable, a variable over the file.
#[derive(Clone, Debug, Parser)]
#[command(name = "tavola", version, max_term_width = 100)]
pub struct Config {
    /// What to do; serving is the default.
    #[command(subcommand)]
    pub command: Option<Command>,

    /// Where to listen; port 0 picks a free one.
    #[arg(
        long,
        env = "TAVOLA_LISTEN",
        value_name = "ADDR",
        default_value = "127.0.0.1:50051",
        global = true
    )]
    pub listen: SocketAddr,

    /// A TOML file with flags, one per line: `name = value`.
    #[arg(long, env = "TAVOLA_CONFIG", value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,

    /// Where sessions are kept.
    #[arg(long, env = "TAVOLA_STORE", value_enum, default_value_t = StoreKind::Sqlite, global = true)]
    pub store: StoreKind,

    /// The folder in which sessions are kept. One server at a time uses it; it is made if it is not there.
    #[arg(
        long,
        env = "TAVOLA_DATA",
        value_name = "DIR",
        default_value = "./tavola-data",
        global = true
    )]
    pub data: PathBuf,

    /// Threads that serve connections, each with its own listener and event loop; 0 is one per core.
    #[arg(long, env = "TAVOLA_IO_THREADS", value_name = "N", default_value_t = 0, global = true, value_parser = clap::value_parser!(u16).range(..=256))]
    pub io_threads: u16,

    /// Threads on which house bots think.
    #[arg(long, env = "TAVOLA_BOT_THREADS", value_name = "N", default_value_t = 1, global = true, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub bot_threads: u16,

    /// What connections, calls and sessions are allowed.
    #[command(flatten)]
    pub limits: Limits,

    /// A file of API keys, one per line: `KEY` or `NAME = KEY`. With it, only calls that bring one of them (metadata
    /// `x-api-key`) may create, fork and list sessions; a player opens sandboxes without. Read again at SIGHUP.
    #[arg(long, env = "TAVOLA_API_KEYS_FILE", value_name = "FILE", global = true)]
    pub api_keys_file: Option<PathBuf>,

    /// The server's certificate chain, in PEM. With it and --tls-key all connections have to be TLS. Read again at
    /// SIGHUP.
    #[arg(long, env = "TAVOLA_TLS_CERT", value_name = "FILE", global = true)]
    pub tls_cert: Option<PathBuf>,

    /// The private key to --tls-cert, in PEM. Read again at SIGHUP.
    #[arg(long, env = "TAVOLA_TLS_KEY", value_name = "FILE", global = true)]
    pub tls_key: Option<PathBuf>,

    /// Authorities, in PEM: only clients that show a certificate of one of them may connect (mTLS). Read again at
    /// SIGHUP.
    #[arg(long, env = "TAVOLA_TLS_CLIENT_CA", value_name = "FILE", global = true)]
    pub tls_client_ca: Option<PathBuf>,

    /// Where to serve metrics for Prometheus, at http://ADDR/metrics; nowhere if unset. They are not secret, but not for
    /// everybody either: keep the address to yourself.
    #[arg(long, env = "TAVOLA_METRICS", value_name = "ADDR", global = true)]
    pub metrics: Option<SocketAddr>,

    /// Origins whose pages may call from a browser (gRPC-Web), comma-separated; `*` is any, empty is none.
    #[arg(
        long,
        env = "TAVOLA_WEB_ORIGINS",
        value_name = "ORIGINS",
        default_value = "*",
        global = true
    )]
    pub web_origins: String,

    /// Seconds that a shutdown may take before what is still open is cut.
    #[arg(
        long,
        env = "TAVOLA_SHUTDOWN_TIMEOUT_S",
        value_name = "S",
        default_value_t = 10,
        global = true
    )]
    pub shutdown_timeout_s: u32,

    /// What to log, such as `info` or `tavola=debug,h2=warn`. Logs go to stderr.
    #[arg(
        long,
        env = "TAVOLA_LOG",
        value_name = "FILTER",
        default_value = "info",
        global = true
    )]
    pub log: String,

    /// How to log.
    #[arg(long, env = "TAVOLA_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text, global = true)]
    pub log_format: LogFormat,
}

/// What the binary can do.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum Command {
    /// Hosts sessions until it is told to stop.
    Serve,
    /// Checks a replay of a finished game: its dice, every ply, and its result.
    ///
    /// Says in one line what comes of it. Exit code 0: it verifies; 1: it does not; 2: it cannot be checked.
    Verify {
        /// What SessionService/GetReplay gave: all its pages as JSON, one after the other or in an array, or a single
        /// page as binary protobuf.
        file: PathBuf,

        /// The seedCommitment that the session showed when it was created.
        #[arg(long, value_name = "BASE64", value_parser = verify::commitment_from_text)]
        commitment: Option<[u8; 32]>,
    },
}

/// Where sessions are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StoreKind {
    /// In a SQLite file in the folder of --data: an answer is on disk before its reply leaves.
    Sqlite,
    /// In memory: gone when the server stops.
    Memory,
}

/// How to log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Lines for people.
    Text,
    /// One JSON object per line.
    Json,
}

/// What connections, calls and sessions are allowed. Each refusal says which limit it met.
#[derive(Clone, Debug, clap::Args)]
pub struct Limits {
    /// Bytes of a request, at most.
    #[arg(long, env = "TAVOLA_REQUEST_BYTES_MAX", value_name = "N", default_value_t = 64 << 10, global = true, value_parser = clap::value_parser!(u32).range(1024..))]
    pub request_bytes_max: u32,

    /// Bytes of a reply, at most.
    #[arg(long, env = "TAVOLA_RESPONSE_BYTES_MAX", value_name = "N", default_value_t = 1 << 20, global = true, value_parser = clap::value_parser!(u32).range(65_536..))]
    pub response_bytes_max: u32,

    /// Bytes of the headers of a call, at most.
    #[arg(long, env = "TAVOLA_HEADER_BYTES_MAX", value_name = "N", default_value_t = 8 << 10, global = true, value_parser = clap::value_parser!(u32).range(1024..))]
    pub header_bytes_max: u32,

    /// Calls in flight on the whole server, shared out evenly among its event loops; more are refused at once.
    #[arg(long, env = "TAVOLA_CALLS_MAX", value_name = "N", default_value_t = 16_384, global = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub calls_max: u32,

    /// Milliseconds that a call may take until its reply begins.
    #[arg(long, env = "TAVOLA_CALL_TIMEOUT_MS", value_name = "MS", default_value_t = 5_000, global = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub call_timeout_ms: u32,

    /// Calls and streams open at once on one connection.
    #[arg(long, env = "TAVOLA_STREAMS_PER_CONNECTION_MAX", value_name = "N", default_value_t = 64, global = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub streams_per_connection_max: u32,

    /// Connections in all.
    #[arg(long, env = "TAVOLA_CONNECTIONS_MAX", value_name = "N", default_value_t = 4_096, global = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub connections_max: u32,

    /// Connections from one address. A proxy, or a machine full of bots, is one address.
    #[arg(long, env = "TAVOLA_CONNECTIONS_PER_PEER_MAX", value_name = "N", default_value_t = 256, global = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub connections_per_peer_max: u32,

    /// Seconds in which a connection has to say its first words.
    #[arg(long, env = "TAVOLA_HANDSHAKE_TIMEOUT_S", value_name = "S", default_value_t = 10, global = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub handshake_timeout_s: u32,

    /// Seconds without a word after which a connection is pinged. Clients may ping as often as they like.
    #[arg(long, env = "TAVOLA_KEEPALIVE_INTERVAL_S", value_name = "S", default_value_t = 30, global = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub keepalive_interval_s: u32,

    /// Seconds in which a ping has to be answered.
    #[arg(long, env = "TAVOLA_KEEPALIVE_TIMEOUT_S", value_name = "S", default_value_t = 10, global = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub keepalive_timeout_s: u32,

    /// Seconds after which a connection is asked to go and come again; 0 is never. Streams resume by version.
    #[arg(
        long,
        env = "TAVOLA_CONNECTION_AGE_MAX_S",
        value_name = "S",
        default_value_t = 0,
        global = true
    )]
    pub connection_age_max_s: u32,

    /// Seconds that an aged connection has to go by itself.
    #[arg(
        long,
        env = "TAVOLA_CONNECTION_AGE_GRACE_S",
        value_name = "S",
        default_value_t = 60,
        global = true
    )]
    pub connection_age_grace_s: u32,

    /// Bytes that a client may send on one call before they are read.
    #[arg(long, env = "TAVOLA_STREAM_WINDOW_BYTES", value_name = "N", default_value_t = 64 << 10, global = true, value_parser = clap::value_parser!(u32).range(1024..=0x7fff_ffff))]
    pub stream_window_bytes: u32,

    /// Bytes that a client may send on one connection before they are read.
    #[arg(long, env = "TAVOLA_CONNECTION_WINDOW_BYTES", value_name = "N", default_value_t = 256 << 10, global = true, value_parser = clap::value_parser!(u32).range(65_535..=0x7fff_ffff))]
    pub connection_window_bytes: u32,

    /// Frames a second that a connection may send and that are not calls, such as pings, settings and window updates; a
    /// call that is taken back counts as 10. Ten seconds' worth may come at once, and one frame more for every 32 bytes
    /// that it is sent. A connection that sends more is closed.
    #[arg(long, env = "TAVOLA_CONTROL_FRAMES_PER_S_MAX", value_name = "N", default_value_t = 1_000, global = true, value_parser = clap::value_parser!(u32).range(10..))]
    pub control_frames_per_s_max: u32,

    /// Seconds after which a stream whose client reads nothing loses its place; when the client reads on, it is told the
    /// version to resume from.
    #[arg(long, env = "TAVOLA_WRITE_STALL_S", value_name = "S", default_value_t = 20, global = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub write_stall_s: u32,

    /// Bytes of replies that a connection may leave unread for twice as long before it is closed. A long reply has a
    /// second more for every 8 KiB.
    #[arg(long, env = "TAVOLA_STALLED_BYTES_MAX", value_name = "N", default_value_t = 64 << 10, global = true, value_parser = clap::value_parser!(u32))]
    pub stalled_bytes_max: u32,

    /// Sessions kept at once.
    #[arg(long, env = "TAVOLA_SESSIONS_MAX", value_name = "N", default_value_t = 100_000, global = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub sessions_max: u32,

    /// Sandboxes that each seat of a session may have at once.
    #[arg(long, env = "TAVOLA_SANDBOXES_PER_SEAT_MAX", value_name = "N", default_value_t = 8, global = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub sandboxes_per_seat_max: u32,

    /// Sandboxes in all.
    #[arg(long, env = "TAVOLA_SANDBOXES_MAX", value_name = "N", default_value_t = 10_000, global = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub sandboxes_max: u32,

    /// Seconds after which a sandbox that nobody calls or watches is forgotten.
    #[arg(long, env = "TAVOLA_SANDBOX_IDLE_S", value_name = "S", default_value_t = 600, global = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub sandbox_idle_s: u32,

    /// Streams of spectators that watch one session; each seat has 8 of its own.
    #[arg(long, env = "TAVOLA_WATCHERS_PER_SESSION_MAX", value_name = "N", default_value_t = 256, global = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub watchers_per_session_max: u32,

    /// Updates that a watcher may fall behind before it is given a snapshot instead.
    #[arg(long, env = "TAVOLA_WATCHER_LAG_MAX", value_name = "N", default_value_t = 64, global = true, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub watcher_lag_max: u32,

    /// Seconds after which a session that nobody calls or watches is forgotten.
    #[arg(long, env = "TAVOLA_SESSION_IDLE_S", value_name = "S", default_value_t = 604_800, global = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub session_idle_s: u32,

    /// Seconds after which a finished session that nobody calls or watches is forgotten.
    #[arg(long, visible_alias = "retain", env = "TAVOLA_SESSION_RETAIN_S", value_name = "S", default_value_t = 86_400, global = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub session_retain_s: u32,

    /// Seconds after which a session that nobody calls or watches leaves memory. It comes back when it is called for.
    #[arg(long, env = "TAVOLA_SESSION_EVICT_S", value_name = "S", default_value_t = 600, global = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub session_evict_s: u32,
}

/// The files of TLS.
#[derive(Clone, Debug)]
pub struct TlsFiles {
    /// The server's certificate chain.
    pub cert: PathBuf,
    /// Its private key.
    pub key: PathBuf,
    /// The authorities of clients, if they need a certificate.
    pub client_ca: Option<PathBuf>,
}

/// Why the server cannot start: one sentence.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(String);

impl ConfigError {
    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

/// What came of reading the command line.
#[derive(Debug)]
pub enum Parsed {
    /// What to run with.
    Config(Box<Config>),
    /// `--help` or `--version`: the text to print instead of running.
    Text(String),
}

impl Config {
    /// Reads flags (the program's name first), the environment and, if one is named, the file.
    ///
    /// # Errors
    /// One sentence that names the flag, variable or file and what is wrong with it.
    pub fn read(args: impl IntoIterator<Item = OsString>) -> Result<Parsed, ConfigError> {
        let args: Vec<OsString> = args.into_iter().collect();
        let matches = match Self::command().try_get_matches_from(&args) {
            Ok(matches) => matches,
            Err(error) if !error.use_stderr() => return Ok(Parsed::Text(error.to_string())),
            Err(error) => return Err(one_sentence(&error)),
        };
        let config = Self::from_arg_matches(&matches).map_err(|error| one_sentence(&error))?;
        let Some(file) = &config.config else {
            return Ok(Parsed::Config(Box::new(config)));
        };

        // A line of the file is the flag of that name, unless a flag or variable says otherwise: so both are
        // parsed, checked and refused by the same code.
        let in_file = |what: &dyn std::fmt::Display| {
            ConfigError(format!("config file {}: {what}", file.display()))
        };
        let text = std::fs::read_to_string(file).map_err(|error| in_file(&error))?;
        let table: toml::Table = text
            .parse()
            .map_err(|error: toml::de::Error| in_file(&error.message()))?;
        let mut with_file = args;
        for (name, value) in table {
            let id = name.replace('-', "_");
            let known = Self::command()
                .get_arguments()
                .any(|arg| arg.get_id() == id.as_str());
            if !known || id == "config" {
                return Err(in_file(&format_args!("there is no setting `{name}`")));
            }
            if matches.value_source(&id) == Some(ValueSource::DefaultValue) {
                let value = match value {
                    toml::Value::String(text) => text,
                    toml::Value::Integer(number) => number.to_string(),
                    _ => {
                        return Err(in_file(&format_args!(
                            "`{name}` takes a text or a whole number"
                        )));
                    }
                };
                with_file.push(format!("--{}={value}", name.replace('_', "-")).into());
            }
        }
        match Self::try_parse_from(with_file) {
            Ok(config) => Ok(Parsed::Config(Box::new(config))),
            Err(error) => Err(in_file(&one_sentence(&error))),
        }
    }
}

impl Config {
    /// The files of TLS; none if connections are plain.
    ///
    /// # Errors
    /// If some of them are named and others missing.
    pub fn tls_files(&self) -> Result<Option<TlsFiles>, ConfigError> {
        match (&self.tls_cert, &self.tls_key, &self.tls_client_ca) {
            (Some(cert), Some(key), client_ca) => Ok(Some(TlsFiles {
                cert: cert.clone(),
                key: key.clone(),
                client_ca: client_ca.clone(),
            })),
            (None, None, None) => Ok(None),
            (None, _, _) => Err(ConfigError::new("TLS needs '--tls-cert <FILE>', too")),
            (_, None, _) => Err(ConfigError::new("TLS needs '--tls-key <FILE>', too")),
        }
    }
}

impl Limits {
    /// How long a call may take until its reply begins.
    #[must_use]
    pub fn call_timeout(&self) -> Duration {
        Duration::from_millis(self.call_timeout_ms.into())
    }

    /// Bytes of a request and of a reply, at most.
    #[must_use]
    pub fn message_bytes(&self) -> (usize, usize) {
        let bytes = |max| usize::try_from(max).unwrap_or(usize::MAX);
        (
            bytes(self.request_bytes_max),
            bytes(self.response_bytes_max),
        )
    }
}

/// The paragraph in which clap says what is wrong, on one line, without the hints that follow it.
fn one_sentence(error: &clap::Error) -> ConfigError {
    let text = error.to_string();
    let mut words = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("Usage:") || line.starts_with("For more information") {
            break;
        }
        words.extend(line.split_whitespace());
    }
    let sentence = words.join(" ").replace(" tip: ", "; ");
    ConfigError(
        sentence
            .strip_prefix("error: ")
            .unwrap_or(&sentence)
            .to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(args: &[&str]) -> Result<Config, String> {
        let args = std::iter::once("tavola")
            .chain(args.iter().copied())
            .map(OsString::from);
        match Config::read(args) {
            Ok(Parsed::Config(config)) => Ok(*config),
            Ok(Parsed::Text(text)) => Err(text),
            Err(error) => Err(error.to_string()),
        }
    }

    fn file(name: &str, text: &str) -> String {
        let path =
            std::env::temp_dir().join(format!("tavola-config-{}-{name}", std::process::id()));
        std::fs::write(&path, text).expect("the temporary folder can be written");
        path.display().to_string()
    }

    #[test]
    fn flags_have_defaults_and_serve_may_be_said() {
        assert_eq!(
            read(&[]).unwrap().listen,
            "127.0.0.1:50051".parse().unwrap()
        );
        assert_eq!(
            read(&["serve", "--listen", "[::1]:0"]).unwrap().listen,
            "[::1]:0".parse().unwrap()
        );
    }

    #[test]
    fn a_wrong_flag_is_one_sentence() {
        for args in [
            &["--nope"][..],
            &["--listen", "here"],
            &["--store", "paper"],
            &["--sessions-max", "0"],
            &["--io-threads"],
            &["play"],
        ] {
            let sentence = read(args).unwrap_err();
            assert!(!sentence.contains('\n'), "{sentence}");
            assert!(
                sentence.contains(args.last().unwrap().trim_start_matches('-')),
                "{sentence}"
            );
        }
        assert!(
            read(&["--store", "paper"]).unwrap_err().contains("memory"),
            "allowed values are named"
        );
    }

    #[test]
    fn a_line_of_the_file_is_a_flag_and_a_flag_wins() {
        let path = file("good", "sessions-max = 7\nlog = \"warn\"\n");
        let config = read(&["--config", &path, "--log", "debug"]).unwrap();
        assert_eq!(config.limits.sessions_max, 7);
        assert_eq!(config.log, "debug");
    }

    #[test]
    fn a_bad_file_is_one_sentence_that_names_it() {
        for (name, text, what) in [
            ("syntax", "sessions-max 7", "config file"),
            ("unknown", "seats = 2", "`seats`"),
            ("range", "sessions-max = 0", "--sessions-max"),
            ("kind", "sessions-max = [1]", "`sessions-max`"),
        ] {
            let path = file(name, text);
            let sentence = read(&["--config", &path]).unwrap_err();
            assert!(
                sentence.contains(&path) && sentence.contains(what) && !sentence.contains('\n'),
                "{sentence}"
            );
        }
        assert!(
            read(&["--config", "/no/such/file"])
                .unwrap_err()
                .contains("/no/such/file")
        );
    }
}
