//! The campaign (12.4): chapters of two battles each, and the final battle.

use arrayvec::ArrayVec;

use super::action::{Action, CharacterSet, Elites, FinalTeam, Levels, SetNumber, Threat};
use super::event::Event;
use super::flow::SetUp;
use super::options::{Member, TEAM_MAX};
use super::state::{Battle, BattleEnd, EndReason, UnderFallingSkies};
use super::tables::{Chapter, Character, City, CitySide, Rule, Scenario, SkySet, tables};
use crate::chance::Chance;
use crate::cx::{Audience, Cx};

/// Sets offered for each battle of chapters 1 to 3.
const OFFERED: usize = 2;
/// The chapter of the final battle.
const LAST_CHAPTER: u8 = 4;
/// One character is recruited in each of six battles.
const RECRUITS_MAX: usize = 6;
/// Six saved cities and two reserve cities.
const CITIES_MAX: usize = 8;
/// Six battles with two tries each, and a final battle in each of the cities.
const RESULTS_MAX: usize = 12 + CITIES_MAX;

/// A campaign in progress, or over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Campaign {
    /// The chapter, 1 to 4.
    pub chapter: u8,
    /// The battle of the chapter, 1 or 2; in chapter 4 always 1.
    pub battle: u8,
    /// The try at this battle, 1 or 2; in chapter 4 always 1.
    pub attempt: u8,
    /// What is decided, or fought.
    pub stage: CampaignStage,
    /// The sets of this chapter that were offered so far: 1 and 2, later 3 and 4 too.
    pub sets: ArrayVec<SetOffer, { 2 * OFFERED }>,
    /// The set that was chosen for this battle.
    pub chosen: Option<SetOffer>,
    /// The characters, in the order of their recruitment.
    pub recruited: ArrayVec<Character, RECRUITS_MAX>,
    /// The elites of the chapter's first battle.
    pub elites: CharacterSet,
    /// The cities in which the final battle can be fought.
    pub cities: ArrayVec<HeldCity, CITIES_MAX>,
    /// The city that is defended, once it is settled.
    pub defended: Option<HeldCity>,
    /// Who fights, once it is settled; in the order of recruitment.
    pub team: ArrayVec<Member, TEAM_MAX>,
    /// The battles so far, one entry for each try.
    pub results: ArrayVec<BattleResult, RESULTS_MAX>,
    /// The difficulties of the battles won, less 1 for each one lost.
    pub score: i16,
}

/// What a campaign waits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CampaignStage {
    /// Which of the two sets is played.
    ChooseSet,
    /// Who of the earlier characters fights in the first battle.
    ChooseElites,
    /// Where the final battle is fought.
    ChooseCity,
    /// Who fights in the final battle.
    ChooseTeam,
    /// How difficult the battle is.
    ChooseDifficulty,
    /// The end of the battle on the table.
    Battle,
}

/// A city, a scenario and a character that are offered together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SetOffer {
    /// Its number.
    pub number: SetNumber,
    /// The city.
    pub city: City,
    /// The scenario.
    pub scenario: Scenario,
    /// The character.
    pub character: Character,
}

/// A city with the side that is up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HeldCity {
    /// The city.
    pub city: City,
    /// Intact, or damaged if it was saved by the second try.
    pub side: CitySide,
}

/// A battle that was fought.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BattleResult {
    /// The chapter, 1 to 4.
    pub chapter: u8,
    /// The battle of the chapter, 1 or 2.
    pub battle: u8,
    /// The try, 1 or 2.
    pub attempt: u8,
    /// Where it was fought.
    pub city: HeldCity,
    /// How many sky tiles lay on the dangerous side.
    pub threat: u8,
    /// The levels with the advanced tile.
    pub advanced: Levels,
    /// The stars of the sky tiles.
    pub difficulty: u8,
    /// How it ended.
    pub end: BattleEnd,
}

/// What is offered in the second battle of a chapter: hidden before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaterSets {
    /// The cities of sets 3 and 4, and the reserve city if there is one.
    pub cities: ArrayVec<City, 3>,
    /// The scenarios of sets 3 and 4.
    pub scenarios: [Scenario; OFFERED],
    /// The characters of sets 3 and 4.
    pub characters: [Character; OFFERED],
}

impl LaterSets {
    /// Deals what is left of a chapter.
    fn deal(left: &ChapterCards) -> Option<Self> {
        Some(Self {
            cities: left.cities.iter().copied().collect(),
            scenarios: left.scenarios.as_slice().try_into().ok()?,
            characters: left.characters.as_slice().try_into().ok()?,
        })
    }

    /// Any order of what a viewer of the campaign has not seen of the chapter, each equally likely;
    /// `None` if he has seen all.
    pub(super) fn imagine(campaign: &Campaign, chance: &mut Chance) -> Option<Self> {
        if campaign.chapter >= LAST_CHAPTER || campaign.sets.len() > OFFERED {
            return None;
        }
        let mut cards = ChapterCards::of(campaign.chapter);
        for set in &campaign.sets {
            cards.cities.retain(|city| *city != set.city);
            cards.scenarios.retain(|scenario| *scenario != set.scenario);
            cards
                .characters
                .retain(|character| *character != set.character);
        }
        cards.shuffle(chance);
        Self::deal(&cards)
    }
}

/// Cities, scenarios and characters of a chapter, in the order of the data until they are shuffled.
struct ChapterCards {
    cities: ArrayVec<City, 5>,
    scenarios: ArrayVec<Scenario, 4>,
    characters: ArrayVec<Character, 4>,
}

impl ChapterCards {
    fn of(chapter: u8) -> Self {
        Self {
            cities: City::all()
                .filter(|city| city.tile().chapter == chapter)
                .take(5)
                .collect(),
            scenarios: Scenario::all()
                .filter(|scenario| scenario.sheet().chapter == chapter)
                .take(4)
                .collect(),
            characters: Character::all()
                .filter(|character| character.sheet().chapter == chapter)
                .take(4)
                .collect(),
        }
    }

    /// 12.4.1: three independent shuffles, in this order.
    fn shuffle(&mut self, chance: &mut Chance) {
        chance.shuffle(&mut self.cities);
        chance.shuffle(&mut self.scenarios);
        chance.shuffle(&mut self.characters);
    }

    /// The next two sets, the first of them with this number. None if the cards have run out.
    fn offer(&mut self, first: u8) -> Option<[SetOffer; OFFERED]> {
        let mut sets = ArrayVec::<SetOffer, OFFERED>::new();
        for number in first..first + OFFERED as u8 {
            sets.push(SetOffer {
                number: SetNumber::new(number)?,
                city: self.cities.pop_at(0)?,
                scenario: self.scenarios.pop_at(0)?,
                character: self.characters.pop_at(0)?,
            });
        }
        sets.into_inner().ok()
    }
}

impl Campaign {
    /// A campaign before its first chapter.
    pub(super) fn new() -> Self {
        Self {
            chapter: 0,
            battle: 1,
            attempt: 1,
            stage: CampaignStage::ChooseSet,
            sets: ArrayVec::new(),
            chosen: None,
            recruited: ArrayVec::new(),
            elites: CharacterSet::default(),
            cities: ArrayVec::new(),
            defended: None,
            team: ArrayVec::new(),
            results: ArrayVec::new(),
            score: 0,
        }
    }

    /// The two sets that can be chosen for this battle.
    pub fn offered(&self) -> &[SetOffer] {
        &self.sets[self.sets.len().saturating_sub(OFFERED)..]
    }

    /// The levels at which the advanced tile may be used in this chapter.
    pub fn advanced_levels(&self) -> Levels {
        let open = (0..)
            .zip(tables().sky.advanced_from)
            .filter(|&(_, chapter)| chapter <= self.chapter);
        Levels::from_bits(open.fold(0, |bits, (level, _)| bits | 1 << level)).unwrap_or_default()
    }

    /// What may be decided, ascending by id.
    pub(super) fn actions(&self, out: &mut Vec<Action>) {
        match self.stage {
            CampaignStage::ChooseSet => {
                out.extend(
                    self.offered()
                        .iter()
                        .map(|set| Action::ChooseSet { set: set.number }),
                );
            }
            CampaignStage::ChooseElites => {
                let choices = Elites::all().filter(|&elites| self.may_be_elites(elites));
                out.extend(choices.map(|elites| Action::ChooseElites { elites }));
            }
            CampaignStage::ChooseCity => {
                let choices = City::all().filter(|&city| self.held(city).is_some());
                out.extend(choices.map(|city| Action::ChooseCity { city }));
            }
            CampaignStage::ChooseTeam => {
                let choices = FinalTeam::all().filter(|&team| self.may_be_team(team));
                out.extend(choices.map(|team| Action::ChooseTeam { team }));
            }
            CampaignStage::ChooseDifficulty => {
                let open = self.advanced_levels();
                for threat in Threat::all() {
                    let choices = Levels::all().filter(|levels| levels.within(open));
                    out.extend(
                        choices.map(|advanced| Action::ChooseDifficulty { threat, advanced }),
                    );
                }
            }
            CampaignStage::Battle => {}
        }
    }

    /// Recruited in earlier chapters, as many as the chapter says.
    pub(super) fn may_be_elites(&self, elites: Elites) -> bool {
        let characters = elites.characters();
        characters.len() == self.elites_per_battle()
            && characters
                .iter()
                .all(|character| self.is_earlier(character))
    }

    /// Three of those that were recruited.
    pub(super) fn may_be_team(&self, team: FinalTeam) -> bool {
        team.characters()
            .iter()
            .all(|character| self.recruited.contains(&character))
    }

    /// The side of a city in which the final battle can be fought.
    pub fn held(&self, city: City) -> Option<HeldCity> {
        self.cities.iter().find(|held| held.city == city).copied()
    }

    fn is_earlier(&self, character: Character) -> bool {
        self.recruited.contains(&character) && character.sheet().chapter < self.chapter
    }

    fn elites_per_battle(&self) -> u32 {
        self.sheet()
            .map_or(0, |chapter| chapter.elites_per_battle.into())
    }

    fn sheet(&self) -> Option<&'static Chapter> {
        tables()
            .chapters
            .iter()
            .find(|chapter| chapter.number == self.chapter)
    }

    /// Steps 3 and 5: these elites fight with their upgraded abilities, the new character with the
    /// basic one.
    fn form_team_with(&mut self, elites: CharacterSet, cx: &mut Cx<'_, Event>) {
        let new = self.chosen.map(|set| set.character);
        let recruited = self.recruited.iter();
        let fighting = recruited.filter_map(|&id| {
            let upgraded = self.is_earlier(id);
            let fights = if upgraded {
                elites.contains(id)
            } else {
                new == Some(id)
            };
            fights.then_some(Member { id, upgraded })
        });
        let team = fighting.take(TEAM_MAX).collect();
        self.form_team(team, cx);
    }

    fn form_team(&mut self, team: ArrayVec<Member, TEAM_MAX>, cx: &mut Cx<'_, Event>) {
        self.team = team;
        cx.tell(Audience::All, || Event::TeamFormed {
            team: self.team.clone(),
        });
        self.stage = CampaignStage::ChooseDifficulty;
    }

    fn defend(&mut self, held: HeldCity, cx: &mut Cx<'_, Event>) {
        self.defended = Some(held);
        let HeldCity { city, side } = held;
        cx.tell(Audience::All, || Event::CityChosen { city, side });
    }

    fn choose_set(&mut self, number: SetNumber, cx: &mut Cx<'_, Event>) {
        let mut offered = self.offered().iter();
        let Some(set) = offered.find(|set| set.number == number).copied() else {
            return;
        };
        self.chosen = Some(set);
        let intact = HeldCity {
            city: set.city,
            side: CitySide::Intact,
        };
        self.defend(intact, cx);
        // 12.4.2: the character joins at once, and stays whatever happens.
        if !self.recruited.is_full() {
            self.recruited.push(set.character);
        }
        cx.tell(Audience::All, || Event::CharacterRecruited {
            character: set.character,
        });
        if self.elites_per_battle() > 0 && self.battle == 1 {
            self.stage = CampaignStage::ChooseElites;
        } else {
            // 12.4.3: the second battle takes those who did not fight in the first.
            let earlier = self.recruited.iter().copied();
            let others = earlier.filter(|&character| !self.elites.contains(character));
            self.form_team_with(others.collect(), cx);
        }
    }

    fn choose_elites(&mut self, elites: Elites, cx: &mut Cx<'_, Event>) {
        self.elites = elites.characters();
        self.form_team_with(self.elites, cx);
    }

    fn choose_city(&mut self, city: City, cx: &mut Cx<'_, Event>) {
        if let Some(held) = self.held(city) {
            self.defend(held, cx);
            self.stage = CampaignStage::ChooseTeam;
        }
    }

    fn choose_team(&mut self, team: FinalTeam, cx: &mut Cx<'_, Event>) {
        let recruited = self.recruited.iter().copied();
        let fighting = recruited.filter(|&character| team.characters().contains(character));
        let members = fighting.map(|id| Member { id, upgraded: true });
        self.form_team(members.take(TEAM_MAX).collect(), cx);
    }

    /// What the battle is set up with, once city, team and difficulty are settled.
    fn set_up(&self, threat: Threat, advanced: Levels) -> Option<SetUp> {
        let HeldCity { city, side } = self.defended?;
        let set = |level| {
            if advanced.contains(level) {
                SkySet::Advanced
            } else {
                SkySet::Base
            }
        };
        Some(SetUp {
            city,
            side,
            sky_set: [1, 2, 3, 4].map(set),
            threat: threat.get(),
            sky_sides: None,
            robots: true,
            team: self.team.clone(),
            scenario: match self.chapter {
                LAST_CHAPTER => final_battle(),
                _ => self.chosen.map(|set| set.scenario),
            },
        })
    }

    /// Steps 5 and 6: the score counts the difficulty of a battle won, and -1 for one lost.
    fn note(&mut self, battle: &Battle, end: BattleEnd, cx: &mut Cx<'_, Event>) {
        let levels = (0..).zip(battle.sky.tiles);
        let advanced = levels
            .filter(|(_, (set, _))| *set == SkySet::Advanced)
            .fold(0, |bits, (level, _)| bits | 1 << level);
        let result = BattleResult {
            chapter: self.chapter,
            battle: self.battle,
            attempt: self.attempt,
            city: HeldCity {
                city: battle.city,
                side: battle.side,
            },
            threat: battle.sky.threat(),
            advanced: Levels::from_bits(advanced).unwrap_or_default(),
            difficulty: battle.sky.stars(),
            end,
        };
        self.score += match end {
            BattleEnd::Won => i16::from(result.difficulty),
            BattleEnd::LostMothership | BattleEnd::LostDamage => -1,
        };
        if !self.results.is_full() {
            self.results.push(result);
        }
        let score = self.score;
        cx.tell(Audience::All, || Event::BattleNoted { result, score });
    }
}

/// The scenario of chapter 4.
fn final_battle() -> Option<Scenario> {
    Scenario::all().find(|scenario| matches!(scenario.sheet().rule, Rule::FinalStrip { .. }))
}

impl UnderFallingSkies {
    /// Answers the open decision of the campaign.
    pub(super) fn answer_campaign(&mut self, action: Action, cx: &mut Cx<'_, Event>) {
        let Some(campaign) = &mut self.public.campaign else {
            return;
        };
        match action {
            Action::ChooseSet { set } => campaign.choose_set(set, cx),
            Action::ChooseElites { elites } => campaign.choose_elites(elites, cx),
            Action::ChooseTeam { team } => campaign.choose_team(team, cx),
            Action::ChooseCity { city } => campaign.choose_city(city, cx),
            Action::ChooseDifficulty { threat, advanced } => {
                if let Some(set_up) = campaign.set_up(threat, advanced) {
                    campaign.stage = CampaignStage::Battle;
                    self.public.battle = Some(Battle::begin(&set_up, cx));
                }
            }
            _ => debug_assert!(false, "no decision of a campaign"),
        }
    }

    /// 12.4.1: a chapter begins; the two sets of its first battle are offered.
    pub(super) fn start_chapter(&mut self, cx: &mut Cx<'_, Event>) {
        let Some(campaign) = &mut self.public.campaign else {
            return;
        };
        campaign.chapter += 1;
        campaign.battle = 1;
        campaign.attempt = 1;
        campaign.sets.clear();
        campaign.chosen = None;
        campaign.defended = None;
        campaign.team.clear();
        campaign.elites = CharacterSet::default();
        let chapter = campaign.chapter;
        cx.tell(Audience::All, || Event::ChapterStarted { chapter });
        if chapter >= LAST_CHAPTER {
            campaign.stage = CampaignStage::ChooseCity;
            return;
        }
        campaign.stage = CampaignStage::ChooseSet;
        let mut cards = ChapterCards::of(chapter);
        cards.shuffle(cx.chance);
        if let Some(sets) = cards.offer(1) {
            campaign.sets.extend(sets);
            cx.tell(Audience::All, || Event::SetsOffered {
                sets,
                reserve: None,
            });
        }
        self.hidden.later = LaterSets::deal(&cards);
    }

    /// The second battle of a chapter: sets 3 and 4 are shown, and the reserve city.
    fn start_second_battle(&mut self, cx: &mut Cx<'_, Event>) {
        let Some(campaign) = &mut self.public.campaign else {
            return;
        };
        campaign.battle = 2;
        campaign.attempt = 1;
        campaign.chosen = None;
        campaign.defended = None;
        campaign.team.clear();
        campaign.stage = CampaignStage::ChooseSet;
        let Some(later) = self.hidden.later.take() else {
            return;
        };
        let mut cards = ChapterCards {
            cities: later.cities.iter().copied().collect(),
            scenarios: later.scenarios.into_iter().collect(),
            characters: later.characters.into_iter().collect(),
        };
        if let Some(sets) = cards.offer(3) {
            campaign.sets.extend(sets);
            let reserve = cards.cities.first().copied();
            if let Some(city) = reserve
                && !campaign.cities.is_full()
            {
                campaign.cities.push(HeldCity {
                    city,
                    side: CitySide::Intact,
                });
            }
            cx.tell(Audience::All, || Event::SetsOffered { sets, reserve });
        }
    }

    /// A battle of the campaign is over: what comes next (12.4, steps 5 and 6).
    pub(super) fn finish_campaign_battle(&mut self, end: BattleEnd, cx: &mut Cx<'_, Event>) {
        let Some(battle) = self.public.battle.take() else {
            return;
        };
        let Some(campaign) = &mut self.public.campaign else {
            return;
        };
        campaign.note(&battle, end, cx);
        let held = HeldCity {
            city: battle.city,
            side: battle.side,
        };
        let is_final = campaign.chapter >= LAST_CHAPTER;
        match (end, is_final) {
            (BattleEnd::Won, true) => self.end_campaign(EndReason::CampaignWon, cx),
            (BattleEnd::Won, false) => {
                if !campaign.cities.is_full() {
                    campaign.cities.push(held);
                }
                self.next_battle(cx);
            }
            (BattleEnd::LostMothership | BattleEnd::LostDamage, true) => {
                campaign.cities.retain(|other| other.city != held.city);
                campaign.defended = None;
                campaign.team.clear();
                campaign.stage = CampaignStage::ChooseCity;
                if campaign.cities.is_empty() {
                    self.end_campaign(EndReason::CampaignLost, cx);
                }
            }
            (BattleEnd::LostMothership | BattleEnd::LostDamage, false) if campaign.attempt == 1 => {
                // R49: the same team on the damaged side, with tiles drawn anew.
                campaign.attempt = 2;
                let damaged = HeldCity {
                    side: CitySide::Damaged,
                    ..held
                };
                campaign.defend(damaged, cx);
                campaign.stage = CampaignStage::ChooseDifficulty;
            }
            (BattleEnd::LostMothership | BattleEnd::LostDamage, false) => self.next_battle(cx),
        }
    }

    fn next_battle(&mut self, cx: &mut Cx<'_, Event>) {
        let battles = |campaign: &Campaign| campaign.sheet().map_or(0, |chapter| chapter.battles);
        match &self.public.campaign {
            Some(campaign) if campaign.battle < battles(campaign) => self.start_second_battle(cx),
            _ => self.start_chapter(cx),
        }
    }

    fn end_campaign(&mut self, reason: EndReason, cx: &mut Cx<'_, Event>) {
        let score = self
            .public
            .campaign
            .as_ref()
            .map_or(0, |campaign| i32::from(campaign.score));
        self.end(reason, score, cx);
    }
}
