//! The conformance suite, for every option.

use tavola_engine::games::santorini::{
    Options, PieceSupply, Pieces, Santorini, StartPlayer, Supply, Worker,
};
use tavola_engine::testing::{Report, check_game_with};
use tavola_engine::{Game, Seat};

/// Nothing is lost, and nobody stands where he can't.
fn conserved(state: &Santorini) -> Result<(), String> {
    let public = state.public();
    let wrong = |what: &str| Err(format!("{what}: {public:?}"));
    if let Supply::Limited(left) = public.supply
        && Pieces::BOX.less(Pieces::on(&public.board)) != Some(left)
    {
        return wrong("pieces are lost");
    }
    let on_board = Worker::all()
        .filter(|&worker| public.workers.space_of(worker).is_some())
        .count();
    if public.workers.spaces().len() as usize != on_board {
        return wrong("two workers share a space");
    }
    if !(public.workers.spaces() & public.board.domes()).is_empty() {
        return wrong("a worker stands on a dome");
    }
    if public.turns > 0 && on_board != 4 {
        return wrong("a worker is missing");
    }
    Ok(())
}

fn check(options: &Options, seeds: std::ops::Range<u64>) -> Report {
    let report = check_game_with(options, 2, seeds.clone(), conserved).unwrap();
    println!("{options:?}: {report:?}");
    assert_eq!(report.games, seeds.end - seeds.start);
    assert_eq!(report.varied, 0, "nothing is hidden");
    assert_eq!(
        report.longest_list,
        Santorini::INFO.legal_max as usize,
        "the first worker may go anywhere"
    );
    report
}

// Two halves, so that two cores can share them.

#[test]
fn ten_thousand_games_with_default_options_first_half() {
    check(&Options::default(), 0..5_000);
}

#[test]
fn ten_thousand_games_with_default_options_second_half() {
    check(&Options::default(), 5_000..10_000);
}

#[test]
fn a_start_player_that_is_named() {
    for seat in [Seat(0), Seat(1)] {
        check(
            &Options {
                start_player: StartPlayer::Seat(seat),
                ..Options::default()
            },
            0..100,
        );
    }
}

#[test]
fn an_unlimited_supply() {
    check(
        &Options {
            piece_supply: PieceSupply::Unlimited,
            ..Options::default()
        },
        0..200,
    );
}

#[test]
fn a_short_game_lasts_exactly_as_long_as_its_bound() {
    for max_turns in [1, 2, 7] {
        let options = Options {
            max_turns,
            ..Options::default()
        };
        let report = check(&options, 0..100);
        assert_eq!(report.longest_game, Santorini::plies_max(&options, 2));
    }
}
