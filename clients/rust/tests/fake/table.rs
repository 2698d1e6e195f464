//! A table that makes trouble on demand, behind a server in this process.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use tavola_client::{
    Builder, Client, Seat, Token,
    v1::{
        AddBotRequest, AddBotResponse, CreateSessionRequest, CreateSessionResponse, Decision, Game,
        GetObservationRequest, GetObservationResponse, GetReplayRequest, GetReplayResponse,
        JoinSessionRequest, JoinSessionResponse, LegalAction, ListGamesRequest, ListGamesResponse,
        Outcome, ReplayStep, SessionStatus, SubmitActionRequest, SubmitActionResponse, Update,
        WatchSessionRequest, WatchSessionResponse, action,
        catalog_service_server::{CatalogService, CatalogServiceServer},
        session_service_server::{SessionService, SessionServiceServer},
        submit_action_request::Answer,
    },
};
use tokio::{net::TcpListener, runtime::Runtime, sync::watch, time};
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{
    Code, Request, Response, Status,
    codegen::BoxStream,
    metadata::MetadataMap,
    transport::{Server, server::ServerTlsConfig},
};
use tonic_types::{ErrorDetails, StatusExt as _};

pub(crate) const SESSION: &str = "fake";
pub(crate) const TOKEN: &str = "hush";
const DECISIONS: u64 = 6;

/// One session: two seats answer in turns, and seat 1 answers by itself at once. Decision n has the legal actions 10 n
/// and 10 n + 1. Whoever joins gets seat 0.
#[derive(Default)]
pub(crate) struct Table {
    history: Vec<Update>,
    replies: BTreeMap<u64, SubmitActionResponse>,
    pub(crate) answers: BTreeMap<u64, u32>,
    pub(crate) trouble: Trouble,
    pub(crate) asked: Asked,
}

/// What is to go wrong. Sets of decisions and versions lose what has happened.
#[derive(Default)]
pub(crate) struct Trouble {
    /// What every call is refused with.
    pub(crate) refusal: Option<Status>,
    /// How many calls that take something count, but lose their replies.
    pub(crate) lost: u32,
    /// Decisions to which a submission fails before it has an effect.
    pub(crate) unseen: BTreeSet<u64>,
    /// Decisions to which a submission counts, but its reply is lost.
    pub(crate) unheard: BTreeSet<u64>,
    /// Decisions to which the reply comes too late.
    pub(crate) late: BTreeSet<u64>,
    /// Decisions that somebody else answers before our submission.
    pub(crate) overtaken: BTreeSet<u64>,
    /// Decisions that two updates in a row ask for.
    pub(crate) lagging: BTreeSet<u64>,
    /// Versions after which a stream breaks.
    pub(crate) cuts: BTreeSet<u64>,
    /// Whether a stream ends well before the game does.
    pub(crate) hangs_up: bool,
}

/// What was asked for.
#[derive(Default)]
pub(crate) struct Asked {
    /// The versions to watch from. None: from a snapshot.
    pub(crate) watched: Vec<Option<u64>>,
    /// The answers that came.
    pub(crate) submitted: Vec<(u64, u32)>,
    /// The request ids of the calls that take something.
    pub(crate) named: Vec<String>,
    /// How many sessions there have been, and seats been given.
    pub(crate) taken: BTreeSet<String>,
    /// The metadata of the latest call.
    pub(crate) metadata: MetadataMap,
}

impl Table {
    fn publish(&mut self, update: Update) {
        self.history.push(Update {
            version: self.history.len() as u64 + 1,
            seat: Some(0),
            ..update
        });
    }

    /// Publishes a decision, and answers it if it is seat 1's.
    fn ask(&mut self, decision_id: u64) {
        if decision_id > DECISIONS {
            return self.publish(Update {
                status: SessionStatus::Finished.into(),
                outcome: Some(outcome()),
                ..Update::default()
            });
        }
        let seat = u32::from(decision_id.is_multiple_of(2));
        let ids = [10 * decision_id as u32, 10 * decision_id as u32 + 1];
        let legal = ids.map(|id| LegalAction {
            action_id: Some(id),
            ..LegalAction::default()
        });
        let times = 1 + u32::from(self.trouble.lagging.remove(&decision_id));
        for _ in 0..times {
            self.publish(Update {
                status: SessionStatus::Running.into(),
                decision: Some(Decision {
                    decision_id,
                    seats: vec![seat],
                }),
                legal_actions: if seat == 0 { legal.to_vec() } else { vec![] },
                ..Update::default()
            });
        }
        if seat == 1 {
            self.apply(decision_id, 0);
        }
    }

    /// Lets an answer count.
    fn apply(&mut self, decision_id: u64, action_id: u32) {
        let version = self.history.len() as u64 + 1;
        self.answers.insert(decision_id, action_id);
        self.replies.insert(
            decision_id,
            SubmitActionResponse {
                version,
                ..SubmitActionResponse::default()
            },
        );
        self.ask(decision_id + 1);
    }

    /// Checks session and token, refuses whatever a test wants refused, and opens the game.
    fn admit(&mut self, metadata: &MetadataMap, session_id: &str) -> Result<(), Status> {
        self.asked.metadata = metadata.clone();
        if let Some(refusal) = &self.trouble.refusal {
            return Err(refusal.clone());
        }
        if session_id != SESSION {
            return Err(refusal(Code::NotFound, "SESSION_NOT_FOUND", []));
        }
        let sent: Vec<_> = metadata.get_all("authorization").iter().collect();
        if sent != [&format!("Bearer {TOKEN}")] {
            return Err(refusal(Code::Unauthenticated, "TOKEN_REQUIRED", []));
        }
        if self.history.is_empty() {
            self.ask(1);
        }
        Ok(())
    }

    fn submit(&mut self, request: SubmitActionRequest) -> Result<SubmitActionResponse, Status> {
        let id = request.decision_id;
        let action_id = match request.answer {
            Some(Answer::ActionId(action_id)) => action_id,
            Some(Answer::Action(action)) => match action.game {
                Some(action::Game::Santorini(_)) => 10 * id as u32 + 1,
                _ => 0,
            },
            None => 0,
        };
        self.asked.submitted.push((id, action_id));
        if id == 0 {
            let mut details =
                ErrorDetails::with_bad_request_violation("decision_id", "is at least 1");
            details.set_error_info("MALFORMED_REQUEST", "tavola", []);
            let code = Code::InvalidArgument;
            return Err(Status::with_error_details(
                code,
                "the request is malformed",
                details,
            ));
        }
        if self.trouble.unseen.remove(&id) {
            return Err(refusal(Code::Unavailable, "SHUTTING_DOWN", []));
        }
        if self.trouble.overtaken.remove(&id) {
            self.apply(id, 10 * id as u32 + 1);
        }
        if let Some(&first) = self.answers.get(&id) {
            let current = (self.answers.len() + 1).to_string();
            let facts = [("decision_id", &*current), ("seats", "0")];
            return match first == action_id {
                true => Ok(self.replies[&id].clone()),
                false => Err(refusal(Code::Aborted, "STALE_DECISION", facts)),
            };
        }
        let latest = self.history.last().expect("the game has begun");
        if !latest
            .legal_actions
            .iter()
            .any(|legal| legal.action_id == Some(action_id))
        {
            return Err(refusal(Code::FailedPrecondition, "ACTION_NOT_LEGAL", []));
        }
        self.apply(id, action_id);
        if self.trouble.unheard.remove(&id) {
            return Err(refusal(Code::Unavailable, "STORE_UNAVAILABLE", []));
        }
        Ok(self.replies[&id].clone())
    }

    /// A call that takes something, once for each request id.
    fn take(&mut self, metadata: &MetadataMap, request_id: &str) -> Result<(), Status> {
        self.asked.metadata = metadata.clone();
        self.asked.named.push(request_id.to_owned());
        let unnamed = format!("unnamed {}", self.asked.named.len());
        let name = if request_id.is_empty() {
            &unnamed
        } else {
            request_id
        };
        self.asked.taken.insert(name.to_owned());
        if self.trouble.lost > 0 {
            self.trouble.lost -= 1;
            return Err(refusal(Code::Unavailable, "STORE_UNAVAILABLE", []));
        }
        Ok(())
    }
}

/// The result of each game.
pub(crate) fn outcome() -> Outcome {
    Outcome {
        winners: vec![0],
        returns: vec![1, -1],
    }
}

/// What the table refuses a call with.
pub(crate) fn refusal<const N: usize>(
    code: Code,
    reason: &str,
    facts: [(&str, &str); N],
) -> Status {
    let facts = facts.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let details = ErrorDetails::with_error_info(reason, "tavola", facts);
    Status::with_error_details(code, "refused for a test", details)
}

/// The services of a table.
#[derive(Clone)]
struct Services {
    table: Arc<Mutex<Table>>,
    changes: watch::Sender<()>,
}

impl Services {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().expect("no test has panicked with it")
    }
}

#[tonic::async_trait]
impl CatalogService for Services {
    async fn list_games(
        &self,
        request: Request<ListGamesRequest>,
    ) -> Result<Response<ListGamesResponse>, Status> {
        self.table().asked.metadata = request.metadata().clone();
        let game = |id: &str| Game {
            game: id.to_owned(),
            ..Game::default()
        };
        let (games, next_page_token) = match &*request.into_inner().page_token {
            "" => (vec![game("first"), game("second")], "2".to_owned()),
            _ => (vec![game("third")], String::new()),
        };
        Ok(Response::new(ListGamesResponse {
            games,
            next_page_token,
        }))
    }
}

#[tonic::async_trait]
impl SessionService for Services {
    async fn create_session(
        &self,
        request: Request<CreateSessionRequest>,
    ) -> Result<Response<CreateSessionResponse>, Status> {
        let (metadata, _, request) = request.into_parts();
        self.table().take(&metadata, &request.request_id)?;
        Ok(Response::new(CreateSessionResponse {
            session_id: SESSION.to_owned(),
            host_token: TOKEN.to_owned(),
            session: None,
            join_token: if request.private { "come" } else { "" }.to_owned(),
        }))
    }

    async fn join_session(
        &self,
        request: Request<JoinSessionRequest>,
    ) -> Result<Response<JoinSessionResponse>, Status> {
        let (metadata, _, request) = request.into_parts();
        self.table().take(&metadata, &request.request_id)?;
        Ok(Response::new(JoinSessionResponse {
            seat: Some(0),
            seat_token: TOKEN.to_owned(),
            session: None,
        }))
    }

    async fn add_bot(
        &self,
        request: Request<AddBotRequest>,
    ) -> Result<Response<AddBotResponse>, Status> {
        let (metadata, _, request) = request.into_parts();
        let mut table = self.table();
        table.admit(&metadata, &request.session_id)?;
        table.take(&metadata, &request.request_id)?;
        Ok(Response::new(AddBotResponse {
            seat: Some(1),
            session: None,
        }))
    }

    async fn get_observation(
        &self,
        request: Request<GetObservationRequest>,
    ) -> Result<Response<GetObservationResponse>, Status> {
        let mut table = self.table();
        table.admit(request.metadata(), &request.get_ref().session_id)?;
        let latest = table.history.last().expect("the game has begun");
        Ok(Response::new(GetObservationResponse {
            version: latest.version,
            decision: latest.decision.clone(),
            ..GetObservationResponse::default()
        }))
    }

    async fn get_replay(
        &self,
        request: Request<GetReplayRequest>,
    ) -> Result<Response<GetReplayResponse>, Status> {
        let (metadata, _, request) = request.into_parts();
        self.table().admit(&metadata, &request.session_id)?;
        // Three pages of two steps, which tell whose events were asked for.
        let page = request.page_token.parse().unwrap_or(0);
        let step = |ply| ReplayStep {
            ply,
            seat: request.seat,
            ..ReplayStep::default()
        };
        Ok(Response::new(GetReplayResponse {
            game: "first".to_owned(),
            seats: 2,
            steps: vec![step(2 * page), step(2 * page + 1)],
            next_page_token: if page < 2 {
                (page + 1).to_string()
            } else {
                String::new()
            },
            ..GetReplayResponse::default()
        }))
    }

    async fn submit_action(
        &self,
        request: Request<SubmitActionRequest>,
    ) -> Result<Response<SubmitActionResponse>, Status> {
        let (metadata, _, request) = request.into_parts();
        let decision_id = request.decision_id;
        let (reply, late) = {
            let mut table = self.table();
            table.admit(&metadata, &request.session_id)?;
            let late = table.trouble.late.remove(&decision_id);
            (table.submit(request), late)
        };
        self.changes.send_replace(());
        if late {
            time::sleep(Duration::from_secs(3600)).await; // The client goes away before.
        }
        reply.map(Response::new)
    }

    async fn watch_session(
        &self,
        request: Request<WatchSessionRequest>,
    ) -> Result<Response<BoxStream<WatchSessionResponse>>, Status> {
        let from = request.get_ref().from_version;
        let mut table = self.table();
        table.admit(request.metadata(), &request.get_ref().session_id)?;
        table.asked.watched.push(from);
        let watching = Watching {
            services: self.clone(),
            changes: self.changes.subscribe(),
            seen: from.unwrap_or(table.history.len() as u64 - 1),
            over: false,
        };
        let stream = futures_util::stream::try_unfold(watching, Watching::next);
        Ok(Response::new(Box::pin(stream)))
    }
}

/// A stream of a table.
struct Watching {
    services: Services,
    changes: watch::Receiver<()>,
    seen: u64,
    over: bool,
}

impl Watching {
    async fn next(mut self) -> Result<Option<(WatchSessionResponse, Self)>, Status> {
        if self.over {
            return Ok(None);
        }
        if self.seen > 0 && self.services.table().trouble.cuts.remove(&self.seen) {
            let seen = self.seen.to_string();
            let facts = [("resume_version", &*seen)];
            return Err(refusal(Code::Unavailable, "SHUTTING_DOWN", facts));
        }
        let update = loop {
            let update = self
                .services
                .table()
                .history
                .get(self.seen as usize)
                .cloned();
            match update {
                Some(update) => break update,
                None => self
                    .changes
                    .changed()
                    .await
                    .expect("the server holds the sender"),
            }
        };
        self.seen += 1;
        self.over = update.outcome.is_some() || self.services.table().trouble.hangs_up;
        let update = Some(update);
        Ok(Some((WatchSessionResponse { update }, self)))
    }
}

/// A server with a table of this kind.
pub(crate) struct Fake {
    services: Services,
    address: SocketAddr,
    tls: Option<ServerTlsConfig>,
    runtime: Option<Runtime>,
}

impl Fake {
    pub(crate) fn start() -> Self {
        Self::launch(None)
    }

    pub(crate) fn with_tls(tls: ServerTlsConfig) -> Self {
        Self::launch(Some(tls))
    }

    fn launch(tls: Option<ServerTlsConfig>) -> Self {
        let services = Services {
            table: Arc::default(),
            changes: watch::Sender::new(()),
        };
        let mut fake = Self {
            services,
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            tls,
            runtime: None,
        };
        fake.restart();
        fake
    }

    /// Serves the table again, at the same address.
    pub(crate) fn restart(&mut self) {
        let runtime = Runtime::new().expect("there are threads");
        let address = self.address;
        let bind = async move {
            loop {
                // What held the address a moment ago may still be on its way out.
                match TcpListener::bind(address).await {
                    Ok(listener) => return listener,
                    Err(_) => time::sleep(Duration::from_millis(5)).await,
                }
            }
        };
        let (report, bound) = std::sync::mpsc::channel();
        let services = self.services.clone();
        let mut server = Server::builder();
        if let Some(tls) = &self.tls {
            server = server
                .tls_config(tls.clone())
                .expect("its certificate is one");
        }
        runtime.spawn(async move {
            let listener = bind.await;
            let address = listener.local_addr().expect("it is bound");
            report.send(address).expect("it is waited for");
            server
                .add_service(CatalogServiceServer::new(services.clone()))
                .add_service(SessionServiceServer::new(services))
                .serve_with_incoming(TcpListenerStream::new(listener))
                .await
        });
        self.address = bound.recv().expect("it is bound");
        self.runtime = Some(runtime);
    }

    /// Cuts all connections.
    pub(crate) fn stop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }

    pub(crate) fn address(&self) -> String {
        self.address.to_string()
    }

    pub(crate) fn table(&self) -> MutexGuard<'_, Table> {
        self.services.table()
    }

    /// How many streams are open.
    pub(crate) fn streams(&self) -> usize {
        self.services.changes.receiver_count()
    }

    /// How to connect to it, with little patience.
    pub(crate) fn builder(&self) -> Builder {
        Client::builder(self.address()).patience(Duration::from_secs(5))
    }

    pub(crate) async fn client(&self) -> Client {
        self.builder().connect().await.expect("it is there")
    }

    /// The seat that the table knows.
    pub(crate) async fn seat(&self) -> Seat {
        seat(&self.client().await)
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The seat that the table knows.
pub(crate) fn seat(client: &Client) -> Seat {
    client.seat(SESSION, 0, token())
}

pub(crate) fn token() -> Token {
    TOKEN.parse().expect("it is one")
}
