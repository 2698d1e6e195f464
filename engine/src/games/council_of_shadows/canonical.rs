//! The canonical bytes of a state, for its hash.
//!
//! Numbers of two bytes begin with the lower one. A list begins with its length in a byte; a thing
//! that may be missing is its index, or 255. A set is its bits in four bytes. The order is that of
//! the fields in [`state`](super::state), the setup first.

use super::board::Board;
use super::components::{Back, Field, Gems, Numbered, Set, Space};
use super::memory::Memory;
use super::state::{
    CouncilOfShadows, EndReason, Ending, EventTask, Hidden, PartyBoard, Phase, Plan, Private,
    Public, Setup, Stage, StepTask, Work,
};
use crate::seat::SeatSet;

/// Appends every fact of the state.
pub(super) fn write(game: &CouncilOfShadows, out: &mut Vec<u8>) {
    let mut to = Bytes(out);
    let CouncilOfShadows {
        public,
        private,
        hidden,
    } = game;
    to.setup(&public.setup);
    to.public(public);
    for (_, own) in private.iter() {
        to.private(own);
    }
    to.hidden(hidden);
}

struct Bytes<'a>(&'a mut Vec<u8>);

impl Bytes<'_> {
    fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    fn flag(&mut self, flag: bool) {
        self.byte(flag.into());
    }

    fn word(&mut self, word: u16) {
        self.0.extend(word.to_le_bytes());
    }

    fn set<T: Numbered>(&mut self, set: Set<T>) {
        self.0.extend(set.bits().to_le_bytes());
    }

    fn seats(&mut self, seats: SeatSet) {
        self.byte(seats.bits());
    }

    fn maybe<T: Numbered>(&mut self, thing: Option<T>) {
        self.byte(thing.map_or(u8::MAX, T::index));
    }

    fn list<T: Numbered>(&mut self, things: &[T]) {
        self.maybes(things.iter().map(|&thing| Some(thing)));
    }

    fn maybes<T: Numbered>(&mut self, things: impl ExactSizeIterator<Item = Option<T>>) {
        self.byte(things.len() as u8);
        for thing in things {
            self.maybe(thing);
        }
    }

    fn backs(&mut self, backs: impl ExactSizeIterator<Item = Back>) {
        self.byte(backs.len() as u8);
        for back in backs {
            self.byte(back as u8);
        }
    }

    fn gems(&mut self, gems: Gems) {
        self.word(gems.anthracite);
        self.word(gems.golden);
        self.word(gems.transparent);
    }

    fn setup(&mut self, setup: &Setup) {
        let Setup {
            humans,
            automa,
            stations,
            leaders,
            start_energy,
            scoring_timing,
            open_planning,
            max_rounds,
            civilizations,
        } = setup;
        self.byte(*humans);
        self.byte(automa.map_or(u8::MAX, |difficulty| difficulty as u8));
        self.flag(*stations);
        self.byte(*leaders as u8);
        self.byte(*start_energy as u8);
        self.byte(*scoring_timing as u8);
        self.flag(*open_planning);
        self.byte(*max_rounds);
        self.list(civilizations);
    }

    fn public(&mut self, public: &Public) {
        let Public {
            setup: _,
            round,
            stage,
            board,
            tile_stacks,
            ai_row,
            ai_deck,
            ai_bottom,
            dark_tech,
            bonus_deck,
            parties,
            order,
            throne,
            level_ups,
            bonus_drawn,
            automa_card,
            automa_used,
            plans,
            left,
        } = public;
        self.byte(*round);
        self.stage(stage);
        self.board(board);
        self.0.extend(tile_stacks);
        self.maybes(ai_row.iter().copied());
        self.byte(*ai_deck);
        self.list(ai_bottom);
        self.0.extend(dark_tech);
        self.backs(bonus_deck.iter().copied());
        for board in parties {
            self.party(board);
        }
        self.0.extend(order.iter().map(|party| party.0));
        self.byte(throne.map_or(u8::MAX, |party| party.0));
        self.byte(level_ups.len() as u8);
        for level_up in level_ups {
            self.byte(level_up.party.0);
            self.byte(level_up.level);
            self.0.extend(level_up.levels);
        }
        self.backs(bonus_drawn.iter().copied());
        self.maybe(*automa_card);
        self.set(*automa_used);
        for (_, plan) in plans.iter() {
            self.plan(plan);
        }
        self.seats(*left);
    }

    fn plan(&mut self, plan: &Plan) {
        self.maybes(plan.iter().copied());
    }

    /// For each space its tile, and for each planet of the tile the cubes of four parties.
    fn board(&mut self, board: &Board) {
        for space in Space::all() {
            let system = board.system(space);
            self.maybe(system.map(|system| system.tile));
            for (planet, _) in system.into_iter().flat_map(|system| system.planets()) {
                let cubes = (0..4)
                    .map(super::state::Party)
                    .map(|party| system.map_or(0, |system| system.cubes(planet, party)));
                self.0.extend(cubes);
            }
        }
    }

    fn party(&mut self, board: &PartyBoard) {
        let PartyBoard {
            civilization,
            energy,
            consumption,
            level,
            supply,
            total,
            gems,
            hand,
            slots,
            upgrades,
            dark_tech,
            leader,
            stations,
            light_bonus,
            dark_bonus,
        } = board;
        self.byte(civilization.index());
        self.word(*energy);
        self.word(*consumption);
        self.byte(*level);
        self.byte(*supply);
        self.0.extend(total.to_le_bytes());
        self.gems(*gems);
        self.set(*hand);
        self.byte(slots.len() as u8);
        for slot in slots {
            self.byte(match slot.field {
                Field::Board => 0,
                Field::Leader => 1,
                Field::DarkTech => 2,
            });
            self.list(&slot.stack);
        }
        self.set(*upgrades);
        self.set(*dark_tech);
        self.maybe(*leader);
        self.maybes(stations.iter().copied());
        self.byte(*light_bonus);
        self.byte(*dark_bonus);
    }

    /// The stage by its place in the enum, then its fields.
    fn stage(&mut self, stage: &Stage) {
        match stage {
            Stage::Drafting { leaders, nth } => {
                self.byte(0);
                self.set(*leaders);
                self.byte(*nth);
            }
            Stage::Buying { nth, purchases } => self.0.extend([1, *nth, *purchases]),
            Stage::Planning { done } => self.0.extend([2, done.bits()]),
            Stage::Acting { nth, work } => {
                self.0.extend([3, *nth]);
                self.work(work);
            }
            Stage::Scoring {
                nth,
                scored,
                held_fast,
            } => {
                self.0.extend([4, *nth]);
                self.set(*scored);
                self.flag(*held_fast);
            }
            Stage::Events { after, task } => {
                let after = match after {
                    Phase::Buy => 0,
                    Phase::Consume => 1,
                    Phase::Act => 2,
                };
                let (task, left) = match task {
                    EventTask::Pick => (0, 0),
                    EventTask::Wave { left } => (1, *left),
                    EventTask::Archive { left } => (2, *left),
                };
                self.0.extend([5, after, task, left]);
            }
            Stage::Over(ending) => {
                self.byte(6);
                self.ending(ending);
            }
        }
    }

    fn work(&mut self, work: &Work) {
        let Work {
            slot,
            overclocked,
            step,
            task,
        } = work;
        self.byte(*slot);
        self.flag(*overclocked);
        self.byte(*step);
        match task {
            StepTask::Choose => self.byte(0),
            StepTask::Settle { left } => self.0.extend([1, *left]),
            StepTask::Found => self.byte(2),
            StepTask::Mine { left, taken } => {
                self.0.extend([3, *left]);
                self.list(taken);
            }
            StepTask::Explore => self.byte(4),
            StepTask::PlaceTile { parsec, drawn } => self.0.extend([5, *parsec, *drawn]),
            StepTask::Claim { space } => self.0.extend([6, space.index()]),
            StepTask::Gems(gems) => {
                self.byte(7);
                self.gems(*gems);
            }
            StepTask::Improve { left } => self.0.extend([8, *left]),
        }
    }

    fn ending(&mut self, ending: &Ending) {
        let Ending {
            outcome,
            reason,
            standings,
            bonus,
        } = ending;
        self.seats(outcome.winners);
        for (_, returns) in outcome.returns.iter() {
            self.0.extend(returns.to_le_bytes());
        }
        self.byte(match reason {
            EndReason::Throne => 0,
            EndReason::MaxRounds => 1,
            EndReason::Left => 2,
        });
        for standing in standings {
            self.0
                .extend([standing.party.0, standing.rank, standing.level]);
            self.word(standing.energy);
            self.0.extend([standing.cubes, standing.upgrades]);
        }
        for (_, cards) in bonus.iter() {
            self.list(cards);
        }
    }

    fn private(&mut self, own: &Private) {
        let Private {
            plan,
            bonus,
            bonus_drawn,
            tiles,
            dark_tech,
            memory,
        } = own;
        self.plan(plan);
        self.list(bonus);
        self.maybe(*bonus_drawn);
        self.list(tiles);
        for seen in dark_tech {
            self.flag(seen.is_some());
            self.set(seen.unwrap_or_default());
        }
        self.memory(memory);
    }

    fn memory(&mut self, memory: &Memory) {
        let Memory {
            tile_stacks,
            drawn,
            bonus_deck,
            bonus_drawn,
            bonus_held,
        } = memory;
        for stack in tile_stacks {
            self.maybes(stack.iter().copied());
        }
        self.maybes(drawn.iter().copied());
        self.maybes(bonus_deck.iter().copied());
        self.maybe(*bonus_drawn);
        for held in bonus_held {
            self.set(*held);
        }
    }

    fn hidden(&mut self, hidden: &Hidden) {
        let Hidden {
            tile_stacks,
            ai_deck,
            dark_tech,
            bonus_deck,
            automa_deck,
        } = hidden;
        for stack in tile_stacks {
            self.list(stack);
        }
        self.list(ai_deck);
        for stack in dark_tech {
            self.list(stack);
        }
        self.list(bonus_deck);
        self.list(automa_deck);
    }
}
