//! The Automa (12): a party without seat, hand and slots, which a card leads through each round.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use super::components::{
    AutomaCard, AutomaStep, Galaxy, Numbered, PlanetType, Set, Space, numbers,
};
use super::event::Event;
use super::state::{CouncilOfShadows, Party, Public};
use crate::cx::{Audience, Cx};

impl Public {
    /// The Automa; `None` if there is none.
    pub fn automa(&self) -> Option<Party> {
        self.setup.automa.map(|_| Party(self.setup.humans))
    }

    /// The Automa's adaptability follows its level.
    fn automa_types(&self, automa: Party) -> Set<PlanetType> {
        let types: &[PlanetType] = match self.party(automa).level {
            0 => &[PlanetType::EarthLike],
            1 => &[PlanetType::EarthLike, PlanetType::Desert],
            _ => &[
                PlanetType::EarthLike,
                PlanetType::Desert,
                PlanetType::Volcano,
            ],
        };
        types.iter().copied().collect()
    }

    /// The empty planets that the Automa may colonize up to a parsec, ascending.
    fn automa_planets(&self, automa: Party, target: u8) -> impl Iterator<Item = (Space, u8)> {
        let types = self.automa_types(automa);
        let near = self
            .board
            .systems()
            .filter(move |(space, _)| space.parsec() <= target);
        near.flat_map(move |(space, system)| {
            system
                .planets()
                .filter(move |&(planet, kind)| types.contains(kind) && system.height(planet) == 0)
                .map(move |(planet, _)| (space, planet))
        })
    }

    /// Which planet the Automa settles: first where it doesn't lead yet, there where the fewest
    /// cubes are missing to lead; then the highest high value; then the lowest galaxy, space and
    /// planet.
    fn automa_choice(&self, automa: Party, target: u8) -> Option<(Space, u8)> {
        self.automa_planets(automa, target)
            .min_by_key(|&(space, planet)| {
                let galaxy = space.galaxy();
                let own = self.presence(automa, galaxy);
                let others = self.others_presence(automa, galaxy);
                let leads = own > others;
                let missing = if leads { 0 } else { others + 1 - own };
                (leads, missing, Reverse(galaxy.data().high), space, planet)
            })
    }

    /// The galaxies that the Automa would score, in its order: those it leads by high value, then
    /// the others by low value.
    fn automa_galaxies(&self, automa: Party) -> ArrayVec<Galaxy, { Galaxy::COUNT as usize }> {
        let held = self
            .galaxies()
            .filter(|&galaxy| self.board.cubes_in(galaxy, automa) > 0);
        let mut galaxies: ArrayVec<Galaxy, { Galaxy::COUNT as usize }> = held.collect();
        galaxies.sort_by_key(|&galaxy| {
            let data = galaxy.data();
            let leads = self.has_majority(automa, galaxy);
            let value = if leads { data.high } else { data.low };
            (!leads, Reverse(value), galaxy)
        });
        galaxies
    }
}

impl CouncilOfShadows {
    /// BUY: draws its card of the round, and clears a position of the row.
    pub(super) fn automa_buys(&mut self, cx: &mut Cx<'_, Event>) {
        if self.hidden.automa_deck.is_empty() {
            self.hidden.automa_deck = self.public.automa_used.iter().collect();
            self.public.automa_used = Set::EMPTY;
            cx.chance.shuffle(&mut self.hidden.automa_deck);
            cx.tell(Audience::All, || Event::AutomaShuffled);
        }
        let Some(card) = self.hidden.automa_deck.pop_at(0) else {
            return;
        };
        self.public.automa_card = Some(card);
        cx.tell(Audience::All, || Event::AutomaDrew { card });
        self.clear_market(card, cx);
    }

    /// The AI card at the position goes under the deck; nothing happens if there is none, or if the
    /// deck is empty.
    fn clear_market(&mut self, card: AutomaCard, cx: &mut Cx<'_, Event>) {
        let row = card.data().market;
        let Some(cleared) = self.public.offered(row) else {
            return;
        };
        if self.hidden.ai_deck.is_empty() {
            return;
        }
        cx.tell(Audience::All, || Event::MarketCleared {
            row,
            card: cleared,
        });
        self.hidden.ai_deck.push(cleared);
        self.public.ai_bottom.push(cleared);
        self.refill(row, cx);
    }

    /// ACT (a): the actions of its card, then its energy.
    pub(super) fn automa_acts(&mut self, cx: &mut Cx<'_, Event>) {
        let (Some(automa), Some(card)) = (self.public.automa(), self.public.automa_card) else {
            return;
        };
        let data = card.data();
        // Fixed when its actions begin.
        let target = data
            .parsec
            .min(self.public.party(automa).level.saturating_add(1))
            .min(numbers().play.top_range);
        for &action in &data.actions {
            match action {
                AutomaStep::Explore => self.automa_explores(automa, target, cx),
                AutomaStep::Settle => self.automa_settles(automa, target, 1, cx),
                AutomaStep::Found => {
                    self.automa_settles(automa, target, numbers().play.found_cubes, cx);
                }
            }
        }
        let extra = self
            .public
            .setup
            .automa
            .map_or(0, |difficulty| difficulty.extra());
        self.gain_energy(automa, data.energy + extra, cx);
    }

    fn automa_explores(&mut self, automa: Party, target: u8, cx: &mut Cx<'_, Event>) {
        let Some(parsec) = self.public.legal_stacks(target).max() else {
            return self.gain_energy(automa, 1, cx);
        };
        let Some(space) = self.public.free_spaces(parsec).next() else {
            return;
        };
        let Some(tile) = self.draw_tiles(automa, parsec, 1, cx).pop() else {
            return;
        };
        self.put_tile(automa, tile, space, None, cx);
        let types = self.public.automa_types(automa);
        let mut planets = (0..).zip(tile.planets());
        let planet = planets
            .find(|&(_, &kind)| types.contains(kind))
            .map(|(planet, _)| planet);
        match planet {
            Some(planet) if self.public.party(automa).supply > 0 => {
                self.put_cubes(automa, space, planet, 1, cx);
            }
            _ => {
                let gives = tile.data().gives;
                let energy = gives.energy() + gives.gems().worth(numbers().last.gems);
                self.gain_energy(automa, energy, cx);
            }
        }
    }

    /// settle and found: cubes on the best empty planet, else energy for each of them.
    fn automa_settles(&mut self, automa: Party, target: u8, cubes: u8, cx: &mut Cx<'_, Event>) {
        let supply = self.public.party(automa).supply;
        match self.public.automa_choice(automa, target) {
            Some((space, planet)) if supply > 0 => {
                self.put_cubes(automa, space, planet, cubes.min(supply), cx);
            }
            _ => self.gain_energy(automa, cubes.into(), cx),
        }
    }

    /// ACT (c): as many galaxies as its card says, each tested anew when it is scored.
    pub(super) fn automa_scores(&mut self, cx: &mut Cx<'_, Event>) {
        let (Some(automa), Some(card)) = (self.public.automa(), self.public.automa_card) else {
            return;
        };
        let galaxies = self.public.automa_galaxies(automa);
        for galaxy in galaxies.into_iter().take(usize::from(card.data().score)) {
            let removed = self
                .public
                .board
                .colonies_of(automa)
                .find(|(space, _)| space.galaxy() == galaxy);
            if removed.is_some() {
                self.score_galaxy(automa, galaxy, removed, cx);
            }
        }
    }
}
