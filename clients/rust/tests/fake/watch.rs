//! Streams of updates, and replays.

use std::time::Duration;

use futures_util::TryStreamExt as _;
use tavola_client::{tonic::Code, v1::ErrorReason};
use tokio::time;

use crate::table::{Fake, SESSION, refusal, token};

/// A fake whose game is over.
async fn finished() -> Fake {
    let fake = Fake::start();
    fake.seat()
        .await
        .play(|update| update.legal_actions[0].action_id())
        .await
        .unwrap();
    fake.table().asked.watched.clear();
    fake
}

#[tokio::test]
async fn a_watcher_sees_every_version_once() {
    let fake = finished().await;
    fake.table().trouble.cuts = [3, 5].into();
    let mut updates = fake.seat().await.watch_from(1);
    let mut versions = vec![];
    while let Some(update) = updates.next().await.unwrap() {
        assert_eq!(updates.version(), Some(update.version));
        versions.push(update.version);
    }
    assert_eq!(versions, [2, 3, 4, 5, 6, 7]);
    assert_eq!(updates.next().await.unwrap(), None);
    assert_eq!(fake.table().asked.watched, [Some(1), Some(3), Some(5)]);
}

#[tokio::test]
async fn the_same_as_a_stream() {
    let fake = finished().await;
    fake.table().trouble.cuts = [4].into();
    let updates: Vec<_> = fake
        .seat()
        .await
        .watch_from(2)
        .into_stream()
        .try_collect()
        .await
        .unwrap();
    let versions: Vec<_> = updates.iter().map(|update| update.version).collect();
    assert_eq!(versions, [3, 4, 5, 6, 7]);
}

#[tokio::test]
async fn a_watcher_that_leaves_closes_its_stream() {
    let fake = Fake::start();
    let seat = fake.seat().await;
    let mut updates = seat.watch();
    assert_eq!(fake.streams(), 0);
    updates.next().await.unwrap();
    assert_eq!(fake.streams(), 1);
    drop(updates);
    let closed = async {
        while fake.streams() > 0 {
            time::sleep(Duration::from_millis(5)).await;
        }
    };
    time::timeout(Duration::from_secs(10), closed)
        .await
        .unwrap();
}

#[tokio::test]
async fn an_update_that_nobody_waits_for_any_longer_is_not_lost() {
    let fake = Fake::start();
    let seat = fake.seat().await;
    let mut updates = seat.watch();
    assert_eq!(updates.next().await.unwrap().unwrap().version, 1);
    assert!(
        time::timeout(Duration::from_millis(50), updates.next())
            .await
            .is_err()
    );
    seat.submit(1, 10).await.unwrap();
    assert_eq!(updates.next().await.unwrap().unwrap().version, 2);
    assert_eq!(fake.table().asked.watched, [None]);
}

#[tokio::test]
async fn whoever_asks_again_after_an_error_goes_on_where_it_was() {
    let fake = finished().await;
    fake.table().trouble.refusal = Some(refusal(Code::Internal, "INTERNAL", []));
    let mut updates = fake.seat().await.watch_from(2);
    let error = updates.next().await.unwrap_err();
    assert_eq!(error.reason(), Some(ErrorReason::Internal));
    fake.table().trouble.refusal = None;
    assert_eq!(updates.next().await.unwrap().unwrap().version, 3);
}

#[tokio::test]
async fn a_stream_is_refused_like_a_call() {
    let client = Fake::start();
    let client = client.client().await;
    let error = client
        .spectator("another")
        .watch()
        .next()
        .await
        .unwrap_err();
    let refused = (Code::NotFound, Some(ErrorReason::SessionNotFound));
    assert_eq!((error.code(), error.reason()), refused);
    let error = client.spectator(SESSION).watch().next().await.unwrap_err();
    let refused = (Code::Unauthenticated, Some(ErrorReason::TokenRequired));
    assert_eq!((error.code(), error.reason()), refused);
}

#[tokio::test]
async fn a_replay_comes_whole() {
    let fake = Fake::start();
    let client = fake.client().await;
    let viewer = client.spectator(SESSION).with_token(token());
    for seat in [None, Some(1)] {
        let replay = viewer.replay(seat).await.unwrap();
        assert_eq!((&*replay.game, &*replay.next_page_token), ("first", ""));
        let steps: Vec<_> = replay.steps.iter().map(|it| (it.ply, it.seat)).collect();
        let wanted: Vec<_> = (0..6).map(|ply| (ply, seat)).collect();
        assert_eq!(steps, wanted);
    }
    fake.table().trouble.refusal = Some(refusal(
        Code::FailedPrecondition,
        "SESSION_NOT_FINISHED",
        [],
    ));
    let error = viewer.replay(None).await.unwrap_err();
    assert_eq!(error.reason(), Some(ErrorReason::SessionNotFinished));
}
