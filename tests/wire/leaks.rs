//! Nothing is told beside what a viewer may see: by the seed, by logs, by reflection, or by what other seats are sent.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
    time::Duration,
};

use aho_corasick::AhoCorasick;
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
        GetReplayResponse, SessionStatus, State, Update, View, replay_step::Entry,
        submit_action_request::Answer,
    },
};

use crate::common::{
    Compared, Dice, GAMES, Server, Sessions, Table, eventually, furthest_from_chance, metrics, of,
    refused, sized, tells_nothing, timed,
};

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
        let spellings = self.0.iter().map(|(_, spelled)| spelled);
        if let Some(found) = AhoCorasick::new(spellings).unwrap().find(text) {
            let (what, spelled) = &self.0[found.pattern().as_usize()];
            panic!("{what} is in {place}: {spelled}");
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
        let answer = Answer::ActionId(*dice.pick(&legal));
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

// === time

/// The games in which a player has answers that the others do not know of.
const SECRETIVE: [&str; 3] = ["citadels", "council_of_shadows", "shadow_hunters"];

/// What a viewer is told of an action in one of the worlds that he could be in, and what another seat can do then.
struct Told {
    /// How long it took from the action on, and how long a look at the table took after it.
    took: [Duration; 2],
    update: Vec<u8>,
    answers: BTreeSet<u32>,
}

/// Somebody acts in this world, and the viewer is told of it. None if it cannot be done here, or if nobody else than the
/// viewer is asked then.
async fn act(world: &Table, viewer: usize, actor: usize, action: u32) -> Option<Told> {
    let asked = world.observe(Some(actor), View::Lean).await;
    if !asked.legal_action_ids.contains(&action) {
        return None;
    }
    let mut watching = world.watch(Some(viewer), View::Lean).await;
    watching.next().await;
    let acting = async {
        let answer = Answer::ActionId(action);
        let decision = asked.decision.expect("he is asked").decision_id;
        let answered = world.submit(actor, decision, answer).await;
        answered.expect("what is listed is accepted");
        watching.next().await
    };
    let (told_after, update) = timed(acting).await;
    let (look_took, _) = timed(world.observe(Some(viewer), View::Lean)).await;
    let asked = usize::try_from(*update.decision.as_ref()?.seats.first()?).unwrap();
    if asked == viewer {
        return None;
    }
    let answers = world.observe(Some(asked), View::Lean).await;
    Some(Told {
        took: [told_after, look_took],
        update: update.encode_to_vec(),
        answers: answers.legal_action_ids.into_iter().collect(),
    })
}

/// The answer that some have and the others have not, as nearly by halves as there is one.
fn secret_answer(worlds: &[Told]) -> Option<u32> {
    let mut counted: BTreeMap<u32, usize> = BTreeMap::new();
    for answer in worlds.iter().flat_map(|told| &told.answers) {
        *counted.entry(*answer).or_default() += 1;
    }
    let (answer, count) = counted
        .into_iter()
        .min_by_key(|(_, count)| (2 * count).abs_diff(worlds.len()))?;
    (4..=worlds.len().saturating_sub(4))
        .contains(&count)
        .then_some(answer)
}

/// Compares worlds that a viewer at this table cannot tell apart: his sandboxes. The same is done in all of them and he is
/// told the same; then another seat is asked, who in some of them has an answer that he has not in the others. How many
/// there were, if there are such worlds.
async fn compare_reactions(
    table: &Table,
    dice: &mut Dice,
    compared: &mut [Compared; 2],
) -> Option<usize> {
    let asked = table.observe(None, View::Lean).await.decision?.seats;
    let actor = usize::try_from(*dice.pick(&asked)).unwrap();
    let answers = table.observe(Some(actor), View::Lean).await;
    let action = *dice.pick(&answers.legal_action_ids);
    let viewer = dice.below(table.tokens.len());
    let mut by_update: BTreeMap<Vec<u8>, Vec<Told>> = BTreeMap::new();
    for so_many in [16, 44] {
        for _ in 0..so_many {
            let world = table.fork(table.token(Some(viewer)), None).await.unwrap();
            let told = act(&world, viewer, actor, action).await;
            world.delete().await;
            let told = told?;
            by_update.entry(told.update.clone()).or_default().push(told);
        }
        // It is soon clear where all worlds are the same or each is another.
        let alike = by_update.values().max_by_key(|worlds| worlds.len())?;
        secret_answer(alike)?;
    }
    let alike = by_update.into_values().max_by_key(Vec::len)?;
    let secret = secret_answer(&alike)?;
    let (there, not_there): (Vec<_>, Vec<_>) = alike
        .iter()
        .partition(|told| told.answers.contains(&secret));
    for (what, compared) in compared.iter_mut().enumerate() {
        let times = |worlds: &[&Told]| worlds.iter().map(|told| told.took[what]).collect();
        let (there, not_there): (Vec<_>, Vec<_>) = (times(&there), times(&not_there));
        compared.add(&there, not_there);
    }
    Some(alike.len())
}

/// I4: whether somebody holds an answer that the others do not know of shows neither in when they are told that he is asked,
/// nor in how long their calls take meanwhile.
#[tokio::test]
async fn i4_no_time_tells_of_a_hidden_reaction() {
    let server = Server::start(&["--io-threads", "1"]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    for game in SECRETIVE {
        let what = format!("{game}: a hidden reaction");
        tells_nothing(&what, 0.05, async || {
            let mut compared = [Compared::default(); 2];
            let (mut calls, mut places) = (0, 0);
            let request = CreateSessionRequest {
                seats: Some(4),
                ..of(game)
            };
            let mut table = Table::start(&client, request.clone()).await;
            while calls < sized(1_000, 5_000) {
                let found = compare_reactions(&table, &mut dice, &mut compared).await;
                if let Some(worlds) = found {
                    (calls, places) = (calls + worlds, places + 1);
                }
                let plies = 1 + dice.below(4);
                table.play_plies(&mut dice, plies).await;
                if table.session().await.status() == SessionStatus::Finished {
                    table = Table::start(&client, request.clone()).await;
                }
            }
            let found = compared.map(Compared::chance_of_longer);
            println!("{game}: {calls} updates and looks at {places} places, AUC {found:.3?}");
            furthest_from_chance(found)
        })
        .await;
    }
}

// === ids and places

/// The lists of words in it, each by where it stands; a word that stands alone is a list of one.
fn lists(value: &Value, path: &str, found: &mut BTreeMap<String, Vec<String>>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                lists(value, &format!("{path}.{name}"), found);
            }
        }
        Value::Array(values) if values.iter().all(Value::is_string) => {
            let words = values.iter().filter_map(Value::as_str).map(str::to_owned);
            found.insert(path.to_owned(), words.collect());
        }
        Value::Array(values) => {
            for (nth, value) in values.iter().enumerate() {
                lists(value, &format!("{path}[{nth}]"), found);
            }
        }
        Value::String(word) => drop(found.insert(path.to_owned(), vec![word.clone()])),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// What is where in a state: cards in decks and hands.
type Cards = BTreeMap<String, Vec<String>>;

async fn cards(table: &Table) -> Cards {
    let state = table.state(Some(&table.host)).await.unwrap().state.unwrap();
    let mut found = Cards::new();
    lists(of_the_game(&fields("State", &state)), "", &mut found);
    found
}

/// Which card somebody looks for in a list who knows another one.
type Place = fn(nth: usize, len: usize) -> usize;

/// Of the cards that are not the same in all states, how many the first state has where this rule says that they are by
/// the second.
fn found_by(place: Place, differing: &BTreeSet<String>, one: &Cards, other: &Cards) -> f64 {
    let (mut found, mut looked) = (0, 0);
    for path in differing {
        let (Some(one), Some(other)) = (one.get(path), other.get(path)) else {
            continue;
        };
        looked += one.len();
        found += (0..one.len())
            .filter(|&nth| other.get(place(nth, other.len())) == Some(&one[nth]))
            .count();
    }
    f64::from(u32::try_from(found).unwrap()) / f64::from(u32::try_from(looked.max(1)).unwrap())
}

/// The mean, and how far it may be from what it is the mean of: five standard deviations.
fn mean(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, 5.0 * (squares / (count - 1.0) / count).sqrt())
}

/// The piles that are shuffled when nothing is left to draw from, with what they are shuffled into.
const PILES: [(&str, &str); 3] = [
    (".table.whiteDiscard", ".whiteDraw"),
    (".table.blackDiscard", ".blackDraw"),
    (".hermitDiscard", ".hermitDraw"),
];

/// I7: nobody who has seen the pile of used cards knows where one of them is once it was shuffled, not even who has seen
/// as many such shuffles as he likes.
#[tokio::test]
async fn i7_no_card_is_tracked_across_a_shuffle() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let request = CreateSessionRequest {
        seats: Some(8),
        ..of("shadow_hunters")
    };
    let mut shuffles = 0;
    while shuffles < sized(2, 6) {
        let table = Table::start(&client, request.clone()).await;
        table.play_out(&mut dice).await;
        let replay = table.replay(GetReplayRequest::default()).await.unwrap();
        let mut before = Cards::new();
        for step in replay.steps {
            let fork = table.fork(None, Some(step.ply)).await.unwrap();
            let after = cards(&fork).await;
            fork.delete().await;
            let length = |cards: &Cards, pile: &str| cards.get(pile).map_or(0, Vec::len);
            let shuffled = PILES.into_iter().find(|(used, fresh)| {
                length(&before, used) > 7 && length(&after, fresh) > length(&before, fresh)
            });
            if let Some((used, fresh)) = shuffled
                && let Some(Entry::ActionId(action)) = step.entry
            {
                track(&table, step.ply - 1, action, &before[used], fresh).await;
                shuffles += 1;
            }
            before = after;
        }
        table.delete().await;
    }
}

/// Has one pile shuffled again and again, in forks in which the same is done with other dice, and looks for each of its
/// cards where it has come to most often before.
async fn track(table: &Table, ply: u32, action: u32, used: &[String], fresh: &str) {
    let kinds = BTreeSet::from_iter(used);
    let mut came_to: BTreeMap<(usize, usize), u32> = BTreeMap::new();
    let (mut found, mut by_chance) = (Vec::new(), Vec::new());
    for nth in 0..sized(1_000, 6_000) {
        let fork = table.fork(None, Some(ply)).await.unwrap();
        fork.play_action(action).await;
        let after = cards(&fork).await.remove(fresh).unwrap_or_default();
        fork.delete().await;
        // Of some cards there are more than one: they are one as good as the other.
        let tracked = used.iter().enumerate().filter_map(|(place, card)| {
            let alone = used.iter().filter(|other| *other == card).count() == 1;
            let there = after.iter().position(|other| other == card)?;
            alone.then_some((place, there))
        });
        let tracked = Vec::from_iter(tracked);
        let guess = |place| {
            let places = 0..after.len();
            places.max_by_key(|there| came_to.get(&(place, *there)).copied().unwrap_or(0))
        };
        let right = tracked
            .iter()
            .filter(|(place, there)| guess(*place) == Some(*there));
        if nth >= 100 && !tracked.is_empty() {
            found.push(right.count() as f64 / tracked.len() as f64);
            by_chance.push(1.0 / after.len() as f64);
        }
        for moved in tracked {
            *came_to.entry(moved).or_default() += 1;
        }
    }
    let ((found, bound), (by_chance, _)) = (mean(&found), mean(&by_chance));
    println!(
        "{} cards of {} kinds: {:+.4} over a chance of {by_chance:.4}, give or take {bound:.4}",
        used.len(),
        kinds.len(),
        found - by_chance
    );
    assert!(found - by_chance <= bound.max(0.01));
}

/// I7: where a card is in a sandbox says no more of where it really is than another sandbox does, in which it is where
/// chance has put it.
#[tokio::test]
async fn i7_no_card_is_tracked_from_a_game_into_its_sandbox() {
    let server = Server::start(&["--sandboxes-per-seat-max", "24"]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let places: [(&str, Place); 2] = [
        ("where it is there", |nth, _| nth),
        ("from the other end", |nth, len| len.wrapping_sub(nth + 1)),
    ];
    for game in SECRETIVE {
        let mut over_chance = [Vec::new(), Vec::new()];
        let mut chance = Vec::new();
        while chance.len() < 2 * sized(60, 600) {
            let table = Table::start(&client, of(game)).await;
            let plies = dice.below(12);
            table.play_plies(&mut dice, plies).await;
            let version = table.session().await.version;
            let seat = table.token(Some(0));
            let mut drawn = Vec::new();
            for _ in 0..20 {
                let sandbox = table.fork(seat, None).await.unwrap();
                drawn.push(cards(&sandbox).await);
                sandbox.delete().await;
            }
            // What was true comes out when the game is over.
            table.play_out(&mut dice).await;
            let replay = table.replay(GetReplayRequest::default()).await.unwrap();
            let start = table.session().await.version - u64::from(replay.plies);
            let ply = u32::try_from(version - start).unwrap();
            let then = table.fork(seat, Some(ply)).await.unwrap();
            let truth = cards(&then).await;
            then.delete().await;
            table.delete().await;
            let differing = drawn[0].keys().filter(|path| {
                let all = drawn.iter().chain([&truth]);
                all.into_iter().any(|cards| {
                    cards.get(*path) != truth.get(*path) || cards.get(*path) != drawn[0].get(*path)
                })
            });
            let differing: BTreeSet<String> = differing.cloned().collect();
            assert!(!differing.is_empty(), "{game}: something is hidden");
            for ((_, place), over_chance) in places.iter().zip(&mut over_chance) {
                let pairs = drawn.iter().zip(drawn.iter().skip(1));
                let by_chance = pairs.map(|(one, other)| found_by(*place, &differing, one, other));
                let (by_chance, _) = mean(&Vec::from_iter(by_chance));
                let truly = drawn
                    .iter()
                    .map(|cards| found_by(*place, &differing, &truth, cards));
                let (truly, _) = mean(&Vec::from_iter(truly));
                over_chance.push(truly - by_chance);
                chance.push(by_chance);
            }
        }
        for ((what, _), over_chance) in places.iter().zip(&over_chance) {
            let (over_chance, bound) = mean(over_chance);
            let (by_chance, _) = mean(&chance);
            println!(
                "{game}: {what} {over_chance:+.4} over a chance of {by_chance:.4}, give or take {bound:.4}"
            );
            assert!(over_chance <= bound.max(0.01), "{game}: {what}");
        }
    }
}
