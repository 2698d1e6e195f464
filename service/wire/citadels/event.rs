//! What has happened, on the wire.

use tavola_engine::games::citadels::{
    Event, Site,
    event::{CardReason, DestroyReason, DrawReason, GoldReason, UnderReason},
};

use super::{
    cards_to_pb, character_to_pb, characters_to_pb, district_to_pb, optional_character,
    optional_district, seats_to_pb, turn_kind,
};
use crate::pb::{
    citadels::v1::{self as game, event::Kind},
    v1 as pb,
};

pub(super) fn to_pb(event: &Event) -> pb::Event {
    let kind = match event {
        Event::SetChosen {
            characters,
            bonus_districts,
        } => Kind::SetChosen(game::SetChosen {
            characters: characters_to_pb(characters),
            bonus_districts: cards_to_pb(*bonus_districts),
        }),
        Event::FirstCrown { seat } => Kind::FirstCrown(game::FirstCrown {
            seat: Some(seat.0.into()),
        }),
        Event::RoundStarted { round, crown } => Kind::RoundStarted(game::RoundStarted {
            round: (*round).into(),
            crown: Some(crown.0.into()),
        }),
        Event::FaceUp { character } => Kind::FaceUp(game::FaceUp {
            character: character_to_pb(*character),
        }),
        Event::Rank4Returned { character } => Kind::Rank4Returned(game::Rank4Returned {
            character: character_to_pb(*character),
        }),
        Event::CharactersPassed {
            seat,
            cards,
            seen,
            face_down,
        } => Kind::CharactersPassed(game::CharactersPassed {
            seat: Some(seat.0.into()),
            cards: (*cards).into(),
            seen: seen.as_deref().map(characters_to_pb).unwrap_or_default(),
            face_down: optional_character(*face_down),
        }),
        Event::CharacterPicked { seat, character } => {
            Kind::CharacterPicked(game::CharacterPicked {
                seat: Some(seat.0.into()),
                character: optional_character(*character),
            })
        }
        Event::CharacterDiscarded { seat, character } => {
            Kind::CharacterDiscarded(game::CharacterDiscarded {
                seat: Some(seat.0.into()),
                character: optional_character(*character),
            })
        }
        Event::RandomDiscard => Kind::RandomDiscard(game::RandomDiscard {}),
        Event::Called { character } => Kind::Called(game::Called {
            character: character_to_pb(*character),
        }),
        Event::NoAnswer { character } => Kind::NoAnswer(game::NoAnswer {
            character: character_to_pb(*character),
        }),
        Event::Revealed { seat, character } => Kind::Revealed(game::Revealed {
            seat: Some(seat.0.into()),
            character: character_to_pb(*character),
        }),
        Event::TurnStarted {
            seat,
            character,
            kind,
        } => Kind::TurnStarted(game::TurnStarted {
            seat: Some(seat.0.into()),
            character: character_to_pb(*character),
            kind: turn_kind(*kind).into(),
        }),
        Event::CrownMoved { from, to } => Kind::CrownMoved(game::CrownMoved {
            from_seat: Some(from.0.into()),
            to_seat: Some(to.0.into()),
        }),
        Event::Thanked { seat } => Kind::Thanked(game::Thanked {
            seat: Some(seat.0.into()),
        }),
        Event::StayedSilent { seat } => Kind::StayedSilent(game::StayedSilent {
            seat: Some(seat.0.into()),
        }),
        Event::HospitalUsed { seat } => Kind::HospitalUsed(game::HospitalUsed {
            seat: Some(seat.0.into()),
        }),
        Event::HospitalDeclined { seat } => Kind::HospitalDeclined(game::HospitalDeclined {
            seat: Some(seat.0.into()),
        }),
        Event::GoldGained { seat, gold, reason } => Kind::GoldGained(game::GoldGained {
            seat: Some(seat.0.into()),
            gold: (*gold).into(),
            reason: gold_reason(*reason).into(),
        }),
        Event::GoldPaid { seat, gold, reason } => Kind::GoldPaid(game::GoldPaid {
            seat: Some(seat.0.into()),
            gold: (*gold).into(),
            reason: gold_reason(*reason).into(),
        }),
        Event::GoldMoved {
            from,
            to,
            gold,
            reason,
        } => Kind::GoldMoved(game::GoldMoved {
            from_seat: Some(from.0.into()),
            to_seat: Some(to.0.into()),
            gold: (*gold).into(),
            reason: gold_reason(*reason).into(),
        }),
        Event::GoldReturned { gold } => Kind::GoldReturned(game::GoldReturned {
            gold: (*gold).into(),
        }),
        Event::NothingToTake { seat } => Kind::NothingToTake(game::NothingToTake {
            seat: Some(seat.0.into()),
        }),
        Event::CardsDrawn {
            seat,
            count,
            reason,
            cards,
        } => Kind::CardsDrawn(game::CardsDrawn {
            seat: Some(seat.0.into()),
            count: (*count).into(),
            reason: draw_reason(*reason).into(),
            cards: cards.map(cards_to_pb).unwrap_or_default(),
        }),
        Event::CardsLookedAt { seat, count, cards } => Kind::CardsLookedAt(game::CardsLookedAt {
            seat: Some(seat.0.into()),
            count: (*count).into(),
            cards: cards
                .iter()
                .flatten()
                .flatten()
                .map(|&card| district_to_pb(card))
                .collect(),
        }),
        Event::CardKept { seat, card } => Kind::CardKept(game::CardKept {
            seat: Some(seat.0.into()),
            card: optional_district(*card),
        }),
        Event::CardPutUnder { seat, card, reason } => Kind::CardPutUnder(game::CardPutUnder {
            seat: Some(seat.0.into()),
            card: optional_district(*card),
            reason: under_reason(*reason).into(),
        }),
        Event::MuseumEmptied { count } => Kind::MuseumEmptied(game::MuseumEmptied {
            count: (*count).into(),
        }),
        Event::Murdered { character } => Kind::Murdered(game::Murdered {
            character: character_to_pb(*character),
        }),
        Event::RobberyAnnounced { character } => Kind::RobberyAnnounced(game::RobberyAnnounced {
            character: character_to_pb(*character),
        }),
        Event::Bewitched { character } => Kind::Bewitched(game::Bewitched {
            character: character_to_pb(*character),
        }),
        Event::HandsSwapped { seat, with } => Kind::HandsSwapped(game::HandsSwapped {
            seat: Some(seat.0.into()),
            other_seat: Some(with.0.into()),
        }),
        Event::HandReceived { seat, cards } => Kind::HandReceived(game::HandReceived {
            seat: Some(seat.0.into()),
            cards: cards_to_pb(*cards),
        }),
        Event::RedrawStarted { seat } => Kind::RedrawStarted(game::RedrawStarted {
            seat: Some(seat.0.into()),
        }),
        Event::HandLookedAt {
            seat,
            player,
            cards,
        } => Kind::HandLookedAt(game::HandLookedAt {
            seat: Some(seat.0.into()),
            hand_seat: Some(player.0.into()),
            cards: cards.map(cards_to_pb).unwrap_or_default(),
        }),
        Event::CardMoved {
            from,
            to,
            card,
            reason,
        } => Kind::CardMoved(game::CardMoved {
            from_seat: Some(from.0.into()),
            to_seat: Some(to.0.into()),
            card: optional_district(*card),
            reason: card_reason(*reason).into(),
        }),
        Event::Built {
            seat,
            district,
            gold,
            wizard,
        } => Kind::Built(game::Built {
            seat: Some(seat.0.into()),
            district: district_to_pb(*district),
            gold: (*gold).into(),
            wizard: *wizard,
        }),
        Event::Beautified { seat, district } => Kind::Beautified(game::Beautified {
            seat: Some(seat.0.into()),
            district: district_to_pb(*district),
        }),
        Event::Destroyed {
            by,
            seat,
            site,
            reason,
        } => Kind::Destroyed(game::Destroyed {
            by_seat: Some(by.0.into()),
            seat: Some(seat.0.into()),
            site: Some(site_to_pb(*site)),
            reason: destroy_reason(*reason).into(),
        }),
        Event::Exchanged {
            seat,
            with,
            taken,
            given,
        } => Kind::Exchanged(game::Exchanged {
            seat: Some(seat.0.into()),
            other_seat: Some(with.0.into()),
            taken: Some(site_to_pb(*taken)),
            given: Some(site_to_pb(*given)),
        }),
        Event::StoredInMuseum { seat, card } => Kind::StoredInMuseum(game::StoredInMuseum {
            seat: Some(seat.0.into()),
            card: optional_district(*card),
        }),
        Event::LighthouseLook { seat, cards } => Kind::LighthouseLook(game::LighthouseLook {
            seat: Some(seat.0.into()),
            cards: cards.map(cards_to_pb).unwrap_or_default(),
        }),
        Event::LighthouseTaken { seat, taken, card } => {
            Kind::LighthouseTaken(game::LighthouseTaken {
                seat: Some(seat.0.into()),
                taken: *taken,
                card: optional_district(*card),
            })
        }
        Event::DeckShuffled { cards } => Kind::DeckShuffled(game::DeckShuffled {
            cards: (*cards).into(),
        }),
        Event::BellRung { seat } => Kind::BellRung(game::BellRung {
            seat: Some(seat.0.into()),
        }),
        Event::BellSilent { seat } => Kind::BellSilent(game::BellSilent {
            seat: Some(seat.0.into()),
        }),
        Event::Rescued { seat, district } => Kind::Rescued(game::Rescued {
            seat: Some(seat.0.into()),
            district: district_to_pb(*district),
        }),
        Event::NotRescued { seat, district } => Kind::NotRescued(game::NotRescued {
            seat: Some(seat.0.into()),
            district: district_to_pb(*district),
        }),
        Event::EndTriggered {
            first_complete,
            districts,
        } => Kind::EndTriggered(game::EndTriggered {
            first_complete_seat: Some(first_complete.0.into()),
            districts: (*districts).into(),
        }),
        Event::TurnEnded { seat } => Kind::TurnEnded(game::TurnEnded {
            seat: Some(seat.0.into()),
        }),
        Event::RoundEnded { round } => Kind::RoundEnded(game::RoundEnded {
            round: (*round).into(),
        }),
        Event::SeatLeft { seat } => Kind::SeatLeft(game::SeatLeft {
            seat: Some(seat.0.into()),
        }),
        Event::GameEnded { winners } => Kind::GameEnded(game::GameEnded {
            winner_seats: seats_to_pb(*winners),
        }),
    };
    pb::Event {
        game: Some(pb::event::Game::Citadels(game::Event { kind: Some(kind) })),
    }
}

fn site_to_pb(site: Site) -> game::Site {
    game::Site {
        district: district_to_pb(site.district),
        beautified: site.beautified,
    }
}

fn gold_reason(reason: GoldReason) -> game::GoldReason {
    match reason {
        GoldReason::TakeGold => game::GoldReason::TakeGold,
        GoldReason::Income => game::GoldReason::Income,
        GoldReason::Merchant => game::GoldReason::Merchant,
        GoldReason::Navigator => game::GoldReason::Navigator,
        GoldReason::Robbery => game::GoldReason::Robbery,
        GoldReason::Build => game::GoldReason::Build,
        GoldReason::Destroy => game::GoldReason::Destroy,
        GoldReason::Exchange => game::GoldReason::Exchange,
        GoldReason::Emperor => game::GoldReason::Emperor,
        GoldReason::Tax => game::GoldReason::Tax,
        GoldReason::Tithe => game::GoldReason::Tithe,
        GoldReason::Queen => game::GoldReason::Queen,
        GoldReason::Refund => game::GoldReason::Refund,
        GoldReason::Laboratory => game::GoldReason::Laboratory,
        GoldReason::Smithy => game::GoldReason::Smithy,
        GoldReason::Graveyard => game::GoldReason::Graveyard,
        GoldReason::PoorHouse => game::GoldReason::PoorHouse,
        GoldReason::ThroneRoom => game::GoldReason::ThroneRoom,
    }
}

fn draw_reason(reason: DrawReason) -> game::DrawReason {
    match reason {
        DrawReason::Deal => game::DrawReason::Deal,
        DrawReason::Action => game::DrawReason::Action,
        DrawReason::Architect => game::DrawReason::Architect,
        DrawReason::Navigator => game::DrawReason::Navigator,
        DrawReason::Redraw => game::DrawReason::Redraw,
        DrawReason::Smithy => game::DrawReason::Smithy,
        DrawReason::Park => game::DrawReason::Park,
    }
}

fn under_reason(reason: UnderReason) -> game::UnderReason {
    match reason {
        UnderReason::Rejected => game::UnderReason::Rejected,
        UnderReason::Redraw => game::UnderReason::Redraw,
        UnderReason::Laboratory => game::UnderReason::Laboratory,
    }
}

fn card_reason(reason: CardReason) -> game::CardReason {
    match reason {
        CardReason::Wizard => game::CardReason::Wizard,
        CardReason::Emperor => game::CardReason::Emperor,
    }
}

fn destroy_reason(reason: DestroyReason) -> game::DestroyReason {
    match reason {
        DestroyReason::Warlord => game::DestroyReason::Warlord,
        DestroyReason::Armory => game::DestroyReason::Armory,
        DestroyReason::ArmoryItself => game::DestroyReason::ArmoryItself,
    }
}
