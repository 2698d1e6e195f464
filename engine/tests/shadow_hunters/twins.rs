//! Twin worlds: two tables that differ in what somebody may not know look the same to him.

use tavola_engine::games::shadow_hunters::{Action, DamageSource, Event, Options, ShadowHunters};
use tavola_engine::{Chance, Cx, Game, Playthrough, Seat, Seed, Viewer};

use crate::scenario::{Given, Table, seats};
use crate::twin_worlds::{self, Twins};

/// Everybody but the players of these letters sees the same, and was told the same.
#[track_caller]
pub(crate) fn same_to_others(insiders: &str, one: &Table, other: &Table) {
    assert_eq!(one.asked_so_far, other.asked_so_far, "asked alike");
    let insiders = seats(insiders);
    let viewers = (0..one.public().seats())
        .map(Seat)
        .filter(|&viewer| !insiders.contains(viewer))
        .map(Some)
        .chain([None]);
    for viewer in viewers {
        let eyes = viewer.map_or(Viewer::Spectator, Viewer::Seat);
        assert_eq!(
            one.state.observe(eyes),
            other.state.observe(eyes),
            "{viewer:?}"
        );
        assert_eq!(one.heard(viewer), other.heard(viewer), "{viewer:?}");
        assert_eq!(
            ShadowHunters::legal_actions(one.state.seen(eyes)),
            ShadowHunters::legal_actions(other.state.seen(eyes)),
            "{viewer:?}"
        );
        assert_eq!(
            ShadowHunters::decision(one.state.seen(eyes)),
            ShadowHunters::decision(other.state.seen(eyes)),
            "{viewer:?}"
        );
    }
}

/// Plays the same in all worlds of each item: only insiders can tell them apart.
#[track_caller]
fn alike(all: Vec<Twins>) {
    assert!(!all.is_empty());
    for twins in all {
        let mut worlds = twins.worlds.iter().map(|world| play(world, &twins));
        let first = worlds.next().unwrap();
        let others: Vec<Table> = worlds.collect();
        assert!(!others.is_empty(), "one world is no twin");
        for other in others {
            same_to_others(twins.insiders, &first, &other);
        }
    }
}

fn play(world: &Given, twins: &Twins) -> Table {
    let mut table = world.clone().start().dice(&twins.dice);
    for &(who, action) in &twins.deeds {
        table = table.does(who, action);
    }
    if let Some((who, question)) = twins.asked {
        table = table.until(|letter, asked| letter == who && question(asked));
        if twins.declines {
            let (letter, asked) = table.asked().unwrap();
            table.idle(letter, asked);
        }
    }
    table
}

#[test]
fn a_pass_in_the_start_window_tells_nothing() {
    alike(twin_worlds::start_window());
}

#[test]
fn a_pass_in_the_window_of_an_attack_tells_nothing() {
    alike(twin_worlds::attack_window());
}

#[test]
fn a_pass_at_the_end_of_the_turn_tells_nothing() {
    alike(twin_worlds::end_window());
}

#[test]
fn a_roll_instead_of_a_teleport_tells_nothing() {
    alike(twin_worlds::move_choice());
}

#[test]
fn the_use_of_an_area_tells_nothing() {
    alike(twin_worlds::area_choice());
}

#[test]
fn the_choice_of_an_attack_tells_nothing() {
    alike(twin_worlds::attack_choice());
}

#[test]
fn the_spear_that_stays_hidden_tells_nothing() {
    alike(twin_worlds::spear_reveal());
}

#[test]
fn who_does_not_rob_tells_nothing() {
    alike(twin_worlds::rob());
}

#[test]
fn who_sucks_no_blood_tells_nothing() {
    alike(twin_worlds::suck_blood());
}

#[test]
fn who_is_about_to_die_is_told_by_his_death_only() {
    alike(twin_worlds::who_is_about_to_die());
}

#[test]
fn who_does_not_take_all_tells_nothing() {
    alike(twin_worlds::take_all());
}

#[test]
fn who_does_not_strike_back_tells_nothing() {
    alike(twin_worlds::counterattack());
}

#[test]
fn who_does_not_feast_tells_nothing() {
    alike(twin_worlds::feast());
}

#[test]
fn a_card_that_reveals_nothing_tells_nothing() {
    let cards = twin_worlds::drawn_cards();
    assert_eq!(cards.len(), 28);
    alike(cards);
}

#[test]
fn equal_answers_to_a_hermit_card_look_equal() {
    let answers = twin_worlds::hermit_answers();
    // Each card has one answer for those whom it concerns and one for the others, but that Anger,
    // Blackmail and Greed have one more and Prediction has one in all.
    assert_eq!(answers.len(), 8 * 2 + 3 * 3 + 1);
    alike(answers);
}

#[test]
fn a_hermit_card_is_known_to_who_held_it_only() {
    alike(twin_worlds::hermit_cards());
}

#[test]
fn the_card_of_the_opening_is_known_where_it_has_been() {
    alike(twin_worlds::opening());
}

#[test]
fn nobody_knows_the_top_of_a_deck() {
    alike(twin_worlds::decks());
}

/// In random games: an action changes nothing that a viewer sees in one world and not in the other,
/// unless something is drawn or revealed.
#[test]
fn in_random_games_nothing_but_what_is_revealed_differs() {
    let mut compared = 0;
    for (seats, seed) in (4..=8).flat_map(|seats| (0..6).map(move |seed| (seats, seed))) {
        let mut game = Playthrough::<ShadowHunters>::start(
            Options::default(),
            seats,
            Seed::from_number(seed),
            None,
        )
        .unwrap();
        let mut dice = Chance::at_ply(Seed::from_number(seed), 1_000_000);
        for ply in 0..600 {
            let Some(ask) = game.state().public().asked() else {
                break;
            };
            let legal = ShadowHunters::legal_actions(game.state().seen(Viewer::Seat(ask.seat)));
            // Seldom a reveal, so that much stays hidden for long.
            let quiet = |action: &&Action| **action != Action::Reveal;
            let calm: Vec<Action> = legal.iter().filter(quiet).copied().collect();
            let from = if calm.is_empty() || dice.below(20) == 0 {
                &legal
            } else {
                &calm
            };
            let action = from[dice.below(from.len() as u32) as usize];
            let viewer = Seat(dice.below(seats.into()) as u8);
            let before = game.state().clone();
            let twin = ShadowHunters::determinize(before.seen(Viewer::Seat(viewer)), &mut dice);
            game.submit(ask.seat, action, None).unwrap();
            if twin.check(ask.seat, action).is_err() {
                continue;
            }
            let play = |mut state: ShadowHunters| {
                let mut log = Vec::new();
                let mut chance = Chance::at_ply(Seed::from_number(77), ply);
                state
                    .apply(ask.seat, action, &mut Cx::new(&mut chance, Some(&mut log)))
                    .unwrap();
                let heard: Vec<Event> = log
                    .into_iter()
                    .filter(|(audience, _)| audience.includes(Some(viewer)))
                    .map(|(_, event)| event)
                    .collect();
                (state, heard)
            };
            let (here, heard_here) = play(before);
            let (there, heard_there) = play(twin);
            let open = |event: &Event| {
                matches!(
                    event,
                    Event::Revealed { .. }
                        | Event::CardDrawn { .. }
                        | Event::HermitSeen { .. }
                        | Event::IdentityShown { .. }
                        | Event::Died { .. }
                        | Event::GameOver { .. }
                        | Event::Reshuffled { .. }
                        | Event::Damaged {
                            source: DamageSource::Hermit,
                            ..
                        }
                        | Event::Healed { .. }
                )
            };
            if heard_here.iter().chain(&heard_there).any(open) {
                continue;
            }
            let eyes = Viewer::Seat(viewer);
            assert_eq!(
                heard_here, heard_there,
                "{seats} seats, seed {seed}, ply {ply}: {action:?} of {:?}",
                ask.seat
            );
            if viewer != ask.seat && !matches!(action, Action::GiveHermit { .. }) {
                assert_eq!(
                    here.observe(eyes),
                    there.observe(eyes),
                    "{seats} seats, seed {seed}, ply {ply}: {action:?}"
                );
                compared += 1;
            }
        }
    }
    println!("{compared} twins compared");
    assert!(compared > 1000, "{compared} twins");
}
