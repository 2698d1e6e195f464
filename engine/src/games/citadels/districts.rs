//! The purple districts that somebody uses, or is asked about (section 8). The passive ones stand where they matter: prices in `building` and
//! `rank8`, cards looked at in `taking`, ends of turns and the crown in `flow` and `gold`, points in `scoring`.

use super::action::Site;
use super::district::{District, tunables};
use super::event::{DestroyReason, DrawReason, Event, GoldReason, UnderReason};
use super::state::{Citadels, LighthouseLook, Stage, Turn};
use crate::cx::{Audience, Cx};
use crate::seat::{Seat, SeatSet};

impl Citadels {
    fn use_up(&mut self, mark: impl FnOnce(&mut Turn)) {
        if let Some(turn) = &mut self.public.turn {
            mark(turn);
        }
    }

    /// Laboratory: a card under the deck, gold from the bank.
    pub(super) fn use_laboratory(&mut self, seat: Seat, card: District, cx: &mut Cx<'_, Event>) {
        self.use_up(|turn| turn.used.laboratory = true);
        self.hand_loses(seat, card, Audience::Only(SeatSet::only(seat)));
        self.put_under_by(seat, card, UnderReason::Laboratory, cx);
        let gold = tunables().laboratory_gold.into();
        self.gain(seat, gold, GoldReason::Laboratory, cx);
    }

    /// Smithy: gold for cards.
    pub(super) fn use_smithy(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        self.use_up(|turn| turn.used.smithy = true);
        let price = tunables().smithy_price.into();
        self.pay(seat, price, GoldReason::Smithy, cx);
        self.draw(seat, tunables().smithy_cards, DrawReason::Smithy, cx);
    }

    /// Museum: a card under it.
    pub(super) fn use_museum(&mut self, seat: Seat, card: District, cx: &mut Cx<'_, Event>) {
        self.use_up(|turn| turn.used.museum = true);
        let owner = SeatSet::only(seat);
        self.hand_loses(seat, card, Audience::Only(owner));
        self.hidden.museum.put_on_top(Some(card));
        self.public.museum.cards += 1;
        self.look_under_museum(seat);
        let stored = |card| Event::StoredInMuseum { seat, card };
        cx.tell(Audience::Only(owner), || stored(Some(card)));
        cx.tell(Audience::Except(owner), || stored(None));
    }

    /// The Museum's owner knows all cards under it.
    pub(super) fn look_under_museum(&mut self, owner: Seat) {
        self.public.museum.known[owner] = self.public.museum.cards;
        self.private[owner].museum = self.hidden.museum;
    }

    /// The cards that were under the Museum go under the deck, in the order in which they were stored. Who knew one still does.
    fn empty_museum(&mut self, cx: &mut Cx<'_, Event>) {
        let museum = std::mem::take(&mut self.hidden.museum);
        let known = std::mem::take(&mut self.public.museum).known;
        for seat in self.public.seated() {
            self.private[seat].museum = Default::default();
        }
        for (nth, card) in (0..).zip(museum.known()) {
            let witnesses = self
                .public
                .seated()
                .filter(|&seat| nth < known[seat])
                .collect();
            self.put_under(card, Audience::Only(witnesses));
        }
        let count = museum.len();
        if count > 0 {
            cx.tell(Audience::All, || Event::MuseumEmptied { count });
        }
    }

    /// A destroyed district goes under the deck, then what was stored under it.
    pub(super) fn bury(&mut self, district: District, cx: &mut Cx<'_, Event>) {
        self.put_under(district, Audience::All);
        if district == District::Museum {
            self.empty_museum(cx);
        }
    }

    /// Armory: it and any district of another player go under the deck, it first. Rulings 41 to 43.
    pub(super) fn use_armory(
        &mut self,
        seat: Seat,
        player: Seat,
        site: Site,
        cx: &mut Cx<'_, Event>,
    ) {
        let armory = self.public.boards[seat]
            .city
            .iter()
            .find(|built| built.district == District::Armory)
            .map(|built| built.site());
        if let Some(armory) = armory {
            self.destroy(seat, seat, armory, DestroyReason::ArmoryItself, cx);
            self.bury(District::Armory, cx);
        }
        self.destroy(seat, player, site, DestroyReason::Armory, cx);
        self.bury(site.district, cx);
    }

    /// D16: the Graveyard's owner takes the destroyed district, or it goes under the deck.
    pub(super) fn answer_graveyard(&mut self, owner: Seat, takes: bool, cx: &mut Cx<'_, Event>) {
        let Stage::Graveyard { district, .. } = self.public.stage else {
            return;
        };
        if takes {
            let price = tunables().graveyard_price.into();
            self.pay(owner, price, GoldReason::Graveyard, cx);
            self.hand_gains(owner, district, Audience::All);
            cx.tell(Audience::All, || Event::Rescued {
                seat: owner,
                district,
            });
            // The bare card: what was under it is not rescued.
            if district == District::Museum {
                self.empty_museum(cx);
            }
        } else {
            cx.tell(Audience::All, || Event::NotRescued {
                seat: owner,
                district,
            });
            self.bury(district, cx);
        }
        self.open_menu(super::state::Window::Last);
    }

    /// Lighthouse: its builder looks through the deck; D14.
    pub(super) fn look_from_lighthouse(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        let cards = self.hidden.deck.known().collect();
        self.private[seat].deck_seen = cards;
        self.public.lighthouse[seat] = Some(LighthouseLook {
            round: self.public.round,
            cards: self.hidden.deck.len(),
            drawn: 0,
            shuffled: false,
        });
        self.public.stage = Stage::Lighthouse;
        let looked = |cards| Event::LighthouseLook { seat, cards };
        cx.tell(Audience::Only(SeatSet::only(seat)), || looked(Some(cards)));
        cx.tell(Audience::Except(SeatSet::only(seat)), || looked(None));
    }

    /// D14: he takes a card or none; the deck is shuffled in any case (C7).
    pub(super) fn answer_lighthouse(
        &mut self,
        seat: Seat,
        card: Option<District>,
        cx: &mut Cx<'_, Event>,
    ) {
        let owner = SeatSet::only(seat);
        let taken = card.is_some();
        if let Some(card) = card {
            let mut gone = false;
            self.hidden.deck =
                super::pile::Pile::from_bottom(self.hidden.deck.as_slice().iter().copied().filter(
                    |&place| {
                        let take = place == Some(card) && !gone;
                        gone |= take;
                        !take
                    },
                ));
            self.private[seat].deck_seen.remove(card);
            self.hand_gains(seat, card, Audience::Only(owner));
        }
        let cards = self.hidden.deck.len();
        for other in self.public.seated() {
            let Some(look) = &mut self.public.lighthouse[other] else {
                continue;
            };
            if other == seat {
                look.cards = cards;
            } else {
                look.drawn = (look.drawn + u8::from(taken)).min(look.cards);
                look.shuffled = true;
            }
        }
        let told = |card| Event::LighthouseTaken { seat, taken, card };
        cx.tell(Audience::Only(owner), || told(card));
        cx.tell(Audience::Except(owner), || told(None));
        self.shuffle_deck(cx);
        self.public.stage = Stage::Menu;
    }

    /// D15: the bell is rung, or not.
    pub(super) fn answer_bell_tower(&mut self, seat: Seat, rings: bool, cx: &mut Cx<'_, Event>) {
        self.public.stage = Stage::Menu;
        if !rings {
            cx.tell(Audience::All, || Event::BellSilent { seat });
            return;
        }
        self.public.bell_rung = true;
        cx.tell(Audience::All, || Event::BellRung { seat });
        // Who rose to the lower number first was complete first.
        let first = self
            .public
            .risen
            .iter()
            .copied()
            .find(|&seat| self.public.is_complete(seat));
        if let Some(first) = first {
            self.trigger_end(first, cx);
        }
    }
}
