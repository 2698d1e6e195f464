//! What a player can do (section 6), and the numbers of it.

use std::fmt;

use super::character::Character;
use super::district::District;
use crate::action::{ActionId, Block};
use crate::seat::{SEATS_MAX, Seat};

/// One answer to a decision: the names and fields of section 6, in its order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// D1: the picker takes this card.
    PickCharacter {
        /// Which.
        character: Character,
    },
    /// D2: with two players, the picker lays this card face down.
    DiscardCharacter {
        /// Which.
        character: Character,
    },
    /// D3: the owner of the Hospital shows the murdered character and takes an action.
    HospitalUse,
    /// D3: he doesn't.
    HospitalDecline,
    /// D4: the called player thanks the owner of the Ball Room.
    SayThanks,
    /// D4: he doesn't, and loses the turn.
    StaySilent,
    /// D5, D17: the Emperor moves the crown.
    GiveCrown {
        /// To whom.
        player: Seat,
    },
    /// D6: the new holder of the crown pays gold for it.
    PayEmperorGold,
    /// D6: he pays with this card from his hand.
    PayEmperorCard {
        /// Which.
        card: District,
    },
    /// The action: gold from the bank.
    TakeGold,
    /// The action: cards from the deck.
    DrawCards,
    /// The action, where neither gold nor cards are to be had.
    NoAction,
    /// D8: this card in view is kept.
    KeepCard {
        /// Which.
        card: District,
    },
    /// D9: the Navigator receives gold.
    NavigatorGold,
    /// D9: the Navigator draws cards.
    NavigatorCards,
    /// D10: the Witch names a character.
    Bewitch {
        /// Which.
        character: Character,
    },
    /// Gold for the districts of the character's color.
    CollectIncome,
    /// A district is built from the hand.
    Build {
        /// Which.
        card: District,
    },
    /// The Assassin names a character.
    Murder {
        /// Which.
        character: Character,
    },
    /// The Thief names a character.
    Rob {
        /// Which.
        character: Character,
    },
    /// The Magician swaps hands with this player.
    MagicianSwap {
        /// With whom.
        player: Seat,
    },
    /// The Magician is going to put cards under the deck and to draw as many.
    MagicianRedraw,
    /// D11: this card goes under the deck.
    MarkCard {
        /// Which.
        card: District,
    },
    /// D11: enough cards are under the deck; as many are drawn.
    RedrawDone,
    /// The Wizard looks at this player's hand.
    WizardLook {
        /// Whose.
        player: Seat,
    },
    /// D12: he takes this card.
    WizardTake {
        /// Which.
        card: District,
    },
    /// D13: he keeps it.
    WizardKeep,
    /// D13: he pays for it and builds it at once.
    WizardBuild,
    /// The richest player gives the Abbot gold.
    AbbotTithe,
    /// The Queen receives gold for sitting beside rank 4.
    QueenGold,
    /// The Artist lays gold on a district of this id that has none yet.
    Beautify {
        /// Which.
        district: District,
    },
    /// Laboratory: this card for gold.
    UseLaboratory {
        /// Which.
        card: District,
    },
    /// Museum: this card goes under it.
    UseMuseum {
        /// Which.
        card: District,
    },
    /// Smithy: gold for cards.
    UseSmithy,
    /// Armory: it and a district of another player go.
    UseArmory {
        /// Whose.
        player: Seat,
        /// Which of his districts.
        site: Site,
    },
    /// The Warlord destroys a district.
    WarlordDestroy {
        /// Whose.
        player: Seat,
        /// Which of his districts.
        site: Site,
    },
    /// The Diplomat takes a district of another player.
    DiplomatTake {
        /// Whose.
        player: Seat,
        /// Which of his districts.
        site: Site,
    },
    /// D18: and gives this one of his own for it.
    DiplomatGive {
        /// Which of his own.
        site: Site,
    },
    /// D14: the builder takes this card out of the deck.
    LighthouseTake {
        /// Which.
        card: District,
    },
    /// D14: he takes none.
    LighthouseDecline,
    /// D15: the builder rings: cities are complete with fewer districts.
    BellTowerRing,
    /// D15: he doesn't.
    BellTowerSilent,
    /// D16: the Graveyard's owner pays and takes the destroyed district into his hand.
    GraveyardTake,
    /// D16: he doesn't.
    GraveyardDecline,
    /// The turn is over.
    EndTurn,
}

/// A district in a city. Two of one id differ in nothing but the Artist's gold; of several alike, the one built first is meant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    /// Which district.
    pub district: District,
    /// Whether the Artist's gold lies on it.
    pub beautified: bool,
}

impl Site {
    /// How many there are: each district plain and beautified.
    pub const COUNT: u32 = 2 * DISTRICTS;

    const fn index(self) -> u32 {
        2 * self.district.index() as u32 + self.beautified as u32
    }

    fn from_index(index: u32) -> Option<Self> {
        Some(Self {
            district: district(index / 2)?,
            beautified: index % 2 == 1,
        })
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let beautified = if self.beautified { "beautified " } else { "" };
        write!(f, "{beautified}{}", self.district.name())
    }
}

const CHARACTERS: u32 = Character::COUNT as u32;
const DISTRICTS: u32 = District::COUNT as u32;
const PLAYERS: u32 = SEATS_MAX as u32;
const SITES: u32 = Site::COUNT;

// One block for each action, in the order of section 6. New blocks are appended; numbers never change.
const PICK_CHARACTER: Block = Block::first(CHARACTERS);
const DISCARD_CHARACTER: Block = PICK_CHARACTER.then(CHARACTERS);
const HOSPITAL_USE: Block = DISCARD_CHARACTER.then(1);
const HOSPITAL_DECLINE: Block = HOSPITAL_USE.then(1);
const SAY_THANKS: Block = HOSPITAL_DECLINE.then(1);
const STAY_SILENT: Block = SAY_THANKS.then(1);
const GIVE_CROWN: Block = STAY_SILENT.then(PLAYERS);
const PAY_EMPEROR_GOLD: Block = GIVE_CROWN.then(1);
const PAY_EMPEROR_CARD: Block = PAY_EMPEROR_GOLD.then(DISTRICTS);
const TAKE_GOLD: Block = PAY_EMPEROR_CARD.then(1);
const DRAW_CARDS: Block = TAKE_GOLD.then(1);
const NO_ACTION: Block = DRAW_CARDS.then(1);
const KEEP_CARD: Block = NO_ACTION.then(DISTRICTS);
const NAVIGATOR_GOLD: Block = KEEP_CARD.then(1);
const NAVIGATOR_CARDS: Block = NAVIGATOR_GOLD.then(1);
const BEWITCH: Block = NAVIGATOR_CARDS.then(CHARACTERS);
const COLLECT_INCOME: Block = BEWITCH.then(1);
const BUILD: Block = COLLECT_INCOME.then(DISTRICTS);
const MURDER: Block = BUILD.then(CHARACTERS);
const ROB: Block = MURDER.then(CHARACTERS);
const MAGICIAN_SWAP: Block = ROB.then(PLAYERS);
const MAGICIAN_REDRAW: Block = MAGICIAN_SWAP.then(1);
const MARK_CARD: Block = MAGICIAN_REDRAW.then(DISTRICTS);
const REDRAW_DONE: Block = MARK_CARD.then(1);
const WIZARD_LOOK: Block = REDRAW_DONE.then(PLAYERS);
const WIZARD_TAKE: Block = WIZARD_LOOK.then(DISTRICTS);
const WIZARD_KEEP: Block = WIZARD_TAKE.then(1);
const WIZARD_BUILD: Block = WIZARD_KEEP.then(1);
const ABBOT_TITHE: Block = WIZARD_BUILD.then(1);
const QUEEN_GOLD: Block = ABBOT_TITHE.then(1);
const BEAUTIFY: Block = QUEEN_GOLD.then(DISTRICTS);
const USE_LABORATORY: Block = BEAUTIFY.then(DISTRICTS);
const USE_MUSEUM: Block = USE_LABORATORY.then(DISTRICTS);
const USE_SMITHY: Block = USE_MUSEUM.then(1);
const USE_ARMORY: Block = USE_SMITHY.then(PLAYERS * SITES);
const WARLORD_DESTROY: Block = USE_ARMORY.then(PLAYERS * SITES);
const DIPLOMAT_TAKE: Block = WARLORD_DESTROY.then(PLAYERS * SITES);
const DIPLOMAT_GIVE: Block = DIPLOMAT_TAKE.then(SITES);
const LIGHTHOUSE_TAKE: Block = DIPLOMAT_GIVE.then(DISTRICTS);
const LIGHTHOUSE_DECLINE: Block = LIGHTHOUSE_TAKE.then(1);
const BELL_TOWER_RING: Block = LIGHTHOUSE_DECLINE.then(1);
const BELL_TOWER_SILENT: Block = BELL_TOWER_RING.then(1);
const GRAVEYARD_TAKE: Block = BELL_TOWER_SILENT.then(1);
const GRAVEYARD_DECLINE: Block = GRAVEYARD_TAKE.then(1);
const END_TURN: Block = GRAVEYARD_DECLINE.then(1);

/// How many action ids there are.
pub(super) const ACTION_SPACE: u32 = END_TURN.end();

/// The action's number: where its block begins, and in the block the number of the character, card, district or player; of a player's
/// district, player * 84 + district * 2 + 1 if it is beautified.
pub(super) const fn encode(action: Action) -> ActionId {
    match action {
        Action::PickCharacter { character } => PICK_CHARACTER.id(character.index() as u32),
        Action::DiscardCharacter { character } => DISCARD_CHARACTER.id(character.index() as u32),
        Action::HospitalUse => HOSPITAL_USE.id(0),
        Action::HospitalDecline => HOSPITAL_DECLINE.id(0),
        Action::SayThanks => SAY_THANKS.id(0),
        Action::StaySilent => STAY_SILENT.id(0),
        Action::GiveCrown { player } => GIVE_CROWN.id(player.0 as u32),
        Action::PayEmperorGold => PAY_EMPEROR_GOLD.id(0),
        Action::PayEmperorCard { card } => PAY_EMPEROR_CARD.id(card.index() as u32),
        Action::TakeGold => TAKE_GOLD.id(0),
        Action::DrawCards => DRAW_CARDS.id(0),
        Action::NoAction => NO_ACTION.id(0),
        Action::KeepCard { card } => KEEP_CARD.id(card.index() as u32),
        Action::NavigatorGold => NAVIGATOR_GOLD.id(0),
        Action::NavigatorCards => NAVIGATOR_CARDS.id(0),
        Action::Bewitch { character } => BEWITCH.id(character.index() as u32),
        Action::CollectIncome => COLLECT_INCOME.id(0),
        Action::Build { card } => BUILD.id(card.index() as u32),
        Action::Murder { character } => MURDER.id(character.index() as u32),
        Action::Rob { character } => ROB.id(character.index() as u32),
        Action::MagicianSwap { player } => MAGICIAN_SWAP.id(player.0 as u32),
        Action::MagicianRedraw => MAGICIAN_REDRAW.id(0),
        Action::MarkCard { card } => MARK_CARD.id(card.index() as u32),
        Action::RedrawDone => REDRAW_DONE.id(0),
        Action::WizardLook { player } => WIZARD_LOOK.id(player.0 as u32),
        Action::WizardTake { card } => WIZARD_TAKE.id(card.index() as u32),
        Action::WizardKeep => WIZARD_KEEP.id(0),
        Action::WizardBuild => WIZARD_BUILD.id(0),
        Action::AbbotTithe => ABBOT_TITHE.id(0),
        Action::QueenGold => QUEEN_GOLD.id(0),
        Action::Beautify { district } => BEAUTIFY.id(district.index() as u32),
        Action::UseLaboratory { card } => USE_LABORATORY.id(card.index() as u32),
        Action::UseMuseum { card } => USE_MUSEUM.id(card.index() as u32),
        Action::UseSmithy => USE_SMITHY.id(0),
        Action::UseArmory { player, site } => USE_ARMORY.id(player.0 as u32 * SITES + site.index()),
        Action::WarlordDestroy { player, site } => {
            WARLORD_DESTROY.id(player.0 as u32 * SITES + site.index())
        }
        Action::DiplomatTake { player, site } => {
            DIPLOMAT_TAKE.id(player.0 as u32 * SITES + site.index())
        }
        Action::DiplomatGive { site } => DIPLOMAT_GIVE.id(site.index()),
        Action::LighthouseTake { card } => LIGHTHOUSE_TAKE.id(card.index() as u32),
        Action::LighthouseDecline => LIGHTHOUSE_DECLINE.id(0),
        Action::BellTowerRing => BELL_TOWER_RING.id(0),
        Action::BellTowerSilent => BELL_TOWER_SILENT.id(0),
        Action::GraveyardTake => GRAVEYARD_TAKE.id(0),
        Action::GraveyardDecline => GRAVEYARD_DECLINE.id(0),
        Action::EndTurn => END_TURN.id(0),
    }
}

/// The action of this number; `None` from [`ACTION_SPACE`] on.
pub(super) fn decode(id: ActionId) -> Option<Action> {
    if let Some(at) = PICK_CHARACTER.offset(id) {
        return Some(Action::PickCharacter {
            character: character(at)?,
        });
    }
    if let Some(at) = DISCARD_CHARACTER.offset(id) {
        return Some(Action::DiscardCharacter {
            character: character(at)?,
        });
    }
    if HOSPITAL_USE.offset(id).is_some() {
        return Some(Action::HospitalUse);
    }
    if HOSPITAL_DECLINE.offset(id).is_some() {
        return Some(Action::HospitalDecline);
    }
    if SAY_THANKS.offset(id).is_some() {
        return Some(Action::SayThanks);
    }
    if STAY_SILENT.offset(id).is_some() {
        return Some(Action::StaySilent);
    }
    if let Some(at) = GIVE_CROWN.offset(id) {
        return Some(Action::GiveCrown {
            player: player(at)?,
        });
    }
    if PAY_EMPEROR_GOLD.offset(id).is_some() {
        return Some(Action::PayEmperorGold);
    }
    if let Some(at) = PAY_EMPEROR_CARD.offset(id) {
        return Some(Action::PayEmperorCard {
            card: district(at)?,
        });
    }
    if TAKE_GOLD.offset(id).is_some() {
        return Some(Action::TakeGold);
    }
    if DRAW_CARDS.offset(id).is_some() {
        return Some(Action::DrawCards);
    }
    if NO_ACTION.offset(id).is_some() {
        return Some(Action::NoAction);
    }
    if let Some(at) = KEEP_CARD.offset(id) {
        return Some(Action::KeepCard {
            card: district(at)?,
        });
    }
    if NAVIGATOR_GOLD.offset(id).is_some() {
        return Some(Action::NavigatorGold);
    }
    if NAVIGATOR_CARDS.offset(id).is_some() {
        return Some(Action::NavigatorCards);
    }
    if let Some(at) = BEWITCH.offset(id) {
        return Some(Action::Bewitch {
            character: character(at)?,
        });
    }
    if COLLECT_INCOME.offset(id).is_some() {
        return Some(Action::CollectIncome);
    }
    if let Some(at) = BUILD.offset(id) {
        return Some(Action::Build {
            card: district(at)?,
        });
    }
    if let Some(at) = MURDER.offset(id) {
        return Some(Action::Murder {
            character: character(at)?,
        });
    }
    if let Some(at) = ROB.offset(id) {
        return Some(Action::Rob {
            character: character(at)?,
        });
    }
    if let Some(at) = MAGICIAN_SWAP.offset(id) {
        return Some(Action::MagicianSwap {
            player: player(at)?,
        });
    }
    if MAGICIAN_REDRAW.offset(id).is_some() {
        return Some(Action::MagicianRedraw);
    }
    if let Some(at) = MARK_CARD.offset(id) {
        return Some(Action::MarkCard {
            card: district(at)?,
        });
    }
    if REDRAW_DONE.offset(id).is_some() {
        return Some(Action::RedrawDone);
    }
    if let Some(at) = WIZARD_LOOK.offset(id) {
        return Some(Action::WizardLook {
            player: player(at)?,
        });
    }
    if let Some(at) = WIZARD_TAKE.offset(id) {
        return Some(Action::WizardTake {
            card: district(at)?,
        });
    }
    if WIZARD_KEEP.offset(id).is_some() {
        return Some(Action::WizardKeep);
    }
    if WIZARD_BUILD.offset(id).is_some() {
        return Some(Action::WizardBuild);
    }
    if ABBOT_TITHE.offset(id).is_some() {
        return Some(Action::AbbotTithe);
    }
    if QUEEN_GOLD.offset(id).is_some() {
        return Some(Action::QueenGold);
    }
    if let Some(at) = BEAUTIFY.offset(id) {
        return Some(Action::Beautify {
            district: district(at)?,
        });
    }
    if let Some(at) = USE_LABORATORY.offset(id) {
        return Some(Action::UseLaboratory {
            card: district(at)?,
        });
    }
    if let Some(at) = USE_MUSEUM.offset(id) {
        return Some(Action::UseMuseum {
            card: district(at)?,
        });
    }
    if USE_SMITHY.offset(id).is_some() {
        return Some(Action::UseSmithy);
    }
    if let Some(at) = USE_ARMORY.offset(id) {
        return Some(Action::UseArmory {
            player: player(at / SITES)?,
            site: Site::from_index(at % SITES)?,
        });
    }
    if let Some(at) = WARLORD_DESTROY.offset(id) {
        return Some(Action::WarlordDestroy {
            player: player(at / SITES)?,
            site: Site::from_index(at % SITES)?,
        });
    }
    if let Some(at) = DIPLOMAT_TAKE.offset(id) {
        return Some(Action::DiplomatTake {
            player: player(at / SITES)?,
            site: Site::from_index(at % SITES)?,
        });
    }
    if let Some(at) = DIPLOMAT_GIVE.offset(id) {
        return Some(Action::DiplomatGive {
            site: Site::from_index(at)?,
        });
    }
    if let Some(at) = LIGHTHOUSE_TAKE.offset(id) {
        return Some(Action::LighthouseTake {
            card: district(at)?,
        });
    }
    if LIGHTHOUSE_DECLINE.offset(id).is_some() {
        return Some(Action::LighthouseDecline);
    }
    if BELL_TOWER_RING.offset(id).is_some() {
        return Some(Action::BellTowerRing);
    }
    if BELL_TOWER_SILENT.offset(id).is_some() {
        return Some(Action::BellTowerSilent);
    }
    if GRAVEYARD_TAKE.offset(id).is_some() {
        return Some(Action::GraveyardTake);
    }
    if GRAVEYARD_DECLINE.offset(id).is_some() {
        return Some(Action::GraveyardDecline);
    }
    if END_TURN.offset(id).is_some() {
        return Some(Action::EndTurn);
    }
    None
}

fn character(index: u32) -> Option<Character> {
    Character::from_index(u8::try_from(index).ok()?)
}

fn district(index: u32) -> Option<District> {
    District::from_index(u8::try_from(index).ok()?)
}

fn player(index: u32) -> Option<Seat> {
    (index < PLAYERS)
        .then(|| u8::try_from(index).ok().map(Seat))
        .flatten()
}
