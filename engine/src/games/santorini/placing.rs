//! The set-up: placing the workers (section 4.3).

use super::components::{Board, Figure, Pieces, Side, Space, Spaces, Supply, Worker, Workers};
use super::event::Event;
use super::flow::seat_after;
use super::options::{Options, PieceSupply, StartPlayer};
use super::state::{Public, Santorini, Stage};
use crate::cx::{Audience, Cx};
use crate::seat::Seat;

impl Public {
    /// 4.3: a worker enters on any unoccupied space.
    #[inline]
    pub(super) fn placing_spaces(&self) -> Spaces {
        self.unoccupied()
    }

    pub(super) fn why_not_place(&self, worker: Worker, space: Space, due: Worker) -> &'static str {
        if worker != due {
            return "the start player places both workers, then the other player, f before m (4.3)";
        }
        debug_assert!(!self.placing_spaces().contains(space));
        "a worker enters on an unoccupied space (4.3)"
    }
}

impl Santorini {
    /// The empty board, before the Start Player places his first worker. The options have been
    /// checked.
    pub(super) fn set_up(options: &Options, seats: u8, cx: &mut Cx<'_, Event>) -> Self {
        let start_player = match options.start_player {
            StartPlayer::Seat(seat) => seat,
            StartPlayer::Random => Seat(cx.chance.below(u32::from(seats)) as u8),
        };
        let supply = match options.piece_supply {
            PieceSupply::Limited => Supply::Limited(Pieces::BOX),
            PieceSupply::Unlimited => Supply::Unlimited,
        };
        Self {
            public: Public {
                board: Board::default(),
                supply,
                workers: Workers::default(),
                stage: Stage::Placing {
                    worker: Side::of(start_player).worker(Figure::Female),
                },
                on_turn: start_player,
                turns: 0,
                max_turns: options.max_turns,
                start_player,
            },
        }
    }

    /// D4: the worker enters. After his `f` a player places his `m`; then the next player places,
    /// or the Start Player has the first turn.
    pub(super) fn place_worker(&mut self, worker: Worker, space: Space, cx: &mut Cx<'_, Event>) {
        let public = &mut self.public;
        public.workers.put(worker, space);
        cx.tell(Audience::All, || Event::WorkerPlaced { worker, space });
        let next = seat_after(public.on_turn);
        match worker.figure() {
            Figure::Female => {
                public.stage = Stage::Placing {
                    worker: worker.side().worker(Figure::Male),
                }
            }
            Figure::Male if next == public.start_player => self.start_turn(next, cx),
            Figure::Male => {
                public.on_turn = next;
                public.stage = Stage::Placing {
                    worker: Side::of(next).worker(Figure::Female),
                };
            }
        }
    }
}
