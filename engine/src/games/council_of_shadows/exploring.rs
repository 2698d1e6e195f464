//! explore (5.5): tiles are drawn in secret, one is placed, the other one goes back, and a colony
//! or the yield is taken.

use arrayvec::ArrayVec;

use super::components::{Space, Tile, numbers};
use super::event::Event;
use super::state::{CouncilOfShadows, DRAWN_MAX, Party, StepTask};
use crate::cx::{Audience, Cx};
use crate::seat::{Seat, SeatSet};

impl CouncilOfShadows {
    /// The top tiles of a stack, at most `count`.
    pub(super) fn draw_tiles(
        &mut self,
        party: Party,
        parsec: u8,
        count: u8,
        cx: &mut Cx<'_, Event>,
    ) -> ArrayVec<Tile, DRAWN_MAX> {
        let index = usize::from(parsec - 1);
        let stack = &mut self.hidden.tile_stacks[index];
        let count = usize::from(count).min(stack.len()).min(DRAWN_MAX);
        let tiles: ArrayVec<Tile, DRAWN_MAX> = stack.drain(..count).collect();
        self.public.tile_stacks[index] = stack.len() as u8;
        self.remember_draw(party, parsec, count);
        cx.tell(Audience::All, || Event::TilesDrawn {
            party,
            parsec,
            count: count as u8,
        });
        tiles
    }

    /// Draws the top two tiles, or the only one.
    pub(super) fn explore_stack(&mut self, seat: Seat, parsec: u8, cx: &mut Cx<'_, Event>) {
        let count = numbers().play.explore_tiles;
        let tiles = self.draw_tiles(Party::from(seat), parsec, count, cx);
        let owner = Audience::Only(SeatSet::only(seat));
        cx.tell(owner, || Event::TilesSeen {
            tiles: tiles.clone(),
        });
        if let Some(task) = self.task_mut() {
            *task = StepTask::PlaceTile {
                parsec,
                drawn: tiles.len() as u8,
            };
        }
        if let Some(own) = self.private_mut(seat) {
            own.tiles = tiles;
        }
    }

    /// Places one tile face up; the other one goes face down under its stack.
    pub(super) fn explore_place(
        &mut self,
        seat: Seat,
        tile: Tile,
        space: Space,
        cx: &mut Cx<'_, Event>,
    ) {
        let party = Party::from(seat);
        let parsec = tile.parsec();
        let drawn = self
            .private_mut(seat)
            .map(|own| std::mem::take(&mut own.tiles))
            .unwrap_or_default();
        let returned = drawn.into_iter().find(|&other| other != tile);
        self.put_tile(party, tile, space, returned, cx);
        if let Some(other) = returned {
            let index = usize::from(parsec - 1);
            self.hidden.tile_stacks[index].push(other);
            self.public.tile_stacks[index] += 1;
            cx.tell(Audience::All, || Event::TileReturned { party, parsec });
        }
        if let Some(task) = self.task_mut() {
            *task = StepTask::Claim { space };
        }
    }

    /// The game is broken off: drawn tiles go back on top of their stack.
    pub(super) fn put_tiles_back(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        let Some(&mut StepTask::PlaceTile { parsec, .. }) = self.task_mut() else {
            return;
        };
        let drawn = self
            .private_mut(seat)
            .map(|own| std::mem::take(&mut own.tiles))
            .unwrap_or_default();
        let index = usize::from(parsec - 1);
        let count = drawn.len() as u8;
        self.public.tile_stacks[index] += count;
        for &tile in drawn.iter().rev() {
            self.hidden.tile_stacks[index].insert(0, tile);
        }
        self.remember_tiles_put_back(seat, parsec, &drawn);
        let party = Party::from(seat);
        cx.tell(Audience::All, || Event::TilesPutBack {
            party,
            parsec,
            count,
        });
    }

    /// A drawn tile is placed face up.
    pub(super) fn put_tile(
        &mut self,
        party: Party,
        tile: Tile,
        space: Space,
        returned: Option<Tile>,
        cx: &mut Cx<'_, Event>,
    ) {
        self.public.board.place_tile(tile, space);
        self.remember_placed(party, tile, returned);
        cx.tell(Audience::All, || Event::TilePlaced { party, tile, space });
    }

    /// Takes a colony on the new tile.
    pub(super) fn explore_colony(&mut self, seat: Seat, planet: u8, cx: &mut Cx<'_, Event>) {
        if let Some(&mut StepTask::Claim { space }) = self.task_mut() {
            self.put_cubes(Party::from(seat), space, planet, 1, cx);
            self.end_exploring(cx);
        }
    }

    /// Takes the yield of the new tile, once (R17).
    pub(super) fn explore_yield(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        if let Some(&mut StepTask::Claim { space }) = self.task_mut() {
            self.gain_yield(Party::from(seat), space, false, cx);
            self.end_exploring(cx);
        }
    }
}
