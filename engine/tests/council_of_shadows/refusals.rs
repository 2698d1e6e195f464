//! What a player is told of an answer that the rules forbid, and how actions are named.

use tavola_engine::games::council_of_shadows::components::{
    DarkTech, Galaxy, Gem, Leader, Payment, Station, Upgrade,
};
use tavola_engine::games::council_of_shadows::{Action, CouncilOfShadows, Options};
use tavola_engine::{Game, Rejected, Seat, Viewer};

use crate::scenario::*;

/// Why the seat may not do this.
#[track_caller]
fn why(table: &Table, seat: u8, action: Action) -> &'static str {
    match table.game.check(Seat(seat), action) {
        Err(Rejected::NotLegal { why }) => why,
        other => panic!("{action:?}: {other:?}"),
    }
}

fn pay(anthracite: u16, golden: u16, transparent: u16) -> Payment {
    Payment::new(gems(anthracite, golden, transparent)).unwrap()
}

fn place(planet: &str) -> Action {
    let (space, planet) = planet_named(planet);
    Action::PlaceCube { space, planet }
}

const OTHER_STEP: &str = "another step, or another part of it, is open (5.5)";

#[test]
fn an_answer_to_another_step_is_told_so() {
    let table = acting("s_mine");
    let (space, planet) = planet_named("pc_1/1");
    for action in [
        place("pc_1/1"),
        Action::FoundColony { space, planet },
        Action::ExploreStack { parsec: 1 },
        Action::ExploreColony { planet: 0 },
        Action::ExploreYield,
        Action::Improve {
            from: Gem::Anthracite,
        },
        Action::Accept,
        Action::ChooseStep { index: 0 },
    ] {
        assert_eq!(why(&table, A, action), OTHER_STEP, "{action:?}");
    }
    let space = space_named("pc_2");
    assert_eq!(
        why(&table, A, Action::Take { space }),
        "a take needs an own cube in range for each take of the step (5.5)"
    );
    assert_eq!(
        why(&acting("s_settle"), A, place("pc_2/1")),
        "a cube needs a planet in range, of a type adapted to and not full, and a supply (5.5)"
    );
    let mut table = acting("s_explore");
    table.play(A, "stack 1");
    assert_eq!(why(&table, A, Action::Skip), OTHER_STEP, "a tile is drawn");
    table.play(A, "p1_05 on ec_2");
    assert_eq!(why(&table, A, Action::Skip), OTHER_STEP);
    assert_eq!(
        why(&table, A, Action::EndScoring),
        "a step of a card is to be carried out or skipped now (5.5)"
    );
}

#[test]
fn why_a_galaxy_cannot_be_scored() {
    let keep = |galaxy| Action::ScoreKeep { galaxy };
    let remove = |planet| {
        let (space, planet) = planet_named(planet);
        Action::Score { space, planet }
    };
    let table = {
        let mut table = acting("s_gems");
        table.play(A, "skip");
        table
    };
    assert_eq!(
        why(&table, A, keep(Galaxy::EmberCrown)),
        "only dt2_holdfast scores a galaxy without removing a cube (8)"
    );
    assert_eq!(
        why(&table, A, remove("pc_1/1")),
        "a galaxy is scored with an own cube there (5.6)"
    );
    let mut table = b0("s_gems");
    table.lay(|public, _, hidden| own_dark_tech(public, hidden, A, "dt2_holdfast"));
    table.begin_acting();
    table.play(A, "skip");
    assert_eq!(
        why(&table, A, keep(Galaxy::CobaltDeep)),
        "a galaxy is scored with an own cube there (5.6)"
    );
    table.play(A, "score ec and keep");
    assert_eq!(
        why(&table, A, keep(Galaxy::ParvusCorta)),
        "dt2_holdfast keeps a cube once a round (8)"
    );
    assert_eq!(
        why(&table, A, remove("ec_1/0")),
        "a galaxy is scored once a round (R24, 5.6)"
    );
}

#[test]
fn why_something_cannot_be_bought() {
    let buying = |options: &Options| {
        let mut table = bench(options, "s_gems");
        table.lay(|public, _, hidden| {
            public.parties[0].gems = gems(2, 0, 0);
            offer(public, hidden, 1, "ai_01");
        });
        table
    };
    let relay = Action::BuyStation {
        station: Station::Relay,
        galaxy: Galaxy::EmberCrown,
        pay: pay(2, 0, 0),
    };
    let mut table = buying(&options());
    table.begin_buying(0);
    assert_eq!(
        why(&table, A, relay),
        "stations are not in play at this table (2, 10)"
    );
    let row = |row, pay| Action::BuyAi { row, pay };
    assert_eq!(
        why(&table, A, row(1, pay(1, 0, 0))),
        "a cost is paid gem for gem, a cheaper gem never stands for a dearer one (R3, 5.1)"
    );
    assert_eq!(
        why(&table, A, row(1, pay(0, 1, 0))),
        "the gems paid must be owned (5.1)"
    );
    let build = |upgrade, pay| Action::BuyUpgrade { upgrade, pay };
    assert_eq!(
        why(&table, A, build(Upgrade::Range1To3, pay(0, 1, 0))),
        "an upgrade is bought once, after the step before it, with a cube (R7, R37, 3)"
    );
    table.lay(|public, _, _| public.ai_row[0] = None);
    assert_eq!(
        why(&table, A, row(1, pay(0, 1, 0))),
        "there is no card at that position (R5, 5.1)"
    );
    assert_eq!(
        why(&table, A, place("pc_1/1")),
        "it is time to buy, or to end buying (5.1)"
    );

    let with_stations = Options {
        stations: true,
        ..options()
    };
    let mut table = buying(&with_stations);
    table.lay(|public, _, _| station(public, A, Station::Citadel, Galaxy::EmberCrown));
    table.begin_buying(0);
    assert_eq!(
        why(&table, A, relay),
        "a station goes to a galaxy with an own cube and no own station (10)"
    );
}

#[test]
fn why_a_plan_or_a_pick_is_refused() {
    let mut table = Table::new(&options(), 2);
    table.begin_planning();
    let keep = |slot| Action::PlanKeep { slot };
    let lay = |slot, id| Action::PlanPlace {
        slot,
        card: card(id),
    };
    assert_eq!(
        why(&table, A, keep(1)),
        "this slot must get a card (R10, R11, 5.2)"
    );
    assert_eq!(
        why(&table, A, lay(2, "s_mine")),
        "slots are planned from left to right (5.2)"
    );
    assert_eq!(
        why(&table, A, lay(1, "ai_01")),
        "only a card from the hand can be laid (5.2)"
    );
    let leader = Leader::Magnate;
    assert_eq!(
        why(&table, A, Action::ChooseLeader { leader }),
        "it is time to plan (5.2)"
    );
    table.play(A, "s_mine on 1");
    assert_eq!(
        why(&table, A, lay(2, "s_mine")),
        "only a card from the hand can be laid (5.2)"
    );
    table.play(A, "s_gems on 2; s_settle on 3");
    assert!(matches!(
        table.game.check(Seat(A), lay(1, "s_mine")),
        Err(Rejected::NotToAct { .. })
    ));

    let mut table = b0("s_gems");
    table.lay(|public, _, hidden| {
        (public.parties[0].energy, public.parties[0].gems) = (36, gems(2, 0, 0));
        public
            .parties
            .iter_mut()
            .skip(1)
            .for_each(|board| board.gems = gems(0, 0, 0));
        stack_dark_tech(hidden, "dt1_cache");
    });
    table.begin_buying(0);
    table.play(A, "project_1 for 2a");
    let card = DarkTech::Surge;
    assert_eq!(
        why(&table, A, Action::DarkTech { card }),
        "only a card that is left in the stack of the level can be picked (7)"
    );
}

/// What all of a seat's actions are called.
fn labels(table: &Table, seat: u8) -> Vec<String> {
    let seen = table.game.seen(Viewer::Seat(Seat(seat)));
    let label = |action| {
        let mut text = String::new();
        CouncilOfShadows::label(seen, action, &mut text);
        text
    };
    table.actions(seat).into_iter().map(label).collect()
}

#[test]
fn actions_are_called_by_what_they_do() {
    let mut table = b0("s_settle");
    table.lay(|public, _, hidden| {
        public.parties[0].gems = gems(0, 2, 0);
        offer(public, hidden, 3, "ai_03");
    });
    table.begin_buying(0);
    let buying = labels(&table, A);
    assert!(
        buying.contains(&"buy Armada at 3 for 2g".to_owned()),
        "{buying:?}"
    );
    assert!(buying.contains(&"buy range_1_2 for 1g".to_owned()));
    assert_eq!(buying.last().unwrap(), "end buying");

    let mut table = acting("s_settle");
    assert_eq!(
        labels(&table, A),
        [
            "settle parvus_corta_1 planet 1 (b)",
            "settle parvus_corta_2 planet 0 (b)",
            "settle ember_crown_1 planet 2 (b)",
            "skip"
        ]
    );
    table.play(A, "skip");
    assert_eq!(
        labels(&table, A),
        [
            "score parvus_corta with parvus_corta_1 planet 0 (b)",
            "score ember_crown with ember_crown_1 planet 0 (b)",
            "score ember_crown with ember_crown_1 planet 1 (b)",
            "end scoring"
        ]
    );
    let mut table = Table::new(&options(), 2);
    table.lay(|public, _, hidden| {
        public.round = 2;
        lay_card(public, hidden, A, 2, "s_mine");
    });
    table.begin_planning();
    assert_eq!(labels(&table, A)[0], "lay Settle on slot 1");
    table.play(A, "s_settle on 1");
    assert_eq!(labels(&table, A).last().unwrap(), "keep slot 2");
}
