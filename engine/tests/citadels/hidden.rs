//! What seats see, remember and may imagine (section 9).

use std::collections::BTreeSet;

use tavola_engine::games::citadels::{
    Action, Cards, Character::*, Citadels, District::*, Event, FirstCrown, Options, Rank, Ranks,
};
use tavola_engine::{Game, Seat, Viewer};

use crate::given::{Given, Table, build, plain};
use crate::twins::{chance, heard};

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
    let (seat, look) = table.public().latest_look().unwrap();
    assert_eq!(
        (seat, look.round, look.cards, look.drawn),
        (Seat(0), 5, 4, 2)
    );
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
    let told = Vec::from_iter(heard(&table.events, Viewer::Spectator));
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

/// The worlds that a viewer can imagine, some of them.
fn worlds(table: &Table, viewer: Viewer) -> Vec<Citadels> {
    let seen = table.game.seen(viewer);
    (0..400)
        .map(|seed| {
            let world = Citadels::determinize(seen, &mut chance(seed));
            world.check_sound().unwrap();
            assert_eq!(world.observe(viewer), table.game.observe(viewer));
            world
        })
        .collect()
}

#[test]
fn nobody_imagines_that_the_lighthouse_was_seen_from_itself() {
    let mut table = Given::new(4)
        .holds(0, King)
        .holds(1, Merchant)
        .hand(0, &[Lighthouse])
        .gold(0, 3)
        // All that stands since round 1 wasn't in the deck: both Keeps, and one of the two Palaces that are not in it now.
        .city(2, &[Keep, Palace])
        .city(3, &[Keep])
        .whole_deck(&[Palace, Temple, Docks, Harbor, Castle], 3)
        .start();
    table.until(King).takes_gold(0).builds(0, Lighthouse);
    table.act(0, Action::LighthouseTake { card: Docks }).ends(0);
    table.until(Merchant).act(1, Action::DrawCards);
    let keep = table.options()[0];
    table.act(1, keep);
    let mut remembered = BTreeSet::new();
    for world in worlds(&table, Viewer::Seat(Seat(2))) {
        let seen = world.private(Seat(0)).unwrap().deck_seen;
        assert!(!seen.contains(Lighthouse) && !seen.contains(Keep));
        assert!(seen.count(Palace) <= 2);
        remembered.extend(seen.kinds());
    }
    // Anything else may have been there.
    let possible = table.public().all_cards().kinds().count() - 2;
    assert_eq!(remembered.len(), possible);
}

/// Seat 0 has built the Lighthouse and taken the Palace; the Warlord, seat 3, destroys it, and it comes to seat 1, who takes gold.
fn lighthouse_that_comes_back() -> Table {
    let mut table = Given::new(4)
        .holds(0, King)
        .holds(1, Architect)
        .holds(2, Merchant)
        .holds(3, Warlord)
        .crown(0)
        .hand(0, &[Lighthouse])
        .gold(0, 3)
        .gold(1, 9)
        .gold(3, 9)
        .city(1, &[Graveyard, Laboratory])
        .city(3, &[Armory])
        .whole_deck(&[Palace, Temple, Docks, Harbor, Castle, Prison], 3)
        .start();
    table.until(King).takes_gold(0).builds(0, Lighthouse);
    table
        .act(0, Action::LighthouseTake { card: Palace })
        .ends(0);
    table.until(Architect).takes_gold(1).ends(1);
    let destroy = Action::WarlordDestroy {
        player: Seat(0),
        site: plain(Lighthouse),
    };
    table.until(Warlord).takes_gold(3).act(3, destroy);
    table.act(1, Action::GraveyardTake);
    table.next_round();
    table
}

#[test]
fn a_second_look_by_another_leaves_the_first_in_memory() {
    let mut table = lighthouse_that_comes_back();
    let first = table.game.private(Seat(0)).unwrap().deck_seen;
    // The Architect has drawn two of the five.
    assert_eq!((first.len(), table.deck()), (5, 3));
    table.pass_until(|table| table.decider() == Some(1) && table.offers(build(Lighthouse)));
    let look = |table: &Table, seat| table.public().lighthouse[Seat(seat)].unwrap();
    let drawn = look(&table, 0).drawn;
    assert_eq!(table.deck(), 5 - drawn);
    table.builds(1, Lighthouse);
    // While it looks the deck isn't shuffled yet.
    assert_eq!(table.public().latest_look().unwrap().0, Seat(1));
    assert!(!look(&table, 0).shuffled);
    let take = table.options()[0];
    table.act(1, take);
    assert_eq!(table.public().latest_look().unwrap().0, Seat(1));
    assert_eq!(table.game.private(Seat(0)).unwrap().deck_seen, first);
    assert_eq!(
        (look(&table, 0).drawn, look(&table, 0).shuffled),
        (drawn + 1, true)
    );
    assert_eq!(
        (look(&table, 1).drawn, look(&table, 1).shuffled),
        (0, false)
    );
    // All that is left of the deck the first has seen in it; he can't tell which of five it is.
    let mut imagined = BTreeSet::new();
    for world in worlds(&table, Viewer::Seat(Seat(0))) {
        let deck: Cards = world.parts().2.deck.known().collect();
        assert!(first.includes(deck));
        imagined.extend(deck.kinds());
    }
    assert!(imagined.len() > usize::from(table.deck()));
    // To the others both have seen what is in the deck, and more; never the Lighthouse.
    for world in worlds(&table, Viewer::Seat(Seat(2))) {
        let (_, private, hidden) = world.parts();
        let deck: Cards = hidden.deck.known().collect();
        assert_eq!(private[Seat(1)].deck_seen, deck);
        let seen = private[Seat(0)].deck_seen;
        assert!(seen.includes(deck) && !seen.contains(Lighthouse));
        assert_eq!(seen.len(), 5);
    }
    // Nor once it lies in the deck.
    let armory = Action::UseArmory {
        player: Seat(1),
        site: plain(Lighthouse),
    };
    table.pass_until(|table| table.decider() == Some(3) && table.offers(armory));
    table.act(3, armory);
    assert!(table.deck_ends(&[Armory, Lighthouse]));
    for world in worlds(&table, Viewer::Seat(Seat(2))) {
        let (_, private, _) = world.parts();
        assert!(
            [0, 1]
                .iter()
                .all(|&seat| !private[Seat(seat)].deck_seen.contains(Lighthouse))
        );
    }
}

#[test]
fn a_second_look_of_the_same_seat_takes_the_place_of_its_first() {
    let mut table = Given::new(4)
        .holds(0, Architect)
        .holds(1, Warlord)
        .hand(0, &[Lighthouse])
        .gold(0, 20)
        .gold(1, 9)
        .city(0, &[Graveyard])
        .whole_deck(&[Palace, Temple, Docks, Harbor, Castle, Prison], 3)
        .start();
    table.until(Architect).takes_gold(0).builds(0, Lighthouse);
    table.act(0, Action::LighthouseDecline).ends(0);
    let destroy = Action::WarlordDestroy {
        player: Seat(0),
        site: plain(Lighthouse),
    };
    table.until(Warlord).takes_gold(1).act(1, destroy);
    table.act(0, Action::GraveyardTake);
    table.next_round();
    table.pass_until(|table| table.decider() == Some(0) && table.offers(build(Lighthouse)));
    table
        .builds(0, Lighthouse)
        .act(0, Action::LighthouseDecline);
    let seen = table.game.private(Seat(0)).unwrap().deck_seen;
    let deck: Cards = table.game.parts().2.deck.known().collect();
    assert_eq!(seen, deck);
    let (seat, look) = table.public().latest_look().unwrap();
    assert_eq!((seat, look.round, look.left()), (Seat(0), 6, table.deck()));
}

#[test]
fn a_lighthouse_lost_from_sight_is_not_where_it_was_looked_from() {
    let mut table = lighthouse_that_comes_back();
    table.pass_until(|table| {
        table.decider() == Some(1) && table.offers(Action::UseLaboratory { card: Lighthouse })
    });
    // It may be any card of the hand that goes under the deck.
    table.act(1, Action::UseLaboratory { card: Lighthouse });
    let left = usize::from(table.public().latest_look().unwrap().1.left());
    assert!(left > 1);
    for viewer in [
        Viewer::Seat(Seat(0)),
        Viewer::Seat(Seat(2)),
        Viewer::Spectator,
    ] {
        let mut places = BTreeSet::new();
        for world in worlds(&table, viewer) {
            let (_, private, hidden) = world.parts();
            let place = hidden
                .deck
                .from_top()
                .position(|card| card == Some(Lighthouse));
            assert!(place.is_none_or(|place| place >= left));
            let in_hand = private[Seat(1)].hand.contains(Lighthouse);
            places.insert((place, in_hand));
        }
        assert!(places.len() > 1, "{places:?}");
    }
}
