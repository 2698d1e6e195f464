//! Whole games of Under Falling Skies over a socket: in every city, at every threat, and campaigns.

use tavola::pb::{
    under_falling_skies::v1 as game,
    v1::{
        CreateSessionRequest, ErrorReason, GetObservationResponse, GetReplayRequest,
        ListGamesRequest, Observation, Options, SessionStatus, View, observation, options,
        replay_step, submit_action_request::Answer,
    },
};
use tavola_engine::{
    ActionId, Game as _, Playthrough, Seat, Seed, Viewer,
    games::under_falling_skies::{
        City, CitySide, Mode, Options as EngineOptions, Space, UnderFallingSkies,
    },
};

use crate::common::{Dice, Server, Table, refused};

fn request(options: game::Options) -> CreateSessionRequest {
    CreateSessionRequest {
        game: "under_falling_skies".to_owned(),
        options: Some(Options {
            game: Some(options::Game::UnderFallingSkies(options)),
        }),
        ..Default::default()
    }
}

/// A session with its one player.
async fn start(client: &crate::common::Sessions, options: game::Options) -> Table {
    let mut table = Table::create(client, request(options)).await;
    table.join().await;
    table
}

fn seen(observation: Option<&Observation>) -> &game::Observation {
    match observation.and_then(|observation| observation.game.as_ref()) {
        Some(observation::Game::UnderFallingSkies(seen)) => seen,
        _ => panic!("there is an observation of Under Falling Skies"),
    }
}

/// Plays to the end: every other answer by meaning, the rest by number.
async fn play_out(table: &Table, dice: &mut Dice) -> GetObservationResponse {
    for ply in 0.. {
        let view = if ply % 2 == 0 { View::Full } else { View::Lean };
        let shown = table.observe(Some(0), view).await;
        let Some(decision) = &shown.decision else {
            return shown;
        };
        assert_eq!(decision.seats, [0]);
        let answer = match view {
            View::Full => {
                let legal = dice.pick(&shown.legal_actions);
                assert!(!legal.label.is_empty());
                Answer::Action(legal.action.clone().expect("it has a meaning"))
            }
            _ => Answer::ActionId(*dice.pick(&shown.legal_action_ids)),
        };
        table
            .submit(0, decision.decision_id, answer)
            .await
            .expect("what is listed is accepted");
    }
    unreachable!("every game ends")
}

/// The game that the session's replay tells of, played again by the engine.
async fn play_again(table: &Table, options: EngineOptions) -> Playthrough<UnderFallingSkies> {
    let mut page = table.replay(GetReplayRequest::default()).await.unwrap();
    let mut steps = std::mem::take(&mut page.steps);
    while !page.next_page_token.is_empty() {
        let request = GetReplayRequest {
            page_token: page.next_page_token,
            ..Default::default()
        };
        page = table.replay(request).await.unwrap();
        steps.append(&mut page.steps);
    }
    let seed = Seed(page.seed[..].try_into().expect("a seed has 32 bytes"));
    let mut play = Playthrough::start(options, 1, seed, None).expect("the options are legal");
    for step in &steps {
        match &step.entry {
            None => assert_eq!(step.ply, 0),
            Some(replay_step::Entry::ActionId(id)) => {
                play.submit_id(Seat(0), ActionId(*id), None)
                    .expect("the ply is legal");
            }
            Some(replay_step::Entry::Resignation(_)) => {
                play.resign(Seat(0), None).expect("the seat may resign");
            }
        }
        assert_eq!(step.state_hash[..], play.state_hash().0, "ply {}", step.ply);
    }
    play
}

/// Holds what a viewer is shown of a battle to what the engine says of it.
fn assert_as_the_engine_has_it(
    shown: &game::Battle,
    battle: &tavola_engine::games::under_falling_skies::Battle,
) {
    assert_eq!(shown.round, u32::from(battle.round));
    assert_eq!(shown.mothership_row, Some(battle.mothership.into()));
    assert_eq!(shown.excavator, Some(battle.excavator.index().into()));
    assert_eq!(
        (shown.energy, shown.damage, shown.research),
        (
            battle.energy.into(),
            battle.damage.into(),
            battle.research.into()
        )
    );
    assert_eq!(shown.robots.len(), battle.standing_robots().count());
    let rows = shown.ships.iter().map(|ship| ship.place.unwrap().row);
    let expected = battle.ships.map(|place| match place {
        tavola_engine::games::under_falling_skies::ShipPlace::Sky { row, .. } => {
            Some(u32::from(row))
        }
        _ => None,
    });
    assert!(rows.eq(expected));
    let spaces: Vec<u32> = shown
        .rooms
        .iter()
        .flat_map(|room| room.spaces.iter().copied())
        .collect();
    let tunnels = battle.base().tunnels;
    assert!(
        Space::all().all(|space| spaces.contains(&space.index().into()) != tunnels.contains(space))
    );
    assert_eq!(shown.sky_rows.len(), usize::from(battle.sky.rows()));
}

#[tokio::test]
async fn a_game_in_every_city() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    for city in City::all() {
        let damaged = dice.below(2) == 1;
        let threat = u8::try_from(dice.below(5)).unwrap();
        let options = game::Options {
            city: i32::from(city.index()) + 1,
            city_side: if damaged {
                game::CitySide::Damaged
            } else {
                game::CitySide::Intact
            }
            .into(),
            threat: Some(threat.into()),
            campaign_content: true,
            ..Default::default()
        };
        let table = start(&client, options).await;
        let last = play_out(&table, &mut dice).await;
        assert_eq!(last.status(), SessionStatus::Finished);
        let engine = EngineOptions {
            city,
            city_side: if damaged {
                CitySide::Damaged
            } else {
                CitySide::Intact
            },
            threat: Some(threat),
            campaign_content: true,
            ..Default::default()
        };
        let play = play_again(&table, engine).await;
        let public = play.state().public();
        let shown = seen(last.observation.as_ref());
        let battle = public.battle.as_ref().unwrap();
        assert_as_the_engine_has_it(shown.battle.as_ref().unwrap(), battle);
        let ending = shown.ending.as_ref().expect("the game is over");
        let outcome = last.outcome.expect("the game is over");
        assert_eq!(outcome.returns, [ending.score]);
        assert_eq!(ending.score, battle.score());
        let won = ending.reason() == game::EndReason::Won;
        assert_eq!(outcome.winners.len(), usize::from(won));
    }
}

#[tokio::test]
async fn a_campaign_with_its_hidden_sets() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let options = game::Options {
        mode: game::Mode::Campaign.into(),
        campaign_content: true,
        ..Default::default()
    };
    let table = start(&client, options).await;
    let first = table.observe(None, View::Full).await;
    let campaign = seen(first.observation.as_ref()).campaign.as_ref().unwrap();
    assert_eq!(
        campaign.sets.len(),
        2,
        "the sets of the second battle are hidden"
    );
    // The host is shown no more.
    refused(
        table.state(Some(&table.host)).await,
        ErrorReason::SessionNotFinished,
    );
    let last = play_out(&table, &mut dice).await;
    let engine = EngineOptions {
        mode: Mode::Campaign,
        campaign_content: true,
        ..Default::default()
    };
    let play = play_again(&table, engine).await;
    let shown = seen(last.observation.as_ref());
    let campaign = shown.campaign.as_ref().unwrap();
    let ours = play.state().public().campaign.as_ref().unwrap();
    assert_eq!(campaign.results.len(), ours.results.len());
    assert_eq!(campaign.score, i32::from(ours.score));
    assert_eq!(
        shown.ending.as_ref().unwrap().score,
        i32::from(ours.score),
        "the score of the campaign is the result"
    );
    assert!(table.state(None).await.is_ok(), "anyone, once it is over");
}

#[tokio::test]
async fn a_single_game_hides_nothing_and_is_lost_by_leaving() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let table = start(&client, game::Options::default()).await;
    let mut dice = Dice::new();
    table.play_plies(&mut dice, 3).await;
    assert!(table.state(Some(&table.host)).await.is_ok());
    table.leave(0).await.unwrap();
    let last = table.observe(None, View::Full).await;
    let ending = seen(last.observation.as_ref()).ending.as_ref().unwrap();
    assert_eq!(ending.reason(), game::EndReason::Resigned);
    assert_eq!(last.outcome.unwrap().winners, [0; 0]);
}

#[tokio::test]
async fn the_catalog_and_options_that_are_refused() {
    let server = Server::start(&[]);
    let mut catalog = server.catalog().await;
    let listed = catalog.list_games(ListGamesRequest::default()).await;
    let games = listed.unwrap().into_inner().games;
    let entry = games
        .iter()
        .find(|entry| entry.game == "under_falling_skies")
        .expect("the game is in the catalog");
    assert_eq!((entry.seats_min, entry.seats_max), (1, 1));
    assert_eq!(entry.action_space, UnderFallingSkies::ACTION_SPACE);

    let mut client = server.sessions().await;
    let cases = [
        (
            game::Options {
                city: game::City::Havana.into(),
                ..Default::default()
            },
            "options.under_falling_skies.city",
        ),
        (
            game::Options {
                threat: Some(5),
                ..Default::default()
            },
            "options.under_falling_skies.threat",
        ),
        (
            game::Options {
                sky_sides: vec![1, 1],
                ..Default::default()
            },
            "options.under_falling_skies.sky_sides",
        ),
        (
            game::Options {
                mode: game::Mode::Campaign.into(),
                ..Default::default()
            },
            "options.under_falling_skies.campaign_content",
        ),
    ];
    for (options, field) in cases {
        let created = client.create_session(request(options)).await;
        let refusal = refused(created, ErrorReason::OptionsNotLegal);
        assert_eq!(refusal.violations[0].0, field);
    }
}

#[tokio::test]
async fn what_the_legal_actions_are_is_what_the_engine_says() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let table = start(&client, game::Options::default()).await;
    let mut dice = Dice::new();
    table.play_plies(&mut dice, 7).await;
    let shown = table.observe(Some(0), View::Lean).await;
    let ids = shown.legal_action_ids.clone();
    table.leave(0).await.unwrap();
    let replay = table.replay(GetReplayRequest::default()).await.unwrap();
    let seed = Seed(replay.seed[..].try_into().unwrap());
    let mut play =
        Playthrough::<UnderFallingSkies>::start(EngineOptions::default(), 1, seed, None).unwrap();
    for step in &replay.steps {
        if let Some(replay_step::Entry::ActionId(id)) = step.entry {
            play.submit_id(Seat(0), ActionId(id), None).unwrap();
        }
    }
    let legal = UnderFallingSkies::legal_actions(play.state().seen(Viewer::Seat(Seat(0))));
    let legal: Vec<u32> = legal
        .into_iter()
        .map(|action| UnderFallingSkies::encode(action).0)
        .collect();
    assert_eq!(ids, legal);
}
