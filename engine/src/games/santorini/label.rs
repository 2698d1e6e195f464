//! Short texts for actions, spaces in upper case.

use std::fmt::{self, Display, Write};

use super::action::Action;
use super::components::{Piece, Space};
use super::state::Public;

/// Appends the action's text: `place P1f on B2`, `B2 → C3`, `build level 2 on C4`,
/// `build dome on C4`.
pub(super) fn write_label(public: &Public, action: Action, out: &mut String) {
    // Writing to a string can't fail.
    let _ = match action {
        Action::PlaceWorker { worker, space } => write!(out, "place {worker} on {}", Upper(space)),
        Action::Move { worker, to } => match public.workers.space_of(worker) {
            Some(from) => write!(out, "{} → {}", Upper(from), Upper(to)),
            None => write!(out, "{worker} → {}", Upper(to)),
        },
        Action::Build {
            space,
            piece: Piece::Block,
            ..
        } => {
            write!(
                out,
                "build level {} on {}",
                public.board.level(space).number() + 1,
                Upper(space)
            )
        }
        Action::Build {
            space,
            piece: Piece::Dome,
            ..
        } => write!(out, "build dome on {}", Upper(space)),
    };
}

struct Upper(Space);

impl Display for Upper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_string().to_uppercase())
    }
}
