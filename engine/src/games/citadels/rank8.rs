//! The powers of rank 8 (section 7): Warlord and Diplomat.

use super::action::Site;
use super::character::{Character, tunables};
use super::district::{self, District};
use super::event::{DestroyReason, Event, GoldReason};
use super::state::{Citadels, Public, Stage, Window};
use crate::cx::Cx;
use crate::seat::Seat;

impl Public {
    /// Whether rank 8 can touch the district at all: not a Keep, not the Bishop's city, not a complete one (rulings 17 to 19, 22).
    fn within_reach(&self, player: Seat, site: Site) -> bool {
        site.district != District::Keep
            && self.acts_as(Character::Bishop) != Some(player)
            && !self.is_complete(player)
            && self.boards[player].has_site(site)
    }

    /// District cost for rank 8. Great Wall: the others of that city are dearer.
    fn walled_cost(&self, player: Seat, site: Site) -> u16 {
        let walled =
            site.district != District::GreatWall && self.boards[player].has(District::GreatWall);
        let surcharge = if walled {
            district::tunables().great_wall_surcharge
        } else {
            0
        };
        site.cost() + u16::from(surcharge)
    }

    /// Warlord: what it costs to destroy the district. Rulings 20, 21, 23.
    pub(super) fn destroy_price(&self, player: Seat, site: Site) -> u16 {
        self.walled_cost(player, site)
            .saturating_sub(tunables().destroy_discount.into())
    }

    /// `warlord_destroy`: whether the seat can destroy the district; its own, too.
    pub(super) fn can_destroy(&self, warlord: Seat, player: Seat, site: Site) -> bool {
        self.within_reach(player, site)
            && self.destroy_price(player, site) <= self.boards[warlord].gold
    }

    /// Diplomat: what he pays to the other player.
    pub(super) fn exchange_price(&self, player: Seat, taken: Site, given: Site) -> u16 {
        // Ruling 53.
        self.walled_cost(player, taken).saturating_sub(given.cost())
    }

    /// D18: whether the Diplomat can give this district for that one. Ruling 52: no city gets a duplicate by it.
    pub(super) fn can_give(&self, diplomat: Seat, player: Seat, taken: Site, given: Site) -> bool {
        let no_duplicate = taken.district == given.district
            || (!self.boards[diplomat].has(taken.district)
                && !self.boards[player].has(given.district));
        self.boards[diplomat].has_site(given)
            && no_duplicate
            && self.exchange_price(player, taken, given) <= self.boards[diplomat].gold
    }

    /// `diplomat_take`: whether the Diplomat can take the district and has one to give for it.
    pub(super) fn can_take(&self, diplomat: Seat, player: Seat, site: Site) -> bool {
        player != diplomat
            && self.within_reach(player, site)
            && self.boards[diplomat]
                .city
                .iter()
                .any(|built| self.can_give(diplomat, player, site, built.site()))
    }
}

impl Citadels {
    /// Warlord: `warlord_destroy`. The last act of the turn (ruling 25).
    pub(super) fn warlord_destroy(
        &mut self,
        seat: Seat,
        player: Seat,
        site: Site,
        cx: &mut Cx<'_, Event>,
    ) {
        let price = self.public.destroy_price(player, site);
        self.pay(seat, price, GoldReason::Destroy, cx);
        self.destroy(seat, player, site, DestroyReason::Warlord, cx);
        // D16: not when the Graveyard itself is destroyed, never for the destroyer.
        let price = district::tunables().graveyard_price.into();
        let rescuer = self
            .public
            .owner(District::Graveyard)
            .filter(|&owner| owner != seat && self.public.boards[owner].gold >= price);
        if let Some(owner) = rescuer {
            self.public.stage = Stage::Graveyard {
                owner,
                district: site.district,
            };
            return;
        }
        // Ruling 24.
        self.bury(site.district, cx);
        self.open_menu(Window::Last);
    }

    /// Diplomat: `diplomat_take`; D18 follows.
    pub(super) fn diplomat_take(&mut self, player: Seat, site: Site) {
        self.public.stage = Stage::DiplomatGive { from: player, site };
    }

    /// D18: the exchange.
    pub(super) fn diplomat_give(&mut self, seat: Seat, given: Site, cx: &mut Cx<'_, Event>) {
        let Stage::DiplomatGive { from, site } = self.public.stage else {
            return;
        };
        let price = self.public.exchange_price(from, site, given);
        self.transfer(seat, from, price, GoldReason::Exchange, cx);
        self.exchange(seat, from, site, given, cx);
        self.open_menu(Window::Last);
    }
}
