//! Connections that break and servers that go away while games are played.

use std::time::Duration;

use tavola_client::{
    Client,
    v1::{ErrorReason, Update},
};

use crate::{
    against_a_bot, at_random, check_outcome,
    proxy::Proxy,
    server::{Folder, Server},
};

/// The versions of all updates of a session after a version.
async fn versions(client: &Client, session_id: &str, from: u64) -> Vec<u64> {
    let mut updates = client.spectator(session_id).watch_from(from);
    let mut versions = vec![];
    while let Some(update) = updates.next().await.unwrap() {
        versions.push(update.version);
    }
    versions
}

/// Cuts the connections again and again while a game is played and watched: nobody misses an update, and no answer counts
/// twice.
#[tokio::test]
async fn a_stream_is_cut_and_resumed() {
    // Whoever watches is to see every version, however far behind while the connection comes back.
    let Some(server) = Server::start(&["--watcher-lag-max=4096"]) else {
        return;
    };
    let direct = Client::connect(&server.address).await.unwrap();
    let proxy = Proxy::start(&server.address).await;
    let client = Client::connect(&proxy.address).await.unwrap();
    let seat = against_a_bot(&client).await;
    let session_id = seat.session_id();

    let (mut asked, mut cuts) = (0, 0);
    let playing = seat.play(|update| {
        asked += 1;
        if asked % 5 == 0 {
            cuts += 1;
            proxy.cut();
        }
        at_random(update)
    });
    let (outcome, watched) = tokio::join!(playing, versions(&client, session_id, 1));
    check_outcome(
        &outcome.unwrap(),
        &direct.session(session_id).await.unwrap(),
    );
    assert!(cuts > 0, "the game was too short to be cut");

    let whole = versions(&direct, session_id, 1).await;
    assert_eq!(watched, whole);
    let last = *whole.last().unwrap();
    assert!(versions(&direct, session_id, last).await.is_empty());
}

/// Plays on after a connection has died without a word, which only pings can notice.
#[tokio::test]
async fn a_silent_connection_is_given_up() {
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let proxy = Proxy::start(&server.address).await;
    let builder = Client::builder(&proxy.address);
    let builder = builder
        .timeout(Duration::from_secs(1))
        .keepalive(Duration::ZERO);
    let client = builder.connect().await.unwrap();
    let seat = against_a_bot(&client).await;
    let mut asked = 0;
    let playing = seat.play(|update| {
        asked += 1;
        if asked == 3 {
            proxy.hush();
        }
        at_random(update)
    });
    let outcome = playing.await.unwrap();
    check_outcome(&outcome, &seat.session().await.unwrap());
}

/// Kills the server while a game is played: nothing that it has acknowledged is lost, and the bot plays on.
#[tokio::test]
async fn the_server_restarts_in_mid_game() {
    let data = Folder::new();
    let keep = ["--store", "sqlite", "--data", data.path().to_str().unwrap()];
    let Some(mut server) = Server::start(&keep) else {
        return;
    };
    let client = Client::connect(&server.address).await.unwrap();
    let seat = against_a_bot(&client).await;
    let mut asked = vec![];
    let outcome = seat.play(|update: &Update| {
        asked.push(update.decision.as_ref().unwrap().decision_id);
        if [3, 6].contains(&asked.len()) {
            server.kill();
            let again = [&keep[..], &["--listen", &server.address]].concat();
            server = Server::start(&again).unwrap();
        }
        at_random(update)
    });
    let outcome = outcome.await.unwrap();
    assert!(
        asked.len() >= 6 && asked.is_sorted_by(|a, b| a < b),
        "{asked:?}"
    );
    check_outcome(&outcome, &client.session(seat.session_id()).await.unwrap());
}

#[tokio::test]
async fn a_server_that_goes_down_says_so() {
    let Some(mut server) = Server::start(&[]) else {
        return;
    };
    let builder = Client::builder(&server.address).patience(Duration::ZERO);
    let mut updates = against_a_bot(&builder.connect().await.unwrap())
        .await
        .watch();
    updates.next().await.unwrap();
    server.interrupt();
    let error = loop {
        if let Err(error) = updates.next().await {
            break error;
        }
    };
    assert_eq!(error.reason(), Some(ErrorReason::ShuttingDown));
    let version = updates.version().unwrap().to_string();
    assert_eq!(error.metadata()["resume_version"], version);
    server.ends();
}
