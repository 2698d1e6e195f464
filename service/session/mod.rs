//! Sessions: the registry, the lock of each and all that happens under it, its watchers, its clocks and its
//! house bots.
//!
//! Nothing here awaits between two states of a session: every change is one synchronous function under the session's
//! lock, so that a call that is cancelled cannot leave half of one.

mod answers;
mod bots;
mod clocks;
mod commit;
#[cfg(test)]
mod faults;
mod fork;
mod history;
mod pending;
mod registry;
mod sandboxes;
#[expect(
    clippy::module_inception,
    reason = "the session itself is the heart of this room"
)]
mod session;
mod shown;
mod state;
mod sweep;
#[cfg(test)]
mod tests;
mod timer;
mod watcher;
mod watchers;

pub use answers::Submitted;
pub use bots::BotPool;
pub use commit::Settling;
pub use fork::{Forked, NewFork};
pub use history::Replay;
pub use registry::{Created, Filter, House, NewSession, Registry};
pub use session::{Joined, Session};
pub use shown::Shown;
pub use watcher::{Place, Watcher};
