//! What is told of a game, and to whom (section 13). A private fact is told in two parts: that it
//! happened to all, what it was to who may know.

use super::area::{Area, Slot};
use super::card::{Card, Deck, Equipment, HermitCard, SingleUse};
use super::character::Character;
use super::state::{EndReason, HermitAnswer};
use crate::seat::{Seat, SeatSet};

/// Something that has happened. Told to all, unless it says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    /// The table is set up.
    GameStarted {
        /// Who has the first turn.
        start_player: Seat,
    },
    /// Told to the seat alone: its character.
    CharacterDealt {
        /// The seat.
        seat: Seat,
        /// Its character.
        character: Character,
    },
    /// A turn begins.
    TurnStarted {
        /// Whose.
        seat: Seat,
        /// How many have begun, this one included.
        turn: u16,
    },
    /// A turn is over.
    TurnEnded {
        /// Whose.
        seat: Seat,
    },
    /// A character is revealed: chosen, forced, by death, or at the end of the game.
    Revealed {
        /// Whose.
        seat: Seat,
        /// Which.
        character: Character,
    },
    /// A special ability is used.
    AbilityUsed {
        /// By whom.
        seat: Seat,
        /// On whom, if on somebody.
        target: Option<Seat>,
    },
    /// Dice are rolled.
    DiceRolled {
        /// By whom.
        seat: Seat,
        /// The six-sided die, if rolled.
        d6: Option<u8>,
        /// The four-sided die, if rolled.
        d4: Option<u8>,
    },
    /// A player moved.
    Moved {
        /// Who.
        seat: Seat,
        /// To which area.
        area: Area,
        /// The slot of that area.
        slot: Slot,
    },
    /// A White or Black card was drawn, face up.
    CardDrawn {
        /// By whom.
        seat: Seat,
        /// Which.
        card: Card,
    },
    /// A Hermit card was drawn.
    HermitDrawn {
        /// By whom.
        seat: Seat,
    },
    /// A Hermit card was given, or went on in the opening.
    HermitGiven {
        /// By whom.
        giver: Seat,
        /// To whom.
        receiver: Seat,
    },
    /// Told to who drew or received the Hermit card: which it is.
    HermitSeen {
        /// The seat that sees it.
        seat: Seat,
        /// The card.
        card: HermitCard,
    },
    /// A Hermit card was answered.
    HermitAnswered {
        /// Who had given it.
        giver: Seat,
        /// Who answered.
        receiver: Seat,
        /// What came of it.
        answer: HermitAnswer,
    },
    /// Told to the giver of Prediction alone: whom he sees.
    IdentityShown {
        /// Whose character card.
        seat: Seat,
        /// Which it is.
        character: Character,
    },
    /// A discard pile was shuffled and is the draw pile now.
    Reshuffled {
        /// Of which deck.
        deck: Deck,
    },
    /// Equipment came to a player.
    EquipmentGained {
        /// Who owns it now.
        seat: Seat,
        /// Which.
        card: Equipment,
        /// Who owned it before, if somebody did.
        from: Option<Seat>,
    },
    /// A White or Black card went to its discard pile.
    Discarded {
        /// Which.
        card: Card,
    },
    /// Damage was given.
    Damaged {
        /// To whom.
        seat: Seat,
        /// By what.
        source: DamageSource,
        /// How much; 0 if it was prevented.
        amount: u8,
        /// The damage that the character now has.
        damage: u8,
    },
    /// Damage was healed.
    Healed {
        /// Whose.
        seat: Seat,
        /// How much.
        amount: u8,
        /// The damage that the character now has.
        damage: u8,
    },
    /// Damage was set to a number.
    DamageSet {
        /// Whose.
        seat: Seat,
        /// The damage that the character now has.
        damage: u8,
    },
    /// An attack was declared.
    AttackDeclared {
        /// Who attacks.
        attacker: Seat,
        /// Whom.
        targets: SeatSet,
        /// Whether it is the Werewolf's counterattack.
        counter: bool,
    },
    /// The dice were equal: the attack failed.
    AttackFailed {
        /// Who attacked.
        attacker: Seat,
    },
    /// A character died. Who it was is told by `Revealed`, unless it was known.
    Died {
        /// Whose.
        seat: Seat,
    },
    /// A seat was left for good; it is played on by proxy.
    Resigned {
        /// The seat.
        seat: Seat,
    },
    /// The game is over.
    GameOver {
        /// Who won.
        winners: SeatSet,
        /// Why it ended.
        reason: EndReason,
    },
}

/// What gave damage.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DamageSource {
    /// An attack or counterattack.
    Attack,
    /// A White or Black card.
    Card(SingleUse),
    /// The Weird Woods.
    WeirdWoods,
    /// A Hermit card; which one is not told.
    Hermit,
    /// A character's ability: Lightning, Demolish, Murder Ray, the cost of Bloody Feast.
    Ability(Character),
}
