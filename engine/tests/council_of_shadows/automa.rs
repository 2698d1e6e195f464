//! The Automa (12): each of its cards in the position of G36, the market of G37, and what else its
//! rules say.

use tavola_engine::games::council_of_shadows::components::{
    AutomaCard, Difficulty, Galaxy, Numbered, Set, Station,
};
use tavola_engine::games::council_of_shadows::{AutomaMode, Event, Options, Party};

use crate::golden::{automa_card, solo};
use crate::scenario::*;

pub(crate) const AUTOMA: u8 = 1;

/// The Automa's ACT turn with this card, in the position of G36.
pub(crate) fn acts(id: &str, change: impl FnOnce(&mut Table)) -> Table {
    let mut table = solo();
    table.lay(|public, _, hidden| {
        hidden.automa_deck.retain(|card| card.to_string() != id);
        public.automa_card = Some(automa_card(id));
        public.order = [Party(AUTOMA), Party(A)].into_iter().collect();
    });
    change(&mut table);
    table.begin_acting();
    table
}

#[track_caller]
fn g36(id: &str, tile: &str, cubes: &[(&str, u8)], energy: u16) {
    let table = acts(id, |_| ());
    assert_eq!(table.tile_on("ec_2"), tile, "{id}");
    for &(planet, count) in cubes {
        assert_eq!(table.cubes(planet, AUTOMA), count, "{id}: {planet}");
    }
    let all: u8 = cubes.iter().map(|&(_, count)| count).sum();
    assert_eq!(table.public().board.cubes_of(Party(AUTOMA)), all, "{id}");
    assert_eq!(table.energy(AUTOMA), energy, "{id}");
}

#[test]
fn g36_each_card() {
    let tile = "p1_05";
    g36("au_01", "-", &[("ec_1/2", 2)], 14);
    g36("au_02", tile, &[("ec_2/0", 1)], 15);
    g36("au_03", tile, &[("ec_1/1", 1), ("ec_2/0", 1)], 16);
    g36("au_04", "-", &[("ec_1/2", 1)], 15);
    g36(
        "au_05",
        tile,
        &[("pc_1/1", 1), ("ec_1/1", 1), ("ec_2/0", 1)],
        18,
    );
    g36("au_06", tile, &[("ec_2/0", 1)], 16);
    g36("au_07", tile, &[("ec_1/1", 1), ("ec_2/0", 1)], 14);
    g36("au_08", "-", &[], 13);
    g36("au_09", tile, &[("ec_1/1", 1), ("ec_2/0", 1)], 15);
    g36("au_10", "-", &[("ec_1/2", 1)], 16);
    g36("au_11", tile, &[], 12);
    g36("au_12", "-", &[("ec_1/1", 1)], 16);
    g36("au_13", tile, &[("ec_2/0", 1)], 15);
    g36(
        "au_14",
        "-",
        &[("pc_1/1", 1), ("ec_1/1", 1), ("ec_1/2", 1)],
        17,
    );
    g36("au_15", tile, &[("ec_2/0", 1)], 15);
    g36("au_16", tile, &[("pc_1/1", 1), ("ec_2/0", 1)], 18);
    g36("au_17", "-", &[("ec_1/1", 1)], 16);
    g36("au_18", tile, &[("pc_1/1", 1), ("ec_2/0", 1)], 19);
}

#[test]
fn the_difficulty_adds_energy() {
    for (difficulty, energy) in [
        (Difficulty::Easy, 2),
        (Difficulty::Normal, 5),
        (Difficulty::Hard, 8),
    ] {
        let table = acts("au_08", |table| {
            table.lay(|public, _, _| public.setup.automa = Some(difficulty));
        });
        // 3 of the card, the difficulty, and low value 2 for the cube on ember_crown.
        assert_eq!(table.energy(AUTOMA), 3 + 3 + energy + 2, "{difficulty:?}");
    }
}

#[test]
fn g37_the_market() {
    let buys = |empty: bool| {
        let mut table = solo();
        table.lay(|public, _, hidden| {
            public.order = [Party(AUTOMA), Party(A)].into_iter().collect();
            hidden
                .automa_deck
                .retain(|card| card.to_string() != "au_03");
            hidden.automa_deck.insert(0, automa_card("au_03"));
            offer(public, hidden, 3, "ai_09");
            top_of_deck(public, hidden, "ai_20");
            if empty {
                for card in std::mem::take(&mut hidden.ai_deck) {
                    public.parties[0].hand.insert(card);
                }
            }
        });
        table.begin_buying(0);
        table
    };
    let table = buys(false);
    assert_eq!(table.public().ai_row[2], Some(card("ai_20")));
    assert_eq!(table.game.hidden().ai_deck.last(), Some(&card("ai_09")));
    assert_eq!(
        table.public().ai_bottom[..],
        [card("ai_09")],
        "everybody has seen it"
    );
    let cleared = |table: &Table| {
        let mut told = table.told.iter().map(|(_, event)| event);
        told.any(|event| matches!(event, Event::MarketCleared { .. }))
    };
    assert!(cleared(&table));
    let table = buys(true);
    assert_eq!(table.public().ai_row[2], Some(card("ai_09")));
    assert!(!cleared(&table), "an empty deck: nothing moves");
}

#[test]
fn an_empty_position_is_left_alone() {
    let mut table = solo();
    table.lay(|public, _, hidden| {
        public.order = [Party(AUTOMA), Party(A)].into_iter().collect();
        hidden
            .automa_deck
            .retain(|card| card.to_string() != "au_03");
        hidden.automa_deck.insert(0, automa_card("au_03"));
        let moved = public.ai_row[2].take().unwrap();
        hidden.ai_deck.push(moved);
    });
    let deck = table.game.hidden().ai_deck.clone();
    table.begin_buying(0);
    assert_eq!(table.public().ai_row[2], None);
    assert_eq!(table.game.hidden().ai_deck, deck);
}

#[test]
fn used_cards_are_shuffled_when_the_deck_is_empty() {
    let mut table = solo();
    table.lay(|public, _, hidden| {
        public.order = [Party(AUTOMA), Party(A)].into_iter().collect();
        public.automa_used = AutomaCard::all().collect();
        hidden.automa_deck.clear();
    });
    table.begin_buying(0);
    assert!(table.heard(&Event::AutomaShuffled));
    assert_eq!(table.public().automa_used, Set::EMPTY);
    assert_eq!(table.game.hidden().automa_deck.len(), 17);
    assert!(table.public().automa_card.is_some());
}

#[test]
fn its_card_of_the_round_joins_the_used_ones_when_the_next_begins() {
    let mut table = acts("au_11", |_| ());
    let used = table.public().automa_card.unwrap();
    table.play(A, "end");
    assert_eq!(table.public().round, 3);
    assert!(table.public().automa_used.contains(used));
    assert_ne!(table.public().automa_card, Some(used));
}

#[test]
fn its_consumption_is_that_of_its_card() {
    for card in AutomaCard::all() {
        let mut table = solo();
        table.lay(|public, _, hidden| {
            hidden.automa_deck.retain(|of| *of != card);
            public.automa_card = Some(card);
        });
        table.begin_planning();
        table.play(A, "s_improve on 1; keep 2; keep 3");
        assert_eq!(
            table.party(AUTOMA).total,
            i16::from(card.data().consumption)
        );
        assert!(table.party(AUTOMA).consumption >= 40);
    }
}

#[test]
fn without_a_stack_exploring_gives_one_energy() {
    let table = acts("au_11", |table| {
        table.lay(|public, private, hidden| {
            // All of parsec 1 lies on the board or in somebody's way: no free space is left.
            let tiles = ["p1_01", "p1_02", "p1_03", "p1_04", "p1_05", "p1_06"];
            let spaces = ["pc_1", "pc_2", "ec_1", "ec_2", "ec_3", "ec_4"];
            let laid: Vec<_> = spaces.into_iter().zip(tiles).collect();
            lay_tiles(public, hidden, &laid, &[]);
            public.parties[0].supply = 30;
            assert!(private.get(tavola_engine::Seat(A)).is_some());
        });
    });
    // 1 for exploring, 2 of the card, 5 of the difficulty.
    assert_eq!(table.energy(AUTOMA), 3 + 1 + 2 + 5);
}

#[test]
fn a_new_tile_without_a_legal_planet_gives_its_yield() {
    let table = acts("au_02", |table| {
        table.lay(|public, _, hidden| {
            lay_tiles(public, hidden, &[("pc_1", "p1_01")], &["p2_04"]);
            public.parties[0].supply = 30;
            public.parties[1].level = 1;
            public.parties[1].supply = 30;
        });
    });
    // At level 1 it adapts to desert: the tile has a legal planet, so no yield is taken.
    assert!(table.heard(&Event::CubesPlaced {
        party: Party(AUTOMA),
        space: space_named("vc_1"),
        planet: 0,
        cubes: 1,
    }));
    let table = acts("au_02", |table| {
        table.lay(|public, _, hidden| {
            lay_tiles(public, hidden, &[("pc_1", "p1_01")], &["p2_10"]);
            public.parties[0].supply = 30;
            public.parties[1].level = 1;
        });
    });
    assert!(table.heard(&Event::EnergyGained {
        party: Party(AUTOMA),
        energy: 5
    }));
}

#[test]
fn with_one_cube_left_it_founds_with_one_and_with_none_it_gains() {
    let supply = |cubes: u8| {
        acts("au_01", |table| {
            table.lay(|public, _, hidden| {
                lay_tiles(
                    public,
                    hidden,
                    &[
                        ("pc_1", "p1_01"),
                        ("pc_2", "p1_04"),
                        ("ec_1", "p1_08"),
                        ("as_1", "p3_01"),
                    ],
                    &[],
                );
                public.parties[0].supply = 30;
                put(public, "as_1/0", AUTOMA, 30 - cubes);
            });
        })
    };
    let table = supply(2);
    assert!(table.told.iter().any(|(_, event)| matches!(
        event,
        Event::CubesPlaced {
            cubes: 1,
            party: Party(AUTOMA),
            ..
        }
    )));
    assert_eq!(
        table
            .told
            .iter()
            .filter(|(_, event)| matches!(event, Event::CubesPlaced { .. }))
            .count(),
        2
    );
    let table = supply(0);
    assert!(table.heard(&Event::EnergyGained {
        party: Party(AUTOMA),
        energy: 1
    }));
    assert!(table.heard(&Event::EnergyGained {
        party: Party(AUTOMA),
        energy: 2
    }));
}

#[test]
fn relays_of_humans_count_against_it() {
    for relayed in [false, true] {
        let mut table = solo();
        table.lay(|public, _, hidden| {
            hidden
                .automa_deck
                .retain(|card| card.to_string() != "au_11");
            public.automa_card = Some(automa_card("au_11"));
            public.setup.stations = true;
            public.order = [Party(AUTOMA), Party(A)].into_iter().collect();
            lay_tiles(
                public,
                hidden,
                &[("pc_1", "p1_01"), ("ec_1", "p1_08")],
                &["p1_07"],
            );
            public.parties[0].supply = 30;
            put(public, "ec_1/0", A, 1);
            if relayed {
                station(public, A, Station::Relay, Galaxy::EmberCrown);
            }
            put(public, "ec_1/1", AUTOMA, 2);
        });
        table.begin_acting();
        // It leads ember_crown with 2 to 1; with the relay that is a tie, and parvus_corta with its
        // new tile comes first.
        let scored = |galaxy| {
            let high = true;
            table.told.iter().any(|(_, event)| matches!(event, Event::Scored { galaxy: of, high: at, .. } if *of == galaxy && *at == high))
        };
        assert_eq!(scored(Galaxy::EmberCrown), !relayed);
        assert_eq!(scored(Galaxy::ParvusCorta), relayed);
    }
}

#[test]
fn an_automa_plays_with_two_humans() {
    let options = Options {
        automa: Some(AutomaMode::Hard),
        ..options()
    };
    let table = Table::new(&options, 2);
    assert_eq!(table.public().setup.parties(), 3);
    assert_eq!(table.public().automa(), Some(Party(2)));
    assert_eq!(table.public().galaxies().count(), 8);
    assert_eq!(table.party(2).gems, gems(0, 0, 0));
    assert!(table.party(2).slots.is_empty() && table.party(2).hand.is_empty());
}
