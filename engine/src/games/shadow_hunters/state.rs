//! The state of a table: what everybody sees, what each seat knows, and what nobody knows (sections
//! 3 and 13).

use arrayvec::ArrayVec;

use super::area::{Area, Areas, Slot};
use super::card::{Card, Color, Equipment, HermitCard, SingleUse};
use super::character::{Character, Characters, Faction};
use super::frame::{Ask, Frame, Question};
use super::options::{ExpansionCharacters, Options};
use super::tables::Allocation;
use crate::outcome::Outcome;
use crate::seat::{SEATS_MAX, Seat, SeatSet};

/// A row of equipment in front of a player, in the order in which it came.
pub type Row = ArrayVec<Equipment, { Equipment::COUNT as usize }>;
/// A pile of White or Black cards, from bottom to top.
pub type Pile = ArrayVec<Card, 16>;
/// A pile of Hermit cards, from bottom to top.
pub type HermitPile = ArrayVec<HermitCard, 16>;

/// A table of Shadow Hunters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShadowHunters {
    pub(super) public: Public,
    pub(super) privates: ArrayVec<Private, { SEATS_MAX as usize }>,
    pub(super) hidden: Hidden,
}

/// What a photograph of the table shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Public {
    /// What the table was set up with.
    pub options: Options,
    /// The area on each slot.
    pub areas: [Area; Slot::COUNT as usize],
    /// By seat.
    pub players: ArrayVec<Player, { SEATS_MAX as usize }>,
    /// Whose turn it is; in the opening the start player.
    pub active: Seat,
    /// How many turns have begun; 0 in the opening.
    pub turn: u16,
    /// White cards left to draw.
    pub white_draw: u8,
    /// Black cards left to draw.
    pub black_draw: u8,
    /// Hermit cards left to draw.
    pub hermit_draw: u8,
    /// White cards played, face up, from bottom to top.
    pub white_discard: Pile,
    /// Black cards played, face up, from bottom to top.
    pub black_discard: Pile,
    /// Hermit cards played, face down: how many.
    pub hermit_discard: u8,
    /// How often the Hermit discard pile has become the draw pile again.
    pub hermit_shuffles: u16,
    /// A single-use card whose effect is being resolved, face up.
    pub in_play: Option<SingleUse>,
    /// What is going on, the outermost first. After the end: what was going on.
    pub stack: ArrayVec<Frame, 8>,
    /// The end, once reached.
    pub ending: Option<Ending>,
}

/// A player as everybody sees him.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    /// The character, if it is revealed.
    pub character: Option<Character>,
    /// Whether he is alive.
    pub alive: bool,
    /// Damage points: less than the hit points of the living, but while [`Question::SuckBlood`] is
    /// open and nobody has died of the attack yet.
    pub damage: u8,
    /// Where he stands; `None` before his first move and after his death.
    pub slot: Option<Slot>,
    /// The equipment in front of him.
    pub equipment: Row,
    /// Whether a once-only ability is used up.
    pub ability_used: bool,
    /// Whether an ability of each turn is used up in this one.
    pub ability_used_this_turn: bool,
    /// Whether Ellen has voided the ability.
    pub ability_void: bool,
    /// Guardian Angel: no damage from attacks.
    pub guardian: bool,
    /// Ghostly Barrier: no damage at all.
    pub barrier: bool,
    /// Turns to come after this one.
    pub extra_turns: u8,
    /// Agnes looks to her left.
    pub capriccio: bool,
    /// Whether he was among the first who died.
    pub died_first: bool,
    /// Whether he has left the game: his seat is played on, and he can't win.
    pub resigned: bool,
}

/// How the game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Who won.
    pub outcome: Outcome,
    /// Why it ended.
    pub reason: EndReason,
}

/// Why the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EndReason {
    /// Somebody's win condition held (section 12).
    Won,
    /// As many turns were completed as the options allow.
    TurnLimit,
}

/// What one seat knows besides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Private {
    /// Its character.
    pub character: Character,
    /// The Hermit card that it has drawn or received and that is not yet answered.
    pub hermit: Option<HermitCard>,
    /// Hermit cards it has given, received or seen, with the answers, the oldest first.
    pub memory: Vec<HermitMemory>,
    /// Whose character it was shown by Prediction, by seat.
    pub identities: [Option<Character>; SEATS_MAX as usize],
}

/// A Hermit card that a seat remembers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HermitMemory {
    /// The turn in which it was given; 0 in the opening.
    pub turn: u16,
    /// Who gave it.
    pub giver: Seat,
    /// Who answered it.
    pub receiver: Seat,
    /// Which it was.
    pub card: HermitCard,
    /// The answer.
    pub answer: HermitAnswer,
    /// How many times the Hermit pile had been shuffled anew when it was discarded.
    pub shuffle: u16,
    /// Its place in the discard pile, from the bottom.
    pub place: u8,
}

/// The answer to a Hermit card.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HermitAnswer {
    /// Nothing happened.
    Nothing,
    /// Took the damage.
    TakeDamage,
    /// Healed.
    Heal,
    /// Gave equipment to the giver.
    Give(Equipment),
    /// Showed the character card to the giver.
    Show,
}

/// What nobody knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hidden {
    /// White cards to draw, the next one last.
    pub(super) white: Pile,
    /// Black cards to draw, the next one last.
    pub(super) black: Pile,
    /// Hermit cards to draw, the next one last.
    pub(super) hermit: HermitPile,
    /// Hermit cards played, face down, from bottom to top.
    pub(super) hermit_discard: HermitPile,
}

impl Player {
    /// Before the first turn.
    pub(super) fn new() -> Self {
        Self {
            character: None,
            alive: true,
            damage: 0,
            slot: None,
            equipment: Row::new(),
            ability_used: false,
            ability_used_this_turn: false,
            ability_void: false,
            guardian: false,
            barrier: false,
            extra_turns: 0,
            capriccio: false,
            died_first: false,
            resigned: false,
        }
    }

    /// Whether he owns the card.
    pub fn owns(&self, card: Equipment) -> bool {
        self.equipment.contains(&card)
    }

    /// Whether his character is not yet revealed.
    pub fn is_hidden(&self) -> bool {
        self.character.is_none()
    }

    /// Whether he is revealed as this one.
    pub fn is_revealed_as(&self, character: Character) -> bool {
        self.character == Some(character)
    }

    /// Whether he is revealed as a member of this faction.
    pub fn is_revealed_in(&self, faction: Faction) -> bool {
        self.character
            .is_some_and(|character| character.faction() == faction)
    }
}

impl Private {
    pub(super) fn new(character: Character) -> Self {
        Self {
            character,
            hermit: None,
            memory: Vec::new(),
            identities: [None; SEATS_MAX as usize],
        }
    }
}

impl Public {
    /// How many seats the table has.
    pub fn seats(&self) -> u8 {
        // At most 8.
        self.players.len() as u8
    }

    /// The player at this seat of the table.
    pub fn player(&self, seat: Seat) -> &Player {
        &self.players[usize::from(seat.0)]
    }

    pub(super) fn player_mut(&mut self, seat: Seat) -> &mut Player {
        &mut self.players[usize::from(seat.0)]
    }

    /// All seats in seat order from this one (5).
    pub fn seats_from(&self, first: Seat) -> impl Iterator<Item = Seat> + use<> {
        let seats = self.seats();
        (0..seats).map(move |step| Seat((first.0 + step) % seats))
    }

    /// The next seat clockwise.
    pub fn left_of(&self, seat: Seat) -> Seat {
        Seat((seat.0 + 1) % self.seats())
    }

    /// The seat before.
    pub fn right_of(&self, seat: Seat) -> Seat {
        Seat((seat.0 + self.seats() - 1) % self.seats())
    }

    /// Who is alive.
    pub fn living(&self) -> SeatSet {
        (0..)
            .map(Seat)
            .zip(&self.players)
            .filter(|(_, player)| player.alive)
            .map(|(seat, _)| seat)
            .collect()
    }

    /// Who is alive and not this one: the "other characters".
    pub fn others(&self, seat: Seat) -> SeatSet {
        self.living().without(seat)
    }

    /// How many are dead.
    pub fn dead(&self) -> u8 {
        self.seats() - self.living().len() as u8
    }

    /// Who of these stands in one of these areas.
    pub fn standing(&self, seats: SeatSet, areas: Areas) -> SeatSet {
        seats
            .iter()
            .filter(|&seat| self.area_of(seat).is_some_and(|area| areas.contains(area)))
            .collect()
    }

    /// The area where the player stands, if on the board.
    pub fn area_of(&self, seat: Seat) -> Option<Area> {
        let slot = self.player(seat).slot?;
        Some(self.area_at(slot))
    }

    /// The area on this slot.
    pub fn area_at(&self, slot: Slot) -> Area {
        self.areas[usize::from(slot.number())]
    }

    /// The slot of this area.
    pub fn slot_of(&self, area: Area) -> Option<Slot> {
        Slot::all().find(|&slot| self.area_at(slot) == area)
    }

    /// The equipment of others that the seat could take, with its owners.
    pub fn equipment_of_others(&self, seat: Seat) -> impl Iterator<Item = (Seat, Equipment)> + '_ {
        self.others(seat).iter().flat_map(|owner| {
            self.player(owner)
                .equipment
                .iter()
                .map(move |&card| (owner, card))
        })
    }

    /// The equipment in the White and Black discard piles.
    pub fn discarded_equipment(&self) -> impl Iterator<Item = Equipment> + '_ {
        self.white_discard
            .iter()
            .chain(&self.black_discard)
            .filter_map(|card| card.equipment())
    }

    /// A discard pile.
    pub fn discard(&self, color: Color) -> &Pile {
        match color {
            Color::White => &self.white_discard,
            Color::Black => &self.black_discard,
        }
    }

    pub(super) fn discard_mut(&mut self, color: Color) -> &mut Pile {
        match color {
            Color::White => &mut self.white_discard,
            Color::Black => &mut self.black_discard,
        }
    }

    /// The question that is open, if any.
    pub fn asked(&self) -> Option<Ask> {
        match self.stack.last() {
            Some(Frame::Ask(ask)) if self.ending.is_none() => Some(*ask),
            _ => None,
        }
    }

    /// Whether special abilities exist and this player's is not void.
    pub fn has_ability(&self, seat: Seat) -> bool {
        self.options.special_abilities && !self.player(seat).ability_void
    }

    /// The open characters (5): those that a hidden player could be, as far as everybody knows.
    pub fn open_characters(&self) -> Characters {
        let shown: Characters = self
            .players
            .iter()
            .filter_map(|player| player.character)
            .collect();
        let allocation = Allocation::of(self.seats());
        let full = |faction: Faction| {
            let public = shown.iter().filter(|shown| shown.faction() == faction);
            public.count() >= usize::from(allocation.count(faction))
        };
        let full = Faction::ALL.map(full);
        let one_per_initial =
            self.options.expansion_characters == ExpansionCharacters::OnePerInitial;
        let twin_shown = |character: Character| {
            let initial = character.facts().initial;
            one_per_initial && shown.iter().any(|shown| shown.facts().initial == initial)
        };
        Characters::pool(&self.options)
            .iter()
            .filter(|&character| {
                !shown.contains(character)
                    && !full[character.faction() as usize]
                    && !twin_shown(character)
            })
            .collect()
    }

    /// The possible characters of a seat (5): its own if revealed, else all open ones.
    pub fn possible_characters(&self, seat: Seat) -> Characters {
        match self.player(seat).character {
            Some(character) => Characters::only(character),
            None => self.open_characters(),
        }
    }

    /// Who holds the Hermit card that is not yet answered: who drew it, who received it, or whom it
    /// has reached in the opening.
    pub fn hermit_holders(&self) -> SeatSet {
        if let Some(Frame::Opening { answered }) = self.stack.first() {
            let reached = usize::from(*answered) + 1;
            return self.seats_from(self.active).take(reached).collect();
        }
        // Also at the end of the game: a card that was not answered stays where it is.
        let Some(Frame::Ask(ask)) = self.stack.last() else {
            return SeatSet::EMPTY;
        };
        match ask.question {
            Question::GiveHermit => SeatSet::only(ask.seat),
            Question::HermitRespond { giver } => SeatSet::only(ask.seat).with(giver),
            _ => SeatSet::EMPTY,
        }
    }
}

impl ShadowHunters {
    pub(super) fn private_mut(&mut self, seat: Seat) -> &mut Private {
        &mut self.privates[usize::from(seat.0)]
    }

    /// The character at this seat of the table, shown or not.
    pub(super) fn character(&self, seat: Seat) -> Character {
        self.privates[usize::from(seat.0)].character
    }

    /// Who is this character, alive or dead.
    pub(super) fn seat_of(&self, character: Character) -> Option<Seat> {
        (0..)
            .map(Seat)
            .zip(&self.privates)
            .find(|(_, private)| private.character == character)
            .map(|(seat, _)| seat)
    }
}

/// The whole table, for whoever holds the whole state.
impl ShadowHunters {
    /// All White and Black cards, wherever they lie, sorted.
    pub fn white_and_black_cards(&self) -> Vec<Card> {
        let public = &self.public;
        let equipment = public.players.iter().flat_map(|player| &player.equipment);
        let mut cards: Vec<Card> = equipment.map(|&card| Card::Equipment(card)).collect();
        cards.extend(self.hidden.white.iter().chain(&self.hidden.black));
        cards.extend(public.white_discard.iter().chain(&public.black_discard));
        cards.extend(public.in_play.map(Card::SingleUse));
        cards.sort_unstable();
        cards
    }

    /// All Hermit cards, wherever they lie, sorted. One that is under way counts once, however many
    /// know it.
    pub fn hermit_cards(&self) -> Vec<HermitCard> {
        let mut cards = Vec::from_iter(
            self.hidden
                .hermit
                .iter()
                .chain(&self.hidden.hermit_discard)
                .copied(),
        );
        cards.extend(self.privates.iter().find_map(|private| private.hermit));
        cards.sort_unstable();
        cards
    }

    /// The draw piles, from bottom to top.
    pub fn draw_piles(&self) -> (&Pile, &Pile, &HermitPile) {
        (&self.hidden.white, &self.hidden.black, &self.hidden.hermit)
    }

    /// The Hermit discard pile, from bottom to top.
    pub fn hermit_discard_pile(&self) -> &HermitPile {
        &self.hidden.hermit_discard
    }

    /// How high the White, Black and Hermit draw piles and the Hermit discard pile are.
    pub fn pile_sizes(&self) -> [usize; 4] {
        let Hidden {
            white,
            black,
            hermit,
            hermit_discard,
        } = &self.hidden;
        [white.len(), black.len(), hermit.len(), hermit_discard.len()]
    }
}
