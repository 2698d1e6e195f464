//! The main board in play: which tiles lie where, and whose cubes are on their planets (3).

use super::components::{Galaxy, Numbered, PLANETS_MAX, PlanetType, Space, Tile};
use super::state::{PARTIES_MAX, Party};

/// Tiles and cubes on the main board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Board {
    spaces: [Option<System>; Space::COUNT as usize],
}

/// A tile on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct System {
    /// Which.
    pub tile: Tile,
    /// Cubes on each planet, of each party. The order inside a stack has no meaning.
    cubes: [[u8; PARTIES_MAX as usize]; PLANETS_MAX as usize],
}

impl System {
    /// Cubes of a party on a planet.
    #[inline]
    pub fn cubes(&self, planet: u8, party: Party) -> u8 {
        self.cubes
            .get(usize::from(planet))
            .and_then(|stack| stack.get(usize::from(party.0)))
            .copied()
            .unwrap_or_default()
    }

    /// Cubes of all parties on a planet.
    #[inline]
    pub fn height(&self, planet: u8) -> u8 {
        self.cubes
            .get(usize::from(planet))
            .map_or(0, |stack| stack.iter().sum())
    }

    /// Cubes of a party on all planets.
    #[inline]
    pub fn cubes_of(&self, party: Party) -> u8 {
        self.planets()
            .map(|(planet, _)| self.cubes(planet, party))
            .sum()
    }

    /// The planets with their types, in order.
    pub fn planets(&self) -> impl Iterator<Item = (u8, PlanetType)> + Clone + use<> {
        (0..).zip(self.tile.planets().iter().copied())
    }
}

impl Board {
    /// The system on a space; `None` if the space is free.
    #[inline]
    pub fn system(&self, space: Space) -> Option<&System> {
        self.spaces[usize::from(space.index())].as_ref()
    }

    /// All systems with their spaces, ascending.
    pub fn systems(&self) -> impl Iterator<Item = (Space, &System)> {
        Space::all().filter_map(|space| Some((space, self.system(space)?)))
    }

    /// The systems of a galaxy with their spaces, ascending.
    pub fn systems_in(&self, galaxy: Galaxy) -> impl Iterator<Item = (Space, &System)> {
        galaxy
            .spaces()
            .filter_map(|space| Some((space, self.system(space)?)))
    }

    /// Puts a tile on a free space.
    pub fn place_tile(&mut self, tile: Tile, space: Space) {
        debug_assert!(self.system(space).is_none());
        debug_assert_eq!(tile.parsec(), space.parsec());
        self.spaces[usize::from(space.index())] = Some(System {
            tile,
            cubes: Default::default(),
        });
    }

    /// Puts cubes on a planet of a system that is there.
    pub fn add_cubes(&mut self, space: Space, planet: u8, party: Party, cubes: u8) {
        if let Some(stack) = self.stack_mut(space, planet, party) {
            *stack += cubes;
        }
    }

    /// Takes one cube from a planet that holds one.
    pub(super) fn remove_cube(&mut self, space: Space, planet: u8, party: Party) {
        if let Some(stack) = self.stack_mut(space, planet, party) {
            *stack = stack.saturating_sub(1);
        }
    }

    fn stack_mut(&mut self, space: Space, planet: u8, party: Party) -> Option<&mut u8> {
        self.spaces[usize::from(space.index())]
            .as_mut()?
            .cubes
            .get_mut(usize::from(planet))?
            .get_mut(usize::from(party.0))
    }

    /// Cubes of a party in a galaxy.
    #[inline]
    pub fn cubes_in(&self, galaxy: Galaxy, party: Party) -> u8 {
        self.systems_in(galaxy)
            .map(|(_, system)| system.cubes_of(party))
            .sum()
    }

    /// Cubes of a party on the whole board.
    pub fn cubes_of(&self, party: Party) -> u8 {
        self.systems()
            .map(|(_, system)| system.cubes_of(party))
            .sum()
    }

    /// The planets on which a party has cubes, ascending.
    pub fn colonies_of(&self, party: Party) -> impl Iterator<Item = (Space, u8)> {
        self.systems().flat_map(move |(space, system)| {
            system
                .planets()
                .filter(move |&(planet, _)| system.cubes(planet, party) > 0)
                .map(move |(planet, _)| (space, planet))
        })
    }
}
