//! Streams that nobody reads, and too many of them.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

use prost::Message as _;
use tavola::pb::v1::{
    ErrorReason, View, WatchSessionRequest, WatchSessionResponse, submit_action_request::Answer,
};
use tonic::Status;

use crate::{
    common::{
        Dice, Server, Table, asked_seat, eventually, long_game, long_table,
        raw::{Raw, Replies, framed},
        refused, sized, update_of,
    },
    frames::{DATA, END_STREAM, Frames, call, frame, header_frames, try_attacker},
    rig::Rig,
};

const WATCH: &str = "/tavola.v1.SessionService/WatchSession";
const STREAMS: usize = 64;
const CONNECTIONS: usize = 4;

/// A connection whose streams have no room for anything, each watching a table of its own.
async fn stuck(server: &Server, tables: &[Table]) -> (Raw, Vec<Replies>) {
    let mut raw = Raw::connect(server.address(), 0).await;
    let mut streams = Vec::new();
    for table in tables {
        let request = WatchSessionRequest {
            session_id: table.id.clone(),
            view: View::Full.into(),
            ..Default::default()
        };
        streams.push(raw.call(WATCH, None, &request).await.1);
    }
    (raw, streams)
}

/// The versions that a stream had been told, and the refusal that it ended with.
async fn end_of(mut replies: Replies) -> (Vec<u64>, Status) {
    let mut versions = Vec::new();
    while let Some(message) = replies.next().await {
        let response = WatchSessionResponse::decode(message).unwrap();
        versions.push(update_of(&response.update.unwrap()).version);
    }
    let trailers = replies.trailers().await;
    (
        versions,
        Status::from_header_map(&trailers).expect("there is a status"),
    )
}

#[tokio::test]
async fn h3_streams_that_nobody_reads() {
    let stall_s = sized(4, 20);
    let stall = Duration::from_secs(stall_s);
    let room = CONNECTIONS.to_string();
    let flags = [
        "--write-stall-s",
        &stall_s.to_string(),
        "--watchers-per-session-max",
        &room,
    ];
    let rig = Rig::start("H3 slow reader", &flags).await;
    let client = rig.server.sessions().await;
    let mut dice = Dice::new();
    let mut tables = Vec::new();
    for _ in 0..STREAMS {
        tables.push(long_table(&client).await);
    }
    let actions = long_game(&mut dice, 160);
    let began = Instant::now();
    let mut connections = Vec::new();
    for _ in 0..CONNECTIONS {
        connections.push(stuck(&rig.server, &tables).await);
    }
    assert!(
        tables[0].try_watch(None, View::Lean, None).await.is_err(),
        "all places are taken"
    );

    // One that reads, of another seat's kind, and gets everything.
    let mut readers = Vec::new();
    let elsewhere = rig.server.sessions().await;
    for table in &tables {
        let table = Table {
            client: elsewhere.clone(),
            ..table.clone()
        };
        readers.push(table.watch(Some(0), View::Lean).await);
    }
    let events = sized(1500, 10_000);
    let producing = Instant::now();
    let mut told = 0;
    'producing: for action in &actions {
        for (table, reader) in tables.iter().zip(&mut readers) {
            if told == 0 {
                reader.next().await;
            }
            let decision = table.observe(None, View::Lean).await.decision;
            let Some(seat) = asked_seat(decision.as_ref()) else {
                break 'producing;
            };
            let id = decision.unwrap().decision_id;
            table
                .submit(seat, id, Answer::ActionId(*action))
                .await
                .unwrap();
            told += 1;
            if told >= events {
                break 'producing;
            }
        }
    }
    let rate = told as f64 / producing.elapsed().as_secs_f64();
    for (at, reader) in readers.iter_mut().enumerate() {
        // Slow to be asked, but not stalled: everything or a snapshot in its place.
        let version = tables[at].session().await.version;
        let mut now = 0;
        while now < version {
            now = reader.next().await.version;
        }
    }
    let grown = rig.grown_kib();

    // Each place is free again in time, though the stream cannot even be told.
    let mut freed = Duration::ZERO;
    for table in &tables {
        let next = loop {
            match table.try_watch(None, View::Lean, None).await {
                Ok(mut watching) => break watching.next().await,
                Err(status) => {
                    refused::<()>(Err(status), ErrorReason::LimitReached);
                    assert!(
                        began.elapsed() < stall + Duration::from_secs(10),
                        "not yet evicted"
                    );
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
        };
        assert!(next.snapshot);
        freed = freed.max(began.elapsed());
    }

    // Whoever reads on is told from where to resume, and resumes there without a gap.
    for (raw, streams) in connections {
        raw.open_windows(1 << 20);
        for (table, replies) in tables.iter().zip(streams) {
            let (versions, status) = end_of(replies).await;
            let refusal = refused::<()>(Err(status), ErrorReason::LimitReached);
            assert_eq!(refusal.metadata["limit"], "write_stall_s");
            assert_eq!(refusal.metadata["max"], stall_s.to_string());
            let from: u64 = refusal.metadata["resume_version"].parse().unwrap();
            assert_eq!(
                versions.last(),
                Some(&from),
                "what it has is where it resumes"
            );
            let mut resumed = table.resume(None, View::Full, from).await.unwrap();
            if table.session().await.version > from {
                assert_eq!(resumed.next().await.version, from + 1);
            }
        }
    }
    rig.figure(format!(
        "{} streams that nobody reads while {told} updates are made: {rate:.0} updates/s, memory +{grown} KiB, places \
         free within {freed:.1?}",
        STREAMS * CONNECTIONS
    ));
    assert!(grown <= 64 << 10);
    drop(readers);
    for table in tables {
        table.delete().await;
    }
    rig.verdict().await;
}

#[tokio::test]
async fn h3_a_forgotten_stream_costs_nobody_their_connection() {
    let rig = Rig::start("H3 forgotten stream", &["--write-stall-s", "1"]).await;
    let table = Table::santorini(&rig.server.sessions().await).await;
    let (mut raw, streams) = stuck(&rig.server, std::slice::from_ref(&table)).await;
    tokio::time::sleep(Duration::from_secs(5)).await;
    raw.open_windows(1 << 20);
    let info = tavola::pb::v1::GetServerInfoRequest {};
    raw.ask("/tavola.v1.CatalogService/GetServerInfo", &info)
        .await
        .expect("the connection goes on");
    for replies in streams {
        let (_, status) = end_of(replies).await;
        refused::<()>(Err(status), ErrorReason::LimitReached);
    }
    table.delete().await;
    rig.verdict().await;
}

#[tokio::test]
async fn h3_replies_that_nobody_reads() {
    let rig = Rig::start("H3 unread replies", &["--write-stall-s", "1"]).await;
    let mut dice = Dice::new();
    let table = long_table(&rig.server.sessions().await).await;
    for action in long_game(&mut dice, 100) {
        table.play_action(action).await;
    }
    let replay = tavola::pb::v1::GetReplayRequest {
        session_id: table.id.clone(),
        ..Default::default()
    };
    let began = Instant::now();
    let mut held = Vec::new();
    for _ in 0..CONNECTIONS {
        let mut raw = Raw::connect(rig.server.address(), 0).await;
        let mut replies = Vec::new();
        for _ in 0..STREAMS {
            replies.push(
                raw.call("/tavola.v1.SessionService/GetReplay", None, &replay)
                    .await,
            );
        }
        held.push((raw, replies));
    }
    let grown = rig.grown_kib();
    for (raw, replies) in held {
        // With streams open, nobody but the server ends it.
        let _ = raw.end().await;
        drop(replies);
    }
    rig.figure(format!(
        "256 replays unread: +{grown} KiB, cut within {:.1?}",
        began.elapsed()
    ));
    assert!(began.elapsed() < Duration::from_secs(20));
    table.delete().await;
    rig.verdict().await;
}

#[tokio::test]
async fn h7_streams_and_connections_until_refused() {
    let rig = Rig::start("H7 exhaustion", &[]).await;
    let client = rig.server.sessions().await;
    let table = Table::santorini(&client).await;
    // One token, on as many connections as it likes.
    let mut of_token = Vec::new();
    let refusal = loop {
        let elsewhere = Table {
            client: rig.server.sessions().await,
            ..table.clone()
        };
        match elsewhere
            .try_watch(table.token(Some(0)), View::Lean, None)
            .await
        {
            Ok(watching) => of_token.push(watching),
            Err(status) => break refused::<()>(Err(status), ErrorReason::LimitReached),
        }
    };
    assert_eq!(refusal.metadata["max"], of_token.len().to_string());
    table.watch(Some(1), View::Lean).await.next().await;
    // Nobody in particular.
    let mut of_nobody = Vec::new();
    let refusal = loop {
        let elsewhere = match of_nobody.len() % 50 {
            0 => rig.server.sessions().await,
            _ => of_nobody
                .last()
                .map(|(client, _): &(crate::common::Sessions, _)| client.clone())
                .unwrap(),
        };
        let table = Table {
            client: elsewhere.clone(),
            ..table.clone()
        };
        match table.try_watch(None, View::Lean, None).await {
            Ok(watching) => of_nobody.push((elsewhere, watching)),
            Err(status) => break refused::<()>(Err(status), ErrorReason::LimitReached),
        }
    };
    assert_eq!(refusal.metadata["max"], of_nobody.len().to_string());

    let mut sockets = Vec::new();
    let wanted = sized(1000, 5000);
    for _ in 0..wanted {
        sockets.push(
            try_attacker(rig.server.address())
                .await
                .expect("the kernel takes it"),
        );
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    let mut open = 0;
    for socket in &sockets {
        // What is refused is closed at once.
        let mut byte = [0];
        match socket.try_read(&mut byte) {
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => open += 1,
            _ => {}
        }
    }
    assert_eq!(open, 256, "as many from one address as allowed");
    let other = rig.server.sessions().await;
    let others = Table::santorini(&other).await;
    others.play_plies(&mut Dice::new(), 5).await;
    rig.figure(format!(
        "{} streams of one token, {} of spectators of one session, {open} of {wanted} connections of one address",
        of_token.len(),
        of_nobody.len()
    ));
    drop((sockets, of_token, of_nobody));
    rig.verdict().await;
}

#[tokio::test]
async fn f64_watchers_that_vanish() {
    let flags = ["--keepalive-interval-s", "1", "--keepalive-timeout-s", "1"];
    let rig = Rig::start("F64 vanished watchers", &flags).await;
    let table = Table::santorini(&rig.server.sessions().await).await;
    let watch = WatchSessionRequest {
        session_id: table.id.clone(),
        view: View::Full.into(),
        ..Default::default()
    };
    let watch = framed(&watch.encode_to_vec());
    let mut said = header_frames(1, &call(WATCH, &[]), 0, true);
    said.extend(frame(DATA, END_STREAM, 1, &watch));
    let files = rig.process.files();
    let cycles = sized(2000, 20_000);
    // Every tenth says nothing more and stays until the server gives it up; the others reset their connection.
    let mut silent = VecDeque::new();
    for cycle in 0..cycles {
        let mut client = Frames::open(rig.server.address()).await;
        assert!(client.say(&said).await);
        client.heard_within(Duration::from_micros(300)).await;
        if cycle % 10 == 0 {
            silent.push_back(client);
        } else {
            client.reset_connection();
        }
        if silent.len() > 100 {
            let heard = silent
                .pop_front()
                .unwrap()
                .heard_within(Duration::from_secs(10))
                .await;
            assert!(heard.closed, "a silent watcher is kept for ever");
        }
    }
    for mut client in silent {
        assert!(client.heard_within(Duration::from_secs(10)).await.closed);
    }
    // All places are free: as many as there may be can watch.
    let places = eventually("all places", async || {
        let mut places = Vec::new();
        for _ in 0..256 / STREAMS {
            let table = Table {
                client: rig.server.sessions().await,
                ..table.clone()
            };
            for _ in 0..STREAMS {
                places.push(table.try_watch(None, View::Lean, None).await.ok()?);
            }
        }
        Some(places)
    })
    .await;
    drop(places);
    let left = eventually("the end of all connections", async || {
        let left = rig.process.files();
        (left <= files).then_some(left)
    })
    .await;
    rig.figure(format!(
        "{cycles} watchers vanished; {files} files open before, {left} after; all places free"
    ));
    table.delete().await;
    rig.verdict().await;
}
