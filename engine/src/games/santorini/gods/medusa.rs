//! Medusa, Petrifying Gorgon.

use super::super::components::{Piece, Space, Spaces, Worker};
use super::super::event::{Event, Removal};
use super::super::god::God;
use super::super::state::{Build, Public, Santorini};
use super::{Builds, Power};
use crate::cx::{Audience, Cx};

/// End of your turn: opponent workers below and beside your workers are removed, and a block is built
/// where each stood.
#[derive(Debug)]
pub(super) struct Medusa;

impl Power for Medusa {
    /// R37, R65: the victim on the lowest space that is possible now, and look again.
    fn turn_end(&self, game: &mut Santorini, cx: &mut Cx<'_, Event>) {
        while let Some((victim, space, builder)) = game.public.petrified() {
            game.public.workers.remove(victim);
            cx.tell(Audience::All, || Event::WorkerRemoved {
                worker: victim,
                space,
                by: Removal::God(God::Medusa),
            });
            let build = Build {
                worker: builder,
                space,
                piece: Piece::Block,
            };
            if game.place_piece(build, cx) {
                return;
            }
        }
    }
}

impl Public {
    /// The first worker that is turned to stone, where it stands, and the worker that builds there.
    fn petrified(&self) -> Option<(Worker, Space, Worker)> {
        let side = self.acting_side();
        self.opponent_spaces().iter().find_map(|space| {
            let level = self.board.level(space);
            let builder = side.workers().into_iter().find(|&worker| {
                self.workers.space_of(worker).is_some_and(|at| {
                    at.neighbors().contains(space) && self.board.level(at) > level
                })
            })?;
            // Below her worker is no level 3, so the piece is a block. R36: Limus filters it.
            let wanted = Builds {
                blocks: Spaces::only(space),
                domes: Spaces::NONE,
            };
            let built = self.allowed_builds(builder, wanted);
            let victim = self.workers.at(space)?;
            (!built.is_empty()).then_some((victim, space, builder))
        })
    }
}
