//! What happens at the table, in the words in which a player would tell it. All of it is public,
//! unless it says otherwise.

use arrayvec::ArrayVec;

use super::components::{
    AutomaCard, Back, Bonus, Card, DarkTech, Galaxy, Gem, Gems, Leader, Set, Space, Station, Tile,
    Upgrade,
};
use super::state::{DRAWN_MAX, EndReason, PARTIES_MAX, Party, Plan};
use crate::seat::{Seat, SeatSet};

/// Something that has happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// The order tiles lie like this: who has tile 1, 2, and so on.
    TurnOrder {
        /// The parties in turn order.
        order: ArrayVec<Party, { PARTIES_MAX as usize }>,
    },
    /// A human has a leader.
    LeaderTaken {
        /// Who.
        seat: Seat,
        /// Which.
        leader: Leader,
    },
    /// A round has begun.
    RoundStarted {
        /// Its number, from 1.
        round: u8,
    },
    /// A party has gained gems.
    GemsGained {
        /// Who.
        party: Party,
        /// Which.
        gems: Gems,
    },
    /// A party has gained energy.
    EnergyGained {
        /// Who.
        party: Party,
        /// How much.
        energy: u16,
    },
    /// A human has bought an AI card.
    AiBought {
        /// Who.
        seat: Seat,
        /// From which position, 1 to 8.
        row: u8,
        /// Which.
        card: Card,
        /// What he paid.
        paid: Gems,
    },
    /// A position of the row has been filled, or stays a gap.
    RowRefilled {
        /// Which position, 1 to 8.
        row: u8,
        /// The new card.
        card: Option<Card>,
    },
    /// A human has bought an upgrade.
    UpgradeBought {
        /// Who.
        seat: Seat,
        /// Which.
        upgrade: Upgrade,
        /// What he paid.
        paid: Gems,
    },
    /// A human has bought a station and placed it.
    StationBought {
        /// Who.
        seat: Seat,
        /// Which.
        station: Station,
        /// Where it stands.
        galaxy: Galaxy,
        /// What he paid.
        paid: Gems,
    },
    /// The used Automa cards have been shuffled.
    AutomaShuffled,
    /// The Automa has drawn its card of the round.
    AutomaDrew {
        /// Which.
        card: AutomaCard,
    },
    /// The Automa has put an AI card under the deck.
    MarketCleared {
        /// From which position, 1 to 8.
        row: u8,
        /// Which.
        card: Card,
    },
    /// A human has decided on a slot. Told to him alone, with `open_planning` to all.
    Planned {
        /// Who.
        seat: Seat,
        /// Which slot, from 1.
        slot: u8,
        /// The card laid; `None` if the slot is kept.
        card: Option<Card>,
    },
    /// A human is done with planning.
    PlanDone {
        /// Who.
        seat: Seat,
    },
    /// A plan has been revealed.
    PlanRevealed {
        /// Whose.
        seat: Seat,
        /// What was laid on the slots from left to right; `None` where a slot was kept.
        plan: Plan,
    },
    /// A consumption marker has moved.
    Consumed {
        /// Whose.
        party: Party,
        /// The total of this round.
        total: i16,
        /// Where the marker stands.
        consumption: u16,
    },
    /// Cubes have been placed on a planet.
    CubesPlaced {
        /// Whose.
        party: Party,
        /// In which system.
        space: Space,
        /// On which planet, from 0.
        planet: u8,
        /// How many.
        cubes: u8,
    },
    /// The yield of a system has been taken.
    Taken {
        /// By whom.
        party: Party,
        /// Which system.
        space: Space,
    },
    /// Tiles have been drawn.
    TilesDrawn {
        /// By whom.
        party: Party,
        /// From the stack of which parsec.
        parsec: u8,
        /// How many.
        count: u8,
    },
    /// The tiles that were drawn. Told to the explorer alone.
    TilesSeen {
        /// Which.
        tiles: ArrayVec<Tile, DRAWN_MAX>,
    },
    /// A tile has been placed.
    TilePlaced {
        /// By whom.
        party: Party,
        /// Which.
        tile: Tile,
        /// Where.
        space: Space,
    },
    /// A drawn tile has gone face down under its stack.
    TileReturned {
        /// By whom.
        party: Party,
        /// Of which parsec.
        parsec: u8,
    },
    /// The drawn tiles have gone back on top of their stack, because the game is broken off.
    TilesPutBack {
        /// By whom.
        party: Party,
        /// Of which parsec.
        parsec: u8,
        /// How many.
        count: u8,
    },
    /// A gem has been made more valuable.
    Improved {
        /// By whom.
        seat: Seat,
        /// What it was.
        from: Gem,
    },
    /// The stacks of a human have moved one slot to the right.
    Shifted {
        /// Whose.
        seat: Seat,
        /// The cards that came back to the hand.
        returned: Set<Card>,
    },
    /// A galaxy has been scored. The energy is told after it.
    Scored {
        /// By whom.
        party: Party,
        /// Which.
        galaxy: Galaxy,
        /// Whether at the high value.
        high: bool,
        /// The system and the planet of the cube that was removed; `None` with dt2_holdfast.
        removed: Option<(Space, u8)>,
    },
    /// A bonus card has been drawn, or dealt.
    BonusDrawn {
        /// By whom.
        seat: Seat,
        /// Its back.
        back: Back,
    },
    /// The bonus card that was drawn or dealt. Told to its owner alone.
    BonusSeen {
        /// Which.
        card: Bonus,
    },
    /// A fifth bonus card has been kept, another one has gone under the deck.
    BonusKept {
        /// By whom.
        seat: Seat,
        /// The back of the card that went under the deck.
        returned: Back,
    },
    /// A fifth bonus card has gone under the deck.
    BonusDeclined {
        /// By whom.
        seat: Seat,
        /// Its back.
        back: Back,
    },
    /// A party has reached a level.
    LevelReached {
        /// Who.
        party: Party,
        /// Which.
        level: u8,
    },
    /// What is left in a Dark Tech stack. Told alone to the human that picks.
    DarkTechSeen {
        /// The level of the stack, 1 or 2.
        level: u8,
        /// The cards in it.
        cards: Set<DarkTech>,
    },
    /// A Dark Tech card has been taken. The Automa's has no effect.
    DarkTechTaken {
        /// By whom.
        party: Party,
        /// Which.
        card: DarkTech,
    },
    /// A party has taken the throne: the game ends with this round.
    ThroneTaken {
        /// Who.
        party: Party,
    },
    /// Final scoring of a party has begun. Its energy for gems and AI cards is told after it.
    FinalScoring {
        /// Who.
        party: Party,
    },
    /// A bonus card has been revealed. Its energy is told after it, if it gives any.
    BonusRevealed {
        /// Whose.
        seat: Seat,
        /// Which.
        card: Bonus,
    },
    /// A seat has left the game: somebody plays on for it, but it ranks last.
    SeatLeft {
        /// Which.
        seat: Seat,
    },
    /// The game is over.
    GameOver {
        /// Who has won; nobody if the Automa has.
        winners: SeatSet,
        /// Why it ended.
        reason: EndReason,
    },
}
