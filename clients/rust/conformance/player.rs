//! Takes a seat of a session, plays it at random and prints the result: `conformance_player ADDRESS SESSION_ID`. The
//! conformance kit seats it beside those of other languages.

use std::{env, error::Error};

use serde_json::json;
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
        "{}",
        json!({ "seat": seat.number(), "winners": outcome.winners, "returns": outcome.returns })
    );
    Ok(())
}
