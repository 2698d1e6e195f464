//! Shadow Hunters on the wire.
//!
//! Enums of components have the engine's order, after the unspecified value: so a number is turned
//! into the other by adding or taking away 1.

use tavola_engine::{
    Game, Seat, SeatSet, Seen, Viewer,
    games::shadow_hunters::{
        Action, Area, Attack, AttackRoll, Card, Character, DamageSource, Deaths, Deck, Dice,
        EndReason, Equipment, Event, ExpansionCharacters, Frame, HermitAnswer, HermitCard,
        HermitMemory, Options, Player, Private, Public, Question, ShadowHunters, SingleUse, Slot,
        Window, WindowKind, options::TURN_LIMIT,
    },
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
        let defaults = Options::default();
        let Some(pb::options::Game::ShadowHunters(options)) = options.game else {
            return Ok(defaults);
        };
        use game::ExpansionCharacters as Pools;
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

    fn options_to_pb(options: &Options) -> pb::Options {
        pb::Options {
            game: Some(pb::options::Game::ShadowHunters(options_to_pb(options))),
        }
    }

    fn action_from_pb(action: &pb::Action) -> Result<Action, Violation> {
        let Some(pb::action::Game::ShadowHunters(action)) = &action.game else {
            return Err(Violation::new(
                "shadow_hunters",
                "is required, because that is the game of the session",
            ));
        };
        match &action.kind {
            Some(kind) => kind_from_pb(kind),
            None => Err(Violation::new(
                "shadow_hunters.kind",
                "is one of the actions of Shadow Hunters",
            )),
        }
    }

    fn action_to_pb(action: Action) -> pb::Action {
        pb::Action {
            game: Some(pb::action::Game::ShadowHunters(game::Action {
                kind: Some(kind_to_pb(action)),
            })),
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
        pb::Event {
            game: Some(pb::event::Game::ShadowHunters(game::Event {
                kind: Some(happened_to_pb(event)),
            })),
        }
    }
}

// === actions

fn kind_from_pb(kind: &game::action::Kind) -> Result<Action, Violation> {
    use game::action::Kind;

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

fn kind_to_pb(action: Action) -> game::action::Kind {
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

// === the table

fn options_to_pb(options: &Options) -> game::Options {
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

fn table_to_pb(public: &Public) -> game::Table {
    game::Table {
        options: Some(options_to_pb(&public.options)),
        areas: public.areas.iter().copied().map(area_to_pb).collect(),
        players: (0..)
            .map(Seat)
            .zip(&public.players)
            .map(player_to_pb)
            .collect(),
        active_seat: Some(seat_to_pb(public.active)),
        turn: public.turn.into(),
        white_discard: public
            .white_discard
            .iter()
            .copied()
            .map(card_to_pb)
            .collect(),
        black_discard: public
            .black_discard
            .iter()
            .copied()
            .map(card_to_pb)
            .collect(),
        white_draw: public.white_draw.into(),
        black_draw: public.black_draw.into(),
        hermit_draw: public.hermit_draw.into(),
        hermit_discard: public.hermit_discard.into(),
        hermit_shuffles: public.hermit_shuffles.into(),
        in_play: public.in_play.map(single_use_to_pb),
        frames: public.stack.iter().map(frame_to_pb).collect(),
        open_characters: public
            .open_characters()
            .iter()
            .map(character_to_pb)
            .collect(),
        end_reason: public
            .ending
            .as_ref()
            .map(|ending| end_reason_to_pb(ending.reason).into()),
    }
}

fn player_to_pb((seat, player): (Seat, &Player)) -> game::Player {
    game::Player {
        seat: Some(seat_to_pb(seat)),
        character: player.character.map(character_to_pb),
        alive: player.alive,
        damage: player.damage.into(),
        slot: player.slot.map(slot_to_pb),
        equipment: player
            .equipment
            .iter()
            .copied()
            .map(equipment_to_pb)
            .collect(),
        ability_used: player.ability_used,
        ability_used_this_turn: player.ability_used_this_turn,
        ability_void: player.ability_void,
        guardian: player.guardian,
        barrier: player.barrier,
        extra_turns: player.extra_turns.into(),
        capriccio: player.capriccio,
        died_first: player.died_first,
        resigned: player.resigned,
    }
}

fn hand_to_pb(own: &Private) -> game::Hand {
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

fn answer_to_pb(answer: HermitAnswer) -> (i32, Option<i32>) {
    let (answer, equipment) = match answer {
        HermitAnswer::Nothing => (game::HermitAnswer::Nothing, None),
        HermitAnswer::TakeDamage => (game::HermitAnswer::TakeDamage, None),
        HermitAnswer::Heal => (game::HermitAnswer::Heal, None),
        HermitAnswer::Give(card) => (game::HermitAnswer::Give, Some(equipment_to_pb(card))),
        HermitAnswer::Show => (game::HermitAnswer::Show, None),
    };
    (answer.into(), equipment)
}

// === what is going on

fn frame_to_pb(frame: &Frame) -> game::Frame {
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

// === events

fn happened_to_pb(event: &Event) -> game::event::Kind {
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

// === components

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

#[cfg(test)]
mod twins;

#[cfg(test)]
mod tests {
    use prost::Message as _;
    use tavola_engine::ActionId;
    use tavola_engine::games::shadow_hunters::{AttackStep, Step};

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
