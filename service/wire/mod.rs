//! Where the engine's types become protobuf's and back, and nowhere else.
//!
//! Each game has one file, with a folder for its parts, and one line in [`GAMES`].

mod citadels;
mod council_of_shadows;
mod santorini;
mod shadow_hunters;
mod table;
#[cfg(test)]
mod twins;
mod under_falling_skies;

use tavola_engine::{
    ActionId, Evaluate, GameInfo, Observation, OptionsError, Record, Seen,
    bots::{Bot, GreedyBot, RandomBot},
    games::{
        citadels::Citadels, council_of_shadows::CouncilOfShadows, santorini::Santorini,
        shadow_hunters::ShadowHunters, under_falling_skies::UnderFallingSkies,
    },
};

pub use table::{Answer, BotTurn, Earlier, Forking, Live, Table};

use crate::{
    error::{Error, Violation},
    house_bot::HouseBot,
    pb::v1 as pb,
    random,
};

/// The games that can be played here, in the order of their ids.
pub static GAMES: &[GameEntry] = &[
    GameEntry::of::<Citadels>(),
    GameEntry::of::<CouncilOfShadows>(),
    GameEntry::of::<Santorini>(),
    GameEntry::of::<ShadowHunters>(),
    GameEntry::of::<UnderFallingSkies>(),
];

/// A game as the wire has it.
pub trait Wire: Evaluate {
    /// What a session can be set up with, for the catalog.
    const OPTIONS: &'static [OptionEntry];

    /// Reads options; what is unset takes its default.
    ///
    /// # Errors
    /// The field that cannot be read, as its path in `tavola.v1.Options`.
    fn options_from_pb(options: pb::Options) -> Result<Self::Options, Violation>;
    /// Writes options, defaults filled in.
    fn options_to_pb(options: &Self::Options) -> pb::Options;
    /// Reads an action.
    ///
    /// # Errors
    /// The field that is missing or out of range, as its path in `tavola.v1.Action`.
    fn action_from_pb(action: &pb::Action) -> Result<Self::Action, Violation>;
    /// Writes an action.
    fn action_to_pb(action: Self::Action) -> pb::Action;
    /// Writes what a viewer knows.
    fn observation_to_pb(seen: Seen<'_, Self>) -> pb::Observation;
    /// Writes the whole truth.
    fn state_to_pb(&self) -> pb::State;
    /// Writes an event, as every seat of its audience is told.
    fn event_to_pb(event: &Self::Event) -> pb::Event;
}

/// One option of a game, for the catalog.
#[derive(Clone, Copy, Debug)]
pub struct OptionEntry {
    /// The name of its field.
    pub name: &'static str,
    /// What it does.
    pub description: &'static str,
    /// What holds where nothing is given.
    pub default: &'static str,
    /// What may be given.
    pub allowed: Allowed,
}

/// What may be given for an option.
#[derive(Clone, Copy, Debug)]
pub enum Allowed {
    /// One of these, as JSON writes them.
    Values(&'static [&'static str]),
    /// A number from the first to the second, both included.
    Range(i64, i64),
}

/// Opens a table for a record without its entries.
pub(crate) type Open = fn(&Record<pb::Options>) -> Result<Box<dyn Table>, Error>;

/// A game in the registry.
#[derive(Clone, Copy)]
pub struct GameEntry {
    /// Its id.
    pub id: &'static str,
    /// What there is to know of it.
    pub info: GameInfo,
    pub(crate) catalog: fn() -> pb::Game,
    pub(crate) open: Open,
}

impl std::fmt::Debug for GameEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("GameEntry").field(&self.id).finish()
    }
}

impl GameEntry {
    const fn of<G: Wire>() -> Self {
        Self {
            id: G::INFO.slug,
            info: G::INFO,
            catalog: catalog_of::<G>,
            open: table::open::<G>,
        }
    }

    /// The game with this id.
    #[must_use]
    pub fn find(id: &str) -> Option<&'static Self> {
        GAMES.iter().find(|entry| entry.id == id)
    }

    /// The refusal of an id that is no game's.
    #[must_use]
    pub fn not_found() -> Error {
        Error::GameNotFound {
            games: GAMES
                .iter()
                .map(|game| game.id)
                .collect::<Vec<_>>()
                .join(", "),
        }
    }

    /// What the catalog says of it.
    #[must_use]
    pub fn catalog(&self) -> pb::Game {
        (self.catalog)()
    }

    /// A table at its first decision, with the set-up done: for a record, whose entries are left to the caller.
    ///
    /// # Errors
    /// If the game forbids the options or the number of seats, or the record is of another rules version.
    pub fn open(&self, opening: &Record<pb::Options>) -> Result<Box<dyn Table>, Error> {
        (self.open)(opening)
    }
}

fn catalog_of<G: Wire>() -> pb::Game {
    let info = G::INFO;
    let defaults = G::Options::default();
    pb::Game {
        game: info.slug.to_owned(),
        title: info.title.to_owned(),
        seats_min: info.seats_min.into(),
        seats_max: info.seats_max.into(),
        rules_version: info.rules_version,
        action_space: G::ACTION_SPACE,
        legal_actions_max: info.legal_max,
        plies_max: G::plies_max(&defaults, info.seats_max),
        hidden_information: info.hidden,
        options: G::OPTIONS.iter().map(option_to_pb).collect(),
        default_options: Some(G::options_to_pb(&defaults)),
        bots: HouseBot::ALL
            .iter()
            .map(|bot| bot.name().to_owned())
            .collect(),
    }
}

fn option_to_pb(option: &OptionEntry) -> pb::OptionSpec {
    let (values, range) = match option.allowed {
        Allowed::Values(values) => (values.iter().map(|&value| value.to_owned()).collect(), None),
        Allowed::Range(min, max) => (Vec::new(), Some(pb::Range { min, max })),
    };
    pb::OptionSpec {
        name: option.name.to_owned(),
        description: option.description.to_owned(),
        default_value: option.default.to_owned(),
        values,
        range,
    }
}

/// Answers for the seat of an observation, as this bot would. Sees that observation and nothing else.
fn choose<G: Wire>(bot: HouseBot, observation: &Observation<G>) -> Option<ActionId> {
    let seen = observation.seen();
    let legal = G::legal_actions(seen);
    if legal.is_empty() {
        return None;
    }
    let dice = random::bytes();
    Some(G::encode(match bot {
        HouseBot::Random => RandomBot::new(dice).choose(seen, &legal),
        HouseBot::Greedy => GreedyBot::new(dice).choose(seen, &legal),
    }))
}

impl From<OptionsError> for Violation {
    fn from(error: OptionsError) -> Self {
        Self::new(error.field, error.allowed)
    }
}
