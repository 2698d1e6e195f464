//! The names of things, on the wire: enums of the protos begin at 1.

use tavola_engine::games::under_falling_skies::{
    BattleEnd, Character, City, CitySide, Direction, EndReason, Levels, Member, RoomKind, Scenario,
    SkySet, SkySide,
};

use crate::pb::under_falling_skies::v1 as game;

pub(super) fn city_to_pb(city: City) -> i32 {
    i32::from(city.index()) + 1
}

pub(super) fn character_to_pb(character: Character) -> i32 {
    i32::from(character.index()) + 1
}

pub(super) fn scenario_to_pb(scenario: Scenario) -> i32 {
    i32::from(scenario.index()) + 1
}

pub(super) fn city_side_to_pb(side: CitySide) -> i32 {
    match side {
        CitySide::Intact => game::CitySide::Intact,
        CitySide::Damaged => game::CitySide::Damaged,
    }
    .into()
}

pub(super) fn sky_set_to_pb(set: SkySet) -> i32 {
    match set {
        SkySet::Base => game::SkySet::Base,
        SkySet::Advanced => game::SkySet::Advanced,
    }
    .into()
}

pub(super) fn sky_side_to_pb(side: SkySide) -> i32 {
    match side {
        SkySide::Easy => game::SkySide::Easy,
        SkySide::Dangerous => game::SkySide::Dangerous,
    }
    .into()
}

pub(super) fn room_kind_to_pb(kind: RoomKind) -> i32 {
    match kind {
        RoomKind::Aa => game::RoomKind::Aa,
        RoomKind::Energy => game::RoomKind::Energy,
        RoomKind::Fighter => game::RoomKind::Fighter,
        RoomKind::Research => game::RoomKind::Research,
        RoomKind::Robot => game::RoomKind::Robot,
    }
    .into()
}

pub(super) fn direction_to_pb(direction: Option<Direction>) -> i32 {
    match direction {
        None => game::Direction::Unspecified,
        Some(Direction::Left) => game::Direction::Left,
        Some(Direction::Right) => game::Direction::Right,
    }
    .into()
}

pub(super) fn battle_end_to_pb(end: BattleEnd) -> i32 {
    match end {
        BattleEnd::Won => game::BattleEnd::Won,
        BattleEnd::LostMothership => game::BattleEnd::LostMothership,
        BattleEnd::LostDamage => game::BattleEnd::LostDamage,
    }
    .into()
}

pub(super) fn end_reason_to_pb(reason: EndReason) -> i32 {
    match reason {
        EndReason::Battle(BattleEnd::Won) => game::EndReason::Won,
        EndReason::Battle(BattleEnd::LostMothership) => game::EndReason::LostMothership,
        EndReason::Battle(BattleEnd::LostDamage) => game::EndReason::LostDamage,
        EndReason::CampaignWon => game::EndReason::CampaignWon,
        EndReason::CampaignLost => game::EndReason::CampaignLost,
        EndReason::Resigned => game::EndReason::Resigned,
    }
    .into()
}

pub(super) fn member_to_pb(member: &Member) -> game::Member {
    game::Member {
        character: character_to_pb(member.id),
        upgraded: member.upgraded,
    }
}

pub(super) fn team_to_pb(team: &[Member]) -> Vec<game::Member> {
    team.iter().map(member_to_pb).collect()
}

pub(super) fn levels_to_pb(levels: Levels) -> Vec<u32> {
    levels.iter().map(u32::from).collect()
}

/// What the number of an enum names: 1 is the first.
pub(super) fn numbered<T>(number: i32, named: impl Fn(u8) -> Option<T>) -> Option<T> {
    named(u8::try_from(number.checked_sub(1)?).ok()?)
}
