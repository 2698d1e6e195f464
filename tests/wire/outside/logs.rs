//! The log: each line whole, a call in its span, and no more lines than anybody can read.

use std::time::{Duration, Instant};

use serde_json::Value;
use tavola::pb::v1::View;
use tokio::{io::AsyncWriteExt as _, net::TcpStream};

use crate::common::{Dice, PATIENCE, Player, Server, Table, eventually, santorini};

#[tokio::test]
async fn a_json_log_is_a_json_object_in_each_line() {
    let mut server = Server::start(&["--log-format", "json", "--log", "trace"]);
    let client = server.sessions().await;
    let table = Table::santorini(&client).await;
    let mut watching = table.watch(None, View::Full).await;
    table.play_out(&mut Dice::new()).await;
    watching.rest().await;
    drop((client, table, watching));
    server.terminate();
    server.exit(PATIENCE).await;
    let log = server.log();
    let mut levels = std::collections::BTreeMap::<String, u32>::new();
    for line in log.lines() {
        let read: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
        for field in ["timestamp", "level", "target", "fields"] {
            assert!(read.get(field).is_some(), "no {field}: {line}");
        }
        let level = read["level"].as_str().unwrap().to_owned();
        *levels.entry(level).or_default() += 1;
    }
    println!("{levels:?}");
    for level in ["INFO", "DEBUG", "TRACE"] {
        assert!(levels.contains_key(level), "{levels:?}");
    }
}

#[tokio::test]
async fn each_call_has_a_span_with_its_session() {
    let mut server = Server::start(&["--log-format", "json", "--log", "tavola=debug"]);
    let client = server.sessions().await;
    let mut table = Table::create(&client, santorini()).await;
    table.join().await;
    table.join().await;
    let mut watching = table.watch(None, View::Lean).await;
    watching.next().await;
    let mut player = Player::at(&table, 0).await;
    player.update().await;
    let shown = table.observe(Some(0), View::Lean).await;
    let decision = shown.decision.unwrap().decision_id;
    table.play_plies(&mut Dice::new(), 1).await;
    table.state(Some(&table.host.clone())).await.unwrap();
    table.leave(0).await.unwrap();
    table.replay(Default::default()).await.unwrap();
    let (id, tokens) = (table.id.clone(), table.tokens.clone());
    drop((client, table, watching, player));
    server.terminate();
    server.exit(PATIENCE).await;
    let log = server.log();
    let closed: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|line: &Value| line["fields"]["message"] == "close")
        .collect();
    for name in [
        "describe",
        "join",
        "observe",
        "submit",
        "watch",
        "leave",
        "whole_state",
        "replay",
    ] {
        let span = closed.iter().find(|line| line["span"]["name"] == name);
        let span = span.unwrap_or_else(|| panic!("no span of {name}:\n{log}"));
        assert_eq!(span["span"]["session_id"], id.as_str(), "{span}");
        if name == "submit" {
            assert_eq!(span["span"]["decision_id"], decision, "{span}");
        }
    }
    for token in tokens {
        assert!(!log.contains(&token), "a token is in the log");
    }
}

/// The most lines that came within one second, and all of them.
async fn lines_under(server: &Server, for_s: u64, mut attack: impl AsyncFnMut()) -> (usize, usize) {
    let began = Instant::now();
    let (mut most, mut before) = (0, server.log().lines().count());
    let first = before;
    for second in 1..=for_s {
        while began.elapsed() < Duration::from_secs(second) {
            attack().await;
        }
        let now = server.log().lines().count();
        most = most.max(now - before);
        before = now;
    }
    (most, before - first)
}

#[tokio::test]
async fn o11_an_attacker_cannot_flood_the_log() {
    let server = Server::start(&["--sessions-max", "1000000"]);
    let client = server.sessions().await;
    // Each session that is opened is worth a line; so many are not.
    let spam = async || {
        let calls = (0..50).map(|_| {
            let mut client = client.clone();
            tokio::spawn(async move { client.create_session(santorini()).await.map(drop) })
        });
        for call in calls.collect::<Vec<_>>() {
            call.await.unwrap().unwrap();
        }
    };
    let (most, all) = lines_under(&server, 4, spam).await;
    println!("sessions: at most {most} lines in a second, {all} in all");
    // The second of the server is not the second of the test: two of its budgets may fall into one of ours.
    assert!(most <= 2 * 51 && all <= 5 * 51, "{most} {all}");
    let said = async || {
        server
            .log()
            .contains("lines were left out of the log")
            .then_some(())
    };
    eventually("a word about what was left out", said).await;
    let garbage = async || {
        for words in [
            &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
            b"SSH-2.0-OpenSSH_9.6\r\n",
            b"GET / HTTP/1.1\r\nhost: a\r\n\r\n",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\xff\xff\xff\xff\xff\xff\xff",
            &[0xff; 64],
        ] {
            let mut socket = TcpStream::connect(server.address()).await.unwrap();
            let _ = socket.write_all(words).await;
        }
    };
    let (most, all) = lines_under(&server, 3, garbage).await;
    println!("garbage: at most {most} lines in a second, {all} in all");
    assert!(most <= 100, "{most}");
}
