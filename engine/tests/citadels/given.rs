//! Tables set up for a ruling: who holds which character, what lies where; then the calls begin.

use tavola_engine::games::citadels::knowledge::{Acquaintance, Knowledge};
use tavola_engine::games::citadels::setup::{Step, setup};
use tavola_engine::games::citadels::state::{DraftMemory, PerSeat};
use tavola_engine::games::citadels::{
    Action, Built, Cards, Character, Citadels, District, Event, FirstCrown, Options, Pile, Private,
    Public, Rank, Ranks, Site, Stage,
};
use tavola_engine::{Audience, Chance, Cx, Game, Seat, SeatSet, Seed, Viewer};

/// What matters of a table; the rest is arbitrary: nobody has cards, everybody has 2 gold, free characters are dealt out by rank.
pub(crate) struct Given {
    seats: u8,
    options: Options,
    crown: u8,
    round: u8,
    holds: Vec<(u8, Character)>,
    out: Vec<Character>,
    face_up: Vec<Character>,
    gold: PerSeat<u16>,
    bank: Option<u16>,
    hands: PerSeat<Vec<District>>,
    cities: PerSeat<Vec<Built>>,
    deck: Vec<District>,
    /// The seat that holds all cards which are not in the deck.
    rest_with: Option<u8>,
    bell_rung: bool,
    museum: Vec<District>,
}

impl Given {
    pub(crate) fn new(seats: u8) -> Self {
        Self {
            seats,
            options: Options::default(),
            crown: 0,
            round: 5,
            holds: Vec::new(),
            out: Vec::new(),
            face_up: Vec::new(),
            gold: PerSeat([2; 8]),
            bank: None,
            hands: PerSeat::default(),
            cities: PerSeat::default(),
            deck: Vec::new(),
            rest_with: None,
            bell_rung: false,
            museum: Vec::new(),
        }
    }

    pub(crate) fn options(mut self, change: impl FnOnce(&mut Options)) -> Self {
        change(&mut self.options);
        self
    }

    /// Bonus characters in the set.
    pub(crate) fn with(self, characters: &[Character]) -> Self {
        self.options(|options| {
            options.bonus_characters = characters.to_vec();
            options.allow_many_bonus = true;
        })
    }

    pub(crate) fn crown(mut self, seat: u8) -> Self {
        self.crown = seat;
        self
    }

    pub(crate) fn round(mut self, round: u8) -> Self {
        self.round = round;
        self
    }

    /// The seat holds the character; with two or three players said twice.
    pub(crate) fn holds(mut self, seat: u8, character: Character) -> Self {
        self.holds.push((seat, character));
        self
    }

    /// Nobody holds the character.
    pub(crate) fn out(mut self, character: Character) -> Self {
        self.out.push(character);
        self
    }

    pub(crate) fn face_up(mut self, character: Character) -> Self {
        self.face_up.push(character);
        self
    }

    pub(crate) fn gold(mut self, seat: u8, gold: u16) -> Self {
        self.gold.0[usize::from(seat)] = gold;
        self
    }

    /// The bank holds so much; who has the rest is said by `gold`.
    pub(crate) fn bank(mut self, gold: u16) -> Self {
        self.bank = Some(gold);
        self.options(|options| {
            options.gold_supply = tavola_engine::games::citadels::GoldSupply::Limited;
        })
    }

    pub(crate) fn hand(mut self, seat: u8, cards: &[District]) -> Self {
        self.hands.0[usize::from(seat)].extend(cards);
        self
    }

    /// Built by the seat in round 1.
    pub(crate) fn city(mut self, seat: u8, districts: &[District]) -> Self {
        for &district in districts {
            self.cities.0[usize::from(seat)].push(Built {
                district,
                beautified: false,
                builder: Seat(seat),
                round: 1,
            });
        }
        self
    }

    pub(crate) fn beautified(mut self, seat: u8, district: District) -> Self {
        let built = self.cities.0[usize::from(seat)]
            .iter_mut()
            .find(|built| built.district == district)
            .unwrap();
        built.beautified = true;
        self
    }

    /// The top of the deck, the top card first; the rest lies below.
    pub(crate) fn deck(mut self, cards: &[District]) -> Self {
        self.deck = cards.to_vec();
        self
    }

    /// The deck is these cards and no more: all others are in this seat's hand.
    pub(crate) fn whole_deck(self, cards: &[District], rest_with: u8) -> Self {
        let mut given = self.deck(cards);
        given.rest_with = Some(rest_with);
        given
    }

    pub(crate) fn bell_rung(mut self) -> Self {
        self.bell_rung = true;
        self
    }

    pub(crate) fn museum(mut self, cards: &[District]) -> Self {
        self.museum = cards.to_vec();
        self
    }

    /// The characters are picked, and called up to the first decision.
    pub(crate) fn start(mut self) -> Table {
        for district in self.cities.0.iter().flatten().map(|built| built.district) {
            if district.is_bonus() && !self.options.bonus_districts.contains(&district) {
                self.options.bonus_districts.push(district);
            }
        }
        for &district in self.hands.0.iter().flatten().chain(&self.deck) {
            if district.is_bonus() && !self.options.bonus_districts.contains(&district) {
                self.options.bonus_districts.push(district);
            }
        }
        self.options.first_crown = FirstCrown::Seat(Seat(self.crown));
        let mut chance = Chance::at_ply(Seed::from_number(1), 0);
        let new = Citadels::new(&self.options, self.seats, &mut Cx::new(&mut chance, None));
        let (public, _, hidden) = new.as_ref().unwrap().parts();
        let (mut public, mut hidden) = (public.clone(), hidden.clone());
        let mut private: PerSeat<Private> = PerSeat::default();

        public.round = self.round;
        let mut rest = public.all_cards();
        let mut take = |card: District| assert!(rest.remove(card), "too many copies of {card:?}");
        public.risen.clear();
        for seat in public.seated() {
            let board = &mut public.boards[seat];
            board.gold = self.gold[seat];
            board.city = self.cities[seat].iter().copied().collect();
            self.cities[seat]
                .iter()
                .for_each(|built| take(built.district));
            self.hands[seat].iter().for_each(|&card| take(card));
            if board.city.len() >= usize::from(self.options.end_districts) - 1 {
                public.risen.push(seat);
            }
        }
        self.deck
            .iter()
            .chain(&self.museum)
            .for_each(|&card| take(card));
        if let Some(seat) = self.rest_with {
            self.hands.0[usize::from(seat)].extend(rest.iter());
            rest = Cards::EMPTY;
        }
        // The cards that lie below are those of `districts.toml`, the last lowest.
        let below: Vec<_> = rest.iter().collect();
        let deck = below.iter().rev().chain(self.deck.iter().rev());
        hidden.deck = Pile::from_bottom(deck.map(|&card| Some(card)));
        hidden.museum = Pile::from_bottom(self.museum.iter().map(|&card| Some(card)));
        let unknown = Pile::from_bottom(hidden.deck.as_slice().iter().map(|_| None));
        let nothing = Knowledge {
            deck: unknown,
            ..Knowledge::default()
        };
        public.known = nothing;
        public.deck_known_by =
            Pile::from_bottom(hidden.deck.as_slice().iter().map(|_| SeatSet::EMPTY));
        public.acquaintance = PerSeat([PerSeat([Acquaintance::default(); 8]); 8]);
        public.museum.cards = hidden.museum.len();
        public.bell_rung = self.bell_rung;
        for seat in public.seated() {
            private[seat].hand = self.hands[seat].iter().copied().collect();
            public.boards[seat].hand = private[seat].hand.len();
            private[seat].known = nothing;
            if public.boards[seat].has(District::Museum) {
                private[seat].museum = hidden.museum;
                public.museum.known[seat] = hidden.museum.len();
            }
        }
        if self.bank.is_some() {
            public.bank = self.bank;
        }

        // The draft, up to its last pick.
        let row = &setup().draft[usize::from(public.rules.draft)];
        let used: Ranks = self.holds.iter().map(|(_, held)| held.rank()).collect();
        let apart: Ranks = self
            .out
            .iter()
            .chain(&self.face_up)
            .map(|character| character.rank())
            .collect();
        let mut free: Vec<Rank> = public.ranks().minus(used).minus(apart).iter().collect();
        let mut waiting = self.holds.clone();
        let mut picks = Vec::new();
        let picker = |player: u8| Seat((self.crown + player) % self.seats);
        for step in &row.steps {
            if let Step::Pick(player) = *step {
                let seat = picker(player);
                let rank = match waiting.iter().position(|&(holder, _)| Seat(holder) == seat) {
                    Some(at) => waiting.remove(at).1.rank(),
                    None => free.remove(0),
                };
                picks.push((seat, rank));
            }
        }
        assert!(waiting.is_empty(), "a seat holds too much");
        let held: Ranks = picks.iter().map(|&(_, rank)| rank).collect();
        let mut left: Vec<Rank> = public.ranks().minus(held).iter().collect();
        let mut face_up: Ranks = self
            .face_up
            .iter()
            .map(|character| character.rank())
            .collect();
        left.retain(|&rank| !face_up.contains(rank));
        while face_up.len() < row.face_up.into() {
            let at = left.iter().position(|&rank| rank != Rank::KING).unwrap();
            face_up = face_up.with(left.remove(at));
        }
        assert_eq!(face_up.len(), u32::from(row.face_up), "too many face up");
        public.calls.face_up = face_up;
        public.calls.rank4_returned = false;
        hidden.face_down = Some(left.remove(0));
        hidden.aside = Ranks::EMPTY;
        hidden.passing = public
            .ranks()
            .minus(face_up)
            .without(hidden.face_down.unwrap());
        private
            .0
            .iter_mut()
            .for_each(|own| own.draft = DraftMemory::default());
        let mut picks = picks.into_iter().peekable();
        let last_step = row.steps.len() - 2;
        let mut last = None;
        for (at, step) in row.steps.iter().enumerate() {
            let aside = |hidden: &mut tavola_engine::games::citadels::Hidden, rank: Rank| {
                hidden.passing = hidden.passing.without(rank);
                hidden.aside = hidden.aside.with(rank);
            };
            match *step {
                Step::Pick(_) => {
                    let (seat, rank) = picks.next().unwrap();
                    let own = &mut private[seat].draft;
                    let nth = own.held().len() as usize;
                    own.seen[nth] = hidden.passing;
                    if row.last_takes_face_down && at == last_step {
                        own.face_down = hidden.face_down;
                        own.seen[nth] = hidden.passing.with(hidden.face_down.unwrap());
                    }
                    if at == last_step {
                        public.stage = Stage::Draft { step: at as u8 };
                        last = Some((seat, rank));
                        break;
                    }
                    own.picked[nth] = Some(rank);
                    hidden.passing = hidden.passing.without(rank);
                }
                Step::Discard(player) => {
                    let rank = left.remove(0);
                    private[picker(player)].draft.discarded = Some(rank);
                    aside(&mut hidden, rank);
                }
                Step::RandomFaceDown => aside(&mut hidden, left.remove(0)),
                Step::RestFaceDown => {}
            }
        }
        let (seat, rank) = last.unwrap();
        let character = public.character(rank).unwrap();
        let mut table = Table {
            game: Citadels::from_parts(public, private, hidden).unwrap(),
            events: Vec::new(),
        };
        table.act(seat.0, Action::PickCharacter { character });
        table
    }
}

/// A table in play.
#[derive(Clone)]
pub(crate) struct Table {
    pub(crate) game: Citadels,
    /// What has been told since the calls began, or since it was last cleared.
    pub(crate) events: Vec<(Audience, Event)>,
}

impl Table {
    /// A new game with this chance, which must be used up.
    pub(crate) fn new(options: &Options, seats: u8, script: &[u32]) -> Self {
        let mut chance = Chance::scripted(script.iter().copied());
        let mut events = Vec::new();
        let cx = &mut Cx::new(&mut chance, Some(&mut events));
        let game = Citadels::new(options, seats, cx).unwrap();
        chance.script_fits().unwrap();
        Self { game, events }
    }

    pub(crate) fn public(&self) -> &Public {
        self.game.public()
    }

    pub(crate) fn decider(&self) -> Option<u8> {
        self.game.public().decider().map(|seat| seat.0)
    }

    pub(crate) fn options(&self) -> Vec<Action> {
        let seat = self.game.public().decider().unwrap();
        Citadels::legal_actions(self.game.seen(Viewer::Seat(seat)))
    }

    pub(crate) fn offers(&self, action: Action) -> bool {
        self.options().contains(&action)
    }

    /// The seat plays an action, which must be legal.
    pub(crate) fn act(&mut self, seat: u8, action: Action) -> &mut Self {
        self.act_with(seat, action, Chance::at_ply(Seed::from_number(7), 1))
    }

    /// As [`act`](Self::act), with this chance, which must be used up.
    pub(crate) fn act_with(&mut self, seat: u8, action: Action, mut chance: Chance) -> &mut Self {
        let refused = self.game.check(Seat(seat), action);
        assert_eq!(
            refused,
            Ok(()),
            "{action:?} of {seat}; {:?}",
            self.options_if_any()
        );
        let cx = &mut Cx::new(&mut chance, Some(&mut self.events));
        self.game.apply_unchecked(Seat(seat), action, cx);
        chance.script_fits().unwrap();
        self.game.check_sound().unwrap();
        self
    }

    fn options_if_any(&self) -> Vec<Action> {
        self.decider().map_or(Vec::new(), |_| self.options())
    }

    /// The decider does as little as possible.
    pub(crate) fn pass(&mut self) -> &mut Self {
        const QUIET: [Action; 14] = [
            Action::EndTurn,
            Action::TakeGold,
            Action::DrawCards,
            Action::NoAction,
            Action::HospitalDecline,
            Action::SayThanks,
            Action::PayEmperorGold,
            Action::WizardKeep,
            Action::LighthouseDecline,
            Action::BellTowerSilent,
            Action::GraveyardDecline,
            Action::RedrawDone,
            Action::NavigatorGold,
            Action::NavigatorCards,
        ];
        let options = self.options();
        let quiet = QUIET.into_iter().find(|action| options.contains(action));
        let seat = self.decider().unwrap();
        self.act(seat, quiet.unwrap_or(options[0]))
    }

    /// The others do as little as possible until this holds.
    pub(crate) fn pass_until(&mut self, holds: impl Fn(&Self) -> bool) -> &mut Self {
        for _ in 0..2000 {
            if holds(self) {
                return self;
            }
            self.pass();
        }
        panic!("it never comes to that");
    }

    /// The turn of this character has begun, or is about to by an answer of its player.
    pub(crate) fn until(&mut self, character: Character) -> &mut Self {
        let round = self.game.public().round;
        self.pass_until(|table| {
            assert_eq!(
                table.game.public().round,
                round,
                "{character:?} has no turn"
            );
            table
                .game
                .public()
                .turn
                .is_some_and(|turn| turn.character == character)
        })
    }

    /// The call has gone beyond this character.
    pub(crate) fn beyond(&mut self, character: Character) -> &mut Self {
        let round = self.game.public().round;
        self.pass_until(|table| {
            let public = table.game.public();
            public.round != round || public.calls.called > character.rank().0 || table.is_over()
        })
    }

    pub(crate) fn next_round(&mut self) -> &mut Self {
        let round = self.game.public().round;
        self.pass_until(|table| table.game.public().round != round || table.is_over())
    }

    /// The action and the end of the turn are all that the seat does.
    pub(crate) fn takes_gold(&mut self, seat: u8) -> &mut Self {
        self.act(seat, Action::TakeGold)
    }

    pub(crate) fn builds(&mut self, seat: u8, card: District) -> &mut Self {
        self.act(seat, Action::Build { card })
    }

    pub(crate) fn ends(&mut self, seat: u8) -> &mut Self {
        self.act(seat, Action::EndTurn)
    }

    pub(crate) fn is_over(&self) -> bool {
        Citadels::outcome(self.game.public()).is_some()
    }

    pub(crate) fn gold(&self, seat: u8) -> u16 {
        self.game.public().boards[Seat(seat)].gold
    }

    pub(crate) fn hand(&self, seat: u8) -> Vec<District> {
        self.game.private(Seat(seat)).unwrap().hand.iter().collect()
    }

    pub(crate) fn city(&self, seat: u8) -> Vec<District> {
        let city = &self.game.public().boards[Seat(seat)].city;
        city.iter().map(|built| built.district).collect()
    }

    pub(crate) fn crown(&self) -> u8 {
        self.game.public().crown.0
    }

    pub(crate) fn deck(&self) -> u8 {
        self.game.public().deck()
    }

    /// The lowest cards of the deck, the lowest last.
    pub(crate) fn deck_ends(&self, cards: &[District]) -> bool {
        let deck = self.game.parts().2.deck;
        let bottom = deck.as_slice().iter().take(cards.len()).copied();
        bottom.eq(cards.iter().rev().map(|&card| Some(card)))
    }

    pub(crate) fn deck_top(&self) -> Option<District> {
        self.game.parts().2.deck.from_top().next().flatten()
    }

    pub(crate) fn told(&self, event: &Event) -> bool {
        self.events.iter().any(|(_, told)| told == event)
    }

    pub(crate) fn no_answer(&self, character: Character) -> bool {
        self.told(&Event::NoAnswer { character })
    }

    pub(crate) fn acting(&self) -> Option<Character> {
        self.game.public().turn.map(|turn| turn.character)
    }

    pub(crate) fn score(&self, seat: u8) -> tavola_engine::games::citadels::Score {
        self.game.public().score(Seat(seat))
    }

    /// Winners of a game that is over.
    pub(crate) fn winners(&self) -> Vec<u8> {
        let outcome = Citadels::outcome(self.game.public()).unwrap();
        outcome.winners.iter().map(|seat| seat.0).collect()
    }
}

/// A district without the Artist's gold.
pub(crate) const fn plain(district: District) -> Site {
    Site {
        district,
        beautified: false,
    }
}

/// One with it.
pub(crate) const fn beautified(district: District) -> Site {
    Site {
        district,
        beautified: true,
    }
}

pub(crate) const fn build(card: District) -> Action {
    Action::Build { card }
}

pub(crate) const fn destroy(player: u8, district: District) -> Action {
    Action::WarlordDestroy {
        player: Seat(player),
        site: plain(district),
    }
}

/// The targets of the Warlord among the options, with what they cost.
pub(crate) fn targets(table: &Table) -> Vec<(u8, District, u16)> {
    let options = table.options().into_iter();
    options
        .filter_map(|action| match action {
            Action::WarlordDestroy { player, site } => {
                let before = table.decider().map(|seat| table.gold(seat)).unwrap();
                let mut after = table.clone();
                let seat = table.decider().unwrap();
                after.act(seat, action);
                Some((player.0, site.district, before - after.gold(seat)))
            }
            _ => None,
        })
        .collect()
}
