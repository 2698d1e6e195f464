//! What a player can do, on the wire.

use tavola_engine::{
    Game as _, Seat,
    games::shadow_hunters::{Action, Area, Deck, Equipment, ShadowHunters},
};

use super::{area_to_pb, deck_to_pb, equipment_to_pb, seat_to_pb};
use crate::{error::Violation, pb::shadow_hunters::v1 as game};

pub(super) fn read_action(action: &game::Action) -> Result<Action, Violation> {
    use game::action::Kind;

    let Some(kind) = &action.kind else {
        return Err(Violation::new(
            "shadow_hunters.kind",
            "is one of the actions of Shadow Hunters",
        ));
    };
    Ok(match kind {
        Kind::Pass(game::Pass {}) => Action::Pass,
        Kind::Reveal(game::Reveal {}) => Action::Reveal,
        Kind::UseAbility(used) => match (used.player, used.card) {
            (None, None) => Action::UseAbility,
            (Some(_), None) => Action::UseAbilityOn {
                player: seat(used.player, "use_ability.player")?,
            },
            (None, Some(card)) => Action::DigUp {
                card: equipment(card, "use_ability.card")?,
            },
            (Some(_), Some(_)) => {
                return Err(violation(
                    "use_ability.card",
                    "is unset where player is set",
                ));
            }
        },
        Kind::RollMove(game::RollMove {}) => Action::RollMove,
        Kind::Teleport(to) => Action::Teleport {
            area: area(to.area, "teleport.area")?,
        },
        Kind::ChooseDestination(to) => Action::ChooseDestination {
            area: area(to.area, "choose_destination.area")?,
        },
        Kind::Draw(draw) => Action::Draw {
            deck: element(&Deck::ALL, draw.deck)
                .ok_or_else(|| violation("draw.deck", "is one of the values of Deck"))?,
        },
        Kind::Woods(woods) => {
            let player = seat(woods.player, "woods.player")?;
            match game::WoodsMode::try_from(woods.mode) {
                Ok(game::WoodsMode::Damage) => Action::WoodsDamage { player },
                Ok(game::WoodsMode::Heal) => Action::WoodsHeal { player },
                Ok(game::WoodsMode::Unspecified) | Err(_) => {
                    return Err(violation(
                        "woods.mode",
                        "is WOODS_MODE_DAMAGE or WOODS_MODE_HEAL",
                    ));
                }
            }
        }
        Kind::Steal(steal) => Action::Steal {
            player: seat(steal.player, "steal.player")?,
            card: equipment(steal.card, "steal.card")?,
        },
        Kind::SkipArea(game::SkipArea {}) => Action::SkipArea,
        Kind::GiveHermit(give) => Action::GiveHermit {
            player: seat(give.player, "give_hermit.player")?,
        },
        Kind::HermitRespond(respond) => answer_from_pb(respond)?,
        Kind::CardTarget(target) => Action::CardTarget {
            player: seat(target.player, "card_target.player")?,
        },
        Kind::Accept(game::Accept {}) => Action::Accept,
        Kind::GiveCard(give) => Action::GiveCard {
            card: equipment(give.card, "give_card.card")?,
            player: seat(give.player, "give_card.player")?,
        },
        Kind::Attack(attack) => Action::Attack {
            player: seat(attack.player, "attack.player")?,
        },
        Kind::AttackAll(game::AttackAll {}) => Action::AttackAll,
        Kind::DeclineAttack(game::DeclineAttack {}) => Action::DeclineAttack,
        Kind::SpearReveal(game::SpearReveal {}) => Action::SpearReveal,
        Kind::Rob(rob) => Action::Rob {
            card: equipment(rob.card, "rob.card")?,
        },
        Kind::DealDamage(game::DealDamage {}) => Action::DealDamage,
        Kind::SuckBlood(game::SuckBlood {}) => Action::SuckBlood,
        Kind::TakeAll(game::TakeAll {}) => Action::TakeAll,
        Kind::Loot(loot) => Action::Loot {
            card: equipment(loot.card, "loot.card")?,
        },
        Kind::Counterattack(game::Counterattack {}) => Action::Counterattack,
        Kind::Feast(feast) => Action::Feast {
            player: seat(feast.player, "feast.player")?,
        },
    })
}

fn answer_from_pb(respond: &game::HermitRespond) -> Result<Action, Violation> {
    let answer = match game::HermitAnswer::try_from(respond.answer) {
        Ok(game::HermitAnswer::Nothing) => Action::AnswerNothing,
        Ok(game::HermitAnswer::TakeDamage) => Action::AnswerTakeDamage,
        Ok(game::HermitAnswer::Heal) => Action::AnswerHeal,
        Ok(game::HermitAnswer::Show) => Action::AnswerShow,
        Ok(game::HermitAnswer::Give) => {
            let card = respond.card.unwrap_or_default();
            return Ok(Action::AnswerGive {
                card: equipment(card, "hermit_respond.card")?,
            });
        }
        Ok(game::HermitAnswer::Unspecified) | Err(_) => {
            return Err(violation(
                "hermit_respond.answer",
                "is one of the values of HermitAnswer",
            ));
        }
    };
    match respond.card {
        None => Ok(answer),
        Some(_) => Err(violation(
            "hermit_respond.card",
            "is set with HERMIT_ANSWER_GIVE only",
        )),
    }
}

pub(super) fn write_action(action: Action) -> game::action::Kind {
    use game::action::Kind;

    let used = |player: Option<Seat>, card: Option<Equipment>| {
        Kind::UseAbility(game::UseAbility {
            player: player.map(seat_to_pb),
            card: card.map(equipment_to_pb),
        })
    };
    let respond = |answer: game::HermitAnswer, card: Option<Equipment>| {
        Kind::HermitRespond(game::HermitRespond {
            answer: answer.into(),
            card: card.map(equipment_to_pb),
        })
    };
    let woods = |player: Seat, mode: game::WoodsMode| {
        Kind::Woods(game::Woods {
            player: Some(seat_to_pb(player)),
            mode: mode.into(),
        })
    };
    match action {
        Action::Pass => Kind::Pass(game::Pass {}),
        Action::Reveal => Kind::Reveal(game::Reveal {}),
        Action::UseAbility => used(None, None),
        Action::UseAbilityOn { player } => used(Some(player), None),
        Action::DigUp { card } => used(None, Some(card)),
        Action::RollMove => Kind::RollMove(game::RollMove {}),
        Action::Teleport { area } => Kind::Teleport(game::Teleport {
            area: area_to_pb(area),
        }),
        Action::ChooseDestination { area } => Kind::ChooseDestination(game::ChooseDestination {
            area: area_to_pb(area),
        }),
        Action::Draw { deck } => Kind::Draw(game::Draw {
            deck: deck_to_pb(deck),
        }),
        Action::WoodsDamage { player } => woods(player, game::WoodsMode::Damage),
        Action::WoodsHeal { player } => woods(player, game::WoodsMode::Heal),
        Action::Steal { player, card } => Kind::Steal(game::Steal {
            player: Some(seat_to_pb(player)),
            card: equipment_to_pb(card),
        }),
        Action::SkipArea => Kind::SkipArea(game::SkipArea {}),
        Action::GiveHermit { player } => Kind::GiveHermit(game::GiveHermit {
            player: Some(seat_to_pb(player)),
        }),
        Action::AnswerNothing => respond(game::HermitAnswer::Nothing, None),
        Action::AnswerTakeDamage => respond(game::HermitAnswer::TakeDamage, None),
        Action::AnswerHeal => respond(game::HermitAnswer::Heal, None),
        Action::AnswerGive { card } => respond(game::HermitAnswer::Give, Some(card)),
        Action::AnswerShow => respond(game::HermitAnswer::Show, None),
        Action::CardTarget { player } => Kind::CardTarget(game::CardTarget {
            player: Some(seat_to_pb(player)),
        }),
        Action::Accept => Kind::Accept(game::Accept {}),
        Action::GiveCard { card, player } => Kind::GiveCard(game::GiveCard {
            card: equipment_to_pb(card),
            player: Some(seat_to_pb(player)),
        }),
        Action::Attack { player } => Kind::Attack(game::AttackPlayer {
            player: Some(seat_to_pb(player)),
        }),
        Action::AttackAll => Kind::AttackAll(game::AttackAll {}),
        Action::DeclineAttack => Kind::DeclineAttack(game::DeclineAttack {}),
        Action::SpearReveal => Kind::SpearReveal(game::SpearReveal {}),
        Action::Rob { card } => Kind::Rob(game::Rob {
            card: equipment_to_pb(card),
        }),
        Action::DealDamage => Kind::DealDamage(game::DealDamage {}),
        Action::SuckBlood => Kind::SuckBlood(game::SuckBlood {}),
        Action::TakeAll => Kind::TakeAll(game::TakeAll {}),
        Action::Loot { card } => Kind::Loot(game::Loot {
            card: equipment_to_pb(card),
        }),
        Action::Counterattack => Kind::Counterattack(game::Counterattack {}),
        Action::Feast { player } => Kind::Feast(game::Feast {
            player: Some(seat_to_pb(player)),
        }),
    }
}

fn violation(field: &'static str, allowed: &'static str) -> Violation {
    Violation::new(format!("shadow_hunters.{field}"), allowed)
}

fn seat(number: Option<u32>, field: &'static str) -> Result<Seat, Violation> {
    let last = ShadowHunters::INFO.seats_max - 1;
    number
        .and_then(|number| u8::try_from(number).ok())
        .filter(|number| *number <= last)
        .map(Seat)
        .ok_or_else(|| violation(field, "is a seat from 0 to 7"))
}

fn equipment(number: i32, field: &'static str) -> Result<Equipment, Violation> {
    element(&Equipment::ALL, number)
        .ok_or_else(|| violation(field, "is one of the twelve equipment cards"))
}

fn area(number: i32, field: &'static str) -> Result<Area, Violation> {
    element(&Area::ALL, number).ok_or_else(|| violation(field, "is one of the values of Area"))
}

/// The component of this number on the wire, where 0 is none.
fn element<T: Copy>(all: &[T], number: i32) -> Option<T> {
    let index = usize::try_from(number).ok()?.checked_sub(1)?;
    all.get(index).copied()
}
