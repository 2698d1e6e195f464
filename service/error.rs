//! Everything that can be refused, and the one place where a refusal becomes a status.

use std::{borrow::Cow, collections::HashMap, time::Duration};

use tavola_engine::{OptionsError, Rejected, Seat, SeatSet};
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt as _};

use crate::pb::v1::ErrorReason;

/// The domain of the `google.rpc.ErrorInfo` in every status.
pub const DOMAIN: &str = "tavola";

/// A field of a request and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The path of the field in the request, such as `action.santorini.move.to`.
    pub field: Cow<'static, str>,
    /// What is allowed there.
    pub allowed: Cow<'static, str>,
}

impl Violation {
    /// `field` has to be what `allowed` says.
    pub fn new(field: impl Into<Cow<'static, str>>, allowed: impl Into<Cow<'static, str>>) -> Self {
        Self {
            field: field.into(),
            allowed: allowed.into(),
        }
    }

    /// The same within the message at `path`.
    #[must_use]
    pub fn within(self, path: &str) -> Self {
        Self {
            field: format!("{path}.{}", self.field).into(),
            ..self
        }
    }
}

/// Why a call is refused. Nothing has changed when it is.
///
/// Texts say what to do, in lower case and without a full stop. They never hold a token, a seed or anything that the
/// caller may not know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A field is missing, unknown or out of its range.
    #[error("{}: {}", .0.field, .0.allowed)]
    Malformed(Violation),
    /// Options that the game forbids.
    #[error("{}: {}", .0.field, .0.allowed)]
    OptionsNotLegal(Violation),
    /// A well-formed action that the rules forbid now.
    #[error("not legal now: {why}")]
    ActionNotLegal {
        /// The rule that forbids it.
        why: &'static str,
    },
    /// The seat owes no decision now.
    #[error("{seat} is not to act; waiting for {waiting_for}")]
    NotToAct {
        /// The seat that answered.
        seat: Seat,
        /// The seats that owe an answer.
        waiting_for: SeatSet,
    },
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// All seats are taken.
    #[error("all seats are taken")]
    SessionFull,
    /// The seat that was asked for is taken.
    #[error("{seat} is taken; ask for another one or for none in particular")]
    SeatTaken {
        /// The seat that was asked for.
        seat: Seat,
    },
    /// The session still waits for players.
    #[error("the session has not started: it waits for players")]
    SessionNotStarted,
    /// What is asked for is shown once the game is over.
    #[error("this is shown once the game is over")]
    SessionNotFinished,
    /// A sandbox has no record that could be shown.
    #[error("a sandbox has no replay: it begins in a drawn state, which no record leads to")]
    Sandbox,
    /// The answer is to a decision that has passed, or that there never was.
    #[error("decision {given} is not open{}; observe again", current_text(.current))]
    StaleDecision {
        /// The decision that was answered.
        given: u64,
        /// The open one with the seats that owe it; none when the game is over.
        current: Option<(u64, SeatSet)>,
    },
    /// The time of the seat was up before the answer came.
    #[error("the time of {seat} was up before this answer came; observe again")]
    OutOfTime {
        /// The seat that answered.
        seat: Seat,
        /// The open decision with the seats that owe it; none when the game is over.
        current: Option<(u64, SeatSet)>,
    },
    /// No such session, or not one that the caller may see.
    #[error("no such session")]
    SessionNotFound,
    /// No such game.
    #[error("no such game; the games are: {games}")]
    GameNotFound {
        /// The ids of the games there are.
        games: String,
    },
    /// A token is missing, malformed or not one of this session.
    #[error("{0}")]
    TokenRequired(&'static str),
    /// A valid token that does not allow this.
    #[error("{0}")]
    SeatMismatch(&'static str),
    /// The server wants an API key for this.
    #[error("this needs an API key of this server, as metadata `x-api-key: KEY`")]
    ApiKeyRequired,
    /// A request id comes with another request than before.
    #[error(
        "this request_id was used before, for another request or for a seat that has been left; take a fresh one"
    )]
    RequestIdReused,
    /// A limit of the server is reached.
    #[error("the limit {limit} of {max} is reached; try again later")]
    LimitReached {
        /// The name of the limit, as in `tavola.v1.Limits` or on the command line.
        limit: &'static str,
        /// How many it allows.
        max: u64,
    },
    /// A stream was not read for too long.
    #[error("the stream was not read for {write_stall_s} s; resume it")]
    NotRead {
        /// How long the server waits, in seconds.
        write_stall_s: u32,
        /// The version that its client can resume from.
        resume_version: Option<u64>,
    },
    /// The call took too long.
    #[error("the call took too long; an answer to a decision is safe to repeat")]
    TimedOut,
    /// The server is going down.
    #[error("the server is shutting down; try again elsewhere or later")]
    ShuttingDown {
        /// For a stream that is cut: the version that its client can resume from.
        resume_version: Option<u64>,
    },
    /// What was asked could not be stored.
    #[error("the store does not answer; an answer to a decision is safe to repeat")]
    StoreUnavailable,
    /// What is stored of the session is not what was written.
    #[error("what is stored of this session is damaged; it is left as it is")]
    SessionDamaged,
    /// The session was played by other rules, or stored by a newer server.
    #[error("this server has not the rules by which this session was played; it is left as it is")]
    SessionOutdated,
    /// Our bug. What it was is in the log only.
    #[error("internal error")]
    Internal,
}

fn current_text(current: &Option<(u64, SeatSet)>) -> String {
    match current {
        Some((decision, seats)) => format!(", {decision} is, for {seats}"),
        None => ", the game is over".to_owned(),
    }
}

impl Error {
    /// The rules' refusal of an answer by `seat`.
    #[must_use]
    pub fn rejected(rejected: Rejected, seat: Seat) -> Self {
        match rejected {
            Rejected::GameOver | Rejected::NotSeated { .. } => Self::GameOver,
            Rejected::NotToAct { waiting_for } => Self::NotToAct { seat, waiting_for },
            Rejected::NotLegal { why } => Self::ActionNotLegal { why },
            Rejected::UnknownAction { .. } => Self::internal(rejected),
        }
    }

    /// A fault of ours: what it was goes to the log and nowhere else.
    #[must_use]
    pub fn internal(fault: impl std::fmt::Display) -> Self {
        tracing::error!(%fault, "internal error");
        Self::Internal
    }

    /// The field `field` is required and missing.
    #[must_use]
    pub fn missing(field: &'static str) -> Self {
        Self::Malformed(Violation::new(field, "is required"))
    }

    /// What the transport refused because it could not read the request, in our words. None if the status tells of
    /// something else.
    #[must_use]
    pub fn unreadable(status: &Status, request_bytes_max: u32) -> Option<Self> {
        match status.code() {
            _ if !status.details().is_empty() => None,
            Code::OutOfRange => Some(Self::LimitReached {
                limit: "request_bytes_max",
                max: request_bytes_max.into(),
            }),
            Code::Internal => Some(Self::Malformed(Violation::new(
                "request",
                "is one whole message of the type that the method takes",
            ))),
            _ => None,
        }
    }

    /// What clients match on.
    #[must_use]
    pub fn reason(&self) -> ErrorReason {
        match self {
            Self::Malformed(_) => ErrorReason::MalformedRequest,
            Self::OptionsNotLegal(_) => ErrorReason::OptionsNotLegal,
            Self::ActionNotLegal { .. } => ErrorReason::ActionNotLegal,
            Self::NotToAct { .. } => ErrorReason::NotToAct,
            Self::GameOver => ErrorReason::GameOver,
            Self::SessionFull => ErrorReason::SessionFull,
            Self::SeatTaken { .. } => ErrorReason::SeatTaken,
            Self::SessionNotStarted => ErrorReason::SessionNotStarted,
            Self::SessionNotFinished => ErrorReason::SessionNotFinished,
            Self::Sandbox => ErrorReason::Sandbox,
            Self::StaleDecision { .. } => ErrorReason::StaleDecision,
            Self::OutOfTime { .. } => ErrorReason::OutOfTime,
            Self::SessionNotFound => ErrorReason::SessionNotFound,
            Self::GameNotFound { .. } => ErrorReason::GameNotFound,
            Self::TokenRequired(_) => ErrorReason::TokenRequired,
            Self::SeatMismatch(_) => ErrorReason::SeatMismatch,
            Self::ApiKeyRequired => ErrorReason::ApiKeyRequired,
            Self::RequestIdReused => ErrorReason::RequestIdReused,
            Self::LimitReached { .. } | Self::NotRead { .. } => ErrorReason::LimitReached,
            Self::TimedOut => ErrorReason::CallTimedOut,
            Self::ShuttingDown { .. } => ErrorReason::ShuttingDown,
            Self::StoreUnavailable => ErrorReason::StoreUnavailable,
            Self::SessionDamaged => ErrorReason::SessionDamaged,
            Self::SessionOutdated => ErrorReason::SessionOutdated,
            Self::Internal => ErrorReason::Internal,
        }
    }

    fn code(&self) -> Code {
        match self {
            Self::Malformed(_) | Self::OptionsNotLegal(_) => Code::InvalidArgument,
            Self::ActionNotLegal { .. }
            | Self::NotToAct { .. }
            | Self::GameOver
            | Self::SessionFull
            | Self::SeatTaken { .. }
            | Self::SessionNotStarted
            | Self::SessionNotFinished
            | Self::Sandbox
            | Self::SessionOutdated
            | Self::RequestIdReused => Code::FailedPrecondition,
            Self::SessionDamaged => Code::DataLoss,
            Self::StaleDecision { .. } | Self::OutOfTime { .. } => Code::Aborted,
            Self::SessionNotFound | Self::GameNotFound { .. } => Code::NotFound,
            Self::TokenRequired(_) | Self::ApiKeyRequired => Code::Unauthenticated,
            Self::SeatMismatch(_) => Code::PermissionDenied,
            Self::LimitReached { .. } | Self::NotRead { .. } => Code::ResourceExhausted,
            Self::TimedOut => Code::DeadlineExceeded,
            Self::ShuttingDown { .. } | Self::StoreUnavailable => Code::Unavailable,
            Self::Internal => Code::Internal,
        }
    }

    /// The field that is malformed, if that is it.
    #[must_use]
    pub fn violation(&self) -> Option<&Violation> {
        match self {
            Self::Malformed(violation) | Self::OptionsNotLegal(violation) => Some(violation),
            _ => None,
        }
    }

    /// The variable parts of the text, for programs.
    #[must_use]
    pub fn metadata(&self) -> HashMap<String, String> {
        let seats = |seats: &SeatSet| {
            seats
                .iter()
                .map(|seat| seat.0.to_string())
                .collect::<Vec<_>>()
                .join(",")
        };
        let pairs: Vec<(&str, String)> = match self {
            Self::NotToAct { seat, waiting_for } => {
                vec![("seat", seat.0.to_string()), ("seats", seats(waiting_for))]
            }
            Self::SeatTaken { seat } => vec![("seat", seat.0.to_string())],
            Self::StaleDecision {
                current: Some((decision, owing)),
                ..
            }
            | Self::OutOfTime {
                current: Some((decision, owing)),
                ..
            } => {
                vec![
                    ("decision_id", decision.to_string()),
                    ("seats", seats(owing)),
                ]
            }
            Self::LimitReached { limit, max } => {
                vec![("limit", (*limit).to_owned()), ("max", max.to_string())]
            }
            Self::NotRead {
                write_stall_s,
                resume_version,
            } => {
                let limit = ("limit", "write_stall_s".to_owned());
                let max = ("max", write_stall_s.to_string());
                let resume = resume_version.map(|version| ("resume_version", version.to_string()));
                [limit, max].into_iter().chain(resume).collect()
            }
            Self::ShuttingDown {
                resume_version: Some(version),
            } => vec![("resume_version", version.to_string())],
            _ => Vec::new(),
        };
        pairs
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect()
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        let reason = error.reason().as_str_name();
        let reason = reason.strip_prefix("ERROR_REASON_").unwrap_or(reason);
        let mut details = ErrorDetails::with_error_info(reason, DOMAIN, error.metadata());
        if let Some(violation) = error.violation() {
            details.add_bad_request_violation(violation.field.clone(), violation.allowed.clone());
        }
        match &error {
            Error::LimitReached { .. }
            | Error::NotRead { .. }
            | Error::TimedOut
            | Error::ShuttingDown { .. }
            | Error::StoreUnavailable => {
                details.set_retry_info(Some(Duration::from_secs(1)));
            }
            _ => {}
        }
        Self::with_error_details(error.code(), error.to_string(), details)
    }
}

impl From<OptionsError> for Error {
    fn from(error: OptionsError) -> Self {
        Self::OptionsNotLegal(Violation::new(error.field, error.allowed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every variant with the code and reason that style.md and the proto comments promise.
    #[test]
    fn every_error_has_its_code_and_reason() {
        let violation = Violation::new("seats", "2");
        let seats = SeatSet::only(Seat(1));
        for (error, code, reason) in [
            (
                Error::Malformed(violation.clone()),
                Code::InvalidArgument,
                "MALFORMED_REQUEST",
            ),
            (
                Error::OptionsNotLegal(violation),
                Code::InvalidArgument,
                "OPTIONS_NOT_LEGAL",
            ),
            (
                Error::ActionNotLegal { why: "a rule" },
                Code::FailedPrecondition,
                "ACTION_NOT_LEGAL",
            ),
            (
                Error::NotToAct {
                    seat: Seat(0),
                    waiting_for: seats,
                },
                Code::FailedPrecondition,
                "NOT_TO_ACT",
            ),
            (Error::GameOver, Code::FailedPrecondition, "GAME_OVER"),
            (Error::SessionFull, Code::FailedPrecondition, "SESSION_FULL"),
            (
                Error::SeatTaken { seat: Seat(0) },
                Code::FailedPrecondition,
                "SEAT_TAKEN",
            ),
            (
                Error::SessionNotStarted,
                Code::FailedPrecondition,
                "SESSION_NOT_STARTED",
            ),
            (
                Error::SessionNotFinished,
                Code::FailedPrecondition,
                "SESSION_NOT_FINISHED",
            ),
            (
                Error::StaleDecision {
                    given: 1,
                    current: Some((2, seats)),
                },
                Code::Aborted,
                "STALE_DECISION",
            ),
            (Error::Sandbox, Code::FailedPrecondition, "SANDBOX"),
            (
                Error::OutOfTime {
                    seat: Seat(1),
                    current: None,
                },
                Code::Aborted,
                "OUT_OF_TIME",
            ),
            (Error::SessionNotFound, Code::NotFound, "SESSION_NOT_FOUND"),
            (
                Error::GameNotFound {
                    games: "santorini".into(),
                },
                Code::NotFound,
                "GAME_NOT_FOUND",
            ),
            (
                Error::TokenRequired("a token"),
                Code::Unauthenticated,
                "TOKEN_REQUIRED",
            ),
            (
                Error::SeatMismatch("a seat"),
                Code::PermissionDenied,
                "SEAT_MISMATCH",
            ),
            (
                Error::ApiKeyRequired,
                Code::Unauthenticated,
                "API_KEY_REQUIRED",
            ),
            (
                Error::RequestIdReused,
                Code::FailedPrecondition,
                "REQUEST_ID_REUSED",
            ),
            (
                Error::LimitReached {
                    limit: "sessions_max",
                    max: 1,
                },
                Code::ResourceExhausted,
                "LIMIT_REACHED",
            ),
            (
                Error::NotRead {
                    write_stall_s: 20,
                    resume_version: Some(3),
                },
                Code::ResourceExhausted,
                "LIMIT_REACHED",
            ),
            (
                Error::ShuttingDown {
                    resume_version: Some(3),
                },
                Code::Unavailable,
                "SHUTTING_DOWN",
            ),
            (
                Error::StoreUnavailable,
                Code::Unavailable,
                "STORE_UNAVAILABLE",
            ),
            (Error::SessionDamaged, Code::DataLoss, "SESSION_DAMAGED"),
            (
                Error::SessionOutdated,
                Code::FailedPrecondition,
                "SESSION_OUTDATED",
            ),
            (Error::Internal, Code::Internal, "INTERNAL"),
        ] {
            let text = error.to_string();
            let status = Status::from(error);
            let info = status.get_details_error_info().unwrap();
            assert_eq!(
                (status.code(), info.reason.as_str(), info.domain.as_str()),
                (code, reason, DOMAIN)
            );
            assert!(!text.ends_with('.') && text.len() < 1024, "{text}");
            assert_eq!(
                code == Code::InvalidArgument,
                status.get_details_bad_request().is_some(),
                "{text}"
            );
        }
    }

    #[test]
    fn a_stale_decision_names_the_current_one() {
        let current = Some((7, [Seat(0), Seat(2)].into_iter().collect()));
        let status = Status::from(Error::StaleDecision { given: 3, current });
        let info = status.get_details_error_info().unwrap();
        assert_eq!(info.metadata["decision_id"], "7");
        assert_eq!(info.metadata["seats"], "0,2");
    }
}
