//! Citadels on the wire.

mod action;
mod event;
mod table;

use tavola_engine::{
    Game as _, SEATS_MAX, Seat, SeatSet, Seen,
    games::citadels::{
        Action, BallRoom, Cards, Character, Citadels, District, Event, FirstCrown, GoldSupply,
        Options,
    },
};

use self::table::turn_kind_to_pb as turn_kind;
use super::{Allowed, OptionEntry, Wire};
use crate::{
    error::Violation,
    pb::{citadels::v1 as game, v1 as pb},
};

const CHARACTER: &str = "is one of the characters";
const CARD: &str = "is one of the districts";
const SEAT: &str = "is a seat from 0 to 7";

impl Wire for Citadels {
    const OPTIONS: &'static [OptionEntry] = &[
        OptionEntry {
            name: "bonus_characters",
            description: "Bonus characters in the set, at most one of each rank; of ranks 1 to 8 at most two, unless allow_many_bonus is set. 8 seats need one of rank 9.",
            default: "none",
            allowed: Allowed::Values(&[
                "CHARACTER_WITCH",
                "CHARACTER_TAX_COLLECTOR",
                "CHARACTER_WIZARD",
                "CHARACTER_EMPEROR",
                "CHARACTER_ABBOT",
                "CHARACTER_ALCHEMIST",
                "CHARACTER_NAVIGATOR",
                "CHARACTER_DIPLOMAT",
                "CHARACTER_ARTIST",
                "CHARACTER_QUEEN",
            ]),
        },
        OptionEntry {
            name: "bonus_characters_random",
            description: "So many ranks from 1 to 8, drawn at random, have their bonus character.",
            default: "0",
            allowed: Allowed::Range(0, 2),
        },
        OptionEntry {
            name: "allow_many_bonus",
            description: "Whether more than two base characters may be replaced.",
            default: "false",
            allowed: Allowed::Values(&["false", "true"]),
        },
        OptionEntry {
            name: "bonus_districts",
            description: "Bonus districts that are added to the deck, each at most once.",
            default: "none",
            allowed: Allowed::Values(&[
                "DISTRICT_LIGHTHOUSE",
                "DISTRICT_ARMORY",
                "DISTRICT_MUSEUM",
                "DISTRICT_IMPERIAL_TREASURY",
                "DISTRICT_MAP_ROOM",
                "DISTRICT_WISHING_WELL",
                "DISTRICT_QUARRY",
                "DISTRICT_POOR_HOUSE",
                "DISTRICT_BELL_TOWER",
                "DISTRICT_FACTORY",
                "DISTRICT_PARK",
                "DISTRICT_HOSPITAL",
                "DISTRICT_THRONE_ROOM",
                "DISTRICT_BALL_ROOM",
            ]),
        },
        OptionEntry {
            name: "bonus_districts_random",
            description: "So many of the bonus districts that are not listed are drawn at random and added, too.",
            default: "0",
            allowed: Allowed::Range(0, 14),
        },
        OptionEntry {
            name: "end_districts",
            description: "Districts that make a city complete.",
            default: "8",
            allowed: Allowed::Range(7, 8),
        },
        OptionEntry {
            name: "gold_supply",
            description: "Whether the gold in the box is all there is; not with the Artist.",
            default: "GOLD_SUPPLY_UNLIMITED",
            allowed: Allowed::Values(&["GOLD_SUPPLY_UNLIMITED", "GOLD_SUPPLY_LIMITED"]),
        },
        OptionEntry {
            name: "ball_room",
            description: "Whether players say thanks at the Ball Room themselves.",
            default: "BALL_ROOM_EXPLICIT",
            allowed: Allowed::Values(&["BALL_ROOM_EXPLICIT", "BALL_ROOM_AUTO"]),
        },
        OptionEntry {
            name: "first_crown",
            description: "The seat that has the crown first.",
            default: "random",
            allowed: Allowed::Range(0, Self::INFO.seats_max as i64 - 1),
        },
    ];

    fn options_from_pb(options: pb::Options) -> Result<Options, Violation> {
        let defaults = Options::default();
        let Some(pb::options::Game::Citadels(options)) = options.game else {
            return Ok(defaults);
        };
        let field = |name: &'static str, allowed: &'static str| {
            Violation::new(format!("citadels.{name}"), allowed)
        };
        let characters = options
            .bonus_characters
            .iter()
            .map(|&number| character(number));
        let districts = options
            .bonus_districts
            .iter()
            .map(|&number| district(number));
        Ok(Options {
            bonus_characters: characters
                .collect::<Option<_>>()
                .ok_or_else(|| field("bonus_characters", CHARACTER))?,
            bonus_characters_random: u8::try_from(options.bonus_characters_random)
                .map_err(|_| field("bonus_characters_random", "is 0 to 2"))?,
            allow_many_bonus: options.allow_many_bonus,
            bonus_districts: districts
                .collect::<Option<_>>()
                .ok_or_else(|| field("bonus_districts", CARD))?,
            bonus_districts_random: u8::try_from(options.bonus_districts_random)
                .map_err(|_| field("bonus_districts_random", "is 0 to 14"))?,
            end_districts: match options.end_districts.map(u8::try_from) {
                None => defaults.end_districts,
                Some(Ok(districts)) => districts,
                Some(Err(_)) => return Err(field("end_districts", "is 7 or 8")),
            },
            gold_supply: match game::GoldSupply::try_from(options.gold_supply) {
                Ok(game::GoldSupply::Unspecified) => defaults.gold_supply,
                Ok(game::GoldSupply::Unlimited) => GoldSupply::Unlimited,
                Ok(game::GoldSupply::Limited) => GoldSupply::Limited,
                Err(_) => {
                    return Err(field(
                        "gold_supply",
                        "is GOLD_SUPPLY_UNLIMITED or GOLD_SUPPLY_LIMITED",
                    ));
                }
            },
            ball_room: match game::BallRoom::try_from(options.ball_room) {
                Ok(game::BallRoom::Unspecified) => defaults.ball_room,
                Ok(game::BallRoom::Explicit) => BallRoom::Explicit,
                Ok(game::BallRoom::Auto) => BallRoom::Auto,
                Err(_) => {
                    return Err(field(
                        "ball_room",
                        "is BALL_ROOM_EXPLICIT or BALL_ROOM_AUTO",
                    ));
                }
            },
            first_crown: match options.first_crown.map(u8::try_from) {
                None => defaults.first_crown,
                Some(Ok(seat)) => FirstCrown::Seat(Seat(seat)),
                Some(Err(_)) => {
                    return Err(field(
                        "first_crown",
                        "is unset for random, or a seat from 0",
                    ));
                }
            },
        })
    }

    fn options_to_pb(options: &Options) -> pb::Options {
        let options = game::Options {
            bonus_characters: characters_to_pb(&options.bonus_characters),
            bonus_characters_random: options.bonus_characters_random.into(),
            allow_many_bonus: options.allow_many_bonus,
            bonus_districts: options
                .bonus_districts
                .iter()
                .map(|&district| district_to_pb(district))
                .collect(),
            bonus_districts_random: options.bonus_districts_random.into(),
            end_districts: Some(options.end_districts.into()),
            gold_supply: match options.gold_supply {
                GoldSupply::Unlimited => game::GoldSupply::Unlimited,
                GoldSupply::Limited => game::GoldSupply::Limited,
            }
            .into(),
            ball_room: ball_room(options.ball_room).into(),
            first_crown: match options.first_crown {
                FirstCrown::Random => None,
                FirstCrown::Seat(seat) => Some(seat.0.into()),
            },
        };
        pb::Options {
            game: Some(pb::options::Game::Citadels(options)),
        }
    }

    fn action_from_pb(action: &pb::Action) -> Result<Action, Violation> {
        action::from_pb(action)
    }

    fn action_to_pb(action: Action) -> pb::Action {
        action::to_pb(action)
    }

    fn observation_to_pb(seen: Seen<'_, Self>) -> pb::Observation {
        let observation = game::Observation {
            table: Some(table::public_to_pb(seen.public)),
            own: seen.own.map(|own| table::own_to_pb(seen.public, own)),
        };
        pb::Observation {
            game: Some(pb::observation::Game::Citadels(Box::new(observation))),
        }
    }

    fn state_to_pb(&self) -> pb::State {
        pb::State {
            game: Some(pb::state::Game::Citadels(Box::new(table::state_to_pb(
                self,
            )))),
        }
    }

    fn event_to_pb(event: &Event) -> pb::Event {
        event::to_pb(event)
    }
}

// The enums of the wire have the engine's numbers, one higher: 0 is unspecified.

fn character(number: i32) -> Option<Character> {
    Character::from_index(u8::try_from(number.checked_sub(1)?).ok()?)
}

fn district(number: i32) -> Option<District> {
    District::from_index(u8::try_from(number.checked_sub(1)?).ok()?)
}

fn seat(number: Option<u32>) -> Option<Seat> {
    let seat = u8::try_from(number?).ok()?;
    (seat < SEATS_MAX).then_some(Seat(seat))
}

fn character_to_pb(character: Character) -> i32 {
    i32::from(character.index()) + 1
}

fn district_to_pb(district: District) -> i32 {
    i32::from(district.index()) + 1
}

/// Unspecified if there is none.
fn optional_character(character: Option<Character>) -> i32 {
    character.map(character_to_pb).unwrap_or_default()
}

/// Unspecified if there is none.
fn optional_district(district: Option<District>) -> i32 {
    district.map(district_to_pb).unwrap_or_default()
}

fn characters_to_pb(characters: &[Character]) -> Vec<i32> {
    characters
        .iter()
        .map(|&character| character_to_pb(character))
        .collect()
}

fn cards_to_pb(cards: Cards) -> Vec<i32> {
    cards.iter().map(district_to_pb).collect()
}

fn seats_to_pb(seats: SeatSet) -> Vec<u32> {
    seats.iter().map(|seat| seat.0.into()).collect()
}

fn ball_room(ball_room: BallRoom) -> game::BallRoom {
    match ball_room {
        BallRoom::Explicit => game::BallRoom::Explicit,
        BallRoom::Auto => game::BallRoom::Auto,
    }
}

#[cfg(test)]
mod tests {
    use tavola_engine::{
        ActionId, Chance, Cx, Seed,
        games::citadels::{Public, state::LighthouseLook},
    };

    use super::*;

    #[test]
    fn every_action_comes_back_from_the_wire() {
        for id in (0..Citadels::ACTION_SPACE).map(ActionId) {
            let action = Citadels::decode(id);
            let back =
                action.map(|action| Citadels::action_from_pb(&Citadels::action_to_pb(action)));
            assert_eq!(back.and_then(Result::ok), action, "{id}");
            assert!(action.is_some());
        }
    }

    #[test]
    fn the_enums_of_the_wire_are_named_like_the_cards() {
        let snake = |name: &str, prefix: &str| name.strip_prefix(prefix).map(str::to_lowercase);
        for district in District::ALL {
            let name = game::District::try_from(district_to_pb(district))
                .map(|district| district.as_str_name());
            let card = format!("{district:?}").to_lowercase();
            assert_eq!(
                name.ok()
                    .and_then(|name| snake(name, "DISTRICT_"))
                    .map(|name| name.replace('_', "")),
                Some(card)
            );
            assert_eq!(self::district(district_to_pb(district)), Some(district));
        }
        for character in Character::ALL {
            let name = game::Character::try_from(character_to_pb(character))
                .map(|character| character.as_str_name());
            let card = format!("{character:?}").to_lowercase();
            assert_eq!(
                name.ok()
                    .and_then(|name| snake(name, "CHARACTER_"))
                    .map(|name| name.replace('_', "")),
                Some(card)
            );
            assert_eq!(self::character(character_to_pb(character)), Some(character));
        }
        for number in [i32::MIN, -1, 0, 43, i32::MAX] {
            assert_eq!(district(number), None);
        }
        for number in [i32::MIN, -1, 0, 19, i32::MAX] {
            assert_eq!(character(number), None);
        }
    }

    #[test]
    fn options_come_back_from_the_wire() {
        let options = Options {
            bonus_characters: vec![Character::Witch, Character::Queen],
            bonus_characters_random: 1,
            allow_many_bonus: true,
            bonus_districts: vec![District::Park],
            bonus_districts_random: 3,
            end_districts: 7,
            gold_supply: GoldSupply::Limited,
            ball_room: BallRoom::Auto,
            first_crown: FirstCrown::Seat(Seat(4)),
        };
        for options in [Options::default(), options] {
            assert_eq!(
                Citadels::options_from_pb(Citadels::options_to_pb(&options)).ok(),
                Some(options)
            );
        }
    }

    #[test]
    fn the_latest_look_from_the_lighthouse_is_told_apart_from_earlier_ones() {
        let mut chance = Chance::at_ply(Seed::from_number(1), 0);
        let table = Citadels::new(&Options::default(), 4, &mut Cx::new(&mut chance, None));
        let mut public = table.expect("legal options").public().clone();
        let looks = |public: &Public| {
            let table = table::public_to_pb(public);
            let seat = |look: &game::DeckLook| (look.seat, look.round, look.cards, look.drawn);
            let earlier: Vec<_> = table.earlier_deck_looks.iter().map(seat).collect();
            (table.deck_look.as_ref().map(seat), earlier)
        };
        assert_eq!(looks(&public), (None, Vec::new()));
        let look = LighthouseLook {
            round: 3,
            cards: 20,
            drawn: 4,
            shuffled: true,
        };
        public.lighthouse[Seat(0)] = Some(look);
        public.lighthouse[Seat(2)] = Some(LighthouseLook {
            round: 6,
            shuffled: false,
            ..look
        });
        let latest = (Some(2), 6, 20, 4);
        assert_eq!(looks(&public), (Some(latest), vec![(Some(0), 3, 20, 4)]));
    }

    #[test]
    fn what_is_missing_is_named() {
        let action = |kind| {
            let action = game::Action { kind };
            Citadels::action_from_pb(&pb::Action {
                game: Some(pb::action::Game::Citadels(action)),
            })
        };
        let field = |kind| action(kind).err().map(|violation| violation.field);
        use game::action::Kind;
        assert_eq!(field(None).as_deref(), Some("citadels.kind"));
        assert_eq!(
            field(Some(Kind::Build(game::Build::default()))).as_deref(),
            Some("citadels.build.card")
        );
        assert_eq!(
            field(Some(Kind::GiveCrown(game::GiveCrown::default()))).as_deref(),
            Some("citadels.give_crown.player")
        );
        let beyond = game::GiveCrown { player: Some(8) };
        assert_eq!(
            field(Some(Kind::GiveCrown(beyond))).as_deref(),
            Some("citadels.give_crown.player")
        );
    }
}
