//! Hidden information (13): twin worlds that differ only in what a viewer can't see, and planning
//! at the same time.

use std::ops::Range;

use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use tavola_engine::games::council_of_shadows::components::{Back, Numbered, Set};
use tavola_engine::games::council_of_shadows::{
    AutomaMode, CouncilOfShadows, Event, LeaderMode, Options, Stage, StepTask,
};
use tavola_engine::{Audience, Chance, Cx, Game, Playthrough, Seat, Seed, Viewer};

use crate::conformance::conserved;
use crate::scenario::*;

pub(crate) fn heard(events: &[(Audience, Event)], viewer: Viewer) -> Vec<&Event> {
    let seat = match viewer {
        Viewer::Seat(seat) => Some(seat),
        Viewer::Spectator => None,
    };
    let heard = events
        .iter()
        .filter(|(audience, _)| audience.includes(seat));
    heard.map(|(_, event)| event).collect()
}

pub(crate) fn viewers(seats: u8) -> impl Iterator<Item = Viewer> {
    (0..seats)
        .map(|seat| Viewer::Seat(Seat(seat)))
        .chain([Viewer::Spectator])
}

/// At every ply of random games: a twin of the table that looks the same to a viewer is sound, and
/// stays the same to that viewer through everything that others can do in both worlds and that
/// tells him nothing.
fn twins(options: &Options, seats: u8, seeds: Range<u64>) -> u32 {
    let mut differed = 0;
    for seed in seeds {
        let mut dice = StdRng::seed_from_u64(seed);
        let mut play = Playthrough::<CouncilOfShadows>::start(
            options.clone(),
            seats,
            Seed::from_number(seed),
            None,
        )
        .unwrap();
        loop {
            let state = play.state();
            let to_act: Vec<Seat> = CouncilOfShadows::to_act(state.public()).iter().collect();
            let Some(&seat) = to_act.choose(&mut dice) else {
                break;
            };
            let action = *CouncilOfShadows::legal_actions(state.seen(Viewer::Seat(seat)))
                .choose(&mut dice)
                .unwrap();
            let mut told = Vec::new();
            let mut after = state.clone();
            after.apply_unchecked(
                seat,
                action,
                &mut Cx::new(
                    &mut Chance::at_ply(Seed::from_number(seed), play.ply() + 1),
                    Some(&mut told),
                ),
            );
            for viewer in viewers(seats) {
                let mut chance = Chance::at_ply(Seed::from_number(dice.random()), 0);
                let mut twin = CouncilOfShadows::determinize(state.seen(viewer), &mut chance);
                conserved(&twin).unwrap();
                assert_eq!(twin.observe(viewer), state.observe(viewer));
                assert_eq!(
                    CouncilOfShadows::legal_actions(twin.seen(viewer)),
                    CouncilOfShadows::legal_actions(state.seen(viewer))
                );
                if twin.check(seat, action).is_err() {
                    continue;
                }
                let mut twin_told = Vec::new();
                twin.apply_unchecked(
                    seat,
                    action,
                    &mut Cx::new(
                        &mut Chance::at_ply(Seed::from_number(seed), play.ply() + 1),
                        Some(&mut twin_told),
                    ),
                );
                if twin.observe(viewer) == after.observe(viewer) {
                    assert_eq!(
                        heard(&told, viewer),
                        heard(&twin_told, viewer),
                        "{viewer:?} {action:?}"
                    );
                    differed += u32::from(twin != after);
                }
            }
            play.submit(seat, action, None).unwrap();
        }
    }
    differed
}

#[test]
fn twin_worlds_look_the_same() {
    let base = Options {
        max_rounds: 6,
        ..options()
    };
    let modules = Options {
        stations: true,
        leaders: LeaderMode::Random,
        ..base.clone()
    };
    let automa = Options {
        automa: Some(AutomaMode::Hard),
        ..options()
    };
    assert!(twins(&base, 2, 0..3) > 100);
    assert!(twins(&modules, 4, 3..5) > 100);
    assert!(twins(&automa, 1, 5..9) > 100);
    assert!(twins(&automa, 2, 9..12) > 100);
}

/// The plans of all seats for one round.
fn plans(table: &Table, dice: &mut StdRng) -> Vec<(u8, String)> {
    // Each seat plans alone in a copy: what the others do must not matter.
    let mut all = Vec::new();
    for seat in table.to_act() {
        let mut game = table.game.clone();
        while CouncilOfShadows::to_act(game.public()).contains(Seat(seat))
            && matches!(game.public().stage, Stage::Planning { .. })
        {
            let legal = CouncilOfShadows::legal_actions(game.seen(Viewer::Seat(Seat(seat))));
            let action = *legal.choose(dice).unwrap();
            all.push((seat, said(action)));
            let mut chance = Chance::at_ply(Seed::from_number(0), 0);
            game.apply_unchecked(Seat(seat), action, &mut Cx::new(&mut chance, None));
        }
    }
    all
}

/// Any interleaving that keeps each seat's own order.
fn interleaved(plans: &[(u8, String)], dice: &mut StdRng) -> Vec<(u8, String)> {
    let mut seats: Vec<u8> = plans.iter().map(|&(seat, _)| seat).collect();
    seats.shuffle(dice);
    let mut queues: Vec<Vec<&String>> = vec![Vec::new(); 4];
    for (seat, choice) in plans.iter().rev() {
        queues[usize::from(*seat)].push(choice);
    }
    seats
        .into_iter()
        .map(|seat| (seat, queues[usize::from(seat)].pop().unwrap().clone()))
        .collect()
}

#[test]
fn the_order_of_planning_does_not_matter() {
    for open_planning in [false, true] {
        let options = Options {
            open_planning,
            ..options()
        };
        for seed in 0..20 {
            let mut dice = StdRng::seed_from_u64(seed);
            let mut table = Table::new(&options, 4);
            table.lay(|public, _, hidden| {
                // Sometimes a later round with cards to cover.
                if seed % 2 == 0 {
                    public.round = 2;
                    for seat in 0..4 {
                        lay_card(public, hidden, seat, 2, "s_settle");
                        lay_card(public, hidden, seat, 3, "s_mine");
                    }
                }
            });
            table.begin_planning();
            let plans = plans(&table, &mut dice);
            let mut results = Vec::new();
            for _ in 0..4 {
                let mut game = table.game.clone();
                for (seat, choice) in interleaved(&plans, &mut dice) {
                    let legal =
                        CouncilOfShadows::legal_actions(game.seen(Viewer::Seat(Seat(seat))));
                    let action = legal
                        .into_iter()
                        .find(|&action| said(action) == choice)
                        .unwrap();
                    let mut chance = Chance::at_ply(Seed::from_number(7), 9);
                    game.apply(Seat(seat), action, &mut Cx::new(&mut chance, None))
                        .unwrap();
                }
                assert!(!matches!(game.public().stage, Stage::Planning { .. }));
                results.push(game);
            }
            assert!(
                results.windows(2).all(|pair| pair[0] == pair[1]),
                "seed {seed}"
            );
        }
    }
}

/// In secret planning the number of questions is the same whatever is chosen: it would tell whether
/// a card was laid.
#[test]
fn how_often_a_seat_is_asked_betrays_nothing() {
    let asked = |open_planning: bool, choices: &str| {
        let options = Options {
            open_planning,
            ..options()
        };
        let mut table = Table::new(&options, 2);
        table.lay(|public, _, hidden| {
            public.round = 2;
            lay_card(public, hidden, A, 2, "s_mine");
            lay_card(public, hidden, A, 3, "s_gems");
            for id in ["s_settle", "s_found"] {
                public.parties[0].hand.remove(card(id));
            }
        });
        assert_eq!(table.hand(A), ["s_explore", "s_improve"]);
        table.begin_planning();
        table.play(A, choices);
        table.to_act()
    };
    // With both cards laid nothing is left for slot 3, and the seat is asked all the same.
    assert_eq!(asked(false, "s_explore on 1; s_improve on 2"), [A, B]);
    assert_eq!(asked(false, "s_explore on 1; s_improve on 2; keep 3"), [B]);
    assert_eq!(asked(false, "s_explore on 1; keep 2; s_improve on 3"), [B]);
    // Without screens a list of one is never asked.
    assert_eq!(asked(true, "s_explore on 1; s_improve on 2"), [B]);
}

/// A seat's answers have numbers of their own, and leave the others' decision as it is.
#[test]
fn the_decisions_of_planning_are_numbered_seat_by_seat() {
    let mut play =
        Playthrough::<CouncilOfShadows>::start(options(), 2, Seed::from_number(3), None).unwrap();
    let answer = |play: &mut Playthrough<CouncilOfShadows>, seat: Seat| {
        let legal = CouncilOfShadows::legal_actions(play.state().seen(Viewer::Seat(seat)));
        // The last one: it ends buying, and lays cards.
        let action = *legal.last().unwrap();
        play.submit(seat, action, None).unwrap();
        CouncilOfShadows::encode(action)
    };
    while !matches!(play.state().public().stage, Stage::Planning { .. }) {
        let seat = CouncilOfShadows::to_act(play.state().public())
            .iter()
            .next()
            .unwrap();
        answer(&mut play, seat);
    }
    let (a, b) = (Seat(0), Seat(1));
    let opened = play.decision_number();
    assert_eq!(
        (play.decision_number_for(a), play.decision_number_for(b)),
        (opened, opened)
    );
    let first = answer(&mut play, a);
    let after_first = play.clone();
    let second_number = play.decision_number_for(a);
    assert!(second_number > opened);
    assert_eq!(
        (play.decision_number(), play.decision_number_for(b)),
        (opened, opened)
    );
    let of_b = answer(&mut play, b);
    assert_eq!(
        play.decision_number_for(a),
        second_number,
        "what others answer changes nothing"
    );
    let second = answer(&mut play, a);
    assert_eq!(play.decision_number(), opened);
    // Every answer can be found again under the number it was given to.
    assert_eq!(play.answer(a, opened), Some((first, after_first)));
    assert_eq!(
        play.answer(a, second_number).map(|(action, _)| action),
        Some(second)
    );
    assert_eq!(play.answer(b, opened).map(|(action, _)| action), Some(of_b));
    assert_eq!(play.answer(b, second_number), None);
    // Who is done has no number of his own any more: it would tell him how far the others are.
    answer(&mut play, a);
    assert!(!CouncilOfShadows::to_act(play.state().public()).contains(a));
    assert_eq!(play.decision_number_for(a), opened);
}

#[test]
fn drawn_tiles_are_the_explorers_secret_until_one_is_placed() {
    let mut table = acting("s_explore");
    let before = viewers(4)
        .map(|viewer| table.game.observe(viewer))
        .collect::<Vec<_>>();
    table.play(A, "stack 1");
    assert_eq!(table.own(A).tiles[..], [tile("p1_07"), tile("p1_05")]);
    assert!(table.heard(&Event::TilesSeen {
        tiles: table.own(A).tiles.clone()
    }));
    for viewer in [Viewer::Seat(Seat(B)), Viewer::Spectator] {
        assert!(
            !heard(&table.told, viewer)
                .iter()
                .any(|event| matches!(event, Event::TilesSeen { .. }))
        );
    }
    assert!(before.iter().all(|seen| seen.public.tile_stacks[0] == 9));
    assert_eq!(table.public().tile_stacks[0], 7);
    assert!(
        matches!(&table.public().stage, Stage::Acting { work, .. } if work.task == StepTask::PlaceTile { parsec: 1, drawn: 2 })
    );
    table.play(A, "p1_05 on ec_2; yield");
    let last = |seat: u8| *table.own(seat).memory.tile_stacks[0].last().unwrap();
    assert_eq!((last(A), last(B)), (Some(tile("p1_07")), None));
}

/// Two explorers with s_explore: A returns a tile, which B draws again.
#[test]
fn a_returned_tile_is_followed_through_another_exploration() {
    for (placed, known) in [("p1_07", None), ("p1_12", Some(tile("p1_07")))] {
        let mut table = b0("s_explore");
        table.lay(|public, _, hidden| {
            lay_card(public, hidden, B, 1, "s_explore");
            // A draws the only two tiles but one: its own comes to the bottom, and B draws both.
            hidden.tile_stacks[0].truncate(3);
            let gone: Vec<_> = hidden.tile_stacks[0].to_vec();
            assert_eq!(gone, [tile("p1_07"), tile("p1_05"), tile("p1_12")]);
        });
        table.begin_acting();
        table.play(A, "stack 1; p1_05 on ec_2; yield; end");
        assert_eq!(
            table.own(A).memory.tile_stacks[0][..],
            [None, Some(tile("p1_07"))]
        );
        table.play(B, "stack 1");
        assert_eq!(
            table.own(A).memory.drawn[..],
            [None, Some(tile("p1_07"))],
            "A knows one of B's tiles"
        );
        table.play(B, &format!("{placed} on ec_3"));
        assert_eq!(table.own(A).memory.tile_stacks[0][..], [known]);
        let other = if placed == "p1_07" { "p1_12" } else { "p1_07" };
        assert_eq!(table.own(B).memory.tile_stacks[0][..], [Some(tile(other))]);
        assert_eq!(table.own(C).memory.tile_stacks[0][..], [None]);
    }
}

#[test]
fn bonus_cards_are_their_owners_secret() {
    let table = Table::new(&options(), 4);
    for seat in 0..4 {
        let own = &table.own(seat).bonus;
        assert_eq!((own.len(), own[0].back()), (1, Back::Dark));
        assert_eq!(
            (table.party(seat).light_bonus, table.party(seat).dark_bonus),
            (0, 1)
        );
        let told = heard(&table.told, Viewer::Seat(Seat(seat)));
        let seen = told
            .iter()
            .filter(|event| matches!(event, Event::BonusSeen { .. }))
            .count();
        assert_eq!(seen, 1, "its own alone");
    }
    let spectator = heard(&table.told, Viewer::Spectator);
    assert!(
        !spectator
            .iter()
            .any(|event| matches!(event, Event::BonusSeen { .. }))
    );
}

/// A declined card stays known to who declined it, and to who knew it before.
#[test]
fn a_declined_bonus_card_is_remembered() {
    let mut table = b0("s_gems");
    table.lay(|public, private, hidden| {
        lay_tiles(public, hidden, &[("vc_1", "p2_07")], &[]);
        public.parties[0].supply = 30;
        put(public, "vc_1/0", A, 1);
        put(public, "vc_1/1", B, 1);
        let dark = private.get(Seat(B)).unwrap().bonus[0].to_string();
        hold(private, hidden, B, &[&dark, "bl_01", "bl_02", "bl_03"]);
        let dark = private.get(Seat(A)).unwrap().bonus[0].to_string();
        hold(private, hidden, A, &[&dark, "bl_04", "bl_05", "bl_06"]);
        hidden.bonus_deck = [bonus("bl_10")].into_iter().collect();
    });
    table.begin_acting();
    table.play(A, "skip; score vc_1/0; decline");
    let known = |table: &Table, seat: u8| table.own(seat).memory.bonus_deck[0];
    assert_eq!(
        (known(&table, A), known(&table, B)),
        (Some(bonus("bl_10")), None)
    );
    table.play(B, "score vc_1/1");
    assert_eq!(
        table.own(A).memory.bonus_drawn,
        Some(bonus("bl_10")),
        "A knows what B has drawn"
    );
    table.play(B, "decline");
    assert_eq!(
        (known(&table, A), known(&table, B)),
        (Some(bonus("bl_10")), Some(bonus("bl_10")))
    );
    assert_eq!(known(&table, C), None);
    assert!(bonus("bl_10").index() < 18);
}

/// Every place that nobody has seen can be imagined in more than one way, and what is known in one
/// only.
#[test]
fn determinized_states_vary_where_something_is_hidden_and_only_there() {
    let mut table = acting("s_explore");
    table.play(A, "stack 1; p1_05 on ec_2; yield");
    let (mut tops, mut bottoms_of_a, mut bottoms_of_b, mut hands) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for seed in 0..60 {
        let imagine = |viewer| {
            let mut chance = Chance::at_ply(Seed::from_number(seed), 0);
            CouncilOfShadows::determinize(table.game.seen(viewer), &mut chance)
        };
        let of_a = imagine(Viewer::Seat(Seat(A)));
        let of_b = imagine(Viewer::Seat(Seat(B)));
        tops.push(of_a.hidden().tile_stacks[0][0]);
        bottoms_of_a.push(*of_a.hidden().tile_stacks[0].last().unwrap());
        bottoms_of_b.push(*of_b.hidden().tile_stacks[0].last().unwrap());
        hands.push(of_a.private(Seat(B)).unwrap().bonus[0]);
    }
    let kinds = |things: &mut Vec<_>| {
        things.sort_unstable();
        things.dedup();
        things.len()
    };
    assert_eq!(kinds(&mut bottoms_of_a), 1);
    assert_eq!(
        kinds(&mut tops),
        7,
        "all but the one that A knows to be at the bottom"
    );
    assert_eq!(kinds(&mut bottoms_of_b), 8);
    hands.sort_unstable();
    hands.dedup();
    assert_eq!(hands.len(), 6, "seven dark cards, of which A holds one");
}

/// A card that goes back as one of several takes with it all that was known of the hand.
#[test]
fn whoever_returns_one_of_several_cards_is_a_stranger_again() {
    for (returned, still_known) in [(2, false), (0, true)] {
        let mut table = b0("s_gems");
        table.lay(|public, private, hidden| {
            lay_tiles(public, hidden, &[("vc_1", "p2_07")], &[]);
            public.parties[0].supply = 30;
            put(public, "vc_1/0", B, 1);
            bonus_tops(private, hidden, &["bl_10"]);
            let dark = private.get(Seat(B)).unwrap().bonus[0].to_string();
            hold(private, hidden, B, &[&dark, "bl_01", "bl_02", "bl_03"]);
        });
        let known = Set::EMPTY.with(bonus("bl_01")).with(bonus("bl_03"));
        table.lay(|_, private, _| {
            let memory = &mut private.get_mut(Seat(A)).unwrap().memory;
            memory.bonus_held[usize::from(B)] = known;
        });
        table.begin_acting();
        table.play(A, "skip");
        table.play(B, &format!("score vc_1/0; return {returned}"));
        // bl_02 goes: it might have been any of the three. The dark one can't be mixed up.
        let expected = if still_known { known } else { Set::EMPTY };
        assert_eq!(
            table.own(A).memory.bonus_held[usize::from(B)],
            expected,
            "return {returned}"
        );
        assert_eq!(table.own(A).memory.bonus_deck.last(), Some(&None));
    }
}

/// The back of a card that waits for its owner's choice is seen by all.
#[test]
fn a_dark_card_that_was_returned_is_recognized_when_it_is_drawn() {
    let mut table = b0("s_gems");
    table.lay(|public, private, hidden| {
        lay_tiles(public, hidden, &[("vc_1", "p2_07")], &[]);
        public.parties[0].supply = 30;
        put(public, "vc_1/0", A, 1);
        let dark = private.get(Seat(A)).unwrap().bonus[0];
        hold(private, hidden, A, &["bl_01", "bl_02", "bl_03", "bl_04"]);
        hidden.bonus_deck = [dark].into_iter().collect();
    });
    table.begin_acting();
    table.play(A, "skip; score vc_1/0");
    assert_eq!(table.public().bonus_drawn, Some(Back::Dark));
    table.play(A, "decline");
    assert!(table.heard(&Event::BonusDeclined {
        seat: Seat(A),
        back: Back::Dark
    }));
    assert_eq!(table.public().bonus_deck[..], [Back::Dark]);
}

#[test]
fn when_all_humans_have_left_nobody_wins() {
    let mut play =
        Playthrough::<CouncilOfShadows>::start(options(), 2, Seed::from_number(3), None).unwrap();
    play.resign(Seat(1), None).unwrap();
    assert!(CouncilOfShadows::outcome(play.state().public()).is_none());
    play.resign(Seat(0), None).unwrap();
    let outcome = CouncilOfShadows::outcome(play.state().public()).unwrap();
    assert!(outcome.winners.is_empty(), "{outcome:?}");
}

#[test]
fn a_seat_that_leaves_ranks_last_and_cannot_win() {
    let mut play = Playthrough::<CouncilOfShadows>::start(
        Options {
            max_rounds: 5,
            ..options()
        },
        2,
        Seed::from_number(3),
        None,
    )
    .unwrap();
    play.resign(Seat(0), None).unwrap();
    let mut dice = StdRng::seed_from_u64(1);
    loop {
        let state = play.state();
        let to_act: Vec<Seat> = CouncilOfShadows::to_act(state.public()).iter().collect();
        // The seat is played on for: it still owes its decisions.
        let Some(&seat) = to_act.choose(&mut dice) else {
            break;
        };
        let legal = CouncilOfShadows::legal_actions(state.seen(Viewer::Seat(seat)));
        play.submit(seat, *legal.choose(&mut dice).unwrap(), None)
            .unwrap();
    }
    let Stage::Over(ending) = &play.state().public().stage else {
        panic!("not over")
    };
    assert!(ending.outcome.winners.contains(Seat(1)) && !ending.outcome.winners.contains(Seat(0)));
    assert_eq!(
        (ending.standings[1].party.0, ending.standings[1].rank),
        (0, 2)
    );

    let mut solo =
        Playthrough::<CouncilOfShadows>::start(options(), 1, Seed::from_number(3), None).unwrap();
    solo.resign(Seat(0), None).unwrap();
    let outcome = CouncilOfShadows::outcome(solo.state().public()).unwrap();
    assert!(
        outcome.winners.is_empty(),
        "a solo game that is left is lost"
    );
}
