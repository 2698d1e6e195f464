//! The end of a game, its score, and leaving (section 10, E9).

use tavola_engine::games::under_falling_skies::{Battle, BattleEnd, EndReason, Event};
use tavola_engine::{Chance, Cx, Game, Rejected, Seat, SeatSet};

use crate::scenario::{Table, r0, threat_4};

fn win(table: Table) -> Table {
    table
        .m(9)
        .research(15)
        .e(29)
        .rooms(&[(6, 26), (6, 27), (6, 28)])
        .resolves_steps("b_b_research_4", 1)
}

#[test]
fn e09_the_score() {
    let won = win(r0());
    won.ended(BattleEnd::Won);
    assert_eq!(won.score(), 105);
    assert_eq!(win(threat_4()).score(), 144);
    let lost = r0().m(5).research(6).mothership_stops();
    lost.ended(BattleEnd::LostMothership);
    assert_eq!(lost.score(), 26);
}

#[test]
fn the_last_event_tells_the_end() {
    let won = win(r0());
    let end = [
        Event::BattleEnded {
            end: BattleEnd::Won,
            score: 105,
        },
        Event::GameEnded {
            reason: EndReason::Battle(BattleEnd::Won),
            score: 105,
        },
    ];
    assert_eq!(won.told[won.told.len() - 2..], end);
}

#[test]
fn the_first_defeat_counts() {
    // The hit comes before the symbol brings the mothership to the skull.
    let table = r0().m(5).damage(6);
    let table = table
        .only_ships(&[
            ("red_1", crate::scenario::at(4, 3)),
            ("red_2", crate::scenario::at(0, 3)),
        ])
        .place(1, 8);
    table.ended(BattleEnd::LostDamage);
    assert_eq!(table.battle().mothership, 5);
}

#[test]
fn a_game_that_is_left_is_lost() {
    let mut table = r0().research(6);
    let mut log = Vec::new();
    table.state.resign(
        Seat(0),
        &mut Cx::new(&mut Chance::scripted([]), Some(&mut log)),
    );
    let ending = table.state.public().ending.clone().unwrap();
    assert_eq!(ending.reason, EndReason::Resigned);
    assert_eq!(ending.outcome.winners, SeatSet::EMPTY);
    assert_eq!(table.score(), 26);
    assert_eq!(log.len(), 1);
    let mut chance = Chance::scripted([]);
    let refused = table.state.apply(
        Seat(0),
        crate::scenario::action("place_die g1 p0"),
        &mut Cx::new(&mut chance, None),
    );
    assert_eq!(refused, Err(Rejected::GameOver));
}

#[test]
fn the_score_of_a_loss_stays_below_that_of_a_win() {
    let lost: Battle = r0().research(15).battle().clone();
    // All but the last step, which costs 11 of 49.
    assert_eq!(lost.score(), 77);
}
