//! The lists of section 7: what the seat whose decision is open may do.

use super::action::Action;
use super::components::{Piece, Space, Worker};
use super::gods::{Builds, Hook};
use super::state::{Build, Decision, Public, Santorini, Stage};
use crate::cx::Cx;
use crate::seat::Seat;

use super::event::Event;

impl Public {
    /// The kind of the open decision.
    pub(super) fn open_decision(&self) -> Option<Decision> {
        let turn = &self.turn;
        Some(match self.stage {
            Stage::Offering => Decision::OfferGod,
            Stage::Taking => Decision::TakeGod,
            Stage::NamingStartPlayer => Decision::NameStartPlayer,
            Stage::Placing { worker } => Decision::PlaceWorker { worker },
            Stage::Moving => match turn.committed {
                _ if turn.moves > 0 => Decision::MoveOn,
                Some(worker) => Decision::MoveAfter { worker },
                None => Decision::Move,
            },
            Stage::Building => match turn.first_build {
                Some(Build { worker, .. }) => Decision::BuildAgain { worker },
                None => Decision::Build,
            },
            Stage::Ending => Decision::EndTurn,
            Stage::Borrowing => Decision::AdditionalTurn,
            Stage::Over(_) => return None,
        })
    }

    /// All legal actions of the seat to act, ascending by id.
    pub(super) fn legal_actions_into(&self, out: &mut Vec<Action>) {
        match self.stage {
            Stage::Offering => {
                let gods = Santorini::offerable(self);
                out.extend(gods.iter().map(|god| Action::OfferGod { god }));
            }
            Stage::Taking => out.extend(self.offer.iter().map(|god| Action::TakeGod { god })),
            Stage::NamingStartPlayer => {
                let seats = (0..self.seats).map(Seat);
                out.extend(seats.map(|seat| Action::NameStartPlayer { seat }));
            }
            Stage::Placing { worker } => {
                let spaces = self.placing_spaces(worker).iter();
                out.extend(spaces.map(|space| Action::PlaceWorker { worker, space }));
            }
            Stage::Moving => {
                self.list_moves(out);
                if self.can_end_moves() {
                    out.push(Action::EndMove);
                }
                self.list_pre_moves(out);
            }
            Stage::Building => {
                for worker in self.builders() {
                    list_builds(worker, self.builds(worker), out);
                }
                if self.may_end_builds() {
                    out.push(Action::EndBuild);
                }
            }
            Stage::Ending => {
                for worker in self.builders() {
                    list_builds(worker, self.end_builds(worker), out);
                }
                out.push(Action::EndTurn);
                let spaces = self.removals().iter();
                out.extend(spaces.map(|space| Action::RemoveBlock { space }));
            }
            Stage::Borrowing => {
                self.list_moves(out);
                out.push(Action::DeclineAdditionalTurn);
            }
            Stage::Over(_) => {}
        }
    }

    fn list_moves(&self, out: &mut Vec<Action>) {
        for worker in self.workers_to_move() {
            let targets = self.move_targets(worker).iter();
            out.extend(targets.map(|to| Action::Move { worker, to }));
        }
    }

    fn list_pre_moves(&self, out: &mut Vec<Action>) {
        if self.powers(Hook::PreMove).is_empty() {
            return;
        }
        let workers = self.acting_side().workers();
        for worker in workers {
            let targets = self.ferry_targets(worker);
            out.extend(targets.map(|target| Action::Ferry { worker, target }));
        }
        for worker in workers {
            out.extend(self.pre_build_targets(worker).iter().map(|(space, piece)| {
                Action::PreBuild {
                    worker,
                    space,
                    piece,
                }
            }));
        }
    }

    /// Whether the seat to act may do this: whether the list holds it.
    pub(super) fn allows(&self, action: Action) -> bool {
        let side = self.acting_side();
        match (action, &self.stage) {
            (Action::OfferGod { god }, Stage::Offering) => Santorini::offerable(self).contains(god),
            (Action::TakeGod { god }, Stage::Taking) => self.offer.contains(god),
            (Action::NameStartPlayer { seat }, Stage::NamingStartPlayer) => seat.0 < self.seats,
            (Action::PlaceWorker { worker, space }, Stage::Placing { worker: due }) => {
                worker == *due && self.placing_spaces(worker).contains(space)
            }
            (Action::Move { worker, to }, Stage::Moving | Stage::Borrowing) => {
                (worker.side() == side) != self.turn.additional
                    && self.move_targets(worker).contains(to)
            }
            (Action::EndMove, Stage::Moving) => self.can_end_moves(),
            (Action::Ferry { worker, target }, Stage::Moving) => {
                worker.side() == side && self.ferry_targets(worker).any(|other| other == target)
            }
            (
                Action::PreBuild {
                    worker,
                    space,
                    piece,
                },
                Stage::Moving,
            ) => worker.side() == side && self.pre_build_targets(worker).contains(space, piece),
            (
                Action::Build {
                    worker,
                    space,
                    piece,
                },
                Stage::Building,
            ) => self.is_builder(worker) && self.builds(worker).contains(space, piece),
            (Action::EndBuild, Stage::Building) => self.may_end_builds(),
            (
                Action::Build {
                    worker,
                    space,
                    piece,
                },
                Stage::Ending,
            ) => self.is_builder(worker) && self.end_builds(worker).contains(space, piece),
            (Action::RemoveBlock { space }, Stage::Ending) => self.removals().contains(space),
            (Action::EndTurn, Stage::Ending)
            | (Action::DeclineAdditionalTurn, Stage::Borrowing) => true,
            _ => false,
        }
    }

    pub(super) fn is_builder(&self, worker: Worker) -> bool {
        self.builders().any(|builder| builder == worker)
    }
}

fn list_builds(worker: Worker, builds: Builds, out: &mut Vec<Action>) {
    out.extend(builds.iter().map(|(space, piece)| Action::Build {
        worker,
        space,
        piece,
    }));
}

impl Santorini {
    /// Plays an action that is legal.
    pub(super) fn play(&mut self, action: Action, cx: &mut Cx<'_, Event>) {
        let build = |worker: Worker, space: Space, piece: Piece| Build {
            worker,
            space,
            piece,
        };
        match action {
            Action::OfferGod { god } => self.offer_god(god, cx),
            Action::TakeGod { god } => self.choose_god(god, cx),
            Action::NameStartPlayer { seat } => self.begin_placing(seat, cx),
            Action::PlaceWorker { worker, space } => self.place_worker(worker, space, cx),
            Action::Move { worker, to } => self.move_worker(worker, to, cx),
            Action::EndMove => self.end_moves(cx),
            Action::Ferry { worker, target } => self.ferry(worker, target, cx),
            Action::PreBuild {
                worker,
                space,
                piece,
            } => self.pre_build(build(worker, space, piece), cx),
            Action::Build {
                worker,
                space,
                piece,
            } => {
                let build = build(worker, space, piece);
                if matches!(self.public.stage, Stage::Ending) {
                    self.build_at_end(build, cx);
                } else {
                    self.build(build, cx);
                }
            }
            Action::EndBuild => self.end_builds(cx),
            Action::RemoveBlock { space } => self.remove_block(space, cx),
            Action::EndTurn => self.end_turn(cx),
            Action::DeclineAdditionalTurn => self.decline_additional_turn(cx),
        }
    }
}
