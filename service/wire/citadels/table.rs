//! The table and what seats know, on the wire.

use tavola_engine::{
    Seat,
    games::citadels::{
        Built, Citadels, Color, Private, Public, Rank, Ranks, Score, Stage, Turn, TurnKind, Window,
        knowledge::Knowledge,
        setup::Step,
        state::{Board, Calls, LighthouseLook},
    },
};

use super::{
    ball_room, cards_to_pb, character_to_pb, characters_to_pb, district_to_pb, optional_character,
    optional_district, seats_to_pb, turn_kind,
};
use crate::pb::citadels::v1 as game;

/// What everybody sees.
pub(super) fn public_to_pb(public: &Public) -> game::Table {
    let witnesses = || {
        public
            .deck_known_by
            .from_top()
            .zip(0..)
            .filter(|(seats, _)| !seats.is_empty())
    };
    let latest_look = public.latest_look();
    game::Table {
        characters: characters_to_pb(&public.characters(public.ranks())),
        bonus_districts: cards_to_pb(public.bonus_districts()),
        end_districts: public.rules.end_districts.into(),
        complete_districts: public.districts_to_complete().into(),
        ball_room: ball_room(public.rules.ball_room).into(),
        round: public.round.into(),
        crown_seat: Some(public.crown.0.into()),
        bank_gold: public.bank.map(u32::from),
        boards: public
            .seated()
            .map(|seat| board(&public.boards[seat]))
            .collect(),
        deck_size: public.deck().into(),
        known: Some(memory(&public.known, public)),
        deck_witnesses: witnesses()
            .map(|(seats, place)| game::KnownPlace {
                place: Some(place),
                seats: seats_to_pb(seats),
            })
            .collect(),
        acquaintances: acquaintances(public),
        museum_known: public
            .seated()
            .map(|seat| public.museum.known[seat].into())
            .collect(),
        museum_size: public.museum.cards.into(),
        deck_look: latest_look.map(deck_look),
        bell_rung: public.bell_rung,
        risen_seats: public.risen.iter().map(|seat| seat.0.into()).collect(),
        end: public.end.map(|end| game::End {
            first_complete_seat: end.first_complete.map(|seat| seat.0.into()),
            districts: end.districts.into(),
        }),
        calls: Some(calls(public, &public.calls)),
        turn: public.turn.as_ref().map(turn),
        stage: stage(public).into(),
        decider: public.decider().map(|seat| seat.0.into()),
        stage_details: Some(stage_details(&public.stage)),
        left_seats: seats_to_pb(public.left),
        scores: match &public.stage {
            Stage::Over(ending) => public
                .seated()
                .map(|seat| score(&ending.scores[seat]))
                .collect(),
            _ => Vec::new(),
        },
        earlier_deck_looks: public
            .seated()
            .filter_map(|seat| Some((seat, public.lighthouse[seat]?)))
            .filter(|look| latest_look.as_ref() != Some(look))
            .map(deck_look)
            .collect(),
    }
}

fn deck_look((seat, look): (Seat, LighthouseLook)) -> game::DeckLook {
    game::DeckLook {
        seat: Some(seat.0.into()),
        cards: look.cards.into(),
        drawn: look.drawn.into(),
        round: look.round.into(),
    }
}

/// What a seat alone sees.
pub(super) fn own_to_pb(public: &Public, own: &Private) -> game::Own {
    let character =
        |rank: Option<Rank>| optional_character(rank.and_then(|rank| public.character(rank)));
    let picks = own
        .draft
        .seen
        .iter()
        .zip(own.draft.picked)
        .filter(|(seen, _)| !seen.is_empty());
    game::Own {
        hand: cards_to_pb(own.hand),
        picks: picks
            .map(|(&seen, picked)| game::DraftPick {
                seen: ranks(public, seen),
                picked: character(picked),
            })
            .collect(),
        discarded: character(own.draft.discarded),
        face_down: character(own.draft.face_down),
        cards_in_view: own
            .in_view
            .iter()
            .flatten()
            .map(|&card| district_to_pb(card))
            .collect(),
        taken: optional_district(own.taken),
        known: Some(memory(&own.known, public)),
        deck_seen: cards_to_pb(own.deck_seen),
        museum: own.museum.known().map(district_to_pb).collect(),
    }
}

/// The whole truth.
pub(super) fn state_to_pb(table: &Citadels) -> game::State {
    let (public, private, hidden) = table.parts();
    game::State {
        table: Some(public_to_pb(public)),
        seats: public
            .seated()
            .map(|seat| own_to_pb(public, &private[seat]))
            .collect(),
        hidden: Some(game::Hidden {
            deck: hidden
                .deck
                .from_top()
                .flatten()
                .map(district_to_pb)
                .collect(),
            museum: hidden.museum.known().map(district_to_pb).collect(),
            face_down: optional_character(hidden.face_down.and_then(|rank| public.character(rank))),
            passing: ranks(public, hidden.passing),
            aside: ranks(public, hidden.aside),
        }),
    }
}

fn ranks(public: &Public, ranks: Ranks) -> Vec<i32> {
    characters_to_pb(&public.characters(ranks))
}

fn board(board: &Board) -> game::Board {
    let built = |built: &Built| game::BuiltDistrict {
        district: district_to_pb(built.district),
        beautified: built.beautified,
        builder_seat: Some(built.builder.0.into()),
        round: built.round.into(),
    };
    game::Board {
        gold: board.gold.into(),
        hand_size: board.hand.into(),
        city: board.city.iter().map(built).collect(),
    }
}

fn memory(known: &Knowledge, public: &Public) -> game::Memory {
    let hands = public
        .seated()
        .filter(|&seat| !known.hands[seat].is_empty());
    let deck = known
        .deck
        .from_top()
        .zip(0..)
        .filter_map(|(card, place)| Some((card?, place)));
    game::Memory {
        hands: hands
            .map(|seat| game::KnownHand {
                seat: Some(seat.0.into()),
                cards: cards_to_pb(known.hands[seat]),
            })
            .collect(),
        deck: deck
            .map(|(card, place)| game::KnownCard {
                place: Some(place),
                district: district_to_pb(card),
            })
            .collect(),
    }
}

fn acquaintances(public: &Public) -> Vec<game::Acquaintance> {
    let pairs = public
        .seated()
        .flat_map(|hand| public.seated().map(move |viewer| (hand, viewer)));
    pairs
        .map(|(hand, viewer)| (hand, viewer, public.acquaintance[hand][viewer]))
        .filter(|(_, _, acquaintance)| acquaintance.most > 0)
        .map(|(hand, viewer, acquaintance)| game::Acquaintance {
            hand_seat: Some(hand.0.into()),
            viewer_seat: Some(viewer.0.into()),
            least: acquaintance.least.into(),
            most: acquaintance.most.into(),
        })
        .collect()
}

fn calls(public: &Public, calls: &Calls) -> game::Calls {
    let named =
        |rank: Option<Rank>| optional_character(rank.and_then(|rank| public.character(rank)));
    let roles = |seats: &[Option<Seat>]| {
        let role = |(rank, seat): (Rank, &Option<Seat>)| {
            let (character, seat) = (public.character(rank)?, (*seat)?);
            Some(game::Role {
                character: character_to_pb(character),
                seat: Some(seat.0.into()),
            })
        };
        Rank::all().zip(seats).filter_map(role).collect()
    };
    game::Calls {
        first_picker_seat: Some(calls.first_picker.0.into()),
        face_up: ranks(public, calls.face_up),
        rank4_returned: calls.rank4_returned,
        called_rank: calls.called.into(),
        murdered: named(calls.murdered),
        robbed: named(calls.robbed),
        bewitched: named(calls.bewitched),
        revealed: roles(&calls.revealed),
        acting: roles(&calls.acting),
        arrears_seat: calls.arrears.map(|seat| seat.0.into()),
        queen_seat: calls.queen.map(|seat| seat.0.into()),
    }
}

fn turn(turn: &Turn) -> game::Turn {
    game::Turn {
        kind: turn_kind(turn.kind).into(),
        seat: Some(turn.seat.0.into()),
        character: character_to_pb(turn.character),
        window: match turn.window {
            Window::Pre => game::Window::Pre,
            Window::Post => game::Window::Post,
            Window::Last => game::Window::Last,
        }
        .into(),
        builds: turn.builds.into(),
        built: turn.built,
        spent_gold: turn.spent.into(),
        greeting_due: turn.greeting,
        income_used: turn.used.income,
        power_used: turn.used.power,
        laboratory_used: turn.used.laboratory,
        smithy_used: turn.used.smithy,
        museum_used: turn.used.museum,
        beautified: turn.beautified.into(),
    }
}

pub(super) fn turn_kind_to_pb(kind: TurnKind) -> game::TurnKind {
    match kind {
        TurnKind::Normal => game::TurnKind::Normal,
        TurnKind::WitchFirst => game::TurnKind::WitchFirst,
        TurnKind::Bewitched => game::TurnKind::Bewitched,
        TurnKind::WitchResumed => game::TurnKind::WitchResumed,
        TurnKind::Hospital => game::TurnKind::Hospital,
    }
}

fn stage(public: &Public) -> game::Stage {
    match &public.stage {
        Stage::Draft { step } => match public.draft_step(*step) {
            Some(Step::Discard(_)) => game::Stage::DiscardCharacter,
            _ => game::Stage::PickCharacter,
        },
        Stage::Hospital { .. } => game::Stage::Hospital,
        Stage::Thanks => game::Stage::Thanks,
        Stage::GiveCrown => game::Stage::GiveCrown,
        Stage::PayEmperor { .. } => game::Stage::PayEmperor,
        Stage::Menu => game::Stage::Menu,
        Stage::Keep { .. } => game::Stage::KeepCard,
        Stage::Navigator => game::Stage::Navigator,
        Stage::Bewitch => game::Stage::Bewitch,
        Stage::Mark { .. } => game::Stage::MarkCard,
        Stage::WizardTake { .. } => game::Stage::WizardTake,
        Stage::WizardBuild { .. } => game::Stage::WizardBuild,
        Stage::Lighthouse => game::Stage::Lighthouse,
        Stage::BellTower => game::Stage::BellTower,
        Stage::Graveyard { .. } => game::Stage::Graveyard,
        Stage::MoveCrown { .. } => game::Stage::MoveCrown,
        Stage::DiplomatGive { .. } => game::Stage::DiplomatGive,
        Stage::Over(_) => game::Stage::Over,
    }
}

fn stage_details(stage: &Stage) -> game::StageDetails {
    let nothing = game::StageDetails::default();
    match stage {
        Stage::Draft { step } => game::StageDetails {
            draft_step: Some((*step).into()),
            ..nothing
        },
        Stage::Keep { in_view, left } => game::StageDetails {
            cards_in_view: Some((*in_view).into()),
            cards_to_keep: Some((*left).into()),
            ..nothing
        },
        Stage::Mark { marked } => game::StageDetails {
            cards_marked: Some((*marked).into()),
            ..nothing
        },
        Stage::WizardTake { from } | Stage::WizardBuild { from } => game::StageDetails {
            from_seat: Some(from.0.into()),
            ..nothing
        },
        Stage::Graveyard { district, .. } => game::StageDetails {
            district: district_to_pb(*district),
            ..nothing
        },
        Stage::DiplomatGive { from, site } => game::StageDetails {
            from_seat: Some(from.0.into()),
            district: district_to_pb(site.district),
            beautified: site.beautified,
            ..nothing
        },
        Stage::Hospital { .. }
        | Stage::Thanks
        | Stage::GiveCrown
        | Stage::PayEmperor { .. }
        | Stage::Menu
        | Stage::Navigator
        | Stage::Bewitch
        | Stage::Lighthouse
        | Stage::BellTower
        | Stage::MoveCrown { .. }
        | Stage::Over(_) => nothing,
    }
}

fn score(score: &Score) -> game::Score {
    game::Score {
        districts: score.districts.into(),
        colors: score.colors.into(),
        complete: score.complete.into(),
        museum: score.museum.into(),
        imperial_treasury: score.imperial_treasury.into(),
        map_room: score.map_room.into(),
        wishing_well: score.wishing_well.into(),
        haunted_city: match score.haunted_city {
            None => game::Color::Unspecified,
            Some(Color::Yellow) => game::Color::Yellow,
            Some(Color::Blue) => game::Color::Blue,
            Some(Color::Green) => game::Color::Green,
            Some(Color::Red) => game::Color::Red,
            Some(Color::Purple) => game::Color::Purple,
        }
        .into(),
        total: score.total().into(),
    }
}
