//! Twin worlds: two tables that differ in what somebody may not know look the same to him.

use tavola_engine::games::shadow_hunters::ShadowHunters;
use tavola_engine::{Game, Viewer};

use crate::scenario::{Table, seat};

/// Everybody but this player sees the same, and was told the same.
#[track_caller]
pub(crate) fn same_to_others(letter: char, one: &Table, other: &Table) {
    let seats = one.public().seats();
    let viewers = (0..seats)
        .map(tavola_engine::Seat)
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
