//! Connections that say nothing, too slowly, something else, or are too many.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use tavola::pb::v1::GetServerInfoRequest;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    task::JoinSet,
};

use crate::{
    common::{Dice, eventually},
    frames::{DATA, Frames, attacker, call, frame, header_frames, try_attacker},
    process::Process,
    rig::{Rig, sized},
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

#[tokio::test]
async fn h4_bodies_that_come_a_byte_a_second() {
    let rig = Rig::start("H4 slow sender", &[]).await;
    let address = rig.server.address();
    let begun = {
        let mut rig_files = rig.process.files();
        let mut slow = JoinSet::new();
        for _ in 0..4 {
            let mut client = Frames::open(address).await;
            slow.spawn(async move {
                let began = Instant::now();
                let streams: Vec<u32> = (0..50).map(|nth| 2 * nth + 1).collect();
                for stream in &streams {
                    assert!(
                        client
                            .say(&header_frames(*stream, &call(GET_SESSION, &[]), 0, true))
                            .await
                    );
                }
                let mut ended = 0;
                // The prefix of a message of 100 bytes, and then the message, a byte a second.
                for byte in [0, 0, 0, 0, 100].into_iter().chain([10; 25]) {
                    for stream in &streams {
                        client.say(&frame(DATA, 0, *stream, &[byte])).await;
                    }
                    let heard = client.heard_within(Duration::from_secs(1)).await;
                    ended += heard.heads.max(heard.resets);
                    if ended >= streams.len() || heard.cut() {
                        return began.elapsed();
                    }
                }
                panic!("{} of 50 slow calls are ended", ended);
            });
        }
        // Slow heads of HTTP/1, and slow bodies.
        for said in [
            "POST /tavola.v1.SessionService/GetSession HTTP/1.1\r\nhost: tavola.test\r\nx-slow: "
                .to_owned(),
            format!(
                "POST {GET_SESSION} HTTP/1.1\r\nhost: tavola.test\r\nx-grpc-web: 1\r\ncontent-type: \
                 application/grpc-web+proto\r\ncontent-length: 1000\r\n\r\n"
            ),
        ] {
            for _ in 0..20 {
                let mut socket = attacker(address).await;
                socket.write_all(said.as_bytes()).await.unwrap();
                slow.spawn(async move {
                    let (mut read, mut write) = socket.into_split();
                    let drip = tokio::spawn(async move {
                        while write.write_all(b"a").await.is_ok() {
                            tokio::time::sleep(Duration::from_secs(1)).await;
                        }
                    });
                    let began = Instant::now();
                    let mut reply = Vec::new();
                    let read =
                        tokio::time::timeout(Duration::from_secs(45), read.read_to_end(&mut reply));
                    let ended = read.await.is_ok();
                    drip.abort();
                    assert!(
                        ended,
                        "a slow browser is still served: {}",
                        String::from_utf8_lossy(&reply)
                    );
                    began.elapsed()
                });
            }
        }
        let longest = slow.join_all().await.into_iter().max().unwrap();
        rig_files = rig.process.files().saturating_sub(rig_files);
        rig.figure(format!("200 slow calls and 40 slow browsers ended within {longest:.1?}, {rig_files} sockets left"));
        longest
    };
    assert!(begun <= Duration::from_secs(31), "{begun:?}");
    rig.verdict().await;
}

#[tokio::test]
async fn h5_sockets_that_say_nothing() {
    let sockets = sized(300, 1000);
    let limit = (sockets + 10).to_string();
    let mut rig = Rig::start("H5 silent sockets", &["--connections-per-peer-max", &limit]).await;
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
    let rig = Rig::start("H12 garbage", &["--log", "debug"]).await;
    let address = rig.server.address();
    // The honest player is logged, too, at this level; what the attack adds is what counts.
    let at_info = Rig::log_lines(&rig.server.log(), &[" INFO ", " WARN ", " ERROR "]);
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
    let log = rig.server.log();
    let more = Rig::log_lines(&log, &[" INFO ", " WARN ", " ERROR "]) - at_info;
    let games = log.matches("game over").count();
    let a_second = (more.saturating_sub(games)) as f64 / began.elapsed().as_secs_f64();
    rig.figure(format!(
        "{said} connections with garbage, all closed; {a_second:.1} lines a second in the log at level info"
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
