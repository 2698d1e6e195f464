//! Where the Automa explores and places its cubes (12).

use tavola_engine::games::council_of_shadows::components::{Galaxy, Station};
use tavola_engine::games::council_of_shadows::{Event, Party};

use crate::automa::{AUTOMA, acts};
use crate::scenario::*;

/// The planets on which the Automa places cubes with this card, in order, at this level.
fn placed(
    id: &str,
    level: u8,
    tiles: &[(&str, &str)],
    cubes: &[(&str, u8, u8)],
    change: impl FnOnce(&mut Table),
) -> (Table, Vec<String>) {
    let table = acts(id, |table| {
        table.lay(|public, _, hidden| {
            lay_tiles(public, hidden, tiles, &[]);
            public.parties[0].supply = 30;
            let automa = &mut public.parties[usize::from(AUTOMA)];
            (automa.level, automa.supply, automa.consumption) = (level, 30, 200);
            for &(planet, party, count) in cubes {
                put(public, planet, party, count);
            }
        });
        change(table);
    });
    let placed = table.told.iter().filter_map(|(_, event)| match event {
        Event::CubesPlaced {
            party: Party(AUTOMA),
            space,
            planet,
            ..
        } => Some(format!("{}/{planet}", short(*space))),
        _ => None,
    });
    let placed = placed.collect();
    (table, placed)
}

/// The first planet that it settles with au_10, which aims for parsec 3, at level 2.
fn first(tiles: &[(&str, &str)], cubes: &[(&str, u8, u8)]) -> String {
    placed("au_10", 2, tiles, cubes, |_| ()).1[0].clone()
}

#[test]
fn galaxies_that_it_does_not_lead_come_first() {
    let tiles = [("pc_1", "p1_01"), ("as_1", "p3_04")];
    assert_eq!(first(&tiles, &[("as_1/0", AUTOMA, 1)]), "pc_1/0");
    assert_eq!(
        first(&tiles, &[("as_1/0", AUTOMA, 1), ("as_1/1", A, 1)]),
        "as_1/2",
        "a tie is no lead"
    );
}

#[test]
fn then_where_the_fewest_cubes_are_missing() {
    let tiles = [("pc_1", "p1_01"), ("as_1", "p3_04"), ("vm_1", "p3_08")];
    let cubes = [("as_1/0", A, 1), ("vm_1/0", A, 2), ("vm_1/1", AUTOMA, 1)];
    // as_1 lacks two, violet_maw two, parvus_corta one.
    assert_eq!(first(&tiles, &cubes), "pc_1/0");
}

#[test]
fn then_the_highest_high_value() {
    let tiles = [("pc_1", "p1_01"), ("cd_1", "p2_09"), ("vm_1", "p3_08")];
    assert_eq!(first(&tiles, &[]), "vm_1/0");
    // Amber_spiral has the higher low value too; with equal needs the high value decides.
    let tiles = [("vm_1", "p3_08"), ("as_1", "p3_04")];
    assert_eq!(first(&tiles, &[]), "as_1/0");
}

#[test]
fn then_the_lowest_space_and_planet() {
    let tiles = [("cd_2", "p2_02"), ("cd_4", "p2_09")];
    assert_eq!(first(&tiles, &[]), "cd_2/0");
    assert_eq!(first(&tiles, &[("cd_2/0", A, 1)]), "cd_2/1");
    let taken = [("cd_2/0", A, 1), ("cd_2/1", A, 1), ("cd_2/2", A, 1)];
    assert_eq!(first(&tiles, &taken), "cd_4/0");
}

#[test]
fn among_galaxies_that_it_leads_the_highest_comes_first() {
    let tiles = [("pc_1", "p1_01"), ("vc_1", "p2_07"), ("as_1", "p3_04")];
    let cubes = [
        ("pc_1/0", AUTOMA, 1),
        ("vc_1/0", AUTOMA, 2),
        ("as_1/0", AUTOMA, 3),
    ];
    assert_eq!(first(&tiles, &cubes), "as_1/1");
}

#[test]
fn a_relay_of_a_human_is_one_more_to_beat() {
    let tiles = [("pc_1", "p1_01"), ("as_1", "p3_04")];
    let (_, with_relay) = placed("au_10", 2, &tiles, &[], |table| {
        table.lay(|public, _, _| {
            public.setup.stations = true;
            station(public, A, Station::Relay, Galaxy::AmberSpiral);
        });
    });
    assert_eq!(with_relay[0], "pc_1/0", "amber_spiral lacks two");
    assert_eq!(first(&tiles, &[]), "as_1/0");
}

#[test]
fn planets_with_cubes_are_closed_to_it() {
    let tiles = [("pc_1", "p1_01")];
    let (table, planets) = placed(
        "au_04",
        0,
        &tiles,
        &[("pc_1/0", A, 1), ("pc_1/1", AUTOMA, 1)],
        |_| (),
    );
    assert!(planets.is_empty(), "{planets:?}");
    // 1 for each settle, 2 of the card, 5 of the difficulty, and the low value of parvus_corta.
    assert_eq!(table.energy(AUTOMA), 3 + 1 + 1 + 2 + 5 + 1);
}

/// One planet of each type, of which the first `taken` are not free.
fn adapts(level: u8, taken: usize) -> Vec<String> {
    let cubes = [("ur_1/0", A, 1), ("ur_1/1", A, 1), ("ur_1/2", A, 1)];
    // umber_reach takes three parties; for the choice of planets it doesn't matter.
    placed(
        "au_08",
        level,
        &[("ur_1", "p1_06")],
        &cubes[..taken],
        |_| (),
    )
    .1
}

#[test]
fn its_adaptability_follows_its_level() {
    let none: [&str; 0] = [];
    assert_eq!(adapts(0, 0), ["ur_1/0"]);
    assert_eq!(adapts(0, 1), none, "earth-like only");
    assert_eq!(adapts(1, 1), ["ur_1/1"], "desert from level 1");
    assert_eq!(adapts(1, 2), none, "no volcano yet");
    assert_eq!(adapts(2, 2), ["ur_1/2"], "all from level 2");
    assert_eq!(adapts(4, 2), ["ur_1/2"]);
}

#[test]
fn its_target_is_the_parsec_of_its_card_within_its_level() {
    let tiles = [("pc_1", "p1_01"), ("vc_1", "p2_07"), ("as_1", "p3_04")];
    // The highest galaxy in reach is chosen: all lack one cube.
    for (id, level, planet) in [
        ("au_10", 0, "pc_1/0"),
        ("au_10", 1, "vc_1/0"),
        ("au_10", 2, "as_1/0"),
        ("au_10", 5, "as_1/0"),
        ("au_12", 2, "vc_1/0"),
        ("au_12", 5, "vc_1/0"),
        ("au_04", 2, "pc_1/0"),
    ] {
        let (_, planets) = placed(id, level, &tiles, &[], |_| ());
        assert_eq!(planets[0], planet, "{id} at level {level}");
    }
}

/// A level reached on the way widens what it may settle, but not how far it reaches.
#[test]
fn the_target_is_fixed_when_its_actions_begin_but_adaptability_is_not() {
    let tiles = [("ur_1", "p1_09"), ("vc_1", "p2_07")];
    let (table, planets) = placed("au_10", 0, &tiles, &[("ur_1/0", A, 1)], |table| {
        table.give(AUTOMA, |board| (board.energy, board.consumption) = (39, 40));
    });
    // The first settle finds no earth-like planet: 1 energy, and level 1. The second takes the
    // desert; verdant_coil stays out of reach.
    assert_eq!(planets, ["ur_1/1"]);
    assert_eq!(table.party(AUTOMA).level, 1);
}

/// It explores with this card at this level, on a board that is empty but for this.
fn explores(id: &str, level: u8, tiles: &[(&str, &str)], tops: &[&str]) -> Table {
    acts(id, |table| {
        table.lay(|public, _, hidden| {
            lay_tiles(public, hidden, tiles, tops);
            public.parties[0].supply = 30;
            let automa = &mut public.parties[usize::from(AUTOMA)];
            (automa.level, automa.supply, automa.consumption) = (level, 30, 200);
        });
    })
}

#[test]
fn it_explores_the_farthest_stack_in_reach_to_the_lowest_space() {
    let table = explores("au_05", 2, &[], &["p3_08"]);
    assert_eq!(table.tile_on("vm_1"), "p3_08");
    let placed = Event::CubesPlaced {
        party: Party(AUTOMA),
        space: space_named("vm_1"),
        planet: 0,
        cubes: 1,
    };
    assert!(table.heard(&placed), "the lowest legal planet");
    let table = explores("au_05", 1, &[("vc_1", "p2_01")], &["p2_07"]);
    assert_eq!(table.tile_on("vc_2"), "p2_07", "the lowest free space");
    // Without a tile in parsec 3 it is parsec 2.
    let table = acts("au_05", |table| {
        table.lay(|public, _, hidden| {
            lay_tiles(public, hidden, &[], &["p2_07"]);
            public.parties[0].supply = 30;
            public.parties[1].level = 2;
            hidden.tile_stacks[2].clear();
        });
    });
    assert_eq!(table.tile_on("vc_1"), "p2_07");
}

#[test]
fn it_draws_one_tile_and_returns_none() {
    let table = explores("au_11", 0, &[], &["p1_07", "p1_05"]);
    assert_eq!(table.tile_on("pc_1"), "p1_07");
    let stack = &table.game.hidden().tile_stacks[0];
    assert_eq!((stack.len(), stack[0]), (11, tile("p1_05")));
    assert!(table.heard(&Event::TilesDrawn {
        party: Party(AUTOMA),
        parsec: 1,
        count: 1
    }));
}

#[test]
fn without_a_cube_exploring_gives_the_yield_in_energy() {
    // Gems count 1, 2 and 3.
    for (id, level, worth) in [("p1_07", 0, 3), ("p2_09", 1, 3), ("p3_05", 2, 7)] {
        let table = acts("au_05", |table| {
            table.lay(|public, _, hidden| {
                lay_tiles(public, hidden, &[], &[id]);
                let automa = &mut public.parties[usize::from(AUTOMA)];
                (automa.level, automa.supply, automa.consumption) = (level, 0, 200);
            });
        });
        let gains: Vec<u16> = table
            .told
            .iter()
            .filter_map(|(_, event)| match event {
                &Event::EnergyGained { party, energy } if party == Party(AUTOMA) => Some(energy),
                _ => None,
            })
            .collect();
        // Then 2 for each found, and 2 of the card with 5 of the difficulty in one gain.
        assert_eq!(gains, [worth, 2, 2, 7], "{id}");
    }
}
