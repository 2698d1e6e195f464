//! Sessions that nobody plays.

use std::time::{Duration, Instant};

use tavola::pb::v1::ErrorReason;
use tokio::{
    task::JoinSet,
    time::{sleep, timeout},
};
use tonic::Status;

use crate::{
    common::{PATIENCE, Sessions, refused, santorini, sized},
    rig::Rig,
};

/// Who opens sessions at the same time.
const SPAMMERS: usize = 32;

/// The sessions of the honest bot, at most: for a moment it has the one after the present one, too.
const HONEST: usize = 2;

/// How often the server looks for sessions to be forgotten.
const SWEEP: Duration = Duration::from_secs(10);

/// Opens sessions until there may be no more: how many, and why there may not.
async fn open_all(mut client: Sessions) -> (u64, Status) {
    let mut opened = 0;
    loop {
        match client.create_session(santorini()).await {
            Ok(_) => opened += 1,
            Err(status) => return (opened, status),
        }
    }
}

/// Opens as many as there may be, from many at once: how many there were.
async fn spam(client: &Sessions, most: u64) -> u64 {
    let mut spam: JoinSet<_> = (0..SPAMMERS).map(|_| open_all(client.clone())).collect();
    let mut opened = 0;
    while let Some(spammer) = spam.join_next().await {
        let (some, status) = spammer.unwrap();
        let refusal = refused::<()>(Err(status), ErrorReason::LimitReached);
        assert_eq!(refusal.metadata["limit"], "sessions_max");
        opened += some;
    }
    assert!(
        (most - HONEST as u64..=most).contains(&opened),
        "{opened} sessions"
    );
    opened
}

#[tokio::test]
async fn h13_sessions_until_refused() {
    let most = sized(10_000, 50_000);
    // So long that none is forgotten before all are there.
    let idle_s = sized(8, 45);
    let flags = [
        "--sessions-max",
        &most.to_string(),
        "--session-idle-s",
        &idle_s.to_string(),
    ];
    let mut rig = Rig::start("H13 session spam", &flags).await;
    let client = rig.server.sessions().await;
    let before = rig.process.rss_kib();
    let opened = spam(&client, most).await;
    let bytes_each = rig.process.rss_kib().saturating_sub(before) * 1024 / opened;
    let forgotten_in = Duration::from_secs(idle_s) + SWEEP + PATIENCE;
    let forgotten = async {
        while rig.sessions().await.len() > HONEST {
            sleep(Duration::from_millis(200)).await;
        }
    };
    timeout(forgotten_in, forgotten)
        .await
        .expect("all are forgotten");
    rig.begin_after_rehearsal().await;

    let began = Instant::now();
    let opened = spam(&client, most).await;
    let full_after = began.elapsed();
    let room = async {
        while client.clone().create_session(santorini()).await.is_err() {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(forgotten_in, room)
        .await
        .expect("there is room again");
    rig.figure(format!(
        "{opened} sessions opened in {full_after:.1?} and then none, {bytes_each} bytes each, room again after {:.1?}",
        began.elapsed()
    ));
    assert!(bytes_each <= 32 << 10);
    rig.verdict().await;
}
