//! Each upgrade, galaxy, bonus card, station and leader by itself (3, 9, 10, 11).

use tavola_engine::Seat;
use tavola_engine::games::council_of_shadows::components::{
    Bonus, BonusKind, Civilization, Galaxy, Gem, Leader, Numbered, PlanetType, Station, Upgrade,
};
use tavola_engine::games::council_of_shadows::{Event, LeaderMode, Options, Party};

use crate::scenario::*;

/// A settles from slot `slot` on a board with one planet of each type in each parsec.
fn settles(slot: usize, upgrades: &[&str]) -> Vec<String> {
    let mut table = b0("s_gems");
    table.lay(|public, _, hidden| {
        lay_tiles(
            public,
            hidden,
            &[("ur_1", "p1_06"), ("cd_1", "p2_05"), ("vm_1", "p3_06")],
            &[],
        );
        public.parties[0].supply = 30;
        put(public, "ur_1/0", B, 1);
        public.parties[0].slots[0].stack.clear();
        for id in upgrades {
            build(public, A, id);
        }
        lay_card(public, hidden, A, slot, "s_settle");
    });
    table.begin_acting();
    table.legal(A)
}

#[test]
fn adaptability_in_either_order() {
    assert!(!settles(1, &[]).contains(&"ur_1/1".into()));
    assert_eq!(settles(1, &["adapt_desert"]), ["ur_1/1", "skip"]);
    assert_eq!(settles(1, &["adapt_volcano"]), ["ur_1/2", "skip"]);
    assert_eq!(
        settles(1, &["adapt_desert", "adapt_volcano"]),
        ["ur_1/1", "ur_1/2", "skip"]
    );
}

#[test]
fn colony_extension_opens_planets_with_cubes() {
    assert_eq!(settles(1, &["colony_extension"]), ["ur_1/0", "skip"]);
}

#[test]
fn each_range_step_upgrades_its_slot_alone() {
    for slot in 1..=3_usize {
        let two = format!("range_{slot}_2");
        let three = format!("range_{slot}_3");
        assert_eq!(settles(slot, &[&two]), ["cd_1/0", "skip"]);
        assert_eq!(settles(slot, &[&two, &three]), ["cd_1/0", "vm_1/0", "skip"]);
        let other = slot % 3 + 1;
        assert!(
            !settles(other, &[&two, &three]).contains(&"cd_1/0".into()),
            "slot {other}"
        );
    }
}

#[test]
fn each_upgrade_moves_a_cube_for_good() {
    for upgrade in Upgrade::all() {
        let mut table = b0("s_gems");
        table.lay(|public, _, _| {
            public
                .parties
                .iter_mut()
                .for_each(|board| board.gems = gems(0, 0, 0));
            public.parties[0].gems = gems(3, 3, 3);
            // The step before it, if there is one.
            if upgrade.id().ends_with("_3") && upgrade.is_range() {
                let slot = upgrade.id().as_bytes()[6] as char;
                build(public, A, &format!("range_{slot}_2"));
            }
        });
        table.begin_buying(0);
        let supply = table.party(A).supply;
        let offers: Vec<String> = table
            .legal(A)
            .into_iter()
            .filter(|decision| decision.starts_with(upgrade.id()))
            .collect();
        assert!(!offers.is_empty(), "{upgrade}");
        table.play(A, &offers[0]);
        assert_eq!(table.party(A).supply, supply - 1);
        assert!(table.party(A).upgrades.contains(upgrade));
        assert!(
            !table
                .legal(A)
                .iter()
                .any(|decision| decision.starts_with(&format!("{upgrade} "))),
            "{upgrade} once"
        );
    }
}

#[test]
fn each_galaxy_scores_high_and_low() {
    for galaxy in Galaxy::all() {
        for high in [true, false] {
            let mut table = b0("s_gems");
            let id = match galaxy.parsec() {
                1 => "p1_08",
                2 => "p2_07",
                _ => "p3_08",
            };
            let space = galaxy.spaces().next().unwrap();
            table.lay(|public, _, hidden| {
                lay_tiles(public, hidden, &[], &[]);
                public.parties[0].supply = 30;
                public.board.place_tile(tile(id), space);
                for stack in &mut hidden.tile_stacks {
                    stack.retain(|of| *of != tile(id));
                }
                public.board.add_cubes(space, 0, Party(A), 1);
                public.parties[0].supply -= 1;
                if !high {
                    public.board.add_cubes(space, 1, Party(B), 1);
                    public.parties[1].supply -= 1;
                }
            });
            table.begin_acting();
            let energy = table.energy(A);
            let score = table.play(A, "skip").legal(A)[0].clone();
            table.play(A, &score);
            let data = galaxy.data();
            let value = if high { data.high } else { data.low };
            assert_eq!(table.energy(A), energy + value, "{galaxy}");
            assert_eq!(table.party(A).light_bonus, u8::from(data.bonus), "{galaxy}");
            assert!(table.heard(&Event::Scored {
                party: Party(A),
                galaxy,
                high,
                removed: Some((space, 0))
            }));
        }
    }
}

/// One bonus card, in final scoring of A, who has nothing else.
fn revealed(card: Bonus, change: impl FnOnce(&mut Table)) -> u16 {
    let options = Options {
        stations: true,
        ..options()
    };
    let mut table = Table::new(&options, 4);
    table.lay(|public, private, hidden| {
        let tiles = [
            ("pc_1", "p1_01"),
            ("ur_1", "p1_06"),
            ("dv_1", "p1_02"),
            ("cd_1", "p2_09"),
            ("ts_1", "p2_01"),
            ("as_1", "p3_04"),
            ("hf_1", "p3_08"),
        ];
        lay_tiles(public, hidden, &tiles, &[]);
        public.parties[0].gems = gems(0, 0, 0);
        public.parties[0].energy = 0;
        public.parties[0].consumption = 90;
        hold(private, hidden, A, &[&card.to_string()]);
    });
    change(&mut table);
    let without = table.public().bonus_value(Seat(A), card);
    table.begin(|game, cx| game.begin_final_scoring(cx));
    assert!(table.heard(&Event::BonusRevealed {
        seat: Seat(A),
        card
    }));
    without
}

/// What a test lays out before a card is counted.
type Change = Box<dyn FnOnce(&mut Table)>;

fn cubes(planets: &'static [&'static str], each: u8) -> impl FnOnce(&mut Table) {
    move |table| {
        table.lay(|public, _, _| {
            planets
                .iter()
                .for_each(|planet| put(public, planet, A, each))
        });
    }
}

#[test]
fn each_bonus_card_counts_what_it_says_up_to_its_cap() {
    for card in Bonus::all() {
        let data = card.data();
        let value = data.value;
        let cap = data.max.unwrap_or(value);
        let (one, many): (Change, Change) = match data.kind {
            BonusKind::Fixed => (Box::new(|_| ()), Box::new(|_| ())),
            BonusKind::CubesInParsec { parsec } => {
                let planet: &[&str] =
                    [&["pc_1/0"], &["cd_1/0"], &["as_1/0"]][usize::from(parsec - 1)];
                (Box::new(cubes(planet, 1)), Box::new(cubes(planet, 9)))
            }
            BonusKind::CubesOnPlanet { planet } => {
                let planet: &[&str] = match planet {
                    PlanetType::EarthLike => &["pc_1/0"],
                    PlanetType::Desert => &["ur_1/1"],
                    PlanetType::Volcano => &["ur_1/2"],
                };
                (Box::new(cubes(planet, 1)), Box::new(cubes(planet, 9)))
            }
            BonusKind::CubesInGalaxy { galaxy } => {
                let planet: &[&str] = match galaxy {
                    Galaxy::TennantStrand => &["ts_1/0"],
                    Galaxy::HeavensFence => &["hf_1/0"],
                    Galaxy::UmberReach => &["ur_1/0"],
                    Galaxy::DuneVeil => &["dv_1/0"],
                    Galaxy::CobaltDeep => &["cd_1/0"],
                    Galaxy::AmberSpiral => &["as_1/0"],
                    other => panic!("no card counts {other}"),
                };
                (Box::new(cubes(planet, 1)), Box::new(cubes(planet, 9)))
            }
            BonusKind::AiCards => {
                let cards = |count: usize| {
                    move |table: &mut Table| {
                        table.lay(|public, _, hidden| {
                            (1..=count).for_each(|nth| {
                                hand_card(public, hidden, A, &format!("ai_{nth:02}"))
                            })
                        });
                    }
                };
                (Box::new(cards(1)), Box::new(cards(9)))
            }
            BonusKind::RangeSteps => (
                Box::new(|table: &mut Table| {
                    let _ = table.lay(|public, _, _| build(public, A, "range_1_2"));
                }),
                Box::new(|table: &mut Table| {
                    table.lay(|public, _, _| {
                        Upgrade::all()
                            .filter(|upgrade| upgrade.is_range())
                            .for_each(|upgrade| build(public, A, upgrade.id()))
                    });
                }),
            ),
            BonusKind::Projects => (
                Box::new(|table: &mut Table| {
                    let _ = table.lay(|public, _, _| build(public, A, "project_3"));
                }),
                Box::new(|table: &mut Table| {
                    table.lay(|public, _, _| {
                        Upgrade::all()
                            .filter(|upgrade| upgrade.is_project())
                            .for_each(|upgrade| build(public, A, upgrade.id()))
                    });
                }),
            ),
            BonusKind::Upgrades => (
                Box::new(|table: &mut Table| {
                    let _ = table.lay(|public, _, _| build(public, A, "adapt_desert"));
                }),
                Box::new(|table: &mut Table| {
                    table.lay(|public, _, _| {
                        Upgrade::all().for_each(|upgrade| build(public, A, upgrade.id()))
                    });
                }),
            ),
            BonusKind::Majorities | BonusKind::Galaxies => {
                let all: &[&str] = &[
                    "pc_1/0", "ur_1/0", "dv_1/0", "cd_1/0", "ts_1/0", "as_1/0", "hf_1/0",
                ];
                (Box::new(cubes(&all[..1], 1)), Box::new(cubes(all, 1)))
            }
            BonusKind::Gems { gem } => {
                assert_eq!(gem, Gem::Transparent);
                let own = |count: u16| {
                    move |table: &mut Table| {
                        let _ = table.give(A, |board| board.gems = gems(0, 0, count));
                    }
                };
                (Box::new(own(1)), Box::new(own(9)))
            }
            BonusKind::GemSets => {
                let own = |count: u16| {
                    move |table: &mut Table| {
                        let _ =
                            table.give(A, |board| board.gems = gems(count + 2, count + 1, count));
                    }
                };
                (Box::new(own(1)), Box::new(own(9)))
            }
            BonusKind::Stations => {
                let placed = |count: usize| {
                    move |table: &mut Table| {
                        let galaxies =
                            [Galaxy::ParvusCorta, Galaxy::UmberReach, Galaxy::CobaltDeep];
                        table.lay(|public, _, _| {
                            for (kind, galaxy) in Station::all().zip(galaxies).take(count) {
                                station(public, A, kind, galaxy);
                            }
                        });
                    }
                };
                (Box::new(placed(1)), Box::new(placed(3)))
            }
            BonusKind::StationGalaxiesLed => {
                let led = |count: usize| {
                    move |table: &mut Table| {
                        let galaxies = [
                            (Galaxy::ParvusCorta, "pc_1/0"),
                            (Galaxy::UmberReach, "ur_1/0"),
                            (Galaxy::CobaltDeep, "cd_1/0"),
                        ];
                        table.lay(|public, _, _| {
                            for (kind, (galaxy, planet)) in Station::all().zip(galaxies).take(count)
                            {
                                station(public, A, kind, galaxy);
                                put(public, planet, A, 1);
                            }
                        });
                    }
                };
                (Box::new(led(1)), Box::new(led(3)))
            }
        };
        assert_eq!(revealed(card, one), value, "{card}");
        assert_eq!(revealed(card, many), cap, "{card} at its cap");
    }
}

#[test]
fn a_bonus_card_that_counts_nothing_gives_nothing() {
    for card in Bonus::all().filter(|card| card.data().kind != BonusKind::Fixed) {
        assert_eq!(revealed(card, |_| ()), 0, "{card}");
    }
}

#[test]
fn a_relay_alone_makes_no_galaxy_scorable_and_no_majority() {
    let options = Options {
        stations: true,
        ..options()
    };
    let mut table = bench(&options, "s_gems");
    table.lay(|public, _, _| station(public, A, Station::Relay, Galaxy::CobaltDeep));
    table.begin_acting();
    table.play(A, "skip");
    assert!(
        table
            .legal(A)
            .iter()
            .all(|decision| !decision.contains("cd_"))
    );
    let led = Bonus::named("bl_15").unwrap();
    assert_eq!(
        table.public().bonus_value(Seat(A), led),
        4,
        "parvus_corta and ember_crown only"
    );
}

#[test]
fn stations_are_bought_and_stay() {
    let options = Options {
        stations: true,
        ..options()
    };
    let mut table = bench(&options, "s_gems");
    table.lay(|public, _, _| {
        public
            .parties
            .iter_mut()
            .for_each(|board| board.gems = gems(0, 0, 0));
        public.parties[0].gems = gems(5, 0, 0);
    });
    table.begin_buying(0);
    table.play(
        A,
        "st_relay on parvus_corta for 2a; st_refinery on ember_crown for 1a",
    );
    assert_eq!(table.gems(A), (2, 0, 0));
    assert_eq!(
        table.party(A).stations,
        [Some(Galaxy::ParvusCorta), Some(Galaxy::EmberCrown), None]
    );
    // Both galaxies have an own station now.
    assert!(
        !table
            .legal(A)
            .iter()
            .any(|decision| decision.starts_with("st_"))
    );
    table.play(A, "end");
    // Several players may share a galaxy.
    let mut table = bench(&options, "s_gems");
    table.lay(|public, _, _| {
        put(public, "pc_1/1", B, 1);
        public.parties[1].gems = gems(1, 0, 0);
        station(public, A, Station::Refinery, Galaxy::ParvusCorta);
    });
    table.begin_buying(1);
    assert!(table.may(B, "st_refinery on parvus_corta for 1a"));
}

#[test]
fn the_refinery_counts_when_exploring_too() {
    let options = Options {
        stations: true,
        ..options()
    };
    let mut table = bench(&options, "s_explore");
    table.lay(|public, _, _| station(public, A, Station::Refinery, Galaxy::EmberCrown));
    table.begin_acting();
    table.play(A, "stack 1; p1_05 on ec_2; yield");
    assert_eq!(table.energy(A), 10 + 2 + 1);
}

#[test]
fn stations_and_leaders_are_off_by_default() {
    let mut table = b0("s_gems");
    table.give(A, |board| board.gems = gems(9, 9, 9));
    table.begin_buying(0);
    assert!(
        !table
            .legal(A)
            .iter()
            .any(|decision| decision.starts_with("st_"))
    );
    assert!(
        table
            .public()
            .parties
            .iter()
            .all(|board| board.leader.is_none())
    );
}

#[test]
fn leaders_are_dealt_or_drafted_in_reverse_order() {
    let dealt = Options {
        leaders: LeaderMode::Random,
        ..options()
    };
    let table = Table::new(&dealt, 4);
    let mut leaders: Vec<Leader> = table
        .public()
        .parties
        .iter()
        .filter_map(|board| board.leader)
        .collect();
    leaders.sort_unstable();
    leaders.dedup();
    assert_eq!(leaders.len(), 4);

    let drafted = Options {
        leaders: LeaderMode::Draft,
        ..options()
    };
    let mut table = Table::new(&drafted, 3);
    let order: Vec<u8> = table
        .public()
        .order
        .iter()
        .rev()
        .map(|party| party.0)
        .collect();
    for (nth, seat) in order.into_iter().enumerate() {
        assert_eq!(table.to_act(), [seat]);
        assert_eq!(table.legal(seat).len(), 6 - nth);
        let pick = table.legal(seat)[0].clone();
        table.play(seat, &pick);
    }
    assert_eq!(table.public().round, 1);
}

#[test]
fn the_driller_counts_the_first_take_of_each_mine_step() {
    let mut table = b0("ai_13");
    table.give(A, |board| board.leader = Some(Leader::Driller));
    table.begin_acting();
    table.play(A, "take ec_1; take ec_1; skip");
    assert_eq!(table.energy(A), 10 + 1 + 2 + 1);
    let mut table = b0("s_explore");
    table.give(A, |board| board.leader = Some(Leader::Driller));
    table.begin_acting();
    table.play(A, "stack 1; p1_05 on ec_2; yield");
    assert_eq!(table.energy(A), 12, "exploring is no mining");
}

#[test]
fn civilizations_are_those_of_the_options_and_the_automa_takes_the_first_unused() {
    let options = Options {
        civilizations: vec![Civilization::Takrill, Civilization::Tretons],
        automa: Some(tavola_engine::games::council_of_shadows::AutomaMode::Easy),
        ..options()
    };
    let table = Table::new(&options, 2);
    let peoples: Vec<_> = table
        .public()
        .parties
        .iter()
        .map(|board| board.civilization)
        .collect();
    assert_eq!(
        peoples,
        [
            Civilization::Takrill,
            Civilization::Tretons,
            Civilization::Avry
        ]
    );
}
