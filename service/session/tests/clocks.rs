//! Clocks in virtual time: exact to their tick, a millisecond.

use tokio::time::advance;

use super::*;
use crate::{
    clock::{Clock, OnExpiry, Pace},
    session::{Created, state::State},
};

const TICK: Duration = Duration::from_millis(1);
const SECOND: Duration = Duration::from_secs(1);

fn per_move(time: Duration, on_expiry: OnExpiry) -> Clock {
    let pace = Pace::PerMove(time);
    Clock { pace, on_expiry }
}

fn bank(bank: Duration, increment: Duration, on_expiry: OnExpiry) -> Clock {
    let pace = Pace::Bank { bank, increment };
    Clock { pace, on_expiry }
}

/// A started game with clocks over a store; players at all seats.
struct Clocked {
    store: Arc<Tricky>,
    session: Arc<Session>,
    tokens: Vec<Option<TokenHash>>,
    /// Holds the session's house.
    registry: Arc<Registry>,
}

impl Clocked {
    async fn santorini(clock: Clock) -> Self {
        Self::start("santorini", 2, clock).await
    }

    async fn start(game: &str, seats: u32, clock: Clock) -> Self {
        let mut clocked = Self::wait_for_players(game, seats, clock).await;
        for _ in 0..seats {
            let joined = clocked.session.join(None, None, None).unwrap();
            let joined = joined.settle().await.unwrap();
            clocked.tokens.push(Some(joined.token.hash()));
        }
        clocked
    }

    async fn wait_for_players(game: &str, seats: u32, clock: Clock) -> Self {
        let store = Arc::new(Tricky::default());
        let registry = Arc::new(Registry::new(house(Arc::clone(&store) as Arc<dyn Store>)));
        let new = NewSession {
            game: game.to_owned(),
            seats: Some(seats),
            options: None,
            seed: Some(0),
            clock: Some(clock.to_pb()),
            private: false,
            request: None,
        };
        let session = registry.create(new).await.unwrap().session;
        Self {
            store,
            session,
            tokens: Vec::new(),
            registry,
        }
    }

    /// Lets clocks strike by themselves, and not only when somebody comes.
    fn keep_clocks(&self) {
        let registry = Arc::clone(&self.registry);
        tokio::spawn(async move { registry.keep_clocks().await });
    }

    fn shown(&self, viewer: Option<usize>) -> pb::GetObservationResponse {
        let token = viewer.and_then(|seat| self.tokens[seat]);
        let settling = self.session.observe(token, pb::View::Lean).unwrap();
        settling.unsettled().into()
    }

    /// What is left for a seat and whether its clock runs; none if it has no clock.
    fn clock(&self, seat: u32) -> Option<(Duration, bool)> {
        let clocks = self.shown(None).clocks;
        let clock = clocks.iter().find(|clock| clock.seat == Some(seat))?;
        let left = clock.remaining.unwrap().try_into().unwrap();
        Some((left, clock.running))
    }

    /// A seat that owes an answer, the decision, and an answer to it.
    fn asked(&self) -> (usize, u64, Answer) {
        let decision = self.shown(None).decision.unwrap();
        let seat = usize::try_from(decision.seats[0]).unwrap();
        let (decision, answer) = self.answer_of(seat);
        (seat, decision, answer)
    }

    fn answer_of(&self, seat: usize) -> (u64, Answer) {
        let shown = self.shown(Some(seat));
        let decision = shown.decision.unwrap().decision_id;
        (decision, Answer::Id(shown.legal_action_ids[0]))
    }

    fn submit(&self, (seat, decision, answer): &(usize, u64, Answer)) -> Result<u64, Error> {
        let settling =
            self.session
                .submit(self.tokens[*seat], *decision, answer, pb::View::Lean)?;
        let reply: pb::SubmitActionResponse = settling.unsettled().at_once()?.into();
        Ok(reply.version)
    }

    fn session(&self) -> pb::Session {
        self.session.describe().unwrap().unsettled()
    }

    fn log(&self) -> Vec<LogEntry> {
        self.store.stored.load(self.session.id()).unwrap().log
    }

    /// The plies of the log that the session chose because a seat was out of time.
    fn out_of_time(&self) -> Vec<Entry> {
        let plies = self.log().into_iter().filter_map(|entry| match entry {
            LogEntry::Ply(ply) if ply.out_of_time => Some(ply.entry),
            _ => None,
        });
        plies.collect()
    }

    /// The session as it would be loaded from the store.
    fn loaded(&self) -> State {
        let stored = self.store.stored.load(self.session.id()).unwrap();
        State::load(self.session.game, &stored).unwrap()
    }
}

/// Time passes, and whoever waits for it has its turn.
async fn pass(time: Duration) {
    advance(time).await;
    for _ in 0..8 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_counts_until_the_last_tick() {
    for struck_by_timer in [false, true] {
        for on_expiry in [
            OnExpiry::Forfeit,
            OnExpiry::RandomAction,
            OnExpiry::HouseBot,
        ] {
            let table = Clocked::santorini(per_move(SECOND, on_expiry)).await;
            if struck_by_timer {
                table.keep_clocks();
            }
            let first = table.asked();
            pass(SECOND - TICK).await;
            let seat = u32::try_from(first.0).unwrap();
            assert_eq!(table.clock(seat), Some((TICK, true)));
            assert_eq!(table.submit(&first), Ok(4), "in the last tick it counts");

            let late = table.asked();
            assert_eq!(
                table.clock(u32::try_from(late.0).unwrap()),
                Some((SECOND, true))
            );
            pass(SECOND).await;
            let refused = table.submit(&late).unwrap_err();
            assert_eq!(refused.reason(), pb::ErrorReason::OutOfTime);
            assert_eq!(table.log().len(), 4, "{on_expiry:?}: the log has it once");
            assert_eq!(
                table.submit(&first),
                Ok(4),
                "what counted before still does"
            );
            let again = table.submit(&late).unwrap_err();
            assert_eq!(
                again.reason(),
                pb::ErrorReason::OutOfTime,
                "and this never will"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_clock_strikes_by_itself_at_its_tick() {
    let table = Clocked::santorini(per_move(SECOND, OnExpiry::RandomAction)).await;
    table.keep_clocks();
    for plies in 0..5 {
        pass(SECOND - TICK).await;
        assert_eq!(table.out_of_time().len(), plies);
        pass(TICK).await;
        assert_eq!(table.out_of_time().len(), plies + 1);
    }
}

#[tokio::test(start_paused = true)]
async fn who_forfeits_has_resigned() {
    let table = Clocked::santorini(per_move(SECOND, OnExpiry::Forfeit)).await;
    table.keep_clocks();
    let (loser, ..) = table.asked();
    pass(SECOND).await;
    let session = table.session();
    assert_eq!(session.status(), pb::SessionStatus::Finished);
    let winner = u32::try_from(1 - loser).unwrap();
    assert_eq!(session.outcome.unwrap().winners, [winner]);
    for (seat, state) in session.seats.iter().enumerate() {
        assert_eq!(
            (state.resigned, state.out_of_time),
            (seat == loser, seat == loser)
        );
    }
    let seat = Seat(u8::try_from(loser).unwrap());
    assert_eq!(table.out_of_time(), [Entry::Resign(seat)]);
    assert_eq!(
        table.clock(winner),
        Some((SECOND, false)),
        "the clocks stand still"
    );
    pass(10 * SECOND).await;
    assert_eq!(table.log().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_random_action_is_legal_is_marked_and_is_not_the_players() {
    let table = Clocked::santorini(per_move(SECOND, OnExpiry::RandomAction)).await;
    table.keep_clocks();
    for _ in 0..20 {
        let (seat, decision, _) = table.asked();
        let legal = table.shown(Some(seat)).legal_action_ids;
        pass(SECOND).await;
        let Some(Entry::Action(by, action)) = table.out_of_time().last().copied() else {
            unreachable!()
        };
        assert_eq!(usize::from(by.0), seat);
        assert!(legal.contains(&action.0));
        let same = (seat, decision, Answer::Id(action.0));
        let refused = table.submit(&same).unwrap_err();
        let expected = pb::ErrorReason::OutOfTime;
        assert_eq!(
            refused.reason(),
            expected,
            "the clock answered, not the player"
        );
        if table.session().status() == pb::SessionStatus::Finished {
            return;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_bank_pays_for_thought_and_is_paid_for_answers() {
    let table = Clocked::santorini(bank(10 * SECOND, 2 * SECOND, OnExpiry::RandomAction)).await;
    table.keep_clocks();
    let mut left = [10 * SECOND; 2];
    for thought in [3, 0, 1, 7, 5, 2] {
        let thought = thought * SECOND + 3 * TICK;
        let asked = table.asked();
        let seat = asked.0;
        pass(thought).await;
        assert_eq!(
            table.clock(u32::try_from(seat).unwrap()),
            Some((left[seat] - thought, true))
        );
        table.submit(&asked).unwrap();
        left[seat] = left[seat] - thought + 2 * SECOND;
        for (seat, left) in (0..).zip(left) {
            assert_eq!(table.clock(seat).unwrap().0, left);
        }
    }
    // An empty bank is filled by its increments alone, and they are spent in full.
    let (seat, ..) = table.asked();
    pass(left[seat]).await;
    assert_eq!(table.out_of_time().len(), 1);
    let number = u32::try_from(seat).unwrap();
    assert_eq!(table.clock(number).unwrap().0, 2 * SECOND);
}

#[tokio::test(start_paused = true)]
async fn without_increment_an_empty_bank_answers_at_once() {
    let table = Clocked::santorini(bank(SECOND, Duration::ZERO, OnExpiry::RandomAction)).await;
    table.keep_clocks();
    // Both banks run out in the end, and the game is played out without anybody there.
    for _ in 0..1_000 {
        pass(SECOND).await;
        if table.session().status() == pb::SessionStatus::Finished {
            let waited = table
                .log()
                .into_iter()
                .filter(|entry| matches!(entry, LogEntry::Ply(ply) if !ply.elapsed.is_zero()));
            assert!(waited.count() <= 2, "time was up once for each seat");
            return;
        }
    }
    unreachable!("the game goes on for ever");
}

#[tokio::test(start_paused = true)]
async fn a_house_bot_takes_over_for_good() {
    let table = Clocked::santorini(per_move(SECOND, OnExpiry::HouseBot)).await;
    table.keep_clocks();
    let mut watcher = Watcher::new(&table.session, None, pb::View::Full, None, false).unwrap();
    let before = version_of(&watcher.next().await.unwrap().unwrap());
    let late = table.asked();
    let number = u32::try_from(late.0).unwrap();
    pass(SECOND).await;
    let update = watcher.next().await.unwrap().unwrap();
    assert_eq!(
        version_of(&update),
        before + 1,
        "it is a version of its own"
    );
    let update = pb::Update::decode(update.1).unwrap();
    assert_eq!(update.events, [], "nothing happened at the table");
    let seat = &update.session.unwrap().seats[late.0];
    assert_eq!(seat.holder(), pb::SeatHolder::Bot);
    assert_eq!(
        (seat.bot.as_str(), seat.resigned, seat.out_of_time),
        ("greedy", false, true)
    );
    assert_eq!(update.clocks.len(), 1, "a house bot has no clock");
    assert_eq!(table.clock(number), None);

    // The decision is open still, but no longer the player's; who may look on.
    assert_eq!(
        table.submit(&late).unwrap_err().reason(),
        pb::ErrorReason::OutOfTime
    );
    let mut plies = 0;
    while table.session().status() != pb::SessionStatus::Finished {
        let asked = table.asked();
        if asked.0 == late.0 {
            let refused = table.submit(&asked).unwrap_err();
            assert_eq!(refused.reason(), pb::ErrorReason::OutOfTime);
            table.session.play_bot();
            let refused = table.submit(&asked).unwrap_err();
            assert_eq!(
                refused.reason(),
                pb::ErrorReason::OutOfTime,
                "nor is its answer"
            );
        } else {
            let version = table.submit(&asked).unwrap();
            assert_eq!(
                table.submit(&asked),
                Ok(version),
                "repeating gets the first reply"
            );
        }
        plies += 1;
    }
    let session = table.session();
    assert!(session.seats.iter().all(|seat| !seat.resigned));
    assert_eq!(session.version, before + 1 + plies);
    assert_eq!(table.loaded().version(), session.version);
}

#[tokio::test(start_paused = true)]
async fn seats_that_decide_at_once_have_a_clock_each() {
    let per_move = per_move(10 * SECOND, OnExpiry::Forfeit);
    let bank = bank(10 * SECOND, SECOND, OnExpiry::Forfeit);
    for clock in [per_move, bank] {
        let table = Clocked::start("council_of_shadows", 3, clock).await;
        table.keep_clocks();
        while table.shown(None).decision.unwrap().seats != [0, 1, 2] {
            table.submit(&table.asked()).unwrap();
        }
        let left = [0, 1, 2].map(|seat| table.clock(seat).unwrap().0);
        pass(3 * SECOND).await;
        let (decision, answer) = table.answer_of(1);
        table.submit(&(1, decision, answer)).unwrap();
        for (seat, left) in [(0, left[0]), (2, left[2])] {
            let expected = (left - 3 * SECOND, true);
            assert_eq!(table.clock(seat), Some(expected), "others run on");
        }
        // Seat 1 answers all that it is asked; the others say nothing.
        while table.shown(None).decision.unwrap().seats.contains(&1) {
            let (decision, answer) = table.answer_of(1);
            table.submit(&(1, decision, answer)).unwrap();
        }
        let first = left[0].min(left[2]);
        pass(first - 3 * SECOND - TICK).await;
        assert_eq!(table.out_of_time(), []);
        pass(left[0].max(left[2]) - first + TICK).await;
        let mut out = table.out_of_time();
        out.sort_by_key(|entry| *entry == Entry::Resign(Seat(2)));
        let expected = [0, 2].map(|seat| Entry::Resign(Seat(seat)));
        assert_eq!(out, expected, "that one is out gives the other no time");
        assert_eq!((table.clock(0), table.clock(2)), (None, None));
    }
}

#[tokio::test(start_paused = true)]
async fn neither_house_bots_nor_those_who_left_have_clocks() {
    let forfeit = per_move(SECOND, OnExpiry::Forfeit);
    let mut table = Clocked::wait_for_players("santorini", 3, forfeit).await;
    table.keep_clocks();
    pass(10 * SECOND).await;
    assert_eq!(table.shown(None).clocks, [], "nobody plays yet");
    let host = table.registry.create(NewSession {
        game: "santorini".to_owned(),
        seats: Some(3),
        options: None,
        seed: Some(0),
        clock: Some(forfeit.to_pb()),
        private: false,
        request: None,
    });
    let Created { session, host, .. } = host.await.unwrap();
    table.session = session;
    let bot = table
        .session
        .add_bot(Some(host.hash()), HouseBot::Random, Some(Seat(0)), None);
    drop(bot.unwrap().unsettled());
    table.tokens.push(None);
    for _ in 1..3 {
        let joined = table.session.join(None, None, None).unwrap().unsettled();
        table.tokens.push(Some(joined.token.hash()));
    }
    let with_clocks = |table: &Clocked| -> Vec<u32> {
        let clocks = table.shown(None).clocks;
        clocks.iter().filter_map(|clock| clock.seat).collect()
    };
    assert_eq!(with_clocks(&table), [1, 2]);
    let mut bots_thought = 0;
    while table.asked_seat() == 0 {
        pass(10 * SECOND).await;
        bots_thought += 1;
        table.session.play_bot();
    }
    drop(table.session.leave(table.tokens[2]).unwrap().unsettled());
    assert_eq!(with_clocks(&table), [1]);
    assert_eq!(table.out_of_time(), [], "{bots_thought}");
}

impl Clocked {
    fn asked_seat(&self) -> u32 {
        self.shown(None).decision.unwrap().seats[0]
    }
}

#[tokio::test(start_paused = true)]
async fn time_stands_still_while_an_answer_is_stored() {
    let table = Clocked::santorini(per_move(SECOND, OnExpiry::Forfeit)).await;
    table.keep_clocks();
    table.store.set_late(true);
    let asked = table.asked();
    pass(SECOND / 2).await;
    table.submit(&asked).unwrap();
    pass(10 * SECOND).await;
    table.store.commit();
    pass(Duration::ZERO).await;
    let next = u32::try_from(table.asked().0).unwrap();
    assert_eq!(
        table.clock(next),
        Some((SECOND, true)),
        "it runs since it could be seen"
    );
    pass(SECOND).await;
    assert_eq!(table.store.waiting(), 1, "and then it strikes");
}

#[tokio::test(start_paused = true)]
async fn time_in_which_the_store_is_gone_is_nobodys() {
    let table = Clocked::santorini(bank(10 * SECOND, SECOND, OnExpiry::Forfeit)).await;
    table.keep_clocks();
    let asked = table.asked();
    let seat = u32::try_from(asked.0).unwrap();
    pass(4 * SECOND).await;
    table.store.set_late(true);
    table.store.unreachable.store(true, Ordering::SeqCst);
    table.submit(&asked).unwrap();
    table.store.lose();
    pass(100 * SECOND).await;
    assert!(table.session.observe(None, pb::View::Lean).is_err());
    table.store.set_late(false);
    table.store.unreachable.store(false, Ordering::SeqCst);
    while table.session.observe(None, pb::View::Lean).is_err() {
        tokio::time::sleep(TICK).await;
    }
    // The thought since the last entry was not stored either: it is given back.
    let (left, running) = table.clock(seat).unwrap();
    assert!(left >= 9 * SECOND && running, "{left:?}");
    assert_eq!(table.out_of_time(), []);
}

#[tokio::test(start_paused = true)]
async fn what_is_loaded_and_what_is_told_again_has_the_same_clocks() {
    for (game, seats) in [("santorini", 2), ("council_of_shadows", 3)] {
        for on_expiry in [OnExpiry::RandomAction, OnExpiry::HouseBot] {
            let clock = bank(3 * SECOND, SECOND, on_expiry);
            let table = Clocked::start(game, seats, clock).await;
            table.keep_clocks();
            let start = table.session().version;
            let as_seat = table.tokens[0];
            let watch =
                |from| Watcher::new(&table.session, as_seat, pb::View::Full, from, false).unwrap();
            let mut watcher = watch(None);
            let mut told = vec![watcher.next().await.unwrap().unwrap()];
            for ply in 0..40_u32 {
                pass(TICK * (ply * 97 % 2_900)).await;
                // What a clock chose may have ended it.
                if table.session().status() == pb::SessionStatus::Finished {
                    break;
                }
                let asked = table.asked();
                if table.submit(&asked).is_err() {
                    table.session.play_bot();
                }
                let version = table.session().version;
                while told.last().unwrap().0 < version {
                    told.push(watcher.next().await.unwrap().unwrap());
                }
                assert_eq!(
                    table
                        .loaded()
                        .now()
                        .shown(Viewer::Spectator, pb::View::Lean),
                    table
                        .session
                        .inside
                        .lock()
                        .state
                        .now()
                        .shown(Viewer::Spectator, pb::View::Lean)
                );
            }
            let entries = table.log();
            let struck = entries.iter().any(|entry| match entry {
                LogEntry::HandedOver(..) => true,
                LogEntry::Ply(ply) => ply.out_of_time,
                _ => false,
            });
            assert!(struck, "{game} {on_expiry:?}: a clock was up");
            let mut again = watch(Some(start));
            for expected in &told[1..] {
                let update = again.next().await.unwrap().unwrap();
                assert_eq!(
                    pb::Update::decode(update.1).unwrap(),
                    pb::Update::decode(expected.1.clone()).unwrap()
                );
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_repeated_answer_gets_the_clocks_of_the_first_reply() {
    let table = Clocked::santorini(bank(10 * SECOND, SECOND, OnExpiry::Forfeit)).await;
    let mut replies = Vec::new();
    for _ in 0..6 {
        pass(SECOND + TICK).await;
        let (seat, decision, answer) = table.asked();
        let submit = move |table: &Clocked| -> pb::SubmitActionResponse {
            let reply = table
                .session
                .submit(table.tokens[seat], decision, &answer, pb::View::Full);
            reply.unwrap().unsettled().at_once().unwrap().into()
        };
        replies.push((submit(&table), submit));
    }
    pass(5 * SECOND).await;
    for (first, submit) in &replies {
        assert_eq!(&submit(&table), first);
    }
}

#[tokio::test]
async fn a_session_without_clocks_shows_none() {
    let store = Arc::new(Tricky::default());
    let (session, tokens) = game(store).await;
    let shown = seen(&session).await;
    assert_eq!(shown.clocks, []);
    let (token, decision, answer) = next_answer(&session, &tokens);
    let reply = session.submit(token, decision, &answer, pb::View::Lean);
    let reply: pb::SubmitActionResponse = reply.unwrap().unsettled().at_once().unwrap().into();
    assert_eq!(reply.clocks, []);
    assert_eq!(session.describe().unwrap().unsettled().clock, None);
}
