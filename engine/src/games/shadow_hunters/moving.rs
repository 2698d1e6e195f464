//! Movement (6.3), and the dice.

use super::area::{Area, Areas};
use super::card::Equipment;
use super::event::Event;
use super::frame::{Dice, Question};
use super::state::ShadowHunters;
use crate::cx::{Audience, Cx};
use crate::seat::Seat;

impl ShadowHunters {
    /// 6.3: both dice, again as long as they show the own area; twice with the Mystic Compass (R3).
    pub(super) fn roll_to_move(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        let roll = self.roll_off_own_area(seat, cx);
        let compass = self.public.player(seat).owns(Equipment::MysticCompass);
        let second = compass.then(|| self.roll_off_own_area(seat, cx));
        let mut areas = Areas::EMPTY;
        for dice in [Some(roll), second].into_iter().flatten() {
            match Area::of_total(dice.total()) {
                Some(area) => areas = areas.with(area),
                None => areas = Areas::FULL,
            }
        }
        // R2: never the own area.
        if let Some(own) = self.public.area_of(seat) {
            areas = areas.without(own);
        }
        self.ask(
            seat,
            Question::ChooseDestination {
                roll,
                second,
                areas,
            },
        );
    }

    /// R1: the roll is repeated until it doesn't show the own area.
    fn roll_off_own_area(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) -> Dice {
        loop {
            let dice = roll_both(seat, cx);
            let area = Area::of_total(dice.total());
            if area.is_none() || area != self.public.area_of(seat) {
                return dice;
            }
        }
    }

    /// The player's piece is put on this area.
    pub(super) fn move_to(&mut self, seat: Seat, area: Area, cx: &mut Cx<'_, Event>) {
        let slot = self.public.slot_of(area);
        self.public.player_mut(seat).slot = slot;
        if let Some(slot) = slot {
            cx.tell(Audience::All, || Event::Moved { seat, area, slot });
        }
    }
}

/// Both dice, the d6 first (5).
pub(super) fn roll_both(seat: Seat, cx: &mut Cx<'_, Event>) -> Dice {
    let d6 = cx.chance.die(6);
    let d4 = cx.chance.die(4);
    cx.tell(Audience::All, || Event::DiceRolled {
        seat,
        d6: Some(d6),
        d4: Some(d4),
    });
    Dice { d6, d4 }
}

/// One die of six or four sides.
pub(super) fn roll_one(seat: Seat, sides: u8, cx: &mut Cx<'_, Event>) -> u8 {
    let face = cx.chance.die(sides);
    cx.tell(Audience::All, || Event::DiceRolled {
        seat,
        d6: (sides == 6).then_some(face),
        d4: (sides == 4).then_some(face),
    });
    face
}
