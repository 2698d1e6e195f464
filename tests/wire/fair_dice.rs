//! Fair dice: what a session is bound to when it is created, what it reveals when it is over, and who can check it.

use std::{collections::HashSet, fs, path::PathBuf};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use prost::Message as _;
use prost_reflect::{DescriptorPool, DynamicMessage};
use sha2::{Digest as _, Sha256};
use tavola::{
    pb::{
        DESCRIPTORS,
        v1::{
            CreateSessionRequest, ErrorReason, GetReplayRequest, GetReplayResponse, Outcome,
            SessionStatus, replay_step,
        },
    },
    verify::{self, NotVerified, Verified},
};

use crate::common::{Dice, Server, Sessions, Table, command, eventually, refused, run, santorini};

/// A game of house bots to its end, and its replay in pages of so many steps.
async fn finished(client: &Sessions, request: CreateSessionRequest) -> Table {
    let table = Table::create(client, request).await;
    for _ in 0..table.session().await.seats.len() {
        table.add_bot("random").await;
    }
    eventually("the end of the game", async || {
        (table.session().await.status() == SessionStatus::Finished).then_some(())
    })
    .await;
    table
}

async fn pages(table: &Table, seat: Option<u32>, page_size: u32) -> Vec<GetReplayResponse> {
    let mut pages: Vec<GetReplayResponse> = Vec::new();
    loop {
        let page = GetReplayRequest {
            seat,
            page_size: Some(page_size),
            page_token: pages
                .last()
                .map(|page| page.next_page_token.clone())
                .unwrap_or_default(),
            ..Default::default()
        };
        pages.push(table.replay(page).await.unwrap());
        if pages.last().unwrap().next_page_token.is_empty() {
            return pages;
        }
    }
}

/// A page as grpcurl prints it.
fn json(page: &GetReplayResponse) -> String {
    let pool = DescriptorPool::decode(DESCRIPTORS).unwrap();
    let replay = pool
        .get_message_by_name("tavola.v1.GetReplayResponse")
        .unwrap();
    let mut message = DynamicMessage::new(replay);
    message.transcode_from(page).unwrap();
    serde_json::to_string_pretty(&message).unwrap()
}

/// A file of its own with this in it.
fn file(name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = std::env::temp_dir().join(format!("tavola-verify-{}-{name}", std::process::id()));
    fs::write(&path, bytes).unwrap();
    path
}

/// What `tavola verify` says of a file: its exit code and its line.
fn verify_file(path: &PathBuf, flags: &[&str]) -> (i32, String) {
    let mut command = command(&["verify"]);
    command.arg(path).args(flags);
    let output = run(command);
    let line = [output.stdout, output.stderr].concat();
    let line = String::from_utf8(line).unwrap();
    assert_eq!(line.matches('\n').count(), 1, "one line: {line}");
    (output.status.code().unwrap(), line)
}

fn games() -> Vec<CreateSessionRequest> {
    [
        "citadels",
        "council_of_shadows",
        "shadow_hunters",
        "under_falling_skies",
    ]
    .into_iter()
    .map(|game| CreateSessionRequest {
        game: game.to_owned(),
        ..Default::default()
    })
    .chain([santorini()])
    .collect()
}

#[tokio::test]
async fn every_game_reveals_what_it_was_bound_to() {
    let server = Server::start(&["--bot-threads", "2"]);
    let client = server.sessions().await;
    for request in games() {
        for seed in [None, Some(0), Some(u64::MAX)] {
            let request = CreateSessionRequest {
                seed,
                ..request.clone()
            };
            let table = Table::create(&client, request).await;
            let bound = table.session().await.seed_commitment;
            for _ in 0..table.session().await.seats.len() {
                table.add_bot("random").await;
            }
            eventually("the end of the game", async || {
                (table.session().await.status() == SessionStatus::Finished).then_some(())
            })
            .await;
            assert_eq!(table.session().await.seed_commitment, bound);
            for seat in [None, Some(0)] {
                let pages = pages(&table, seat, 50).await;
                let first = &pages[0];
                let both = [&first.seed[..], &first.seed_nonce[..]].concat();
                assert_eq!(bound[..], Sha256::digest(both)[..]);
                assert_eq!(first.seed_commitment, bound);
                assert_eq!(first.seed_given, seed.is_some());
                let bound: [u8; 32] = bound[..].try_into().unwrap();
                let expected = Verified {
                    game: first.game.clone(),
                    plies: first.plies,
                    commitment: bound,
                    seed_given: seed.is_some(),
                };
                assert_eq!(verify::pages(pages, Some(bound)), Ok(expected));
            }
        }
    }
}

#[tokio::test]
async fn the_binary_reads_what_clients_print() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let table = finished(&client, santorini()).await;
    let pages = pages(&table, Some(1), 10).await;
    assert!(pages.len() > 2);
    let printed: Vec<String> = pages.iter().map(json).collect();
    let mut whole = pages[0].clone();
    whole.steps = pages.iter().flat_map(|page| page.steps.clone()).collect();
    whole.next_page_token.clear();
    let noted = STANDARD.encode(&whole.seed_commitment);
    for (name, bytes) in [
        ("lines", printed.join("\n").into_bytes()),
        ("array", format!("[{}]", printed.join(",")).into_bytes()),
        ("one", json(&whole).into_bytes()),
        ("binary", whole.encode_to_vec()),
    ] {
        let path = file(name, bytes);
        for flags in [&[][..], &["--commitment", &noted]] {
            let (code, line) = verify_file(&path, flags);
            assert_eq!(code, 0, "{name}: {line}");
            let plies = format!("verified: {} plies of santorini", whole.plies);
            assert!(line.starts_with(&plies) && line.contains(&noted), "{line}");
        }
        let other = STANDARD.encode([0; 32]);
        let (code, line) = verify_file(&path, &["--commitment", &other]);
        assert_eq!(code, 1, "{line}");
        fs::remove_file(path).unwrap();
    }

    let half = printed[..printed.len() - 1].join("\n");
    let cases: [(&str, Vec<u8>, i32, &str); 7] = [
        ("half", half.into_bytes(), 1, "step is missing"),
        ("empty", Vec::new(), 2, "cannot be checked"),
        ("no-pages", b"[]".to_vec(), 2, "no pages"),
        ("words", b"what is this".to_vec(), 2, "cannot be checked"),
        (
            "cut",
            printed[0].as_bytes()[..400].to_vec(),
            2,
            "cannot be checked",
        ),
        ("unknown", b"{\"gmae\":\"santorini\"}".to_vec(), 2, "gmae"),
        (
            "newer",
            json(&GetReplayResponse {
                rules_version: whole.rules_version + 1,
                ..whole.clone()
            })
            .into_bytes(),
            2,
            "rules",
        ),
    ];
    for (name, bytes, code, text) in cases {
        let path = file(name, bytes);
        let said = verify_file(&path, &[]);
        assert_eq!(said.0, code, "{name}: {}", said.1);
        assert!(said.1.contains(text), "{name}: {}", said.1);
        fs::remove_file(path).unwrap();
    }
    let (code, line) = verify_file(&PathBuf::from("/no/such/file"), &[]);
    assert!(code == 2 && line.contains("/no/such/file"), "{line}");
}

#[tokio::test]
async fn whatever_is_changed_is_found_where_it_is() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    for request in games() {
        let table = finished(&client, request).await;
        let pages = pages(&table, None, 1000).await;
        let mut replay = pages[0].clone();
        replay.steps = pages.iter().flat_map(|page| page.steps.clone()).collect();
        replay.next_page_token.clear();
        let untruth = |change: &dyn Fn(&mut GetReplayResponse)| {
            let mut changed = replay.clone();
            change(&mut changed);
            match verify::pages(vec![changed], None) {
                Err(NotVerified::Untrue(untruth)) => untruth,
                other => panic!("{}: {other:?}", replay.game),
            }
        };
        let flipped = |bytes: &bytes::Bytes, bit: usize| {
            let mut bytes = bytes.to_vec();
            bytes[bit / 8] ^= 1 << (bit % 8);
            bytes::Bytes::from(bytes)
        };
        for _ in 0..16 {
            let bit = dice.below(256);
            untruth(&|replay| replay.seed = flipped(&replay.seed, bit));
            untruth(&|replay| replay.seed_nonce = flipped(&replay.seed_nonce, bit));
            untruth(&|replay| replay.seed_commitment = flipped(&replay.seed_commitment, bit));
            // A seed that was chosen later, with a commitment that fits it, makes another game. In Santorini without
            // gods it decides who begins, and nothing else.
            if replay.game != "santorini" {
                untruth(&|replay| {
                    replay.seed = flipped(&replay.seed, bit);
                    let both = [&replay.seed[..], &replay.seed_nonce[..]].concat();
                    replay.seed_commitment = Sha256::digest(both).to_vec().into();
                });
            }
            let at = dice.below(replay.steps.len());
            let ply = u32::try_from(at).unwrap();
            let here = Some(ply);
            let hash = untruth(&|replay| {
                let hash = &mut replay.steps[at].state_hash;
                *hash = flipped(hash, bit);
            });
            assert_eq!(hash.ply, here);
            let missing = untruth(&|replay| drop(replay.steps.remove(at)));
            assert_eq!(missing.ply, here);
            let told: Vec<usize> = (0..replay.steps.len())
                .filter(|at| !replay.steps[*at].events.is_empty())
                .collect();
            let eventful = *dice.pick(&told);
            let event = untruth(&|replay| drop(replay.steps[eventful].events.pop()));
            assert_eq!(event.ply, Some(u32::try_from(eventful).unwrap()));
            let twice = untruth(&|replay| {
                let event = replay.steps[eventful].events[0].clone();
                replay.steps[eventful].events.push(event);
            });
            assert_eq!(twice.ply, event.ply);
            if at > 0 {
                let action = untruth(&|replay| {
                    let Some(replay_step::Entry::ActionId(id)) = &mut replay.steps[at].entry else {
                        unreachable!("house bots never resign")
                    };
                    *id ^= 1;
                });
                assert_eq!(action.ply, here);
                let meaning = untruth(&|replay| replay.steps[at].action = None);
                assert_eq!(meaning.ply, here);
                let nobody = untruth(&|replay| replay.steps[at].seat = None);
                assert_eq!(nobody.ply, here);
                let stranger = untruth(&|replay| replay.steps[at].seat = Some(u32::MAX));
                assert_eq!(stranger.ply, here);
            }
        }
        untruth(&|replay| replay.outcome = None);
        untruth(&|replay| {
            let Outcome { winners, .. } = replay.outcome.as_mut().unwrap();
            if winners.pop().is_none() {
                winners.push(0);
            }
        });
        untruth(&|replay| replay.plies -= 1);
        untruth(&|replay| replay.plies = u32::MAX);
        untruth(&|replay| replay.options = None);
        untruth(&|replay| replay.seats = 9);
        untruth(&|replay| replay.seats = u32::MAX);
        untruth(&|replay| replay.seat = Some(replay.seats));
        untruth(&|replay| replay.seed_given = true);
        untruth(&|replay| replay.seed_nonce.clear());
        let unfinished = untruth(&|replay| {
            replay.plies -= 1;
            replay.steps.pop();
        });
        assert_eq!(unfinished.ply, None, "{}", unfinished.what);
        let mut other = replay.clone();
        other.seats += 1;
        let mixed = verify::pages(vec![replay.clone(), other], None);
        assert!(matches!(mixed, Err(NotVerified::Untrue(_))));
    }
}

/// F27: without a seed no two games are alike; with one all are. Nobody sees seed or nonce before the end, and no log
/// ever.
#[tokio::test]
async fn rematches_are_new_games_unless_they_are_asked_not_to_be() {
    let server = Server::start(&["--log", "trace"]);
    let client = server.sessions().await;
    let mut secrets = HashSet::new();
    let mut commitments = HashSet::new();
    let mut beginnings: [HashSet<Vec<u8>>; 2] = Default::default();
    for rematch in 0..100 {
        for (given, beginnings) in [false, true].into_iter().zip(&mut beginnings) {
            let request = CreateSessionRequest {
                game: "council_of_shadows".to_owned(),
                seats: Some(1),
                seed: given.then_some(0),
                ..Default::default()
            };
            let table = Table::start(&client, request).await;
            let session = table.session().await;
            assert_eq!(
                session.seed_given, given,
                "0 is a seed, and nothing is none"
            );
            assert!(commitments.insert(session.seed_commitment), "{rematch}");
            let early = table.replay(GetReplayRequest::default()).await;
            refused(early, ErrorReason::SessionNotFinished);
            let left = table.leave(0).await.unwrap();
            assert_eq!(
                left.status(),
                SessionStatus::Finished,
                "alone, the game is lost"
            );
            let replay = table.replay(GetReplayRequest::default()).await.unwrap();
            for secret in [&replay.seed, &replay.seed_nonce] {
                // A seed that was given is mostly zeros, which are everywhere.
                let hidden = secret.iter().filter(|byte| **byte == 0).count() < 16;
                if hidden {
                    assert!(secrets.insert(secret.clone()), "no secret comes twice");
                }
            }
            beginnings.insert(replay.steps[0].state_hash.to_vec());
        }
    }
    assert_eq!(beginnings.each_ref().map(HashSet::len), [100, 1]);
    assert_eq!(secrets.len(), 300, "100 seeds and 200 nonces");
    let log = server.log();
    assert!(log.len() > 100_000, "the log tells everything else");
    for secret in &secrets {
        assert_not_in(&log, secret);
    }
}

/// Holds a log to telling nothing of a secret, however it might be written.
fn assert_not_in(log: &str, secret: &[u8]) {
    let hex: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
    let numbers = format!("{:?}", &secret[..8]);
    let base64 = STANDARD.encode(secret);
    for text in [&hex[..16], numbers.trim_matches(['[', ']']), &base64[..12]] {
        assert!(!log.contains(text), "the log tells a secret");
    }
}
