//! What one seat holds and remembers, on the wire.

use tavola_engine::{
    Seat,
    games::shadow_hunters::{HermitAnswer, HermitMemory, Private},
};

use super::{character_to_pb, equipment_to_pb, hermit_to_pb, seat_to_pb};
use crate::pb::shadow_hunters::v1 as game;

pub(super) fn hand_to_pb(own: &Private) -> game::Hand {
    let identities = (0..).map(Seat).zip(own.identities);
    game::Hand {
        character: character_to_pb(own.character),
        hermit_card: own.hermit.map(hermit_to_pb),
        memories: own.memory.iter().map(memory_to_pb).collect(),
        identities: identities
            .filter_map(|(seat, character)| {
                Some(game::Identity {
                    seat: Some(seat_to_pb(seat)),
                    character: character_to_pb(character?),
                })
            })
            .collect(),
    }
}

fn memory_to_pb(memory: &HermitMemory) -> game::HermitMemory {
    let (answer, equipment) = answer_to_pb(memory.answer);
    game::HermitMemory {
        turn: memory.turn.into(),
        giver: Some(seat_to_pb(memory.giver)),
        receiver: Some(seat_to_pb(memory.receiver)),
        card: hermit_to_pb(memory.card),
        answer,
        equipment,
        shuffle: memory.shuffle.into(),
        place: Some(memory.place.into()),
    }
}

pub(super) fn answer_to_pb(answer: HermitAnswer) -> (i32, Option<i32>) {
    let (answer, equipment) = match answer {
        HermitAnswer::Nothing => (game::HermitAnswer::Nothing, None),
        HermitAnswer::TakeDamage => (game::HermitAnswer::TakeDamage, None),
        HermitAnswer::Heal => (game::HermitAnswer::Heal, None),
        HermitAnswer::Give(card) => (game::HermitAnswer::Give, Some(equipment_to_pb(card))),
        HermitAnswer::Show => (game::HermitAnswer::Show, None),
    };
    (answer.into(), equipment)
}
