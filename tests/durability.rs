//! Sessions outlive the server: what was acknowledged is there when it comes back, however it went, and sessions that
//! nobody needs leave memory and come back.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that fails panics"
)]

mod common;

use std::{process::Command, time::Duration};

use prost::Message as _;
use rustix::process::{Resource, Rlimit, prlimit};
use tavola::pb::v1::{
    CreateSessionRequest, ErrorReason, GetReplayRequest, GetSessionRequest, ListSessionsRequest,
    Session, SessionStatus, SubmitActionResponse, View, submit_action_request::Answer,
};
use tonic::Status;

use common::{
    DataFolder, Dice, PATIENCE, Server, Sessions, Table, asked_seat, eventually, refused,
    santorini, sized, update_of,
};

/// The same table, called for on another server.
async fn moved(table: &Table, server: &Server) -> Table {
    Table {
        client: server.sessions().await,
        ..table.clone()
    }
}

/// How a server goes.
#[derive(Clone, Copy, Debug)]
enum Exit {
    Orderly,
    Crash,
}

async fn restart(mut server: Server, exit: Exit, folder: &DataFolder, flags: &[&str]) -> Server {
    match exit {
        Exit::Orderly => {
            server.terminate();
            assert!(server.exit(PATIENCE).await.success());
        }
        Exit::Crash => server.kill(),
    }
    folder.serve(flags)
}

/// An answer that counted, and all of its reply.
#[derive(Clone, Debug)]
struct Given {
    seat: usize,
    decision: u64,
    action: u32,
    view: View,
    reply: Vec<u8>,
}

async fn submit(table: &Table, given: &Given) -> Result<SubmitActionResponse, Status> {
    let token = &table.tokens[given.seat];
    let answer = Answer::ActionId(given.action);
    table
        .submit_as(token, given.decision, answer, given.view)
        .await
}

/// One ply by whoever is asked. `None` once the game is over.
async fn give(table: &Table, dice: &mut Dice) -> Option<Given> {
    let decision = table.observe(None, View::Lean).await.decision?;
    let seat = asked_seat(Some(&decision)).unwrap();
    let legal = table.observe(Some(seat), View::Lean).await.legal_action_ids;
    let mut given = Given {
        seat,
        decision: decision.decision_id,
        action: *dice.pick(&legal),
        view: *dice.pick(&[View::Full, View::Lean]),
        reply: Vec::new(),
    };
    given.reply = submit(table, &given).await.unwrap().encode_to_vec();
    Some(given)
}

/// All that can be seen of a session by those who have a seat, and by nobody in particular.
async fn everything(table: &Table) -> Vec<Vec<u8>> {
    let mut seen = vec![table.session().await.encode_to_vec()];
    let seats = 0..table.tokens.len();
    for viewer in seats.map(Some).chain([None]) {
        for view in [View::Full, View::Lean] {
            seen.push(table.observe(viewer, view).await.encode_to_vec());
        }
    }
    if table.session().await.status() == SessionStatus::Finished {
        let seats = 0..u32::try_from(table.tokens.len()).unwrap();
        for seat in seats.map(Some).chain([None]) {
            let request = GetReplayRequest {
                seat,
                ..Default::default()
            };
            seen.push(table.replay(request).await.unwrap().encode_to_vec());
        }
        seen.push(table.state(None).await.unwrap().encode_to_vec());
    }
    seen
}

async fn list(client: &Sessions, request: ListSessionsRequest) -> (Vec<Session>, String) {
    let page = client.clone().list_sessions(request).await.unwrap();
    let page = page.into_inner();
    (page.sessions, page.next_page_token)
}

#[tokio::test]
async fn everything_is_there_after_a_restart() {
    for exit in [Exit::Orderly, Exit::Crash] {
        let folder = DataFolder::new();
        let server = folder.serve(&[]);
        let client = server.sessions().await;
        let mut dice = Dice::new();
        let mut waiting = Table::create(&client, santorini()).await;
        waiting.join().await;
        let running = Table::santorini(&client).await;
        running.play_plies(&mut dice, 17).await;
        let finished = Table::santorini(&client).await;
        finished.play_out(&mut dice).await;
        let resigned = Table::santorini(&client).await;
        resigned.play_plies(&mut dice, 5).await;
        resigned.leave(1).await.unwrap();
        let hidden = CreateSessionRequest {
            game: "citadels".to_owned(),
            seats: Some(4),
            ..Default::default()
        };
        let hidden = Table::start(&client, hidden).await;
        hidden.play_plies(&mut dice, 30).await;
        let abandoned = CreateSessionRequest {
            game: "shadow_hunters".to_owned(),
            ..Default::default()
        };
        let abandoned = Table::start(&client, abandoned).await;
        let deleted = Table::create(&client, santorini()).await;
        let request = tavola::pb::v1::DeleteSessionRequest {
            session_id: deleted.id.clone(),
        };
        let request = common::with_token(Some(&deleted.host), request);
        client.clone().delete_session(request).await.unwrap();

        let tables = [waiting, running, finished, resigned, hidden, abandoned];
        let mut before = Vec::new();
        for table in &tables {
            before.push(everything(table).await);
        }
        let listed = list(&client, ListSessionsRequest::default()).await;
        let server = restart(server, exit, &folder, &[]).await;
        let client = server.sessions().await;
        assert_eq!(
            list(&client, ListSessionsRequest::default()).await,
            listed,
            "{exit:?}"
        );
        for (table, before) in tables.iter().zip(before) {
            let table = moved(table, &server).await;
            assert!(everything(&table).await == before, "{exit:?}: {table:?}");
        }
        refused(
            client
                .clone()
                .get_session(GetSessionRequest {
                    session_id: deleted.id,
                })
                .await,
            ErrorReason::SessionNotFound,
        );

        // And everything goes on.
        let [waiting, running, _, resigned, hidden, abandoned] = tables;
        let mut waiting = moved(&waiting, &server).await;
        waiting.join().await;
        waiting.play_out(&mut dice).await;
        moved(&running, &server).await.play_out(&mut dice).await;
        moved(&hidden, &server)
            .await
            .play_plies(&mut dice, 30)
            .await;
        let abandoned = moved(&abandoned, &server).await;
        abandoned.leave(0).await.unwrap();
        let resigned = moved(&resigned, &server).await;
        let late = resigned.submit(1, 999, Answer::ActionId(0)).await;
        refused(late, ErrorReason::GameOver);
        let fresh = Table::create(&client, santorini()).await;
        let newest = list(&client, ListSessionsRequest::default()).await.0;
        assert_eq!(newest[0].session_id, fresh.id, "what is new is the newest");
    }
}

/// F21: whose turn it is, what was asked, what each has seen: nothing of it is lost at any ply of any game.
#[tokio::test]
async fn f21_restored_at_every_ply_it_is_as_it_was() {
    let folder = DataFolder::new();
    let mut server = folder.serve(&[]);
    let mut dice = Dice::new();
    let mut tables = Vec::new();
    for (game, seats) in [
        ("santorini", 2),
        ("citadels", 4),
        ("shadow_hunters", 5),
        ("under_falling_skies", 1),
        ("council_of_shadows", 3),
    ] {
        let request = CreateSessionRequest {
            game: game.to_owned(),
            seats: Some(seats),
            ..Default::default()
        };
        tables.push(Table::start(&server.sessions().await, request).await);
    }
    for ply in 0..sized(40, 1000) {
        let mut before = Vec::new();
        for table in &tables {
            table.play_ply(&mut dice).await;
            before.push(everything(table).await);
        }
        let exit = *dice.pick(&[Exit::Crash, Exit::Orderly]);
        server = restart(server, exit, &folder, &[]).await;
        for (table, before) in tables.iter_mut().zip(before) {
            *table = moved(table, &server).await;
            assert!(everything(table).await == before, "ply {ply}: {table:?}");
        }
    }
}

#[tokio::test]
async fn the_same_answer_gets_the_first_reply_after_restarts_and_after_the_end() {
    let folder = DataFolder::new();
    let mut server = folder.serve(&[]);
    let mut dice = Dice::new();
    let mut table = Table::santorini(&server.sessions().await).await;
    let mut answers = Vec::new();
    for exit in [Exit::Crash, Exit::Orderly, Exit::Crash, Exit::Crash] {
        for _ in 0..6 {
            answers.extend(give(&table, &mut dice).await);
        }
        if matches!(exit, Exit::Orderly) {
            while let Some(given) = give(&table, &mut dice).await {
                answers.push(given);
            }
        }
        let after = table.session().await;
        server = restart(server, exit, &folder, &[]).await;
        table = moved(&table, &server).await;
        // From many at once, before and after anybody else has come.
        let mut at_once = tokio::task::JoinSet::new();
        for given in answers.iter().chain(&answers).cloned() {
            let table = moved(&table, &server).await;
            at_once.spawn(async move { (submit(&table, &given).await, given) });
        }
        while let Some(again) = at_once.join_next().await {
            let (reply, given) = again.unwrap();
            assert_eq!(reply.unwrap().encode_to_vec(), given.reply, "{given:?}");
        }
        for given in &answers {
            let other = Answer::ActionId(given.action + 1);
            let late = table.submit(given.seat, given.decision, other).await;
            refused(late, ErrorReason::StaleDecision);
        }
        assert_eq!(table.session().await, after, "nothing was applied twice");
    }
    let replay = table.replay(GetReplayRequest::default()).await.unwrap();
    assert_eq!(usize::try_from(replay.plies).unwrap(), answers.len());
}

#[tokio::test]
async fn streams_resume_across_restarts_without_gap_or_repeat() {
    let folder = DataFolder::new();
    let mut server = folder.serve(&[]);
    let mut dice = Dice::new();
    let mut table = Table::santorini(&server.sessions().await).await;
    // One stream that never ends, on a server that never does, tells what all others together have to.
    let viewers = [None, Some(0), Some(1)];
    let mut told: [Vec<Vec<u8>>; 3] = Default::default();
    let mut seen = [None; 3];
    let mut over = false;
    while !over {
        for (nth, viewer) in viewers.into_iter().enumerate() {
            let version = table.session().await.version;
            let mut watching = table
                .try_watch(table.token(viewer), View::Full, seen[nth])
                .await
                .unwrap();
            while seen[nth] != Some(version) {
                let update = watching.next_encoded().await.unwrap().unwrap();
                let number = update_of(&update).version;
                assert!(seen[nth].is_none_or(|seen| number == seen + 1), "{number}");
                seen[nth] = Some(number);
                told[nth].push(update.to_vec());
                // Sometimes the connection is lost before all is told.
                if dice.below(6) == 0 {
                    break;
                }
            }
        }
        let exit = *dice.pick(&[Exit::Crash, Exit::Orderly]);
        server = restart(server, exit, &folder, &[]).await;
        table = moved(&table, &server).await;
        table.play_plies(&mut dice, 7).await;
        over = table.session().await.outcome.is_some();
    }
    for (nth, viewer) in viewers.into_iter().enumerate() {
        let mut rest = table
            .try_watch(table.token(viewer), View::Full, seen[nth])
            .await
            .unwrap();
        told[nth].extend(
            rest.rest_encoded()
                .await
                .iter()
                .map(|update| update.to_vec()),
        );
        let first = update_of(&told[nth][0].clone().into()).version;
        let mut whole = table
            .try_watch(table.token(viewer), View::Full, Some(first))
            .await
            .unwrap();
        let whole: Vec<_> = whole.rest_encoded().await;
        assert_eq!(told[nth][1..].len(), whole.len());
        assert!(told[nth][1..].iter().eq(whole.iter()), "{viewer:?}");
    }
}

#[tokio::test]
async fn house_bots_play_on_after_a_restart_with_nobody_calling() {
    let folder = DataFolder::new();
    let server = folder.serve(&[]);
    let client = server.sessions().await;
    // Long games, some of which are under way when the server goes.
    let mut ids = Vec::new();
    for _ in 0..6 {
        let game = "citadels".to_owned();
        let request = CreateSessionRequest {
            game,
            seats: Some(4),
            ..Default::default()
        };
        let table = Table::create(&client, request).await;
        for _ in 0..4 {
            table.add_bot("greedy").await;
        }
        ids.push(table.id);
    }
    let by_status = async |server: &Server, status: SessionStatus| {
        // A list is no call.
        let request = ListSessionsRequest {
            status: status.into(),
            ..Default::default()
        };
        list(&server.sessions().await, request).await.0
    };
    let running = by_status(&server, SessionStatus::Running).await;
    assert!(!running.is_empty(), "all of them are over already");
    let server = restart(server, Exit::Crash, &folder, &[]).await;
    eventually("the end of all games", async || {
        let finished = by_status(&server, SessionStatus::Finished).await;
        (finished.len() == ids.len()).then_some(())
    })
    .await;
    for session in running {
        let table = Table {
            client: server.sessions().await,
            id: session.session_id,
            host: String::new(),
            join_token: None,
            tokens: Vec::new(),
        };
        assert!(table.session().await.outcome.is_some());
        table.replay(GetReplayRequest::default()).await.unwrap();
    }
}

/// Long enough for a sweep to come by.
const SWEPT: Duration = Duration::from_secs(12);

#[tokio::test]
async fn a_session_that_nobody_calls_leaves_memory_and_comes_back_as_it_was() {
    let folder = DataFolder::new();
    let server = folder.serve(&["--session-evict-s", "1", "--log", "tavola=debug"]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let idle = Table::santorini(&client).await;
    idle.play_plies(&mut dice, 9).await;
    let watched = Table::santorini(&client).await;
    watched.play_plies(&mut dice, 3).await;
    let mut watching = watched.watch(Some(0), View::Full).await;
    let version = watching.next().await.version;
    let mut playing = common::Player::at(&watched, 1).await;
    playing.update().await;
    let before = everything(&idle).await;
    tokio::time::sleep(SWEPT).await;
    assert!(
        server.log().contains("sessions have left memory"),
        "{}",
        server.log()
    );
    // Many come at once.
    let mut at_once = tokio::task::JoinSet::new();
    for _ in 0..16 {
        let idle = moved(&idle, &server).await;
        at_once.spawn(async move { everything(&idle).await });
    }
    while let Some(seen) = at_once.join_next().await {
        assert!(seen.unwrap() == before);
    }
    idle.play_out(&mut dice).await;
    watched.play_ply(&mut dice).await.unwrap();
    assert_eq!(watching.next().await.version, version + 1, "it never left");
    let update = playing.update().await;
    assert_eq!(update.version, version + 1);
}

#[tokio::test]
async fn sessions_are_forgotten_in_time_whether_they_are_in_memory_or_not() {
    let folder = DataFolder::new();
    let flags = [
        "--session-evict-s",
        "1",
        "--retain",
        "4",
        "--session-idle-s",
        "4000",
    ];
    let server = folder.serve(&flags);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let finished = Table::santorini(&client).await;
    finished.play_out(&mut dice).await;
    let running = Table::santorini(&client).await;
    running.play_plies(&mut dice, 2).await;
    let server = restart(server, Exit::Crash, &folder, &flags).await;
    let client = server.sessions().await;
    let ids = async || -> Vec<String> {
        let (sessions, _) = list(&client, ListSessionsRequest::default()).await;
        sessions
            .into_iter()
            .map(|session| session.session_id)
            .collect()
    };
    assert_eq!(ids().await, [running.id.clone(), finished.id.clone()]);
    eventually("forgetting", async || {
        (ids().await == [running.id.clone()]).then_some(())
    })
    .await;
    let request = GetSessionRequest {
        session_id: finished.id,
    };
    let gone = client.clone().get_session(request).await;
    refused(gone, ErrorReason::SessionNotFound);
    moved(&running, &server)
        .await
        .play_plies(&mut dice, 2)
        .await;
    // It counts no longer, either.
    let server = restart(server, Exit::Orderly, &folder, &["--sessions-max", "2"]).await;
    let client = server.sessions().await;
    Table::create(&client, santorini()).await;
    let refusal = refused(
        client.clone().create_session(santorini()).await,
        ErrorReason::LimitReached,
    );
    assert_eq!(refusal.metadata["limit"], "sessions_max");
}

#[tokio::test]
async fn pages_of_a_list_go_on_across_a_restart() {
    let folder = DataFolder::new();
    let server = folder.serve(&[]);
    let client = server.sessions().await;
    let mut made = Vec::new();
    for _ in 0..23 {
        made.insert(0, Table::create(&client, santorini()).await.id);
    }
    let page = |page_token| ListSessionsRequest {
        page_size: Some(10),
        page_token,
        ..Default::default()
    };
    let (mut sessions, token) = list(&client, page(String::new())).await;
    let server = restart(server, Exit::Crash, &folder, &[]).await;
    let client = server.sessions().await;
    Table::create(&client, santorini()).await;
    let (second, token) = list(&client, page(token)).await;
    let server = restart(server, Exit::Orderly, &folder, &[]).await;
    let (third, token) = list(&server.sessions().await, page(token)).await;
    assert_eq!(token, "");
    sessions.extend(second);
    sessions.extend(third);
    let ids: Vec<_> = sessions
        .into_iter()
        .map(|session| session.session_id)
        .collect();
    assert_eq!(ids, made);
}

// === a disk that fails

/// Plays on until an answer is refused for want of a store, and says which.
async fn play_until_refused(table: &Table, dice: &mut Dice) -> (usize, u64, u32, u64) {
    loop {
        let shown = table.observe(None, View::Lean).await;
        let decision = shown.decision.expect("the game is not over so soon");
        let seat = asked_seat(Some(&decision)).unwrap();
        let legal = table.observe(Some(seat), View::Lean).await.legal_action_ids;
        let action = *dice.pick(&legal);
        let decision = decision.decision_id;
        let answer = Answer::ActionId(action);
        if let Err(status) = table.submit(seat, decision, answer).await {
            let refusal = refused::<()>(Err(status), ErrorReason::StoreUnavailable);
            assert!(refusal.retry.is_some());
            return (seat, decision, action, shown.version);
        }
    }
}

/// A disk without room refuses what it cannot keep, and nothing is half applied; with room again all goes on.
async fn check_disk(server: Server, folder: &DataFolder, fill: impl Fn(&Server, bool)) {
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let actions = common::long_game(&mut dice, 60);
    let table = Table::santorini(&client).await;
    let other = Table::santorini(&client).await;
    other.play_plies(&mut dice, 3).await;
    for action in &actions[..10] {
        let shown = table.observe(None, View::Lean).await.decision.unwrap();
        let seat = asked_seat(Some(&shown)).unwrap();
        let answer = Answer::ActionId(*action);
        table.submit(seat, shown.decision_id, answer).await.unwrap();
    }
    fill(&server, true);
    let (seat, decision, action, version) = play_until_refused(&table, &mut dice).await;
    let refusal = refused(
        client.clone().create_session(santorini()).await,
        ErrorReason::StoreUnavailable,
    );
    assert!(refusal.retry.is_some());
    // Who only looks is served, and sees what was there before.
    let version_now = eventually("the session as it is stored", async || {
        let seen = table.try_observe(None, View::Lean).await.ok()?;
        Some(seen.version)
    })
    .await;
    assert_eq!(version_now, version);
    assert_eq!(other.session().await.version, 6);

    fill(&server, false);
    let reply = eventually("room for the answer", async || {
        let answer = Answer::ActionId(action);
        table.submit(seat, decision, answer).await.ok()
    })
    .await;
    assert_eq!(reply.version, version + 1, "once, and nothing before it");
    other.play_plies(&mut dice, 3).await;
    let before = [everything(&table).await, everything(&other).await];
    server.kill();
    let server = folder.serve(&[]);
    for (table, before) in [&table, &other].into_iter().zip(before) {
        assert!(everything(&moved(table, &server).await).await == before);
    }
}

#[tokio::test]
async fn a_disk_that_takes_no_more_bytes_refuses_and_recovers() {
    let folder = DataFolder::new();
    let inner = folder.command(&[]);
    // A process that may write no longer files gets a signal, which has to be ignored, and then an error.
    let mut command = Command::new("sh");
    command
        .args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""])
        .arg(inner.get_program())
        .args(inner.get_args());
    for (name, value) in inner.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let server = Server::run(command);
    let wal = folder.path().join("tavola.sqlite3-wal");
    check_disk(server, &folder, |server, full| {
        let length = std::fs::metadata(&wal).unwrap().len();
        let limit = Rlimit {
            current: full.then_some(length + 40_000),
            maximum: None,
        };
        prlimit(Some(server.process()), Resource::Fsize, limit).unwrap();
    })
    .await;
}

/// A small file system of its own, until it is dropped.
struct Mounted<'a>(&'a DataFolder);

impl<'a> Mounted<'a> {
    fn at(folder: &'a DataFolder) -> Option<Self> {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=8m", "tavola"]);
        let mounted = mount.arg(folder.path()).output().ok()?;
        mounted.status.success().then_some(Self(folder))
    }
}

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        let mut unmount = Command::new("umount");
        let unmounted = unmount.arg("--lazy").arg(self.0.path()).output();
        let unmounted = unmounted.is_ok_and(|unmounted| unmounted.status.success());
        assert!(unmounted || std::thread::panicking(), "it is still mounted");
    }
}

#[tokio::test]
async fn a_full_disk_refuses_and_recovers() {
    let folder = DataFolder::new();
    let Some(_mounted) = Mounted::at(&folder) else {
        println!("no file system can be mounted here: see the disk that takes no more bytes");
        return;
    };
    let ballast = folder.path().join("ballast");
    check_disk(folder.serve(&[]), &folder, |_, full| {
        if full {
            // Writes until there is no room.
            std::fs::write(&ballast, vec![0; 16 << 20]).unwrap_err();
        } else {
            std::fs::remove_file(&ballast).unwrap();
        }
    })
    .await;
}
