//! What a game is set up with, on the wire.

use tavola_engine::games::council_of_shadows::{
    AutomaMode, LeaderMode, Options, ScoringTiming, Setup, StartEnergy,
    components::{Civilization, Difficulty},
};

use super::{many, thing};
use crate::{error::Violation, pb::council_of_shadows::v1 as game};

pub(super) fn read_options(options: &game::Options) -> Result<Options, Violation> {
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

pub(super) fn write_options(options: &Options) -> game::Options {
    game::Options {
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
    }
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

pub(super) fn setup_to_pb(setup: &Setup) -> game::Options {
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
