//! Shadow Hunters on the wire.
//!
//! Enums of components have the engine's order, after the unspecified value: so a number is turned
//! into the other by adding or taking away 1.

mod action;
mod event;
mod frame;
mod options;
mod own;
mod table;

use tavola_engine::{
    Game, Seat, SeatSet, Seen, Viewer,
    games::shadow_hunters::{
        Action, Area, Card, Character, Deck, EndReason, Equipment, Event, HermitCard, Options,
        ShadowHunters, SingleUse, Slot, options::TURN_LIMIT,
    },
};

use self::{
    action::{read_action, write_action},
    event::write_event,
    options::{read_options, write_options},
    own::hand_to_pb,
    table::table_to_pb,
};
use super::{Allowed, OptionEntry, Wire};
use crate::{
    error::Violation,
    pb::{shadow_hunters::v1 as game, v1 as pb},
};

impl Wire for ShadowHunters {
    const OPTIONS: &'static [OptionEntry] = &[
        OptionEntry {
            name: "expansion_characters",
            description: "Which characters are in the pools.",
            default: "EXPANSION_CHARACTERS_ALL",
            allowed: Allowed::Values(&[
                "EXPANSION_CHARACTERS_ALL",
                "EXPANSION_CHARACTERS_NONE",
                "EXPANSION_CHARACTERS_ONLY",
                "EXPANSION_CHARACTERS_ONE_PER_INITIAL",
            ]),
        },
        OptionEntry {
            name: "special_abilities",
            description: "Whether characters have special abilities; without them Bob is taken out.",
            default: "true",
            allowed: Allowed::Values(&["true", "false"]),
        },
        OptionEntry {
            name: "opening_hermit",
            description: "Whether one Hermit card goes round the table first; true needs 6 or more seats.",
            default: "false",
            allowed: Allowed::Values(&["false", "true"]),
        },
        OptionEntry {
            name: "turn_limit",
            description: "When this many turns are completed, the game is a draw.",
            default: "500",
            allowed: Allowed::Range(*TURN_LIMIT.start() as i64, *TURN_LIMIT.end() as i64),
        },
    ];

    fn options_from_pb(options: pb::Options) -> Result<Options, Violation> {
        match options.game {
            Some(pb::options::Game::ShadowHunters(options)) => read_options(&options),
            _ => Ok(Options::default()),
        }
    }

    fn options_to_pb(options: &Options) -> pb::Options {
        let options = write_options(options);
        pb::Options {
            game: Some(pb::options::Game::ShadowHunters(options)),
        }
    }

    fn action_from_pb(action: &pb::Action) -> Result<Action, Violation> {
        match &action.game {
            Some(pb::action::Game::ShadowHunters(action)) => read_action(action),
            _ => Err(Violation::new(
                "shadow_hunters",
                "is required, because that is the game of the session",
            )),
        }
    }

    fn action_to_pb(action: Action) -> pb::Action {
        let kind = Some(write_action(action));
        pb::Action {
            game: Some(pb::action::Game::ShadowHunters(game::Action { kind })),
        }
    }

    fn observation_to_pb(seen: Seen<'_, Self>) -> pb::Observation {
        pb::Observation {
            game: Some(pb::observation::Game::ShadowHunters(Box::new(
                game::Observation {
                    table: Some(table_to_pb(seen.public)),
                    own: seen.own.map(hand_to_pb),
                },
            ))),
        }
    }

    fn state_to_pb(&self) -> pb::State {
        let public = self.public();
        let (white, black, hermit) = self.draw_piles();
        let hands = (0..public.seats())
            .filter_map(|seat| self.seen(Viewer::Seat(Seat(seat))).own)
            .map(hand_to_pb);
        pb::State {
            game: Some(pb::state::Game::ShadowHunters(Box::new(game::State {
                table: Some(table_to_pb(public)),
                hands: hands.collect(),
                white_draw: white.iter().copied().map(card_to_pb).collect(),
                black_draw: black.iter().copied().map(card_to_pb).collect(),
                hermit_draw: hermit.iter().copied().map(hermit_to_pb).collect(),
                hermit_discard: self
                    .hermit_discard_pile()
                    .iter()
                    .copied()
                    .map(hermit_to_pb)
                    .collect(),
            }))),
        }
    }

    fn event_to_pb(event: &Event) -> pb::Event {
        let kind = Some(write_event(event));
        pb::Event {
            game: Some(pb::event::Game::ShadowHunters(game::Event { kind })),
        }
    }
}

// === components

fn seat_to_pb(seat: Seat) -> u32 {
    seat.0.into()
}

fn seats_to_pb(seats: SeatSet) -> Vec<u32> {
    seats.iter().map(seat_to_pb).collect()
}

fn slot_to_pb(slot: Slot) -> u32 {
    slot.number().into()
}

fn area_to_pb(area: Area) -> i32 {
    area as i32 + 1
}

fn deck_to_pb(deck: Deck) -> i32 {
    deck as i32 + 1
}

fn card_to_pb(card: Card) -> i32 {
    i32::from(card.index()) + 1
}

fn equipment_to_pb(card: Equipment) -> i32 {
    card_to_pb(Card::Equipment(card))
}

fn single_use_to_pb(card: SingleUse) -> i32 {
    card_to_pb(Card::SingleUse(card))
}

fn hermit_to_pb(card: HermitCard) -> i32 {
    card as i32 + 1
}

fn character_to_pb(character: Character) -> i32 {
    character as i32 + 1
}

fn end_reason_to_pb(reason: EndReason) -> game::EndReason {
    match reason {
        EndReason::Won => game::EndReason::Won,
        EndReason::TurnLimit => game::EndReason::TurnLimit,
    }
}

#[cfg(test)]
mod twins;

#[cfg(test)]
mod tests {
    use prost::Message as _;
    use tavola_engine::ActionId;
    use tavola_engine::games::shadow_hunters::{AttackStep, ExpansionCharacters, Step};

    use super::*;

    #[test]
    fn every_action_comes_back_from_the_wire() {
        for id in (0..ShadowHunters::ACTION_SPACE).map(ActionId) {
            let action = ShadowHunters::decode(id).unwrap();
            let sent = ShadowHunters::action_to_pb(action).encode_to_vec();
            let received = pb::Action::decode(&sent[..]).unwrap();
            let back = ShadowHunters::action_from_pb(&received);
            assert_eq!(back.ok(), Some(action), "{id}");
        }
    }

    #[test]
    fn options_come_back_from_the_wire() {
        for expansion_characters in [
            ExpansionCharacters::All,
            ExpansionCharacters::None,
            ExpansionCharacters::Only,
            ExpansionCharacters::OnePerInitial,
        ] {
            for flag in [false, true] {
                let options = Options {
                    expansion_characters,
                    special_abilities: flag,
                    opening_hermit: !flag,
                    turn_limit: 77,
                };
                let sent = ShadowHunters::options_to_pb(&options);
                assert_eq!(ShadowHunters::options_from_pb(sent).ok(), Some(options));
            }
        }
        let unset = pb::Options { game: None };
        assert_eq!(
            ShadowHunters::options_from_pb(unset).ok(),
            Some(Options::default())
        );
    }

    /// `UltraSoul` and `CHARACTER_ULTRA_SOUL` are the same name.
    #[track_caller]
    fn same_name(engine: impl std::fmt::Debug, wire: Option<&str>, prefix: &str) {
        let wire = wire.unwrap().strip_prefix(prefix).unwrap().replace('_', "");
        assert_eq!(format!("{engine:?}").to_uppercase(), wire);
    }

    #[test]
    fn the_enums_have_the_same_order_on_both_sides() {
        for character in Character::ALL {
            let wire = game::Character::try_from(character_to_pb(character)).ok();
            same_name(character, wire.map(|wire| wire.as_str_name()), "CHARACTER_");
        }
        for card in Equipment::ALL {
            let wire = game::Card::try_from(equipment_to_pb(card)).ok();
            same_name(card, wire.map(|wire| wire.as_str_name()), "CARD_");
        }
        for card in SingleUse::ALL {
            let wire = game::Card::try_from(single_use_to_pb(card)).ok();
            same_name(card, wire.map(|wire| wire.as_str_name()), "CARD_");
        }
        for card in HermitCard::ALL {
            let wire = game::HermitCard::try_from(hermit_to_pb(card)).ok();
            same_name(card, wire.map(|wire| wire.as_str_name()), "HERMIT_CARD_");
        }
        for area in Area::ALL {
            let wire = game::Area::try_from(area_to_pb(area)).ok();
            same_name(area, wire.map(|wire| wire.as_str_name()), "AREA_");
        }
        for deck in Deck::ALL {
            let wire = game::Deck::try_from(deck_to_pb(deck)).ok();
            same_name(deck, wire.map(|wire| wire.as_str_name()), "DECK_");
        }
        for step in [
            Step::Begin,
            Step::StartWindow,
            Step::Movement,
            Step::Area,
            Step::Attack,
            Step::EndWindow,
            Step::End,
        ] {
            let wire = game::Step::try_from(step as i32 + 1).ok();
            same_name(step, wire.map(|wire| wire.as_str_name()), "STEP_");
        }
        for step in [
            AttackStep::Window,
            AttackStep::Roll,
            AttackStep::Spear,
            AttackStep::Fix,
            AttackStep::Rob,
            AttackStep::Deal,
            AttackStep::SuckBlood,
            AttackStep::Deaths,
            AttackStep::Counterattack,
            AttackStep::Feast,
            AttackStep::Done,
        ] {
            let wire = game::AttackStep::try_from(step as i32 + 1).ok();
            same_name(step, wire.map(|wire| wire.as_str_name()), "ATTACK_STEP_");
        }
    }

    #[test]
    fn what_is_malformed_is_refused_by_its_field() {
        let read = |kind: Option<game::action::Kind>| {
            let action = pb::Action {
                game: Some(pb::action::Game::ShadowHunters(game::Action { kind })),
            };
            ShadowHunters::action_from_pb(&action)
        };
        use game::action::Kind;
        assert!(read(None).is_err());
        assert!(ShadowHunters::action_from_pb(&pb::Action { game: None }).is_err());
        let player = |player| Kind::Attack(game::AttackPlayer { player });
        assert!(read(Some(player(None))).is_err());
        assert!(read(Some(player(Some(8)))).is_err());
        assert!(read(Some(player(Some(7)))).is_ok());
        // A single-use card is no equipment.
        for card in [0, 13, 28, 99, -1] {
            assert!(
                read(Some(Kind::Loot(game::Loot { card }))).is_err(),
                "{card}"
            );
        }
        let both = game::UseAbility {
            player: Some(1),
            card: Some(1),
        };
        assert!(read(Some(Kind::UseAbility(both))).is_err());
        let odd = game::HermitRespond {
            answer: game::HermitAnswer::Nothing.into(),
            card: Some(1),
        };
        assert!(read(Some(Kind::HermitRespond(odd))).is_err());
    }
}
