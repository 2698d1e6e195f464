//! The conformance suite, for every option, all ordered pairs of gods, and samples of triples, team
//! line-ups and drafts.

use std::collections::BTreeSet;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use tavola_engine::games::santorini::{
    BannedPairs, BiaPlacement, BiaStart, ChaosSwap, God, GodMode, GodPool, Gods, LimusText,
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
    let held = public.held.map(Gods::len).iter().sum::<u8>();
    let all = public
        .held
        .iter()
        .fold(Gods::NONE, |all, gods| all.or(*gods));
    if held != all.len() {
        return wrong("two players have the same power");
    }
    let chaos = &public.chaos;
    let discards: Gods = chaos.discards.iter().copied().collect();
    let in_play = public.holder(God::Chaos).is_some() && public.start_player.is_some();
    let cards = chaos
        .deck
        .or(discards)
        .or(chaos.face_up.into_iter().collect());
    let owned = all
        .and(Gods::SIMPLE)
        .less(chaos.face_up.into_iter().collect());
    if in_play && cards != Gods::SIMPLE.less(owned) && public.playing.len() as u8 == public.seats {
        return wrong("a card of Chaos is lost");
    }
    if usize::from(cards.len())
        != usize::from(chaos.deck.len())
            + chaos.discards.len()
            + usize::from(chaos.face_up.is_some())
    {
        return wrong("a card of Chaos is in two places");
    }
    if !public.turn.additional && public.turn.moves > public.max_moves_per_turn {
        return wrong("too many moves");
    }
    Ok(())
}

/// No worker ever leaves the board.
fn base_game(state: &Santorini) -> Result<(), String> {
    let public = state.public();
    let on_board = Worker::all().filter(|&worker| public.workers.space_of(worker).is_some());
    if public.turns > 0 && on_board.count() != 4 {
        return Err(format!("a worker is missing: {public:?}"));
    }
    conserved(state)
}

fn check(options: &Options, seeds: std::ops::Range<u64>) -> Report {
    let report = check_game_with(options, 2, seeds.clone(), base_game).unwrap();
    println!("{options:?}: {report:?}");
    assert_eq!(report.games, seeds.end - seeds.start);
    assert_eq!(report.varied, 0, "nothing is hidden");
    assert_eq!(report.longest_list, 25, "the first worker may go anywhere");
    report
}

// Two halves, so that two cores can share them.

#[test]
fn ten_thousand_games_without_gods_first_half() {
    check(&Options::without_gods(), 0..5_000);
}

#[test]
fn ten_thousand_games_without_gods_second_half() {
    check(&Options::without_gods(), 5_000..10_000);
}

/// Games with these gods, added up.
#[derive(Default)]
struct Sum {
    games: u64,
    plies: u64,
    longest_game: u32,
    longest_list: usize,
}

impl Sum {
    fn add(&mut self, options: &Options, seats: u8, seeds: std::ops::Range<u64>) {
        let report = check_game_with(options, seats, seeds, conserved).unwrap();
        self.games += report.games;
        self.plies += report.plies;
        self.longest_game = self.longest_game.max(report.longest_game);
        self.longest_list = self.longest_list.max(report.longest_list);
    }

    fn print(&self, what: &str) {
        let Self {
            games,
            plies,
            longest_game,
            longest_list,
        } = self;
        println!(
            "{what}: {games} games, {plies} plies, the longest {longest_game}, the longest list {longest_list}"
        );
    }
}

fn fixed(gods: &[God]) -> Options {
    Options {
        god_mode: GodMode::Fixed,
        fixed_gods: gods.iter().copied().map(Some).collect(),
        ..Options::default()
    }
}

/// All ordered pairs with one of these gods in the first seat.
fn pairs(gods: &[God]) {
    let mut sum = Sum::default();
    for (nth, &first) in (0..).zip(gods) {
        for (mth, second) in (0..).zip(God::ALL) {
            if first != second {
                let seed = 2 * (nth * 31 + mth);
                sum.add(&fixed(&[first, second]), 2, seed..seed + 2);
            }
        }
    }
    sum.print("ordered pairs");
    assert_eq!(sum.games, gods.len() as u64 * 2 * 29);
}

#[test]
fn ordered_pairs_of_gods_1_to_10() {
    pairs(&God::ALL[..10]);
}

#[test]
fn ordered_pairs_of_gods_11_to_20() {
    pairs(&God::ALL[10..20]);
}

#[test]
fn ordered_pairs_of_gods_21_to_30() {
    pairs(&God::ALL[20..]);
}

/// The seed of the samples.
const SAMPLE_SEED: u64 = 20_250_131;

/// Line-ups for so many seats, so that each god comes up about equally often.
fn line_ups(seats: u8, count: usize) -> Vec<Vec<God>> {
    println!("sample seed {SAMPLE_SEED}");
    let mut dice = StdRng::seed_from_u64(SAMPLE_SEED + u64::from(seats));
    let mut gods: Vec<God> = Gods::fitting(seats).iter().collect();
    let mut line_ups = BTreeSet::new();
    while line_ups.len() < count {
        gods.shuffle(&mut dice);
        for line_up in gods.chunks_exact(seats.into()) {
            line_ups.insert(line_up.to_vec());
        }
    }
    line_ups.into_iter().collect()
}

#[test]
fn a_sample_of_triples() {
    let mut sum = Sum::default();
    for (seed, gods) in (0..).zip(line_ups(3, 300)) {
        sum.add(&fixed(&gods), 3, seed..seed + 1);
    }
    sum.print("triples");
    assert!(sum.games >= 300);
}

#[test]
fn a_sample_of_team_line_ups() {
    let mut sum = Sum::default();
    for (seed, gods) in (0..).zip(line_ups(4, 300)) {
        sum.add(&fixed(&gods), 4, seed..seed + 1);
    }
    sum.print("teams");
    assert!(sum.games >= 300);
}

#[test]
fn drafts_with_the_default_options() {
    for seats in 2..=4 {
        let mut sum = Sum::default();
        sum.add(&Options::default(), seats, 0..50);
        sum.print(&format!("drafts, {seats} seats"));
    }
}

#[test]
fn random_gods_with_every_other_option() {
    let with_chaos = vec![God::Bia, God::Limus, God::Chaos, God::Dionysus, God::Pan];
    let mut sum = Sum::default();
    for god_pool in [GodPool::Simple, GodPool::Custom(with_chaos)] {
        for seats in 2..=4 {
            let options = Options {
                god_mode: GodMode::Random,
                god_pool: god_pool.clone(),
                chaos_swap: ChaosSwap::AfterTurn,
                limus_text: LimusText::Revised,
                bia_placement: BiaPlacement::Perimeter,
                bia_start: BiaStart::StartPlayer,
                piece_supply: PieceSupply::Unlimited,
                banned_pairs: BannedPairs::Recommended,
                max_moves_per_turn: 256,
                max_turns: 30 * u16::from(seats),
                ..Options::default()
            };
            sum.add(&options, seats, 0..10);
        }
    }
    sum.print("random gods");
    assert_eq!(sum.games, 60);
}

#[test]
fn a_start_player_that_is_named() {
    for seat in [Seat(0), Seat(1)] {
        check(
            &Options {
                start_player: StartPlayer::Seat(seat),
                ..Options::without_gods()
            },
            0..50,
        );
    }
}

#[test]
fn an_unlimited_supply() {
    check(
        &Options {
            piece_supply: PieceSupply::Unlimited,
            ..Options::without_gods()
        },
        0..50,
    );
}

#[test]
fn a_short_game_lasts_exactly_as_long_as_its_bound() {
    for max_turns in [1, 2, 7] {
        let options = Options {
            max_turns,
            ..Options::without_gods()
        };
        let report = check(&options, 0..100);
        assert_eq!(report.longest_game, Santorini::plies_max(&options, 2));
    }
}
