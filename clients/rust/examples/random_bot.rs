//! Plays a whole game at random against house bots and prints the result.
//!
//! Arguments, all optional: the address of the server, the id of the game, the house bot to play against.

use std::env;

use tavola_client::{Client, Error};

#[tokio::main]
async fn main() -> Result<(), Error> {
    let argument = |n, default: &str| env::args().nth(n).unwrap_or_else(|| default.to_owned());
    let client = Client::connect(argument(1, "localhost:50051")).await?;
    let game = argument(2, "santorini");

    let host = client.create(game.as_str()).await?;
    let me = host.join().await?;
    for _ in &host.session().await?.seats[1..] {
        host.add_bot(argument(3, "random").as_str()).await?;
    }
    let outcome = me
        .play(|update| {
            let actions = &update.legal_actions;
            actions[rand::random_range(0..actions.len())].action_id()
        })
        .await?;
    println!(
        "{game} as seat {}: winners {:?}, returns {:?}",
        me.number(),
        outcome.winners,
        outcome.returns
    );
    Ok(())
}
