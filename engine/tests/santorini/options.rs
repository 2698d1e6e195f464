//! The options (section 2): defaults, limits, what each changes.

use tavola_engine::games::santorini::{
    God, GodPool, Options, PieceSupply, Pieces, Santorini, StartPlayer, Supply,
};
use tavola_engine::{Chance, Cx, Game, OptionsError, Playthrough, Seat, Seed};

fn start(options: Options) -> Result<Playthrough<Santorini>, OptionsError> {
    Playthrough::start(options, 2, Seed::from_number(1), None)
}

#[test]
fn the_defaults_are_those_of_the_page() {
    let text = serde_json::to_string(&Options::default()).unwrap();
    assert_eq!(
        text,
        concat!(
            r#"{"god_mode":"draft","fixed_gods":[],"god_pool":"all","challenger":"random","#,
            r#""start_player":"random","chaos_swap":"each_dome","limus_text":"seed","#,
            r#""bia_placement":"free","bia_start":"placement_only","piece_supply":"limited","#,
            r#""banned_pairs":"official","max_moves_per_turn":64,"max_turns":500}"#
        )
    );
}

#[test]
fn options_that_are_left_out_are_the_default_and_unknown_ones_refused() {
    let some: Options =
        serde_json::from_str(r#"{"start_player":{"seat":1},"piece_supply":"unlimited"}"#).unwrap();
    let expected = Options {
        start_player: StartPlayer::Seat(Seat(1)),
        piece_supply: PieceSupply::Unlimited,
        ..Options::default()
    };
    assert_eq!(some, expected);
    assert!(serde_json::from_str::<Options>(r#"{"max_turn":5}"#).is_err());
    assert!(serde_json::from_str::<Options>(r#"{"god_mode":"golden_fleece"}"#).is_err());
    let named: Options = serde_json::from_str(
        r#"{"god_mode":"fixed","fixed_gods":["pan",null],"god_pool":{"custom":["circe"]}}"#,
    )
    .unwrap();
    assert_eq!(named.fixed_gods, [Some(God::Pan), None]);
    assert_eq!(named.god_pool, GodPool::Custom(vec![God::Circe]));
}

#[test]
fn what_is_not_allowed_is_refused_by_name() {
    for max_turns in [0, 1001, u16::MAX] {
        let refused = start(Options {
            max_turns,
            ..Options::without_gods()
        })
        .unwrap_err();
        assert_eq!(refused, OptionsError::new("max_turns", "1 to 1000"));
    }
    let start_player = StartPlayer::Seat(Seat(2));
    let refused = start(Options {
        start_player,
        ..Options::without_gods()
    })
    .unwrap_err();
    assert_eq!(
        refused,
        OptionsError::new("start_player", "random, or a seat from 0 to 1")
    );
    for seats in [0, 1, 5, 255] {
        let refused =
            Playthrough::<Santorini>::start(Options::default(), seats, Seed::from_number(1), None);
        assert_eq!(refused.unwrap_err(), OptionsError::new("seats", "2 to 4"));
    }
    assert!([1, 1000].iter().all(|&max_turns| {
        start(Options {
            max_turns,
            ..Options::without_gods()
        })
        .is_ok()
    }));
}

#[test]
fn the_start_player_places_first() {
    for seat in [Seat(0), Seat(1)] {
        let game = start(Options {
            start_player: StartPlayer::Seat(seat),
            ..Options::without_gods()
        })
        .unwrap();
        let public = game.state().public();
        assert_eq!((public.start_player, public.on_turn), (Some(seat), seat));
    }
}

#[test]
fn a_random_start_player_is_the_first_draw() {
    for seat in [0, 1] {
        let mut chance = Chance::scripted([seat]);
        let game =
            Santorini::new(&Options::without_gods(), 2, &mut Cx::new(&mut chance, None)).unwrap();
        assert_eq!(chance.script_fits(), Ok(()));
        assert_eq!(game.public().start_player, Some(Seat(seat as u8)));
    }
    // A seat that is named leaves nothing to chance.
    let mut chance = Chance::scripted([]);
    let options = Options {
        start_player: StartPlayer::Seat(Seat(1)),
        ..Options::without_gods()
    };
    Santorini::new(&options, 2, &mut Cx::new(&mut chance, None)).unwrap();
    assert_eq!(chance.script_fits(), Ok(()));
}

#[test]
fn the_supply_is_the_box_or_unlimited() {
    let supply = |piece_supply| {
        start(Options {
            piece_supply,
            ..Options::without_gods()
        })
        .unwrap()
        .state()
        .public()
        .supply
    };
    assert_eq!(supply(PieceSupply::Limited), Supply::Limited(Pieces::BOX));
    assert_eq!(supply(PieceSupply::Unlimited), Supply::Unlimited);
}
