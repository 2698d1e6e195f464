//! Short texts for actions, spaces in upper case.

use std::fmt::{self, Display, Write};

use super::action::Action;
use super::components::{Figure, Piece, Space, Worker};
use super::state::{Public, Stage};

/// Appends the action's text: `place P1f on B2`, `B2 → C3`, `build level 2 on C4`,
/// `build dome on C4`, with ` from B3` behind it where more than one worker could build.
pub(super) fn write_label(public: &Public, action: Action, out: &mut String) {
    // Writing to a string can't fail.
    let _ = write(public, action, out);
}

fn write(public: &Public, action: Action, out: &mut String) -> fmt::Result {
    let at = |worker| At(public, worker);
    match action {
        Action::PlaceWorker { worker, space } => {
            write!(out, "place {} on {}", Name(public, worker), Upper(space))
        }
        Action::Move { worker, to } => write!(out, "{} → {}", at(worker), Upper(to)),
        Action::Build {
            worker,
            space,
            piece,
        } => {
            write_build(public, space, piece, out)?;
            let others = public
                .builders()
                .filter(|&other| other != worker)
                .any(|other| !public.builds(other).is_empty());
            if matches!(public.stage, Stage::Building) && others {
                write!(out, " from {}", at(worker))?;
            }
            Ok(())
        }
        Action::EndMove if public.turn.moves == 0 => out.write_str("stay"),
        Action::EndMove => out.write_str("move no further"),
        Action::EndBuild if public.turn.builds == 0 => out.write_str("build nothing"),
        Action::EndBuild => out.write_str("build no more"),
        Action::EndTurn => out.write_str("end the turn"),
        Action::DeclineAdditionalTurn => out.write_str("decline the additional turn"),
        Action::Ferry { worker, target } => {
            let carried = public.workers.space_of(target);
            let over = public.workers.space_of(worker);
            match carried
                .zip(over)
                .filter(|(from, over)| from.neighbors().contains(*over))
            {
                Some((from, over)) => {
                    write!(out, "ferry {} over {}", Upper(from), Upper(over))?;
                    match from.beyond(over) {
                        Some(to) => write!(out, " → {}", Upper(to)),
                        None => Ok(()),
                    }
                }
                None => write!(out, "ferry {} over {}", at(target), at(worker)),
            }
        }
        Action::PreBuild {
            worker,
            space,
            piece,
        } => {
            write_build(public, space, piece, out)?;
            write!(out, " from {}, then move", at(worker))
        }
        Action::RemoveBlock { space } => {
            let level = public.board.level(space).number();
            write!(out, "remove level {level} on {}", Upper(space))
        }
        Action::OfferGod { god } => write!(out, "offer {}", god.name()),
        Action::TakeGod { god } => write!(out, "take {}", god.name()),
        Action::NameStartPlayer { seat } => write!(out, "{seat} starts"),
    }
}

fn write_build(public: &Public, space: Space, piece: Piece, out: &mut String) -> fmt::Result {
    match piece {
        Piece::Block => {
            let level = public.board.level(space).number() + 1;
            write!(out, "build level {level} on {}", Upper(space))
        }
        Piece::Dome => write!(out, "build dome on {}", Upper(space)),
    }
}

struct Upper(Space);

impl Display for Upper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_string().to_uppercase())
    }
}

/// The worker's name: of a player `P1f`, of a team `Af`.
struct Name<'a>(&'a Public, Worker);

impl Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(public, worker) = self;
        if public.seats != 4 {
            return worker.fmt(f);
        }
        let team = if worker.side().index() == 0 { 'A' } else { 'B' };
        let figure = match worker.figure() {
            Figure::Female => 'f',
            Figure::Male => 'm',
        };
        write!(f, "{team}{figure}")
    }
}

/// Where the worker stands, or its name if it doesn't.
struct At<'a>(&'a Public, Worker);

impl Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(public, worker) = *self;
        match public.workers.space_of(worker) {
            Some(space) => Upper(space).fmt(f),
            None => Name(public, worker).fmt(f),
        }
    }
}
