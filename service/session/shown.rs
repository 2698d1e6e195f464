//! What a viewer is shown of a session at one moment.

use std::time::Duration;

use tavola_engine::{SeatSet, Viewer};

use super::{clocks::Clocks, history::status_of};
use crate::{
    pb::v1::{
        Decision, GetObservationResponse, LegalAction, Observation, Outcome, SeatClock,
        Session as SessionPb, SessionStatus, SubmitActionResponse, Update, View,
    },
    wire::Table,
};

/// A table at one of its plies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment<'a> {
    /// The table; at its set-up while the session waits for players.
    pub(super) table: &'a dyn Table,
    /// The version of the session that it belongs to.
    pub(super) version: u64,
    /// How far the session is.
    pub(super) status: SessionStatus,
    /// Its clocks when that version came to be, if it has any.
    pub(super) clocks: Option<&'a Clocks>,
    /// The time since then, as far as it counts.
    pub(super) elapsed: Duration,
}

/// What an update tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// How things stand.
    Snapshot,
    /// A change of the seats before the start, or a ply.
    Change,
    /// That a house bot took a seat over; nothing happened at the table.
    HandOver,
}

/// What a viewer knows at one moment: the fields that observations, replies and updates share.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    observation: Option<Observation>,
    decision: Option<Decision>,
    legal_actions: Vec<LegalAction>,
    legal_action_ids: Vec<u32>,
    version: u64,
    status: SessionStatus,
    outcome: Option<Outcome>,
    seat: Option<u32>,
    clocks: Vec<SeatClock>,
}

impl<'a> Moment<'a> {
    /// A started game without clocks at one of its plies.
    pub(super) fn of(table: &'a dyn Table, version: u64) -> Self {
        Self {
            table,
            version,
            status: status_of(table),
            clocks: None,
            elapsed: Duration::ZERO,
        }
    }
}

impl Moment<'_> {
    /// What the viewer knows.
    pub(super) fn shown(self, viewer: Viewer, view: View) -> Shown {
        let Self {
            table,
            version,
            status,
            clocks,
            elapsed,
        } = self;
        let started = status != SessionStatus::Waiting;
        let to_act = if started {
            table.to_act()
        } else {
            SeatSet::EMPTY
        };
        let asked = match viewer {
            Viewer::Seat(seat) if to_act.contains(seat) => Some(seat),
            Viewer::Seat(_) | Viewer::Spectator => None,
        };
        let (mut legal_actions, mut legal_action_ids) = (Vec::new(), Vec::new());
        match (asked, view) {
            (None, _) => {}
            (Some(seat), View::Lean) => legal_action_ids = table.legal_action_ids(seat),
            (Some(seat), View::Full | View::Unspecified) => {
                legal_actions = table.legal_actions(seat)
            }
        }
        Shown {
            observation: started.then(|| table.observation(viewer)),
            decision: (!to_act.is_empty()).then(|| Decision {
                decision_id: table.decision_number(viewer),
                seats: to_act.iter().map(|seat| seat.0.into()).collect(),
            }),
            legal_actions,
            legal_action_ids,
            version,
            status,
            outcome: table.outcome(),
            seat: match viewer {
                Viewer::Seat(seat) => Some(seat.0.into()),
                Viewer::Spectator => None,
            },
            clocks: clocks.map_or_else(Vec::new, |clocks| clocks.shown(elapsed)),
        }
    }

    /// What the viewer is told of the change that led here, or, as a snapshot, of how things stand.
    pub(super) fn update(
        self,
        viewer: Viewer,
        view: View,
        told: Told,
        session: impl FnOnce() -> SessionPb,
    ) -> Update {
        let begins = self.table.ply() == 0;
        let happened = match told {
            Told::Snapshot => begins,
            Told::Change => true,
            Told::HandOver => false,
        };
        let happened = happened && self.status != SessionStatus::Waiting;
        let whole = told != Told::Change || begins || self.status == SessionStatus::Finished;
        let shown = self.shown(viewer, view);
        Update {
            observation: shown.observation,
            decision: shown.decision,
            legal_actions: shown.legal_actions,
            legal_action_ids: shown.legal_action_ids,
            version: shown.version,
            status: shown.status.into(),
            outcome: shown.outcome,
            seat: shown.seat,
            events: if happened {
                self.table.events(viewer)
            } else {
                Vec::new()
            },
            session: whole.then(session),
            snapshot: told == Told::Snapshot,
            clocks: shown.clocks,
        }
    }
}

impl From<Shown> for GetObservationResponse {
    fn from(shown: Shown) -> Self {
        Self {
            observation: shown.observation,
            decision: shown.decision,
            legal_actions: shown.legal_actions,
            legal_action_ids: shown.legal_action_ids,
            version: shown.version,
            status: shown.status.into(),
            outcome: shown.outcome,
            seat: shown.seat,
            clocks: shown.clocks,
        }
    }
}

impl From<Shown> for SubmitActionResponse {
    fn from(shown: Shown) -> Self {
        Self {
            observation: shown.observation,
            decision: shown.decision,
            legal_actions: shown.legal_actions,
            legal_action_ids: shown.legal_action_ids,
            version: shown.version,
            status: shown.status.into(),
            outcome: shown.outcome,
            seat: shown.seat,
            clocks: shown.clocks,
        }
    }
}
