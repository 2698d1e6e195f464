//! Sealed bids: a small game with everything that the core must carry: hidden hands and a deck,
//! dice, bids sealed at the same time, and a choice that betrays nothing.
//!
//! Of cards numbered from 1 each seat gets three; two more lie in the deck. In each round a die
//! shows the prize, all seats seal a card, and the highest card wins. The winner takes the prize,
//! or draws a card instead. After three rounds most points win.
//!
//! A bid may also be of several cards, which a seat seals one by one: nobody learns how far it is.
//!
//! The const parameter builds in a flaw, for the conformance suite to find.

use serde::{Deserialize, Serialize};
use tavola_engine::{
    ActionId, Audience, Block, Chance, Cx, Game, GameInfo, OptionsError, Outcome, Seat, SeatMap,
    SeatSet, Seen,
};

/// What is wrong with the game.
pub(crate) mod flaw {
    pub(crate) const NONE: u8 = 0;
    /// The card drawn is told to everybody.
    pub(crate) const LEAKS: u8 = 1;
    /// Any card may be bid.
    pub(crate) const ACCEPTS_UNLISTED: u8 = 2;
    /// The prize depends on something outside the state.
    pub(crate) const FORGETS: u8 = 3;
    /// The score depends on whether anybody listens.
    pub(crate) const LISTENS: u8 = 4;
    /// Whoever seals last gets a point.
    pub(crate) const COUNTS_ORDER: u8 = 5;
    /// The card drawn stays in the deck.
    pub(crate) const LOSES_CARDS: u8 = 6;
    /// All bids have the same label.
    pub(crate) const MUMBLES: u8 = 7;
    /// The canonical bytes leave out the deck.
    pub(crate) const HASHES_HALF: u8 = 8;
    /// The viewer's own hand is imagined too.
    pub(crate) const IMAGINES_TOO_MUCH: u8 = 9;
}

const CARDS_MAX: u8 = 4 * 3 + 2;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SealedBids<const FLAW: u8> {
    pub(crate) public: Public,
    pub(crate) private: SeatMap<Private>,
    pub(crate) deck: Vec<u8>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Options {
    pub(crate) rounds: u8,
    /// Cards of a bid.
    pub(crate) cards: u8,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            rounds: 3,
            cards: 1,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Public {
    pub(crate) cards: u8,
    pub(crate) bid_of: u8,
    pub(crate) players: SeatSet,
    pub(crate) rounds_left: u8,
    pub(crate) prize: u8,
    pub(crate) hands: SeatMap<u8>,
    pub(crate) played: Vec<u8>,
    pub(crate) scores: SeatMap<i32>,
    pub(crate) stage: Stage,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    Bidding { sealed: SeatSet },
    Choosing { winner: Seat },
    Over(Outcome),
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Private {
    pub(crate) hand: Vec<u8>,
    pub(crate) sealed: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Decision {
    Bid,
    Prize,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Action {
    Bid { card: u8 },
    Take,
    Draw,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    PrizeRolled { points: u8 },
    Sealed { seat: Seat },
    Revealed { bids: Vec<(Seat, Vec<u8>)> },
    Taken { seat: Seat, points: u8 },
    Drew { seat: Seat },
    Card { card: u8 },
    Left { seat: Seat },
    Over,
}

const BID: Block = Block::first(CARDS_MAX as u32);
const TAKE: Block = BID.then(1);
const DRAW: Block = TAKE.then(1);

impl<const FLAW: u8> Game for SealedBids<FLAW> {
    type Options = Options;
    type Public = Public;
    type Private = Private;
    type Decision = Decision;
    type Action = Action;
    type Event = Event;

    const INFO: GameInfo = GameInfo {
        slug: "sealed_bids",
        title: "Sealed bids",
        seats_min: 2,
        seats_max: 4,
        rules_version: 1,
        legal_max: 5,
        hidden: true,
    };
    const ACTION_SPACE: u32 = DRAW.end();

    fn plies_max(options: &Options, seats: u8) -> u32 {
        let answers = u32::from(seats) * u32::from(options.cards) + 1;
        u32::from(options.rounds) * answers + u32::from(seats)
    }

    fn new(options: &Options, seats: u8, cx: &mut Cx<'_, Event>) -> Result<Self, OptionsError> {
        Self::INFO.check_seats(seats)?;
        if !(1..=3).contains(&options.rounds) {
            return Err(OptionsError::new("rounds", "1 to 3"));
        }
        if options.cards == 0 || options.rounds * options.cards > 3 {
            return Err(OptionsError::new("cards", "1 to 3 in all rounds together"));
        }
        let cards = seats * 3 + 2;
        let mut deck: Vec<u8> = (1..=cards).collect();
        cx.chance.shuffle(&mut deck);
        let private = SeatMap::from_fn(seats, |_| {
            let mut hand = deck.split_off(deck.len() - 3);
            hand.sort_unstable();
            Private {
                hand,
                sealed: Vec::new(),
            }
        });
        let mut game = Self {
            public: Public {
                cards,
                bid_of: options.cards,
                players: SeatSet::first(seats),
                rounds_left: options.rounds,
                prize: 0,
                hands: SeatMap::from_fn(seats, |_| 3),
                played: Vec::new(),
                scores: SeatMap::from_fn(seats, |_| 0),
                stage: Stage::Bidding {
                    sealed: SeatSet::EMPTY,
                },
            },
            private,
            deck,
        };
        game.start_round(cx);
        Ok(game)
    }

    fn public(&self) -> &Public {
        &self.public
    }

    fn private(&self, seat: Seat) -> Option<&Private> {
        self.private.get(seat)
    }

    fn to_act(public: &Public) -> SeatSet {
        match public.stage {
            Stage::Bidding { sealed } => public
                .players
                .iter()
                .filter(|&seat| !sealed.contains(seat))
                .collect(),
            Stage::Choosing { winner } => SeatSet::only(winner),
            Stage::Over(_) => SeatSet::EMPTY,
        }
    }

    fn outcome(public: &Public) -> Option<&Outcome> {
        match &public.stage {
            Stage::Over(outcome) => Some(outcome),
            _ => None,
        }
    }

    fn decision(seen: Seen<'_, Self>) -> Option<Decision> {
        seen.seat
            .filter(|&seat| Self::to_act(seen.public).contains(seat))
            .map(|_| match seen.public.stage {
                Stage::Choosing { .. } => Decision::Prize,
                _ => Decision::Bid,
            })
    }

    fn legal_actions_into(seen: Seen<'_, Self>, out: &mut Vec<Action>) {
        out.clear();
        match (Self::decision(seen), seen.own) {
            (Some(Decision::Bid), Some(own)) => {
                out.extend(own.hand.iter().map(|&card| Action::Bid { card }))
            }
            (Some(Decision::Prize), _) if seen.public.deck_left() > 0 => {
                out.extend([Action::Take, Action::Draw])
            }
            (Some(Decision::Prize), _) => out.push(Action::Take),
            _ => {}
        }
    }

    fn is_legal(seen: Seen<'_, Self>, action: Action) -> bool {
        let any_card = FLAW == flaw::ACCEPTS_UNLISTED && matches!(action, Action::Bid { .. });
        Self::legal_actions(seen).contains(&action)
            || any_card && Self::decision(seen) == Some(Decision::Bid)
    }

    fn why_not(_seen: Seen<'_, Self>, action: Action) -> &'static str {
        match action {
            Action::Bid { .. } => "a card is bid from the hand (1)",
            Action::Take | Action::Draw => {
                "the winner takes the prize or draws, if there is a card (2)"
            }
        }
    }

    fn label(_seen: Seen<'_, Self>, action: Action, out: &mut String) {
        match action {
            Action::Bid { .. } if FLAW == flaw::MUMBLES => out.push_str("a card"),
            _ => out.push_str(&format!("{action:?}")),
        }
    }

    fn apply_unchecked(&mut self, seat: Seat, action: Action, cx: &mut Cx<'_, Event>) {
        match action {
            Action::Bid { card } => self.seal(seat, card, cx),
            Action::Take => {
                let points = self.public.prize;
                *self.public.scores.get_mut(seat).unwrap() += i32::from(points);
                cx.tell(Audience::All, || Event::Taken { seat, points });
                self.start_round(cx);
            }
            Action::Draw => {
                let drawn = self.deck.pop().unwrap();
                if FLAW == flaw::LOSES_CARDS {
                    self.deck.push(drawn);
                }
                let own = self.private.get_mut(seat).unwrap();
                own.hand.push(drawn);
                own.hand.sort_unstable();
                *self.public.hands.get_mut(seat).unwrap() += 1;
                cx.tell(Audience::All, || Event::Drew { seat });
                let owner = if FLAW == flaw::LEAKS {
                    Audience::All
                } else {
                    Audience::Only(SeatSet::only(seat))
                };
                cx.tell(owner, || Event::Card { card: drawn });
                self.start_round(cx);
            }
        }
    }

    fn resign(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        self.public.players = self.public.players.without(seat);
        cx.tell(Audience::All, || Event::Left { seat });
        if !self.public.sealed().contains(seat) {
            self.take_back(seat);
        }
        if self.public.players.len() < 2 {
            return self.finish(cx);
        }
        match self.public.stage {
            Stage::Bidding { .. } => self.reveal_if_sealed(cx),
            Stage::Choosing { winner } if winner == seat => self.start_round(cx),
            _ => {}
        }
    }

    /// Every way to deal out the cards that the viewer hasn't seen is equally likely, and so is each
    /// number of cards that may be sealed.
    fn determinize(seen: Seen<'_, Self>, chance: &mut Chance) -> Self {
        let public = seen.public.clone();
        let mut own = seen.own.cloned().unwrap_or_default();
        if FLAW == flaw::IMAGINES_TOO_MUCH {
            own.hand.reverse();
        }
        let seats = public.hands.iter().count() as u8;
        let unseen = |card: &u8| {
            ![&public.played, &own.hand, &own.sealed]
                .into_iter()
                .any(|seen| seen.contains(card))
        };
        let mut deck: Vec<u8> = (1..=public.cards).filter(unseen).collect();
        chance.shuffle(&mut deck);
        let private = SeatMap::from_fn(seats, |seat| {
            if seen.seat == Some(seat) {
                return own.clone();
            }
            let bid_of = usize::from(public.bid_of);
            let (done, sealed) = match public.stage {
                Stage::Bidding { sealed } if sealed.contains(seat) => (bid_of, bid_of),
                Stage::Bidding { .. } if public.players.contains(seat) => {
                    (0, chance.below(bid_of as u32) as usize)
                }
                _ => (0, 0),
            };
            // What is sealed of a bid that isn't complete still counts as held.
            let held = usize::from(*public.hands.get(seat).unwrap()) + done;
            let mut hand = deck.split_off(deck.len() - held);
            let sealed = hand.split_off(held - sealed);
            hand.sort_unstable();
            Private { hand, sealed }
        });
        Self {
            public,
            private,
            deck,
        }
    }

    fn encode(action: Action) -> ActionId {
        match action {
            Action::Bid { card } => BID.id(u32::from(card) - 1),
            Action::Take => TAKE.id(0),
            Action::Draw => DRAW.id(0),
        }
    }

    fn decode(id: ActionId) -> Option<Action> {
        let bid = BID.offset(id).map(|offset| Action::Bid {
            card: offset as u8 + 1,
        });
        bid.or(TAKE.offset(id).map(|_| Action::Take))
            .or(DRAW.offset(id).map(|_| Action::Draw))
    }

    fn write_canonical(&self, out: &mut Vec<u8>) {
        let Self {
            public,
            private,
            deck,
        } = self;
        let deck = if FLAW == flaw::HASHES_HALF {
            &Vec::new()
        } else {
            deck
        };
        out.extend(format!("{public:?} {private:?} {deck:?}").into_bytes());
    }
}

impl Public {
    /// The seats whose bids are complete.
    fn sealed(&self) -> SeatSet {
        match self.stage {
            Stage::Bidding { sealed } => sealed,
            _ => SeatSet::EMPTY,
        }
    }

    fn deck_left(&self) -> usize {
        let sealed = self.sealed().len() as usize * usize::from(self.bid_of);
        let held: u8 = self.hands.iter().map(|(_, hand)| hand).sum();
        usize::from(self.cards) - usize::from(held) - sealed - self.played.len()
    }
}

impl<const FLAW: u8> SealedBids<FLAW> {
    fn start_round(&mut self, cx: &mut Cx<'_, Event>) {
        if self.public.rounds_left == 0 {
            return self.finish(cx);
        }
        self.public.rounds_left -= 1;
        self.public.prize = cx.chance.die(6);
        if FLAW == flaw::FORGETS {
            use std::sync::atomic::{AtomicU8, Ordering};
            static ROLLS: AtomicU8 = AtomicU8::new(0);
            self.public.prize = ROLLS.fetch_add(1, Ordering::Relaxed);
        }
        let points = self.public.prize;
        let mut heard = false;
        cx.tell(Audience::All, || {
            heard = true;
            Event::PrizeRolled { points }
        });
        if FLAW == flaw::LISTENS && heard {
            *self.public.scores.get_mut(Seat(0)).unwrap() += 1;
        }
        self.public.stage = Stage::Bidding {
            sealed: SeatSet::EMPTY,
        };
    }

    fn seal(&mut self, seat: Seat, card: u8, cx: &mut Cx<'_, Event>) {
        let bid_of = self.public.bid_of;
        let own = self.private.get_mut(seat).unwrap();
        own.hand.retain(|&held| held != card);
        own.sealed.push(card);
        if own.sealed.len() < usize::from(bid_of) {
            return;
        }
        let Stage::Bidding { sealed } = &mut self.public.stage else {
            return;
        };
        *sealed = sealed.with(seat);
        let all = *sealed == self.public.players;
        *self.public.hands.get_mut(seat).unwrap() -= bid_of;
        cx.tell(Audience::All, || Event::Sealed { seat });
        if FLAW == flaw::COUNTS_ORDER && all {
            *self.public.scores.get_mut(seat).unwrap() += 1;
        }
        self.reveal_if_sealed(cx);
    }

    fn reveal_if_sealed(&mut self, cx: &mut Cx<'_, Event>) {
        let Stage::Bidding { sealed } = self.public.stage else {
            return;
        };
        let players = self.public.players;
        if !players.iter().all(|seat| sealed.contains(seat)) {
            return;
        }
        let mut bids = Vec::new();
        // The bid of somebody who has left meanwhile is revealed, but doesn't count.
        for seat in sealed.iter() {
            let bid = std::mem::take(&mut self.private.get_mut(seat).unwrap().sealed);
            self.public.played.extend(&bid);
            bids.push((seat, bid));
        }
        let &(winner, _) = bids
            .iter()
            .filter(|&&(seat, _)| players.contains(seat))
            .max_by_key(|(_, bid)| (bid.iter().sum::<u8>(), bid.iter().max().copied()))
            .unwrap();
        cx.tell(Audience::All, || Event::Revealed { bids });
        self.public.stage = Stage::Choosing { winner };
    }

    fn finish(&mut self, cx: &mut Cx<'_, Event>) {
        // Sealed cards stay where they are, and secret.
        for seat in self.public.sealed().iter() {
            *self.public.hands.get_mut(seat).unwrap() += self.public.bid_of;
        }
        let seats: Vec<Seat> = self.private.iter().map(|(seat, _)| seat).collect();
        for seat in seats {
            self.take_back(seat);
        }
        let players = self.public.players;
        let score = |seat: Seat| *self.public.scores.get(seat).unwrap();
        let best = players.iter().map(score).max().unwrap_or_default();
        let winners = players.iter().filter(|&seat| score(seat) == best).collect();
        let returns = SeatMap::from_fn(self.public.hands.iter().count() as u8, score);
        self.public.stage = Stage::Over(Outcome { winners, returns });
        cx.tell(Audience::All, || Event::Over);
    }

    /// What the seat has sealed goes back to its hand.
    fn take_back(&mut self, seat: Seat) {
        let own = self.private.get_mut(seat).unwrap();
        own.hand.append(&mut own.sealed);
        own.hand.sort_unstable();
    }

    /// Every card is in one place.
    pub(crate) fn conserved(&self) -> Result<(), String> {
        let held = self
            .private
            .iter()
            .flat_map(|(_, own)| own.hand.iter().chain(&own.sealed));
        let mut cards: Vec<u8> = self
            .deck
            .iter()
            .chain(&self.public.played)
            .chain(held)
            .copied()
            .collect();
        cards.sort_unstable();
        if cards.iter().copied().eq(1..=self.public.cards) {
            Ok(())
        } else {
            Err(format!("the cards are {cards:?}"))
        }
    }
}
