//! Gains, levels, and the events that levels bring (7, 8).

use super::components::{Consolation, DarkTech, Field, Gems, Numbered, Set, numbers};
use super::event::Event;
use super::state::{
    CouncilOfShadows, EventTask, LevelUp, PARTIES_MAX, Party, Phase, Public, Slot, Stage,
};
use crate::cx::{Audience, Cx};
use crate::seat::{Seat, SeatSet};

impl Public {
    /// The levels of all parties, by party.
    fn levels(&self) -> [u8; PARTIES_MAX as usize] {
        std::array::from_fn(|party| self.parties.get(party).map_or(0, |board| board.level))
    }
}

impl CouncilOfShadows {
    pub(super) fn gain_gems(&mut self, party: Party, gems: Gems, cx: &mut Cx<'_, Event>) {
        if gems.is_empty() {
            return;
        }
        let board = self.public.party_mut(party);
        board.gems = board.gems.plus(gems);
        cx.tell(Audience::All, || Event::GemsGained { party, gems });
    }

    /// One indivisible gain of energy, and the level check after it.
    pub(super) fn gain_energy(&mut self, party: Party, energy: u16, cx: &mut Cx<'_, Event>) {
        if energy == 0 {
            return;
        }
        let board = self.public.party_mut(party);
        board.energy = board.energy.saturating_add(energy);
        cx.tell(Audience::All, || Event::EnergyGained { party, energy });
        self.check_level(party, cx);
    }

    /// The level check: equality is enough (R26), the marker stays (R25), the surplus may reach a
    /// further level.
    pub(super) fn check_level(&mut self, party: Party, cx: &mut Cx<'_, Event>) {
        loop {
            let board = self.public.party_mut(party);
            if board.energy < board.consumption {
                return;
            }
            board.energy -= board.consumption;
            board.level = board.level.saturating_add(1);
            let level = board.level;
            cx.tell(Audience::All, || Event::LevelReached { party, level });
            // R30, R34: levels above the throne, and in final scoring, bring nothing.
            let brings_nothing = level > numbers().play.throne_level || self.in_final_scoring();
            if !brings_nothing {
                let levels = self.public.levels();
                self.public.level_ups.push(LevelUp {
                    party,
                    level,
                    levels,
                });
            }
        }
    }

    fn in_final_scoring(&self) -> bool {
        matches!(self.public.stage, Stage::Over(_))
    }

    /// DT: processes levels reached in the phase in the order in which they were. Tells whether
    /// somebody has to decide on the way.
    pub(super) fn process_events(&mut self, after: Phase, cx: &mut Cx<'_, Event>) -> bool {
        while let Some(&level_up) = self.public.level_ups.first() {
            if level_up.level < numbers().play.throne_level {
                match self.public.seat_of(level_up.party) {
                    Some(seat) => {
                        self.public.stage = Stage::Events {
                            after,
                            task: EventTask::Pick,
                        };
                        self.look_at_dark_tech(seat, level_up.level, cx);
                        return true;
                    }
                    None => self.automa_takes_dark_tech(level_up, cx),
                }
            }
            self.finish_event(level_up, cx);
        }
        false
    }

    /// 7.1: the player sees all cards that are left, and keeps that knowledge.
    fn look_at_dark_tech(&mut self, seat: Seat, level: u8, cx: &mut Cx<'_, Event>) {
        let stack = usize::from(level - 1);
        let cards: Set<DarkTech> = self.hidden.dark_tech[stack].iter().copied().collect();
        if let Some(own) = self.private_mut(seat) {
            own.dark_tech[stack] = Some(cards);
        }
        let owner = Audience::Only(SeatSet::only(seat));
        cx.tell(owner, || Event::DarkTechSeen { level, cards });
    }

    /// A card leaves its stack face up.
    pub(super) fn remove_dark_tech(
        &mut self,
        party: Party,
        card: DarkTech,
        cx: &mut Cx<'_, Event>,
    ) {
        let stack = usize::from(card.data().level - 1);
        self.hidden.dark_tech[stack].retain(|left| *left != card);
        self.public.dark_tech[stack] = self.hidden.dark_tech[stack].len() as u8;
        for (_, own) in self.private.iter_mut() {
            if let Some(seen) = &mut own.dark_tech[stack] {
                seen.remove(card);
            }
        }
        self.public.party_mut(party).dark_tech.insert(card);
        cx.tell(Audience::All, || Event::DarkTechTaken { party, card });
    }

    /// The card is picked, and its instant effect carried out.
    pub(super) fn take_dark_tech(&mut self, seat: Seat, card: DarkTech, cx: &mut Cx<'_, Event>) {
        let party = Party::from(seat);
        self.remove_dark_tech(party, card, cx);
        let data = card.data();
        match card {
            DarkTech::ExtraField => {
                let slots = &mut self.public.party_mut(party).slots;
                slots.push(Slot::empty(Field::DarkTech));
            }
            DarkTech::Terraformer | DarkTech::EnergyBurst | DarkTech::Surge => {
                self.gain_energy(party, data.energy, cx);
            }
            DarkTech::Cache => self.gain_gems(party, data.gems, cx),
            DarkTech::Purge => {
                let floor = numbers().start.consumption;
                let board = self.public.party_mut(party);
                let moved = board.consumption.saturating_sub(u16::from(data.amount));
                board.consumption = moved.max(floor);
                self.check_level(party, cx);
            }
            DarkTech::ColonialWave => {
                self.set_event_task(EventTask::Wave { left: data.amount });
                return;
            }
            DarkTech::Archive => {
                self.gain_energy(party, data.energy, cx);
                self.set_event_task(EventTask::Archive { left: data.draws });
                self.draw_from_archive(seat, cx);
                return;
            }
            // Lasting: each is asked where it applies.
            DarkTech::GemWell
            | DarkTech::Efficiency
            | DarkTech::DeepDrill
            | DarkTech::WarpBeacon
            | DarkTech::Dominion
            | DarkTech::Holdfast
            | DarkTech::Overclock
            | DarkTech::TradeNexus => {}
        }
        self.end_pick(cx);
    }

    fn set_event_task(&mut self, next: EventTask) {
        if let Stage::Events { task, .. } = &mut self.public.stage {
            *task = next;
        }
    }

    /// dt2_archive: the draws that are left, one after the other, until the limit of four asks for
    /// a choice.
    pub(super) fn draw_from_archive(&mut self, seat: Seat, cx: &mut Cx<'_, Event>) {
        while let Stage::Events {
            task: EventTask::Archive { left },
            ..
        } = &mut self.public.stage
        {
            if *left == 0 {
                return self.end_pick(cx);
            }
            *left -= 1;
            self.draw_bonus(seat, cx);
            if self.public.bonus_drawn.is_some() {
                return;
            }
        }
    }

    /// dt2_colonial_wave: a cube has been placed.
    pub(super) fn wave_on(&mut self, cx: &mut Cx<'_, Event>) {
        let Stage::Events {
            task: EventTask::Wave { left },
            ..
        } = &mut self.public.stage
        else {
            return;
        };
        *left = left.saturating_sub(1);
        if *left == 0 {
            self.end_pick(cx);
        }
    }

    /// The pick is carried out: compensation, and on to the next event.
    pub(super) fn end_pick(&mut self, cx: &mut Cx<'_, Event>) {
        let Stage::Events { after, .. } = self.public.stage else {
            return;
        };
        if let Some(&level_up) = self.public.level_ups.first() {
            self.finish_event(level_up, cx);
        }
        self.end_phase(after, cx);
    }

    /// 7.2 and 7.3, and the event is done.
    fn finish_event(&mut self, level_up: LevelUp, cx: &mut Cx<'_, Event>) {
        let compensation = &numbers().compensation;
        match level_up.level {
            1 => self.compensate(level_up, &compensation.level_1, cx),
            2 => self.compensate(level_up, &compensation.level_2, cx),
            _ => {}
        }
        if level_up.level == numbers().play.throne_level && self.public.throne.is_none() {
            // R31.
            self.public.throne = Some(level_up.party);
            let party = level_up.party;
            cx.tell(Audience::All, || Event::ThroneTaken { party });
        }
        // Levels reached meanwhile stand behind it.
        self.public.level_ups.remove(0);
    }

    /// R28: by the levels at the moment of the level-up.
    fn compensate(
        &mut self,
        level_up: LevelUp,
        consolations: &[Consolation],
        cx: &mut Cx<'_, Event>,
    ) {
        for party in self.public.all_parties() {
            let level = level_up.levels.get(usize::from(party.0)).copied();
            let due = consolations
                .iter()
                .find(|consolation| Some(consolation.level) == level);
            let Some(due) = due.filter(|_| party != level_up.party) else {
                continue;
            };
            if self.public.seat_of(party).is_some() {
                self.gain_gems(party, due.gems, cx);
            } else {
                let energy = due.gems.worth(numbers().compensation.automa_energy);
                self.gain_energy(party, energy, cx);
            }
        }
    }
}

impl CouncilOfShadows {
    /// 7: the top card leaves the game face up, without effect.
    fn automa_takes_dark_tech(&mut self, level_up: LevelUp, cx: &mut Cx<'_, Event>) {
        let stack = usize::from(level_up.level - 1);
        if let Some(&card) = self.hidden.dark_tech[stack].first() {
            debug_assert!(card.index() < DarkTech::COUNT);
            self.remove_dark_tech(level_up.party, card, cx);
        }
    }
}
