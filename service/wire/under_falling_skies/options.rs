//! What a game is set up with, on the wire.

use tavola_engine::games::under_falling_skies::{
    Character, City, CitySide, Member, Mode, Options, Scenario, SkySet, SkySide,
};

use super::names::{
    city_side_to_pb, city_to_pb, member_to_pb, numbered, scenario_to_pb, sky_set_to_pb,
    sky_side_to_pb,
};
use crate::{error::Violation, pb::under_falling_skies::v1 as game};

pub(super) fn read_options(options: &game::Options) -> Result<Options, Violation> {
    let defaults = Options::default();
    let field = |name: &'static str, allowed: &'static str| {
        Violation::new(format!("under_falling_skies.{name}"), allowed)
    };
    Ok(Options {
        mode: match game::Mode::try_from(options.mode) {
            Ok(game::Mode::Unspecified) => defaults.mode,
            Ok(game::Mode::Single) => Mode::Single,
            Ok(game::Mode::Campaign) => Mode::Campaign,
            Err(_) => return Err(field("mode", "is MODE_SINGLE or MODE_CAMPAIGN")),
        },
        city: match options.city {
            0 => defaults.city,
            city => numbered(city, City::from_index).ok_or(field("city", "is a city"))?,
        },
        city_side: match game::CitySide::try_from(options.city_side) {
            Ok(game::CitySide::Unspecified) => defaults.city_side,
            Ok(game::CitySide::Intact) => CitySide::Intact,
            Ok(game::CitySide::Damaged) => CitySide::Damaged,
            Err(_) => {
                return Err(field(
                    "city_side",
                    "is CITY_SIDE_INTACT or CITY_SIDE_DAMAGED",
                ));
            }
        },
        threat: match options.threat.map(u8::try_from) {
            None => None,
            Some(Ok(threat)) => Some(threat),
            Some(Err(_)) => return Err(field("threat", "is 0 to 4")),
        },
        sky_sides: match options.sky_sides.as_slice() {
            [] => None,
            sides => Some(
                four(sides, |side| match game::SkySide::try_from(side) {
                    Ok(game::SkySide::Easy) => Some(false),
                    Ok(game::SkySide::Dangerous) => Some(true),
                    Ok(game::SkySide::Unspecified) | Err(_) => None,
                })
                .ok_or(field(
                    "sky_sides",
                    "is none or four of SKY_SIDE_EASY, SKY_SIDE_DANGEROUS",
                ))?,
            ),
        },
        robots: options.robots.unwrap_or(defaults.robots),
        campaign_content: options.campaign_content,
        sky_set: match options.sky_set.as_slice() {
            [] => defaults.sky_set,
            sets => four(sets, |set| match game::SkySet::try_from(set) {
                Ok(game::SkySet::Base) => Some(SkySet::Base),
                Ok(game::SkySet::Advanced) => Some(SkySet::Advanced),
                Ok(game::SkySet::Unspecified) | Err(_) => None,
            })
            .ok_or(field(
                "sky_set",
                "is none or four of SKY_SET_BASE, SKY_SET_ADVANCED",
            ))?,
        },
        characters: options
            .characters
            .iter()
            .map(|member| {
                let id = numbered(member.character, Character::from_index)?;
                Some(Member {
                    id,
                    upgraded: member.upgraded,
                })
            })
            .collect::<Option<_>>()
            .ok_or(field("characters", "is up to three characters"))?,
        scenario: match options.scenario {
            0 => None,
            scenario => Some(
                numbered(scenario, Scenario::from_index)
                    .ok_or(field("scenario", "is a scenario"))?,
            ),
        },
    })
}

pub(super) fn write_options(options: &Options) -> game::Options {
    // A campaign takes no other option: none is filled in.
    let is_single = options.mode == Mode::Single;
    let sides = options.sky_sides.iter().flatten();
    game::Options {
        mode: match options.mode {
            Mode::Single => game::Mode::Single,
            Mode::Campaign => game::Mode::Campaign,
        }
        .into(),
        city: city_to_pb(options.city),
        city_side: city_side_to_pb(options.city_side),
        threat: is_single.then(|| options.threat().into()),
        sky_sides: sides
            .map(|&dangerous| {
                sky_side_to_pb(if dangerous {
                    SkySide::Dangerous
                } else {
                    SkySide::Easy
                })
            })
            .collect(),
        robots: Some(options.robots),
        campaign_content: options.campaign_content,
        sky_set: options.sky_set.into_iter().map(sky_set_to_pb).collect(),
        characters: options.characters.iter().map(member_to_pb).collect(),
        scenario: options.scenario.map_or(0, scenario_to_pb),
    }
}

/// One for each of the four levels.
fn four<T>(list: &[i32], read: impl Fn(i32) -> Option<T>) -> Option<[T; 4]> {
    let list: Vec<T> = list
        .iter()
        .map(|&value| read(value))
        .collect::<Option<_>>()?;
    list.try_into().ok()
}
