//! Health per service tells the truth while the store does not answer.

use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant, SystemTime},
};

use tavola::{
    config::{Config, Parsed},
    metrics::Metrics,
    pb::v1::{ErrorReason, ListGamesRequest},
    server::Server,
    shutdown::{self, ShutdownTrigger},
    store::{
        Append, Commit, Header, Listed, Listener, Log, LogEntry, MemoryStore, SessionId, Standing,
        Store, StoreError, StoreSecret, Stored,
    },
};
use tonic::transport::{Channel, Endpoint};
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};

use crate::common::{Catalog, Dice, Sessions, Table, eventually, refused, santorini};

const SESSIONS: &str = "tavola.v1.SessionService";
const CATALOG: &str = "tavola.v1.CatalogService";

/// A store over a medium that can go away and come back.
#[derive(Debug, Default)]
struct Fickle {
    stored: MemoryStore,
    away: Arc<AtomicBool>,
    /// For how long it has not answered.
    stalled: Mutex<Duration>,
}

/// A log of such a store.
#[derive(Debug)]
struct FickleLog {
    log: Box<dyn Log>,
    away: Arc<AtomicBool>,
}

impl Log for FickleLog {
    fn append(&self, expected: u64, entry: LogEntry, standing: Standing) -> Append {
        match here(&self.away) {
            Ok(()) => self.log.append(expected, entry, standing),
            Err(error) => Append::Done(Err(error)),
        }
    }
}

fn here(away: &AtomicBool) -> Result<(), StoreError> {
    match away.load(Ordering::SeqCst) {
        true => Err(StoreError::Unavailable("it is away".to_owned())),
        false => Ok(()),
    }
}

impl Fickle {
    fn set_away(&self, away: bool) {
        self.away.store(away, Ordering::SeqCst);
    }

    fn set_stalled(&self, stalled: Duration) {
        *self.stalled.lock().unwrap() = stalled;
    }

    fn here(&self) -> Result<(), StoreError> {
        here(&self.away)
    }

    fn write(&self, write: impl FnOnce() -> Commit) -> Commit {
        self.here()
            .map_or_else(|error| Commit::Done(Err(error)), |()| write())
    }
}

impl Store for Fickle {
    fn durable(&self) -> bool {
        self.stored.durable()
    }

    fn create(&self, id: SessionId, header: Header) -> Commit {
        self.write(|| self.stored.create(id, header))
    }

    fn log(&self, id: SessionId, listener: Weak<dyn Listener>) -> Box<dyn Log> {
        Box::new(FickleLog {
            log: self.stored.log(id, listener),
            away: Arc::clone(&self.away),
        })
    }

    fn touch(&self, ids: Vec<SessionId>, time: SystemTime) -> Commit {
        self.write(|| self.stored.touch(ids, time))
    }

    fn serial(&self, id: SessionId) -> Option<u64> {
        self.stored.serial(id)
    }

    fn count(&self) -> usize {
        self.stored.count()
    }

    fn newest(&self, below: u64) -> u64 {
        self.stored.newest(below)
    }

    fn stalled(&self) -> Duration {
        *self.stalled.lock().unwrap()
    }

    fn delete(&self, id: SessionId) -> Commit {
        self.write(|| self.stored.delete(id))
    }

    fn load(&self, id: SessionId) -> Result<Stored, StoreError> {
        self.here().and_then(|()| self.stored.load(id))
    }

    fn check(&self) -> Commit {
        self.write(|| self.stored.check())
    }

    fn secret(&self) -> Result<StoreSecret, StoreError> {
        self.here().and_then(|()| self.stored.secret())
    }

    fn list(&self, before: u64, max: usize) -> Result<Vec<Listed>, StoreError> {
        self.here().and_then(|()| self.stored.list(before, max))
    }

    fn wakeful(&self) -> Result<Vec<SessionId>, StoreError> {
        self.here().and_then(|()| self.stored.wakeful())
    }

    fn left_alone(
        &self,
        finished: SystemTime,
        others: SystemTime,
        max: usize,
    ) -> Result<Vec<SessionId>, StoreError> {
        let left_alone = || self.stored.left_alone(finished, others, max);
        self.here().and_then(|()| left_alone())
    }
}

/// A server in this process, for a store that only a test can have.
struct Inside {
    address: SocketAddr,
    trigger: ShutdownTrigger,
    serving: thread::JoinHandle<()>,
}

impl Inside {
    fn start(store: Arc<Fickle>) -> Self {
        let flags = ["tavola", "--listen", "127.0.0.1:0"].map(Into::into);
        let Ok(Parsed::Config(config)) = Config::read(flags) else {
            panic!("these are flags");
        };
        let server = Server::bind(*config, Arc::new(Metrics::new())).unwrap();
        let address = server.address().unwrap();
        let (trigger, shutdown) = shutdown::channel();
        let serving = thread::spawn(move || server.serve(store, &shutdown).unwrap());
        Self {
            address,
            trigger,
            serving,
        }
    }

    async fn channel(&self) -> Channel {
        let endpoint = Endpoint::from_shared(format!("http://{}", self.address)).unwrap();
        endpoint.connect().await.unwrap()
    }
}

async fn health(channel: &Channel, service: &str) -> ServingStatus {
    let request = HealthCheckRequest {
        service: service.to_owned(),
    };
    let mut client = HealthClient::new(channel.clone());
    client.check(request).await.unwrap().into_inner().status()
}

/// How long it takes until a service is as it should be.
async fn until(channel: &Channel, service: &str, wanted: ServingStatus) -> Duration {
    let began = Instant::now();
    let as_wanted = async || (health(channel, service).await == wanted).then_some(());
    eventually("another health", as_wanted).await;
    began.elapsed()
}

#[tokio::test]
async fn o9_health_follows_the_store_and_the_catalog_goes_on() {
    let store = Arc::new(Fickle::default());
    let server = Inside::start(Arc::clone(&store));
    let channel = server.channel().await;
    let mut client = Sessions::new(channel.clone());
    let table = Table::santorini(&client).await;
    let mut dice = Dice::new();
    for _ in 0..3 {
        for service in ["", SESSIONS, CATALOG] {
            assert_eq!(health(&channel, service).await, ServingStatus::Serving);
        }
        store.set_away(true);
        refused(
            client.create_session(santorini()).await,
            ErrorReason::StoreUnavailable,
        );
        for service in ["", SESSIONS] {
            let took = until(&channel, service, ServingStatus::NotServing).await;
            println!("{service:?} is not serving after {took:?}");
            assert!(took < Duration::from_secs(1), "{service:?}: {took:?}");
        }
        // It is not asked once and believed: it stays so for as long as the store is away.
        tokio::time::sleep(Duration::from_millis(600)).await;
        assert_eq!(health(&channel, SESSIONS).await, ServingStatus::NotServing);
        assert_eq!(health(&channel, CATALOG).await, ServingStatus::Serving);
        let games = Catalog::new(channel.clone())
            .list_games(ListGamesRequest::default())
            .await;
        assert!(!games.unwrap().into_inner().games.is_empty());
        store.set_away(false);
        for service in ["", SESSIONS] {
            let took = until(&channel, service, ServingStatus::Serving).await;
            println!("{service:?} is serving after {took:?}");
            assert!(took < Duration::from_secs(1), "{service:?}: {took:?}");
        }
        table.play_plies(&mut dice, 3).await;
    }
    // A ply that cannot be stored tells of it, too; and a server that goes down stays down.
    store.set_away(true);
    let seen = table.observe(None, tavola::pb::v1::View::Lean).await;
    let seat = crate::common::asked_seat(seen.decision.as_ref()).unwrap();
    let mine = table.observe(Some(seat), tavola::pb::v1::View::Lean).await;
    let answer = tavola::pb::v1::submit_action_request::Answer::ActionId(mine.legal_action_ids[0]);
    let decision = mine.decision.unwrap().decision_id;
    refused(
        table.submit(seat, decision, answer).await,
        ErrorReason::StoreUnavailable,
    );
    until(&channel, SESSIONS, ServingStatus::NotServing).await;
    let request = HealthCheckRequest {
        service: CATALOG.to_owned(),
    };
    let mut watch = HealthClient::new(channel.clone())
        .watch(request)
        .await
        .unwrap()
        .into_inner();
    let first = watch.message().await.unwrap().unwrap();
    assert_eq!(first.status(), ServingStatus::Serving);
    server.trigger.begin();
    store.set_away(false);
    let next = crate::common::soon("the end", watch.message()).await;
    assert_eq!(next.unwrap().unwrap().status(), ServingStatus::NotServing);
    // It ends, and with it all that the shutdown waits for.
    let end = crate::common::soon("the end of the stream", watch.message()).await;
    assert_eq!(end.unwrap(), None);
    let began = Instant::now();
    server.serving.join().unwrap();
    assert!(
        began.elapsed() < Duration::from_secs(5),
        "{:?}",
        began.elapsed()
    );
}

/// A store that says nothing at all is as bad as one that fails; one that has recovered is not taken for failed again.
#[tokio::test]
async fn o9_a_store_that_hangs_is_noticed_and_a_recovery_is_believed() {
    let store = Arc::new(Fickle::default());
    let server = Inside::start(Arc::clone(&store));
    let channel = server.channel().await;
    let mut client = Sessions::new(channel.clone());
    store.set_stalled(Duration::from_millis(500));
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(health(&channel, SESSIONS).await, ServingStatus::Serving);
    store.set_away(true);
    store.set_stalled(Duration::from_secs(1));
    let took = until(&channel, SESSIONS, ServingStatus::NotServing).await;
    assert!(took < Duration::from_secs(1), "{took:?}");
    for _ in 0..5 {
        refused(
            client.create_session(santorini()).await,
            ErrorReason::StoreUnavailable,
        );
    }
    store.set_stalled(Duration::ZERO);
    store.set_away(false);
    until(&channel, SESSIONS, ServingStatus::Serving).await;
    for _ in 0..20 {
        assert_eq!(health(&channel, SESSIONS).await, ServingStatus::Serving);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    drop((client, channel));
    server.trigger.begin();
    server.serving.join().unwrap();
}
