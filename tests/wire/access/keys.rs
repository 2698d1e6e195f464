//! API keys.

use rustix::process::Signal;
use tavola::pb::v1::{ErrorReason, ForkSessionRequest, GetServerInfoRequest, ListSessionsRequest};
use tonic::Request;

use super::files::Files;
use crate::common::{Dice, PATIENCE, Server, Table, command, eventually, refused, run, santorini};

const KEY: &str = "an-operator's-key-0123456789";
const OTHER_KEY: &str = "c29tZSBvdGhlciBvcGVyYXRvcg==";

fn with_key<T>(key: Option<&str>, message: T) -> Request<T> {
    let mut request = Request::new(message);
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
        let fork = client
            .fork_session(with_key(wrong, ForkSessionRequest::default()))
            .await;
        refused(fork, ErrorReason::ApiKeyRequired);
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
        let fork = ForkSessionRequest {
            session_id: created.session_id,
            ..Default::default()
        };
        let mut fork = with_key(Some(key), fork);
        let token = format!("Bearer {}", table.tokens[0]).parse().unwrap();
        fork.metadata_mut().insert("authorization", token);
        client.fork_session(fork).await.unwrap();
    }
    let log = server.log();
    assert!(log.contains("TRACE"), "it is as loud as it can be");
    assert!(!log.contains(KEY) && !log.contains(OTHER_KEY), "{log}");
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
