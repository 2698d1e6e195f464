//! A game told again from its record: for watchers that resume, and for replays.

use prost::Message as _;
use tavola_engine::{Entry, Viewer};

use super::{shown::Moment, watchers::Encoded};
use crate::{
    error::Error,
    pb::v1 as pb,
    store::Opening,
    wire::{GameEntry, Table},
};

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

/// The replay of a finished game, to be read page by page.
#[derive(Debug)]
pub struct Replay {
    history: History,
    viewer: Viewer,
    seed_given: bool,
}

impl Replay {
    pub(super) fn new(history: History, viewer: Viewer, seed_given: bool) -> Self {
        Self {
            history,
            viewer,
            seed_given,
        }
    }

    /// Plies that were played.
    #[must_use]
    pub fn plies(&self) -> u32 {
        u32::try_from(self.history.entries.len()).unwrap_or(u32::MAX)
    }

    /// Plays the game again and writes a page of its steps, from step `first` on. This takes a while: leave it to a
    /// thread that has the time.
    ///
    /// # Errors
    /// If the record does not fit the rules, which is our bug.
    pub fn read(self, first: u32, steps_max: u32) -> Result<pb::GetReplayResponse, Error> {
        let plies = self.plies();
        let History {
            game,
            opening,
            entries,
            session,
            ..
        } = &self.history;
        let end = first.saturating_add(steps_max);
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
