//! Calls that are refused or fail.

use std::{
    collections::HashMap,
    error::{self, Error as _},
    fmt,
    sync::Arc,
    time::Duration,
};

use tonic::{Code, Status};
use tonic_types::StatusExt as _;

use crate::v1::ErrorReason;

/// A call that the server refused, or that did not reach it.
#[derive(Clone)]
pub struct Error(Box<Facts>);

#[derive(Clone)]
struct Facts {
    code: Code,
    reason: String,
    metadata: HashMap<String, String>,
    violations: Vec<Violation>,
    retry_delay: Option<Duration>,
    status: Status,
}

/// A field of a request that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Its path, such as `options.santorini.max_turns`.
    pub field: String,
    /// What is wrong with it and what is allowed.
    pub description: String,
}

impl Error {
    /// The status code. What did not reach the server, or whose reply did not come, is [`Code::Unavailable`].
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// What went wrong, for people.
    pub fn message(&self) -> &str {
        self.0.status.message()
    }

    /// Why the table refused the call. None if the error comes from elsewhere, or if the reason is one of a newer server
    /// than this crate knows; see [`reason_name`](Self::reason_name).
    pub fn reason(&self) -> Option<ErrorReason> {
        ErrorReason::from_str_name(&format!("ERROR_REASON_{}", self.0.reason))
    }

    /// The name of the reason without its prefix, such as `STALE_DECISION`. Empty if the error comes from elsewhere than
    /// the table.
    pub fn reason_name(&self) -> &str {
        &self.0.reason
    }

    /// The facts that belong to the reason, such as the `decision_id` that is open now.
    pub fn metadata(&self) -> &HashMap<String, String> {
        &self.0.metadata
    }

    /// The fields of the request that are wrong.
    pub fn violations(&self) -> &[Violation] {
        &self.0.violations
    }

    /// The time after which the server asks to try again, if it does.
    pub fn retry_delay(&self) -> Option<Duration> {
        self.0.retry_delay
    }

    /// Whether the same call may succeed a little later. That does not say that it had no effect: repeat only what is
    /// safe to repeat.
    pub fn is_transient(&self) -> bool {
        matches!(self.code(), Code::Unavailable | Code::DeadlineExceeded)
            || self.0.retry_delay.is_some()
    }

    /// The status, with all its details.
    pub fn status(&self) -> &Status {
        &self.0.status
    }

    /// Whether an answer came too late: the table has gone on, and the stream will tell how.
    pub(crate) fn is_overtaken(&self) -> bool {
        self.reason() == Some(ErrorReason::GameOver)
            || self.code() == Code::Aborted && !self.0.reason.is_empty()
    }

    /// What the caller gave cannot be sent.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Status::invalid_argument(message).into()
    }

    /// The server did not do what the contract says.
    pub(crate) fn unexpected(message: &str) -> Self {
        Status::internal(message).into()
    }

    /// A call took longer than the client lets it.
    pub(crate) fn too_late(limit: Duration) -> Self {
        Status::deadline_exceeded(format!("no reply within {limit:?}")).into()
    }
}

impl From<Status> for Error {
    fn from(status: Status) -> Self {
        let details = status.get_error_details();
        let (reason, metadata) = match details.error_info() {
            Some(info) if info.domain == "tavola" => (info.reason.clone(), info.metadata.clone()),
            _ => Default::default(),
        };
        let wrong = details.bad_request().map(|wrong| &*wrong.field_violations);
        let violations = wrong.unwrap_or_default().iter().map(|wrong| Violation {
            field: wrong.field.clone(),
            description: wrong.description.clone(),
        });
        Self(Box::new(Facts {
            // A status that says what it was made from was made on this side: the connection is broken. What HTTP/2 calls
            // that, or the code for it, is of no use to anybody.
            code: match status.source() {
                Some(_) => Code::Unavailable,
                None => status.code(),
            },
            reason,
            metadata,
            violations: violations.collect(),
            retry_delay: details.retry_info().and_then(|retry| retry.retry_delay),
            status,
        }))
    }
}

impl From<tonic::transport::Error> for Error {
    fn from(error: tonic::transport::Error) -> Self {
        let mut status = Status::unavailable(with_causes(&error));
        status.set_source(Arc::new(error));
        status.into()
    }
}

/// What an error says, and what caused it.
pub(crate) fn with_causes(error: &dyn error::Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        message.push_str(&format!(": {error}"));
        cause = error.source();
    }
    message
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.code())?;
        if !self.0.reason.is_empty() {
            write!(f, " {}", self.0.reason)?;
        }
        write!(f, ": {}", self.message())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("code", &self.code())
            .field("reason", &self.0.reason)
            .field("message", &self.message())
            .field("metadata", &self.0.metadata)
            .field("violations", &self.0.violations)
            .field("retry_delay", &self.0.retry_delay)
            .field("source", &self.0.status.source())
            .finish()
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        self.0.status.source()
    }
}
