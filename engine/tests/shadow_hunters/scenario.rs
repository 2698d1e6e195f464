//! Given, when, then: a table in the words of the rules page.
//!
//! `4: A emi d3 @1 [chainsaw] R / B werewolf @1` is a table for four with seats 0 and 1 as said;
//! the other seats have characters that the allocation leaves, hidden and not on the board. Further
//! words: `dead`, `void`, `used`, `guardian`, `barrier`, `capriccio`.

use tavola_engine::games::shadow_hunters::tables::Allocation;
use tavola_engine::games::shadow_hunters::{
    Action, Area, Card, Character, Deck, Equipment, Event, Faction, HermitCard, Options, Player,
    Position, Public, Question, ShadowHunters, Slot, Step,
};
use tavola_engine::{Audience, Chance, Cx, Game, Seat, SeatSet, Viewer};

/// Layout L of the page: Cabin, Church | Cemetery, Woods | Gate, Altar.
pub(crate) const LAYOUT: [Area; 6] = [
    Area::HermitsCabin,
    Area::Church,
    Area::Cemetery,
    Area::WeirdWoods,
    Area::UnderworldGate,
    Area::ErstwhileAltar,
];

/// What is as little as one can do, wherever it is open.
pub(crate) const IDLE: [Action; 5] = [
    Action::Pass,
    Action::RollMove,
    Action::SkipArea,
    Action::DeclineAttack,
    Action::DealDamage,
];

/// The seat of this letter.
pub(crate) fn seat(letter: char) -> Seat {
    Seat(letter as u8 - b'A')
}

/// The seats of these letters.
pub(crate) fn seats(letters: &str) -> SeatSet {
    letters.chars().map(seat).collect()
}

/// The equipment of this id.
pub(crate) fn equipment(id: &str) -> Equipment {
    id.parse::<Card>().unwrap().equipment().unwrap()
}

/// A table to be set up.
#[derive(Clone)]
pub(crate) struct Given {
    position: Position,
    dice: Vec<u32>,
}

/// The table that the text describes, at the start of the active player's turn. A is active.
pub(crate) fn given(text: &str) -> Given {
    let (count, text) = match text.split_once(':') {
        Some((count, rest)) => (count.trim().parse().unwrap(), rest),
        None => (5, text),
    };
    let players = text.split('/').zip('A'..);
    let mut players: Vec<(Character, Player)> = players.map(player).collect();
    let fillers = "gregor george ellen franklin emi fu_ka wight unknown vampire werewolf ultra_soul valkyrie bryan charles agnes \
                   allie bob catherine david daniel";
    for id in fillers.split_whitespace() {
        let character: Character = id.parse().unwrap();
        let taken = |of: Faction| {
            players
                .iter()
                .filter(|(other, _)| other.faction() == of)
                .count()
        };
        let room = Allocation::of(count).count(character.faction());
        if players.len() < usize::from(count)
            && players.iter().all(|(other, _)| *other != character)
            && taken(character.faction()) < usize::from(room)
        {
            players.push((character, Player::default()));
        }
    }
    assert_eq!(players.len(), usize::from(count), "{text}");
    Given {
        position: Position {
            options: Options::default(),
            areas: LAYOUT,
            players,
            active: Seat(0),
            step: Step::Begin,
            turn: 1,
            white_next: Vec::new(),
            black_next: Vec::new(),
            hermit_next: Vec::new(),
            discarded: Vec::new(),
            used_up: Vec::new(),
        },
        dice: Vec::new(),
    }
}

fn player((text, letter): (&str, char)) -> (Character, Player) {
    let text = text.replace(", ", ",");
    let mut words = text.split_whitespace();
    assert_eq!(words.next(), Some(letter.to_string().as_str()), "{text}");
    let character: Character = words.next().unwrap().parse().unwrap();
    let mut player = Player::default();
    for word in words {
        match word {
            "R" => player.character = Some(character),
            "dead" => {
                player.alive = false;
                player.character = Some(character);
                player.damage = character.hp();
            }
            "void" => player.ability_void = true,
            "used" => player.ability_used = true,
            "guardian" => player.guardian = true,
            "barrier" => player.barrier = true,
            "capriccio" => player.capriccio = true,
            _ => match (word.chars().next().unwrap(), &word[1..]) {
                ('d', number) => player.damage = number.parse().unwrap(),
                ('@', number) => player.slot = Slot::new(number.parse().unwrap()),
                ('[', row) => {
                    let row = row.trim_end_matches(']');
                    player.equipment.extend(row.split(',').map(equipment));
                }
                _ => panic!("what is {word}?"),
            },
        }
    }
    (character, player)
}

impl Given {
    /// The step of the turn that comes next.
    pub(crate) fn at(mut self, step: Step) -> Self {
        self.position.step = step;
        self
    }

    pub(crate) fn active(mut self, letter: char) -> Self {
        self.position.active = seat(letter);
        self
    }

    pub(crate) fn turn(mut self, turn: u16) -> Self {
        self.position.turn = turn;
        self
    }

    pub(crate) fn options(mut self, change: impl FnOnce(&mut Options)) -> Self {
        change(&mut self.position.options);
        self
    }

    /// White and Black cards that come next, the first one first.
    pub(crate) fn next(mut self, ids: &str) -> Self {
        use tavola_engine::games::shadow_hunters::Color;
        for id in ids.split_whitespace() {
            let card: Card = id.parse().unwrap();
            match card.color() {
                Color::White => self.position.white_next.push(card),
                Color::Black => self.position.black_next.push(card),
            }
        }
        self
    }

    pub(crate) fn hermit(mut self, card: HermitCard) -> Self {
        self.position.hermit_next.push(card);
        self
    }

    /// Cards in the discard piles, from bottom to top.
    pub(crate) fn discarded(mut self, ids: &str) -> Self {
        let cards = ids.split_whitespace().map(|id| id.parse::<Card>().unwrap());
        self.position.discarded.extend(cards);
        self
    }

    pub(crate) fn used_up(mut self, deck: Deck) -> Self {
        self.position.used_up.push(deck);
        self
    }

    /// What the dice will show up to the first decision.
    pub(crate) fn dice(mut self, faces: &[u32]) -> Self {
        self.dice.extend(faces);
        self
    }

    /// Another character at a seat, all else alike.
    pub(crate) fn with(self, letter: char, id: &str) -> Self {
        self.seated(letter, id.parse().unwrap())
    }

    pub(crate) fn seated(mut self, letter: char, character: Character) -> Self {
        self.position.players[usize::from(seat(letter).0)].0 = character;
        self
    }

    pub(crate) fn start(self) -> Table {
        let mut chance = Chance::scripted(self.dice);
        let mut log = Vec::new();
        let state = self
            .position
            .start(&mut Cx::new(&mut chance, Some(&mut log)))
            .unwrap();
        Table {
            state,
            chance,
            log,
            asked_so_far: Vec::new(),
        }
    }
}

/// A table in play, with everything that was told so far.
#[derive(Clone)]
pub(crate) struct Table {
    pub(crate) state: ShadowHunters,
    chance: Chance,
    pub(crate) log: Vec<(Audience, Event)>,
    /// Who was asked what, in order.
    pub(crate) asked_so_far: Vec<(Seat, Question)>,
}

impl Table {
    pub(crate) fn public(&self) -> &Public {
        self.state.public()
    }

    pub(crate) fn player(&self, letter: char) -> &Player {
        self.public().player(seat(letter))
    }

    pub(crate) fn damage(&self, letter: char) -> u8 {
        self.player(letter).damage
    }

    pub(crate) fn slot(&self, letter: char) -> Option<u8> {
        self.player(letter).slot.map(Slot::number)
    }

    pub(crate) fn owns(&self, letter: char, id: &str) -> bool {
        self.player(letter).owns(equipment(id))
    }

    pub(crate) fn hidden(&self, letter: char) -> bool {
        self.player(letter).is_hidden()
    }

    pub(crate) fn alive(&self, letter: char) -> bool {
        self.player(letter).alive
    }

    pub(crate) fn over(&self) -> bool {
        ShadowHunters::outcome(self.public()).is_some()
    }

    /// The game is over and these have won.
    #[track_caller]
    pub(crate) fn won_by(&self, letters: &str) {
        let outcome = ShadowHunters::outcome(self.public()).expect("the game goes on");
        assert_eq!(outcome.winners, seats(letters), "{outcome:?}");
        for (seat, &returns) in outcome.returns.iter() {
            assert_eq!(returns, i32::from(outcome.winners.contains(seat)));
        }
    }

    /// The rolls that come.
    pub(crate) fn dice(mut self, faces: &[u32]) -> Self {
        assert_eq!(self.chance.script_fits(), Ok(()));
        self.chance = Chance::scripted(faces.iter().copied());
        self
    }

    /// Who is asked what.
    pub(crate) fn asked(&self) -> Option<(char, Question)> {
        let ask = self.public().asked()?;
        Some(((b'A' + ask.seat.0) as char, ask.question))
    }

    /// What the one who is asked may do.
    pub(crate) fn legal(&self) -> Vec<Action> {
        self.public().asked().map_or(Vec::new(), |ask| {
            ShadowHunters::legal_actions(self.state.seen(Viewer::Seat(ask.seat)))
        })
    }

    /// The same without what may be done besides (5, *Piggyback*).
    pub(crate) fn list(&self) -> Vec<Action> {
        let mut list = self.legal();
        list.retain(|action| {
            !matches!(
                action,
                Action::Reveal | Action::UseAbility | Action::DigUp { .. }
            )
        });
        list
    }

    fn apply(&mut self, seat: Seat, action: Action) {
        let asked = self.public().asked().map(|ask| (ask.seat, ask.question));
        self.asked_so_far.extend(asked);
        let mut cx = Cx::new(&mut self.chance, Some(&mut self.log));
        let played = self.state.apply(seat, action, &mut cx);
        assert_eq!(played, Ok(()), "{action:?}");
        if let Err(
            fault @ (tavola_engine::ScriptFault::RanOut
            | tavola_engine::ScriptFault::OutOfRange { .. }),
        ) = self.chance.script_fits()
        {
            panic!("{action:?} of {seat}: {fault}");
        }
    }

    /// Nobody does anything until this is so.
    #[track_caller]
    pub(crate) fn until(mut self, reached: impl Fn(char, Question) -> bool) -> Self {
        for _ in 0..300 {
            let Some((letter, question)) = self.asked() else {
                panic!("the game is over");
            };
            if reached(letter, question) {
                return self;
            }
            self.idle(letter, question);
        }
        panic!("never reached");
    }

    /// The one who is asked does as little as possible.
    #[track_caller]
    pub(crate) fn idle(&mut self, letter: char, question: Question) {
        let legal = self.legal();
        let Some(action) = IDLE.into_iter().find(|action| legal.contains(action)) else {
            panic!("{letter} has to choose in {question:?}: {legal:?}");
        };
        self.apply(seat(letter), action);
    }

    /// The player does this as soon as he can; until then nobody does anything.
    #[track_caller]
    pub(crate) fn does(self, letter: char, action: Action) -> Self {
        let before = self.asked();
        let mut table = self.until_legal(letter, action, before);
        table.apply(seat(letter), action);
        table
    }

    #[track_caller]
    fn until_legal(
        mut self,
        letter: char,
        action: Action,
        before: Option<(char, Question)>,
    ) -> Self {
        for _ in 0..300 {
            match self.asked() {
                Some((asked, _)) if asked == letter && self.legal().contains(&action) => {
                    return self;
                }
                Some((asked, question)) => self.idle(asked, question),
                None => break,
            }
        }
        panic!("{letter} can't {action}; asked was {before:?}");
    }

    /// The player is asked now, and does this.
    #[track_caller]
    pub(crate) fn now(mut self, letter: char, action: Action) -> Self {
        assert_eq!(
            self.asked().map(|(asked, _)| asked),
            Some(letter),
            "{:?}",
            self.asked()
        );
        assert!(self.legal().contains(&action), "{:?}", self.legal());
        self.apply(seat(letter), action);
        self
    }

    /// The windows of the attack pass, and everything of it that nobody chooses happens.
    #[track_caller]
    pub(crate) fn after_attack_window(mut self) -> Self {
        while let Some((letter, question @ Question::WindowAttack { .. })) = self.asked() {
            self.idle(letter, question);
        }
        self
    }

    /// The player answers the open questions as little as possible until the next turn's start
    /// window, or the end.
    #[track_caller]
    pub(crate) fn pass_the_turn(mut self) -> Self {
        let turn = self.public().turn;
        for _ in 0..300 {
            match self.asked() {
                Some((letter, question)) if self.public().turn == turn => {
                    self.idle(letter, question)
                }
                _ => return self,
            }
        }
        panic!("the turn never ends");
    }

    /// What everybody was told.
    pub(crate) fn told(&self) -> Vec<Event> {
        self.heard(None)
    }

    /// What this seat was told; `None` is a spectator.
    pub(crate) fn heard(&self, listener: Option<Seat>) -> Vec<Event> {
        let heard = self
            .log
            .iter()
            .filter(|(audience, _)| audience.includes(listener));
        heard.map(|(_, event)| *event).collect()
    }

    /// The cards of a discard pile, from bottom to top.
    pub(crate) fn discard(&self, color: tavola_engine::games::shadow_hunters::Color) -> &[Card] {
        self.public().discard(color)
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert_eq!(self.chance.script_fits(), Ok(()), "dice are left");
        }
    }
}
