//! The page that Prometheus reads, on an address of its own.

use std::{
    convert::Infallible,
    fmt::Error,
    net::TcpListener,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use http::{Method as Verb, Request, Response, StatusCode, header};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, NoLabelSet, text},
    metrics::{MetricType, exemplar::Exemplar},
    registry::Registry,
};
use tokio::sync::Semaphore;
use tonic::Code;

use super::{
    Metrics,
    calls::BOUNDS,
    sessions::{STATUSES, SessionCounts},
};
use crate::{session::BotPool, transport::Connections, wire::GAMES};

/// The format of the page.
const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Readers at once: more wait.
const READERS_MAX: usize = 8;

/// How long a reader may take to ask, and to be answered.
const READER_TIMEOUT: Duration = Duration::from_secs(10);

/// All that the page tells of.
#[derive(Debug)]
pub struct Page {
    registry: Registry,
}

#[derive(Debug)]
struct Source {
    metrics: Arc<Metrics>,
    connections: Arc<Connections>,
    bots: Arc<BotPool>,
}

impl Page {
    /// The page of a server that counts in these.
    #[must_use]
    pub fn new(metrics: Arc<Metrics>, connections: Arc<Connections>, bots: Arc<BotPool>) -> Self {
        let mut registry = Registry::with_prefix("tavola");
        registry.register(
            "store_commit_seconds",
            "Time that the store took to commit a group of writes",
            metrics.commit_seconds.clone(),
        );
        registry.register(
            "store_commit_writes",
            "Writes that the store committed at once",
            metrics.commit_writes.clone(),
        );
        let source = Source {
            metrics,
            connections,
            bots,
        };
        registry.register_collector(Box::new(source));
        Self { registry }
    }

    /// The page as text.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn text(&self) -> Result<String, Error> {
        let mut text = String::new();
        text::encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

impl Collector for Source {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), Error> {
        self.encode_calls(&mut encoder)?;
        self.encode_sessions(&mut encoder)?;
        let Self {
            metrics,
            connections,
            bots,
        } = self;
        let counter = MetricType::Counter;
        let mut refusals = encoder.encode_descriptor(
            "refusals",
            "Calls and connections that were refused, by the limit that was met",
            None,
            counter,
        )?;
        let of_calls = metrics.refusals.lock().clone();
        let of_connections = connections
            .refused()
            .map(|(limit, count)| (limit.to_owned(), count));
        for (limit, count) in of_calls.into_iter().chain(of_connections) {
            refusals
                .encode_family(&[("limit", limit.as_str())])?
                .encode_counter(&count, none())?;
        }
        for (name, help, count) in [
            (
                "connections_accepted",
                "Connections that were let in",
                connections.accepted(),
            ),
            (
                "bot_answers",
                "Decisions that house bots have answered",
                metrics.bot_answers.load(Ordering::Relaxed),
            ),
            (
                "store_failures",
                "Times that the store has not done what it was asked",
                metrics.store_failures.load(Ordering::Relaxed),
            ),
            (
                "log_lines_left_out",
                "Lines that were left out of the log because there were too many",
                metrics.log_lines_left_out(),
            ),
        ] {
            encoder
                .encode_descriptor(name, help, None, counter)?
                .encode_counter(&count, none())?;
        }
        for (name, help, value) in [
            (
                "connections",
                "Connections that are open",
                i64::from(connections.count()),
            ),
            (
                "bots_waiting",
                "Sessions in which a house bot owes an answer",
                i64::try_from(bots.waiting()).unwrap_or(i64::MAX),
            ),
        ] {
            encoder
                .encode_descriptor(name, help, None, MetricType::Gauge)?
                .encode_gauge(&value)?;
        }
        Ok(())
    }
}

impl Source {
    fn encode_calls(&self, encoder: &mut DescriptorEncoder<'_>) -> Result<(), Error> {
        let counted: Vec<_> = self.metrics.calls.counted().collect();
        let mut calls = encoder.encode_descriptor(
            "calls",
            "Calls that have ended, by method and status code",
            None,
            MetricType::Counter,
        )?;
        for (method, counts) in &counted {
            for (number, count) in (0..).zip(&counts.codes) {
                if *count > 0 {
                    let code = name_of(Code::from_i32(number));
                    calls
                        .encode_family(&[("method", method.name()), ("code", &code)])?
                        .encode_counter(count, none())?;
                }
            }
        }
        let mut seconds = encoder.encode_descriptor(
            "call_seconds",
            "Time until the reply to a call began",
            None,
            MetricType::Histogram,
        )?;
        for (method, counts) in &counted {
            let bounds = BOUNDS.iter().map(|bound| bound.as_secs_f64());
            let buckets: Vec<_> = bounds.chain([f64::MAX]).zip(counts.buckets).collect();
            let count: u64 = buckets.iter().map(|(_, count)| count).sum();
            if count > 0 {
                seconds
                    .encode_family(&[("method", method.name())])?
                    .encode_histogram::<NoLabelSet>(
                        Duration::from_nanos(counts.nanoseconds).as_secs_f64(),
                        count,
                        &buckets,
                        None,
                    )?;
            }
        }
        let mut open = encoder.encode_descriptor(
            "streams_open",
            "Streams of replies that are open, by method",
            None,
            MetricType::Gauge,
        )?;
        for (method, _) in counted.iter().filter(|(method, _)| method.streams) {
            open.encode_family(&[("method", method.name())])?
                .encode_gauge(&method.open())?;
        }
        Ok(())
    }

    fn encode_sessions(&self, encoder: &mut DescriptorEncoder<'_>) -> Result<(), Error> {
        encode_counts(
            &self.metrics.sessions,
            [
                ("sessions", "Sessions in memory, by game and status"),
                ("plies", "Plies that were played, by game"),
            ],
            encoder,
        )?;
        encode_counts(
            &self.metrics.sandboxes,
            [
                (
                    "sandboxes",
                    "Sandboxes, by game and status; they are no sessions",
                ),
                (
                    "sandbox_plies",
                    "Plies that were played in sandboxes, by game",
                ),
            ],
            encoder,
        )
    }
}

/// Sessions of one kind, and the plies that were played in them: each under a name, with a help text.
fn encode_counts(
    counts: &SessionCounts,
    [sessions, plies]: [(&str, &str); 2],
    encoder: &mut DescriptorEncoder<'_>,
) -> Result<(), Error> {
    let of_games = || GAMES.iter().zip(&counts.0);
    let (name, help) = sessions;
    let mut sessions = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
    for (game, counts) in of_games() {
        for (status, count) in STATUSES.iter().zip(&counts.statuses) {
            let status = status.as_str_name().trim_start_matches("SESSION_STATUS_");
            sessions
                .encode_family(&[("game", game.id), ("status", status)])?
                .encode_gauge(&count.load(Ordering::Relaxed))?;
        }
    }
    let (name, help) = plies;
    let mut plies = encoder.encode_descriptor(name, help, None, MetricType::Counter)?;
    for (game, counts) in of_games() {
        plies
            .encode_family(&[("game", game.id)])?
            .encode_counter(&counts.plies.load(Ordering::Relaxed), none())?;
    }
    Ok(())
}

/// No exemplar: it would tell one call from the others.
const fn none() -> Option<&'static Exemplar<NoLabelSet, f64>> {
    None
}

/// The name of a code as gRPC writes it.
fn name_of(code: Code) -> String {
    let mut name = String::new();
    for letter in format!("{code:?}").chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() && code != Code::Ok {
            name.push('_');
        }
        name.push(letter.to_ascii_uppercase());
    }
    name
}

/// Serves the page to whoever asks `listener`, for as long as it is polled.
///
/// # Errors
/// If the event loop cannot take the socket.
pub async fn serve(listener: TcpListener, page: Arc<Page>) -> std::io::Result<Infallible> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let readers = Arc::new(Semaphore::new(READERS_MAX));
    loop {
        let Ok(reader) = Arc::clone(&readers).acquire_owned().await else {
            return Err(std::io::ErrorKind::Other.into());
        };
        let socket = match listener.accept().await {
            Ok((socket, _)) => socket,
            Err(error) => {
                tracing::warn!(%error, "cannot accept a reader of the metrics");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let page = Arc::clone(&page);
        tokio::spawn(async move {
            let answer = service_fn(|request| std::future::ready(answer(&page, &request)));
            let served = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(READER_TIMEOUT)
                .keep_alive(false)
                .serve_connection(TokioIo::new(socket), answer);
            // Whoever goes away or is too slow asks again.
            let _ = tokio::time::timeout(READER_TIMEOUT, served).await;
            drop(reader);
        });
    }
}

fn answer(page: &Page, request: &Request<Incoming>) -> Result<Response<String>, http::Error> {
    let said = |status, body: &str| Response::builder().status(status).body(body.to_owned());
    if request.uri().path() != "/metrics" {
        return said(StatusCode::NOT_FOUND, "the metrics are at /metrics\n");
    }
    if request.method() != Verb::GET {
        return said(
            StatusCode::METHOD_NOT_ALLOWED,
            "the metrics are read with GET\n",
        );
    }
    match page.text() {
        Ok(text) => Response::builder()
            .header(header::CONTENT_TYPE, CONTENT_TYPE)
            .body(text),
        Err(_) => said(
            StatusCode::INTERNAL_SERVER_ERROR,
            "the metrics cannot be written\n",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::calls::CODES;

    #[test]
    fn codes_are_named_as_grpc_names_them() {
        let names: Vec<_> = (0..)
            .take(CODES)
            .map(|code| name_of(Code::from_i32(code)))
            .collect();
        assert_eq!(
            (&*names[0], &*names[1], &*names[3], &*names[16]),
            ("OK", "CANCELLED", "INVALID_ARGUMENT", "UNAUTHENTICATED")
        );
    }
}
