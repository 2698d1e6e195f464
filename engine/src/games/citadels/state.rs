//! The state of a table: what all see, what a seat sees, and what nobody sees (section 9).

use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;

use super::action::Site;
use super::cards::Cards;
use super::character::{Character, Characters, Rank, Ranks};
use super::city::{Built, CITY_MAX, City};
use super::district::District;
use super::knowledge::{Acquaintance, Knowledge};
use super::options::BallRoom;
use super::pile::Pile;
use super::scoring::Score;
use crate::outcome::Outcome;
use crate::seat::{SEATS_MAX, Seat, SeatSet};

/// A table of Citadels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Citadels {
    pub(super) public: Public,
    pub(super) private: PerSeat<Private>,
    pub(super) hidden: Hidden,
}

/// A value for each of the eight seats that a table can have; seats beyond the table's keep the default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PerSeat<T>(pub [T; SEATS_MAX as usize]);

impl<T> Index<Seat> for PerSeat<T> {
    type Output = T;

    #[inline]
    fn index(&self, seat: Seat) -> &T {
        &self.0[usize::from(seat.0 % SEATS_MAX)]
    }
}

impl<T> IndexMut<Seat> for PerSeat<T> {
    #[inline]
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[usize::from(seat.0 % SEATS_MAX)]
    }
}

/// What a photograph of the table shows, and what all have seen and could still use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Public {
    /// How many seats the table has, 2 to 8.
    pub seats: u8,
    /// What the game is played with.
    pub rules: Rules,
    /// The number of the round, from 1.
    pub round: u8,
    /// Who has the crown.
    pub crown: Seat,
    /// Gold in the bank; `None` if it never runs dry.
    pub bank: Option<u16>,
    /// What lies before each player.
    pub boards: PerSeat<Board>,
    /// What all know of hands and of the deck.
    pub known: Knowledge,
    /// Who knows which place of the deck: who saw the card go there.
    pub deck_known_by: Pile<SeatSet>,
    /// How many cards of a hand (first) a seat (second) can know. What they are is that seat's secret.
    pub acquaintance: PerSeat<PerSeat<Acquaintance>>,
    /// The cards under the Museum.
    pub museum: Museum,
    /// Each seat's last look through the deck from the Lighthouse; `None` if it never had one.
    pub lighthouse: PerSeat<Option<LighthouseLook>>,
    /// Whether a rung Bell Tower is in a city.
    pub bell_rung: bool,
    /// The seats with at least `end_districts` - 1 districts, in the order in which they last rose to that number.
    pub risen: ArrayVec<Seat, { SEATS_MAX as usize }>,
    /// Set once the end is triggered (10.1).
    pub end: Option<End>,
    /// What has happened in this round.
    pub calls: Calls,
    /// The turn in progress.
    pub turn: Option<Turn>,
    /// What is being decided.
    pub stage: Stage,
    /// The seats that have left: they can't win.
    pub left: SeatSet,
}

/// What the game is played with; known to all from the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The character of each rank; `None` for rank 9 in a set of eight.
    pub characters: [Option<Character>; Rank::MAX as usize],
    /// The bonus districts in the deck: district *d* is bit *d*.
    pub bonus_districts: u64,
    /// Districts in a complete city while no bell is rung: 7 or 8.
    pub end_districts: u8,
    /// Whether thanks is said by the players.
    pub ball_room: BallRoom,
    /// The row of the draft in `setup.toml`.
    pub draft: u8,
}

/// What lies before a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Board {
    /// Gold in the stash. Gold on districts is no part of it.
    pub gold: u16,
    /// Cards in the hand.
    pub hand: u8,
    /// The city, in the order in which the districts came.
    pub city: City,
}

/// The cards under the Museum, in the order in which they were stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Museum {
    /// How many there are.
    pub cards: u8,
    /// How many of them, the oldest first, each seat knows.
    pub known: PerSeat<u8>,
}

/// A seat has looked through the deck, which was shuffled then. What it saw is its secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LighthouseLook {
    /// The round in which it did: what stands in a city since an earlier one wasn't in the deck.
    pub round: u8,
    /// Cards in the deck after it had taken its own.
    pub cards: u8,
    /// How many have been drawn since, `cards` at the most.
    pub drawn: u8,
    /// Whether another has had the deck shuffled since: what is left of these cards lies anywhere in it, no longer on top.
    pub shuffled: bool,
}

impl LighthouseLook {
    /// How many of the cards are still in the deck: exactly so many on top of it or, once it was shuffled again, at least so many.
    pub const fn left(&self) -> u8 {
        self.cards - self.drawn
    }
}

/// The end is triggered: this round is the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct End {
    /// Who completed a city first; `None` if the round limit ended the game.
    pub first_complete: Option<Seat>,
    /// Districts in a complete city, from then on.
    pub districts: u8,
}

/// What has happened in this round, as far as all have seen it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Calls {
    /// Who picked first: the holder of the crown.
    pub first_picker: Seat,
    /// The characters lying face up.
    pub face_up: Ranks,
    /// Whether rank 4 was drawn for a face-up place and went back: then it isn't the first face-down card.
    pub rank4_returned: bool,
    /// The rank called last; 0 in the draft.
    pub called: u8,
    /// Named by the Assassin.
    pub murdered: Option<Rank>,
    /// Named by the Thief.
    pub robbed: Option<Rank>,
    /// Named by the Witch.
    pub bewitched: Option<Rank>,
    /// Who has shown the card of each rank.
    pub revealed: [Option<Seat>; Rank::MAX as usize],
    /// Who acts as each rank: the holder, or the Witch.
    pub acting: [Option<Seat>; Rank::MAX as usize],
    /// The Assassin's player, if he built: he owes the Tax Collector.
    pub arrears: Option<Seat>,
    /// Who has taken the Queen's turn.
    pub queen: Option<Seat>,
}

/// The turn in progress (5.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    /// Of which kind it is.
    pub kind: TurnKind,
    /// Who acts.
    pub seat: Seat,
    /// The rank that he acts as.
    pub rank: Rank,
    /// The character that he acts as.
    pub character: Character,
    /// Which part of the menu is open.
    pub window: Window,
    /// Whether thanks was due at the reveal: at the call the Ball Room's owner, another player, had the crown. It stays so once thanks is said.
    pub greeting: bool,
    /// Districts built within the limit.
    pub builds: u8,
    /// Whether a district was built, within the limit or by the Wizard.
    pub built: bool,
    /// Gold paid for building.
    pub spent: u16,
    /// What has been used.
    pub used: Used,
    /// Districts beautified.
    pub beautified: u8,
}

/// What a turn has used of what can be used once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Used {
    /// The income.
    pub income: bool,
    /// The power of ranks 1 to 3, the Abbot's or the Queen's.
    pub power: bool,
    /// The Laboratory.
    pub laboratory: bool,
    /// The Smithy.
    pub smithy: bool,
    /// The Museum.
    pub museum: bool,
}

/// The kinds of turns (5.4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TurnKind {
    /// The holder's own.
    Normal,
    /// The Witch's first part: an action, then she bewitches.
    WitchFirst,
    /// The bewitched player's: an action and no more.
    Bewitched,
    /// The Witch goes on as the bewitched character.
    WitchResumed,
    /// The murdered player's, by the Hospital: an action and no more.
    Hospital,
}

/// The parts of the menu (5.7).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Window {
    /// Before the action.
    Pre,
    /// After it.
    Post,
    /// After the power of rank 8.
    Last,
}

/// What is being decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stage {
    /// D1, D2: this step of the draft.
    Draft {
        /// Its place in the row of `setup.toml`.
        step: u8,
    },
    /// D3: whether the murdered character uses the Hospital.
    Hospital {
        /// The Hospital's owner, who may or may not hold that character.
        owner: Seat,
    },
    /// D4: whether the called player says thanks.
    Thanks,
    /// D5: to whom the crown goes.
    GiveCrown,
    /// D6: what the new holder of the crown pays.
    PayEmperor {
        /// The new holder.
        payer: Seat,
    },
    /// D7: the menu.
    Menu,
    /// D8: which card in view is kept.
    Keep {
        /// Cards in view.
        in_view: u8,
        /// Cards that are still to be kept.
        left: u8,
    },
    /// D9: gold or cards for the Navigator.
    Navigator,
    /// D10: whom the Witch bewitches.
    Bewitch,
    /// D11: which cards go under the deck.
    Mark {
        /// How many have gone.
        marked: u8,
    },
    /// D12: which card the Wizard takes.
    WizardTake {
        /// Out of whose hand.
        from: Seat,
    },
    /// D13: whether he builds it at once.
    WizardBuild {
        /// Out of whose hand it came.
        from: Seat,
    },
    /// D14: which card is taken out of the deck.
    Lighthouse,
    /// D15: whether the bell is rung.
    BellTower,
    /// D16: whether the destroyed district is rescued.
    Graveyard {
        /// The Graveyard's owner.
        owner: Seat,
        /// The district, which isn't under the deck yet.
        district: District,
    },
    /// D17: to whom the murdered Emperor gives the crown at the end of the round.
    MoveCrown {
        /// Its player.
        emperor: Seat,
    },
    /// D18: which district the Diplomat gives.
    DiplomatGive {
        /// Who gets it.
        from: Seat,
        /// What he gives for it.
        site: Site,
    },
    /// Nothing: the game is over.
    Over(Ending),
}

/// How the game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Who won.
    pub outcome: Outcome,
    /// The points of each seat.
    pub scores: PerSeat<Score>,
}

/// The decision that a seat owes, by its number on the rules page.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Decision {
    /// D1: which character card the picker takes.
    PickCharacter,
    /// D2: which one he lays face down.
    DiscardCharacter,
    /// D3: whether the murdered character uses the Hospital.
    Hospital,
    /// D4: whether the called player says thanks.
    Thanks,
    /// D5, D17: to whom the crown goes.
    GiveCrown,
    /// D6: what the new holder of the crown pays.
    PayEmperor,
    /// D7: what is done next in the turn.
    Menu(Window),
    /// D8: which card in view is kept.
    KeepCard,
    /// D9: gold or cards for the Navigator.
    Navigator,
    /// D10: whom the Witch bewitches.
    Bewitch,
    /// D11: which cards go under the deck.
    MarkCard,
    /// D12: which card the Wizard takes.
    WizardTake,
    /// D13: whether he builds it at once.
    WizardBuild,
    /// D14: which card is taken out of the deck.
    Lighthouse,
    /// D15: whether the bell is rung.
    BellTower,
    /// D16: whether the destroyed district is rescued.
    Graveyard,
    /// D18: which district the Diplomat gives.
    DiplomatGive,
}

/// What one seat holds, and what it has learnt and could still use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Private {
    /// The hand.
    pub hand: Cards,
    /// The draft of this round.
    pub draft: DraftMemory,
    /// D8: the cards looked at, in the order drawn.
    pub in_view: [Option<District>; 3],
    /// D13: the card that the Wizard took; known to him and to the one he took it from.
    pub taken: Option<District>,
    /// What this seat knows of hands and of the deck; what all know is part of it.
    pub known: Knowledge,
    /// The cards in the deck after this seat's last look from the Lighthouse; while it looks, those in the deck.
    pub deck_seen: Cards,
    /// The cards under the Museum that it knows: the oldest so many.
    pub museum: Pile,
}

/// What a seat knows from the draft of this round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DraftMemory {
    /// The cards seen at each of its picks; none for a pick that hasn't come.
    pub seen: [Ranks; 2],
    /// The cards picked.
    pub picked: [Option<Rank>; 2],
    /// With two players, the card laid face down.
    pub discarded: Option<Rank>,
    /// For the last of seven or eight pickers, which of the cards seen is the first face-down card.
    pub face_down: Option<Rank>,
}

impl DraftMemory {
    /// The characters that the seat holds.
    pub fn held(&self) -> Ranks {
        self.picked.iter().flatten().copied().collect()
    }

    /// How many it has picked.
    pub(super) fn picks(&self) -> usize {
        self.picked.iter().flatten().count()
    }
}

/// What nobody sees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hidden {
    /// The district deck.
    pub deck: Pile,
    /// The cards under the Museum, the oldest at the bottom.
    pub museum: Pile,
    /// The first face-down character. The last of seven or eight pickers may have taken it.
    pub face_down: Option<Rank>,
    /// The character cards that are being passed.
    pub passing: Ranks,
    /// The characters laid face down after the first.
    pub aside: Ranks,
}

impl Site {
    /// District cost: the printed cost, and 1 more if it is beautified.
    #[inline]
    pub fn cost(self) -> u16 {
        u16::from(self.district.cost()) + u16::from(self.beautified)
    }
}

impl Board {
    /// How many copies of the district are in the city.
    #[inline]
    pub fn count(&self, district: District) -> usize {
        self.city
            .iter()
            .filter(|built| built.district == district)
            .count()
    }

    /// Whether the district is in the city.
    #[inline]
    pub fn has(&self, district: District) -> bool {
        self.city.iter().any(|built| built.district == district)
    }

    /// Whether such a district is in the city.
    pub fn has_site(&self, site: Site) -> bool {
        self.city.iter().any(|built| built.site() == site)
    }

    /// How many districts are in the city.
    #[inline]
    pub fn districts(&self) -> u8 {
        self.city.len() as u8
    }

    /// The districts as actions name them: each once, ascending.
    pub(super) fn sites(&self) -> ArrayVec<Site, CITY_MAX> {
        let mut sites: ArrayVec<Site, CITY_MAX> = self.city.iter().map(Built::site).collect();
        sites.sort_unstable();
        let mut distinct = ArrayVec::new();
        for site in sites {
            if distinct.last() != Some(&site) {
                distinct.push(site);
            }
        }
        distinct
    }
}

impl Turn {
    /// A turn that is just beginning.
    pub(super) fn new(kind: TurnKind, seat: Seat, rank: Rank, character: Character) -> Self {
        Self {
            kind,
            seat,
            rank,
            character,
            window: Window::Pre,
            greeting: false,
            builds: 0,
            built: false,
            spent: 0,
            used: Used::default(),
            beautified: 0,
        }
    }

    /// Whether powers, building and district effects are part of it (5.4).
    pub(super) const fn is_full(&self) -> bool {
        matches!(self.kind, TurnKind::Normal | TurnKind::WitchResumed)
    }
}

impl Public {
    /// The seats of the table, ascending.
    pub fn seated(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.seats).map(Seat)
    }

    /// The seats other than this one, ascending.
    pub(super) fn others(&self, seat: Seat) -> impl Iterator<Item = Seat> + use<> {
        self.seated().filter(move |&other| other != seat)
    }

    /// The seat so many places to the left of another.
    pub(super) const fn left_of(&self, seat: Seat, places: u8) -> Seat {
        Seat((seat.0 + places) % self.seats)
    }

    /// The character of a rank in this game's set.
    #[inline]
    pub fn character(&self, rank: Rank) -> Option<Character> {
        self.rules.characters.get(rank.index()).copied().flatten()
    }

    /// The ranks in this game's set.
    pub fn ranks(&self) -> Ranks {
        Rank::all()
            .filter(|&rank| self.character(rank).is_some())
            .collect()
    }

    /// The characters of these ranks, by rank.
    pub fn characters(&self, ranks: Ranks) -> Characters {
        ranks
            .iter()
            .filter_map(|rank| self.character(rank))
            .collect()
    }

    /// Whether the character is in this game's set.
    #[inline]
    pub fn in_set(&self, character: Character) -> bool {
        self.character(character.rank()) == Some(character)
    }

    /// Who acts as the character in this round, by now.
    #[inline]
    pub(super) fn acts_as(&self, character: Character) -> Option<Seat> {
        if !self.in_set(character) {
            return None;
        }
        self.calls
            .acting
            .get(character.rank().index())
            .copied()
            .flatten()
    }

    /// Whose city has this district, of which there is one copy.
    pub(super) fn owner(&self, district: District) -> Option<Seat> {
        self.seated().find(|&seat| self.boards[seat].has(district))
    }

    /// The latest look through the deck from the Lighthouse, and whose it was.
    pub fn latest_look(&self) -> Option<(Seat, LighthouseLook)> {
        // While somebody looks, the deck isn't shuffled yet, and an earlier look still holds beside his.
        let looking = match self.stage {
            Stage::Lighthouse => self.decider(),
            _ => None,
        };
        self.seated()
            .filter(|&seat| looking.is_none_or(|looking| looking == seat))
            .filter_map(|seat| Some((seat, self.lighthouse[seat]?)))
            .find(|(_, look)| !look.shuffled)
    }

    /// How many cards are in the deck.
    #[inline]
    pub fn deck(&self) -> u8 {
        self.known.deck.len()
    }

    /// All cards of this game.
    pub fn all_cards(&self) -> Cards {
        District::ALL
            .into_iter()
            .filter(|district| {
                !district.is_bonus() || self.rules.bonus_districts >> district.index() & 1 == 1
            })
            .flat_map(|district| (0..district.card().count).map(move |_| district))
            .collect()
    }

    /// The bonus districts of this game.
    pub fn bonus_districts(&self) -> Cards {
        self.all_cards()
            .kinds()
            .filter(|district| district.is_bonus())
            .collect()
    }

    /// Whether the bank has gold to give.
    #[inline]
    pub(super) fn bank_gives(&self) -> bool {
        self.bank != Some(0)
    }

    /// T: districts in a complete city.
    pub fn districts_to_complete(&self) -> u8 {
        match self.end {
            Some(end) => end.districts,
            None if self.bell_rung => {
                self.rules.end_districts - super::district::tunables().bell_tower_reduction
            }
            None => self.rules.end_districts,
        }
    }

    /// Whether the seat's city is complete.
    pub(super) fn is_complete(&self, seat: Seat) -> bool {
        self.boards[seat].districts() >= self.districts_to_complete()
    }

    /// The seat that owes the open decision.
    pub fn decider(&self) -> Option<Seat> {
        match self.stage {
            Stage::Draft { step } => self.drafting(step),
            Stage::Hospital { owner } | Stage::Graveyard { owner, .. } => Some(owner),
            Stage::PayEmperor { payer } => Some(payer),
            Stage::MoveCrown { emperor } => Some(emperor),
            Stage::Thanks
            | Stage::GiveCrown
            | Stage::Menu
            | Stage::Keep { .. }
            | Stage::Navigator
            | Stage::Bewitch
            | Stage::Mark { .. }
            | Stage::WizardTake { .. }
            | Stage::WizardBuild { .. }
            | Stage::Lighthouse
            | Stage::BellTower
            | Stage::DiplomatGive { .. } => self.turn.map(|turn| turn.seat),
            Stage::Over(_) => None,
        }
    }
}
