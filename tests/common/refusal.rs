//! Refusals, and what the contract says of every one of them.

use std::{collections::HashMap, fmt::Debug, time::Duration};

use prost::Message as _;
use prost_types::FileDescriptorSet;
use tavola::pb::{DESCRIPTORS, v1::ErrorReason};
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

/// A refused call, taken apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    pub code: Code,
    pub reason: ErrorReason,
    pub text: String,
    /// The fields at fault, with what is allowed there.
    pub violations: Vec<(String, String)>,
    pub metadata: HashMap<String, String>,
    pub retry: Option<Duration>,
}

/// Takes a status apart and holds it to what every refusal promises.
#[track_caller]
pub fn refusal(status: &Status) -> Refusal {
    let info = status
        .get_details_error_info()
        .unwrap_or_else(|| panic!("there is no ErrorInfo in {status:?}"));
    assert_eq!(info.domain, "tavola", "{status:?}");
    let reason = ErrorReason::from_str_name(&format!("ERROR_REASON_{}", info.reason))
        .unwrap_or_else(|| panic!("{:?} is no ErrorReason: {status:?}", info.reason));
    assert_eq!(status.code(), code_of(reason), "{status:?}");
    let text = status.message().to_owned();
    assert!(
        !text.is_empty() && text.len() < 1024 && !text.ends_with('.'),
        "{text:?}"
    );
    let violations: Vec<_> = status
        .get_details_bad_request()
        .map(|bad| bad.field_violations)
        .unwrap_or_default()
        .into_iter()
        .map(|violation| (violation.field, violation.description))
        .collect();
    assert_eq!(
        violations.is_empty(),
        status.code() != Code::InvalidArgument,
        "a malformed request names its field, and nothing else does: {status:?}"
    );
    for (field, allowed) in &violations {
        assert!(
            !field.is_empty() && !allowed.is_empty(),
            "{field:?}: {allowed:?}"
        );
    }
    let retry = status
        .get_details_retry_info()
        .and_then(|info| info.retry_delay);
    if reason == ErrorReason::LimitReached {
        assert!(
            retry.is_some_and(|delay| !delay.is_zero()),
            "no RetryInfo in {status:?}"
        );
    }
    Refusal {
        code: status.code(),
        reason,
        text,
        violations,
        metadata: info.metadata,
        retry,
    }
}

/// The refusal of a call that has to be refused for this reason.
#[track_caller]
pub fn refused<T: Debug>(result: Result<T, Status>, reason: ErrorReason) -> Refusal {
    match result {
        Ok(reply) => panic!("{reason:?} was expected, but the call went through: {reply:?}"),
        Err(status) => {
            let refusal = refusal(&status);
            assert_eq!(refusal.reason, reason, "{refusal:?}");
            refusal
        }
    }
}

/// The status code that comes with a reason, as the comment in the contract names it.
pub fn code_of(reason: ErrorReason) -> Code {
    let descriptors = FileDescriptorSet::decode(DESCRIPTORS).expect("the descriptors decode");
    let file = descriptors
        .file
        .iter()
        .find(|file| file.name().ends_with("/error_reason.proto"))
        .expect("the file of reasons is among them");
    let values = &file.enum_type[0].value;
    let index = values
        .iter()
        .position(|value| value.number() == reason as i32)
        .expect("a generated value is described");
    // Descriptor paths: enum_type is field 5 of a file, value is field 2 of an enum.
    let path = [
        5,
        0,
        2,
        i32::try_from(index).expect("there are few reasons"),
    ];
    let comment = file
        .source_code_info
        .iter()
        .flat_map(|info| &info.location)
        .find(|location| location.path == path)
        .map(|location| location.leading_comments())
        .expect("every reason has a comment");
    let name = comment
        .split_once(':')
        .map(|(name, _)| name.trim())
        .expect("its comment begins with the code");
    match name {
        "INVALID_ARGUMENT" => Code::InvalidArgument,
        "NOT_FOUND" => Code::NotFound,
        "PERMISSION_DENIED" => Code::PermissionDenied,
        "RESOURCE_EXHAUSTED" => Code::ResourceExhausted,
        "FAILED_PRECONDITION" => Code::FailedPrecondition,
        "ABORTED" => Code::Aborted,
        "DEADLINE_EXCEEDED" => Code::DeadlineExceeded,
        "INTERNAL" => Code::Internal,
        "UNAVAILABLE" => Code::Unavailable,
        "UNAUTHENTICATED" => Code::Unauthenticated,
        other => panic!("{other} is no status code that this contract uses"),
    }
}
