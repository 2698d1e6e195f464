//! What a seat remembers (13): tiles that it put under a stack, bonus cards that it put under the
//! deck, as long as they can be followed.

use arrayvec::ArrayVec;

use super::components::{Bonus, Numbered, Set, Tile};
use super::state::{CouncilOfShadows, DRAWN_MAX, HUMANS_MAX, Party, STACK_MAX};
use crate::seat::Seat;

/// What one seat has seen and can still follow.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    /// The stacks of tiles of parsec 1, 2 and 3, from the top: which tile lies there, where the
    /// seat knows it.
    pub tile_stacks: [ArrayVec<Option<Tile>, STACK_MAX>; 3],
    /// The tiles that another explorer has drawn, where the seat knows them.
    pub drawn: ArrayVec<Option<Tile>, DRAWN_MAX>,
    /// The light bonus deck from the top: which card lies there, where the seat knows it.
    pub bonus_deck: ArrayVec<Option<Bonus>, { Bonus::COUNT as usize }>,
    /// A bonus card that another seat has drawn and not decided on, if the seat knows it.
    pub bonus_drawn: Option<Bonus>,
    /// Bonus cards that the seat knows to be in the hand of each other seat.
    pub bonus_held: [Set<Bonus>; HUMANS_MAX as usize],
}

impl Memory {
    /// Of decks that nobody has looked into.
    pub(super) fn blank(tile_stacks: [u8; 3], bonus_deck: usize) -> Self {
        Self {
            tile_stacks: tile_stacks.map(|tiles| (0..tiles).map(|_| None).collect()),
            drawn: ArrayVec::new(),
            bonus_deck: (0..bonus_deck).map(|_| None).collect(),
            bonus_drawn: None,
            bonus_held: Default::default(),
        }
    }
}

impl CouncilOfShadows {
    fn memories(&mut self) -> impl Iterator<Item = (Seat, &mut Memory)> {
        let humans = self.public.setup.humans;
        self.private
            .iter_mut()
            .take(usize::from(humans))
            .map(|(seat, own)| (seat, &mut own.memory))
    }

    /// Tiles are drawn from the top of a stack by a party: who knows one of them still knows that
    /// it is among the drawn ones.
    pub(super) fn remember_draw(&mut self, party: Party, parsec: u8, count: usize) {
        for (seat, memory) in self.memories() {
            let stack = &mut memory.tile_stacks[usize::from(parsec - 1)];
            let count = count.min(stack.len());
            let drawn: ArrayVec<_, DRAWN_MAX> = stack.drain(..count).collect();
            memory.drawn = if Party::from(seat) == party {
                ArrayVec::new()
            } else {
                drawn
            };
        }
    }

    /// One of the drawn tiles has been placed face up, the other one, if there is one, goes under
    /// the stack.
    pub(super) fn remember_placed(
        &mut self,
        explorer: Party,
        placed: Tile,
        returned: Option<Tile>,
    ) {
        for (seat, memory) in self.memories() {
            let drawn = std::mem::take(&mut memory.drawn);
            let Some(returned) = returned else { continue };
            let known = Party::from(seat) == explorer || drawn.contains(&Some(returned));
            // Whoever knew the placed tile learns nothing of the other one.
            memory.tile_stacks[usize::from(placed.parsec() - 1)].push(known.then_some(returned));
        }
    }

    /// The drawn tiles go back on top of their stack.
    pub(super) fn remember_tiles_put_back(&mut self, explorer: Seat, parsec: u8, tiles: &[Tile]) {
        for (seat, memory) in self.memories() {
            let drawn = std::mem::take(&mut memory.drawn);
            let stack = &mut memory.tile_stacks[usize::from(parsec - 1)];
            for (place, &tile) in tiles.iter().enumerate() {
                let known = if seat == explorer {
                    Some(tile)
                } else {
                    drawn.get(place).copied().flatten()
                };
                stack.insert(place, known);
            }
        }
    }

    /// The top card of the light deck goes to a seat that may keep it, or waits for its choice.
    pub(super) fn remember_bonus_draw(&mut self, drawer: Seat) {
        for (seat, memory) in self.memories() {
            let card = if memory.bonus_deck.is_empty() {
                None
            } else {
                memory.bonus_deck.remove(0)
            };
            memory.bonus_drawn = card.filter(|_| seat != drawer);
        }
    }

    /// The card that was drawn stays in the hand.
    pub(super) fn remember_bonus_kept(&mut self, holder: Seat) {
        for (_, memory) in self.memories() {
            if let Some(card) = memory.bonus_drawn.take() {
                memory.bonus_held[usize::from(holder.0)].insert(card);
            }
        }
    }

    /// The card that was drawn goes under the deck.
    pub(super) fn remember_bonus_declined(&mut self, holder: Seat, card: Bonus) {
        for (seat, memory) in self.memories() {
            let known = memory.bonus_drawn.take();
            memory
                .bonus_deck
                .push(if seat == holder { Some(card) } else { known });
        }
    }

    /// One of the cards held before goes under the deck; `alike` of them have its back.
    pub(super) fn remember_bonus_returned(&mut self, holder: Seat, card: Bonus, alike: usize) {
        for (seat, memory) in self.memories() {
            if seat == holder {
                memory.bonus_deck.push(Some(card));
                continue;
            }
            let held = &mut memory.bonus_held[usize::from(holder.0)];
            let back = card.back();
            let known: Set<Bonus> = held.iter().filter(|known| known.back() == back).collect();
            // Followed only if it is the only one with its back; else nobody can tell which of them
            // has gone.
            let followed = (alike == 1 && known.contains(card)).then_some(card);
            for lost in known.iter() {
                held.remove(lost);
            }
            memory.bonus_deck.push(followed);
        }
    }
}
