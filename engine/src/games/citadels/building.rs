//! Building (5.8), districts that leave or change cities, and when a city is complete (10.1).

use super::action::Site;
use super::cards::Cards;
use super::character::Character;
use super::city::{Built, CITY_MAX};
use super::district::{Color, District, tunables};
use super::event::{DestroyReason, Event, GoldReason};
use super::state::{Citadels, End, Public, Stage, Turn, Window};
use crate::cx::{Audience, Cx};
use crate::seat::Seat;

impl Public {
    /// What the seat pays to build the district. Factory: other purple districts are cheaper.
    pub(super) fn price(&self, seat: Seat, district: District) -> u16 {
        let cost = u16::from(district.cost());
        let cheaper = district.color() == Color::Purple
            && district != District::Factory
            && self.boards[seat].has(District::Factory);
        if cheaper {
            cost.saturating_sub(tunables().factory_discount.into())
        } else {
            cost
        }
    }

    /// Whether the rule against duplicates lets the seat build the district: there is none, or Quarry or Wizard allow it.
    fn may_add(&self, turn: &Turn, district: District) -> bool {
        let board = &self.boards[turn.seat];
        !board.has(district)
            || turn.character == Character::Wizard
            || (board.has(District::Quarry)
                && self.duplicates(turn.seat) < usize::from(tunables().quarry_duplicates))
    }

    /// How many districts more than different ones the seat's city has.
    fn duplicates(&self, seat: Seat) -> usize {
        let city = &self.boards[seat].city;
        let seen_before = |at: usize, built: &Built| {
            city.iter()
                .take(at)
                .any(|other| other.district == built.district)
        };
        city.iter()
            .enumerate()
            .filter(|(at, built)| seen_before(*at, built))
            .count()
    }

    /// Whether the player on turn can pay for the district and may have it.
    pub(super) fn can_build(&self, turn: &Turn, district: District) -> bool {
        let board = &self.boards[turn.seat];
        board.city.len() < CITY_MAX
            && self.price(turn.seat, district) <= board.gold
            && self.may_add(turn, district)
    }

    /// `build`: what the player on turn may build out of this hand.
    pub(super) fn buildable(&self, turn: &Turn, hand: Cards) -> impl Iterator<Item = District> {
        let limit = if turn.window == Window::Post {
            turn.character.card().build_limit
        } else {
            0
        };
        let within_limit = turn.builds < limit;
        hand.kinds()
            .filter(move |&district| within_limit && self.can_build(turn, district))
    }
}

impl Citadels {
    /// `build`, or the Wizard's building at once: price to the bank, card to the city.
    pub(super) fn build(
        &mut self,
        seat: Seat,
        district: District,
        wizard: bool,
        cx: &mut Cx<'_, Event>,
    ) {
        let price = self.public.price(seat, district);
        self.hand_loses(seat, district, Audience::All);
        cx.tell(Audience::All, || Event::Built {
            seat,
            district,
            gold: price,
            wizard,
        });
        self.pay(seat, price, GoldReason::Build, cx);
        if let Some(turn) = &mut self.public.turn {
            turn.built = true;
            turn.spent += price;
            if !wizard {
                turn.builds += 1;
            }
        }
        self.add_to_city(
            seat,
            Built {
                district,
                beautified: false,
                builder: seat,
                round: self.public.round,
            },
        );
        self.public.stage = Stage::Menu;
        // (a) The city may be complete.
        if self.public.end.is_none() && self.public.is_complete(seat) {
            self.trigger_end(seat, cx);
        }
        // (b) The card may ask its builder something.
        match district {
            District::Lighthouse if self.public.deck() > 0 => self.look_from_lighthouse(seat, cx),
            District::BellTower if self.public.end.is_none() => {
                self.public.stage = Stage::BellTower;
            }
            _ => {}
        }
    }

    fn add_to_city(&mut self, seat: Seat, built: Built) {
        self.public.boards[seat].city.push(built);
        if self.public.boards[seat].districts() == self.public.rules.end_districts - 1 {
            let _ = self.public.risen.try_push(seat);
        }
    }

    /// A district leaves the seat's city: of several alike the one built first.
    fn take_from_city(&mut self, seat: Seat, site: Site) -> Option<Built> {
        let built = self.public.boards[seat].city.remove(site)?;
        if self.public.boards[seat].districts() < self.public.rules.end_districts - 1 {
            self.public.risen.retain(|risen| *risen != seat);
        }
        Some(built)
    }

    /// The end is triggered; it never is again, nor undone (rulings 42, 44).
    pub(super) fn trigger_end(&mut self, first_complete: Seat, cx: &mut Cx<'_, Event>) {
        let districts = self.public.districts_to_complete();
        self.public.end = Some(End {
            first_complete: Some(first_complete),
            districts,
        });
        cx.tell(Audience::All, || Event::EndTriggered {
            first_complete,
            districts,
        });
    }

    /// A district is destroyed: the gold on it goes to the bank, a bell is silent. The card, and what lies under it, are the caller's to move.
    pub(super) fn destroy(
        &mut self,
        by: Seat,
        seat: Seat,
        site: Site,
        reason: DestroyReason,
        cx: &mut Cx<'_, Event>,
    ) {
        let Some(built) = self.take_from_city(seat, site) else {
            return;
        };
        cx.tell(Audience::All, || Event::Destroyed {
            by,
            seat,
            site,
            reason,
        });
        if built.beautified {
            let gold = super::character::tunables().beautify_gold.into();
            self.return_to_bank(gold);
            cx.tell(Audience::All, || Event::GoldReturned { gold });
        }
        if built.district == District::BellTower {
            // Ruling 45.
            self.public.bell_rung = false;
        }
    }

    /// The Diplomat's exchange: what belongs to a district goes with it (ruling 50).
    pub(super) fn exchange(
        &mut self,
        diplomat: Seat,
        other: Seat,
        taken: Site,
        given: Site,
        cx: &mut Cx<'_, Event>,
    ) {
        // Both cities stay as large as they are: nobody rises.
        let boards = &mut self.public.boards;
        let (Some(got), Some(gone)) = (
            boards[other].city.remove(taken),
            boards[diplomat].city.remove(given),
        ) else {
            return;
        };
        boards[diplomat].city.push(got);
        boards[other].city.push(gone);
        cx.tell(Audience::All, || Event::Exchanged {
            seat: diplomat,
            with: other,
            taken,
            given,
        });
        for (owner, built) in [(diplomat, got), (other, gone)] {
            if built.district == District::Museum {
                self.look_under_museum(owner);
            }
        }
    }
}
