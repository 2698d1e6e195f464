//! Worlds that differ in what somebody may not know, and what is played in all of them alike. The
//! twins of the engine and those of the wire are both made of these.

use tavola_engine::games::shadow_hunters::tables::HermitEffect;
use tavola_engine::games::shadow_hunters::{
    Action, Card, Character, Color, Deck, Equipment, Faction, HermitCard, Question, SingleUse, Step,
};

use super::scenario::{Given, equipment, given, seat};

/// What somebody does.
pub(crate) type Deed = (char, Action);

/// Whether a question is of a kind.
pub(crate) type Kind = fn(Question) -> bool;

/// Worlds that only insiders can tell apart, as long as just this is played in them.
pub(crate) struct Twins {
    /// The same table each time, but for what the insiders know.
    pub(crate) worlds: Vec<Given>,
    /// The letters of those who may tell the worlds apart.
    pub(crate) insiders: &'static str,
    /// What the dice show in the deeds and after them.
    pub(crate) dice: Vec<u32>,
    /// What is done, in order. Whoever is asked in between does as little as he can.
    pub(crate) deeds: Vec<Deed>,
    /// The question that somebody is to be asked in the end.
    pub(crate) asked: Option<(char, Kind)>,
    /// Whether he answers it, with as little as he can.
    pub(crate) declines: bool,
}

impl Twins {
    /// The seat of this letter is one of these characters, and alone knows which.
    fn of_character(position: &Given, letter: &'static str, who: &[Character]) -> Self {
        let seat = letter.chars().next().unwrap();
        let world = |&character: &Character| position.clone().seated(seat, character);
        Self::of_worlds(who.iter().map(world).collect(), letter)
    }

    fn of_worlds(worlds: Vec<Given>, insiders: &'static str) -> Self {
        Self {
            worlds,
            insiders,
            dice: Vec::new(),
            deeds: Vec::new(),
            asked: None,
            declines: false,
        }
    }

    fn dice(mut self, dice: &[u32]) -> Self {
        self.dice = dice.to_vec();
        self
    }

    fn does(mut self, deeds: &[Deed]) -> Self {
        self.deeds = deeds.to_vec();
        self
    }

    fn asks(mut self, letter: char, question: Kind) -> Self {
        self.asked = Some((letter, question));
        self
    }

    fn who_declines(mut self) -> Self {
        self.declines = true;
        self
    }
}

/// Everybody who is not at the table of these worlds already.
fn strangers(fits: impl Fn(Character) -> bool) -> Vec<Character> {
    use Character::{Bryan, Ellen, Emi, Gregor, UltraSoul, Unknown};
    Character::ALL
        .into_iter()
        .filter(|character| {
            ![Emi, Ellen, Gregor, Unknown, UltraSoul, Bryan].contains(character) && fits(*character)
        })
        .collect()
}

fn anybody() -> Vec<Character> {
    strangers(|_| true)
}

/// A table for seven: five are who they are, and one of A and B is a stranger.
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

/// B, then A, might reveal or use an ability before the movement, and passes.
pub(crate) fn start_window() -> Vec<Twins> {
    let of_another = seven("gregor", "wight")
        .at(Step::StartWindow)
        .discarded("chainsaw");
    let of_his_own = of_another.clone().active('B');
    [of_another, of_his_own]
        .map(|position| {
            Twins::of_character(&position, "B", &anybody()).does(&[('B', Action::Pass)])
        })
        .into()
}

/// B is attacked, or attacks, and does nothing about it before the dice.
pub(crate) fn attack_window() -> Vec<Twins> {
    let position = seven("gregor @0", "wight @1")
        .at(Step::Attack)
        .discarded("chainsaw");
    let target = Twins::of_character(&position, "B", &anybody())
        .does(&[('A', attacks('B')), ('B', Action::Pass)]);
    let attacker = Twins::of_character(&position.active('B'), "B", &anybody())
        .does(&[('B', attacks('A')), ('B', Action::Pass)]);
    vec![target, attacker]
}

/// A might be Gregor or Wight at the end of his turn.
pub(crate) fn end_window() -> Vec<Twins> {
    let quiet = seven("wight @0", "gregor").at(Step::EndWindow);
    // With a dead character Wight has something to use as well.
    let dead = given(
        "7: A wight @0 / B gregor / C emi dead / D unknown / E ellen / F ultra_soul / G bryan",
    )
    .at(Step::EndWindow);
    [quiet, dead]
        .map(|position| {
            Twins::of_character(&position, "A", &anybody()).does(&[('A', Action::Pass)])
        })
        .into()
}

/// A might be Emi and teleport.
pub(crate) fn move_choice() -> Vec<Twins> {
    use Character::{Bob, Daniel, Emi, Vampire};
    let position =
        given("7: A gregor @0 / B wight / C george / D unknown / E ellen / F ultra_soul / G bryan")
            .at(Step::Movement);
    let twins = Twins::of_character(&position, "A", &[Emi, Vampire, Bob, Daniel]);
    vec![twins.dice(&[5, 4]).does(&[('A', Action::RollMove)])]
}

/// A uses his area, or leaves it unused.
pub(crate) fn area_choice() -> Vec<Twins> {
    let woods = seven("wight @3", "gregor").at(Step::Area);
    let altar = seven("wight @5", "gregor [chainsaw, handgun]").at(Step::Area);
    let damage = Action::WoodsDamage { player: seat('B') };
    let heal = Action::WoodsHeal { player: seat('A') };
    let steal = Action::Steal {
        player: seat('B'),
        card: equipment("handgun"),
    };
    [
        (&woods, damage),
        (&woods, heal),
        (&woods, Action::SkipArea),
        (&altar, steal),
        (&altar, Action::SkipArea),
    ]
    .map(|(position, action)| Twins::of_character(position, "A", &anybody()).does(&[('A', action)]))
    .into()
}

/// A attacks, has to, or doesn't.
pub(crate) fn attack_choice() -> Vec<Twins> {
    let forced = seven("wight @0 [masamune]", "gregor @1").at(Step::Attack);
    let free = seven("wight @0", "gregor @1").at(Step::Attack);
    let pass = [('A', Action::Pass), ('B', Action::Pass)];
    let attack = [&[('A', attacks('B'))][..], &pass].concat();
    let by = |position: &Given| Twins::of_character(position, "A", &anybody());
    vec![
        by(&forced).does(&attack),
        by(&free).does(&attack),
        by(&free).does(&[('A', Action::DeclineAttack)]),
    ]
}

/// A attacks B, is asked something that only some character could use, and doesn't.
fn declined_by_attacker(position: &Given, who: &[Character], question: Kind) -> Vec<Twins> {
    let twins = Twins::of_character(&position.clone().at(Step::Attack), "A", who);
    let twins = twins.dice(&[5, 2]).does(&[('A', attacks('B'))]);
    vec![twins.asks('A', question).who_declines()]
}

/// A owns the Spear and might be a Hunter.
pub(crate) fn spear_reveal() -> Vec<Twins> {
    let position = seven("wight @0 [spear_of_longinus]", "gregor @1");
    declined_by_attacker(&position, &anybody(), |question| {
        matches!(question, Question::SpearReveal { .. })
    })
}

/// A might be Bob at a table for six.
pub(crate) fn rob() -> Vec<Twins> {
    use Character::{Bob, Daniel, Franklin, Vampire};
    let position = given(
        "6: A wight @0 / B gregor @1 [chainsaw, handgun] / C emi / D unknown / E ellen / F bryan",
    );
    declined_by_attacker(&position, &[Bob, Vampire, Franklin, Daniel], |question| {
        matches!(question, Question::Rob { .. })
    })
}

/// A might be the Vampire.
pub(crate) fn suck_blood() -> Vec<Twins> {
    let position = seven("wight d4 @0", "gregor @1");
    declined_by_attacker(&position, &anybody(), |question| {
        matches!(question, Question::SuckBlood { .. })
    })
}

/// While A might be the Vampire, nobody has died yet: whether B will, only he knows.
pub(crate) fn who_is_about_to_die() -> Vec<Twins> {
    let position = seven("gregor d4 @0", "wight d9 @1").at(Step::Attack);
    let who = strangers(|character| character.hp() > 9);
    let twins = Twins::of_character(&position, "B", &who).dice(&[5, 2]);
    let attacked = twins.does(&[('A', attacks('B'))]);
    vec![attacked.asks('A', |question| {
        matches!(question, Question::SuckBlood { .. })
    })]
}

/// A has killed B and might be Bob at a table for seven.
pub(crate) fn take_all() -> Vec<Twins> {
    use Character::{Bob, Catherine, Franklin, Vampire};
    let position = given(
        "7: A wight @0 / B gregor d13 @1 [chainsaw, handgun] / C emi / D unknown / E ellen / F ultra_soul / G allie",
    );
    let who = [Bob, Vampire, Franklin, Catherine];
    declined_by_attacker(&position, &who, |question| {
        matches!(question, Question::TakeAll { .. })
    })
}

/// B might be the Werewolf, whether he was hit or missed.
pub(crate) fn counterattack() -> Vec<Twins> {
    let position = seven("gregor @0", "wight @1").at(Step::Attack);
    [[5, 2], [2, 2]]
        .map(|dice| {
            Twins::of_character(&position, "B", &anybody())
                .dice(&dice)
                .does(&[('A', attacks('B'))])
                .asks('B', |question| {
                    matches!(question, Question::Counterattack { .. })
                })
                .who_declines()
        })
        .into()
}

/// A might be Charles.
pub(crate) fn feast() -> Vec<Twins> {
    let position = seven("wight @0", "gregor @1");
    declined_by_attacker(&position, &anybody(), |question| {
        matches!(question, Question::Feast { .. })
    })
}

/// A draws each White and Black card and reveals nothing. One item for each card.
pub(crate) fn drawn_cards() -> Vec<Twins> {
    let equipment = Equipment::ALL.map(Card::Equipment);
    let single_use = SingleUse::ALL.map(Card::SingleUse);
    equipment.into_iter().chain(single_use).map(drawn).collect()
}

fn drawn(card: Card) -> Twins {
    let (place, deck) = match card.color() {
        Color::White => (1, Deck::White),
        Color::Black => (2, Deck::Black),
    };
    // B has equipment to take, but not the card that is drawn.
    let row = match card {
        Card::Equipment(Equipment::Talisman | Equipment::Chainsaw) => "[handgun]",
        _ => "[talisman, chainsaw]",
    };
    // Who plays a Banana Peel gives a card away.
    let own = match card {
        Card::SingleUse(SingleUse::BananaPeel) => "[holy_robe]",
        _ => "",
    };
    let position = seven(
        &format!("wight d1 @{place} {own}"),
        &format!("gregor {row}"),
    )
    .at(Step::Area)
    .next(&card_id(card));
    let who = strangers(|character| {
        card != Card::SingleUse(SingleUse::DisenchantMirror)
            || character.faction() != Faction::Shadow
    });
    let dice: &[u32] = match card {
        Card::SingleUse(SingleUse::Blessing | SingleUse::SpiritualDoll) => &[3],
        Card::SingleUse(SingleUse::Dynamite) => &[3, 1],
        _ => &[],
    };
    let then = match card {
        Card::SingleUse(card) => decides(card),
        Card::Equipment(_) => None,
    };
    let draw = Some(Action::Draw { deck });
    let deeds: Vec<Deed> = [draw, then]
        .into_iter()
        .flatten()
        .map(|action| ('A', action))
        .collect();
    Twins::of_character(&position, "A", &who)
        .dice(dice)
        .does(&deeds)
}

/// What A does with the card, if it asks him.
fn decides(card: SingleUse) -> Option<Action> {
    match card {
        SingleUse::Blessing
        | SingleUse::FirstAid
        | SingleUse::VampireBat
        | SingleUse::BloodthirstySpider
        | SingleUse::SpiritualDoll => Some(Action::CardTarget { player: seat('B') }),
        SingleUse::Advent | SingleUse::Chocolate | SingleUse::DiabolicRitual => Some(Action::Pass),
        SingleUse::MoodyGoblin => Some(Action::Steal {
            player: seat('B'),
            card: equipment("chainsaw"),
        }),
        SingleUse::BananaPeel => Some(Action::GiveCard {
            card: equipment("holy_robe"),
            player: seat('C'),
        }),
        SingleUse::DisenchantMirror
        | SingleUse::ConcealedKnowledge
        | SingleUse::GuardianAngel
        | SingleUse::FlareOfJudgement
        | SingleUse::HolyWaterOfHealing
        | SingleUse::Dynamite => None,
    }
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

const DRAW_HERMIT: Deed = ('A', Action::Draw { deck: Deck::Hermit });

/// A draws a Hermit card, gives it to B, and B answers.
fn given_to_b(answer: Action) -> [Deed; 3] {
    let give = Action::GiveHermit { player: seat('B') };
    [DRAW_HERMIT, ('A', give), ('B', answer)]
}

fn answers() -> [Action; 5] {
    let card = equipment("chainsaw");
    [
        Action::AnswerNothing,
        Action::AnswerTakeDamage,
        Action::AnswerHeal,
        Action::AnswerGive { card },
        Action::AnswerShow,
    ]
}

fn answered_by_b(card: HermitCard, b: Character) -> Given {
    seven("gregor @0", "wight d1 [chainsaw]")
        .seated('B', b)
        .at(Step::Area)
        .hermit(card)
}

/// Who answers each Hermit card alike looks alike, to the giver too; but to the giver of Prediction
/// he is shown. One item for each card and each of its answers.
pub(crate) fn hermit_answers() -> Vec<Twins> {
    let mut all = Vec::new();
    for card in HermitCard::ALL {
        for answer in answers() {
            let deeds = given_to_b(answer);
            let can = |b: &Character| {
                let table = answered_by_b(card, *b).start();
                let table = deeds[..2]
                    .iter()
                    .fold(table, |table, &(who, action)| table.does(who, action));
                table.legal().contains(&answer)
            };
            let who: Vec<Character> = anybody().into_iter().filter(can).collect();
            if who.len() < 2 {
                continue;
            }
            let insiders = match answer {
                Action::AnswerShow => "BA",
                _ => "B",
            };
            let worlds = who.iter().map(|&b| answered_by_b(card, b)).collect();
            all.push(Twins::of_worlds(worlds, insiders).does(&deeds));
        }
    }
    all
}

/// Which card it was that B, who can lie, answered so: that stays between A and him.
pub(crate) fn hermit_cards() -> Vec<Twins> {
    use HermitEffect::{Damage, GiveEquipmentOrDamage, HealOrDamage};

    let alike = |deeds: &[Deed], insiders, fits: &dyn Fn(HermitEffect, u8) -> bool| {
        let cards = HermitCard::ALL.into_iter().filter(|card| {
            let facts = card.facts();
            fits(facts.effect, facts.amount)
        });
        let world = |card| {
            let b = "B unknown d1 [chainsaw]";
            given(&format!(
                "7: A gregor @0 / {b} / C emi / D wight / E ellen / F ultra_soul / G bryan"
            ))
            .at(Step::Area)
            .hermit(card)
        };
        Twins::of_worlds(cards.map(world).collect(), insiders).does(deeds)
    };
    let [nothing, damage, heal, give, _] = answers().map(given_to_b);
    let is_damage = |effect| matches!(effect, Damage | GiveEquipmentOrDamage);
    vec![
        // Until it is given, A alone knows it.
        alike(&[DRAW_HERMIT], "A", &|_, _| true),
        alike(&nothing, "AB", &|effect, _| {
            effect != HermitEffect::ShowIdentity
        }),
        alike(&damage, "AB", &|effect, amount| {
            is_damage(effect) && amount == 1
        }),
        alike(&damage, "AB", &|effect, amount| {
            is_damage(effect) && amount == 2
        }),
        alike(&heal, "AB", &|effect, _| effect == HealOrDamage),
        alike(&give, "AB", &|effect, _| effect == GiveEquipmentOrDamage),
    ]
}

/// The card of the opening is not known to those whom it hasn't reached, and a character not by
/// that it does nothing to him.
pub(crate) fn opening() -> Vec<Twins> {
    let six = |card| {
        given("6: A gregor / B wight / C emi / D unknown / E ellen / F bryan")
            .options(|options| options.opening_hermit = true)
            .turn(0)
            .hermit(card)
    };
    let nothing = |letter| (letter, Action::AnswerNothing);
    let concerns = |card: HermitCard, who| card.facts().condition.holds_for(who);
    let who = strangers(|character| !concerns(HermitCard::Exorcism, character));
    let character = Twins::of_character(&six(HermitCard::Exorcism), "B", &who);
    let cards = HermitCard::ALL
        .into_iter()
        .filter(|&card| !concerns(card, Character::Gregor));
    let card = Twins::of_worlds(cards.map(six).collect(), "AB");
    vec![
        character.does(&[nothing('A'), nothing('B')]),
        card.does(&[nothing('A')]),
    ]
}

/// Nobody knows what lies on top of a deck.
pub(crate) fn decks() -> Vec<Twins> {
    let tops = [
        ("advent chainsaw", HermitCard::Slap),
        ("talisman dynamite", HermitCard::Bully),
        ("holy_robe vampire_bat", HermitCard::Prediction),
    ];
    let worlds = tops.map(|(cards, hermit)| {
        seven("wight @4", "gregor")
            .at(Step::StartWindow)
            .next(cards)
            .hermit(hermit)
    });
    let skips = worlds.clone().map(|world| world.at(Step::Area));
    vec![
        Twins::of_worlds(worlds.into(), "").does(&[('C', Action::Pass)]),
        Twins::of_worlds(skips.into(), "").does(&[('A', Action::SkipArea)]),
    ]
}
