//! The stream of a session.

use futures_util::{Stream, stream};
use tonic::Streaming;

use crate::{
    Error, Viewer,
    patience::Patience,
    v1::{Update, WatchSessionResponse},
};

/// The updates of a session up to its result: see [`Viewer::watch`] and [`Seat::watch`](crate::Seat::watch).
///
/// The stream is opened when the first update is asked for and closed when this is dropped. If it is cut off it is
/// resumed where it was, without gap or repeat, for as long as the client has patience.
///
/// ```no_run
/// # async fn example(seat: tavola_client::Seat) -> Result<(), tavola_client::Error> {
/// let mut updates = seat.watch();
/// while let Some(update) = updates.next().await? {
///     println!("version {}: {} events", update.version, update.events.len());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Updates {
    viewer: Viewer,
    /// The version of the last update that came.
    have: Option<u64>,
    patience: Patience,
    feed: Feed,
}

#[derive(Debug)]
enum Feed {
    ToOpen,
    Open(Box<Streaming<WatchSessionResponse>>),
    Ended,
}

impl Updates {
    pub(crate) fn new(viewer: Viewer, have: Option<u64>) -> Self {
        Self {
            patience: viewer.client().patience(),
            viewer,
            have,
            feed: Feed::ToOpen,
        }
    }

    /// The next update. None: the one before had the result.
    ///
    /// Nothing is lost if this is dropped before it is done.
    ///
    /// # Errors
    /// If the server refuses, or cannot be reached for longer than the client has patience. Asked again, it tries again
    /// to go on after the last update that came.
    pub async fn next(&mut self) -> Result<Option<Update>, Error> {
        loop {
            match self.receive().await {
                Ok(Some(update)) => {
                    self.patience.restore();
                    self.have = Some(update.version);
                    return Ok(Some(update));
                }
                Ok(None) => {
                    self.feed = Feed::Ended;
                    return Ok(None);
                }
                Err(error) => {
                    self.feed = Feed::ToOpen;
                    self.patience.wait(error).await?;
                }
            }
        }
    }

    /// The version of the last update that came: where [`Viewer::watch_from`] would go on.
    pub fn version(&self) -> Option<u64> {
        self.have
    }

    /// The same as a [`Stream`], which ends after the first error.
    pub fn into_stream(self) -> impl Stream<Item = Result<Update, Error>> + Send {
        stream::try_unfold(self, async |mut updates| {
            let update = updates.next().await?;
            Ok(update.map(|update| (update, updates)))
        })
    }

    async fn receive(&mut self) -> Result<Option<Update>, Error> {
        if matches!(self.feed, Feed::ToOpen) {
            let stream = self.viewer.stream(self.have).await?;
            self.feed = Feed::Open(Box::new(stream));
        }
        let Feed::Open(stream) = &mut self.feed else {
            return Ok(None);
        };
        match stream.message().await? {
            Some(WatchSessionResponse { update: None }) => {
                Err(Error::unexpected("the server sent no update"))
            }
            Some(WatchSessionResponse { update }) => Ok(update),
            None => Ok(None),
        }
    }
}
