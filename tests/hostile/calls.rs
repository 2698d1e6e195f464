//! Calls that are taken back, and calls with no time to spare.

use std::time::{Duration, Instant};

use prost::Message as _;
use tavola::pb::v1::{
    CreateSessionRequest, GetReplayRequest, SubmitActionRequest, View,
    submit_action_request::Answer,
};
use tokio::task::JoinSet;
use tonic::{Code, Status};

use crate::{
    common::{
        Dice, Sessions, Table, asked_seat,
        raw::{Raw, Replies, framed},
        santorini, sized, soon,
    },
    rig::Rig,
};

const SUBMIT: &str = "/tavola.v1.SessionService/SubmitAction";

fn with_seed(seed: u64) -> CreateSessionRequest {
    CreateSessionRequest {
        seed: Some(seed),
        ..santorini()
    }
}

/// Plays games in which every answer is taken back after a moment, again and again until it counts. How many calls were
/// taken back, of how many.
async fn impatient(client: Sessions, mut dice: Dice, calls: usize) -> (usize, usize) {
    let (mut made, mut taken_back) = (0, 0);
    while made < calls {
        let seed = dice.next();
        let table = Table::start(&client, with_seed(seed)).await;
        let mut watching = table.watch(None, View::Lean).await;
        let mut version = watching.next().await.version;
        loop {
            let seen = table.observe(None, View::Lean).await;
            let Some(seat) = asked_seat(seen.decision.as_ref()) else {
                break;
            };
            let decision = seen.decision.map_or(0, |open| open.decision_id);
            let legal = table.observe(Some(seat), View::Lean).await.legal_action_ids;
            let answer = Answer::ActionId(*dice.pick(&legal));
            loop {
                // Most answers would come within a millisecond.
                let most_us = *dice.pick(&[5000, 600, 200]);
                let patience = Duration::from_micros(dice.next() % most_us);
                let call = table.submit(seat, decision, answer.clone());
                made += 1;
                match tokio::time::timeout(patience, call).await {
                    Ok(reply) => {
                        assert_eq!(
                            reply.expect("the same answer may be given again").version,
                            version + 1
                        );
                        break;
                    }
                    Err(_) => taken_back += 1,
                }
                let now = table.observe(None, View::Lean).await.version;
                assert!(
                    now == version || now == version + 1,
                    "{version}, then {now}"
                );
            }
            version += 1;
            assert_eq!(watching.next().await.version, version, "no gap, no repeat");
        }
        assert_eq!(watching.next_encoded().await.expect("it ends well"), None);
        assert_replayed(&table, seed).await;
        table.delete().await;
    }
    (taken_back, made)
}

/// Another table on which the same is played by the record ends up in the same state.
async fn assert_replayed(table: &Table, seed: u64) {
    let request = GetReplayRequest {
        page_size: Some(1000),
        ..Default::default()
    };
    let replay = table.replay(request).await.expect("the game is over");
    assert_eq!(replay.next_page_token, "", "the game is short");
    let again = Table::start(&table.client, with_seed(seed)).await;
    for step in &replay.steps[1..] {
        let Some(tavola::pb::v1::replay_step::Entry::ActionId(action)) = step.entry else {
            panic!("nobody resigned: {step:?}");
        };
        again.play_action(action).await;
    }
    let states = [table.state(None).await, again.state(None).await];
    let [played, replayed] = states.map(|state| state.expect("the game is over").state);
    assert_eq!(played, replayed);
    again.delete().await;
}

/// F74: all or nothing, wherever a call is given up.
#[tokio::test]
async fn h10_answers_that_are_taken_back() {
    // So few that calls which are never given back would use them up.
    let rig = Rig::start("H10 cancel storm", &["--calls-max", "64"]).await;
    let mut dice = Dice::new();
    let players = 8;
    let calls = sized(2000, 20_000) / players;
    let files = rig.process.files();
    let mut games = JoinSet::new();
    for _ in 0..players {
        games.spawn(impatient(rig.server.sessions().await, dice.split(), calls));
    }
    let (mut taken_back, mut made) = (0, 0);
    for (back, of) in games.join_all().await {
        taken_back += back;
        made += of;
    }
    rig.figure(format!(
        "{taken_back} of {made} answers taken back; every game as its record has it"
    ));
    assert!(
        taken_back * 10 > made,
        "few were taken back: {taken_back} of {made}"
    );
    let left = crate::common::eventually("the end of all connections", async || {
        let left = rig.process.files();
        (left <= files).then_some(left)
    })
    .await;
    rig.figure(format!("{files} files open before, {left} after"));
    rig.verdict().await;
}

#[tokio::test]
async fn h11_deadlines_at_the_edge() {
    let rig = Rig::start("H11 deadline edge", &[]).await;
    let client = rig.server.sessions().await;
    let table = Table::start(&client, with_seed(7)).await;
    let mut raw = Raw::connect(rig.server.address(), 1 << 16).await;
    let mut dice = Dice::new();
    for timeout in [
        "1n",
        "0n",
        "1u",
        "100u",
        "1m",
        "99999999H",
        "999999999H",
        "1",
        "S",
        "",
        "-1S",
        "1.5S",
        "1 S",
        "1d",
        "é",
    ] {
        let before = table.observe(None, View::Lean).await;
        let Some(seat) = asked_seat(before.decision.as_ref()) else {
            panic!("the game is long enough")
        };
        let decision_id = before.decision.map_or(0, |open| open.decision_id);
        let legal = table.observe(Some(seat), View::Lean).await.legal_action_ids;
        let answer = Answer::ActionId(*dice.pick(&legal));
        let submit = SubmitActionRequest {
            session_id: table.id.clone(),
            decision_id,
            answer: Some(answer.clone()),
            view: View::Lean.into(),
        };
        let mut request = raw.request(SUBMIT, table.token(Some(seat)));
        let value = http::HeaderValue::from_bytes(timeout.as_bytes()).unwrap();
        request.headers_mut().insert("grpc-timeout", value);
        let (response, mut body) = raw.begin(request).await;
        let began = Instant::now();
        let _ = body.send_data(framed(&submit.encode_to_vec()), true);
        let response = soon("an answer", response)
            .await
            .expect("the call is answered");
        let code = match Status::from_header_map(response.headers()) {
            Some(status) => status.code(),
            None => {
                let mut replies = Replies::new(response.into_body());
                while replies.next().await.is_some() {}
                let trailers = replies.trailers().await;
                Status::from_header_map(&trailers).map_or(Code::Ok, |status| status.code())
            }
        };
        let after = table.observe(None, View::Lean).await;
        rig.figure(format!(
            "grpc-timeout {timeout:?}: {code:?} after {:.1?}, version {} then {}",
            began.elapsed(),
            before.version,
            after.version
        ));
        assert!(
            matches!(
                code,
                Code::Ok | Code::DeadlineExceeded | Code::InvalidArgument
            ),
            "{timeout:?}: {code:?}"
        );
        assert!(code != Code::Ok || after.version == before.version + 1);
        // Applied or not: the same answer again is safe, and counts once.
        let reply = table
            .submit(seat, decision_id, answer)
            .await
            .expect("it is the first answer, or its repeat");
        assert_eq!(reply.version, before.version + 1);
    }
    drop(raw);
    table.delete().await;
    rig.verdict().await;
}
