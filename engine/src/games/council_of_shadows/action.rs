//! What a player can do (6), and the numbers of it.

use super::components::{
    Card, DarkTech, Galaxy, Gem, Leader, Numbered, PLANETS_MAX, Payment, Space, Station, Tile,
    Upgrade,
};
use super::state::{HELD_MAX, ROW, SLOTS_MAX};
use crate::action::{ActionId, Block};

/// One answer to a decision. Slots and positions of the row count from 1, planets, steps and cards
/// held from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// LEADERS: picks a leader.
    ChooseLeader {
        /// Which.
        leader: Leader,
    },
    /// BUY: buys an AI card.
    BuyAi {
        /// Its position in the row, 1 to 8.
        row: u8,
        /// What is paid.
        pay: Payment,
    },
    /// BUY: buys an upgrade.
    BuyUpgrade {
        /// Which.
        upgrade: Upgrade,
        /// What is paid.
        pay: Payment,
    },
    /// BUY: buys a station and places it.
    BuyStation {
        /// Which.
        station: Station,
        /// Where it is placed.
        galaxy: Galaxy,
        /// What is paid.
        pay: Payment,
    },
    /// BUY: ends the buy turn.
    EndBuy,
    /// PLAN: lays a card on a slot.
    PlanPlace {
        /// The slot, 1 to 5.
        slot: u8,
        /// The card, from the hand.
        card: Card,
    },
    /// PLAN: leaves a slot as it is.
    PlanKeep {
        /// The slot, 1 to 5.
        slot: u8,
    },
    /// ACT, DT: places one cube.
    PlaceCube {
        /// The system.
        space: Space,
        /// The planet, from 0.
        planet: u8,
    },
    /// ACT: places two cubes.
    FoundColony {
        /// The system.
        space: Space,
        /// The planet, from 0.
        planet: u8,
    },
    /// ACT: takes the yield of a system.
    Take {
        /// The system.
        space: Space,
    },
    /// ACT: explores a stack of tiles.
    ExploreStack {
        /// Its parsec, 1 to 3.
        parsec: u8,
    },
    /// ACT: places one of the drawn tiles.
    ExplorePlace {
        /// The tile.
        tile: Tile,
        /// Where.
        space: Space,
    },
    /// ACT: places a cube on the tile just explored.
    ExploreColony {
        /// The planet, from 0.
        planet: u8,
    },
    /// ACT: takes the yield of the tile just explored.
    ExploreYield,
    /// ACT: makes one gem more valuable.
    Improve {
        /// Anthracite or golden.
        from: Gem,
    },
    /// ACT: takes the gems.
    Accept,
    /// ACT: picks one of the steps of a card.
    ChooseStep {
        /// Its place on the card, from 0.
        index: u8,
    },
    /// ACT, DT: does no more of the open step.
    Skip,
    /// ACT: scores the galaxy of a cube, which is removed.
    Score {
        /// The system of the cube.
        space: Space,
        /// Its planet, from 0.
        planet: u8,
    },
    /// ACT: scores a galaxy without removing a cube.
    ScoreKeep {
        /// Which.
        galaxy: Galaxy,
    },
    /// ACT: ends scoring.
    EndScoring,
    /// ACT, DT: keeps the fifth bonus card and returns an older one.
    BonusKeep {
        /// The place of the card that goes under the deck, from 0, the oldest.
        return_index: u8,
    },
    /// ACT, DT: puts the fifth bonus card under the deck.
    BonusDecline,
    /// DT: picks a Dark Tech card.
    DarkTech {
        /// Which.
        card: DarkTech,
    },
}

const fn count<T: Numbered>() -> u32 {
    T::COUNT as u32
}

const SPACES: u32 = count::<Space>();
const PAYMENTS: u32 = count::<Payment>();
const PLANETS: u32 = PLANETS_MAX as u32;
const GALAXIES: u32 = count::<Galaxy>();
/// How many steps a card has at most.
const STEPS: u32 = 2;

// New blocks are appended; numbers never change.
const CHOOSE_LEADER: Block = Block::first(count::<Leader>());
const BUY_AI: Block = CHOOSE_LEADER.then(ROW as u32 * PAYMENTS);
const BUY_UPGRADE: Block = BUY_AI.then(count::<Upgrade>() * PAYMENTS);
const BUY_STATION: Block = BUY_UPGRADE.then(count::<Station>() * GALAXIES * PAYMENTS);
const END_BUY: Block = BUY_STATION.then(1);
const PLAN_PLACE: Block = END_BUY.then(SLOTS_MAX as u32 * count::<Card>());
const PLAN_KEEP: Block = PLAN_PLACE.then(SLOTS_MAX as u32);
const PLACE_CUBE: Block = PLAN_KEEP.then(SPACES * PLANETS);
const FOUND_COLONY: Block = PLACE_CUBE.then(SPACES * PLANETS);
const TAKE: Block = FOUND_COLONY.then(SPACES);
const EXPLORE_STACK: Block = TAKE.then(3);
const EXPLORE_PLACE: Block = EXPLORE_STACK.then(count::<Tile>() * SPACES);
const EXPLORE_COLONY: Block = EXPLORE_PLACE.then(PLANETS);
const EXPLORE_YIELD: Block = EXPLORE_COLONY.then(1);
const IMPROVE: Block = EXPLORE_YIELD.then(2);
const ACCEPT: Block = IMPROVE.then(1);
const CHOOSE_STEP: Block = ACCEPT.then(STEPS);
const SKIP: Block = CHOOSE_STEP.then(1);
const SCORE: Block = SKIP.then(SPACES * PLANETS);
const SCORE_KEEP: Block = SCORE.then(GALAXIES);
const END_SCORING: Block = SCORE_KEEP.then(1);
const BONUS_KEEP: Block = END_SCORING.then(HELD_MAX as u32);
const BONUS_DECLINE: Block = BONUS_KEEP.then(1);
const DARK_TECH: Block = BONUS_DECLINE.then(count::<DarkTech>());

/// How many action ids there are.
pub(super) const ACTION_SPACE: u32 = DARK_TECH.end();

fn number<T: Numbered>(thing: T) -> u32 {
    thing.index().into()
}

fn on_planet(space: Space, planet: u8) -> u32 {
    number(space) * PLANETS + u32::from(planet)
}

/// The action's number.
pub(super) fn encode(action: Action) -> ActionId {
    match action {
        Action::ChooseLeader { leader } => CHOOSE_LEADER.id(number(leader)),
        Action::BuyAi { row, pay } => BUY_AI.id(u32::from(row - 1) * PAYMENTS + number(pay)),
        Action::BuyUpgrade { upgrade, pay } => {
            BUY_UPGRADE.id(number(upgrade) * PAYMENTS + number(pay))
        }
        Action::BuyStation {
            station,
            galaxy,
            pay,
        } => BUY_STATION.id((number(station) * GALAXIES + number(galaxy)) * PAYMENTS + number(pay)),
        Action::EndBuy => END_BUY.id(0),
        Action::PlanPlace { slot, card } => {
            PLAN_PLACE.id(u32::from(slot - 1) * count::<Card>() + number(card))
        }
        Action::PlanKeep { slot } => PLAN_KEEP.id(u32::from(slot - 1)),
        Action::PlaceCube { space, planet } => PLACE_CUBE.id(on_planet(space, planet)),
        Action::FoundColony { space, planet } => FOUND_COLONY.id(on_planet(space, planet)),
        Action::Take { space } => TAKE.id(number(space)),
        Action::ExploreStack { parsec } => EXPLORE_STACK.id(u32::from(parsec - 1)),
        Action::ExplorePlace { tile, space } => {
            EXPLORE_PLACE.id(number(tile) * SPACES + number(space))
        }
        Action::ExploreColony { planet } => EXPLORE_COLONY.id(planet.into()),
        Action::ExploreYield => EXPLORE_YIELD.id(0),
        Action::Improve { from } => IMPROVE.id(from as u32),
        Action::Accept => ACCEPT.id(0),
        Action::ChooseStep { index } => CHOOSE_STEP.id(index.into()),
        Action::Skip => SKIP.id(0),
        Action::Score { space, planet } => SCORE.id(on_planet(space, planet)),
        Action::ScoreKeep { galaxy } => SCORE_KEEP.id(number(galaxy)),
        Action::EndScoring => END_SCORING.id(0),
        Action::BonusKeep { return_index } => BONUS_KEEP.id(return_index.into()),
        Action::BonusDecline => BONUS_DECLINE.id(0),
        Action::DarkTech { card } => DARK_TECH.id(number(card)),
    }
}

/// The thing of this number.
fn thing<T: Numbered>(number: u32) -> Option<T> {
    T::from_index(u8::try_from(number).ok()?)
}

fn small(number: u32) -> Option<u8> {
    u8::try_from(number).ok()
}

fn space_and_planet(offset: u32) -> Option<(Space, u8)> {
    Some((thing(offset / PLANETS)?, small(offset % PLANETS)?))
}

/// The action of this number; `None` from [`ACTION_SPACE`] on.
pub(super) fn decode(id: ActionId) -> Option<Action> {
    decode_purchase(id)
        .or_else(|| decode_plan(id))
        .or_else(|| decode_step(id))
        .or_else(|| decode_score(id))
}

fn decode_purchase(id: ActionId) -> Option<Action> {
    if let Some(offset) = CHOOSE_LEADER.offset(id) {
        let leader = thing(offset)?;
        return Some(Action::ChooseLeader { leader });
    }
    if let Some(offset) = BUY_AI.offset(id) {
        let row = small(offset / PAYMENTS)? + 1;
        let pay = thing(offset % PAYMENTS)?;
        return Some(Action::BuyAi { row, pay });
    }
    if let Some(offset) = BUY_UPGRADE.offset(id) {
        let upgrade = thing(offset / PAYMENTS)?;
        let pay = thing(offset % PAYMENTS)?;
        return Some(Action::BuyUpgrade { upgrade, pay });
    }
    if let Some(offset) = BUY_STATION.offset(id) {
        let station = thing(offset / PAYMENTS / GALAXIES)?;
        let galaxy = thing(offset / PAYMENTS % GALAXIES)?;
        let pay = thing(offset % PAYMENTS)?;
        return Some(Action::BuyStation {
            station,
            galaxy,
            pay,
        });
    }
    END_BUY.offset(id).map(|_| Action::EndBuy)
}

fn decode_plan(id: ActionId) -> Option<Action> {
    if let Some(offset) = PLAN_PLACE.offset(id) {
        let slot = small(offset / count::<Card>())? + 1;
        let card = thing(offset % count::<Card>())?;
        return Some(Action::PlanPlace { slot, card });
    }
    let slot = small(PLAN_KEEP.offset(id)?)? + 1;
    Some(Action::PlanKeep { slot })
}

fn decode_step(id: ActionId) -> Option<Action> {
    if let Some(offset) = PLACE_CUBE.offset(id) {
        let (space, planet) = space_and_planet(offset)?;
        return Some(Action::PlaceCube { space, planet });
    }
    if let Some(offset) = FOUND_COLONY.offset(id) {
        let (space, planet) = space_and_planet(offset)?;
        return Some(Action::FoundColony { space, planet });
    }
    if let Some(offset) = TAKE.offset(id) {
        let space = thing(offset)?;
        return Some(Action::Take { space });
    }
    if let Some(offset) = EXPLORE_STACK.offset(id) {
        let parsec = small(offset)? + 1;
        return Some(Action::ExploreStack { parsec });
    }
    if let Some(offset) = EXPLORE_PLACE.offset(id) {
        let tile = thing(offset / SPACES)?;
        let space = thing(offset % SPACES)?;
        return Some(Action::ExplorePlace { tile, space });
    }
    if let Some(offset) = EXPLORE_COLONY.offset(id) {
        let planet = small(offset)?;
        return Some(Action::ExploreColony { planet });
    }
    if EXPLORE_YIELD.offset(id).is_some() {
        return Some(Action::ExploreYield);
    }
    if let Some(offset) = IMPROVE.offset(id) {
        let from = if offset == 0 {
            Gem::Anthracite
        } else {
            Gem::Golden
        };
        return Some(Action::Improve { from });
    }
    if ACCEPT.offset(id).is_some() {
        return Some(Action::Accept);
    }
    if let Some(offset) = CHOOSE_STEP.offset(id) {
        let index = small(offset)?;
        return Some(Action::ChooseStep { index });
    }
    SKIP.offset(id).map(|_| Action::Skip)
}

fn decode_score(id: ActionId) -> Option<Action> {
    if let Some(offset) = SCORE.offset(id) {
        let (space, planet) = space_and_planet(offset)?;
        return Some(Action::Score { space, planet });
    }
    if let Some(offset) = SCORE_KEEP.offset(id) {
        let galaxy = thing(offset)?;
        return Some(Action::ScoreKeep { galaxy });
    }
    if END_SCORING.offset(id).is_some() {
        return Some(Action::EndScoring);
    }
    if let Some(offset) = BONUS_KEEP.offset(id) {
        let return_index = small(offset)?;
        return Some(Action::BonusKeep { return_index });
    }
    if BONUS_DECLINE.offset(id).is_some() {
        return Some(Action::BonusDecline);
    }
    let card = thing(DARK_TECH.offset(id)?)?;
    Some(Action::DarkTech { card })
}
