//! What is on the table, on the wire.

use tavola_engine::games::council_of_shadows::{
    EndReason, Ending, EventTask, Party, PartyBoard, Phase, Plan, Public, Stage, StepTask, System,
    Work,
    components::{Field, Numbered, PlanetType, Space, Station},
};

use super::{
    at, back_to_pb, gems_to_pb, many, maybe, number, one, options::setup_to_pb, seats_to_pb, words,
};
use crate::pb::council_of_shadows::v1 as game;

pub(super) fn table_to_pb(public: &Public) -> game::Table {
    game::Table {
        options: Some(setup_to_pb(&public.setup)),
        round: public.round.into(),
        stage: Some(stage_to_pb(public)),
        systems: public
            .board
            .systems()
            .map(|(space, system)| system_to_pb(public, space, system))
            .collect(),
        tile_stacks: words(&public.tile_stacks),
        ai_row: (1..)
            .zip(&public.ai_row)
            .map(|(row, &card)| game::RowPosition {
                row,
                card: maybe(card),
            })
            .collect(),
        ai_deck: public.ai_deck.into(),
        ai_bottom: many(public.ai_bottom.iter().copied()),
        dark_tech: words(&public.dark_tech),
        bonus_deck: public
            .bonus_deck
            .iter()
            .map(|&back| back_to_pb(back).into())
            .collect(),
        parties: public
            .all_parties()
            .map(|party| party_to_pb(public, party))
            .collect(),
        order: public.order.iter().map(|party| party.0.into()).collect(),
        throne: public.throne.and_then(number),
        level_ups: public
            .level_ups
            .iter()
            .map(|level_up| game::LevelUp {
                party: number(level_up.party),
                level: level_up.level.into(),
                levels: words(level_up.levels.iter().take(public.parties.len())),
            })
            .collect(),
        bonus_drawn: public
            .bonus_drawn
            .map_or(game::Back::Unspecified, back_to_pb)
            .into(),
        automa_card: maybe(public.automa_card),
        automa_used: many(public.automa_used.iter()),
        plans: if public.setup.open_planning {
            public
                .plans
                .iter()
                .map(|(_, plan)| plan_to_pb(plan))
                .collect()
        } else {
            Vec::new()
        },
        left: seats_to_pb(public.left),
    }
}

fn system_to_pb(public: &Public, space: Space, system: &System) -> game::System {
    let planets = system.planets().map(|(planet, kind)| game::Planet {
        r#type: match kind {
            PlanetType::EarthLike => game::PlanetType::EarthLike,
            PlanetType::Desert => game::PlanetType::Desert,
            PlanetType::Volcano => game::PlanetType::Volcano,
        }
        .into(),
        cubes: public
            .all_parties()
            .map(|party| system.cubes(planet, party).into())
            .collect(),
    });
    game::System {
        space: at(space),
        tile: one(system.tile),
        planets: planets.collect(),
    }
}

fn party_to_pb(public: &Public, party: Party) -> game::Party {
    let board: &PartyBoard = public.party(party);
    game::Party {
        party: number(party),
        civilization: one(board.civilization),
        energy: board.energy.into(),
        consumption: board.consumption.into(),
        level: board.level.into(),
        supply: board.supply.into(),
        total: board.total.into(),
        gems: Some(gems_to_pb(board.gems)),
        hand: many(board.hand.iter()),
        slots: (1..)
            .zip(&board.slots)
            .map(|(slot, of)| game::Slot {
                slot: u32::from(slot),
                field: match of.field {
                    Field::Board => game::Field::Board,
                    Field::Leader => game::Field::Leader,
                    Field::DarkTech => game::Field::DarkTech,
                }
                .into(),
                range: public.range(party, slot).into(),
                cards: many(of.stack.iter().copied()),
            })
            .collect(),
        upgrades: many(board.upgrades.iter()),
        dark_tech: many(board.dark_tech.iter()),
        leader: maybe(board.leader),
        stations: Station::all()
            .zip(board.stations)
            .filter_map(|(station, galaxy)| {
                Some(game::PlacedStation {
                    station: one(station),
                    galaxy: one(galaxy?),
                })
            })
            .collect(),
        light_bonus: board.light_bonus.into(),
        dark_bonus: board.dark_bonus.into(),
    }
}

pub(super) fn plan_to_pb(plan: &Plan) -> game::Plan {
    let choices = (1..).zip(plan).map(|(slot, &card)| game::PlanChoice {
        slot,
        card: maybe(card),
    });
    game::Plan {
        choices: choices.collect(),
    }
}

fn stage_to_pb(public: &Public) -> game::Stage {
    use game::stage::Kind;

    let in_order = |nth: u8| public.in_order(nth).and_then(number);
    let kind = match &public.stage {
        Stage::Drafting { leaders, nth } => Kind::Drafting(game::Drafting {
            seat: in_order(*nth),
            leaders: many(leaders.iter()),
        }),
        Stage::Buying { nth, purchases } => Kind::Buying(game::Buying {
            seat: in_order(*nth),
            purchases: (*purchases).into(),
        }),
        Stage::Planning { done } => Kind::Planning(game::Planning {
            done: seats_to_pb(*done),
        }),
        Stage::Acting { nth, work } => Kind::Acting(acting_to_pb(in_order(*nth), work)),
        Stage::Scoring {
            nth,
            scored,
            held_fast,
        } => Kind::Scoring(game::Scoring {
            seat: in_order(*nth),
            scored: many(scored.iter()),
            held_fast: *held_fast,
        }),
        Stage::Events { after, task } => {
            let (task, left) = match task {
                EventTask::Pick => (game::EventTask::Pick, 0),
                EventTask::Wave { left } => (game::EventTask::Wave, *left),
                EventTask::Archive { left } => (game::EventTask::Archive, *left),
            };
            Kind::LevelEvent(game::LevelEvent {
                seat: public
                    .level_ups
                    .first()
                    .and_then(|level_up| number(level_up.party)),
                after: match after {
                    Phase::Buy => game::Phase::Buy,
                    Phase::Consume => game::Phase::Consume,
                    Phase::Act => game::Phase::Act,
                }
                .into(),
                task: task.into(),
                left: left.into(),
            })
        }
        Stage::Over(ending) => Kind::Ending(ending_to_pb(ending)),
    };
    game::Stage { kind: Some(kind) }
}

fn acting_to_pb(seat: Option<u32>, work: &Work) -> game::Acting {
    let acting = game::Acting {
        seat,
        slot: work.slot.into(),
        overclocked: work.overclocked,
        step: work.step.into(),
        ..game::Acting::default()
    };
    let of = |kind: game::StepKind| i32::from(kind);
    match &work.task {
        StepTask::Choose => game::Acting {
            kind: of(game::StepKind::Choose),
            ..acting
        },
        StepTask::Settle { left } => game::Acting {
            kind: of(game::StepKind::Settle),
            left: (*left).into(),
            ..acting
        },
        StepTask::Found => game::Acting {
            kind: of(game::StepKind::Found),
            ..acting
        },
        StepTask::Mine { left, taken } => game::Acting {
            kind: of(game::StepKind::Mine),
            left: (*left).into(),
            taken: taken.iter().map(|space| space.index().into()).collect(),
            ..acting
        },
        StepTask::Explore => game::Acting {
            kind: of(game::StepKind::Explore),
            ..acting
        },
        StepTask::PlaceTile { parsec, drawn } => game::Acting {
            kind: of(game::StepKind::PlaceTile),
            parsec: Some((*parsec).into()),
            drawn: Some((*drawn).into()),
            ..acting
        },
        StepTask::Claim { space } => game::Acting {
            kind: of(game::StepKind::Claim),
            space: at(*space),
            ..acting
        },
        StepTask::Gems(gems) => game::Acting {
            kind: of(game::StepKind::Gems),
            gems: Some(gems_to_pb(*gems)),
            ..acting
        },
        StepTask::Improve { left } => game::Acting {
            kind: of(game::StepKind::Improve),
            left: (*left).into(),
            ..acting
        },
    }
}

pub(super) fn end_reason_to_pb(reason: EndReason) -> game::EndReason {
    match reason {
        EndReason::Throne => game::EndReason::Throne,
        EndReason::MaxRounds => game::EndReason::MaxRounds,
        EndReason::Left => game::EndReason::Left,
    }
}

fn ending_to_pb(ending: &Ending) -> game::Ending {
    game::Ending {
        reason: end_reason_to_pb(ending.reason).into(),
        standings: ending
            .standings
            .iter()
            .map(|standing| game::Standing {
                party: number(standing.party),
                rank: standing.rank.into(),
                level: standing.level.into(),
                energy: standing.energy.into(),
                cubes: standing.cubes.into(),
                upgrades: standing.upgrades.into(),
            })
            .collect(),
        bonus: ending
            .bonus
            .iter()
            .map(|(_, cards)| game::Revealed {
                cards: many(cards.iter().copied()),
            })
            .collect(),
    }
}
