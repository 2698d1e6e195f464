//! Who is told what: each kind of viewer's updates, encoded once and kept for a while.

use std::collections::VecDeque;

use bytes::Bytes;
use tavola_engine::Viewer;

use crate::pb::v1::View;

/// An encoded `tavola.v1.Update` with its version.
pub(super) type Encoded = (u64, Bytes);

/// The latest updates of a session for each kind of viewer that somebody watches as.
#[derive(Debug, Default)]
pub(super) struct Feeds {
    feeds: Vec<Feed>,
}

/// The latest updates for one kind of viewer.
#[derive(Debug)]
struct Feed {
    viewer: Viewer,
    view: View,
    watchers: u32,
    /// Consecutive versions; a watcher behind the first has fallen too far back.
    updates: VecDeque<Encoded>,
}

impl Feeds {
    /// One more watches as this viewer.
    pub(super) fn join(&mut self, viewer: Viewer, view: View) {
        match self.feed_mut(viewer, view) {
            Some(feed) => feed.watchers += 1,
            None => self.feeds.push(Feed {
                viewer,
                view,
                watchers: 1,
                updates: VecDeque::new(),
            }),
        }
    }

    /// One less watches as this viewer.
    pub(super) fn leave(&mut self, viewer: Viewer, view: View) {
        if let Some(feed) = self.feed_mut(viewer, view) {
            feed.watchers -= 1;
        }
        self.feeds.retain(|feed| feed.watchers > 0);
    }

    /// How many watch as this viewer.
    pub(super) fn watching_as(&self, viewer: Viewer) -> u32 {
        let alike = self.feeds.iter().filter(|feed| feed.viewer == viewer);
        alike.map(|feed| feed.watchers).sum()
    }

    /// How many watch.
    pub(super) fn watchers(&self) -> u32 {
        self.feeds.iter().map(|feed| feed.watchers).sum()
    }

    /// Adds a version; `encode` is asked once for each kind of viewer. At most `lag_max` versions are kept.
    pub(super) fn push(
        &mut self,
        version: u64,
        lag_max: usize,
        mut encode: impl FnMut(Viewer, View) -> Bytes,
    ) {
        for feed in &mut self.feeds {
            if feed.updates.len() >= lag_max {
                feed.updates.pop_front();
            }
            feed.updates
                .push_back((version, encode(feed.viewer, feed.view)));
        }
    }

    /// The updates after version `seen`, up to `published`. `None` if some of them are no longer kept.
    pub(super) fn after(
        &self,
        viewer: Viewer,
        view: View,
        seen: u64,
        published: u64,
    ) -> Option<Vec<Encoded>> {
        if seen >= published {
            return Some(Vec::new());
        }
        let updates = &self
            .feeds
            .iter()
            .find(|feed| feed.viewer == viewer && feed.view == view)?
            .updates;
        let first = updates.front()?.0;
        let skip = usize::try_from((seen + 1).checked_sub(first)?).ok()?;
        let wanted = updates
            .iter()
            .skip(skip)
            .take_while(|(version, _)| *version <= published);
        Some(wanted.cloned().collect())
    }

    /// Forgets all updates: the session is not what they say it was.
    pub(super) fn clear(&mut self) {
        for feed in &mut self.feeds {
            feed.updates.clear();
        }
    }

    fn feed_mut(&mut self, viewer: Viewer, view: View) -> Option<&mut Feed> {
        self.feeds
            .iter_mut()
            .find(|feed| feed.viewer == viewer && feed.view == view)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AS: (Viewer, View) = (Viewer::Spectator, View::Lean);

    fn versions(feeds: &Feeds, seen: u64, published: u64) -> Option<Vec<u64>> {
        Some(
            feeds
                .after(AS.0, AS.1, seen, published)?
                .into_iter()
                .map(|(version, _)| version)
                .collect(),
        )
    }

    #[test]
    fn nothing_is_encoded_while_nobody_watches() {
        let mut feeds = Feeds::default();
        feeds.push(2, 4, |_, _| unreachable!("nobody watches"));
        feeds.join(AS.0, AS.1);
        feeds.leave(AS.0, AS.1);
        feeds.push(3, 4, |_, _| unreachable!("nobody watches any more"));
        assert_eq!(feeds.watchers(), 0);
    }

    #[test]
    fn each_kind_of_viewer_is_encoded_once() {
        let mut feeds = Feeds::default();
        feeds.join(AS.0, AS.1);
        feeds.join(AS.0, AS.1);
        feeds.join(AS.0, View::Full);
        let mut encoded = 0;
        feeds.push(2, 4, |_, _| {
            encoded += 1;
            Bytes::new()
        });
        assert_eq!((encoded, feeds.watchers()), (2, 3));
    }

    #[test]
    fn a_watcher_gets_what_it_has_not_seen_and_what_is_published() {
        let mut feeds = Feeds::default();
        feeds.join(AS.0, AS.1);
        for version in 2..=9 {
            feeds.push(version, 4, |_, _| Bytes::new());
        }
        assert_eq!(versions(&feeds, 7, 9), Some(vec![8, 9]));
        assert_eq!(versions(&feeds, 5, 8), Some(vec![6, 7, 8]));
        assert_eq!(versions(&feeds, 9, 9), Some(vec![]));
        assert_eq!(versions(&feeds, 4, 9), None, "version 5 is no longer kept");
    }
}
