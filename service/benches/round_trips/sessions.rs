//! Real games for the load to play: random games of Santorini from the engine, and sessions of the product in which
//! they are legal. All of it is worked out and encoded before the clock starts.

use std::net::SocketAddr;
use std::sync::Arc;

use http::HeaderValue;
use prost::Message;
use tavola::pb::santorini::v1 as santorini;
use tavola::pb::v1 as pb;
use tavola_engine::bots::{Bot, RandomBot};
use tavola_engine::games::santorini::{Options, Santorini, StartPlayer};
use tavola_engine::{Game, Playthrough, Seat, Seed, Viewer};
use tokio::task::JoinSet;

use crate::load::{Connection, Failure, Mode, Script, Shape, connect, frame};

/// Whole games that were played at random.
#[derive(Debug)]
pub(crate) struct Games(Vec<Vec<Answer>>);

/// One ply of a game.
#[derive(Clone, Copy, Debug)]
struct Answer {
    seat: Seat,
    decision_id: u64,
    action_id: u32,
}

/// Seats at a table.
const SEATS: u8 = 2;
/// The seat that begins. Given to both engine and server, so that no chance is left in the game.
const START_PLAYER: Seat = Seat(0);

impl Games {
    /// Plays games at random, the same ones each time.
    pub(crate) fn random(count: u64) -> Result<Self, Box<dyn std::error::Error>> {
        let games: Result<_, _> = (0..count)
            .map(|number| random_game(Seed::from_number(number)))
            .collect();
        Ok(Self(games?))
    }

    /// The mean length of a game.
    pub(crate) fn mean_plies(&self) -> usize {
        self.0.iter().map(Vec::len).sum::<usize>() / self.0.len()
    }
}

fn random_game(seed: Seed) -> Result<Vec<Answer>, Box<dyn std::error::Error>> {
    let options = Options {
        start_player: StartPlayer::Seat(START_PLAYER),
        ..Options::without_gods()
    };
    let mut game = Playthrough::<Santorini>::start(options, SEATS, seed, None)?;
    let mut bot = RandomBot::new(seed.0);
    let mut answers = Vec::new();
    while let Some(seat) = Santorini::to_act(game.state().public()).iter().next() {
        let seen = game.state().seen(Viewer::Seat(seat));
        let action = bot.choose(seen, &Santorini::legal_actions(seen));
        let decision_id = game.decision_number();
        answers.push(Answer {
            seat,
            decision_id,
            action_id: Santorini::encode(action).0,
        });
        game.submit(seat, action, None)?;
    }
    Ok(answers)
}

/// How scripts are to be played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    pub(crate) mode: Mode,
    pub(crate) view: pb::View,
}

/// The product, as the one who sets up its tables.
pub(crate) struct Host {
    connections: Vec<Connection>,
    games: Arc<Games>,
    /// Sessions opened so far.
    opened: usize,
}

/// Sessions with all seats taken, and what their host needs to be rid of them.
#[derive(Debug, Default)]
pub(crate) struct Sessions {
    pub(crate) scripts: Vec<Script>,
    deletions: Vec<Deletion>,
}

#[derive(Debug)]
struct Deletion {
    session_id: String,
    host: HeaderValue,
}

const SETUP: Shape = Shape {
    connections: 2,
    in_flight: 16,
};

impl Sessions {
    /// The ids of the sessions, in the order of their scripts.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        let ids = self.deletions.iter();
        ids.map(|deletion| deletion.session_id.as_str())
    }
}

impl Host {
    pub(crate) async fn connect(address: SocketAddr, games: Arc<Games>) -> Result<Self, Failure> {
        Ok(Self {
            connections: connect(address, SETUP).await?,
            games,
            opened: 0,
        })
    }

    /// Opens sessions, takes their seats and writes their scripts.
    pub(crate) async fn open(&mut self, count: usize, manner: Manner) -> Result<Sessions, Failure> {
        let first = self.opened;
        self.opened += count;
        let slots = SETUP.slots();
        let mut tasks = JoinSet::new();
        for slot in 0..slots {
            let mut connection = self.connections[slot % SETUP.connections].clone();
            let games = Arc::clone(&self.games);
            tasks.spawn(async move {
                let mut sessions = Sessions::default();
                for number in (first + slot..first + count).step_by(slots) {
                    let game = &games.0[number % games.0.len()];
                    let (script, deletion) = open_session(&mut connection, game, manner).await?;
                    sessions.scripts.push(script);
                    sessions.deletions.push(deletion);
                }
                Ok::<_, Failure>(sessions)
            });
        }
        let mut all = Sessions::default();
        for sessions in tasks.join_all().await {
            let sessions = sessions?;
            all.scripts.extend(sessions.scripts);
            all.deletions.extend(sessions.deletions);
        }
        Ok(all)
    }

    /// Deletes sessions, so that each round finds the server alike.
    pub(crate) async fn delete(&mut self, sessions: Sessions) -> Result<(), Failure> {
        let mut tasks = JoinSet::new();
        let deletions = Arc::new(sessions.deletions);
        let slots = SETUP.slots();
        for slot in 0..slots {
            let mut connection = self.connections[slot % SETUP.connections].clone();
            let deletions = Arc::clone(&deletions);
            tasks.spawn(async move {
                for Deletion { session_id, host } in deletions.iter().skip(slot).step_by(slots) {
                    let request = pb::DeleteSessionRequest {
                        session_id: session_id.clone(),
                    };
                    call::<pb::DeleteSessionResponse>(
                        &mut connection,
                        "DeleteSession",
                        Some(host.clone()),
                        &request,
                    )
                    .await?;
                }
                Ok::<_, Failure>(())
            });
        }
        tasks.join_all().await.into_iter().collect()
    }
}

async fn open_session(
    connection: &mut Connection,
    game: &[Answer],
    manner: Manner,
) -> Result<(Script, Deletion), Failure> {
    let options = santorini::Options {
        god_mode: santorini::GodMode::None.into(),
        start_player: Some(START_PLAYER.0.into()),
        ..Default::default()
    };
    let create = pb::CreateSessionRequest {
        game: Santorini::INFO.slug.to_owned(),
        seats: Some(SEATS.into()),
        options: Some(pb::Options {
            game: Some(pb::options::Game::Santorini(options)),
        }),
        seed: Some(1),
        ..Default::default()
    };
    let created: pb::CreateSessionResponse =
        call(connection, "CreateSession", None, &create).await?;
    let session_id = created.session_id;
    let mut seats = Vec::new();
    for seat in 0..SEATS {
        let join = pb::JoinSessionRequest {
            session_id: session_id.clone(),
            seat: Some(seat.into()),
            ..Default::default()
        };
        let joined: pb::JoinSessionResponse = call(connection, "JoinSession", None, &join).await?;
        seats.push(bearer(&joined.seat_token)?);
    }
    let host = bearer(&created.host_token)?;
    Ok((
        script(&session_id, seats, game, manner),
        Deletion { session_id, host },
    ))
}

/// Encodes all that will be sent in a session.
fn script(
    session_id: &str,
    seats: Vec<HeaderValue>,
    game: &[Answer],
    Manner { mode, view }: Manner,
) -> Script {
    let view = view.into();
    let opens = match mode {
        Mode::Unary => Vec::new(),
        Mode::Streams => {
            let open = pb::PlayOpen {
                session_id: session_id.to_owned(),
                from_version: None,
                view,
            };
            let open = frame(&pb::PlayRequest {
                kind: Some(pb::play_request::Kind::Open(open)),
            });
            vec![open; usize::from(SEATS)]
        }
    };
    let step = |answer: &Answer| match mode {
        Mode::Unary => frame(&pb::SubmitActionRequest {
            session_id: session_id.to_owned(),
            decision_id: answer.decision_id,
            answer: Some(pb::submit_action_request::Answer::ActionId(
                answer.action_id,
            )),
            view,
        }),
        Mode::Streams => {
            let submit = pb::PlaySubmit {
                decision_id: answer.decision_id,
                answer: Some(pb::play_submit::Answer::ActionId(answer.action_id)),
            };
            frame(&pb::PlayRequest {
                kind: Some(pb::play_request::Kind::Submit(submit)),
            })
        }
    };
    let steps = game
        .iter()
        .map(|answer| (usize::from(answer.seat.0), step(answer)))
        .collect();
    Script {
        seats,
        opens,
        steps,
    }
}

async fn call<R: Message + Default>(
    connection: &mut Connection,
    method: &str,
    token: Option<HeaderValue>,
    request: &impl Message,
) -> Result<R, Failure> {
    let uri = connection.uri(&format!("/tavola.v1.SessionService/{method}"));
    Ok(R::decode(
        connection.call(&uri, token, frame(request)).await?,
    )?)
}

fn bearer(token: &str) -> Result<HeaderValue, Failure> {
    HeaderValue::try_from(format!("Bearer {token}"))
        .map_err(|_| Failure::Garbled("its token is no header value"))
}
