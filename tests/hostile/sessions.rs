//! Sessions that nobody plays.

use std::time::Instant;

use tavola::pb::v1::ErrorReason;

use crate::{
    common::{eventually, refused, santorini, sized},
    rig::Rig,
};

#[tokio::test]
async fn h13_sessions_until_refused() {
    let idle_s = sized(2, 10).to_string();
    let most = sized(10_000, 50_000);
    let flags = [
        "--sessions-max",
        &most.to_string(),
        "--session-idle-s",
        &idle_s,
    ];
    let rig = Rig::start("H13 session spam", &flags).await;
    let mut client = rig.server.sessions().await;
    let before = rig.process.rss_kib();
    let began = Instant::now();
    let mut opened = 0;
    let refusal = loop {
        match client.create_session(santorini()).await {
            Ok(_) => opened += 1,
            Err(status) => break refused::<()>(Err(status), ErrorReason::LimitReached),
        }
        assert!(opened <= most, "more sessions than there may be");
    };
    assert_eq!(refusal.metadata["limit"], "sessions_max");
    let bytes_each = rig.process.rss_kib().saturating_sub(before) * 1024 / opened;
    let full_after = began.elapsed();
    eventually("room for a session", async || {
        client.clone().create_session(santorini()).await.ok()
    })
    .await;
    rig.figure(format!(
        "{opened} sessions opened in {full_after:.1?} and then none, {bytes_each} bytes each, room again after {:.1?}",
        began.elapsed()
    ));
    assert!(bytes_each <= 32 << 10);
    rig.verdict().await;
}
