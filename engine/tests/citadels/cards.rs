//! The tables beside the code, and the numbers of actions.

use std::collections::BTreeSet;

use tavola_engine::games::citadels::setup::{Step, setup};
use tavola_engine::games::citadels::{Action, Cards, Character, Citadels, Color, District};
use tavola_engine::{ActionId, Game};

#[test]
fn eighty_cards_in_the_order_of_the_enum() {
    let mut base = [0; Color::ALL.len()];
    let (mut base_costs, mut bonus_costs, mut bonus) = (0, 0, 0);
    let mut names = BTreeSet::new();
    for district in District::ALL {
        let card = district.card();
        assert_eq!(card.id, district);
        assert_eq!(District::from_index(district.index()), Some(district));
        assert!(
            names.insert(card.name_en.clone()) && names.insert(card.name_es.clone())
                || district == District::Hospital
        );
        assert!((1..=6).contains(&card.cost) && card.count <= 5);
        let dear = matches!(district, District::University | District::DragonGate);
        assert_eq!(card.points, if dear { 8 } else { card.cost });
        if district.is_bonus() {
            assert_eq!((card.color, card.count), (Color::Purple, 1));
            bonus += card.count;
            bonus_costs += u32::from(card.cost);
        } else {
            base[card.color as usize] += card.count;
            base_costs += u32::from(card.cost * card.count);
        }
    }
    assert_eq!(District::from_index(42), None);
    // Section 3: yellow 12, blue 11, green 20, red 11, purple 12.
    assert_eq!(base, [12, 11, 20, 11, 12]);
    assert_eq!((base.iter().sum::<u8>(), bonus), (66, 14));
    assert_eq!((base_costs, bonus_costs), (210, 69));
}

#[test]
fn eighteen_characters_in_the_order_of_the_enum() {
    for character in Character::ALL {
        let card = character.card();
        assert_eq!(card.id, character);
        assert_eq!(Character::from_index(character.index()), Some(character));
        assert_eq!(character.rank().0, card.rank);
        assert_eq!(card.never_face_up, card.rank == 4);
        if let Some(base) = card.replaces {
            assert!(character.is_bonus() && !base.is_bonus());
            assert_eq!(base.rank(), character.rank());
        } else {
            assert_eq!(character.is_bonus(), card.rank == 9);
        }
    }
    assert_eq!(Character::from_index(18), None);
    let bonus = Character::ALL
        .iter()
        .filter(|character| character.is_bonus());
    assert_eq!(bonus.count(), 10);
}

#[test]
fn every_draft_deals_out_every_card() {
    let drafts = &setup().draft;
    let tables: BTreeSet<_> = drafts
        .iter()
        .map(|draft| (draft.players, draft.characters))
        .collect();
    assert_eq!((tables.len(), drafts.len()), (12, 12));
    for draft in drafts {
        // Each step takes one card of those that are passed; the last picker may look at one that isn't.
        let passed = draft.characters - 1 - draft.face_up;
        assert_eq!(
            usize::from(passed) + usize::from(draft.last_takes_face_down),
            draft.steps.len()
        );
        let mut seen = Vec::new();
        let mut left = passed;
        for (at, step) in draft.steps.iter().enumerate() {
            if let Step::Pick(player) = *step {
                assert!(player < draft.players);
                let looks_below = draft.last_takes_face_down && at + 2 == draft.steps.len();
                seen.push(left + u8::from(looks_below));
            }
            left = left.saturating_sub(1);
        }
        assert_eq!(seen, draft.seen);
        assert_eq!(
            seen.len(),
            usize::from(draft.players * draft.picks_per_player)
        );
        assert_eq!(draft.steps.last(), Some(&Step::RestFaceDown));
    }
}

#[test]
fn a_multiset_counts_and_lists() {
    let mut cards: Cards = [
        District::BallRoom,
        District::Manor,
        District::Tavern,
        District::Manor,
    ]
    .into_iter()
    .collect();
    assert_eq!((cards.len(), cards.count(District::Manor)), (4, 2));
    assert_eq!(
        cards.iter().collect::<Vec<_>>(),
        [
            District::Manor,
            District::Manor,
            District::Tavern,
            District::BallRoom
        ]
    );
    assert_eq!(cards.kinds().count(), 3);
    assert!(cards.remove(District::Manor) && !cards.remove(District::Docks));
    let rest: Cards = [District::Manor, District::Manor].into_iter().collect();
    assert!(!cards.includes(rest));
    assert_eq!(
        cards.common(rest).iter().collect::<Vec<_>>(),
        [District::Manor]
    );
    assert_eq!(rest.minus(cards).len(), 1);
    for _ in 0..4 {
        cards.add(District::Tavern);
    }
    assert_eq!((cards.len(), cards.count(District::Tavern)), (7, 5));
}

/// Name, first id and number of ids of each kind of action. A changed line is a broken replay.
const BLOCKS: &str = include_str!("action_ids.txt");

#[test]
fn action_ids_are_for_ever() {
    let name = |action: Action| {
        let text = format!("{action:?}");
        text.split([' ', '{']).next().map(str::to_owned).unwrap()
    };
    let mut blocks = String::new();
    let mut first = 0;
    let all: Vec<_> = (0..Citadels::ACTION_SPACE)
        .map(|id| Citadels::decode(ActionId(id)).unwrap())
        .collect();
    assert!(all.is_sorted());
    for block in all.chunk_by(|one, other| name(*one) == name(*other)) {
        blocks += &format!("{} {first} {}\n", name(block[0]), block.len());
        first += block.len();
    }
    assert_eq!(blocks, BLOCKS);
    assert_eq!(Citadels::decode(ActionId(Citadels::ACTION_SPACE)), None);
    // Within a block: the number of the character, card, district or player; of a player's district, player, district, beautified.
    let last = Action::WarlordDestroy {
        player: tavola_engine::Seat(7),
        site: crate::given::beautified(District::BallRoom),
    };
    let start = all
        .iter()
        .position(|action| matches!(action, Action::WarlordDestroy { .. }))
        .unwrap();
    assert_eq!(Citadels::encode(last).0 as usize, start + 8 * 84 - 1);
}
