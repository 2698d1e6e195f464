//! A game told again from its record: for watchers that resume, and for replays.

use std::{slice, sync::Arc, time::Duration};

use bytes::Bytes;
use tavola_engine::{Entry, Seat, Seed, Viewer};

use super::{
    clocks::{Beat, Change, Clocks},
    shown::{Moment, Told},
    watchers::Encoded,
};
use crate::{
    encoding::encoded,
    error::Error,
    fair_dice::{self, Nonce},
    pb::v1 as pb,
    store::{Header, Opening},
    wire::{GameEntry, Table},
};

/// Updates told again at once. Whoever wants more of them comes again.
const UPDATES_AT_ONCE: usize = 256;

/// Everything needed to tell the story of a session, taken from it in one moment.
#[derive(Clone, Debug)]
pub(super) struct History {
    pub(super) game: &'static GameEntry,
    pub(super) opening: Opening,
    /// Where it began, if that was with a drawn table.
    pub(super) drawn: Option<Arc<dyn Table>>,
    pub(super) entries: Vec<Entry>,
    /// The version that belongs to ply 0.
    pub(super) start_version: u64,
    /// The clocks in that moment, if there are any.
    pub(super) clocks: Option<Clocks>,
    /// The session in that moment.
    pub(super) session: pb::Session,
    /// The seats whose players had left before it began.
    pub(super) resigned: Vec<Seat>,
}

impl History {
    /// The table before the first ply.
    fn open(&self) -> Result<Box<dyn Table>, Error> {
        match self.drawn.as_ref().and_then(|drawn| drawn.as_drawn()) {
            Some(drawn) => Ok(drawn),
            None => self.game.open(&self.opening),
        }
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
        let mut story = Story::begin(self)?;
        let mut updates = Vec::new();
        if story.version > seen {
            updates.push(story.update(viewer, view, Told::Snapshot));
        }
        while updates.len() < UPDATES_AT_ONCE
            && let Some(told) = story.go_on()?
        {
            if story.version > seen {
                updates.push(story.update(viewer, view, told));
            }
        }
        Ok(updates)
    }

    /// The version that this ply made.
    pub(super) fn version_of(&self, ply: u32) -> u64 {
        let hand_overs = self
            .clocks
            .as_ref()
            .map_or(0, |clocks| clocks.hand_overs_before(ply));
        self.start_version + u64::from(ply) + hand_overs
    }

    /// The clocks when this version came to be, if there are any.
    ///
    /// # Errors
    /// If the record does not fit the rules, which is our bug.
    pub(super) fn clocks_at(&self, version: u64) -> Result<Option<Clocks>, Error> {
        let mut story = Story::begin(self)?;
        while story.version < version && story.go_on()?.is_some() {}
        Ok(story.clocks)
    }
}

/// A story that is being told: the session as it was at one of its versions.
#[derive(Debug)]
struct Story<'a> {
    history: &'a History,
    version: u64,
    table: Box<dyn Table>,
    clocks: Option<Clocks>,
    /// The seats as they were.
    seats: Vec<pb::Seat>,
    entries: slice::Iter<'a, Entry>,
    beats: slice::Iter<'a, Beat>,
}

impl<'a> Story<'a> {
    /// The version with which the game began.
    fn begin(history: &'a History) -> Result<Self, Error> {
        let table = history.open()?;
        let mut seats: Vec<_> = history.session.seats.iter().map(seat_at_start).collect();
        for (number, seat) in (0..).zip(&mut seats) {
            seat.resigned = history.resigned.contains(&Seat(number));
        }
        let clocks = history.clocks.as_ref();
        Ok(Self {
            history,
            version: history.start_version,
            clocks: clocks.map(|clocks| clocks.at_start(&*table)),
            seats,
            table,
            entries: history.entries.iter(),
            beats: clocks.map_or(&[][..], Clocks::beats).iter(),
        })
    }

    /// Goes on to the next version, if there is one: what it told.
    fn go_on(&mut self) -> Result<Option<Told>, Error> {
        match self.beats.next() {
            Some(Beat {
                elapsed,
                change: Change::HandedOver(seat),
            }) => {
                if let Some(clocks) = &mut self.clocks {
                    clocks.hand_over(*seat, *elapsed, &*self.table);
                }
                // As it is now: nobody comes back to a seat that was handed over.
                let at = usize::from(seat.0);
                if let (Some(then), Some(now)) =
                    (self.seats.get_mut(at), self.history.session.seats.get(at))
                {
                    now.clone_into(then);
                }
                self.version += 1;
                Ok(Some(Told::HandOver))
            }
            Some(Beat {
                elapsed,
                change: Change::Ply { out_of_time },
            }) => self.enter(*elapsed, *out_of_time),
            // Without clocks every version is a ply.
            None => self.enter(Duration::ZERO, false),
        }
    }

    /// Goes on by a ply, if there is one.
    fn enter(&mut self, elapsed: Duration, out_of_time: bool) -> Result<Option<Told>, Error> {
        let Some(&entry) = self.entries.next() else {
            return Ok(None);
        };
        self.table.enter(entry)?;
        if let Some(clocks) = &mut self.clocks {
            clocks.ply(entry, elapsed, out_of_time, &*self.table);
        }
        if let Entry::Resign(seat) = entry
            && let Some(then) = self.seats.get_mut(usize::from(seat.0))
        {
            (then.resigned, then.out_of_time) = (true, out_of_time);
        }
        self.version += 1;
        Ok(Some(Told::Change))
    }

    fn update(&self, viewer: Viewer, view: pb::View, told: Told) -> Encoded {
        let moment = Moment {
            clocks: self.clocks.as_ref(),
            ..Moment::of(&*self.table, self.version)
        };
        let session = || {
            let now = &self.history.session;
            let over = moment.status == pb::SessionStatus::Finished;
            pb::Session {
                version: self.version,
                status: moment.status.into(),
                seats: self.seats.clone(),
                outcome: now.outcome.clone().filter(|_| over),
                end_time: now.end_time.filter(|_| over),
                ..now.clone()
            }
        };
        let update = moment.update(viewer, view, told, session);
        (self.version, encoded(&update))
    }
}

/// A seat as it was when the game began.
fn seat_at_start(now: &pb::Seat) -> pb::Seat {
    let relieved = now.out_of_time && !now.resigned;
    let (holder, bot) = if relieved {
        (pb::SeatHolder::Player.into(), String::new())
    } else {
        (now.holder, now.bot.clone())
    };
    pb::Seat {
        holder,
        bot,
        resigned: false,
        out_of_time: false,
        ..*now
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
    nonce: Nonce,
    commitment: [u8; 32],
    /// Of its seeds, so many are another session's secret.
    secret_seeds: usize,
}

impl Replay {
    pub(super) fn new(history: History, viewer: Viewer, header: &Header) -> Self {
        let secret_seeds = header.fork.as_ref().map_or(0, |fork| fork.secret_seeds);
        Self {
            history,
            viewer,
            seed_given: header.seed_given,
            nonce: header.nonce,
            commitment: fair_dice::commitment(header.own_seed(), header.nonce),
            secret_seeds: usize::try_from(secret_seeds).unwrap_or(usize::MAX),
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
            clocks,
            session,
            ..
        } = &self.history;
        let beats = clocks.as_ref().map_or(&[][..], Clocks::beats);
        let mut out_of_time = beats.iter().filter_map(|beat| match beat.change {
            Change::Ply { out_of_time } => Some(out_of_time),
            Change::HandedOver(_) => None,
        });
        let end = first.saturating_add(steps_max);
        let mut table = game.open(opening)?;
        let mut steps = Vec::new();
        if first == 0 {
            steps.push(self.step(&*table, None, false));
        }
        for entry in entries
            .iter()
            .take(usize::try_from(end - 1).unwrap_or(usize::MAX))
        {
            table.enter(*entry)?;
            let out_of_time = out_of_time.next().unwrap_or(false);
            if table.ply() >= first {
                steps.push(self.step(&*table, Some(*entry), out_of_time));
            }
        }
        Ok(pb::GetReplayResponse {
            game: game.id.to_owned(),
            rules_version: opening.rules_version,
            options: Some(table.options()),
            seats: opening.seats.into(),
            seed: self.shown(0, opening.seed),
            reseeds: (1..)
                .zip(&opening.reseeds)
                .map(|(nth, reseed)| pb::Reseed {
                    after_ply: reseed.after_ply,
                    seed: self.shown(nth, reseed.seed),
                })
                .collect(),
            seed_given: self.seed_given,
            outcome: session.outcome.clone(),
            plies,
            steps,
            next_page_token: if end <= plies {
                end.to_string()
            } else {
                String::new()
            },
            seed_nonce: self.nonce.0.to_vec().into(),
            seed_commitment: self.commitment.to_vec().into(),
            seat: match self.viewer {
                Viewer::Seat(seat) => Some(seat.0.into()),
                Viewer::Spectator => None,
            },
        })
    }

    /// A seed, unless it is another session's secret.
    fn shown(&self, nth: usize, seed: Seed) -> Bytes {
        if nth < self.secret_seeds {
            Bytes::new()
        } else {
            seed.0.to_vec().into()
        }
    }

    fn step(&self, table: &dyn Table, entry: Option<Entry>, out_of_time: bool) -> pb::ReplayStep {
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
            out_of_time,
        }
    }
}
