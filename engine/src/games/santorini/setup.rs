//! The set-up: the gods and the Start Player (4.1, 4.2).

use arrayvec::ArrayVec;

use super::components::{Board, Pieces, Supply, Workers};
use super::event::Event;
use super::god::{God, Gods};
use super::options::{BiaStart, Challenger, GodMode, Options, PieceSupply, StartPlayer};
use super::state::{Chaos, Public, Rules, Santorini, Stage, Turn};
use crate::chance::Chance;
use crate::cx::{Audience, Cx};
use crate::game::Game;
use crate::seat::{Seat, SeatSet, Viewer};

impl Santorini {
    /// The table with nothing on it, as far as nobody decides anything. The options have been
    /// checked. Draws the Challenger, the gods, the Start Player, Chaos' deck, in this order.
    pub(super) fn set_up(options: &Options, seats: u8, cx: &mut Cx<'_, Event>) -> Self {
        let mut table = Self::empty(options, seats);
        match options.god_mode {
            GodMode::None => {}
            GodMode::Draft => {
                let challenger = match options.challenger {
                    Challenger::Seat(seat) => seat,
                    Challenger::Random => any_seat(seats, cx.chance),
                };
                let public = &mut table.public;
                public.challenger = Some(challenger);
                public.on_turn = challenger;
                public.pool = options.pool(seats);
                public.stage = Stage::Offering;
                return table;
            }
            GodMode::Random => table.deal_random_gods(options.pool(seats), cx),
            GodMode::Fixed => {
                for (seat, god) in (0..).map(Seat).zip(&options.fixed_gods) {
                    if let Some(god) = *god {
                        table.take_god(seat, god, cx);
                    }
                }
            }
        }
        let start_player = match (table.bia_who_starts(), options.start_player) {
            (Some(bia), _) => bia,
            (None, StartPlayer::Seat(seat)) => seat,
            (None, StartPlayer::Random) => any_seat(seats, cx.chance),
        };
        table.begin_placing(start_player, cx);
        table
    }

    pub(super) fn empty(options: &Options, seats: u8) -> Self {
        let supply = match options.piece_supply {
            PieceSupply::Limited => Supply::Limited(Pieces::BOX),
            PieceSupply::Unlimited => Supply::Unlimited,
        };
        let public = Public {
            board: Board::default(),
            supply,
            workers: Workers::default(),
            stage: Stage::Offering,
            on_turn: Seat(0),
            seats,
            playing: SeatSet::first(seats),
            leaving: SeatSet::EMPTY,
            held: Default::default(),
            offer: Gods::NONE,
            pool: Gods::NONE,
            challenger: None,
            athena_lock: false,
            morpheus_pool: 0,
            chaos: Chaos::default(),
            additional_turns_owed: 0,
            turn: Turn::default(),
            turns: 0,
            max_turns: options.max_turns,
            max_moves_per_turn: options.max_moves_per_turn,
            start_player: None,
            rules: Rules {
                chaos_swap: options.chaos_swap,
                limus_text: options.limus_text,
                bia_placement: options.bia_placement,
                bia_start: options.bia_start,
                banned_pairs: options.banned_pairs,
            },
        };
        Self {
            public,
            deck: ArrayVec::new(),
        }
    }

    /// `random`: a god for each seat, each time one of those that may still come, in the order of
    /// the card numbers.
    fn deal_random_gods(&mut self, pool: Gods, cx: &mut Cx<'_, Event>) {
        let (seats, banned) = (self.public.seats, self.public.rules.banned_pairs);
        let mut dealt = Gods::NONE;
        for seat in (0..seats).map(Seat) {
            let open = banned.that_may_join(dealt, pool, seats);
            let nth = cx.chance.below(open.len().max(1).into());
            if let Some(god) = open.iter().nth(nth as usize) {
                dealt = dealt.with(god);
                self.take_god(seat, god, cx);
            }
        }
    }

    fn take_god(&mut self, seat: Seat, god: God, cx: &mut Cx<'_, Event>) {
        self.public.give(seat, Gods::only(god));
        cx.tell(Audience::All, || Event::GodTaken { seat, god });
    }

    /// 4.1 4: Bia's owner, if that makes the Start Player.
    fn bia_who_starts(&self) -> Option<Seat> {
        match self.public.rules.bia_start {
            BiaStart::PlacementOnly => None,
            BiaStart::StartPlayer => self.public.holder(God::Bia),
        }
    }

    /// D1: the Challenger adds a god to the offer. When it is full the player to the left takes
    /// first.
    pub(super) fn offer_god(&mut self, god: God, cx: &mut Cx<'_, Event>) {
        let public = &mut self.public;
        let seat = public.on_turn;
        public.offer = public.offer.with(god);
        cx.tell(Audience::All, || Event::GodOffered { seat, god });
        if public.offer.len() == public.seats {
            public.stage = Stage::Taking;
            public.on_turn = public.seat_after(seat);
        }
        self.decide_for_leaving(cx);
    }

    /// D2: a player takes a god. The Challenger gets the last one.
    pub(super) fn choose_god(&mut self, god: God, cx: &mut Cx<'_, Event>) {
        let seat = self.public.on_turn;
        self.public.offer = self.public.offer.without(god);
        self.take_god(seat, god, cx);
        let next = self.public.seat_after(seat);
        self.public.on_turn = next;
        if Some(next) == self.public.challenger {
            for last in std::mem::take(&mut self.public.offer).iter() {
                self.take_god(next, last, cx);
            }
            self.public.pool = Gods::NONE;
            match self.bia_who_starts() {
                Some(bia) => return self.begin_placing(bia, cx),
                None => self.public.stage = Stage::NamingStartPlayer,
            }
        }
        self.decide_for_leaving(cx);
    }

    /// D1: the gods that may be offered next (R70).
    pub(super) fn offerable(public: &Public) -> Gods {
        let banned = public.rules.banned_pairs;
        banned.that_may_join(public.offer, public.pool, public.seats)
    }

    /// It is known who starts: Chaos' deck is shuffled, and the workers are placed.
    pub(super) fn begin_placing(&mut self, start_player: Seat, cx: &mut Cx<'_, Event>) {
        self.public.start_player = Some(start_player);
        cx.tell(Audience::All, || Event::StartPlayerNamed {
            seat: start_player,
        });
        self.deal_chaos(cx);
        self.go_on_placing(cx);
    }

    /// Section 11: chance decides for who has left in the set-up, each legal action equally likely.
    pub(super) fn decide_for_leaving(&mut self, cx: &mut Cx<'_, Event>) {
        let seat = self.public.on_turn;
        if !self.public.leaving.contains(seat) || !self.public.stage.is_set_up() {
            return;
        }
        let legal = Self::legal_actions(self.seen(Viewer::Seat(seat)));
        let count = u32::try_from(legal.len()).unwrap_or(u32::MAX);
        if let Some(&action) = legal.get(cx.chance.below(count.max(1)) as usize) {
            self.play(action, cx);
        }
    }
}

fn any_seat(seats: u8, chance: &mut Chance) -> Seat {
    // Below the number of seats, so nothing is cut off.
    Seat(chance.below(u32::from(seats)) as u8)
}
