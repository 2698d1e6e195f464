//! The end of the game and its winners (section 12).

use super::area::Area;
use super::character::{Character, Faction};
use super::event::Event;
use super::state::{EndReason, Ending, ShadowHunters};
use crate::cx::{Audience, Cx};
use crate::outcome::Outcome;
use crate::seat::{Seat, SeatMap, SeatSet};

/// The deaths that the checkpoint looks back on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kills {
    /// Whose effect it was.
    pub(super) owner: Seat,
    /// Whether it was his attack.
    pub(super) by_attack: bool,
    /// Who died.
    pub(super) killed: SeatSet,
}

impl ShadowHunters {
    /// After deaths with their loot, and after every other gain of equipment: if a trigger holds,
    /// the game ends at once (R47 to R49).
    pub(super) fn checkpoint(&mut self, kills: Option<Kills>, cx: &mut Cx<'_, Event>) {
        let triggers: SeatSet = self
            .seats()
            .filter(|&seat| self.triggers(seat, kills))
            .collect();
        if triggers.is_empty() {
            return;
        }
        let passive: SeatSet = self
            .seats()
            .filter(|&seat| triggers.contains(seat) || self.wins_passively(seat))
            .collect();
        let winners = self.with_agnes(passive);
        self.end(winners, EndReason::Won, cx);
    }

    fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.public.seats()).map(Seat)
    }

    /// Whether all members of the faction are dead. There is one at least.
    fn all_dead(&self, faction: Faction) -> bool {
        self.seats()
            .filter(|&seat| self.character(seat).faction() == faction)
            .all(|seat| !self.public.player(seat).alive)
    }

    /// Whether the seat's own condition, or its faction's, ends the game.
    fn triggers(&self, seat: Seat, kills: Option<Kills>) -> bool {
        let player = self.public.player(seat);
        let character = self.character(seat);
        let facts = character.facts();
        // What this seat has just killed.
        let own_kills = kills.filter(|kills| kills.owner == seat && !kills.killed.is_empty());
        match character {
            Character::Emi
            | Character::Ellen
            | Character::Franklin
            | Character::FuKa
            | Character::George
            | Character::Gregor => self.all_dead(Faction::Shadow),
            Character::Unknown
            | Character::UltraSoul
            | Character::Vampire
            | Character::Valkyrie
            | Character::Werewolf
            | Character::Wight => self.all_dead(Faction::Hunter) || self.three_neutrals_dead(),
            Character::Bob => {
                player.alive && player.equipment.len() >= usize::from(facts.win_equipment)
            }
            // R39: one victim of enough hit points is enough.
            Character::Bryan => {
                player.alive
                    && own_kills.is_some_and(|kills| {
                        let hp = |seat| self.character(seat).hp();
                        kills.by_attack
                            && kills
                                .killed
                                .iter()
                                .any(|seat| hp(seat) >= facts.win_kill_hp)
                    })
            }
            // R37, R38: all who died in the batch count among the dead.
            Character::Charles => {
                player.alive
                    && self.public.dead() >= facts.win_dead_count
                    && own_kills.is_some_and(|kills| kills.by_attack || !facts.kill_by_attack_only)
            }
            Character::Catherine => {
                player.died_first || player.alive && self.public.living().len() <= 2
            }
            Character::Daniel => {
                player.died_first || player.alive && self.all_dead(Faction::Shadow)
            }
            Character::David => {
                let counting = facts.win_cards.iter().filter(|&&card| player.owns(card));
                player.alive && counting.count() >= usize::from(facts.win_count)
            }
            Character::Allie | Character::Agnes => false,
        }
    }

    /// R61: possible with 7 players only.
    fn three_neutrals_dead(&self) -> bool {
        let dead = self.seats().filter(|&seat| {
            self.character(seat).faction() == Faction::Neutral && !self.public.player(seat).alive
        });
        dead.count() >= 3
    }

    /// Those who win along when the game ends, Agnes apart.
    fn wins_passively(&self, seat: Seat) -> bool {
        let alive = self.public.player(seat).alive;
        match self.character(seat) {
            Character::Allie => alive,
            // R40: his own piece.
            Character::Bryan => alive && self.public.area_of(seat) == Some(Area::ErstwhileAltar),
            _ => false,
        }
    }

    /// R44: Agnes wins, dead or alive, if the neighbor does whom she looks at; evaluated last.
    fn with_agnes(&self, winners: SeatSet) -> SeatSet {
        let Some(agnes) = self.seat_of(Character::Agnes) else {
            return winners;
        };
        let neighbor = if self.public.player(agnes).capriccio {
            self.public.left_of(agnes)
        } else {
            self.public.right_of(agnes)
        };
        if winners.contains(neighbor) {
            winners.with(agnes)
        } else {
            winners
        }
    }

    pub(super) fn end_by_turn_limit(&mut self, cx: &mut Cx<'_, Event>) {
        self.end(SeatSet::EMPTY, EndReason::TurnLimit, cx);
    }

    /// The end: everybody is revealed. A winner gets 1, the others 0; who has left the table can't
    /// win and ranks last with -1.
    fn end(&mut self, winners: SeatSet, reason: EndReason, cx: &mut Cx<'_, Event>) {
        for seat in self.seats() {
            self.reveal(seat, cx);
        }
        let resigned = |seat| self.public.player(seat).resigned;
        let winners: SeatSet = winners.iter().filter(|&seat| !resigned(seat)).collect();
        let returns = SeatMap::from_fn(self.public.seats(), |seat| match winners.contains(seat) {
            true => 1,
            false if resigned(seat) => -1,
            false => 0,
        });
        self.public.ending = Some(Ending {
            outcome: Outcome { winners, returns },
            reason,
        });
        cx.tell(Audience::All, || Event::GameOver { winners, reason });
    }
}
