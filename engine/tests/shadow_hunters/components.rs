//! The data files, against the counts and tables of section 3.

use std::collections::BTreeSet;

use tavola_engine::games::shadow_hunters::tables::{HermitEffect, TABLES};
use tavola_engine::games::shadow_hunters::{
    Action, Area, Card, Character, CharacterSet, Color, Equipment, Faction, HermitCard, Options,
    ShadowHunters, SingleUse, Slot,
};
use tavola_engine::{ActionId, Game};

#[test]
fn every_character_is_in_its_place() {
    let expected = "hunter emi 10 ellen 10 franklin 12 fu_ka 12 george 14 gregor 14 \
                    shadow unknown 11 ultra_soul 11 vampire 13 valkyrie 13 werewolf 14 wight 14 \
                    neutral allie 8 agnes 8 bob 10 bryan 10 charles 11 catherine 11 daniel 13 david 13";
    let mut faction = Faction::Hunter;
    let mut seen = Vec::new();
    let mut words = expected.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "hunter" => faction = Faction::Hunter,
            "shadow" => faction = Faction::Shadow,
            "neutral" => faction = Faction::Neutral,
            id => {
                let character: Character = id.parse().unwrap();
                let hp: u8 = words.next().unwrap().parse().unwrap();
                assert_eq!((character.faction(), character.hp()), (faction, hp), "{id}");
                seen.push(character);
            }
        }
    }
    seen.sort_unstable();
    let mut all = Character::ALL;
    all.sort_unstable();
    assert_eq!(seen, all);
}

#[test]
fn each_list_has_one_row_for_each_variant() {
    assert!(
        TABLES
            .characters
            .iter()
            .map(|row| row.id)
            .eq(Character::ALL)
    );
    let cards = Equipment::ALL
        .map(Card::Equipment)
        .into_iter()
        .chain(SingleUse::ALL.map(Card::SingleUse));
    assert!(TABLES.cards.iter().map(|row| row.id).eq(cards));
    assert!(TABLES.hermit.iter().map(|row| row.id).eq(HermitCard::ALL));
    assert!(TABLES.areas.iter().map(|row| row.id).eq(Area::ALL));
}

#[test]
fn the_sets_and_initials_pair_up() {
    for character in Character::ALL {
        let facts = character.facts();
        let twins: Vec<Character> = Character::ALL
            .into_iter()
            .filter(|other| other.facts().initial == facts.initial && *other != character)
            .collect();
        let [twin] = twins[..] else {
            panic!("{character:?}: {twins:?}")
        };
        assert_ne!(twin.facts().set, facts.set);
        assert_eq!(twin.faction(), character.faction());
        assert!(facts.name.starts_with(facts.initial));
    }
    let base = Character::ALL
        .iter()
        .filter(|character| character.facts().set == CharacterSet::Base);
    assert_eq!(base.count(), 10);
}

#[test]
fn the_decks_have_sixteen_cards_each() {
    for (deck, color, distinct) in [
        (&TABLES.white_deck, Color::White, 15),
        (&TABLES.black_deck, Color::Black, 13),
    ] {
        assert_eq!(deck.len(), 16);
        assert!(deck.iter().all(|card| card.color() == color));
        assert_eq!(
            deck.iter()
                .filter(|card| card.equipment().is_some())
                .count(),
            6
        );
        assert_eq!(deck.iter().collect::<BTreeSet<_>>().len(), distinct);
    }
    assert_eq!(TABLES.hermit_deck.len(), 16);
    assert_eq!(TABLES.hermit_deck.iter().collect::<BTreeSet<_>>().len(), 12);
}

#[test]
fn every_total_leads_to_one_area_but_seven() {
    let numbers: Vec<u8> = Area::ALL
        .iter()
        .flat_map(|area| area.facts().numbers.clone())
        .collect();
    assert_eq!(numbers, [2, 3, 4, 5, 6, 8, 9, 10]);
    for total in 2..=10 {
        assert_eq!(Area::of_total(total).is_none(), total == 7);
    }
}

#[test]
fn the_slots_form_a_ring_of_three_pairs() {
    let slots: Vec<Slot> = Slot::all().collect();
    for &slot in &slots {
        let partners = slots
            .iter()
            .filter(|&&other| other != slot && other.same_pair(slot))
            .count();
        assert_eq!(partners, 1);
        for neighbor in slot.adjacent() {
            assert!(neighbor.adjacent().contains(&slot));
        }
        assert_eq!(
            slot.adjacent()
                .iter()
                .filter(|neighbor| neighbor.same_pair(slot))
                .count(),
            1
        );
    }
}

/// Section 9.2, read by hand: H, S and N for the factions, L and M for at most 11 and at least 12
/// hit points, `*` for all.
#[test]
fn each_hermit_card_concerns_whom_the_page_says() {
    let rows = [
        (HermitCard::Aid, "H", HermitEffect::HealOrDamage, 1),
        (HermitCard::Huddle, "S", HermitEffect::HealOrDamage, 1),
        (HermitCard::Nurturance, "N", HermitEffect::HealOrDamage, 1),
        (
            HermitCard::Anger,
            "HS",
            HermitEffect::GiveEquipmentOrDamage,
            1,
        ),
        (
            HermitCard::Blackmail,
            "HN",
            HermitEffect::GiveEquipmentOrDamage,
            1,
        ),
        (
            HermitCard::Greed,
            "SN",
            HermitEffect::GiveEquipmentOrDamage,
            1,
        ),
        (HermitCard::Slap, "H", HermitEffect::Damage, 1),
        (HermitCard::Spell, "S", HermitEffect::Damage, 1),
        (HermitCard::Exorcism, "S", HermitEffect::Damage, 2),
        (HermitCard::Bully, "L", HermitEffect::Damage, 1),
        (HermitCard::ToughLesson, "M", HermitEffect::Damage, 2),
        (HermitCard::Prediction, "*", HermitEffect::ShowIdentity, 0),
    ];
    assert_eq!(rows.map(|(card, ..)| card), HermitCard::ALL);
    for (card, whom, effect, amount) in rows {
        let facts = card.facts();
        assert_eq!((facts.effect, facts.amount), (effect, amount), "{card:?}");
        for character in Character::ALL {
            let faction = match character.faction() {
                Faction::Hunter => 'H',
                Faction::Shadow => 'S',
                Faction::Neutral => 'N',
            };
            let size = if character.hp() <= 11 { 'L' } else { 'M' };
            let holds = whom.contains(['*', faction, size]);
            assert_eq!(
                facts.condition.holds_for(character),
                holds,
                "{card:?}, {character:?}"
            );
        }
    }
}

/// The ids that the contract names, and all others in `golden/action_ids.txt`: a difference but at
/// its end is a broken replay.
#[test]
fn every_action_id_is_where_it_has_always_been() {
    let action = |id| ShadowHunters::decode(ActionId(id)).unwrap();
    let table: String = (0..ShadowHunters::ACTION_SPACE)
        .map(|id| format!("{id} {:?}: {}\n", action(id), action(id)))
        .collect();
    crate::golden::compare("action_ids.txt", &table);
    let mut labels = BTreeSet::new();
    for id in 0..ShadowHunters::ACTION_SPACE {
        assert_eq!(ShadowHunters::encode(action(id)), ActionId(id));
        assert!(labels.insert(action(id).to_string()), "{id} is said twice");
    }
    let beyond = ActionId(ShadowHunters::ACTION_SPACE);
    assert_eq!(ShadowHunters::decode(beyond), None);
}

#[test]
fn options_that_are_not_legal_are_named() {
    use tavola_engine::{Playthrough, Seed};
    let start = |options: Options, seats| {
        Playthrough::<ShadowHunters>::start(options, seats, Seed::from_number(1), None)
    };
    let refused = |options: Options, seats| start(options, seats).unwrap_err();
    for seats in [0, 3, 9, 255] {
        assert_eq!(refused(Options::default(), seats).field, "seats");
    }
    let opening = Options {
        opening_hermit: true,
        ..Options::default()
    };
    for seats in [4, 5] {
        let error = refused(opening, seats);
        assert_eq!(
            (error.field, error.allowed.contains("false")),
            ("opening_hermit", true)
        );
    }
    for seats in [6, 7, 8] {
        assert!(start(opening, seats).is_ok());
    }
    for turn_limit in [0, 9, 1001] {
        let error = refused(
            Options {
                turn_limit,
                ..Options::default()
            },
            5,
        );
        assert_eq!((error.field, &*error.allowed), ("turn_limit", "10 to 1000"));
    }
    let text = serde_json::to_string(&opening).unwrap();
    assert_eq!(serde_json::from_str::<Options>(&text).unwrap(), opening);
    assert!(serde_json::from_str::<Options>(r#"{"players": 4}"#).is_err());
}

/// 7.1: Banana Peel of an owner of all twelve equipment cards, with seven others.
#[test]
fn the_longest_list_is_that_of_the_banana_peel() {
    use crate::scenario::given;
    use tavola_engine::games::shadow_hunters::{Deck, Step};
    let all = "mystic_compass, talisman, fortune_brooch, silver_rosary, spear_of_longinus, holy_robe, \
               masamune, machine_gun, handgun, butcher_knife, chainsaw, rusted_broad_axe";
    let table = given(&format!("8: A emi @2 [{all}]").replace(", ", ","))
        .at(Step::Area)
        .next("banana_peel")
        .start()
        .now('A', Action::Draw { deck: Deck::Black });
    assert_eq!(table.legal().len(), ShadowHunters::INFO.legal_max as usize);
    let action = *table.legal().last().unwrap();
    let table = table.now('A', action);
    assert!(table.owns('H', "rusted_broad_axe"));
    assert_eq!(table.player('H').equipment.len(), 1);
}
