//! Connections that say nothing, too slowly, something else, or are too many.

use std::{
    pin::pin,
    time::{Duration, Instant},
};

use rustix::process::Signal;
use tavola::pb::v1::GetServerInfoRequest;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    task::JoinSet,
};

use crate::{
    common::{Dice, eventually, sized},
    frames::{DATA, Frames, attacker, call, frame, header_frames, try_attacker},
    process::Process,
    rig::Rig,
};

const GET_SESSION: &str = "/tavola.v1.SessionService/GetSession";

/// Reads until the other side closes; how long that took.
async fn until_closed(mut socket: TcpStream, within: Duration) -> Duration {
    let began = Instant::now();
    let mut buffer = [0; 1024];
    let closed = async { while matches!(socket.read(&mut buffer).await, Ok(1..)) {} };
    match tokio::time::timeout(within, closed).await {
        Ok(()) => began.elapsed(),
        Err(_) => panic!("a connection is still open after {within:?}"),
    }
}

/// 50 calls on one connection, each of which promises a message of 100 bytes and sends a byte a second. How long they
/// lasted.
async fn slow_calls(mut client: Frames) -> Duration {
    const CALLS: u32 = 50;
    let began = Instant::now();
    let streams = || (0..CALLS).map(|nth| 2 * nth + 1);
    let mut begin = Vec::new();
    for stream in streams() {
        begin.extend(header_frames(stream, &call(GET_SESSION, &[]), 0, true));
    }
    assert!(client.say(&begin).await);
    let mut ended = 0;
    for byte in [0, 0, 0, 0, 100].into_iter().chain([10; 25]) {
        let frames: Vec<_> = streams()
            .flat_map(|stream| frame(DATA, 0, stream, &[byte]))
            .collect();
        client.say(&frames).await;
        let heard = client.heard_within(Duration::from_secs(1)).await;
        ended += heard.heads.max(heard.resets);
        if ended >= streams().count() || heard.cut() {
            return began.elapsed();
        }
    }
    panic!("only {ended} of {CALLS} slow calls are ended");
}

/// A request of HTTP/1 that goes on a byte a second. How long it lasted.
async fn slow_request(socket: TcpStream, begins: &[u8]) -> Duration {
    const TOO_LONG: Duration = Duration::from_secs(45);
    let began = Instant::now();
    let (mut read, mut write) = socket.into_split();
    let drip = async {
        let mut more = write.write_all(begins).await;
        while more.is_ok() {
            tokio::time::sleep(Duration::from_secs(1)).await;
            more = write.write_all(b"a").await;
        }
    };
    let mut reply = Vec::new();
    let mut hear = pin!(tokio::time::timeout(TOO_LONG, read.read_to_end(&mut reply)));
    let heard = tokio::select! {
        heard = &mut hear => heard,
        // What cannot be sent any more may still be answered.
        () = drip => hear.await,
    };
    assert!(heard.is_ok(), "a slow request is still served");
    began.elapsed()
}

#[tokio::test]
async fn h4_bodies_that_come_a_byte_a_second() {
    let rig = Rig::start("H4 slow sender", &[]).await;
    let address = rig.server.address();
    let files = rig.process.files();
    let mut slow = JoinSet::new();
    for _ in 0..4 {
        slow.spawn(slow_calls(Frames::open(address).await));
    }
    let body = format!(
        "POST {GET_SESSION} HTTP/1.1\r\nhost: tavola.test\r\nx-grpc-web: 1\r\n\
         content-type: application/grpc-web+proto\r\ncontent-length: 1000\r\n\r\n"
    );
    let head = format!("POST {GET_SESSION} HTTP/1.1\r\nhost: tavola.test\r\nx-slow: ");
    // There are 30 s for a head, which nobody can change.
    for begins in sized(vec![body.clone()], vec![body, head]) {
        for _ in 0..20 {
            let (socket, begins) = (attacker(address).await, begins.clone());
            slow.spawn(async move { slow_request(socket, begins.as_bytes()).await });
        }
    }
    let longest = slow.join_all().await.into_iter().max().unwrap();
    let left = rig.process.files().saturating_sub(files);
    rig.figure(format!(
        "200 slow calls and slow browsers ended within {longest:.1?}, {left} sockets left"
    ));
    assert!(longest <= Duration::from_secs(31), "{longest:?}");
    rig.verdict().await;
}

#[tokio::test]
async fn h5_sockets_that_say_nothing() {
    let sockets = sized(300, 1000);
    let limit = (sockets + 10).to_string();
    let patience_s = sized("3", "10");
    let flags = [
        "--connections-per-peer-max",
        &limit,
        "--handshake-timeout-s",
        patience_s,
    ];
    let mut rig = Rig::start("H5 silent sockets", &flags).await;
    let address = rig.server.address();
    let before = rig.process.files();
    let mut silent = JoinSet::new();
    for _ in 0..sockets {
        let socket = attacker(address).await;
        silent.spawn(until_closed(socket, Duration::from_secs(15)));
    }
    let open = rig.process.files() - before;
    let longest = silent.join_all().await.into_iter().max().unwrap();
    rig.figure(format!(
        "{open} files opened for {sockets} sockets, all closed within {longest:.1?}"
    ));

    let mut again = Vec::new();
    for _ in 0..sockets {
        again.push(attacker(address).await);
    }
    rig.expect_shutdown();
    let began = Instant::now();
    rig.server.signal(Signal::TERM);
    rig.server.exit(Duration::from_secs(11)).await;
    rig.figure(format!(
        "a shutdown with {sockets} silent sockets took {:.1?}",
        began.elapsed()
    ));
}

#[tokio::test]
async fn h12_what_is_not_grpc() {
    let rig = Rig::start("H12 garbage", &[]).await;
    let address = rig.server.address();
    // The honest player's games are logged, too.
    let lines = |log: &str| {
        log.lines()
            .filter(|line| !line.contains("session_id="))
            .count()
    };
    let before = lines(&rig.server.log());
    let began = Instant::now();
    let mut dice = Dice::new();
    let mut said = 0;
    while began.elapsed() < sized(Duration::from_secs(3), Duration::from_secs(20)) {
        let mut words = vec![
            b"GET / HTTP/1.1\r\nhost: tavola.test\r\n\r\n".to_vec(),
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".repeat(20),
            b"SSH-2.0-OpenSSH_9.6\r\n".to_vec(),
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nnot a frame at all".to_vec(),
        ];
        let length = 1 + dice.below(500);
        words.push((0..length).map(|_| dice.next().to_le_bytes()[0]).collect());
        for words in words {
            let mut socket = attacker(address).await;
            let _ = socket.write_all(&words).await;
            let _ = socket.shutdown().await;
            until_closed(socket, Duration::from_secs(15)).await;
            said += 1;
        }
    }
    let more = lines(&rig.server.log()) - before;
    let a_second = more as f64 / began.elapsed().as_secs_f64();
    rig.figure(format!(
        "{said} connections with garbage, all closed; {a_second:.1} lines a second in the log"
    ));
    assert!(a_second <= 100.0);
    rig.verdict().await;
}

#[tokio::test]
async fn h15_more_connections_than_files() {
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -n 256; exec \"$0\" \"$@\""]);
    let server = crate::common::command(&[
        "--listen",
        "127.0.0.1:0",
        "--connections-per-peer-max",
        "1000",
    ]);
    command.arg(server.get_program()).args(server.get_args());
    for (name, value) in server.get_envs() {
        if value.is_none() {
            command.env_remove(name);
        }
    }
    let rig = Rig::run("H15 file descriptors", command).await;
    let address = rig.server.address();
    let mut held = Vec::new();
    for _ in 0..400 {
        // The kernel takes connections for the server; they may wait for it for ever.
        held.push(try_attacker(address).await.expect("the backlog has room"));
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let open = Process(rig.server.pid()).files();
    let warnings = rig.server.log().matches("cannot accept").count();
    rig.figure(format!(
        "400 connections: {open} files open, {warnings} warnings in 2 s"
    ));
    assert!(open <= 256);
    assert!(
        warnings <= 200,
        "the log is flooded: {warnings} lines in 2 s"
    );
    drop(held);
    let released = Instant::now();
    eventually("a connection that is served", async || {
        let channel = rig.server.endpoint().connect().await.ok()?;
        let mut catalog = crate::common::Catalog::new(channel);
        catalog.get_server_info(GetServerInfoRequest {}).await.ok()
    })
    .await;
    rig.figure(format!(
        "served again {:.1?} after their release",
        released.elapsed()
    ));
    rig.verdict().await;
}
