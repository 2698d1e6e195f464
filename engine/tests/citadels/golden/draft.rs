//! Set-up and draft.

use std::collections::BTreeSet;

use tavola_engine::games::citadels::{
    Action, Character, Character::*, Citadels, District, Event, FirstCrown, Options, Ranks,
};
use tavola_engine::{Chance, Cx, Game, Seat, Viewer};

use crate::given::Table;

fn options(crown: u8, bonus: &[Character]) -> Options {
    Options {
        bonus_characters: bonus.to_vec(),
        first_crown: FirstCrown::Seat(Seat(crown)),
        ..Options::default()
    }
}

/// The shuffle of 66 cards, then the draws of characters.
fn script(draws: &[u32]) -> Vec<u32> {
    let mut script = vec![0; 65];
    script.extend(draws);
    script
}

fn picks(characters: &[Character]) -> Vec<Action> {
    let pick = |&character: &Character| Action::PickCharacter { character };
    let mut picks: Vec<_> = characters.iter().map(pick).collect();
    picks.sort();
    picks
}

fn pick(table: &mut Table, seat: u8, character: Character) {
    table.act(seat, Action::PickCharacter { character });
}

fn returned(table: &Table) -> usize {
    let king = |event: &Event| *event == Event::Rank4Returned { character: King };
    table.events.iter().filter(|(_, event)| king(event)).count()
}

fn face_up(table: &Table) -> Ranks {
    table.public().calls.face_up
}

fn ranks(characters: &[Character]) -> Ranks {
    characters
        .iter()
        .map(|character| character.rank())
        .collect()
}

#[test]
fn g01_the_set_up_of_four_and_of_eight() {
    let table = Table::new(&options(0, &[]), 4, &script(&[0, 0, 0]));
    assert_eq!(table.deck(), 50);
    for seat in 0..4 {
        assert_eq!((table.hand(seat).len(), table.gold(seat)), (4, 2));
        assert!(table.city(seat).is_empty());
    }
    assert_eq!(table.crown(), 0);
    let options = Options {
        bonus_districts: District::ALL.into_iter().filter(|d| d.is_bonus()).collect(),
        ..options(0, &[Artist])
    };
    let mut script = vec![0; 79];
    script.push(0);
    assert_eq!(Table::new(&options, 8, &script).deck(), 48);
}

#[test]
fn g02_a_king_drawn_face_up_goes_back() {
    let table = Table::new(&options(0, &[]), 5, &script(&[1, 2, 3]));
    assert_eq!(returned(&table), 1);
    assert_eq!(face_up(&table), ranks(&[Merchant]));
    let seen = [Assassin, Magician, King, Bishop, Architect, Warlord];
    assert_eq!(table.options(), picks(&seen));
}

#[test]
fn g03_the_king_may_lie_face_down() {
    let table = Table::new(&options(0, &[]), 6, &script(&[3]));
    assert_eq!((returned(&table), face_up(&table)), (0, Ranks::EMPTY));
    let seen = [
        Assassin, Thief, Magician, Bishop, Merchant, Architect, Warlord,
    ];
    assert_eq!(table.options(), picks(&seen));
}

#[test]
fn g04_a_king_may_go_back_twice() {
    let table = Table::new(&options(0, &[]), 4, &script(&[1, 2, 2, 2, 3]));
    assert_eq!(returned(&table), 2);
    assert_eq!(face_up(&table), ranks(&[Bishop, Architect]));
    let seen = [Assassin, Magician, King, Merchant, Warlord];
    assert_eq!(table.options(), picks(&seen));
}

#[test]
fn g05_the_seventh_picker_looks_at_the_face_down_card() {
    let mut table = Table::new(&options(0, &[]), 7, &script(&[7]));
    let taken = [Assassin, Magician, King, Bishop, Merchant, Architect];
    for (seat, character) in (0..).zip(taken) {
        pick(&mut table, seat, character);
    }
    assert_eq!(table.decider(), Some(6));
    assert_eq!(table.options(), picks(&[Thief, Warlord]));
    let draft = table.game.private(Seat(6)).unwrap().draft;
    assert_eq!(draft.face_down, Some(Warlord.rank()));
    // Known to him only: nobody else was shown it, and others imagine other cards there.
    for seat in (0..6).map(Seat) {
        assert_eq!(table.game.private(seat).unwrap().draft.face_down, None);
    }
    let imagined = |viewer| -> BTreeSet<_> {
        let seen = table.game.seen(viewer);
        (0..100)
            .map(|seed| {
                let mut chance = Chance::at_ply(tavola_engine::Seed::from_number(seed), 0);
                let world = Citadels::determinize(seen, &mut chance);
                world.parts().2.face_down
            })
            .collect()
    };
    assert_eq!(imagined(Viewer::Seat(Seat(6))).len(), 1);
    assert!(imagined(Viewer::Seat(Seat(5))).len() > 1);
    assert!(imagined(Viewer::Spectator).len() > 1);
    pick(&mut table, 6, Warlord);
    let (_, _, hidden) = table.game.parts();
    assert_eq!(hidden.aside, ranks(&[Thief]));
    table.beyond(Thief);
    assert!(table.no_answer(Thief));
}

#[test]
fn g06_two_players_pick_and_discard() {
    let mut table = Table::new(&options(0, &[]), 2, &script(&[4]));
    assert_eq!(table.options().len(), 7);
    pick(&mut table, 0, King);
    assert_eq!(table.options().len(), 6);
    pick(&mut table, 1, Assassin);
    assert_eq!(table.options().len(), 5);
    let discard = |character| Action::DiscardCharacter { character };
    table.act(1, discard(Warlord));
    assert_eq!(
        table.options(),
        picks(&[Thief, Magician, Merchant, Architect])
    );
    pick(&mut table, 0, Architect);
    table.act(0, discard(Thief));
    assert_eq!(table.options(), picks(&[Magician, Merchant]));
    pick(&mut table, 1, Merchant);
    let (_, _, hidden) = table.game.parts();
    assert_eq!(hidden.aside, ranks(&[Thief, Magician, Warlord]));
    let mut turns = Vec::new();
    while table.public().round == 1 {
        let turn = (table.acting().unwrap(), table.decider().unwrap());
        if turns.last() != Some(&turn) {
            turns.push(turn);
        }
        table.pass();
    }
    assert_eq!(
        turns,
        [(Assassin, 1), (King, 0), (Merchant, 1), (Architect, 0)]
    );
}

#[test]
fn g07_three_players_pick_twice() {
    let mut table = Table::new(&options(1, &[]), 3, &script(&[0]));
    for (seat, cards) in [(1, 7), (2, 6), (0, 5), (1, 4), (2, 3), (0, 2)] {
        assert_eq!(table.decider(), Some(seat));
        assert_eq!(table.options().len(), cards);
        let first = table.options()[0];
        table.act(seat, first);
    }
    let (_, _, hidden) = table.game.parts();
    assert_eq!(hidden.aside.len(), 1);
}

#[test]
fn g08_eight_players_with_nine_characters() {
    let mut table = Table::new(&options(2, &[Queen]), 8, &script(&[0]));
    assert_eq!(face_up(&table), Ranks::EMPTY);
    for (seat, cards) in [2, 3, 4, 5, 6, 7, 0].into_iter().zip([8, 7, 6, 5, 4, 3, 2]) {
        assert_eq!(
            (table.decider(), table.options().len()),
            (Some(seat), cards)
        );
        let first = table.options()[0];
        table.act(seat, first);
    }
    assert_eq!(table.decider(), Some(1));
    // One card was passed to him; the other is the first face-down card.
    assert_eq!(table.options(), picks(&[Assassin, Queen]));
}

#[test]
fn g09_what_can_be_created() {
    let refused = |seats: u8, bonus: &[Character]| {
        let mut chance = Chance::at_ply(tavola_engine::Seed::from_number(0), 0);
        let new = Citadels::new(&options(0, bonus), seats, &mut Cx::new(&mut chance, None));
        new.err().map(|error| error.field)
    };
    assert_eq!(refused(8, &[]), Some("bonus_characters"));
    assert_eq!(refused(4, &[Queen]), Some("bonus_characters"));
    assert_eq!(refused(2, &[Emperor]), Some("bonus_characters"));
    assert_eq!(
        refused(4, &[Witch, TaxCollector, Wizard]),
        Some("bonus_characters")
    );
    assert_eq!(refused(5, &[Queen, Witch]), None);
}
