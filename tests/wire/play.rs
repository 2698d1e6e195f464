//! Whole games: by unary calls and by streams, against each other and against house bots, and their replays.

use tavola::pb::{
    santorini::v1 as game,
    v1::{
        CreateSessionRequest, Decision, ErrorReason, Event, GetObservationResponse,
        GetReplayRequest, GetReplayResponse, Observation, Options, Outcome, Resignation,
        SeatHolder, SessionStatus, Update, View, event, observation, options, replay_step, state,
        submit_action_request::Answer,
    },
};
use tavola_engine::{
    Game as _, Playthrough, Seat, Seed, Viewer,
    games::santorini::{Options as EngineOptions, PieceSupply, Santorini, Space, Worker},
};

use crate::common::{Dice, Server, Table, asked_seat, play_seat, refused, santorini, soon};

fn number<T: TryInto<usize>>(number: T) -> usize {
    number.try_into().ok().expect("it is small")
}

/// The facts of the table that a message shows.
fn seen(observation: Option<&Observation>) -> &game::Observation {
    match observation.and_then(|observation| observation.game.as_ref()) {
        Some(observation::Game::Santorini(seen)) => seen,
        _ => panic!("there is an observation of Santorini"),
    }
}

fn told(event: &Event) -> &game::event::Kind {
    match &event.game {
        Some(event::Game::Santorini(event)) => event.kind.as_ref().expect("an event is something"),
        _ => panic!("there is an event of Santorini"),
    }
}

/// Holds what a viewer is shown to what the engine says of the same game.
fn assert_as_the_engine_has_it(shown: &GetObservationResponse, mirror: &Playthrough<Santorini>) {
    let public = mirror.state().public();
    let seen = seen(shown.observation.as_ref());
    let board = seen.board.as_ref().unwrap();
    let levels: Vec<u32> = Space::all()
        .map(|space| public.board.level(space).number().into())
        .collect();
    assert_eq!(board.levels, levels);
    let domes: Vec<u32> = Space::all()
        .filter(|space| public.board.domes().contains(*space))
        .map(|space| space.index().into())
        .collect();
    assert_eq!(board.domes, domes);
    assert_eq!(seen.workers.len(), 4);
    for (index, shown) in (0..).zip(&seen.workers) {
        let worker = Worker::from_index(index).unwrap();
        assert_eq!(shown.worker, Some(index.into()));
        assert_eq!(shown.seat, Some(u32::from(index) / 2));
        let space = public.workers.space_of(worker);
        assert_eq!(shown.space, space.map(|space| space.index().into()));
    }
    let to_act: Vec<u32> = Santorini::to_act(public)
        .iter()
        .map(|seat| seat.0.into())
        .collect();
    match &shown.decision {
        Some(decision) => {
            assert_eq!(decision.seats, to_act);
            assert_eq!(decision.decision_id, mirror.decision_number());
            assert_eq!(shown.status(), SessionStatus::Running);
        }
        None => {
            assert_eq!(to_act, [0; 0]);
            assert_eq!(shown.status(), SessionStatus::Finished);
        }
    }
    let legal: Vec<u32> = match shown.seat {
        Some(seat) => {
            let seat = Viewer::Seat(Seat(u8::try_from(seat).unwrap()));
            let legal = Santorini::legal_actions(mirror.state().seen(seat));
            legal
                .into_iter()
                .map(|action| Santorini::encode(action).0)
                .collect()
        }
        None => Vec::new(),
    };
    let ids: Vec<u32> = shown
        .legal_actions
        .iter()
        .map(|legal| legal.action_id.unwrap())
        .collect();
    assert_eq!(ids, legal, "exactly what the rules allow is offered");
    let outcome = Santorini::outcome(public).map(|outcome| Outcome {
        winners: outcome.winners.iter().map(|seat| seat.0.into()).collect(),
        returns: outcome
            .returns
            .iter()
            .map(|(_, returns)| *returns)
            .collect(),
    });
    assert_eq!(shown.outcome, outcome);
}

/// The game that a replay tells of, played again by the engine: every ply has the state that the replay says.
fn play_again(replay: &GetReplayResponse) -> Playthrough<Santorini> {
    let Some(options::Game::Santorini(options)) =
        replay.options.clone().and_then(|options| options.game)
    else {
        panic!("a replay has the options of its game");
    };
    let options = EngineOptions {
        start_player: options.start_player.map_or(Default::default(), |seat| {
            tavola_engine::games::santorini::StartPlayer::Seat(Seat(seat.try_into().unwrap()))
        }),
        piece_supply: match options.piece_supply() {
            game::PieceSupply::Unlimited => PieceSupply::Unlimited,
            _ => PieceSupply::Limited,
        },
        max_turns: options.max_turns.unwrap().try_into().unwrap(),
        ..EngineOptions::without_gods()
    };
    let seed = Seed(replay.seed[..].try_into().expect("a seed has 32 bytes"));
    let mut play = Playthrough::start(options, replay.seats.try_into().unwrap(), seed, None)
        .expect("the options are legal");
    assert_eq!(replay.steps.len(), number(replay.plies) + 1);
    for (ply, step) in (0..).zip(&replay.steps) {
        assert_eq!(step.ply, ply);
        let seat = step.seat.map(|seat| Seat(seat.try_into().unwrap()));
        match &step.entry {
            None => {
                assert_eq!((ply, seat), (0, None), "only the set-up is nobody's");
                assert_eq!(step.action, None);
            }
            Some(replay_step::Entry::ActionId(id)) => {
                let id = tavola_engine::ActionId(*id);
                play.submit_id(seat.unwrap(), id, None)
                    .expect("the ply is legal");
                assert!(step.action.is_some(), "an action is told by meaning too");
            }
            Some(replay_step::Entry::Resignation(Resignation {})) => {
                play.resign(seat.unwrap(), None)
                    .expect("the seat may resign");
                assert_eq!(step.action, None);
            }
        }
        assert_eq!(step.state_hash[..], play.state_hash().0, "ply {ply}");
    }
    play
}

// === players

#[tokio::test]
async fn two_players_play_by_unary_calls_and_the_engine_agrees_at_every_ply() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    for _ in 0..6 {
        let supply = [game::PieceSupply::Limited, game::PieceSupply::Unlimited][dice.below(2)];
        let start_player = dice.below(2);
        let options = game::Options {
            god_mode: game::GodMode::None.into(),
            start_player: Some(u32::try_from(start_player).unwrap()),
            piece_supply: supply.into(),
            ..Default::default()
        };
        let request = CreateSessionRequest {
            options: Some(Options {
                game: Some(options::Game::Santorini(options)),
            }),
            ..santorini()
        };
        let table = Table::start(&client, request).await;
        let options = EngineOptions {
            start_player: tavola_engine::games::santorini::StartPlayer::Seat(Seat(
                u8::try_from(start_player).unwrap(),
            )),
            piece_supply: match supply {
                game::PieceSupply::Unlimited => PieceSupply::Unlimited,
                _ => PieceSupply::Limited,
            },
            ..EngineOptions::without_gods()
        };
        let mut mirror = Playthrough::<Santorini>::start(options, 2, Seed([0; 32]), None).unwrap();
        let mut version = table.session().await.version;
        loop {
            for viewer in [None, Some(0), Some(1)] {
                let shown = table.observe(viewer, View::Full).await;
                assert_eq!(shown.version, version);
                assert_as_the_engine_has_it(&shown, &mirror);
            }
            let shown = table.observe(None, View::Full).await;
            let Some(seat) = asked_seat(shown.decision.as_ref()) else {
                break;
            };
            let decision = shown.decision.unwrap().decision_id;
            let mine = table.observe(Some(seat), View::Full).await;
            let choice = dice.pick(&mine.legal_actions).clone();
            let id = choice.action_id.unwrap();
            let answer = match dice.below(2) {
                0 => Answer::ActionId(id),
                _ => Answer::Action(choice.action.unwrap()),
            };
            let token = table.token(Some(seat)).unwrap();
            let reply = table
                .submit_as(token, decision, answer, View::Full)
                .await
                .expect("what is listed is accepted");
            let acting = Seat(u8::try_from(seat).unwrap());
            mirror
                .submit_id(acting, tavola_engine::ActionId(id), None)
                .expect("the engine accepts it too");
            version += 1;
            let after = table.observe(Some(seat), View::Full).await;
            assert_eq!(
                (
                    reply.version,
                    reply.seat,
                    &reply.observation,
                    &reply.decision
                ),
                (version, after.seat, &after.observation, &after.decision),
                "a reply shows what an observation shows"
            );
            assert_eq!(
                (&reply.legal_actions, reply.status(), &reply.outcome),
                (&after.legal_actions, after.status(), &after.outcome)
            );
        }
        let session = table.session().await;
        assert_eq!(session.status(), SessionStatus::Finished);
        assert!(session.end_time.is_some());
        let replay = table.replay(GetReplayRequest::default()).await.unwrap();
        let again = play_again(&replay);
        assert_eq!(again.state(), mirror.state());
        assert_eq!(replay.outcome, session.outcome);
    }
}

#[tokio::test]
async fn two_players_play_by_streams() {
    let server = Server::start(&[]);
    let mut dice = Dice::new();
    for views in [[View::Full, View::Lean], [View::Lean, View::Unspecified]] {
        let table = Table::start(&server.sessions().await, santorini()).await;
        let mut players = Vec::new();
        for (seat, view) in views.into_iter().enumerate() {
            let table = Table {
                client: server.sessions().await,
                ..table.clone()
            };
            players.push(tokio::spawn(play_seat(table, seat, view, dice.split())));
        }
        let mut told = Vec::new();
        for player in players {
            told.push(soon("the end of a game", player).await.unwrap());
        }
        let [first, second] = &told[..] else {
            panic!("two played");
        };
        let result = |updates: &[Update]| {
            let last = updates.last().unwrap();
            (last.version, last.outcome.clone(), last.session.clone())
        };
        assert_eq!(result(first), result(second));
        let replay = table.replay(GetReplayRequest::default()).await.unwrap();
        play_again(&replay);
        assert_eq!(replay.outcome, first.last().unwrap().outcome);
    }
}

// === house bots

#[tokio::test]
async fn house_bots_play_a_whole_game_against_a_player() {
    let server = Server::start(&["--watcher-lag-max", "4096"]);
    let mut dice = Dice::new();
    for bot in ["random", "greedy", "random", "greedy"] {
        let mut table = Table::create(&server.sessions().await, santorini()).await;
        table.join().await;
        let playing = tokio::spawn(play_seat(table.clone(), 0, View::Full, dice.split()));
        table.add_bot(bot).await;
        let updates = soon("the end of a game", playing).await.unwrap();
        let session = updates.last().unwrap().session.as_ref().unwrap();
        assert_eq!(
            (session.seats[1].holder(), session.seats[1].bot.as_str()),
            (SeatHolder::Bot, bot)
        );
        let replay = table.replay(GetReplayRequest::default()).await.unwrap();
        play_again(&replay);
        let by_bot = replay.steps.iter().filter(|step| step.seat == Some(1));
        assert!(by_bot.count() >= 2, "the bot placed its workers at least");
    }
}

#[tokio::test]
async fn bots_play_each_other_and_a_spectator_sees_it_all() {
    let server = Server::start(&["--watcher-lag-max", "4096"]);
    let client = server.sessions().await;
    let mut wins = [0, 0];
    for round in 0..10 {
        let table = Table::create(&client, santorini()).await;
        let mut watching = table.watch(None, View::Full).await;
        let lobby = watching.next().await;
        assert!(lobby.snapshot && lobby.version == 1, "{lobby:?}");
        // The stronger bot sits on either side.
        let greedy = round % 2;
        let bots = if greedy == 0 {
            ["greedy", "random"]
        } else {
            ["random", "greedy"]
        };
        for bot in bots {
            table.add_bot(bot).await;
        }
        let updates = watching.rest().await;
        let versions: Vec<u64> = updates.iter().map(|update| update.version).collect();
        assert_eq!(
            versions,
            (2..2 + u64::try_from(updates.len()).unwrap()).collect::<Vec<_>>()
        );
        let last = updates.last().unwrap();
        assert_eq!(last.status(), SessionStatus::Finished);
        let outcome = last.outcome.clone().expect("the last one has the result");
        wins[usize::from(outcome.winners == [u32::try_from(greedy).unwrap()])] += 1;

        for update in &updates {
            assert!(
                !update.snapshot,
                "a watcher that keeps up needs no second one"
            );
            assert_eq!(update.seat, None);
            assert_eq!(
                (&update.legal_actions[..], &update.legal_action_ids[..]),
                (&[][..], &[][..])
            );
            assert_eq!(update.outcome.is_some(), update.version == last.version);
            let with_session = matches!(
                update.status(),
                SessionStatus::Waiting | SessionStatus::Finished
            );
            if with_session {
                let session = update.session.as_ref().expect("it is promised here");
                assert_eq!(
                    (session.version, session.status),
                    (update.version, update.status)
                );
            }
        }
        let replay = table.replay(GetReplayRequest::default()).await.unwrap();
        play_again(&replay);
        let streamed: Vec<_> = updates[1..].iter().map(|update| &update.events).collect();
        let replayed: Vec<_> = replay.steps.iter().map(|step| &step.events).collect();
        assert_eq!(streamed, replayed, "a replay tells what the stream told");
    }
    assert!(
        wins[1] >= 8,
        "the greedy bot won {} of 10 against the random one",
        wins[1]
    );
}

// === events and decisions

#[tokio::test]
async fn events_tell_what_was_done_and_decisions_are_numbered_upwards() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let mut table = Table::create(&client, santorini()).await;
    let mut watching = table.watch(None, View::Full).await;
    table.join().await;
    table.join().await;
    table.play_out(&mut dice).await;
    let updates = watching.rest().await;
    let replay = table.replay(GetReplayRequest::default()).await.unwrap();

    let mut decisions: Vec<u64> = Vec::new();
    let mut levels = vec![0; 25];
    // The first two updates are of the lobby; the third, of the start, is that of the set-up.
    for (update, step) in updates[2..].iter().zip(&replay.steps) {
        if let Some(Decision { decision_id, .. }) = update.decision {
            assert!(
                decisions.last().is_none_or(|last| *last < decision_id),
                "{decisions:?}, then {decision_id}"
            );
            decisions.push(decision_id);
        }
        let kinds: Vec<_> = update.events.iter().map(told).collect();
        let Some(tavola::pb::v1::action::Game::Santorini(action)) =
            step.action.clone().and_then(|action| action.game)
        else {
            continue;
        };
        match action.kind.unwrap() {
            game::action::Kind::PlaceWorker(placed) => {
                let expected = game::WorkerPlaced {
                    worker: placed.worker,
                    space: placed.space,
                };
                assert_eq!(kinds[0], &game::event::Kind::WorkerPlaced(expected));
            }
            game::action::Kind::Move(moved) => {
                let game::event::Kind::WorkerMoved(event) = kinds[0] else {
                    panic!("a move is told as one: {kinds:?}");
                };
                assert_eq!((event.worker, event.to), (moved.worker, moved.to));
            }
            game::action::Kind::Build(build) => {
                let game::event::Kind::Built(event) = kinds[0] else {
                    panic!("a build is told as one: {kinds:?}");
                };
                let space = number(build.space.unwrap());
                if build.piece() == game::Piece::Block {
                    levels[space] += 1;
                }
                let expected = game::Built {
                    worker: build.worker,
                    space: build.space,
                    piece: build.piece,
                    level: Some(levels[space]),
                };
                assert_eq!(event, &expected);
            }
            other => panic!("not without gods: {other:?}"),
        }
        assert_eq!(
            seen(update.observation.as_ref())
                .board
                .as_ref()
                .unwrap()
                .levels,
            levels
        );
    }
    let last = told(updates.last().unwrap().events.last().unwrap());
    let game::event::Kind::GameWon(won) = last else {
        panic!("the end of the game is the last event: {last:?}");
    };
    let outcome = updates.last().unwrap().outcome.as_ref().unwrap();
    assert_eq!(won.winners, outcome.winners);
}

// === the whole state

#[tokio::test]
async fn the_whole_state_is_for_the_host_and_after_the_end_for_all() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let mut table = Table::create(&client, santorini()).await;
    let host = Some(table.host.clone());
    let host = host.as_deref();
    refused(table.state(host).await, ErrorReason::SessionNotStarted);
    refused(table.state(None).await, ErrorReason::TokenRequired);
    table.join().await;
    refused(
        table.state(table.token(Some(0))).await,
        ErrorReason::SeatMismatch,
    );
    refused(table.state(host).await, ErrorReason::SessionNotStarted);
    table.join().await;

    loop {
        let shown = table.observe(None, View::Full).await;
        let whole = table.state(host).await.unwrap();
        assert_eq!(
            (whole.version, whole.status()),
            (shown.version, shown.status())
        );
        let Some(state::Game::Santorini(state)) = whole.state.and_then(|state| state.game) else {
            panic!("there is a state of Santorini");
        };
        assert_eq!(
            state.table.as_ref(),
            Some(seen(shown.observation.as_ref())),
            "nothing is hidden in Santorini"
        );
        if shown.status() == SessionStatus::Finished {
            break;
        }
        refused(table.state(None).await, ErrorReason::TokenRequired);
        refused(
            table.state(table.token(Some(1))).await,
            ErrorReason::SeatMismatch,
        );
        table.play_ply(&mut dice).await.unwrap();
    }
    let whole = table.state(host).await.unwrap();
    for token in [None, table.token(Some(0)), table.token(Some(1))] {
        assert_eq!(table.state(token).await.unwrap(), whole);
    }
}

// === replays

#[tokio::test]
async fn a_replay_is_for_all_once_the_game_is_over() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let mut table = Table::create(&client, santorini()).await;
    let replay = GetReplayRequest::default();
    refused(
        table.replay(replay.clone()).await,
        ErrorReason::SessionNotStarted,
    );
    table.join().await;
    table.join().await;
    while table.observe(None, View::Lean).await.decision.is_some() {
        refused(
            table.replay(replay.clone()).await,
            ErrorReason::SessionNotFinished,
        );
        table.play_ply(&mut dice).await;
    }
    let whole = table.replay(replay).await.unwrap();
    assert_eq!(whole.game, "santorini");
    assert_eq!((whole.rules_version, whole.seats), (2, 2));
    assert_eq!(whole.next_page_token, "");
    for seat in [0, 1] {
        let request = GetReplayRequest {
            seat: Some(seat),
            ..Default::default()
        };
        let mut of_seat = table.replay(request).await.unwrap();
        assert_eq!(of_seat.seat.take(), Some(seat));
        assert_eq!(of_seat, whole, "everybody is told the same in Santorini");
    }
}

#[tokio::test]
async fn a_replay_comes_in_pages() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let table = Table::santorini(&client).await;
    table.play_out(&mut Dice::new()).await;
    let whole = table.replay(GetReplayRequest::default()).await.unwrap();
    let length = u32::try_from(whole.steps.len()).unwrap();
    for page_size in [0, u32::MAX] {
        let request = GetReplayRequest {
            page_size: Some(page_size),
            ..Default::default()
        };
        assert_eq!(table.replay(request).await.unwrap(), whole);
    }
    for page_size in [1, 7, length - 1, length, length + 1, 1000] {
        let (mut steps, mut page_token) = (Vec::new(), String::new());
        loop {
            let request = GetReplayRequest {
                page_size: Some(page_size),
                page_token,
                ..Default::default()
            };
            let page = table.replay(request).await.unwrap();
            let last = page.next_page_token.is_empty();
            assert_eq!(
                page.steps.len(),
                if last {
                    number(length) - steps.len()
                } else {
                    number(page_size)
                }
            );
            assert!(!page.steps.is_empty());
            let (next, more) = (page.next_page_token.clone(), page.steps.clone());
            let without = |page: &GetReplayResponse| GetReplayResponse {
                steps: Vec::new(),
                next_page_token: String::new(),
                ..page.clone()
            };
            assert_eq!(
                without(&page),
                without(&whole),
                "the rest is the same on every page"
            );
            steps.extend(more);
            if last {
                break;
            }
            page_token = next;
        }
        assert_eq!(steps, whole.steps, "pages of {page_size}");
    }
}

#[tokio::test]
async fn a_resignation_is_the_last_step_of_its_replay() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    for (leaver, plies) in [(0, 0), (1, 0), (0, 9), (1, 9)] {
        let table = Table::santorini(&client).await;
        let mut watching = table.watch(Some(leaver), View::Full).await;
        table.play_plies(&mut dice, plies).await;
        table.leave(leaver).await.unwrap();
        let replay = table.replay(GetReplayRequest::default()).await.unwrap();
        play_again(&replay);
        let step = replay.steps.last().unwrap();
        assert_eq!(step.seat.map(number), Some(leaver));
        assert_eq!(
            step.entry,
            Some(replay_step::Entry::Resignation(Resignation {}))
        );
        let won = game::GameWon {
            winners: vec![u32::try_from(1 - leaver).unwrap()],
            reason: game::WinReason::Resigned.into(),
        };
        assert_eq!(
            told(step.events.last().unwrap()),
            &game::event::Kind::GameWon(won)
        );
        let last = watching.rest().await.pop().unwrap();
        assert_eq!(last.events, step.events);
        assert!(last.session.unwrap().seats[leaver].resigned);
    }
}
