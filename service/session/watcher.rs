//! One who watches: a place in the stream of a session's updates.

use std::{
    collections::VecDeque,
    future::{Future as _, poll_fn},
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::Poll,
};

use tavola_engine::Viewer;
use tokio::{sync::watch, task::JoinHandle};

use super::{Session, commit::Progress, history::History, state::Pass, watchers::Encoded};
use crate::{
    error::{Error, Violation},
    pb::v1::View,
    shutdown::Shutdown,
    token::TokenHash,
    wire::Answer,
};

/// Streams that watch or play as one seat: a player may look from more than one place, but not from everywhere.
const WATCHERS_PER_SEAT_MAX: u32 = 8;

/// Follows a session without gap or repeat. A watcher that is not asked for its next update costs nothing; one that
/// falls too far behind is given a snapshot.
#[derive(Debug)]
pub struct Watcher {
    session: Arc<Session>,
    place: Arc<Place>,
    pass: Pass,
    view: View,
    progress: watch::Receiver<Progress>,
    shutdown: Shutdown,
    /// Updates to hand out, each once its version is committed.
    ready: VecDeque<Encoded>,
    /// What was missed before the feed began, while it is being told.
    missed: Option<Missed>,
    /// The version of the latest update in `ready`, or handed out.
    fetched: u64,
    /// The version of the latest update handed out; 0 before the first.
    handed_out: u64,
    reloads: u32,
    ended: bool,
}

/// What a watcher that resumes has missed.
#[derive(Debug)]
struct Missed {
    history: Arc<History>,
    /// The version up to which it is to be told; from there on the feed has everything.
    until: u64,
    /// The part that is being told on another thread.
    telling: Option<JoinHandle<Result<Vec<Encoded>, Error>>>,
}

impl Watcher {
    /// Watches as the seat of the token, or as a spectator without one.
    ///
    /// # Errors
    /// If the token is not one of the session (or, with `seat_only`, not a seat's), there are too many watchers, or
    /// `from_version` is yet to come.
    pub fn new(
        session: &Arc<Session>,
        token: Option<TokenHash>,
        view: View,
        from_version: Option<u64>,
        seat_only: bool,
    ) -> Result<Self, Error> {
        let Entrance {
            pass,
            progress,
            reloads,
            joined,
            first,
        } = session.watch(token, view, from_version, seat_only)?;
        let (ready, missed, fetched) = match first {
            First::Snapshot(snapshot) => (VecDeque::from([snapshot]), None, joined),
            First::Missed { after, history } => (
                VecDeque::new(),
                Some(Missed {
                    history: Arc::from(history),
                    until: joined,
                    telling: None,
                }),
                after,
            ),
            First::Nothing => (VecDeque::new(), None, joined),
        };
        let place = Arc::new(Place {
            session: Arc::clone(session),
            viewer: pass.viewer(),
            view,
            given_up: AtomicBool::new(false),
        });
        Ok(Self {
            session: Arc::clone(session),
            place,
            pass,
            view,
            progress,
            shutdown: session.house().shutdown().clone(),
            ready,
            missed,
            fetched,
            handed_out: from_version.unwrap_or(0),
            reloads,
            ended: false,
        })
    }

    /// Its place, which others may take from it.
    #[must_use]
    pub fn place(&self) -> Arc<Place> {
        Arc::clone(&self.place)
    }

    /// The version of the latest update that was handed out, or that the caller had before; 0 if there is none.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.handed_out
    }

    /// The next update with its version, when there is one. `None` after the one with the result. May be dropped at
    /// any time and called again.
    ///
    /// # Errors
    /// Once, at the end: if the session is gone, the token is void, the place was given up, or the server shuts down.
    pub async fn next(&mut self) -> Option<Result<Encoded, Error>> {
        if self.ended {
            return None;
        }
        match self.advance_in_place().await {
            Ok(Some(update)) => {
                self.handed_out = update.0;
                Some(Ok(update))
            }
            Ok(None) => {
                self.ended = true;
                None
            }
            Err(error) => {
                self.ended = true;
                Some(Err(error))
            }
        }
    }

    /// As [`Self::advance`], as long as the place is kept: whoever is asked again after it was given up may have no news to
    /// wait for.
    async fn advance_in_place(&mut self) -> Result<Option<Encoded>, Error> {
        let place = Arc::clone(&self.place);
        let handed_out = self.handed_out;
        let mut advance = pin!(self.advance());
        poll_fn(|cx| match place.given_up.load(Ordering::Acquire) {
            true => Poll::Ready(Err(place.not_read(handed_out))),
            false => advance.as_mut().poll(cx),
        })
        .await
    }

    async fn advance(&mut self) -> Result<Option<Encoded>, Error> {
        loop {
            let progress = *self.progress.borrow_and_update();
            if progress.reloads != self.reloads {
                // What was fetched but not yet committed may never have been: it is asked for again.
                self.reloads = progress.reloads;
                self.ready.clear();
                self.missed = None;
                self.fetched = self.handed_out;
            }
            if let Some(update) = self
                .ready
                .pop_front_if(|(version, _)| *version <= progress.published)
            {
                return Ok(Some(update));
            }
            if let Some(error) = progress.end() {
                return Err(error);
            }
            if self.shutdown.begun() {
                let resume_version = resumable(self.handed_out);
                return Err(Error::ShuttingDown { resume_version });
            }
            if self.missed.is_some() {
                self.catch_up().await?;
                continue;
            }
            if self.ready.is_empty() && self.fetched < progress.published && !progress.reloading() {
                self.ready = self
                    .session
                    .updates(&self.pass, self.view, self.fetched)?
                    .into();
                if let Some((version, _)) = self.ready.back() {
                    self.fetched = *version;
                    continue;
                }
            } else if progress.finished && self.handed_out == progress.published {
                return Ok(None);
            }
            // A shutdown, too, makes itself felt here.
            self.progress
                .changed()
                .await
                .map_err(|_| Error::SessionNotFound)?;
        }
    }

    /// Answers a decision for the seat that watches: the version that the answer makes, once it is committed.
    ///
    /// # Errors
    /// As [`Session::submit`].
    pub async fn submit(&self, decision: u64, answer: &Answer) -> Result<u64, Error> {
        self.session.touch();
        let submitted = self.session.submit_again(&self.pass, decision, answer)?;
        match submitted.settle().await? {
            Ok(version) => Ok(version),
            Err(repeated) => Box::pin(repeated.version()).await,
        }
    }

    /// Tells the next part of what was missed. Replaying is work: another thread does it.
    async fn catch_up(&mut self) -> Result<(), Error> {
        let Some(missed) = &mut self.missed else {
            return Ok(());
        };
        let (viewer, view, fetched) = (self.pass.viewer(), self.view, self.fetched);
        let telling = missed.telling.get_or_insert_with(|| {
            let history = Arc::clone(&missed.history);
            tokio::task::spawn_blocking(move || history.updates(viewer, view, fetched))
        });
        let updates = telling.await.map_err(Error::internal)??;
        missed.telling = None;
        if let Some((version, _)) = updates.last() {
            self.fetched = *version;
        }
        if updates.is_empty() || self.fetched >= missed.until {
            self.missed = None;
        }
        self.ready.extend(updates);
        Ok(())
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.place.give_up();
    }
}

/// A watcher's place among those of its session, which are limited in number.
#[derive(Debug)]
pub struct Place {
    session: Arc<Session>,
    viewer: Viewer,
    view: View,
    given_up: AtomicBool,
}

impl Place {
    /// Makes room for another watcher. If this one still asks for updates, it is told the version to resume from.
    pub fn give_up(&self) {
        if !self.given_up.swap(true, Ordering::AcqRel) {
            self.session.unwatch(self.viewer, self.view);
        }
    }

    fn not_read(&self, handed_out: u64) -> Error {
        Error::NotRead {
            write_stall_s: self.session.house().limits().write_stall_s,
            resume_version: resumable(handed_out),
        }
    }
}

/// The version to resume from for a client that has this one; none if it has none.
fn resumable(handed_out: u64) -> Option<u64> {
    (handed_out > 0).then_some(handed_out)
}

/// A watcher's place at the beginning of its stream.
#[derive(Debug)]
struct Entrance {
    pass: Pass,
    progress: watch::Receiver<Progress>,
    /// How often the session had been loaded anew by then.
    reloads: u32,
    /// The version before the first that the feed will bring.
    joined: u64,
    /// What to send before that.
    first: First,
}

/// What a stream begins with.
#[derive(Debug)]
enum First {
    /// How things stand.
    Snapshot(Encoded),
    /// What the watcher has missed after this version.
    Missed { after: u64, history: Box<History> },
    /// Nothing: the watcher is up to date.
    Nothing,
}

impl Session {
    /// Lets a watcher in: as the seat of the token, or as a spectator.
    ///
    /// # Errors
    /// If the token is not one of the session, there are too many watchers, or `from_version` is yet to come.
    #[tracing::instrument(level = "debug", skip_all, fields(session_id = %self.id()))]
    fn watch(
        &self,
        token: Option<TokenHash>,
        view: View,
        from_version: Option<u64>,
        seat_only: bool,
    ) -> Result<Entrance, Error> {
        let mut inside = self.enter()?;
        let pass = inside.state.admit(token)?;
        if seat_only {
            inside.state.readmit(&pass)?.seat()?;
        }
        let viewer = pass.viewer();
        // Spectators, who may be anybody, take no room from the players.
        let (limit, max) = match viewer {
            Viewer::Spectator => (
                "watchers_per_session_max",
                self.house().limits().watchers_per_session_max,
            ),
            Viewer::Seat(_) => ("watchers_per_seat_max", WATCHERS_PER_SEAT_MAX),
        };
        if inside.feeds.watching_as(viewer) >= max {
            return Err(Error::LimitReached {
                limit,
                max: max.into(),
            });
        }
        let version = inside.state.version();
        let first = match (from_version, inside.state.start_version) {
            (Some(from), _) if from == 0 || from > version => {
                let allowed = format!("is unset, or a version from 1 to {version}");
                return Err(Error::Malformed(Violation::new("from_version", allowed)));
            }
            (Some(from), _) if from == version => First::Nothing,
            (Some(from), Some(_)) => First::Missed {
                after: from,
                history: Box::new(self.history(&inside.state)),
            },
            (Some(_), None) | (None, _) => {
                First::Snapshot((version, self.snapshot(&inside, viewer, view)))
            }
        };
        inside.feeds.join(viewer, view);
        Ok(Entrance {
            pass,
            reloads: self.progress.borrow().reloads,
            progress: self.progress.subscribe(),
            joined: version,
            first,
        })
    }

    /// A watcher goes.
    fn unwatch(&self, viewer: Viewer, view: View) {
        self.inside.lock().feeds.leave(viewer, view);
        // Whoever watched was there until now, and may come again.
        self.touch();
    }

    /// The updates after version `seen`; one snapshot in their place for a watcher that fell too far behind.
    ///
    /// # Errors
    /// If the session cannot be used, or the watcher's token has become void.
    fn updates(&self, pass: &Pass, view: View, seen: u64) -> Result<Vec<Encoded>, Error> {
        let inside = self.enter()?;
        let viewer = inside.state.readmit(pass)?.viewer();
        let published = self.progress.borrow().published;
        if let Some(updates) = inside.feeds.after(viewer, view, seen, published) {
            return Ok(updates);
        }
        let version = inside.state.version();
        // How things stand may be told once it is committed.
        let settled = version == published;
        Ok(settled
            .then(|| (version, self.snapshot(&inside, viewer, view)))
            .into_iter()
            .collect())
    }
}
