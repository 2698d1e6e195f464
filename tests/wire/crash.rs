//! Eight writers, a server that is killed at random moments, and what is there when it comes back: all that was
//! acknowledged, once, and nothing that nobody sent.
//!
//! Ten kills; with the variable `TAVOLA_TEST_LONG` it is a hundred, and each server lives for longer.

use std::{collections::HashSet, env, time::Duration};

use prost::Message as _;
use tavola::pb::v1::{
    GetObservationRequest, GetReplayRequest, JoinSessionRequest, ListSessionsRequest,
    SubmitActionRequest, SubmitActionResponse, View, replay_step::Entry,
    submit_action_request::Answer,
};
use tokio::task::JoinSet;
use tonic::Status;

use crate::common::{DataFolder, Dice, Server, Sessions, Table, santorini, with_token};

const WRITERS: usize = 8;

/// An answer that was acknowledged.
#[derive(Clone, Debug)]
struct Given {
    seat: usize,
    decision: u64,
    action: u32,
    reply: Vec<u8>,
}

/// A session, as the one who plays both of its seats knows it.
#[derive(Debug)]
struct Known {
    table: Table,
    given: Vec<Given>,
    /// An answer that was sent, and of which nobody knows what became.
    unsure: Option<Given>,
    /// Whether a seat may be taken by somebody who never heard of it.
    half_seated: bool,
    finished: bool,
}

/// One who plays game after game.
#[derive(Debug)]
struct Writer {
    dice: Dice,
    sessions: Vec<Known>,
    /// Sessions that may have been created, and whose ids nobody was told.
    unsure: usize,
}

/// Whether the server is gone. Anything else that it refuses is a fault.
fn gone(status: &Status) -> bool {
    assert!(status.details().is_empty(), "refused: {status:?}");
    true
}

async fn send(client: &Sessions, known: &Known, given: &Given) -> Result<Vec<u8>, Status> {
    let request = SubmitActionRequest {
        session_id: known.table.id.clone(),
        decision_id: given.decision,
        answer: Some(Answer::ActionId(given.action)),
        view: View::Lean.into(),
    };
    let request = with_token(Some(&known.table.tokens[given.seat]), request);
    let reply = client.clone().submit_action(request).await?;
    Ok(reply.into_inner().encode_to_vec())
}

impl Writer {
    /// Plays until the server is gone.
    async fn play(mut self, client: Sessions) -> Self {
        loop {
            let ended = self.play_on(&client).await;
            if ended.is_err_and(|status| gone(&status)) {
                return self;
            }
        }
    }

    async fn play_on(&mut self, client: &Sessions) -> Result<(), Status> {
        let playable = |known: &Known| !known.finished && !known.half_seated;
        if !self.sessions.last().is_some_and(playable) {
            self.open(client).await?;
        }
        let known = self.sessions.last_mut().unwrap();
        for seat in 0..2 {
            let request = GetObservationRequest {
                session_id: known.table.id.clone(),
                view: View::Lean.into(),
            };
            let request = with_token(Some(&known.table.tokens[seat]), request);
            let seen = client.clone().get_observation(request).await?.into_inner();
            known.finished = seen.outcome.is_some();
            if seen.legal_action_ids.is_empty() {
                continue;
            }
            let given = Given {
                seat,
                decision: seen.decision.unwrap().decision_id,
                action: *self.dice.pick(&seen.legal_action_ids),
                reply: Vec::new(),
            };
            known.unsure = Some(given.clone());
            let reply = send(client, known, &given).await?;
            known.unsure = None;
            known.given.push(Given { reply, ..given });
        }
        Ok(())
    }

    async fn open(&mut self, client: &Sessions) -> Result<(), Status> {
        self.unsure += 1;
        let created = client.clone().create_session(santorini()).await?;
        let created = created.into_inner();
        self.unsure -= 1;
        self.sessions.push(Known {
            table: Table {
                client: client.clone(),
                id: created.session_id.clone(),
                host: created.host_token,
                join_token: None,
                tokens: Vec::new(),
            },
            given: Vec::new(),
            unsure: None,
            half_seated: true,
            finished: false,
        });
        let known = self.sessions.last_mut().unwrap();
        for seat in 0..2 {
            let request = JoinSessionRequest {
                session_id: created.session_id.clone(),
                seat: Some(seat),
                request_id: String::new(),
            };
            let joined = client.clone().join_session(request).await?.into_inner();
            known.table.tokens.push(joined.seat_token);
        }
        known.half_seated = false;
        Ok(())
    }

    /// Compares what came back with what is known.
    async fn check(&mut self, client: &Sessions, all: bool) {
        for known in &mut self.sessions {
            known.table.client = client.clone();
            let session = known.table.session().await;
            let seated = 1 + known.table.tokens.len() as u64;
            if known.half_seated {
                let may_be = seated..=seated + 1;
                assert!(may_be.contains(&session.version), "{known:?}");
                continue;
            }
            let acknowledged = seated + known.given.len() as u64;
            let unsure = u64::from(known.unsure.is_some());
            assert!(
                session.version >= acknowledged,
                "lost: version {} of {known:?}",
                session.version
            );
            assert!(
                session.version <= acknowledged + unsure,
                "phantom or duplicate: version {} of {known:?}",
                session.version
            );
            // Whatever became of it before, now it counts, once.
            if let Some(given) = known.unsure.take() {
                let reply = send(client, known, &given).await.unwrap();
                let told = SubmitActionResponse::decode(&*reply).unwrap();
                assert_eq!(told.version, acknowledged + 1, "{known:?}");
                known.finished = told.outcome.is_some();
                known.given.push(Given { reply, ..given });
            }
            let recent = known.given.len().saturating_sub(3);
            let again: Vec<_> = if all {
                known.given.iter().collect()
            } else {
                known.given[recent..].iter().collect()
            };
            for given in again {
                let reply = send(client, known, given).await.unwrap();
                assert_eq!(reply, given.reply, "{given:?}");
            }
            let version = known.table.session().await.version;
            assert_eq!(version, seated + known.given.len() as u64);
            if all && known.finished {
                check_replay(known).await;
            }
        }
    }
}

async fn check_replay(known: &Known) {
    let request = GetReplayRequest {
        page_size: Some(1000),
        ..Default::default()
    };
    let replay = known.table.replay(request).await.unwrap();
    let played = replay.steps.iter().skip(1).map(|step| match step.entry {
        Some(Entry::ActionId(action)) => (step.seat.unwrap(), action),
        _ => panic!("nobody resigned: {step:?}"),
    });
    let given = known.given.iter();
    let given = given.map(|given| (u32::try_from(given.seat).unwrap(), given.action));
    assert!(played.eq(given), "another game came back");
}

/// All sessions that there are.
async fn listed(client: &Sessions) -> HashSet<String> {
    let (mut all, mut page_token) = (HashSet::new(), String::new());
    loop {
        let request = ListSessionsRequest {
            page_size: Some(100),
            page_token,
            ..Default::default()
        };
        let page = client.clone().list_sessions(request).await.unwrap();
        let page = page.into_inner();
        for session in page.sessions {
            assert!(all.insert(session.session_id), "listed twice");
        }
        page_token = page.next_page_token;
        if page_token.is_empty() {
            return all;
        }
    }
}

#[tokio::test]
async fn whatever_was_acknowledged_survives_kills_at_random_moments() {
    let long = env::var_os("TAVOLA_TEST_LONG").is_some();
    let (kills, most_ms) = if long { (100, 3000) } else { (10, 900) };
    let folder = DataFolder::new();
    let mut dice = Dice::new();
    let mut writers: Vec<_> = (0..WRITERS)
        .map(|_| Writer {
            dice: dice.split(),
            sessions: Vec::new(),
            unsure: 0,
        })
        .collect();
    for kill in 0..=kills {
        let server: Server = folder.serve(&["--session-evict-s", "1"]);
        let client = server.sessions().await;
        let last = kill == kills;
        for writer in &mut writers {
            // What was over long before is looked at in the end.
            let live = writer.sessions.len().saturating_sub(2);
            let first = if last { 0 } else { live };
            let mut old: Vec<_> = writer.sessions.drain(..first).collect();
            writer.check(&client, last).await;
            old.append(&mut writer.sessions);
            writer.sessions = old;
        }
        let there = listed(&client).await;
        let known = writers.iter().flat_map(|writer| &writer.sessions);
        let known: HashSet<_> = known.map(|known| known.table.id.clone()).collect();
        assert!(known.is_subset(&there), "a session is lost");
        let unsure: usize = writers.iter().map(|writer| writer.unsure).sum();
        assert!(there.len() <= known.len() + unsure, "a session too many");
        if last {
            break;
        }
        let mut playing = JoinSet::new();
        for writer in writers.drain(..) {
            playing.spawn(writer.play(server.sessions().await));
        }
        let least_ms = most_ms / 3;
        let lives = least_ms + dice.below(most_ms - least_ms);
        tokio::time::sleep(Duration::from_millis(lives as u64)).await;
        server.kill();
        while let Some(writer) = playing.join_next().await {
            writers.push(writer.unwrap());
        }
    }
    let sessions: usize = writers.iter().map(|writer| writer.sessions.len()).sum();
    let answers = writers.iter().flat_map(|writer| &writer.sessions);
    let answers: usize = answers.map(|known| known.given.len()).sum();
    let unsure: usize = writers.iter().map(|writer| writer.unsure).sum();
    println!(
        "{kills} kills: {sessions} sessions, {answers} answers acknowledged; lost 0, phantom 0, \
         duplicated 0; {unsure} creations that nobody heard of"
    );
    assert!(answers > kills * WRITERS);
}
