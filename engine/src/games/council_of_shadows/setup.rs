//! The set-up, in the order of section 4.

use arrayvec::ArrayVec;

use super::board::Board;
use super::components::{
    AutomaCard, Bonus, Card, Civilization, DarkTech, Field, Galaxy, Gems, Leader, Numbered, Set,
    Tile, Upgrade, numbers,
};
use super::event::Event;
use super::memory::Memory;
use super::options::{LeaderMode, StartEnergy};
use super::state::{
    CouncilOfShadows, Hidden, Party, PartyBoard, Plan, Private, Public, Setup, Slot, Stage,
};
use crate::chance::Chance;
use crate::cx::{Audience, Cx};
use crate::seat::{Seat, SeatMap, SeatSet};

impl CouncilOfShadows {
    /// Sets up the table and runs on to the first decision.
    pub(super) fn set_up(setup: Setup, cx: &mut Cx<'_, Event>) -> Self {
        let parties = setup.parties();
        // 4.2
        let mut tile_stacks = [1, 2, 3].map(|parsec| shuffled_tiles(parsec, cx.chance));
        let board = fill_board(&mut tile_stacks, parties);
        // 4.3
        let mut ai_deck: ArrayVec<Card, _> = Card::all().filter(|card| card.is_ai()).collect();
        cx.chance.shuffle(&mut ai_deck);
        let row = usize::from(numbers().start.ai_row);
        let mut offered = ai_deck.drain(..row);
        let ai_row = std::array::from_fn(|_| offered.next());
        drop(offered);
        // 4.4
        let dark_tech = [1, 2].map(|level| shuffled_dark_tech(level, cx.chance));
        // 4.5
        let mut bonus_deck: ArrayVec<Bonus, _> =
            Bonus::all().take(usize::from(Bonus::LIGHT)).collect();
        cx.chance.shuffle(&mut bonus_deck);
        // 4.6
        let dealt = deal_dark_bonus(&setup, cx.chance);
        let order = deal_order(parties, cx.chance);
        let memory = Memory::blank(
            [0, 1, 2].map(|stack: usize| tile_stacks[stack].len() as u8),
            bonus_deck.len(),
        );
        let private = SeatMap::from_fn(setup.humans, |seat| Private {
            bonus: dealt
                .get(usize::from(seat.0))
                .copied()
                .into_iter()
                .collect(),
            memory: memory.clone(),
            ..Private::default()
        });
        let public = Public {
            round: 0,
            stage: Stage::Planning {
                done: SeatSet::EMPTY,
            },
            board,
            tile_stacks: [0, 1, 2].map(|stack: usize| tile_stacks[stack].len() as u8),
            ai_row,
            ai_deck: ai_deck.len() as u8,
            ai_bottom: ArrayVec::new(),
            dark_tech: [0, 1].map(|stack: usize| dark_tech[stack].len() as u8),
            bonus_deck: bonus_deck.iter().map(|card| card.back()).collect(),
            parties: (0..parties)
                .map(|party| PartyBoard::at_start(Party(party), &setup, &order))
                .collect(),
            order,
            throne: None,
            level_ups: ArrayVec::new(),
            bonus_drawn: None,
            automa_card: None,
            automa_used: Set::EMPTY,
            plans: SeatMap::from_fn(setup.humans, |_| Plan::new()),
            left: SeatSet::EMPTY,
            setup,
        };
        let mut game = Self {
            public,
            private,
            hidden: Hidden {
                tile_stacks,
                ai_deck,
                dark_tech,
                bonus_deck,
                automa_deck: ArrayVec::new(),
            },
        };
        game.tell_set_up(&dealt, cx);
        game.set_up_modules(cx);
        game.run(cx);
        game
    }

    fn tell_set_up(&self, dealt: &[Bonus], cx: &mut Cx<'_, Event>) {
        for (seat, &card) in (0..).map(Seat).zip(dealt) {
            cx.tell(Audience::All, || Event::BonusDrawn {
                seat,
                back: card.back(),
            });
            let owner = Audience::Only(SeatSet::only(seat));
            cx.tell(owner, || Event::BonusSeen { card });
        }
        let order = self.public.order.clone();
        cx.tell(Audience::All, || Event::TurnOrder { order });
    }

    /// 4.9: leaders, the Automa's deck, and then the draft.
    fn set_up_modules(&mut self, cx: &mut Cx<'_, Event>) {
        let leaders: Set<Leader> = Leader::all().collect();
        if self.public.setup.leaders == LeaderMode::Random {
            let mut deck: ArrayVec<Leader, { Leader::COUNT as usize }> = Leader::all().collect();
            cx.chance.shuffle(&mut deck);
            for (seat, leader) in self.public.seats().iter().zip(deck) {
                self.take_leader(seat, leader, cx);
            }
        }
        if self.public.setup.automa.is_some() {
            self.hidden.automa_deck = AutomaCard::all().collect();
            cx.chance.shuffle(&mut self.hidden.automa_deck);
        }
        match self.public.setup.leaders {
            LeaderMode::Draft => {
                let nth = self.public.setup.parties();
                self.public.stage = Stage::Drafting { leaders, nth };
                self.next_pick(leaders, nth, cx);
            }
            LeaderMode::Off | LeaderMode::Random => self.start_round(cx),
        }
    }

    /// The next human in reverse turn order picks a leader; after the last the first round begins.
    pub(super) fn next_pick(&mut self, leaders: Set<Leader>, before: u8, cx: &mut Cx<'_, Event>) {
        let human = |nth: &u8| {
            let party = self.public.in_order(*nth);
            party.is_some_and(|party| self.public.seat_of(party).is_some())
        };
        match (0..before).rev().find(human) {
            Some(nth) => self.public.stage = Stage::Drafting { leaders, nth },
            None => self.start_round(cx),
        }
    }

    /// LEADERS: a human has chosen.
    pub(super) fn choose_leader(&mut self, seat: Seat, leader: Leader, cx: &mut Cx<'_, Event>) {
        let Stage::Drafting { leaders, nth } = self.public.stage else {
            return;
        };
        self.take_leader(seat, leader, cx);
        self.next_pick(leaders.without(leader), nth, cx);
    }

    /// 11: a leader comes to a human, with its effect on the set-up.
    fn take_leader(&mut self, seat: Seat, leader: Leader, cx: &mut Cx<'_, Event>) {
        let party = Party::from(seat);
        cx.tell(Audience::All, || Event::LeaderTaken { seat, leader });
        self.public.party_mut(party).leader = Some(leader);
        let data = leader.data();
        match leader {
            Leader::Navigator | Leader::Geologist => {
                if let Some(upgrade) = data.upgrade {
                    self.build_free(party, upgrade);
                }
                self.gain_energy(party, data.energy, cx);
            }
            Leader::Magnate => self.gain_gems(party, data.gems, cx),
            Leader::Engineer => {
                let slots = &mut self.public.party_mut(party).slots;
                slots.push(Slot::empty(Field::Leader));
            }
            // Lasting: see mining and consumption.
            Leader::Driller | Leader::Ascetic => {}
        }
    }

    /// An upgrade that a leader brings: one cube is moved, there is no range energy.
    fn build_free(&mut self, party: Party, upgrade: Upgrade) {
        let board = self.public.party_mut(party);
        board.upgrades.insert(upgrade);
        board.supply -= 1;
    }
}

impl PartyBoard {
    /// 4.7 and 4.8.
    fn at_start(party: Party, setup: &Setup, order: &[Party]) -> Self {
        let start = &numbers().start;
        let chosen = &setup.civilizations;
        let human = party.0 < setup.humans;
        let unused = || Civilization::all().find(|civilization| !chosen.contains(civilization));
        let civilization = chosen.get(usize::from(party.0)).copied().or_else(unused);
        let place = order.iter().position(|&of| of == party).unwrap_or_default() as u16;
        let energy = match setup.start_energy {
            StartEnergy::TileNumber => place + 1,
            StartEnergy::TileMinusOne => place,
        };
        let cards = Card::all().filter(|card| !card.is_ai());
        let slots = (0..start.slots).map(|_| Slot::empty(Field::Board));
        Self {
            civilization: civilization.unwrap_or(Civilization::Tretons),
            energy: start.energy + energy,
            consumption: start.consumption,
            level: start.level,
            supply: start.cubes,
            total: 0,
            gems: if human { start.gems } else { Gems::default() },
            hand: if human { cards.collect() } else { Set::EMPTY },
            slots: if human {
                slots.collect()
            } else {
                ArrayVec::new()
            },
            upgrades: Set::EMPTY,
            dark_tech: Set::EMPTY,
            leader: None,
            stations: [None; 3],
            light_bonus: 0,
            dark_bonus: if human { start.dark_bonus_per_human } else { 0 },
        }
    }
}

fn shuffled_tiles<const N: usize>(parsec: u8, chance: &mut Chance) -> ArrayVec<Tile, N> {
    let mut tiles: ArrayVec<Tile, N> = Tile::all().filter(|tile| tile.parsec() == parsec).collect();
    chance.shuffle(&mut tiles);
    tiles
}

fn fill_board<const N: usize>(stacks: &mut [ArrayVec<Tile, N>; 3], parties: u8) -> Board {
    let mut board = Board::default();
    let prefilled =
        Galaxy::all().filter(|galaxy| galaxy.in_play(parties) && galaxy.data().prefilled);
    for space in prefilled.flat_map(Galaxy::spaces) {
        let stack = &mut stacks[usize::from(space.parsec() - 1)];
        if let Some(tile) = stack.pop_at(0) {
            board.place_tile(tile, space);
        }
    }
    board
}

fn shuffled_dark_tech<const N: usize>(level: u8, chance: &mut Chance) -> ArrayVec<DarkTech, N> {
    let mut cards: ArrayVec<DarkTech, N> = DarkTech::of_level(level).collect();
    chance.shuffle(&mut cards);
    let removed = usize::from(numbers().start.dark_tech_removed);
    cards.drain(..removed.min(cards.len()));
    cards
}

fn deal_dark_bonus(setup: &Setup, chance: &mut Chance) -> ArrayVec<Bonus, 4> {
    let mut dark: ArrayVec<Bonus, { Bonus::COUNT as usize }> = Bonus::all()
        .skip(usize::from(Bonus::LIGHT))
        .filter(|card| card.in_use(setup.parties(), setup.stations))
        .collect();
    chance.shuffle(&mut dark);
    dark.into_iter().take(usize::from(setup.humans)).collect()
}

/// The first of the shuffled parties gets tile 1.
fn deal_order(parties: u8, chance: &mut Chance) -> ArrayVec<Party, 4> {
    let mut order: ArrayVec<Party, 4> = (0..parties).map(Party).collect();
    chance.shuffle(&mut order);
    order
}
