//! The set-up cases of section 13.3, and what else sections 2 and 4 say of drafts and gods.

use tavola_engine::games::santorini::{
    BannedPairs, BiaPlacement, BiaStart, Challenger, God, GodMode, GodPool, Gods, Options,
    Santorini, Stage, StartPlayer, WinReason,
};
use tavola_engine::{Chance, Cx, Game, OptionsError, Seat, SeatSet, Seed, Viewer};

use crate::scenario::Table;

fn try_start(options: &Options, seats: u8) -> Result<Table, OptionsError> {
    let mut chance = Chance::at_ply(Seed::from_number(3), 0);
    let state = Santorini::new(options, seats, &mut Cx::new(&mut chance, None))?;
    Ok(Table {
        state,
        told: Vec::new(),
    })
}

fn start(options: &Options, seats: u8) -> Table {
    try_start(options, seats).unwrap()
}

fn fixed(gods: &[God], start_player: u8) -> Options {
    Options {
        god_mode: GodMode::Fixed,
        fixed_gods: gods.iter().copied().map(Some).collect(),
        start_player: StartPlayer::Seat(Seat(start_player)),
        ..Options::default()
    }
}

fn draft(challenger: u8) -> Options {
    Options {
        challenger: Challenger::Seat(Seat(challenger)),
        ..Options::default()
    }
}

/// Who is to act, with the number of options.
fn asked(table: &Table) -> (u8, usize) {
    (table.state.public().on_turn.0, table.legal().len())
}

/// Places all workers on the lowest spaces that are open, and gives who placed which with how many
/// options.
fn place_all(mut table: Table) -> (Table, Vec<String>) {
    let mut placed = Vec::new();
    while let Stage::Placing { worker } = table.state.public().stage {
        let (seat, options) = asked(&table);
        placed.push(format!("{seat} {worker} {options}"));
        let first = table.legal()[0].clone();
        table = table.does(&first);
    }
    (table, placed)
}

#[test]
fn s1_draft_order() {
    let table = start(&draft(1), 3);
    assert_eq!(asked(&table), (1, 27));
    let table = table.does("offer_god pan").does("offer_god atlas");
    assert_eq!(asked(&table), (1, 25));
    let table = table.does("offer_god bia");
    assert_eq!(asked(&table), (2, 3));
    let table = table.does("take_god atlas");
    assert_eq!(asked(&table), (0, 2));
    let table = table
        .offers(&["take_god pan", "take_god bia"])
        .does("take_god pan");
    let public = table.state.public();
    let gods = [0, 1, 2].map(|seat| public.powers_of(Seat(seat)));
    assert_eq!(gods, [God::Pan, God::Bia, God::Atlas].map(Gods::only));
    assert_eq!(public.on_turn, Seat(1));
    let table = table.offers(&[
        "name_start_player 0",
        "name_start_player 1",
        "name_start_player 2",
    ]);
    let table = table.does("name_start_player 2");
    assert_eq!(table.state.public().start_player, Some(Seat(2)));
}

#[test]
fn s2_eligibility() {
    let offered = |seats| start(&draft(0), seats).legal();
    let listed = |seats, god: &str| offered(seats).contains(&format!("offer_god {god}"));
    assert_eq!([2, 3, 4].map(|seats| offered(seats).len()), [30, 27, 28]);
    assert_eq!(
        ["chronus", "circe", "aphrodite"].map(|god| listed(4, god)),
        [false, false, true]
    );
    assert_eq!(
        ["chronus", "circe", "aphrodite"].map(|god| listed(3, god)),
        [false; 3]
    );
}

#[test]
fn s3_placing_two_players() {
    let (table, placed) = place_all(start(&fixed(&[God::Pan, God::Atlas], 1), 2));
    assert_eq!(placed, ["1 P2f 25", "1 P2m 24", "0 P1f 23", "0 P1m 22"]);
    table.turn_of(1);
}

#[test]
fn s4_bia() {
    let options = fixed(&[God::Pan, God::Bia], 0);
    let (table, placed) = place_all(start(&options, 2));
    assert_eq!(placed, ["1 P2f 25", "1 P2m 24", "0 P1f 23", "0 P1m 22"]);
    table.turn_of(0);
    let starts = Options {
        bia_start: BiaStart::StartPlayer,
        ..options.clone()
    };
    let (table, placed) = place_all(start(&starts, 2));
    assert_eq!(placed[0], "1 P2f 25");
    table.turn_of(1);
    let perimeter = Options {
        bia_placement: BiaPlacement::Perimeter,
        ..options
    };
    let (_, placed) = place_all(start(&perimeter, 2));
    assert_eq!(placed[..2], ["1 P2f 16", "1 P2m 15"]);
}

#[test]
fn s5_eros() {
    let table = || start(&fixed(&[God::Eros, God::Pan], 0), 2).offers_number(16);
    let places = |spaces: &[&str]| -> Vec<String> {
        let place = |space: &&str| format!("place_worker P1m {space}");
        spaces.iter().map(place).collect()
    };
    let north = ["a5", "b5", "c5", "d5", "e5"];
    assert_eq!(table().does("place_worker P1f c1").legal(), places(&north));
    let both = ["e1", "e2", "e3", "e4", "a5", "b5", "c5", "d5", "e5"];
    assert_eq!(table().does("place_worker P1f a1").legal(), places(&both));
}

#[test]
fn s6_chaos() {
    let table = start(&fixed(&[God::Chaos, God::Pan], 0), 2);
    for viewer in [
        Viewer::Seat(Seat(0)),
        Viewer::Seat(Seat(1)),
        Viewer::Spectator,
    ] {
        let chaos = &table.state.seen(viewer).public.chaos;
        let face_up = chaos.face_up.unwrap();
        assert_eq!(chaos.deck.len(), 8);
        assert!(!chaos.deck.contains(God::Pan) && !chaos.deck.contains(face_up));
    }
    let mut orders: Vec<Vec<God>> = (0..20)
        .map(|seed| {
            let mut chance = Chance::at_ply(Seed::from_number(seed), 0);
            let seen = table.state.seen(Viewer::Seat(Seat(0)));
            Santorini::determinize(seen, &mut chance)
                .chaos_deck()
                .collect()
        })
        .collect();
    orders.sort_unstable();
    orders.dedup();
    assert!(orders.len() > 15, "every order is possible: {orders:?}");
}

#[test]
fn r51_chaos_deck_holds_the_simple_gods_that_nobody_owns() {
    let table = start(&fixed(&[God::Chaos, God::Pan, God::Hermes], 0), 3);
    let chaos = &table.state.public().chaos;
    let all = chaos.deck.with(chaos.face_up.unwrap());
    assert_eq!(all, Gods::SIMPLE.without(God::Pan).without(God::Hermes));
    assert_eq!(
        table.state.public().powers_of(Seat(0)),
        Gods::only(God::Chaos).with(chaos.face_up.unwrap())
    );
}

#[test]
fn s7_teams() {
    let gods = [God::Pan, God::Atlas, God::Demeter, God::Hermes];
    let (mut table, placed) = place_all(start(&fixed(&gods, 0), 4));
    assert_eq!(placed, ["0 P1f 25", "0 P1m 24", "1 P2f 23", "1 P2m 22"]);
    for seat in [2, 3, 0, 1] {
        table = table.turn_of(seat);
        while table.state.public().on_turn == Seat(seat) {
            let last = table.legal().last().unwrap().clone();
            table = table.does(&last);
        }
    }
}

#[test]
fn s8_recommended_bans() {
    let after_eros = |banned_pairs| {
        let options = Options {
            banned_pairs,
            ..draft(0)
        };
        let table = start(&options, 2).does("offer_god eros");
        table.legal().contains(&"offer_god circe".to_owned())
    };
    assert!(!after_eros(BannedPairs::Recommended));
    assert!(after_eros(BannedPairs::Official));
    assert!(after_eros(BannedPairs::Off));
}

#[test]
fn s9_fixed_gods() {
    let with = |fixed_gods: &[Option<God>]| Options {
        god_mode: GodMode::Fixed,
        fixed_gods: fixed_gods.to_vec(),
        ..Options::default()
    };
    let (pan, atlas) = (Some(God::Pan), Some(God::Atlas));
    assert!(try_start(&with(&[pan, None]), 2).is_ok());
    assert!(try_start(&with(&[None, None]), 2).is_ok());
    let circe_and_eros = with(&[Some(God::Circe), Some(God::Eros)]);
    assert!(try_start(&circe_and_eros, 2).is_ok());
    let recommended = Options {
        banned_pairs: BannedPairs::Recommended,
        ..circe_and_eros
    };
    let without_mode = Options {
        fixed_gods: vec![pan, atlas],
        ..Options::default()
    };
    for (options, seats) in [
        (with(&[pan, atlas, Some(God::Circe)]), 3),
        (with(&[pan, atlas, None]), 3),
        (with(&[pan, pan]), 2),
        (with(&[pan]), 2),
        (with(&[pan, atlas, Some(God::Hera)]), 2),
        (with(&[]), 2),
        (recommended, 2),
        (without_mode, 2),
    ] {
        let refused = try_start(&options, seats).unwrap_err();
        assert_eq!(refused.field, "fixed_gods", "{options:?}");
        assert!(!refused.allowed.is_empty());
    }
}

#[test]
fn s10_no_stuck_draft() {
    let with = |gods: &[God], banned_pairs| Options {
        god_pool: GodPool::Custom(gods.to_vec()),
        banned_pairs,
        ..draft(0)
    };
    let pair = [God::Circe, God::Eros];
    let refused = try_start(&with(&pair, BannedPairs::Recommended), 2).unwrap_err();
    assert_eq!(refused.field, "god_pool");
    assert!(try_start(&with(&pair, BannedPairs::Official), 2).is_ok());
    let three = with(&[God::Circe, God::Eros, God::Pan], BannedPairs::Recommended);
    start(&three, 2)
        .does("offer_god circe")
        .offers(&["offer_god pan"]);
    start(&three, 2)
        .does("offer_god pan")
        .offers(&["offer_god circe", "offer_god eros"]);
}

#[test]
fn r70_a_pick_that_leaves_no_full_offer_is_not_listed() {
    // Three are needed of four, and two of them never meet: either may come, but not both.
    let options = Options {
        god_pool: GodPool::Custom(vec![God::Circe, God::Eros, God::Pan]),
        banned_pairs: BannedPairs::Recommended,
        ..draft(0)
    };
    start(&options, 2)
        .offers(&["offer_god pan", "offer_god circe", "offer_god eros"])
        .does("offer_god eros")
        .offers(&["offer_god pan"]);
    // Without a ban the number of gods alone decides.
    for (pool, seats, legal) in [(2, 3, false), (3, 3, true), (3, 4, false), (4, 4, true)] {
        let options = Options {
            god_pool: GodPool::Custom(God::ALL[..pool].to_vec()),
            ..draft(0)
        };
        assert_eq!(try_start(&options, seats).is_ok(), legal);
    }
}

#[test]
fn s11_bia_starts_in_every_mode() {
    let with = |options| Options {
        bia_start: BiaStart::StartPlayer,
        ..options
    };
    let (table, placed) = place_all(start(&with(fixed(&[God::Pan, God::Bia], 0)), 2));
    assert_eq!(placed[0], "1 P2f 25");
    table.turn_of(1);
    let gods = [God::Pan, God::Atlas, God::Demeter, God::Bia];
    let (table, placed) = place_all(start(&with(fixed(&gods, 0)), 4));
    assert_eq!(placed, ["3 P2f 25", "3 P2m 24", "0 P1f 23", "0 P1m 22"]);
    table.turn_of(1);
    let table = start(&with(draft(0)), 2)
        .does("offer_god bia")
        .does("offer_god pan")
        .does("take_god bia");
    assert_eq!(asked(&table), (1, 25), "no D3");
    let random = Options {
        god_mode: GodMode::Random,
        god_pool: GodPool::Custom(vec![God::Bia, God::Pan]),
        ..with(Options::default())
    };
    let public = start(&random, 2).state.public().clone();
    assert_eq!(public.start_player, public.holder(God::Bia));
}

#[test]
fn s12_resigning_three_players() {
    let gods = [God::Pan, God::Atlas, God::Demeter];
    let (table, _) = place_all(start(&fixed(&gods, 1), 3));
    let moved = || {
        let table = Table {
            state: table.state.clone(),
            told: Vec::new(),
        };
        let first = table.legal()[0].clone();
        table.turn_of(1).does(&first)
    };
    let after = moved().resigns(1);
    let board = after.state.public().board.to_string();
    assert_eq!(board, "00000/00000/00000/00000/00000", "no build");
    let workers = &after.state.public().workers;
    let side = after.state.public().side_of(Seat(1));
    assert!(workers.spaces_of_side(side).is_empty());
    let after = after.turn_of(2);
    after.resigns(0).won_by(2, WinReason::LastSide);

    let mut other = moved().resigns(2);
    assert_eq!(
        other.state.public().on_turn,
        Seat(1),
        "seat 1 goes on with its build"
    );
    while other.state.public().on_turn == Seat(1) {
        let first = other.legal()[0].clone();
        other = other.does(&first);
    }
    other.turn_of(0).resigns(1).won_by(0, WinReason::LastSide);
}

#[test]
fn section_11_chance_decides_for_who_leaves_during_the_set_up_of_three() {
    for seat in 0..3 {
        let table = start(&draft(seat), 3);
        let mut state = table.state;
        let mut chance = Chance::at_ply(Seed::from_number(9), 1);
        state.resign(Seat(seat), &mut Cx::new(&mut chance, None));
        while state.public().stage.is_set_up() {
            let acting = state.public().on_turn;
            assert_ne!(acting, Seat(seat), "chance decides for him");
            let legal = Santorini::legal_actions(state.seen(Viewer::Seat(acting)));
            state.apply_unchecked(acting, legal[0], &mut Cx::new(&mut chance, None));
        }
        let public = state.public();
        assert_eq!(public.playing, SeatSet::first(3).without(Seat(seat)));
        assert!(
            public
                .workers
                .spaces_of_side(public.side_of(Seat(seat)))
                .is_empty()
        );
        assert!(public.powers_of(Seat(seat)).is_empty());
        assert_eq!(public.turns, 1);
    }
}

#[test]
fn section_4_1_draws_come_in_the_order_of_the_page() {
    // The Challenger.
    let mut chance = Chance::scripted([1]);
    let table = Santorini::new(&Options::default(), 2, &mut Cx::new(&mut chance, None)).unwrap();
    assert_eq!(chance.script_fits(), Ok(()));
    assert_eq!(table.public().challenger, Some(Seat(1)));
    // The gods in the order of the card numbers, the Start Player, the deck of nine: eight draws.
    let options = Options {
        god_mode: GodMode::Random,
        ..Options::default()
    };
    let draws = [13, 0, 1].into_iter().chain((1..9).rev());
    let mut chance = Chance::scripted(draws);
    let table = Santorini::new(&options, 2, &mut Cx::new(&mut chance, None)).unwrap();
    assert_eq!(chance.script_fits(), Ok(()));
    let public = table.public();
    assert!(public.powers_of(Seat(0)).contains(God::Chaos));
    assert_eq!(public.powers_of(Seat(1)), Gods::only(God::Apollo));
    assert_eq!(public.start_player, Some(Seat(1)));
    // Each item changed places with itself, so the last card number is on top.
    assert_eq!(public.chaos.face_up, Some(God::Prometheus));
}

#[test]
fn options_of_gods_are_refused_by_name() {
    let refused = |options: Options, seats| try_start(&options, seats).unwrap_err();
    for seats in [3, 4] {
        assert_eq!(refused(Options::without_gods(), seats).field, "god_mode");
    }
    assert_eq!(
        refused(draft(2), 2),
        OptionsError::new("challenger", "random, or a seat from 0 to 1")
    );
    for max_moves_per_turn in [0, 63, 257] {
        let options = Options {
            max_moves_per_turn,
            ..Options::default()
        };
        assert_eq!(
            refused(options, 2),
            OptionsError::new("max_moves_per_turn", "64 to 256")
        );
    }
    for seats in 2..=4 {
        assert!(try_start(&Options::default(), seats).is_ok());
    }
}
