//! Plays a whole game against house bots and prints the result. In Santorini it looks one action ahead; any other game
//! it plays at random.
//!
//! Arguments, all optional: the address of the server, the id of the game, the house bot to play against.

mod santorini;
mod thought;

use std::env;

use tavola_client::{Client, Error, v1::Outcome};

use thought::think;

#[tokio::main]
async fn main() -> Result<(), Error> {
    let argument = |n, default: &str| env::args().nth(n).unwrap_or_else(|| default.to_owned());
    let game = argument(2, "santorini");
    let outcome = play(
        &argument(1, "localhost:50051"),
        &game,
        &argument(3, "random"),
    )
    .await?;
    println!(
        "{game} as seat 0: winners {:?}, returns {:?}",
        outcome.winners, outcome.returns
    );
    Ok(())
}

/// Plays a game on seat 0, with a house bot on all other seats.
async fn play(address: &str, game: &str, bot: &str) -> Result<Outcome, Error> {
    let client = Client::connect(address).await?;
    let host = client.create(game).await?;
    let me = host.join().await?;
    for _ in &host.session().await?.seats[1..] {
        host.add_bot(bot).await?;
    }
    me.play(think).await
}
