//! ACT (c), phase 3 (5.6): galaxies are scored, bonus cards are won.

use super::action::Action;
use super::components::{Bonus, DarkTech, Galaxy, Numbered, Set, Space, Station, numbers};
use super::event::Event;
use super::state::{CouncilOfShadows, Party, Phase, Public, Stage};
use crate::cx::{Audience, Cx};
use crate::seat::{Seat, SeatSet};

impl Public {
    /// What counts for a party when the colonies of a galaxy are compared: its cubes, and its relay
    /// there (10).
    pub(super) fn presence(&self, party: Party, galaxy: Galaxy) -> u8 {
        let relay = Station::Relay;
        let placed = self.party(party).stations[usize::from(relay.index())];
        let relayed = if placed == Some(galaxy) {
            relay.data().amount as u8
        } else {
            0
        };
        self.board.cubes_in(galaxy, party) + relayed
    }

    /// The most that counts for another party there.
    pub(super) fn others_presence(&self, party: Party, galaxy: Galaxy) -> u8 {
        let others = self.all_parties().filter(|&other| other != party);
        others
            .map(|other| self.presence(other, galaxy))
            .max()
            .unwrap_or_default()
    }

    /// Whether the party gets the high value: more than every other party (R22); with dt2_dominion
    /// a tie is enough. It needs a cube.
    pub(super) fn has_majority(&self, party: Party, galaxy: Galaxy) -> bool {
        let own = self.presence(party, galaxy);
        let others = self.others_presence(party, galaxy);
        // Of the Automa's Dark Tech cards none has an effect.
        let dominates = self.seat_of(party).is_some() && self.party(party).has(DarkTech::Dominion);
        self.board.cubes_in(galaxy, party) > 0 && (own > others || dominates && own == others)
    }

    /// The energy for scoring a galaxy, with that of card effects, in one gain.
    pub(super) fn score_of(&self, party: Party, galaxy: Galaxy) -> u16 {
        let data = galaxy.data();
        let board = self.party(party);
        let human = self.seat_of(party).is_some();
        let value = if !self.has_majority(party, galaxy) {
            data.low
        } else if human && board.has(DarkTech::Dominion) {
            data.high + DarkTech::Dominion.data().energy
        } else {
            data.high
        };
        let citadel = Station::Citadel;
        let placed = board.stations[usize::from(citadel.index())] == Some(galaxy);
        value + if placed { citadel.data().amount } else { 0 }
    }

    /// What a human may score.
    pub(super) fn scores_into(
        &self,
        party: Party,
        scored: Set<Galaxy>,
        held_fast: bool,
        out: &mut Vec<Action>,
    ) {
        let open = |space: &Space| !scored.contains(space.galaxy());
        let colonies = self
            .board
            .colonies_of(party)
            .filter(|(space, _)| open(space));
        out.extend(colonies.map(|(space, planet)| Action::Score { space, planet }));
        if self.party(party).has(DarkTech::Holdfast) && !held_fast {
            let galaxies = self.galaxies().filter(|&galaxy| {
                !scored.contains(galaxy) && self.board.cubes_in(galaxy, party) > 0
            });
            out.extend(galaxies.map(|galaxy| Action::ScoreKeep { galaxy }));
        }
        out.push(Action::EndScoring);
    }
}

impl CouncilOfShadows {
    /// The scoring of the party with this place in the turn order.
    pub(super) fn start_scoring(&mut self, nth: u8, cx: &mut Cx<'_, Event>) {
        let Some(party) = self.public.in_order(nth) else {
            return self.end_phase(Phase::Act, cx);
        };
        if self.public.seat_of(party).is_none() {
            self.automa_scores(cx);
            return self.end_scoring_of(nth, cx);
        }
        self.public.stage = Stage::Scoring {
            nth,
            scored: Set::EMPTY,
            held_fast: false,
        };
    }

    pub(super) fn end_scoring(&mut self, cx: &mut Cx<'_, Event>) {
        if let Stage::Scoring { nth, .. } = self.public.stage {
            self.end_scoring_of(nth, cx);
        }
    }

    /// A human scores a galaxy; without a cube that is removed it is dt2_holdfast.
    pub(super) fn score(
        &mut self,
        seat: Seat,
        galaxy: Galaxy,
        removed: Option<(Space, u8)>,
        cx: &mut Cx<'_, Event>,
    ) {
        if let Stage::Scoring {
            scored, held_fast, ..
        } = &mut self.public.stage
        {
            scored.insert(galaxy);
            *held_fast |= removed.is_none();
        }
        self.score_galaxy(Party::from(seat), galaxy, removed, cx);
        if galaxy.data().bonus {
            self.draw_bonus(seat, cx);
        }
    }

    /// 1 to 3: the comparison, before the cube is removed, and the energy.
    pub(super) fn score_galaxy(
        &mut self,
        party: Party,
        galaxy: Galaxy,
        removed: Option<(Space, u8)>,
        cx: &mut Cx<'_, Event>,
    ) {
        let high = self.public.has_majority(party, galaxy);
        let energy = self.public.score_of(party, galaxy);
        if let Some((space, planet)) = removed {
            self.public.board.remove_cube(space, planet, party);
            self.public.party_mut(party).supply += 1;
        }
        cx.tell(Audience::All, || Event::Scored {
            party,
            galaxy,
            high,
            removed,
        });
        self.gain_energy(party, energy, cx);
    }
}

// === bonus cards and the limit of four

impl CouncilOfShadows {
    /// 4: the top bonus card. Who holds four already has to choose; an empty deck gives none.
    pub(super) fn draw_bonus(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        let Some(card) = self.hidden.bonus_deck.pop_at(0) else {
            return;
        };
        let back = card.back();
        self.public.bonus_deck.pop_at(0);
        self.remember_bonus_draw(seat);
        cx.tell(Audience::All, || Event::BonusDrawn { seat, back });
        let owner = Audience::Only(SeatSet::only(seat));
        cx.tell(owner, || Event::BonusSeen { card });
        let held = self.public.party(Party::from(seat)).bonus_held();
        if held < numbers().play.bonus_limit {
            self.hold_bonus(seat, card);
            return;
        }
        self.public.bonus_drawn = Some(back);
        if let Some(own) = self.private_mut(seat) {
            own.bonus_drawn = Some(card);
        }
    }

    /// The card comes to the end of the cards held.
    fn hold_bonus(&mut self, seat: Seat, card: Bonus) {
        if let Some(own) = self.private_mut(seat) {
            own.bonus.push(card);
        }
        *self
            .public
            .party_mut(Party::from(seat))
            .bonus_count(card.back()) += 1;
        self.remember_bonus_kept(seat);
    }

    /// A card goes under the light deck, whatever its back.
    fn put_under(&mut self, card: Bonus) {
        self.hidden.bonus_deck.push(card);
        self.public.bonus_deck.push(card.back());
    }

    /// The new card is kept, an old one goes under the deck (R35).
    pub(super) fn keep_bonus(&mut self, seat: Seat, return_index: u8, cx: &mut Cx<'_, Event>) {
        let Some(own) = self.private_mut(seat) else {
            return;
        };
        let (Some(card), Some(old)) = (
            own.bonus_drawn.take(),
            own.bonus.pop_at(usize::from(return_index)),
        ) else {
            return;
        };
        let returned = old.back();
        self.public.bonus_drawn = None;
        let held = self
            .public
            .party_mut(Party::from(seat))
            .bonus_count(returned);
        let alike = usize::from(*held);
        *held -= 1;
        self.put_under(old);
        self.remember_bonus_returned(seat, old, alike);
        self.hold_bonus(seat, card);
        cx.tell(Audience::All, || Event::BonusKept { seat, returned });
        self.draw_from_archive(seat, cx);
    }

    /// The new card goes under the deck.
    pub(super) fn decline_bonus(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        self.return_drawn_bonus(seat, cx);
        self.draw_from_archive(seat, cx);
    }

    pub(super) fn return_drawn_bonus(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        let Some(card) = self
            .private_mut(seat)
            .and_then(|own| own.bonus_drawn.take())
        else {
            return;
        };
        let back = card.back();
        self.public.bonus_drawn = None;
        self.put_under(card);
        self.remember_bonus_declined(seat, card);
        cx.tell(Audience::All, || Event::BonusDeclined { seat, back });
    }
}
