//! What is told of a game (section 10.1), in the order in which it happens.

use tavola_engine::games::santorini::{
    DrawReason, Event, Level, Options, Piece, Santorini, Space, StartPlayer, WinReason, Worker,
};
use tavola_engine::{Playthrough, Seat, SeatSet, Seed};

use crate::scenario::{action, events, given};

const P1F: Worker = Worker::from_index(0).unwrap();
const P1M: Worker = Worker::from_index(1).unwrap();
const P2M: Worker = Worker::from_index(3).unwrap();

fn space(name: &str) -> Space {
    name.parse().unwrap()
}

fn won(seat: u8, reason: WinReason) -> Event {
    Event::GameWon {
        winners: SeatSet::only(Seat(seat)),
        reason,
    }
}

#[test]
fn a_turn_tells_the_move_the_build_its_end_and_the_next_beginning() {
    let table =
        given("00000/00000/00000/02000/00000 · P1 none f@b1 m@e1 · P2 none f@e5 m@e4 · to move P1");
    assert_eq!(
        table.told,
        [Event::TurnStarted {
            seat: Seat(0),
            number: 1,
            additional: false
        }]
    );
    let table = table.does("move P1f a1");
    assert_eq!(
        table.told,
        [Event::WorkerMoved {
            worker: P1F,
            from: space("b1"),
            to: space("a1")
        }]
    );
    let table = table.does("build P1f b2 block");
    let built = Event::Built {
        worker: P1F,
        space: space("b2"),
        piece: Piece::Block,
        level: Level::TOP,
    };
    assert_eq!(
        table.told,
        [
            built,
            Event::TurnEnded { seat: Seat(0) },
            Event::TurnStarted {
                seat: Seat(1),
                number: 2,
                additional: false
            }
        ]
    );
}

#[test]
fn a_dome_leaves_the_level_as_it_is() {
    let table =
        given("00000/00000/00000/03000/00000 · P1 none f@b1 m@e1 · P2 none f@e5 m@e4 · to move P1");
    let table = table.does("move P1f a1").does("build P1f b2 dome");
    let built = Event::Built {
        worker: P1F,
        space: space("b2"),
        piece: Piece::Dome,
        level: Level::TOP,
    };
    assert_eq!(table.told[0], built);
}

#[test]
fn a_turn_that_the_end_of_the_game_cuts_off_is_not_told_to_have_ended() {
    let table =
        given("00000/00000/00000/23000/00000 · P1 none f@a2 m@e1 · P2 none f@e5 m@e4 · to move P1");
    let moved = Event::WorkerMoved {
        worker: P1F,
        from: space("a2"),
        to: space("b2"),
    };
    assert_eq!(
        table.does("move P1f b2").told,
        [moved, won(0, WinReason::Level3)]
    );

    let stuck =
        given("00000/00000/00000/wwww0/0w0w0 · P1 none f@a1 m@c1 · P2 none f@e5 m@e4 · to move P1");
    assert_eq!(
        stuck.told,
        [
            Event::TurnStarted {
                seat: Seat(0),
                number: 1,
                additional: false
            },
            won(1, WinReason::NoLegalTurn)
        ]
    );
}

#[test]
fn a_turn_that_would_be_one_too_many_is_not_told_to_have_begun() {
    let table = given(
        "00000/00000/00000/00000/00000 · P1 none f@a1 m@e1 · P2 none f@e5 m@e4 · to move P1 · option max_turns = 1",
    );
    let told = table.does("move P1m e2").does("build P1m e1 block").told;
    let built = Event::Built {
        worker: P1M,
        space: space("e1"),
        piece: Piece::Block,
        level: Level::from_number(1).unwrap(),
    };
    let drawn = Event::GameDrawn {
        reason: DrawReason::MaxTurns,
    };
    assert_eq!(told, [built, Event::TurnEnded { seat: Seat(0) }, drawn]);
}

#[test]
fn a_resignation_tells_who_wins_by_it() {
    let table =
        given("00000/00000/00000/00000/00000 · P1 none f@a1 m@e1 · P2 none f@e5 m@e4 · to move P1");
    assert_eq!(table.resigns(0).told, [won(1, WinReason::Resigned)]);
}

#[test]
fn the_last_worker_placed_begins_the_first_turn() {
    let options = Options {
        start_player: StartPlayer::Seat(Seat(0)),
        ..Options::without_gods()
    };
    let mut log = Vec::new();
    let mut game =
        Playthrough::<Santorini>::start(options, 2, Seed::from_number(0), Some(&mut log)).unwrap();
    let named = Event::StartPlayerNamed { seat: Seat(0) };
    assert_eq!(events(std::mem::take(&mut log)), [named]);
    for (seat, worker) in [(0, "P1f a1"), (0, "P1m b1"), (1, "P2f c1")] {
        game.submit(Seat(seat), action(&format!("place_worker {worker}")), None)
            .unwrap();
    }
    game.submit(Seat(1), action("place_worker P2m d1"), Some(&mut log))
        .unwrap();
    let placed = Event::WorkerPlaced {
        worker: P2M,
        space: space("d1"),
    };
    assert_eq!(
        events(log),
        [
            placed,
            Event::TurnStarted {
                seat: Seat(0),
                number: 1,
                additional: false
            }
        ]
    );
}
