//! Why an action is not legal, with the number of the rule.

use super::action::Action;
use super::components::{Level, Piece, Space, Worker};
use super::gods::Hook;
use super::state::{Public, Stage};

impl Public {
    pub(super) fn why_not(&self, action: Action) -> &'static str {
        match (action, &self.stage) {
            (_, Stage::Over(_)) => "the game is over (11)",
            (Action::OfferGod { .. }, Stage::Offering) => {
                "the god is not in the pool, was offered before, or would leave no full offer (4.1)"
            }
            (Action::TakeGod { .. }, Stage::Taking) => {
                "a player takes one of the offered gods (4.1)"
            }
            (Action::PlaceWorker { worker, .. }, Stage::Placing { worker: due }) => {
                self.why_not_place(worker, *due)
            }
            (Action::Move { worker, to }, Stage::Moving | Stage::Borrowing) => {
                self.why_not_move(worker, to)
            }
            (Action::EndMove, Stage::Moving) => self.why_not_end_moves(),
            (Action::Ferry { worker, .. }, Stage::Moving) => {
                if self.ferries(worker).is_empty() {
                    "nobody can be carried by this worker (Charon)"
                } else {
                    "this neighbor can't be carried, or the turn could not be completed (Charon, R8)"
                }
            }
            (
                Action::PreBuild {
                    worker,
                    space,
                    piece,
                },
                Stage::Moving,
            ) => {
                if self.pre_builds(worker).contains(space, piece) {
                    "after this build the turn could not be completed (R8)"
                } else {
                    "nothing like that can be built before the move (Prometheus)"
                }
            }
            (
                Action::Build {
                    worker,
                    space,
                    piece,
                },
                Stage::Building,
            ) => self.why_not_build(worker, space, piece),
            (Action::EndBuild, Stage::Building) => "a worker must build (5)",
            (Action::Build { .. }, Stage::Ending) => {
                "nothing like that can be built at the end of the turn (Poseidon)"
            }
            (Action::RemoveBlock { .. }, Stage::Ending) => {
                "a free block beside the unmoved worker can be removed (Ares)"
            }
            (_, Stage::Offering) => "the challenger offers the gods first (4.1)",
            (_, Stage::Taking) => "each player takes an offered god first (4.1)",
            (_, Stage::NamingStartPlayer) => "the challenger names the start player first (4.1)",
            (_, Stage::Placing { .. }) => "all workers are placed before the first turn (4.3)",
            (_, Stage::Moving) => "a turn begins with a move (5)",
            (_, Stage::Building) => "after the move the worker builds (5)",
            (_, Stage::Ending) => "the turn is at its end (5)",
            (_, Stage::Borrowing) => "the additional turn is taken with a move, or declined (8.1)",
        }
    }

    fn why_not_place(&self, worker: Worker, due: Worker) -> &'static str {
        if worker != due {
            return "the start player places both workers, then the other player, f before m (4.3)";
        }
        "a worker enters on an unoccupied space (4.3)"
    }

    fn why_not_move(&self, worker: Worker, to: Space) -> &'static str {
        if (worker.side() == self.acting_side()) == self.turn.additional {
            return if self.turn.additional {
                "in an additional turn a worker of another side moves (8.1)"
            } else {
                "a player moves a worker of his own side (5)"
            };
        }
        let Some(from) = self.workers.space_of(worker) else {
            return "the worker is not on the board (5.1)";
        };
        if self.turn.asleep.contains(worker) {
            return "the worker is asleep (Hypnus)";
        }
        if self
            .turn
            .committed
            .is_some_and(|committed| committed != worker)
        {
            return "the worker that ferried or built before the move is the one that moves (5)";
        }
        if !from.neighbors().contains(to) {
            "a worker moves to a neighboring space (5.1)"
        } else if self.next_steps(worker, from).contains(to) {
            self.why_incomplete()
        } else if !self.unoccupied().contains(to) {
            "a worker moves to a space without worker or dome (5.1)"
        } else if !self.basic_steps(from).contains(to) {
            "a worker climbs at most one level (5.1)"
        } else if self.turn.moves >= self.max_moves_per_turn {
            "the turn has had its last move (max_moves_per_turn)"
        } else if self.steps(worker, from).contains(to) {
            "the worker may not move on to this space (5, MOVE)"
        } else if self.turn.may_not_climb {
            "after a build before its move the worker may not move up (Prometheus)"
        } else {
            "no worker of an opponent may move up while the lock is on (Athena)"
        }
    }

    /// Why a step that could be made leads into a dead end.
    fn why_incomplete(&self) -> &'static str {
        if self.turn.must_climb && !self.turn.moved_up {
            "a worker must move up in this turn (Persephone)"
        } else if !self.turn.bound.is_empty() {
            "the last move of the worker must end beside one of hers, with something to build (Aphrodite)"
        } else {
            "after this move the worker could not build (R8)"
        }
    }

    fn why_not_end_moves(&self) -> &'static str {
        if self.may_end_moves() {
            self.why_incomplete()
        } else {
            "a worker must move (5)"
        }
    }

    fn why_not_build(&self, worker: Worker, space: Space, piece: Piece) -> &'static str {
        if !self.is_builder(worker) || self.builds(worker).is_empty() {
            return "the worker that moved builds (5)";
        }
        let Some(at) = self.workers.space_of(worker) else {
            return "the worker is not on the board (5.1)";
        };
        let level = self.board.level(space);
        if !at.neighbors().contains(space) {
            "a worker builds on a neighboring space (5.1)"
        } else if !self.unoccupied().contains(space) {
            "a worker builds on a space without worker or dome (5.1)"
        } else if piece != Piece::next_on(level) {
            "a block is built up to level 3, on level 3 the dome (5.1)"
        } else if !self.supply.has(piece, level) {
            "this kind of piece is used up (R40)"
        } else if self.turn.builds > 0 {
            "the worker may not build there once more (5, BUILD)"
        } else if level == Level::TOP
            || self
                .restrictors(worker, Hook::OppBuildFilter)
                .next()
                .is_none()
        {
            "this worker builds nothing like that now (5, BUILD)"
        } else {
            "no worker of an opponent builds beside hers (Limus)"
        }
    }
}
