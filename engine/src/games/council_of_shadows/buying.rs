//! BUY, phase 1 (5.1): AI cards, upgrades and stations.

use super::action::Action;
use super::components::{
    Card, DarkTech, Galaxy, Gems, Numbered, Payment, Station, Upgrade, UpgradeKind, numbers,
};
use super::event::Event;
use super::state::{CouncilOfShadows, Party, Phase, Public, Stage};
use crate::cx::{Audience, Cx};
use crate::seat::Seat;

impl Public {
    /// The card at a position of the row, from 1.
    pub(super) fn offered(&self, row: u8) -> Option<Card> {
        let index = usize::from(row.checked_sub(1)?);
        self.ai_row.get(index).copied().flatten()
    }

    /// Whether the upgrade can still be bought: it isn't built, the step before it is (R7), and
    /// there is a cube for it (R37).
    pub(super) fn may_build(&self, party: Party, upgrade: Upgrade) -> bool {
        let board = self.party(party);
        let ready = match upgrade.data().kind {
            UpgradeKind::Range { requires, .. } => {
                requires.is_none_or(|step| board.upgrades.contains(step))
            }
            UpgradeKind::Adaptability { .. }
            | UpgradeKind::ColonyExtension
            | UpgradeKind::Project { .. } => true,
        };
        ready && board.supply > 0 && !board.upgrades.contains(upgrade)
    }

    /// Whether the station can be placed there (10): it isn't placed yet, and the galaxy holds an
    /// own cube and no own station.
    pub(super) fn may_station(&self, party: Party, station: Station, galaxy: Galaxy) -> bool {
        let board = self.party(party);
        self.setup.stations
            && board.stations[usize::from(station.index())].is_none()
            && !board.stations.contains(&Some(galaxy))
            && self.board.cubes_in(galaxy, party) > 0
    }

    /// What a human may do in his buy turn.
    pub(super) fn purchases_into(&self, party: Party, made: u8, out: &mut Vec<Action>) {
        if made < numbers().play.purchases {
            let gems = self.party(party).gems;
            for row in 1..=self.ai_row.len() as u8 {
                let cost = self.offered(row).map(|card| card.data().cost);
                let payments = cost
                    .into_iter()
                    .flat_map(|cost| Payment::all_for(cost, gems));
                out.extend(payments.map(|pay| Action::BuyAi { row, pay }));
            }
            for upgrade in Upgrade::all().filter(|&upgrade| self.may_build(party, upgrade)) {
                let payments = Payment::all_for(upgrade.data().cost, gems);
                out.extend(payments.map(|pay| Action::BuyUpgrade { upgrade, pay }));
            }
            if self.setup.stations {
                self.stations_into(party, gems, out);
            }
        }
        out.push(Action::EndBuy);
    }

    fn stations_into(&self, party: Party, gems: Gems, out: &mut Vec<Action>) {
        for station in Station::all() {
            for galaxy in self.galaxies() {
                if self.may_station(party, station, galaxy) {
                    let payments = Payment::all_for(station.data().cost, gems);
                    out.extend(payments.map(|pay| Action::BuyStation {
                        station,
                        galaxy,
                        pay,
                    }));
                }
            }
        }
    }
}

impl CouncilOfShadows {
    /// The buy turn of the party with this place in the turn order; after the last one the phase
    /// ends.
    pub(super) fn start_buy_turn(&mut self, nth: u8, cx: &mut Cx<'_, Event>) {
        let Some(party) = self.public.in_order(nth) else {
            return self.end_phase(Phase::Buy, cx);
        };
        self.public.stage = Stage::Buying { nth, purchases: 0 };
        if self.public.seat_of(party).is_none() {
            self.automa_buys(cx);
            return self.start_buy_turn(nth + 1, cx);
        }
        if self.public.party(party).has(DarkTech::GemWell) {
            self.gain_gems(party, DarkTech::GemWell.data().gems, cx);
        }
    }

    /// The buy turn ends.
    pub(super) fn end_buy_turn(&mut self, cx: &mut Cx<'_, Event>) {
        if let Stage::Buying { nth, .. } = self.public.stage {
            self.start_buy_turn(nth + 1, cx);
        }
    }

    pub(super) fn buy_ai(&mut self, seat: Seat, row: u8, pay: Payment, cx: &mut Cx<'_, Event>) {
        let Some(card) = self.public.offered(row) else {
            return;
        };
        let party = Party::from(seat);
        let paid = self.pay(party, pay);
        self.public.party_mut(party).hand.insert(card);
        cx.tell(Audience::All, || Event::AiBought {
            seat,
            row,
            card,
            paid,
        });
        self.refill(row, cx);
        self.end_purchase(party, cx);
    }

    pub(super) fn buy_upgrade(
        &mut self,
        seat: Seat,
        upgrade: Upgrade,
        pay: Payment,
        cx: &mut Cx<'_, Event>,
    ) {
        let party = Party::from(seat);
        let paid = self.pay(party, pay);
        let board = self.public.party_mut(party);
        board.supply -= 1;
        board.upgrades.insert(upgrade);
        cx.tell(Audience::All, || Event::UpgradeBought {
            seat,
            upgrade,
            paid,
        });
        match upgrade.data().kind {
            UpgradeKind::Project { energy } | UpgradeKind::Range { energy, .. } => {
                self.gain_energy(party, energy, cx);
            }
            // R8.
            UpgradeKind::Adaptability { .. } | UpgradeKind::ColonyExtension => {}
        }
        self.end_purchase(party, cx);
    }

    pub(super) fn buy_station(
        &mut self,
        seat: Seat,
        station: Station,
        galaxy: Galaxy,
        pay: Payment,
        cx: &mut Cx<'_, Event>,
    ) {
        let party = Party::from(seat);
        let paid = self.pay(party, pay);
        let stations = &mut self.public.party_mut(party).stations;
        stations[usize::from(station.index())] = Some(galaxy);
        cx.tell(Audience::All, || Event::StationBought {
            seat,
            station,
            galaxy,
            paid,
        });
        self.end_purchase(party, cx);
    }

    fn pay(&mut self, party: Party, pay: Payment) -> Gems {
        let paid = pay.gems();
        let gems = &mut self.public.party_mut(party).gems;
        debug_assert!(gems.less(paid).is_some());
        *gems = gems.less(paid).unwrap_or_default();
        paid
    }

    /// 5.1 (2): the emptied position is refilled from the deck; an exhausted deck leaves a gap
    /// (R5).
    pub(super) fn refill(&mut self, row: u8, cx: &mut Cx<'_, Event>) {
        let card = self.hidden.ai_deck.pop_at(0);
        self.public.ai_deck = self.hidden.ai_deck.len() as u8;
        if self.public.ai_bottom.len() > self.hidden.ai_deck.len() {
            self.public.ai_bottom.remove(0);
        }
        if let Some(position) = self.public.ai_row.get_mut(usize::from(row - 1)) {
            *position = card;
        }
        cx.tell(Audience::All, || Event::RowRefilled { row, card });
    }

    fn end_purchase(&mut self, party: Party, cx: &mut Cx<'_, Event>) {
        if self.public.party(party).has(DarkTech::TradeNexus) {
            self.gain_energy(party, DarkTech::TradeNexus.data().energy, cx);
        }
        if let Stage::Buying { purchases, .. } = &mut self.public.stage {
            *purchases += 1;
        }
    }
}
