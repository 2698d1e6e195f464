//! What is going on, frame by frame, on the wire.

use tavola_engine::{
    Seat,
    games::shadow_hunters::{
        Attack, AttackRoll, Deaths, Dice, Frame, Question, Window, WindowKind,
    },
};

use super::{area_to_pb, seat_to_pb, seats_to_pb, single_use_to_pb};
use crate::pb::shadow_hunters::v1 as game;

pub(super) fn frame_to_pb(frame: &Frame) -> game::Frame {
    use game::frame::Kind;

    let kind = match frame {
        Frame::Opening { answered } => Kind::Opening(game::OpeningFrame {
            answered: (*answered).into(),
        }),
        Frame::Turn(step) => Kind::Turn(game::TurnFrame {
            next_step: *step as i32 + 1,
        }),
        Frame::Window(Window { kind, next }) => Kind::Window(game::WindowFrame {
            attack: match kind {
                WindowKind::Start => false,
                WindowKind::Attack { .. } => true,
            },
            next: (*next).into(),
        }),
        Frame::Attack(attack) => Kind::Attack(attack_to_pb(attack)),
        Frame::Deaths(Deaths {
            owner,
            by_attack,
            rosary,
            killed,
            left,
        }) => Kind::Deaths(game::DeathsFrame {
            owner: Some(seat_to_pb(*owner)),
            by_attack: *by_attack,
            rosary: *rosary,
            resolved: killed.is_some(),
            killed: killed.map_or(Vec::new(), seats_to_pb),
            left: seats_to_pb(*left),
        }),
        Frame::Ask(ask) => Kind::Question(question_to_pb(ask.seat, ask.question)),
    };
    game::Frame { kind: Some(kind) }
}

fn attack_to_pb(attack: &Attack) -> game::AttackFrame {
    game::AttackFrame {
        attacker: Some(seat_to_pb(attack.attacker)),
        targets: seats_to_pb(attack.targets),
        counter: attack.counter,
        next_step: attack.step as i32 + 1,
        dice: attack.roll.map(attack_roll_to_pb),
        damage: attack.damage.map(u32::from).to_vec(),
        robbed: seats_to_pb(attack.robbed),
        damaged: attack.damaged.into(),
        left: seats_to_pb(attack.left),
    }
}

fn question_to_pb(seat: Seat, question: Question) -> game::QuestionFrame {
    use game::QuestionKind as Kind;

    let of = |kind: Kind| game::QuestionFrame {
        seat: Some(seat_to_pb(seat)),
        kind: kind.into(),
        ..Default::default()
    };
    let about = |kind: Kind, player: Seat| game::QuestionFrame {
        player: Some(seat_to_pb(player)),
        ..of(kind)
    };
    match question {
        Question::WindowStart => of(Kind::WindowStart),
        Question::WindowAttack { attacker, targets } => game::QuestionFrame {
            targets: seats_to_pb(targets),
            ..about(Kind::WindowAttack, attacker)
        },
        Question::WindowEnd => of(Kind::WindowEnd),
        Question::MoveChoice => of(Kind::MoveChoice),
        Question::ChooseDestination {
            roll,
            second,
            areas,
        } => game::QuestionFrame {
            dice: Some(dice_to_pb(roll)),
            second_dice: second.map(dice_to_pb),
            areas: areas.iter().map(area_to_pb).collect(),
            ..of(Kind::ChooseDestination)
        },
        Question::AreaChoice => of(Kind::AreaChoice),
        Question::GiveHermit => of(Kind::GiveHermit),
        Question::HermitRespond { giver } => about(Kind::HermitRespond, giver),
        Question::Accept { card } => game::QuestionFrame {
            card: Some(single_use_to_pb(card)),
            ..of(Kind::Accept)
        },
        Question::CardTarget { card } => game::QuestionFrame {
            card: Some(single_use_to_pb(card)),
            ..of(Kind::CardTarget)
        },
        Question::StealByGoblin => of(Kind::Steal),
        Question::GiveCard => of(Kind::GiveCard),
        Question::AttackChoice => of(Kind::AttackChoice),
        Question::SpearReveal { targets, roll } => game::QuestionFrame {
            targets: seats_to_pb(targets),
            dice: Some(attack_roll_to_pb(roll)),
            ..of(Kind::SpearReveal)
        },
        Question::Rob { target, damage } => game::QuestionFrame {
            damage: Some(damage.into()),
            ..about(Kind::Rob, target)
        },
        Question::SuckBlood { damaged } => game::QuestionFrame {
            damaged: Some(damaged.into()),
            ..of(Kind::SuckBlood)
        },
        Question::TakeAll { victim } => about(Kind::TakeAll, victim),
        Question::Loot { victim } => about(Kind::Loot, victim),
        Question::Counterattack { attacker } => about(Kind::Counterattack, attacker),
        Question::Feast { targets } => game::QuestionFrame {
            targets: seats_to_pb(targets),
            ..of(Kind::Feast)
        },
    }
}

fn dice_to_pb(dice: Dice) -> game::Dice {
    game::Dice {
        d6: Some(dice.d6.into()),
        d4: Some(dice.d4.into()),
    }
}

fn attack_roll_to_pb(roll: AttackRoll) -> game::Dice {
    game::Dice {
        d6: roll.d6.map(u32::from),
        d4: Some(roll.d4.into()),
    }
}
