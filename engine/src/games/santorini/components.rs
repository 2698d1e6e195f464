//! What lies in the box (section 3): the board with its spaces and towers, the pieces to build
//! with, the workers.

mod board;
mod space;
mod supply;
mod worker;

pub use board::{Board, Level, Piece};
pub use space::{Space, Spaces, SpacesIter};
pub use supply::{Pieces, Supply};
pub use worker::{Figure, Side, Worker, WorkerSet, Workers};
