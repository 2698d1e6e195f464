//! The limit of open files that the system sets.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Files beside the connections: listeners, event loops, the store, logs.
const OTHER_FILES: u64 = 64;

/// Raises the limit of open files as far as `connections` need and the system lets; says so where it does not.
pub fn raise_limit(connections: u32) {
    let needed = u64::from(connections) + OTHER_FILES;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current.is_none_or(|current| current >= needed) {
        return;
    }
    let raised = Rlimit {
        current: Some(maximum.map_or(needed, |maximum| maximum.min(needed))),
        maximum,
    };
    let failed = setrlimit(Resource::Nofile, raised).is_err();
    if failed || maximum.is_some_and(|maximum| maximum < needed) {
        tracing::warn!(
            needed,
            ?current,
            ?maximum,
            "fewer files may be open than --connections-max needs"
        );
    }
}
