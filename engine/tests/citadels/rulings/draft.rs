//! Rulings on the draft.

use tavola_engine::games::citadels::{
    Action, Character::*, Event, FirstCrown, Options, Rank, Ranks,
};
use tavola_engine::{Audience, Game, Seat};

use crate::given::Table;

fn new(seats: u8, bonus: &[tavola_engine::games::citadels::Character], draws: &[u32]) -> Table {
    let options = Options {
        bonus_characters: bonus.to_vec(),
        first_crown: FirstCrown::Seat(Seat(0)),
        ..Options::default()
    };
    let mut script = vec![0; 65];
    script.extend(draws);
    Table::new(&options, seats, &script)
}

fn hidden(table: &Table) -> &tavola_engine::games::citadels::Hidden {
    table.game.parts().2
}

#[test]
fn r01_rank_4_may_be_the_face_down_card() {
    let table = new(6, &[], &[3]);
    assert_eq!(hidden(&table).face_down, Some(Rank::KING));
}

#[test]
fn r02_an_emperor_drawn_face_up_goes_back() {
    let table = new(5, &[Emperor], &[0, 2, 0]);
    assert!(table.told(&Event::Rank4Returned { character: Emperor }));
    assert!(!table.public().calls.face_up.contains(Rank::KING));
    assert!(hidden(&table).passing.contains(Rank::KING));
}

#[test]
fn r03_that_rank_4_went_back_is_public() {
    let table = new(5, &[], &[0, 2, 0]);
    let told = (Audience::All, Event::Rank4Returned { character: King });
    assert!(table.events.contains(&told));
    assert!(table.public().calls.rank4_returned);
    // Nobody imagines it face down.
    for seed in 0..50 {
        let mut chance = tavola_engine::Chance::at_ply(tavola_engine::Seed::from_number(seed), 0);
        let seen = table.game.seen(tavola_engine::Viewer::Seat(Seat(3)));
        let world = Game::determinize(seen, &mut chance);
        let world: tavola_engine::games::citadels::Citadels = world;
        assert_ne!(world.parts().2.face_down, Some(Rank::KING));
    }
}

#[test]
fn r04_the_two_player_draft_is_looked_at() {
    let table = new(2, &[], &[0]);
    let picks = table.options();
    assert_eq!(picks.len(), 7);
    let own = table.game.private(Seat(0)).unwrap();
    assert_eq!(own.draft.seen[0].len(), 7);
    assert_eq!(
        table.game.private(Seat(1)).unwrap().draft.seen[0],
        Ranks::EMPTY
    );
}

#[test]
fn r05_both_discard_once() {
    let mut table = new(2, &[], &[0]);
    let mut discards = Vec::new();
    while table.public().calls.called == 0 {
        let (seat, first) = (table.decider().unwrap(), table.options()[0]);
        if matches!(first, Action::DiscardCharacter { .. }) {
            discards.push((seat, table.options().len()));
        }
        table.act(seat, first);
    }
    assert_eq!(discards, [(1, 5), (0, 3)]);
}
