//! Twin worlds: two tables that differ in what somebody may not know look the same to him.

use tavola_engine::games::shadow_hunters::{
    Action, Card, Character, Color, DamageSource, Deck, Equipment, Event, Faction, HermitCard,
    Options, Question, ShadowHunters, SingleUse, Step,
};
use tavola_engine::{Chance, Cx, Game, Playthrough, Seat, Seed, Viewer};

use crate::golden_hermit::give;
use crate::scenario::{Given, Table, equipment, given, seat};

/// Everybody but this player sees the same, and was told the same.
#[track_caller]
pub(crate) fn same_to_others(letter: char, one: &Table, other: &Table) {
    assert_eq!(one.asked_so_far, other.asked_so_far, "asked alike");
    let seats = one.public().seats();
    let viewers = (0..seats)
        .map(Seat)
        .filter(|&viewer| viewer != seat(letter))
        .map(Some)
        .chain([None]);
    for viewer in viewers {
        let eyes = viewer.map_or(Viewer::Spectator, Viewer::Seat);
        assert_eq!(
            one.state.observe(eyes),
            other.state.observe(eyes),
            "{viewer:?}"
        );
        assert_eq!(one.heard(viewer), other.heard(viewer), "{viewer:?}");
        assert_eq!(
            ShadowHunters::legal_actions(one.state.seen(eyes)),
            ShadowHunters::legal_actions(other.state.seen(eyes)),
            "{viewer:?}"
        );
        assert_eq!(
            ShadowHunters::decision(one.state.seen(eyes)),
            ShadowHunters::decision(other.state.seen(eyes)),
            "{viewer:?}"
        );
    }
}

/// What somebody does; where it isn't his turn to be asked, everybody passes.
type Deed = (char, Action);

/// Plays the same deeds in all worlds in which the seat is one of these characters: nobody else can
/// tell them apart.
#[track_caller]
fn alike(position: &Given, letter: char, characters: &[Character], dice: &[u32], deeds: &[Deed]) {
    let play = |character: Character| {
        let mut table = position
            .clone()
            .with(letter, id(character))
            .start()
            .dice(dice);
        for &(who, action) in deeds {
            table = table.does(who, action);
        }
        table
    };
    let mut worlds = characters.iter().map(|&character| play(character));
    let first = worlds.next().unwrap();
    let mut compared = 0;
    for world in worlds {
        same_to_others(letter, &first, &world);
        compared += 1;
    }
    assert!(compared > 0, "one world is no twin");
}

fn id(character: Character) -> &'static str {
    const IDS: [&str; 20] = [
        "emi",
        "ellen",
        "franklin",
        "fu_ka",
        "george",
        "gregor",
        "unknown",
        "ultra_soul",
        "vampire",
        "valkyrie",
        "werewolf",
        "wight",
        "allie",
        "agnes",
        "bob",
        "bryan",
        "charles",
        "catherine",
        "daniel",
        "david",
    ];
    IDS[character as usize]
}

/// Everybody who is not at the table of these tests already.
fn strangers(fits: impl Fn(Character) -> bool) -> Vec<Character> {
    use Character::{Bryan, Ellen, Emi, Gregor, UltraSoul, Unknown};
    Character::ALL
        .into_iter()
        .filter(|character| {
            ![Emi, Ellen, Gregor, Unknown, UltraSoul, Bryan].contains(character) && fits(*character)
        })
        .collect()
}

/// A table for seven; the seat X of the text is the one whose character differs.
fn seven(a: &str, b: &str) -> Given {
    given(&format!(
        "7: A {a} / B {b} / C emi / D unknown / E ellen / F ultra_soul / G bryan"
    ))
}

fn attacks(letter: char) -> Action {
    Action::Attack {
        player: seat(letter),
    }
}

#[test]
fn a_pass_in_the_start_window_tells_nothing() {
    let position = seven("gregor", "wight")
        .at(Step::StartWindow)
        .discarded("chainsaw");
    alike(
        &position,
        'B',
        &strangers(|_| true),
        &[],
        &[('B', Action::Pass)],
    );
    alike(
        &position.active('B'),
        'B',
        &strangers(|_| true),
        &[],
        &[('B', Action::Pass)],
    );
}

#[test]
fn a_pass_in_the_window_of_an_attack_tells_nothing() {
    let position = seven("gregor @0", "wight @1")
        .at(Step::Attack)
        .discarded("chainsaw");
    alike(
        &position,
        'B',
        &strangers(|_| true),
        &[],
        &[('A', attacks('B')), ('B', Action::Pass)],
    );
    let attacker = seven("gregor @0", "wight @1").at(Step::Attack).active('B');
    alike(
        &attacker,
        'B',
        &strangers(|_| true),
        &[],
        &[('B', attacks('A')), ('B', Action::Pass)],
    );
}

#[test]
fn a_pass_at_the_end_of_the_turn_tells_nothing() {
    let position = seven("wight @0", "gregor").at(Step::EndWindow);
    alike(
        &position,
        'A',
        &strangers(|_| true),
        &[],
        &[('A', Action::Pass)],
    );
}

#[test]
fn a_roll_instead_of_a_teleport_tells_nothing() {
    let position =
        given("7: A gregor @0 / B wight / C george / D unknown / E ellen / F ultra_soul / G bryan");
    let characters = [
        Character::Emi,
        Character::Vampire,
        Character::Bob,
        Character::Daniel,
    ];
    alike(
        &position.at(Step::Movement),
        'A',
        &characters,
        &[5, 4],
        &[('A', Action::RollMove)],
    );
}

#[test]
fn the_use_of_an_area_tells_nothing() {
    let woods = seven("wight @3", "gregor").at(Step::Area);
    let damage = Action::WoodsDamage { player: seat('B') };
    alike(&woods, 'A', &strangers(|_| true), &[], &[('A', damage)]);
    alike(
        &woods,
        'A',
        &strangers(|_| true),
        &[],
        &[('A', Action::SkipArea)],
    );
    let altar = seven("wight @5", "gregor [chainsaw, handgun]").at(Step::Area);
    let steal = Action::Steal {
        player: seat('B'),
        card: equipment("handgun"),
    };
    alike(&altar, 'A', &strangers(|_| true), &[], &[('A', steal)]);
}

#[test]
fn the_choice_of_an_attack_tells_nothing() {
    let position = seven("wight @0 [masamune]", "gregor @1").at(Step::Attack);
    alike(
        &position,
        'A',
        &strangers(|_| true),
        &[],
        &[
            ('A', attacks('B')),
            ('A', Action::Pass),
            ('B', Action::Pass),
        ],
    );
    let position = seven("wight @0", "gregor @1").at(Step::Attack);
    alike(
        &position,
        'A',
        &strangers(|_| true),
        &[],
        &[('A', Action::DeclineAttack)],
    );
}

#[test]
fn the_spear_that_stays_hidden_tells_nothing() {
    let position = seven("wight @0 [spear_of_longinus]", "gregor @1").at(Step::Attack);
    let play = |character| {
        let table = position
            .clone()
            .with('A', id(character))
            .start()
            .dice(&[5, 2]);
        let table = table.does('A', attacks('B')).after_attack_window();
        assert!(matches!(
            table.asked(),
            Some(('A', Question::SpearReveal { .. }))
        ));
        table.now('A', Action::Pass)
    };
    let hunter = play(Character::Franklin);
    for character in strangers(|character| character != Character::Franklin) {
        same_to_others('A', &hunter, &play(character));
    }
}

/// Plays to a question of this seat, in all worlds, and passes on it.
#[track_caller]
fn passed_alike(
    position: &Given,
    letter: char,
    characters: &[Character],
    dice: &[u32],
    deed: Deed,
    question: impl Fn(Question) -> bool,
) {
    let play = |character| {
        let table = position
            .clone()
            .with(letter, id(character))
            .start()
            .dice(dice);
        let table = table.does(deed.0, deed.1).after_attack_window();
        let table = table.until(|who, asked| who == letter && question(asked));
        let pass = table.legal()[0];
        let pass = if table.legal().contains(&Action::DealDamage) {
            Action::DealDamage
        } else {
            pass
        };
        table.now(letter, pass)
    };
    let first = play(characters[0]);
    for &character in &characters[1..] {
        same_to_others(letter, &first, &play(character));
    }
}

#[test]
fn who_does_not_rob_tells_nothing() {
    let position = given(
        "6: A wight @0 / B gregor @1 [chainsaw, handgun] / C emi / D unknown / E ellen / F bryan",
    )
    .at(Step::Attack);
    let who = [
        Character::Bob,
        Character::Vampire,
        Character::Franklin,
        Character::Daniel,
    ];
    passed_alike(
        &position,
        'A',
        &who,
        &[5, 2],
        ('A', attacks('B')),
        |asked| matches!(asked, Question::Rob { .. }),
    );
}

#[test]
fn who_sucks_no_blood_tells_nothing() {
    let position = seven("wight d4 @0", "gregor @1").at(Step::Attack);
    let who = strangers(|_| true);
    passed_alike(
        &position,
        'A',
        &who,
        &[5, 2],
        ('A', attacks('B')),
        |asked| matches!(asked, Question::SuckBlood { .. }),
    );
}

#[test]
fn who_does_not_take_all_tells_nothing() {
    let position = given(
        "7: A wight @0 / B gregor d13 @1 [chainsaw, handgun] / C emi / D unknown / E ellen / F ultra_soul / G allie",
    );
    let who = [
        Character::Bob,
        Character::Vampire,
        Character::Franklin,
        Character::Catherine,
    ];
    passed_alike(
        &position.at(Step::Attack),
        'A',
        &who,
        &[5, 2],
        ('A', attacks('B')),
        |asked| matches!(asked, Question::TakeAll { .. }),
    );
}

#[test]
fn who_does_not_strike_back_tells_nothing() {
    let position = seven("gregor @0", "wight @1").at(Step::Attack);
    let who = strangers(|_| true);
    passed_alike(
        &position,
        'B',
        &who,
        &[5, 2],
        ('A', attacks('B')),
        |asked| matches!(asked, Question::Counterattack { .. }),
    );
}

#[test]
fn who_does_not_feast_tells_nothing() {
    let position = seven("wight @0", "gregor @1").at(Step::Attack);
    let who = strangers(|_| true);
    passed_alike(
        &position,
        'A',
        &who,
        &[5, 2],
        ('A', attacks('B')),
        |asked| matches!(asked, Question::Feast { .. }),
    );
}

/// Whoever draws a White or Black card and reveals nothing looks like anybody else.
#[test]
fn a_card_that_reveals_nothing_tells_nothing() {
    let cards = Equipment::ALL
        .map(Card::Equipment)
        .into_iter()
        .chain(SingleUse::ALL.map(Card::SingleUse));
    let mut played = 0;
    for card in cards {
        let (place, deck) = match card.color() {
            Color::White => (1, Deck::White),
            Color::Black => (2, Deck::Black),
        };
        let who = strangers(|character| {
            card != Card::SingleUse(SingleUse::DisenchantMirror)
                || character.faction() != Faction::Shadow
        });
        let dice: &[u32] = match card {
            Card::SingleUse(SingleUse::Blessing | SingleUse::SpiritualDoll) => &[3],
            Card::SingleUse(SingleUse::Dynamite) => &[3, 1],
            _ => &[],
        };
        // B has equipment to take, but not the card that is drawn.
        let row = match card {
            Card::Equipment(Equipment::Talisman | Equipment::Chainsaw) => "[handgun]",
            _ => "[talisman, chainsaw]",
        };
        let position = seven(&format!("wight d1 @{place}"), &format!("gregor {row}"))
            .at(Step::Area)
            .next(&card_id(card));
        let draw = ('A', Action::Draw { deck });
        match card {
            Card::SingleUse(
                SingleUse::Blessing
                | SingleUse::FirstAid
                | SingleUse::VampireBat
                | SingleUse::BloodthirstySpider
                | SingleUse::SpiritualDoll,
            ) => alike(
                &position,
                'A',
                &who,
                dice,
                &[draw, ('A', Action::CardTarget { player: seat('B') })],
            ),
            Card::SingleUse(
                SingleUse::Advent | SingleUse::Chocolate | SingleUse::DiabolicRitual,
            ) => {
                alike(&position, 'A', &who, dice, &[draw, ('A', Action::Pass)]);
            }
            Card::SingleUse(SingleUse::MoodyGoblin) => {
                let steal = Action::Steal {
                    player: seat('B'),
                    card: equipment("chainsaw"),
                };
                alike(&position, 'A', &who, dice, &[draw, ('A', steal)]);
            }
            _ => alike(&position, 'A', &who, dice, &[draw]),
        }
        played += 1;
    }
    assert_eq!(played, 28);
}

/// A Hermit card and its answer: all who answer alike look alike, to the giver too; and to third
/// parties the cards do.
#[test]
fn equal_answers_to_a_hermit_card_look_equal() {
    for card in HermitCard::ALL {
        let play = |character: Character, answer: Action| {
            let position = seven("gregor @0", "wight d1 [chainsaw]").with('B', id(character));
            give(card, position).now('B', answer)
        };
        for answer in [
            Action::AnswerNothing,
            Action::AnswerTakeDamage,
            Action::AnswerHeal,
            Action::AnswerGive {
                card: equipment("chainsaw"),
            },
        ] {
            let can = |character: &Character| {
                let position = seven("gregor @0", "wight d1 [chainsaw]").with('B', id(*character));
                give(card, position).legal().contains(&answer)
            };
            let worlds: Vec<Character> = strangers(|_| true).into_iter().filter(can).collect();
            if let Some((&first, others)) = worlds.split_first() {
                let first = play(first, answer);
                for &other in others {
                    same_to_others('B', &first, &play(other, answer));
                }
            }
        }
    }
}

/// In random games: an action changes nothing that a viewer sees in one world and not in the other,
/// unless something is drawn or revealed.
#[test]
fn in_random_games_nothing_but_what_is_revealed_differs() {
    let mut compared = 0;
    for (seats, seed) in (4..=8).flat_map(|seats| (0..6).map(move |seed| (seats, seed))) {
        let mut game = Playthrough::<ShadowHunters>::start(
            Options::default(),
            seats,
            Seed::from_number(seed),
            None,
        )
        .unwrap();
        let mut dice = Chance::at_ply(Seed::from_number(seed), 1_000_000);
        for ply in 0..600 {
            let Some(ask) = game.state().public().asked() else {
                break;
            };
            let legal = ShadowHunters::legal_actions(game.state().seen(Viewer::Seat(ask.seat)));
            // Seldom a reveal, so that much stays hidden for long.
            let quiet = |action: &&Action| **action != Action::Reveal;
            let calm: Vec<Action> = legal.iter().filter(quiet).copied().collect();
            let from = if calm.is_empty() || dice.below(20) == 0 {
                &legal
            } else {
                &calm
            };
            let action = from[dice.below(from.len() as u32) as usize];
            let viewer = Seat(dice.below(seats.into()) as u8);
            let before = game.state().clone();
            let twin = ShadowHunters::determinize(before.seen(Viewer::Seat(viewer)), &mut dice);
            game.submit(ask.seat, action, None).unwrap();
            if twin.check(ask.seat, action).is_err() {
                continue;
            }
            let play = |mut state: ShadowHunters| {
                let mut log = Vec::new();
                let mut chance = Chance::at_ply(Seed::from_number(77), ply);
                state
                    .apply(ask.seat, action, &mut Cx::new(&mut chance, Some(&mut log)))
                    .unwrap();
                let heard: Vec<Event> = log
                    .into_iter()
                    .filter(|(audience, _)| audience.includes(Some(viewer)))
                    .map(|(_, event)| event)
                    .collect();
                (state, heard)
            };
            let (here, heard_here) = play(before);
            let (there, heard_there) = play(twin);
            let open = |event: &Event| {
                matches!(
                    event,
                    Event::Revealed { .. }
                        | Event::CardDrawn { .. }
                        | Event::HermitSeen { .. }
                        | Event::IdentityShown { .. }
                        | Event::Died { .. }
                        | Event::GameOver { .. }
                        | Event::Reshuffled { .. }
                        | Event::Damaged {
                            source: DamageSource::Hermit,
                            ..
                        }
                        | Event::Healed { .. }
                )
            };
            if heard_here.iter().chain(&heard_there).any(open) {
                continue;
            }
            let eyes = Viewer::Seat(viewer);
            assert_eq!(
                heard_here, heard_there,
                "{seats} seats, seed {seed}, ply {ply}: {action:?} of {:?}",
                ask.seat
            );
            if viewer != ask.seat && !matches!(action, Action::GiveHermit { .. }) {
                assert_eq!(
                    here.observe(eyes),
                    there.observe(eyes),
                    "{seats} seats, seed {seed}, ply {ply}: {action:?}"
                );
                compared += 1;
            }
        }
    }
    println!("{compared} twins compared");
    assert!(compared > 1000, "{compared} twins");
}

fn card_id(card: Card) -> String {
    let name = match card {
        Card::Equipment(card) => format!("{card:?}"),
        Card::SingleUse(card) => format!("{card:?}"),
    };
    let mut id = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !id.is_empty() {
            id.push('_');
        }
        id.extend(letter.to_lowercase());
    }
    id
}
