//! Golden scenarios G15 to G28: Hermit cards that A gives to B.

use tavola_engine::Game;
use tavola_engine::Viewer;
use tavola_engine::games::shadow_hunters::{
    Action, Character, Deck, Event, HermitAnswer, HermitCard, Question, ShadowHunters, Step,
};

use crate::scenario::{Given, Table, equipment, given, seat};

const NOTHING: Action = Action::AnswerNothing;
const TAKE: Action = Action::AnswerTakeDamage;
const HEAL: Action = Action::AnswerHeal;

/// B is described, and A gives B the card.
fn gives(card: HermitCard, b: &str) -> Table {
    give(card, given(&format!("A gregor @0 / B {b}")))
}

pub(crate) fn give(card: HermitCard, given: Given) -> Table {
    let table = given.at(Step::Area).hermit(card).start();
    table
        .now('A', Action::Draw { deck: Deck::Hermit })
        .now('A', Action::GiveHermit { player: seat('B') })
}

#[track_caller]
fn damage_after(table: Table, answer: Action) -> u8 {
    table.now('B', answer).damage('B')
}

#[test]
fn g15_aid_heals_a_hunter_or_damages_him() {
    let hurt = gives(HermitCard::Aid, "emi d3");
    assert_eq!(hurt.list(), [HEAL]);
    assert_eq!(damage_after(hurt, HEAL), 2);
    let unhurt = gives(HermitCard::Aid, "emi");
    assert_eq!(unhurt.list(), [TAKE]);
    assert_eq!(damage_after(unhurt, TAKE), 1);
    assert_eq!(gives(HermitCard::Aid, "vampire d3").list(), [NOTHING]);
}

#[test]
fn g16_unknown_may_deny_the_huddle() {
    let table = gives(HermitCard::Huddle, "unknown d2");
    assert_eq!(table.list(), [NOTHING, HEAL]);
    let table = table.now('B', NOTHING);
    assert_eq!((table.damage('B'), table.hidden('B')), (2, true));
}

#[test]
fn g17_nurturance_heals_a_neutral() {
    assert_eq!(
        damage_after(gives(HermitCard::Nurturance, "bob d1"), HEAL),
        0
    );
}

#[test]
fn g18_anger_takes_equipment_or_damages() {
    let give = Action::AnswerGive {
        card: equipment("talisman"),
    };
    let table = gives(HermitCard::Anger, "werewolf [talisman]");
    assert_eq!(table.list(), [TAKE, give]);
    assert_eq!(table.clone().now('B', TAKE).damage('B'), 1);
    let table = table.now('B', give);
    assert!(table.owns('A', "talisman") && !table.owns('B', "talisman"));
}

#[test]
fn g19_blackmail_without_equipment_is_damage() {
    let table = gives(HermitCard::Blackmail, "franklin");
    assert_eq!(table.list(), [TAKE]);
    assert_eq!(damage_after(table, TAKE), 1);
    assert_eq!(gives(HermitCard::Blackmail, "wight").list(), [NOTHING]);
}

#[test]
fn g20_allie_heals_before_she_answers() {
    let table = gives(HermitCard::Greed, "allie d7");
    assert_eq!(table.legal(), [Action::Reveal, Action::UseAbility, TAKE]);
    let healed = table.clone().now('B', Action::UseAbility);
    assert_eq!((healed.damage('B'), healed.hidden('B')), (0, false));
    assert_eq!(damage_after(healed, TAKE), 1);
    let dead = table.now('B', TAKE);
    assert_eq!((dead.damage('B'), dead.alive('B')), (8, false));
}

#[test]
fn g20_the_giver_is_the_killer() {
    let table = gives(HermitCard::Greed, "allie d7 [talisman]").now('B', TAKE);
    assert!(table.owns('A', "talisman"));
}

#[test]
fn g21_slap() {
    assert_eq!(damage_after(gives(HermitCard::Slap, "george"), TAKE), 1);
    assert_eq!(gives(HermitCard::Slap, "unknown").list(), [NOTHING, TAKE]);
}

#[test]
fn g22_unknown_may_deny_the_spell() {
    let table = gives(HermitCard::Spell, "unknown");
    assert_eq!(table.list(), [NOTHING, TAKE]);
    assert_eq!(damage_after(table, NOTHING), 0);
}

#[test]
fn g23_the_giver_loots_whom_the_exorcism_kills() {
    let table = gives(HermitCard::Exorcism, "werewolf d12 [chainsaw]").now('B', TAKE);
    assert_eq!((table.damage('B'), table.alive('B')), (14, false));
    assert!(table.owns('A', "chainsaw"));
    assert!(!table.over());
}

#[test]
fn g24_bully_looks_at_printed_hit_points() {
    assert_eq!(damage_after(gives(HermitCard::Bully, "emi"), TAKE), 1);
    assert_eq!(gives(HermitCard::Bully, "franklin d11").list(), [NOTHING]);
}

#[test]
fn g25_tough_lesson_looks_at_printed_hit_points() {
    assert_eq!(
        damage_after(gives(HermitCard::ToughLesson, "daniel"), TAKE),
        2
    );
    assert_eq!(gives(HermitCard::ToughLesson, "bob").list(), [NOTHING]);
}

#[test]
fn g26_prediction_shows_unknown_to_the_giver_alone() {
    let table = gives(HermitCard::Prediction, "unknown");
    assert_eq!(table.list(), [Action::AnswerShow]);
    let table = table.now('B', Action::AnswerShow);
    assert!(table.hidden('B'));
    let shown = Event::IdentityShown {
        seat: seat('B'),
        character: Character::Unknown,
    };
    let knows = |letter| {
        let own = table.state.seen(Viewer::Seat(seat(letter))).own.unwrap();
        let heard = table.heard(Some(seat(letter))).contains(&shown);
        assert_eq!(heard, own.identities[1].is_some());
        heard
    };
    assert_eq!(
        ['A', 'B', 'C', 'D', 'E'].map(knows),
        [true, false, false, false, false]
    );
    let answered = Event::HermitAnswered {
        giver: seat('A'),
        receiver: seat('B'),
        answer: HermitAnswer::Show,
    };
    assert!(table.told().contains(&answered));
}

#[test]
fn g27_without_abilities_unknown_answers_honestly() {
    let table = give(
        HermitCard::Spell,
        given("A gregor @0 / B unknown").options(|options| options.special_abilities = false),
    );
    assert_eq!(table.legal(), [Action::Reveal, TAKE]);
    assert_eq!(damage_after(table, TAKE), 1);
}

#[test]
fn g28_the_opening_card_goes_round_the_table() {
    let mut table = given("6: A emi / B franklin / C vampire / D bob / E allie / F unknown")
        .options(|options| options.opening_hermit = true)
        .turn(0)
        .active('C')
        .hermit(HermitCard::Exorcism)
        .start();
    for (letter, giver, answer) in [
        ('C', 'B', TAKE),
        ('D', 'C', NOTHING),
        ('E', 'D', NOTHING),
        ('F', 'E', NOTHING),
        ('A', 'F', NOTHING),
        ('B', 'A', NOTHING),
    ] {
        assert_eq!(
            table.asked(),
            Some((letter, Question::HermitRespond { giver: seat(giver) }))
        );
        table = table.now(letter, answer);
    }
    assert_eq!(
        ['A', 'B', 'C', 'D', 'E', 'F'].map(|letter| table.damage(letter)),
        [0, 0, 2, 0, 0, 0]
    );
    assert_eq!(table.public().hermit_discard, 1);
    assert_eq!(
        table.state.hermit_discard_pile().as_slice(),
        [HermitCard::Exorcism]
    );
    assert_eq!(table.asked(), Some(('C', Question::WindowStart)));
    assert_eq!((table.public().turn, table.public().active), (1, seat('C')));
    for letter in "ABCDEF".chars() {
        let own = ShadowHunters::private(&table.state, seat(letter)).unwrap();
        assert_eq!(own.memory.len(), 6, "at the end everybody has all of them");
        assert_eq!(own.hermit, None);
    }
}
