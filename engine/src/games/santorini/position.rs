//! Positions in the notation of the rules page (section 3), to begin a game from.

use std::str::FromStr;

use arrayvec::ArrayVec;
use thiserror::Error;

use super::action::SEATS_MAX;
use super::components::{Board, Figure, Piece, Pieces, Side, Space, Supply, Workers};
use super::event::Event;
use super::god::{God, Gods};
use super::options::{ChaosSwap, LimusText, MAX_TURNS, Options};
use super::state::{CHAOS_CARDS, Chaos, Public, Santorini};
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
/// players, each with his gods (`pan`, `none`, `circe+demeter`; may be left out) and his workers (one
/// that was removed is left out), and who is to move; and where they differ from the usual:
/// `Athena lock on`, `Morpheus pool 2`, `Chaos deck top first: pan, atlas`,
/// `Chaos deck empty, no discards`, `supply L1/L2/L3/dome = 5/5/5/0`, and
/// `option NAME = VALUE` for `piece_supply`, `max_turns`, `chaos_swap` and `limus_text`. With four
/// players the two workers of a team stand with the one who placed them. The usual supply is the box
/// less what stands on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// The towers.
    pub board: Board,
    /// Where the workers stand.
    pub workers: Workers,
    /// The pieces that are left.
    pub supply: Supply,
    /// How many players there are.
    pub seats: u8,
    /// The gods whose power each seat has.
    pub held: [Gods; SEATS_MAX as usize],
    /// Whether Athena's lock is on.
    pub athena_lock: bool,
    /// How many pieces lie on Morpheus' card.
    pub morpheus_pool: u16,
    /// Chaos' deck, the top card first.
    pub chaos_deck: Vec<God>,
    /// Whose turn is about to begin. It is the first that counts.
    pub to_move: Seat,
    /// The options; `god_mode` and what concerns the set-up don't matter.
    pub options: Options,
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
        let Santorini { public, .. } = Santorini::empty(&self.options, self.seats);
        let mut deck: ArrayVec<_, CHAOS_CARDS> =
            self.chaos_deck.iter().copied().take(CHAOS_CARDS).collect();
        let chaos = Chaos {
            face_up: face_up_god(&self.held),
            deck: deck.iter().copied().collect(),
            ..Chaos::default()
        };
        deck.reverse();
        let public = Public {
            board: self.board.clone(),
            supply: self.supply,
            workers: self.workers,
            held: self.held,
            athena_lock: self.athena_lock,
            morpheus_pool: self.morpheus_pool,
            chaos,
            start_player: Some(self.to_move),
            ..public
        };
        let mut table = Santorini { public, deck };
        table.start_turn(self.to_move, cx);
        table
    }
}

/// The simple god of the player who has Chaos.
fn face_up_god(held: &[Gods]) -> Option<God> {
    let gods = held.iter().find(|gods| gods.contains(God::Chaos))?;
    gods.and(Gods::SIMPLE).iter().next()
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let mut parts = text.split(['·', ';']).map(str::trim);
        let board = parse_board(parts.next().unwrap_or_default())?;
        let mut position = Self {
            board,
            workers: Workers::default(),
            supply: Supply::Unlimited,
            seats: 2,
            held: Default::default(),
            athena_lock: false,
            morpheus_pool: 0,
            chaos_deck: Vec::new(),
            to_move: Seat(0),
            options: Options::without_gods(),
        };
        let mut supply = None;
        let mut to_move = None;
        let players: Vec<_> = parts.clone().filter_map(player_of).collect();
        if let Some(most) = players.iter().max() {
            position.seats = position.seats.max(most.0 + 1);
        }
        for part in parts {
            let refused = |reason| PositionError {
                part: part.to_owned(),
                reason,
            };
            if let Some(player) = part.strip_prefix("to move ") {
                let seat = parse_player(player).filter(|seat| seat.0 < position.seats);
                to_move = Some(seat.ok_or(refused("not a player"))?);
            } else if let Some(counts) = part.strip_prefix("supply L1/L2/L3/dome = ") {
                let pieces = parse_pieces(counts).ok_or(refused("not four numbers of pieces"))?;
                supply = Some(Supply::Limited(pieces));
            } else if part == "option piece_supply = unlimited" {
                supply = Some(Supply::Unlimited);
            } else if let Some(turns) = part.strip_prefix("option max_turns = ") {
                let turns = turns.parse().ok().filter(|turns| MAX_TURNS.contains(turns));
                position.options.max_turns = turns.ok_or(refused("not a legal number of turns"))?;
            } else if part == "option chaos_swap = after_turn" {
                position.options.chaos_swap = ChaosSwap::AfterTurn;
            } else if part == "option limus_text = revised" {
                position.options.limus_text = LimusText::Revised;
            } else if part == "Athena lock on" {
                position.athena_lock = true;
            } else if let Some(pool) = part.strip_prefix("Morpheus pool ") {
                let pool = pool.parse().ok();
                position.morpheus_pool = pool.ok_or(refused("not a number of pieces"))?;
            } else if let Some(deck) = part.strip_prefix("Chaos deck top first: ") {
                let deck = deck.split(", ").map(|god| god.parse().ok()).collect();
                position.chaos_deck = Option::ok_or(deck, refused("not a list of gods"))?;
            } else if part != "Chaos deck empty, no discards" {
                position.seat_player(part)?;
            }
        }
        let refused = |reason| PositionError {
            part: text.to_owned(),
            reason,
        };
        position.to_move = to_move.ok_or(refused("nobody is to move"))?;
        position.supply = match supply {
            Some(supply) => supply,
            None => {
                let left = Pieces::BOX.less(Pieces::on(&position.board));
                Supply::Limited(left.ok_or(refused("more pieces than the box holds"))?)
            }
        };
        Ok(position)
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

/// Reads `P1` to `P4`.
fn parse_player(name: &str) -> Option<Seat> {
    let number: u8 = name.strip_prefix('P')?.parse().ok()?;
    (1..=SEATS_MAX).contains(&number).then(|| Seat(number - 1))
}

/// The player that a part begins with.
fn player_of(part: &str) -> Option<Seat> {
    parse_player(part.split_whitespace().next()?)
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

impl Position {
    /// Reads a player with his gods and workers, such as `P1 pan f@b2 m@d4`, and seats him.
    fn seat_player(&mut self, part: &str) -> Result<(), PositionError> {
        let refused = |reason| PositionError {
            part: part.to_owned(),
            reason,
        };
        let mut words = part.split_whitespace().peekable();
        let seat = words
            .next()
            .and_then(parse_player)
            .ok_or(refused("neither a player nor an option"))?;
        if let Some(gods) = words.next_if(|word| !word.contains('@'))
            && gods != "none"
        {
            let gods = gods.split('+').map(|god| god.parse::<God>().ok());
            let gods: Option<Gods> = gods.collect();
            if let Some(held) = self.held.get_mut(usize::from(seat.0)) {
                *held = gods.ok_or(refused("not a god"))?;
            }
        }
        for word in words {
            let (figure, space) = match word.split_once('@') {
                Some(("f", space)) => (Figure::Female, space),
                Some(("m", space)) => (Figure::Male, space),
                _ => return Err(refused("a worker is f@ or m@ and its space")),
            };
            let space: Space = space.parse().map_err(|()| refused("not a space"))?;
            if (self.workers.spaces() | self.board.domes()).contains(space) {
                return Err(refused("the space is occupied"));
            }
            let worker = Side::of(seat, self.seats).worker(figure);
            if self.workers.space_of(worker).is_some() {
                return Err(refused("a worker stands in two places"));
            }
            self.workers.put(worker, space);
        }
        Ok(())
    }
}
