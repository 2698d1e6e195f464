//! The state as bytes, for its fingerprint.

use super::campaign::{Campaign, CampaignStage, HeldCity, LaterSets, SetOffer};
use super::options::Member;
use super::pieces::{DiePlace, ShipPlace};
use super::state::{Battle, BattleEnd, Drag, EndReason, Public, Stage, UnderFallingSkies};

/// Appends every fact, in this order. A list is its length and its items; what may be absent is 0,
/// or 1 and the value.
///
/// The battle if there is one ([`battle`]); the campaign if there is one ([`campaign`]); the ending
/// if there is one, as its reason (0 won, 1 lost by the mothership, 2 lost by damage, 3 campaign
/// won, 4 campaign lost, 5 resigned), the winners as bits and the score (4 bytes); the sets of the
/// chapter that were not offered yet, if there are any, as lists of cities, scenarios and
/// characters.
pub(super) fn write(table: &UnderFallingSkies, out: &mut Vec<u8>) {
    let Public {
        battle: on_table,
        campaign: in_progress,
        ending,
    } = &table.public;
    option(on_table.as_ref(), out, battle);
    option(in_progress.as_ref(), out, campaign);
    option(ending.as_ref(), out, |ending, out| {
        out.push(match ending.reason {
            EndReason::Battle(end) => battle_end(end),
            EndReason::CampaignWon => 3,
            EndReason::CampaignLost => 4,
            EndReason::Resigned => 5,
        });
        out.push(ending.outcome.winners.bits());
        for (_, score) in ending.outcome.returns.iter() {
            out.extend(score.to_le_bytes());
        }
    });
    option(table.hidden.later.as_ref(), out, |later, out| {
        let LaterSets {
            cities,
            scenarios,
            characters,
        } = later;
        list(cities.iter().map(|city| city.index()), out);
        list(scenarios.iter().map(|scenario| scenario.index()), out);
        list(characters.iter().map(|character| character.index()), out);
    });
}

/// City and side; for each level tile and side; the strip; robots; the team as a list of numbers
/// and whether upgraded; the scenario if there is one; round, row of the mothership; for each ship
/// its place (0 supply, 1 pool, 2 + column on a drop point, 16 + 5 x row + column in the sky); for
/// each worker die its face and place (0 unplaced, 1 left, 2 + space); for each robot, if it is on
/// the board, value, space and whether exhausted; excavator, energy, damage, research; what was
/// used in the round and in the battle, in the order of the fields; the stage as its number, in the
/// order of the variants, and three bytes of what it holds.
fn battle(battle: &Battle, out: &mut Vec<u8>) {
    out.extend([battle.city.index(), battle.side as u8]);
    for (set, side) in battle.sky.tiles {
        out.extend([set as u8, side as u8]);
    }
    out.extend([battle.sky.strip, battle.robots_used].map(u8::from));
    team(&battle.team, out);
    option(battle.scenario, out, |scenario, out| {
        out.push(scenario.index())
    });
    out.extend([battle.round, battle.mothership]);
    out.extend(battle.ships.map(|place| match place {
        ShipPlace::Supply => 0,
        ShipPlace::Pool => 1,
        ShipPlace::DropPoint(column) => 2 + column.index(),
        ShipPlace::Sky { row, column } => 16 + 5 * row + column.index(),
    }));
    for die in battle.dice {
        let place = match die.place {
            DiePlace::Unplaced => 0,
            DiePlace::Left => 1,
            DiePlace::On(space) => 2 + space.index(),
        };
        out.extend([die.face, place]);
    }
    for robot in battle.robots {
        option(robot, out, |robot, out| {
            out.extend([robot.value, robot.space.index(), robot.exhausted.into()])
        });
    }
    out.extend([
        battle.excavator.index(),
        battle.energy,
        battle.damage,
        battle.research,
    ]);
    let round = &battle.this_round;
    let drag = match round.drag {
        Drag::Unused => 0,
        Drag::Armed => 1,
        Drag::Used => 2,
    };
    out.extend([
        round.adjusted,
        drag,
        round.rerolled_all.into(),
        round.kept_dice,
        round.kinds_resolved,
    ]);
    out.extend([
        round.discounted,
        round.shot.into(),
        round.repelled.into(),
        round.repaired.into(),
    ]);
    option(round.jammed, out, |column, out| out.push(column.index()));
    option(round.sabotaged, out, |(die, face), out| {
        out.extend([die.index(), face])
    });
    option(round.wind, out, |direction, out| out.push(direction as u8));
    out.push(battle.this_battle.ignored_actions);
    out.extend(battle.this_battle.repairs);
    out.extend([battle.this_battle.shots, battle.this_battle.evacuations]);
    out.extend(match battle.stage {
        Stage::StartRobot { robot, value, nth } => [0, robot.index(), value, nth],
        Stage::PlaceDie => [1, 0, 0, 0],
        Stage::Reroll => [2, 0, 0, 0],
        Stage::Rooms => [3, 0, 0, 0],
        Stage::Install { robot, value } => [4, robot.index(), value, 0],
        Stage::IgnoreAction => [5, 0, 0, 0],
        Stage::Spawn { ship, columns } => [6, ship.index(), columns.bits(), 0],
        Stage::Over(end) => [7, battle_end(end), 0, 0],
    });
}

/// Chapter, battle, try and stage, in the order of the variants; the sets shown, as a list of
/// number, city, scenario and character; the chosen one if there is one; the recruits; the elites
/// as bits (2 bytes); the cities as a list of city and side; the defended one if there is one; the
/// team; the results as a list, each in the order of its fields; the score (2 bytes).
fn campaign(campaign: &Campaign, out: &mut Vec<u8>) {
    let stage = match campaign.stage {
        CampaignStage::ChooseSet => 0,
        CampaignStage::ChooseElites => 1,
        CampaignStage::ChooseCity => 2,
        CampaignStage::ChooseTeam => 3,
        CampaignStage::ChooseDifficulty => 4,
        CampaignStage::Battle => 5,
    };
    out.extend([campaign.chapter, campaign.battle, campaign.attempt, stage]);
    out.push(campaign.sets.len() as u8);
    campaign.sets.iter().for_each(|&set| offer(set, out));
    option(campaign.chosen, out, offer);
    list(
        campaign.recruited.iter().map(|character| character.index()),
        out,
    );
    out.extend(campaign.elites.bits().to_le_bytes());
    out.push(campaign.cities.len() as u8);
    campaign.cities.iter().for_each(|&city| held(city, out));
    option(campaign.defended, out, held);
    team(&campaign.team, out);
    out.push(campaign.results.len() as u8);
    for result in &campaign.results {
        out.extend([result.chapter, result.battle, result.attempt]);
        held(result.city, out);
        out.extend([
            result.threat,
            result.advanced.bits(),
            result.difficulty,
            battle_end(result.end),
        ]);
    }
    out.extend(campaign.score.to_le_bytes());
}

fn offer(set: SetOffer, out: &mut Vec<u8>) {
    out.extend([
        set.number.get(),
        set.city.index(),
        set.scenario.index(),
        set.character.index(),
    ]);
}

fn held(held: HeldCity, out: &mut Vec<u8>) {
    out.extend([held.city.index(), held.side as u8]);
}

fn team(team: &[Member], out: &mut Vec<u8>) {
    out.push(team.len() as u8);
    for member in team {
        out.extend([member.id.index(), member.upgraded.into()]);
    }
}

const fn battle_end(end: BattleEnd) -> u8 {
    match end {
        BattleEnd::Won => 0,
        BattleEnd::LostMothership => 1,
        BattleEnd::LostDamage => 2,
    }
}

fn option<T>(value: Option<T>, out: &mut Vec<u8>, write: impl FnOnce(T, &mut Vec<u8>)) {
    out.push(value.is_some().into());
    if let Some(value) = value {
        write(value, out);
    }
}

fn list(items: impl ExactSizeIterator<Item = u8>, out: &mut Vec<u8>) {
    out.push(items.len() as u8);
    out.extend(items);
}
