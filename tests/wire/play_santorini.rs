//! Whole games of Santorini with gods over the wire, for two, three and four players, held to the engine at every ply.

use tavola::pb::{
    santorini::v1 as game,
    v1::{
        CreateSessionRequest, ErrorReason, GetReplayRequest, Options, View, observation, options,
        state, submit_action_request::Answer,
    },
};
use tavola_engine::{
    ActionId, Game as _, Playthrough, Seat, Seed,
    games::santorini::{
        God, GodMode, GodPool, Options as EngineOptions, Santorini, Stage, StartPlayer,
    },
};

use crate::common::{Dice, Server, Sessions, Table, asked_seat, refused, santorini};

/// A session with these options and a player at each seat.
async fn open(client: &Sessions, options: game::Options, seats: usize) -> Table {
    let request = CreateSessionRequest {
        seats: Some(u32::try_from(seats).unwrap()),
        options: Some(Options {
            game: Some(options::Game::Santorini(options)),
        }),
        seed: Some(7),
        ..santorini()
    };
    let mut table = Table::create(client, request).await;
    for _ in 0..seats {
        table.join().await;
    }
    table
}

async fn observed(table: &Table) -> game::Observation {
    let shown = table.observe(None, View::Full).await;
    match shown.observation.and_then(|seen| seen.game) {
        Some(observation::Game::Santorini(seen)) => *seen,
        _ => panic!("there is an observation of Santorini"),
    }
}

/// The number of the god's card, which is its number on the wire.
fn number(god: God) -> i32 {
    i32::from(god.index()) + 1
}

/// Holds what everybody sees to the engine.
fn assert_same(seen: &game::Observation, mirror: &Playthrough<Santorini>) {
    let public = mirror.state().public();
    let seats: Vec<Seat> = (0..public.seats).map(Seat).collect();
    assert_eq!(seen.players.len(), seats.len());
    for (player, &seat) in seen.players.iter().zip(&seats) {
        let gods: Vec<i32> = public.powers_of(seat).iter().map(number).collect();
        assert_eq!((player.seat, &player.gods), (Some(seat.0.into()), &gods));
        assert_eq!(player.eliminated, !public.playing.contains(seat));
        assert_eq!(player.side, Some(u32::from(public.side_of(seat).index())));
    }
    let offer: Vec<i32> = public.offer.iter().map(number).collect();
    assert_eq!(seen.offer, offer);
    assert_eq!(seen.athena_lock, public.athena_lock);
    assert_eq!(seen.morpheus_pool, u32::from(public.morpheus_pool));
    assert_eq!(
        seen.additional_turns_owed,
        u32::from(public.additional_turns_owed)
    );
    let deck: Option<Vec<i32>> = public
        .chaos
        .face_up
        .map(|_| public.chaos.deck.iter().map(number).collect());
    assert_eq!(
        seen.chaos.as_ref().map(|chaos| chaos.deck.clone()),
        deck,
        "the deck in the order of the card numbers"
    );
    assert_eq!(
        seen.turn_record.as_ref().map(|turn| turn.moves),
        (public.turns > 0).then_some(public.turn.moves.into())
    );
    let over = matches!(public.stage, Stage::Over(_));
    assert_eq!(seen.stage() == game::Stage::Over, over);
    let in_play: Vec<u32> = public
        .sides()
        .flat_map(|side| side.workers())
        .map(|worker| worker.index().into())
        .collect();
    let shown: Vec<u32> = seen
        .workers
        .iter()
        .map(|worker| worker.worker.unwrap())
        .collect();
    assert_eq!(shown, in_play);
}

/// Plays to the end with answers by number and by meaning in turn, and replays it in the engine.
async fn play_whole_game(table: &Table, options: EngineOptions, dice: &mut Dice) {
    let seats = u8::try_from(table.tokens.len()).unwrap();
    let seed = Seed::from_number(7);
    let mut mirror = Playthrough::<Santorini>::start(options, seats, seed, None).unwrap();
    loop {
        let shown = table.observe(None, View::Full).await;
        let seen = match shown.observation.and_then(|seen| seen.game) {
            Some(observation::Game::Santorini(seen)) => seen,
            _ => panic!("there is an observation of Santorini"),
        };
        assert_same(&seen, &mirror);
        let Some(seat) = asked_seat(shown.decision.as_ref()) else {
            break;
        };
        let mine = table.observe(Some(seat), View::Full).await;
        let choice = dice.pick(&mine.legal_actions).clone();
        assert!(!choice.label.is_empty());
        let id = choice.action_id.unwrap();
        let answer = match dice.below(2) {
            0 => Answer::ActionId(id),
            _ => Answer::Action(choice.action.unwrap()),
        };
        let decision = shown.decision.unwrap().decision_id;
        table
            .submit(seat, decision, answer)
            .await
            .expect("what is listed is accepted");
        let seat = Seat(u8::try_from(seat).unwrap());
        mirror.submit_id(seat, ActionId(id), None).unwrap();
    }
    let replay = table.replay(GetReplayRequest::default()).await.unwrap();
    assert_eq!(replay.plies, mirror.ply());
    let last = replay.steps.last().unwrap();
    assert_eq!(last.state_hash[..], mirror.state_hash().0);
}

#[tokio::test]
async fn drafted_games_for_two_three_and_four_players() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    for seats in [2, 3, 4, 2, 3, 4] {
        let table = open(&client, game::Options::default(), seats).await;
        let seen = observed(&table).await;
        assert_eq!(seen.stage(), game::Stage::OfferGods);
        assert_eq!((seen.turn_seat, seen.start_player), (seen.challenger, None));
        play_whole_game(&table, EngineOptions::default(), &mut dice).await;
    }
}

#[tokio::test]
async fn named_gods_play_for_three_and_four() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let line_ups: [&[God]; 4] = [
        &[God::Chaos, God::Hermes],
        &[God::Circe, God::Dionysus],
        &[God::Dionysus, God::Medusa, God::Chaos],
        &[God::Prometheus, God::Ares, God::Charon, God::Poseidon],
    ];
    for gods in line_ups {
        let options = game::Options {
            god_mode: game::GodMode::Fixed.into(),
            fixed_gods: gods.iter().map(|&god| number(god)).collect(),
            start_player: Some(1),
            ..Default::default()
        };
        let engine = EngineOptions {
            god_mode: GodMode::Fixed,
            fixed_gods: gods.iter().copied().map(Some).collect(),
            start_player: StartPlayer::Seat(Seat(1)),
            ..EngineOptions::default()
        };
        let table = open(&client, options, gods.len()).await;
        play_whole_game(&table, engine, &mut dice).await;
    }
}

#[tokio::test]
async fn random_gods_come_from_the_pool() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let pool = [God::Pan, God::Bia, God::Limus];
    let options = game::Options {
        god_mode: game::GodMode::Random.into(),
        god_pool: game::GodPool::Custom.into(),
        custom_pool: pool.map(number).to_vec(),
        ..Default::default()
    };
    let engine = EngineOptions {
        god_mode: GodMode::Random,
        god_pool: GodPool::Custom(pool.to_vec()),
        ..EngineOptions::default()
    };
    let table = open(&client, options, 3).await;
    let mut gods: Vec<i32> = observed(&table)
        .await
        .players
        .into_iter()
        .flat_map(|player| player.gods)
        .collect();
    gods.sort_unstable();
    assert_eq!(gods, pool.map(number));
    play_whole_game(&table, engine, &mut Dice::new()).await;
}

#[tokio::test]
async fn the_order_of_chaos_deck_is_in_the_whole_state_alone() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let options = game::Options {
        god_mode: game::GodMode::Fixed.into(),
        fixed_gods: vec![number(God::Chaos), number(God::Pan)],
        ..Default::default()
    };
    let table = open(&client, options, 2).await;
    let seen = observed(&table).await.chaos.unwrap();
    assert_eq!(
        seen.deck.len(),
        8,
        "ten simple gods, less Pan and the face-up one"
    );
    assert!(seen.deck.is_sorted());
    for token in [table.token(Some(0)), Some(table.host.as_str()), None] {
        refused(table.state(token).await, ErrorReason::SessionNotFinished);
    }
    table.play_out(&mut Dice::new()).await;
    let seen = observed(&table).await.chaos.unwrap();
    let whole = table.state(None).await.unwrap();
    let Some(state::Game::Santorini(state)) = whole.state.and_then(|state| state.game) else {
        panic!("there is a state of Santorini");
    };
    let mut deck = state.chaos_deck.clone();
    deck.sort_unstable();
    assert_eq!(deck, seen.deck);
}

#[tokio::test]
async fn three_play_on_when_one_leaves() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    for plies in [0, 3, 20] {
        let table = open(&client, game::Options::default(), 3).await;
        table.play_plies(&mut dice, plies).await;
        if table.observe(None, View::Lean).await.decision.is_none() {
            continue;
        }
        table.leave(0).await.unwrap();
        table.play_out(&mut dice).await;
        let winners = table
            .observe(None, View::Full)
            .await
            .outcome
            .unwrap()
            .winners;
        assert!(!winners.contains(&0), "{winners:?}");
    }
}

#[tokio::test]
async fn options_that_the_rules_forbid_are_refused_by_name() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let fixed = |gods: &[God]| game::Options {
        god_mode: game::GodMode::Fixed.into(),
        fixed_gods: gods.iter().map(|&god| number(god)).collect(),
        ..Default::default()
    };
    let without_gods = game::Options {
        god_mode: game::GodMode::None.into(),
        ..Default::default()
    };
    let one_god = game::Options {
        god_pool: game::GodPool::Custom.into(),
        custom_pool: vec![1],
        ..Default::default()
    };
    let few_moves = game::Options {
        max_moves_per_turn: Some(63),
        ..Default::default()
    };
    for (seats, field, options) in [
        (3, "god_mode", without_gods),
        (3, "fixed_gods", fixed(&[God::Pan, God::Atlas, God::Circe])),
        (2, "fixed_gods", fixed(&[God::Pan, God::Pan])),
        (2, "fixed_gods", fixed(&[God::Pan])),
        (2, "god_pool", one_god),
        (2, "max_moves_per_turn", few_moves),
    ] {
        let request = CreateSessionRequest {
            seats: Some(seats),
            options: Some(Options {
                game: Some(options::Game::Santorini(options)),
            }),
            ..santorini()
        };
        let reply = client.clone().create_session(request).await;
        let refusal = refused(reply, ErrorReason::OptionsNotLegal);
        let fields: Vec<_> = refusal
            .violations
            .iter()
            .map(|violation| violation.0.as_str())
            .collect();
        assert_eq!(fields, [format!("options.santorini.{field}")]);
    }
}
