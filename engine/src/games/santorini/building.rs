//! The builds (5.1), and what the supply allows (R40).

use super::components::{Level, Piece, Space, Spaces, Worker};
use super::gods::{Builds, Hook};
use super::state::{Build, Public};

impl Public {
    /// The unoccupied spaces around the worker.
    #[inline]
    pub(super) fn open_neighbors(&self, worker: Worker) -> Spaces {
        match self.workers.space_of(worker) {
            Some(at) => at.neighbors() & self.unoccupied(),
            None => Spaces::NONE,
        }
    }

    /// 5.1: a worker builds on a neighboring, unoccupied space: the block that fits, on level 3 the
    /// dome. Levels don't matter (R6).
    #[inline]
    pub(super) fn normal_builds(&self, worker: Worker) -> Builds {
        self.next_pieces(self.open_neighbors(worker))
    }

    /// The piece that comes next on each of these spaces, which have no dome.
    #[inline]
    pub(super) fn next_pieces(&self, spaces: Spaces) -> Builds {
        let top = self.board.spaces_of(Level::TOP);
        Builds {
            blocks: spaces - top,
            domes: spaces & top,
        }
    }

    /// What of these builds of the worker the supply (R40) and the gods of the opponents allow.
    #[inline]
    pub(super) fn allowed_builds(&self, worker: Worker, mut builds: Builds) -> Builds {
        if self.supply.is_short() {
            builds.blocks = builds.blocks & self.blocks_left();
            if !self.supply.has(Piece::Dome, Level::TOP) {
                builds.domes = Spaces::NONE;
            }
        }
        for (side, god) in self.restrictors(worker, Hook::OppBuildFilter) {
            god.power().filter_builds(self, side, &mut builds);
        }
        builds
    }

    /// R40: the spaces below level 3 for which the next block is in the supply.
    #[inline]
    fn blocks_left(&self) -> Spaces {
        Level::all()
            .filter(|&level| !self.supply.has(Piece::Block, level))
            .fold(Spaces::ALL, |spaces, level| {
                spaces - self.board.spaces_of(level)
            })
    }

    /// BUILD: what the worker may build now, first or again.
    #[inline]
    pub(super) fn builds(&self, worker: Worker) -> Builds {
        let moved_last = self.turn.last_mover == Some(worker);
        let builds = match self.builds_left() {
            Some(0) => Builds::default(),
            Some(_) if moved_last => self.normal_builds(worker),
            Some(_) => Builds::default(),
            None if self.turn.builds == 0 => {
                let mut builds = if moved_last {
                    self.normal_builds(worker)
                } else {
                    Builds::default()
                };
                for god in self.powers(Hook::BuildOptions).iter() {
                    god.power().add_builds(self, worker, &mut builds);
                }
                builds
            }
            None => match self.turn.first_build {
                // R64: two builds at most.
                Some(first) if self.turn.builds == 1 && first.worker == worker => {
                    self.builds_again(first)
                }
                _ => Builds::default(),
            },
        };
        if builds.is_empty() {
            return builds;
        }
        self.allowed_builds(worker, builds)
    }

    fn builds_again(&self, first: Build) -> Builds {
        self.powers(Hook::ExtraBuild)
            .iter()
            .fold(Builds::default(), |all, god| {
                all.or(god.power().builds_again(self, first))
            })
    }

    /// How many builds the player on turn has left if none of them is a duty.
    #[inline]
    pub(super) fn builds_left(&self) -> Option<u16> {
        self.powers(Hook::BuildCount)
            .iter()
            .find_map(|god| god.power().builds_left(self))
    }

    /// The workers that may have something to build: in an additional turn the borrowed one.
    #[inline]
    pub(super) fn builders(&self) -> impl Iterator<Item = Worker> + use<> {
        let side = match self.turn.last_mover {
            Some(borrowed) if self.turn.additional => borrowed.side(),
            Some(_) | None => self.acting_side(),
        };
        side.workers().into_iter()
    }

    /// Whether anything can be built now.
    #[inline]
    pub(super) fn has_build(&self) -> bool {
        self.builders()
            .any(|worker| !self.builds(worker).is_empty())
    }

    /// Whether the build step can be completed once the moves are over: by the one mandatory build,
    /// or by none.
    #[inline]
    pub(super) fn can_complete_builds(&self) -> bool {
        self.builds_left().is_some() || self.has_build()
    }

    /// D8, D9: whether the builds may end here.
    pub(super) fn may_end_builds(&self) -> bool {
        self.turn.builds > 0 || self.builds_left().is_some()
    }

    /// END: what the worker may build.
    pub(super) fn end_builds(&self, worker: Worker) -> Builds {
        let builds = self
            .powers(Hook::TurnEnd)
            .iter()
            .fold(Builds::default(), |all, god| {
                all.or(god.power().end_builds(self, worker))
            });
        self.allowed_builds(worker, builds)
    }

    /// END: the spaces from which a block may be removed.
    pub(super) fn removals(&self) -> Spaces {
        self.powers(Hook::TurnEnd)
            .iter()
            .fold(Spaces::NONE, |spaces, god| {
                spaces | god.power().removals(self)
            })
    }

    /// Puts a piece on the board, and tells whether it completes a tower.
    pub(super) fn apply_build(&mut self, space: Space, piece: Piece) -> bool {
        let level = self.board.level(space);
        self.supply.take(piece, level);
        self.board.place(space, piece);
        self.turn.dome_placed |= piece == Piece::Dome;
        piece == Piece::Dome && level == Level::TOP
    }
}
