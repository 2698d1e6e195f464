//! Council of Shadows on the wire.
//!
//! Cards, tiles and the like are enums there, in the order of their numbers, with 0 for nothing.

mod action;
mod event;
mod options;
mod own;
mod table;

use tavola_engine::{
    Game as _, SeatSet, Seen,
    games::council_of_shadows::{
        Action, CouncilOfShadows, Event, Options, Party,
        components::{Back, Gem, Gems, Numbered, PLANETS_MAX, Payment, Space},
        options::MAX_ROUNDS,
    },
};

use self::{
    action::{read_action, write_action},
    event::write_event,
    options::{read_options, write_options},
    own::own_to_pb,
    table::table_to_pb,
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
        let options = write_options(options);
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

#[cfg(test)]
mod tests {
    use tavola_engine::{
        ActionId,
        games::council_of_shadows::{
            AutomaMode, LeaderMode, ScoringTiming, StartEnergy, components::Civilization,
        },
    };

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
