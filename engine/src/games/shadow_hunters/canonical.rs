//! The bytes behind the state hash.
//!
//! In this order: options (4 fields), areas by slot, the number of players and each one's public
//! part, active seat, turn, pile sizes, discard piles with their lengths, the card in play, the
//! stack of frames with its length, the ending; then each seat's private part; then the hidden
//! piles. Numbers of two bytes have the lower one first; `None` is 255.

use super::area::Slot;
use super::card::{Card, HermitCard};
use super::character::Character;
use super::frame::{Attack, Frame, Question, WindowKind};
use super::state::{EndReason, HermitAnswer, HermitMemory, Player, Private, Public, ShadowHunters};
use crate::seat::Seat;

const NONE: u8 = u8::MAX;

impl ShadowHunters {
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        self.public.write(out);
        for private in &self.privates {
            write_private(private, out);
        }
        for pile in [&self.hidden.white, &self.hidden.black] {
            write_cards(pile, out);
        }
        for pile in [&self.hidden.hermit, &self.hidden.hermit_discard] {
            write_list(pile.iter().map(|&card| card as u8), out);
        }
    }
}

impl Public {
    fn write(&self, out: &mut Vec<u8>) {
        let options = self.options;
        out.push(options.expansion_characters as u8);
        out.push(u8::from(options.special_abilities));
        out.push(u8::from(options.opening_hermit));
        out.extend(options.turn_limit.to_le_bytes());
        out.extend(self.areas.map(|area| area as u8));
        out.push(self.seats());
        for player in &self.players {
            write_player(player, out);
        }
        out.push(self.active.0);
        out.extend(self.turn.to_le_bytes());
        out.extend([
            self.white_draw,
            self.black_draw,
            self.hermit_draw,
            self.hermit_discard,
        ]);
        out.extend(self.hermit_shuffles.to_le_bytes());
        write_cards(&self.white_discard, out);
        write_cards(&self.black_discard, out);
        out.push(self.in_play.map_or(NONE, |card| card as u8));
        // At most eight.
        out.push(self.stack.len() as u8);
        for frame in &self.stack {
            write_frame(frame, out);
        }
        match &self.ending {
            None => out.push(NONE),
            Some(ending) => out.extend([
                match ending.reason {
                    EndReason::Won => 0,
                    EndReason::TurnLimit => 1,
                },
                ending.outcome.winners.bits(),
            ]),
        }
    }
}

fn write_player(player: &Player, out: &mut Vec<u8>) {
    out.push(character(player.character));
    out.extend(
        [
            player.alive,
            player.ability_used,
            player.ability_used_this_turn,
            player.ability_void,
            player.guardian,
            player.barrier,
            player.capriccio,
            player.died_first,
            player.resigned,
        ]
        .map(u8::from),
    );
    out.push(player.damage);
    out.push(player.slot.map_or(NONE, Slot::number));
    write_list(player.equipment.iter().map(|card| card.index()), out);
    out.push(player.extra_turns);
}

fn write_private(private: &Private, out: &mut Vec<u8>) {
    out.push(private.character as u8);
    out.push(private.hermit.map_or(NONE, |card: HermitCard| card as u8));
    // At most one a turn, and the opening.
    out.extend((private.memory.len() as u16).to_le_bytes());
    for memory in &private.memory {
        let HermitMemory {
            turn,
            giver,
            receiver,
            card,
            answer,
            shuffle,
            place,
        } = memory;
        out.extend(turn.to_le_bytes());
        out.extend([giver.0, receiver.0, *card as u8]);
        out.extend(match answer {
            HermitAnswer::Nothing => [0, NONE],
            HermitAnswer::TakeDamage => [1, NONE],
            HermitAnswer::Heal => [2, NONE],
            HermitAnswer::Give(card) => [3, card.index()],
            HermitAnswer::Show => [4, NONE],
        });
        out.extend(shuffle.to_le_bytes());
        out.push(*place);
    }
    out.extend(private.identities.map(character));
}

fn character(character: Option<Character>) -> u8 {
    character.map_or(NONE, |character| character as u8)
}

fn write_cards(cards: &[Card], out: &mut Vec<u8>) {
    write_list(cards.iter().map(|card| card.index()), out);
}

/// The length, then the items: at most 16.
fn write_list(items: impl ExactSizeIterator<Item = u8>, out: &mut Vec<u8>) {
    out.push(items.len() as u8);
    out.extend(items);
}

fn write_frame(frame: &Frame, out: &mut Vec<u8>) {
    match frame {
        Frame::Opening { answered } => out.extend([0, *answered]),
        Frame::Turn(step) => out.extend([1, *step as u8]),
        Frame::Window(window) => {
            out.extend([2, window.next]);
            match window.kind {
                WindowKind::Start => out.push(0),
                WindowKind::Attack { attacker, targets } => {
                    out.extend([1, attacker.0, targets.bits()]);
                }
            }
        }
        Frame::Attack(attack) => {
            let Attack {
                attacker,
                targets,
                counter,
                step,
                roll,
                damage,
                robbed,
                damaged,
                left,
            } = attack;
            out.extend([
                3,
                attacker.0,
                targets.bits(),
                u8::from(*counter),
                *step as u8,
            ]);
            out.extend(match roll {
                None => [NONE, NONE],
                Some(roll) => [roll.d6.unwrap_or(NONE), roll.d4],
            });
            out.extend(damage);
            out.extend([robbed.bits(), *damaged, left.bits()]);
        }
        Frame::Deaths(deaths) => out.extend([
            4,
            deaths.owner.0,
            u8::from(deaths.by_attack),
            u8::from(deaths.rosary),
            u8::from(deaths.killed.is_some()),
            deaths.killed.map_or(0, |killed| killed.bits()),
            deaths.left.bits(),
        ]),
        Frame::Ask(ask) => {
            out.extend([5, ask.seat.0]);
            write_question(ask.question, out);
        }
    }
}

fn write_question(question: Question, out: &mut Vec<u8>) {
    let seat = |Seat(number)| number;
    match question {
        Question::WindowStart => out.push(0),
        Question::WindowAttack { attacker, targets } => {
            out.extend([1, seat(attacker), targets.bits()]);
        }
        Question::WindowEnd => out.push(2),
        Question::MoveChoice => out.push(3),
        Question::ChooseDestination {
            roll,
            second,
            areas,
        } => out.extend([
            4,
            roll.d6,
            roll.d4,
            second.map_or(NONE, |dice| dice.d6),
            second.map_or(NONE, |dice| dice.d4),
            areas.bits(),
        ]),
        Question::AreaChoice => out.push(5),
        Question::GiveHermit => out.push(6),
        Question::HermitRespond { giver } => out.extend([7, seat(giver)]),
        Question::Accept { card } => out.extend([8, card as u8]),
        Question::CardTarget { card } => out.extend([9, card as u8]),
        Question::StealByGoblin => out.push(10),
        Question::GiveCard => out.push(11),
        Question::AttackChoice => out.push(12),
        Question::SpearReveal { targets, roll } => {
            out.extend([13, targets.bits(), roll.d6.unwrap_or(NONE), roll.d4]);
        }
        Question::Rob { target, damage } => out.extend([14, seat(target), damage]),
        Question::SuckBlood { damaged } => out.extend([15, damaged]),
        Question::TakeAll { victim } => out.extend([16, seat(victim)]),
        Question::Loot { victim } => out.extend([17, seat(victim)]),
        Question::Counterattack { attacker } => out.extend([18, seat(attacker)]),
        Question::Feast { targets } => out.extend([19, targets.bits()]),
    }
}
