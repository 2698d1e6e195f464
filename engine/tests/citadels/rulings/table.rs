//! Rulings on gold, cards and what all may know.

use tavola_engine::games::citadels::{Action, Character::*, District::*};
use tavola_engine::{Game, Seat, Viewer};

use crate::given::Given;
use Action::{DrawCards, TakeGold};

#[test]
fn r55_gold_does_not_run_out() {
    let mut table = Given::new(4).holds(0, Assassin).gold(1, 500).start();
    table.takes_gold(0);
    assert_eq!((table.public().bank, table.gold(0)), (None, 4));
}

#[test]
fn r56_the_deck_may_run_out() {
    let mut table = Given::new(4)
        .holds(0, Architect)
        .whole_deck(&[Docks, Manor, Temple], 3)
        .start();
    table.until(Architect).act(0, DrawCards);
    table.act(0, Action::KeepCard { card: Docks });
    // The third card, and the one that went back.
    assert_eq!(
        (table.hand(0), table.deck()),
        (vec![Manor, Temple, Docks], 0)
    );
}

#[test]
fn r58_hands_have_no_limit() {
    let mut table = Given::new(4).holds(0, King).whole_deck(&[Docks], 0).start();
    let before = table.hand(0).len();
    assert!(before > 60);
    table.until(King).act(0, DrawCards);
    assert_eq!(table.hand(0).len(), before + 1);
}

#[test]
fn r60_gold_and_hand_sizes_are_public() {
    let table = Given::new(4).gold(2, 9).hand(2, &[Docks, Manor]).start();
    let spectator = table.game.observe(Viewer::Spectator);
    let board = &spectator.public.boards[Seat(2)];
    assert_eq!((board.gold, board.hand), (9, 2));
    assert_eq!(spectator.own, None);
    assert!(table.offers(TakeGold));
}
