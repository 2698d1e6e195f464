//! States that a viewer could be in.
//!
//! Every way to lay out what the viewer hasn't seen and can't follow is equally likely: the order
//! of all stacks and decks, who holds which bonus card, which Dark Tech and dark bonus cards are
//! out of the game. What other seats have planned is one of the plans that they could have made,
//! choice by choice, each equally likely; how far one has come that isn't done, too. What other
//! seats remember of cards and tiles that they have seen is imagined as nothing.

use arrayvec::ArrayVec;

use super::action::Action;
use super::components::{AutomaCard, Back, Bonus, Card, DarkTech, Numbered, Set, Tile};
use super::memory::Memory;
use super::state::{
    CouncilOfShadows, DRAWN_MAX, EndReason, Ending, HELD_MAX, Hidden, Party, Plan, Private, Public,
    STACK_MAX, Stage, StepTask,
};
use crate::chance::Chance;
use crate::game::Seen;
use crate::seat::{Seat, SeatMap};

/// A state that the viewer could be in.
pub(super) fn determinize(
    seen: Seen<'_, CouncilOfShadows>,
    chance: &mut Chance,
) -> CouncilOfShadows {
    let public = seen.public.clone();
    let blank = Private {
        memory: Memory::blank(public.tile_stacks, public.bonus_deck.len()),
        ..Private::default()
    };
    let mut private = SeatMap::from_fn(public.setup.humans, |seat| match seen.own {
        Some(own) if seen.seat == Some(seat) => own.clone(),
        _ => blank.clone(),
    });
    let mut imagined = Imagined {
        public: &public,
        viewer: seen.seat,
        own: seen.own.unwrap_or(&blank),
        private: &mut private,
        hidden: Hidden::default(),
        chance,
    };
    imagined.tiles();
    imagined.ai_deck();
    imagined.dark_tech();
    imagined.bonus();
    imagined.automa_deck();
    imagined.plans();
    let hidden = imagined.hidden;
    CouncilOfShadows {
        public,
        private,
        hidden,
    }
}

/// A state in the making.
struct Imagined<'a> {
    public: &'a Public,
    viewer: Option<Seat>,
    /// What the viewer holds and remembers; a spectator nothing.
    own: &'a Private,
    private: &'a mut SeatMap<Private>,
    hidden: Hidden,
    chance: &'a mut Chance,
}

impl Imagined<'_> {
    fn others(&self) -> impl Iterator<Item = Seat> + use<> {
        let viewer = self.viewer;
        let seats = self.public.seats();
        (0..self.public.setup.humans)
            .map(Seat)
            .filter(move |&seat| seats.contains(seat) && Some(seat) != viewer)
    }

    /// The seat that has drawn tiles, with their parsec and number.
    fn explorer(&self) -> Option<(Seat, u8, usize)> {
        let Stage::Acting { nth, work } = &self.public.stage else {
            return None;
        };
        let StepTask::PlaceTile { parsec, drawn } = work.task else {
            return None;
        };
        let seat = self.public.seat_of(self.public.in_order(*nth)?)?;
        Some((seat, parsec, usize::from(drawn)))
    }

    fn tiles(&mut self) {
        let placed: Vec<Tile> = self
            .public
            .board
            .systems()
            .map(|(_, system)| system.tile)
            .collect();
        let explorer = self.explorer();
        for (index, parsec) in (1..=3).enumerate() {
            let drawn = explorer.filter(|&(_, of, _)| of == parsec);
            let known_stack = &self.own.memory.tile_stacks[index];
            // The places to fill, and what is known of them: the drawn tiles, then the stack.
            let mut places: ArrayVec<Option<Tile>, STACK_MAX> = ArrayVec::new();
            if let Some((seat, _, count)) = drawn {
                if self.viewer == Some(seat) {
                    places.extend(self.own.tiles.iter().map(|&tile| Some(tile)));
                } else {
                    let known = |place| self.own.memory.drawn.get(place).copied().flatten();
                    places.extend((0..count).map(known));
                }
            }
            places.extend(known_stack.iter().copied());
            let unseen = Tile::all().filter(|tile| {
                tile.parsec() == parsec && !placed.contains(tile) && !places.contains(&Some(*tile))
            });
            let mut tiles = fill(&places, unseen, self.chance);
            if let Some((seat, _, count)) = drawn {
                let held: ArrayVec<Tile, DRAWN_MAX> =
                    tiles.drain(..count.min(tiles.len())).collect();
                if let Some(explorer) = self.private.get_mut(seat) {
                    explorer.tiles = held;
                }
            }
            self.hidden.tile_stacks[index] = tiles;
        }
        if let Some((explorer, _, count)) = explorer {
            for seat in self.others().filter(|&seat| seat != explorer) {
                if let Some(other) = self.private.get_mut(seat) {
                    other.memory.drawn = (0..count).map(|_| None).collect();
                }
            }
        }
    }

    fn ai_deck(&mut self) {
        let public = self.public;
        let mut gone: Set<Card> = public.ai_row.iter().flatten().copied().collect();
        for board in &public.parties {
            let on_slots = board.slots.iter().flat_map(|slot| &slot.stack).copied();
            gone = gone.union(board.hand).union(on_slots.collect());
        }
        let known = public.ai_bottom.iter().copied();
        gone = gone.union(known.clone().collect());
        let mut deck: ArrayVec<Card, _> = Card::all()
            .filter(|&card| card.is_ai() && !gone.contains(card))
            .collect();
        self.chance.shuffle(&mut deck);
        deck.extend(known);
        self.hidden.ai_deck = deck;
    }

    fn dark_tech(&mut self) {
        let public = self.public;
        let taken = public
            .parties
            .iter()
            .fold(Set::EMPTY, |taken: Set<DarkTech>, board| {
                taken.union(board.dark_tech)
            });
        for (index, level) in (1..=2).enumerate() {
            let mut cards: ArrayVec<DarkTech, 8> = match self.own.dark_tech[index] {
                Some(left) => left.iter().collect(),
                None => DarkTech::of_level(level)
                    .filter(|&card| !taken.contains(card))
                    .collect(),
            };
            self.chance.shuffle(&mut cards);
            cards.truncate(usize::from(public.dark_tech[index]));
            let left: Set<DarkTech> = cards.iter().copied().collect();
            self.hidden.dark_tech[index] = cards;
            for seat in self.others() {
                if has_looked(public, seat, level)
                    && let Some(other) = self.private.get_mut(seat)
                {
                    other.dark_tech[index] = Some(left);
                }
            }
        }
    }

    /// What final scoring has revealed, everybody knows.
    fn revealed(&self) -> Option<&Ending> {
        match &self.public.stage {
            Stage::Over(ending) if ending.reason != EndReason::Left => Some(ending),
            _ => None,
        }
    }

    /// The cards that the viewer knows another seat to hold.
    fn known_held(&self, seat: Seat) -> Set<Bonus> {
        match self.revealed().and_then(|ending| ending.bonus.get(seat)) {
            Some(held) => held.iter().copied().collect(),
            None => self.own.memory.bonus_held[usize::from(seat.0)],
        }
    }

    fn bonus(&mut self) {
        for back in [Back::Light, Back::Dark] {
            self.bonus_of(back);
        }
        for seat in self.others() {
            let order = self
                .revealed()
                .and_then(|ending| ending.bonus.get(seat))
                .cloned();
            let Some(other) = self.private.get_mut(seat) else {
                continue;
            };
            match order {
                Some(order) => other.bonus = order,
                None => self.chance.shuffle(&mut other.bonus),
            }
        }
        // Both backs have been laid out one after the other; now each card of the deck goes to its
        // place.
        let (mut light, mut dark) = (ArrayVec::new(), ArrayVec::new());
        for card in std::mem::take(&mut self.hidden.bonus_deck) {
            let pile: &mut ArrayVec<Bonus, { Bonus::COUNT as usize }> = match card.back() {
                Back::Light => &mut light,
                Back::Dark => &mut dark,
            };
            pile.push(card);
        }
        let mut piles = (light.into_iter(), dark.into_iter());
        let deck = self.public.bonus_deck.iter().filter_map(|back| match back {
            Back::Light => piles.0.next(),
            Back::Dark => piles.1.next(),
        });
        self.hidden.bonus_deck = deck.collect();
    }

    /// Lays out the cards of one back: in the deck, in the hands of others, and one that waits for
    /// another's choice.
    fn bonus_of(&mut self, back: Back) {
        let public = self.public;
        let setup = &public.setup;
        let memory = &self.own.memory;
        let mine = self.own.bonus.iter().copied().chain(self.own.bonus_drawn);
        let mut away: Set<Bonus> = mine.collect();
        // In the deck from the top, then waiting, then in the hands of others by seat.
        let mut places: ArrayVec<Option<Bonus>, { Bonus::COUNT as usize }> = ArrayVec::new();
        let deck = public.bonus_deck.iter().zip(&memory.bonus_deck);
        places.extend(deck.filter(|(of, _)| **of == back).map(|(_, &known)| known));
        let in_deck = places.len();
        let waiting = self
            .waiting_of_another()
            .filter(|_| public.bonus_drawn == Some(back));
        if waiting.is_some() {
            places.push(memory.bonus_drawn);
        }
        for seat in self.others() {
            let known = self.known_held(seat).iter();
            let known: Set<Bonus> = known.filter(|card| card.back() == back).collect();
            let board = public.party(seat.into());
            let held = match back {
                Back::Light => board.light_bonus,
                Back::Dark => board.dark_bonus,
            };
            let mut cards = known.iter();
            places.extend((0..held).map(|_| cards.next()));
        }
        away = away.union(places.iter().flatten().copied().collect());
        let unseen = Bonus::all().filter(|&card| {
            card.back() == back
                && !away.contains(card)
                && card.in_use(setup.parties(), setup.stations)
        });
        let filled: ArrayVec<Bonus, { Bonus::COUNT as usize }> = fill(&places, unseen, self.chance);
        let mut cards = filled.into_iter();
        self.hidden.bonus_deck.extend(cards.by_ref().take(in_deck));
        if let Some(other) = waiting.and_then(|seat| self.private.get_mut(seat)) {
            other.bonus_drawn = cards.next();
        }
        for seat in self.others() {
            let board = public.party(seat.into());
            let held = match back {
                Back::Light => board.light_bonus,
                Back::Dark => board.dark_bonus,
            };
            if let Some(other) = self.private.get_mut(seat) {
                let left = HELD_MAX - other.bonus.len();
                other
                    .bonus
                    .extend(cards.by_ref().take(usize::from(held).min(left)));
            }
        }
    }

    /// Another seat that has a bonus card to decide on.
    fn waiting_of_another(&self) -> Option<Seat> {
        self.public.bonus_drawn?;
        let seat = self.public.seat_of(self.public.acting_party()?)?;
        (Some(seat) != self.viewer).then_some(seat)
    }

    fn automa_deck(&mut self) {
        let public = self.public;
        if public.setup.automa.is_none() {
            return;
        }
        let left = AutomaCard::all()
            .filter(|&card| !public.automa_used.contains(card) && public.automa_card != Some(card));
        self.hidden.automa_deck = left.collect();
        self.chance.shuffle(&mut self.hidden.automa_deck);
    }

    fn plans(&mut self) {
        let Stage::Planning { done } = self.public.stage else {
            return;
        };
        if self.public.setup.open_planning {
            return;
        }
        for seat in self.others() {
            let complete = done.contains(seat);
            let plan = self.public.some_plan(seat.into(), complete, self.chance);
            if let Some(other) = self.private.get_mut(seat) {
                other.plan = plan;
            }
        }
    }
}

/// Fills the places that aren't known with the unseen things, in a random order; what is left over
/// is out of the game.
fn fill<T: Copy, const N: usize>(
    places: &[Option<T>],
    unseen: impl Iterator<Item = T>,
    chance: &mut Chance,
) -> ArrayVec<T, N> {
    let mut unseen: ArrayVec<T, 32> = unseen.take(32).collect();
    chance.shuffle(&mut unseen);
    let mut unseen = unseen.into_iter();
    let filled = places
        .iter()
        .filter_map(|place| place.or_else(|| unseen.next()));
    filled.take(N).collect()
}

/// Whether a seat has seen the Dark Tech stack of a level: it has picked from it, or is picking.
pub(super) fn has_looked(public: &Public, seat: Seat, level: u8) -> bool {
    let party = Party::from(seat);
    let picked = public
        .party(party)
        .dark_tech
        .iter()
        .any(|card| card.data().level == level);
    let picks = matches!(public.stage, Stage::Events { .. })
        && public
            .level_ups
            .first()
            .is_some_and(|level_up| level_up.party == party && level_up.level == level);
    picked || picks
}

impl Public {
    /// A plan that a player could have made by now; a complete one, if he is done.
    fn some_plan(&self, party: Party, complete: bool, chance: &mut Chance) -> Plan {
        let asked = self.slots_asked(party);
        let mut choices = if complete {
            asked
        } else {
            chance.below(u32::from(asked.max(1))) as u8
        };
        let mut plan = Plan::new();
        let mut actions = Vec::new();
        loop {
            actions.clear();
            if self.slot_to_plan(party, &plan).is_none() {
                return plan;
            }
            self.plans_into(party, &plan, &mut actions);
            let asks = !self.goes_without_saying(party, &plan);
            if asks && choices == 0 {
                return plan;
            }
            choices -= u8::from(asks);
            let choice = chance.below(actions.len().max(1) as u32) as usize;
            let card = match actions.get(choice) {
                Some(&Action::PlanPlace { card, .. }) => Some(card),
                _ => None,
            };
            plan.push(card);
        }
    }

    /// About how many slots a player is asked in secret planning: everybody can tell.
    fn slots_asked(&self, party: Party) -> u8 {
        let mut plan = Plan::new();
        let mut asked = 0;
        while self.slot_to_plan(party, &plan).is_some() {
            asked += u8::from(!self.goes_without_saying(party, &plan));
            plan.push(None);
        }
        asked
    }
}
