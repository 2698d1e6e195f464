//! The canonical bytes of a state, for its fingerprint.

use super::components::{Piece, Space, Supply, Worker};
use super::event::{DrawReason, WinReason};
use super::state::{EndReason, Santorini, Stage, Turn};
use crate::seat::Seat;

/// Stands for no worker, space, god or seat.
const NOTHING: u8 = u8::MAX;

impl Santorini {
    /// Appends every fact, in this order:
    ///
    /// - for each space in order of index its level, plus 4 if it has a dome (25 bytes);
    /// - the supply as 0 and the blocks of levels 1, 2, 3 and the domes, or as 1 and four zeros if
    ///   unlimited (5);
    /// - for each worker in order of index its space, or 255 (6);
    /// - the stage as 0 placing, 1 moving, 2 building, 3 won by level 3, 4 by no legal turn, 5 by
    ///   resignation, 6 drawn by `max_turns`, 7 offering, 8 taking, 9 naming the Start Player, 10
    ///   ending, 11 borrowing, 12 won by Pan, 13 by Eros, 14 by Chronus, 15 by the last side; and
    ///   then the worker due, the winners as bits, or 0 (2);
    /// - seat on turn, Start Player and Challenger or 255, number of seats, seats playing and
    ///   leaving as bits (6);
    /// - for each of four seats the gods it holds, the offer and the pool, as bits (24);
    /// - Athena's lock, Morpheus' pool, Chaos' face-up god or 255, the additional turns owed (5);
    /// - Chaos' deck from the bottom and her discards from the first, each behind its length;
    /// - the turn, see there (21);
    /// - normal turns, `max_turns`, `max_moves_per_turn` (6);
    /// - `chaos_swap`, `limus_text`, `bia_placement`, `bia_start`, `banned_pairs` in the order of
    ///   the rules page (5).
    ///
    /// Numbers of two or four bytes have the lowest byte first.
    pub(super) fn write_canonical(&self, out: &mut Vec<u8>) {
        let public = &self.public;
        let dome = |space| u8::from(public.board.domes().contains(space)) * 4;
        out.extend(Space::all().map(|space| public.board.level(space).number() + dome(space)));
        match public.supply {
            Supply::Limited(pieces) => {
                out.push(0);
                out.extend(pieces.blocks);
                out.push(pieces.domes);
            }
            Supply::Unlimited => out.extend([1, 0, 0, 0, 0]),
        }
        out.extend(Worker::all().map(|worker| {
            public
                .workers
                .space_of(worker)
                .map_or(NOTHING, Space::index)
        }));
        out.extend(stage(&public.stage));
        let seat = |seat: Option<Seat>| seat.map_or(NOTHING, |seat| seat.0);
        out.extend([
            public.on_turn.0,
            seat(public.start_player),
            seat(public.challenger),
            public.seats,
            public.playing.bits(),
            public.leaving.bits(),
        ]);
        for gods in public.held.iter().chain([&public.offer, &public.pool]) {
            out.extend(gods.bits().to_le_bytes());
        }
        out.push(public.athena_lock.into());
        out.extend(public.morpheus_pool.to_le_bytes());
        out.push(public.chaos.face_up.map_or(NOTHING, |god| god.index()));
        out.push(public.additional_turns_owed);
        for cards in [&self.deck, &public.chaos.discards] {
            out.push(cards.len() as u8);
            out.extend(cards.iter().map(|god| god.index()));
        }
        turn(&public.turn, out);
        out.extend(public.turns.to_le_bytes());
        out.extend(public.max_turns.to_le_bytes());
        out.extend(public.max_moves_per_turn.to_le_bytes());
        let rules = public.rules;
        out.extend([
            rules.chaos_swap as u8,
            rules.limus_text as u8,
            rules.bia_placement as u8,
            rules.bia_start as u8,
            rules.banned_pairs as u8,
        ]);
    }
}

fn stage(stage: &Stage) -> [u8; 2] {
    match stage {
        Stage::Placing { worker } => [0, worker.index()],
        Stage::Moving => [1, 0],
        Stage::Building => [2, 0],
        Stage::Offering => [7, 0],
        Stage::Taking => [8, 0],
        Stage::NamingStartPlayer => [9, 0],
        Stage::Ending => [10, 0],
        Stage::Borrowing => [11, 0],
        Stage::Over(ending) => [reason(ending.reason), ending.outcome.winners.bits()],
    }
}

const fn reason(reason: EndReason) -> u8 {
    match reason {
        EndReason::Won(WinReason::Level3) => 3,
        EndReason::Won(WinReason::NoLegalTurn) => 4,
        EndReason::Won(WinReason::Resigned) => 5,
        EndReason::Drawn(DrawReason::MaxTurns) => 6,
        EndReason::Won(WinReason::Pan) => 12,
        EndReason::Won(WinReason::Eros) => 13,
        EndReason::Won(WinReason::Chronus) => 14,
        EndReason::Won(WinReason::LastSide) => 15,
    }
}

/// Moves and builds (4 bytes); moved, asleep, bound and returned workers as bits (4); last mover,
/// its first space, the committed worker, each or 255 (3); worker, space and piece of the first
/// build, or three times 255 (3); builds at the end (1); then as 0 or 1: additional, moved up,
/// changed level, may not climb, must climb, dome placed (6).
fn turn(turn: &Turn, out: &mut Vec<u8>) {
    out.extend(turn.moves.to_le_bytes());
    out.extend(turn.builds.to_le_bytes());
    out.extend([
        turn.moved.bits(),
        turn.asleep.bits(),
        turn.bound.bits(),
        turn.returned.bits(),
        turn.last_mover.map_or(NOTHING, Worker::index),
        turn.first_from.map_or(NOTHING, Space::index),
        turn.committed.map_or(NOTHING, Worker::index),
    ]);
    match turn.first_build {
        Some(build) => out.extend([
            build.worker.index(),
            build.space.index(),
            u8::from(build.piece == Piece::Dome),
        ]),
        None => out.extend([NOTHING; 3]),
    }
    out.push(turn.end_builds);
    out.extend(
        [
            turn.additional,
            turn.moved_up,
            turn.changed_level,
            turn.may_not_climb,
            turn.must_climb,
            turn.dome_placed,
        ]
        .map(u8::from),
    );
}
