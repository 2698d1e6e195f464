//! The box, against the counts of the rules page (1, 3) and the `meta` tables of the data files.

use tavola_engine::games::council_of_shadows::components::{
    AutomaCard, Back, Bonus, BonusKind, Card, Civilization, DATA, DarkTech, Difficulty, Field,
    FieldSource, Galaxy, Gem, Gems, Leader, Module, Numbered, Payment, PlanetType, Space, Station,
    Step, Tile, Timing, Upgrade, UpgradeKind, numbers,
};

fn meta(text: &str) -> toml::Table {
    let file: toml::Table = toml::from_str(text).unwrap();
    file["meta"].as_table().unwrap().clone()
}

#[track_caller]
fn counts(text: &str, expected: &[(&str, usize)]) {
    let meta = meta(text);
    for &(name, count) in expected {
        assert_eq!(meta[name].as_integer(), Some(count as i64), "{name}");
    }
    assert_eq!(meta.len(), expected.len(), "{meta:?}");
}

macro_rules! data_file {
    ($name:literal) => {
        include_str!(concat!(
            "../../src/games/council_of_shadows/components/",
            $name
        ))
    };
}

#[test]
fn the_counts_of_the_data_files_hold() {
    let spaces = |parties| {
        let galaxies = Galaxy::all().filter(move |galaxy| galaxy.in_play(parties));
        galaxies
            .map(|galaxy| galaxy.spaces().count())
            .sum::<usize>()
    };
    counts(
        data_file!("board.toml"),
        &[
            ("galaxies", DATA.galaxies.len()),
            ("spaces_4p", spaces(4)),
            ("spaces_3p", spaces(3)),
            ("spaces_2p", spaces(2)),
        ],
    );
    let of_parsec = |parsec| {
        DATA.tiles
            .iter()
            .filter(|tile| tile.parsec == parsec)
            .count()
    };
    counts(
        data_file!("systems.toml"),
        &[
            ("tiles", DATA.tiles.len()),
            ("parsec_1", of_parsec(1)),
            ("parsec_2", of_parsec(2)),
            ("parsec_3", of_parsec(3)),
        ],
    );
    let ai = Card::all().filter(|card| card.is_ai()).count();
    counts(
        data_file!("cards.toml"),
        &[("start", DATA.cards.len() - ai), ("ai", ai)],
    );
    let one_time = Upgrade::all()
        .filter(|upgrade| upgrade.is_project())
        .count();
    counts(
        data_file!("upgrades.toml"),
        &[
            ("upgrades", DATA.upgrades.len()),
            ("one_time", one_time),
            ("permanent", DATA.upgrades.len() - one_time),
        ],
    );
    counts(
        data_file!("dark_tech.toml"),
        &[
            ("level_1", DarkTech::of_level(1).count()),
            ("level_2", DarkTech::of_level(2).count()),
        ],
    );
    let light = Bonus::all()
        .filter(|card| card.back() == Back::Light)
        .count();
    counts(
        data_file!("bonus.toml"),
        &[("light", light), ("dark", DATA.bonus.len() - light)],
    );
    counts(
        data_file!("modules.toml"),
        &[
            ("civilisations", DATA.civilizations.len()),
            ("leaders", DATA.leaders.len()),
            ("stations_per_player", DATA.stations.len()),
            ("stations_total", DATA.stations.len() * 4),
            ("extra_fields", DATA.fields.len()),
        ],
    );
    counts(data_file!("automa.toml"), &[("cards", DATA.automa.len())]);
}

#[test]
fn the_counts_of_the_page_hold() {
    assert_eq!(DATA.galaxies.len(), 10);
    assert_eq!(DATA.tiles.len(), 31);
    assert_eq!(
        [1, 2, 3].map(|parsec| Tile::all().filter(|tile| tile.parsec() == parsec).count()),
        [12, 10, 9]
    );
    assert_eq!((DATA.cards.len(), DATA.upgrades.len()), (6 + 25, 13));
    assert_eq!((DATA.dark_tech.len(), DATA.bonus.len()), (16, 18 + 9));
    assert_eq!(
        (DATA.automa.len(), DATA.leaders.len(), DATA.stations.len()),
        (18, 6, 3)
    );
    assert_eq!((DATA.civilizations.len(), DATA.fields.len()), (4, 2));
    // 4.6
    let dark = |parties, stations| {
        Bonus::all()
            .filter(|card| card.back() == Back::Dark && card.in_use(parties, stations))
            .count()
    };
    assert_eq!(
        [4, 3, 2].map(|parties| (dark(parties, false), dark(parties, true))),
        [(7, 9), (5, 7), (3, 5)]
    );
    assert!(
        Bonus::all()
            .filter(|card| card.back() == Back::Light)
            .all(|card| card.in_use(2, false))
    );
}

/// Every table is in the order of its enum, or of its ids.
#[test]
fn tables_and_enums_agree() {
    assert!(
        Galaxy::all()
            .all(|galaxy| galaxy.data().id == galaxy && galaxy.data().index == galaxy.index())
    );
    assert!(
        Galaxy::all().all(|galaxy| usize::from(galaxy.data().spaces) == galaxy.spaces().count())
    );
    assert!(Upgrade::all().all(|upgrade| upgrade.data().id == upgrade));
    assert!(DarkTech::all().all(|card| card.data().id == card));
    assert!(Leader::all().all(|leader| leader.data().id == leader));
    assert!(Station::all().all(|station| station.data().id == station));
    assert!(Civilization::all().all(|civilization| civilization.data().id == civilization));
    for (nth, card) in Card::all().take(6).enumerate() {
        let id = [
            "s_settle",
            "s_found",
            "s_mine",
            "s_explore",
            "s_gems",
            "s_improve",
        ][nth];
        assert_eq!(card.to_string(), id);
    }
    for (nth, card) in (1..).zip(Card::all().skip(6)) {
        assert_eq!(card.to_string(), format!("ai_{nth:02}"));
    }
    for (nth, card) in (1..).zip(Bonus::all().take(18)) {
        assert_eq!(card.to_string(), format!("bl_{nth:02}"));
    }
    for (nth, card) in (1..).zip(Bonus::all().skip(18)) {
        assert_eq!(card.to_string(), format!("bd_{nth:02}"));
    }
    for (nth, card) in (1..).zip(AutomaCard::all()) {
        assert_eq!(card.to_string(), format!("au_{nth:02}"));
    }
    for tile in Tile::all() {
        let id = tile.to_string();
        assert_eq!(Tile::named(&id), Some(tile));
        assert!(id.starts_with(&format!("p{}_", tile.parsec())));
        assert!((1..=4).contains(&tile.planets().len()));
        let gives = tile.data().gives;
        assert!(
            gives.energy() > 0 || !gives.gems().is_empty(),
            "{tile} yields nothing"
        );
    }
    let ids = DATA.upgrades.iter().map(|data| data.id.id());
    let written: toml::Table = toml::from_str(data_file!("upgrades.toml")).unwrap();
    let written: Vec<_> = written["upgrade"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids.collect::<Vec<_>>(), written);
    let written: toml::Table = toml::from_str(data_file!("dark_tech.toml")).unwrap();
    let written: Vec<_> = written["card"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["id"].as_str().unwrap())
        .collect();
    assert_eq!(
        DarkTech::all().map(DarkTech::id).collect::<Vec<_>>(),
        written
    );
}

#[test]
fn the_board_is_as_the_table_of_section_3_says() {
    let board: Vec<_> = Galaxy::all()
        .map(|galaxy| {
            let data = galaxy.data();
            let parties: Vec<u8> = (2..=4).filter(|&parties| galaxy.in_play(parties)).collect();
            (
                galaxy.id(),
                data.parsec,
                data.spaces,
                data.high,
                data.low,
                data.bonus,
                parties.len(),
            )
        })
        .collect();
    assert_eq!(
        board,
        [
            ("parvus_corta", 1, 2, 3, 1, false, 3),
            ("ember_crown", 1, 4, 5, 2, false, 3),
            ("umber_reach", 1, 3, 4, 2, false, 2),
            ("dune_veil", 1, 2, 2, 1, true, 2),
            ("verdant_coil", 2, 3, 6, 3, true, 3),
            ("cobalt_deep", 2, 5, 8, 4, false, 3),
            ("tennant_strand", 2, 2, 5, 3, true, 1),
            ("violet_maw", 3, 3, 10, 5, true, 3),
            ("amber_spiral", 3, 4, 12, 6, false, 3),
            ("heavens_fence", 3, 2, 9, 5, true, 1),
        ]
    );
    assert_eq!(Space::all().count(), 30);
    for space in Space::all() {
        assert!(space.galaxy().spaces().any(|of| of == space));
        assert_eq!(Space::new(space.galaxy(), space.number()), Some(space));
        assert_eq!(space.parsec(), space.galaxy().parsec());
    }
    assert_eq!(
        Space::new(Galaxy::CobaltDeep, 5).unwrap().to_string(),
        "cobalt_deep_5"
    );
    assert_eq!(Space::new(Galaxy::CobaltDeep, 6), None);
    assert_eq!(Space::new(Galaxy::CobaltDeep, 0), None);
}

#[test]
fn cards_cost_and_consume_within_the_ranges_of_section_3() {
    for card in Card::all() {
        let data = card.data();
        assert!((-2..=5).contains(&data.consumption), "{card}");
        let cost = data.cost.count();
        assert!(
            if card.is_ai() {
                (1..=2).contains(&cost)
            } else {
                cost == 0
            },
            "{card}"
        );
        assert!((1..=2).contains(&data.steps.len()), "{card}");
        assert_eq!(data.choose, card.to_string() == "ai_24");
    }
    let one_symbol: Vec<_> = Card::all()
        .take(6)
        .map(|card| (card.data().consumption, card.data().steps[0]))
        .collect();
    assert_eq!(
        one_symbol,
        [
            (1, Step::Settle { n: 1 }),
            (3, Step::Found),
            (2, Step::Mine { n: 2 }),
            (2, Step::Explore),
            (2, Step::Gems { a: 1, g: 1, t: 0 }),
            (1, Step::Improve { n: 2 }),
        ]
    );
}

#[test]
fn upgrades_are_as_the_table_of_section_3_says() {
    let energy = |upgrade: Upgrade| match upgrade.data().kind {
        UpgradeKind::Project { energy } | UpgradeKind::Range { energy, .. } => energy,
        UpgradeKind::Adaptability { .. } | UpgradeKind::ColonyExtension => 0,
    };
    let rows: Vec<_> = Upgrade::all()
        .map(|upgrade| (upgrade.data().cost.to_string(), energy(upgrade)))
        .collect();
    let expected = [
        ("1g", 0),
        ("1a", 0),
        ("1a", 0),
        ("2a", 4),
        ("2g", 6),
        ("1a 1g 1t", 8),
        ("3t", 12),
        ("1g", 1),
        ("1g", 1),
        ("1g", 1),
        ("1g", 1),
        ("1g", 1),
        ("1g", 1),
    ];
    assert_eq!(
        rows,
        expected.map(|(cost, energy)| (cost.to_owned(), energy))
    );
    assert_eq!(
        Upgrade::all().filter(|upgrade| upgrade.is_range()).count(),
        6
    );
}

#[test]
fn bonus_cards_are_as_the_tables_of_section_9_say() {
    let values: Vec<_> = Bonus::all()
        .map(|card| (card.data().value, card.data().max.unwrap_or(0)))
        .collect();
    assert_eq!(
        values,
        [
            (4, 0),
            (4, 0),
            (5, 0),
            (1, 6),
            (2, 8),
            (2, 8),
            (1, 6),
            (2, 8),
            (2, 8),
            (1, 6),
            (1, 6),
            (1, 6),
            (2, 8),
            (1, 7),
            (2, 8),
            (1, 6),
            (2, 8),
            (3, 9),
            (3, 9),
            (4, 12),
            (3, 9),
            (3, 9),
            (2, 8),
            (3, 9),
            (1, 9),
            (3, 9),
            (4, 8),
        ]
    );
    let kind = |id: &str| Bonus::named(id).unwrap().data().kind;
    assert_eq!(kind("bl_03"), BonusKind::Fixed);
    assert_eq!(kind("bl_06"), BonusKind::CubesInParsec { parsec: 3 });
    assert_eq!(
        kind("bl_08"),
        BonusKind::CubesOnPlanet {
            planet: PlanetType::Desert
        }
    );
    assert_eq!(
        kind("bl_17"),
        BonusKind::Gems {
            gem: Gem::Transparent
        }
    );
    assert_eq!(
        kind("bd_06"),
        BonusKind::CubesInGalaxy {
            galaxy: Galaxy::AmberSpiral
        }
    );
    assert_eq!(
        Bonus::named("bd_09").unwrap().data().module,
        Some(Module::Stations)
    );
}

#[test]
fn dark_tech_and_modules_have_the_numbers_of_their_texts() {
    for card in DarkTech::all() {
        let data = card.data();
        assert!(card.id().starts_with(&format!("dt{}_", data.level)));
        let instant = matches!(
            card,
            DarkTech::EnergyBurst
                | DarkTech::Cache
                | DarkTech::Purge
                | DarkTech::Surge
                | DarkTech::ColonialWave
                | DarkTech::Archive
        );
        assert_eq!(data.timing == Timing::Instant, instant, "{card}");
        for number in [u16::from(data.amount), data.energy, u16::from(data.draws)] {
            // Texts write small numbers as words where they aren't energy.
            let written = data.effect.contains(&number.to_string()) || number <= 2;
            assert!(written, "{card}: {number} in {}", data.effect);
        }
    }
    assert_eq!(Field::Leader.fixed_range(), Some(1));
    assert_eq!(Field::DarkTech.fixed_range(), Some(3));
    assert_eq!(Field::Board.fixed_range(), None);
    let sources: Vec<_> = DATA.fields.iter().map(|field| field.source).collect();
    assert_eq!(
        sources,
        [
            FieldSource::Leader(Leader::Engineer),
            FieldSource::DarkTech(DarkTech::ExtraField)
        ]
    );
    assert_eq!(Leader::Engineer.data().field_range, 1);
    assert_eq!(
        [Difficulty::Easy, Difficulty::Normal, Difficulty::Hard].map(Difficulty::extra),
        [2, 5, 8]
    );
    assert!(AutomaCard::all().all(|card| (1..=8).contains(&card.data().market)));
    let start = &numbers().start;
    assert_eq!(
        (start.cubes, start.consumption, start.ai_row, start.slots),
        (30, 20, 8, 3)
    );
    assert_eq!(start.gems, Gems::new(1, 1, 0));
}

#[test]
fn provenance_is_kept() {
    for file in [
        data_file!("automa.toml"),
        data_file!("board.toml"),
        data_file!("bonus.toml"),
        data_file!("cards.toml"),
        data_file!("constants.toml"),
        data_file!("dark_tech.toml"),
        data_file!("modules.toml"),
        data_file!("systems.toml"),
        data_file!("upgrades.toml"),
    ] {
        assert!(file.starts_with("# Council of Shadows"));
        assert!(
            file.contains("# Provenance"),
            "{}",
            file.lines().next().unwrap()
        );
    }
}

#[test]
fn payments_are_numbered_without_gap() {
    for (nth, payment) in (0..).zip(Payment::all()) {
        assert_eq!(payment.index(), nth);
        assert_eq!(Payment::new(payment.gems()), Some(payment));
        assert!((1..=3).contains(&payment.gems().count()));
    }
    assert_eq!(Payment::new(Gems::default()), None);
    assert_eq!(Payment::new(Gems::new(4, 0, 0)), None);
}
