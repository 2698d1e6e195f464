//! ACT (a) and (b), phase 3 (5.4, 5.5): the visible cards are carried out from left to right, then
//! the stacks move.

use arrayvec::ArrayVec;

use super::action::Action;
use super::components::{
    DarkTech, Field, Galaxy, Gem, Gems, Leader, Numbered, PlanetType, Set, Space, Station, Step,
    Tile, Upgrade, UpgradeKind, numbers,
};
use super::event::Event;
use super::state::{CouncilOfShadows, Party, Public, Stage, StepTask, Work};
use crate::cx::{Audience, Cx};
use crate::seat::Seat;

// === what a player may do

impl Public {
    /// How far a slot reaches, from parsec 1 on. Slots count from 1.
    pub fn range(&self, party: Party, slot: u8) -> u8 {
        let board = self.party(party);
        let field = board
            .slots
            .get(usize::from(slot.saturating_sub(1)))
            .map_or(Field::Board, |slot| slot.field);
        let range = match field {
            Field::Board => self.board_range(party, slot),
            Field::Leader | Field::DarkTech => field.fixed_range().unwrap_or_default(),
        };
        if board.has(DarkTech::WarpBeacon) {
            let further = range + DarkTech::WarpBeacon.data().amount;
            further.min(numbers().play.top_range)
        } else {
            range
        }
    }

    fn board_range(&self, party: Party, slot: u8) -> u8 {
        let reached = |upgrade: Upgrade| match upgrade.data().kind {
            UpgradeKind::Range {
                slot: of, parsec, ..
            } if of == slot => Some(parsec),
            _ => None,
        };
        let steps = self.party(party).upgrades.iter().filter_map(reached);
        steps.max().unwrap_or(numbers().start.slot_range)
    }

    /// The types of planets that a human may colonize.
    pub(super) fn adaptability(&self, party: Party) -> Set<PlanetType> {
        let board = self.party(party);
        if board.has(DarkTech::Terraformer) {
            return PlanetType::all().collect();
        }
        let adapted = |upgrade: Upgrade| match upgrade.data().kind {
            UpgradeKind::Adaptability { planet } => Some(planet),
            _ => None,
        };
        let adapted = board.upgrades.iter().filter_map(adapted);
        numbers()
            .start
            .planets
            .iter()
            .copied()
            .chain(adapted)
            .collect()
    }

    /// The planets on which a human may place a cube within a range, ascending (R16, R20, R21,
    /// R37).
    pub(super) fn legal_planets(
        &self,
        party: Party,
        range: u8,
    ) -> impl Iterator<Item = (Space, u8)> + Clone + use<'_> {
        let board = self.party(party);
        let types = self.adaptability(party);
        let extended = board.upgrades.contains(Upgrade::ColonyExtension);
        let heights = if extended {
            numbers().play.max_height
        } else {
            1
        };
        let cubes = board.supply > 0;
        let near = Space::all().filter(move |space| cubes && space.parsec() <= range);
        near.filter_map(|space| Some((space, self.board.system(space)?)))
            .flat_map(move |(space, system)| {
                system
                    .planets()
                    .filter(move |&(planet, kind)| {
                        types.contains(kind) && system.height(planet) < heights
                    })
                    .map(move |(planet, _)| (space, planet))
            })
    }

    /// The systems that a human may take from within a range: each at most as often in one step as
    /// he has cubes there (R18).
    pub(super) fn legal_takes(
        &self,
        party: Party,
        range: u8,
        taken: &[Space],
    ) -> impl Iterator<Item = Space> {
        let near = self
            .board
            .systems()
            .filter(move |(space, _)| space.parsec() <= range);
        near.filter(move |(space, system)| {
            let times = taken.iter().filter(|&of| of == space).count();
            usize::from(system.cubes_of(party)) > times
        })
        .map(|(space, _)| space)
    }

    /// The stacks that may be explored within a range: not empty, and with a free space in their
    /// parsec.
    pub(super) fn legal_stacks(&self, range: u8) -> impl Iterator<Item = u8> {
        let parsecs = 1..=range.min(numbers().play.top_range);
        parsecs.filter(|&parsec| {
            self.tile_stacks[usize::from(parsec - 1)] > 0
                && self.free_spaces(parsec).next().is_some()
        })
    }

    /// Whether a step offers more than skipping it now.
    fn offers(&self, party: Party, range: u8, step: Step) -> bool {
        match step {
            Step::Settle { .. } | Step::Found => self.legal_planets(party, range).next().is_some(),
            Step::Mine { .. } => self.legal_takes(party, range, &[]).next().is_some(),
            Step::Explore => self.legal_stacks(range).next().is_some(),
            Step::Gems { .. } => true,
            Step::Improve { .. } => {
                let gems = self.party(party).gems;
                gems.of(Gem::Anthracite) + gems.of(Gem::Golden) > 0
            }
        }
    }

    /// What a human may do in the open step.
    pub(super) fn steps_into(
        &self,
        party: Party,
        work: &Work,
        drawn: &[Tile],
        out: &mut Vec<Action>,
    ) {
        let range = self.range(party, work.slot);
        let planets = || self.legal_planets(party, range);
        match &work.task {
            StepTask::Choose => {
                let steps = self.work_steps(party, work).iter();
                let offered = (0..)
                    .zip(steps)
                    .filter(|&(_, &step)| self.offers(party, range, step));
                out.extend(offered.map(|(index, _)| Action::ChooseStep { index }));
            }
            StepTask::Settle { .. } => {
                out.extend(planets().map(|(space, planet)| Action::PlaceCube { space, planet }));
            }
            StepTask::Found => {
                out.extend(planets().map(|(space, planet)| Action::FoundColony { space, planet }));
            }
            StepTask::Mine { taken, .. } => {
                let takes = self.legal_takes(party, range, taken);
                out.extend(takes.map(|space| Action::Take { space }));
            }
            StepTask::Explore => {
                let stacks = self.legal_stacks(range);
                out.extend(stacks.map(|parsec| Action::ExploreStack { parsec }));
            }
            // Once tiles are drawn, one must be placed, and a colony or the yield taken.
            StepTask::PlaceTile { parsec, .. } => return self.places_into(drawn, *parsec, out),
            StepTask::Claim { space } => return self.claims_into(party, *space, range, out),
            StepTask::Gems(_) => out.push(Action::Accept),
            StepTask::Improve { .. } => {
                let gems = self.party(party).gems;
                let kinds = [Gem::Anthracite, Gem::Golden].into_iter();
                let owned = kinds.filter(|&from| gems.of(from) > 0);
                out.extend(owned.map(|from| Action::Improve { from }));
            }
        }
        out.push(Action::Skip);
    }

    fn places_into(&self, drawn: &[Tile], parsec: u8, out: &mut Vec<Action>) {
        let mut tiles: ArrayVec<Tile, 2> = drawn.iter().copied().take(2).collect();
        tiles.sort_unstable();
        for tile in tiles {
            let spaces = self.free_spaces(parsec);
            out.extend(spaces.map(|space| Action::ExplorePlace { tile, space }));
        }
    }

    fn claims_into(&self, party: Party, space: Space, range: u8, out: &mut Vec<Action>) {
        let here = self
            .legal_planets(party, range)
            .filter(|&(at, _)| at == space);
        out.extend(here.map(|(_, planet)| Action::ExploreColony { planet }));
        out.push(Action::ExploreYield);
    }

    /// The steps of the card that is being carried out.
    pub(super) fn work_steps(&self, party: Party, work: &Work) -> &'static [Step] {
        let slot = usize::from(work.slot.saturating_sub(1));
        let card = self
            .party(party)
            .slots
            .get(slot)
            .and_then(|slot| slot.top());
        card.map_or(&[], |card| card.data().steps.as_slice())
    }

    /// What is to be done for a step that begins.
    fn task_of(&self, party: Party, step: Step) -> StepTask {
        match step {
            Step::Settle { n } => StepTask::Settle { left: n },
            Step::Found => StepTask::Found,
            Step::Mine { n } => {
                let more = if self.party(party).has(DarkTech::DeepDrill) {
                    DarkTech::DeepDrill.data().amount
                } else {
                    0
                };
                StepTask::Mine {
                    left: n + more,
                    taken: ArrayVec::new(),
                }
            }
            Step::Explore => StepTask::Explore,
            Step::Gems { a, g, t } => StepTask::Gems(Gems::new(a, g, t)),
            Step::Improve { n } => StepTask::Improve { left: n },
        }
    }

    /// What one take gives in energy beside the yield: of the refinery (10), and of the driller for
    /// the first take of a mine step (11).
    fn take_extra(&self, party: Party, galaxy: Galaxy, first_of_mine: bool) -> u16 {
        let board = self.party(party);
        let refinery = Station::Refinery;
        let refined = board.stations[usize::from(refinery.index())] == Some(galaxy);
        let drilled = first_of_mine && board.leader == Some(Leader::Driller);
        let of_refinery = if refined { refinery.data().amount } else { 0 };
        let of_driller = if drilled {
            Leader::Driller.data().energy
        } else {
            0
        };
        of_refinery + of_driller
    }
}

// === cards and steps, one after the other

impl CouncilOfShadows {
    /// ACT (a) of a human begins.
    pub(super) fn start_actions(&mut self, nth: u8, cx: &mut Cx<'_, Event>) {
        self.start_card(nth, 1, false, cx);
    }

    /// The visible card of this slot, or of the next one that has one; then dt2_overclock; then the
    /// shift.
    fn start_card(&mut self, nth: u8, slot: u8, overclocked: bool, cx: &mut Cx<'_, Event>) {
        let Some(party) = self.public.in_order(nth) else {
            return;
        };
        let board = self.public.party(party);
        let tops = (1..)
            .zip(&board.slots)
            .filter_map(|(number, slot)| Some((number, slot.top()?)));
        let clocked = board.has(DarkTech::Overclock) && !overclocked;
        let next = tops
            .clone()
            .find(|&(number, _)| number >= slot && !overclocked)
            .map(|(number, card)| (number, card, false));
        let again = || {
            let first = tops.clone().find(|&(number, _)| number == 1);
            first
                .filter(|_| clocked)
                .map(|(number, card)| (number, card, true))
        };
        let Some((slot, card, overclocked)) = next.or_else(again) else {
            self.shift(party, cx);
            return self.end_actions(nth, cx);
        };
        let data = card.data();
        let task = match data.steps.first() {
            Some(&step) if !data.choose => self.public.task_of(party, step),
            _ => StepTask::Choose,
        };
        let work = Work {
            slot,
            overclocked,
            step: 0,
            task,
        };
        self.public.stage = Stage::Acting { nth, work };
    }

    /// The open step is done: the next one of the card, or the next card.
    fn end_step(&mut self, cx: &mut Cx<'_, Event>) {
        let Stage::Acting { nth, work } = &self.public.stage else {
            return;
        };
        let (nth, work) = (*nth, work.clone());
        let Some(party) = self.public.in_order(nth) else {
            return;
        };
        let slot = usize::from(work.slot - 1);
        let top = self
            .public
            .party(party)
            .slots
            .get(slot)
            .and_then(|slot| slot.top());
        let next = work.step + 1;
        let step = top
            .filter(|card| !card.data().choose)
            .and_then(|card| card.data().steps.get(usize::from(next)));
        match step {
            Some(&step) => {
                let task = self.public.task_of(party, step);
                self.public.stage = Stage::Acting {
                    nth,
                    work: Work {
                        step: next,
                        task,
                        ..work
                    },
                };
            }
            None => self.start_card(nth, work.slot + 1, work.overclocked, cx),
        }
    }

    /// (b): every stack moves one slot to the right, the one that leaves the last slot returns to
    /// hand with its covered cards.
    fn shift(&mut self, party: Party, cx: &mut Cx<'_, Event>) {
        let Some(seat) = self.public.seat_of(party) else {
            return;
        };
        let board = self.public.party_mut(party);
        let mut carried = ArrayVec::new();
        for slot in &mut board.slots {
            std::mem::swap(&mut slot.stack, &mut carried);
        }
        let returned: Set<_> = carried.into_iter().collect();
        board.hand = board.hand.union(returned);
        cx.tell(Audience::All, || Event::Shifted { seat, returned });
    }

    pub(super) fn task_mut(&mut self) -> Option<&mut StepTask> {
        match &mut self.public.stage {
            Stage::Acting { work, .. } => Some(&mut work.task),
            _ => None,
        }
    }

    /// A step is declined, or what is left of it.
    pub(super) fn skip(&mut self, cx: &mut Cx<'_, Event>) {
        match &self.public.stage {
            Stage::Events { .. } => self.end_pick(cx),
            _ => self.end_step(cx),
        }
    }

    pub(super) fn choose_step(&mut self, index: u8, cx: &mut Cx<'_, Event>) {
        let Stage::Acting { nth, work } = &self.public.stage else {
            return;
        };
        let Some(party) = self.public.in_order(*nth) else {
            return;
        };
        let steps = self.public.work_steps(party, work);
        let task = steps
            .get(usize::from(index))
            .map(|&step| self.public.task_of(party, step));
        if let (Stage::Acting { work, .. }, Some(task)) = (&mut self.public.stage, task) {
            work.step = index;
            work.task = task;
        } else {
            self.end_step(cx);
        }
    }
}

// === what the steps do

impl CouncilOfShadows {
    /// Cubes go from the supply to a planet.
    pub(super) fn put_cubes(
        &mut self,
        party: Party,
        space: Space,
        planet: u8,
        cubes: u8,
        cx: &mut Cx<'_, Event>,
    ) {
        debug_assert!(cubes <= self.public.party(party).supply);
        self.public.party_mut(party).supply -= cubes;
        self.public.board.add_cubes(space, planet, party, cubes);
        cx.tell(Audience::All, || Event::CubesPlaced {
            party,
            space,
            planet,
            cubes,
        });
    }

    /// settle, and dt2_colonial_wave: one cube.
    pub(super) fn place_cube(
        &mut self,
        seat: Seat,
        space: Space,
        planet: u8,
        cx: &mut Cx<'_, Event>,
    ) {
        self.put_cubes(Party::from(seat), space, planet, 1, cx);
        match self.task_mut() {
            Some(StepTask::Settle { left }) => {
                *left = left.saturating_sub(1);
                if *left == 0 {
                    self.end_step(cx);
                }
            }
            _ => self.wave_on(cx),
        }
    }

    /// found: as many cubes as fit, at most two (R21).
    pub(super) fn found_colony(
        &mut self,
        seat: Seat,
        space: Space,
        planet: u8,
        cx: &mut Cx<'_, Event>,
    ) {
        let party = Party::from(seat);
        let play = &numbers().play;
        let height = self
            .public
            .board
            .system(space)
            .map_or(0, |system| system.height(planet));
        let fit = play.max_height.saturating_sub(height);
        let cubes = play
            .found_cubes
            .min(fit)
            .min(self.public.party(party).supply);
        self.put_cubes(party, space, planet, cubes, cx);
        self.end_step(cx);
    }

    /// mine: the whole yield of a system, which is not used up (R19).
    pub(super) fn take(&mut self, seat: Seat, space: Space, cx: &mut Cx<'_, Event>) {
        let Some(StepTask::Mine { left, taken }) = self.task_mut() else {
            return;
        };
        let first = taken.is_empty();
        *left = left.saturating_sub(1);
        let done = *left == 0;
        if !done {
            taken.push(space);
        }
        self.gain_yield(Party::from(seat), space, first, cx);
        if done {
            self.end_step(cx);
        }
    }

    /// The yield of a system: its gems, and its energy with that of card effects in one gain.
    pub(super) fn gain_yield(
        &mut self,
        party: Party,
        space: Space,
        first_of_mine: bool,
        cx: &mut Cx<'_, Event>,
    ) {
        let Some(system) = self.public.board.system(space) else {
            return;
        };
        let gives = system.tile.data().gives;
        let extra = self.public.take_extra(party, space.galaxy(), first_of_mine);
        cx.tell(Audience::All, || Event::Taken { party, space });
        self.gain_gems(party, gives.gems(), cx);
        self.gain_energy(party, gives.energy() + extra, cx);
    }

    /// gems.
    pub(super) fn accept_gems(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        let Some(&mut StepTask::Gems(gems)) = self.task_mut() else {
            return;
        };
        self.gain_gems(Party::from(seat), gems, cx);
        self.end_step(cx);
    }

    /// improve: one gem, one step.
    pub(super) fn improve(&mut self, seat: Seat, from: Gem, cx: &mut Cx<'_, Event>) {
        let board = self.public.party_mut(Party::from(seat));
        if let Some(gems) = board.gems.improved(from) {
            board.gems = gems;
            cx.tell(Audience::All, || Event::Improved { seat, from });
        }
        if let Some(StepTask::Improve { left }) = self.task_mut() {
            *left = left.saturating_sub(1);
            if *left == 0 {
                self.end_step(cx);
            }
        }
    }

    /// The step of exploring is done.
    pub(super) fn end_exploring(&mut self, cx: &mut Cx<'_, Event>) {
        self.end_step(cx);
    }
}
