//! Positions in the notation of the rules page (section 3), to begin a game from.

use std::str::FromStr;

use thiserror::Error;

use super::components::{Board, Figure, Piece, Pieces, Side, Space, Spaces, Supply, Workers};
use super::event::Event;
use super::options::{MAX_TURNS, Options};
use super::state::{Public, SEATS, Santorini, Stage};
use crate::cx::Cx;
use crate::seat::Seat;

/// A position before the START step of the player to move.
///
/// ```
/// use tavola_engine::games::santorini::Position;
///
/// let position: Position =
///     "01210/12320/02z10/01021/00100 · P1 none f@b3 m@d2 · P2 none f@d4 m@a2 · to move P1".parse().unwrap();
/// assert_eq!(position.board.to_string(), "01210/12320/02z10/01021/00100");
/// ```
///
/// The parts are separated by `·` or `;`. First the board, rows 5 to 1; then in any order the
/// players (`none` for the god may be left out, and so may a worker that was removed) and who is to
/// move; and where they differ from the usual, `supply L1/L2/L3/dome = 5/5/5/0`,
/// `option piece_supply = unlimited` and `option max_turns = 1`. The usual supply is the box less
/// what stands on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// The towers.
    pub board: Board,
    /// Where the workers stand.
    pub workers: Workers,
    /// The pieces that are left.
    pub supply: Supply,
    /// Whose turn is about to begin. It is the first that counts.
    pub to_move: Seat,
    /// How many turns there may be from here on.
    pub max_turns: u16,
}

/// A text that is no position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{reason}: {part}")]
pub struct PositionError {
    /// The part of the text at fault.
    pub part: String,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl Position {
    /// The table at this position, after the START step of the player to move: at his first
    /// decision, or over if he has no complete turn.
    pub fn start(&self, cx: &mut Cx<'_, Event>) -> Santorini {
        let mut table = Santorini {
            public: Public {
                board: self.board.clone(),
                supply: self.supply,
                workers: self.workers.clone(),
                stage: Stage::Moving,
                on_turn: self.to_move,
                turns: 0,
                max_turns: self.max_turns,
                start_player: self.to_move,
            },
        };
        table.start_turn(self.to_move, cx);
        table
    }
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let mut parts = text.split(['·', ';']).map(str::trim);
        let board = parse_board(parts.next().unwrap_or_default())?;
        let mut workers = Workers::default();
        let mut supply = None;
        let mut to_move = None;
        let mut max_turns = Options::default().max_turns;
        for part in parts {
            let refused = |reason| PositionError {
                part: part.to_owned(),
                reason,
            };
            if let Some(player) = part.strip_prefix("to move ") {
                to_move = Some(parse_player(player).ok_or(refused("not a player"))?);
            } else if let Some(counts) = part.strip_prefix("supply L1/L2/L3/dome = ") {
                let pieces = parse_pieces(counts).ok_or(refused("not four numbers of pieces"))?;
                supply = Some(Supply::Limited(pieces));
            } else if part == "option piece_supply = unlimited" {
                supply = Some(Supply::Unlimited);
            } else if let Some(turns) = part.strip_prefix("option max_turns = ") {
                let turns = turns.parse().ok().filter(|turns| MAX_TURNS.contains(turns));
                max_turns = turns.ok_or(refused("not a legal number of turns"))?;
            } else {
                place_workers(part, board.domes(), &mut workers)?;
            }
        }
        let refused = |reason| PositionError {
            part: text.to_owned(),
            reason,
        };
        let to_move = to_move.ok_or(refused("nobody is to move"))?;
        let supply = match supply {
            Some(supply) => supply,
            None => {
                let left = Pieces::BOX.less(Pieces::on(&board));
                Supply::Limited(left.ok_or(refused("more pieces than the box holds"))?)
            }
        };
        Ok(Self {
            board,
            workers,
            supply,
            to_move,
            max_turns,
        })
    }
}

/// Reads rows 5 to 1, as [`Board`] writes them.
fn parse_board(text: &str) -> Result<Board, PositionError> {
    let refused = |reason| PositionError {
        part: text.to_owned(),
        reason,
    };
    let rows: Vec<_> = text.split('/').collect();
    if rows.len() != Space::rows().count() || rows.iter().any(|row| row.len() != 5) {
        return Err(refused("not five rows of five spaces"));
    }
    let mut board = Board::default();
    for (spaces, row) in Space::rows().rev().zip(rows) {
        for (space, tower) in spaces.zip(row.bytes()) {
            let (blocks, dome) = match tower {
                b'0'..=b'3' => (tower - b'0', false),
                b'w'..=b'z' => (tower - b'w', true),
                _ => return Err(refused("a space is one of 0123wxyz")),
            };
            for _ in 0..blocks {
                board.place(space, Piece::Block);
            }
            if dome {
                board.place(space, Piece::Dome);
            }
        }
    }
    Ok(board)
}

/// Reads `P1` or `P2`.
fn parse_player(name: &str) -> Option<Seat> {
    let number: u8 = name.strip_prefix('P')?.parse().ok()?;
    (1..=SEATS).contains(&number).then(|| Seat(number - 1))
}

/// Reads four counts separated by `/`.
fn parse_pieces(counts: &str) -> Option<Pieces> {
    let counts: Vec<u8> = counts
        .split('/')
        .map(|count| count.parse().ok())
        .collect::<Option<_>>()?;
    let &[one, two, three, domes] = counts.as_slice() else {
        return None;
    };
    Some(Pieces {
        blocks: [one, two, three],
        domes,
    })
}

/// Reads a player with his workers, such as `P1 none f@b2 m@d4`, and puts them on the board.
fn place_workers(part: &str, domes: Spaces, workers: &mut Workers) -> Result<(), PositionError> {
    let refused = |reason| PositionError {
        part: part.to_owned(),
        reason,
    };
    let mut words = part.split_whitespace().peekable();
    let seat = words
        .next()
        .and_then(parse_player)
        .ok_or(refused("neither a player nor an option"))?;
    words.next_if_eq(&"none");
    for word in words {
        let (figure, space) = match word.split_once('@') {
            Some(("f", space)) => (Figure::Female, space),
            Some(("m", space)) => (Figure::Male, space),
            _ => return Err(refused("a worker is f@ or m@ and its space")),
        };
        let space = space.parse().map_err(|()| refused("not a space"))?;
        if (workers.spaces() | domes).contains(space) {
            return Err(refused("the space is occupied"));
        }
        let worker = Side::of(seat).worker(figure);
        if workers.space_of(worker).is_some() {
            return Err(refused("a worker stands in two places"));
        }
        workers.put(worker, space);
    }
    Ok(())
}
