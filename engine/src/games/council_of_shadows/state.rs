//! The state of a table in its three parts (13): what all see, what each seat holds and remembers,
//! and what nobody sees.

use std::fmt;

use arrayvec::ArrayVec;

use super::board::Board;
use super::components::{
    AutomaCard, Back, Bonus, Card, Civilization, DarkTech, Difficulty, Field, Galaxy, Gems, Leader,
    Numbered, Set, Space, Station, Tile, Upgrade,
};
use super::memory::Memory;
use super::options::{LeaderMode, ScoringTiming, StartEnergy};
use crate::outcome::Outcome;
use crate::seat::{Seat, SeatMap, SeatSet};

/// The most humans at a table.
pub const HUMANS_MAX: u8 = 4;
/// The most parties: humans and the Automa.
pub const PARTIES_MAX: u8 = 4;
/// The most action slots: three on the board and two additional fields.
pub const SLOTS_MAX: u8 = 5;
/// How many tiles the highest stack has.
pub(super) const STACK_MAX: usize = 12;
/// The most tiles that an exploration draws.
pub(super) const DRAWN_MAX: usize = 2;
/// The most bonus cards a player holds.
pub(super) const HELD_MAX: usize = 4;
/// AI cards on offer.
pub const ROW: usize = 8;

/// A table of Council of Shadows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CouncilOfShadows {
    pub(super) public: Public,
    pub(super) private: SeatMap<Private>,
    pub(super) hidden: Hidden,
}

/// Somebody who takes part: the humans by seat from 0, the Automa after them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Party(pub u8);

/// As `party 0`.
impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "party {}", self.0)
    }
}

impl From<Seat> for Party {
    fn from(seat: Seat) -> Self {
        Self(seat.0)
    }
}

/// What the table was set up with: the options, with all defaults filled in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// How many humans there are, 1 to 4: the number of seats.
    pub humans: u8,
    /// How strong the Automa is; `None` if there is none.
    pub automa: Option<Difficulty>,
    /// Whether stations are in play (10).
    pub stations: bool,
    /// How the leaders come to the players (11).
    pub leaders: LeaderMode,
    /// Where the energy markers begin.
    pub start_energy: StartEnergy,
    /// When galaxies are scored.
    pub scoring_timing: ScoringTiming,
    /// Whether each choice of planning is public at once.
    pub open_planning: bool,
    /// After this round final scoring follows at the latest.
    pub max_rounds: u8,
    /// The humans' civilizations, by seat.
    pub civilizations: ArrayVec<Civilization, { HUMANS_MAX as usize }>,
}

impl Setup {
    /// How many parties there are, 2 to 4.
    pub fn parties(&self) -> u8 {
        self.humans + u8::from(self.automa.is_some())
    }
}

/// What a photograph of the table shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Public {
    /// What the table was set up with.
    pub setup: Setup,
    /// The round, from 1; 0 before the first.
    pub round: u8,
    /// What happens next.
    pub stage: Stage,
    /// Tiles and cubes on the main board.
    pub board: Board,
    /// Tiles left in the stacks of parsec 1, 2 and 3.
    pub tile_stacks: [u8; 3],
    /// The AI cards on offer, by position; `None` for a gap.
    pub ai_row: [Option<Card>; ROW],
    /// AI cards left in the deck.
    pub ai_deck: u8,
    /// The lowest cards of the AI deck as far as they are known, the lowest last: those that the
    /// Automa has put there.
    pub ai_bottom: ArrayVec<Card, { Card::AI as usize }>,
    /// Dark Tech cards left in the stacks of level 1 and 2.
    pub dark_tech: [u8; 2],
    /// The backs of the light bonus deck from the top: a dark card that was returned is
    /// recognizable.
    pub bonus_deck: ArrayVec<Back, { Bonus::COUNT as usize }>,
    /// What each party has on the table, by party.
    pub parties: ArrayVec<PartyBoard, { PARTIES_MAX as usize }>,
    /// The turn order: who has order tile 1, 2, and so on.
    pub order: ArrayVec<Party, { PARTIES_MAX as usize }>,
    /// Who sits on the throne: the first that reached level 3.
    pub throne: Option<Party>,
    /// Levels reached whose events are still to be processed, the earliest first (7).
    pub level_ups: ArrayVec<LevelUp, 12>,
    /// The back of a bonus card that was drawn by who holds four already, and waits for his choice
    /// (5.6).
    pub bonus_drawn: Option<Back>,
    /// The Automa card of the round.
    pub automa_card: Option<AutomaCard>,
    /// Automa cards that have been used since the last shuffle.
    pub automa_used: Set<AutomaCard>,
    /// The choices of planning, by seat, with `open_planning`; empty without.
    pub plans: SeatMap<Plan>,
    /// Seats that have left the game: somebody plays on for them, but they rank last and don't win.
    pub left: SeatSet,
}

/// What one party has on the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartyBoard {
    /// Its people.
    pub civilization: Civilization,
    /// The energy marker, from 0.
    pub energy: u16,
    /// The consumption marker, from 20.
    pub consumption: u16,
    /// The level, from 0.
    pub level: u8,
    /// Cubes that are neither on the main board nor on the player board.
    pub supply: u8,
    /// The consumption total of the latest round.
    pub total: i16,
    /// Gems. The Automa has none.
    pub gems: Gems,
    /// Cards in hand, as they were before planning. Public, because all cards are bought openly.
    pub hand: Set<Card>,
    /// Action slots from left to right. The Automa has none.
    pub slots: ArrayVec<Slot, { SLOTS_MAX as usize }>,
    /// Upgrades on the player board.
    pub upgrades: Set<Upgrade>,
    /// Dark Tech cards taken; those of the Automa have no effect.
    pub dark_tech: Set<DarkTech>,
    /// The leader.
    pub leader: Option<Leader>,
    /// Where the station of each kind has been placed.
    pub stations: [Option<Galaxy>; Station::COUNT as usize],
    /// Light bonus cards held.
    pub light_bonus: u8,
    /// Dark bonus cards held.
    pub dark_bonus: u8,
}

/// An action slot with its stack of cards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Where it comes from.
    pub field: Field,
    /// The cards from bottom to top. Only the top card counts.
    pub stack: ArrayVec<Card, { SLOTS_MAX as usize }>,
}

impl Slot {
    /// A slot without a card.
    pub fn empty(field: Field) -> Self {
        Self {
            field,
            stack: ArrayVec::new(),
        }
    }

    /// The visible card.
    #[inline]
    pub fn top(&self) -> Option<Card> {
        self.stack.last().copied()
    }
}

/// The choices of planning that a seat has made so far, slot by slot: the card laid, or `None`
/// where the slot was kept.
pub type Plan = ArrayVec<Option<Card>, { SLOTS_MAX as usize }>;

/// Where in the game, or in the round, the table stands (5).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stage {
    /// LEADERS: the humans pick, in reverse order of the order tiles.
    Drafting {
        /// The leaders that are left.
        leaders: Set<Leader>,
        /// The place in the turn order of who picks, from 0.
        nth: u8,
    },
    /// BUY (5.1).
    Buying {
        /// The place in the turn order of who buys, from 0.
        nth: u8,
        /// Purchases made in this buy turn.
        purchases: u8,
    },
    /// PLAN (5.2): all humans at the same time.
    Planning {
        /// Those that are done.
        done: SeatSet,
    },
    /// ACT (a): a human carries out cards (5.4).
    Acting {
        /// The place in the turn order of who acts, from 0.
        nth: u8,
        /// What he is at.
        work: Work,
    },
    /// ACT (c): a human scores galaxies (5.6).
    Scoring {
        /// The place in the turn order of who scores, from 0.
        nth: u8,
        /// What he has scored in this round.
        scored: Set<Galaxy>,
        /// Whether he has scored without removing a cube in this round.
        held_fast: bool,
    },
    /// DT: the first of the levels reached is processed (7).
    Events {
        /// The phase that has ended.
        after: Phase,
        /// What the human that reached it decides.
        task: EventTask,
    },
    /// Nobody decides any more.
    Over(Ending),
}

/// A phase of the round after which levels reached are processed (7).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// Phase 1.
    Buy,
    /// Phase 2b.
    Consume,
    /// Phase 3.
    Act,
}

/// What a human that has reached a level decides (7, 8).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EventTask {
    /// He picks a Dark Tech card of the level.
    Pick,
    /// dt2_colonial_wave: he places cubes.
    Wave {
        /// How many he may still place.
        left: u8,
    },
    /// dt2_archive: he decides on a bonus card that was drawn.
    Archive {
        /// How many draws are to follow.
        left: u8,
    },
}

/// What an acting human is at (5.4).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Work {
    /// The slot, from 1.
    pub slot: u8,
    /// Whether this is the second turn of the card that dt2_overclock gives.
    pub overclocked: bool,
    /// The place of the step on the card, from 0.
    pub step: u8,
    /// What is left of the step.
    pub task: StepTask,
}

/// What is left of a step (5.5).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepTask {
    /// Which step of the card to carry out.
    Choose,
    /// Placing cubes one by one.
    Settle {
        /// How many may still be placed.
        left: u8,
    },
    /// Placing two cubes on one planet.
    Found,
    /// Taking yields.
    Mine {
        /// How many takes are left.
        left: u8,
        /// Where a take has been made in this step.
        taken: ArrayVec<Space, 5>,
    },
    /// Exploring: which stack.
    Explore,
    /// Exploring: which of the drawn tiles goes where.
    PlaceTile {
        /// The parsec of the stack.
        parsec: u8,
        /// How many tiles were drawn.
        drawn: u8,
    },
    /// Exploring: a colony on the new tile, or its yield.
    Claim {
        /// Where the new tile lies.
        space: Space,
    },
    /// Taking gems.
    Gems(Gems),
    /// Making gems more valuable.
    Improve {
        /// How many steps are left.
        left: u8,
    },
}

/// A level reached, with all that its event needs (7).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LevelUp {
    /// Who.
    pub party: Party,
    /// The new level.
    pub level: u8,
    /// The levels of all parties right after it.
    pub levels: [u8; PARTIES_MAX as usize],
}

/// How the game ended (14).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Who won.
    pub outcome: Outcome,
    /// Why it ended.
    pub reason: EndReason,
    /// All parties, the best first; equals by party.
    pub standings: ArrayVec<Standing, { PARTIES_MAX as usize }>,
    /// The bonus cards that each human revealed, by seat.
    pub bonus: SeatMap<ArrayVec<Bonus, HELD_MAX>>,
}

/// Why the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EndReason {
    /// Somebody has taken the throne.
    Throne,
    /// The last round that the option `max_rounds` allows is over.
    MaxRounds,
    /// All humans have left.
    Left,
}

/// What counts for the rank of a party (14).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// Who.
    pub party: Party,
    /// The rank, from 1; equals share one.
    pub rank: u8,
    /// The level.
    pub level: u8,
    /// The energy.
    pub energy: u16,
    /// Cubes on the main board.
    pub cubes: u8,
    /// Upgrades on the player board.
    pub upgrades: u8,
}

/// What one seat holds and remembers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Private {
    /// The choices of planning so far; always empty with `open_planning` and outside PLAN.
    pub plan: Plan,
    /// The bonus cards held, the oldest first.
    pub bonus: ArrayVec<Bonus, HELD_MAX>,
    /// A fifth bonus card that waits for the seat's choice.
    pub bonus_drawn: Option<Bonus>,
    /// The tiles drawn while exploring.
    pub tiles: ArrayVec<Tile, DRAWN_MAX>,
    /// The cards that are left in the Dark Tech stacks of level 1 and 2, if the seat has seen them.
    pub dark_tech: [Option<Set<DarkTech>>; 2],
    /// Cards and tiles that the seat has seen and can follow.
    pub memory: Memory,
}

/// What nobody sees. All lists begin at the top.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hidden {
    /// The stacks of tiles of parsec 1, 2 and 3.
    pub tile_stacks: [ArrayVec<Tile, STACK_MAX>; 3],
    /// The deck of AI cards.
    pub ai_deck: ArrayVec<Card, { Card::AI as usize }>,
    /// The Dark Tech stacks of level 1 and 2.
    pub dark_tech: [ArrayVec<DarkTech, 8>; 2],
    /// The light bonus deck.
    pub bonus_deck: ArrayVec<Bonus, { Bonus::COUNT as usize }>,
    /// The Automa's deck.
    pub automa_deck: ArrayVec<AutomaCard, { AutomaCard::COUNT as usize }>,
}

/// The decision that a seat owes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Decision {
    /// LEADERS: a leader.
    ChooseLeader,
    /// BUY: a purchase, or the end of the buy turn.
    Buy,
    /// PLAN: what happens to a slot, from 1.
    Plan {
        /// The slot.
        slot: u8,
    },
    /// ACT (a): the open step.
    Step,
    /// ACT (c): a galaxy to score, or the end of scoring.
    Score,
    /// Which of five bonus cards goes under the deck.
    BonusLimit,
    /// DT: a Dark Tech card.
    DarkTech,
    /// DT: where a cube of dt2_colonial_wave goes.
    Wave,
}

impl Public {
    /// All parties, ascending.
    pub fn all_parties(&self) -> impl DoubleEndedIterator<Item = Party> + Clone + use<> {
        (0..self.setup.parties()).map(Party)
    }

    /// What a party has on the table. A party that there isn't has what the last one has.
    #[inline]
    pub fn party(&self, party: Party) -> &PartyBoard {
        let last = self.parties.len().saturating_sub(1);
        &self.parties[usize::from(party.0).min(last)]
    }

    #[inline]
    pub(super) fn party_mut(&mut self, party: Party) -> &mut PartyBoard {
        let last = self.parties.len().saturating_sub(1);
        &mut self.parties[usize::from(party.0).min(last)]
    }

    /// The seat of a party; `None` for the Automa.
    #[inline]
    pub fn seat_of(&self, party: Party) -> Option<Seat> {
        (party.0 < self.setup.humans).then_some(Seat(party.0))
    }

    /// All seats.
    pub fn seats(&self) -> SeatSet {
        SeatSet::first(self.setup.humans)
    }

    /// Who has this place in the turn order, from 0.
    pub fn in_order(&self, nth: u8) -> Option<Party> {
        self.order.get(usize::from(nth)).copied()
    }

    /// The galaxies in play, ascending.
    pub fn galaxies(&self) -> impl Iterator<Item = Galaxy> + Clone + use<> {
        let parties = self.setup.parties();
        Galaxy::all().filter(move |galaxy| galaxy.in_play(parties))
    }

    /// The free spaces of a parsec, ascending.
    pub fn free_spaces(&self, parsec: u8) -> impl Iterator<Item = Space> + use<'_> {
        self.galaxies()
            .filter(move |galaxy| galaxy.parsec() == parsec)
            .flat_map(Galaxy::spaces)
            .filter(|&space| self.board.system(space).is_none())
    }

    /// The party whose decision is next, in a stage in which one decides alone.
    pub(super) fn acting_party(&self) -> Option<Party> {
        match &self.stage {
            Stage::Drafting { nth, .. }
            | Stage::Buying { nth, .. }
            | Stage::Acting { nth, .. }
            | Stage::Scoring { nth, .. } => self.in_order(*nth),
            Stage::Events { .. } => self.level_ups.first().map(|level_up| level_up.party),
            Stage::Planning { .. } | Stage::Over(_) => None,
        }
    }
}

impl PartyBoard {
    /// Whether the party has this Dark Tech card.
    #[inline]
    pub fn has(&self, card: DarkTech) -> bool {
        self.dark_tech.contains(card)
    }

    /// How many bonus cards the party holds.
    pub fn bonus_held(&self) -> u8 {
        self.light_bonus + self.dark_bonus
    }

    /// How many of the bonus cards held have this back.
    pub fn bonus_count(&mut self, back: Back) -> &mut u8 {
        match back {
            Back::Light => &mut self.light_bonus,
            Back::Dark => &mut self.dark_bonus,
        }
    }

    /// All own AI cards, in hand or on the board, also covered ones.
    pub fn ai_cards(&self) -> u32 {
        let on_slots = self.slots.iter().flat_map(|slot| &slot.stack).copied();
        let cards = self.hand.iter().chain(on_slots);
        cards.filter(|card| card.is_ai()).count() as u32
    }
}

impl CouncilOfShadows {
    /// What nobody sees: for the whole truth of a finished game.
    pub const fn hidden(&self) -> &Hidden {
        &self.hidden
    }

    /// A human's private part. Seats that the table doesn't have never act.
    #[inline]
    pub(super) fn private_mut(&mut self, seat: Seat) -> Option<&mut Private> {
        self.private.get_mut(seat)
    }
}
