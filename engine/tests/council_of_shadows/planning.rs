//! Secret planning (5.2, 13): what the others learn of a plan while it is made.

use std::collections::BTreeSet;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use tavola_engine::games::council_of_shadows::components::Field;
use tavola_engine::games::council_of_shadows::{
    CouncilOfShadows, Event, LeaderMode, Options, Party, Slot, Stage,
};
use tavola_engine::{Chance, Cx, Game, Playthrough, Seat, SeatSet, Seed, Viewer};

use crate::scenario::*;
use crate::secrets::{heard, viewers};

/// Who is done, in PLAN.
fn done(game: &CouncilOfShadows) -> Option<SeatSet> {
    match game.public().stage {
        Stage::Planning { done } => Some(done),
        _ => None,
    }
}

/// Plays random games and checks every answer of PLAN against what the others see of it. Tells how
/// many of them left the planner with more to plan.
fn watched(options: &Options, seats: u8, seed: u64) -> u32 {
    let mut dice = StdRng::seed_from_u64(seed);
    let mut play = Playthrough::<CouncilOfShadows>::start(
        options.clone(),
        seats,
        Seed::from_number(seed),
        None,
    )
    .unwrap();
    let mut steps = 0;
    loop {
        let asked = CouncilOfShadows::to_act(play.state().public());
        let Some(&seat) = asked.iter().collect::<Vec<_>>().choose(&mut dice) else {
            return steps;
        };
        let before = play.clone();
        let legal = CouncilOfShadows::legal_actions(play.state().seen(Viewer::Seat(seat)));
        let mut told = Vec::new();
        play.submit(seat, *legal.choose(&mut dice).unwrap(), Some(&mut told))
            .unwrap();
        let (Some(_), Some(done)) = (done(before.state()), done(play.state())) else {
            continue;
        };
        let is_done = done.contains(seat);
        steps += u32::from(!is_done);
        for viewer in viewers(seats).filter(|&viewer| viewer != Viewer::Seat(seat)) {
            let mut expected = before.state().observe(viewer);
            let mut hears = Vec::new();
            let news = Event::PlanDone { seat };
            if is_done {
                expected.public.stage = Stage::Planning { done };
                hears.push(&news);
            }
            assert_eq!(play.state().observe(viewer), expected, "seed {seed}");
            assert_eq!(heard(&told, viewer), hears, "seed {seed}");
            let list = |play: &Playthrough<CouncilOfShadows>| {
                CouncilOfShadows::legal_actions(play.state().seen(viewer))
            };
            assert_eq!(list(&play), list(&before), "seed {seed}");
            let number = |play: &Playthrough<CouncilOfShadows>| match viewer {
                Viewer::Seat(other) => play.decision_number_for(other),
                Viewer::Spectator => play.decision_number(),
            };
            // While others owe theirs; who plans alone opens a decision with each answer, as in
            // every other phase.
            if asked.len() > 1 {
                assert_eq!(number(&play), number(&before), "seed {seed}");
            }
        }
    }
}

#[test]
fn others_see_who_is_done_and_nothing_else() {
    for (seats, leaders) in [
        (2, LeaderMode::Off),
        (3, LeaderMode::Draft),
        (4, LeaderMode::Random),
    ] {
        let options = Options {
            max_rounds: 7,
            leaders,
            ..options()
        };
        let steps: u32 = (0..4).map(|seed| watched(&options, seats, seed)).sum();
        assert!(steps > 50, "{steps}");
    }
}

/// Nobody can tell how far a rival's plan is: every length is possible.
#[test]
fn a_plan_in_the_making_may_be_of_any_length() {
    let imagined = |table: &Table, viewer: Viewer| -> BTreeSet<usize> {
        let lengths = (0..60).map(|seed| {
            let mut chance = Chance::at_ply(Seed::from_number(seed), 0);
            let state = CouncilOfShadows::determinize(table.game.seen(viewer), &mut chance);
            state.private(Seat(A)).unwrap().plan.len()
        });
        lengths.collect()
    };
    let mut table = Table::new(&options(), 2);
    table.begin_planning();
    for (nth, choice) in ["s_mine on 1", "s_gems on 2", "s_settle on 3"]
        .iter()
        .enumerate()
    {
        for viewer in [Viewer::Seat(Seat(B)), Viewer::Spectator] {
            assert_eq!(imagined(&table, viewer), BTreeSet::from([0, 1, 2]));
        }
        assert_eq!(
            imagined(&table, Viewer::Seat(Seat(A))),
            BTreeSet::from([nth]),
            "A knows its own"
        );
        table.play(A, choice);
    }
    assert_eq!(
        imagined(&table, Viewer::Seat(Seat(B))),
        BTreeSet::from([3]),
        "A is done"
    );
}

/// How often A is asked in PLAN, over all plans that it can make.
fn questions(game: &CouncilOfShadows, asked: u32, counts: &mut BTreeSet<u32>) {
    if !CouncilOfShadows::to_act(game.public()).contains(Seat(A)) {
        counts.insert(asked);
        return;
    }
    for action in CouncilOfShadows::legal_actions(game.seen(Viewer::Seat(Seat(A)))) {
        let mut next = game.clone();
        let mut chance = Chance::scripted([]);
        next.apply(Seat(A), action, &mut Cx::new(&mut chance, None))
            .unwrap();
        questions(&next, asked + 1, counts);
    }
}

/// Our reading of section 5: in secret planning a list of one is asked where leaving it out would
/// show that a card was laid. So the number of questions is the same for every plan.
#[test]
fn every_plan_takes_the_same_number_of_questions() {
    let all = ["s_settle", "s_found", "s_mine", "s_explore"];
    let mut varied = 0;
    for round in [1, 2] {
        for hand in 0..=all.len() {
            for extra_field in [false, true] {
                for open_planning in [false, true] {
                    let options = Options {
                        open_planning,
                        ..options()
                    };
                    let mut table = Table::new(&options, 2);
                    table.lay(|public, _, _| {
                        public.round = round;
                        let board = &mut public.parties[0];
                        board.hand = all[..hand].iter().map(|id| card(id)).collect();
                        if extra_field {
                            board.slots.push(Slot::empty(Field::Leader));
                        }
                    });
                    table.begin_planning();
                    let mut counts = BTreeSet::new();
                    questions(&table.game, 0, &mut counts);
                    if open_planning {
                        varied += u32::from(counts.len() > 1);
                    } else {
                        assert_eq!(counts.len(), 1, "round {round}, {hand} cards: {counts:?}");
                    }
                }
            }
        }
    }
    assert!(varied > 0, "without screens a list of one is never asked");
}

/// A plan that was begun is gone when the game is broken off, and nobody hears of it.
#[test]
fn a_game_that_is_broken_off_reveals_no_plan() {
    let mut table = Table::new(&options(), 2);
    table.begin_planning();
    table.play(A, "s_mine on 1");
    let hand = table.hand(A);
    table.begin(|game, cx| {
        game.resign(Seat(A), cx);
        game.resign(Seat(B), cx);
    });
    assert_eq!((table.hand(A), table.own(A).plan.len()), (hand, 0));
    let tells = |event: &Event| {
        matches!(
            event,
            Event::Planned { .. } | Event::PlanRevealed { .. } | Event::BonusRevealed { .. }
        )
    };
    assert!(!table.told.iter().any(|(_, event)| tells(event)));
}

#[test]
fn drawn_tiles_are_put_back_when_the_game_is_broken_off() {
    let mut table = acting("s_explore");
    let stack = table.game.hidden().tile_stacks[0].clone();
    table.play(A, "stack 1");
    table.begin(|game, cx| (0..4).for_each(|seat| game.resign(Seat(seat), cx)));
    assert_eq!(table.game.hidden().tile_stacks[0], stack);
    assert_eq!(table.public().tile_stacks[0], 9);
    let put_back = Event::TilesPutBack {
        party: Party(A),
        parsec: 1,
        count: 2,
    };
    for viewer in viewers(4) {
        assert!(heard(&table.told, viewer).contains(&&put_back));
    }
    // A still knows where they lie; the others have learnt nothing.
    let known = |seat: u8| table.own(seat).memory.tile_stacks[0][..3].to_vec();
    assert_eq!(known(A), [Some(tile("p1_07")), Some(tile("p1_05")), None]);
    assert_eq!(known(B), [None; 3]);
    crate::conformance::conserved(&table.game).unwrap();
}
