//! Connections that ask for nothing and say a lot.

use std::time::{Duration, Instant};

use crate::{
    common::sized,
    frames::{
        ACK, CONTINUATION, DATA, END_HEADERS, Frames, HEADERS, PING, PRIORITY, SETTINGS, UNKNOWN,
        WINDOW_UPDATE, call, frame, header_frames, reset,
    },
    rig::Rig,
};

const GET_SESSION: &str = "/tavola.v1.SessionService/GetSession";

/// Calls that are taken back at once.
fn begun_and_reset(stream: u32) -> Vec<u8> {
    let mut said = header_frames(stream, &call(GET_SESSION, &[]), 0, true);
    said.extend(reset(stream));
    said
}

#[tokio::test]
async fn h1_calls_that_are_taken_back_at_once() {
    let rig = Rig::start("H1 rapid reset", &[]).await;
    let address = rig.server.address();
    let flood = Frames::open(address)
        .await
        .flood(sized(20_000, 50_000), begun_and_reset);
    let heard = flood.await;
    let calmed = heard.calmed_after();
    rig.figure(format!("one connection: GOAWAY after {calmed:?} calls"));
    assert!(calmed.is_some_and(|after| after <= 1000), "{heard:?}");

    let mut most = 0;
    for _ in 0..sized(5, 20) {
        let flood = Frames::open(address).await.flood(5000, begun_and_reset);
        let calmed = flood.await.calmed_after();
        most = most.max(calmed.expect("it is asked for calm"));
    }
    rig.figure(format!(
        "more connections: GOAWAY after {most} calls at most"
    ));
    assert!(most <= 1000);

    // One that waits until its call is taken up before it takes it back.
    let mut patient = Frames::open(address).await;
    let mut taken_back = 0_u32;
    let cut = loop {
        let stream = 2 * taken_back + 1;
        if !patient
            .say(&header_frames(stream, &call(GET_SESSION, &[]), 0, true))
            .await
        {
            break true;
        }
        tokio::time::sleep(Duration::from_micros(200)).await;
        if taken_back == 3000 || !patient.say(&reset(stream)).await {
            break taken_back < 3000;
        }
        taken_back += 1;
    };
    rig.figure(format!(
        "a patient connection: cut after {taken_back} calls"
    ));
    assert!(cut, "nobody needs to take back {taken_back} calls");
    drop(patient);
    let grown = rig.grown_kib();
    assert!(grown <= 50 << 10, "{grown} KiB");
    rig.verdict().await;
}

#[tokio::test]
async fn h2_headers_without_measure() {
    let rig = Rig::start("H2 header abuse", &[]).await;
    let address = rig.server.address();
    let large = |bytes: usize| call(GET_SESSION, &[("x-large", &"a".repeat(bytes))]);
    let tiny: Vec<String> = (0..5000).map(|nth| format!("x-{nth}")).collect();
    let tiny: Vec<_> = tiny.iter().map(|name| (name.as_str(), "1")).collect();
    let unending = |pieces: usize, payload: &[u8]| {
        let mut said = frame(HEADERS, 0, 1, &call(GET_SESSION, &[]));
        said.extend(frame(CONTINUATION, 0, 1, payload).repeat(pieces));
        said
    };
    for (what, said) in [
        ("16 KiB", header_frames(1, &large(16 << 10), 0, true)),
        ("64 KiB", header_frames(1, &large(64 << 10), 0, true)),
        ("1 MiB", header_frames(1, &large(1 << 20), 0, true)),
        (
            "5,000 tiny ones",
            header_frames(1, &call(GET_SESSION, &tiny), 0, true),
        ),
        ("10,000 empty continuations", unending(10_000, &[])),
        (
            "10,000 continuations",
            unending(10_000, &[0, 1, b'a', 1, b'b']),
        ),
    ] {
        let mut client = Frames::open(address).await;
        client.say(&said).await;
        // Refused by a reply, a reset, or an end: in any case the call is not taken up.
        let heard = client.heard_within(Duration::from_secs(2)).await;
        rig.figure(format!("{what}: {heard:?}"));
        assert!(
            heard.cut() || heard.resets > 0 || heard.heads > 0,
            "{what}: {heard:?}"
        );
    }
    let grown = rig.grown_kib();
    assert!(grown <= 10 << 10, "{grown} KiB");
    rig.verdict().await;
}

#[tokio::test]
async fn h6_frames_that_ask_for_nothing() {
    let rig = Rig::start("H6 frame floods", &[]).await;
    let address = rig.server.address();
    let frames = sized(50_000, 100_000);
    // A call that never ends, for what belongs to a call.
    let begun = header_frames(1, &call(GET_SESSION, &[]), 0, true);
    for (what, said) in [
        ("PING", frame(PING, 0, 0, &[7; 8])),
        ("answers to no PING", frame(PING, ACK, 0, &[7; 8])),
        ("SETTINGS", frame(SETTINGS, 0, 0, &[])),
        (
            "SETTINGS of windows",
            frame(SETTINGS, 0, 0, &[0, 4, 0, 0, 0xff, 0xff]),
        ),
        ("PRIORITY", frame(PRIORITY, 0, 1, &[0, 0, 0, 3, 1])),
        ("WINDOW_UPDATE", frame(WINDOW_UPDATE, 0, 0, &[0, 0, 0, 1])),
        ("1-byte DATA", frame(DATA, 0, 1, &[0])),
        ("empty DATA", frame(DATA, 0, 1, &[])),
        (
            "frames of no known kind",
            frame(UNKNOWN, END_HEADERS, 0, &[]),
        ),
    ] {
        let mut client = Frames::open(address).await;
        assert!(client.say(&begun).await);
        let (cpu, began) = (rig.cpu(), Instant::now());
        let heard = client.flood(frames / 50, |_| said.repeat(50)).await;
        let (cpu, took) = (rig.cpu() - cpu, began.elapsed());
        rig.figure(format!(
            "{what}: {took:.1?}, {} ms of CPU, {heard:?}",
            cpu.as_millis()
        ));
        assert!(heard.closed, "{what} is not cut: {heard:?}");
        assert!(cpu < Duration::from_secs(1), "{what} costs {cpu:?}");
    }
    rig.verdict().await;
}
