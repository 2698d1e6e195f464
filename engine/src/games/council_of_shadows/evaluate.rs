//! How good a table is for a seat, by the advice of section 17 of the rules page.

use super::components::{Card, Gems, Step, Upgrade, numbers};
use super::state::{CouncilOfShadows, EventTask, Party, Public, Stage, StepTask, Work};
use crate::game::Evaluate;
use crate::seat::{Seat, Viewer};
use crate::{Game, Seen};

/// More than everything else together.
const WON: f32 = 10_000.0;

impl Evaluate for CouncilOfShadows {
    fn evaluate(&self, seat: Seat) -> f32 {
        let public = self.public();
        if let Stage::Over(ending) = &public.stage {
            let returns = ending
                .outcome
                .returns
                .get(seat)
                .copied()
                .unwrap_or_default();
            return WON * returns as f32;
        }
        public.worth(self.seen(Viewer::Seat(seat)), seat)
    }
}

impl Public {
    /// What the seat has and can expect, in energy.
    fn worth(&self, seen: Seen<'_, CouncilOfShadows>, seat: Seat) -> f32 {
        let party = Party::from(seat);
        self.progress(party)
            + self.colonies(party)
            + self.tools(party)
            + self.bonus_cards(seen, seat)
            + self.planned(seen, seat)
            + self.open_work(party)
    }

    /// Levels and energy: how far it is to the throne. A point of consumption raises all thresholds
    /// that are still to come.
    fn progress(&self, party: Party) -> f32 {
        let board = self.party(party);
        let throne = numbers().play.throne_level;
        let to_come = f32::from(throne.saturating_sub(board.level));
        let beyond = f32::from(board.level.saturating_sub(throne));
        let brings = 8.0 * f32::from(board.level.min(throne)) + 60.0 * beyond;
        f32::from(board.energy) - f32::from(board.consumption) * to_come
            + brings
            + worth_of(board.gems) * 0.95
    }

    /// Cubes on the board: what their galaxies give, and what can be mined there.
    fn colonies(&self, party: Party) -> f32 {
        let mut worth = 0.0;
        for galaxy in self.galaxies() {
            let cubes = self.board.cubes_in(galaxy, party);
            if cubes == 0 {
                continue;
            }
            let data = galaxy.data();
            let (high, low) = (f32::from(data.high), f32::from(data.low));
            let bonus = if data.bonus { 2.5 } else { 0.0 };
            let own = i16::from(self.presence(party, galaxy));
            let others = i16::from(self.others_presence(party, galaxy));
            // The lead is worth most; what is beyond it guards it, and scores again.
            let lead = own - others;
            let mut of_galaxy = if lead > 0 {
                0.75 * (high + bonus) + 0.08 * high * f32::from(lead.min(3) - 1)
            } else {
                0.7 * (low + bonus)
            };
            of_galaxy += 0.42 * (low.max(high * 0.6) + bonus) * f32::from(cubes - 1);
            worth += of_galaxy;
        }
        for (_, system) in self.board.systems() {
            let cubes = system.cubes_of(party);
            if cubes > 0 {
                let gives = system.tile.data().gives;
                let yielded = f32::from(gives.energy()) + worth_of(gives.gems());
                worth += yielded * (0.3 + 0.1 * f32::from(cubes.min(3) - 1));
            }
        }
        worth
    }

    /// Cards and upgrades.
    fn tools(&self, party: Party) -> f32 {
        let board = self.party(party);
        let rounds = self.rounds_to_come();
        let on_slots = board.slots.iter().flat_map(|slot| &slot.stack).copied();
        let cards: f32 = board
            .hand
            .iter()
            .chain(on_slots)
            .filter(|card| card.is_ai())
            .map(|card| 2.0 + 0.22 * rounds * (self.card_worth(party, card, 2) - 2.0).max(0.0))
            .sum();
        let upgrades: f32 = board
            .upgrades
            .iter()
            .map(|upgrade| match upgrade {
                Upgrade::AdaptDesert | Upgrade::AdaptVolcano => 0.75 * rounds,
                Upgrade::ColonyExtension => 0.3 * rounds,
                Upgrade::Project1 | Upgrade::Project2 | Upgrade::Project3 | Upgrade::Project4 => {
                    0.0
                }
                Upgrade::Range1To2 | Upgrade::Range2To2 => 1.1 * rounds,
                Upgrade::Range3To2 => 0.6 * rounds,
                Upgrade::Range2To3 => 0.9 * rounds,
                Upgrade::Range1To3 | Upgrade::Range3To3 => 0.4 * rounds,
            })
            .sum();
        let stations = board.stations.iter().flatten().count() as f32;
        let lasting = board.dark_tech.len() as f32 * 1.5 * rounds;
        cards + upgrades + lasting + stations * 0.9 * rounds + f32::from(board.supply.min(4)) * 0.2
    }

    /// About how many rounds there are to come: a game takes about eight. It doesn't depend on
    /// levels and energy, or nobody would want to rise.
    fn rounds_to_come(&self) -> f32 {
        let usual = 8.0 - f32::from(self.round.min(7));
        let allowed = self.setup.max_rounds.saturating_sub(self.round);
        usual.min(allowed.into())
    }

    /// What a card brings at a range, less what it consumes.
    fn card_worth(&self, party: Party, card: Card, range: u8) -> f32 {
        let data = card.data();
        let steps = data
            .steps
            .iter()
            .map(|&step| self.step_worth(party, step, range));
        let brings: f32 = if data.choose {
            steps.fold(0.0, f32::max)
        } else {
            steps.sum()
        };
        brings - self.consumption_price(party) * f32::from(data.consumption)
    }

    /// What a point of consumption costs: each level to come is that much further.
    fn consumption_price(&self, party: Party) -> f32 {
        let level = self.party(party).level;
        f32::from(numbers().play.throne_level.saturating_sub(level)).max(1.0)
    }

    fn step_worth(&self, party: Party, step: Step, range: u8) -> f32 {
        let reach = f32::from(range);
        let planets = self.legal_planets(party, range).count().min(4) as f32;
        let per_cube = if planets > 0.0 {
            2.2 + 1.5 * reach
        } else {
            0.0
        };
        match step {
            Step::Settle { n } => per_cube * f32::from(n).min(planets),
            Step::Found => per_cube * 1.7,
            Step::Mine { n } => self.best_takes(party, range, n),
            Step::Explore => match self.legal_stacks(range).max() {
                Some(parsec) => 3.0 + 1.8 * f32::from(parsec),
                None => 0.0,
            },
            Step::Gems { a, g, t } => worth_of(Gems::new(a, g, t)),
            Step::Improve { n } => {
                let gems = self.party(party).gems;
                let raised = gems.anthracite.min(2) + gems.golden.min(2);
                1.2 * f32::from(u16::from(n).min(raised))
            }
        }
    }

    /// The best takes within a range.
    fn best_takes(&self, party: Party, range: u8, takes: u8) -> f32 {
        let mut yields: Vec<f32> = Vec::new();
        for (space, system) in self.board.systems() {
            if space.parsec() <= range {
                let gives = system.tile.data().gives;
                let yielded = f32::from(gives.energy()) + worth_of(gives.gems());
                yields.extend((0..system.cubes_of(party)).map(|_| yielded));
            }
        }
        yields.sort_by(|a, b| b.total_cmp(a));
        yields.iter().take(usize::from(takes)).sum()
    }

    /// Bonus cards as they stand now, a little more for what they may become.
    fn bonus_cards(&self, seen: Seen<'_, CouncilOfShadows>, seat: Seat) -> f32 {
        let held = seen.own.into_iter().flat_map(|own| &own.bonus);
        held.map(|&card| 1.0 + f32::from(self.bonus_value(seat, card)))
            .sum()
    }

    /// What the cards that are being planned bring.
    fn planned(&self, seen: Seen<'_, CouncilOfShadows>, seat: Seat) -> f32 {
        let Stage::Planning { .. } = self.stage else {
            return 0.0;
        };
        let party = Party::from(seat);
        let Some(plan) = super::planning::plan_of(seen, seat) else {
            return 0.0;
        };
        let mut worth = 0.0;
        for (number, (slot, choice)) in (1..).zip(self.party(party).slots.iter().zip(plan)) {
            let card = choice.or_else(|| slot.top());
            let range = self.range(party, number);
            worth += card.map_or(0.0, |card| self.card_worth(party, card, range));
            // What is covered comes back later.
            worth -= if choice.is_some() && slot.top().is_some() {
                0.5
            } else {
                0.0
            };
        }
        worth
    }

    /// What the seat can still expect of what it is at.
    fn open_work(&self, party: Party) -> f32 {
        if self.acting_party() != Some(party) {
            return 0.0;
        }
        match &self.stage {
            Stage::Acting { work, .. } => self.task_worth(party, work),
            Stage::Events {
                task: EventTask::Wave { left },
                ..
            } => 3.0 * f32::from(*left),
            _ => 0.0,
        }
    }

    fn task_worth(&self, party: Party, work: &Work) -> f32 {
        let range = self.range(party, work.slot);
        match &work.task {
            StepTask::PlaceTile { parsec, .. } => 3.0 + f32::from(*parsec),
            StepTask::Claim { space } => {
                let high = f32::from(space.galaxy().data().high);
                let planets = self.legal_planets(party, range).any(|(at, _)| at == *space);
                if planets { 1.0 + 0.75 * high } else { 2.0 }
            }
            _ => 0.0,
        }
    }
}

fn worth_of(gems: Gems) -> f32 {
    1.1 * f32::from(gems.anthracite)
        + 2.3 * f32::from(gems.golden)
        + 3.6 * f32::from(gems.transparent)
}
