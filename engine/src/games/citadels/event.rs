//! What happens at the table. A fact that not all may know is told twice: with it to those who may, without it to the others.

use super::action::Site;
use super::cards::Cards;
use super::character::{Character, Characters};
use super::district::District;
use super::state::TurnKind;
use crate::seat::{Seat, SeatSet};

/// Something that has happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// The characters and bonus districts of the game are settled.
    SetChosen {
        /// The characters of the set, by rank.
        characters: Characters,
        /// The bonus districts in the deck.
        bonus_districts: Cards,
    },
    /// A player has the crown as the game begins.
    FirstCrown {
        /// Who.
        seat: Seat,
    },
    /// A round has begun.
    RoundStarted {
        /// Its number, from 1.
        round: u8,
        /// Who has the crown, and picks first.
        crown: Seat,
    },
    /// A character card lies face up.
    FaceUp {
        /// Which.
        character: Character,
    },
    /// A character of rank 4 was drawn for a face-up place and went back.
    Rank4Returned {
        /// Which.
        character: Character,
    },
    /// Character cards have come to a picker.
    CharactersPassed {
        /// Who.
        seat: Seat,
        /// How many he looks at.
        cards: u8,
        /// Which, by rank; told to him alone.
        seen: Option<Characters>,
        /// Which of these is the first face-down card, if he looks at that; told to him alone.
        face_down: Option<Character>,
    },
    /// The picker has taken one.
    CharacterPicked {
        /// Who.
        seat: Seat,
        /// Which; told to him alone.
        character: Option<Character>,
    },
    /// The picker has laid one face down.
    CharacterDiscarded {
        /// Who.
        seat: Seat,
        /// Which; told to him alone.
        character: Option<Character>,
    },
    /// A character card was laid face down at random, unseen.
    RandomDiscard,
    /// A character is called.
    Called {
        /// Which.
        character: Character,
    },
    /// Nobody answers the call.
    NoAnswer {
        /// Which.
        character: Character,
    },
    /// A character card is shown.
    Revealed {
        /// Who holds it.
        seat: Seat,
        /// Which.
        character: Character,
    },
    /// A turn, or a part of one, has begun.
    TurnStarted {
        /// Who acts.
        seat: Seat,
        /// As whom.
        character: Character,
        /// Of which kind it is.
        kind: TurnKind,
    },
    /// The crown has changed hands.
    CrownMoved {
        /// Who had it.
        from: Seat,
        /// Who has it.
        to: Seat,
    },
    /// The owner of the Ball Room was thanked.
    Thanked {
        /// By whom.
        seat: Seat,
    },
    /// The owner of the Ball Room wasn't thanked: the turn is over, without an action and without the effects of an ended turn.
    StayedSilent {
        /// By whom.
        seat: Seat,
    },
    /// The murdered character is shown and takes an action.
    HospitalUsed {
        /// Who holds it.
        seat: Seat,
    },
    /// The owner of the Hospital doesn't show the murdered character.
    HospitalDeclined {
        /// Who was asked.
        seat: Seat,
    },
    /// Gold has come from the bank.
    GoldGained {
        /// To whom.
        seat: Seat,
        /// How much.
        gold: u16,
        /// Why.
        reason: GoldReason,
    },
    /// Gold has gone to the bank.
    GoldPaid {
        /// By whom.
        seat: Seat,
        /// How much.
        gold: u16,
        /// Why.
        reason: GoldReason,
    },
    /// Gold has gone from player to player.
    GoldMoved {
        /// Who had it.
        from: Seat,
        /// Who has it.
        to: Seat,
        /// How much.
        gold: u16,
        /// Why.
        reason: GoldReason,
    },
    /// The Artist's gold has gone from a district to the bank.
    GoldReturned {
        /// How much.
        gold: u16,
    },
    /// Neither gold nor cards were to be had: no action.
    NothingToTake {
        /// For whom.
        seat: Seat,
    },
    /// Cards have come from the deck into a hand.
    CardsDrawn {
        /// Whose.
        seat: Seat,
        /// How many.
        count: u8,
        /// Why.
        reason: DrawReason,
        /// Which; told to their owner alone.
        cards: Option<Cards>,
    },
    /// Cards from the deck are looked at; some will be kept.
    CardsLookedAt {
        /// By whom.
        seat: Seat,
        /// How many.
        count: u8,
        /// Which, in the order drawn; told to him alone.
        cards: Option<[Option<District>; 3]>,
    },
    /// One of them is kept.
    CardKept {
        /// By whom.
        seat: Seat,
        /// Which; told to him alone.
        card: Option<District>,
    },
    /// A card has gone under the deck.
    CardPutUnder {
        /// By whom.
        seat: Seat,
        /// Which; told to him alone.
        card: Option<District>,
        /// Why.
        reason: UnderReason,
    },
    /// The cards that were under the Museum have gone under the deck.
    MuseumEmptied {
        /// How many.
        count: u8,
    },
    /// The Assassin has named a character.
    Murdered {
        /// Which.
        character: Character,
    },
    /// The Thief has named a character.
    RobberyAnnounced {
        /// Which.
        character: Character,
    },
    /// The Witch has named a character.
    Bewitched {
        /// Which.
        character: Character,
    },
    /// The Magician has swapped hands.
    HandsSwapped {
        /// The Magician's player.
        seat: Seat,
        /// With whom.
        with: Seat,
    },
    /// The hand that the swap has brought; told to its new owner alone.
    HandReceived {
        /// Who.
        seat: Seat,
        /// Which cards.
        cards: Cards,
    },
    /// The Magician is going to put cards under the deck and to draw as many.
    RedrawStarted {
        /// The Magician's player.
        seat: Seat,
    },
    /// The Wizard looks at a hand.
    HandLookedAt {
        /// The Wizard's player.
        seat: Seat,
        /// Whose hand.
        player: Seat,
        /// What is in it; told to the Wizard alone.
        cards: Option<Cards>,
    },
    /// A card has gone from hand to hand.
    CardMoved {
        /// From whom.
        from: Seat,
        /// To whom.
        to: Seat,
        /// Which; told to these two alone.
        card: Option<District>,
        /// Why.
        reason: CardReason,
    },
    /// A district was built.
    Built {
        /// By whom.
        seat: Seat,
        /// Which.
        district: District,
        /// What he paid.
        gold: u16,
        /// Whether it was the Wizard's, at once and outside the limit.
        wizard: bool,
    },
    /// The Artist has laid a gold on a district: it leaves the stash, but doesn't go to the bank.
    Beautified {
        /// Whose it is.
        seat: Seat,
        /// Which.
        district: District,
    },
    /// A district has left a city.
    Destroyed {
        /// By whose doing.
        by: Seat,
        /// Whose city.
        seat: Seat,
        /// Which.
        site: Site,
        /// How.
        reason: DestroyReason,
    },
    /// The Diplomat has exchanged districts.
    Exchanged {
        /// The Diplomat's player.
        seat: Seat,
        /// With whom.
        with: Seat,
        /// What he got.
        taken: Site,
        /// What he gave.
        given: Site,
    },
    /// A card has gone under the Museum.
    StoredInMuseum {
        /// By whom.
        seat: Seat,
        /// Which; told to him alone.
        card: Option<District>,
    },
    /// The builder of the Lighthouse looks through the deck.
    LighthouseLook {
        /// Who.
        seat: Seat,
        /// What is in it; told to him alone.
        cards: Option<Cards>,
    },
    /// He has taken a card, or none.
    LighthouseTaken {
        /// Who.
        seat: Seat,
        /// Whether he took one.
        taken: bool,
        /// Which; told to him alone.
        card: Option<District>,
    },
    /// The deck was shuffled.
    DeckShuffled {
        /// How many cards it has.
        cards: u8,
    },
    /// The bell is rung: cities are complete with fewer districts.
    BellRung {
        /// By whom.
        seat: Seat,
    },
    /// The bell is not rung.
    BellSilent {
        /// By whom.
        seat: Seat,
    },
    /// A destroyed district has come into the hand of the Graveyard's owner.
    Rescued {
        /// Who.
        seat: Seat,
        /// Which.
        district: District,
    },
    /// It hasn't: it has gone under the deck.
    NotRescued {
        /// Who was asked.
        seat: Seat,
        /// Which.
        district: District,
    },
    /// A city is complete: this round is the last.
    EndTriggered {
        /// Whose was complete first.
        first_complete: Seat,
        /// Districts in a complete city, from now on.
        districts: u8,
    },
    /// A turn is over.
    TurnEnded {
        /// Whose.
        seat: Seat,
    },
    /// A round is over.
    RoundEnded {
        /// Its number.
        round: u8,
    },
    /// A player has left: the seat is played on, but can't win.
    SeatLeft {
        /// Who.
        seat: Seat,
    },
    /// The game is over; the points stand in the table.
    GameEnded {
        /// Who has won.
        winners: SeatSet,
    },
}

/// Why gold moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GoldReason {
    /// The action.
    TakeGold,
    /// Income.
    Income,
    /// The Merchant's extra gold.
    Merchant,
    /// The Navigator's choice.
    Navigator,
    /// The Thief's robbery.
    Robbery,
    /// A district was built.
    Build,
    /// The Warlord's price.
    Destroy,
    /// The Diplomat pays the difference.
    Exchange,
    /// For the crown.
    Emperor,
    /// To the Tax Collector.
    Tax,
    /// To the Abbot.
    Tithe,
    /// The Queen sits beside rank 4.
    Queen,
    /// The Alchemist gets back what he paid for building.
    Refund,
    /// For a card.
    Laboratory,
    /// For three cards.
    Smithy,
    /// For a destroyed district.
    Graveyard,
    /// An empty stash at the end of the turn.
    PoorHouse,
    /// The crown has changed hands.
    ThroneRoom,
}

/// Why cards are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DrawReason {
    /// The first hand.
    Deal,
    /// The action, with nothing to choose.
    Action,
    /// The Architect's extra cards.
    Architect,
    /// The Navigator's choice.
    Navigator,
    /// As many as the Magician put under the deck.
    Redraw,
    /// For gold.
    Smithy,
    /// An empty hand at the end of the turn.
    Park,
}

/// Why a card goes under the deck.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnderReason {
    /// Looked at and not kept.
    Rejected,
    /// Put there by the Magician.
    Redraw,
    /// For gold.
    Laboratory,
}

/// Why a card goes from hand to hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CardReason {
    /// Taken by the Wizard.
    Wizard,
    /// Paid for the crown.
    Emperor,
}

/// How a district leaves a city.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DestroyReason {
    /// Destroyed by the Warlord.
    Warlord,
    /// Destroyed by the Armory.
    Armory,
    /// The Armory, which destroys itself.
    ArmoryItself,
}
