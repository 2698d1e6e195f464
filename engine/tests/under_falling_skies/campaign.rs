//! The campaign (12.4): K1 to K3, R49, and what is hidden when.

use tavola_engine::games::under_falling_skies::{
    Battle, BattleEnd, Campaign, CampaignStage, CitySide, DiePlace, EndReason, Event, Mode,
    Options, RoomKind, SetNumber, Stage, UnderFallingSkies, WorkerDie,
};
use tavola_engine::{Chance, Cx, Evaluate, Game, Playthrough, Seat, Seed, Viewer};

use crate::scenario::{Table, action, events};

/// A campaign at its first decision.
fn begin(seed: u64) -> Table {
    let options = Options {
        mode: Mode::Campaign,
        campaign_content: true,
        ..Options::default()
    };
    let mut log = Vec::new();
    let started = Playthrough::<UnderFallingSkies>::start(
        options,
        1,
        Seed::from_number(seed),
        Some(&mut log),
    );
    Table {
        state: started.unwrap().state().clone(),
        told: events(log),
    }
}

impl Table {
    fn campaign(&self) -> &Campaign {
        self.state.public().campaign.as_ref().unwrap()
    }

    /// Plays an action, with chance that doesn't matter.
    fn takes(mut self, notation: &str) -> Self {
        let mut log = Vec::new();
        let mut chance = Chance::at_ply(Seed::from_number(7), self.campaign().results.len() as u32);
        let played = self.state.apply(
            Seat(0),
            action(notation),
            &mut Cx::new(&mut chance, Some(&mut log)),
        );
        assert_eq!(played, Ok(()), "{notation}, of {:?}", self.legal());
        self.told = events(log);
        self
    }

    /// Takes the first option of a decision.
    fn takes_first(self) -> Self {
        let first = self.legal()[0].clone();
        self.takes(&first)
    }

    /// Goes on to the choice of a difficulty.
    fn reaches_difficulty(mut self) -> Self {
        while self.campaign().stage != CampaignStage::ChooseDifficulty {
            self = self.takes_first();
        }
        self
    }

    /// Sets the battle up and loses it.
    fn loses(self, difficulty: &str) -> Self {
        let table = self
            .reaches_difficulty()
            .takes(&format!("choose_difficulty {difficulty}"));
        let lost = |battle: &mut Battle| {
            battle.stage = Stage::Rooms;
            battle.mothership = battle.sky.skull_row() + 1;
        };
        table.edit(lost).takes("end_rooms")
    }

    /// Sets the battle up and wins it, as the rules would have it.
    fn wins(self, difficulty: &str) -> Self {
        let mut table = self
            .reaches_difficulty()
            .takes(&format!("choose_difficulty {difficulty}"));
        let mut best = 0;
        let won = |battle: &mut Battle| {
            let merged = battle
                .base()
                .rooms
                .iter()
                .filter(|room| room.is(RoomKind::Research) && room.is_merged());
            let room = merged
                .max_by_key(|room| 6 * room.spaces.len() as i16 + i16::from(room.modifier))
                .unwrap();
            best = room.anchor.index();
            battle.stage = Stage::Rooms;
            battle.excavator = crate::scenario::p(29);
            battle.energy = battle.base().energy_max;
            battle.research = battle.sky.victory_space() - 1;
            battle.this_battle.shots = 6;
            battle.this_battle.evacuations = 3;
            for (die, space) in battle.dice.iter_mut().zip(room.spaces.iter()) {
                *die = WorkerDie {
                    face: 6,
                    place: DiePlace::On(space),
                };
            }
        };
        table = table.edit(won);
        table.takes(&format!("resolve_room p{best} steps 1"))
    }
}

#[test]
fn k1_a_battle_lost_twice() {
    let table = begin(1);
    assert_eq!(table.legal(), ["choose_set 1", "choose_set 2"]);
    let set = table.campaign().sets[0];
    let table = table.takes("choose_set 1");
    assert_eq!(table.campaign().recruited.as_slice(), [set.character]);
    let team = table.campaign().team.clone();
    let told = [
        Event::CityChosen {
            city: set.city,
            side: CitySide::Intact,
        },
        Event::CharacterRecruited {
            character: set.character,
        },
        Event::TeamFormed { team: team.clone() },
    ];
    assert_eq!(table.told, told);
    assert!(team.len() == 1 && team[0].id == set.character && !team[0].upgraded);
    let table = table.loses("1 []");
    assert_eq!((table.campaign().score, table.campaign().attempt), (-1, 2));
    let table = table.loses("2 []");
    let campaign = table.campaign();
    assert_eq!(
        (campaign.score, campaign.battle, campaign.attempt),
        (-2, 2, 1)
    );
    assert!(campaign.cities.is_empty(), "the city is lost");
    assert_eq!(campaign.recruited.as_slice(), [set.character]);
    assert_eq!(table.legal(), ["choose_set 3", "choose_set 4"]);
}

/// The second try is on the damaged side, with the same team and scenario and with tiles drawn
/// anew.
#[test]
fn r49_the_second_try() {
    let table = begin(2)
        .takes("choose_set 2")
        .takes("choose_difficulty 2 []");
    let first = table.battle().clone();
    assert_eq!((first.side, first.sky.threat()), (CitySide::Intact, 2));
    let sides = |seed| {
        let lost = table.clone().edit(|battle| {
            battle.stage = Stage::Rooms;
            battle.mothership = battle.sky.skull_row() + 1;
        });
        let mut again = lost.takes("end_rooms");
        assert_eq!(again.legal().len(), 5, "the difficulty is chosen again");
        let mut chance = Chance::at_ply(Seed::from_number(seed), 0);
        again
            .state
            .apply(
                Seat(0),
                action("choose_difficulty 2 []"),
                &mut Cx::new(&mut chance, None),
            )
            .unwrap();
        let second = again.battle().clone();
        assert_eq!(
            (second.city, second.side, second.scenario),
            (first.city, CitySide::Damaged, first.scenario)
        );
        assert_eq!((&second.team, second.sky.threat()), (&first.team, 2));
        second.sky.tiles
    };
    let mut drawn: Vec<_> = (0..60)
        .map(sides)
        .map(|tiles| tiles.map(|(_, side)| side))
        .collect();
    drawn.sort_unstable();
    drawn.dedup();
    assert_eq!(drawn.len(), 6, "every pair of tiles comes up");
}

#[test]
fn k2_six_battles_won() {
    let mut table = begin(3);
    for battle in 0..6 {
        assert_eq!(table.campaign().stage, CampaignStage::ChooseSet);
        assert_eq!(table.campaign().chapter, 1 + battle / 2);
        table = table.wins("0 []");
    }
    assert_eq!(
        (table.campaign().chapter, table.campaign().stage),
        (4, CampaignStage::ChooseCity)
    );
    assert_eq!(table.legal().len(), 8);
    let table = table.takes_first();
    assert_eq!(table.legal().len(), 20);
    let table = table.takes_first();
    assert!(
        table.campaign().team.len() == 3
            && table.campaign().team.iter().all(|member| member.upgraded)
    );
    assert_eq!(table.legal().len(), 80);
    let table = table.wins("4 [1, 2, 3, 4]");
    let campaign = table.campaign();
    assert_eq!(
        campaign
            .results
            .last()
            .map(|result| (result.difficulty, result.end)),
        Some((8, BattleEnd::Won))
    );
    assert_eq!(campaign.score, 8);
    let ending = table.state.public().ending.clone().unwrap();
    assert_eq!(ending.reason, EndReason::CampaignWon);
    assert!(ending.outcome.winners.contains(Seat(0)));
    assert_eq!(table.score(), 8);
    assert_eq!(
        table.told.last(),
        Some(&Event::GameEnded {
            reason: EndReason::CampaignWon,
            score: 8
        })
    );
}

#[test]
fn k3_a_campaign_lost() {
    let mut table = begin(4).loses("2 []").wins("2 []");
    assert_eq!(
        table
            .campaign()
            .cities
            .as_slice()
            .first()
            .map(|held| held.side),
        Some(CitySide::Damaged)
    );
    for _ in 0..5 {
        table = table.loses("0 []").loses("0 []");
    }
    assert_eq!(table.legal().len(), 3, "one saved city and two in reserve");
    for left in (0..3).rev() {
        table = table.loses("0 []");
        assert_eq!(table.campaign().cities.len(), left);
    }
    let campaign = table.campaign();
    assert_eq!((campaign.results.len(), campaign.score), (15, -12));
    let ending = table.state.public().ending.clone().unwrap();
    assert_eq!(ending.reason, EndReason::CampaignLost);
    assert!(ending.outcome.winners.is_empty());
    assert!(table.legal().is_empty());
}

#[test]
fn the_teams_of_the_chapters() {
    let mut table = begin(5).wins("0 []").wins("0 []");
    let recruited = |table: &Table| table.campaign().recruited.to_vec();
    let [first, second] = recruited(&table).try_into().unwrap();
    // Chapter 2: one of the two, and the other in the second battle.
    table = table.takes("choose_set 1");
    assert_eq!(table.campaign().stage, CampaignStage::ChooseElites);
    assert_eq!(table.legal().len(), 2);
    table.refuses(
        &format!(
            "choose_elites {}",
            crate::scenario::character("wang_lin").sheet().id
        ),
        "elites are recruits of earlier chapters, one in chapter 2 and two in chapter 3 (12.4)",
    );
    table = table.takes(&format!("choose_elites {}", second.sheet().id));
    let team: Vec<_> = table
        .campaign()
        .team
        .iter()
        .map(|member| (member.id, member.upgraded))
        .collect();
    let third = *recruited(&table).last().unwrap();
    assert_eq!(team, [(second, true), (third, false)]);
    assert_eq!(table.legal().len(), 10, "level 1 may be advanced");
    table = table.wins("1 [1]").takes("choose_set 4");
    let fourth = *recruited(&table).last().unwrap();
    let team: Vec<_> = table
        .campaign()
        .team
        .iter()
        .map(|member| (member.id, member.upgraded))
        .collect();
    assert_eq!(team, [(first, true), (fourth, false)]);
    // Chapter 3: two of the four, and the other two.
    table = table.wins("0 []").takes("choose_set 2");
    assert_eq!(table.legal().len(), 6);
    table = table.takes_first();
    assert_eq!(table.legal().len(), 40, "levels 1, 3 and 4 may be advanced");
    table.refuses(
        "choose_difficulty 0 [2]",
        "this chapter does not have the advanced tiles of these levels (12.4)",
    );
    let chosen: Vec<_> = table
        .campaign()
        .team
        .iter()
        .filter(|member| member.upgraded)
        .map(|member| member.id)
        .collect();
    table = table.wins("0 []").takes("choose_set 3");
    let others: Vec<_> = table
        .campaign()
        .team
        .iter()
        .filter(|member| member.upgraded)
        .map(|member| member.id)
        .collect();
    let mut elites = [chosen, others].concat();
    elites.sort_unstable();
    let mut all = vec![first, second, third, fourth];
    all.sort_unstable();
    assert_eq!(elites, all);
}

#[test]
fn the_scenario_of_the_set_is_in_force_in_both_tries() {
    let table = begin(6).takes("choose_set 1");
    let set = table.campaign().chosen.unwrap();
    let table = table.takes("choose_difficulty 0 []");
    assert_eq!(
        (table.battle().city, table.battle().scenario),
        (set.city, Some(set.scenario))
    );
    let table = table.edit(|battle| {
        battle.stage = Stage::Rooms;
        battle.mothership = battle.sky.skull_row() + 1;
    });
    let table = table.takes("end_rooms").takes("choose_difficulty 0 []");
    assert_eq!(
        (table.battle().city, table.battle().scenario),
        (set.city, Some(set.scenario))
    );
}

#[test]
fn reserve_cities_are_shown_with_sets_3_and_4() {
    let mut table = begin(7).wins("0 []").wins("0 []").wins("0 []");
    let Some(Event::SetsOffered {
        sets,
        reserve: Some(reserve),
    }) = table.told.last()
    else {
        panic!("{:?}", table.told);
    };
    assert_eq!(
        sets.map(|set| set.number),
        [3, 4].map(|number| SetNumber::new(number).unwrap())
    );
    let reserve = *reserve;
    assert_eq!(
        table.campaign().held(reserve).map(|held| held.side),
        Some(CitySide::Intact)
    );
    table = table.wins("0 []").wins("0 []").wins("0 []");
    assert!(table.offers(&format!("choose_city {}", reserve.tile().id)));
}

#[test]
fn the_sets_of_the_second_battle_are_hidden_during_the_first() {
    let table = begin(8)
        .takes("choose_set 1")
        .takes("choose_difficulty 0 []");
    let viewer = Viewer::Seat(Seat(0));
    let mut chance = Chance::at_ply(Seed::from_number(1), 0);
    let worlds: Vec<_> = (0..200)
        .map(|_| UnderFallingSkies::determinize(table.state.seen(viewer), &mut chance))
        .collect();
    assert!(
        worlds
            .iter()
            .all(|world| world.observe(viewer) == table.state.observe(viewer))
    );
    let mut later: Vec<_> = worlds
        .into_iter()
        .map(|state| {
            let world = Table {
                state,
                told: Vec::new(),
            };
            let next = world.edit(|battle| {
                battle.stage = Stage::Rooms;
                battle.mothership = battle.sky.skull_row() + 1;
            });
            let next = next.takes("end_rooms").loses("0 []");
            next.campaign().sets[2..]
                .iter()
                .map(|set| (set.city, set.scenario, set.character))
                .collect::<Vec<_>>()
        })
        .collect();
    later.sort_unstable();
    later.dedup();
    assert_eq!(
        later.len(),
        8,
        "two cities, two scenarios, two characters in any order"
    );
    // From the second battle on nothing is hidden.
    let second = begin(8).wins("0 []");
    let sample = UnderFallingSkies::determinize(second.state.seen(viewer), &mut chance);
    assert_eq!(sample, second.state);
}

#[test]
fn leaving_a_campaign_loses_it() {
    let mut table = begin(9).wins("3 []");
    table
        .state
        .resign(Seat(0), &mut Cx::new(&mut Chance::scripted([]), None));
    let ending = table.state.public().ending.clone().unwrap();
    assert_eq!((ending.reason, table.score()), (EndReason::Resigned, 3));
    assert!(ending.outcome.winners.is_empty());
}

#[test]
fn a_battle_won_at_difficulty_0_is_better_than_going_on() {
    let going_on = begin(3)
        .reaches_difficulty()
        .takes("choose_difficulty 0 []");
    let won = begin(3).wins("0 []");
    assert!(won.state.evaluate(Seat(0)) > going_on.state.evaluate(Seat(0)));
}
