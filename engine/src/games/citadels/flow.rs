//! The flow of a game (section 5): rounds, calls, turns, and what happens by itself at their beginning and end.

use super::character::{self, Character, Rank, Ranks};
use super::district::{self, District};
use super::event::{DrawReason, Event, GoldReason};
use super::options::BallRoom;
use super::setup::setup;
use super::state::{Calls, Citadels, Public, Stage, Turn, TurnKind, Window};
use crate::cx::{Audience, Cx};
use crate::seat::{Seat, SeatSet};

impl Citadels {
    /// C1, C7: the whole deck is shuffled.
    pub(super) fn shuffle_deck(&mut self, cx: &mut Cx<'_, Event>) {
        cx.chance.shuffle(self.hidden.deck.as_mut_slice());
        self.forget_deck();
        let cards = self.hidden.deck.len();
        cx.tell(Audience::All, || Event::DeckShuffled { cards });
    }

    pub(super) fn start_round(&mut self, cx: &mut Cx<'_, Event>) {
        self.public.round += 1;
        self.public.turn = None;
        let crown = self.public.crown;
        self.public.calls = Calls::new(crown);
        let round = self.public.round;
        cx.tell(Audience::All, || Event::RoundStarted { round, crown });
        self.remove_characters(cx);
    }

    /// CALL (5.3): the next ranks are called, until somebody has to decide.
    pub(super) fn call_next(&mut self, cx: &mut Cx<'_, Event>) {
        self.public.turn = None;
        while self.public.calls.called < Rank::MAX {
            self.public.calls.called += 1;
            let rank = Rank(self.public.calls.called);
            let Some(character) = self.public.character(rank) else {
                continue;
            };
            cx.tell(Audience::All, || Event::Called { character });
            if self.public.calls.murdered == Some(rank) {
                if let Some(owner) = self.public.hospital_question(rank) {
                    self.public.stage = Stage::Hospital { owner };
                    return;
                }
            } else if let Some(seat) = self.holder(rank) {
                return self.reveal(seat, character, cx);
            }
            cx.tell(Audience::All, || Event::NoAnswer { character });
        }
        self.end_round(cx);
    }

    /// D3: the Hospital's owner has answered.
    pub(super) fn answer_hospital(&mut self, owner: Seat, uses: bool, cx: &mut Cx<'_, Event>) {
        let rank = Rank(self.public.calls.called);
        let Some(character) = self.public.character(rank) else {
            return;
        };
        if !uses {
            cx.tell(Audience::All, || Event::HospitalDeclined { seat: owner });
            cx.tell(Audience::All, || Event::NoAnswer { character });
            return self.call_next(cx);
        }
        cx.tell(Audience::All, || Event::HospitalUsed { seat: owner });
        self.show(owner, character, cx);
        self.begin(Turn::new(TurnKind::Hospital, owner, rank, character), cx);
        self.open_menu(Window::Pre);
    }

    /// The character card is shown to all.
    fn show(&mut self, seat: Seat, character: Character, cx: &mut Cx<'_, Event>) {
        if let Some(place) = self.public.calls.revealed.get_mut(character.rank().index()) {
            *place = Some(seat);
        }
        cx.tell(Audience::All, || Event::Revealed { seat, character });
    }

    /// From now on the seat acts as the character: its passive effects are this seat's.
    fn act_as(&mut self, seat: Seat, character: Character) {
        if let Some(place) = self.public.calls.acting.get_mut(character.rank().index()) {
            *place = Some(seat);
        }
    }

    fn begin(&mut self, turn: Turn, cx: &mut Cx<'_, Event>) {
        self.public.turn = Some(turn);
        let Turn {
            seat,
            character,
            kind,
            ..
        } = turn;
        cx.tell(Audience::All, || Event::TurnStarted {
            seat,
            character,
            kind,
        });
    }

    /// REVEAL (5.5).
    fn reveal(&mut self, seat: Seat, character: Character, cx: &mut Cx<'_, Event>) {
        let rank = character.rank();
        // Ball Room: the holder of the crown at the call counts.
        let greeting = self.public.owes_thanks(seat);
        // 1.
        self.show(seat, character, cx);
        // 2. Rulings 11, 12, 14: the stash at the call, always.
        if self.public.calls.robbed == Some(rank)
            && let Some(thief) = self.public.acts_as(Character::Thief)
        {
            let stash = self.public.boards[seat].gold;
            self.transfer(seat, thief, stash, GoldReason::Robbery, cx);
        }
        let bewitched = self.public.calls.bewitched == Some(rank);
        let kind = if bewitched {
            TurnKind::Bewitched
        } else if character == Character::Witch {
            TurnKind::WitchFirst
        } else {
            TurnKind::Normal
        };
        if !bewitched {
            self.act_as(seat, character);
        }
        let mut turn = Turn::new(kind, seat, rank, character);
        // Bewitched players are not asked.
        turn.greeting = greeting && !bewitched;
        self.begin(turn, cx);
        // 3.
        match character {
            Character::King => self.move_crown(seat, cx),
            // Ruling 36: of a bewitched Emperor the Witch decides, when she resumes.
            Character::Emperor if !bewitched => {
                self.public.stage = Stage::GiveCrown;
                return;
            }
            _ => {}
        }
        self.after_crown(cx);
    }

    /// D5: the Emperor, or the Witch as Emperor, gives the crown away; then he is paid.
    pub(super) fn give_crown(&mut self, emperor: Seat, to: Seat, cx: &mut Cx<'_, Event>) {
        self.move_crown(to, cx);
        let payer = &self.public.boards[to];
        if payer.gold == 0 && payer.hand == 0 {
            return self.after_crown(cx);
        }
        debug_assert_ne!(emperor, to);
        self.public.stage = Stage::PayEmperor { payer: to };
    }

    /// REVEAL 4 to 6: what comes once the crown is where it belongs.
    pub(super) fn after_crown(&mut self, cx: &mut Cx<'_, Event>) {
        let Some(turn) = self.public.turn else {
            return;
        };
        if turn.kind == TurnKind::WitchResumed {
            return self.give_bonus(cx);
        }
        // 4. Ruling 37.
        if turn.character == Character::TaxCollector
            && let Some(builder) = self.public.calls.arrears
        {
            let tax = character::tunables().tax_gold.into();
            self.transfer(builder, turn.seat, tax, GoldReason::Tax, cx);
        }
        // 5.
        if turn.greeting {
            match self.public.rules.ball_room {
                BallRoom::Explicit => {
                    self.public.stage = Stage::Thanks;
                    return;
                }
                BallRoom::Auto => {
                    cx.tell(Audience::All, || Event::Thanked { seat: turn.seat });
                }
            }
        }
        // 6.
        self.open_menu(Window::Pre);
    }

    /// D4: the called player has said thanks, or not.
    pub(super) fn answer_ball_room(&mut self, seat: Seat, thanks: bool, cx: &mut Cx<'_, Event>) {
        if thanks {
            cx.tell(Audience::All, || Event::Thanked { seat });
            self.open_menu(Window::Pre);
        } else {
            cx.tell(Audience::All, || Event::StayedSilent { seat });
            self.call_next(cx);
        }
    }

    pub(super) fn open_menu(&mut self, window: Window) {
        if let Some(turn) = &mut self.public.turn {
            turn.window = window;
        }
        self.public.stage = Stage::Menu;
    }

    /// The action is done (5.6): what follows depends on the kind of turn (5.4).
    pub(super) fn after_action(&mut self, cx: &mut Cx<'_, Event>) {
        let Some(turn) = self.public.turn else {
            return;
        };
        match turn.kind {
            TurnKind::Normal | TurnKind::WitchResumed => self.give_bonus(cx),
            TurnKind::WitchFirst => self.public.stage = Stage::Bewitch,
            TurnKind::Bewitched => {
                let seat = turn.seat;
                cx.tell(Audience::All, || Event::TurnEnded { seat });
                self.resume_witch(turn, cx);
            }
            TurnKind::Hospital => {
                let seat = turn.seat;
                cx.tell(Audience::All, || Event::TurnEnded { seat });
                self.call_next(cx);
            }
        }
    }

    /// D10: the Witch has named a character; her part is over, without the effects of an ended turn.
    pub(super) fn bewitch(&mut self, seat: Seat, character: Character, cx: &mut Cx<'_, Event>) {
        self.public.calls.bewitched = Some(character.rank());
        cx.tell(Audience::All, || Event::Bewitched { character });
        cx.tell(Audience::All, || Event::TurnEnded { seat });
        self.call_next(cx);
    }

    /// The Witch goes on as the character that she has bewitched.
    fn resume_witch(&mut self, bewitched: Turn, cx: &mut Cx<'_, Event>) {
        let Some(witch) = self.public.acts_as(Character::Witch) else {
            return self.call_next(cx);
        };
        let Turn {
            rank, character, ..
        } = bewitched;
        self.act_as(witch, character);
        self.begin(
            Turn::new(TurnKind::WitchResumed, witch, rank, character),
            cx,
        );
        if character == Character::Emperor {
            self.public.stage = Stage::GiveCrown;
        } else {
            self.give_bonus(cx);
        }
    }

    /// END_TURN (5.9).
    pub(super) fn end_turn(&mut self, cx: &mut Cx<'_, Event>) {
        let Some(turn) = self.public.turn else {
            return;
        };
        let seat = turn.seat;
        // 1. Rulings 38, 39.
        if turn.built {
            if turn.character == Character::Assassin {
                self.public.calls.arrears = Some(seat);
            }
            if let Some(collector) = self.public.acts_as(Character::TaxCollector) {
                let tax = character::tunables().tax_gold.into();
                self.transfer(seat, collector, tax, GoldReason::Tax, cx);
            }
        }
        let board = &self.public.boards[seat];
        let (park, poor_house) = (board.has(District::Park), board.has(District::PoorHouse));
        // 2.
        if poor_house && board.gold == 0 {
            let gold = district::tunables().poor_house_gold.into();
            self.gain(seat, gold, GoldReason::PoorHouse, cx);
        }
        // 3.
        if park && self.public.boards[seat].hand == 0 {
            self.draw(seat, district::tunables().park_cards, DrawReason::Park, cx);
        }
        // 4. Ruling 40: after the Poor House.
        if turn.character == Character::Alchemist {
            self.gain(seat, turn.spent, GoldReason::Refund, cx);
        }
        if turn.character == Character::Queen {
            self.public.calls.queen = Some(seat);
        }
        cx.tell(Audience::All, || Event::TurnEnded { seat });
        self.call_next(cx);
    }

    /// ROUND_END (5.10).
    fn end_round(&mut self, cx: &mut Cx<'_, Event>) {
        // 1. Rulings 15, 46.
        if self.public.calls.murdered == Some(Rank::KING)
            && let Some(holder) = self.holder(Rank::KING)
            && let Some(character) = self.public.character(Rank::KING)
        {
            if self.public.revealed(Rank::KING).is_none() {
                self.show(holder, character, cx);
            }
            if character == Character::Emperor {
                self.public.stage = Stage::MoveCrown { emperor: holder };
                return;
            }
            self.move_crown(holder, cx);
        }
        self.finish_round(cx);
    }

    /// ROUND_END 2 and 3: the Queen's delayed gold, and what comes next.
    pub(super) fn finish_round(&mut self, cx: &mut Cx<'_, Event>) {
        // Ruling 48.
        if self.public.calls.murdered == Some(Rank::KING)
            && let Some(queen) = self.public.calls.queen
            && let Some(king) = self.public.revealed(Rank::KING)
            && self.public.are_neighbors(queen, king)
        {
            let gold = character::tunables().queen_gold.into();
            self.gain(queen, gold, GoldReason::Queen, cx);
        }
        let round = self.public.round;
        cx.tell(Audience::All, || Event::RoundEnded { round });
        if self.public.end.is_some() || round >= setup().start.round_limit {
            self.score(cx);
        } else {
            self.start_round(cx);
        }
    }

    /// The seat draws cards; what nobody chooses.
    pub(super) fn draw(
        &mut self,
        seat: Seat,
        count: u8,
        reason: DrawReason,
        cx: &mut Cx<'_, Event>,
    ) {
        let cards = self.draw_to_hand(seat, count);
        let count = cards.len();
        if count == 0 {
            return;
        }
        let drawn = |cards| Event::CardsDrawn {
            seat,
            count,
            reason,
            cards,
        };
        let owner = SeatSet::only(seat);
        cx.tell(Audience::Only(owner), || drawn(Some(cards)));
        cx.tell(Audience::Except(owner), || drawn(None));
    }
}

impl Calls {
    /// Of a round that is just beginning.
    pub(super) fn new(first_picker: Seat) -> Self {
        Self {
            first_picker,
            face_up: Ranks::EMPTY,
            rank4_returned: false,
            called: 0,
            murdered: None,
            robbed: None,
            bewitched: None,
            revealed: [None; Rank::MAX as usize],
            acting: [None; Rank::MAX as usize],
            arrears: None,
            queen: None,
        }
    }
}

impl Public {
    /// Who has shown the card of this rank.
    pub fn revealed(&self, rank: Rank) -> Option<Seat> {
        self.calls.revealed.get(rank.index()).copied().flatten()
    }

    /// The ranks that the seat has shown.
    pub(super) fn shown_by(&self, seat: Seat) -> Ranks {
        Rank::all()
            .filter(|&rank| self.revealed(rank) == Some(seat))
            .collect()
    }

    /// D3: who is asked when this murdered rank is called: the Hospital's owner, unless all can see that he doesn't hold it.
    fn hospital_question(&self, rank: Rank) -> Option<Seat> {
        let owner = self.owner(District::Hospital)?;
        let picks = self.draft().map_or(1, |draft| draft.picks_per_player);
        let all_shown = self.shown_by(owner).len() >= u32::from(picks);
        (!self.calls.face_up.contains(rank) && !all_shown).then_some(owner)
    }

    /// Ball Room: its owner has the crown, and another player is called.
    fn owes_thanks(&self, called: Seat) -> bool {
        self.owner(District::BallRoom) == Some(self.crown) && called != self.crown
    }

    /// Whether one sits to the left of the other.
    pub(super) fn are_neighbors(&self, one: Seat, other: Seat) -> bool {
        self.left_of(one, 1) == other || self.left_of(other, 1) == one
    }

    /// D5, D17: to whom the crown can go: neither to its holder nor to the Emperor himself.
    pub(super) fn crown_targets(&self, emperor: Seat) -> impl Iterator<Item = Seat> + use<> {
        let crown = self.crown;
        self.others(emperor).filter(move |&seat| seat != crown)
    }
}
