//! What holds in every game, however it is played.

use proptest::prelude::*;
use tavola_engine::games::santorini::{
    Action, Board, Level, Options, PieceSupply, Pieces, Public, Santorini, Side, Space, Stage,
    StartPlayer, Supply, Worker,
};
use tavola_engine::{Game, Playthrough, Seat, Seed, Viewer};

/// A game in which the choices pick from the lists; those behind its end are not used.
fn start(start_player: u8, piece_supply: PieceSupply) -> Playthrough<Santorini> {
    let start_player = StartPlayer::Seat(Seat(start_player));
    let options = Options {
        start_player,
        piece_supply,
        ..Options::without_gods()
    };
    Playthrough::start(options, 2, Seed::from_number(0), None).unwrap()
}

fn legal(game: &Playthrough<Santorini>) -> Vec<Action> {
    let public = game.state().public();
    Santorini::legal_actions(game.state().seen(Viewer::Seat(public.on_turn)))
}

fn submit(game: &mut Playthrough<Santorini>, action: Action) {
    let seat = game.state().public().on_turn;
    game.submit(seat, action, None).unwrap();
}

fn choices() -> impl Strategy<Value = Vec<prop::sample::Index>> {
    prop::collection::vec(any::<prop::sample::Index>(), 0..220)
}

fn pieces(board: &Board) -> u32 {
    let Pieces { blocks, domes } = Pieces::on(board);
    blocks.into_iter().chain([domes]).map(u32::from).sum()
}

proptest! {
    #[test]
    fn towers_only_grow_by_one_piece_a_turn_and_nobody_stands_on_a_dome(choices in choices()) {
        let mut game = start(0, PieceSupply::Limited);
        for choice in choices {
            let before = game.state().public().clone();
            let Some(&action) = legal(&game).get(choice.index(legal(&game).len().max(1))) else { break };
            submit(&mut game, action);
            let after = game.state().public();
            let built = u32::from(matches!(action, Action::Build { .. }));
            prop_assert_eq!(pieces(&after.board), pieces(&before.board) + built);
            for space in Space::all() {
                prop_assert!(after.board.level(space) >= before.board.level(space));
            }
            prop_assert!((after.workers.spaces() & after.board.domes()).is_empty());
            let Supply::Limited(left) = after.supply else { panic!("the supply is limited") };
            prop_assert_eq!(Pieces::BOX.less(Pieces::on(&after.board)), Some(left));
        }
    }

    #[test]
    fn without_gods_every_dome_completes_a_tower(choices in choices()) {
        let mut game = start(1, PieceSupply::Unlimited);
        for choice in choices {
            let Some(&action) = legal(&game).get(choice.index(legal(&game).len().max(1))) else { break };
            submit(&mut game, action);
            let board = &game.state().public().board;
            prop_assert!(board.domes().iter().all(|space| board.level(space) == Level::TOP));
        }
    }

    #[test]
    fn seats_are_alike(choices in choices()) {
        let (mut game, mut swapped) = (start(0, PieceSupply::Limited), start(1, PieceSupply::Limited));
        for choice in choices {
            let (ours, theirs) = (legal(&game), legal(&swapped));
            let expected: Vec<_> = ours.iter().map(|&action| map(action, other_side, |space| space)).collect();
            prop_assert_eq!(&theirs, &expected);
            let Some(index) = (!ours.is_empty()).then(|| choice.index(ours.len())) else { break };
            submit(&mut game, ours[index]);
            submit(&mut swapped, theirs[index]);
            same_table(game.state().public(), swapped.state().public(), other_side, |space| space)?;
        }
    }

    #[test]
    fn the_board_looks_alike_from_all_sides(choices in choices(), turns in 0..4u8, mirrored: bool) {
        let symmetry = move |space| turned(space, turns, mirrored);
        let (mut game, mut image) = (start(0, PieceSupply::Limited), start(0, PieceSupply::Limited));
        for choice in choices {
            let ours = legal(&game);
            let mut expected: Vec<_> = ours.iter().map(|&action| map(action, |worker| worker, symmetry)).collect();
            expected.sort_unstable();
            prop_assert_eq!(legal(&image), expected);
            let Some(index) = (!ours.is_empty()).then(|| choice.index(ours.len())) else { break };
            submit(&mut game, ours[index]);
            submit(&mut image, map(ours[index], |worker| worker, symmetry));
            same_table(game.state().public(), image.state().public(), |worker| worker, symmetry)?;
        }
    }
}

/// The worker of the other player with the same figure; the third side has none and stays.
fn other_side(worker: Worker) -> Worker {
    match worker.side().index() {
        player @ 0..=1 => Side::of(Seat(1 - player), 2).worker(worker.figure()),
        _ => worker,
    }
}

/// The board turned by quarters, and mirrored before that.
fn turned(space: Space, quarters: u8, mirrored: bool) -> Space {
    let (mut column, mut row) = (space.column(), space.row());
    if mirrored {
        column = 4 - column;
    }
    for _ in 0..quarters {
        (column, row) = (4 - row, column);
    }
    Space::from_index(row * 5 + column).unwrap()
}

fn map(
    action: Action,
    worker_of: impl Fn(Worker) -> Worker,
    space_of: impl Fn(Space) -> Space,
) -> Action {
    match action {
        Action::PlaceWorker { worker, space } => Action::PlaceWorker {
            worker: worker_of(worker),
            space: space_of(space),
        },
        Action::Move { worker, to } => Action::Move {
            worker: worker_of(worker),
            to: space_of(to),
        },
        Action::Build {
            worker,
            space,
            piece,
        } => Action::Build {
            worker: worker_of(worker),
            space: space_of(space),
            piece,
        },
        other => other,
    }
}

/// Whether the second table is the first seen through the two maps.
fn same_table(
    first: &Public,
    second: &Public,
    worker_of: impl Fn(Worker) -> Worker,
    space_of: impl Fn(Space) -> Space,
) -> Result<(), TestCaseError> {
    for space in Space::all() {
        let image = space_of(space);
        prop_assert_eq!(first.board.level(space), second.board.level(image));
        prop_assert_eq!(
            first.board.domes().contains(space),
            second.board.domes().contains(image)
        );
    }
    for worker in Worker::all() {
        prop_assert_eq!(
            first.workers.space_of(worker).map(&space_of),
            second.workers.space_of(worker_of(worker))
        );
    }
    prop_assert_eq!((first.supply, first.turns), (second.supply, second.turns));
    match (&first.stage, &second.stage) {
        (Stage::Placing { worker: ours }, Stage::Placing { worker: theirs }) => {
            prop_assert_eq!(worker_of(*ours), *theirs);
        }
        (Stage::Over(ours), Stage::Over(theirs)) => prop_assert_eq!(ours.reason, theirs.reason),
        (ours, theirs) => prop_assert_eq!(ours, theirs),
    }
    Ok(())
}
