//! Clocks over a real server: who is too late, by how little; who is gone; and what everybody is shown of it.

use std::{
    env,
    time::{Duration, Instant},
};

use tavola::pb::v1::{
    Clock, ClockBank, ClockExpiry, ClockPerMove, CreateSessionRequest, ErrorReason,
    GetReplayRequest, GetReplayResponse, SeatClock, SeatHolder, SessionStatus, View, clock::Pace,
    replay_step, submit_action_request::Answer,
};

use crate::common::{
    DataFolder, Dice, Server, Sessions, Table, asked_seat, eventually, refusal, refused, santorini,
};

const EXPIRIES: [ClockExpiry; 3] = [
    ClockExpiry::RandomAction,
    ClockExpiry::Forfeit,
    ClockExpiry::HouseBot,
];

fn pb_time(time: Duration) -> prost_types::Duration {
    time.try_into().expect("a time of a test is short")
}

fn per_move(time: Duration, on_expiry: ClockExpiry) -> Clock {
    Clock {
        pace: Some(Pace::PerMove(ClockPerMove {
            time: Some(pb_time(time)),
        })),
        on_expiry: on_expiry.into(),
    }
}

fn bank(bank: Duration, increment: Duration, on_expiry: ClockExpiry) -> Clock {
    Clock {
        pace: Some(Pace::Bank(ClockBank {
            bank: Some(pb_time(bank)),
            increment: Some(pb_time(increment)),
        })),
        on_expiry: on_expiry.into(),
    }
}

fn clocked(request: CreateSessionRequest, clock: Clock) -> CreateSessionRequest {
    CreateSessionRequest {
        clock: Some(clock),
        ..request
    }
}

fn left(clock: &SeatClock) -> Duration {
    let remaining = clock.remaining.expect("a clock shows what is left");
    remaining.try_into().expect("never less than nothing")
}

/// What became of an answer that was sent at about the moment in which time was up.
struct Trial {
    seat: usize,
    decision: u64,
    action: u32,
    accepted: bool,
    answered_in: Duration,
}

/// Answers as the time runs out until the game is over, a seat is out of it, or `trials` are through.
async fn cut_it_fine(table: &Table, trials: usize, dice: &mut Dice) -> Vec<Trial> {
    let mut tried = Vec::new();
    while tried.len() < trials {
        let seen = table.observe(None, View::Lean).await;
        let Some(seat) = asked_seat(seen.decision.as_ref()) else {
            break;
        };
        let mine = table.observe(Some(seat), View::Lean).await;
        let now = Instant::now();
        let clock = mine.clocks.iter().find(|clock| clock.running);
        let (Some(decision), Some(clock), Some(action)) =
            (mine.decision, clock, mine.legal_action_ids.first())
        else {
            // Time was up between the two looks.
            continue;
        };
        let decision = decision.decision_id;
        let offset = Duration::from_micros(dice.next() % 100_000);
        let moment = now + left(clock) + offset;
        let moment = moment.checked_sub(Duration::from_millis(50)).unwrap();
        tokio::time::sleep_until(moment.into()).await;
        let sent = Instant::now();
        let answer = table
            .submit(seat, decision, Answer::ActionId(*action))
            .await;
        let answered_in = sent.elapsed();
        let accepted = match answer {
            Ok(_) => true,
            Err(status) => {
                let refusal = refusal(&status);
                assert_eq!(refusal.reason, ErrorReason::OutOfTime, "{status}");
                false
            }
        };
        tried.push(Trial {
            seat,
            decision,
            action: *action,
            accepted,
            answered_in,
        });
        if !accepted && table.session().await.seats[seat].out_of_time {
            break;
        }
    }
    tried
}

/// Holds what became of the answers to what the log says.
fn check_log(trial: &Trial, on_expiry: ClockExpiry, replay: &GetReplayResponse) {
    // One seat at a time decides here, so each decision has the number of the ply that answers it.
    let ply = usize::try_from(trial.decision).unwrap();
    let step = &replay.steps[ply];
    let seat = step.seat.map(|seat| usize::try_from(seat).unwrap());
    if trial.accepted || on_expiry != ClockExpiry::HouseBot {
        assert_eq!(seat, Some(trial.seat), "decision {ply}");
    }
    let by_player = step.entry == Some(replay_step::Entry::ActionId(trial.action));
    match (trial.accepted, on_expiry) {
        (true, _) => assert!(by_player && !step.out_of_time, "{step:?}"),
        (false, ClockExpiry::RandomAction) => assert!(step.out_of_time, "{step:?}"),
        (false, ClockExpiry::Forfeit) => {
            let resigned = matches!(step.entry, Some(replay_step::Entry::Resignation(_)));
            assert!(resigned && step.out_of_time, "{step:?}");
        }
        // What the house bot did, or the other player before it could; the session says that it has taken over.
        (false, _) => assert!(!step.out_of_time, "{step:?}"),
    }
}

/// F54: an answer within 50 ms of the end of its time is accepted or too late, never both, and never left without a
/// reply; and the log agrees. `TAVOLA_CLOCK_TRIALS` says how many answers; 2000 is the long form.
#[tokio::test]
async fn an_answer_at_the_last_moment_counts_or_is_too_late() {
    const AT_ONCE: usize = 12;
    let trials: usize = env::var("TAVOLA_CLOCK_TRIALS")
        .map_or(300, |trials| trials.parse().expect("it is a number"));
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let mut players = Vec::new();
    for number in 0..AT_ONCE {
        let (client, mut dice) = (client.clone(), dice.split());
        let on_expiry = EXPIRIES[number % EXPIRIES.len()];
        players.push(tokio::spawn(async move {
            let mut tried = Vec::new();
            while tried.len() < trials.div_ceil(AT_ONCE) {
                let clock = per_move(Duration::from_millis(120), on_expiry);
                let table = Table::start(&client, clocked(santorini(), clock)).await;
                let more = trials.div_ceil(AT_ONCE) - tried.len();
                let here = cut_it_fine(&table, more, &mut dice).await;
                for seat in 0..2 {
                    // Whoever is out of time already, or plays a game that is over, has no more to leave.
                    let _ = table.leave(seat).await;
                }
                eventually("the end of the game", async || {
                    let session = table.session().await;
                    (session.status() == SessionStatus::Finished).then_some(())
                })
                .await;
                let session = table.session().await;
                let replay = table.replay(GetReplayRequest::default()).await.unwrap();
                for trial in &here {
                    check_log(trial, on_expiry, &replay);
                    if !trial.accepted && on_expiry == ClockExpiry::HouseBot {
                        assert!(session.seats[trial.seat].out_of_time);
                    }
                }
                tried.extend(here);
            }
            tried
        }));
    }
    let mut tried = Vec::new();
    for player in players {
        tried.extend(player.await.unwrap());
    }
    let accepted = tried.iter().filter(|trial| trial.accepted).count();
    let mut times: Vec<_> = tried.iter().map(|trial| trial.answered_in).collect();
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    println!(
        "{} answers, {accepted} accepted; replies in {:?} (median), {:?} (99 %), {:?} (all)",
        tried.len(),
        at(50),
        at(99),
        at(100)
    );
    let late = tried.len() - accepted;
    assert!(accepted > 0 && late > 0, "both happened");
    assert!(at(50) <= Duration::from_millis(100), "replies come at once");
}

/// F56: whoever loses the connection keeps the game, and whoever polls is there.
#[tokio::test]
async fn a_lost_connection_ends_no_game() {
    let server = Server::start(&[]);
    let clock = bank(
        Duration::from_secs(60),
        Duration::ZERO,
        ClockExpiry::Forfeit,
    );
    let client = server.sessions().await;
    let mut table = Table::start(&client, clocked(santorini(), clock)).await;
    let mut dice = Dice::new();
    let watching = table.watch(Some(0), View::Full).await;
    let playing = crate::common::Player::at(&table, 1).await;
    table.play_plies(&mut dice, 4).await;
    let before = table.observe(None, View::Lean).await;
    drop((watching, playing, client));
    // No connection is left at all.
    table.client = server.sessions().await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    let after = table.observe(None, View::Lean).await;
    assert_eq!(
        (after.version, after.status()),
        (before.version, SessionStatus::Running)
    );
    for (before, after) in before.clocks.iter().zip(&after.clocks) {
        let spent = left(before) - left(after);
        let running = after.running;
        assert_eq!(
            spent >= Duration::from_millis(200),
            running,
            "the clock goes on, alone"
        );
        assert!(running || spent.is_zero());
    }
    // Unary calls alone are enough to play to the end.
    table.play_out(&mut dice).await;
    let session = table.session().await;
    assert!(
        session
            .seats
            .iter()
            .all(|seat| !seat.resigned && !seat.out_of_time)
    );
}

/// O2: time in which the server is down is nobody's, however it went: no clock loses more than what the server served.
#[tokio::test]
async fn o2_a_restart_in_the_middle_of_a_game_costs_nobody_any_time() {
    const DOWN: Duration = Duration::from_secs(2);
    const BANK: Duration = Duration::from_secs(30);
    let folder = DataFolder::new();
    let mut server = folder.serve(&[]);
    let mut dice = Dice::new();
    let bank = bank(BANK, Duration::ZERO, ClockExpiry::Forfeit);
    let mut table = Table::start(&server.sessions().await, clocked(santorini(), bank)).await;
    let began = Instant::now();
    let mut down = Duration::ZERO;
    for orderly in [true, false, true] {
        table.play_plies(&mut dice, 3).await;
        let before = table.observe(None, View::Lean).await;
        if orderly {
            server.terminate();
            assert!(server.exit(crate::common::PATIENCE).await.success());
        } else {
            server.kill();
        }
        let gone = Instant::now();
        tokio::time::sleep(DOWN).await;
        down += gone.elapsed();
        let back = Instant::now();
        server = folder.serve(&[]);
        table.client = server.sessions().await;
        let after = table.observe(None, View::Lean).await;
        let served = back.elapsed();
        assert_eq!(
            (after.version, after.status()),
            (before.version, before.status())
        );
        for (before, after) in before.clocks.iter().zip(&after.clocks) {
            assert_eq!(before.running, after.running);
            let (was, is) = (left(before), left(after));
            let drift = was.abs_diff(is);
            println!("{was:?} before, {is:?} after {served:?} of service");
            // What ran between the last look and the end is all that a crash may lose or give back.
            assert!(drift <= served + Duration::from_millis(50), "{drift:?}");
            assert!(after.running || drift.is_zero());
        }
    }
    table.play_out(&mut dice).await;
    let session = table.session().await;
    assert!(session.seats.iter().all(|seat| !seat.out_of_time));
    let spent: Duration = table
        .observe(None, View::Lean)
        .await
        .clocks
        .iter()
        .map(|clock| BANK - left(clock))
        .sum();
    assert!(
        spent <= began.elapsed() - down + Duration::from_millis(150),
        "{spent:?}"
    );
}

/// A player who never answers holds up nobody, in any game; all watch it happen.
#[tokio::test]
async fn who_never_answers_holds_up_nobody() {
    // Games without anybody who thinks are fast.
    let server = Server::start(&["--watcher-lag-max", "4096"]);
    let client = server.sessions().await;
    for (game, seats) in [
        ("santorini", 2),
        ("citadels", 3),
        ("shadow_hunters", 4),
        ("council_of_shadows", 2),
        ("under_falling_skies", 1),
    ] {
        for on_expiry in EXPIRIES {
            let request = CreateSessionRequest {
                game: game.to_owned(),
                seats: Some(seats),
                ..Default::default()
            };
            let clock = bank(Duration::from_millis(20), Duration::ZERO, on_expiry);
            let table = silent_player(&client, clocked(request, clock)).await;
            let mut watching = table.watch(None, View::Lean).await;
            let updates = watching.rest().await;
            let last = updates.last().unwrap();
            assert_eq!(
                last.status(),
                SessionStatus::Finished,
                "{game} {on_expiry:?}"
            );
            let session = last.session.clone().unwrap();
            let silent = &session.seats[0];
            let outcome = last.outcome.clone().unwrap();
            match on_expiry {
                ClockExpiry::Forfeit => {
                    assert!(silent.resigned && silent.out_of_time);
                    assert!(
                        !outcome.winners.contains(&0),
                        "{game}: who forfeits cannot win"
                    );
                }
                ClockExpiry::HouseBot => {
                    assert!(!silent.resigned && silent.out_of_time);
                    assert_eq!(silent.holder(), SeatHolder::Bot);
                }
                _ => assert!(!silent.resigned && !silent.out_of_time),
            }
            for (before, after) in updates.iter().zip(&updates[1..]) {
                assert_eq!(after.version, before.version + 1);
            }
            assert!(last.clocks.iter().all(|clock| !clock.running));
            let again = table.resume(None, View::Lean, updates[0].version).await;
            let again = again.unwrap().rest().await;
            assert_eq!(again, updates[1..], "{game}: it is told again as it was");
        }
    }
}

/// A game against house bots, with a player at seat 0 who says nothing.
async fn silent_player(client: &Sessions, request: CreateSessionRequest) -> Table {
    let mut table = Table::create(client, request).await;
    table.join().await;
    for _ in 1..table.session().await.seats.len() {
        table.add_bot("random").await;
    }
    table
}

#[tokio::test]
async fn every_reply_and_update_shows_the_clocks() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let bank = bank(
        Duration::from_secs(60),
        Duration::from_secs(1),
        ClockExpiry::Unspecified,
    );
    let table = Table::start(&client, clocked(santorini(), bank)).await;
    let clock = table.session().await.clock.unwrap();
    assert_eq!(
        clock.on_expiry(),
        ClockExpiry::Forfeit,
        "the default is told"
    );
    let mut watching = table.watch(None, View::Lean).await;
    let mut update = watching.next().await;
    let mut dice = Dice::new();
    for _ in 0..10 {
        let asked = asked_seat(update.decision.as_ref()).unwrap();
        assert_eq!(update.clocks.len(), 2);
        for (seat, clock) in update.clocks.iter().enumerate() {
            assert_eq!(clock.seat, Some(u32::try_from(seat).unwrap()));
            assert_eq!(clock.running, seat == asked);
        }
        for viewer in [None, Some(0), Some(1)] {
            for view in [View::Lean, View::Full] {
                let seen = table.observe(viewer, view).await.clocks;
                for (now, then) in seen.iter().zip(&update.clocks) {
                    assert_eq!((now.seat, now.running), (then.seat, then.running));
                    assert!(left(now) <= left(then));
                }
            }
        }
        let Some(reply) = table.play_ply(&mut dice).await else {
            return;
        };
        update = watching.next().await;
        assert_eq!(reply.clocks, update.clocks, "everybody is told the same");
    }
}

#[tokio::test]
async fn a_clock_that_cannot_be_is_refused_with_its_field() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let second = Duration::from_secs(1);
    let unknown = Clock {
        on_expiry: 9,
        ..per_move(second, ClockExpiry::Forfeit)
    };
    for (clock, field) in [
        (Clock::default(), "clock.pace"),
        (unknown, "clock.on_expiry"),
        (
            per_move(Duration::from_millis(9), ClockExpiry::Forfeit),
            "clock.per_move.time",
        ),
        (
            per_move(Duration::from_micros(100_500), ClockExpiry::Forfeit),
            "clock.per_move.time",
        ),
        (
            bank(8 * 86_400 * second, second, ClockExpiry::Forfeit),
            "clock.bank.bank",
        ),
        (
            bank(second, 2 * 86_400 * second, ClockExpiry::Forfeit),
            "clock.bank.increment",
        ),
    ] {
        let created = client
            .clone()
            .create_session(clocked(santorini(), clock))
            .await;
        let refusal = refused(created, ErrorReason::MalformedRequest);
        assert_eq!(refusal.violations[0].0, field);
    }
}
