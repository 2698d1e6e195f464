//! Sessions over stores that are late or fail, and over a table that panics: what a server process cannot be made to do
//! from outside.

mod clocks;

use std::{
    collections::VecDeque,
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, SystemTime},
};

use parking_lot::Mutex;
use prost::Message as _;
use tavola_engine::{
    ActionId, Entry, Game, Reseed, Seat, SeatSet, Seed, StateHash, Viewer,
    games::santorini::Santorini,
};
use tokio::{runtime::Handle, sync::oneshot, time::timeout};

use super::{
    BotPool, House, NewSession, Registry, Session, Settling, Submitted, Watcher, state::State,
};
use crate::{
    config::{Config, Parsed},
    error::Error,
    fair_dice::Nonce,
    house_bot::HouseBot,
    metrics::Metrics,
    pb::v1 as pb,
    shutdown,
    store::{
        Append, Commit, Header, Listed, Listener, Log, LogEntry, MemoryStore, Opening, Ply,
        SessionId, Standing, Store, StoreError, StoreSecret, Stored,
    },
    token::{Token, TokenHash},
    wire::{Answer, BotTurn, Earlier, Forking, GameEntry, Table},
};

/// A store over a medium that the test controls: each append waits until the test lets it through or fails it.
#[derive(Debug, Default)]
pub(super) struct Tricky {
    stored: MemoryStore,
    medium: Arc<Medium>,
    /// Whether the medium answers loads.
    unreachable: AtomicBool,
    /// How often a session was loaded.
    loads: AtomicUsize,
    /// Whether creations wait for [`Medium::created`].
    creates_late: AtomicBool,
}

#[derive(Debug, Default)]
struct Medium {
    /// Whether appends wait. Otherwise they are done at once.
    late: AtomicBool,
    waiting: Mutex<VecDeque<Waiting>>,
    created: Mutex<Vec<oneshot::Sender<Result<(), StoreError>>>>,
}

/// An entry that waits for its commit.
#[derive(Debug)]
struct Waiting {
    log: Arc<dyn Log>,
    listener: Weak<dyn Listener>,
    expected: u64,
    entry: LogEntry,
    standing: Standing,
}

/// A log of the store.
#[derive(Debug)]
struct TrickyLog {
    log: Arc<dyn Log>,
    listener: Weak<dyn Listener>,
    medium: Arc<Medium>,
}

impl Log for TrickyLog {
    fn append(&self, expected: u64, entry: LogEntry, standing: Standing) -> Append {
        if !self.medium.late.load(Ordering::SeqCst) {
            return self.log.append(expected, entry, standing);
        }
        self.medium.waiting.lock().push_back(Waiting {
            log: Arc::clone(&self.log),
            listener: self.listener.clone(),
            expected,
            entry,
            standing,
        });
        Append::Pending
    }
}

impl Tricky {
    pub(super) fn set_late(&self, late: bool) {
        self.medium.late.store(late, Ordering::SeqCst);
    }

    pub(super) fn waiting(&self) -> usize {
        self.medium.waiting.lock().len()
    }

    /// Commits the append that has waited longest.
    pub(super) fn commit(&self) {
        let Waiting {
            log,
            listener,
            expected,
            entry,
            standing,
        } = self.medium.waiting.lock().pop_front().unwrap();
        let done = log.append(expected, entry, standing);
        assert_eq!(done, Append::Done(Ok(())));
        listener.upgrade().unwrap().committed(expected + 1);
    }

    /// Loses all appends that wait.
    fn lose(&self) {
        let waiting: Vec<_> = self.medium.waiting.lock().drain(..).collect();
        for Waiting { listener, .. } in waiting {
            let lost = StoreError::Unavailable("lost".to_owned());
            listener.upgrade().unwrap().failed(lost);
        }
    }
}

impl Store for Tricky {
    fn durable(&self) -> bool {
        true
    }

    fn create(&self, id: SessionId, header: Header) -> Commit {
        let created = self.stored.create(id, header);
        if !self.creates_late.load(Ordering::SeqCst) {
            return created;
        }
        let (sender, receiver) = oneshot::channel();
        self.medium.created.lock().push(sender);
        Commit::Pending(receiver)
    }

    fn log(&self, id: SessionId, listener: Weak<dyn Listener>) -> Box<dyn Log> {
        Box::new(TrickyLog {
            log: self.stored.log(id, listener.clone()).into(),
            listener,
            medium: Arc::clone(&self.medium),
        })
    }

    fn delete(&self, id: SessionId) -> Commit {
        self.stored.delete(id)
    }

    fn touch(&self, ids: Vec<SessionId>, time: SystemTime) -> Commit {
        self.stored.touch(ids, time)
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
        self.stored.stalled()
    }

    fn load(&self, id: SessionId) -> Result<Stored, StoreError> {
        if self.unreachable.load(Ordering::SeqCst) {
            return Err(StoreError::Unavailable("unreachable".to_owned()));
        }
        self.loads.fetch_add(1, Ordering::SeqCst);
        // Long enough for others to come meanwhile.
        std::thread::sleep(Duration::from_millis(20));
        self.stored.load(id)
    }

    fn check(&self) -> Commit {
        self.stored.check()
    }

    fn secret(&self) -> Result<StoreSecret, StoreError> {
        self.stored.secret()
    }

    fn list(&self, before: u64, max: usize) -> Result<Vec<Listed>, StoreError> {
        self.stored.list(before, max)
    }

    fn wakeful(&self) -> Result<Vec<SessionId>, StoreError> {
        self.stored.wakeful()
    }

    fn left_alone(
        &self,
        finished: SystemTime,
        others: SystemTime,
        max: usize,
    ) -> Result<Vec<SessionId>, StoreError> {
        self.stored.left_alone(finished, others, max)
    }
}

pub(super) fn house(store: Arc<dyn Store>) -> Arc<House> {
    let Ok(Parsed::Config(config)) = Config::read(["tavola".into()]) else {
        unreachable!()
    };
    let (trigger, shutdown) = shutdown::channel();
    // The server of a test is never told to stop.
    std::mem::forget(trigger);
    let house = House::new(
        config.limits,
        store,
        Arc::new(Metrics::new()),
        Arc::new(BotPool::default()),
        Handle::current(),
        shutdown,
    );
    Arc::new(house.unwrap())
}

/// A started game of two players over this store; the tokens in the order of the seats.
async fn game(store: Arc<Tricky>) -> (Arc<Session>, [Option<TokenHash>; 2]) {
    let registry = Arc::new(Registry::new(house(store)));
    let new = NewSession {
        game: "santorini".to_owned(),
        seats: None,
        options: None,
        seed: Some(0),
        clock: None,
        private: false,
        request: None,
    };
    let session = registry.create(new).await.unwrap().session;
    let mut tokens = [None; 2];
    for token in &mut tokens {
        let joined = session
            .join(None, None, None)
            .unwrap()
            .settle()
            .await
            .unwrap();
        *token = Some(joined.token.hash());
    }
    (session, tokens)
}

/// What a spectator sees, once it may be seen.
async fn seen(session: &Session) -> pb::GetObservationResponse {
    session
        .observe(None, pb::View::Lean)
        .unwrap()
        .settle()
        .await
        .unwrap()
        .into()
}

/// The reply to a submission that counts.
async fn reply_of(submitted: Settling<Submitted>) -> pb::SubmitActionResponse {
    let submitted = submitted.settle().await.unwrap();
    submitted.reply(|shown| shown).await.unwrap().into()
}

/// The token of the seat to act, the decision, and its first legal answer.
fn next_answer(
    session: &Session,
    tokens: &[Option<TokenHash>; 2],
) -> (Option<TokenHash>, u64, Answer) {
    for token in tokens {
        let settling = session.observe(*token, pb::View::Lean).unwrap();
        let shown: pb::GetObservationResponse = settling.unsettled().into();
        if let Some(id) = shown.legal_action_ids.first() {
            return (*token, shown.decision.unwrap().decision_id, Answer::Id(*id));
        }
    }
    unreachable!("somebody is to act")
}

fn version_of(update: &(u64, bytes::Bytes)) -> u64 {
    let decoded = pb::Update::decode(update.1.clone()).unwrap();
    assert_eq!(decoded.version, update.0);
    decoded.version
}

const SOON: Duration = Duration::from_secs(10);
const A_WHILE: Duration = Duration::from_millis(50);

#[tokio::test]
async fn what_is_not_committed_nobody_sees() {
    let store = Arc::new(Tricky::default());
    let (session, tokens) = game(Arc::clone(&store)).await;
    let mut watcher = Watcher::new(&session, None, pb::View::Full, None, false).unwrap();
    let before = version_of(&watcher.next().await.unwrap().unwrap());

    store.set_late(true);
    let (token, decision, answer) = next_answer(&session, &tokens);
    let reply = session
        .submit(token, decision, &answer, pb::View::Full)
        .unwrap();
    let observation = session.observe(None, pb::View::Full).unwrap();
    let mut reply = std::pin::pin!(reply.settle());
    let mut observation = std::pin::pin!(observation.settle());
    assert!(
        timeout(A_WHILE, &mut reply).await.is_err(),
        "the reply waits for the commit"
    );
    assert!(
        timeout(A_WHILE, &mut observation).await.is_err(),
        "so does an observation"
    );
    assert!(
        timeout(A_WHILE, watcher.next()).await.is_err(),
        "and so does every watcher"
    );

    store.commit();
    let reply = timeout(SOON, reply).await.unwrap().unwrap();
    timeout(SOON, observation).await.unwrap().unwrap();
    let update = timeout(SOON, watcher.next())
        .await
        .unwrap()
        .unwrap()
        .unwrap();
    let reply: pb::SubmitActionResponse = reply.reply(|shown| shown).await.unwrap().into();
    assert_eq!(
        (version_of(&update), reply.version),
        (before + 1, before + 1)
    );
}

#[tokio::test]
async fn many_plies_wait_for_their_commits_in_order() {
    let store = Arc::new(Tricky::default());
    let (session, tokens) = game(Arc::clone(&store)).await;
    let mut watcher = Watcher::new(&session, None, pb::View::Lean, None, false).unwrap();
    let start = version_of(&watcher.next().await.unwrap().unwrap());
    store.set_late(true);
    for _ in 0..20 {
        let (token, decision, answer) = next_answer(&session, &tokens);
        // Its reply is not waited for: the next answer does not need it.
        drop(
            session
                .submit(token, decision, &answer, pb::View::Lean)
                .unwrap(),
        );
    }
    assert_eq!(store.waiting(), 20);
    for nth in 1..=20 {
        store.commit();
        let update = timeout(SOON, watcher.next())
            .await
            .unwrap()
            .unwrap()
            .unwrap();
        assert_eq!(version_of(&update), start + nth);
    }
}

#[tokio::test]
async fn a_call_that_is_dropped_applies_its_answer_all_the_same() {
    let store = Arc::new(Tricky::default());
    let (session, tokens) = game(Arc::clone(&store)).await;
    store.set_late(true);
    let (token, decision, answer) = next_answer(&session, &tokens);
    let reply = session
        .submit(token, decision, &answer, pb::View::Lean)
        .unwrap();
    assert!(
        timeout(A_WHILE, reply.settle()).await.is_err(),
        "the caller gives up before the commit"
    );
    store.commit();
    let again = session
        .submit(token, decision, &answer, pb::View::Lean)
        .unwrap();
    let reply = timeout(SOON, reply_of(again)).await.unwrap();
    assert_eq!(store.waiting(), 0, "the repetition writes nothing");
    assert_eq!(reply.version, seen(&session).await.version);
}

#[tokio::test]
async fn a_lost_write_is_unavailable_and_leaves_nothing_behind() {
    let store = Arc::new(Tricky::default());
    let (session, tokens) = game(Arc::clone(&store)).await;
    let mut watcher = Watcher::new(&session, None, pb::View::Lean, None, false).unwrap();
    let start = version_of(&watcher.next().await.unwrap().unwrap());
    let before = seen(&session).await;

    store.set_late(true);
    store.unreachable.store(true, Ordering::SeqCst);
    let (token, decision, answer) = next_answer(&session, &tokens);
    let first = session
        .submit(token, decision, &answer, pb::View::Lean)
        .unwrap();
    let (other, next_decision, next) = next_answer(&session, &tokens);
    let second = session
        .submit(other, next_decision, &next, pb::View::Lean)
        .unwrap();
    store.lose();
    for lost in [first, second] {
        let refused = timeout(SOON, lost.settle()).await.unwrap();
        assert_eq!(refused.unwrap_err(), Error::StoreUnavailable);
    }
    assert_eq!(
        session.observe(None, pb::View::Lean).unwrap_err(),
        Error::StoreUnavailable
    );

    store.set_late(false);
    store.unreachable.store(false, Ordering::SeqCst);
    timeout(SOON, async {
        while session.observe(None, pb::View::Lean).is_err() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await
    .unwrap();
    assert_eq!(
        seen(&session).await,
        before,
        "the session is as it was stored"
    );

    let reply = session
        .submit(token, decision, &answer, pb::View::Lean)
        .unwrap();
    let reply = reply_of(reply).await;
    assert_eq!(reply.version, start + 1);
    let update = timeout(SOON, watcher.next())
        .await
        .unwrap()
        .unwrap()
        .unwrap();
    assert_eq!(
        version_of(&update),
        start + 1,
        "the watcher never saw what was lost"
    );
}

#[tokio::test]
async fn a_write_by_somebody_else_is_noticed() {
    let store = Arc::new(Tricky::default());
    let (session, tokens) = game(Arc::clone(&store)).await;
    let (token, decision, answer) = next_answer(&session, &tokens);
    let Answer::Id(id) = answer else {
        unreachable!()
    };
    let seat = seen(&session).await.decision.unwrap().seats[0];
    // The same answer, written past the session: as another node would.
    let written = LogEntry::Ply(Ply::now(
        Entry::Action(Seat(u8::try_from(seat).unwrap()), ActionId(id)),
        Duration::ZERO,
    ));
    let nobody: Weak<Session> = Weak::new();
    let past = store.stored.log(session.id(), nobody);
    let done = past.append(2, written, Standing::NEW);
    assert_eq!(done, Append::Done(Ok(())));

    let refused = session.submit(token, decision, &answer, pb::View::Lean);
    assert_eq!(refused.map(drop).unwrap_err(), Error::StoreUnavailable);
    let reply = timeout(SOON, async {
        loop {
            match session.submit(token, decision, &answer, pb::View::Lean) {
                Ok(reply) => return reply_of(reply).await,
                Err(_) => tokio::time::sleep(Duration::from_millis(5)).await,
            }
        }
    });
    let reply = reply.await.unwrap();
    assert_eq!(
        reply.version, 4,
        "the answer counts once: by whomever it was written"
    );
    assert_eq!(store.stored.load(session.id()).unwrap().log.len(), 3);
}

fn santorini() -> NewSession {
    NewSession {
        game: "santorini".to_owned(),
        seats: None,
        options: None,
        seed: None,
        clock: None,
        private: false,
        request: None,
    }
}

#[tokio::test]
async fn a_session_that_is_called_for_by_many_is_loaded_once() {
    let store = Arc::new(Tricky::default());
    let before = Arc::new(Registry::new(house(store.clone())));
    let id = before.create(santorini()).await.unwrap().session.id();
    let registry = Arc::new(Registry::new(house(store.clone())));
    let mut calls = tokio::task::JoinSet::new();
    for nth in 0..32 {
        let registry = Arc::clone(&registry);
        let call = calls.spawn(async move { registry.find(&id.to_string(), None).await });
        if nth % 4 == 0 {
            // Also where those who came first give up.
            tokio::task::yield_now().await;
            call.abort();
        }
    }
    let mut found = Vec::new();
    while let Some(session) = calls.join_next().await {
        found.extend(session.ok().map(Result::unwrap));
    }
    assert!(found.len() >= 24);
    assert!(
        found.iter().all(|session| Arc::ptr_eq(session, &found[0])),
        "all play at one table"
    );
    let loads = store.loads.load(Ordering::SeqCst);
    assert!(
        loads <= 1 + 8,
        "once, and once more for each that gave up: {loads}"
    );
    let again = registry.find(&id.to_string(), None).await.unwrap();
    assert!(Arc::ptr_eq(&again, &found[0]));
    assert_eq!(
        store.loads.load(Ordering::SeqCst),
        loads,
        "it stays in memory"
    );
}

#[tokio::test]
async fn a_session_whose_creator_goes_away_is_one_all_the_same() {
    let store = Arc::new(Tricky::default());
    store.creates_late.store(true, Ordering::SeqCst);
    let registry = Arc::new(Registry::new(house(store.clone())));
    let creating = registry.create(santorini());
    assert!(
        timeout(A_WHILE, creating).await.is_err(),
        "it waits for the commit"
    );
    // Meanwhile somebody has found it in a list, and plays.
    let listed = store.list(u64::MAX, 10).unwrap();
    let early = registry
        .find(&listed[0].id.to_string(), None)
        .await
        .unwrap();
    early
        .join(None, None, None)
        .unwrap()
        .settle()
        .await
        .unwrap();
    for created in store.medium.created.lock().drain(..) {
        created.send(Ok(())).unwrap();
    }
    tokio::time::sleep(A_WHILE).await;
    let now = registry
        .find(&listed[0].id.to_string(), None)
        .await
        .unwrap();
    assert!(Arc::ptr_eq(&early, &now), "nobody takes its place");
}

#[tokio::test]
async fn a_repeated_answer_is_found_while_the_table_goes_on() {
    let store = Arc::new(Tricky::default());
    let (session, tokens) = game(Arc::clone(&store)).await;
    let mut given = Vec::new();
    for _ in 0..8 {
        let (token, decision, answer) = next_answer(&session, &tokens);
        let reply = session
            .submit(token, decision, &answer, pb::View::Full)
            .unwrap();
        let reply = reply_of(reply).await;
        given.push((token, decision, answer, reply));
    }
    for (token, decision, answer, reply) in given {
        let again = session
            .submit(token, decision, &answer, pb::View::Full)
            .unwrap();
        // It is not yet found, and nobody waits for it.
        let (mover, open, next) = next_answer(&session, &tokens);
        let moved = session.submit(mover, open, &next, pb::View::Lean).unwrap();
        reply_of(moved).await;
        let again = reply_of(again).await;
        assert_eq!(again, reply);
    }
}

/// A table at which every answer panics.
#[derive(Debug)]
struct Booby;

impl Table for Booby {
    fn ply(&self) -> u32 {
        0
    }
    fn entries(&self) -> &[Entry] {
        &[]
    }
    fn to_act(&self) -> SeatSet {
        SeatSet::only(Seat(0))
    }
    fn decision_number(&self, _: Viewer) -> u64 {
        1
    }
    fn outcome(&self) -> Option<pb::Outcome> {
        None
    }
    fn open_information(&self) -> bool {
        true
    }
    fn options(&self) -> pb::Options {
        pb::Options::default()
    }
    fn observation(&self, _: Viewer) -> pb::Observation {
        pb::Observation::default()
    }
    fn legal_actions(&self, _: Seat) -> Vec<pb::LegalAction> {
        Vec::new()
    }
    fn legal_action_ids(&self, _: Seat) -> Vec<u32> {
        Vec::new()
    }
    fn events(&self, _: Viewer) -> Vec<pb::Event> {
        Vec::new()
    }
    fn state(&self) -> pb::State {
        pb::State::default()
    }
    fn state_hash(&self) -> StateHash {
        StateHash([0; 32])
    }
    fn action(&self, _: ActionId) -> Option<pb::Action> {
        None
    }
    fn read(&self, _: &Answer) -> Result<ActionId, Error> {
        Ok(ActionId(0))
    }
    fn submit(&mut self, _: Seat, _: ActionId) -> Result<(), Error> {
        panic!("a fault in the rules")
    }
    fn resign(&mut self, _: Seat) -> Result<(), Error> {
        Ok(())
    }
    fn earlier(&self, _: Seat, _: u64) -> Earlier {
        Box::new(|| None)
    }
    fn bot_turn(&self, _: Seat, _: HouseBot) -> BotTurn {
        Box::new(|| None)
    }
    fn reseeds(&self) -> &[Reseed] {
        &[]
    }
    fn fork(&self, _: u32, _: Seed) -> Forking {
        Box::new(|| Ok(Box::new(Self)))
    }
    fn imagine(&self, _: Seat, _: Seed) -> Forking {
        Box::new(|| Ok(Box::new(Self)))
    }
    fn as_drawn(&self) -> Option<Box<dyn Table>> {
        None
    }
}

static BOOBY: GameEntry = GameEntry {
    id: "booby",
    info: <Santorini as Game>::INFO,
    catalog: pb::Game::default,
    open: |_| Ok(Box::new(Booby)),
};

/// A session with one seat, in which whatever is answered panics.
pub(super) fn booby(house: &Arc<House>) -> Arc<Session> {
    let header = Header {
        serial: 1,
        game: "booby".to_owned(),
        opening: Opening {
            rules_version: 1,
            options: pb::Options::default(),
            seats: 1,
            seed: Seed([0; 32]),
            reseeds: Vec::new(),
            entries: Vec::new(),
        },
        seed_given: false,
        nonce: Nonce::new(),
        clock: None,
        host: Token::new().hash(),
        join: None,
        request: None,
        create_time: SystemTime::now(),
        fork: None,
    };
    let id = SessionId::new();
    let Commit::Done(done) = house.store().create(id, header.clone()) else {
        unreachable!()
    };
    done.unwrap();
    let state = State::new(&BOOBY, &header).unwrap();
    Session::at(id, header, &BOOBY, Arc::clone(house), state)
}

#[tokio::test]
async fn a_table_that_panics_freezes_its_session_only() {
    let house = house(Arc::new(MemoryStore::default()));
    let session = booby(&house);
    let token = Some(
        session
            .join(None, None, None)
            .unwrap()
            .settle()
            .await
            .unwrap()
            .token
            .hash(),
    );
    let mut watcher = Watcher::new(&session, None, pb::View::Full, None, false).unwrap();
    watcher.next().await.unwrap().unwrap();

    let refused = session.submit(token, 1, &Answer::Id(0), pb::View::Full);
    assert_eq!(refused.map(drop).unwrap_err(), Error::Internal);
    assert_eq!(
        session.observe(None, pb::View::Full).map(drop).unwrap_err(),
        Error::Internal
    );
    assert_eq!(
        timeout(SOON, watcher.next())
            .await
            .unwrap()
            .unwrap()
            .unwrap_err(),
        Error::Internal
    );
    assert!(watcher.next().await.is_none());

    let new = NewSession {
        game: "santorini".to_owned(),
        seats: None,
        options: None,
        seed: None,
        clock: None,
        private: false,
        request: None,
    };
    let registry = Arc::new(Registry::new(house));
    let other = registry.create(new).await.unwrap().session;
    let joined = other.join(None, None, None).unwrap();
    joined.settle().await.unwrap();
}
