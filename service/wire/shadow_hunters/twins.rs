//! Twin worlds on the wire: who may not tell two worlds apart is sent the same bytes in both, ply by
//! ply: what he sees, what he may do, what he is told, and how he is refused.

use tavola_engine::{
    ActionId, Game, Playthrough, Seat, SeatSet, Seed,
    games::shadow_hunters::{Ask, ShadowHunters},
};

use crate::wire::{
    Live, Table,
    twins::{Sent, Tried, outsiders, send},
};

// The worlds are those of the engine's own twins.
#[expect(
    dead_code,
    reason = "the engine's tests say more of a table than these"
)]
#[path = "../../../engine/tests/shadow_hunters/scenario.rs"]
mod scenario;
#[path = "../../../engine/tests/shadow_hunters/twin_worlds.rs"]
mod twin_worlds;

use scenario::{Given, IDLE, seat, seats};
use twin_worlds::Twins;

/// How many seeds are tried until the dice let the deeds be done.
const SEEDS: u64 = 200;

/// Every answer of who is asked; who is not is refused whatever he answers.
const ALL: Tried = Tried {
    asked: 1,
    others: 50,
};

/// No decision of these worlds is further away.
const PLIES_MAX: u32 = 300;

/// Only insiders are sent something else in one world than in another.
#[track_caller]
fn alike(all: Vec<Twins>) {
    let (mut sent, mut bytes) = (0, 0);
    for twins in &all {
        let [first, others @ ..] = &twins.worlds[..] else {
            panic!("there is a world")
        };
        assert!(!others.is_empty(), "one world is no twin");
        let (seed, first) = (0..SEEDS)
            .map(Seed::from_number)
            .find_map(|seed| Some((seed, play(first, twins, seed)?)))
            .expect("some dice let the deeds be done");
        for other in others {
            let other = play(other, twins, seed).expect("what goes in one world goes in all");
            assert_eq!(first.len(), other.len(), "as much is sent in both");
            for (here, there) in first.iter().zip(&other) {
                assert_eq!(here, there);
            }
        }
        sent += first.len() * twins.worlds.len();
        bytes += first.iter().map(Sent::size).sum::<usize>() * twins.worlds.len();
    }
    println!("{} tables, {sent} things sent, {bytes} bytes", all.len());
}

/// All that is sent to others than the insiders while the twins' deeds are done; `None` if the dice
/// don't let them.
fn play(world: &Given, twins: &Twins, seed: Seed) -> Option<Vec<Sent>> {
    let given = world.clone().start();
    let public = given.public();
    let begun = Playthrough::placed(given.state.clone(), public.options, public.seats(), seed);
    let mut table = Live::placed(begun, given.log.clone());
    let insiders = seats(twins.insiders);
    let mut sent = Vec::new();
    send_all(&mut table, insiders, &mut sent);
    for &(who, action) in &twins.deeds {
        let id = ShadowHunters::encode(action);
        idle_until(&mut table, insiders, &mut sent, |table, ask| {
            ask.seat == seat(who) && table.legal_action_ids(ask.seat).contains(&id.0)
        })?;
        submit(&mut table, seat(who), id, insiders, &mut sent);
    }
    if let Some((who, question)) = twins.asked {
        idle_until(&mut table, insiders, &mut sent, |_, ask| {
            ask.seat == seat(who) && question(ask.question)
        })?;
        if twins.declines {
            idle(&mut table, seat(who), insiders, &mut sent)?;
        }
    }
    Some(sent)
}

/// Everybody does as little as he can until somebody is asked what is looked for.
fn idle_until(
    table: &mut Live<ShadowHunters>,
    insiders: SeatSet,
    sent: &mut Vec<Sent>,
    reached: impl Fn(&Live<ShadowHunters>, Ask) -> bool,
) -> Option<()> {
    while table.ply() < PLIES_MAX {
        let ask = table.truth().public().asked()?;
        if reached(table, ask) {
            return Some(());
        }
        idle(table, ask.seat, insiders, sent)?;
    }
    None
}

fn idle(
    table: &mut Live<ShadowHunters>,
    seat: Seat,
    insiders: SeatSet,
    sent: &mut Vec<Sent>,
) -> Option<()> {
    let legal = table.legal_action_ids(seat);
    let mut least = IDLE.map(ShadowHunters::encode).into_iter();
    let id = least.find(|id| legal.contains(&id.0))?;
    submit(table, seat, id, insiders, sent);
    Some(())
}

fn submit(
    table: &mut Live<ShadowHunters>,
    seat: Seat,
    id: ActionId,
    insiders: SeatSet,
    sent: &mut Vec<Sent>,
) {
    assert_eq!(table.submit(seat, id), Ok(()), "what is listed is accepted");
    send_all(table, insiders, sent);
}

/// What everybody but the insiders is sent at this moment.
fn send_all(table: &mut Live<ShadowHunters>, insiders: SeatSet, sent: &mut Vec<Sent>) {
    for viewer in outsiders(table.truth().public().seats(), insiders) {
        send(table, viewer, ALL, sent);
    }
}

#[test]
fn a_pass_in_the_start_window_sends_nothing() {
    alike(twin_worlds::start_window());
}

#[test]
fn a_pass_in_the_window_of_an_attack_sends_nothing() {
    alike(twin_worlds::attack_window());
}

#[test]
fn a_pass_at_the_end_of_the_turn_sends_nothing() {
    alike(twin_worlds::end_window());
}

#[test]
fn a_roll_instead_of_a_teleport_sends_nothing() {
    alike(twin_worlds::move_choice());
}

#[test]
fn the_use_of_an_area_sends_nothing() {
    alike(twin_worlds::area_choice());
}

#[test]
fn the_choice_of_an_attack_sends_nothing() {
    alike(twin_worlds::attack_choice());
}

#[test]
fn the_spear_that_stays_hidden_sends_nothing() {
    alike(twin_worlds::spear_reveal());
}

#[test]
fn who_does_not_rob_sends_nothing() {
    alike(twin_worlds::rob());
}

#[test]
fn who_sucks_no_blood_sends_nothing() {
    alike(twin_worlds::suck_blood());
}

#[test]
fn who_is_about_to_die_is_sent_with_his_death_only() {
    alike(twin_worlds::who_is_about_to_die());
}

#[test]
fn who_does_not_take_all_sends_nothing() {
    alike(twin_worlds::take_all());
}

#[test]
fn who_does_not_strike_back_sends_nothing() {
    alike(twin_worlds::counterattack());
}

#[test]
fn who_does_not_feast_sends_nothing() {
    alike(twin_worlds::feast());
}

#[test]
fn a_card_that_reveals_nothing_sends_nothing() {
    alike(twin_worlds::drawn_cards());
}

#[test]
fn equal_answers_to_a_hermit_card_send_the_same() {
    alike(twin_worlds::hermit_answers());
}

#[test]
fn a_hermit_card_is_sent_to_who_held_it_only() {
    alike(twin_worlds::hermit_cards());
}

#[test]
fn the_card_of_the_opening_is_sent_where_it_has_been() {
    alike(twin_worlds::opening());
}

#[test]
fn the_top_of_a_deck_is_sent_to_nobody() {
    alike(twin_worlds::decks());
}

/// The comparison itself bites: a card goes to who draws it, and his own character to everybody.
#[test]
fn what_may_be_seen_is_sent() {
    let differ = |twins: &Twins| {
        let [one, other] =
            [0, 1].map(|world| play(&twins.worlds[world], twins, Seed::from_number(0)).unwrap());
        one != other
    };
    let mut cards = twin_worlds::hermit_cards();
    let drawn = &mut cards[0];
    assert!(!differ(drawn));
    drawn.insiders = "";
    assert!(differ(drawn));
    let mut window = twin_worlds::start_window();
    let passed = &mut window[0];
    assert!(!differ(passed));
    passed.insiders = "";
    assert!(differ(passed), "his own character is sent to B");
}
