//! A game told again from its record: for watchers that resume, and for replays.

use prost::Message as _;
use tavola_engine::{Entry, Viewer};

use super::{shown::Moment, watchers::Encoded};
use crate::{
    error::{Error, Violation},
    pb::v1 as pb,
    wire::{GameEntry, Opening, Table},
};

/// Steps on a page of a replay, where the caller does not say how many.
pub const STEPS_PER_PAGE: u32 = 500;

/// Steps on a page of a replay, at most.
const STEPS_PER_PAGE_MAX: u32 = 1000;

/// Updates told again at once. Whoever wants more of them comes again.
const UPDATES_AT_ONCE: usize = 256;

/// Everything needed to tell the story of a session, taken from it in one moment.
#[derive(Clone, Debug)]
pub(super) struct History {
    pub(super) game: &'static GameEntry,
    pub(super) opening: Opening,
    pub(super) entries: Vec<Entry>,
    /// The version that belongs to ply 0.
    pub(super) start_version: u64,
    /// The session in that moment.
    pub(super) session: pb::Session,
}

impl History {
    /// The version that belongs to the last ply.
    fn last_version(&self) -> u64 {
        self.start_version + self.entries.len() as u64
    }

    /// The updates after version `seen`, as they were sent when they were news; not all at once if there are many.
    /// What happened before the game began comes as a snapshot of its beginning.
    ///
    /// # Errors
    /// If the record does not fit the rules, which is our bug.
    pub(super) fn updates(
        &self,
        viewer: Viewer,
        view: pb::View,
        seen: u64,
    ) -> Result<Vec<Encoded>, Error> {
        let mut table = self.game.open(&self.opening)?;
        let mut updates = Vec::new();
        let mut version = self.start_version;
        if version > seen {
            updates.push(self.update(&*table, version, viewer, view, true));
        }
        for entry in &self.entries {
            if updates.len() >= UPDATES_AT_ONCE {
                break;
            }
            table.enter(*entry)?;
            version += 1;
            if version > seen {
                updates.push(self.update(&*table, version, viewer, view, false));
            }
        }
        Ok(updates)
    }

    fn update(
        &self,
        table: &dyn Table,
        version: u64,
        viewer: Viewer,
        view: pb::View,
        snapshot: bool,
    ) -> Encoded {
        let moment = Moment {
            table,
            version,
            status: status_of(table),
        };
        let session = || {
            if version == self.last_version() {
                return self.session.clone();
            }
            // As it was then: only a resignation or the end changes a session whose game is on.
            let mut session = pb::Session {
                version,
                status: moment.status.into(),
                ..self.session.clone()
            };
            (session.outcome, session.end_time) = (None, None);
            session
                .seats
                .iter_mut()
                .for_each(|seat| seat.resigned = false);
            session
        };
        (
            version,
            moment
                .update(viewer, view, snapshot, session)
                .encode_to_vec()
                .into(),
        )
    }
}

/// How far a started game is.
pub(super) fn status_of(table: &dyn Table) -> pb::SessionStatus {
    if table.to_act().is_empty() {
        pb::SessionStatus::Finished
    } else {
        pb::SessionStatus::Running
    }
}

/// The record of a finished game, to be read page by page.
#[derive(Debug)]
pub struct ReplayPage {
    history: History,
    viewer: Viewer,
    seed_given: bool,
}

impl ReplayPage {
    pub(super) fn new(history: History, viewer: Viewer, seed_given: bool) -> Self {
        Self {
            history,
            viewer,
            seed_given,
        }
    }

    /// Plays the game again and writes the steps from step `first` on.
    ///
    /// # Errors
    /// If a field is out of range.
    pub fn read(self, page_size: Option<u32>, first: u32) -> Result<pb::GetReplayResponse, Error> {
        let page_size = page_size.unwrap_or(STEPS_PER_PAGE);
        if !(1..=STEPS_PER_PAGE_MAX).contains(&page_size) {
            let allowed = format!("is unset, or 1 to {STEPS_PER_PAGE_MAX}");
            return Err(Error::Malformed(Violation::new("page_size", allowed)));
        }
        let History {
            game,
            opening,
            entries,
            session,
            ..
        } = &self.history;
        let plies = u32::try_from(entries.len()).map_err(|_| Error::Internal)?;
        if first > plies {
            return Err(Error::Malformed(Violation::new(
                "page_token",
                "is the next_page_token of a page before",
            )));
        }
        let end = first.saturating_add(page_size);
        let mut table = game.open(opening)?;
        let mut steps = Vec::new();
        if first == 0 {
            steps.push(self.step(&*table, None));
        }
        for entry in entries
            .iter()
            .take(usize::try_from(end - 1).unwrap_or(usize::MAX))
        {
            table.enter(*entry)?;
            if table.ply() >= first {
                steps.push(self.step(&*table, Some(*entry)));
            }
        }
        Ok(pb::GetReplayResponse {
            game: game.id.to_owned(),
            rules_version: opening.rules_version,
            options: Some(table.options()),
            seats: opening.seats.into(),
            seed: opening.seed.0.to_vec().into(),
            seed_given: self.seed_given,
            outcome: session.outcome.clone(),
            plies,
            steps,
            next_page_token: if end <= plies {
                end.to_string()
            } else {
                String::new()
            },
        })
    }

    fn step(&self, table: &dyn Table, entry: Option<Entry>) -> pb::ReplayStep {
        let (seat, entry, action) = match entry {
            None => (None, None, None),
            Some(Entry::Action(seat, action)) => (
                Some(seat),
                Some(pb::replay_step::Entry::ActionId(action.0)),
                table.action(action),
            ),
            Some(Entry::Resign(seat)) => (
                Some(seat),
                Some(pb::replay_step::Entry::Resignation(pb::Resignation {})),
                None,
            ),
        };
        pb::ReplayStep {
            ply: table.ply(),
            seat: seat.map(|seat| seat.0.into()),
            entry,
            action,
            events: table.events(self.viewer),
            state_hash: table.state_hash().0.to_vec().into(),
        }
    }
}
