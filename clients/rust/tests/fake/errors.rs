//! What refusals and failures become.

use std::{collections::HashMap, time::Duration};

use tavola_client::{
    Client, Error, Violation,
    tonic::{Code, Status},
    v1::ErrorReason,
};
use tonic_types::{ErrorDetails, StatusExt as _};

use crate::table::{Fake, refusal};

/// The error of a call that is refused with this status.
async fn refused(status: Status) -> Error {
    let fake = Fake::start();
    fake.table().trouble.refusal = Some(status);
    let client = fake
        .builder()
        .patience(Duration::ZERO)
        .connect()
        .await
        .unwrap();
    crate::table::seat(&client).observe().await.unwrap_err()
}

#[tokio::test]
async fn a_violation_names_the_field() {
    let error = Fake::start().seat().await.submit(0, 1).await.unwrap_err();
    assert_eq!(error.code(), Code::InvalidArgument);
    assert_eq!(error.reason(), Some(ErrorReason::MalformedRequest));
    assert!(!error.is_transient());
    let violation = Violation {
        field: "decision_id".into(),
        description: "is at least 1".into(),
    };
    assert_eq!(error.violations(), [violation]);
    let text = "InvalidArgument MALFORMED_REQUEST: the request is malformed";
    assert_eq!(error.to_string(), text);
}

#[tokio::test]
async fn a_stale_decision_tells_the_current_one() {
    let fake = Fake::start();
    let seat = fake.seat().await;
    let first = seat.submit(1, 10).await.unwrap();
    assert_eq!(seat.submit(1, 10).await.unwrap(), first);
    let error = seat.submit(1, 11).await.unwrap_err();
    assert_eq!(error.code(), Code::Aborted);
    assert_eq!(error.reason(), Some(ErrorReason::StaleDecision));
    let facts = [("decision_id", "3"), ("seats", "0")];
    let facts = facts.map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(*error.metadata(), HashMap::from(facts));
}

#[tokio::test]
async fn every_reason_of_the_contract_is_known() {
    for reason in (1..=100).filter_map(|number| ErrorReason::try_from(number).ok()) {
        let name = reason.as_str_name().strip_prefix("ERROR_REASON_").unwrap();
        let error = Error::from(refusal(Code::FailedPrecondition, name, []));
        assert_eq!((error.reason(), error.reason_name()), (Some(reason), name));
    }
}

#[tokio::test]
async fn a_reason_that_this_crate_does_not_know() {
    let status = refusal(
        Code::ResourceExhausted,
        "TABLE_ON_FIRE",
        [("since", "noon")],
    );
    let error = refused(status).await;
    assert_eq!(
        (error.reason(), error.reason_name()),
        (None, "TABLE_ON_FIRE")
    );
    assert_eq!(error.metadata()["since"], "noon");
    assert_eq!(error.message(), "refused for a test");
}

#[tokio::test]
async fn the_details_of_others_are_not_ours() {
    let mut details = ErrorDetails::with_error_info("STALE_DECISION", "proxy.example", []);
    details.set_help(vec![]);
    let status = Status::with_error_details(Code::Aborted, "of a proxy", details);
    let error = refused(status).await;
    assert_eq!((error.reason(), error.reason_name()), (None, ""));
    assert!(error.metadata().is_empty() && error.violations().is_empty());
    assert!(error.status().get_error_details().error_info().is_some());
}

#[tokio::test]
async fn a_delay_makes_an_error_transient() {
    let mut details = ErrorDetails::with_error_info("LIMIT_REACHED", "tavola", []);
    assert!(
        !refused(Status::with_error_details(
            Code::ResourceExhausted,
            "full",
            details.clone()
        ))
        .await
        .is_transient()
    );
    let delay = Duration::from_millis(1500);
    details.set_retry_info(Some(delay));
    let error = refused(Status::with_error_details(
        Code::ResourceExhausted,
        "full",
        details,
    ))
    .await;
    assert_eq!(error.retry_delay(), Some(delay));
    assert!(error.is_transient());
}

#[tokio::test]
async fn no_server() {
    let error = Client::connect("127.0.0.1:1").await.unwrap_err();
    assert_eq!((error.code(), error.reason()), (Code::Unavailable, None));
    assert!(error.is_transient());
    assert!(error.message().contains("refused"), "{error}");
}

#[tokio::test]
async fn a_server_that_is_gone() {
    let mut fake = Fake::start();
    let client = fake
        .builder()
        .patience(Duration::ZERO)
        .connect()
        .await
        .unwrap();
    client.games().await.unwrap();
    fake.stop();
    let error = client.games().await.unwrap_err();
    assert_eq!(
        (error.code(), error.reason()),
        (Code::Unavailable, None),
        "{error:?}"
    );
}
