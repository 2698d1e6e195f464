//! API keys.

use rustix::process::Signal;
use tavola::pb::v1::{
    CreateSessionRequest, ErrorReason, ForkSessionRequest, ForkSessionResponse,
    GetServerInfoRequest, ListSessionsRequest,
};
use tonic::{Request, Status};

use super::files::Files;
use crate::common::{
    Dice, PATIENCE, Server, Sessions, Table, command, eventually, refused, run, santorini,
    with_token,
};

const KEY: &str = "an-operator's-key-0123456789";
const OTHER_KEY: &str = "c29tZSBvdGhlciBvcGVyYXRvcg==";

fn with_key<T>(key: Option<&str>, message: T) -> Request<T> {
    with_both(key, None, message)
}

fn with_both<T>(key: Option<&str>, token: Option<&str>, message: T) -> Request<T> {
    let mut request = with_token(token, message);
    if let Some(key) = key {
        request
            .metadata_mut()
            .insert("x-api-key", key.parse().unwrap());
    }
    request
}

async fn key_required(server: &Server) -> bool {
    let info = server
        .catalog()
        .await
        .get_server_info(GetServerInfoRequest {})
        .await;
    info.unwrap().into_inner().api_key_required
}

#[tokio::test]
async fn only_those_with_a_key_create_and_list_and_the_others_play() {
    let files = Files::new();
    let keys = files.write("keys", &format!("# ours\nlobby = {KEY}\n{OTHER_KEY}\n"));
    let server = Server::start(&["--api-keys-file", &keys, "--log", "trace"]);
    assert!(key_required(&server).await);
    let mut client = server.sessions().await;
    let nobodys = format!("{KEY}0");
    for wrong in [
        None,
        Some(""),
        Some(&KEY[1..]),
        Some(&nobodys),
        Some("lobby"),
    ] {
        let create = client.create_session(with_key(wrong, santorini())).await;
        let refusal = refused(create, ErrorReason::ApiKeyRequired);
        assert!(refusal.text.contains("x-api-key"), "{refusal:?}");
        let list = client
            .list_sessions(with_key(wrong, ListSessionsRequest::default()))
            .await;
        refused(list, ErrorReason::ApiKeyRequired);
    }
    for key in [KEY, OTHER_KEY] {
        let created = client
            .create_session(with_key(Some(key), santorini()))
            .await
            .unwrap()
            .into_inner();
        let mut table = Table {
            client: client.clone(),
            id: created.session_id.clone(),
            host: created.host_token,
            join_token: None,
            tokens: Vec::new(),
        };
        table.join().await;
        table.join().await;
        table.play_plies(&mut Dice::new(), 10).await;
        let listed = client
            .list_sessions(with_key(Some(key), ListSessionsRequest::default()))
            .await;
        let listed = listed.unwrap().into_inner().sessions;
        assert_eq!(listed[0].session_id, created.session_id);
    }
    let log = server.log();
    assert!(log.contains("TRACE"), "it is as loud as it can be");
    assert!(!log.contains(KEY) && !log.contains(OTHER_KEY), "{log}");
}

/// A started game that somebody with the key has opened.
async fn table(client: &Sessions, game: &str) -> Table {
    let request = CreateSessionRequest {
        game: game.to_owned(),
        ..Default::default()
    };
    let mut creating = client.clone();
    let created = creating
        .create_session(with_key(Some(KEY), request))
        .await
        .unwrap()
        .into_inner();
    let mut table = Table {
        client: client.clone(),
        id: created.session_id,
        host: created.host_token,
        join_token: None,
        tokens: Vec::new(),
    };
    for _ in created.session.unwrap().seats {
        table.join().await;
    }
    table
}

async fn fork(
    table: &Table,
    key: Option<&str>,
    token: Option<&str>,
    request: ForkSessionRequest,
) -> Result<ForkSessionResponse, Status> {
    let request = ForkSessionRequest {
        session_id: table.id.clone(),
        ..request
    };
    let mut client = table.client.clone();
    let forked = client.fork_session(with_both(key, token, request)).await;
    forked.map(tonic::Response::into_inner)
}

/// A fork that is kept is a session like any other: it needs the key, beside the token where one is needed. A sandbox
/// lives on the rights of its seat.
#[tokio::test]
async fn a_fork_needs_a_key_and_a_sandbox_does_not() {
    let files = Files::new();
    let keys = files.write("keys", KEY);
    let server = Server::start(&["--api-keys-file", &keys]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let latest = ForkSessionRequest::default;
    let wrong_keys = [None, Some("an-operator's-key-0123456780")];

    let hiding = table(&client, "citadels").await;
    hiding.play_plies(&mut dice, 5).await;
    let seat = hiding.token(Some(0));
    for key in wrong_keys.into_iter().chain([Some(KEY)]) {
        let forked = fork(&hiding, key, seat, latest()).await.unwrap();
        let session = forked.session.unwrap();
        assert!(session.forked_from.unwrap().sandbox);
        // Nor do its forks, by whomever they are.
        let sandbox = Table {
            id: forked.session_id,
            host: forked.host_token,
            ..hiding.clone()
        };
        let again = fork(&sandbox, key, Some(&sandbox.host), latest()).await;
        assert!(again.unwrap().session.unwrap().forked_from.unwrap().sandbox);
        sandbox.delete().await;
        // A key opens nothing without a token.
        refused(
            fork(&hiding, key, None, latest()).await,
            ErrorReason::TokenRequired,
        );
        refused(
            fork(&hiding, key, Some(&hiding.host), latest()).await,
            ErrorReason::SeatMismatch,
        );
    }

    // The same call repeated is what it was, also once the game is over; another one is not for free any more.
    let named = || ForkSessionRequest {
        request_id: "0f6f4c7f-9d2b-4b7e".to_owned(),
        ..Default::default()
    };
    let sandbox = fork(&hiding, None, seat, named()).await.unwrap();
    hiding.play_out(&mut dice).await;
    let again = fork(&hiding, None, seat, named()).await.unwrap();
    assert_eq!(again.host_token, sandbox.host_token);
    for token in [seat, Some(hiding.host.as_str()), None] {
        for key in wrong_keys {
            for ply in [None, Some(0), Some(u32::MAX)] {
                let request = ForkSessionRequest { ply, ..latest() };
                let kept = fork(&hiding, key, token, request).await;
                let refusal = refused(kept, ErrorReason::ApiKeyRequired);
                assert!(refusal.text.contains("x-api-key"), "{refusal:?}");
            }
        }
        let kept = fork(&hiding, Some(KEY), token, latest()).await.unwrap();
        assert!(!kept.session.unwrap().forked_from.unwrap().sandbox);
    }
    let named = || ForkSessionRequest {
        request_id: "7c51a5d4-66d0-4e0c".to_owned(),
        ..Default::default()
    };
    let kept = fork(&hiding, Some(KEY), seat, named()).await.unwrap();
    let repeated = fork(&hiding, Some(KEY), seat, named()).await.unwrap();
    assert_eq!(repeated.host_token, kept.host_token);
    refused(
        fork(&hiding, None, seat, named()).await,
        ErrorReason::ApiKeyRequired,
    );

    let open = table(&client, "under_falling_skies").await;
    open.play_plies(&mut dice, 5).await;
    let host = Some(open.host.as_str());
    for key in wrong_keys {
        refused(
            fork(&open, key, host, latest()).await,
            ErrorReason::ApiKeyRequired,
        );
    }
    let kept = fork(&open, Some(KEY), host, latest()).await.unwrap();
    assert!(!kept.session.unwrap().forked_from.unwrap().sandbox);
}

#[tokio::test]
async fn without_a_file_nobody_needs_a_key() {
    let server = Server::start(&[]);
    assert!(!key_required(&server).await);
    let mut client = server.sessions().await;
    client
        .create_session(with_key(Some("whatever"), santorini()))
        .await
        .unwrap();
}

#[tokio::test]
async fn the_file_is_read_again_when_the_server_is_told_and_a_bad_one_changes_nothing() {
    let files = Files::new();
    let keys = files.write("keys", KEY);
    let mut server = Server::start(&["--api-keys-file", &keys]);
    let mut client = server.sessions().await;
    files.write("keys", "short");
    server.signal(Signal::HUP);
    let warned = async || {
        server
            .log()
            .contains("the API keys stay as they are")
            .then_some(())
    };
    eventually("a warning", warned).await;
    client
        .create_session(with_key(Some(KEY), santorini()))
        .await
        .unwrap();
    files.write("keys", OTHER_KEY);
    server.signal(Signal::HUP);
    let told = async || server.log().contains("API keys read again").then_some(());
    eventually("new keys", told).await;
    let old = client
        .create_session(with_key(Some(KEY), santorini()))
        .await;
    refused(old, ErrorReason::ApiKeyRequired);
    client
        .create_session(with_key(Some(OTHER_KEY), santorini()))
        .await
        .unwrap();
    drop(client);
    server.terminate();
    assert_eq!(server.exit(PATIENCE).await.code(), Some(0));
}

#[test]
fn a_file_without_keys_is_refused_at_the_start_in_one_sentence() {
    let files = Files::new();
    for (text, what) in [("", "no key"), ("0123456789abcdef\nhush\n", "line 2")] {
        let keys = files.write("keys", text);
        let output = run(command(&[
            "--listen",
            "127.0.0.1:0",
            "--api-keys-file",
            &keys,
        ]));
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(what) && said.contains(&keys), "{said}");
        assert!(
            !said.contains("hush") && said.trim().lines().count() == 1,
            "{said}"
        );
    }
}
