//! Takes a seat of a session that somebody else has opened, and plays it at random to the end of the game.
//!
//! Arguments: the address of the server, the id of the session.

use std::{env, error::Error};

use tavola_client::Client;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [address, session_id] = &*arguments else {
        return Err("needs two arguments: ADDRESS SESSION_ID".into());
    };
    let seat = Client::connect(address)
        .await?
        .join(session_id.as_str())
        .await?;
    let outcome = seat
        .play(|update| {
            let actions = &update.legal_actions;
            actions[rand::random_range(0..actions.len())].action_id()
        })
        .await?;
    println!(
        "seat {}: winners {:?}, returns {:?}",
        seat.number(),
        outcome.winners,
        outcome.returns
    );
    Ok(())
}
