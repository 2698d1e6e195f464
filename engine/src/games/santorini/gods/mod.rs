//! What the gods change: each changes the turn at the named points of section 6, the methods of
//! [`Power`], and is a file that reads like its card.
//!
//! Holding counts, not printing (8.2): the turn asks the gods that a player holds now.

mod aphrodite;
mod apollo;
mod ares;
mod artemis;
mod athena;
mod atlas;
mod bia;
mod chaos;
mod charon;
mod chronus;
mod circe;
mod demeter;
mod dionysus;
mod eros;
mod hephaestus;
mod hera;
mod hermes;
mod hestia;
mod hook;
mod hypnus;
mod limus;
mod medusa;
mod minotaur;
mod morpheus;
mod pan;
mod persephone;
mod poseidon;
mod prometheus;
mod selene;
mod triton;
mod zeus;

pub(super) use hook::Hook;

use super::components::{Piece, Side, Space, Spaces, Worker};
use super::event::{Event, WinReason};
use super::god::God;
use super::state::{Build, Public, Santorini};
use crate::cx::Cx;
use crate::seat::Seat;

/// Where a worker may build, by kind of piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Builds {
    /// The spaces for a block.
    pub(super) blocks: Spaces,
    /// The spaces for a dome.
    pub(super) domes: Spaces,
}

impl Builds {
    /// Whether nothing can be built.
    #[inline]
    pub(super) fn is_empty(self) -> bool {
        (self.blocks | self.domes).is_empty()
    }

    /// Whether this piece may be built on this space.
    #[inline]
    pub(super) fn contains(self, space: Space, piece: Piece) -> bool {
        match piece {
            Piece::Block => self.blocks.contains(space),
            Piece::Dome => self.domes.contains(space),
        }
    }

    /// Adds a piece on a space.
    pub(super) fn add(&mut self, space: Space, piece: Piece) {
        match piece {
            Piece::Block => self.blocks = self.blocks.with(space),
            Piece::Dome => self.domes = self.domes.with(space),
        }
    }

    /// What is in either.
    #[must_use]
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            blocks: self.blocks | other.blocks,
            domes: self.domes | other.domes,
        }
    }

    /// All of it, ascending by space, the block first.
    pub(super) fn iter(self) -> impl Iterator<Item = (Space, Piece)> {
        (self.blocks | self.domes).iter().flat_map(move |space| {
            [Piece::Block, Piece::Dome]
                .into_iter()
                .filter(move |&piece| self.contains(space, piece))
                .map(move |piece| (space, piece))
        })
    }
}

/// A god's power: one method for each point of the game at which a god may change something. What a
/// god leaves out it doesn't change.
///
/// `holder` is the side of the player who has the power, where that isn't the player on turn.
pub(super) trait Power: Sync {
    // --- Set-up.

    /// `setup_order`: whether the god's side places its workers before all others.
    fn places_first(&self) -> bool {
        false
    }

    /// `setup_place`: where, of these spaces, a worker of the god's side may enter.
    fn entry(&self, _table: &Public, _worker: Worker, spaces: Spaces) -> Spaces {
        spaces
    }

    // --- The card.

    /// The card has gone to another player.
    fn changes_hands(&self, _game: &mut Santorini, _from: Seat, _cx: &mut Cx<'_, Event>) {}

    /// The card has left play. What lay on it leaves too.
    fn leaves_play(&self, _game: &mut Santorini, _from: Seat, _cx: &mut Cx<'_, Event>) {}

    // --- START.

    /// `own_turn_start`: the player on turn takes or gives back powers.
    fn claim(&self, _game: &mut Santorini, _cx: &mut Cx<'_, Event>) {}

    /// `own_turn_start`: a normal turn of the holder begins.
    fn own_turn_start(&self, _game: &mut Santorini, _cx: &mut Cx<'_, Event>) {}

    /// `opp_turn_start`: a turn of an opponent begins.
    fn opponent_turn_start(&self, _table: &mut Public, _holder: Side) {}

    /// `opp_turn_filter`: whether an opponent's worker must move up in this turn, if one can.
    fn demands_climb(&self) -> bool {
        false
    }

    // --- PRE.

    /// `pre_move`: the neighboring workers that this worker may carry to its other side.
    fn ferries(&self, _table: &Public, _worker: Worker) -> Spaces {
        Spaces::NONE
    }

    /// `pre_move`: what this worker may build before it moves.
    fn pre_builds(&self, _table: &Public, _worker: Worker) -> Builds {
        Builds::default()
    }

    // --- MOVE.

    /// `move_targets`: the spaces held by workers that a worker of the player on turn may enter all
    /// the same.
    fn enters(&self, _table: &Public, _from: Space) -> Spaces {
        Spaces::NONE
    }

    /// `move_displace`: where a worker goes whose space is entered.
    fn displaces(&self, _from: Space, _to: Space) -> Option<Space> {
        None
    }

    /// `extra_move`: where the worker may go by one more move, after the first, if it can step
    /// there.
    fn onward(&self, _table: &Public, _worker: Worker) -> Spaces {
        Spaces::NONE
    }

    /// `zero_move`: whether the player on turn need not move.
    fn may_stay(&self, _table: &Public) -> bool {
        false
    }

    /// The spaces over which the worker may go on as often as it likes, if it is free to do so. Saves
    /// a search.
    fn travels(&self, _table: &Public, _worker: Worker) -> Option<Spaces> {
        None
    }

    /// Whether one more move could still be a climb. Saves looking for one in vain.
    fn may_still_climb(&self, _table: &Public) -> bool {
        true
    }

    /// `opp_move_filter`: which of these steps an opponent's worker may take.
    fn filter_moves(&self, _table: &Public, _from: Space, steps: Spaces) -> Spaces {
        steps
    }

    /// The spaces to which a bound worker must return. Saves a search.
    fn home(&self, _table: &Public, _holder: Side) -> Spaces {
        Spaces::ALL
    }

    /// `opp_move_filter`: an opponent's worker has moved here.
    fn judge_move(&self, _table: &mut Public, _holder: Side, _worker: Worker, _to: Space) {}

    /// `after_move`: a worker of the player on turn has moved.
    fn after_move(&self, _table: &mut Public, _from: Space, _to: Space) {}

    /// `after_move`: the worker that a move of the player on turn removes.
    fn strikes(&self, _table: &Public, _from: Space, _to: Space) -> Option<Worker> {
        None
    }

    /// `win_check_move`: by what this move of the player on turn wins, besides level 3.
    fn wins_by_move(
        &self,
        _table: &Public,
        _worker: Worker,
        _from: Space,
        _to: Space,
    ) -> Option<WinReason> {
        None
    }

    /// `win_veto_move`: whether an opponent's move to this space can't win.
    fn stops_win(&self, _to: Space) -> bool {
        false
    }

    // --- BUILD.

    /// `build_options`, `builder_choice`: adds what this worker of the player on turn may build
    /// instead of the normal build.
    fn add_builds(&self, _table: &Public, _worker: Worker, _builds: &mut Builds) {}

    /// `build_count`: how many builds are left, none of them a duty; `None` for the one mandatory
    /// build of everybody else.
    fn builds_left(&self, _table: &Public) -> Option<u16> {
        None
    }

    /// `opp_build_filter`: takes away what an opponent's worker can't build.
    fn filter_builds(&self, _table: &Public, _holder: Side, _builds: &mut Builds) {}

    /// `extra_build`: what the worker may build after its first build.
    fn builds_again(&self, _table: &Public, _first: Build) -> Builds {
        Builds::default()
    }

    /// `after_build`: a worker that the player on turn controls has built, and completed a tower or
    /// not.
    fn after_build(&self, _table: &mut Public, _completed_tower: bool) {}

    /// `after_dome`: somebody has built a dome; asked of every holder.
    fn after_dome(&self, _game: &mut Santorini, _seat: Seat, _cx: &mut Cx<'_, Event>) {}

    /// Somebody builds a dome in thought: what a look-ahead may assume then.
    fn foresee_dome(&self, _table: &mut Public, _seat: Seat) {}

    /// `win_check_state`: by what the holder wins as the table stands; asked of every holder.
    fn wins_by_state(&self, _table: &Public) -> Option<WinReason> {
        None
    }

    // --- END and AFTER.

    /// `turn_end`: what this worker of the player on turn may build.
    fn end_builds(&self, _table: &Public, _worker: Worker) -> Builds {
        Builds::default()
    }

    /// `turn_end`: the spaces from which the player on turn may remove a block.
    fn removals(&self, _table: &Public) -> Spaces {
        Spaces::NONE
    }

    /// `turn_end`: what happens at the end of the player's turn by itself.
    fn turn_end(&self, _game: &mut Santorini, _cx: &mut Cx<'_, Event>) {}

    /// A turn of anybody has ended; asked of every holder.
    fn after_turn(&self, _game: &mut Santorini, _seat: Seat, _cx: &mut Cx<'_, Event>) {}
}

impl God {
    /// What the god changes.
    #[inline]
    pub(super) fn power(self) -> &'static dyn Power {
        match self {
            Self::Apollo => &apollo::Apollo,
            Self::Artemis => &artemis::Artemis,
            Self::Athena => &athena::Athena,
            Self::Atlas => &atlas::Atlas,
            Self::Demeter => &demeter::Demeter,
            Self::Hephaestus => &hephaestus::Hephaestus,
            Self::Hermes => &hermes::Hermes,
            Self::Minotaur => &minotaur::Minotaur,
            Self::Pan => &pan::Pan,
            Self::Prometheus => &prometheus::Prometheus,
            Self::Aphrodite => &aphrodite::Aphrodite,
            Self::Ares => &ares::Ares,
            Self::Bia => &bia::Bia,
            Self::Chaos => &chaos::Chaos,
            Self::Charon => &charon::Charon,
            Self::Chronus => &chronus::Chronus,
            Self::Circe => &circe::Circe,
            Self::Dionysus => &dionysus::Dionysus,
            Self::Eros => &eros::Eros,
            Self::Hera => &hera::Hera,
            Self::Hestia => &hestia::Hestia,
            Self::Hypnus => &hypnus::Hypnus,
            Self::Limus => &limus::Limus,
            Self::Medusa => &medusa::Medusa,
            Self::Morpheus => &morpheus::Morpheus,
            Self::Persephone => &persephone::Persephone,
            Self::Poseidon => &poseidon::Poseidon,
            Self::Selene => &selene::Selene,
            Self::Triton => &triton::Triton,
            Self::Zeus => &zeus::Zeus,
        }
    }
}
