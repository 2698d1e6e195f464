//! Nothing is told beside what a viewer may see: by the seed, by logs, by reflection, or by what other seats are sent.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE},
};
use prost::Message as _;
use prost_reflect::{DescriptorPool, DynamicMessage};
use serde_json::Value;
use tavola::pb::{
    DESCRIPTORS,
    v1::{
        CreateSessionRequest, ErrorReason, GetObservationResponse, GetReplayRequest,
        GetReplayResponse, SessionStatus, State, Update, View,
    },
};

use crate::common::{Dice, Server, Sessions, Table, eventually, metrics, refused, sized};

const GAMES: [&str; 5] = [
    "citadels",
    "council_of_shadows",
    "santorini",
    "shadow_hunters",
    "under_falling_skies",
];

fn of(game: &str) -> CreateSessionRequest {
    CreateSessionRequest {
        game: game.to_owned(),
        ..Default::default()
    }
}

static POOL: LazyLock<DescriptorPool> =
    LazyLock::new(|| DescriptorPool::decode(DESCRIPTORS).unwrap());

/// All ways in which a secret of these bytes might be written.
fn spellings(secret: &[u8]) -> Vec<String> {
    let hex: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
    let decimal: Vec<String> = secret.iter().map(u8::to_string).collect();
    let text = std::str::from_utf8(secret).ok().map(str::to_owned);
    let mut all = vec![
        hex.to_uppercase(),
        hex,
        STANDARD.encode(secret),
        URL_SAFE.encode(secret),
        decimal.join(", "),
        decimal.join(","),
    ];
    for spelled in &mut all {
        // Whether it is padded is all the same.
        spelled.truncate(spelled.trim_end_matches('=').len());
    }
    all.extend(text.filter(|text| text.is_ascii()));
    all
}

/// What must not be found anywhere, and what it is.
#[derive(Default)]
struct Canaries(Vec<(&'static str, String)>);

impl Canaries {
    fn add(&mut self, what: &'static str, secret: &[u8]) {
        let spelled = spellings(secret).into_iter();
        self.0.extend(spelled.map(|spelled| (what, spelled)));
    }

    fn add_tokens(&mut self, table: &Table) {
        self.add("a host token", table.host.as_bytes());
        for token in table.tokens.iter().chain(&table.join_token) {
            self.add("a token", token.as_bytes());
        }
    }

    fn add_dice(&mut self, replay: &GetReplayResponse) {
        self.add("a nonce", &replay.seed_nonce);
        if replay.seed_given {
            let number = u64::from_le_bytes(replay.seed[..8].try_into().unwrap());
            self.0.push(("a given seed", number.to_string()));
            self.add("a given seed", &number.to_le_bytes());
            self.add("a given seed", &number.to_be_bytes());
        } else {
            self.add("a seed", &replay.seed);
        }
        for reseed in &replay.reseeds {
            self.add("the seed of a fork", &reseed.seed);
        }
    }

    /// The names of what seats hold and of what lies face down, as the contract and as the code has them.
    fn add_hidden(&mut self, state: &State) {
        let state = fields("State", state);
        let mut parts = of_the_game(&state).clone();
        parts.as_object_mut().unwrap().remove("table");
        let mut names = BTreeSet::new();
        collect_names(&parts, &mut names);
        for of in POOL.all_enums() {
            for value in of.values().filter(|value| names.contains(value.name())) {
                self.0.push(("a hidden card", value.name().to_owned()));
                let words = value.name().split('_').skip(words_of(of.name()));
                let name: String = words.map(capitalized).collect();
                // What is short is found by chance.
                if name.len() > 5 {
                    self.0.push(("a hidden card", name));
                }
            }
        }
    }

    #[track_caller]
    fn check(&self, place: &str, text: &str) {
        for (what, spelled) in &self.0 {
            assert!(!text.contains(spelled), "{what} is in {place}: {spelled}");
        }
    }
}

/// All texts in it.
fn collect_names(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => drop(names.insert(text.clone())),
        Value::Array(values) => values.iter().for_each(|value| collect_names(value, names)),
        Value::Object(values) => values
            .values()
            .for_each(|value| collect_names(value, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// How many words a name in camel case has.
fn words_of(name: &str) -> usize {
    name.chars().filter(char::is_ascii_uppercase).count()
}

fn capitalized(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_owned() + &rest.to_ascii_lowercase()
}

/// Games are played, forked, left and refused.
async fn play_all_games(client: &Sessions, dice: &mut Dice, canaries: &mut Canaries) -> Vec<Table> {
    let mut tables = Vec::new();
    for game in GAMES {
        for _ in 0..sized(1, 20) {
            // A large one: what is short would be found by chance.
            let seed = dice.next() | 1 << 63;
            let request = CreateSessionRequest {
                seed: Some(seed),
                private: true,
                ..of(game)
            };
            for request in [of(game), request] {
                let table = Table::start(client, request).await;
                canaries.add_tokens(&table);
                table.play_plies(dice, 6).await;
                if table.session().await.status() == SessionStatus::Running {
                    let sandbox = table.fork(table.token(Some(0)), None).await.unwrap();
                    canaries.add_tokens(&sandbox);
                    let drawn = sandbox.state(Some(&sandbox.host)).await.unwrap();
                    canaries.add_hidden(&drawn.state.unwrap());
                    refused(
                        table.replay(GetReplayRequest::default()).await,
                        ErrorReason::SessionNotFinished,
                    );
                }
                let _ = table
                    .try_observe(Some(&table.tokens[0][1..]), View::Full)
                    .await;
                // A seat that has left is played on by a house bot; the others end the game.
                for seat in 0..table.tokens.len() {
                    let _ = table.leave(seat).await;
                }
                tables.push(table);
            }
        }
    }
    for table in &tables {
        eventually("the end of the game", async || {
            (table.session().await.status() == SessionStatus::Finished).then_some(())
        })
        .await;
        let fork = table.fork(table.token(Some(0)), Some(0)).await.unwrap();
        canaries.add_tokens(&fork);
        for seat in 0..fork.tokens.len() {
            let _ = fork.leave(seat).await;
        }
        if fork.session().await.status() == SessionStatus::Finished {
            let replay = fork.replay(GetReplayRequest::default()).await;
            canaries.add_dice(&replay.unwrap());
        }
        let replay = table.replay(GetReplayRequest::default()).await;
        canaries.add_dice(&replay.unwrap());
        let truth = table.state(table.token(Some(0))).await.unwrap();
        canaries.add_hidden(&truth.state.unwrap());
    }
    tables
}

/// I8, A2, F01: whatever is logged at TRACE and counted while games are played, there is no token, no seed and no card
/// in it.
#[tokio::test]
async fn logs_of_everything_and_metrics_hold_no_secret() {
    for format in ["text", "json"] {
        let args = ["--log", "trace", "--log-format", format];
        let server = Server::start(&[&args[..], &["--metrics", "127.0.0.1:0"]].concat());
        let client = server.sessions().await;
        let mut canaries = Canaries::default();
        let tables = play_all_games(&client, &mut Dice::new(), &mut canaries).await;
        let log = server.log();
        for part in ["TRACE", "DEBUG", tables[0].id.as_str()] {
            assert!(log.contains(part), "everything is logged: {part}");
        }
        canaries.check("the log", &log);
        let metrics = metrics(server.metrics_address().await).await;
        assert!(metrics.contains("tavola_sessions"), "{metrics}");
        canaries.check("the metrics", &metrics);
        for table in &tables {
            assert!(!metrics.contains(&table.id), "of all sessions together");
        }
        println!("{} canaries, {} bytes of log", canaries.0.len(), log.len());
        assert!(canaries.0.iter().any(|(what, _)| *what == "a hidden card"));
    }
}

/// I8: no message that somebody can ask for has a field for what nobody may know while a game is on.
#[test]
fn no_message_of_a_running_game_has_a_field_for_a_seed() {
    let mut found = BTreeSet::new();
    for message in POOL.all_messages() {
        for field in message.fields() {
            if field.name().contains("seed") || field.name().contains("nonce") {
                found.insert(field.full_name().to_owned());
            }
        }
    }
    let known = [
        // What is asked for, what is shown of it, what binds it, and what is told when all is over.
        "tavola.v1.CreateSessionRequest.seed",
        "tavola.v1.GetReplayResponse.reseeds",
        "tavola.v1.GetReplayResponse.seed",
        "tavola.v1.GetReplayResponse.seed_commitment",
        "tavola.v1.GetReplayResponse.seed_given",
        "tavola.v1.GetReplayResponse.seed_nonce",
        "tavola.v1.Reseed.seed",
        "tavola.v1.Session.seed_commitment",
        "tavola.v1.Session.seed_given",
    ];
    assert!(found.iter().map(String::as_str).eq(known), "{found:#?}");
}

/// A message of this name in `tavola.v1`, to be looked into: fields that are not set are left out.
fn fields(name: &str, message: &impl prost::Message) -> Value {
    let descriptor = POOL.get_message_by_name(&format!("tavola.v1.{name}"));
    let mut dynamic = DynamicMessage::new(descriptor.unwrap());
    dynamic.transcode_from(message).unwrap();
    serde_json::to_value(dynamic).unwrap()
}

/// What a viewer is sent of a game: each update, without what a session says of itself.
async fn sent(table: &Table, viewer: Option<usize>) -> Vec<Vec<u8>> {
    let mut watching = table.resume(viewer, View::Full, 1).await.unwrap();
    let updates = watching.rest().await;
    let of_the_game = |update: Update| Update {
        session: None,
        ..update
    };
    updates
        .into_iter()
        .map(|update| of_the_game(update).encode_to_vec())
        .collect()
}

/// F01, I2: two games whose dice nobody threw differ in their seeds alone, and so in nothing that is sent.
#[tokio::test]
async fn nothing_that_is_sent_depends_on_a_seed_that_was_not_used() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    // Without gods, and with who begins settled, nothing is left to chance.
    let first = Table::santorini(&client).await;
    let second = Table::santorini(&client).await;
    while let Some(decision) = first.observe(None, View::Lean).await.decision {
        let seat = usize::try_from(decision.seats[0]).unwrap();
        let legal = first.observe(Some(seat), View::Lean).await.legal_action_ids;
        let answer = tavola::pb::v1::submit_action_request::Answer::ActionId(*dice.pick(&legal));
        let one = first
            .submit(seat, decision.decision_id, answer.clone())
            .await
            .unwrap();
        let other = second
            .submit(seat, decision.decision_id, answer)
            .await
            .unwrap();
        assert_eq!(one.encode_to_vec(), other.encode_to_vec());
    }
    for viewer in [None, Some(0), Some(1)] {
        let [one, other] = [sent(&first, viewer).await, sent(&second, viewer).await];
        assert_eq!(one, other);
    }
    // Their sessions differ in their ids, their times and what binds their dice.
    let [mut one, mut other] = [first.session().await, second.session().await];
    for session in [&mut one, &mut other] {
        assert_eq!(std::mem::take(&mut session.seed_commitment).len(), 32);
        session.session_id.clear();
        (session.create_time, session.end_time) = (None, None);
    }
    assert_eq!(one, other);
}

/// F01: seeds that lead to the same set-up are told apart by nothing but what the dice say later.
#[tokio::test]
async fn nothing_of_a_set_up_depends_on_the_seed_but_the_set_up() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut compared = 0;
    for game in ["shadow_hunters", "citadels", "under_falling_skies"] {
        let mut by_look: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
        for seed in 0..sized(40, 400) {
            let request = CreateSessionRequest {
                seed: Some(seed),
                ..of(game)
            };
            let table = Table::start(&client, request).await;
            // To a spectator most set-ups look alike.
            let shown = table.observe(None, View::Full).await;
            let look = shown.observation.as_ref().unwrap().encode_to_vec();
            let mut first = table.resume(None, View::Full, 1).await.unwrap();
            let all = Update {
                session: None,
                ..first.next().await
            };
            let all = all.encode_to_vec();
            match by_look.get(&look) {
                Some(before) => {
                    assert_eq!(*before, all, "{game}, seed {seed}");
                    compared += 1;
                }
                None => {
                    by_look.insert(look, all);
                }
            }
            table.delete().await;
        }
    }
    assert!(compared > 0, "some set-ups look alike");
}

/// Whether all that is said in `part` is said in `whole`, too: every field that is set there has the same value here.
fn says_no_more(part: &Value, whole: &Value, path: &str) -> Result<(), String> {
    match (part, whole) {
        (Value::Object(part), Value::Object(whole)) => part.iter().try_for_each(|(name, value)| {
            let path = format!("{path}.{name}");
            let there = whole.get(name).ok_or_else(|| path.clone())?;
            says_no_more(value, there, &path)
        }),
        (Value::Array(part), Value::Array(whole)) if part.len() == whole.len() => {
            let mut pairs = part.iter().zip(whole).enumerate();
            pairs.try_for_each(|(nth, (part, whole))| {
                says_no_more(part, whole, &format!("{path}[{nth}]"))
            })
        }
        (part, whole) if part == whole => Ok(()),
        _ => Err(path.to_owned()),
    }
}

/// I12, F07: a spectator sees nothing that not every seat sees as well, at every ply, and from wherever he joins.
#[tokio::test]
async fn a_spectator_sees_what_every_seat_sees_and_no_more() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    for game in GAMES {
        let table = Table::start(&client, of(game)).await;
        for _ in 0..sized(40, 400) {
            let spectator: GetObservationResponse = table.observe(None, View::Full).await;
            assert!(spectator.legal_actions.is_empty() && spectator.seat.is_none());
            let public = fields("Observation", &spectator.observation.unwrap());
            for seat in 0..table.tokens.len() {
                let seen = table
                    .observe(Some(seat), View::Full)
                    .await
                    .observation
                    .unwrap();
                let seen = fields("Observation", &seen);
                if let Err(path) = says_no_more(&public, &seen, "observation") {
                    panic!("{game}: a spectator sees {path} and seat {seat} does not");
                }
            }
            // One who joins late, or again, is shown the same.
            let late = table.watch(None, View::Full).await.next().await;
            assert_eq!(fields("Observation", &late.observation.unwrap()), public);
            if table.play_ply(&mut dice).await.is_none() {
                break;
            }
        }
    }
}

/// I12: what happens is told to a spectator as it is told to every seat, or not at all.
#[tokio::test]
async fn a_spectator_is_told_nothing_that_any_seat_is_not() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    for game in GAMES {
        let table = Table::start(&client, of(game)).await;
        let mut told = 0;
        let mut spectator = table.watch(None, View::Lean).await;
        let mut seats = Vec::new();
        for seat in 0..table.tokens.len() {
            seats.push(table.watch(Some(seat), View::Lean).await);
        }
        table.play_plies(&mut dice, sized(60, 600)).await;
        let last = table.session().await.version;
        loop {
            let public = spectator.next().await;
            for seat in &mut seats {
                let seen = seat.next().await;
                assert_eq!(seen.version, public.version);
                // A seat may be told more of it, such as which cards it has drawn, and more beside it.
                let mut heard = seen.events.iter().map(|event| fields("Event", event));
                for event in &public.events {
                    let event = fields("Event", event);
                    assert!(
                        heard.any(|heard| says_no_more(&event, &heard, "event").is_ok()),
                        "{game}: a spectator is told {event} and a seat is not"
                    );
                    told += 1;
                }
            }
            if public.version == last {
                break;
            }
        }
        assert!(told > 0, "{game}");
    }
}

/// What a message that gathers the games says of its game.
fn of_the_game(gathered: &Value) -> &Value {
    let game = gathered.as_object().and_then(|games| games.values().next());
    game.expect("it is of some game")
}

/// I14, F17: what each viewer is shown is his part of the truth, all of it and nothing else.
#[tokio::test]
async fn every_viewer_is_shown_his_whole_part_of_the_truth() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    for game in GAMES {
        let table = Table::start(&client, of(game)).await;
        table.play_out(&mut dice).await;
        let replay = table.replay(GetReplayRequest::default()).await.unwrap();
        for _ in 0..sized(12, 200) {
            let ply = dice.below(usize::try_from(replay.plies).unwrap() + 1);
            let then = table
                .fork(None, Some(u32::try_from(ply).unwrap()))
                .await
                .unwrap();
            let truth = then.state(Some(&then.host)).await.unwrap();
            let truth = fields("State", &truth.state.unwrap());
            let truth = of_the_game(&truth);
            let own = truth.get("hands").or(truth.get("seats"));
            for viewer in std::iter::once(None).chain((0..then.tokens.len()).map(Some)) {
                let seen = then.observe(viewer, View::Full).await.observation.unwrap();
                let seen = fields("Observation", &seen);
                let seen = of_the_game(&seen);
                let place = format!("{game}, ply {ply}, {viewer:?}");
                let Some(own) = own else {
                    // Here everybody sees the same.
                    assert_eq!(seen, &truth["table"], "{place}");
                    continue;
                };
                assert_eq!(seen["table"], truth["table"], "{place}");
                assert_eq!(seen.get("own"), viewer.map(|seat| &own[seat]), "{place}");
            }
            then.delete().await;
        }
    }
}
