//! The end, final scoring and the winner (14), and bonus cards (9).

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use super::components::{Bonus, BonusKind, Gem, Upgrade, numbers};
use super::event::Event;
use super::state::{CouncilOfShadows, EndReason, Ending, Party, Public, Stage, Standing};
use crate::cx::{Audience, Cx};
use crate::outcome::Outcome;
use crate::seat::{Seat, SeatMap, SeatSet};

impl Public {
    /// The energy that a bonus card gives its owner, if the game ended now (9).
    pub fn bonus_value(&self, owner: Seat, card: Bonus) -> u16 {
        let data = card.data();
        let value = data
            .value
            .saturating_mul(self.bonus_count(owner.into(), data.kind));
        data.max.map_or(value, |max| value.min(max))
    }

    fn bonus_count(&self, owner: Party, kind: BonusKind) -> u16 {
        let board = self.party(owner);
        let upgrades = |wanted: fn(Upgrade) -> bool| {
            board
                .upgrades
                .iter()
                .filter(|&upgrade| wanted(upgrade))
                .count() as u16
        };
        let colonies = self.board.systems();
        match kind {
            BonusKind::Fixed => 1,
            BonusKind::CubesInParsec { parsec } => colonies
                .filter(|(space, _)| space.parsec() == parsec)
                .map(|(_, system)| u16::from(system.cubes_of(owner)))
                .sum(),
            BonusKind::CubesOnPlanet { planet } => colonies
                .flat_map(|(_, system)| {
                    let planets = system.planets().filter(move |&(_, kind)| kind == planet);
                    planets.map(move |(planet, _)| u16::from(system.cubes(planet, owner)))
                })
                .sum(),
            BonusKind::CubesInGalaxy { galaxy } => self.board.cubes_in(galaxy, owner).into(),
            BonusKind::AiCards => board.ai_cards() as u16,
            BonusKind::RangeSteps => upgrades(Upgrade::is_range),
            BonusKind::Projects => upgrades(Upgrade::is_project),
            BonusKind::Upgrades => upgrades(|_| true),
            BonusKind::Majorities => self
                .galaxies()
                .filter(|&galaxy| self.has_majority(owner, galaxy))
                .count() as u16,
            BonusKind::Galaxies => self
                .galaxies()
                .filter(|&galaxy| self.board.cubes_in(galaxy, owner) > 0)
                .count() as u16,
            BonusKind::Gems { gem } => board.gems.of(gem),
            BonusKind::GemSets => [Gem::Anthracite, Gem::Golden, Gem::Transparent]
                .into_iter()
                .map(|gem| board.gems.of(gem))
                .min()
                .unwrap_or_default(),
            BonusKind::Stations => board.stations.iter().flatten().count() as u16,
            BonusKind::StationGalaxiesLed => {
                let placed = board.stations.iter().flatten();
                placed
                    .filter(|&&galaxy| self.has_majority(owner, galaxy))
                    .count() as u16
            }
        }
    }

    /// The order of final scoring: the throne first, then the others in turn order around the
    /// table.
    fn final_order(&self) -> ArrayVec<Party, 4> {
        let mut order = self.order.clone();
        let first = order.iter().position(|&party| Some(party) == self.throne);
        order.rotate_left(first.unwrap_or_default());
        order
    }

    /// What decides: who has left ranks last; then level, energy, cubes on the board, upgrades.
    fn merit(&self, party: Party) -> (bool, u8, u16, u8, u8) {
        let board = self.party(party);
        let stays = self
            .seat_of(party)
            .is_none_or(|seat| !self.left.contains(seat));
        (
            stays,
            board.level,
            board.energy,
            self.board.cubes_of(party),
            board.upgrades.len() as u8,
        )
    }

    /// All parties, the best first.
    fn standings(&self) -> ArrayVec<Standing, 4> {
        let mut parties: ArrayVec<Party, 4> = self.all_parties().collect();
        parties.sort_by_key(|&party| (Reverse(self.merit(party)), party));
        parties
            .iter()
            .map(|&party| {
                let (_, level, energy, cubes, upgrades) = self.merit(party);
                let better = |&&other: &&Party| self.merit(other) > self.merit(party);
                Standing {
                    party,
                    rank: parties.iter().filter(better).count() as u8 + 1,
                    level,
                    energy,
                    cubes,
                    upgrades,
                }
            })
            .collect()
    }

    /// The humans that rank first and haven't left. Who plays alone has to rank above the Automa
    /// (12).
    fn winners(&self, standings: &[Standing]) -> SeatSet {
        let first = standings.iter().filter(|standing| standing.rank == 1);
        let automa_is_first = first
            .clone()
            .any(|standing| self.seat_of(standing.party).is_none());
        if self.setup.humans == 1 && automa_is_first {
            return SeatSet::EMPTY;
        }
        first
            .filter_map(|standing| self.seat_of(standing.party))
            .filter(|&seat| !self.left.contains(seat))
            .collect()
    }
}

impl CouncilOfShadows {
    /// Final scoring, and the end of the game.
    pub(super) fn finish(&mut self, reason: EndReason, cx: &mut Cx<'_, Event>) {
        let seats = self.public.setup.humans;
        // A game that is broken off reveals nothing.
        let revealed = |seat| self.private.get(seat).filter(|_| reason != EndReason::Left);
        let bonus = SeatMap::from_fn(seats, |seat| {
            revealed(seat)
                .map(|own| own.bonus.clone())
                .unwrap_or_default()
        });
        let ending = Ending {
            outcome: Outcome::draw(seats),
            reason,
            standings: ArrayVec::new(),
            bonus,
        };
        self.public.stage = Stage::Over(ending);
        if reason != EndReason::Left {
            for party in self.public.final_order() {
                if let Some(seat) = self.public.seat_of(party) {
                    self.score_finally(seat, cx);
                }
            }
        }
        let standings = self.public.standings();
        let winners = self.public.winners(&standings);
        if let Stage::Over(ending) = &mut self.public.stage {
            ending.outcome = Outcome::won_by(winners, seats);
            ending.standings = standings;
        }
        cx.tell(Audience::All, || Event::GameOver { winners, reason });
    }

    /// Gems, AI cards, and the bonus cards in the order held; nothing is spent.
    fn score_finally(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        let party = Party::from(seat);
        let last = &numbers().last;
        cx.tell(Audience::All, || Event::FinalScoring { party });
        let board = self.public.party(party);
        let gems = board.gems.worth(last.gems);
        let cards = (board.ai_cards() as u16).saturating_mul(last.ai_card);
        self.gain_energy(party, gems, cx);
        self.gain_energy(party, cards, cx);
        let held = self
            .private
            .get(seat)
            .map(|own| own.bonus.clone())
            .unwrap_or_default();
        for card in held {
            cx.tell(Audience::All, || Event::BonusRevealed { seat, card });
            let energy = self.public.bonus_value(seat, card);
            self.gain_energy(party, energy, cx);
        }
    }

    /// A seat leaves. The rules page doesn't know that: somebody plays on for the seat, which ranks
    /// last. Without humans the game ends.
    pub(super) fn leave(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        self.public.left = self.public.left.with(seat);
        cx.tell(Audience::All, || Event::SeatLeft { seat });
        if self.public.left == self.public.seats() {
            self.put_things_back(cx);
            self.finish(EndReason::Left, cx);
        }
    }

    /// The game is broken off: cards laid in secret, drawn tiles and a drawn bonus card go back to
    /// where they came from.
    fn put_things_back(&mut self, cx: &mut Cx<'_, Event>) {
        for seat in self.public.seats().iter() {
            if let Some(own) = self.private_mut(seat) {
                own.plan.clear();
            }
            if let Some(plan) = self.public.plans.get_mut(seat) {
                plan.clear();
            }
        }
        if let Some((seat, _)) = self.acting() {
            self.put_tiles_back(seat, cx);
            if self.public.bonus_drawn.is_some() {
                self.return_drawn_bonus(seat, cx);
            }
        }
    }
}
