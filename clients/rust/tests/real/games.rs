//! Whole games.

use tavola_client::{
    Client, Host,
    v1::{AddBotRequest, CreateSessionRequest, View},
};

use crate::{at_random, check_outcome, server::Server};

/// Plays a session with a policy on each seat.
async fn play_all(host: Host) {
    let mut playing = vec![];
    for _ in host.session().await.unwrap().seats {
        let seat = host.join().await.unwrap();
        playing.push(tokio::spawn(async move { seat.play(at_random).await }));
    }
    for seat in playing {
        let outcome = seat.await.unwrap().unwrap();
        check_outcome(&outcome, &host.session().await.unwrap());
    }
}

/// Plays a game with the fewest and with many seats: bots against each other, and against each house bot in both views.
async fn check(game: &str) {
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let client = Client::connect(&server.address).await.unwrap();
    let games = client.games().await.unwrap();
    let game = games.iter().find(|it| it.game == game).unwrap();
    for seats in [game.seats_min, game.seats_max.min(7)] {
        // Eight players of Citadels would need an option.
        let request = CreateSessionRequest {
            game: game.game.clone(),
            seats: Some(seats),
            private: seats % 2 == 0,
            ..CreateSessionRequest::default()
        };
        play_all(client.create(request).await.unwrap()).await;
    }
    for (bot, view) in game.bots.iter().zip([View::Full, View::Lean]) {
        let host = client.create(&*game.game).await.unwrap();
        let seat = host.join().await.unwrap().with_view(view);
        for other in &host.session().await.unwrap().seats[1..] {
            let request = AddBotRequest {
                bot: bot.clone(),
                seat: other.seat,
                ..AddBotRequest::default()
            };
            assert_eq!(Some(host.add_bot(request).await.unwrap()), other.seat);
        }
        let outcome = seat.play(at_random).await.unwrap();
        check_outcome(&outcome, &seat.session().await.unwrap());
        let spectator = client.spectator(seat.session_id());
        let replay = spectator.replay(Some(seat.number())).await.unwrap();
        assert_eq!(replay.outcome, Some(outcome));
        assert!((0..=replay.plies).eq(replay.steps.iter().map(|step| step.ply)));
    }
}

#[tokio::test]
async fn citadels() {
    check("citadels").await;
}

#[tokio::test]
async fn council_of_shadows() {
    check("council_of_shadows").await;
}

#[tokio::test]
async fn santorini() {
    check("santorini").await;
}

#[tokio::test]
async fn shadow_hunters() {
    check("shadow_hunters").await;
}

#[tokio::test]
async fn under_falling_skies() {
    check("under_falling_skies").await;
}

#[tokio::test]
async fn no_game_is_left_out() {
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let client = Client::connect(&server.address).await.unwrap();
    let games = client.games().await.unwrap();
    assert_eq!(games.len(), 5);
}
