//! The prefix rule (section 5): a step is offered only if it can be continued to a complete turn.
//!
//! Mostly that needs no search. The space that a worker has just left is free to build on (R5), so a
//! step is safe if the moves may end after it and a piece for that space may be built. Where a duty
//! is open (Aphrodite, Persephone), a filter stands against it (Limus), a swap fills the space
//! (Apollo) or a shape has run out (R40), the moves that could follow are searched.

use std::collections::BTreeSet;

use super::components::{Space, Spaces, Worker, WorkerSet};
use super::gods::{Builds, Hook};
use super::state::{Build, Public};

impl Public {
    /// Where the worker may move.
    #[inline]
    pub(super) fn move_targets(&self, worker: Worker) -> Spaces {
        let Some(from) = self.workers.space_of(worker) else {
            return Spaces::NONE;
        };
        let mut steps = self.next_steps(worker, from);
        if steps.is_empty() {
            return steps;
        }
        if self.owes_climb() && self.powers(Hook::ExtraMove).is_empty() {
            // This move must be the climb.
            steps = steps & self.climbs(worker, from);
        }
        let doubtful = steps - self.safe_steps(worker, from, steps);
        let dead_ends = doubtful
            .iter()
            .filter(|&to| !self.completes_after_move(worker, to))
            .collect();
        steps - dead_ends
    }

    /// The steps after which the moves may surely end, and a build can follow.
    #[inline]
    fn safe_steps(&self, worker: Worker, from: Space, steps: Spaces) -> Spaces {
        let build_left = || {
            let left = self.next_pieces(Spaces::only(from));
            !self.allowed_builds(worker, left).is_empty()
        };
        if !self.away().without(worker).is_empty() || !build_left() {
            return Spaces::NONE;
        }
        let mut steps = steps - self.workers.spaces();
        if self.turn.bound.contains(worker) {
            steps = steps & self.home_of(worker);
        }
        if self.owes_climb() {
            steps & self.climbs(worker, from)
        } else {
            steps
        }
    }

    /// The bound workers whose last move has not ended where it must.
    #[inline]
    const fn away(&self) -> WorkerSet {
        let turn = &self.turn;
        turn.bound.and(turn.moved).less(turn.returned)
    }

    /// Where a bound worker must end.
    fn home_of(&self, worker: Worker) -> Spaces {
        self.restrictors(worker, Hook::OppMoveFilter)
            .fold(Spaces::ALL, |home, (side, god)| {
                home & god.power().home(self, side)
            })
    }

    /// Whether Persephone is still owed a climb.
    #[inline]
    const fn owes_climb(&self) -> bool {
        self.turn.must_climb && !self.turn.moved_up
    }

    /// The spaces to which the worker would climb, if Persephone counts that.
    fn climbs(&self, worker: Worker, from: Space) -> Spaces {
        let counts = self
            .restrictors(worker, Hook::OppTurnFilter)
            .any(|(_, god)| god.power().demands_climb());
        if counts {
            self.board.spaces_above(self.board.level(from))
        } else {
            Spaces::NONE
        }
    }

    /// The workers that this worker may carry.
    pub(super) fn ferry_targets(&self, worker: Worker) -> impl Iterator<Item = Worker> {
        let carried = self.ferries(worker);
        let targets = Worker::all().filter(move |&target| {
            let at = self.workers.space_of(target);
            at.is_some_and(|at| carried.contains(at))
        });
        targets.filter(move |&target| {
            let mut next = self.clone();
            next.apply_ferry(worker, target);
            next.can_complete()
        })
    }

    /// What this worker may build before it moves.
    pub(super) fn pre_build_targets(&self, worker: Worker) -> Builds {
        let completes = |space, piece| {
            let mut next = self.clone();
            next.apply_build(space, piece);
            next.apply_pre_build(Build {
                worker,
                space,
                piece,
            });
            if next.turn.dome_placed {
                for (seat, god) in next.everybodys_gods(Hook::AfterDome.gods()) {
                    god.power().foresee_dome(&mut next, seat);
                }
            }
            // R68: a step by which somebody wins completes the turn.
            let over = next
                .everybodys_gods(Hook::WinCheckState.gods())
                .any(|(_, god)| god.power().wins_by_state(&next).is_some());
            if over {
                next.duties_are_met()
            } else {
                next.can_complete()
            }
        };
        let mut targets = Builds::default();
        for (space, piece) in self.pre_builds(worker).iter() {
            if completes(space, piece) {
                targets.add(space, piece);
            }
        }
        targets
    }

    /// D5, D7: whether the moves may end here.
    pub(super) fn can_end_moves(&self) -> bool {
        self.may_end_moves() && self.duties_are_met() && self.can_complete_builds()
    }

    /// Section 5, START 6: whether the player on turn can complete a turn.
    pub(super) fn has_complete_turn(&self) -> bool {
        self.has_move() || self.can_end_moves() || self.has_pre_move()
    }

    /// Whether a worker can move, or move on.
    #[inline]
    pub(super) fn has_move(&self) -> bool {
        self.workers_to_move()
            .any(|worker| !self.move_targets(worker).is_empty())
    }

    /// Whether a ferry or a pre-build is open.
    pub(super) fn has_pre_move(&self) -> bool {
        !self.powers(Hook::PreMove).is_empty()
            && self.acting_side().workers().into_iter().any(|worker| {
                self.ferry_targets(worker).next().is_some()
                    || !self.pre_build_targets(worker).is_empty()
            })
    }

    /// Whether nothing is owed any more to Aphrodite (R23) and Persephone (R39).
    fn duties_are_met(&self) -> bool {
        self.away().is_empty() && !self.owes_climb()
    }

    fn completes_after_move(&self, worker: Worker, to: Space) -> bool {
        let mut next = self.clone();
        match next.apply_move(worker, to) {
            // R22: a winning move owes the same.
            Some(moved) if moved.win.is_some() => next.duties_are_met(),
            Some(_) => next.can_complete(),
            None => false,
        }
    }

    /// Whether the turn can be completed from here, among the moves.
    fn can_complete(&self) -> bool {
        if self.can_end_moves() {
            return true;
        }
        if self.turn.moves > 0 && self.powers(Hook::ExtraMove).is_empty() {
            return false;
        }
        let has_safe_step = self.workers_to_move().any(|worker| {
            self.workers.space_of(worker).is_some_and(|from| {
                let steps = self.next_steps(worker, from);
                !steps.is_empty() && !self.safe_steps(worker, from, steps).is_empty()
            })
        });
        has_safe_step || self.has_way_back() || self.can_complete_by_search()
    }

    /// Whether the bound workers that are out of place can return, one after the other, each along
    /// spaces over which it may travel, while nobody else moves. This finds most ways back at once;
    /// where it finds none there may be one still.
    fn has_way_back(&self) -> bool {
        let (turn, away) = (&self.turn, self.away());
        if self.owes_climb() || away.is_empty() {
            return false;
        }
        let travel = |worker| {
            let powers = self.powers(Hook::ExtraMove);
            powers
                .iter()
                .find_map(|god| god.power().travels(self, worker))
        };
        let mut left = self.max_moves_per_turn.saturating_sub(turn.moves);
        let mut occupied = self.workers.spaces() | self.board.domes();
        for worker in away.iter() {
            let (Some(from), Some(open)) = (self.workers.space_of(worker), travel(worker)) else {
                return false;
            };
            // The space left last can be built on then.
            let wanted = self.next_pieces(open - self.board.domes());
            if self.allowed_builds(worker, wanted) != wanted {
                return false;
            }
            let home = self.home_of(worker);
            let mut reached = Spaces::only(from);
            while (reached & home).is_empty() {
                let next = reached | (reached.neighbors() & (open - occupied));
                if next == reached || left == 0 {
                    return false;
                }
                (reached, left) = (next, left - 1);
            }
            occupied = occupied.without(from);
            occupied = (reached & home).iter().take(1).fold(occupied, Spaces::with);
        }
        true
    }

    /// Breadth first, so that the cap on moves is met if it can be.
    fn can_complete_by_search(&self) -> bool {
        let mut seen = BTreeSet::from([self.moves_key()]);
        let mut layer = vec![self.clone()];
        while !layer.is_empty() {
            let mut next_layer = Vec::new();
            for table in &layer {
                if table.owes_climb_in_vain() {
                    continue;
                }
                for worker in table.workers_to_move() {
                    let Some(from) = table.workers.space_of(worker) else {
                        continue;
                    };
                    for to in table.next_steps(worker, from).iter() {
                        let mut next = table.clone();
                        let Some(moved) = next.apply_move(worker, to) else {
                            continue;
                        };
                        if moved.win.is_some() {
                            if next.duties_are_met() {
                                return true;
                            }
                        } else if seen.insert(next.moves_key()) {
                            if next.can_end_moves() {
                                return true;
                            }
                            next_layer.push(next);
                        }
                    }
                }
            }
            layer = next_layer;
        }
        false
    }

    /// Whether a climb is owed that no further move can bring.
    fn owes_climb_in_vain(&self) -> bool {
        self.owes_climb()
            && self
                .powers(Hook::ExtraMove)
                .iter()
                .any(|god| !god.power().may_still_climb(self))
    }

    /// All that can differ between two tables in the moves of one turn, but for their number.
    fn moves_key(&self) -> u64 {
        let turn = &self.turn;
        let spaces = Worker::all().fold(0, |key, worker| {
            let at = self.workers.space_of(worker).map_or(31, Space::index);
            key << 5 | u64::from(at)
        });
        let flags = [turn.moved_up, turn.changed_level]
            .into_iter()
            .fold(0, |key, flag| key << 1 | u64::from(flag));
        let last = turn.last_mover.map_or(7, Worker::index);
        spaces << 20
            | u64::from(turn.moved.bits()) << 14
            | u64::from(turn.returned.bits()) << 8
            | u64::from(last) << 4
            | flags
    }
}
