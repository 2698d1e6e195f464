//! What has happened, on the wire.

use tavola_engine::{
    Seat,
    games::shadow_hunters::{DamageSource, Event},
};

use super::{
    area_to_pb, card_to_pb, character_to_pb, deck_to_pb, end_reason_to_pb, equipment_to_pb,
    hermit_to_pb, own::answer_to_pb, seat_to_pb, seats_to_pb, single_use_to_pb, slot_to_pb,
};
use crate::pb::shadow_hunters::v1 as game;

pub(super) fn write_event(event: &Event) -> game::event::Kind {
    use game::event::Kind;

    let whose = |seat: &Seat| Some(seat_to_pb(*seat));
    match event {
        Event::GameStarted { start_player } => Kind::GameStarted(game::GameStarted {
            start_player: whose(start_player),
        }),
        Event::CharacterDealt { seat, character } => Kind::CharacterDealt(game::CharacterDealt {
            seat: whose(seat),
            character: character_to_pb(*character),
        }),
        Event::TurnStarted { seat, turn } => Kind::TurnStarted(game::TurnStarted {
            seat: whose(seat),
            turn: (*turn).into(),
        }),
        Event::TurnEnded { seat } => Kind::TurnEnded(game::TurnEnded { seat: whose(seat) }),
        Event::Revealed { seat, character } => Kind::Revealed(game::Revealed {
            seat: whose(seat),
            character: character_to_pb(*character),
        }),
        Event::AbilityUsed { seat, target } => Kind::AbilityUsed(game::AbilityUsed {
            seat: whose(seat),
            target: target.map(seat_to_pb),
        }),
        Event::DiceRolled { seat, d6, d4 } => Kind::DiceRolled(game::DiceRolled {
            seat: whose(seat),
            dice: Some(game::Dice {
                d6: d6.map(u32::from),
                d4: d4.map(u32::from),
            }),
        }),
        Event::Moved { seat, area, slot } => Kind::Moved(game::Moved {
            seat: whose(seat),
            area: area_to_pb(*area),
            slot: Some(slot_to_pb(*slot)),
        }),
        Event::CardDrawn { seat, card } => Kind::CardDrawn(game::CardDrawn {
            seat: whose(seat),
            card: card_to_pb(*card),
        }),
        Event::HermitDrawn { seat } => Kind::HermitDrawn(game::HermitDrawn { seat: whose(seat) }),
        Event::HermitGiven { giver, receiver } => Kind::HermitGiven(game::HermitGiven {
            giver: whose(giver),
            receiver: whose(receiver),
        }),
        Event::HermitSeen { seat, card } => Kind::HermitSeen(game::HermitSeen {
            seat: whose(seat),
            card: hermit_to_pb(*card),
        }),
        Event::HermitAnswered {
            giver,
            receiver,
            answer,
        } => {
            let (answer, equipment) = answer_to_pb(*answer);
            Kind::HermitAnswered(game::HermitAnswered {
                giver: whose(giver),
                receiver: whose(receiver),
                answer,
                equipment,
            })
        }
        Event::IdentityShown { seat, character } => Kind::IdentityShown(game::IdentityShown {
            seat: whose(seat),
            character: character_to_pb(*character),
        }),
        Event::Reshuffled { deck } => Kind::Reshuffled(game::Reshuffled {
            deck: deck_to_pb(*deck),
        }),
        Event::EquipmentGained { seat, card, from } => {
            Kind::EquipmentGained(game::EquipmentGained {
                seat: whose(seat),
                card: equipment_to_pb(*card),
                from_seat: from.map(seat_to_pb),
            })
        }
        Event::Discarded { card } => Kind::Discarded(game::Discarded {
            card: card_to_pb(*card),
        }),
        Event::Damaged {
            seat,
            source,
            amount,
            damage,
        } => {
            let (source, card, ability) = source_to_pb(*source);
            Kind::Damaged(game::Damaged {
                seat: whose(seat),
                source: source.into(),
                card,
                ability,
                amount: (*amount).into(),
                damage: (*damage).into(),
            })
        }
        Event::Healed {
            seat,
            amount,
            damage,
        } => Kind::Healed(game::Healed {
            seat: whose(seat),
            amount: (*amount).into(),
            damage: (*damage).into(),
        }),
        Event::DamageSet { seat, damage } => Kind::DamageSet(game::DamageSet {
            seat: whose(seat),
            damage: (*damage).into(),
        }),
        Event::AttackDeclared {
            attacker,
            targets,
            counter,
        } => Kind::AttackDeclared(game::AttackDeclared {
            attacker: whose(attacker),
            targets: seats_to_pb(*targets),
            counter: *counter,
        }),
        Event::AttackFailed { attacker } => Kind::AttackFailed(game::AttackFailed {
            attacker: whose(attacker),
        }),
        Event::Died { seat } => Kind::Died(game::Died { seat: whose(seat) }),
        Event::Resigned { seat } => Kind::Resigned(game::Resigned { seat: whose(seat) }),
        Event::GameOver { winners, reason } => Kind::GameOver(game::GameOver {
            winners: seats_to_pb(*winners),
            reason: end_reason_to_pb(*reason).into(),
        }),
    }
}

/// The source, with the card or the character that goes with it.
fn source_to_pb(source: DamageSource) -> (game::DamageSource, Option<i32>, Option<i32>) {
    match source {
        DamageSource::Attack => (game::DamageSource::Attack, None, None),
        DamageSource::Card(card) => {
            let card = single_use_to_pb(card);
            (game::DamageSource::Card, Some(card), None)
        }
        DamageSource::WeirdWoods => (game::DamageSource::WeirdWoods, None, None),
        DamageSource::Hermit => (game::DamageSource::Hermit, None, None),
        DamageSource::Ability(character) => {
            let character = character_to_pb(character);
            (game::DamageSource::Ability, None, Some(character))
        }
    }
}
