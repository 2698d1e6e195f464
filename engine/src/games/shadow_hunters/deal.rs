//! Dealing the characters that a viewer doesn't know to the seats where he could think them: exactly
//! as likely as the set-up deals them (section 4), given what he knows.

use arrayvec::ArrayVec;

use super::character::{Character, Characters, Faction};
use super::options::ExpansionCharacters;
use super::state::Public;
use super::tables::Allocation;
use crate::chance::Chance;
use crate::seat::{SEATS_MAX, Seat};

/// How often a deal is tried before the ways that fit are counted out.
const TRIES: u32 = 24;

/// One character per seat.
pub(super) type Dealt = ArrayVec<Character, { SEATS_MAX as usize }>;

/// Seats whose character the viewer doesn't know, and who could sit there.
pub(super) type Free = ArrayVec<(Seat, Characters), { SEATS_MAX as usize }>;

/// The two characters of an initial, as far as they can still be dealt.
type Pair = ArrayVec<Character, 2>;

/// What is left to be dealt, to the seats whose character the viewer doesn't know.
pub(super) struct Deal {
    /// The seats, and who could sit there.
    free: Free,
    /// The characters that can be dealt, by initial, faction by faction.
    pairs: ArrayVec<(Faction, Pair), 10>,
    /// How many characters of each faction are dealt.
    need: [u8; 3],
    one_per_initial: bool,
}

/// The number of ways to go on, by the set of free seats that are taken.
type Ways = [u32; 1 << SEATS_MAX];

impl Deal {
    /// What is left to be dealt where the viewer knows these characters, and these seats are open.
    pub(super) fn new(public: &Public, fixed: Characters, free: Free) -> Self {
        let one_per_initial =
            public.options.expansion_characters == ExpansionCharacters::OnePerInitial;
        let allocation = Allocation::of(public.seats());
        let need = Faction::ALL.map(|faction| {
            let known = fixed
                .iter()
                .filter(|character| character.faction() == faction);
            allocation
                .count(faction)
                .saturating_sub(known.count() as u8)
        });
        let mut pairs: ArrayVec<(Faction, Pair), 10> = ArrayVec::new();
        let pool = Characters::pool(&public.options);
        for faction in Faction::ALL {
            for first in pool
                .iter()
                .filter(|character| character.faction() == faction)
            {
                let initial = first.facts().initial;
                let same = |character: &Character| character.facts().initial == initial;
                let is_first = pool.iter().find(same) == Some(first);
                let initial_is_out = one_per_initial && fixed.iter().any(|fixed| same(&fixed));
                if is_first && !initial_is_out {
                    let pair = pool
                        .iter()
                        .filter(|character| same(character) && !fixed.contains(*character));
                    pairs.push((faction, pair.collect()));
                }
            }
        }
        Self {
            free,
            pairs,
            need,
            one_per_initial,
        }
    }

    /// A character for each open seat: deals as the set-up does until a deal fits; where few fit,
    /// they are counted out. Either way each deal that fits is as likely as the set-up deals it.
    pub(super) fn draw(&self, chance: &mut Chance) -> Dealt {
        for _ in 0..TRIES {
            if let Some(dealt) = self.once(chance) {
                return dealt;
            }
        }
        self.count_out(chance)
    }

    /// The character that was dealt to this seat, if it was open.
    pub(super) fn dealt_to(&self, seat: Seat, dealt: &Dealt) -> Option<Character> {
        let place = self.free.iter().position(|(free, _)| *free == seat)?;
        dealt.get(place).copied()
    }

    /// Deals once as the set-up does; `None` if somebody gets a character that he can't be.
    fn once(&self, chance: &mut Chance) -> Option<Dealt> {
        let mut dealt = Dealt::new();
        for (faction, need) in Faction::ALL.into_iter().zip(self.need) {
            let mut pool = ArrayVec::<Character, 20>::new();
            for (_, pair) in self.pairs.iter().filter(|(of, _)| *of == faction) {
                match pair.len() {
                    2 if self.one_per_initial => {
                        pool.extend(pair.get(chance.below(2) as usize).copied());
                    }
                    _ => pool.extend(pair.iter().copied()),
                }
            }
            chance.shuffle(&mut pool);
            dealt.extend(pool.into_iter().take(usize::from(need)));
        }
        chance.shuffle(&mut dealt);
        let fits = dealt.len() == self.free.len()
            && dealt
                .iter()
                .zip(&self.free)
                .all(|(&character, (_, candidates))| candidates.contains(character));
        fits.then_some(dealt)
    }

    /// One of all deals that fit, each as likely as the set-up deals it, by counting the ways to go
    /// on from each set of seats that are taken.
    fn count_out(&self, chance: &mut Chance) -> Dealt {
        let full = (1usize << self.free.len()) - 1;
        // ways[n]: from the n-th pair on.
        let mut ways: Vec<Ways> = vec![[0; 1 << SEATS_MAX]; self.pairs.len() + 1];
        for index in (0..=self.pairs.len()).rev() {
            for taken in 0..=full {
                let count = if !self.complete_so_far(index, taken) {
                    0
                } else if index == self.pairs.len() {
                    u32::from(taken == full)
                } else {
                    self.choices(index, taken)
                        .iter()
                        .map(|choice| choice.weight * ways[index + 1][choice.taken])
                        .sum()
                };
                ways[index][taken] = count;
            }
        }
        let mut dealt: ArrayVec<Option<Character>, { SEATS_MAX as usize }> =
            self.free.iter().map(|_| None).collect();
        let mut taken = 0;
        for index in 0..self.pairs.len() {
            let total = ways[index][taken];
            if total == 0 {
                break;
            }
            let mut left = chance.below(total);
            for choice in self.choices(index, taken) {
                let count = choice.weight * ways[index + 1][choice.taken];
                if left >= count {
                    left -= count;
                    continue;
                }
                for (place, character) in choice.dealt {
                    if let Some(seat) = dealt.get_mut(place) {
                        *seat = Some(character);
                    }
                }
                taken = choice.taken;
                break;
            }
        }
        debug_assert_eq!(taken, full, "the truth is one way to deal");
        dealt
            .into_iter()
            .map(|character| character.unwrap_or(Character::Emi))
            .collect()
    }

    /// Where one faction's characters end, exactly as many seats are taken as the factions so far
    /// need.
    fn complete_so_far(&self, index: usize, taken: usize) -> bool {
        let of = |index: usize| self.pairs.get(index).map(|(faction, _)| *faction);
        let before = index.checked_sub(1).and_then(of);
        let needed = |faction: Faction| -> u32 {
            self.need
                .iter()
                .take(faction as usize + 1)
                .map(|&need| u32::from(need))
                .sum()
        };
        match before {
            Some(faction) if of(index) != before => taken.count_ones() == needed(faction),
            _ => true,
        }
    }

    /// What can be done with the characters of an initial.
    fn choices(&self, index: usize, taken: usize) -> Vec<Choice> {
        let Some((_, pair)) = self.pairs.get(index) else {
            return Vec::new();
        };
        let none = Choice {
            taken,
            weight: 1,
            dealt: ArrayVec::new(),
        };
        // A character that is alone with its initial is in the pool for certain, else with one
        // half.
        let weight = if self.one_per_initial && pair.len() == 1 {
            2
        } else {
            1
        };
        let mut choices = vec![none.clone()];
        for &character in pair {
            for one in self.put(&none, character, weight) {
                let twin = pair.iter().copied().find(|&twin| twin > character);
                if let (Some(twin), false) = (twin, self.one_per_initial) {
                    choices.extend(self.put(&one, twin, 1));
                }
                choices.push(one);
            }
        }
        choices
    }

    /// The character at each seat that is still free and where it can sit.
    fn put(&self, choice: &Choice, character: Character, weight: u32) -> Vec<Choice> {
        let fits = |place: &usize| {
            choice.taken & 1 << place == 0
                && self
                    .free
                    .get(*place)
                    .is_some_and(|(_, candidates)| candidates.contains(character))
        };
        (0..self.free.len())
            .filter(fits)
            .map(|place| {
                let mut dealt = choice.dealt.clone();
                dealt.push((place, character));
                Choice {
                    taken: choice.taken | 1 << place,
                    weight: choice.weight * weight,
                    dealt,
                }
            })
            .collect()
    }
}

/// One thing that can be done with the characters of an initial.
#[derive(Clone)]
struct Choice {
    /// The free seats that are taken then.
    taken: usize,
    weight: u32,
    /// Who is dealt to which of the free seats.
    dealt: ArrayVec<(usize, Character), 2>,
}
