//! The moves (5.1), the steps before them, and the win by moving (5.2).

use super::components::{Level, Space, Spaces, Worker};
use super::event::WinReason;
use super::god::God;
use super::gods::{Builds, Hook};
use super::state::{Build, Public};

/// What a move has done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moved {
    /// Where the worker stood.
    pub(super) from: Space,
    /// The worker that was forced to another space: where it stood, where to, by whom.
    pub(super) forced: Option<(Worker, Space, Space, God)>,
    /// Whether the move has set Athena's lock.
    pub(super) locked: bool,
    /// By what it wins.
    pub(super) win: Option<WinReason>,
    /// By whom a win was stopped.
    pub(super) stopped: Option<God>,
    /// The worker that it has removed, where that stood, and by whom.
    pub(super) removed: Option<(Worker, Space, God)>,
}

impl Public {
    /// The spaces without worker and dome.
    #[inline]
    pub fn unoccupied(&self) -> Spaces {
        Spaces::ALL - self.workers.spaces() - self.board.domes()
    }

    /// 5.1: a worker steps to a neighboring space without worker or dome, at most one level up.
    #[inline]
    pub(super) fn basic_steps(&self, from: Space) -> Spaces {
        from.neighbors() & self.unoccupied() & self.board.within_climb_from(self.board.level(from))
    }

    /// Where the worker may step: 5.1, what the powers of the player on turn add, and less what the
    /// gods of his opponents and the duties of the turn take away.
    #[inline]
    pub(super) fn steps(&self, worker: Worker, from: Space) -> Spaces {
        if self.turn.asleep.contains(worker)
            || self
                .turn
                .committed
                .is_some_and(|committed| committed != worker)
            || self.turn.moves >= self.max_moves_per_turn
        {
            return Spaces::NONE;
        }
        let powers = self.powers(Hook::MoveTargets);
        let mut steps = self.basic_steps(from);
        if !powers.is_empty() {
            let climbable = self.board.within_climb_from(self.board.level(from));
            let reach = from.neighbors() & climbable;
            for god in powers.iter() {
                steps = steps | god.power().enters(self, from) & reach;
            }
        }
        if self.turn.may_not_climb {
            steps = steps - self.board.spaces_above(self.board.level(from));
        }
        self.restrictors(worker, Hook::OppMoveFilter)
            .fold(steps, |steps, (_, god)| {
                god.power().filter_moves(self, from, steps)
            })
    }

    /// The steps of the worker as the first move, or as one more (`extra_move`).
    #[inline]
    pub(super) fn next_steps(&self, worker: Worker, from: Space) -> Spaces {
        if self.turn.moves == 0 {
            return self.steps(worker, from);
        }
        let onward = self
            .powers(Hook::ExtraMove)
            .iter()
            .fold(Spaces::NONE, |onward, god| {
                onward | god.power().onward(self, worker)
            });
        if onward.is_empty() {
            return Spaces::NONE;
        }
        onward & self.steps(worker, from)
    }

    /// The workers beside this one that it may carry to its other side.
    pub(super) fn ferries(&self, worker: Worker) -> Spaces {
        if !self.may_pre_move() {
            return Spaces::NONE;
        }
        self.powers(Hook::PreMove)
            .iter()
            .fold(Spaces::NONE, |targets, god| {
                targets | god.power().ferries(self, worker)
            })
    }

    /// What this worker may build before it moves.
    pub(super) fn pre_builds(&self, worker: Worker) -> Builds {
        if !self.may_pre_move() {
            return Builds::default();
        }
        let builds = self
            .powers(Hook::PreMove)
            .iter()
            .fold(Builds::default(), |all, god| {
                all.or(god.power().pre_builds(self, worker))
            });
        self.allowed_builds(worker, builds)
    }

    /// PRE: one step before the first move, once.
    const fn may_pre_move(&self) -> bool {
        self.turn.moves == 0 && self.turn.committed.is_none()
    }

    /// Whether the moves may end here, or not begin: at least one was made, or none is needed.
    pub(super) fn may_end_moves(&self) -> bool {
        self.turn.moves > 0
            || self
                .powers(Hook::ZeroMove)
                .iter()
                .any(|god| god.power().may_stay(self))
    }

    /// The worker carries its neighbor; only it may move in this turn.
    pub(super) fn apply_ferry(&mut self, worker: Worker, target: Worker) -> Option<(Space, Space)> {
        let from = self.workers.space_of(target)?;
        let to = from.beyond(self.workers.space_of(worker)?)?;
        self.workers.put(target, to);
        self.turn.committed = Some(worker);
        Some((from, to))
    }

    /// The duties of a worker that builds before its move: it alone moves, and not up.
    pub(super) const fn apply_pre_build(&mut self, build: Build) {
        self.turn.committed = Some(build.worker);
        self.turn.may_not_climb = true;
    }

    /// The worker moves, with all that its move does at once (section 5, MOVE). `None` if it is not
    /// on the board.
    pub(super) fn apply_move(&mut self, worker: Worker, to: Space) -> Option<Moved> {
        let from = self.workers.space_of(worker)?;
        let powers = self.powers(Hook::MoveTargets);
        let forced = self.workers.at(to).and_then(|victim| {
            let behind = |god: God| Some((victim, to, god.power().displaces(from, to)?, god));
            powers.iter().find_map(behind)
        });
        self.workers.put(worker, to);
        if let Some((victim, _, behind, _)) = forced {
            self.workers.put(victim, behind);
        }
        let climbs = self.board.level(to) > self.board.level(from);
        let turn = &mut self.turn;
        turn.moves += 1;
        turn.moved = turn.moved.with(worker);
        turn.last_mover = Some(worker);
        turn.first_from.get_or_insert(from);
        turn.changed_level |= self.board.level(to) != self.board.level(from);
        self.turn.moved_up |= climbs
            && self
                .restrictors(worker, Hook::OppTurnFilter)
                .any(|(_, god)| god.power().demands_climb());
        let was_locked = self.athena_lock;
        let powers = self.powers(Hook::AfterMove);
        for god in powers.iter() {
            god.power().after_move(self, from, to);
        }
        for (side, god) in self.restrictors(worker, Hook::OppMoveFilter) {
            god.power().judge_move(self, side, worker, to);
        }
        let mut moved = Moved {
            from,
            forced,
            locked: self.athena_lock && !was_locked,
            win: self.wins(worker, from, to),
            stopped: None,
            removed: None,
        };
        if moved.win.is_some() {
            moved.stopped = self
                .restrictors(worker, Hook::WinVetoMove)
                .map(|(_, god)| god)
                .find(|god| god.power().stops_win(to));
        }
        if moved.stopped.is_some() {
            moved.win = None;
        }
        // 5.2: the win is checked before anybody is removed.
        if moved.win.is_none() {
            moved.removed = powers.iter().find_map(|god| {
                let victim = god.power().strikes(self, from, to)?;
                Some((victim, self.workers.space_of(victim)?, god))
            });
        }
        if let Some((victim, ..)) = moved.removed {
            self.workers.remove(victim);
        }
        Some(moved)
    }

    /// 5.2, R1, R2: a worker wins by moving to level 3 from below, or as a power of the player on
    /// turn says. Nobody wins in an additional turn (8.1).
    #[inline]
    fn wins(&self, worker: Worker, from: Space, to: Space) -> Option<WinReason> {
        if self.turn.additional {
            return None;
        }
        if self.board.level(to) == Level::TOP && self.board.level(from) < Level::TOP {
            return Some(WinReason::Level3);
        }
        self.powers(Hook::WinCheckMove)
            .iter()
            .find_map(|god| god.power().wins_by_move(self, worker, from, to))
    }
}
