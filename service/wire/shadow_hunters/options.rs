//! What a game is set up with, on the wire.

use tavola_engine::games::shadow_hunters::{ExpansionCharacters, Options};

use crate::{error::Violation, pb::shadow_hunters::v1 as game};

pub(super) fn read_options(options: &game::Options) -> Result<Options, Violation> {
    use game::ExpansionCharacters as Pools;

    let defaults = Options::default();
    Ok(Options {
        expansion_characters: match Pools::try_from(options.expansion_characters) {
            Ok(Pools::Unspecified) => defaults.expansion_characters,
            Ok(Pools::All) => ExpansionCharacters::All,
            Ok(Pools::None) => ExpansionCharacters::None,
            Ok(Pools::Only) => ExpansionCharacters::Only,
            Ok(Pools::OnePerInitial) => ExpansionCharacters::OnePerInitial,
            Err(_) => {
                return Err(Violation::new(
                    "shadow_hunters.expansion_characters",
                    "is one of the values of ExpansionCharacters",
                ));
            }
        },
        special_abilities: options
            .special_abilities
            .unwrap_or(defaults.special_abilities),
        opening_hermit: options.opening_hermit.unwrap_or(defaults.opening_hermit),
        turn_limit: match options.turn_limit.map(u16::try_from) {
            None => defaults.turn_limit,
            Some(Ok(turn_limit)) => turn_limit,
            Some(Err(_)) => {
                return Err(Violation::new("shadow_hunters.turn_limit", "is 10 to 1000"));
            }
        },
    })
}

pub(super) fn write_options(options: &Options) -> game::Options {
    game::Options {
        expansion_characters: match options.expansion_characters {
            ExpansionCharacters::All => game::ExpansionCharacters::All,
            ExpansionCharacters::None => game::ExpansionCharacters::None,
            ExpansionCharacters::Only => game::ExpansionCharacters::Only,
            ExpansionCharacters::OnePerInitial => game::ExpansionCharacters::OnePerInitial,
        }
        .into(),
        special_abilities: Some(options.special_abilities),
        opening_hermit: Some(options.opening_hermit),
        turn_limit: Some(options.turn_limit.into()),
    }
}
