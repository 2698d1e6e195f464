//! Which decision a viewer owes, and what it may answer.

use super::action::Action;
use super::components::{DarkTech, Galaxy, numbers};
use super::planning::plan_of;
use super::state::{
    CouncilOfShadows, Decision, EventTask, HELD_MAX, Party, Public, Stage, StepTask,
};
use crate::game::{Game, Seen};
use crate::seat::Seat;

/// The decision that the viewer owes, if any.
pub(super) fn decision(seen: Seen<'_, CouncilOfShadows>) -> Option<Decision> {
    let seat = acting_seat(seen)?;
    let public = seen.public;
    if public.bonus_drawn.is_some() {
        return Some(Decision::BonusLimit);
    }
    match &public.stage {
        Stage::Drafting { .. } => Some(Decision::ChooseLeader),
        Stage::Buying { .. } => Some(Decision::Buy),
        Stage::Planning { .. } => {
            let plan = plan_of(seen, seat)?;
            let slot = public.slot_to_plan(seat.into(), plan)?;
            Some(Decision::Plan { slot })
        }
        Stage::Acting { .. } => Some(Decision::Step),
        Stage::Scoring { .. } => Some(Decision::Score),
        Stage::Events { task, .. } => match task {
            EventTask::Pick => Some(Decision::DarkTech),
            EventTask::Wave { .. } => Some(Decision::Wave),
            EventTask::Archive { .. } => Some(Decision::BonusLimit),
        },
        Stage::Over(_) => None,
    }
}

/// The viewing seat, if it is to act.
fn acting_seat(seen: Seen<'_, CouncilOfShadows>) -> Option<Seat> {
    seen.seat
        .filter(|&seat| CouncilOfShadows::to_act(seen.public).contains(seat))
}

/// Fills `out`, after clearing it, with what the viewer may answer, ascending by id.
pub(super) fn list(seen: Seen<'_, CouncilOfShadows>, out: &mut Vec<Action>) {
    out.clear();
    let (Some(seat), Some(own)) = (acting_seat(seen), seen.own) else {
        return;
    };
    let public = seen.public;
    let party = Party::from(seat);
    if public.bonus_drawn.is_some() {
        let held = 0..own.bonus.len().min(HELD_MAX) as u8;
        out.extend(held.map(|return_index| Action::BonusKeep { return_index }));
        out.push(Action::BonusDecline);
        return;
    }
    match &public.stage {
        Stage::Drafting { leaders, .. } => {
            out.extend(leaders.iter().map(|leader| Action::ChooseLeader { leader }));
        }
        Stage::Buying { purchases, .. } => public.purchases_into(party, *purchases, out),
        Stage::Planning { .. } => {
            if let Some(plan) = plan_of(seen, seat) {
                public.plans_into(party, plan, out);
            }
        }
        Stage::Acting { work, .. } => public.steps_into(party, work, &own.tiles, out),
        Stage::Scoring {
            scored, held_fast, ..
        } => public.scores_into(party, *scored, *held_fast, out),
        Stage::Events { task, .. } => {
            let level = public.level_ups.first().map(|level_up| level_up.level);
            match task {
                EventTask::Pick => {
                    let stack = level.and_then(|level| own.dark_tech.get(usize::from(level - 1)));
                    let cards = stack.copied().flatten().unwrap_or_default();
                    out.extend(cards.iter().map(|card| Action::DarkTech { card }));
                }
                EventTask::Wave { .. } => wave_into(public, party, out),
                // The draws go on by themselves; a choice is open only while a card waits.
                EventTask::Archive { .. } => {}
            }
        }
        Stage::Over(_) => {}
    }
}

/// dt2_colonial_wave: by the settle rules, with range 3.
fn wave_into(public: &Public, party: Party, out: &mut Vec<Action>) {
    let range = numbers().play.top_range;
    let planets = public.legal_planets(party, range);
    out.extend(planets.map(|(space, planet)| Action::PlaceCube { space, planet }));
    out.push(Action::Skip);
}

/// Why an action that isn't listed is forbidden: the rule that comes first.
pub(super) fn why_not(seen: Seen<'_, CouncilOfShadows>, action: Action) -> &'static str {
    let Some(decision) = decision(seen) else {
        return "this seat owes no decision now (5)";
    };
    if !answers(decision, action) {
        return match decision {
            Decision::ChooseLeader => "a leader is to be picked now (11)",
            Decision::Buy => "it is time to buy, or to end buying (5.1)",
            Decision::Plan { .. } => "it is time to plan (5.2)",
            Decision::Step => "a step of a card is to be carried out or skipped now (5.5)",
            Decision::Score => "it is time to score, or to end scoring (5.6)",
            Decision::BonusLimit => "a fifth bonus card is to be kept or declined now (5.6)",
            Decision::DarkTech => "a Dark Tech card is to be picked now (7)",
            Decision::Wave => "cubes of the colonial wave are to be placed now (8)",
        };
    }
    if let Stage::Acting { work, .. } = &seen.public.stage
        && !fits(&work.task, action)
    {
        return "another step, or another part of it, is open (5.5)";
    }
    match action {
        Action::ChooseLeader { .. } => "only a leader that is left can be picked (11)",
        Action::BuyAi { .. } | Action::BuyUpgrade { .. } | Action::BuyStation { .. } => {
            why_not_buy(seen, action)
        }
        Action::PlanPlace { slot, .. } | Action::PlanKeep { slot }
            if decision != (Decision::Plan { slot }) =>
        {
            "slots are planned from left to right (5.2)"
        }
        Action::PlanPlace { .. } => "only a card from the hand can be laid (5.2)",
        Action::PlanKeep { .. } => "this slot must get a card (R10, R11, 5.2)",
        Action::PlaceCube { .. } | Action::FoundColony { .. } | Action::ExploreColony { .. } => {
            "a cube needs a planet in range, of a type adapted to and not full, and a supply (5.5)"
        }
        Action::Take { .. } => "a take needs an own cube in range for each take of the step (5.5)",
        Action::ExploreStack { .. } => "a stack needs range, a tile and a free space (5.5)",
        Action::ExplorePlace { .. } => "a drawn tile goes to a free space of its parsec (5.5)",
        Action::Improve { .. } => "the gem to improve must be there (5.5)",
        Action::ChooseStep { .. } => "only a step that has an option now can be chosen (5.5)",
        Action::Score { space, .. } => why_not_score(seen, space.galaxy(), false),
        Action::ScoreKeep { galaxy } => why_not_score(seen, galaxy, true),
        Action::BonusKeep { .. } => "only a card that is held can be returned (5.6)",
        Action::DarkTech { .. } => {
            "only a card that is left in the stack of the level can be picked (7)"
        }
        Action::EndBuy
        | Action::Accept
        | Action::Skip
        | Action::ExploreYield
        | Action::EndScoring
        | Action::BonusDecline => "it is not offered now (5)",
    }
}

/// Whether the action answers what is left of the open step at all.
fn fits(task: &StepTask, action: Action) -> bool {
    match action {
        Action::PlaceCube { .. } => matches!(task, StepTask::Settle { .. }),
        Action::FoundColony { .. } => matches!(task, StepTask::Found),
        Action::Take { .. } => matches!(task, StepTask::Mine { .. }),
        Action::ExploreStack { .. } => matches!(task, StepTask::Explore),
        Action::ExplorePlace { .. } => matches!(task, StepTask::PlaceTile { .. }),
        Action::ExploreColony { .. } | Action::ExploreYield => {
            matches!(task, StepTask::Claim { .. })
        }
        Action::Improve { .. } => matches!(task, StepTask::Improve { .. }),
        Action::Accept => matches!(task, StepTask::Gems(_)),
        Action::ChooseStep { .. } => matches!(task, StepTask::Choose),
        // Once tiles are drawn, one must be placed, and a colony or the yield taken.
        Action::Skip => !matches!(task, StepTask::PlaceTile { .. } | StepTask::Claim { .. }),
        _ => true,
    }
}

/// Why a galaxy can't be scored, or not with its cube kept.
fn why_not_score(
    seen: Seen<'_, CouncilOfShadows>,
    galaxy: Galaxy,
    keeps_cube: bool,
) -> &'static str {
    let public = seen.public;
    let (
        Some(seat),
        Stage::Scoring {
            scored, held_fast, ..
        },
    ) = (seen.seat, &public.stage)
    else {
        return "it is not time to score (5.6)";
    };
    if keeps_cube && !public.party(seat.into()).has(DarkTech::Holdfast) {
        "only dt2_holdfast scores a galaxy without removing a cube (8)"
    } else if keeps_cube && *held_fast {
        "dt2_holdfast keeps a cube once a round (8)"
    } else if scored.contains(galaxy) {
        "a galaxy is scored once a round (R24, 5.6)"
    } else {
        "a galaxy is scored with an own cube there (5.6)"
    }
}

fn why_not_buy(seen: Seen<'_, CouncilOfShadows>, action: Action) -> &'static str {
    let public = seen.public;
    let Stage::Buying { purchases, .. } = public.stage else {
        return "it is not time to buy (5.1)";
    };
    let Some(seat) = seen.seat else {
        return "a spectator buys nothing (5.1)";
    };
    let party = Party::from(seat);
    if purchases >= numbers().play.purchases {
        return "a buy turn has three purchases (R1, 5.1)";
    }
    if matches!(action, Action::BuyStation { .. }) && !public.setup.stations {
        return "stations are not in play at this table (2, 10)";
    }
    let (offered, pay, cost) = match action {
        Action::BuyAi { row, pay } => {
            let card = public.offered(row);
            (card.is_some(), pay, card.map(|card| card.data().cost))
        }
        Action::BuyUpgrade { upgrade, pay } => (
            public.may_build(party, upgrade),
            pay,
            Some(upgrade.data().cost),
        ),
        Action::BuyStation {
            station,
            galaxy,
            pay,
        } => (
            galaxy.in_play(public.setup.parties()) && public.may_station(party, station, galaxy),
            pay,
            Some(station.data().cost),
        ),
        _ => return "it is time to buy, or to end buying (5.1)",
    };
    match action {
        _ if offered && cost.is_some_and(|cost| !pay.pays(cost)) => {
            "a cost is paid gem for gem, a cheaper gem never stands for a dearer one (R3, 5.1)"
        }
        _ if offered => "the gems paid must be owned (5.1)",
        Action::BuyAi { .. } => "there is no card at that position (R5, 5.1)",
        Action::BuyUpgrade { .. } => {
            "an upgrade is bought once, after the step before it, with a cube (R7, R37, 3)"
        }
        _ => "a station goes to a galaxy with an own cube and no own station (10)",
    }
}

/// Whether the action answers this kind of decision at all.
fn answers(decision: Decision, action: Action) -> bool {
    match action {
        Action::ChooseLeader { .. } => decision == Decision::ChooseLeader,
        Action::BuyAi { .. }
        | Action::BuyUpgrade { .. }
        | Action::BuyStation { .. }
        | Action::EndBuy => decision == Decision::Buy,
        Action::PlanPlace { .. } | Action::PlanKeep { .. } => {
            matches!(decision, Decision::Plan { .. })
        }
        Action::PlaceCube { .. } | Action::Skip => {
            matches!(decision, Decision::Step | Decision::Wave)
        }
        Action::FoundColony { .. }
        | Action::Take { .. }
        | Action::ExploreStack { .. }
        | Action::ExplorePlace { .. }
        | Action::ExploreColony { .. }
        | Action::ExploreYield
        | Action::Improve { .. }
        | Action::Accept
        | Action::ChooseStep { .. } => decision == Decision::Step,
        Action::Score { .. } | Action::ScoreKeep { .. } | Action::EndScoring => {
            decision == Decision::Score
        }
        Action::BonusKeep { .. } | Action::BonusDecline => decision == Decision::BonusLimit,
        Action::DarkTech { .. } => decision == Decision::DarkTech,
    }
}
