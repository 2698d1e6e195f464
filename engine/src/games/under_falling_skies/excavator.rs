//! Excavating (7.2).

use super::event::Event;
use super::powers::Powers;
use super::state::Battle;
use crate::cx::{Audience, Cx};

impl Battle {
    /// The excavator can move to the die ahead of it, if the energy is there. It needn't (R23).
    pub(super) fn may_excavate(&self, powers: &Powers) -> bool {
        self.die_ahead().is_some() && self.excavate_cost(powers) <= self.energy
    }

    /// R17: the same for any number of spaces.
    pub(super) fn excavate_cost(&self, powers: &Powers) -> u8 {
        powers.excavate_cost + self.excavate_surcharge()
    }

    /// R19: the die leaves, and the room under it is not used.
    pub(super) fn excavate(&mut self, cx: &mut Cx<'_, Event>) {
        self.pay(self.excavate_cost(&self.powers()), cx);
        if let Some((die, space)) = self.die_ahead() {
            self.take_die(die, cx);
            self.excavator = space;
            cx.tell(Audience::All, || Event::ExcavatorMoved { space });
        }
    }
}
