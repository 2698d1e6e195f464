//! Council of Shadows on the wire.
//!
//! Cards, tiles and the like are enums there, in the order of their numbers, with 0 for nothing.

use tavola_engine::{
    Game as _, SeatSet, Seen,
    games::council_of_shadows::{
        Action, AutomaMode, CouncilOfShadows, EndReason, Ending, Event, EventTask, LeaderMode,
        Options, Party, PartyBoard, Phase, Plan, Private, Public, ScoringTiming, Setup, Stage,
        StartEnergy, StepTask, System, Work,
        components::{
            Back, Civilization, Difficulty, Field, Gem, Gems, Numbered, PLANETS_MAX, Payment,
            PlanetType, Space, Station,
        },
        options::MAX_ROUNDS,
        state::{ROW, SLOTS_MAX},
    },
};

use super::{Allowed, OptionEntry, Wire};
use crate::{
    error::Violation,
    pb::{council_of_shadows::v1 as game, v1 as pb},
};

impl Wire for CouncilOfShadows {
    const OPTIONS: &'static [OptionEntry] = &[
        OptionEntry {
            name: "automa",
            description: "Whether an Automa plays too; with one or two seats only.",
            default: "AUTOMA_MODE_OFF, with one seat AUTOMA_MODE_NORMAL",
            allowed: Allowed::Values(&[
                "AUTOMA_MODE_OFF",
                "AUTOMA_MODE_EASY",
                "AUTOMA_MODE_NORMAL",
                "AUTOMA_MODE_HARD",
            ]),
        },
        OptionEntry {
            name: "stations",
            description: "Module 1: space stations.",
            default: "false",
            allowed: Allowed::Values(&["false", "true"]),
        },
        OptionEntry {
            name: "leaders",
            description: "Module 2: how leaders come to the players.",
            default: "LEADER_MODE_OFF",
            allowed: Allowed::Values(&[
                "LEADER_MODE_OFF",
                "LEADER_MODE_RANDOM",
                "LEADER_MODE_DRAFT",
            ]),
        },
        OptionEntry {
            name: "start_energy",
            description: "Where the energy markers begin.",
            default: "START_ENERGY_TILE_NUMBER",
            allowed: Allowed::Values(&["START_ENERGY_TILE_NUMBER", "START_ENERGY_TILE_MINUS_ONE"]),
        },
        OptionEntry {
            name: "scoring_timing",
            description: "When galaxies are scored.",
            default: "SCORING_TIMING_PER_PLAYER",
            allowed: Allowed::Values(&["SCORING_TIMING_PER_PLAYER", "SCORING_TIMING_AFTER_ALL"]),
        },
        OptionEntry {
            name: "open_planning",
            description: "Whether each choice of planning is public at once.",
            default: "false",
            allowed: Allowed::Values(&["false", "true"]),
        },
        OptionEntry {
            name: "max_rounds",
            description: "Final scoring follows at the latest after this round.",
            default: "30",
            allowed: Allowed::Range(*MAX_ROUNDS.start() as i64, *MAX_ROUNDS.end() as i64),
        },
        OptionEntry {
            name: "civilizations",
            description: "The civilization of each seat, all different.",
            default: "in the order of these values",
            allowed: Allowed::Values(&[
                "CIVILIZATION_TRETONS",
                "CIVILIZATION_AVRY",
                "CIVILIZATION_TAKRILL",
                "CIVILIZATION_AUTOMATOS",
            ]),
        },
    ];

    fn options_from_pb(options: pb::Options) -> Result<Options, Violation> {
        match options.game {
            Some(pb::options::Game::CouncilOfShadows(options)) => read_options(&options),
            _ => Ok(Options::default()),
        }
    }

    fn options_to_pb(options: &Options) -> pb::Options {
        let options = game::Options {
            automa: options
                .automa
                .map_or(game::AutomaMode::Unspecified, automa_to_pb)
                .into(),
            stations: Some(options.stations),
            leaders: leaders_to_pb(options.leaders).into(),
            start_energy: start_energy_to_pb(options.start_energy).into(),
            scoring_timing: scoring_timing_to_pb(options.scoring_timing).into(),
            open_planning: Some(options.open_planning),
            max_rounds: Some(options.max_rounds.into()),
            civilizations: many(options.civilizations.iter().copied()),
        };
        pb::Options {
            game: Some(pb::options::Game::CouncilOfShadows(options)),
        }
    }

    fn action_from_pb(action: &pb::Action) -> Result<Action, Violation> {
        match &action.game {
            Some(pb::action::Game::CouncilOfShadows(action)) => read_action(action),
            _ => Err(Violation::new(
                "council_of_shadows",
                "is required, because that is the game of the session",
            )),
        }
    }

    fn action_to_pb(action: Action) -> pb::Action {
        let kind = Some(write_action(action));
        pb::Action {
            game: Some(pb::action::Game::CouncilOfShadows(game::Action { kind })),
        }
    }

    fn observation_to_pb(seen: Seen<'_, Self>) -> pb::Observation {
        let observation = game::Observation {
            table: Some(table_to_pb(seen.public)),
            own: seen.own.map(own_to_pb),
        };
        pb::Observation {
            game: Some(pb::observation::Game::CouncilOfShadows(Box::new(
                observation,
            ))),
        }
    }

    fn state_to_pb(&self) -> pb::State {
        let hidden = self.hidden();
        let seats = self.public().seats();
        let state = game::State {
            table: Some(table_to_pb(self.public())),
            seats: seats
                .iter()
                .filter_map(|seat| self.private(seat))
                .map(own_to_pb)
                .collect(),
            tile_stacks: hidden
                .tile_stacks
                .iter()
                .map(|stack| game::TileStack {
                    tiles: many(stack.iter().copied()),
                })
                .collect(),
            ai_deck: many(hidden.ai_deck.iter().copied()),
            dark_tech: many(hidden.dark_tech.iter().flatten().copied()),
            bonus_deck: many(hidden.bonus_deck.iter().copied()),
            automa_deck: many(hidden.automa_deck.iter().copied()),
        };
        pb::State {
            game: Some(pb::state::Game::CouncilOfShadows(Box::new(state))),
        }
    }

    fn event_to_pb(event: &Event) -> pb::Event {
        let kind = Some(write_event(event));
        pb::Event {
            game: Some(pb::event::Game::CouncilOfShadows(game::Event { kind })),
        }
    }
}

// === numbers of enums

/// The number of a thing in its enum on the wire.
fn one<T: Numbered>(thing: T) -> i32 {
    i32::from(thing.index()) + 1
}

/// The same, with 0 for nothing.
fn maybe<T: Numbered>(thing: Option<T>) -> i32 {
    thing.map_or(0, one)
}

fn many<T: Numbered>(things: impl IntoIterator<Item = T>) -> Vec<i32> {
    things.into_iter().map(one).collect()
}

/// The thing of this number in its enum on the wire.
fn thing<T: Numbered>(number: i32, field: &str) -> Result<T, Violation> {
    let index = number
        .checked_sub(1)
        .and_then(|index| u8::try_from(index).ok());
    index.and_then(T::from_index).ok_or_else(|| {
        let allowed = format!("is one of the values 1 to {} of its enum", T::COUNT);
        Violation::new(format!("council_of_shadows.{field}"), allowed)
    })
}

/// A number from `min` to `max`, both included.
fn within(number: Option<u32>, min: u8, max: u8, field: &str) -> Result<u8, Violation> {
    let number = number.and_then(|number| u8::try_from(number).ok());
    number
        .filter(|number| (min..=max).contains(number))
        .ok_or_else(|| {
            let allowed = format!("is a number from {min} to {max}");
            Violation::new(format!("council_of_shadows.{field}"), allowed)
        })
}

fn space(number: Option<u32>, field: &str) -> Result<Space, Violation> {
    let index = within(number, 0, Space::COUNT - 1, field)?;
    Space::from_index(index).ok_or_else(|| Violation::new(field.to_owned(), "is a space"))
}

fn planet(number: Option<u32>, field: &str) -> Result<u8, Violation> {
    within(number, 0, PLANETS_MAX - 1, field)
}

fn payment(gems: Option<&game::Gems>, field: &str) -> Result<Payment, Violation> {
    let small = |number: u32| u16::try_from(number).ok();
    let paid = gems.and_then(|gems| {
        let gems = Gems::new(
            small(gems.anthracite)?,
            small(gems.golden)?,
            small(gems.transparent)?,
        );
        Payment::new(gems)
    });
    paid.ok_or_else(|| {
        Violation::new(
            format!("council_of_shadows.{field}"),
            "is one to three gems",
        )
    })
}

fn gems_to_pb(gems: Gems) -> game::Gems {
    game::Gems {
        anthracite: gems.anthracite.into(),
        golden: gems.golden.into(),
        transparent: gems.transparent.into(),
    }
}

fn gem_to_pb(gem: Gem) -> game::Gem {
    match gem {
        Gem::Anthracite => game::Gem::Anthracite,
        Gem::Golden => game::Gem::Golden,
        Gem::Transparent => game::Gem::Transparent,
    }
}

fn back_to_pb(back: Back) -> game::Back {
    match back {
        Back::Light => game::Back::Light,
        Back::Dark => game::Back::Dark,
    }
}

fn number(party: Party) -> Option<u32> {
    Some(party.0.into())
}

fn at(space: Space) -> Option<u32> {
    Some(space.index().into())
}

fn seats_to_pb(seats: SeatSet) -> Vec<u32> {
    seats.iter().map(|seat| seat.0.into()).collect()
}

fn words<'a, T: Copy + Into<u32> + 'a>(numbers: impl IntoIterator<Item = &'a T>) -> Vec<u32> {
    numbers.into_iter().map(|&number| number.into()).collect()
}

// === options

fn read_options(options: &game::Options) -> Result<Options, Violation> {
    let defaults = Options::default();
    let refused = |name: &str, allowed: &'static str| {
        Violation::new(format!("council_of_shadows.{name}"), allowed)
    };
    let civilization = |&number: &i32| {
        thing::<Civilization>(number, "civilizations").map_err(|_| {
            refused(
                "civilizations",
                "are different ones of the values of Civilization",
            )
        })
    };
    Ok(Options {
        automa: match game::AutomaMode::try_from(options.automa) {
            Ok(game::AutomaMode::Unspecified) => defaults.automa,
            Ok(game::AutomaMode::Off) => Some(AutomaMode::Off),
            Ok(game::AutomaMode::Easy) => Some(AutomaMode::Easy),
            Ok(game::AutomaMode::Normal) => Some(AutomaMode::Normal),
            Ok(game::AutomaMode::Hard) => Some(AutomaMode::Hard),
            Err(_) => {
                return Err(refused(
                    "automa",
                    "is AUTOMA_MODE_OFF, AUTOMA_MODE_EASY, AUTOMA_MODE_NORMAL or AUTOMA_MODE_HARD",
                ));
            }
        },
        stations: options.stations.unwrap_or(defaults.stations),
        leaders: match game::LeaderMode::try_from(options.leaders) {
            Ok(game::LeaderMode::Unspecified) => defaults.leaders,
            Ok(game::LeaderMode::Off) => LeaderMode::Off,
            Ok(game::LeaderMode::Random) => LeaderMode::Random,
            Ok(game::LeaderMode::Draft) => LeaderMode::Draft,
            Err(_) => {
                return Err(refused(
                    "leaders",
                    "is LEADER_MODE_OFF, LEADER_MODE_RANDOM or LEADER_MODE_DRAFT",
                ));
            }
        },
        start_energy: match game::StartEnergy::try_from(options.start_energy) {
            Ok(game::StartEnergy::Unspecified) => defaults.start_energy,
            Ok(game::StartEnergy::TileNumber) => StartEnergy::TileNumber,
            Ok(game::StartEnergy::TileMinusOne) => StartEnergy::TileMinusOne,
            Err(_) => {
                return Err(refused(
                    "start_energy",
                    "is START_ENERGY_TILE_NUMBER or START_ENERGY_TILE_MINUS_ONE",
                ));
            }
        },
        scoring_timing: match game::ScoringTiming::try_from(options.scoring_timing) {
            Ok(game::ScoringTiming::Unspecified) => defaults.scoring_timing,
            Ok(game::ScoringTiming::PerPlayer) => ScoringTiming::PerPlayer,
            Ok(game::ScoringTiming::AfterAll) => ScoringTiming::AfterAll,
            Err(_) => {
                return Err(refused(
                    "scoring_timing",
                    "is SCORING_TIMING_PER_PLAYER or SCORING_TIMING_AFTER_ALL",
                ));
            }
        },
        open_planning: options.open_planning.unwrap_or(defaults.open_planning),
        max_rounds: match options.max_rounds.map(u8::try_from) {
            None => defaults.max_rounds,
            Some(Ok(max_rounds)) => max_rounds,
            Some(Err(_)) => return Err(refused("max_rounds", "is 5 to 200")),
        },
        civilizations: options
            .civilizations
            .iter()
            .map(civilization)
            .collect::<Result<_, _>>()?,
    })
}

fn automa_to_pb(automa: AutomaMode) -> game::AutomaMode {
    match automa {
        AutomaMode::Off => game::AutomaMode::Off,
        AutomaMode::Easy => game::AutomaMode::Easy,
        AutomaMode::Normal => game::AutomaMode::Normal,
        AutomaMode::Hard => game::AutomaMode::Hard,
    }
}

fn leaders_to_pb(leaders: LeaderMode) -> game::LeaderMode {
    match leaders {
        LeaderMode::Off => game::LeaderMode::Off,
        LeaderMode::Random => game::LeaderMode::Random,
        LeaderMode::Draft => game::LeaderMode::Draft,
    }
}

fn start_energy_to_pb(start: StartEnergy) -> game::StartEnergy {
    match start {
        StartEnergy::TileNumber => game::StartEnergy::TileNumber,
        StartEnergy::TileMinusOne => game::StartEnergy::TileMinusOne,
    }
}

fn scoring_timing_to_pb(timing: ScoringTiming) -> game::ScoringTiming {
    match timing {
        ScoringTiming::PerPlayer => game::ScoringTiming::PerPlayer,
        ScoringTiming::AfterAll => game::ScoringTiming::AfterAll,
    }
}

fn setup_to_pb(setup: &Setup) -> game::Options {
    game::Options {
        automa: match setup.automa {
            None => game::AutomaMode::Off,
            Some(Difficulty::Easy) => game::AutomaMode::Easy,
            Some(Difficulty::Normal) => game::AutomaMode::Normal,
            Some(Difficulty::Hard) => game::AutomaMode::Hard,
        }
        .into(),
        stations: Some(setup.stations),
        leaders: leaders_to_pb(setup.leaders).into(),
        start_energy: start_energy_to_pb(setup.start_energy).into(),
        scoring_timing: scoring_timing_to_pb(setup.scoring_timing).into(),
        open_planning: Some(setup.open_planning),
        max_rounds: Some(setup.max_rounds.into()),
        civilizations: many(setup.civilizations.iter().copied()),
    }
}

// === actions

fn read_action(action: &game::Action) -> Result<Action, Violation> {
    use game::action::Kind;

    let Some(kind) = &action.kind else {
        let allowed = "is one of the actions of the game, such as end_buy or plan_place";
        return Err(Violation::new("council_of_shadows.kind", allowed));
    };
    Ok(match kind {
        Kind::ChooseLeader(choose) => Action::ChooseLeader {
            leader: thing(choose.leader, "choose_leader.leader")?,
        },
        Kind::BuyAi(buy) => Action::BuyAi {
            row: within(Some(buy.row), 1, ROW as u8, "buy_ai.row")?,
            pay: payment(buy.pay.as_ref(), "buy_ai.pay")?,
        },
        Kind::BuyUpgrade(buy) => Action::BuyUpgrade {
            upgrade: thing(buy.upgrade, "buy_upgrade.upgrade")?,
            pay: payment(buy.pay.as_ref(), "buy_upgrade.pay")?,
        },
        Kind::BuyStation(buy) => Action::BuyStation {
            station: thing(buy.station, "buy_station.station")?,
            galaxy: thing(buy.galaxy, "buy_station.galaxy")?,
            pay: payment(buy.pay.as_ref(), "buy_station.pay")?,
        },
        Kind::EndBuy(game::EndBuy {}) => Action::EndBuy,
        Kind::PlanPlace(place) => Action::PlanPlace {
            slot: within(Some(place.slot), 1, SLOTS_MAX, "plan_place.slot")?,
            card: thing(place.card, "plan_place.card")?,
        },
        Kind::PlanKeep(keep) => Action::PlanKeep {
            slot: within(Some(keep.slot), 1, SLOTS_MAX, "plan_keep.slot")?,
        },
        Kind::PlaceCube(place) => Action::PlaceCube {
            space: space(place.space, "place_cube.space")?,
            planet: planet(place.planet, "place_cube.planet")?,
        },
        Kind::FoundColony(found) => Action::FoundColony {
            space: space(found.space, "found_colony.space")?,
            planet: planet(found.planet, "found_colony.planet")?,
        },
        Kind::Take(take) => Action::Take {
            space: space(take.space, "take.space")?,
        },
        Kind::ExploreStack(explore) => Action::ExploreStack {
            parsec: within(Some(explore.parsec), 1, 3, "explore_stack.parsec")?,
        },
        Kind::ExplorePlace(place) => Action::ExplorePlace {
            tile: thing(place.tile, "explore_place.tile")?,
            space: space(place.space, "explore_place.space")?,
        },
        Kind::ExploreColony(colony) => Action::ExploreColony {
            planet: planet(colony.planet, "explore_colony.planet")?,
        },
        Kind::ExploreYield(game::ExploreYield {}) => Action::ExploreYield,
        Kind::Improve(improve) => Action::Improve {
            from: improvable(improve.from)?,
        },
        Kind::Accept(game::Accept {}) => Action::Accept,
        Kind::ChooseStep(choose) => Action::ChooseStep {
            index: within(choose.index, 0, 1, "choose_step.index")?,
        },
        Kind::Skip(game::Skip {}) => Action::Skip,
        Kind::Score(score) => Action::Score {
            space: space(score.space, "score.space")?,
            planet: planet(score.planet, "score.planet")?,
        },
        Kind::ScoreKeep(keep) => Action::ScoreKeep {
            galaxy: thing(keep.galaxy, "score_keep.galaxy")?,
        },
        Kind::EndScoring(game::EndScoring {}) => Action::EndScoring,
        Kind::BonusKeep(keep) => Action::BonusKeep {
            return_index: within(keep.return_index, 0, 3, "bonus_keep.return_index")?,
        },
        Kind::BonusDecline(game::BonusDecline {}) => Action::BonusDecline,
        Kind::PickDarkTech(pick) => Action::DarkTech {
            card: thing(pick.card, "pick_dark_tech.card")?,
        },
    })
}

fn improvable(gem: i32) -> Result<Gem, Violation> {
    match game::Gem::try_from(gem) {
        Ok(game::Gem::Anthracite) => Ok(Gem::Anthracite),
        Ok(game::Gem::Golden) => Ok(Gem::Golden),
        Ok(game::Gem::Transparent | game::Gem::Unspecified) | Err(_) => Err(Violation::new(
            "council_of_shadows.improve.from",
            "is GEM_ANTHRACITE or GEM_GOLDEN",
        )),
    }
}

fn write_action(action: Action) -> game::action::Kind {
    use game::action::Kind;

    let paid = |pay: Payment| Some(gems_to_pb(pay.gems()));
    match action {
        Action::ChooseLeader { leader } => Kind::ChooseLeader(game::ChooseLeader {
            leader: one(leader),
        }),
        Action::BuyAi { row, pay } => Kind::BuyAi(game::BuyAi {
            row: row.into(),
            pay: paid(pay),
        }),
        Action::BuyUpgrade { upgrade, pay } => Kind::BuyUpgrade(game::BuyUpgrade {
            upgrade: one(upgrade),
            pay: paid(pay),
        }),
        Action::BuyStation {
            station,
            galaxy,
            pay,
        } => Kind::BuyStation(game::BuyStation {
            station: one(station),
            galaxy: one(galaxy),
            pay: paid(pay),
        }),
        Action::EndBuy => Kind::EndBuy(game::EndBuy {}),
        Action::PlanPlace { slot, card } => Kind::PlanPlace(game::PlanPlace {
            slot: slot.into(),
            card: one(card),
        }),
        Action::PlanKeep { slot } => Kind::PlanKeep(game::PlanKeep { slot: slot.into() }),
        Action::PlaceCube { space, planet } => Kind::PlaceCube(game::PlaceCube {
            space: at(space),
            planet: Some(planet.into()),
        }),
        Action::FoundColony { space, planet } => Kind::FoundColony(game::FoundColony {
            space: at(space),
            planet: Some(planet.into()),
        }),
        Action::Take { space } => Kind::Take(game::Take { space: at(space) }),
        Action::ExploreStack { parsec } => Kind::ExploreStack(game::ExploreStack {
            parsec: parsec.into(),
        }),
        Action::ExplorePlace { tile, space } => Kind::ExplorePlace(game::ExplorePlace {
            tile: one(tile),
            space: at(space),
        }),
        Action::ExploreColony { planet } => Kind::ExploreColony(game::ExploreColony {
            planet: Some(planet.into()),
        }),
        Action::ExploreYield => Kind::ExploreYield(game::ExploreYield {}),
        Action::Improve { from } => Kind::Improve(game::Improve {
            from: gem_to_pb(from).into(),
        }),
        Action::Accept => Kind::Accept(game::Accept {}),
        Action::ChooseStep { index } => Kind::ChooseStep(game::ChooseStep {
            index: Some(index.into()),
        }),
        Action::Skip => Kind::Skip(game::Skip {}),
        Action::Score { space, planet } => Kind::Score(game::Score {
            space: at(space),
            planet: Some(planet.into()),
        }),
        Action::ScoreKeep { galaxy } => Kind::ScoreKeep(game::ScoreKeep {
            galaxy: one(galaxy),
        }),
        Action::EndScoring => Kind::EndScoring(game::EndScoring {}),
        Action::BonusKeep { return_index } => Kind::BonusKeep(game::BonusKeep {
            return_index: Some(return_index.into()),
        }),
        Action::BonusDecline => Kind::BonusDecline(game::BonusDecline {}),
        Action::DarkTech { card } => Kind::PickDarkTech(game::PickDarkTech { card: one(card) }),
    }
}

// === what is on the table

fn table_to_pb(public: &Public) -> game::Table {
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

fn plan_to_pb(plan: &Plan) -> game::Plan {
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

fn end_reason_to_pb(reason: EndReason) -> game::EndReason {
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

// === what one seat holds and remembers

fn own_to_pb(own: &Private) -> game::Own {
    let memory = &own.memory;
    game::Own {
        plan: Some(plan_to_pb(&own.plan)),
        bonus: many(own.bonus.iter().copied()),
        bonus_drawn: maybe(own.bonus_drawn),
        tiles: many(own.tiles.iter().copied()),
        dark_tech: (1..)
            .zip(own.dark_tech)
            .filter_map(|(level, seen)| {
                Some(game::SeenDarkTech {
                    level,
                    cards: many(seen?.iter()),
                })
            })
            .collect(),
        known_tiles: (1..)
            .zip(&memory.tile_stacks)
            .flat_map(|(parsec, stack)| {
                (0..).zip(stack).filter_map(move |(place, &tile)| {
                    Some(game::KnownTile {
                        parsec,
                        place: Some(place),
                        tile: one(tile?),
                    })
                })
            })
            .collect(),
        known_drawn: many(memory.drawn.iter().flatten().copied()),
        known_deck: (0..)
            .zip(&memory.bonus_deck)
            .filter_map(|(place, &card)| {
                Some(game::KnownBonus {
                    place: Some(place),
                    card: one(card?),
                })
            })
            .collect(),
        known_bonus_drawn: maybe(memory.bonus_drawn),
        known_held: (0..)
            .zip(&memory.bonus_held)
            .flat_map(|(seat, held)| {
                held.iter().map(move |card| game::HeldBonus {
                    seat: Some(seat),
                    card: one(card),
                })
            })
            .collect(),
    }
}

// === events

fn write_event(event: &Event) -> game::event::Kind {
    use game::event::Kind;

    let of = |seat: &tavola_engine::Seat| Some(u32::from(seat.0));
    match event {
        Event::TurnOrder { order } => Kind::TurnOrderSet(game::TurnOrderSet {
            order: order.iter().map(|party| party.0.into()).collect(),
        }),
        Event::LeaderTaken { seat, leader } => Kind::LeaderTaken(game::LeaderTaken {
            seat: of(seat),
            leader: one(*leader),
        }),
        Event::RoundStarted { round } => Kind::RoundStarted(game::RoundStarted {
            round: (*round).into(),
        }),
        Event::GemsGained { party, gems } => Kind::GemsGained(game::GemsGained {
            party: number(*party),
            gems: Some(gems_to_pb(*gems)),
        }),
        Event::EnergyGained { party, energy } => Kind::EnergyGained(game::EnergyGained {
            party: number(*party),
            energy: (*energy).into(),
        }),
        Event::AiBought {
            seat,
            row,
            card,
            paid,
        } => Kind::AiBought(game::AiBought {
            seat: of(seat),
            row: (*row).into(),
            card: one(*card),
            paid: Some(gems_to_pb(*paid)),
        }),
        Event::RowRefilled { row, card } => Kind::RowRefilled(game::RowRefilled {
            row: (*row).into(),
            card: maybe(*card),
        }),
        Event::UpgradeBought {
            seat,
            upgrade,
            paid,
        } => Kind::UpgradeBought(game::UpgradeBought {
            seat: of(seat),
            upgrade: one(*upgrade),
            paid: Some(gems_to_pb(*paid)),
        }),
        Event::StationBought {
            seat,
            station,
            galaxy,
            paid,
        } => Kind::StationBought(game::StationBought {
            seat: of(seat),
            station: one(*station),
            galaxy: one(*galaxy),
            paid: Some(gems_to_pb(*paid)),
        }),
        Event::AutomaShuffled => Kind::AutomaShuffled(game::AutomaShuffled {}),
        Event::AutomaDrew { card } => Kind::AutomaDrew(game::AutomaDrew { card: one(*card) }),
        Event::MarketCleared { row, card } => Kind::MarketCleared(game::MarketCleared {
            row: (*row).into(),
            card: one(*card),
        }),
        Event::Planned { seat, slot, card } => Kind::Planned(game::Planned {
            seat: of(seat),
            slot: (*slot).into(),
            card: maybe(*card),
        }),
        Event::PlanDone { seat } => Kind::PlanDone(game::PlanDone { seat: of(seat) }),
        Event::PlanRevealed { seat, plan } => Kind::PlanRevealed(game::PlanRevealed {
            seat: of(seat),
            plan: Some(plan_to_pb(plan)),
        }),
        Event::Consumed {
            party,
            total,
            consumption,
        } => Kind::Consumed(game::Consumed {
            party: number(*party),
            total: (*total).into(),
            consumption: (*consumption).into(),
        }),
        Event::CubesPlaced {
            party,
            space,
            planet,
            cubes,
        } => Kind::CubesPlaced(game::CubesPlaced {
            party: number(*party),
            space: at(*space),
            planet: Some((*planet).into()),
            cubes: (*cubes).into(),
        }),
        Event::Taken { party, space } => Kind::Taken(game::Taken {
            party: number(*party),
            space: at(*space),
        }),
        Event::TilesDrawn {
            party,
            parsec,
            count,
        } => Kind::TilesDrawn(game::TilesDrawn {
            party: number(*party),
            parsec: (*parsec).into(),
            count: (*count).into(),
        }),
        Event::TilesSeen { tiles } => Kind::TilesSeen(game::TilesSeen {
            tiles: many(tiles.iter().copied()),
        }),
        Event::TilePlaced { party, tile, space } => Kind::TilePlaced(game::TilePlaced {
            party: number(*party),
            tile: one(*tile),
            space: at(*space),
        }),
        Event::TileReturned { party, parsec } => Kind::TileReturned(game::TileReturned {
            party: number(*party),
            parsec: (*parsec).into(),
        }),
        Event::TilesPutBack {
            party,
            parsec,
            count,
        } => Kind::TilesPutBack(game::TilesPutBack {
            party: number(*party),
            parsec: (*parsec).into(),
            count: (*count).into(),
        }),
        Event::Improved { seat, from } => Kind::Improved(game::Improved {
            seat: of(seat),
            from: gem_to_pb(*from).into(),
        }),
        Event::Shifted { seat, returned } => Kind::Shifted(game::Shifted {
            seat: of(seat),
            returned: many(returned.iter()),
        }),
        Event::Scored {
            party,
            galaxy,
            high,
            removed,
        } => Kind::Scored(game::Scored {
            party: number(*party),
            galaxy: one(*galaxy),
            high: *high,
            space: removed.and_then(|(space, _)| at(space)),
            planet: removed.map(|(_, planet)| planet.into()),
        }),
        Event::BonusDrawn { seat, back } => Kind::BonusDrawn(game::BonusDrawn {
            seat: of(seat),
            back: back_to_pb(*back).into(),
        }),
        Event::BonusSeen { card } => Kind::BonusSeen(game::BonusSeen { card: one(*card) }),
        Event::BonusKept { seat, returned } => Kind::BonusKept(game::BonusKept {
            seat: of(seat),
            returned: back_to_pb(*returned).into(),
        }),
        Event::BonusDeclined { seat, back } => Kind::BonusDeclined(game::BonusDeclined {
            seat: of(seat),
            back: back_to_pb(*back).into(),
        }),
        Event::LevelReached { party, level } => Kind::LevelReached(game::LevelReached {
            party: number(*party),
            level: (*level).into(),
        }),
        Event::DarkTechSeen { level, cards } => Kind::DarkTechSeen(game::DarkTechSeen {
            level: (*level).into(),
            cards: many(cards.iter()),
        }),
        Event::DarkTechTaken { party, card } => Kind::DarkTechTaken(game::DarkTechTaken {
            party: number(*party),
            card: one(*card),
        }),
        Event::ThroneTaken { party } => Kind::ThroneTaken(game::ThroneTaken {
            party: number(*party),
        }),
        Event::FinalScoring { party } => Kind::FinalScoring(game::FinalScoring {
            party: number(*party),
        }),
        Event::BonusRevealed { seat, card } => Kind::BonusRevealed(game::BonusRevealed {
            seat: of(seat),
            card: one(*card),
        }),
        Event::SeatLeft { seat } => Kind::SeatLeft(game::SeatLeft { seat: of(seat) }),
        Event::GameOver { winners, reason } => Kind::GameOver(game::GameOver {
            winners: seats_to_pb(*winners),
            reason: end_reason_to_pb(*reason).into(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use tavola_engine::ActionId;

    use super::*;

    #[test]
    fn every_action_survives_the_wire() {
        for id in (0..CouncilOfShadows::ACTION_SPACE).map(ActionId) {
            let action = CouncilOfShadows::decode(id).unwrap();
            let pb = CouncilOfShadows::action_to_pb(action);
            assert_eq!(
                CouncilOfShadows::action_from_pb(&pb).unwrap(),
                action,
                "{id}"
            );
        }
    }

    #[test]
    fn options_survive_the_wire() {
        for automa in [None, Some(AutomaMode::Off), Some(AutomaMode::Hard)] {
            for civilizations in [vec![], vec![Civilization::Takrill, Civilization::Avry]] {
                let options = Options {
                    automa,
                    stations: true,
                    leaders: LeaderMode::Draft,
                    start_energy: StartEnergy::TileMinusOne,
                    scoring_timing: ScoringTiming::AfterAll,
                    open_planning: true,
                    max_rounds: 60,
                    civilizations,
                };
                let pb = CouncilOfShadows::options_to_pb(&options);
                assert_eq!(CouncilOfShadows::options_from_pb(pb).unwrap(), options);
            }
        }
        let unset = pb::Options {
            game: Some(pb::options::Game::CouncilOfShadows(game::Options::default())),
        };
        assert_eq!(
            CouncilOfShadows::options_from_pb(unset).unwrap(),
            Options::default()
        );
    }

    #[test]
    fn what_cannot_be_read_names_its_field() {
        let refused = |kind| {
            let action = pb::Action {
                game: Some(pb::action::Game::CouncilOfShadows(game::Action { kind })),
            };
            CouncilOfShadows::action_from_pb(&action).unwrap_err().field
        };
        use game::action::Kind;
        let cases = [
            (None, "kind"),
            (Some(Kind::Take(game::Take { space: None })), "take.space"),
            (
                Some(Kind::Take(game::Take { space: Some(30) })),
                "take.space",
            ),
            (
                Some(Kind::PlanKeep(game::PlanKeep { slot: 0 })),
                "plan_keep.slot",
            ),
            (
                Some(Kind::PlanPlace(game::PlanPlace { slot: 1, card: 32 })),
                "plan_place.card",
            ),
            (
                Some(Kind::BuyAi(game::BuyAi { row: 1, pay: None })),
                "buy_ai.pay",
            ),
            (
                Some(Kind::Improve(game::Improve { from: 3 })),
                "improve.from",
            ),
        ];
        for (kind, field) in cases {
            assert_eq!(refused(kind), format!("council_of_shadows.{field}"));
        }
    }
}
