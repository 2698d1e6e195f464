//! How the Automa scores (12).

use tavola_engine::games::council_of_shadows::components::{
    AutomaCard, Galaxy, Numbered, Space, Station,
};
use tavola_engine::games::council_of_shadows::{AutomaMode, Event, Options, Party, ScoringTiming};

use crate::automa::{AUTOMA, acts};
use crate::golden::automa_card;
use crate::scenario::*;

const TILES: [(&str, &str); 7] = [
    ("pc_1", "p1_01"),
    ("ec_1", "p1_08"),
    ("vc_1", "p2_07"),
    ("cd_1", "p2_09"),
    ("cd_2", "p2_02"),
    ("vm_1", "p3_08"),
    ("as_1", "p3_04"),
];

/// Lays out the board with these cubes. Nobody has a cube left to place, and no level is near.
fn lay_out(table: &mut Table, tiles: &[(&str, &str)], cubes: &[(&str, u8, u8)]) {
    table.lay(|public, _, hidden| {
        lay_tiles(public, hidden, tiles, &[]);
        for board in &mut public.parties {
            (board.supply, board.consumption) = (30, 200);
        }
        for &(planet, party, count) in cubes {
            put(public, planet, party, count);
        }
        public.parties.iter_mut().for_each(|board| board.supply = 0);
    });
}

/// The Automa's whole ACT turn with this card.
fn scores(id: &str, cubes: &[(&str, u8, u8)]) -> Table {
    acts(id, |table| lay_out(table, &TILES, cubes))
}

/// A galaxy that was scored, whether high, and the cube removed.
type Scored = (Galaxy, bool, Option<(Space, u8)>);

/// What the Automa has scored, in order.
fn scored(table: &Table, automa: u8) -> Vec<Scored> {
    let scored = table.told.iter().filter_map(|(_, event)| match event {
        &Event::Scored {
            party,
            galaxy,
            high,
            removed,
        } if party == Party(automa) => Some((galaxy, high, removed)),
        _ => None,
    });
    scored.collect()
}

fn galaxies(table: &Table, automa: u8) -> Vec<(Galaxy, bool)> {
    let scored = scored(table, automa).into_iter();
    scored.map(|(galaxy, high, _)| (galaxy, high)).collect()
}

#[test]
fn majorities_come_first_by_high_value_then_the_others_by_low_value() {
    // au_14 scores three galaxies.
    let table = scores(
        "au_14",
        &[
            ("cd_1/0", A, 1),
            ("as_1/0", A, 1),
            ("pc_1/0", AUTOMA, 1),
            ("vc_1/0", AUTOMA, 1),
            ("cd_1/1", AUTOMA, 1),
            ("as_1/1", AUTOMA, 1),
        ],
    );
    assert_eq!(
        galaxies(&table, AUTOMA),
        [
            (Galaxy::VerdantCoil, true),
            (Galaxy::ParvusCorta, true),
            (Galaxy::AmberSpiral, false),
        ],
        "low 6 of amber_spiral before low 4 of cobalt_deep, but after every majority"
    );
    // 2, 2 and 1 for the cubes it can't place, 1 of the card, 5 of the difficulty.
    assert_eq!(table.energy(AUTOMA), 3 + 5 + 1 + 5 + 6 + 3 + 6);
}

#[test]
fn equal_values_are_scored_in_the_order_of_the_galaxies() {
    let options = Options {
        automa: Some(AutomaMode::Normal),
        ..options()
    };
    let automa = 2;
    let mut table = Table::new(&options, 2);
    let tiles = [("ec_1", "p1_08"), ("ur_1", "p1_10"), ("dv_1", "p1_03")];
    lay_out(
        &mut table,
        &tiles,
        &[
            ("ur_1/0", A, 1),
            ("ec_1/0", A, 1),
            ("dv_1/0", A, 1),
            ("ur_1/1", automa, 1),
            ("ec_1/1", automa, 1),
            ("dv_1/1", automa, 1),
        ],
    );
    table.lay(|public, _, _| {
        public.automa_card = Some(automa_card("au_14"));
        public.order = [automa, A, B].map(Party).into_iter().collect();
    });
    table.begin_acting();
    assert_eq!(
        galaxies(&table, automa),
        [
            (Galaxy::EmberCrown, false),
            (Galaxy::UmberReach, false),
            (Galaxy::DuneVeil, false),
        ],
        "low 2, 2 and 1"
    );
}

#[test]
fn it_scores_as_many_galaxies_as_its_card_says() {
    for card in AutomaCard::all() {
        let table = scores(
            &card.to_string(),
            &[
                ("pc_1/0", AUTOMA, 1),
                ("ec_1/0", AUTOMA, 1),
                ("vc_1/0", AUTOMA, 1),
                ("cd_1/0", AUTOMA, 1),
            ],
        );
        let all = [
            Galaxy::CobaltDeep,
            Galaxy::VerdantCoil,
            Galaxy::EmberCrown,
            Galaxy::ParvusCorta,
        ];
        let count = usize::from(card.data().score);
        let first = all[..count].iter().map(|&galaxy| (galaxy, true));
        assert_eq!(
            galaxies(&table, AUTOMA),
            first.collect::<Vec<_>>(),
            "{card}"
        );
        assert_eq!(table.party(AUTOMA).supply, card.data().score, "{card}");
    }
}

#[test]
fn the_lowest_cube_is_removed_each_time() {
    let table = scores(
        "au_08",
        &[
            ("cd_2/0", AUTOMA, 1),
            ("cd_1/2", AUTOMA, 1),
            ("cd_1/1", AUTOMA, 1),
        ],
    );
    let removed = Some((space_named("cd_1"), 1));
    assert_eq!(
        scored(&table, AUTOMA),
        [(Galaxy::CobaltDeep, true, removed)]
    );
    assert_eq!(table.cubes("cd_1/1", AUTOMA), 0);
    assert_eq!(table.public().board.cubes_of(Party(AUTOMA)), 2);
}

#[test]
fn bonus_flags_and_card_effects_mean_nothing_to_it() {
    let with_cards = |cubes: &[(&str, u8, u8)]| {
        acts("au_14", |table| {
            lay_out(table, &TILES, cubes);
            table.lay(|public, _, hidden| {
                for id in ["dt2_dominion", "dt2_holdfast", "dt2_overclock"] {
                    own_dark_tech(public, hidden, AUTOMA, id);
                }
            });
        })
    };
    let table = with_cards(&[("vm_1/0", AUTOMA, 1), ("vc_1/0", AUTOMA, 2)]);
    let removed = |space| Some((space_named(space), 0));
    assert_eq!(
        scored(&table, AUTOMA),
        [
            (Galaxy::VioletMaw, true, removed("vm_1")),
            (Galaxy::VerdantCoil, true, removed("vc_1")),
        ],
        "both have the bonus flag, and dt2_holdfast keeps no cube"
    );
    assert_eq!(table.party(AUTOMA).bonus_held(), 0);
    assert_eq!(table.game.hidden().bonus_deck.len(), 18);
    let drawn = |event: &Event| matches!(event, Event::BonusDrawn { .. });
    assert!(!table.told.iter().any(|(_, event)| drawn(event)));
    assert_eq!(
        table.energy(AUTOMA),
        3 + 5 + 1 + 5 + 10 + 6,
        "dt2_dominion adds nothing"
    );

    let tied = with_cards(&[("vm_1/0", AUTOMA, 1), ("vm_1/1", A, 1)]);
    assert_eq!(galaxies(&tied, AUTOMA), [(Galaxy::VioletMaw, false)]);
}

#[test]
fn after_all_it_scores_in_its_place_of_the_scoring_sequence() {
    for (timing, high) in [
        (ScoringTiming::PerPlayer, true),
        (ScoringTiming::AfterAll, false),
    ] {
        let mut table = acts("au_08", |table| {
            lay_out(table, &TILES, &[("ec_1/0", AUTOMA, 1), ("pc_1/0", A, 1)]);
            table.lay(|public, _, hidden| {
                public.setup.scoring_timing = timing;
                public.parties[0].supply = 1;
                lay_card(public, hidden, A, 1, "s_settle");
            });
        });
        assert_eq!(
            scored(&table, AUTOMA).len(),
            usize::from(timing == ScoringTiming::PerPlayer),
            "{timing:?}: A has not acted yet"
        );
        table.play(A, "ec_1/1");
        assert_eq!(
            galaxies(&table, AUTOMA),
            [(Galaxy::EmberCrown, high)],
            "{timing:?}: A's cube makes it a tie"
        );
        assert!(table.may(A, "score pc_1/0"), "A's own scoring follows");
    }
    // Behind A in the order it scores behind A too.
    let mut table = acts("au_08", |table| {
        lay_out(table, &TILES, &[("ec_1/0", AUTOMA, 1), ("ec_1/1", A, 1)]);
        table.lay(|public, _, _| {
            public.setup.scoring_timing = ScoringTiming::AfterAll;
            public.order = [A, AUTOMA].map(Party).into_iter().collect();
        });
    });
    assert_eq!(scored(&table, AUTOMA), []);
    table.play(A, "score ec_1/1");
    assert_eq!(galaxies(&table, AUTOMA), [(Galaxy::EmberCrown, true)]);
}

#[test]
fn a_relay_turns_its_majority_into_the_low_value() {
    let table = acts("au_14", |table| {
        lay_out(
            table,
            &TILES,
            &[
                ("as_1/0", AUTOMA, 2),
                ("as_1/1", A, 1),
                ("pc_1/0", AUTOMA, 1),
            ],
        );
        table.lay(|public, _, _| {
            public.setup.stations = true;
            station(public, A, Station::Relay, Galaxy::AmberSpiral);
        });
    });
    assert_eq!(
        galaxies(&table, AUTOMA),
        [(Galaxy::ParvusCorta, true), (Galaxy::AmberSpiral, false)]
    );
}
