//! What holds for every game that is played here, whatever it is.

use std::collections::BTreeSet;

use bytes::Bytes;
use prost::{
    Message as _,
    encoding::{WireType, decode_key, decode_varint},
};
use tavola::pb::v1::{
    CreateSessionRequest, Decision, Game, GetObservationResponse, GetReplayRequest,
    GetServerInfoRequest, ListGamesRequest, Observation, SessionStatus, Update, View, replay_step,
    submit_action_request::Answer,
};
use tonic::Code;

use crate::common::{
    Dice, Player, Server, Sessions, Table, play_seat, refusal, refused, soon, update_of,
};

/// House bots are fast, and a busy test may fall behind them or not read for long; nobody is to be given a snapshot, or
/// to lose its place, for that.
const NO_SNAPSHOTS: [&str; 4] = ["--watcher-lag-max", "4096", "--write-stall-s", "600"];

/// Games that hide nothing from anybody with their default options, whatever they may do with others.
const HIDES_NOTHING_BY_DEFAULT: [&str; 1] = ["under_falling_skies"];

/// The games that are played here.
async fn games(server: &Server) -> Vec<Game> {
    let mut catalog = server.catalog().await;
    let listed = catalog.list_games(ListGamesRequest::default()).await;
    let games = listed.unwrap().into_inner().games;
    assert_eq!(games.len(), 5, "{games:?}");
    games
}

fn request(game: &Game, seats: u32) -> CreateSessionRequest {
    CreateSessionRequest {
        game: game.game.clone(),
        seats: Some(seats),
        ..Default::default()
    }
}

/// The numbers of seats with which a game is played by its defaults.
async fn seat_counts(client: &Sessions, game: &Game) -> Vec<u32> {
    let mut counts = Vec::new();
    for seats in game.seats_min..=game.seats_max {
        match client.clone().create_session(request(game, seats)).await {
            Ok(_) => counts.push(seats),
            // Some games need an option with so many players.
            Err(status) => assert!(refusal(&status).violations[0].0.starts_with("options.")),
        }
    }
    assert!(
        counts.contains(&game.seats_min),
        "{}: {counts:?}",
        game.game
    );
    counts
}

/// A table of each game with the fewest seats, with the most, and with some number between.
async fn tables(server: &Server, dice: &mut Dice) -> Vec<(Game, Table)> {
    let client = server.sessions().await;
    let mut tables = Vec::new();
    for game in games(server).await {
        let counts = seat_counts(&client, &game).await;
        let chosen = [counts[0], *dice.pick(&counts), *counts.last().unwrap()];
        for seats in BTreeSet::from(chosen) {
            let table = Table::start(&client, request(&game, seats)).await;
            tables.push((game.clone(), table));
        }
    }
    tables
}

/// A table of each game with some number of seats.
async fn some_tables(server: &Server, dice: &mut Dice) -> Vec<(Game, Table)> {
    let client = server.sessions().await;
    let mut tables = Vec::new();
    for game in games(server).await {
        let counts = seat_counts(&client, &game).await;
        let table = Table::start(&client, request(&game, *dice.pick(&counts))).await;
        tables.push((game, table));
    }
    tables
}

/// All who look at a table.
fn viewers(table: &Table) -> impl Iterator<Item = Option<usize>> {
    std::iter::once(None).chain((0..table.tokens.len()).map(Some))
}

#[tokio::test]
async fn players_and_house_bots_play_it_to_its_end() {
    let server = Server::start(&NO_SNAPSHOTS);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    for game in games(&server).await {
        let counts = seat_counts(&client, &game).await;
        for seats in BTreeSet::from([counts[0], *counts.last().unwrap()]) {
            let mut table = Table::create(&client, request(&game, seats)).await;
            let elsewhere = Table {
                client: server.sessions().await,
                ..table.clone()
            };
            let mut spectator = elsewhere.watch(None, View::Full).await;
            spectator.next().await;
            // Players at half of the seats, each on a connection of its own, and house bots at the others.
            let players = usize::try_from(seats.div_ceil(2)).unwrap();
            let mut playing = Vec::new();
            for seat in 0..players {
                table.join().await;
                let elsewhere = Table {
                    client: server.sessions().await,
                    ..table.clone()
                };
                let view = [View::Full, View::Lean][seat % 2];
                playing.push(tokio::spawn(play_seat(elsewhere, seat, view, dice.split())));
            }
            for seat in players..usize::try_from(seats).unwrap() {
                table.add_bot(["random", "greedy"][seat % 2]).await;
            }
            let mut told = Vec::new();
            for player in playing {
                told.push(soon("the end of a game", player).await.unwrap());
            }
            let seen = spectator.rest().await;

            let session = table.session().await;
            let outcome = session.outcome.expect("the game is over");
            let all = usize::try_from(seats).unwrap();
            assert_eq!(outcome.returns.len(), all);
            assert!(
                outcome.winners.is_sorted() && outcome.winners.iter().all(|seat| *seat < seats)
            );
            let best = outcome.returns.iter().max();
            for winner in &outcome.winners {
                let returns = &outcome.returns[usize::try_from(*winner).unwrap()];
                assert_eq!(Some(returns), best, "{outcome:?}");
            }
            // The spectator has been there from the first moment, and each player from when it joined.
            let versions: Vec<u64> = seen.iter().map(|update| update.version).collect();
            assert_eq!(versions, (2..=session.version).collect::<Vec<_>>());
            let start = u64::from(seats) + 1;
            for (viewer, updates) in told
                .iter()
                .enumerate()
                .map(|(seat, updates)| (Some(seat), updates))
                .chain([(None, &seen)])
            {
                let last = updates.last().unwrap();
                assert_eq!(last.outcome.as_ref(), Some(&outcome));
                assert_eq!(last.version, session.version);
                assert_replayed(&table, viewer, updates, start).await;
            }
            let plies = session.version - start;
            assert!(plies <= u64::from(game.plies_max), "{plies} plies");
        }
    }
}

/// A replay for a viewer tells what the viewer was told.
async fn assert_replayed(table: &Table, viewer: Option<usize>, updates: &[Update], start: u64) {
    let (mut replayed, mut page_token) = (Vec::new(), String::new());
    loop {
        let request = GetReplayRequest {
            seat: viewer.map(|seat| u32::try_from(seat).unwrap()),
            page_size: Some(1000),
            page_token,
            ..Default::default()
        };
        let page = table.replay(request).await.unwrap();
        replayed.extend(page.steps);
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    // A snapshot tells of nothing that happened, unless it begins the game.
    let news = updates
        .iter()
        .filter(|update| update.version == start || update.version > start && !update.snapshot);
    let mut compared = 0;
    for update in news {
        let step = usize::try_from(update.version - start).unwrap();
        assert_eq!(update.events, replayed[step].events, "{viewer:?} {step}");
        compared += 1;
    }
    // House bots may have played a little before a player's stream was open.
    assert!(
        compared > replayed.len() / 2,
        "{compared} of {}",
        replayed.len()
    );
}

/// F31, F36: a game says that it is over, how, and what all can still see of it, in the reply to the answer that ends it
/// and in the same update to everybody; nothing begins anew by itself, and nothing more is accepted.
#[tokio::test]
async fn f31_f36_the_end_is_told_once_and_whole_and_nothing_follows_it() {
    let server = Server::start(&NO_SNAPSHOTS);
    let mut dice = Dice::new();
    for (game, table) in some_tables(&server, &mut dice).await {
        let seats = table.tokens.len();
        let mut streams = Vec::new();
        for viewer in viewers(&table) {
            let elsewhere = Table {
                client: server.sessions().await,
                ..table.clone()
            };
            streams.push((viewer, elsewhere.watch(viewer, View::Full).await));
        }
        let mut last = None;
        let mut decision = 0;
        while let Some(asked) = table.observe(None, View::Lean).await.decision {
            decision = asked.decision_id;
            last = table.play_ply(&mut dice).await;
        }
        let last = last.expect("a game has plies");
        let outcome = last.outcome.clone().expect("the last reply has the result");
        assert_eq!(last.status(), SessionStatus::Finished, "{}", game.game);
        for (viewer, mut stream) in streams {
            let told = stream.rest().await;
            let (end, before) = told.split_last().unwrap();
            assert!(before.iter().all(|update| update.outcome.is_none()));
            assert_eq!(end.outcome.as_ref(), Some(&outcome), "{viewer:?}");
            assert_eq!(end.version, last.version);
            let shown = table.observe(viewer, View::Full).await;
            assert_eq!(end.observation, shown.observation, "{viewer:?}");
            assert!(shown.decision.is_none() && shown.legal_actions.is_empty());
        }
        for seat in 0..seats {
            let late = table.submit(seat, decision + 1, Answer::ActionId(0)).await;
            refused(late, tavola::pb::v1::ErrorReason::GameOver);
        }
        assert_eq!(table.session().await.version, last.version);
    }
}

/// F69: nothing that a session can be asked for is too large for a client with the limit of its library, 4 MiB, nor for
/// what the server says of itself, however long the game and however large the page that is asked for.
#[tokio::test]
async fn f69_no_reply_is_too_large_however_much_is_asked_for() {
    let server = Server::start(&NO_SNAPSHOTS);
    let info = GetServerInfoRequest {};
    let info = server.catalog().await.get_server_info(info).await.unwrap();
    let reply_max = info.into_inner().limits.unwrap().response_bytes_max;
    assert!(reply_max <= 4 << 20);
    let reply_max = usize::try_from(reply_max).unwrap();
    let mut dice = Dice::new();
    for (game, table) in tables(&server, &mut dice).await {
        let version = table.session().await.version;
        table.play_out(&mut dice).await;
        let plies = usize::try_from(table.session().await.version - version).unwrap();
        for viewer in viewers(&table) {
            let (mut steps, mut page_token) = (0, String::new());
            loop {
                let request = GetReplayRequest {
                    seat: viewer.map(|seat| u32::try_from(seat).unwrap()),
                    page_size: Some(u32::MAX),
                    page_token,
                    ..Default::default()
                };
                let page = table.replay(request).await.unwrap();
                assert!(page.encoded_len() <= reply_max, "{}", game.game);
                steps += page.steps.len();
                page_token = page.next_page_token;
                if page_token.is_empty() {
                    break;
                }
            }
            assert_eq!(steps, plies + 1, "{} {viewer:?}", game.game);
            let shown = table.observe(viewer, View::Full).await;
            assert!(shown.encoded_len() <= reply_max);
        }
        assert!(table.state(None).await.unwrap().encoded_len() <= reply_max);
    }
}

/// F33: seats that are not asked cannot answer, whatever they send, and an answer given twice counts once.
#[tokio::test]
async fn f33_whoever_is_not_asked_changes_nothing() {
    let server = Server::start(&[]);
    let mut dice = Dice::new();
    let mut refusals = 0;
    for (game, table) in tables(&server, &mut dice).await {
        for _ in 0..25 {
            let Some(asked) = table.observe(None, View::Lean).await.decision else {
                break;
            };
            let before = table.session().await;
            for seat in 0..table.tokens.len() {
                if asked.seats.contains(&u32::try_from(seat).unwrap()) {
                    continue;
                }
                let decision = asked.decision_id;
                for action in [0, game.action_space - 1] {
                    let answer = Answer::ActionId(action);
                    let status = table.submit(seat, decision, answer).await.unwrap_err();
                    // ABORTED: it has answered already, and the others are still asked.
                    let refused = [Code::FailedPrecondition, Code::Aborted];
                    assert!(refused.contains(&status.code()), "{status:?}");
                    refusals += 1;
                }
            }
            assert_eq!(table.session().await, before, "{}", game.game);
            table.play_ply(&mut dice).await;
        }
    }
    assert!(refusals > 0);
}

/// F37: what may be answered is in one place of every reply and update, and the same in all of them.
#[tokio::test]
async fn f37_what_is_legal_is_said_alike_by_every_method() {
    let server = Server::start(&NO_SNAPSHOTS);
    let mut dice = Dice::new();
    for (game, table) in some_tables(&server, &mut dice).await {
        for _ in 0..20 {
            let Some(asked) = table.observe(None, View::Lean).await.decision else {
                break;
            };
            let seat = usize::try_from(*dice.pick(&asked.seats)).unwrap();
            let seen = table.observe(Some(seat), View::Full).await;
            let streamed = table.watch(Some(seat), View::Full).await.next().await;
            let mut player = Player::at(&table, seat).await;
            let played = player.update().await;
            for update in [streamed, played] {
                assert_eq!(update.legal_actions, seen.legal_actions, "{}", game.game);
                assert_eq!(update.decision, seen.decision);
            }
            let decision = seen.decision.unwrap().decision_id;
            let answer = Answer::ActionId(dice.pick(&seen.legal_actions).action_id.unwrap());
            let token = &table.tokens[seat];
            let reply = table.submit_as(token, decision, answer, View::Full).await;
            let reply = reply.unwrap();
            let now = table.observe(Some(seat), View::Full).await;
            if now.version == reply.version {
                assert_eq!(reply.legal_actions, now.legal_actions, "{}", game.game);
            }
        }
    }
}

#[tokio::test]
async fn both_views_show_the_same_and_only_those_who_are_asked_are_told_what_they_may_answer() {
    let server = Server::start(&[]);
    let mut dice = Dice::new();
    for (game, table) in tables(&server, &mut dice).await {
        let mut ply = 0;
        loop {
            let decision = table.observe(None, View::Lean).await.decision;
            // All who look at all plies would be much; some do at some.
            if ply % 5 == 0 || decision.is_none() {
                for viewer in viewers(&table) {
                    let full = table.observe(viewer, View::Full).await;
                    let lean = table.observe(viewer, View::Lean).await;
                    let asked = |decision: &Option<Decision>| {
                        decision.as_ref().map(|decision| decision.seats.clone())
                    };
                    assert_eq!(
                        asked(&full.decision),
                        asked(&decision),
                        "that it is open is seen by all"
                    );
                    assert_both_views(&game, viewer, &full, &lean);
                }
            }
            if table.play_ply(&mut dice).await.is_none() {
                break;
            }
            ply += 1;
        }
    }
}

fn assert_both_views(
    game: &Game,
    viewer: Option<usize>,
    full: &GetObservationResponse,
    lean: &GetObservationResponse,
) {
    let ids: Vec<u32> = full
        .legal_actions
        .iter()
        .map(|legal| legal.action_id.unwrap())
        .collect();
    assert_eq!(lean.legal_action_ids, ids);
    assert!(ids.is_sorted_by(|one, next| one < next), "{ids:?}");
    assert!(ids.iter().all(|id| *id < game.action_space));
    assert!(ids.len() <= usize::try_from(game.legal_actions_max).unwrap());
    let labels: BTreeSet<_> = full
        .legal_actions
        .iter()
        .map(|legal| &legal.label)
        .collect();
    assert_eq!(labels.len(), ids.len(), "each has a label of its own");
    let asked = full
        .decision
        .as_ref()
        .map_or(&[][..], |decision| &decision.seats);
    let is_asked = viewer.is_some_and(|seat| asked.contains(&u32::try_from(seat).unwrap()));
    assert_eq!(
        !ids.is_empty(),
        is_asked,
        "{viewer:?} while {asked:?} are asked"
    );
    let without = |shown: &GetObservationResponse| GetObservationResponse {
        legal_actions: Vec::new(),
        legal_action_ids: Vec::new(),
        ..shown.clone()
    };
    assert_eq!(without(lean), without(full));
}

/// The fields of an encoded message.
fn fields(encoded: &[u8]) -> BTreeSet<(u32, Vec<u8>)> {
    let mut rest = encoded;
    let mut fields = BTreeSet::new();
    while !rest.is_empty() {
        let (tag, kind) = decode_key(&mut rest).unwrap();
        let value = match kind {
            WireType::Varint => decode_varint(&mut rest).unwrap().to_le_bytes().to_vec(),
            WireType::LengthDelimited => {
                let length = usize::try_from(decode_varint(&mut rest).unwrap()).unwrap();
                let (value, after) = rest.split_at(length);
                rest = after;
                value.to_vec()
            }
            other => panic!("no contract of ours has a {other:?}"),
        };
        fields.insert((tag, value));
    }
    fields
}

/// The fields of the observation of a game, within the one that says which game it is.
fn seen(observation: Option<&Observation>) -> BTreeSet<(u32, Vec<u8>)> {
    let encoded = observation.expect("the game is on").encode_to_vec();
    let mut of_game = fields(&encoded).into_iter();
    let (_, observation) = of_game.next().expect("it is of a game");
    assert_eq!(of_game.next(), None, "of one game");
    fields(&observation)
}

#[tokio::test]
async fn a_spectator_sees_nothing_that_not_every_seat_sees() {
    let server = Server::start(&[]);
    let mut dice = Dice::new();
    let mut with_hands = BTreeSet::new();
    for (game, table) in tables(&server, &mut dice).await {
        let mut hidden = false;
        loop {
            let spectator = seen(table.observe(None, View::Lean).await.observation.as_ref());
            for seat in 0..table.tokens.len() {
                let of_seat = seen(
                    table
                        .observe(Some(seat), View::Lean)
                        .await
                        .observation
                        .as_ref(),
                );
                assert!(spectator.is_subset(&of_seat), "{} seat {seat}", game.game);
                hidden |= spectator != of_seat;
            }
            for _ in 0..10 {
                table.play_ply(&mut dice).await;
            }
            if table.session().await.outcome.is_some() {
                break;
            }
        }
        assert!(!hidden || game.hidden_information, "{}", game.game);
        if hidden {
            with_hands.insert(game.game);
        }
    }
    for game in ["citadels", "council_of_shadows", "shadow_hunters"] {
        assert!(
            with_hands.contains(game),
            "what its seats hold is theirs: {game}"
        );
    }
}

#[tokio::test]
async fn all_that_is_not_listed_is_refused_and_what_is_listed_is_repeated_by_meaning() {
    let server = Server::start(&[]);
    let mut dice = Dice::new();
    for (game, table) in some_tables(&server, &mut dice).await {
        while let Some(asked) = table.observe(None, View::Lean).await.decision {
            let seat = usize::try_from(*dice.pick(&asked.seats)).unwrap();
            let before = table.observe(Some(seat), View::Full).await;
            let decision = before.decision.clone().unwrap();
            let legal: BTreeSet<u32> = before
                .legal_actions
                .iter()
                .map(|legal| legal.action_id.unwrap())
                .collect();
            let unlisted: Vec<u32> = (0..game.action_space)
                .filter(|id| !legal.contains(id))
                .collect();
            for _ in 0..3 {
                let answer = Answer::ActionId(*dice.pick(&unlisted));
                let answered = table.submit(seat, decision.decision_id, answer).await;
                // Some numbers may be those of no action at all.
                match answered.map_err(|status| status.code()) {
                    Err(Code::FailedPrecondition | Code::InvalidArgument) => {}
                    other => panic!("{}: {other:?}", game.game),
                }
            }
            assert_eq!(table.observe(Some(seat), View::Full).await, before);
            let chosen = dice.pick(&before.legal_actions);
            let (number, meaning) = (
                Answer::ActionId(chosen.action_id.unwrap()),
                Answer::Action(chosen.action.clone().unwrap()),
            );
            let submit = async |answer| {
                let token = &table.tokens[seat];
                let decision = decision.decision_id;
                table.submit_as(token, decision, answer, View::Full).await
            };
            let reply = submit(meaning).await.expect("what is listed is accepted");
            assert_eq!(submit(number).await.unwrap(), reply, "{}", chosen.label);
        }
    }
}

#[tokio::test]
async fn its_streams_are_resumed_without_gap_or_repeat() {
    let server = Server::start(&NO_SNAPSHOTS);
    let mut dice = Dice::new();
    for (game, table) in some_tables(&server, &mut dice).await {
        let start = table.session().await.version;
        let mut streams = Vec::new();
        for viewer in [None, Some(0), Some(table.tokens.len() - 1)] {
            for view in [View::Full, View::Lean] {
                // On a connection of its own: one that is not read for long must not hold up the calls beside it.
                let elsewhere = Table {
                    client: server.sessions().await,
                    ..table.clone()
                };
                streams.push((viewer, view, elsewhere.watch(viewer, view).await));
            }
        }
        table.play_out(&mut dice).await;
        let last = table.session().await.version;
        println!(
            "{}: {} seats, {} plies",
            game.game,
            table.tokens.len(),
            last - start
        );
        for (viewer, view, mut stream) in streams {
            let whole: Vec<Bytes> = stream.rest_encoded().await;
            let of = |update: &Bytes| update_of(update).version;
            assert_eq!(whole.len(), usize::try_from(last - start).unwrap() + 1);
            assert_eq!((of(&whole[0]), of(whole.last().unwrap())), (start, last));
            let mut from: BTreeSet<u64> = [1, start, start + 1, last - 1, last].into();
            while from.len() < 12 {
                from.insert(start + u64::try_from(dice.below(whole.len())).unwrap());
            }
            for from in from {
                let mut resumed = table.resume(viewer, view, from).await.unwrap();
                let told = resumed.rest_encoded().await;
                let after = usize::try_from((from + 1).saturating_sub(start)).unwrap();
                // The stream that is compared with begins with a snapshot of the game's beginning, too.
                assert_eq!(
                    told,
                    whole[after..],
                    "{} {viewer:?} {view:?} {from}",
                    game.game
                );
            }
        }
    }
}

#[tokio::test]
async fn the_whole_state_of_a_game_that_hides_something_is_shown_to_nobody_before_its_end() {
    let server = Server::start(&[]);
    let mut dice = Dice::new();
    for (game, table) in some_tables(&server, &mut dice).await {
        use tavola::pb::v1::ErrorReason::{SessionNotFinished, TokenRequired};

        table.play_plies(&mut dice, 10).await;
        let host = Some(table.host.as_str());
        if HIDES_NOTHING_BY_DEFAULT.contains(&game.game.as_str()) {
            table.state(host).await.unwrap();
            refused(table.state(None).await, TokenRequired);
        } else {
            assert!(game.hidden_information, "{}", game.game);
            for token in [host, table.token(Some(0)), None] {
                refused(table.state(token).await, SessionNotFinished);
            }
        }
        refused(
            table.replay(GetReplayRequest::default()).await,
            SessionNotFinished,
        );
        table.play_out(&mut dice).await;
        let whole = table.state(host).await.unwrap();
        assert_eq!(whole.status(), SessionStatus::Finished);
        assert_eq!(table.state(None).await.unwrap(), whole);
    }
}

#[tokio::test]
async fn the_same_seed_and_actions_give_the_same_game() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    for game in games(&server).await {
        let seats = *dice.pick(&seat_counts(&client, &game).await);
        let (seed, play_seed) = (dice.next(), dice.next());
        let mut replays = Vec::new();
        for seed in [seed, seed, seed + 1] {
            let request = CreateSessionRequest {
                seed: Some(seed),
                ..request(&game, seats)
            };
            let table = Table::start(&client, request).await;
            table.play_out(&mut Dice::fixed(play_seed)).await;
            let mut replay = table.replay(GetReplayRequest::default()).await.unwrap();
            // What binds a session to its dice is its own.
            (replay.seed_nonce, replay.seed_commitment) = Default::default();
            replays.push(replay);
        }
        assert_eq!(replays[0], replays[1], "{}", game.game);
        // With another seed the cards are dealt otherwise.
        if ["citadels", "council_of_shadows", "shadow_hunters"].contains(&game.game.as_str()) {
            assert_ne!(
                replays[0].steps[0].state_hash,
                replays[2].steps[0].state_hash
            );
        }
    }
}

#[tokio::test]
async fn who_leaves_cannot_win_and_the_others_keep_a_whole_game() {
    let server = Server::start(&NO_SNAPSHOTS);
    let mut dice = Dice::new();
    for (game, table) in tables(&server, &mut dice).await {
        table.play_plies(&mut dice, 7).await;
        let leaver = dice.below(table.tokens.len());
        let number = u32::try_from(leaver).unwrap();
        let elsewhere = Table {
            client: server.sessions().await,
            ..table.clone()
        };
        let mut leaving = elsewhere.watch(Some(leaver), View::Full).await;
        let mut version = leaving.next().await.version;
        let left = table.leave(leaver).await.unwrap();
        assert_eq!(left.version, version + 1, "a resignation is a ply");
        assert!(left.seats[leaver].resigned, "{}", game.game);

        // From now on the others play by themselves, and whatever the leaver owes a house bot answers.
        let mut others = Vec::new();
        for seat in (0..table.tokens.len()).filter(|seat| *seat != leaver) {
            let playing = play_seat(table.clone(), seat, View::Lean, dice.split());
            others.push(tokio::spawn(playing));
        }
        if left.outcome.is_none() {
            let again = table.leave(leaver).await.unwrap();
            assert!(again.version >= left.version && again.seats[leaver].resigned);
            let shown = table.observe(Some(leaver), View::Full).await;
            assert_eq!(
                shown.seat,
                Some(number),
                "its token still shows what it sees"
            );
        }
        for other in others {
            soon("the end of a game that one has left", other)
                .await
                .unwrap();
        }
        let outcome = table.session().await.outcome.expect("it came to its end");
        assert!(
            !outcome.winners.contains(&number),
            "{}: {outcome:?}",
            game.game
        );
        let least = outcome.returns.iter().min().unwrap();
        assert_eq!(&outcome.returns[leaver], least, "{}", game.game);

        // The stream of the one who left goes on to the end.
        for update in leaving.rest().await {
            assert_eq!(update.version, version + 1);
            version = update.version;
        }
        let replay = table.replay(GetReplayRequest::default()).await.unwrap();
        let resignations = replay.steps.iter().filter(|step| {
            matches!(step.entry, Some(replay_step::Entry::Resignation(_)))
                && step.seat == Some(number)
        });
        assert_eq!(resignations.count(), 1);
    }
}
