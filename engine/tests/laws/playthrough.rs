//! Decision numbers, answers given again, resignations, records.

use tavola_engine::bots::{Bot, RandomBot};
use tavola_engine::{
    ActionId, Chance, Entry, Game, Playthrough, Record, Rejected, ReplayError, Seat, SeatSet, Seed,
    Viewer, perft,
};

use crate::sealed_bids::{Action, Event, Options, SealedBids, Stage, flaw};

type Bids = SealedBids<{ flaw::NONE }>;

const SEATS: u8 = 3;

fn table() -> Playthrough<Bids> {
    Playthrough::start(Options::default(), SEATS, Seed::from_number(7), None).unwrap()
}

fn legal(table: &Playthrough<Bids>, seat: Seat) -> Vec<Action> {
    Bids::legal_actions(table.state().seen(Viewer::Seat(seat)))
}

/// The seat plays its first legal action.
fn answer(table: &mut Playthrough<Bids>, seat: Seat) -> Action {
    let action = legal(table, seat)[0];
    table.submit(seat, action, None).unwrap();
    action
}

fn winner(table: &Playthrough<Bids>) -> Seat {
    match table.state().public.stage {
        Stage::Choosing { winner } => winner,
        ref stage => panic!("nobody has won the round: {stage:?}"),
    }
}

#[test]
fn a_simultaneous_decision_keeps_its_number_until_all_have_answered() {
    let mut table = table();
    assert_eq!(table.decision_number(), 1);
    answer(&mut table, Seat(2));
    assert_eq!((table.ply(), table.decision_number()), (1, 1));
    answer(&mut table, Seat(0));
    assert_eq!((table.ply(), table.decision_number()), (2, 1));
    answer(&mut table, Seat(1));
    assert_eq!((table.ply(), table.decision_number()), (3, 4));
    let winner = winner(&table);
    answer(&mut table, winner);
    assert_eq!((table.ply(), table.decision_number()), (4, 5));
}

#[test]
fn a_seat_that_answers_in_several_steps_is_asked_anew_and_disturbs_nobody() {
    let options = Options {
        rounds: 1,
        cards: 2,
    };
    let mut table = Playthrough::<Bids>::start(options, 2, Seed::from_number(7), None).unwrap();
    let (a, b) = (Seat(0), Seat(1));
    let numbers = |table: &Playthrough<Bids>| {
        let own = [a, b].map(|seat| table.decision_number_for(seat));
        (table.decision_number(), own)
    };
    assert_eq!(numbers(&table), (1, [1, 1]));
    let first = answer(&mut table, a);
    let after_first = table.clone();
    assert_eq!(numbers(&table), (1, [2, 1]));
    let of_b = answer(&mut table, b);
    assert_eq!(numbers(&table), (1, [2, 3]));
    let second = answer(&mut table, a);
    assert_eq!(
        numbers(&table),
        (1, [1, 3]),
        "who is done has no number of its own"
    );
    let last = answer(&mut table, b);
    assert_eq!(numbers(&table), (5, [5, 5]));

    for (seat, decision, action) in [(a, 1, first), (b, 1, of_b), (a, 2, second), (b, 3, last)] {
        let (found, then) = table.answer(seat, decision).unwrap();
        assert_eq!(found, Bids::encode(action), "{seat}, decision {decision}");
        let entry = Entry::Action(seat, found);
        assert_eq!(then.record().entries.last(), Some(&entry));
    }
    assert_eq!(table.answer(a, 1), Some((Bids::encode(first), after_first)));
    for (seat, decision) in [(a, 3), (b, 2), (a, 4), (b, 4), (a, 0), (b, 6)] {
        assert_eq!(
            table.answer(seat, decision),
            None,
            "{seat}, decision {decision}"
        );
    }
}

#[test]
fn the_nth_entry_draws_from_the_chance_of_ply_n() {
    let mut table = table();
    for seat in [0, 1, 2].map(Seat) {
        answer(&mut table, seat);
    }
    let winner = winner(&table);
    table.submit(winner, Action::Take, None).unwrap();
    let prize = Chance::at_ply(Seed::from_number(7), 4).die(6);
    assert_eq!((table.ply(), table.state().public.prize), (4, prize));
    let neighbors = [3, 5].map(|ply| Chance::at_ply(Seed::from_number(7), ply).die(6));
    assert!(
        !neighbors.contains(&prize),
        "the seed tells the plies apart"
    );
}

#[test]
fn a_resignation_opens_a_new_decision_though_others_are_left_to_answer() {
    let mut table = table();
    answer(&mut table, Seat(0));
    table.resign(Seat(1), None).unwrap();
    assert_eq!((table.ply(), table.decision_number()), (2, 3));
    assert_eq!(Bids::to_act(table.state().public()), SeatSet::only(Seat(2)));
}

#[test]
fn an_answer_is_found_again_with_the_table_as_it_stood_then() {
    let mut table = table();
    let first = answer(&mut table, Seat(1));
    let after_first = table.clone();
    answer(&mut table, Seat(0));
    answer(&mut table, Seat(2));
    let winner = winner(&table);
    let choice = answer(&mut table, winner);

    assert_eq!(
        table.answer(Seat(1), 1),
        Some((Bids::encode(first), after_first))
    );
    assert_eq!(
        table.answer(winner, 4),
        Some((Bids::encode(choice), table.clone()))
    );
    let loser = Seat((winner.0 + 1) % SEATS);
    for (seat, decision) in [
        (loser, 4),
        (Seat(1), 0),
        (Seat(1), 2),
        (Seat(1), 5),
        (Seat(1), u64::MAX),
        (Seat(9), 1),
    ] {
        assert_eq!(
            table.answer(seat, decision),
            None,
            "{seat}, decision {decision}"
        );
    }
}

#[test]
fn what_is_refused_changes_nothing() {
    let mut table = table();
    let bid = answer(&mut table, Seat(0));
    let before = table.clone();
    let waiting_for: SeatSet = [Seat(1), Seat(2)].into_iter().collect();
    assert_eq!(
        table.submit(Seat(0), bid, None),
        Err(Rejected::NotToAct { waiting_for })
    );
    assert_eq!(
        table.submit(Seat(200), bid, None),
        Err(Rejected::NotToAct { waiting_for })
    );
    assert_eq!(
        table.submit(Seat(1), bid, None),
        Err(Rejected::NotLegal {
            why: "a card is bid from the hand (1)"
        })
    );
    let action = ActionId(Bids::ACTION_SPACE);
    assert_eq!(
        table.submit_id(Seat(1), action, None),
        Err(Rejected::UnknownAction { action })
    );
    assert_eq!(
        table.resign(Seat(3), None),
        Err(Rejected::NotSeated { seat: Seat(3) })
    );
    assert_eq!(table, before);
}

#[test]
fn a_seat_resigns_once_and_nobody_when_the_game_is_over() {
    let mut table = table();
    table.resign(Seat(1), None).unwrap();
    assert_eq!(
        table.resign(Seat(1), None),
        Err(Rejected::NotSeated { seat: Seat(1) })
    );
    let mut events = Vec::new();
    table.resign(Seat(0), Some(&mut events)).unwrap();
    assert_eq!(events.last().map(|(_, event)| event), Some(&Event::Over));
    assert_eq!(table.resign(Seat(2), None), Err(Rejected::GameOver));
    assert_eq!(
        table.submit(Seat(2), Action::Take, None),
        Err(Rejected::GameOver)
    );
    assert_eq!(
        table.record().entries,
        [Entry::Resign(Seat(1)), Entry::Resign(Seat(0))]
    );
}

#[test]
fn a_record_is_a_file_that_replays() {
    let mut table = table();
    let mut bot = RandomBot::new([3; 32]);
    while let Some(seat) = Bids::to_act(table.state().public()).iter().next_back() {
        let action = bot.choose(table.state().seen(Viewer::Seat(seat)), &legal(&table, seat));
        table.submit(seat, action, None).unwrap();
    }
    let file = serde_json::to_string(table.record()).unwrap();
    let record: Record<Options> = serde_json::from_str(&file).unwrap();
    assert_eq!(Playthrough::<Bids>::replay(&record), Ok(table));
}

#[test]
fn the_form_of_a_record_is_fixed() {
    let mut table = table();
    table
        .submit_id(Seat(2), Bids::encode(legal(&table, Seat(2))[0]), None)
        .unwrap();
    table.resign(Seat(0), None).unwrap();
    let Entry::Action(_, action) = table.record().entries[0] else {
        panic!("an action was the first")
    };
    let expected = format!(
        r#"{{"rules_version":1,"options":{{"rounds":3,"cards":1}},"seats":3,"seed":"07{}","entries":[{{"action":[2,{action}]}},{{"resign":0}}]}}"#,
        "0".repeat(62)
    );
    assert_eq!(serde_json::to_string(table.record()).unwrap(), expected);
}

#[test]
fn a_record_that_no_game_could_have_made_is_refused() {
    let mut table = table();
    answer(&mut table, Seat(0));
    let good = table.record().clone();
    let replay = |record| Playthrough::<Bids>::replay(&record).unwrap_err();

    let record = Record {
        rules_version: 2,
        ..good.clone()
    };
    assert_eq!(
        replay(record),
        ReplayError::RulesVersion {
            record: 2,
            engine: 1
        }
    );

    let record = Record {
        seats: 5,
        ..good.clone()
    };
    assert_eq!(
        replay(record).to_string(),
        "seats is not legal; allowed: 2 to 4"
    );

    let mut record = good.clone();
    record.entries.push(record.entries[0]);
    let waiting_for = [Seat(1), Seat(2)].into_iter().collect();
    assert_eq!(
        replay(record),
        ReplayError::Rejected {
            ply: 2,
            rejected: Rejected::NotToAct { waiting_for }
        }
    );

    assert_eq!(
        Playthrough::<Bids>::replay_to(&good, 2),
        Err(ReplayError::NoSuchPly { last: 1 })
    );
    assert_eq!(Playthrough::<Bids>::replay_to(&good, 0).unwrap().ply(), 0);
}

#[test]
fn perft_counts_each_order_of_sealed_bids_once() {
    let table = table();
    let count = |depth| perft(table.state(), Seed::from_number(0), depth);
    assert_eq!([count(0), count(1), count(2), count(3)], [1, 3, 9, 27]);
    // The winner takes the prize or draws.
    assert_eq!(count(4), 54);
}

#[test]
fn a_hand_is_seen_by_its_seat_alone() {
    let table = table();
    let state = table.state();
    assert_eq!(
        state.observe(Viewer::Seat(Seat(1))).own.as_ref(),
        state.private(Seat(1))
    );
    for viewer in [
        Viewer::Spectator,
        Viewer::Seat(Seat(SEATS)),
        Viewer::Seat(Seat(255)),
    ] {
        let seen = state.seen(viewer);
        assert_eq!((seen.seat, seen.own), (None, None));
    }
}

/// Plays on, always the first legal action of the lowest seat.
fn play_on(table: &mut Playthrough<Bids>) {
    while let Some(seat) = Bids::to_act(table.state().public()).lowest() {
        answer(table, seat);
    }
}

#[test]
fn a_fork_is_the_same_up_to_its_ply_and_has_its_own_chance_after_it() {
    let mut original = table();
    play_on(&mut original);
    for ply in 0..=original.ply() {
        let mut prizes = Vec::new();
        for seed in 0..20 {
            let mut fork = original.fork(ply, Seed::from_number(seed)).unwrap();
            let then = Playthrough::replay_to(original.record(), ply).unwrap();
            assert_eq!(fork.state(), then.state());
            assert_eq!(fork.decision_number(), then.decision_number());
            play_on(&mut fork);
            assert_eq!(Playthrough::replay(fork.record()).unwrap(), fork);
            // Its record says all of it, and survives being written down.
            let text = serde_json::to_string(fork.record()).unwrap();
            assert_eq!(
                &serde_json::from_str::<Record<_>>(&text).unwrap(),
                fork.record()
            );
            prizes.push(fork.state().public.scores.clone());
        }
        // The last round has four plies; its prize is rolled with the ply before.
        let dice_left = ply + 4 < original.ply();
        let alike = prizes.iter().all(|scores| *scores == prizes[0]);
        assert!(!dice_left || !alike, "ply {ply}: {prizes:?}");
    }
    let last = original.ply();
    assert_eq!(
        original.fork(last + 1, Seed::from_number(0)).unwrap_err(),
        ReplayError::NoSuchPly { last }
    );
}

#[test]
fn a_fork_of_a_fork_keeps_the_chance_up_to_its_ply_and_no_other() {
    let mut original = table();
    play_on(&mut original);
    let first = original.fork(4, Seed::from_number(1)).unwrap();
    let mut later = first.clone();
    play_on(&mut later);
    let reseeds = |ply| {
        let fork = later.fork(ply, Seed::from_number(2)).unwrap();
        assert_eq!(Playthrough::replay(fork.record()).unwrap(), fork);
        let after = fork.record().reseeds.iter();
        after.map(|reseed| reseed.after_ply).collect::<Vec<_>>()
    };
    assert_eq!(
        [reseeds(3), reseeds(4), reseeds(5)],
        [vec![3], vec![4], vec![4, 5]]
    );
    // A record that was never forked is written as it always was.
    let text = serde_json::to_string(original.record()).unwrap();
    assert!(!text.contains("reseeds"), "{text}");
}

#[test]
fn an_imagined_world_is_what_its_observation_tells_and_answers_like_any_other() {
    let mut truth = table();
    answer(&mut truth, Seat(1));
    for viewer in [
        Viewer::Seat(Seat(0)),
        Viewer::Seat(Seat(1)),
        Viewer::Spectator,
    ] {
        let observation = truth.state().observe(viewer);
        let imagine = |seed| {
            let options = truth.record().options.clone();
            Playthrough::imagined(&observation, options, SEATS, Seed::from_number(seed))
        };
        assert_eq!(imagine(3), imagine(3));
        assert!((0..9).any(|seed| imagine(seed).state() != imagine(3).state()));
        let mut world = imagine(3);
        assert_eq!(world.state().observe(viewer), observation);
        assert_eq!((world.ply(), world.decision_number()), (0, 1));
        let begun = world.as_placed().unwrap();
        assert_eq!(begun, world);
        // What was answered is found again, though no record leads to where it began.
        let action = answer(&mut world, Seat(0));
        let (given, then) = world.answer(Seat(0), 1).unwrap();
        assert_eq!((given, &then), (Bids::encode(action), &world));
        play_on(&mut world);
        assert_eq!(world.as_placed().unwrap(), begun);
        assert_eq!(
            world.fork(0, Seed::from_number(4)).unwrap().state(),
            begun.state()
        );
    }
    assert_eq!(truth.as_placed(), None);
}
