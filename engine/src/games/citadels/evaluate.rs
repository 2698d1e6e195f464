//! How good a table is for a seat, by the advice of section 13 of the rules page.

use super::cards::Cards;
use super::character::Character;
use super::district::{Color, District};
use super::state::{Citadels, Stage, Window};
use crate::game::{Evaluate, Game};
use crate::seat::Seat;

/// More than all points together.
const WON: f32 = 1000.0;
/// What the best rival has counts so much less than what the seat has.
const RIVAL: f32 = 0.4;
/// Gold is worth the less, the more there is: it can be robbed.
const GOLD: [(u16, f32); 3] = [(4, 0.45), (4, 0.3), (20, 0.1)];
/// So are cards that could be built: the dearest first.
const CARDS: [f32; 5] = [1.0, 0.7, 0.4, 0.2, 0.1];
/// A card of a color that the city lacks.
const NEW_COLOR: f32 = 0.3;
/// A color of the city.
const COLOR: f32 = 0.5;
/// Each district brings the end nearer, the later the more.
const TEMPO: f32 = 0.8;
const TEMPO_GROWTH: f32 = 0.05;
/// The action that is still to be taken.
const ACTION: f32 = 0.85;
/// The first pick of the next round.
const CROWN: f32 = 0.3;
/// A turn that is lost.
const LOST_TURN: f32 = 1.8;
/// A piece of gold that is going to be robbed.
const ROBBED: f32 = 0.3;

impl Evaluate for Citadels {
    fn evaluate(&self, seat: Seat) -> f32 {
        let public = self.public();
        if let Stage::Over(ending) = &public.stage {
            let won = ending.outcome.winners.contains(seat);
            return if won { WON } else { -WON };
        }
        let best_rival = public
            .others(seat)
            .map(|rival| self.worth(rival))
            .fold(f32::NEG_INFINITY, f32::max);
        self.worth(seat) - RIVAL * best_rival
    }
}

impl Citadels {
    /// What a seat has: points, and what may become points.
    fn worth(&self, seat: Seat) -> f32 {
        let public = &self.public;
        let board = &public.boards[seat];
        let districts = f32::from(board.districts());
        let mut worth = f32::from(public.score(seat).total());
        worth += districts * (TEMPO + TEMPO_GROWTH * districts);
        worth += COLOR * self.colors(seat).count() as f32;
        worth += gold_worth(board.gold) + self.hand_worth(seat);
        if public.crown == seat {
            worth += CROWN;
        }
        if let Some(turn) = &public.turn
            && turn.seat == seat
            && turn.window == Window::Pre
            && !matches!(public.stage, Stage::Keep { .. })
        {
            worth += ACTION;
        }
        worth + self.prospects(seat)
    }

    fn colors(&self, seat: Seat) -> impl Iterator<Item = Color> + '_ {
        let city = &self.public.boards[seat].city;
        Color::ALL
            .into_iter()
            .filter(move |&color| city.iter().any(|built| built.district.color() == color))
    }

    /// The cards that the seat could build, in its hand or in view.
    fn hand_worth(&self, seat: Seat) -> f32 {
        let own = &self.private[seat];
        let city = &self.public.boards[seat].city;
        let lacks = |color: Color| city.iter().all(|built| built.district.color() != color);
        let mut cards: Cards = own.hand;
        cards.extend(own.in_view.into_iter().flatten());
        let mut values: [f32; CARDS.len()] = [0.0; CARDS.len()];
        let useful = cards
            .kinds()
            .filter(|&card| city.iter().all(|built| built.district != card));
        for card in useful {
            let mut value = card_worth(card);
            if lacks(card.color()) {
                value += NEW_COLOR;
            }
            // Sorted by insertion: the best come first.
            for place in &mut values {
                if value > *place {
                    std::mem::swap(place, &mut value);
                }
            }
        }
        values
            .iter()
            .zip(CARDS)
            .map(|(value, weight)| value * weight)
            .sum()
    }

    /// The characters that are still to be called, and what has been announced against them.
    fn prospects(&self, seat: Seat) -> f32 {
        let public = &self.public;
        let calls = &public.calls;
        let mut worth = 0.0;
        for rank in self.private[seat].draft.held().iter() {
            if rank.0 <= calls.called {
                continue;
            }
            let Some(character) = public.character(rank) else {
                continue;
            };
            worth += self.character_worth(seat, character);
            if calls.murdered == Some(rank) {
                worth -= LOST_TURN;
            }
            if calls.bewitched == Some(rank) {
                worth -= LOST_TURN / 2.0;
            }
            if calls.robbed == Some(rank) {
                worth -= ROBBED * f32::from(public.boards[seat].gold);
            }
        }
        if public.acts_as(Character::Thief) == Some(seat)
            && let Some(robbed) = calls.robbed
            && robbed.0 > calls.called
            && let Some(victim) = self.holder(robbed)
        {
            worth += ROBBED * f32::from(public.boards[victim].gold);
        }
        worth
    }

    /// What a character will be worth to a seat when it is called.
    fn character_worth(&self, seat: Seat, character: Character) -> f32 {
        let public = &self.public;
        let board = &public.boards[seat];
        let income = character.card().income_color.map_or(0, |color| {
            board
                .city
                .iter()
                .filter(|built| built.district.color() == color)
                .count()
        });
        let power = match character {
            Character::Assassin | Character::Witch => 1.0,
            Character::Thief => 1.2,
            Character::Magician => {
                let most = public
                    .others(seat)
                    .map(|other| public.boards[other].hand)
                    .max()
                    .unwrap_or_default();
                0.3 + 0.4 * f32::from(most.saturating_sub(board.hand))
            }
            Character::TaxCollector | Character::Wizard => 1.2,
            Character::King | Character::Emperor => 0.8,
            Character::Bishop | Character::Abbot => 0.6,
            Character::Merchant => 0.9,
            Character::Alchemist => 1.2,
            Character::Architect => 1.6 + 0.3 * f32::from(board.gold.min(6)),
            Character::Navigator => 1.8,
            Character::Warlord | Character::Diplomat => 0.6,
            Character::Artist => 0.7,
            Character::Queen => 1.0,
        };
        1.0 + power + 0.4 * income as f32
    }
}

/// How much the seat would like to have the card in its city, from 0.8 to 1.6.
fn card_worth(card: District) -> f32 {
    0.7 + 0.1 * f32::from(card.card().points)
}

fn gold_worth(gold: u16) -> f32 {
    let mut left = gold;
    let mut worth = 0.0;
    for (pieces, value) in GOLD {
        worth += value * f32::from(left.min(pieces));
        left = left.saturating_sub(pieces);
    }
    worth
}
