//! Positions and decisions in the notation of the rules page (16): `pc_1/0`, `stack 1; p1_05 on
//! ec_2; yield`.

use tavola_engine::games::council_of_shadows::components::{
    Bonus, Card, DarkTech, Galaxy, Gems, Numbered, Space, Station, Tile, Upgrade,
};
use tavola_engine::games::council_of_shadows::{
    Action, Board, CouncilOfShadows, Event, Hidden, Options, Party, PartyBoard, Private, Public,
};
use tavola_engine::{Audience, Chance, Cx, Game, Seat, SeatMap, Seed, Viewer};

pub(crate) const A: u8 = 0;
pub(crate) const B: u8 = 1;
pub(crate) const C: u8 = 2;
pub(crate) const D: u8 = 3;

/// A table under test.
pub(crate) struct Table {
    pub(crate) game: CouncilOfShadows,
    /// All that was told since the table was laid out.
    pub(crate) told: Vec<(Audience, Event)>,
    chance: Chance,
}

/// Defaults but for what is said.
pub(crate) fn options() -> Options {
    Options::default()
}

impl Table {
    /// A table as set up with a fixed seed.
    pub(crate) fn new(options: &Options, seats: u8) -> Self {
        Self::with_chance(options, seats, Chance::at_ply(Seed::from_number(5), 0))
    }

    pub(crate) fn with_chance(options: &Options, seats: u8, mut chance: Chance) -> Self {
        let mut told = Vec::new();
        let mut cx = Cx::new(&mut chance, Some(&mut told));
        let game = CouncilOfShadows::new(options, seats, &mut cx).unwrap();
        let chance = Chance::at_ply(Seed::from_number(5), 1);
        Self { game, told, chance }
    }

    pub(crate) fn lay(
        &mut self,
        lay_out: impl FnOnce(&mut Public, &mut SeatMap<Private>, &mut Hidden),
    ) -> &mut Self {
        self.game.rearrange(lay_out);
        self
    }

    /// Changes what one party has.
    pub(crate) fn give(&mut self, party: u8, change: impl FnOnce(&mut PartyBoard)) -> &mut Self {
        self.lay(|public, _, _| change(&mut public.parties[usize::from(party)]))
    }

    pub(crate) fn begin(
        &mut self,
        phase: impl FnOnce(&mut CouncilOfShadows, &mut Cx<'_, Event>),
    ) -> &mut Self {
        self.told.clear();
        phase(
            &mut self.game,
            &mut Cx::new(&mut self.chance, Some(&mut self.told)),
        );
        self
    }

    pub(crate) fn begin_acting(&mut self) -> &mut Self {
        self.begin(|game, cx| game.begin_acting(cx))
    }

    pub(crate) fn begin_buying(&mut self, nth: u8) -> &mut Self {
        self.begin(|game, cx| game.begin_buying(nth, cx))
    }

    pub(crate) fn begin_planning(&mut self) -> &mut Self {
        self.begin(|game, cx| game.begin_planning(cx))
    }

    pub(crate) fn public(&self) -> &Public {
        self.game.public()
    }

    pub(crate) fn party(&self, party: u8) -> &PartyBoard {
        self.public().party(Party(party))
    }

    pub(crate) fn own(&self, seat: u8) -> &Private {
        self.game.private(Seat(seat)).unwrap()
    }

    /// The seats that are to act.
    pub(crate) fn to_act(&self) -> Vec<u8> {
        CouncilOfShadows::to_act(self.public())
            .iter()
            .map(|seat| seat.0)
            .collect()
    }

    pub(crate) fn actions(&self, seat: u8) -> Vec<Action> {
        CouncilOfShadows::legal_actions(self.game.seen(Viewer::Seat(Seat(seat))))
    }

    /// What the seat may answer, in the notation.
    pub(crate) fn legal(&self, seat: u8) -> Vec<String> {
        self.actions(seat).into_iter().map(said).collect()
    }

    /// The seat's decisions, separated by `;`.
    #[track_caller]
    pub(crate) fn play(&mut self, seat: u8, decisions: &str) -> &mut Self {
        for decision in decisions
            .split(';')
            .map(str::trim)
            .filter(|text| !text.is_empty())
        {
            let actions = self.actions(seat);
            let Some(&action) = actions.iter().find(|&&action| said(action) == decision) else {
                panic!(
                    "{decision:?} is none of {:?}, to act {:?}",
                    self.legal(seat),
                    self.to_act()
                );
            };
            let mut cx = Cx::new(&mut self.chance, Some(&mut self.told));
            self.game.apply(Seat(seat), action, &mut cx).unwrap();
        }
        self
    }

    /// Whether the seat may answer this.
    pub(crate) fn may(&self, seat: u8, decision: &str) -> bool {
        self.legal(seat).iter().any(|legal| legal == decision)
    }

    /// Cubes on a planet.
    pub(crate) fn cubes(&self, planet: &str, party: u8) -> u8 {
        let (space, planet) = planet_named(planet);
        let system = self.public().board.system(space);
        system.map_or(0, |system| system.cubes(planet, Party(party)))
    }

    pub(crate) fn gems(&self, party: u8) -> (u16, u16, u16) {
        let gems = self.party(party).gems;
        (gems.anthracite, gems.golden, gems.transparent)
    }

    /// The visible cards of the slots, `-` for an empty one.
    pub(crate) fn tops(&self, party: u8) -> Vec<String> {
        let slots = self.party(party).slots.iter();
        slots
            .map(|slot| slot.top().map_or("-".into(), |card| card.to_string()))
            .collect()
    }

    pub(crate) fn hand(&self, party: u8) -> Vec<String> {
        self.party(party)
            .hand
            .iter()
            .map(|card| card.to_string())
            .collect()
    }

    /// The tile on a space.
    pub(crate) fn tile_on(&self, space: &str) -> String {
        let system = self.public().board.system(space_named(space));
        system.map_or("-".into(), |system| system.tile.to_string())
    }

    pub(crate) fn energy(&self, party: u8) -> u16 {
        self.party(party).energy
    }

    pub(crate) fn heard(&self, event: &Event) -> bool {
        self.told.iter().any(|(_, told)| told == event)
    }
}

/// An action in the notation.
pub(crate) fn said(action: Action) -> String {
    match action {
        Action::ChooseLeader { leader } => leader.to_string(),
        Action::BuyAi { row, pay } => format!("row {row} for {pay}"),
        Action::BuyUpgrade { upgrade, pay } => format!("{upgrade} for {pay}"),
        Action::BuyStation {
            station,
            galaxy,
            pay,
        } => format!("{station} on {galaxy} for {pay}"),
        Action::EndBuy | Action::EndScoring => "end".into(),
        Action::PlanPlace { slot, card } => format!("{card} on {slot}"),
        Action::PlanKeep { slot } => format!("keep {slot}"),
        Action::PlaceCube { space, planet } => format!("{}/{planet}", short(space)),
        Action::FoundColony { space, planet } => format!("found {}/{planet}", short(space)),
        Action::Take { space } => format!("take {}", short(space)),
        Action::ExploreStack { parsec } => format!("stack {parsec}"),
        Action::ExplorePlace { tile, space } => format!("{tile} on {}", short(space)),
        Action::ExploreColony { planet } => format!("colony {planet}"),
        Action::ExploreYield => "yield".into(),
        Action::Improve { from } => format!("improve {}", from.letter()),
        Action::Accept => "accept".into(),
        Action::ChooseStep { index } => format!("step {index}"),
        Action::Skip => "skip".into(),
        Action::Score { space, planet } => format!("score {}/{planet}", short(space)),
        Action::ScoreKeep { galaxy } => format!("score {} and keep", abbreviated(galaxy)),
        Action::BonusKeep { return_index } => format!("return {return_index}"),
        Action::BonusDecline => "decline".into(),
        Action::DarkTech { card } => card.to_string(),
    }
}

const ABBREVIATIONS: [&str; 10] = ["pc", "ec", "ur", "dv", "vc", "cd", "ts", "vm", "as", "hf"];

fn abbreviated(galaxy: Galaxy) -> &'static str {
    ABBREVIATIONS[usize::from(galaxy.index())]
}

pub(crate) fn short(space: Space) -> String {
    format!("{}_{}", abbreviated(space.galaxy()), space.number())
}

/// `ec_1`.
pub(crate) fn space_named(text: &str) -> Space {
    Space::all()
        .find(|&space| short(space) == text)
        .unwrap_or_else(|| panic!("no space {text:?}"))
}

/// `ec_1/2`.
pub(crate) fn planet_named(text: &str) -> (Space, u8) {
    let (space, planet) = text.split_once('/').unwrap();
    (space_named(space), planet.parse().unwrap())
}

pub(crate) fn card(id: &str) -> Card {
    Card::named(id).unwrap_or_else(|| panic!("no card {id:?}"))
}

pub(crate) fn tile(id: &str) -> Tile {
    Tile::named(id).unwrap_or_else(|| panic!("no tile {id:?}"))
}

pub(crate) fn bonus(id: &str) -> Bonus {
    Bonus::named(id).unwrap_or_else(|| panic!("no bonus card {id:?}"))
}

pub(crate) fn dark_tech(id: &str) -> DarkTech {
    DarkTech::all()
        .find(|card| card.id() == id)
        .unwrap_or_else(|| panic!("no card {id:?}"))
}

pub(crate) fn upgrade(id: &str) -> Upgrade {
    Upgrade::all()
        .find(|upgrade| upgrade.id() == id)
        .unwrap_or_else(|| panic!("no upgrade {id:?}"))
}

pub(crate) fn gems(anthracite: u16, golden: u16, transparent: u16) -> Gems {
    Gems::new(anthracite, golden, transparent)
}

/// Lays these tiles on these spaces and no others; of the rest, `tops` lie on top of their stacks
/// in this order.
pub(crate) fn lay_tiles(
    public: &mut Public,
    hidden: &mut Hidden,
    tiles: &[(&str, &str)],
    tops: &[&str],
) {
    public.board = Board::default();
    for &(space, id) in tiles {
        public.board.place_tile(tile(id), space_named(space));
    }
    let tops: Vec<Tile> = tops.iter().map(|id| tile(id)).collect();
    let placed: Vec<Tile> = tiles.iter().map(|&(_, id)| tile(id)).collect();
    for (index, stack) in hidden.tile_stacks.iter_mut().enumerate() {
        let of_stack = |tile: &Tile| usize::from(tile.parsec()) == index + 1;
        *stack = tops.iter().copied().filter(of_stack).collect();
        let rest = Tile::all()
            .filter(|tile| of_stack(tile) && !tops.contains(tile) && !placed.contains(tile));
        stack.extend(rest);
    }
}

/// Takes a party's cubes from its supply to a planet.
pub(crate) fn put(public: &mut Public, planet: &str, party: u8, cubes: u8) {
    let (space, planet) = planet_named(planet);
    assert!(
        public
            .board
            .system(space)
            .is_some_and(|system| planet < system.tile.planets().len() as u8)
    );
    public.board.add_cubes(space, planet, Party(party), cubes);
    public.parties[usize::from(party)].supply -= cubes;
}

/// Lays a card on top of a slot, from 1: from the party's hand, or an AI card from the row or the
/// deck.
pub(crate) fn lay_card(public: &mut Public, hidden: &mut Hidden, party: u8, slot: usize, id: &str) {
    let card = card(id);
    fetch(public, hidden, party, card);
    public.parties[usize::from(party)].slots[slot - 1]
        .stack
        .push(card);
}

/// Gives a party an AI card in hand.
pub(crate) fn hand_card(public: &mut Public, hidden: &mut Hidden, party: u8, id: &str) {
    let card = card(id);
    fetch(public, hidden, party, card);
    public.parties[usize::from(party)].hand.insert(card);
}

fn fetch(public: &mut Public, hidden: &mut Hidden, party: u8, card: Card) {
    if public.parties[usize::from(party)].hand.remove(card) {
        return;
    }
    if let Some(place) = hidden.ai_deck.iter().position(|&of| of == card) {
        hidden.ai_deck.remove(place);
        return;
    }
    let place = public
        .ai_row
        .iter()
        .position(|&of| of == Some(card))
        .unwrap();
    public.ai_row[place] = hidden.ai_deck.pop();
}

/// Puts an AI card at a position of the row, from 1; what lay there goes to the bottom of the deck.
pub(crate) fn offer(public: &mut Public, hidden: &mut Hidden, row: usize, id: &str) {
    let card = card(id);
    if public.ai_row[row - 1] == Some(card) {
        return;
    }
    if let Some(place) = public.ai_row.iter().position(|&of| of == Some(card)) {
        public.ai_row.swap(place, row - 1);
        return;
    }
    hidden.ai_deck.retain(|of| *of != card);
    hidden.ai_deck.extend(public.ai_row[row - 1].replace(card));
}

/// Puts an AI card on top of the deck.
pub(crate) fn top_of_deck(public: &mut Public, hidden: &mut Hidden, id: &str) {
    let card = card(id);
    if let Some(place) = public.ai_row.iter().position(|&of| of == Some(card)) {
        public.ai_row[place] = hidden.ai_deck.pop();
    }
    hidden.ai_deck.retain(|of| *of != card);
    hidden.ai_deck.insert(0, card);
}

/// Puts these light cards on top of the bonus deck, taking them from wherever they are.
pub(crate) fn bonus_tops(private: &mut SeatMap<Private>, hidden: &mut Hidden, ids: &[&str]) {
    for id in ids.iter().rev() {
        let card = bonus(id);
        hidden.bonus_deck.retain(|of| *of != card);
        for (_, own) in private.iter_mut() {
            own.bonus.retain(|of| *of != card);
        }
        hidden.bonus_deck.insert(0, card);
    }
}

/// Gives a seat exactly these bonus cards. Light ones come from the deck; dark ones are exchanged
/// with whoever has them.
pub(crate) fn hold(private: &mut SeatMap<Private>, hidden: &mut Hidden, seat: u8, ids: &[&str]) {
    let wanted: Vec<Bonus> = ids.iter().map(|id| bonus(id)).collect();
    let old: Vec<Bonus> = private.get(Seat(seat)).unwrap().bonus.to_vec();
    hidden.bonus_deck.retain(|of| !wanted.contains(of));
    let given_up = old.into_iter().filter(|card| !wanted.contains(card));
    let (light, mut dark): (Vec<Bonus>, Vec<Bonus>) =
        given_up.partition(|card| card.index() < Bonus::LIGHT);
    hidden.bonus_deck.extend(light);
    for (other, own) in private.iter_mut() {
        for held in &mut own.bonus {
            if other != Seat(seat)
                && wanted.contains(held)
                && let Some(instead) = dark.pop()
            {
                *held = instead;
            }
        }
    }
    private.get_mut(Seat(seat)).unwrap().bonus = wanted.into_iter().collect();
}

/// Takes Dark Tech cards out of their stack, into what a party has. A card that had been removed
/// unseen is exchanged for one of the stack.
pub(crate) fn own_dark_tech(public: &mut Public, hidden: &mut Hidden, party: u8, id: &str) {
    let card = dark_tech(id);
    let stack = &mut hidden.dark_tech[usize::from(card.data().level - 1)];
    match stack.iter().position(|&of| of == card) {
        Some(place) => drop(stack.remove(place)),
        None => drop(stack.pop()),
    }
    public.parties[usize::from(party)].dark_tech.insert(card);
}

/// Sees to it that a Dark Tech card lies in its stack, on top.
pub(crate) fn stack_dark_tech(hidden: &mut Hidden, id: &str) {
    let card = dark_tech(id);
    let stack = &mut hidden.dark_tech[usize::from(card.data().level - 1)];
    match stack.iter().position(|&of| of == card) {
        Some(place) => drop(stack.remove(place)),
        None => drop(stack.pop()),
    }
    stack.insert(0, card);
}

/// Builds an upgrade with a cube of the supply, as if it had been bought before.
pub(crate) fn build(public: &mut Public, party: u8, id: &str) {
    let board = &mut public.parties[usize::from(party)];
    board.upgrades.insert(upgrade(id));
    board.supply -= 1;
}

/// Places a station.
pub(crate) fn station(public: &mut Public, party: u8, station: Station, galaxy: Galaxy) {
    public.parties[usize::from(party)].stations[usize::from(station.index())] = Some(galaxy);
}

/// Bench B0: four humans, no modules, turn order A B C D, round 2, before ACT; the card lies
/// visible in A's slot 1.
pub(crate) fn b0(visible: &str) -> Table {
    bench(&options(), visible)
}

/// Bench B0 with other options.
pub(crate) fn bench(options: &Options, visible: &str) -> Table {
    let mut table = Table::new(options, 4);
    table.lay(|public, _, hidden| {
        public.round = 2;
        public.order = (0..4).map(Party).collect();
        lay_tiles(
            public,
            hidden,
            &[("pc_1", "p1_01"), ("pc_2", "p1_04"), ("ec_1", "p1_08")],
            &["p1_07", "p1_05", "p1_12", "p1_02"],
        );
        for (party, board) in public.parties.iter_mut().enumerate() {
            board.energy = if party == 0 { 10 } else { 5 };
            board.consumption = 40;
            board.gems = gems(1, 1, 0);
        }
        for planet in ["pc_1/0", "ec_1/0", "ec_1/1"] {
            put(public, planet, A, 1);
        }
        lay_card(public, hidden, A, 1, visible);
    });
    table
}

/// Bench B0 at A's first decision.
pub(crate) fn acting(visible: &str) -> Table {
    let mut table = b0(visible);
    table.begin_acting();
    table
}
