//! What a seat doesn't see it isn't told (section 9): worlds that look alike, in every phase.

use std::collections::{BTreeMap, BTreeSet};

use tavola_engine::games::citadels::{
    Action, Character, Character::*, Citadels, Decision, District, District::*, Event, FirstCrown,
    Options, Rank, Ranks,
};
use tavola_engine::{ActionId, Audience, Chance, Cx, Game, Seat, Seed, Viewer};

use crate::given::{Given, Table};

fn chance(seed: u64) -> Chance {
    Chance::at_ply(Seed::from_number(seed), 0)
}

/// Everything that is shown to a viewer: observation, decision, list, labels, and the answer to every action id of a sample.
fn shown(
    table: &Citadels,
    viewer: Viewer,
    step: usize,
) -> impl PartialEq + std::fmt::Debug + use<> {
    let seen = table.seen(viewer);
    let legal = Citadels::legal_actions(seen);
    let labels: Vec<_> = legal
        .iter()
        .map(|&action| {
            let mut label = String::new();
            Citadels::label(seen, action, &mut label);
            label
        })
        .collect();
    let answers: Vec<_> = (0..Citadels::ACTION_SPACE)
        .step_by(step)
        .filter_map(|id| Citadels::decode(ActionId(id)))
        .map(|action| match viewer {
            Viewer::Seat(seat) => table.check(seat, action),
            Viewer::Spectator => Ok(()),
        })
        .collect();
    (
        table.observe(viewer),
        Citadels::decision(seen),
        legal,
        labels,
        answers,
    )
}

/// Plays at random; at every ply each viewer's world is exchanged for another that fits, and nothing that he is shown changes: not now, and not
/// in what he hears of an action that is possible in both, as long as he sees the same afterwards.
fn twins(
    options: &Options,
    seats: u8,
    games: std::ops::Range<u64>,
    met: &mut BTreeMap<String, u32>,
) {
    for seed in games {
        let mut dice = chance(seed);
        let mut table = Citadels::new(options, seats, &mut Cx::new(&mut dice, None)).unwrap();
        while let Some(seat) = table.public().decider() {
            let legal = Citadels::legal_actions(table.seen(Viewer::Seat(seat)));
            let action = legal[dice.below(legal.len() as u32) as usize];
            let decision = Citadels::decision(table.seen(Viewer::Seat(seat))).unwrap();
            let mut next = table.clone();
            let mut events = Vec::new();
            let ply = dice.below(1 << 30).into();
            next.apply_unchecked(
                seat,
                action,
                &mut Cx::new(&mut chance(ply), Some(&mut events)),
            );
            let viewers = (0..seats).map(|seat| Viewer::Seat(Seat(seat)));
            for viewer in viewers.chain([Viewer::Spectator]) {
                let twin = Citadels::determinize(table.seen(viewer), &mut dice);
                twin.check_sound().unwrap();
                let other = twin != table;
                assert_eq!(shown(&twin, viewer, 97), shown(&table, viewer, 97));
                if viewer != Viewer::Seat(seat) && other {
                    *met.entry(format!("{decision:?}")).or_default() += 1;
                }
                if twin.check(seat, action).is_err() {
                    continue;
                }
                let mut twin_next = twin;
                let mut twin_events = Vec::new();
                let mut same_chance = chance(ply);
                let cx = &mut Cx::new(&mut same_chance, Some(&mut twin_events));
                twin_next.apply_unchecked(seat, action, cx);
                if twin_next.observe(viewer) == next.observe(viewer) {
                    assert_eq!(
                        heard(&twin_events, viewer),
                        heard(&events, viewer),
                        "{action:?}"
                    );
                }
            }
            table = next;
        }
    }
}

fn heard(events: &[(Audience, Event)], viewer: Viewer) -> Vec<&Event> {
    let seat = match viewer {
        Viewer::Seat(seat) => Some(seat),
        Viewer::Spectator => None,
    };
    events
        .iter()
        .filter(|(audience, _)| audience.includes(seat))
        .map(|(_, event)| event)
        .collect()
}

#[test]
fn worlds_that_look_alike_in_every_phase() {
    let districts: Vec<_> = District::ALL
        .into_iter()
        .filter(|district| district.is_bonus())
        .collect();
    let options = |characters: &[Character]| Options {
        bonus_characters: characters.to_vec(),
        allow_many_bonus: true,
        bonus_districts: districts.clone(),
        ..Options::default()
    };
    let mut met = BTreeMap::new();
    twins(&options(&[]), 2, 0..4, &mut met);
    twins(
        &options(&[Wizard, Emperor, Navigator, Diplomat, Artist]),
        4,
        10..16,
        &mut met,
    );
    twins(&options(&[Witch, Queen]), 5, 20..23, &mut met);
    twins(&options(&[]), 7, 30..32, &mut met);
    twins(&options(&[Artist]), 8, 40..42, &mut met);
    // Decisions of others that were met in a world other than the true one.
    let windows = [
        tavola_engine::games::citadels::Window::Pre,
        tavola_engine::games::citadels::Window::Post,
        tavola_engine::games::citadels::Window::Last,
    ];
    let mut decisions = vec![
        Decision::PickCharacter,
        Decision::DiscardCharacter,
        Decision::Hospital,
        Decision::Thanks,
        Decision::GiveCrown,
        Decision::PayEmperor,
        Decision::KeepCard,
        Decision::Navigator,
        Decision::Bewitch,
        Decision::MarkCard,
        Decision::WizardTake,
        Decision::WizardBuild,
        Decision::Lighthouse,
        Decision::BellTower,
        Decision::Graveyard,
        Decision::DiplomatGive,
    ];
    decisions.extend(windows.map(Decision::Menu));
    for decision in decisions {
        assert!(
            met.contains_key(&format!("{decision:?}")),
            "{decision:?} was never met"
        );
    }
}

/// The characters of a world: the first face-down card, then what each seat holds.
fn roles(table: &Citadels) -> (Option<Rank>, Vec<Ranks>) {
    let (public, private, hidden) = table.parts();
    let held = public
        .seated()
        .map(|seat| private[seat].draft.held())
        .collect();
    (hidden.face_down, held)
}

#[test]
fn every_draft_that_fits_comes_up_and_no_other() {
    // Four players: the third picker saw three cards; two were picked before, one lies face down.
    let options = Options {
        first_crown: FirstCrown::Seat(Seat(0)),
        ..Options::default()
    };
    let mut script = vec![0; 65];
    // Face down the Assassin; face up Thief and Magician; King, Bishop, Merchant, Architect, Warlord are passed.
    script.extend([0, 0, 0]);
    let mut table = Table::new(&options, 4, &script);
    for (seat, character) in [(0, King), (1, Bishop)] {
        table.act(seat, Action::PickCharacter { character });
    }
    let seen = table.game.private(Seat(2)).unwrap().draft.seen[0];
    assert_eq!(seen, [Rank(6), Rank(7), Rank(8)].into_iter().collect());
    let worlds = |viewer| {
        (0..600)
            .map(|seed| {
                roles(&Citadels::determinize(
                    table.game.seen(viewer),
                    &mut chance(seed),
                ))
            })
            .map(|(face_down, held)| {
                (
                    face_down,
                    held.iter().map(|held| held.bits()).collect::<Vec<_>>(),
                )
            })
            .collect::<BTreeSet<_>>()
    };
    // Assassin, King and Bishop in any order on three places.
    assert_eq!(worlds(Viewer::Seat(Seat(2))).len(), 6);
    // The first picker knows the face-down card; the second took one of four.
    assert_eq!(worlds(Viewer::Seat(Seat(0))).len(), 4);
    // The second picker saw four of six: the face-down card and the first pick are two ways.
    assert_eq!(worlds(Viewer::Seat(Seat(1))).len(), 2);
    // A spectator: one of six face down, then one of five, then one of four.
    assert_eq!(worlds(Viewer::Spectator).len(), 6 * 5 * 4);
}

#[test]
fn a_card_that_went_back_is_not_face_down() {
    let options = Options {
        first_crown: FirstCrown::Seat(Seat(0)),
        ..Options::default()
    };
    let mut script = vec![0; 65];
    script.extend([0, 2, 0, 0]);
    let table = Table::new(&options, 4, &script);
    assert!(table.public().calls.rank4_returned);
    let faces: BTreeSet<_> = (0..300)
        .map(|seed| Citadels::determinize(table.game.seen(Viewer::Spectator), &mut chance(seed)))
        .map(|world| world.parts().2.face_down.unwrap().0)
        .collect();
    let face_up: Vec<u8> = table
        .public()
        .calls
        .face_up
        .iter()
        .map(|rank| rank.0)
        .collect();
    let expected: BTreeSet<_> = (1..=8)
        .filter(|rank| *rank != 4 && !face_up.contains(rank))
        .collect();
    assert_eq!(faces, expected);
}

#[test]
fn calls_narrow_down_who_can_be_whom() {
    // The Thief's call was not answered, the Magician's by seat 2: no world says otherwise.
    let mut table = Given::new(5)
        .holds(0, Assassin)
        .holds(2, Magician)
        .out(Thief)
        .start();
    table.until(Magician);
    for seed in 0..200 {
        let world =
            Citadels::determinize(table.game.seen(Viewer::Seat(Seat(4))), &mut chance(seed));
        let (_, held) = roles(&world);
        assert!(held.iter().all(|held| !held.contains(Thief.rank())));
        assert!(held[2].contains(Magician.rank()) && held[0].contains(Assassin.rank()));
    }
}

#[test]
fn a_murdered_character_may_be_anybodys() {
    let mut table = Given::new(4)
        .holds(0, Assassin)
        .holds(1, Thief)
        .holds(2, King)
        .holds(3, Warlord)
        .start();
    table.act(0, Action::Murder { character: King });
    table.until(Warlord);
    let holders: BTreeSet<_> = (0..200)
        .map(|seed| {
            Citadels::determinize(table.game.seen(Viewer::Seat(Seat(1))), &mut chance(seed))
        })
        .map(|world| {
            roles(&world)
                .1
                .iter()
                .position(|held| held.contains(King.rank()))
        })
        .collect();
    // All others have shown what they hold.
    assert_eq!(holders, BTreeSet::from([Some(2)]));
    let mut table = Given::new(4)
        .holds(0, Assassin)
        .holds(1, Thief)
        .holds(2, King)
        .holds(3, Warlord)
        .start();
    table.act(0, Action::Murder { character: King });
    table.until(Thief);
    let holders: BTreeSet<_> = (0..400)
        .map(|seed| Citadels::determinize(table.game.seen(Viewer::Spectator), &mut chance(seed)))
        .map(|world| {
            roles(&world)
                .1
                .iter()
                .position(|held| held.contains(King.rank()))
        })
        .collect();
    assert_eq!(holders, BTreeSet::from([None, Some(2), Some(3)]));
}

#[test]
fn hands_are_any_cards_but_those_that_are_known() {
    let mut table = Given::new(4)
        .holds(0, Magician)
        .hand(0, &[Manor, Palace])
        .hand(1, &[Docks])
        .hand(2, &[Harbor])
        .start();
    table
        .until(Magician)
        .act(0, Action::MagicianSwap { player: Seat(1) });
    let mut of_third = BTreeSet::new();
    for seed in 0..500 {
        let world =
            Citadels::determinize(table.game.seen(Viewer::Seat(Seat(0))), &mut chance(seed));
        let hand = |seat: u8| world.private(Seat(seat)).unwrap().hand;
        // He knows what he gave, and the other what he got.
        assert_eq!(hand(1).iter().collect::<Vec<_>>(), [Manor, Palace]);
        assert_eq!(
            world.private(Seat(1)).unwrap().known.hands[Seat(0)],
            hand(0)
        );
        of_third.extend(hand(2).iter());
    }
    // Any base district that isn't all in sight.
    assert_eq!(of_third.len(), 28);
}

#[test]
fn a_memory_ends_when_a_card_leaves_unseen() {
    let mut table = Given::new(4)
        .holds(0, Magician)
        .holds(1, Architect)
        .city(1, &[Laboratory])
        .hand(0, &[Manor, Palace])
        .hand(1, &[Docks])
        .gold(1, 9)
        .start();
    table
        .until(Magician)
        .act(0, Action::MagicianSwap { player: Seat(1) });
    let known = |table: &Table| table.game.private(Seat(0)).unwrap().known.hands[Seat(1)];
    table.until(Architect).takes_gold(1);
    assert_eq!(known(&table).len(), 2);
    table.builds(1, Manor);
    assert_eq!(known(&table).iter().collect::<Vec<_>>(), [Palace]);
    let card = table.hand(1)[0];
    table.act(1, Action::UseLaboratory { card });
    assert!(known(&table).is_empty());
}

#[test]
fn the_lighthouse_is_remembered_until_the_end() {
    let mut table = Given::new(4)
        .holds(0, King)
        .holds(1, Merchant)
        .hand(0, &[Lighthouse])
        .gold(0, 3)
        .whole_deck(&[Palace, Temple, Docks, Harbor, Castle], 3)
        .start();
    table.until(King).takes_gold(0).builds(0, Lighthouse);
    table
        .act(0, Action::LighthouseTake { card: Palace })
        .ends(0);
    table.until(Merchant).act(1, Action::DrawCards);
    let keep = table.options()[0];
    table.act(1, keep);
    let look = table.public().lighthouse.unwrap();
    assert_eq!((look.seat, look.cards, look.drawn), (Seat(0), 4, 2));
    let mut tops = BTreeSet::new();
    for seed in 0..300 {
        let world =
            Citadels::determinize(table.game.seen(Viewer::Seat(Seat(0))), &mut chance(seed));
        let top = world.parts().2.deck.from_top().next().flatten().unwrap();
        tops.insert(top);
    }
    // What he saw, whoever drew what; he knows nothing of the card that went back.
    assert_eq!(tops, BTreeSet::from([Castle, Temple, Docks, Harbor]));
}

#[test]
fn a_spectator_hears_no_card() {
    let mut table = Given::new(4).holds(0, King).hand(0, &[]).start();
    table.until(King);
    table.events.clear();
    table.act(0, Action::DrawCards);
    let keep = table.options()[0];
    table.act(0, keep);
    let told = heard(&table.events, Viewer::Spectator);
    assert!(!told.is_empty());
    for event in told {
        match event {
            Event::CardsLookedAt { cards, .. } => assert_eq!(*cards, None),
            Event::CardKept { card, .. } | Event::CardPutUnder { card, .. } => {
                assert_eq!(*card, None)
            }
            other => panic!("{other:?}"),
        }
    }
}
