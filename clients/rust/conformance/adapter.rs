//! The Rust client for the conformance kit: see clients/conformance/README.md.

use std::{
    error, future,
    io::{self, Write as _},
    time::Duration,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use prost::Message;
use serde::Deserialize;
use serde_json::{Value, json};
use tavola_client::{
    Answer, Client, Error, Seat, Token, Viewer,
    v1::{AddBotRequest, CreateSessionRequest, JoinSessionRequest, Update},
};

type Result<T> = std::result::Result<T, Box<dyn error::Error>>;

/// What the driver asks. What is empty may have been missing.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Asked {
    id: u64,
    #[serde(rename = "do")]
    command: String,
    address: String,
    timeout_ms: u64,
    patience_ms: u64,
    api_key: Option<String>,
    game: String,
    seats: Option<u32>,
    options: Option<String>,
    seed: Option<String>,
    private: bool,
    request_id: String,
    session_id: String,
    seat: Option<u32>,
    token: String,
    host_token: String,
    bot: String,
    decision_id: String,
    action_id: u32,
    action: Option<String>,
    from_version: Option<String>,
    stop_at: Option<String>,
    answer: u32,
}

#[tokio::main]
async fn main() -> Result<()> {
    let mut client = None;
    while let Some(asked) = read()? {
        match run(&asked, &mut client).await {
            Ok(ok) => say(&asked, "ok", ok)?,
            Err(error) => say(&asked, "error", told(&*error.downcast::<Error>()?))?,
        }
    }
    Ok(())
}

async fn run(asked: &Asked, connected: &mut Option<Client>) -> Result<Value> {
    if asked.command == "connect" {
        *connected = Some(connect(asked)?);
        return Ok(json!({}));
    }
    let client = connected.as_ref().ok_or("not connected")?;
    Ok(match &*asked.command {
        "games" => {
            let games = client.games().await?;
            let ids: Vec<_> = games.into_iter().map(|game| game.game).collect();
            json!({ "games": ids })
        }
        "create" => create(asked, client).await?,
        "join" => join(asked, client).await?,
        "add_bot" => json!({ "seat": add_bot(asked, client).await? }),
        "session" => json!({ "session": packed(&viewer(asked, client)?.session().await?) }),
        "observe" => json!({ "observation": packed(&viewer(asked, client)?.observe().await?) }),
        "submit" => submit(asked, &seat(asked, client)?).await?,
        "watch" => watch(asked, &viewer(asked, client)?).await?,
        "play" => play(asked, &seat(asked, client)?).await?,
        "leave" => json!({ "session": packed(&seat(asked, client)?.leave().await?) }),
        "replay" => json!({ "replay": packed(&viewer(asked, client)?.replay(None).await?) }),
        other => return Err(format!("no such command: {other}").into()),
    })
}

fn connect(asked: &Asked) -> Result<Client> {
    let mut builder = Client::builder(&asked.address)
        .timeout(Duration::from_millis(asked.timeout_ms))
        .patience(Duration::from_millis(asked.patience_ms));
    if let Some(key) = &asked.api_key {
        builder = builder.api_key(key);
    }
    Ok(builder.connect_lazy()?)
}

async fn create(asked: &Asked, client: &Client) -> Result<Value> {
    let request = CreateSessionRequest {
        game: asked.game.clone(),
        seats: asked.seats,
        options: asked.options.as_deref().map(unpacked).transpose()?,
        seed: asked.seed.as_deref().map(str::parse).transpose()?,
        private: asked.private,
        request_id: asked.request_id.clone(),
        ..CreateSessionRequest::default()
    };
    let host = client.create(request).await?;
    Ok(json!({
        "session_id": host.session_id(),
        "host_token": host.token().reveal(),
        "join_token": host.join_token().map_or("", Token::reveal),
    }))
}

async fn join(asked: &Asked, client: &Client) -> Result<Value> {
    let request = JoinSessionRequest {
        session_id: asked.session_id.clone(),
        seat: asked.seat,
        request_id: asked.request_id.clone(),
    };
    let seat = match &*asked.token {
        "" => client.join(request).await?,
        token => client.join_private(request, &token.parse()?).await?,
    };
    Ok(json!({ "seat": seat.number(), "seat_token": seat.token().reveal() }))
}

async fn add_bot(asked: &Asked, client: &Client) -> Result<u32> {
    let request = AddBotRequest {
        session_id: asked.session_id.clone(),
        bot: asked.bot.clone(),
        seat: asked.seat,
        request_id: asked.request_id.clone(),
    };
    if asked.host_token.is_empty() {
        // There is no host without a token: only a stub asks for this.
        let reply = client.sessions().add_bot(request).await;
        return Ok(reply.map_err(Error::from)?.into_inner().seat());
    }
    let host = client.host(&asked.session_id, asked.host_token.parse()?);
    Ok(host.add_bot(request).await?)
}

async fn submit(asked: &Asked, seat: &Seat) -> Result<Value> {
    let answer = match &asked.action {
        Some(action) => Answer::Meaning(unpacked(action)?),
        None => Answer::Id(asked.action_id),
    };
    let reply = seat.submit(asked.decision_id.parse()?, answer).await?;
    Ok(json!({ "reply": packed(&reply) }))
}

/// Follows a session, up to a version or to the end.
async fn watch(asked: &Asked, viewer: &Viewer) -> Result<Value> {
    let mut updates = match &asked.from_version {
        Some(version) => viewer.watch_from(version.parse()?),
        None => viewer.watch(),
    };
    let stop_at: Option<u64> = asked.stop_at.as_deref().map(str::parse).transpose()?;
    while let Some(update) = updates.next().await? {
        say(asked, "update", packed(&update))?;
        if stop_at.is_some_and(|version| update.version >= version) {
            break;
        }
    }
    Ok(json!({}))
}

/// Plays a seat; the driver chooses the answers.
async fn play(asked: &Asked, seat: &Seat) -> Result<Value> {
    let policy = |update: &Update| -> Result<u32> {
        say(asked, "asked", packed(update))?;
        Ok(read()?.ok_or("no answer")?.answer)
    };
    let outcome = seat
        .play_async(|update| future::ready(policy(&update)))
        .await?;
    Ok(json!({ "outcome": packed(&outcome) }))
}

fn viewer(asked: &Asked, client: &Client) -> Result<Viewer> {
    let spectator = client.spectator(&asked.session_id);
    Ok(match &*asked.token {
        "" => spectator,
        token => spectator.with_token(token.parse()?),
    })
}

fn seat(asked: &Asked, client: &Client) -> Result<Seat> {
    let number = asked.seat.unwrap_or_default();
    Ok(client.seat(&asked.session_id, number, asked.token.parse()?))
}

/// Reads a line. None: there are no more.
fn read() -> Result<Option<Asked>> {
    let line = io::stdin().lines().next().transpose()?;
    Ok(line.map(|line| serde_json::from_str(&line)).transpose()?)
}

/// Writes a line.
fn say(asked: &Asked, what: &str, said: impl Into<Value>) -> io::Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{}", json!({ "id": asked.id, what: said.into() }))?;
    output.flush()
}

/// An error as the protocol tells it.
fn told(error: &Error) -> Value {
    let violations = error.violations().iter();
    let violations: Vec<_> = violations
        .map(|it| json!({ "field": it.field, "description": it.description }))
        .collect();
    json!({
        "code": i32::from(error.code()),
        "reason": error.reason_name(),
        "message": error.message(),
        "metadata": error.metadata(),
        "violations": violations,
    })
}

/// A message as the protocol carries it.
fn packed(message: &impl Message) -> String {
    BASE64_STANDARD.encode(message.encode_to_vec())
}

fn unpacked<M: Message + Default>(text: &str) -> Result<M> {
    Ok(M::decode(&*BASE64_STANDARD.decode(text)?)?)
}
