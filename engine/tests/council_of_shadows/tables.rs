//! The cards and tiles, row by row (3, 12): a number that slips in a data file is found here.

use tavola_engine::games::council_of_shadows::components::{
    AutomaCard, AutomaStep, Card, Numbered, PlanetType, Step, Tile,
};

/// Id, consumption, cost and steps.
const AI_CARDS: [&str; 25] = [
    "ai_01 2 for 1g: settle 2",
    "ai_02 1 for 2g: settle 2",
    "ai_03 4 for 2g: settle 3",
    "ai_04 2 for 1g: settle 1, mine 1",
    "ai_05 0 for 1a 1g: settle 1",
    "ai_06 1 for 1a 1g: found",
    "ai_07 3 for 1a 1g: found, settle 1",
    "ai_08 5 for 1g 1t: found, found",
    "ai_09 3 for 2g: found, mine 1",
    "ai_10 3 for 1g: mine 3",
    "ai_11 3 for 1a 1g: mine 4",
    "ai_12 0 for 1a 1g: mine 2",
    "ai_13 1 for 1a 1g: mine 2, improve 1",
    "ai_14 1 for 1a 1g: mine 3",
    "ai_15 0 for 1a 1g: explore",
    "ai_16 2 for 1a 1g: explore, settle 1",
    "ai_17 2 for 2g: explore, explore",
    "ai_18 2 for 1a 1g: explore, mine 1",
    "ai_19 1 for 1g: gems 2g",
    "ai_20 0 for 1a 1g: gems 1t",
    "ai_21 -2 for 2g: gems 1a",
    "ai_22 1 for 1g: gems 1a 1g, improve 1",
    "ai_23 -2 for 1a 1g: improve 1",
    "ai_24 2 for 1a 1g: found or mine 3",
    "ai_25 0 for 1t: mine 1, improve 1",
];

/// Id, planets in order, gems and energy of the yield.
const TILES: [&str; 31] = [
    "p1_01 bb: 1a, 1",
    "p1_02 bd: 1g, 0",
    "p1_03 bbd: 1a, 0",
    "p1_04 bv: 1g, 0",
    "p1_05 bb: none, 2",
    "p1_06 bdv: 1a, 1",
    "p1_07 b: 1a 1g, 0",
    "p1_08 bbb: none, 1",
    "p1_09 bd: none, 3",
    "p1_10 bbv: 1a, 0",
    "p1_11 bdd: 2a, 0",
    "p1_12 bv: none, 3",
    "p2_01 bd: 1g, 1",
    "p2_02 bdd: 1g, 0",
    "p2_03 bv: none, 4",
    "p2_04 dd: 1t, 0",
    "p2_05 bdv: none, 3",
    "p2_06 dv: 1t, 1",
    "p2_07 bbv: 1a, 2",
    "p2_08 d: 2g, 0",
    "p2_09 bdvv: 1a 1g, 0",
    "p2_10 vv: none, 5",
    "p3_01 bv: 1t, 2",
    "p3_02 dv: none, 6",
    "p3_03 bd: none, 5",
    "p3_04 vvd: 1t, 2",
    "p3_05 v: 1t, 4",
    "p3_06 bdv: 1g, 3",
    "p3_07 ddv: 1t, 2",
    "p3_08 bbdv: 1g, 1",
    "p3_09 dv: 2t, 0",
];

/// Id, consumption, position of the row and parsec; actions; energy and galaxies scored.
const AUTOMA: [&str; 18] = [
    "au_01 3 1 1: settle found, 1 1",
    "au_02 4 2 2: explore settle settle, 1 2",
    "au_03 5 3 2: explore found settle, 2 2",
    "au_04 2 4 1: settle settle, 2 1",
    "au_05 6 5 3: explore found found, 2 2",
    "au_06 3 6 2: explore settle, 3 1",
    "au_07 4 7 1: explore found, 1 2",
    "au_08 1 8 1: settle, 3 1",
    "au_09 5 1 3: explore found settle, 1 3",
    "au_10 3 2 3: settle settle, 3 2",
    "au_11 0 3 1: explore, 2 1",
    "au_12 4 4 2: found settle, 2 2",
    "au_13 2 5 2: explore settle, 2 1",
    "au_14 6 6 3: found found settle, 1 3",
    "au_15 3 7 1: explore settle settle, 1 2",
    "au_16 4 8 3: explore settle found, 2 2",
    "au_17 2 3 2: found, 3 1",
    "au_18 5 6 2: explore settle found, 3 2",
];

fn step(step: Step) -> String {
    match step {
        Step::Settle { n } => format!("settle {n}"),
        Step::Found => "found".into(),
        Step::Mine { n } => format!("mine {n}"),
        Step::Explore => "explore".into(),
        Step::Gems { a, g, t } => format!("gems {}", crate::scenario::gems(a, g, t)),
        Step::Improve { n } => format!("improve {n}"),
    }
}

#[test]
fn ai_cards() {
    let rows = Card::all().filter(|card| card.is_ai()).map(|card| {
        let data = card.data();
        let steps: Vec<_> = data.steps.iter().map(|&of| step(of)).collect();
        let steps = steps.join(if data.choose { " or " } else { ", " });
        format!("{card} {} for {}: {steps}", data.consumption, data.cost)
    });
    assert_eq!(rows.collect::<Vec<_>>(), AI_CARDS);
}

#[test]
fn tiles() {
    let rows = Tile::all().map(|tile| {
        let planets = tile.planets().iter().map(|kind| match kind {
            PlanetType::EarthLike => 'b',
            PlanetType::Desert => 'd',
            PlanetType::Volcano => 'v',
        });
        let gives = tile.data().gives;
        let planets: String = planets.collect();
        format!("{tile} {planets}: {}, {}", gives.gems(), gives.energy())
    });
    assert_eq!(rows.collect::<Vec<_>>(), TILES);
}

#[test]
fn automa_cards() {
    let rows = AutomaCard::all().map(|card| {
        let data = card.data();
        let actions = data.actions.iter().map(|action| match action {
            AutomaStep::Explore => "explore",
            AutomaStep::Settle => "settle",
            AutomaStep::Found => "found",
        });
        format!(
            "{card} {} {} {}: {}, {} {}",
            data.consumption,
            data.market,
            data.parsec,
            actions.collect::<Vec<_>>().join(" "),
            data.energy,
            data.score
        )
    });
    assert_eq!(rows.collect::<Vec<_>>(), AUTOMA);
}
