//! The powers of ranks 1 to 7 and 9 (section 7). What characters get by themselves stands in `flow` and `taking`.

use super::cards::Cards;
use super::character::{Character, Rank, tunables};
use super::district::{Color, District};
use super::event::{CardReason, DrawReason, Event, GoldReason, UnderReason};
use super::state::{Citadels, Public, Stage, Turn, Window};
use crate::cx::{Audience, Cx};
use crate::seat::{Seat, SeatSet};

impl Public {
    /// Income: gold for each district of the character's color, the School of Magic counting as one.
    pub(super) fn income(&self, turn: &Turn) -> u16 {
        // Ruling 28.
        let Some(color) = turn.character.card().income_color else {
            return 0;
        };
        let city = &self.boards[turn.seat].city;
        let districts = city
            .iter()
            .filter(|built| {
                built.district.color() == color || built.district == District::SchoolOfMagic
            })
            .count();
        debug_assert_ne!(color, Color::Purple);
        districts as u16 * u16::from(tunables().income_per_district)
    }

    /// Assassin and Witch: any other character of the set.
    pub(super) fn other_characters(&self, own: Character) -> impl Iterator<Item = Character> + '_ {
        Character::ALL
            .into_iter()
            .filter(move |&character| character != own && self.in_set(character))
    }

    /// Thief: not rank 1, not himself, neither murdered nor bewitched (ruling 13).
    pub(super) fn can_be_robbed(&self, character: Character) -> bool {
        let rank = character.rank();
        self.in_set(character)
            && rank > Rank::THIEF
            && self.calls.murdered != Some(rank)
            && self.calls.bewitched != Some(rank)
    }

    /// Abbot: the one player who has the most gold of all, if it is another (ruling 49).
    pub(super) fn tithe_payer(&self, abbot: Seat) -> Option<Seat> {
        let most = self.seated().map(|seat| self.boards[seat].gold).max()?;
        let mut richest = self.seated().filter(|&seat| self.boards[seat].gold == most);
        let payer = richest.next()?;
        (richest.next().is_none() && payer != abbot).then_some(payer)
    }

    /// Queen: rank 4 has answered the call beside her (rulings 47, 48).
    pub(super) fn sits_beside_king(&self, queen: Seat) -> bool {
        self.calls.murdered != Some(Rank::KING)
            && self
                .revealed(Rank::KING)
                .is_some_and(|king| self.are_neighbors(queen, king))
    }
}

impl Citadels {
    fn use_power(&mut self) {
        if let Some(turn) = &mut self.public.turn {
            turn.used.power = true;
        }
    }

    /// `collect_income`.
    pub(super) fn collect_income(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        let Some(turn) = &mut self.public.turn else {
            return;
        };
        turn.used.income = true;
        let turn = *turn;
        let gold = self.public.income(&turn);
        self.gain(seat, gold, GoldReason::Income, cx);
    }

    /// Assassin: `murder`.
    pub(super) fn murder(&mut self, character: Character, cx: &mut Cx<'_, Event>) {
        self.use_power();
        self.public.calls.murdered = Some(character.rank());
        cx.tell(Audience::All, || Event::Murdered { character });
    }

    /// Thief: `rob`.
    pub(super) fn rob(&mut self, character: Character, cx: &mut Cx<'_, Event>) {
        self.use_power();
        self.public.calls.robbed = Some(character.rank());
        cx.tell(Audience::All, || Event::RobberyAnnounced { character });
    }

    /// Magician: `magician_swap`.
    pub(super) fn magician_swap(&mut self, seat: Seat, with: Seat, cx: &mut Cx<'_, Event>) {
        self.use_power();
        self.swap_hands(seat, with);
        cx.tell(Audience::All, || Event::HandsSwapped { seat, with });
        for seat in [seat, with] {
            let cards = self.private[seat].hand;
            cx.tell(Audience::Only(SeatSet::only(seat)), || {
                Event::HandReceived { seat, cards }
            });
        }
    }

    /// Magician: `magician_redraw`.
    pub(super) fn magician_redraw(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        self.use_power();
        self.public.stage = Stage::Mark { marked: 0 };
        cx.tell(Audience::All, || Event::RedrawStarted { seat });
    }

    /// D11: a card goes under the deck.
    pub(super) fn mark_card(&mut self, seat: Seat, card: District, cx: &mut Cx<'_, Event>) {
        if let Stage::Mark { marked } = &mut self.public.stage {
            *marked += 1;
        }
        self.hand_loses(seat, card, Audience::Only(SeatSet::only(seat)));
        self.put_under_by(seat, card, UnderReason::Redraw, cx);
    }

    /// D11: as many are drawn.
    pub(super) fn redraw_done(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        if let Stage::Mark { marked } = self.public.stage {
            self.draw(seat, marked, DrawReason::Redraw, cx);
        }
        self.public.stage = Stage::Menu;
    }

    /// Wizard: `wizard_look`.
    pub(super) fn wizard_look(&mut self, seat: Seat, player: Seat, cx: &mut Cx<'_, Event>) {
        self.use_power();
        self.learn_hand(seat, player);
        self.public.stage = Stage::WizardTake { from: player };
        let cards = self.private[player].hand;
        let looked = |cards: Option<Cards>| Event::HandLookedAt {
            seat,
            player,
            cards,
        };
        cx.tell(Audience::Only(SeatSet::only(seat)), || looked(Some(cards)));
        cx.tell(Audience::Except(SeatSet::only(seat)), || looked(None));
    }

    /// D12: the Wizard takes a card. Before the action he keeps it; after it he is asked (D13).
    pub(super) fn wizard_take(&mut self, seat: Seat, card: District, cx: &mut Cx<'_, Event>) {
        let Stage::WizardTake { from } = self.public.stage else {
            return;
        };
        self.move_card(from, seat, card, CardReason::Wizard, cx);
        self.public.stage = Stage::Menu;
        if self
            .public
            .turn
            .is_some_and(|turn| turn.window == Window::Post)
        {
            self.private[seat].taken = Some(card);
            self.private[from].taken = Some(card);
            self.public.stage = Stage::WizardBuild { from };
        }
    }

    /// D13: the card is kept, or paid for and built at once.
    pub(super) fn answer_wizard(&mut self, seat: Seat, builds: bool, cx: &mut Cx<'_, Event>) {
        let Stage::WizardBuild { from } = self.public.stage else {
            return;
        };
        self.private[from].taken = None;
        let card = self.private[seat].taken.take();
        self.public.stage = Stage::Menu;
        if builds && let Some(card) = card {
            self.build(seat, card, true, cx);
        }
    }

    /// A card goes from hand to hand; the two see which.
    fn move_card(
        &mut self,
        from: Seat,
        to: Seat,
        card: District,
        reason: CardReason,
        cx: &mut Cx<'_, Event>,
    ) {
        let both = SeatSet::only(from).with(to);
        self.hand_loses(from, card, Audience::Only(both));
        self.hand_gains(to, card, Audience::Only(both));
        let moved = |card| Event::CardMoved {
            from,
            to,
            card,
            reason,
        };
        cx.tell(Audience::Only(both), || moved(Some(card)));
        cx.tell(Audience::Except(both), || moved(None));
    }

    /// D6: the new holder of the crown pays gold, or a card of his choice.
    pub(super) fn pay_emperor(
        &mut self,
        payer: Seat,
        card: Option<District>,
        cx: &mut Cx<'_, Event>,
    ) {
        let Some(turn) = self.public.turn else {
            return;
        };
        match card {
            None => {
                let gold = tunables().emperor_gold.into();
                self.transfer(payer, turn.seat, gold, GoldReason::Emperor, cx);
            }
            Some(card) => self.move_card(payer, turn.seat, card, CardReason::Emperor, cx),
        }
        self.after_crown(cx);
    }

    /// Abbot: `abbot_tithe`.
    pub(super) fn abbot_tithe(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        self.use_power();
        if let Some(payer) = self.public.tithe_payer(seat) {
            let gold = tunables().tithe_gold.into();
            self.transfer(payer, seat, gold, GoldReason::Tithe, cx);
        }
    }

    /// Queen: `queen_gold`.
    pub(super) fn queen_gold(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        self.use_power();
        self.gain(seat, tunables().queen_gold.into(), GoldReason::Queen, cx);
    }

    /// Artist: `beautify`. The gold lies on the district: it comes to the bank when the district is destroyed.
    pub(super) fn beautify(&mut self, seat: Seat, district: District, cx: &mut Cx<'_, Event>) {
        if let Some(turn) = &mut self.public.turn {
            turn.beautified += 1;
        }
        let board = &mut self.public.boards[seat];
        let plain = board
            .city
            .iter_mut()
            .find(|built| built.district == district && !built.beautified);
        if let Some(built) = plain {
            built.beautified = true;
            board.gold = board.gold.saturating_sub(tunables().beautify_gold.into());
        }
        cx.tell(Audience::All, || Event::Beautified { seat, district });
    }
}
